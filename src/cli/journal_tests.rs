use super::*;

fn question(version: &str) -> RunSettings {
    RunSettings {
        version: version.into(),
        paths: vec!["boards".into()],
        flags: Vec::new(),
    }
}

#[derive(Serialize, Deserialize)]
struct Note {
    text: String,
}

fn note(text: &str) -> Note {
    Note { text: text.into() }
}

fn opened(path: &Path) -> Result<Journal> {
    begun(path, "0.1.0", &mut |_: &Note| true)
}

fn begun(path: &Path, version: &str, take: &mut dyn FnMut(&Note) -> bool) -> Result<Journal> {
    let state = Journal::open(path)?;
    state.begin(question(version), &[], take)?;
    Ok(state)
}

fn all(path: &Path) -> Vec<String> {
    let mut results = Vec::new();
    let add = &mut |result: Note| {
        results.push(result.text);
        Ok(())
    };
    opened(path).unwrap().replay(add).unwrap();
    results
}

fn written(path: &Path, texts: &[&str]) {
    let state = opened(path).unwrap();
    for text in texts {
        state.add(&note(text)).unwrap();
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
    begun(&path, "0.1.0", &mut |note| note.text != "second").unwrap();
    assert_eq!(all(&path), ["first"]);
}

const TEXTS: [&str; 3] = ["first", "", "a third one"];

/// Opens a damaged state, adds the missing texts, and returns how many results were left, and what was found. Returns `None` if
/// the state is refused.
fn mended(path: &Path, bytes: &[u8]) -> Option<(usize, JournalState)> {
    fs::write(path, bytes).unwrap();
    let mut left = Vec::new();
    let take = &mut |note: &Note| {
        left.push(note.text.clone());
        true
    };
    let state = Journal::open(path).ok()?;
    let found = state.begin(question("0.1.0"), &[], take).ok()?;
    assert_eq!(left, TEXTS[..left.len()]);
    for text in &TEXTS[left.len()..] {
        state.add(&note(text)).unwrap();
    }
    drop(state);
    assert_eq!(all(path), TEXTS);
    Some((left.len(), found))
}

/// Returns the path of a state with all texts, and its bytes.
fn whole(folder: &Path) -> (PathBuf, Vec<u8>) {
    let path = folder.join("state");
    written(&path, &TEXTS);
    let whole = fs::read(&path).unwrap();
    (path, whole)
}

#[test]
fn a_file_cut_anywhere_is_good_up_to_its_last_whole_record() {
    let folder = tempfile::tempdir().unwrap();
    let (path, whole) = whole(folder.path());
    let mut seen = Vec::new();
    for len in 0..=whole.len() {
        let (left, found) = mended(&path, &whole[..len]).unwrap();
        assert!(fs::read(&path).unwrap() == whole, "{len}");
        assert_eq!(found == JournalState::Nothing, len == 0);
        seen.push((left, found));
    }
    assert!(seen.is_sorted_by_key(|(left, _)| *left));
    let ends = seen
        .iter()
        .filter(|(_, found)| *found == JournalState::Results);
    assert!(ends.map(|(left, _)| *left).eq([0, 0, 1, 2, 3]));
}

#[test]
fn no_damaged_byte_loses_a_result() {
    let folder = tempfile::tempdir().unwrap();
    let (path, whole) = whole(folder.path());
    let mut refused = 0;
    for (at, &byte) in whole.iter().enumerate() {
        let near = [byte ^ 1, byte ^ 0x80, byte.wrapping_add(1), !byte];
        for new in near.into_iter().chain([0, 1, 0x7f, 0xff, b'\n']) {
            let mut bytes = whole.clone();
            bytes[at] = new;
            let found = mended(&path, &bytes);
            match found {
                None => refused += 1,
                Some((_, found)) => {
                    assert_eq!(found == JournalState::Damage, new != byte, "{at}: {new}");
                }
            }
            assert_eq!(
                found.is_none(),
                at < MARK.len() && new != byte,
                "{at}: {new}"
            );
            assert!(found.is_none() || fs::read(&path).unwrap() == whole);
        }
    }
    assert!(refused > 0);
}

#[test]
fn skipped_repeated_and_foreign_records_end_the_state() {
    let folder = tempfile::tempdir().unwrap();
    let (path, whole) = whole(folder.path());
    let lines: Vec<_> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    let first = lines[0].len() + lines[1].len();
    let second = first + lines[2].len();
    let skipped = [&whole[..first], &whole[second..]].concat();
    let repeated = [&whole[..second], &whole[first..]].concat();
    let foreign = [&whole[..], &[0; 1 << 12]].concat();
    for (bytes, left) in [(skipped, 0), (repeated, 1), (foreign, 3)] {
        assert_eq!(mended(&path, &bytes), Some((left, JournalState::Damage)));
        assert!(fs::read(&path).unwrap() == whole);
    }
}

#[test]
fn damage_during_the_run_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (path, mut bytes) = whole(folder.path());
    let state = opened(&path).unwrap();
    let at = bytes.len() - 10;
    bytes[at] ^= 1;
    fs::write(&path, bytes).unwrap();
    let error = state.replay(&mut |_: Note| Ok(())).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("state was damaged during the run")
    );
}

#[test]
fn a_record_is_in_the_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let state = opened(&path).unwrap();
    for count in 1..4 {
        state.add(&note("answer")).unwrap();
        let bytes = fs::read(&path).unwrap();
        assert_eq!(
            bytes.windows(6).filter(|six| six == b"answer").count(),
            count
        );
    }
}

#[test]
fn a_file_of_another_kind_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    fs::write(&path, "my notes").unwrap();
    let error = opened(&path).map(drop).unwrap_err().to_string();
    assert!(error.contains("is not a `--resume` file"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"my notes");
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
