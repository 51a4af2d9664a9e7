//! `getaway render` and `getaway trace --format`: draw games as pictures.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::game::Plan;
use crate::limits::{Limit, Limits};
use crate::play::trace::{Ending, TraceError};
use crate::render::recording::{Recorder, Recording};
use crate::render::{self, Look, RenderError};
use anyhow::{Result, bail};

use super::trace::{code, no_move, no_order};
use crate::answers::words::safe;
use crate::cli::args::{Color, FormatName, Render, Trace, Turn, name_of};
use crate::cli::one_board::{OneBoard, Opened};
use crate::cli::options::Options;
use crate::cli::output::cast;
use crate::cli::output::trace::MovesFrom;
use crate::cli::output_file;

struct Picture {
    format: FormatName,
    look: Look,
    /// The position of a still; `None` for the complete game.
    still: Option<Turn>,
}

pub fn run(args: &Render, color: Color) -> Result<ExitCode> {
    let mut options = Options::new(&args.search, None)?;
    options.order = args.shortest.order();
    let picture = Picture::of(args)?;
    refuse_terminal(&args.output, picture.format)?;
    let one = OneBoard::new(&args.board.file, &options, color);
    one.run(|opened| board(args, &picture, &one, opened))
}

fn board(args: &Render, picture: &Picture, one: &OneBoard, opened: &Opened) -> Result<ExitCode> {
    let given = opened.given;
    let (moves, chasers) = match args.policy {
        Some(_) => (None, None),
        None => given.unless(args.game.moves.as_deref()),
    };
    let plan = Plan {
        moves,
        chasers,
        policy: args.policy.unwrap_or_default(),
        order: one.options.order,
        limits: opened.puzzle.limits_left(),
        seed: args.game.seed.or(given.seed).unwrap_or_default(),
        turns: args.game.turns,
        ..Plan::default()
    };
    let from = MovesFrom::of(args.game.moves.as_deref());
    let drawn = draw(picture, (one, opened), (&plan, from), &args.output)?;
    Ok(drawn.map_or_else(|code| code, |_| ExitCode::SUCCESS))
}

pub fn trace(args: &Trace, format: FormatName, color: Color) -> Result<ExitCode> {
    let mut options = Options::new(&args.search, None)?;
    options.order = args.shortest.order();
    let output = Path::new("-");
    refuse_terminal(output, format)?;
    let one = OneBoard::new(&args.board.file, &options, color);
    one.run(|opened| {
        let plan = super::trace::plan(args, &one, opened);
        let from = MovesFrom::of(args.game.moves.as_deref());
        let drawn = draw(
            &Picture::plain(format),
            (&one, opened),
            (&plan, from),
            output,
        )?;
        let code = |game: Recording| code(&game.ending, Some(&game.kind));
        Ok(drawn.map_or_else(|code| code, code))
    })
}

impl Picture {
    fn of(args: &Render) -> Result<Self> {
        let by_ending = || FormatName::of_file(&args.output);
        let Some(format) = args.format.or_else(by_ending) else {
            bail!(
                "{}: the name does not say what to write: let it end in .html, .svg, .gif, .png or \
                 .cast, or say so with `--format`",
                safe(&args.output.to_string_lossy())
            );
        };
        let wants_still = args.still || args.turn.is_some();
        if wants_still && !matches!(format, FormatName::Svg | FormatName::Png) {
            let name = name_of(&format);
            bail!("a {name} shows the whole game: `--still` and `--turn` are for svg and png");
        }
        let start = (wants_still || format == FormatName::Png).then_some(Turn::Number(0));
        Ok(Self {
            format,
            look: Look {
                cell: args.cell,
                delay: args.duration,
                theme: args.theme,
            },
            still: args.turn.or(start),
        })
    }

    fn plain(format: FormatName) -> Self {
        Self {
            format,
            look: Look::default(),
            still: (format == FormatName::Png).then_some(Turn::Number(0)),
        }
    }

    fn write(
        &self,
        recording: &Recording,
        from: MovesFrom,
        limits: &Limits,
        out: &mut dyn Write,
    ) -> Result<(), RenderError> {
        let position = self
            .still
            .map(|turn| position(recording, turn))
            .transpose()?;
        let kind = match (self.format, position) {
            (FormatName::Html, _) => render::Picture::Page,
            (FormatName::Svg, None) => render::Picture::Svg,
            (FormatName::Svg, Some(position)) => render::Picture::StillSvg(position),
            (FormatName::Gif, _) => render::Picture::Gif,
            (FormatName::Png, position) => render::Picture::Png(position.unwrap_or(0)),
            (FormatName::Cast, _) => {
                let limits = &limits.without(recording.bytes())?;
                return cast::write(recording, from, (self.look.delay, limits), out);
            }
        };
        recording.draw(kind, &self.look, limits, out)
    }
}

fn position(recording: &Recording, turn: Turn) -> Result<usize, RenderError> {
    let last = recording.last_turn();
    match turn {
        Turn::Last => Ok(recording.halves.len()),
        Turn::Number(asked) => recording
            .position_after(asked)
            .ok_or(RenderError::NoTurn { asked, last }),
    }
}

/// Refuses to write binary data to a terminal.
fn refuse_terminal(output: &Path, format: FormatName) -> Result<()> {
    if output.as_os_str() == "-" && format.is_binary() && io::stdout().is_terminal() {
        let name = name_of(&format);
        bail!(
            "a {name} can't be shown on a terminal: name a file with `-o`, or redirect it with `|` or `>`"
        );
    }
    Ok(())
}

/// Plays a plan and writes its picture; returns the game, or the exit code if there is no picture.
fn draw(
    picture: &Picture,
    (one, opened): (&OneBoard, &Opened),
    (plan, from): (&Plan, MovesFrom),
    output: &Path,
) -> Result<Result<Recording, ExitCode>> {
    let mut recorder = Recorder::new(&plan.limits);
    let ending = match opened.game.trace(plan, &mut recorder) {
        Ok(Ending::Illegal {
            turn, mv, reason, ..
        }) => bail!("{}: move {turn} (`{mv}`) is illegal: {reason}", one.path()),
        Ok(ending) => ending,
        Err(TraceError::Undecided(limit)) => return Ok(Err(undecided(one, limit)?)),
        Err(TraceError::NoMove(error)) => return Ok(Err(no_move((one, opened), &error, from)?)),
        Err(TraceError::NoOrder(error)) => return Ok(Err(no_order((one, opened), &error))),
        Err(error) => match recorder.reached() {
            Some(limit) => return Ok(Err(undecided(one, limit)?)),
            None => bail!("{}: {error}", one.path()),
        },
    };
    let title = opened.puzzle.name().map_or_else(|| one.path(), safe);
    let recording = recorder.finish(opened.ruleset.subject(title), ending);
    let recording = recording.expect("a game that has ended has begun");
    let written = output_file::write(output, |out| {
        Ok(picture.write(&recording, from, &plan.limits, out)?)
    });
    match written {
        Ok(()) => Ok(Ok(recording)),
        Err(error) => match error.downcast::<RenderError>() {
            Ok(RenderError::Limit(limit)) => Ok(Err(undecided(one, limit)?)),
            Ok(RenderError::Io(error)) => Err(error.into()),
            Ok(error) => bail!("{}: {}", one.path(), advice(&error)),
            Err(error) => Err(error),
        },
    }
}

fn undecided(one: &OneBoard, limit: Limit) -> Result<ExitCode> {
    writeln!(
        io::stderr(),
        "{}: undecided: {limit}; there is no picture",
        one.path()
    )?;
    Ok(ExitCode::from(3))
}

fn advice(error: &RenderError) -> String {
    let help = match error {
        RenderError::TooLarge { .. } => "; make the cells smaller with `render --cell`",
        RenderError::TooLong { .. } => {
            "; make the cells smaller with `render --cell`, play less with `--turns`, or write an svg"
        }
        RenderError::TooMuchText => "; play less with `--turns`",
        _ => "",
    };
    format!("{error}{help}")
}
