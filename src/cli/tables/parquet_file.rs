//! Parquet files that can't be read beyond their end.

use std::fs::File;
use std::io::{self, BufReader, Read};

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// A file that fails on reads beyond its end: given a damaged file that claims billions of entries, the library would
/// otherwise run for minutes or allocate memory for all of them.
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
            return Err(ParquetError::EOF("a part is outside of the file".into()));
        }
        self.0.get_bytes(start, length)
    }
}

/// An input for which reaching the end is an error.
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
mod tests {
    use std::io::{Seek, Write};

    use super::*;

    #[test]
    fn nothing_is_read_beyond_the_end() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        file.rewind().unwrap();
        let file = ParquetFile(file);
        assert_eq!(Length::len(&file), 10);
        assert_eq!(file.get_bytes(7, 3).unwrap(), b"789"[..]);
        for (start, length) in [(7, 4), (11, 0), (0, usize::MAX), (u64::MAX, 1)] {
            assert!(file.get_bytes(start, length).is_err(), "{start}, {length}");
        }
        let mut rest = Vec::new();
        let error = file.get_read(4).unwrap().read_to_end(&mut rest);
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(rest, b"456789");
        let mut whole = [0; 6];
        file.get_read(4).unwrap().read_exact(&mut whole).unwrap();
    }
}
