use super::*;

const SAFE: PositionValue = PositionValue::Escape { moves: None };

fn losing(moves: usize) -> PositionValue {
    let lives = Some(Lifetime::Moves(moves));
    PositionValue::Caught { lives }
}

#[test]
fn the_formula_is_the_one_in_the_docs() {
    let near = |turns: &[Vec<PositionValue>], expected: f64| {
        let Some(Difficulty::Exactly(found)) = difficulty(turns) else {
            panic!("every life is known");
        };
        assert!(
            (found - expected).abs() < 1e-12,
            "{found} is not {expected}"
        );
    };
    near(&[], 0.0);
    near(&vec![vec![SAFE]; 7], 3.0);
    near(&vec![vec![SAFE, losing(1), losing(1)]; 7], 3.0);
    near(&vec![vec![SAFE, losing(2)]; 3], 2.0 + 3.0 * 1.5_f64.log2());
    let forever = PositionValue::Caught {
        lives: Some(Lifetime::Forever),
    };
    near(&[vec![SAFE, forever]], 2.0);
    assert_eq!(
        difficulty(&[vec![SAFE, PositionValue::Unknown(None)]]),
        None
    );
}

#[test]
fn a_life_of_unknown_length_makes_it_an_upper_bound() {
    let unknown = PositionValue::Caught { lives: None };
    let Some(Difficulty::AtMost(bits)) = difficulty(&[vec![SAFE, SAFE, unknown]]) else {
        panic!("the life is not known");
    };
    assert!((bits - (1.0 + 1.5_f64.log2())).abs() < 1e-12, "{bits}");
    for moves in 1..9 {
        let known = difficulty(&[vec![SAFE, SAFE, losing(moves)]]);
        assert!(known.unwrap().bits() <= bits, "{moves}");
    }
}
