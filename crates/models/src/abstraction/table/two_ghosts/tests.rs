//! Tables for two ghosts, compared with nodes.

use std::sync::atomic::{AtomicBool, Ordering};

use std::sync::Arc;

use super::super::Table;
use super::*;
use crate::MdpError;
use crate::abstraction::block::outcomes;
use crate::abstraction::ghost_states::GhostStates;
use crate::abstraction::table::solve_by_tables as tables;
use crate::code::PackedAdversary;
use getaway_board::limits::{Budget, Decision, Limit, Limits};
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_chance::{self, MAX_ROUNDS, Tables, Tabular, TabularMdp, Valuation};
use getaway_rules::dungeon::Dungeon;
use getaway_ruleset::Notation;
use getaway_testing::sized;

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
        "chance that takes its time",
        "; radius: 4\n-----------\n|P..D..GG.|\n---D---...|\nXX|...|..E|\nXX---------\n",
    ),
];

fn mdp(text: &str) -> Arc<DungeonMdp> {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    let limits = Limits::default();
    Arc::new(DungeonMdp::new(&Dungeon::read(&puzzle).unwrap(), &Budget::new(&limits)).unwrap())
}

fn ghosts(mdp: &Arc<DungeonMdp>) -> Option<Table> {
    Table::new(mdp, &Budget::new(&Limits::default())).unwrap()
}

fn solved(mdp: &Arc<DungeonMdp>, in_parallel: bool) -> Valuation {
    let ghosts = ghosts(mdp).expect("two ghosts with room to be teleported to");
    let threads = if in_parallel { 3 } else { 1 };
    let valuation =
        Tables::new(ghosts, threads, MAX_ROUNDS).solve_here(&Budget::new(&Limits::default()));
    valuation.expect("the estimate is verified")
}

fn assert_tables_and_nodes_agree(what: &str, text: &str) {
    let mdp = mdp(text);
    let tables = solved(&mdp, false);
    let nodes = getaway_chance::solve(&*mdp, &Limits::default());
    assert_eq!(tables.possible, nodes.possible, "{what}");
    assert_eq!(tables.sure, nodes.sure, "{what}");
    assert!(
        tables.bounds.lower <= nodes.bounds.upper + 1e-12
            && nodes.bounds.lower <= tables.bounds.upper + 1e-12,
        "{what}: {} to {}, {} to {}",
        tables.bounds.lower,
        tables.bounds.upper,
        nodes.bounds.lower,
        nodes.bounds.upper
    );
    assert!(
        tables.bounds.upper - tables.bounds.lower <= getaway_chance::WIDTH,
        "{what}"
    );
    assert_eq!(
        tables.possible,
        Decision::from(tables.bounds.lower > 0.0),
        "{what}"
    );
}

#[test]
fn tables_and_nodes_agree() {
    for (what, text) in LEVELS {
        assert_tables_and_nodes_agree(what, text);
    }
}

/// Returns a hallway in which no ghost ever teleports, so there are few nodes, but a full table.
fn blind_ghosts(cooldown: u32) -> String {
    format!(
        "; strategy: cooldown\n; radius: 0\n; cooldown: {cooldown}\n\
         XXXXXXX\nXPG.GEX\nX----XX\nX|.|.|X\nX-----X\n"
    )
}

#[test]
fn tables_and_nodes_agree_on_long_cooldowns() {
    let cooldown = sized(15, 63);
    assert_tables_and_nodes_agree("a long cooldown", &blind_ghosts(cooldown));
}

#[test]
fn the_longest_cooldown_is_supported() {
    let ghosts = ghosts(&mdp(&blind_ghosts(255))).unwrap();
    let waiting = &ghosts.model.blocks[0].waiting;
    let (tile, cooldown) = (4, 255);
    let state = waiting.find(PackedAdversary::moved(tile, cooldown));
    assert_eq!(state, Some(waiting.at(tile).end - 1));
}

#[test]
fn ghost_states_leave_room_for_the_other_targets() {
    // A ghost has 256 tiles, less the player's, with 256 cooldowns each.
    let row = format!("|{}|\n", ".".repeat(16));
    let first = format!("|PGGE{}|\n", ".".repeat(12));
    let bar = "-".repeat(18);
    let head = "; strategy: cooldown\n; radius: 0\n; cooldown: 255\n";
    let text = format!("{head}{bar}\n{first}{}{bar}\n", row.repeat(15));
    let states = GhostStates::new(&mdp(&text), 0, false, 255).unwrap();
    assert!(outcomes(states.len(), 256).is_none());
    assert!(outcomes(states.len(), 253).is_some());
}

/// The solver falls back to nodes if an estimate does not converge in the allowed number of rounds.
#[test]
fn abandoned_tables_fall_back_to_nodes() {
    let (_, text) = LEVELS[LEVELS.len() - 1];
    let mdp = mdp(text);
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let [hasty, with_default_max_rounds] =
        [1, MAX_ROUNDS].map(|max_rounds| tables(&mdp, max_rounds, &budget).unwrap());
    let with_default_max_rounds = with_default_max_rounds.expect("the estimate is verified");
    assert!(hasty.is_none());
    let nodes = getaway_chance::solve(&*mdp, &limits);
    assert!(nodes.bounds.lower > 0.0 && nodes.bounds.upper < 1.0);
    assert!(
        (nodes.bounds.lower - with_default_max_rounds.bounds.lower).abs() <= getaway_chance::WIDTH
    );
}

#[test]
fn abandoned_tables_release_their_memory() {
    let mdp = mdp(LEVELS[LEVELS.len() - 1].1);
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    budget.take(1).unwrap();
    let hasty = tables(&mdp, 1, &budget).unwrap();
    assert!(hasty.is_none());
    assert_eq!(budget.taken(), 1);
}

#[test]
fn threads_make_no_difference() {
    for (what, text) in LEVELS.iter().step_by(sized(4, 1)) {
        let mdp = mdp(text);
        let [alone, together] = [false, true].map(|in_parallel| {
            let valuation = solved(&mdp, in_parallel);
            let bits = [valuation.bounds.lower, valuation.bounds.upper].map(f64::to_bits);
            (bits, valuation.sure, valuation.possible)
        });
        assert_eq!(alone, together, "{what}");
    }
}

#[test]
fn states_are_numbered_there_and_back() {
    let ghosts = ghosts(&mdp(LEVELS[3].1)).unwrap();
    for at in 0..ghosts.len() {
        let node = ghosts.mdp().code.unpack(&[ghosts.node(at)]);
        // No node has two ghosts on the same tile, although the table has room for them.
        let [a, b] = node.adversaries[..] else {
            panic!()
        };
        if a.tile() != b.tile() {
            assert_eq!(ghosts.model.find(&node), Some(at));
        }
    }
}

#[test]
fn limits_are_kept() {
    let mdp = mdp(LEVELS[3].1);
    let late = Limits {
        deadline: Some(std::time::Instant::now()),
        ..Limits::default()
    };
    let tables = Tables::new(ghosts(&mdp).unwrap(), 1, MAX_ROUNDS);
    let valuation = tables.solve(&Budget::new(&late)).unwrap();
    assert_eq!(
        (
            valuation.limit,
            valuation.bounds.lower,
            valuation.bounds.upper
        ),
        (Some(Limit::Time), 0.0, 1.0)
    );
    // Nodes are added one by one, but a table is built completely or not at all.
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
}

/// The workspaces of threads are not part of the model.
#[test]
fn tables_take_the_same_memory_for_any_number_of_threads() {
    let mdp = mdp(LEVELS[3].1);
    let taken = [1, 16].map(|threads| {
        let limits = Limits {
            threads,
            ..Limits::default()
        };
        let budget = Budget::new(&limits);
        assert!(Table::new(&mdp, &budget).unwrap().is_some());
        budget.taken()
    });
    assert_eq!(taken[0], taken[1]);
}

#[test]
fn plans_use_the_memory_they_report() {
    for (what, text) in LEVELS {
        let model = ghosts(&mdp(text)).unwrap().model;
        for block in 0..model.blocks.len() {
            let mut plan = None;
            let taken = getaway_testing::measure(|| plan = ChoicePlan::new(&model, block));
            assert_eq!(plan.unwrap().bytes() as i64, taken.bytes_current, "{what}");
        }
    }
}

#[test]
fn limits_apply_while_a_level_is_prepared_and_in_each_sweep() {
    let stop = AtomicBool::new(false);
    let limits = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let budget = Budget::new(&limits);
    let mdp = mdp(LEVELS[3].1);
    let ghosts = Table::new(&mdp, &budget).unwrap().unwrap();
    let tables = Tables::new(ghosts, 1, MAX_ROUNDS);
    let mut values = vec![[0.0]; tables.len()];
    let mut iterate = || tables.iterate(&mut values, &budget, |old: [f64; 1], _| old);
    assert_eq!(iterate(), Ok(()));
    stop.store(true, Ordering::Relaxed);
    assert_eq!(iterate(), Err(Limit::Interrupt));
    let again = DungeonMdp::new(&mdp.dungeon, &budget);
    assert_eq!(again.err(), Some(MdpError::Limit(Limit::Interrupt)));
}

#[cfg(feature = "exhaustive")]
mod many_rooms {
    use proptest::prelude::*;

    use super::assert_tables_and_nodes_agree;

    /// Returns a level with the player's room, which ends with the exit, followed by this many one-tile rooms. `ghosts` lists the
    /// rooms that hold a ghost.
    fn cells(rooms: usize, ghosts: [usize; 2], settings: &str) -> String {
        const IN_A_ROW: usize = 20;
        let bar = "-".repeat(2 * IN_A_ROW + 1) + "\n";
        let mut text = format!("; drawing: compact\n{settings}{bar}|P..E|");
        text.extend(std::iter::repeat_n('-', bar.len() - 7));
        for first in (0..rooms).step_by(IN_A_ROW) {
            text.push('\n');
            text.push_str(&bar);
            for room in first..first + IN_A_ROW {
                let tile = match room {
                    _ if ghosts.contains(&room) => 'G',
                    _ if room < rooms => '.',
                    _ => '-',
                };
                text.extend(['|', tile]);
            }
            text.push('|');
        }
        text + "\n" + &bar
    }

    #[test]
    fn any_number_of_rooms_is_distinguished() {
        // The numbers of the rooms do not fit in a byte.
        for rooms in [255, 256, 280] {
            assert_tables_and_nodes_agree("many rooms", &cells(rooms, [0, 255], "; radius: 2\n"));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4))]

        #[test]
        fn tables_with_many_rooms_and_nodes_agree(
            rooms in 250..300_usize,
            (a, b) in (0..125_usize, 125..250_usize),
            radius in 1..4_u8,
        ) {
            let text = cells(rooms, [a, b], &format!("; radius: {radius}\n"));
            assert_tables_and_nodes_agree(&text, &text);
        }
    }
}
