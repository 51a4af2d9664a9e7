use super::JointTable;
use crate::abstraction::tests::{level_of, mdp};
use getaway_board::limits::{Bounds, Budget, Limit, Limits};
use getaway_board::rng::Rng;
use getaway_chance::Tabular;
use getaway_testing::sized;

/// Larger levels would take long.
const MAX: usize = 1 << 14;

#[test]
fn tables_and_nodes_agree_about_two_players() {
    let rng = &mut Rng::new(51);
    let (mut solved, mut open) = (0, 0);
    for _ in 0..sized(150, 6_000) {
        let others = rng.pick(&["GG", "GZ", "ZZ"]).expect("there are some");
        let goal = if rng.chance(0.5) { "any" } else { "all" };
        let text = format!("; goal: {goal}\n{}", level_of(rng, "PP", others));
        let Some(bounds) = bounds_of_both(&text) else {
            continue;
        };
        solved += 1;
        open += u32::from(bounds.lower > 0.01 && bounds.upper < 0.99);
    }
    assert!(
        solved > sized(40, 1_000) && open > solved / 10,
        "{solved} {open}"
    );
}

#[test]
fn no_player_steps_onto_the_adversary_that_another_walks_into() {
    let text =
        "; strategy: cooldown\n; radius: 2\n; cooldown: 0\n-------\n|PP.EK|\n|.G|G.|\n-------\n";
    let bounds = bounds_of_both(text).expect("the level is small");
    // An independent program says 0.355298322.
    assert!(bounds.contains(0.355_298_322), "{bounds:?}");
}

/// Solves a small level by tables and by nodes, which must agree, and returns the bounds from the tables. Returns `None` if there
/// are no tables, or large ones.
fn bounds_of_both(text: &str) -> Option<Bounds> {
    let (mdp, limits) = (mdp(text)?, Limits::default());
    let budget = Budget::new(&limits);
    let table = JointTable::new(&mdp, 0, &budget).unwrap();
    let value = table.filter(|table| table.len() <= MAX)?.solve(&budget)?;
    let nodes = getaway_chance::solve(&*mdp, &limits);
    let (own, other) = (value.bounds, nodes.bounds);
    assert!(own.width() <= 1e-6, "{text}{own:?}");
    assert!(
        own.lower <= other.upper && other.lower <= own.upper,
        "{text}{own:?}, but {other:?}"
    );
    assert_eq!(value.sure, nodes.sure, "{text}");
    // Almost sure wins are recognised, whatever the rounding.
    assert_eq!(
        own == Bounds::exact(1.0),
        other == Bounds::exact(1.0),
        "{text}"
    );
    Some(own)
}

#[test]
fn only_positions_that_sweeps_have_reached_count() {
    let text = "-------\n|PG |K|\n| ZPD |\n|   |E|\n-------\n";
    let (mdp, limits) = (mdp(text).unwrap(), Limits::default());
    let budget = Budget::new(&limits);
    let table = || JointTable::new(&mdp, 0, &budget).unwrap().unwrap();
    let len = table().len() as u64;
    let solved = table().solve(&budget).unwrap();
    assert_eq!((solved.nodes, solved.limit), (len, None));
    let tight = Limits {
        max_memory: Some(len),
        ..limits
    };
    let unsolved = table().solve(&Budget::new(&tight)).unwrap();
    assert_eq!((unsolved.nodes, unsolved.limit), (0, Some(Limit::Memory)));
    assert_eq!(unsolved.bounds, Bounds::UNKNOWN);
}
