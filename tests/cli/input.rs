//! Malformed text input: the message, its position, and the suggested fix.

use crate::boards::{EXIT, STAIRS};
use crate::run::Run;
use crate::sized;

#[track_caller]
fn refused(text: impl AsRef<[u8]>, stderr: &str) {
    Run::new(&["solve", "a.txt"])
        .file("a.txt", text)
        .stderr(stderr)
        .status(2)
        .check();
}

#[track_caller]
fn solved(text: impl AsRef<[u8]>, stdout: &str) {
    Run::new(&["solve", "a.txt"])
        .file("a.txt", text)
        .stdout(stdout)
        .check();
}

#[test]
fn an_input_without_a_board_is_an_error() {
    for nothing in ["", "\n\n", "\r\n", "; just a remark\n"] {
        refused(
            nothing,
            "\
error: this input has no board
--> a.txt:1:1
 = help: add a board's rows, or name another file

",
        );
    }
}

#[test]
fn a_missing_file_is_named() {
    Run::new(&["solve", "no/such.txt"])
        .stderr("error: no/such.txt: no such file or directory\n\n")
        .status(2)
        .check();
    Run::new(&["solve", "--json", "no.txt"])
        .stdout(
            "{\"path\":\"no.txt\",\"board\":0,\"error\":{\"message\":\"no such file or directory\",\
             \"line\":null,\"column\":null}}\n",
        )
        .stderr("error: no.txt: no such file or directory\n\n")
        .status(2)
        .check();
}

#[test]
fn solve_sends_folders_to_check() {
    Run::new(&["solve", "puzzles"])
        .folder("puzzles")
        .stderr(
            "error: puzzles: this is a folder; `getaway check` and `getaway rate` read folders\n\n",
        )
        .status(2)
        .check();
}

#[test]
fn a_binary_file_is_no_board() {
    refused(
        b"\x7fELF\x02\x01\x00\x00",
        "\
error: there is a zero byte in this board: it is not text
 --> a.txt:1:7
  |
1 | ␡ELF␂␁␀␀
  |       ^ remove the zero byte, or name a text file with boards

",
    );
}

#[test]
fn bytes_that_are_no_utf8_are_shown_in_their_place() {
    refused(
        b"o.\n.\xff\n",
        "\
error: this line is not valid UTF-8
 --> a.txt:2:2
  |
2 | .\u{fffd}
  |  ^ save the file as UTF-8 or ASCII text

",
    );
}

#[test]
fn a_line_of_megabytes_is_read_and_shown_in_part() {
    let mut line = vec![b'.'; sized(3_000_000, 30_000_000)];
    let head = ".".repeat(100);
    refused(
        [b"; ruleset: jimmy\n", &*line].concat(),
        &format!(
            "\
error: no Jimmy (`o`) on this board
 --> a.txt:2:1
  |
2 | {head}
  | ^ add an `o`

"
        ),
    );
    *line.last_mut().unwrap() = b'o';
    solved(
        [b"; ruleset: jimmy\n", &*line].concat(),
        "escape in 0 moves\n",
    );
}

#[test]
fn a_header_needs_rows() {
    refused(
        "; name: x\n",
        "\
error: a header without rows
 --> a.txt:1:1
  |
1 | ; name: x
  | ^ add the board's rows below it, without an empty line between them

",
    );
}

#[test]
fn missing_actors_are_errors() {
    refused(
        "; ruleset: jimmy\n..\n",
        "\
error: no Jimmy (`o`) on this board
 --> a.txt:2:1
  |
2 | ..
  | ^ add an `o`

",
    );
    refused(
        "; ruleset: baddies\n. \n",
        "\
error: no hero (`H`) on this board
 --> a.txt:2:1
  |
2 | . 
  | ^ add an `H`

error: no ladder (`*`) on this board
 --> a.txt:2:1
  |
2 | . 
  | ^ add a `*`

",
    );
    refused(
        "Hm\n",
        "\
error: no ladder (`*`) on this board
 --> a.txt:1:1
  |
1 | Hm
  | ^ add a `*`

",
    );
}

#[test]
fn duplicate_actors_are_errors() {
    refused(
        "..o\n.o.\n",
        "\
error: two Jimmys: the first is at line 1, column 3
 --> a.txt:2:2
  |
2 | .o.
  |  ^ keep one `o`

",
    );
    refused(
        "---\n|H|\n|*|\n|H|\n---\n",
        "\
error: two heroes: the first is at line 2, column 2
 --> a.txt:4:2
  |
4 | |H|
  |  ^ keep one `H`

",
    );
}

#[test]
fn all_ragged_rows_of_jimmy_are_errors() {
    refused(
        "o..\n..\n....\n",
        "\
error: this row has 2 cells, but the first row has 3
 --> a.txt:2:3
  |
2 | ..
  |   ^ pad this row with `.`

error: this row has 4 cells, but the first row has 3
 --> a.txt:3:4
  |
3 | ....
  |    ^ shorten this row, or pad the others

",
    );
}

#[test]
fn short_rows_of_baddies_are_filled_up() {
    // If there is a second row, the way around the wall leads through missing cells.
    Run::new(&["solve", "--shortest", "a.txt"])
        .file("a.txt", "H+*\n\n")
        .stdout("caught: there is no way out, though the runner can stay alive forever\n")
        .status(1)
        .check();
    Run::new(&["solve", "--shortest", "a.txt"])
        .file("a.txt", "H+*\n \n")
        .stdout("escape in 2 moves: ce\n")
        .check();
}

#[test]
fn all_faults_of_a_board_are_reported_in_order() {
    refused(
        "; ruleset: jimmy\n; revisit: maybe\n.x.\n.xy.\n",
        "\
error: invalid value `maybe` for `revisit`
 --> a.txt:2:12
  |
2 | ; revisit: maybe
  |            ^^^^^ write `true` or `false`

error: no Jimmy (`o`) on this board
 --> a.txt:3:1
  |
3 | .x.
  | ^ add an `o`

error: unknown glyph `x` (2 times)
 --> a.txt:3:2
  |
3 | .x.
  |  ^ use one of `o` Jimmy, `g` ghost, `#` solid, `.` empty

error: unknown glyph `y`
 --> a.txt:4:3
  |
4 | .xy.
  |   ^ use one of `o` Jimmy, `g` ghost, `#` solid, `.` empty

error: this row has 4 cells, but the first row has 3
 --> a.txt:4:4
  |
4 | .xy.
  |    ^ shorten this row, or pad the others

",
    );
}

#[test]
fn tabs_are_unknown_glyphs() {
    refused(
        "; ruleset: baddies\nH\t*\n",
        "\
error: unknown glyph tab
 --> a.txt:2:2
  |
2 | H    *
  |  ^^^^ replace this tab with spaces

",
    );
    refused(
        "; ruleset: jimmy\no\t.\n",
        "\
error: unknown glyph tab
 --> a.txt:2:2
  |
2 | o    .
  |  ^^^^ replace this tab with `.`, one for each cell

",
    );
}

#[test]
fn an_unknown_ruleset_in_a_header_is_an_error() {
    refused(
        "; ruleset: jimmi\no\n",
        "\
error: unknown ruleset `jimmi`
 --> a.txt:1:12
  |
1 | ; ruleset: jimmi
  |            ^^^^^ did you mean `jimmy`?

",
    );
}

#[test]
fn a_board_that_fits_no_ruleset_or_several_says_why() {
    let output = Run::new(&["solve", "a.txt"])
        .file("a.txt", "o.H\n")
        .output();
    let (head, why) = output.stderr.split_once("  |\n  = ").unwrap();
    assert_eq!(
        head,
        "error: this board fits no ruleset\n --> a.txt:1:3\n  |\n1 | o.H\n  \
         |   ^ correct it for `jimmy`, or name another in a header `; ruleset: NAME`\n"
    );
    for part in [
        "note: `jimmy`: unknown glyph `H` at line 1, column 3\n",
        "note: `baddies`: unknown glyph `o` at line 1, column 1\n",
        "note: `maze`: no `R` on this board\n",
        "note: `theseus`: unknown glyph `o` at line 1, column 1\n",
    ] {
        assert!(why.contains(part), "{why}");
    }
    assert_eq!(output.status, Some(2));

    let output = Run::new(&["solve", "a.txt"])
        .file("a.txt", "..#\n")
        .output();
    let first = "error: this board fits several rulesets: `jimmy`, `baddies`\n";
    assert!(output.stderr.starts_with(first), "{output:?}");
    assert!(
        output
            .stderr
            .contains("^ choose one with a header `; ruleset: NAME`\n"),
        "{output:?}"
    );
    assert_eq!(output.status, Some(2));
}

#[test]
fn invalid_header_values_are_errors() {
    refused(
        format!("; expect: escpae\n{EXIT}"),
        "\
error: invalid value `escpae` for `expect`
 --> a.txt:1:11
  |
1 | ; expect: escpae
  |           ^^^^^^ did you mean `escape`?

",
    );
    refused(
        format!("; revisit: 2\n{EXIT}"),
        "\
error: invalid value `2` for `revisit`
 --> a.txt:1:12
  |
1 | ; revisit: 2
  |            ^ write `true` or `false`

",
    );
    refused(
        format!("; name: a\n; author: me\n; name: b\n{EXIT}"),
        "\
error: a second `name` header
 --> a.txt:3:9
  |
3 | ; name: b
  |         ^ keep one of them

",
    );
}

#[test]
fn remarks_are_ignored() {
    for remark in [
        "a remark",
        "author: me",
        "see: https://example.org",
        "https://example.org",
        "the way out: there is none",
        "Source: a book",
        ": ",
    ] {
        solved(format!("; {remark}\n{STAIRS}"), "escape in 4 moves: RDRD\n");
    }
}

#[test]
fn a_zero_byte_spoils_its_board_alone() {
    Run::new(&["solve", "a.txt"])
        .file("a.txt", "o\n\n.\0\n\no\n")
        .stdout("a.txt#1: escape in 0 moves\na.txt#3: escape in 0 moves\n")
        .stderr(
            "\
error: there is a zero byte in this board: it is not text
 --> a.txt:3:2
  |
3 | .␀
  |  ^ remove the zero byte, or name a text file with boards

",
        )
        .status(2)
        .check();
}

#[test]
fn headers_without_effect_give_warnings() {
    Run::new(&["solve", "a.txt"])
        .file(
            "a.txt",
            format!("; expct: caught\n; radius: 3\n; frobnicate: 1\n{EXIT}"),
        )
        .stdout("escape in 1 move: D\n")
        .stderr(
            "\
warning: unknown header `expct`
 --> a.txt:1:3
  |
1 | ; expct: caught
  |   ^^^^^ did you mean `expect`?

warning: `radius` is not a setting of this ruleset
 --> a.txt:2:3
  |
2 | ; radius: 3
  |   ^^^^^^ remove it: it is a setting of `dungeon`

warning: unknown header `frobnicate`
 --> a.txt:3:3
  |
3 | ; frobnicate: 1
  |   ^^^^^^^^^^ use one of `ruleset`, `name`, `expect`, `moves`, `seed`, `chasers`, `points`, `revisit`

",
        )
        .check();
}

#[test]
fn no_puzzle_of_ours_deserves_a_warning() {
    let puzzles = concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles");
    let output = Run::new(&["check", "--quiet", "--max-states", "1", puzzles]).output();
    assert!(!output.stderr.contains("warning"), "{}", output.stderr);
    assert_ne!(output.status, Some(2), "{}", output.stderr);
}

#[test]
fn capital_letters_in_the_key_of_a_header_do_not_matter() {
    Run::new(&["check", "--no-timing", "a.txt"])
        .file(
            "a.txt",
            format!("; RuleSet: jimmy\n; EXPECT: caught\n{EXIT}"),
        )
        .stdout(
            "a.txt: mismatch: expected caught, got escape in 1 move: D\n\
             1 board in 1 file: 1 escape\n\
             0 as expected, 1 mismatched, 0 without expectation, 0 undecided, 0 errors\n",
        )
        .status(1)
        .check();
    refused(
        "; name: a\n; Name: b\no\n",
        "\
error: a second `name` header
 --> a.txt:2:9
  |
2 | ; Name: b
  |         ^ keep one of them

",
    );
}

#[test]
fn a_seed_is_a_number_for_every_command() {
    let stderr = "\
error: invalid value `abc` for `seed`
 --> a.txt:1:9
  |
1 | ; seed: abc
  |         ^^^ write a whole number from 0 to 18446744073709551615

";
    for command in [
        &["solve"][..],
        &["check", "--quiet"],
        &["trace"],
        &["simulate"],
    ] {
        Run::new(&[command, &["a.txt"]].concat())
            .file("a.txt", format!("; seed: abc\n{EXIT}"))
            .stderr(stderr)
            .status(2)
            .check();
    }
}

#[test]
fn lookalike_glyphs_suggest_the_known_one() {
    for (board, glyph, help) in [
        ("; ruleset: jimmy\n.O.\n.o.\n", "`O`", "did you mean `o`?"),
        ("; ruleset: jimmy\n.0.\n.o.\n", "`0`", "did you mean `o`?"),
        ("; ruleset: jimmy\n.G.\n.o.\n", "`G`", "did you mean `g`?"),
        (
            "; ruleset: jimmy\n. .\n.o.\n",
            "` ` (a space)",
            "did you mean `.`?",
        ),
        ("; ruleset: jimmy\n.█.\n.o.\n", "`█`", "did you mean `#`?"),
        ("; ruleset: baddies\nhH*\n", "`h`", "did you mean `H`?"),
        (
            "; ruleset: baddies\nH\u{a0}*\n",
            "`\\u{a0}`",
            "did you mean ` ` (a space)?",
        ),
        ("; ruleset: dungeon\npPE\n", "`p`", "did you mean `P`?"),
        ("; ruleset: dungeon\n—PE\n", "`—`", "did you mean `-`?"),
    ] {
        let output = Run::new(&["solve", "a.txt"]).file("a.txt", board).output();
        assert!(
            output
                .stderr
                .starts_with(&format!("error: unknown glyph {glyph}\n")),
            "{}",
            output.stderr
        );
        assert!(
            output.stderr.contains(&format!("^ {help}\n")),
            "{}",
            output.stderr
        );
    }
}

#[test]
fn a_row_that_differs_from_most_is_at_fault_and_not_the_others() {
    refused(
        "#...o\n....\n....\n...\n....\n",
        "\
error: this row has 5 cells, but most rows have 4
 --> a.txt:1:5
  |
1 | #...o
  |     ^ shorten this row, or pad the others

error: this row has 3 cells, but most rows have 4
 --> a.txt:4:4
  |
4 | ...
  |    ^ pad this row with `.`

",
    );
}

#[test]
fn crlf_and_a_byte_order_mark_change_nothing() {
    let text = format!("\u{feff}; name: x\n{STAIRS}").replace('\n', "\r\n");
    solved(&text, "escape in 4 moves: RDRD\n");
    Run::new(&["solve", "-"])
        .stdin(&text)
        .stdout("escape in 4 moves: RDRD\n")
        .check();
    solved("o.\r\n..", "escape in 0 moves\n");
}

#[cfg(unix)]
#[test]
fn control_characters_are_never_echoed() {
    let texts = [
        "; name: a\u{1b}[31mb\no\n\no\n",
        "; a\u{1b}[31mb: x\n; a\u{1b}[31mb: y\no\n",
        "; ruleset: \u{1b}[31m\no\n",
        "; expect: \u{1b}[31m\no\n",
        "o\u{1b}[31m.\n",
        "; ruleset: jimmy\no\u{1b}[31m.\u{7}\n",
        "; name: \u{9b}31m\no\n\no\n",
    ];
    for text in texts {
        for command in ["solve", "check", "trace"] {
            for name in ["a.txt", "a\u{1b}[31m.txt"] {
                let output = Run::new(&[command, name]).file(name, text).output();
                let all = output.stdout + &output.stderr;
                let is_bad = |c: char| c.is_control() && c != '\n';
                assert!(!all.contains(is_bad), "{command} {text:?}: {all:?}");
                assert!(!all.is_empty());
            }
        }
    }
}

#[test]
fn a_name_with_control_characters_is_escaped() {
    Run::new(&["solve", "a.txt"])
        .file("a.txt", "; name: a\u{1b}[31mb\no\n\no\n")
        .stdout("a.txt#1 (a\\u{1b}[31mb): escape in 0 moves\na.txt#2: escape in 0 moves\n")
        .check();
}

#[test]
fn a_frame_is_no_part_of_the_board() {
    solved("----\n|H*|\n|m |\n----\n", "escape in 1 move: d\n");
}

#[test]
fn a_broken_frame_is_reported() {
    refused(
        "; ruleset: baddies\n----\n|H*|\n|  \n----\n",
        "\
error: inside a frame, each row must be between two `|`
 --> a.txt:4:1
  |
4 | |  
  | ^ add `|` before and after the row, as in the others

",
    );
    refused(
        "; ruleset: baddies\n----\n|H*|\n|  |\n",
        "\
error: the frame's last line is missing
 --> a.txt:4:1
  |
4 | |  |
  | ^ close it with a line of `-` like the first

",
    );
}

#[test]
fn an_empty_line_in_a_frame_is_a_fault_and_ends_nothing() {
    Run::new(&["solve", "a.txt"])
        .file(
            "a.txt",
            "; ruleset: baddies\n----\n|H*|\n\n|  |\n----\n\nH*\n",
        )
        .stdout("a.txt#2: escape in 1 move: d\n")
        .stderr(
            "\
error: inside a frame, each row must be between two `|`
--> a.txt:4:1
 = help: add `|` before and after the row, as in the others

",
        )
        .status(2)
        .check();
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_an_error() {
    use std::fs::{self, File, Permissions};
    use std::os::unix::fs::PermissionsExt;
    let run = Run::new(&["solve", "a.txt"]).file("a.txt", EXIT);
    let path = run.path().join("a.txt");
    fs::set_permissions(&path, Permissions::from_mode(0o000)).unwrap();
    if File::open(&path).is_ok() {
        // The user root can read every file.
        run.stdout("escape in 1 move: D\n").check();
    } else {
        run.stderr("error: a.txt: permission denied\n\n")
            .status(2)
            .check();
    }
}

/// The character U+009B is not ASCII, but some terminals obey it.
#[test]
fn quoted_lines_hide_control_characters() {
    refused(
        "; ruleset: jimmy\n#o\u{9b}..#\n",
        "\
error: unknown glyph `\\u{9b}`
 --> a.txt:2:3
  |
2 | #o\u{fffd}..#
  |   ^ use one of `o` Jimmy, `g` ghost, `#` solid, `.` empty

",
    );
}

#[test]
fn board_0_of_a_file_is_an_error_about_the_number() {
    let boards = "#o.\n\n#o.\n";
    for (command, path) in [("solve", "a.txt"), ("trace", "a.txt"), ("check", "a.txt")] {
        let told = Run::new(&[command, "a.txt#0"])
            .file("a.txt", boards)
            .output();
        let expected = format!("error: {path}: there is no board 0: boards count from 1\n\n");
        assert_eq!((told.status, told.stderr), (Some(2), expected));
    }
}

#[cfg(unix)]
#[test]
fn a_file_name_may_be_any_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let name = OsStr::from_bytes(b"\xff.txt");
    let mut run = Run::new(&["solve"]).file(name, "#o.\n\n#o.\n");
    run.command().arg(OsStr::from_bytes(b"\xff.txt#2"));
    let told = run.output();
    assert_eq!(told.stdout, "\u{fffd}.txt#2: escape in 0 moves\n");
}

#[test]
fn an_invisible_character_is_shown() {
    let board = r##"{"rows":["#o."]}"##;
    for (stray, code) in [('\u{feff}', "feff"), ('\u{200b}', "200b"), ('\u{a0}', "a0")] {
        let line = format!("{stray}{board}");
        Run::new(&["solve", "a.jsonl"])
            .file("a.jsonl", format!("{board}\n{line}\n"))
            .stdout("a.jsonl#1: escape in 0 moves\n")
            .stderr(format!(
                "\
error: invalid JSON: expected value, found `\\u{{{code}}}`
 --> a.jsonl:2:1
  |
2 | \u{fffd}{board}
  | ^ write one JSON object per line

"
            ))
            .status(2)
            .check();
        let inside = board.replace(':', &format!(":{stray}"));
        let told = Run::new(&["solve", "-"]).stdin(inside).output().stderr;
        assert!(
            told.contains(&format!("found `\\u{{{code}}}`\n --> -:1:9\n")),
            "{told}"
        );
        let path = format!("no{stray}.txt");
        let told = Run::new(&["solve", &path]).output().stderr;
        assert!(
            told.starts_with(&format!("error: no\\u{{{code}}}.txt: ")),
            "{told}"
        );
    }
}
