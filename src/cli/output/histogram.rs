//! A histogram with bars of text, in lines of 80 characters.

use super::table::{Side, table};
use crate::answers::words::{count, grouped};

const BARS: usize = 20;
const LONGEST: usize = 50;

pub fn text(name: &str, values: &[Option<f64>]) -> String {
    let mut numbers: Vec<f64> = values.iter().copied().flatten().collect();
    numbers.sort_by(f64::total_cmp);
    let mut text = match (numbers.first(), numbers.last()) {
        (Some(&least), Some(&greatest)) => {
            bars(name, &numbers, Scale::of(&numbers, (least, greatest)))
        }
        _ => String::new(),
    };
    let missing = (values.len() - numbers.len()) as u64;
    if missing > 0 {
        text += &format!("{} without {name}\n", count(missing, "board"));
    }
    text
}

/// The scale of the values: bar `i` starts at `(first + i) * step`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Scale {
    step: f64,
    first: f64,
    bars: usize,
    is_whole: bool,
}

impl Scale {
    /// Chooses the finest step of 1, 2, 5, 10, ... with at most [`BARS`] bars. Only fractions have steps below 1.
    fn of(numbers: &[f64], (least, greatest): (f64, f64)) -> Self {
        let is_whole = numbers.iter().all(|number| number.fract() == 0.0);
        let steps =
            (-9..=40).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
        let scale = |step: f64| {
            let first = (least / step).floor();
            let bars = (greatest / step).floor() - first + 1.0;
            (bars <= BARS as f64).then_some(Self {
                step,
                first,
                bars: bars as usize,
                is_whole,
            })
        };
        steps
            .filter(|&step| !is_whole || step >= 1.0)
            .find_map(scale)
            .unwrap_or(Self {
                step: f64::MAX,
                first: 0.0,
                bars: 1,
                is_whole: false,
            })
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

fn bars(name: &str, numbers: &[f64], scale: Scale) -> String {
    let mut heights = vec![0_usize; scale.bars];
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
mod tests;
