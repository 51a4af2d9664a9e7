//! `getaway edit`: edits a board in the terminal.

use std::io::{self, Write};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use clap::Args;

use super::play::{ScreenArgs, app, screen_exit};
use crate::cli::args::{BoardArgs, Color, SearchArgs};
use crate::cli::exit;
use crate::cli::inputs::Input;
use crate::cli::options::{Options, colors};
use crate::cli::output::diagnostic::Diagnostics;
use crate::cli::screen::shelf::{BoardFile, BoardList};
use crate::cli::screen::write;
use crate::cli::tables::TableFormat;
use getaway_board::fault::{Fault, FaultKind};
use getaway_board::words::path_name;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway edit board.txt
  getaway edit boards.jsonl#left    the board with the id `left`
  getaway edit --ruleset jimmy new.txt

In the editor `?` shows all keys.")]
pub struct Edit {
    #[command(flatten)]
    pub board: BoardArgs,
    #[command(flatten)]
    pub screen: ScreenArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

pub fn run(args: &Edit, color: Color) -> Result<ExitCode> {
    let options = Options::with_stop(&args.search, None, Arc::default())?;
    let (file, number) = match Input::of(&args.board.file) {
        Input::Stdin => {
            bail!("`edit` can't save to `-`: name a file")
        }
        Input::Path(path) if !path.exists() => (Rc::new(BoardFile::of(&path, Vec::new())), 0),
        Input::Path(path) if path.is_dir() => {
            bail!(
                "{}: this is a folder; name one board file",
                path_name(&path)
            )
        }
        Input::Path(path) | Input::Board(path, _) if TableFormat::named(&path).is_some() => {
            bail!(
                "{}: a table can't be edited; `getaway convert` makes a text file of it",
                path_name(&path)
            )
        }
        Input::Path(_) | Input::Board(..) | Input::Refused(..) => {
            let shelf = BoardList::open(&args.board.file)?;
            (shelf.file, shelf.number)
        }
    };
    let address = file.address(number);
    let (puzzle, read) = file.board(number).read();
    let is_text = |fault: &Fault| !matches!(fault.kind, FaultKind::Binary | FaultKind::NotUtf8);
    if let Err(error) = &read
        && !error.faults.iter().all(is_text)
    {
        let text = Diagnostics::new(colors(color, &io::stderr())).board(&address, error);
        io::stderr().write_all(text.as_bytes())?;
        return Ok(exit::wrong());
    }
    let rows = write::rows(file.board(number), &puzzle);
    rows.map_err(|why| anyhow!("{address}: it can't be edited: {why}"))?;
    let mut app = app("edit", &options, color, &args.screen)?;
    screen_exit(app.edit(&file, number))
}
