//! Statistics of many games: their endings, their numbers of turns and the escape rate.

use std::collections::BTreeMap;

use getaway_board::limits::{Bounds, Limit};
use getaway_play::trace::{Ending, GameResult, RUNNER};
use getaway_ruleset::Cause;
use getaway_ruleset::distribution::wilson;
use serde::Serialize;

use getaway_board::words::{count, grouped, safe};

type Counts<K> = BTreeMap<K, u64>;

#[derive(Clone, Debug, Default)]
pub struct Games {
    max_turns: usize,
    /// The numbers of lost games by their causes.
    causes: Counts<&'static str>,
    /// The numbers of games that programs forfeited, by their roles.
    forfeited: Counts<String>,
    unfinished: u64,
    /// The number of unfinished games that the turn limit ended.
    cut_off: u64,
    illegal: u64,
    turns: Counts<usize>,
    gathered: Counts<usize>,
    /// The first limit that ended the search for the policy's moves, and so left a game unfinished; `None` if there was none.
    pub limit: Option<Limit>,
}

/// The cause of a game that the runner's program forfeited.
const FORFEIT: &str = "forfeit";

fn add<K: Ord>(counts: &mut Counts<K>, more: impl IntoIterator<Item = (K, u64)>) {
    for (key, games) in more {
        *counts.entry(key).or_default() += games;
    }
}

impl Games {
    pub fn of_turns(max_turns: usize) -> Self {
        Self {
            max_turns,
            ..Self::default()
        }
    }

    pub fn all_forfeited(max_turns: usize, games: u64) -> Self {
        Self {
            causes: Counts::from([(FORFEIT, games)]),
            forfeited: Counts::from([(RUNNER.to_owned(), games)]),
            turns: Counts::from([(0, games)]),
            ..Self::of_turns(max_turns)
        }
    }

    pub fn count(&self) -> u64 {
        self.turns.values().sum()
    }

    pub fn add(&mut self, result: &GameResult) {
        let turns = result.ending.turns();
        match &result.ending {
            Ending::Escaped { .. } => {}
            Ending::Caught { cause, .. } => add(&mut self.causes, [(word(*cause), 1)]),
            Ending::Forfeited { fault, .. } => {
                add(&mut self.causes, fault.is_runners().then_some((FORFEIT, 1)));
                add(&mut self.forfeited, [(fault.role.clone(), 1)]);
            }
            Ending::Open { limit, .. } => {
                self.limit = self.limit.or(*limit);
                self.unfinished += 1;
                self.cut_off += u64::from(turns >= self.max_turns);
            }
            Ending::Illegal { .. } => self.illegal += 1,
        }
        add(&mut self.turns, [(turns, 1)]);
        add(
            &mut self.gathered,
            result.gathered.map(|gathered| (gathered, 1)),
        );
    }

    pub fn and(mut self, others: Self) -> Self {
        self.limit = self.limit.or(others.limit);
        self.unfinished += others.unfinished;
        self.cut_off += others.cut_off;
        self.illegal += others.illegal;
        add(&mut self.causes, others.causes);
        add(&mut self.forfeited, others.forfeited);
        add(&mut self.turns, others.turns);
        add(&mut self.gathered, others.gathered);
        self
    }

    pub fn statistics(&self) -> Statistics {
        let (runs, caught) = (self.count(), self.causes.values().sum::<u64>());
        // A game that a chaser's program forfeits counts as an escape.
        let escaped = runs - caught - self.unfinished - self.illegal;
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
            causes: self.causes.clone(),
            open: self.unfinished,
            illegal: self.illegal,
            forfeited: self.forfeited.clone(),
            turns: Spread::of(&self.turns),
            gathered: Spread::of(&self.gathered),
            finished,
            rate_finished: (finished > 0).then_some(rate_finished),
            interval_finished,
            bounds: Bounds {
                lower: share(escaped),
                upper: share(escaped + self.unfinished),
            },
            cut_off: self.cut_off,
        }
    }
}

#[derive(Debug, Serialize)]
pub struct Statistics {
    pub runs: u64,
    /// The seed. Like the policy, it is set by `simulate`, but not in the rows of a comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    pub escaped: u64,
    pub rate: f64,
    pub interval: Bounds,
    pub caught: u64,
    causes: Counts<&'static str>,
    /// The number of unfinished games: those cut off by the turn limit, by the end of the moves, or because a limit ended the
    /// search for the policy's moves.
    pub open: u64,
    illegal: u64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    forfeited: Counts<String>,
    pub turns: Option<Spread>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gathered: Option<Spread>,
    finished: u64,
    rate_finished: Option<f64>,
    interval_finished: Bounds,
    /// The escape rate if no unfinished game ended in an escape, and if all did.
    bounds: Bounds,
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

impl Spread {
    fn of(counts: &Counts<usize>) -> Option<Self> {
        let count: u64 = counts.values().sum();
        let sums = counts
            .iter()
            .map(|(number, games)| *number as u128 * u128::from(*games));
        let mut before = 0;
        let median = counts.iter().find(|(_, games)| {
            before += *games;
            before > count / 2
        });
        Some(Self {
            mean: sums.sum::<u128>() as f64 / count as f64,
            median: *median?.0,
            least: *counts.keys().next()?,
            most: *counts.keys().next_back()?,
        })
    }

    fn text(&self) -> String {
        let (mean, median) = (self.mean, self.median);
        let (least, most) = (self.least, self.most);
        format!("{mean:.2} on average, median {median}, from {least} to {most}")
    }
}

impl Statistics {
    pub fn text(&self) -> String {
        let runs = count(self.runs, "game");
        let policy = safe(self.policy.as_deref().unwrap_or_default());
        let seed = self.seed.unwrap_or_default();
        let rate = rate(self.rate, self.interval);
        let caught = match self.causes() {
            causes if causes.is_empty() => String::new(),
            causes => format!(" ({})", causes.join(", ")),
        };
        let mut lines = vec![
            format!("{runs}, policy {policy}, seed {seed}"),
            format!("escaped {} ({rate})", grouped(self.escaped)),
            format!("caught {}{caught}", grouped(self.caught)),
            format!("unfinished {}", grouped(self.open)),
        ];
        if self.illegal > 0 {
            lines.push(format!(
                "{} with illegal moves",
                count(self.illegal, "game")
            ));
        }
        for (role, games) in &self.forfeited {
            let games = count(*games, "game");
            lines.push(format!("{games} forfeited by the {role}"));
        }
        if self.open > 0 {
            lines.extend(self.about_unfinished());
        }
        for (name, spread) in [("turns", &self.turns), ("gathered", &self.gathered)] {
            let spread = spread.as_ref().map(Spread::text);
            lines.extend(spread.map(|spread| format!("{name} {spread}")));
        }
        lines.join("\n") + "\n"
    }

    fn about_unfinished(&self) -> impl Iterator<Item = String> {
        let finished = self.rate_finished.map(|share| {
            let (finished, interval) = (grouped(self.finished), self.interval_finished);
            format!(
                "of the {finished} finished: escaped {}",
                rate(share, interval)
            )
        });
        let all = percents(self.bounds);
        let all = format!("over all games, finished or not: escaped {all}");
        let cut_off = (self.cut_off > 0).then(|| {
            let games = count(self.cut_off, "game");
            format!("{games} cut off by the turn limit: raise `--turns`")
        });
        [finished, Some(all), cut_off].into_iter().flatten()
    }

    pub fn causes(&self) -> Vec<String> {
        let causes = self.causes.iter();
        causes
            .map(|(cause, games)| format!("{cause} {}", grouped(*games)))
            .collect()
    }
}

fn rate(share: f64, interval: Bounds) -> String {
    let (share, interval) = (percent(share), percents(interval));
    format!("{share}, 95% confidence interval {interval}")
}

pub fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

pub fn percents(Bounds { lower, upper }: Bounds) -> String {
    format!("{} to {}", percent(lower), percent(upper))
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
#[path = "statistics_tests.rs"]
mod tests;
