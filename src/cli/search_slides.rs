//! The steps of a search as slides for a page.

use std::collections::BTreeMap;

use getaway_board::puzzle::legend::Legend;
use getaway_play::explanation::{AStarStep, AStarSummary, OpenCell, SearchStep, SearchSummary};
use getaway_render::RenderError;
use getaway_render::slides::{Note, Slide};
use getaway_render::theme::Ink;
use getaway_solvers::answers::search_steps;

use super::one_board::Opened;

pub struct SearchSlides {
    /// The meaning of the notes in the cells.
    pub about: &'static str,
    pub slides: Vec<Slide>,
}

/// Returns a slide for each step of the search, and one or two for its result; `None` if there is no search.
pub fn slides(opened: &Opened) -> Result<Option<SearchSlides>, RenderError> {
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

const A_STAR: &str = "the search of the pseudocode: cost + distance to food in green for the cell taken, in yellow for one put in \
                      OPEN, in orange for one that waits there, and in grey for one visited";
const DEPTH_FIRST: &str = "a depth-first search: the number of the position taken in green on the runner's cell, and those of \
                           earlier positions in grey";

#[derive(Default)]
struct Builder {
    slides: Vec<Slide>,
    /// The approximate number of notes on all slides.
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
        let (count, rows) = match step {
            SearchStep::AStar(step) => (step.puts.len(), Vec::new()),
            SearchStep::DepthFirst(step) => (1, step.rows.clone()),
        };
        self.count += self.notes.len() + count;
        if self.count > MAX_NOTES {
            return;
        }
        match step {
            SearchStep::AStar(step) => self.note_a_star(step),
            // The runner's cell, if the step names it, shows the number of the position that the step takes.
            SearchStep::DepthFirst(step) => {
                if let Some(cell) = step.cell {
                    self.note(cell, step.state.to_string(), TAKEN);
                }
            }
        }
        let number = self.slides.len() as u64 + 1;
        let lines = search_steps::step(number, step, legend);
        let start = number.to_string();
        let first = lines
            .first()
            .map_or("", |line| line.trim_start_matches(&start));
        let mut lines = lines.iter().skip(1).map(|line| line.trim_start());
        let caption = match step {
            SearchStep::AStar(_) => lines.next().unwrap_or_default(),
            SearchStep::DepthFirst(_) => first.trim_start(),
        };
        self.slides.push(Slide {
            caption: format!("step {number}: {caption}"),
            says: lines.collect::<Vec<_>>().join("; "),
            notes: self.notes.values().cloned().collect(),
            rows,
        });
    }

    fn note_a_star(&mut self, step: &AStarStep) {
        let values = |open: &OpenCell| format!("{}+{}", open.cost, open.distance);
        let taken = &step.open[0];
        self.note(taken.cell, values(taken), TAKEN);
        for put in &step.puts {
            self.note(put.to.cell, values(&put.to), CHANGED);
        }
    }

    fn note(&mut self, at: (u32, u32), text: String, ink: Ink) {
        self.notes.insert(at, Note { at, text, ink });
    }

    fn finish(mut self, summary: &SearchSummary, legend: &Legend) -> SearchSlides {
        let shown = self.slides.len() as u64;
        let says = search_steps::summary(summary, shown, legend).join("; ");
        let about = match summary {
            SearchSummary::AStar(summary) => {
                self.add_paths(summary, &says);
                A_STAR
            }
            SearchSummary::DepthFirst(_) => {
                self.slides.push(Slide {
                    caption: "result".into(),
                    says,
                    notes: self.notes.into_values().collect(),
                    ..Slide::default()
                });
                DEPTH_FIRST
            }
        };
        SearchSlides {
            about,
            slides: self.slides,
        }
    }

    /// Adds a slide for the path of the pseudocode, and one for the path of a textbook A* if it differs.
    fn add_paths(&mut self, summary: &AStarSummary, says: &str) {
        let mut paths = vec![("the path of the pseudocode", &summary.path)];
        if summary.textbook_path != summary.path {
            paths.push(("the path of a textbook A*", &summary.textbook_path));
        }
        for (caption, path) in paths {
            let cells = (0_u32..).zip(path);
            self.slides.push(Slide {
                caption: caption.into(),
                says: says.to_owned(),
                notes: cells
                    .map(|(number, &at)| Note {
                        at,
                        text: number.to_string(),
                        ink: TAKEN,
                    })
                    .collect(),
                ..Slide::default()
            });
        }
    }
}
