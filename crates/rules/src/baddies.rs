#![doc = include_str!("baddies.md")]

mod controlled;
mod turns;

use std::fmt::{self, Write};
use std::str::FromStr;

use getaway_board::bits::Bits;
use getaway_board::fault::BoardError;
use getaway_board::grid::{Cell, Grid, ParseMoveError};
use getaway_board::limits::bytes;
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::sheet::{self, GlyphGrid};
use getaway_ruleset::controlled::Controlled;
use getaway_ruleset::{
    Cause, Deterministic, Event, Fate, Legend, Meaning, Notation, Outcome, Playable, Reason,
    Ruleset, Watch,
};

pub use turns::{ByKey, Landings, Turns};

/// A board of `baddies`.
#[derive(Clone, Debug)]
pub struct Baddies {
    /// The shape of the board, without its frame.
    pub grid: Grid,
    /// The terrain of each cell, in row-major order.
    pub terrain: Vec<Terrain>,
    /// The position as drawn.
    pub start: State,
}

/// The content of a cell, without actors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terrain {
    /// An empty cell.
    Floor,
    /// An abyss, fatal to any actor that lands on it.
    Abyss,
    /// A wall, which blocks everyone.
    Wall,
    /// The hero's way out, which blocks baddies.
    Ladder,
}

impl Terrain {
    /// Returns the glyph in board files.
    pub const fn glyph(self) -> char {
        match self {
            Self::Floor => ' ',
            Self::Wall => '+',
            Self::Ladder => '*',
            Self::Abyss => '#',
        }
    }
}

/// A position with the hero to move.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The hero's cell.
    pub hero: Cell,
    /// The baddies in row-major order.
    pub baddies: Vec<Baddie>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        let (hero, baddies) = (self.hero, self.baddies.clone());
        Self { hero, baddies }
    }

    fn clone_from(&mut self, source: &Self) {
        // This keeps the memory of the list; a search clones a position for every move.
        self.hero = source.hero;
        self.baddies.clone_from(&source.baddies);
    }
}

/// A baddie that is still on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Baddie {
    /// Its cell.
    pub cell: Cell,
    /// Its kind.
    pub kind: BaddieKind,
}

impl Baddie {
    /// Returns the baddie on `cell` for which `glyph` stands; `None` if the glyph stands for no baddie.
    pub fn drawn(glyph: char, cell: Cell) -> Option<Self> {
        let kind = BaddieKind::ALL
            .into_iter()
            .find(|kind| kind.glyph() == glyph)?;
        Some(Self { cell, kind })
    }
}

/// A kind of baddie, which decides its moves (rule 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum BaddieKind {
    /// Moves one cell at a time.
    Monster,
    /// Jumps two cells at a time.
    SuperMonster,
    /// Flies along its row.
    Bat,
}

impl BaddieKind {
    /// All kinds, in the order of their numbers: `BaddieKind::ALL[kind as usize] == kind`.
    pub const ALL: [Self; 3] = [Self::Monster, Self::SuperMonster, Self::Bat];

    /// Returns the glyph in board files.
    pub const fn glyph(self) -> char {
        match self {
            Self::Monster => 'm',
            Self::SuperMonster => 'M',
            Self::Bat => '~',
        }
    }

    /// Returns the length of a step; 0 for a bat, which flies. A match on the kind would be a branch that processors can't
    /// predict.
    #[inline]
    const fn stride(self) -> i32 {
        const STRIDES: &[i32; 3] = &[1, 2, 0];
        STRIDES[self as usize]
    }
}

/// A change of row and column that the hero or a baddie attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    /// The number of rows downwards.
    pub rows: i32,
    /// The number of columns to the right.
    pub cols: i32,
}

/// One of the hero's nine moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u8);

impl Key {
    /// All keys in the order of the keyboard.
    pub const ALL: [Self; 9] = Self::in_order([0, 1, 2, 3, 4, 5, 6, 7, 8]);

    /// All keys, simplest first: staying, then straight steps, then diagonal ones.
    pub const PLAINEST_FIRST: [Self; 9] = Self::in_order([4, 1, 3, 5, 7, 0, 2, 6, 8]);

    const fn in_order(numbers: [u8; 9]) -> [Self; 9] {
        let mut keys = [Self(0); 9];
        let mut at = 0;
        while at < keys.len() {
            keys[at] = Self(numbers[at]);
            at += 1;
        }
        keys
    }

    /// Returns the key's index in [`Self::ALL`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the attempted change of row and column, each from -1 to 1.
    pub const fn offset(self) -> Offset {
        const OFFSETS: [Offset; 9] = {
            let mut offsets = [Offset { rows: 0, cols: 0 }; 9];
            let mut key = 0;
            while key < offsets.len() {
                let (rows, cols) = (key as i32 / 3 - 1, key as i32 % 3 - 1);
                offsets[key] = Offset { rows, cols };
                key += 1;
            }
            offsets
        };
        OFFSETS[self.0 as usize]
    }

    /// Returns the key's letter.
    pub const fn letter(self) -> char {
        b"qweasdzxc"[self.0 as usize] as char
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.letter())
    }
}

impl FromStr for Key {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        Self::ALL
            .into_iter()
            .find(|key| text.eq_ignore_ascii_case(key.letter().encode_utf8(&mut [0; 4])))
            .ok_or(ParseMoveError(
                "one of `q`, `w`, `e`, `a`, `s`, `d`, `z`, `x`, `c`",
            ))
    }
}

impl Baddies {
    /// Returns a board of empty cells, for code that places its own actors. The hero stands on the first cell.
    pub fn empty(grid: Grid) -> Self {
        let hero = grid.nth(0).expect("a grid has a cell");
        let baddies = Vec::new();
        Self {
            grid,
            terrain: vec![Terrain::Floor; grid.size()],
            start: State { hero, baddies },
        }
    }

    /// Returns the content of `cell`, without actors.
    #[inline]
    pub fn terrain(&self, cell: Cell) -> Terrain {
        self.terrain[cell.index()]
    }

    /// Returns the cells with ladders.
    pub fn ladders(&self) -> impl Iterator<Item = Cell> {
        self.grid
            .cells()
            .filter(|&cell| self.terrain(cell) == Terrain::Ladder)
    }

    /// Returns the cell to which an attempted change of row and column leads, and the cell to which the row change alone leads,
    /// even if they are blocked (rule 2).
    #[inline]
    pub fn aims(&self, from: Cell, change: Offset) -> [Cell; 2] {
        let (row, col) = self.grid.position(from);
        let aim = self.grid.offset_by_axis(row, col, change.rows, change.cols);
        [aim, self.grid.offset_by_axis(row, col, change.rows, 0)]
    }

    #[inline]
    fn land(&self, from: Cell, change: Offset, is_blocking: impl Fn(Cell) -> bool) -> Cell {
        match self.aims(from, change) {
            [aim, _] if !is_blocking(aim) => aim,
            [_, in_column] if !is_blocking(in_column) => in_column,
            _ => from,
        }
    }

    /// Returns the cell on which the hero lands (rules 2 and 3).
    pub fn hero_lands(&self, from: Cell, key: Key) -> Cell {
        self.land(from, key.offset(), |cell| {
            self.terrain(cell) == Terrain::Wall
        })
    }

    /// Returns the change of row and column that a baddie attempts (rule 4).
    #[inline]
    pub fn baddie_offset(&self, Baddie { cell, kind }: Baddie, hero: Cell) -> Offset {
        let ((row, col), (to_row, to_col)) = (self.grid.position(cell), self.grid.position(hero));
        let step = kind.stride() * (to_col.cmp(&col) as i32);
        let flight = to_col.cast_signed() - col.cast_signed();
        Offset {
            rows: kind.stride() * (to_row.cmp(&row) as i32),
            cols: if kind == BaddieKind::Bat {
                flight
            } else {
                step
            },
        }
    }

    /// Returns the cell on which a baddie lands, ignoring other baddies (rules 2 and 4).
    #[inline]
    pub fn baddie_lands(&self, baddie: Baddie, hero: Cell) -> Cell {
        self.baddie_attempts(baddie.cell, self.baddie_offset(baddie, hero))
    }

    /// Returns the cell on which a baddie lands when it attempts this change, ignoring other baddies (rule 2).
    #[inline]
    fn baddie_attempts(&self, from: Cell, change: Offset) -> Cell {
        self.land(from, change, |cell| {
            matches!(self.terrain(cell), Terrain::Wall | Terrain::Ladder)
        })
    }

    /// Returns the cell and the fate of a baddie that would land on `aim` (rule 5).
    #[inline]
    fn lands_or_stays(&self, from: Cell, aim: Cell, hero: Cell, is_taken: bool) -> (Cell, Fate) {
        if aim == hero {
            return (aim, Fate::Catches);
        }
        let to = if is_taken { from } else { aim };
        match self.terrain(to) {
            Terrain::Abyss => (to, Fate::Fell),
            _ => (to, Fate::Stands),
        }
    }
}

impl Notation for Baddies {
    const NAME: &'static str = "baddies";
    const SUMMARY: &'static str = "a hero, monsters and bats: reach the ladder, avoid the abyss";
    const RULES: &'static str = include_str!("baddies.md");
    const LEGEND: Legend = Legend::new(&[
        ("H", Meaning::Runner, "hero"),
        ("*", Meaning::Goal, "ladder"),
        ("+", Meaning::Wall, "wall"),
        ("#", Meaning::Danger, "abyss"),
        ("m", Meaning::Chaser, "monster"),
        ("M", Meaning::Chaser, "super monster"),
        ("~", Meaning::Chaser, "bat"),
        (" .", Meaning::Floor, "empty"),
    ])
    .framed();

    fn fits(puzzle: &Puzzle) -> bool {
        puzzle.glyphs().fit(&Self::LEGEND) || sheet::fits_framed(puzzle, &Self::LEGEND, b'H')
    }

    fn cell(puzzle: &Puzzle, row: u32, col: u32) -> Option<(u32, u32)> {
        sheet::cell_in_frame(puzzle, row, col)
    }

    fn read(puzzle: &Puzzle) -> Result<Self, BoardError> {
        let mut sheet = GlyphGrid::read(puzzle, &Self::LEGEND)?;
        let grid = sheet.grid();
        let count = sheet.count(b"mM~");
        // The memory of the terrain, of a temporary set of cells in the search for the hero, and of the baddies.
        puzzle.take((grid.size() + Bits::heap_bytes(grid)) as u64 + bytes::<Baddie>(count))?;
        let mut board = Self::empty(grid);
        let baddies = &mut board.start.baddies;
        baddies.reserve_exact(count);
        sheet.visit(|cell, glyph| match glyph {
            b'+' => board.terrain[cell.index()] = Terrain::Wall,
            b'*' => board.terrain[cell.index()] = Terrain::Ladder,
            b'#' => board.terrain[cell.index()] = Terrain::Abyss,
            other => baddies.extend(Baddie::drawn(other.into(), cell)),
        })?;
        let hero = sheet.only('H', "heroes");
        if board.ladders().next().is_none() {
            sheet.missing('*');
        }
        sheet.finish()?;
        board.start.hero = hero.expect("a missing hero is a fault");
        Ok(board)
    }
}

impl Ruleset for Baddies {
    type State = State;
    type Move = Key;

    const MOVES: &'static [Key] = &Key::PLAINEST_FIRST;

    fn start(&self) -> State {
        self.start.clone()
    }

    fn refusal(&self, _at: &State, _mv: Key) -> Option<Reason> {
        None
    }

    /// Applies rules 2 and 3 to the hero.
    fn act<W: Watch>(&self, at: &mut State, key: Key, watch: &mut W) -> Option<Outcome> {
        let to = self.hero_lands(at.hero, key);
        let from = std::mem::replace(&mut at.hero, to);
        let (fate, outcome) = match self.terrain(to) {
            Terrain::Ladder => (Fate::Stands, Some(Outcome::Escaped)),
            Terrain::Abyss => (Fate::Fell, Some(Outcome::Caught(Cause::Abyss))),
            _ if holds(&at.baddies, to) => (Fate::Stands, Some(Outcome::Caught(Cause::WalkedInto))),
            _ => (Fate::Stands, None),
        };
        watch.observe(Event::new('H', from, to, fate));
        outcome
    }

    fn state_bytes(&self) -> usize {
        size_of::<State>() + size_of::<Baddie>() * self.start.baddies.len()
    }
}

impl Deterministic for Baddies {
    fn without_chasers(&self) -> Option<Self> {
        let mut alone = self.clone();
        alone.start.baddies.clear();
        Some(alone)
    }

    fn widened(&self) -> Option<Self> {
        let grid = self.grid.widened(1)?;
        let moved = |cell| self.grid.cell_in_widened(1, cell);
        let baddie = |baddie: &Baddie| Baddie {
            cell: moved(baddie.cell),
            ..*baddie
        };
        let mut wide = Self::empty(grid);
        wide.start.hero = moved(self.start.hero);
        wide.start.baddies = self.start.baddies.iter().map(baddie).collect();
        for (cell, &terrain) in self.grid.cells().zip(&self.terrain) {
            wide.terrain[moved(cell).index()] = terrain;
        }
        Some(wide)
    }

    /// Applies rules 1, 2, 4 and 5 to the baddies.
    fn chase<W: Watch>(&self, at: &mut State, watch: &mut W) -> Option<Outcome> {
        let before = std::mem::take(&mut at.baddies);
        let baddies = &mut at.baddies;
        baddies.reserve_exact(before.len());
        for (number, &baddie) in before.iter().enumerate() {
            let Baddie { cell: from, kind } = baddie;
            let aim = self.baddie_lands(baddie, at.hero);
            // Baddies on later cells have not moved yet, so `before` still says where they are.
            let is_taken = holds(baddies, aim) || aim > from && holds(&before, aim);
            let (to, fate) = self.lands_or_stays(from, aim, at.hero, is_taken);
            watch.observe(Event::new(kind.glyph(), from, to, fate));
            if fate == Fate::Fell {
                continue;
            }
            let last = baddies.iter().rposition(|baddie| baddie.cell < to);
            baddies.insert(last.map_or(0, |place| place + 1), Baddie { cell: to, kind });
            if fate == Fate::Catches {
                baddies.extend_from_slice(&before[number + 1..]);
                baddies.sort_unstable();
                return Some(Outcome::Caught(Cause::Chaser));
            }
        }
        None
    }
}

/// Returns whether a baddie of a sorted list is on this cell.
fn holds(baddies: &[Baddie], cell: Cell) -> bool {
    const FEW: usize = 16;
    if baddies.len() <= FEW {
        return baddies.iter().any(|baddie| baddie.cell == cell);
    }
    let found = baddies.binary_search_by_key(&cell, |baddie| baddie.cell);
    found.is_ok()
}

impl Playable for Baddies {
    const CHASERS: &'static str = "baddies";
    const STAY: Option<Key> = Some(Key(4));
    const KEYPAD: [&'static str; 9] = ["q", "w", "e", "a", "s", "d", "z", "x", "c"];

    fn ground(&self, cell: Cell) -> char {
        self.terrain(cell).glyph()
    }

    fn draw_over(&self, at: &State, put: &mut impl FnMut(Cell, char)) {
        if self.terrain(at.hero) != Terrain::Abyss {
            put(at.hero, 'H');
        }
        for baddie in &at.baddies {
            put(baddie.cell, baddie.kind.glyph());
        }
    }

    /// Returns the hero's distance to the nearest ladder, in straight or diagonal steps.
    fn distance(&self, at: &State) -> u32 {
        let (row, col) = self.grid.position(at.hero);
        let far = |ladder| {
            let (to_row, to_col) = self.grid.position(ladder);
            row.abs_diff(to_row).max(col.abs_diff(to_col))
        };
        self.ladders().map(far).min().unwrap_or(0)
    }

    fn grid(&self) -> Grid {
        self.grid
    }

    fn actors(&self, at: &State) -> Vec<(char, Cell)> {
        let baddies = at
            .baddies
            .iter()
            .map(|baddie| (baddie.kind.glyph(), baddie.cell));
        [('H', at.hero)].into_iter().chain(baddies).collect()
    }

    fn controlled(&self) -> Option<&dyn Controlled<State>> {
        Some(self)
    }
}
