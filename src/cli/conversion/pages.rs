//! Pages with boards of their own: a template whose block for boards is filled.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};

use crate::cli::inputs::{open, read_to_end, unreadable};
use crate::cli::output::words::path_name;

/// The page that `web/build` makes, split where its boards belong.
pub struct Template {
    before: String,
    after: String,
}

const BLOCK: &str = "<script id=\"boards\" type=\"text/plain\">";
const END: &str = "</script>";

impl Template {
    pub fn read(path: &Path, max_memory: u64) -> Result<Self> {
        let text = open(path, max_memory).and_then(|input| read_to_end(input, max_memory));
        let text = match text {
            Ok(text) => String::from_utf8_lossy(&text).into_owned(),
            Err(error) => bail!("{}: {}", path_name(path), unreadable(&error)),
        };
        let parts = text.split_once(BLOCK);
        let Some((before, (_, after))) =
            parts.and_then(|(before, rest)| Some((before, rest.split_once(END)?)))
        else {
            bail!(
                "{}: there is no `{BLOCK}` in this file; give the page that `web/build` makes",
                path_name(path)
            );
        };
        Ok(Self {
            before: before.to_owned(),
            after: after.to_owned(),
        })
    }

    /// Writes the page with these boards, given as JSON Lines.
    pub fn fill(&self, boards: &str, out: &mut dyn Write) -> Result<()> {
        // Nothing in the boards can end the block: in JSON, this character occurs only in strings.
        let boards = boards.replace('<', "\\u003c");
        let Self { before, after } = self;
        write!(out, "{before}{BLOCK}\n{boards}{END}{after}")?;
        Ok(())
    }
}
