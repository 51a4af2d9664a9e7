//! Programs as agents: they play the runner, or lead chasers, which means that they choose the moves of chasers.

#![cfg(unix)]

mod answers;
pub mod misbehaving;
mod starters;

use crate::run::Run;

pub use crate::run::FIRST_LEGAL;

pub const CORRIDOR: &str = "#####\n#o...\n#####\n";

pub const PATIENT: [&str; 4] = ["--start-timeout", "60", "--move-timeout", "60"];

const LEVEL: &str = "; ruleset: dungeon\n\
    -----XX-----\n\
    |P..|XX|..G|\n\
    |..ZDXX|..K|\n\
    |..E|XX|...|\n\
    -----XX-----\n";

fn run(args: &[&str], board: &str) -> Run {
    let args: Vec<_> = ["simulate", "a.txt", "--seed", "1"]
        .iter()
        .chain(args)
        .chain(&PATIENT)
        .copied()
        .collect();
    Run::new(&args)
        .file("a.txt", board)
        .file("first.sh", FIRST_LEGAL)
}

#[test]
fn a_program_runs() {
    run(&["--runner", "sh first.sh", "--compact"], CORRIDOR)
        .stdout(
            "\
a.txt
one game, seed 1 (places are row,column from 1)

  #####
  #o...
  #####

turn  move  who goes where
   1  R     o 2,2>2,3
   2  R     o 2,3>2,4
   3  R     o 2,4>2,5

escape in 3 moves
",
        )
        .check();
}

#[test]
fn messages_to_a_program_follow_the_protocol() {
    let mut run = run(&["--runner", "sh tee.sh"], "####\n#o.#\ng..#\n##.#\n")
        .file("tee.sh", "tee said.txt | sh first.sh");
    assert_eq!(run.output().status, Some(1));
    let said = std::fs::read_to_string(run.path().join("said.txt")).unwrap();
    let said: Vec<serde_json::Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds: Vec<_> = said.iter().map(|line| &line["type"]).collect();
    assert_eq!(kinds, ["hello", "start", "move", "end", "bye"]);
    assert_eq!(said[0]["protocol"], 1);
    let start = &said[1];
    for (key, expected) in [
        ("ruleset", serde_json::json!("jimmy")),
        ("role", "runner".into()),
        ("settings", serde_json::json!({})),
        ("turns", 1000.into()),
        ("move_timeout", 60.0.into()),
        ("rows", serde_json::json!(["####", "#o.#", "g..#", "##.#"])),
        (
            "actors",
            serde_json::json!([
                {"id": 0, "glyph": "o", "at": [1, 1]}, {"id": 1, "glyph": "g", "at": [2, 0]}
            ]),
        ),
    ] {
        assert_eq!(start[key], expected, "{key}");
    }
    assert!(start["seed"].as_u64().unwrap() < 1 << 53);
    // Both go right, so the ghost is still below Jimmy, who has no legal move left.
    let first = serde_json::json!({
        "type": "move", "role": "runner", "actor": 0, "turn": 1, "legal": ["R"],
        "rows": ["####", "#o.#", ".g.#", "##.#"],
        "actors": [
            {"id": 0, "glyph": "o", "at": [1, 1]}, {"id": 1, "glyph": "g", "at": [2, 1]}
        ]
    });
    assert_eq!(said[2], first);
    let end = serde_json::json!({
        "type": "end", "result": "caught", "turns": 1, "reason": "trapped: no legal move is left"
    });
    assert_eq!(said[3], end);
}

/// The program lets the zombie wait. By its own rules, this zombie would have to move.
#[test]
fn a_program_leads_only_its_roles() {
    let stay = FIRST_LEGAL.replace("${legal%%\\\"*}", ".");
    let mut run = run(
        &[
            "--policy",
            "stay",
            "--zombie",
            "sh stay.sh",
            "--turns",
            "12",
            "--json",
        ],
        LEVEL,
    )
    .file("stay.sh", stay);
    let output = run.output();
    assert_eq!(output.stderr, "");
    let halves: Vec<serde_json::Value> = output
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let events = halves.iter().filter_map(|half| half["events"].as_array());
    let of = |glyph: &str| -> Vec<_> {
        let own = events
            .clone()
            .flatten()
            .filter(|event| event["actor"] == glyph);
        own.map(|event| event["from"] == event["to"]).collect()
    };
    assert!(
        !of("Z").is_empty() && !of("Z").contains(&false),
        "{}",
        output.stdout
    );
    assert!(of("G").contains(&false), "{}", output.stdout);
}

/// The program plays the first legal move of each monster, which is to stay, so only the bat moves.
#[test]
fn monsters_can_be_controlled_in_baddies() {
    run(
        &[
            "--policy",
            "stay",
            "--monster",
            "sh first.sh",
            "--turns",
            "2",
            "--compact",
        ],
        "H.mM.*\n......\n...~..\n",
    )
    .stdout(
        "\
a.txt
one game, seed 1 (places are row,column from 1)

  --------
  |H mM *|
  |      |
  |   ~  |
  --------

turn  move  who goes where
   1  s     ~ 3,4>3,1
   2  s     -

unfinished after 2 moves
",
    )
    .check();
}

#[test]
fn a_role_that_the_ruleset_does_not_have_is_an_error() {
    run(&["--ghost", "sh first.sh"], CORRIDOR)
        .stderr(
            "error: a.txt: no program can play the role `ghost` here: the roles are `runner`\n\n",
        )
        .status(2)
        .check();
}

#[test]
fn each_of_several_players_may_have_its_own_program() {
    let board = "; ruleset: dungeon\n-------\n|P.P.E|\n-------\n";
    let mut both = run(&["--runner", "sh a.sh + sh b.sh", "--turns", "2"], board)
        .file("a.sh", "tee a.said | sh first.sh")
        .file("b.sh", "tee b.said | sh first.sh");
    assert_eq!(both.output().status, Some(0));
    for (said, actor) in [("a.said", 0), ("b.said", 1)] {
        let said = std::fs::read_to_string(both.path().join(said)).unwrap();
        let moves = said
            .lines()
            .filter(|line| line.contains(r#""type":"move""#));
        let own = format!(r#""actor":{actor},"#);
        let is_own: Vec<_> = moves.map(|line| line.contains(&own)).collect();
        assert_eq!(is_own, [true; 2], "{said}");
    }
    run(&["--runner", "sh a.sh + sh b.sh + sh c.sh"], board)
        .stderr("error: a.txt: 3 programs for 2 players: give one for all, or one for each\n\n")
        .status(2)
        .check();
}

#[test]
fn a_runners_program_is_asked_nothing_without_a_runner() {
    let board = "; ruleset: dungeon\n-----\n|G..|\n-----\n";
    let mut alone = run(&["--runner", "sh a.sh", "--turns", "2"], board)
        .file("a.sh", "tee a.said | sh first.sh");
    assert_eq!(alone.output().status, Some(0));
    let said = std::fs::read_to_string(alone.path().join("a.said")).unwrap();
    assert!(said.contains(r#""type":"start""#), "{said}");
    assert!(!said.contains(r#""type":"move""#), "{said}");
}

#[test]
fn a_program_that_is_not_there_is_an_error() {
    for runs in [&[][..], &["--runs", "5"]] {
        let args = [&["--runner", "./nobody"], runs].concat();
        let output = run(&args, CORRIDOR).output();
        let expected =
            "the runner's agent (`./nobody`) can't be started: No such file or directory";
        assert!(output.stderr.contains(expected), "{}", output.stderr);
        assert_eq!((output.stdout.as_str(), output.status), ("", Some(2)));
    }
}

fn table(args: &[&str], threads: &str) -> String {
    let base = ["--runs", "40", "--turns", "60", "-j", threads];
    let output = run(&[&base, args].concat(), LEVEL).output();
    assert_eq!((output.stderr.as_str(), output.status), ("", Some(0)));
    output.stdout
}

#[test]
fn the_same_seed_gives_the_same_statistics_on_any_number_of_threads() {
    let all = ["--runner", "sh first.sh", "--zombie", "sh first.sh"];
    let alone = table(&all, "1");
    assert!(
        alone.starts_with("40 games, policy sh first.sh, seed 1\n"),
        "{alone}"
    );
    assert_eq!(alone, table(&all, "3"));
}
