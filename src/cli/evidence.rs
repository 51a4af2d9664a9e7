//! Writes or judges the evidence for an answer.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use getaway_board::fault::{BoardError, Fault, FaultKind};
use getaway_board::limits::{Limit, Limits};
use getaway_play::solution::Solution;
use getaway_solvers::answers::Case;
use getaway_solvers::game::CertifyError;
use getaway_verify::{CertificateReader, VerifyError};

use super::output_file;

#[derive(Clone, Debug)]
pub enum EvidenceMode {
    /// The evidence is verified in memory, and must prove the answer.
    Verified,
    /// The file for a single board's evidence, and whether a board has used it.
    Written(PathBuf, Arc<AtomicBool>),
}

impl EvidenceMode {
    /// Writes or verifies the evidence. Returns a warning if a limit came first; an interrupt and any other failure are errors.
    pub fn of(
        &self,
        case: Case,
        solution: &Solution,
        limits: &Limits,
    ) -> Result<Option<Fault>, BoardError> {
        let Case {
            entry,
            puzzle,
            game,
        } = case;
        let board = entry.board_text(puzzle);
        let write = |out: &mut dyn Write, limits: &Limits| -> Result<(), CertifyError> {
            let mut packer = packer(out);
            getaway_verify::write(&mut packer, &board, |out| {
                game.certify(solution, limits, out)
            })?;
            packer.finish()?;
            Ok(())
        };
        let fault = |kind| puzzle.fault(puzzle.place(), kind);
        let error = |message: &str, help| Err(fault(FaultKind::other(message, help)).into());
        match self {
            Self::Written(path, is_taken) => {
                if is_taken.swap(true, Ordering::Relaxed) {
                    let message = "this is a second board, but a certificate covers only one";
                    return error(message, "name the board as FILE#N");
                }
                let written =
                    output_file::write_by(path, Path::new(""), |out| Ok(write(out, limits)?));
                let Err(why) = written else {
                    return Ok(None);
                };
                match why.downcast_ref() {
                    Some(&CertifyError::Limit(limit)) if limit != Limit::Interrupt => {
                        Ok(Some(fault(cut_short(why.to_string(), limit))))
                    }
                    _ => error(
                        &format!("{why:#}"),
                        "omit `--certificate` to see the answer",
                    ),
                }
            }
            Self::Verified => match judged(case, solution, limits, write) {
                Ok(None) => Ok(None),
                Ok(Some(why)) => {
                    let why = format!("the certificate does not prove the answer: {why}");
                    error(&why, super::panics::ADVICE)
                }
                Err(Limit::Interrupt) => Err(fault(FaultKind::Limit(Limit::Interrupt)).into()),
                Err(limit) => {
                    let why = format!("the evidence for this answer was not checked: {limit}");
                    Ok(Some(fault(cut_short(why, limit))))
                }
            },
        }
    }
}

// If this function were inlined, its large buffers would cost time on every board.
#[inline(never)]
fn judged(
    case: Case,
    solution: &Solution,
    limits: &Limits,
    write: impl FnOnce(&mut dyn Write, &Limits) -> Result<(), CertifyError>,
) -> Result<Option<String>, Limit> {
    let mut text = CertificateBuffer::within(limits);
    let rest = limits.without(text.max)?;
    if let Err(error) = write(&mut text, &rest) {
        return reason_or_limit(error).map(Some);
    }
    let rest = limits.without(text.bytes.capacity() as u64)?;
    let mut content = CertificateReader::new(Box::new(Unpacked::new(&*text.bytes)), &rest);
    match case.entry.verify(case.puzzle, &mut content) {
        Ok(proof) if proof.confirms(solution) => Ok(None),
        Ok(proof) => Ok(Some(format!("it proves `{proof}`"))),
        Err(VerifyError::Limit(limit)) => Err(limit),
        Err(refusal) => Ok(Some(refusal.to_string())),
    }
}

fn reason_or_limit(error: CertifyError) -> Result<String, Limit> {
    match error {
        CertifyError::Limit(limit) => Err(limit),
        CertifyError::Io(error) if error.kind() == io::ErrorKind::OutOfMemory => Err(Limit::Memory),
        other => Ok(other.to_string()),
    }
}

/// A certificate in memory. It may take an eighth of the memory limit, since making it takes far more.
struct CertificateBuffer {
    bytes: Vec<u8>,
    max: u64,
}

impl CertificateBuffer {
    fn within(limits: &Limits) -> Self {
        Self {
            bytes: Vec::new(),
            max: limits.max_memory.map_or(u64::MAX, |max| max / 8),
        }
    }
}

impl Write for CertificateBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let needed = (self.bytes.len() + bytes.len()) as u64;
        if needed > self.max {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        if needed > self.bytes.capacity() as u64 {
            let room = needed.max(2 * self.bytes.capacity() as u64).min(self.max);
            self.bytes.reserve_exact(room as usize - self.bytes.len());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn cut_short(message: String, limit: Limit) -> FaultKind {
    let option = match limit {
        Limit::States => "--max-states",
        Limit::Memory => "--max-memory",
        Limit::Time => "--timeout",
        Limit::Interrupt => return FaultKind::other(message, ""),
    };
    let help = format!("the answer stands; raise `{option}` to have it verified");
    FaultKind::other(message, help)
}

/// Returns an encoder for a certificate. Call `finish` at the end.
pub fn packer<W: Write>(out: W) -> GzEncoder<W> {
    GzEncoder::new(out, Compression::fast())
}

/// A reader that decompresses gzip data and rejects anything that follows it.
pub struct Unpacked<R>(GzDecoder<BufReader<R>>);

impl<R: Read> Unpacked<R> {
    /// Creates a reader for `input`, which must be at its beginning.
    pub fn new(input: R) -> Self {
        Self(GzDecoder::new(BufReader::new(input)))
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(room)?;
        let is_at_end = read == 0 && !room.is_empty();
        if is_at_end && !self.0.get_mut().fill_buf()?.is_empty() {
            return Err(io::Error::other("it has extra data after its end"));
        }
        Ok(read)
    }
}

#[cfg(test)]
#[path = "evidence_tests.rs"]
mod tests;
