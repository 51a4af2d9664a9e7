use super::*;
use getaway_board::puzzle::text::Boards;
use getaway_ruleset::{Playable, Ruleset};

fn read(text: &str) -> Result<Dungeon, BoardError> {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    Dungeon::read(&puzzle)
}

fn picture(text: &str) -> Vec<String> {
    let game = read(text).unwrap();
    game.picture(&game.start())
}

fn faults(text: &str) -> (Vec<(u64, u64, String)>, String) {
    let faults = read(text).unwrap_err().faults;
    let help = faults[0].kind.help();
    let told = |fault: getaway_board::fault::Fault| {
        (fault.place.line, fault.place.column, fault.kind.to_string())
    };
    (faults.into_iter().map(told).collect(), help)
}

#[test]
fn spaced_and_compact_drawings_are_distinguished() {
    let spaced = picture("- - - - -\n| P   G |\n|  K  E |\n- - - - -\n");
    assert_eq!(
        spaced,
        ["-----", "|P.G|", "|K.E|", "-----"].map(String::from)
    );
    let compact = picture("-----\n|P G|\n| K |\n-----\n");
    assert_eq!(
        compact,
        ["-----", "|P.G|", "|.K.|", "-----"].map(String::from)
    );
    // A drawing of only actors and floor is compact: a spaced one has a wall, door or void in an even column (from 0).
    assert_eq!(picture("P G E\n"), ["P.G.E"]);
    assert_eq!(picture("; drawing: spaced\nP G E\n"), ["PGE"]);
    assert_eq!(picture("; drawing: compact\n| P |\n"), ["|.P.|"]);
}

#[test]
fn short_rows_are_filled_up_and_small_letters_are_void() {
    assert_eq!(
        picture("-----\n|P\nxX|.|\n"),
        ["-----", "|P...", "XX|.|"].map(String::from)
    );
}

#[test]
fn rooms_touch_neither_void_nor_the_edge() {
    let game = read("-----------\n|..D.X..|.|\n|..|.-.D|.|\n|..|.|.....\n-----------\n").unwrap();
    let rooms: Vec<_> = game.level.rooms().iter().map(Vec::len).collect();
    assert_eq!(rooms, [6]);
}

#[test]
fn ghosts_may_be_drawn_in_walls_and_doors() {
    let under = |text: &str| {
        let game = read(text).unwrap();
        game.level.tile(game.start().adversaries[0].cell)
    };
    assert_eq!(under("..|\n..G\n..|\n"), Tile::Vertical, "beside the edge");
    assert_eq!(
        under("..|..\n..G..\n..|..\n"),
        Tile::Door,
        "floor on both sides"
    );
    assert_eq!(under("..|..\n..GD.\n..-..\n"), Tile::Door, "floor and door");
    assert_eq!(
        under("..|..\nX.GX.\n..D..\n"),
        Tile::Vertical,
        "void on one side"
    );
    assert_eq!(
        under("..-..\n..G..\n..-..\n"),
        Tile::Floor,
        "no wall runs that way"
    );
    assert_eq!(
        under("..-..\n..GX.\n..D..\n"),
        Tile::Vertical,
        "a door with void beside the ghost"
    );
    assert_eq!(
        under("..D..\n..GX.\n..D..\n"),
        Tile::Floor,
        "between two doors"
    );
    assert_eq!(under("-G-\n...\n"), Tile::Horizontal, "beside the edge");
    assert_eq!(
        under("...\n-G-\n...\n"),
        Tile::Door,
        "floor above and below"
    );
    assert_eq!(
        under("P..\n|Z|\n.G.\n"),
        Tile::Floor,
        "zombies stand on floor"
    );
}

#[test]
fn all_faults_are_reported_at_once_with_their_places() {
    let (told, help) = faults(
        "; strategy: chse\n; radius: 256\n; cooldown: -1\n; speed: 0\n; drawing: wide\n\
             -------\n|K E#K|\n|P.E.E|\n-------\n",
    );
    assert_eq!(help, "did you mean `chase`?");
    let told: Vec<_> = told
        .iter()
        .map(|(line, col, text)| (*line, *col, &**text))
        .collect();
    assert_eq!(
        told,
        [
            (1, 13, "invalid value `chse` for `strategy`"),
            (2, 11, "invalid value `256` for `radius`"),
            (3, 13, "invalid value `-1` for `cooldown`"),
            (4, 10, "invalid value `0` for `speed`"),
            (5, 12, "invalid value `wide` for `drawing`"),
            (7, 5, "unknown glyph `#`"),
            (7, 6, "two keys: the first is at line 7, column 2"),
            (8, 4, "two exits: the first is at line 7, column 4"),
            (8, 6, "two exits: the first is at line 7, column 4"),
        ]
    );
    let (told, help) = faults("-------\n|K E.K|\n|P.E.E|\n-------\n");
    let told: Vec<_> = told
        .iter()
        .map(|(line, col, text)| (*line, *col, &**text))
        .collect();
    assert_eq!(
        told,
        [
            (2, 6, "two keys: the first is at line 2, column 2"),
            (3, 4, "two exits: the first is at line 2, column 4"),
            (3, 6, "two exits: the first is at line 2, column 4"),
        ]
    );
    assert_eq!(help, "keep one `K`");
}

#[test]
fn a_tile_of_a_spaced_drawing_holds_one_thing() {
    let (told, _) = faults("- - - -\n| PG  |\n|G  ZK|\n- - - -\n");
    assert_eq!(
        told,
        [
            (2, 4, "`P` and `G` are on one tile".to_owned()),
            (3, 2, "`G` on top of structure".to_owned()),
            (3, 6, "`Z` and `K` are on one tile".to_owned()),
        ]
    );
    let (told, help) = faults("; drawing: spaced\n-----\n|   |\n");
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!((told[0].0, told[0].1), (2, 2));
    assert!(help.contains("drawing: compact"), "{help}");
}

#[test]
fn settings_default_to_the_values_of_the_course_documents() {
    let settings = read("P\n").unwrap().settings;
    assert_eq!(settings, Settings::default());
    let text = "; strategy: cooldown\n; radius: 255\n; cooldown: 0\n; speed: 4\n; goal: all\nP\n";
    let set = Settings {
        strategy: Strategy::Cooldown,
        radius: 255,
        cooldown: 0,
        speed: 4,
        goal: Goal::All,
    };
    assert_eq!(read(text).unwrap().settings, set);
}

#[test]
fn an_unknown_goal_names_the_known_ones() {
    let (told, help) = faults("; goal: both\nP\n");
    assert_eq!((told.len(), told[0].0), (1, 1), "{told:?}");
    assert!(help.contains("`any`") && help.contains("`all`"), "{help}");
}
