//! `getaway rate`: tabulates the measures of many boards.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, ValueEnum};
use console::Term;
use getaway_search::search::Order;

use super::check;
use crate::cli::args::{Color, HowArgs, name_of};
use crate::cli::inputs::{Folders, Inputs};
use crate::cli::job::Job;
use crate::cli::options::{Detail, Share};
use crate::cli::output::measured::Measure;
use crate::cli::output::printer::{AnswerFormat, Errors, OutputStyle, answers};
use crate::cli::output::ratings::{Rating, Ratings};
use crate::cli::output::summary::Summary;
use crate::cli::output::text::width;
use crate::cli::pipeline::{self, Done, Writer};

const NOTES: &str = "\
`getaway analyse --help` explains the difficulty and the limits. `>=` or `<=` marks a bound: a limit hid the exact \
value. Boards without a value always come last.

Examples:
  getaway rate puzzles/jimmy
  getaway rate --sort -difficulty levels/*.txt      hardest first
  getaway rate --csv levels > levels.csv";

#[derive(Debug, Args)]
#[command(after_long_help = format!("{}\n\n{NOTES}", Measure::help()))]
pub struct Rate {
    /// Board files and folders of them; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Sort by this measure; `-MEASURE` for descending.
    #[arg(long, value_name = "MEASURE", allow_hyphen_values = true)]
    pub sort: Option<Sort>,
    /// Reverse the order.
    #[arg(long)]
    pub reverse: bool,
    /// Print comma-separated values with a header.
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub csv: bool,
    #[command(flatten)]
    pub how: HowArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    pub measure: Measure,
    pub is_descending: bool,
}

impl std::str::FromStr for Sort {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.strip_prefix('-');
        let known: Vec<_> = Measure::value_variants().iter().map(name_of).collect();
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        let expected = name.unwrap_or(text).replace('_', "-");
        let measure = Measure::from_str(&expected, true)
            .map_err(|_| getaway_board::fault::did_you_mean(&expected, &known))?;
        Ok(Self {
            measure,
            is_descending: name.is_some(),
        })
    }
}

pub fn run(args: &Rate, color: Color) -> Result<ExitCode> {
    let mut job = Job::new(&args.how)?;
    job.options.detail = Detail::Analysis;
    job.options.order = Order::Shortest;
    let style = OutputStyle::new(&args.how.output, color);
    let inputs = Inputs::of(&args.paths, Folders::Walk);
    let progress = check::progress(&inputs, &args.how.output);
    let is_table = match style.format {
        AnswerFormat::Text => true,
        AnswerFormat::Json => args.sort.is_some() || args.reverse,
        AnswerFormat::Quiet => false,
    };
    let mut ratings = Ratings::new(job.options.max_memory(Share::All));
    let mut lines = answers(&job, style, Box::new(progress.above(io::stdout())));
    let answers: &mut dyn Writer = if is_table { &mut ratings } else { &mut *lines };
    let mut errors = Errors::of(&job, style, progress);
    let mut summary = Summary::new(&job, style.max_errors);
    let writers: &mut [&mut dyn Writer] = &mut [&mut errors, answers, &mut summary];
    let tally = pipeline::run(&job, &inputs.all, Done::default(), writers)?;
    if is_table {
        print(ratings.rows, args)?;
    }
    summary.note_inputs(&inputs);
    summary.tally = tally;
    check::must_have_files(&summary)?;
    Ok(tally.solve_code())
}

fn print(mut rows: Vec<Rating>, args: &Rate) -> io::Result<()> {
    if !args.how.output.json {
        rows.retain(Rating::is_rated);
    }
    sort(&mut rows, args);
    let mut out = io::stdout();
    out.write_all(&text(args, &rows)?)?;
    out.flush()
}

fn sort(rows: &mut [Rating], args: &Rate) {
    match args.sort {
        Some(Sort {
            measure,
            is_descending,
        }) => {
            let is_descending = is_descending != args.reverse;
            rows.sort_by(|a, b| a.compare(b, measure, is_descending));
        }
        None if args.reverse => rows.reverse(),
        None => {}
    }
}

fn text(args: &Rate, rows: &[Rating]) -> io::Result<Vec<u8>> {
    if args.how.output.json {
        return Ok(Rating::json_lines(rows));
    }
    if args.csv {
        return Rating::csv(rows);
    }
    Ok(Rating::table(rows, width(&Term::stdout())).into())
}
