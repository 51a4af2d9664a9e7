//! `getaway mutate`: lists the variants of a board, hardest first.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use getaway_board::limits::{Limit, Limits};
use getaway_board::puzzle::Format;
use getaway_generate::variants::{
    Aim, MutationError, Rank, Selection, Variant, Variants, variants,
};
use getaway_generate::written::Caption;

use super::generate::{BoardsArgs, EffortArgs};
use crate::cli::args::{BoardArgs, Color, RulesetArgs, ThreadArgs, one_of};
use crate::cli::inputs::Input;
use crate::cli::one_board::{OneBoard, Opened};
use crate::cli::options::Options;
use crate::cli::output::progress::Progress;
use crate::cli::{exit, output_file};
use getaway_board::words::{count, safe};

const RANKS: &[(Rank, &str, &str)] = &[
    (
        Rank::Moves,
        "moves",
        "The number of moves in a shortest way out, largest first",
    ),
    (
        Rank::FirstMoves,
        "first-moves",
        "The number of first moves that lead out, smallest first",
    ),
    (
        Rank::Difficulty,
        "difficulty",
        "The difficulty that `getaway analyse` reports, highest first",
    ),
    (
        Rank::Probability,
        "probability",
        "The probability of escape, lowest first",
    ),
];

#[derive(Debug, Args)]
#[command(after_long_help = "\
A variant moves, adds or removes one wall or piece. Places are row,column of cells, from 1. Without `--max-states`,
variants that take many more states than the board itself are skipped, and counted at the end.

Examples:
  getaway mutate board.txt
  getaway mutate --by first-moves --count 3 boards.txt#2
  getaway mutate --flip board.txt

Exit codes:
  0  variants were found
  1  there are none
  2  the board or the command line is wrong
  3  a limit was reached: the variants found so far are printed")]
pub struct Mutate {
    #[command(flatten)]
    pub board: BoardArgs,
    // A hidden switch for what is now the default.
    #[arg(long, conflicts_with = "flip", hide = true)]
    keep: bool,
    /// List variants with another verdict, not the same one.
    #[arg(long)]
    pub flip: bool,
    /// Rank the variants by this measure, hardest first.
    ///
    /// [default: probability for a `dungeon`, else moves]
    #[arg(long, value_parser = one_of(RANKS), value_name = "MEASURE")]
    pub by: Option<Rank>,
    /// Print at most N variants.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub count: u64,
    #[command(flatten)]
    pub output: BoardsArgs,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub ruleset: RulesetArgs,
    #[command(flatten)]
    pub effort: EffortArgs,
}

pub fn run(args: &Mutate, color: Color) -> Result<ExitCode> {
    let options = Options::of(&args.ruleset, &args.effort.limits, args.threads.threads)?;
    let input = Input::of(&args.board.file);
    output_file::must_differ(&[args.output.path()?], &[input.path()])?;
    let mut one = OneBoard::new(&args.board.file, &options, color);
    one.prints_boards = true;
    one.run(|opened| board(args, opened))
}

fn board(args: &Mutate, opened: &Opened) -> Result<ExitCode> {
    let options = opened.one.options;
    let left = opened.puzzle.limits_left();
    let threads = options.threads as u64;
    let limits = Limits {
        max_memory: left.max_memory.map(|max| max / threads),
        threads: 1,
        ..left
    };
    let selection = Selection {
        aim: if args.flip { Aim::Flip } else { Aim::Keep },
        rank: args.by,
        max: args.count as usize,
    };
    let file = args.board.file.to_string_lossy();
    let name = opened.puzzle.name().unwrap_or(&file);
    let written = |variant: &Variant, title: &str, format| {
        let caption = Caption {
            name: safe(&format!("{name}, {title}")),
            remarks: vec![
                ("variant of".into(), safe(&file)),
                ("one change".into(), variant.change.clone()),
            ],
        };
        variant.written(&caption, format)
    };
    let bar = Progress::on_terminal(|| Progress::of_search("variant", limits.deadline));
    let note_tried = |best: Option<&Variant>| {
        bar.found(1, best.map(|best| &best.measures));
        if let Some(best) = best {
            bar.print(|| written(best, "best so far", Format::Text));
        }
    };
    let (ruleset, puzzle, game) = (opened.ruleset, opened.puzzle, &*opened.game);
    let pool = options.pool()?;
    let found = variants(&pool, ruleset, puzzle, game, selection, limits, &note_tried);
    bar.finish();
    let found = match found {
        Ok(found) => found,
        Err(MutationError::Limit(limit @ (Limit::States | Limit::Memory))) => {
            let option = match limit {
                Limit::Memory => "--max-memory",
                _ => "--max-states",
            };
            let message = format!("undecided: {limit} while solving this board; see `{option}`");
            return exit::stopped(&message);
        }
        Err(MutationError::Limit(limit)) => Variants {
            limit: Some(limit),
            ..Variants::default()
        },
        Err(error) => return Err(error).with_context(|| opened.one.path()),
    };
    if !found.hardest.is_empty() {
        output_file::write(args.output.path()?, |out| {
            for (variant, number) in found.hardest.iter().zip(1..) {
                let title = format!("variant {number}");
                out.write_all(&written(variant, &title, args.output.format()))?;
            }
            Ok(())
        })?;
    }
    ending(args, &found)
}

fn ending(args: &Mutate, found: &Variants) -> Result<ExitCode> {
    if found.skipped > 0 {
        let skipped = count(found.skipped, "variant");
        writeln!(
            io::stderr(),
            "skipped {skipped} that needed too many states or too much memory (`--max-states`)"
        )?;
    }
    if let Some(limit) = found.limit {
        let looked = count(found.count, "variant");
        return exit::stopped(&format!("{limit} after {looked}: there may be more"));
    }
    if found.count == 0 {
        let what = if args.flip { "flips" } else { "keeps" };
        writeln!(io::stderr(), "no single change {what} the verdict")?;
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}
