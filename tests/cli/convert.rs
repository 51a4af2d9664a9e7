//! `getaway convert`: conversion preserves the board.

use serde_json::Value;

use crate::run::Run;
use crate::sized;
use crate::terminal::Terminal;

fn puzzles() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles").to_owned()
}

#[track_caller]
fn convert(input: (&str, &str), args: &[&str]) -> String {
    let mut run = Run::new(&[&["convert", input.0, "-"], args].concat()).file(input.0, input.1);
    let told = run.output();
    assert_eq!((told.status, &*told.stderr), (Some(0), ""));
    told.stdout
}

/// Returns the answers without the fields that a conversion may change, such as `id`, which a drawing stores as a comment.
fn answers(mut run: Run) -> Vec<Value> {
    let told = run.output();
    let answer = |line: &str| {
        let mut answer: Value = serde_json::from_str(line).unwrap();
        let fields = answer.as_object_mut().unwrap();
        for key in ["path", "board", "id", "states"] {
            fields.remove(key);
        }
        if let Some(error) = fields.get_mut("error").and_then(Value::as_object_mut) {
            error.retain(|key, _| key == "message");
        }
        answer
    };
    told.stdout.lines().map(answer).collect()
}

#[test]
fn bundled_boards_survive_a_round_trip() {
    let puzzles = puzzles();
    let mut run = Run::new(&["convert", &puzzles, "all.jsonl"]);
    let told = run.output();
    assert_eq!((told.status, &*told.stderr), (Some(0), ""));
    let lines = std::fs::read_to_string(run.path().join("all.jsonl")).unwrap();
    assert!(lines.lines().count() > 200);
    let text = convert(("all.jsonl", &lines), &[]);
    // An empty row would end a drawing.
    let same = lines.replace("\"\"", "\" \"");
    assert_eq!(convert(("all.txt", &text), &["--to", "jsonl"]), same);
    let max = sized("200", "1000000");
    let json = ["check", "--json", "--no-timing", "--max-states", max];
    let before = answers(Run::new(&[&json[..], &[&puzzles]].concat()));
    let after = answers(Run::new(&[&json[..], &["all.txt"]].concat()).file("all.txt", &text));
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before, after);
    }
}

#[test]
fn headers_and_ids_are_kept() {
    let line = "{\"id\": [7, \"a\"], \"name\": \"x\", \"expect\": \"escape\", \"two words\": \"y\", \"rows\": [\"o.\", \"g#\"]}\n";
    let text = "; name: x\n; expect: escape\n; two words: y\n; id: [7, \"a\"]\no.\ng#\n\n";
    assert_eq!(convert(("a.jsonl", line), &[]), text);
    assert_eq!(convert(("a.txt", text), &["--to", "jsonl"]), line);
    let named = convert(("a.txt", "; id: left\no\n"), &["--to", "jsonl"]);
    assert_eq!(named, "{\"id\": \"left\", \"rows\": [\"o\"]}\n");
    let things = "{\"ruleset\": \"dungeon\", \"things\": [{\"glyph\": \"K\", \"at\": [0, 1]}], \"rows\": [\"PD\"]}\n";
    let drawn = convert(("a.jsonl", things), &[]);
    assert_eq!(convert(("a.txt", &drawn), &["--to", "jsonl"]), things);
}

#[test]
fn mazes_are_written_in_lists() {
    let drawing = "; ruleset: maze\n; expect: 1\nR.*\nrSs\nBb.\n";
    let lists = "; ruleset: maze\n; expect: 1\n[2, 0, -1]\n[1, 6, 5]\n[4, 3, 0]\n\n";
    assert_eq!(convert(("a.txt", drawing), &["--to", "lists"]), lists);
    assert_eq!(convert(("a.txt", lists), &["--to", "lists"]), lists);
    let course = "(3, 1, 3, 2, 1)\n[6, 0, -1]\n\n";
    assert_eq!(convert(("0.txt", course), &["--to", "lists"]), course);
}

#[test]
fn mazes_in_lists_are_drawn() {
    // Drawings number the runner and the walls anew. Of the walls, 9 (`c`) and 1 (`a`) have no moving end.
    let course =
        "(3, 2, 4, 2, 1)\n[6, 5, -1, 0]\n[4, 3, 17, 1]\n\n; runner: 2\n; name: x\n[4, 0]\n\n";
    let drawn = "; ruleset: maze\n; expect: 1\nRr*.\nBbca\n\n; name: x\n; ruleset: maze\nR.\n\n";
    assert_eq!(convert(("0.txt", course), &["--to", "drawings"]), drawn);
    assert_eq!(convert(("a.txt", drawn), &["--to", "drawings"]), drawn);
    let set = ["--to", "drawings", "--set", "runner=5"];
    assert_eq!(
        convert(("a.txt", "[10, 2]\n"), &set),
        "; ruleset: maze\nRA\n\n"
    );
    let walls: Vec<_> = (2..=27).map(|id| (2 * id).to_string()).collect();
    let told = |walls: &[String]| {
        let maze = format!("[2, -1, {}]\n", walls.join(", "));
        Run::new(&["convert", "a.txt", "-", "--to", "drawings"])
            .file("a.txt", maze)
            .output()
    };
    assert_eq!(
        told(&walls[1..]).stdout,
        "; ruleset: maze\nR*ABCDEFGHIJKLMNOPQSTUVWXYZ\n\n"
    );
    let many = told(&walls);
    assert_eq!(many.status, Some(2));
    assert!(
        many.stderr
            .contains("this maze has more walls than there are letters"),
        "{}",
        many.stderr
    );
}

#[test]
fn a_drawn_maze_has_the_answer_of_its_lists() {
    let puzzles = puzzles();
    let mazes = format!("{puzzles}/maze");
    let lists = Run::new(&["convert", &mazes, "-", "--to", "lists"])
        .output()
        .stdout;
    let drawn = convert(("lists.txt", &lists), &["--to", "drawings"]);
    assert!(!drawn.contains('['), "{drawn}");
    let json = ["check", "--json", "--no-timing", "a.txt"];
    let answers_to = |text: &str| answers(Run::new(&json).file("a.txt", text));
    let (before, after) = (answers_to(&lists), answers_to(&drawn));
    assert!(before.len() > 10);
    assert_eq!(before, after);
}

#[test]
fn boards_of_baddies_are_framed() {
    let plain = "; ruleset: baddies\nH\n +*\n";
    let framed = "; ruleset: baddies\n-----\n|H  |\n| +*|\n-----\n\n";
    assert_eq!(convert(("a.txt", plain), &["--to", "frames"]), framed);
    assert_eq!(convert(("a.txt", framed), &["--to", "frames"]), framed);
    let unframed = convert(("a.txt", framed), &["--to", "drawings"]);
    assert_eq!(unframed, "; ruleset: baddies\nH  \n +*\n\n");
}

#[test]
fn inexpressible_boards_are_errors_and_the_rest_is_written() {
    let mut run = Run::new(&["convert", "a.txt", "out.txt", "--to", "lists"]).file(
        "a.txt",
        "; ruleset: jimmy\no\n\n; ruleset: maze\nR*\n\n; ruleset: baddies\nH*\n",
    );
    let told = run.output();
    assert_eq!(told.status, Some(2));
    assert_eq!(
        told.stderr,
        "\
error: a board of `jimmy` can't be written as lists of integers
 --> a.txt:2:1
  |
2 | o
  | ^ only one of `maze` can

error: a board of `baddies` can't be written as lists of integers
 --> a.txt:8:1
  |
8 | H*
  | ^ only one of `maze` can

1 of 3 boards written
"
    );
    let written = std::fs::read_to_string(run.path().join("out.txt")).unwrap();
    assert_eq!(written, "; ruleset: maze\n[2, -1]\n\n");
    for (board, place, fault) in [
        (
            r#"{"name": "one\ntwo", "rows": ["o"]}"#,
            "a.jsonl:1:10",
            "the value of `name` can't be written as text",
        ),
        (
            r#"{"one: two": "x", "rows": ["o"]}"#,
            "a.jsonl:1:29",
            "this board can't be drawn as text",
        ),
    ] {
        let told = Run::new(&["convert", "a.jsonl", "-"])
            .file("a.jsonl", board)
            .output();
        assert_eq!(told.status, Some(2));
        let head = format!("error: {fault}\n --> {place}\n");
        assert!(told.stderr.starts_with(&head), "{}", told.stderr);
    }
}

#[test]
fn a_board_with_a_fault_is_reported_and_not_written() {
    let boards = "oo\n\no\n\n; runner: x\n[2, -1]\n";
    for to in ["text", "jsonl", "drawings"] {
        let mut run = Run::new(&["convert", "a.txt", "out", "--to", to]).file("a.txt", boards);
        let told = run.output();
        assert_eq!(told.status, Some(2));
        let stderr = told.stderr;
        assert!(
            stderr.contains("two Jimmys") && stderr.contains(" --> a.txt:1:2\n"),
            "{stderr}"
        );
        assert!(
            stderr.contains("invalid value `x` for `runner`"),
            "{stderr}"
        );
        assert!(stderr.ends_with("1 of 3 boards written\n"), "{stderr}");
        let written = std::fs::read_to_string(run.path().join("out")).unwrap();
        assert!(
            ["o\n\n", "{\"rows\": [\"o\"]}\n"].contains(&&*written),
            "{written}"
        );
    }
}

#[test]
fn an_unknown_file_extension_is_refused() {
    for (name, ending) in [
        ("x.foo", ".foo"),
        ("x.foo.gz", ".foo"),
        ("x.txt.bak", ".bak"),
    ] {
        let mut run = Run::new(&["convert", "a.txt", name]).file("a.txt", "o\n");
        let told = run.output();
        assert_eq!((told.status, &*told.stdout), (Some(2), ""));
        let start =
            format!("error: {name}: `{ending}` is not the ending of a format (.txt, .jsonl, ");
        assert!(told.stderr.starts_with(&start), "{}", told.stderr);
        assert!(
            told.stderr.ends_with("; name the format with `--to`\n\n"),
            "{}",
            told.stderr
        );
        assert!(!run.path().join(name).exists());
        run.args(&["convert", "a.txt", name, "--to", "text"]);
        assert_eq!(run.output().status, Some(0));
    }
    let mut run = Run::new(&["convert", "a.txt", "x"]).file("a.txt", "o\n");
    assert_eq!(run.output().status, Some(0));
}

#[test]
fn no_boards_write_no_file() {
    let mut run = Run::new(&["convert", "a.txt", "b.txt"]).file("a.txt", "; only a remark\n");
    let told = run.output();
    assert_eq!(
        (told.status, &*told.stderr),
        (Some(2), "error: a.txt: no board was written\n\n")
    );
    assert!(!run.path().join("b.txt").exists());
}

#[test]
fn settings_are_written_with_the_boards() {
    let maze = "[6, 0, -1]\n";
    let set = [
        "--set",
        "runner=3",
        "--set",
        "radius=2",
        "--ruleset",
        "maze",
    ];
    assert_eq!(
        convert(("a.txt", maze), &set),
        "; runner: 3\n[6, 0, -1]\n\n"
    );
}

#[test]
fn levels_of_the_snarl_project_are_read() {
    let room = "{\"type\": \"room\", \"origin\": [0, 0], \"bounds\": {\"rows\": 3, \"columns\": 5}, \"layout\": [[0, 0, 0, 0, 0], [0, 1, 1, 1, 2], [0, 0, 0, 0, 0]]}";
    let objects =
        "[{\"type\": \"key\", \"position\": [1, 4]}, {\"type\": \"exit\", \"position\": [1, 2]}]";
    let level = format!(
        "{{\"type\": \"level\", \"rooms\": [{room}], \"hallways\": [], \"objects\": {objects}}}"
    );
    let state = format!(
        "{{\"type\": \"state\", \"level\": {level}, \"players\": [{{\"type\": \"player\", \"name\": \"a\", \"position\": [1, 1]}}], \
         \"adversaries\": [{{\"type\": \"ghost\", \"name\": \"b\", \"position\": [1, 2]}}], \"exit-locked\": true}}"
    );
    assert_eq!(
        convert(("a.json", &state), &[]),
        "; ruleset: dungeon\n; name: level 1\n; drawing: compact\n\
         ; things: [{\"glyph\": \"K\", \"at\": [1, 4]}, {\"glyph\": \"G\", \"at\": [1, 2]}]\n\
         -----\n|PE.D\n-----\n\n"
    );
    let levels = format!("3\n{level}\n{{\"type\": \"level\"}}\n{level}");
    let mut run = Run::new(&["convert", "a.levels", "out.jsonl"]).file("a.levels", &levels);
    let told = run.output();
    assert_eq!(told.status, Some(2));
    assert_eq!(
        told.stderr,
        "\
error: this level can't be read: missing field `rooms`
--> a.levels:3:1
 = help: use the format of the Snarl project

2 of 3 boards written
"
    );
    let to = Run::new(&["convert", "a.levels", "out", "--to", "snarl"]).output();
    assert_eq!(to.status, Some(2));
    assert_eq!(
        to.stderr,
        "error: levels of the Snarl project can be read, but not written\n\n"
    );
}

#[test]
fn settings_that_are_numbers_or_booleans_are_so_in_json() {
    let boards = "\
; ruleset: jimmy
; name: 5
; revisit: yes
; seed: 18446744073709551615
; see also: 7
#.#
#o#
###

; ruleset: dungeon
; radius: 4
; speed: 02
; strategy: cooldown
-----
|P.E|
-----
";
    let convert = |from: &str, to: &str, text: &str| {
        let mut run = Run::new(&["convert", "-", "-", "--from", from, "--to", to]).stdin(text);
        run.output().stdout
    };
    let lines = convert("text", "jsonl", boards);
    assert_eq!(
        lines,
        r####"{"ruleset": "jimmy", "name": "5", "revisit": true, "seed": 18446744073709551615, "see also": "7", "rows": ["#.#", "#o#", "###"]}
{"ruleset": "dungeon", "radius": 4, "speed": "02", "strategy": "cooldown", "rows": ["-----", "|P.E|", "-----"]}
"####
    );
    assert_eq!(
        convert("jsonl", "text", &lines).trim_end(),
        boards.replace("revisit: yes", "revisit: true").trim_end()
    );
}

const TEMPLATE: &str = "<p>1</p><script id=\"boards\" type=\"text/plain\">old</script><p>2</p>\n";

#[test]
fn boards_are_put_into_a_page() {
    let board = "; name: </script><script>alert(1)</script>\n###\n#o.\n";
    let line = "{\"name\": \"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\", \"rows\": [\"###\", \"#o.\"]}\n";
    let page = TEMPLATE.replace("old", &format!("\n{line}"));
    let given = ["convert", "a.txt", "b.html", "--template", "page.html"];
    for args in [&given[..], &["convert", "a.txt", "page.html"]] {
        let mut run = Run::new(args)
            .file("a.txt", board)
            .file("page.html", TEMPLATE);
        let told = run.output();
        assert_eq!((told.status, &*told.stderr), (Some(0), ""));
        let written = std::fs::read_to_string(run.path().join(args[2])).unwrap();
        assert_eq!(written, page);
    }
}

#[test]
fn a_page_needs_a_template_with_room_for_boards() {
    Run::new(&["convert", "a.txt", "b.html"])
        .file("a.txt", "###\n#o.\n")
        .stderr("error: a page needs a template: add `--template web/dist/getaway.html`, which `web/build` makes\n\n")
        .status(2)
        .check();
    Run::new(&["convert", "a.txt", "b.html", "--template", "c.html"])
        .file("a.txt", "###\n#o.\n")
        .file("c.html", "<p>")
        .stderr("error: c.html: this file has no `<script id=\"boards\" type=\"text/plain\">`; name the page that `web/build` makes\n\n")
        .status(2)
        .check();
}

const MODEL: &str = "@type: MDP\n@parameters\n\n@reward_models\n\n";

#[test]
fn a_board_becomes_an_explicit_decision_process() {
    Run::new(&["convert", "-", "-", "--to", "drn"])
        .stdin("###\n#o.\n###\n")
        .stdout(format!(
            "{MODEL}@nr_states\n3\n@nr_choices\n3\n@model\n\
             state 0 init\n\taction R\n\t\t1 : 1\n\
             state 1 escape\n\taction end\n\t\t1 : 1\n\
             state 2 caught\n\taction end\n\t\t2 : 1\n"
        ))
        .check();
    Run::new(&["convert", "-", "-", "--to", "drn"])
        .stdin("o\n")
        .stdout(format!(
            "{MODEL}@nr_states\n2\n@nr_choices\n2\n@model\n\
             state 0 init escape\n\taction end\n\t\t0 : 1\n\
             state 1 caught\n\taction end\n\t\t1 : 1\n"
        ))
        .check();
}

/// The player can only wait. The zombie goes left and right; from the middle, it takes either way with probability 1/2.
#[test]
fn draws_have_exact_fractions() {
    Run::new(&["convert", "-", "-", "--to", "drn"])
        .stdin("; ruleset: dungeon\n-----------\n|P|XXX|Z..|\n-----------\n")
        .stdout(format!(
            "{MODEL}@nr_states\n6\n@nr_choices\n6\n@model\n\
             state 0 init\n\taction .\n\t\t1 : 1\n\
             state 1\n\taction .\n\t\t3 : 1\n\
             state 2\n\taction .\n\t\t1 : 1\n\
             state 3\n\taction draw\n\t\t0 : 1/2\n\t\t2 : 1/2\n\
             state 4 escape\n\taction end\n\t\t4 : 1\n\
             state 5 caught\n\taction end\n\t\t5 : 1\n"
        ))
        .check();
}

#[test]
fn a_limit_leaves_a_decision_process_unwritten() {
    for limit in [["--max-states", "2"], ["--timeout", "0"]] {
        let board = "###########\n#o.........\n###########\n";
        let mut run = Run::new(&[&["convert", "board.txt", "board.drn"], &limit[..]].concat())
            .file("board.txt", board);
        let told = run.output();
        assert_eq!(told.status, Some(3), "{limit:?}: {}", told.stderr);
        assert!(
            told.stderr
                .starts_with("error: reading this board stopped: ")
        );
        assert!(!run.path().join("board.drn").exists());
    }
}

#[test]
fn a_decision_process_is_one_board_and_is_only_written() {
    let boards = "###\n#o.\n###\n\n###\n#o.\n###\n";
    let mut run = Run::new(&["convert", "two.txt", "one.drn"]).file("two.txt", boards);
    let told = run.output();
    assert_eq!(told.status, Some(2));
    assert_eq!(
        told.stderr,
        "\
error: a second board: a file describes only one Markov decision process
 --> two.txt:5:1
  |
5 | ###
  | ^ write each board to a file of its own

1 of 2 boards written
"
    );
    let mut run = Run::new(&["convert", "one.drn", "one.txt"]).file("one.drn", MODEL);
    let told = run.output();
    assert_eq!(told.status, Some(2));
    assert_eq!(
        told.stderr,
        "error: a Markov decision process can be written, but not read\n\n"
    );
}

const LEVEL: &str = r#"{"type": "level", "rooms": [{"type": "room", "origin": [0, 0], "layout": [[0, 0, 0], [0, 1, 0], [0, 0, 0]]}], "hallways": [], "objects": [{"type": "exit", "position": [1, 1]}]}"#;

#[test]
fn a_wrong_number_of_levels_is_an_error() {
    for (promised, told) in [(3, "3 levels"), (1, "1 level")] {
        let mut run = Run::new(&["convert", "a.levels", "out.txt"])
            .file("a.levels", format!("{promised}\n[{LEVEL}, {LEVEL}]"));
        let output = run.output();
        assert_eq!(output.status, Some(2));
        let expected =
            format!("error: a.levels: it promises {told}, but holds 2\n\n2 of 2 boards written\n");
        assert_eq!(output.stderr, expected);
        let written = std::fs::read_to_string(run.path().join("out.txt")).unwrap();
        assert_eq!(written.matches("ruleset: dungeon").count(), 2);
    }
}

#[test]
fn a_folder_is_read_in_the_format_of_from() {
    let convert = |args: &[&str]| {
        let mut run = Run::new(&[&["convert", "a", "-"], args].concat())
            .file("a/1.json", LEVEL)
            .file("a/2.levels", LEVEL)
            .file("a/3.dat", LEVEL);
        run.output().stdout.matches("ruleset: dungeon").count()
    };
    assert_eq!(convert(&["--from", "snarl"]), 2);
    // By itself, a `.json` file might be anything.
    assert_eq!(convert(&[]), 1);
    let told = |file: &str| {
        let mut run = Run::new(&["convert", "a", "-"]).folder("a").file(file, "");
        run.output().stderr
    };
    let reason = "error: a: no board was written (skipped: 1 other file (.dat))\n\n";
    assert_eq!(told("a/3.dat"), reason);
    let reason = "error: a: no board was written (the folder is empty)\n\n";
    assert_eq!(told("b"), reason);
}

#[test]
fn every_command_prints_the_first_errors_and_counts_the_rest() {
    let boards = "oo\n\n".repeat(50);
    for command in [
        "convert a.txt b.txt",
        "bench a.txt",
        "compare a.txt",
        "rate a.txt",
    ] {
        for (option, shown) in [("", 20), ("--max-errors 7", 7), ("--max-errors 0", 50)] {
            let line = format!("{command} {option}");
            let args: Vec<_> = line.split_whitespace().collect();
            let told = Run::new(&args).file("a.txt", &boards).output();
            assert_eq!(told.status, Some(2), "{line}");
            let errors = told.stderr.matches("error: two Jimmys").count();
            assert_eq!(errors, shown, "{line}");
            let rest = format!("... and {} more errors", 50 - shown);
            assert_eq!(told.stderr.contains(&rest), shown < 50, "{line}");
        }
    }
}

#[test]
fn warnings_of_compare_are_counted_too() {
    let boards = "; nmae: x\n#o.\n\n".repeat(30);
    let told = Run::new(&["compare", "a.txt", "--runs", "1"])
        .file("a.txt", boards)
        .output();
    assert_eq!(told.stderr.matches("warning: ").count(), 20);
    assert!(
        told.stderr.contains("... and 10 more boards with warnings"),
        "{}",
        told.stderr
    );
}

#[test]
fn one_board_of_a_file_can_be_converted() {
    let boards = "; name: a\n###\n#o.\n###\n\n#o\n\n#g\n";
    let one = |address: &str| {
        let args = ["convert", address, "-"];
        Run::new(&args).file("a.txt", boards).output()
    };
    for (address, board) in [
        ("a.txt#2", "#o\n\n"),
        ("a.txt#a", "; name: a\n###\n#o.\n###\n\n"),
    ] {
        let told = one(address);
        assert_eq!((&*told.stdout, &*told.stderr), (board, ""), "{address}");
    }
    for (address, why) in [
        ("a.txt#0", "there is no board 0: boards count from 1"),
        ("a.txt#4", "there is no board 4: the file has 3 boards"),
        ("a.txt#b", "there is no board with the id or name `b`"),
        ("a.txt#3", "no Jimmy (`o`) on this board"),
    ] {
        let told = one(address);
        assert_eq!(told.status, Some(2));
        assert!(told.stderr.contains(why), "{}", told.stderr);
    }
}

#[test]
fn a_conversion_warns_about_omitted_content() {
    let board = "; expect = caught\n###\n#o.\n###\n";
    let run = |args: &[&str]| {
        let args = [&["convert", "a.txt", "-", "--to", "jsonl"], args].concat();
        Run::new(&args).file("a.txt", board).output()
    };
    let told = run(&[]);
    let warning = "warning: this remark looks like a header\n --> a.txt:1:3\n";
    assert!(told.stderr.starts_with(warning), "{}", told.stderr);
    assert_eq!(told.status, Some(0));
    assert_eq!(run(&["--strict"]).status, Some(2));
}

/// The title of the terminal and a line that is cleared, as a terminal would obey them.
const HOSTILE: &str = "; name: a\u{1b}]0;title\u{7}\u{1b}[2Jb\u{202e}c\u{9b}1m\n#o.\n\n";

#[test]
fn a_terminal_shows_control_characters_and_a_file_keeps_them() {
    assert_eq!(convert(("a.txt", HOSTILE), &[]), HOSTILE);
    let shown = r"a\u{1b}]0;title\u{7}\u{1b}[2Jb\u{202e}c\u{9b}1m";
    for command in ["convert a.txt -", "mutate --count 1 a.txt"] {
        let Some(terminal) = Terminal::new(100, 40) else {
            return;
        };
        let boards = HOSTILE.replace("#o.", "###\n#o.\n###");
        std::fs::write(terminal.folder.path().join("a.txt"), boards).unwrap();
        terminal.run(command);
        let screen = terminal.ended(0);
        assert!(screen.contains(shown), "{command}: {screen}");
    }
}

#[test]
fn the_memory_limit_on_a_decision_process_is_named() {
    let board = format!(
        "{0}\n#o{1}g#\n#{1}..#\n{0}\n",
        "#".repeat(44),
        ".".repeat(40)
    );
    let mut run = Run::new(&["convert", "--max-memory", "20kB", "board.txt", "board.drn"])
        .file("board.txt", board);
    let told = run.output();
    assert_eq!(told.status, Some(3), "{}", told.stderr);
    let named = "the memory limit was 20.0 kB: `--max-memory` sets another\n";
    assert!(told.stderr.contains(named), "{}", told.stderr);
}
