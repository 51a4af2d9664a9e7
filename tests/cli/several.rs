//! Files of several boards, for commands that take one board.

use super::run::Run;

const THREE: &str = "; ruleset: jimmy\n####\n#o..\n####\n\n####\n#o.#\n####\n\nno board\n";
const NOTE: &str = "note: this is board 1 of 3 in a.txt; for another, name it as `a.txt#2`\n";

const COMMANDS: [&[&str]; 5] = [
    &["trace"],
    &["render", "-o", "x.svg"],
    &["simulate"],
    &["verify", "--moves", "RR"],
    &["mutate"],
];

#[test]
fn a_command_for_one_board_says_that_it_took_the_first() {
    for command in COMMANDS {
        let output = Run::new(command).file("a.txt", THREE).output();
        assert_eq!(output.status, Some(2), "{command:?} needs a file");
        let args = [command, &["a.txt"]].concat();
        let output = Run::new(&args).file("a.txt", THREE).output();
        assert_eq!(
            (output.stderr.as_str(), output.status),
            (NOTE, Some(0)),
            "{args:?}"
        );
    }
}

#[test]
fn a_board_that_is_named_or_alone_causes_no_note() {
    for command in COMMANDS {
        for (file, text) in [
            ("a.txt#1", THREE),
            ("a.txt", "; ruleset: jimmy\n####\n#o..\n####\n"),
        ] {
            let args = [command, &[file]].concat();
            let output = Run::new(&args).file("a.txt", text).output();
            assert_eq!(
                (output.stderr.as_str(), output.status),
                ("", Some(0)),
                "{args:?}"
            );
        }
    }
}

#[test]
fn standard_input_and_json_lines_are_counted_too() {
    let line = "{\"ruleset\": \"jimmy\", \"rows\": [\"###\", \"#o.\", \"###\"]}\n";
    let output = Run::new(&["trace", "-"]).stdin(line.repeat(2)).output();
    assert_eq!(
        output.stderr,
        "note: this is board 1 of 2 in -; for another, name it as `-#2`\n"
    );
    let output = Run::new(&["trace", "-"])
        .stdin(line.repeat(10_001))
        .output();
    assert!(
        output
            .stderr
            .starts_with("note: this is board 1 of at least 10,000 in -"),
        "{}",
        output.stderr
    );
}
