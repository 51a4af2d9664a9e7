//! Boards that many tests share.

use std::fmt::Write;

/// A board whose only line of play has four moves.
pub const STAIRS: &str = "\
#####
#o.##
##..#
###.#
";

pub const TRAP: &str = "\
###
#o#
###
";

pub const EXIT: &str = "\
###
#o#
#.#
";

/// A board on which the hero has no chasers and no way through the wall.
pub const WALLED: &str = "H+*\n";

pub const CORNERED: &str = "Hm+*\n";

/// Returns a board that takes minutes to solve: the hero can reach a hundred thousand cells, but not the ladder, and
/// hundreds of monsters move each turn.
pub fn endless() -> String {
    endless_of(400, 302)
}

pub fn endless_of(width: usize, height: usize) -> String {
    let (empty, almost) = (" ".repeat(width), " ".repeat(width - 1));
    let mut rows = vec![empty; height];
    rows[0] = format!("H{almost}");
    rows[height - 1] = format!("~{almost}");
    rows.extend([format!("{almost}*"), "+".repeat(width), "m".repeat(width)]);
    rows.join("\n")
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % sides
    }

    fn glyph(&mut self, glyphs: &str) -> char {
        let at = self.below(glyphs.len() as u64);
        glyphs.as_bytes()[usize::try_from(at).unwrap()] as char
    }
}

/// Returns random boards, some of them invalid.
pub fn random_boards(count: u64) -> String {
    let mut dice = Dice(1);
    let mut text = String::new();
    for number in 0..count {
        let (floor, hero, ladder) = match number % 4 {
            0 => ("       ++#mM~", 'H', '*'),
            _ => ("......####g", 'o', '.'),
        };
        let mut cells: Vec<char> = (0..49).map(|_| dice.glyph(floor)).collect();
        cells[48] = ladder;
        cells[usize::try_from(dice.below(48)).unwrap()] = hero;
        if dice.below(200) == 0 {
            cells[usize::try_from(dice.below(48)).unwrap()] = hero;
        }
        writeln!(text, "; name: number {number}\n; expect: escape").unwrap();
        for row in cells.chunks(7) {
            text.extend(row.iter().chain(&['\n']));
        }
        text += "\n";
    }
    text
}
