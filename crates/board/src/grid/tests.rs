use super::*;

#[test]
fn a_step_off_the_board_is_none() {
    let grid = Grid::new(2, 3).unwrap();
    let corner = grid.cell(0, 2).unwrap();
    assert_eq!(grid.step(corner, Dir::Up), None);
    assert_eq!(
        grid.step(corner, Dir::Right),
        None,
        "no wrap into the next row"
    );
    assert_eq!(grid.step(corner, Dir::Down), grid.cell(1, 2));
    assert_eq!(grid.step(corner, Dir::Left), grid.cell(0, 1));
}

#[test]
fn a_grid_has_1_to_max_cells() {
    assert_eq!(Grid::new(0, 5), None);
    assert_eq!(Grid::new(5, 0), None);
    assert_eq!(Grid::new(1 << 14, 1 << 15), None);
    assert_eq!(Grid::new(usize::MAX, usize::MAX), None);
    assert!(Grid::new(1 << 14, 1 << 14).is_some());
}

#[test]
fn positions_equal_division_by_the_columns() {
    let shapes = [
        (1, 1),
        (1, 1 << 28),
        (1 << 28, 1),
        (3, 7),
        (16_383, 16_385),
        (100, 2_684_354),
    ];
    for (rows, cols) in shapes {
        let grid = Grid::new(rows, cols).unwrap();
        let (size, step) = (grid.size(), 1 + grid.size() / 1009);
        let ends = [0, cols - 1, cols, size - cols, size - 1];
        for index in (0..size)
            .step_by(step)
            .chain(ends)
            .filter(|&index| index < size)
        {
            let place = ((index / cols) as u32, (index % cols) as u32);
            assert_eq!(grid.position(grid.nth(index).unwrap()), place);
        }
    }
}

#[test]
fn only_the_middle_of_three_by_three_is_no_border() {
    let grid = Grid::new(3, 3).unwrap();
    let inside: Vec<_> = grid.cells().filter(|&cell| !grid.is_border(cell)).collect();
    assert_eq!(inside, [grid.cell(1, 1).unwrap()]);
}

#[test]
fn directions_are_read_as_they_are_written() {
    for dir in Dir::ALL {
        assert_eq!(dir.to_string().parse(), Ok(dir));
        assert_eq!(dir.to_string().to_lowercase().parse(), Ok(dir));
    }
    assert_eq!("UP".parse::<Dir>().ok(), None);
}
