//! Which game is watched: one that programs or a policy play, or one whose moves are given.

use std::sync::Arc;

use crate::agents::Errors;
use crate::game::{Game, Given, Plan};
use crate::play::agent::Policy;
use crate::play::external::ExternalAgents;
use crate::play::session::Session;
use crate::puzzle::Puzzle;
use crate::rulesets::Entry;
use anyhow::{Result, anyhow, bail};

use super::live::{Cast, Live};
use super::play::Play;
use super::watched::Watched;
use crate::cli::agents::Programs;
use crate::cli::args::PolicyName;
use crate::cli::args::watch::WatchArgs;
use crate::cli::options::{Options, Share};

/// A game to be watched.
pub enum Show {
    /// These play it.
    Live(Cast),
    /// These are its moves, and what chasers did whom somebody led.
    Saved(String, Option<String>),
}

impl Show {
    /// The game on this board that was asked for.
    ///
    /// # Errors
    ///
    /// If there is nobody to play it and no line of play, or they can't play this board.
    pub fn of(
        args: &WatchArgs,
        (ruleset, game, puzzle): (&Entry, &dyn Game, &Puzzle),
        options: &Options,
    ) -> Result<Self> {
        let commands = args.agents.commands();
        let board = (ruleset, puzzle);
        let programs = Programs::new(&commands, board, &args.agents.manner)?;
        let is_own_way = args.policy.is_some() || args.agents.runner.is_some();
        let (moves, chasers) = match Given::of(puzzle) {
            Ok(given) if !is_own_way => given.unless(args.moves.as_deref()),
            _ => (args.moves.as_deref(), None),
        };
        let cast = Cast {
            moves: moves.map(str::to_owned),
            chasers: chasers.map(str::to_owned),
            policy: args.policy.map_or(Policy::Solver, PolicyName::kind),
            programs,
            turns: args.turns,
        };
        check(game, cast.clone(), options)?;
        match cast.moves {
            Some(moves) if cast.programs.is_none() => Ok(Self::Saved(moves, cast.chasers)),
            None if cast.programs.is_none() && args.policy.is_none() => bail!(
                "there is no game to watch: the board has no header `moves`; give `--moves`, `--policy`, or a \
                 program, such as `--runner 'python3 mine.py'`"
            ),
            _ => Ok(Self::Live(cast)),
        }
    }

    /// The game on the screen, and the one that is played beside it.
    pub fn begin<'g>(
        self,
        mut session: Box<dyn Session + 'g>,
        game: &Arc<dyn Game>,
        options: &Options,
        wake: impl Fn() + Send + 'static,
    ) -> (Play<'g>, Option<Live>) {
        match self {
            Self::Saved(line, chasers) => {
                session.lead(chasers.as_deref().unwrap_or_default());
                let watched = Watched::new(session, chasers.is_some());
                (Play::saved(watched, &line), None)
            }
            Self::Live(cast) => {
                let seed = session.seed();
                let watched = Watched::new(session, cast.leads_chasers());
                let live = Live::start((Arc::clone(game), seed), cast, options.clone(), wake);
                (Play::live(watched), Some(live))
            }
        }
    }
}

/// Whether the moves are a line and the programs have roles on this board. No program is started, and no policy
/// is searched for.
fn check(game: &dyn Game, cast: Cast, options: &Options) -> Result<()> {
    let limits = options.limits(Share::All);
    let agents = cast
        .programs
        .map(|programs| programs.agents(Errors::Kept, limits));
    let plan = Plan {
        moves: cast.moves.as_deref(),
        chasers: cast.chasers.as_deref(),
        policy: match cast.policy {
            Policy::Stay => Policy::Stay,
            _ => Policy::Greedy,
        },
        limits,
        external: agents.as_ref().map(|agents| agents as &dyn ExternalAgents),
        order: options.order,
        ..Plan::default()
    };
    match game.simulator(&plan) {
        Ok(_) => Ok(()),
        Err(error) => Err(anyhow!("{error}")),
    }
}
