//! Certificates, the checkable evidence for answers, and their verification.
//!
//! `solve --certificate` writes down why an answer is right. This package checks the evidence using only the rulebooks
//! ([`getaway_rules`]) and replays of lines of play. It depends on no search or solver, so that an error there can't hide here.
//!
//! # Format
//!
//! A certificate is a gzip file, whose checksum reveals damage. It contains text like this:
//!
//! ```text
//! getaway certificate 2
//! ruleset: jimmy
//! rows: 3
//! ###
//! #o#
//! ###
//! caught by dominance and loops
//! start: without chasers
//!
//! end
//! ```
//!
//! The text consists of the version, the board as drawn with its settings, a claim, its evidence, and the word `end`. Version 1,
//! without the claim `caught by equality` for `dungeon`, is also accepted.
//!
//! | claim | evidence | checked in |
//! | --- | --- | --- |
//! | `escape` | `moves: ` and a line of play, which must escape with its last move | this file |
//! | `caught by equality` | a set of positions that no move leaves and from which no move escapes | `closed.rs`; for `dungeon` see [`dungeon`] |
//! | `caught by dominance`, `caught by dominance and loops` | the same; one position may stand for others that are no easier | `jimmy.rs` |
//! | `food D`, `no-food D` | the cells that the search of rule 5 takes out of OPEN, in order | `maze.rs` |
//! | `chance` | for each position, bounds, the move of a strategy, a rank and a number of turns | [`chance`] |
//!
//! A claim of `caught` is followed by `start: as drawn`, or by `start: without chasers` if the runner cannot escape even without
//! them. After `caught by equality`, the line is always `start: without chasers` for a `dungeon`, and always `start: as drawn`
//! for any other ruleset. The next line, except for `jimmy` and `dungeon`, then says how long the runner survives:
//! `survives: unknown`, `survives: never` (with bounds that every move lowers) or `survives: for ever`. The last of these is
//! followed by the lines `back to: N` and `moves: `, with a line of play that returns to the position after its first N moves.
//!
//! ```
//! use getaway_board::limits::Limits;
//! use getaway_board::puzzle::{Puzzle, text::Boards};
//! use getaway_rules::jimmy::Jimmy;
//! use getaway_ruleset::Notation;
//! use getaway_verify::{CertificateReader, Proof, Verifiable, board_text, verify};
//!
//! let mut puzzle = Puzzle::empty();
//! Boards::new(b"###\n#o.\n###\n", 1).read(&mut puzzle)?;
//! let (jimmy, board) = (Jimmy::read(&puzzle)?, board_text("jimmy", &[], &puzzle));
//!
//! let mut certificate = b"getaway certificate 2\n".to_vec();
//! certificate.extend_from_slice(&board);
//! certificate.extend_from_slice(b"escape\nmoves: R\nend\n");
//! let mut content = CertificateReader::new(Box::new(&*certificate), &Limits::default());
//! let proof = verify(&mut content, &board, |content| jimmy.check(content))?;
//! assert_eq!(proof, Proof::Escape { moves: 1 });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

pub mod chance;
mod closed;
mod content;
pub mod dungeon;
mod jimmy;
mod maze;
mod proof;

use std::hash::Hash;

use getaway_board::fault::BoardError;
use getaway_board::limits::{Clock, Limit};
use getaway_play::replay::replay_while;
use getaway_play::trace::Ending;
use getaway_rules::baddies::Baddies;
use getaway_rules::dungeon::Dungeon;
use getaway_rules::jimmy::Jimmy;
use getaway_rules::maze::Maze;
use getaway_ruleset::{Deterministic, Playable, Stochastic};

pub use chance::InexactError;
use closed::{Equal, read_number};
pub use content::{CertificateReader, board_text, write};
use dungeon::WithoutChasers;
use jimmy::ByDominance;
pub use proof::{Proof, ProvedLifetime};

/// The reason why a certificate was not accepted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum VerifyError {
    /// The file is not a certificate, or it is damaged or malformed.
    #[error("the certificate can't be read: {0}")]
    Unreadable(String),
    /// The evidence does not prove the claim for this board.
    #[error("the certificate does not hold: {0}")]
    Fails(String),
    /// The board has faults.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A limit ended the check.
    #[error("undecided: {0}")]
    Limit(Limit),
}

impl VerifyError {
    fn unreadable(why: &str) -> Self {
        Self::Unreadable(why.to_owned())
    }

    fn fails(why: &str) -> Self {
        Self::Fails(why.to_owned())
    }
}

impl From<Limit> for VerifyError {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

/// A board whose certificates can be checked.
pub trait Verifiable {
    /// Checks the claim and its evidence, from the line after the board on.
    ///
    /// # Errors
    ///
    /// Returns the reason why the certificate does not hold or can't be read, or the limit that was reached.
    fn check(&self, content: &mut CertificateReader) -> Result<Proof, VerifyError>;
}

/// Checks a certificate for the board with this text ([`board_text`]); the function `check` checks its claim and evidence.
///
/// # Errors
///
/// Returns the reason why the certificate does not hold or can't be read, or the limit that was reached.
pub fn verify(
    content: &mut CertificateReader,
    board: &[u8],
    check: impl FnOnce(&mut CertificateReader) -> Result<Proof, VerifyError>,
) -> Result<Proof, VerifyError> {
    let checked = content.open(board).and_then(|()| {
        let proof = check(content)?;
        content.end()?;
        Ok(proof)
    });
    match checked {
        Err(refusal @ (VerifyError::Limit(_) | VerifyError::Unreadable(_))) => Err(refusal),
        // If the rest of the file turns out to be damaged, that is reported instead of a refusal that the damage may have caused.
        checked => content.drain(checked.is_ok()).and(checked),
    }
}

/// Checks the claim and the evidence for a board without chance.
///
/// # Errors
///
/// Returns the reason why the certificate does not hold or can't be read, or the limit that was reached.
pub fn check_equality<R>(rules: &R, content: &mut CertificateReader) -> Result<Proof, VerifyError>
where
    R: Deterministic<State: Eq> + Playable,
{
    match content.line()? {
        "escape" => escape(rules, content),
        "caught by equality" => {
            if content.field("start: ")? != "as drawn" {
                return Err(content.malformed("it should be `start: as drawn`"));
            }
            caught_by_equality(rules, content)
        }
        _ => Err(unknown_claim(content)),
    }
}

/// Checks the claim and the bounds for a board with chance.
///
/// # Errors
///
/// Returns the reason why the certificate does not hold or can't be read, or the limit that was reached.
pub fn check_chance<R>(rules: &R, content: &mut CertificateReader) -> Result<Proof, VerifyError>
where
    R: Stochastic<State: Eq + Hash, Chaser: Eq + Hash>,
{
    match content.line()? {
        "chance" => chance::check(rules, content),
        _ => Err(unknown_claim(content)),
    }
}

fn unknown_claim(content: &CertificateReader) -> VerifyError {
    content.malformed("this ruleset has no such claim")
}

fn escape<R: Deterministic + Playable>(
    rules: &R,
    content: &mut CertificateReader,
) -> Result<Proof, VerifyError> {
    let moves = read_moves(rules, content)?;
    let mut clock = Clock::new(content.limits());
    let work = rules.state_bytes() as u64;
    let ending = replay_while(rules, rules.opened(), &moves, || clock.work(work))?;
    let turns = moves.len();
    if ending == (Ending::Escaped { turns }) {
        let moves = turns as u64;
        return Ok(Proof::Escape { moves });
    }
    Err(content.line_fails(&match ending {
        Ending::Escaped { turns } => {
            format!("the line goes on after the escape in {turns} moves")
        }
        Ending::Caught { turns, cause } => {
            format!("the line does not escape: {cause} after {turns} moves")
        }
        Ending::Open { .. } | Ending::Forfeited { .. } => {
            "the line ends before it escapes".to_owned()
        }
        Ending::Illegal { turn, reason, .. } => format!("move {turn} is illegal: {reason}"),
    }))
}

fn read_moves<R: Playable>(
    rules: &R,
    content: &mut CertificateReader,
) -> Result<Vec<R::Move>, VerifyError> {
    let moves = rules.parse_moves(content.field("moves: ")?);
    moves.map_err(|error| content.malformed(&error.to_string()))
}

fn caught_by_equality<R>(rules: &R, content: &mut CertificateReader) -> Result<Proof, VerifyError>
where
    R: Deterministic<State: Eq> + Playable,
{
    let life = match content.field("survives: ")? {
        "unknown" => ProvedLifetime::Unknown,
        // The line of the first position gives the bound.
        "never" => ProvedLifetime::AtMost(u64::MAX),
        "for ever" => ProvedLifetime::Forever,
        _ => return Err(content.malformed("this should be `unknown`, `never` or `for ever`")),
    };
    if life == ProvedLifetime::Forever {
        check_return(rules, content)?;
    }
    closed::check(&Equal(rules), life, content)
}

fn check_return<R>(rules: &R, content: &mut CertificateReader) -> Result<(), VerifyError>
where
    R: Deterministic<State: Eq> + Playable,
{
    let back_to = read_number(content.field("back to: ")?)
        .ok_or_else(|| content.malformed("this should be a number"))?;
    let moves = read_moves(rules, content)?;
    if back_to >= moves.len() as u64 {
        return Err(content.line_fails("`back to` must be less than the number of moves"));
    }
    let mut clock = Clock::new(content.limits());
    let opened = rules.opened();
    let mut at =
        opened.map_err(|_| content.line_fails("the game is over before the first move"))?;
    let mut returns_to = None;
    for (number, &mv) in moves.iter().enumerate() {
        clock.work(rules.state_bytes() as u64)?;
        if number as u64 == back_to {
            returns_to = Some(at.clone());
        }
        if rules.refusal(&at, mv).is_some() || rules.play(&mut at, mv).is_some() {
            let turn = number + 1;
            return Err(content.line_fails(&format!("the runner does not survive move {turn}")));
        }
    }
    if returns_to == Some(at) {
        Ok(())
    } else {
        Err(content.line_fails("the line does not return to that position"))
    }
}

impl Verifiable for Dungeon {
    fn check(&self, content: &mut CertificateReader) -> Result<Proof, VerifyError> {
        match content.line()? {
            "chance" => chance::check(self, content),
            "caught by equality" => caught_without_chasers(self, content),
            _ => Err(unknown_claim(content)),
        }
    }
}

impl Verifiable for Maze {
    fn check(&self, content: &mut CertificateReader) -> Result<Proof, VerifyError> {
        maze::check(self, content)
    }
}

impl Verifiable for Baddies {
    fn check(&self, content: &mut CertificateReader) -> Result<Proof, VerifyError> {
        check_equality(self, content)
    }
}

impl Verifiable for Jimmy {
    fn check(&self, content: &mut CertificateReader) -> Result<Proof, VerifyError> {
        match content.line()? {
            "escape" => escape(self, content),
            "caught by dominance and loops" if !self.revisit => caught_by_dominance(self, content),
            "caught by dominance" if self.revisit => caught_by_dominance(self, content),
            _ => Err(unknown_claim(content)),
        }
    }
}

fn caught_by_dominance(
    jimmy: &Jimmy,
    content: &mut CertificateReader,
) -> Result<Proof, VerifyError> {
    let mut game = ByDominance::new(jimmy);
    match content.field("start: ")? {
        "as drawn" => {}
        "without chasers" => game.0.ghosts.clear(),
        _ => return Err(content.malformed("this should be `as drawn` or `without chasers`")),
    }
    closed::check(&game, ProvedLifetime::Unknown, content)
}

fn caught_without_chasers(
    dungeon: &Dungeon,
    content: &mut CertificateReader,
) -> Result<Proof, VerifyError> {
    if content.field("start: ")? != "without chasers" {
        return Err(content.malformed("it should be `start: without chasers`"));
    }
    let game = WithoutChasers::new(dungeon);
    let game = game.ok_or_else(|| content.line_fails("this claim requires exactly one player"))?;
    closed::check(&Equal(&game), ProvedLifetime::Unknown, content)
}
