//! A layout for rulesets from outside, made from their legend.

use crate::generate::impossible::Impossible;
use crate::generate::layout::{Amount, Layout, Plan, Wall, fixed};
use crate::generate::sketch::{Mirror, Sketch};
use crate::puzzle::legend::{Meaning, Sign};
use crate::rng::Rng;
use crate::rulesets::Entry;

/// The layout of a ruleset that declares no layout: walls are added and removed, chasers and goals move. Variants that
/// break the rules are rejected when they are read.
pub struct ByLegend {
    ruleset: &'static str,
    floor: u8,
    runner: u8,
    wall: Option<u8>,
    amounts: Vec<Amount>,
}

impl ByLegend {
    /// The layout of this ruleset.
    pub fn new(entry: &Entry) -> Self {
        let signs = entry.legend.signs();
        let first = |wanted: Meaning| {
            let sign = signs.iter().find(|(_, meaning, _)| *meaning == wanted);
            sign.map(|(glyphs, ..)| glyphs.as_bytes()[0])
        };
        let amount = |&(glyphs, meaning, word): &Sign| Amount {
            name: word,
            one: word,
            glyph: Some(glyphs.as_bytes()[0]),
            is_chaser: meaning == Meaning::Chaser,
            allowed: (0, usize::MAX),
            by_default: fixed::<1, 1>,
        };
        let counts = |sign: &&Sign| matches!(sign.1, Meaning::Chaser | Meaning::Goal);
        Self {
            ruleset: entry.name,
            floor: entry.legend.empty() as u8,
            runner: first(Meaning::Runner).unwrap_or_default(),
            wall: first(Meaning::Wall),
            amounts: signs.iter().filter(counts).map(amount).collect(),
        }
    }
}

impl Layout for ByLegend {
    fn ruleset(&self) -> &'static str {
        self.ruleset
    }

    fn amounts(&self) -> &[Amount] {
        &self.amounts
    }

    fn size(&self) -> (usize, usize) {
        self.least_size()
    }

    fn floor(&self) -> u8 {
        self.floor
    }

    fn runner(&self) -> u8 {
        self.runner
    }

    fn has_free_walls(&self) -> bool {
        self.wall.is_some()
    }

    fn refuse(&self, _plan: &Plan) -> Result<(), Impossible> {
        Err(Impossible::NoLayout(self.ruleset.to_owned()))
    }

    fn draw(&self, _plan: &Plan, _rng: &mut Rng) -> Option<Sketch> {
        None
    }

    fn walls(&self, sketch: &Sketch) -> Vec<Wall> {
        let Some(closed) = self.wall else {
            return Vec::new();
        };
        let open = self.floor;
        let cells = sketch.grid().cells();
        let places = cells.filter(|&cell| [open, closed].contains(&sketch.at(cell)));
        places.map(|at| Wall { at, open, closed }).collect()
    }

    fn mirrors(&self, _sketch: &Sketch) -> &'static [Mirror] {
        &[]
    }
}
