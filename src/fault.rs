//! What can be wrong with a board, and where: the library's error type.

use std::fmt;

/// A place in a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
    /// How many characters it takes; 0 for a place between characters, as at a line's end.
    pub width: u64,
}

impl Place {
    /// The single character at `line` and `column`.
    pub const fn at(line: u64, column: u64) -> Self {
        Self {
            line,
            column,
            width: 1,
        }
    }
}

/// One thing that is wrong with a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// What.
    pub kind: FaultKind,
    /// The source line at that place.
    pub source: Excerpt,
}

/// A source line, or the part of a long one around a place, without the line end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The text.
    pub text: String,
    /// The column of its first character, from 1.
    pub column: u64,
}

impl Excerpt {
    /// How many characters of a long line are kept before a place, and how many from it on.
    const BEFORE: u64 = 1000;
    const AFTER: u64 = 100;

    /// What there is to show of `line` for the place at `column`.
    pub fn around(line: &[u8], column: u64) -> Self {
        let start = column.saturating_sub(Self::BEFORE).max(1);
        // No character takes more than four bytes, so this is enough of the line to look at.
        let bytes = usize::try_from(4 * (column + Self::AFTER)).unwrap_or(usize::MAX);
        let text = String::from_utf8_lossy(&line[..line.len().min(bytes)])
            .chars()
            .skip((start - 1) as usize)
            .take((column - start + Self::AFTER) as usize)
            .collect();
        Self {
            text,
            column: start,
        }
    }
}

/// What can be wrong with a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// The input holds no board at all.
    #[error("there is no board in this input")]
    NoBoard,
    /// Headers that no row follows.
    #[error("a header without rows")]
    NoRows,
    /// Zero bytes: not a text.
    #[error("this is a binary file, not a board")]
    Binary,
    /// Bytes that are not UTF-8.
    #[error("this line is not valid UTF-8")]
    NotUtf8,
    /// A board of more bytes than are read for one board.
    #[error("this board is larger than {0} bytes")]
    LargeBoard(usize),
    /// More cells than a grid may have.
    #[error("this board has more than {0} cells")]
    ManyCells(u64),
    /// A glyph that the ruleset doesn't know.
    #[error("unknown glyph {}{}", in_ticks(*.glyph), times(*.count))]
    UnknownGlyph {
        /// The glyph.
        glyph: char,
        /// How often it stands on the board.
        count: usize,
        /// The glyphs that the ruleset knows, for people.
        known: &'static str,
    },
    /// A row of another length than those above.
    #[error("this row has {len} {}, but the first row has {first}", cells(*.len))]
    Ragged {
        /// Its cells.
        len: usize,
        /// The cells of the first row.
        first: usize,
        /// The glyph of empty floor.
        empty: char,
    },
    /// A second of what there must be exactly one of.
    #[error("two {plural}: the first stands at line {}, column {}", .first.line, .first.column)]
    Second {
        /// What, in the plural.
        plural: &'static str,
        /// Its glyph.
        glyph: char,
        /// Where the first stands.
        first: Place,
    },
    /// None of what there must be one of.
    #[error("no {what} (`{glyph}`) on this board")]
    Missing {
        /// What.
        what: &'static str,
        /// Its glyph.
        glyph: char,
    },
    /// A line of a frame that is not between two bars.
    #[error("inside the frame each row stands between two `|`")]
    BrokenFrame,
    /// A frame that has a first line only.
    #[error("the frame's last line is missing")]
    OpenFrame,
    /// A ruleset's name that is none.
    #[error("unknown ruleset `{}`", .0.escape_debug())]
    UnknownRuleset(String, Vec<&'static str>),
    /// Glyphs that are those of no ruleset.
    #[error("this board fits no ruleset")]
    FitsNone(Vec<String>),
    /// Glyphs that are those of several rulesets.
    #[error("this board fits several rulesets: {}", list(.0))]
    FitsSeveral(Vec<&'static str>),
    /// A header value that can't be read.
    #[error("`{}` is no value of `{key}`", .value.escape_debug())]
    BadValue {
        /// The header's key.
        key: &'static str,
        /// Its value.
        value: String,
        /// What it may be, for people.
        wanted: String,
    },
    /// A header that stands twice.
    #[error("a second `{0}` header")]
    SecondHeader(String),
    /// A line that is no JSON.
    #[error("broken JSON: {0}")]
    BrokenJson(String),
    /// A field of a JSON line that is missing.
    #[error("the field `{0}` is missing")]
    MissingField(&'static str),
    /// A field of a JSON line that has another type.
    #[error("the field `{field}` is not {wanted}")]
    WrongType {
        /// The field.
        field: String,
        /// The type that it should have, with its article.
        wanted: &'static str,
    },
    /// A board that can be played, but is none to solve.
    #[error("{0}")]
    Unsolvable(String),
    /// Whatever only one ruleset knows: the message and the mend.
    #[error("{message}")]
    Other {
        /// What is wrong.
        message: String,
        /// What to do.
        mend: String,
    },
}

impl FaultKind {
    /// What to do about it.
    pub fn mend(&self) -> String {
        match self {
            Self::NoBoard => "write a board's rows into it, or name another file".into(),
            Self::NoRows => "put the board's rows below it, without an empty line between".into(),
            Self::Binary => "name a text file with boards".into(),
            Self::NotUtf8 => "save the file as UTF-8 or ASCII text".into(),
            Self::LargeBoard(_) => "put an empty line between boards".into(),
            Self::ManyCells(_) => "cut the board down".into(),
            Self::UnknownGlyph { glyph: '\t', .. } => "put spaces instead of this tab".into(),
            Self::UnknownGlyph { known, .. } => format!("use one of {known}"),
            Self::Ragged { len, first, empty } if len < first => {
                format!("fill this row up with `{empty}`")
            }
            Self::Ragged { .. } => "cut this row, or fill up the others".into(),
            Self::Second { glyph, .. } => format!("keep one `{glyph}`"),
            Self::Missing { glyph, .. } => format!("add a `{glyph}`"),
            Self::BrokenFrame => "put `|` before and after the row, as in the others".into(),
            Self::OpenFrame => "close it with a line of `-` like the first".into(),
            Self::UnknownRuleset(name, known) => did_you_mean(name, known),
            Self::FitsNone(why) => why.join("; "),
            Self::FitsSeveral(_) => "say which with a header `; ruleset: NAME`".into(),
            Self::BadValue { wanted, .. } => wanted.clone(),
            Self::SecondHeader(_) => "keep one of them".into(),
            Self::BrokenJson(_) => "write one JSON object a line".into(),
            Self::MissingField(field) => format!("add the field `{field}`"),
            Self::WrongType { wanted, .. } => format!("make it {wanted}"),
            Self::Unsolvable(_) => {
                "play it with `simulate --policy random`, or your own moves with `trace --moves`"
                    .into()
            }
            Self::Other { mend, .. } => mend.clone(),
        }
    }
}

/// "did you mean ...?" where one of `known` is close to `name`, else the list of them.
pub fn did_you_mean(name: &str, known: &[&str]) -> String {
    let near = known
        .iter()
        .map(|word| {
            (
                strsim::damerau_levenshtein(&name.to_lowercase(), word),
                word,
            )
        })
        .filter(|(distance, word)| *distance * 2 < word.len())
        .min();
    match near {
        Some((_, word)) => format!("did you mean `{word}`?"),
        None => format!("one of {}", list(known)),
    }
}

/// The words in backticks, with commas.
pub fn list(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn in_ticks(glyph: char) -> String {
    match glyph {
        ' ' => "` ` (a space)".into(),
        '\t' => "tab".into(),
        '`' => "'`'".into(),
        other => format!("`{}`", other.escape_debug()),
    }
}

fn times(count: usize) -> String {
    if count == 1 {
        String::new()
    } else {
        format!(" ({count} times)")
    }
}

fn cells(count: usize) -> &'static str {
    if count == 1 { "cell" } else { "cells" }
}

/// Everything that is wrong with one board, in the order of the text; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError {
    /// The faults.
    pub faults: Vec<Fault>,
}

impl BoardError {
    /// The first fault.
    pub fn first(&self) -> &Fault {
        &self.faults[0]
    }
}

impl BoardError {
    /// So many faults of one kind are told of a board at most.
    pub const MOST: usize = 100;
}

impl From<Fault> for BoardError {
    fn from(fault: Fault) -> Self {
        Self {
            faults: vec![fault],
        }
    }
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { place, kind, .. } = self.first();
        write!(f, "line {}, column {}: {kind}", place.line, place.column)?;
        match self.faults.len() {
            1 => Ok(()),
            more => write!(f, " (and {} more)", more - 1),
        }
    }
}

impl std::error::Error for BoardError {}
