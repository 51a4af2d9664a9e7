//! `getaway trace`: shows a game on one board, ply by ply.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use anyhow::{Error, Result, anyhow, bail};
use clap::Args;
use console::Term;
use getaway_board::fault::{FaultKind, Place};
use getaway_board::limits::Limit;
use getaway_board::puzzle::Format;
use getaway_play::trace::{Ending, LineKind, TraceError};

use crate::cli::args::{
    BoardArgs, Color, FormatName, GameArgs, LayoutArgs, SearchArgs, ShortestArgs,
};
use crate::cli::exit;
use crate::cli::one_board::{OneBoard, Opened};
use crate::cli::options::{Options, colors};
use crate::cli::output::progress::Progress;
use crate::cli::output::trace::{self, BesideLimit, Heading, TraceStyle};
use getaway_board::words::safe;
use getaway_play::explanation::SearchStep;
use getaway_solvers::answers::search_steps;
use serde::Serialize;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway trace board.txt
  getaway trace --moves LUL boards.txt#2
  getaway trace --compact board.txt     one line per turn
  getaway trace --search maze.txt       each step of the search")]
pub struct Trace {
    #[command(flatten)]
    pub board: BoardArgs,
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub shortest: ShortestArgs,
    /// Show the search step by step instead of a game.
    ///
    /// In a `maze`, this is the A* of the assignment, compared with a textbook A*. In games without chance, it is a depth-first
    /// search: the positions it takes, and why it leaves out others (at most 200 steps).
    #[arg(long = "search", conflicts_with_all = ["format", "compact", "per_row", "line_width", "moves"])]
    pub shows_search: bool,
    /// Print a JSON object for each ply, or for each step of the search.
    #[arg(long)]
    pub json: bool,
    /// Print a picture of the game instead, as `render` does.
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    #[arg(conflicts_with_all = ["json", "compact", "per_row", "line_width"])]
    pub format: Option<FormatName>,
    #[command(flatten)]
    pub layout: LayoutArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

pub fn run(args: &Trace, color: Color) -> Result<ExitCode> {
    let mut options = Options::new(&args.search, None)?;
    options.order = args.shortest.order;
    let mut one = OneBoard::new(&args.board.file, &options, color);
    one.typed.clone_from(&args.game);
    one.is_json = args.json;
    one.run(|opened| board(args, opened))
}

fn board(args: &Trace, opened: &Opened) -> Result<ExitCode> {
    if args.shows_search {
        return search(opened);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let search = opened.one.options.progress.as_ref();
    let bar = search.map_or_else(Progress::hidden, Progress::of_board);
    let mut writer = writer(&args.layout, opened, &mut out);
    writer.bar = bar.clone();
    let ended = opened.game.trace(&opened.plan(), &mut writer);
    bar.finish();
    let code = finish(ended, &mut writer, opened);
    drop(writer);
    out.flush()?;
    code
}

/// Prints the steps of the search. Returns exit code 0 if the search succeeds, 1 if it does not, and 3 at a limit. Fails if the
/// board has no search to show.
fn search(opened: &Opened) -> Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    let (legend, is_json) = (&opened.ruleset.legend, opened.one.is_json);
    let title = title(opened);
    let (mut number, mut written) = (0, Ok(()));
    let mut write = |step: SearchStep| {
        number += 1;
        if written.is_ok() {
            written = if is_json {
                let numbered = NumberedStep { number, step };
                write_json(&mut out, &numbered)
            } else {
                let mut lines = search_steps::step(number, &step, legend);
                let heading = || format!("{title}\n{}", search_steps::about(&step));
                lines.splice(..0, (number == 1).then(heading));
                write_lines(&mut out, &lines)
            };
        }
    };
    let limits = opened.plan().limits;
    let traced = opened.game.trace_search(u64::MAX, &limits, &mut write);
    written?;
    let code = match traced {
        Err(limit) => {
            writeln!(out, "undecided: {limit}")?;
            exit::undecided()
        }
        Ok(None) => return Err(no_search(opened)),
        Ok(Some(summary)) => {
            if is_json {
                write_json(&mut out, &summary)?;
            } else {
                write_lines(&mut out, &search_steps::summary(&summary, number, legend))?;
            }
            match summary.limit() {
                Some(_) => exit::undecided(),
                None => ExitCode::from(u8::from(!summary.is_success())),
            }
        }
    };
    out.flush()?;
    Ok(code)
}

/// Returns the error for a board without a search to show.
pub fn no_search(opened: &Opened) -> Error {
    let why = match opened.ruleset.name {
        "maze" => "this map has no head from which the search could start".to_owned(),
        other => format!("`{other}` is a game of chance, and has no search to show"),
    };
    anyhow!("{}: {why}", opened.one.path())
}

#[derive(Serialize)]
struct NumberedStep {
    #[serde(rename = "step")]
    number: u64,
    #[serde(flatten)]
    step: SearchStep,
}

fn write_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

fn write_lines(out: &mut dyn Write, lines: &[String]) -> io::Result<()> {
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}

const WIDTH: usize = 80;

pub fn writer<'o>(
    args: &LayoutArgs,
    opened: &Opened<'o>,
    out: &'o mut dyn Write,
) -> trace::Trace<'o> {
    let one = opened.one;
    let heading = Heading {
        title: title(opened),
        given: match one.typed.moves {
            Some(_) => "playing `--moves`",
            None => "replaying the `moves` header",
        },
    };
    let style = TraceStyle {
        colors: colors(one.color, &io::stdout()),
        legend: opened.ruleset.legend,
    };
    let terminal = Term::stdout().size_checked().map(|(_, columns)| columns);
    let width = args.line_width.or(terminal).map(usize::from);
    let room = match args.per_row {
        Some(boards) => Some(BesideLimit::Boards(boards.into())),
        None => width.map(BesideLimit::Width),
    };
    match room {
        _ if one.is_json => trace::Trace::new(heading, trace::Json(out)),
        _ if args.compact => {
            let layout = trace::Compact::new(out, style, width.unwrap_or(WIDTH));
            trace::Trace::new(heading, layout)
        }
        None => trace::Trace::new(heading, trace::Long::new(out, style)),
        Some(room) => trace::Trace::new(heading, trace::SideBySide::new(out, style, room)),
    }
}

fn title(opened: &Opened) -> String {
    match opened.puzzle.name() {
        Some(name) => format!("{}: {}", opened.one.path(), safe(name)),
        None => opened.one.path(),
    }
}

pub fn finish(
    ended: Result<Ending, TraceError>,
    writer: &mut trace::Trace,
    opened: &Opened,
) -> Result<ExitCode> {
    let limit = match ended {
        Ok(ending) => {
            writer.end(&ending)?;
            return match opened.plan().check_last_turn(&ending) {
                Ok(()) => Ok(code(&ending, writer.kind.as_ref())),
                Err(error) => refused(error, opened),
            };
        }
        Err(TraceError::Undecided(limit)) => limit,
        Err(TraceError::Io(error)) if error.kind() == io::ErrorKind::Interrupted => {
            Limit::Interrupt
        }
        Err(error) => return refused(error, opened),
    };
    writer.layout.undecided(limit)?;
    Ok(exit::undecided())
}

/// Reports a fault in the header `moves` or `chasers`, with its place. Returns any other reason why a line can't be traced as an
/// error.
pub fn refused(error: TraceError, opened: &Opened) -> Result<ExitCode> {
    let is_typed = opened.one.typed.moves.is_some();
    let message = error.to_string();
    let (key, at, text, help) = match error {
        TraceError::Line(error) if is_typed => {
            bail!("in `--moves`, at character {}: {message}", error.at + 1)
        }
        TraceError::Line(error) => {
            let help = "write the moves of this ruleset, as `solve` prints them";
            ("moves", error.at, error.text, help)
        }
        TraceError::Order(error) => {
            let help = "write a group per turn, with a letter per chaser in the order in which they move, or `-` for one that moves by its own rules";
            ("chasers", error.at, error.text, help)
        }
        TraceError::Io(error) => return Err(error.into()),
        _ => bail!("{}: {message}", opened.one.path()),
    };
    let puzzle = opened.puzzle;
    let header = puzzle
        .header(key)
        .expect("the faulty line comes from this header");
    let place = match puzzle.format {
        // A JSON string may contain escapes, so the position within it is unknown.
        Format::JsonLines => header.place,
        Format::Text => Place {
            column: header.place.column + at as u64,
            width: text.chars().count() as u64,
            ..header.place
        },
    };
    let fault = puzzle.fault(place, FaultKind::other(message, help));
    Ok(opened.one.print_error(&fault.into()))
}

/// Returns the exit code: 1 if the runner is caught or can't escape, 2 after an illegal move or a forfeit, 3 at a limit,
/// otherwise 0.
pub fn code(ending: &Ending, kind: Option<&LineKind>) -> ExitCode {
    match (ending, kind) {
        (Ending::Illegal { .. } | Ending::Forfeited { .. }, _) => exit::wrong(),
        (Ending::Open { limit: Some(_), .. }, _) => exit::undecided(),
        (Ending::Caught { .. }, _) | (_, Some(LineKind::Forever { .. })) => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    }
}
