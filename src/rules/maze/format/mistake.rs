//! What can be wrong with a maze and with no other board.

use crate::fault::{FaultKind, Place};

use super::Id;

/// What can be wrong with a maze and with no other board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Mistake {
    #[error("`{}` is no integer", .0.escape_debug())]
    NoInteger(String),
    #[error("there should be an integer or `]` here")]
    NoMore,
    #[error("this integer does not fit into 64 bits")]
    Large,
    #[error("{number} stands for nothing on a map{}", times(*.count))]
    Below { number: i64, count: usize },
    #[error("this row is no list")]
    NoList,
    #[error("this list is empty")]
    EmptyList,
    #[error("there should be a comma or `{0}` here")]
    NoComma(char),
    #[error("there should be nothing here")]
    NotTheEnd,
    #[error("no map follows this first line")]
    NoMap,
    #[error("this tuple has {0} fields, not 5")]
    Fields(usize),
    #[error("{0} is a positive integer")]
    NotPositive(&'static str),
    #[error("an answer is -1, 0, 1, 2 or 3")]
    NoAnswer,
    #[error("this list has {len} {}, but the tuple says {rows} x {cols}", numbers(*.len))]
    Flat { len: usize, rows: u64, cols: u64 },
    #[error("this list has {len} {}, but the tuple says {cols} columns", numbers(*.len))]
    Width { len: usize, cols: u64 },
    #[error("the tuple says {rows} rows, but the map has {lists}")]
    Height { rows: u64, lists: usize },
    #[error("the tuple says that the runner's id is {tuple}, but this header says {header}")]
    TwoRunners { tuple: Id, header: Id },
    #[error("the runner of a drawing is `R`, whose id is 1, not {0}")]
    DrawnRunner(Id),
    #[error(
        "a second head of `{name}`: the first stands at line {}, column {}",
        .first.line, .first.column
    )]
    SecondHead { name: String, first: Place },
}

impl Mistake {
    fn help(&self) -> String {
        match self {
            Self::NoInteger(_) => "write integers with commas between them".into(),
            Self::Large => "use smaller ids".into(),
            Self::Below { .. } => "write -1 for food, 0 for blank".into(),
            Self::NoList | Self::EmptyList => "write a row as `[0, -1, 2]`".into(),
            Self::NoComma(close) => format!("write a comma, or close it with `{close}`"),
            Self::NoMore => "end the list with `]`".into(),
            Self::NotTheEnd => "write each list on a line of its own".into(),
            Self::NoMap => "add the map's rows below it".into(),
            Self::Fields(_) => "write `(id, rows, cols, files, answer)`".into(),
            Self::NotPositive(_) => "write 1 or more".into(),
            Self::NoAnswer => "write 0 up, 1 right, 2 down, 3 left, -1 none".into(),
            Self::Flat { .. } | Self::Width { .. } | Self::Height { .. } => {
                "correct the tuple or the map".into()
            }
            Self::TwoRunners { .. } | Self::DrawnRunner(_) => "drop this header".into(),
            Self::SecondHead { name, .. } => format!("keep one `{name}`"),
        }
    }
}

impl From<Mistake> for FaultKind {
    fn from(mistake: Mistake) -> Self {
        Self::Other {
            message: mistake.to_string(),
            help: mistake.help(),
        }
    }
}

fn times(count: usize) -> String {
    if count == 1 {
        String::new()
    } else {
        format!(" ({count} times in this row)")
    }
}

fn numbers(count: usize) -> &'static str {
    if count == 1 { "number" } else { "numbers" }
}
