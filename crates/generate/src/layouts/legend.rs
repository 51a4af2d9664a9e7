//! Layouts for rulesets that are not built in, made from their legends. They can vary existing boards, but not draw new ones. A
//! variant that breaks the rules is rejected when it is read.

use crate::layout::{Layout, Plan, Question, Style, ThingKind};
use crate::sketch::Sketch;
use getaway_board::puzzle::legend::{LegendEntry, Meaning};
use getaway_board::rng::Rng;
use getaway_solvers::rulesets::Entry;

/// A layout made from a ruleset's legend, for a ruleset without a layout of its own.
pub struct ByLegend {
    entry: &'static Entry,
    /// The chasers and goals.
    amounts: Vec<ThingKind>,
}

impl ByLegend {
    pub fn new(entry: &'static Entry) -> Self {
        let amount = |&(glyphs, meaning, word): &LegendEntry| ThingKind {
            is_chaser: meaning == Meaning::Chaser,
            ..ThingKind::new(word, word, Some(glyphs.as_bytes()[0]))
        };
        let counts = |sign: &&LegendEntry| matches!(sign.1, Meaning::Chaser | Meaning::Goal);
        let signs = entry.legend.signs().iter().filter(counts);
        Self {
            entry,
            amounts: signs.map(amount).collect(),
        }
    }
}

impl Layout for ByLegend {
    fn style(&self) -> Style<'_> {
        let first = |meaning| Some(self.entry.legend.first(meaning)? as u8);
        Style {
            ruleset: self.entry.name,
            question: if self.entry.is_by_chance {
                Question::Chance
            } else {
                Question::Escape
            },
            amounts: &self.amounts,
            floor: self.entry.legend.empty() as u8,
            runner: first(Meaning::Runner).unwrap_or_default(),
            wall: first(Meaning::Wall),
            ..Style::PLAIN
        }
    }

    fn draw(&self, _plan: &Plan, _rng: &mut Rng) -> Option<Sketch> {
        None
    }
}
