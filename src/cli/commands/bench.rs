//! `getaway bench`: prints the total number of states searched, as a signature of the rules.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Args;

use crate::cli::args::{
    Color, ErrorArgs, OutputArgs, PrecisionArgs, SearchArgs, ShortestArgs, ThreadArgs, TimingArgs,
};
use crate::cli::inputs::{Folders, Inputs};
use crate::cli::job::{Delivery, Job};
use crate::cli::options::Options;
use crate::cli::output::printer::{Errors, OutputStyle};
use crate::cli::output::progress::Progress;
use crate::cli::pipeline::{self, Done};
use getaway_board::words::duration;

#[derive(Debug, Args)]
pub struct Bench {
    /// Board files and folders of them; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub shortest: ShortestArgs,
    #[command(flatten)]
    pub timing: TimingArgs,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub errors: ErrorArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub precision: PrecisionArgs,
}

pub fn run(args: &Bench, color: Color) -> Result<ExitCode> {
    let start = Instant::now();
    let mut options = Options::new(&args.search, args.threads.threads)?;
    options.order = args.shortest.order;
    options.precision = args.precision.precision;
    let output = OutputArgs {
        timing: args.timing.clone(),
        errors: args.errors.clone(),
        ..OutputArgs::default()
    };
    let mut job = Job::with(options, &output);
    job.delivery = Delivery::Problems;
    let inputs = Inputs::of(&args.paths, Folders::Walk);
    let style = OutputStyle::new(&output, color);
    let mut errors = Errors::of(&job, style, Progress::hidden());
    let tally = pipeline::run(&job, &inputs.all, Done::default(), &mut [&mut errors])?;
    let plural = |number| if number == 1 { "" } else { "s" };
    let (states, boards) = (tally.states, tally.boards());
    let mut text = format!(
        "{states} state{} in {boards} board{}",
        plural(states),
        plural(boards)
    );
    if style.is_timed {
        text += &format!(" ({})", duration(start.elapsed()));
    }
    writeln!(io::stdout(), "{text}")?;
    Ok(tally.check_code())
}
