use super::*;

fn all(journal: &Journal) -> Vec<String> {
    let mut records = journal.records().unwrap();
    std::iter::from_fn(|| records.read(|_| true).unwrap()).collect()
}

fn end(journal: &Journal) -> Journal {
    let mut records = journal.records().unwrap();
    while records.read(|_: &String| true).unwrap().is_some() {}
    records.end().unwrap()
}

fn written(path: &Path, texts: &[&str]) {
    let journal = Journal::open(path).unwrap();
    let writer = end(&journal);
    for text in texts {
        writer.add(text).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn a_file_cut_anywhere_is_good_up_to_its_last_whole_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let texts = ["first", "", "a third one"];
    written(&path, &texts);
    let whole = std::fs::read(&path).unwrap();
    let mut seen = Vec::new();
    for len in 0..=whole.len() {
        std::fs::write(&path, &whole[..len]).unwrap();
        let left = all(&Journal::open(&path).unwrap());
        assert_eq!(left, texts[..left.len()], "{len}");
        written(&path, &["more"]);
        let mut expected = left.clone();
        expected.push("more".into());
        assert_eq!(all(&Journal::open(&path).unwrap()), expected, "{len}");
        seen.push(left.len());
    }
    assert!(seen.is_sorted());
    assert_eq!((seen[0], seen[whole.len()]), (0, 3));
}

#[test]
fn a_record_is_in_the_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let writer = end(&Journal::open(&path).unwrap());
    for count in 1..4 {
        writer.add(&"answer").unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(
            bytes.windows(6).filter(|six| six == b"answer").count(),
            count
        );
    }
}

#[test]
fn a_record_with_a_changed_byte_ends_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    written(&path, &["first", "second", "third"]);
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(6).position(|six| six == b"second").unwrap();
    bytes[at] = b'S';
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(all(&Journal::open(&path).unwrap()), ["first"]);
}

#[test]
fn a_file_of_another_kind_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, "my notes").unwrap();
    let error = Journal::open(&path).unwrap_err().to_string();
    assert!(error.contains("is not a `--resume` file"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), b"my notes");
}

#[test]
fn two_runs_do_not_share_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let first = Journal::open(&path).unwrap();
    let error = Journal::open(&path).unwrap_err().to_string();
    assert!(error.ends_with("another run is using it"), "{error}");
    drop(first);
    Journal::open(&path).unwrap();
}
