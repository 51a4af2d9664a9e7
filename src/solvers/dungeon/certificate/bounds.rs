//! Bounds for all positions as a certificate has them, and what else its lines need.

use super::estimate;
use super::qualitative::{almost_sure, hopeful, turns, until_nothing_changes};
use super::table::{Above, Below, Mean, Node, Table, worth};
use crate::limits::{Budget, Limit};
use crate::verify::chance::{Line, ONE};

/// The bounds of each position, as multiples of 2^-60.
pub struct Bounds {
    lower: Vec<u64>,
    upper: Vec<u64>,
    /// From which positions the player can escape with luck.
    hopeful: Vec<bool>,
}

/// For a position a move, and a rank that some outcome of the move is below.
type Ranked = Option<(usize, u64)>;

impl Bounds {
    /// The bounds; `guess` has values that are near to the probabilities, as far as they are known, or 0.
    pub fn of(table: &Table, guess: &[f64], budget: &Budget) -> Result<Self, Limit> {
        let hopeful = hopeful(table, budget)?;
        let sure = almost_sure(table, budget)?;
        let lower = estimate::lower(table, guess, &sure, budget)?;
        budget.free(sure);
        let upper = estimate::upper(table, guess, &hopeful, budget)?;
        let mut bounds = Self {
            lower: budget.with_capacity(table.len())?,
            upper: budget.with_capacity(table.len())?,
            hopeful,
        };
        let one = ONE as f64;
        bounds
            .lower
            .extend(lower.iter().map(|value| (value * one) as u64));
        bounds
            .upper
            .extend(upper.iter().map(|value| (value * one).ceil() as u64));
        budget.free(lower);
        budget.free(upper);
        bear_out::<Above>(&mut bounds.upper, u64::max, (table, budget))?;
        bear_out::<Below>(&mut bounds.lower, u64::min, (table, budget))?;
        Ok(bounds)
    }

    /// The lines of the certificate.
    pub fn lines(mut self, table: &Table, budget: &Budget) -> Result<Vec<Line>, Limit> {
        let mut ranked = self.ranks(table, budget)?;
        // A bound that nothing but waiting bears out is worth nothing.
        while let Some(position) = (0..table.len())
            .find(|&position| self.lower[position] > 0 && ranked[position].is_none())
        {
            self.lower[position] = 0;
            bear_out::<Below>(&mut self.lower, u64::min, (table, budget))?;
            budget.free(ranked);
            ranked = self.ranks(table, budget)?;
        }
        if self.lower.first() == Some(&0) && self.hopeful.first() == Some(&true) {
            self.hopes(table, &mut ranked, budget)?;
        }
        let turns = turns(table, budget)?;
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
        let mut lines = budget.with_capacity(table.len())?;
        lines.extend((0..table.len()).map(line));
        Ok(lines)
    }

    /// For each position with a lower bound above 0 a move that bears it out, and its rank.
    ///
    /// Every such position gets one where each bound is borne out with something to spare. Suppose some did not, and take the largest
    /// bound among these. All outcomes of the move that bears it out are without a rank as well, so none has a larger
    /// bound, and neither has their mean.
    fn ranks(&self, table: &Table, budget: &Budget) -> Result<Vec<Ranked>, Limit> {
        let mut ranks: Vec<Ranked> = budget.filled(None, table.len())?;
        let mut drawn = table.drawn(budget)?;
        table.draw::<Below>(&self.lower, &mut drawn);
        until_nothing_changes(table, budget, |position| {
            let lower = self.lower[position];
            if lower == 0 || ranks[position].is_some() {
                return false;
            }
            let moves = table.moves(position).iter().enumerate();
            let bear_out =
                moves.filter(|(_, mv)| worth::<Below>(**mv, &self.lower, &drawn) >= lower);
            let ranked = bear_out.filter_map(|(choice, mv)| {
                let lowest = lowest(table, *mv, |number| match self.lower[number] {
                    0 => Some(0),
                    _ => ranks[number].map(|(_, rank)| rank),
                });
                Some((choice, lowest? + 1))
            });
            ranks[position] = ranked.min_by_key(|(_, rank)| *rank);
            ranks[position].is_some()
        })?;
        budget.free(drawn);
        Ok(ranks)
    }

    /// For each position from which the player can escape, but hardly ever does, a move that may lead out, and its rank.
    fn hopes(&self, table: &Table, ranked: &mut [Ranked], budget: &Budget) -> Result<(), Limit> {
        until_nothing_changes(table, budget, |position| {
            if ranked[position].is_some() {
                return false;
            }
            let moves = table.moves(position).iter().enumerate();
            let ranks = moves.filter_map(|(choice, mv)| {
                let rank = lowest_of(table, *mv, |node| match node {
                    Node::Escaped => Some(0),
                    Node::Position(number) if self.lower[number] > 0 => Some(0),
                    Node::Position(number) => ranked[number].map(|(_, rank)| rank),
                    _ => None,
                });
                Some((choice, rank? + 1))
            });
            let best = ranks.min_by_key(|(_, rank)| *rank);
            ranked[position] = best;
            best.is_some()
        })
    }
}

/// Moves each bound that does not hold with those of the others to where it does, until all do: `farther` says which of
/// two bounds is the weaker one.
fn bear_out<M: Mean<Value = u64>>(
    bounds: &mut [u64],
    farther: fn(u64, u64) -> u64,
    (table, budget): (&Table, &Budget),
) -> Result<(), Limit> {
    let mut drawn = table.drawn(budget)?;
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        budget.limits.check_time()?;
        table.draw::<M>(bounds, &mut drawn);
        for position in 0..table.len() {
            let best = table.best::<M>(position, bounds, &drawn);
            let bound = farther(best, bounds[position]);
            has_changed |= bound != bounds[position];
            bounds[position] = bound;
        }
    }
    budget.free(drawn);
    Ok(())
}

/// The lowest rank of all outcomes at a node, where those of a game that is over is 0.
fn lowest(table: &Table, node: Node, rank: impl Fn(usize) -> Option<u64>) -> Option<u64> {
    lowest_of(table, node, |node| match node {
        Node::Position(number) => rank(number),
        _ => Some(0),
    })
}

/// The lowest rank of all outcomes at a node that have one.
fn lowest_of(table: &Table, node: Node, rank: impl Fn(Node) -> Option<u64>) -> Option<u64> {
    let mut lowest = None;
    table.each(node, &mut |node| {
        lowest = rank(node).into_iter().chain(lowest).min();
    });
    lowest
}
