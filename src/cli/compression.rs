//! Gzip and zstd compression, recognized by a file's extension or first bytes.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, BufWriter, Chain, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use flate2::bufread::GzDecoder;
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
        Self::ALL.into_iter().find(|codec| ending == codec.ending())
    }

    const fn ending(self) -> &'static str {
        match self {
            Self::Gzip => "gz",
            Self::Zstd => "zst",
        }
    }

    /// Returns the name of the format, and the first bytes of its data.
    const fn format(self) -> (&'static str, &'static [u8]) {
        match self {
            Self::Gzip => ("gzip", &[0x1F, 0x8B]),
            Self::Zstd => ("zstd", &[0x28, 0xB5, 0x2F, 0xFD]),
        }
    }

    const fn magic(self) -> &'static [u8] {
        self.format().1
    }
}

/// Returns a compressed file's name without its folder and last extension: `boards/a.jsonl.gz` becomes `a.jsonl`. Returns other
/// paths unchanged.
pub fn plain_name(path: &Path) -> Cow<'_, Path> {
    match Compression::named(path) {
        Some(_) => PathBuf::from(path.file_stem().unwrap_or_default()).into(),
        None => path.into(),
    }
}

/// Decompresses an input if its first bytes mark it as compressed. Fails if only its name does.
pub fn plain<'r>(
    mut input: impl Read + Send + 'r,
    path: &Path,
    max_memory: u64,
) -> io::Result<Box<dyn Read + Send + 'r>> {
    let first = first_bytes(&mut input)?;
    let has_magic = |codec: &Compression| first.starts_with(codec.magic());
    let found = Compression::ALL.into_iter().find(has_magic);
    if let (Some(named), None) = (Compression::named(path), found) {
        let (name, ending) = (named.format().0, named.ending());
        let message = format!("this is not {name} data, though its name ends in `.{ending}`");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    let input = Cursor::new(first).chain(input);
    let Some(codec) = found else {
        return Ok(Box::new(input));
    };
    let decoder: Box<dyn Read + Send + 'r> = match codec {
        Compression::Gzip => Box::new(Gzip(next_member(BufReader::with_capacity(1 << 16, input))?)),
        Compression::Zstd => Box::new(zstd::Decoder::new(input, max_memory)),
    };
    Ok(Box::new(Decoded { decoder, codec }))
}

/// Reads only the bytes needed to recognize the compression, since a pipe might not deliver more yet.
fn first_bytes(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let may_be = |first: &[u8]| {
        let begins = |codec: &Compression| {
            codec.magic().len() > first.len() && codec.magic().starts_with(first)
        };
        Compression::ALL.iter().any(begins)
    };
    let mut first = Vec::new();
    while may_be(&first) && input.by_ref().take(1).read_to_end(&mut first)? > 0 {}
    Ok(first)
}

/// A gzip stream with any number of members, the last of which may be followed by zero bytes, as from a tape.
struct Gzip<R>(Option<Member<R>>);

type Member<R> = GzDecoder<Chain<&'static [u8], R>>;

fn next_member<R: BufRead>(mut source: R) -> io::Result<Option<Member<R>>> {
    let magic = Compression::Gzip.magic();
    let first = first_bytes(&mut source)?;
    if first == magic {
        return Ok(Some(GzDecoder::new(magic.chain(source))));
    }
    for byte in Cursor::new(first).chain(source).bytes() {
        if byte? != 0 {
            return Err(trailing_data("gzip"));
        }
    }
    Ok(None)
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.0 {
            let got = member.read(room)?;
            if got > 0 || room.is_empty() {
                return Ok(got);
            }
            let ended = self.0.take();
            let source = ended.map(|member| member.into_inner().into_inner().1);
            self.0 = source.map(next_member).transpose()?.flatten();
        }
        Ok(0)
    }
}

fn trailing_data(name: &str) -> io::Error {
    io::Error::other(format!(
        "other bytes follow the end of the {name} data; remove them"
    ))
}

struct Decoded<'r> {
    decoder: Box<dyn Read + Send + 'r>,
    codec: Compression,
}

impl Read for Decoded<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(room).map_err(|error| {
            let what = match error.kind() {
                io::ErrorKind::UnexpectedEof => "is cut short",
                io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => "is damaged",
                _ => return error,
            };
            let message = format!("the {} data {what}", self.codec.format().0);
            io::Error::new(io::ErrorKind::InvalidData, message)
        })
    }
}

/// A writer that compresses a file if its name says so. Call [`CompressedWriter::finish`] to detect errors at the end.
pub enum CompressedWriter<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(BufWriter<zstd::Frames<W>>),
}

impl<W: Write> CompressedWriter<W> {
    pub fn new(out: W, path: &Path) -> Self {
        match Compression::named(path) {
            None => Self::Plain(out),
            Some(Compression::Gzip) => {
                Self::Gzip(GzEncoder::new(out, flate2::Compression::default()))
            }
            Some(Compression::Zstd) => {
                let frames = zstd::Frames::new(out);
                Self::Zstd(BufWriter::with_capacity(zstd::FRAME, frames))
            }
        }
    }

    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Plain(mut out) => out.flush(),
            Self::Gzip(encoder) => encoder.finish()?.flush(),
            Self::Zstd(encoder) => encoder.into_inner()?.finish(),
        }
    }
}

impl<W: Write> Write for CompressedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            // A flush would end the encoder's block or frame early, and so compress less.
            Self::Gzip(_) | Self::Zstd(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
