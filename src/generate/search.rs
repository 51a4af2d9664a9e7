//! Searches for a board that meets the criteria: draws boards and, if none meets them, improves some by simulated
//! annealing.
//!
//! A fixed number of chains, each with its own temperature and random numbers, run in parallel for a round; then the worst
//! continue from the best board. So the result does not depend on the number of threads.

use rayon::prelude::*;

use super::change::Changeable;
use super::judge::{Judge, Judged};
use super::layout::{Question, WallKind};
use super::measures::Meter;
use super::minimal::minimal;
use super::sketch::Sketch;
use super::wishes::Wanted;
use crate::limits::Limit;
use crate::rng::Rng;

#[derive(Clone, Debug)]
pub struct Found {
    pub best: Option<Judged>,
    pub limit: Option<Limit>,
}

pub trait Observer: Sync {
    fn looked(&self, boards: u64, best: Option<&Judged>);
}

impl Observer for () {
    fn looked(&self, _boards: u64, _best: Option<&Judged>) {}
}

const CHAINS: usize = 8;

/// Returns the numbers of boards to draw before the first round, and of changes that a chain tries in a round. A search ends only
/// after a complete round, so rounds are short in games of chance, whose boards take long to solve.
const fn effort(question: Question) -> (usize, usize) {
    match question {
        Question::Chance => (4, 4),
        Question::Escape | Question::Food => (24, 60),
    }
}

/// The number of rounds without a better board after which all chains restart.
const PATIENCE: usize = 40;

/// The number of rounds after which the search accepts a dull board that meets the criteria.
const TASTE: usize = 4;

const NEW: f64 = 0.1;

const TRIES: usize = 200;

struct Search<'a> {
    judge: &'a Judge<'a>,
    observer: &'a dyn Observer,
    best: Option<Judged>,
}

struct Chain {
    rng: Rng,
    temperature: f64,
    at: Option<Judged>,
    best: Option<Judged>,
}

pub fn search(judge: &Judge, observer: &dyn Observer, seed: u64) -> Found {
    let mut search = Search {
        judge,
        observer,
        best: None,
    };
    let limit = search.go(seed).err();
    let best = search.best;
    Found { best, limit }
}

impl Search<'_> {
    fn go(&mut self, seed: u64) -> Result<(), Limit> {
        let rng = &mut Rng::new(seed);
        for _ in 0..effort(self.judge.meter.layout.question).0 {
            let drawn = fresh(self.judge, rng)?;
            self.observer.looked(1, self.best.as_ref());
            if self.take(drawn) {
                return Ok(());
            }
        }
        let chain = |number| Chain {
            rng: Rng::of_run(seed, number as u64 + 1),
            temperature: 0.25 * 1.5_f64.powi(number as i32),
            at: None,
            best: None,
        };
        let mut chains: Vec<Chain> = (0..CHAINS).map(chain).collect();
        let mut stale = 0;
        for round in 0.. {
            let is_as_wished = self.best.as_ref().is_some_and(|best| best.shortfall <= 0.0);
            let before = distance(self.best.as_ref());
            if round >= TASTE && is_as_wished || self.round(&mut chains)? {
                break;
            }
            let is_better = distance(self.best.as_ref()) < before;
            stale = if is_better { 0 } else { stale + 1 };
            if stale >= PATIENCE {
                stale = 0;
                for chain in &mut chains {
                    chain.at = None;
                }
            }
        }
        Ok(())
    }

    fn round(&mut self, chains: &mut [Chain]) -> Result<bool, Limit> {
        let judge = self.judge;
        let rounds = chains.par_iter_mut().map(|chain| chain.round(judge));
        let ended: Vec<Result<(), Limit>> = rounds.collect();
        let mut is_found = false;
        for chain in chains.iter_mut() {
            let best = chain.best.take();
            is_found = is_found || self.take(best);
        }
        let looked = chains.len() * effort(judge.meter.layout.question).1;
        self.observer.looked(looked as u64, self.best.as_ref());
        if !is_found {
            ended.into_iter().collect::<Result<(), Limit>>()?;
            regroup(chains);
        }
        Ok(is_found)
    }

    /// Keeps the board if it is the best so far; returns whether the search can stop.
    fn take(&mut self, judged: Option<Judged>) -> bool {
        keep(&mut self.best, judged);
        distance(self.best.as_ref()) <= 0.0
    }
}

fn distance(board: Option<&Judged>) -> f64 {
    board.map_or(f64::INFINITY, Judged::distance)
}

fn keep(best: &mut Option<Judged>, other: Option<Judged>) {
    if distance(other.as_ref()) < distance(best.as_ref()) {
        *best = other;
    }
}

fn regroup(chains: &mut [Chain]) {
    let far = |&number: &usize| distance(chains[number].at.as_ref());
    let mut order: Vec<usize> = (0..chains.len()).collect();
    order.sort_by(|a, b| far(a).total_cmp(&far(b)));
    let best = chains[order[0]].at.clone();
    for &worst in order.iter().rev().take(2) {
        chains[worst].at.clone_from(&best);
    }
}

impl Chain {
    fn round(&mut self, judge: &Judge) -> Result<(), Limit> {
        if self.at.is_none() {
            self.at = fresh(judge, &mut self.rng)?;
            self.best.clone_from(&self.at);
        }
        let (_, steps) = effort(judge.meter.layout.question);
        for _ in 0..steps {
            if distance(self.best.as_ref()) > 0.0 {
                self.step(judge)?;
            }
        }
        Ok(())
    }

    fn step(&mut self, judge: &Judge) -> Result<(), Limit> {
        let Some(at) = &self.at else {
            return Ok(());
        };
        let Some(next) = neighbour(judge, &at.sketch, &mut self.rng) else {
            return Ok(());
        };
        // The Metropolis rule in reverse: first draws how much worse the board may get.
        let worse = -self.temperature * (1.0 - self.rng.uniform()).ln();
        let bound = at.distance() + worse;
        if let Some(changed) = judge.judge(next, bound)? {
            self.at = Some(finished(judge, changed, &mut self.rng)?);
            keep(&mut self.best, self.at.clone());
        }
        Ok(())
    }
}

fn neighbour(judge: &Judge, sketch: &Sketch, rng: &mut Rng) -> Option<Sketch> {
    let layout = judge.meter.layout;
    if layout.kind_of_walls != WallKind::Free && rng.chance(NEW) {
        return (layout.draw)(&judge.plan, rng);
    }
    let change = Changeable::of(layout, sketch).any(&judge.plan, rng)?;
    Some(change.apply(sketch))
}

fn fresh(judge: &Judge, rng: &mut Rng) -> Result<Option<Judged>, Limit> {
    let Meter { layout, limits, .. } = judge.meter;
    let draw = |_| {
        let drawn = limits
            .check_time()
            .map(|()| (layout.draw)(&judge.plan, rng));
        drawn.transpose()
    };
    let Some(sketch) = (0..TRIES).find_map(draw).transpose()? else {
        return Ok(None);
    };
    let judged = judge.judge(sketch, f64::INFINITY)?;
    judged
        .map(|judged| finished(judge, judged, rng))
        .transpose()
}

fn finished(judge: &Judge, judged: Judged, rng: &mut Rng) -> Result<Judged, Limit> {
    let is_good = judged.shortfall <= 0.0
        && (judged.dullness <= 0.0 || judge.wishes.verdict != Wanted::Taste);
    if judge.wishes.minimal && is_good {
        minimal(judge, judged, rng)
    } else {
        Ok(judged)
    }
}
