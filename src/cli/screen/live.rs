//! A game that programs or a policy play beside the screen, half turn by half turn.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use crate::agents::{AgentPool, Errors};
use crate::game::{Game, Plan};
use crate::play::agent::Policy;
use crate::play::external::ExternalAgents;
use crate::play::trace::{Ending, HalfTurn, TraceError, TraceSink};
use crate::rng::Rng;

use super::asker::limits;
use crate::cli::agents::Programs;
use crate::cli::options::Options;
use crate::cli::panics;

/// Who plays.
#[derive(Clone, Debug)]
pub struct Cast {
    /// The runner's moves, rather than a policy.
    pub moves: Option<String>,
    /// What the chasers did whom somebody led in the game of these moves, where no program plays.
    pub chasers: Option<String>,
    /// The runner's policy.
    pub policy: Policy,
    /// The programs that decide for some.
    pub programs: Option<Programs>,
    /// The most turns that are played.
    pub turns: usize,
}

impl Cast {
    /// Whether somebody leads chasers.
    pub fn leads_chasers(&self) -> bool {
        self.chasers.is_some() || self.programs.as_ref().is_some_and(Programs::lead_chasers)
    }
}

/// What is told of a game.
#[derive(Debug)]
pub enum Told {
    /// A half turn was played.
    Half(HalfTurn),
    /// The game is over, or no more turns are played.
    Over(Ending),
    /// It can't be played on.
    Failed(String),
}

/// A game that is being played in a thread of its own. It ends with this value, and so do the programs.
pub struct Live {
    told: Receiver<Told>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Live {
    /// A game that begins, with luck from `seed`; `wake` is called when there is something to be heard.
    pub fn start(
        (game, seed): (Arc<dyn Game>, u64),
        cast: Cast,
        options: Options,
        wake: impl Fn() + Send + 'static,
    ) -> Self {
        let (tell, told) = mpsc::channel();
        let stop = Arc::<AtomicBool>::default();
        let stopped = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            let mut teller = Teller { tell, wake };
            let play = || play((&*game, seed), cast, (&options, &stopped), &mut teller);
            let told = match panics::caught(play) {
                Ok(Ok(ending)) => Told::Over(ending),
                Ok(Err(error)) => Told::Failed(error.to_string()),
                Err(panic) => Told::Failed(panic),
            };
            // Nobody may be there to hear it any more.
            let _ = teller.tell(told);
        });
        Self {
            told,
            stop,
            thread: Some(thread),
        }
    }

    /// What has been told since.
    pub fn hear(&self) -> Vec<Told> {
        self.told.try_iter().collect()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // The programs have been ended when it has; a panic in it was told.
            let _ = thread.join();
        }
    }
}

fn play(
    (game, seed): (&dyn Game, u64),
    cast: Cast,
    (options, stop): (&Options, &AtomicBool),
    sink: &mut dyn TraceSink,
) -> Result<Ending, TraceError> {
    let limits = limits(options, stop);
    let agents: Option<AgentPool> = cast
        .programs
        .map(|programs| programs.agents(Errors::Kept, limits));
    let plan = Plan {
        moves: cast.moves.as_deref(),
        chasers: cast.chasers.as_deref(),
        policy: cast.policy,
        limits,
        external: agents.as_ref().map(|agents| agents as &dyn ExternalAgents),
        order: options.order,
        ..Plan::default()
    };
    let simulator = game.simulator(&plan)?;
    let result = simulator.play(Rng::new(seed), cast.turns, Some(sink))?;
    Ok(result.ending)
}

/// Tells the screen.
struct Teller<W> {
    tell: Sender<Told>,
    wake: W,
}

impl<W: Fn()> Teller<W> {
    /// # Errors
    ///
    /// If nobody is there to hear it.
    fn tell(&self, told: Told) -> io::Result<()> {
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        self.tell.send(told).map_err(gone)?;
        (self.wake)();
        Ok(())
    }
}

impl<W: Fn()> TraceSink for Teller<W> {
    fn half(&mut self, half: &HalfTurn) -> io::Result<()> {
        self.tell(Told::Half(half.clone()))
    }
}
