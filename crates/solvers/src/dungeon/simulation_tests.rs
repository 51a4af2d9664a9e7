use super::*;
use getaway_board::limits::{Bounds, Budget};
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_chance::solve;
use getaway_models::DungeonMdp;
use getaway_models::abstraction::Refinement;
use getaway_ruleset::Notation;
use getaway_testing::sized;

const LEVEL: &str =
    "; drawing: compact\n; radius: 2\n-------\n|P.D.E|\n|.Z-..|\n|..|G.|\n-------\n";

fn level() -> Dungeon {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(LEVEL.as_bytes(), 1).read(&mut puzzle).unwrap());
    Dungeon::read(&puzzle).unwrap()
}

fn reached(threads: usize, effort: u64) -> (Simulated, f64, Bounds) {
    let dungeon = Arc::new(level());
    let limits = Limits {
        threads,
        ..Limits::default()
    };
    let budget = Budget::new(&limits);
    let mdp = Arc::new(DungeonMdp::new(&dungeon, &budget).unwrap());
    let mut simulated = None;
    let mut watch = |model: &Abstraction, values: &[Lower]| {
        simulated = simulate(&dungeon, model, values, &limits);
    };
    let known = Bounds::UNKNOWN;
    let mut refinement = Refinement::new(&mdp, known, 0.5, &mut watch);
    refinement.run(effort, &budget).unwrap();
    let promised = refinement.known.lower;
    let truth = solve(&*mdp, &limits);
    (simulated.expect("nothing ends it"), promised, truth.bounds)
}

#[test]
fn a_policy_reaches_what_its_lower_bound_promises_and_no_more_than_is_possible() {
    let (simulated, promised, Bounds { lower, upper }) = reached(1, 1 << 17);
    assert!(0.1 < lower && upper < 0.95, "there is a risk: {lower}");
    let games = simulated.games as f64;
    let share = simulated.escaped as f64 / games;
    let error = 5.0 * (upper * (1.0 - upper) / games).sqrt();
    assert!(share <= upper + error, "{share} of {upper}");
    assert!(promised >= 0.9 * lower, "{promised} of {lower}");
    assert!(share >= promised - error, "{share} of {promised}");
}

#[test]
fn games_are_played_even_with_a_small_effort() {
    let (simulated, _, Bounds { upper, .. }) = reached(1, 1);
    assert_eq!(simulated.games, GAMES);
    let share = simulated.escaped as f64 / GAMES as f64;
    assert!(share <= upper + 0.1, "{share} of {upper}");
}

#[test]
fn games_are_the_same_however_many_threads_play_them() {
    let all = sized(&[1, 2][..], &[1, 2, 3, 8][..]);
    let all: Vec<_> = all
        .iter()
        .map(|&threads| reached(threads, 1 << 17).0)
        .collect();
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{all:?}");
}

#[test]
fn a_game_that_escapes_has_a_line() {
    let dungeon = Arc::new(level());
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let mdp = Arc::new(DungeonMdp::new(&dungeon, &budget).unwrap());
    let mut line = None;
    let mut watch = |model: &Abstraction, values: &[Lower]| {
        line = escaping_line(&dungeon, model, values, &limits);
    };
    let mut refinement = Refinement::new(&mdp, Bounds::UNKNOWN, 0.5, &mut watch);
    refinement.run(1 << 17, &budget).unwrap();
    assert!(line.is_some_and(|line| line.probability > 0.0));
}
