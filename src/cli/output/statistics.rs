//! Statistics of many games, counted during play in any order.

use std::collections::BTreeMap;

use crate::distribution::wilson;
use crate::play::trace::{Ending, GameResult, RUNNER};
use crate::ruleset::Cause;
use serde::Serialize;

use crate::answers::words::{count, grouped, safe};

/// Numbers of games by some property.
type Counts<K> = BTreeMap<K, u64>;

#[derive(Clone, Debug)]
pub struct Games {
    most_turns: usize,
    results: Counts<GameEnd>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct GameEnd {
    how: How,
    turns: usize,
    gathered: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    Escaped,
    Caught(&'static str),
    /// Forfeited by the program in this role.
    Forfeited(String),
    Unfinished,
    Illegal,
}

impl Games {
    pub const fn of_turns(most_turns: usize) -> Self {
        Self {
            most_turns,
            results: Counts::new(),
        }
    }

    pub fn all_forfeited(most_turns: usize, games: u64) -> Self {
        let end = GameEnd {
            how: How::Forfeited(RUNNER.to_owned()),
            turns: 0,
            gathered: None,
        };
        Self {
            most_turns,
            results: Counts::from([(end, games)]),
        }
    }

    pub fn count(&self) -> u64 {
        self.results.values().sum()
    }

    pub fn add(&mut self, result: &GameResult) {
        let how = match &result.ending {
            Ending::Escaped { .. } => How::Escaped,
            Ending::Caught { cause, .. } => How::Caught(word(*cause)),
            Ending::Forfeited { fault, .. } => How::Forfeited(fault.role.clone()),
            Ending::Open { .. } => How::Unfinished,
            Ending::Illegal { .. } => How::Illegal,
        };
        let end = GameEnd {
            how,
            turns: result.ending.turns(),
            gathered: result.gathered,
        };
        *self.results.entry(end).or_default() += 1;
    }

    pub fn and(mut self, others: Self) -> Self {
        for (end, games) in others.results {
            *self.results.entry(end).or_default() += games;
        }
        self
    }

    pub fn statistics(&self) -> Statistics {
        let (mut causes, mut forfeited) = (Counts::new(), Counts::new());
        let [mut escaped, mut open, mut cut_off, mut illegal] = [0; 4];
        for (GameEnd { how, turns, .. }, games) in &self.results {
            match how {
                How::Escaped => escaped += games,
                How::Caught(cause) => *causes.entry(*cause).or_default() += games,
                How::Forfeited(role) => {
                    *forfeited.entry(role.clone()).or_default() += games;
                    if role == RUNNER {
                        *causes.entry("forfeit").or_default() += games;
                    } else {
                        escaped += games;
                    }
                }
                How::Unfinished => {
                    open += games;
                    cut_off += if *turns >= self.most_turns { *games } else { 0 };
                }
                How::Illegal => illegal += games,
            }
        }
        let (runs, caught) = (self.count(), causes.values().sum());
        let finished = escaped + caught;
        let (rate, interval) = wilson(escaped, runs);
        let (rate_finished, interval_finished) = wilson(escaped, finished);
        let share = |games: u64| games as f64 / runs.max(1) as f64;
        Statistics {
            runs,
            seed: None,
            policy: None,
            escaped,
            rate,
            interval,
            caught,
            causes,
            open,
            illegal,
            forfeited,
            turns: self.spread(|end| Some(end.turns)),
            gathered: self.spread(|end| end.gathered),
            finished,
            rate_finished: (finished > 0).then_some(rate_finished),
            interval_finished,
            bounds: [share(escaped), share(escaped + open)],
            cut_off,
        }
    }

    fn spread(&self, number: fn(&GameEnd) -> Option<usize>) -> Option<Spread> {
        let mut counts = Counts::new();
        for (end, games) in &self.results {
            if let Some(number) = number(end) {
                *counts.entry(number).or_default() += games;
            }
        }
        let count: u64 = counts.values().sum();
        let sum = |(number, games): (&usize, &u64)| *number as u128 * u128::from(*games);
        let mut before = 0;
        let mut numbers = counts.iter();
        let median = numbers.find_map(|(number, games)| {
            before += games;
            (before > count / 2).then_some(*number)
        });
        Some(Spread {
            mean: counts.iter().map(sum).sum::<u128>() as f64 / count as f64,
            median: median?,
            least: *counts.keys().next()?,
            most: *counts.keys().next_back()?,
        })
    }
}

#[derive(Debug, Serialize)]
pub struct Statistics {
    pub runs: u64,
    /// The seed for chance. Like the policy, it is set only if a single policy plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    pub escaped: u64,
    pub rate: f64,
    /// Wilson's 95 % confidence interval.
    pub interval: [f64; 2],
    pub caught: u64,
    causes: Counts<&'static str>,
    /// The number of games that were not over at the turn limit or at the end of the moves.
    pub open: u64,
    /// The number of games in which a given move was illegal.
    illegal: u64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    forfeited: Counts<String>,
    pub turns: Option<Spread>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gathered: Option<Spread>,
    finished: u64,
    rate_finished: Option<f64>,
    interval_finished: [f64; 2],
    /// The proportion of escapes if no unfinished game ended in an escape, and if all did.
    bounds: [f64; 2],
    /// The number of unfinished games that the turn limit ended.
    #[serde(skip)]
    cut_off: u64,
}

#[derive(Debug, Serialize)]
pub struct Spread {
    pub mean: f64,
    median: usize,
    least: usize,
    most: usize,
}

impl Statistics {
    pub fn text(&self) -> String {
        let mut lines = vec![
            format!(
                "{}, policy {}, seed {}",
                count(self.runs, "game"),
                safe(self.policy.as_deref().unwrap_or_default()),
                self.seed.unwrap_or_default()
            ),
            format!(
                "escaped {} ({})",
                grouped(self.escaped),
                rate(self.rate, self.interval)
            ),
        ];
        let caught = grouped(self.caught);
        lines.push(match self.causes() {
            causes if causes.is_empty() => format!("caught {caught}"),
            causes => format!("caught {caught} ({})", causes.join(", ")),
        });
        lines.push(format!("unfinished {}", grouped(self.open)));
        if self.illegal > 0 {
            let games = count(self.illegal, "game");
            lines.push(format!("{games} with illegal moves"));
        }
        for (role, games) in &self.forfeited {
            let games = count(*games, "game");
            lines.push(format!("{games} forfeited by the {role}"));
        }
        if self.open > 0 {
            lines.extend(self.about_unfinished());
        }
        for (name, spread) in [("turns", &self.turns), ("gathered", &self.gathered)] {
            lines.extend(spread.as_ref().map(|spread| {
                let Spread {
                    mean,
                    median,
                    least,
                    most,
                } = spread;
                format!("{name} {mean:.2} on average, median {median}, from {least} to {most}")
            }));
        }
        lines.join("\n") + "\n"
    }

    fn about_unfinished(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(share) = self.rate_finished {
            let finished = grouped(self.finished);
            let rate = rate(share, self.interval_finished);
            lines.push(format!("of the {finished} finished: escaped {rate}"));
        }
        let [low, high] = self.bounds.map(|share| 100.0 * share);
        lines.push(format!(
            "over all games, finished or not: escaped {low:.2} to {high:.2} %"
        ));
        if self.cut_off > 0 {
            let games = count(self.cut_off, "game");
            lines.push(format!(
                "{games} cut off by the turn limit: raise `--turns`"
            ));
        }
        lines
    }

    /// Returns texts such as `chaser 12`.
    pub fn causes(&self) -> Vec<String> {
        let causes = self.causes.iter();
        causes
            .map(|(cause, games)| format!("{cause} {}", grouped(*games)))
            .collect()
    }
}

fn rate(share: f64, [low, high]: [f64; 2]) -> String {
    let [share, low, high] = [share, low, high].map(|share| 100.0 * share);
    format!("{share:.2} %, 95 % interval {low:.2} to {high:.2} %")
}

const fn word(cause: Cause) -> &'static str {
    match cause {
        Cause::Chaser => "chaser",
        Cause::WalkedInto => "walked-into",
        Cause::Abyss => "abyss",
        Cause::Trapped => "trapped",
    }
}

#[cfg(test)]
mod tests;
