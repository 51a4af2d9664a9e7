//! How long can the runner live, if he can't escape? For ever, if some line of play comes back to a
//! position of its own; else as long as the longest line, which a depth-first walk over all positions
//! finds.

use std::hash::Hash;

use super::search::{Equal, Visit, Visited};
use super::{Limit, Limits, Model};
use crate::ruleset::Outcome;

/// How long the runner can live.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Survival<M> {
    /// For ever: after `line` the game stands where it stood after its first `back_to` moves, and can
    /// go round again.
    Forever {
        /// The moves up to the first return.
        line: Vec<M>,
        /// How many of them lead to the position that returns.
        back_to: usize,
    },
    /// Only for as long as `line`, and no line of play is longer. Its last move is the one that he is
    /// lost with, if he is not trapped after it.
    Mortal {
        /// The moves.
        line: Vec<M>,
    },
    /// A limit ended the walk; this is the longest line that was seen.
    Unknown {
        /// The limit.
        limit: Limit,
        /// The moves.
        line: Vec<M>,
    },
}

/// Finds out how long the runner can live. It holds for games from which there is no escape; moves
/// that escape are not counted as living on.
pub fn survival<M>(model: &M, limits: &Limits) -> Survival<M::Move>
where
    M: Model<State: Eq + Hash>,
{
    match model.opened() {
        Ok(start) => Walk::new(model, &start).run(limits),
        Err(_) => Survival::Mortal { line: Vec::new() },
    }
}

/// A depth-first walk whose stack is the line of play itself.
struct Walk<'m, M: Model> {
    model: &'m M,
    visited: Equal<M::State>,
    /// What is known of each state met.
    notes: Vec<Note<M::Move>>,
    path: Vec<Step<M::Move>>,
    states: u64,
    /// The longest path so far, should a limit end the walk.
    longest: Vec<M::Move>,
}

/// What is known of a state.
struct Note<M> {
    /// Where it stands on the path, while it does.
    on_path: Option<usize>,
    /// The number of moves of the longest line from here.
    turns: u32,
    /// The first move of that line, and the state that it leads to, if the game goes on there.
    best: Option<(M, Option<u32>)>,
}

/// A state on the path, and which of its moves are yet to be tried.
struct Step<M> {
    number: u32,
    moves: Vec<M>,
    /// The move that was tried last.
    tried: Option<M>,
}

impl<'m, M: Model<State: Eq + Hash>> Walk<'m, M> {
    fn new(model: &'m M, start: &M::State) -> Self {
        let mut walk = Self {
            model,
            visited: Equal::default(),
            notes: Vec::new(),
            path: Vec::new(),
            states: 0,
            longest: Vec::new(),
        };
        walk.enter(start);
        walk
    }

    fn run(mut self, limits: &Limits) -> Survival<M::Move> {
        let mut at = self
            .model
            .opened()
            .unwrap_or_else(|_| unreachable!("it has been opened"));
        while let Some(step) = self.path.last_mut() {
            let Some(mv) = step.moves.pop() else {
                self.leave();
                continue;
            };
            let from = step.number;
            if let Some(limit) = limits.reached(self.states) {
                self.remember_line();
                return Survival::Unknown {
                    limit,
                    line: self.longest,
                };
            }
            step.tried = Some(mv);
            self.states += 1;
            Visited::<M>::load(&self.visited, from, &mut at);
            match self.model.play(&mut at, mv) {
                Some(Outcome::Escaped) => {}
                Some(Outcome::Caught(_)) => self.note(from, mv, None),
                None => {
                    if let Some(back_to) = self.follow(from, mv, &at) {
                        return Survival::Forever {
                            line: self.line(),
                            back_to,
                        };
                    }
                }
            }
        }
        Survival::Mortal {
            line: self.best_line(),
        }
    }

    /// Goes on to `state`; where it stands on the path, if it does.
    fn follow(&mut self, from: u32, mv: M::Move, state: &M::State) -> Option<usize> {
        if let Visit::Known(number) = Visited::<M>::insert(&mut self.visited, self.model, state) {
            if let Some(back_to) = self.notes[number as usize].on_path {
                return Some(back_to);
            }
            self.note(from, mv, Some(number));
        } else {
            self.push(state);
        }
        None
    }

    fn enter(&mut self, state: &M::State) {
        Visited::<M>::insert(&mut self.visited, self.model, state);
        self.push(state);
    }

    /// Puts the newest state on the path.
    fn push(&mut self, state: &M::State) {
        let number = self.notes.len() as u32;
        self.notes.push(Note {
            on_path: Some(self.path.len()),
            turns: 0,
            best: None,
        });
        let mut moves = Vec::new();
        self.model.moves(state, &mut moves);
        moves.reverse();
        self.path.push(Step {
            number,
            moves,
            tried: None,
        });
    }

    /// Takes the last state off the path, all of its moves having been tried.
    fn leave(&mut self) {
        self.remember_line();
        let step = self.path.pop().expect("there is a last state");
        self.notes[step.number as usize].on_path = None;
        if let Some(Step {
            number,
            tried: Some(mv),
            ..
        }) = self.path.last()
        {
            let (number, mv) = (*number, *mv);
            self.note(number, mv, Some(step.number));
        }
    }

    /// Keeps the line along the path if it is the longest so far.
    fn remember_line(&mut self) {
        if self.path.len() > self.longest.len() {
            self.longest = self.line();
        }
    }

    /// Notes that `mv` leads from one state to another, or to the end of the game.
    fn note(&mut self, from: u32, mv: M::Move, to: Option<u32>) {
        let turns = 1 + to.map_or(0, |to| self.notes[to as usize].turns);
        let note = &mut self.notes[from as usize];
        if turns > note.turns {
            note.turns = turns;
            note.best = Some((mv, to));
        }
    }

    /// The moves along the path.
    fn line(&self) -> Vec<M::Move> {
        self.path.iter().filter_map(|step| step.tried).collect()
    }

    /// The longest line from the start.
    fn best_line(&self) -> Vec<M::Move> {
        let mut line = Vec::new();
        let mut at = Some(0);
        while let Some((mv, next)) = at.and_then(|at: u32| self.notes[at as usize].best) {
            line.push(mv);
            at = next;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Cause;

    /// Moves on a number line: from each number the numbers that can follow; 0 is death, 99 the way
    /// out.
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
        survival(line, &Limits::default())
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
        let found = survival(&line, &limits);
        assert_eq!(
            found,
            Survival::Unknown {
                limit: Limit::States,
                line: vec![2, 3]
            }
        );
    }

    #[test]
    fn a_line_of_a_million_moves_needs_no_recursion() {
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
                (*at == 1_000_000).then_some(Outcome::Caught(Cause::Trapped))
            }
        }
        let Survival::Mortal { line } = survival(&Long, &Limits::default()) else {
            panic!()
        };
        assert_eq!(line.len(), 1_000_000);
    }
}
