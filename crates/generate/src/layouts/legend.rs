//! Layouts for rulesets from outside this crate, made from their legends. They change boards but draw none. A variant that breaks
//! the rules is rejected when it is read.

use crate::layout::{Amount, Layout, Plan, Question, Style};
use crate::sketch::Sketch;
use getaway_board::puzzle::legend::{Meaning, Sign};
use getaway_board::rng::Rng;
use getaway_solvers::rulesets::Entry;

/// The layout of a ruleset that is known by its legend alone.
pub struct ByLegend<'a>(Style<'a>);

impl Layout for ByLegend<'_> {
    fn style(&self) -> &Style<'_> {
        &self.0
    }

    fn draw(&self, _plan: &Plan, _rng: &mut Rng) -> Option<Sketch> {
        None
    }
}

/// Returns the chasers and goals of a ruleset.
pub fn amounts(entry: &Entry) -> Vec<Amount> {
    let amount = |&(glyphs, meaning, word): &Sign| Amount {
        is_chaser: meaning == Meaning::Chaser,
        ..Amount::new(word, word, Some(glyphs.as_bytes()[0]))
    };
    let counts = |sign: &&Sign| matches!(sign.1, Meaning::Chaser | Meaning::Goal);
    let signs = entry.legend.signs();
    signs.iter().filter(counts).map(amount).collect()
}

impl<'a> ByLegend<'a> {
    /// Returns the layout of a ruleset with these chasers and goals.
    pub fn new(entry: &'a Entry, amounts: &'a [Amount]) -> Self {
        let first = |wanted: Meaning| {
            let mut signs = entry.legend.signs().iter();
            let sign = signs.find(|(_, meaning, _)| *meaning == wanted);
            sign.map(|(glyphs, ..)| glyphs.as_bytes()[0])
        };
        Self(Style {
            ruleset: entry.name,
            question: if entry.is_by_chance {
                Question::Chance
            } else {
                Question::Escape
            },
            amounts,
            floor: entry.legend.empty() as u8,
            runner: first(Meaning::Runner).unwrap_or_default(),
            wall: first(Meaning::Wall),
            ..Style::PLAIN
        })
    }
}
