//! `getaway rate`: tabulates the measures of many boards.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::engine::search::Order;
use anyhow::Result;
use console::Term;

use super::{check, evaluate_all, job};
use crate::cli::args::Color;
use crate::cli::args::rate::{Rate, Sort};
use crate::cli::batch;
use crate::cli::inputs::{Folders, Input, units};
use crate::cli::options::{Detail, Share};
use crate::cli::output::histogram;
use crate::cli::output::printer::{Addresses, Printer};
use crate::cli::output::ratings::{Ratings, Row};
use crate::cli::record::{Job, Kept, Style};

/// Measures the boards; the exit code is the same as for `solve`.
pub fn run(args: &Rate, color: Color) -> Result<ExitCode> {
    let mut job = job(&args.how, (Style::Measures, color))?;
    job.options.detail = Detail::Analysis;
    job.options.order = Order::BreadthFirst;
    let inputs: Vec<_> = args.paths.iter().map(|path| Input::of(path)).collect();
    let units = units(inputs, Folders::Walk);
    let progress = check::progress(&units, &job);
    let is_sorted = args.sort.is_some() || args.reverse;
    let summary = if job.report.style == Style::Measures || is_sorted && args.how.output.json {
        job.report.kept = Kept::Measures;
        let mut printer = Printer::new(&job, Addresses::Always, progress);
        let mut ratings = Ratings::within(job.options.max_memory(Share::All));
        batch::run(&job, units, &mut |mut part| {
            ratings.take(&mut part)?;
            printer.part(part)
        })?;
        let summary = printer.finish()?;
        let mut rows = ratings.rows();
        sort(&mut rows, args);
        io::stdout().write_all(&text(args, &job, &rows)?)?;
        summary
    } else {
        evaluate_all(&job, units, Addresses::Always, progress)?
    };
    check::must_have_files(&summary)?;
    Ok(summary.tally.solve_code())
}

/// Sorts the rows; boards with equal values keep their order.
fn sort(rows: &mut [Row], args: &Rate) {
    match args.sort {
        Some(Sort {
            measure,
            is_descending,
        }) => {
            let is_descending = is_descending != args.reverse;
            rows.sort_by(|a, b| a.compare(b, measure, is_descending));
        }
        None if args.reverse => rows.reverse(),
        None => {}
    }
}

fn text(args: &Rate, job: &Job, rows: &[Row]) -> Result<Vec<u8>> {
    Ok(match (args.histogram, args.csv) {
        _ if job.report.style == Style::Json => Row::json_lines(rows)?,
        (Some(measure), _) => {
            let values: Vec<_> = rows.iter().map(|row| row.exact(measure)).collect();
            histogram::text(&measure.name(), &values).into()
        }
        (None, true) => Row::csv(rows)?,
        (None, false) => {
            let columns = Term::stdout()
                .size_checked()
                .map(|(_, columns)| columns.into());
            Row::table(rows, columns).into()
        }
    })
}
