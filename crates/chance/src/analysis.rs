//! Solves an MDP by sweeps over its tables.

use std::ops::Range;

use super::estimate::BellmanOperator;
use super::model::{Mdp, Owner, Successor};
use super::optimistic::{Intervals, checked_bounds, guess_and_verify, max_bytes};
use super::solve::{OptimalStrategy, StrategyScope, Valuation};
use super::stay::EndComponent;
use super::tables::{Tables, TabularMdp, value_of};
use super::value_domain::{BestCase, RankedValue, SafeCase, Staying, ValueDomain, WorstCase};
use getaway_board::limits::{Bounds, Budget, Limit, bytes};

const MIN_PARALLEL: usize = 1 << 16;

impl<M: TabularMdp> Tables<M> {
    /// Solves the MDP, or returns `None` if another method is needed.
    pub fn solve(mut self, budget: &Budget) -> Option<Valuation> {
        if self.len() < MIN_PARALLEL {
            self.threads = 1;
        }
        if self.threads < 2 {
            return self.solve_here(budget);
        }
        budget.limits.on_threads(|| self.solve_here(budget))
    }

    /// Solves the MDP on the calling thread's pool. Returns `None` if another method is needed: the tables don't yield bounds, or
    /// some number of turns is too large to count.
    pub fn solve_here(self, budget: &Budget) -> Option<Valuation> {
        let states = self.len() as u64;
        match TableAnalysis::new(self, budget) {
            Ok(analysis) => analysis?.into_valuation(budget),
            Err(limit) => Some(Valuation::unknown(limit, states)),
        }
    }
}

/// Returns the maximum number of bytes that tables of `len` states take while they are solved, excluding the model itself and
/// the memory for end components. `largest_part` is the number of states in the largest part.
pub fn table_bytes(len: usize, largest_part: usize) -> u64 {
    // Four tables of numbers of turns: best case, worst case, almost sure wins, and the stay set.
    4 * bytes::<BestCase>(len) + max_bytes(len, largest_part)
}

#[derive(Debug)]
pub(super) struct TableAnalysis<M> {
    tables: Tables<M>,
    best_case: Vec<BestCase>,
    almost_sure: Vec<SafeCase>,
    /// For each state, the number of turns within which the player wins surely, if any; empty if the initial node has none.
    worst_case: Vec<WorstCase>,
    components: Vec<EndComponent>,
    bounds: Intervals,
    /// The lower bounds with ranks, which make the player leave end components; empty until [`TableAnalysis::rank`] fills it, and
    /// if there are no bounds.
    ranked: Vec<RankedValue>,
}

impl<M: TabularMdp> TableAnalysis<M> {
    /// Finds the states from which the player can win at all, almost surely, and, if the initial node is won almost surely,
    /// surely; returns `None` if some number of turns is too large to count.
    pub(super) fn new(tables: Tables<M>, budget: &Budget) -> Result<Option<Self>, Limit> {
        budget.limits.note_states(tables.len() as u64);
        let mut best_case = budget.filled(BestCase::NONE, tables.len())?;
        tables.iterate(&mut best_case, budget, BestCase::or)?;
        let mut analysis = Self {
            tables,
            best_case,
            almost_sure: Vec::new(),
            worst_case: Vec::new(),
            components: Vec::new(),
            bounds: Intervals::new(),
            ranked: Vec::new(),
        };
        analysis.almost_sure = analysis.find_almost_sure(budget)?;
        if analysis.is_almost_sure() {
            analysis.worst_case = analysis.find_worst_case(budget)?;
        }
        Ok(analysis.has_counted().then_some(analysis))
    }

    fn has_counted(&self) -> bool {
        let mut almost_sure = self.almost_sure.iter();
        let mut worst_case = self.worst_case.iter();
        almost_sure.all(|turns| turns.has_counted()) && worst_case.all(|turns| turns.has_counted())
    }

    fn first(&self) -> u64 {
        self.tables.model.mdp().initial()
    }

    fn is_almost_sure(&self) -> bool {
        let first = self.tables.value(&self.almost_sure, self.first());
        first.is_some()
    }

    fn find_almost_sure(&self, budget: &Budget) -> Result<Vec<SafeCase>, Limit> {
        let mut almost_sure = budget.with_capacity(self.tables.len())?;
        almost_sure.extend(
            self.best_case
                .iter()
                .map(|turns| SafeCase::candidate(turns.is_some())),
        );
        for part in 0..self.tables.parts.len() {
            self.tables
                .find_almost_sure(part, &mut almost_sure, SafeCase::better, budget)?;
        }
        Ok(almost_sure)
    }

    fn find_worst_case(&self, budget: &Budget) -> Result<Vec<WorstCase>, Limit> {
        let mut worst_case = budget.filled(WorstCase::NONE, self.tables.len())?;
        self.tables
            .iterate(&mut worst_case, budget, WorstCase::better)?;
        if !self.tables.value(&worst_case, self.first()).is_some() {
            worst_case = Vec::new();
        }
        Ok(worst_case)
    }

    fn find_components(&self, budget: &Budget) -> Result<Vec<EndComponent>, Limit> {
        let is_open = |state| Staying::open(self.known(state).is_none());
        let mut stay_set = budget.with_capacity(self.tables.len())?;
        stay_set.extend((0..self.tables.len()).map(is_open));
        self.tables
            .iterate(&mut stay_set, budget, Staying::or_barred)?;
        let components = EndComponent::all(&self.tables, &mut stay_set, budget)?;
        budget.free(stay_set);
        Ok(components)
    }

    fn find_bounds(&mut self, known: &mut [f64; 2], budget: &Budget) -> Result<bool, Limit> {
        self.components = self.find_components(budget)?;
        let Some(bounds) = guess_and_verify(self, self.tables.max_rounds, known, budget)? else {
            return Ok(false);
        };
        self.bounds = bounds;
        *known = self.initial_value(&self.bounds);
        Ok(true)
    }

    fn into_valuation(mut self, budget: &Budget) -> Option<Valuation> {
        let is_possible = self.tables.value(&self.best_case, self.first()).is_some();
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
        Some(Valuation {
            bounds: checked_bounds(known)?,
            sure: !self.worst_case.is_empty(),
            limit,
            nodes: self.tables.len() as u64,
            possible: is_possible.into(),
            strategy: Some(Box::new(self)),
        })
    }

    fn rank(&mut self, budget: &Budget) -> Result<(), Limit> {
        let mut ranked = budget.with_capacity(self.bounds.len())?;
        let bounds = self.bounds.iter();
        ranked.extend(bounds.map(|&[probability, _]| RankedValue::new(probability, 0)));
        for component in &self.components {
            component.clear_ranks(&mut ranked);
        }
        if !self.components.is_empty() {
            self.tables.iterate(&mut ranked, budget, RankedValue::or)?;
        }
        self.ranked = ranked;
        Ok(())
    }
}

impl<M: TabularMdp> BellmanOperator for TableAnalysis<M> {
    fn parts(&self) -> Vec<Range<usize>> {
        self.tables.parts()
    }

    fn known(&self, state: usize) -> Option<f64> {
        match () {
            () if !self.best_case[state].is_some() => Some(0.0),
            () if self.almost_sure[state].is_some() => Some(1.0),
            () => None,
        }
    }

    fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N] {
        self.tables.value(values, self.first())
    }

    fn sweep<const N: usize>(
        &self,
        values: &mut [[f64; N]],
        part: usize,
        nth: usize,
        budget: &Budget,
        change: impl Fn([f64; N], [f64; N]) -> [f64; N] + Sync,
    ) -> Result<(), Limit> {
        let blocks = self.tables.parts[part].clone();
        let stale = &mut self.tables.model.sweeper().stale();
        self.tables
            .sweep_stale(blocks, nth, values, stale, budget, change)?;
        let states = self.tables.part(part);
        let components = self.components.iter();
        let inside = components.filter(|component| states.contains(&component.first()));
        loop {
            for component in inside.clone() {
                component.set_to_exit_value(values);
            }
            // An exit may lead to a component that comes later.
            if inside
                .clone()
                .all(|component| component.has_exit_value(values))
            {
                return Ok(());
            }
        }
    }
}

impl<M: TabularMdp> OptimalStrategy for TableAnalysis<M> {
    fn prepare(&mut self, scope: StrategyScope, budget: &Budget) -> Result<bool, Limit> {
        if scope == StrategyScope::AllBounds
            && self.bounds.is_empty()
            && !self.find_bounds(&mut [0.0, 1.0], budget)?
        {
            return Ok(false);
        }
        self.rank(budget)?;
        Ok(true)
    }

    /// Returns the choice of the best successor; `None` for nodes without a win and, if no bounds were computed, for nodes
    /// without an almost sure win.
    fn choice(&self, number: u64) -> Option<usize> {
        let ends = self.tables.state_successors(number);
        if !self.tables.value(&self.best_case, number).is_some() {
            return None;
        }
        if !self.worst_case.is_empty()
            && let Some((choice, turns)) = best_of(&self.worst_case, &ends)
            && turns.is_some()
        {
            return Some(choice);
        }
        match best_of(&self.almost_sure, &ends)? {
            (choice, turns) if turns.is_some() => Some(choice),
            _ if self.ranked.is_empty() => None,
            _ => best_of(&self.ranked, &ends).map(|(choice, _)| choice),
        }
    }

    fn bounds(&self, number: u64) -> Option<Bounds> {
        if self.bounds.is_empty() {
            return None;
        }
        let Tables { model, .. } = &self.tables;
        let known = match model.mdp().successors(number, &mut Vec::new()) {
            Owner::Player => self.tables.value(&self.bounds, number),
            Owner::Chance => self.bounds[model.find(number)?],
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
