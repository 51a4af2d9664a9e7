//! Random boards, each determined by its seed.
#![allow(dead_code, reason = "each target uses only a part")]

use getaway_board::rng::Rng;

fn below(luck: &mut Rng, end: usize) -> usize {
    (luck.uniform() * end as f64) as usize
}

/// Chooses `count` different numbers below `end` at random.
fn some(luck: &mut Rng, end: usize, count: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..end).collect();
    for at in 0..count {
        let pick = at + below(luck, end - at);
        all.swap(at, pick);
    }
    all.truncate(count);
    all
}

fn drawing(cells: &[char], cols: usize) -> String {
    let mut text = String::with_capacity(cells.len() + cells.len() / cols + 1);
    for row in cells.chunks(cols) {
        text.extend(row);
        text.push('\n');
    }
    text.push('\n');
    text
}

/// Generates a 10x10 board with 0 to 6 ghosts and 0 to 40% solid cells.
pub fn jimmy(seed: u64) -> String {
    let luck = &mut Rng::new(seed);
    let solid = 0.4 * luck.uniform();
    let ghosts = below(luck, 7);
    let mut cells: Vec<char> = (0..100)
        .map(|_| if luck.uniform() < solid { '#' } else { '.' })
        .collect();
    let places = some(luck, 100, 1 + ghosts);
    for &place in &places[1..] {
        cells[place] = 'g';
    }
    cells[places[0]] = 'o';
    drawing(&cells, 10)
}

/// Generates a 10x10 board with one gap and one ghost, which is hard for a search that tracks visited cells.
pub fn one_gap(seed: u64) -> String {
    fenced(&mut Rng::new(seed), 10, 0.1, (1, 1))
}

/// Generates a `jimmy` board with 10% solid cells and three gaps in its border.
pub fn large(side: usize, ghosts: usize, seed: u64) -> String {
    fenced(&mut Rng::new(seed), side, 0.1, (3, ghosts))
}

fn fenced(luck: &mut Rng, side: usize, solid: f64, (gaps, ghosts): (usize, usize)) -> String {
    let is_border = |at: usize| {
        let (row, col) = (at / side, at % side);
        row == 0 || col == 0 || row + 1 == side || col + 1 == side
    };
    let wall = |at| is_border(at) || luck.uniform() < solid;
    let mut cells: Vec<char> = (0..side * side)
        .map(wall)
        .map(|w| if w { '#' } else { '.' })
        .collect();
    for gap in some(luck, side - 2, gaps) {
        let (row, col) = if below(luck, 2) == 0 {
            (0, gap + 1)
        } else {
            (gap + 1, 0)
        };
        cells[row * side + col] = '.';
    }
    let inside: Vec<usize> = (0..side * side).filter(|&at| !is_border(at)).collect();
    let places = some(luck, inside.len(), 1 + ghosts);
    for &place in &places[1..] {
        cells[inside[place]] = 'g';
    }
    cells[inside[places[0]]] = 'o';
    drawing(&cells, side)
}

pub struct Contents {
    rows: usize,
    cols: usize,
    baddies: [(char, usize); 3],
    abyss: usize,
}

/// The contents of the standard random board, as in the assignment that the rules of `baddies` come from.
pub const STANDARD: Contents = Contents {
    rows: 15,
    cols: 40,
    baddies: [('m', 4), ('M', 2), ('~', 2)],
    abyss: 50,
};

pub const WIDE: Contents = Contents {
    rows: 25,
    cols: 80,
    baddies: [('m', 8), ('M', 4), ('~', 4)],
    abyss: 200,
};

/// Generates a board with three walls between the hero and the ladder.
pub fn baddies(contents: &Contents, seed: u64) -> String {
    let Contents {
        rows,
        cols,
        baddies,
        abyss,
    } = *contents;
    let luck = &mut Rng::new(seed);
    let mut cells = vec![' '; rows * cols];
    cells[below(luck, rows) * cols + below(luck, 3)] = 'H';
    cells[below(luck, rows) * cols + cols - 3 + below(luck, 3)] = '*';
    let walls = loop {
        let walls = some(luck, cols - 6, 3);
        let far = |a: usize, b: usize| walls[a].abs_diff(walls[b]) >= 2;
        if far(0, 1) && far(0, 2) && far(1, 2) {
            break walls;
        }
    };
    let spans = [0..rows / 2, rows / 2..rows, rows / 4..3 * rows / 4];
    for (wall, span) in walls.iter().zip(spans) {
        for row in span {
            cells[row * cols + wall + 3] = '+';
        }
    }
    let between = |&at: &usize| cells[at] == ' ' && (3..cols - 3).contains(&(at % cols));
    let free: Vec<usize> = (0..rows * cols).filter(between).collect();
    let glyphs = baddies.into_iter().chain([('#', abyss)]);
    let glyphs = glyphs.flat_map(|(glyph, count)| std::iter::repeat_n(glyph, count));
    let count = abyss + baddies.iter().map(|(_, count)| count).sum::<usize>();
    for (place, glyph) in some(luck, free.len(), count).into_iter().zip(glyphs) {
        cells[free[place]] = glyph;
    }
    format!("; ruleset: baddies\n{}", drawing(&cells, cols))
}

pub fn maze(side: usize, foods: usize) -> String {
    let luck = &mut Rng::new(1);
    let mut cells: Vec<i64> = (0..side * side)
        .map(|_| if luck.uniform() < 0.2 { 5 } else { 0 })
        .collect();
    let places = some(luck, side * side, foods + 1);
    for &place in &places[1..] {
        cells[place] = -1;
    }
    cells[places[0]] = 2;
    let row = |row: &[i64]| {
        format!(
            "[{}]\n",
            row.iter()
                .map(i64::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        )
    };
    cells.chunks(side).map(row).collect::<String>() + "\n"
}

/// Returns a fixed 9 x 16 level with two ghosts; `key` is the glyph on the key's tile, `K` or floor.
pub fn dungeon(settings: &str, key: char) -> String {
    format!(
        "; ruleset: dungeon\n{settings}\n\
         ----------------\n\
         |P....|XX|.....|\n\
         |.....D..D..G..|\n\
         |..{key}..|XX|.....|\n\
         |.....|XX|.....|\n\
         ---D------..E..|\n\
         XXX..XXXX|..G..|\n\
         XXXX.....D.....|\n\
         XXXXXXXXX-------\n\n"
    )
}

pub const SETTINGS: [&str; 4] = [
    "; strategy: chase",
    "; strategy: cooldown",
    "; strategy: chase\n; radius: 4",
    "; strategy: cooldown\n; radius: 4\n; cooldown: 3",
];
