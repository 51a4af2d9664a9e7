//! Statistics of many games: their endings, their numbers of turns and the escape rate.

use std::collections::BTreeMap;

use getaway_board::limits::{Bounds, Limit};
use getaway_play::trace::{Ending, GameResult, RUNNER};
use getaway_ruleset::Cause;
use getaway_ruleset::distribution::wilson;
use serde::Serialize;

use getaway_board::words::{count, grouped, safe};

type Counts<K> = BTreeMap<K, u64>;

#[derive(Clone, Debug)]
pub struct Games {
    max_turns: usize,
    results: Counts<GameEnd>,
    /// The first limit that ended the search for the policy's moves, and so left a game unfinished; `None` if there was none.
    pub limit: Option<Limit>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct GameEnd {
    kind: EndKind,
    turns: usize,
    gathered: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum EndKind {
    Escaped,
    Caught(&'static str),
    /// Forfeited by the program in this role.
    Forfeited(String),
    Unfinished,
    Illegal,
}

impl Games {
    pub const fn of_turns(max_turns: usize) -> Self {
        Self {
            max_turns,
            results: Counts::new(),
            limit: None,
        }
    }

    pub fn all_forfeited(max_turns: usize, games: u64) -> Self {
        let end = GameEnd {
            kind: EndKind::Forfeited(RUNNER.to_owned()),
            turns: 0,
            gathered: None,
        };
        Self {
            results: Counts::from([(end, games)]),
            ..Self::of_turns(max_turns)
        }
    }

    pub fn count(&self) -> u64 {
        self.results.values().sum()
    }

    pub fn add(&mut self, result: &GameResult) {
        let kind = match &result.ending {
            Ending::Escaped { .. } => EndKind::Escaped,
            Ending::Caught { cause, .. } => EndKind::Caught(word(*cause)),
            Ending::Forfeited { fault, .. } => EndKind::Forfeited(fault.role.clone()),
            Ending::Open { limit, .. } => {
                self.limit = self.limit.or(*limit);
                EndKind::Unfinished
            }
            Ending::Illegal { .. } => EndKind::Illegal,
        };
        let end = GameEnd {
            kind,
            turns: result.ending.turns(),
            gathered: result.gathered,
        };
        *self.results.entry(end).or_default() += 1;
    }

    pub fn and(mut self, others: Self) -> Self {
        self.limit = self.limit.or(others.limit);
        for (end, games) in others.results {
            *self.results.entry(end).or_default() += games;
        }
        self
    }

    pub fn statistics(&self) -> Statistics {
        let causes = self.counts(|end| match &end.kind {
            EndKind::Caught(cause) => Some(*cause),
            EndKind::Forfeited(role) if role == RUNNER => Some("forfeit"),
            _ => None,
        });
        let forfeited = self.counts(|end| match &end.kind {
            EndKind::Forfeited(role) => Some(role.clone()),
            _ => None,
        });
        let games = |is: &dyn Fn(&GameEnd) -> bool| {
            let counts = self.counts(|end| Some(is(end)));
            counts.get(&true).copied().unwrap_or_default()
        };
        let illegal = games(&|end| end.kind == EndKind::Illegal);
        let open = games(&|end| end.kind == EndKind::Unfinished);
        let is_cut = |end: &GameEnd| end.kind == EndKind::Unfinished && end.turns >= self.max_turns;
        let (runs, caught) = (self.count(), causes.values().sum::<u64>());
        // A game that a chaser's program forfeits counts as an escape.
        let escaped = runs - caught - open - illegal;
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
            turns: Spread::of(&self.counts(|end| Some(end.turns))),
            gathered: Spread::of(&self.counts(|end| end.gathered)),
            finished,
            rate_finished: (finished > 0).then_some(rate_finished),
            interval_finished,
            bounds: Bounds {
                lower: share(escaped),
                upper: share(escaped + open),
            },
            cut_off: games(&is_cut),
        }
    }

    fn counts<K: Ord>(&self, key: impl Fn(&GameEnd) -> Option<K>) -> Counts<K> {
        let mut counts = Counts::new();
        for (end, games) in &self.results {
            if let Some(key) = key(end) {
                *counts.entry(key).or_default() += games;
            }
        }
        counts
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
        let Bounds { lower, upper } = self.bounds;
        let [low, high] = [lower, upper].map(|share| 100.0 * share);
        let all = format!("over all games, finished or not: escaped {low:.2}% to {high:.2}%");
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

fn rate(share: f64, Bounds { lower, upper }: Bounds) -> String {
    let [share, low, high] = [share, lower, upper].map(|share| 100.0 * share);
    format!("{share:.2}%, 95% confidence interval {low:.2}% to {high:.2}%")
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
