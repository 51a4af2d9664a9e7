use super::super::shelf::BoardFile;
use super::*;

fn redrawn(text: &str, rows: &[&str]) -> String {
    let file = BoardFile::of(Path::new("-"), text.into());
    let (puzzle, _) = file.board(0).read();
    let rows: Vec<_> = rows.iter().map(ToString::to_string).collect();
    String::from_utf8(with_rows(file.board(0), &puzzle, &rows).unwrap()).unwrap()
}

#[test]
fn fields_of_a_json_line_keep_their_order_and_their_values() {
    let line = r#"{"things": [{"at": [0, 1.50]}], "moves": "U", "rows": ["o\u0020"]}"#;
    assert_eq!(
        redrawn(line, &["#o", "\\."]),
        r##"{"things": [{"at": [0, 1.50]}], "moves": "U", "rows": ["#o", "\\."]}"##
    );
}

#[test]
fn other_rows_leave_the_headers_as_they_are() {
    assert_eq!(
        redrawn(";name :  a\r\n; remark\r\n#o.\r\n", &["o", "."]),
        ";name :  a\r\n; remark\r\no\r\n."
    );
    assert_eq!(redrawn("; name: a\n", &["o"]), "; name: a\no");
    assert_eq!(redrawn("", &["o"]), "o");
}

#[test]
fn a_free_name_is_unused_in_the_current_folder() {
    let name = |path: &str, number| free_name(Path::new(path), number);
    let in_folder = name("puzzles/jimmy/board.txt", None);
    assert_eq!(in_folder, Path::new("board-moves.txt"));
    assert_eq!(name("board.txt", Some(3)), Path::new("board-3-moves.txt"));
    assert_eq!(name("-", None), Path::new("board-moves.txt"));
    assert_eq!(name("all.parquet", None), Path::new("all-moves.jsonl"));
}
