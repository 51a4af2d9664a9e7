//! Arguments for programs that play.

use std::time::Duration;

use clap::Args;

use super::seconds;

const AGENTS: &str = "Programs that play (see `getaway rules agents`)";

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = AGENTS)]
pub struct AgentArgs {
    /// A program that decides for the runner.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["policy", "moves"])]
    pub runner: Option<String>,
    /// A program that moves the ghosts of a `dungeon`.
    #[arg(long, value_name = "COMMAND")]
    pub ghost: Option<String>,
    /// A program that moves the zombies of a `dungeon`.
    #[arg(long, value_name = "COMMAND")]
    pub zombie: Option<String>,
    /// A program that moves the monsters of `baddies`, `m` and `M`.
    #[arg(long, value_name = "COMMAND")]
    pub monster: Option<String>,
    #[command(flatten)]
    pub manner: AgentMannerArgs,
}

#[derive(Clone, Debug, Args)]
pub struct AgentMannerArgs {
    /// The time limit for a move; a program that exceeds it loses the game.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    pub move_timeout: Duration,
    /// The time limit for a program to start and answer the greeting.
    #[arg(long, value_name = "SECONDS", default_value = "1.5", value_parser = seconds)]
    pub start_timeout: Duration,
    /// Start a process for each actor instead of one for each role.
    #[arg(long)]
    pub process_per_actor: bool,
}

#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = AGENTS)]
pub struct ForfeitArgs {
    /// Stop after N forfeited games.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_forfeits: u64,
}

impl AgentArgs {
    pub fn commands(&self) -> Vec<(&'static str, &str)> {
        let all = [
            ("runner", self.runner.as_deref()),
            ("ghost", self.ghost.as_deref()),
            ("zombie", self.zombie.as_deref()),
            ("monster", self.monster.as_deref()),
        ];
        all.into_iter()
            .filter_map(|(role, command)| Some((role, command?)))
            .collect()
    }
}
