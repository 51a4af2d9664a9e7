//! New boards to play, generated in a thread.

use std::time::{Duration, Instant};

use crate::generate::level::Level;
use crate::limits::Limits;
use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode};
use ratatui::text::Text;

use super::asker::{Asker, Inbox, limits};
use super::layout::is_too_small;
use super::terminal::{Leave, Scene};
use crate::cli::commands::simulate::fresh_seed;
use crate::cli::options::Options;

const PATIENCE: Duration = Duration::from_secs(20);

pub struct Making {
    ruleset: &'static str,
    asker: Asker<(), Result<String, String>>,
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
            inbox.answer(|(), stop| {
                let limits = Limits {
                    deadline: Instant::now().checked_add(PATIENCE),
                    ..limits(&options, stop)
                };
                let made = level.board(ruleset, Default::default(), fresh_seed(), limits);
                made.map_err(|why| why.to_string())
            });
        };
        let mut asker = Asker::new(wake, work);
        asker.ask(Some(()));
        Self { ruleset, asker }
    }
}

impl Scene for Making {
    fn draw(&mut self, frame: &mut Frame) {
        if is_too_small(frame) {
            return;
        }
        let text = format!("making a board of {} ...\nq leaves", self.ruleset);
        frame.render_widget(Text::from(text), frame.area());
    }

    fn input(&mut self, event: &Event) -> Option<Leave> {
        let code = event.as_key_event()?.code;
        matches!(code, KeyCode::Esc | KeyCode::Char('q')).then_some(Leave::Quit)
    }

    fn wake(&mut self) -> Option<Leave> {
        let ((), made) = self.asker.hear()?;
        Some(match made {
            Ok(Ok(text)) => Leave::Made(text.into_bytes()),
            Ok(Err(why)) | Err(why) => Leave::Failed(why),
        })
    }
}
