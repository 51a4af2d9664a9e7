//! The last turn and the ending in words, and the probabilities of escape as a chart.

use getaway_play::session::{Position, Session};
use getaway_play::trace::{Ending, Ply, TraceEvent};
use getaway_ruleset::{Cause, Fate, Legend, Meaning};

use super::canvas::CellPosition;
use super::theme::Charset;

pub fn ending(session: &dyn Session, here: &Position, legend: &Legend) -> String {
    let runner = runner_name(here, legend);
    let at = runner_at(here, legend).map_or(String::new(), |cell_position| {
        format!(" {}", legend.at(cell_position))
    });
    match &here.ending {
        Some(Ending::Caught { cause, .. }) => match cause {
            Cause::Chaser => match catch(here) {
                Some(event) => {
                    let who = a_piece(event.actor, legend);
                    format!("{who} caught {runner} {}", legend.at(event.to))
                }
                None => format!("{runner} was caught{at}"),
            },
            Cause::WalkedInto => {
                let who = runner_event(here)
                    .and_then(|event| glyph_before(session, event.to))
                    .map_or("a chaser".into(), |glyph| a_piece(glyph, legend));
                format!("{runner} walked into {who}{at}")
            }
            Cause::Abyss => format!("{runner} fell into the abyss{at}"),
            Cause::Trapped => format!("{runner} is trapped{at}: no legal move is left"),
        },
        _ => format!("{runner} got away{at}"),
    }
}

fn catch(here: &Position) -> Option<&TraceEvent> {
    let mut events = here.plies.iter().flat_map(|ply| &ply.events);
    events.find(|event| event.fate == Fate::Catches)
}

fn runner_ply(here: &Position) -> Option<&Ply> {
    here.plies.iter().find(|ply| ply.mv.is_some())
}

fn runner_event(here: &Position) -> Option<&TraceEvent> {
    runner_ply(here)?.events.first()
}

fn glyph_before(session: &dyn Session, (row, col): CellPosition) -> Option<char> {
    let before = session.position(session.now().checked_sub(1)?);
    before.rows.get(row as usize)?.chars().nth(col as usize)
}

fn runner_name(here: &Position, legend: &Legend) -> String {
    let name = match runner_ply(here) {
        Some(ply) => ply.who,
        None => legend.first_word(Meaning::Runner),
    };
    // A name with a capital letter has no article.
    if name.starts_with(char::is_uppercase) {
        name.to_owned()
    } else {
        format!("the {}", name.trim_start_matches("the "))
    }
}

fn a_piece(glyph: char, legend: &Legend) -> String {
    let word = legend.word(glyph);
    match word.chars().next() {
        None => format!("`{glyph}`"),
        Some(first) if first.is_uppercase() => format!("the {word}"),
        Some(first) if "aeiou".contains(first) => format!("an {word}"),
        Some(_) if word.starts_with("a ") => word.to_owned(),
        Some(_) => format!("a {word}"),
    }
}

/// Returns the cell of the runner to move. If [`Position::mover`] does not give it, it is the cell that a runner's last move led
/// to or, before any move, the one where he is drawn, and `None` if he is not drawn.
pub fn runner_at(here: &Position, legend: &Legend) -> Option<CellPosition> {
    here.mover
        .or_else(|| runner_event(here).map(|event| event.to))
        .or_else(|| {
            let is_head = |glyph: char| legend.first(Meaning::Runner) == Some(glyph);
            let is_runner = |glyph: char| legend.meaning(glyph) == Meaning::Runner;
            find(&here.rows, is_head).or_else(|| find(&here.rows, is_runner))
        })
}

fn find(rows: &[String], is_it: impl Fn(char) -> bool) -> Option<CellPosition> {
    let mut rows = (0u32..).zip(rows);
    rows.find_map(|(row, text)| {
        let col = text.chars().position(&is_it)?;
        Some((row, col as u32))
    })
}

pub fn event(event: &TraceEvent, legend: &Legend, arrow: &str) -> Option<String> {
    let (from, to) = (legend.place(event.from), legend.place(event.to));
    let what = match event.fate {
        Fate::Stands if event.from == event.to => return None,
        Fate::Stands => "",
        Fate::Fell => ", fell",
        Fate::Catches => ", catch",
        Fate::Teleports => ", teleport",
    };
    Some(format!("  {} {from} {arrow} {to}{what}", event.actor))
}

/// Returns the lines of a chart from top to bottom: a scale on the left, then one column for each probability. An unknown
/// probability is a question mark, and 0 is a line at the bottom.
pub fn chart(probabilities: &[Option<f64>], charset: Charset) -> impl Iterator<Item = String> {
    const SCALE: [&str; 3] = ["1 ", "  ", "0 "];
    let bars: &[char] = charset.pick(&['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'], &['.', ':', '#']);
    SCALE.into_iter().enumerate().map(|(row, scale)| {
        let rows_below = SCALE.len() - 1 - row;
        let cell = |probability: &Option<f64>| {
            let steps = probability.map(|it| it * (SCALE.len() * bars.len()) as f64);
            let height = steps.map(|steps| steps.ceil() as usize);
            match height.map(|height| height.saturating_sub(rows_below * bars.len())) {
                None if rows_below == 0 => '?',
                Some(0) if rows_below == 0 => '_',
                None | Some(0) => ' ',
                Some(height) => bars[height.min(bars.len()) - 1],
            }
        };
        let cells = probabilities.iter().map(cell);
        scale.chars().chain(cells).collect()
    })
}

#[cfg(test)]
#[path = "narration_tests.rs"]
mod tests;
