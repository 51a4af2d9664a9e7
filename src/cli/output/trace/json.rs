//! A trace as JSON Lines.

use std::io::{self, Write};

use crate::limits::Limit;
use crate::play::trace::{Ending, HalfTurn, LineKind};
use crate::puzzle::written;
use serde::Serialize;
use serde_json::json;

use super::{Heading, Layout};

pub struct Json<W>(pub W);

impl<W: Write> Json<W> {
    fn object(&mut self, value: &impl Serialize) -> io::Result<()> {
        written::to_writer(&mut self.0, value)?;
        self.line("")
    }
}

impl<W: Write> Layout for Json<W> {
    fn begin(&mut self, _: &Heading, line: &LineKind, rows: &[String]) -> io::Result<()> {
        let mut value = json!(line);
        value["rows"] = rows.into();
        self.object(&value)
    }

    fn half(&mut self, half: &HalfTurn) -> io::Result<()> {
        self.object(half)
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.0, "{text}")
    }

    fn end(&mut self, ending: &Ending, _told: &str) -> io::Result<()> {
        self.object(&json!(ending))
    }

    fn undecided(&mut self, limit: Limit) -> io::Result<()> {
        self.object(&json!({"end": "undecided", "limit": limit.to_string()}))
    }
}
