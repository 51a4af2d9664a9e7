//! `getaway mutate`: the variants of a board, hardest first.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::generate::impossible::Impossible;
use crate::generate::layout::Layout;
use crate::generate::layouts;
use crate::generate::measures::Meter;
use crate::generate::sketch::Sketch;
use crate::generate::variants::{Aim, Rank, Variants, changes, measure, redrawn, variants};
use anyhow::{Result, anyhow, bail};

use super::generate::output;
use crate::cli::args::mutate::{Mutate, RankName};
use crate::cli::args::{Color, SearchArgs};
use crate::cli::one_board::{OneBoard, Opened};
use crate::cli::options::{Options, Share};
use crate::cli::output::boards::{Caption, Drawn, change_in_words};
use crate::cli::output::progress::Progress;
use crate::cli::output::words::{count, safe};

/// Prints the variants of the board that was asked for.
///
/// # Errors
///
/// If it can't be read or drawn anew, or its variants can't be written.
pub fn run(args: &Mutate, color: Color) -> Result<ExitCode> {
    let search = SearchArgs {
        ruleset: args.ruleset.clone(),
        settings: args.settings.clone(),
        ..args.effort.search()
    };
    let options = Options::new(&search, args.effort.threads)?;
    let one = OneBoard::new(&args.board.file, &options, color);
    one.run(|opened| board(args, &options, opened))
}

fn board(args: &Mutate, options: &Options, opened: &Opened) -> Result<ExitCode> {
    let name = opened.ruleset.name;
    let layout = layouts::find(name).ok_or_else(|| Impossible::NoLayout(name.to_owned()))?;
    let by_default = Rank::by_default(layout.question());
    let rank = args.by.map_or(by_default, RankName::rank);
    rank.check(layout)?;
    let drawn = redrawn(layout, opened.ruleset, (opened.puzzle, &*opened.game));
    let sketch = drawn.map_err(|error| anyhow!("this board can't be changed: {error}"))?;
    let limits = options.limits(Share::Equal);
    let meter = Meter {
        layout,
        ruleset: opened.ruleset,
        must_play: opened.game.session(0, &limits).is_ok(),
        limits,
    };
    let found = match measure(&meter, &sketch, rank) {
        Ok(Some(of)) => {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(options.threads)
                .build()?;
            let aim = if args.flip { Aim::Flip } else { Aim::Keep };
            pool.install(|| {
                let changes = changes(layout, &sketch);
                let bar = Progress::where_wanted(|| Progress::of_variants(changes.len() as u64));
                let looked = || bar.advance_games(1);
                let found = variants(&meter, (&sketch, &of), (aim, rank), (changes, &looked));
                bar.finish();
                found
            })
        }
        Ok(None) => {
            bail!("this board takes too long to solve: see `--max-states` and `--max-memory`")
        }
        Err(limit) => Variants {
            limit: Some(limit),
            ..Variants::default()
        },
    };
    write_all(args, opened, (layout, &sketch), &found)?;
    report(args, &found)
}

/// Writes as many variants as are wanted.
fn write_all(
    args: &Mutate,
    opened: &Opened,
    (layout, sketch): (&dyn Layout, &Sketch),
    found: &Variants,
) -> Result<()> {
    let mut out = output(&args.output)?;
    let file = args.board.file.to_string_lossy();
    let name = opened
        .puzzle
        .name()
        .map_or_else(|| file.to_string(), str::to_owned);
    for (variant, number) in found.all.iter().take(args.count).zip(1..) {
        let change = change_in_words(layout, sketch.grid(), &variant.change);
        let caption = Caption {
            name: safe(&format!("{name}, variant {number}")),
            remarks: vec![
                ("variant of".into(), safe(&file)),
                ("one change".into(), change),
            ],
        };
        let board = Drawn {
            layout,
            sketch: &variant.sketch,
            measures: &variant.measures,
        };
        board.write(&caption, args.output.format(), &mut out)?;
    }
    Ok(out.flush()?)
}

/// Says what is not as was asked for; the exit code.
fn report(args: &Mutate, found: &Variants) -> Result<ExitCode> {
    if let Some(limit) = found.limit {
        let looked = count(found.all.len() as u64, "variant");
        writeln!(io::stderr(), "{limit} after {looked} were found, not all")?;
        return Ok(ExitCode::from(3));
    }
    if found.all.is_empty() {
        let what = if args.flip { "flips" } else { "keeps" };
        writeln!(io::stderr(), "no single change {what} the verdict")?;
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
