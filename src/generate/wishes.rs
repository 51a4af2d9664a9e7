//! Criteria for new boards.

use std::ops::RangeInclusive;

use crate::fault::list;
use crate::grid::Grid;
use crate::solution::Verdict;

use super::layout::{Impossible, Layout, Plan, Question, WallKind};
use super::measures::Depth;
use super::sketch::Mirror;

const MOST_CELLS: usize = 40_000;

/// Criteria for new boards. By default a board has a way out that is not too short, and its chasers make a
/// difference, as far as possible.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wishes {
    /// The number of rows.
    pub rows: Option<usize>,
    /// The number of columns.
    pub cols: Option<usize>,
    /// The name of each amount of things, with its range.
    pub amounts: Vec<(String, RangeInclusive<usize>)>,
    /// The wall density, from 0 to 1.
    pub density: Option<f64>,
    /// The mirror that maps the walls, or rooms with their doors, to themselves.
    pub symmetry: Option<Mirror>,
    /// Settings for the header.
    pub settings: Vec<(String, String)>,
    /// The wanted verdict.
    pub verdict: Wanted,
    /// The minimum number of moves in a shortest way out.
    pub min_moves: Option<usize>,
    /// In games of chance, the minimum mean number of turns in games that end in escape under best play.
    pub min_turns: Option<usize>,
    /// The maximum number of first moves after which the runner can still escape.
    pub max_first_moves: Option<usize>,
    /// Allows only one shortest way out.
    pub unique: bool,
    /// The range of the difficulty, in bits.
    pub difficulty: Option<RangeInclusive<f64>>,
    /// The range of the probability of escape.
    pub probability: Option<RangeInclusive<f64>>,
    /// Makes every wall and actor necessary for the answer.
    pub minimal: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// The good verdict, on a board that is worth playing.
    #[default]
    Taste,
    /// Any verdict, on any board that can be drawn.
    Any,
    Verdict(Verdict),
}

impl Wishes {
    pub(crate) fn plan(&self, layout: &Layout) -> Result<Plan, Impossible> {
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
        self.check_shares(layout)?;
        check_room(layout, &plan)?;
        self.check_answer(layout, &plan)?;
        (layout.refuse)(&plan)?;
        Ok(plan)
    }

    /// The moves that have to be measured.
    pub fn depth(&self) -> Depth {
        if self.unique || self.difficulty.is_some() {
            Depth::WholeLine
        } else if self.max_first_moves.is_some() {
            Depth::FirstMoves
        } else {
            Depth::Answer
        }
    }

    /// Returns true if a criterion makes boards larger, or harder to solve.
    pub fn is_about_size(&self) -> bool {
        self.rows.is_some() || self.cols.is_some() || !self.amounts.is_empty()
    }

    fn size(&self, layout: &Layout) -> Result<(usize, usize), Impossible> {
        let (rows, cols) = layout.size;
        let size = (self.rows.unwrap_or(rows), self.cols.unwrap_or(cols));
        let (ruleset, least) = (layout.ruleset, layout.least_size);
        if size.0 < least.0 || size.1 < least.1 {
            return Err(Impossible(format!(
                "boards of `{ruleset}` have at least {} rows and {} columns",
                least.0, least.1
            )));
        }
        let is_fit = Grid::new(size.0, size.1).is_some_and(|grid| grid.size() <= MOST_CELLS);
        let too_large = || Impossible(format!("a new board has at most {MOST_CELLS} cells"));
        is_fit.then_some(size).ok_or_else(too_large)
    }

    fn all_amounts(
        &self,
        layout: &Layout,
        (rows, cols): (usize, usize),
    ) -> Result<Vec<RangeInclusive<usize>>, Impossible> {
        let (ruleset, known) = (layout.ruleset, layout.amounts);
        let default = |(least, most)| least..=most;
        let mut all: Vec<_> = known
            .iter()
            .map(|amount| default((amount.by_default)(rows, cols)))
            .collect();
        for (name, range) in &self.amounts {
            let Some(at) = known.iter().position(|amount| amount.name == name) else {
                let known: Vec<_> = known.iter().map(|amount| amount.name).collect();
                let known = list(&known);
                return Err(Impossible(format!(
                    "`{ruleset}` has no `{name}`, but {known}"
                )));
            };
            let (least, most) = known[at].allowed;
            if *range.start() < least || *range.end() > most {
                let allowed = match most {
                    usize::MAX => format!("at least {least}"),
                    _ if least == most => format!("exactly {least}"),
                    _ => format!("from {least} to {most}"),
                };
                return Err(Impossible(format!("`{name}` of `{ruleset}` are {allowed}")));
            }
            all[at] = range.clone();
        }
        Ok(all)
    }

    fn check_shares(&self, layout: &Layout) -> Result<(), Impossible> {
        let probabilities = self
            .probability
            .iter()
            .flat_map(|range| [*range.start(), *range.end()]);
        let mut shares = self.density.into_iter().chain(probabilities);
        if let Some(share) = shares.find(|share| !(0.0..=1.0).contains(share)) {
            return Err(Impossible(format!(
                "{share} is not a share: write a number from 0 to 1"
            )));
        }
        match self.density {
            Some(_) => only_for(layout, "density", |other| {
                other.kind_of_walls != WallKind::Rooms
            }),
            None => Ok(()),
        }
    }

    fn check_answer(&self, layout: &Layout, plan: &Plan) -> Result<(), Impossible> {
        let is_chance = |question| question == Question::Chance;
        let is_path = |question| question != Question::Chance;
        let is_escape = |question| question == Question::Escape;
        let wishes: [(_, _, Has); 6] = [
            ("probability", self.probability.is_some(), is_chance),
            ("min-turns", self.min_turns.is_some(), is_chance),
            ("min-moves", self.min_moves.is_some(), is_path),
            ("max-first-moves", self.max_first_moves.is_some(), is_escape),
            ("unique", self.unique, is_escape),
            ("difficulty", self.difficulty.is_some(), is_escape),
        ];
        for (wish, _, has) in wishes.into_iter().filter(|(_, is_wished, _)| *is_wished) {
            only_for(layout, wish, |other| has(other.question))?;
        }
        if self.max_first_moves == Some(0) {
            let why =
                "a board with a way out has a first move that leads out: ask for at most 1 or more";
            return Err(Impossible(why.to_owned()));
        }
        if let Wanted::Verdict(verdict) = self.verdict {
            self.check_verdict(layout, verdict)?;
        }
        match (self.min_moves, (layout.most_moves)(plan)) {
            (Some(wanted), Some(most)) if wanted > most => Err(Impossible(format!(
                "no board of this size has a shortest way out of {wanted} moves: {most} is the most"
            ))),
            _ => Ok(()),
        }
    }

    fn check_verdict(&self, layout: &Layout, verdict: Verdict) -> Result<(), Impossible> {
        if !layout.question.verdicts().contains(&verdict) {
            let ruleset = layout.ruleset;
            return Err(Impossible(format!(
                "the verdict on a board of `{ruleset}` is never `{verdict}`"
            )));
        }
        let is_about_moves = self.min_moves.is_some() || self.min_turns.is_some();
        if !verdict.is_good() && (is_about_moves || self.depth() > Depth::Answer) {
            let why = "where nobody gets out there are no moves to count";
            return Err(Impossible(why.to_owned()));
        }
        Ok(())
    }
}

type Has = fn(Question) -> bool;

fn check_room(layout: &Layout, plan: &Plan) -> Result<(), Impossible> {
    let counted = layout.amounts.iter().zip(&plan.amounts);
    let wanted = counted
        .filter(|(amount, _)| amount.glyph.is_some())
        .map(|(_, range)| *range.start())
        .fold(0, usize::saturating_add);
    let room = (layout.room)(plan);
    if wanted > room {
        return Err(Impossible::crowded(wanted, room));
    }
    Ok(())
}

pub(super) fn only_for(
    layout: &Layout,
    wish: &str,
    has: impl Fn(&Layout) -> bool,
) -> Result<(), Impossible> {
    if has(layout) {
        return Ok(());
    }
    let known = super::layouts::LAYOUTS
        .into_iter()
        .filter(|other| has(other));
    let known: Vec<_> = known.map(|other| other.ruleset).collect();
    let (ruleset, known) = (layout.ruleset, list(&known));
    Err(Impossible(format!(
        "`{wish}` means nothing for `{ruleset}`, but for {known}"
    )))
}
