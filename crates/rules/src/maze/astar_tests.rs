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
    let found = search(
        map,
        head,
        &Distances::of(map),
        OverwriteRule::Assignment,
        limits,
        |_| {},
    )?;
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
        measured.assert_takes(search.queue_bytes(), 0.67, || {
            search.visit(at, OverwriteRule::Assignment, &mut |_| {});
        });
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

/// Returns the rows and columns on the path from the first cell.
fn path(map: &Map, rule: OverwriteRule) -> Option<Vec<(u32, u32)>> {
    let head = map.grid().nth(0).unwrap();
    let near = Distances::of(map);
    let found = search(map, head, &near, rule, &Limits::default(), |_| {}).unwrap();
    let path = found.path?.into_iter();
    Some(path.map(|cell| map.grid().position(cell)).collect())
}

/// All cells have rank 2. The cell on the right puts the food into OPEN. But the cell below comes before the food in row-major
/// order, so it is taken out first and overwrites the food's `prev`.
#[test]
fn a_waiting_cell_is_overwritten() {
    let map = map(&[&[2, 0], &[0, -1]]);
    let assignment = path(&map, OverwriteRule::Assignment).unwrap();
    assert_eq!(assignment, [(0, 0), (1, 0), (1, 1)]);
    let textbook = path(&map, OverwriteRule::Textbook).unwrap();
    assert_eq!(textbook, [(0, 0), (0, 1), (1, 1)]);
}

/// The bits of a number are the walls of a board of 4 x 5 cells, with food in the last one.
#[test]
fn a_textbook_path_is_shortest() {
    for walls in (0_u32..1 << 20).step_by(997) {
        let tile = |at: u32| match at {
            0 => 2,
            19 => -1,
            _ => 3 * i64::from(walls >> at & 1),
        };
        let numbers: Vec<_> = (0..20).map(tile).collect();
        let map = map(&numbers.chunks(5).collect::<Vec<_>>());
        let textbook = path(&map, OverwriteRule::Textbook).map(|path| path.len());
        assert_eq!(textbook, shortest(&map), "{walls:b}");
        assert_eq!(
            textbook.is_some(),
            path(&map, OverwriteRule::Assignment).is_some()
        );
    }
}

/// Returns the number of cells on a shortest path from the first cell to the last one.
fn shortest(map: &Map) -> Option<usize> {
    let cells: Vec<_> = map.grid().cells().collect();
    let mut lengths = vec![None; cells.len()];
    lengths[0] = Some(1);
    // A path visits each cell at most once.
    for _ in &cells {
        for &from in &cells {
            for (_, to) in map.ways(from) {
                let through = lengths[from.index()].map(|length| length + 1);
                let lengths: &mut Option<usize> = &mut lengths[to.index()];
                *lengths = [*lengths, through].into_iter().flatten().min();
            }
        }
    }
    lengths[cells.len() - 1]
}

#[test]
fn a_limit_leaves_it_undecided() {
    let map = map(&[&[2, 0, 0, -1]]);
    let with = |max| {
        let limits = Limits {
            max_states: Some(max),
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
    let with = |max| {
        let limits = Limits {
            max_memory: Some(max),
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
