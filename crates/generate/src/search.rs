//! Searches for a board that meets the criteria: draws boards and, if none is good enough, improves some by simulated annealing.
//! If no board meets the criteria after some rounds of that, tries every board of the plan, unless there are too many.
//!
//! A fixed number of chains, each with its own temperature and random numbers, run in parallel for a round; then the two worst
//! continue from the board of the best one. So the result does not depend on the number of threads.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::Generator;
use super::change::Changeable;
use super::enumeration::Enumeration;
use super::judge::{Judge, Judged, Observer, WRONG_VERDICT};
use super::layout::{Question, WallKind, sketch};
use super::measures::Meter;
use super::minimal::minimal;
use super::sketch::Sketch;
use getaway_board::limits::Limit;
use getaway_board::rng::Rng;

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// The best board, if any was found.
    pub best: Option<Judged>,
    /// The limit that ended the search, if one did.
    pub limit: Option<Limit>,
    /// The number of boards tried, if these are all boards of the requested size and amounts and none meets the criteria.
    pub all_tried: Option<u64>,
}

const CHAINS: usize = 8;

/// Returns two numbers: the boards to draw before the first round, and the changes that a chain tries in a round. When a chain
/// finds a good board, the others still complete the round. So rounds are short in games of chance, which take long to solve.
const fn effort(question: Question) -> (usize, usize) {
    match question {
        Question::Chance => (4, 4),
        Question::Escape | Question::Food => (24, 60),
    }
}

/// The number of rounds without a better board after which all chains restart.
const MAX_STALE_ROUNDS: usize = 40;

/// The number of rounds after which half of the chains put things on any cells, if no board comes near the criteria or, for
/// [`Question::Escape`], if the best board meets them but is dull.
const ROUNDS_BEFORE_ANYWHERE: usize = 3;

/// The number of rounds after which the search accepts a dull board that meets the criteria or, if there is none, tries every
/// board. If the best board is too hard for an exact probability, so are most others, and one round is enough.
const ROUNDS_BEFORE_DULL: usize = 4;

const NEW_BOARD_PROBABILITY: f64 = 0.1;

const TRIES: usize = 200;

/// The maximum number of states to solve a board, up to the end of the first round.
const FIRST_STATES: u64 = 100_000;

/// The enumeration of a plan, which the first search that needs it computes.
pub(super) type LazyEnumeration = OnceLock<Result<Option<Enumeration>, Limit>>;

struct Search<'a> {
    generator: &'a Generator<'a>,
    observer: &'a Observer<'a>,
    found: SearchResult,
}

struct Chain {
    rng: Rng,
    temperature: f64,
    at: Option<Judged>,
    best: Option<Judged>,
}

pub(super) fn search(generator: &Generator, observer: &Observer, seed: u64) -> SearchResult {
    let judge = &generator.judge;
    let mut search = Search {
        generator,
        observer,
        found: SearchResult::default(),
    };
    let mut limit = search.go(seed).err();
    let mut found = search.found;
    if let Some(best) = found.best.as_mut().filter(|_| judge.criteria.minimal) {
        limit = limit.or_else(|| minimal(judge, best, &mut Rng::new(seed)).err());
        // After a limit, walls and things that are not necessary may be left.
        best.shortfall += if limit.is_some() { 1.0 } else { 0.0 };
    }
    SearchResult { limit, ..found }
}

impl Search<'_> {
    fn go(&mut self, seed: u64) -> Result<(), Limit> {
        let rng = &mut Rng::new(seed);
        let judge = &round_of(&self.generator.judge, 0);
        for _ in 0..effort(judge.meter.layout.style().question).0 {
            let drawn = draw_judged(judge, rng)?;
            (self.observer)(1, self.found.best.as_ref());
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
        let (mut stale, mut is_anywhere) = (0, false);
        for round in 0..self.generator.max_rounds {
            let before = distance(self.found.best.as_ref());
            let is_enough = |best: &Judged| {
                let is_bounded = best.measures.solution.limit().is_some();
                best.shortfall <= 0.0 && round >= if is_bounded { 1 } else { ROUNDS_BEFORE_DULL }
            };
            if self.found.best.as_ref().is_some_and(is_enough) {
                break;
            }
            if round == ROUNDS_BEFORE_DULL && self.try_every_board(seed)? {
                break;
            }
            let may_be_dull =
                self.generator.judge.meter.layout.style().question != Question::Escape;
            let is_near = |best: &Judged| {
                best.shortfall < WRONG_VERDICT && (best.shortfall > 0.0 || may_be_dull)
            };
            let comes_near = self.found.best.as_ref().is_some_and(is_near);
            if round >= ROUNDS_BEFORE_ANYWHERE && !comes_near && !is_anywhere {
                is_anywhere = true;
                for chain in chains[1..].iter_mut().step_by(2) {
                    chain.at = None;
                }
            }
            // The second judge is for the chains with odd numbers.
            let mut judges = [(); 2].map(|()| round_of(&self.generator.judge, round));
            judges[1].plan.is_anywhere |= is_anywhere;
            if self.round(&mut chains, &judges)? {
                break;
            }
            let is_better = distance(self.found.best.as_ref()) < before;
            stale = if is_better { 0 } else { stale + 1 };
            if stale >= MAX_STALE_ROUNDS {
                (stale, is_anywhere) = (0, true);
                for chain in &mut chains {
                    chain.at = None;
                }
            }
        }
        Ok(())
    }

    /// Tries all boards of the plan if they are few enough, and takes one of the best, if any meets the criteria. Returns whether
    /// all boards were tried, which ends the search.
    fn try_every_board(&mut self, seed: u64) -> Result<bool, Limit> {
        let Generator {
            judge, enumeration, ..
        } = self.generator;
        let enumeration = enumeration.get_or_init(|| Enumeration::run(judge, self.observer));
        let Some(enumeration) = enumeration.as_ref().map_err(|&limit| limit)? else {
            return Ok(false);
        };
        match Rng::new(seed).pick(&enumeration.best) {
            Some(board) => self.found.best = Some(board.clone()),
            None => self.found.all_tried = Some(enumeration.tried),
        }
        Ok(true)
    }

    fn round(&mut self, chains: &mut [Chain], judges: &[Judge; 2]) -> Result<bool, Limit> {
        let note_tried = &|| (self.observer)(1, None);
        let ended: Vec<Result<(), Limit>> = chains
            .par_iter_mut()
            .enumerate()
            .map(|(number, chain)| chain.round(&judges[number % 2], note_tried))
            .collect();
        let mut is_found = false;
        for chain in chains.iter_mut() {
            let best = chain.best.take();
            is_found = is_found || self.take(best);
        }
        (self.observer)(0, self.found.best.as_ref());
        // Once a board is found, it does not matter that a limit ended the work of some chain.
        if !is_found {
            ended.into_iter().collect::<Result<(), Limit>>()?;
            regroup(chains);
        }
        Ok(is_found)
    }

    /// Keeps the board if it is the best so far; returns whether the search can stop.
    fn take(&mut self, judged: Option<Judged>) -> bool {
        keep(&mut self.found.best, judged);
        distance(self.found.best.as_ref()) <= 0.0
    }
}

/// Returns the judge of a round. Its limit on states doubles with each round, up to that of `judge`, so that no board takes most
/// of a search's time.
fn round_of<'a>(judge: &Judge<'a>, round: usize) -> Judge<'a> {
    let mut judge = judge.clone();
    let max = FIRST_STATES.saturating_mul(1 << round.min(32));
    let own = &mut judge.meter.limits.max_states;
    *own = Some(own.unwrap_or(max).min(max));
    judge
}

fn distance(board: Option<&Judged>) -> f64 {
    board.map_or(f64::INFINITY, Judged::distance)
}

/// Keeps the better board: one that meets the criteria, even if it is dull, or else the nearer one.
fn keep(best: &mut Option<Judged>, other: Option<Judged>) {
    let rank = |board: &Option<Judged>| {
        let misses = board.as_ref().is_none_or(|board| board.shortfall > 0.0);
        (misses, distance(board.as_ref()))
    };
    if rank(&other) < rank(best) {
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
    fn round(&mut self, judge: &Judge, note_tried: &(dyn Fn() + Sync)) -> Result<(), Limit> {
        if self.at.is_none() {
            self.at = draw_judged(judge, &mut self.rng)?;
            self.best.clone_from(&self.at);
        }
        let (_, steps) = effort(judge.meter.layout.style().question);
        for _ in 0..steps {
            if distance(self.best.as_ref()) > 0.0 {
                self.step(judge)?;
                note_tried();
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
            self.at = Some(changed);
            keep(&mut self.best, self.at.clone());
        }
        Ok(())
    }
}

fn neighbour(judge: &Judge, from: &Sketch, rng: &mut Rng) -> Option<Sketch> {
    let layout = judge.meter.layout;
    if (judge.plan.is_anywhere || layout.style().kind_of_walls != WallKind::Free)
        && rng.chance(NEW_BOARD_PROBABILITY)
    {
        return sketch(layout, &judge.plan, rng);
    }
    let change = Changeable::of(layout, from).random_change(&judge.plan, rng)?;
    Some(change.apply(from))
}

fn draw_judged(judge: &Judge, rng: &mut Rng) -> Result<Option<Judged>, Limit> {
    let Meter { layout, limits, .. } = judge.meter;
    let draw = |_| {
        let drawn = limits
            .check_time()
            .map(|()| sketch(layout, &judge.plan, rng));
        drawn.transpose()
    };
    match (0..TRIES).find_map(draw).transpose()? {
        Some(sketch) => judge.judge(sketch, f64::INFINITY),
        None => Ok(None),
    }
}
