use crate::advice::Worth;
use crate::analysis::difficulty::Difficulty;
use crate::analysis::{BestPlay, Count, RandomPlay, Section};
use crate::solution::Evidence;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::answers::Answer;
use crate::answers::words::grouped;
use crate::cli::args::name_of;

/// A measure of a board.
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
    /// Explains all measures, one per line.
    pub fn help() -> String {
        let line = |measure: &Self| {
            let value = measure.to_possible_value()?;
            Some(format!(
                "\n  {:<15} {}",
                value.get_name(),
                value.get_help()?
            ))
        };
        let lines = Self::value_variants().iter().filter_map(line);
        format!("Measures:{}", lines.collect::<String>())
    }

    pub fn name(self) -> String {
        name_of(&self)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    number: Number,
    pub bound: Bound,
}

/// How a number relates to the true value, which may be unknown because of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bound {
    Exact,
    Lower,
    Upper,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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

    fn whole(number: impl TryInto<u128>) -> Self {
        Self {
            number: Number::Whole(number.try_into().unwrap_or(u128::MAX)),
            bound: Bound::Exact,
        }
    }

    const fn at_least(self) -> Self {
        Self {
            bound: Bound::Lower,
            ..self
        }
    }

    fn counted<N: TryInto<u128>>(count: Count<N>) -> Self {
        match count {
            Count::Exactly(number) => Self::whole(number),
            Count::AtLeast(number) => Self::whole(number).at_least(),
        }
    }

    const fn difficulty(difficulty: Difficulty) -> Self {
        let bound = match difficulty {
            Difficulty::Exactly(_) => Bound::Exact,
            Difficulty::AtMost(_) => Bound::Upper,
        };
        Self {
            bound,
            ..Self::real(difficulty.bits())
        }
    }

    pub fn value(self) -> f64 {
        match self.number {
            Number::Whole(number) => number as f64,
            Number::Real(number) => number,
        }
    }

    /// Writes the measure for people.
    pub fn text(self, measure: Measure) -> String {
        let text = match self.number {
            Number::Whole(number) => grouped(number),
            Number::Real(number) if is_share(measure) => format!("{number:.6}"),
            Number::Real(number) => format!("{number:.2}"),
        };
        let sign = match self.bound {
            Bound::Exact => "",
            Bound::Lower => ">=",
            Bound::Upper => "<=",
        };
        format!("{sign}{text}")
    }

    /// Writes the measure for programs.
    pub fn plain(self) -> String {
        match self.number {
            Number::Whole(number) => number.to_string(),
            Number::Real(number) => format!("{}", (number * 1e6).round() / 1e6),
        }
    }
}

const fn is_share(measure: Measure) -> bool {
    matches!(measure, Measure::Random | Measure::Probability)
}

/// Returns the kind of bound that a limit can leave on a measure, and the suffix of the measure's name.
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
    let analysed = answer.analysed.as_ref()?;
    let analysis = &analysed.analysis;
    match measure {
        Measure::Length => {
            let line = solution.line().map(|line| line.chars().count());
            analysis.length.or(line).map(Measured::whole)
        }
        Measure::ShortestLines => analysis.shortest_lines.map(Measured::counted),
        Measure::FirstMoves => {
            let leads_out = |(_, worth): &&(String, Worth)| match worth {
                Worth::Escape { .. } => true,
                Worth::Chance { lower, .. } => *lower > 0.0,
                _ => false,
            };
            let is_open = |(_, worth): &(String, Worth)| match worth {
                Worth::Chance { lower, upper } => *lower <= 0.0 && *upper > 0.0,
                Worth::Unknown(_) => true,
                _ => false,
            };
            let moves = &analysis.first_moves;
            let all = Measured::whole(moves.iter().filter(leads_out).count());
            let has_open = moves.iter().any(is_open);
            (!moves.is_empty()).then(|| if has_open { all.at_least() } else { all })
        }
        Measure::Forced => analysis
            .forced
            .as_ref()
            .map(|turns| Measured::whole(turns.len())),
        Measure::LastMistake => {
            let mistake = analysis.last_mistake.as_ref();
            mistake.map(|mistake| Measured::whole(mistake.turn))
        }
        Measure::Reachable => analysis.reachable.map(Measured::counted),
        Measure::DeadEnds => analysis.dead_ends.map(Measured::whole),
        Measure::Random => analysis.random.and_then(random).map(Measured::real),
        Measure::Difficulty => analysis.difficulty.map(Measured::difficulty),
        Measure::Matters => {
            let all = Measured::whole(analysed.removals.len());
            let is_map = matches!(solution.evidence, Evidence::Direction { .. });
            match analysed.is_cut(Section::Removals) {
                _ if is_map => None,
                true => Some(all.at_least()),
                false => Some(all),
            }
        }
        Measure::Probability => solution.evidence.probability().map(Measured::real),
        Measure::Turns => {
            let exact = analysis
                .expected_turns
                .map(|[lower, upper]| f64::midpoint(lower, upper));
            let has_escaped = |play: &&BestPlay| play.escaped > 0;
            let played = || Some(analysis.best_play.as_ref().filter(has_escaped)?.turns);
            exact.or_else(played).map(Measured::real)
        }
        Measure::States => Some(Measured::whole(solution.states)),
    }
}

/// Returns the escape rate of a random player; `None` if a limit left the bounds too far apart.
fn random(play: RandomPlay) -> Option<f64> {
    match play {
        RandomPlay::Exact([lower, upper]) => {
            (upper - lower <= Evidence::PRECISION).then(|| f64::midpoint(lower, upper))
        }
        RandomPlay::Played(played) => Some(played.escaped as f64 / played.games.max(1) as f64),
    }
}
