//! Tables for a ghost and zombies, compared with nodes.

use std::sync::Arc;

use super::super::tests::{level, mdp};
use super::*;
use getaway_board::limits::{Decision, Limits};
use getaway_board::rng::Rng;
use getaway_chance::{
    self, MAX_ROUNDS, Mdp, Owner, Successor, Tables, Tabular, TabularMdp, Valuation,
};
use getaway_testing::sized;

const LEVELS: &[(&str, &str)] = &[
    (
        "a plain room",
        "; radius: 2\n-------\n|P....|\n|.G.Z.|\n|....E|\n-------\n",
    ),
    (
        "a key, and a closed exit to wait on",
        "; radius: 2\n-------\n|P.E..|\n|.G.Z.|\n|....K|\n-------\n",
    ),
    (
        "two rooms with a zombie each",
        "; radius: 2\n----------\n|P..D...Z|\n|.Z.|..GE|\n|...|....|\n----------\n",
    ),
    (
        "cooldowns that count",
        "; strategy: cooldown\n; radius: 1\n; cooldown: 2\n--------\n|P.D..G|\n|..|.Z.|\n|.E|...|\n--------\n",
    ),
    (
        "a zombie beside the exit, a ghost in the hallway",
        "; strategy: cooldown\n; radius: 2\n; cooldown: 1\n----XXX----\n|P.DG..D.E|\n|Z.|XXX|.Z|\n----XXX----\n",
    ),
    (
        "several steps a turn",
        "; speed: 2\n; radius: 3\n--------\n|P..Z..|\n|......|\n|..G..E|\n--------\n",
    ),
    (
        "a zombie that never moves",
        "; radius: 1\nXXXXXXX\nX.ZP..X\nXX--D-X\nX|Z..|X\nX|.E.|X\nX|..G|X\nX----XX\n",
    ),
    (
        "a ghost drawn in a wall",
        "; radius: 2\n--------\n|P.|..E|\n|..D.Z.|\n|..|...|\n---G----\n",
    ),
    (
        "three rooms with a zombie each",
        "; strategy: cooldown\n; radius: 1\n; cooldown: 1\n---------\n|P.D.D.E|\n|.Z|Z|GZ|\n---------\n",
    ),
    (
        "three rooms with a zombie each, and a ghost that runs into walls",
        "; radius: 1\n---------\n|P.D.D.E|\n|.Z|Z|GZ|\n---------\n",
    ),
];

fn solved(mdp: &Arc<DungeonMdp>, threads: usize) -> Valuation {
    let limits = Limits {
        threads,
        ..Limits::default()
    };
    let table = Table::new(mdp, &Budget::new(&limits)).unwrap();
    let table = table.expect("a ghost and zombies with a room each");
    let valuation = Tables::new(table, threads, MAX_ROUNDS).solve_here(&Budget::new(&limits));
    valuation.expect("the estimate is verified")
}

fn assert_tables_and_nodes_agree(what: &str, mdp: &Arc<DungeonMdp>) {
    let tables = solved(mdp, 1);
    let nodes = getaway_chance::solve(&**mdp, &Limits::default());
    assert_eq!(tables.possible, nodes.possible, "{what}");
    assert_eq!(tables.sure, nodes.sure, "{what}");
    let bounds = [
        &tables.bounds.lower,
        &tables.bounds.upper,
        &nodes.bounds.lower,
        &nodes.bounds.upper,
    ];
    assert!(
        tables.bounds.lower <= nodes.bounds.upper + 1e-12
            && nodes.bounds.lower <= tables.bounds.upper + 1e-12,
        "{what}: {bounds:?}"
    );
    assert!(
        tables.bounds.upper - tables.bounds.lower <= getaway_chance::WIDTH + 1e-12,
        "{what}"
    );
    assert_eq!(
        tables.possible,
        Decision::from(tables.bounds.lower > 0.0),
        "{what}"
    );
}

fn value_of(mdp: &DungeonMdp, at: Successor, state: &impl Fn(u64) -> f64) -> f64 {
    let node = match at {
        Successor::Won => return 1.0,
        Successor::Lost => return 0.0,
        Successor::Node(node) => node,
    };
    let mut successors = Vec::new();
    match mdp.successors(node, &mut successors) {
        Owner::Player => {
            let value = |&next: &Successor| match next {
                Successor::Node(node) => state(node),
                end => value_of(mdp, end, state),
            };
            successors.iter().map(value).fold(0.0, f64::max)
        }
        Owner::Chance => {
            let value = successors.iter().map(|&next| value_of(mdp, next, state));
            value.sum::<f64>() / successors.len() as f64
        }
    }
}

#[test]
fn an_update_equals_the_sum_over_single_draws() {
    let mut rng = Rng::new(5);
    for (what, text) in LEVELS {
        let mdp = mdp(text).unwrap();
        let (limits, mut scratch) = (Limits::default(), Scratch::default());
        let budget = Budget::new(&limits);
        let model = Table::new(&mdp, &budget).unwrap().unwrap();
        let value = |at| f64::from(comes_up(&mdp, model.node(at))) * rng.uniform();
        let values: Vec<_> = (0..model.len()).map(value).map(|value| [value]).collect();
        let state = |node| values[model.find(node).expect("the player has moved")][0];
        for block in 0..model.sweeper().blocks() {
            let view = SweepView::of(model.sweeper().starts(), &values, block);
            let new = model.update(&view, &mut scratch, &budget).unwrap();
            for (at, &[new]) in model.range(block).zip(new).step_by(sized(11, 1)) {
                let node = model.node(at);
                if comes_up(&mdp, node) {
                    let expected = value_of(&mdp, Successor::Node(node), &state);
                    assert!(
                        (new - expected).abs() < 1e-12,
                        "{what}: {new} for {expected} at {at}"
                    );
                }
            }
        }
    }
}

fn comes_up(mdp: &DungeonMdp, node: u64) -> bool {
    let node = mdp.unpack(node);
    let player = mdp.geometry.positions.get(node.position).cell;
    let others = node
        .adversaries
        .iter()
        .map(|other| mdp.geometry.cell(other.tile()));
    let mut cells: Vec<_> = others.chain([player]).collect();
    cells.sort_unstable();
    cells.windows(2).all(|pair| pair[0] != pair[1])
}

#[test]
fn tables_and_nodes_agree() {
    for (what, text) in LEVELS.iter().step_by(sized(3, 1)) {
        assert_tables_and_nodes_agree(what, &mdp(text).unwrap());
    }
}

#[test]
fn tables_and_nodes_agree_on_random_levels() {
    let mut rng = Rng::new(12);
    let mut open = 0;
    while open < sized(4, 200) {
        let text = level(&mut rng);
        let limits = Limits::default();
        let Some(mdp) = mdp(&text) else { continue };
        if matches!(Table::new(&mdp, &Budget::new(&limits)), Ok(Some(_))) {
            assert_tables_and_nodes_agree(&text, &mdp);
            let upper = solved(&mdp, 1).bounds.upper;
            open += usize::from(upper > 0.0 && upper < 1.0);
        }
    }
}

#[test]
fn threads_make_no_difference() {
    for (what, text) in LEVELS.iter().step_by(sized(3, 1)) {
        let mdp = mdp(text).unwrap();
        let [alone, together] = [1, 3].map(|threads| {
            let valuation = solved(&mdp, threads);
            let bits = [valuation.bounds.lower, valuation.bounds.upper].map(f64::to_bits);
            (bits, valuation.sure, valuation.possible)
        });
        assert_eq!(alone, together, "{what}");
    }
}

#[test]
fn states_are_numbered_there_and_back() {
    for (what, text) in &LEVELS[2..4] {
        let mdp = mdp(text).unwrap();
        let limits = Limits::default();
        let table = Table::new(&mdp, &Budget::new(&limits));
        let table = table.unwrap().unwrap();
        assert!(
            (0..table.len()).all(|at| table.find(table.node(at)) == Some(at)),
            "{what}"
        );
        assert_eq!(table.find(mdp.initial()), None, "the player is to move");
    }
}

#[test]
fn positions_with_the_key_taken_are_a_part_of_their_own() {
    let limits = Limits::default();
    for (level, has_key) in [(0, false), (1, true)] {
        let mdp = mdp(LEVELS[level].1).unwrap();
        let table = Table::new(&mdp, &Budget::new(&limits));
        let table = table.unwrap().unwrap();
        assert_eq!(table.sweeper().largest_part() < table.len(), has_key);
    }
}

#[test]
fn only_two_ghosts_or_a_ghost_and_zombies_with_a_room_each_have_tables() {
    let limits = Limits::default();
    for text in [
        "-----\n|PG.|\n|..E|\n-----\n",
        "-----\n|P.Z|\n|..E|\n-----\n",
        "------\n|PGZ.|\n|..ZE|\n|....|\n------\n",
        "------\n|PGZ.|\n|..GE|\n|....|\n------\n",
        "-----\n|PGG|\n|G.E|\n-----\n",
        "-----\n|PGE|\n--G--\n",
    ] {
        let mdp = mdp(text).unwrap();
        let table = Table::new(&mdp, &Budget::new(&limits));
        assert!(table.unwrap().is_none(), "{text}");
    }
}

#[test]
fn limits_are_kept() {
    let mdp = mdp(LEVELS[3].1).unwrap();
    for few in [
        Limits {
            max_states: Some(10),
            ..Limits::default()
        },
        Limits {
            max_memory: Some(100_000),
            ..Limits::default()
        },
    ] {
        let budget = Budget::new(&few);
        assert!(Table::new(&mdp, &budget).unwrap().is_none());
        assert_eq!(budget.taken(), 0);
    }
    let late = Limits {
        deadline: Some(std::time::Instant::now()),
        ..Limits::default()
    };
    let heard = Table::new(&mdp, &Budget::new(&late));
    assert_eq!(heard.err(), Some(Limit::Time));
}
