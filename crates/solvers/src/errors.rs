//! The reasons why a certificate or a model can't be written.

use std::io;

use getaway_board::limits::Limit;
use getaway_play::trace::TraceError;
use getaway_verify::InexactError;

/// The reason why a certificate can't be written.
#[derive(Debug, thiserror::Error)]
pub enum CertifyError {
    /// The board is undecided.
    #[error("an undecided board has no certificate")]
    Undecided,
    /// A limit was reached.
    #[error("no certificate was written: {0}")]
    Limit(Limit),
    /// The probabilities of a draw can't be written as exact fractions.
    #[error("no certificate was written: {0}")]
    Inexact(InexactError),
    /// The certificate can't be written to its output.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The evidence contradicts the answer.
    #[error("the evidence contradicts the answer: this is a bug in getaway")]
    Contradiction,
}

/// The reason why the model of a board can't be written.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The board has too many states.
    #[error("this board has more than {0} states, which is the maximum")]
    TooManyStates(usize),
    /// The board can't be played, or a limit was reached while its rules were prepared.
    #[error(transparent)]
    Unplayable(#[from] TraceError),
    /// The graph of positions can't be built.
    #[error(transparent)]
    Graph(#[from] CertifyError),
    /// The model can't be written to its output.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl ModelError {
    /// The maximum number of states of a model.
    pub const MAX_STATES: usize = 2_000_000;
}

impl From<Limit> for CertifyError {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl From<InexactError> for CertifyError {
    fn from(error: InexactError) -> Self {
        Self::Inexact(error)
    }
}
