use super::super::theme::Charset;
use super::*;

fn parts(screen: (u16, u16), board: (u16, u16)) -> (Size, Size) {
    let parts = Parts::of(Rect::new(0, 0, screen.0, screen.1), |_| board.into());
    (parts.board.as_size(), parts.panel.as_size())
}

#[test]
fn the_board_comes_first_and_the_panel_shrinks_or_goes() {
    let (board, panel) = parts((80, 24), (74, 17));
    assert_eq!((board.height, panel.height), (17, 4));
    assert_eq!(parts((80, 24), (22, 7)).1, Size::new(34, 21));
    assert_eq!(parts((60, 15), (34, 12)).1, Size::new(25, 12), "narrower");
    assert_eq!(parts((60, 15), (50, 12)).1, Size::new(60, 0), "none");
    let (board, panel) = parts((60, 15), (400, 50));
    assert_eq!(
        (board.height, panel.height),
        (10, 2),
        "larger than the window"
    );
}

fn texts(text: &str, width: usize) -> Vec<String> {
    let lines = wrapped(text, width).into_iter();
    lines.map(|line| line.to_string()).collect()
}

#[test]
fn a_text_is_broken_between_words_and_within_a_long_word() {
    assert_eq!(texts("one two", 7), ["one two"]);
    assert_eq!(texts("one two three", 7), ["one two", "three"]);
    assert_eq!(texts("a: LULURRR", 4), ["a:", "LULU", "RRR"]);
    assert_eq!(texts("ééééé", 2), ["éé", "éé", "é"]);
}

#[test]
fn further_lines_are_indented() {
    assert_eq!(
        texts(" q   leave it now", 11),
        [" q   leave", "     it now"]
    );
    assert_eq!(texts("  one two", 7), ["  one", "  two"]);
    assert_eq!(texts("a long key   it", 13), ["a long key", "it"]);
}

#[test]
fn a_shortened_text_is_marked() {
    assert_eq!(shortened("message", 7, Charset::Unicode), "message");
    assert_eq!(shortened("message", 6, Charset::Unicode), "messa…");
    assert_eq!(shortened("message", 6, Charset::Ascii), "mes...");
}
