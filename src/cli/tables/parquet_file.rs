//! Parquet files that reject reads beyond their end.

use std::fs::File;
use std::io::{self, BufReader, Read};

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// A file that fails on reads beyond its end. Otherwise the library would process all entries that a damaged file declares.
pub struct ParquetFile(pub File);

impl Length for ParquetFile {
    fn len(&self) -> u64 {
        Length::len(&self.0)
    }
}

impl ChunkReader for ParquetFile {
    type T = Unending<BufReader<File>>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        self.0.get_read(start).map(Unending)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let end = start.checked_add(length as u64);
        if end.is_none_or(|end| end > Length::len(self)) {
            return Err(ParquetError::EOF("a part lies outside the file".into()));
        }
        self.0.get_bytes(start, length)
    }
}

/// A reader for which reaching the end is an error.
pub struct Unending<R>(R);

impl<R: Read> Read for Unending<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match self.0.read(room)? {
            0 if !room.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
            count => Ok(count),
        }
    }
}

#[cfg(test)]
#[path = "parquet_file_tests.rs"]
mod tests;
