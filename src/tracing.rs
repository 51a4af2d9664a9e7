//! `getaway trace`: one board, half turn by half turn.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use anstyle::Style as TextStyle;
use anyhow::{Context, Result, bail};
use getaway::engine::Limits;
use getaway::fault::BoardError;
use getaway::game::{Ending, Half, LineKind, Plan, Teller, Told, TraceError};
use getaway::puzzle::stream::{ChunkError, Chunks};
use getaway::puzzle::{Format, Puzzle, json, text};
use getaway::rules::Fate;
use getaway::rulesets::{self, RULESETS};
use serde::Serialize;

use crate::cli::{Color, Trace};
use crate::commands::{colors, order, ruleset, shown, stop_on_interrupt};
use crate::diagnostic::{Colors, Diagnostics};
use crate::exit;
use crate::report::{count, safe};

/// Traces the board that was asked for.
pub fn trace(args: &Trace, color: Color) -> Result<ExitCode> {
    let mut result = None;
    let read = nth_board(&args.file, args.board, &mut |puzzle| {
        result = Some(board(args, color, puzzle));
    });
    match (read, result) {
        (Err(Unread::Board(error)), _) => Ok(complain(args, color, &error)),
        (Err(Unread::Other(error)), _) => Err(error),
        (Ok(()), Some(result)) => result,
        (Ok(()), None) => bail!(
            "{}: there is no board number {}",
            shown(&args.file),
            args.board
        ),
    }
}

fn complain(args: &Trace, color: Color, error: &BoardError) -> ExitCode {
    let diagnostics = Diagnostics::new(colors(color, &io::stderr()));
    let text = diagnostics.board(&args.file.to_string_lossy(), error);
    let _ = io::stderr().write_all(text.as_bytes());
    exit::wrong()
}

fn board(args: &Trace, color: Color, puzzle: &Puzzle) -> Result<ExitCode> {
    let entry = match ruleset(&args.search)? {
        Some(entry) => Ok(entry),
        None => rulesets::of_board(RULESETS, puzzle),
    };
    let game = match entry.and_then(|entry| (entry.read)(puzzle)) {
        Ok(game) => game,
        Err(error) => return Ok(complain(args, color, &error)),
    };
    let stop = stop_on_interrupt()?;
    let header = puzzle.header("moves").map(|header| &*header.value);
    let plan = Plan {
        moves: args.moves.as_deref().or(header),
        order: order(&args.search),
        limits: Limits {
            max_states: args.search.max_states,
            deadline: args
                .search
                .timeout
                .and_then(|timeout| std::time::Instant::now().checked_add(timeout)),
            stop: Some(&stop),
        },
        ..Plan::default()
    };
    let title = match puzzle.name() {
        Some(name) => format!("{}: {}", shown(&args.file), safe(name)),
        None => shown(&args.file),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let ending = if args.json {
        let ending = game.trace(&plan, &mut JsonTeller { out: &mut out });
        ending.and_then(|ending| Ok(JsonTeller { out: &mut out }.end(&ending).map(|()| ending)?))
    } else {
        let colors = colors(color, &io::stdout());
        let mut teller = TextTeller {
            out: &mut out,
            title,
            colors,
        };
        game.trace(&plan, &mut teller)
            .and_then(|ending| Ok(teller.end(&ending).map(|()| ending)?))
    };
    out.flush()?;
    match ending {
        Ok(ending) => Ok(code(&ending)),
        Err(TraceError::Undecided(limit)) => {
            writeln!(out, "undecided: {limit}")?;
            out.flush()?;
            Ok(ExitCode::from(3))
        }
        Err(TraceError::NoMove(error)) => {
            bail!("in the moves, at character {}: {error}", error.at + 1)
        }
        Err(TraceError::Io(error)) => Err(error.into()),
        Err(error) => bail!("{}: {error}", shown(&args.file)),
    }
}

const fn is_lost(ending: &Ending) -> bool {
    matches!(ending, Ending::Caught { .. })
}

/// 0 for an escape or an open game, 1 for a capture, 2 for a line that can't be played.
fn code(ending: &Ending) -> ExitCode {
    match ending {
        Ending::Illegal { .. } => exit::wrong(),
        ending => ExitCode::from(u8::from(is_lost(ending))),
    }
}

enum Unread {
    Board(BoardError),
    Other(anyhow::Error),
}

/// Calls `then` with board number `number` of a file, if there is one.
fn nth_board(path: &Path, number: u64, then: &mut dyn FnMut(&Puzzle)) -> Result<(), Unread> {
    let is_jsonl = path
        .extension()
        .is_some_and(|extension| extension == "jsonl");
    let input: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(path)
            .with_context(|| shown(path))
            .map_err(Unread::Other)?;
        Box::new(file)
    };
    let mut chunks = Chunks::new(input, is_jsonl.then_some(Format::JsonLines));
    let mut left = number;
    let mut take = |read: Result<bool, BoardError>, puzzle: &Puzzle| match read {
        Ok(false) => Ok(false),
        _ if left > 0 => {
            left -= 1;
            Ok(false)
        }
        Ok(true) => {
            then(puzzle);
            Ok(true)
        }
        Err(error) => Err(Unread::Board(error)),
    };
    loop {
        let chunk = chunks.read().map_err(|error| match error {
            ChunkError::Io(error) => Unread::Other(anyhow::Error::from(error).context(shown(path))),
            ChunkError::Board(error) => Unread::Board(error),
        })?;
        let Some(chunk) = chunk else { return Ok(()) };
        let mut puzzle = Puzzle::empty();
        match chunk.format {
            Format::JsonLines => {
                for (line, at) in chunk.text.split(|&byte| byte == b'\n').zip(chunk.line..) {
                    if take(json::read_line(line, at, &mut puzzle), &puzzle)? {
                        return Ok(());
                    }
                }
            }
            Format::Text => {
                let mut boards = text::Boards::new(&chunk.text, chunk.line);
                loop {
                    let read = boards.read(&mut puzzle);
                    if matches!(read, Ok(false)) {
                        break;
                    }
                    if take(read, &puzzle)? {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// What kind of line is shown, for people.
fn about(line: &LineKind) -> String {
    match line {
        LineKind::Given => "the moves given".into(),
        LineKind::WayOut => "the solver's way out".into(),
        LineKind::LongestLived => {
            "there is no escape; no line of play lives longer than this".into()
        }
        LineKind::LongestFound => {
            "there is no escape; this is the longest line that was found, there may be longer"
                .into()
        }
        LineKind::Forever { back_to } => format!(
            "there is no escape, but one can live for ever: at the end the position is the one \
             after {} again",
            count(*back_to as u64, "move")
        ),
        LineKind::Played { seed } => format!("one game, with the seed {seed}"),
    }
}

struct TextTeller<'o, W> {
    out: &'o mut W,
    title: String,
    colors: Colors,
}

/// So many actors are named in a half turn.
const NAMED: usize = 12;

impl<W: Write> TextTeller<'_, W> {
    fn rows(&mut self, rows: &[String], moved: &[Told]) -> io::Result<()> {
        let strong = match self.colors {
            Colors::On => TextStyle::new().bold().invert(),
            Colors::Off => TextStyle::new(),
        };
        for (row, text) in (0u32..).zip(rows) {
            self.out.write_all(b"  ")?;
            for (col, glyph) in (0u32..).zip(text.chars()) {
                if moved.iter().any(|told| told.to == (row, col)) {
                    write!(self.out, "{strong}{glyph}{strong:#}")?;
                } else {
                    write!(self.out, "{glyph}")?;
                }
            }
            writeln!(self.out)?;
        }
        writeln!(self.out)
    }

    fn end(&mut self, ending: &Ending) -> io::Result<()> {
        match ending {
            Ending::Escaped { turns } => {
                writeln!(self.out, "escaped in {}", count(*turns as u64, "move"))
            }
            Ending::Caught { turns, cause } => {
                writeln!(
                    self.out,
                    "lost after {}: {cause}",
                    count(*turns as u64, "move")
                )
            }
            Ending::Open { turns } => {
                writeln!(
                    self.out,
                    "the game is open after {}",
                    count(*turns as u64, "move")
                )
            }
            Ending::Illegal {
                turn,
                mv,
                reason,
                legal,
            } => {
                let legal = if legal.is_empty() {
                    "none".into()
                } else {
                    legal.join(", ")
                };
                writeln!(
                    self.out,
                    "move {turn} (`{mv}`) is illegal: {reason}; legal moves: {legal}"
                )
            }
        }
    }
}

/// `g 2,7 -> 2,6`, in rows and columns from 1.
fn event(told: &Told) -> String {
    let place = |(row, col): (u32, u32)| format!("{},{}", row + 1, col + 1);
    let (from, to) = (place(told.from), place(told.to));
    let actor = told.actor;
    match told.fate {
        Fate::Stands if told.from == told.to => format!("{actor} stays at {from}"),
        Fate::Stands => format!("{actor} {from} -> {to}"),
        Fate::Fell => format!("{actor} {from} -> {to}, falls into the abyss"),
        Fate::Catches => format!("{actor} {from} -> {to}, a catch"),
        Fate::Teleports => format!("{actor} {from} -> {to}, by teleport"),
    }
}

impl<W: Write> Teller for TextTeller<'_, W> {
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        writeln!(self.out, "{}", self.title)?;
        writeln!(self.out, "{} (places are row,column from 1)\n", about(line))?;
        writeln!(self.out, "start")?;
        self.rows(&rows(), &[])
    }

    fn half(&mut self, half: &Half) -> io::Result<()> {
        write!(self.out, "turn {}, {}", half.turn, half.who)?;
        if let Some(mv) = &half.mv {
            write!(self.out, " {mv}")?;
        }
        let mut events: Vec<_> = half.events.iter().take(NAMED).map(event).collect();
        if half.events.len() > NAMED {
            events.push(format!("and {} more", half.events.len() - NAMED));
        }
        writeln!(self.out, ": {}", events.join("; "))?;
        self.rows(&half.rows, &half.events)
    }
}

struct JsonTeller<'o, W> {
    out: &'o mut W,
}

#[derive(Serialize)]
struct JsonHalf<'h> {
    turn: usize,
    who: &'h str,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<&'h str>,
    events: Vec<JsonEvent>,
    rows: &'h [String],
}

#[derive(Serialize)]
struct JsonEvent {
    actor: char,
    from: (u32, u32),
    to: (u32, u32),
    fate: &'static str,
}

impl JsonEvent {
    const fn of(told: &Told) -> Self {
        let fate = match told.fate {
            Fate::Stands => "stands",
            Fate::Fell => "fell",
            Fate::Catches => "catches",
            Fate::Teleports => "teleports",
        };
        Self {
            actor: told.actor,
            from: told.from,
            to: told.to,
            fate,
        }
    }
}

impl<W: Write> JsonTeller<'_, W> {
    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut *self.out, value)?;
        self.out.write_all(b"\n")
    }

    fn end(&mut self, ending: &Ending) -> io::Result<()> {
        let value = match ending {
            Ending::Escaped { turns } => serde_json::json!({"end": "escaped", "turns": turns}),
            Ending::Caught { turns, cause } => {
                serde_json::json!({"end": "lost", "turns": turns, "cause": cause.to_string()})
            }
            Ending::Open { turns } => serde_json::json!({"end": "open", "turns": turns}),
            Ending::Illegal {
                turn,
                mv,
                reason,
                legal,
            } => serde_json::json!({
                "end": "illegal", "turn": turn, "move": mv, "reason": reason, "legal": legal
            }),
        };
        self.line(&value)
    }
}

impl<W: Write> Teller for JsonTeller<'_, W> {
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        let kind = match line {
            LineKind::Given => "given",
            LineKind::WayOut => "way-out",
            LineKind::LongestLived => "longest-lived",
            LineKind::LongestFound => "longest-found",
            LineKind::Forever { .. } => "forever",
            LineKind::Played { .. } => "played",
        };
        let mut value = serde_json::json!({"line": kind, "rows": rows()});
        match line {
            LineKind::Forever { back_to } => value["back_to"] = (*back_to).into(),
            LineKind::Played { seed } => value["seed"] = (*seed).into(),
            _ => {}
        }
        self.line(&value)
    }

    fn half(&mut self, half: &Half) -> io::Result<()> {
        self.line(&JsonHalf {
            turn: half.turn,
            who: half.who,
            mv: half.mv.as_deref(),
            events: half.events.iter().map(JsonEvent::of).collect(),
            rows: &half.rows,
        })
    }
}
