#![doc = include_str!("dungeon.md")]
//! # Where the rules come from
//!
//! The first of the two course documents describes strategy `chase`, the second `cooldown`. Decided here are rule 1; the number
//! of steps in rule 2; rule 4, where "another Actor" in the documents is read as another adversary; the order of events in
//! rule 5; the order of several players and rule 9; and, in rule 7, the meaning of "teleported to a random room" in the first
//! document.

mod chase;
mod controlled;
mod cooldown;
mod drawing;
mod intent;
pub mod level;
mod moves;
mod notation;
mod state;
pub mod things;

use getaway_board::grid::{Cell, Dir};
use getaway_ruleset::distribution::Distribution;
use getaway_ruleset::{Cause, Event, Fate, Outcome, Reason, Ruleset, Stochastic, Watch};

pub use cooldown::CooldownChange;
pub use intent::{Intent, Surroundings};
use level::{Level, Tile};
pub use moves::Move;
pub use state::{Adversary, AdversaryKind, State};

/// A board of `dungeon`: a level with its actors.
#[derive(Clone, Debug)]
pub struct Dungeon {
    /// The tiles, the key and the exit.
    pub level: Level,
    /// The settings.
    pub settings: Settings,
    /// The players' cells at the start, in reading order.
    pub players: Vec<Cell>,
    /// The adversaries at the start, in reading order.
    pub adversaries: Vec<Adversary>,
}

/// The adversaries' strategy (rule 8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// Adversaries move closer to players whom they notice. A ghost that notices none runs for the nearest wall, to teleport.
    #[default]
    Chase,
    /// Similar, except for a ghost that notices no player. It moves at random, or teleports if a room wall is adjacent and enough
    /// turns have passed since the last time.
    Cooldown,
}

impl Strategy {
    const WORDS: [(&str, Self); 2] = [("chase", Self::Chase), ("cooldown", Self::Cooldown)];
}

/// The condition under which several players win together (rule 9). It makes no difference to a single player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// One player escapes.
    #[default]
    Any,
    /// All players escape.
    All,
}

impl Goal {
    const WORDS: [(&str, Self); 2] = [("any", Self::Any), ("all", Self::All)];
}

/// The settings that affect the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The adversaries' strategy.
    pub strategy: Strategy,
    /// The Manhattan distance up to which a ghost notices players.
    pub radius: u8,
    /// The cooldown of a ghost after a deliberate teleport, under strategy `cooldown`.
    pub cooldown: u8,
    /// The maximum number of steps a player takes in a turn, 1 to 4.
    pub speed: u8,
    /// The condition under which several players win.
    pub goal: Goal,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            strategy: Strategy::Chase,
            radius: 10,
            cooldown: 5,
            speed: 1,
            goal: Goal::Any,
        }
    }
}

/// An adversary's move, drawn by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The cell on which the adversary lands; its own if it stays.
    pub to: Cell,
    /// True for a ghost that steps into a wall or void and appears on a free tile (rule 7).
    pub is_teleport: bool,
    /// The cooldown after the move; 0 for a zombie.
    pub cooldown: u8,
}

/// The result of a player's steps in one turn.
#[derive(Clone, Copy, Debug)]
pub struct PlayerWalk {
    /// The player's last cell.
    pub cell: Cell,
    /// The key's cell, unless the key has been taken.
    pub key: Option<Cell>,
    /// The outcome for this player, if the game is over for it.
    pub end: Option<Outcome>,
}

impl Dungeon {
    /// Returns the result of the next player's steps (rules 2 to 5).
    ///
    /// # Errors
    ///
    /// Returns the reason why the move is illegal.
    pub fn follow(&self, at: &State, mv: Move) -> Result<PlayerWalk, Reason> {
        let mover = at.mover().ok_or("there is no player to move")?;
        let mut walk = PlayerWalk {
            cell: at.players[mover],
            key: at.key,
            end: None,
        };
        match self.settings.speed {
            speed if mv.len() <= usize::from(speed) => {}
            1 => return Err("a player makes one step per turn".into()),
            speed => return Err(format!("a player makes at most {speed} steps per turn").into()),
        }
        for dir in mv.steps() {
            if walk.end.is_some() {
                return Err("the game is over for this player before the last step".into());
            }
            walk.cell = self.step(at, walk.cell, dir)?;
            self.arrive(at, &mut walk);
        }
        Ok(walk)
    }

    /// Returns the tile to which a step leads, or the reason why the step is illegal (rule 3).
    fn step(&self, at: &State, from: Cell, dir: Dir) -> Result<Cell, &'static str> {
        let to = self
            .level
            .grid
            .step(from, dir)
            .ok_or("that is off the board")?;
        let is_other = |(number, &cell): (usize, &Cell)| Some(number) != at.mover() && cell == to;
        match self.level.tile(to) {
            Tile::Horizontal | Tile::Vertical => Err("a wall is in the way"),
            Tile::Void => Err("void is in the way"),
            _ if at.players.iter().enumerate().any(is_other) => Err("another player is in the way"),
            Tile::Floor | Tile::Door => Ok(to),
        }
    }

    /// Applies rules 4 and 5 to a player's step onto `walk.cell`.
    fn arrive(&self, at: &State, walk: &mut PlayerWalk) {
        if at.adversary(walk.cell).is_some() {
            walk.end = Some(Outcome::Caught(Cause::WalkedInto));
            return;
        }
        walk.key = walk.key.filter(|&key| key != walk.cell);
        if walk.key.is_none() && self.level.exit == Some(walk.cell) {
            walk.end = Some(Outcome::Escaped);
        }
    }

    fn push_moves(&self, is_possible: impl Fn(Move) -> bool, out: &mut Vec<Move>) {
        let mut next = out.len();
        out.push(Move::STAY);
        let speed = usize::from(self.settings.speed);
        // Each move of the list is in turn extended by a step, so shorter moves come first.
        while let Some(&mv) = out.get(next).filter(|mv| mv.len() < speed) {
            next += 1;
            let longer = Dir::ALL.into_iter().filter_map(|dir| mv.and(dir));
            out.extend(longer.filter(|&mv| is_possible(mv)));
        }
    }

    /// Returns the outcome of the game if it is over (rule 9); `cause` is the reason if it is lost.
    fn game_outcome(&self, at: &State, cause: Cause) -> Option<Outcome> {
        let caught = self.players.len() - at.players.len() - at.escaped as usize;
        let (is_won, is_lost) = match self.settings.goal {
            Goal::Any => (at.escaped > 0, at.players.is_empty()),
            Goal::All => (at.players.is_empty() && caught == 0, caught > 0),
        };
        if is_won {
            return Some(Outcome::Escaped);
        }
        is_lost.then_some(Outcome::Caught(cause))
    }

    /// Returns whether a tile of a room is free (rule 7).
    fn is_free(&self, at: &State, others: &[Cell], cell: Cell) -> bool {
        let is_object = at.key == Some(cell) || self.level.exit == Some(cell);
        !is_object && !at.players.contains(&cell) && !others.contains(&cell)
    }

    /// Adds the outcomes of a teleport, with this total `probability`; the only one is `stays` if no tile is free (rule 7).
    fn push_teleports(
        &self,
        at: &State,
        others: &[Cell],
        stays: Choice,
        probability: f64,
        out: &mut Distribution<Choice>,
    ) {
        // Simulations teleport often, so the free rooms and tiles are counted without listing them.
        let is_free = |cell: &Cell| self.is_free(at, others, *cell);
        let rooms = self
            .level
            .rooms()
            .iter()
            .filter(|room| room.iter().any(is_free));
        let count = rooms.clone().count();
        let each = probability / count.max(1) as f64;
        for room in rooms {
            let free = room.iter().copied().filter(is_free);
            let teleport = |to| Choice {
                to,
                is_teleport: true,
                ..stays
            };
            let share = each / free.clone().count() as f64;
            free.for_each(|to| out.push(teleport(to), share));
        }
        if count == 0 {
            out.push(stays, each);
        }
    }
}

impl Ruleset for Dungeon {
    type State = State;
    type Move = Move;

    /// An empty list, because the moves depend on `speed`.
    const MOVES: &'static [Move] = &[];

    fn start(&self) -> State {
        State {
            players: self.players.clone(),
            waiting: 0,
            adversaries: self.adversaries.clone(),
            key: self.level.key,
            escaped: 0,
        }
    }

    fn refusal(&self, at: &State, mv: Move) -> Option<Reason> {
        // A level without players has `.` as its only move.
        let is_nobody = at.mover().is_none() && mv.is_empty();
        self.follow(at, mv).err().filter(|_| !is_nobody)
    }

    fn all_moves(&self) -> Vec<Move> {
        let mut all = Vec::new();
        self.push_moves(|_| true, &mut all);
        all
    }

    /// Lists shorter moves first. No listed move has a step after the player escapes or is caught.
    fn moves(&self, at: &State, out: &mut Vec<Move>) {
        self.push_moves(|mv| self.follow(at, mv).is_ok(), out);
    }

    /// Applies rules 2 to 5 to one player, and rule 9 if that player leaves the board.
    fn act<W: Watch>(&self, at: &mut State, mv: Move, watch: &mut W) -> Option<Outcome> {
        let mover = at.mover()?;
        let walk = self.follow(at, mv).expect("the move is legal");
        watch.observe(Event::step('P', at.players[mover], walk.cell));
        at.key = walk.key;
        at.waiting = at.players.len() - mover - 1;
        if let Some(end) = walk.end {
            at.players.remove(mover);
            at.escaped += u32::from(end == Outcome::Escaped);
        } else {
            at.players[mover] = walk.cell;
        }
        if at.waiting == 0 {
            // In the next turn, the players move in the reading order of their new tiles (rule 2).
            at.players.sort_unstable();
        }
        self.game_outcome(at, Cause::WalkedInto)
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
    /// The adversary's tile at the start of the turn, which no other adversary enters before it moves.
    type Chaser = Cell;
    type Choice = Choice;

    /// Lists the adversaries once all players have moved (rule 2).
    fn chasers(&self, at: &State, out: &mut Vec<Cell>) {
        if at.waiting == 0 {
            out.extend(at.adversaries.iter().map(|adversary| adversary.cell));
        }
    }

    /// Lists the steps in the order of [`Dir::ALL`], then the tiles of a teleport (rules 6 to 8).
    fn outcomes(&self, at: &State, who: Cell, out: &mut Distribution<Choice>) {
        let (kind, others) = (at.kind(who), at.others(who));
        let scene = Surroundings {
            players: &at.players,
            others: &others,
            key: at.key,
        };
        let Intent { ways, change } = self.intent(who, kind, &scene);
        let walk = |to| Choice {
            to,
            is_teleport: false,
            cooldown: change.apply(kind.cooldown(), self.settings.cooldown),
        };
        if ways.is_empty() {
            out.push(walk(who), 1.0);
            return;
        }
        let tiles = ways.iter().filter_map(|dir| self.level.grid.step(who, dir));
        let steps: Vec<Cell> = tiles
            .filter(|&to| !self.level.tile(to).teleports())
            .collect();
        let share = 1.0 / ways.len() as f64;
        out.push_uniform(steps.iter().copied().map(walk), steps.len() as f64 * share);
        let walls = ways.len() - steps.len();
        if walls > 0 {
            self.push_teleports(at, &others, walk(who), walls as f64 * share, out);
        }
    }

    /// Applies rules 4 and 7 to one adversary, and rule 9 if it catches a player.
    fn carry_out<W: Watch>(
        &self,
        at: &mut State,
        who: Cell,
        choice: &Choice,
        watch: &mut W,
    ) -> Option<Outcome> {
        let number = at
            .adversary(who)
            .expect("a moving adversary is on the level");
        let adversary = &mut at.adversaries[number];
        adversary.cell = choice.to;
        let actor = adversary.kind.glyph();
        if let AdversaryKind::Ghost { cooldown } = &mut adversary.kind {
            *cooldown = choice.cooldown;
        }
        at.adversaries.sort_unstable();
        let prey = at.players.iter().position(|&cell| cell == choice.to);
        let fate = match prey {
            Some(_) => Fate::Catches,
            None if choice.is_teleport => Fate::Teleports,
            None => Fate::Stands,
        };
        watch.observe(Event::new(actor, who, choice.to, fate));
        at.players.remove(prey?);
        self.game_outcome(at, Cause::Chaser)
    }
}

#[cfg(test)]
mod tests;
