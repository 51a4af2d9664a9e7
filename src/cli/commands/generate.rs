//! `getaway generate`: generates boards that meet given criteria.

use std::fmt;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, FromArgMatches};
use getaway_board::limits::Limit;
use getaway_board::puzzle::Format;
use getaway_generate::criteria::{Criteria, Wanted};
use getaway_generate::level::Level;
use getaway_generate::{GeneratedBoard, Generator, Judged, RunEnd};
use getaway_play::solution::Verdict;

use super::simulate::fresh_seed;
use crate::cli::args::{LimitArgs, RulesetArgs, Setting, ThreadArgs, setting};
use crate::cli::inputs::named_format;
use crate::cli::options::{Options, Share, ruleset};
use crate::cli::output::progress::Progress;
use crate::cli::tables::TableFormat;
use crate::cli::{exit, output_file};
use getaway_board::words::{count, grouped, path_name};
use getaway_generate::written::Caption;

#[derive(Debug, Args)]
#[command(after_long_help = "\
A range is LOW..HIGH, LOW.., ..HIGH, or one number. Each board comes with the command that makes it again. By default \
a board has an escape, and its chasers make a difference. Every step in a `maze` costs 1.

Examples:
  getaway generate jimmy
  getaway generate jimmy --min-moves 30 --seed 1
  getaway generate theseus --rows 5 --cols 6 --count 20 -o boards.txt
  getaway generate dungeon --rooms 3 --probability 0.45..0.55

Exit codes:
  0  all boards meet the criteria
  2  the command line is wrong, or there is no such board
  3  a limit was reached: the best boards so far are printed")]
pub struct Generate {
    /// The ruleset, such as `jimmy`.
    #[arg(value_name = "RULESET", hide_short_help = true)]
    pub ruleset: String,
    /// Generate N boards.
    ///
    /// Their seeds count up from `--seed`.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub count: u64,
    /// The seed of the first board [default: a new one].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub output: BoardsArgs,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub criteria: CriteriaArgs,
    #[command(flatten)]
    pub effort: EffortArgs,
}

#[derive(Clone, Debug, Args)]
pub struct BoardsArgs {
    /// Write the boards to this file.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Print a JSON object for each board, one per line.
    #[arg(long)]
    pub json: bool,
}

/// The limits of a search for new boards. They come last, with the time first.
#[derive(Clone, Debug, Args)]
#[command(mut_arg("timeout", |arg| arg
    .display_order(500)
    .default_value("60")
    .help("Stop after this time")
    .long_help(None)))]
#[command(mut_arg("max_states", |arg| arg
    .display_order(501)
    .help("Skip boards that take more than N states to solve")
    .long_help(STATES_HELP)))]
#[command(mut_arg("max_memory", |arg| arg.display_order(502)))]
pub struct EffortArgs {
    #[command(flatten)]
    pub limits: LimitArgs,
}

const STATES_HELP: &str = "\
Skip boards that take more than N states to solve.

[default: 100,000 for a `dungeon` whose size and contents are left open, else 3,000,000]";

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Criteria")]
pub struct CriteriaArgs {
    /// The number of rows.
    #[arg(long, value_name = "N")]
    rows: Option<usize>,
    /// The number of columns.
    #[arg(long, value_name = "N")]
    cols: Option<usize>,
    /// The verdict; `any` accepts every generated board.
    #[arg(long, value_name = "VERDICT", value_parser = verdict(), hide_short_help = true)]
    verdict: Option<Wanted>,
    /// The shortest escape has at least N moves.
    ///
    /// In a `maze`, this is the path to the food.
    #[arg(long, value_name = "N")]
    min_moves: Option<usize>,
    /// `dungeon`: escapes take at least N turns on average under best play.
    #[arg(long, value_name = "N", hide_short_help = true)]
    min_turns: Option<usize>,
    /// At most N first moves still escape.
    #[arg(long, value_name = "N", hide_short_help = true)]
    max_first_moves: Option<usize>,
    /// There is exactly one shortest escape.
    #[arg(long)]
    unique: bool,
    /// `easy`, `medium`, `hard`, or a range of bits.
    ///
    /// `analyse` reports the bits of a board. `easy` is 2 to 4 bits, `medium` 4.5 to 7, and `hard` at least 8. In a
    /// `dungeon` they stand for probabilities of 0.7 to 0.95, 0.4 to 0.7 and 0.05 to 0.4, and in a `maze` for at least 3, 8
    /// and 16 steps.
    #[arg(long, value_name = "LEVEL", value_parser = difficulty)]
    difficulty: Option<Difficulty>,
    /// `dungeon`: the probability of escape.
    #[arg(long, value_name = "RANGE", value_parser = range(0.0, 1.0))]
    probability: Option<RangeInclusive<f64>>,
    /// Every wall and actor is necessary: removing one changes the verdict or breaks another criterion. Numbers that
    /// are not given become smaller, even 0: add a criterion such as `--min-moves`. The walls of a `dungeon` stay.
    #[arg(long, hide_short_help = true)]
    minimal: bool,
    /// The wall density, from 0 to 1; not for a `dungeon`, whose walls surround rooms.
    #[arg(long, value_name = "SHARE", hide_short_help = true)]
    density: Option<f64>,
    /// `dungeon`: the number of players, 1 to 4.
    #[arg(long, value_name = "N", hide_short_help = true)]
    players: Option<usize>,
    #[command(flatten)]
    amounts: Amounts,
    /// A setting for the header, such as `strategy=cooldown`.
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting, hide_short_help = true)]
    set: Vec<Setting>,
}

fn verdict() -> impl TypedValueParser<Value = Wanted> {
    let names = [
        ("escape", "The runner can escape"),
        ("caught", "The runner can't escape"),
        ("food", "The food can be reached"),
        ("no-food", "The food can't be reached"),
        ("any", "Any verdict"),
    ];
    let names = names.map(|(name, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(names).map(|name| {
        let mut verdicts = Verdict::ALL.into_iter();
        let verdict = verdicts.find(|verdict| verdict.name() == name);
        verdict.map_or(Wanted::Any, Wanted::Verdict)
    })
}

#[derive(Clone, Debug)]
enum Difficulty {
    Named(Level),
    Bits(RangeInclusive<f64>),
}

impl CriteriaArgs {
    fn criteria(&self, ruleset: &str) -> Criteria {
        let difficulty = match &self.difficulty {
            None => Criteria::default(),
            Some(Difficulty::Named(level)) => level.criteria(ruleset),
            Some(Difficulty::Bits(bits)) => Criteria {
                difficulty: Some(bits.clone()),
                ..Criteria::default()
            },
        };
        Criteria {
            rows: self.rows,
            cols: self.cols,
            players: self.players,
            amounts: self.amounts.0.clone(),
            density: self.density,
            settings: self.set.clone(),
            verdict: self.verdict.unwrap_or_default(),
            min_moves: self.min_moves.or(difficulty.min_moves),
            min_turns: self.min_turns,
            max_first_moves: self.max_first_moves,
            unique: self.unique,
            difficulty: difficulty.difficulty,
            probability: self.probability.clone().or(difficulty.probability),
            minimal: self.minimal,
        }
    }
}

const AMOUNTS: [(&str, &str); 12] = [
    ("ghosts", "`jimmy`, `dungeon`: the number of ghosts"),
    ("monsters", "`baddies`: the number of monsters"),
    ("super-monsters", "`baddies`: the number of super monsters"),
    ("bats", "`baddies`: the number of bats"),
    ("abyss", "`baddies`: the number of abyss cells"),
    ("ladders", "`baddies`: the number of ladders"),
    ("food", "`maze`: the number of pieces of food"),
    ("walls", "`maze`: the number of moving walls"),
    ("rooms", "`dungeon`: the number of rooms"),
    ("zombies", "`dungeon`: the number of zombies"),
    ("keys", "`dungeon`: the number of keys, 0 or 1"),
    ("exits", "`dungeon`, `theseus`: the number of exits"),
];

#[derive(Clone, Debug)]
struct Amounts(Vec<(String, RangeInclusive<usize>)>);

impl Args for Amounts {
    fn augment_args(command: clap::Command) -> clap::Command {
        let arg = |(name, help)| {
            clap::Arg::new(name)
                .long(name)
                .help(help)
                .hide_short_help(true)
        };
        command.args(AMOUNTS.map(|amount| {
            let parser = range(0_usize, MAX_THINGS);
            arg(amount).value_name("RANGE").value_parser(parser)
        }))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Amounts {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let typed = |name: &str| Some((name.to_owned(), matches.get_one(name).cloned()?));
        Ok(Self(
            AMOUNTS.iter().filter_map(|(name, _)| typed(name)).collect(),
        ))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

const MAX_THINGS: usize = 1_000_000;

fn range<T>(min: T, max: T) -> impl Fn(&str) -> Result<RangeInclusive<T>, String> + Clone
where
    T: FromStr + PartialOrd + Copy + fmt::Display,
{
    move |text| {
        let number = |text: &str, missing: T| match text.trim() {
            "" => Some(missing),
            text => text.parse().ok(),
        };
        let ends = match text.split_once("..") {
            Some((low, high)) => {
                let high = high.strip_prefix('=').unwrap_or(high);
                number(low, min).zip(number(high, max))
            }
            None => text.parse().ok().map(|both| (both, both)),
        };
        let (low, high) = ends.ok_or_else(|| "write a number, or two as LOW..HIGH".to_owned())?;
        let is_range = min <= low && low <= high && high <= max;
        is_range
            .then_some(low..=high)
            .ok_or_else(|| format!("write LOW..HIGH with {min} <= LOW <= HIGH <= {max}"))
    }
}

fn difficulty(text: &str) -> Result<Difficulty, String> {
    match text.parse() {
        Ok(level @ (Level::Easy | Level::Medium | Level::Hard)) => Ok(Difficulty::Named(level)),
        _ => range(0.0, MAX_THINGS as f64)(text)
            .map(Difficulty::Bits)
            .map_err(|why| format!("{why}, or `easy`, `medium` or `hard`")),
    }
}

pub fn run(args: &Generate, typed: &dyn Fn(&[&str]) -> Vec<String>) -> Result<ExitCode> {
    ruleset(&args.ruleset)?;
    let options = Options::of(
        &RulesetArgs::default(),
        &args.effort.limits,
        args.threads.threads,
    )?;
    let criteria = args.criteria.criteria(&args.ruleset);
    let limits = options.limits(Share::Equal);
    let generator = Generator::new(&args.ruleset, &criteria, limits)?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let pool = options.pool()?;
    output_file::write(args.output.path()?, |out| {
        let mut run = Run {
            args,
            typed: typed(&NEUTRAL),
            generator: &generator,
            bar: Progress::on_terminal(|| Progress::of_search("board", limits.deadline)),
            out,
            made: 0,
            misses: 0,
        };
        let end = pool.install(|| run.all(seed))?;
        run.report(end)
    })
}

impl BoardsArgs {
    /// Returns the file to write, or `-`. Fails if its name is that of a table.
    pub fn path(&self) -> Result<&Path> {
        let path = self.output.as_deref().unwrap_or(Path::new("-"));
        if TableFormat::named(path).is_some() {
            bail!("{}: only `convert` writes tables", path_name(path));
        }
        Ok(path)
    }

    pub fn format(&self) -> Format {
        let is_lines = |path: &Path| named_format(path) == Some(Format::JsonLines);
        if self.json || self.output.as_deref().is_some_and(is_lines) {
            Format::JsonLines
        } else {
            Format::Text
        }
    }
}

struct Run<'a> {
    args: &'a Generate,
    typed: Vec<String>,
    generator: &'a Generator<'a>,
    bar: Progress,
    out: &'a mut (dyn Write + Send),
    made: u64,
    misses: u64,
}

/// The ids of the options that don't change a board, and of the seed, which differs from board to board.
const NEUTRAL: [&str; 8] = [
    "color",
    "count",
    "json",
    "max_memory",
    "output",
    "seed",
    "threads",
    "timeout",
];

impl Run<'_> {
    fn all(&mut self, seed: u64) -> Result<RunEnd> {
        let (generator, count) = (self.generator, self.args.count);
        let bar = self.bar.clone();
        let mut written = Ok(());
        let note_tried = |boards, best: Option<&Judged>| {
            bar.found(boards, best.map(|best| &best.measures));
        };
        let end = generator.boards(seed, count, &note_tried, &mut |made| {
            if written.is_ok() {
                written = self.write(&made);
            }
            written.is_ok()
        });
        self.bar.finish();
        written?;
        self.out.flush()?;
        Ok(end)
    }

    fn write(&mut self, made: &GeneratedBoard) -> io::Result<()> {
        let ruleset = &self.args.ruleset;
        let words = [std::slice::from_ref(ruleset), &self.typed]
            .concat()
            .join(" ");
        let mut remarks = vec![(
            "made by".to_owned(),
            format!("getaway generate {words} --seed {}", made.seed),
        )];
        if made.board.shortfall > 0.0 {
            self.misses += 1;
            let why = made
                .limit
                .map_or_else(String::new, |limit| format!(", {limit}"));
            remarks.push(("criteria not met".into(), format!("the best found{why}")));
        }
        self.made += 1;
        let caption = Caption {
            name: format!("{ruleset} {}", made.seed),
            remarks,
        };
        let format = self.args.output.format();
        let board = self.generator.written(&made.board, &caption, format);
        self.bar.suspend(|| {
            self.out.write_all(&board)?;
            self.out.flush()
        })
    }

    fn report(&self, end: RunEnd) -> Result<ExitCode> {
        let made = count(self.made, "board");
        let wanted = grouped(self.args.count);
        let message = match end {
            RunEnd::Complete => return Ok(ExitCode::SUCCESS),
            RunEnd::Stopped => return Ok(ExitCode::FAILURE),
            RunEnd::Impossible(tried) => bail!(
                "none of the {} possible boards meets the criteria: relax them, or make the board larger",
                grouped(tried)
            ),
            RunEnd::Exhausted(seeds) => format!(
                "{made} of {wanted}: no new board in the next {} seeds",
                grouped(seeds)
            ),
            RunEnd::Limit(limit @ Limit::Interrupt) => format!("{limit} after {made} of {wanted}"),
            RunEnd::Limit(limit) => {
                let made = count(self.made - self.misses, "board");
                let best = match self.misses {
                    0 => "ask for smaller boards or less on them".to_owned(),
                    1 => "the best of the next does not meet the criteria: relax them".to_owned(),
                    many => {
                        format!("the best of the next {many} do not meet the criteria: relax them")
                    }
                };
                format!(
                    "{limit} after {made} of {wanted}; {best}, or allow more time (`--timeout`)"
                )
            }
        };
        exit::stopped(&message)
    }
}

#[cfg(test)]
#[path = "generate_tests.rs"]
mod tests;
