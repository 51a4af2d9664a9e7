use super::*;
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_rules::theseus::Theseus;
use getaway_ruleset::Notation;

/// The model has five states: three cells for Theseus, since the Minotaur can't move, and the two ends of a game.
#[test]
fn a_model_has_as_many_states_as_allowed_and_no_more() {
    let text = "; ruleset: theseus\n; minotaur-steps: 0\n+-+-+-+-+-+\n|T . . E|M|\n+-+-+-+-+-+\n";
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    let board = Theseus::read(&puzzle).unwrap();
    let limits = Limits::default();
    let model = Model::of(&board, 5, &Budget::new(&limits)).unwrap();
    assert_eq!(model.graph.node_count() + ENDS, 5);
    let refused = |max| {
        let error = Model::of(&board, max, &Budget::new(&limits)).err();
        error.unwrap().to_string()
    };
    assert_eq!(
        refused(4),
        "this board has more than 4 states, which is the maximum"
    );
    let limits = Limits {
        max_states: Some(1),
        ..limits
    };
    let error = Model::of(&board, 4, &Budget::new(&limits)).err().unwrap();
    assert!(matches!(
        error,
        ModelError::Graph(CertifyError::Limit(Limit::States))
    ));
}
