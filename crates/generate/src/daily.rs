//! Daily boards: one for each ruleset and date, the same on every machine. As with newspaper crosswords, Monday's board is the
//! easiest and Saturday's the hardest. Sunday's is larger and of medium difficulty. Only a `maze` is hardest on Sunday.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::criteria::Criteria;
use super::{CriteriaError, Generator};
use getaway_board::limits::Limits;

/// A date from 1970 to 9999, without a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// The number of days since 1 January 1970.
    days: u32,
}

const WEEKDAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

const SUNDAY: usize = 6;

/// The number of days from 1 March of the year 0 to 1 January 1970.
const EPOCH: u32 = 719_468;

/// The number of days in 400 years.
const CYCLE: u32 = 146_097;

impl Date {
    /// Returns the date this many days after 1 January 1970; `None` after the year 9999.
    pub fn of_days(days: u32) -> Option<Self> {
        let date = Self { days };
        (days <= 2_932_896).then_some(date)
    }

    /// Returns the name of this date's boards, such as `Monday 2026-11-30`.
    pub fn name(self) -> String {
        format!("{} {self}", WEEKDAYS[self.weekday()])
    }

    /// Returns the day of the week, 0 for Monday. The first day of 1970 was a Thursday.
    const fn weekday(self) -> usize {
        (self.days as usize + 3) % 7
    }

    /// Returns the year, the month and the day.
    ///
    /// The years begin in March here, so that the leap day is the last of its year.
    const fn civil(self) -> [u32; 3] {
        let days = self.days + EPOCH;
        let of_cycle = days % CYCLE;
        let year = (of_cycle - of_cycle / 1_460 + of_cycle / 36_524 - of_cycle / (CYCLE - 1)) / 365;
        let of_year = of_cycle - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let is_next = month >= 10;
        let year = days / CYCLE * 400 + year + is_next as u32;
        [year, if is_next { month - 9 } else { month + 3 }, day]
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [year, month, day] = self.civil();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Date {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.splitn(3, '-').map(|part| part.parse().ok());
        let parts: Option<Vec<u32>> = parts.collect();
        let days = |parts: Vec<u32>| {
            let [year @ 1970..=9999, month @ 1..=12, day @ 1..=31] = parts[..] else {
                return None;
            };
            let year = year - u32::from(month < 3);
            let before = 365 * year + year / 4 - year / 100 + year / 400;
            (before + (153 * ((month + 9) % 12) + 2) / 5 + day - 1).checked_sub(EPOCH)
        };
        // A day that its month lacks would be written as one of the next month.
        let date = parts.and_then(days).and_then(Self::of_days);
        date.filter(|date| date.to_string() == text)
            .ok_or("write a date from 1970 to 9999 as YEAR-MONTH-DAY, such as 2026-11-30")
    }
}

/// The maximum number of rounds of a search. It takes the place of a limit on time, so that a date has the same board everywhere.
const MAX_ROUNDS: usize = 8;

/// The maximum number of searches for a board, each with its own seed.
const MAX_TRIES: u64 = 20;

/// The maximum number of states to solve a board.
const MAX_STATES: u64 = 1_500;

/// The difficulty on each weekday, in bits.
const BITS: [RangeInclusive<f64>; 7] = [
    2.5..=4.0,
    4.0..=5.5,
    5.5..=7.0,
    7.0..=8.5,
    8.5..=10.5,
    10.5..=14.0,
    7.0..=9.0,
];

/// The probability of escape on each weekday.
const ODDS: [RangeInclusive<f64>; 7] = [
    0.85..=0.95,
    0.75..=0.85,
    0.65..=0.75,
    0.55..=0.65,
    0.4..=0.55,
    0.2..=0.4,
    0.5..=0.7,
];

/// Returns the board of a ruleset for a date, as the text of a board file.
///
/// # Errors
///
/// Returns an error if the ruleset has no daily boards, or if no search finds a board that meets the criteria and is worth
/// playing.
pub fn board(date: Date, ruleset: &str) -> Result<String, CriteriaError> {
    let criteria = criteria(ruleset, date.weekday())?;
    let limits = Limits {
        max_states: Some(MAX_STATES),
        ..Limits::default()
    };
    let generator = Generator {
        max_rounds: MAX_ROUNDS,
        ..Generator::new(ruleset, &criteria, limits)?
    };
    // The days fill the lower 32 bits, so no two dates have a seed in common.
    let seeds = (0..MAX_TRIES).map(|number| u64::from(date.days) | number << 32);
    let mut found = seeds.filter_map(|seed| generator.board(seed, &|_, _| ()).best);
    let board = found.find(|board| board.distance() <= 0.0);
    let why = || CriteriaError(format!("no board of `{ruleset}` was found for {date}"));
    let board = board.ok_or_else(why)?;
    Ok(generator.text(&board, date.name()))
}

fn criteria(ruleset: &str, day: usize) -> Result<Criteria, CriteriaError> {
    let is_sunday = day == SUNDAY;
    let (rows, cols) = match ruleset {
        "jimmy" if is_sunday => (11, 11),
        "jimmy" => (9, 9),
        "baddies" if is_sunday => (10, 12),
        "baddies" => (7, 9),
        "theseus" if is_sunday => (8, 8),
        "theseus" => (6, 6),
        "dungeon" if is_sunday => (5, 15),
        "dungeon" => (5, 13),
        "maze" => (5 + day, 6 + day),
        _ => return Err(CriteriaError(format!("`{ruleset}` has no daily boards"))),
    };
    let mut criteria = Criteria {
        rows: Some(rows),
        cols: Some(cols),
        ..Criteria::default()
    };
    match ruleset {
        "dungeon" => {
            criteria.amounts = vec![("rooms".to_owned(), 2..=2)];
            criteria.probability = Some(ODDS[day].clone());
        }
        "maze" => criteria.min_moves = Some(6 + 2 * day),
        _ => {
            criteria.difficulty = Some(BITS[day].clone());
            // With several baddies, a board with a single shortest escape takes long to find.
            criteria.unique = ruleset != "baddies";
        }
    }
    Ok(criteria)
}

#[cfg(test)]
#[path = "daily_tests.rs"]
mod tests;
