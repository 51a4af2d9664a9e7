//! The evidence for an answer: written to a file, or judged at once.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use getaway::fault::{BoardError, Fault, FaultKind};
use getaway::game::{Game, Uncertified};
use getaway::limits::{Limit, Limits};
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
    /// Deals with the evidence for the answer of a board; a warning if a limit was reached before it was judged.
    ///
    /// # Errors
    ///
    /// If there is none that bears it out, or it can't be written; or an interrupt.
    pub fn of(
        &self,
        (entry, puzzle): (&Entry, &Puzzle),
        (game, solution): (&dyn Game, &Solution),
        limits: &Limits,
    ) -> Result<Option<Fault>, BoardError> {
        if solution.verdict == Verdict::Undecided || matches!(self, Self::Ignored) {
            return Ok(None);
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
            Self::Ignored => Ok(None),
            Self::Written(path, is_taken) => {
                if is_taken.swap(true, Ordering::Relaxed) {
                    return Err(error(second_board()));
                }
                output_file::write_as_it_is(path, |out| Ok(write(out)?))
                    .map_err(|why| error(unwritten(&why)))?;
                Ok(None)
            }
            Self::Verified => {
                let mut certificate = Vec::new();
                let judged = write(&mut certificate)
                    .map_err(Missing::from)
                    .and_then(|()| {
                        let mut content = Content::new(Box::new(&*certificate), limits);
                        let proof = entry.verify(puzzle, &mut content)?;
                        let is_proof = proof.bears_out(solution);
                        is_proof
                            .then_some(())
                            .ok_or_else(|| Missing::Wrong(format!("it proves `{proof}`")))
                    });
                match judged {
                    Ok(()) => Ok(None),
                    Err(Missing::Limit(Limit::Interrupt)) => {
                        Err(error(FaultKind::Limit(Limit::Interrupt)))
                    }
                    Err(Missing::Limit(limit)) => {
                        Ok(Some(puzzle.fault(puzzle.place(), unjudged(limit))))
                    }
                    Err(Missing::Wrong(why)) => Err(error(unverified(&why))),
                }
            }
        }
    }
}

/// Why an answer is not verified.
enum Missing {
    /// A limit came first; the answer may be right all the same.
    Limit(Limit),
    /// There is something wrong.
    Wrong(String),
}

impl From<Uncertified> for Missing {
    fn from(error: Uncertified) -> Self {
        match error {
            Uncertified::Limit(limit) => Self::Limit(limit),
            other => Self::Wrong(other.to_string()),
        }
    }
}

impl From<Refusal> for Missing {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Limit(limit) => Self::Limit(limit),
            other => Self::Wrong(other.to_string()),
        }
    }
}

fn unjudged(limit: Limit) -> FaultKind {
    FaultKind::Other {
        message: format!("the evidence for this answer was not judged: {limit}"),
        help: match limit {
            Limit::States => "the answer stands; raise `--max-states` to have it verified".into(),
            Limit::Memory => "the answer stands; raise `--max-memory` to have it verified".into(),
            Limit::Time => "the answer stands; raise `--timeout` to have it verified".into(),
            Limit::Interrupt => String::new(),
        },
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
