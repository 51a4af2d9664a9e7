use super::*;
use getaway_testing::Measured;

fn map(rows: &[&[i64]]) -> Map {
    let grid = Grid::new(rows.len(), rows[0].len()).unwrap();
    let tiles = rows
        .iter()
        .copied()
        .flatten()
        .copied()
        .map(|n| Tile::new(n).unwrap());
    Map::new(grid, tiles.collect()).unwrap()
}

/// Searches from the first cell; returns the number of cells on the path, and of those taken out of OPEN.
fn searched(map: &Map, limits: &Limits) -> Result<(Option<usize>, u64), NextMoveError> {
    let head = map.grid().nth(0).unwrap();
    let found = search(map, head, &Distances::of(map), limits, |_, _| {})?;
    Ok((found.path.map(|path| path.len()), found.states))
}

#[test]
fn a_search_takes_the_memory_it_counts() {
    let map = map(&[&[0; 300][..]; 300]);
    let near = Distances::of(&map);
    let mut search = None;
    Measured::default().assert_takes(bytes(map.grid()), 0.001, || {
        search = Some(AStar::new(&map, &near));
    });
    let mut search = search.unwrap();
    let mut measured = Measured::after(|| search.put(map.grid().nth(45_150).unwrap()));
    for _ in 0..10_000 {
        let at = search.take().unwrap();
        measured.assert_takes(search.queue_bytes(), 0.67, || search.visit(at));
    }
}

#[test]
fn distances_ignore_walls() {
    let near = Distances::of(&map(&[&[0, 0, 0, -1], &[2, 3, 3, 3], &[-1, 0, 0, 0]]));
    assert_eq!(*near.0, [2, 2, 1, 0, 1, 2, 2, 1, 0, 1, 2, 2]);
}

#[test]
fn without_food_the_distance_is_0_everywhere() {
    assert_eq!(*Distances::of(&map(&[&[0, 0, 2], &[0, 3, 0]])).0, [0; 6]);
}

#[test]
fn distances_are_those_of_the_nearest_food_on_any_map() {
    let grid = Grid::new(7, 5).unwrap();
    for foods in (1_u64..1 << 35).step_by((1 << 35) / 997) {
        let has = |cell: Cell| foods >> cell.index() & 1 == 1;
        let tile = |cell| if has(cell) { Tile::FOOD } else { Tile::BLANK };
        let near = Distances::of(&Map::new(grid, grid.cells().map(tile).collect()).unwrap());
        for cell in grid.cells() {
            let each = grid.cells().filter(|&food| has(food));
            let nearest = each.map(|food| grid.distance(cell, food)).min();
            assert_eq!(Some(near.at(cell)), nearest, "{foods:b}");
        }
    }
}

/// All cells have rank 2. The cell on the right puts the food into OPEN. But the cell below comes before the food in row-major
/// order, so it is taken out first and overwrites the food's `prev`.
#[test]
fn a_waiting_cell_is_overwritten() {
    let map = map(&[&[2, 0], &[0, -1]]);
    let head = map.grid().cell(0, 0).unwrap();
    let near = Distances::of(&map);
    let found = search(&map, head, &near, &Limits::default(), |_, _| {}).unwrap();
    let path = found.path.unwrap().into_iter();
    let path: Vec<_> = path.map(|cell| map.grid().position(cell)).collect();
    assert_eq!(path, [(0, 0), (1, 0), (1, 1)]);
    assert_eq!(found.states, 4);
}

#[test]
fn a_limit_leaves_it_undecided() {
    let map = map(&[&[2, 0, 0, -1]]);
    let with = |most| {
        let limits = Limits {
            max_states: Some(most),
            ..Limits::default()
        };
        searched(&map, &limits)
    };
    let limit = Limit::States;
    assert_eq!(with(3), Err(NextMoveError { limit, states: 3 }));
    assert_eq!(with(4), Ok((Some(4), 4)));
}

#[test]
fn memory_is_asked_for_before_it_is_taken() {
    let map = map(&[&[2, 0, 0, -1][..]; 100]);
    let with = |most| {
        let limits = Limits {
            max_memory: Some(most),
            ..Limits::default()
        };
        (searched(&map, &limits), Distances::within(&map, &limits))
    };
    let limit = Limit::Memory;
    assert_eq!(
        with(1000),
        (Err(NextMoveError { limit, states: 0 }), Err(limit))
    );
    assert!(matches!(with(10_000), (Ok((Some(4), 4)), Ok(_))));
}

#[test]
fn a_search_that_ends_at_the_limit_is_decided() {
    let map = map(&[&[2, 0, 0, 3, -1]]);
    let limits = Limits {
        max_states: Some(3),
        ..Limits::default()
    };
    assert_eq!(searched(&map, &limits), Ok((None, 3)));
}
