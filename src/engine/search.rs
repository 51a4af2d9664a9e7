//! Depth-first and breadth-first search with pruning of what was visited before: one loop.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hash};

use super::{Limit, Limits, Model};
use crate::ruleset::Outcome;

/// In which order states are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The newest first: finds a line of play early, not always a shortest.
    #[default]
    DepthFirst,
    /// Those first that could be on the shortest line: in the order of their depth, or of depth plus
    /// [`Model::lower_bound`] where the model knows one. The first line found is a shortest.
    BreadthFirst,
}

/// What a search concluded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding<M> {
    /// This line of play leads out.
    Escape(Vec<M>),
    /// No line of play does: all have been ruled out.
    Caught,
    /// A limit ended the search first.
    Undecided(Limit),
}

impl<M> Finding<M> {
    /// The same finding, with its line in another form.
    pub fn map<N>(self, line: impl FnOnce(Vec<M>) -> Vec<N>) -> Finding<N> {
        match self {
            Self::Escape(moves) => Finding::Escape(line(moves)),
            Self::Caught => Finding::Caught,
            Self::Undecided(limit) => Finding::Undecided(limit),
        }
    }
}

/// What counts as visited, and where the states are kept.
///
/// States get the numbers 0, 1, 2, ... in the order in which they come.
pub trait Visited<M: Model> {
    /// Forgets everything, to begin with another board.
    fn clear(&mut self, model: &M);

    /// Keeps `state` under the next number, unless it was visited.
    fn insert(&mut self, model: &M, state: &M::State) -> Visit;

    /// Reads the state of this number.
    fn load(&self, number: u32, into: &mut M::State);

    /// Whether the state of this number has become useless, since a better one came after it.
    fn is_outdone(&self, _number: u32) -> bool {
        false
    }
}

/// Whether a state is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// It is, and has this number now.
    New(u32),
    /// It was met before, and has this number.
    Known(u32),
    /// There is no need to look at it: one that is as good was met before.
    Outdone,
}

/// The tables of a search, for use on many boards one after the other.
#[derive(Debug)]
pub struct Search<M: Model, V> {
    visited: V,
    links: Vec<Link<M::Move>>,
    /// Depth-first: the states still to be looked at, the next one last.
    stack: Vec<u32>,
    /// Breadth-first: the same, by the least length of a line through them.
    ranks: Ranks,
    moves: Vec<M::Move>,
    order: Order,
    states: u64,
}

/// The states still to be looked at, by the least length of a line of play through them.
#[derive(Debug, Default)]
struct Ranks {
    /// For each length its states.
    buckets: Vec<Vec<u32>>,
    /// No state has a lesser length than this.
    lowest: usize,
    /// For each state the number of moves to it, or [`DONE`] once it has been looked at.
    depths: Vec<u32>,
}

/// In the place of a state's depth after it has been looked at.
const DONE: u32 = u32::MAX;

impl Ranks {
    fn clear(&mut self) {
        self.buckets.clear();
        self.depths.clear();
        self.lowest = 0;
    }

    fn push(&mut self, number: u32, depth: u32, bound: u32) {
        let length = depth as usize + bound as usize;
        if self.buckets.len() <= length {
            self.buckets.resize_with(length + 1, Vec::new);
        }
        self.buckets[length].push(number);
        if self.depths.len() == number as usize {
            self.depths.push(depth);
        } else {
            self.depths[number as usize] = depth;
        }
    }

    /// The next state with its depth. A state that was come by on a shorter way later stands in two
    /// buckets, and counts in the first.
    fn pop(&mut self) -> Option<(u32, u32)> {
        loop {
            match self.buckets.get_mut(self.lowest)?.pop() {
                None => self.lowest += 1,
                Some(number) => {
                    let depth = std::mem::replace(&mut self.depths[number as usize], DONE);
                    if depth != DONE {
                        return Some((number, depth));
                    }
                }
            }
        }
    }

    /// Whether a way of `depth` moves to a known state is shorter than the one before.
    fn is_shorter(&self, number: u32, depth: u32) -> bool {
        let known = self.depths[number as usize];
        known != DONE && depth < known
    }
}

/// How a state was come by.
#[derive(Clone, Copy, Debug)]
struct Link<M> {
    parent: u32,
    mv: Option<M>,
}

impl<M: Model, V: Visited<M> + Default> Default for Search<M, V> {
    fn default() -> Self {
        Self::new(V::default())
    }
}

impl<M: Model, V: Visited<M>> Search<M, V> {
    /// A search that takes for visited what `visited` does.
    pub const fn new(visited: V) -> Self {
        Self {
            visited,
            links: Vec::new(),
            stack: Vec::new(),
            moves: Vec::new(),
            ranks: Ranks {
                buckets: Vec::new(),
                lowest: 0,
                depths: Vec::new(),
            },
            order: Order::DepthFirst,
            states: 0,
        }
    }

    /// How many states the last search looked at: those whose moves were tried.
    pub const fn states(&self) -> u64 {
        self.states
    }

    /// Searches for a line of play that leads out.
    pub fn run(&mut self, model: &M, order: Order, limits: &Limits) -> Finding<M::Move> {
        self.clear(model);
        self.order = order;
        let mut at = match model.opened() {
            Ok(start) => start,
            Err(Outcome::Escaped) => return Finding::Escape(Vec::new()),
            Err(Outcome::Caught(_)) => return Finding::Caught,
        };
        self.keep(
            model,
            &at,
            Link {
                parent: 0,
                mv: None,
            },
            0,
        );
        let mut next = at.clone();
        while let Some((number, depth)) = self.pop() {
            if self.visited.is_outdone(number) {
                continue;
            }
            if let Some(limit) = limits.reached(self.states) {
                return Finding::Undecided(limit);
            }
            self.states += 1;
            self.visited.load(number, &mut at);
            if let Some(last) = self.expand(model, (number, depth), &at, &mut next) {
                return Finding::Escape(self.line(number, last));
            }
        }
        Finding::Caught
    }

    fn clear(&mut self, model: &M) {
        self.visited.clear(model);
        self.links.clear();
        self.stack.clear();
        self.ranks.clear();
        self.states = 0;
    }

    /// The next state to look at, with its depth where that matters.
    fn pop(&mut self) -> Option<(u32, u32)> {
        match self.order {
            Order::DepthFirst => self.stack.pop().map(|number| (number, 0)),
            Order::BreadthFirst => self.ranks.pop(),
        }
    }

    /// Tries all moves from a state; the one that leads out, if one does.
    fn expand(
        &mut self,
        model: &M,
        (number, depth): (u32, u32),
        at: &M::State,
        next: &mut M::State,
    ) -> Option<M::Move> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        model.moves(at, &mut moves);
        let first = self.stack.len();
        let mut way_out = None;
        for &mv in &moves {
            next.clone_from(at);
            match model.play(next, mv) {
                Some(Outcome::Escaped) => {
                    way_out = Some(mv);
                    break;
                }
                Some(Outcome::Caught(_)) => {}
                None => self.keep(
                    model,
                    next,
                    Link {
                        parent: number,
                        mv: Some(mv),
                    },
                    depth + 1,
                ),
            }
        }
        // The most promising move is to be popped first.
        self.stack[first..].reverse();
        self.moves = moves;
        way_out
    }

    /// Keeps a state, come by in `depth` moves, to be looked at, if there is any use in that.
    fn keep(&mut self, model: &M, state: &M::State, link: Link<M::Move>, depth: u32) {
        let bound = model.lower_bound(state);
        if bound == u32::MAX {
            return;
        }
        match (self.visited.insert(model, state), self.order) {
            (Visit::New(number), Order::DepthFirst) => {
                self.links.push(link);
                self.stack.push(number);
            }
            (Visit::New(number), Order::BreadthFirst) => {
                self.links.push(link);
                self.ranks.push(number, depth, bound);
            }
            (Visit::Known(number), Order::BreadthFirst) if self.ranks.is_shorter(number, depth) => {
                self.links[number as usize] = link;
                self.ranks.push(number, depth, bound);
            }
            _ => {}
        }
    }

    /// The moves from the start to the state of this number, and `last` after them.
    fn line(&self, mut number: u32, last: M::Move) -> Vec<M::Move> {
        let mut line = vec![last];
        while let Link {
            parent,
            mv: Some(mv),
        } = self.links[number as usize]
        {
            line.push(mv);
            number = parent;
        }
        line.reverse();
        line
    }
}

/// Visited is what equals a state met before.
#[derive(Clone, Debug)]
pub struct Equal<S> {
    states: Vec<S>,
    table: HashTable<u32>,
}

impl<S: Eq + Hash> Equal<S> {
    /// The number of this state, if it was met before.
    pub fn number_of(&self, state: &S) -> Option<u32> {
        let hash = FixedState::default().hash_one(state);
        self.table
            .find(hash, |&number| self.states[number as usize] == *state)
            .copied()
    }
}

impl<S> Default for Equal<S> {
    fn default() -> Self {
        Self {
            states: Vec::new(),
            table: HashTable::new(),
        }
    }
}

impl<M: Model<State: Eq + Hash>> Visited<M> for Equal<M::State> {
    fn clear(&mut self, _model: &M) {
        self.states.clear();
        self.table.clear();
    }

    fn insert(&mut self, _model: &M, state: &M::State) -> Visit {
        if let Some(number) = self.number_of(state) {
            return Visit::Known(number);
        }
        let (hasher, states) = (FixedState::default(), &self.states);
        let number = u32::try_from(states.len()).expect("fewer than 2^32 states fit into memory");
        let hash = |&number: &u32| hasher.hash_one(&states[number as usize]);
        self.table
            .insert_unique(hasher.hash_one(state), number, hash);
        self.states.push(state.clone());
        Visit::New(number)
    }

    fn load(&self, number: u32, into: &mut M::State) {
        into.clone_from(&self.states[number as usize]);
    }
}

/// A game in which some positions are no harder for the runner than others.
pub trait Dominance: Model {
    /// The number of places that a state can be at.
    fn places(&self) -> usize;

    /// Where the runner is in this state; only states of one place are compared.
    fn place(&self, state: &Self::State) -> usize;

    /// Whether the runner can escape from `a` if he can from `b`. Both are at one place. It is
    /// transitive, and may say `false` where the truth is `true`.
    fn is_no_harder(&self, a: &Self::State, b: &Self::State) -> bool;
}

/// Visited is what is no easier than a state met before at the same place: of the states at each
/// place only the easiest are kept in mind, none of which is easier than another.
#[derive(Clone, Debug)]
pub struct Easiest<S> {
    kept: Vec<Kept<S>>,
    /// The first of the list of each place's easiest states.
    heads: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Kept<S> {
    state: S,
    /// The next one of the same place.
    next: u32,
    outdone: bool,
}

/// The end of a list.
const END: u32 = u32::MAX;

impl<S> Default for Easiest<S> {
    fn default() -> Self {
        Self {
            kept: Vec::new(),
            heads: Vec::new(),
        }
    }
}

impl<S> Easiest<S> {
    /// The largest number of states kept for one place.
    pub fn widest(&self) -> usize {
        let length = |&head: &u32| {
            std::iter::successors((head != END).then_some(head), |&at| {
                let next = self.kept[at as usize].next;
                (next != END).then_some(next)
            })
            .count()
        };
        self.heads.iter().map(length).max().unwrap_or(0)
    }
}

impl<M: Dominance> Visited<M> for Easiest<M::State> {
    fn clear(&mut self, model: &M) {
        self.kept.clear();
        self.heads.clear();
        self.heads.resize(model.places(), END);
    }

    fn insert(&mut self, model: &M, state: &M::State) -> Visit {
        let place = model.place(state);
        let head = self.heads[place];
        let mut at = head;
        while at != END {
            let kept = &self.kept[at as usize];
            if model.is_no_harder(&kept.state, state) {
                return Visit::Outdone;
            }
            at = kept.next;
        }
        let rest = self.without_harder(model, state, head);
        let number =
            u32::try_from(self.kept.len()).expect("fewer than 2^32 states fit into memory");
        self.kept.push(Kept {
            state: state.clone(),
            next: rest,
            outdone: false,
        });
        self.heads[place] = number;
        Visit::New(number)
    }

    fn load(&self, number: u32, into: &mut M::State) {
        into.clone_from(&self.kept[number as usize].state);
    }

    fn is_outdone(&self, number: u32) -> bool {
        self.kept[number as usize].outdone
    }
}

impl<S: Clone> Easiest<S> {
    /// The list that begins with `head`, without those that `state` outdoes.
    fn without_harder<M: Dominance<State = S>>(&mut self, model: &M, state: &S, head: u32) -> u32 {
        let (mut first, mut last, mut at) = (END, END, head);
        while at != END {
            let kept = &mut self.kept[at as usize];
            let next = kept.next;
            if model.is_no_harder(state, &kept.state) {
                kept.outdone = true;
            } else {
                if last == END {
                    first = at;
                } else {
                    self.kept[last as usize].next = at;
                }
                last = at;
            }
            at = next;
        }
        if last != END {
            self.kept[last as usize].next = END;
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::ruleset::Cause;

    /// A walk along a drawn graph: from each letter to the letters after it. `!` is the way out, `x` is
    /// death.
    struct Graph(&'static [(char, &'static str)]);

    impl Model for Graph {
        type State = char;
        type Move = char;

        fn opened(&self) -> Result<char, Outcome> {
            match self.0[0].0 {
                '!' => Err(Outcome::Escaped),
                'x' => Err(Outcome::Caught(Cause::Chaser)),
                start => Ok(start),
            }
        }

        fn moves(&self, at: &char, out: &mut Vec<char>) {
            out.extend(
                self.0
                    .iter()
                    .filter(|(from, _)| from == at)
                    .flat_map(|(_, to)| to.chars()),
            );
        }

        fn play(&self, at: &mut char, mv: char) -> Option<Outcome> {
            *at = mv;
            match mv {
                '!' => Some(Outcome::Escaped),
                'x' => Some(Outcome::Caught(Cause::Chaser)),
                _ => None,
            }
        }
    }

    fn run(graph: &Graph, order: Order, limits: &Limits) -> (Finding<char>, u64) {
        let mut search = Search::new(Equal::default());
        let finding = search.run(graph, order, limits);
        (finding, search.states())
    }

    fn way(finding: Finding<char>) -> String {
        match finding {
            Finding::Escape(line) => line.into_iter().collect(),
            other => panic!("{other:?}"),
        }
    }

    const DETOUR: Graph = Graph(&[
        ('a', "bc"),
        ('b', "de"),
        ('c', "!"),
        ('d', "ab"),
        ('e', "f"),
        ('f', "c"),
    ]);

    #[test]
    fn depth_first_follows_the_first_move_to_its_end() {
        let (finding, states) = run(&DETOUR, Order::DepthFirst, &Limits::default());
        // Both children of `a` are noted when `a` is looked at, so `c` is met from there.
        assert_eq!((way(finding).as_str(), states), ("c!", 6));
    }

    #[test]
    fn breadth_first_finds_a_shortest_way() {
        let (finding, states) = run(&DETOUR, Order::BreadthFirst, &Limits::default());
        // Of states as near to the end, the newest comes first.
        assert_eq!((way(finding).as_str(), states), ("c!", 2));
    }

    #[test]
    fn caught_is_said_only_after_every_state() {
        let dead = Graph(&[('a', "bx"), ('b', "ca"), ('c', "ab")]);
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            assert_eq!(run(&dead, order, &Limits::default()), (Finding::Caught, 3));
        }
    }

    #[test]
    fn a_game_can_be_over_before_it_begins() {
        let (won, lost) = (Graph(&[('!', "")]), Graph(&[('x', "")]));
        assert_eq!(
            run(&won, Order::DepthFirst, &Limits::default()).0,
            Finding::Escape(vec![])
        );
        assert_eq!(
            run(&lost, Order::DepthFirst, &Limits::default()).0,
            Finding::Caught
        );
    }

    #[test]
    fn a_limit_of_states_leaves_it_undecided_exactly_where_one_more_was_needed() {
        for (max, finding) in [
            (0, Finding::Undecided(Limit::States)),
            (1, Finding::Undecided(Limit::States)),
            (2, Finding::Escape(vec!['c', '!'])),
        ] {
            let limits = Limits {
                max_states: Some(max),
                ..Limits::default()
            };
            assert_eq!(run(&DETOUR, Order::BreadthFirst, &limits), (finding, max));
        }
    }

    #[test]
    fn a_stop_from_outside_is_heard_at_once() {
        let stop = AtomicBool::new(true);
        let limits = Limits {
            stop: Some(&stop),
            ..Limits::default()
        };
        let undecided = Finding::Undecided(Limit::Interrupt);
        assert_eq!(run(&DETOUR, Order::DepthFirst, &limits), (undecided, 0));
    }

    /// A ladder on which a long way down the middle is met before a short one around.
    struct Rungs;

    impl Model for Rungs {
        type State = (u32, u32);
        type Move = (u32, u32);

        fn opened(&self) -> Result<(u32, u32), Outcome> {
            Ok((0, 0))
        }

        fn moves(&self, at: &(u32, u32), out: &mut Vec<(u32, u32)>) {
            // Up a rung, or across for nothing.
            out.extend([
                (at.0 + 1, at.1),
                (at.0, (at.1 + 1) % 3),
                (at.0.saturating_sub(1), at.1),
            ]);
        }

        fn play(&self, at: &mut (u32, u32), mv: (u32, u32)) -> Option<Outcome> {
            *at = mv;
            (mv.0 == 9).then_some(Outcome::Escaped)
        }

        fn lower_bound(&self, at: &(u32, u32)) -> u32 {
            9 - at.0
        }
    }

    #[test]
    fn a_lower_bound_spares_states_and_not_the_shortest_line() {
        let mut search = Search::new(Equal::default());
        let finding = search.run(&Rungs, Order::BreadthFirst, &Limits::default());
        let Finding::Escape(line) = finding else {
            panic!("{finding:?}")
        };
        assert_eq!((line.len(), search.states()), (9, 9));
    }

    /// A number line from 0 to 20 with a burden: the way out is at 20 for those who carry little, and
    /// whoever carries less is no worse off.
    struct Burdened;

    impl Model for Burdened {
        type State = (i32, i32);
        type Move = (i32, i32);

        fn opened(&self) -> Result<(i32, i32), Outcome> {
            Ok((0, 3))
        }

        fn moves(&self, _at: &(i32, i32), out: &mut Vec<(i32, i32)>) {
            out.extend([(1, 1), (1, 0), (-1, 0), (-1, -1)]);
        }

        fn play(&self, (place, burden): &mut (i32, i32), mv: (i32, i32)) -> Option<Outcome> {
            *place += mv.0;
            *burden = (*burden + mv.1).max(1);
            match (*place, *burden) {
                (20, 1) => Some(Outcome::Escaped),
                (..0 | 20, _) | (_, 9..) => Some(Outcome::Caught(Cause::Trapped)),
                _ => None,
            }
        }
    }

    impl Dominance for Burdened {
        fn places(&self) -> usize {
            21
        }

        fn place(&self, state: &(i32, i32)) -> usize {
            state.0 as usize
        }

        fn is_no_harder(&self, a: &(i32, i32), b: &(i32, i32)) -> bool {
            a.1 <= b.1
        }
    }

    #[test]
    fn passing_over_harder_states_loses_no_way_out() {
        let mut all = Search::new(Equal::default());
        let mut easiest = Search::new(Easiest::default());
        let limits = Limits::default();
        let length = |finding: Finding<_>| match finding {
            Finding::Escape(line) => line.len(),
            other => panic!("{other:?}"),
        };
        let order = Order::BreadthFirst;
        let (long, short) = (
            all.run(&Burdened, order, &limits),
            easiest.run(&Burdened, order, &limits),
        );
        assert_eq!(length(long), length(short));
        assert!(
            easiest.states() < all.states(),
            "{} {}",
            easiest.states(),
            all.states()
        );
        assert!(length(easiest.run(&Burdened, Order::DepthFirst, &limits)) >= 20);
        assert_eq!(easiest.visited.widest(), 1);
    }
}
