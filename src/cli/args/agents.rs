//! Arguments for programs that play.

use std::time::Duration;

use clap::Args;

use super::seconds;
use crate::play::agent::Policy;

const PLAYERS: &str = "Players (see `getaway rules agents`)";

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = PLAYERS)]
pub struct AgentArgs {
    #[command(flatten)]
    pub roles: RoleArgs,
    /// The runner's policy [default: solver].
    #[arg(long, value_enum, value_name = "POLICY", conflicts_with_all = ["runner", "moves"])]
    #[arg(hide_short_help = true)]
    pub policy: Option<Policy>,
    #[command(flatten)]
    pub manner: AgentMannerArgs,
}

/// The choices for each role. `compare` plays every combination; the other commands take one choice for each role.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = PLAYERS)]
pub struct RoleArgs {
    /// `solver`, `greedy`, `random`, `stay`, or a program.
    ///
    /// A program is given by its command. By default, the solver plays.
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
pub struct AgentMannerArgs {
    #[command(flatten)]
    pub limits: AgentLimitArgs,
    /// Start a process for each actor instead of one for each role.
    #[arg(long, hide_short_help = true)]
    pub process_per_actor: bool,
}

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = PLAYERS)]
pub struct AgentLimitArgs {
    /// The time limit for a move; a program that exceeds it loses the game.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    #[arg(hide_short_help = true)]
    pub move_timeout: Duration,
    /// The time limit for a program to start and answer the greeting.
    #[arg(long, value_name = "SECONDS", default_value = "1.5", value_parser = seconds)]
    #[arg(hide_short_help = true)]
    pub start_timeout: Duration,
}

#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = PLAYERS)]
pub struct ForfeitArgs {
    /// Stop after N forfeited games.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    #[arg(hide_short_help = true)]
    pub max_forfeits: u64,
}
