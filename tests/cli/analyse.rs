//! `getaway analyse`, and `getaway solve --explain`.

use serde_json::{Value, json};

use crate::run::Run;

/// A board whose expected numbers were counted by hand.
const POCKET: &str = "\
#######
#o.....
#.#####
#.#####
#######
";

const WALLED_IN: &str = "####\n#o.#\n####\n";

#[test]
fn an_analysis_is_a_table_below_the_verdict() {
    Run::new(&["analyse", "board.txt"])
        .file("board.txt", POCKET)
        .stdout(
            "\
escape in 5 moves: RRRRR
  shortest lines  1
  first moves     D (loses within 2 moves), R (out in 5)
  forced          in turn 1 every move but one loses
  last mistake    in turn 1 `D` instead of `R` (loses within 2 moves)
  positions       7, 2 of them without a way out
  random player   escapes with a probability of 0.500000
  difficulty      3.17 bits
",
        )
        .check();
}

fn json_of(args: &[&str], text: &str) -> Value {
    let mut run = Run::new(args).file("board.txt", text);
    let output = run.output();
    assert_eq!(output.stderr, "");
    serde_json::from_str(&output.stdout).unwrap()
}

#[test]
fn an_analysis_in_json_extends_the_answer() {
    let mut found = json_of(&["analyse", "--json", "--no-timing", "board.txt"], POCKET);
    let random = found["random"].take();
    let bounds = random["bounds"].as_array().unwrap();
    assert!(
        bounds
            .iter()
            .all(|bound| (bound.as_f64().unwrap() - 0.5).abs() < 1e-6)
    );
    let expected = json!({
        "path": "board.txt", "board": 0, "ruleset": "jimmy",
        "verdict": "escape", "moves": ["R", "R", "R", "R", "R"], "length": 5, "states": found["states"],
        "shortest_lines": 1, "first_moves": ["R"], "losing_moves": {"D": 2},
        "forced": [1], "last_mistake": {"turn": 1, "move": "D", "instead_of": "R", "lives": 2},
        "reachable": 7, "dead_ends": 2, "difficulty": 3.17, "matters": [], "random": null,
    });
    assert_eq!(found, expected);
}

/// A board with a short way out and very many walks.
const ROOM: &str = "\
#######
#.....#
#.....#
#o....#
###.###
";

#[test]
fn a_state_limit_is_reported_for_each_part() {
    let args = [
        "analyse",
        "--json",
        "--no-timing",
        "--max-states",
        "30",
        "board.txt",
    ];
    let found = json_of(&args, ROOM);
    assert_eq!(
        (&found["verdict"], &found["length"]),
        (&json!("escape"), &json!(3))
    );
    assert_eq!(found["shortest_lines"], 1);
    assert_eq!(found["cut_short"]["positions"], "states");
    assert!(found["reachable"].is_null() && found["reachable_at_least"].as_u64() >= Some(30));
    assert_eq!(found["random"]["simulated"], true);
}

#[test]
fn a_dungeons_first_moves_have_bounds() {
    let found = json_of(
        &["analyse", "--json", "--no-timing", "board.txt"],
        "; ruleset: dungeon\n------\n|P.E.|\n------\n",
    );
    let moves = &found["first_moves"];
    assert_eq!(moves, &json!({".": [1.0, 1.0], "R": [1.0, 1.0]}));
    assert_eq!(found["best_play"]["turns"], 2.0);
    assert_eq!(found["best_play"]["escaped"], found["best_play"]["games"]);
}

#[test]
fn every_step_is_explained_by_what_it_avoids() {
    Run::new(&["solve", "--explain", "--shortest", "board.txt"])
        .file("board.txt", POCKET)
        .stdout(
            "\
escape in 5 moves: RRRRR
  1 R  `D`: lost within 2 moves, trapped: no legal move is left
  2 R  the only move
  3 R  the only move
  4 R  the only move
  5 R  the only move
  a depth-first search takes 7 steps; moves: 6 to new positions, 5 dominated; `trace --search` shows it
",
        )
        .check();
}

#[test]
fn turns_without_a_danger_share_a_line() {
    let output = Run::new(&["solve", "--explain", "board.txt"])
        .file("board.txt", "; ruleset: baddies\nH...*\n")
        .output();
    let all_out = "every other move leads out as well";
    assert_eq!(
        output.stdout.matches(all_out).count(),
        1,
        "{}",
        output.stdout
    );
    assert!(
        output.stdout.contains(&format!("\n  1-4  {all_out}\n")),
        "{}",
        output.stdout
    );
}

#[test]
fn help_explains_every_measure() {
    for command in ["rate", "analyse"] {
        let help = Run::new(&[command, "--help"]).output().stdout;
        let (_, measures) = help
            .split_once("\nMeasures:\n")
            .expect("a list of measures");
        let all = "length shortest-lines first-moves forced last-mistake reachable dead-ends random difficulty matters \
                   probability turns states";
        let explained = measures
            .lines()
            .take_while(|line| !line.is_empty())
            .map(|line| {
                let (name, text) = line.trim().split_once(' ').expect("a name and a text");
                assert!(text.trim().len() > 20, "{command}: {line}");
                name
            });
        assert_eq!(explained.collect::<Vec<_>>().join(" "), all, "{command}");
    }
}

#[test]
fn a_lost_board_is_explained_by_its_first_moves() {
    Run::new(&["solve", "--explain", "board.txt"])
        .file("board.txt", WALLED_IN)
        .stdout(
            "\
caught
  walled in: there is no way out, even without chasers
  `R`: lost at once, trapped: no legal move is left
",
        )
        .status(1)
        .check();
}

#[test]
fn an_explanation_in_json_is_an_object() {
    let found = json_of(
        &["solve", "--explain", "--json", "--no-timing", "board.txt"],
        WALLED_IN,
    );
    let step = json!({
        "move": "R", "escapes": false, "lives": 1, "end": "trapped: no legal move is left",
    });
    let expected = json!({"reason": "walled-in", "turns": [{"move": null, "moves": [step]}]});
    assert_eq!(found["explanation"], expected);
}

const AROUND_A_WALL: &str = "R..\n.A.\n*..\n";

#[test]
fn a_map_is_analysed_by_its_paths_to_the_food() {
    Run::new(&["analyse", "board.txt"])
        .file("board.txt", AROUND_A_WALL)
        .stdout(
            "\
food in 2 steps, direction 2 (down)
  first moves     1 (food in 6), 2 (food in 2)
  positions       8 cells reachable
",
        )
        .check();
    let found = json_of(
        &["analyse", "--json", "--no-timing", "board.txt"],
        AROUND_A_WALL,
    );
    let expected = json!({
        "path": "board.txt", "board": 0, "ruleset": "maze", "verdict": "food", "direction": 2,
        "steps": [[0, 0], [1, 0], [2, 0]], "length": 2, "first_moves": ["1", "2"], "reachable": 8,
        "states": found["states"],
    });
    assert_eq!(found, expected);
}

#[test]
fn a_map_whose_food_is_behind_a_wall_has_steps_that_lead_to_none() {
    Run::new(&["analyse", "board.txt"])
        .file("board.txt", "R.A*\n")
        .stdout(
            "\
no-food, direction 1 (right)
  first moves     1 (no food)
  positions       2 cells reachable
",
        )
        .status(1)
        .check();
}

#[test]
fn a_limit_that_a_map_reaches_is_named() {
    let output = Run::new(&["analyse", "--max-memory", "1B", "board.txt"])
        .file("board.txt", AROUND_A_WALL)
        .output();
    assert_eq!(output.status, Some(3), "{output:?}");
    assert!(output.stdout.contains("memory limit"), "{output:?}");
}

#[test]
fn a_dungeon_is_analysed_by_probabilities() {
    Run::new(&["analyse", "board.txt"])
        .file("board.txt", "------\n|P..E|\n------\n")
        .stdout(
            "\
escape, certain
  first moves     . (1.000000), R (1.000000)
  expected turns  3.0000, averaged over all games that escape under best play
",
        )
        .check();
    // Without the void, two steps would lead to the exit.
    Run::new(&["analyse", "board.txt"])
        .file("board.txt", "-----\n|PXE|\n-----\n")
        .stdout(
            "\
caught
  first moves     . (0.000000)
  what matters    probability without it: `X` at 2,3 (certain)
",
        )
        .status(1)
        .check();
}

#[test]
fn a_missing_way_is_explained_in_words() {
    for (board, told) in [
        (
            "-----\n|PXE|\n-----\n",
            "caught\n  there is no way to the exit\n  `.`: probability 0.000000\n",
        ),
        (
            "-------\n|P.XKE|\n-------\n",
            "caught\n  there is no way to the key, without which the exit stays closed\n  \
             `.`, `R`: probability 0.000000\n",
        ),
        (
            "-----\n|PG.|\n-----\n",
            "caught\n  there is no exit\n  `.`, `R`: probability 0.000000\n",
        ),
        (
            "[0, 0, -1]\n",
            "no-food, direction -1 (no runner)\n  there is no runner on the map\n",
        ),
        (
            "R..\n",
            "no-food, direction 1 (right)\n  there is no food on the map\n",
        ),
        (
            "R.A*\n",
            "no-food, direction 1 (right)\n  there is food, but no way to it\n",
        ),
    ] {
        Run::new(&["solve", "--explain", "board.txt"])
            .file("board.txt", board)
            .stdout(told)
            .status(1)
            .check();
    }
}

/// A board with many walks, a way out in six moves, and losing moves that Jimmy survives for long.
const HALL: &str = "\
####.###
#......#
#......#
#o.....#
#....#.#
#......#
########
";

#[test]
fn a_difficulty_that_rests_on_unknown_lives_is_an_upper_bound() {
    let limited = ["analyse", "--no-timing", "--max-states", "30", "board.txt"];
    let text = Run::new(&limited).file("board.txt", HALL).output().stdout;
    assert!(
        text.contains("\n  difficulty      at most 5.20 bits\n"),
        "{text}"
    );
    assert!(
        text.contains(
            "\n  cut short       the difficulty: state limit reached; raise `--max-states`\n"
        ),
        "{text}"
    );
    let found = json_of(&[&limited[..], &["--json"]].concat(), HALL);
    assert_eq!(found["difficulty_at_most"], 5.2);
    assert!(found["difficulty"].is_null());
    assert_eq!(found["cut_short"]["difficulty"], "states");
    assert_eq!(found["cut_short"]["lives"], "states");
    assert_eq!(found["last_mistake"]["lives"], Value::Null);

    let unlimited = json_of(
        &["analyse", "--json", "--max-states", "1000000", "board.txt"],
        HALL,
    );
    assert!(unlimited["difficulty_at_most"].is_null());
    assert!(unlimited["difficulty"].as_f64() < Some(5.2));
}

/// An empty list of first moves would claim that none of them leads out.
#[test]
fn unknown_results_are_not_an_empty_list() {
    let limited = ["analyse", "--json", "--max-states", "5", "board.txt"];
    let found = json_of(&limited, HALL);
    assert_eq!(found["verdict"], "undecided");
    assert!(found["first_moves"].is_null(), "{found}");
    assert!(found["matters"].is_null(), "{found}");
    assert_eq!(found["matters_at_least"], json!([]));
    for part in ["moves", "positions", "removals"] {
        assert_eq!(found["cut_short"][part], "states", "{part}");
    }
    let level = "; ruleset: dungeon\n--------\n|P...G.|\n|K...ZE|\n--------\n";
    let found = json_of(
        &["analyse", "--json", "--max-states", "3", "board.txt"],
        level,
    );
    assert!(found["first_moves"].is_null(), "{found}");
    assert_eq!(found["cut_short"]["moves"], "states");
}
