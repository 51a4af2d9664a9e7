//! The search that settles a cell only when it asks for it: a breadth-first search for a shortest escape, which
//! branches there, and takes back what it found behind the branch before it takes the next one.

use super::kind::Kind;
use super::mirrors::Mirror;
use super::totals::{Answer, Counted};
use crate::grid::Grid;
use crate::limits::{Limit, Limits};

/// A board on which the actors have their places, and not all cells are settled.
pub trait Unsettled: Sized {
    /// The board with these actors, by glyph.
    fn new<'p>(grid: Grid, actors: impl Iterator<Item = (char, &'p [u8])>) -> Self;

    /// The first position in which the runner chooses, by its number; or the answer, if he has no choice.
    fn first(&self) -> Result<u32, Answer>;

    /// How many moves are to be tried in a position.
    fn moves(&self, at: u32, pass: Pass) -> usize;

    /// What a move leads to.
    ///
    /// # Errors
    ///
    /// A cell that matters and is not settled.
    fn play(&mut self, at: u32, mv: usize, known: Known) -> Result<Step, u8>;

    /// The most bytes that its tables take.
    fn bytes(&self) -> u64;

    /// A cell gets this content; 0 is empty, as it also is while it is not settled.
    fn settle(&mut self, _cell: u8, _content: u8) {}
}

/// A layer of positions is gone through twice, so that the cells of ways out are settled before others:
/// there the search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Only moves that lead out.
    Out,
    /// All others.
    On,
}

/// What is known while a move is tried.
#[derive(Clone, Copy)]
pub struct Known<'k> {
    pub pass: Pass,
    pub cells: &'k Cells,
    pub met: &'k Met,
}

/// What a move leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the position of this number.
    On(u32),
    /// To the goal.
    Out,
    /// To nothing worth looking at.
    Nowhere,
}

/// The positions that were met, by their numbers.
#[derive(Debug, Default)]
pub struct Met(Vec<bool>);

impl Met {
    /// Whether a position was met.
    pub fn contains(&self, at: u32) -> bool {
        self.0.get(at as usize).is_some_and(|&is_met| is_met)
    }

    fn set(&mut self, at: u32, is_met: bool) {
        let at = at as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, false);
        }
        self.0[at] = is_met;
    }
}

/// The cells of a board, as far as they are settled.
#[derive(Debug)]
pub struct Cells {
    /// 0 where nothing is settled.
    contents: Vec<u8>,
    settled: u128,
    /// How many cells can still be settled, a cell and its image counted once.
    open: usize,
}

impl Cells {
    /// What a cell is.
    ///
    /// # Errors
    ///
    /// The cell, if it is not settled.
    pub fn get(&self, cell: u8) -> Result<u8, u8> {
        if self.settled >> cell & 1 == 1 {
            Ok(self.contents[cell as usize])
        } else {
            Err(cell)
        }
    }

    /// All cells open but those of the actors.
    fn new(grid: Grid, placement: &[u8], mirror: &Mirror) -> Self {
        let settled = placement.iter().fold(0, |all, &cell| all | 1_u128 << cell);
        let is_open = |cell: &u8| settled >> cell & 1 == 0 && *cell <= mirror.image(*cell);
        Self {
            contents: vec![0; grid.size()],
            settled,
            open: (0..grid.size() as u8).filter(is_open).count(),
        }
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
struct Cursor {
    pass: Pass,
    /// The number of moves behind the positions of this layer.
    moves: u32,
    /// The layer in the queue.
    start: usize,
    end: usize,
    /// The position in the queue, and the move in it.
    at: usize,
    mv: usize,
}

impl Cursor {
    /// Before the only position of the first layer.
    const FIRST: Self = Self {
        pass: Pass::Out,
        moves: 0,
        start: 0,
        end: 1,
        at: 0,
        mv: 0,
    };
}

/// What a search comes to.
enum Event {
    Asks(u8),
    Answers(Answer),
}

struct Search<'a, B> {
    board: B,
    cells: Cells,
    mirror: &'a Mirror,
    /// How many boards there are when so many cells are open.
    powers: Vec<u128>,
    queue: Vec<u32>,
    met: Met,
    counted: Counted,
    answers: u64,
    limits: &'a Limits<'a>,
}

/// How many answers a search finds between two looks at the clock.
const PACE: u64 = 1 << 12;

/// Counts the boards on which the actors have these places, and which the mirror leaves as they are.
///
/// # Errors
///
/// The limit, if the time is over, or the positions do not fit into the memory.
pub fn count<B: Unsettled>(
    (kind, placement, mirror): (&Kind, &[u8], &Mirror),
    limits: &Limits,
) -> Result<Counted, Limit> {
    let cells = Cells::new(kind.grid(), placement, mirror);
    let contents = kind.contents().len() as u128;
    let mut search = Search {
        board: B::new(kind.grid(), kind.groups(placement)),
        powers: (0..=cells.open as u32).map(|n| contents.pow(n)).collect(),
        cells,
        mirror,
        queue: Vec::new(),
        met: Met::default(),
        counted: Counted::default(),
        answers: 0,
        limits,
    };
    limits.check_time()?;
    limits.check_memory(search.board.bytes())?;
    match search.board.first() {
        Err(answer) => search.answer(answer)?,
        Ok(first) => {
            search.met.set(first, true);
            search.queue.push(first);
            search.explore(Cursor::FIRST, contents as u8)?;
        }
    }
    Ok(search.counted)
}

impl<B: Unsettled> Search<'_, B> {
    /// Goes on from here to all answers. A call inside this one has one cell more that is settled, so no
    /// more of them are under way than a board has cells.
    fn explore(&mut self, mut cursor: Cursor, contents: u8) -> Result<(), Limit> {
        let cell = match self.advance(&mut cursor) {
            Event::Answers(answer) => return self.answer(answer),
            Event::Asks(cell) => cell,
        };
        let queued = self.queue.len();
        for content in 0..contents {
            self.settle(cell, content);
            self.explore(cursor, contents)?;
            for at in self.queue.drain(queued..) {
                self.met.set(at, false);
            }
        }
        self.unsettle(cell);
        Ok(())
    }

    fn advance(&mut self, cursor: &mut Cursor) -> Event {
        loop {
            if cursor.at == cursor.end {
                if !self.next_pass(cursor) {
                    return Event::Answers(Answer::Caught);
                }
                continue;
            }
            let position = self.queue[cursor.at];
            while cursor.mv < self.board.moves(position, cursor.pass) {
                let known = Known {
                    pass: cursor.pass,
                    cells: &self.cells,
                    met: &self.met,
                };
                match self.board.play(position, cursor.mv, known) {
                    Err(cell) => return Event::Asks(cell),
                    Ok(Step::Out) => return Event::Answers(Answer::Escape(cursor.moves + 1)),
                    Ok(Step::On(next)) if !self.met.contains(next) => {
                        if self.limits.check_states(self.queue.len() as u64).is_err() {
                            return Event::Answers(Answer::Undecided);
                        }
                        self.met.set(next, true);
                        self.queue.push(next);
                    }
                    Ok(_) => {}
                }
                cursor.mv += 1;
            }
            (cursor.at, cursor.mv) = (cursor.at + 1, 0);
        }
    }

    /// The same layer once more, or the next one; whether there is any.
    fn next_pass(&self, cursor: &mut Cursor) -> bool {
        match cursor.pass {
            Pass::Out => cursor.pass = Pass::On,
            Pass::On => {
                cursor.pass = Pass::Out;
                cursor.moves += 1;
                (cursor.start, cursor.end) = (cursor.end, self.queue.len());
            }
        }
        (cursor.at, cursor.mv) = (cursor.start, 0);
        cursor.start < cursor.end
    }

    /// All boards with what is settled now have this answer.
    fn answer(&mut self, answer: Answer) -> Result<(), Limit> {
        let boards = self.powers[self.cells.open];
        self.counted.add(answer, boards, &self.cells.contents);
        self.answers += 1;
        if self.answers.is_multiple_of(PACE) {
            self.limits.check_time()?;
            self.limits.check_memory(self.board.bytes())?;
        }
        Ok(())
    }

    /// Settles a cell and its image, or settles them anew.
    fn settle(&mut self, cell: u8, content: u8) {
        let is_new = self.cells.settled >> cell & 1 == 0;
        self.cells.open -= usize::from(is_new);
        for cell in [cell, self.mirror.image(cell)] {
            self.cells.settled |= 1 << cell;
            self.cells.contents[cell as usize] = content;
            self.board.settle(cell, content);
        }
    }

    fn unsettle(&mut self, cell: u8) {
        self.cells.open += 1;
        for cell in [cell, self.mirror.image(cell)] {
            self.cells.settled &= !(1 << cell);
            self.cells.contents[cell as usize] = 0;
            self.board.settle(cell, 0);
        }
    }
}
