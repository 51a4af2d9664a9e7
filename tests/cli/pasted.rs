//! Boards as people paste them, remarks that should be headers, and other texts that are nearly boards.

use crate::run::{Output, Run};

const JIMMY: &str = "###.\n#o..\n#.##\ng###\n";
const MAZE: &str = "R.A\n.*a\n";
const THESEUS: &str = "+-+-+-+\n|T . .|\n+ +-+ +-+\n|. . . E|\n+ +-+-+-+\n|. . M|\n+-+-+-+\n";
const BADDIES: &str = "H +\n~ *\n";
const DUNGEON: &str = "-----\n|P E|\n-----\n";

fn run(args: &[&str], text: &str) -> Output {
    Run::new(args).file("a.txt", text).output()
}

/// Returns the answers of all boards, without names, as a file and as standard input.
#[track_caller]
fn answers(text: &str) -> Vec<String> {
    let verdicts = |line: &str| line.rsplit("\"verdict\":").next().unwrap().to_owned();
    let all = |output: Output| output.stdout.lines().map(verdicts).collect::<Vec<_>>();
    let solve = ["solve", "--json", "--no-timing"];
    let read = all(run(&[&solve[..], &["a.txt"]].concat(), text));
    for threads in ["1", "2"] {
        let args = [&solve[..], &["-j", threads, "-"]].concat();
        let piped = all(Run::new(&args).stdin(text).output());
        assert_eq!(piped, read, "{text}");
    }
    let drop_warnings = |answer: &String| {
        let answer = answer.split(",\"warnings\"").next().unwrap();
        answer.trim_end_matches('}').to_owned()
    };
    read.iter().map(drop_warnings).collect()
}

/// Checks that the boards of `pasted` are those of `plain`, that each remark is a warning, and an error with `--strict`.
#[track_caller]
fn reads_as(pasted: &str, plain: &str, remarks: &[&str]) {
    assert_eq!(answers(pasted), answers(plain), "{pasted}");
    let told = run(&["solve", "a.txt"], pasted);
    let warnings: Vec<_> = told.stderr.split("warning: ").skip(1).collect();
    assert_eq!(warnings.len(), remarks.len(), "{pasted}: {}", told.stderr);
    for (warning, remark) in warnings.iter().zip(remarks) {
        assert!(warning.starts_with(remark), "{pasted}: {warning}");
    }
    let strict = run(&["solve", "--strict", "a.txt"], pasted).status;
    assert_eq!(strict == Some(2), !remarks.is_empty(), "{pasted}");
}

fn indented(board: &str, by: &str) -> String {
    board.lines().map(|line| format!("{by}{line}\n")).collect()
}

const FENCE: &str = "a code fence is ignored\n --> a.txt:1:1\n";
const SPACE: &str = "white space outside the board is ignored\n --> a.txt:1:";

#[test]
fn a_code_fence_is_ignored() {
    for board in [JIMMY, MAZE, THESEUS, BADDIES, DUNGEON] {
        for start in ["```", "````", "```text", "``` board", "~~~text", "~~~ txt"] {
            let end: String = start.chars().take_while(|c| "`~".contains(*c)).collect();
            reads_as(&format!("{start}\n{board}{end}\n"), board, &[FENCE]);
        }
    }
    for (ruleset, board) in [("jimmy", JIMMY), ("baddies", BADDIES), ("dungeon", DUNGEON)] {
        let board = &format!("; ruleset: {ruleset}\n; name: n\n{board}");
        for fence in ["```", "~~~"] {
            reads_as(&format!("{fence}\n{board}{fence}\n"), board, &[FENCE]);
            let header = format!("; expect: escape\n{fence}\n{board}{fence}\n");
            let moved = "a code fence is ignored\n --> a.txt:2:1\n";
            reads_as(&header, &format!("; expect: escape\n{board}"), &[moved]);
        }
    }
}

#[test]
fn a_fence_without_a_word_is_ignored_where_it_is_no_row_of_bats() {
    let line = "a line outside the board is ignored\n --> a.txt:1:1\n";
    for board in [JIMMY, MAZE, THESEUS, DUNGEON] {
        reads_as(&format!("~~~\n{board}~~~\n"), board, &[line]);
    }
    let bats = "~~~\nH+*\n";
    assert_eq!(
        answers(bats),
        answers(&format!("; ruleset: baddies\n{bats}"))
    );
    assert_ne!(answers(bats), answers("H+*\n"));
    reads_as(bats, bats, &[]);
    reads_as("H +\n  *\n~~~\n", "H +\n  *\n~~~\n", &[]);
}

#[test]
fn several_boards_may_share_a_fence_or_have_their_own() {
    let plain = format!("{JIMMY}\n{THESEUS}\n; ruleset: baddies\n{BADDIES}");
    let own = |fence: &str| {
        let word = format!("{fence}text");
        format!(
            "{word}\n{JIMMY}{fence}\n\n{word}\n{THESEUS}{fence}\n{word}\n; ruleset: baddies\n{BADDIES}{fence}\n"
        )
    };
    for fence in ["```", "~~~"] {
        assert_eq!(answers(&own(fence)), answers(&plain));
    }
    assert_eq!(answers(&format!("```\n{plain}```\n")), answers(&plain));
    assert_eq!(answers(&format!("```\n\n{plain}\n```\n")), answers(&plain));
}

#[test]
fn a_fence_may_stand_apart_or_alone() {
    let at = |line: u64| format!("a code fence is ignored\n --> a.txt:{line}:1\n");
    for fence in ["```", "```text", "~~~ text"] {
        let end: String = fence.chars().take_while(|c| "`~".contains(*c)).collect();
        for blank in ["\n", "\n\n\n", "\r\n"] {
            for headers in ["", "; expect: escape\n", "; a remark\n"] {
                let board = format!("{headers}{JIMMY}");
                let apart = format!("{fence}\n{blank}{board}{blank}{end}\n");
                reads_as(&apart, &board, &[&at(1)]);
            }
        }
    }
    for end in ["```", "```\n\n", "  ```"] {
        let last = "a code fence is ignored\n --> a.txt:5:1\n";
        reads_as(&format!("{JIMMY}{end}"), JIMMY, &[last]);
    }
    let three = format!("```\n{JIMMY}\n{MAZE}```\n\n```text\n\n; expect: escape\n{JIMMY}```\n");
    let third = "a code fence is ignored\n  --> a.txt:11:1\n".to_owned();
    let lines = [at(1), at(9), third];
    reads_as(
        &three,
        &format!("{JIMMY}\n{MAZE}\n; expect: escape\n{JIMMY}"),
        &lines.each_ref().map(|line| &**line),
    );
}

#[test]
fn white_space_outside_cells_is_reported() {
    for (board, place, message) in [
        (
            "###\n#o \n###\n",
            "2:3",
            "this row is short, and the white space at its end is no cell",
        ),
        (
            "  R.A\n  .\t\n",
            "2:4",
            "this row is short, and the white space at its end is no cell",
        ),
        (
            "  ###\n  #o.\n  \n  ###\n  #o.\n",
            "3:1",
            "this line has only white space",
        ),
        (
            "; ruleset: jimmy\n\u{a0}##\n\u{a0}#o\n",
            "2:1",
            "unknown glyph `\\u{a0}` (2 times)",
        ),
        (
            "```json\n{\"rows\": [\"o\"]}\n```\n",
            "2:1",
            "this line is JSON, but the text above it is not",
        ),
    ] {
        let told = run(&["solve", "a.txt"], board);
        let head = format!("error: {message}\n --> a.txt:{place}\n");
        assert!(told.stderr.starts_with(&head), "{board}: {}", told.stderr);
        assert_eq!(told.status, Some(2));
    }
}

#[test]
fn a_long_input_is_cut_outside_of_fences() {
    let board = format!("```text\n; ruleset: jimmy\n  ; name: n\n; expect: escape\n{JIMMY}```\n");
    let told = Run::new(&["check", "--no-timing", "-"])
        .stdin(board.repeat(3000))
        .output();
    let head = "3,000 boards in 1 file: 3,000 escape\n3,000 as expected";
    assert!(told.stdout.starts_with(head), "{}", told.stdout);
    assert!(
        told.stdout.contains("3,000 boards with warnings"),
        "{}",
        told.stdout
    );
}

#[test]
fn common_indentation_is_ignored() {
    for by in ["  ", "    ", "\t", "\t  ", " \t"] {
        for board in [JIMMY, MAZE, THESEUS] {
            reads_as(&indented(board, by), board, &[&format!("{SPACE}1\n")]);
        }
        let board = format!("; ruleset: jimmy\n; expect: escape\n{JIMMY}");
        let told = run(&["check", "-q", "a.txt"], &indented(&board, by));
        assert_eq!(told.status, Some(0), "{}", told.stderr);
    }
    reads_as(
        "\t###\n    #o.\n\t###\n",
        "###\n#o.\n###\n",
        &[&format!("{SPACE}1\n")],
    );
    let odd = " +-+-+\n |T E|\n +-+-+\n |. M|\n +-+-+\n";
    reads_as(
        odd,
        &odd.replace(" +", "+").replace(" |", "|"),
        &[&format!("{SPACE}1\n")],
    );
    // The first column of this maze is solid.
    let solid = " - - - \n # T E|\n - - - \n # M  |\n - - - \n";
    assert_eq!(run(&["solve", "a.txt"], solid).status, Some(0));
    let told = run(&["solve", "a.txt"], solid).stderr;
    assert!(!told.contains("white space"), "{told}");
}

#[test]
fn spaces_are_cells_of_baddies_and_dungeons() {
    for board in [BADDIES, DUNGEON] {
        reads_as(&indented(board, "\t"), board, &[&format!("{SPACE}1\n")]);
        let with_tab = board.replacen('\n', "\t\n", 1);
        assert_eq!(answers(&with_tab), answers(board));
        for cells in [indented(board, "  "), board.replace('\n', "  \n")] {
            reads_as(&cells, &cells.replace(' ', "."), &[]);
        }
    }
    let framed = "-----\n|H +|\n|~ *|\n-----\n";
    reads_as(&indented(framed, "    "), framed, &[&format!("{SPACE}1\n")]);
}

#[test]
fn spaces_at_line_ends_are_ignored_where_they_are_no_cells() {
    for end in [" ", "\t", " \t "] {
        reads_as(
            &JIMMY.replacen('\n', &format!("{end}\n"), 1),
            JIMMY,
            &[&format!("{SPACE}5\n")],
        );
        reads_as(
            &MAZE.replacen('\n', &format!("{end}\n"), 1),
            MAZE,
            &[&format!("{SPACE}4\n")],
        );
    }
    reads_as(&THESEUS.replace('\n', "   \n"), THESEUS, &[SPACE]);
    let line = "a line outside the board is ignored\n --> a.txt:5:1\n";
    reads_as(&format!("{JIMMY}   \n"), JIMMY, &[line]);
}

/// The rim of such a board would go, and with it the answer: drawn with `.`, the first is `caught`.
#[test]
fn spaces_that_fill_a_rectangle_may_be_cells() {
    for rows in ["     \n  og \n     \n", " ## \n #o \n ## \n"] {
        let run = run(&["solve", "--ruleset", "jimmy", "a.txt"], rows);
        assert_eq!(run.status, Some(2), "{rows}");
        assert!(
            run.stderr.starts_with("error: unknown glyph ` ` (a space)"),
            "{rows}"
        );
    }
}

#[test]
fn faults_of_a_pasted_board_stand_where_they_are_in_the_file() {
    let text = "```\n    ; ruleset: jimmy\n    ###\n    #o\n    #x#  \n```\n";
    let told = run(&["solve", "a.txt"], text).stderr;
    assert_eq!(
        told,
        "\
error: this row has 2 cells, but the first row has 3
 --> a.txt:4:7
  |
4 |     #o
  |       ^ pad this row with `.`

error: unknown glyph `x`
 --> a.txt:5:6
  |
5 |     #x#  
  |      ^ use one of `o` Jimmy, `g` ghost, `#` solid, `.` empty

"
    );
}

#[test]
fn rows_in_json_count_as_written() {
    let board = r#"{"ruleset": "jimmy", "rows": [" ###", " #o.", " ###"]}"#;
    let told = Run::new(&["solve", "-"]).stdin(board).output();
    assert!(
        told.stderr.contains("unknown glyph ` ` (a space)"),
        "{}",
        told.stderr
    );
}

#[test]
fn line_ends_of_cr_alone_are_named() {
    for (text, place) in [
        ("; expect: escape\r###\r#o.\r###\r", "1:17"),
        ("###\r#o.\r###\r", "1:4"),
        ("; just a remark\r###\r#o.\r###\r", "1:16"),
        ("; name: a\r; expect: caught\n###\n#o.\n###\n", "1:10"),
        ("; name: a\r\n###\r\n#o.\r###\r\n", "3:4"),
    ] {
        let told = run(&["solve", "a.txt"], text);
        let head = format!(
            "error: this line ends with a carriage return (CR) alone\n --> a.txt:{place}\n"
        );
        assert!(told.stderr.starts_with(&head), "{}", told.stderr);
        assert_eq!(told.status, Some(2));
    }
    let binary = run(&["solve", "a.txt"], "#o\r#\0\r").stderr;
    assert!(
        binary.contains("a zero byte in this board: it is not text"),
        "{binary}"
    );
    let json = "{\"rows\": [\"o\"]}\r{\"rows\": [\"o\"]}\r";
    let told = run(&["solve", "a.txt"], json).stderr;
    let head = "error: this line ends with a carriage return (CR) alone\n --> a.txt:1:16\n";
    assert!(told.starts_with(head), "{told}");
    for text in ["###\r\n#o.\r\n###\r\n", "###\n#o.\n###\r"] {
        assert_eq!(answers(text), answers("###\n#o.\n###\n"));
    }
}

#[test]
fn remarks_that_look_like_headers_are_warnings_with_a_suggestion() {
    for (remark, meant) in [
        ("; expect = caught", "expect: caught"),
        ("; expect=caught", "expect: caught"),
        ("; expect caught", "expect: caught"),
        ("; Expected caught", "expect: caught"),
        ("; expects = caught", "expect: caught"),
        (";; expect: caught", "expect: caught"),
        ("; - expect: caught", "expect: caught"),
        ("; \"expect\": \"caught\"", "expect: caught"),
        ("; expect\u{ff1a}caught", "expect: caught"),
        ("; expect caught here", "expect: caught here"),
        ("; expect\u{200b}: caught", "expect: caught"),
        ("; expect -> caught", "expect: caught"),
        ("; expect is caught", "expect: caught"),
        ("; ruleset jimmy", "ruleset: jimmy"),
        ("; rulset = jimmy", "ruleset: jimmy"),
        ("; Moves = UDL", "moves: UDL"),
        ("; moves UDL", "moves: UDL"),
        ("; points 3", "points: 3"),
        ("; strategy chase", "strategy: chase"),
        ("; rule set: jimmy", "ruleset: jimmy"),
        ("; rule set = jimmy", "ruleset: jimmy"),
        ("; revisit", "revisit: VALUE"),
    ] {
        let board = format!("{remark}\n{JIMMY}");
        let told = run(&["solve", "a.txt"], &board).stderr;
        assert!(
            told.starts_with("warning: this remark looks like a header\n"),
            "{remark}: {told}"
        );
        assert!(
            told.contains(&format!("did you mean `; {meant}`?")),
            "{remark}: {told}"
        );
        let strict = run(&["check", "--strict", "a.txt"], &board);
        assert_eq!(strict.status, Some(2), "{remark}");
    }
    for (remark, meant) in [
        ("; expected: caught", "expect"),
        ("; rulset: jimmy", "ruleset"),
    ] {
        let told = run(&["solve", "a.txt"], &format!("{remark}\n{JIMMY}")).stderr;
        assert!(
            told.contains(&format!("did you mean `{meant}`?")),
            "{remark}: {told}"
        );
    }
    let missed = run(
        &["check", "-q", "a.txt"],
        &format!("; Expect: caught\n{JIMMY}"),
    );
    assert_eq!(missed.status, Some(1));
}

#[test]
fn ordinary_remarks_are_silent() {
    for remark in [
        "expected to be hard",
        "Expect the unexpected.",
        "moves are diagonal",
        "exit closed",
        "name unknown",
        "Rule 3: he waits",
        "Rule 3",
        "see 3",
        "https://example.org/?expect=caught",
        "x = 3",
        "expect",
        "the ruleset jimmy",
    ] {
        let told = run(
            &["solve", "--strict", "a.txt"],
            &format!("; {remark}\n{JIMMY}"),
        );
        assert_eq!((&*told.stderr, told.status), ("", Some(0)), "{remark}");
    }
}

#[test]
fn the_nearest_ruleset_comes_first_with_its_fault() {
    for (board, place, first) in [
        ("#x#\n#o.\n###\n", "1:2", "`jimmy`: unknown glyph `x`"),
        ("....\n.ox.\n", "2:3", "`jimmy`: unknown glyph `x`"),
        ("###\n#O.\n###\n", "2:2", "`jimmy`: unknown glyph `O`"),
        ("H..?\n...*\n", "1:4", "`baddies`: unknown glyph `?`"),
        (
            "----\n|H?|\n|m*|\n----\n",
            "2:3",
            "`baddies`: unknown glyph `?`",
        ),
        (
            "-----\n|P.E|\n|..?|\n-----\n",
            "3:4",
            "`dungeon`: unknown glyph `?`",
        ),
        ("R.*\n.1.\n", "2:2", "`maze`: unknown glyph `1`"),
        (
            "+-+-+\n|T?E|\n+-+-+\n",
            "2:3",
            "`theseus`: unknown glyph `?`",
        ),
    ] {
        let told = run(&["solve", "a.txt"], board).stderr;
        let head = format!("error: this board fits no ruleset\n --> a.txt:{place}\n");
        assert!(told.starts_with(&head), "{board}: {told}");
        let note = told.split("note: ").nth(1).unwrap();
        assert!(note.starts_with(first), "{board}: {told}");
    }
}

#[test]
fn floor_that_only_the_edge_keeps_from_being_a_room_is_a_warning() {
    let walls = [
        "-----------",
        "|P.|......|",
        "|..D...Z..|",
        "|..|.....E|",
        "-----------",
    ];
    let warnings = |rows: &[String]| {
        let told = run(&["solve", "a.txt"], &(rows.join("\n") + "\n"));
        let odd =
            "warning: this region of floor would be a room but for the edge of the board\n --> ";
        let places = told.stderr.split(odd).skip(1);
        places
            .map(|text| text.lines().next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let rows: Vec<String> = walls.iter().map(|row| (*row).to_owned()).collect();
    let spaced = |rows: &[String]| -> Vec<String> {
        rows.iter()
            .map(|row| row.chars().flat_map(|c| [c, ' ']).collect())
            .collect()
    };
    let turned =
        |by: fn(&str) -> &str| -> Vec<String> { walls.map(by).map(str::to_owned).to_vec() };
    for (rows, places) in [
        (rows.clone(), &[][..]),
        (rows[..4].to_vec(), &["a.txt:4:2", "a.txt:4:5"]),
        (rows[1..].to_vec(), &["a.txt:1:2", "a.txt:1:5"]),
        (turned(|row| &row[1..]), &["a.txt:2:1"]),
        (turned(|row| &row[..10]), &["a.txt:2:10"]),
        (spaced(&rows[..4]), &["a.txt:4:3", "a.txt:4:9"]),
        // Hallways around a room, at a corner, and through the board.
        (
            vec![
                "      ".into(),
                " ---- ".into(),
                " |PE| ".into(),
                " ---- ".into(),
                "      ".into(),
            ],
            &[],
        ),
        (vec!["----  ".into(), "|PED  ".into(), "----  ".into()], &[]),
        (
            vec!["--.--".into(), "PD.DE".into(), "--.--".into()],
            &["a.txt:2:1", "a.txt:2:5"],
        ),
        (vec!["|PE|".into()], &[]),
    ] {
        assert_eq!(warnings(&rows), places, "{rows:?}");
    }
}
