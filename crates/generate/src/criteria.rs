//! Criteria for new boards.

use std::ops::RangeInclusive;

use getaway_board::fault::list;
use getaway_board::grid::Grid;
use getaway_play::solution::Verdict;

use super::layout::{CriteriaError, Layout, Plan, Question, Style, ThingKind, WallKind};
use super::measures::MeasuredMoves;

const MAX_CELLS: usize = 40_000;

/// The maximum number of legal moves in a position: eight steps, and staying.
const MAX_LEGAL: f64 = 9.0;

/// Returns the difficulty of a way out of this many moves on which the runner never has a choice.
fn bits(moves: usize) -> f64 {
    (1.0 + moves as f64).log2()
}

/// Criteria for new boards. By default, the runner can escape or, in a maze, reach food. A search also prefers boards whose way
/// out is not too short and whose chasers make a difference and, in games of chance, boards on which escape depends on luck.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Criteria {
    /// The number of rows; by default, the usual number for the ruleset, or fewer.
    pub rows: Option<usize>,
    /// The number of columns; by default, the usual number for the ruleset, or fewer.
    pub cols: Option<usize>,
    /// The number of players; by default 1.
    pub players: Option<usize>,
    /// The requested amounts of things: each has a name, such as `ghosts`, and a range.
    pub amounts: Vec<(String, RangeInclusive<usize>)>,
    /// The wall density, from 0 to 1.
    pub density: Option<f64>,
    /// The keys and values of settings for the board's header.
    pub settings: Vec<(String, String)>,
    /// The required verdict.
    pub verdict: Wanted,
    /// The minimum number of moves in a shortest way out or, in a maze, on the path to the food.
    pub min_moves: Option<usize>,
    /// In games of chance, a lower limit on the expected number of turns under best play, over the games that end in escape.
    pub min_turns: Option<usize>,
    /// The maximum number of first moves after which the runner can still escape.
    pub max_first_moves: Option<usize>,
    /// Allows only one shortest way out.
    pub unique: bool,
    /// The range of the difficulty, in bits.
    pub difficulty: Option<RangeInclusive<f64>>,
    /// The range of the probability of escape.
    pub probability: Option<RangeInclusive<f64>>,
    /// Removes walls and things that neither the verdict nor the other criteria need. The walls of rooms stay, and so does the
    /// usual minimum number of goals.
    pub minimal: bool,
}

/// The verdict that new boards must have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// The verdict `escape` or `food`, on a board that is worth playing.
    #[default]
    Interesting,
    /// Any verdict, on any board that can be drawn.
    Any,
    /// This verdict.
    Verdict(Verdict),
}

impl Criteria {
    pub(crate) fn plan(&self, layout: &dyn Layout) -> Result<Plan, CriteriaError> {
        let (rows, cols) = self.size(layout)?;
        let plan = Plan {
            rows,
            cols,
            players: self.players.unwrap_or(1),
            amounts: self.all_amounts(layout, rows, cols)?,
            density: self.density,
            is_sized: self.rows.is_some() || self.cols.is_some(),
            verdict: self.implied_verdict(layout.style().question),
            settings: self.settings.clone(),
            is_anywhere: false,
        };
        check_players(layout, &plan)?;
        self.check_shares(layout)?;
        check_room(layout, &plan)?;
        self.check_answer(layout, &plan)?;
        layout.check(&plan)?;
        Ok(plan)
    }

    /// Returns which of a board's moves have to be measured.
    pub(crate) fn scope(&self) -> MeasuredMoves {
        if self.unique || self.difficulty.is_some() {
            MeasuredMoves::WholeLine
        } else if self.max_first_moves.is_some() {
            MeasuredMoves::FirstMoves
        } else {
            MeasuredMoves::None
        }
    }

    /// Returns whether the criteria set a size or an amount.
    pub(crate) fn is_about_size(&self) -> bool {
        self.rows.is_some() || self.cols.is_some() || !self.amounts.is_empty()
    }

    /// Returns the required verdict on boards with this question; `None` if any will do.
    pub(crate) fn required_verdict(&self, question: Question) -> Option<Verdict> {
        match self.verdict {
            Wanted::Any => None,
            Wanted::Interesting => Some(question.verdicts()[0]),
            Wanted::Verdict(verdict) => Some(verdict),
        }
    }

    fn implied_verdict(&self, question: Question) -> Option<Verdict> {
        let is_above_0 = |range: &RangeInclusive<f64>| *range.start() > 0.0;
        let is_escape = self.counts_moves() || self.probability.as_ref().is_some_and(is_above_0);
        let implied = is_escape.then_some(question.verdicts()[0]);
        self.required_verdict(question).or(implied)
    }

    fn counts_moves(&self) -> bool {
        let is_long = self.min_moves.is_some() || self.min_turns.is_some();
        is_long || self.scope() > MeasuredMoves::None
    }

    fn size(&self, layout: &dyn Layout) -> Result<(usize, usize), CriteriaError> {
        let size = (
            self.rows.unwrap_or(layout.style().size.rows),
            self.cols.unwrap_or_else(|| self.usual_cols(layout)),
        );
        let Style {
            ruleset,
            min_size: min,
            ..
        } = layout.style();
        let is_fit = Grid::new(size.0, size.1).is_some_and(|grid| grid.size() <= MAX_CELLS);
        CriteriaError::check([
            (
                size.0 < min.rows || size.1 < min.cols,
                format!(
                    "boards of `{ruleset}` have at least {} rows and {} columns",
                    min.rows, min.cols
                ),
            ),
            (
                !is_fit,
                format!("a new board has at most {MAX_CELLS} cells"),
            ),
        ])?;
        Ok(size)
    }

    /// Returns the default number of columns, or fewer if a way out across them is longer than the wanted difficulty allows.
    fn usual_cols(&self, layout: &dyn Layout) -> usize {
        let (min, usual) = (layout.style().min_size.cols, layout.style().size.cols);
        let Some(range) = &self.difficulty else {
            return usual;
        };
        // Half a bit remains for choices.
        let max = range.end() - 0.5;
        let is_possible = |&cols: &usize| bits(layout.min_moves_across(cols)) <= max;
        let cols = (min..=usual).rev().find(is_possible);
        cols.unwrap_or(min)
    }

    fn all_amounts(
        &self,
        layout: &dyn Layout,
        rows: usize,
        cols: usize,
    ) -> Result<Vec<RangeInclusive<usize>>, CriteriaError> {
        let (ruleset, known) = (layout.style().ruleset, layout.style().amounts);
        let players = self.players.unwrap_or(1);
        let by_default = known
            .iter()
            .map(|amount| (amount.by_default)(rows, cols, players));
        let mut all: Vec<_> = by_default.collect();
        for (name, range) in &self.amounts {
            let Some(at) = known.iter().position(|amount| amount.name == name) else {
                let can_vary = |amount: &&ThingKind| amount.allowed.0 < amount.allowed.1;
                let known = known.iter().filter(can_vary).map(|amount| amount.name);
                let known = list(&known.collect::<Vec<_>>());
                return Err(CriteriaError(format!(
                    "boards of `{ruleset}` have no `{name}`; they have {known}"
                )));
            };
            let (min, max) = known[at].allowed;
            if *range.start() < min || *range.end() > max {
                let allowed = match max {
                    usize::MAX => format!("at least {min}"),
                    _ if min == max => format!("exactly {min}"),
                    _ => format!("{min} to {max}"),
                };
                return Err(CriteriaError(format!(
                    "`{name}` must be {allowed} on boards of `{ruleset}`"
                )));
            }
            all[at] = range.clone();
        }
        Ok(all)
    }

    fn check_shares(&self, layout: &dyn Layout) -> Result<(), CriteriaError> {
        let ends = |range: &RangeInclusive<f64>| [*range.start(), *range.end()];
        let probabilities = self.probability.iter().flat_map(ends);
        let mut shares = self.density.into_iter().chain(probabilities);
        if let Some(share) = shares.find(|share| !(0.0..=1.0).contains(share)) {
            let why = format!("{share} is out of range: write a number from 0 to 1");
            return Err(CriteriaError(why));
        }
        let has_density = |other: &dyn Layout| other.style().kind_of_walls != WallKind::Rooms;
        self.density
            .map_or(Ok(()), |_| only_for(layout, "density", has_density))
    }

    fn check_answer(&self, layout: &dyn Layout, plan: &Plan) -> Result<(), CriteriaError> {
        let (chance, escape) = (&[Question::Chance][..], &[Question::Escape][..]);
        let criteria = [
            ("probability", self.probability.is_some(), chance),
            ("min-turns", self.min_turns.is_some(), chance),
            ("min-moves", self.min_moves.is_some(), &PATHS),
            ("max-first-moves", self.max_first_moves.is_some(), escape),
            ("unique", self.unique, escape),
            ("difficulty", self.difficulty.is_some(), escape),
        ];
        for (criterion, _, questions) in criteria.into_iter().filter(|(_, is_set, _)| *is_set) {
            only_for(layout, criterion, |other| {
                questions.contains(&other.style().question)
            })?;
        }
        self.check_contradictions(layout, plan)
    }

    fn check_contradictions(&self, layout: &dyn Layout, plan: &Plan) -> Result<(), CriteriaError> {
        let style = layout.style();
        let moves = self.min_moves.or(self.min_turns).unwrap_or(0);
        let max_moves = layout.max_moves(plan).unwrap_or(usize::MAX);
        let (low, high) = ends(self.difficulty.as_ref(), f64::INFINITY);
        let min = bits(moves);
        let max = bits(max_moves) + max_moves as f64 * MAX_LEGAL.log2();
        let (rare, likely) = ends(self.probability.as_ref(), 1.0);
        let is_success = plan.verdict.map(Verdict::is_success);
        let wanted = self.required_verdict(style.question);
        let wanted = wanted.unwrap_or(style.question.verdicts()[0]);
        let mut counted = style.amounts.iter().zip(&plan.amounts);
        let is_calm = counted.all(|(amount, range)| !amount.is_chaser || *range.end() == 0);
        CriteriaError::check([
            (
                !style.question.verdicts().contains(&wanted),
                format!("the verdict on a board of `{}` is never `{wanted}`", style.ruleset),
            ),
            (
                !wanted.is_success() && self.counts_moves(),
                "criteria on moves need the verdict `escape` or `food`".into(),
            ),
            (
                self.max_first_moves == Some(0),
                "a board with a way out has a first move that leads out: `max-first-moves` must be at least 1".into(),
            ),
            (
                is_success == Some(true) && self.density.is_some_and(|share| share >= 1.0),
                "a wall density of 1 leaves no free path: lower it".into(),
            ),
            (
                moves > max_moves,
                format!("no board of this size has a shortest way out of {moves} moves: the maximum is {max_moves}"),
            ),
            (
                high < min,
                format!("a way out of {moves} moves has a difficulty of at least {min:.2} bits, not {high}"),
            ),
            (
                low > max,
                format!("no board of this size has a difficulty above {max:.0} bits"),
            ),
            (
                is_success == Some(true) && likely <= 0.0 || is_success == Some(false) && rare > 0.0,
                "the probability of escape is above 0 if the verdict is `escape`, and 0 if it is `caught`".into(),
            ),
            (
                is_calm && rare > 0.0 && likely < 1.0,
                "without chasers nothing is left to chance: the probability of escape is 0 or 1".into(),
            ),
        ])
    }
}

pub(super) const PATHS: [Question; 2] = [Question::Escape, Question::Food];

fn ends(range: Option<&RangeInclusive<f64>>, max: f64) -> (f64, f64) {
    range.map_or((0.0, max), |range| (*range.start(), *range.end()))
}

fn check_players(layout: &dyn Layout, plan: &Plan) -> Result<(), CriteriaError> {
    let max = layout.style().max_players;
    if plan.players > 1 {
        only_for(layout, "players", |other| other.style().max_players > 1)?;
    }
    let why = format!("the number of players must be 1 to {max}");
    CriteriaError::check([(!(1..=max).contains(&plan.players), why)])
}

fn check_room(layout: &dyn Layout, plan: &Plan) -> Result<(), CriteriaError> {
    let counted = layout
        .style()
        .amounts
        .iter()
        .zip(&plan.amounts)
        .filter(|(amount, _)| amount.glyph.is_some());
    let min = counted.map(|(_, range)| *range.start());
    let wanted = min.fold(0, usize::saturating_add);
    let room = layout.capacity(plan);
    CriteriaError::check([(
        wanted > room,
        format!("there is no room for {wanted} on this board, only for {room}: make it larger"),
    )])
}

pub(super) fn only_for(
    layout: &dyn Layout,
    criterion: &str,
    has: impl Fn(&dyn Layout) -> bool,
) -> Result<(), CriteriaError> {
    let layouts = super::layouts::LAYOUTS.into_iter();
    let known = layouts.filter(|&other| has(other));
    let known: Vec<_> = known.map(|other| other.style().ruleset).collect();
    let (ruleset, known) = (layout.style().ruleset, list(&known));
    let why =
        format!("`{criterion}` does not apply to boards of `{ruleset}`, only to those of {known}");
    CriteriaError::check([(!has(layout), why)])
}
