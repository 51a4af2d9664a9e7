//! `getaway solve`: the verdict of each board.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};

use super::{evaluate_all, job};
use crate::cli::args::{Color, Solve};
use crate::cli::batch::Folders;
use crate::cli::inputs::Input;
use crate::cli::options::Detail;
use crate::cli::output::printer::Addresses;
use crate::cli::output::progress::Progress;
use crate::cli::output::records::Style;

/// Decides the boards that were named; the exit code.
///
/// # Errors
///
/// If the command line is wrong, or standard output can't be written to.
pub fn run(args: &Solve, color: Color) -> Result<ExitCode> {
    let (inputs, addresses) = inputs("solve", &args.files)?;
    let mut job = job(&args.search, &args.output, (Style::Verdicts, color))?;
    if args.explain {
        job.options.detail = Detail::Explanation;
    }
    let summary = evaluate_all(
        &job,
        inputs,
        (Folders::Refuse, addresses),
        Progress::hidden(),
    )?;
    Ok(summary.tally.solve_code())
}

/// The boards that were named to a command, and whether each of them is named in front of its answer.
///
/// # Errors
///
/// If none is named, and none piped in.
pub fn inputs(command: &str, files: &[PathBuf]) -> Result<(Vec<Input>, Addresses)> {
    let inputs: Vec<_> = match files {
        [] if io::stdin().is_terminal() => bail!(
            "no board: name a file, as in `getaway {command} board.txt`, or pipe one in, as in \
             `cat board.txt | getaway {command}`"
        ),
        [] => vec![Input::Stdin],
        files => files.iter().map(|path| Input::of(path)).collect(),
    };
    let addresses = if inputs.len() > 1 {
        Addresses::Always
    } else {
        Addresses::WhereSeveral
    };
    Ok((inputs, addresses))
}
