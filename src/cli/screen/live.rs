//! Watched games: a line of play, or a game that programs or a policy play in a thread.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};

use anyhow::{Result, anyhow, bail};
use getaway_board::limits::Limits;
use getaway_board::rng::Rng;
use getaway_play::agent::Policy;
use getaway_play::agents::{AgentPool, BoardInfo};
use getaway_play::external::ExternalAgents;
use getaway_play::session::Session;
use getaway_play::trace::{Ending, Ply, TraceError, TraceSink};
use getaway_search::search::Order;
use getaway_solvers::game::{Game, HeaderGame, Plan};

use super::asker::limits;
use super::play::{LiveEvent, Play};
use super::shelf::Opened;
use crate::cli::agents::{AgentLimitArgs, Entrant, WatchArgs, board_info, entrant};
use crate::cli::options::{Options, Share};
use crate::cli::panics;

#[derive(Clone, Debug)]
pub struct WatchedGame {
    moves: Option<String>,
    /// The chasers' part of a given line, from the header `chasers`.
    chasers: Option<String>,
    entrant: Entrant,
    board: BoardInfo,
    agent_limits: AgentLimitArgs,
    turns: usize,
    order: Order,
}

impl WatchedGame {
    /// Prepares the game that the arguments describe; starts no program and no search.
    pub fn new(args: &WatchArgs, opened: &Opened, options: &Options) -> Result<Self> {
        let entrant = entrant(&args.agents)?;
        let (moves, chasers) = match HeaderGame::of(&opened.puzzle) {
            Ok(given) if !entrant.has_runner() => given.overridden_by(args.moves.as_deref()),
            _ => (args.moves.as_deref(), None),
        };
        let watched = Self {
            moves: moves.map(str::to_owned),
            chasers: chasers.map(str::to_owned),
            entrant,
            board: board_info(opened.ruleset, &opened.puzzle),
            agent_limits: args.agents.limits.clone(),
            turns: args.turns,
            order: options.order,
        };
        let limits = options.limits(Share::All);
        let agents = watched.agents(limits);
        let mut plan = watched.plan(agents.as_ref(), limits);
        if plan.policy != Policy::Stay {
            // This is only a check, and the solver would have to search before it can play.
            plan.policy = Policy::Greedy;
        }
        let simulator = opened.game.simulator(&plan).map(|_| ());
        simulator.map_err(|error| anyhow!("{error}"))?;
        if watched.moves.is_none() && agents.is_none() && watched.entrant.policy.is_none() {
            bail!(
                "there is no game to watch: the board has no header `moves`; give `--moves`, `--policy`, or a \
                 program, such as `--runner 'python3 mine.py'`"
            );
        }
        Ok(watched)
    }

    pub fn begin<'g>(
        self,
        mut session: Box<dyn Session + 'g>,
        game: &Arc<dyn Game>,
        options: &Options,
        wake: impl Fn() + Send + 'static,
    ) -> (Play<'g>, Option<Live>) {
        if let Some(line) = &self.moves
            && !self.entrant.has_programs()
        {
            session.control(self.chasers.as_deref().unwrap_or_default());
            return (Play::saved(session, self.chasers.is_some(), line), None);
        }
        let is_controlled = self.chasers.is_some() || !self.entrant.is_by_rule();
        let (game, seed) = (Arc::clone(game), session.seed());
        let live = Live::start(game, seed, self, options.clone(), wake);
        (Play::live(session, is_controlled), Some(live))
    }

    fn agents<'l>(&self, limits: Limits<'l>) -> Option<AgentPool<'l>> {
        self.entrant
            .agents(self.board.clone(), &self.agent_limits, limits)
    }

    fn plan<'p>(&'p self, agents: Option<&'p AgentPool>, limits: Limits<'p>) -> Plan<'p> {
        Plan {
            moves: self.moves.as_deref(),
            chasers: self.chasers.as_deref(),
            policy: self.entrant.policy.unwrap_or_default(),
            limits,
            external: agents.map(|agents| agents as &dyn ExternalAgents),
            order: self.order,
            ..Plan::default()
        }
    }

    fn play(
        &self,
        game: &dyn Game,
        seed: u64,
        limits: Limits,
        sink: &mut dyn TraceSink,
    ) -> Result<Ending, TraceError> {
        let agents = self.agents(limits);
        let simulator = game.simulator(&self.plan(agents.as_ref(), limits))?;
        let result = simulator.play(Rng::new(seed), self.turns, Some(sink))?;
        Ok(result.ending)
    }
}

/// A game that runs in its own thread. Dropping this value ends the game and its programs.
pub struct Live {
    events: Receiver<LiveEvent>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Live {
    fn start(
        game: Arc<dyn Game>,
        seed: u64,
        watched: WatchedGame,
        options: Options,
        wake: impl Fn() + Send + 'static,
    ) -> Self {
        let (sender, events) = mpsc::channel();
        let stop = Arc::<AtomicBool>::default();
        let stopped = Arc::clone(&stop);
        let report = move |events| {
            sender.send(events).map_err(|_| io::ErrorKind::BrokenPipe)?;
            wake();
            Ok(())
        };
        let thread = thread::spawn(move || {
            let mut sink = |ply: &Ply| report(LiveEvent::Ply(ply.clone()));
            let limits = limits(&options, &stopped);
            let played = panics::caught(|| watched.play(&*game, seed, limits, &mut sink));
            let ending = played.and_then(|played| played.map_err(|error| error.to_string()));
            // This can't fail, since the receiver is dropped only after this thread has ended.
            let _: io::Result<()> = report(LiveEvent::Over(ending));
        });
        Self {
            events,
            stop,
            thread: Some(thread),
        }
    }

    pub fn events(&self) -> impl Iterator<Item = LiveEvent> {
        self.events.try_iter()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // The thread ends the programs itself, and reports its own panic.
            let _ = thread.join();
        }
    }
}
