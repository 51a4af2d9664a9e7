//! `getaway check`: checks boards against their expectations.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;
use console::Term;

use crate::cli::agents::AgentLimitArgs;
use crate::cli::answers::Answerer;
use crate::cli::args::{Color, HowArgs, LONG_VERSION, OutputArgs, ShortestArgs, in_long_help};
use crate::cli::compression::plain_name;
use crate::cli::evidence::EvidenceMode;
use crate::cli::inputs::{Folders, Input, Inputs};
use crate::cli::job::{Delivery, Job, Only, Partition};
use crate::cli::journal::run::SavedRun;
use crate::cli::journal::{Journal, RunSettings};
use crate::cli::output::printer::{AnswerFormat, Errors, OutputStyle, answers};
use crate::cli::output::progress::Progress;
use crate::cli::output::report::{ReportFile, ReportFormat, Reports};
use crate::cli::output::summary::Summary;
use crate::cli::output::text;
use crate::cli::pipeline::{self, Done, Writer};
use crate::cli::tables::{self, TableFormat};
use crate::cli::{exit, output_file};
use getaway_board::words::{count, path_name};

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
    #[arg(
        long,
        value_name = "I/N",
        hide_short_help = true,
        allow_hyphen_values = true
    )]
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

/// A function that returns the options as typed, with their values, except those with the given ids.
type Typed<'t> = dyn Fn(&[&str]) -> Vec<String> + 't;

pub fn run(args: &Check, typed: &Typed, color: Color) -> Result<ExitCode> {
    let check = Checking::new(args, color)?;
    let code = match &args.resume {
        None => {
            let inputs = Inputs::of(&args.paths, Folders::Walk);
            check.must_keep_files(&inputs)?;
            check.report(&inputs, None)
        }
        Some(journal) => check.resumed(journal, settings(args, typed)),
    };
    // Threads that share the agent may outlive this function.
    if let Some(agent) = &check.job.options.agent {
        agent.close();
    }
    code
}

struct Checking<'c> {
    args: &'c Check,
    job: Job,
    style: OutputStyle,
    start: Instant,
}

impl<'c> Checking<'c> {
    fn new(args: &'c Check, color: Color) -> Result<Self> {
        let color = match color {
            // A run may begin on a terminal and continue in a pipe, so its colours must not depend on the output.
            Color::Auto if args.resume.is_some() => Color::Never,
            color => color,
        };
        let start = Instant::now();
        let mut style = OutputStyle::new(&args.how.output, color);
        style.has_statistics = args.verbose;
        if let Some(path) = &args.output {
            must_hold_answers(path)?;
            style.format = AnswerFormat::Json;
        }
        let job = job(args, style)?;
        Ok(Self {
            args,
            job,
            style,
            start,
        })
    }

    /// Begins or continues the run of a journal, and prints all results once it is complete.
    fn resumed(&self, journal: &Path, settings: RunSettings) -> Result<ExitCode> {
        self.must_be_writable()?;
        let journal = Journal::open(journal)?;
        // The journal exists by now, so it is found, and refused, if it is among the boards.
        let inputs = Inputs::of(&self.args.paths, Folders::Walk);
        let mut run = SavedRun::begin(journal, settings, &inputs.all, self.args.how.output.quiet)?;
        self.must_keep_files(&inputs)?;
        if !run.is_all {
            let progress = progress(&inputs, &self.args.how.output);
            let boards = run.judge_rest(&self.job, &inputs.all, progress, self.start)?;
            if !run.is_all {
                self.note_interrupt(boards);
                return Ok(exit::undecided());
            }
        }
        self.report(&inputs, Some(&run))
    }

    fn note_interrupt(&self, boards: u64) {
        let boards = count(boards, "board");
        let report = if self.args.report.is_empty() {
            ""
        } else {
            " and write the report at the end"
        };
        let _ = writeln!(
            io::stderr(),
            "interrupted: {boards} done; run the same command to continue{report}"
        );
    }

    /// Fails if an output would replace another one, the journal or an input.
    fn must_keep_files(&self, inputs: &Inputs) -> Result<()> {
        let Check {
            output,
            resume,
            report,
            ..
        } = self.args;
        let reports = report.iter().map(|report| &*report.path);
        let outputs: Vec<&Path> = reports
            .chain(output.as_deref())
            .chain(resume.as_deref())
            .collect();
        let read: Vec<&Path> = inputs.all.iter().map(Input::path).collect();
        output_file::must_differ(&outputs, &read)
    }

    fn must_be_writable(&self) -> Result<()> {
        Reports::new(&self.args.report, self.style.is_timed)?;
        let Some(path) = &self.args.output else {
            return Ok(());
        };
        if TableFormat::named(path).is_some() {
            tables::check_support()?;
        }
        output_file::check(path)
    }

    /// Judges all boards, or takes the outcomes of a saved run, and reports them.
    fn report(&self, inputs: &Inputs, saved: Option<&SavedRun>) -> Result<ExitCode> {
        let Some(path) = &self.args.output else {
            return self.report_in(None, inputs, saved);
        };
        output_file::write(path, |out| match TableFormat::named(path) {
            None => self.report_in(Some(Box::new(out)), inputs, saved),
            Some(format) => tables::write(out, format, &tables::answers(), |out| {
                self.report_in(Some(Box::new(out)), inputs, saved)
            }),
        })
    }

    fn report_in(
        &self,
        out: Option<Box<dyn Write + '_>>,
        inputs: &Inputs,
        saved: Option<&SavedRun>,
    ) -> Result<ExitCode> {
        let (job, style) = (&self.job, self.style);
        let progress = match saved {
            Some(_) => Progress::hidden(),
            None => progress(inputs, &self.args.how.output),
        };
        let out = out.unwrap_or_else(|| Box::new(progress.above(io::stdout())));
        let mut answers = answers(job, style, out);
        let mut errors = Errors::of(job, style, progress);
        let mut summary = Summary::new(job, style.max_errors);
        let mut reports = Reports::new(&self.args.report, style.is_timed)?;
        let writers: &mut [&mut dyn Writer] =
            &mut [&mut errors, &mut *answers, &mut summary, &mut reports];
        let time = if let Some(run) = saved {
            run.replay(writers)?
        } else {
            summary.tally = pipeline::run(job, &inputs.all, Done::default(), writers)?;
            self.start.elapsed()
        };
        summary.note_inputs(inputs);
        self.finish(&summary, reports, time)
    }

    /// Prints the summary (not with `--json`, `--quiet` or `--output -`), writes the reports, and returns the exit code. Fails if
    /// there are no board files.
    fn finish(&self, summary: &Summary, reports: Reports, time: Duration) -> Result<ExitCode> {
        let has_files = must_have_files(summary);
        let OutputArgs { json, quiet, .. } = self.args.how.output;
        let is_stdout = self.args.output.as_deref() == Some(Path::new("-"));
        if !(json || quiet || is_stdout) && has_files.is_ok() {
            let text = summary.text(self.style.colors, self.style.is_timed, time);
            let text = text::fitted(text, text::width(&Term::stdout()));
            io::stdout().write_all(text.as_bytes())?;
        }
        // Even without files, the report replaces an old one.
        reports.write(summary)?;
        has_files?;
        Ok(summary.tally.check_code())
    }
}

fn job(args: &Check, style: OutputStyle) -> Result<Job> {
    let mut job = Job::new(&args.how)?;
    job.options.order = args.shortest.order;
    if args.verify {
        job.options.evidence = Some(EvidenceMode::Verified);
    }
    if let Some(command) = &args.agent {
        job.options.agent = Some(Answerer::new(command, &args.agents)?);
    }
    let is_page = |file: &ReportFile| file.format == ReportFormat::Html;
    job.has_pictures = args.report.iter().any(is_page);
    let prints_times =
        style.format == AnswerFormat::Json || args.verbose || !args.report.is_empty();
    job.is_timed = style.is_timed && prints_times;
    job.selection.partition = args.partition;
    job.selection.max_fail = args.max_fail.or(args.fail_fast.then_some(1));
    job.selection.only.clone_from(&args.only);
    let prints_all = style.format == AnswerFormat::Json || args.verbose || !args.only.is_empty();
    job.delivery = if args.resume.is_some() || job.selection.max_fail.is_some() {
        Delivery::Prompt
    } else if prints_all || !args.report.is_empty() {
        Delivery::Together
    } else {
        Delivery::Problems
    };
    job.selection.reads_pipe = args.paths.iter().any(|path| path.as_os_str() == "-");
    Ok(job)
}

/// Refuses a file whose extension stands for a format that only reports have.
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

fn settings(args: &Check, typed: &Typed) -> RunSettings {
    let paths = args.paths.iter().map(|path| path.to_string_lossy());
    RunSettings {
        version: LONG_VERSION.to_owned(),
        // These two don't change the outcomes, so they may differ when a run continues.
        flags: typed(&["resume", "threads"]),
        paths: paths.map(Into::into).collect(),
    }
}

pub fn must_have_files(summary: &Summary) -> Result<()> {
    if summary.ended > 0 || summary.tally.is_interrupted {
        return Ok(());
    }
    let skipped_files = if summary.skipped_files.is_empty() {
        String::new()
    } else {
        format!(" ({})", summary.skipped_files.text())
    };
    bail!("there are no board files in the given paths{skipped_files}")
}

pub fn progress(inputs: &Inputs, output: &OutputArgs) -> Progress {
    if output.quiet {
        return Progress::hidden();
    }
    Progress::on_terminal(|| Progress::of_bytes(inputs.all.iter().map(bytes).sum()))
}

fn bytes(input: &Input) -> Option<u64> {
    match input {
        Input::Stdin => None,
        Input::Path(path) => Some(path.metadata().map_or(0, |meta| meta.len())),
        // The pipeline reports no bytes for these.
        _ => Some(0),
    }
}
