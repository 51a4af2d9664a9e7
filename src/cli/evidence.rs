//! The evidence for an answer: written to a file, or judged at once.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use getaway::fault::{BoardError, FaultKind};
use getaway::game::{Game, Uncertified};
use getaway::limits::Limits;
use getaway::puzzle::Puzzle;
use getaway::rulesets::Entry;
use getaway::solution::{Solution, Verdict};
use getaway::verify::{Content, Refusal, Writer};

use super::output_file;

/// What is done with the evidence for an answer.
#[derive(Clone, Debug, Default)]
pub enum Evidence {
    /// Nothing: it is not looked for.
    #[default]
    Ignored,
    /// It is judged, and an answer that it does not bear out is an error.
    Verified,
    /// It is written to this file, which is for one board; and whether that has been done.
    Written(PathBuf, Arc<AtomicBool>),
}

impl Evidence {
    /// Deals with the evidence for the answer of a board.
    ///
    /// # Errors
    ///
    /// If there is none that bears it out, or it can't be written; a limit that was reached before that was known.
    pub fn of(
        &self,
        (entry, puzzle): (&Entry, &Puzzle),
        (game, solution): (&dyn Game, &Solution),
        limits: &Limits,
    ) -> Result<(), BoardError> {
        if solution.verdict == Verdict::Undecided {
            return Ok(());
        }
        let board = entry.board_text(puzzle);
        let write = |out: &mut dyn Write| -> Result<(), Uncertified> {
            let mut writer = Writer::new(out, &board)?;
            game.certify(solution, limits, &mut writer)?;
            writer.finish()?;
            Ok(())
        };
        let error = |kind| puzzle.fault(puzzle.place(), kind).into();
        match self {
            Self::Ignored => Ok(()),
            Self::Written(path, is_taken) => {
                if is_taken.swap(true, Ordering::Relaxed) {
                    return Err(error(second_board()));
                }
                output_file::write_as_it_is(path, |out| Ok(write(out)?))
                    .map_err(|why| error(unwritten(&why)))
            }
            Self::Verified => {
                let mut certificate = Vec::new();
                match write(&mut certificate) {
                    Ok(()) => {}
                    Err(Uncertified::Limit(limit)) => return Err(error(FaultKind::Limit(limit))),
                    Err(other) => return Err(error(unverified(&other.to_string()))),
                }
                let mut content = Content::new(Box::new(&*certificate), limits);
                match entry.verify(puzzle, &mut content) {
                    Ok(proof) if proof.bears_out(solution) => Ok(()),
                    Ok(proof) => Err(error(unverified(&format!("it proves `{proof}`")))),
                    Err(Refusal::Limit(limit)) => Err(error(FaultKind::Limit(limit))),
                    Err(refusal) => Err(error(unverified(&refusal.to_string()))),
                }
            }
        }
    }
}

fn second_board() -> FaultKind {
    FaultKind::Other {
        message: "a second board, and a certificate is for one".into(),
        help: "name the board as FILE#N".into(),
    }
}

fn unwritten(why: &anyhow::Error) -> FaultKind {
    FaultKind::Other {
        message: format!("{why:#}"),
        help: "without `--certificate` the answer is told".into(),
    }
}

fn unverified(why: &str) -> FaultKind {
    FaultKind::Other {
        message: format!("the answer is not borne out by its certificate: {why}"),
        help: super::panics::ADVICE.into(),
    }
}
