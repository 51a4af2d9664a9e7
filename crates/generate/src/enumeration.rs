//! Tries all boards of a plan. This is possible at the smallest sizes, and finds rare boards or proves that no board meets the
//! criteria.

use std::ops::RangeInclusive;

use super::judge::{Judge, Judged, Observer};
use super::layout::{Canvas, CanvasCell, Layout, Plan, Question, ThingKind, WallKind};
use super::sketch::Sketch;
use getaway_board::limits::Limit;
use getaway_rules::maze::WALL_LETTERS;

/// The result of trying all boards of a plan.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// The number of boards tried, without equivalent mirror images.
    pub tried: u64,
    /// The boards with the least [`Judged::dullness`] among those that meet the criteria, at most [`MAX_BEST`].
    pub best: Vec<Judged>,
}

impl Enumeration {
    /// Tries every board; returns `None` if none can be listed, there are too many, or the answer to one of them stays open.
    ///
    /// # Errors
    ///
    /// Returns the limit on time that was reached, or the interruption.
    pub fn run(judge: &Judge, observer: &Observer) -> Result<Option<Self>, Limit> {
        let (layout, plan) = (judge.meter.layout, &judge.plan);
        let max = max_boards(layout.style().question);
        let mut count = 0;
        let counted = every(layout, plan, &mut |_| {
            count += 1;
            if count > max { Err(()) } else { Ok(()) }
        });
        if count == 0 || counted.is_err() {
            return Ok(None);
        }
        let mut enumeration = Self {
            tried: 0,
            best: Vec::new(),
        };
        let add = &mut |sketch: &Sketch| enumeration.add(judge, sketch, observer);
        match every(layout, plan, add) {
            Ok(()) => Ok(Some(enumeration)),
            Err(Limit::States | Limit::Memory) => Ok(None),
            Err(limit) => Err(limit),
        }
    }

    fn add(&mut self, judge: &Judge, sketch: &Sketch, observer: &Observer) -> Result<(), Limit> {
        judge.meter.limits.check_time()?;
        self.tried += 1;
        if let Some(judged) = judge.meets(sketch.clone())? {
            let dullness = self
                .best
                .first()
                .map_or(f64::INFINITY, |best| best.dullness);
            if judged.dullness < dullness {
                self.best.clear();
            }
            if judged.dullness <= dullness && self.best.len() < MAX_BEST {
                self.best.push(judged);
            }
        }
        observer(1, None);
        Ok(())
    }
}

/// The maximum number of boards to try. A game of chance takes long to solve.
const fn max_boards(question: Question) -> u64 {
    match question {
        Question::Chance => 20_000,
        Question::Escape | Question::Food => 2_000_000,
    }
}

/// The maximum number of boards to keep.
const MAX_BEST: usize = 10_000;

/// The maximum number of places on a canvas. More places have too many fillings to try.
const MAX_PLACES: usize = 24;

/// Passes each board of the plan to `then`, one of each set of equivalent mirror images, until `then` fails. Does nothing if
/// the layout has no canvas for this plan, or one with more than [`MAX_PLACES`] places.
fn every<E>(
    layout: &dyn Layout,
    plan: &Plan,
    then: &mut dyn FnMut(&Sketch) -> Result<(), E>,
) -> Result<(), E> {
    let canvas = layout
        .canvas(plan)
        .filter(|canvas| canvas.places.len() <= MAX_PLACES);
    let Some(Canvas { mut sketch, places }) = canvas else {
        return Ok(());
    };
    let mut filling = Filling {
        kinds: kinds(layout, plan),
        layout,
        places: &places,
        then,
    };
    filling.fill(0, &mut sketch)
}

struct Filling<'a, E> {
    layout: &'a dyn Layout,
    places: &'a [CanvasCell],
    kinds: Vec<Quota>,
    then: &'a mut dyn FnMut(&Sketch) -> Result<(), E>,
}

impl<E> Filling<'_, E> {
    fn fill(&mut self, at: usize, sketch: &mut Sketch) -> Result<(), E> {
        let places = self.places;
        let missing: usize = self.kinds.iter().map(Quota::missing).sum();
        let can_hold =
            |place: &&CanvasCell| place.glyphs.iter().any(|&glyph| self.kind(glyph).is_some());
        // The missing things must still fit on the places that are left.
        if missing > places[at..].iter().filter(can_hold).count() {
            return Ok(());
        }
        let Some(CanvasCell { cell, glyphs }) = places.get(at) else {
            let symmetries = self.layout.symmetries(sketch);
            return if sketch.is_canonical(symmetries) {
                (self.then)(sketch)
            } else {
                Ok(())
            };
        };
        let empty = sketch.at(*cell);
        for &glyph in glyphs {
            if !self.is_next(glyph, sketch) {
                continue;
            }
            let kind = self.kind(glyph);
            if let Some(kind) = kind {
                let Quota { range, placed, .. } = &mut self.kinds[kind];
                if *placed == *range.end() {
                    continue;
                }
                *placed += 1;
            }
            sketch.put(*cell, glyph);
            self.fill(at + 1, sketch)?;
            sketch.put(*cell, empty);
            if let Some(kind) = kind {
                self.kinds[kind].placed -= 1;
            }
        }
        Ok(())
    }

    fn kind(&self, glyph: u8) -> Option<usize> {
        let mut kinds = self.kinds.iter();
        kinds.position(|kind| kind.glyphs.contains(&glyph))
    }

    /// Returns whether a glyph can be placed: the letter of a moving wall only if all letters before it are on the board, and its
    /// moving end only once.
    fn is_next(&self, glyph: u8, sketch: &Sketch) -> bool {
        if self.layout.style().kind_of_walls != WallKind::Long || !is_wall(glyph) {
            return true;
        }
        let is_used = |head: u8| sketch.count(head) + sketch.count(head.to_ascii_lowercase()) > 0;
        let head = glyph.to_ascii_uppercase();
        let mut before = WALL_LETTERS.iter().take_while(|&&letter| letter < head);
        (glyph != head || sketch.count(head) == 0) && before.all(|&letter| is_used(letter))
    }
}

fn is_wall(glyph: u8) -> bool {
    WALL_LETTERS.contains(&glyph.to_ascii_uppercase())
}

/// A kind of thing, with the range of its number and the number placed so far.
struct Quota {
    glyphs: Vec<u8>,
    range: RangeInclusive<usize>,
    placed: usize,
}

impl Quota {
    fn missing(&self) -> usize {
        self.range.start().saturating_sub(self.placed)
    }
}

fn kinds(layout: &dyn Layout, plan: &Plan) -> Vec<Quota> {
    let style = layout.style();
    let glyphs = |amount: &ThingKind| match amount.glyph {
        Some(glyph) => vec![glyph],
        None if style.kind_of_walls == WallKind::Long => WALL_LETTERS.to_vec(),
        None => Vec::new(),
    };
    let runners = (vec![style.runner], plan.players..=plan.players);
    let amounts = style.amounts.iter().map(glyphs);
    let counted = amounts.zip(plan.amounts.iter().cloned()).chain([runners]);
    let kinds = counted.filter(|(glyphs, _)| !glyphs.is_empty());
    let kind = |(glyphs, range)| Quota {
        glyphs,
        range,
        placed: 0,
    };
    kinds.map(kind).collect()
}
