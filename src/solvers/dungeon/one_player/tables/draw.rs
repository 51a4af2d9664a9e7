//! The second half of an update: the draws of the adversaries.
//!
//! They move in the order of their tiles. So for each state of one that may move last the mean over its outcomes is
//! taken, for all others that have moved at once; of what comes of that, the same for each state of one that may move
//! before it; and so on, until none is left.

use super::super::OnePlayerMdp;
use super::position::{KindTable, Outcomes, PositionTable, Ways};
use super::states::{Member, Shape, StateIndex, States, exclude, exclude_tile, part};
use crate::engine::mdp::ValueDomain;
use crate::grid::Dir;
use crate::limits::{Clock, Limit};

/// What is worked out on the way for one adversary that moves.
pub(super) struct Level<V: ValueDomain> {
    /// The values with its states before those of all others.
    major: Vec<V>,
    /// The values of its teleports, one after the other.
    teleports: Vec<V>,
    sums: Vec<V::Sum>,
    means: Vec<V::Sum>,
    rooms: Vec<u16>,
    /// The values when it has moved.
    next: Vec<V>,
}

impl<V: ValueDomain> Default for Level<V> {
    fn default() -> Self {
        Self {
            major: Vec::new(),
            teleports: Vec::new(),
            sums: Vec::new(),
            means: Vec::new(),
            rooms: Vec::new(),
            next: Vec::new(),
        }
    }
}

/// How many values are worked out on the way at most, given how many states the adversaries have; what is summed up
/// counts as a value.
pub(super) fn scratch_len(sides: &[usize], teleports: usize) -> usize {
    let mut len: usize = sides.iter().product();
    let mut all = 2 * len;
    for side in sides {
        let rest = len / (*side).max(1);
        all += (4 + teleports) * rest;
        len = rest;
    }
    all
}

/// The draws at a position.
pub(super) struct Drawing<'a> {
    pub(super) mdp: &'a OnePlayerMdp,
    pub(super) table: &'a PositionTable,
    pub(super) waiting: &'a [States],
    pub(super) shape: &'a Shape,
    /// For each tile those next to it.
    pub(super) neighbours: &'a [[Option<u32>; 4]],
}

/// An adversary that waits: where it moves in the order, nobody with a greater tile is left.
#[derive(Clone, Copy)]
struct Waiting<'a> {
    tile: u32,
    /// Those behind it.
    behind: Option<&'a Waiting<'a>>,
}

impl<'a> Waiting<'a> {
    fn tiles(&'a self) -> impl Iterator<Item = u32> + 'a {
        std::iter::successors(Some(self), |waiting| waiting.behind).map(|waiting| waiting.tile)
    }
}

fn tiles<'a>(waiting: Option<&'a Waiting<'a>>) -> impl Iterator<Item = u32> + 'a {
    waiting.into_iter().flat_map(Waiting::tiles)
}

/// How many states are before the tile of the one that waits.
fn before(states: &States, behind: Option<&Waiting>) -> StateIndex {
    behind.map_or(states.all().end, |behind| states.before(behind.tile))
}

impl Drawing<'_> {
    /// Fills in the values of all states, given those when all have moved; `left` are the adversaries in the order
    /// of these values.
    pub(super) fn run<V: ValueDomain>(
        &self,
        left: &[Member],
        moved: &[V],
        levels: &mut [Level<V>],
        out: &mut [V],
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        out.fill(V::LOST);
        self.descend(left, moved, levels, (None, 0), out, clock)
    }

    /// The draws of those that are left; of those who wait behind them, and the number that their states make.
    fn descend<V: ValueDomain>(
        &self,
        left: &[Member],
        values: &[V],
        levels: &mut [Level<V>],
        (behind, number): (Option<&Waiting>, usize),
        out: &mut [V],
        clock: &mut Clock,
    ) -> Result<(), Limit> {
        let (level, levels) = levels
            .split_first_mut()
            .expect("a level for each adversary");
        for (at, member) in left.iter().enumerate() {
            // Of interchangeable ones the last moves last.
            if left[..at].iter().any(|other| other.kind == member.kind) {
                continue;
            }
            let mut rest = left.to_vec();
            rest.remove(at);
            clock.work(values.len() as u64)?;
            self.bring_forward(left, at, values, &mut level.major);
            self.fill_teleports(*member, &rest, behind, level);
            let stride = self.shape.strides[member.kind];
            if rest.is_empty() {
                self.line(*member, level, (behind, number), stride, out);
                continue;
            }
            let states = &self.waiting[member.kind];
            for state in 0..before(states, behind) {
                let tile = states.tile(state);
                if !self.has_room_before(&rest, tile) {
                    continue;
                }
                self.mean(*member, state, &rest, behind, level);
                let waiting = Waiting { tile, behind };
                let number = number + stride * part(state, member.nth);
                self.descend(
                    &rest,
                    &level.next,
                    levels,
                    (Some(&waiting), number),
                    out,
                    clock,
                )?;
            }
        }
        Ok(())
    }

    /// Whether all of these can be on tiles before this one.
    fn has_room_before(&self, rest: &[Member], tile: u32) -> bool {
        rest.iter()
            .all(|member| usize::from(self.waiting[member.kind].before(tile)) >= member.nth)
    }

    fn side(&self, member: Member) -> usize {
        self.table.moved[member.kind].len()
    }

    /// Copies the values with the states of one adversary before those of all others.
    fn bring_forward<V: Copy>(&self, left: &[Member], at: usize, values: &[V], major: &mut Vec<V>) {
        major.clear();
        if at == 0 {
            return major.extend_from_slice(values);
        }
        let sides = |members: &[Member]| -> usize {
            members.iter().map(|&member| self.side(member)).product()
        };
        let (side, inner) = (self.side(left[at]), sides(&left[at + 1..]));
        if values.is_empty() {
            return;
        }
        for state in 0..side {
            let outer = values.chunks_exact(side * inner);
            for chunk in outer {
                major.extend_from_slice(&chunk[state * inner..][..inner]);
            }
        }
    }

    /// Works out the values of teleports, for all states of the others.
    fn fill_teleports<V: ValueDomain>(
        &self,
        member: Member,
        rest: &[Member],
        behind: Option<&Waiting>,
        level: &mut Level<V>,
    ) {
        let states = &self.table.moved[member.kind];
        let len = level.major.len() / states.len().max(1);
        level.teleports.clear();
        for &cooldown in &self.table.kinds[member.kind].teleports {
            level.means.clear();
            level.means.resize(len, V::EMPTY_SUM);
            level.rooms.clear();
            level.rooms.resize(len, 0);
            for (number, room) in (0..).zip(&self.table.rooms) {
                let is_taken = |tile: &u32| tiles(behind).any(|taken| taken == *tile);
                level.sums.clear();
                level.sums.resize(len, V::EMPTY_SUM);
                let mut free = 0;
                for tile in room.iter().filter(|tile| !is_taken(tile)) {
                    free += 1;
                    let state = states.find(*tile, cooldown);
                    let state = state.expect("a ghost can be on a free tile");
                    let row = &level.major[usize::from(state) * len..][..len];
                    for (sum, value) in level.sums.iter_mut().zip(row) {
                        *sum = V::add(*sum, *value);
                    }
                }
                let taken = Taken {
                    drawing: self,
                    room: number,
                };
                taken.count(rest, &mut |at, taken| {
                    // Each of the others takes a tile at most.
                    if free > taken {
                        let mean = V::mean(level.sums[at], free - taken);
                        level.means[at] = V::add(level.means[at], mean);
                        level.rooms[at] += 1;
                    }
                });
            }
            let means = level.means.iter().zip(&level.rooms);
            level
                .teleports
                .extend(means.map(|(sum, rooms)| V::mean(*sum, (*rooms).max(1))));
        }
    }

    /// The ways that those who wait block from a tile.
    fn blocked(&self, tile: u32, behind: Option<&Waiting>) -> Ways {
        self.ways(tile, |next| tiles(behind).any(|taken| taken == next))
    }

    fn ways(&self, tile: u32, is_blocked: impl Fn(u32) -> bool) -> Ways {
        let neighbours = Dir::ALL.into_iter().zip(self.neighbours[tile as usize]);
        neighbours.fold(0, |ways, (dir, next)| {
            ways | Ways::from(next.is_some_and(&is_blocked)) << dir as u8
        })
    }

    fn outcomes(&self, kind: usize, state: StateIndex, blocked: Ways) -> Outcomes {
        let adversary = self.waiting[kind].adversary(state);
        self.table
            .outcomes(self.mdp, kind, (state, adversary), blocked)
    }

    /// The values of a single adversary's draws, the first of all.
    fn line<V: ValueDomain>(
        &self,
        member: Member,
        level: &Level<V>,
        (behind, number): (Option<&Waiting>, usize),
        stride: usize,
        out: &mut [V],
    ) {
        let states = &self.waiting[member.kind];
        let targets = Targets::new(self, member, level);
        let count = before(states, behind);
        for state in 0..count {
            let outcomes = self.outcomes(member.kind, state, 0);
            out[number + stride * usize::from(state)] = targets.mean(&outcomes, 0);
        }
        for tile in tiles(behind) {
            for next in self.neighbours[tile as usize].into_iter().flatten() {
                for state in states.at(next).filter(|&state| state < count) {
                    let outcomes = self.outcomes(member.kind, state, self.blocked(next, behind));
                    out[number + stride * usize::from(state)] = targets.mean(&outcomes, 0);
                }
            }
        }
    }

    /// The values of the draw of an adversary in this state, for all states of the others.
    fn mean<V: ValueDomain>(
        &self,
        member: Member,
        state: StateIndex,
        rest: &[Member],
        behind: Option<&Waiting>,
        level: &mut Level<V>,
    ) {
        let tile = self.waiting[member.kind].tile(state);
        let blocked = self.blocked(tile, behind);
        let mut next = std::mem::take(&mut level.next);
        let targets = Targets::new(self, member, level);
        targets.mean_all(&self.outcomes(member.kind, state, blocked), &mut next);
        let mut known = [None; 16];
        let mut patch = |at: usize, ways: Ways| {
            let ways = blocked | ways;
            let known = &mut known[usize::from(ways)];
            let outcomes = known.get_or_insert_with(|| self.outcomes(member.kind, state, ways));
            next[at] = targets.mean(outcomes, at);
        };
        self.patch(tile, rest, (0, 0, false), &mut patch);
        // Where one that waits is, nobody else gets.
        let states: Vec<&States> = rest
            .iter()
            .map(|rest| &self.table.moved[rest.kind])
            .collect();
        exclude_tile(tile, &states, &mut next);
        exclude(&states, &mut next);
        level.next = next;
    }

    /// Calls `patch` for all states of the others of which some block a way from this tile: with their number, and
    /// the ways. `at`, `ways` and whether there are such ways are those of the others before.
    fn patch(
        &self,
        tile: u32,
        rest: &[Member],
        (at, ways, is_blocked): (usize, Ways, bool),
        patch: &mut impl FnMut(usize, Ways),
    ) {
        let [member, rest @ ..] = rest else {
            if is_blocked {
                patch(at, ways);
            }
            return;
        };
        let states = &self.table.moved[member.kind];
        let at = at * states.len();
        let mut next = 0;
        let mut free = |range: std::ops::Range<StateIndex>| {
            // Without anybody in the way nothing is to be done, unless somebody later is.
            let is_needed = is_blocked || rest.iter().any(|rest| self.is_beside(tile, *rest));
            for state in range.filter(|_| is_needed) {
                self.patch(
                    tile,
                    rest,
                    (at + usize::from(state), ways, is_blocked),
                    patch,
                );
            }
        };
        let mut beside: Vec<(std::ops::Range<StateIndex>, u8)> = Vec::new();
        for (dir, next) in Dir::ALL.into_iter().zip(self.neighbours[tile as usize]) {
            if let Some(next) = next {
                beside.push((states.at(next), dir as u8));
            }
        }
        beside.sort_unstable_by_key(|(range, _)| range.start);
        for (range, _) in &beside {
            free(next..range.start.max(next));
            next = range.end.max(next);
        }
        free(next..states.all().end);
        for (range, dir) in beside {
            for state in range {
                let at = at + usize::from(state);
                self.patch(tile, rest, (at, ways | 1 << dir, true), patch);
            }
        }
    }

    /// Whether one of these can be next to this tile.
    fn is_beside(&self, tile: u32, member: Member) -> bool {
        let mut next = self.neighbours[tile as usize].into_iter().flatten();
        next.any(|next| !self.table.moved[member.kind].at(next).is_empty())
    }
}

/// Counts who takes a tile of a room.
struct Taken<'a> {
    drawing: &'a Drawing<'a>,
    room: u32,
}

impl Taken<'_> {
    /// Calls `found` for all states of these adversaries in order, with their number and how many of them are on
    /// tiles of the room.
    fn count(&self, rest: &[Member], found: &mut impl FnMut(usize, u16)) {
        self.next(rest, (0, 0), found);
    }

    fn next(&self, rest: &[Member], (at, taken): (usize, u16), found: &mut impl FnMut(usize, u16)) {
        let [member, rest @ ..] = rest else {
            return found(at, taken);
        };
        let table = self.drawing.table;
        let states = &table.moved[member.kind];
        for state in states.all() {
            let room = table.room[states.tile(state) as usize];
            let taken = taken + u16::from(room == Some(self.room));
            self.next(rest, (at * states.len() + usize::from(state), taken), found);
        }
    }
}

/// The values of what an adversary can do.
struct Targets<'a, V> {
    /// Those of its states, for all states of the others.
    states: &'a [V],
    teleports: &'a [V],
    /// How many states the others have.
    len: usize,
    caught: u16,
}

impl<'a, V: ValueDomain> Targets<'a, V> {
    fn new(drawing: &Drawing, member: Member, level: &'a Level<V>) -> Self {
        let states = &drawing.table.moved[member.kind];
        Self {
            states: &level.major,
            teleports: &level.teleports,
            len: level.major.len() / states.len().max(1),
            caught: KindTable::caught(states),
        }
    }

    /// The values of a target; `None` if it is to catch the player.
    fn row(&self, target: u16) -> Option<&'a [V]> {
        let at = |values: &'a [V], at: u16| &values[usize::from(at) * self.len..][..self.len];
        match target {
            caught if caught == self.caught => None,
            teleport if teleport > self.caught => {
                Some(at(self.teleports, teleport - self.caught - 1))
            }
            state => Some(at(self.states, state)),
        }
    }

    /// The mean of a draw, the others being in the states of this number.
    #[inline]
    fn mean(&self, outcomes: &Outcomes, others: usize) -> V {
        let targets = outcomes.targets();
        let value = |&target: &u16| self.row(target).map_or(V::LOST, |row| row[others]);
        let sum = targets.iter().map(value).fold(V::EMPTY_SUM, V::add);
        V::mean(sum, targets.len() as u16)
    }

    /// The means of a draw, for all states of the others.
    fn mean_all(&self, outcomes: &Outcomes, out: &mut Vec<V>) {
        let rows: Vec<Option<&[V]>> = outcomes.targets().iter().map(|&at| self.row(at)).collect();
        out.clear();
        let count = rows.len() as u16;
        match rows[..] {
            [Some(a)] => out.extend_from_slice(a),
            [Some(a), Some(b)] => {
                let pairs = a.iter().zip(b);
                out.extend(pairs.map(|(a, b)| V::mean(sum([*a, *b]), count)));
            }
            [Some(a), Some(b), Some(c)] => {
                let all = a.iter().zip(b).zip(c);
                out.extend(all.map(|((a, b), c)| V::mean(sum([*a, *b, *c]), count)));
            }
            [Some(a), Some(b), Some(c), Some(d)] => {
                let all = a.iter().zip(b).zip(c).zip(d);
                out.extend(all.map(|(((a, b), c), d)| V::mean(sum([*a, *b, *c, *d]), count)));
            }
            _ => out.extend((0..self.len).map(|at| self.mean(outcomes, at))),
        }
    }
}

#[inline]
fn sum<V: ValueDomain, const N: usize>(values: [V; N]) -> V::Sum {
    values.into_iter().fold(V::EMPTY_SUM, V::add)
}
