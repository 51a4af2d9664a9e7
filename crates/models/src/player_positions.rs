use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::{MdpError, breadth_first};
use getaway_board::grid::{Cell, Dir};
use getaway_board::limits::{Budget, Limit, bytes};
use getaway_rules::dungeon::{Dungeon, Goal, Move, State};
use getaway_ruleset::Outcome;

/// A player's cell, and the key's cell until the key is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PlayerPosition {
    pub(super) key: Option<Cell>,
    pub(super) cell: Cell,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathEnd {
    Out,
    Position(u32),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct MovePath {
    pub(super) mv: Move,
    pub(super) goal: PathEnd,
}

type Steps = [Option<PathEnd>; 4];

type Numbers = HashMap<PlayerPosition, u32, FixedState>;

/// The positions that a player can reach with no mobile adversary in the way or, with several players, no adversary at all. Those
/// with the key taken, from which no move leads back to the others, come first. Within both groups, positions are ordered by
/// distance to the escape.
#[derive(Debug)]
pub(super) struct PlayerPositions {
    all: Vec<PlayerPosition>,
    distances: Vec<u32>,
    numbers: Numbers,
    steps: Vec<Steps>,
    exit: Option<Cell>,
    speed: usize,
}

impl PlayerPositions {
    /// Finds the positions that the player can reach from `at`, which must contain only adversaries that never move. With several
    /// players, finds those that any of them can reach alone, as if another player might take the key at any time. Fails if the
    /// game can't be won.
    pub(super) fn new(dungeon: &Dungeon, at: State, budget: &Budget) -> Result<Self, MdpError> {
        let mut explored = Explored::new(dungeon, at, budget)?;
        let (order, distances) = explored.order(dungeon, budget)?;
        let mut new_numbers = budget.filled(0, order.len())?;
        for (new, &old) in (0..).zip(&order) {
            new_numbers[old as usize] = new;
        }
        for number in explored.numbers.values_mut() {
            *number = new_numbers[*number as usize];
        }
        let renumber = |goal| match goal {
            PathEnd::Out => PathEnd::Out,
            PathEnd::Position(old) => PathEnd::Position(new_numbers[old as usize]),
        };
        let (mut all, mut steps) = (
            budget.with_capacity(order.len())?,
            budget.with_capacity(order.len())?,
        );
        for &old in &order {
            all.push(explored.all[old as usize]);
            steps.push(explored.steps[old as usize].map(|goal| goal.map(renumber)));
        }
        budget.free(explored.all);
        budget.free(explored.steps);
        budget.free(order);
        budget.free(new_numbers);
        Ok(Self {
            all,
            distances,
            numbers: explored.numbers,
            steps,
            exit: dungeon.level.exit,
            speed: dungeon.settings.speed.into(),
        })
    }

    pub(super) fn len(&self) -> u32 {
        self.all.len() as u32
    }

    pub(super) fn get(&self, number: u32) -> PlayerPosition {
        self.all[number as usize]
    }

    pub(super) fn find(&self, position: PlayerPosition) -> Option<u32> {
        self.numbers.get(&position).copied()
    }

    pub(super) const fn exit(&self) -> Option<Cell> {
        self.exit
    }

    /// Returns the results of the steps in the order of [`Dir::ALL`], regardless of adversaries that can move or, with several
    /// players, of all adversaries; `None` for a step that is illegal or loses.
    pub(super) fn steps_from(&self, number: u32) -> Steps {
        self.steps[number as usize]
    }

    /// Returns the move with another step; `None` if it already has as many steps as the `speed` allows.
    pub(super) fn longer(&self, mv: Move, dir: Dir) -> Option<Move> {
        if mv.len() == self.speed {
            return None;
        }
        mv.and(dir)
    }

    /// Returns the number of steps to the escape, regardless of the same adversaries as in [`Self::steps_from`]; if there is no
    /// escape, one more than the largest such number of any position.
    pub(super) fn distance(&self, number: u32) -> u32 {
        self.distances[number as usize]
    }

    /// Lists the positions that a move may lead to, including the current one, regardless of adversaries that can move.
    pub(super) fn within_a_move(&self, number: u32) -> impl Iterator<Item = u32> {
        // With the exit shut, no move leaves, so all others are listed.
        let paths = self.paths(number, true, |_| false).into_iter();
        paths.filter_map(|path| match path.goal {
            PathEnd::Position(to) => Some(to),
            PathEnd::Out => None,
        })
    }

    /// Lists the moves that avoid the cells for which `taken` holds: a shortest one to each goal, shorter ones first. If one of
    /// them escapes, lists only that one.
    pub(super) fn paths_around(&self, number: u32, taken: impl Fn(Cell) -> bool) -> Vec<MovePath> {
        // An adversary may stand on the exit: under `cooldown` at any time, under `chase` only if it started there.
        let is_shut = self.exit.is_some_and(&taken);
        self.paths(number, is_shut, taken)
    }

    fn paths(&self, number: u32, is_shut: bool, taken: impl Fn(Cell) -> bool) -> Vec<MovePath> {
        let mut paths = vec![MovePath {
            mv: Move::STAY,
            goal: PathEnd::Position(number),
        }];
        let mut next = 0;
        while let Some(&MovePath {
            mv,
            goal: PathEnd::Position(from),
        }) = paths.get(next)
        {
            next += 1;
            if mv.len() == self.speed {
                break;
            }
            for (dir, step) in Dir::ALL.into_iter().zip(self.steps[from as usize]) {
                let (Some(goal), Some(mv)) = (step, mv.and(dir)) else {
                    continue;
                };
                match goal {
                    PathEnd::Out if is_shut => continue,
                    PathEnd::Out => return vec![MovePath { mv, goal }],
                    PathEnd::Position(to) if taken(self.get(to).cell) => continue,
                    PathEnd::Position(_) => {}
                }
                if paths.iter().all(|path| path.goal != goal) {
                    paths.push(MovePath { mv, goal });
                }
            }
        }
        paths
    }
}

const UNKNOWN: u32 = u32::MAX;

/// The approximate maximum number of bytes that an entry of [`Numbers`] takes.
const NUMBER_BYTES: u64 = 64;

struct Explored {
    all: Vec<PlayerPosition>,
    steps: Vec<Steps>,
    numbers: Numbers,
}

impl Explored {
    fn new(dungeon: &Dungeon, mut at: State, budget: &Budget) -> Result<Self, Limit> {
        let mut explored = Self {
            all: Vec::new(),
            steps: Vec::new(),
            numbers: Numbers::default(),
        };
        let key = at.key;
        for &cell in &dungeon.players {
            explored.number(PlayerPosition { key, cell }, budget)?;
        }
        at.players.truncate(1);
        let mut clock = budget.clock();
        while let Some(&position) = explored.all.get(explored.steps.len()) {
            clock.work(64)?;
            at.key = position.key;
            at.players[0] = position.cell;
            let mut steps = [None; 4];
            for (step, dir) in steps.iter_mut().zip(Dir::ALL) {
                *step = explored.step(dungeon, &at, dir, budget)?;
            }
            budget.push(&mut explored.steps, steps)?;
            if dungeon.players.len() > 1 {
                // Another player may take the key.
                let key = None;
                explored.number(PlayerPosition { key, ..position }, budget)?;
            }
        }
        Ok(explored)
    }

    fn step(
        &mut self,
        dungeon: &Dungeon,
        at: &State,
        dir: Dir,
        budget: &Budget,
    ) -> Result<Option<PathEnd>, Limit> {
        let mv = Move::STAY.and(dir).expect("a move may have one step");
        let Ok(walk) = dungeon.follow(at, mv) else {
            return Ok(None);
        };
        let position = PlayerPosition {
            key: walk.key,
            cell: walk.cell,
        };
        Ok(match walk.end {
            Some(Outcome::Escaped) => Some(PathEnd::Out),
            Some(Outcome::Caught(_)) => None,
            None => Some(PathEnd::Position(self.number(position, budget)?)),
        })
    }

    fn number(&mut self, position: PlayerPosition, budget: &Budget) -> Result<u32, Limit> {
        if let Some(&known) = self.numbers.get(&position) {
            return Ok(known);
        }
        let new = self.all.len() as u32;
        budget.take(NUMBER_BYTES)?;
        budget.push(&mut self.all, position)?;
        self.numbers.insert(position, new);
        Ok(new)
    }

    /// Returns the positions, those with the key taken first, then by distance to the escape, then by cell. Also returns their
    /// distances in this order. If there is no escape from a position, its distance is one more than the maximum of the others.
    /// Fails if the game can't be won.
    fn order(&self, dungeon: &Dungeon, budget: &Budget) -> Result<(Vec<u32>, Vec<u32>), MdpError> {
        let steps = self.steps_to_go(budget)?;
        let takes_key = self.takes_key();
        let mut leaves = dungeon.players.iter().map(|&cell| {
            // A single player has to take the key itself; with several players, another one may take it.
            let has_key = takes_key && dungeon.players.len() > 1;
            let key = dungeon.level.key.filter(|_| !has_key);
            steps[self.numbers[&PlayerPosition { key, cell }] as usize] != UNKNOWN
        });
        let has_way_out = match dungeon.settings.goal {
            Goal::Any => leaves.any(|leaves| leaves),
            Goal::All => leaves.all(|leaves| leaves),
        };
        if !has_way_out {
            return Err(MdpError::NoWayOut { takes_key });
        }
        let known = steps.iter().filter(|&&steps| steps != UNKNOWN);
        let max = known.max().map_or(0, |&max| max + 1);
        let mut order = budget.with_capacity(self.all.len())?;
        order.extend(0..self.all.len() as u32);
        order.sort_unstable_by_key(|&at| {
            let PlayerPosition { key, cell } = self.all[at as usize];
            (key, steps[at as usize], cell)
        });
        let mut distances = budget.with_capacity(order.len())?;
        distances.extend(order.iter().map(|&at| steps[at as usize].min(max)));
        budget.free(steps);
        Ok((order, distances))
    }

    /// Returns whether a player can take the key, or there is none.
    fn takes_key(&self) -> bool {
        let mut steps = self.all.iter().zip(&self.steps);
        self.all[0].key.is_none()
            || steps.any(|(position, steps)| {
                let mut goals = steps.iter().flatten();
                position.key.is_some()
                    && goals.any(|goal| match *goal {
                        PathEnd::Out => true,
                        PathEnd::Position(to) => self.all[to as usize].key.is_none(),
                    })
            })
    }

    fn steps_to_go(&self, budget: &Budget) -> Result<Vec<u32>, Limit> {
        let len = self.all.len();
        budget.take(bytes::<u32>(len))?;
        let taken = budget.taken();
        let mut last = Vec::new();
        let mut before: Vec<Vec<u32>> = budget.filled(Vec::new(), len)?;
        budget.take(bytes::<[u32; 9]>(len))?;
        for (from, goals) in (0..).zip(&self.steps) {
            for goal in goals.iter().flatten() {
                match *goal {
                    PathEnd::Position(to) => before[to as usize].push(from),
                    PathEnd::Out => last.push(from),
                }
            }
        }
        let sources = |at: u32| before[at as usize].iter().copied();
        let mut steps = breadth_first::distances(last, len, |at| at as usize, sources);
        for steps in &mut steps {
            *steps = steps.saturating_add(1);
        }
        budget.reset_to(taken);
        Ok(steps)
    }
}
