//! Zstd streams with any number of frames.

use std::error::Error;
use std::io::{self, BufRead, BufReader, Read, Write};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress};

pub struct Decoder<R> {
    source: BufReader<R>,
    frame: FrameDecoder,
    is_in_frame: bool,
}

impl<R: Read> Decoder<R> {
    /// Creates a decoder that rejects a frame whose window exceeds `max_memory` bytes.
    pub fn new(source: R, max_memory: u64) -> Self {
        let mut frame = FrameDecoder::new();
        frame.set_max_window_size(max_memory);
        Self {
            source: BufReader::with_capacity(1 << 16, source),
            frame,
            is_in_frame: false,
        }
    }

    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.frame.reset(&mut self.source) {
                Ok(()) => {
                    self.is_in_frame = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut rest = (&mut self.source).take(length.into());
                    if io::copy(&mut rest, &mut io::sink())? < length.into() {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                // The first frame's magic number is right, or this would not be read as zstd data.
                Err(FrameDecoderError::ReadFrameHeaderError(
                    ReadFrameHeaderError::BadMagicNumber(_)
                    | ReadFrameHeaderError::MagicNumberReadError(_),
                )) => return Err(super::trailing_data("zstd")),
                Err(error) => return Err(described(&error)),
            }
        }
        Ok(false)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.is_in_frame = false;
        let expected = self.frame.get_checksum_from_data();
        if expected.is_some() && expected != self.frame.get_calculated_checksum() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(())
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while self.is_in_frame || self.next_frame()? {
            while self.frame.can_collect() == 0 && !self.frame.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.frame
                    .decode_blocks(&mut self.source, one)
                    .map_err(|error| described(&error))?;
            }
            if self.frame.can_collect() > 0 {
                return self.frame.read(room);
            }
            self.end_frame()?;
        }
        Ok(0)
    }
}

/// Converts a decoder's error. An error of the source keeps its kind, and a window that is too large is reported as a lack of
/// memory. All other errors mean damaged data.
fn described(error: &FrameDecoderError) -> io::Error {
    if let FrameDecoderError::WindowSizeTooBig { requested, .. } = error {
        let message =
            format!("the zstd data needs {requested} bytes of memory; raise `--max-memory`");
        return io::Error::new(io::ErrorKind::OutOfMemory, message);
    }
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return io::Error::new(error.kind(), error.to_string());
        }
        cause = error.source();
    }
    io::ErrorKind::InvalidData.into()
}

/// A writer that compresses each write into a frame of its own, since the library has no streaming encoder.
pub struct Frames<W> {
    out: W,
    is_begun: bool,
}

/// The approximate number of bytes compressed into a frame: the size of the buffer before [`Frames`].
pub const FRAME: usize = 1 << 20;

impl<W: Write> Frames<W> {
    pub const fn new(out: W) -> Self {
        Self {
            out,
            is_begun: false,
        }
    }

    /// Writes an empty frame if nothing was written before, and flushes the output.
    pub fn finish(mut self) -> io::Result<()> {
        if !self.is_begun {
            _ = self.write(&[])?;
        }
        self.flush()
    }
}

impl<W: Write> Write for Frames<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut data = Vec::with_capacity(bytes.len() / 4);
        compress(bytes, &mut data, CompressionLevel::Fastest);
        self.out.write_all(&data)?;
        self.is_begun = true;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
