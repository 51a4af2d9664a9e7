//! The shortcut for small boards prints the same as reading and solving line by line.

use std::fmt::Write;

use crate::boards::random_boards;
use crate::run::Run;

fn drawings() -> String {
    let text = random_boards(60);
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !line.starts_with(';')).collect()
}

/// Boards that take the shortcut, mixed with others.
fn boards() -> String {
    let mut text = drawings();
    let others = [
        "; name: stairs\n####\n#o.#\n##.#\n\n",
        "#.#\n#o\n###\n\n",
        "#.#\n#x#\n###\n\n",
        "H+*\n\n",
        "oo\n..\n\n",
        "#.#\r\n#o#\r\n###\r\n\r\n",
        "; expect: caught\n#.#\n#o#\n###\n\n",
    ];
    for (number, other) in others.into_iter().enumerate() {
        let place = text.match_indices("\n\n").nth(7 * number + 1);
        let at = place.map_or(text.len(), |(at, _)| at + 2);
        text.insert_str(at, other);
    }
    text
}

fn lines() -> String {
    let mut lines = String::new();
    for (number, board) in drawings().split_terminator("\n\n").enumerate() {
        let rows: Vec<_> = board.lines().map(|row| format!("\"{row}\"")).collect();
        let (plain, spaced) = (rows.join(","), rows.join(", "));
        match number % 5 {
            0 => writeln!(lines, "{{\"id\":{number},\"rows\":[{plain}]}}"),
            1 => writeln!(lines, "{{\"rows\": [{spaced}], \"id\": \"a {number}\"}}"),
            2 => writeln!(lines, "{{\"rows\":[{plain}],\"expect\":\"escape\"}}"),
            3 => writeln!(lines, "{{\"rows\":[{plain}],}}\r"),
            _ => writeln!(lines, "{{\"id\":\"\\u00e9\",\"rows\":[{plain}]}}\n"),
        }
        .unwrap();
    }
    lines
}

#[test]
fn the_shortcut_prints_the_same_answers() {
    for (name, text) in [("a.txt", boards()), ("a.jsonl", lines())] {
        for args in [
            &["check", "--no-timing", "--json"][..],
            &["check", "--no-timing"],
            &["check", "--no-timing", "--only", "escape", "--shortest"],
            &["solve", "--no-timing", "--verbose"],
        ] {
            let asked = [args, &[name]].concat();
            // A limit turns the shortcut off.
            let slow = [&asked[..], &["--max-states", "100000"]].concat();
            let mut run = Run::new(&asked).file(name, &text);
            let at_once = run.output();
            let line_by_line = run.args(&slow).output();
            assert_eq!(at_once, line_by_line, "{asked:?}");
            assert!(at_once.stdout.contains("escape"), "{asked:?}");
        }
    }
}
