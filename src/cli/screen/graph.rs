//! A small graph of the probability of escape, turn by turn.

use super::look::Charset;

const ROWS: usize = 3;

/// Returns the lines of the graph from top to bottom: a scale on the left, then one column for each probability. An unknown
/// probability is a question mark, and 0 is a line at the bottom.
pub fn graph(probabilities: &[Option<f64>], charset: Charset) -> Vec<String> {
    let bars: &[char] = charset.pick(&['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'], &['.', ':', '#']);
    let row = |row: usize| {
        let scale = match row {
            0 => "1 ",
            _ if row + 1 == ROWS => "0 ",
            _ => "  ",
        };
        let below = (ROWS - 1 - row) * bars.len();
        let cells = probabilities.iter().map(|it| cell(*it, below, bars));
        scale.chars().chain(cells).collect()
    };
    (0..ROWS).map(row).collect()
}

fn cell(probability: Option<f64>, below: usize, bars: &[char]) -> char {
    let steps = |probability: f64| (probability * (ROWS * bars.len()) as f64).ceil() as usize;
    match probability.map(steps) {
        None if below == 0 => '?',
        Some(0) if below == 0 => '_',
        None | Some(0) => ' ',
        Some(height) if height <= below => ' ',
        Some(height) => bars[(height - below).min(bars.len()) - 1],
    }
}

#[cfg(test)]
mod tests;
