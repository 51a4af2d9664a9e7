//! `getaway rate`.

use serde_json::Value;

use crate::run::Run;

/// A board whose expected numbers were counted by hand.
const POCKET: &str = "\
#######
#o.....
#.#####
#.#####
#######
";

/// Two boards. On the first, Jimmy is one step from the way out. On the second, six solids matter.
const TWO: &str = "\
; name: chimney
#.#
#o#
###

####
#o.#
####
";

fn rate(args: &[&str]) -> Run {
    Run::new(&[&["rate"], args].concat())
        .file("boards/pocket.txt", POCKET)
        .file("boards/two.txt", TWO)
}

#[test]
fn the_measures_of_all_boards_are_a_table() {
    rate(&["boards"])
        .stdout(
            "boards/                      shortest  first             last             dead
board       verdict  length     lines  moves  forced  mistake  reachable  ends    random  difficulty  matters  states
pocket.txt  escape        5         1      1       1        1          7     2  0.500000        3.17        0       7
two.txt#1   escape        1         1      1       0                   1     0  1.000000        1.00        0       1
two.txt#2   caught                         0                           2                                    6       0
",
        )
        .status(1)
        .check();
}

fn order(args: &[&str]) -> Vec<String> {
    let output = rate(args).output();
    let lines = output.stdout.lines().filter(|line| line.contains(".txt"));
    lines
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect()
}

#[test]
fn boards_are_sorted_by_a_measure_and_those_without_it_come_last() {
    let [pocket, chimney, walled_in] = ["pocket.txt", "two.txt#1", "two.txt#2"];
    let up = [chimney, pocket, walled_in];
    let down = [pocket, chimney, walled_in];
    assert_eq!(order(&["boards", "--sort", "length"]), up);
    assert_eq!(order(&["boards", "--sort", "-length"]), down);
    assert_eq!(order(&["boards", "--sort", "length", "--reverse"]), down);
    assert_eq!(order(&["boards", "--sort", "-length", "--reverse"]), up);
    assert_eq!(
        order(&["boards", "--reverse"]),
        [walled_in, chimney, pocket]
    );
    let by_first = order(&["boards", "--sort", "-first_moves", "-j", "1"]);
    assert_eq!(
        by_first,
        [pocket, chimney, walled_in],
        "equals keep their order"
    );
}

#[test]
fn comma_separated_values_have_the_names_of_json() {
    let output = rate(&["--csv", "boards"]).output();
    let mut lines = output.stdout.lines();
    assert_eq!(
        lines.next().unwrap(),
        "path,board,name,ruleset,verdict,length,shortest_lines,shortest_lines_at_least,first_moves,\
         first_moves_at_least,forced,last_mistake,reachable,reachable_at_least,dead_ends,random,difficulty,\
         difficulty_at_most,matters,matters_at_least,probability,turns,states"
    );
    assert_eq!(
        lines.next().unwrap(),
        "boards/pocket.txt,0,,jimmy,escape,5,1,,1,,1,1,7,,2,0.5,3.169925,,0,,,,7"
    );
    assert_eq!(
        lines.next().unwrap(),
        "boards/two.txt,0,chimney,jimmy,escape,1,1,,1,,0,,1,,0,1,1,,0,,,,1"
    );
    assert_eq!(output.stdout.lines().count(), 4);
}

/// A name must not become a formula or a second field.
#[test]
fn a_name_stays_in_its_field() {
    let output = Run::new(&["rate", "--csv", "a.txt"])
        .file("a.txt", "; name: a, \"b\"\n#.#\n#o#\n###\n")
        .output();
    assert!(
        output.stdout.contains("a.txt,0,\"a, \"\"b\"\"\",jimmy,"),
        "{}",
        output.stdout
    );
}

fn lines(args: &[&str]) -> Vec<Value> {
    let output = rate(args).output();
    let lines = output.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn json_is_that_of_analyse_and_can_be_sorted() {
    let analysed = Run::new(&["analyse", "--json", "--no-timing", "boards/pocket.txt"])
        .file("boards/pocket.txt", POCKET)
        .output();
    let analysed: Value = serde_json::from_str(&analysed.stdout).unwrap();
    let rated = lines(&["--json", "--no-timing", "boards"]);
    assert_eq!(rated[0], analysed);
    let sorted = lines(&["--json", "--no-timing", "--sort", "length", "boards"]);
    assert_eq!(
        sorted,
        [rated[1].clone(), rated[0].clone(), rated[2].clone()]
    );
}

/// In the sorted output, the file comes after the two boards with a value.
#[test]
fn a_file_that_can_not_be_read_is_a_record_in_json() {
    let plain = lines(&["--json", "--no-timing", "missing.txt", "boards"]);
    let sorted = lines(&[
        "--json",
        "--no-timing",
        "--sort",
        "length",
        "missing.txt",
        "boards",
    ]);
    assert_eq!(plain[0]["path"], "missing.txt");
    assert_eq!(plain[0]["error"]["message"], "no such file or directory");
    assert_eq!(sorted[2], plain[0]);
    assert_eq!(sorted.len(), plain.len());
}

#[test]
fn a_bad_board_does_not_stop_the_others() {
    let output = rate(&["boards", "bad.txt"])
        .file("bad.txt", "###\n#x#\n###\n")
        .output();
    assert_eq!(output.status, Some(2));
    assert!(output.stderr.contains("bad.txt:2:2"), "{}", output.stderr);
    assert_eq!(output.stdout.lines().count(), 2 + 3);
}

#[test]
fn a_board_that_takes_too_much_memory_is_a_row() {
    let output = rate(&["--max-memory", "1kB", "boards/pocket.txt"]).output();
    assert_eq!(output.status, Some(3));
    assert_eq!(output.stdout.matches("undecided").count(), 1);
}

#[test]
fn values_cut_short_are_marked_as_lower_bounds() {
    let output = rate(&["--max-states", "5", "boards/pocket.txt"]).output();
    assert!(output.stdout.contains(">="), "{}", output.stdout);
}

/// A board for which 30 states are enough to find the way out, but not to find out how long Jimmy survives losing moves.
const HALL: &str = "####.###\n#......#\n#......#\n#o.....#\n#....#.#\n#......#\n########\n";

#[test]
fn a_difficulty_cut_short_is_marked_as_an_upper_bound() {
    let hall = |args: &[&str]| {
        let args = [&["rate", "--max-states", "30", "hall.txt"], args].concat();
        let output = Run::new(&args).file("hall.txt", HALL).output();
        output.stdout
    };
    let table = hall(&[]);
    assert!(table.contains("<=5.20"), "{table}");
    let csv = hall(&["--csv"]);
    let [names, values] = [0, 1].map(|line| {
        csv.lines()
            .nth(line)
            .unwrap()
            .split(',')
            .collect::<Vec<_>>()
    });
    let value = |name| values[names.iter().position(|other| *other == name).unwrap()];
    assert_eq!(
        (value("difficulty"), value("difficulty_at_most")),
        ("", "5.199672")
    );
    assert_eq!((value("matters"), value("matters_at_least")), ("", "0"));
}

#[test]
fn inapplicable_measures_are_empty() {
    let output = Run::new(&["rate", "maze.txt"])
        .file("maze.txt", "R.*\n")
        .output();
    assert!(!output.stdout.contains("matters"), "{}", output.stdout);
}

#[test]
fn an_unknown_measure_is_an_error_that_lists_them() {
    let output = rate(&["--sort", "lenght", "boards"]).output();
    assert_eq!(output.status, Some(2));
    assert!(
        output.stderr.contains("did you mean `length`?"),
        "{}",
        output.stderr
    );
}
