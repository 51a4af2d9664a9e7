use getaway_solvers::rulesets::{self, RULESETS};

use super::super::theme::Charset;
use super::*;
use crate::cli::output::text::Colors;

fn drawn(ruleset: &str, rows: &[&str], marks: Marks) -> Vec<String> {
    let rows: Vec<_> = rows.iter().map(ToString::to_string).collect();
    let canvas = Canvas::new(&rows, theme(ruleset), marks, (0, 0));
    let size = (
        (canvas.cols() * canvas.width) as u16,
        canvas.rows.len() as u16,
    );
    shown(&canvas, size.into())
}

fn theme(ruleset: &str) -> Theme {
    Theme {
        charset: Charset::Unicode,
        colors: Colors::Off,
        legend: rulesets::find(RULESETS, ruleset).unwrap().legend,
    }
}

fn shown(canvas: &Canvas, size: Size) -> Vec<String> {
    let area = Rect::from((Position::ORIGIN, size));
    let mut buffer = Buffer::empty(area);
    canvas.draw(area, &mut buffer);
    let row = |y| {
        (0..area.width)
            .map(|x| buffer[(x, y)].symbol())
            .collect::<String>()
    };
    (0..area.height)
        .map(|y| row(y).trim_end().to_owned())
        .collect()
}

fn plain(ruleset: &str, rows: &[&str]) -> Vec<String> {
    drawn(ruleset, rows, Marks::default())
}

#[test]
fn glyphs_of_a_legend_are_drawn_one_by_one() {
    let shown = |ruleset, glyphs| super::drawn(glyphs, theme(ruleset));
    assert_eq!(shown("dungeon", "-|"), "─ │");
    assert_eq!(shown("dungeon", "Xx"), "░░");
    assert_eq!(shown("theseus", "|-+"), "│ ─ +");
    assert_eq!(shown("baddies", "M"), "M");
}

#[test]
fn walls_between_cells_are_joined_to_lines() {
    assert_eq!(
        plain("theseus", &["+-+-+", "|T|M|", "+ +-+", "|  E|", "+-+-+"]),
        [
            "┌───┬───┐",
            "│ T │ M │",
            "│   └───┤",
            "│     E │",
            "└───────┘"
        ],
    );
}

#[test]
fn rooms_side_by_side_have_walls_of_their_own() {
    assert_eq!(
        plain("dungeon", &["-----", "|P||G", "-----"]),
        ["┌───┬─┬──", "│ P │ │ G", "└───┴─┴──"]
    );
}

#[test]
fn moves_are_drawn_on_the_floor() {
    let mut marks = Marks::default();
    let mut went = |actor, from, to, fate| {
        marks.movement(&TraceEvent {
            actor,
            from,
            to,
            fate,
        });
    };
    went('H', (0, 1), (0, 2), Fate::Stands);
    went('M', (1, 4), (1, 2), Fate::Stands);
    went('m', (2, 1), (2, 0), Fate::Fell);
    went('~', (2, 3), (2, 3), Fate::Stands);
    assert_eq!(
        drawn("baddies", &["  H +", "  M   ", "#  ~"], marks),
        ["  → H   +", "    M · ←", "✖▒←   ~"]
    );
}

#[test]
fn an_actor_that_vanished_leaves_a_mark() {
    let mut marks = Marks::default();
    marks.movement(&TraceEvent {
        actor: 'G',
        from: (0, 0),
        to: (0, 4),
        fate: Fate::Teleports,
    });
    assert_eq!(drawn("dungeon", &["....G"], marks), ["✶ · · · G"]);
}

#[test]
fn lists_of_numbers_are_shown_as_they_are() {
    let mut marks = Marks::default();
    marks.put((0, 0), Mark::Trail);
    assert_eq!(drawn("maze", &["[2, 0, -1]"], marks), ["[2, 0, -1]"]);
}

#[test]
fn the_focus_of_a_larger_board_is_visible() {
    assert_eq!(in_sight(0, 100, 10), 0..10);
    assert_eq!(in_sight(50, 100, 10), 45..55);
    assert_eq!(in_sight(99, 100, 10), 90..100);
    assert_eq!(in_sight(3, 5, 10), 0..5);
}

fn in_room(rows: &[&str], focus: CellPosition, size: (u16, u16)) -> Vec<String> {
    let rows: Vec<_> = rows.iter().map(ToString::to_string).collect();
    let canvas = Canvas::new(&rows, theme("jimmy"), Marks::default(), focus);
    shown(&canvas, size.into())
}

#[test]
fn the_edge_of_the_board_is_drawn() {
    let drawn = in_room(&["o.", "#."], (0, 0), (6, 4));
    assert_eq!(drawn, ["┌────┐", "│o · │", "│██· │", "└────┘"]);
}

#[test]
fn cells_beyond_the_window_are_indicated() {
    let row = "...........";
    let mut rows = [row; 9];
    rows[0] = "o..........";
    let drawn = in_room(&rows, (0, 0), (16, 5));
    let expected = [
        "┌───────────────",
        "│o · · · · · ·",
        "│· · · · · · · →",
        "│· · · · · · ·",
    ];
    assert_eq!(drawn[..4], expected);
    assert!(drawn[4].ends_with("↓ 6 more"), "{drawn:?}");
}

#[test]
fn a_board_grows_with_the_room() {
    let drawn = in_room(&["o#"], (0, 0), (11, 4));
    assert_eq!(
        drawn,
        ["┌────────┐", "│ o  ████│", "│    ████│", "└────────┘"]
    );
    let drawn = in_room(&["o#"], (0, 0), (15, 5));
    assert_eq!(drawn[2], "│  o   ██████│");
}

#[test]
fn terminal_control_characters_are_not_drawn() {
    assert_eq!(plain("jimmy", &["o\u{1b}\u{4e00}"]), ["o ? ?"]);
}
