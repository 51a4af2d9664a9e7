//! The same bytes are the same boards, however they come: in one piece, in two parts, or byte by byte.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use getaway::fault::{BoardError, FaultKind, Faults};
use getaway::puzzle::Puzzle;
use getaway::puzzle::stream::Chunks;

use crate::boards::path;
use crate::pieces::{Found, in_chunks, whole};
use crate::sized;

/// Gives out its parts one by one.
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

/// Texts whose boards end in places that are hard to see, or hold what is no text.
const ODD: [&[u8]; 14] = [
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
                Ok((_, rows, _)) => String::from_utf8_lossy(&rows[0].0).into_owned(),
                Err(error) => {
                    assert_eq!(error.first().kind, FaultKind::LargeBoard(40), "{text:?}");
                    "L".into()
                }
            };
            let lines: Vec<_> = all
                .iter()
                .map(|board| match board {
                    Ok((_, rows, _)) => rows[0].1,
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
    /// Ends with an error that shows that more was asked for than was needed.
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
            seen.extend(chunks.read().unwrap().unwrap().text);
        }
        assert_eq!(seen, text.as_bytes());
    }
}

/// The faults of the only board of a text that is none.
fn refused(text: &str) -> BoardError {
    match whole(text.as_bytes()).pop() {
        Some(Err(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn of_very_many_faults_the_first_are_kept_and_the_others_counted() {
    let names = refused(&format!("{}o\n", "; name: a\n".repeat(5000)));
    assert_eq!((names.faults.len(), names.more), (Faults::MOST, 3999));
    let columns = |error: &BoardError, at: usize| error.faults[at].place.line;
    assert_eq!((columns(&names, 0), columns(&names, 999)), (2, 1001));

    let fields = refused(&format!(
        "{{{} \"rows\": [\"o\"]}}",
        "\"name\": 1, ".repeat(3000)
    ));
    assert_eq!((fields.faults.len(), fields.more), (Faults::MOST, 1999));
    assert_eq!(fields.faults[1].place.column, 2 + 2 * 11 + 8);

    let rows = refused(&format!("{{\"rows\": [{}\"o\"]}}", "1, ".repeat(3000)));
    assert_eq!((rows.faults.len(), rows.more), (Faults::MOST, 2000));
    assert_eq!(rows.faults[999].place.column, 11 + 3 * 999);
    assert!(rows.to_string().ends_with("(and 2999 more)"), "{rows}");
}

#[test]
fn a_board_has_not_too_many_headers() {
    let most = Puzzle::MAX_HEADERS;
    let text = |headers: usize| format!("{}o\n", ";\n".repeat(headers));
    assert!(whole(text(most).as_bytes())[0].is_ok());
    let error = refused(&text(most + 7));
    assert_eq!(error.first().kind, FaultKind::ManyHeaders(most));
    assert_eq!(
        (error.faults.len(), error.first().place.line),
        (1, most as u64 + 1)
    );
    let remarks = format!("{}\no\n", ";\n".repeat(most + 7));
    assert!(
        whole(remarks.as_bytes())[0].is_ok(),
        "remarks are no headers"
    );

    let json = |fields: usize| format!("{{{} \"rows\": [\"o\"]}}", "\"x\": 1, ".repeat(fields));
    assert!(whole(json(most).as_bytes())[0].is_ok());
    let error = refused(&json(2 * most));
    assert!(
        error
            .faults
            .iter()
            .any(|fault| fault.kind == FaultKind::ManyHeaders(most)),
        "{error}"
    );
}

/// Sixteen million rows take a while.
#[cfg(feature = "exhaustive")]
#[test]
fn a_board_has_not_too_many_rows() {
    let rows = refused(&"o\n".repeat(Puzzle::MAX_ROWS + 2));
    assert_eq!(rows.first().kind, FaultKind::ManyRows(Puzzle::MAX_ROWS));
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
