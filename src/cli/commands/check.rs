//! `getaway check`: checks boards against their expectations.

mod state;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use self::state::State;
use super::job;
use crate::answers::words::count;
use crate::cli::answers::Answerer;
use crate::cli::args::check::Check;
use crate::cli::args::report::{ReportFile, ReportFormat};
use crate::cli::args::{Color, LONG_VERSION, OutputArgs};
use crate::cli::batch::{self, Sequence};
use crate::cli::evidence::Evidence;
use crate::cli::help::typed;
use crate::cli::inputs::{Folders, Input, Unit, units};
use crate::cli::output::printer::{Addresses, Printer};
use crate::cli::output::progress::Progress;
use crate::cli::output::report::Reports;
use crate::cli::output::summary::Summary;
use crate::cli::output_file;
use crate::cli::record::{Job, Kept, Part, Style};
use crate::cli::resume::Question;
use crate::cli::tables::{self, TableFormat};

pub fn run(args: &Check, color: Color) -> Result<ExitCode> {
    let start = Instant::now();
    let inputs: Vec<_> = args.paths.iter().map(|path| Input::of(path)).collect();
    let job = judging(args, &inputs, color)?;
    let code = check(args, inputs, &job, start);
    // Threads that share the agent may outlive this function.
    if let Some(agent) = &job.options.agent {
        agent.close();
    }
    code
}

fn check(args: &Check, inputs: Vec<Input>, job: &Job, start: Instant) -> Result<ExitCode> {
    if let Some(state) = &args.run.resume {
        return resume(args, state, inputs, job);
    }
    let units = units(inputs, Folders::Walk);
    let progress = progress(&units, job);
    with_printer(args, job, progress, |printer| {
        judge(args, job, units, (printer, start))
    })
}

fn with_printer(
    args: &Check,
    job: &Job,
    progress: Progress,
    work: impl FnOnce(Printer) -> Result<ExitCode>,
) -> Result<ExitCode> {
    let Some(path) = &args.output else {
        return work(Printer::new(job, Addresses::Always, progress));
    };
    let work_to =
        |out: &mut dyn Write| work(Printer::to(Box::new(out), job, Addresses::Always, progress));
    output_file::write(path, |out| match TableFormat::named(path) {
        None => work_to(out),
        Some(format) => tables::write(out, (format, &tables::answers()), work_to),
    })
}

fn judge(
    args: &Check,
    job: &Job,
    units: Vec<Unit>,
    (printer, start): (Printer, Instant),
) -> Result<ExitCode> {
    let mut output = Output::new(args, job, printer)?;
    batch::run(job, units, &mut |part| output.part(part))?;
    output.finish(|| start.elapsed())
}

fn judging(args: &Check, inputs: &[Input], color: Color) -> Result<Job> {
    let run = &args.run;
    let color = match color {
        // A run may begin on a terminal and continue in a pipe.
        Color::Auto if run.resume.is_some() => Color::Never,
        color => color,
    };
    let mut job = job(&args.how, (Style::Troubles, color))?;
    job.options.order = args.shortest.order();
    job.report.statistics = args.verbose;
    if args.verify {
        job.options.evidence = Evidence::Verified;
    }
    if let Some(command) = &args.agent {
        job.options.agent = Some(Answerer::new(command, &args.agents)?);
    }
    if args.output.is_some() {
        job.report.style = Style::Json;
    }
    if !run.report.is_empty() {
        job.report.kept = Kept::Row;
        let is_page = |file: &ReportFile| file.format == ReportFormat::Html;
        job.report.has_pictures = run.report.iter().any(is_page);
    }
    job.selection.partition = run.partition;
    job.selection.max_fail = if run.fail_fast { Some(1) } else { run.max_fail };
    job.selection.only.clone_from(&run.only);
    job.selection.reads_pipe = inputs.contains(&Input::Stdin);
    Ok(job)
}

struct Output<'j> {
    printer: Printer<'j>,
    reports: Reports,
    job: &'j Job,
    has_summary: bool,
    /// True if all boards have been judged, even if an interrupt came afterwards.
    is_all: bool,
}

impl<'j> Output<'j> {
    fn new(args: &Check, job: &'j Job, printer: Printer<'j>) -> Result<Self> {
        let OutputArgs { json, quiet, .. } = args.how.output;
        let is_stdout = args
            .output
            .as_ref()
            .is_some_and(|path| path.as_os_str() == "-");
        Ok(Self {
            reports: Reports::new(&args.run.report, job.report.timing)?,
            printer,
            job,
            has_summary: !(json || quiet || is_stdout),
            is_all: false,
        })
    }

    fn part(&mut self, part: Part) -> io::Result<()> {
        self.reports.part(&part);
        self.printer.part(part)
    }

    fn finish(self, time: impl FnOnce() -> Duration) -> Result<ExitCode> {
        let mut summary = self.printer.finish()?;
        summary.tally.is_interrupted &= !self.is_all;
        must_have_files(&summary)?;
        if self.has_summary {
            let report = &self.job.report;
            let text = summary.text(report.colors, report.timing, time());
            io::stdout().write_all(text.as_bytes())?;
        }
        self.reports.finish(&summary)?;
        Ok(summary.tally.check_code())
    }
}

/// Continues the run saved in `state`, and prints all results once it is complete.
fn resume(args: &Check, state: &Path, inputs: Vec<Input>, job: &Job) -> Result<ExitCode> {
    must_be_writable(args, job)?;
    let mut sequence = Sequence::new(job);
    let mut state = State::open(state, question(args), inputs, &mut sequence)?;
    let progress = progress(state.units(), job);
    if !state.go_on(job, &mut sequence, &progress)? {
        let boards = count(state.boards(), "board");
        let text = format!("interrupted: {boards} done; run the same command to continue\n");
        let _ = io::stderr().write_all(text.as_bytes());
        return Ok(ExitCode::from(3));
    }
    with_printer(args, job, Progress::hidden(), |printer| {
        let mut output = Output::new(args, job, printer)?;
        let time = state.replay(&mut |part| output.part(part))?;
        output.is_all = true;
        output.finish(|| time)
    })
}

fn must_be_writable(args: &Check, job: &Job) -> Result<()> {
    Reports::new(&args.run.report, job.report.timing)?;
    let Some(path) = &args.output else {
        return Ok(());
    };
    if TableFormat::named(path).is_some() {
        tables::must_be_there()?;
    }
    output_file::check(path)
}

/// The switches that don't change the output.
const NEUTRAL: [&str; 2] = ["resume", "threads"];

fn question(args: &Check) -> Question {
    Question {
        version: LONG_VERSION.to_owned(),
        flags: typed(&NEUTRAL),
        paths: args
            .paths
            .iter()
            .map(|path| path.to_string_lossy().into_owned())
            .collect(),
    }
}

pub fn must_have_files(summary: &Summary) -> Result<()> {
    if summary.has_files || summary.tally.is_interrupted {
        return Ok(());
    }
    let passed_over = if summary.passed_over.is_empty() {
        String::new()
    } else {
        format!(" ({})", summary.passed_over.text())
    };
    bail!("there are no board files under the paths given{passed_over}")
}

pub fn progress(units: &[Unit], job: &Job) -> Progress {
    match job.report.style {
        Style::Nothing => Progress::hidden(),
        _ => Progress::where_wanted(|| Progress::of_bytes(units.iter().map(bytes).sum())),
    }
}

/// Returns the size of a unit in bytes; `None` for a pipe.
fn bytes(unit: &Unit) -> Option<u64> {
    match unit {
        Unit::Read(Input::Stdin) => None,
        Unit::Read(Input::Path(path)) => Some(path.metadata().map_or(0, |meta| meta.len())),
        _ => Some(0),
    }
}
