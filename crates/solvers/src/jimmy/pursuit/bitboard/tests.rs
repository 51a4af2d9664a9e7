use super::super::{Pursuit, PursuitPosition, ToMove};
use super::*;
use getaway_board::bits::Bits;
use getaway_board::grid::Grid;
use getaway_board::rng::Rng;
use getaway_ruleset::{Playable, Ruleset};
use getaway_search::search::{Order, Search};
use getaway_search::visited::Antichain;

/// Returns a random board. If the seed is odd, most border cells are solid.
fn board(seed: u64) -> Jimmy {
    let mut luck = Rng::new(seed);
    let mut below = |end: usize| (luck.uniform() * end as f64) as usize;
    let (rows, cols) = (3 + below(9), 3 + below(8));
    let (ghosts, solids, ring) = (below(20), below(40), 80 * (seed % 2) as usize);
    let grid = Grid::new(rows, cols).unwrap();
    let start = grid.cell(1 + below(rows - 2) as u32, 1 + below(cols - 2) as u32);
    let (mut ghost, mut solid) = (Bits::new(grid), Bits::new(grid));
    for cell in grid.cells().filter(|&cell| Some(cell) != start) {
        let solids = if grid.is_border(cell) {
            solids.max(ring)
        } else {
            solids
        };
        match below(100) {
            lot if lot < ghosts => ghost.insert(cell),
            lot if lot < ghosts + solids => solid.insert(cell),
            _ => continue,
        };
    }
    Jimmy {
        solid,
        ..Jimmy::without_solids(grid, start.unwrap(), ghost)
    }
}

fn with_tables(jimmy: &Jimmy) -> (Finding<Dir>, u64) {
    let limits = Limits::default();
    let Some(pursuit) = Pursuit::new(jimmy, ToMove::Ghosts, &limits).unwrap() else {
        return (Finding::Caught, 0);
    };
    let mut search: Search<_, Antichain<PursuitPosition>> = Search::default();
    let found = search.run(&pursuit, Order::DepthFirst, &limits);
    (found, search.states())
}

#[test]
fn a_bitboard_search_finds_what_one_with_tables_does_in_as_many_states() {
    let boards = getaway_testing::sized(1_000, 20_000);
    let mut bitboard = BitboardSearch::default();
    let (mut escapes, mut caught, mut longest, mut turned_back) = (0, 0, 0, 0);
    for seed in 0..boards {
        let jimmy = board(seed);
        let Some((finding, states)) = bitboard.run(&jimmy, &Limits::default()) else {
            assert!(with_tables(&jimmy).1 > MAX_STATES as u64);
            continue;
        };
        match &finding {
            Finding::Escape(line) => {
                escapes += 1;
                longest = longest.max(line.len());
                turned_back += u64::from(states > line.len() as u64);
            }
            _ => caught += u64::from(states > 1),
        }
        let drawn = jimmy.picture(&Ruleset::start(&jimmy)).join("\n");
        assert_eq!((finding, states), with_tables(&jimmy), "{drawn}");
    }
    let told = (escapes, caught, longest, turned_back);
    assert!(3 * escapes > boards && 20 * caught > boards, "{told:?}");
    assert!(longest > 9 && 50 * turned_back > boards, "{told:?}");
}

#[test]
fn the_bitboard_search_declines_boards_with_tight_limits_or_wide_rows() {
    let mut bitboard = BitboardSearch::default();
    let jimmy = board(0);
    let few = Limits {
        max_states: Some(MAX_STATES as u64),
        ..Limits::default()
    };
    assert_eq!(bitboard.run(&jimmy, &few), None);
    let stop = std::sync::atomic::AtomicBool::new(true);
    let stopped = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    assert_eq!(bitboard.run(&jimmy, &stopped), None);
    let grid = Grid::new(12, 12).unwrap();
    let start = grid.cell(5, 5).unwrap();
    let large = Jimmy::without_solids(grid, start, Bits::new(grid));
    assert_eq!(bitboard.run(&large, &Limits::default()), None);
}
