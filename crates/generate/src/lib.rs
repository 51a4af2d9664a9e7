//! New boards: drawn at random in the style of each ruleset (`layouts`), judged by the solvers (`judge`), and improved until
//! they meet the criteria (`search`).
//!
//! This package uses the rulesets through their solvers and layouts. It must not depend on the display of progress or the storage
//! of boards.
//!
//! ```
//! use getaway_board::limits::Limits;
//! use getaway_generate::{Generator, criteria::Criteria};
//!
//! let criteria = Criteria { min_moves: Some(8), ..Criteria::default() };
//! let generator = Generator::new("jimmy", &criteria, Limits::default())?;
//! let found = generator.board(7, &|_, _| ());
//! let board = found.best.ok_or("no board")?;
//! assert!(board.measures.moves() >= Some(8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

mod change;
pub mod criteria;
pub mod daily;
mod enumeration;
mod in_order;
mod judge;
mod layout;
mod layouts;
pub mod level;
mod measures;
mod minimal;
mod search;
mod sketch;
mod spanning;
pub mod variants;
pub mod written;

use std::collections::HashSet;

use criteria::Criteria;
use getaway_board::fault::did_you_mean;
use getaway_board::grid::Grid;
use getaway_board::limits::{Limit, Limits};
use getaway_board::puzzle::Format;
use getaway_board::rng::Rng;
use getaway_solvers::rulesets::{self, Entry, RULESETS};
use in_order::in_order;
use judge::Judge;
pub use judge::{Judged, Observer};
pub use layout::CriteriaError;
use layout::Plan;
pub use measures::Measures;
use measures::Meter;
pub use search::SearchResult;
use search::{LazyEnumeration, search};
pub use sketch::Sketch;
use written::{Caption, MeasuredSketch};

/// Generates boards of a ruleset. The criteria and the seed determine each board, unless a limit is reached.
pub struct Generator<'a> {
    judge: Judge<'a>,
    enumeration: LazyEnumeration,
    /// The maximum number of rounds of a search for a board.
    max_rounds: usize,
}

/// A board and the seed that produced it.
#[derive(Clone, Debug)]
pub struct GeneratedBoard {
    /// The seed.
    pub seed: u64,
    /// The board, with its measures and its distance from the criteria.
    pub board: Judged,
    /// The limit that ended the search for this board, if one did.
    pub limit: Option<Limit>,
}

/// The reason why [`Generator::boards`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// All requested boards were made.
    Complete,
    /// A limit was reached, and boards are missing or do not meet the criteria.
    Limit(Limit),
    /// The receiver of the boards stopped the run.
    Stopped,
    /// All boards of the requested size and amounts were tried, and none meets the criteria. This is their number, without
    /// equivalent mirror images.
    Impossible(u64),
    /// This number of consecutive seeds produced no new board.
    Exhausted(u64),
}

/// The maximum number of seeds that are searched at the same time.
const WINDOW: u64 = 16;

/// The number of consecutive seeds without a new board after which a run ends.
const REPEATS: u64 = 2_000;

impl<'a> Generator<'a> {
    /// Returns a generator for a ruleset and criteria.
    ///
    /// # Errors
    ///
    /// Returns an error if boards of the ruleset can't be generated, if a criterion or setting is invalid for the ruleset, or if
    /// there seems to be no such board.
    pub fn new(
        ruleset: &str,
        criteria: &'a Criteria,
        limits: Limits<'a>,
    ) -> Result<Self, CriteriaError> {
        let why = "can't be generated; `mutate` makes variants of a board";
        let no_layout = || CriteriaError(format!("boards of `{ruleset}` {why}"));
        let layout = layouts::find(ruleset).ok_or_else(no_layout)?;
        let state_limit = if criteria.is_about_size() {
            layout::MAX_STATES
        } else {
            layout.style().usual_states
        };
        let meter = Meter {
            layout,
            ruleset: rulesets::find(RULESETS, ruleset).expect("a layout has a ruleset"),
            limits: Limits {
                max_states: Some(limits.max_states.unwrap_or(state_limit)),
                // Several boards are solved in parallel, each with one thread.
                threads: 1,
                ..limits
            },
        };
        let mut plan = criteria.plan(layout)?;
        check_settings(meter.ruleset, criteria)?;
        try_settings(meter, &mut plan)?;
        let judge = Judge {
            meter,
            plan,
            criteria,
        };
        Ok(Self {
            judge,
            enumeration: LazyEnumeration::new(),
            max_rounds: usize::MAX,
        })
    }

    /// Searches for a board with this seed. The result has the best board found, if any.
    pub fn board(&self, seed: u64, observer: &Observer) -> SearchResult {
        search(self, observer, seed)
    }

    /// Returns a board, headed by `caption`, as a board file or a line of JSON.
    pub fn written(&self, board: &Judged, caption: &Caption, format: Format) -> Vec<u8> {
        let drawn = MeasuredSketch {
            ruleset: self.judge.meter.ruleset,
            sketch: &board.sketch,
            measures: &board.measures,
        };
        drawn.written(caption, format)
    }

    fn text(&self, board: &Judged, name: String) -> String {
        let remarks = Vec::new();
        let text = self.written(board, &Caption { name, remarks }, Format::Text);
        String::from_utf8(text).expect("a sketch is ASCII, and so are its headers")
    }

    /// Passes up to `count` boards to `then` in the order of their seeds, from `first` upwards; `then` returns false to stop. No
    /// two boards are the same or equivalent mirror images.
    pub fn boards(
        &self,
        first: u64,
        count: u64,
        observer: &Observer,
        then: &mut (dyn FnMut(GeneratedBoard) -> bool + Send),
    ) -> RunEnd {
        let mut seen: HashSet<(Grid, Vec<u8>)> = HashSet::new();
        let (mut next, mut made, mut repeats) = (first, 0, 0);
        let mut is_short = false;
        while made < count {
            let seeds = (count - made).clamp(1, WINDOW);
            let search = |number: usize| {
                let own = next.wrapping_add(number as u64);
                (own, self.board(own, observer))
            };
            let (mut ended, mut is_stopped, mut is_impossible) = (None, false, None);
            let take = |(seed, found): (u64, SearchResult)| {
                if found.all_tried.is_some() {
                    is_impossible = found.all_tried;
                    return;
                }
                let limit = found.limit;
                let is_new = |board: &Judged| seen.insert(self.canonical(board));
                match found.best.filter(is_new) {
                    Some(board) => {
                        (made, repeats) = (made + 1, 0);
                        is_short |= board.shortfall > 0.0;
                        is_stopped = is_stopped || !then(GeneratedBoard { seed, board, limit });
                    }
                    None => repeats += 1,
                }
                ended = ended.or(limit);
            };
            in_order(seeds as usize, search, take);
            if is_stopped {
                return RunEnd::Stopped;
            }
            if let Some(tried) = is_impossible {
                return RunEnd::Impossible(tried);
            }
            next = next.wrapping_add(seeds);
            if let Some(limit) = ended.filter(|_| is_short || made < count) {
                return RunEnd::Limit(limit);
            }
            if repeats >= REPEATS {
                return RunEnd::Exhausted(repeats);
            }
        }
        RunEnd::Complete
    }

    fn canonical(&self, board: &Judged) -> (Grid, Vec<u8>) {
        let symmetries = self.judge.meter.layout.symmetries(&board.sketch);
        board.sketch.canonical(symmetries)
    }
}

fn check_settings(ruleset: &Entry, criteria: &Criteria) -> Result<(), CriteriaError> {
    let (own, ruleset) = (ruleset.settings, ruleset.name);
    let mut keys = criteria.settings.iter().map(|(key, _)| key);
    let Some(key) = keys.find(|key| !own.contains(&key.as_str())) else {
        return Ok(());
    };
    let advice = match own {
        [] => "it has none".to_owned(),
        own => did_you_mean(key, own),
    };
    let key = key.escape_debug();
    let why = format!("`{key}` is not a setting of `{ruleset}`: {advice}");
    Err(CriteriaError(why))
}

/// Draws a board and reads it, to check the settings. If the usual drawing fails, changes the plan to allow things anywhere.
fn try_settings(meter: Meter, plan: &mut Plan) -> Result<(), CriteriaError> {
    let rng = &mut Rng::new(0);
    let mut draw = |plan: &Plan| (0..1000).find_map(|_| layout::sketch(meter.layout, plan, rng));
    let mut drawn = draw(plan);
    if drawn.is_none() {
        plan.is_anywhere = true;
        drawn = draw(plan);
    }
    let why = "no such board could be generated: ask for a larger board, or for less on it";
    let sketch = drawn.ok_or_else(|| CriteriaError(why.to_owned()))?;
    let game = sketch.game(meter.ruleset, &Limits::default());
    game.map(|_| ()).map_err(|error| {
        let kind = &error.first().kind;
        CriteriaError(format!("{kind}; {}", kind.help()))
    })
}
