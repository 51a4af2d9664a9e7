use clap::ValueEnum;
use getaway_play::analysis::difficulty::Difficulty;
use getaway_play::analysis::{Count, RandomPlay, Section};
use getaway_play::evaluation::PositionValue;

use crate::cli::args::name_of;
use getaway_board::words::grouped;
use getaway_solvers::answers::Answer;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Measure {
    /// The moves of a shortest escape, or the steps to the food.
    Length,
    /// The number of shortest escapes.
    ShortestLines,
    /// The number of first moves that still escape.
    FirstMoves,
    /// The number of turns in which every move but one loses.
    Forced,
    /// The last turn with a losing move on a shortest escape.
    LastMistake,
    /// The number of positions that play can reach.
    Reachable,
    /// The number of these positions without an escape.
    DeadEnds,
    /// The probability that a player who moves at random escapes.
    Random,
    /// The difficulty in bits.
    Difficulty,
    /// The number of things whose removal changes the answer.
    Matters,
    /// The probability of escape under best play.
    Probability,
    /// The average number of turns in an escape under best play.
    Turns,
    /// The number of positions searched for the answer.
    States,
}

impl Measure {
    pub fn help() -> String {
        let line = |measure: &Self| {
            let value = measure.to_possible_value()?;
            let help = value.get_help()?;
            Some(format!("\n  {:<15} {help}", value.get_name()))
        };
        let lines = Self::value_variants().iter().filter_map(line);
        format!("Measures:{}", lines.collect::<String>())
    }

    pub fn name(self) -> String {
        name_of(&self)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    number: Number,
    pub bound: Bound,
}

/// The relation of a number to the true value, which a limit may hide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    Lower,
    Upper,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Whole(u128),
    Real(f64),
}

impl Measured {
    const fn real(number: f64) -> Self {
        Self {
            number: Number::Real(number),
            bound: Bound::Exact,
        }
    }

    fn whole(number: usize) -> Self {
        Self::counted(Count::Exactly(number as u64))
    }

    fn counted(count: Count<impl Into<u128>>) -> Self {
        let (number, bound) = match count {
            Count::Exactly(number) => (number, Bound::Exact),
            Count::AtLeast(number) => (number, Bound::Lower),
        };
        let number = Number::Whole(number.into());
        Self { number, bound }
    }

    const fn difficulty(difficulty: Difficulty) -> Self {
        let bound = match difficulty {
            Difficulty::Exactly(_) => Bound::Exact,
            Difficulty::AtMost(_) => Bound::Upper,
        };
        let number = Number::Real(difficulty.bits());
        Self { number, bound }
    }

    pub fn value(self) -> f64 {
        match self.number {
            Number::Whole(number) => number as f64,
            Number::Real(number) => number,
        }
    }

    pub fn text(self, measure: Measure) -> String {
        let sign = match self.bound {
            Bound::Exact => "",
            Bound::Lower => ">=",
            Bound::Upper => "<=",
        };
        let is_share = matches!(measure, Measure::Random | Measure::Probability);
        match self.number {
            Number::Whole(number) => format!("{sign}{}", grouped(number)),
            Number::Real(number) if is_share => format!("{sign}{number:.6}"),
            Number::Real(number) => format!("{sign}{number:.2}"),
        }
    }

    pub fn plain(self) -> String {
        match self.number {
            Number::Whole(number) => number.to_string(),
            Number::Real(number) => ((number * 1e6).round() / 1e6).to_string(),
        }
    }
}

/// Returns the kind of bound that a search cut short by a limit can leave, and the suffix of the CSV column for it; `None` for a
/// measure without such a bound.
pub const fn bound(measure: Measure) -> Option<(Bound, &'static str)> {
    match measure {
        Measure::ShortestLines | Measure::FirstMoves | Measure::Reachable | Measure::Matters => {
            Some((Bound::Lower, "_at_least"))
        }
        Measure::Difficulty => Some((Bound::Upper, "_at_most")),
        _ => None,
    }
}

pub fn all(answer: &Answer) -> Vec<Option<Measured>> {
    let measures = Measure::value_variants().iter();
    measures.map(|&measure| measured(measure, answer)).collect()
}

fn measured(measure: Measure, answer: &Answer) -> Option<Measured> {
    let solution = &answer.solution;
    let analysis = answer.analysis.as_ref()?;
    Some(match measure {
        Measure::Length => {
            let line = solution.line().map(|line| line.chars().count());
            Measured::whole(analysis.length.or(line)?)
        }
        Measure::ShortestLines => Measured::counted(analysis.shortest_lines?),
        Measure::FirstMoves => first_moves(&analysis.first_moves)?,
        Measure::Forced => Measured::whole(analysis.forced.as_ref()?.len()),
        Measure::LastMistake => Measured::whole(analysis.last_mistake.as_ref()?.turn),
        Measure::Reachable => Measured::counted(analysis.reachable?),
        Measure::DeadEnds => Measured::counted(Count::Exactly(analysis.dead_ends?)),
        Measure::Random => Measured::real(random(analysis.random?)?),
        Measure::Difficulty => Measured::difficulty(analysis.difficulty?),
        Measure::Matters => {
            let is_cut = analysis.is_cut(Section::Removals);
            at_least_if(is_cut, analysis.matters.as_ref()?.len())
        }
        Measure::Probability => Measured::real(solution.evidence.probability()?),
        Measure::Turns => Measured::real(match (analysis.expected_turns, &analysis.best_play) {
            (Some(turns), _) => turns.middle(),
            (None, Some(play)) if play.escaped > 0 => play.turns,
            _ => return None,
        }),
        Measure::States => Measured::counted(Count::Exactly(solution.states)),
    })
}

fn at_least_if(is_bound: bool, number: usize) -> Measured {
    let bound = if is_bound { Bound::Lower } else { Bound::Exact };
    Measured {
        bound,
        ..Measured::whole(number)
    }
}

/// Counts the first moves that lead out; returns `None` if `moves` is empty. The number is a lower bound if, for some move, it is
/// unknown whether it leads out.
fn first_moves(moves: &[(String, PositionValue)]) -> Option<Measured> {
    let leads_out = |(_, value): &&(String, PositionValue)| match value {
        PositionValue::Escape { .. } => true,
        PositionValue::Chance(bounds) => bounds.lower > 0.0,
        _ => false,
    };
    let is_open = |(_, value): &(String, PositionValue)| match value {
        PositionValue::Chance(bounds) => bounds.lower <= 0.0 && bounds.upper > 0.0,
        PositionValue::Unknown(_) => true,
        _ => false,
    };
    let number = moves.iter().filter(leads_out).count();
    (!moves.is_empty()).then(|| at_least_if(moves.iter().any(is_open), number))
}

fn random(play: RandomPlay) -> Option<f64> {
    match play {
        RandomPlay::Exact(bounds) => bounds.is_exact().then(|| bounds.middle()),
        RandomPlay::Played { games, .. } => Some(games.rate()),
    }
}
