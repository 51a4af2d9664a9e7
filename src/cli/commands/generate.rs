//! `getaway generate`: generates boards that meet given criteria.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::generate::judge::Judged;
use crate::generate::search::Observer;
use crate::generate::{End, Generator, Made};
use crate::puzzle::Format;
use anyhow::{Result, anyhow};

use super::simulate::fresh_seed;
use crate::answers::words::{count, grouped, safe};
use crate::cli::args::generate::{BoardsArgs, EffortArgs, Generate};
use crate::cli::args::{LimitArgs, SearchArgs};
use crate::cli::compression::Writer;
use crate::cli::help::typed;
use crate::cli::inputs::{named_format, unreadable};
use crate::cli::options::{Options, Share, ruleset};
use crate::cli::output::progress::Progress;
use crate::generate::written::{BoardFormat, Caption, Drawn};

pub fn run(args: &Generate) -> Result<ExitCode> {
    ruleset(&args.ruleset)?;
    let options = Options::new(&args.effort.search(), args.threads.threads)?;
    let wishes = args.wishes.wishes();
    let generator = Generator::new(&args.ruleset, &wishes, options.limits(Share::Equal))?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let mut run = Run {
        args,
        generator: &generator,
        bar: Progress::where_wanted(Progress::of_search),
        out: output(&args.output)?,
        made: 0,
        unfinished: 0,
    };
    let pool = options.pool()?;
    let end = pool.install(|| run.all(seed))?;
    run.report(end)
}

impl EffortArgs {
    pub fn search(&self) -> SearchArgs {
        SearchArgs {
            limits: LimitArgs {
                max_states: self.max_states,
                memory: self.memory.clone(),
                timeout: Some(self.timeout),
            },
            ..SearchArgs::default()
        }
    }
}

pub fn output(args: &BoardsArgs) -> Result<Box<dyn Write + Send>> {
    match args
        .output
        .as_deref()
        .filter(|path| *path != Path::new("-"))
    {
        None => Ok(Box::new(BufWriter::new(io::stdout()))),
        Some(path) => {
            let cant = |error| {
                let path = safe(&path.to_string_lossy());
                anyhow!("can't write {path}: {}", unreadable(&error))
            };
            let file = File::create(path).map_err(cant)?;
            Ok(Box::new(Writer::new(BufWriter::new(file), path)))
        }
    }
}

impl BoardsArgs {
    pub fn format(&self) -> BoardFormat {
        let is_lines = |path: &Path| named_format(path) == Some(Format::JsonLines);
        if self.json || self.output.as_deref().is_some_and(is_lines) {
            BoardFormat::Json
        } else {
            BoardFormat::Text
        }
    }
}

struct Run<'a> {
    args: &'a Generate,
    generator: &'a Generator<'a>,
    bar: Progress,
    out: Box<dyn Write + Send>,
    made: u64,
    unfinished: u64,
}

/// The seed, and the switches that don't change a board.
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

/// An error ends the run, since its boards can't be written.
type Written = io::Result<()>;

impl Run<'_> {
    fn all(&mut self, seed: u64) -> Result<End> {
        let (generator, count) = (self.generator, self.args.count);
        let bar = self.bar.clone();
        let mut written: Written = Ok(());
        let end = generator.boards((seed, count), &Watch(&bar), &mut |made| {
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

    fn write(&mut self, made: &Made) -> Written {
        let ruleset = self.generator.layout().ruleset;
        let words = [vec![ruleset.to_owned()], typed(&NEUTRAL)]
            .concat()
            .join(" ");
        let mut remarks = vec![(
            "made by".to_owned(),
            format!("getaway generate {words} --seed {}", made.seed),
        )];
        if made.board.shortfall > 0.0 {
            self.unfinished += 1;
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
        let board = Drawn {
            layout: self.generator.layout(),
            sketch: &made.board.sketch,
            measures: &made.board.measures,
        };
        let (out, format) = (&mut self.out, self.args.output.format());
        self.bar.suspend(|| {
            board.write(&caption, format, out)?;
            out.flush()
        })
    }

    fn report(&self, end: End) -> Result<ExitCode> {
        let made = count(self.made, "board");
        let wanted = grouped(self.args.count);
        let message = match end {
            End::Complete => return Ok(ExitCode::SUCCESS),
            End::Stopped => return Ok(ExitCode::FAILURE),
            End::Exhausted(seeds) => format!(
                "{made} of {wanted}: no new board from the next {} seeds",
                grouped(seeds)
            ),
            End::Limit(limit) => match self.unfinished {
                0 => format!("{limit} after {made} of {wanted}"),
                _ => format!(
                    "{limit} after {} of {wanted}; the best of the next {}",
                    count(self.made - self.unfinished, "board"),
                    if self.unfinished == 1 {
                        "does not meet the criteria".into()
                    } else {
                        format!("{} do not meet the criteria", self.unfinished)
                    }
                ),
            },
        };
        writeln!(io::stderr(), "{message}")?;
        Ok(ExitCode::from(3))
    }
}

struct Watch<'b>(&'b Progress);

impl Observer for Watch<'_> {
    fn looked(&self, boards: u64, best: Option<&Judged>) {
        self.0.found(boards, best.map(|best| &best.measures));
    }
}
