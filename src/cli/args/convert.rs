//! Arguments of `getaway convert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{MemoryArgs, RulesetArgs};

#[derive(Debug, Args)]
#[command(after_long_help = "\
A file that ends in `.gz` or `.zst` is compressed.

Examples:
  getaway convert boards.txt boards.jsonl.zst
  getaway convert puzzles/jimmy all.jsonl
  getaway convert snarl.levels levels.txt
  getaway convert mazes.txt - --to lists
  getaway convert 0.txt drawn.txt --to drawings
  getaway convert boards.txt page.html --template web/dist/getaway.html
  getaway convert level.txt level.drn

Exit codes:
  0  all boards were written
  2  some boards are invalid or could not be written; the others were written")]
pub struct Convert {
    /// A file of boards, or a folder of them; `-` is standard input.
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The file to write; `-` is standard output.
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// The format of IN [default: inferred from its extension, else from its content].
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub from: Option<FileFormat>,
    /// The format to write [default: inferred from OUT's extension, else text].
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<FileFormat>,
    /// The page to fill, as made by `web/build` [default: OUT].
    #[arg(long, value_name = "FILE")]
    pub template: Option<PathBuf>,
    #[command(flatten)]
    pub ruleset: RulesetArgs,
    #[command(flatten)]
    pub memory: MemoryArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FileFormat {
    /// Drawings, or lists for a maze, with header lines.
    Text,
    /// Text with mazes drawn instead of listed, and without frames.
    Drawings,
    /// A JSON object per line.
    Jsonl,
    /// Mazes as lists of integers.
    Lists,
    /// Framed boards of `baddies`.
    Frames,
    /// JSON levels of the Snarl course project (read-only).
    Snarl,
    /// A page to play the boards in a browser (write-only; see `--template`).
    Page,
    /// An Apache Parquet table.
    Parquet,
    /// An Arrow IPC file.
    Arrow,
    /// A Markov decision process in Storm's explicit format (write-only, one board).
    Drn,
}
