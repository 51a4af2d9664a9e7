//! The setting `things`.

use getaway_board::fault::Fault;
use getaway_play::solution::Verdict;
use getaway_rules::dungeon::level::Tile;
use getaway_rules::dungeon::{Dungeon, Move, State};
use getaway_ruleset::{Cause, Notation, Outcome, Playable, Ruleset};
use proptest::prelude::*;

use crate::boards::{from_json, from_text};
use crate::dungeon::{Scenery, chance, check_against_naive, moves, read, scenery, solve};
use getaway_testing::sized;

fn level(rows: &[&str], things: &[(char, u32, u32)]) -> Dungeon {
    let rows = serde_json::to_string(rows).unwrap();
    let line = format!(
        r#"{{"ruleset": "dungeon", "rows": {rows}, "things": {}}}"#,
        list(things)
    );
    read(&from_json(&line))
}

fn list(things: &[(char, u32, u32)]) -> String {
    let thing = |(glyph, row, col): &(char, u32, u32)| {
        format!(r#"{{"glyph": "{glyph}", "at": [{row}, {col}]}}"#)
    };
    let things: Vec<_> = things.iter().map(thing).collect();
    format!("[{}]", things.join(", "))
}

fn tile(game: &Dungeon, row: u32, col: u32) -> Tile {
    game.level.tile(game.grid().cell(row, col).unwrap())
}

fn walk(game: &Dungeon, line: &[&str]) -> (State, Option<Outcome>) {
    let mut at = game.start();
    let mut end = None;
    for mv in line {
        let mv: Move = mv.parse().unwrap();
        assert!(moves(game, &at).contains(&mv), "{mv} is not legal");
        end = game.act(&mut at, mv, &mut ());
    }
    (at, end)
}

#[test]
fn a_key_in_a_doorway_is_taken_there_and_the_door_stays() {
    let game = level(&["-------", "|P.D.E|", "-------"], &[('K', 1, 3)]);
    assert_eq!(game.picture(&game.start())[1], "|P.K.E|");
    assert_eq!(tile(&game, 1, 3), Tile::Door);
    let (at, end) = walk(&game, &["R", "R"]);
    assert_eq!((at.key, end), (None, None));
    assert_eq!(game.picture(&at)[1], "|..P.E|");
    assert_eq!(walk(&game, &["R", "R", "R", "R"]).1, Some(Outcome::Escaped));
    let (at, _) = walk(&game, &["R", "R", "R"]);
    assert_eq!(game.picture(&at)[1], "|..DPE|");
    assert_eq!(chance(&solve(&game)), (1.0, 1.0, getaway::Decision::Yes));
}

#[test]
fn an_exit_in_a_wall_is_out_of_reach_and_one_in_a_doorway_is_not() {
    let rows = ["------", "|P.D.|", "------"];
    assert_eq!(
        solve(&level(&rows, &[('E', 1, 5)])).verdict(),
        Verdict::Caught
    );
    assert_eq!(
        solve(&level(&rows, &[('E', 1, 3)])).verdict(),
        Verdict::Escape
    );
}

#[test]
fn a_player_on_an_exit_must_step_on_it_again() {
    let game = level(&["----", "|P.|", "----"], &[('E', 1, 1)]);
    assert_eq!(walk(&game, &["."]).1, None);
    assert_eq!(walk(&game, &["R", "L"]).1, Some(Outcome::Escaped));
}

/// Contact, key and exit act at every single step, in this order.
#[test]
fn a_step_onto_key_and_exit_takes_the_key_and_escapes() {
    for place in [2, 3] {
        let game = level(
            &["-----", "|P.D|", "-----"],
            &[('E', 1, place), ('K', 1, place)],
        );
        let line = &["R", "R"][..place as usize - 1];
        assert_eq!(walk(&game, line).1, Some(Outcome::Escaped), "{place}");
        assert_eq!(chance(&solve(&game)), (1.0, 1.0, getaway::Decision::Yes));
    }
    let starts_there = level(&["----", "|P.|", "----"], &[('E', 1, 1), ('K', 1, 1)]);
    assert_eq!(walk(&starts_there, &["."]).1, None);
    assert_eq!(walk(&starts_there, &["R"]).1, None);
    assert_eq!(walk(&starts_there, &["R", "L"]).1, Some(Outcome::Escaped));
    let under_a_zombie = level(&["----", "|PZ|", "----"], &[('E', 1, 2), ('K', 1, 2)]);
    assert_eq!(
        walk(&under_a_zombie, &["R"]).1,
        Some(Outcome::Caught(Cause::WalkedInto))
    );
}

#[test]
fn a_player_in_a_doorway_is_safe_from_zombies() {
    let game = level(&["-----", "DZ..|", "-----"], &[('P', 1, 0)]);
    assert_eq!(tile(&game, 1, 0), Tile::Door);
    assert_eq!(game.start().players, [game.grid().cell(1, 0).unwrap()]);
    assert_eq!(game.picture(&game.start())[1], "PZ..|");
    let zombie = game.start().adversaries[0];
    let start = game.start();
    let scene = getaway_rules::dungeon::Surroundings {
        players: &start.players,
        others: &[],
        key: None,
    };
    let ways: Vec<_> = game
        .intent(zombie.cell, zombie.kind, &scene)
        .ways
        .iter()
        .collect();
    assert_eq!(ways, [getaway::Dir::Right]);
}

#[test]
fn a_ghost_that_is_put_on_a_tile_stands_on_that_tile() {
    let rows = ["..|..", ".....", "..|..", "....."];
    // A ghost drawn in the level would be in a doorway.
    assert_eq!(tile(&level(&rows, &[('G', 1, 2)]), 1, 2), Tile::Floor);
    assert_eq!(tile(&level(&rows, &[('G', 2, 2)]), 2, 2), Tile::Vertical);
}

#[test]
fn all_are_in_reading_order_wherever_they_are_written() {
    let game = level(&["P.G", "..Z"], &[('P', 0, 1), ('G', 1, 0), ('Z', 1, 1)]);
    let cells: Vec<_> = game
        .start()
        .adversaries
        .iter()
        .map(|who| who.cell)
        .collect();
    assert!(cells.is_sorted() && game.start().players.is_sorted());
    assert_eq!(game.picture(&game.start()), ["PPG", "GZZ"]);
}

#[test]
fn tiles_of_a_spaced_drawing_are_counted_not_characters() {
    let game = level(&["- - - -", "| P   |", "- - - -"], &[('E', 1, 2)]);
    assert_eq!(game.picture(&game.start())[1], "|PE|");
}

#[test]
fn a_text_board_says_the_same() {
    let text = "; ruleset: dungeon\n; things: [{\"glyph\": \"E\", \"at\": [0, 1]}]\nPD\n";
    let puzzle = from_text(text);
    assert_eq!(read(&puzzle).picture(&read(&puzzle).start()), ["PE"]);
    let json = puzzle.to_json(|_| false);
    assert!(
        json.contains(r#""things": [{"glyph": "E", "at": [0, 1]}]"#),
        "{json}"
    );
    assert_eq!(from_json(&json).to_json(|_| false), json);
    assert!(Dungeon::read(&from_text("; things: []\nPD\n")).is_ok());
    assert!(Dungeon::read(&from_json(r#"{"rows": ["PD"], "things": []}"#)).is_ok());
}

/// Returns the faults in the form "column+width message | help".
fn faults(things: &str) -> Vec<String> {
    let line = format!(r#"{{"things": {things}, "rows": ["-P.K-"], "drawing": "compact"}}"#);
    let error = Dungeon::read(&from_json(&line)).unwrap_err();
    let told = |fault: &Fault| {
        let (column, width) = (fault.place.column, fault.place.width);
        format!("{column}+{width} {} | {}", fault.kind, fault.kind.help())
    };
    error.faults.iter().map(told).collect()
}

#[test]
fn impossible_things_have_positions() {
    let one = |glyph, row, col| faults(&list(&[(glyph, row, col)]));
    assert_eq!(
        one('Q', 0, 1),
        [
            "13+28 `Q` is not an object or actor | use one of `K` key, `E` exit, `P` player, `G` ghost, `Z` zombie"
        ]
    );
    assert_eq!(
        one('E', 1, 2),
        [
            "13+28 there is no tile at [1, 2] | `at` is [row, column], both from 0: rows end at 0, columns at 4"
        ]
    );
    assert_eq!(
        one('K', 0, 2),
        ["13+28 two keys: the first is at line 1, column 57 | keep one `K`"]
    );
    assert_eq!(
        one('G', 0, 1),
        [
            "13+28 `P` and `G` are on one tile | only one actor can stand on a tile: move one of them"
        ]
    );
    assert_eq!(
        faults(&list(&[('E', 0, 0), ('E', 0, 4)])),
        ["43+28 two exits: the first is at line 1, column 13 | keep one `E`"]
    );
    let how = r#"write it like `{"glyph": "K", "at": [3, 7]}`: row 3, column 7, both from 0"#;
    let broken = "this is not an object or actor";
    assert_eq!(
        faults(r#"[{"glyph": "K", "at": [-1, 2]}]"#),
        [format!(
            "13+29 {broken}: invalid value: integer `-1`, expected u32 | {how}"
        )]
    );
    assert_eq!(
        faults(r#"[{"glyph": "K"}]"#),
        [format!("13+14 {broken}: missing field `at` | {how}")]
    );
    assert_eq!(
        faults("[7]"),
        [format!(
            "13+1 {broken}: invalid type: integer `7`, expected an object | {how}"
        )]
    );
    let list = r#"write a JSON array of objects such as `{"glyph": "K", "at": [3, 7]}`: row 3, column 7, both from 0"#;
    assert_eq!(
        faults("7"),
        [format!("12+1 invalid value `7` for `things` | {list}")]
    );
    let escaped = r#""[{\"glyph\": \"Q\", \"at\": [0, 0]}]""#;
    assert!(faults(escaped)[0].starts_with(&format!("12+{} `Q`", escaped.len())));
}

/// Generates levels in which things may be in walls and on one another, but no two actors share a tile.
fn crowded(rows: usize, cols: usize, all: &'static str) -> impl Strategy<Value = Option<Dungeon>> {
    let (height, width) = (rows + 2, cols + 2);
    let places = prop::collection::vec(0..height * width, all.len());
    (scenery(rows, cols, ""), places).prop_map(move |(Scenery { text }, places)| {
        let at =
            |(glyph, place): (char, usize)| (glyph, (place / width) as u32, (place % width) as u32);
        let things: Vec<_> = all.chars().zip(places).map(at).collect();
        let puzzle = format!("; things: {}\n{text}", list(&things));
        Dungeon::read(&from_text(&puzzle)).ok()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(40, 150)))]

    #[test]
    fn crowded_levels_are_decided_as_by_a_naive_solver(
        ghost in crowded(3, 4, "GKEP"),
        zombie in crowded(3, 4, "ZKEP"),
        ghosts in crowded(2, 3, "GGKEP"),
        both in crowded(2, 3, "GZEP"),
        zombies in crowded(2, 3, "ZZKEP"),
    ) {
        for game in [ghost, zombie, ghosts, both, zombies].into_iter().flatten() {
            check_against_naive(&game)?;
        }
    }
}
