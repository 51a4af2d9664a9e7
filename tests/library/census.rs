//! Compares the census with the naive [`oracle`] on all boards.

use std::collections::BTreeMap;

use getaway::{Board, Grid, Limits};
use getaway_census::{Answer, BoardKind, Census, CensusError, Totals};

use crate::oracle::{self, Fate};
use getaway_testing::sized;

/// The number of boards with an answer, their number up to symmetry, and the first of them by [`Boards::order`].
type Row = (u128, u128, Vec<String>);

struct Boards<'k> {
    size: (usize, usize),
    /// The glyph of each kind of actor, with the number of such actors.
    actors: &'k [(char, usize)],
    /// The possible glyphs of cells without actors.
    contents: &'k str,
    has_mirrors: bool,
    answer: fn(&[String]) -> Answer,
}

impl Boards<'_> {
    fn each(&self, each: &mut dyn FnMut(&[Vec<char>])) {
        let (rows, cols) = self.size;
        let mut left = self.actors.to_vec();
        self.draw(&mut vec![vec![' '; cols]; rows], 0, &mut left, each);
    }

    fn draw(
        &self,
        board: &mut Vec<Vec<char>>,
        cell: usize,
        left: &mut Vec<(char, usize)>,
        each: &mut dyn FnMut(&[Vec<char>]),
    ) {
        let (rows, cols) = self.size;
        if left.iter().map(|(_, number)| number).sum::<usize>() > rows * cols - cell {
            return;
        }
        if cell == rows * cols {
            return each(board);
        }
        for glyph in self.contents.chars() {
            board[cell / cols][cell % cols] = glyph;
            self.draw(board, cell + 1, left, each);
        }
        for actor in 0..left.len() {
            if left[actor].1 > 0 {
                left[actor].1 -= 1;
                board[cell / cols][cell % cols] = left[actor].0;
                self.draw(board, cell + 1, left, each);
                left[actor].1 += 1;
            }
        }
    }

    fn images(&self, board: &[Vec<char>]) -> Vec<Vec<Vec<char>>> {
        let mut images = vec![board.to_vec()];
        if self.has_mirrors {
            let upside_down: Vec<_> = board.iter().rev().cloned().collect();
            for board in [board.to_vec(), upside_down.clone()] {
                let mirrored = board.into_iter().map(|row| row.into_iter().rev().collect());
                images.push(mirrored.collect());
            }
            images.push(upside_down);
        }
        images
    }

    /// Returns the key by which boards are sorted: the cells of the actors, then the contents of all cells.
    fn order(&self, board: &[Vec<char>]) -> (Vec<usize>, Vec<Option<usize>>) {
        let cells: Vec<char> = board.concat();
        let places = self.actors.iter().flat_map(|&(actor, _)| {
            let cells = cells.iter().enumerate();
            cells.filter_map(move |(cell, &glyph)| (glyph == actor).then_some(cell))
        });
        let contents = cells.iter().map(|&glyph| self.contents.find(glyph));
        // The cell under an actor counts as empty.
        (places.collect(), contents.map(|c| c.or(Some(0))).collect())
    }

    fn by_answer(&self) -> BTreeMap<Answer, Row> {
        let mut all = BTreeMap::new();
        self.each(&mut |board| {
            let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
            let order = self.order(board);
            let images = self.images(board);
            let is_first = images.iter().all(|image| self.order(image) >= order);
            let row = all
                .entry((self.answer)(&rows))
                .or_insert_with(|| (0, 0, (order.clone(), rows.clone())));
            row.0 += 1;
            row.1 += u128::from(is_first);
            row.2 = std::mem::take(&mut row.2).min((order, rows));
        });
        let shown = |(answer, (boards, firsts, (_, rows)))| (answer, (boards, firsts, rows));
        all.into_iter().map(shown).collect()
    }
}

fn totals(census: &Census, order: impl Iterator<Item = usize>) -> Totals {
    let mut totals = Totals::default();
    for unit in order {
        totals.add(census.count(unit, &Limits::default()).unwrap());
    }
    totals
}

fn rows(census: &Census) -> BTreeMap<Answer, Row> {
    let totals = totals(census, 0..census.units());
    assert_eq!(Some(totals.boards()), census.kind().boards());
    let symmetries = census.symmetries() as u128;
    let row = |(answer, tally): (&Answer, &getaway_census::Tally)| {
        assert_eq!(tally.fixed % symmetries, 0);
        let first = tally.first.as_ref().expect("there is one");
        let picture = census.picture(first);
        (*answer, (tally.boards, tally.fixed / symmetries, picture))
    };
    totals.0.iter().map(row).collect()
}

fn jimmys_answer(rows: &[String]) -> Answer {
    match oracle::jimmy(&oracle::Board::new(rows)).unwrap() {
        Some(moves) => Answer::Escape(moves as u32),
        None => Answer::Caught,
    }
}

fn heros_answer(rows: &[String]) -> Answer {
    match oracle::baddies(&oracle::Board::new(rows)) {
        Fate::Escape(moves) => Answer::Escape(moves as u32),
        Fate::Caught(_) => Answer::Caught,
    }
}

fn check_jimmy(size: (usize, usize), ghosts: usize) {
    let drawn = Boards {
        size,
        actors: &[('o', 1), ('g', ghosts)],
        contents: ".#",
        has_mirrors: true,
        answer: jimmys_answer,
    };
    let kind = BoardKind::jimmy(Grid::new(size.0, size.1).unwrap(), ghosts);
    let census = Census::new(kind).unwrap();
    assert_eq!(
        rows(&census),
        drawn.by_answer(),
        "{size:?}, {ghosts} ghosts"
    );
}

fn check_baddies(size: (usize, usize), numbers: [usize; 3]) {
    let [monsters, super_monsters, bats] = numbers;
    let drawn = Boards {
        size,
        actors: &[
            ('H', 1),
            ('*', 1),
            ('m', monsters),
            ('M', super_monsters),
            ('~', bats),
        ],
        contents: ".+#",
        has_mirrors: numbers.iter().sum::<usize>() <= 1,
        answer: heros_answer,
    };
    let kind = BoardKind::baddies(Grid::new(size.0, size.1).unwrap(), numbers);
    let census = Census::new(kind).unwrap();
    assert_eq!(rows(&census), drawn.by_answer(), "{size:?}, {numbers:?}");
}

fn sizes((rows, cols): (usize, usize), cells: usize) -> impl Iterator<Item = (usize, usize)> {
    let all = (1..=rows).flat_map(move |row| (1..=cols).map(move |col| (row, col)));
    all.filter(move |(rows, cols)| rows * cols >= cells)
}

#[test]
fn small_boards_of_jimmy_are_counted_as_if_drawn_one_by_one() {
    for size in sizes(sized((2, 3), (3, 3)), 1) {
        for ghosts in 0..=2.min(size.0 * size.1 - 1) {
            check_jimmy(size, ghosts);
        }
    }
    for size in sized(&[][..], &[(3, 4), (4, 3)]) {
        check_jimmy(*size, 1);
    }
}

#[cfg(feature = "exhaustive")]
#[test]
fn boards_of_jimmy_up_to_3x4_are_counted_as_if_drawn_one_by_one() {
    for size in sizes((3, 4), 1).chain([(4, 3)]) {
        for ghosts in 0..=2.min(size.0 * size.1 - 1) {
            check_jimmy(size, ghosts);
        }
    }
}

#[cfg(feature = "exhaustive")]
#[test]
fn boards_of_jimmy_of_4x4_are_counted_as_if_drawn_one_by_one() {
    check_jimmy((4, 4), 1);
}

#[test]
fn small_boards_of_baddies_are_counted_as_if_drawn_one_by_one() {
    for size in sizes((2, 3), 3).chain([(3, 2), (1, 5)]) {
        for numbers in [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] {
            check_baddies(size, numbers);
        }
    }
    for numbers in [[1, 1, 0], [0, 1, 1], [2, 0, 0], [0, 0, 2]] {
        check_baddies((2, 3), numbers);
    }
}

#[cfg(feature = "exhaustive")]
#[test]
fn boards_of_baddies_up_to_3x3_are_counted_as_if_drawn_one_by_one() {
    for size in sizes((3, 3), 3).chain([(2, 4), (4, 2)]) {
        for numbers in [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] {
            check_baddies(size, numbers);
        }
    }
    check_baddies((2, 4), [1, 1, 0]);
    check_baddies((2, 4), [0, 1, 1]);
}

/// Mirroring changes the order of moves. If two baddies block each other, that changes the answer.
#[test]
fn a_board_with_two_baddies_is_not_like_its_mirror_image() {
    let boards = Boards {
        size: (2, 4),
        actors: &[('H', 1), ('*', 1), ('m', 2)],
        contents: ".#",
        has_mirrors: true,
        answer: heros_answer,
    };
    let mut differ = 0;
    boards.each(&mut |board| {
        let answers = boards.images(board).into_iter().map(|image| {
            let rows: Vec<String> = image.iter().map(|row| row.iter().collect()).collect();
            heros_answer(&rows)
        });
        let answers: Vec<_> = answers.collect();
        differ += usize::from(answers.iter().any(|answer| *answer != answers[0]));
    });
    assert!(differ > 0);
}

/// A ghost changes its column first.
#[test]
fn a_board_of_jimmy_is_not_like_its_transpose() {
    let boards = Boards {
        size: (3, 3),
        actors: &[('o', 1), ('g', 1)],
        contents: ".#",
        has_mirrors: false,
        answer: jimmys_answer,
    };
    let mut differ = 0;
    boards.each(&mut |board| {
        let transposed = (0..3).map(|col| board.iter().map(|row| row[col]).collect());
        let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
        differ +=
            usize::from(jimmys_answer(&rows) != jimmys_answer(&transposed.collect::<Vec<_>>()));
    });
    assert!(differ > 0);
}

#[test]
fn the_solver_agrees_on_the_first_boards() {
    let grid = Grid::new(5, 5).unwrap();
    let census = Census::new(BoardKind::jimmy(grid, 1)).unwrap();
    let totals = totals(&census, 0..census.units());
    assert!(totals.longest().unwrap().0 > Answer::Escape(5));
    for (answer, tally) in &totals.0 {
        let picture = census.picture(tally.first.as_ref().unwrap());
        let text = format!("; ruleset: jimmy\n{}\n", picture.join("\n"));
        let solution = text
            .parse::<Board>()
            .unwrap()
            .solve_shortest(&Limits::default());
        let found = solution
            .line()
            .map_or(Answer::Caught, |line| Answer::Escape(line.len() as u32));
        assert_eq!(found, *answer, "{text}");
    }
}

#[test]
fn the_order_of_the_pieces_makes_no_difference() {
    let kind = BoardKind::baddies(Grid::new(2, 3).unwrap(), [1, 0, 0]);
    let census = Census::new(kind).unwrap();
    let backwards = totals(&census, (0..census.units()).rev());
    assert_eq!(backwards, totals(&census, 0..census.units()));
}

#[test]
fn boards_that_take_too_many_states_are_undecided() {
    let kind = BoardKind::jimmy(Grid::new(4, 4).unwrap(), 1);
    let census = Census::new(kind).unwrap();
    let limits = Limits {
        max_states: Some(2),
        ..Limits::default()
    };
    let mut some = Totals::default();
    for unit in 0..census.units() {
        some.add(census.count(unit, &limits).unwrap());
    }
    let all = totals(&census, 0..census.units());
    assert_eq!(some.boards(), all.boards());
    assert!(some.0[&Answer::Undecided].boards > 0);
    for (answer, tally) in &all.0 {
        let decided = some.0.get(answer).map_or(0, |tally| tally.boards);
        assert!(decided <= tally.boards);
    }
}

#[test]
fn a_kind_without_boards_says_so() {
    let crowded = Census::new(BoardKind::jimmy(Grid::new(2, 2).unwrap(), 4));
    let error = crowded.err().unwrap();
    assert_eq!(
        error,
        CensusError::Crowded {
            actors: 5,
            cells: 4
        }
    );
    assert_eq!(
        error.to_string(),
        "5 pieces do not fit on 4 cells, one on each"
    );
}
