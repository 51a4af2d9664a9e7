use super::*;

#[test]
fn the_state_of_another_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    let open = |version: &str| {
        let question = Question {
            version: version.into(),
            paths: vec!["boards".into()],
            flags: Vec::new(),
        };
        State::<u32>::open(&path, question, Vec::new, &mut |_| true).map(drop)
    };
    open("0.1.0").unwrap();
    open("0.1.0").unwrap();
    let error = open("0.2.0").unwrap_err().to_string();
    let why = "is the state of another run: it was written by getaway 0.1.0, and this is 0.2.0; ";
    assert!(error.contains(why), "{error}");
}
