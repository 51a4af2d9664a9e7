//! The steps of a search as slides for a page.

use std::collections::BTreeMap;

use getaway_board::puzzle::legend::Legend;
use getaway_play::explanation::{OpenCell, SearchStep, SearchSummary};
use getaway_render::RenderError;
use getaway_render::slides::{Note, Slide};
use getaway_render::theme::Ink;
use getaway_solvers::answers::search_steps;

use super::one_board::Opened;

/// Returns a slide for each step of the search that the rules prescribe, and one for its result; `None` if they prescribe none.
pub fn slides(opened: &Opened) -> Result<Option<Vec<Slide>>, RenderError> {
    let legend = &opened.ruleset.legend;
    let mut builder = Builder::default();
    let limits = opened.plan().limits;
    let traced = opened
        .game
        .trace_search(u64::MAX, &limits, &mut |step| builder.add(&step, legend))?;
    if builder.count > MAX_NOTES {
        return Err(RenderError::TooMuchText);
    }
    Ok(traced.map(|summary| builder.finish(&summary, legend)))
}

/// More notes would exceed [`RenderError::MAX_BYTES`] in any case.
const MAX_NOTES: usize = RenderError::MAX_BYTES as usize / 256;

#[derive(Default)]
struct Builder {
    slides: Vec<Slide>,
    /// The number of notes on all slides.
    count: usize,
    /// The latest note in each cell.
    notes: BTreeMap<(u32, u32), Note>,
}

const TAKEN: Ink = Ink::Runner;
const WAITING: Ink = Ink::Goal;
const CHANGED: Ink = Ink::Catch;
const VISITED: Ink = Ink::Void;

impl Builder {
    fn add(&mut self, step: &SearchStep, legend: &Legend) {
        for note in self.notes.values_mut() {
            note.ink = match note.ink {
                TAKEN => VISITED,
                CHANGED => WAITING,
                ink => ink,
            };
        }
        self.count += self.notes.len() + step.puts.len();
        if self.count > MAX_NOTES {
            return;
        }
        self.note(&step.open[0], TAKEN);
        step.puts.iter().for_each(|put| self.note(&put.to, CHANGED));
        let number = self.slides.len() as u64 + 1;
        let lines = search_steps::step(number, step, legend);
        let mut lines = lines.iter().skip(1).map(|line| line.trim_start());
        self.slides.push(Slide {
            caption: format!("step {number}: {}", lines.next().unwrap_or_default()),
            says: lines.collect::<Vec<_>>().join("; "),
            notes: self.notes.values().cloned().collect(),
        });
    }

    fn note(&mut self, open: &OpenCell, ink: Ink) {
        let note = Note {
            at: open.cell,
            text: format!("{}+{}", open.cost, open.distance),
            ink,
        };
        self.notes.insert(open.cell, note);
    }

    /// Adds the paths: first that of the pseudocode, then that of a textbook A* if it differs.
    fn finish(mut self, summary: &SearchSummary, legend: &Legend) -> Vec<Slide> {
        let mut paths = vec![("the path of the pseudocode", &summary.path)];
        if summary.textbook_path != summary.path {
            paths.push(("the path of a textbook A*", &summary.textbook_path));
        }
        for (caption, path) in paths {
            let cells = (0_u32..).zip(path);
            self.slides.push(Slide {
                caption: caption.into(),
                says: search_steps::summary(summary, legend).join("; "),
                notes: cells
                    .map(|(number, &at)| Note {
                        at,
                        text: number.to_string(),
                        ink: TAKEN,
                    })
                    .collect(),
            });
        }
        self.slides
    }
}
