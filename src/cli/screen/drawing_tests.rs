use super::*;

fn drawing(rows: &[&str]) -> Drawing {
    let rows: Vec<_> = rows.iter().map(ToString::to_string).collect();
    Drawing::new(&rows, DrawingKind::Plain('.'))
}

#[test]
fn glyphs_are_put_and_cleared() {
    let mut board = drawing(&["#o#", "..."]);
    board.go_to(1, 1);
    board.put('g');
    assert_eq!(board.rows(), ["#o#", ".g."]);
    board.clear();
    assert_eq!(board.rows(), ["#o#", "..."]);
    board.go_to(0, 3);
    board.put('x');
    assert_eq!(board.rows(), ["#o#x", "..."]);
    board.clear();
    assert_eq!(board.rows(), ["#o#", "..."], "what sticks out goes");
    board.go_to(0, 2);
    board.clear();
    assert_eq!(board.rows(), ["#o.", "..."]);
}

#[test]
fn rows_and_columns_come_and_go() {
    let mut board = drawing(&["ab", "cd"]);
    board.insert_row(true);
    assert_eq!(
        (board.rows(), board.cursor()),
        (vec!["ab".into(), "..".into(), "cd".into()], (1, 0))
    );
    board.delete_row();
    board.go_to(0, 1);
    board.insert_column(false);
    assert_eq!(board.rows(), ["a.b", "c.d"]);
    board.insert_column(true);
    assert_eq!(board.rows(), ["a..b", "c..d"]);
    board.go_to(0, 0);
    board.delete_column();
    assert_eq!(board.rows(), ["..b", "..d"]);
    board.delete_row();
    board.delete_row();
    assert_eq!(board.rows(), ["..d"], "one row stays");
}

#[test]
fn every_change_is_undone_and_redone() {
    let mut board = drawing(&["ab", "c"]);
    let mut pictures = vec![board.rows()];
    let changes: [fn(&mut Drawing); 6] = [
        |board| board.put('x'),
        |board| board.insert_column(true),
        |board| board.insert_row(false),
        |board| board.delete_column(),
        |board| board.delete_row(),
        |board| board.clear(),
    ];
    for change in changes {
        change(&mut board);
        pictures.push(board.rows());
    }
    for picture in pictures.iter().rev().skip(1) {
        assert!(board.undo());
        assert_eq!(board.rows(), *picture);
    }
    assert!(!board.undo());
    for picture in &pictures[1..] {
        assert!(board.redo());
        assert_eq!(board.rows(), *picture);
    }
    assert!(!board.redo());
}

#[test]
fn a_drawing_knows_whether_it_is_saved() {
    let mut board = drawing(&["ab"]);
    assert!(!board.is_changed());
    board.put('x');
    assert!(board.is_changed());
    board.set_saved();
    assert!(!board.is_changed());
    board.undo();
    assert!(board.is_changed());
    board.put('y');
    assert!(board.is_changed());
    board.undo();
    board.redo();
    assert!(board.is_changed());
}

#[test]
fn the_cursor_stays_on_the_board() {
    let mut board = drawing(&["abc", "d"]);
    board.go_to_end();
    assert_eq!(board.cursor(), (0, 2));
    board.go(0, 1);
    board.go(0, 1);
    assert_eq!(board.cursor(), (0, 3), "writing goes on after the end");
    board.go(1, 0);
    board.go(1, 0);
    assert_eq!(board.cursor(), (1, 1));
    board.go(0, isize::MIN);
    board.go(-1, 0);
    board.go(-1, 0);
    assert_eq!(board.cursor(), (0, 0));
}

#[test]
fn glyphs_typed_below_each_other_stand_below_each_other() {
    let mut board = drawing(&["....", "....", "...."]);
    board.go_to(0, 1);
    for glyph in "abc".chars() {
        board.type_glyph(glyph);
        board.go(1, 0);
    }
    assert_eq!(board.rows(), [".a..", ".b..", ".c.."]);
}

#[test]
fn a_new_row_of_a_narrow_maze_is_open_to_the_old_one() {
    let mut board = Drawing::new(
        &["+-+".into(), "|T|".into(), "+-+".into()],
        DrawingKind::Walled,
    );
    board.insert_row(true);
    assert_eq!(board.rows(), ["+-+", "|T|", "+ +", "|.|", "+-+"]);
}

#[test]
fn a_maze_is_drawn_from_nothing_cell_by_cell_with_walls_between() {
    let mut board = Drawing::new(&[], DrawingKind::Walled);
    assert_eq!(
        board.rows()[..3],
        ["+-+-+-+-+-+-+", "|. . . . . .|", "+ + + + + + +"]
    );
    for _ in 0..3 {
        board.delete_row();
        board.delete_column();
    }
    board.delete_row();
    assert_eq!(
        board.rows(),
        ["+-+-+-+", "|. . .|", "+ + + +", "|. . .|", "+-+-+-+"]
    );
    board.go_to(1, 1);
    board.type_glyph('T');
    board.type_glyph('M');
    board.go_to(1, 4);
    assert!(board.is_at_wall());
    board.toggle_wall();
    board.go_to(2, 1);
    board.put('|');
    board.go_to(0, 1);
    board.toggle_wall();
    assert_eq!(
        board.rows(),
        ["+-+-+-+", "|T M|.|", "+-+ + +", "|. . .|", "+-+-+-+"]
    );
    board.go_to(1, 4);
    board.toggle_wall();
    board.insert_column(true);
    board.insert_row(true);
    let rows = [
        "+-+-+-+-+",
        "|T M . .|",
        "+ + + + +",
        "|. . . .|",
        "+-+ + + +",
    ];
    assert_eq!(board.rows()[..5], rows);
}
