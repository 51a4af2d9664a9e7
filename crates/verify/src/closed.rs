//! `caught`: a set of positions that contains the first one, that no legal move leaves, and from which no move escapes.
//!
//! Each position has a line, in the order of discovery. A line has a word for each legal move, in the rulebook's order: `x` if
//! the runner is caught; `+` if the move leads to a new position, whose line is the next unassigned one; a number *n* if it leads
//! to the *n*-th of the positions already found, or to one that this position may stand for ([`ClosedSetGame::covers`]).
//! Positions are counted back from the newest, which is 1.
//!
//! After `survives: never`, each line begins with a bound and a colon. The bound limits the number of moves that the runner can
//! still make: it is above 0 if there is a losing move, and every other move leads to a position with a lower bound.

use super::{CertificateReader, Proof, ProvedLifetime, VerifyError};
use getaway_ruleset::{Deterministic, Outcome, legal};

pub(super) trait ClosedSetGame {
    type Position;

    fn opened(&self) -> Result<Self::Position, Outcome>;

    /// Appends the result of each legal move: the next position, or the outcome.
    fn turns(&self, at: &Self::Position, out: &mut Vec<Result<Self::Position, Outcome>>);

    /// Returns true if an escape from `reached` implies one from `listed` in at most as many moves.
    fn covers(&self, listed: &Self::Position, reached: &Self::Position) -> bool;

    /// Returns the maximum heap memory of a position in bytes.
    fn heap_bytes(&self) -> usize {
        0
    }
}

pub(super) struct Equal<'r, R>(pub(super) &'r R);

impl<R: Deterministic<State: Eq>> ClosedSetGame for Equal<'_, R> {
    type Position = R::State;

    fn opened(&self) -> Result<R::State, Outcome> {
        self.0.opened()
    }

    fn turns(&self, at: &R::State, out: &mut Vec<Result<R::State, Outcome>>) {
        for mv in legal(self.0, at) {
            let mut then = at.clone();
            let over = self.0.play(&mut then, mv);
            out.push(over.map_or(Ok(then), Err));
        }
    }

    fn covers(&self, listed: &R::State, reached: &R::State) -> bool {
        listed == reached
    }

    fn heap_bytes(&self) -> usize {
        self.0.state_bytes().saturating_sub(size_of::<R::State>())
    }
}

/// Checks the line of each position. The lines give bounds if `life` is [`ProvedLifetime::AtMost`]. An escape before the first
/// move is an error.
pub(super) fn check<G: ClosedSetGame>(
    game: &G,
    life: ProvedLifetime,
    content: &mut CertificateReader,
) -> Result<Proof, VerifyError> {
    let mut check = ClosedSetCheck {
        game,
        has_bounds: matches!(life, ProvedLifetime::AtMost(_)),
        positions: Vec::new(),
        move_bounds: Vec::new(),
    };
    match game.opened() {
        Ok(first) => check.positions.push(first),
        Err(Outcome::Caught(_)) => {}
        Err(Outcome::Escaped) => {
            let why = "the runner has escaped before the first move";
            return Err(VerifyError::fails(why));
        }
    }
    check.move_bounds.push(u64::MAX);
    let mut turns = Vec::new();
    let mut number = 0;
    while let Some(at) = check.positions.get(number) {
        // On a large board, even a single line may take long to check.
        content.limits().check_time()?;
        game.turns(at, &mut turns);
        check.line(number, &mut turns, content)?;
        // While a list grows, the old one and a new one with twice the capacity exist.
        let entry = size_of::<G::Position>() + size_of::<u64>();
        let bytes = check.positions.len() * (game.heap_bytes() + 3 * entry);
        content.limits().check_memory(bytes as u64)?;
        content.limits().check_states(number as u64)?;
        number += 1;
    }
    let life = match life {
        ProvedLifetime::AtMost(_) if number == 0 => ProvedLifetime::AtMost(0),
        ProvedLifetime::AtMost(_) => ProvedLifetime::AtMost(check.move_bounds[0]),
        life => life,
    };
    let positions = number as u64;
    Ok(Proof::Caught { positions, life })
}

struct ClosedSetCheck<'g, G: ClosedSetGame> {
    game: &'g G,
    has_bounds: bool,
    positions: Vec<G::Position>,
    /// The bound of each position; until its line has been read, the minimum bound of the positions that lead to it.
    move_bounds: Vec<u64>,
}

impl<G: ClosedSetGame> ClosedSetCheck<'_, G> {
    fn line(
        &mut self,
        number: usize,
        turns: &mut Vec<Result<G::Position, Outcome>>,
        content: &mut CertificateReader,
    ) -> Result<(), VerifyError> {
        let line = content.line()?.to_owned();
        let mut words = &*line;
        if self.has_bounds {
            let parts = line.split_once(':');
            let (bound, rest) =
                parts.ok_or_else(|| content.malformed("a bound and a colon should come first"))?;
            let bound = read_number(bound)
                .ok_or_else(|| content.malformed("the bound should be a number"))?;
            if bound >= self.move_bounds[number] {
                return Err(content.line_fails("the bound is not lower than before the move"));
            }
            self.move_bounds[number] = bound;
            words = rest;
        }
        let mut words = words.split(' ').filter(|word| !word.is_empty());
        for turn in turns.drain(..) {
            let word = words
                .next()
                .ok_or_else(|| content.line_fails("a legal move is missing"))?;
            let checked = self.word(number, word, turn);
            checked.map_err(|why| content.line_fails(why))?;
        }
        match words.next() {
            Some(_) => Err(content.line_fails("there are more moves than are legal")),
            None => Ok(()),
        }
    }

    fn word(
        &mut self,
        number: usize,
        word: &str,
        turn: Result<G::Position, Outcome>,
    ) -> Result<(), &'static str> {
        let then = match (word, turn) {
            (_, Err(Outcome::Escaped)) => return Err("a move escapes"),
            ("x", Err(Outcome::Caught(_))) => return self.check_bound_falls(number, None),
            (_, Err(Outcome::Caught(_))) => return Err("a losing move is listed as leading on"),
            (_, Ok(then)) => then,
        };
        let listed = match word {
            "x" => return Err("a move that leads on is listed as losing"),
            "+" => {
                self.positions.push(then);
                self.move_bounds.push(u64::MAX);
                self.positions.len() - 1
            }
            word => {
                let back = read_number(word).ok_or("a word is neither `x`, `+` nor a number")?;
                let found = self.positions.len() as u64;
                let listed = found
                    .checked_sub(back)
                    .filter(|_| back > 0)
                    .ok_or("a move leads to an unlisted position")?
                    as usize;
                if !self.game.covers(&self.positions[listed], &then) {
                    return Err("a move does not lead to the listed position");
                }
                listed
            }
        };
        self.check_bound_falls(number, Some(listed))
    }

    /// If the lines give bounds, checks that a move from position `number` leads to a position `to` with a lower bound; `None` is
    /// a loss, before which the bound must be above 0. If the line of `to` comes later, records the bound for that line's check.
    fn check_bound_falls(&mut self, number: usize, to: Option<usize>) -> Result<(), &'static str> {
        if !self.has_bounds {
            return Ok(());
        }
        let bound = self.move_bounds[number];
        let is_lower = match to {
            Some(to) if to > number => {
                self.move_bounds[to] = self.move_bounds[to].min(bound);
                true
            }
            Some(to) => self.move_bounds[to] < bound,
            None => bound > 0,
        };
        let why = "a move does not lower the bound";
        is_lower.then_some(()).ok_or(why)
    }
}

pub(super) fn read_number(text: &str) -> Option<u64> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())?
}
