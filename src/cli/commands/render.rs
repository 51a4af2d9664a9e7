//! `getaway render` and `getaway trace --format`: draw games as pictures.

mod sheet;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Error, Result, bail};
use clap::Args;
use getaway_board::limits::{Limit, Limits};
use getaway_play::agent::Policy;
use getaway_play::trace::{Ending, TraceError};
use getaway_render::recording::{Recorder, Recording};
use getaway_render::theme::Theme;
use getaway_render::{Picture, PictureStyle, RenderError};
use getaway_solvers::game::Plan;

use super::trace::{Trace, code, no_search, refused};
use crate::cli::args::{
    BoardArgs, Color, FormatName, GameArgs, POLICIES, SearchArgs, ShortestArgs, in_long_help,
    name_of, one_of,
};
use crate::cli::conversion::drawn_rows;
use crate::cli::exit;
use crate::cli::inputs::Input;
use crate::cli::one_board::{OneBoard, Opened};
use crate::cli::options::Options;
use crate::cli::output::progress::Progress;
use crate::cli::output_file;
use crate::cli::search_slides::{self, SearchSlides};
use crate::pictures::subject;
use getaway_board::words::{path_name, safe};

const THEMES: &[(Theme, &str, &str)] = &[
    (Theme::Light, "light", "The colours for light paper"),
    (Theme::Dark, "dark", "The colours for dark paper"),
];

#[derive(Debug, Default, Args)]
#[command(mut_args(|arg| in_long_help(arg, &["file", "more", "shortest"])))]
#[command(after_long_help = "\
Examples:
  getaway render board.txt -o game.html
  getaway render board.txt --moves LUL -o game.gif
  getaway render level.txt --policy greedy --seed 7 -o game.svg
  getaway render boards.txt#3 --turn last -o end.png
  getaway render maze.txt --search -o search.html
  getaway render --sheet levels/*.txt -o to-print.svg")]
pub struct Render {
    #[command(flatten)]
    pub board: BoardArgs,
    /// More board files, and folders of them, for `--sheet`.
    #[arg(value_name = "MORE", requires = "sheet")]
    pub more: Vec<PathBuf>,
    /// Write the picture to this file; `-` is standard output.
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,
    /// Write html, svg, gif or png [default: by extension].
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub format: Option<FormatName>,
    /// The runner's policy [default: the header `moves`, or the solver].
    #[arg(long, value_parser = one_of(POLICIES), value_name = "POLICY", conflicts_with = "moves")]
    #[arg(hide_short_help = true)]
    pub policy: Option<Policy>,
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    pub shortest: ShortestArgs,
    #[command(flatten)]
    pub still: StillArgs,
    /// Show the search step by step instead of a game, as html: the A* of a `maze`, or a depth-first search.
    #[arg(long = "search", conflicts_with_all = ["still", "turn", "moves", "policy", "turns"])]
    #[arg(hide_short_help = true)]
    pub shows_search: bool,
    /// Draw all boards of the files on an A4 page (svg or png).
    #[arg(long, conflicts_with_all = ["policy", "GameArgs", "StillArgs", "StyleArgs", "shows_search"])]
    pub sheet: bool,
    #[command(flatten)]
    pub style: StyleArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

#[derive(Debug, Default, Args)]
pub struct StyleArgs {
    /// Draw only the board, without words (not for html).
    #[arg(long)]
    pub bare: bool,
    /// The width of a cell in pixels [default: by board size].
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(2..=512))]
    pub cell: Option<u32>,
    /// The duration of each ply, in milliseconds.
    #[arg(
        long,
        alias = "delay",
        value_name = "MS",
        default_value_t = PictureStyle::DELAY,
        value_parser = clap::value_parser!(u32).range(20..=60_000)
    )]
    pub duration: u32,
    /// The colours.
    ///
    /// [default: the viewer's preference for html and svg, else light]
    #[arg(long, value_parser = one_of(THEMES), value_name = "THEME")]
    pub theme: Option<Theme>,
}

impl StyleArgs {
    const fn to_style(&self) -> PictureStyle {
        PictureStyle {
            cell: self.cell,
            delay: self.duration,
            theme: self.theme,
            is_bare: self.bare,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Args)]
pub struct StillArgs {
    /// Draw a single position, as a png always does (for svg).
    #[arg(long)]
    pub still: bool,
    /// Draw the position after turn N, or the `last` one.
    ///
    /// [default: 0, the start]
    #[arg(long, value_name = "N")]
    pub turn: Option<Turn>,
}

impl StillArgs {
    /// Returns the turn to draw; `None` without `--still` and `--turn`.
    fn chosen(self) -> Option<Turn> {
        self.turn.or(self.still.then_some(Turn::Number(0)))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// After this turn; 0 stands for the start.
    Number(usize),
    Last,
}

impl std::str::FromStr for Turn {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "last" => Ok(Self::Last),
            number => number
                .parse()
                .map(Self::Number)
                .map_err(|_| "write the number of a turn, 0 for the start, or `last`"),
        }
    }
}

pub fn run(args: &Render, color: Color) -> Result<ExitCode> {
    if args.sheet {
        return sheet::draw(args, color);
    }
    draw(args, color, |_| ExitCode::SUCCESS)
}

pub fn trace(args: &Trace, format: FormatName, color: Color) -> Result<ExitCode> {
    let args = Render {
        board: args.board.clone(),
        output: "-".into(),
        format: Some(format),
        game: args.game.clone(),
        shortest: args.shortest,
        style: StyleArgs {
            duration: PictureStyle::DELAY,
            ..StyleArgs::default()
        },
        search: args.search.clone(),
        ..Render::default()
    };
    draw(&args, color, |game| code(&game.ending, Some(&game.kind)))
}

fn draw(args: &Render, color: Color, code: fn(&Recording) -> ExitCode) -> Result<ExitCode> {
    let mut options = Options::new(&args.search, None)?;
    options.order = args.shortest.order;
    let format = format(args)?;
    refuse_terminal(&args.output, format)?;
    let input = Input::of(&args.board.file);
    output_file::must_differ(&[&args.output], &[input.path()])?;
    let mut one = OneBoard::new(&args.board.file, &options, color);
    one.typed.clone_from(&args.game);
    one.prints_boards = true;
    one.run(|opened| {
        if args.shows_search {
            return draw_search(args, opened);
        }
        let mut plan = opened.plan();
        if let Some(policy) = args.policy {
            plan = Plan {
                policy,
                moves: None,
                chasers: None,
                ..plan
            };
        }
        let recording = match record(opened, &plan)? {
            Ok(recording) => recording,
            Err(code) => return Ok(code),
        };
        // Only the frames of a GIF take long.
        let bar = match &options.progress {
            Some(drawn) if format == FormatName::Gif => {
                Progress::of_states("positions drawn", recording.positions(), drawn)
            }
            _ => Progress::hidden(),
        };
        let written = output_file::write(&args.output, |out| {
            Ok(write(args, format, &recording, &plan.limits, out)?)
        });
        bar.finish();
        match written {
            Ok(()) => Ok(code(&recording)),
            Err(error) => failed(&one, error),
        }
    })
}

fn draw_search(args: &Render, opened: &Opened) -> Result<ExitCode> {
    let one = opened.one;
    let rows = match drawn_rows(opened.puzzle, one.options) {
        Ok(rows) => rows,
        Err(error) => return Ok(one.print_error(&error)),
    };
    let recording = Recording::of_start(subject(opened.ruleset, title(opened)), &rows);
    let written = output_file::write(&args.output, |out| {
        let SearchSlides { about, slides } =
            search_slides::slides(opened)?.ok_or_else(|| no_search(opened))?;
        let limits = opened.plan().limits;
        Ok(recording.draw_slides(about, &slides, &args.style.to_style(), &limits, out)?)
    });
    match written {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error) => failed(one, error),
    }
}

/// Reports why no picture was written.
fn failed(one: &OneBoard, error: Error) -> Result<ExitCode> {
    match error.downcast() {
        Ok(RenderError::Limit(limit)) => undecided(one, limit),
        Ok(RenderError::Io(error)) => Err(error.into()),
        Ok(error) => bail!("{}: {}", one.path(), advice(&error)),
        Err(error) => Err(error),
    }
}

fn title(opened: &Opened) -> String {
    let name = opened.puzzle.name();
    name.map_or_else(|| opened.one.path(), safe)
}

/// Plays and records a game. If a limit is reached, or the header `moves` or `chasers` can't be read, reports that and returns
/// the exit code as the inner error. Other failures, such as an illegal move, are outer errors.
fn record(opened: &Opened, plan: &Plan) -> Result<Result<Recording, ExitCode>> {
    let one = opened.one;
    let mut recorder = Recorder::new(subject(opened.ruleset, title(opened)), &plan.limits);
    let ending = match opened.game.trace(plan, &mut recorder) {
        Ok(Ending::Illegal {
            turn, mv, reason, ..
        }) => bail!("{}: move {turn} (`{mv}`) is illegal: {reason}", one.path()),
        Ok(ending) => ending,
        Err(TraceError::Undecided(limit)) => return undecided(one, limit).map(Err),
        Err(error) => {
            return match recorder.reached() {
                Some(limit) => undecided(one, limit),
                None => refused(error, opened),
            }
            .map(Err);
        }
    };
    Ok(Ok(recorder.finish(ending)))
}

fn format(args: &Render) -> Result<FormatName> {
    let by_ending = || FormatName::of_file(&args.output);
    let Some(format) = args.format.or_else(by_ending) else {
        bail!(
            "{}: unknown format: end the name in .html, .svg, .gif or .png, or add `--format`",
            path_name(&args.output)
        );
    };
    if args.still.chosen().is_some() && !matches!(format, FormatName::Svg | FormatName::Png) {
        let name = name_of(&format);
        bail!("a {name} shows the whole game: `--still` and `--turn` need svg or png");
    }
    if args.shows_search && format != FormatName::Html {
        bail!("`--search` needs html, not {}", name_of(&format));
    }
    if args.style.bare && format == FormatName::Html {
        bail!("a page has no bare form: `--bare` needs svg, gif or png");
    }
    Ok(format)
}

fn write(
    args: &Render,
    format: FormatName,
    recording: &Recording,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), RenderError> {
    let position = args
        .still
        .chosen()
        .map(|turn| position(recording, turn))
        .transpose()?;
    let kind = match (format, position) {
        (FormatName::Html, _) => Picture::Page,
        (FormatName::Svg, None) => Picture::Svg,
        (FormatName::Svg, Some(position)) => Picture::StillSvg(position),
        (FormatName::Gif, _) => Picture::Gif,
        (FormatName::Png, position) => Picture::Png(position.unwrap_or(0)),
    };
    recording.draw(kind, &args.style.to_style(), limits, out)
}

fn position(recording: &Recording, turn: Turn) -> Result<usize, RenderError> {
    let last = recording.last_turn();
    match turn {
        Turn::Last => Ok(recording.plies.len()),
        Turn::Number(asked) => recording
            .position_after(asked)
            .ok_or(RenderError::NoTurn { asked, last }),
    }
}

fn refuse_terminal(output: &Path, format: FormatName) -> Result<()> {
    let is_binary = matches!(format, FormatName::Gif | FormatName::Png);
    if output.as_os_str() == "-" && is_binary && io::stdout().is_terminal() {
        let name = name_of(&format);
        bail!(
            "a {name} can't be shown on a terminal: name a file with `-o`, or redirect it with `|` or `>`"
        );
    }
    Ok(())
}

fn undecided(one: &OneBoard, limit: Limit) -> Result<ExitCode> {
    let path = one.path();
    exit::stopped(&format!(
        "{path}: undecided: {limit}; no picture was written"
    ))
}

fn advice(error: &RenderError) -> String {
    let help = match error {
        RenderError::TooLarge { .. } => "; make the cells smaller with `render --cell`",
        RenderError::TooLong { .. } => {
            "; make the cells smaller with `render --cell`, play fewer turns with `--turns`, or write an svg"
        }
        RenderError::TooManyBoards { .. } => "; name fewer files, or boards as FILE#N",
        RenderError::TooMuchText => "; play fewer turns with `--turns`",
        _ => "",
    };
    format!("{error}{help}")
}
