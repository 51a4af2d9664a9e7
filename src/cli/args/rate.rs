//! Arguments of `getaway rate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{HowArgs, name_of};

const NOTES: &str = "\
`getaway analyse --help` explains the difficulty and the limits. `>=` or `<=` marks a bound: a limit hid the exact \
value, and `--histogram` omits the board. Boards without a value always come last.

Examples:
  getaway rate puzzles/jimmy
  getaway rate --sort -difficulty levels/*.txt      hardest first
  getaway rate --csv levels > levels.csv
  getaway rate --histogram length levels";

#[derive(Debug, Args)]
#[command(after_long_help = format!("{}\n\n{NOTES}", Measure::help()))]
pub struct Rate {
    /// Board files and folders of them; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Sort by this measure; `-MEASURE` for descending.
    #[arg(long, value_name = "MEASURE", allow_hyphen_values = true)]
    pub sort: Option<Sort>,
    /// Reverse the order.
    #[arg(long)]
    pub reverse: bool,
    /// Print comma-separated values with a header.
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub csv: bool,
    /// Draw a histogram of this measure, not a table.
    #[arg(long, value_enum, value_name = "MEASURE", hide_possible_values = true)]
    #[arg(conflicts_with_all = ["json", "quiet", "csv", "sort", "reverse"])]
    pub histogram: Option<Measure>,
    #[command(flatten)]
    pub how: HowArgs,
}

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    pub measure: Measure,
    pub is_descending: bool,
}

impl std::str::FromStr for Sort {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.strip_prefix('-');
        let known: Vec<_> = Measure::value_variants().iter().map(name_of).collect();
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        let wanted = name.unwrap_or(text).replace('_', "-");
        let measure = Measure::from_str(&wanted, true)
            .map_err(|_| crate::fault::did_you_mean(&wanted, &known))?;
        Ok(Self {
            measure,
            is_descending: name.is_some(),
        })
    }
}
