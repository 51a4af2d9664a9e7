#![doc = include_str!("moving.md")]
//! # Where the rules come from
//!
//! The source only hints at this game ("moving walls", "once the runner hit the wall, the game is over", "string food
//! together", "compare the moving wall to a snake"); the rest was decided here. The numbering of the rules continues
//! that of [`super`]. [`Moving::advice`] is the runner's own choice.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::astar::{self, Distances};
use super::body::{Body, Effort, NoOrder, in_order};
use super::format::WALL_LETTERS;
use super::{Id, Kind, Map, Maze, NextMove, Tile, Undecided, Way, next_move};
use crate::distribution::Distribution;
use crate::fault::{BoardError, FaultKind};
use crate::grid::{Cell, Grid};
use crate::limits::{Clock, Limit, Limits};
use crate::puzzle::Puzzle;
use crate::ruleset::{
    Event, Legend, Notation, Outcome, Playable, Reason, Ruleset, Stochastic, Watch,
};

#[derive(Clone, Debug)]
pub struct Moving {
    runner: Id,
    /// The walls' ids in ascending order.
    walls: Vec<Id>,
    start: State,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    map: Map,
    runner: Body,
    /// The walls' bodies, in the order of their ids.
    walls: Vec<Body>,
    left: usize,
    gathered: usize,
    /// These do not depend on walls, so they stay valid until food is eaten.
    near: Distances,
}

impl State {
    pub const fn map(&self) -> &Map {
        &self.map
    }

    pub const fn runner(&self) -> &Body {
        &self.runner
    }

    pub const fn left(&self) -> usize {
        self.left
    }

    pub const fn gathered(&self) -> usize {
        self.gathered
    }
}

/// The rest follows from these.
impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (&self.map, &self.runner, &self.walls).hash(hasher);
    }
}

/// A wall, identified by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wall(usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    Runner(Id),
    Wall(Id),
}

impl Actor {
    const fn id(self) -> Id {
        match self {
            Self::Runner(id) | Self::Wall(id) => id,
        }
    }

    /// The words for a head and for its body.
    const fn parts(self) -> (&'static str, &'static str) {
        match self {
            Self::Runner(_) => ("head", "string"),
            Self::Wall(_) => ("moving end", "body"),
        }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Runner(id) => write!(f, "the runner (id {id})"),
            Self::Wall(id) => write!(f, "the wall of id {id}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Immovable {
    NoHead(Actor),
    NoPath(Actor),
    /// A path was neither found in time nor ruled out.
    TooTangled(Actor),
    Undecided(Limit),
}

impl From<Limit> for Immovable {
    fn from(limit: Limit) -> Self {
        Self::Undecided(limit)
    }
}

impl fmt::Display for Immovable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this map can't be played: ")?;
        match self {
            Self::NoHead(actor) => {
                let (head, _) = actor.parts();
                write!(f, "{actor} has no {head} (`{}`)", actor.id().head())
            }
            Self::NoPath(actor) => {
                let (head, rest) = actor.parts();
                write!(
                    f,
                    "no path from the {head} of {actor} runs through all of its {rest}"
                )
            }
            Self::TooTangled(actor) => {
                let (_, rest) = actor.parts();
                write!(
                    f,
                    "the {rest} of {actor} is too tangled to find a path through all of it"
                )
            }
            Self::Undecided(limit) => limit.fmt(f),
        }
    }
}

impl std::error::Error for Immovable {}

/// The work allowed for ordering all bodies on a map: about a second, enough for ten thousand cells in coiled bodies.
const WORK: u64 = 60_000_000;

impl Moving {
    pub fn new(map: &Map, runner: Id, limits: &Limits) -> Result<Self, Immovable> {
        let mut clock = Clock::new(limits);
        let mut parts = parts(map, &mut clock)?;
        let mut effort = Effort::new(WORK, limits);
        let mut read = |actor, parts: &Parts| read_body(map.grid(), actor, parts, &mut effort);
        let body = read(
            Actor::Runner(runner),
            &parts.remove(&runner).unwrap_or_default(),
        )?;
        let mut walls = Vec::with_capacity(parts.len());
        let mut bodies = Vec::with_capacity(parts.len());
        for (id, parts) in parts {
            bodies.push(read(Actor::Wall(id), &parts)?);
            walls.push(id);
        }
        let (left, near) = (map.food(), Distances::within(map, limits)?);
        let start = State {
            map: map.clone(),
            runner: body,
            walls: bodies,
            left,
            gathered: 0,
            near,
        };
        Ok(Self {
            runner,
            walls,
            start,
        })
    }

    /// The bytes of a game, including the search for the next move.
    pub fn bytes(&self) -> u64 {
        let size = self.grid().size();
        size as u64 * (size_of::<Tile>() + size_of::<u32>() + size_of::<Cell>()) as u64
            + astar::bytes(self.grid())
    }

    /// The runner's own choice; `None` if it is trapped, or a limit is reached.
    pub fn advice(at: &State, limits: &Limits) -> Option<Way> {
        Self::next_move(at, limits).ok()?.way
    }

    /// Rules 5 and 6 on the present map.
    pub fn next_move(at: &State, limits: &Limits) -> Result<NextMove, Undecided> {
        next_move(&at.map, at.runner.head(), &at.near, limits)
    }

    const fn grid(&self) -> Grid {
        self.start.map.grid()
    }

    /// The letter of a wall. If there are more walls than letters, some walls share one.
    fn letter(wall: usize) -> char {
        WALL_LETTERS[wall % WALL_LETTERS.len()].into()
    }

    fn glyph(&self, tile: Tile) -> char {
        let letter = |id| match self.walls.binary_search(&id) {
            Ok(wall) => Self::letter(wall),
            Err(_) => 'R',
        };
        match tile.kind() {
            Kind::Blank => '.',
            Kind::Food => '*',
            Kind::Head(id) => letter(id),
            Kind::Body(id) => letter(id).to_ascii_lowercase(),
        }
    }

    /// Applies rule 9.
    fn step(&self, at: &State, way: Way) -> Result<Cell, &'static str> {
        let to = self
            .grid()
            .step(at.runner.head(), way.dir())
            .ok_or("that is off the board")?;
        match at.map.tile(to).kind() {
            Kind::Blank | Kind::Food => Ok(to),
            Kind::Head(id) | Kind::Body(id) if id == self.runner => {
                Err("his own string is in the way")
            }
            Kind::Head(_) | Kind::Body(_) => Err("a wall is in the way"),
        }
    }
}

#[derive(Default)]
struct Parts {
    head: Option<Cell>,
    rest: Vec<Cell>,
}

fn parts(map: &Map, clock: &mut Clock) -> Result<BTreeMap<Id, Parts>, Limit> {
    let mut parts: BTreeMap<Id, Parts> = BTreeMap::new();
    for (cell, tile) in map.cells() {
        clock.work(2)?;
        match tile.kind() {
            Kind::Blank | Kind::Food => {}
            Kind::Head(id) => parts.entry(id).or_default().head = Some(cell),
            Kind::Body(id) => parts.entry(id).or_default().rest.push(cell),
        }
    }
    Ok(parts)
}

/// Applies rule 7.
fn read_body(
    grid: Grid,
    actor: Actor,
    parts: &Parts,
    effort: &mut Effort,
) -> Result<Body, Immovable> {
    let head = parts.head.ok_or(Immovable::NoHead(actor))?;
    match in_order(grid, head, &parts.rest, effort) {
        Ok(rest) => Ok(Body::new(head, rest)),
        Err(NoOrder::NoPath) => Err(Immovable::NoPath(actor)),
        Err(NoOrder::TooTangled) => Err(Immovable::TooTangled(actor)),
        Err(NoOrder::Undecided(limit)) => Err(limit.into()),
    }
}

/// Moves a body, also on the map.
fn creep(map: &mut Map, body: &mut Body, to: Cell) {
    let head = map.tile(body.head());
    map.set(body.head(), head.trail());
    // If the body is only a head, this is the head's old cell.
    map.set(body.step(to), Tile::BLANK);
    map.set(to, head);
}

impl Ruleset for Moving {
    type State = State;
    type Move = Way;

    const MOVES: &'static [Way] = &Way::ALL;

    fn start(&self) -> State {
        self.start.clone()
    }

    /// Applies rule 8.
    fn open<W: Watch>(&self, at: &mut State, _watch: &mut W) -> Option<Outcome> {
        (at.left == 0).then_some(Outcome::Escaped)
    }

    fn refusal(&self, at: &State, way: Way) -> Option<Reason> {
        self.step(at, way).err().map(Reason::Borrowed)
    }

    /// Applies rules 10 and 11.
    fn act<W: Watch>(&self, at: &mut State, way: Way, watch: &mut W) -> Option<Outcome> {
        let to = self.step(at, way).expect("the move is legal");
        let from = at.runner.head();
        watch.see(Event::step('R', from, to));
        if at.map.tile(to) == Tile::FOOD {
            let head = at.map.tile(from);
            at.map.set(from, head.trail());
            at.map.set(to, head);
            at.runner.grow(to);
            at.left -= 1;
            at.gathered += 1;
            at.near = Distances::of(&at.map);
        } else {
            creep(&mut at.map, &mut at.runner, to);
        }
        (at.left == 0).then_some(Outcome::Escaped)
    }
}

impl Stochastic for Moving {
    type Chaser = Wall;
    /// The next cell of the moving end; `None` if the wall stays.
    type Choice = Option<Cell>;

    fn chasers(&self, at: &State, out: &mut Vec<Wall>) {
        out.extend((0..at.walls.len()).map(Wall));
    }

    /// Applies rule 12.
    fn chances(&self, at: &State, Wall(wall): Wall, out: &mut Distribution<Option<Cell>>) {
        let end = at.walls[wall].head();
        let blank = at
            .map
            .ways(end)
            .filter(|&(_, to)| at.map.tile(to) == Tile::BLANK);
        let count = blank.clone().count();
        for (_, to) in blank {
            out.push(Some(to), 1.0 / count as f64);
        }
        if count == 0 {
            out.push(None, 1.0);
        }
    }

    fn carry_out<W: Watch>(
        &self,
        at: &mut State,
        Wall(wall): Wall,
        choice: &Option<Cell>,
        watch: &mut W,
    ) -> Option<Outcome> {
        let body = &mut at.walls[wall];
        let from = body.head();
        let to = choice.unwrap_or(from);
        watch.see(Event::step(Self::letter(wall), from, to));
        if to != from {
            creep(&mut at.map, body, to);
        }
        None
    }
}

impl Notation for Moving {
    const NAME: &'static str = Maze::NAME;
    const SUMMARY: &'static str = Maze::SUMMARY;
    const RULES: &'static str = Maze::RULES;
    const LEGEND: Legend = Maze::LEGEND;
    const SETTINGS: &'static [&'static str] = Maze::SETTINGS;

    fn read(puzzle: &Puzzle) -> Result<Self, BoardError> {
        let unplayable = |why: Immovable| {
            let kind = FaultKind::Unsolvable(why.to_string());
            puzzle.fault(puzzle.place(), kind).into()
        };
        Maze::read(puzzle)?.moving().map_err(unplayable)
    }
}

impl Playable for Moving {
    const RUNNER: &'static str = "runner";
    const CHASERS: &'static str = "walls";
    const PAD: [&'static str; 9] = ["", "0", "", "3", "", "1", "", "2", ""];

    /// The runner is `R`, and each wall a letter, in the order of ids.
    fn draw_over(&self, at: &State, put: &mut impl FnMut(Cell, char)) {
        let things = at.map.cells().filter(|&(_, tile)| tile != Tile::BLANK);
        for (cell, tile) in things {
            put(cell, self.glyph(tile));
        }
    }

    /// The place of each cell in its body, from 1 for the cell after the head.
    fn hidden(&self, at: &State, put: &mut impl FnMut(Cell, u8)) {
        for body in std::iter::once(&at.runner).chain(&at.walls) {
            for (place, cell) in body.cells().enumerate() {
                put(cell, u8::try_from(place).unwrap_or(u8::MAX));
            }
        }
    }

    fn distance(&self, at: &State) -> u32 {
        at.near.at(at.runner.head())
    }

    fn gathered(&self, at: &State) -> Option<usize> {
        Some(at.gathered)
    }

    fn grid(&self) -> Grid {
        self.grid()
    }

    fn actors(&self, at: &State) -> Vec<(char, Cell)> {
        let walls = at.walls.iter().enumerate();
        let walls = walls.map(|(number, wall)| (Self::letter(number), wall.head()));
        [('R', at.runner.head())].into_iter().chain(walls).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::text::Boards;

    fn read(text: &str) -> Result<Moving, Immovable> {
        let mut puzzle = Puzzle::empty();
        assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
        Maze::read(&puzzle).unwrap().moving()
    }

    fn lines(rows: &[&str]) -> String {
        rows.join("\n") + "\n"
    }

    fn game(rows: &[&str]) -> Moving {
        read(&lines(rows)).unwrap()
    }

    /// The runner's half of a turn.
    fn act(rows: &[&str], way: Way) -> (Vec<String>, Option<Outcome>) {
        let game = game(rows);
        let mut at = game.start();
        let outcome = game.act(&mut at, way, &mut ());
        (game.picture(&at), outcome)
    }

    /// The results of a wall's move, with their probabilities.
    fn walls(rows: &[&str], wall: usize) -> Vec<(Vec<String>, f64)> {
        let game = game(rows);
        let mut chances = Distribution::new();
        game.chances(&game.start(), Wall(wall), &mut chances);
        let after = |(choice, probability): &(Option<Cell>, f64)| {
            let mut at = game.start();
            assert_eq!(game.carry_out(&mut at, Wall(wall), choice, &mut ()), None);
            (game.picture(&at), *probability)
        };
        chances.iter().map(after).collect()
    }

    fn drawn(rows: &[&str]) -> Vec<String> {
        rows.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn without_food_it_is_over_at_once() {
        let open = |rows| game(rows).open(&mut game(rows).start(), &mut ());
        assert_eq!(open(&["R."]), Some(Outcome::Escaped));
        assert_eq!(open(&["R*"]), None);
    }

    #[test]
    fn the_string_follows_the_head() {
        assert_eq!(
            act(&["rR.", "r.*"], Way::RIGHT),
            (drawn(&["rrR", "..*"]), None)
        );
        assert_eq!(act(&["R.*"], Way::RIGHT), (drawn(&[".R*"]), None));
    }

    #[test]
    fn the_string_grows_by_food() {
        assert_eq!(act(&["R**"], Way::RIGHT), (drawn(&["rR*"]), None));
        assert_eq!(act(&["rR**"], Way::RIGHT), (drawn(&["rrR*"]), None));
    }

    #[test]
    fn the_last_food_ends_the_game() {
        assert_eq!(
            act(&["R*."], Way::RIGHT),
            (drawn(&["rR."]), Some(Outcome::Escaped))
        );
    }

    #[test]
    fn food_is_counted_and_the_distances_follow() {
        let game = game(&["R*.*"]);
        let mut at = game.start();
        assert_eq!((at.left(), at.gathered()), (2, 0));
        assert_eq!(game.act(&mut at, Way::RIGHT, &mut ()), None);
        assert_eq!((at.left(), at.gathered()), (1, 1));
        assert_eq!(at.near, Distances::of(at.map()));
    }

    #[test]
    fn only_blank_cells_and_food_may_be_stepped_on() {
        let game = game(&["rr*", "rRA", ".*."]);
        let at = game.start();
        let mut legal = Vec::new();
        game.moves(&at, &mut legal);
        assert_eq!(legal, [Way::DOWN]);
        let why = Way::ALL.map(|way| game.refusal(&at, way));
        assert_eq!(why[0].as_deref(), Some("his own string is in the way"));
        assert_eq!(why[1].as_deref(), Some("a wall is in the way"));
        assert_eq!(why[2], None);
        assert_eq!(why[3].as_deref(), Some("his own string is in the way"));
    }

    #[test]
    fn a_step_over_the_edge_is_refused() {
        let game = game(&["R*"]);
        let why = game.refusal(&game.start(), Way::UP);
        assert_eq!(why.as_deref(), Some("that is off the board"));
    }

    #[test]
    fn a_wall_goes_to_each_blank_neighbour_alike() {
        let all = walls(&["*.R", ".Aa", "..a"], 0);
        let third = 1.0 / 3.0;
        assert_eq!(
            all,
            [
                (drawn(&["*AR", ".aa", "..."]), third),
                (drawn(&["*.R", ".aa", ".A."]), third),
                (drawn(&["*.R", "Aaa", "..."]), third),
            ]
        );
    }

    #[test]
    fn a_wall_without_a_body_leaves_its_cell_blank() {
        assert_eq!(walls(&["R*A."], 0), [(drawn(&["R*.A"]), 1.0)]);
    }

    #[test]
    fn a_wall_without_a_blank_neighbour_stays() {
        // Food is not blank, and the wall's own last cell is not blank yet.
        let rows = ["R*aa", "..*A", "..aa"];
        let short = ["Aa*", "aaR"];
        assert_eq!(
            read(&lines(&rows)).unwrap_err(),
            Immovable::NoPath(Actor::Wall(id(2)))
        );
        assert_eq!(walls(&short, 0), [(drawn(&short), 1.0)]);
    }

    fn id(number: i64) -> Id {
        Id::new(number).unwrap()
    }

    #[test]
    fn walls_move_in_the_order_of_their_ids() {
        let game = read("; runner: 3\n[10, 8, 0, 6]\n[0, 2, -1, 4]\n").unwrap();
        let mut who = Vec::new();
        game.chasers(&game.start(), &mut who);
        let ids: Vec<_> = who.iter().map(|wall| game.walls[wall.0]).collect();
        assert_eq!(ids, [id(1), id(2), id(4), id(5)]);
        assert_eq!(game.picture(&game.start()), ["DC.R", ".A*B"]);
    }

    #[test]
    fn a_body_without_a_head_or_a_path_is_no_game() {
        let error = |text: &str| read(text).unwrap_err();
        assert_eq!(error("R*b\n"), Immovable::NoHead(Actor::Wall(id(2))));
        assert_eq!(error("[-1, 1]\n"), Immovable::NoHead(Actor::Runner(id(1))));
        assert_eq!(error("[-1, 0]\n"), Immovable::NoHead(Actor::Runner(id(1))));
        assert_eq!(error("rRr\n"), Immovable::NoPath(Actor::Runner(id(1))));
        assert_eq!(
            error("[2, 0, 13]\n").to_string(),
            "this map can't be played: the wall of id 7 has no moving end (`14`)"
        );
        assert_eq!(
            error("R.b\n..B\n..b\n").to_string(),
            "this map can't be played: \
             no path from the moving end of the wall of id 2 runs through all of its body"
        );
    }

    #[test]
    fn the_advice_is_the_next_move_on_the_present_map() {
        let game = game(&["R..", "..*"]);
        let mut at = game.start();
        assert_eq!(Moving::advice(&at, &Limits::default()), Some(Way::DOWN));
        game.act(&mut at, Way::DOWN, &mut ());
        assert_eq!(Moving::advice(&at, &Limits::default()), Some(Way::RIGHT));
    }

    #[test]
    fn of_more_walls_than_letters_some_share_one() {
        let numbers: Vec<_> = (1..=28).map(|id| (2 * id).to_string()).collect();
        let list = format!("[{}, -1]", numbers.join(", "));
        let game = read(&format!("{list}\n")).unwrap();
        assert_eq!(
            game.picture(&game.start()),
            ["RABCDEFGHIJKLMNOPQSTUVWXYZAB*"]
        );
        let letters = ["*RABCDEFGHIJKLMNOPQSTUVWXYZ"];
        assert_eq!(
            game_picture(&letters),
            letters,
            "25 walls have a letter each"
        );
    }

    fn game_picture(rows: &[&str]) -> Vec<String> {
        game(rows).picture(&game(rows).start())
    }

    /// Checks after each half turn of a random game that the map shows the bodies and nothing else.
    #[test]
    fn map_and_bodies_agree_whatever_happens() {
        use crate::rng::Rng;
        let game = game(&[
            "*....*.", "...aA.B", "rr.a.bb", ".R.*..C", "....*cc", "*.Dddd.",
        ]);
        for seed in 0..50 {
            let mut rng = Rng::new(seed);
            let mut at = game.start();
            for _ in 0..60 {
                let Some(way) = Moving::advice(&at, &Limits::default()) else {
                    break;
                };
                if game.act(&mut at, way, &mut ()).is_some() {
                    break;
                }
                let mut who = Vec::new();
                game.chasers(&at, &mut who);
                for wall in who {
                    let mut chances = Distribution::new();
                    game.chances(&at, wall, &mut chances);
                    let choice = *chances.draw(rng.uniform());
                    game.carry_out(&mut at, wall, &choice, &mut ());
                    check(&game, &at);
                }
            }
        }
    }

    fn check(game: &Moving, at: &State) {
        let mut map = Map::new(game.grid(), vec![Tile::BLANK; game.grid().size()]).unwrap();
        let foods = at.map.cells().filter(|(_, tile)| *tile == Tile::FOOD);
        let mut left = 0;
        for (cell, food) in foods {
            map.set(cell, food);
            left += 1;
        }
        let ids = std::iter::once(&game.runner).chain(&game.walls);
        for (&id, body) in ids.zip(std::iter::once(&at.runner).chain(&at.walls)) {
            let head = Tile::head(id).unwrap();
            body.cells().for_each(|cell| map.set(cell, head.trail()));
            map.set(body.head(), head);
            let cells: Vec<_> = body.cells().collect();
            let touch = |pair: &[Cell]| game.grid().distance(pair[0], pair[1]) == 1;
            assert!(cells.windows(2).all(touch));
        }
        assert_eq!((&map, left), (&at.map, at.left()));
        assert_eq!(
            at.runner.cells().count(),
            game.start.runner.cells().count() + at.gathered()
        );
        assert_eq!(at.near, Distances::of(&at.map));
    }
}
