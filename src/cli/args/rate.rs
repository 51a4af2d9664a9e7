//! Arguments of `getaway rate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{HowArgs, name_of};

#[derive(Debug, Args)]
#[command(after_help = "\
The measures are those of `getaway analyse`, whose help says what they are and how far it looks. A number \
after `>=` or `<=` is a bound: a limit kept the value from being found out, and `--histogram` leaves the board out. Boards \
without a value come last, however the others are sorted.

Examples:
  getaway rate puzzles/jimmy
  getaway rate --sort -difficulty levels/*.txt      hardest first
  getaway rate --csv levels > levels.csv
  getaway rate --histogram length levels")]
pub struct Rate {
    /// Board files and folders of them; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Sort by this measure, least first; `-MEASURE` puts the greatest first.
    #[arg(long, value_name = "MEASURE", allow_hyphen_values = true)]
    pub sort: Option<Sort>,
    /// Turn the order round.
    #[arg(long)]
    pub reverse: bool,
    /// Print comma-separated values, with a line of names first.
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub csv: bool,
    /// Draw how often each value of this measure occurs, instead of the table.
    #[arg(long, value_enum, value_name = "MEASURE", hide_possible_values = true)]
    #[arg(conflicts_with_all = ["json", "quiet", "csv", "sort", "reverse"])]
    pub histogram: Option<Measure>,
    #[command(flatten)]
    pub how: HowArgs,
}

/// What can be told of a board by a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Measure {
    /// Moves of a shortest escape, or steps of the path to the food.
    Length,
    /// Lines of so many moves that escape.
    ShortestLines,
    /// First moves after which there still is an escape.
    FirstMoves,
    /// Turns in which every move but one loses.
    Forced,
    /// The last turn with a move that loses.
    LastMistake,
    /// Positions that play can lead to.
    Reachable,
    /// Those of them without an escape.
    DeadEnds,
    /// How often a random player escapes.
    Random,
    /// Difficulty in bits.
    Difficulty,
    /// Things without which the answer would be another one.
    Matters,
    /// The probability of escape under best play.
    Probability,
    /// Turns of a game that escapes under best play, on average.
    Turns,
    /// States that the search for the answer looked at.
    States,
}

impl Measure {
    /// Its name as it is typed.
    pub fn name(self) -> String {
        name_of(&self)
    }
}

/// The order of the boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    /// What they are sorted by.
    pub measure: Measure,
    /// Whether the greatest comes first.
    pub is_descending: bool,
}

impl std::str::FromStr for Sort {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.strip_prefix('-');
        let known: Vec<_> = Measure::value_variants()
            .iter()
            .map(|m| name_of(m))
            .collect();
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
