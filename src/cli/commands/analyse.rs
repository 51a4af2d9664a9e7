//! `getaway analyse`: what a designer wants to know of a board.

use std::process::ExitCode;

use crate::engine::search::Order;
use anyhow::Result;

use super::{evaluate_all, job, solve};
use crate::cli::args::{Analyse, Color};
use crate::cli::inputs::{Folders, units};
use crate::cli::options::Detail;
use crate::cli::output::progress::Progress;
use crate::cli::records::Style;

/// Analyses the boards that were named; the exit code is that of `solve`.
///
/// # Errors
///
/// If the command line is wrong, or standard output can't be written to.
pub fn run(args: &Analyse, color: Color) -> Result<ExitCode> {
    let (inputs, addresses) = solve::inputs("analyse", &args.files)?;
    let mut job = job(&args.how, (Style::Verdicts, color))?;
    job.options.detail = Detail::Analysis;
    job.options.order = Order::BreadthFirst;
    let units = units(inputs, Folders::Refuse);
    let summary = evaluate_all(&job, units, addresses, Progress::hidden())?;
    Ok(summary.tally.solve_code())
}
