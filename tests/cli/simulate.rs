//! `getaway simulate` and games of chance.

use crate::boards::{EXIT, WALLED};
use crate::run::Run;

/// A level that the player escapes with probability 0.299701 under best play, as an independent program computed.
pub const LUCK: &str = "; ruleset: dungeon\n\
    - - - - X X X - - - -\n\
    |     | E     D   Z |\n\
    |     |   X X |     G\n\
    - D - -   X X |    P|\n\
    X         X X - - - -\n\
    X X X X X X X X X X X\n";

fn statistics(args: &[&str], board: &str) -> serde_json::Value {
    let args: Vec<&str> = ["simulate", "a.txt", "--json"]
        .iter()
        .chain(args)
        .copied()
        .collect();
    let output = Run::new(&args).file("a.txt", board).output();
    assert_eq!(output.stderr, "");
    serde_json::from_str(&output.stdout).unwrap()
}

#[test]
fn one_game_is_traced_with_its_seed() {
    Run::new(&["simulate", "a.txt", "--seed", "7"])
        .file("a.txt", EXIT)
        .stdout(
            "\
a.txt
one game, seed 7 (places are row,column from 1)

start
  ###
  #o#
  #.#

turn 1, Jimmy D: o 2,2 -> 3,2
  ###
  #.#
  #o#

escape in 1 move
",
        )
        .check();
}

#[test]
fn a_fresh_seed_is_printed() {
    let output = Run::new(&["simulate", "a.txt"])
        .file("a.txt", EXIT)
        .output();
    let seed = output
        .stdout
        .split("one game, seed ")
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap();
    assert!(seed.parse::<u64>().is_ok(), "{}", output.stdout);
}

#[test]
fn many_games_add_up_in_text() {
    Run::new(&[
        "simulate", "a.txt", "--seed", "1", "--runs", "200", "--turns", "5",
    ])
    .file("a.txt", WALLED)
    .stdout(
        "\
200 games, policy solver, seed 1
escaped 0 (0.00%, 95% confidence interval 0.00% to 1.88%)
caught 0
unfinished 200
over all games, finished or not: escaped 0.00% to 100.00%
200 games cut off by the turn limit: raise `--turns`
turns 5.00 on average, median 5, from 5 to 5
",
    )
    .check();
}

#[test]
fn games_at_the_turn_limit_are_not_losses() {
    let args = [
        "--seed", "1", "--runs", "400", "--policy", "random", "--turns", "2",
    ];
    let games = statistics(&args, LUCK);
    let number = |key: &str| games[key].as_f64().unwrap();
    let (escaped, caught, open) = (number("escaped"), number("caught"), number("open"));
    assert!(caught > 0.0 && open > 0.0, "{games}");
    assert_eq!(
        (number("finished"), escaped + caught + open),
        (escaped + caught, 400.0)
    );
    assert_eq!(games["rate"], escaped / 400.0);
    assert_eq!(games["rate_finished"], escaped / (escaped + caught));
    assert_eq!(
        games["bounds"],
        serde_json::json!([escaped / 400.0, (escaped + open) / 400.0])
    );
    let output = Run::new(
        &["simulate", "a.txt"]
            .iter()
            .chain(&args)
            .copied()
            .collect::<Vec<_>>(),
    )
    .file("a.txt", LUCK)
    .output();
    let hint = format!("{open} games cut off by the turn limit: raise `--turns`");
    assert!(output.stdout.contains(&hint), "{}", output.stdout);
    assert!(
        output.stdout.contains(&format!("\nunfinished {open}\n")),
        "{}",
        output.stdout
    );
}

#[test]
fn a_time_limit_ends_the_games_and_reports_their_number() {
    let args = [
        "simulate",
        "a.txt",
        "--runs",
        "1000000000",
        "--timeout",
        "0.3",
    ];
    let output = Run::new(&args).file("a.txt", EXIT).output();
    assert_eq!(output.status, Some(3));
    assert!(
        output.stderr.starts_with("timed out after "),
        "{}",
        output.stderr
    );
    assert!(output.stdout.contains("escaped "), "{}", output.stdout);
}

#[test]
fn too_many_players_are_refused_with_an_alternative() {
    let five = "-------\n|PPPPP|\n|.....|\n-------\n";
    Run::new(&["trace", "a.txt"])
        .file("a.txt", five)
        .stderr(
            "error: a.txt: `solve` needs at most 4 players (`P`), not 5: give the moves to play (`--moves`), or use a policy other than `solver`\n\n",
        )
        .status(2)
        .check();
    for args in [
        &["trace", "a.txt", "--moves", "D,D,D,D,D"][..],
        &["simulate", "a.txt", "--policy", "random"],
    ] {
        assert_ne!(
            Run::new(args).file("a.txt", five).output().status,
            Some(2),
            "{args:?}"
        );
    }
}

#[test]
fn the_number_of_threads_changes_no_figure() {
    let args = ["--seed", "11", "--runs", "3000", "--policy", "random", "-j"];
    let with = |threads: &'static str| {
        statistics(
            &args.iter().copied().chain([threads]).collect::<Vec<_>>(),
            LUCK,
        )
    };
    assert_eq!(with("1"), with("4"));
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn the_share_of_escapes_agrees_with_the_probability() {
    let solved = Run::new(&["solve", "--json", "a.txt"])
        .file("a.txt", LUCK)
        .output();
    let solved: serde_json::Value = serde_json::from_str(&solved.stdout).unwrap();
    let probability = solved["probability"].as_f64().unwrap();
    assert!(
        (probability - 0.299_701_043_3).abs() < 1e-6,
        "{probability}"
    );
    let games = statistics(&["--seed", "2", "--runs", "20000"], LUCK);
    let [low, high] = [0, 1].map(|at| games["interval"][at].as_f64().unwrap());
    assert!((low..=high).contains(&probability), "{probability} {games}");
    assert!(high - low < 0.02, "{games}");
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn two_ghosts_are_played_as_well_as_they_are_valued() {
    for board in [
        include_str!("../../puzzles/dungeon/41-waiting-on-the-closed-exit.txt"),
        include_str!("../../puzzles/dungeon/42-two-ghosts-and-their-cooldowns.txt"),
    ]
    .into_iter()
    .take(2)
    {
        let solved = Run::new(&["solve", "--json", "a.txt"])
            .file("a.txt", board)
            .output();
        let solved: serde_json::Value = serde_json::from_str(&solved.stdout).unwrap();
        let probability = solved["probability"].as_f64().unwrap();
        let games = statistics(&["--seed", "1", "--runs", "20000"], board);
        let [low, high] = [0, 1].map(|at| games["interval"][at].as_f64().unwrap());
        assert!((low..=high).contains(&probability), "{probability} {games}");
    }
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn a_random_player_does_worse_than_the_solver() {
    let rate = |policy| {
        let games = statistics(&["--seed", "3", "--runs", "4000", "--policy", policy], LUCK);
        games["rate"].as_f64().unwrap()
    };
    assert!(rate("random") < rate("solver"));
    assert!(rate("stay") < rate("solver"));
}

#[test]
fn a_maze_counts_the_food() {
    let games = statistics(&["--seed", "1", "--runs", "50"], "R..*.*\n");
    assert_eq!(games["gathered"]["mean"], 2.0);
    assert_eq!(games["escaped"], 50);
    assert_eq!(games["turns"]["most"], 5);
}

#[test]
fn given_moves_are_played_and_refused_as_in_a_trace() {
    let games = statistics(&["--seed", "1", "--runs", "10", "--moves", "D"], EXIT);
    assert_eq!(
        (&games["policy"], &games["escaped"]),
        (&"moves".into(), &10.into())
    );
    let games = statistics(&["--seed", "1", "--runs", "10", "--moves", "U"], EXIT);
    assert_eq!(games["illegal"], 10);
    Run::new(&["simulate", "a.txt", "--moves", "D", "--policy", "random"])
        .file("a.txt", EXIT)
        .stderr(
            "error: the argument '--moves <MOVES>' cannot be used with '--policy <POLICY>'\n\n\
             Usage: getaway simulate --moves <MOVES> <FILE>\n\n\
             For more information, try '--help'.\n",
        )
        .status(2)
        .check();
}

#[test]
fn a_runner_who_can_not_stay_is_an_error() {
    Run::new(&["simulate", "a.txt", "--policy", "stay"])
        .file("a.txt", EXIT)
        .stderr("error: a.txt: Jimmy can't stay in this game\n\n")
        .status(2)
        .check();
}

#[test]
fn a_level_with_too_many_players_is_played_and_not_solved() {
    let five = "-------\n|PPPPP|\n|.....|\n-------\n";
    let two = "----\n|PP|\n|..|\n----\n";
    Run::new(&["solve", "a.txt"])
        .file("a.txt", five)
        .stderr(
            "\
error: `solve` needs at most 4 players (`P`), not 5
 --> a.txt:1:1
  |
1 | -------
  | ^ play it with `simulate --policy random`, or your own moves with `trace --moves`

",
        )
        .status(2)
        .check();
    Run::new(&[
        "simulate", "a.txt", "--seed", "1", "--moves", "D D", "--json", "--runs", "4",
    ])
    .file("a.txt", two)
    .stdout(
        "{\"runs\":4,\"seed\":1,\"policy\":\"moves\",\"escaped\":0,\"rate\":0.0,\
             \"interval\":[0.0,0.4898908364545973],\"caught\":0,\"causes\":{},\"open\":4,\
             \"illegal\":0,\"turns\":{\"mean\":1.0,\"median\":1,\"least\":1,\"most\":1},\"finished\":0,\
             \"rate_finished\":null,\"interval_finished\":[0.0,1.0],\"bounds\":[0.0,1.0]}\n",
    )
    .check();
}

#[test]
fn a_wall_whose_body_is_no_path_is_solved_and_not_played() {
    let board = "R.*\na.a\n.A.\n";
    Run::new(&["solve", "a.txt"])
        .file("a.txt", board)
        .stdout("food in 2 steps, direction 1 (right)\n")
        .check();
    let output = Run::new(&["simulate", "a.txt"])
        .file("a.txt", board)
        .output();
    assert!(
        output.stderr.starts_with("error: a.txt: "),
        "{}",
        output.stderr
    );
    assert!(
        output.stderr.contains('2'),
        "it names the wall's id: {}",
        output.stderr
    );
    assert_eq!((&*output.stdout, output.status), ("", Some(2)));
}

#[test]
fn faults_of_a_level_have_positions() {
    for (board, message, place) in [
        ("----\n|PK|\n|K |\n----\n", "two keys", "a.txt:3:2"),
        ("----\n|PE|\n|E |\n----\n", "two exits", "a.txt:3:2"),
        (
            "- - - -\n| PG  |\n- - - -\n",
            "`P` and `G` are on one tile",
            "a.txt:2:4",
        ),
        (
            "; radius: 256\n----\n|P |\n----\n",
            "invalid value `256` for `radius`",
            "a.txt:1:11",
        ),
        (
            "; speed: 0\n----\n|P |\n----\n",
            "invalid value `0` for `speed`",
            "a.txt:1:10",
        ),
        (
            "; strategy: chaise\n----\n|P |\n----\n",
            "invalid value `chaise` for `strategy`",
            "a.txt:1:13",
        ),
    ] {
        let output = Run::new(&["solve", "a.txt"])
            .file("a.txt", format!("; ruleset: dungeon\n{board}"))
            .output();
        let (line, column) = place.split_once(':').unwrap().1.split_once(':').unwrap();
        let line: u32 = line.parse().unwrap();
        let place = format!(" --> a.txt:{}:{column}\n", line + 1);
        assert!(
            output.stderr.contains(message),
            "{message}\n{}",
            output.stderr
        );
        assert!(output.stderr.contains(&place), "{place}\n{}", output.stderr);
        assert_eq!((&*output.stdout, output.status), ("", Some(2)));
    }
}

#[test]
fn faults_of_a_maze_have_positions() {
    for (board, message, place) in [
        ("[2, 0]\n[0]\n", "", " --> a.txt:3:"),
        ("[2, -2]\n", "-2", " --> a.txt:2:5\n"),
        ("[2, 2]\n", "", " --> a.txt:2:5\n"),
        ("[2, 4]\n[4, 0]\n", "", " --> a.txt:3:2\n"),
        ("; runner: 2\n(1, 1, 2, 0, -1)\n[2, 0]\n", "", " --> a.txt:"),
    ] {
        let output = Run::new(&["solve", "a.txt"])
            .file("a.txt", format!("; ruleset: maze\n{board}"))
            .output();
        assert!(
            output.stderr.contains(message),
            "{message}\n{}",
            output.stderr
        );
        assert!(output.stderr.contains(place), "{place}\n{}", output.stderr);
        assert_eq!((&*output.stdout, output.status), ("", Some(2)));
    }
}

#[test]
fn check_compares_a_maze_with_its_own_answer() {
    Run::new(&["check", "--no-timing", "a.txt", "b.txt"])
        .file("a.txt", "1\n[2, 0, -1]\n")
        .file("b.txt", "(1, 1, 3, 0, 3)\n[2, 0, -1]\n")
        .stdout(
            "\
b.txt: mismatch: expected 3, got food in 2 steps, direction 1 (right)
by file:
  b.txt: 1 mismatch
2 boards in 2 files: 2 food
1 as expected, 1 mismatched, 0 without expectation, 0 undecided, 0 errors
",
        )
        .status(1)
        .check();
}

#[test]
fn json_has_the_fields_of_the_other_two_rulesets() {
    Run::new(&["solve", "--json", "--no-timing", "a.txt", "b.txt"])
        .file("a.txt", "[2, 0, -1]\n")
        .file("b.txt", "; ruleset: dungeon\n-----\n|P.E|\n-----\n")
        .stdout(
            "{\"path\":\"a.txt\",\"board\":0,\"ruleset\":\"maze\",\"verdict\":\"food\",\
             \"direction\":1,\"steps\":[[0,0],[0,1],[0,2]],\"states\":3}\n\
             {\"path\":\"b.txt\",\"board\":0,\"ruleset\":\"dungeon\",\"verdict\":\"escape\",\
             \"probability\":1.0,\"bounds\":[1.0,1.0],\"certain\":true,\"states\":2}\n",
        )
        .check();
}

#[test]
fn verbose_shows_the_bounds_of_a_probability() {
    let output = Run::new(&["solve", "-v", "--no-timing", "a.txt"])
        .file("a.txt", LUCK)
        .output();
    let (_, bounds) = output
        .stdout
        .trim_end()
        .split_once("probability from ")
        .unwrap();
    let (lower, upper) = bounds.trim_end_matches(')').split_once(" to ").unwrap();
    let (lower, upper): (f64, f64) = (lower.parse().unwrap(), upper.parse().unwrap());
    assert!(lower <= upper && upper - lower <= 1e-6, "{}", output.stdout);
    assert!((0.299_70..0.299_71).contains(&lower), "{}", output.stdout);
}

/// Under best play, the player waits for the zombie to reach the other end of its room.
#[test]
fn the_games_of_best_play_have_time_to_wait() {
    let board = "; ruleset: dungeon\nXXXXXXXX---XXXXXXXXX\nXXXXXXXX|E|XXXXXXXXX\n\
                 ---------D----------\n|PD.Z..............|\n--------------------\n";
    for (turns, unfinished) in [(&[][..], 0), (&["--turns", "1000"], 2)] {
        let args = ["simulate", "--runs", "20", "--seed", "1", "a.txt"];
        let output = Run::new(&[&args, turns].concat())
            .file("a.txt", board)
            .output();
        let unfinished = format!("\nunfinished {unfinished}\n");
        assert!(output.stdout.contains(&unfinished), "{output:?}");
    }
}

/// The only exit is in the zombie's room.
#[test]
fn games_without_hope_are_no_longer_than_usual() {
    let board = "; ruleset: dungeon\n-------\n|P....|\n-------\n|..Z.E|\n-------\n";
    let output = Run::new(&["simulate", "--runs", "2", "--seed", "1", "a.txt"])
        .file("a.txt", board)
        .output();
    assert!(
        output.stdout.contains("\nturns 1000.00 on average"),
        "{output:?}"
    );
}
