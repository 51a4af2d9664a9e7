//! The text of an edited board, in which only the rows are new or a header is added, and names for new files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use getaway_board::puzzle::{Format, Puzzle};
use serde_json::value::RawValue;

use super::shelf::BoardText;
use crate::cli::compression::plain_name;
use crate::cli::tables::TableFormat;

/// Returns an unused file name in the current folder, such as `board-moves-2.txt`, or `board-3-moves.txt` for board 3 of several.
pub fn free_name(path: &Path, number: Option<usize>) -> PathBuf {
    let plain = plain_name(path);
    let stem = match plain.file_stem() {
        Some(stem) if stem != "-" => stem.to_string_lossy().into_owned(),
        _ => "board".into(),
    };
    let ending = match TableFormat::named(path) {
        Some(_) => "jsonl".into(),
        None => plain
            .extension()
            .map_or("txt".into(), |ending| ending.to_string_lossy()),
    };
    let number = number.map_or(String::new(), |number| format!("-{number}"));
    let name = |again: u32| match again {
        1 => format!("{stem}{number}-moves.{ending}"),
        _ => format!("{stem}{number}-moves-{again}.{ending}"),
    };
    let mut paths = (1..).map(|again| PathBuf::from(name(again)));
    let is_free = |path: &PathBuf| path.symlink_metadata().is_err();
    paths.find(is_free).expect("some name is free")
}

pub fn rows(board: BoardText, puzzle: &Puzzle) -> Result<Vec<String>, String> {
    if board.format == Format::JsonLines {
        fields(board.text)?;
    }
    if puzzle.header("things").is_some() {
        let why = "it has `things` on top of its tiles, which can't be drawn; edit the file in a text editor";
        return Err(why.to_owned());
    }
    let read = |row: &getaway_board::puzzle::Row| {
        let text = std::str::from_utf8(&row.text).map_err(|_| "its rows are not UTF-8")?;
        if board.format == Format::JsonLines && text.starts_with('[') {
            return Err("its rows are arrays of numbers, which can't be drawn".to_owned());
        }
        Ok(text.to_owned())
    };
    puzzle.rows.iter().map(read).collect()
}

pub fn with_rows<'r>(
    board: BoardText,
    puzzle: &Puzzle,
    rows: &'r [String],
) -> Result<Vec<u8>, String> {
    match board.format {
        Format::Text => {
            let end = line_end(board);
            let first = puzzle.rows.first().map(|row| row.line - board.line);
            let lines = board.text.split_inclusive(|&byte| byte == b'\n');
            let first = first.map_or(usize::MAX, |line| line as usize);
            let mut text = lines.take(first).collect::<Vec<_>>().concat();
            if !text.is_empty() && !text.ends_with(b"\n") {
                text.extend_from_slice(end.as_bytes());
            }
            // An empty row would end the board, so it gets a space.
            let row = |row: &'r String| if row.is_empty() { " " } else { row };
            let rows: Vec<_> = rows.iter().map(row).collect();
            text.extend_from_slice(rows.join(end).as_bytes());
            Ok(text)
        }
        Format::JsonLines => {
            let rows: Vec<_> = rows.iter().map(|row| quoted(row)).collect();
            let rows = format!("[{}]", rows.join(", "));
            let fields = fields(board.text)?;
            let own = fields.iter().find(|(key, _)| key.to_lowercase() == "rows");
            let (range, rows) = if let Some((_, value)) = own {
                // The value is borrowed from the text, so its address shows where it begins there.
                let start = value.get().as_ptr().addr() - board.text.as_ptr().addr();
                (start..start + value.get().len(), rows)
            } else {
                let comma = if fields.is_empty() { "" } else { ", " };
                let end = board.text.trim_ascii_end().len() - 1;
                (end..end, format!("{comma}\"rows\": {rows}"))
            };
            let (before, after) = (&board.text[..range.start], &board.text[range.end..]);
            Ok([before, rows.as_bytes(), after].concat())
        }
    }
}

fn line_end(board: BoardText) -> &'static str {
    let first_line = board.text.split_inclusive(|&byte| byte == b'\n').next();
    let is_crlf = first_line.is_some_and(|line| line.ends_with(b"\r\n"));
    if is_crlf { "\r\n" } else { "\n" }
}

/// Returns a board's text with another header, given as `key: value`, above it or, in JSON, as its first field.
pub fn with_header(board: BoardText, header: &str) -> Vec<u8> {
    match (board.format, header.split_once(": ")) {
        (Format::JsonLines, Some((key, value))) => {
            let start = board.text.trim_ascii_start().get(1..).unwrap_or_default();
            let field = format!("{{{}: {}, ", quoted(key), quoted(value));
            [field.as_bytes(), start].concat()
        }
        _ => [
            format!("; {header}{}", line_end(board)).as_bytes(),
            board.text,
        ]
        .concat(),
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string can always be written as JSON")
}

fn fields(line: &[u8]) -> Result<HashMap<String, &RawValue>, String> {
    serde_json::from_slice(line).map_err(|error| error.to_string())
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
