//! Tables of boards and of answers: Apache Parquet files and Arrow IPC files.
//!
//! A table is read as JSON Lines, an object a row, and written from them; so whatever reads boards reads tables, and
//! line numbers are row numbers. The program can be built without all that.

#[cfg(feature = "parquet")]
mod columns;
#[cfg(feature = "parquet")]
mod input;
#[cfg(feature = "parquet")]
mod output;
#[cfg(feature = "parquet")]
mod parquet_file;

use std::fs::File;
#[cfg(not(feature = "parquet"))]
use std::io::Write;
use std::io::{self, Read};
use std::path::Path;

use super::compression::plain_name;

/// A kind of file that holds a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC: a file, or a stream, which can only be read.
    Arrow,
}

impl TableFormat {
    /// The endings of their names.
    pub const ENDINGS: [&str; 4] = ["parquet", "arrow", "arrows", "feather"];

    /// The kind that a file's name tells.
    pub fn named(path: &Path) -> Option<Self> {
        let name = plain_name(path);
        let ending = name.extension()?.to_str()?.to_lowercase();
        match Self::ENDINGS.iter().position(|known| *known == ending)? {
            0 => Some(Self::Parquet),
            _ => Some(Self::Arrow),
        }
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text; what is none in JSON as JSON.
    Text,
    /// Text that is JSON.
    Json,
    /// A whole number.
    Count,
    /// A number.
    Number,
    /// True or false.
    Flag,
    /// A list of texts.
    Texts,
}

/// The columns of a table: names, and what they hold.
pub type Columns = Vec<(String, Kind)>;

/// The columns of a table of answers, after the fields of `--json`.
pub fn answers() -> Columns {
    let columns = [
        ("id", Kind::Text),
        ("path", Kind::Text),
        ("board", Kind::Count),
        ("name", Kind::Text),
        ("ruleset", Kind::Text),
        ("verdict", Kind::Text),
        ("length", Kind::Count),
        ("moves", Kind::Texts),
        ("survives", Kind::Flag),
        ("direction", Kind::Count),
        ("probability", Kind::Number),
        ("lower", Kind::Number),
        ("upper", Kind::Number),
        ("certain", Kind::Flag),
        ("states", Kind::Count),
        ("limit", Kind::Text),
        ("micros", Kind::Count),
        ("expect", Kind::Text),
        ("ok", Kind::Flag),
        ("verified", Kind::Flag),
        ("refuted", Kind::Text),
        ("warnings", Kind::Texts),
        ("error", Kind::Text),
    ];
    columns.map(|(name, kind)| (name.to_owned(), kind)).into()
}

/// The rows of a table, as JSON Lines.
#[cfg(feature = "parquet")]
pub fn read(file: File, format: TableFormat) -> io::Result<Box<dyn Read>> {
    Ok(Box::new(input::Rows::new(file, format)?))
}

/// That the program was built without tables.
#[cfg(not(feature = "parquet"))]
pub fn read(_: File, _: TableFormat) -> io::Result<Box<dyn Read>> {
    Err(without())
}

/// Whether the program was built with tables.
pub fn must_be_there() -> io::Result<()> {
    if cfg!(feature = "parquet") {
        Ok(())
    } else {
        Err(without())
    }
}

#[cfg(feature = "parquet")]
pub use output::Table;

/// What takes JSON Lines and would write them as the rows of a table.
#[cfg(not(feature = "parquet"))]
pub struct Table(std::convert::Infallible);

#[cfg(not(feature = "parquet"))]
impl Table {
    /// That the program was built without tables.
    pub fn new(_: &mut (dyn Write + Send), _: TableFormat, _: &Columns) -> io::Result<Self> {
        Err(without())
    }

    /// There is none.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {}
    }
}

#[cfg(not(feature = "parquet"))]
impl Write for Table {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0 {}
    }
}

fn without() -> io::Error {
    let message = "this program was built without tables; build it with `cargo build --release --features parquet`";
    io::Error::new(io::ErrorKind::Unsupported, message)
}
