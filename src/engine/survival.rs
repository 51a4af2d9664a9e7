//! How long a runner who cannot escape can survive: for ever if some line of play returns to a position, otherwise as
//! long as the longest line.

use super::Model;
use super::rows::{reserve, vec_bytes};
use super::search::{WORK_OF_A_MOVE, room_for};
use super::visited::{Visit, Visited};
use crate::limits::{Clock, Limit, Limits};
use crate::ruleset::Outcome;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Survival<M> {
    /// `line` returns to the position after its first `back_to` moves.
    Forever { line: Vec<M>, back_to: usize },
    /// The last move of `line` loses or leads into a trap.
    Mortal { line: Vec<M> },
    /// A limit ended the search; `line` is the longest line found.
    Unknown { limit: Limit, line: Vec<M> },
}

impl<M> Survival<M> {
    pub const fn unknown(limit: Limit) -> Self {
        let line = Vec::new();
        Self::Unknown { limit, line }
    }
}

/// Also returns the number of states visited. Moves that escape don't count as survival. `visited` must number every
/// state, so it must not drop any.
pub fn survival<M: Model, V: Visited<M>>(
    model: &M,
    visited: V,
    limits: &Limits,
) -> (Survival<M::Move>, u64) {
    let Ok(start) = model.opened() else {
        return (Survival::Mortal { line: Vec::new() }, 0);
    };
    let mut walk = Walk::new(model, visited);
    let found = match walk.run(&start, limits) {
        Ok(Some(back_to)) => Survival::Forever {
            line: walk.line(),
            back_to,
        },
        Ok(None) => Survival::Mortal {
            line: walk.best_line(),
        },
        Err(limit) => {
            walk.remember_line();
            let line = std::mem::take(&mut walk.longest);
            Survival::Unknown { limit, line }
        }
    };
    (found, walk.states())
}

/// A depth-first walk whose stack is the line of play itself.
struct Walk<'m, M: Model, V> {
    model: &'m M,
    visited: V,
    notes: Vec<Note<M::Move>>,
    /// The number of states that still fit into the tables.
    room: usize,
    path: Vec<Step<M::Move>>,
    /// The untried moves of each state on the path, the next one last.
    untried: Vec<M::Move>,
    moves: Vec<M::Move>,
    longest: Vec<M::Move>,
}

#[derive(Clone, Copy, Debug)]
struct Note<M> {
    /// The length of the longest line from here.
    turns: u32,
    /// The first move of that line.
    mv: Option<M>,
    /// The state after that move, or [`OVER`].
    next: u32,
    is_on_path: bool,
}

const OVER: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Step<M> {
    number: u32,
    /// The index in `untried` of the state's first move.
    first: usize,
    tried: Option<M>,
}

impl<'m, M: Model, V: Visited<M>> Walk<'m, M, V> {
    const fn new(model: &'m M, visited: V) -> Self {
        Self {
            model,
            visited,
            notes: Vec::new(),
            room: 0,
            path: Vec::new(),
            untried: Vec::new(),
            moves: Vec::new(),
            longest: Vec::new(),
        }
    }

    fn states(&self) -> u64 {
        self.notes.len() as u64
    }

    /// Returns the index of the state on the path to which a line returns, if any.
    fn run(&mut self, start: &M::State, limits: &Limits) -> Result<Option<usize>, Limit> {
        limits.check_memory(self.visited.bytes(self.model, 0))?;
        self.visited.clear(self.model);
        let mut clock = Clock::new(limits);
        let work = WORK_OF_A_MOVE + self.model.state_bytes() as u64;
        self.meet(start, limits)?;
        let mut at = start.clone();
        while let Some(step) = self.path.last_mut() {
            if self.untried.len() == step.first {
                self.leave();
                continue;
            }
            clock.work(work)?;
            step.tried = self.untried.pop();
            let (from, tried) = (step.number, step.tried);
            let mv = tried.expect("a move is left to try");
            self.visited.load(self.model, from, &mut at);
            match self.model.play(&mut at, mv) {
                Some(Outcome::Escaped) => {}
                Some(Outcome::Caught(_)) => self.note(from, mv, OVER),
                None => match self.meet(&at, limits)? {
                    Some(known) if self.notes[known as usize].is_on_path => {
                        return Ok(self.path.iter().position(|step| step.number == known));
                    }
                    Some(known) => self.note(from, mv, known),
                    None => {}
                },
            }
        }
        Ok(None)
    }

    /// Returns the number of a known state, or adds a new one to the path.
    fn meet(&mut self, state: &M::State, limits: &Limits) -> Result<Option<u32>, Limit> {
        if self.room == 0 {
            self.grow(limits)?;
        }
        match self.visited.insert(self.model, state, 0) {
            Visit::Known(number) => Ok(Some(number)),
            Visit::New(number) => {
                limits.check_states(self.states())?;
                self.moves.clear();
                self.model.moves(state, &mut self.moves);
                self.lengthen_path(limits)?;
                self.push(number);
                Ok(None)
            }
            Visit::Dominated => unreachable!("states are told apart"),
        }
    }

    #[cold]
    fn grow(&mut self, limits: &Limits) -> Result<(), Limit> {
        let len = self.notes.len();
        let states = room_for((len, 1), |states| limits.check_memory(self.bytes(states)))?;
        self.visited.reserve(self.model, states);
        reserve(&mut self.notes, states);
        self.room = states - len;
        Ok(())
    }

    fn lengthen_path(&mut self, limits: &Limits) -> Result<(), Limit> {
        let moves = self.untried.len() + self.moves.len();
        if self.path.len() < self.path.capacity() && moves <= self.untried.capacity() {
            return Ok(());
        }
        let (path, moves) = (64 + 2 * self.path.len(), 64 + 2 * moves);
        let tables = self.bytes(self.notes.len());
        limits
            .check_memory(tables + vec_bytes(&self.path, path) + vec_bytes(&self.untried, moves))?;
        reserve(&mut self.path, path);
        reserve(&mut self.untried, moves);
        Ok(())
    }

    fn bytes(&self, states: usize) -> u64 {
        2 * self.model.state_bytes() as u64
            + self.visited.bytes(self.model, states)
            + vec_bytes(&self.notes, states)
            + vec_bytes(&self.path, 0)
            + vec_bytes(&self.untried, 0)
            + 2 * vec_bytes(&self.longest, self.path.len())
    }

    fn push(&mut self, number: u32) {
        self.room -= 1;
        self.notes.push(Note {
            turns: 0,
            mv: None,
            next: OVER,
            is_on_path: true,
        });
        self.path.push(Step {
            number,
            first: self.untried.len(),
            tried: None,
        });
        self.untried.extend(self.moves.iter().rev());
    }

    fn leave(&mut self) {
        self.remember_line();
        let left = self.path.pop().expect("there is a last state");
        self.notes[left.number as usize].is_on_path = false;
        if let Some(&Step {
            number,
            tried: Some(mv),
            ..
        }) = self.path.last()
        {
            self.note(number, mv, left.number);
        }
    }

    fn remember_line(&mut self) {
        if self.path.len() > self.longest.len() {
            self.longest = self.line();
        }
    }

    fn note(&mut self, from: u32, mv: M::Move, to: u32) {
        let turns = 1 + self.notes.get(to as usize).map_or(0, |to| to.turns);
        let note = &mut self.notes[from as usize];
        if turns > note.turns {
            note.turns = turns;
            note.mv = Some(mv);
            note.next = to;
        }
    }

    fn line(&self) -> Vec<M::Move> {
        let mut line = Vec::with_capacity(self.path.len());
        line.extend(self.path.iter().filter_map(|step| step.tried));
        line
    }

    fn best_line(&self) -> Vec<M::Move> {
        let mut line = Vec::new();
        let mut at = 0;
        while let Some(Note {
            mv: Some(mv), next, ..
        }) = self.notes.get(at as usize)
        {
            line.push(*mv);
            at = *next;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::visited::ExactSet;
    use crate::limits::measured::Measured;
    use crate::ruleset::Cause;

    /// A graph of numbers: each with those that can follow it. 0 is death, and 99 is the way out.
    struct Line(&'static [(u8, &'static [u8])]);

    impl Model for Line {
        type State = u8;
        type Move = u8;

        fn opened(&self) -> Result<u8, Outcome> {
            Ok(1)
        }

        fn moves(&self, at: &u8, out: &mut Vec<u8>) {
            out.extend(
                self.0
                    .iter()
                    .filter(|(from, _)| from == at)
                    .flat_map(|(_, to)| *to),
            );
        }

        fn play(&self, at: &mut u8, mv: u8) -> Option<Outcome> {
            *at = mv;
            match mv {
                0 => Some(Outcome::Caught(Cause::Chaser)),
                99 => Some(Outcome::Escaped),
                _ => None,
            }
        }
    }

    fn of(line: &Line) -> Survival<u8> {
        survival(line, ExactSet::default(), &Limits::default()).0
    }

    #[test]
    fn the_longest_line_is_found_although_states_are_met_on_shorter_ones_first() {
        let line = Line(&[(1, &[4, 2]), (2, &[3]), (3, &[4, 0]), (4, &[5]), (5, &[0])]);
        assert_eq!(
            of(&line),
            Survival::Mortal {
                line: vec![2, 3, 4, 5, 0]
            }
        );
    }

    #[test]
    fn who_comes_back_lives_for_ever() {
        let line = Line(&[(1, &[2]), (2, &[0, 3]), (3, &[0, 2])]);
        assert_eq!(
            of(&line),
            Survival::Forever {
                line: vec![2, 3, 2],
                back_to: 1
            }
        );
    }

    #[test]
    fn escaping_is_not_living_on() {
        let line = Line(&[(1, &[99, 2]), (2, &[99])]);
        assert_eq!(of(&line), Survival::Mortal { line: vec![2] });
    }

    #[test]
    fn a_limit_leaves_the_longest_line_so_far() {
        let line = Line(&[(1, &[2]), (2, &[3]), (3, &[4]), (4, &[0])]);
        let limits = Limits {
            max_states: Some(2),
            ..Limits::default()
        };
        let found = survival(&line, ExactSet::default(), &limits);
        let unknown = Survival::Unknown {
            limit: Limit::States,
            line: vec![2, 3],
        };
        assert_eq!(found, (unknown, 2));
    }

    #[test]
    fn a_limit_of_memory_ends_it_before_the_tables_grow() {
        let line = Line(&[(1, &[2]), (2, &[3]), (3, &[4]), (4, &[0])]);
        let with = |most| {
            let limits = Limits {
                max_memory: Some(most),
                ..Limits::default()
            };
            survival(&line, ExactSet::default(), &limits)
        };
        let none = Survival::Unknown {
            limit: Limit::Memory,
            line: vec![],
        };
        assert_eq!(with(100), (none, 0));
        assert!(matches!(with(1 << 20), (Survival::Mortal { .. }, 4)));
    }

    #[test]
    fn a_walk_takes_what_it_tells() {
        struct Long;
        impl Model for Long {
            type State = u32;
            type Move = u8;
            fn opened(&self) -> Result<u32, Outcome> {
                Ok(0)
            }
            fn moves(&self, _at: &u32, out: &mut Vec<u8>) {
                out.extend([1, 2, 3, 4]);
            }
            fn play(&self, at: &mut u32, mv: u8) -> Option<Outcome> {
                *at += u32::from(mv);
                None
            }
        }
        let few = |states| Limits {
            max_states: Some(states),
            ..Limits::default()
        };
        let mut walk = Walk::new(&Long, ExactSet::default());
        assert_eq!(walk.run(&0, &few(200)), Err(Limit::States));
        let rooms = [
            (walk.path.capacity(), walk.path.len()),
            (walk.untried.capacity(), walk.untried.len()),
        ];
        for (room, needed) in rooms {
            assert!(room <= 64 + 2 * needed, "{room}, {needed} are needed");
        }
        let few = few(10_000);
        let mut walk = Walk::new(&Long, ExactSet::default());
        let mut measured = Measured::after(|| assert_eq!(walk.run(&0, &few), Err(Limit::States)));
        // The longest line is counted before it is stored.
        let longest = 2 * vec_bytes(&walk.longest, walk.path.len());
        let told = walk.bytes(walk.notes.len()) - longest;
        measured.assert_takes(told, 0.001, || {});
        measured.assert_takes(told + longest, 0.04, || walk.remember_line());
        let told = walk.bytes(walk.notes.len() * 3 / 2);
        measured.assert_takes(told, 0.3, || walk.grow(&Limits::default()).unwrap());
    }

    #[test]
    fn a_line_of_many_moves_needs_no_recursion() {
        const MOVES: u32 = crate::sized(300_000, 1_000_000);
        struct Long;
        impl Model for Long {
            type State = u32;
            type Move = ();
            fn opened(&self) -> Result<u32, Outcome> {
                Ok(0)
            }
            fn moves(&self, _at: &u32, out: &mut Vec<()>) {
                out.push(());
            }
            fn play(&self, at: &mut u32, (): ()) -> Option<Outcome> {
                *at += 1;
                (*at == MOVES).then_some(Outcome::Caught(Cause::Trapped))
            }
        }
        let found = survival(&Long, ExactSet::default(), &Limits::default());
        let (Survival::Mortal { line }, states) = found else {
            panic!("{found:?}")
        };
        assert_eq!((line.len() as u64, states), (MOVES.into(), MOVES.into()));
    }
}
