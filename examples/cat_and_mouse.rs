//! A custom ruleset in its own crate, with all commands.
//!
//! `m` mouse, `c` cat, `o` hole (one of each), `#` wall, `.` empty. The mouse steps up, down, left or right, or waits (`S`); in
//! the hole, it is safe. Then the cat takes the first step, if any, that brings it closer to the mouse, and catches the mouse if
//! it lands on the mouse's cell.
//!
//! ```sh
//! printf 'm.c..\n.###.\n....o\n' | cargo run --example cat_and_mouse -- solve --shortest -
//! ```

use getaway::{
    BoardError, Cause, Cell, Deterministic, Entry, Event, GlyphGrid, Grid, Ground, Legend, Meaning,
    Notation, Outcome, Playable, Puzzle, RULESETS, Reason, Ruleset, Step, Watch,
};

struct CatAndMouse {
    ground: Ground,
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
        let sheet = GlyphGrid::read(puzzle, &Self::LEGEND)?;
        let ground = sheet.ground()?;
        let [mouse, cat, _] = sheet.one_each([('m', "mice"), ('c', "cats"), ('o', "holes")])?;
        let start = State { mouse, cat };
        Ok(Self { ground, start })
    }
}

impl Ruleset for CatAndMouse {
    type State = State;
    type Move = Step;

    const MOVES: &'static [Step] = &Step::ALL;

    fn start(&self) -> State {
        self.start.clone()
    }

    fn refusal(&self, at: &State, step: Step) -> Option<Reason> {
        match self.ground.step(at.mouse, step, '#') {
            None => Some("a wall or the edge is in the way".into()),
            Some(to) => (to == at.cat).then(|| "the cat is there".into()),
        }
    }

    fn act<W: Watch>(&self, at: &mut State, step: Step, watch: &mut W) -> Option<Outcome> {
        let to = self.ground.step(at.mouse, step, '#');
        let to = to.expect("the move is legal");
        watch.observe(Event::step('m', at.mouse, to));
        at.mouse = to;
        (self.ground.glyph(to) == 'o').then_some(Outcome::Escaped)
    }
}

impl Deterministic for CatAndMouse {
    fn chase<W: Watch>(&self, at: &mut State, watch: &mut W) -> Option<Outcome> {
        let far = |cell| self.grid().distance(cell, at.mouse);
        let to = Step::ALL
            .into_iter()
            .filter_map(|step| self.ground.step(at.cat, step, '#'))
            .find(|&to| far(to) < far(at.cat))
            .unwrap_or(at.cat);
        let is_catch = to == at.mouse;
        watch.observe(Event::chase('c', at.cat, to, is_catch));
        at.cat = to;
        is_catch.then_some(Outcome::Caught(Cause::Chaser))
    }
}

impl Playable for CatAndMouse {
    const STAY: Option<Step> = Some(Step::WAIT);

    fn grid(&self) -> Grid {
        self.ground.grid()
    }

    fn ground(&self, cell: Cell) -> char {
        self.ground.glyph(cell)
    }

    fn actors(&self, at: &State) -> Vec<(char, Cell)> {
        vec![('m', at.mouse), ('c', at.cat)]
    }
}

pub(crate) const ENTRY: Entry = Entry::searched::<CatAndMouse>();

fn main() -> std::process::ExitCode {
    getaway::cli::run(&[RULESETS, &[ENTRY]].concat())
}
