use super::super::graph::{Above, Below, GameGraph, GraphNode, Mean, best, value};
use super::super::model::GraphMdp;
use super::estimate;
use getaway_board::limits::{Budget, Limit};
use getaway_chance::{Class, classes};
use getaway_verify::chance::{Line, ONE};

/// Bounds on the probability of escape for each position, as multiples of 2^-60.
pub struct InductiveBounds {
    lower: Vec<u64>,
    upper: Vec<u64>,
    /// For each position, true if lucky draws can lead to an escape.
    can_win: Vec<bool>,
}

/// The number of a move, and the position's rank, which is above that of some outcome of the move; `None` without a rank.
type RankedMove = Option<(usize, u64)>;

impl InductiveBounds {
    /// Computes bounds that prove each other. `guess` holds values near the probabilities, or 0.
    pub fn of(graph: &GameGraph, guess: &[f64], budget: &Budget) -> Result<Self, Limit> {
        let classes = classes(&GraphMdp::unweighted(graph), budget)?;
        let mut can_win = budget.with_capacity(graph.len())?;
        let mut sure = budget.with_capacity(graph.len())?;
        // Positions have the highest node numbers, in reverse order.
        for &class in classes.iter().rev().take(graph.len()) {
            can_win.push(class != Class::Lost);
            sure.push(matches!(class, Class::AlmostSure | Class::Sure));
        }
        drop(classes);
        let lower = estimate::lower(graph, guess, &sure, budget)?;
        budget.free(sure);
        let upper = estimate::upper(graph, guess, &can_win, budget)?;
        let mut bounds = Self {
            lower: budget.with_capacity(graph.len())?,
            upper: budget.with_capacity(graph.len())?,
            can_win,
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
        weaken_until_inductive::<Above>(&mut bounds.upper, u64::max, (graph, budget))?;
        weaken_until_inductive::<Below>(&mut bounds.lower, u64::min, (graph, budget))?;
        Ok(bounds)
    }

    pub fn lines(mut self, graph: &GameGraph, budget: &Budget) -> Result<Vec<Line>, Limit> {
        let mut ranked = self.ranks(graph, budget)?;
        // A lower bound without a rank rests on waiting alone, which proves nothing.
        while let Some(position) = (0..graph.len())
            .find(|&position| self.lower[position] > 0 && ranked[position].is_none())
        {
            self.lower[position] = 0;
            weaken_until_inductive::<Below>(&mut self.lower, u64::min, (graph, budget))?;
            budget.free(ranked);
            ranked = self.ranks(graph, budget)?;
        }
        if self.lower.first() == Some(&0) && self.can_win.first() == Some(&true) {
            self.rank_possible_escapes(graph, &mut ranked, budget)?;
        }
        let turns = turns(graph, budget)?;
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
        let mut lines = budget.with_capacity(graph.len())?;
        lines.extend((0..graph.len()).map(line));
        Ok(lines)
    }

    /// Finds, for each position with a positive lower bound, a move that proves the bound, and ranks the position.
    ///
    /// Every such position gets a rank if each bound is proved with a margin. To see this, consider the largest bound without a
    /// rank: all outcomes of the move that proves it lack a rank too, so none of them has a larger bound. Then their mean is no
    /// larger either, which leaves no margin.
    fn ranks(&self, graph: &GameGraph, budget: &Budget) -> Result<Vec<RankedMove>, Limit> {
        let mut ranked: Vec<RankedMove> = budget.filled(None, graph.len())?;
        let mut drawn = graph.draw_buffer(budget)?;
        graph.draw::<Below>(&self.lower, &mut drawn);
        let proves = |position: usize, mv| {
            let lower = self.lower[position];
            lower > 0 && value::<Below>(mv, &self.lower, &drawn) >= lower
        };
        rank(
            graph,
            &mut ranked,
            budget,
            proves,
            |node, ranked| match node {
                GraphNode::Position(number) if self.lower[number] > 0 => {
                    ranked[number].map(|it| it.1)
                }
                _ => Some(0),
            },
        )?;
        budget.free(drawn);
        Ok(ranked)
    }

    fn rank_possible_escapes(
        &self,
        graph: &GameGraph,
        ranked: &mut [RankedMove],
        budget: &Budget,
    ) -> Result<(), Limit> {
        rank(
            graph,
            ranked,
            budget,
            |_, _| true,
            |node, ranked| match node {
                GraphNode::Position(number) if self.lower[number] == 0 => {
                    ranked[number].map(|it| it.1)
                }
                node => (node != GraphNode::Caught).then_some(0),
            },
        )
    }
}

/// Ranks each position without a rank once a move accepted by `fits` has a ranked outcome. Stores the move whose lowest ranked
/// outcome is lowest at that time, and that outcome's rank plus 1. `rank_of` returns the rank of an outcome, if it has one.
fn rank(
    graph: &GameGraph,
    ranked: &mut [RankedMove],
    budget: &Budget,
    fits: impl Fn(usize, GraphNode) -> bool,
    rank_of: impl Fn(GraphNode, &[RankedMove]) -> Option<u64>,
) -> Result<(), Limit> {
    repeat_until_stable(graph, budget, |position| {
        if ranked[position].is_some() {
            return false;
        }
        let moves = graph.moves(position).iter().enumerate();
        let ranks = moves
            .filter(|(_, mv)| fits(position, **mv))
            .filter_map(|(choice, mv)| {
                let mut lowest = None;
                graph.visit_outcomes(*mv, &mut |node| {
                    lowest = rank_of(node, ranked).into_iter().chain(lowest).min();
                });
                Some((choice, lowest? + 1))
            });
        let best = ranks.min_by_key(|(_, rank)| *rank);
        ranked[position] = best;
        best.is_some()
    })
}

/// Weakens bounds until each follows from the others; `farther` returns the weaker of two bounds.
fn weaken_until_inductive<M: Mean<Value = u64>>(
    bounds: &mut [u64],
    farther: fn(u64, u64) -> u64,
    (graph, budget): (&GameGraph, &Budget),
) -> Result<(), Limit> {
    let mut drawn = graph.draw_buffer(budget)?;
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        budget.limits.check_time()?;
        graph.draw::<M>(bounds, &mut drawn);
        for position in 0..graph.len() {
            let best = best::<M>(graph.moves(position).iter(), bounds, &drawn);
            let bound = farther(best, bounds[position]);
            has_changed |= bound != bounds[position];
            bounds[position] = bound;
        }
    }
    budget.free(drawn);
    Ok(())
}

fn repeat_until_stable(
    graph: &GameGraph,
    budget: &Budget,
    mut change: impl FnMut(usize) -> bool,
) -> Result<(), Limit> {
    let mut clock = budget.clock();
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for position in (0..graph.len()).rev() {
            clock.work(64)?;
            has_changed |= change(position);
        }
    }
    Ok(())
}

/// Returns, for each position, the number of turns within which the player can escape whatever the draws; `None` if there is
/// no such number.
fn turns(graph: &GameGraph, budget: &Budget) -> Result<Vec<Option<u64>>, Limit> {
    let mut turns: Vec<Option<u64>> = budget.filled(None, graph.len())?;
    repeat_until_stable(graph, budget, |position| {
        let moves = graph.moves(position).iter();
        let within = moves.filter_map(|mv| {
            let mut max = Some(0);
            graph.visit_outcomes(*mv, &mut |node| {
                let rest = match node {
                    GraphNode::Escaped => Some(0),
                    GraphNode::Position(number) => turns[number],
                    _ => None,
                };
                max = max.zip(rest).map(|(max, rest): (u64, u64)| max.max(rest));
            });
            max
        });
        let fewest = within.min().map(|turns| turns + 1);
        let has_changed = fewest.is_some() && turns[position].is_none_or(|now| fewest < Some(now));
        if has_changed {
            turns[position] = fewest;
        }
        has_changed
    })?;
    Ok(turns)
}
