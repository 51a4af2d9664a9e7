use super::*;
use getaway_board::puzzle::text::Boards;

pub(super) fn read_text(text: &str) -> Result<Maze, BoardError> {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle)?);
    read(&puzzle)
}

pub(super) fn numbers(written: &Maze) -> Vec<Vec<i64>> {
    let row = |row: &[Tile]| row.iter().map(|tile| tile.number()).collect();
    written.map.rows().map(row).collect()
}

/// Returns the faults as "line:column:width message|help".
pub(super) fn faults(text: &str) -> Vec<String> {
    let error = read_text(text).unwrap_err();
    let tell = |fault: &Fault| {
        let Place {
            line,
            column,
            width,
        } = fault.place;
        format!(
            "{line}:{column}:{width} {} | {}",
            fault.kind,
            fault.kind.help()
        )
    };
    error.faults.iter().map(tell).collect()
}

#[test]
fn a_drawing_is_a_map() {
    let written = read_text("R.*\nrSs\nBb.\n").unwrap();
    assert_eq!(numbers(&written), [[2, 0, -1], [1, 6, 5], [4, 3, 0]]);
    assert_eq!((written.runner, written.expected), (Id::ONE, None));
}

#[test]
fn a_body_alone_has_a_letter_too() {
    assert_eq!(numbers(&read_text("R.b*C\n").unwrap()), [[2, 0, 3, -1, 6]]);
}

#[test]
fn a_drawing_has_one_head_of_each_letter() {
    assert_eq!(
        faults("R.A\n.R.\nAR.\n"),
        [
            "2:2:1 two heads of `R`: the first is at line 1, column 1 | keep one `R`",
            "3:1:1 two heads of `A`: the first is at line 1, column 3 | keep one `A`",
            "3:2:1 two heads of `R`: the first is at line 1, column 1 | keep one `R`",
        ]
    );
}

#[test]
fn the_runner_of_a_drawing_is_part_of_it() {
    assert!(read_text("; runner: 1\nR*\n").is_ok());
    assert_eq!(
        faults("; runner: 2\nR*\n"),
        ["1:11:1 the runner of a drawing is `R`, whose id is 1, not 2 | remove this header"]
    );
    assert_eq!(
        faults("; runner: R\nR*\n"),
        ["1:11:1 invalid value `R` for `runner` | write a positive integer"]
    );
}

#[test]
fn a_drawing_is_a_rectangle_of_known_glyphs() {
    assert_eq!(
        faults("R*\n#\n"),
        [
            "2:1:1 unknown glyph `#` | use one of `.` blank, `*` food, `R` the runner's head, \
                 `r` its string, `A` to `Z` a wall's moving end, `a` to `z` its body",
            "2:2:0 this row has 1 cell, but the first row has 2 | pad this row with `.`",
        ]
    );
}

#[test]
fn boards_of_maze_glyphs_or_integers_fit() {
    let is_maze = |text: &str| {
        let mut puzzle = Puzzle::empty();
        assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
        fits(&puzzle)
    };
    for text in [
        "R*\n",
        "[2, 0]\n",
        " [2]\n",
        "(1, 1, 1, 0, -1)\n[2]\n",
        "-1\n[2]\n",
        "2\n",
    ] {
        assert!(is_maze(text), "{text}");
    }
    for text in ["o.\n.g\n", "#R\n", "---\n|H|\n---\n", "- - -\n"] {
        assert!(!is_maze(text), "{text}");
    }
}
