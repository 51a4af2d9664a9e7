use super::*;

#[test]
fn a_chaser_at_fault_does_not_lose_the_game_for_the_runner() {
    for (role, is_runners) in [(RUNNER, true), ("ghost", false)] {
        let fault = Forfeit {
            role: role.into(),
            reason: "crashed".into(),
        };
        assert_eq!(fault.is_runners(), is_runners);
        assert_eq!(fault.to_string(), format!("the {role} crashed"));
    }
}
