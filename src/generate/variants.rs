//! Variants of a board: one wall, or one of those who stand on it, moved, added or taken away.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::io;

use rayon::prelude::*;

use super::change::{Change, Changeable};
use super::impossible::Impossible;
use super::layout::{Layout, Question};
use super::measures::{Depth, Measures, Meter, Worths};
use super::sketch::Sketch;
use crate::analysis::difficulty::Difficulty;
use crate::game::{Game, Plan};
use crate::limits::Limit;
use crate::play::trace::{HalfTurn, LineKind, TraceSink};
use crate::puzzle::Puzzle;
use crate::rulesets::Entry;

/// A board with one change.
#[derive(Clone, Debug)]
pub struct Variant {
    /// What was changed.
    pub change: Change,
    /// The board.
    pub sketch: Sketch,
    /// What is known of it.
    pub measures: Measures,
}

/// What variants are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Those with the same verdict.
    Keep,
    /// Those with another one.
    Flip,
}

/// What variants are sorted by, the hardest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// The moves of a shortest way out, most first.
    Moves,
    /// The first moves that lead out, fewest first.
    FirstMoves,
    /// The difficulty, greatest first.
    Difficulty,
    /// The probability of escape, least first.
    Probability,
}

impl Rank {
    /// What boards are sorted by where nobody says what.
    pub const fn by_default(question: Question) -> Self {
        match question {
            Question::Chance => Self::Probability,
            Question::Escape | Question::Food => Self::Moves,
        }
    }

    /// Whether it means something for this ruleset.
    ///
    /// # Errors
    ///
    /// That it does not.
    pub fn check(self, layout: &dyn Layout) -> Result<(), Impossible> {
        let (wish, has): (_, fn(Question) -> bool) = match self {
            Self::Moves => ("moves", |question| question != Question::Chance),
            Self::FirstMoves => ("first-moves", |question| question == Question::Escape),
            Self::Difficulty => ("difficulty", |question| question == Question::Escape),
            Self::Probability => ("probability", |question| question == Question::Chance),
        };
        super::wishes::only_for(layout, wish, |other| has(other.question()))
    }

    /// Which of two boards is harder.
    fn compare(self, a: &Measures, b: &Measures) -> Ordering {
        match self {
            Self::Moves => b.moves().cmp(&a.moves()),
            Self::FirstMoves => {
                let moves = |measures: &Measures| measures.worths.first_moves.unwrap_or(usize::MAX);
                moves(a).cmp(&moves(b))
            }
            Self::Difficulty => {
                let bits = |measures: &Measures| {
                    let difficulty = measures.worths.difficulty;
                    difficulty.map_or(0.0, Difficulty::bits)
                };
                bits(b).total_cmp(&bits(a))
            }
            Self::Probability => {
                let [a, b] = [a, b].map(|measures| measures.probability().unwrap_or_default());
                a.total_cmp(&b)
            }
        }
    }
}

/// The variants that were found.
#[derive(Clone, Debug, Default)]
pub struct Variants {
    /// The variants, the hardest first; equally hard ones with what was taken away first, then what was added,
    /// then what was moved, the shortest way first.
    pub all: Vec<Variant>,
    /// The limit that ended the search before all had been looked at, if one did.
    pub limit: Option<Limit>,
}

/// The board of a puzzle, to be drawn anew.
///
/// # Errors
///
/// Why it can't be.
pub fn redrawn(
    layout: &dyn Layout,
    ruleset: &Entry,
    (puzzle, game): (&Puzzle, &dyn Game),
) -> Result<Sketch, String> {
    game.solvable()?;
    if puzzle.header("things").is_some() {
        return Err("it has `things` on top of its tiles, which can't be drawn".into());
    }
    let plan = Plan {
        moves: Some(""),
        turns: Some(0),
        ..Plan::default()
    };
    let mut start = Start(Vec::new());
    let rows: Vec<Vec<u8>> = match game.trace(&plan, &mut start) {
        Ok(_) => start.0.into_iter().map(String::into_bytes).collect(),
        // A maze that can't be played can still be solved.
        Err(_) => puzzle.rows.iter().map(|row| row.text.to_vec()).collect(),
    };
    let cant = "it can't be drawn in the glyphs of its ruleset, a character for each cell";
    let is_list = rows.iter().flatten().any(u8::is_ascii_digit);
    let drawn = Sketch::of_rows(&rows).filter(|_| !is_list).ok_or(cant)?;
    let mut sketch = drawn.map(|glyph| layout.normal(glyph));
    for header in &puzzle.headers {
        let is_setting = ruleset.settings.contains(&&*header.key);
        if is_setting && !layout.is_about_writing(&header.key) {
            sketch = sketch.with(&header.key, &header.value);
        }
    }
    // Of more walls than letters a picture tells too little.
    sketch.game(ruleset).map_err(|_| cant)?;
    Ok(sketch)
}

/// Keeps the rows of the board as it is drawn.
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

/// All changes of a board that lead to different boards: neither the same nor, where the game is the same in
/// a mirror, mirror images of one another or of the board itself.
pub fn changes(layout: &dyn Layout, sketch: &Sketch) -> Vec<Change> {
    let canonical = |sketch: &Sketch| sketch.canonical(layout.mirrors(sketch));
    let mut seen = HashSet::from([canonical(sketch)]);
    let mut all = Changeable::of(layout, sketch).all();
    all.retain(|change| seen.insert(canonical(&change.apply(sketch))));
    all
}

/// The variants of a board by these changes, where `of` are the measures of the board itself; `looked` is told
/// of each one that was looked at. Boards that are won before the first move are left out.
pub fn variants(
    meter: &Meter,
    (sketch, of): (&Sketch, &Measures),
    (aim, rank): (Aim, Rank),
    (changes, looked): (Vec<Change>, &(dyn Fn() + Sync)),
) -> Variants {
    let measured: Vec<Result<Option<Variant>, Limit>> = changes
        .into_par_iter()
        .map(|change| {
            let variant = change.apply(sketch);
            let measures = measure(meter, &variant, rank)?;
            looked();
            Ok(measures.map(|measures| Variant {
                change,
                sketch: variant,
                measures,
            }))
        })
        .collect();
    let limit = measured
        .iter()
        .find_map(|found| found.as_ref().err().copied());
    let is_same = |measures: &Measures| measures.solution.verdict == of.solution.verdict;
    let is_over = |measures: &Measures| measures.moves() == Some(0);
    let mut all: Vec<Variant> = measured
        .into_iter()
        .filter_map(Result::ok)
        .flatten()
        .collect();
    all.retain(|variant| {
        is_same(&variant.measures) == (aim == Aim::Keep) && !is_over(&variant.measures)
    });
    all.sort_by(|a, b| rank.compare(&a.measures, &b.measures));
    Variants { all, limit }
}

/// The measures of a board that boards are sorted by so; `None` if it is none.
///
/// # Errors
///
/// The limit, if the time is over.
pub fn measure(meter: &Meter, sketch: &Sketch, rank: Rank) -> Result<Option<Measures>, Limit> {
    let Some(game) = meter.game(sketch) else {
        return Ok(None);
    };
    let Some(solution) = meter.solve(&*game)? else {
        return Ok(None);
    };
    let depth = match rank {
        Rank::Moves | Rank::Probability => Depth::Answer,
        Rank::FirstMoves => Depth::FirstMoves,
        Rank::Difficulty => Depth::WholeLine,
    };
    let worths = match solution.line() {
        Some(line) => meter.worths(&*game, (line, depth))?,
        None => Some(Worths::default()),
    };
    Ok(worths.map(|worths| Measures { solution, worths }))
}
