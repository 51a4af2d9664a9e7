//! A fifth ruleset, written from outside the crate: Theseus and the Minotaur, after Robert Abbott's
//! maze of 1990.
//!
//! `T` Theseus, `M` the Minotaur, `E` the exit, `#` wall, `.` empty. Theseus steps up, down, left or
//! right, or waits (`S`). Then the Minotaur takes two steps: each to the left or right if that brings
//! him nearer, else up or down if that does, else none.
//!
//! Rules in, verdict and line of play out: what is written here is the rulebook and nothing else.
//!
//! ```sh
//! cargo run --example theseus
//! ```

use std::fmt;
use std::io;
use std::str::FromStr;

use getaway::engine::Limits;
use getaway::engine::search::{Equal, Order, Search};
use getaway::fault::BoardError;
use getaway::game::{Ending, Game, Half, LineKind, Plan, Player, Solution, Teller, TraceError};
use getaway::puzzle::sheet::{self, Alphabet, Sheet};
use getaway::puzzle::{Puzzle, text};
use getaway::rollout::Conduct;
use getaway::rules::{Cause, Deterministic, Event, Fate, Outcome, Playable, Ruleset, Watch};
use getaway::rulesets::{self, Entry, RULESETS};
use getaway::solver::{self, Solved};
use getaway::{Bits, Cell, Dir, Grid};

const ALPHABET: Alphabet = Alphabet {
    glyphs: "TME#.",
    empty: '.',
    known: "`T` Theseus, `M` Minotaur, `E` exit, `#` wall, `.` empty",
};

/// The one line that a list of rulesets needs.
const ENTRY: Entry = Entry {
    name: "theseus",
    fits: |puzzle| puzzle.glyphs().fit(&ALPHABET),
    misfit: |puzzle| sheet::misfit(puzzle, &puzzle.rows, &ALPHABET),
    read: |puzzle| Ok(Box::new(Theseus::read(puzzle)?)),
};

struct Theseus {
    grid: Grid,
    walls: Bits,
    exit: Cell,
    start: State,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    theseus: Cell,
    minotaur: Cell,
}

/// A step, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step(Option<Dir>);

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(dir) => dir.fmt(f),
            None => f.write_str("S"),
        }
    }
}

impl FromStr for Step {
    type Err = getaway::grid::NoDir;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.eq_ignore_ascii_case("S") {
            Ok(Self(None))
        } else {
            text.parse().map(Some).map(Self)
        }
    }
}

impl Theseus {
    fn read(puzzle: &Puzzle) -> Result<Self, BoardError> {
        let mut sheet = Sheet::read(puzzle, &ALPHABET)?;
        let grid = sheet.grid();
        let mut walls = Bits::new(grid);
        sheet.cells().for_each(|(cell, glyph)| {
            if glyph == b'#' {
                walls.insert(cell);
            }
        });
        let theseus = sheet.only('T', "Theseus", "Theseuses");
        let minotaur = sheet.only('M', "Minotaur", "Minotaurs");
        let exit = sheet.only('E', "exit", "exits");
        sheet.finish()?;
        let found = "what is missing is a fault";
        let start = State {
            theseus: theseus.expect(found),
            minotaur: minotaur.expect(found),
        };
        Ok(Self {
            grid,
            walls,
            exit: exit.expect(found),
            start,
        })
    }

    fn step(&self, from: Cell, dir: Dir) -> Option<Cell> {
        self.grid
            .step(from, dir)
            .filter(|&to| !self.walls.contains(to))
    }

    fn land(&self, at: &State, Step(dir): Step) -> Option<Cell> {
        dir.map_or(Some(at.theseus), |dir| self.step(at.theseus, dir))
    }

    /// One step of the Minotaur: sideways first.
    fn stalk(&self, at: &State) -> Cell {
        let far = |cell| self.grid.distance(cell, at.theseus);
        [Dir::Left, Dir::Right, Dir::Up, Dir::Down]
            .into_iter()
            .filter_map(|dir| self.step(at.minotaur, dir))
            .find(|&to| far(to) < far(at.minotaur))
            .unwrap_or(at.minotaur)
    }
}

impl Ruleset for Theseus {
    type State = State;
    type Move = Step;

    fn start(&self) -> State {
        self.start.clone()
    }

    fn moves(&self, at: &State, out: &mut Vec<Step>) {
        let all = Dir::ALL.map(Some).into_iter().chain([None]).map(Step);
        out.extend(all.filter(|&step| self.refusal(at, step).is_none()));
    }

    fn act<W: Watch>(&self, at: &mut State, step: Step, watch: &mut W) -> Option<Outcome> {
        let to = self.land(at, step).expect("the move is legal");
        watch.see(Event {
            actor: 'T',
            from: at.theseus,
            to,
            fate: Fate::Stands,
        });
        at.theseus = to;
        (to == self.exit).then_some(Outcome::Escaped)
    }
}

impl Deterministic for Theseus {
    fn chase<W: Watch>(&self, at: &mut State, watch: &mut W) -> Option<Outcome> {
        for _ in 0..2 {
            let to = self.stalk(at);
            let from = std::mem::replace(&mut at.minotaur, to);
            let is_catch = to == at.theseus;
            let fate = if is_catch {
                Fate::Catches
            } else {
                Fate::Stands
            };
            watch.see(Event {
                actor: 'M',
                from,
                to,
                fate,
            });
            if is_catch {
                return Some(Outcome::Caught(Cause::Chaser));
            }
        }
        None
    }
}

impl Playable for Theseus {
    const RUNNER: &'static str = "Theseus";
    const CHASERS: &'static str = "Minotaur";
    const STAY: Option<Step> = Some(Step(None));

    fn refusal(&self, at: &State, step: Step) -> Option<String> {
        match self.land(at, step) {
            None => Some("a wall or the edge is in the way".into()),
            Some(to) if to == at.minotaur => Some("the Minotaur is there".into()),
            Some(_) => None,
        }
    }

    fn picture(&self, at: &State) -> Vec<String> {
        let glyph = |cell| match () {
            () if cell == at.minotaur => 'M',
            () if cell == at.theseus => 'T',
            () if cell == self.exit => 'E',
            () if self.walls.contains(cell) => '#',
            () => '.',
        };
        let glyphs: Vec<char> = self.grid.cells().map(glyph).collect();
        glyphs
            .chunks(self.grid.cols() as usize)
            .map(|row| row.iter().collect())
            .collect()
    }

    fn distance(&self, at: &State) -> u32 {
        self.grid.distance(at.theseus, self.exit)
    }

    fn position(&self, cell: Cell) -> (u32, u32) {
        self.grid.position(cell)
    }
}

impl Game for Theseus {
    fn solve(&self, order: Order, limits: &Limits) -> Solution {
        let mut search = Search::new(Equal::default());
        let finding = search.run(self, order, limits);
        let found = (finding, search.states());
        solver::solution(solver::vouched(self, found, order, limits), order)
    }

    fn player<'g>(&'g self, conduct: &Conduct<'g>) -> Result<Box<dyn Player + 'g>, TraceError> {
        solver::player(self, conduct)
    }

    fn trace(&self, plan: &Plan, teller: &mut dyn Teller) -> Result<Ending, TraceError> {
        solver::trace(self, plan, teller)
    }
}

impl Solved for Theseus {}

/// Prints each half turn.
struct Printer;

impl Teller for Printer {
    fn begin(&mut self, _line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        println!("{}\n", rows().join("\n"));
        Ok(())
    }

    fn half(&mut self, half: &Half) -> io::Result<()> {
        println!(
            "turn {}, {}\n{}\n",
            half.turn,
            half.who,
            half.rows.join("\n")
        );
        Ok(())
    }
}

const BOARD: &str = "\
.......
.#.M.#.
..###..
.#.T.#.
......E
";

fn main() {
    let rulesets: Vec<Entry> = RULESETS.iter().copied().chain([ENTRY]).collect();
    let mut puzzle = Puzzle::empty();
    let read = text::Boards::new(BOARD.as_bytes(), 1).read(&mut puzzle);
    assert_eq!(read, Ok(true));
    let entry = rulesets::of_board(&rulesets, &puzzle).expect("its glyphs fit one ruleset");
    let game = (entry.read)(&puzzle).expect("the board is well-formed");
    let plan = Plan {
        order: Order::BreadthFirst,
        ..Plan::default()
    };
    let solution = game.solve(plan.order, &plan.limits);
    println!(
        "{}: {} after {} states\n",
        entry.name, solution.verdict, solution.states
    );
    let ending = game
        .trace(&plan, &mut Printer)
        .expect("there is a line to show");
    println!("{ending:?}");
}
