//! Errors on the command line.

use super::run::Run;

fn told(args: &[&str]) -> String {
    let output = Run::new(args).file("a.txt", "###\n#o.\n###\n").output();
    assert_eq!(
        (output.stdout.as_str(), output.status),
        ("", Some(2)),
        "{args:?}"
    );
    output.stderr
}

#[track_caller]
fn tells(args: &[&str], expected: &str) {
    let told = told(args);
    assert!(told.contains(expected), "{args:?}: {told}");
}

#[test]
fn a_bad_value_is_answered_with_the_values_that_are_wanted() {
    let number = "write a whole number\n";
    for (args, expected) in [
        (&["solve", "--max-states", "many", "a.txt"][..], number),
        (&["solve", "--max-states", "1.5", "a.txt"], number),
        (&["solve", "--max-states", "", "a.txt"], number),
        (
            &["check", "--max-fail", "-1", "a.txt"],
            "write a whole number that is not negative",
        ),
        (
            &["check", "--partition", "-1/4", "a.txt"],
            "'-1/4' for '--partition <I/N>'",
        ),
        (&["simulate", "--seed", "x", "a.txt"], number),
        (&["generate", "jimmy", "--rows", "x"], number),
        (
            &["simulate", "--seed", "99999999999999999999", "a.txt"],
            "write a smaller number",
        ),
        (
            &["simulate", "--runs", "0", "a.txt"],
            "write a whole number from 1 to 1,000,000,000",
        ),
        (
            &["solve", "-j", "1025", "a.txt"],
            "write a whole number from 1 to 1,024",
        ),
        (
            &["check", "--max-fail", "0", "a.txt"],
            "write a whole number, 1 or more",
        ),
        (
            &["generate", "jimmy", "--count", "0"],
            "'0' for '--count <N>': write a whole number, 1 or more",
        ),
        (
            &["mutate", "--count", "0", "a.txt"],
            "'0' for '--count <N>': write a whole number, 1 or more",
        ),
        (&["generate", "jimmy", "--density", "x"], "write a number"),
        (
            &["solve", "--timeout", "-1", "a.txt"],
            "'-1' for '--timeout <SECONDS>': write a number of seconds, 0 or more",
        ),
        (
            &["solve", "--max-memory", "lots", "a.txt"],
            "write a size such as `512MB` or `2GiB`",
        ),
        (
            &["generate", "jimmy", "--max-memory", "1.5", "--rows", "3"],
            "write a size such as `512MB` or `2GiB`",
        ),
        (
            &["solve", "--max-memory", "20", "a.txt"],
            "this is in bytes: write `20MB`",
        ),
        (
            &["check", "--set", "points=abc", "."],
            "`--set points=abc`: invalid value `abc` for `points`",
        ),
        (
            &["generate", "jimmy", "--difficulty", "nice"],
            "write a number, or two as LOW..HIGH, or `easy`, `medium` or `hard`",
        ),
        (
            &["generate", "dungeon", "--keys", "5"],
            "`keys` must be 0 to 1 on boards of `dungeon`",
        ),
    ] {
        tells(args, expected);
    }
}

#[test]
fn no_error_names_internals() {
    let commands = [
        (
            "solve a.txt",
            "--max-states --max-memory --timeout --precision --threads --max-errors",
        ),
        (
            "check a.txt",
            "--max-fail --partition --report --only --max-errors",
        ),
        ("trace a.txt", "--per-row --line-width --seed --turns"),
        (
            "simulate a.txt",
            "--runs --turns --seed --per-row --move-timeout",
        ),
        (
            "compare a.txt",
            "--runs --turns --seed --threads --start-timeout",
        ),
        ("render a.txt -o x.svg", "--cell --duration --turn --seed"),
        (
            "generate jimmy",
            "--rows --cols --count --seed --ghosts --difficulty --density --min-moves --max-memory",
        ),
        ("mutate a.txt", "--count --max-states --by"),
        ("census jimmy", "--rows --cols --ghosts --max-states"),
        ("rate a.txt", "--sort"),
    ];
    let internals = [
        "digit",
        "integer",
        "literal",
        "ByteSize",
        "target type",
        "..=",
        "-- -",
        "os error",
        "SI unit",
    ];
    for (command, options) in commands {
        for option in options.split(' ') {
            for value in ["x", "-1", "", "1x", "99999999999999999999999"] {
                let args: Vec<_> = command.split(' ').chain([option, value]).collect();
                let told = told(&args);
                let named = internals.iter().find(|word| told.contains(**word));
                assert_eq!(named, None, "{args:?}: {told}");
            }
        }
    }
}

#[test]
fn a_file_in_place_of_a_command_gets_the_command_that_reads_it() {
    for file in ["a.txt", "levels/b", "a.txt#2"] {
        tells(
            &[file],
            &format!("`{file}` is not a command\n\n  tip: `getaway solve {file}`"),
        );
    }
    tells(&["solv"], "a similar subcommand exists: 'solve'");
}

#[test]
fn names_that_are_close_are_suggested() {
    tells(
        &["rules", "agent"],
        "unknown ruleset `agent`: did you mean `agents`?",
    );
    tells(&["rules", "zebra"], "`theseus`, `agents`");
    let list = Run::new(&["rules"]).output().stdout;
    assert!(list.contains("getaway rules agents"), "{list}");
    tells(
        &["simulate", "--runner", "gredy", "a.txt"],
        "No such file or directory; did you mean `greedy`?",
    );
    tells(
        &["compare", "--runner", "gredy", "a.txt"],
        "No such file or directory; did you mean `greedy`?",
    );
    tells(
        &["simulate", "--runner", "greedy now", "a.txt"],
        "`greedy` is a policy, which stands alone, without arguments and `+`",
    );
}

#[test]
fn a_header_that_contradicts_the_option_is_the_only_error() {
    let board = "; ruleset: jimmy\n###\n#o.\n###\n";
    for (own, other) in [("jimmy", "theseus"), ("jimmy", "maze")] {
        Run::new(&["solve", "--ruleset", other, "a.txt"])
            .file("a.txt", board)
            .stderr(format!(
                "\
error: this header says `{own}`, but the command line `--ruleset {other}`
 --> a.txt:1:12
  |
1 | ; ruleset: jimmy
  |            ^^^^^ remove one of them; `--override ruleset={other}` replaces the header

"
            ))
            .status(2)
            .check();
    }
    for args in [["--ruleset", "jimmy"], ["--override", "ruleset=jimmy"]] {
        Run::new(&["solve", args[0], args[1], "a.txt"])
            .file("a.txt", board)
            .stdout("escape in 1 move: R\n")
            .check();
    }
    let help = Run::new(&["solve", "--help"]).output().stdout;
    let words: Vec<_> = help.split_whitespace().collect();
    let promise = "A header that names another ruleset is an error";
    assert!(words.join(" ").contains(promise), "{help}");
}

#[test]
fn a_criterion_that_does_not_apply_is_refused() {
    for (args, expected) in [
        (
            &["generate", "jimmy", "--set", "x=1"][..],
            "`x` is not a setting of `jimmy`: use one of `revisit`",
        ),
        (
            &["generate", "jimmy", "--set", "radius=1"],
            "`radius` is not a setting of `jimmy`: use one of `revisit`",
        ),
        (
            &["generate", "baddies", "--set", "radius=1"],
            "`radius` is not a setting of `baddies`: it has none",
        ),
        (
            &["generate", "theseus", "--monsters", "2"],
            "boards of `theseus` have no `monsters`; they have `exits`\n",
        ),
        (
            &["play", "dungeon", "--difficulty", "6"],
            "`difficulty` does not apply to boards of `dungeon`, only to those of `jimmy`, `baddies`, `theseus`",
        ),
    ] {
        tells(args, expected);
    }
}

#[test]
fn a_ruleset_in_place_of_a_command_gets_the_commands_for_it() {
    for word in ["jimmy", "jimy", "Jimmy"] {
        let tip =
            "`jimmy` is a ruleset: `getaway rules jimmy` explains it, and `getaway play jimmy`";
        tells(&[word], tip);
    }
    tells(
        &["play", "jimy"],
        "jimy: no such file; `getaway play jimmy` plays new boards",
    );
}

#[test]
fn a_missing_or_unknown_ruleset_gets_the_list_of_them() {
    let all = "`jimmy`, `baddies`, `maze`, `dungeon`, `theseus`";
    tells(&["generate"], &format!("name a ruleset: {all}"));
    tells(
        &["rules", "chess"],
        &format!("unknown ruleset `chess`: use one of {all}"),
    );
}

#[test]
fn moves_in_place_of_a_certificate_get_the_option_for_moves() {
    let tip = "LUL: no such certificate; `--moves LUL` verifies a line of play";
    tells(&["verify", "a.txt", "LUL"], tip);
    tells(
        &["verify", "a.txt", "proof.gz"],
        "proof.gz: no such file or directory",
    );
}

#[test]
fn control_characters_of_arguments_are_escaped_in_errors() {
    tells(&["so\x07ve"], "'so\\u{7}ve'");
    tells(&["solve", "--\x1b[31mfoo"], "'--\\u{1b}[31mfoo'");
    tells(&["solve", "--max-states", "\x1b1", "a.txt"], "'\\u{1b}1'");
}
