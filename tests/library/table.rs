//! A table of all positions: slow, simple, and independent of the engines.

use std::collections::HashMap;
use std::hash::Hash;

use getaway_play::evaluation::Lifetime;
use getaway_ruleset::{Deterministic, Outcome};

pub enum To {
    Out,
    Lost,
    Position(usize),
}

pub struct Table<R: Deterministic<State: Eq + Hash>> {
    pub rules: R,
    pub numbers: HashMap<R::State, usize>,
    pub moves: Vec<Vec<(R::Move, To)>>,
    /// The minimum number of moves to an escape from each position.
    pub escape: Vec<Option<usize>>,
    pub lives: Vec<Lifetime>,
}

impl<R: Deterministic<State: Eq + Hash>> Table<R> {
    /// Lists all positions; `None` if the game is over at the start or there are more than `max`.
    pub fn new(rules: R, max: usize) -> Option<Self> {
        let start = rules.opened().ok()?;
        let (mut numbers, mut all) = (HashMap::from([(start.clone(), 0)]), vec![start]);
        let mut moves: Vec<Vec<(R::Move, To)>> = Vec::new();
        while let Some(at) = all.get(moves.len()).cloned() {
            let mut legal = Vec::new();
            rules.moves(&at, &mut legal);
            let leads = |mv| {
                let mut then = at.clone();
                let to = match rules.play(&mut then, mv) {
                    Some(Outcome::Escaped) => To::Out,
                    Some(Outcome::Caught(_)) => To::Lost,
                    None => To::Position(*numbers.entry(then.clone()).or_insert_with(|| {
                        all.push(then);
                        all.len() - 1
                    })),
                };
                (mv, to)
            };
            moves.push(legal.into_iter().map(leads).collect());
            if all.len() > max {
                return None;
            }
        }
        let mut table = Self {
            rules,
            numbers,
            moves,
            escape: vec![None; all.len()],
            lives: vec![Lifetime::Moves(0); all.len()],
        };
        table.find_escapes();
        table.find_lives();
        Some(table)
    }

    /// Finds escapes in rounds. After round `n`, all escapes of at most `n` moves are known.
    fn find_escapes(&mut self) {
        for round in 1..=self.moves.len() {
            let before = self.escape.clone();
            for (escape, moves) in self.escape.iter_mut().zip(&self.moves) {
                let is_near = |(_, to): &(R::Move, To)| match to {
                    To::Out => true,
                    To::Lost => false,
                    To::Position(to) => before[*to].is_some(),
                };
                if escape.is_none() && moves.iter().any(is_near) {
                    *escape = Some(round);
                }
            }
            if before == self.escape {
                break;
            }
        }
    }

    /// Finds how long the runner survives. To survive more moves than there are positions, he has to repeat one.
    fn find_lives(&mut self) {
        let mut alive = vec![true; self.moves.len()];
        for round in 1..=self.moves.len() + 1 {
            let lives_on = |moves: &Vec<(R::Move, To)>| {
                moves.iter().any(|(_, to)| match to {
                    To::Out => false,
                    To::Lost => round == 1,
                    To::Position(to) => alive[*to],
                })
            };
            let now: Vec<_> = self.moves.iter().map(lives_on).collect();
            for (lives, alive) in self.lives.iter_mut().zip(&now) {
                if *alive {
                    *lives = Lifetime::Moves(round);
                }
            }
            if now == alive && round > 1 {
                break;
            }
            alive = now;
        }
        for (lives, alive) in self.lives.iter_mut().zip(alive) {
            if alive {
                *lives = Lifetime::Forever;
            }
        }
    }
}
