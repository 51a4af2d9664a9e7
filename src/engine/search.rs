//! Depth-first and breadth-first search with pruning of what was visited before: one loop.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::{BuildHasher, Hash};

use super::Model;
use super::bucket_queue::BucketQueue;
use super::rows::{Rows, hash_bytes, heap_bytes, reserve, vec_bytes};
use crate::limits::{Clock, Limit, Limits};
use crate::ruleset::Outcome;

/// In which order states are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The newest first: finds a line of play early, not always a shortest.
    #[default]
    DepthFirst,
    /// Those first that could be on the shortest line: in the order of their depth, or of depth plus
    /// [`Model::lower_bound`] where the model knows one (A*). The first line found is a shortest.
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

    /// The bytes that its tables take with room for so many states, and what is there beside them
    /// while they grow to that.
    fn bytes(&self, model: &M, states: usize) -> u64;

    /// Makes room for so many states in all; they are inserted without taking more memory.
    fn reserve(&mut self, model: &M, states: usize);

    /// Keeps `state`, come by in `depth` moves, under the next number, unless it was visited.
    ///
    /// A state may be passed over for another one only if no line from there on is longer for that,
    /// the moves to either counted in. (Where lengths do not matter all depths are 0.)
    fn insert(&mut self, model: &M, state: &M::State, depth: u32) -> Visit;

    /// Reads the state of this number.
    fn load(&self, model: &M, number: u32, into: &mut M::State);

    /// Whether the state of this number has become useless, since a better one came after it.
    fn is_dominated(&self, _number: u32) -> bool {
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
    Dominated,
}

/// The tables of a search, for use on many boards one after the other.
#[derive(Debug)]
pub struct Search<M: Model, V> {
    visited: V,
    links: Vec<Link<M::Move>>,
    /// Depth-first: the states still to be looked at, the next one last.
    stack: Vec<u32>,
    /// Breadth-first: the same, by the least length of a line through them.
    ranks: BucketQueue,
    moves: Vec<M::Move>,
    order: Order,
    states: u64,
    /// How many states more the tables can take as large as they are.
    room: usize,
    /// How many states there was room for in all when the tables grew last, and in which order.
    grown: (Order, usize),
}

/// How a state was come by.
#[derive(Clone, Copy, Debug)]
struct Link<M> {
    parent: u32,
    mv: Option<M>,
}

/// The most states that a search can tell apart: their numbers have 32 bits, and the last one stands
/// for none.
pub(crate) const MOST_STATES: usize = u32::MAX as usize;

/// The most states that tables of `len` states should be made large enough for now, `more` at least
/// being needed at once; `fits` says whether the memory allows for so many.
///
/// Tables grow by half, or by little where memory is short.
pub(crate) fn room_for(
    (len, more): (usize, usize),
    fits: impl Fn(usize) -> Result<(), Limit>,
) -> Result<usize, Limit> {
    const LEAST: usize = 256;
    let least = len + more;
    if least > MOST_STATES {
        return Err(Limit::Memory);
    }
    let asked = |more: usize| {
        let states = (len + more).clamp(least, MOST_STATES);
        fits(states).map(|()| states)
    };
    asked(LEAST.max(len / 2)).or_else(|_| asked(len / 32))
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
            ranks: BucketQueue::new(),
            order: Order::DepthFirst,
            states: 0,
            room: 0,
            grown: (Order::DepthFirst, 0),
        }
    }

    /// How many states the last search looked at: those whose moves were tried.
    pub const fn states(&self) -> u64 {
        self.states
    }

    /// Searches for a line of play that leads out.
    pub fn run(&mut self, model: &M, order: Order, limits: &Limits) -> Finding<M::Move> {
        self.states = 0;
        self.order = order;
        match model.opened() {
            Ok(start) => self
                .search(model, start, limits)
                .unwrap_or_else(Finding::Undecided),
            Err(Outcome::Escaped) => Finding::Escape(Vec::new()),
            Err(Outcome::Caught(_)) => Finding::Caught,
        }
    }

    fn search(
        &mut self,
        model: &M,
        mut at: M::State,
        limits: &Limits,
    ) -> Result<Finding<M::Move>, Limit> {
        self.clear(model, limits)?;
        let mut clock = Clock::new(limits);
        let start = Link {
            parent: 0,
            mv: None,
        };
        self.keep(model, &at, (start, 0), limits)?;
        let mut next = at.clone();
        while let Some((number, depth)) = self.pop() {
            if self.visited.is_dominated(number) {
                continue;
            }
            limits.check_states(self.states)?;
            clock.work(0)?;
            self.states += 1;
            self.visited.load(model, number, &mut at);
            let (from, pair) = ((number, depth), (&at, &mut next));
            if let Some(last) = self.expand(model, from, pair, &mut clock)? {
                return Ok(Finding::Escape(self.line(number, last)));
            }
        }
        Ok(Finding::Caught)
    }

    fn clear(&mut self, model: &M, limits: &Limits) -> Result<(), Limit> {
        limits.check_memory(self.visited.bytes(model, 0))?;
        self.visited.clear(model);
        self.links.clear();
        self.stack.clear();
        self.ranks.clear();
        // The tables of the board before do for this one, if they are not too large for it.
        self.room = match self.grown {
            (order, states) if order == self.order => states,
            _ => 0,
        };
        if limits
            .memory_is_full(self.bytes(model, self.room))
            .is_some()
        {
            self.room = 0;
        }
        Ok(())
    }

    /// Makes the tables larger, if the memory allows for it, for one state more at least.
    #[cold]
    fn grow(&mut self, model: &M, limits: &Limits) -> Result<(), Limit> {
        let len = self.links.len();
        let states = room_for((len, 1), |states| {
            limits.check_memory(self.bytes(model, states))
        })?;
        if self.ranks.is_full(states - len) {
            return Err(Limit::Memory);
        }
        self.visited.reserve(model, states);
        reserve(&mut self.links, states);
        match self.order {
            Order::DepthFirst => reserve(&mut self.stack, states),
            Order::BreadthFirst => self.ranks.reserve(states, states - len),
        }
        self.room = states - len;
        self.grown = (self.order, states);
        Ok(())
    }

    #[cold]
    fn add_lists(&mut self, model: &M, length: usize, limits: &Limits) -> Result<(), Limit> {
        let tables = self.bytes(model, self.links.len());
        limits.check_memory(tables + self.ranks.list_bytes(length))?;
        self.ranks.add_lists(length);
        Ok(())
    }

    /// The bytes that all tables take with room for so many states.
    fn bytes(&self, model: &M, states: usize) -> u64 {
        let waiting = match self.order {
            Order::DepthFirst => vec_bytes(&self.stack, states),
            Order::BreadthFirst => self.ranks.bytes(states, states - self.links.len()),
        };
        let state = 2 * model.state_bytes() as u64;
        state + self.visited.bytes(model, states) + vec_bytes(&self.links, states) + waiting
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
        (at, next): (&M::State, &mut M::State),
        clock: &mut Clock,
    ) -> Result<Option<M::Move>, Limit> {
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        model.moves(at, &mut moves);
        let first = self.stack.len();
        let depth = match self.order {
            Order::DepthFirst => 0,
            Order::BreadthFirst => depth + 1,
        };
        let work = WORK_OF_A_MOVE + model.state_bytes() as u64;
        let mut way_out = None;
        for &mv in &moves {
            clock.work(work)?;
            next.clone_from(at);
            match model.play(next, mv) {
                Some(Outcome::Escaped) => {
                    way_out = Some(mv);
                    break;
                }
                Some(Outcome::Caught(_)) => {}
                None => {
                    let link = Link {
                        parent: number,
                        mv: Some(mv),
                    };
                    self.keep(model, next, (link, depth), clock.limits())?;
                }
            }
        }
        // The most promising move is to be popped first.
        self.stack[first..].reverse();
        self.moves = moves;
        Ok(way_out)
    }

    /// Keeps a state, come by in `depth` moves, to be looked at, if there is any use in that.
    fn keep(
        &mut self,
        model: &M,
        state: &M::State,
        (link, depth): (Link<M::Move>, u32),
        limits: &Limits,
    ) -> Result<(), Limit> {
        let bound = model.lower_bound(state);
        if bound == u32::MAX {
            return Ok(());
        }
        if self.room == 0 {
            self.grow(model, limits)?;
        }
        let length = depth as usize + bound as usize;
        if self.order == Order::BreadthFirst && !self.ranks.has_list(length) {
            self.add_lists(model, length, limits)?;
        }
        let visit = self.visited.insert(model, state, depth);
        match (visit, self.order) {
            (Visit::New(number), Order::DepthFirst) => {
                self.links.push(link);
                self.stack.push(number);
            }
            (Visit::New(number), Order::BreadthFirst) => {
                self.links.push(link);
                self.ranks.push(number, depth, length);
            }
            (Visit::Known(number), Order::BreadthFirst) if self.ranks.is_shorter(number, depth) => {
                self.links[number as usize] = link;
                self.ranks.push(number, depth, length);
            }
            _ => return Ok(()),
        }
        self.room -= 1;
        Ok(())
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

/// What a move takes beside its state's bytes, in units of [`Clock::work`].
pub(crate) const WORK_OF_A_MOVE: u64 = 64;

/// Visited is what equals a state met before.
#[derive(Clone, Debug)]
pub struct ExactSet<S> {
    states: Rows<S>,
    table: HashTable<u32>,
}

impl<S: Clone + Eq + Hash> ExactSet<S> {
    /// The number of this state, if it was met before.
    pub fn number_of(&self, state: &S) -> Option<u32> {
        let hash = FixedState::default().hash_one(state);
        self.table
            .find(hash, |&number| *self.state(number) == *state)
            .copied()
    }

    fn state(&self, number: u32) -> &S {
        &self.states.row(number as usize)[0]
    }
}

impl<S> Default for ExactSet<S> {
    fn default() -> Self {
        Self {
            states: Rows::default(),
            table: HashTable::new(),
        }
    }
}

impl<M: Model<State: Eq + Hash>> Visited<M> for ExactSet<M::State> {
    fn clear(&mut self, _model: &M) {
        self.states.clear(1);
        self.table.clear();
    }

    fn bytes(&self, model: &M, states: usize) -> u64 {
        let heap = model.state_bytes() - size_of::<M::State>();
        self.states.bytes(states)
            + (states * heap_bytes(heap)) as u64
            + hash_bytes(&self.table, states)
    }

    fn reserve(&mut self, _model: &M, states: usize) {
        let (hasher, rows) = (FixedState::default(), &self.states);
        let more = states.saturating_sub(self.table.len());
        self.table.reserve(more, |&number| {
            hasher.hash_one(&rows.row(number as usize)[0])
        });
    }

    fn insert(&mut self, _model: &M, state: &M::State, _depth: u32) -> Visit {
        if let Some(number) = self.number_of(state) {
            return Visit::Known(number);
        }
        let (hasher, states) = (FixedState::default(), &self.states);
        let number = states.len() as u32;
        let hash = |&number: &u32| hasher.hash_one(&states.row(number as usize)[0]);
        self.table
            .insert_unique(hasher.hash_one(state), number, hash);
        self.states.push(std::slice::from_ref(state));
        Visit::New(number)
    }

    fn load(&self, _model: &M, number: u32, into: &mut M::State) {
        into.clone_from(self.state(number));
    }
}

/// A game in which some positions are no harder for the runner than others.
pub trait Dominance: Model {
    /// The number of places that a state can be at.
    fn places(&self) -> usize;

    /// Where the runner is in this state; only states of one place are compared.
    fn place(&self, state: &Self::State) -> usize;

    /// Whether the runner can escape from `a` if he can from `b`, and in no more moves. Both are at one
    /// place. It is transitive, and may say `false` where the truth is `true`.
    fn is_no_harder(&self, a: &Self::State, b: &Self::State) -> bool;
}

/// Visited is what is no easier than a state met before at the same place, and come by no sooner: of the
/// states at each place only the easiest are kept in mind (an antichain), none of which is easier than
/// another.
///
/// Depths count as well as ease. Where a search goes by them, a state that is easier but further from
/// the start does not do for one that is nearer to it: the shortest line may lead through that.
#[derive(Clone, Debug)]
pub struct Antichain<S> {
    kept: Vec<Kept<S>>,
    /// The first of the list of each place's easiest states.
    heads: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Kept<S> {
    state: S,
    /// The next one of the same place.
    next: u32,
    /// In how many moves it was come by, or [`OUTDONE`].
    depth: u32,
}

/// In the place of the depth of a state that a better one came after.
const OUTDONE: u32 = u32::MAX;

/// The end of a list.
const END: u32 = u32::MAX;

impl<S> Default for Antichain<S> {
    fn default() -> Self {
        Self {
            kept: Vec::new(),
            heads: Vec::new(),
        }
    }
}

impl<S> Antichain<S> {
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

impl<M: Dominance> Visited<M> for Antichain<M::State> {
    fn clear(&mut self, model: &M) {
        self.kept.clear();
        self.heads.clear();
        reserve(&mut self.heads, model.places());
        self.heads.resize(model.places(), END);
    }

    fn bytes(&self, model: &M, states: usize) -> u64 {
        let heap = model.state_bytes() - size_of::<M::State>();
        vec_bytes(&self.heads, model.places())
            + vec_bytes(&self.kept, states)
            + (states * heap_bytes(heap)) as u64
    }

    fn reserve(&mut self, _model: &M, states: usize) {
        reserve(&mut self.kept, states);
    }

    fn insert(&mut self, model: &M, state: &M::State, depth: u32) -> Visit {
        let place = model.place(state);
        let head = self.heads[place];
        let mut at = head;
        while at != END {
            let kept = &self.kept[at as usize];
            if kept.depth <= depth && model.is_no_harder(&kept.state, state) {
                return Visit::Dominated;
            }
            at = kept.next;
        }
        let rest = self.without_harder(model, (state, depth), head);
        let number = self.kept.len() as u32;
        self.kept.push(Kept {
            state: state.clone(),
            next: rest,
            depth,
        });
        self.heads[place] = number;
        Visit::New(number)
    }

    fn load(&self, _model: &M, number: u32, into: &mut M::State) {
        into.clone_from(&self.kept[number as usize].state);
    }

    fn is_dominated(&self, number: u32) -> bool {
        self.kept[number as usize].depth == OUTDONE
    }
}

impl<S: Clone> Antichain<S> {
    /// The list that begins with `head`, without those that `state` outdoes.
    fn without_harder<M: Dominance<State = S>>(
        &mut self,
        model: &M,
        (state, depth): (&S, u32),
        head: u32,
    ) -> u32 {
        let (mut first, mut last, mut at) = (END, END, head);
        while at != END {
            let kept = &mut self.kept[at as usize];
            let next = kept.next;
            if depth <= kept.depth && model.is_no_harder(state, &kept.state) {
                kept.depth = OUTDONE;
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
        let mut search = Search::new(ExactSet::default());
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
        let mut search = Search::new(ExactSet::default());
        let finding = search.run(&Rungs, Order::BreadthFirst, &Limits::default());
        let Finding::Escape(line) = finding else {
            panic!("{finding:?}")
        };
        assert_eq!((line.len(), search.states()), (9, 9));
    }

    #[test]
    fn a_limit_of_memory_ends_it_before_the_tables_grow() {
        struct Endless;
        impl Model for Endless {
            type State = u64;
            type Move = ();
            fn opened(&self) -> Result<u64, Outcome> {
                Ok(0)
            }
            fn moves(&self, _at: &u64, out: &mut Vec<()>) {
                out.push(());
            }
            fn play(&self, at: &mut u64, (): ()) -> Option<Outcome> {
                *at += 1;
                None
            }
        }
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            for most in [1 << 20, 10 << 20] {
                let limits = Limits {
                    max_memory: Some(most),
                    ..Limits::default()
                };
                let mut search = Search::new(ExactSet::default());
                let finding = search.run(&Endless, order, &limits);
                assert_eq!(finding, Finding::Undecided(Limit::Memory));
                let states = search.links.len();
                let taken = search.bytes(&Endless, states);
                assert!(taken <= most, "{taken} of {most} bytes");
                assert!(
                    states as u64 > most / 200,
                    "{states} states in {most} bytes"
                );
            }
        }
    }

    #[test]
    fn a_search_out_of_numbers_for_its_states_is_a_limit() {
        let fits = |_| Ok(());
        assert_eq!(room_for((0, 1), fits), Ok(256));
        assert_eq!(room_for((MOST_STATES - 1, 1), fits), Ok(MOST_STATES));
        assert_eq!(room_for((MOST_STATES, 1), fits), Err(Limit::Memory));
    }

    #[test]
    fn where_memory_is_short_tables_grow_by_little() {
        let fits = |states| {
            if states <= 1100 {
                Ok(())
            } else {
                Err(Limit::Memory)
            }
        };
        assert_eq!(room_for((1000, 1), fits), Ok(1031));
        assert_eq!(room_for((1090, 1), fits), Err(Limit::Memory));
        assert_eq!(room_for((10, 1), fits), Ok(266));
    }

    /// From the start a way by `b` to the place 1 with a heavy burden, and a longer one by `c` and `d` to
    /// the same place with a light one; from there 2 moves lead out.
    ///
    /// In the order of lengths the light one is met first: nothing is known of what is before it, but
    /// the bound of `b` says that it can't be short.
    struct Fork;

    /// Place and burden.
    type Load = (u32, u32);

    impl Model for Fork {
        type State = Load;
        type Move = Load;

        fn opened(&self) -> Result<Load, Outcome> {
            Ok((0, 9))
        }

        fn moves(&self, at: &Load, out: &mut Vec<Load>) {
            out.extend::<&[Load]>(match at {
                (0, _) => &[(3, 9), (2, 9)],
                (2, _) => &[(1, 9)],
                (3, _) => &[(4, 0)],
                (4, _) => &[(1, 0)],
                (1, _) => &[(5, 0)],
                _ => &[(9, 0)],
            });
        }

        fn play(&self, at: &mut Load, mv: Load) -> Option<Outcome> {
            *at = mv;
            (mv.0 == 9).then_some(Outcome::Escaped)
        }

        /// The truth, but for the places 3 and 4, of which nothing is known.
        fn lower_bound(&self, at: &Load) -> u32 {
            match at.0 {
                0 | 1 => 2,
                2 => 3,
                _ => 1,
            }
        }
    }

    impl Dominance for Fork {
        fn places(&self) -> usize {
            10
        }

        fn place(&self, state: &Load) -> usize {
            state.0 as usize
        }

        fn is_no_harder(&self, a: &Load, b: &Load) -> bool {
            a.1 <= b.1
        }
    }

    #[test]
    fn an_easier_state_that_is_further_away_does_not_do_for_a_shortest_line() {
        let limits = Limits::default();
        let length = |finding| match finding {
            Finding::Escape(line) => line.len(),
            other => panic!("{other:?}"),
        };
        let order = Order::BreadthFirst;
        let all = Search::new(ExactSet::default()).run(&Fork, order, &limits);
        let easiest = Search::new(Antichain::default()).run(&Fork, order, &limits);
        assert_eq!((length(all), length(easiest)), (4, 4));
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
        let mut all = Search::new(ExactSet::default());
        let mut easiest = Search::new(Antichain::default());
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
