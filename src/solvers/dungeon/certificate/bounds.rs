//! Bounds for all positions by iteration from both sides, and what else a certificate's lines need.

use super::components::{NONE, components, is_inner};
use super::table::{Node, Table};
use crate::limits::{Clock, Limit, Limits};
use crate::verify::chance::{Line, ONE};

/// The bounds of each position, as multiples of 2^-60.
pub struct Bounds {
    lower: Vec<u64>,
    upper: Vec<u64>,
}

/// When no bound has changed by more than this in a sweep, that is enough.
const LITTLE: u64 = ONE >> 32;

/// The most sweeps from either side.
const SWEEPS: u64 = 20_000;

impl Bounds {
    /// The bounds, as near to each other as can be had within reason.
    pub fn of(table: &Table, limits: &Limits) -> Result<Self, Limit> {
        Ok(Self {
            lower: lower(table, limits)?,
            upper: upper(table, limits)?,
        })
    }

    /// The lines of the certificate.
    pub fn lines(&self, table: &Table, limits: &Limits) -> Result<Vec<Line>, Limit> {
        let ranked = self.ranks(table, limits)?;
        let turns = turns(table, limits)?;
        let line = |position: usize| {
            let (choice, rank) = ranked[position].unwrap_or_default();
            Line {
                lower: self.lower[position],
                upper: self.upper[position],
                choice: choice as u64,
                rank,
                turns: turns[position],
            }
        };
        Ok((0..table.len()).map(line).collect())
    }

    /// For each position with a lower bound above 0 a move that bears it out, and a rank that some outcome of the move
    /// is below.
    ///
    /// Every such position gets one. For those from which escape is almost sure, one that leads there is as good as any. Suppose some did not, and take the largest bound among these, and the
    /// one that came to it first, by some move. All outcomes of that move are without a rank as well, so none had a larger
    /// bound then, nor all of them the same, and their mean was smaller.
    fn ranks(&self, table: &Table, limits: &Limits) -> Result<Vec<Option<(usize, u64)>>, Limit> {
        let mut ranks: Vec<Option<(usize, u64)>> = vec![None; table.len()];
        let mut clock = Clock::new(limits);
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for position in (0..table.len()).rev() {
                clock.work(64)?;
                let lower = self.lower[position];
                if lower == 0 || ranks[position].is_some() {
                    continue;
                }
                let moves = table.moves(position).iter().enumerate();
                let bear_out = moves.filter(|(_, mv)| table.below(**mv, &self.lower) >= lower);
                let lowest = bear_out.filter_map(|(choice, mv)| {
                    let mut lowest = None;
                    table.each(*mv, &mut |node| {
                        let rank = match node {
                            Node::Position(number) if self.lower[number] > 0 => {
                                ranks[number].map(|(_, rank)| rank)
                            }
                            _ => Some(0),
                        };
                        lowest = rank.into_iter().chain(lowest).min();
                    });
                    Some((choice, lowest? + 1))
                });
                ranks[position] = lowest.min_by_key(|(_, rank)| *rank);
                has_changed |= ranks[position].is_some();
            }
        }
        Ok(ranks)
    }
}

/// Where the player gets out with probability 1 the bound is 1 from the beginning: to come near to it takes long where
/// he has to wait for luck.
fn lower(table: &Table, limits: &Limits) -> Result<Vec<u64>, Limit> {
    let mut values: Vec<u64> = almost_sure(table, limits)?
        .into_iter()
        .map(|is_sure| if is_sure { ONE } else { 0 })
        .collect();
    let mut clock = Clock::new(limits);
    for _ in 0..SWEEPS {
        let mut change = 0;
        for position in (0..table.len()).rev() {
            clock.work(64)?;
            let moves = table.moves(position).iter();
            let best = moves.map(|mv| table.below(*mv, &values)).max().unwrap_or(0);
            change = change.max(best.saturating_sub(values[position]));
            values[position] = values[position].max(best);
        }
        if change <= LITTLE {
            break;
        }
    }
    Ok(values)
}

fn upper(table: &Table, limits: &Limits) -> Result<Vec<u64>, Limit> {
    let component = &components(table, limits)?;
    let mut values: Vec<u64> = hopeful(table, limits)?
        .into_iter()
        .map(|is_hopeful| if is_hopeful { ONE } else { 0 })
        .collect();
    let classes = Classes::of(component);
    let mut clock = Clock::new(limits);
    for _ in 0..SWEEPS {
        let mut change = 0;
        for class in classes.iter().rev() {
            clock.work(64 * class.len() as u64)?;
            let leaving = class.iter().flat_map(|&position| {
                let moves = table.moves(position).iter();
                moves.filter(move |mv| !is_inner(table, component, position, **mv))
            });
            let best = leaving
                .map(|mv| table.above(*mv, &values))
                .max()
                .unwrap_or(0);
            for &position in class {
                change = change.max(values[position].saturating_sub(best));
                values[position] = values[position].min(best);
            }
        }
        if change <= LITTLE {
            break;
        }
    }
    Ok(values)
}

/// The positions by components; one that is in none is alone.
struct Classes {
    positions: Vec<usize>,
    ends: Vec<usize>,
}

impl Classes {
    fn of(component: &[usize]) -> Self {
        let mut positions: Vec<usize> = (0..component.len()).collect();
        let class = |&position: &usize| match component[position] {
            NONE => position,
            component => component,
        };
        positions.sort_by_key(class);
        let mut ends: Vec<usize> = (1..positions.len())
            .filter(|&at| {
                let [before, here] = [positions[at - 1], positions[at]];
                component[before] == NONE
                    || component[here] == NONE
                    || component[before] != component[here]
            })
            .collect();
        ends.push(positions.len());
        Self { positions, ends }
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = &[usize]> {
        (0..self.ends.len()).map(|class| {
            let first = class.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.positions[first..self.ends[class]]
        })
    }
}

/// From which positions the player can escape with luck.
fn hopeful(table: &Table, limits: &Limits) -> Result<Vec<bool>, Limit> {
    let mut hopeful = vec![false; table.len()];
    let mut clock = Clock::new(limits);
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for position in (0..table.len()).rev() {
            clock.work(64)?;
            if hopeful[position] {
                continue;
            }
            let is_hopeless = |node| match node {
                Node::Escaped => false,
                Node::Position(number) => !hopeful[number],
                _ => true,
            };
            let mut moves = table.moves(position).iter();
            hopeful[position] = moves.any(|mv| !table.all(*mv, &is_hopeless));
            has_changed |= hopeful[position];
        }
    }
    Ok(hopeful)
}

/// From which positions the player escapes with probability 1: the largest set in which he can always stay and yet get out
/// with luck.
fn almost_sure(table: &Table, limits: &Limits) -> Result<Vec<bool>, Limit> {
    let mut inside = vec![true; table.len()];
    loop {
        let next = lucky_within(table, &inside, limits)?;
        if next == inside {
            return Ok(inside);
        }
        inside = next;
    }
}

/// From which positions of a set the player can escape with luck, by moves that never lead out of the set but to an
/// escape.
fn lucky_within(table: &Table, inside: &[bool], limits: &Limits) -> Result<Vec<bool>, Limit> {
    let stays = |node| match node {
        Node::Position(number) => inside[number],
        node => node == Node::Escaped,
    };
    let mut lucky = vec![false; table.len()];
    let mut clock = Clock::new(limits);
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for position in (0..table.len()).rev() {
            clock.work(64)?;
            if lucky[position] || !inside[position] {
                continue;
            }
            let is_luckless = |node| match node {
                Node::Position(number) => !lucky[number],
                node => node == Node::Caught,
            };
            let mut moves = table.moves(position).iter();
            lucky[position] =
                moves.any(|mv| table.all(*mv, &stays) && !table.all(*mv, &is_luckless));
            has_changed |= lucky[position];
        }
    }
    Ok(lucky)
}

/// In how many turns the player can be out of each position whatever happens.
fn turns(table: &Table, limits: &Limits) -> Result<Vec<Option<u64>>, Limit> {
    let mut turns: Vec<Option<u64>> = vec![None; table.len()];
    let mut clock = Clock::new(limits);
    for round in 1.. {
        let is_sure = |node| match node {
            Node::Escaped => true,
            Node::Position(number) => turns[number].is_some(),
            _ => false,
        };
        let mut found = Vec::new();
        for (position, known) in turns.iter().enumerate() {
            clock.work(64)?;
            let mut moves = table.moves(position).iter();
            if known.is_none() && moves.any(|mv| table.all(*mv, &is_sure)) {
                found.push(position);
            }
        }
        if found.is_empty() {
            break;
        }
        for position in found {
            turns[position] = Some(round);
        }
    }
    Ok(turns)
}
