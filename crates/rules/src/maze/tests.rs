use super::*;

fn maze(rows: usize, numbers: &[i64]) -> Maze {
    let tiles: Vec<_> = numbers
        .iter()
        .map(|&number| Tile::new(number).unwrap())
        .collect();
    let grid = Grid::new(rows, numbers.len() / rows).unwrap();
    Maze::new(Map::new(grid, tiles).unwrap(), Id::ONE).unwrap()
}

#[test]
fn without_a_head_the_answer_is_minus_1() {
    let next = maze(1, &[0, -1, 1]).next_move(&Limits::default()).unwrap();
    assert_eq!(
        (next.direction(), next.is_food(), next.states),
        (-1, false, 0)
    );
}

#[test]
fn without_food_the_first_direction_that_is_able_to_go_counts() {
    let direction = |rows, numbers: &[i64]| {
        maze(rows, numbers)
            .next_move(&Limits::default())
            .unwrap()
            .direction()
    };
    assert_eq!(direction(3, &[3, 0, 3, 0, 2, 0, 3, 0, 3]), 0);
    assert_eq!(direction(3, &[3, 3, 3, 0, 2, 0, 3, 0, 3]), 1);
    assert_eq!(direction(3, &[3, 3, 3, 0, 2, 1, 3, 0, 3]), 2);
    assert_eq!(direction(3, &[3, 3, 3, 0, 2, 1, 3, 4, 3]), 3);
    assert_eq!(direction(3, &[3, 3, 3, 3, 2, 1, 3, 4, 3]), -1);
    assert_eq!(direction(1, &[2]), -1);
}

#[test]
fn only_a_path_by_the_rules_has_a_first_step() {
    let maze = maze(2, &[2, 0, -1, 3, 0, 0]);
    let step = |path: &[usize]| {
        let path: Vec<_> = path
            .iter()
            .map(|&at| maze.map.grid().nth(at).unwrap())
            .collect();
        first_step(&maze.map, maze.head.unwrap(), &path)
    };
    assert_eq!(step(&[0, 1, 2]), Some(Way::RIGHT));
    assert_eq!(step(&[0, 1, 4, 5, 2]), Some(Way::RIGHT));
    assert_eq!(step(&[0, 1]), None, "no food");
    assert_eq!(step(&[1, 2]), None, "not from the head");
    assert_eq!(step(&[0, 3, 4, 5, 2]), None, "through a wall");
    assert_eq!(step(&[0, 2]), None, "a leap");
    assert_eq!(step(&[0]), None);
    assert_eq!(step(&[]), None);
}

#[test]
fn move_algo_refuses_numbers_that_are_no_map() {
    assert_eq!(
        move_algo(&[2, -1], 1, 0, 2),
        Err(MapError::Size { rows: 0, cols: 2 })
    );
    let wrong = MapError::Length {
        len: 2,
        rows: 2,
        cols: 2,
    };
    assert_eq!(move_algo(&[2, -1], 1, 2, 2), Err(wrong));
    assert_eq!(
        move_algo(&[2, -2], 1, 1, 2),
        Err(MapError::Number { at: 1, number: -2 })
    );
    assert_eq!(move_algo(&[2, -1], 0, 1, 2), Err(MapError::Runner(0)));
    assert_eq!(
        move_algo(&[2, 2], 1, 1, 2),
        Err(MapError::TwoHeads(Id::ONE))
    );
    assert_eq!(move_algo(&[2, -1], i64::MAX, 1, 2), Ok(-1));
    assert_eq!(move_algo(&[-1, 4], 2, 1, 2), Ok(3));
}
