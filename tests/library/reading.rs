//! Boards do not depend on whether a file is read in one piece, in two parts, or byte by byte.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use getaway_board::fault::{BoardError, Excerpt, FaultKind, Faults, Place};
use getaway_board::limits::Limit;
use getaway_board::puzzle::sheet::GlyphGrid;
use getaway_board::puzzle::stream::{ChunkError, Chunks, MAX_READ, SMALL_CHUNK};
use getaway_board::puzzle::{Format, Puzzle, json};
use getaway_rules::baddies::Baddies;
use getaway_ruleset::Notation;

use crate::boards::{from_json, path};
use crate::pieces::{Found, in_chunks, whole};
use getaway_testing::sized;

struct Parts<'t>(Vec<&'t [u8]>);

impl<'t> Parts<'t> {
    fn two(text: &'t [u8], at: usize) -> Self {
        Self(vec![&text[at..], &text[..at]])
    }

    fn bytes(text: &'t [u8]) -> Self {
        Self(text.chunks(1).rev().collect())
    }
}

impl Read for Parts<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while let Some(part) = self.0.last_mut() {
            let got = part.read(room)?;
            if got > 0 {
                return Ok(got);
            }
            self.0.pop();
        }
        Ok(0)
    }
}

#[track_caller]
fn is_the_same_in_parts(name: &str, text: &[u8]) {
    let expected = whole(text);
    for at in 0..=text.len() {
        let got = in_chunks(Chunks::new(Parts::two(text, at), None));
        assert!(got == expected, "{name} in two parts, the second from {at}");
    }
    let got = in_chunks(Chunks::new(Parts::bytes(text), None));
    assert!(got == expected, "{name} byte by byte");
}

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, all);
        } else {
            all.push(path);
        }
    }
}

#[test]
fn every_file_of_puzzles_may_be_cut_at_every_byte() {
    let mut all = Vec::new();
    files(&path("puzzles"), &mut all);
    assert!(all.len() > 100);
    for path in all {
        let text = fs::read(&path).unwrap();
        let name = path.to_string_lossy();
        let small = &text[..text.len().min(sized(1 << 6, 1 << 13))];
        is_the_same_in_parts(&name, small);
        let crlf = String::from_utf8_lossy(small).replace('\n', "\r\n");
        let got = in_chunks(Chunks::new(Parts::bytes(crlf.as_bytes()), None));
        assert!(got == whole(crlf.as_bytes()), "{name} with CRLF");
    }
}

/// Texts in which the end of a board is unclear, and bytes that are not text.
const ODD: [&[u8]; 19] = [
    b"----\n|H*|\n\n|  |\n----\n\n|o\n\nH*\n",
    b"; ruleset: baddies\n----\n|  |\n\n|H*|\n\n\n|  |\n----\n; x: y\nH*\n",
    b"; ruleset: jimmy\n----\n|H*|\n\n|  |\n----\n\n|P|\n\n|G|\n",
    b"----\r\n|H*|\r\n\r\n|  |\r\n----\r\n\r\nH*\r\n",
    b"----\n|..|\n\n|H*|\n----\n\n----\n\n|H|\n",
    b"|P |\n\n|G |\n\n|Z |\n\n\n\n|E |",
    b"\xEF\xBB\xBF; name: x\no\n\n\xEF\xBB\xBFo\n",
    b"\xEF\xBB\xBF",
    b"\xEF\xBB",
    b"  \n \n\n{\"rows\": [\"o\"]}\n\n{\"rows\": 3}\nx\n{\"rows\": [\"o\"]}",
    b"\xEF\xBB\xBF {\"rows\": [\"o\"]}\n",
    b"o.\n\n.\0o\n\n; name: a\0b\no\n\no\n",
    b"; a remark\n\n; one\n; two: 2\n\no\n; three\n; four\n\n\n; five",
    b"\n\n \n\r\n\r\r\n\no\xFF\n\n;\xFF\n",
    b"```\no\n```\n```text\n\n; name: a\no\n```\n; b\no\n```\n\no\n",
    b"```\n; a remark\n\n\no\n\no\n```\n\n```\n; x\n```\n\n; y\n\no\n",
    b"o\n~~~ x\no\n\n~~~ x\n\no\n~~~\n~~~\no\n~~~\n; z\no\n  ```\no",
    b"~~~\nH*\n~~~\n\n~~~\n; ruleset: baddies\nH*\n~~~\n~~~\n\nH*\n",
    b"```\r\n\r\n; a: b\r\no\r\n```\r\no\r\n\r\n```\r\n",
];

#[test]
fn odd_texts_may_be_cut_at_every_byte() {
    for text in ODD {
        is_the_same_in_parts(&format!("{:?}", String::from_utf8_lossy(text)), text);
    }
}

#[test]
fn a_board_that_is_too_large_counts_as_one_and_costs_no_other() {
    let large = ".\n".repeat(30);
    for (text, expected) in [
        (format!("o\n\n{large}\nog\n\ng\n"), "o L og g"),
        (format!("{large}; name: x\nog\n\ng\n"), "L og g"),
        (".\n".repeat(20), "."),
        (format!("{}; name: x\no\n", ".\n".repeat(20)), ". o"),
        (format!("{}; name: x\no\n", ".\n".repeat(21)), "L o"),
        (format!("o\n; name: x\n{large}"), "o L"),
        (
            format!("---\n|H|\n\n{}\n|o|\n\ng\n", "|.|\n".repeat(20)),
            "L g",
        ),
        (format!("{}\n\no\n", ".".repeat(60)), "L o"),
        (format!("{};\n; x: y\no\n", "\n".repeat(60)), "o"),
        (
            format!(
                "{{\"rows\": [\"o\"]}}\n{{{}}}\n{{\"rows\": [\"g\"]}}",
                " ".repeat(60)
            ),
            "o L g",
        ),
    ] {
        let told = |inputs: Parts| {
            let all = in_chunks(Chunks::new(inputs, None).with_max_board(40));
            let word = |board: &Found| match board {
                Ok(board) => String::from_utf8_lossy(&board.rows[0].0).into_owned(),
                Err(error) => {
                    assert_eq!(error.first().kind, FaultKind::BoardTooLarge(40), "{text:?}");
                    "L".into()
                }
            };
            let lines: Vec<_> = all
                .iter()
                .map(|board| match board {
                    Ok(board) => board.rows[0].1,
                    Err(error) => error.first().place.line,
                })
                .collect();
            (all.iter().map(word).collect::<Vec<_>>().join(" "), lines)
        };
        let first = told(Parts::two(text.as_bytes(), 0));
        assert_eq!(first.0, expected, "{text:?}");
        for at in 0..=text.len() {
            assert_eq!(
                told(Parts::two(text.as_bytes(), at)),
                first,
                "{text:?} {at}"
            );
        }
        assert_eq!(told(Parts::bytes(text.as_bytes())), first, "{text:?}");
    }
}

#[test]
fn a_dialogue_gets_each_board_as_soon_as_it_has_ended() {
    /// An input that fails if more of it is read than necessary.
    struct Silence;
    impl Read for Silence {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("nobody speaks any more"))
        }
    }
    for text in [
        "o\n\n",
        "|P |\n\n",
        "----\n|H*|\n----\n\n",
        "----\r\n|H*|\r\n----\r\n\r\n",
        "|P |\n\n|G |\n\n",
        "; ruleset: jimmy\n---\n|o|\n\n",
    ] {
        let mut chunks = Chunks::new(text.as_bytes().chain(Silence), None);
        let mut seen = Vec::new();
        while seen.len() < text.len() {
            seen.extend_from_slice(chunks.read().unwrap().unwrap().text());
        }
        assert_eq!(seen, text.as_bytes());
    }
}

fn refused(text: &str) -> BoardError {
    match whole(text.as_bytes()).pop() {
        Some(Err(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_the_first_faults_are_kept_and_the_rest_counted() {
    let names = refused(&format!("{}o\n", "; name: a\n".repeat(5000)));
    assert_eq!((names.faults.len(), names.more), (Faults::MAX, 3999));
    let columns = |error: &BoardError, at: usize| error.faults[at].place.line;
    assert_eq!((columns(&names, 0), columns(&names, 999)), (2, 1001));

    let fields = refused(&format!(
        "{{{} \"rows\": [\"o\"]}}",
        "\"name\": 1, ".repeat(3000)
    ));
    assert_eq!((fields.faults.len(), fields.more), (Faults::MAX, 1999));
    assert_eq!(fields.faults[1].place.column, 2 + 2 * 11 + 8);

    let rows = refused(&format!("{{\"rows\": [{}\"o\"]}}", "1, ".repeat(3000)));
    assert_eq!((rows.faults.len(), rows.more), (Faults::MAX, 2000));
    assert_eq!(rows.faults[999].place.column, 11 + 3 * 999);
    assert!(rows.to_string().ends_with("(and 2999 more)"), "{rows}");
}

#[test]
fn a_board_has_not_too_many_headers() {
    let max = Puzzle::MAX_HEADERS;
    let text = |headers: usize| format!("{}o\n", ";\n".repeat(headers));
    assert!(whole(text(max).as_bytes())[0].is_ok());
    let error = refused(&text(max + 7));
    assert_eq!(error.first().kind, FaultKind::TooManyHeaders(max));
    assert_eq!(
        (error.faults.len(), error.first().place.line),
        (1, max as u64 + 1)
    );
    let remarks = format!("{}\no\n", ";\n".repeat(max + 7));
    assert!(
        whole(remarks.as_bytes())[0].is_ok(),
        "remarks are no headers"
    );

    let json = |fields: usize| format!("{{{} \"rows\": [\"o\"]}}", "\"x\": 1, ".repeat(fields));
    assert!(whole(json(max).as_bytes())[0].is_ok());
    let error = refused(&json(2 * max));
    assert!(
        error
            .faults
            .iter()
            .any(|fault| fault.kind == FaultKind::TooManyHeaders(max)),
        "{error}"
    );
}

#[cfg(feature = "exhaustive")]
#[test]
fn a_board_has_not_too_many_rows() {
    let rows = refused(&"o\n".repeat(Puzzle::MAX_ROWS + 2));
    assert_eq!(rows.first().kind, FaultKind::TooManyRows(Puzzle::MAX_ROWS));
    assert_eq!(rows.first().place.line, Puzzle::MAX_ROWS as u64 + 1);
}

#[test]
fn a_zero_byte_spoils_its_board_alone() {
    for padding in ["", &"o\n\n".repeat(sized(60_000, 200_000))] {
        let text = format!("{padding}o\n\n.\0\n\n; x\0y\no\n\no\n");
        let all = in_chunks(Chunks::new(text.as_bytes(), None));
        assert_eq!(all, whole(text.as_bytes()));
        let bad: Vec<_> = all
            .iter()
            .filter_map(|board| board.as_ref().err())
            .collect();
        let from = padding.lines().count() as u64;
        let places: Vec<_> = bad
            .iter()
            .map(|error| {
                assert_eq!(error.faults.len(), 1);
                assert_eq!(error.first().kind, FaultKind::Binary);
                (error.first().place.line - from, error.first().place.column)
            })
            .collect();
        assert_eq!(places, [(3, 2), (5, 4)]);
        assert_eq!(all.len(), bad.len() + 2 + padding.len() / 3);
    }
}

#[test]
fn the_column_of_a_zero_byte_counts_characters_of_its_own_line() {
    let error = refused("; name: \u{e9}\n; note: \u{e9}\0\n###\n#o.\n");
    assert_eq!(error.first().kind, FaultKind::Binary);
    assert_eq!(error.first().place, Place::at(2, 10));
}

#[test]
fn invalid_utf8_in_json_has_a_column() {
    let line = b"{\"id\": \"\xc3\xa9\", \"rows\": [\"\xff\"]}";
    let mut puzzle = Puzzle::empty();
    let error = json::read_line(line, 7, &mut puzzle).unwrap_err();
    assert_eq!(error.first().kind, FaultKind::NotUtf8);
    assert_eq!(error.first().place, Place::at(7, 23));
}

#[test]
fn json_has_its_rows_and_its_name_once() {
    let rows = r#"{"rows": ["o"], "rows": ["o"], "id": 1, "id": 2}"#;
    let kinds: Vec<_> = refused(rows)
        .faults
        .iter()
        .map(|fault| (fault.place.column, fault.kind.clone()))
        .collect();
    let second = |key: &str| FaultKind::DuplicateHeader(key.into());
    assert_eq!(kinds, [(25, second("rows")), (47, second("id"))]);
}

#[test]
fn a_null_is_no_header() {
    let board = from_json(r#"{"rows": ["o"], "name": null, "expect": "escape"}"#);
    assert!(board.header("name").is_none());
    assert_eq!(board.header("expect").unwrap().value, "escape");
}

/// The line has 5 invalid characters of one byte, 10 of two bytes, and a truncated one.
#[test]
fn invalid_utf8_counts_as_shown_in_a_long_line() {
    let line = [
        &[0xff; 5],
        "\u{e9}".repeat(10).as_bytes(),
        &[0xe2, 0x82],
        &[b'x'; 2000],
    ]
    .concat();
    for (column, start) in [
        (1010, "\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{fffd}xx"),
        (1004, "\u{fffd}\u{fffd}\u{e9}"),
        (1016, "\u{fffd}xx"),
        (1017, "xxx"),
    ] {
        let excerpt = Excerpt::around(&line, column);
        assert_eq!(excerpt.column, column - 1000);
        assert!(excerpt.text.starts_with(start), "{}", excerpt.text);
        assert_eq!(excerpt.text.chars().count(), 1100);
    }
}

struct Interrupted<R>(R, bool);

impl<R: Read> Read for Interrupted<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        self.0.read(room)
    }
}

#[test]
fn an_input_that_is_interrupted_is_read_on() {
    for text in ODD {
        let got = in_chunks(Chunks::new(Interrupted(Parts::bytes(text), false), None));
        assert!(got == whole(text), "{:?}", String::from_utf8_lossy(text));
    }
}

fn wrong_places(board: &str) -> Vec<(u64, u64)> {
    let error = board.parse::<getaway::Board>().unwrap_err();
    let place = |fault: &getaway_board::fault::Fault| (fault.place.line, fault.place.column);
    error.faults.iter().map(place).collect()
}

#[test]
fn columns_are_characters_whichever_fault_is_noted_first() {
    let board = "; ruleset: jimmy\n....\n\u{e9}o.o\n";
    assert_eq!(wrong_places(board), [(3, 1), (3, 4)]);
    // In a JSON line, rows are checked last.
    let line = "{\"\u{e9}\": \"\", \"rows\": [\"o\", 3], \"name\": {}}";
    let column = |what: &str| {
        let at = line.find(what).unwrap();
        line[..at].chars().count() as u64 + 1
    };
    let mut columns: Vec<_> = refused(line)
        .faults
        .iter()
        .map(|it| it.place.column)
        .collect();
    columns.sort_unstable();
    assert_eq!(columns, [column("3]"), column("{}")]);
}

#[test]
fn rows_that_leave_their_frame_are_errors() {
    assert_eq!(
        wrong_places("----\n|H*|\n....\n|..\n..|\n----\n"),
        [(3, 1), (4, 1), (5, 1)]
    );
    assert_eq!(wrong_places("; ruleset: baddies\n-\n|\n-\n"), [(3, 1)]);
    assert_eq!(wrong_places("----\n|H*|\n|..|\n"), [(3, 1)]);
}

#[test]
fn only_a_frame_with_a_first_line_is_a_frame() {
    let told = |board: &str| board.parse::<getaway::Board>().unwrap_err().to_string();
    let without = told("|H.*\n");
    assert!(without.contains("no ruleset"), "{without}");
    let hero = told("----\n|.*|\n----\n");
    assert!(!hero.contains("hero"), "{hero}");
}

#[test]
fn rows_without_a_cell_are_no_board() {
    let error = refused("{\"rows\": []}");
    assert_eq!(error.first().kind, FaultKind::NoRows);
    let puzzle = from_json("{\"ruleset\": \"jimmy\", \"rows\": [\"\", \"\"]}");
    let error = getaway_rules::jimmy::Jimmy::read(&puzzle).unwrap_err();
    assert_eq!(error.first().kind, FaultKind::NoRows);
}

#[test]
fn a_line_that_is_no_object_names_the_expected_form() {
    let told = refused("{\"rows\": [\"o\"]}\n[1]\n").to_string();
    assert!(told.contains("expected an object"), "{told}");
}

#[test]
fn unknown_glyphs_are_found_for_all_bytes() {
    // Some of these glyphs differ by multiples of 64.
    for (row, columns) in [
        ("!ao", vec![1, 2]),
        ("\u{c3}o", vec![1]),
        ("oCi\u{e9}", vec![2, 3, 4]),
    ] {
        let places = wrong_places(&format!("; ruleset: jimmy\n{row}\n"));
        let expected: Vec<_> = columns.into_iter().map(|column| (2, column)).collect();
        assert_eq!(places, expected, "{row}");
    }
}

fn heights(text: &str) -> Vec<usize> {
    let boards = whole(text.as_bytes()).into_iter();
    boards.map(|board| board.unwrap().rows.len()).collect()
}

#[test]
fn an_empty_row_is_a_part_of_a_frame_of_baddies_alone() {
    // The ruleset follows from the header or, if there is none, from the glyphs in the frame.
    let framed = "----\n|H*|\n\n|  |\n----\n\n|o\n\nH*\n";
    assert_eq!(heights(framed), [5, 1, 1]);
    assert_eq!(heights(&format!("; name: x\n{framed}")), [5, 1, 1]);
    assert_eq!(
        heights(&format!("; ruleset: jimmy\n{framed}")),
        [2, 2, 1, 1]
    );
    let plain = "----\n|  |\n\n|  |\n----\n";
    assert_eq!(heights(plain), [2, 2]);
    assert_eq!(heights(&format!("; ruleset: baddies\n{plain}")), [5]);
    assert_eq!(heights(&format!("; name: baddies\n{plain}")), [2, 2]);
    assert_eq!(heights("----\n|H*|\n\n----\n"), [2, 1]);
    assert_eq!(heights("----\n|H*|\n\n\n|  |\n----\n"), [2, 2]);
}

#[test]
fn the_size_limit_of_boards_applies_before_the_memory_limit() {
    let max = getaway_board::puzzle::stream::MAX_READ + 5;
    let text = ".\n".repeat(max);
    let chunks = |memory: usize| {
        let chunks = Chunks::new(text.as_bytes(), None).with_max_board(max);
        chunks.with_max_memory(Some(memory as u64))
    };
    for (memory, kind) in [
        (max + 1, FaultKind::BoardTooLarge(max)),
        (max, FaultKind::BoardTooLarge(max)),
        (max - 1, FaultKind::Limit(Limit::Memory)),
    ] {
        let found = in_chunks(chunks(memory));
        assert_eq!(found[0].as_ref().unwrap_err().first().kind, kind);
    }
}

#[test]
fn glyphs_are_counted() {
    let puzzle = from_json("{\"rows\": [\"H mm\", \"~M*m\"]}");
    let sheet = GlyphGrid::read(&puzzle, &Baddies::LEGEND).unwrap();
    assert_eq!((sheet.count(b"mM~"), sheet.count(b"#")), (5, 0));
}

/// With few boards in each chunk, the rest of the text would be copied again and again.
#[test]
fn little_memory_does_not_part_small_boards() {
    let large = format!("{}\n\n", "#".repeat(3 * MAX_READ));
    for (board, format) in [
        ("\n", None),
        ("\r\n", None),
        ("\n", Some(Format::Text)),
        ("o\n\n", None),
        (" \n\n", None),
        ("; remark\n\n", None),
        ("{\"rows\":[\"o\"]}\n", None),
    ] {
        let text = board.repeat(4 * MAX_READ / board.len());
        let middle = format.map_or("", |_| &large);
        let text = [&text, middle, &text].concat();
        let mut chunks = Chunks::new(text.as_bytes(), format).with_max_memory(Some(0));
        let mut count = 0;
        loop {
            match chunks.read() {
                Ok(None) => break,
                Ok(Some(_)) | Err(ChunkError::Board(_)) => count += 1,
                Err(ChunkError::Io(error)) => panic!("{error}"),
            }
        }
        assert!(
            count <= 2 * text.len() / SMALL_CHUNK,
            "{board:?}: {count} chunks"
        );
    }
}
