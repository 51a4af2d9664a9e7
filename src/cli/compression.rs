//! Gzip and zstd, recognised by a file's extension or first bytes.

use std::borrow::Cow;
use std::io::{self, BufReader, Chain, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

mod zstd;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    Gzip,
    Zstd,
}

impl Compression {
    const ALL: [Self; 2] = [Self::Gzip, Self::Zstd];

    pub fn named(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|way| ending == way.ending())
    }

    const fn ending(self) -> &'static str {
        match self {
            Self::Gzip => "gz",
            Self::Zstd => "zst",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    const fn magic(self) -> &'static [u8] {
        match self {
            Self::Gzip => &[0x1F, 0x8B],
            Self::Zstd => &[0x28, 0xB5, 0x2F, 0xFD],
        }
    }
}

/// Removes the extension of a compressed file: `a.jsonl.gz` becomes `a.jsonl`.
pub fn plain_name(path: &Path) -> Cow<'_, Path> {
    match Compression::named(path) {
        Some(_) => PathBuf::from(path.file_stem().unwrap_or_default()).into(),
        None => path.into(),
    }
}

/// Decompresses an input if its first bytes call for it, and fails if its name promises compression that it lacks.
pub struct Plain<R> {
    state: State<R>,
    named: Option<Compression>,
    max_memory: u64,
}

enum State<R> {
    Unread(R),
    Plain(Begun<R>),
    Gzip(Box<MultiGzDecoder<Tracked<Begun<R>>>>),
    Zstd(Box<zstd::Decoder<Tracked<Begun<R>>>>),
    Failed,
}

/// An input whose first bytes have been put back.
type Begun<R> = Chain<Cursor<Vec<u8>>, R>;

impl<R: Read> Plain<R> {
    pub fn new(input: R, path: &Path, max_memory: u64) -> Self {
        Self {
            state: State::Unread(input),
            named: Compression::named(path),
            max_memory,
        }
    }

    fn begin(&mut self) -> io::Result<()> {
        if !matches!(self.state, State::Unread(_)) {
            return Ok(());
        }
        let State::Unread(mut input) = std::mem::replace(&mut self.state, State::Failed) else {
            return Ok(());
        };
        let first = first_bytes(&mut input)?;
        let has_magic = |way: &Compression| first.starts_with(way.magic());
        let found = Compression::ALL.into_iter().find(has_magic);
        if let Some(named) = self.named.filter(|_| found.is_none()) {
            let (name, ending) = (named.name(), named.ending());
            let message = format!("this is not {name} data, though its name ends in `.{ending}`");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let input = Cursor::new(first).chain(input);
        self.state = match found {
            None => State::Plain(input),
            Some(Compression::Gzip) => {
                State::Gzip(Box::new(MultiGzDecoder::new(Tracked::new(input))))
            }
            Some(Compression::Zstd) => {
                let decoder = zstd::Decoder::new(Tracked::new(input), self.max_memory);
                State::Zstd(Box::new(decoder))
            }
        };
        Ok(())
    }
}

/// Reads no more than needed, since a pipe might not deliver more yet.
fn first_bytes(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut first = Vec::new();
    let may_be = |first: &[u8]| {
        let begins =
            |way: &Compression| way.magic().len() > first.len() && way.magic().starts_with(first);
        Compression::ALL.iter().any(begins)
    };
    while may_be(&first) {
        let mut room = [0; 4];
        match input.read(&mut room[..4 - first.len()]) {
            Ok(0) => break,
            Ok(count) => first.extend_from_slice(&room[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(first)
}

impl<R: Read> Read for Plain<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.begin()?;
        let (result, way, source) = match &mut self.state {
            State::Unread(_) | State::Failed => return Ok(0),
            State::Plain(input) => return input.read(room),
            State::Gzip(decoder) => (decoder.read(room), Compression::Gzip, decoder.get_mut()),
            State::Zstd(decoder) => (decoder.read(room), Compression::Zstd, decoder.source()),
        };
        if let Err(error) = result {
            let told = source.told(way, &error);
            self.state = State::Failed;
            return Err(told);
        }
        result
    }
}

/// Remembers how an input ended, which decoders don't report.
struct Tracked<R> {
    input: R,
    is_at_end: bool,
    failure: Option<io::Error>,
}

impl<R> Tracked<R> {
    const fn new(input: R) -> Self {
        Self {
            input,
            is_at_end: false,
            failure: None,
        }
    }

    fn told(&mut self, way: Compression, error: &io::Error) -> io::Error {
        if let Some(failure) = self.failure.take() {
            return failure;
        }
        if error.kind() == io::ErrorKind::OutOfMemory {
            return io::Error::new(error.kind(), error.to_string());
        }
        let what = if self.is_at_end {
            "is cut short"
        } else {
            "is damaged"
        };
        let message = format!("the {} data {what}", way.name());
        io::Error::new(io::ErrorKind::InvalidData, message)
    }
}

impl<R: Read> Read for Tracked<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match self.input.read(room) {
            Ok(count) => {
                self.is_at_end = count == 0 && !room.is_empty();
                Ok(count)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let kind = error.kind();
                self.failure = Some(error);
                Err(kind.into())
            }
        }
    }
}

/// Call [`Writer::finish`] to learn of errors at the end.
pub enum Writer<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::Encoder<W>),
}

impl<W: Write> Writer<W> {
    pub fn new(out: W, path: &Path) -> Self {
        match Compression::named(path) {
            None => Self::Plain(out),
            Some(Compression::Gzip) => {
                Self::Gzip(GzEncoder::new(out, flate2::Compression::default()))
            }
            Some(Compression::Zstd) => Self::Zstd(zstd::Encoder::new(out)),
        }
    }

    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Plain(mut out) => out.flush(),
            Self::Gzip(encoder) => encoder.finish()?.flush(),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    /// Compressed data may stay buffered.
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            Self::Gzip(_) | Self::Zstd(_) => Ok(()),
        }
    }
}

fn buffered<R: Read>(input: R) -> BufReader<R> {
    BufReader::with_capacity(1 << 16, input)
}

#[cfg(test)]
mod tests;
