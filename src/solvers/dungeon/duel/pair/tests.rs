//! Two ghosts by tables, against the same two by their nodes.

use super::*;
use crate::engine::mdp;
use crate::puzzle::Puzzle;
use crate::puzzle::text::Boards;
use crate::rules::dungeon::Dungeon;

/// Levels with two ghosts, each with something of its own.
const LEVELS: &[(&str, &str)] = &[
    (
        "a plain room",
        "; radius: 2\n-------\n|P....|\n|.G.G.|\n|....E|\n-------\n",
    ),
    (
        "a key, and a closed exit to wait on",
        "; radius: 2\n-------\n|P.E..|\n|.G.G.|\n|....K|\n-------\n",
    ),
    (
        "no way past a ghost",
        "; radius: 9\n----------\n|P.G.E|..|\n------|.G|\nXXXXXX----\n",
    ),
    (
        "cooldowns that count",
        "; strategy: cooldown\n; radius: 2\n; cooldown: 2\n--------\n|P.D..G|\n|..|..G|\n|.E|...|\n--------\n",
    ),
    (
        "a ghost on the exit",
        "; strategy: cooldown\n; radius: 1\n; cooldown: 1\n------\n|P..E|\n|.G.G|\n|....|\n------\n",
    ),
    (
        "several steps a turn",
        "; speed: 3\n; radius: 3\n--------\n|P..G..|\n|......|\n|..G..E|\n--------\n",
    ),
    (
        "several steps around a ghost on the exit",
        "; strategy: cooldown\n; speed: 2\n; radius: 2\n; cooldown: 1\n-----\n|P..|\n|.GE|\n|..G|\n-----\n",
    ),
    (
        "a zombie that never moves",
        "; radius: 1\nXXXXXXX\nX.ZP..X\nXX--D-X\nX|G..|X\nX|.E.|X\nX|..G|X\nX----XX\n",
    ),
    (
        "ghosts drawn in walls",
        "; radius: 2\n--------\n|P.|..E|\n|..G...|\n|..|...|\n---G----\n",
    ),
    (
        "two rooms, one of a single tile",
        "; radius: 0\n-------\n|P..|.|\n|.G.---\n|..E|XX\n|G..|XX\n-----XX\n",
    ),
    (
        "luck that takes its time",
        "; radius: 4\n-----------\n|P..D..GG.|\n---D---...|\nXX|...|..E|\nXX---------\n",
    ),
];

fn duel(text: &str) -> Arc<Duel> {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    Arc::new(Duel::new(&Dungeon::read(&puzzle).unwrap()).unwrap())
}

fn solved(duel: &Arc<Duel>, in_parallel: bool) -> Finding<Solved> {
    let mut pair = Pair::new(duel).expect("two ghosts with room to be teleported to");
    pair.in_parallel = in_parallel;
    let finding = pair.solve_here(&Limits::default());
    finding.expect("the estimate proves itself")
}

#[test]
fn tables_and_nodes_agree() {
    for (what, text) in LEVELS {
        let duel = duel(text);
        let tables = solved(&duel, false);
        let nodes = mdp::solve(&*duel, &Limits::default());
        assert_eq!(tables.possible(), nodes.possible(), "{what}");
        assert_eq!(tables.certain, nodes.certain, "{what}");
        assert!(
            tables.lower <= nodes.upper + 1e-12 && nodes.lower <= tables.upper + 1e-12,
            "{what}: {} to {}, {} to {}",
            tables.lower,
            tables.upper,
            nodes.lower,
            nodes.upper
        );
        assert!(tables.upper - tables.lower <= mdp::WIDTH, "{what}");
    }
}

#[test]
fn threads_make_no_difference() {
    for (what, text) in LEVELS {
        let duel = duel(text);
        let [alone, together] = [false, true].map(|in_parallel| {
            let finding = solved(&duel, in_parallel);
            let bits = [finding.lower, finding.upper].map(f64::to_bits);
            (bits, finding.certain, finding.way_out)
        });
        assert_eq!(alone, together, "{what}");
    }
}

#[test]
fn positions_are_numbered_there_and_back() {
    let pair = Pair::new(&duel(LEVELS[3].1)).unwrap();
    for at in 0..pair.len() {
        let node = pair.duel.code.unpack(pair.number(at));
        // No node has two ghosts on one haunt, though the table has room for them.
        let [a, b] = node.tokens() else { panic!() };
        if a.haunt() != b.haunt() {
            assert_eq!(pair.find(&node), Some(at));
        }
    }
}

#[test]
fn only_two_ghosts_with_room_are_a_pair() {
    for text in [
        "-----\n|PG.|\n|..E|\n-----\n",
        "-----\n|PGZ|\n|..E|\n-----\n",
        "-----\n|PGG|\n|G.E|\n-----\n",
        "-----\n|PGE|\n--G--\n",
    ] {
        assert!(Pair::new(&duel(text)).is_none(), "{text}");
    }
}

#[test]
fn limits_are_kept() {
    let duel = duel(LEVELS[3].1);
    let late = Limits {
        deadline: Some(std::time::Instant::now()),
        ..Limits::default()
    };
    let finding = Pair::new(&duel).unwrap().solve(&late).unwrap();
    assert_eq!(
        (finding.limit, finding.lower, finding.upper),
        (Some(Limit::Time), 0.0, 1.0)
    );
    let few = Limits {
        max_states: Some(10),
        ..Limits::default()
    };
    // Nodes are counted one by one, a table is there or not.
    assert!(Pair::new(&duel).unwrap().solve(&few).is_none());
}
