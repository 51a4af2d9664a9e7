//! Plays many games on one board. A game keeps its position but not the moves before it, so a turn costs little more than
//! applying the rules. A caller can lead chasers by orders.

use std::convert::Infallible;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use crate::advice::{Advice, PositionAdviser};
use crate::turn::{Chase, lead};
use getaway_board::grid::{Cell, Grid};
use getaway_board::limits::Limits;
use getaway_board::rng::Rng;
use getaway_ruleset::led::Led;
use getaway_ruleset::{Cause, Event, Fate, Meaning, Outcome, Playable, Stochastic};

/// A board on which games are played.
pub trait Arena: Send + Sync {
    /// Returns the shape of the board.
    fn grid(&self) -> Grid;

    /// Returns the number of runners at the start.
    fn runners(&self) -> usize;

    /// Returns all moves, legal or not.
    fn moves(&self) -> &[String];

    /// Returns all orders for chasers, possible or not; empty if the chasers can't be led.
    fn orders(&self) -> &'static [&'static str];

    /// Starts a game, with chance seeded by 0.
    fn game(self: Arc<Self>) -> Box<dyn Episode>;
}

/// A game in progress. Moves and orders are indices in the lists of its [`Arena`].
pub trait Episode: Send + Sync {
    /// Restarts the game. Without a seed, the sequence of random numbers continues.
    fn restart(&mut self, seed: Option<u64>);

    /// Makes a move and, once all runners have moved, moves the chasers. An illegal move ends the game; after the end, nothing
    /// happens.
    fn play(&mut self, mv: usize) -> Option<End> {
        self.play_led(mv, &[])
    }

    /// Makes a move like [`Episode::play`], but leads the chasers: `orders` are in the order of [`Episode::chasers`]. A chaser without
    /// a possible order moves by its own rules.
    fn play_led(&mut self, mv: usize, orders: &[Option<usize>]) -> Option<End>;

    /// Returns the end of the game, if it is over.
    fn end(&self) -> Option<End>;

    /// Marks legal moves with 1 and all others with 0, or all with 1 after the end of the game.
    fn mark_legal(&self, mask: &mut [i8]);

    /// Draws the position in rows of `cols` bytes: the glyphs of a board file, and hidden facts as [`Playable::hidden`] reports
    /// them.
    fn draw(&self, glyphs: &mut [u8], hidden: &mut [u8], cols: usize);

    /// Returns the chasers that can be led. Their order stays the same from the first turn with orders until a restart.
    fn chasers(&self) -> Vec<Chaser>;

    /// Evaluates the position.
    fn advise(&self, limits: &Limits) -> Advice;
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The runner escaped.
    Escaped,
    /// The runner lost.
    Caught(Cause),
    /// The runner made an illegal move.
    Illegal,
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Escaped => Self::Escaped,
            Outcome::Caught(cause) => Self::Caught(cause),
        }
    }
}

/// A chaser that can be led.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chaser {
    /// The name of its role, such as `ghost`.
    pub role: &'static str,
    /// The cell; `None` if the chaser has fallen.
    pub cell: Option<Cell>,
    /// The possible orders at present, before the runner moves.
    pub orders: Vec<usize>,
}

pub struct Field<R: Stochastic, G, A> {
    rules: G,
    moves: Vec<R::Move>,
    names: Vec<String>,
    ground: Vec<u8>,
    start: R::State,
    opening: Option<Outcome>,
    adviser: Mutex<A>,
}

impl<R: Stochastic + Playable, G: Deref<Target = R>, A> Field<R, G, A> {
    pub fn new(rules: G, adviser: A) -> Self {
        let moves = rules.every_move();
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
            adviser: Mutex::new(adviser),
            rules,
        }
    }

    fn led(&self, at: &R::State) -> Vec<LedChaser> {
        let Some(led) = self.rules.led() else {
            return Vec::new();
        };
        let mut all = Vec::new();
        led.in_turn(at, &mut all);
        let role = |glyph| led.roles().iter().find(|role| role.glyphs.contains(glyph));
        all.into_iter()
            .filter_map(|(glyph, cell)| Some((role(glyph)?.name, Some(cell))))
            .collect()
    }
}

impl<R, G, A> Arena for Field<R, G, A>
where
    R: Stochastic + Playable + 'static,
    G: Deref<Target = R> + Send + Sync + 'static,
    A: PositionAdviser<R::State> + 'static,
{
    fn grid(&self) -> Grid {
        self.rules.grid()
    }

    fn runners(&self) -> usize {
        let actors = self.rules.actors(&self.start).into_iter();
        actors
            .filter(|&(glyph, _)| R::LEGEND.meaning(glyph) == Meaning::Runner)
            .count()
    }

    fn moves(&self) -> &[String] {
        &self.names
    }

    fn orders(&self) -> &'static [&'static str] {
        self.rules.led().map_or(&[], Led::every_order)
    }

    fn game(self: Arc<Self>) -> Box<dyn Episode> {
        let mut game = Game {
            at: self.start.clone(),
            end: None,
            legal: Vec::new(),
            chasers: None,
            rng: Rng::new(0),
            chase: Chase::default(),
            field: self,
        };
        game.restart(None);
        Box::new(game)
    }
}

type LedChaser = (&'static str, Option<Cell>);

struct Game<R: Stochastic, G, A> {
    field: Arc<Field<R, G, A>>,
    at: R::State,
    end: Option<End>,
    legal: Vec<R::Move>,
    /// The chasers that can be led; `None` before the first turn with orders.
    chasers: Option<Vec<LedChaser>>,
    rng: Rng,
    chase: Chase<R>,
}

impl<R: Stochastic + Playable, G: Deref<Target = R>, A> Game<R, G, A> {
    fn note(&mut self, outcome: Option<Outcome>) {
        self.end = outcome.map(End::from);
        self.legal.clear();
        if self.end.is_none() {
            self.field.rules.moves(&self.at, &mut self.legal);
            if self.legal.is_empty() {
                self.end = Some(End::Caught(Cause::Trapped));
            }
        }
    }

    fn turn(&mut self, mv: R::Move, orders: &[Option<usize>]) -> Option<Outcome> {
        let rules = &*self.field.rules;
        let outcome = rules.act(&mut self.at, mv, &mut ());
        if outcome.is_some() || !rules.all_moved(&self.at) {
            return outcome;
        }
        match rules.led() {
            Some(led) if !orders.is_empty() || self.chasers.is_some() => {
                let all = || self.field.led(&self.at);
                let chasers = self.chasers.get_or_insert_with(all);
                lead_all(led, &mut self.at, &mut self.rng, chasers, orders)
            }
            _ => self.chase.play(rules, &mut self.at, &mut self.rng, &mut ()),
        }
    }
}

fn lead_all<S>(
    led: &dyn Led<S>,
    at: &mut S,
    rng: &mut Rng,
    chasers: &mut [LedChaser],
    orders: &[Option<usize>],
) -> Option<Outcome> {
    let (mut events, mut possible) = (Vec::new(), Vec::new());
    let order = |at: &S, (_, who): (char, Cell), _: &[Event]| {
        let number = chasers.iter().position(|&(_, cell)| cell == Some(who));
        let given = number
            .and_then(|number| *orders.get(number)?)
            .and_then(|order| led.every_order().get(order));
        possible.clear();
        led.orders(at, who, &mut possible);
        Ok::<_, Infallible>(given.filter(|order| possible.contains(order)).copied())
    };
    let Ok(outcome) = lead(led, at, rng, &mut events, order);
    for (_, cell) in chasers {
        if let Some(event) = events.iter().find(|event| Some(event.from) == *cell) {
            *cell = (event.fate != Fate::Fell).then_some(event.to);
        }
    }
    outcome
}

impl<R, G, A> Episode for Game<R, G, A>
where
    R: Stochastic + Playable + 'static,
    G: Deref<Target = R> + Send + Sync + 'static,
    A: PositionAdviser<R::State> + 'static,
{
    fn restart(&mut self, seed: Option<u64>) {
        if let Some(seed) = seed {
            self.rng = Rng::new(seed);
        }
        self.at.clone_from(&self.field.start);
        self.chasers = None;
        self.note(self.field.opening);
    }

    fn play_led(&mut self, mv: usize, orders: &[Option<usize>]) -> Option<End> {
        if self.end.is_some() {
            return self.end;
        }
        match self.field.moves.get(mv) {
            Some(&mv) if self.legal.contains(&mv) => {
                let outcome = self.turn(mv, orders);
                self.note(outcome);
            }
            _ => self.end = Some(End::Illegal),
        }
        self.end
    }

    fn end(&self) -> Option<End> {
        self.end
    }

    fn mark_legal(&self, mask: &mut [i8]) {
        if self.end.is_some() {
            return mask.fill(1);
        }
        mask.fill(0);
        // Legal moves are in the order of all moves.
        let mut legal = self.legal.iter().peekable();
        for (mark, mv) in mask.iter_mut().zip(&self.field.moves) {
            *mark = i8::from(legal.next_if_eq(&mv).is_some());
        }
    }

    fn draw(&self, glyphs: &mut [u8], hidden: &mut [u8], cols: usize) {
        let (rules, ground) = (&*self.field.rules, &self.field.ground);
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

    fn chasers(&self) -> Vec<Chaser> {
        let led = self.field.rules.led().filter(|_| self.end.is_none());
        let chaser = |(role, cell): LedChaser| {
            let (mut possible, mut all) = (Vec::new(), &[][..]);
            if let (Some(led), Some(cell)) = (led, cell) {
                led.orders(&self.at, cell, &mut possible);
                all = led.every_order();
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
        let all = known.unwrap_or_else(|| self.field.led(&self.at));
        all.into_iter().map(chaser).collect()
    }

    fn advise(&self, limits: &Limits) -> Advice {
        match self.end {
            None => {
                let mut adviser = self
                    .field
                    .adviser
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                adviser.advise_at(&self.at, limits)
            }
            Some(End::Escaped) => Advice::over(Outcome::Escaped),
            Some(End::Caught(cause)) => Advice::over(Outcome::Caught(cause)),
            Some(End::Illegal) => Advice::over(Outcome::Caught(Cause::Trapped)),
        }
    }
}

fn byte(glyph: char) -> u8 {
    u8::try_from(glyph).unwrap_or(b'?')
}
