//! Arguments of `getaway convert`.

use std::path::PathBuf;

use bytesize::ByteSize;
use clap::{Args, ValueEnum};

use super::settings::SettingArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Any file may be compressed, as its ending says: `.gz` or `.zst`.

Examples:
  getaway convert boards.txt boards.jsonl.zst
  getaway convert puzzles/jimmy all.jsonl
  getaway convert snarl.levels levels.txt
  getaway convert mazes.txt - --to lists
  getaway convert 0.txt drawn.txt --to drawings

Exit codes:
  0  all boards were written
  2  some are no boards, or could not be written: the others were")]
pub struct Convert {
    /// A file of boards, or a folder of them; `-` is standard input.
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The file to write; `-` is standard output.
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// What IN is [default: as its ending says, else as it looks].
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub from: Option<FileFormat>,
    /// What to write [default: as the ending of OUT says, else text].
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: Option<FileFormat>,
    /// Read every board by the rules of this ruleset, whatever its header and glyphs say.
    #[arg(long, value_name = "NAME")]
    pub ruleset: Option<String>,
    #[command(flatten)]
    pub settings: SettingArgs,
    /// Use at most this much memory for a board, such as `2GiB` or `500MB` [default: half of what is free].
    #[arg(long, value_name = "SIZE")]
    pub max_memory: Option<ByteSize>,
}

/// A format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FileFormat {
    /// Drawings (or a maze in lists) with header lines.
    Text,
    /// The same, but mazes in lists are drawn, and frames left out.
    Drawings,
    /// A JSON object a line.
    Jsonl,
    /// Mazes as the course's lists of integers.
    Lists,
    /// Boards of `baddies` in frames.
    Frames,
    /// JSON levels of the Snarl course project: read only.
    Snarl,
    /// An Apache Parquet table.
    Parquet,
    /// An Arrow IPC file.
    Arrow,
}
