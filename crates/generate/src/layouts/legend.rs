//! Layouts for rulesets from outside this crate, made from their legends. They change boards but draw none. A variant that breaks
//! the rules is rejected when it is read.

use crate::layout::{Amount, Layout, Question};
use getaway_board::puzzle::legend::{Meaning, Sign};
use getaway_solvers::rulesets::Entry;

pub fn amounts(entry: &Entry) -> Vec<Amount> {
    let amount = |&(glyphs, meaning, word): &Sign| Amount {
        is_chaser: meaning == Meaning::Chaser,
        ..Amount::new(word, word, Some(glyphs.as_bytes()[0]))
    };
    let counts = |sign: &&Sign| matches!(sign.1, Meaning::Chaser | Meaning::Goal);
    let signs = entry.legend.signs();
    signs.iter().filter(counts).map(amount).collect()
}

pub fn layout<'a>(entry: &Entry, amounts: &'a [Amount]) -> Layout<'a> {
    let first = |wanted: Meaning| {
        let mut signs = entry.legend.signs().iter();
        let sign = signs.find(|(_, meaning, _)| *meaning == wanted);
        sign.map(|(glyphs, ..)| glyphs.as_bytes()[0])
    };
    let wall = first(Meaning::Wall);
    Layout {
        ruleset: entry.name,
        question: if entry.is_by_chance {
            Question::Chance
        } else {
            Question::Escape
        },
        amounts,
        floor: entry.legend.empty() as u8,
        runner: first(Meaning::Runner).unwrap_or_default(),
        wall: wall.unwrap_or_default(),
        walls: match wall {
            Some(_) => Layout::PLAIN.walls,
            None => |_, _| Vec::new(),
        },
        ..Layout::PLAIN
    }
}
