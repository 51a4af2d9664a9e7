//! Tables of boards and answers: Apache Parquet and Arrow IPC files, converted to and from JSON Lines with an object for each
//! row. So every command that reads boards also reads tables, and line numbers are row numbers.

#[cfg(feature = "parquet")]
mod input;
#[cfg(feature = "parquet")]
mod output;
#[cfg(feature = "parquet")]
mod parquet_file;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use super::compression::plain_name;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    Parquet,
    /// An Arrow file or, when reading, also an Arrow stream.
    Arrow,
}

impl TableFormat {
    pub const ENDINGS: [&str; 4] = ["parquet", "arrow", "arrows", "feather"];

    pub fn named(path: &Path) -> Option<Self> {
        let name = plain_name(path);
        let ending = name.extension()?.to_str()?.to_lowercase();
        match Self::ENDINGS.iter().position(|known| *known == ending)? {
            0 => Some(Self::Parquet),
            _ => Some(Self::Arrow),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Text. JSON values of other types, except null, are stored as JSON text.
    Text,
    Json,
    Count,
    Number,
    Flag,
    Texts,
}

pub type Columns = Vec<(String, ColumnType)>;

pub fn answers() -> Columns {
    let columns = [
        ("id", ColumnType::Text),
        ("path", ColumnType::Text),
        ("board", ColumnType::Count),
        ("name", ColumnType::Text),
        ("ruleset", ColumnType::Text),
        ("verdict", ColumnType::Text),
        ("length", ColumnType::Count),
        ("moves", ColumnType::Texts),
        ("survives", ColumnType::Flag),
        ("direction", ColumnType::Count),
        ("probability", ColumnType::Number),
        ("lower", ColumnType::Number),
        ("upper", ColumnType::Number),
        ("certain", ColumnType::Flag),
        ("states", ColumnType::Count),
        ("limit", ColumnType::Text),
        ("micros", ColumnType::Count),
        ("expect", ColumnType::Text),
        ("ok", ColumnType::Flag),
        ("verified", ColumnType::Flag),
        ("refuted", ColumnType::Text),
        ("warnings", ColumnType::Texts),
        ("error", ColumnType::Text),
    ];
    columns.map(|(name, kind)| (name.to_owned(), kind)).into()
}

#[cfg(feature = "parquet")]
pub fn read(file: File, format: TableFormat) -> io::Result<Box<dyn Read + Send>> {
    Ok(Box::new(input::TableReader::new(file, format)?))
}

#[cfg(not(feature = "parquet"))]
pub fn read(_: File, _: TableFormat) -> io::Result<Box<dyn Read + Send>> {
    Err(without())
}

pub fn check_support() -> io::Result<()> {
    if cfg!(feature = "parquet") {
        Ok(())
    } else {
        Err(without())
    }
}

/// Writes a table whose rows `fill` writes as JSON Lines.
#[cfg(feature = "parquet")]
pub fn write<T>(
    out: &mut (dyn Write + Send),
    format: TableFormat,
    columns: &Columns,
    fill: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut table = output::TableWriter::new(out, format, columns)?;
    let filled = fill(&mut table)?;
    table.finish()?;
    Ok(filled)
}

#[cfg(not(feature = "parquet"))]
pub fn write<T>(
    _: &mut (dyn Write + Send),
    _: TableFormat,
    _: &Columns,
    _: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    Err(without().into())
}

fn without() -> io::Error {
    let message = "this program was built without table support; rebuild it with `cargo build --release --features parquet`";
    io::Error::new(io::ErrorKind::Unsupported, message)
}
