#![doc = include_str!("jimmy.md")]
//! # Where the rules come from
//!
//! The challenge limits boards to 10x10 and requires at least one ghost and one solid. Here a board can be any rectangle, and
//! needs neither ghosts nor solids.

use getaway_board::bits::{Bits, low_bits};
use getaway_board::fault::BoardError;
use getaway_board::grid::{Cell, Dir, Grid};
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::sheet::GlyphGrid;
use getaway_ruleset::{
    Cause, Deterministic, Event, Legend, Meaning, Notation, Outcome, Playable, Reason, Ruleset,
    Watch,
};

/// A board of `jimmy`.
#[derive(Clone, Debug)]
pub struct Jimmy {
    /// The shape of the board, whose outermost cells are the border.
    pub grid: Grid,
    /// The solid cells, which only ghosts can enter.
    pub solid: Bits,
    /// The cell on which Jimmy starts.
    pub start: Cell,
    /// The cells on which ghosts start.
    pub ghosts: Bits,
    /// The setting `revisit`: Jimmy may step on visited cells.
    pub revisit: bool,
    /// The cells of column 0 as bits if the board has at most [`Bits::WORD`] cells; 0 on larger boards.
    pub first_column: u128,
}

/// A position: the board as drawn or, later, just after the ghosts have moved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Jimmy's cell.
    pub jimmy: Cell,
    /// The cells with ghosts; those that share a cell stay together (rule 2).
    pub ghosts: Bits,
    /// The visited cells; empty with `revisit`.
    pub visited: Bits,
}

impl Jimmy {
    /// Returns a board without solids, on which Jimmy may step on visited cells.
    pub fn without_solids(grid: Grid, start: Cell, ghosts: Bits) -> Self {
        Self {
            grid,
            solid: Bits::new(grid),
            start,
            ghosts,
            revisit: true,
            first_column: first_column(grid),
        }
    }

    /// Returns the cell to which a ghost moves (rule 2).
    fn towards(&self, ghost: Cell, jimmy: Cell) -> Cell {
        let ((row, col), (to_row, to_col)) = (self.grid.position(ghost), self.grid.position(jimmy));
        let next = match (col.cmp(&to_col), row.cmp(&to_row)) {
            (std::cmp::Ordering::Less, _) => self.grid.step(ghost, Dir::Right),
            (std::cmp::Ordering::Greater, _) => self.grid.step(ghost, Dir::Left),
            (_, std::cmp::Ordering::Less) => self.grid.step(ghost, Dir::Down),
            (_, std::cmp::Ordering::Greater) => self.grid.step(ghost, Dir::Up),
            _ => Some(ghost),
        };
        next.expect("a step towards a cell of the board stays on the board")
    }

    /// Applies rule 2 to all ghosts.
    #[inline]
    fn chase_all(&self, ghosts: &mut Bits, jimmy: Cell) {
        if let Some(word) = ghosts.word() {
            let column = self.first_column << self.grid.col(jimmy);
            let moved = self.chase_word(word, 1 << jimmy.index(), column);
            *ghosts = Bits::from_word(moved);
        } else {
            let mut moved = Bits::new(self.grid);
            for ghost in ghosts.iter(self.grid) {
                moved.insert(self.towards(ghost, jimmy));
            }
            *ghosts = moved;
        }
    }

    /// Returns the ghosts, as bits, after their move (rule 2) on a board of at most [`Bits::WORD`] cells. `jimmy` is the bit of
    /// his cell, and `column` all bits of his column.
    #[inline]
    pub fn chase_word(&self, ghosts: u128, jimmy: u128, column: u128) -> u128 {
        let cols = self.grid.cols();
        // In each row, this subtraction sets all bits to the left of Jimmy's column.
        let left = column.wrapping_sub(self.first_column);
        let right = !(left | column);
        let shadows = ghosts & column;
        // The bits below Jimmy's are those of the cells before his in row-major order.
        let above = shadows & (jimmy - 1);
        (ghosts & left) << 1
            | (ghosts & right) >> 1
            | above.checked_shl(cols).unwrap_or(0)
            | (shadows & !above).checked_shr(cols).unwrap_or(0)
    }

    /// Returns the cell to which a step leads, or the reason why the step is illegal (rule 4).
    #[inline]
    fn step(&self, at: &State, dir: Dir) -> Result<Cell, &'static str> {
        let to = self
            .grid
            .step(at.jimmy, dir)
            .ok_or("that is off the board")?;
        if self.solid.contains(to) {
            Err("a solid cell is in the way")
        } else if at.visited.contains(to) {
            Err("he has already visited that cell")
        } else if at.ghosts.contains(to) {
            Err("a ghost is in the way")
        } else {
            Ok(to)
        }
    }
}

#[inline]
fn first_column(grid: Grid) -> u128 {
    if grid.size() > Bits::WORD {
        return 0;
    }
    let (mut column, mut bits) = (1, grid.cols());
    while bits < grid.size() as u32 {
        // This doubles the number of rows whose first cell is in the set.
        column |= column << bits;
        bits *= 2;
    }
    column & low_bits(grid.size() as u32)
}

impl Notation for Jimmy {
    const NAME: &'static str = "jimmy";
    const SUMMARY: &'static str = "Jimmy and the ghosts: reach the border, one step a turn";
    const RULES: &'static str = include_str!("jimmy.md");
    const LEGEND: Legend = Legend::new(&[
        ("o", Meaning::Runner, "Jimmy"),
        ("g", Meaning::Chaser, "ghost"),
        ("#", Meaning::Wall, "solid"),
        (".", Meaning::Floor, "empty"),
    ]);
    const SETTINGS: &'static [&'static str] = &["revisit"];

    fn read(puzzle: &Puzzle) -> Result<Self, BoardError> {
        let mut sheet = GlyphGrid::read(puzzle, &Self::LEGEND)?;
        let grid = sheet.grid();
        // The memory of the sets of solids and ghosts, and of a temporary set of cells in the search for Jimmy.
        puzzle.take(3 * Bits::heap_bytes(grid) as u64)?;
        let (solid, ghosts) = (sheet.all('#'), sheet.all('g'));
        puzzle.check_limits()?;
        let start = sheet.only('o', "Jimmys");
        let revisit = sheet.check(puzzle.flag("revisit"));
        sheet.finish()?;
        Ok(Self {
            grid,
            solid,
            ghosts,
            start: start.expect("a missing Jimmy is a fault"),
            revisit: revisit.expect("a bad flag is a fault"),
            first_column: first_column(grid),
        })
    }
}

impl Ruleset for Jimmy {
    type State = State;
    type Move = Dir;

    const MOVES: &'static [Dir] = &Dir::ALL;

    #[inline]
    fn start(&self) -> State {
        let mut visited = Bits::new(self.grid);
        if !self.revisit {
            visited.insert(self.start);
        }
        State {
            jimmy: self.start,
            ghosts: self.ghosts.clone(),
            visited,
        }
    }

    /// Applies rule 1; if the game goes on, makes the ghosts' first move.
    #[inline]
    fn open<W: Watch>(&self, at: &mut State, watch: &mut W) -> Option<Outcome> {
        if self.grid.is_border(at.jimmy) {
            return Some(Outcome::Escaped);
        }
        self.chase(at, watch)
    }

    #[inline]
    fn refusal(&self, at: &State, mv: Dir) -> Option<Reason> {
        self.step(at, mv).err().map(Reason::Borrowed)
    }

    /// Applies rules 4 and 5.
    #[inline]
    fn act<W: Watch>(&self, at: &mut State, dir: Dir, watch: &mut W) -> Option<Outcome> {
        let to = self.grid.step(at.jimmy, dir).expect("the move is legal");
        watch.observe(Event::step('o', at.jimmy, to));
        at.jimmy = to;
        if !self.revisit {
            at.visited.insert(to);
        }
        self.grid.is_border(to).then_some(Outcome::Escaped)
    }

    fn state_bytes(&self) -> usize {
        size_of::<State>() + 2 * Bits::heap_bytes(self.grid)
    }
}

impl Deterministic for Jimmy {
    fn without_chasers(&self) -> Option<Self> {
        Some(Self {
            ghosts: Bits::new(self.grid),
            ..self.clone()
        })
    }

    /// Applies rules 2 and 3.
    #[inline]
    fn chase<W: Watch>(&self, at: &mut State, watch: &mut W) -> Option<Outcome> {
        if W::IS_ACTIVE {
            for from in at.ghosts.iter(self.grid) {
                let to = self.towards(from, at.jimmy);
                watch.observe(Event::chase('g', from, to, to == at.jimmy));
            }
        }
        self.chase_all(&mut at.ghosts, at.jimmy);
        at.ghosts
            .contains(at.jimmy)
            .then_some(Outcome::Caught(Cause::Chaser))
    }
}

impl Playable for Jimmy {
    const CHASERS: &'static str = "ghosts";
    const CHASERS_FIRST: bool = true;

    fn ground(&self, cell: Cell) -> char {
        if self.solid.contains(cell) { '#' } else { '.' }
    }

    fn hidden(&self, at: &State, put: &mut impl FnMut(Cell, u8)) {
        for cell in at.visited.iter(self.grid) {
            put(cell, 1);
        }
    }

    fn distance(&self, at: &State) -> u32 {
        let (row, col) = self.grid.position(at.jimmy);
        let (below, right) = (self.grid.rows() - 1 - row, self.grid.cols() - 1 - col);
        row.min(col).min(below).min(right)
    }

    fn grid(&self) -> Grid {
        self.grid
    }

    /// Lists the actors; several ghosts on one cell count as one.
    fn actors(&self, at: &State) -> Vec<(char, Cell)> {
        let ghosts = at.ghosts.iter(self.grid).map(|ghost| ('g', ghost));
        [('o', at.jimmy)].into_iter().chain(ghosts).collect()
    }
}
