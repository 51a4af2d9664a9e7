//! `getaway solve` and `getaway analyse`: print verdicts and analyses.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args;
use console::Term;

use crate::cli::args::{Color, FilesArgs, ShortestArgs};
use crate::cli::evidence::EvidenceMode;
use crate::cli::exit::Tally;
use crate::cli::inputs::{Folders, Input, Inputs};
use crate::cli::job::Job;
use crate::cli::options::{Detail, Options};
use crate::cli::output::measured::Measure;
use crate::cli::output::printer::{AnswerFormat, Errors, Listed, OutputStyle, answers};
use crate::cli::output::progress::Progress;
use crate::cli::output::text::Colors;
use crate::cli::output_file;
use crate::cli::pipeline::{self, Done, Writer};
use crate::cli::watch::FileWatcher;
use getaway_board::words::{count, path_name};
use getaway_search::search::Order;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway solve board.txt
  getaway solve --shortest levels/*.txt
  getaway solve --explain board.txt
  getaway solve boards.jsonl#left   the board whose id is `left`
  getaway solve --certificate evidence.gz board.txt
  getaway solve --watch board.txt   the answer beside your editor
  cat board.txt | getaway solve")]
pub struct Solve {
    #[command(flatten)]
    pub shortest: ShortestArgs,
    /// Explain the verdict.
    ///
    /// For an escape, it names the dangers that each step avoids; otherwise, it says how every first move ends.
    #[arg(long)]
    pub explain: bool,
    /// Write a certificate of the answer, for `verify`.
    ///
    /// The input must contain a single board.
    #[arg(long, value_name = "OUT", conflicts_with = "watch")]
    pub certificate: Option<PathBuf>,
    /// Solve again whenever a file is saved, until Ctrl-C.
    #[arg(long, requires = "files", conflicts_with_all = ["json", "quiet"])]
    pub watch: bool,
    #[command(flatten)]
    pub boards: FilesArgs,
}

const ANALYSE_NOTES: &str = "\
`forced` and `last-mistake` look at one shortest escape. `matters` removes each chaser, wall and danger in turn. \
`positions` shows `reachable` and `dead-ends`, `best play` shows `turns`, and `caught by` names the chasers that end \
the other games under best play.

By default, each part searches at most 30,000 states (300,000 for `what matters`); parts that reach the limit are \
named.

The difficulty in bits is log2(1 + moves of a shortest escape) plus, for each turn of it, \
log2((safe + tempting) / safe). `safe` counts the moves that still escape. `tempting` sums the losing moves: one after \
which the runner survives for n moves weighs 1 - 1/n. If a limit hides n, the weight is 1, and the difficulty is \
`at most` the sum.

Examples:
  getaway analyse board.txt
  getaway analyse --json levels/*.txt
  getaway analyse --max-states 1000000 boards.txt#3";

#[derive(Debug, Args)]
#[command(after_long_help = format!("{}\n\n{ANALYSE_NOTES}", Measure::help()))]
pub struct Analyse {
    #[command(flatten)]
    pub boards: FilesArgs,
}

pub fn run(args: &Solve, color: Color) -> Result<ExitCode> {
    if args.watch {
        return watch(args, color);
    }
    let files = files("solve", &args.boards.files)?;
    let mut job = Job::new(&args.boards.how)?;
    let style = style(&args.boards, color, &mut job);
    configure(args, style, &mut job);
    Ok(answer(&job, style, Listed::All, &files)?.solve_code())
}

pub fn analyse(args: &Analyse, color: Color) -> Result<ExitCode> {
    let files = files("analyse", &args.boards.files)?;
    let mut job = Job::new(&args.boards.how)?;
    let style = style(&args.boards, color, &mut job);
    job.options.detail = Detail::Analysis;
    job.options.order = Order::Shortest;
    Ok(answer(&job, style, Listed::All, &files)?.solve_code())
}

fn style(args: &FilesArgs, color: Color, job: &mut Job) -> OutputStyle {
    let mut style = OutputStyle::new(&args.how.output, color);
    style.has_statistics = args.verbose;
    job.is_timed |= style.is_timed && args.verbose;
    style
}

fn configure(args: &Solve, style: OutputStyle, job: &mut Job) {
    job.options.shortens = true;
    job.options.order = args.shortest.order;
    // As text, only the colour of a verdict depends on the expectation.
    job.options.compares = style.format == AnswerFormat::Json || style.colors == Colors::On;
    if args.explain {
        job.options.detail = Detail::Explanation;
    }
    if let Some(path) = &args.certificate {
        job.options.evidence = Some(EvidenceMode::Written(path.clone(), Arc::default()));
    }
}

fn answer(job: &Job, style: OutputStyle, listed: Listed, files: &[PathBuf]) -> Result<Tally> {
    let style = OutputStyle {
        listed,
        addresses_one: files.len() > 1,
        ..style
    };
    let search = job.options.progress.as_ref();
    let progress = search.map_or_else(Progress::hidden, Progress::of_board);
    let mut answers = answers(job, style, Box::new(progress.above(io::stdout())));
    let mut errors = Errors::of(job, style, progress);
    let inputs = Inputs::of(files, Folders::Refuse).all;
    if let Some(EvidenceMode::Written(path, _)) = &job.options.evidence {
        let read: Vec<&Path> = inputs.iter().map(Input::path).collect();
        output_file::must_differ(&[path], &read)?;
    }
    let writers: &mut [&mut dyn Writer] = &mut [&mut errors, &mut *answers];
    Ok(pipeline::run(job, &inputs, Done::default(), writers)?)
}

fn files<'f>(command: &str, files: &'f [PathBuf]) -> Result<Cow<'f, [PathBuf]>> {
    Ok(match files {
        [] if io::stdin().is_terminal() => bail!(
            "no board: name a file, as in `getaway {command} board.txt`, or pipe one in, as in \
             `cat board.txt | getaway {command}`"
        ),
        [] => Cow::Owned(vec!["-".into()]),
        files => files.into(),
    })
}

fn watch(args: &Solve, color: Color) -> Result<ExitCode> {
    let files = &args.boards.files;
    let watched: Vec<_> = files
        .iter()
        .map(|file| watched(file))
        .collect::<Result<_>>()?;
    let watch = FileWatcher::new(watched)?;
    let how = &args.boards.how;
    let threads = how.output.threads.threads;
    let mut options = Options::with_stop(&how.search, threads, watch.stop())?;
    options.precision = how.precision.precision;
    let mut job = Job::with(options, &how.output);
    let style = style(&args.boards, color, &mut job);
    configure(args, style, &mut job);
    let mut is_answered = false;
    while watch.begin() {
        separate(is_answered)?;
        let tally = answer(&job, style, Listed::Uninterrupted, files)?;
        // If a newer save interrupted the round, it may have printed nothing.
        is_answered = tally.interrupted < tally.boards();
        if Term::stdout().is_term() {
            writeln!(
                io::stdout(),
                "\nwatching {}; Ctrl-C to stop",
                count(files.len() as u64, "file")
            )?;
        }
        watch.wait();
    }
    Ok(ExitCode::SUCCESS)
}

fn watched(path: &Path) -> Result<PathBuf> {
    match Input::of(path) {
        Input::Path(path) if path.is_dir() => {
            bail!(
                "{}: this is a folder; `--watch` needs board files",
                path_name(&path)
            )
        }
        Input::Path(path) | Input::Board(path, _) | Input::Refused(path, _) => Ok(path),
        Input::Stdin => bail!("`--watch` needs board files, not standard input (`-`)"),
    }
}

/// Separates the answers of two rounds: clears the terminal or, if the output goes elsewhere, prints a line of dashes. The line
/// is printed only if the previous round was answered.
fn separate(is_answered: bool) -> io::Result<()> {
    let term = Term::stdout();
    if term.is_term() {
        term.clear_screen()
    } else if is_answered {
        let mut out = io::stdout();
        out.write_all(b"---\n")?;
        out.flush()
    } else {
        Ok(())
    }
}
