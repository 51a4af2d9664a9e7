use super::*;
use getaway_board::grid::Grid;
use getaway_rules::maze::{Id, Map, Tile};

fn traced(numbers: [[i64; 2]; 2]) -> (Vec<AStarStep>, AStarSummary) {
    let tiles = numbers
        .as_flattened()
        .iter()
        .map(|&number| Tile::new(number).unwrap());
    let map = Map::new(Grid::new(2, 2).unwrap(), tiles.collect()).unwrap();
    let maze = Maze::new(map, Id::new(1).unwrap()).unwrap();
    let mut steps = Vec::new();
    let summary = trace(&maze, u64::MAX, &Limits::default(), &mut |step| {
        steps.push(step);
    });
    (steps, summary.unwrap().unwrap())
}

/// All cells have sum 2. The cell below the head overwrites the `prev` of the food, which waits with the same cost.
#[test]
fn a_textbook_search_keeps_a_waiting_cell() {
    let (steps, summary) = traced([[2, 0], [0, -1]]);
    assert_eq!(steps.len(), 4);
    assert_eq!(steps[1].tie, Some(Tie::Row));
    assert_eq!(steps[2].tie, Some(Tie::Column));
    assert_eq!(steps[2].puts[0].overwritten, Some(2));
    assert_eq!((summary.taken, summary.overwritten), (4, 1));
    assert_eq!(summary.parting, Some(3));
    assert_eq!(summary.path, [(0, 0), (1, 0), (1, 1)]);
    assert_eq!(summary.textbook_path, [(0, 0), (0, 1), (1, 1)]);
}
