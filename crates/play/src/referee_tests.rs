use super::*;
use crate::trace::Forfeit;

#[test]
fn a_fault_in_a_turn_ends_the_game_after_the_turns_before_it() {
    let fault = || Forfeit {
        role: RUNNER.into(),
        reason: "crashed".into(),
    };
    for turn in [1, 7] {
        let Stop::Over(Ending::Forfeited { turns, fault: told }) =
            stop(AgentError::Forfeit(fault()), turn)
        else {
            panic!("turn {turn}");
        };
        assert_eq!((turns, told), (turn - 1, fault()));
    }
}
