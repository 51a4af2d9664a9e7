//! Writes tables from JSON Lines, a batch of rows at a time.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use serde_json::{Map, Value};

use super::columns::Column;
use super::{Columns, TableFormat};

const BATCH: usize = 1 << 13;

/// The number of rows per row group, which is kept in memory until it is written.
const GROUP: usize = 1 << 17;

/// Writes a table from JSON Lines; each field goes into the column of the same name.
pub struct TableWriter<'w> {
    out: Out<'w>,
    schema: SchemaRef,
    columns: Vec<(String, Column)>,
    rows: usize,
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
        columns: &Columns,
    ) -> io::Result<Self> {
        let fields = columns
            .iter()
            .map(|(name, kind)| Column::field(name, *kind));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let out = match format {
            TableFormat::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .set_max_row_group_row_count(Some(GROUP))
                    .build();
                let writer = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties));
                Out::Parquet(writer.map_err(not_written)?)
            }
            TableFormat::Arrow => Out::Arrow(FileWriter::try_new(out, &schema).map_err(failed)?),
        };
        Ok(Self {
            out,
            schema,
            columns: columns
                .iter()
                .map(|(name, kind)| (name.clone(), Column::new(*kind)))
                .collect(),
            rows: 0,
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
        for (name, column) in &mut self.columns {
            column.push(fields.get(name));
        }
        self.rows += 1;
        if self.rows < BATCH {
            return Ok(());
        }
        self.batch()
    }

    fn batch(&mut self) -> io::Result<()> {
        self.rows = 0;
        let columns = self.columns.iter_mut().map(|(_, column)| column.finish());
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns.collect());
        let batch = batch.map_err(failed)?;
        match &mut self.out {
            Out::Parquet(writer) => writer.write(&batch).map_err(not_written),
            Out::Arrow(writer) => writer.write(&batch).map_err(failed),
        }
    }
}

/// Splits the objects and pairs of an answer into columns.
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
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, after) = (&rest[..end], &rest[end + 1..]);
            if self.line.is_empty() {
                self.row(line)?;
            } else {
                let mut whole = std::mem::take(&mut self.line);
                whole.extend_from_slice(line);
                self.row(&whole)?;
            }
            rest = after;
        }
        self.line.extend_from_slice(rest);
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
