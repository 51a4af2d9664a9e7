use super::*;
use getaway_rules::dungeon::Dungeon;
use getaway_ruleset::{Notation, Playable, Ruleset};

fn read(text: &str) -> Vec<Result<Puzzle<'static>, BoardError>> {
    let mut boards = Vec::new();
    let sink = &mut |board| {
        boards.push(board);
        true
    };
    super::read(text, sink).unwrap();
    boards
}

fn level(hallway: &str, objects: &str) -> String {
    format!(
        r#"{{"type": "level",
 "rooms": [
  {{"type": "room", "origin": [1, 0], "bounds": {{"rows": 4, "columns": 4}},
"layout": [[0, 0, 0, 0], [0, 1, 1, 2], [0, 1, 1, 0], [0, 0, 0, 0]]}},
  {{"type": "room", "origin": [0, 7], "bounds": {{"rows": 3, "columns": 3}},
"layout": [[0, 0, 0], [2, 1, 0], [0, 0, 0]]}}],
 "hallways": [{hallway}],
 "objects": [{objects}]}}"#
    )
}

const HALLWAY: &str =
    r#"{"type": "hallway", "from": [2, 3], "to": [1, 7], "waypoints": [[2, 5], [1, 5]]}"#;

fn pictures(text: &str) -> Vec<Result<Vec<String>, String>> {
    let picture = |puzzle: &Puzzle| {
        let game = Dungeon::read(puzzle).unwrap();
        game.picture(&game.start())
    };
    let format_place = |error: BoardError| error.to_string();
    read(text)
        .into_iter()
        .map(|board| board.map(|it| picture(&it)).map_err(format_place))
        .collect()
}

fn rows(puzzle: &Puzzle) -> Vec<String> {
    let row = |row: &Row| String::from_utf8(row.text.to_vec()).unwrap();
    puzzle.rows.iter().map(row).collect()
}

#[test]
fn a_level_is_drawn_where_a_drawing_can_say_it() {
    let objects = r#"{"type": "key", "position": [3, 1]}, {"type": "exit", "position": [1, 8]}"#;
    let boards = read(&format!("1\n{}\n", level(HALLWAY, objects)));
    let [Ok(puzzle)] = boards.as_slice() else {
        panic!("{boards:?}");
    };
    assert_eq!(
        rows(puzzle),
        [
            "XXXXXXX---",
            "----X..DE|",
            "|..D..X---",
            "|K.|XXXXXX",
            "----XXXXXX",
        ]
    );
    assert!(puzzle.header("things").is_none());
    assert_eq!(puzzle.name(), Some("level 1"));
}

#[test]
fn actors_in_doors_or_walls_or_on_shared_tiles_become_things() {
    let objects = r#"{"type": "key", "position": [2, 3]}, {"type": "exit", "position": [0, 8]}"#;
    let state = format!(
        r#"[{{"type": "state", "level": {}, "exit-locked": true,
  "players": [{{"type": "player", "name": "a", "position": [2, 1]}}, {{"type": "player", "name": "b", "position": [2, 3]}}],
  "adversaries": [{{"type": "ghost", "name": "c", "position": [3, 2]}}]}}, "a", [0, 0]]"#,
        level(HALLWAY, objects)
    );
    let boards = read(&state);
    let [Ok(puzzle)] = boards.as_slice() else {
        panic!("{boards:?}");
    };
    assert_eq!(rows(puzzle)[2], "|P.D..X---");
    let format_place = r#"[{"glyph": "K", "at": [2, 3]}, {"glyph": "E", "at": [0, 8]}, {"glyph": "P", "at": [2, 3]}, {"glyph": "G", "at": [3, 2]}]"#;
    assert_eq!(puzzle.header("things").unwrap().value, format_place);
    let game = Dungeon::read(puzzle).unwrap();
    assert_eq!(
        game.picture(&game.start()),
        [
            "XXXXXXX-E-",
            "----X..D.|",
            "|P.P..X---",
            "|.G|XXXXXX",
            "----XXXXXX",
        ]
    );
}

#[test]
fn the_first_places_beside_a_level_are_those_of_the_players_who_are_named() {
    let level = level(HALLWAY, r#"{"type": "key", "position": [3, 1]}"#);
    let move_lists = r#"[[{"type": "move", "to": [2, 2]}], []]"#;
    let input =
        |names: &str, places: &str| format!("[{names}, {level}, 7, {places}, {move_lists}]");
    for (names, places, drawn, others) in [
        (r#"["a", "b"]"#, "[[2, 1], [1, 8]]", "|P.D..X---", None),
        (
            r#"["a"]"#,
            "[[2, 2], [1, 8], [3, 2]]",
            "|.PD..X---",
            Some("[1, 8] [3, 2]"),
        ),
        ("[]", "[]", "|..D..X---", None),
    ] {
        let boards = read(&input(names, places));
        let [Ok(puzzle)] = boards.as_slice() else {
            panic!("{boards:?}");
        };
        assert_eq!(rows(puzzle)[2], drawn, "{names} {places}");
        let header = puzzle.header("adversaries without a type");
        assert_eq!(header.map(|header| &*header.value), others);
    }
    for (names, places) in [(r#"["a", "b"]"#, "[[2, 1]]"), (r#"["a"]"#, "true")] {
        let format_place = pictures(&input(names, places))[0].clone().unwrap_err();
        assert!(
            format_place.contains("no position for each named player"),
            "{format_place}"
        );
    }
    let no_level = input(r#"["a"]"#, "[[2, 1]]").replace("\"level\"", "\"room\"");
    let format_place = pictures(&no_level)[0].clone().unwrap_err();
    assert!(
        format_place.contains("neither a level nor a state"),
        "{format_place}"
    );
}

#[test]
fn a_level_or_state_without_a_type_is_known_by_what_it_has() {
    let typed = level(HALLWAY, "");
    let level = typed.replacen(r#""type": "level","#, "", 1);
    assert_eq!(pictures(&level), pictures(&typed));
    let state = format!(r#"[{{"level": {level}, "exit-locked": false}}, "a", [0, 0]]"#);
    assert_eq!(pictures(&state), pictures(&typed));
}

#[test]
fn an_unknown_type_suggests_the_closest_one() {
    for (kind, meant) in [
        ("Zombie", "zombie"),
        ("zoombie", "zombie"),
        ("GHOST", "ghost"),
    ] {
        let object = format!(r#"{{"type": "{kind}", "position": [2, 1]}}"#);
        let error = read(&level(HALLWAY, &object)).pop().unwrap().unwrap_err();
        let help = error.first().kind.help();
        assert_eq!(help, format!("did you mean `{meant}`?"));
    }
}

#[test]
fn several_levels_stand_one_after_the_other_and_a_bad_one_stops_none() {
    let bad = level(r#"{"from": [2, 3], "to": [1, 7]}"#, "");
    let good = level(HALLWAY, "");
    let all = pictures(&format!("3\n{good}\n{bad}\n{good}"));
    assert_eq!(all.len(), 3);
    assert!(all[0].is_ok() && all[0] == all[2]);
    let format_place = "level 2: a hallway between [2, 3] and [1, 7] is not straight";
    assert!(
        all[1].as_ref().unwrap_err().contains(format_place),
        "{:?}",
        all[1]
    );
}

#[test]
fn content_without_a_board_equivalent_is_reported_with_its_place() {
    let format_place = |text: &str| pictures(text)[0].clone().unwrap_err();
    let object = |kind: &str, row: i32| format!(r#"{{"type": "{kind}", "position": [{row}, 1]}}"#);
    let two = format!("{}, {}", object("key", 2), object("key", 3));
    for (text, message) in [
        (
            level(HALLWAY, &two),
            "a second key at [3, 1]: the first is at [2, 1]",
        ),
        (
            level(HALLWAY, &object("sword", 2)),
            "a board can't contain `sword`",
        ),
        (
            level(
                r#"{"from": [2, 3], "to": [2, 0]}, {"from": [2, 0], "to": [0, 0], "waypoints": []}"#,
                "",
            ),
            "a hallway runs through a wall at [1, 0]",
        ),
        (
            level("", "").replace("[0, 7]", "[2, 3]"),
            "two rooms overlap at [2, 3]",
        ),
        (
            level("", "").replace("\"rows\": 3", "\"rows\": 4"),
            "is 3 x 3, but its bounds say 4 x 3",
        ),
        (
            level("", "").replace("[2, 1, 0]", "[2, 1, 1]"),
            "the floor at [1, 8] is open to the void",
        ),
        (
            level("", "").replace("[2, 1, 0]", "[2, 7, 0]"),
            "has a tile 7",
        ),
        (level("", "").replace("[0, 7]", "[0, 2000000000]"), "tiles"),
        ("{\"type\": \"room\"}".into(), "neither a level nor a state"),
        ("{\"type\": \"level\"}".into(), "missing field `rooms`"),
        ("[".into(), "EOF"),
    ] {
        let found = format_place(&text);
        assert!(found.contains(message), "{message}: {found}");
    }
}

#[test]
fn a_hallway_that_would_be_a_room_is_refused() {
    let text = r#"{"type": "level", "rooms": [
 {"origin": [0, 0], "layout": [[0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 2, 0]]},
 {"origin": [4, 0], "layout": [[0, 0, 2, 0], [0, 1, 1, 0], [0, 0, 0, 0]]},
 {"origin": [3, 0], "layout": [[0, 0]]}, {"origin": [3, 3], "layout": [[0]]}],
 "hallways": [{"from": [2, 2], "to": [4, 2]}]}"#;
    let format_place = pictures(text)[0].clone().unwrap_err();
    assert!(
        format_place.contains("the floor at [3, 2] lies between walls"),
        "{format_place}"
    );
}

#[test]
fn an_open_exit_has_lost_its_key() {
    let objects = r#"{"type": "key", "position": [2, 1]}, {"type": "exit", "position": [2, 2]}"#;
    let state = |locked: bool, objects: &str| {
        let level = level(HALLWAY, objects);
        format!(r#"{{"type": "state", "level": {level}, "exit-locked": {locked}}}"#)
    };
    let row = |text: &str| pictures(text)[0].clone().map(|rows| rows[2].clone());
    assert_eq!(row(&state(false, objects)).unwrap(), "|.ED..X---");
    assert_eq!(row(&state(true, objects)).unwrap(), "|KED..X---");
    let format_place = row(&state(true, r#"{"type": "exit", "position": [2, 2]}"#)).unwrap_err();
    assert!(
        format_place.contains("locked, and there is no key"),
        "{format_place}"
    );
}

#[test]
fn a_level_that_begins_elsewhere_says_where() {
    let moved = level("", "")
        .replace("[1, 0]", "[11, -5]")
        .replace("[0, 7]", "[10, 2]");
    let boards = read(&moved);
    let [Ok(puzzle)] = boards.as_slice() else {
        panic!("{boards:?}");
    };
    let place = puzzle.header("the first tile of the level").unwrap();
    assert_eq!(place.value, "[10, -5]");
    assert_eq!(puzzle.rows.len(), 5);
}

#[test]
fn ghosts_and_zombies_start_at_their_given_places() {
    let objects = r#"{"type": "key", "position": [3, 1]}, {"type": "exit", "position": [1, 8]}"#;
    let state = format!(
        r#"[{{"type": "state", "level": {}, "exit-locked": true,
  "players": [{{"type": "player", "name": "a", "position": [2, 1]}}],
  "adversaries": [{{"type": "zombie", "name": "b", "position": [3, 2]}}, {{"type": "ghost", "name": "c", "position": [2, 2]}}]}}, "a", [0, 0]]"#,
        level(HALLWAY, objects)
    );
    let drawn = pictures(&state).remove(0).unwrap();
    assert_eq!(drawn[2], "|PGD..X---");
    assert_eq!(drawn[3], "|KZ|XXXXXX");
}

#[test]
fn a_ghost_in_the_open_is_drawn_and_no_thing() {
    let state = r#"[{"type": "state", "level": {"type": "level", "hallways": [], "objects": [],
 "rooms": [{"type": "room", "origin": [0, 0], "bounds": {"rows": 5, "columns": 5},
"layout": [[0, 0, 0, 0, 0], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0]]}]},
  "exit-locked": false, "players": [],
  "adversaries": [{"type": "ghost", "name": "a", "position": [2, 2]}, {"type": "ghost", "name": "b", "position": [3, 1]}]}]"#;
    let boards = read(state);
    let [Ok(puzzle)] = boards.as_slice() else {
        panic!("{boards:?}");
    };
    assert_eq!(rows(puzzle)[2..4], ["|.G.|", "|...|"]);
    let things = puzzle.header("things").unwrap();
    assert_eq!(things.value, r#"[{"glyph": "G", "at": [3, 1]}]"#);
}

#[test]
fn each_room_and_hallway_fault_is_reported_once() {
    let text = r#"{"type": "level", "rooms": [
 {"origin": [0, 0], "layout": [[0, 0, 0, 0], [0, 1, 1, 1], [0, 0, 2, 0]]},
 {"origin": [4, 0], "layout": [[0, 0, 2, 0], [1, 1, 1, 0], [0, 0, 0, 0]]},
 {"origin": [3, 0], "layout": [[0, 0]]}, {"origin": [3, 3], "layout": [[0]]}],
 "hallways": [{"from": [2, 2], "to": [4, 2]}]}"#;
    let error = read(text).pop().unwrap().unwrap_err();
    let format_place: Vec<_> = error.faults.iter().map(|it| it.kind.to_string()).collect();
    let places = ["[1, 1] is open", "[3, 2] lies between", "[5, 0] is open"];
    assert_eq!(format_place.len(), places.len(), "{format_place:?}");
    for (format_place, place) in format_place.iter().zip(places) {
        assert!(format_place.contains(place), "{place}: {format_place}");
    }
}

#[test]
fn a_level_that_breaks_off_says_in_which_line() {
    let text = "1\n{\"type\": \"level\",\n \"rooms\": [],\n \"hallways\": 3}\n";
    let error = read(text).pop().unwrap().unwrap_err();
    assert_eq!(error.first().place.line, 4);
}

#[test]
fn a_byte_order_mark_is_ignored() {
    let level = level(HALLWAY, "");
    for text in [
        format!("1\n{level}"),
        format!("[{level}, [2, 1]]"),
        level.clone(),
    ] {
        assert_eq!(pictures(&format!("\u{feff}{text}")), pictures(&text));
        assert_eq!(pictures(&text), pictures(&level));
    }
}

#[test]
fn every_level_of_an_array_is_a_board() {
    let first = level(HALLWAY, r#"{"type": "key", "position": [3, 1]}"#);
    let second = level(HALLWAY, r#"{"type": "exit", "position": [3, 1]}"#);
    let state = format!(r#"{{"type": "state", "level": {second}}}"#);
    let both = [pictures(&first), pictures(&second)].concat();
    for array in [
        format!("[{first}, {second}]"),
        format!(r#"["a", {first}, "b", {state}]"#),
        format!("[[\"a\"], {first}, {second}, [[2, 1]], []]"),
    ] {
        assert_eq!(pictures(&array), both, "{array}");
        assert_eq!(pictures(&format!("2\n{array}")), both);
    }
    let format_place = |text: String| {
        let format_place = pictures(&text).into_iter().filter_map(Result::err);
        format_place.collect::<Vec<_>>()
    };
    let misspelt = first.replacen("level", "levle", 1);
    for array in [
        format!("[{first}, {misspelt}]"),
        format!("[{first}, [{second}]]"),
        format!("[[{first}]]"),
    ] {
        let format_place = format_place(array);
        assert_eq!(format_place.len(), 1, "{format_place:?}");
        assert!(
            format_place[0].contains("neither a level nor a state"),
            "{format_place:?}"
        );
    }
}

#[test]
fn a_file_holds_as_many_levels_as_it_promises() {
    let good = level(HALLWAY, "");
    let bad = level("3", "");
    let read = |text: &str| super::read(text, &mut |_| true);
    for text in [
        format!("2\n{good}\n{good}"),
        format!("2\n{good}\n{bad}"),
        format!("1\n{good}\n1\n{good}"),
        format!("2\n[{good}, {good}]"),
        format!("{good}\n{good}"),
        format!("3\n{good}\n["),
    ] {
        assert_eq!(read(&text), Ok(()), "{text}");
    }
    for promised in [0, 1, 3, 9] {
        let format_place = read(&format!("{promised}\n{good}\n{good}")).unwrap_err();
        assert!(format_place.ends_with(", but holds 2"), "{format_place}");
    }
}

#[test]
fn keys_that_a_board_would_lose_are_errors() {
    let object = r#"{"type": "key", "position": [3, 1]}"#;
    let good = level(HALLWAY, object);
    assert!(pictures(&good)[0].is_ok());
    for (key, other) in [
        ("hallways", "hallway"),
        ("objects", "object"),
        ("waypoints", "way-points"),
        ("position", "positions"),
        ("position", "name"),
        ("bounds", "bound"),
        ("\"bounds\": {", "\"bounds\": {\"depth\": 1, "),
    ] {
        let format_place = pictures(&good.replacen(key, other, 1))[0].clone();
        let format_place = format_place.expect_err(key);
        assert!(
            format_place.contains("unknown field") || format_place.contains("missing field"),
            "{format_place}"
        );
    }
    // A piece without a position has been taken.
    assert!(pictures(&good.replace("[3, 1]", "null"))[0].is_ok());
}

#[test]
fn an_invisible_character_is_named() {
    let format_place = pictures(&format!("1\n\u{200b}{}", level(HALLWAY, "")))[0].clone();
    let format_place = format_place.unwrap_err();
    assert!(
        format_place.contains("expected value, found `\\u{200b}`")
            && format_place.starts_with("line 2"),
        "{format_place}"
    );
}
