//! A naive implementation of the rules, without code of the library.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub type At = (i32, i32);

pub struct Board(Vec<Vec<char>>);

impl Board {
    pub fn new(rows: &[String]) -> Self {
        Self(rows.iter().map(|row| row.chars().collect()).collect())
    }

    fn all(&self, glyph: char) -> Vec<At> {
        let mut found = Vec::new();
        for (row, text) in (0..).zip(&self.0) {
            for (col, &c) in (0..).zip(text) {
                if c == glyph {
                    found.push((row, col));
                }
            }
        }
        found
    }

    fn get(&self, (row, col): At) -> Option<char> {
        let row = self.0.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(col).ok()?).copied()
    }

    fn is_border(&self, (row, col): At) -> bool {
        let (rows, cols) = (self.0.len() as i32, self.0[0].len() as i32);
        row == 0 || col == 0 || row == rows - 1 || col == cols - 1
    }
}

/// Returns the length of Jimmy's shortest escape by trying all walks; fails after too many steps.
pub fn jimmy(board: &Board) -> Result<Option<usize>, ()> {
    let start = board.all('o')[0];
    if board.is_border(start) {
        return Ok(Some(0));
    }
    let mut budget = 300_000;
    let mut best = None;
    walk(
        board,
        &mut vec![start],
        &board.all('g'),
        (&mut budget, &mut best),
    );
    if budget == 0 { Err(()) } else { Ok(best) }
}

fn walk(
    board: &Board,
    path: &mut Vec<At>,
    ghosts: &[At],
    (budget, best): (&mut u32, &mut Option<usize>),
) {
    let jimmy = *path.last().unwrap();
    let ghosts: Vec<At> = ghosts
        .iter()
        .map(|&(row, col)| {
            if col == jimmy.1 {
                (row + (jimmy.0 - row).signum(), col)
            } else {
                (row, col + (jimmy.1 - col).signum())
            }
        })
        .collect();
    if ghosts.contains(&jimmy) || *budget == 0 || best.is_some_and(|best| path.len() >= best) {
        return;
    }
    *budget -= 1;
    for (row, col) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
        let to = (jimmy.0 + row, jimmy.1 + col);
        let open = board.get(to).is_some_and(|glyph| glyph != '#');
        if !open || path.contains(&to) || ghosts.contains(&to) {
            continue;
        }
        if board.is_border(to) {
            *best = Some(best.map_or(path.len(), |best| best.min(path.len())));
            continue;
        }
        path.push(to);
        walk(board, path, &ghosts, (budget, best));
        path.pop();
    }
}

#[derive(Debug, PartialEq, Eq)]
pub enum Fate {
    /// The hero escapes in this minimum number of moves.
    Escape(usize),
    /// The hero can't escape; true if he can survive forever.
    Caught(bool),
}

type Baddies = Vec<(At, char)>;

pub fn baddies(board: &Board) -> Fate {
    let hero = board.all('H')[0];
    let mut all: Baddies = Vec::new();
    for kind in ['m', 'M', '~'] {
        all.extend(board.all(kind).into_iter().map(|at| (at, kind)));
    }
    all.sort_unstable();
    let start = (hero, all);
    let mut edges: BTreeMap<(At, Baddies), BTreeSet<(At, Baddies)>> = BTreeMap::new();
    let mut queue = VecDeque::from([(start.clone(), 0)]);
    while let Some((state, turns)) = queue.pop_front() {
        if edges.contains_key(&state) {
            continue;
        }
        let mut next = BTreeSet::new();
        for row in -1..=1 {
            for col in -1..=1 {
                match round(board, &state, (row, col)) {
                    Round::Out => return Fate::Escape(turns + 1),
                    Round::Lost => {}
                    Round::On(state) => {
                        queue.push_back((state.clone(), turns + 1));
                        next.insert(state);
                    }
                }
            }
        }
        edges.insert(state, next);
    }
    // The loop removes positions in which every move loses. In the remaining ones he can survive forever.
    loop {
        let lost: Vec<_> = edges
            .iter()
            .filter(|(_, to)| to.is_empty())
            .map(|(at, _)| at.clone())
            .collect();
        if lost.is_empty() {
            return Fate::Caught(edges.contains_key(&start));
        }
        for at in &lost {
            edges.remove(at);
            for to in edges.values_mut() {
                to.remove(at);
            }
        }
    }
}

enum Round {
    Out,
    Lost,
    On((At, Baddies)),
}

fn land(board: &Board, from: At, change: At, blocking: &str) -> At {
    let row = if board.get((from.0 + change.0, from.1)).is_some() {
        change.0
    } else {
        0
    };
    let col = if board.get((from.0, from.1 + change.1)).is_some() {
        change.1
    } else {
        0
    };
    let blocks = |at: At| blocking.contains(board.get(at).unwrap());
    match () {
        () if !blocks((from.0 + row, from.1 + col)) => (from.0 + row, from.1 + col),
        () if !blocks((from.0 + row, from.1)) => (from.0 + row, from.1),
        () => from,
    }
}

fn round(board: &Board, (hero, baddies): &(At, Baddies), key: At) -> Round {
    let hero = land(board, *hero, key, "+");
    match board.get(hero) {
        Some('*') => return Round::Out,
        Some('#') => return Round::Lost,
        _ => {}
    }
    let mut all: Vec<Option<(At, char)>> = baddies.iter().copied().map(Some).collect();
    if all.iter().flatten().any(|&(at, _)| at == hero) {
        return Round::Lost;
    }
    for turn in 0..all.len() {
        let (at, kind) = all[turn].unwrap();
        let (rows, cols) = (hero.0 - at.0, hero.1 - at.1);
        let change = match kind {
            'm' => (rows.signum(), cols.signum()),
            'M' => (2 * rows.signum(), 2 * cols.signum()),
            _ => (0, cols),
        };
        let to = land(board, at, change, "+*");
        if to == hero {
            return Round::Lost;
        }
        if board.get(to) == Some('#') {
            all[turn] = None;
        } else if !all.iter().flatten().any(|&(other, _)| other == to) {
            all[turn] = Some((to, kind));
        }
    }
    let mut left: Baddies = all.into_iter().flatten().collect();
    left.sort_unstable();
    Round::On((hero, left))
}
