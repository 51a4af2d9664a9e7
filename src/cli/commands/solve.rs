//! `getaway solve` and `getaway analyse`: print verdicts and analyses.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, bail};
use console::Term;

use super::{evaluate_all, job, job_of};
use crate::answers::words::count;
use crate::cli::args::{Analyse, Color, Solve};
use crate::cli::batch;
use crate::cli::evidence::Evidence;
use crate::cli::inputs::{Folders, Input, units};
use crate::cli::options::{Detail, Options};
use crate::cli::output::printer::Addresses;
use crate::cli::output::progress::Progress;
use crate::cli::output::summary::Summary;
use crate::cli::output::words::path_name;
use crate::cli::record::{Job, Style};
use crate::cli::watch::Watch;
use crate::engine::search::Order;

pub fn run(args: &Solve, color: Color) -> Result<ExitCode> {
    let (inputs, addresses) = inputs("solve", &args.boards.files)?;
    if args.watch {
        return watch(args, (&inputs, addresses), color);
    }
    let mut job = job(&args.boards.how, (Style::Verdicts, color))?;
    ask(args, &mut job);
    if let Some(path) = &args.certificate {
        job.options.evidence = Evidence::Written(path.clone(), Arc::default());
    }
    Ok(answer(&job, inputs, addresses)?.tally.solve_code())
}

/// Analyses the boards; the exit code is the same as for `solve`.
pub fn analyse(args: &Analyse, color: Color) -> Result<ExitCode> {
    let (inputs, addresses) = inputs("analyse", &args.boards.files)?;
    let mut job = job(&args.boards.how, (Style::Verdicts, color))?;
    job.report.statistics = args.boards.verbose;
    job.options.detail = Detail::Analysis;
    job.options.order = Order::BreadthFirst;
    Ok(answer(&job, inputs, addresses)?.tally.solve_code())
}

const fn ask(args: &Solve, job: &mut Job) {
    job.options.shortens = true;
    job.options.order = args.shortest.order();
    job.report.statistics = args.boards.verbose;
    if args.explain {
        job.options.detail = Detail::Explanation;
    }
}

fn answer(job: &Job, inputs: Vec<Input>, addresses: Addresses) -> Result<Summary> {
    let units = units(inputs, Folders::Refuse);
    let bar = if batch::is_alone(job, &units) {
        Progress::where_wanted(|| Progress::of_board(&job.options.gauge))
    } else {
        Progress::hidden()
    };
    evaluate_all(job, units, addresses, bar)
}

/// Returns the inputs, and which answers are shown with an address. Without files, reads standard input unless
/// it is a terminal.
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

/// Decides the boards after every save, until an interrupt.
fn watch(
    args: &Solve,
    (inputs, addresses): (&[Input], Addresses),
    color: Color,
) -> Result<ExitCode> {
    let files: Vec<_> = inputs.iter().map(file).collect::<Result<_>>()?;
    let mut watch = Watch::new(&files)?;
    let mut options = Options::with_stop(
        &args.boards.how.search,
        args.boards.how.output.threads.threads,
        watch.stop(),
    )?;
    options.width = args.boards.how.width.width;
    let mut job = job_of(options, &args.boards.how.output, (Style::Verdicts, color));
    ask(args, &mut job);
    job.report.skips_interrupted = true;
    let mut is_answered = false;
    while watch.begin() {
        separate(is_answered)?;
        let tally = answer(&job, inputs.to_vec(), addresses)?.tally;
        // A round that a newer save interrupted may have printed nothing.
        is_answered = tally.interrupted < tally.boards();
        if Term::stdout().is_term() {
            writeln!(
                io::stdout(),
                "\n{} watched; Ctrl-C ends",
                count(files.len() as u64, "file")
            )?;
        }
        watch.wait();
    }
    Ok(ExitCode::SUCCESS)
}

fn file(input: &Input) -> Result<&Path> {
    match input {
        Input::Path(path) if path.is_dir() => {
            bail!(
                "{}: this is a folder; `--watch` needs board files",
                path_name(path)
            )
        }
        Input::Path(path) | Input::Board(path, _) => Ok(path),
        Input::Stdin => bail!("`--watch` needs board files, and `-` is standard input"),
    }
}

/// Clears a terminal; elsewhere prints a line of dashes after the last answer.
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
