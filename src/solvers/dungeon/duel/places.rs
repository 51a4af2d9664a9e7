//! Where the player can be, numbered.

use crate::grid::{Cell, Dir};
use crate::rules::dungeon::{Dungeon, Move, State};
use crate::ruleset::Outcome;

/// Where the player is, and where the key lies if it still does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) key: Option<Cell>,
    pub(super) cell: Cell,
}

/// What the player gets to by a step, or by a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// Out.
    Out,
    /// The place of this number.
    Place(u32),
}

/// A move of the player that keeps clear of all adversaries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    pub(super) mv: Move,
    pub(super) goal: Goal,
}

/// What each step leads to.
type Steps = [Option<Goal>; 4];

/// The places that the player can get to when the adversaries that can move stand aside. They are
/// numbered by how many steps lead out from there, the nearest first.
#[derive(Debug)]
pub(super) struct Places {
    all: Vec<Place>,
    steps: Vec<Steps>,
    /// For each place all moves, nobody being in the way.
    paths: Vec<Vec<Path>>,
    exit: Option<Cell>,
    speed: usize,
}

impl Places {
    /// The places in a level with the player and the adversaries of `at`, of whom none can move;
    /// `None` if there is no way out.
    pub(super) fn new(dungeon: &Dungeon, at: State) -> Option<Self> {
        let explored = explore(dungeon, at);
        let distances = distances(&explored);
        if distances[0] == FAR {
            return None;
        }
        let mut order: Vec<usize> = (0..explored.len()).collect();
        order.sort_by_key(|&at| (distances[at], explored[at].0));
        let mut number = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            number[old] = new as u32;
        }
        let renumber = |goal| match goal {
            Goal::Out => Goal::Out,
            Goal::Place(old) => Goal::Place(number[old as usize]),
        };
        let mut places = Self {
            all: order.iter().map(|&at| explored[at].0).collect(),
            steps: order
                .iter()
                .map(|&at| explored[at].1.map(|goal| goal.map(renumber)))
                .collect(),
            paths: Vec::new(),
            exit: dungeon.level.exit,
            speed: dungeon.settings.speed.into(),
        };
        let numbers = 0..places.len() as u32;
        places.paths = numbers
            .map(|number| places.paths_around(number, |_| false))
            .collect();
        Some(places)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The place of this number.
    pub(super) fn get(&self, number: u32) -> Place {
        self.all[number as usize]
    }

    /// The number of this place, if the player can get there.
    pub(super) fn find(&self, place: Place) -> Option<u32> {
        Some(self.all.iter().position(|&known| known == place)? as u32)
    }

    /// All moves from a place, shorter ones first, when nobody is in the way.
    pub(super) fn paths(&self, number: u32) -> &[Path] {
        &self.paths[number as usize]
    }

    /// The moves from a place that keep clear of tiles that are `taken`: a shortest one to each
    /// goal, shorter ones first; and if one leads out, that alone.
    pub(super) fn paths_around(&self, number: u32, taken: impl Fn(Cell) -> bool) -> Vec<Path> {
        // Under `cooldown` an adversary may stand on the exit.
        let is_shut = self.exit.is_some_and(&taken);
        let mut paths = vec![Path {
            mv: Move::STAY,
            goal: Goal::Place(number),
        }];
        let mut next = 0;
        while let Some(&Path {
            mv,
            goal: Goal::Place(from),
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
                    Goal::Out if is_shut => continue,
                    Goal::Out => return vec![Path { mv, goal }],
                    Goal::Place(to) if taken(self.get(to).cell) => continue,
                    Goal::Place(_) => {}
                }
                if paths.iter().all(|path| path.goal != goal) {
                    paths.push(Path { mv, goal });
                }
            }
        }
        paths
    }
}

/// All places that the player can get to in the company of `at`'s adversaries, if these stay, and
/// what the steps lead to there.
fn explore(dungeon: &Dungeon, mut at: State) -> Vec<(Place, Steps)> {
    let mut places = vec![Place {
        key: at.key,
        cell: at.players[0],
    }];
    let mut explored = Vec::new();
    while let Some(&place) = places.get(explored.len()) {
        at.key = place.key;
        at.players[0] = place.cell;
        let steps = Dir::ALL.map(|dir| {
            let walk = dungeon.follow(&at, Move::STAY.and(dir)?).ok()?;
            match walk.end {
                Some(Outcome::Escaped) => Some(Goal::Out),
                Some(Outcome::Caught(_)) => None,
                None => Some(number(
                    &mut places,
                    Place {
                        key: walk.key,
                        cell: walk.cell,
                    },
                )),
            }
        });
        explored.push((place, steps));
    }
    explored
}

/// The number of a place, a new one if it is new.
fn number(places: &mut Vec<Place>, place: Place) -> Goal {
    let known = places.iter().position(|&known| known == place);
    Goal::Place(known.unwrap_or_else(|| {
        places.push(place);
        places.len() - 1
    }) as u32)
}

/// The distance of where there is no way out.
const FAR: u32 = u32::MAX;

/// How many steps lead out from each place.
fn distances(explored: &[(Place, Steps)]) -> Vec<u32> {
    let mut distances = vec![FAR; explored.len()];
    loop {
        let mut changed = false;
        for (at, (_, steps)) in explored.iter().enumerate() {
            let through = |goal: &Goal| match goal {
                Goal::Out => 1,
                Goal::Place(to) => distances[*to as usize].saturating_add(1),
            };
            let distance = steps.iter().flatten().map(through).min().unwrap_or(FAR);
            changed |= distance < distances[at];
            distances[at] = distance.min(distances[at]);
        }
        if !changed {
            return distances;
        }
    }
}
