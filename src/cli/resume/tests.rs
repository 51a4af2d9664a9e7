use super::*;

fn question(version: &str) -> Question {
    Question {
        version: version.into(),
        paths: vec!["boards".into()],
        flags: Vec::new(),
    }
}

fn opened(path: &Path) -> Result<State> {
    begun(path, "0.1.0", &mut |_: &String| true)
}

fn begun(path: &Path, version: &str, take: &mut dyn FnMut(&String) -> bool) -> Result<State> {
    let state = State::open(path)?;
    state.begin(question(version), &[], take)?;
    Ok(state)
}

fn all(path: &Path) -> Vec<String> {
    let mut results = Vec::new();
    let add = &mut |result| {
        results.push(result);
        Ok(())
    };
    opened(path).unwrap().replay(add).unwrap();
    results
}

fn written(path: &Path, texts: &[&str]) {
    let state = opened(path).unwrap();
    for text in texts {
        state.add(text).unwrap();
    }
    state.finish().unwrap();
}

#[test]
fn the_state_of_another_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    opened(&path).unwrap();
    opened(&path).unwrap();
    let other = begun(&path, "0.2.0", &mut |_| true);
    let error = other.map(drop).unwrap_err().to_string();
    let why = "is the state of another run: it was written by getaway 0.1.0, and this is 0.2.0; ";
    assert!(error.contains(why), "{error}");
}

#[test]
fn a_rejected_result_and_all_later_ones_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    written(&path, &["first", "second", "third"]);
    begun(&path, "0.1.0", &mut |text| text != "second").unwrap();
    assert_eq!(all(&path), ["first"]);
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
        let left = all(&path);
        assert_eq!(left, texts[..left.len()], "{len}");
        written(&path, &["more"]);
        let mut expected = left.clone();
        expected.push("more".into());
        assert_eq!(all(&path), expected, "{len}");
        seen.push(left.len());
    }
    assert!(seen.is_sorted());
    assert_eq!((seen[0], seen[whole.len()]), (0, 3));
}

#[test]
fn a_record_is_in_the_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let state = opened(&path).unwrap();
    for count in 1..4 {
        state.add(&"answer").unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(
            bytes.windows(6).filter(|six| six == b"answer").count(),
            count
        );
    }
}

#[test]
fn a_record_with_a_changed_byte_ends_the_state() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    written(&path, &["first", "second", "third"]);
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(6).position(|six| six == b"second").unwrap();
    bytes[at] = b'S';
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(all(&path), ["first"]);
}

#[test]
fn a_file_of_another_kind_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, "my notes").unwrap();
    let error = opened(&path).map(drop).unwrap_err().to_string();
    assert!(error.contains("is not a `--resume` file"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), b"my notes");
}

#[test]
fn two_runs_do_not_share_a_state() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let first = opened(&path).unwrap();
    let error = opened(&path).map(drop).unwrap_err().to_string();
    assert!(error.ends_with("another run is using it"), "{error}");
    drop(first);
    opened(&path).unwrap();
}
