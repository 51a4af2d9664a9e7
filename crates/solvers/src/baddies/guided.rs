//! A board of `baddies` prepared for search: the hero's distances to the nearest ladder, and packed states.
//!
//! The hero reaches each neighbour without a wall with the key that points there, and other keys only repeat such moves
//! (`tests/proofs/baddies-keys.smt2`). The opposite key leads back, so distances are computed backwards from the ladders.

use std::collections::VecDeque;

use crate::positions::Positions;
use getaway_board::grid::Cell;
use getaway_board::limits::{Clock, Limit, Limits, bytes};
use getaway_rules::baddies::{Baddie, BaddieKind, Baddies, Key, Offset, State, Terrain};
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
        let actors = 1 + start.baddies.len();
        let mut guided = Self {
            board,
            start,
            distances: vec![FAR; board.grid.size()],
            keys: Keys::NearestFirst,
            actor_bits,
            words: actors.div_ceil((u64::BITS / actor_bits) as usize),
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

    /// Sets the distance of keys after which a baddie catches the hero at once to [`FAR`].
    fn remove_fatal(&self, at: &State, keys: &mut [(u32, Key, Cell)]) {
        let place = |cell| {
            let (row, col) = self.board.grid.position(cell);
            (row.cast_signed(), col.cast_signed())
        };
        let (hero_row, hero_col) = place(at.hero);
        for &baddie in &at.baddies {
            let (row, col) = place(baddie.cell);
            let (rows, cols) = (hero_row - row, hero_col - col);
            let reach = baddie.kind.reach();
            if rows.abs() > reach.rows + 1 || cols.abs() > reach.cols + 1 {
                continue;
            }
            for (distance, key, to) in &mut *keys {
                let step = key.offset();
                if *distance != FAR
                    && (rows + step.rows).abs() <= reach.rows
                    && (cols + step.cols).abs() <= reach.cols
                    && self.board.baddie_lands(baddie, *to) == *to
                {
                    *distance = FAR;
                }
            }
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
                let mut keys = [(FAR, Key::ALL[0], at.hero); Key::ALL.len()];
                let mut count = 0;
                for (key, to) in self.useful_keys(at.hero) {
                    keys[count] = (self.distances[to.index()], key, to);
                    count += 1;
                }
                self.remove_fatal(at, &mut keys[..count]);
                // The hero can reach a ladder, and a move changes the distance by at most 1.
                let here = self.distances[at.hero.index()];
                for wanted in [here - 1, here, here + 1] {
                    let group = keys[..count]
                        .iter()
                        .filter(|&&(distance, ..)| distance == wanted);
                    out.extend(group.map(|&(_, key, _)| key));
                }
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

    fn play_from(&self, at: &State, key: Key, next: &mut State) -> Option<Outcome> {
        self.board.play_from(at, key, next)
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
        let bits = self.actor_bits;
        let (mut word, mut used) = (state.hero.index() as u64, bits);
        row.clear();
        for &baddie in &state.baddies {
            if used + bits > u64::BITS {
                row.push(word);
                (word, used) = (0, 0);
            }
            word |= code(baddie) << used;
            used += bits;
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
