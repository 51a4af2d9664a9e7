//! A breadth-first search for a shortest escape on a board with open (undecided) cells. When it needs to know a cell, it branches
//! over the cell's contents.

use std::hash::Hash;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::kind::{BoardKind, Images};
use super::totals::{Answer, Totals};
use getaway_board::grid::{Cell, Grid};
use getaway_board::limits::{Clock, Limit, Limits};

pub trait PartialBoard: Sized {
    /// Creates a game with these actors on a board whose other cells are open.
    fn new(grid: Grid, actors: &[(char, Cell)]) -> Self;

    fn first(&self) -> Result<u32, Answer>;

    fn moves(&self, at: u32, pass: Pass) -> usize;

    /// Plays a move. If the result depends on an open cell, fails with that cell.
    fn play(&mut self, at: u32, mv: usize, known: Context) -> Result<MoveEffect, u8>;

    fn bytes(&self) -> u64;

    fn decide(&mut self, _cell: u8, _content: u8) {}
}

/// A pass over the positions after the same number of moves. The first pass, `Exit`, only tries escapes, since an escape ends the
/// search before it decides other cells. The second pass, `Rest`, tries everything else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pass {
    #[default]
    Exit,
    Rest,
}

#[derive(Clone, Copy)]
pub struct Context<'k> {
    pub pass: Pass,
    pub cells: &'k Cells,
    pub visited: &'k VisitedSet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveEffect {
    GoesOn(u32),
    Escapes,
    Nothing,
}

/// Positions, numbered in the order in which they are first seen.
#[derive(Debug)]
pub struct Numbered<S> {
    pub all: Vec<S>,
    numbers: HashMap<S, u32, FixedState>,
}

impl<S: Clone + Eq + Hash> Numbered<S> {
    pub fn new() -> Self {
        Self {
            all: Vec::new(),
            numbers: HashMap::default(),
        }
    }

    pub fn number(&mut self, state: &S) -> u32 {
        let next = self.all.len() as u32;
        let number = *self.numbers.entry_ref(state).or_insert(next);
        if number == next {
            self.all.push(state.clone());
        }
        number
    }

    pub fn capacity(&self) -> usize {
        self.all.capacity().max(self.numbers.capacity())
    }
}

#[derive(Debug, Default)]
pub struct VisitedSet(Vec<bool>);

impl VisitedSet {
    pub fn contains(&self, at: u32) -> bool {
        self.0
            .get(at as usize)
            .is_some_and(|&is_visited| is_visited)
    }

    fn set(&mut self, at: u32, is_visited: bool) {
        let at = at as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, false);
        }
        self.0[at] = is_visited;
    }
}

#[derive(Debug)]
pub struct Cells {
    /// The contents of all cells; 0 for an open cell or one with an actor.
    contents: Vec<u8>,
    decided: u128,
    /// The number of open cells; a cell and its image count as one.
    open: usize,
}

impl Cells {
    /// Returns the contents of a cell; if it is open, fails with its number.
    pub fn get(&self, cell: u8) -> Result<u8, u8> {
        if self.decided >> cell & 1 == 1 {
            Ok(self.contents[cell as usize])
        } else {
            Err(cell)
        }
    }

    fn new(grid: Grid, placement: &[u8], symmetry: &Images) -> Self {
        let decided = placement.iter().fold(0, |all, &cell| all | 1_u128 << cell);
        let is_open = |cell: &u8| decided >> cell & 1 == 0 && *cell <= symmetry[*cell as usize];
        Self {
            contents: vec![0; grid.size()],
            decided,
            open: (0..grid.size() as u8).filter(is_open).count(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Cursor {
    pass: Pass,
    moves: u32,
    start: usize,
    end: usize,
    /// The position being expanded, as an index in the queue, and its next move.
    at: usize,
    mv: usize,
}

struct Exploration<'a, B> {
    board: B,
    cells: Cells,
    symmetry: &'a Images,
    contents: u8,
    queue: Vec<u32>,
    visited: VisitedSet,
    counted: Totals,
    limits: &'a Limits<'a>,
    clock: Clock<'a>,
}

const WORK: u64 = 64;

pub fn count<B: PartialBoard>(
    kind: &BoardKind,
    placement: &[u8],
    symmetry: &Images,
    limits: &Limits,
) -> Result<Totals, Limit> {
    let mut search = Exploration {
        board: B::new(kind.grid(), &kind.placed(placement)),
        cells: Cells::new(kind.grid(), placement, symmetry),
        symmetry,
        contents: kind.contents().len() as u8,
        queue: Vec::new(),
        visited: VisitedSet::default(),
        counted: Totals::default(),
        limits,
        clock: Clock::new(limits),
    };
    limits.check_time()?;
    limits.check_memory(search.board.bytes())?;
    match search.board.first() {
        Err(answer) => search.answer(answer)?,
        Ok(first) => {
            search.visited.set(first, true);
            search.queue.push(first);
            search.explore(Cursor {
                end: 1,
                ..Cursor::default()
            })?;
        }
    }
    Ok(search.counted)
}

impl<B: PartialBoard> Exploration<'_, B> {
    /// Continues the search from the cursor, and counts all boards that have the decided contents by answer. When the search
    /// needs an open cell, calls itself for each content of that cell.
    fn explore(&mut self, mut cursor: Cursor) -> Result<(), Limit> {
        let cell = match self.advance(&mut cursor) {
            Ok(answer) => return self.answer(answer),
            Err(cell) => cell,
        };
        let queued = self.queue.len();
        for content in 0..self.contents {
            self.decide(cell, content);
            self.explore(cursor)?;
            for at in self.queue.drain(queued..) {
                self.visited.set(at, false);
            }
        }
        self.reopen(cell);
        Ok(())
    }

    /// Continues the search to its answer. Fails with the first open cell that it needs.
    fn advance(&mut self, cursor: &mut Cursor) -> Result<Answer, u8> {
        loop {
            if cursor.at == cursor.end {
                if !self.next_pass(cursor) {
                    return Ok(Answer::Caught);
                }
                continue;
            }
            let position = self.queue[cursor.at];
            while cursor.mv < self.board.moves(position, cursor.pass) {
                let known = Context {
                    pass: cursor.pass,
                    cells: &self.cells,
                    visited: &self.visited,
                };
                match self.board.play(position, cursor.mv, known)? {
                    MoveEffect::Escapes => return Ok(Answer::Escape(cursor.moves + 1)),
                    MoveEffect::GoesOn(next) if !self.visited.contains(next) => {
                        if self.limits.check_states(self.queue.len() as u64).is_err() {
                            return Ok(Answer::Undecided);
                        }
                        self.visited.set(next, true);
                        self.queue.push(next);
                    }
                    MoveEffect::GoesOn(_) | MoveEffect::Nothing => {}
                }
                cursor.mv += 1;
            }
            (cursor.at, cursor.mv) = (cursor.at + 1, 0);
        }
    }

    fn next_pass(&self, cursor: &mut Cursor) -> bool {
        match cursor.pass {
            Pass::Exit => cursor.pass = Pass::Rest,
            Pass::Rest => {
                cursor.pass = Pass::Exit;
                cursor.moves += 1;
                (cursor.start, cursor.end) = (cursor.end, self.queue.len());
            }
        }
        (cursor.at, cursor.mv) = (cursor.start, 0);
        cursor.start < cursor.end
    }

    fn answer(&mut self, answer: Answer) -> Result<(), Limit> {
        let boards = u128::from(self.contents).pow(self.cells.open as u32);
        self.counted.count(answer, boards, &self.cells.contents);
        self.clock.work(WORK)?;
        self.limits.check_memory(self.board.bytes())
    }

    fn decide(&mut self, cell: u8, content: u8) {
        // From the second content on, the cell is no longer open.
        let is_new = self.cells.decided >> cell & 1 == 0;
        self.cells.open -= usize::from(is_new);
        for cell in [cell, self.symmetry[cell as usize]] {
            self.cells.decided |= 1 << cell;
            self.cells.contents[cell as usize] = content;
            self.board.decide(cell, content);
        }
    }

    fn reopen(&mut self, cell: u8) {
        self.cells.open += 1;
        for cell in [cell, self.symmetry[cell as usize]] {
            self.cells.decided &= !(1 << cell);
            self.cells.contents[cell as usize] = 0;
            self.board.decide(cell, 0);
        }
    }
}
