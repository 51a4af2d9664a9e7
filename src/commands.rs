//! The commands: one function each.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use getaway::engine::Limits;
use getaway::engine::search::Order;
use getaway::fault::did_you_mean;
use getaway::rulesets::{self, RULESETS};

use crate::batch::{self, Folders, Input};
use crate::cli::{Check, Cli, Color, Command, OutputArgs, SearchArgs, Solve};
use crate::diagnostic::{Colors, Diagnostics};
use crate::exit;
use crate::judge::{Job, Style, Timing};
use crate::printer::{Names, Pace, Printer};
use crate::progress::Progress;
use crate::{memory, simulating, tracing};

/// Does what the command line says; the exit code.
pub fn run(cli: &Cli) -> ExitCode {
    let result = match &cli.command {
        Command::Solve(args) => solve(args, cli.color),
        Command::Check(args) => check(args, cli.color),
        Command::Trace(args) => tracing::trace(args, cli.color),
        Command::Bench(args) => bench(args, cli.color),
        Command::Simulate(args) => simulating::simulate(args, cli.color),
    };
    result.unwrap_or_else(|error| failed(&error, cli.color))
}

/// Tells why a command failed. A reader that has closed the pipe has seen what it wanted.
fn failed(error: &anyhow::Error, color: Color) -> ExitCode {
    let is_closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    if error
        .chain()
        .any(|cause| cause.downcast_ref().is_some_and(is_closed))
    {
        return ExitCode::SUCCESS;
    }
    let text = Diagnostics::new(colors(color, &io::stderr())).plain(&format!("{error:#}"), None);
    let _ = io::stderr().write_all(text.as_bytes());
    exit::wrong()
}

fn solve(args: &Solve, color: Color) -> Result<ExitCode> {
    let style = style(&args.output, Style::Verdicts);
    let job = Arc::new(job(&args.search, &args.output, (style, color))?);
    let inputs: Vec<_> = args.files.iter().map(|path| Input::of(path)).collect();
    let names = if inputs.len() > 1 {
        Names::Always
    } else {
        Names::WhereSeveral
    };
    let mut printer = Printer::new(&job, names, (Progress::hidden(), Pace::Files));
    let threads = args.output.threads;
    batch::run(&job, inputs, Folders::Refuse, threads, &mut |part| {
        printer.part(part)
    })?;
    Ok(printer.finish()?.solve_code())
}

fn check(args: &Check, color: Color) -> Result<ExitCode> {
    let start = Instant::now();
    let style = style(&args.output, Style::Troubles);
    let job = Arc::new(job(&args.search, &args.output, (style, color))?);
    let inputs: Vec<_> = args.paths.iter().map(|path| Input::of(path)).collect();
    let mut printer = Printer::new(&job, Names::Always, progress(&inputs, &job));
    let threads = args.output.threads;
    batch::run(&job, inputs, Folders::Walk, threads, &mut |part| {
        printer.part(part)
    })?;
    let tally = printer.finish_with_summary(start.elapsed())?;
    if tally.boards() + tally.errors + tally.as_expected == 0
        && !job.stop.load(std::sync::atomic::Ordering::Relaxed)
    {
        bail!("there are no board files under the paths given");
    }
    Ok(tally.check_code())
}

fn bench(args: &Check, color: Color) -> Result<ExitCode> {
    let start = Instant::now();
    let job = Arc::new(job(&args.search, &args.output, (Style::Nothing, color))?);
    let inputs: Vec<_> = args.paths.iter().map(|path| Input::of(path)).collect();
    let mut printer = Printer::new(&job, Names::Always, (Progress::hidden(), Pace::Files));
    let threads = args.output.threads;
    batch::run(&job, inputs, Folders::Walk, threads, &mut |part| {
        printer.part(part)
    })?;
    let tally = printer.finish()?;
    let mut text = format!("{} states in {} boards", tally.states, tally.boards());
    if job.timing == Timing::On {
        text += &format!(" ({})", crate::report::duration(start.elapsed()));
    }
    writeln!(io::stdout(), "{text}")?;
    Ok(tally.check_code())
}

/// The bar for a check of these inputs, and what moves it on.
fn progress(inputs: &[Input], job: &Job) -> (Progress, Pace) {
    if job.style == Style::Nothing || !Progress::is_wanted() {
        return (Progress::hidden(), Pace::Files);
    }
    match inputs {
        [Input::Stdin] => (Progress::of_files(None), Pace::Files),
        [Input::Path(path)] if path.is_file() => {
            let bytes = path.metadata().map_or(0, |meta| meta.len());
            (Progress::of_bytes(bytes), Pace::Bytes)
        }
        inputs => (
            Progress::of_files(Some(inputs.iter().map(files).sum())),
            Pace::Files,
        ),
    }
}

fn files(input: &Input) -> u64 {
    match input {
        Input::Path(path) if path.is_dir() => batch::board_files(path).count() as u64,
        _ => 1,
    }
}

const fn style(output: &OutputArgs, text: Style) -> Style {
    match output {
        OutputArgs { json: true, .. } => Style::Json,
        OutputArgs { quiet: true, .. } => Style::Nothing,
        _ => text,
    }
}

fn job(search: &SearchArgs, output: &OutputArgs, (style, color): (Style, Color)) -> Result<Job> {
    Ok(Job {
        ruleset: ruleset(search)?,
        order: order(search),
        max_states: search.max_states,
        max_memory: memory::limit(search.max_memory),
        workers: batch::threads(output.threads),
        timeout: search.timeout,
        stop: stop_on_interrupt()?,
        threads: 1,
        style,
        timing: if output.no_timing {
            Timing::Off
        } else {
            Timing::On
        },
        statistics: output.verbose,
        colors: colors(color, &io::stdout()),
        diagnostics: Diagnostics::new(colors(color, &io::stderr())),
    })
}

/// The ruleset that was asked for.
pub fn ruleset(search: &SearchArgs) -> Result<Option<&'static rulesets::Entry>> {
    let Some(name) = &search.ruleset else {
        return Ok(None);
    };
    if let Some(entry) = rulesets::find(RULESETS, name) {
        Ok(Some(entry))
    } else {
        let known: Vec<_> = RULESETS.iter().map(|entry| entry.name).collect();
        bail!(
            "unknown ruleset `{}`: {}",
            name.escape_debug(),
            did_you_mean(name, &known)
        )
    }
}

/// The order of search that was asked for.
pub const fn order(search: &SearchArgs) -> Order {
    if search.shortest {
        Order::BreadthFirst
    } else {
        Order::DepthFirst
    }
}

/// The limits that were asked for, of a search that begins now and has all `threads`.
pub fn limits<'a>(search: &SearchArgs, threads: Option<u16>, stop: &'a AtomicBool) -> Limits<'a> {
    Limits {
        max_states: search.max_states,
        max_memory: Some(memory::limit(search.max_memory)),
        deadline: search
            .timeout
            .and_then(|timeout| Instant::now().checked_add(timeout)),
        stop: Some(stop),
        threads: batch::threads(threads),
    }
}

/// A flag that the first interrupt sets; the second one ends the program.
pub fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))
            .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&stop)))
            .context("can't listen for interrupts")?;
    }
    Ok(stop)
}

/// Whether a stream gets colours.
pub fn colors<S: anstream::stream::RawStream + IsTerminal>(color: Color, stream: &S) -> Colors {
    let choice = match color {
        Color::Auto => anstream::AutoStream::choice(stream),
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    if choice == anstream::ColorChoice::Never {
        Colors::Off
    } else {
        Colors::On
    }
}
