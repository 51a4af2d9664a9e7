//! `getaway trace`.

use serde_json::{Value, json};

use crate::boards::{CORNERED, EXIT, STAIRS, TRAP, WALLED};
use crate::run::Run;

const CHASE: &str = "\
.....
.....
.o..g
.....
.....
";

const CHASE_BEGINS: &str = "\
a.txt
playing `--moves` (places are row,column from 1)

start
  .....
  .....
  .o..g
  .....
  .....

turn 1, ghosts: g 3,5 -> 3,4
  .....
  .....
  .o.g.
  .....
  .....

";

#[test]
fn the_solvers_way_out_is_shown_step_by_step() {
    Run::new(&["trace", "a.txt"])
        .file("a.txt", "....\n#o.g\n####\n")
        .stdout(
            "\
a.txt
the solver's way out (places are row,column from 1)

start
  ....
  #o.g
  ####

turn 1, ghosts: g 2,4 -> 2,3
  ....
  #og.
  ####

turn 1, Jimmy U: o 2,2 -> 1,2
  .o..
  #.g.
  ####

escape in 1 move
",
        )
        .check();
}

#[test]
fn a_line_that_ends_early_leaves_the_game_open() {
    Run::new(&["trace", "a.txt", "--moves", ""])
        .file("a.txt", CHASE)
        .stdout(format!("{CHASE_BEGINS}unfinished after 0 moves\n"))
        .check();
}

#[test]
fn an_illegal_move_has_a_reason_and_status_2() {
    Run::new(&["trace", "a.txt", "--moves", "DU"])
        .file("a.txt", CHASE)
        .stdout(format!(
            "{CHASE_BEGINS}\
turn 1, Jimmy D: o 3,2 -> 4,2
  .....
  .....
  ...g.
  .o...
  .....

turn 2, ghosts: g 3,4 -> 3,3
  .....
  .....
  ..g..
  .o...
  .....

move 2 (`U`) is illegal: he has already visited that cell; legal moves: D, L, R
"
        ))
        .status(2)
        .check();
}

#[test]
fn a_capture_ends_the_trace_with_status_1() {
    Run::new(&["trace", "a.txt", "--moves", "r"])
        .file("a.txt", CHASE)
        .stdout(format!(
            "{CHASE_BEGINS}\
turn 1, Jimmy R: o 3,2 -> 3,3
  .....
  .....
  ..og.
  .....
  .....

turn 2, ghosts: g 3,4 -> 3,3, a catch
  .....
  .....
  ..g..
  .....
  .....

caught by a chaser after 1 move
"
        ))
        .status(1)
        .check();
}

#[test]
fn moves_of_a_dungeon_may_stand_together_at_speed_1() {
    let board = "; ruleset: dungeon\n------\n|P..E|\n------\n";
    for moves in ["RRR", "R,RR", "R R R", ".R .LRRR"] {
        let count = moves.replace([' ', ','], "").len();
        let escapes = format!("escape in {count} moves\n");
        let traced = Run::new(&["trace", "a.txt", "--moves", moves])
            .file("a.txt", board)
            .output();
        assert!(traced.stdout.ends_with(&escapes), "{traced:?}");
        let verified = Run::new(&["verify", "a.txt", "--moves", moves])
            .file("a.txt", board)
            .output();
        assert_eq!(verified.status, Some(0), "{verified:?}");
        let header = format!("; expect: escape\n; moves: {moves}\n{board}");
        let checked = Run::new(&["check", "--strict", "a.txt"])
            .file("a.txt", header)
            .output();
        assert_eq!(checked.status, Some(0), "{checked:?}");
    }
}

#[test]
fn moves_of_a_faster_player_are_separated() {
    let expected = "a move is `.` or up to 2 of `U`, `D`, `L`, `R`; separate moves with spaces";
    Run::new(&["trace", "a.txt", "--moves", "R RRR"])
        .file(
            "a.txt",
            "; ruleset: dungeon\n; speed: 2\n------\n|P..E|\n------\n",
        )
        .stderr(format!(
            "error: in `--moves`, at character 3: `RRR` is not a move: {expected}\n\n"
        ))
        .status(2)
        .check();
}

#[test]
fn moves_after_the_end_are_refused() {
    let last = |moves, board: &str| {
        let mut run = Run::new(&["trace", "a.txt", "--moves", moves]).file("a.txt", board);
        let output = run.output();
        assert_eq!(output.status, Some(2));
        output.stdout.lines().last().unwrap().to_owned()
    };
    assert_eq!(
        last("r, L", CHASE),
        "move 2 (`L`) is illegal: the game is over after move 1 (caught by a chaser), but the moves continue; legal moves: none"
    );
    assert_eq!(
        last("DD", EXIT),
        "move 2 (`D`) is illegal: the game is over after move 1 (escaped), but the moves continue; \
         legal moves: none"
    );
    assert_eq!(
        last("U", "; ruleset: jimmy\no..\n"),
        "move 1 (`U`) is illegal: the game is over before the first move (escaped), but the moves continue; legal moves: none"
    );
    assert_eq!(
        last("111", "R.*\n"),
        "move 3 (`1`) is illegal: the game is over after move 2 (escaped), but the moves continue; \
         legal moves: none"
    );
}

#[test]
fn at_most_the_requested_turns_are_played() {
    for (args, board) in [
        (&["--turns", "1"][..], STAIRS),
        (&["--turns", "1", "--moves", "RDRD"], STAIRS),
        (&["--turns", "1"], "R..*\n"),
        (&["--turns", "1", "--moves", "111"], "R..*\n"),
    ] {
        let args: Vec<_> = ["trace", "a.txt"].iter().chain(args).copied().collect();
        let output = Run::new(&args).file("a.txt", board).output();
        let last = output.stdout.lines().last();
        assert_eq!(last, Some("unfinished after 1 move"), "{args:?}");
    }
}

#[test]
fn a_long_line_of_given_moves_is_played_to_its_end() {
    let (cells, moves) = (".".repeat(1500), "1".repeat(1501));
    let output = Run::new(&["trace", "a.txt", "--json"])
        .file("a.txt", format!("; moves: {moves}\nR{cells}*\n"))
        .output();
    let end = r#"{"end":"escaped","turns":1501}"#;
    assert_eq!(output.stdout.lines().last(), Some(end));
}

#[test]
fn an_invalid_seed_has_a_position() {
    for command in ["trace", "simulate", "check"] {
        let output = Run::new(&[command, "a.txt"])
            .file("a.txt", "; seed: abc\nR.*\n")
            .output();
        assert_eq!(output.status, Some(2), "{command}");
        assert!(output.stderr.contains("--> a.txt:1:9"), "{}", output.stderr);
    }
}

#[test]
fn an_invalid_move_has_a_position() {
    Run::new(&["trace", "a.txt", "--moves", "U xD"])
        .file("a.txt", CHASE)
        .stderr("error: in `--moves`, at character 3: `x` is not a move: a move is one of `U`, `D`, `L`, `R`\n\n")
        .status(2)
        .check();
}

#[test]
fn json_has_a_line_for_each_ply() {
    Run::new(&["trace", "--json", "a.txt", "--moves", "RR"])
        .file("a.txt", "....\n.o.g\n....\n....\n")
        .stdout(
            r#"{"line":"given","rows":["....",".o.g","....","...."]}
{"turn":1,"who":"ghosts","events":[{"actor":"g","from":[1,3],"to":[1,2],"fate":"stands"}],"rows":["....",".og.","....","...."]}
{"end":"illegal","legal":["U","D","L"],"move":"R","reason":"a ghost is in the way","turn":1}
"#,
        )
        .status(2)
        .check();
    Run::new(&["trace", "--json", "a.txt"])
        .file("a.txt", "H*\n")
        .stdout(
            r#"{"line":"way-out","rows":["H*"]}
{"turn":1,"who":"hero","move":"d","events":[{"actor":"H","from":[0,0],"to":[0,1],"fate":"stands"}],"rows":[" H"]}
{"end":"escaped","turns":1}
"#,
        )
        .check();
    Run::new(&["trace", "--json", "a.txt"])
        .file("a.txt", CORNERED)
        .stdout(
            r#"{"line":"longest-lived","rows":["Hm+*"]}
{"turn":1,"who":"hero","move":"s","events":[{"actor":"H","from":[0,0],"to":[0,0],"fate":"stands"}],"rows":["Hm+*"]}
{"turn":1,"who":"baddies","events":[{"actor":"m","from":[0,1],"to":[0,0],"fate":"catches"}],"rows":["m +*"]}
{"cause":"caught by a chaser","end":"caught","turns":1}
"#,
        )
        .status(1)
        .check();
}

#[test]
fn the_longest_life_of_the_caught_is_shown() {
    Run::new(&["trace", "a.txt"])
        .file("a.txt", "###\n#o#\n#.#\n###\n")
        .stdout(
            "\
a.txt
caught: there is no escape, and no line of play lasts longer than this (places are row,column from 1)

start
  ###
  #o#
  #.#
  ###

turn 1, Jimmy D: o 2,2 -> 3,2
  ###
  #.#
  #o#
  ###

caught after 1 move: trapped: no legal move is left
",
        )
        .status(1)
        .check();
    Run::new(&["trace", "a.txt"])
        .file("a.txt", TRAP)
        .stdout(
            "\
a.txt
caught: there is no escape, and no line of play lasts longer than this (places are row,column from 1)

start
  ###
  #o#
  ###

caught after 0 moves: trapped: no legal move is left
",
        )
        .status(1)
        .check();
}

#[test]
fn a_hero_who_lives_forever_goes_round_once() {
    Run::new(&["trace", "a.txt"])
        .file("a.txt", WALLED)
        .stdout(
            "\
a.txt
caught: there is no escape, but the runner can survive forever: this leads back to the start (places are row,column from 1)

start
  -----
  |H+*|
  -----

turn 1, hero s: H stays at 1,1
  -----
  |H+*|
  -----

and so on, forever
",
        )
        .status(1)
        .check();
}

#[test]
fn a_player_who_escapes_stands_on_the_exit() {
    let traced = Run::new(&["trace", "a.txt", "--moves", "RR"])
        .file("a.txt", "; ruleset: dungeon\n-----\n|P.E|\n-----\n")
        .output();
    let end = "turn 2, player R: P 2,3 -> 2,4\n  -----\n  |..P|\n  -----\n\nescape in 2 moves\n";
    assert!(traced.stdout.ends_with(end), "{traced:?}");
}

#[test]
fn a_baddie_falls_and_a_hero_walks_into_his_end() {
    let abyss = "H#m *\n#####\n";
    Run::new(&["trace", "a.txt", "--moves", "s"])
        .file("a.txt", abyss)
        .stdout(
            "\
a.txt
playing `--moves` (places are row,column from 1)

start
  -------
  |H#m *|
  |#####|
  -------

turn 1, hero s: H stays at 1,1
  -------
  |H#m *|
  |#####|
  -------

turn 1, baddies: m 1,3 -> 1,2, falls into the abyss
  -------
  |H#  *|
  |#####|
  -------

unfinished after 1 move
",
        )
        .check();
    Run::new(&["trace", "a.txt", "--moves", "d"])
        .file("a.txt", abyss)
        .stdout(
            "\
a.txt
playing `--moves` (places are row,column from 1)

start
  -------
  |H#m *|
  |#####|
  -------

turn 1, hero d: H 1,1 -> 1,2, falls into the abyss
  -------
  | #m *|
  |#####|
  -------

caught after 1 move: walked into the abyss
",
        )
        .status(1)
        .check();
    Run::new(&["trace", "a.txt", "--moves", "d"])
        .file("a.txt", CORNERED)
        .stdout(
            "\
a.txt
playing `--moves` (places are row,column from 1)

start
  ------
  |Hm+*|
  ------

turn 1, hero d: H 1,1 -> 1,2
  ------
  | m+*|
  ------

caught after 1 move: walked into a chaser
",
        )
        .status(1)
        .check();
}

#[test]
fn the_moves_header_replaces_the_option() {
    let board = "; name: two\n; moves: s\nH *\n";
    let begin = |what: &str| {
        format!(
            "a.txt: two\n{what} (places are row,column from 1)\n\nstart\n  -----\n  |H *|\n  -----\n\n"
        )
    };
    let (header, option) = (
        begin("replaying the `moves` header"),
        begin("playing `--moves`"),
    );
    Run::new(&["trace", "a.txt"])
        .file("a.txt", board)
        .stdout(format!(
            "{header}turn 1, hero s: H stays at 1,1\n  -----\n  |H *|\n  -----\n\nunfinished after 1 move\n"
        ))
        .check();
    Run::new(&["trace", "a.txt", "--moves", "d"])
        .file("a.txt", board)
        .stdout(format!(
            "{option}turn 1, hero d: H 1,1 -> 1,2\n  -----\n  | H*|\n  -----\n\nunfinished after 1 move\n"
        ))
        .check();
}

#[test]
fn a_board_is_picked_by_its_number() {
    let file = format!("{TRAP}\n; name: Nr 1\n{EXIT}\n; ruleset: jimmy\n...\n");
    let run = |address| Run::new(&["trace", address]).file("a.txt", &file);
    run("a.txt#2")
        .stdout(
            "\
a.txt: Nr 1
the solver's way out (places are row,column from 1)

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
    run("a.txt#3")
        .stderr(
            "\
error: no Jimmy (`o`) on this board
  --> a.txt:11:1
   |
11 | ...
   | ^ add an `o`

",
        )
        .status(2)
        .check();
    run("a.txt#4")
        .stderr("error: a.txt: there is no board 4: the file has 3 boards\n\n")
        .status(2)
        .check();
}

#[test]
fn standard_input_can_be_traced() {
    Run::new(&["trace", "-"])
        .stdin("o\n")
        .stdout("-\nthe solver's way out (places are row,column from 1)\n\nstart\n  o\n\nescape in 0 moves\n")
        .check();
}

#[test]
fn colours_go_by_meaning_and_moved_actors_stand_out() {
    Run::new(&["trace", "--color", "always", "a.txt", "--moves", "d"])
        .file("a.txt", "H *\n")
        .stdout(
            "a.txt\nplaying `--moves` (places are row,column from 1)\n\nstart\n  -----\n  \
             |\u{1b}[1m\u{1b}[32mH\u{1b}[0m\u{1b}[2m \u{1b}[0m\u{1b}[1m\u{1b}[33m*\u{1b}[0m|\n  -----\n\n\
             turn 1, hero d: H 1,1 -> 1,2\n  -----\n  \
             |\u{1b}[2m \u{1b}[0m\u{1b}[1m\u{1b}[7m\u{1b}[32mH\u{1b}[0m\
             \u{1b}[1m\u{1b}[33m*\u{1b}[0m|\n  -----\n\n\
             unfinished after 1 move\n",
        )
        .check();
}

#[test]
fn a_limit_leaves_no_line_to_show() {
    Run::new(&["trace", "--max-states", "0", "a.txt"])
        .file("a.txt", EXIT)
        .stdout("undecided: state limit reached\n")
        .status(3)
        .check();
}

/// The next step of the ghosts belongs to a turn that is not played.
#[test]
fn the_requested_number_of_turns_is_shown() {
    let shown = |turns: &str| {
        let output = Run::new(&["trace", "--json", "--turns", turns, "a.txt"])
            .file("a.txt", "######\n#o....\n######\n#g...#\n######\n")
            .output();
        let lines: Vec<_> = output.stdout.lines().map(str::to_owned).collect();
        lines
    };
    let whole = shown("9");
    for turns in 0..4 {
        let some = shown(&turns.to_string());
        assert_eq!(some.len(), 2 * turns + 2, "{some:?}");
        assert_eq!(some[..=2 * turns], whole[..=2 * turns], "{turns}");
        assert_eq!(
            some.last().unwrap(),
            &format!(r#"{{"end":"open","turns":{turns}}}"#)
        );
    }
    let won = Run::new(&["trace", "--json", "--turns", "0", "a.txt"])
        .file("a.txt", "o\n")
        .output();
    assert!(
        won.stdout.ends_with("{\"end\":\"escaped\",\"turns\":0}\n"),
        "{}",
        won.stdout
    );
}

/// A corridor from which Jimmy can't escape. A search of one state finds only its first step.
const CORRIDOR: &str = "######\n#o...#\n######\n";

#[test]
fn a_line_that_a_limit_cut_short_names_the_limit() {
    let ended = |args: &[&str]| {
        let args = [args, &["--max-states", "1", "board.txt"]].concat();
        let output = Run::new(&args).file("board.txt", CORRIDOR).output();
        assert_eq!(output.status, Some(3), "{args:?}: {output:?}");
        output
    };
    let last = "unfinished after 1 move: state limit reached\n";
    for args in [&["trace"][..], &["trace", "--compact"], &["simulate"]] {
        let said = ended(args).stdout;
        assert!(said.ends_with(last), "{args:?}: {said}");
    }
    for args in [&["trace", "--json"], &["simulate", "--json"]] {
        let said = ended(args).stdout;
        let end: serde_json::Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
        assert_eq!(
            (&end["end"], &end["limit"]),
            (&"open".into(), &"states".into())
        );
    }
    let many = ended(&["simulate", "--runs", "5"]);
    assert!(many.stdout.contains("unfinished 5\n"), "{many:?}");
    assert_eq!(many.stderr, "state limit reached after 5 of 5 games\n");
    let compared = ended(&[
        "compare", "--runner", "greedy", "--runner", "solver", "--runs", "2",
    ]);
    assert!(compared.stdout.contains("greedy"), "{compared:?}");
    let drawn = Run::new(&["render", "--max-states", "1", "-o", "a.html", "board.txt"])
        .file("board.txt", CORRIDOR)
        .output();
    assert_eq!(drawn.status, Some(0), "{drawn:?}");
    let whole = Run::new(&["trace", "board.txt"])
        .file("board.txt", CORRIDOR)
        .output();
    assert!(
        whole.stdout.contains("caught after 3 moves: trapped"),
        "{whole:?}"
    );
}

const SQUARE: &str = "; ruleset: maze\nR.\n.*\n";

#[test]
fn the_search_in_a_maze_is_compared_with_a_textbook() {
    let steps = "\
the search, with row,column (cost + distance to food = sum) of each cell:
1  OPEN: 1,1 (0+2=2)
   takes 1,1
   puts 1,2 (1+1=2)
   puts 2,1 (1+1=2)
2  OPEN: 1,2 (1+1=2), 2,1 (1+1=2)
   takes 1,2, not 2,1: same sum, lower row
   puts 2,2 (2+0=2)
3  OPEN: 2,1 (1+1=2), 2,2 (2+0=2)
   takes 2,1, not 2,2: same sum and row, lower column
   overwrites 2,2 (2+0=2), which waits with cost 2; a textbook A* would not
4  OPEN: 2,2 (2+0=2)
   takes 2,2
4 steps, 1 waiting cell overwritten
path: 1,1 2,1 2,2
a textbook A* differs from step 3 on; its path: 1,1 1,2 2,2
";
    Run::new(&["trace", "--search", "a.txt"])
        .file("a.txt", SQUARE)
        .stdout(format!("a.txt\n{steps}"))
        .check();
    let mut explained = Run::new(&["solve", "--explain", "a.txt"]).file("a.txt", SQUARE);
    let told = explained.output().stdout;
    let (_, told) = told.split_once('\n').unwrap();
    assert_eq!(told.replace("\n  ", "\n"), format!("  {steps}"));
}

#[test]
fn the_search_in_a_maze_is_shown_as_json() {
    let mut run = Run::new(&["trace", "--search", "--json", "a.txt"]).file("a.txt", SQUARE);
    let told = run.output().stdout;
    let lines: Vec<serde_json::Value> = told
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        lines[2],
        serde_json::json!({
            "step": 3,
            "open": [
                {"cell": [1, 0], "cost": 1, "distance": 1},
                {"cell": [1, 1], "cost": 2, "distance": 0},
            ],
            "tie": "column",
            "puts": [{"cell": [1, 1], "cost": 2, "distance": 0, "overwritten": 2}],
        })
    );
    assert_eq!(
        lines[4],
        serde_json::json!({
            "taken": 4, "overwritten": 1, "parting": 3,
            "path": [[0, 0], [1, 0], [1, 1]], "textbook_path": [[0, 0], [0, 1], [1, 1]],
        })
    );
    assert_eq!(lines.len(), 5);
}

#[test]
fn a_board_without_a_search_says_why() {
    for (board, why) in [
        (
            "; ruleset: maze\nA.*\n",
            "this map has no head from which the search could start",
        ),
        (
            "; ruleset: dungeon\n-----\n|PEZ|\n-----\n",
            "`dungeon` is a game of chance, and has no search to show",
        ),
    ] {
        Run::new(&["trace", "--search", "a.txt"])
            .file("a.txt", board)
            .stdout("")
            .stderr(format!("error: a.txt: {why}\n\n"))
            .status(2)
            .check();
    }
}

#[test]
fn a_depth_first_search_says_why_it_leaves_out_positions() {
    let board = "######\n#o...#\n#.##.#\n#g...#\n####.#\n";
    let steps = "\
a.txt
a depth-first search: each step takes the newest position left, and tries the moves in this order:
1  takes 0, the start, the runner at 2,2
   R new, 1; U blocked, a solid cell is in the way; D blocked, a ghost is in the way; L blocked, a solid cell is in the way
2  takes 1, after R, the runner at 2,3
   R new, 2; L dominated by 0; U blocked, a solid cell is in the way; D blocked, a solid cell is in the way
3  takes 2, after RR, the runner at 2,4
   R new, 3; L dominated by 1; U blocked, a solid cell is in the way; D blocked, a solid cell is in the way
4  takes 3, after RRR, the runner at 2,5
   L dominated by 2; U blocked, a solid cell is in the way; D blocked, a ghost is in the way; R blocked, a solid cell is in the way
4 steps; moves: 3 to new positions, 3 dominated
no position is left: caught
";
    Run::new(&["trace", "--search", "a.txt"])
        .file("a.txt", board)
        .stdout(steps)
        .status(1)
        .check();
    Run::new(&["trace", "--search", "a.txt"])
        .file("a.txt", WALLED)
        .stdout("caught: no position has to be searched\n")
        .status(1)
        .check();
    let mut run = Run::new(&["trace", "--search", "--json", "a.txt"]).file("a.txt", board);
    let lines: Vec<Value> = run
        .output()
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        lines[3],
        json!({
            "step": 4, "state": 3, "line": ["R", "R", "R"], "cell": [1, 4],
            "rows": ["######", "#...o#", "#.##g#", "#....#", "####.#"],
            "branches": [
                {"move": "L", "result": "dominated", "state": 2},
                {"move": "U", "result": "blocked", "reason": "a solid cell is in the way"},
                {"move": "D", "result": "blocked", "reason": "a ghost is in the way"},
                {"move": "R", "result": "blocked", "reason": "a solid cell is in the way"},
            ],
        })
    );
    assert_eq!(
        lines[4],
        json!({
            "taken": 4, "new": 3, "visited": 0, "dominated": 3, "hopeless": 0, "lost": 0,
            "line": null, "limit": null,
        })
    );
}

#[test]
fn a_turn_of_several_players_is_one_ply() {
    let board = "; strategy: chase\n--------\n|  D| G|\n|P|| |P|\n| K| E |\n--------\n";
    let traced = Run::new(&["trace", "a.txt", "--json", "--moves", "D,D R,L"])
        .file("a.txt", board)
        .output();
    let moves: Vec<Value> = traced
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|ply: &Value| ply["who"] == "player")
        .map(|mut ply| json!([ply["turn"].take(), ply["move"].take()]))
        .collect();
    assert_eq!(moves, [json!([1, "D,D"]), json!([2, "R,L"])]);
}
