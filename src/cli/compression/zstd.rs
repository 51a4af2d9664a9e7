//! Zstd streams with any number of frames.

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
    /// Creates a decoder that uses at most `max_memory` bytes for each frame.
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
                Err(error) => return Err(told(error)),
            }
        }
        Ok(false)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        self.is_in_frame = false;
        let wanted = self.frame.get_checksum_from_data();
        if wanted.is_some() && wanted != self.frame.get_calculated_checksum() {
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
                    .map_err(told)?;
            }
            if self.frame.can_collect() > 0 {
                return self.frame.read(room);
            }
            self.end_frame()?;
        }
        Ok(0)
    }
}

fn told(error: FrameDecoderError) -> io::Error {
    match error {
        FrameDecoderError::WindowSizeTooBig { requested, .. } => {
            let message = format!("the zstd data needs {requested} bytes; raise `--max-memory`");
            io::Error::new(io::ErrorKind::OutOfMemory, message)
        }
        error => io::Error::other(error),
    }
}

/// An encoder that writes frames of one megabyte, since the library has no streaming encoder.
pub struct Encoder<W: Write> {
    out: W,
    text: Vec<u8>,
    is_begun: bool,
}

const FRAME: usize = 1 << 20;

impl<W: Write> Encoder<W> {
    pub const fn new(out: W) -> Self {
        Self {
            out,
            text: Vec::new(),
            is_begun: false,
        }
    }

    fn frame(&mut self) -> io::Result<()> {
        let mut data = Vec::with_capacity(self.text.len() / 4);
        compress(self.text.as_slice(), &mut data, CompressionLevel::Fastest);
        self.out.write_all(&data)?;
        self.text.clear();
        self.is_begun = true;
        Ok(())
    }

    /// Writes the last frame, even for an empty text.
    pub fn finish(mut self) -> io::Result<()> {
        self.last_frame()?;
        self.out.flush()
    }

    fn last_frame(&mut self) -> io::Result<()> {
        if self.text.is_empty() && self.is_begun {
            Ok(())
        } else {
            self.frame()
        }
    }
}

impl<W: Write> Drop for Encoder<W> {
    fn drop(&mut self) {
        // Errors are reported only by `finish`.
        let _ = self.last_frame();
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.text.len() >= FRAME {
            self.frame()?;
        }
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
