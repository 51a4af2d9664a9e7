//! `--set` and `--override`.

use crate::run::Run;

/// Prepares a run over course files of which only the first names the runner. Its id is 3, so its head is 6.
fn course(args: &[&str]) -> Run {
    Run::new(args)
        .file("maze/0.txt", "(3, 1, 3, 2, 1)\n[6, 0, -1]\n")
        .file("maze/1.txt", "1\n[6, 0, -1]\n")
        .file("maze/2.txt", "3\n[-1, 0, 6]\n")
}

fn answers(settings: &[&str]) -> Vec<String> {
    let mut args = vec![
        "solve",
        "--no-timing",
        "maze/0.txt",
        "maze/1.txt",
        "maze/2.txt",
    ];
    args.extend(settings);
    let told = course(&args).output();
    assert_eq!(told.stderr, "");
    let after_path = |line: &str| line.split_once(": ").unwrap().1.to_owned();
    told.stdout.lines().map(after_path).collect()
}

#[test]
fn a_course_whose_first_file_names_the_runner_is_checked() {
    course(&["check", "-q", "maze"]).status(1).check();
    course(&["check", "-q", "maze", "--set", "runner=3"]).check();
}

#[test]
fn a_board_keeps_its_setting_unless_overridden() {
    let found = answers(&["--set", "runner=3"]);
    assert_eq!(found.len(), 3);
    assert!(
        found.iter().all(|answer| answer.starts_with("food")),
        "{found:?}"
    );
    // The tuple names its own runner; the other maps have no head for runner 2.
    let of_two = answers(&["--set", "Runner = 2"]);
    assert!(
        of_two[0].starts_with("food") && of_two[1].starts_with("no-food"),
        "{of_two:?}"
    );
    let of_two = answers(&["--set", "runner=3", "--override", "runner=2"]);
    assert!(
        of_two.iter().all(|answer| answer.starts_with("no-food")),
        "{of_two:?}"
    );
}

#[test]
fn headers_are_set_and_overridden() {
    let board = "; ruleset: jimmy\n; revisit: true\n; expect: caught\no\n";
    let run = |args: &[&str]| {
        let mut all = vec!["check", "-q", "a.txt"];
        all.extend(args);
        Run::new(&all).file("a.txt", board)
    };
    run(&["--set", "expect=escape"]).status(1).check();
    run(&["--override", "expect=escape"]).check();
    run(&["--override", "expect=escape", "--override", "revisit=maybe"])
        .status(2)
        .stderr(
            "error: `--override revisit=maybe`: invalid value `maybe` for `revisit`; \
             write `true` or `false`\n\n",
        )
        .check();
}

#[test]
fn boards_of_other_rulesets_ignore_settings() {
    let run = |setting: &str| {
        Run::new(&["check", "-q", "--strict", "--set", setting, "."])
            .file("a.txt", "; ruleset: jimmy\no\n")
            .file("b.txt", "; ruleset: baddies\nH*\n")
            .file("c.txt", "; ruleset: dungeon\nPE\n")
    };
    run("radius=3").check();
    run("radius=far")
        .status(2)
        .stderr(
            "error: `--set radius=far`: invalid value `far` for `radius`; \
             write a whole number from 0 to 255\n\n",
        )
        .check();
    Run::new(&["solve", "--set", "ruleset=jimy", "-"])
        .status(2)
        .stderr("error: `--set ruleset=jimy`: unknown ruleset `jimy`: did you mean `jimmy`?\n\n")
        .check();
    run("radios=3")
        .status(2)
        .stderr("error: unknown header `radios`: did you mean `radius`?\n\n")
        .check();
}

#[test]
fn a_ruleset_can_be_set() {
    Run::new(&["solve", "--set", "ruleset=jimmy", "-"])
        .stdin("..\n\n; ruleset: baddies\nH*\n")
        .stdout("-#2: escape in 1 move: d\n")
        .stderr(
            "\
error: no Jimmy (`o`) on this board
 --> -:1:1
  |
1 | ..
  | ^ add an `o`

",
        )
        .status(2)
        .check();
}

#[test]
fn malformed_settings_are_refused() {
    let told = Run::new(&["solve", "--set", "radius", "a.txt"]).output();
    assert_eq!(told.status, Some(2));
    assert!(
        told.stderr.contains("write KEY=VALUE, such as `radius=5`"),
        "{}",
        told.stderr
    );
}
