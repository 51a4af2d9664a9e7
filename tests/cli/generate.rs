//! `generate` and `mutate`.

use std::fs;

use serde_json::Value;

use crate::boards::TRAP;
use crate::run::Run;

#[track_caller]
fn printed(args: &[&str]) -> String {
    let output = Run::new(args).output();
    assert_eq!(
        (output.status, output.stderr.as_str()),
        (Some(0), ""),
        "{args:?}"
    );
    output.stdout
}

/// Returns the command in the header `made by`.
fn made_by(board: &str) -> Option<Vec<&str>> {
    let mut lines = board.lines();
    let command = lines.find_map(|line| line.strip_prefix("; made by: getaway "))?;
    Some(command.split(' ').collect())
}

#[test]
fn dungeons_have_the_requested_number_of_players() {
    let all = ["generate", "dungeon", "--players", "3", "--set", "goal=all"];
    let board = printed(&[&all[..], &["--seed", "1"]].concat());
    assert_eq!(board.matches('P').count(), 3, "{board}");
    assert!(board.contains("\n; goal: all\n"), "{board}");
    Run::new(&["check", "--strict", "--quiet", "-"])
        .stdin(&board)
        .check();
    for (args, why) in [
        (["dungeon", "--players", "5"], "must be 1 to 4"),
        (["jimmy", "--players", "2"], "only to those of `dungeon`"),
    ] {
        let output = Run::new(&[&["generate"], &args[..]].concat()).output();
        assert_eq!(output.status, Some(2));
        assert!(output.stderr.contains(why), "{}", output.stderr);
    }
}

#[test]
fn boards_of_the_suite_are_made_again_by_their_headers() {
    for level in [
        "jimmy-easy-test",
        "jimmy-hard-test",
        "baddies-easy-test",
        "maze-easy-test",
        "theseus-easy-test",
        "dungeon-hard-train",
    ] {
        let boards = fs::read_to_string(format!("puzzles/suite/{level}.txt")).unwrap();
        for board in boards.split_inclusive("\n\n") {
            let mut command = made_by(board).expect(board);
            // Without a limit on time, the board depends on the seed alone.
            command.extend(["--timeout", "3600"]);
            let made = printed(&command);
            let expect = "; expect: escape\n; probability of escape: ";
            assert_eq!(made.replace(expect, "; expect: "), board);
        }
    }
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn boards_of_every_ruleset_pass_check_and_are_made_again_by_their_headers() {
    let (count, number) = ("4", 4);
    for ruleset in ["jimmy", "baddies", "maze", "dungeon", "theseus"] {
        let boards = printed(&["generate", ruleset, "--seed", "11", "--count", count]);
        Run::new(&["check", "--strict", "--quiet", "-"])
            .stdin(&boards)
            .check();
        let one = boards.split_inclusive("\n\n").nth(1).unwrap();
        assert_eq!(printed(&made_by(one).expect(one)), one);
        let lines = printed(&[
            "generate", ruleset, "--seed", "11", "--count", count, "--json",
        ]);
        Run::new(&["check", "--strict", "--quiet", "-"])
            .stdin(&lines)
            .check();
        assert_eq!(lines.lines().count(), number);
        let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
        assert_eq!(first["ruleset"], ruleset);
    }
}

#[test]
fn criteria_are_repeated_in_the_header() {
    let args = [
        "generate",
        "jimmy",
        "--seed",
        "3",
        "--rows",
        "5",
        "--cols",
        "6",
        "--min-moves",
        "5",
        "--ghosts",
        "1..2",
        "--unique",
        "--minimal",
    ];
    let board = printed(&args);
    let made = "; made by: getaway generate jimmy --rows 5 --cols 6 --min-moves 5 --unique --minimal \
                --ghosts 1..2 --seed 3\n";
    assert!(board.contains(made), "{board}");
    assert!(board.contains("; shortest lines of play: 1\n"), "{board}");
    Run::new(&["check", "--strict", "--quiet", "-"])
        .stdin(&board)
        .check();
    let again: Vec<&str> = made.trim_end().split(' ').skip(4).collect();
    assert_eq!(printed(&again), board);
}

#[test]
fn the_file_name_sets_the_format() {
    let mut run = Run::new(&[
        "generate",
        "theseus",
        "--seed",
        "1",
        "-n",
        "2",
        "-o",
        "boards.jsonl",
    ]);
    let output = run.output();
    assert_eq!((output.stdout.as_str(), output.status), ("", Some(0)));
    let text = fs::read_to_string(run.path().join("boards.jsonl")).unwrap();
    assert_eq!(text.lines().count(), 2);
    assert_eq!(
        text,
        printed(&["generate", "theseus", "--seed", "1", "-n", "2", "--json"])
    );
    Run::new(&["generate", "theseus", "-o", "no/such/file"])
        .stderr("error: no/such/file: no such file or directory\n\n")
        .status(2)
        .check();
}

#[test]
fn impossible_criteria_are_errors() {
    for (args, message) in [
        (
            &["jimmi"][..],
            "unknown ruleset `jimmi`: did you mean `jimmy`?",
        ),
        (
            &["jimmy", "--bats", "1"],
            "boards of `jimmy` have no `bats`; they have `ghosts`",
        ),
        (
            &["jimmy", "--rows", "5", "--cols", "5", "--ghosts", "25"],
            "there is no room for 25 on this board, only for 24: make it larger",
        ),
        (
            &["jimmy", "--rows", "5", "--cols", "5", "--min-moves", "10"],
            "no board of this size has a shortest way out of 10 moves: the maximum is 9",
        ),
    ] {
        let args = [&["generate"], args].concat();
        Run::new(&args)
            .stderr(format!("error: {message}\n\n"))
            .status(2)
            .check();
    }
}

#[test]
fn criteria_that_no_board_of_a_small_size_meets_are_errors() {
    Run::new(&["generate", "theseus", "--rows", "2", "--cols", "2", "--min-moves", "3"])
        .stderr(
            "error: none of the 96 possible boards meets the criteria: relax them, or make the board larger\n\n",
        )
        .status(2)
        .check();
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn an_unsuccessful_search_prints_the_best_board_found() {
    // No board of this size has a ghost that matters and a shortest way out of nine moves.
    let args = [
        "generate",
        "jimmy",
        "--rows",
        "5",
        "--cols",
        "5",
        "--ghosts",
        "1",
        "--min-moves",
        "9",
        "--seed",
        "1",
    ];
    let (board, said) = best_found(&args);
    assert_eq!(
        said,
        "timed out after 0 boards of 1; the best of the next does not meet the criteria: relax them, or allow more time \
         (`--timeout`)\n"
    );
    assert!(board.contains("; criteria not met: the best found, timed out\n"));
    Run::new(&["check", "--strict", "--quiet", "-"])
        .stdin(&board)
        .check();
    let few = [
        "generate",
        "jimmy",
        "--rows",
        "3",
        "--cols",
        "3",
        "--ghosts",
        "0",
        "--density",
        "0",
        "--verdict",
        "any",
        "--count",
        "50",
        "--seed",
        "1",
    ];
    let output = Run::new(&few).output();
    assert_eq!(output.status, Some(3));
    assert!(
        output.stderr.contains("of 50: no new board in the next 2,"),
        "{}",
        output.stderr
    );
}

/// Returns the output and the messages of a search whose criteria can't be met, with a timeout long enough to find some board.
fn best_found(args: &[&str]) -> (String, String) {
    let nothing = "timed out after 0 boards of 1; ask for smaller boards or less on them, or allow more time (`--timeout`)\n";
    let run = |seconds: u32| {
        let timeout = seconds.to_string();
        let output = Run::new(&[args, &["--timeout", &timeout]].concat()).output();
        assert_eq!(output.status, Some(3), "{args:?}: {}", output.stderr);
        (output.stdout, output.stderr)
    };
    let mut runs = [1, 8, 64].into_iter().map(run);
    let found = runs.find(|(_, said)| said != nothing);
    found.expect("a minute is enough to draw a board")
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn an_unreachable_length_gives_the_best_board_or_an_error() {
    for (ruleset, moves) in [("baddies", "999"), ("theseus", "999"), ("maze", "53")] {
        let size = ["--rows", "6", "--cols", "9"];
        let (board, said) =
            best_found(&[&["generate", ruleset, "--min-moves", moves][..], &size].concat());
        assert_eq!(
            said,
            "timed out after 0 boards of 1; the best of the next does not meet the criteria: relax them, or allow more time \
         (`--timeout`)\n",
            "{ruleset}"
        );
        let best = "; criteria not met: the best found, timed out\n";
        assert!(board.contains(best), "{ruleset}: {board}");
    }
    for (ruleset, why) in [
        (
            "jimmy",
            "no board of this size has a shortest way out of 999 moves: the maximum is 64",
        ),
        (
            "maze",
            "no board of this size has a shortest way out of 999 moves: the maximum is 186",
        ),
        (
            "dungeon",
            "`min-moves` does not apply to boards of `dungeon`",
        ),
    ] {
        let output = Run::new(&["generate", ruleset, "--min-moves", "999"]).output();
        assert_eq!(output.status, Some(2), "{ruleset}");
        assert!(output.stderr.contains(why), "{}", output.stderr);
    }
}

/// A board on which Jimmy escapes to the left; up is a dead end.
const BOARD: &str = "\
; name: left or up
######
#.##.#
..o..#
#.##.#
###g##
";

#[test]
fn variants_keep_or_flip_the_verdict_the_hardest_first() {
    let run = |args: &[&str]| {
        let mut run =
            Run::new(&[&["mutate", "board.txt", "--json"], args].concat()).file("board.txt", BOARD);
        let output = run.output();
        assert_eq!((output.status, output.stderr.as_str()), (Some(0), ""));
        let lines = output
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        let boards: Vec<Value> = lines.collect();
        Run::new(&["check", "--strict", "--quiet", "-"])
            .stdin(&output.stdout)
            .check();
        boards
    };
    let kept = run(&["-n", "1000"]);
    assert!(kept.iter().all(|board| board["expect"] == "escape"));
    let moves: Vec<u64> = kept
        .iter()
        .map(|board| board["shortest escape"].as_u64().unwrap())
        .collect();
    assert!(moves.is_sorted_by(|a, b| a >= b), "{moves:?}");
    assert!(moves[0] > 2 && *moves.last().unwrap() > 0);
    let flipped = run(&["--flip", "-n", "1000"]);
    assert!(flipped.iter().all(|board| board["expect"] == "caught"));
    let closed = "wall added at 3,1";
    assert!(flipped.iter().any(|board| board["one change"] == closed));
    let own: Vec<u8> = BOARD.lines().skip(1).flat_map(str::bytes).collect();
    for board in kept.iter().chain(&flipped) {
        let rows: String = board["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row.as_str().unwrap())
            .collect();
        let differ = rows.bytes().zip(&own).filter(|(a, b)| a != *b).count();
        assert!((1..=2).contains(&differ), "{board}");
    }
}

#[test]
fn caught_boards_have_no_first_moves_and_no_difficulty() {
    for by in ["first-moves", "difficulty"] {
        let mut run =
            Run::new(&["mutate", "--by", by, "-n", "3", "board.txt"]).file("board.txt", TRAP);
        let output = run.output();
        assert_eq!(output.status, Some(0), "{}", output.stderr);
        // Without a wall beside him, Jimmy could escape. So the only variant lacks a corner; all corners are equivalent.
        assert_eq!(output.stdout.matches("; expect: caught\n").count(), 1);
        for words in ["first moves", "difficulty", "shortest"] {
            assert!(!output.stdout.contains(words), "{}", output.stdout);
        }
    }
}

#[test]
fn a_board_that_no_change_flips_has_no_variants() {
    // There are two walls in every direction, and a change removes only one.
    Run::new(&["mutate", "--flip", "board.txt"])
        .file("board.txt", "#####\n#####\n##o##\n#####\n#####\n")
        .stderr("no single change flips the verdict\n")
        .status(1)
        .check();
    Run::new(&["mutate", "--by", "probability", "board.txt"])
        .file("board.txt", BOARD)
        .stderr("error: board.txt: `probability` does not apply to boards of `jimmy`, only to those of `dungeon`\n\n")
        .status(2)
        .check();
}

#[test]
fn variants_that_take_too_long_are_skipped_and_counted() {
    let board = "; strategy: cooldown\n; cooldown: 255\n-----\n|P.G|\n|.E.|\n-----\n";
    let output = Run::new(&["mutate", "--max-states", "50", "board.txt"])
        .file("board.txt", board)
        .output();
    assert_eq!(output.status, Some(0), "{}", output.stderr);
    assert_eq!(
        output.stderr,
        "skipped 2 variants that needed too many states or too much memory (`--max-states`)\n"
    );
    assert!(output.stdout.contains("; one change: "));
}

#[test]
fn settings_are_numbers_and_booleans_in_json() {
    let made = |args: &[&str]| {
        let output = Run::new(&[&["generate", "--json", "--seed", "1"], args].concat()).output();
        serde_json::from_str::<serde_json::Value>(&output.stdout).unwrap()
    };
    let board = made(&["jimmy", "--set", "revisit=true"]);
    assert_eq!(board["revisit"], true);
    let settings = ["--set", "radius=4", "--set", "strategy=cooldown"];
    let calm = ["dungeon", "--ghosts", "0", "--zombies", "0"];
    let level = made(&[&calm[..], &settings].concat());
    assert_eq!(
        (&level["radius"], &level["strategy"]),
        (&4.into(), &"cooldown".into())
    );
}

/// For the difficulty, the search has to know how long the runner survives losing moves, which may take more states than the
/// answer.
#[test]
fn a_bounded_difficulty_is_marked_and_meets_no_criterion() {
    let made = |args: &[&str]| {
        let base = [
            "generate",
            "jimmy",
            "--unique",
            "--max-states",
            "40",
            "--seed",
            "1",
        ];
        Run::new(&[&base, args].concat()).output().stdout
    };
    let bounded = "; difficulty in bits: at most ";
    assert!(made(&[]).contains(bounded));
    let json: serde_json::Value = serde_json::from_str(&made(&["--json"])).unwrap();
    let bits = json["difficulty in bits"].as_str().unwrap();
    assert!(bits.starts_with("at most "), "{bits}");
    let wished = made(&["--difficulty", "3..20"]);
    assert!(
        wished.contains("; difficulty in bits: ") && !wished.contains(bounded),
        "{wished}"
    );
}

#[test]
fn the_sample_of_each_ruleset_has_variants() {
    for entry in getaway::RULESETS {
        let sample = Run::new(&["rules", entry.name, "--sample"]).output().stdout;
        let output = Run::new(&["mutate", "-", "--max-states", "300"])
            .stdin(&sample)
            .output();
        assert!(matches!(output.status, Some(0 | 3)), "{}", output.stderr);
    }
}

#[test]
fn a_difficulty_has_a_name_as_in_play() {
    for (ruleset, header, is_easy) in [
        ("jimmy", "difficulty in bits", (2.0..=4.0)),
        ("dungeon", "probability of escape", (0.7..=0.95)),
    ] {
        let args = ["generate", ruleset, "--seed", "1", "--difficulty", "easy"];
        let output = Run::new(&args).output();
        assert!(
            output.stdout.contains("--difficulty easy --seed"),
            "{output:?}"
        );
        let line = output.stdout.lines().find(|line| line.contains(header));
        let value = line.unwrap().rsplit(' ').next().unwrap();
        assert!(is_easy.contains(&value.parse::<f64>().unwrap()), "{line:?}");
    }
}

#[test]
fn a_probability_may_be_a_single_number() {
    let sized = ["generate", "dungeon", "--rows", "4", "--cols", "7"];
    let wanted = [
        "--ghosts",
        "0",
        "--zombies",
        "2",
        "--probability",
        "0.5",
        "--seed",
        "1",
    ];
    let board = printed(&[&sized[..], &wanted].concat());
    assert!(board.contains("; probability of escape: 0.5\n"), "{board}");
    assert!(!board.contains("criteria not met"), "{board}");
}
