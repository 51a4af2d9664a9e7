//! The commands, with one file each.

pub mod bench;
pub mod census;
pub mod check;
pub mod compare;
pub mod convert;
pub mod edit;
pub mod generate;
pub mod man;
pub mod mutate;
pub mod play;
pub mod rate;
pub mod render;
pub mod rules;
pub mod simulate;
pub mod solve;
pub mod trace;
pub mod verify;

use std::io;

use anyhow::Result;

use super::args::{Color, HowArgs, OutputArgs};
use super::batch;
use super::inputs::Unit;
use super::options::{Options, Share, colors};
use super::output::diagnostic::Diagnostics;
use super::output::printer::Printer;
use super::output::summary::Summary;
use super::record::{Job, Kept, Report, Style};
use super::selection::Selection;

/// Creates the job for these arguments. A switch overrides the style in `how`.
fn job(args: &HowArgs, how: (Style, Color)) -> Result<Job> {
    let mut options = Options::new(&args.search, args.output.threads.threads)?;
    options.width = args.width.width;
    Ok(job_of(options, &args.output, how))
}

fn job_of(options: Options, output: &OutputArgs, (style, color): (Style, Color)) -> Job {
    let style = match output {
        OutputArgs { json: true, .. } => Style::Json,
        OutputArgs { quiet: true, .. } => Style::Nothing,
        _ => style,
    };
    Job {
        options,
        share: Share::Equal,
        report: Report {
            style,
            is_timed: !output.timing.no_timing,
            statistics: false,
            skips_interrupted: false,
            max_errors: output.max_errors(),
            colors: colors(color, &io::stdout()),
            diagnostics: Diagnostics::new(colors(color, &io::stderr())),
            kept: Kept::Printed,
        },
        selection: Selection::default(),
    }
}

fn evaluate_all(job: &Job, units: Vec<Unit>, mut printer: Printer) -> Result<Summary> {
    batch::run(job, units, &mut |part| printer.part(part))?;
    Ok(printer.finish()?)
}
