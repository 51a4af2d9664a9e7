use super::*;

#[test]
fn a_long_address_loses_its_middle() {
    assert_eq!(
        without_middle("puzzles/jimmy/01.txt", 20),
        "puzzles/jimmy/01.txt"
    );
    assert_eq!(
        without_middle("puzzles/jimmy/01.txt", 15),
        "puzz...y/01.txt"
    );
}

#[test]
fn every_measure_can_be_left_out_but_the_difficulty() {
    let mut measures = Measure::value_variants().to_vec();
    while let Some(least) = least_important(&measures) {
        measures.retain(|measure| *measure != least);
    }
    assert_eq!(measures, [Measure::Difficulty]);
}
