//! Reads tables as JSON Lines, one batch of rows at a time.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_json::EncoderOptions;
use arrow_json::writer::{Encoder, EncoderFactory, LineDelimited, NullableEncoder, WriterBuilder};
use arrow_schema::{ArrowError, DataType, FieldRef};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::TableFormat;
use super::output::JSON;
use super::parquet_file::ParquetFile;
use crate::cli::panics;

const BATCH: usize = 1 << 10;

pub struct Rows {
    batches: Batches,
    text: Cursor<Vec<u8>>,
}

impl Rows {
    pub fn new(file: File, format: TableFormat) -> io::Result<Self> {
        Ok(Self {
            batches: unless_damaged(|| batches(file, format))??,
            text: Cursor::default(),
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
            seek_stream(&mut file)?;
            let reader = StreamReader::try_new(BufReader::new(file), None);
            Box::new(reader.map_err(|error| no_table(&error))?)
        }
    })
}

const ARROW_MARK: &[u8; 6] = b"ARROW1";

/// Skips the start of an Arrow file, up to its stream. The footer, which repeats the places of all batches, is not read, since the
/// library would allocate the sizes that it declares.
fn seek_stream(file: &mut File) -> io::Result<()> {
    let mut start = Vec::new();
    file.by_ref().take(1 << 6).read_to_end(&mut start)?;
    let Some(rest) = start.strip_prefix(ARROW_MARK) else {
        return file.rewind();
    };
    let mut end = [0; ARROW_MARK.len()];
    file.seek(SeekFrom::End(-(end.len() as i64)))?;
    file.read_exact(&mut end)?;
    if end != *ARROW_MARK {
        return Err(invalid("the table is damaged: its end is missing".into()));
    }
    // Zeros up to a multiple of 8 bytes follow the mark.
    let zeros = rest.iter().take_while(|&&byte| byte == 0).count();
    let stream = (ARROW_MARK.len() + zeros) / 8 * 8;
    file.seek(SeekFrom::Start(stream as u64)).map(drop)
}

/// Turns panics into errors, since the libraries panic on some damaged tables.
fn unless_damaged<T>(work: impl FnOnce() -> T) -> io::Result<T> {
    panics::caught(work).map_err(|_| invalid("the table is damaged".into()))
}

fn broken(error: &ArrowError) -> io::Error {
    invalid(format!("the table is damaged: {error}"))
}

fn no_table(error: &dyn std::fmt::Display) -> io::Error {
    invalid(format!("this is not a table: {error}"))
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

impl Read for Rows {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.text.read(room)?;
            if count > 0 || room.is_empty() {
                return Ok(count);
            }
            let Some(batch) = unless_damaged(|| self.batches.next())? else {
                return Ok(0);
            };
            let batch = batch.map_err(|error| broken(&error))?;
            let mut text = std::mem::take(&mut self.text).into_inner();
            text.clear();
            unless_damaged(|| write_rows(&batch, &mut text))??;
            self.text = Cursor::new(text);
        }
    }
}

fn write_rows(batch: &RecordBatch, out: &mut Vec<u8>) -> io::Result<()> {
    let schema = batch.schema();
    // Rows without columns take no space, so a small file could declare any number of them.
    if schema.fields().is_empty() {
        return Err(invalid("the table has no columns".into()));
    }
    for (field, values) in schema.fields().iter().zip(batch.columns()) {
        if !occurs_in_boards(field.data_type()) && values.null_count() < values.len() {
            return Err(foreign(field.name(), field.data_type()));
        }
    }
    let writer = WriterBuilder::new().with_encoder_factory(Arc::new(OwnEncoders));
    let mut writer = writer.build::<_, LineDelimited>(out);
    let written = writer.write(batch).and_then(|()| writer.finish());
    written.map_err(|error| broken(&error))
}

fn occurs_in_boards(data: &DataType) -> bool {
    match data {
        DataType::List(item) | DataType::LargeList(item) => occurs_in_boards(item.data_type()),
        DataType::Dictionary(_, values) => occurs_in_boards(values),
        DataType::Boolean | DataType::Float32 | DataType::Float64 => true,
        other => other.is_integer() || other.is_string(),
    }
}

/// An encoder that copies columns of JSON, and encodes the text of a board as a list of its rows.
#[derive(Debug)]
struct OwnEncoders;

impl EncoderFactory for OwnEncoders {
    fn make_default_encoder<'a>(
        &self,
        field: &'a FieldRef,
        values: &'a dyn Array,
        _: &'a EncoderOptions,
    ) -> Result<Option<NullableEncoder<'a>>, ArrowError> {
        let is_json = field.metadata().get(JSON.0).is_some_and(|it| it == JSON.1);
        // For the items of a list, `field` is the field of the list.
        let is_drawing = field.name() == "rows" && !field.data_type().is_nested();
        if !(is_json || is_drawing) {
            return Ok(None);
        }
        let text: Box<dyn Fn(usize) -> &'a str> = match values.data_type() {
            DataType::Utf8 => Box::new(|row| values.as_string::<i32>().value(row)),
            DataType::LargeUtf8 => Box::new(|row| values.as_string::<i64>().value(row)),
            DataType::Utf8View => Box::new(|row| values.as_string_view().value(row)),
            _ => return Ok(None),
        };
        let encoder = Box::new(TextEncoder { text, is_json });
        Ok(Some(NullableEncoder::new(encoder, values.nulls().cloned())))
    }
}

struct TextEncoder<'a> {
    text: Box<dyn Fn(usize) -> &'a str + 'a>,
    is_json: bool,
}

impl Encoder for TextEncoder<'_> {
    fn encode(&mut self, row: usize, out: &mut Vec<u8>) {
        let text = (self.text)(row);
        if self.is_json {
            out.extend_from_slice(text.as_bytes());
        } else {
            let rows: Vec<_> = text.lines().collect();
            serde_json::to_writer(out, &rows).expect("text can be written as JSON");
        }
    }
}

fn foreign(name: &str, data: &DataType) -> io::Error {
    invalid(format!(
        "column `{}` holds {data}, which no board has: text, numbers and lists of text can be read",
        name.escape_debug()
    ))
}

#[cfg(test)]
mod tests;
