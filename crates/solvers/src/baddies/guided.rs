//! A board of `baddies` prepared for search: the hero's distances to the nearest ladder, and packed states.
//!
//! The hero reaches each neighbour without a wall with the key that points there, and other keys only repeat such moves
//! (`tests/proofs/baddies-keys.smt2`). The opposite key leads back, so distances are computed backwards from the ladders.

use std::collections::VecDeque;

use crate::positions::Positions;
use getaway_board::grid::Cell;
use getaway_board::limits::{Clock, Limit, Limits, bytes};
use getaway_rules::baddies::{
    Baddie, Baddies, ByKey, Key, Landings, Offset, State, Terrain, Turns,
};
use getaway_ruleset::{Deterministic, Outcome};
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
    /// The cells on which baddies land; `None` if the board has too many cells or baddies for these tables.
    landings: Option<Landings>,
    /// The number of bits for an actor in a state.
    actor_bits: u32,
    /// The number of actors in a word of a state.
    word_actors: usize,
    /// The number of actors in a state.
    actors: usize,
}

/// The keys that a board lists in each state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// The keys to cells from which a ladder can be reached and on which no baddie lands; the cells nearest to a ladder come
    /// first.
    NearestFirst,
    /// The same keys, and then all keys that lose at once, so that a search shows them.
    FatalLast,
    /// The keys that point to floor or a ladder, in the order of [`Key::PLAINEST_FIRST`].
    PlainestFirst,
    /// All nine keys, in the order of [`Key::PLAINEST_FIRST`], so that lines with different keys to the same cell count as
    /// different.
    All,
}

const FAR: u32 = u32::MAX;

impl<'b> GuidedBoard<'b> {
    pub fn new(
        board: &'b Baddies,
        start: &'b State,
        keys: Keys,
        limits: &Limits,
    ) -> Result<Self, Limit> {
        limits.check_memory(bytes::<u32>(board.grid.size()) + Landings::bytes(board))?;
        let actor_bits = Baddie::code_bits(board.grid);
        let mut guided = Self {
            board,
            start,
            distances: vec![FAR; board.grid.size()],
            keys,
            landings: Landings::new(board),
            actor_bits,
            word_actors: (u64::BITS / actor_bits) as usize,
            actors: 1 + start.baddies.len(),
        };
        guided.compute_distances(&mut Clock::new(limits))?;
        Ok(guided)
    }

    fn bytes(&self) -> u64 {
        bytes::<u32>(self.distances.len()) + Landings::bytes(self.board)
    }

    fn compute_distances(&mut self, clock: &mut Clock) -> Result<(), Limit> {
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
            let (row, col) = self.board.grid.position(to);
            for key in Key::ALL {
                // A step beyond the edge leads to the cell itself or to another neighbour.
                let Offset { rows, cols } = key.offset();
                let from = self.board.grid.offset_by_axis(row, col, rows, cols);
                if self.distances[from.index()] == FAR && self.is_safe(from) {
                    self.distances[from.index()] = distance;
                    queue.push_back(from);
                }
            }
        }
        Ok(())
    }

    /// Returns whether the cell is floor or a ladder, on which the hero survives unless a baddie catches him.
    fn is_safe(&self, cell: Cell) -> bool {
        matches!(self.board.terrain(cell), Terrain::Floor | Terrain::Ladder)
    }

    /// Appends the keys of [`Keys::NearestFirst`]. `target` returns the index of the cell to which a key points, and whether no
    /// baddie lands there.
    fn list_nearest_first(
        &self,
        hero: Cell,
        target: impl Fn(Key) -> (usize, bool),
        out: &mut Vec<Key>,
    ) {
        // A search expands only states in which the hero can reach a ladder, and a move changes the distance by at most 1. The
        // last group is for cells from which no ladder can be reached.
        let nearest = self.distances[hero.index()] - 1;
        let (mut groups, mut lens) = ([[Key::ALL[0]; 9]; 4], [0; 4]);
        for key in Key::PLAINEST_FIRST {
            let (to, is_free) = target(key);
            let group = self.distances[to].wrapping_sub(nearest).min(3) as usize;
            groups[group][lens[group]] = key;
            lens[group] += usize::from(is_free);
        }
        for (group, len) in groups.iter().zip(lens).take(3) {
            out.extend_from_slice(&group[..len]);
        }
    }

    /// Returns the keys of [`Keys::PlainestFirst`] that do not lose at once.
    fn plainest_first(&self, turns: &Turns) -> impl Iterator<Item = Key> {
        let is_safe = |&key: &Key| match turns.target(key) {
            (to, true) => self.board.grid.nth(to).is_some_and(|to| self.is_safe(to)),
            (_, false) => false,
        };
        Key::PLAINEST_FIRST.into_iter().filter(is_safe)
    }

    /// Returns the same as [`Turns::target`], without tables: the index of the cell to which the key points, and whether no
    /// baddie lands there. If the key points off the board, returns the hero's cell and false.
    fn target(&self, at: &State, key: Key) -> (usize, bool) {
        let Offset { rows, cols } = key.offset();
        let to = self.board.grid.offset(at.hero, rows, cols);
        let lands = |to| move |&baddie| self.board.baddie_lands(baddie, to) == to;
        let is_free = to.is_some_and(|to| !at.baddies.iter().any(lands(to)));
        (to.unwrap_or(at.hero).index(), is_free)
    }

    /// Returns the keys of [`Keys::PlainestFirst`], and the cells to which they point.
    fn useful_keys(&self, hero: Cell) -> impl Iterator<Item = (Key, Cell)> {
        let landing = move |key: Key| {
            let Offset { rows, cols } = key.offset();
            let to = self.board.grid.offset(hero, rows, cols)?;
            self.is_safe(to).then_some((key, to))
        };
        Key::PLAINEST_FIRST.into_iter().filter_map(landing)
    }
}

impl Model for GuidedBoard<'_> {
    /// The actors, packed: the hero's cell, the codes of the baddies in order, and all ones for each that fell. A word holds
    /// as many actors as fit, the first in its lowest bits.
    type State = Vec<u64>;
    type Move = Key;

    fn opened(&self) -> Result<Vec<u64>, Outcome> {
        Ok(self.packed(self.start))
    }

    fn moves(&self, at: &Vec<u64>, out: &mut Vec<Key>) {
        match self.keys {
            Keys::NearestFirst | Keys::FatalLast => {
                let hero = self.hero(at);
                let state = self.unpacked(at);
                self.list_nearest_first(hero, |key| self.target(&state, key), out);
                if self.keys == Keys::FatalLast {
                    let is_fatal = |&key: &Key| {
                        matches!(self.play(&mut at.clone(), key), Some(Outcome::Caught(_)))
                    };
                    out.extend(Key::PLAINEST_FIRST.into_iter().filter(is_fatal));
                }
            }
            Keys::PlainestFirst => out.extend(self.useful_keys(self.hero(at)).map(|(key, _)| key)),
            Keys::All => out.extend(Key::PLAINEST_FIRST),
        }
    }

    fn play(&self, at: &mut Vec<u64>, key: Key) -> Option<Outcome> {
        let mut state = self.unpacked(at);
        let outcome = Deterministic::play(self.board, &mut state, key);
        *at = self.packed(&state);
        outcome
    }

    fn expand(
        &self,
        at: &Vec<u64>,
        moves: &mut Vec<Key>,
        next: &mut Vec<u64>,
        mut visit: impl FnMut(Key, &Vec<u64>) -> Result<(), Limit>,
    ) -> Result<Option<Key>, Limit> {
        let mut turns = Turns::default();
        let is_explored = self.keys != Keys::All && self.explore(at, &mut turns);
        moves.clear();
        match self.keys {
            _ if !is_explored => self.moves(at, moves),
            Keys::PlainestFirst => moves.extend(self.plainest_first(&turns)),
            _ => self.list_nearest_first(self.hero(at), |key| turns.target(key), moves),
        }
        for &key in &*moves {
            let outcome = if is_explored {
                self.play_explored(&turns, key, next)
            } else {
                next.clone_from(at);
                self.play(next, key)
            };
            match outcome {
                None => visit(key, next)?,
                Some(Outcome::Escaped) => return Ok(Some(key)),
                Some(Outcome::Caught(_)) => {}
            }
        }
        Ok(None)
    }

    fn state_bytes(&self) -> usize {
        size_of::<Vec<u64>>() + size_of::<u64>() * self.words()
    }

    fn lower_bound(&self, at: &Vec<u64>) -> u32 {
        self.distances[self.hero(at).index()]
    }
}

impl GuidedBoard<'_> {
    pub fn search(&self, order: Order, limits: &Limits) -> (Finding<Key>, u64) {
        match limits.without(self.bytes()) {
            // Baddies never open a way for the hero.
            Ok(_) if self.distances[self.start.hero.index()] == FAR => (Finding::Caught, 0),
            Ok(rest) => {
                let mut search = Search::new(Packed::<u64>::default());
                let finding = search.run(self, order, &rest);
                (finding, search.states())
            }
            Err(limit) => (Finding::Undecided(limit), 0),
        }
    }

    pub fn survival(&self, limits: &Limits) -> (Survival<Key>, u64) {
        match limits.without(self.bytes()) {
            Ok(rest) => {
                let start = self.packed(self.start);
                survival(self, &start, Packed::<u64>::default(), &rest)
            }
            Err(limit) => (Survival::unknown(limit), 0),
        }
    }

    /// Explores all positions, with successors in the order of the keys.
    pub fn positions(&self, limits: &Limits) -> Result<Positions, (Limit, u64)> {
        let rest = limits.without(self.bytes()).map_err(|limit| (limit, 0))?;
        Positions::explore(self, Packed::<u64>::default(), &rest)
    }
}

/// Packs states into words, and plays moves in that form.
impl GuidedBoard<'_> {
    fn words(&self) -> usize {
        self.actors.div_ceil(self.word_actors)
    }

    fn mask(&self) -> u64 {
        (1 << self.actor_bits) - 1
    }

    fn hero(&self, at: &[u64]) -> Cell {
        let cell = self.board.grid.nth((at[0] & self.mask()) as usize);
        cell.expect("a state has cells of the board")
    }

    fn pack_actors<A>(&self, actors: &[A], number: impl Fn(&A) -> u64, into: &mut Vec<u64>) {
        into.clear();
        for actors in actors.chunks(self.word_actors) {
            let add = |word, actor| word << self.actor_bits | number(actor);
            into.push(actors.iter().rev().fold(0, add));
        }
    }

    fn unpack_actors(&self, at: &[u64], actors: &mut [u64]) {
        for (actors, &(mut word)) in actors.chunks_mut(self.word_actors).zip(at) {
            for actor in actors {
                *actor = word & self.mask();
                word >>= self.actor_bits;
            }
        }
    }

    fn packed(&self, state: &State) -> Vec<u64> {
        let (mut actors, mut at) = (vec![self.mask(); self.actors], Vec::new());
        actors[0] = state.hero.index() as u64;
        for (actor, baddie) in actors[1..].iter_mut().zip(&state.baddies) {
            *actor = baddie.code();
        }
        at.reserve_exact(self.words());
        self.pack_actors(&actors, |&actor| actor, &mut at);
        at
    }

    fn unpacked(&self, at: &[u64]) -> State {
        let mut actors = vec![0; self.actors];
        self.unpack_actors(at, &mut actors);
        let mut baddies = Vec::with_capacity(self.actors);
        let decoded = |&code| Baddie::decoded(self.board.grid, code);
        baddies.extend(actors[1..].iter().map_while(decoded));
        let hero = self.hero(at);
        State { hero, baddies }
    }

    /// Explores the turns from a state; returns false if the board has too many cells or baddies for that.
    fn explore(&self, at: &[u64], turns: &mut Turns) -> bool {
        let Some(landings) = &self.landings else {
            return false;
        };
        let mut actors = [0; Turns::MAX_ACTORS];
        self.unpack_actors(at, &mut actors[..self.actors]);
        landings.explore(&actors[..self.actors], turns);
        true
    }

    /// Plays a turn with a key that does not lose at once: returns the escape if the key points to a ladder, and otherwise sets
    /// `next` to the state after the turn.
    fn play_explored(&self, turns: &Turns, key: Key, next: &mut Vec<u64>) -> Option<Outcome> {
        if self.distances[turns.target(key).0] == 0 {
            return Some(Outcome::Escaped);
        }
        let number = |actor: &ByKey| actor[key.index()] as u64;
        self.pack_actors(&turns.actors[..self.actors], number, next);
        None
    }
}

impl Pack<u64> for GuidedBoard<'_> {
    fn width(&self) -> usize {
        self.words()
    }

    fn pack(&self, state: &Vec<u64>, row: &mut Vec<u64>) {
        row.clone_from(state);
    }

    fn unpack(&self, row: &[u64], into: &mut Vec<u64>) {
        into.clear();
        into.extend_from_slice(row);
    }
}

#[cfg(test)]
#[path = "guided_tests.rs"]
mod tests;
