//! Converts boards. Text and JSON are read back to check that they hold the same board.

use std::borrow::Cow;
use std::collections::BTreeSet;

use getaway_board::fault::{BoardError, FaultKind};
use getaway_board::puzzle::{Origin, Puzzle, Row, json, sheet, text};
use getaway_rules::maze::{self, Id, Map, Maze, Tile, TileKind, WALL_LETTERS};
use getaway_ruleset::Notation;
use getaway_solvers::game::{CertifyError, ModelError};
use getaway_solvers::rulesets::{Entry, is_setting};

use clap::ValueEnum;
use serde_json::Value;

use super::options::{Options, Share};
use super::tables::{ColumnType, Columns, TableFormat};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FileFormat {
    /// Drawings, or lists for a maze, with header lines.
    Text,
    /// Text with mazes drawn instead of listed, and without frames.
    Drawings,
    /// A JSON object per line.
    Jsonl,
    /// Mazes as lists of integers.
    Lists,
    /// Framed boards of `baddies`.
    Frames,
    /// JSON levels of the Snarl course project (read-only).
    Snarl,
    /// A page to play the boards in a browser (write-only; see `--template`).
    Page,
    /// An Apache Parquet table.
    Parquet,
    /// An Arrow IPC file.
    Arrow,
    /// A Markov decision process in Storm's explicit format (write-only, one board).
    Drn,
}

impl FileFormat {
    pub const fn table(self) -> Option<TableFormat> {
        match self {
            Self::Parquet => Some(TableFormat::Parquet),
            Self::Arrow => Some(TableFormat::Arrow),
            _ => None,
        }
    }
}

/// Returns the board in a format, or as JSON for pages and tables. Fails if the format can't represent the board, or if a limit
/// is reached.
pub fn converted(
    puzzle: &mut Puzzle,
    format: FileFormat,
    options: &Options,
) -> Result<Vec<u8>, BoardError> {
    match format {
        FileFormat::Jsonl | FileFormat::Page | FileFormat::Parquet | FileFormat::Arrow => {
            return as_json(puzzle);
        }
        FileFormat::Drn => return as_model(puzzle, options),
        FileFormat::Drawings => drawn(puzzle, options)?,
        FileFormat::Lists => in_lists(puzzle, options)?,
        FileFormat::Frames => in_a_frame(puzzle, options)?,
        FileFormat::Text | FileFormat::Snarl => {}
    }
    as_text(puzzle)
}

fn as_model(puzzle: &Puzzle, options: &Options) -> Result<Vec<u8>, BoardError> {
    let (_, game) = options.read(puzzle)?;
    let mut model = Vec::new();
    match game.write_model(&options.limits(Share::All), &mut model) {
        Ok(()) => Ok(model),
        Err(ModelError::Graph(CertifyError::Limit(limit))) => {
            Err(puzzle.fault(puzzle.place(), FaultKind::Limit(limit)).into())
        }
        Err(why) => {
            let message = format!("no Markov decision process was written: {why}");
            let help = match why {
                ModelError::TooManyStates(_) => {
                    "use a smaller board; `solve` needs no list of states"
                }
                _ => "`solve` needs no list of states",
            };
            Err(unwritable(puzzle, &message, help))
        }
    }
}

pub fn second_board(puzzle: &Puzzle) -> BoardError {
    let message = "a second board: a file describes only one Markov decision process";
    unwritable(puzzle, message, "write each board to a file of its own")
}

/// Converts a board with `headers` in place of its own `expect`, `moves` and `chasers`, and with a header that names its ruleset.
/// Headers with an empty value are left out.
pub fn with_game(
    ruleset: &Entry,
    puzzle: &Puzzle,
    headers: &[(&str, &str)],
    format: FileFormat,
    options: &Options,
) -> Result<Vec<u8>, BoardError> {
    let mut puzzle = puzzle.clone();
    let is_answer = |key: &str| ["expect", "moves", "chasers"].contains(&key);
    puzzle.headers.retain(|header| !is_answer(&header.key));
    let ruleset = ("ruleset", ruleset.name);
    for (key, value) in [ruleset].iter().chain(headers) {
        if !value.is_empty() {
            puzzle.set_header(key, value, Origin::Override);
        }
    }
    converted(&mut puzzle, format, options)
}

fn as_text(puzzle: &mut Puzzle) -> Result<Vec<u8>, BoardError> {
    if let Some(id) = puzzle.id {
        puzzle.set_header("id", id, Origin::Override);
    }
    let mut text = Vec::new();
    puzzle
        .write_text(&mut text)
        .expect("memory can be written to");
    let mut again = Puzzle::empty();
    let mut boards = text::Boards::new(&text, 1);
    let is_read = boards.read(&mut again).unwrap_or(false);
    let is_all = matches!(boards.read(&mut Puzzle::empty()), Ok(false));
    if is_read && is_all && contents(&again) == contents(puzzle) {
        return Ok(text);
    }
    if let Some(header) = puzzle
        .headers
        .iter()
        .find(|header| !is_one_line(&header.value))
    {
        let message = format!("the value of `{}` can't be written as text", header.key);
        let help = "remove the spaces around it and its line ends";
        let kind = FaultKind::other(&message, help);
        return Err(puzzle.fault(header.place, kind).into());
    }
    Err(unwritable(
        puzzle,
        "this board can't be drawn as text",
        "a row must not begin with `;`, a key must not have `:`, and neither may have line ends",
    ))
}

/// Returns whether a header with this value can be written on a line of its own.
fn is_one_line(value: &str) -> bool {
    value == value.trim() && !value.contains(['\n', '\r'])
}

fn as_json(puzzle: &mut Puzzle) -> Result<Vec<u8>, BoardError> {
    for header in &mut puzzle.headers {
        if is_setting(&header.key)
            && let Some(flag) = Puzzle::parse_flag(&header.value)
        {
            header.value = flag.to_string().into();
        }
    }
    let mut line = puzzle.to_json(is_setting).into_bytes();
    let mut again = Puzzle::empty();
    let is_read = json::read_line(&line, 1, &mut again).unwrap_or(false);
    if is_read && contents(&again) == contents(puzzle) {
        line.push(b'\n');
        return Ok(line);
    }
    Err(unwritable(
        puzzle,
        "this board can't be written as JSON",
        "it must be UTF-8, without a key `rows` or a second `id`",
    ))
}

/// A board's id, its other headers except remarks, and its rows.
type Contents<'p> = (Option<Cow<'p, str>>, Vec<(&'p str, &'p str)>, Vec<&'p [u8]>);

fn contents<'p>(puzzle: &'p Puzzle) -> Contents<'p> {
    let headers = puzzle
        .headers
        .iter()
        .filter(|header| !header.key.is_empty() && header.key != "id")
        .map(|header| (&*header.key, &*header.value));
    let rows = puzzle.rows.iter().map(Row::drawn);
    (puzzle.id_json(), headers.collect(), rows.collect())
}

fn in_lists(puzzle: &mut Puzzle, options: &Options) -> Result<(), BoardError> {
    must_be(puzzle, options, "maze", "lists of integers")?;
    let maze = Maze::read(puzzle)?;
    if !maze::is_listed(puzzle) {
        let list = |row: &[Tile]| {
            let numbers: Vec<_> = row.iter().map(|tile| tile.number().to_string()).collect();
            format!("[{}]", numbers.join(", ")).into_bytes()
        };
        put_rows(puzzle, maze.map().rows().map(list));
    }
    Ok(())
}

fn drawn(puzzle: &mut Puzzle, options: &Options) -> Result<(), BoardError> {
    match options.ruleset(puzzle)?.name {
        "maze" if maze::is_listed(puzzle) => draw_maze(puzzle),
        "baddies" => {
            puzzle.rows = sheet::unframed(puzzle).into_owned();
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Returns the rows of a drawing of the board.
pub fn drawn_rows(puzzle: &Puzzle, options: &Options) -> Result<Vec<String>, BoardError> {
    let mut own = puzzle.clone();
    drawn(&mut own, options)?;
    let text = |row: &Row| String::from_utf8_lossy(&row.text).into_owned();
    Ok(own.rows.iter().map(text).collect())
}

/// Replaces the lists of a maze with a drawing, and the expected answer in their first line with the header `expect`, unless the
/// board has one. Sets the header `ruleset`, and removes the header `runner`, since the drawing shows the runner. Fails if there
/// are more walls than letters.
fn draw_maze(puzzle: &mut Puzzle) -> Result<(), BoardError> {
    let maze = Maze::read(puzzle)?;
    let Some(rows) = drawing(maze.map(), maze.runner()) else {
        let message = "this maze has more walls than there are letters";
        let help = format!("at most {} can be drawn", WALL_LETTERS.len());
        return Err(unwritable(puzzle, message, &help));
    };
    puzzle.set_header("ruleset", "maze", Origin::Override);
    if let Some(answer) = maze.expected() {
        puzzle.set_header("expect", &answer.to_string(), Origin::Default);
    }
    puzzle.headers.retain(|header| header.key != "runner");
    put_rows(puzzle, rows);
    Ok(())
}

fn in_a_frame(puzzle: &mut Puzzle, options: &Options) -> Result<(), BoardError> {
    must_be(puzzle, options, "baddies", "a frame")?;
    options.read(puzzle)?;
    let rows = sheet::unframed(puzzle);
    if rows.len() < puzzle.rows.len() {
        return Ok(());
    }
    let width = rows.iter().map(|row| row.text.len()).max().unwrap_or(0);
    let bar = b"-".repeat(width + 2);
    let framed = rows.iter().map(|row| {
        let space = b" ".repeat(width - row.text.len());
        [b"|", &*row.text, &space, b"|"].concat()
    });
    let framed: Vec<_> = framed.collect();
    put_rows(puzzle, [bar.clone()].into_iter().chain(framed).chain([bar]));
    Ok(())
}

fn put_rows(puzzle: &mut Puzzle, rows: impl IntoIterator<Item = Vec<u8>>) {
    let line = puzzle.place().line;
    puzzle.rows = rows.into_iter().map(|text| Row::new(text, line)).collect();
}

fn must_be(
    puzzle: &Puzzle,
    options: &Options,
    ruleset: &str,
    what: &str,
) -> Result<(), BoardError> {
    let own = options.ruleset(puzzle)?.name;
    if own == ruleset {
        return Ok(());
    }
    let message = format!("a board of `{own}` can't be written as {what}");
    let help = format!("only one of `{ruleset}` can");
    Err(unwritable(puzzle, &message, &help))
}

fn unwritable(puzzle: &Puzzle, message: &str, help: &str) -> BoardError {
    let kind = FaultKind::other(message, help);
    puzzle.fault(puzzle.place(), kind).into()
}

#[derive(Debug, Default)]
pub struct BoardColumns {
    keys: Vec<String>,
    ids: Option<ColumnType>,
}

impl BoardColumns {
    const MAX: usize = 1000;

    /// Adds the headers of a board, and the type of its id. Fails if a header is repeated or there are too many different ones.
    pub fn add(&mut self, puzzle: &Puzzle) -> Result<(), BoardError> {
        let (id, headers, _) = contents(puzzle);
        let kind = id.map(|id| match serde_json::from_str(&id) {
            Ok(Value::String(_)) => ColumnType::Text,
            Ok(Value::Number(number)) if number.is_i64() => ColumnType::Count,
            _ => ColumnType::Json,
        });
        self.ids = match (self.ids, kind) {
            (Some(known), Some(kind)) if known != kind => Some(ColumnType::Json),
            (known, kind) => known.or(kind),
        };
        for (number, (key, _)) in headers.iter().enumerate() {
            if headers[..number].iter().any(|(other, _)| other == key) {
                let message = format!("a second header `{}`", key.escape_debug());
                let help = "a table row holds only one: keep one";
                return Err(unwritable(puzzle, &message, help));
            }
            if !self.keys.iter().any(|known| known == key) {
                if self.keys.len() == Self::MAX {
                    let message = "there are too many different headers for a table";
                    return Err(unwritable(puzzle, message, "write JSON Lines"));
                }
                self.keys.push((*key).to_owned());
            }
        }
        Ok(())
    }

    pub fn columns(&self) -> Columns {
        let id = self.ids.map(|kind| ("id".to_owned(), kind));
        let headers = self.keys.iter().map(|key| {
            let kind = match key.as_str() {
                "things" => ColumnType::Json,
                _ => ColumnType::Text,
            };
            (key.clone(), kind)
        });
        let rows = ("rows".to_owned(), ColumnType::Texts);
        id.into_iter().chain(headers).chain([rows]).collect()
    }
}

/// Draws a maze, with letters for walls in the order of their ids; returns `None` if there are too few letters.
fn drawing(map: &Map, runner: Id) -> Option<Vec<Vec<u8>>> {
    let owner = |(_, tile): (_, Tile)| match tile.kind() {
        TileKind::Head(id) | TileKind::Body(id) if id != runner => Some(id),
        _ => None,
    };
    let walls = Vec::from_iter(map.cells().filter_map(owner).collect::<BTreeSet<_>>());
    if walls.len() > WALL_LETTERS.len() {
        return None;
    }
    let letter = |id| match walls.binary_search(&id) {
        Ok(wall) => WALL_LETTERS[wall],
        Err(_) => b'R',
    };
    let glyph = |tile: &Tile| match tile.kind() {
        TileKind::Blank => b'.',
        TileKind::Food => b'*',
        TileKind::Head(id) => letter(id),
        TileKind::Body(id) => letter(id).to_ascii_lowercase(),
    };
    let rows = map.rows().map(|row| row.iter().map(glyph).collect());
    Some(rows.collect())
}
