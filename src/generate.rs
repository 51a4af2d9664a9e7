//! New boards: drawn at random by what the rules of each ruleset look like when people draw them
//! ([`layouts`]), judged by the solvers ([`judge`]), and improved step by step until they are as wished
//! ([`search`]).
//!
//! ```
//! use getaway::{Generator, Wishes};
//!
//! let wishes = Wishes { min_moves: Some(8), ..Wishes::default() };
//! let generator = Generator::new("jimmy", &wishes, getaway::Limits::default())?;
//! let found = generator.board(7, &());
//! let board = found.best.ok_or("no board")?;
//! assert!(board.measures.moves() >= Some(8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod change;
pub mod impossible;
pub mod judge;
pub mod layout;
pub mod layouts;
pub mod measures;
pub mod minimal;
pub mod search;
pub mod sketch;
mod spanning;
mod symmetry;
pub mod variants;
pub mod wishes;

use std::collections::HashSet;

use rayon::prelude::*;

use crate::grid::Grid;
use crate::limits::{Limit, Limits};
use crate::rng::Rng;
use crate::rulesets::{self, Entry, RULESETS};
use impossible::Impossible;
use judge::{Judge, Judged};
use layout::{Layout, Plan};
use measures::Meter;
use search::{Found, Observer, Search};
use wishes::Wishes;

/// One who makes boards of a ruleset. Each board is determined by the wishes and its own seed.
pub struct Generator<'a> {
    layout: &'static dyn Layout,
    ruleset: &'static Entry,
    wishes: &'a Wishes,
    plan: Plan,
    limits: Limits<'a>,
}

/// A board that was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// The seed that makes it again.
    pub seed: u64,
    /// The board.
    pub board: Judged,
    /// The limit that ended the search before it was as wished, if one did.
    pub limit: Option<Limit>,
}

/// How a run of boards ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All boards that were asked for were made.
    Complete,
    /// This limit came first.
    Limit(Limit),
    /// Who took the boards wants no more.
    Stopped,
    /// So many seeds in a row made boards that had been there already.
    Exhausted(u64),
}

/// How many boards are searched for side by side.
const WINDOW: u64 = 16;

/// After so many seeds in a row without a new board there are no more.
const REPEATS: u64 = 2_000;

/// A board that takes more states than this to solve is none to make.
const MOST_STATES: u64 = 3_000_000;

impl<'a> Generator<'a> {
    /// One who makes boards of the ruleset of this name as wished.
    ///
    /// # Errors
    ///
    /// Why there are no such boards, as far as that is plain to see.
    pub fn new(ruleset: &str, wishes: &'a Wishes, limits: Limits<'a>) -> Result<Self, Impossible> {
        let layout =
            layouts::find(ruleset).ok_or_else(|| Impossible::NoLayout(ruleset.to_owned()))?;
        let most_states = if wishes.is_about_size() {
            MOST_STATES
        } else {
            MOST_STATES.min(layout.usual_states())
        };
        let generator = Self {
            layout,
            ruleset: rulesets::find(RULESETS, ruleset).expect("a layout has a ruleset"),
            wishes,
            plan: wishes.plan(layout)?,
            limits: Limits {
                max_states: Some(limits.max_states.unwrap_or(most_states)),
                threads: 1,
                ..limits
            },
        };
        generator.try_settings()?;
        Ok(generator)
    }

    /// Draws a board, to see whether it can be read with its settings.
    fn try_settings(&self) -> Result<(), Impossible> {
        let rng = &mut Rng::new(0);
        let drawn = (0..1000).find_map(|_| self.layout.draw(&self.plan, rng));
        let sketch = drawn.ok_or(Impossible::Undrawable)?;
        let setting = |error: crate::fault::BoardError| {
            let kind = &error.first().kind;
            Impossible::Setting(format!("{kind}; {}", kind.help()))
        };
        sketch
            .game(self.ruleset, &Limits::default())
            .map(|_| ())
            .map_err(setting)
    }

    /// How the boards are drawn.
    pub fn layout(&self) -> &'static dyn Layout {
        self.layout
    }

    /// The board of this seed.
    pub fn board(&self, seed: u64, observer: &dyn Observer) -> Found {
        Search::new(&self.judge(), observer).run(seed)
    }

    /// One who judges boards as this one does.
    pub fn judge(&self) -> Judge<'_> {
        Judge {
            meter: Meter {
                layout: self.layout,
                ruleset: self.ruleset,
                must_play: true,
                limits: self.limits,
            },
            plan: &self.plan,
            wishes: self.wishes,
        }
    }

    /// So many boards, from this seed upwards, one after the other to `then`, which says whether it wants more; none of them is another one or its mirror image, where the
    /// game is the same in a mirror. They don't depend on the number of threads.
    pub fn boards(
        &self,
        (first, count): (u64, u64),
        observer: &dyn Observer,
        then: &mut dyn FnMut(Made) -> bool,
    ) -> End {
        let mut seen: HashSet<(Grid, Vec<u8>)> = HashSet::new();
        let (mut next, mut made, mut repeats) = (first, 0, 0);
        while made < count {
            let seeds = (count - made).clamp(1, WINDOW);
            let window: Vec<(u64, Found)> = (0..seeds)
                .into_par_iter()
                .map(|number| next.wrapping_add(number))
                .map(|seed| (seed, self.board(seed, observer)))
                .collect();
            next = next.wrapping_add(seeds);
            let mut ended = None;
            for (seed, Found { best, limit }) in window {
                let is_new = |board: &Judged| seen.insert(self.canonical(board));
                match best.filter(is_new) {
                    Some(board) => {
                        (made, repeats) = (made + 1, 0);
                        if !then(Made { seed, board, limit }) {
                            return End::Stopped;
                        }
                    }
                    None => repeats += 1,
                }
                ended = ended.or(limit);
            }
            if let Some(limit) = ended {
                return End::Limit(limit);
            }
            if repeats >= REPEATS {
                return End::Exhausted(repeats);
            }
        }
        End::Complete
    }

    fn canonical(&self, board: &Judged) -> (Grid, Vec<u8>) {
        let mirrors = self.layout.mirrors(&board.sketch);
        board.sketch.canonical(mirrors)
    }
}
