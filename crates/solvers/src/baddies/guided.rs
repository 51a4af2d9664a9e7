//! A board of `baddies` prepared for search: the hero's distances to the nearest ladder, and packed states.
//!
//! The hero reaches each neighbour without a wall with the key that points there, and other keys only repeat such moves
//! (`tests/proofs/baddies-keys.smt2`). The opposite key leads back, so distances are computed backwards from the ladders.

use std::collections::VecDeque;
use std::fmt;

use crate::positions::Positions;
use getaway_board::grid::Cell;
use getaway_board::limits::{Clock, Limit, Limits, bytes};
use getaway_rules::baddies::{Baddie, BaddieKind, Baddies, Key, Offset, State};
use getaway_ruleset::{Deterministic, Outcome, Ruleset};
use getaway_search::Model;
use getaway_search::search::{Finding, Order, Search};
use getaway_search::survival::{Survival, survival};
use getaway_search::visited::{Pack, Packed, Visited};

#[derive(Clone, Debug)]
pub struct GuidedBoard<'b> {
    board: &'b Baddies,
    start: &'b State,
    /// The number of moves from each cell to the nearest ladder, ignoring baddies; [`FAR`] if none can be reached.
    distances: Vec<u32>,
    keys: Keys,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keys {
    /// The useful keys, with those that end nearest to a ladder first.
    NearestFirst,
    /// The useful keys, the simplest first.
    PlainestFirst,
    /// All nine keys, the simplest first.
    All,
}

const FAR: u32 = u32::MAX;

impl<'b> GuidedBoard<'b> {
    pub fn new(board: &'b Baddies, start: &'b State, limits: &Limits) -> Result<Self, Limit> {
        limits.check_memory(bytes::<u32>(board.grid.size()))?;
        let mut guided = Self {
            board,
            start,
            distances: vec![FAR; board.grid.size()],
            keys: Keys::NearestFirst,
        };
        guided.measure(&mut Clock::new(limits))?;
        Ok(guided)
    }

    fn bytes(&self) -> u64 {
        bytes::<u32>(self.distances.len())
    }

    fn measure(&mut self, clock: &mut Clock) -> Result<(), Limit> {
        let Baddies { grid, ladders, .. } = self.board;
        clock.work(grid.size() as u64 / 64)?;
        let mut queue: VecDeque<Cell> = ladders.iter(*grid).collect();
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
        let Baddies {
            grid, walls, abyss, ..
        } = self.board;
        let Offset { rows, cols } = key.offset();
        let to = grid.offset(from, rows, cols);
        to.filter(|&to| !walls.contains(to) && !abyss.contains(to))
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
            Keys::NearestFirst => {
                let mut keys = [(FAR, Key::ALL[0]); Key::ALL.len()];
                let mut count = 0;
                for (key, to) in self.useful_keys(at.hero) {
                    keys[count] = (self.distances[to.index()], key);
                    count += 1;
                }
                keys[..count].sort_by_key(|&(distance, _)| distance);
                out.extend(keys[..count].iter().map(|&(_, key)| key));
            }
            Keys::PlainestFirst => out.extend(self.useful_keys(at.hero).map(|(key, _)| key)),
            Keys::All => out.extend(Key::PLAINEST_FIRST),
        }
    }

    fn play(&self, at: &mut State, key: Key) -> Option<Outcome> {
        Deterministic::play(self.board, at, key)
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

    pub fn search(&self, order: Order, limits: &Limits) -> (Finding<Key>, u64) {
        fn run<V>(board: &GuidedBoard, order: Order, limits: &Limits) -> (Finding<Key>, u64)
        where
            V: for<'b> Visited<GuidedBoard<'b>> + Default,
        {
            let mut search = Search::new(V::default());
            let finding = search.run(board, order, limits);
            (finding, search.states())
        }
        match limits.without(self.bytes()) {
            Ok(_) if self.lower_bound(self.start) == FAR => (Finding::Caught, 0),
            Ok(rest) if self.is_small() => run::<Packed<u16>>(self, order, &rest),
            Ok(rest) => run::<Packed<u32>>(self, order, &rest),
            Err(limit) => (Finding::Undecided(limit), 0),
        }
    }

    pub fn survival(self, limits: &Limits) -> (Survival<Key>, u64) {
        let keys = Keys::PlainestFirst;
        let model = Self { keys, ..self };
        match limits.without(model.bytes()) {
            Ok(rest) if model.is_small() => {
                survival(&model, model.start, Packed::<u16>::default(), &rest)
            }
            Ok(rest) => survival(&model, model.start, Packed::<u32>::default(), &rest),
            Err(limit) => (Survival::unknown(limit), 0),
        }
    }

    /// Explores all positions, with successors in the order of [`Key::PLAINEST_FIRST`].
    pub fn positions(self, limits: &Limits) -> Result<Positions, (Limit, u64)> {
        let model = self.with_all_keys();
        match limits.without(model.bytes()) {
            Ok(rest) if model.is_small() => {
                Positions::explore(&model, Packed::<u16>::default(), &rest)
            }
            Ok(rest) => Positions::explore(&model, Packed::<u32>::default(), &rest),
            Err(limit) => Err((limit, 0)),
        }
    }

    fn is_small(&self) -> bool {
        u16::try_from(self.distances.len() << 2).is_ok()
    }
}

/// A word for a baddie that does not exist: no kind has this number.
const GONE: u8 = 3;

/// The type of the words in a row: small enough for few bytes, large enough for the board.
trait Word: Copy + PartialEq + From<u8> + TryFrom<usize, Error: fmt::Debug> + Into<u32> {}

impl Word for u16 {}
impl Word for u32 {}

/// Uses one word for the hero, and one for each baddie of the starting position: `cell << 2 | kind`.
impl<W: Word> Pack<W> for GuidedBoard<'_> {
    fn width(&self) -> usize {
        1 + self.start.baddies.len()
    }

    fn pack(&self, state: &State, row: &mut Vec<W>) {
        let word = |number: usize| W::try_from(number).expect("the board is small enough");
        let baddie = |baddie: &Baddie| word(baddie.cell.index() << 2 | baddie.kind as usize);
        row.clear();
        row.push(word(state.hero.index()));
        row.extend(state.baddies.iter().map(baddie));
        row.resize(Pack::<W>::width(self), GONE.into());
    }

    fn unpack(&self, row: &[W], into: &mut State) {
        let cell = |number: u32| {
            let cell = self.board.grid.nth(number as usize);
            cell.expect("a row has cells of the board")
        };
        let (hero, baddies) = row.split_first().expect("a state has a hero");
        into.hero = cell((*hero).into());
        into.baddies.clear();
        let standing = baddies.iter().take_while(|&&baddie| baddie != GONE.into());
        into.baddies.extend(standing.map(|&baddie| {
            let baddie: u32 = baddie.into();
            Baddie {
                cell: cell(baddie >> 2),
                kind: BaddieKind::ALL[baddie as usize & 3],
            }
        }));
    }
}

#[cfg(test)]
#[path = "guided_tests.rs"]
mod tests;
