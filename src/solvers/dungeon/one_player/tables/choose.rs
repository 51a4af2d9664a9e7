//! The first half of an update: what is the best that the player can do, wherever the adversaries have moved to.

use super::position::{Choice, PositionTable};
use super::states::{Kind, Member, StateIndex, exclude, members, part};
use crate::engine::mdp::{Mode, ValueDomain};

/// Where the values at the destinations begin, for the adversaries that have been fixed so far: nothing for a
/// destination on the tile of one of them.
type Sources = [Option<usize>];

/// The values of a position at the end of a turn, in the making.
pub(super) struct Choosing<'a, V> {
    pub(super) table: &'a PositionTable,
    pub(super) kinds: &'a [Kind],
    /// For each destination the values there, and for each kind how far apart the numbers of its sets are.
    pub(super) sources: Vec<(&'a [V], &'a [usize])>,
    pub(super) mode: Mode<'a>,
    /// For each adversary, the first one last, its states, all of them with those of the ones after it.
    pub(super) out: &'a mut [V],
}

/// The adversaries that have been fixed so far.
#[derive(Clone, Copy)]
struct Fixed {
    /// The state of the last one.
    last: Option<StateIndex>,
    nearness: usize,
    /// The number of their states among those of all that have moved.
    number: usize,
    /// The same, each adversary for itself.
    row: usize,
}

impl<V: ValueDomain> Choosing<'_, V> {
    /// Fills in all values.
    pub(super) fn run(&mut self) {
        let members: Vec<Member> = members(self.kinds).collect();
        let first = vec![Some(0); self.sources.len()];
        let fixed = Fixed {
            last: None,
            nearness: 0,
            number: 0,
            row: 0,
        };
        self.fix(&members, &first, fixed);
        self.mirror(&members);
        self.exclude(&members);
    }

    /// Goes through the states of the next adversary.
    fn fix(&mut self, members: &[Member], sources: &Sources, fixed: Fixed) {
        let [member, rest @ ..] = members else {
            return;
        };
        let table = self.table;
        let states = &table.moved[member.kind];
        let count = match fixed.last {
            Some(last) if member.nth < self.kinds[member.kind].count => {
                states.before(states.tile(last))
            }
            _ => states.all().end,
        };
        let row = fixed.row * states.len();
        if rest.is_empty() {
            return self.row(member.kind, sources, count, Fixed { row, ..fixed });
        }
        let mut next = vec![None; sources.len()];
        for state in 0..count {
            for (at, next) in next.iter_mut().enumerate() {
                *next = self.source(sources[at], at, *member, state);
            }
            let nearness = table.nearness[member.kind][usize::from(state)];
            let stride = table.moved_shape.strides[member.kind];
            let fixed = Fixed {
                last: Some(state),
                nearness: table.nearer(fixed.nearness, nearness),
                number: fixed.number + stride * part(state, member.nth),
                row: row + usize::from(state),
            };
            self.fix(rest, &next, fixed);
        }
    }

    /// Where the values at a destination begin when one more adversary is fixed.
    fn source(
        &self,
        source: Option<usize>,
        at: usize,
        member: Member,
        state: StateIndex,
    ) -> Option<usize> {
        let states = &self.table.destinations[at].states[member.kind];
        let there = states[usize::from(state)]?;
        Some(source? + self.sources[at].1[member.kind] * part(there, member.nth))
    }

    /// Fills in the values for the first so many states of the first adversary.
    fn row(&mut self, kind: usize, sources: &Sources, count: StateIndex, fixed: Fixed) {
        let table = self.table;
        let nearness = &table.nearness[kind][..count.into()];
        let mut from = 0;
        // Neighbours of one nearness have the same choices.
        for same in nearness.chunk_by(|a, b| a == b) {
            let states = from..from + same.len();
            from = states.end;
            let nearness = table.nearer(fixed.nearness, same[0]);
            let (out, number) = (fixed.row + states.start, fixed.number + states.start);
            let out = &mut self.out[out..][..same.len()];
            let Choice::Destinations(destinations) = table.choice(nearness) else {
                out.fill(V::WON.after_turn());
                continue;
            };
            let source = |at: u8| {
                let at = usize::from(at);
                let first = (*sources.get(at)?)?;
                let there = &table.destinations[at].states[kind][states.clone()];
                Some((&self.sources[at].0[first..], there))
            };
            match &mut self.mode {
                Mode::Best => best(destinations, source, out),
                Mode::Note(choices) => {
                    best_noted(
                        destinations,
                        source,
                        out,
                        &mut choices[number..][..same.len()],
                    );
                }
                Mode::Follow(choices) => follow(source, out, &choices[number..][..same.len()]),
            }
            for value in out {
                *value = value.after_turn();
            }
        }
    }

    /// Fills in the values where interchangeable adversaries have changed places.
    fn mirror(&mut self, members: &[Member]) {
        let mut stride = 1;
        for member in members.iter().rev() {
            let side = self.table.moved[member.kind].len();
            if member.nth == 2 {
                // The one before is the next to change.
                let inner = stride / side;
                for square in self.out.chunks_exact_mut(stride * side) {
                    mirror(square, side, inner);
                }
            }
            stride *= side;
        }
    }

    /// Makes values of no meaning neutral: those with two adversaries on a tile.
    fn exclude(&mut self, members: &[Member]) {
        let states: Vec<_> = members
            .iter()
            .map(|member| &self.table.moved[member.kind])
            .collect();
        exclude(&states, self.out);
    }
}

/// Copies what is below the diagonal of a square to above it, tile by tile, so that both stay in the cache. Each
/// place has so many values.
fn mirror<V: Copy>(square: &mut [V], side: usize, inner: usize) {
    const TILE: usize = 16;
    for left in (0..side).step_by(TILE) {
        for a in left + 1..side {
            for b in left..a.min(left + TILE) {
                for at in 0..inner {
                    square[(b * side + a) * inner + at] = square[(a * side + b) * inner + at];
                }
            }
        }
    }
}

/// The values at a destination, and for each state here the one there.
type Source<'a, V> = (&'a [V], &'a [Option<StateIndex>]);

fn best<'a, V: ValueDomain + 'a>(
    destinations: &[u8],
    source: impl Fn(u8) -> Option<Source<'a, V>>,
    out: &mut [V],
) {
    out.fill(V::LOST);
    for (values, there) in destinations.iter().filter_map(|&at| source(at)) {
        for (out, there) in out.iter_mut().zip(there) {
            if let Some(there) = there {
                *out = out.better(values[usize::from(*there)]);
            }
        }
    }
}

fn best_noted<'a, V: ValueDomain + 'a>(
    destinations: &[u8],
    source: impl Fn(u8) -> Option<Source<'a, V>>,
    out: &mut [V],
    choices: &mut [u8],
) {
    // What was best before stays so unless another one is better.
    follow(&source, out, choices);
    for &at in destinations {
        let Some((values, there)) = source(at) else {
            continue;
        };
        for ((out, choice), there) in out.iter_mut().zip(&mut *choices).zip(there) {
            let Some(there) = there else { continue };
            let value = out.better(values[usize::from(*there)]);
            if value != *out {
                (*out, *choice) = (value, at);
            }
        }
    }
}

fn follow<'a, V: ValueDomain + 'a>(
    source: impl Fn(u8) -> Option<Source<'a, V>>,
    out: &mut [V],
    choices: &[u8],
) {
    // Hardly ever does the player have more to choose from.
    let known: [_; 8] = std::array::from_fn(|at| source(at as u8));
    for (at, (out, &choice)) in out.iter_mut().zip(choices).enumerate() {
        let source = match known.get(usize::from(choice)) {
            Some(known) => *known,
            None => source(choice),
        };
        let there = source.and_then(|(values, there)| Some(values[usize::from(there[at]?)]));
        *out = there.unwrap_or(V::LOST);
    }
}
