//! `getaway check`: checks boards against their expectations.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::cli::agents::AgentLimitArgs;
use crate::cli::answers::Answerer;
use crate::cli::args::{Color, HowArgs, LONG_VERSION, OutputArgs, ShortestArgs, in_long_help};
use crate::cli::batch::{self, Sequence};
use crate::cli::compression::plain_name;
use crate::cli::evidence::Evidence;
use crate::cli::inputs::{Folders, Input, Unit, units};
use crate::cli::job::{Job, Kept, Only, Partition, Style};
use crate::cli::output::printer::Printer;
use crate::cli::output::progress::Progress;
use crate::cli::output::report::{ReportFile, ReportFormat, Reports};
use crate::cli::output::summary::Summary;
use crate::cli::record::Part;
use crate::cli::resume::{Found, Question, State};
use crate::cli::tables::{self, TableFormat};
use crate::cli::{exit, output_file};
use getaway_solvers::answers::words::{count, path_name};

#[derive(Debug, Args)]
#[command(mut_args(|arg| in_long_help(arg, &["fail_fast", "shortest"])))]
#[command(after_long_help = "\
Examples:
  getaway check puzzles
  getaway check --max-errors 0 --strict answers/*.txt
  getaway check --verify puzzles                with each answer's certificate
  getaway check --resume run.state boards.jsonl again, to continue after a crash
  getaway check --report junit=report.xml --report html=report.html answers
  getaway check --agent 'python3 mine.py' --report gradescope=results.json boards
  getaway check --json --partition 2/4 boards   the part of machine 2 of 4
  generate-boards | getaway check --json -")]
pub struct Check {
    /// Board files and folders of them; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Check each answer's certificate too.
    #[arg(long)]
    pub verify: bool,
    /// Let a program answer each board.
    ///
    /// Its answer replaces the headers `expect` and `moves`: see `getaway rules agents`.
    #[arg(long, value_name = "COMMAND")]
    pub agent: Option<String>,
    /// Write the answers to this file, as with `--json`.
    ///
    /// It is a table if its extension is `.parquet` or `.arrow`.
    #[arg(long, value_name = "OUT", conflicts_with_all = ["json", "verbose"])]
    pub output: Option<PathBuf>,
    /// Save progress in this file, and continue from it.
    ///
    /// After a crash, the same command checks only the rest. Everything is printed at the end, without colours by
    /// default.
    #[arg(long, value_name = "STATE")]
    pub resume: Option<PathBuf>,
    /// Check only part I of N, such as `2/4`.
    ///
    /// Every board belongs to one part, determined by its file name and line number.
    #[arg(long, value_name = "I/N", hide_short_help = true)]
    pub partition: Option<Partition>,
    /// Write a report, such as `junit=report.xml`.
    ///
    /// It has a row for each board. FORMAT is `junit`, `csv`, `markdown`, `html` or `gradescope`. Repeatable.
    #[arg(long, value_name = "FORMAT=FILE")]
    pub report: Vec<ReportFile>,
    /// Stop at the first mismatch or error.
    #[arg(long, conflicts_with = "max_fail")]
    pub fail_fast: bool,
    /// Stop after N mismatches and errors.
    ///
    /// The remaining boards in files are counted but not checked.
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_fail: Option<u64>,
    /// Print only this verdict, or `mismatch` or `error`.
    ///
    /// All boards are checked and counted. Repeatable.
    #[arg(long, value_enum, value_name = "VERDICT", hide_possible_values = true)]
    pub only: Vec<Only>,
    #[command(flatten)]
    pub shortest: ShortestArgs,
    /// Also print the states searched and the time taken.
    #[arg(long, short, hide_short_help = true)]
    pub verbose: bool,
    #[command(flatten)]
    pub agents: AgentLimitArgs,
    #[command(flatten)]
    pub how: HowArgs,
}

/// A function that returns the switches as typed, except those with the given ids.
type Typed<'t> = dyn Fn(&[&str]) -> Vec<String> + 't;

pub fn run(args: &Check, typed: &Typed, color: Color) -> Result<ExitCode> {
    let start = Instant::now();
    let job = judging(args, color)?;
    let code = check(args, typed, &job, start);
    // Threads that share the agent may outlive this function.
    if let Some(agent) = &job.options.agent {
        agent.close();
    }
    code
}

fn check(args: &Check, typed: &Typed, job: &Job, start: Instant) -> Result<ExitCode> {
    if let Some(state) = &args.resume {
        return resume(args, (state, question(args, typed)), job);
    }
    let units = units(&args.paths, Folders::Walk);
    let progress = progress(&units, job);
    with_output(args, job, progress, |mut output| {
        let (count, mut sequence) = (units.len(), Sequence::new(job));
        batch::resume(&mut sequence, units, &mut |parts| output.parts(parts))?;
        output.printer.summary.is_read = sequence.is_past(count);
        output.finish(false, start.elapsed())
    })
}

fn with_output(
    args: &Check,
    job: &Job,
    progress: Progress,
    work: impl FnOnce(Output) -> Result<ExitCode>,
) -> Result<ExitCode> {
    let Some(path) = &args.output else {
        let printer = Printer::new(job, progress);
        return work(Output::new(args, job, printer)?);
    };
    let work_to = |out: &mut dyn Write| {
        let printer = Printer::to(Box::new(out), job, progress);
        work(Output::new(args, job, printer)?)
    };
    output_file::write(path, |out| match TableFormat::named(path) {
        None => work_to(out),
        Some(format) => tables::write(out, (format, &tables::answers()), work_to),
    })
}

fn judging(args: &Check, color: Color) -> Result<Job> {
    let color = match color {
        // A run may begin on a terminal and continue in a pipe, so its colours must not depend on the output.
        Color::Auto if args.resume.is_some() => Color::Never,
        color => color,
    };
    let mut job = Job::new(&args.how, (Style::Troubles, color))?;
    job.options.order = args.shortest.order;
    job.report.statistics = args.verbose;
    if args.verify {
        job.options.evidence = Some(Evidence::Verified);
    }
    if let Some(command) = &args.agent {
        job.options.agent = Some(Answerer::new(command, &args.agents)?);
    }
    if let Some(path) = &args.output {
        must_hold_answers(path)?;
        job.report.style = Style::Json;
    }
    if !args.report.is_empty() {
        let is_page = |file: &ReportFile| file.format == ReportFormat::Html;
        let has_page = args.report.iter().any(is_page);
        job.report.kept = if has_page { Kept::Pictures } else { Kept::Rows };
    }
    job.selection.partition = args.partition;
    job.selection.max_fail = args.max_fail.or(args.fail_fast.then_some(1));
    job.is_per_board = args.resume.is_some() || job.selection.max_fail.is_some();
    job.selection.only.clone_from(&args.only);
    job.selection.reads_pipe = args.paths.iter().any(|path| path.as_os_str() == "-");
    Ok(job)
}

/// Refuses a file whose ending promises a format that only reports have.
fn must_hold_answers(path: &Path) -> Result<()> {
    let name = plain_name(path);
    let ending = name.extension().unwrap_or_default().to_ascii_lowercase();
    let reports = ["csv", "html", "md=markdown", "xml=junit"]
        .map(|it| it.split_once('=').unwrap_or((it, it)));
    let Some((_, format)) = reports.iter().find(|(known, _)| ending == *known) else {
        return Ok(());
    };
    bail!(
        "{}: `--output` writes JSON Lines or tables; use `--report {format}=FILE`",
        path_name(path)
    )
}

struct Output<'j> {
    printer: Printer<'j>,
    reports: Reports,
    job: &'j Job,
    has_summary: bool,
}

impl<'j> Output<'j> {
    fn new(args: &Check, job: &'j Job, printer: Printer<'j>) -> Result<Self> {
        let OutputArgs { json, quiet, .. } = args.how.output;
        let is_stdout = args
            .output
            .as_ref()
            .is_some_and(|path| path.as_os_str() == "-");
        Ok(Self {
            reports: Reports::new(&args.report, job.report.is_timed)?,
            printer,
            job,
            has_summary: !(json || quiet || is_stdout),
        })
    }

    fn parts(&mut self, parts: Vec<Part>) -> io::Result<()> {
        parts.into_iter().try_for_each(|part| {
            self.reports.part(&part);
            self.printer.part(part)
        })
    }

    /// Prints the summary, writes the reports, and returns the exit code. `is_all` means that no interrupt came before the last
    /// board.
    fn finish(self, is_all: bool, time: Duration) -> Result<ExitCode> {
        let mut summary = self.printer.finish()?;
        summary.tally.is_interrupted &= !is_all;
        let has_files = must_have_files(&summary);
        if self.has_summary && has_files.is_ok() {
            let report = &self.job.report;
            let text = summary.text(report.colors, report.is_timed, time);
            io::stdout().write_all(text.as_bytes())?;
        }
        // Even without files, the report replaces an old one.
        self.reports.finish(&summary)?;
        has_files?;
        Ok(summary.tally.check_code())
    }
}

/// Continues the run saved in `state`, and prints all results once it is complete.
fn resume(args: &Check, (state, question): (&Path, Question), job: &Job) -> Result<ExitCode> {
    must_be_writable(args, job)?;
    let state = State::open(state)?;
    // The state file exists by now, so it is found if it is among the boards.
    let units = units(&args.paths, Folders::Walk);
    let (mut sequence, mut time, mut is_all) = (Sequence::new(job), Duration::ZERO, false);
    let found = state.begin(question, &units, &mut |step: &Step| {
        match step {
            Step::End => is_all = true,
            Step::Parts(until, parts) => {
                if *until > LONGEST || !parts.iter().all(Part::is_consistent) {
                    return false;
                }
                time = *until;
                for part in parts {
                    sequence.saw(part);
                }
            }
        }
        true
    })?;
    if found == Found::Damage || !(is_all || args.how.output.quiet) {
        state.report(found, &count(sequence.tally.boards(), "board"));
    }
    let progress = progress(&units, job);
    let rest = (&mut sequence, &mut time);
    if !is_all && let Some(boards) = go_on(&state, units, rest, &progress)? {
        let boards = count(boards, "board");
        let report = if args.report.is_empty() {
            ""
        } else {
            " and write the report at the end"
        };
        let text =
            format!("interrupted: {boards} done; run the same command to continue{report}\n");
        let _ = io::stderr().write_all(text.as_bytes());
        return Ok(exit::undecided());
    }
    with_output(args, job, Progress::hidden(), |mut output| {
        state.replay(&mut |step| match step {
            Step::Parts(_, parts) => output.parts(parts),
            Step::End => Ok(()),
        })?;
        output.finish(true, time)
    })
}

/// Judges the remaining boards and saves their results. After an interrupt, returns how many boards are done.
fn go_on(
    state: &State,
    units: Vec<Unit>,
    (sequence, time): (&mut Sequence, &mut Duration),
    progress: &Progress,
) -> Result<Option<u64>> {
    let (start, before, job) = (Instant::now(), *time, sequence.job);
    let mut tally = sequence.tally;
    progress.advance(sequence.bytes, &tally);
    batch::resume(sequence, units, &mut |parts| {
        // Interrupted boards are not saved, so that a later run judges them.
        if job.options.is_stopped() {
            return Ok(());
        }
        for part in &parts {
            tally.add(&part.tally);
        }
        progress.advance(parts.iter().map(|part| part.bytes).sum(), &tally);
        *time = before + start.elapsed();
        state.add(&Step::Parts(*time, parts))
    })?;
    progress.finish();
    let is_all = !job.options.is_stopped();
    if is_all {
        state.add(&Step::End)?;
    }
    state.finish()?;
    Ok((!is_all).then(|| tally.boards()))
}

fn must_be_writable(args: &Check, job: &Job) -> Result<()> {
    Reports::new(&args.report, job.report.is_timed)?;
    let Some(path) = &args.output else {
        return Ok(());
    };
    if TableFormat::named(path).is_some() {
        tables::must_be_there()?;
    }
    output_file::check(path)
}

fn question(args: &Check, typed: &Typed) -> Question {
    let paths = args.paths.iter().map(|path| path.to_string_lossy());
    Question {
        version: LONG_VERSION.to_owned(),
        flags: typed(&["resume", "threads"]),
        paths: paths.map(Into::into).collect(),
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
    bail!("there are no board files in the given paths{passed_over}")
}

pub fn progress(units: &[Unit], job: &Job) -> Progress {
    match job.report.style {
        Style::Nothing => Progress::hidden(),
        _ => Progress::where_wanted(|| Progress::of_bytes(units.iter().map(bytes).sum())),
    }
}

fn bytes(unit: &Unit) -> Option<u64> {
    match unit {
        Unit::Read(Input::Stdin) => None,
        Unit::Read(Input::Path(path)) => Some(path.metadata().map_or(0, |meta| meta.len())),
        _ => Some(0),
    }
}

/// A step in the state file of `--resume`. All output is printed from this file at the end.
#[derive(Serialize, Deserialize)]
enum Step {
    /// The run time up to this point, and finished parts of a file.
    Parts(Duration, Vec<Part>),
    End,
}

/// The longest time that is accepted from a file, so that sums can't overflow.
const LONGEST: Duration = Duration::from_secs(1 << 45);
