//! A histogram with bars of text, in lines of 80 characters.

use super::table::{Side, table};
use getaway_solvers::answers::words::{count, grouped};

const BARS: usize = 20;
const LONGEST: usize = 50;

pub fn text(name: &str, values: &[Option<f64>]) -> String {
    let mut numbers: Vec<f64> = values.iter().copied().flatten().collect();
    numbers.sort_by(f64::total_cmp);
    let text = match (numbers.first(), numbers.last()) {
        (Some(&least), Some(&greatest)) => bars(name, &numbers, [least, greatest]),
        _ => String::new(),
    };
    match (values.len() - numbers.len()) as u64 {
        0 => text,
        missing => format!("{text}{} without {name}\n", count(missing, "board")),
    }
}

/// The scale of the values: bar `i` starts at `(first + i) * step`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Scale {
    step: f64,
    first: f64,
    is_whole: bool,
}

impl Scale {
    /// Chooses the finest step of 1, 2, 5, 10, ... with at most [`BARS`] bars. Only fractions have steps below 1.
    fn of([least, greatest]: [f64; 2], is_whole: bool) -> Self {
        let powers = (-9..=40).map(|power| 10_f64.powi(power));
        let steps = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * power));
        let mut scales = steps.map(|step| Self {
            step,
            first: (least / step).floor(),
            is_whole,
        });
        let fits = |scale: &Self| scale.bar(greatest) < BARS && (!is_whole || scale.step >= 1.0);
        scales.find(fits).expect("no measure exceeds 10^40")
    }

    fn bar(&self, number: f64) -> usize {
        ((number / self.step).floor() - self.first) as usize
    }

    fn label(&self, bar: usize) -> String {
        let places = (-self.step.log10().floor()).clamp(0.0, 9.0) as usize;
        let start = (self.first + bar as f64) * self.step;
        let end = start + self.step;
        match self.is_whole {
            true if end - 1.0 <= start => format!("{start}"),
            true => format!("{start}..{}", end - 1.0),
            false => format!("{start:.places$}..{end:.places$}"),
        }
    }
}

fn bars(name: &str, numbers: &[f64], [least, greatest]: [f64; 2]) -> String {
    let is_whole = numbers.iter().all(|number| number.fract() == 0.0);
    let scale = Scale::of([least, greatest], is_whole);
    let mut heights = vec![0_usize; scale.bar(greatest) + 1];
    for &number in numbers {
        heights[scale.bar(number)] += 1;
    }
    let highest = heights.iter().copied().max().unwrap_or(1);
    let columns = [
        (name, Side::Right),
        ("boards", Side::Right),
        ("", Side::Left),
    ];
    // Lengths are rounded up, so that every value that occurs has a visible bar.
    let bar = |height: usize| "#".repeat((height * LONGEST).div_ceil(highest));
    let rows = heights.iter().enumerate().map(|(number, &height)| {
        let label = scale.label(number);
        vec![label, grouped(height as u64), bar(height)]
    });
    table(&columns, rows)
}

#[cfg(test)]
#[path = "histogram_tests.rs"]
mod tests;
