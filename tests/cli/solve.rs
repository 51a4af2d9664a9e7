//! `getaway solve`: verdicts, names, exit codes, options.

use crate::boards::{CORNERED, EXIT, STAIRS, TRAP, WALLED, endless};
use crate::run::Run;
use crate::sized;

#[test]
fn an_escape_is_printed_with_its_moves() {
    Run::new(&["solve", "a.txt"])
        .file("a.txt", STAIRS)
        .stdout("escape in 4 moves: RDRD\n")
        .check();
    Run::new(&["solve", "a.txt"])
        .file("a.txt", EXIT)
        .stdout("escape in 1 move: D\n")
        .check();
}

/// A board on which the first search finds `RRURD` after 8 states.
const LURE: &str = "\
; ruleset: theseus
; exit: guarded
+-+-+-+-+
|M .|.| |
+ + + +-+
|.  |. .|
+ + + + +
|E|.|. .|
+ +-+ + +
|T . .|E|
+-+-+-+-+
";

#[test]
fn a_shortest_line_is_found_where_that_is_cheap() {
    let run = |args: &[&str]| {
        let output = Run::new(&[args, &["a.txt"]].concat())
            .file("a.txt", LURE)
            .output();
        assert_eq!((output.stderr.as_str(), output.status), ("", Some(0)));
        output.stdout
    };
    let solved = run(&["solve"]);
    assert_eq!(solved, run(&["solve", "--shortest"]));
    assert_eq!(solved, "escape in 4 moves: RSLU\n");
    let json = |command| -> serde_json::Value {
        serde_json::from_str(&run(&[command, "--json", "--no-timing"])).unwrap()
    };
    let (solved, checked) = (json("solve"), json("check"));
    assert_eq!(solved["moves"], serde_json::json!(["R", "S", "L", "U"]));
    assert_eq!(
        (&solved["length"], &checked["length"]),
        (&4.into(), &5.into())
    );
    assert_eq!(
        (&solved["states"], &checked["states"]),
        (&8.into(), &8.into())
    );
    assert!(run(&["trace"]).ends_with("escape in 4 moves\n"));
}

#[test]
fn a_line_that_could_not_be_shortened_comes_without_advice() {
    Run::new(&["solve", "--max-states", "10", "a.txt"])
        .file("a.txt", LURE)
        .stdout("escape in 5 moves: RRURD (perhaps not the shortest)\n")
        .check();
}

#[test]
fn jimmy_on_the_border_has_escaped_without_a_move() {
    Run::new(&["solve", "a.txt"])
        .file("a.txt", "og\n")
        .stdout("escape in 0 moves\n")
        .check();
}

#[test]
fn a_capture_has_status_1() {
    Run::new(&["solve", "a.txt"])
        .file("a.txt", TRAP)
        .stdout("caught\n")
        .status(1)
        .check();
}

#[test]
fn a_caught_hero_may_live_forever() {
    Run::new(&["solve", "a.txt"])
        .file("a.txt", WALLED)
        .stdout("caught: there is no way out, though the runner can stay alive forever\n")
        .status(1)
        .check();
    Run::new(&["solve", "a.txt"])
        .file("a.txt", CORNERED)
        .stdout("caught: there is no way out, and the runner can't stay alive\n")
        .status(1)
        .check();
}

#[test]
fn limits_make_it_undecided_with_status_3() {
    for (limit, value, line) in [
        ("--max-states", "0", "state limit reached after 0 states"),
        ("--max-states", "1", "state limit reached after 1 state"),
        ("--max-states", "3", "state limit reached after 3 states"),
        ("--timeout", "0", "timed out after 0 states"),
    ] {
        Run::new(&["solve", "a.txt", limit, value])
            .file("a.txt", STAIRS)
            .stdout(format!("undecided: {line}\n"))
            .status(3)
            .check();
    }
}

#[test]
fn a_limit_that_is_not_reached_changes_nothing() {
    Run::new(&["solve", "a.txt", "--max-states", "4", "--timeout", "600"])
        .file("a.txt", STAIRS)
        .stdout("escape in 4 moves: RDRD (perhaps not the shortest)\n")
        .check();
}

#[test]
fn the_worst_status_wins() {
    let run = |files: &[&str]| {
        let args = [&["solve", "--quiet", "--max-states", "2"], files].concat();
        Run::new(&args)
            .file("escape.txt", EXIT)
            .file("caught.txt", TRAP)
            .file("undecided.txt", STAIRS)
    };
    let missing = "error: missing.txt: no such file or directory\n\n";
    run(&["escape.txt", "escape.txt"]).status(0).check();
    run(&["caught.txt", "escape.txt"]).status(1).check();
    run(&["caught.txt", "undecided.txt", "escape.txt"])
        .status(3)
        .check();
    run(&["caught.txt", "missing.txt", "undecided.txt", "escape.txt"])
        .stderr(missing)
        .status(2)
        .check();
}

#[test]
fn several_files_give_each_line_a_name() {
    Run::new(&["solve", "b.txt", "sub/a.txt", "c.txt"])
        .file("sub/a.txt", EXIT)
        .file("b.txt", TRAP)
        .file("c.txt", format!("; name: the third\n{EXIT}"))
        .stdout(
            "b.txt: caught\n\
             sub/a.txt: escape in 1 move: D\n\
             c.txt (the third): escape in 1 move: D\n",
        )
        .status(1)
        .check();
}

#[test]
fn several_boards_give_each_line_a_name_or_number() {
    Run::new(&["solve", "a.txt"])
        .file(
            "a.txt",
            format!("{EXIT}\n; name: Nr 2\n{TRAP}; hi\n{WALLED}"),
        )
        .stdout(
            "a.txt#1: escape in 1 move: D\n\
             a.txt#2 (Nr 2): caught\n\
             a.txt#3: caught: there is no way out, though the runner can stay alive forever\n",
        )
        .status(1)
        .check();
}

#[test]
fn a_single_board_gets_no_name_even_if_it_has_one() {
    Run::new(&["solve", "a.txt"])
        .file("a.txt", format!("; name: one\n{EXIT}\n\n\n"))
        .stdout("escape in 1 move: D\n")
        .check();
}

#[test]
fn a_dash_is_standard_input() {
    Run::new(&["solve", "-"])
        .stdin(EXIT)
        .stdout("escape in 1 move: D\n")
        .check();
    Run::new(&["solve", "-"])
        .stdin(format!("{EXIT}\n{TRAP}"))
        .stdout("-#1: escape in 1 move: D\n-#2: caught\n")
        .status(1)
        .check();
    Run::new(&["solve", "a.txt", "-"])
        .file("a.txt", TRAP)
        .stdin(EXIT)
        .stdout("a.txt: caught\n-: escape in 1 move: D\n")
        .status(1)
        .check();
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn a_board_that_needs_more_memory_than_it_may_have_is_undecided_and_no_other_one() {
    let mut boards = endless();
    boards += "\n\n";
    boards += STAIRS;
    let args = [
        "solve",
        "--json",
        "--no-timing",
        "-j",
        "1",
        "--max-memory",
        "20MB",
        "a.txt",
    ];
    let output = Run::new(&args).file("a.txt", &boards).output();
    assert_eq!(output.status, Some(3));
    let answers: Vec<serde_json::Value> = output
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers[0]["limit"], "memory");
    assert!(answers[0]["states"].as_u64() > Some(1000), "{}", answers[0]);
    assert_eq!(answers[1]["verdict"], "escape");
    let output = Run::new(&["trace", "--max-memory", "20MB", "a.txt"])
        .file("a.txt", &boards)
        .output();
    assert_eq!(
        (&*output.stdout, output.status),
        ("undecided: memory limit reached\n", Some(3))
    );
}

#[test]
fn quiet_prints_no_verdicts_but_errors() {
    Run::new(&["solve", "-q", "a.txt", "b.txt"])
        .file("a.txt", TRAP)
        .file("b.txt", "")
        .stderr(
            "\
error: this input has no board
--> b.txt:1:1
 = help: add a board's rows, or name another file

",
        )
        .status(2)
        .check();
}

#[test]
fn verbose_prints_the_number_of_states() {
    Run::new(&["solve", "-v", "--no-timing", "a.txt"])
        .file("a.txt", STAIRS)
        .stdout("escape in 4 moves: RDRD (4 states)\n")
        .check();
    Run::new(&["solve", "--verbose", "--no-timing", "a.txt"])
        .file("a.txt", EXIT)
        .stdout("escape in 1 move: D (1 state)\n")
        .check();
}

#[test]
fn without_no_timing_verbose_has_the_time() {
    let output = Run::new(&["solve", "-v", "a.txt"])
        .file("a.txt", EXIT)
        .output();
    let line = output.stdout.strip_prefix("escape in 1 move: D (1 state, ");
    let time = line.and_then(|rest| rest.strip_suffix(")\n")).unwrap();
    let (number, unit) = time.split_once(' ').unwrap();
    assert!(number.parse::<f64>().is_ok(), "{time}");
    assert!(["us", "ms", "s"].contains(&unit), "{time}");
}

#[test]
fn shortest_finds_a_shortest_line() {
    Run::new(&["solve", "--shortest", "a.txt"])
        .file("a.txt", "#####\n#...#\n..o.#\n#####\n")
        .stdout("escape in 2 moves: LL\n")
        .check();
}

#[test]
fn colours_can_be_forced() {
    let colours = |args: &[&str]| Run::new(&[&["solve", "a.txt", "b.txt", "c.txt"], args].concat());
    let plain = "a.txt: escape in 1 move: D\nb.txt: caught\nc.txt: caught\n";
    let bright = "a.txt: \u{1b}[1m\u{1b}[32mescape\u{1b}[0m in 1 move: D\n\
                  b.txt: \u{1b}[1m\u{1b}[31mcaught\u{1b}[0m\n\
                  c.txt: \u{1b}[1mcaught\u{1b}[0m\n";
    let check = |run: Run, text| {
        run.file("a.txt", format!("; expect: escape\n{EXIT}"))
            .file("b.txt", format!("; expect: escape\n{TRAP}"))
            .file("c.txt", TRAP)
            .stdout(text)
            .status(1)
            .check();
    };
    check(colours(&[]), plain);
    check(colours(&["--color", "auto"]), plain);
    check(colours(&["--color", "always"]), bright);
    check(colours(&["--color=never"]), plain);
    check(colours(&[]).env("CLICOLOR_FORCE", "1"), bright);
    check(
        colours(&[]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"),
        plain,
    );
    check(
        colours(&["--color", "never"]).env("CLICOLOR_FORCE", "1"),
        plain,
    );
    check(colours(&["--color", "always"]).env("NO_COLOR", "1"), bright);
}

/// The library that prints errors has other colours on Windows.
#[cfg(unix)]
#[test]
fn errors_have_colours_if_forced() {
    Run::new(&["solve", "--color", "always", "none.txt"])
        .stderr(
            "\u{1b}[1m\u{1b}[91merror\u{1b}[0m\u{1b}[1m: none.txt: no such file or directory\
             \u{1b}[0m\n\n",
        )
        .status(2)
        .check();
}

#[test]
fn json_has_each_field() {
    let run =
        |text: &str| Run::new(&["solve", "--json", "--no-timing", "a.txt"]).file("a.txt", text);
    run(STAIRS)
        .stdout(
            "{\"path\":\"a.txt\",\"board\":0,\"ruleset\":\"jimmy\",\"verdict\":\"escape\",\
             \"moves\":[\"R\",\"D\",\"R\",\"D\"],\"length\":4,\"states\":4}\n",
        )
        .check();
    run("o\n")
        .stdout(
            "{\"path\":\"a.txt\",\"board\":0,\"ruleset\":\"jimmy\",\"verdict\":\"escape\",\
             \"moves\":[],\"length\":0,\"states\":0}\n",
        )
        .check();
    run(&format!("; name: n\n; expect: caught\n{TRAP}"))
        .stdout(
            "{\"path\":\"a.txt\",\"board\":0,\"name\":\"n\",\"ruleset\":\"jimmy\",\
             \"verdict\":\"caught\",\"states\":0,\"expect\":\"caught\",\"ok\":true}\n",
        )
        .status(1)
        .check();
    run(&format!("; expect: caught\n{EXIT}"))
        .stdout(
            "{\"path\":\"a.txt\",\"board\":0,\"ruleset\":\"jimmy\",\"verdict\":\"escape\",\
             \"moves\":[\"D\"],\"length\":1,\"states\":1,\"expect\":\"caught\",\"ok\":false}\n",
        )
        .check();
    run("H*\n")
        .stdout(
            "{\"path\":\"a.txt\",\"board\":0,\"ruleset\":\"baddies\",\"verdict\":\"escape\",\
             \"moves\":[\"d\"],\"length\":1,\"states\":1}\n",
        )
        .check();
    run(WALLED)
        .stdout(
            "{\"path\":\"a.txt\",\"board\":0,\"ruleset\":\"baddies\",\"verdict\":\"caught\",\
             \"survives\":true,\"states\":1}\n",
        )
        .status(1)
        .check();
    run(CORNERED)
        .stdout(
            "{\"path\":\"a.txt\",\"board\":0,\"ruleset\":\"baddies\",\"verdict\":\"caught\",\
             \"survives\":false,\"states\":1}\n",
        )
        .status(1)
        .check();
}

#[test]
fn json_of_an_undecided_board_has_neither_moves_nor_ok() {
    Run::new(&[
        "solve",
        "--json",
        "--no-timing",
        "--max-states",
        "1",
        "a.txt",
    ])
    .file("a.txt", format!("; expect: escape\n{STAIRS}"))
    .stdout(
        "{\"path\":\"a.txt\",\"board\":0,\"ruleset\":\"jimmy\",\"verdict\":\"undecided\",\
             \"states\":1,\"limit\":\"states\",\"expect\":\"escape\"}\n",
    )
    .status(3)
    .check();
}

#[test]
fn json_has_the_time_unless_disabled() {
    let output = Run::new(&["solve", "--json", "a.txt"])
        .file("a.txt", EXIT)
        .output();
    let value: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert!(value["micros"].is_u64(), "{value}");
}

#[test]
fn json_numbers_boards_and_counts_those_that_fail() {
    let output = Run::new(&["solve", "--json", "--no-timing", "a.txt"])
        .file("a.txt", format!("{EXIT}\n; ruleset: jimmy\n..\n\n{TRAP}"))
        .output();
    assert_eq!(
        output.stdout,
        "{\"path\":\"a.txt\",\"board\":0,\"ruleset\":\"jimmy\",\"verdict\":\"escape\",\
         \"moves\":[\"D\"],\"length\":1,\"states\":1}\n\
         {\"path\":\"a.txt\",\"board\":1,\"error\":{\"message\":\"no Jimmy (`o`) on this board; \
         add an `o`\",\"line\":6,\"column\":1}}\n\
         {\"path\":\"a.txt\",\"board\":2,\"ruleset\":\"jimmy\",\"verdict\":\"caught\",\
         \"states\":0}\n"
    );
    assert_eq!(output.status, Some(2));
}

#[test]
fn a_ruleset_overrides_headers_and_glyphs() {
    Run::new(&["solve", "--override", "ruleset=baddies", "a.txt"])
        .file("a.txt", "; ruleset: jimmy\nH*\n")
        .stdout("escape in 1 move: d\n")
        .check();
}

#[test]
fn an_unknown_ruleset_suggests_the_closest() {
    Run::new(&["solve", "--ruleset", "jimy", "a.txt"])
        .file("a.txt", EXIT)
        .stderr("error: unknown ruleset `jimy`: did you mean `jimmy`?\n\n")
        .status(2)
        .check();
    Run::new(&["check", "--ruleset", "Badies", "a.txt"])
        .file("a.txt", EXIT)
        .stderr("error: unknown ruleset `Badies`: did you mean `baddies`?\n\n")
        .status(2)
        .check();
}

#[test]
fn a_search_that_has_all_threads_finds_the_same() {
    let large = "\
; ruleset: dungeon
; radius: 4
----------------
|P....|XX|.....|
|.....D..D..G..|
|.....|XX|.....|
|.....|XX|.....|
---D------..E..|
XXX..XXXX|..G..|
XXXX.....D.....|
XXXXXXXXX-------
";
    let small = "\
; ruleset: dungeon
; radius: 2
----------
|P..|XX|.|
|...D..DG|
---D---..|
XXX..XX|E|
XXXX...DG|
XXXXXX----
";
    let level = sized(small, large);
    let run = |threads: &str| {
        let args = ["solve", "--json", "--no-timing", "-j", threads, "a.txt"];
        Run::new(&args).file("a.txt", level).output()
    };
    let alone = run("1");
    assert!(alone.stdout.contains("\"verdict\":\"escape\""), "{alone:?}");
    assert_eq!(alone.stdout, run("3").stdout);
}

#[test]
fn a_wrong_command_line_has_status_2() {
    for args in [
        &["solv", "a.txt"][..],
        &["solve", "--nonsense", "a.txt"],
        &["solve", "--max-states", "-1", "a.txt"],
        &["solve", "--max-states", "many", "a.txt"],
        &["solve", "--timeout=-1", "a.txt"],
        &["solve", "--timeout", "soon", "a.txt"],
        &["solve", "--threads", "x", "a.txt"],
        &["solve", "--color", "pink", "a.txt"],
        &["solve", "--quiet", "--json", "a.txt"],
        &["check"],
        &["trace"],
        &["trace", "a.txt", "b.txt"],
    ] {
        let output = Run::new(args).file("a.txt", EXIT).output();
        assert_eq!(output.status, Some(2), "{args:?}");
        assert_eq!(output.stdout, "", "{args:?}");
        assert!(output.stderr.starts_with("error: "), "{args:?}: {output:?}");
    }
    let output = Run::new(&[]).output();
    assert_eq!(output.status, Some(2));
    assert!(output.stderr.contains("Usage: getaway"), "{output:?}");
}

#[test]
fn jimmy_may_go_back_with_revisit_and_the_verdict_stays() {
    Run::new(&["solve", "a.txt"])
        .file("a.txt", format!("; revisit: true\n{STAIRS}"))
        .stdout("escape in 4 moves: RDRD\n")
        .check();
}

#[test]
fn a_board_is_addressed_by_its_number_or_id() {
    let boards = "{\"id\": \"left\", \"rows\": [\"o\"]}\n{\"rows\": [\"x\"]}\n\
                  {\"id\": \"right\", \"rows\": [\"###\", \"#o#\", \"###\"]}\n";
    let run = |address: &str| Run::new(&["solve", address]).file("a.jsonl", boards);
    for (address, line) in [
        ("a.jsonl#1", "a.jsonl#1 (left): escape in 0 moves\n"),
        ("a.jsonl#left", "a.jsonl#1 (left): escape in 0 moves\n"),
        ("a.jsonl#3", "a.jsonl#3 (right): caught\n"),
        ("a.jsonl#right", "a.jsonl#3 (right): caught\n"),
    ] {
        let status = i32::from(line.contains("caught"));
        run(address).stdout(line).status(status).check();
    }
    for (address, message) in [
        ("a.jsonl#4", "there is no board 4: the file has 3 boards"),
        (
            "a.jsonl#up",
            "there is no board with the id or name `up` among its 3 boards",
        ),
    ] {
        run(address)
            .stderr(format!("error: a.jsonl: {message}\n\n"))
            .status(2)
            .check();
    }
    Run::new(&["solve", "a.jsonl#3", "b.txt#2", "b.txt"])
        .file("a.jsonl", boards)
        .file("b.txt", format!("; name: first\n{TRAP}\n{EXIT}"))
        .stdout(
            "a.jsonl#3 (right): caught\nb.txt#2: escape in 1 move: D\n\
             b.txt#1 (first): caught\nb.txt#2: escape in 1 move: D\n",
        )
        .status(1)
        .check();
}

#[test]
fn json_numbers_boards_from_0_wherever_they_are_addressed_from() {
    Run::new(&["solve", "--json", "--no-timing", "a.txt#2"])
        .file("a.txt", format!("{TRAP}\n{EXIT}"))
        .stdout(
            "{\"path\":\"a.txt\",\"board\":1,\"ruleset\":\"jimmy\",\"verdict\":\"escape\",\
             \"moves\":[\"D\"],\"length\":1,\"states\":1}\n",
        )
        .check();
}

#[test]
fn without_a_file_standard_input_is_read() {
    Run::new(&["solve"])
        .stdin(EXIT)
        .stdout("escape in 1 move: D\n")
        .check();
}

/// A level that the player can escape only with luck, because of the ghost.
const LEVEL: &str = "---------\n|P.....E|\n|...G...|\n|.......|\n---------\n";

#[test]
fn a_way_out_stays_one_whatever_limit_follows() {
    let output = Run::new(&["solve", "--max-states", "1", "a.txt"])
        .file("a.txt", LEVEL)
        .output();
    let bounds = output.stdout.strip_prefix("escape, probability ").unwrap();
    let bounds = bounds.strip_suffix(": state limit reached after 1 state\n");
    assert!(bounds.unwrap().ends_with("1.000000"), "{}", output.stdout);
    assert_eq!((output.status, &*output.stderr), (Some(0), ""));
}

#[test]
fn json_has_the_verdict_beside_the_limit() {
    let output = Run::new(&["check", "--json", "--max-states", "1", "a.txt"])
        .file("a.txt", format!("; expect: escape\n{LEVEL}"))
        .output();
    let answer: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(answer["verdict"], "escape");
    assert_eq!(answer["limit"], "states");
    assert_eq!(answer["ok"], true);
    for unknown in ["certain", "probability"] {
        assert!(answer.get(unknown).is_none(), "{answer}");
    }
    let bound = |at: usize| answer["bounds"][at].as_f64().unwrap();
    assert!(0.0 < bound(0) && bound(0) < 1.0, "{answer}");
    assert_eq!(bound(1).to_bits(), 1.0_f64.to_bits());
    assert_eq!(output.status, Some(0));
}

#[test]
fn an_explanation_says_which_players_are_needed() {
    let level = "; strategy: chase\n-------\n|PG |K|\n| ZPD |\n|   |E|\n-------\n";
    let output = Run::new(&["solve", "--explain", "a.txt"])
        .file("a.txt", level)
        .output();
    let explained = output.stdout;
    let end = "\
  `P` at 2,2 is needed as a decoy: probability 0.603516 without it, 1.000000 if it is only a decoy
  `P` at 3,4 is needed to escape: probability 0.000000 without it, 0.000729 if it is only a decoy
  (a decoy stands in the way or is chased; it never takes the key, and escapes only if all have to)
";
    assert!(explained.ends_with(end), "{explained}");
}
