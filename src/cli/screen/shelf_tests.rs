use std::fs;

use super::*;

fn texts(file: &BoardFile) -> Vec<&str> {
    let text = |number| std::str::from_utf8(file.board(number).text).unwrap();
    (0..file.count()).map(text).collect()
}

#[test]
fn a_text_is_cut_into_its_boards() {
    let text = "; a remark on the file\n\n; name: one\n#o.\n\n\n; name: two\r\n#o.\r\n#..\r\n; name: three\no";
    let file = BoardFile::of(Path::new("a.txt"), text.into());
    let boards = [
        "; name: one\n#o.",
        "; name: two\r\n#o.\r\n#..",
        "; name: three\no",
    ];
    assert_eq!(texts(&file), boards);
    let lines: Vec<_> = (0..3).map(|number| file.board(number).line).collect();
    assert_eq!(lines, [3, 7, 10]);
    assert_eq!(file.find(&Selector::Id("two".into())), Ok(1));
    assert_eq!(file.find(&Selector::Number(3)), Ok(2));
    assert!(file.find(&Selector::Number(4)).is_err());
    assert_eq!(file.address(1), "a.txt#2");
}

#[test]
fn only_the_board_that_was_changed_is_changed() {
    let text = "\u{feff}o\n\n; name: two\r\n#o.\r\n\n\n. . rest\n\n";
    let file = BoardFile::of(Path::new("a.txt"), text.into());
    let changed = file.with_board(1, b"; name: two\r\n#.o");
    let expected = text.replace("#o.", "#.o");
    assert_eq!(String::from_utf8(changed).unwrap(), expected);
    let same = file.with_board(0, file.board(0).text);
    assert_eq!(String::from_utf8(same).unwrap(), text);
}

#[test]
fn json_lines_are_boards_line_by_line() {
    let text = "{\"id\": 7, \"rows\": [\"o\"]}\r\n\n{\"rows\": [\"#o.\"], \"name\": \"x\"}";
    let file = BoardFile::of(Path::new("-"), text.into());
    assert_eq!(file.count(), 2);
    assert_eq!(file.find(&Selector::Id("7".into())), Ok(0));
    assert_eq!(file.find(&Selector::Id("x".into())), Ok(1));
    assert_eq!(texts(&file)[0], "{\"id\": 7, \"rows\": [\"o\"]}");
    let changed = file.with_board(0, b"{}");
    assert!(changed.starts_with(b"{}\r\n\n{\"rows\""));
}

#[test]
fn the_list_spans_a_file_and_its_neighbours() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a.txt", "o\n\no\n"), ("b.txt", "o\n"), ("c.md", "o\n")] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    fs::create_dir(folder.path().join("b")).unwrap();
    fs::write(folder.path().join("b/d.txt"), "o\n").unwrap();
    let mut shelf = BoardList::open(&folder.path().join("a.txt")).unwrap();
    let at = |shelf: &BoardList| {
        let name = shelf.file.path.file_name().unwrap().to_owned();
        (name.into_string().unwrap(), shelf.number)
    };
    assert_eq!(shelf.previous(), Ok(false));
    assert_eq!((shelf.next(), at(&shelf)), (Ok(true), ("a.txt".into(), 1)));
    assert_eq!((shelf.next(), at(&shelf)), (Ok(true), ("b.txt".into(), 0)));
    assert_eq!(shelf.next(), Ok(false));
    assert_eq!(
        (shelf.previous(), at(&shelf)),
        (Ok(true), ("a.txt".into(), 1))
    );
    let mut whole = BoardList::open(folder.path()).unwrap();
    let mut boards = 1;
    while whole.next().unwrap() {
        boards += 1;
    }
    assert_eq!(boards, 4);
}

#[test]
fn the_collection_has_named_boards_of_every_ruleset() {
    for entry in getaway_solvers::rulesets::RULESETS {
        let boards = BoardList::collection(entry).unwrap();
        let count = if entry.name == "maze" { 12 } else { 24 };
        assert_eq!(boards.file.count(), count, "{}", entry.name);
        assert!(boards.file.ids().all(|id| !id.is_empty()));
        assert_eq!(boards.end("last"), "this is the last board");
    }
    let alone = BoardList::of_ruleset(&getaway_solvers::rulesets::RULESETS[0], "o\n");
    assert_eq!(alone.end("last"), "this is the only board");
}
