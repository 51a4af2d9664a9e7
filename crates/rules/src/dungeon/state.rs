use getaway_board::grid::Cell;

/// A ghost or a zombie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Adversary {
    /// Its cell.
    pub cell: Cell,
    /// Its kind.
    pub kind: AdversaryKind,
}

/// A kind of adversary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AdversaryKind {
    /// Guards its room.
    Zombie,
    /// Walks through walls, which teleports it.
    Ghost {
        /// A count that must be 0 before the ghost teleports deliberately, under strategy `cooldown`; always 0 under `chase`.
        cooldown: u8,
    },
}

impl AdversaryKind {
    /// Returns the glyph in board files.
    pub const fn glyph(self) -> char {
        match self {
            Self::Zombie => 'Z',
            Self::Ghost { .. } => 'G',
        }
    }

    /// Returns the cooldown; 0 for a zombie.
    pub const fn cooldown(self) -> u8 {
        match self {
            Self::Zombie => 0,
            Self::Ghost { cooldown } => cooldown,
        }
    }
}

/// A position with a player to move.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The players still on the board, in the order in which they move in this turn.
    pub players: Vec<Cell>,
    /// The number of players, at the end of the list, who have yet to move in this turn; 0 before the first one moves, and after
    /// the last one has moved.
    pub waiting: usize,
    /// The adversaries in reading order; no two share a tile.
    pub adversaries: Vec<Adversary>,
    /// The key's cell, unless the key has been taken.
    pub key: Option<Cell>,
    /// The number of players who have escaped.
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

    pub(super) fn kind(&self, who: Cell) -> AdversaryKind {
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
        // With nobody waiting, the first player begins the turn. Without players there is no remainder.
        (self.players.len() - self.waiting).checked_rem(self.players.len())
    }
}
