//! What can be typed after `getaway generate`.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use crate::generate::sketch::Mirror;
use crate::generate::wishes::{Wanted, Wishes};
use crate::solution::Verdict;
use bytesize::ByteSize;
use clap::{Args, ValueEnum};

use super::seconds;

/// `getaway generate`
#[derive(Debug, Args)]
#[command(after_help = "\
A range is written LOW..HIGH, LOW.., ..HIGH, or as one number. Each board has a header that says how to
make it again. Without any wish a board has a way out, and those who chase make a difference. In a `maze` nothing
has a weight: every step costs 1.

Examples:
  getaway generate jimmy
  getaway generate jimmy --min-moves 30 --seed 1
  getaway generate theseus --rows 5 --cols 6 --count 20 -o boards.txt
  getaway generate dungeon --rooms 3 --probability 0.45..0.55

Exit codes:
  0  all boards are as wished
  2  the command line is wrong, or there is no such board
  3  a limit came first: the best boards found by then are printed")]
pub struct Generate {
    /// The ruleset, such as `jimmy`.
    #[arg(value_name = "RULESET")]
    pub ruleset: String,
    #[command(flatten)]
    pub wishes: WishArgs,
    /// Make N boards, with seeds from `--seed` upwards.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1)]
    pub count: u64,
    /// The seed of the first board [default: a new one].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub effort: EffortArgs,
    #[command(flatten)]
    pub output: BoardsArgs,
}

/// Where boards go to.
#[derive(Clone, Debug, Args)]
pub struct BoardsArgs {
    /// Write the boards to this file.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print a JSON object for each board, one a line.
    #[arg(long)]
    pub json: bool,
}

/// How long to search.
#[derive(Clone, Debug, Args)]
pub struct EffortArgs {
    /// Search for at most this long in all.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub timeout: Duration,
    /// Pass over boards that take more than N states to solve [default: 100,000 for a `dungeon`
    /// without a wish for size or numbers, else 3,000,000].
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Use at most this much memory, such as `2GiB` or `500MB` [default: half of what is free].
    #[arg(long, value_name = "SIZE")]
    pub max_memory: Option<ByteSize>,
    /// Use N threads [default: one per core].
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// What is wanted of the boards.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Wishes")]
pub struct WishArgs {
    /// The number of rows.
    #[arg(long, value_name = "N")]
    rows: Option<usize>,
    /// The number of columns.
    #[arg(long, value_name = "N")]
    cols: Option<usize>,
    /// The verdict; `any` takes every board as it is drawn.
    #[arg(long, value_enum, value_name = "VERDICT")]
    verdict: Option<VerdictName>,
    /// The shortest way out has at least N moves (`maze`: the path to the food).
    #[arg(long, value_name = "N")]
    min_moves: Option<usize>,
    /// `dungeon`: games that escape take at least N turns on average under best play.
    #[arg(long, value_name = "N")]
    min_turns: Option<usize>,
    /// At most N first moves still lead out.
    #[arg(long, value_name = "N")]
    max_first_moves: Option<usize>,
    /// There is one shortest way out, and no other.
    #[arg(long)]
    unique: bool,
    /// The difficulty in bits, as `getaway analyse` has it.
    #[arg(long, value_name = "RANGE")]
    difficulty: Option<Range<f64>>,
    /// `dungeon`: the probability of escape.
    #[arg(long, value_name = "RANGE")]
    probability: Option<Range<Share>>,
    /// No wall and nobody on the board could be left out without changing the answer, or what was
    /// wished for.
    #[arg(long)]
    minimal: bool,
    /// The share of the cells for walls that have one, from 0 to 1; rooms of a `dungeon` have no such share.
    #[arg(long, value_name = "SHARE")]
    density: Option<f64>,
    /// The walls are the same in a mirror; in a `dungeon` the rooms, doors and hallways.
    #[arg(long, value_enum, value_name = "MIRROR")]
    symmetry: Option<MirrorName>,
    /// `jimmy`, `dungeon`: how many ghosts.
    #[arg(long, value_name = "RANGE")]
    ghosts: Option<Range<usize>>,
    /// `baddies`: how many monsters.
    #[arg(long, value_name = "RANGE")]
    monsters: Option<Range<usize>>,
    /// `baddies`: how many super monsters.
    #[arg(long, value_name = "RANGE")]
    super_monsters: Option<Range<usize>>,
    /// `baddies`: how many bats.
    #[arg(long, value_name = "RANGE")]
    bats: Option<Range<usize>>,
    /// `baddies`: how many cells of abyss.
    #[arg(long, value_name = "RANGE")]
    abyss: Option<Range<usize>>,
    /// `baddies`: how many ladders.
    #[arg(long, value_name = "RANGE")]
    ladders: Option<Range<usize>>,
    /// `maze`: how many pieces of food.
    #[arg(long, value_name = "RANGE")]
    food: Option<Range<usize>>,
    /// `maze`: how many moving walls.
    #[arg(long, value_name = "RANGE")]
    walls: Option<Range<usize>>,
    /// `dungeon`: how many rooms.
    #[arg(long, value_name = "RANGE")]
    rooms: Option<Range<usize>>,
    /// `dungeon`: how many zombies.
    #[arg(long, value_name = "RANGE")]
    zombies: Option<Range<usize>>,
    /// `dungeon`: whether there is a key, 0 or 1.
    #[arg(long, value_name = "RANGE")]
    keys: Option<Range<usize>>,
    /// `dungeon`, `theseus`: how many exits.
    #[arg(long, value_name = "RANGE")]
    exits: Option<Range<usize>>,
    /// A setting for the header, such as `strategy=cooldown`.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
}

/// A verdict to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum VerdictName {
    /// There is a way out.
    Escape,
    /// There is none.
    Caught,
    /// Food can be got to.
    Food,
    /// It can't.
    NoFood,
    /// Whatever comes.
    Any,
}

impl VerdictName {
    const fn wanted(self) -> Wanted {
        match self {
            Self::Escape => Wanted::Verdict(Verdict::Escape),
            Self::Caught => Wanted::Verdict(Verdict::Caught),
            Self::Food => Wanted::Verdict(Verdict::Food),
            Self::NoFood => Wanted::Verdict(Verdict::NoFood),
            Self::Any => Wanted::Any,
        }
    }
}

/// A mirror to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MirrorName {
    /// Left and right change places.
    LeftRight,
    /// Top and bottom change places.
    UpDown,
    /// Both: a turn by 180 degrees.
    HalfTurn,
}

impl MirrorName {
    const fn mirror(self) -> Mirror {
        match self {
            Self::LeftRight => Mirror::LeftRight,
            Self::UpDown => Mirror::UpDown,
            Self::HalfTurn => Mirror::HalfTurn,
        }
    }
}

impl WishArgs {
    /// What is wanted, as the library has it.
    pub fn wishes(&self) -> Wishes {
        let amount = |(name, range): (&str, Range<usize>)| (name.to_owned(), range.0);
        Wishes {
            rows: self.rows,
            cols: self.cols,
            amounts: self.amounts().map(amount).collect(),
            density: self.density,
            symmetry: self.symmetry.map(MirrorName::mirror),
            settings: self.set.clone(),
            verdict: self.verdict.map_or(Wanted::Taste, VerdictName::wanted),
            min_moves: self.min_moves,
            min_turns: self.min_turns,
            max_first_moves: self.max_first_moves,
            unique: self.unique,
            difficulty: self.difficulty.clone().map(|range| range.0),
            probability: self
                .probability
                .as_ref()
                .map(|Range(range)| range.start().0..=range.end().0),
            minimal: self.minimal,
        }
    }

    fn amounts(&self) -> impl Iterator<Item = (&'static str, Range<usize>)> {
        let all = [
            ("ghosts", &self.ghosts),
            ("monsters", &self.monsters),
            ("super-monsters", &self.super_monsters),
            ("bats", &self.bats),
            ("abyss", &self.abyss),
            ("ladders", &self.ladders),
            ("food", &self.food),
            ("walls", &self.walls),
            ("rooms", &self.rooms),
            ("zombies", &self.zombies),
            ("keys", &self.keys),
            ("exits", &self.exits),
        ];
        all.into_iter()
            .filter_map(|(name, range)| Some((name, range.clone()?)))
    }
}

/// A range of numbers, both ends included.
#[derive(Clone, Debug, PartialEq)]
struct Range<T>(RangeInclusive<T>);

/// A number that has a least and a greatest value for ranges that are open at one end.
trait Bounded: FromStr + PartialOrd + Copy + fmt::Display {
    const LEAST: Self;
    const MOST: Self;
}

impl Bounded for usize {
    const LEAST: Self = 0;
    const MOST: Self = 1_000_000;
}

impl Bounded for f64 {
    const LEAST: Self = 0.0;
    const MOST: Self = 1_000_000.0;
}

/// A part of a whole, such as a probability.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Share(f64);

impl Bounded for Share {
    const LEAST: Self = Self(0.0);
    const MOST: Self = Self(1.0);
}

impl FromStr for Share {
    type Err = std::num::ParseFloatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: Bounded> FromStr for Range<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str, missing: T| match text.trim() {
            "" => Some(missing),
            text => text.parse().ok(),
        };
        let ends = match text.split_once("..") {
            Some((low, high)) => {
                let high = high.strip_prefix('=').unwrap_or(high);
                number(low, T::LEAST).zip(number(high, T::MOST))
            }
            None => text.parse().ok().map(|both| (both, both)),
        };
        let (low, high) = ends.ok_or_else(|| "write a number, or two as LOW..HIGH".to_owned())?;
        let is_range = T::LEAST <= low && low <= high && high <= T::MOST;
        is_range.then_some(Self(low..=high)).ok_or_else(|| {
            format!(
                "write LOW..HIGH with {} <= LOW <= HIGH <= {}",
                T::LEAST,
                T::MOST
            )
        })
    }
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or_else(|| "write KEY=VALUE".to_owned())?;
    Ok((key.trim().to_lowercase(), value.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_in_all_forms() {
        for (text, range) in [
            ("3", 3..=3),
            ("1..4", 1..=4),
            ("1..=4", 1..=4),
            ("..4", 0..=4),
            ("2..", 2..=1_000_000),
        ] {
            assert_eq!(text.parse(), Ok(Range::<usize>(range)));
        }
        for text in ["", "a", "4..1", "1..2..3", "-1"] {
            assert!(text.parse::<Range<usize>>().is_err(), "{text}");
        }
        assert_eq!("0.45..0.55".parse(), Ok(Range::<f64>(0.45..=0.55)));
        assert!("NaN".parse::<Range<f64>>().is_err());
        assert_eq!("0.2..".parse(), Ok(Range(Share(0.2)..=Share(1.0))));
        for text in ["0.6..0.2", "0.2..1.1", "-0.1..1", "NaN"] {
            let told = text.parse::<Range<Share>>().unwrap_err();
            assert_eq!(told, "write LOW..HIGH with 0 <= LOW <= HIGH <= 1", "{text}");
        }
    }
}
