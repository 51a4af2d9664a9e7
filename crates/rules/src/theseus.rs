#![doc = include_str!("theseus.md")]
//! # Where the rules come from
//!
//! Decided here: Theseus may not step onto the Minotaur (rule 2), and a gap in the frame is an error. The published puzzles
//! disagree about the exit, so it is a setting: in some, Theseus escapes at once; in others, the Minotaur can still catch him.

use getaway_board::bits::Bits;
use getaway_board::fault::{BoardError, FaultKind};
use getaway_board::grid::{Cell, Dir, Grid, Step};
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::sheet::GlyphGrid;
use getaway_ruleset::{
    Cause, Deterministic, Event, Legend, Meaning, Notation, Outcome, Playable, Reason, Ruleset,
    Watch,
};

/// A board of `theseus`. Its grid is the complete drawing, including walls.
#[derive(Clone, Debug)]
pub struct Theseus {
    grid: Grid,
    drawing: Vec<u8>,
    start: State,
    minotaur_steps: u8,
    is_guarded: bool,
}

/// A position with Theseus to move. Its cells are those of the drawing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Theseus' cell.
    pub theseus: Cell,
    /// The Minotaur's cell.
    pub minotaur: Cell,
}

impl Notation for Theseus {
    const NAME: &'static str = "theseus";
    const SUMMARY: &'static str =
        "Theseus and the Minotaur with two steps to his one: reach the exit";
    const RULES: &'static str = include_str!("theseus.md");
    const LEGEND: Legend = Legend::new(&[
        ("T", Meaning::Runner, "Theseus"),
        ("M", Meaning::Chaser, "Minotaur"),
        ("E", Meaning::Goal, "exit"),
        ("t", Meaning::Runner, "Theseus on an exit"),
        ("m", Meaning::Chaser, "Minotaur on an exit"),
        ("#", Meaning::Wall, "solid"),
        (" .", Meaning::Floor, "empty"),
        ("|-+", Meaning::Wall, "wall"),
    ])
    .doubled();
    const SETTINGS: &'static [&'static str] = &["minotaur-steps", "exit"];

    fn fits(puzzle: &Puzzle) -> bool {
        let glyphs = puzzle.glyphs();
        glyphs.fit(&Self::LEGEND) && (glyphs.has(b'T') || glyphs.has(b't'))
    }

    fn read(puzzle: &Puzzle) -> Result<Self, BoardError> {
        let mut sheet = GlyphGrid::read(puzzle, &Self::LEGEND)?;
        let grid = sheet.grid();
        // The memory of the drawing, of two temporary sets of cells, and of the stack in the search for gaps.
        let list = size_of::<Cell>() * (grid.size() / 4);
        puzzle.take((grid.size() + 2 * Bits::heap_bytes(grid) + list) as u64)?;
        let mut drawing = Vec::with_capacity(grid.size());
        sheet.visit(|_, glyph| drawing.push(without_actor(glyph)))?;
        let misplaced = |(cell, glyph)| Some((cell, misplaced(grid, cell, glyph)?));
        let cells = sheet.cells().take_while(|_| puzzle.work(4).is_ok());
        sheet.add(sheet.faults_at(cells.filter_map(misplaced)));
        let theseus = sheet.only_of(['T', 't'], "Theseuses");
        let minotaur = sheet.only_of(['M', 'm'], "Minotaurs");
        if !drawing.contains(&b'E') {
            sheet.missing('E');
        }
        let expected = |_: &str| "write 0 to 4".to_owned();
        let read = |text: &str| text.parse().ok().filter(|steps| *steps <= 4);
        let steps = sheet.check(puzzle.setting("minotaur-steps", expected, read));
        let exit = sheet.check(puzzle.word("exit", &[("safe", false), ("guarded", true)]));
        let read = || {
            Some(Self {
                grid,
                drawing,
                start: State {
                    theseus: theseus?,
                    minotaur: minotaur?,
                },
                minotaur_steps: steps?.unwrap_or(2),
                is_guarded: exit?.unwrap_or(false),
            })
        };
        let theseus = read();
        let gaps = theseus.iter().flat_map(|theseus| theseus.gaps(puzzle));
        sheet.add(sheet.faults_at(gaps.map(|cell| (cell, gap()))));
        sheet.finish()?;
        Ok(theseus.expect("a missing piece is a fault"))
    }
}

impl Theseus {
    /// Returns the cells at which an actor could leave the drawing; stops early if a limit is reached.
    fn gaps(&self, puzzle: &Puzzle) -> Vec<Cell> {
        let mut gaps = Vec::new();
        let mut reached = Bits::new(self.grid);
        let mut rest = Vec::with_capacity(self.grid.size() / 4);
        for actor in [self.start.theseus, self.start.minotaur] {
            // An actor drawn between the cells of the maze has already been reported.
            let is_cell = self.grid.row(actor) % 2 == 1 && self.grid.col(actor) % 2 == 1;
            if is_cell && reached.insert(actor) {
                rest.push(actor);
            }
        }
        while let Some(cell) = rest.pop() {
            if puzzle.work(16).is_err() {
                break;
            }
            for dir in Dir::ALL {
                let between = self.grid.step(cell, dir);
                let to = between.and_then(|between| self.grid.step(between, dir));
                match (between, to) {
                    (None, _) => gaps.push(cell),
                    (Some(between), _) if self.is_wall(between) => {}
                    (Some(between), None) => gaps.push(between),
                    (_, Some(to)) if self.is_wall(to) || !reached.insert(to) => {}
                    (_, Some(to)) => rest.push(to),
                }
            }
        }
        gaps.sort_unstable();
        gaps.dedup();
        gaps
    }

    fn is_wall(&self, cell: Cell) -> bool {
        matches!(self.drawing[cell.index()], b'#' | b'|' | b'-')
    }

    fn is_exit(&self, cell: Cell) -> bool {
        self.drawing[cell.index()] == b'E'
    }

    fn step(&self, from: Cell, dir: Dir) -> Option<Cell> {
        let between = self.grid.step(from, dir)?;
        let to = self.grid.step(between, dir)?;
        (!self.is_wall(between) && !self.is_wall(to)).then_some(to)
    }

    /// Returns the cell to which Theseus moves (rule 2), even if the Minotaur is there; `None` if a wall or a solid is in the
    /// way.
    fn land(&self, at: &State, Step(dir): Step) -> Option<Cell> {
        dir.map_or(Some(at.theseus), |dir| self.step(at.theseus, dir))
    }

    /// Returns the Minotaur's cell after one step (rule 4).
    fn minotaur_step(&self, at: &State) -> Cell {
        let far = |cell| self.grid.distance(cell, at.theseus);
        // Steps to the left or right take precedence, so they are tried first.
        [Dir::Left, Dir::Right, Dir::Up, Dir::Down]
            .into_iter()
            .filter_map(|dir| self.step(at.minotaur, dir))
            .find(|&to| far(to) < far(at.minotaur))
            .unwrap_or(at.minotaur)
    }
}

const fn without_actor(glyph: u8) -> u8 {
    match glyph {
        b't' | b'm' => b'E',
        b'T' | b'M' => b' ',
        other => other,
    }
}

fn misplaced(grid: Grid, cell: Cell, glyph: u8) -> Option<FaultKind> {
    let (row, col) = grid.position(cell);
    let (allowed, help) = match (row % 2 == 0, col % 2 == 0) {
        (false, false) => ("TMEtm#. ", "a cell is `T`, `M`, `E`, `#`, `.` or a space"),
        (false, true) => ("| ", "between two columns, write `|` or a space"),
        (true, false) => ("- ", "between two rows, write `-` or a space"),
        (true, true) => ("+-| ", "where walls meet, write `+`, `-`, `|` or a space"),
    };
    let glyph = glyph as char;
    let is_misplaced = Theseus::LEGEND.has(glyph) && !allowed.contains(glyph);
    is_misplaced.then(|| FaultKind::other(format!("`{glyph}` is not allowed here"), help))
}

fn gap() -> FaultKind {
    let help = "close it with `-` or `|`; an exit is a cell with an `E`";
    FaultKind::other("a gap in the frame", help)
}

impl Ruleset for Theseus {
    type State = State;
    type Move = Step;

    const MOVES: &'static [Step] = &Step::ALL;

    fn start(&self) -> State {
        self.start.clone()
    }

    /// Applies rule 1.
    fn open<W: Watch>(&self, at: &mut State, _watch: &mut W) -> Option<Outcome> {
        self.is_exit(at.theseus).then_some(Outcome::Escaped)
    }

    fn refusal(&self, at: &State, step: Step) -> Option<Reason> {
        match self.land(at, step) {
            None => Some("a wall is in the way".into()),
            Some(to) if to == at.minotaur => Some("the Minotaur is there".into()),
            Some(_) => None,
        }
    }

    /// Applies rule 2, and rule 3 for a safe exit.
    fn act<W: Watch>(&self, at: &mut State, step: Step, watch: &mut W) -> Option<Outcome> {
        let to = self.land(at, step).expect("the move is legal");
        let from = std::mem::replace(&mut at.theseus, to);
        watch.observe(Event::step('T', from, to));
        (!self.is_guarded && self.is_exit(to)).then_some(Outcome::Escaped)
    }
}

impl Deterministic for Theseus {
    /// Puts the Minotaur on Theseus' starting cell, to which a shortest line does not return, and leaves him there.
    fn without_chasers(&self) -> Option<Self> {
        let mut alone = self.clone();
        alone.start.minotaur = self.start.theseus;
        alone.minotaur_steps = 0;
        Some(alone)
    }

    /// Moves the frame out by one cell, which is two characters.
    fn widened(&self) -> Option<Self> {
        let grid = self.grid.widened(2)?;
        let is_post = |cell| grid.row(cell) % 2 == 0 && grid.col(cell) % 2 == 0;
        let frame = |cell| match (grid.is_border(cell), is_post(cell)) {
            (false, _) => b' ',
            (true, true) => b'+',
            (true, false) if grid.row(cell) % 2 == 0 => b'-',
            (true, false) => b'|',
        };
        let mut drawing: Vec<u8> = grid.cells().map(frame).collect();
        let moved = |cell| self.grid.cell_in_widened(2, cell);
        for cell in self.grid.cells().filter(|&cell| !self.grid.is_border(cell)) {
            drawing[moved(cell).index()] = self.drawing[cell.index()];
        }
        Some(Self {
            grid,
            drawing,
            start: State {
                theseus: moved(self.start.theseus),
                minotaur: moved(self.start.minotaur),
            },
            ..*self
        })
    }

    /// Applies rule 4, and rule 3 for a guarded exit.
    fn chase<W: Watch>(&self, at: &mut State, watch: &mut W) -> Option<Outcome> {
        for _ in 0..self.minotaur_steps {
            let to = self.minotaur_step(at);
            let from = std::mem::replace(&mut at.minotaur, to);
            let is_catch = to == at.theseus;
            watch.observe(Event::chase('M', from, to, is_catch));
            if is_catch {
                return Some(Outcome::Caught(Cause::Chaser));
            }
        }
        // At a safe exit, the game has already ended, so this exit is guarded.
        self.is_exit(at.theseus).then_some(Outcome::Escaped)
    }
}

impl Playable for Theseus {
    const STAY: Option<Step> = Some(Step::WAIT);

    fn ground(&self, cell: Cell) -> char {
        self.drawing[cell.index()].into()
    }

    fn draw_over(&self, at: &State, put: &mut impl FnMut(Cell, char)) {
        for (glyph, on_exit, cell) in [('T', 't', at.theseus), ('M', 'm', at.minotaur)] {
            let is_exit = self.is_exit(cell);
            put(cell, if is_exit { on_exit } else { glyph });
        }
    }

    fn distance(&self, at: &State) -> u32 {
        let exits = self.grid.cells().filter(|&cell| self.is_exit(cell));
        let far = exits.map(|exit| self.grid.distance(at.theseus, exit) / 2);
        far.min().unwrap_or(0)
    }

    fn grid(&self) -> Grid {
        self.grid
    }

    fn actors(&self, at: &State) -> Vec<(char, Cell)> {
        vec![('T', at.theseus), ('M', at.minotaur)]
    }
}
