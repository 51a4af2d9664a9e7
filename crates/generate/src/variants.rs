//! Variants of a board: one wall or thing is moved, added or removed.

use std::collections::HashSet;
use std::io;

use super::change::{Change, Changeable};
use super::criteria::{PATHS, only_for};
use super::in_order::in_order;
use super::layout::{CriteriaError, Layout, Question};
use super::layouts::{self, ByLegend};
use super::measures::{MeasuredMoves, Measures, Meter};
use super::sketch::{Sketch, Symmetry, image};
use super::written::{Caption, MeasuredSketch, change_in_words};
use getaway_board::grid::Cell;
use getaway_board::limits::{Limit, Limits, bytes};
use getaway_board::puzzle::{Format, Puzzle};
use getaway_play::analysis::difficulty::Difficulty;
use getaway_play::trace::{LineKind, Ply, TraceError, TraceSink};
use getaway_solvers::game::{Game, Plan};
use getaway_solvers::rulesets::Entry;
use rayon::ThreadPool;

/// A changed board.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The change, such as `wall moved from 1,2 to 1,3`.
    pub change: String,
    /// The measures of the changed board.
    pub measures: Measures,
    ruleset: &'static Entry,
    sketch: Sketch,
}

impl Variant {
    /// Returns the variant, headed by `caption`, as a board file or a line of JSON.
    pub fn written(&self, caption: &Caption, format: Format) -> Vec<u8> {
        let drawn = MeasuredSketch {
            ruleset: self.ruleset,
            sketch: &self.sketch,
            measures: &self.measures,
        };
        drawn.written(caption, format)
    }
}

/// The verdict that variants must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The verdict of the board itself.
    Keep,
    /// Another verdict.
    Flip,
}

/// The variants to keep: the `max` hardest among those with the required verdict.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// The verdict that variants must have.
    pub aim: Aim,
    /// The measure by which the variants are sorted; by default, the probability of escape or the number of moves.
    pub rank: Option<Rank>,
    /// The maximum number of variants.
    pub max: usize,
}

/// A measure by which variants are sorted, the hardest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// The number of moves in a shortest way out or, in a maze, on the path to the food, largest first.
    Moves,
    /// The number of first moves that lead out, smallest first.
    FirstMoves,
    /// The difficulty that `getaway analyse` reports, highest first.
    Difficulty,
    /// The probability of escape, lowest first.
    Probability,
}

impl Rank {
    const fn by_default(question: Question) -> Self {
        match question {
            Question::Chance => Self::Probability,
            Question::Escape | Question::Food => Self::Moves,
        }
    }

    fn check(self, layout: &dyn Layout) -> Result<(), CriteriaError> {
        let (criterion, questions) = match self {
            Self::Moves => ("moves", &PATHS[..]),
            Self::FirstMoves => ("first-moves", &[Question::Escape][..]),
            Self::Difficulty => ("difficulty", &[Question::Escape][..]),
            Self::Probability => ("probability", &[Question::Chance][..]),
        };
        only_for(layout, criterion, |other| {
            questions.contains(&other.style().question)
        })
    }

    fn hardness(self, measures: &Measures) -> f64 {
        match self {
            Self::Moves => measures.moves().map_or(-1.0, |moves| moves as f64),
            Self::FirstMoves => -measures.first_moves.map_or(f64::MAX, |moves| moves as f64),
            Self::Difficulty => measures.difficulty.map_or(0.0, Difficulty::bits),
            Self::Probability => -measures.probability().unwrap_or_default(),
        }
    }
}

/// The variants of a board.
#[derive(Clone, Debug, Default)]
pub struct Variants {
    /// The variants that were kept, the hardest first.
    pub hardest: Vec<Variant>,
    /// The number of variants with the required verdict, without those that are won before the first move.
    pub count: u64,
    /// The number of variants that took too many states or too much memory.
    pub skipped: u64,
    /// The limit that ended the search, if one did.
    pub limit: Option<Limit>,
}

/// The reason why a board has no variants.
#[derive(Debug, thiserror::Error)]
pub enum MutationError {
    /// The variants can't be sorted as requested.
    #[error(transparent)]
    Criteria(#[from] CriteriaError),
    /// The board can't be changed.
    #[error("this board can't be changed: {0}")]
    Fixed(String),
    /// A limit was reached before the first variant.
    #[error("{0}")]
    Limit(#[from] Limit),
}

/// Draws a board in the usual glyphs of its ruleset.
fn redrawn(meter: &Meter, puzzle: &Puzzle, game: &dyn Game) -> Result<Sketch, MutationError> {
    let fixed = |why: &str| MutationError::Fixed(why.to_owned());
    game.solvable().map_err(MutationError::Fixed)?;
    if puzzle.header("things").is_some() {
        let why = "it has `things` on top of its tiles, which can't be drawn";
        return Err(fixed(why));
    }
    let plan = Plan {
        moves: Some(""),
        turns: Some(0),
        limits: meter.limits,
        ..Plan::default()
    };
    let mut start = Start(Vec::new());
    let rows: Vec<Vec<u8>> = match game.trace(&plan, &mut start) {
        Ok(_) => start.0.into_iter().map(String::into_bytes).collect(),
        Err(TraceError::Undecided(limit)) => return Err(limit.into()),
        // A maze, unlike other boards, can be solvable but not playable.
        Err(error) => return Err(MutationError::Fixed(error.to_string())),
    };
    let cant =
        || fixed("it can't be drawn in the glyphs of its ruleset, a character for each cell");
    let is_list = rows.iter().flatten().any(u8::is_ascii_digit);
    let drawn = Sketch::of_rows(&rows)
        .filter(|_| !is_list)
        .ok_or_else(cant)?;
    let style = meter.layout.style();
    let mut sketch = drawn.map(|glyph| style.normal(glyph));
    for header in &puzzle.headers {
        let is_setting = meter.ruleset.settings.contains(&&*header.key);
        if is_setting && style.setting_of_drawing != Some(&header.key) {
            sketch = sketch.with(&header.key, &header.value);
        }
    }
    // The picture is ambiguous if, for example, a maze has more walls than there are letters.
    match sketch.game(meter.ruleset, &meter.limits) {
        Ok(_) => Ok(sketch),
        Err(error) => Err(error.limit().map_or_else(cant, MutationError::Limit)),
    }
}

struct Start(Vec<String>);

impl TraceSink for Start {
    fn begin(&mut self, _line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        self.0 = rows();
        Ok(())
    }

    fn ply(&mut self, _ply: &Ply) -> io::Result<()> {
        Ok(())
    }
}

/// The number of variants that are collected, then measured in parallel.
const BATCH: usize = 256;

type OnVariant<'l> = dyn Fn(Option<&Variant>) + Sync + 'l;

/// Finds the hardest variants of a board with the threads of `pool`. Leaves out equivalent mirror images and boards that are won
/// before the first move. Calls `note_tried` after each variant, with the hardest one so far unless it is unchanged.
pub fn variants(
    pool: &ThreadPool,
    ruleset: &'static Entry,
    puzzle: &Puzzle,
    game: &dyn Game,
    selection: Selection,
    limits: Limits,
    note_tried: &OnVariant,
) -> Result<Variants, MutationError> {
    let by_legend = ByLegend::new(ruleset);
    let layout = layouts::find(ruleset.name).unwrap_or(&by_legend);
    let by_default = Rank::by_default(layout.style().question);
    let rank = selection.rank.unwrap_or(by_default);
    rank.check(layout)?;
    let mut meter = Meter {
        layout,
        ruleset,
        limits,
    };
    let sketch = redrawn(&meter, puzzle, game)?;
    let unplayable = || MutationError::Fixed("it can't be played".into());
    let given = measure(&meter, &sketch, rank)?.ok_or_else(unplayable)?;
    let max = layout.style().usual_states.max(2 * given.solution.states);
    meter.limits.max_states.get_or_insert(max);
    let mut search = VariantSearch {
        meter,
        sketch: &sketch,
        given,
        rank,
        selection,
        found: Variants::default(),
    };
    let limit = pool.install(|| search.run(note_tried)).err();
    Ok(Variants {
        limit,
        ..search.found
    })
}

struct VariantSearch<'a> {
    meter: Meter<'a>,
    sketch: &'a Sketch,
    /// The measures of the board itself.
    given: Measures,
    rank: Rank,
    selection: Selection,
    found: Variants,
}

impl VariantSearch<'_> {
    fn run(&mut self, note_tried: &OnVariant) -> Result<(), Limit> {
        let Meter { layout, limits, .. } = self.meter;
        // A change that leads to an equivalent mirror image of the board has no differences, and is no variant.
        let mut seen = HashSet::from([Vec::new()]);
        let mut batch = Vec::new();
        for change in Changeable::of(layout, self.sketch).all() {
            limits.check_time()?;
            limits.check_memory(bytes::<[(Cell, u8); 8]>(seen.len()))?;
            if seen.insert(differences(layout, self.sketch, &change)) {
                batch.push(change);
            }
            if batch.len() == BATCH {
                self.judge(&std::mem::take(&mut batch), note_tried)?;
            }
        }
        self.judge(&batch, note_tried)
    }

    fn judge(&mut self, changes: &[Change], note_tried: &OnVariant) -> Result<(), Limit> {
        let (meter, sketch, rank) = (self.meter, self.sketch, self.rank);
        let work = |number: usize| {
            meter.limits.check_time()?;
            measure(&meter, &changes[number].apply(sketch), rank)
        };
        let (mut limit, mut next) = (Ok(()), changes.iter());
        in_order(changes.len(), work, |measures| {
            let change = next.next().expect("there is a result for each change");
            let mut is_hardest = false;
            match measures {
                Ok(Some(measures)) => is_hardest = self.add(change, measures),
                Ok(None) => {}
                Err(Limit::States | Limit::Memory) => self.found.skipped += 1,
                Err(reached) => limit = Err(reached),
            }
            note_tried(self.found.hardest.first().filter(|_| is_hardest));
        });
        limit
    }

    /// Counts a variant with the required verdict, and keeps it if it is hard enough; returns whether it is the hardest so far.
    fn add(&mut self, change: &Change, measures: Measures) -> bool {
        let Selection { aim, max, .. } = self.selection;
        let is_same = measures.solution.verdict() == self.given.solution.verdict();
        if is_same != (aim == Aim::Keep) || measures.moves() == Some(0) {
            return false;
        }
        self.found.count += 1;
        let hardness = self.rank.hardness(&measures);
        let is_harder = |known: &Variant| self.rank.hardness(&known.measures) >= hardness;
        let hardest = &mut self.found.hardest;
        let at = hardest.partition_point(is_harder);
        if at < max {
            hardest.truncate(max - 1);
            let variant = Variant {
                change: change_in_words(&self.meter, self.sketch.grid(), change),
                measures,
                ruleset: self.meter.ruleset,
                sketch: change.apply(self.sketch),
            };
            hardest.insert(at, variant);
        }
        at == 0
    }
}

/// Returns a list of changed cells that is the same for a variant and its equivalent mirror images.
fn differences(layout: &dyn Layout, sketch: &Sketch, change: &Change) -> Vec<(Cell, u8)> {
    let (grid, variant) = (sketch.grid(), change.apply(sketch));
    let image = |symmetry: Option<Symmetry>, max: usize| -> Vec<(Cell, u8)> {
        let glyphs = grid
            .cells()
            .map(|cell| (cell, variant.at(image(symmetry, grid, cell))));
        let differ = glyphs.filter(|&(cell, glyph)| sketch.at(cell) != glyph);
        differ.take(max).collect()
    };
    let mut min = image(None, usize::MAX);
    for &symmetry in layout.symmetries(&variant) {
        let other = image(Some(symmetry), min.len() + 1);
        min = std::cmp::min_by(min, other, |a, b| (a.len(), a).cmp(&(b.len(), b)));
    }
    min
}

/// Solves a board and takes the measures that the rank needs; `None` if the board is invalid, or can't be solved or played.
fn measure(meter: &Meter, sketch: &Sketch, rank: Rank) -> Result<Option<Measures>, Limit> {
    let Some(game) = meter.game(sketch) else {
        // Reading may have failed because the time ran out.
        return meter.limits.check_time().map(|()| None);
    };
    let mut measures = meter.solve(&*game)?;
    let scope = match rank {
        Rank::Moves | Rank::Probability => MeasuredMoves::None,
        Rank::FirstMoves => MeasuredMoves::FirstMoves,
        Rank::Difficulty => MeasuredMoves::WholeLine,
    };
    meter.measure_moves(&*game, scope, &mut measures)?;
    Ok(Some(measures))
}

#[cfg(test)]
#[path = "variants_tests.rs"]
mod tests;
