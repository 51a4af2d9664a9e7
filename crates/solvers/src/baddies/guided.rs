//! A board of `baddies` prepared for search: the hero's distances to the nearest ladder, and packed states.
//!
//! The hero reaches each neighbour without a wall with the key that points there, and other keys only repeat such moves
//! (`tests/proofs/baddies-keys.smt2`). The opposite key leads back, so distances are computed backwards from the ladders.

use std::collections::VecDeque;

use crate::positions::Positions;
use getaway_board::grid::Cell;
use getaway_board::limits::{Clock, Limit, Limits, bytes};
use getaway_rules::baddies::{Baddie, BaddieKind, Baddies, Key, Offset, State, Terrain, Turns};
use getaway_ruleset::{Deterministic, Outcome, Ruleset};
use getaway_search::Model;
use getaway_search::search::{Finding, Order, Search};
use getaway_search::survival::{Survival, survival};
use getaway_search::visited::{Pack, Packed};

#[derive(Clone, Debug)]
pub struct GuidedBoard<'b> {
    board: &'b Baddies,
    start: &'b State,
    /// The number of moves from each cell to the nearest ladder, ignoring baddies; [`FAR`] if none can be reached.
    distances: Vec<u32>,
    keys: Keys,
    /// The number of bits for an actor in a packed state.
    actor_bits: u32,
    /// The number of words in a packed state.
    words: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keys {
    /// The useful keys, with those that end nearest to a ladder first.
    NearestFirst,
    /// The same, and then all keys that lose at once.
    FatalLast,
    /// The useful keys, the simplest first.
    PlainestFirst,
    /// All nine keys, the simplest first.
    All,
}

const FAR: u32 = u32::MAX;

impl<'b> GuidedBoard<'b> {
    pub fn new(board: &'b Baddies, start: &'b State, limits: &Limits) -> Result<Self, Limit> {
        limits.check_memory(bytes::<u32>(board.grid.size()))?;
        // Two bits for the kind, and enough for the cell.
        let actor_bits = 2 + board.grid.size().ilog2() + 1;
        let actors = (u64::BITS / actor_bits) as usize;
        let mut guided = Self {
            board,
            start,
            distances: vec![FAR; board.grid.size()],
            keys: Keys::NearestFirst,
            actor_bits,
            words: (1 + start.baddies.len()).div_ceil(actors),
        };
        guided.measure(&mut Clock::new(limits))?;
        Ok(guided)
    }

    fn bytes(&self) -> u64 {
        bytes::<u32>(self.distances.len())
    }

    fn measure(&mut self, clock: &mut Clock) -> Result<(), Limit> {
        clock.work(self.board.grid.size() as u64 / 64)?;
        let mut queue: VecDeque<Cell> = self.board.ladders().collect();
        for &ladder in &queue {
            self.distances[ladder.index()] = 0;
        }
        while let Some(to) = queue.pop_front() {
            clock.work(16)?;
            if queue.len() == queue.capacity() {
                let bytes = 3 * bytes::<Cell>(queue.len());
                clock.limits().check_memory(self.bytes() + bytes)?;
            }
            let distance = self.distances[to.index()] + 1;
            for key in Key::ALL {
                if let Some(from) = self.neighbour(to, key)
                    && self.distances[from.index()] == FAR
                {
                    self.distances[from.index()] = distance;
                    queue.push_back(from);
                }
            }
        }
        Ok(())
    }

    /// Returns the neighbour to which the key points, if the hero survives there.
    fn neighbour(&self, from: Cell, key: Key) -> Option<Cell> {
        let Offset { rows, cols } = key.offset();
        let to = self.board.grid.offset(from, rows, cols)?;
        matches!(self.board.terrain(to), Terrain::Floor | Terrain::Ladder).then_some(to)
    }

    /// Appends the useful keys after which no baddie catches the hero at once, with those that end nearest to a ladder first.
    fn list_nearest_first(&self, hero: Cell, turns: &Turns, out: &mut Vec<Key>) {
        // The hero can reach a ladder, and a move changes the distance by at most 1. The last group is for other cells.
        let nearest = self.distances[hero.index()] - 1;
        let (mut groups, mut lens) = ([[Key::ALL[0]; 9]; 4], [0; 4]);
        for key in Key::PLAINEST_FIRST {
            let (to, is_useful) = turns.target(key);
            let group = self.distances[to.index()].wrapping_sub(nearest).min(3) as usize;
            groups[group][lens[group]] = key;
            lens[group] += usize::from(is_useful);
        }
        for (group, len) in groups.iter().zip(lens).take(3) {
            out.extend_from_slice(&group[..len]);
        }
    }

    /// Returns the keys that move the hero safely to different cells, and those cells.
    fn useful_keys(&self, hero: Cell) -> impl Iterator<Item = (Key, Cell)> {
        let landing = move |key| Some((key, self.neighbour(hero, key)?));
        Key::PLAINEST_FIRST.into_iter().filter_map(landing)
    }
}

impl Model for GuidedBoard<'_> {
    type State = State;
    type Move = Key;

    fn opened(&self) -> Result<State, Outcome> {
        Ok(self.start.clone())
    }

    fn moves(&self, at: &State, out: &mut Vec<Key>) {
        match self.keys {
            Keys::NearestFirst | Keys::FatalLast => {
                self.board
                    .with_turns(at, |turns| self.list_nearest_first(at.hero, turns, out));
                if self.keys == Keys::FatalLast {
                    let is_fatal = |&key: &Key| {
                        matches!(self.play(&mut at.clone(), key), Some(Outcome::Caught(_)))
                    };
                    out.extend(Key::PLAINEST_FIRST.into_iter().filter(is_fatal));
                }
            }
            Keys::PlainestFirst => out.extend(self.useful_keys(at.hero).map(|(key, _)| key)),
            Keys::All => out.extend(Key::PLAINEST_FIRST),
        }
    }

    fn play(&self, at: &mut State, key: Key) -> Option<Outcome> {
        Deterministic::play(self.board, at, key)
    }

    fn expand(
        &self,
        at: &State,
        moves: &mut Vec<Key>,
        next: &mut State,
        mut visit: impl FnMut(Key, &State) -> Result<(), Limit>,
    ) -> Result<Option<Key>, Limit> {
        self.board.with_turns(at, |turns| {
            moves.clear();
            self.list_nearest_first(at.hero, turns, moves);
            for &key in &*moves {
                match turns.play(key, next) {
                    None => visit(key, next)?,
                    Some(Outcome::Escaped) => return Ok(Some(key)),
                    Some(Outcome::Caught(_)) => {}
                }
            }
            Ok(None)
        })
    }

    fn state_bytes(&self) -> usize {
        Ruleset::state_bytes(self.board)
    }

    fn lower_bound(&self, at: &State) -> u32 {
        self.distances[at.hero.index()]
    }
}

impl GuidedBoard<'_> {
    /// Lists all keys, so that lines with different keys to the same cell count as different.
    pub fn with_all_keys(self) -> Self {
        let keys = Keys::All;
        Self { keys, ..self }
    }

    /// Lists the keys that lose at once as well, so that a search shows them.
    pub fn with_fatal_keys(self) -> Self {
        let keys = Keys::FatalLast;
        Self { keys, ..self }
    }

    pub fn search(&self, order: Order, limits: &Limits) -> (Finding<Key>, u64) {
        match limits.without(self.bytes()) {
            Ok(_) if self.lower_bound(self.start) == FAR => (Finding::Caught, 0),
            Ok(rest) => {
                let mut search = Search::new(Packed::<u64>::default());
                let finding = search.run(self, order, &rest);
                (finding, search.states())
            }
            Err(limit) => (Finding::Undecided(limit), 0),
        }
    }

    pub fn survival(self, limits: &Limits) -> (Survival<Key>, u64) {
        let keys = Keys::PlainestFirst;
        let model = Self { keys, ..self };
        match limits.without(model.bytes()) {
            Ok(rest) => survival(&model, model.start, Packed::<u64>::default(), &rest),
            Err(limit) => (Survival::unknown(limit), 0),
        }
    }

    /// Explores all positions, with successors in the order of [`Key::PLAINEST_FIRST`].
    pub fn positions(self, limits: &Limits) -> Result<Positions, (Limit, u64)> {
        let model = self.with_all_keys();
        let rest = limits.without(model.bytes()).map_err(|limit| (limit, 0))?;
        Positions::explore(&model, Packed::<u64>::default(), &rest)
    }
}

/// A number for a baddie, not 0.
fn code(baddie: Baddie) -> u64 {
    (baddie.cell.index() as u64) << 2 | (baddie.kind as u64 + 1)
}

/// Packs as many actors into a word as fit, the hero first. The bits after the last baddie are 0.
impl Pack<u64> for GuidedBoard<'_> {
    fn width(&self) -> usize {
        self.words
    }

    fn pack(&self, state: &State, row: &mut Vec<u64>) {
        row.clear();
        let (mut word, mut shift) = (state.hero.index() as u64, self.actor_bits);
        for &baddie in &state.baddies {
            if shift + self.actor_bits > u64::BITS {
                row.push(std::mem::take(&mut word));
                shift = 0;
            }
            word |= code(baddie) << shift;
            shift += self.actor_bits;
        }
        row.push(word);
        row.resize(self.words, 0);
    }

    fn unpack(&self, row: &[u64], into: &mut State) {
        let (bits, mask) = (self.actor_bits, (1 << self.actor_bits) - 1);
        let cell = |number: u64| {
            let cell = self.board.grid.nth(number as usize);
            cell.expect("a row has cells of the board")
        };
        into.hero = cell(row[0] & mask);
        into.baddies.clear();
        for (number, word) in row.iter().enumerate() {
            let mut rest = if number == 0 { word >> bits } else { *word };
            while rest != 0 {
                let code = rest & mask;
                into.baddies.push(Baddie {
                    cell: cell(code >> 2),
                    kind: BaddieKind::ALL[(code as usize & 3) - 1],
                });
                rest >>= bits;
            }
        }
    }
}

#[cfg(test)]
#[path = "guided_tests.rs"]
mod tests;
