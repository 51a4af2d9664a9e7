//! A port of `naive.py`, independent of the program: `naive FILE` prints the answer for one board.

use std::collections::{BTreeMap, BTreeSet, HashSet};

type At = (i32, i32);

const STEPS: [At; 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

struct Board {
    glyphs: BTreeMap<At, char>,
    height: i32,
    width: i32,
}

impl Board {
    fn new(rows: &[&str]) -> Self {
        let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let mut glyphs = BTreeMap::new();
        for (r, row) in rows.iter().enumerate() {
            let padded = row.chars().chain(std::iter::repeat(' ')).take(width);
            glyphs.extend(
                padded
                    .enumerate()
                    .map(|(c, glyph)| ((r as i32, c as i32), glyph)),
            );
        }
        Self {
            glyphs,
            height: rows.len() as i32,
            width: width as i32,
        }
    }

    fn find(&self, glyphs: &str) -> BTreeSet<At> {
        let found = self
            .glyphs
            .iter()
            .filter(|(_, glyph)| glyphs.contains(**glyph));
        found.map(|(&at, _)| at).collect()
    }

    fn first(&self, glyphs: &str) -> At {
        *self.find(glyphs).first().expect("the board has one")
    }
}

fn jimmy(board: &Board) -> bool {
    let solid = board.find("#");
    let start = board.first("o");
    let mut stack = vec![(start, board.find("g"), BTreeSet::from([start]))];
    while let Some((at, ghosts, visited)) = stack.pop() {
        if at.0 == 0 || at.1 == 0 || at.0 == board.height - 1 || at.1 == board.width - 1 {
            return true;
        }
        let moved: BTreeSet<At> = ghosts
            .iter()
            .map(|&(r, c)| match (at.1 - c).signum() {
                0 => (r + (at.0 - r).signum(), c),
                right => (r, c + right),
            })
            .collect();
        if moved.contains(&at) {
            continue;
        }
        for (down, right) in STEPS {
            let to = (at.0 + down, at.1 + right);
            if ![&solid, &visited, &moved]
                .iter()
                .any(|taken| taken.contains(&to))
            {
                let mut visited = visited.clone();
                visited.insert(to);
                stack.push((to, moved.clone(), visited));
            }
        }
    }
    false
}

type Pack = Vec<(At, char)>;

struct Baddies<'b> {
    board: &'b Board,
    walls: BTreeSet<At>,
    blocking: BTreeSet<At>,
    abyss: BTreeSet<At>,
}

impl Baddies<'_> {
    fn land(&self, at: At, (down, right): At, blocking: &BTreeSet<At>) -> At {
        let within = |from: i32, change: i32, size: i32| {
            if (0..size).contains(&(from + change)) {
                from + change
            } else {
                from
            }
        };
        let row = within(at.0, down, self.board.height);
        let col = within(at.1, right, self.board.width);
        let aims = [(row, col), (row, at.1)];
        aims.into_iter()
            .find(|to| !blocking.contains(to))
            .unwrap_or(at)
    }

    /// Moves the baddies; returns `None` if one of them catches the hero.
    fn chase(&self, hero: At, pack: &Pack) -> Option<Pack> {
        let mut taken: BTreeSet<At> = pack.iter().map(|&(at, _)| at).collect();
        let mut after = Pack::new();
        for &(at, kind) in pack {
            let (rows, cols) = (hero.0 - at.0, hero.1 - at.1);
            let change = match kind {
                'm' => (rows.signum(), cols.signum()),
                'M' => (2 * rows.signum(), 2 * cols.signum()),
                _ => (0, cols),
            };
            let to = self.land(at, change, &self.blocking);
            if to == hero {
                return None;
            }
            if self.abyss.contains(&to) {
                taken.remove(&at);
                continue;
            }
            let to = if taken.contains(&to) { at } else { to };
            taken.remove(&at);
            taken.insert(to);
            after.push((to, kind));
        }
        after.sort_unstable();
        Some(after)
    }
}

fn baddies(board: &Board) -> bool {
    let (walls, ladders) = (board.find("+"), board.find("*"));
    let blocking = walls.union(&ladders).copied().collect();
    let game = Baddies {
        board,
        walls,
        blocking,
        abyss: board.find("#"),
    };
    let pack: Pack = board
        .find("mM~")
        .iter()
        .map(|at| (*at, board.glyphs[at]))
        .collect();
    let start = (board.first("H"), pack);
    let mut seen = HashSet::from([start.clone()]);
    let mut stack = vec![start];
    while let Some((hero, pack)) = stack.pop() {
        for change in (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right))) {
            let to = game.land(hero, change, &game.walls);
            if ladders.contains(&to) {
                return true;
            }
            if game.abyss.contains(&to) || pack.iter().any(|&(at, _)| at == to) {
                continue;
            }
            if let Some(after) = game.chase(to, &pack) {
                if seen.insert((to, after.clone())) {
                    stack.push((to, after));
                }
            }
        }
    }
    false
}

fn theseus(board: &Board) -> bool {
    let cell = |(r, c): At| (2 * r + 1, 2 * c + 1);
    let place = |glyphs: &str| -> Vec<At> {
        let inside = board
            .find(glyphs)
            .into_iter()
            .filter(|at| at.0 % 2 == 1 && at.1 % 2 == 1);
        inside.map(|(r, c)| (r / 2, c / 2)).collect()
    };
    let exits = place("Etm");
    let step = |at: At, (down, right): At| {
        let (to, (r, c)) = ((at.0 + down, at.1 + right), cell(at));
        let is_free = |place: At| board.glyphs.get(&place).is_some_and(|&glyph| glyph == ' ');
        let is_cell = board
            .glyphs
            .get(&cell(to))
            .is_some_and(|&glyph| glyph != '#');
        (is_cell && is_free((r + down, c + right))).then_some(to)
    };
    let chase = |hero: At, mut at: At| {
        for _ in 0..2 {
            let ways = [(0, (hero.1 - at.1).signum()), ((hero.0 - at.0).signum(), 0)];
            let mut steps = ways.into_iter().filter(|&way| way != (0, 0));
            at = steps.find_map(|way| step(at, way)).unwrap_or(at);
            if at == hero {
                return None;
            }
        }
        Some(at)
    };
    let start = (place("Tt")[0], place("Mm")[0]);
    if exits.contains(&start.0) {
        return true;
    }
    let (mut stack, mut seen) = (vec![start], HashSet::from([start]));
    while let Some((hero, at)) = stack.pop() {
        let steps = STEPS.iter().filter_map(|&way| step(hero, way));
        for to in std::iter::once(hero).chain(steps).filter(|&to| to != at) {
            if exits.contains(&to) {
                return true;
            }
            if let Some(after) = chase(to, at) {
                if seen.insert((to, after)) {
                    stack.push((to, after));
                }
            }
        }
    }
    false
}

fn main() {
    let path = std::env::args().nth(1).expect("naive FILE");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let rows: Vec<&str> = text
        .lines()
        .filter(|l| !l.starts_with(';') && !l.is_empty())
        .collect();
    let board = Board::new(&rows);
    let escapes = match () {
        () if text.contains("ruleset: jimmy") => jimmy(&board),
        () if text.contains("ruleset: baddies") => baddies(&board),
        () => theseus(&board),
    };
    println!("{}", if escapes { "escape" } else { "caught" });
}
