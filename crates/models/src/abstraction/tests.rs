//! Bounds from coarser models, compared with the probability computed from all nodes.

use super::rounding::{Accuracy, Lower};
use super::sweeps::SweepOptions;
use super::*;
use getaway_board::limits::{Bounds, Limits};
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_board::rng::Rng;
use getaway_chance::solve;
use getaway_rules::dungeon::Dungeon;
use getaway_ruleset::Notation;
use getaway_testing::sized;

/// Reads a level; `None` if there is no way out whatever the adversaries do.
pub fn mdp(text: &str) -> Option<Arc<DungeonMdp>> {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    let limits = Limits::default();
    let mdp = DungeonMdp::new(&Dungeon::read(&puzzle).unwrap(), &Budget::new(&limits));
    mdp.ok().map(Arc::new)
}

/// Returns a random level with one player.
pub fn level(rng: &mut Rng) -> String {
    let crowd = rng.chance(0.1);
    let kinds: &[&str] = if crowd {
        &["GZZ", "GG", "GGZ"]
    } else {
        &["G", "Z", "GZ", "GZ", "ZZ"]
    };
    let others = rng.pick(kinds).expect("there are some");
    level_of(rng, "P", others)
}

/// Returns rooms in a row, connected by doors and hallways, with actors anywhere on the floor and, rarely, in walls and doorways.
pub fn level_of(rng: &mut Rng, players: &str, others: &str) -> String {
    let height = if others.len() > 1 {
        2
    } else {
        rng.between(2, 3)
    };
    let mut rows = vec![String::new(); height + 2];
    let rooms = if others.len() > 1 { 2 } else { 3 };
    for room in 0..rooms {
        let width = rng.between(2, 3);
        let doors = [room > 0, room + 1 < rooms];
        let at = rng.between(1, height);
        for (nth, row) in rows.iter_mut().enumerate() {
            let wall = |is_door: bool| if is_door && nth == 1 { 'D' } else { '|' };
            if nth == 0 || nth == height + 1 {
                row.push_str(&"-".repeat(width + 2));
            } else {
                row.push(wall(doors[0]));
                row.push_str(&".".repeat(width));
                row.push(wall(doors[1]));
            }
            let gap = if room + 1 < rooms { at - 1 } else { 0 };
            let filling = if nth == 1 { "." } else { "X" };
            row.push_str(&filling.repeat(gap));
        }
    }
    let mut cells: Vec<Vec<u8>> = rows.into_iter().map(String::into_bytes).collect();
    let key = if rng.chance(0.4) { "K" } else { "" };
    let mut things = Vec::new();
    for glyph in format!("{players}E{key}{others}").chars() {
        let is_in_wall = "PGZ".contains(glyph) && rng.chance(0.05);
        loop {
            let row = rng.below(height + 2);
            let col = rng.below(cells[row].len());
            let is_free = !things.iter().any(|&(_, at)| at == (row, col));
            match cells[row][col] {
                b'-' | b'|' | b'D' | b'X' if is_in_wall && is_free => {
                    things.push((glyph, (row, col)));
                    break;
                }
                b'.' if !is_in_wall => {
                    cells[row][col] = glyph as u8;
                    break;
                }
                _ => {}
            }
        }
    }
    let things = things
        .iter()
        .map(|(glyph, (row, col))| format!(r#"{{"glyph": "{glyph}", "at": [{row}, {col}]}}"#));
    let things = things.collect::<Vec<_>>().join(", ");
    let strategy = if rng.chance(0.5) { "chase" } else { "cooldown" };
    let mut text = format!(
        "; drawing: compact\n; things: [{things}]\n; strategy: {strategy}\n; radius: {}\n; cooldown: {}\n; speed: {}\n",
        rng.below(5),
        rng.below(4),
        if rng.chance(0.2) { 2 } else { 1 }
    );
    for row in cells {
        text += std::str::from_utf8(&row).expect("it is ASCII");
        text.push('\n');
    }
    text
}

fn risen<const UP: bool>(model: &Abstraction, bits: u32) -> (f64, bool) {
    let limits = Limits::default();
    let budget = &Budget::new(&limits);
    let mut rising = model.zeros::<Bound<UP>>(budget).unwrap();
    let options = SweepOptions {
        accuracy: Accuracy {
            bits,
            discount: None,
        },
        detour: u32::MAX,
    };
    for _ in 0..100 {
        let progress = model.sweep(&mut rising, options, budget);
        if !progress.unwrap().has_changed {
            return (model.start_value(&rising.values), true);
        }
    }
    (model.start_value(&rising.values), false)
}

/// Compares bounds with the exact probability; returns the number of upper bounds checked.
fn check(text: &str) -> usize {
    let Some(mdp) = mdp(text) else { return 0 };
    let limits = Limits::default();
    let budget = &Budget::new(&limits);
    let truth = solve(&*mdp, &limits);
    assert!(truth.bounds.upper - truth.bounds.lower <= 1e-6, "{text}");
    let max = mdp.max_cooldown();
    let mut checked = 0;
    for (steps, cooldown) in [(0, 0), (0, max.min(1)), (0, max), (2, max), (u32::MAX, max)] {
        let detail = Detail { steps, cooldown };
        let Some(model) = Abstraction::new(&mdp, detail, budget).unwrap() else {
            continue;
        };
        let (lower, _) = risen::<false>(&model, 24);
        assert!(
            (0.0..=truth.bounds.upper).contains(&lower),
            "{lower} is no lower bound of {} to {}: {detail:?}\n{text}",
            truth.bounds.lower,
            truth.bounds.upper
        );
        for bits in [10, 18] {
            let (upper, is_bound) = risen::<true>(&model, bits);
            assert!(
                !is_bound || (truth.bounds.lower..=1.0).contains(&upper),
                "{upper} is no upper bound of {} to {}: {detail:?}\n{text}",
                truth.bounds.lower,
                truth.bounds.upper
            );
            checked += usize::from(is_bound);
            // A model with full detail is exact except for rounding.
            if steps == u32::MAX && is_bound && bits == 18 {
                assert!(upper - lower < 5e-3, "{lower} to {upper}\n{text}");
            }
        }
    }
    checked
}

#[test]
fn bounds_hold_on_levels_of_all_kinds() {
    let levels = sized(4, 150);
    let mut checked = 0;
    for seed in 0..levels {
        checked += check(&level(&mut Rng::new(seed)));
    }
    assert!(
        checked > 4 * levels as usize,
        "{checked} upper bounds of {levels} levels"
    );
}

/// Without the zombie in the ghost's way, the player would usually be caught. So untracked zombies must still count.
#[test]
fn an_adversary_out_of_sight_may_still_be_of_help() {
    let text = "; strategy: cooldown\n---XX---\n|P|XX|Z|\n|.D.ED.|\n|.|XX|G|\n---XX---\n";
    assert!(check(text) > 0);
}

/// Wherever both zombies are next to the ghost, both block it.
#[cfg(feature = "exhaustive")]
#[test]
fn two_zombies_are_in_the_way_of_one_ghost() {
    let text = "; drawing: compact\n; strategy: cooldown\n; radius: 3\n; cooldown: 3\n; speed: 1\n\
                ----------\n|P..DDZG.|\n|..E||.Z.|\n----------\n";
    assert!(check(text) > 0);
}

#[test]
fn bounds_get_closer_and_always_hold_the_probability() {
    for seed in 0..5 {
        let text = level(&mut Rng::new(1_000 + seed));
        let Some(mdp) = mdp(&text) else { continue };
        let limits = Limits::default();
        let budget = &Budget::new(&limits);
        let truth = solve(&*mdp, &limits);
        let mut last = Bounds::UNKNOWN;
        let mut watch = |_: &Abstraction, _: &[Lower]| {};
        for max in [0, 1_000, 50_000, 200_000] {
            let mut refinement = Refinement::new(&mdp, last, 1e-3, &mut watch);
            refinement.run(max, budget).unwrap();
            let Bounds { lower, upper } = refinement.known;
            assert!(last.lower <= lower && upper <= last.upper, "{text}");
            assert!(
                lower <= truth.bounds.upper && truth.bounds.lower <= upper,
                "{lower} to {upper}\n{text}"
            );
            last = refinement.known;
        }
        assert_eq!(budget.taken(), 0);
    }
}

/// Two zombies walk in front of the key. A model in which nature places both anew finds no escape, and it is not much smaller
/// than one that tracks them.
const HARDLY_COARSER: &str = "; drawing: compact\n; radius: 1\n; speed: 1\n\
                              --------------\n\
                              |P......D....|\n\
                              |E......|....|\n\
                              |.......|.Z..|\n\
                              |.......|.ZK.|\n\
                              --------------\n";

fn refined(mdp: &Arc<DungeonMdp>, (width, effort): (f64, u64), limits: &Limits) -> (Bounds, u64) {
    let start = Bounds::UNKNOWN;
    let mut watch = |_: &Abstraction, _: &[Lower]| {};
    let mut refinement = Refinement::new(mdp, start, width, &mut watch);
    let ended = refinement.run(effort, &Budget::new(limits));
    assert!(ended.is_ok(), "{ended:?}");
    (refinement.known, refinement.states)
}

fn sizes(mdp: &DungeonMdp) -> [u64; 2] {
    let limits = Limits::default();
    [3, u32::MAX].map(|steps| {
        let cooldown = mdp.max_cooldown();
        let size = Abstraction::size(mdp, Detail { steps, cooldown }, &Budget::new(&limits));
        size.unwrap().expect("there is a model") as u64
    })
}

#[test]
fn the_first_upper_bound_does_not_wait_for_values_that_nearly_stand_still() {
    let text = "----XX-----XX----\n|.P|XX|.K.|XX|GE|\n|..D..D...D..D.G|\n----XX|.Z.|XX----\nXXXXXX-----XXXXXX\n";
    let (bounds, states) = refined(&mdp(text).unwrap(), (1e-6, 4_100_000), &Limits::default());
    assert_eq!(states, 119_232);
    assert!(
        bounds.contains(0.003_135_3) && bounds.upper < 0.01,
        "{bounds:?}"
    );
}

#[test]
fn the_finest_model_comes_first_if_others_are_hardly_coarser() {
    let mdp = mdp(HARDLY_COARSER).unwrap();
    let limits = Limits::default();
    let [coarsest, finest] = sizes(&mdp);
    assert!(
        coarsest < finest && finest < 3 * coarsest,
        "{coarsest} {finest}"
    );
    let truth = solve(&*mdp, &limits);
    let (known, values) = refined(&mdp, (1e-3, 16 * finest), &limits);
    assert_eq!(values, finest);
    assert!(
        truth.bounds.lower / 2.0 < known.lower && known.lower <= truth.bounds.upper,
        "{known:?} of {}",
        truth.bounds.lower
    );
}

#[test]
fn without_room_for_the_finest_model_a_coarser_one_comes_first() {
    let mdp = mdp(HARDLY_COARSER).unwrap();
    let [coarsest, finest] = sizes(&mdp);
    let values = |max_memory| {
        let max_memory = Some(max_memory);
        let limits = Limits {
            max_memory,
            ..Limits::default()
        };
        refined(&mdp, (1e-3, 1), &limits).1
    };
    let memory = 2 << 20;
    let shares = (1..=16).step_by(sized(3, 1));
    let values: Vec<u64> = shares.map(|share| values(share * memory / 16)).collect();
    assert!(values.is_sorted(), "{values:?}");
    for some in [0, coarsest, finest] {
        assert!(values.contains(&some), "{some}: {values:?}");
    }
}

/// Returns a level with this many rooms: the player's room, which ends with the exit, and one-tile rooms, the first of which
/// holds the ghost.
fn cells(rooms: usize, settings: &str) -> String {
    const IN_A_ROW: usize = 32;
    let bar = "-".repeat(2 * IN_A_ROW + 1) + "\n";
    let mut text = format!("; drawing: compact\n{settings}{bar}|P..E|");
    text.extend(std::iter::repeat_n('-', bar.len() - 7));
    for first in (1..rooms).step_by(IN_A_ROW) {
        text.push('\n');
        text.push_str(&bar);
        for room in first..first + IN_A_ROW {
            let tile = match room {
                1 => 'G',
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
fn bounds_hold_with_many_rooms_and_the_longest_cooldown() {
    let seeds = getaway_testing::sized(3, 0)..4;
    for seed in seeds {
        let rng = &mut Rng::new(seed);
        let radius = rng.below(4);
        let rooms = 1025 - seed as usize;
        let text = cells(rooms, &format!("; radius: {radius}\n"));
        assert!(check(&text) > 0, "{rooms} rooms");
        let cooldown = 255 - rng.below(3);
        let settings =
            format!("; strategy: cooldown\n; radius: {radius}\n; cooldown: {cooldown}\n");
        assert!(
            check(&cells(rng.between(2, 4), &settings)) > 0,
            "{settings}"
        );
    }
}

#[test]
fn models_are_swept_by_as_many_threads_as_allowed() {
    let mdp = mdp(HARDLY_COARSER).unwrap();
    let limits = Limits {
        threads: 2,
        ..Limits::default()
    };
    let start = Bounds::UNKNOWN;
    let mut threads = 0;
    let mut watch = |_: &Abstraction, _: &[Lower]| threads = rayon::current_num_threads();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(5);
    let ended = pool.build().unwrap().install(|| {
        let mut refinement = Refinement::new(&mdp, start, 1e-3, &mut watch);
        refinement.run(1, &Budget::new(&limits))
    });
    assert_eq!((ended, threads), (Ok(Conclusion::Spent), 2));
}

/// Returns a one-row room with a zombie. The exit is next to the last tile, and beyond that tile, a door leads to the player.
fn long_room(tiles: usize) -> String {
    let (bar, floor) = ("-".repeat(tiles + 2), ".".repeat(tiles - 4));
    format!("; drawing: compact\n; strategy: cooldown\n{bar}XXX\n|{floor}Z.E.DP.X\n{bar}XXX\n")
}

/// Returns the value of a win in [`long_room`] with this discount per turn, computed from the rules for a single row. The player
/// may be in the two hallway cells, in the door, or on the last tile.
fn long_room_by_hand(tiles: usize, discount: f64) -> f64 {
    let (exit, last) = (tiles - 2, tiles - 1);
    // A zombie on the last tile blocks only that tile.
    let choose = |values_by_place: &[Vec<f64>; 4], place: usize, zombie: usize| {
        let mut best = values_by_place[place][zombie];
        if place == 3 && zombie != exit {
            return 1.0;
        }
        for next in [place.wrapping_sub(1), place + 1] {
            if next < 3 || next == 3 && zombie != last {
                best = best.max(values_by_place[next][zombie]);
            }
        }
        best
    };
    let mut values_by_place: [Vec<f64>; 4] = std::array::from_fn(|_| vec![0.0; tiles]);
    loop {
        let mut largest = 0.0_f64;
        let before = values_by_place.clone();
        for place in 0..4 {
            for zombie in 0..tiles {
                let ways = [zombie.checked_sub(1), (zombie < last).then_some(zombie + 1)];
                let ways: Vec<usize> = match place {
                    // Here the zombie sees the player.
                    3 if zombie < last => vec![zombie + 1],
                    _ => ways.into_iter().flatten().collect(),
                };
                let after = |&to: &usize| match place {
                    3 if to == last => 0.0,
                    _ => choose(&before, place, to),
                };
                let sum: f64 = ways.iter().map(after).sum();
                let value = if place == 3 && zombie == last {
                    0.0
                } else {
                    discount * sum / ways.len() as f64
                };
                largest = largest.max(value - before[place][zombie]);
                values_by_place[place][zombie] = value;
            }
        }
        if largest < 1e-12 {
            return choose(&values_by_place, 1, tiles - 4);
        }
    }
}

#[test]
fn zombies_walk_in_rooms_up_to_the_largest_as_by_hand() {
    for tiles in [MAX_TILES - 1, MAX_TILES, MAX_TILES + 1] {
        let mdp = mdp(&long_room(tiles)).expect("there is a way out");
        let limits = Limits::default();
        let budget = &Budget::new(&limits);
        let detail = Detail {
            steps: u32::MAX,
            cooldown: 0,
        };
        let model = Abstraction::new(&mdp, detail, budget).unwrap();
        assert_eq!(model.is_some(), tiles <= MAX_TILES, "{tiles}");
        let Some(model) = model else { continue };
        let mut rising = model.zeros::<Lower>(budget).unwrap();
        let options = SweepOptions {
            accuracy: Accuracy {
                bits: Lower::BITS,
                discount: Some(2),
            },
            detour: u32::MAX,
        };
        while model
            .sweep(&mut rising, options, budget)
            .unwrap()
            .has_changed
        {}
        let value = model.start_value(&rising.values);
        let by_hand = long_room_by_hand(tiles, 0.75);
        assert!(0.1 < by_hand && by_hand < 0.9, "{by_hand}");
        assert!((value - by_hand).abs() < 1e-7, "{value} {by_hand}");
    }
}

/// Escape is certain for any room size: chance decides only how long it takes.
#[test]
fn a_zombie_in_a_room_beyond_the_models_is_followed_node_by_node() {
    let mdp = mdp(&long_room(MAX_TILES + 1)).expect("there is a way out");
    let valuation = solve(&*mdp, &Limits::default());
    assert_eq!(
        [valuation.bounds.lower, valuation.bounds.upper].map(f64::to_bits),
        [1.0_f64.to_bits(); 2]
    );
    assert!(!valuation.sure);
}

/// Each block of a round takes as much memory as the largest update, within the announced bytes.
#[test]
fn temporary_memory_of_updates_is_counted_for_each_block_of_a_round() {
    let text = "; drawing: compact\n----------\n|P..DDZG.|\n|..E||.Z.|\n----------\n";
    let mdp = mdp(text).expect("there is a way out");
    let detail = Detail {
        steps: u32::MAX,
        cooldown: 0,
    };
    let taken = |threads| {
        let limits = Limits {
            threads,
            ..Limits::default()
        };
        let budget = &Budget::new(&limits);
        let mut model = Abstraction::new(&mdp, detail, budget).unwrap().unwrap();
        let before = budget.taken();
        model.take_scratch(budget).unwrap();
        let taken = budget.taken() - before;
        let mut rising = model.zeros::<Lower>(budget).unwrap();
        let options = SweepOptions {
            accuracy: Accuracy {
                bits: 20,
                discount: None,
            },
            detour: u32::MAX,
        };
        let used = getaway_testing::measure(|| {
            model.sweep(&mut rising, options, budget).unwrap();
        });
        (taken, used.bytes_max, model.sweeper.round_size(threads))
    };
    let ((one, used, _), (two, _, at_a_time)) = (taken(1), taken(2));
    assert!(at_a_time >= 2);
    assert_eq!(two, at_a_time as u64 * one);
    // The sweep keeps a few lists of its own, with one item for each block.
    assert!(0 < used && used <= one + 1024, "{used} of {one}");
}
