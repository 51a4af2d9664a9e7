//! Reads tables as JSON Lines, one batch of rows at a time.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader, read_footer_length};
use arrow_ipc::{Block, root_as_footer};
use arrow_json::EncoderOptions;
use arrow_json::writer::{Encoder, EncoderFactory, LineDelimited, NullableEncoder, WriterBuilder};
use arrow_schema::{ArrowError, DataType, FieldRef};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::TableFormat;
use super::output::JSON;
use super::parquet_file::ParquetFile;
use crate::cli::panics;

const BATCH: usize = 1 << 10;

pub struct TableReader {
    batches: Batches,
    text: VecDeque<u8>,
}

impl TableReader {
    pub fn new(file: File, format: TableFormat) -> io::Result<Self> {
        Ok(Self {
            batches: catch_damage(|| batches(file, format))??,
            text: VecDeque::new(),
        })
    }
}

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

fn batches(mut file: File, format: TableFormat) -> io::Result<Batches> {
    Ok(match format {
        TableFormat::Parquet => {
            let builder = ParquetRecordBatchReaderBuilder::try_new(ParquetFile(file));
            let reader = builder.and_then(|builder| builder.with_batch_size(BATCH).build());
            Box::new(reader.map_err(|error| not_a_table(&error))?)
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
                Box::new(FileReader::try_new(file, None).map_err(|error| not_a_table(&error))?)
            } else {
                Box::new(StreamReader::try_new(file, None).map_err(|error| not_a_table(&error))?)
            }
        }
    })
}

/// Checks that the blocks of an Arrow file lie within it, because the library allocates a block's declared size before reading
/// it.
fn check_blocks(file: &mut File) -> io::Result<()> {
    let len = file.seek(SeekFrom::End(0))?;
    let mut end = [0; 10];
    let before_end = len.checked_sub(end.len() as u64).ok_or_else(outside)?;
    file.seek(SeekFrom::Start(before_end))?;
    file.read_exact(&mut end)?;
    let footer_len = read_footer_length(end).map_err(|error| not_a_table(&error))? as u64;
    let footer_start = before_end.checked_sub(footer_len).ok_or_else(outside)?;
    file.seek(SeekFrom::Start(footer_start))?;
    let mut footer = Vec::new();
    file.by_ref().take(footer_len).read_to_end(&mut footer)?;
    let footer = root_as_footer(&footer).map_err(|error| not_a_table(&error))?;
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
    invalid("the table is damaged: a part lies outside the file".into())
}

/// Turns panics into errors, since the libraries panic on some damaged tables.
fn catch_damage<T>(work: impl FnOnce() -> T) -> io::Result<T> {
    panics::caught(work).map_err(|_| invalid("the table is damaged".into()))
}

fn not_a_table(error: &dyn std::fmt::Display) -> io::Error {
    invalid(format!("this is not a table: {error}"))
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

impl Read for TableReader {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while self.text.is_empty() {
            let Self { batches, text } = self;
            if !catch_damage(|| write_batch(batches, text))?? {
                return Ok(0);
            }
        }
        self.text.read(room)
    }
}

fn write_batch(batches: &mut Batches, out: &mut impl io::Write) -> io::Result<bool> {
    let batch = batches.next().transpose().map_err(|error| broken(&error))?;
    batch.map_or(Ok(false), |batch| write_rows(&batch, out).map(|()| true))
}

/// Converts an error of the library. The result names the compression if the library was built without support for it.
fn broken(error: &ArrowError) -> io::Error {
    let text = error.to_string();
    let in_parquet = text.split_once("feature at compile time: ");
    let in_arrow = text.split_once(" IPC decompression");
    let codec = in_parquet
        .map(|(_, codec)| codec)
        .or_else(|| in_arrow?.0.rsplit(' ').next());
    invalid(match codec {
        Some(codec) => format!("{codec} compression can't be read; {OTHER_CODECS}"),
        None => format!("the table is damaged: {text}"),
    })
}

const OTHER_CODECS: &str =
    "write the table with `compression=\"snappy\"` (Parquet) or uncompressed";

fn write_rows(batch: &RecordBatch, out: &mut impl io::Write) -> io::Result<()> {
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
    let mut writer = WriterBuilder::new()
        .with_encoder_factory(Arc::new(OwnEncoders))
        .build::<_, LineDelimited>(out);
    let written = writer.write(batch).and_then(|()| writer.finish());
    written.map_err(|error| invalid(format!("the table is damaged: {error}")))
}

fn occurs_in_boards(data: &DataType) -> bool {
    match data {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            occurs_in_boards(item.data_type())
        }
        DataType::Struct(fields) => fields.iter().all(|it| occurs_in_boards(it.data_type())),
        DataType::Dictionary(_, values) => occurs_in_boards(values),
        DataType::Boolean | DataType::Float32 | DataType::Float64 => true,
        other => other.is_integer() || other.is_string(),
    }
}

/// Creates encoders that copy columns of JSON, and that encode the text of a board as a list of its rows.
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
        "column `{}` has type {data}: only text, numbers, lists and structs can be read",
        name.escape_debug()
    ))
}

#[cfg(test)]
#[path = "input_tests.rs"]
mod tests;
