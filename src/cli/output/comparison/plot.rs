//! A plot of escape rates with their intervals.

use super::{Comparison, Row};
use getaway_render::markup;

/// The start and length of the axis, and the row height, in pixels.
const LEFT: f64 = 240.0;
const LENGTH: f64 = 480.0;
const ROW: f64 = 30.0;

const NAME: usize = 32;

pub fn svg(comparison: &Comparison) -> String {
    let below = ROW * (comparison.all.len() as f64 + 0.5);
    let (width, height) = (LEFT + LENGTH + 40.0, below + 50.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\">\n\
         <title>Escape rates with 95% confidence intervals</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for tick in 0..=4 {
        let share = f64::from(tick) / 4.0;
        svg += &format!(
            "<line x1=\"{x}\" x2=\"{x}\" y1=\"10\" y2=\"{below}\" stroke=\"#ddd\"/>\n\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#444\">{:.0}%</text>\n",
            below + 18.0,
            100.0 * share,
            x = along(share)
        );
    }
    for (number, row) in comparison.all.iter().enumerate() {
        let best = row.best.filter(|_| comparison.without_best.is_empty());
        svg += &mark((row, best), ROW * (number as f64 + 1.0));
    }
    svg += &format!(
        "<text x=\"{LEFT}\" y=\"{}\" fill=\"#444\">escaped, with 95% confidence intervals; a vertical line is the best possible</text>\n</svg>\n",
        below + 38.0
    );
    svg
}

fn along(share: f64) -> f64 {
    LEFT + LENGTH * share
}

fn mark((row, best): (&Row, Option<f64>), y: f64) -> String {
    let [low, high] = row.statistics.interval.map(along);
    let middle = along(row.statistics.rate);
    let mut text = format!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#111\">{}</text>\n\
         <line x1=\"{low:.1}\" x2=\"{high:.1}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#0b6\" stroke-width=\"3\"/>\n\
         <circle cx=\"{middle:.1}\" cy=\"{y}\" r=\"5\" fill=\"#074\"/>\n",
        LEFT - 14.0,
        y + 4.0,
        escaped(&row.name)
    );
    if let Some(best) = best.map(along) {
        text += &format!(
            "<line x1=\"{best:.1}\" x2=\"{best:.1}\" y1=\"{}\" y2=\"{}\" stroke=\"#c30\" stroke-width=\"2\"/>\n",
            y - 10.0,
            y + 10.0
        );
    }
    text
}

fn escaped(name: &str) -> String {
    markup::escaped(&short(name).replace(char::is_control, " "))
}

/// Shortens a name to the width of its column: drops folders first, so that the names of scripts stay.
fn short(name: &str) -> String {
    let mut short = name.to_owned();
    while short.chars().count() > NAME {
        let depth = |word: &&str| word.matches('/').count();
        let deepest = short.split(' ').max_by_key(depth).unwrap_or_default();
        let Some((_, rest)) = deepest.split_once('/') else {
            return short.chars().take(NAME - 1).chain(['…']).collect();
        };
        short = short.replacen(deepest, rest, 1);
    }
    short
}
