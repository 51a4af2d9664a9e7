//! A custom game of chance in its own crate, with all commands.
//!
//! `w` walker, `d` drunkard, `h` home (one of each), `#` wall, `.` empty. The walker steps up, down, left or right, or
//! waits (`S`); at home he is safe. Then the drunkard stays or steps to an adjacent free cell, all equally likely, and
//! catches the walker if he bumps into him.
//! Try `printf 'w....\n.#d#.\n....h\n' | cargo run --example drunkard -- solve -`.

use getaway::{
    BoardError, Cause, Cell, Distribution, Entry, Event, GlyphGrid, Grid, Ground, Legend, Meaning,
    Notation, Outcome, Playable, Puzzle, RULESETS, Reason, Ruleset, Step, Stochastic, Watch,
};

struct Drunkard {
    ground: Ground,
    start: State,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    walker: Cell,
    drunkard: Cell,
}

impl Notation for Drunkard {
    const NAME: &'static str = "drunkard";
    const SUMMARY: &'static str = "a walker goes home past a drunkard";
    const RULES: &'static str = "The walker steps or waits; then the drunkard staggers at random.";
    const LEGEND: Legend = Legend::new(&[
        ("w", Meaning::Runner, "walker"),
        ("d", Meaning::Chaser, "drunkard"),
        ("h", Meaning::Goal, "home"),
        ("#", Meaning::Wall, "wall"),
        (".", Meaning::Floor, "empty"),
    ]);

    fn read(puzzle: &Puzzle) -> Result<Self, BoardError> {
        let sheet = GlyphGrid::read(puzzle, &Self::LEGEND)?;
        let ground = sheet.ground()?;
        let [walker, drunkard, _] =
            sheet.one_each([('w', "walkers"), ('d', "drunkards"), ('h', "homes")])?;
        let start = State { walker, drunkard };
        Ok(Self { ground, start })
    }
}

impl Ruleset for Drunkard {
    type State = State;
    type Move = Step;

    const MOVES: &'static [Step] = &Step::ALL;

    fn start(&self) -> State {
        self.start.clone()
    }

    fn refusal(&self, at: &State, step: Step) -> Option<Reason> {
        match self.ground.step(at.walker, step, '#') {
            None => Some("a wall or the edge is in the way".into()),
            Some(to) => (to == at.drunkard).then(|| "the drunkard is there".into()),
        }
    }

    fn act<W: Watch>(&self, at: &mut State, step: Step, watch: &mut W) -> Option<Outcome> {
        let to = self.ground.step(at.walker, step, '#');
        let to = to.expect("the move is legal");
        watch.observe(Event::step('w', at.walker, to));
        at.walker = to;
        (self.ground.glyph(to) == 'h').then_some(Outcome::Escaped)
    }
}

impl Stochastic for Drunkard {
    type Chaser = ();
    type Choice = Cell;

    fn chasers(&self, _at: &State, out: &mut Vec<()>) {
        out.push(());
    }

    fn outcomes(&self, at: &State, (): (), out: &mut Distribution<Cell>) {
        let beside = Step::ALL.map(|step| self.ground.step(at.drunkard, step, '#'));
        let beside: Vec<_> = beside.into_iter().flatten().collect();
        out.push_uniform(beside.into_iter(), 1.0);
    }

    fn carry_out<W: Watch>(
        &self,
        at: &mut State,
        (): (),
        &to: &Cell,
        watch: &mut W,
    ) -> Option<Outcome> {
        let is_catch = to == at.walker;
        watch.observe(Event::chase('d', at.drunkard, to, is_catch));
        at.drunkard = to;
        is_catch.then_some(Outcome::Caught(Cause::Chaser))
    }
}

impl Playable for Drunkard {
    const STAY: Option<Step> = Some(Step::WAIT);

    fn grid(&self) -> Grid {
        self.ground.grid()
    }

    fn ground(&self, cell: Cell) -> char {
        self.ground.glyph(cell)
    }

    fn actors(&self, at: &State) -> Vec<(char, Cell)> {
        vec![('w', at.walker), ('d', at.drunkard)]
    }
}

pub(crate) const ENTRY: Entry = Entry::of_chance::<Drunkard>();

fn main() -> std::process::ExitCode {
    getaway::cli::run(&[RULESETS, &[ENTRY]].concat())
}
