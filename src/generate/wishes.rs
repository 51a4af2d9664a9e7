//! What somebody wants of a new board.

use std::ops::RangeInclusive;

use crate::grid::Grid;
use crate::solution::Verdict;

use super::impossible::{Impossible, MOST_CELLS};
use super::layout::{Layout, Plan, Question};
use super::measures::Depth;
use super::sketch::Mirror;

/// What somebody wants of new boards. By default nothing: then there is a way out, it is not too short, and
/// those who chase make a difference, as far as that can be had.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wishes {
    /// The number of rows.
    pub rows: Option<usize>,
    /// The number of columns.
    pub cols: Option<usize>,
    /// How few and how many of something, by the name of an amount.
    pub amounts: Vec<(String, RangeInclusive<usize>)>,
    /// The share of the places for walls that have one, from 0 to 1.
    pub density: Option<f64>,
    /// The mirror in which the walls, and rooms with their doors, stay as they are.
    pub symmetry: Option<Mirror>,
    /// Settings for the header, as keys and values.
    pub settings: Vec<(String, String)>,
    /// The verdict.
    pub verdict: Wanted,
    /// The fewest moves that a shortest way out may have.
    pub min_moves: Option<usize>,
    /// The fewest turns that a game which escapes may take on average under best play, where chance has a say.
    pub min_turns: Option<usize>,
    /// The most first moves that may still lead out.
    pub max_first_moves: Option<usize>,
    /// Whether there must be one shortest way out and no other.
    pub unique: bool,
    /// The bounds of the difficulty, in bits.
    pub difficulty: Option<RangeInclusive<f64>>,
    /// The bounds of the probability of escape.
    pub probability: Option<RangeInclusive<f64>>,
    /// Whether no wall and nobody may be left out without changing the answer.
    pub minimal: bool,
}

/// Which verdict is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// The usual one, on a board that is worth playing.
    #[default]
    Taste,
    /// Any, on any board that can be drawn.
    Any,
    /// This one.
    Verdict(Verdict),
}

impl Wishes {
    /// How boards of this ruleset are to be drawn so.
    ///
    /// # Errors
    ///
    /// Why they can't be.
    pub fn plan(&self, layout: &dyn Layout) -> Result<Plan, Impossible> {
        let (rows, cols) = self.size(layout)?;
        let plan = Plan {
            rows,
            cols,
            amounts: self.all_amounts(layout, (rows, cols))?,
            density: self.density,
            symmetry: self.symmetry,
            is_sized: self.rows.is_some() || self.cols.is_some(),
            verdict: match self.verdict {
                Wanted::Verdict(verdict) => Some(verdict),
                Wanted::Taste | Wanted::Any => None,
            },
            settings: self.settings.clone(),
        };
        self.check_walls(layout)?;
        check_room(layout, &plan)?;
        self.check_answer(layout, &plan)?;
        layout.refuse(&plan)?;
        Ok(plan)
    }

    /// What has to be found out of the moves along a shortest way out.
    pub fn depth(&self) -> Depth {
        if self.unique || self.difficulty.is_some() {
            Depth::WholeLine
        } else if self.max_first_moves.is_some() {
            Depth::FirstMoves
        } else {
            Depth::Answer
        }
    }

    /// Whether anything is asked for that makes a board larger, or harder to solve.
    pub fn is_about_size(&self) -> bool {
        self.rows.is_some() || self.cols.is_some() || !self.amounts.is_empty()
    }

    fn size(&self, layout: &dyn Layout) -> Result<(usize, usize), Impossible> {
        let (rows, cols) = layout.size();
        let size = (self.rows.unwrap_or(rows), self.cols.unwrap_or(cols));
        let (ruleset, least) = (layout.ruleset(), layout.least_size());
        if size.0 < least.0 || size.1 < least.1 {
            return Err(Impossible::TooSmall { ruleset, least });
        }
        let is_fit = Grid::new(size.0, size.1).is_some_and(|grid| grid.size() <= MOST_CELLS);
        is_fit.then_some(size).ok_or(Impossible::TooLarge)
    }

    fn all_amounts(
        &self,
        layout: &dyn Layout,
        (rows, cols): (usize, usize),
    ) -> Result<Vec<RangeInclusive<usize>>, Impossible> {
        let (ruleset, known) = (layout.ruleset(), layout.amounts());
        let default = |(least, most)| least..=most;
        let mut all: Vec<_> = known
            .iter()
            .map(|amount| default((amount.by_default)(rows, cols)))
            .collect();
        for (name, range) in &self.amounts {
            let Some(at) = known.iter().position(|amount| amount.name == name) else {
                return Err(Impossible::NoSuchAmount {
                    name: name.clone(),
                    ruleset,
                    known: known.iter().map(|amount| amount.name).collect(),
                });
            };
            let (least, most) = known[at].allowed;
            if *range.start() < least || *range.end() > most {
                return Err(Impossible::Amount {
                    name: known[at].name,
                    ruleset,
                    allowed: known[at].allowed,
                });
            }
            all[at] = range.clone();
        }
        Ok(all)
    }

    fn check_walls(&self, layout: &dyn Layout) -> Result<(), Impossible> {
        let probabilities = self
            .probability
            .iter()
            .flat_map(|range| [*range.start(), *range.end()]);
        let mut shares = self.density.into_iter().chain(probabilities);
        if let Some(share) = shares.find(|share| !(0.0..=1.0).contains(share)) {
            return Err(Impossible::Share(share));
        }
        match self.density {
            Some(_) => only_for(layout, "density", |other| other.has_density()),
            None => Ok(()),
        }
    }

    fn check_answer(&self, layout: &dyn Layout, plan: &Plan) -> Result<(), Impossible> {
        let of_chance = [
            ("probability", self.probability.is_some()),
            ("min-turns", self.min_turns.is_some()),
        ];
        for (wish, _) in of_chance.into_iter().filter(|(_, is_wished)| *is_wished) {
            only_for(layout, wish, |other| other.question() == Question::Chance)?;
        }
        if self.min_moves.is_some() {
            only_for(layout, "min-moves", |other| {
                other.question() != Question::Chance
            })?;
        }
        let of_moves = [
            ("max-first-moves", self.max_first_moves.is_some()),
            ("unique", self.unique),
            ("difficulty", self.difficulty.is_some()),
        ];
        for (wish, _) in of_moves.into_iter().filter(|(_, is_wished)| *is_wished) {
            only_for(layout, wish, |other| other.question() == Question::Escape)?;
        }
        if self.max_first_moves == Some(0) {
            let why =
                "a board with a way out has a first move that leads out: ask for at most 1 or more";
            return Err(Impossible::Contradiction(why));
        }
        if let Wanted::Verdict(verdict) = self.verdict {
            self.check_verdict(layout, verdict)?;
        }
        match (self.min_moves, layout.most_moves(plan)) {
            (Some(wanted), Some(most)) if wanted > most => Err(Impossible::Moves { wanted, most }),
            _ => Ok(()),
        }
    }

    fn check_verdict(&self, layout: &dyn Layout, verdict: Verdict) -> Result<(), Impossible> {
        let ruleset = layout.ruleset();
        if !layout.question().verdicts().contains(&verdict) {
            return Err(Impossible::Verdict { ruleset, verdict });
        }
        let is_about_moves = self.min_moves.is_some() || self.min_turns.is_some();
        if !verdict.is_good() && (is_about_moves || self.depth() > Depth::Answer) {
            let why = "where nobody gets out there are no moves to count";
            return Err(Impossible::Contradiction(why));
        }
        Ok(())
    }
}

/// There must be a cell for each of those who are to stand on the board.
fn check_room(layout: &dyn Layout, plan: &Plan) -> Result<(), Impossible> {
    let counted = layout.amounts().iter().zip(&plan.amounts);
    let wanted = counted
        .filter(|(amount, _)| amount.glyph.is_some())
        .map(|(_, range)| *range.start())
        .fold(0, usize::saturating_add);
    let room = layout.room(plan);
    if wanted > room {
        return Err(Impossible::Crowded { wanted, room });
    }
    Ok(())
}

/// Only a ruleset that has something can be asked for it.
pub(super) fn only_for(
    layout: &dyn Layout,
    wish: &'static str,
    has: impl Fn(&dyn Layout) -> bool,
) -> Result<(), Impossible> {
    if has(layout) {
        return Ok(());
    }
    let all = super::layouts::LAYOUTS.into_iter();
    Err(Impossible::Meaningless {
        wish,
        ruleset: layout.ruleset(),
        known: all
            .filter(|&other| has(other))
            .map(Layout::ruleset)
            .collect(),
    })
}
