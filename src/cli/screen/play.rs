//! The state of a game on the screen: moves, questions and answers, without a terminal.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use getaway_board::limits::Decision;
use getaway_play::evaluation::{Evaluation, PositionValue};
use getaway_play::session::{PlayError, Position, Session};
use getaway_play::trace::{Ending, Ply};

use super::keys::{Command, Pad};
use super::terminal::Leave;
use getaway_board::words::safe;

#[expect(
    clippy::struct_excessive_bools,
    reason = "the switches are independent"
)]
pub struct Play<'g> {
    pub session: Box<dyn Session + 'g>,
    pub is_watched: bool,
    /// If true, chasers are *controlled*: programs or the header `chasers` decide their moves. Values still assume that they
    /// follow their own rules.
    pub is_controlled: bool,
    /// The runner's move in a watched turn; set until the controlled chasers have moved.
    pending_move: Option<String>,
    /// The reason why a watched game stopped; `None` if more moves may come.
    stopped: Option<String>,
    pub pad: Pad,
    pub here: Position,
    /// The steps of a move that have been entered so far.
    pub begun: String,
    known: HashMap<usize, Answer>,
    auto: Option<VecDeque<String>>,
    pace: usize,
    pub own_line: Option<String>,
    saved: String,
    pub is_hinting: bool,
    /// If true, shows the values of positions and moves, which give the solution away.
    pub shows_values: bool,
    pub shows_trail: bool,
    pub message: String,
    /// If true, the player has asked for a hint, for values, for the solver or for the board's own line. A restart resets this,
    /// unless values are shown.
    pub is_helped: bool,
    /// The fewest moves in which the board was solved without help; `None` if it was not.
    pub solved: Option<usize>,
}

/// The evaluation of a position, or the reason why there is none.
pub type Answer = Result<Evaluation, String>;

#[derive(Debug)]
pub enum LiveEvent {
    Ply(Ply),
    Over(Result<Ending, String>),
}

/// A question to the evaluator: the value of the position after a line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub number: usize,
    pub line: String,
    /// The moves of controlled chasers up to that position, in the format of the header `chasers`.
    pub chasers: String,
}

/// The possible delays before a move of the solver or in a watched game, in milliseconds.
const PACES: [u64; 7] = [1600, 800, 400, 200, 100, 50, 20];

const TRAIL: usize = 200;

impl<'g> Play<'g> {
    pub fn new(session: Box<dyn Session + 'g>) -> Self {
        Self {
            is_watched: false,
            is_controlled: false,
            pending_move: None,
            stopped: None,
            pad: session.keypad(),
            here: session.position(session.now()),
            known: HashMap::new(),
            session,
            begun: String::new(),
            auto: None,
            pace: 2,
            own_line: None,
            saved: String::new(),
            is_hinting: false,
            shows_values: false,
            shows_trail: true,
            message: String::new(),
            is_helped: false,
            solved: None,
        }
    }

    pub fn live(session: Box<dyn Session + 'g>, is_controlled: bool) -> Self {
        Self {
            is_watched: true,
            is_controlled,
            shows_values: true,
            auto: Some(VecDeque::new()),
            ..Self::new(session)
        }
    }

    pub fn saved(session: Box<dyn Session + 'g>, is_controlled: bool, line: &str) -> Self {
        let mut play = Self::live(session, is_controlled);
        let (last, why) = play.play_line(line);
        play.stopped = Some(match why {
            Some(why) => format!("the moves stop after move {last}: {why}"),
            None => "the moves end here".into(),
        });
        play
    }

    fn play_line(&mut self, line: &str) -> (usize, Option<PlayError>) {
        self.session.go_to(0);
        let why = self.session.play_line(line).err();
        self.known.retain(|&number, _| number == 0);
        self.show_position(0);
        (self.session.last(), why)
    }

    fn is_in_progress(&self) -> bool {
        let is_unsaved = self.session.line(self.session.last()) != self.saved;
        !self.is_watched && is_unsaved && self.here.ending.is_none()
    }

    pub fn is_discarded_by(&self, command: &Command) -> bool {
        let discards = match command {
            Command::Close => self.begun.is_empty(),
            Command::Load => self.own_line.is_some(),
            Command::NewSeed => self.session.is_by_chance(),
            Command::Leave(_) => true,
            _ => false,
        };
        discards && self.is_in_progress()
    }

    pub fn set_saved(&mut self) {
        self.saved = self.session.line(self.session.now());
    }

    pub fn stopped(&self) -> Option<&str> {
        let is_last = self.session.now() == self.session.last();
        let stopped = self.stopped.as_deref();
        stopped.filter(|_| is_last && self.here.ending.is_none())
    }

    pub fn is_over(&self) -> bool {
        self.here.ending.is_some() || self.stopped().is_some()
    }

    pub fn live_event(&mut self, live_event: LiveEvent) {
        let stopped = match live_event {
            LiveEvent::Ply(ply) => return self.pending_move(ply),
            LiveEvent::Over(Ok(ending)) => {
                if !matches!(ending, Ending::Forfeited { .. }) {
                    self.complete();
                }
                ending.reason()
            }
            LiveEvent::Over(Err(why)) => why,
        };
        self.stopped = Some(safe(&stopped));
    }

    /// Receives a ply of a watched game. If chasers are controlled, the turn is played only once their moves are known.
    fn pending_move(&mut self, ply: Ply) {
        if ply.mv.is_some() {
            self.complete();
            self.pending_move = ply.mv;
        }
        self.session.control(&ply.orders);
        if !self.is_controlled || !ply.orders.is_empty() {
            self.complete();
        }
    }

    fn complete(&mut self) {
        if let Some(mv) = self.pending_move.take() {
            let now = self.session.now();
            self.session.go_to(usize::MAX);
            self.session.play(&mv).expect("the move was legal before");
            self.session.go_to(now);
        }
    }

    pub fn hand_pad(&self) -> Option<&Pad> {
        Some(&self.pad).filter(|_| !self.is_watched)
    }

    pub fn known(&self) -> Option<&Answer> {
        self.known.get(&self.session.now())
    }

    pub fn pace(&self) -> Option<Duration> {
        let pace = Duration::from_millis(PACES[self.pace]);
        self.auto.as_ref().map(|_| pace)
    }

    pub fn load(&mut self) {
        let Some(line) = self.own_line.take() else {
            self.message = "the board has no line of play".into();
            return;
        };
        let played = self.play_line(&line);
        self.saved = self.session.line(played.0);
        self.message = match played {
            (0, None) => String::new(),
            (moves, None) => {
                format!("loaded the board's line of {moves} moves: ] steps, End goes to its end")
            }
            (moves, Some(why)) => format!("the header `moves` stops after move {moves}: {why}"),
        };
    }

    pub fn obey(&mut self, command: Command) -> Option<Leave> {
        if !matches!(command, Command::Auto | Command::Faster | Command::Slower) {
            self.auto = None;
        }
        self.message.clear();
        if self.is_watched && command.changes_game() {
            self.message = "a watched game can't be changed".into();
            return None;
        }
        self.is_helped |= matches!(
            command,
            Command::Hint | Command::Values | Command::Load | Command::Auto
        );
        match command {
            Command::Move(steps) => self.enter_steps(&steps),
            Command::Confirm => self.confirm(),
            Command::Undo if !self.begun.is_empty() => _ = self.begun.pop(),
            Command::Undo => self.skip(-1),
            Command::Redo => self.skip(1),
            Command::Skip(positions) => self.skip(positions),
            Command::First | Command::Restart => {
                self.show_position(0);
                self.is_helped &= command != Command::Restart || self.shows_values;
                if command == Command::Restart && self.is_watched {
                    self.auto = Some(VecDeque::new());
                }
            }
            Command::Last => self.show_position(usize::MAX),
            Command::Hint => self.is_hinting = self.here.ending.is_none() && !self.is_hinting,
            Command::Values => self.shows_values = !self.shows_values,
            Command::Trail => self.shows_trail = !self.shows_trail,
            Command::Load => self.load(),
            Command::Auto => self.toggle_auto(),
            Command::Faster => self.pace = (self.pace + 1).min(PACES.len() - 1),
            Command::Slower => self.pace = self.pace.saturating_sub(1),
            Command::Close if !self.begun.is_empty() => self.begun.clear(),
            Command::Close => return Some(Leave::Quit),
            Command::Leave(leave) => return Some(leave),
            Command::NewSeed if self.session.is_by_chance() => return Some(Leave::NewSeed),
            Command::NewSeed => self.message = "this is not a game of chance".into(),
            Command::Jump | Command::Save | Command::Help | Command::Rules => {}
        }
        None
    }

    pub fn jump(&mut self, typed: &str) {
        match typed.parse() {
            Ok(number) if number <= self.session.last() => self.show_position(number),
            _ => self.message = format!("choose a turn from 0 to {}", self.session.last()),
        }
    }

    fn show_position(&mut self, number: usize) {
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
            there if there != now => self.show_position(there),
            _ if positions < 0 => self.message = "this is the start".into(),
            _ if self.is_watched => self.message = "this is the last move so far".into(),
            _ => self.message = "no move to redo".into(),
        }
    }

    /// Adds `steps` to the move entered so far, and makes this move, unless it is the start of a longer legal move.
    fn enter_steps(&mut self, steps: &str) {
        let mv = format!("{}{steps}", self.begun);
        let goes_on = |legal: &String| legal.len() > mv.len() && legal.starts_with(&mv);
        if self.here.ending.is_none() && self.session.legal().iter().any(goes_on) {
            self.begun = mv;
            self.message = "Enter moves now".into();
        } else {
            self.play(&mv);
        }
    }

    fn confirm(&mut self) {
        let hinted = || self.hint().map(str::to_owned);
        let mv = Some(self.begun.clone()).filter(|mv| !mv.is_empty());
        match mv.or_else(hinted) {
            Some(mv) => self.play(&mv),
            None => self.message = "i shows a hint, and Enter follows it".into(),
        }
    }

    pub fn hint(&self) -> Option<&str> {
        let best = || self.known()?.as_ref().ok()?.best.as_deref();
        best().filter(|_| self.is_hinting)
    }

    fn play(&mut self, mv: &str) {
        let next = self.session.now() + 1;
        match self.session.play(mv) {
            Ok(()) => {
                if self.session.last() == next {
                    // The answers for later positions belong to another line.
                    self.known.retain(|&number, _| number < next);
                }
                self.show_position(next);
                let is_solved = matches!(self.here.ending, Some(Ending::Escaped { .. }));
                if is_solved && !self.is_helped && !self.shows_values {
                    self.solved = Some(self.solved.map_or(next, |best| best.min(next)));
                }
            }
            Err(PlayError::Over) => {
                self.message = "the game is over: u takes the move back, r restarts".into();
            }
            Err(why) => self.message = format!("{mv}: {why}"),
        }
    }

    fn toggle_auto(&mut self) {
        let is_on = self.auto.is_some();
        if !is_on && self.is_over() {
            self.show_position(0);
        }
        self.auto = (!is_on).then(VecDeque::new);
    }

    pub fn tick(&mut self) {
        if self.is_watched {
            return self.watch_on();
        }
        let Some(mut auto) = self.auto.take() else {
            return;
        };
        match (auto.pop_front(), self.known()) {
            (Some(mv), _) => self.play(&mv),
            (None, None) => return self.auto = Some(auto),
            (None, Some(Ok(evaluation))) => {
                auto = evaluation.line.iter().skip(1).cloned().collect();
                match evaluation.best.clone() {
                    Some(mv) => self.play(&mv),
                    None => return self.message = "the solver has no move here".into(),
                }
            }
            (None, Some(Err(why))) => return self.message = why.clone(),
        }
        self.auto = Some(auto).filter(|_| self.here.ending.is_none());
    }

    fn watch_on(&mut self) {
        let (now, last) = (self.session.now(), self.session.last());
        if now < last {
            self.show_position(now + 1);
        }
        if now + 1 >= last && self.stopped.is_some() {
            self.auto = None;
        }
    }

    /// Returns the next unanswered question, if any: about the current position, then about the start, then about positions that
    /// narrow down the losing move or are missing on the chart. Unless values are shown, most are left out, since they would give
    /// the solution away.
    pub fn question(&self) -> Option<Question> {
        let now = self.session.now();
        let is_open = |number: usize| !self.known.contains_key(&number);
        let is_wanted = self.shows_values || self.is_hinting || self.auto.is_some();
        let needs_start = self.shows_values || !self.session.is_by_chance();
        let number = match () {
            () if is_wanted && is_open(now) && self.here.ending.is_none() => now,
            () if needs_start && is_open(0) && (now > 0 || self.here.ending.is_none()) => 0,
            () if !self.shows_values => return None,
            () => self.between().or_else(|| self.not_on_chart())?,
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

    fn between(&self) -> Option<usize> {
        let (from, lost) = self.lost_between()?;
        let unknown = (from..lost).filter(|number| !self.known.contains_key(number));
        let middle = from.midpoint(lost);
        unknown.min_by_key(|number| number.abs_diff(middle))
    }

    fn not_on_chart(&self) -> Option<usize> {
        if !self.is_watched || !self.session.is_by_chance() {
            return None;
        }
        let before = 0..self.session.now();
        before.rev().find(|number| !self.known.contains_key(number))
    }

    /// Returns the probabilities of escape, where known, in at most `max` positions up to the current one.
    pub fn probabilities(&self, max: usize) -> Vec<Option<f64>> {
        let now = self.session.now();
        let shown = (now + 1).saturating_sub(max)..=now;
        shown
            .map(|number| self.value_or_ending(number)?.probability())
            .collect()
    }

    /// Stores an answer, unless the line has changed since the question was asked.
    pub fn store_answer(&mut self, question: &Question, answer: Answer) {
        let number = question.number;
        if number <= self.session.last() && self.question_of(number) == *question {
            self.known.insert(number, answer);
        }
    }

    /// Returns the number of the losing move, if known, or 0 if there was no escape at the start.
    pub fn lost_since(&self) -> Option<usize> {
        let (from, lost) = self.lost_between()?;
        (from == lost).then_some(lost)
    }

    /// Returns two positions: the one after the last position with a known escape (the start if there is none), and the first one
    /// known to be lost. Returns `None` unless the current position is known to be lost.
    fn lost_between(&self) -> Option<(usize, usize)> {
        let now = self.session.now();
        let mut all = 0..=now;
        let lost = all.find(|&number| self.can_escape(number) == Decision::No)?;
        let mut all = (0..=now).rev();
        let escape = all.find(|&number| self.can_escape(number) == Decision::Yes);
        (self.can_escape(now) == Decision::No)
            .then_some((escape.map_or(0, |number| number + 1), lost))
    }

    pub fn value(&self, number: usize) -> Option<PositionValue> {
        let evaluation = self.known.get(&number)?.as_ref().ok()?;
        Some(evaluation.value)
    }

    fn value_or_ending(&self, number: usize) -> Option<PositionValue> {
        let is_here = number == self.session.now();
        match self.here.ending.as_ref().filter(|_| is_here) {
            Some(Ending::Escaped { .. }) => Some(PositionValue::Escape { moves: None }),
            Some(_) => Some(PositionValue::Caught { lives: None }),
            None => self.value(number),
        }
    }

    fn can_escape(&self, number: usize) -> Decision {
        match self.value_or_ending(number) {
            Some(PositionValue::Escape { .. }) => Decision::Yes,
            Some(PositionValue::Caught { .. }) => Decision::No,
            Some(PositionValue::Chance(bounds)) if bounds.lower > 0.0 => Decision::Yes,
            Some(PositionValue::Chance(bounds)) if bounds.upper <= 0.0 => Decision::No,
            _ => Decision::Undecided,
        }
    }

    pub fn trail(&self) -> impl Iterator<Item = (u32, u32)> {
        let now = self.session.now();
        let last = now.saturating_sub(TRAIL) + 1..=now;
        last.filter_map(|number| self.session.departed_cell(number))
    }
}

#[cfg(test)]
#[path = "play_tests.rs"]
mod tests;
