//! Small random boards.

use getaway_board::rng::Rng;

pub fn random(
    (rows, cols): (usize, usize),
    glyphs: &[(char, f64)],
    runner: char,
    rng: &mut Rng,
) -> Vec<Vec<char>> {
    let all: f64 = glyphs.iter().map(|(_, weight)| weight).sum();
    let mut draw = || {
        let mut lot = rng.uniform() * all;
        let found = glyphs.iter().find(|(_, weight)| {
            lot -= weight;
            lot < 0.0
        });
        found.unwrap_or(&glyphs[0]).0
    };
    let mut drawing: Vec<Vec<char>> = (0..rows)
        .map(|_| (0..cols).map(|_| draw()).collect())
        .collect();
    let place = (rng.uniform() * (rows * cols) as f64) as usize;
    drawing[place / cols][place % cols] = runner;
    drawing
}

pub fn text(ruleset: &str, drawing: &[Vec<char>]) -> String {
    let rows: String = drawing
        .iter()
        .map(|row| row.iter().collect::<String>() + "\n")
        .collect();
    format!("; ruleset: {ruleset}\n{rows}")
}

/// Generates boards of `jimmy`. In every fourth one, Jimmy may revisit cells.
pub fn jimmy(seed: u64, boards: usize) -> impl Iterator<Item = String> {
    let mut rng = Rng::new(seed);
    (0..boards).map(move |number| {
        let glyphs = [('.', 0.75), ('#', 0.17), ('g', 0.08)];
        let mut drawing = random((5, 6), &glyphs, '.', &mut rng);
        drawing[2][1 + number % 4] = 'o';
        for (at, row) in drawing.iter_mut().enumerate() {
            let is_end = at == 0 || at == 4;
            let cells = row.iter_mut().enumerate();
            for (_, cell) in cells.filter(|(col, _)| is_end || col % 5 == 0) {
                if *cell == '.' && rng.uniform() < 0.9 {
                    *cell = '#';
                }
            }
        }
        let header = if number.is_multiple_of(4) {
            "; revisit: true\n"
        } else {
            ""
        };
        header.to_owned() + &text("jimmy", &drawing)
    })
}

pub fn baddies(seed: u64, boards: usize) -> impl Iterator<Item = String> {
    let mut rng = Rng::new(seed);
    (0..boards).map(move |_| {
        let glyphs = [
            (' ', 0.72),
            ('+', 0.1),
            ('#', 0.06),
            ('m', 0.05),
            ('M', 0.04),
            ('~', 0.03),
        ];
        let mut drawing = random((4, 6), &glyphs, 'H', &mut rng);
        drawing[3][5] = '*';
        text("baddies", &drawing)
    })
}

/// Generates mazes of `theseus`. In every other one the exit is guarded; some lack Theseus or the exit.
pub fn theseus(seed: u64, boards: usize) -> impl Iterator<Item = String> {
    let mut rng = Rng::new(seed);
    (0..boards).map(move |number| {
        let mut drawing = vec![vec![' '; 11]; 9];
        for (row, cells) in drawing.iter_mut().enumerate() {
            for (col, cell) in cells.iter_mut().enumerate() {
                let is_frame = row % 8 == 0 || col % 10 == 0;
                *cell = match (row % 2, col % 2) {
                    (0, 0) => '+',
                    (0, _) if is_frame || rng.uniform() < 0.3 => '-',
                    (_, 0) if is_frame || rng.uniform() < 0.3 => '|',
                    (1, 1) => '.',
                    _ => ' ',
                };
            }
        }
        for glyph in ['T', 'E', 'M'] {
            let place = (rng.uniform() * 20.0) as usize;
            drawing[1 + 2 * (place / 5)][1 + 2 * (place % 5)] = glyph;
        }
        let exit = ["safe", "guarded"][number % 2];
        format!("; exit: {exit}\n{}", text("theseus", &drawing))
    })
}

/// Generates levels of two rooms joined by a door, with one or two adversaries; two in five have a key.
pub fn dungeons(seed: u64, boards: usize) -> impl Iterator<Item = String> {
    let mut rng = Rng::new(seed);
    (0..boards).map(move |number| {
        let mut drawing: Vec<Vec<char>> = ["-------", "|  |  |", "|  D  |", "|  |  |", "-------"]
            .map(|row| row.chars().collect())
            .to_vec();
        let actors = ["PEG", "PEZ", "PEKG", "PEKZ", "PEGZ"];
        for actor in actors[number % actors.len()].chars() {
            loop {
                let row = 1 + (rng.uniform() * 3.0) as usize;
                let col = 1 + (rng.uniform() * 5.0) as usize;
                if drawing[row][col] == ' ' {
                    drawing[row][col] = actor;
                    break;
                }
            }
        }
        let text = text("dungeon", &drawing);
        let strategy = if number.is_multiple_of(2) {
            "chase"
        } else {
            "cooldown"
        };
        text.replacen(
            '\n',
            &format!("\n; strategy: {strategy}\n; cooldown: 2\n"),
            1,
        )
    })
}
