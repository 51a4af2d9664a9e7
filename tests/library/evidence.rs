//! Certificates written by the solver and checked by the verifier.

use std::io::Write;

use getaway_board::limits::Limits;
use getaway_board::puzzle::Puzzle;
use getaway_play::solution::{Solution, Verdict};
use getaway_search::search::Order;
use getaway_solvers::rulesets::{self, RULESETS};
use getaway_verify::{CertificateReader, Proof, VerifyError};

use getaway::cli::evidence::{Unpacked, packer};

/// Returns the certificate and the solution; `None` if there is no certificate within these limits.
pub fn certified(puzzle: &Puzzle, limits: &Limits) -> Option<(Vec<u8>, Solution)> {
    let entry = rulesets::of_board(RULESETS, puzzle).unwrap();
    let game = (entry.read)(puzzle).unwrap();
    game.solvable().ok()?;
    let solution = game.solve(Order::DepthFirst, limits);
    if solution.verdict() == Verdict::Undecided {
        return None;
    }
    let (mut packer, board) = (packer(Vec::new()), entry.board_text(puzzle));
    let evidence = |out: &mut dyn Write| game.certify(&solution, limits, out);
    match getaway_verify::write(&mut packer, &board, evidence) {
        Ok(()) => Some((packer.finish().unwrap(), solution)),
        Err(error) if error.to_string().contains("limit reached") => None,
        Err(error) => panic!("{:?}: {error}", puzzle.name()),
    }
}

pub fn verified(
    puzzle: &Puzzle,
    certificate: &[u8],
    limits: &Limits,
) -> Result<Proof, VerifyError> {
    let entry = rulesets::of_board(RULESETS, puzzle).unwrap();
    let certificate = Unpacked::new(certificate);
    entry.verify(
        puzzle,
        &mut CertificateReader::new(Box::new(certificate), limits),
    )
}
