use super::*;
use crate::engine::packed::Packed;
use crate::engine::survival::{Survival, survival};
use crate::engine::visited::ExactSet;
use crate::puzzle::{Puzzle, text::Boards};
use crate::rng::Rng;

/// A 4x5 room with ghosts inside and outside.
fn closed(seed: u64) -> Jimmy {
    let mut luck = Rng::new(seed);
    let mut rows = vec![vec![b'.'; 9]; 8];
    for (row, cells) in rows.iter_mut().enumerate() {
        for (col, cell) in cells.iter_mut().enumerate() {
            let is_inside = (2..6).contains(&row) && (2..7).contains(&col);
            *cell = match luck.uniform() {
                lot if lot < 0.06 => b'g',
                lot if lot < 0.2 || !is_inside => b'#',
                _ => b'.',
            };
        }
    }
    rows[3][4] = b'o';
    let mut text = rows.join(&b'\n');
    text.push(b'\n');
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(&text, 1).read(&mut puzzle).unwrap());
    Jimmy::read(&puzzle).unwrap()
}

fn walked(jimmy: &Jimmy) -> Survival<Dir> {
    let limits = Limits::default();
    let walks = Walks::new(jimmy, ToMove::Ghosts, &limits).unwrap();
    survival(&walks, Packed::default(), &limits).0
}

#[test]
fn the_longest_walk_is_the_one_that_the_rules_have() {
    let mut longest = 0;
    let mut lost = 0;
    for seed in 0..150 {
        let jimmy = closed(seed);
        let solution = crate::game::Game::solve(
            &jimmy,
            crate::engine::search::Order::default(),
            &Limits::default(),
        );
        if solution.verdict() != crate::solution::Verdict::Caught {
            continue;
        }
        lost += 1;
        let (plain, _) = survival(&jimmy, ExactSet::default(), &Limits::default());
        assert_eq!(walked(&jimmy), plain, "seed {seed}");
        let Survival::Mortal { line } = plain else {
            panic!("{plain:?}")
        };
        longest = longest.max(line.len());
    }
    assert!(lost > 50 && longest > 12, "{lost} lost, {longest} moves");
}
