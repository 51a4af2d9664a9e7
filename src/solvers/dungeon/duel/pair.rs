//! Two ghosts, worked out on tables.
//!
//! Most of the nodes of a duel with two ghosts say the same again and again: where a ghost can go
//! depends on the other ghost only if that is next to it, or on the tile that it is teleported to.
//! So it is enough to know, for each place of the player, what each ghost can do alone, and what if
//! the other is next to it ([`post`]). What a position is worth then follows from a table of
//! the positions in which the player has moved and both ghosts wait, without any list of successors
//! ([`sweep`]): at each place first what is best for the player when both ghosts have moved, then
//! what the draw of the later one is worth, and then that of the earlier one.
//!
//! All questions about a game are answered by such sweeps, each in its own worth ([`worth`]):
//! whether the player can get out, surely, or within a bounded number of turns whatever the luck,
//! and how likely.

mod haven;
mod luck;
mod post;
mod sweep;
mod worth;

use std::ops::Range;
use std::sync::Arc;

use super::Duel;
use super::code::{Node, Phase};
use crate::engine::mdp::{
    BellmanOperator, Intervals, Mdp, Successor, Valuation, checked_bounds, guess_and_verify,
    max_bytes,
};
use crate::limits::{Budget, Clock, Limit, bytes};
use haven::{Haven, havens};
use post::{Index, Post, Stances};
use worth::{Hope, Idle, Lead, Pledge, Worth};

/// The most positions that a table is made for, and the most entries of what is worked out for one
/// place.
const MOST: usize = 1 << 28;

/// Tables smaller than this are not worth more than one thread.
const LARGE: usize = 1 << 16;

/// Where in the table of a place two ghosts are, the one with the higher number first.
fn at(later: Index, earlier: Index) -> usize {
    let later = usize::from(later);
    later * later.saturating_sub(1) / 2 + usize::from(earlier)
}

/// The two ghosts that are there in the table of a place.
fn pair_at(place: usize) -> [Index; 2] {
    let mut later = ((2.0 * place as f64).sqrt()) as Index;
    while at(later, 0) > place {
        later -= 1;
    }
    while at(later + 1, 0) <= place {
        later += 1;
    }
    [(place - at(later, 0)) as Index, later]
}

/// A duel with two ghosts, ready to be worked out.
#[derive(Debug)]
pub(in super::super) struct Pair {
    duel: Arc<Duel>,
    /// For each place the stances of a ghost that waits.
    waiting: Vec<Stances>,
    posts: Vec<Post>,
    /// Where in the table the positions of each place begin, and the end.
    starts: Vec<usize>,
    /// Consecutive places whose positions do not lead to one another.
    groups: Vec<Range<usize>>,
    /// How many places of a group are worked out at the same time at most.
    lanes: usize,
}

impl Pair {
    /// The pair of ghosts of this duel; `None` if it is none, or hardly has a tile to be teleported
    /// to, or there is no room for the tables.
    pub(in super::super) fn new(duel: &Arc<Duel>, budget: &Budget) -> Result<Option<Self>, Limit> {
        // A bit more is needed where havens are looked for.
        let is_pair = duel.ghosts == 2 && duel.code.len() == 2 && duel.code.bits() < u64::BITS;
        if !is_pair {
            return Ok(None);
        }
        let taken = budget.taken();
        match Self::build(duel, budget) {
            Ok(Some(pair)) if budget.check(pair.max_bytes()).is_ok() => Ok(Some(pair)),
            Ok(_) | Err(Limit::Memory) => {
                budget.reset_to(taken);
                Ok(None)
            }
            Err(limit) => Err(limit),
        }
    }

    fn build(duel: &Arc<Duel>, budget: &Budget) -> Result<Option<Self>, Limit> {
        let mut clock = budget.clock();
        let places = duel.atlas.places.len();
        let most = budget.limits.max_states.unwrap_or(u64::MAX);
        let (mut waiting, mut starts) = (Vec::new(), vec![0]);
        for place in 0..places {
            clock.work(duel.atlas.haunts().into())?;
            // Where there are two tiles, one of them is free whatever the other ghost does.
            if duel.atlas.free(&duel.dungeon, place) < 2 {
                return Ok(None);
            }
            budget.take(Stances::max_bytes(duel))?;
            let Some(stances) = Stances::new(duel, place, true) else {
                return Ok(None);
            };
            let end = starts[waiting.len()] + at(stances.all().end, 0);
            if end > MOST || end as u64 > most {
                return Ok(None);
            }
            starts.push(end);
            waiting.push(stances);
        }
        // It would be a waste to go on without room for the tables.
        budget.check(table_bytes(starts[waiting.len()]))?;
        let mut posts = Vec::new();
        for place in 0..places {
            let Some(post) = Post::new(duel, place, &waiting, budget)? else {
                return Ok(None);
            };
            if post.slots() * post.moved.len() > MOST {
                return Ok(None);
            }
            posts.push(post);
        }
        Ok(Some(Self {
            duel: Arc::clone(duel),
            groups: groups(&posts, &mut clock)?,
            waiting,
            posts,
            starts,
            lanes: match budget.limits.threads {
                0 => 1,
                threads => threads,
            },
        }))
    }

    /// How much memory the tables take at most, in bytes.
    fn max_bytes(&self) -> u64 {
        let desk = |post: &Post| post.slots() * (post.moved.len() + 2);
        let desk = self.posts.iter().map(desk).max().unwrap_or(0);
        table_bytes(self.len()) + self.lanes as u64 * bytes::<[f64; 2]>(desk)
    }

    /// How many positions there are in which both ghosts wait.
    fn len(&self) -> usize {
        self.starts[self.posts.len()]
    }

    /// Where in the table the positions of a place are.
    fn range(&self, place: usize) -> Range<usize> {
        self.starts[place]..self.starts[place + 1]
    }

    /// Where in the table a node is; `None` if not both ghosts wait there for their moves.
    fn find(&self, node: &Node) -> Option<usize> {
        let [earlier, later] = node.tokens() else {
            return None;
        };
        if node.phase == Phase::Player || !earlier.waits() || !later.waits() {
            return None;
        }
        let stances = &self.waiting[node.place as usize];
        let [earlier, later] =
            [earlier, later].map(|token| stances.find(token.haunt(), token.cooldown()));
        Some(self.starts[node.place as usize] + at(later?, earlier?))
    }

    /// The number of the node there in the table.
    fn number(&self, at: usize) -> u64 {
        let place = self.starts.partition_point(|&start| start <= at) - 1;
        let [earlier, later] = pair_at(at - self.starts[place]);
        let tokens = [earlier, later].map(|stance| self.waiting[place].token(stance).waiting());
        let code = &self.duel.code;
        code.pack(&code.node(place as u32, Phase::Adversaries, tokens.into_iter()))
    }

    /// What a node is worth by a table at which the player is to move.
    fn worth<W: Worth>(&self, table: &[W], number: u64) -> W {
        let worths = self.choices(table, number);
        let best = worths.into_iter().reduce(W::better);
        best.expect("the player can stay").after_turn()
    }

    /// What each of the player's choices at a node is worth by a table.
    fn choices<W: Worth>(&self, table: &[W], number: u64) -> Vec<W> {
        let mut successors = Vec::new();
        self.duel.successors(number, &mut successors);
        let worth = |next| match next {
            Successor::Won => W::OUT,
            Successor::Lost => W::CAUGHT,
            Successor::Node(number) => {
                let at = self.find(&self.duel.unpack(number));
                table[at.expect("both ghosts wait when the player has moved")]
            }
        };
        successors.into_iter().map(worth).collect()
    }

    /// Finds out who wins, and how likely; `None` if this needs to be done in another way.
    pub(in super::super) fn solve(mut self, budget: &Budget) -> Option<Valuation<Solved>> {
        if self.lanes < 2 || self.len() < LARGE {
            return self.solve_here(budget);
        }
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.lanes);
        let Ok(threads) = threads.build() else {
            self.lanes = 1;
            return self.solve_here(budget);
        };
        threads.install(|| self.solve_here(budget))
    }

    fn solve_here(self, budget: &Budget) -> Option<Valuation<Solved>> {
        let states = self.len() as u64;
        match Solved::new(self, budget) {
            Ok(solved) => solved?.into_valuation(budget),
            Err(limit) => Some(Valuation::unknown(limit, states)),
        }
    }
}

/// How much memory all tables of so many positions take at most, in bytes.
fn table_bytes(len: usize) -> u64 {
    let answers = 2 * bytes::<Hope<false>>(len) + 2 * bytes::<Idle>(len) + bytes::<Pledge>(len);
    answers + max_bytes(len)
}

/// Places in order, in groups of those from which the player can't go to another of the group.
fn groups(posts: &[Post], clock: &mut Clock) -> Result<Vec<Range<usize>>, Limit> {
    let leads =
        |from: usize, to: usize| posts[from].goals.iter().any(|goal| goal.place == to as u32);
    let mut groups: Vec<Range<usize>> = Vec::new();
    for place in 0..posts.len() {
        let is_apart = |group: &Range<usize>| {
            let mut others = group.clone();
            others.all(|other| !leads(other, place) && !leads(place, other))
        };
        clock.work(groups.last().map_or(1, ExactSizeIterator::len) as u64)?;
        match groups.last_mut() {
            Some(group) if is_apart(group) => group.end = place + 1,
            _ => groups.push(place..place + 1),
        }
    }
    Ok(groups)
}

/// A pair of ghosts, and what has been found out about it.
#[derive(Debug)]
pub(in super::super) struct Solved {
    pair: Pair,
    /// Whether the player can get out at all.
    hopes: Vec<Hope<false>>,
    /// Whether it can with probability 1.
    safe: Vec<Hope<true>>,
    /// Whether it can in a bounded number of turns; empty if it can't from the first position.
    pledges: Vec<Pledge>,
    /// Where the player can see to it that no luck takes away all hope.
    hopeful: Vec<Idle>,
    havens: Vec<Haven>,
    bounds: Intervals,
}

impl Solved {
    /// Answers all questions but for the probability; `None` if there are more turns than numbers.
    fn new(pair: Pair, budget: &Budget) -> Result<Option<Self>, Limit> {
        let mut hopes = budget.filled(Hope::NONE, pair.len())?;
        pair.settle(&mut hopes, budget, Hope::once, |_| false)?;
        let mut solved = Self {
            pair,
            hopes,
            safe: Vec::new(),
            pledges: Vec::new(),
            hopeful: Vec::new(),
            havens: Vec::new(),
            bounds: Intervals::new(),
        };
        (solved.hopeful, solved.safe) = solved.find_safe(budget)?;
        if solved.is_safe() {
            solved.pledges = solved.find_pledges(budget)?;
        }
        Ok(solved.has_counted().then_some(solved))
    }

    /// Whether no number of turns was too large to be counted.
    fn has_counted(&self) -> bool {
        let worths = self.hopes.iter().map(|hope| hope.has_counted());
        let worths = worths.chain(self.safe.iter().map(|hope| hope.has_counted()));
        let pledges = self.pledges.iter().map(|pledge| pledge.has_counted());
        worths.chain(pledges).all(|has_counted| has_counted)
    }

    /// Whether the player gets out with probability 1 from the first position.
    fn is_safe(&self) -> bool {
        let first = self.pair.duel.initial();
        self.pair.worth(&self.safe, first).is_some()
    }

    /// Where the player gets out with probability 1. From the rest of where it can get out, each
    /// round takes what luck may lead out of, or the player must, and then from where it can't get
    /// out within what is left. What the first round leaves in its first half is where hope lasts.
    fn find_safe(&self, budget: &Budget) -> Result<(Vec<Idle>, Vec<Hope<true>>), Limit> {
        let is_known = |hope| {
            if hope { Hope::NONE } else { Hope::BARRED }
        };
        let mut safe = budget.with_capacity(self.pair.len())?;
        safe.extend(self.hopes.iter().map(|hope| is_known(hope.is_some())));
        let bar = |old, new: Hope<true>| if new.is_barred() { new } else { old };
        self.pair.settle(&mut safe, budget, bar, |_| false)?;
        let mut hopeful = budget.with_capacity(self.pair.len())?;
        hopeful.extend(safe.iter().map(|hope| Idle(!hope.is_barred())));
        loop {
            self.pair
                .settle(&mut safe, budget, Hope::better, |_| false)?;
            if !safe.contains(&Hope::NONE) {
                return Ok((hopeful, safe));
            }
            for hope in &mut safe {
                *hope = is_known(hope.is_some());
            }
            self.pair.settle(&mut safe, budget, bar, |_| false)?;
        }
    }

    /// Where the player gets out in a bounded number of turns; nowhere if it can't from the first
    /// position.
    fn find_pledges(&self, budget: &Budget) -> Result<Vec<Pledge>, Limit> {
        let mut pledges = budget.filled(Pledge::NONE, self.pair.len())?;
        self.pair
            .settle(&mut pledges, budget, Pledge::better, |_| false)?;
        let first = self.pair.worth(&pledges, self.pair.duel.initial());
        Ok(if first.is_some() { pledges } else { Vec::new() })
    }

    /// Where the player can wait for what he likes best.
    fn find_havens(&self, budget: &Budget) -> Result<Vec<Haven>, Limit> {
        let all = self.hopeful.iter().zip(&self.safe);
        let is_open = |(hopeful, safe): (&Idle, &Hope<true>)| hopeful.0 && !safe.is_some();
        let mut idle = budget.with_capacity(self.pair.len())?;
        idle.extend(all.map(|worths| Idle(is_open(worths))));
        if !idle.contains(&Idle(true)) {
            budget.free(idle);
            return Ok(Vec::new());
        }
        let still = |old: Idle, new: Idle| Idle(old.0 & new.0);
        self.pair.settle(&mut idle, budget, still, |_| false)?;
        let havens = if idle.contains(&Idle(true)) {
            havens(&self.pair, &idle, budget)?
        } else {
            Vec::new()
        };
        budget.free(idle);
        Ok(havens)
    }

    /// Finds bounds on the probabilities; whatever is proven of the first position, `known` tells.
    /// Whether they were found: else this needs to be done in another way.
    fn find_bounds(&mut self, known: &mut [f64; 2], budget: &Budget) -> Result<bool, Limit> {
        self.havens = self.find_havens(budget)?;
        let Some(bounds) = guess_and_verify(self, known, budget)? else {
            return Ok(false);
        };
        self.bounds = bounds;
        *known = self.initial_value(&self.bounds);
        Ok(true)
    }

    fn into_valuation(mut self, budget: &Budget) -> Option<Valuation<Self>> {
        let first = self.pair.duel.initial();
        let is_possible = self.pair.worth(&self.hopes, first).is_some();
        let (mut limit, mut known) = (None, [0.0, 0.0]);
        if self.is_safe() {
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
            sure: !self.pledges.is_empty(),
            limit,
            nodes: self.pair.len() as u64,
            winning_path,
            explored: Some(self),
        })
    }

    /// The nodes on a way out; `None` if there is none.
    fn winning_path(&self, budget: &Budget) -> Result<Option<Vec<u64>>, Limit> {
        let mut way = vec![self.pair.duel.initial()];
        let mut successors = Vec::new();
        loop {
            let player = *way.last().expect("a way begins somewhere");
            let turns = self.pair.choices(&self.hopes, player).into_iter();
            let turns = turns.map(Hope::turns).enumerate();
            let (choice, turns) = turns.min_by_key(|&(_, turns)| turns).expect("he can stay");
            successors.clear();
            self.pair.duel.successors(player, &mut successors);
            let Successor::Node(next) = successors[choice] else {
                return Ok(Some(way));
            };
            way.push(next);
            let is_nearer = |number| self.pair.worth(&self.hopes, number).turns() <= turns;
            match luck::way_to(&self.pair.duel, next, is_nearer, budget)? {
                Some(lucky) => way.extend(lucky),
                None => return Ok(None),
            }
        }
    }

    /// How to play for the lower bounds: in a haven it takes turns to get to the best way out. None
    /// where there are no bounds.
    fn leads(&self, budget: &Budget) -> Result<Vec<Lead>, Limit> {
        if self.bounds.is_empty() {
            return Ok(Vec::new());
        }
        let lead = |&[probability, _]: &[f64; 2]| Lead {
            probability,
            turns: 0,
        };
        let mut leads = budget.with_capacity(self.bounds.len())?;
        leads.extend(self.bounds.iter().map(lead));
        for haven in &self.havens {
            haven.enter(&mut leads);
        }
        self.pair.settle(&mut leads, budget, Lead::once, |leads| {
            leads.iter().copied().all(Lead::is_some)
        })?;
        Ok(leads)
    }
}

impl BellmanOperator for Solved {
    fn len(&self) -> usize {
        self.pair.len()
    }

    fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N] {
        self.pair.worth(values, self.pair.duel.initial())
    }

    fn values<const N: usize>(
        &self,
        open: [f64; N],
        budget: &Budget,
    ) -> Result<Vec<[f64; N]>, Limit> {
        let value = |(hope, safe): (&Hope<false>, &Hope<true>)| match () {
            () if !hope.is_some() => [0.0; N],
            () if safe.is_some() => [1.0; N],
            () => open,
        };
        let mut values = budget.with_capacity(self.pair.len())?;
        values.extend(self.hopes.iter().zip(&self.safe).map(value));
        Ok(values)
    }

    fn sweep<const N: usize, T: Default + Send>(
        &self,
        values: &mut [[f64; N]],
        nth: usize,
        budget: &Budget,
        change: impl Fn(&mut T, [f64; N], [f64; N]) -> [f64; N] + Sync,
    ) -> Result<Vec<T>, Limit> {
        let notes = self.pair.sweep(values, nth, budget, change)?;
        for haven in &self.havens {
            haven.level(values);
        }
        Ok(notes)
    }
}

impl Valuation<Solved> {
    /// How to play best, or the limit that was reached before that was known.
    pub(in super::super) fn into_strategy_within(self, budget: &Budget) -> Result<Policy, Limit> {
        let solved = self.limit.map_or(Ok(self.explored), Err)?;
        let solved = solved.expect("without a limit there are tables");
        let leads = solved.leads(budget)?;
        Ok(Policy { solved, leads })
    }
}

/// The best choice in each position, as far as the probability is known.
#[derive(Debug)]
pub(in super::super) struct Policy {
    solved: Solved,
    leads: Vec<Lead>,
}

impl Policy {
    /// Which of [`Mdp::successors`] to choose at this node, the first of equals; `None` where all is
    /// lost, and where best play never leads if it surely wins.
    pub(in super::super) fn choice(&self, number: u64) -> Option<usize> {
        let Solved {
            pair,
            hopes,
            safe,
            pledges,
            ..
        } = &self.solved;
        if !pair.worth(hopes, number).is_some() {
            return None;
        }
        if !pledges.is_empty() && pair.worth(pledges, number).is_some() {
            self.best(pledges, number)
        } else if pair.worth(safe, number).is_some() {
            self.best(safe, number)
        } else if self.leads.is_empty() {
            None
        } else {
            self.best(&self.leads, number)
        }
    }

    fn best<W: Worth>(&self, table: &[W], number: u64) -> Option<usize> {
        let worths = self.solved.pair.choices(table, number);
        let best = worths.iter().copied().reduce(W::better)?;
        worths.into_iter().position(|worth| worth == best)
    }
}

#[cfg(test)]
mod tests;
