//! The traits of a ruleset. A value of a ruleset type is a parsed board, which never changes; its [`Ruleset::State`] holds
//! everything that changes. A turn has two halves: the runner acts, then the chasers move, by fixed rules ([`Deterministic`])
//! or by chance ([`Stochastic`]).
//!
//! This package defines what a game is. It contains no ruleset, and depends on no other package of the project than
//! `getaway_board`.
//!
//! ```
//! use getaway_board::grid::{Cell, Dir, Grid};
//! use getaway_ruleset::{Deterministic, Event, Outcome, Reason, Ruleset, Watch, legal};
//!
//! /// A corridor without chasers, with the exit at its right end.
//! struct Corridor(Grid);
//!
//! impl Ruleset for Corridor {
//!     type State = Cell;
//!     type Move = Dir;
//!
//!     const MOVES: &'static [Dir] = &[Dir::Left, Dir::Right];
//!
//!     fn start(&self) -> Cell {
//!         self.0.nth(0).expect("a grid has a cell")
//!     }
//!
//!     fn refusal(&self, at: &Cell, dir: Dir) -> Option<Reason> {
//!         self.0.step(*at, dir).is_none().then(|| "that is off the board".into())
//!     }
//!
//!     fn act<W: Watch>(&self, at: &mut Cell, dir: Dir, watch: &mut W) -> Option<Outcome> {
//!         let from = *at;
//!         *at = self.0.step(from, dir).expect("the move is legal");
//!         watch.observe(Event::step('o', from, *at));
//!         self.0.step(*at, Dir::Right).is_none().then_some(Outcome::Escaped)
//!     }
//! }
//!
//! impl Deterministic for Corridor {
//!     fn chase<W: Watch>(&self, _at: &mut Cell, _watch: &mut W) -> Option<Outcome> {
//!         None
//!     }
//! }
//!
//! let corridor = Corridor(Grid::new(1, 3).expect("three cells fit"));
//! let mut at = corridor.start();
//! assert_eq!(legal(&corridor, &at), [Dir::Right]);
//! assert_eq!(corridor.play(&mut at, Dir::Right), None);
//! assert_eq!(corridor.play(&mut at, Dir::Right), Some(Outcome::Escaped));
//! ```

#![deny(missing_docs)]

pub mod controlled;
pub mod distribution;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::distribution::Distribution;
use getaway_board::fault::BoardError;
use getaway_board::grid::{Cell, Grid};
use getaway_board::puzzle::Puzzle;

use controlled::Controlled;
pub use getaway_board::puzzle::legend::{Legend, Meaning};
use serde::{Serialize, Serializer};

/// A ruleset's name, its legend, and its reader for boards.
pub trait Notation: Sized {
    /// The name, as used in the header `ruleset`.
    const NAME: &'static str;
    /// A short summary for lists.
    const SUMMARY: &'static str;
    /// The full rules in Markdown, with a board to try in a code block that begins with the header `ruleset`.
    const RULES: &'static str;
    /// The glyphs and their meanings.
    const LEGEND: Legend;
    /// The ruleset's own settings, as header keys.
    const SETTINGS: &'static [&'static str] = &[];

    /// Returns whether a board's glyphs fit the ruleset.
    fn fits(puzzle: &Puzzle) -> bool {
        puzzle.glyphs().fit(&Self::LEGEND)
    }

    /// Returns the row and column of the cell that the character at `row` and `col` belongs to; `None` if it belongs to no cell,
    /// as in a frame. Rows and columns count from 0.
    fn cell(_puzzle: &Puzzle, row: u32, col: u32) -> Option<(u32, u32)> {
        Some((row, col))
    }

    /// Reads a board.
    ///
    /// # Errors
    ///
    /// Returns all faults in the board, or the limit that ended the reading.
    fn read(puzzle: &Puzzle) -> Result<Self, BoardError>;
}

/// The outcome of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The runner escaped.
    Escaped,
    /// The runner lost.
    Caught(Cause),
}

/// The reason why the runner lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// A chaser landed on the runner.
    Chaser,
    /// The runner walked into a chaser.
    WalkedInto,
    /// The runner walked into an abyss.
    Abyss,
    /// The runner has no legal move left.
    Trapped,
}

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chaser => "caught by a chaser",
            Self::WalkedInto => "walked into a chaser",
            Self::Abyss => "walked into the abyss",
            Self::Trapped => "trapped: no legal move is left",
        })
    }
}

/// A short reason why a move is illegal.
pub type Reason = Cow<'static, str>;

/// A game on one board: its positions and the runner's half of a turn.
pub trait Ruleset: Sync {
    /// A position: everything that changes during a game. Between turns, the runner is to move.
    type State: Clone + Send + Sync;
    /// A move of the runner.
    type Move: Copy
        + Eq
        + fmt::Debug
        + fmt::Display
        + FromStr<Err: fmt::Display>
        + Send
        + Sync
        + 'static;

    /// All moves in listing order; may be empty if [`Ruleset::moves`] and [`Ruleset::all_moves`] are overridden.
    const MOVES: &'static [Self::Move];

    /// Returns the position as drawn.
    fn start(&self) -> Self::State;

    /// Applies the rules that come before the runner's first move, such as moves of the chasers; returns an outcome if that ends
    /// the game.
    fn open<W: Watch>(&self, _at: &mut Self::State, _watch: &mut W) -> Option<Outcome> {
        None
    }

    /// Returns the reason why a move is illegal; `None` if it is legal.
    fn refusal(&self, at: &Self::State, mv: Self::Move) -> Option<Reason>;

    /// Appends the legal moves, always in the same order. Without any, the runner is trapped.
    fn moves(&self, at: &Self::State, out: &mut Vec<Self::Move>) {
        let is_legal = |&mv: &Self::Move| self.refusal(at, mv).is_none();
        out.extend(Self::MOVES.iter().copied().filter(is_legal));
    }

    /// Lists all moves on this board, legal or not, in listing order.
    fn all_moves(&self) -> Vec<Self::Move> {
        Self::MOVES.to_vec()
    }

    /// Makes a legal move; returns an outcome if that ends the game.
    fn act<W: Watch>(&self, at: &mut Self::State, mv: Self::Move, watch: &mut W)
    -> Option<Outcome>;

    /// Returns the maximum size of a position in bytes, with its heap memory.
    fn state_bytes(&self) -> usize {
        size_of::<Self::State>()
    }

    /// Returns whether all runners have moved in this turn; also true before the first one moves.
    fn all_moved(&self, _at: &Self::State) -> bool {
        true
    }
}

/// Lists the legal moves, in the order of [`Ruleset::moves`].
pub fn legal<R: Ruleset>(rules: &R, at: &R::State) -> Vec<R::Move> {
    let mut legal = Vec::new();
    rules.moves(at, &mut legal);
    legal
}

/// A game whose chasers move by fixed rules.
#[diagnostic::on_unimplemented(
    message = "the chasers of `{Self}` do not move by fixed rules",
    note = "a game of chance has no single line of play to search for: implement `Stochastic` and use the engines for it"
)]
pub trait Deterministic: Ruleset {
    /// Moves all chasers; returns an outcome if that ends the game.
    fn chase<W: Watch>(&self, at: &mut Self::State, watch: &mut W) -> Option<Outcome>;

    /// Plays a turn; returns an outcome if that ends the game.
    #[inline]
    fn play(&self, at: &mut Self::State, mv: Self::Move) -> Option<Outcome> {
        self.act(at, mv, &mut ())
            .or_else(|| self.chase(at, &mut ()))
    }

    /// Returns this board without chasers, or a board that has the same answer and shortest length as this one without chasers;
    /// `None` if there is neither.
    fn without_chasers(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Returns this board with one more row or column of floor on every side; `None` if the edge is no obstacle, or the board
    /// would be too large.
    fn widened(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Returns the state before the runner's first move.
    ///
    /// # Errors
    ///
    /// Returns the outcome if the game ends first.
    fn opened(&self) -> Result<Self::State, Outcome> {
        let mut at = self.start();
        match self.open(&mut at, &mut ()) {
            None => Ok(at),
            Some(outcome) => Err(outcome),
        }
    }
}

/// A game whose chasers move one by one, each at random.
pub trait Stochastic: Ruleset {
    /// A chaser.
    type Chaser: Copy + fmt::Debug + Send + Sync;
    /// A chaser's move.
    type Choice: Clone + Eq + fmt::Debug + Send + Sync;

    /// Applies the rules without chance that come after the runner's half of a turn and before the random chasers; returns an
    /// outcome if that ends the game.
    fn after_runners<W: Watch>(&self, _at: &mut Self::State, _watch: &mut W) -> Option<Outcome> {
        None
    }

    /// Appends the chasers of a turn in the order of their moves. `at` must be a position before any of them has moved.
    fn chasers(&self, at: &Self::State, out: &mut Vec<Self::Chaser>);

    /// Appends the possible moves of `who`, always in the same order, with probabilities that sum to 1: fractions with a
    /// denominator below 2^24. If the lowest common denominator exceeds 2^16, the general solver stops with
    /// [`Limit::Memory`](getaway_board::limits::Limit::Memory).
    fn outcomes(&self, at: &Self::State, who: Self::Chaser, out: &mut Distribution<Self::Choice>);

    /// Makes the move `choice` of `who`; returns an outcome if that ends the game.
    fn carry_out<W: Watch>(
        &self,
        at: &mut Self::State,
        who: Self::Chaser,
        choice: &Self::Choice,
        watch: &mut W,
    ) -> Option<Outcome>;
}

/// An empty type, since a [`Deterministic`] game has no chasers that move at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoChaser {}

impl<R: Deterministic> Stochastic for R {
    type Chaser = NoChaser;
    type Choice = NoChaser;

    fn after_runners<W: Watch>(&self, at: &mut R::State, watch: &mut W) -> Option<Outcome> {
        self.chase(at, watch)
    }

    fn chasers(&self, _at: &R::State, _out: &mut Vec<NoChaser>) {}

    fn outcomes(&self, _at: &R::State, who: NoChaser, _out: &mut Distribution<NoChaser>) {
        match who {}
    }

    fn carry_out<W: Watch>(
        &self,
        _at: &mut R::State,
        who: NoChaser,
        _choice: &NoChaser,
        _watch: &mut W,
    ) -> Option<Outcome> {
        match who {}
    }
}

/// A game whose positions can be drawn.
pub trait Playable: Ruleset + Notation {
    /// The runner's name, as in "Jimmy moves".
    const RUNNER: &'static str = Self::LEGEND.first_word(Meaning::Runner);
    /// The chasers' name, as in "the ghosts move".
    const CHASERS: &'static str = Self::LEGEND.first_word(Meaning::Chaser);
    /// True if the chasers move before the runner; [`Ruleset::open`] then makes their first moves.
    const CHASERS_FIRST: bool = false;

    /// Draws a position with the glyphs of a board file.
    fn picture(&self, at: &Self::State) -> Vec<String> {
        let mut glyphs: Vec<char> = self.grid().cells().map(|cell| self.ground(cell)).collect();
        self.draw_over(at, &mut |cell, glyph| glyphs[cell.index()] = glyph);
        let rows = glyphs.chunks(self.grid().cols() as usize);
        rows.map(|row| row.iter().collect()).collect()
    }

    /// Returns the glyph of a cell without anything that can change.
    fn ground(&self, _cell: Cell) -> char {
        Self::LEGEND.empty()
    }

    /// Draws everything that can change, by default the actors; later glyphs cover earlier ones.
    fn draw_over(&self, at: &Self::State, put: &mut impl FnMut(Cell, char)) {
        for (glyph, cell) in self.actors(at) {
            put(cell, glyph);
        }
    }

    /// Reports hidden facts about cells that affect later turns, each as a number, such as 1 for a visited cell.
    fn hidden(&self, _at: &Self::State, _put: &mut impl FnMut(Cell, u8)) {}

    /// The move that keeps the runner in place, if any.
    const STAY: Option<Self::Move> = None;

    /// The moves for the keys of a numeric keypad, from 7 (up and left) to 3 (down and right); an empty string stands for no
    /// move. The middle key makes the move [`Playable::STAY`].
    const KEYPAD: [&'static str; 9] = ["", "U", "", "L", "", "R", "", "D", ""];

    /// Returns the distance to the goal regardless of obstacles, by default that of the first runner to the nearest
    /// [`Meaning::Goal`], or 0 without either.
    fn distance(&self, at: &Self::State) -> u32 {
        let Some(&(_, runner)) = self.actors(at).first() else {
            return 0;
        };
        let is_goal = |&cell: &Cell| Self::LEGEND.meaning(self.ground(cell)) == Meaning::Goal;
        let goals = self.grid().cells().filter(is_goal);
        let distances = goals.map(|goal| self.grid().distance(runner, goal));
        distances.min().unwrap_or(0)
    }

    /// Returns the number of things gathered, in games with such things.
    fn gathered(&self, _at: &Self::State) -> Option<usize> {
        None
    }

    /// Returns the shape of the board.
    fn grid(&self) -> Grid;

    /// Returns the actors, runners first, with glyphs as in events; empty if unknown.
    fn actors(&self, _at: &Self::State) -> Vec<(char, Cell)> {
        Vec::new()
    }

    /// Returns the [`Playable::actors`] with this meaning.
    fn actors_of(&self, at: &Self::State, side: Meaning) -> Vec<(char, Cell)> {
        let mut actors = self.actors(at);
        actors.retain(|&(glyph, _)| Self::LEGEND.meaning(glyph) == side);
        actors
    }

    /// Returns the index in [`Playable::actors`] of the runner to move.
    fn mover(&self, _at: &Self::State) -> usize {
        0
    }

    /// Returns this board if agents can control its chasers.
    fn controlled(&self) -> Option<&dyn Controlled<Self::State>> {
        None
    }

    /// The separator of moves in a line of play.
    const SEPARATOR: &'static str = "";

    /// Splits a line of play into moves, by default one per character except spaces and commas.
    ///
    /// # Errors
    ///
    /// Returns the first invalid part.
    fn parse_moves(&self, line: &str) -> Result<Vec<Self::Move>, LineError> {
        line.chars()
            .enumerate()
            .filter(|(_, c)| !c.is_whitespace() && *c != ',')
            .map(|(at, c)| {
                let text = c.to_string();
                text.parse().map_err(|why| LineError::new(at, &text, &why))
            })
            .collect()
    }
}

/// An invalid part of a line of play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a {what}: {why}", text.escape_debug())]
pub struct LineError {
    /// The offset in the line, in characters.
    pub at: usize,
    /// The invalid text.
    pub text: String,
    /// The thing that the text should be.
    pub what: &'static str,
    /// A description of the valid moves.
    pub why: String,
}

impl LineError {
    /// Returns an error for `text` at offset `at`; `why` describes the valid moves.
    pub fn new(at: usize, text: &str, why: &dyn fmt::Display) -> Self {
        Self {
            at,
            text: text.to_owned(),
            what: "move",
            why: why.to_string(),
        }
    }
}

/// Observes the events of plies. A ply is one runner's move, or the moves of all chasers in a turn.
pub trait Watch {
    /// False if the observer ignores events.
    const IS_ACTIVE: bool;

    /// Receives an event.
    fn observe(&mut self, event: Event);
}

impl Watch for () {
    const IS_ACTIVE: bool = false;

    fn observe(&mut self, _event: Event) {}
}

impl Watch for Vec<Event> {
    const IS_ACTIVE: bool = true;

    fn observe(&mut self, event: Event) {
        self.push(event);
    }
}

/// A movement of one actor in a ply. An actor may have several in one ply, as the Minotaur does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The actor's glyph.
    pub actor: char,
    /// The cell where the actor was.
    pub from: Cell,
    /// The cell where the actor landed; `from` if it stayed.
    pub to: Cell,
    /// The fate of the actor.
    pub fate: Fate,
}

impl Event {
    /// Returns a movement with this fate.
    pub const fn new(actor: char, from: Cell, to: Cell, fate: Fate) -> Self {
        Self {
            actor,
            from,
            to,
            fate,
        }
    }

    /// Returns a move by `actor`, which may stay where it is.
    pub const fn step(actor: char, from: Cell, to: Cell) -> Self {
        Self::new(actor, from, to, Fate::Stands)
    }

    /// Returns a move by a chaser, which catches the runner if `is_catch`.
    pub const fn chase(actor: char, from: Cell, to: Cell, is_catch: bool) -> Self {
        let fate = if is_catch {
            Fate::Catches
        } else {
            Fate::Stands
        };
        Self::new(actor, from, to, fate)
    }
}

/// The result of a move for its actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// The actor moved, or stayed.
    Stands,
    /// The actor fell into an abyss, and is gone for good.
    Fell,
    /// The actor caught the runner.
    Catches,
    /// The actor was teleported.
    Teleports,
}
