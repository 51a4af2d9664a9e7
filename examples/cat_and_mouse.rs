//! A ruleset of your own, from outside the crate: rules in, the whole program out.
//!
//! `m` the mouse, `c` the cat, `o` the hole (one of each), `#` wall, `.` empty. The mouse steps up, down,
//! left or right, or waits (`S`); in the hole it is safe. Then the cat takes the first of its four steps
//! that brings it closer to the mouse, if any does; where it lands on the mouse, the mouse is caught.
//!
//! ```sh
//! printf 'm.c..\n.###.\n....o\n' | cargo run --example cat_and_mouse -- solve --shortest -
//! ```

use getaway::{Bits, BoardError, Cell, Dir, GlyphGrid, Grid, Puzzle, Step};
use getaway::{
    Cause, Deterministic, Entry, Event, Legend, Meaning, Notation, Outcome, Playable, RULESETS,
    Ruleset, Watch,
};

struct CatAndMouse {
    grid: Grid,
    walls: Bits,
    hole: Cell,
    start: State,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    mouse: Cell,
    cat: Cell,
}

impl Notation for CatAndMouse {
    const NAME: &'static str = "cat-and-mouse";
    const SUMMARY: &'static str = "a mouse runs for its hole";
    const RULES: &'static str = "The mouse steps or waits; then the cat takes a step towards it.";
    const LEGEND: Legend = Legend::new(&[
        ("m", Meaning::Runner, "mouse"),
        ("c", Meaning::Chaser, "cat"),
        ("o", Meaning::Goal, "hole"),
        ("#", Meaning::Wall, "wall"),
        (".", Meaning::Floor, "empty"),
    ]);

    fn read(puzzle: &Puzzle) -> Result<Self, BoardError> {
        let mut sheet = GlyphGrid::read(puzzle, &Self::LEGEND)?;
        let (grid, walls) = (sheet.grid(), sheet.all('#'));
        let one_each = [('m', "mice"), ('c', "cats"), ('o', "holes")];
        let found = one_each.map(|(glyph, plural)| sheet.only(glyph, plural));
        sheet.finish()?;
        let [mouse, cat, hole] = found.map(|cell| cell.expect("what is missing is a fault"));
        Ok(Self {
            grid,
            walls,
            hole,
            start: State { mouse, cat },
        })
    }
}

impl CatAndMouse {
    fn step(&self, from: Cell, dir: Dir) -> Option<Cell> {
        self.grid
            .step(from, dir)
            .filter(|&to| !self.walls.contains(to))
    }

    fn land(&self, at: &State, Step(dir): Step) -> Option<Cell> {
        dir.map_or(Some(at.mouse), |dir| self.step(at.mouse, dir))
    }
}

impl Ruleset for CatAndMouse {
    type State = State;
    type Move = Step;

    fn start(&self) -> State {
        self.start.clone()
    }

    fn moves(&self, at: &State, out: &mut Vec<Step>) {
        let is_legal = |&step: &Step| self.refusal(at, step).is_none();
        out.extend(Step::ALL.into_iter().filter(is_legal));
    }

    fn act<W: Watch>(&self, at: &mut State, step: Step, watch: &mut W) -> Option<Outcome> {
        let to = self.land(at, step).expect("the move is legal");
        let from = std::mem::replace(&mut at.mouse, to);
        watch.see(Event::step('m', from, to));
        (to == self.hole).then_some(Outcome::Escaped)
    }
}

impl Deterministic for CatAndMouse {
    fn chase<W: Watch>(&self, at: &mut State, watch: &mut W) -> Option<Outcome> {
        let far = |cell| self.grid.distance(cell, at.mouse);
        let to = Dir::ALL
            .into_iter()
            .filter_map(|dir| self.step(at.cat, dir))
            .find(|&to| far(to) < far(at.cat))
            .unwrap_or(at.cat);
        let is_catch = to == at.mouse;
        watch.see(Event::chase('c', at.cat, to, is_catch));
        at.cat = to;
        is_catch.then_some(Outcome::Caught(Cause::Chaser))
    }
}

impl Playable for CatAndMouse {
    const RUNNER: &'static str = "mouse";
    const CHASERS: &'static str = "cat";
    const STAY: Option<Step> = Some(Step::WAIT);

    fn refusal(&self, at: &State, step: Step) -> Option<String> {
        match self.land(at, step) {
            None => Some("a wall or the edge is in the way".into()),
            Some(to) if to == at.cat => Some("the cat is there".into()),
            Some(_) => None,
        }
    }

    fn picture(&self, at: &State) -> Vec<String> {
        self.grid.draw(|cell| match () {
            () if cell == at.cat => 'c',
            () if cell == at.mouse => 'm',
            () if cell == self.hole => 'o',
            () if self.walls.contains(cell) => '#',
            () => '.',
        })
    }

    fn distance(&self, at: &State) -> u32 {
        self.grid.distance(at.mouse, self.hole)
    }

    fn grid(&self) -> Grid {
        self.grid
    }
}

fn main() -> std::process::ExitCode {
    getaway::cli::run(&[RULESETS, &[Entry::searched::<CatAndMouse>()]].concat())
}
