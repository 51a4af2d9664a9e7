//! The players: policies, and the programs named on the command line.

use getaway_play::agents::{AgentCommand, AgentLimits, AgentPool, BoardInfo};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use getaway_board::limits::Limits;
use getaway_board::puzzle::Puzzle;
use getaway_play::agent::{Policy, TURNS};
use getaway_play::trace::RUNNER;
use getaway_solvers::rulesets::Entry;

use crate::cli::args::{POLICIES, ShortestArgs, one_of, seconds};

use getaway_board::words::safe;

const PLAYERS: &str = "Players (see `getaway rules agents`)";

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = PLAYERS)]
pub struct AgentArgs {
    #[command(flatten)]
    pub roles: RoleArgs,
    /// The runner's policy [default: solver].
    #[arg(long, value_parser = one_of(POLICIES), value_name = "POLICY", conflicts_with_all = ["runner", "moves"])]
    #[arg(hide_short_help = true)]
    pub policy: Option<Policy>,
    #[command(flatten)]
    pub limits: AgentLimitArgs,
}

/// The choices for each role. `compare` plays every combination; the other commands take one choice for each role.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = PLAYERS)]
pub struct RoleArgs {
    /// `solver`, `greedy`, `random`, `stay`, or a program.
    ///
    /// A program is given by its command. By default, the solver plays. A program moves all players, unless there is one for
    /// each, from the top left, as in `python3 a.py + python3 b.py`.
    #[arg(long, value_name = "RUNNER")]
    pub runner: Vec<String>,
    /// Ghosts: `rule`, `chase`, `cooldown`, or a program.
    ///
    /// This applies to a `dungeon`. `rule` is the board's own strategy. `chase` and `cooldown` apply to
    /// the zombies as well.
    #[arg(long, value_name = "GHOST")]
    pub ghost: Vec<String>,
    /// Zombies: `rule`, or a program.
    ///
    /// This applies to a `dungeon`.
    #[arg(long, value_name = "ZOMBIE")]
    pub zombie: Vec<String>,
    /// Monsters `m` and `M`: `rule`, or a program.
    ///
    /// This applies to `baddies`.
    #[arg(long, value_name = "MONSTER")]
    pub monster: Vec<String>,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = PLAYERS)]
pub struct AgentLimitArgs {
    /// The time limit for a move; a program that exceeds it loses the game.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    #[arg(hide_short_help = true)]
    pub move_timeout: Duration,
    /// The time limit for a program to start and answer the greeting.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    #[arg(hide_short_help = true)]
    pub start_timeout: Duration,
}

#[derive(Clone, Debug, Args)]
pub struct WatchArgs {
    /// Watch a game of programs or policies, or given moves.
    ///
    /// The moves are those in `--moves` or the header `moves`.
    #[arg(long, alias = "watch")]
    pub spectate: bool,
    /// The runner's moves in a watched game.
    #[arg(
        long,
        value_name = "MOVES",
        allow_hyphen_values = true,
        requires = "spectate"
    )]
    pub moves: Option<String>,
    /// Watch at most N turns.
    #[arg(long, value_name = "N", default_value_t = TURNS, requires = "spectate", hide_short_help = true)]
    pub turns: usize,
    #[command(flatten)]
    pub shortest: ShortestArgs,
    #[command(flatten)]
    pub agents: AgentArgs,
}

pub fn agent_limits<'l>(args: &AgentLimitArgs, limits: Limits<'l>) -> AgentLimits<'l> {
    AgentLimits {
        move_timeout: args.move_timeout,
        start_timeout: args.start_timeout,
        limits,
        listener: None,
    }
}

pub fn board_info(ruleset: &Entry, puzzle: &Puzzle) -> BoardInfo {
    let own = |key: &str| ruleset.settings.contains(&key);
    let headers = puzzle.headers.iter();
    let settings = headers.filter(|header| own(&header.key));
    BoardInfo {
        ruleset: ruleset.name.to_owned(),
        settings: settings
            .map(|header| (header.key.to_string(), header.value.to_string()))
            .collect(),
    }
}

#[derive(Clone, Debug, Default)]
pub struct Entrant {
    pub name: String,
    pub policy: Option<Policy>,
    commands: Vec<(String, AgentCommand)>,
    pub strategy: Option<&'static str>,
}

const STRATEGIES: [&str; 2] = ["chase", "cooldown"];

/// The choice that leaves chasers to their own rules, without a program.
const BY_RULE: &str = "rule";

impl Entrant {
    /// Returns the entrant's programs as agents for a board; `None` if only policies and rules play.
    pub fn agents<'l>(
        &self,
        board: BoardInfo,
        args: &AgentLimitArgs,
        limits: Limits<'l>,
    ) -> Option<AgentPool<'l>> {
        // As the pool requires, this program starts no processes but agents, and uses one pool at a time.
        let pool = || AgentPool::new(board, self.commands.clone(), agent_limits(args, limits));
        self.has_programs().then(pool)
    }

    pub fn has_programs(&self) -> bool {
        !self.commands.is_empty()
    }

    /// Returns whether the solver plays without programs. Its games may then take many turns, since it may wait long for a better
    /// chance.
    pub fn is_solver_alone(&self) -> bool {
        self.policy.unwrap_or_default() == Policy::Solver && !self.has_programs()
    }

    pub fn has_runner(&self) -> bool {
        self.policy.is_some() || self.commands.iter().any(|(role, _)| role == RUNNER)
    }

    /// Returns whether no program moves a chaser, so that all chasers follow the board's rules or the entrant's strategy. Only
    /// then can the solver compute the best possible rate.
    pub fn is_by_rule(&self) -> bool {
        self.commands.iter().all(|(role, _)| role == RUNNER)
    }

    fn with(&self, role: &str, choice: &str) -> Result<Self> {
        let command = |line| match AgentCommand::parse(line) {
            Ok(command) => Ok((role.to_owned(), command)),
            Err(why) => bail!("`--{role} {}`: {why}", safe(line)),
        };
        let mut new = self.clone();
        if !new.name.is_empty() {
            new.name += ", ";
        }
        if role != RUNNER {
            new.name += &format!("{role} ");
        }
        new.name += choice;
        let policy = Policy::ALL
            .into_iter()
            .find(|policy| policy.name() == choice);
        let strategy = STRATEGIES.into_iter().find(|known| *known == choice);
        match (role, policy) {
            (RUNNER, Some(policy)) => new.policy = Some(policy),
            ("ghost", _) if strategy.is_some() => new.strategy = strategy,
            ("ghost" | "zombie" | "monster", _) if choice == BY_RULE => {}
            (RUNNER, None) => {
                for line in choice.split(" + ") {
                    new.commands.push(command(line)?);
                }
            }
            _ => new.commands.push(command(choice)?),
        }
        Ok(new)
    }
}

/// Returns an entrant for each combination of choices, or an error if a program's command is empty or has an unclosed quote.
pub fn entrants(args: &RoleArgs) -> Result<Vec<Entrant>> {
    let mut all = vec![Entrant::default()];
    for (role, choices) in [
        (RUNNER, &args.runner),
        ("ghost", &args.ghost),
        ("zombie", &args.zombie),
        ("monster", &args.monster),
    ] {
        if !choices.is_empty() {
            let each =
                |entrant: Entrant| choices.iter().map(move |choice| entrant.with(role, choice));
            all = all.into_iter().flat_map(each).collect::<Result<_>>()?;
        }
    }
    Ok(all)
}

pub fn entrant(args: &AgentArgs) -> Result<Entrant> {
    let Ok([entrant]) = <[_; 1]>::try_from(entrants(&args.roles)?) else {
        bail!("give each role only once; to try several agents for a role, use `getaway compare`");
    };
    let policy = args.policy.or(entrant.policy);
    Ok(Entrant { policy, ..entrant })
}
