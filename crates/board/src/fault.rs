//! Faults in a board and their positions.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::limits::Limit;
use crate::words::count;

/// A position in a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The line number, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
    /// The number of characters; 0 for a position before a character or at the end of a line.
    pub width: u64,
}

impl Place {
    /// Returns the position of a single character.
    pub const fn at(line: u64, column: u64) -> Self {
        Self {
            line,
            column,
            width: 1,
        }
    }

    /// Returns the position before the first character of a line.
    pub const fn of_line(line: u64) -> Self {
        Self {
            line,
            column: 1,
            width: 0,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A fault in a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The position of the fault.
    pub place: Place,
    /// The kind of fault.
    pub kind: FaultKind,
    /// The source line, or a part of it; empty unless it has been added, as by
    /// [`Puzzle::finish`](crate::puzzle::Puzzle::finish).
    pub source: Excerpt,
}

/// A source line, or the part of a long line around a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The characters, with U+FFFD for bytes that are not UTF-8.
    pub text: String,
    /// The column of the first character, from 1.
    pub column: u64,
}

impl Excerpt {
    const BEFORE: u64 = 1000;
    const AFTER: u64 = 100;

    /// Returns a part of `line`: up to 1000 characters before `column` (from 1), and up to 100 from there on.
    pub fn around(line: &[u8], column: u64) -> Self {
        Excerpts::of(line).around(column)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Excerpts<'l> {
    line: &'l [u8],
    at: (usize, u64),
}

impl<'l> Excerpts<'l> {
    pub(crate) const fn of(line: &'l [u8]) -> Self {
        Self { line, at: (0, 1) }
    }

    pub(crate) fn around(&mut self, column: u64) -> Excerpt {
        let start = column.saturating_sub(Excerpt::BEFORE).max(1);
        if self.at.1 > start {
            self.at = (0, 1);
        }
        let (byte, reached) = self.at;
        let byte = byte + skip_characters(&self.line[byte..], start - reached);
        self.at = (byte, start);
        let count = (column - start + Excerpt::AFTER) as usize;
        let rest = &self.line[byte..];
        // A character has at most four bytes.
        let text = String::from_utf8_lossy(&rest[..rest.len().min(4 * count)]);
        Excerpt {
            text: text.chars().take(count).collect(),
            column: start,
        }
    }
}

fn skip_characters(text: &[u8], count: u64) -> usize {
    let plain = text.len().min(usize::try_from(count).unwrap_or(usize::MAX));
    if text[..plain].is_ascii() {
        return plain;
    }
    let sizes = text.utf8_chunks().flat_map(|chunk| {
        let broken = Some(chunk.invalid().len()).filter(|&len| len > 0);
        chunk.valid().chars().map(char::len_utf8).chain(broken)
    });
    sizes.take(plain).sum()
}

/// The kind of fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// The input has no board.
    #[error("this input has no board")]
    NoBoard,
    /// A board without cells, such as headers without rows.
    #[error("a header without rows")]
    NoRows,
    /// A zero byte, as in a binary file.
    #[error("there is a zero byte in this board: it is not text")]
    Binary,
    /// Bytes that are not UTF-8.
    #[error("this line is not valid UTF-8")]
    NotUtf8,
    /// A carriage return without a line feed.
    #[error("this line ends with a carriage return (CR) alone")]
    LoneReturn,
    /// A board with too many bytes.
    #[error("this board is larger than {0} bytes")]
    BoardTooLarge(usize),
    /// Too many headers.
    #[error("this board has more than {0} headers")]
    TooManyHeaders(usize),
    /// Too many rows.
    #[error("this board has more than {0} rows")]
    TooManyRows(usize),
    /// Too many cells.
    #[error("this board has more than {0} cells")]
    TooManyCells(u64),
    /// An unknown glyph.
    #[error("unknown glyph {}{}", in_ticks(*.glyph), times(*.count))]
    UnknownGlyph {
        /// The glyph.
        glyph: char,
        /// The number of occurrences.
        count: usize,
        /// The ruleset's glyphs and their meanings, as text.
        known: String,
        /// The glyph that was probably intended.
        meant: Option<char>,
    },
    /// A row with the wrong length.
    #[error("this row has {}, but {expected}", count(*.len as u64, "cell"))]
    RaggedRow {
        /// The number of cells in the row.
        len: usize,
        /// The expected length.
        expected: Length,
        /// The glyph of an empty cell, with which short rows can be padded.
        empty: char,
    },
    /// A second copy of a unique thing.
    #[error("{}", second(.plural, first))]
    Duplicate {
        /// The name of the thing in the plural.
        plural: Box<str>,
        /// Its glyph or number.
        glyph: Box<str>,
        /// The position of the first copy.
        first: Place,
    },
    /// A required thing is missing.
    #[error("no {what} (`{glyph}`) on this board")]
    Missing {
        /// The name of the thing.
        what: &'static str,
        /// Its glyph.
        glyph: char,
    },
    /// A row in a frame that is not between two bars.
    #[error("inside a frame, each row must be between two `|`")]
    BrokenFrame,
    /// A frame whose last line is missing.
    #[error("the frame's last line is missing")]
    OpenFrame,
    /// An unknown ruleset, with the known ones.
    #[error("unknown ruleset `{}`", .0.escape_debug())]
    UnknownRuleset(String, Vec<&'static str>),
    /// A board that fits no ruleset, with a reason for each ruleset; that of the nearest ruleset comes first.
    #[error("this board fits no ruleset")]
    NoFittingRuleset(Vec<String>),
    /// A board whose glyphs fit several rulesets.
    #[error("this board fits several rulesets: {}", list(.0))]
    SeveralFittingRulesets(Vec<&'static str>),
    /// An invalid header value.
    #[error("invalid value `{}` for `{key}`", .value.escape_debug())]
    BadValue {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
        /// The suggested fix, such as the valid values.
        expected: String,
    },
    /// A duplicate header.
    #[error("a second `{0}` header")]
    DuplicateHeader(String),
    /// A header unknown to all rulesets.
    #[error("unknown header `{}`", .key.escape_debug())]
    UnknownHeader {
        /// The key.
        key: String,
        /// The known keys: those that every ruleset has, then the settings of the board's ruleset.
        known: Vec<&'static str>,
    },
    /// A header that belongs only to other rulesets.
    #[error("`{key}` is not a setting of this ruleset")]
    ForeignHeader {
        /// The key.
        key: String,
        /// The rulesets that have it.
        owners: Vec<&'static str>,
    },
    /// A line that is not a JSON object.
    #[error("invalid JSON: {0}")]
    BrokenJson(String),
    /// Half a surrogate pair in a JSON string.
    #[error("half a character: an unpaired surrogate")]
    LoneSurrogate,
    /// A missing field in a JSON line.
    #[error("the field `{0}` is missing")]
    MissingField(&'static str),
    /// A field in a JSON line with the wrong type.
    #[error("the field `{field}` is not {expected}")]
    WrongType {
        /// The name of the field, or of an item such as `rows[3]`.
        field: String,
        /// The expected type, with its article.
        expected: &'static str,
    },
    /// A valid board that can't be solved, or a valid maze that can't be played for many turns.
    #[error("{0}")]
    Unsolvable(String),
    /// A limit that was reached while reading.
    #[error("reading this board stopped: {0}")]
    Limit(Limit),
    /// Any other fault, such as one specific to a ruleset.
    #[error("{message}")]
    Other {
        /// The message.
        message: Box<str>,
        /// The suggested fix.
        help: String,
        /// Further sentences about the fault.
        notes: Box<[String]>,
    },
}

/// The serialized form of a fault of any kind: its texts.
#[derive(Serialize, Deserialize)]
struct FaultText {
    message: Box<str>,
    help: String,
    notes: Box<[String]>,
}

impl Serialize for FaultKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let words = FaultText {
            message: self.to_string().into(),
            help: self.help(),
            notes: self.notes().into(),
        };
        words.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for FaultKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        FaultText::deserialize(deserializer).map(|words| Self::Other {
            message: words.message,
            help: words.help,
            notes: words.notes,
        })
    }
}

impl FaultKind {
    /// Returns a fault without a variant of its own. `help` says how to correct it.
    pub fn other(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Other {
            message: message.into().into(),
            help: help.into(),
            notes: Box::default(),
        }
    }

    /// Returns whether the fault concerns the whole board rather than the text at its place.
    pub const fn is_of_whole_board(&self) -> bool {
        matches!(
            self,
            Self::Missing { .. }
                | Self::NoFittingRuleset(_)
                | Self::SeveralFittingRulesets(_)
                | Self::Unsolvable(_)
                | Self::TooManyCells(_)
                | Self::Limit(_)
        )
    }

    /// Returns the text of the error. `name` names positions in the source.
    pub fn with_places(&self, name: impl Fn(Place) -> String) -> String {
        match self {
            Self::Duplicate { plural, first, .. } => second(plural, &name(*first)),
            other => other.to_string(),
        }
    }

    /// Returns further sentences about the fault.
    pub fn notes(&self) -> &[String] {
        match self {
            Self::NoFittingRuleset(notes) => notes,
            Self::Other { notes, .. } => notes,
            _ => &[],
        }
    }

    /// Returns the text, notes and suggested fix on one line.
    pub fn one_line(&self) -> String {
        let mut text = self.to_string();
        for note in self.notes() {
            text.push_str("; ");
            text.push_str(note);
        }
        format!("{text}; {}", self.help())
    }

    /// Returns the suggested fix.
    pub fn help(&self) -> String {
        match self {
            Self::NoBoard => "add a board's rows, or name another file".into(),
            Self::NoRows => {
                "add the board's rows below it, without an empty line between them".into()
            }
            Self::Binary => "remove the zero byte, or name a text file with boards".into(),
            Self::NotUtf8 => "save the file as UTF-8 or ASCII text".into(),
            Self::LoneReturn => "save the file with line ends LF or CRLF".into(),
            Self::BoardTooLarge(_) => "separate boards with an empty line".into(),
            Self::TooManyHeaders(_) => {
                "add an empty line after remarks about the whole file".into()
            }
            Self::TooManyRows(_) | Self::TooManyCells(_) => "make the board smaller".into(),
            Self::UnknownGlyph {
                glyph: '\t',
                meant: Some(empty),
                ..
            } => instead_of_tab(*empty),
            Self::UnknownGlyph { glyph, meant, .. }
                if glyph.is_whitespace() && !glyph.is_ascii() && *meant != Some(' ') =>
            {
                "replace it with an ordinary space, or delete it".into()
            }
            Self::UnknownGlyph {
                meant: Some(meant), ..
            } => format!("did you mean {}?", in_ticks(*meant)),
            Self::UnknownGlyph { known, .. } => format!("use one of {known}"),
            Self::RaggedRow {
                len,
                expected,
                empty,
            } if *len < expected.cells() => {
                format!("pad this row with `{empty}`")
            }
            Self::RaggedRow { .. } => "shorten this row, or pad the others".into(),
            Self::Duplicate { glyph, .. } => format!("keep one `{glyph}`"),
            Self::Missing { glyph, .. } => format!("add {} `{glyph}`", article(*glyph)),
            Self::BrokenFrame => "add `|` before and after the row, as in the others".into(),
            Self::OpenFrame => "close it with a line of `-` like the first".into(),
            Self::UnknownRuleset(name, known) => did_you_mean(name, known),
            Self::NoFittingRuleset(why) => {
                let nearest = why
                    .first()
                    .and_then(|why| why.split(':').next())
                    .unwrap_or("a ruleset");
                format!("correct it for {nearest}, or name another in a header `; ruleset: NAME`")
            }
            Self::SeveralFittingRulesets(_) => "choose one with a header `; ruleset: NAME`".into(),
            Self::BadValue { expected, .. } => expected.clone(),
            Self::DuplicateHeader(_) => "keep one of them".into(),
            Self::UnknownHeader { key, known } => did_you_mean(key, known),
            Self::ForeignHeader { owners, .. } => {
                format!("remove it: it is a setting of {}", list(owners))
            }
            Self::BrokenJson(_) => "write one JSON object per line".into(),
            Self::LoneSurrogate => "write the whole character, or remove this half".into(),
            Self::MissingField(field) => format!("add the field `{field}`"),
            Self::WrongType { expected, .. } => format!("make it {expected}"),
            Self::Unsolvable(_) => {
                "play it with `simulate --policy random`, or your own moves with `trace --moves`"
                    .into()
            }
            Self::Limit(Limit::Interrupt) => "start the command again".into(),
            Self::Limit(_) => "raise the limit".into(),
            Self::Other { help, .. } => help.clone(),
        }
    }
}

/// Suggests the word in `known` that is closest to `name`; lists them all if none is close.
pub fn did_you_mean(name: &str, known: &[&str]) -> String {
    match closest_word(name, known) {
        Some(word) => format!("did you mean `{word}`?"),
        None => format!("use one of {}", list(known)),
    }
}

/// Returns the word in `known` that is closest to `name`, if it is close.
pub fn closest_word<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let closest = known
        .iter()
        .map(|word| {
            (
                strsim::damerau_levenshtein(&name.to_lowercase(), word),
                word,
            )
        })
        // A word is close if edits change fewer than half of its letters, and at most half of those of `name`.
        .filter(|(distance, word)| *distance * 2 < word.len() && *distance * 2 <= name.len())
        .min();
    closest.map(|(_, word)| *word)
}

/// The number of cells that each row should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// The length of the first row.
    First(usize),
    /// The length of most rows.
    Most(usize),
}

impl Length {
    /// Returns the length of most rows or, without a majority, of the first.
    pub fn of_rows(lengths: &[usize]) -> Self {
        let first = lengths.first().copied().unwrap_or(0);
        let mut sorted = lengths.to_vec();
        // If most lengths are equal, the median is one of them.
        let middle = lengths.len() / 2;
        let common = if sorted.is_empty() {
            first
        } else {
            *sorted.select_nth_unstable(middle).1
        };
        let agree = lengths.iter().filter(|&&length| length == common).count();
        if common != first && 2 * agree > lengths.len() {
            Self::Most(common)
        } else {
            Self::First(first)
        }
    }

    /// Returns the number of cells.
    pub const fn cells(self) -> usize {
        let (Self::First(cells) | Self::Most(cells)) = self;
        cells
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First(cells) => write!(f, "the first row has {cells}"),
            Self::Most(cells) => write!(f, "most rows have {cells}"),
        }
    }
}

/// Lists the words in backticks, separated by commas.
pub fn list(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

fn second(plural: &str, first: &dyn fmt::Display) -> String {
    format!("two {plural}: the first is at {first}")
}

fn in_ticks(glyph: char) -> String {
    match glyph {
        ' ' => "` ` (a space)".into(),
        '\t' => "tab".into(),
        '`' => "'`'".into(),
        other => format!("`{}`", other.escape_debug()),
    }
}

fn instead_of_tab(empty: char) -> String {
    match empty {
        ' ' => "replace this tab with spaces".into(),
        empty => format!("replace this tab with `{empty}`, one for each cell"),
    }
}

fn article(glyph: char) -> &'static str {
    // The names of these letters begin with a vowel sound.
    if "aefhilmnorsx".contains(glyph.to_ascii_lowercase()) {
        "an"
    } else {
        "a"
    }
}

fn times(count: usize) -> String {
    if count == 1 {
        String::new()
    } else {
        format!(" ({count} times)")
    }
}

/// The faults in a board, of which the first [`Faults::MAX`] are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    kept: Vec<Fault>,
    more: usize,
}

impl Faults {
    /// The maximum number of faults kept.
    pub const MAX: usize = 1000;

    /// Adds a fault of this kind at `place`.
    pub fn note(&mut self, place: Place, kind: FaultKind) {
        self.add(Fault {
            place,
            kind,
            source: Excerpt::default(),
        });
    }

    /// Adds a fault.
    pub fn add(&mut self, fault: Fault) {
        if self.kept.len() < Self::MAX {
            self.kept.push(fault);
        } else {
            self.more += 1;
        }
    }

    /// Counts further faults without keeping them.
    pub const fn count(&mut self, count: usize) {
        self.more += count;
    }

    /// Adds all faults of an error.
    pub fn add_error(&mut self, error: BoardError) {
        let BoardError { faults: kept, more } = error;
        self.append(Self { kept, more });
    }

    /// Returns the value of a result; if the result is an error, adds the fault and returns `None`.
    pub fn check<T>(&mut self, result: Result<T, Fault>) -> Option<T> {
        result.map_err(|fault| self.add(fault)).ok()
    }

    /// Adds faults collected elsewhere.
    pub fn append(&mut self, faults: Self) {
        faults.kept.into_iter().for_each(|fault| self.add(fault));
        self.more += faults.more;
    }

    /// Returns whether there is no fault.
    pub const fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Returns the number of faults.
    pub const fn len(&self) -> usize {
        self.kept.len() + self.more
    }

    /// Sorts the faults by place; returns `None` if there are none.
    pub fn into_error(self) -> Option<BoardError> {
        let Self { mut kept, more } = self;
        kept.sort_by_key(|fault| fault.place);
        (!kept.is_empty()).then_some(BoardError { faults: kept, more })
    }
}

/// All faults in one board (at least one), in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardError {
    /// At most [`Faults::MAX`] faults.
    pub faults: Vec<Fault>,
    /// The number of further faults.
    pub more: usize,
}

impl BoardError {
    /// Returns the error for a fault of the board that begins at `line` (from 1).
    pub fn of_line(line: u64, kind: FaultKind) -> Self {
        Self::from(Fault {
            place: Place::of_line(line),
            kind,
            source: Excerpt::default(),
        })
    }

    /// Returns the first fault.
    pub fn first(&self) -> &Fault {
        &self.faults[0]
    }

    /// Returns the place and the text of the first fault, and the number of the others. `name` names positions in the source.
    pub fn with_places(&self, name: impl Fn(Place) -> String) -> String {
        let Fault { place, kind, .. } = self.first();
        let text = format!("{}: {}", name(*place), kind.with_places(name));
        match self.faults.len() + self.more {
            1 => text,
            more => format!("{text} (and {} more)", more - 1),
        }
    }

    /// Returns the limit that was reached while reading, if any.
    pub fn limit(&self) -> Option<Limit> {
        match self.first().kind {
            FaultKind::Limit(limit) => Some(limit),
            _ => None,
        }
    }
}

impl From<Fault> for BoardError {
    fn from(fault: Fault) -> Self {
        Self {
            faults: vec![fault],
            more: 0,
        }
    }
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with_places(|place| place.to_string()))
    }
}

impl std::error::Error for BoardError {}

#[cfg(test)]
#[path = "fault_tests.rs"]
mod tests;
