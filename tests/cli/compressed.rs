//! Compressed files and pipes.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::run::Run;
use crate::sized;

const BOARDS: &str = "; name: out\no\n\n; name: in\n###\n#o#\n###\n\n";

pub fn gzip(text: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_ref()).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: impl AsRef<[u8]>) -> Vec<u8> {
    compress_to_vec(text.as_ref(), CompressionLevel::Fastest)
}

#[test]
fn compressed_boards_are_read_by_their_endings_or_through_a_pipe() {
    let told = "PATH#1 (out): escape in 0 moves\nPATH#2 (in): caught\n";
    for (name, bytes) in [("a.txt.gz", gzip(BOARDS)), ("a.txt.zst", zstd(BOARDS))] {
        Run::new(&["solve", name])
            .file(name, &bytes)
            .stdout(told.replace("PATH", name))
            .status(1)
            .check();
        Run::new(&["solve", "-"])
            .stdin(&bytes)
            .stdout(told.replace("PATH", "-"))
            .status(1)
            .check();
    }
}

#[test]
fn one_board_of_a_compressed_file_is_found() {
    let json = "{\"id\": \"x\", \"rows\": [\"o\"]}\n{\"id\": \"y\", \"rows\": [\"..o\"]}\n";
    Run::new(&["solve", "a.jsonl.zst#y"])
        .file("a.jsonl.zst", zstd(json))
        .stdout("a.jsonl.zst#2 (y): escape in 0 moves\n")
        .check();
}

#[test]
fn a_folder_may_have_all_kinds_and_a_damaged_one_stops_none() {
    let good = gzip("; expect: escape\no\n");
    let told = Run::new(&["check", "--no-timing", "."])
        .file("a.txt", "; expect: escape\no\n")
        .file("b.txt.gz", &good)
        .file(
            "c.jsonl.gz",
            gzip("{\"rows\": [\"o\"], \"expect\": \"caught\"}\n"),
        )
        .file("d.txt.gz", &good[..good.len() - 9])
        .file("e.txt.zst", "o\n")
        .file("f.txt.zst", zstd("; expect: escape\no\n"))
        .file("g.tar.gz", &good)
        .output();
    assert_eq!(told.status, Some(2));
    assert!(
        told.stderr
            .contains("error: ./d.txt.gz: the gzip data is cut short\n"),
        "{}",
        told.stderr
    );
    let no = "error: ./e.txt.zst: this is not zstd data, though its name ends in `.zst`\n";
    assert!(told.stderr.contains(no), "{}", told.stderr);
    assert!(
        told.stdout.contains("3 as expected, 1 mismatched"),
        "{}",
        told.stdout
    );
    assert!(
        told.stdout.contains("skipped: 1 other file (.tar)"),
        "{}",
        told.stdout
    );
}

#[test]
fn input_that_unpacks_beyond_memory_is_undecided() {
    let bomb = vec![b'.'; sized(8_000_000, 40_000_000)];
    for (name, bytes) in [("a.txt.gz", gzip(&bomb)), ("a.txt.zst", zstd(&bomb))] {
        assert!(bytes.len() < 200_000);
        Run::new(&["check", "--no-timing", "--json", "--max-memory", "4MB", "-j", "1", name])
            .file(name, &bytes)
            .stdout(format!(
                "{{\"path\":\"{name}\",\"board\":0,\"verdict\":\"undecided\",\"states\":0,\"limit\":\"memory\"}}\n"
            ))
            .status(3)
            .check();
    }
}

#[test]
fn output_is_compressed_by_file_name() {
    let args = [
        "generate", "jimmy", "--rows", "4", "--cols", "4", "--seed", "1",
    ];
    let plain = Run::new(&args).output().stdout;
    let mut to_file = Run::new(&[&args[..], &["-o", "a.txt.gz"]].concat());
    let told = to_file.output();
    assert_eq!((told.status, &*told.stderr), (Some(0), ""));
    let bytes = std::fs::read(to_file.path().join("a.txt.gz")).unwrap();
    let mut text = String::new();
    GzDecoder::new(&*bytes).read_to_string(&mut text).unwrap();
    let without_command = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with("; made by"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(without_command(&text), without_command(&plain));
}
