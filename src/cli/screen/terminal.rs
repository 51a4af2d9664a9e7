//! The terminal while something is played or drawn on it: it is left as it was found, whether one leaves, the
//! program is stopped or ended by a signal, or it panics.

use std::io::{self, IsTerminal, Stdout};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::{Position, Rect};
use ratatui::{Frame, Terminal};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use super::keys::is_control;
use crate::cli::panics;

/// What is on the screen.
pub trait Scene {
    /// How one leaves it.
    type Leave;

    /// Draws it.
    fn draw(&mut self, frame: &mut Frame);

    /// Something was typed, or done with the mouse; how to leave, if that is what it means.
    fn input(&mut self, event: &Event) -> Option<Self::Leave>;

    /// There may be an answer to be heard.
    fn wake(&mut self) {}

    /// When it moves on by itself, if it does.
    fn due(&self) -> Option<Instant> {
        None
    }

    /// It is time to move on.
    fn tick(&mut self) {}

    /// Somebody wants to leave at once; `None` to ask first.
    fn interrupt(&mut self) -> Option<Self::Leave>;

    /// Whether it is to be told of the mouse; without that, the terminal's own use of it goes on.
    const USES_MOUSE: bool = false;
}

/// The terminal, in raw mode and on its other screen.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    incoming: Receiver<Incoming>,
    sender: Sender<Incoming>,
    /// Whether the scene is told of the mouse.
    has_mouse: bool,
}

/// What comes from outside.
enum Incoming {
    Input(Event),
    Wake,
    Signal(i32),
    Broken(io::Error),
}

/// Why there is nothing more to be shown.
#[derive(Debug, thiserror::Error)]
pub enum Ended {
    /// A signal says so.
    #[error("ended by signal {0}")]
    Signal(i32),
    /// The terminal is gone.
    #[error("the terminal can't be used: {0}")]
    Io(#[from] io::Error),
}

impl Screen {
    /// Takes the terminal over.
    ///
    /// # Errors
    ///
    /// If there is none, or it can't be used so.
    pub fn open(command: &str) -> Result<Self> {
        if !io::stdout().is_terminal() {
            bail!("`{command}` needs a terminal, and standard output is none");
        }
        if std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
            bail!("`{command}` needs a terminal with a cursor, and this one has none (TERM=dumb)");
        }
        let (sender, incoming) = mpsc::channel();
        listen(&sender).context("can't listen for signals")?;
        let terminal = enter(false)
            .and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())))
            .inspect_err(|_| leave());
        let screen = Self {
            terminal: terminal.context("can't use the terminal")?,
            incoming,
            sender: sender.clone(),
            has_mouse: false,
        };
        thread::spawn(move || read(&sender));
        Ok(screen)
    }

    /// What wakes the scene.
    pub fn waker(&self) -> impl Fn() + Send + use<> {
        let sender = self.sender.clone();
        // Nobody needs to be woken when all is over.
        move || _ = sender.send(Incoming::Wake)
    }

    /// Shows a scene until it is left.
    ///
    /// # Errors
    ///
    /// If the terminal can't be used any more, or a signal ends it.
    pub fn show<S: Scene>(&mut self, scene: &mut S) -> Result<S::Leave, Ended> {
        self.has_mouse = S::USES_MOUSE;
        self.resume()?;
        // Answers may have come before it was shown.
        scene.wake();
        loop {
            self.terminal.draw(|frame| scene.draw(frame))?;
            panics::on_purpose("screen");
            let mut next = self.wait(scene.due());
            if next.is_none() {
                scene.tick();
            }
            while let Some(incoming) = next {
                if let Some(leave) = self.take(incoming, scene)? {
                    return Ok(leave);
                }
                // All that is there already is drawn at once.
                next = self.incoming.try_recv().ok();
            }
        }
    }

    /// What comes next; nothing by then.
    fn wait(&self, due: Option<Instant>) -> Option<Incoming> {
        let Some(due) = due else {
            return self.incoming.recv().ok();
        };
        let left = due.saturating_duration_since(Instant::now());
        self.incoming.recv_timeout(left).ok()
    }

    fn take<S: Scene>(
        &mut self,
        incoming: Incoming,
        scene: &mut S,
    ) -> Result<Option<S::Leave>, Ended> {
        match incoming {
            Incoming::Wake => scene.wake(),
            Incoming::Signal(SIGTSTP) => self.suspend()?,
            Incoming::Signal(SIGCONT) => self.resume()?,
            Incoming::Signal(SIGINT) => return Ok(scene.interrupt()),
            Incoming::Signal(signal) => return Err(Ended::Signal(signal)),
            Incoming::Broken(error) => return Err(error.into()),
            Incoming::Input(Event::Key(key)) if key.kind == KeyEventKind::Release => {}
            Incoming::Input(Event::Key(key)) if is_control(&key, 'c') => {
                return Ok(scene.interrupt());
            }
            Incoming::Input(Event::Key(key)) if is_control(&key, 'z') => self.suspend()?,
            Incoming::Input(Event::Key(key)) if is_control(&key, 'l') => self.clear()?,
            Incoming::Input(event) => return Ok(scene.input(&event)),
        }
        Ok(None)
    }

    /// Stops the program, as Ctrl-Z does elsewhere, until it is to go on.
    fn suspend(&mut self) -> Result<(), Ended> {
        leave();
        low_level::emulate_default_handler(SIGTSTP)?;
        self.resume()
    }

    /// Takes the terminal over again, whatever became of it meanwhile.
    fn resume(&mut self) -> Result<(), Ended> {
        disable_raw_mode()?;
        enter(self.has_mouse)?;
        self.clear()
    }

    /// Empties the screen, so that all of it is drawn anew. (`Terminal::clear` would ask the terminal where the
    /// cursor is, and the answer would be taken for something typed.)
    fn clear(&mut self) -> Result<(), Ended> {
        let size = self.terminal.size()?;
        Ok(self.terminal.resize(Rect::from((Position::ORIGIN, size)))?)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

fn enter(has_mouse: bool) -> io::Result<()> {
    enable_raw_mode()?;
    if has_mouse {
        execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)
    } else {
        execute!(io::stdout(), EnterAlternateScreen, DisableMouseCapture)
    }
}

/// Leaves the terminal as it was. What can't be put right is left as it is: there is nobody to tell.
fn leave() {
    let _ = execute!(
        io::stdout(),
        DisableMouseCapture,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
}

/// From now on signals come in as well.
fn listen(sender: &Sender<Incoming>) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT])?;
    let sender = sender.clone();
    thread::spawn(move || {
        for signal in signals.forever() {
            if sender.send(Incoming::Signal(signal)).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// Passes on what is typed.
fn read(sender: &Sender<Incoming>) {
    loop {
        let (incoming, is_last) = match event::read() {
            Ok(event) => (Incoming::Input(event), false),
            Err(error) => (Incoming::Broken(error), true),
        };
        if sender.send(incoming).is_err() || is_last {
            return;
        }
    }
}
