use super::*;
use crate::bits::Bits;
use crate::rng::Rng;
use getaway_testing::sized;

const PLENTY: u64 = 100_000_000;

/// Returns the path through a drawing (`H` head, `b` rest) as direction digits.
fn order(rows: &[&str]) -> Result<String, PathError> {
    order_within(rows, PLENTY)
}

fn plenty() -> WorkBudget<'static> {
    WorkBudget::new(PLENTY, &Limits::default())
}

fn order_within(rows: &[&str], work: u64) -> Result<String, PathError> {
    let grid = Grid::new(rows.len(), rows[0].len()).unwrap();
    let glyphs = rows.concat();
    let all = |glyph: u8| -> Vec<_> {
        grid.cells()
            .filter(|cell| glyphs.as_bytes()[cell.index()] == glyph)
            .collect()
    };
    let mut path = all(b'H');
    path.extend(through_all(
        grid,
        path[0],
        &all(b'b'),
        &mut WorkBudget::new(work, &Limits::default()),
    )?);
    let step = |pair: &[Cell]| {
        let (_, to) = grid
            .neighbours(pair[0])
            .find(|&(_, to)| to == pair[1])
            .unwrap();
        let way = DIRECTIONS
            .iter()
            .position(|&dir| grid.step(pair[0], dir) == Some(to));
        way.unwrap().to_string()
    };
    Ok(path.windows(2).map(step).collect())
}

#[test]
fn a_head_alone_is_a_body() {
    assert_eq!(order(&["H"]), Ok(String::new()));
}

#[test]
fn a_body_without_choices_is_ordered_cell_by_cell() {
    assert_eq!(order(&["Hbb", "..b", "bbb"]), Ok("112233".into()));
}

#[test]
fn directions_are_tried_in_the_order_0_1_2_3() {
    assert_eq!(order(&["bb", "Hb"]), Ok("012".into()), "up before right");
    assert_eq!(order(&["Hb", "bb"]), Ok("123".into()), "right before down");
    assert_eq!(order(&["bH", "bb"]), Ok("230".into()), "down before left");
}

#[test]
fn a_direction_that_leaves_cells_behind_is_not_taken() {
    // Right comes before down. But if a path here goes right from the first fork, it can't pass through all cells.
    assert_eq!(order(&["Hbb", "bb."]), Ok("2101".into()));
    assert_eq!(order(&["Hbbb", ".bb."]), Ok("12101".into()));
}

#[test]
fn a_fork_or_a_loose_cell_is_no_path() {
    assert_eq!(order(&["bHb"]), Err(PathError::NoPath));
    assert_eq!(order(&["Hbb", ".b."]), Err(PathError::NoPath));
    assert_eq!(order(&["H.b"]), Err(PathError::NoPath));
    assert_eq!(order(&["Hb.b"]), Err(PathError::NoPath));
}

fn plainly(grid: Grid, path: &mut Vec<Cell>, rest: &[Cell]) -> bool {
    if path.len() == rest.len() + 1 {
        return true;
    }
    for dir in DIRECTIONS {
        let to = grid.step(*path.last().unwrap(), dir);
        if let Some(to) = to.filter(|to| rest.contains(to) && !path.contains(to)) {
            path.push(to);
            if plainly(grid, path, rest) {
                return true;
            }
            path.pop();
        }
    }
    false
}

#[test]
fn early_backtracking_does_not_change_the_path() {
    let grid = Grid::new(4, 4).unwrap();
    let mut paths = 0;
    for set in (1_u32..1 << 16).step_by(sized(7, 1)) {
        let cells: Vec<_> = grid
            .cells()
            .filter(|cell| set >> cell.index() & 1 == 1)
            .collect();
        let head = cells[set as usize * 7 % cells.len()];
        let rest: Vec<_> = cells.into_iter().filter(|&cell| cell != head).collect();
        let mut path = vec![head];
        let is_path = plainly(grid, &mut path, &rest);
        let expected = if is_path {
            Ok(path.split_off(1))
        } else {
            Err(PathError::NoPath)
        };
        paths += usize::from(is_path);
        assert_eq!(
            through_all(grid, head, &rest, &mut plenty()),
            expected,
            "{set:b}"
        );
    }
    assert!(paths > sized(140, 1000), "{paths}");
}

#[test]
fn a_long_body_that_touches_itself_is_ordered() {
    let (rows, cols) = sized((30, 50), (60, 100));
    let full = "b".repeat(cols);
    let mut drawing = vec![full.as_str(); rows];
    let first = format!("H{}", &full[1..]);
    drawing[0] = &first;
    let path = order(&drawing).unwrap();
    assert_eq!(path.len(), rows * cols - 1);
}

fn read_off(grid: Grid, seed: u64) -> usize {
    let snake = random_snake(grid, seed);
    let mut rest = snake[1..].to_vec();
    rest.sort_unstable();
    let path = through_all(grid, snake[0], &rest, &mut plenty()).unwrap();
    let from_head = std::iter::once(&snake[0]).chain(&path);
    assert!(
        from_head
            .zip(&path)
            .all(|(&a, &b)| grid.distance(a, b) == 1)
    );
    let mut cells = path.clone();
    cells.sort_unstable();
    assert_eq!(cells, rest);
    path.len()
}

fn random_snake(grid: Grid, seed: u64) -> Vec<Cell> {
    let mut rng = Rng::new(seed);
    let mut used = Bits::new(grid);
    let mut snake = vec![grid.cell(grid.rows() / 2, grid.cols() / 2).unwrap()];
    loop {
        let at = *snake.last().unwrap();
        used.insert(at);
        let blank = grid
            .neighbours(at)
            .map(|(_, to)| to)
            .filter(|&to| !used.contains(to));
        let lots = blank.map(|to| (to, rng.uniform()));
        let next = lots.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(to, _)| to);
        match next {
            Some(next) => snake.push(next),
            None => return snake,
        }
    }
}

#[test]
fn bodies_after_random_moves_are_ordered() {
    let grid = Grid::new(9, 9).unwrap();
    let longest = (0..300).map(|seed| read_off(grid, seed)).max();
    assert!(longest > Some(50), "{longest:?}");
}

#[test]
fn a_stop_ends_the_search() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let limits = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let grid = Grid::new(1, 3).unwrap();
    let cells: Vec<_> = grid.cells().collect();
    let found = through_all(
        grid,
        cells[0],
        &cells[1..],
        &mut WorkBudget::new(PLENTY, &limits),
    );
    assert_eq!(found, Err(PathError::Undecided(Limit::Interrupt)));
}

#[test]
fn the_work_is_bounded() {
    assert_eq!(order_within(&["Hbb", "bbb"], 3), Err(PathError::TooTangled));
}
