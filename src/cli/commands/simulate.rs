//! `getaway simulate`: a board played by a policy, once with its trace, or many times with statistics.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use anyhow::{Result, bail};
use getaway::game::{Bout, Ending, Game, Player, TraceError};
use getaway::play::rollout::{Conduct, Named};
use getaway::puzzle::Puzzle;
use getaway::rng::Luck;
use getaway::ruleset::Cause;
use rayon::prelude::*;
use serde::Serialize;

use super::trace::{finish, narrator};
use crate::cli::args::{Color, PolicyName, Simulate};
use crate::cli::one_board::OneBoard;
use crate::cli::options::{Options, Share};
use crate::cli::output::progress::Progress;
use crate::cli::output::words::{count, grouped};

/// Plays the board that was asked for.
pub fn run(args: &Simulate, color: Color) -> Result<ExitCode> {
    let options = Options::new(&args.search, args.threads)?;
    let single = OneBoard::new(&args.board.file, &options, color);
    single.run(|puzzle, game| board(args, &single, puzzle, game))
}

fn board(args: &Simulate, single: &OneBoard, puzzle: &Puzzle, game: &dyn Game) -> Result<ExitCode> {
    let header = puzzle.header("moves").map(|header| &*header.value);
    let conduct = Conduct {
        moves: args
            .moves
            .as_deref()
            .or(header.filter(|_| args.policy.is_none())),
        policy: args.policy.map_or(Named::Solver, PolicyName::named),
        order: single.options.order,
        limits: single.options.limits(Share::All),
    };
    let Some(seed) = seed(args, puzzle) else {
        bail!("{}: the header `seed` is not a whole number", single.path());
    };
    let plan = Runs {
        args,
        seed,
        options: single.options,
    };
    match game.player(&conduct) {
        Ok(player) if args.runs.is_some() => plan.many(&*player, &conduct),
        Ok(player) => plan.one(single, puzzle, &*player),
        Err(error) => {
            let mut out = io::stdout().lock();
            let mut teller = narrator(args.json, single, puzzle, &mut out);
            finish(
                Err(error),
                &mut *teller,
                (single, puzzle),
                args.moves.is_some(),
            )
        }
    }
}

/// The seed given, the one in the header, or a fresh one; `None` if the header's is none.
fn seed(args: &Simulate, puzzle: &Puzzle) -> Option<u64> {
    // A fresh seed is kept short, so that it can be typed again.
    let fresh = || RandomState::new().hash_one(0) >> 32;
    match (args.seed, puzzle.header("seed")) {
        (Some(seed), _) => Some(seed),
        (None, Some(header)) => header.value.parse().ok(),
        (None, None) => Some(fresh()),
    }
}

/// What is to be played.
struct Runs<'a> {
    args: &'a Simulate,
    seed: u64,
    options: &'a Options,
}

impl Runs<'_> {
    fn one(&self, single: &OneBoard, puzzle: &Puzzle, player: &dyn Player) -> Result<ExitCode> {
        let mut out = BufWriter::new(io::stdout().lock());
        let mut teller = narrator(self.args.json, single, puzzle, &mut out);
        let luck = &mut Luck::new(self.seed);
        let bout = player.play(luck, self.args.turns, Some(&mut *teller));
        let gathered = bout.as_ref().ok().and_then(|bout| bout.gathered);
        let ending = bout.map(|bout| bout.ending);
        let code = finish(
            ending,
            &mut *teller,
            (single, puzzle),
            self.args.moves.is_some(),
        )?;
        drop(teller);
        if let Some(gathered) = gathered.filter(|_| !self.args.json) {
            writeln!(out, "gathered {gathered}")?;
        }
        out.flush()?;
        Ok(code)
    }

    fn many(&self, player: &dyn Player, conduct: &Conduct) -> Result<ExitCode> {
        let runs = self.args.runs.unwrap_or(1);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.options.threads)
            .build()?;
        let bar = if Progress::is_wanted() {
            Progress::of_games(runs)
        } else {
            Progress::hidden()
        };
        let results = pool.install(|| self.play_all(player, runs, &bar));
        bar.finish();
        let bouts: Vec<Bout> = results.into_iter().flatten().collect();
        let is_whole = bouts.len() as u64 == runs;
        let statistics = Statistics::of(&bouts, self.seed, policy_name(conduct));
        let mut out = io::stdout().lock();
        if self.args.json {
            serde_json::to_writer(&mut out, &statistics)?;
            writeln!(out)?;
        } else {
            write!(out, "{}", statistics.text())?;
        }
        if is_whole {
            return Ok(ExitCode::SUCCESS);
        }
        writeln!(
            io::stderr(),
            "interrupted after {} of {runs} games",
            bouts.len()
        )?;
        Ok(ExitCode::from(3))
    }

    /// All games in their order, each with a luck of its own; `None` for those that were broken off.
    fn play_all(&self, player: &dyn Player, runs: u64, bar: &Progress) -> Vec<Option<Bout>> {
        let play = |run| {
            if self.options.is_stopped() {
                return None;
            }
            let bout = player.play(&mut Luck::of_run(self.seed, run), self.args.turns, None);
            if run % 256 == 0 {
                bar.advance_games(256);
            }
            // Silence does not fail, so only a limit can have ended the game.
            bout.map_err(|error| debug_assert!(matches!(error, TraceError::Undecided(_))))
                .ok()
        };
        (0..runs).into_par_iter().map(play).collect()
    }
}

const fn policy_name(conduct: &Conduct) -> &'static str {
    match (conduct.moves, conduct.policy) {
        (Some(_), _) => "moves",
        (None, Named::Solver) => "solver",
        (None, Named::Greedy) => "greedy",
        (None, Named::Random) => "random",
        (None, Named::Stay) => "stay",
    }
}

/// What many games came to.
#[derive(Serialize)]
struct Statistics {
    runs: u64,
    seed: u64,
    policy: &'static str,
    escaped: u64,
    /// The share of games with an escape.
    rate: f64,
    /// Wilson's 95 % confidence interval for it.
    interval: [f64; 2],
    caught: u64,
    causes: BTreeMap<&'static str, u64>,
    /// Games that were still going on at the turn limit, or at the end of the moves.
    open: u64,
    /// Games in which the moves given could not be played.
    illegal: u64,
    turns: Option<Spread>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gathered: Option<Spread>,
}

/// How some numbers are spread.
#[derive(Serialize)]
struct Spread {
    mean: f64,
    median: usize,
    least: usize,
    most: usize,
}

impl Spread {
    fn of(mut numbers: Vec<usize>) -> Option<Self> {
        numbers.sort_unstable();
        let (least, most) = (*numbers.first()?, *numbers.last()?);
        let mean = numbers.iter().sum::<usize>() as f64 / numbers.len() as f64;
        Some(Self {
            mean,
            median: numbers[numbers.len() / 2],
            least,
            most,
        })
    }

    fn text(&self) -> String {
        let Self {
            mean,
            median,
            least,
            most,
        } = self;
        format!("{mean:.2} on average, median {median}, from {least} to {most}")
    }
}

impl Statistics {
    fn of(bouts: &[Bout], seed: u64, policy: &'static str) -> Self {
        let mut causes = BTreeMap::new();
        let (mut escaped, mut caught, mut open, mut illegal) = (0, 0, 0, 0);
        let mut turns = Vec::with_capacity(bouts.len());
        for bout in bouts {
            turns.push(match bout.ending {
                Ending::Escaped { turns } => {
                    escaped += 1;
                    turns
                }
                Ending::Caught { turns, cause } => {
                    caught += 1;
                    *causes.entry(word(cause)).or_default() += 1;
                    turns
                }
                Ending::Open { turns } => {
                    open += 1;
                    turns
                }
                Ending::Illegal { turn, .. } => {
                    illegal += 1;
                    turn - 1
                }
            });
        }
        let gathered = bouts.iter().filter_map(|bout| bout.gathered).collect();
        let runs = bouts.len() as u64;
        let (rate, interval) = wilson(escaped, runs);
        Self {
            runs,
            seed,
            policy,
            escaped,
            rate,
            interval,
            caught,
            causes,
            open,
            illegal,
            turns: Spread::of(turns),
            gathered: Spread::of(gathered),
        }
    }

    fn text(&self) -> String {
        let [low, high] = self.interval.map(|share| 100.0 * share);
        let mut text = format!(
            "{}, policy {}, seed {}\nescaped {} ({:.2} %, 95 % interval {low:.2} to {high:.2} %)\n",
            count(self.runs, "game"),
            self.policy,
            self.seed,
            grouped(self.escaped),
            100.0 * self.rate,
        );
        text += &format!("caught {}", grouped(self.caught));
        let causes: Vec<_> = self
            .causes
            .iter()
            .map(|(cause, games)| format!("{cause} {}", grouped(*games)))
            .collect();
        if !causes.is_empty() {
            text += &format!(" ({})", causes.join(", "));
        }
        text += &format!("\nopen at the end {}\n", grouped(self.open));
        if self.illegal > 0 {
            text += &format!("not to be played {}\n", grouped(self.illegal));
        }
        for (name, spread) in [("turns", &self.turns), ("gathered", &self.gathered)] {
            if let Some(spread) = spread {
                text += &format!("{name} {}\n", spread.text());
            }
        }
        text
    }
}

const fn word(cause: Cause) -> &'static str {
    match cause {
        Cause::Chaser => "chaser",
        Cause::WalkedInto => "walked-into",
        Cause::Abyss => "abyss",
        Cause::Trapped => "trapped",
    }
}

/// The share of `hits` in `runs` with Wilson's score interval at 95 %.
fn wilson(hits: u64, runs: u64) -> (f64, [f64; 2]) {
    /// The quantile of the normal distribution at 97.5 %.
    const Z: f64 = 1.959_963_984_540_054;
    if runs == 0 {
        return (0.0, [0.0, 1.0]);
    }
    let (hits, runs) = (hits as f64, runs as f64);
    let share = hits / runs;
    let middle = (share + Z * Z / (2.0 * runs)) / (1.0 + Z * Z / runs);
    let spread = share * (1.0 - share) / runs + Z * Z / (4.0 * runs * runs);
    let half = Z * spread.sqrt() / (1.0 + Z * Z / runs);
    (share, [(middle - half).max(0.0), (middle + half).min(1.0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against values from tables.
    #[test]
    fn the_interval_is_wilsons() {
        for (hits, runs, low, high) in [
            (0, 10, 0.0, 0.2775),
            (5, 10, 0.2366, 0.7634),
            (10, 10, 0.7225, 1.0),
            (81, 263, 0.2553, 0.3662),
        ] {
            let (_, interval) = wilson(hits, runs);
            assert!(
                (interval[0] - low).abs() < 1e-4,
                "{hits} of {runs}: {interval:?}"
            );
            assert!(
                (interval[1] - high).abs() < 1e-4,
                "{hits} of {runs}: {interval:?}"
            );
        }
    }
}
