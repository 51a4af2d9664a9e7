use super::*;

#[test]
fn an_address_is_a_file_and_a_number_or_an_id() {
    let board = |file: &str, wanted| Input::Board(file.into(), wanted);
    for (text, input) in [
        ("-", Input::Stdin),
        ("no/such.txt", Input::Path("no/such.txt".into())),
        ("no/such.txt#12", board("no/such.txt", Wanted::Number(12))),
        ("a#b#left", board("a#b", Wanted::Id("left".into()))),
        ("-#2", board("-", Wanted::Number(2))),
        // Boards are counted from 1.
        ("a#0", Input::Path("a#0".into())),
        ("a#", Input::Path("a#".into())),
        ("#1", Input::Path("#1".into())),
    ] {
        assert_eq!(Input::of(Path::new(text)), input, "{text}");
    }
}

#[test]
fn a_file_that_exists_is_no_address() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board#1");
    std::fs::write(&path, "").unwrap();
    assert_eq!(Input::of(&path), Input::Path(path));
}
