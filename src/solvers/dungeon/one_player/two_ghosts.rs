//! Two ghosts, worked out on tables.
//!
//! Most of the nodes of a MDP with two ghosts say the same again and again: where a ghost can go
//! depends on the other ghost only if that is next to it, or on the tile that it is teleported to.
//! So it is enough to know, for each position of the player, what each ghost can do alone, and what if
//! the other is next to it ([`table`]). What a state is value then follows from a table of
//! the states in which the player has moved and both ghosts wait, without any list of successors
//! ([`sweep`]): at each position first what is best for the player when both ghosts have moved, then
//! what the draw of the later one is value, and then that of the earlier one.
//!
//! All questions about a game are answered by such sweeps, each in its own value ([`value`]):
//! whether the player can get out, surely, or within a bounded number of turns whatever the chance,
//! and how likely.

mod chance;
mod end_component;
mod sweep;
mod transition_table;
mod value_domain;

use std::ops::Range;
use std::sync::Arc;

use super::OnePlayerMdp;
use super::code::{Node, Phase};
use crate::engine::mdp::{
    BellmanOperator, Intervals, Mdp, Successor, Valuation, checked_bounds, guess_and_verify,
    max_bytes,
};
use crate::limits::{Budget, Clock, Limit, bytes};
use end_component::{EndComponent, components};
use transition_table::{GhostStates, StateIndex, TransitionTable};
use value_domain::{BestCaseTurns, InStaySet, RankedValue, ValueDomain, WorstCaseTurns};

/// The most states that a table is made for, and the most entries of what is worked out for one
/// position.
const MAX_STATES: usize = 1 << 28;

/// Tables smaller than this are not value more than one thread.
const MIN_PARALLEL: usize = 1 << 16;

/// Where in the table of a position two ghosts are, the one with the higher number first.
fn at(later: StateIndex, earlier: StateIndex) -> usize {
    let later = usize::from(later);
    later * later.saturating_sub(1) / 2 + usize::from(earlier)
}

/// The two ghosts that are there in the table of a position.
fn pair_at(position: usize) -> [StateIndex; 2] {
    let mut later = ((2.0 * position as f64).sqrt()) as StateIndex;
    while at(later, 0) > position {
        later -= 1;
    }
    while at(later + 1, 0) <= position {
        later += 1;
    }
    [(position - at(later, 0)) as StateIndex, later]
}

/// A MDP with two ghosts, ready to be worked out.
#[derive(Debug)]
pub(in super::super) struct TwoGhosts {
    mdp: Arc<OnePlayerMdp>,
    /// For each position the states of a ghost that waits.
    waiting: Vec<GhostStates>,
    tables: Vec<TransitionTable>,
    /// Where in the table the states of each position begin, and the end.
    starts: Vec<usize>,
    /// Consecutive positions whose states do not lead to one another.
    groups: Vec<Range<usize>>,
    /// How many positions of a group are worked out at the same time at most.
    threads: usize,
}

impl TwoGhosts {
    /// The pair of ghosts of this MDP; `None` if it is none, or hardly has a tile to be teleported
    /// to, or there is no room for the tables.
    pub(in super::super) fn new(
        mdp: &Arc<OnePlayerMdp>,
        budget: &Budget,
    ) -> Result<Option<Self>, Limit> {
        // A bit more is needed where end components are looked for.
        let is_pair = mdp.ghosts == 2 && mdp.code.len() == 2 && mdp.code.bits() < u64::BITS;
        if !is_pair {
            return Ok(None);
        }
        let taken = budget.taken();
        match Self::build(mdp, budget) {
            Ok(Some(ghosts)) if budget.check(ghosts.max_bytes()).is_ok() => Ok(Some(ghosts)),
            Ok(_) | Err(Limit::Memory) => {
                budget.reset_to(taken);
                Ok(None)
            }
            Err(limit) => Err(limit),
        }
    }

    fn build(mdp: &Arc<OnePlayerMdp>, budget: &Budget) -> Result<Option<Self>, Limit> {
        let mut clock = budget.clock();
        let positions = mdp.geometry.positions.len();
        let most = budget.limits.max_states.unwrap_or(u64::MAX);
        let (mut waiting, mut starts) = (Vec::new(), vec![0]);
        for position in 0..positions {
            clock.work(mdp.geometry.tile_count().into())?;
            // Where there are two tiles, one of them is free whatever the other ghost does.
            if mdp.geometry.free(&mdp.dungeon, position) < 2 {
                return Ok(None);
            }
            budget.take(GhostStates::max_bytes(mdp))?;
            let Some(states) = GhostStates::new(mdp, position, true) else {
                return Ok(None);
            };
            let end = starts[waiting.len()] + at(states.all().end, 0);
            if end > MAX_STATES || end as u64 > most {
                return Ok(None);
            }
            starts.push(end);
            waiting.push(states);
        }
        // It would be a waste to go on without room for the tables.
        budget.check(table_bytes(starts[waiting.len()]))?;
        let mut tables = Vec::new();
        for position in 0..positions {
            let Some(table) = TransitionTable::new(mdp, position, &waiting, budget)? else {
                return Ok(None);
            };
            if table.targets() * table.moved.len() > MAX_STATES {
                return Ok(None);
            }
            tables.push(table);
        }
        Ok(Some(Self {
            mdp: Arc::clone(mdp),
            groups: groups(&tables, &mut clock)?,
            waiting,
            tables,
            starts,
            threads: match budget.limits.threads {
                0 => 1,
                threads => threads,
            },
        }))
    }

    /// How much memory the tables take at most, in bytes.
    fn max_bytes(&self) -> u64 {
        let scratch = |table: &TransitionTable| table.targets() * (table.moved.len() + 2);
        let scratch = self.tables.iter().map(scratch).max().unwrap_or(0);
        table_bytes(self.len()) + self.threads as u64 * bytes::<[f64; 2]>(scratch)
    }

    /// How many states there are in which both ghosts wait.
    fn len(&self) -> usize {
        self.starts[self.tables.len()]
    }

    /// Where in the table the states of a position are.
    fn range(&self, position: usize) -> Range<usize> {
        self.starts[position]..self.starts[position + 1]
    }

    /// Where in the table a node is; `None` if not both ghosts wait there for their moves.
    fn find(&self, node: &Node) -> Option<usize> {
        let [earlier, later] = node.adversaries() else {
            return None;
        };
        if node.phase == Phase::Player || !earlier.waits() || !later.waits() {
            return None;
        }
        let states = &self.waiting[node.position as usize];
        let [earlier, later] =
            [earlier, later].map(|adversary| states.find(adversary.tile(), adversary.cooldown()));
        Some(self.starts[node.position as usize] + at(later?, earlier?))
    }

    /// The number of the node there in the table.
    fn number(&self, at: usize) -> u64 {
        let position = self.starts.partition_point(|&start| start <= at) - 1;
        let [earlier, later] = pair_at(at - self.starts[position]);
        let adversaries =
            [earlier, later].map(|state| self.waiting[position].adversary(state).waiting());
        let code = &self.mdp.code;
        code.pack(&code.node(position as u32, Phase::Adversaries, adversaries.into_iter()))
    }

    /// What a node is value by a table at which the player is to move.
    fn value<W: ValueDomain>(&self, values: &[W], number: u64) -> W {
        let options = self.choices(values, number);
        let best = options.into_iter().reduce(W::better);
        best.expect("the player can stay").after_turn()
    }

    /// What each of the player's choices at a node is value by a table.
    fn choices<W: ValueDomain>(&self, values: &[W], number: u64) -> Vec<W> {
        let mut successors = Vec::new();
        self.mdp.successors(number, &mut successors);
        let value = |next| match next {
            Successor::Won => W::WON,
            Successor::Lost => W::LOST,
            Successor::Node(number) => {
                let at = self.find(&self.mdp.unpack(number));
                values[at.expect("both ghosts wait when the player has moved")]
            }
        };
        successors.into_iter().map(value).collect()
    }

    /// Finds out who wins, and how likely; `None` if this needs to be done in another way.
    pub(in super::super) fn solve(mut self, budget: &Budget) -> Option<Valuation<Analysis>> {
        if self.threads < 2 || self.len() < MIN_PARALLEL {
            return self.solve_here(budget);
        }
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.threads);
        let Ok(threads) = threads.build() else {
            self.threads = 1;
            return self.solve_here(budget);
        };
        threads.install(|| self.solve_here(budget))
    }

    fn solve_here(self, budget: &Budget) -> Option<Valuation<Analysis>> {
        let states = self.len() as u64;
        match Analysis::new(self, budget) {
            Ok(analysis) => analysis?.into_valuation(budget),
            Err(limit) => Some(Valuation::unknown(limit, states)),
        }
    }
}

/// How much memory all tables of so many states take at most, in bytes.
fn table_bytes(len: usize) -> u64 {
    let answers = 2 * bytes::<BestCaseTurns<false>>(len)
        + 2 * bytes::<InStaySet>(len)
        + bytes::<WorstCaseTurns>(len);
    answers + max_bytes(len)
}

/// Positions in order, in groups of those from which the player can't go to another of the group.
fn groups(tables: &[TransitionTable], clock: &mut Clock) -> Result<Vec<Range<usize>>, Limit> {
    let ranked = |from: usize, to: usize| {
        tables[from]
            .destinations
            .iter()
            .any(|destination| destination.position == to as u32)
    };
    let mut groups: Vec<Range<usize>> = Vec::new();
    for position in 0..tables.len() {
        let is_apart = |group: &Range<usize>| {
            let mut others = group.clone();
            others.all(|other| !ranked(other, position) && !ranked(position, other))
        };
        clock.work(groups.last().map_or(1, ExactSizeIterator::len) as u64)?;
        match groups.last_mut() {
            Some(group) if is_apart(group) => group.end = position + 1,
            _ => groups.push(position..position + 1),
        }
    }
    Ok(groups)
}

/// A pair of ghosts, and what has been found out about it.
#[derive(Debug)]
pub(in super::super) struct Analysis {
    ghosts: TwoGhosts,
    /// Whether the player can get out at all.
    best_case: Vec<BestCaseTurns<false>>,
    /// Whether it can with probability 1.
    almost_sure: Vec<BestCaseTurns<true>>,
    /// Whether it can in a bounded number of turns; empty if it can't from the first state.
    worst_case: Vec<WorstCaseTurns>,
    /// Where the player can see to it that no chance takes away all hope.
    stay_winnable: Vec<InStaySet>,
    components: Vec<EndComponent>,
    bounds: Intervals,
}

impl Analysis {
    /// Answers all questions but for the probability; `None` if there are more turns than numbers.
    fn new(ghosts: TwoGhosts, budget: &Budget) -> Result<Option<Self>, Limit> {
        let mut best_case = budget.filled(BestCaseTurns::NONE, ghosts.len())?;
        ghosts.settle(&mut best_case, budget, BestCaseTurns::once, |_| false)?;
        let mut analysis = Self {
            ghosts,
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

    /// Whether no number of turns was too large to be counted.
    fn has_counted(&self) -> bool {
        let options = self.best_case.iter().map(|turns| turns.has_counted());
        let options = options.chain(self.almost_sure.iter().map(|turns| turns.has_counted()));
        let worst_case = self.worst_case.iter().map(|turns| turns.has_counted());
        options.chain(worst_case).all(|has_counted| has_counted)
    }

    /// Whether the player gets out with probability 1 from the first state.
    fn is_almost_sure(&self) -> bool {
        let first = self.ghosts.mdp.initial();
        self.ghosts.value(&self.almost_sure, first).is_some()
    }

    /// Where the player gets out with probability 1. From the rest of where it can get out, each
    /// round takes what chance may lead out of, or the player must, and then from where it can't get
    /// out within what is left. What the first round leaves in its first half is where hope lasts.
    fn find_almost_sure(
        &self,
        budget: &Budget,
    ) -> Result<(Vec<InStaySet>, Vec<BestCaseTurns<true>>), Limit> {
        let is_known = |turns| {
            if turns {
                BestCaseTurns::NONE
            } else {
                BestCaseTurns::BARRED
            }
        };
        let mut almost_sure = budget.with_capacity(self.ghosts.len())?;
        almost_sure.extend(self.best_case.iter().map(|turns| is_known(turns.is_some())));
        let bar = |old, new: BestCaseTurns<true>| if new.is_barred() { new } else { old };
        self.ghosts
            .settle(&mut almost_sure, budget, bar, |_| false)?;
        let mut stay_winnable = budget.with_capacity(self.ghosts.len())?;
        stay_winnable.extend(
            almost_sure
                .iter()
                .map(|turns| InStaySet(!turns.is_barred())),
        );
        loop {
            self.ghosts
                .settle(&mut almost_sure, budget, BestCaseTurns::better, |_| false)?;
            if !almost_sure.contains(&BestCaseTurns::NONE) {
                return Ok((stay_winnable, almost_sure));
            }
            for turns in &mut almost_sure {
                *turns = is_known(turns.is_some());
            }
            self.ghosts
                .settle(&mut almost_sure, budget, bar, |_| false)?;
        }
    }

    /// Where the player gets out in a bounded number of turns; nowhere if it can't from the first
    /// state.
    fn find_worst_case(&self, budget: &Budget) -> Result<Vec<WorstCaseTurns>, Limit> {
        let mut worst_case = budget.filled(WorstCaseTurns::NONE, self.ghosts.len())?;
        self.ghosts
            .settle(&mut worst_case, budget, WorstCaseTurns::better, |_| false)?;
        let first = self.ghosts.value(&worst_case, self.ghosts.mdp.initial());
        Ok(if first.is_some() {
            worst_case
        } else {
            Vec::new()
        })
    }

    /// Where the player can wait for what he likes best.
    fn find_components(&self, budget: &Budget) -> Result<Vec<EndComponent>, Limit> {
        let all = self.stay_winnable.iter().zip(&self.almost_sure);
        let is_open = |(stay_winnable, almost_sure): (&InStaySet, &BestCaseTurns<true>)| {
            stay_winnable.0 && !almost_sure.is_some()
        };
        let mut stay_set = budget.with_capacity(self.ghosts.len())?;
        stay_set.extend(all.map(|options| InStaySet(is_open(options))));
        if !stay_set.contains(&InStaySet(true)) {
            budget.free(stay_set);
            return Ok(Vec::new());
        }
        let still = |old: InStaySet, new: InStaySet| InStaySet(old.0 & new.0);
        self.ghosts
            .settle(&mut stay_set, budget, still, |_| false)?;
        let components = if stay_set.contains(&InStaySet(true)) {
            components(&self.ghosts, &stay_set, budget)?
        } else {
            Vec::new()
        };
        budget.free(stay_set);
        Ok(components)
    }

    /// Finds bounds on the probabilities; whatever is proven of the first state, `known` tells.
    /// Whether they were found: else this needs to be done in another way.
    fn find_bounds(&mut self, known: &mut [f64; 2], budget: &Budget) -> Result<bool, Limit> {
        self.components = self.find_components(budget)?;
        let Some(bounds) = guess_and_verify(self, known, budget)? else {
            return Ok(false);
        };
        self.bounds = bounds;
        *known = self.initial_value(&self.bounds);
        Ok(true)
    }

    fn into_valuation(mut self, budget: &Budget) -> Option<Valuation<Self>> {
        let first = self.ghosts.mdp.initial();
        let is_possible = self.ghosts.value(&self.best_case, first).is_some();
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
                Ok(way) => winning_path = Some(way?),
                Err(reached) => limit = Some(reached),
            }
        }
        Some(Valuation {
            lower,
            upper,
            sure: !self.worst_case.is_empty(),
            limit,
            nodes: self.ghosts.len() as u64,
            winning_path,
            explored: Some(self),
        })
    }

    /// The nodes on a way out; `None` if there is none.
    fn winning_path(&self, budget: &Budget) -> Result<Option<Vec<u64>>, Limit> {
        let mut way = vec![self.ghosts.mdp.initial()];
        let mut successors = Vec::new();
        loop {
            let player = *way.last().expect("a way begins somewhere");
            let turns = self.ghosts.choices(&self.best_case, player).into_iter();
            let turns = turns.map(BestCaseTurns::turns).enumerate();
            let (choice, turns) = turns.min_by_key(|&(_, turns)| turns).expect("he can stay");
            successors.clear();
            self.ghosts.mdp.successors(player, &mut successors);
            let Successor::Node(next) = successors[choice] else {
                return Ok(Some(way));
            };
            way.push(next);
            let is_nearer = |number| self.ghosts.value(&self.best_case, number).turns() <= turns;
            match chance::path_to(&self.ghosts.mdp, next, is_nearer, budget)? {
                Some(path) => way.extend(path),
                None => return Ok(None),
            }
        }
    }

    /// How to play for the lower bounds: in a end component it takes turns to get to the best way out. None
    /// where there are no bounds.
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
            component.enter(&mut ranked);
        }
        self.ghosts
            .settle(&mut ranked, budget, RankedValue::once, |ranked| {
                ranked.iter().copied().all(RankedValue::is_some)
            })?;
        Ok(ranked)
    }
}

impl BellmanOperator for Analysis {
    fn len(&self) -> usize {
        self.ghosts.len()
    }

    fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N] {
        self.ghosts.value(values, self.ghosts.mdp.initial())
    }

    fn values<const N: usize>(
        &self,
        open: [f64; N],
        budget: &Budget,
    ) -> Result<Vec<[f64; N]>, Limit> {
        let value = |(turns, almost_sure): (&BestCaseTurns<false>, &BestCaseTurns<true>)| match () {
            () if !turns.is_some() => [0.0; N],
            () if almost_sure.is_some() => [1.0; N],
            () => open,
        };
        let mut values = budget.with_capacity(self.ghosts.len())?;
        values.extend(self.best_case.iter().zip(&self.almost_sure).map(value));
        Ok(values)
    }

    fn sweep<const N: usize, T: Default + Send>(
        &self,
        values: &mut [[f64; N]],
        nth: usize,
        budget: &Budget,
        change: impl Fn(&mut T, [f64; N], [f64; N]) -> [f64; N] + Sync,
    ) -> Result<Vec<T>, Limit> {
        let notes = self.ghosts.sweep(values, nth, budget, change)?;
        for component in &self.components {
            component.level(values);
        }
        Ok(notes)
    }
}

impl Valuation<Analysis> {
    /// How to play best, or the limit that was reached before that was known.
    pub(in super::super) fn into_strategy_within(self, budget: &Budget) -> Result<Policy, Limit> {
        let analysis = self.limit.map_or(Ok(self.explored), Err)?;
        let analysis = analysis.expect("without a limit there are tables");
        let ranked = analysis.ranked(budget)?;
        Ok(Policy { analysis, ranked })
    }
}

/// The best choice in each state, as far as the probability is known.
#[derive(Debug)]
pub(in super::super) struct Policy {
    analysis: Analysis,
    ranked: Vec<RankedValue>,
}

impl Policy {
    /// Which of [`Mdp::successors`] to choose at this node, the first of equals; `None` where all is
    /// lost, and where best play never leads if it surely wins.
    pub(in super::super) fn choice(&self, number: u64) -> Option<usize> {
        let Analysis {
            ghosts,
            best_case,
            almost_sure,
            worst_case,
            ..
        } = &self.analysis;
        if !ghosts.value(best_case, number).is_some() {
            return None;
        }
        if !worst_case.is_empty() && ghosts.value(worst_case, number).is_some() {
            self.best(worst_case, number)
        } else if ghosts.value(almost_sure, number).is_some() {
            self.best(almost_sure, number)
        } else if self.ranked.is_empty() {
            None
        } else {
            self.best(&self.ranked, number)
        }
    }

    fn best<W: ValueDomain>(&self, values: &[W], number: u64) -> Option<usize> {
        let options = self.analysis.ghosts.choices(values, number);
        let best = options.iter().copied().reduce(W::better)?;
        options.into_iter().position(|value| value == best)
    }
}

#[cfg(test)]
mod tests;
