//! Answers the questions about a [`Tabular`] MDP by sweeps over its tables ([`super::value_domain`]).

use std::collections::HashSet;
use std::ops::Range;
use std::vec::IntoIter;

use super::bellman::BellmanOperator;
use super::model::{Mdp, Owner, Successor};
use super::optimistic::{Intervals, checked_bounds, guess_and_verify, max_bytes};
use super::solve::{Explored, OptimalStrategy, Valuation, Wanted};
use super::stay::EndComponent;
use super::tables::{Tables, value_of};
use super::tabular::Tabular;
use super::value_domain::{BestCase, RankedValue, SafeCase, Staying, ValueDomain, WorstCase};
use crate::limits::{Budget, Clock, Limit, bytes};

/// Smaller tables are swept by a single thread.
const MIN_PARALLEL: usize = 1 << 16;

impl<M: Tabular> Tables<M> {
    /// Solves the MDP, or returns `None` if another method is needed.
    pub(crate) fn solve(mut self, budget: &Budget) -> Option<Valuation> {
        if self.len() < MIN_PARALLEL {
            self.threads = 1;
        }
        if self.threads < 2 {
            return self.solve_here(budget);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads);
        let Ok(pool) = pool.build() else {
            self.threads = 1;
            return self.solve_here(budget);
        };
        pool.install(|| self.solve_here(budget))
    }

    pub(crate) fn solve_here(self, budget: &Budget) -> Option<Valuation> {
        let states = self.len() as u64;
        match TableAnalysis::new(self, budget) {
            Ok(analysis) => analysis?.into_valuation(budget),
            Err(limit) => Some(Valuation::unknown(limit, states)),
        }
    }
}

/// Returns the bytes of the tables, excluding the model itself.
pub(crate) fn table_bytes(len: usize, largest_part: usize) -> u64 {
    // The five tables: best case, worst case, almost sure wins, and two stay sets.
    5 * bytes::<BestCase>(len) + max_bytes(len, largest_part)
}

#[derive(Debug)]
pub(super) struct TableAnalysis<M> {
    tables: Tables<M>,
    best_case: Vec<BestCase>,
    almost_sure: Vec<SafeCase>,
    /// The worst-case number of turns from each state; empty if the player doesn't win surely from the initial node.
    worst_case: Vec<WorstCase>,
    stay_winnable: Vec<Staying>,
    components: Vec<EndComponent>,
    bounds: Intervals,
}

impl<M: Tabular> TableAnalysis<M> {
    /// Finds out from where the player can win; `None` if some number of turns is too large to be counted.
    pub(super) fn new(tables: Tables<M>, budget: &Budget) -> Result<Option<Self>, Limit> {
        budget.limits.note_states(tables.len() as u64);
        let mut best_case = budget.filled(BestCase::NONE, tables.len())?;
        tables.iterate(&mut best_case, budget, BestCase::once, |_| false)?;
        let mut analysis = Self {
            tables,
            best_case,
            almost_sure: Vec::new(),
            worst_case: Vec::new(),
            stay_winnable: Vec::new(),
            components: Vec::new(),
            bounds: Intervals::new(),
        };
        (analysis.stay_winnable, analysis.almost_sure) = analysis.find_almost_sure(budget)?;
        if analysis.is_almost_sure() {
            analysis.worst_case = analysis.find_worst_case(budget)?;
        }
        Ok(analysis.has_counted().then_some(analysis))
    }

    fn has_counted(&self) -> bool {
        let turns = self.best_case.iter().map(|turns| turns.has_counted());
        let turns = turns.chain(self.almost_sure.iter().map(|turns| turns.has_counted()));
        let worst_case = self.worst_case.iter().map(|turns| turns.has_counted());
        turns.chain(worst_case).all(|has_counted| has_counted)
    }

    fn is_almost_sure(&self) -> bool {
        let first = self.tables.model.nodes().initial();
        self.tables.value(&self.almost_sure, first).is_some()
    }

    /// Returns the almost-sure winning set (prob1E). Each round first removes winnable states from which chance may leave the set
    /// or the player must leave it, and then those from which no win can be reached within the set.
    fn find_almost_sure(&self, budget: &Budget) -> Result<(Vec<Staying>, Vec<SafeCase>), Limit> {
        let candidate = |can_win| {
            if can_win {
                SafeCase::NONE
            } else {
                SafeCase::BARRED
            }
        };
        let mut almost_sure = budget.with_capacity(self.tables.len())?;
        almost_sure.extend(
            self.best_case
                .iter()
                .map(|turns| candidate(turns.is_some())),
        );
        self.tables
            .iterate(&mut almost_sure, budget, SafeCase::barred_by, |_| false)?;
        let mut stay_winnable = budget.with_capacity(self.tables.len())?;
        stay_winnable.extend(
            almost_sure
                .iter()
                .map(|turns| Staying::open(!turns.is_barred())),
        );
        loop {
            self.tables
                .iterate(&mut almost_sure, budget, SafeCase::better, |_| false)?;
            if !almost_sure.contains(&SafeCase::NONE) {
                return Ok((stay_winnable, almost_sure));
            }
            for turns in &mut almost_sure {
                *turns = candidate(turns.is_some());
            }
            self.tables
                .iterate(&mut almost_sure, budget, SafeCase::barred_by, |_| false)?;
        }
    }

    /// Computes the worst-case number of turns from each state; the list is empty if the player does not win surely from the
    /// initial node.
    fn find_worst_case(&self, budget: &Budget) -> Result<Vec<WorstCase>, Limit> {
        let mut worst_case = budget.filled(WorstCase::NONE, self.tables.len())?;
        self.tables
            .iterate(&mut worst_case, budget, WorstCase::better, |_| false)?;
        let first = self
            .tables
            .value(&worst_case, self.tables.model.nodes().initial());
        Ok(if first.is_some() {
            worst_case
        } else {
            Vec::new()
        })
    }

    fn find_components(&self, budget: &Budget) -> Result<Vec<EndComponent>, Limit> {
        let all = self.stay_winnable.iter().zip(&self.almost_sure);
        let is_open = |(stay_winnable, almost_sure): (&Staying, &SafeCase)| {
            stay_winnable.is_some() && !almost_sure.is_some()
        };
        let mut stay_set = budget.with_capacity(self.tables.len())?;
        stay_set.extend(all.map(|state| Staying::open(is_open(state))));
        if !stay_set.iter().any(|state| state.is_some()) {
            budget.free(stay_set);
            return Ok(Vec::new());
        }
        self.tables
            .iterate(&mut stay_set, budget, Staying::barred_by, |_| false)?;
        let components = EndComponent::all(&self.tables, &mut stay_set, budget)?;
        budget.free(stay_set);
        Ok(components)
    }

    /// Finds bounds by guess and verify; returns whether this succeeds. `known` receives the bounds proved at the initial node.
    fn find_bounds(&mut self, known: &mut [f64; 2], budget: &Budget) -> Result<bool, Limit> {
        self.components = self.find_components(budget)?;
        let Some(bounds) = guess_and_verify(self, self.tables.patience, known, budget)? else {
            return Ok(false);
        };
        self.bounds = bounds;
        *known = self.initial_value(&self.bounds);
        Ok(true)
    }

    fn into_valuation(mut self, budget: &Budget) -> Option<Valuation> {
        let first = self.tables.model.nodes().initial();
        let is_possible = self.tables.value(&self.best_case, first).is_some();
        let (mut limit, mut known) = (None, [0.0, 0.0]);
        if self.is_almost_sure() {
            known = [1.0, 1.0];
        } else if is_possible {
            known[1] = 1.0;
            match self.find_bounds(&mut known, budget) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(reached) => limit = Some(reached),
            }
        }
        let [lower, upper] = checked_bounds(known)?;
        let mut winning_path = None;
        if is_possible && limit.is_none() {
            match self.winning_path(budget) {
                Ok(path) => winning_path = Some(path?),
                Err(reached) => limit = Some(reached),
            }
        }
        Some(Valuation {
            lower,
            upper,
            sure: !self.worst_case.is_empty(),
            limit,
            nodes: self.tables.len() as u64,
            winning_path,
            explored: Some(Box::new(self)),
        })
    }

    /// Finds a path to a win; `None` if, on some turn, no path through the draws leads nearer to a win.
    fn winning_path(&self, budget: &Budget) -> Result<Option<Vec<u64>>, Limit> {
        let mut path = vec![self.tables.model.nodes().initial()];
        let mut successors = Vec::new();
        loop {
            let player = *path.last().expect("a path begins with the initial node");
            let turns = self.tables.choices(&self.best_case, player).into_iter();
            let turns = turns.map(BestCase::turns).enumerate();
            let (choice, turns) = turns
                .min_by_key(|&(_, turns)| turns)
                .expect("each node has a successor");
            successors.clear();
            self.tables
                .model
                .nodes()
                .successors(player, &mut successors);
            let Successor::Node(next) = successors[choice] else {
                return Ok(Some(path));
            };
            path.push(next);
            let is_nearer = |number| self.tables.value(&self.best_case, number).turns() <= turns;
            match path_through_chance(self.tables.model.nodes(), next, is_nearer, budget)? {
                Some(draws) => path.extend(draws),
                None => return Ok(None),
            }
        }
    }

    /// Returns the lower bounds with ranks, so that the player goes to the best exit of an end component instead of staying;
    /// empty if there are no bounds.
    fn ranked(&self, budget: &Budget) -> Result<Vec<RankedValue>, Limit> {
        if self.bounds.is_empty() {
            return Ok(Vec::new());
        }
        let unranked = |&[probability, _]: &[f64; 2]| RankedValue {
            probability,
            rank: 0,
        };
        let mut ranked = budget.with_capacity(self.bounds.len())?;
        ranked.extend(self.bounds.iter().map(unranked));
        for component in &self.components {
            component.unrank(&mut ranked);
        }
        self.tables
            .iterate(&mut ranked, budget, RankedValue::once, |ranked| {
                ranked.iter().copied().all(RankedValue::is_some)
            })?;
        Ok(ranked)
    }
}

impl<M: Tabular> BellmanOperator for TableAnalysis<M> {
    fn len(&self) -> usize {
        self.tables.len()
    }

    fn parts(&self) -> Vec<Range<usize>> {
        self.tables.parts()
    }

    fn threads(&self) -> usize {
        self.tables.threads
    }

    fn known(&self, state: usize) -> Option<f64> {
        match () {
            () if !self.best_case[state].is_some() => Some(0.0),
            () if self.almost_sure[state].is_some() => Some(1.0),
            () => None,
        }
    }

    fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N] {
        self.tables
            .value(values, self.tables.model.nodes().initial())
    }

    fn sweep<const N: usize, T: Default + Send>(
        &self,
        values: &mut [[f64; N]],
        (part, nth): (usize, usize),
        budget: &Budget,
        change: impl Fn(&mut T, [f64; N], [f64; N]) -> [f64; N] + Sync,
    ) -> Result<Vec<T>, Limit> {
        let notes = self.tables.sweep(values, (part, nth), budget, change)?;
        let states = self.tables.part(part);
        let components = self.components.iter();
        for component in components.filter(|component| states.contains(&component.first())) {
            component.level(values);
        }
        Ok(notes)
    }
}

impl<M: Tabular> Explored for TableAnalysis<M> {
    fn into_strategy(
        mut self: Box<Self>,
        wanted: Wanted,
        budget: &Budget,
    ) -> Result<Option<Box<dyn OptimalStrategy>>, Limit> {
        if wanted == Wanted::AllBounds
            && self.bounds.is_empty()
            && !self.find_bounds(&mut [0.0, 1.0], budget)?
        {
            return Ok(None);
        }
        let ranked = self.ranked(budget)?;
        let analysis = *self;
        Ok(Some(Box::new(TableStrategy { analysis, ranked })))
    }
}

/// A strategy that looks one choice ahead in tables.
#[derive(Debug)]
struct TableStrategy<M> {
    analysis: TableAnalysis<M>,
    ranked: Vec<RankedValue>,
}

impl<M: Tabular> OptimalStrategy for TableStrategy<M> {
    /// Returns the player's choice. Returns `None` for nodes without a win and, if the player wins almost surely, for nodes that
    /// best play never reaches.
    fn choice(&self, number: u64) -> Option<usize> {
        let TableAnalysis {
            tables,
            best_case,
            almost_sure,
            worst_case,
            ..
        } = &self.analysis;
        let ends = tables.ends(number);
        let (_, best) = best_of(best_case, &ends)?;
        if !best.is_some() {
            return None;
        }
        if !worst_case.is_empty()
            && let Some((choice, turns)) = best_of(worst_case, &ends)
            && turns.is_some()
        {
            return Some(choice);
        }
        match best_of(almost_sure, &ends)? {
            (choice, turns) if turns.is_some() => Some(choice),
            _ if self.ranked.is_empty() => None,
            _ => best_of(&self.ranked, &ends).map(|(choice, _)| choice),
        }
    }

    fn bounds(&self, number: u64) -> Option<[f64; 2]> {
        let TableAnalysis { tables, bounds, .. } = &self.analysis;
        if bounds.is_empty() {
            return None;
        }
        let mut successors = Vec::new();
        let known = match tables.model.nodes().successors(number, &mut successors) {
            Owner::Player => tables.value(bounds, number),
            Owner::Chance => bounds[tables.model.find(number)?],
        };
        checked_bounds(known)
    }
}

fn best_of<V: ValueDomain>(values: &[V], ends: &[Successor]) -> Option<(usize, V)> {
    let options = || ends.iter().map(|&end| value_of(values, end));
    let best = options().reduce(V::better)?;
    options()
        .position(|value| value == best)
        .map(|at| (at, best))
}

const NODE_WORK: u64 = 64;

/// Finds the chance nodes on a path from `from` to a player node for which `is_goal` holds. The path need not be a shortest one,
/// since the draws of a turn may have very many results.
fn path_through_chance<N: Mdp>(
    nodes: &N,
    from: u64,
    is_goal: impl Fn(u64) -> bool,
    budget: &Budget,
) -> Result<Option<Vec<u64>>, Limit> {
    let mut clock = budget.clock();
    let mut seen = HashSet::from([from]);
    let mut path = Vec::new();
    let mut left = vec![successors(nodes, from, &mut clock)?.1];
    while let Some(siblings) = left.last_mut() {
        let Some(successor) = siblings.next() else {
            left.pop();
            path.pop();
            continue;
        };
        let Successor::Node(node) = successor else {
            continue;
        };
        if !seen.insert(node) {
            continue;
        }
        clock.work(NODE_WORK)?;
        let (owner, successors) = successors(nodes, node, &mut clock)?;
        if owner == Owner::Chance {
            path.push(node);
            left.push(successors);
        } else if is_goal(node) {
            path.push(node);
            return Ok(Some(path));
        }
    }
    Ok(None)
}

fn successors<N: Mdp>(
    nodes: &N,
    node: u64,
    clock: &mut Clock,
) -> Result<(Owner, IntoIter<Successor>), Limit> {
    let mut successors = Vec::new();
    let owner = nodes.successors_within(node, &mut successors, clock)?;
    Ok((owner, successors.into_iter()))
}
