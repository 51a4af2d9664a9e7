//! Games played by what a coarser model makes of a level.

use rayon::prelude::*;

use super::one_player::abstraction::Abstraction;
use crate::limits::Limits;
use crate::play::rollout::Rollout;
use crate::play::trace::{Ending, LineKind};
use crate::rng::Rng;
use crate::rules::dungeon::{Dungeon, Move, State};
use crate::ruleset::Ruleset;
use crate::solution::Simulated;

/// How many games are played, of how many turns at most, and where their luck comes from.
const GAMES: u64 = 1_000;
const TURNS: usize = 500;
const SEED: u64 = 0;

/// Games in which the player makes the move that is worth most by these values; `None` if a limit is reached before
/// all are played. They are the same however many threads play them.
pub(super) fn simulate(
    dungeon: &Dungeon,
    (model, values): (&Abstraction, &[f32]),
    limits: &Limits,
) -> Option<Simulated> {
    let play = |game: u64| {
        let mut at = dungeon.start();
        let mut choose =
            |at: &State, _: &mut Rng| Some(model.best(values, at).unwrap_or(Move::STAY));
        let mut rollout = Rollout {
            kind: LineKind::Played { seed: SEED },
            turns: TURNS,
            rng: &mut Rng::of_run(SEED, game),
            limits: *limits,
            sink: None,
        };
        let ending = rollout.play(dungeon, &mut at, &mut choose).ok()?;
        Some(u64::from(matches!(ending, Ending::Escaped { .. })))
    };
    let escaped = if limits.threads > 1 {
        let games = (0..GAMES).into_par_iter();
        games.map(play).sum::<Option<u64>>()
    } else {
        (0..GAMES).map(play).sum()
    };
    Some(Simulated {
        escaped: escaped?,
        games: GAMES,
        seed: SEED,
    })
}
