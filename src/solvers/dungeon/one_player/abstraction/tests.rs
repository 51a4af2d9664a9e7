//! Bounds of coarser models against the probability by the nodes of the whole level.

use super::rounding::{Grid, Lower, Side, Upper};
use super::sweeps::Manner;
use super::update::Accuracy;
use super::*;
use crate::engine::mdp::solve;
use crate::limits::Limits;
use crate::puzzle::Puzzle;
use crate::puzzle::text::Boards;
use crate::rng::Rng;
use crate::rules::dungeon::Dungeon;
use crate::sized;

/// The model of a level; `None` if there is no way out whatever the adversaries do.
fn mdp(text: &str) -> Option<OnePlayerMdp> {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    let limits = Limits::default();
    OnePlayerMdp::new(&Dungeon::read(&puzzle).unwrap(), &Budget::new(&limits)).ok()
}

/// Rooms in a row, joined by doors and hallways, with everybody somewhere on the floor.
fn level(rng: &mut Rng) -> String {
    let crowd = rng.chance(0.1);
    let kinds: &[&str] = if crowd {
        &["GZZ", "GG", "GGZ"]
    } else {
        &["G", "Z", "GZ", "GZ", "ZZ"]
    };
    let others = rng.pick(kinds).expect("there are some");
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
    for glyph in format!("PE{key}{others}").bytes() {
        loop {
            let row = rng.between(1, height);
            let col = rng.below(cells[row].len());
            if cells[row][col] == b'.' {
                cells[row][col] = glyph;
                break;
            }
        }
    }
    let strategy = if rng.chance(0.5) { "chase" } else { "cooldown" };
    let mut text = format!(
        "; drawing: compact\n; strategy: {strategy}\n; radius: {}\n; cooldown: {}\n; speed: {}\n",
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

/// The value of the start when it rises no more, or has been swept often.
fn risen<B: Side>(model: &Abstraction, bits: u32) -> (f64, bool) {
    let limits = Limits::default();
    let budget = &Budget::new(&limits);
    let mut scratch = Abstraction::scratch(budget);
    let mut rising = model.zeros(budget).unwrap();
    let manner = Manner {
        accuracy: Accuracy {
            grid: Grid::of(bits),
            discount: 1.0,
        },
        detour: u32::MAX,
    };
    for _ in 0..100 {
        let progress = model.sweep::<B>(&mut rising, manner, (&mut scratch, budget));
        if !progress.unwrap().has_risen {
            return (model.worth(&rising.values), true);
        }
    }
    (model.worth(&rising.values), false)
}

/// What is known of all models of a level: whether some zombie was ever out of sight, and how many bounds there were.
fn check(text: &str) -> usize {
    let Some(mdp) = mdp(text) else { return 0 };
    let limits = Limits::default();
    let budget = &Budget::new(&limits);
    let truth = solve(&mdp, &limits);
    assert!(truth.upper - truth.lower <= 1e-6, "{text}");
    let most = mdp.most_cooldown();
    let mut checked = 0;
    for (steps, cooldown) in [
        (0, 0),
        (0, most.min(1)),
        (0, most),
        (2, most),
        (u32::MAX, most),
    ] {
        let detail = Detail { steps, cooldown };
        let Some(model) = Abstraction::new(&mdp, detail, budget).unwrap() else {
            continue;
        };
        let (lower, _) = risen::<Lower>(&model, 24);
        assert!(
            (0.0..=truth.upper).contains(&lower),
            "{lower} is no lower bound of {} to {}: {detail:?}\n{text}",
            truth.lower,
            truth.upper
        );
        for bits in [10, 18] {
            let (upper, is_bound) = risen::<Upper>(&model, bits);
            assert!(
                !is_bound || (truth.lower..=1.0).contains(&upper),
                "{upper} is no upper bound of {} to {}: {detail:?}\n{text}",
                truth.lower,
                truth.upper
            );
            checked += usize::from(is_bound);
            // A model that keeps all is exact but for rounding.
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

/// Without the zombie, who stands in the ghost's way, the player would be caught more often than not: so what is not
/// tracked is not left out.
#[test]
fn an_adversary_out_of_sight_may_still_be_of_help() {
    let text = "; strategy: cooldown\n---XX---\n|P|XX|Z|\n|.D.ED.|\n|.|XX|G|\n---XX---\n";
    assert!(check(text) > 0);
}

/// Wherever both zombies are next to the ghost, both are in its way.
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
        let truth = solve(&mdp, &limits);
        let mut last = Known {
            lower: 0.0,
            upper: 1.0,
        };
        let mut watch = |_: &Abstraction, _: &[f32]| {};
        for most in [0, 1_000, 50_000, 200_000] {
            let mut refinement = Refinement::new(&mdp, last, 1e-3, &mut watch);
            refinement.run(most, budget).unwrap();
            let Known { lower, upper } = refinement.known;
            assert!(last.lower <= lower && upper <= last.upper, "{text}");
            assert!(
                lower <= truth.upper && truth.lower <= upper,
                "{lower} to {upper}\n{text}"
            );
            last = refinement.known;
        }
        assert_eq!(budget.taken(), 0);
    }
}

/// A level with so many rooms in all: the player's, with the way out at its end, and others of a single tile each, the
/// ghost in the first of them.
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
fn bounds_hold_up_to_the_most_rooms_and_the_longest_cooldown() {
    let seeds = if cfg!(feature = "exhaustive") {
        0..4
    } else {
        3..4
    };
    for seed in seeds {
        let rng = &mut Rng::new(seed);
        let radius = rng.below(4);
        // Of more than so many rooms no mean is taken: then there is no model.
        let rooms = MOST_EQUAL - 2 + (seed % 4) as usize;
        let text = cells(rooms, &format!("; radius: {radius}\n"));
        assert_eq!(check(&text) == 0, rooms > MOST_EQUAL, "{rooms} rooms");
        let cooldown = 255 - rng.below(3);
        let settings =
            format!("; strategy: cooldown\n; radius: {radius}\n; cooldown: {cooldown}\n");
        assert!(
            check(&cells(rng.between(2, 4), &settings)) > 0,
            "{settings}"
        );
    }
}
