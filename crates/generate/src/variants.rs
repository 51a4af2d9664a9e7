//! Variants of a board: one wall or thing is moved, added or removed.

use std::collections::HashSet;
use std::io;

use super::change::{Change, Changeable};
use super::criteria::{PATHS, only_for};
use super::in_order::in_order;
use super::layout::{CriteriaError, Layout, Question};
use super::measures::{Depth, Measures, Meter};
use super::sketch::{Mirror, Sketch, image};
use getaway_board::grid::Cell;
use getaway_board::limits::{Limit, Limits, bytes};
use getaway_board::puzzle::Puzzle;
use getaway_play::analysis::difficulty::Difficulty;
use getaway_play::trace::{LineKind, Ply, TraceError, TraceSink};
use getaway_solvers::game::{Game, Plan};
use getaway_solvers::rulesets::Entry;

/// A changed board.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The change.
    pub change: Change,
    /// The measures of the changed board.
    pub measures: Measures,
}

/// The verdict that variants must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The verdict of the board itself.
    Keep,
    /// Another verdict.
    Flip,
}

/// The variants to keep: the `max` hardest that have the aim.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// The verdict that variants must have.
    pub aim: Aim,
    /// The measure by which they are sorted.
    pub rank: Rank,
    /// The maximum number of variants.
    pub max: usize,
}

/// A measure by which variants are sorted, the hardest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// The number of moves in a shortest way out, largest first.
    Moves,
    /// The number of first moves that lead out, smallest first.
    FirstMoves,
    /// The difficulty that `getaway analyse` reports, highest first.
    Difficulty,
    /// The probability of escape, lowest first.
    Probability,
}

impl Rank {
    /// Returns the default measure.
    pub const fn by_default(question: Question) -> Self {
        match question {
            Question::Chance => Self::Probability,
            Question::Escape | Question::Food => Self::Moves,
        }
    }

    /// Checks that the measure applies to boards of this layout.
    pub fn check(self, layout: &dyn Layout) -> Result<(), CriteriaError> {
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
    /// The hardest variants first; equally hard ones in the order of [`Changeable::all`].
    pub hardest: Vec<Variant>,
    /// The number of variants that have the aim.
    pub count: u64,
    /// The number of variants that took too many states or too much memory.
    pub skipped: u64,
    /// The limit that ended the search, if one did.
    pub limit: Option<Limit>,
}

/// Draws a board in the usual glyphs of its ruleset.
pub fn redrawn(
    layout: &dyn Layout,
    ruleset: &Entry,
    puzzle: &Puzzle,
    game: &dyn Game,
    limits: &Limits,
) -> Result<Sketch, RedrawError> {
    game.solvable()?;
    if puzzle.header("things").is_some() {
        return Err("it has `things` on top of its tiles, which can't be drawn".into());
    }
    let plan = Plan {
        moves: Some(""),
        turns: Some(0),
        limits: *limits,
        ..Plan::default()
    };
    let mut start = Start(Vec::new());
    let rows: Vec<Vec<u8>> = match game.trace(&plan, &mut start) {
        Ok(_) => start.0.into_iter().map(String::into_bytes).collect(),
        Err(TraceError::Undecided(limit)) => return Err(RedrawError::Limit(limit)),
        // A maze that can't be played can still be solved as it is written.
        Err(_) => puzzle.rows.iter().map(|row| row.text.to_vec()).collect(),
    };
    let cant = "it can't be drawn in the glyphs of its ruleset, a character for each cell";
    let is_list = rows.iter().flatten().any(u8::is_ascii_digit);
    let drawn = Sketch::of_rows(&rows).filter(|_| !is_list).ok_or(cant)?;
    let mut sketch = drawn.map(|glyph| layout.style().normal(glyph));
    for header in &puzzle.headers {
        let is_setting = ruleset.settings.contains(&&*header.key);
        if is_setting && layout.style().setting_of_drawing != Some(&header.key) {
            sketch = sketch.with(&header.key, &header.value);
        }
    }
    // The picture is ambiguous if, for example, a maze has more walls than there are letters.
    match sketch.game(ruleset, limits).map_err(|error| error.limit()) {
        Ok(_) => Ok(sketch),
        Err(limit) => Err(limit.map_or(cant.into(), RedrawError::Limit)),
    }
}

/// The reason why a board can't be redrawn.
#[derive(Debug, thiserror::Error)]
pub enum RedrawError {
    /// The ruleset's glyphs can't show the board.
    #[error("{0}")]
    Cant(String),
    /// A limit was reached.
    #[error("{0}")]
    Limit(Limit),
}

impl<S: Into<String>> From<S> for RedrawError {
    fn from(why: S) -> Self {
        Self::Cant(why.into())
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

/// Finds the hardest variants of a board, whose own measures are `of`. Leaves out equivalent mirror images and boards that
/// are won before the first move. Calls `note_tried` after each variant, with the hardest one found so far.
pub fn variants(
    meter: &Meter,
    sketch: &Sketch,
    of: &Measures,
    selection: Selection,
    note_tried: &OnVariant,
) -> Variants {
    let mut found = Variants::default();
    let mut judge = |changes: &mut Vec<Change>| -> Result<(), Limit> {
        let work = |number: usize| {
            meter.limits.check_time()?;
            measure(meter, &changes[number].apply(sketch), selection.rank)
        };
        let (mut limit, mut next) = (Ok(()), changes.iter());
        in_order(changes.len(), work, |measures| {
            let change = next.next().expect("there is a result for each change");
            match measures {
                Ok(Some(measures)) => found.add(change, measures, of, selection),
                Ok(None) => {}
                Err(Limit::States | Limit::Memory) => found.skipped += 1,
                Err(reached) => limit = Err(reached),
            }
            note_tried(found.hardest.first());
        });
        changes.clear();
        limit
    };
    let mut search = || {
        let mut seen = HashSet::from([Vec::new()]);
        let mut batch = Vec::new();
        for change in Changeable::of(meter.layout, sketch).all() {
            meter.limits.check_time()?;
            meter
                .limits
                .check_memory(bytes::<[(Cell, u8); 8]>(seen.len()))?;
            if seen.insert(differences(meter.layout, sketch, &change)) {
                batch.push(change);
            }
            if batch.len() == BATCH {
                judge(&mut batch)?;
            }
        }
        judge(&mut batch)
    };
    let limit = search().err();
    Variants { limit, ..found }
}

/// Returns a list of changed cells that is the same for a variant and its equivalent mirror images.
fn differences(layout: &dyn Layout, sketch: &Sketch, change: &Change) -> Vec<(Cell, u8)> {
    let (grid, variant) = (sketch.grid(), change.apply(sketch));
    let image = |mirror: Option<Mirror>, max: usize| -> Vec<(Cell, u8)> {
        let glyphs = grid
            .cells()
            .map(|cell| (cell, variant.at(image(mirror, grid, cell))));
        let differ = glyphs.filter(|&(cell, glyph)| sketch.at(cell) != glyph);
        differ.take(max).collect()
    };
    let mut min = image(None, usize::MAX);
    for &mirror in layout.mirrors(&variant) {
        let other = image(Some(mirror), min.len() + 1);
        min = std::cmp::min_by(min, other, |a, b| (a.len(), a).cmp(&(b.len(), b)));
    }
    min
}

impl Variants {
    /// Returns the result of a search that a limit ended before the first variant.
    pub fn cut_short(limit: Limit) -> Self {
        Self {
            limit: Some(limit),
            ..Self::default()
        }
    }

    fn add(
        &mut self,
        change: &Change,
        measures: Measures,
        of: &Measures,
        Selection { aim, rank, max }: Selection,
    ) {
        let is_same = measures.solution.verdict() == of.solution.verdict();
        if is_same != (aim == Aim::Keep) || measures.moves() == Some(0) {
            return;
        }
        self.count += 1;
        let hardness = rank.hardness(&measures);
        let is_harder = |known: &Variant| rank.hardness(&known.measures) >= hardness;
        let at = self.hardest.partition_point(is_harder);
        if at < max {
            self.hardest.truncate(max - 1);
            let change = change.clone();
            self.hardest.insert(at, Variant { change, measures });
        }
    }
}

/// Solves a board and takes the measures that the rank needs; `None` if the board is invalid.
pub fn measure(meter: &Meter, sketch: &Sketch, rank: Rank) -> Result<Option<Measures>, Limit> {
    let Some(game) = meter.game(sketch) else {
        // Reading may have failed because the time ran out.
        return meter.limits.check_time().map(|()| None);
    };
    let mut measures = meter.solve(&*game)?;
    let depth = match rank {
        Rank::Moves | Rank::Probability => Depth::Answer,
        Rank::FirstMoves => Depth::FirstMoves,
        Rank::Difficulty => Depth::WholeLine,
    };
    meter.measure_moves(&*game, depth, &mut measures)?;
    Ok(Some(measures))
}

#[cfg(test)]
#[path = "variants_tests.rs"]
mod tests;
