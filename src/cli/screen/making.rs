//! New boards to play, generated in a thread.

use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::generate::layout::Question;
use crate::generate::layouts;
use crate::generate::wishes::Wishes;
use crate::generate::{Generator, Made};
use crate::limits::Limits;
use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode};
use ratatui::text::{Line, Text};

use super::asker::{Asker, Inbox, Older, limits};
use super::layout::is_too_small;
use super::terminal::{Leave, Scene};
use crate::cli::args::play::Level;
use crate::cli::commands::simulate::fresh_seed;
use crate::cli::options::Options;
use crate::cli::output::boards::{BoardFormat, Caption, Drawn};

const PATIENCE: Duration = Duration::from_secs(20);

/// The criteria for a board: its difficulty in bits, the odds in a game of chance, or else the number of moves.
fn wishes(level: Level, ruleset: &str) -> Wishes {
    let question = layouts::find(ruleset).map(|layout| layout.question);
    let bits = |bits: f64| Some((bits - 0.5).max(0.0)..=bits + 0.5);
    let ranges: [RangeInclusive<f64>; 3] = [2.0..=4.0, 4.5..=7.0, 8.0..=1000.0];
    let odds: [RangeInclusive<f64>; 3] = [0.7..=0.95, 0.4..=0.7, 0.05..=0.4];
    match (question, level) {
        (Some(Question::Escape), level) => Wishes {
            difficulty: match level {
                Level::Bits(wanted) => bits(wanted),
                level => level.pick(ranges),
            },
            ..Wishes::default()
        },
        // The generator reports that only other rulesets have a difficulty in bits.
        (_, Level::Bits(wanted)) => Wishes {
            difficulty: bits(wanted),
            ..Wishes::default()
        },
        (Some(Question::Chance), level) => Wishes {
            probability: level.pick(odds),
            ..Wishes::default()
        },
        (_, level) => Wishes {
            min_moves: level.pick([3, 8, 16]),
            ..Wishes::default()
        },
    }
}

pub fn check(ruleset: &str, level: Level) -> Result<(), String> {
    let wishes = wishes(level, ruleset);
    let checked = Generator::new(ruleset, &wishes, Limits::default()).map(|_| ());
    checked.map_err(|why| why.to_string())
}

fn made(ruleset: &str, level: Level, limits: Limits) -> Result<Vec<u8>, String> {
    let wishes = wishes(level, ruleset);
    let limits = Limits {
        deadline: Instant::now().checked_add(PATIENCE),
        ..limits
    };
    let generator = Generator::new(ruleset, &wishes, limits).map_err(|why| why.to_string())?;
    let mut text = Err("no such board was found in time".to_owned());
    generator.boards(
        (fresh_seed(), 1),
        &(),
        &mut |Made { seed, board, .. }| {
            let caption = Caption {
                name: format!("{ruleset} {seed}"),
                remarks: Vec::new(),
            };
            let drawn = Drawn {
                layout: generator.layout(),
                sketch: &board.sketch,
                measures: &board.measures,
            };
            let mut out = Vec::new();
            let written = drawn.write(&caption, BoardFormat::Text, &mut out);
            text = written.map(|()| out).map_err(|error| error.to_string());
            true
        },
    );
    text
}

pub struct Making {
    ruleset: &'static str,
    asker: Asker<(), Result<Vec<u8>, String>>,
}

impl Making {
    pub fn new(
        ruleset: &'static str,
        level: Level,
        options: &Options,
        wake: impl Fn() + Send + 'static,
    ) -> Self {
        let options = options.clone();
        let work = move |inbox: Inbox<(), _>| {
            inbox.answer(|(), stop: &AtomicBool| made(ruleset, level, limits(&options, stop)));
        };
        let mut asker = Asker::new(Older::Stop, wake, work);
        asker.ask(Some(()));
        Self { ruleset, asker }
    }
}

impl Scene for Making {
    fn draw(&mut self, frame: &mut Frame) {
        if is_too_small(frame) {
            return;
        }
        let text = format!("making a board of {} ...", self.ruleset);
        let lines = [Line::raw(text), Line::raw("q leaves")];
        frame.render_widget(Text::from(lines.to_vec()), frame.area());
    }

    fn input(&mut self, event: &Event) -> Option<Leave> {
        let code = event.as_key_event()?.code;
        matches!(code, KeyCode::Esc | KeyCode::Char('q')).then_some(Leave::Quit)
    }

    fn wake(&mut self) -> Option<Leave> {
        let ((), made) = self.asker.hear()?;
        Some(match made {
            Ok(Ok(text)) => Leave::Made(text),
            Ok(Err(why)) | Err(why) => Leave::Failed(why),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rulesets::RULESETS;

    #[test]
    fn every_ruleset_has_boards_of_every_named_level() {
        for entry in RULESETS {
            for level in ["easy", "medium", "hard"] {
                let level = level.parse().unwrap();
                assert_eq!(check(entry.name, level), Ok(()), "{} {level:?}", entry.name);
            }
        }
    }

    #[test]
    fn a_board_of_so_many_bits_is_made() {
        let text = made("theseus", "6".parse().unwrap(), Limits::default()).unwrap();
        let text = String::from_utf8(text).unwrap();
        let bits = text
            .lines()
            .find_map(|line| line.strip_prefix("; difficulty in bits: "));
        let bits: f64 = bits.unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!((5.5..=6.5).contains(&bits), "{text}");
    }

    #[test]
    fn other_levels_are_refused() {
        for text in ["", "harder", "-1", "NaN"] {
            assert!(text.parse::<Level>().is_err(), "{text}");
        }
        assert!(check("dungeon", Level::Bits(6.0)).is_err());
    }
}
