#![doc = include_str!("dungeon.md")]
//!
//! # Where the rules come from
//!
//! From sources 000 (strategy [`chase`]) and 001 (strategy [`cooldown`]). They draw rooms and hallways and define
//! neither, and say nothing of how many steps a player makes: rules 1 and 2 were decided here. So was rule 4: the
//! sources' "another Actor" is read as another adversary. Rule 7 is source 000's "teleported to a random room". How
//! several players take turns was decided too: a [`Move`] is one player's. [`drawing`] tells how levels are read.

pub mod chase;
pub mod cooldown;
pub mod drawing;
mod led;
pub mod level;
pub mod moves;
pub mod snarl;
pub(crate) mod things;

use crate::bits::Bits;
use crate::distribution::Distribution;
use crate::fault::BoardError;
use crate::grid::{Cell, Dir, Grid};
use crate::puzzle::Puzzle;
use crate::ruleset::{
    Cause, Event, Fate, Legend, Meaning, NoMove, Notation, Outcome, Playable, Ruleset, Stochastic,
    Watch,
};

use crate::ruleset::led::Led;
use cooldown::Change;
use level::{Level, Tile, Ways};
pub use moves::{Move, NotAMove};

/// One level with all who are in it.
#[derive(Clone, Debug)]
pub struct Dungeon {
    pub(crate) level: Level,
    pub(crate) settings: Settings,
    /// In reading order.
    pub(crate) players: Vec<Cell>,
    /// In reading order.
    pub(crate) adversaries: Vec<Adversary>,
}

/// How adversaries move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Source 000.
    #[default]
    Chase,
    /// Source 001.
    Cooldown,
}

impl Strategy {
    /// The strategies with the words for them.
    pub const WORDS: [(&str, Self); 2] = [("chase", Self::Chase), ("cooldown", Self::Cooldown)];
}

/// What the headers can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How adversaries move.
    pub strategy: Strategy,
    /// How far a ghost sees players, in Manhattan distance.
    pub radius: u8,
    /// What a ghost's cooldown becomes when it teleports on purpose, in turns.
    pub cooldown: u8,
    /// The most steps of a player in a turn, 1 to 4.
    pub speed: u8,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            strategy: Strategy::Chase,
            radius: 10,
            cooldown: 5,
            speed: 1,
        }
    }
}

/// A ghost or a zombie. Adversaries are in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Adversary {
    /// Where it is.
    pub cell: Cell,
    /// What it is.
    pub kind: Kind,
}

/// What an adversary is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A zombie.
    Zombie,
    /// A ghost.
    Ghost {
        /// Under strategy `cooldown`, for how many turns it won't teleport on purpose; else 0.
        cooldown: u8,
    },
}

/// A position: what is in the level besides its structure and its exit.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The players still in the level, in the order in which they move in this round.
    pub players: Vec<Cell>,
    /// How many of them, the last ones, are still to move before the adversaries do. 0 between
    /// rounds.
    pub waiting: usize,
    /// In reading order; no two share a tile.
    pub adversaries: Vec<Adversary>,
    /// Where the key is, until a player takes it.
    pub key: Option<Cell>,
    /// How many players have escaped.
    pub escaped: u32,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            players: self.players.clone(),
            adversaries: self.adversaries.clone(),
            ..*self
        }
    }

    /// The lists keep the memory that they have.
    fn clone_from(&mut self, other: &Self) {
        self.players.clone_from(&other.players);
        self.adversaries.clone_from(&other.adversaries);
        self.waiting = other.waiting;
        self.key = other.key;
        self.escaped = other.escaped;
    }
}

impl State {
    fn has_adversary(&self, cell: Cell) -> bool {
        self.adversary(cell).is_some()
    }

    fn adversary(&self, cell: Cell) -> Option<usize> {
        self.adversaries
            .binary_search_by_key(&cell, |adversary| adversary.cell)
            .ok()
    }

    /// Where the adversaries are but the one at `who`.
    fn others(&self, who: Cell) -> Vec<Cell> {
        let cells = self.adversaries.iter().map(|other| other.cell);
        cells.filter(|&cell| cell != who).collect()
    }

    /// The number of the player that is to move next, if there is any.
    fn mover(&self) -> Option<usize> {
        (self.players.len() - self.waiting).checked_rem(self.players.len())
    }

    /// The game is over when the last player is gone.
    fn ended(&self, cause: Cause) -> Option<Outcome> {
        match (self.players.is_empty(), self.escaped) {
            (false, _) => None,
            (true, 0) => Some(Outcome::Caught(cause)),
            (true, _) => Some(Outcome::Escaped),
        }
    }
}

/// What an adversary's choice depends on, besides where and what it is.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Where the players are.
    pub players: &'a [Cell],
    /// Where the other adversaries are.
    pub others: &'a [Cell],
    /// Where the key is, unless it has been taken.
    pub key: Option<Cell>,
}

impl Scene<'_> {
    /// Whether another adversary is there.
    pub fn has_other(&self, cell: Cell) -> bool {
        self.others.contains(&cell)
    }

    /// The players that a ghost at `from` sees.
    pub fn players_within(
        &self,
        level: &Level,
        from: Cell,
        radius: u32,
    ) -> impl Iterator<Item = Cell> {
        let grid = level.grid;
        self.players
            .iter()
            .copied()
            .filter(move |&cell| grid.distance(from, cell) <= radius)
    }

    /// The players in this room; none for no room.
    pub fn players_in<'a>(
        &'a self,
        level: &'a Level,
        room: Option<level::RoomNumber>,
    ) -> impl Iterator<Item = Cell> + 'a {
        let is_there = move |cell: &Cell| room.is_some() && level.room_of(*cell) == room;
        self.players.iter().copied().filter(is_there)
    }
}

/// What an adversary does in its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Where it is then.
    pub to: Cell,
    /// How it gets there.
    pub manner: Manner,
    /// A ghost's cooldown then.
    pub cooldown: u8,
}

/// How an adversary gets to another tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// By a step, or it stays.
    Walks,
    /// Into a wall or void and out elsewhere.
    Teleports,
}

/// Where an adversary wants to go: rule 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intent {
    /// The ways that it may take, all equally likely; none: it stays.
    pub ways: Ways,
    /// What becomes of its cooldown.
    pub change: Change,
}

impl Dungeon {
    /// The structure and the objects.
    pub const fn level(&self) -> &Level {
        &self.level
    }

    /// What the headers set.
    pub const fn settings(&self) -> Settings {
        self.settings
    }

    /// Returns the cells of zombies that can never move, because others of them block every step.
    pub(crate) fn stuck(&self) -> Bits {
        let grid = self.level.grid;
        let mut stuck = Bits::new(grid);
        let zombies = self
            .adversaries
            .iter()
            .filter(|other| other.kind == Kind::Zombie);
        for zombie in zombies {
            stuck.insert(zombie.cell);
        }
        loop {
            let is_free = |cell: &Cell| !self.is_shut_in(*cell, &stuck);
            let free: Vec<Cell> = stuck.iter(grid).filter(is_free).collect();
            if free.is_empty() {
                return stuck;
            }
            for cell in free {
                stuck.remove(cell);
            }
        }
    }

    /// Returns whether a zombie has no step from here, even once the key is gone, while these cells are taken.
    fn is_shut_in(&self, zombie: Cell, taken: &Bits) -> bool {
        let neighbours = self.level.grid.neighbours(zombie).map(|(_, cell)| cell);
        let others: Vec<Cell> = neighbours.filter(|&cell| taken.contains(cell)).collect();
        let scene = Scene {
            players: &[],
            others: &others,
            key: None,
        };
        let ways = match self.settings.strategy {
            Strategy::Chase => chase::zombie_ways(&self.level, zombie, &scene),
            Strategy::Cooldown => cooldown::zombie_ways(&self.level, zombie, &scene),
        };
        ways.is_empty()
    }

    /// Where an adversary wants to go that stands at `cell`.
    pub fn intent(&self, cell: Cell, kind: Kind, scene: &Scene) -> Intent {
        let (level, radius) = (&self.level, u32::from(self.settings.radius));
        let keeps = |ways| Intent {
            ways,
            change: Change::Keeps,
        };
        match (self.settings.strategy, kind) {
            (Strategy::Chase, Kind::Zombie) => keeps(chase::zombie(level, cell, scene)),
            (Strategy::Chase, Kind::Ghost { .. }) => {
                keeps(chase::ghost(level, cell, scene, radius))
            }
            (Strategy::Cooldown, Kind::Zombie) => keeps(cooldown::zombie(level, cell, scene)),
            (Strategy::Cooldown, Kind::Ghost { cooldown }) => {
                let ghost = cooldown::Ghost {
                    cell,
                    is_cool: cooldown == 0,
                };
                let (ways, change) = cooldown::ghost(level, ghost, scene, radius);
                Intent { ways, change }
            }
        }
    }

    /// Rule 7: for each room that has any, its free tiles, when all others stand at `actors`.
    fn free_tiles(&self, at: &State, actors: &[Cell]) -> Vec<Vec<Cell>> {
        let is_free = |cell: &Cell| {
            at.key != Some(*cell)
                && self.level.exit != Some(*cell)
                && !at.players.contains(cell)
                && !actors.contains(cell)
        };
        let rooms = self.level.rooms().iter();
        rooms
            .map(|room| room.iter().copied().filter(is_free).collect())
            .filter(|free: &Vec<Cell>| !free.is_empty())
            .collect()
    }

    /// Rule 7: a teleport of this likelihood, which leads somewhere else than to stay, unless there is nowhere
    /// to go.
    fn push_teleports(
        &self,
        at: &State,
        others: &[Cell],
        (stays, share): (Choice, f64),
        out: &mut Distribution<Choice>,
    ) {
        let rooms = self.free_tiles(at, others);
        let each = share / rooms.len().max(1) as f64;
        for room in &rooms {
            let teleport = |&to| Choice {
                to,
                manner: Manner::Teleports,
                ..stays
            };
            out.push_uniform(room.iter().map(teleport), each);
        }
        if rooms.is_empty() {
            out.push(stays, each);
        }
    }

    /// Rule 3: why the player may not step this way, if it may not; else where it gets to.
    fn step(&self, at: &State, from: Cell, dir: Dir) -> Result<Cell, Refusal> {
        let to = self.level.grid.step(from, dir).ok_or(Refusal::OffBoard)?;
        let is_other = |(number, &cell): (usize, &Cell)| Some(number) != at.mover() && cell == to;
        match self.level.tile(to) {
            Tile::Horizontal | Tile::Vertical => Err(Refusal::Wall),
            Tile::Void => Err(Refusal::Void),
            _ if at.players.iter().enumerate().any(is_other) => Err(Refusal::Player),
            Tile::Floor | Tile::Door => Ok(to),
        }
    }

    /// Rules 4 and 5: what a player meets that steps on this tile, with the key there unless it has
    /// been taken.
    fn meets(&self, at: &State, to: Cell, key: Option<Cell>) -> Meeting {
        match () {
            () if at.has_adversary(to) => Meeting::Adversary,
            () if key == Some(to) => Meeting::Key,
            () if key.is_none() && self.level.exit == Some(to) => Meeting::OpenExit,
            () => Meeting::Nothing,
        }
    }

    /// Takes the steps of a move, until one of them ends the game for the player.
    pub(crate) fn follow(&self, at: &State, mv: Move) -> Result<Walk, Refusal> {
        let mover = at.mover().ok_or(Refusal::NoPlayer)?;
        let mut walk = Walk {
            cell: at.players[mover],
            key: at.key,
            end: None,
        };
        if mv.len() > usize::from(self.settings.speed) {
            return Err(Refusal::TooFar(self.settings.speed));
        }
        for dir in mv.steps() {
            if walk.end.is_some() {
                return Err(Refusal::Over);
            }
            walk.cell = self.step(at, walk.cell, dir)?;
            match self.meets(at, walk.cell, walk.key) {
                Meeting::Nothing => {}
                Meeting::Key => walk.key = None,
                Meeting::OpenExit => walk.end = Some(Outcome::Escaped),
                Meeting::Adversary => walk.end = Some(Outcome::Caught(Cause::WalkedInto)),
            }
        }
        Ok(walk)
    }
}

/// How far a player has got in its turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    pub(crate) cell: Cell,
    pub(crate) key: Option<Cell>,
    /// How it ended for this player, if it did.
    pub(crate) end: Option<Outcome>,
}

/// What a player meets on a tile.
enum Meeting {
    Nothing,
    Adversary,
    Key,
    OpenExit,
}

impl Notation for Dungeon {
    const NAME: &'static str = "dungeon";
    const SUMMARY: &'static str = "a player among ghosts and zombies that move by chance";
    const RULES: &'static str = concat!(
        include_str!("dungeon.md"),
        include_str!("dungeon/chase.md"),
        include_str!("dungeon/cooldown.md")
    );
    const LEGEND: Legend = Legend::new(&[
        ("-|", Meaning::Wall, "wall"),
        (" .", Meaning::Floor, "floor"),
        ("D", Meaning::Floor, "door"),
        ("Xx", Meaning::Wall, "void"),
        ("K", Meaning::Goal, "key"),
        ("E", Meaning::Goal, "exit"),
        ("P", Meaning::Runner, "player"),
        ("G", Meaning::Chaser, "ghost"),
        ("Z", Meaning::Chaser, "zombie"),
    ]);
    const SETTINGS: &'static [&'static str] = &[
        "strategy",
        "radius",
        "cooldown",
        "speed",
        "drawing",
        things::KEY,
    ];

    fn read(puzzle: &Puzzle) -> Result<Self, BoardError> {
        Self::read(puzzle)
    }
}

impl Ruleset for Dungeon {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        State {
            players: self.players.clone(),
            waiting: 0,
            adversaries: self.adversaries.clone(),
            key: self.level.key,
            escaped: 0,
        }
    }

    /// The moves of the player that is next, shorter ones first; no move goes on when the game is
    /// over for it.
    fn moves(&self, at: &State, out: &mut Vec<Move>) {
        out.push(Move::STAY);
        let mut next = out.len() - 1;
        while let Some(&mv) = out.get(next) {
            next += 1;
            let longer = Dir::ALL.into_iter().filter_map(|dir| mv.and(dir));
            out.extend(longer.filter(|&mv| self.follow(at, mv).is_ok()));
        }
    }

    /// Rules 2 to 5 for one player.
    fn act<W: Watch>(&self, at: &mut State, mv: Move, watch: &mut W) -> Option<Outcome> {
        let mover = at.mover()?;
        let walk = self.follow(at, mv).expect("the move is legal");
        watch.see(Event {
            actor: 'P',
            from: at.players[mover],
            to: walk.cell,
            fate: Fate::Stands,
        });
        at.key = walk.key;
        at.waiting = at.players.len() - mover - 1;
        if let Some(end) = walk.end {
            at.players.remove(mover);
            at.escaped += u32::from(end == Outcome::Escaped);
        } else {
            at.players[mover] = walk.cell;
        }
        if at.waiting == 0 {
            at.players.sort_unstable();
        }
        at.ended(Cause::WalkedInto)
    }

    fn state_bytes(&self) -> usize {
        size_of::<State>()
            + size_of_val(self.players.as_slice())
            + size_of_val(self.adversaries.as_slice())
    }

    fn all_moved(&self, at: &State) -> bool {
        at.waiting == 0
    }
}

impl Stochastic for Dungeon {
    /// Where the adversary stood when the turn began. Nobody else stands there until it has moved.
    type Chaser = Cell;
    type Choice = Choice;

    /// None until all players have moved in this round.
    fn chasers(&self, at: &State, out: &mut Vec<Cell>) {
        if at.waiting == 0 {
            out.extend(at.adversaries.iter().map(|adversary| adversary.cell));
        }
    }

    /// The steps first, in the order of [`Dir::ALL`], then the tiles that a teleport may lead to.
    fn chances(&self, at: &State, who: Cell, out: &mut Distribution<Choice>) {
        let kind = at.adversaries[at.adversary(who).expect("who moves is there")].kind;
        let others = at.others(who);
        let scene = Scene {
            players: &at.players,
            others: &others,
            key: at.key,
        };
        let Intent { ways, change } = self.intent(who, kind, &scene);
        let cooldown = match kind {
            Kind::Zombie => 0,
            Kind::Ghost { cooldown } => change.apply(cooldown, self.settings.cooldown),
        };
        let walk = |to| Choice {
            to,
            manner: Manner::Walks,
            cooldown,
        };
        let to = |dir| {
            self.level
                .grid
                .step(who, dir)
                .expect("a way leads to a tile")
        };
        let steps: Vec<Cell> = ways
            .iter()
            .map(to)
            .filter(|&to| !self.level.tile(to).teleports())
            .collect();
        let share = 1.0 / ways.len().max(1) as f64;
        out.push_uniform(steps.iter().copied().map(walk), steps.len() as f64 * share);
        let rest = ways.len() - steps.len();
        if ways.is_empty() {
            out.push(walk(who), 1.0);
        } else if rest > 0 {
            self.push_teleports(at, &others, (walk(who), rest as f64 * share), out);
        }
    }

    fn carry_out<W: Watch>(
        &self,
        at: &mut State,
        who: Cell,
        choice: &Choice,
        watch: &mut W,
    ) -> Option<Outcome> {
        let number = at.adversary(who).expect("who moves is there");
        let adversary = &mut at.adversaries[number];
        adversary.cell = choice.to;
        let actor = adversary.kind.glyph();
        if let Kind::Ghost { cooldown } = &mut adversary.kind {
            *cooldown = choice.cooldown;
        }
        at.adversaries.sort_unstable();
        let prey = at.players.iter().position(|&cell| cell == choice.to);
        let fate = match (prey, choice.manner) {
            (Some(_), _) => Fate::Catches,
            (None, Manner::Walks) => Fate::Stands,
            (None, Manner::Teleports) => Fate::Teleports,
        };
        watch.see(Event {
            actor,
            from: who,
            to: choice.to,
            fate,
        });
        at.players.remove(prey?);
        at.ended(Cause::Chaser)
    }
}

impl Kind {
    /// The glyph in a drawing.
    pub const fn glyph(self) -> char {
        match self {
            Self::Zombie => 'Z',
            Self::Ghost { .. } => 'G',
        }
    }
}

/// Why a move is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    OffBoard,
    Wall,
    Void,
    Player,
    TooFar(u8),
    Over,
    NoPlayer,
}

impl Playable for Dungeon {
    const RUNNER: &'static str = "player";
    const CHASERS: &'static str = "adversaries";
    const STAY: Option<Move> = Some(Move::STAY);

    fn refusal(&self, at: &State, mv: Move) -> Option<String> {
        Some(match self.follow(at, mv).err()? {
            Refusal::NoPlayer if mv.is_empty() => return None,
            Refusal::NoPlayer => "there is no player to move".into(),
            Refusal::OffBoard => "that is off the board".into(),
            Refusal::Wall => "a wall is in the way".into(),
            Refusal::Void => "void is in the way".into(),
            Refusal::Player => "another player is in the way".into(),
            Refusal::TooFar(1) => "a player makes one step a turn".into(),
            Refusal::TooFar(speed) => format!("a player makes at most {speed} steps a turn"),
            Refusal::Over => "the game is over for this player before the last step".into(),
        })
    }

    /// A compact drawing; an adversary that stands on something hides it, as does a player.
    fn picture(&self, at: &State) -> Vec<String> {
        let glyph = |cell| match at.adversary(cell) {
            Some(number) => at.adversaries[number].kind.glyph(),
            None if at.players.contains(&cell) => 'P',
            None if at.key == Some(cell) => 'K',
            None if self.level.exit == Some(cell) => 'E',
            None => self.level.tile(cell).glyph(),
        };
        self.level.grid.draw(glyph)
    }

    /// From all players to the key until it is taken, then to the exit.
    fn distance(&self, at: &State) -> u32 {
        let goal = at.key.or(self.level.exit);
        let far = |&player: &Cell| goal.map_or(0, |goal| self.level.grid.distance(player, goal));
        at.players.iter().map(far).sum()
    }

    fn grid(&self) -> Grid {
        self.level.grid
    }

    fn actors(&self, at: &State) -> Vec<(char, Cell)> {
        let players = at.players.iter().map(|&cell| ('P', cell));
        let adversaries = at.adversaries.iter();
        let adversaries = adversaries.map(|other| (other.kind.glyph(), other.cell));
        players.chain(adversaries).collect()
    }

    fn mover(&self, at: &State) -> usize {
        at.mover().unwrap_or_default()
    }

    fn led(&self) -> Option<&dyn Led<State>> {
        Some(self)
    }

    const SEPARATOR: &'static str = " ";

    /// Moves are separated by spaces or commas.
    fn read_line(line: &str) -> Result<Vec<Move>, NoMove> {
        let mut at = 0;
        let mut moves = Vec::new();
        for text in line.split(|c: char| c.is_whitespace() || c == ',') {
            if !text.is_empty() {
                moves.push(
                    text.parse()
                        .map_err(|why: NotAMove| NoMove::new(at, text, &why))?,
                );
            }
            at += text.chars().count() + 1;
        }
        Ok(moves)
    }
}

#[cfg(test)]
mod tests;
