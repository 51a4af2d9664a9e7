use std::fs;
use std::io::Write;

use super::*;

fn read(change: impl FnOnce(&std::path::Path)) -> io::Result<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let mut file = File::create(&path).unwrap();
    file.write_all(b"0123456789").unwrap();
    // An old modification time makes the change visible at any clock resolution.
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
    let mut steady = Steady::new(File::open(&path).unwrap()).unwrap();
    let mut text = [0; 4];
    steady.read_exact(&mut text).unwrap();
    change(&path);
    let mut rest = String::new();
    steady.read_to_string(&mut rest)?;
    Ok(rest)
}

#[test]
fn a_file_that_shrinks_grows_or_changes_is_an_error() {
    assert_eq!(read(|_| {}).unwrap(), "456789");
    let write = |text: &'static str| move |path: &std::path::Path| fs::write(path, text).unwrap();
    for text in ["", "012345", "0123456789ab", "abcdefghij"] {
        let error = read(write(text)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "it changed while it was being read",
            "{text}"
        );
    }
}

#[test]
fn a_file_that_vanishes_is_read_to_its_end() {
    let vanish = |path: &std::path::Path| fs::remove_file(path).unwrap();
    assert_eq!(read(vanish).unwrap(), "456789");
}
