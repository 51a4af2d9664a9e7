//! All positions of a game, with the outcomes of their moves under the rules.

use std::hash::Hash;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::errors::CertifyError;
use getaway_board::limits::{Budget, Clock, Limit};
use getaway_ruleset::{Outcome, Playable, Stochastic};
pub use getaway_verify::chance::{Draw, ONE, TurnEnd, TurnVisitor, Visit, mean_above, mean_below};

/// Rules whose positions can be listed and compared.
pub trait Countable:
    Stochastic<State: Eq + Hash, Chaser: Eq + Hash> + Playable + Send + 'static
{
}

impl<R> Countable for R where
    R: Stochastic<State: Eq + Hash, Chaser: Eq + Hash> + Playable + Send + 'static
{
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphNode {
    Escaped,
    Caught,
    Position(usize),
    Draw(usize),
}

pub struct GameGraph {
    /// The position before the first move, or an end if the game is over by then.
    pub first: GraphNode,
    ends: Vec<usize>,
    moves: Vec<GraphNode>,
    draws: Vec<Drawn>,
    /// The weighted outcomes of all draws; [`Drawn::range`] selects those of one draw.
    outcomes: Vec<(u64, GraphNode)>,
}

/// The maximum number of positions within a turn whose values are kept; it is lower if they would take more than an eighth of
/// the memory limit.
const MAX_KEPT_VALUES: usize = 1 << 16;

#[derive(Clone, Copy)]
struct Drawn {
    range: (usize, usize),
    total: u64,
}

/// All positions and their graph; on failure, the error and the number of positions explored until then.
pub type Explored<S, E> = Result<(Vec<S>, GameGraph), (E, u64)>;

impl GameGraph {
    /// Explores all positions; fails with [`Limit::States`] if there are more than `max` positions and draws. The graph is
    /// empty if the game ends before the first move.
    pub fn of<R: Stochastic<State: Eq + Hash, Chaser: Eq + Hash>>(
        rules: &R,
        max: usize,
        budget: &Budget,
    ) -> Explored<R::State, CertifyError> {
        let mut search = GraphSearch {
            graph: Self {
                first: GraphNode::Position(0),
                ends: Vec::new(),
                moves: Vec::new(),
                draws: Vec::new(),
                outcomes: Vec::new(),
            },
            positions: Vec::new(),
            numbers: HashMap::default(),
            clock: budget.clock(),
            budget,
            max,
            bytes: 2 * rules.state_bytes() as u64,
        };
        match search.run(rules) {
            Ok(()) => Ok((search.positions, search.graph)),
            Err(error) => Err((error, search.graph.len() as u64)),
        }
    }

    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn moves(&self, position: usize) -> &[GraphNode] {
        let first = position
            .checked_sub(1)
            .map_or(0, |before| self.ends[before]);
        &self.moves[first..self.ends[position]]
    }

    pub const fn node_count(&self) -> usize {
        self.ends.len() + self.draws.len()
    }

    pub fn outcomes(&self, draw: usize) -> &[(u64, GraphNode)] {
        let (first, end) = self.draws[draw].range;
        &self.outcomes[first..end]
    }

    pub fn max_weight(&self) -> u64 {
        let totals = self.draws.iter().map(|draw| draw.total);
        totals.max().unwrap_or_default()
    }

    /// Sets `drawn` to the mean value of each draw; `values` are those of the positions. Each draw comes after all draws that it
    /// may lead to.
    pub fn draw<M: Mean>(&self, values: &[M::Value], drawn: &mut Vec<M::Value>) {
        drawn.clear();
        for draw in 0..self.draws.len() {
            let outcomes = self.outcomes(draw).iter();
            let values = outcomes.map(|&(weight, node)| (weight, value::<M>(node, values, drawn)));
            let mean = M::of(values, self.draws[draw].total);
            drawn.push(mean);
        }
    }

    pub fn draw_buffer<T>(&self, budget: &Budget) -> Result<Vec<T>, Limit> {
        budget.with_capacity(self.draws.len())
    }

    pub fn visit_outcomes(&self, node: GraphNode, visit: &mut impl FnMut(GraphNode)) {
        match node {
            GraphNode::Draw(draw) => {
                for &(_, node) in self.outcomes(draw) {
                    self.visit_outcomes(node, visit);
                }
            }
            end => visit(end),
        }
    }
}

pub fn value<M: Mean>(node: GraphNode, values: &[M::Value], drawn: &[M::Value]) -> M::Value {
    match node {
        GraphNode::Escaped => M::ONE,
        GraphNode::Caught => M::ZERO,
        GraphNode::Position(number) => values[number],
        GraphNode::Draw(draw) => drawn[draw],
    }
}

pub fn best<'m, M: Mean<Value: PartialOrd>>(
    moves: impl Iterator<Item = &'m GraphNode>,
    values: &[M::Value],
    drawn: &[M::Value],
) -> M::Value {
    let values = moves.map(|mv| value::<M>(*mv, values, drawn));
    values.fold(
        M::ZERO,
        |best, value| if value > best { value } else { best },
    )
}

pub trait Mean {
    type Value: Copy;
    const ZERO: Self::Value;
    const ONE: Self::Value;

    /// Returns the weighted mean of the values; `total` is the sum of the weights.
    fn of(draw: impl Iterator<Item = (u64, Self::Value)>, total: u64) -> Self::Value;
}

/// Computes with multiples of 2^-60, and rounds each mean up if `UP`, otherwise down.
pub struct Rounded<const UP: bool>;

pub type Below = Rounded<false>;

pub type Above = Rounded<true>;

pub struct Nearest;

impl<const UP: bool> Mean for Rounded<UP> {
    type Value = u64;
    const ZERO: u64 = 0;
    const ONE: u64 = ONE;

    fn of(draw: impl Iterator<Item = (u64, u64)>, total: u64) -> u64 {
        if UP {
            mean_above(draw, total)
        } else {
            mean_below(draw, total)
        }
    }
}

impl Mean for Nearest {
    type Value = f64;
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    fn of(draw: impl Iterator<Item = (u64, f64)>, total: u64) -> f64 {
        let sum: f64 = draw.map(|(weight, value)| weight as f64 * value).sum();
        sum / total as f64
    }
}

struct GraphSearch<'l, S> {
    graph: GameGraph,
    positions: Vec<S>,
    numbers: HashMap<S, usize, FixedState>,
    clock: Clock<'l>,
    budget: &'l Budget<'l>,
    max: usize,
    bytes: u64,
}

impl<S: Clone + Eq + Hash> GraphSearch<'_, S> {
    fn run<R>(&mut self, rules: &R) -> Result<(), CertifyError>
    where
        R: Stochastic<State = S, Chaser: Eq + Hash>,
    {
        let (budget, limits) = (self.budget, self.budget.limits);
        let mut turns =
            TurnVisitor::new(rules, MAX_KEPT_VALUES, limits.max_memory.map(|max| max / 8));
        budget.take(turns.bytes())?;
        let mut first = rules.start();
        let over = rules.open(&mut first, &mut ());
        self.graph.first = self.end(over.map_or(Ok(&first), Err))?;
        let mut moves = Vec::new();
        while let Some(at) = self.positions.get(self.graph.len()).cloned() {
            limits.check_states(self.graph.len() as u64)?;
            moves.clear();
            rules.moves(&at, &mut moves);
            for &mv in &moves {
                let node = turns.turn(rules, &at, mv, self)?;
                budget.push(&mut self.graph.moves, node)?;
            }
            budget.push(&mut self.graph.ends, self.graph.moves.len())?;
        }
        budget.give_back(turns.bytes());
        Ok(())
    }

    fn check_room(&self) -> Result<(), Limit> {
        if self.positions.len() + self.graph.draws.len() < self.max {
            Ok(())
        } else {
            Err(Limit::States)
        }
    }
}

impl<S: Clone + Eq + Hash> Visit<S> for GraphSearch<'_, S> {
    type Value = GraphNode;
    type Stop = CertifyError;

    fn end(&mut self, end: TurnEnd<'_, S>) -> Result<GraphNode, CertifyError> {
        self.clock.work(64)?;
        let at = match end {
            Ok(at) => at,
            Err(Outcome::Escaped) => return Ok(GraphNode::Escaped),
            Err(Outcome::Caught(_)) => return Ok(GraphNode::Caught),
        };
        if let Some(&number) = self.numbers.get(at) {
            return Ok(GraphNode::Position(number));
        }
        self.check_room()?;
        self.budget.take(self.bytes)?;
        let number = self.positions.len();
        self.positions.push(at.clone());
        self.numbers.insert(at.clone(), number);
        Ok(GraphNode::Position(number))
    }

    fn draw(&mut self, (outcomes, total): Draw<GraphNode>) -> Result<GraphNode, CertifyError> {
        if let [(_, only)] = *outcomes {
            return Ok(only);
        }
        self.check_room()?;
        let first = self.graph.outcomes.len();
        self.budget
            .make_room(&mut self.graph.outcomes, outcomes.len())?;
        self.graph.outcomes.extend(outcomes);
        let drawn = Drawn {
            range: (first, self.graph.outcomes.len()),
            total,
        };
        self.budget.push(&mut self.graph.draws, drawn)?;
        Ok(GraphNode::Draw(self.graph.draws.len() - 1))
    }
}
