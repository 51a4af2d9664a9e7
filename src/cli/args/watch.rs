//! What can be typed about games that are watched.

use crate::play::agent::TURNS;
use clap::Args;

use super::PolicyName;
use super::agents::AgentArgs;

/// A game that nobody plays by hand.
#[derive(Clone, Debug, Args)]
pub struct WatchArgs {
    /// Watch a game: one that programs or a policy play, or the moves of `--moves` or the header `moves`.
    #[arg(long)]
    pub watch: bool,
    /// The runner's moves in the game that is watched.
    #[arg(
        long,
        value_name = "LINE",
        allow_hyphen_values = true,
        requires = "watch",
        conflicts_with = "policy"
    )]
    pub moves: Option<String>,
    /// The runner's policy in the game that is watched.
    #[arg(long, requires = "watch")]
    pub policy: Option<PolicyName>,
    /// Watch at most N turns.
    #[arg(long, value_name = "N", default_value_t = TURNS, requires = "watch")]
    pub turns: usize,
    #[command(flatten)]
    pub agents: AgentArgs,
}
