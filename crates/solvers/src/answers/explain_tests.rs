use super::*;
use getaway_board::limits::Limit;
use getaway_play::evaluation::Lifetime;

/// A move is listed as safe only if it is known to lead to an escape.
#[test]
fn a_step_lists_the_threats_it_avoids_and_those_it_does_not() {
    let of = |mv: &str, value| ExplainedMove {
        mv: mv.into(),
        value,
        end: None,
    };
    let out = PositionValue::Escape { moves: Some(3) };
    let lives = Some(Lifetime::Moves(2));
    let legend = crate::rulesets::RULESETS[0].legend;
    let mut turn = ExplainedTurn {
        mv: Some("U".into()),
        moves: vec![
            of("U", out),
            of("L", out),
            of("D", PositionValue::Caught { lives }),
            of("R", PositionValue::Unknown(Some(Limit::States))),
        ],
    };
    let described =
        "`D`: lost within 2 moves; `R`: (state limit reached); 1 other move leads out as well";
    assert_eq!(avoided(&turn, &legend), described);
    turn.moves.truncate(2);
    assert_eq!(
        avoided(&turn, &legend),
        "every other move leads out as well"
    );
    turn.moves.truncate(1);
    assert_eq!(avoided(&turn, &legend), "the only move");
}
