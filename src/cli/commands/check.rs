//! `getaway check`: folders and files of boards against what they expect.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};

use super::{evaluate_all, job};
use crate::cli::args::{Check, Color};
use crate::cli::batch;
use crate::cli::batch::Folders;
use crate::cli::inputs::{Found, Input, below};
use crate::cli::output::printer::{Addresses, Printer};
use crate::cli::output::progress::Progress;
use crate::cli::output::records::{Job, Style};
use crate::cli::output::summary::Summary;
use crate::cli::output_file;
use crate::cli::tables::{self, Table, TableFormat};

/// Checks the boards under the paths that were named; the exit code.
///
/// # Errors
///
/// If the command line is wrong, there is no board file, or standard output can't be written to.
pub fn run(args: &Check, color: Color) -> Result<ExitCode> {
    let start = Instant::now();
    let job = job(&args.how, (Style::Troubles, color))?;
    let inputs: Vec<_> = args.paths.iter().map(|path| Input::of(path)).collect();
    let progress = progress(&inputs, &job);
    let summary = match &args.output {
        Some(output) => answers_to(output, &job, inputs, progress)?,
        None => evaluate_all(&job, inputs, (Folders::Walk, Addresses::Always), progress)?,
    };
    must_have_files(&summary)?;
    if job.report.style == Style::Troubles {
        let text = summary.text(job.report.colors, job.report.timing, start.elapsed());
        io::stdout().write_all(text.as_bytes())?;
    }
    Ok(summary.tally.check_code())
}

/// Evaluates all boards of the inputs, and writes the answers to a file.
fn answers_to(output: &Path, job: &Job, inputs: Vec<Input>, progress: Progress) -> Result<Summary> {
    let mut job = job.clone();
    job.report.style = Style::Json;
    let write = |out: &mut dyn Write| -> Result<Summary> {
        let mut printer = Printer::to(Box::new(out), &job, Addresses::Always, progress);
        batch::run(&job, inputs, Folders::Walk, &mut |part| printer.part(part))?;
        Ok(printer.finish()?)
    };
    output_file::write(output, |out| match TableFormat::named(output) {
        None => write(out),
        Some(format) => {
            let mut table = Table::new(out, format, &tables::answers())?;
            let summary = write(&mut table)?;
            table.finish()?;
            Ok(summary)
        }
    })
}

/// There must have been something to look at.
///
/// # Errors
///
/// If there was not.
pub fn must_have_files(summary: &Summary) -> Result<()> {
    if summary.files > 0 || summary.tally.is_interrupted {
        return Ok(());
    }
    let passed_over = if summary.passed_over.is_empty() {
        String::new()
    } else {
        format!(" ({})", summary.passed_over.text())
    };
    bail!("there are no board files under the paths given{passed_over}")
}

/// The bar for a check of these inputs.
pub fn progress(inputs: &[Input], job: &Job) -> Progress {
    if job.report.style == Style::Nothing || !Progress::is_wanted() {
        return Progress::hidden();
    }
    Progress::of_bytes(inputs.iter().map(bytes).sum())
}

/// How many bytes an input has; `None` for a pipe.
fn bytes(input: &Input) -> Option<u64> {
    let size = |path: &Path| path.metadata().map_or(0, |meta| meta.len());
    match input {
        Input::Stdin => None,
        Input::Path(path) if path.is_dir() => {
            let sizes = below(path).map(|found| match found {
                Found::Board(path) => size(&path),
                _ => 0,
            });
            Some(sizes.sum())
        }
        Input::Path(path) => Some(size(path)),
        Input::Board(..) => Some(0),
    }
}
