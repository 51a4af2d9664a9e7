use std::fs;
use std::io::Write;

use super::*;

#[test]
fn an_address_is_a_file_and_a_number_or_an_id() {
    let board = |file: &str, expected| Input::Board(file.into(), expected);
    for (text, input) in [
        ("-", Input::Stdin),
        ("no/such.txt", Input::Path("no/such.txt".into())),
        ("no/such.txt#12", board("no/such.txt", Selector::Number(12))),
        ("a#b#left", board("a#b", Selector::Id("left".into()))),
        ("-#2", board("-", Selector::Number(2))),
        // Boards are counted from 1, as the error says.
        ("a#0", board("a", Selector::Number(0))),
        ("a#", Input::Path("a#".into())),
        ("#1", Input::Path("#1".into())),
    ] {
        assert_eq!(Input::of(Path::new(text)), input, "{text}");
    }
}

#[cfg(unix)]
#[test]
fn a_name_may_be_any_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let path = |bytes| Path::new(OsStr::from_bytes(bytes)).to_owned();
    let board = Input::Board(path(b"\xff.txt"), Selector::Number(1));
    assert_eq!(Input::of(&path(b"\xff.txt#1")), board);
    let no_id = path(b"a.txt#\xff");
    assert_eq!(Input::of(&no_id), Input::Path(no_id));
}

#[test]
fn a_file_that_exists_is_no_address() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board#1");
    fs::write(&path, "").unwrap();
    assert_eq!(Input::of(&path), Input::Path(path));
}

fn read_while(change: impl FnOnce(&Path)) -> io::Result<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let mut file = File::create(&path).unwrap();
    file.write_all(b"0123456789").unwrap();
    // An old modification time makes the change visible at any clock resolution.
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
    let file = File::open(&path).unwrap();
    let meta = file.metadata().unwrap();
    let mut steady = UnchangedFile::new(file, meta);
    let mut text = [0; 4];
    steady.read_exact(&mut text).unwrap();
    change(&path);
    let mut rest = String::new();
    steady.read_to_string(&mut rest)?;
    Ok(rest)
}

#[test]
fn a_file_that_shrinks_grows_or_changes_is_an_error() {
    assert_eq!(read_while(|_| {}).unwrap(), "456789");
    let write = |text: &'static str| move |path: &Path| fs::write(path, text).unwrap();
    for text in ["", "012345", "0123456789ab", "abcdefghij"] {
        let error = read_while(write(text)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "it changed while it was being read",
            "{text}"
        );
    }
}

#[test]
fn a_file_that_vanishes_is_read_to_its_end() {
    let vanish = |path: &Path| fs::remove_file(path).unwrap();
    assert_eq!(read_while(vanish).unwrap(), "456789");
}
