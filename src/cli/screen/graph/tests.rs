use super::*;

const FALLING: [Option<f64>; 6] = [
    Some(1.0),
    Some(0.5),
    None,
    Some(0.25),
    Some(1e-9),
    Some(0.0),
];

#[test]
fn a_bar_is_as_high_as_it_is_likely() {
    assert_eq!(
        graph(&FALLING, Charset::Unicode),
        ["1 █     ", "  █▄    ", "0 ██?▆▁_"]
    );
}

#[test]
fn in_ascii_there_are_nine_steps() {
    assert_eq!(
        graph(&FALLING, Charset::Ascii),
        ["1 #     ", "  #:    ", "0 ##?#._"]
    );
}
