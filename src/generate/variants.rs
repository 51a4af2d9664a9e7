//! Variants of a board: one wall or thing is moved, added or removed.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::io;

use super::change::{Change, Changeable};
use super::in_order::in_order;
use super::layout::{Impossible, Layout, Question};
use super::measures::{Depth, Measures, Meter};
use super::sketch::{Mirror, Sketch, image};
use crate::analysis::difficulty::Difficulty;
use crate::game::{Game, Plan};
use crate::grid::Cell;
use crate::limits::{Limit, Limits, bytes};
use crate::play::trace::{HalfTurn, LineKind, TraceError, TraceSink};
use crate::puzzle::Puzzle;
use crate::rulesets::Entry;

#[derive(Clone, Debug)]
pub struct Variant {
    pub change: Change,
    pub measures: Measures,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    Keep,
    Flip,
}

/// A measure by which variants are sorted, the hardest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
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
    pub const fn by_default(question: Question) -> Self {
        match question {
            Question::Chance => Self::Probability,
            Question::Escape | Question::Food => Self::Moves,
        }
    }

    pub fn check(self, layout: &Layout) -> Result<(), Impossible> {
        let (wish, has): (_, fn(Question) -> bool) = match self {
            Self::Moves => ("moves", |question| question != Question::Chance),
            Self::FirstMoves => ("first-moves", |question| question == Question::Escape),
            Self::Difficulty => ("difficulty", |question| question == Question::Escape),
            Self::Probability => ("probability", |question| question == Question::Chance),
        };
        super::wishes::only_for(layout, wish, |other| has(other.question))
    }

    fn compare(self, a: &Measures, b: &Measures) -> Ordering {
        match self {
            Self::Moves => b.moves().cmp(&a.moves()),
            Self::FirstMoves => {
                let moves = |measures: &Measures| measures.first_moves.unwrap_or(usize::MAX);
                moves(a).cmp(&moves(b))
            }
            Self::Difficulty => {
                let bits = |measures: &Measures| measures.difficulty.map_or(0.0, Difficulty::bits);
                bits(b).total_cmp(&bits(a))
            }
            Self::Probability => {
                let [a, b] = [a, b].map(|measures| measures.probability().unwrap_or_default());
                a.total_cmp(&b)
            }
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Variants {
    /// The variants, hardest first. Equally hard ones are in this order: removals, additions, then moves, with the
    /// shortest moves first.
    pub hardest: Vec<Variant>,
    pub count: u64,
    pub skipped: u64,
    pub limit: Option<Limit>,
}

pub fn redrawn(
    layout: &Layout,
    ruleset: &Entry,
    (puzzle, game): (&Puzzle, &dyn Game),
    limits: &Limits,
) -> Result<Sketch, NotRedrawn> {
    game.solvable()?;
    if puzzle.header("things").is_some() {
        Err("it has `things` on top of its tiles, which can't be drawn".to_owned())?;
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
        Err(TraceError::Undecided(limit)) => return Err(NotRedrawn::Limit(limit)),
        // A maze that can't be played can still be solved as it is written.
        Err(_) => puzzle.rows.iter().map(|row| row.text.to_vec()).collect(),
    };
    let cant =
        || "it can't be drawn in the glyphs of its ruleset, a character for each cell".to_owned();
    let is_list = rows.iter().flatten().any(u8::is_ascii_digit);
    let drawn = Sketch::of_rows(&rows)
        .filter(|_| !is_list)
        .ok_or_else(cant)?;
    let mut sketch = drawn.map(|glyph| (layout.normal)(glyph));
    for header in &puzzle.headers {
        let is_setting = ruleset.settings.contains(&&*header.key);
        if is_setting && layout.setting_of_drawing != Some(&header.key) {
            sketch = sketch.with(&header.key, &header.value);
        }
    }
    // A board with more walls than letters has an ambiguous picture.
    match sketch.game(ruleset, limits).map_err(|error| error.limit()) {
        Ok(_) => Ok(sketch),
        Err(limit) => Err(limit.map_or_else(|| cant().into(), NotRedrawn::Limit)),
    }
}

#[derive(Debug, thiserror::Error)]
pub enum NotRedrawn {
    #[error("{0}")]
    Cant(String),
    #[error("{0}")]
    Limit(Limit),
}

impl From<String> for NotRedrawn {
    fn from(why: String) -> Self {
        Self::Cant(why)
    }
}

struct Start(Vec<String>);

impl TraceSink for Start {
    fn begin(&mut self, _line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        self.0 = rows();
        Ok(())
    }

    fn half(&mut self, _half: &HalfTurn) -> io::Result<()> {
        Ok(())
    }
}

/// The number of variants that are measured in parallel. It does not affect the result.
const BATCH: usize = 256;

type Looked<'l> = dyn Fn(Option<&Variant>) + Sync + 'l;

/// Finds up to `most` variants of a board, the hardest first, with the measures `of`. Leaves out the board itself,
/// equivalent mirror images, and boards that are won before the first move. `looked` runs after each variant, with the
/// hardest one found so far.
pub fn variants(
    meter: &Meter,
    (sketch, of): (&Sketch, &Measures),
    (aim, rank): (Aim, Rank),
    (most, looked): (usize, &Looked),
) -> Variants {
    let mut found = Variants::default();
    let mut judge = |changes: &mut Vec<Change>| -> Result<(), Limit> {
        let work = |number: usize| {
            meter.limits.check_time()?;
            measure(meter, &changes[number].apply(sketch), rank)
        };
        let (mut limit, mut next) = (Ok(()), changes.iter());
        in_order(changes.len(), work, |measures| {
            let change = next.next().expect("there is a result for each change");
            match measures {
                Ok(Some(measures)) => found.add((change, measures), of, (aim, rank, most)),
                Ok(None) => {}
                Err(Limit::States | Limit::Memory) => found.skipped += 1,
                Err(reached) => limit = Err(reached),
            }
            looked(found.hardest.first());
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

/// Returns a list of changed cells that is the same for a variant and its images.
fn differences(layout: &Layout, sketch: &Sketch, change: &Change) -> Vec<(Cell, u8)> {
    let (grid, variant) = (sketch.grid(), change.apply(sketch));
    let image = |mirror: Option<Mirror>, most: usize| -> Vec<(Cell, u8)> {
        let glyphs = grid
            .cells()
            .map(|cell| (cell, variant.at(image(mirror, grid, cell))));
        let differ = glyphs.filter(|&(cell, glyph)| sketch.at(cell) != glyph);
        differ.take(most).collect()
    };
    let own = image(None, usize::MAX);
    let most = own.len();
    let mirrors = (layout.mirrors)(&variant).iter().copied().map(Some);
    let images = mirrors.map(|mirror| image(mirror, most + 1));
    let shortest = images
        .chain([own.clone()])
        .filter(|image| image.len() <= most);
    let order = |a: &Vec<_>, b: &Vec<_>| a.len().cmp(&b.len()).then_with(|| a.cmp(b));
    shortest.min_by(order).unwrap_or(own)
}

impl Variants {
    pub fn cut_short(limit: Limit) -> Self {
        Self {
            limit: Some(limit),
            ..Self::default()
        }
    }

    fn add(
        &mut self,
        (change, measures): (&Change, Measures),
        of: &Measures,
        (aim, rank, most): (Aim, Rank, usize),
    ) {
        let is_same = measures.solution.verdict() == of.solution.verdict();
        if is_same != (aim == Aim::Keep) || measures.moves() == Some(0) {
            return;
        }
        self.count += 1;
        let is_harder = |known: &Variant| rank.compare(&known.measures, &measures).is_le();
        let at = self.hardest.partition_point(is_harder);
        if at < most {
            self.hardest.truncate(most - 1);
            let change = change.clone();
            self.hardest.insert(at, Variant { change, measures });
        }
    }
}

pub fn measure(meter: &Meter, sketch: &Sketch, rank: Rank) -> Result<Option<Measures>, Limit> {
    let Some(game) = meter.game(sketch) else {
        // Reading may have failed because the time ran out.
        return meter.limits.check_time().map(|()| None);
    };
    let mut measures = meter.solve(&*game)?.ok_or(Limit::States)?;
    let depth = match rank {
        Rank::Moves | Rank::Probability => Depth::Answer,
        Rank::FirstMoves => Depth::FirstMoves,
        Rank::Difficulty => Depth::WholeLine,
    };
    let is_known = meter.measure_moves(&*game, depth, &mut measures)?;
    is_known.then_some(Some(measures)).ok_or(Limit::States)
}

#[cfg(test)]
mod tests;
