//! Writes tables from JSON Lines, one batch of rows at a time.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_ipc::writer::FileWriter;
use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use serde_json::{Map, Value};

use super::{ColumnType, Columns, TableFormat};

const BATCH: usize = 1 << 13;

/// The maximum number of rows in a row group of a Parquet file, which is held in memory until it is written.
const GROUP: usize = 1 << 17;

/// A writer that converts JSON Lines to a table. Each field goes to the column with its name; fields without a column are left
/// out.
pub struct TableWriter<'w> {
    out: Out<'w>,
    columns: &'w Columns,
    rows: Decoder,
    line: Vec<u8>,
}

enum Out<'w> {
    Parquet(ArrowWriter<&'w mut (dyn Write + Send)>),
    Arrow(FileWriter<&'w mut (dyn Write + Send)>),
}

impl<'w> TableWriter<'w> {
    pub fn new(
        out: &'w mut (dyn Write + Send),
        format: TableFormat,
        columns: &'w Columns,
    ) -> io::Result<Self> {
        let fields = columns.iter().map(|(name, kind)| field(name, *kind));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let rows = ReaderBuilder::new(Arc::clone(&schema))
            .with_coerce_primitive(true)
            .with_ignore_type_conflicts(true)
            .build_decoder()
            .map_err(failed)?;
        let out = match format {
            TableFormat::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .set_max_row_group_row_count(Some(GROUP))
                    .build();
                let writer = ArrowWriter::try_new(out, schema, Some(properties));
                Out::Parquet(writer.map_err(not_written)?)
            }
            TableFormat::Arrow => Out::Arrow(FileWriter::try_new(out, &schema).map_err(failed)?),
        };
        Ok(Self {
            out,
            columns,
            rows,
            line: Vec::new(),
        })
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.batch()?;
        match self.out {
            Out::Parquet(writer) => writer.close().map(|_| ()).map_err(not_written),
            Out::Arrow(mut writer) => writer.finish().map_err(failed),
        }
    }

    fn row(&mut self, line: &[u8]) -> io::Result<()> {
        let mut fields: Map<String, Value> = serde_json::from_slice(line)?;
        flatten(&mut fields);
        for (name, kind) in self.columns {
            if let Some(value) = fields.get_mut(name)
                && (*kind == ColumnType::Json
                    || *kind == ColumnType::Text && (value.is_array() || value.is_object()))
            {
                *value = value.to_string().into();
            }
        }
        self.rows.serialize(&[fields]).map_err(failed)?;
        if self.rows.len() < BATCH {
            return Ok(());
        }
        self.batch()
    }

    fn batch(&mut self) -> io::Result<()> {
        let Some(batch) = self.rows.flush().map_err(failed)? else {
            return Ok(());
        };
        match &mut self.out {
            Out::Parquet(writer) => writer.write(&batch).map_err(not_written),
            Out::Arrow(writer) => writer.write(&batch).map_err(failed),
        }
    }
}

pub const JSON: (&str, &str) = ("getaway", "json");

fn field(name: &str, kind: ColumnType) -> Field {
    let data = match kind {
        ColumnType::Text | ColumnType::Json => DataType::Utf8,
        ColumnType::Count => DataType::Int64,
        ColumnType::Number => DataType::Float64,
        ColumnType::Flag => DataType::Boolean,
        ColumnType::Texts => DataType::new_list(DataType::Utf8, true),
    };
    let field = Field::new(name, data, true);
    match kind {
        ColumnType::Json => {
            let (key, value) = JSON;
            field.with_metadata(HashMap::from([(key.to_owned(), value.to_owned())]))
        }
        _ => field,
    }
}

/// Replaces the pair `bounds` of an answer with `lower` and `upper`, and the object `error` with its message.
fn flatten(fields: &mut Map<String, Value>) {
    if let Some(Value::Array(bounds)) = fields.remove("bounds")
        && let [lower, upper] = bounds.as_slice()
    {
        fields.insert("lower".into(), lower.clone());
        fields.insert("upper".into(), upper.clone());
    }
    if let Some(Value::Object(error)) = fields.get_mut("error")
        && let Some(message) = error.remove("message")
    {
        fields.insert("error".into(), message);
    }
}

impl Write for TableWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                self.row(&line)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn not_written(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => error
            .downcast::<io::Error>()
            .map_or_else(io::Error::other, |error| *error),
        other => io::Error::other(other),
    }
}

fn failed(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}
