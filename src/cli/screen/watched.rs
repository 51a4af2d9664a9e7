//! A game on the screen that may be watched while others play it.

use std::ops::{Deref, DerefMut};

use crate::play::session::Session;
use crate::play::trace::{Ending, HalfTurn};

/// A game whose positions the rules replay: its moves, its luck, and what led chasers did say all that happens.
pub struct Watched<'g> {
    game: Box<dyn Session + 'g>,
    is_led: bool,
    /// The runner's move in a turn of which it is not told yet what led chasers do in it.
    begun: Option<String>,
}

impl<'g> Watched<'g> {
    /// A game that begins; whether somebody leads chasers in it.
    pub fn new(game: Box<dyn Session + 'g>, is_led: bool) -> Self {
        Self {
            game,
            is_led,
            begun: None,
        }
    }

    /// Whether chasers are led rather than move by their own rules.
    pub const fn is_led(&self) -> bool {
        self.is_led
    }

    /// A half turn was played.
    pub fn half(&mut self, half: HalfTurn) {
        if half.mv.is_some() {
            self.complete();
            self.begun = half.mv;
        }
        self.game.lead(&half.orders);
        if !self.is_led || !half.orders.is_empty() {
            self.complete();
        }
    }

    /// The game ended so.
    pub fn end(&mut self, ending: &Ending) {
        if !matches!(ending, Ending::Forfeited { .. }) {
            self.complete();
        }
    }

    /// The turn that was begun is there as a whole.
    fn complete(&mut self) {
        if let Some(mv) = self.begun.take() {
            let now = self.game.now();
            self.game.go_to(usize::MAX);
            self.game.play(&mv).expect("the rules accepted it once");
            self.game.go_to(now);
        }
    }
}

impl<'g> Deref for Watched<'g> {
    type Target = dyn Session + 'g;

    fn deref(&self) -> &Self::Target {
        &*self.game
    }
}

impl DerefMut for Watched<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.game
    }
}
