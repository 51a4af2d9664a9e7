use std::cell::Cell as Counter;

use super::*;

#[test]
fn a_level_takes_the_memory_it_counts() {
    let grid = Grid::new(300, 300).unwrap();
    let tiles = vec![Tile::Floor; grid.size()];
    let mut level = None;
    let made = getaway_testing::measure(|| {
        level = Level::new(grid, tiles.clone(), &|_| Ok::<(), ()>(())).ok();
    });
    let within = |taken: u64, told: u64| taken <= told && told <= taken + taken / 2;
    let kept = made.bytes_current as u64;
    assert!(within(kept, Level::bytes(grid)), "{kept}");
    assert!(
        within(made.bytes_max, Level::bytes_to_make(grid)),
        "{}",
        made.bytes_max
    );
}

#[test]
fn a_level_is_made_only_within_the_allowed_work() {
    let grid = Grid::new(12, 12).unwrap();
    let tile = |cell| {
        if grid.is_border(cell) {
            Tile::Horizontal
        } else {
            Tile::Floor
        }
    };
    let tiles: Vec<Tile> = grid.cells().map(tile).collect();
    let work = Counter::new(0);
    let count = |amount| {
        work.set(work.get() + amount);
        Ok::<(), u64>(())
    };
    let level = Level::new(grid, tiles.clone(), &count).unwrap();
    assert_eq!(
        level.rooms().iter().map(Vec::len).collect::<Vec<_>>(),
        [100]
    );
    assert!(level.rooms()[0].is_sorted());
    let all = work.get();
    assert!(all >= WORK * (144 + 2 * 100), "{all}");
    for max in (0..all).step_by(97) {
        work.set(0);
        let allow = |amount| {
            work.set(work.get() + amount);
            if work.get() > max { Err(max) } else { Ok(()) }
        };
        let made = Level::new(grid, tiles.clone(), &allow);
        assert_eq!(made.err(), Some(max));
    }
}
