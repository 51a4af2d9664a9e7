//! The terminal in raw mode, which is restored before the program exits, even after a panic, or is stopped by SIGTSTP or ended by
//! SIGINT, SIGTERM or SIGHUP. On Windows, there are no such signals: Ctrl-C is only a key, and Ctrl-Z has no effect.

use std::io::{self, IsTerminal, Stdout};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::prelude::*;
use signal_hook::consts::SIGINT;
#[cfg(unix)]
use signal_hook::{
    consts::{SIGCONT, SIGHUP, SIGTERM, SIGTSTP},
    iterator::Signals,
    low_level,
};

use super::keys::is_control;
use super::layout::is_too_small;
use super::shelf::{BoardFile, NewBoard};
use crate::cli::panics;

pub trait Scene {
    fn draw(&mut self, frame: &mut Frame);

    /// Handles an event; returns a value if the scene ends.
    fn input(&mut self, event: &Event) -> Option<Leave>;

    /// Handles a wake-up by another thread; returns a value if the scene ends.
    fn wake(&mut self) -> Option<Leave> {
        None
    }

    fn due(&self) -> Option<Instant> {
        None
    }

    fn tick(&mut self) {}

    /// Handles Ctrl-C: returns whether to leave at once; if not, the scene asks first.
    fn interrupt(&mut self) -> bool {
        true
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leave {
    Quit,
    Next,
    Previous,
    Edit,
    NewSeed,
    Try(Box<BoardFile>),
    Chosen(usize, Option<NewBoard>),
    Made(Result<String, String>),
}

pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    incoming: Receiver<Incoming>,
    sender: Sender<Incoming>,
}

enum Incoming {
    Input(io::Result<Event>),
    Wake,
    Signal(i32),
}

#[derive(Debug, thiserror::Error)]
pub enum ScreenError {
    #[error("left")]
    Left,
    #[error("ended by signal {0}")]
    Signal(i32),
    #[error("the terminal can't be used: {0}")]
    Io(#[from] io::Error),
}

impl Screen {
    pub fn open(command: &str) -> Result<Self> {
        if !io::stdout().is_terminal() {
            bail!("`{command}` needs a terminal, and standard output is not one");
        }
        if std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
            bail!("`{command}` needs a terminal with a cursor, and this one has none (TERM=dumb)");
        }
        let (sender, incoming) = mpsc::channel();
        #[cfg(unix)]
        listen(sender.clone()).context("can't listen for signals")?;
        let terminal = enter()
            .and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())))
            .inspect_err(|_| leave());
        let screen = Self {
            terminal: terminal.context("can't use the terminal")?,
            incoming,
            sender: sender.clone(),
        };
        thread::spawn(move || read(&sender));
        Ok(screen)
    }

    pub fn waker(&self) -> impl Fn() + Send + use<> {
        let sender = self.sender.clone();
        move || _ = sender.send(Incoming::Wake)
    }

    pub fn show(&mut self, scene: &mut dyn Scene) -> Result<Leave, ScreenError> {
        self.clear()?;
        // Answers may have arrived before this scene began.
        if let Some(leave) = scene.wake() {
            return Ok(leave);
        }
        loop {
            self.terminal.draw(|frame| draw(frame, scene))?;
            panics::on_purpose("screen");
            let mut next = self.wait(scene.due());
            if next.is_none() {
                scene.tick();
            }
            while let Some(incoming) = next {
                if let Some(leave) = self.take(incoming, scene)? {
                    return Ok(leave);
                }
                // All pending input is handled before the next drawing.
                next = self.incoming.try_recv().ok();
            }
        }
    }

    fn wait(&self, due: Option<Instant>) -> Option<Incoming> {
        let Some(due) = due else {
            return self.incoming.recv().ok();
        };
        let left = due.saturating_duration_since(Instant::now());
        self.incoming.recv_timeout(left).ok()
    }

    fn take(
        &mut self,
        incoming: Incoming,
        scene: &mut dyn Scene,
    ) -> Result<Option<Leave>, ScreenError> {
        match incoming {
            Incoming::Wake => return Ok(scene.wake()),
            #[cfg(unix)]
            Incoming::Signal(SIGTSTP) => self.suspend()?,
            #[cfg(unix)]
            Incoming::Signal(SIGCONT) => self.resume()?,
            Incoming::Signal(signal) if signal != SIGINT || scene.interrupt() => {
                return Err(ScreenError::Signal(signal));
            }
            Incoming::Signal(_) => {}
            Incoming::Input(event) => match event? {
                Event::Key(key) if key.kind == KeyEventKind::Release => {}
                Event::Key(key) if is_control(&key, 'c') => {
                    return self.take(Incoming::Signal(SIGINT), scene);
                }
                #[cfg(unix)]
                Event::Key(key) if is_control(&key, 'z') => self.suspend()?,
                Event::Key(key) if is_control(&key, 'l') => self.clear()?,
                event => return Ok(scene.input(&event)),
            },
        }
        Ok(None)
    }

    #[cfg(unix)]
    fn suspend(&mut self) -> Result<(), ScreenError> {
        leave();
        low_level::emulate_default_handler(SIGTSTP)?;
        self.resume()
    }

    #[cfg(unix)]
    fn resume(&mut self) -> Result<(), ScreenError> {
        // After SIGSTOP, `enable_raw_mode` alone would do nothing, since crossterm takes the terminal to be still in raw mode.
        disable_raw_mode()?;
        enter()?;
        self.clear()
    }

    /// Clears the screen, so that the next drawing redraws everything. `Terminal::clear` would ask for the cursor position, and
    /// the answer would be read as keys.
    fn clear(&mut self) -> Result<(), ScreenError> {
        let size = self.terminal.size()?;
        Ok(self.terminal.resize(Rect::from((Position::ORIGIN, size)))?)
    }
}

pub fn draw(frame: &mut Frame, scene: &mut dyn Scene) {
    if !is_too_small(frame) {
        scene.draw(frame);
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)
}

/// Restores the terminal. Ignores errors, since they can't be reported.
fn leave() {
    let _ = execute!(
        io::stdout(),
        DisableMouseCapture,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
}

#[cfg(unix)]
fn listen(sender: Sender<Incoming>) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT])?;
    thread::spawn(move || {
        let mut signals = signals.forever().map(Incoming::Signal);
        signals.try_for_each(|signal| sender.send(signal))
    });
    Ok(())
}

fn read(sender: &Sender<Incoming>) {
    loop {
        let event = event::read();
        let is_last = event.is_err();
        if sender.send(Incoming::Input(event)).is_err() || is_last {
            return;
        }
    }
}
