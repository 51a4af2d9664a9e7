//! `getaway verify`: checks certificates and lines of play against the rulebook alone.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::game::Plan;
use crate::play::trace::{Ending, TraceError};
use crate::verify::{Content, Refusal};
use anyhow::{Result, bail};

use crate::answers::words::{count, safe};
use crate::cli::args::{Color, Verify};
use crate::cli::inputs::failed;
use crate::cli::one_board::{OneBoard, Opened};
use crate::cli::options::Options;
use crate::cli::output::words::path_name;
use crate::cli::packed::Unpacked;

pub fn run(args: &Verify, color: Color) -> Result<ExitCode> {
    let options = Options::new(&args.search, None)?;
    let one = OneBoard::new(&args.board.file, &options, color);
    let both = [Some(args.board.file.as_path()), args.certificate.as_deref()];
    if both == [Some(Path::new("-")); 2] {
        bail!("only one of the board and the certificate can be standard input");
    }
    one.run(|opened| match &args.certificate {
        Some(certificate) => judge(certificate, &one, opened),
        None => judge_line(args, opened),
    })
}

fn judge(path: &Path, one: &OneBoard, opened: &Opened) -> Result<ExitCode> {
    let input: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(open(path).map_err(|error| failed(path, &error))?)
    };
    let limits = opened.puzzle.limits_left();
    let mut content = Content::new(Box::new(Unpacked::new(input)), &limits);
    match opened.ruleset.verify(opened.puzzle, &mut content) {
        Ok(proof) => say(&proof.to_string(), 0),
        Err(Refusal::Board(error)) => Ok(one.print_error(&error)),
        Err(refusal @ Refusal::Unreadable(_)) => {
            bail!("{}: {}", path_name(path), safe(&refusal.to_string()))
        }
        Err(refusal @ Refusal::Fails(_)) => say(&safe(&refusal.to_string()), 1),
        Err(refusal @ Refusal::Limit(_)) => say(&refusal.to_string(), 3),
    }
}

fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::other("this is a folder; name a certificate"));
    }
    Ok(file)
}

fn judge_line(args: &Verify, opened: &Opened) -> Result<ExitCode> {
    let plan = Plan {
        moves: args.moves.as_deref(),
        seed: args.seed.or(opened.given.seed).unwrap_or_default(),
        limits: opened.puzzle.limits_left(),
        ..Plan::default()
    };
    let moves = |turns: usize| count(turns as u64, "move");
    match opened.game.replay(&plan) {
        Ok(Ending::Escaped { turns }) => say(&format!("the line escapes in {}", moves(turns)), 0),
        Ok(Ending::Caught { turns, cause }) => {
            let after = moves(turns);
            say(
                &format!("the line does not escape: {cause} after {after}"),
                1,
            )
        }
        Ok(Ending::Open { turns } | Ending::Forfeited { turns, .. }) => {
            let after = moves(turns);
            say(
                &format!("the line does not escape: it is unfinished after {after}"),
                1,
            )
        }
        Ok(Ending::Illegal {
            turn, mv, reason, ..
        }) => say(
            &format!("move {turn} (`{}`) is illegal: {reason}", safe(&mv)),
            1,
        ),
        Err(TraceError::Undecided(limit)) => say(&format!("undecided: {limit}"), 3),
        Err(error) => bail!("{}", safe(&error.to_string())),
    }
}

fn say(line: &str, code: u8) -> Result<ExitCode> {
    writeln!(io::stdout(), "{line}")?;
    Ok(ExitCode::from(code))
}
