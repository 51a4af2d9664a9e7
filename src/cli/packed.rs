//! Certificate files, compressed with gzip.

use std::io::{self, BufRead, BufReader, Read, Write};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

/// Returns a writer that compresses; call `finish` at the end.
pub fn packer<W: Write>(out: W) -> GzEncoder<W> {
    GzEncoder::new(out, Compression::fast())
}

/// Decompresses a file and rejects trailing data.
pub struct Unpacked<R>(GzDecoder<BufReader<R>>);

impl<R: Read> Unpacked<R> {
    /// Decompresses `input`.
    pub fn new(input: R) -> Self {
        Self(GzDecoder::new(BufReader::new(input)))
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(room)?;
        let is_at_end = read == 0 && !room.is_empty();
        if is_at_end && !self.0.get_mut().fill_buf()?.is_empty() {
            return Err(io::Error::other("something follows after its end"));
        }
        Ok(read)
    }
}
