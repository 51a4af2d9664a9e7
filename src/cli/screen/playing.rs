//! A game on the screen, with its adviser and prompts.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::advice::{Advice, Adviser};
use crate::game::Game;
use crate::limits::Limits;
use crate::puzzle::Format;
use ratatui::Frame;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position as Point, Rect};

use super::asker::{Asker, Inbox, Older, limits};
use super::keys::{self, Command, is_control};
use super::live::Live;
use super::pager::Pager;
use super::play::{Answer, Play, Question};
use super::shelf::Opened;
use super::terminal::{Leave, Scene};
use super::view::{Front, View};
use super::write;
use crate::answers::words::safe;
use crate::cli::conversion::{FileFormat, with_game};
use crate::cli::options::Options;
use crate::cli::output_file;

#[derive(Clone, Copy)]
pub struct Source<'s> {
    pub opened: &'s Opened<'s>,
    pub format: Format,
    pub path: &'s Path,
    /// The board's number, from 1, if its file has several boards.
    pub number: Option<usize>,
    pub options: &'s Options,
}

pub struct Playing<'g> {
    view: View<'g>,
    asker: Asker<Question, Answer>,
    live: Option<Live>,
    source: Source<'g>,
    due: Option<Instant>,
    area: Rect,
}

impl<'g> Playing<'g> {
    pub fn new(
        view: View<'g>,
        live: Option<Live>,
        asker: Asker<Question, Answer>,
        source: Source<'g>,
    ) -> Self {
        let mut playing = Self {
            view,
            asker,
            live,
            source,
            due: None,
            area: Rect::default(),
        };
        playing.ask();
        playing
    }

    const fn play(&mut self) -> &mut Play<'g> {
        &mut self.view.play
    }

    fn key(&mut self, key: &KeyEvent) -> Option<Leave> {
        match std::mem::take(&mut self.view.front) {
            Front::Nothing => {}
            Front::Text(mut pager) => {
                if pager.scroll(key.code) {
                    self.view.front = Front::Text(pager);
                }
                return None;
            }
            Front::Confirm(command) => {
                return match key.code {
                    KeyCode::Char('y') => self.play().obey(command),
                    _ => None,
                };
            }
            Front::Jump(typed) => {
                if let Some(typed) = self.typed(typed, key, Front::Jump) {
                    self.play().jump(&typed);
                }
                return None;
            }
            Front::SaveAs(typed) => {
                if let Some(typed) = self.typed(typed, key, Front::SaveAs) {
                    self.save(Path::new(&typed));
                }
                return None;
            }
        }
        let command = keys::command(key, self.view.play.hand_pad())?;
        self.obey(command)
    }

    fn obey(&mut self, command: Command) -> Option<Leave> {
        let entry = self.source.opened.ruleset;
        let front = match command {
            Command::Jump => Front::Jump(String::new()),
            Command::Save => {
                let name = write::free_name(self.source.path, self.source.number);
                Front::SaveAs(name.to_string_lossy().into_owned())
            }
            Command::Help => Front::Text(self.view.help()),
            Command::Rules => Front::Text(Pager::markdown("rules", entry.rules)),
            command if self.view.play.is_discarded_by(&command) => Front::Confirm(command),
            command => return self.play().obey(command),
        };
        self.play().message.clear();
        self.view.front = front;
        None
    }

    fn typed(
        &mut self,
        mut typed: String,
        key: &KeyEvent,
        front: fn(String) -> Front,
    ) -> Option<String> {
        let is_plain = !key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        match key.code {
            KeyCode::Enter => return Some(typed),
            KeyCode::Esc => return None,
            KeyCode::Backspace => _ = typed.pop(),
            KeyCode::Char(c) if is_plain && typed.len() < 200 => typed.push(c),
            _ if is_control(key, 'u') => typed.clear(),
            _ => {}
        }
        self.view.front = front(typed);
        None
    }

    fn save(&mut self, path: &Path) {
        let shown = safe(&path.to_string_lossy());
        self.play().message = match self.write(path) {
            Ok(()) => {
                self.play().set_saved();
                format!("saved as {shown}")
            }
            Err(why) => format!("not saved: {why}"),
        };
    }

    fn write(&self, path: &Path) -> Result<(), String> {
        if path.symlink_metadata().is_ok() {
            let shown = safe(&path.to_string_lossy());
            return Err(format!("{shown} exists already"));
        }
        self.with_line().and_then(|text| {
            output_file::write(path, |out| Ok(out.write_all(&text)?))
                .map_err(|error| error.to_string())
        })
    }

    fn with_line(&self) -> Result<Vec<u8>, String> {
        let session = self.view.play.session();
        let seed = if session.is_by_chance() {
            session.seed().to_string()
        } else {
            String::new()
        };
        let game = [
            ("seed", &*seed),
            ("moves", &session.line(session.now())),
            ("chasers", &session.chasers(session.now())),
        ];
        let opened = self.source.opened;
        let target = match self.source.format {
            Format::Text => FileFormat::Text,
            Format::JsonLines => FileFormat::Jsonl,
        };
        let board = (opened.ruleset, &opened.puzzle);
        with_game(board, &game, (target, self.source.options))
            .map_err(|error| error.first().kind.to_string())
    }

    fn click(&mut self, event: MouseEvent) -> Option<Leave> {
        let is_click = event.kind == MouseEventKind::Down(MouseButton::Left);
        if !is_click || self.view.front != Front::Nothing {
            return None;
        }
        let point = Point::new(event.column, event.row);
        let mv = self.view.move_to(self.area, point)?;
        self.obey(Command::Move(mv))
    }

    fn ask(&mut self) {
        self.asker.ask(self.view.play.question());
        self.view.is_thinking = self.asker.is_waiting();
        self.due = match (self.view.play.pace(), self.due) {
            (None, _) => None,
            (Some(_), Some(due)) => Some(due),
            (Some(pace), None) => Instant::now().checked_add(pace),
        };
    }
}

impl Scene for Playing<'_> {
    fn draw(&mut self, frame: &mut Frame) {
        self.area = frame.area();
        self.view.draw(frame);
    }

    fn input(&mut self, event: &Event) -> Option<Leave> {
        let leave = match event {
            Event::Key(key) => self.key(key),
            Event::Mouse(event) => self.click(*event),
            _ => None,
        };
        self.ask();
        leave
    }

    fn wake(&mut self) -> Option<Leave> {
        for told in self.live.iter().flat_map(Live::hear) {
            self.view.play.told(told);
        }
        if let Some((question, answer)) = self.asker.hear() {
            self.play().hear(&question, answer.unwrap_or_else(Err));
        }
        self.ask();
        None
    }

    fn due(&self) -> Option<Instant> {
        self.due
    }

    fn tick(&mut self) {
        self.play().tick();
        self.due = None;
        self.ask();
    }
}

pub fn asker(
    (game, seed): (Arc<dyn Game>, u64),
    (options, older): (&Options, Older),
    wake: impl Fn() + Send + 'static,
) -> Asker<Question, Answer> {
    let options = options.clone();
    Asker::new(older, wake, move |inbox: Inbox<Question, Answer>| {
        let mut adviser: Option<Box<dyn Adviser + '_>> = None;
        inbox.answer(|question, stop| {
            let limits = limits(&options, stop);
            advise(&*game, &mut adviser, (question, seed), &limits)
        });
    })
}

fn advise<'g>(
    game: &'g dyn Game,
    adviser: &mut Option<Box<dyn Adviser + 'g>>,
    (question, seed): (&Question, u64),
    limits: &Limits,
) -> Result<Advice, String> {
    let adviser = match adviser {
        Some(adviser) => adviser,
        None => adviser.insert(game.adviser(limits).map_err(|error| error.to_string())?),
    };
    let advice = adviser.advise_led((&question.line, &question.chasers), seed, limits);
    advice.map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests;
