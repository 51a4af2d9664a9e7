//! Plays many games on one board. A game keeps its position but not the moves before it, so a turn costs little more than
//! applying the rules. A caller can control chasers by orders.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use crate::evaluation::{Evaluation, PositionEvaluator};
use crate::turn::{Chase, control};
use getaway_board::grid::{Cell, Grid};
use getaway_board::limits::Limits;
use getaway_board::rng::Rng;
use getaway_ruleset::controlled::Controlled;
use getaway_ruleset::{Cause, Event, Fate, Meaning, Outcome, Playable, Stochastic, legal};

/// A board on which games are played.
pub trait Arena: Send + Sync {
    /// Returns the shape of the board.
    fn grid(&self) -> Grid;

    /// Returns all moves, legal or not.
    fn moves(&self) -> &[String];

    /// Returns all orders for chasers, possible or not; empty if the chasers can't be controlled.
    fn orders(&self) -> &'static [&'static str];

    /// Starts a game, with chance seeded by 0.
    fn game(self: Arc<Self>) -> Box<dyn Episode>;
}

/// A game in progress. Moves and orders are indices in the lists of its [`Arena`].
pub trait Episode: Send + Sync {
    /// Restarts the game. Without a seed, the sequence of random numbers continues.
    fn restart(&mut self, seed: Option<u64>);

    /// Makes a move and, once all runners have moved, moves the chasers. Returns the end of the game, if it is over. An illegal
    /// move ends the game; after the end, nothing happens.
    fn play(&mut self, mv: usize) -> Option<EpisodeEnd> {
        self.play_controlled(mv, &[])
    }

    /// Makes a move like [`Episode::play`], but controls the chasers: `orders` are in the order of
    /// [`Episode::chasers`]. A chaser without a possible order moves by its own rules.
    fn play_controlled(&mut self, mv: usize, orders: &[Option<usize>]) -> Option<EpisodeEnd>;

    /// Returns the end of the game, if it is over.
    fn end(&self) -> Option<EpisodeEnd>;

    /// Marks legal moves with 1 and all others with 0, or all with 1 after the end of the game.
    fn mark_legal(&self, mask: &mut [i8]);

    /// Draws the position in rows of `cols` bytes: the glyphs of a board file, and hidden facts as [`Playable::hidden`] reports
    /// them. Bytes outside the board are 0.
    fn draw(&self, glyphs: &mut [u8], hidden: &mut [u8], cols: usize);

    /// Returns the runners in the order in which they stood at the start. A runner that plays alone is missing once it has left
    /// the board.
    fn runners(&self) -> Vec<Runner>;

    /// Returns the chasers that can be controlled. Their order stays the same from the first turn with orders until a restart.
    fn chasers(&self) -> Vec<Chaser>;

    /// Evaluates the position. A game that ended with an illegal move counts as lost.
    fn evaluate(&self, limits: &Limits) -> Evaluation;
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EpisodeEnd {
    /// The runner escaped.
    Escaped,
    /// The runner lost.
    Caught(Cause),
    /// The runner made an illegal move.
    Illegal,
}

impl From<Outcome> for EpisodeEnd {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Escaped => Self::Escaped,
            Outcome::Caught(cause) => Self::Caught(cause),
        }
    }
}

/// A runner of an episode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runner {
    /// The cell; `None` if the runner has left the board.
    pub cell: Option<Cell>,
    /// The legal moves of this turn, if the runners before this one wait; empty if the runner has moved or left the board, or if
    /// the game is over.
    pub moves: Vec<usize>,
}

/// A chaser that can be controlled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chaser {
    /// The name of its role, such as `ghost`.
    pub role: &'static str,
    /// The cell; `None` if the chaser has fallen.
    pub cell: Option<Cell>,
    /// The possible orders at present, before the runner moves; empty if the chaser has fallen or the game is over.
    pub orders: Vec<usize>,
}

/// An arena for the games on one board.
pub struct BoardArena<R: Stochastic> {
    rules: Arc<R>,
    moves: Vec<R::Move>,
    names: Vec<String>,
    ground: Vec<u8>,
    start: R::State,
    opening: Option<Outcome>,
    evaluator: Mutex<Box<dyn PositionEvaluator<R::State>>>,
}

impl<R: Stochastic + Playable> BoardArena<R> {
    /// Returns an arena; `evaluator` evaluates positions for its episodes.
    pub fn new(rules: Arc<R>, evaluator: Box<dyn PositionEvaluator<R::State>>) -> Self {
        let moves = rules.all_moves();
        let mut start = rules.start();
        Self {
            names: moves.iter().map(ToString::to_string).collect(),
            moves,
            ground: rules
                .grid()
                .cells()
                .map(|cell| byte(rules.ground(cell)))
                .collect(),
            opening: rules.open(&mut start, &mut ()),
            start,
            evaluator: Mutex::new(evaluator),
            rules,
        }
    }

    fn numbers(&self, moves: &[R::Move]) -> Vec<usize> {
        let all = self.moves.iter().enumerate();
        all.filter(|(_, mv)| moves.contains(mv))
            .map(|(number, _)| number)
            .collect()
    }

    fn controlled(&self, at: &R::State) -> Vec<ControlledChaser> {
        let roles = self.rules.controlled().map_or(&[][..], Controlled::roles);
        let controlled = |(glyph, cell)| {
            let role = roles.iter().find(|role| role.glyphs.contains(glyph))?;
            Some((role.name, Some(cell)))
        };
        let chasers = self.rules.actors_of(at, Meaning::Chaser);
        chasers.into_iter().filter_map(controlled).collect()
    }

    /// Returns the cells of the runners on the board, in the order in which they move.
    fn runners(&self, at: &R::State) -> Vec<Cell> {
        let runners = self.rules.actors_of(at, Meaning::Runner).into_iter();
        runners.map(|(_, cell)| cell).collect()
    }
}

impl<R: Stochastic + Playable + Send + 'static> Arena for BoardArena<R> {
    fn grid(&self) -> Grid {
        self.rules.grid()
    }

    fn moves(&self) -> &[String] {
        &self.names
    }

    fn orders(&self) -> &'static [&'static str] {
        self.rules.controlled().map_or(&[], Controlled::all_orders)
    }

    fn game(self: Arc<Self>) -> Box<dyn Episode> {
        let mut game = BoardEpisode {
            at: self.start.clone(),
            end: None,
            legal: Vec::new(),
            runners: Vec::new(),
            chasers: None,
            rng: Rng::new(0),
            chase: Chase::default(),
            arena: self,
        };
        game.restart(None);
        Box::new(game)
    }
}

type ControlledChaser = (&'static str, Option<Cell>);

struct BoardEpisode<R: Stochastic> {
    arena: Arc<BoardArena<R>>,
    at: R::State,
    end: Option<EpisodeEnd>,
    legal: Vec<R::Move>,
    /// The cells of the runners, in the order in which they stood at the start; `None` if the runner has left the board. A runner
    /// that plays alone is not followed, and keeps its first cell here.
    runners: Vec<Option<Cell>>,
    /// The chasers that can be controlled; `None` before the first turn with orders.
    chasers: Option<Vec<ControlledChaser>>,
    rng: Rng,
    chase: Chase<R>,
}

impl<R: Stochastic + Playable> BoardEpisode<R> {
    fn set_outcome(&mut self, outcome: Option<Outcome>) {
        self.end = outcome.map(EpisodeEnd::from);
        self.legal.clear();
        if self.end.is_none() {
            self.arena.rules.moves(&self.at, &mut self.legal);
            if self.legal.is_empty() {
                self.end = Some(EpisodeEnd::Caught(Cause::Trapped));
            }
        }
    }

    fn turn(&mut self, mv: R::Move, orders: &[Option<usize>]) -> Option<Outcome> {
        let rules = &*self.arena.rules;
        let outcome = match self.runners.as_mut_slice() {
            // The position alone gives the cell of a single runner, so its moves need not be followed.
            [] | [_] => rules.act(&mut self.at, mv, &mut ()),
            runners => {
                let mut events = Vec::new();
                let outcome = rules.act(&mut self.at, mv, &mut events);
                follow(runners, &events);
                outcome
            }
        };
        if outcome.is_some() || !rules.all_moved(&self.at) {
            self.forget_absent();
            return outcome;
        }
        let outcome = match rules.controlled() {
            Some(controlled) if !orders.is_empty() || self.chasers.is_some() => {
                let all = || self.arena.controlled(&self.at);
                let chasers = self.chasers.get_or_insert_with(all);
                control_all(
                    rules,
                    controlled,
                    &mut self.at,
                    &mut self.rng,
                    chasers,
                    orders,
                )
            }
            _ => self.chase.play(rules, &mut self.at, &mut self.rng, &mut ()),
        };
        self.forget_absent();
        outcome
    }

    /// Forgets the cells of runners who have left the board, since another may step there.
    fn forget_absent(&mut self) {
        if self.runners.len() > 1 {
            let here = self.arena.runners(&self.at);
            for cell in &mut self.runners {
                *cell = cell.filter(|cell| here.contains(cell));
            }
        }
    }
}

/// Updates the cells of the runners by the events of their moves.
fn follow(runners: &mut [Option<Cell>], events: &[Event]) {
    for event in events {
        let mut runners = runners.iter_mut();
        if let Some(cell) = runners.find(|cell| **cell == Some(event.from)) {
            *cell = Some(event.to);
        }
    }
}

fn control_all<R: Playable>(
    rules: &R,
    controlled: &dyn Controlled<R::State>,
    at: &mut R::State,
    rng: &mut Rng,
    chasers: &mut [ControlledChaser],
    orders: &[Option<usize>],
) -> Option<Outcome> {
    let (mut events, mut possible) = (Vec::new(), Vec::new());
    let order = |at: &R::State, (_, who): (char, Cell), _: &[Event]| {
        let number = chasers.iter().position(|&(_, cell)| cell == Some(who));
        let given = number
            .and_then(|number| *orders.get(number)?)
            .and_then(|order| controlled.all_orders().get(order));
        possible.clear();
        controlled.orders(at, who, &mut possible);
        Ok::<_, Infallible>(given.filter(|order| possible.contains(order)).copied())
    };
    let Ok(outcome) = control(rules, controlled, at, rng, &mut events, order);
    for (_, cell) in chasers {
        if let Some(event) = events.iter().find(|event| Some(event.from) == *cell) {
            *cell = (event.fate != Fate::Fell).then_some(event.to);
        }
    }
    outcome
}

impl<R: Stochastic + Playable + Send + 'static> Episode for BoardEpisode<R> {
    fn restart(&mut self, seed: Option<u64>) {
        if let Some(seed) = seed {
            self.rng = Rng::new(seed);
        }
        self.at.clone_from(&self.arena.start);
        self.chasers = None;
        self.runners = self.arena.runners(&self.at).into_iter().map(Some).collect();
        self.set_outcome(self.arena.opening);
    }

    fn play_controlled(&mut self, mv: usize, orders: &[Option<usize>]) -> Option<EpisodeEnd> {
        if self.end.is_some() {
            return self.end;
        }
        match self.arena.moves.get(mv) {
            Some(&mv) if self.legal.contains(&mv) => {
                let outcome = self.turn(mv, orders);
                self.set_outcome(outcome);
            }
            _ => self.end = Some(EpisodeEnd::Illegal),
        }
        self.end
    }

    fn end(&self) -> Option<EpisodeEnd> {
        self.end
    }

    fn mark_legal(&self, mask: &mut [i8]) {
        if self.end.is_some() {
            return mask.fill(1);
        }
        mask.fill(0);
        // Legal moves are in the order of all moves.
        let mut legal = self.legal.iter().peekable();
        for (mark, mv) in mask.iter_mut().zip(&self.arena.moves) {
            *mark = i8::from(legal.next_if_eq(&mv).is_some());
        }
    }

    fn draw(&self, glyphs: &mut [u8], hidden: &mut [u8], cols: usize) {
        let (rules, ground) = (&*self.arena.rules, &self.arena.ground);
        let grid = rules.grid();
        let width = grid.cols() as usize;
        hidden.fill(0);
        if width == cols && ground.len() == glyphs.len() {
            glyphs.copy_from_slice(ground);
        } else {
            glyphs.fill(0);
            for (to, from) in glyphs.chunks_mut(cols).zip(ground.chunks(width)) {
                to[..width].copy_from_slice(from);
            }
        }
        let at = |cell: Cell| match grid.position(cell) {
            _ if width == cols => cell.index(),
            (row, col) => row as usize * cols + col as usize,
        };
        rules.draw_over(&self.at, &mut |cell, glyph| glyphs[at(cell)] = byte(glyph));
        rules.hidden(&self.at, &mut |cell, fact| hidden[at(cell)] = fact);
    }

    fn runners(&self) -> Vec<Runner> {
        let rules = &*self.arena.rules;
        let here = self.arena.runners(&self.at);
        let cells = match self.runners.len() {
            0 | 1 => here.iter().copied().map(Some).collect(),
            _ => self.runners.clone(),
        };
        let runner = |cell: Option<Cell>| Runner {
            cell,
            moves: Vec::new(),
        };
        let mut runners: Vec<_> = cells.into_iter().map(runner).collect();
        let mut at = self.at.clone();
        while self.end.is_none() {
            let mover = here.get(rules.mover(&at));
            let mut present = runners.iter_mut().filter(|runner| runner.cell.is_some());
            if let Some(runner) = present.find(|runner| runner.cell.as_ref() == mover) {
                runner.moves = self.arena.numbers(&legal(rules, &at));
            }
            // The next runner has these moves if this one waits.
            let wait = R::STAY.map(|stay| rules.act(&mut at, stay, &mut ()));
            if wait != Some(None) || rules.all_moved(&at) {
                break;
            }
        }
        runners
    }

    fn chasers(&self) -> Vec<Chaser> {
        let controlled = self.arena.rules.controlled().filter(|_| self.end.is_none());
        let chaser = |(role, cell): ControlledChaser| {
            let (mut possible, mut all) = (Vec::new(), &[][..]);
            if let (Some(controlled), Some(cell)) = (controlled, cell) {
                controlled.orders(&self.at, cell, &mut possible);
                all = controlled.all_orders();
            }
            let orders = all
                .iter()
                .enumerate()
                .filter(|(_, order)| possible.contains(order));
            Chaser {
                role,
                cell,
                orders: orders.map(|(number, _)| number).collect(),
            }
        };
        let known = self.chasers.clone();
        let all = known.unwrap_or_else(|| self.arena.controlled(&self.at));
        all.into_iter().map(chaser).collect()
    }

    fn evaluate(&self, limits: &Limits) -> Evaluation {
        match self.end {
            None => {
                let mut evaluator = self
                    .arena
                    .evaluator
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                evaluator.evaluate_at(&self.at, limits)
            }
            Some(EpisodeEnd::Escaped) => Evaluation::over(Outcome::Escaped),
            Some(EpisodeEnd::Caught(cause)) => Evaluation::over(Outcome::Caught(cause)),
            Some(EpisodeEnd::Illegal) => Evaluation::over(Outcome::Caught(Cause::Trapped)),
        }
    }
}

fn byte(glyph: char) -> u8 {
    u8::try_from(glyph).unwrap_or(b'?')
}
