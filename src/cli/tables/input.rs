//! Reads tables as JSON Lines, a batch of rows at a time.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader, read_footer_length};
use arrow_ipc::{Block, root_as_footer};
use arrow_schema::{ArrowError, DataType, Field};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde::Serialize;
use serde_json::Value;

use super::TableFormat;
use super::columns::JSON;
use super::parquet_file::ParquetFile;
use crate::cli::panics;

const BATCH: usize = 1 << 10;

pub struct Rows {
    batches: Batches,
    text: Vec<u8>,
    read: usize,
}

impl Rows {
    pub fn new(file: File, format: TableFormat) -> io::Result<Self> {
        Ok(Self {
            batches: unless_damaged(|| batches(file, format))??,
            text: Vec::new(),
            read: 0,
        })
    }
}

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>;

fn batches(mut file: File, format: TableFormat) -> io::Result<Batches> {
    Ok(match format {
        TableFormat::Parquet => {
            let builder = ParquetRecordBatchReaderBuilder::try_new(ParquetFile(file));
            let reader = builder.and_then(|builder| builder.with_batch_size(BATCH).build());
            Box::new(reader.map_err(|error| no_table(&error))?)
        }
        TableFormat::Arrow => {
            let mut magic = [0; 6];
            let is_file = file.read_exact(&mut magic).is_ok() && magic == *b"ARROW1";
            if is_file {
                check_blocks(&mut file)?;
            }
            file.rewind()?;
            let file = BufReader::new(file);
            if is_file {
                Box::new(FileReader::try_new(file, None).map_err(|error| no_table(&error))?)
            } else {
                Box::new(StreamReader::try_new(file, None).map_err(|error| no_table(&error))?)
            }
        }
    })
}

/// Checks that the blocks of an Arrow file lie within it, since the library allocates a block's declared size before
/// it reads.
fn check_blocks(file: &mut File) -> io::Result<()> {
    let len = file.seek(SeekFrom::End(0))?;
    let mut end = [0; 10];
    let before_end = len.checked_sub(end.len() as u64).ok_or_else(outside)?;
    file.seek(SeekFrom::Start(before_end))?;
    file.read_exact(&mut end)?;
    let footer_len = read_footer_length(end).map_err(|error| no_table(&error))? as u64;
    let footer_start = before_end.checked_sub(footer_len).ok_or_else(outside)?;
    file.seek(SeekFrom::Start(footer_start))?;
    let mut footer = Vec::new();
    file.by_ref().take(footer_len).read_to_end(&mut footer)?;
    let footer = root_as_footer(&footer).map_err(|error| no_table(&error))?;
    let blocks = [footer.dictionaries(), footer.recordBatches()];
    let is_inside = |block: &Block| {
        let sizes = [
            block.offset(),
            block.metaDataLength().into(),
            block.bodyLength(),
        ];
        let sizes = sizes.map(|size| u64::try_from(size).ok());
        let end = sizes
            .into_iter()
            .try_fold(0_u64, |sum, size| sum.checked_add(size?));
        end.is_some_and(|end| end <= footer_start)
    };
    if blocks.into_iter().flatten().flatten().all(is_inside) {
        Ok(())
    } else {
        Err(outside())
    }
}

fn outside() -> io::Error {
    invalid("the table is damaged: a part is outside of the file".into())
}

/// Turns panics into errors, since the libraries panic on some damaged tables.
fn unless_damaged<T>(work: impl FnOnce() -> T) -> io::Result<T> {
    panics::caught(work).map_err(|_| invalid("the table is damaged".into()))
}

fn no_table(error: &dyn std::fmt::Display) -> io::Error {
    invalid(format!("this is not a table: {error}"))
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

impl Read for Rows {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while self.read == self.text.len() {
            self.text.clear();
            self.read = 0;
            let Self { batches, text, .. } = self;
            if !unless_damaged(|| write_batch(batches, text))?? {
                return Ok(0);
            }
        }
        let rest = &self.text[self.read..];
        let count = rest.len().min(room.len());
        room[..count].copy_from_slice(&rest[..count]);
        self.read += count;
        Ok(count)
    }
}

fn write_batch(batches: &mut Batches, out: &mut Vec<u8>) -> io::Result<bool> {
    let broken = |error| invalid(format!("the table is damaged: {error}"));
    let batch = batches.next().transpose().map_err(broken)?;
    batch.map_or(Ok(false), |batch| write_rows(&batch, out).map(|()| true))
}

fn write_rows(batch: &RecordBatch, out: &mut Vec<u8>) -> io::Result<()> {
    let schema = batch.schema();
    // Rows without columns take no space, so a small file could claim any number of them.
    if schema.fields().is_empty() {
        return Err(invalid("the table has no columns".into()));
    }
    let columns = schema.fields().iter().zip(batch.columns());
    let columns: Vec<_> = columns
        .map(|(field, column)| Column::new(field, column))
        .collect();
    for row in 0..batch.num_rows() {
        let start = out.len();
        for column in columns.iter().filter(|column| !column.values.is_null(row)) {
            out.push(if out.len() == start { b'{' } else { b',' });
            column.write(row, out)?;
        }
        if out.len() == start {
            out.push(b'{');
        }
        out.extend_from_slice(b"}\n");
    }
    Ok(())
}

struct Column<'b> {
    field: &'b Field,
    values: &'b dyn Array,
    /// The name as JSON, followed by a colon.
    key: String,
    meaning: Meaning,
}

enum Meaning {
    Text,
    Json,
    /// The rows of a board, with line ends.
    Rows,
}

impl<'b> Column<'b> {
    fn new(field: &'b Field, values: &'b dyn Array) -> Self {
        let is_json = field.metadata().get(JSON.0).is_some_and(|it| it == JSON.1);
        Self {
            field,
            values,
            key: format!("{}:", Value::from(field.name().as_str())),
            meaning: match field.name().as_str() {
                _ if is_json => Meaning::Json,
                "rows" => Meaning::Rows,
                _ => Meaning::Text,
            },
        }
    }

    fn write(&self, row: usize, out: &mut Vec<u8>) -> io::Result<()> {
        out.extend_from_slice(self.key.as_bytes());
        match (&self.meaning, text(self.values, row)) {
            (Meaning::Json, Some(text)) => out.extend_from_slice(text.as_bytes()),
            (Meaning::Rows, Some(text)) => out.serialize(&text.lines().collect::<Vec<_>>())?,
            (Meaning::Text, Some(text)) => out.serialize(text)?,
            (_, None) if write(self.values, row, out)? => {}
            (_, None) => return Err(foreign(self.field.name(), self.values.data_type())),
        }
        Ok(())
    }
}

trait Json {
    fn serialize(&mut self, value: &(impl Serialize + ?Sized)) -> io::Result<()>;
}

impl Json for Vec<u8> {
    fn serialize(&mut self, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
        Ok(serde_json::to_writer(self, value)?)
    }
}

fn text(column: &dyn Array, row: usize) -> Option<&str> {
    Some(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row),
        DataType::LargeUtf8 => column.as_string::<i64>().value(row),
        DataType::Utf8View => column.as_string_view().value(row),
        DataType::Dictionary(_, _) => {
            let (values, key) = entry(column, row)?;
            return (!values.is_null(key)).then(|| text(values, key)).flatten();
        }
        _ => return None,
    })
}

/// Returns the dictionary of a column, and the row of the value in it.
fn entry(column: &dyn Array, row: usize) -> Option<(&dyn Array, usize)> {
    let dictionary = column.as_any_dictionary_opt()?;
    let key = dictionary
        .slice(row, 1)
        .as_any_dictionary()
        .normalized_keys()[0];
    Some((dictionary.values(), key))
}

/// Writes a value as JSON; returns `false` for types that do not occur in boards.
fn write(column: &dyn Array, row: usize, out: &mut Vec<u8>) -> io::Result<bool> {
    if column.is_null(row) {
        out.extend_from_slice(b"null");
        return Ok(true);
    }
    macro_rules! number {
        ($type:ty) => {
            out.serialize(&column.as_primitive::<$type>().value(row))
        };
    }
    if let Some(text) = text(column, row) {
        out.serialize(text)?;
        return Ok(true);
    }
    match column.data_type() {
        DataType::Boolean => out.serialize(&column.as_boolean().value(row)),
        DataType::Int8 => number!(Int8Type),
        DataType::Int16 => number!(Int16Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Int64 => number!(Int64Type),
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Float32 => number!(Float32Type),
        DataType::Float64 => number!(Float64Type),
        DataType::List(_) => return write_list(&column.as_list::<i32>().value(row), out),
        DataType::LargeList(_) => return write_list(&column.as_list::<i64>().value(row), out),
        DataType::Dictionary(_, _) => {
            return match entry(column, row) {
                Some((values, key)) => write(values, key, out),
                None => Ok(false),
            };
        }
        _ => return Ok(false),
    }
    .map(|()| true)
}

fn write_list(items: &dyn Array, out: &mut Vec<u8>) -> io::Result<bool> {
    out.push(b'[');
    for at in 0..items.len() {
        if at > 0 {
            out.push(b',');
        }
        if !write(items, at, out)? {
            return Ok(false);
        }
    }
    out.push(b']');
    Ok(true)
}

fn foreign(name: &str, data: &DataType) -> io::Error {
    invalid(format!(
        "column `{}` holds {data}, which no board has: text, numbers and lists of text can be read",
        name.escape_debug()
    ))
}

#[cfg(test)]
mod tests;
