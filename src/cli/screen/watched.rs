//! A game on the screen that is watched: its positions as they were told, or as the rules replay its moves.

use std::ops::{Deref, DerefMut};

use getaway::play::session::{NotPlayed, Position, Session};
use getaway::play::trace::{Ending, HalfTurn};

/// A game whose positions can be looked at.
pub enum Watched<'g> {
    /// The moves of the runner are all there is to it: the rules and its luck say the rest.
    Replayed(Box<dyn Session + 'g>),
    /// Only what was told says what happened.
    Recorded(Recorded<'g>),
}

impl Watched<'_> {
    /// A half turn was played.
    pub fn half(&mut self, half: HalfTurn) {
        match self {
            Self::Recorded(game) => game.half(half),
            Self::Replayed(game) => {
                let Some(mv) = half.mv else { return };
                let now = game.now();
                game.go_to(usize::MAX);
                game.play(&mv).expect("the rules accepted it once");
                game.go_to(now);
            }
        }
    }

    /// Why the moves of the runner are not all there is to it, where they are not.
    pub const fn why_not_replayed(&self) -> Option<&'static str> {
        match self {
            Self::Replayed(_) => None,
            Self::Recorded(game) => Some(game.why),
        }
    }

    /// The game ended so.
    pub fn end(&mut self, ending: &Ending) {
        if let (Self::Recorded(game), Ending::Escaped { .. } | Ending::Caught { .. }) =
            (self, ending)
        {
            game.last_position().ending = Some(ending.clone());
        }
    }
}

impl<'g> Deref for Watched<'g> {
    type Target = dyn Session + 'g;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Replayed(game) => &**game,
            Self::Recorded(game) => game,
        }
    }
}

impl DerefMut for Watched<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Replayed(game) => &mut **game,
            Self::Recorded(game) => game,
        }
    }
}

/// A game as it was told.
pub struct Recorded<'g> {
    /// The board, on which no move is made.
    board: Box<dyn Session + 'g>,
    why: &'static str,
    positions: Vec<Position>,
    now: usize,
}

impl<'g> Recorded<'g> {
    /// A game that begins on this board, and why it can't be replayed.
    pub fn new(board: Box<dyn Session + 'g>, why: &'static str) -> Self {
        Self {
            why,
            positions: vec![Position {
                halves: Vec::new(),
                ..board.position(0)
            }],
            board,
            now: 0,
        }
    }

    fn last_position(&mut self) -> &mut Position {
        self.positions.last_mut().expect("there is a start")
    }

    /// A runner's half begins a position, and what the others do completes it.
    fn half(&mut self, mut half: HalfTurn) {
        let rows = std::mem::take(&mut half.rows);
        if half.mv.is_some() {
            self.positions.push(Position {
                turns: half.turn,
                rows,
                halves: vec![half],
                ending: None,
                gathered: None,
            });
        } else {
            let position = self.last_position();
            position.rows = rows;
            position.halves.push(half);
        }
    }

    fn moves(&self, number: usize) -> impl Iterator<Item = &str> {
        let halves = self.positions[..=number]
            .iter()
            .flat_map(|position| &position.halves);
        halves.filter_map(|half| half.mv.as_deref())
    }
}

impl Session for Recorded<'_> {
    fn now(&self) -> usize {
        self.now
    }

    fn last(&self) -> usize {
        self.positions.len() - 1
    }

    fn go_to(&mut self, number: usize) {
        self.now = number.min(self.last());
    }

    fn position(&self, number: usize) -> Position {
        self.positions[number].clone()
    }

    fn left(&self, number: usize) -> Option<(u32, u32)> {
        let halves = &self.positions[number].halves;
        let own = halves.iter().find(|half| half.mv.is_some())?;
        Some(own.events.first()?.from)
    }

    fn legal(&self) -> Vec<String> {
        Vec::new()
    }

    /// Nobody makes moves in a game that was told.
    fn play(&mut self, _mv: &str) -> Result<(), NotPlayed> {
        Err(NotPlayed::Over)
    }

    fn play_line(&mut self, _line: &str) -> Result<(), NotPlayed> {
        Err(NotPlayed::Over)
    }

    fn line(&self, number: usize) -> String {
        self.moves(number).collect::<Vec<_>>().join(" ")
    }

    fn seed(&self) -> u64 {
        self.board.seed()
    }

    fn is_by_chance(&self) -> bool {
        self.board.is_by_chance()
    }

    fn pad(&self) -> [String; 9] {
        self.board.pad()
    }
}
