//! The examples for teachers, in the layout of a Gradescope container.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::agents::misbehaving::assert_nothing_is_left;
use crate::gradescope::{column, results};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/grading");
const MAZE: &str = include_str!("grading/maze.py");
const CHEAT: &str = "maps = open('source/maps.txt').read()
open('source/maps.txt', 'w').write(maps.replace('points: 2', 'points: 0'))
";
/// A submission that writes its own mark and ends the program that would overwrite it.
const FORGERY: &str = "import os
open('results/results.json', 'w').write('{\"score\": 100, \"tests\": []}')
os.kill(os.getppid(), 9)
";
/// A time limit in seconds, long enough on any machine.
const PATIENCE: &str = "60";
const GAME: &str = include_str!("grading/game.py");

fn has_python() -> bool {
    let has_python = Command::new("python3").arg("--version").output().is_ok();
    if !has_python {
        println!("skipped: python3 is missing");
    }
    has_python
}

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    output
}

/// The zip of an assignment, made as in `docs/teachers.md`. Its `getaway` is a script that calls this build.
struct Assignment {
    folder: TempDir,
    zip: PathBuf,
    /// The file that students submit.
    file: &'static str,
}

impl Assignment {
    fn new(name: &str, file: &'static str) -> Self {
        let folder = TempDir::new().unwrap();
        let program = folder.path().join("getaway");
        let call = format!(
            "#!/bin/sh\nexec '{}' \"$@\"\n",
            env!("CARGO_BIN_EXE_getaway")
        );
        fs::write(&program, call).unwrap();
        let zip = folder.path().join("assignment.zip");
        let pack = format!(
            "python3 -m zipfile -c '{}' answers.py setup.sh {name}/* '{}'",
            zip.display(),
            program.display()
        );
        run(Command::new("sh").args(["-c", &pack]).current_dir(EXAMPLES));
        Self { folder, zip, file }
    }

    /// Grades a submission in a mock container, with its own root for `/autograder`.
    fn grade(&self, submission: &str) -> Value {
        self.grade_within(PATIENCE, submission)
    }

    fn grade_within(&self, seconds: &str, submission: &str) -> Value {
        let root = self.folder.path().join("autograder");
        let _ = fs::remove_dir_all(&root);
        for folder in ["source", "submission", "results"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        let unpack = ["-m", "zipfile", "-e"];
        run(Command::new("python3")
            .args(unpack)
            .arg(&self.zip)
            .arg(root.join("source")));
        run(Command::new("sh").arg(root.join("source/setup.sh")));
        fs::copy(
            root.join("source/run_autograder"),
            root.join("run_autograder"),
        )
        .unwrap();
        fs::write(root.join("submission").join(self.file), submission).unwrap();
        let mut graded = Command::new("./run_autograder");
        run(graded.current_dir(&root).env("SECONDS_PER_BOARD", seconds));
        results(&root.join("results/results.json"))
    }

    /// Grades submissions with `grade.py`; returns the rest of each row by the submission's name.
    fn grade_all(&self, submissions: &[(String, String)]) -> BTreeMap<String, Vec<String>> {
        let folder = self.folder.path().join("submissions");
        for (name, text) in submissions {
            fs::create_dir_all(folder.join(name)).unwrap();
            fs::write(folder.join(name).join(self.file), text).unwrap();
        }
        let grade = Path::new(EXAMPLES).join("grade.py");
        let mut graded = Command::new("python3");
        graded.arg(grade).arg(&self.zip).arg(&folder);
        let output = run(graded.env("SECONDS_PER_BOARD", PATIENCE));
        let mut marks = csv::Reader::from_reader(&*output.stdout);
        assert_eq!(
            marks.headers().unwrap(),
            vec!["submission", "score", "points", "lost"]
        );
        let row = |row: csv::StringRecord| {
            let mut cells = row.iter().map(str::to_owned);
            (cells.next().unwrap(), cells.collect())
        };
        marks.records().map(|record| row(record.unwrap())).collect()
    }
}

/// Returns the names, up to the colon, of the tests that lost points.
fn lost(results: &Value) -> Vec<&str> {
    let tests = results["tests"].as_array().unwrap().iter();
    let lost = tests.filter(|test| test["score"] != test["max_score"]);
    lost.map(|test| test["name"].as_str().unwrap())
        .map(|name| name.split([':', '(']).next().unwrap().trim_end())
        .collect()
}

fn with_slip((right, wrong): (&str, &str), program: &str) -> String {
    assert_eq!(program.matches(right).count(), 1, "{right}");
    program.replace(right, wrong)
}

#[test]
fn five_slips_in_the_maze_lose_points_and_are_named() {
    if !has_python() {
        return;
    }
    let maze = Assignment::new("maze", "maze.py");
    let right = maze.grade(MAZE);
    assert_eq!((lost(&right).len(), &right["score"]), (0, &15.0.into()));
    for (name, slip) in [
        ("ties", ("h[one], one)", "h[one], one[1], one[0])")),
        (
            "bounds",
            (
                "if 0 <= i < size_m and 0 <= j < size_n and at(i, j)",
                "i, j = i % size_m, j % size_n\n            if at(i, j)",
            ),
        ),
        (
            "revisit",
            (
                "other not in visited or",
                "other not in visited | opened or",
            ),
        ),
        ("heuristic", ("in foods)", "in foods[:1])")),
        (
            "off by one",
            ("0 <= j < size_n and", "0 <= j < size_n - 1 and"),
        ),
    ] {
        let results = maze.grade(&with_slip(slip, MAZE));
        assert!(lost(&results).contains(&name), "{name}: {results}");
        assert!(results["score"].as_f64().unwrap() < 15.0);
    }
}

#[test]
fn the_first_wrong_turn_of_a_game_is_named_with_its_picture() {
    if !has_python() {
        return;
    }
    let game = Assignment::new("baddies", "game.py");
    let right = game.grade(GAME);
    assert_eq!((lost(&right).len(), &right["score"]), (0, &10.0.into()));
    for (name, slip, told) in [
        (
            "a super monster overshoots",
            ("step = 2 if glyph == \"M\" else 1", "step = 1"),
            "turn 1 is wrong in row 2; the board after it:\n",
        ),
        (
            "a bat keeps to its row",
            ("if glyph == \"~\":", "if False:"),
            "turn 1 is wrong in row 1; the board after it:\n",
        ),
        (
            "baddies fall into the abyss",
            ("if floor[to] != \"#\":", "if True:"),
            "the board after it:\n",
        ),
        (
            "walls and edges stop him",
            ("if 0 <= c < len(rows[0]) else cell[1]", "% len(rows[0])"),
            "the board after it:\n",
        ),
    ] {
        let results = game.grade(&with_slip(slip, GAME));
        let names = column(&results, "name");
        let is_named = |test: &&Value| test.as_str().unwrap().starts_with(name);
        let at = names.iter().position(is_named).unwrap();
        let output = column(&results, "output")[at].as_str().unwrap();
        assert!(lost(&results).contains(&name), "{name}: {results}");
        assert!(
            output.starts_with("turn ") && output.contains(told),
            "{name}: {output}"
        );
    }
}

#[test]
fn each_submission_of_a_class_gets_a_row() {
    if !has_python() {
        return;
    }
    let maze = Assignment::new("maze", "maze.py");
    let ids = maze.folder.path().join("ids.txt");
    let stray = format!(
        "import subprocess\nids = open({ids:?}, 'a')\n\
         left = subprocess.Popen(['sleep', '600'], start_new_session=True)\n\
         print(left.pid, file=ids, flush=True)\n\
         def move_algo(*map):\n    pass\n"
    );
    let bad = |body: &str| format!("def move_algo(*map):\n    {body}\n");
    let mut submissions: Vec<_> = [
        ("crashes", bad("1 / 0")),
        ("prints too much", bad("while True: print('x' * 1000)")),
        ("prints nothing", String::new()),
        ("takes all memory", bad("return [0] * 10 ** 9")),
        ("leaves a process", stray),
        ("changes the maps", CHEAT.to_owned() + MAZE),
        ("=forges a mark", FORGERY.to_owned()),
    ]
    .map(|(name, text)| (name.to_owned(), text))
    .into();
    for number in submissions.len()..30 {
        let text = if number % 2 == 0 {
            MAZE.to_owned()
        } else {
            bad("return 1")
        };
        submissions.push((format!("student {number}"), text));
    }
    let marks = maze.grade_all(&submissions);
    assert_eq!(marks.len(), 30);
    for (name, reason) in [
        ("crashes", "ZeroDivisionError"),
        ("prints too much", "File too large"),
        ("prints nothing", "has no attribute 'move_algo'"),
        ("takes all memory", "MemoryError"),
        ("leaves a process", "move_algo returned None"),
    ] {
        let [score, points, lost] = &marks[name][..] else {
            panic!("{marks:?}")
        };
        assert_eq!((&**score, &**points), ("0.0", "15.0"), "{name}: {lost}");
        assert!(lost.contains(reason), "{name}: {lost}");
    }
    assert_eq!(marks["'=forges a mark"][..2], ["0", ""]);
    assert_eq!(marks["student 8"], ["15.0", "15.0", ""]);
    assert_eq!(marks["student 7"][0], "8.0");
    assert_nothing_is_left(maze.folder.path());
}

#[test]
fn a_missing_file_of_a_submission_is_named() {
    if !has_python() {
        return;
    }
    for (name, wanted) in [("maze", "maze.py"), ("baddies", "game.py")] {
        let mut assignment = Assignment::new(name, wanted);
        assignment.file = "other.py";
        let marks = assignment.grade_all(&[("a".to_owned(), String::new())]);
        let told = format!("standard error: the submission has no file {wanted})");
        assert!(marks["a"][2].ends_with(&told), "{marks:?}");
    }
}

#[test]
fn failing_games_get_zero_and_the_reason() {
    if !has_python() {
        return;
    }
    let game = Assignment::new("baddies", "game.py");
    for (program, reason) in [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("while True: print('x' * 1000)", "File too large"),
        ("", "the program printed nothing"),
        (
            "import os; os.kill(os.getpid(), 11)",
            "the program was ended by signal 11",
        ),
        ("x = [0] * 10 ** 9", "MemoryError"),
    ] {
        let results = game.grade(program);
        assert_eq!(results["score"], 0.0);
        for output in column(&results, "output") {
            assert!(
                output.as_str().unwrap().contains(reason),
                "{program}: {output}"
            );
        }
    }
}

#[test]
fn a_submission_that_hangs_gets_zero_and_the_reason() {
    if !has_python() {
        return;
    }
    let maze = Assignment::new("maze", "maze.py");
    let results = maze.grade_within("0.2", "while True: pass");
    assert_eq!(results["score"], 0.0);
    for output in column(&results, "output") {
        let is_named = output
            .as_str()
            .unwrap()
            .contains("did not answer within 0.2 s");
        assert!(is_named, "{output}");
    }
}
