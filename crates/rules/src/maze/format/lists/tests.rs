use super::super::tests::{faults, numbers, read_text};
use super::*;

#[test]
fn plain_lists_are_rows() {
    let written = read_text("[0, -1]\n[2, 0]\n").unwrap();
    assert_eq!(numbers(&written), [[0, -1], [2, 0]]);
    assert_eq!((written.runner, written.expected), (Id::ONE, None));
}

#[test]
fn a_first_line_may_be_the_answer() {
    let written = read_text("-1\n[2]\n").unwrap();
    assert_eq!(
        (numbers(&written), written.expected),
        (vec![vec![2]], Some(-1))
    );
}

#[test]
fn a_first_line_may_be_a_tuple() {
    for tuple in [
        "(3, 2, 2, 7, 0)",
        "( 3,2 ,2, 'a, (b', 0 )",
        "(3, 2, 2, ['a', (1, 2)], 0,)",
    ] {
        let written = read_text(&format!("{tuple}\n[0, -1]\n[6, 0]\n")).unwrap();
        assert_eq!(numbers(&written), [[0, -1], [6, 0]]);
        assert_eq!(
            (written.runner, written.expected),
            (Id::new(3).unwrap(), Some(0))
        );
    }
}

#[test]
fn one_list_is_cut_into_rows_by_the_tuple() {
    let written = read_text("(1, 2, 3, 0, 1)\n[2, 0, -1, 3, 4, 0]\n").unwrap();
    assert_eq!(numbers(&written), [[2, 0, -1], [3, 4, 0]]);
    let row = read_text("(1, 1, 2, 0, 1)\n[2, -1]\n").unwrap();
    assert_eq!(numbers(&row), [[2, -1]]);
}

#[test]
fn spaces_and_last_commas_do_not_matter() {
    let written = read_text(" [ 0,-1 ,  2 ] \n   \n\t[3 , 4, 5, ],\n").unwrap();
    assert_eq!(numbers(&written), [[0, -1, 2], [3, 4, 5]]);
}

#[test]
fn the_runner_may_stand_in_a_header() {
    assert_eq!(
        read_text("; runner: 4\n[8]\n").unwrap().runner,
        Id::new(4).unwrap()
    );
    assert!(read_text("; runner: 4\n(4, 1, 1, 0, -1)\n[8]\n").is_ok());
    assert_eq!(
        faults("; runner: 4\n(3, 1, 1, 0, -1)\n[8]\n"),
        [
            "1:11:1 the tuple says that the runner's id is 3, but this header says 4 \
              | remove this header"
        ]
    );
    assert_eq!(
        faults("; runner: 0\n[8]\n"),
        ["1:11:1 invalid value `0` for `runner` | write a positive integer"]
    );
}

#[test]
fn numbers_are_integers_that_stand_for_something() {
    assert_eq!(
        faults("[0, -2, 1, -99]\n[9223372036854775808, 0, 0, 0]\n[0, 1.5, 0, 0]\n[x]\n"),
        [
            "1:5:2 -2 has no meaning on a map (2 times in this row) \
                 | write -1 for food, 0 for blank",
            "2:2:19 this integer does not fit into 64 bits | use smaller ids",
            "3:5:3 `1.5` is not an integer | write integers with commas between them",
            "4:2:1 `x` is not an integer | write integers with commas between them",
        ]
    );
    assert_eq!(
        numbers(&read_text("[9223372036854775807, -0]\n").unwrap()),
        [[i64::MAX, 0]]
    );
}

#[test]
fn a_list_is_well_formed() {
    let integers = "write integers with commas between them";
    for (list, fault) in [
        (
            "0, 1]",
            "2:1:5 this row is not a list | write a row as `[0, -1, 2]`",
        ),
        (
            "[]",
            "2:1:2 this list is empty | write a row as `[0, -1, 2]`",
        ),
        ("[,]", &format!("2:2:1 `,` is not an integer | {integers}")),
        (
            "[0,,1]",
            &format!("2:4:1 `,` is not an integer | {integers}"),
        ),
        ("[-]", &format!("2:2:1 `-` is not an integer | {integers}")),
        (
            "[[0], [1]]",
            &format!("2:2:1 `[` is not an integer | {integers}"),
        ),
        (
            "[0 1]",
            "2:4:1 expected a comma or `]` | write a comma, or close it with `]`",
        ),
        (
            "[0, 1",
            "2:6:0 expected a comma or `]` | write a comma, or close it with `]`",
        ),
        (
            "[0,",
            "2:4:0 expected an integer or `]` | end the list with `]`",
        ),
        (
            "[0] [1]",
            "2:5:3 expected the end of the line | write each list on a line of its own",
        ),
        (
            "é",
            "2:1:1 this row is not a list | write a row as `[0, -1, 2]`",
        ),
    ] {
        assert_eq!(faults(&format!("[0, 1]\n{list}\n")), [fault]);
    }
}

#[test]
fn lists_are_equally_long() {
    assert_eq!(
        faults("[0, 1, 0]\n[0, 1]\n[0]\n[0, 1, 10, 11, 12]\n"),
        [
            "2:6:1 this row has 2 cells, but the first row has 3 | pad this row with `0`",
            "3:3:1 this row has 1 cell, but the first row has 3 | pad this row with `0`",
            "4:12:6 this row has 5 cells, but the first row has 3 \
                 | shorten this row, or pad the others",
        ]
    );
}

#[test]
fn the_tuple_holds_five_fields() {
    let help = "write `(id, rows, cols, files, answer)`";
    let wrong = |tuple: &str| faults(&format!("{tuple}\n[2]\n"));
    assert_eq!(
        wrong("(1, 1, 1, 0)"),
        [format!("1:1:12 this tuple has 4 fields, not 5 | {help}")]
    );
    assert_eq!(
        wrong("()"),
        [format!("1:1:2 this tuple has 0 fields, not 5 | {help}")]
    );
    assert_eq!(
        wrong("(1, 1, 1, 0, 0"),
        ["1:15:0 expected a comma or `)` | write a comma, or close it with `)`"]
    );
    assert_eq!(
        wrong("(0, -1, x, 0, 4)"),
        [
            "1:2:1 a runner's id is a positive integer | write 1 or more",
            "1:5:2 the number of rows is a positive integer | write 1 or more",
            "1:9:1 `x` is not an integer | write integers with commas between them",
            "1:15:1 an answer is -1, 0, 1, 2 or 3 | write 0 up, 1 right, 2 down, 3 left, -1 none",
        ]
    );
}

#[test]
fn a_single_line_is_an_answer_without_a_map() {
    let help = "write 0 up, 1 right, 2 down, 3 left, -1 none";
    for (text, place) in [("4", "1:1:1"), ("-2", "1:1:2")] {
        let expected = format!("{place} an answer is -1, 0, 1, 2 or 3 | {help}");
        assert_eq!(faults(&format!("{text}\n[2]\n")), [expected]);
    }
    assert_eq!(
        faults("2, 0\n[2]\n"),
        ["1:2:3 expected the end of the line | write each list on a line of its own"]
    );
    assert_eq!(
        faults("2\n"),
        ["1:1:1 no map follows this first line | add the map's rows below it"]
    );
}

#[test]
fn the_sizes_are_those_of_the_tuple() {
    let help = "correct the tuple or the map";
    assert_eq!(
        faults("(1, 2, 3, 0, 0)\n[0, 0, 0, 0, 0]\n"),
        [format!(
            "2:1:15 this list has 5 numbers, but the tuple says 2 x 3 | {help}"
        )]
    );
    assert_eq!(
        faults("(1, 3, 2, 0, 0)\n[0, 0]\n[0]\n"),
        [
            format!("1:1:15 the tuple says 3 rows, but the map has 2 | {help}"),
            format!("3:1:3 this list has 1 number, but the tuple says 2 columns | {help}"),
        ]
    );
    let huge = i64::MAX;
    assert_eq!(
        faults(&format!("(1, {huge}, {huge}, 0, 0)\n[0]\n")),
        [format!(
            "2:1:3 this list has 1 number, but the tuple says {huge} x {huge} | {help}"
        )]
    );
}

#[test]
fn no_id_has_two_heads() {
    assert_eq!(
        faults("[2, 0, 12]\n[12, 0, 2]\n"),
        [
            "2:2:2 two heads of `12`: the first is at line 1, column 8 | keep one `12`",
            "2:9:1 two heads of `2`: the first is at line 1, column 2 | keep one `2`",
        ]
    );
    assert_eq!(
        faults("(1, 2, 2, 0, 0)\n[0, 2, 0, 2]\n"),
        ["2:11:1 two heads of `2`: the first is at line 2, column 5 | keep one `2`"]
    );
}

#[test]
fn all_faults_are_reported_at_once() {
    let all = faults("; runner: 2\n(1, 3, 2, 0, 9)\n[0, -5]\n[2, 2]\n");
    let places: Vec<_> = all
        .iter()
        .map(|fault| fault.split(' ').next().unwrap())
        .collect();
    assert_eq!(places, ["1:11:1", "2:1:15", "2:14:1", "3:5:2"]);
    assert_eq!(faults(&"[\n".repeat(2000)).len(), Faults::MAX);
}

#[test]
fn an_unreadable_list_counts_as_a_row() {
    let told = faults("(1, 2, 2, 0, 1)\n[2, 0]\n[0, x]\n");
    assert_eq!(told.len(), 1, "{told:?}");
}
