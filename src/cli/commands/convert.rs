//! `getaway convert`: writes boards in another format.

use std::env;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::importers::snarl;
use anyhow::{Result, bail};
use bytesize::ByteSize;
use clap::Args;
use getaway_board::fault::{BoardError, FaultKind};
use getaway_board::limits::Limit;
use getaway_board::puzzle::{Format, Puzzle};

use crate::cli::args::{Color, ErrorArgs, LimitArgs, RulesetArgs};
use crate::cli::compression::plain_name;
use crate::cli::conversion::{BoardColumns, FileFormat, converted, second_board};
use crate::cli::exit;
use crate::cli::files::failed;
use crate::cli::inputs::{
    Input, Inputs, Sink, for_each_board, for_each_board_as, known_endings, named_format,
    read_whole, select, unknown_ending,
};
use crate::cli::options::{Options, Share, colors};
use crate::cli::output::printer::Errors;
use crate::cli::output::progress::Progress;
use crate::cli::output_file::{self, Named};
use crate::cli::pipeline::Writer as _;
use crate::cli::tables::{self, TableFormat};
use getaway_board::words::{count, path_name, safe};
use getaway_solvers::game::ModelError;

#[derive(Debug, Args)]
#[command(after_long_help = "\
A file that ends in `.gz` or `.zst` is compressed.

Examples:
  getaway convert boards.txt boards.jsonl.zst
  getaway convert puzzles/jimmy all.jsonl
  getaway convert snarl.levels levels.txt
  getaway convert mazes.txt - --to lists
  getaway convert boards.jsonl#2 -                the second board
  getaway convert 0.txt drawn.txt --to drawings
  getaway convert boards.txt page.html --template web/dist/getaway.html
  getaway convert level.txt level.drn

Exit codes:
  0  all boards were written
  2  some boards are invalid or could not be written; the others were written
  3  a limit left some boards unwritten")]
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
    pub errors: ErrorArgs,
    #[command(flatten)]
    pub ruleset: RulesetArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

pub fn run(args: &Convert, color: Color) -> Result<ExitCode> {
    let options = Options::of(&args.ruleset, &args.limits, None)?;
    let target = target(args)?;
    let progress = match &options.progress {
        Some(listed) if target == FileFormat::Drn => {
            Progress::of_states("states listed", ModelError::MAX_STATES, listed)
        }
        _ => Progress::hidden(),
    };
    let mut run = Run {
        options: &options,
        from: args.from,
        target,
        columns: BoardColumns::default(),
        errors: Errors::new(
            args.errors.max_errors,
            colors(color, &io::stderr()),
            progress,
        ),
        written: 0,
        failed: 0,
        limited: 0,
        has_bad_file: false,
    };
    let template = (target == FileFormat::Page)
        .then(|| Template::of(args, &options))
        .transpose()?;
    let written = output_file::write(&args.output, |out| match (template, target.table()) {
        (None, None) => run.all(&args.input, out),
        (Some(template), _) => {
            let mut boards = Vec::new();
            run.all(&args.input, &mut boards)?;
            template.fill(str::from_utf8(&boards)?, out)
        }
        (None, Some(format)) => {
            // A temporary file holds the rows, since the columns are known only after all boards have been read.
            let folder = env::temp_dir();
            let mut lines =
                tempfile::tempfile_in(&folder).map_err(|error| failed(&folder, &error))?;
            let mut buffer = BufWriter::new(Named::new(&mut lines, &folder));
            run.all(&args.input, &mut buffer)?;
            buffer.flush()?;
            drop(buffer);
            lines.rewind()?;
            let columns = run.columns.columns();
            tables::write(out, format, &columns, |table| {
                io::copy(&mut BufReader::with_capacity(1 << 16, lines), table)?;
                Ok(())
            })
        }
    });
    run.errors.finish()?;
    // The error of each board has been printed already.
    let is_undecided = run.limited > 0 && run.limited == run.failed && !run.has_bad_file;
    if is_undecided && run.written == 0 {
        return Ok(exit::undecided());
    }
    written?;
    if run.failed == 0 && !run.has_bad_file {
        return Ok(ExitCode::SUCCESS);
    }
    let (written, all) = (run.written, run.written + run.failed);
    writeln!(io::stderr(), "{written} of {} written", count(all, "board"))?;
    Ok(if is_undecided {
        exit::undecided()
    } else {
        exit::wrong()
    })
}

fn target(args: &Convert) -> Result<FileFormat> {
    match args.from.or_else(|| format_of(&args.input)) {
        Some(FileFormat::Page) => bail!("pages can be written, but not read"),
        Some(FileFormat::Drn) => bail!("a Markov decision process can be written, but not read"),
        _ => {}
    }
    let format = match (args.to, format_of(&args.output)) {
        (Some(format), _) | (None, Some(format)) => format,
        (None, None) => text_ending(&args.output)?,
    };
    if format == FileFormat::Snarl {
        bail!("levels of the Snarl project can be read, but not written");
    }
    Ok(format)
}

/// The endings of files of the Snarl project.
const SNARL_EXTENSIONS: [&str; 2] = ["levels", "json"];

fn format_of(path: &Path) -> Option<FileFormat> {
    match (TableFormat::named(path), named_format(path)) {
        (Some(TableFormat::Parquet), _) => return Some(FileFormat::Parquet),
        (Some(TableFormat::Arrow), _) => return Some(FileFormat::Arrow),
        (None, Some(Format::JsonLines)) => return Some(FileFormat::Jsonl),
        _ => {}
    }
    match plain_name(path).extension()?.to_str()? {
        ending if SNARL_EXTENSIONS.contains(&ending) => Some(FileFormat::Snarl),
        "html" => Some(FileFormat::Page),
        "drn" => Some(FileFormat::Drn),
        _ => None,
    }
}

/// Returns the text format; fails if the file's extension is unknown.
fn text_ending(path: &Path) -> Result<FileFormat> {
    match unknown_ending(path) {
        None => Ok(FileFormat::Text),
        Some(ending) => bail!(
            "{}: `{}` is not the ending of a format ({}); name the format with `--to`",
            path_name(path),
            safe(&ending),
            known_endings()
        ),
    }
}

/// Passes the wanted boards of an input to `sink`. Returns the number of boards read.
fn read(
    input: &Input,
    from: Option<FileFormat>,
    options: &Options,
    sink: &mut Sink,
) -> Result<u64> {
    let (path, share) = (input.path(), Share::All);
    match from.or_else(|| format_of(path)) {
        Some(FileFormat::Snarl) => select(input.wanted(), options, sink, |sink| {
            let text = io::read_to_string(&*read_whole(path, options.max_memory(share))?)?;
            let read = snarl::read(&text, &mut |level| match level {
                Ok(mut puzzle) => sink(&mut puzzle, Ok(())),
                Err(error) => sink(&mut Puzzle::empty(), Err(error)),
            });
            read.map_err(io::Error::other)
        }),
        Some(FileFormat::Jsonl | FileFormat::Parquet | FileFormat::Arrow) => {
            for_each_board_as(Some(Format::JsonLines), input, options, share, sink)
        }
        Some(FileFormat::Page) | None => for_each_board(input, options, share, sink),
        Some(_) => for_each_board_as(Some(Format::Text), input, options, share, sink),
    }
}

struct Run<'o> {
    options: &'o Options,
    from: Option<FileFormat>,
    target: FileFormat,
    columns: BoardColumns,
    errors: Errors,
    written: u64,
    failed: u64,
    limited: u64,
    /// True if a file could not be read, lacks the wanted board, or does not hold as many boards as it promises.
    has_bad_file: bool,
}

impl Run<'_> {
    fn all(&mut self, path: &Path, out: &mut dyn Write) -> Result<()> {
        let mut skipped = String::new();
        let input = Input::of(path);
        if !matches!(input, Input::Path(_)) || !path.is_dir() {
            self.file(&input, out)?;
        } else {
            let also: &[&str] = match self.from {
                Some(FileFormat::Snarl) => &SNARL_EXTENSIONS,
                // Other programs write `.json`, too.
                None => &SNARL_EXTENSIONS[..1],
                _ => &[],
            };
            let mut found = Inputs::default();
            found.walk(path, also);
            skipped = match &found.skipped_files {
                others if !others.is_empty() => format!(" ({})", others.text()),
                _ if found.all.is_empty() => " (the folder is empty)".into(),
                _ => skipped,
            };
            for input in found.all {
                match input {
                    Input::Refused(path, why) => self.unreadable(&path, &why),
                    input => self.file(&input, out)?,
                }
            }
        }
        if self.written == 0 {
            bail!("{}: no board was written{skipped}", path_name(path));
        }
        Ok(())
    }

    /// Converts a file. Its errors are printed, and the run continues. Fails only if the output can't be written.
    fn file(&mut self, input: &Input, out: &mut dyn Write) -> Result<()> {
        let (path, mut written) = (input.path(), Ok(()));
        let read = read(input, self.from, self.options, &mut |puzzle, _, read| {
            written = self.board(path, read.map(|()| puzzle), out);
            written.is_ok()
        });
        written?;
        if let Err(error) = read {
            self.unreadable(path, &error.to_string());
        }
        Ok(())
    }

    fn board(
        &mut self,
        path: &Path,
        board: Result<&mut Puzzle, BoardError>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let text = board.and_then(|puzzle| {
            if self.target == FileFormat::Drn && self.written > 0 {
                return Err(second_board(puzzle));
            }
            let (ruleset, game) = self.options.read(puzzle)?;
            let warnings = self.options.warnings(ruleset, &*game, puzzle)?;
            self.errors.warnings(&path.to_string_lossy(), &warnings);
            let text = converted(puzzle, self.target, self.options)?;
            self.columns.add(puzzle)?;
            Ok(text)
        });
        match text {
            Ok(text) => {
                self.written += 1;
                out.write_all(&text)
            }
            Err(error) => {
                self.failed += 1;
                self.limited += u64::from(matches!(error.first().kind, FaultKind::Limit(_)));
                let max = ByteSize::b(self.options.max_memory(Share::All));
                let max = max.display().si();
                let note = format!("the memory limit was {max}: `--max-memory` sets another\n\n");
                let is_memory = error.limit() == Some(Limit::Memory);
                let note = if is_memory { &*note } else { "" };
                self.errors.board(&path.to_string_lossy(), &error, note);
                Ok(())
            }
        }
    }

    fn unreadable(&mut self, path: &Path, why: &str) {
        self.has_bad_file = true;
        self.errors.file(path, why);
    }
}

/// The page that `web/build` creates, split at the place for the boards.
struct Template {
    before: String,
    after: String,
}

const BLOCK: &str = "<script id=\"boards\" type=\"text/plain\">";
const END: &str = "</script>";

impl Template {
    /// Reads the template, which by default is the page that the output replaces.
    fn of(args: &Convert, options: &Options) -> Result<Self> {
        let path = args.template.as_ref().unwrap_or(&args.output);
        if args.template.is_none() && !path.exists() {
            bail!(
                "a page needs a template: add `--template web/dist/getaway.html`, which `web/build` makes"
            );
        }
        let max_memory = options.max_memory(Share::All);
        let text = read_whole(path, max_memory).map_err(|error| failed(path, &error))?;
        let text = String::from_utf8_lossy(&text);
        let parts = text
            .split_once(BLOCK)
            .and_then(|(before, rest)| Some((before, rest.split_once(END)?)));
        let Some((before, (_, after))) = parts else {
            bail!(
                "{}: this file has no `{BLOCK}`; name the page that `web/build` makes",
                path_name(path)
            );
        };
        Ok(Self {
            before: before.to_owned(),
            after: after.to_owned(),
        })
    }

    fn fill(&self, boards: &str, out: &mut dyn Write) -> Result<()> {
        // Without `<`, which occurs in JSON only inside strings, the boards can't close the block.
        let boards = boards.replace('<', "\\u003c");
        let Self { before, after } = self;
        write!(out, "{before}{BLOCK}\n{boards}{END}{after}")?;
        Ok(())
    }
}
