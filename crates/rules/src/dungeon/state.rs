use getaway_board::grid::Cell;
use getaway_ruleset::{Cause, Outcome};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Adversary {
    pub cell: Cell,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Zombie,
    Ghost {
        /// The number of turns until a ghost may teleport deliberately again, under strategy `cooldown`.
        cooldown: u8,
    },
}

impl Kind {
    pub const fn glyph(self) -> char {
        match self {
            Self::Zombie => 'Z',
            Self::Ghost { .. } => 'G',
        }
    }

    pub const fn cooldown(self) -> u8 {
        match self {
            Self::Zombie => 0,
            Self::Ghost { cooldown } => cooldown,
        }
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The players in the order in which they move in this round.
    pub players: Vec<Cell>,
    /// The number of players, at the end of the list, who have yet to move in this round; 0 between rounds.
    pub waiting: usize,
    /// The adversaries in reading order; no two share a tile.
    pub adversaries: Vec<Adversary>,
    pub key: Option<Cell>,
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

    fn clone_from(&mut self, other: &Self) {
        self.players.clone_from(&other.players);
        self.adversaries.clone_from(&other.adversaries);
        self.waiting = other.waiting;
        self.key = other.key;
        self.escaped = other.escaped;
    }
}

impl State {
    pub(super) fn adversary(&self, cell: Cell) -> Option<usize> {
        self.adversaries
            .binary_search_by_key(&cell, |adversary| adversary.cell)
            .ok()
    }

    pub(super) fn kind(&self, who: Cell) -> Kind {
        self.adversaries[self
            .adversary(who)
            .expect("a moving adversary is on the level")]
        .kind
    }

    pub(super) fn others(&self, who: Cell) -> Vec<Cell> {
        let cells = self.adversaries.iter().map(|other| other.cell);
        cells.filter(|&cell| cell != who).collect()
    }

    pub(super) fn mover(&self) -> Option<usize> {
        (self.players.len() - self.waiting).checked_rem(self.players.len())
    }

    pub(super) fn ended(&self, cause: Cause) -> Option<Outcome> {
        match (self.players.is_empty(), self.escaped) {
            (false, _) => None,
            (true, 0) => Some(Outcome::Caught(cause)),
            (true, _) => Some(Outcome::Escaped),
        }
    }
}
