//! `getaway render --sheet`: draws many boards on one page.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use getaway_board::fault::BoardError;
use getaway_board::puzzle::Puzzle;
use getaway_render::RenderError;
use getaway_render::contact_sheet;
use getaway_render::recording::Recording;

use super::{Render, advice, format, refuse_terminal};
use crate::cli::args::{Color, FormatName, name_of};
use crate::cli::exit;
use crate::cli::inputs::{Folders, Input, Inputs, for_each_board};
use crate::cli::options::{Options, Share, colors};
use crate::cli::output::diagnostic::Diagnostics;
use crate::cli::output::picture;
use crate::cli::output_file;
use getaway_board::words::{path_name, safe};

pub fn draw(args: &Render, color: Color) -> Result<ExitCode> {
    let format = format(args)?;
    let write = match format {
        FormatName::Svg => contact_sheet::svg,
        FormatName::Png => contact_sheet::png,
        _ => bail!("a sheet is an svg or a png, not a {}", name_of(&format)),
    };
    refuse_terminal(&args.output, format)?;
    let options = Options::new(&args.search, None)?;
    let mut sheet = Sheet {
        options: &options,
        diagnostics: Diagnostics::new(colors(color, &io::stderr())),
        recordings: Vec::new(),
        has_fault: false,
    };
    let named = [&args.board.file].into_iter().chain(&args.more);
    for input in Inputs::of(&named.collect::<Vec<_>>(), Folders::Walk).all {
        sheet.add(&input)?;
    }
    let Sheet {
        recordings,
        has_fault,
        ..
    } = sheet;
    if recordings.is_empty() && has_fault {
        return Ok(exit::wrong());
    }
    let limits = options.limits(Share::All);
    let written = output_file::write(&args.output, |out| Ok(write(&recordings, &limits, out)?));
    match written.map_err(anyhow::Error::downcast) {
        Ok(()) if has_fault => Ok(exit::wrong()),
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(Ok(RenderError::Limit(limit))) => {
            exit::stopped(&format!("undecided: {limit}; no picture was written"))
        }
        Err(Ok(error)) => bail!("{}", advice(&error)),
        Err(Err(error)) => Err(error),
    }
}

struct Sheet<'o> {
    options: &'o Options,
    diagnostics: Diagnostics,
    recordings: Vec<Recording>,
    has_fault: bool,
}

impl Sheet<'_> {
    fn add(&mut self, input: &Input) -> Result<()> {
        let path = input.path();
        let read = for_each_board(
            input,
            self.options,
            Share::All,
            &mut |puzzle, number, read| {
                let recorded = read.and_then(|()| self.record(path, number, puzzle));
                self.keep(path, recorded);
                true
            },
        );
        match read {
            Ok(0) => Err(input.wanted().missing(0)),
            read => read.map(drop),
        }
        .with_context(|| path_name(path))
    }

    fn record(&self, path: &Path, number: u64, puzzle: &Puzzle) -> Result<Recording, BoardError> {
        let (ruleset, _) = self.options.read(puzzle)?;
        let mut recording = picture::record(ruleset, puzzle);
        let address = || format!("{}#{number}", path_name(path));
        recording.subject.title = puzzle.name().map_or_else(address, safe);
        Ok(recording)
    }

    fn keep(&mut self, path: &Path, recorded: Result<Recording, BoardError>) {
        match recorded {
            Ok(recording) => self.recordings.push(recording),
            Err(error) => {
                self.has_fault = true;
                let text = self.diagnostics.board(&path.to_string_lossy(), &error);
                // If standard error can't be written to, there is nowhere to report that.
                let _ = io::stderr().write_all(text.as_bytes());
            }
        }
    }
}
