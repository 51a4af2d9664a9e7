//! `getaway verify`: checks certificates and lines of play against the rules, without a search.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{ArgGroup, Args};
use getaway_play::trace::{Ending, TraceError};
use getaway_verify::{CertificateReader, VerifyError};

use super::trace::refused;
use crate::cli::args::{BoardArgs, Color, SearchArgs};
use crate::cli::evidence::Unpacked;
use crate::cli::files::failed;
use crate::cli::one_board::{OneBoard, Opened};
use crate::cli::options::Options;
use getaway_board::words::{count, path_name, safe};

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
#[command(override_usage = "\
getaway verify [OPTIONS] <FILE> <CERTIFICATE>
       getaway verify [OPTIONS] --moves <MOVES> <FILE>")]
#[command(group = ArgGroup::new("evidence").required(true))]
pub struct Verify {
    #[command(flatten)]
    pub board: BoardArgs,
    /// The certificate; `-` is standard input.
    #[arg(value_name = "CERTIFICATE", group = "evidence")]
    pub certificate: Option<PathBuf>,
    /// Verify this line of play instead.
    ///
    /// Every move must be legal, and the last one must escape.
    #[arg(
        long,
        value_name = "MOVES",
        allow_hyphen_values = true,
        group = "evidence"
    )]
    pub moves: Option<String>,
    /// The seed for chance [default: the header `seed`, or 0].
    #[arg(long, value_name = "N", requires = "moves")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub search: SearchArgs,
}

pub fn run(args: &Verify, color: Color) -> Result<ExitCode> {
    let options = Options::new(&args.search, None)?;
    let mut one = OneBoard::new(&args.board.file, &options, color);
    one.typed.moves.clone_from(&args.moves);
    one.typed.seed = args.seed;
    let both = [Some(args.board.file.as_path()), args.certificate.as_deref()];
    if both == [Some(Path::new("-")); 2] {
        bail!("only one of the board and the certificate can be standard input");
    }
    let typed = args.certificate.as_deref();
    if let Some(certificate) = typed.filter(|_| is_certificate(&args.board.file)) {
        let [first, second] = [&args.board.file, certificate].map(path_name);
        bail!("{first} is a certificate; the board comes first: `getaway verify {second} {first}`");
    }
    if let Some(moves) = typed.filter(|typed| is_line(typed)) {
        let moves = path_name(moves);
        bail!("{moves}: no such certificate; `--moves {moves}` verifies a line of play");
    }
    one.run(|opened| match &args.certificate {
        Some(certificate) => judge(certificate, opened),
        None => judge_line(opened),
    })
}

/// The start of every certificate.
const MARK: &[u8; 20] = b"getaway certificate ";

fn is_certificate(path: &Path) -> bool {
    // Reading a pipe here would take its bytes away from the board.
    let Some(file) = path.is_file().then(|| File::open(path).ok()).flatten() else {
        return false;
    };
    let mut start = [0; MARK.len()];
    let read = Unpacked::new(file).read_exact(&mut start);
    read.is_ok() && start == *MARK
}

/// Returns whether a path names no file and looks like moves.
fn is_line(path: &Path) -> bool {
    let text = path.to_string_lossy();
    !path.exists() && text != "-" && text.chars().all(|c| c.is_ascii_alphanumeric() || c == ',')
}

fn judge(path: &Path, opened: &Opened) -> Result<ExitCode> {
    let input: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(open(path).map_err(|error| failed(path, &error))?)
    };
    let limits = opened.puzzle.limits_left();
    let mut content = CertificateReader::new(Box::new(Unpacked::new(input)), &limits);
    match opened.ruleset.verify(opened.puzzle, &mut content) {
        Ok(proof) => say(&proof.to_string(), 0),
        Err(VerifyError::Board(error)) => Ok(opened.one.print_error(&error)),
        Err(refusal @ VerifyError::Unreadable(_)) => {
            bail!("{}: {}", path_name(path), safe(&refusal.to_string()))
        }
        Err(refusal @ VerifyError::Fails(_)) => say(&safe(&refusal.to_string()), 1),
        Err(refusal @ VerifyError::Limit(_)) => say(&refusal.to_string(), 3),
    }
}

fn open(path: &Path) -> io::Result<File> {
    if path.is_dir() {
        return Err(io::Error::other("this is a folder; name a certificate"));
    }
    File::open(path)
}

fn judge_line(opened: &Opened) -> Result<ExitCode> {
    let moves = |turns: usize| count(turns as u64, "move");
    let (line, code) = match opened.game.replay(&opened.plan()) {
        Ok(Ending::Escaped { turns }) => (format!("the line escapes in {}", moves(turns)), 0),
        Ok(Ending::Illegal {
            turn, mv, reason, ..
        }) => {
            let mv = safe(&mv);
            (format!("move {turn} (`{mv}`) is illegal: {reason}"), 1)
        }
        Ok(ending) => {
            let why = match &ending {
                Ending::Caught { cause, .. } => cause.to_string(),
                _ => "it is unfinished".to_owned(),
            };
            let after = moves(ending.turns());
            (format!("the line does not escape: {why} after {after}"), 1)
        }
        Err(TraceError::Undecided(limit)) => (format!("undecided: {limit}"), 3),
        Err(error) => return refused(error, opened),
    };
    say(&line, code)
}

fn say(line: &str, code: u8) -> Result<ExitCode> {
    writeln!(io::stdout(), "{line}")?;
    Ok(ExitCode::from(code))
}
