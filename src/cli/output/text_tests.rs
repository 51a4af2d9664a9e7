use super::*;

#[test]
fn a_probability_whose_digits_would_not_show_is_neither_0_nor_1() {
    assert_eq!(chance([0.0, 0.0].into(), Decision::No), "");
    let least = ", probability above 0, at most 0.000001";
    assert_eq!(chance([1.7e-10, 2.7e-10].into(), Decision::No), least);
    assert_eq!(
        chance([6e-7, 8e-7].into(), Decision::No),
        ", probability 0.000001"
    );
    let bounded = ", probability above 0, at most 0.250000";
    assert_eq!(chance([1e-9, 0.25].into(), Decision::No), bounded);
    assert_eq!(
        chance([1e-9, 1.0].into(), Decision::No),
        ", probability above 0"
    );
    let most = ", probability 1, though not certain";
    assert_eq!(chance([1.0 - 1e-9, 1.0].into(), Decision::No), most);
    assert_eq!(
        chance([1.0 - 1e-9, 1.0].into(), Decision::Undecided),
        ", probability 1"
    );
}

#[test]
fn continuation_lines_align_with_their_text() {
    let fit = |text: &str, width| fitted(text.to_owned(), Some(width));
    let text = "escape in 3 moves: ULLURDLLURDLLUR\n  1 U  `D`: lost within four moves\n  short\n";
    let expected = "escape in 3 moves:\n  ULLURDLLURDLLUR\n  1 U  `D`: lost within\n       four moves\n  short\n";
    assert_eq!(fit(text, 24), expected);
    assert_eq!(fit("  a long line\n", 10), "  a long\n    line\n");
    assert_eq!(fit("  a long line\n", 80), "  a long line\n");
    let moves = "escape in 15 moves: ULLURDLLURDLLUR\n";
    assert_eq!(
        fit(moves, 10),
        "escape in\n  15\n  moves:\n  ULLURDLLURDLLUR\n"
    );
}
