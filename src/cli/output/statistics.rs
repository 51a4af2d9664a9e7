//! Statistics of many games, counted during play in any order.

use std::collections::BTreeMap;

use crate::distribution::wilson;
use crate::play::trace::{Ending, GameResult, RUNNER};
use crate::ruleset::Cause;
use serde::Serialize;

use crate::answers::words::{count, grouped, safe};

#[derive(Clone, Debug)]
pub struct Games {
    most_turns: usize,
    escaped: u64,
    causes: BTreeMap<&'static str, u64>,
    /// The number of games that were not over at the turn limit or at the end of the moves.
    unfinished: u64,
    /// The number of unfinished games that the turn limit ended.
    cut_off: u64,
    illegal: u64,
    /// The number of forfeited games, by the role of the program at fault.
    forfeited: BTreeMap<String, u64>,
    turns: Histogram,
    gathered: Histogram,
}

impl Games {
    pub const fn of_turns(most_turns: usize) -> Self {
        Self {
            most_turns,
            escaped: 0,
            causes: BTreeMap::new(),
            unfinished: 0,
            cut_off: 0,
            illegal: 0,
            forfeited: BTreeMap::new(),
            turns: Histogram::up_to(most_turns),
            gathered: Histogram::up_to(most_turns),
        }
    }

    pub fn all_forfeited(most_turns: usize, games: u64) -> Self {
        let mut all = Self::of_turns(most_turns);
        all.forfeited = BTreeMap::from([(RUNNER.to_owned(), games)]);
        all.causes = BTreeMap::from([("forfeit", games)]);
        (0..games).for_each(|_| all.turns.add(0));
        all
    }

    pub const fn count(&self) -> u64 {
        self.turns.count
    }

    pub fn add(&mut self, result: &GameResult) {
        let turns = match result.ending {
            Ending::Escaped { turns } => {
                self.escaped += 1;
                turns
            }
            Ending::Forfeited { turns, ref fault } => {
                *self.forfeited.entry(fault.role.clone()).or_default() += 1;
                if fault.is_runners() {
                    *self.causes.entry("forfeit").or_default() += 1;
                } else {
                    self.escaped += 1;
                }
                turns
            }
            Ending::Caught { turns, cause } => {
                *self.causes.entry(word(cause)).or_default() += 1;
                turns
            }
            Ending::Open { turns } => {
                self.unfinished += 1;
                self.cut_off += u64::from(turns >= self.most_turns);
                turns
            }
            Ending::Illegal { turn, .. } => {
                self.illegal += 1;
                turn - 1
            }
        };
        self.turns.add(turns);
        if let Some(gathered) = result.gathered {
            self.gathered.add(gathered);
        }
    }

    pub fn and(mut self, others: Self) -> Self {
        self.escaped += others.escaped;
        for (cause, games) in others.causes {
            *self.causes.entry(cause).or_default() += games;
        }
        self.unfinished += others.unfinished;
        self.cut_off += others.cut_off;
        self.illegal += others.illegal;
        for (role, games) in others.forfeited {
            *self.forfeited.entry(role).or_default() += games;
        }
        self.turns.merge(&others.turns);
        self.gathered.merge(&others.gathered);
        self
    }

    pub fn statistics(self) -> Statistics {
        let (runs, escaped) = (self.count(), self.escaped);
        let caught = self.causes.values().sum();
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
            causes: self.causes,
            open: self.unfinished,
            illegal: self.illegal,
            forfeited: self.forfeited,
            turns: self.turns.spread(),
            gathered: self.gathered.spread(),
            finished,
            rate_finished: (finished > 0).then_some(rate_finished),
            interval_finished,
            bounds: [share(escaped), share(escaped + self.unfinished)],
            cut_off: self.cut_off,
        }
    }
}

#[derive(Clone, Debug)]
struct Histogram {
    /// The number of values in a bucket; 1 unless numbers may be very large.
    width: usize,
    buckets: Vec<u64>,
    count: u64,
    sum: u128,
    least: usize,
    most: usize,
}

impl Histogram {
    const BUCKETS: usize = 1 << 17;

    /// Creates counts for numbers up to `most`; larger ones count as `most`.
    const fn up_to(most: usize) -> Self {
        Self {
            width: (most / Self::BUCKETS + 1).next_power_of_two(),
            buckets: Vec::new(),
            count: 0,
            sum: 0,
            least: usize::MAX,
            most: 0,
        }
    }

    fn add(&mut self, number: usize) {
        let bucket = (number / self.width).min(Self::BUCKETS - 1);
        if self.buckets.len() <= bucket {
            self.buckets.resize(bucket + 1, 0);
        }
        self.buckets[bucket] += 1;
        self.count += 1;
        self.sum += number as u128;
        self.least = self.least.min(number);
        self.most = self.most.max(number);
    }

    fn merge(&mut self, other: &Self) {
        let buckets = self.buckets.len().max(other.buckets.len());
        self.buckets.resize(buckets, 0);
        for (bucket, more) in self.buckets.iter_mut().zip(&other.buckets) {
            *bucket += more;
        }
        self.count += other.count;
        self.sum += other.sum;
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
    }

    fn median(&self) -> usize {
        let mut before = 0;
        let is_middle = |&games: &u64| {
            before += games;
            before > self.count / 2
        };
        let bucket = self.buckets.iter().position(is_middle).unwrap_or(0);
        (bucket * self.width).max(self.least)
    }

    fn spread(&self) -> Option<Spread> {
        (self.count > 0).then(|| Spread {
            mean: self.sum as f64 / self.count as f64,
            median: self.median(),
            median_within: (self.width > 1).then_some(self.width),
            least: self.least,
            most: self.most,
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
    /// The proportion of games that end in an escape.
    pub rate: f64,
    /// Wilson's 95 % confidence interval.
    pub interval: [f64; 2],
    pub caught: u64,
    pub causes: BTreeMap<&'static str, u64>,
    pub open: u64,
    /// The number of games in which a given move was illegal.
    illegal: u64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub forfeited: BTreeMap<String, u64>,
    pub turns: Option<Spread>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gathered: Option<Spread>,
    finished: u64,
    rate_finished: Option<f64>,
    interval_finished: [f64; 2],
    /// The proportion of escapes if no unfinished game ended in an escape, and if all did.
    bounds: [f64; 2],
    #[serde(skip)]
    cut_off: u64,
}

#[derive(Debug, Serialize)]
pub struct Spread {
    pub mean: f64,
    median: usize,
    /// The range of the median's bucket, unless the median is exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    median_within: Option<usize>,
    least: usize,
    most: usize,
}

impl Spread {
    fn text(&self) -> String {
        let Self {
            mean,
            median,
            least,
            most,
            ..
        } = self;
        let median = match self.median_within {
            Some(width) => format!("between {median} and {}", (median + width - 1).min(*most)),
            None => median.to_string(),
        };
        format!("{mean:.2} on average, median {median}, from {least} to {most}")
    }
}

impl Statistics {
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}, policy {}, seed {}\nescaped {} ({})\n",
            count(self.runs, "game"),
            safe(self.policy.as_deref().unwrap_or_default()),
            self.seed.unwrap_or_default(),
            grouped(self.escaped),
            rate(self.rate, self.interval),
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
        text += &format!("\nunfinished {}\n", grouped(self.open));
        if self.illegal > 0 {
            let games = count(self.illegal, "game");
            text += &format!("{games} with illegal moves\n");
        }
        for (role, games) in &self.forfeited {
            let games = count(*games, "game");
            text += &format!("{games} forfeited by the {role}\n");
        }
        if self.open > 0 {
            text += &self.about_unfinished();
        }
        for (name, spread) in [("turns", &self.turns), ("gathered", &self.gathered)] {
            if let Some(spread) = spread {
                text += &format!("{name} {}\n", spread.text());
            }
        }
        text
    }

    fn about_unfinished(&self) -> String {
        let mut text = String::new();
        if let Some(share) = self.rate_finished {
            text += &format!(
                "of the {} finished: escaped {}\n",
                grouped(self.finished),
                rate(share, self.interval_finished),
            );
        }
        let [low, high] = self.bounds.map(|share| 100.0 * share);
        text += &format!("over all games, finished or not: escaped {low:.2} to {high:.2} %\n");
        if self.cut_off > 0 {
            text += &format!(
                "{} cut off by the turn limit: raise `--turns`\n",
                count(self.cut_off, "game"),
            );
        }
        text
    }
}

fn rate(share: f64, interval: [f64; 2]) -> String {
    let [low, high] = interval.map(|share| 100.0 * share);
    format!(
        "{:.2} %, 95 % interval {low:.2} to {high:.2} %",
        100.0 * share
    )
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
