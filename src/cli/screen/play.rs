//! A game as one plays it on the screen: what has been done, what is asked and what is known. It changes by
//! commands and answers only, and knows no terminal.

use std::collections::VecDeque;
use std::time::Duration;

use crate::advice::{Advice, Worth};
use crate::play::session::{NotPlayed, Position, Session};
use crate::play::trace::Ending;

use super::keys::Command;
use super::live::Told;
use super::watched::Watched;
use crate::cli::output::words::safe;

/// A game in play.
pub struct Play<'g> {
    session: Watched<'g>,
    mode: Mode,
    /// Why a game that is watched goes no further, where its last position does not say it.
    stopped: Option<String>,
    pad: [String; 9],
    here: Position,
    /// The steps of a move that is not made yet.
    begun: String,
    /// What is known of each position, by its number.
    known: Vec<Option<Known>>,
    auto: Option<Auto>,
    /// How fast the solver plays, in [`PACES`].
    pace: usize,
    /// What is in front of the board.
    pub front: Front,
    /// Whether the solver's next move is shown.
    pub is_hinting: bool,
    /// Whether it is shown what moves are worth.
    pub shows_values: bool,
    /// Whether it is shown where the runner has been.
    pub shows_trail: bool,
    /// What the last command came to, where there is something to say.
    pub message: String,
}

/// Who makes the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The player.
    Hand,
    /// Others, and there may be more of them.
    Live,
    /// Others, and all of them are there.
    Saved,
}

/// What is known of a position, or why nothing is.
pub type Known = Result<Advice, String>;

/// What is in front of the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Front {
    /// Nothing.
    #[default]
    Nothing,
    /// The keys.
    Help,
    /// The number of a turn is being typed.
    Jump(String),
}

/// What a game asks of those who have it on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// To leave.
    Quit,
    /// To go to the next board.
    NextBoard,
    /// To go to the one before.
    PreviousBoard,
    /// To draw the board.
    Edit,
    /// To save the line of play.
    Save,
    /// To begin the board anew with other luck.
    NewLuck,
}

/// What is asked of the adviser: the position after a line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The number of the position.
    pub number: usize,
    /// The moves that lead to it.
    pub line: String,
    /// What led chasers did up to there, as the header `chasers` tells it.
    pub chasers: String,
}

/// The solver plays: the moves that it has in mind.
#[derive(Clone, Debug, Default)]
struct Auto(VecDeque<String>);

/// How long the solver waits before a move.
const PACES: [Duration; 7] = [
    Duration::from_millis(1600),
    Duration::from_millis(800),
    Duration::from_millis(400),
    Duration::from_millis(200),
    Duration::from_millis(100),
    Duration::from_millis(50),
    Duration::from_millis(20),
];

impl<'g> Play<'g> {
    /// A game that begins.
    pub fn new(session: Box<dyn Session + 'g>) -> Self {
        Self::of(Watched::new(session, false), Mode::Hand)
    }

    /// A game to be watched, whose moves are still to be told.
    pub fn live(game: Watched<'g>) -> Self {
        Self {
            shows_values: true,
            auto: Some(Auto::default()),
            ..Self::of(game, Mode::Live)
        }
    }

    /// A game to be watched, with the moves of this line.
    pub fn saved(game: Watched<'g>, line: &str) -> Self {
        let mut play = Self {
            mode: Mode::Saved,
            ..Self::live(game)
        };
        let stopped = play.session.play_line(line).err();
        let last = play.session.last();
        play.known = vec![None; last + 1];
        play.look_at(0);
        play.stopped = Some(match stopped {
            Some(why) => format!("the moves stop after move {last}: {why}"),
            None => "the moves end here".into(),
        });
        play
    }

    fn of(session: Watched<'g>, mode: Mode) -> Self {
        Self {
            mode,
            stopped: None,
            pad: session.pad(),
            here: session.position(session.now()),
            shows_values: session.is_by_chance(),
            known: vec![None; session.last() + 1],
            session,
            begun: String::new(),
            auto: None,
            pace: 2,
            front: Front::Nothing,
            is_hinting: false,
            shows_trail: true,
            message: String::new(),
        }
    }

    /// The game itself.
    pub fn session(&self) -> &dyn Session {
        &*self.session
    }

    /// Who makes the moves.
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// Whether chasers are led in it: what positions are worth holds against chasers that move by their own rules.
    pub const fn is_led(&self) -> bool {
        self.session.is_led()
    }

    /// Why a game that is watched goes no further than the position that is looked at.
    pub fn stopped(&self) -> Option<&str> {
        let is_last = self.session.now() == self.session.last();
        let stopped = self.stopped.as_deref();
        stopped.filter(|_| is_last && self.here.ending.is_none())
    }

    /// Something was told of a game that is watched.
    pub fn told(&mut self, told: Told) {
        match told {
            Told::Half(half) => {
                self.session.half(half);
            }
            Told::Over(ending) => {
                self.session.end(&ending);
                self.stopped = Some(safe(&ending.reason()));
                self.mode = Mode::Saved;
            }
            Told::Failed(why) => {
                self.stopped = Some(safe(&why));
                self.mode = Mode::Saved;
            }
        }
        self.known.resize(self.session.last() + 1, None);
        self.here = self.session.position(self.session.now());
    }

    /// The moves on the numeric pad.
    pub const fn pad(&self) -> &[String; 9] {
        &self.pad
    }

    /// Whether luck has a part in it.
    pub fn is_by_chance(&self) -> bool {
        self.session.is_by_chance()
    }

    /// The position that is looked at.
    pub const fn here(&self) -> &Position {
        &self.here
    }

    /// The steps of a move that is not made yet.
    pub fn begun(&self) -> &str {
        &self.begun
    }

    /// What is known of the position that is looked at.
    pub fn known(&self) -> Option<&Known> {
        self.known[self.session.now()].as_ref()
    }

    /// What is known of the start.
    pub fn known_of_start(&self) -> Option<&Known> {
        self.known[0].as_ref()
    }

    /// Whether the solver is playing, and how long it waits before a move.
    pub fn pace(&self) -> Option<Duration> {
        self.auto.as_ref().map(|_| PACES[self.pace])
    }

    /// The moves of a line that goes on from the start are there to be looked at.
    pub fn load(&mut self, line: &str) {
        let played = self.session.play_line(line);
        let moves = self.session.last();
        self.known = vec![None; moves + 1];
        self.look_at(0);
        self.message = match played {
            Ok(()) if moves == 0 => String::new(),
            Ok(()) => {
                format!("the board's own line of {moves} moves is here: ] goes on, End to its end")
            }
            Err(why) => format!("the header `moves` stops after move {moves}: {why}"),
        };
    }

    /// Does what the player wants, as far as it can be done here.
    pub fn obey(&mut self, command: Command) -> Option<Request> {
        if !matches!(command, Command::Auto | Command::Faster | Command::Slower) {
            self.auto = None;
        }
        self.message.clear();
        if self.mode != Mode::Hand && command.changes_game() {
            self.message = "this game is watched: its moves are not yours to make".into();
            return None;
        }
        match command {
            Command::Move(steps) => self.begin(&steps),
            Command::Confirm => self.confirm(),
            Command::Undo if !self.begun.is_empty() => _ = self.begun.pop(),
            Command::Undo => self.skip(-1),
            Command::Redo => self.skip(1),
            Command::Skip(positions) => self.skip(positions),
            Command::Restart if self.mode != Mode::Hand => {
                self.look_at(0);
                self.auto = Some(Auto::default());
            }
            Command::First | Command::Restart => self.look_at(0),
            Command::Last => self.look_at(usize::MAX),
            Command::Jump => self.front = Front::Jump(String::new()),
            Command::Hint => self.is_hinting = self.here.ending.is_none() && !self.is_hinting,
            Command::Values => self.shows_values = !self.shows_values,
            Command::Trail => self.shows_trail = !self.shows_trail,
            Command::Auto => self.toggle_auto(),
            Command::Faster => self.pace = (self.pace + 1).min(PACES.len() - 1),
            Command::Slower => self.pace = self.pace.saturating_sub(1),
            Command::Help => self.front = Front::Help,
            Command::Close if !self.begun.is_empty() => self.begun.clear(),
            Command::Close | Command::Quit => return Some(Request::Quit),
            Command::Save => return Some(Request::Save),
            Command::NextBoard => return Some(Request::NextBoard),
            Command::PreviousBoard => return Some(Request::PreviousBoard),
            Command::Edit => return Some(Request::Edit),
            Command::NewLuck if self.is_by_chance() => return Some(Request::NewLuck),
            Command::NewLuck => self.message = "there is no luck in this game".into(),
        }
        None
    }

    /// A turn's number that was typed: goes there.
    pub fn jump(&mut self, typed: &str) {
        self.front = Front::Nothing;
        match typed.parse() {
            Ok(number) if number <= self.session.last() => self.look_at(number),
            _ => self.message = format!("there are turns 0 to {}", self.session.last()),
        }
    }

    /// Looks at another position.
    fn look_at(&mut self, number: usize) {
        self.session.go_to(number);
        self.here = self.session.position(self.session.now());
        self.begun.clear();
        self.is_hinting = false;
    }

    fn skip(&mut self, positions: isize) {
        let now = self.session.now();
        match now
            .saturating_add_signed(positions)
            .min(self.session.last())
        {
            there if there != now => self.look_at(there),
            _ if positions < 0 => self.message = "this is the start".into(),
            _ if self.mode == Mode::Hand => self.message = "no move to make again".into(),
            _ => self.message = "this is the last move so far".into(),
        }
    }

    /// Adds steps to the move that is begun, and makes it if there is no longer one that begins so.
    fn begin(&mut self, steps: &str) {
        let mv = format!("{}{steps}", self.begun);
        let goes_on = |legal: &String| legal.len() > mv.len() && legal.starts_with(&mv);
        if self.here.ending.is_none() && self.session.legal().iter().any(goes_on) {
            self.begun = mv;
            self.message = "Enter moves now".into();
        } else {
            self.play(&mv);
        }
    }

    /// Makes the move that is begun, or the one that is hinted at.
    fn confirm(&mut self) {
        let hinted = || self.hint().map(str::to_owned);
        let mv = Some(self.begun.clone()).filter(|mv| !mv.is_empty());
        match mv.or_else(hinted) {
            Some(mv) => self.play(&mv),
            None => self.message = "i shows a hint, and Enter follows it".into(),
        }
    }

    /// The move that is hinted at, if one is.
    pub fn hint(&self) -> Option<&str> {
        let best = || self.known()?.as_ref().ok()?.best.as_deref();
        best().filter(|_| self.is_hinting)
    }

    fn play(&mut self, mv: &str) {
        let next = self.session.now() + 1;
        match self.session.play(mv) {
            Ok(()) => {
                if self.session.last() == next {
                    // What was known of another line is of no use here.
                    self.known.truncate(next);
                    self.known.push(None);
                }
                self.look_at(next);
            }
            Err(NotPlayed::Over) => {
                self.message = "the game is over: u takes the move back, r restarts".into();
            }
            Err(why) => self.message = format!("{mv}: {why}"),
        }
    }

    fn toggle_auto(&mut self) {
        let is_over = self.here.ending.is_some() || self.stopped().is_some();
        self.auto = match (&self.auto, is_over) {
            (Some(_), _) => None,
            (None, false) => Some(Auto::default()),
            (None, true) => {
                self.look_at(0);
                Some(Auto::default())
            }
        };
    }

    /// It is time for the solver's next move, if it plays and knows it.
    pub fn tick(&mut self) {
        if self.mode != Mode::Hand {
            return self.watch_on();
        }
        let Some(mut auto) = self.auto.take() else {
            return;
        };
        match (auto.0.pop_front(), self.known()) {
            (Some(mv), _) => self.play(&mv),
            (None, None) => return self.auto = Some(auto),
            (None, Some(Ok(advice))) => {
                auto.0 = advice.line.iter().skip(1).cloned().collect();
                match advice.best.clone() {
                    Some(mv) => self.play(&mv),
                    None => return self.message = "the solver knows no move here".into(),
                }
            }
            (None, Some(Err(why))) => return self.message = why.clone(),
        }
        self.auto = Some(auto).filter(|_| self.here.ending.is_none());
    }

    /// It is time to look at the next position of a game that is watched, if there is one by now.
    fn watch_on(&mut self) {
        let (now, last) = (self.session.now(), self.session.last());
        if now < last {
            self.look_at(now + 1);
        }
        if now + 1 >= last && self.mode == Mode::Saved {
            self.auto = None;
        }
    }

    /// What one would like to know next: the position that is looked at, the start, and then with which move
    /// all was lost.
    pub fn question(&self) -> Option<Question> {
        let now = self.session.now();
        let is_open = |number: usize| self.known[number].is_none();
        let number = match () {
            () if is_open(now) && self.here.ending.is_none() => now,
            () if is_open(0) && (now > 0 || self.here.ending.is_none()) => 0,
            () => self.between().or_else(|| self.not_on_graph())?,
        };
        Some(self.question_of(number))
    }

    fn question_of(&self, number: usize) -> Question {
        Question {
            number,
            line: self.session.line(number),
            chasers: self.session.chasers(number),
        }
    }

    /// Where it has to be looked at for the move that lost the game, if it is not known.
    fn between(&self) -> Option<usize> {
        let (lost, from) = (self.first_known_lost()?, self.last_not_lost());
        let from = from.map_or(0, |number| number + 1);
        let unknown = (from..lost).filter(|&number| self.known[number].is_none());
        let middle = from.midpoint(lost);
        unknown.min_by_key(|number| number.abs_diff(middle))
    }

    /// The last position up to here of which the graph of a game that is watched does not know anything.
    fn not_on_graph(&self) -> Option<usize> {
        if self.mode == Mode::Hand || !self.is_by_chance() {
            return None;
        }
        let before = 0..self.session.now();
        before.rev().find(|&number| self.known[number].is_none())
    }

    /// How likely an escape is under best play in each position up to here, the last so many of them; `None`
    /// where it is not known.
    pub fn probabilities(&self, most: usize) -> Vec<Option<f64>> {
        let now = self.session.now();
        let shown = (now + 1).saturating_sub(most)..=now;
        shown.map(|number| self.probability(number)).collect()
    }

    fn probability(&self, number: usize) -> Option<f64> {
        match self.here.ending {
            Some(Ending::Escaped { .. }) if number == self.session.now() => return Some(1.0),
            Some(_) if number == self.session.now() => return Some(0.0),
            _ => {}
        }
        match self.known[number].as_ref()?.as_ref().ok()?.worth {
            Worth::Chance { lower, upper } => Some(f64::midpoint(lower, upper)),
            Worth::Escape { .. } => Some(1.0),
            Worth::Caught { .. } => Some(0.0),
            Worth::Unknown(_) => None,
        }
    }

    /// Takes in an answer; whether it is still of use.
    pub fn hear(&mut self, question: &Question, answer: Known) {
        let number = question.number;
        if number <= self.session.last() && self.question_of(number) == *question {
            self.known[number] = Some(answer);
        }
    }

    /// With which move the game was lost, as far as is known: 0 if there was no escape from the start.
    /// `None` if it is not lost, or it is not known when that was.
    pub fn lost_since(&self) -> Option<usize> {
        let lost = self.first_known_lost()?;
        let before = self.last_not_lost().map_or(0, |number| number + 1);
        (before == lost).then_some(lost)
    }

    /// The first position up to here that is known to be lost, if this one is.
    fn first_known_lost(&self) -> Option<usize> {
        let now = self.session.now();
        let is_lost = |number: usize| self.is_lost(number) == Some(true);
        if !is_lost(now) {
            return None;
        }
        (0..=now).find(|&number| is_lost(number))
    }

    /// The last position up to here from which one could still escape.
    fn last_not_lost(&self) -> Option<usize> {
        let now = self.session.now();
        (0..=now)
            .rev()
            .find(|&number| self.is_lost(number) == Some(false))
    }

    fn is_lost(&self, number: usize) -> Option<bool> {
        if number == self.session.now() {
            match self.here.ending {
                Some(Ending::Escaped { .. }) => return Some(false),
                Some(_) => return Some(true),
                None => {}
            }
        }
        match self.known[number].as_ref()?.as_ref().ok()?.worth {
            Worth::Escape { .. } => Some(false),
            Worth::Caught { .. } | Worth::Chance { upper: 0.0, .. } => Some(true),
            Worth::Chance { lower, .. } if lower > 0.0 => Some(false),
            Worth::Chance { .. } | Worth::Unknown(_) => None,
        }
    }

    /// The cells where the runner was before each of the last moves up to here.
    pub fn trail(&self) -> Vec<(u32, u32)> {
        let now = self.session.now();
        let last = now.saturating_sub(TRAIL) + 1..=now;
        last.filter_map(|number| self.session.left(number))
            .collect()
    }
}

/// So many moves back the runner's trail is shown.
const TRAIL: usize = 200;

#[cfg(test)]
mod tests;
