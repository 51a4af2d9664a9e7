//! Tables read as JSON Lines, a batch of rows at a time.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, DataType};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;

use super::TableFormat;
use super::columns::JSON;

/// How many rows are read at a time.
const BATCH: usize = 1 << 10;

/// The rows of a table as JSON Lines.
pub struct Rows {
    batches: Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>,
    text: Vec<u8>,
    /// How much of the text has been read.
    read: usize,
}

impl Rows {
    /// The rows of the table in a file.
    ///
    /// # Errors
    ///
    /// If there is none in it.
    pub fn new(file: File, format: TableFormat) -> io::Result<Self> {
        Ok(Self {
            batches: batches(file, format)?,
            text: Vec::new(),
            read: 0,
        })
    }
}

fn batches(
    mut file: File,
    format: TableFormat,
) -> io::Result<Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>>>> {
    Ok(match format {
        TableFormat::Parquet => {
            let builder = ParquetRecordBatchReaderBuilder::try_new(file);
            let reader = builder.and_then(|builder| builder.with_batch_size(BATCH).build());
            Box::new(reader.map_err(|error| no_table(&error))?)
        }
        TableFormat::Arrow => {
            let mut magic = [0; 6];
            let is_file = file.read_exact(&mut magic).is_ok() && magic == *b"ARROW1";
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

fn no_table(error: &dyn std::error::Error) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("this is no table: {error}"),
    )
}

impl Read for Rows {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while self.read == self.text.len() {
            let Some(batch) = self.batches.next() else {
                return Ok(0);
            };
            let broken = |error| {
                let message = format!("the table is damaged: {error}");
                io::Error::new(io::ErrorKind::InvalidData, message)
            };
            self.text.clear();
            self.read = 0;
            write_rows(&batch.map_err(broken)?, &mut self.text)?;
        }
        let rest = &self.text[self.read..];
        let count = rest.len().min(room.len());
        room[..count].copy_from_slice(&rest[..count]);
        self.read += count;
        Ok(count)
    }
}

fn write_rows(batch: &RecordBatch, out: &mut Vec<u8>) -> io::Result<()> {
    let schema = batch.schema();
    for row in 0..batch.num_rows() {
        let start = out.len();
        for (field, column) in schema.fields().iter().zip(batch.columns()) {
            if column.is_null(row) {
                continue;
            }
            out.push(if out.len() == start { b'{' } else { b',' });
            serde_json::to_writer(&mut *out, field.name())?;
            out.push(b':');
            let is_json = field.metadata().get(JSON.0).is_some_and(|it| it == JSON.1);
            match value(column, row).ok_or_else(|| foreign(field.name(), column.data_type()))? {
                Value::String(text) if is_json => out.write_all(text.as_bytes())?,
                Value::String(text) if field.name() == "rows" => {
                    let rows: Vec<_> = text.lines().collect();
                    serde_json::to_writer(&mut *out, &rows)?;
                }
                value => serde_json::to_writer(&mut *out, &value)?,
            }
        }
        if out.len() == start {
            out.push(b'{');
        }
        out.extend_from_slice(b"}\n");
    }
    Ok(())
}

/// What stands in a column, as JSON; `None` for types that no board has.
fn value(column: &dyn Array, row: usize) -> Option<Value> {
    macro_rules! number {
        ($type:ty) => {
            Value::from(column.as_primitive::<$type>().value(row))
        };
    }
    let list = |items: &dyn Array| {
        let items = (0..items.len()).map(|at| value_or_null(items, at));
        items.collect::<Option<Vec<_>>>().map(Value::Array)
    };
    Some(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).into(),
        DataType::LargeUtf8 => column.as_string::<i64>().value(row).into(),
        DataType::Utf8View => column.as_string_view().value(row).into(),
        DataType::Boolean => column.as_boolean().value(row).into(),
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
        DataType::List(_) => list(&column.as_list::<i32>().value(row))?,
        DataType::LargeList(_) => list(&column.as_list::<i64>().value(row))?,
        DataType::Dictionary(_, _) => {
            let dictionary = column.as_any_dictionary();
            let key = *dictionary.normalized_keys().get(row)?;
            value_or_null(dictionary.values(), key)?
        }
        _ => return None,
    })
}

fn value_or_null(column: &dyn Array, row: usize) -> Option<Value> {
    if column.is_null(row) {
        Some(Value::Null)
    } else {
        value(column, row)
    }
}

fn foreign(name: &str, data: &DataType) -> io::Error {
    let message = format!(
        "column `{}` holds {data}, which no board has: text, numbers and lists of text can be read",
        name.escape_debug()
    );
    io::Error::new(io::ErrorKind::InvalidData, message)
}
