//! All positions of a level with what their moves can lead to, as the rulebook has it.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use crate::game::Uncertified;
use crate::limits::{Budget, Clock, Limits};
use crate::rules::dungeon::{Dungeon, State};
use crate::ruleset::{Outcome, Ruleset};
use crate::verify::chance::{Draw, End, Inexact, ONE, Visit, mean_above, mean_below, turn};

/// What a move, or a draw, can lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    Escaped,
    Caught,
    /// The position of this number.
    Position(usize),
    /// The draw of this number.
    Draw(usize),
}

/// The positions, in the order of a certificate's lines.
#[derive(Default)]
pub struct Table {
    /// For each position where its moves end in `moves`.
    ends: Vec<usize>,
    moves: Vec<Node>,
    draws: Vec<Drawn>,
    /// The outcomes of all draws, each with its weight.
    outcomes: Vec<(u64, Node)>,
}

/// A draw.
#[derive(Clone, Copy)]
struct Drawn {
    /// Where its outcomes begin and end.
    range: (usize, usize),
    /// The sum of their weights.
    total: u64,
}

impl Table {
    /// All positions that can come up.
    pub fn of(dungeon: &Dungeon, limits: &Limits) -> Result<Self, Uncertified> {
        let budget = Budget::new(limits);
        let mut search = Search {
            table: Self::default(),
            positions: Vec::new(),
            numbers: HashMap::default(),
            clock: Clock::new(limits),
            budget: &budget,
            bytes: 2 * dungeon.state_bytes() as u64,
        };
        search.end(End::On(dungeon.start()))?;
        let mut moves = Vec::new();
        while let Some(at) = search.positions.get(search.table.len()).cloned() {
            limits.check_states(search.table.len() as u64)?;
            moves.clear();
            dungeon.moves(&at, &mut moves);
            for &mv in &moves {
                let node = turn(dungeon, &at, mv, &mut search)?;
                budget.push(&mut search.table.moves, node)?;
            }
            budget.push(&mut search.table.ends, search.table.moves.len())?;
        }
        Ok(search.table)
    }

    /// How many positions there are.
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// What the moves of a position lead to.
    pub fn moves(&self, position: usize) -> &[Node] {
        let first = position
            .checked_sub(1)
            .map_or(0, |before| self.ends[before]);
        &self.moves[first..self.ends[position]]
    }

    fn outcomes(&self, draw: usize) -> &[(u64, Node)] {
        let (first, end) = self.draws[draw].range;
        &self.outcomes[first..end]
    }

    /// The mean of `values` at a node, rounded down.
    pub fn below(&self, node: Node, values: &[u64]) -> u64 {
        match node {
            Node::Escaped => ONE,
            Node::Caught => 0,
            Node::Position(number) => values[number],
            Node::Draw(draw) => {
                let outcomes = self.outcomes(draw).iter();
                let values = outcomes.map(|&(weight, node)| (weight, self.below(node, values)));
                mean_below(values, self.draws[draw].total)
            }
        }
    }

    /// The mean of `values` at a node, rounded up.
    pub fn above(&self, node: Node, values: &[u64]) -> u64 {
        match node {
            Node::Escaped => ONE,
            Node::Caught => 0,
            Node::Position(number) => values[number],
            Node::Draw(draw) => {
                let outcomes = self.outcomes(draw).iter();
                let values = outcomes.map(|&(weight, node)| (weight, self.above(node, values)));
                mean_above(values, self.draws[draw].total)
            }
        }
    }

    /// Calls `visit` with each outcome at a node: none of them is a draw.
    pub fn each(&self, node: Node, visit: &mut impl FnMut(Node)) {
        match node {
            Node::Draw(draw) => {
                for &(_, node) in self.outcomes(draw) {
                    self.each(node, visit);
                }
            }
            end => visit(end),
        }
    }

    /// Whether something holds of every outcome at a node.
    pub fn all(&self, node: Node, holds: &impl Fn(Node) -> bool) -> bool {
        match node {
            Node::Draw(draw) => {
                let mut outcomes = self.outcomes(draw).iter();
                outcomes.all(|&(_, node)| self.all(node, holds))
            }
            end => holds(end),
        }
    }
}

struct Search<'l> {
    table: Table,
    positions: Vec<State>,
    numbers: HashMap<State, usize, FixedState>,
    clock: Clock<'l>,
    budget: &'l Budget<'l>,
    /// What a position takes.
    bytes: u64,
}

impl Visit<State> for Search<'_> {
    type Value = Node;
    type Stop = Uncertified;

    fn end(&mut self, end: End<State>) -> Result<Node, Uncertified> {
        self.clock.work(64)?;
        let at = match end {
            End::On(at) => at,
            End::Over(Outcome::Escaped) => return Ok(Node::Escaped),
            End::Over(Outcome::Caught(_)) => return Ok(Node::Caught),
        };
        let next = self.positions.len();
        let number = *self.numbers.entry(at).or_insert_with_key(|at| {
            self.positions.push(at.clone());
            next
        });
        if number == next {
            self.budget.take(self.bytes)?;
        }
        Ok(Node::Position(number))
    }

    fn draw(&mut self, (outcomes, total): Draw<Node>) -> Result<Node, Uncertified> {
        if let [(_, only)] = *outcomes {
            return Ok(only);
        }
        let first = self.table.outcomes.len();
        self.budget
            .make_room(&mut self.table.outcomes, outcomes.len())?;
        self.table.outcomes.extend(outcomes);
        let drawn = Drawn {
            range: (first, self.table.outcomes.len()),
            total,
        };
        self.budget.push(&mut self.table.draws, drawn)?;
        Ok(Node::Draw(self.table.draws.len() - 1))
    }
}

impl From<Inexact> for Uncertified {
    fn from(error: Inexact) -> Self {
        Self::Inexact(error)
    }
}
