//! A game on the screen, with its evaluator and prompts.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use getaway_board::puzzle::Format;
use getaway_play::trace::TraceError;
use getaway_solvers::game::Game;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::prelude::*;

use super::asker::{Asker, Inbox, limits};
use super::canvas::Viewport;
use super::keys::{self, Command, is_control};
use super::live::Live;
use super::pager::Pager;
use super::play::{Answer, Play, Question};
use super::shelf::{BoardFile, Opened};
use super::terminal::{Leave, Scene};
use super::theme::Theme;
use super::write;
use crate::cli::conversion::{FileFormat, with_game};
use crate::cli::options::Options;
use crate::cli::output_file;
use getaway_board::words::path_name;

#[derive(Clone, Copy)]
pub struct Source<'s> {
    pub opened: &'s Opened<'s>,
    pub file: &'s BoardFile,
    pub number: usize,
    pub options: &'s Options,
}

pub struct Playing<'g> {
    pub play: Play<'g>,
    pub source: Source<'g>,
    pub theme: Theme,
    pub asker: Asker<Question, Answer>,
    pub overlay: Option<Overlay>,
    pub board: Viewport,
    live: Option<Live>,
    due: Option<Instant>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlay {
    Text(Pager),
    /// The argument of a command as typed so far.
    Typing(Command, String),
    Confirm(Command),
}

impl<'g> Playing<'g> {
    pub fn new(
        play: Play<'g>,
        live: Option<Live>,
        source: Source<'g>,
        theme: Theme,
        wake: impl Fn() + Send + 'static,
    ) -> Self {
        let game = Arc::clone(&source.opened.game);
        let seed = play.session.seed();
        let mut playing = Self {
            play,
            source,
            theme,
            asker: asker(game, seed, source.options, wake),
            overlay: None,
            board: Viewport::default(),
            live,
            due: None,
        };
        playing.ask();
        playing
    }

    fn key(&mut self, key: &KeyEvent) -> Option<Leave> {
        match self.overlay.take() {
            None => {
                let command = keys::command(key, self.play.hand_pad())?;
                return self.obey(command);
            }
            Some(Overlay::Text(pager)) => {
                self.overlay = pager.scrolled(key.code).map(Overlay::Text);
            }
            Some(Overlay::Typing(command, typed)) => self.typed(command, typed, key),
            Some(Overlay::Confirm(command)) if key.code == KeyCode::Char('y') => {
                return self.play.obey(command);
            }
            Some(Overlay::Confirm(_)) => {}
        }
        None
    }

    fn obey(&mut self, command: Command) -> Option<Leave> {
        let overlay = match command {
            Command::Jump => Overlay::Typing(command, String::new()),
            Command::Save => {
                let Source { file, number, .. } = self.source;
                let number = (file.count() > 1).then_some(number + 1);
                let name = write::free_name(&file.path, number);
                Overlay::Typing(command, name.to_string_lossy().into_owned())
            }
            Command::Help => Overlay::Text(self.help()),
            Command::Rules => {
                Overlay::Text(Pager::markdown("rules", self.source.opened.ruleset.rules))
            }
            command if self.play.is_discarded_by(&command) => Overlay::Confirm(command),
            command => return self.play.obey(command),
        };
        self.play.message.clear();
        self.overlay = Some(overlay);
        None
    }

    fn typed(&mut self, command: Command, mut typed: String, key: &KeyEvent) {
        let is_plain = !key
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        match key.code {
            KeyCode::Enter if command == Command::Jump => return self.play.jump(&typed),
            KeyCode::Enter => return self.save(Path::new(&typed)),
            KeyCode::Esc => return,
            KeyCode::Backspace => _ = typed.pop(),
            KeyCode::Char(c) if is_plain && typed.len() < 200 => typed.push(c),
            _ if is_control(key, 'u') => typed.clear(),
            _ => {}
        }
        self.overlay = Some(Overlay::Typing(command, typed));
    }

    fn save(&mut self, path: &Path) {
        self.play.message = match self.write(path) {
            Ok(()) => {
                self.play.set_saved();
                format!("saved as {}", path_name(path))
            }
            Err(why) => format!("not saved: {why}"),
        };
    }

    fn write(&self, path: &Path) -> Result<(), String> {
        if path.symlink_metadata().is_ok() {
            return Err(format!("{} exists already", path_name(path)));
        }
        let text = self.with_line()?;
        output_file::write(path, |out| Ok(out.write_all(&text)?)).map_err(|error| error.to_string())
    }

    fn with_line(&self) -> Result<Vec<u8>, String> {
        let session = &self.play.session;
        let seed = session.is_by_chance().then(|| session.seed().to_string());
        let game = [
            ("seed", &*seed.unwrap_or_default()),
            ("moves", &session.line(session.now())),
            ("chasers", &session.chasers(session.now())),
        ];
        let Source {
            opened,
            file,
            number,
            options,
        } = self.source;
        let target = match file.board(number).format {
            Format::Text => FileFormat::Text,
            Format::JsonLines => FileFormat::Jsonl,
        };
        with_game(opened.ruleset, &opened.puzzle, &game, target, options)
            .map_err(|error| error.first().kind.to_string())
    }

    fn click(&mut self, event: MouseEvent) -> Option<Leave> {
        let is_click = event.kind == MouseEventKind::Down(MouseButton::Left);
        if !is_click || self.overlay.is_some() {
            return None;
        }
        let mv = self.move_to(Position::new(event.column, event.row))?;
        self.obey(Command::Move(mv))
    }

    fn ask(&mut self) {
        // In a game of chance, the results of one search serve all positions, so no new question stops a search.
        if !(self.play.session.is_by_chance() && self.asker.is_waiting()) {
            self.asker.ask(self.play.question());
        }
        let pace = self.play.pace();
        let due = || Instant::now().checked_add(pace?);
        self.due = self.due.filter(|_| pace.is_some()).or_else(due);
    }
}

impl Scene for Playing<'_> {
    fn draw(&mut self, frame: &mut Frame) {
        self.draw_game(frame);
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
        for live_event in self.live.iter().flat_map(Live::events) {
            self.play.live_event(live_event);
        }
        if let Some((question, answer)) = self.asker.take_answer() {
            self.play
                .store_answer(&question, answer.unwrap_or_else(Err));
        }
        self.ask();
        None
    }

    fn due(&self) -> Option<Instant> {
        self.due
    }

    fn tick(&mut self) {
        self.play.tick();
        self.due = None;
        self.ask();
    }
}

fn asker(
    game: Arc<dyn Game>,
    seed: u64,
    options: &Options,
    wake: impl Fn() + Send + 'static,
) -> Asker<Question, Answer> {
    let options = options.clone();
    let text = |error: TraceError| error.to_string();
    Asker::new(wake, move |inbox: Inbox<Question, Answer>| {
        let mut evaluator = None;
        inbox.answer(|Question { line, chasers, .. }, stop| {
            let limits = limits(&options, stop);
            let evaluator = match &mut evaluator {
                Some(evaluator) => evaluator,
                none => none.insert(game.evaluator(&limits).map_err(text)?),
            };
            let evaluation = evaluator.evaluate_controlled(line, chasers, seed, &limits);
            evaluation.map_err(text)
        });
    })
}

#[cfg(test)]
#[path = "playing_tests.rs"]
pub mod tests;
