use super::*;

#[test]
fn glyphs_are_listed_in_words() {
    let spelled: Vec<_> = ["o", " .", "-|+", "ABCZ"].map(spelled).into();
    assert_eq!(
        spelled,
        ["`o`", "space or `.`", "`-`, `|` or `+`", "`A` to `Z`"]
    );
}

#[test]
fn cells_are_named_by_row_and_column_from_1() {
    let plain = Legend::new(&[(".", Meaning::Floor, "empty")]);
    let doubled = plain.doubled();
    assert_eq!(
        (plain.place((2, 3)), plain.at((0, 0))),
        ("3,4".into(), "at 1,1".into())
    );
    for (place, name) in [
        ((1, 1), "at 1,1"),
        ((3, 5), "at 2,3"),
        ((3, 4), "right of 2,2"),
        ((4, 5), "below 2,3"),
        ((0, 5), "above 1,3"),
        ((3, 0), "left of 2,1"),
        ((4, 4), "below right of 2,2"),
    ] {
        assert_eq!(doubled.at(place), name);
    }
}

#[test]
fn an_unknown_glyph_is_floor_without_a_word() {
    let legend = Legend::new(&[("#", Meaning::Wall, "wall"), (".", Meaning::Floor, "empty")]);
    assert_eq!(
        (legend.meaning('#'), legend.word('#')),
        (Meaning::Wall, "wall")
    );
    assert_eq!(
        (legend.meaning('?'), legend.word('?')),
        (Meaning::Floor, "")
    );
    assert_eq!(
        (legend.has('.'), legend.has('?'), legend.has('é')),
        (true, false, false)
    );
}

#[test]
#[should_panic(expected = "two lines")]
fn a_glyph_in_two_lines_is_refused() {
    let _ = Legend::new(&[
        (".", Meaning::Floor, "empty"),
        ("#.", Meaning::Wall, "wall"),
    ]);
}
