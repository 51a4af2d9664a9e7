//! Arguments of `getaway verify`.

use std::path::PathBuf;

use clap::Args;

use super::{BoardArgs, SearchArgs};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Exit codes:
  0  the certificate or line is valid
  1  it is not
  2  it or the board can't be read
  3  a limit was reached

Examples:
  getaway solve --certificate evidence.gz board.txt
  getaway verify board.txt evidence.gz
  getaway verify board.txt --moves RDRD
  zcat evidence.gz | less          a certificate is compressed text")]
pub struct Verify {
    #[command(flatten)]
    pub board: BoardArgs,
    /// The certificate; `-` is standard input.
    #[arg(
        value_name = "CERTIFICATE",
        required_unless_present = "moves",
        conflicts_with = "moves"
    )]
    pub certificate: Option<PathBuf>,
    /// Verify this line of play instead.
    ///
    /// Every move must be legal, and the last one must escape.
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub moves: Option<String>,
    /// The seed for chance [default: the header `seed`, or 0].
    #[arg(long, value_name = "N", requires = "moves")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub search: SearchArgs,
}
