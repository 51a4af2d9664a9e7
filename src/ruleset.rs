//! What a game of pursuit is: the traits that a ruleset implements, and how a game can end.
//!
//! A value of a ruleset is one parsed board: what never changes (walls, ladders, abyss) belongs to
//! it, what changes to its [`Ruleset::State`]. A turn has two halves: the runner acts
//! ([`Ruleset::act`]), then those who chase him move, either by fixed rules ([`Deterministic`]) or by
//! chance ([`Stochastic`]). Engines are generic over these traits and know no rule.

pub mod led;

use std::fmt;
use std::str::FromStr;

use crate::distribution::Distribution;
use crate::fault::BoardError;
use crate::grid::{Cell, Grid};
use crate::puzzle::Puzzle;
use crate::puzzle::sheet;

pub use crate::puzzle::legend::{Legend, Meaning};
use led::Led;

/// How the boards of a ruleset are told apart and read.
pub trait Notation: Sized {
    /// The name, as in the header `ruleset`.
    const NAME: &'static str;
    /// What it is about, in a few words for a list.
    const SUMMARY: &'static str;
    /// The rules in full, for people, in Markdown: glyphs, rules, moves, settings, and a board to try in a
    /// code block of its own that begins with the header `ruleset`.
    const RULES: &'static str;
    /// The glyphs of its drawings, and what they stand for.
    const LEGEND: Legend;
    /// The keys of the headers that are its settings, beside those that any board can have.
    const SETTINGS: &'static [&'static str] = &[];

    /// Whether a board can be of this ruleset, going by its glyphs.
    fn fits(puzzle: &Puzzle) -> bool {
        puzzle.glyphs().fit(&Self::LEGEND)
    }

    /// Why it can't, where it does not fit.
    fn misfit(puzzle: &Puzzle) -> String {
        sheet::misfit(puzzle, &puzzle.rows, &Self::LEGEND)
    }

    /// Reads a board.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it.
    fn read(puzzle: &Puzzle) -> Result<Self, BoardError>;

    /// What a glyph in a picture of a position stands for.
    fn meaning(glyph: char) -> Meaning {
        Self::LEGEND.meaning(glyph)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The runner got away.
    Escaped,
    /// The runner lost.
    Caught(Cause),
}

/// Why the runner lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// One of those who chase him landed on him.
    Chaser,
    /// He walked into one of those who chase him.
    WalkedInto,
    /// He walked into an abyss.
    Abyss,
    /// He has no legal move left.
    Trapped,
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

/// A game on one board: its positions and the runner's half of a turn.
///
/// Threads may look at a board at the same time.
pub trait Ruleset: Sync {
    /// What changes in the course of a game, and nothing else. A state from which the game goes on is
    /// one in which the runner is to move.
    type State: Clone + Send + Sync;
    /// What the runner chooses each turn.
    type Move: Copy + Eq + fmt::Debug + fmt::Display + FromStr<Err: fmt::Display> + Send + Sync;

    /// The position as drawn.
    fn start(&self) -> Self::State;

    /// What happens before the runner's first move, if anything; an outcome if the game is over with
    /// that.
    fn open<W: Watch>(&self, _at: &mut Self::State, _watch: &mut W) -> Option<Outcome> {
        None
    }

    /// The runner's legal moves, always in the same order; none: he is trapped, and has lost.
    fn moves(&self, at: &Self::State, out: &mut Vec<Self::Move>);

    /// The runner makes a legal move; an outcome if that ends the game.
    fn act<W: Watch>(&self, at: &mut Self::State, mv: Self::Move, watch: &mut W)
    -> Option<Outcome>;

    /// The most bytes that a position of this board takes, with what it owns on the heap.
    fn state_bytes(&self) -> usize {
        size_of::<Self::State>()
    }

    /// Whether this round's moves of the runners are all made, and those who chase are next; to be
    /// asked after [`Ruleset::act`]. It is `false` only where several run, and some are still to move.
    fn all_moved(&self, _at: &Self::State) -> bool {
        true
    }
}

/// A game in which those who chase move by fixed rules.
#[diagnostic::on_unimplemented(
    message = "the chasers of `{Self}` do not move by fixed rules",
    note = "a game of chance has no single line of play to search for: implement `Stochastic` and use the engines for it"
)]
pub trait Deterministic: Ruleset {
    /// Those who chase move, all of them; an outcome if that ends the game.
    fn chase<W: Watch>(&self, at: &mut Self::State, watch: &mut W) -> Option<Outcome>;

    /// A whole turn: the runner's half, then the chasers'.
    #[inline]
    fn play(&self, at: &mut Self::State, mv: Self::Move) -> Option<Outcome> {
        self.act(at, mv, &mut ())
            .or_else(|| self.chase(at, &mut ()))
    }

    /// The same board without those who chase, or as good as that: the runner escapes on it if nobody but the
    /// board is in his way, and in as few moves. `None` if there is no such board.
    fn alone(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// The same board with its edge one cell farther out on every side: a ring of empty floor lies around what
    /// is drawn. `None` where the edge keeps nobody in, as where it is the way out.
    fn widened(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// The state in which the runner moves first.
    ///
    /// # Errors
    ///
    /// How the game ended, if it did before that.
    fn opened(&self) -> Result<Self::State, Outcome> {
        let mut at = self.start();
        match self.open(&mut at, &mut ()) {
            None => Ok(at),
            Some(outcome) => Err(outcome),
        }
    }
}

/// A game in which those who chase move one after the other, each by chance.
///
/// Every [`Deterministic`] game is one too: with no one whose move is left to chance.
pub trait Stochastic: Ruleset {
    /// One of those who chase.
    type Chaser: Copy + fmt::Debug;
    /// What one of them does in its move.
    type Choice: Clone + Eq + fmt::Debug;

    /// What follows the runner's half by fixed rules; an outcome if that ends the game.
    fn settle<W: Watch>(&self, _at: &mut Self::State, _watch: &mut W) -> Option<Outcome> {
        None
    }

    /// Who moves in this round, in order. It is called once a round, before the first of them moves.
    fn chasers(&self, at: &Self::State, out: &mut Vec<Self::Chaser>);

    /// What `who` may do next and how likely it is, always in the same order; the weights sum to 1.
    fn chances(&self, at: &Self::State, who: Self::Chaser, out: &mut Distribution<Self::Choice>);

    /// `who` makes its choice; an outcome if that ends the game.
    fn carry_out<W: Watch>(
        &self,
        at: &mut Self::State,
        who: Self::Chaser,
        choice: &Self::Choice,
        watch: &mut W,
    ) -> Option<Outcome>;
}

/// No one is left to chance: there is not a value of this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoOne {}

impl<R: Deterministic> Stochastic for R {
    type Chaser = NoOne;
    type Choice = NoOne;

    fn settle<W: Watch>(&self, at: &mut R::State, watch: &mut W) -> Option<Outcome> {
        self.chase(at, watch)
    }

    fn chasers(&self, _at: &R::State, _out: &mut Vec<NoOne>) {}

    fn chances(&self, _at: &R::State, who: NoOne, _out: &mut Distribution<NoOne>) {
        match who {}
    }

    fn carry_out<W: Watch>(
        &self,
        _at: &mut R::State,
        who: NoOne,
        _choice: &NoOne,
        _watch: &mut W,
    ) -> Option<Outcome> {
        match who {}
    }
}

/// A game whose positions can be drawn, and whose moves can be refused with a reason.
pub trait Playable: Ruleset {
    /// What the runner is called, as in "Jimmy moves".
    const RUNNER: &'static str;
    /// What those who chase are called, as in "the ghosts move".
    const CHASERS: &'static str;
    /// Whether a round begins with those who chase.
    const CHASERS_FIRST: bool = false;

    /// Why the runner may not make this move; `None` if he may. It agrees with [`Ruleset::moves`].
    fn refusal(&self, at: &Self::State, mv: Self::Move) -> Option<String>;

    /// The rows of the board in this position, in the glyphs of a board file.
    fn picture(&self, at: &Self::State) -> Vec<String>;

    /// The move that leaves the runner where he is, if the game has one.
    const STAY: Option<Self::Move> = None;

    /// The moves as they lie on a numeric pad, from 7 (up and left) to 3 (down and right), so that a person
    /// finds them; empty where there is none. In the middle is [`Playable::STAY`], whatever stands here.
    const PAD: [&'static str; 9] = ["", "U", "", "L", "", "R", "", "D", ""];

    /// How far the runner is from where he wants to be, as the crow flies and whoever is in the way.
    fn distance(&self, at: &Self::State) -> u32;

    /// How much the runner has gathered, where there is something to gather.
    fn gathered(&self, _at: &Self::State) -> Option<usize> {
        None
    }

    /// The cells of the board.
    fn grid(&self) -> Grid;

    /// Those who move about in this position, the runners first, by their glyphs as events name them and by
    /// where they stand; none where that can't be told.
    fn actors(&self, _at: &Self::State) -> Vec<(char, Cell)> {
        Vec::new()
    }

    /// Which of the runners among [`Playable::actors`] moves next, from 0.
    fn mover(&self, _at: &Self::State) -> usize {
        0
    }

    /// The board as one on which some chasers can be led, if it is.
    fn led(&self) -> Option<&dyn Led<Self::State>> {
        None
    }

    /// What stands between the moves of a line of play.
    const SEPARATOR: &'static str = "";

    /// Splits a line of play into its moves. As a rule each move is one character; spaces and commas
    /// between moves do not count.
    ///
    /// # Errors
    ///
    /// The place (in characters, from 0) and the text of what is not a move.
    fn read_line(line: &str) -> Result<Vec<Self::Move>, NoMove> {
        line.chars()
            .enumerate()
            .filter(|(_, c)| !c.is_whitespace() && *c != ',')
            .map(|(at, c)| {
                let text = c.to_string();
                text.parse().map_err(|why| NoMove::new(at, &text, &why))
            })
            .collect()
    }
}

/// A part of a line of play that is not a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a move: {why}", text.escape_debug())]
pub struct NoMove {
    /// Where it stands in the line, in characters from 0.
    pub at: usize,
    /// The text itself.
    pub text: String,
    /// What a move would be.
    pub why: String,
}

impl NoMove {
    /// The part `text`, which stands at `at`, is not a move, and why.
    pub fn new(at: usize, text: &str, why: &dyn fmt::Display) -> Self {
        Self {
            at,
            text: text.to_owned(),
            why: why.to_string(),
        }
    }
}

/// One who looks on while a half turn is played, and is told who goes where.
pub trait Watch {
    /// Whether anything is to be told at all; it lets the search skip the telling.
    const LOOKS: bool;

    /// `event` has happened.
    fn see(&mut self, event: Event);
}

/// Nobody looks.
impl Watch for () {
    const LOOKS: bool = false;

    fn see(&mut self, _event: Event) {}
}

impl Watch for Vec<Event> {
    const LOOKS: bool = true;

    fn see(&mut self, event: Event) {
        self.push(event);
    }
}

/// One actor's part in a half turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The actor's glyph.
    pub actor: char,
    /// Where it was.
    pub from: Cell,
    /// Where it aimed at and landed; `from` if it stayed.
    pub to: Cell,
    /// What became of it.
    pub fate: Fate,
}

impl Event {
    /// `actor` went from one cell to another, or stayed, and stands there now.
    pub const fn step(actor: char, from: Cell, to: Cell) -> Self {
        let fate = Fate::Stands;
        Self {
            actor,
            from,
            to,
            fate,
        }
    }

    /// The same, if the actor caught the runner there where `is_catch`.
    pub const fn chase(actor: char, from: Cell, to: Cell, is_catch: bool) -> Self {
        let fate = if is_catch {
            Fate::Catches
        } else {
            Fate::Stands
        };
        Self {
            actor,
            from,
            to,
            fate,
        }
    }
}

/// What a move led to, for the one who made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It stands there now, or stayed where it was.
    Stands,
    /// It fell into an abyss and is gone.
    Fell,
    /// It caught the runner there.
    Catches,
    /// It vanished from there and appeared elsewhere.
    Teleports,
}
