//! Recordings of games: the board, with the steps and changed cells of each ply.

use std::io;

use super::figures::Figures;
use getaway_board::limits::{Limit, Limits};
use getaway_play::trace::{Ending, LineKind, Ply, TraceEvent, TraceSink};
use getaway_ruleset::Legend;

/// The game that a recording shows.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The title of the picture.
    pub title: String,
    /// The name of the ruleset.
    pub ruleset: &'static str,
    /// The goal of the game, in words.
    pub goal: &'static str,
    /// The rules, in Markdown.
    pub rules: &'static str,
    /// The meanings of the glyphs.
    pub legend: Legend,
}

impl Subject {
    pub(super) fn figures(&self) -> Figures {
        Figures::of(self.ruleset, self.legend)
    }
}

/// A recorded game: its start, the changes in each ply, and its ending.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The game that the recording shows, with its title and rules.
    pub subject: Subject,
    /// The kind of the line of play, such as a way out.
    pub kind: LineKind,
    /// The board at the start.
    pub start: GlyphRows,
    /// The plies in the order of the game.
    pub plies: Vec<RecordedPly>,
    /// The ending of the game or of the line of play.
    pub ending: Ending,
    /// The memory that a [`Recorder`] has counted, in bytes; 0 for [`Recording::of_start`].
    pub(super) bytes: u64,
}

/// The glyphs of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GlyphRows {
    cols: usize,
    pub(super) glyphs: Vec<char>,
}

/// A ply: one runner's move, or the moves of all chasers in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPly {
    /// The number of the turn, from 1.
    pub turn: usize,
    /// The side that moves, in words.
    pub who: &'static str,
    /// The runner's move; `None` in a chasers' ply.
    pub mv: Option<String>,
    /// The steps of the actors.
    pub events: Vec<TraceEvent>,
    /// The indices of the changed cells and their new glyphs.
    pub(super) changes: Vec<(usize, char)>,
}

impl GlyphRows {
    fn of(rows: &[String]) -> Self {
        let cols = rows
            .iter()
            .map(|row| row.chars().count())
            .max()
            .unwrap_or(0);
        let mut glyphs = Vec::new();
        for row in rows {
            glyphs.extend(row.chars());
            glyphs.resize(glyphs.len().next_multiple_of(cols.max(1)), ' ');
        }
        Self { cols, glyphs }
    }

    /// Returns the number of columns of characters.
    pub const fn cols(&self) -> usize {
        self.cols
    }

    /// Returns the number of rows of characters.
    pub fn rows(&self) -> usize {
        self.glyphs.len() / self.cols.max(1)
    }

    /// Returns the row and column of a cell, given its index in row-major order.
    pub const fn place(&self, index: usize) -> (u32, u32) {
        ((index / self.cols) as u32, (index % self.cols) as u32)
    }

    /// Returns the index of a row and column; `None` outside the board.
    pub fn index(&self, (row, col): (u32, u32)) -> Option<usize> {
        let index = row as usize * self.cols + col as usize;
        ((col as usize) < self.cols && index < self.glyphs.len()).then_some(index)
    }

    /// Applies the changes of the next ply.
    pub fn advance(&mut self, ply: &RecordedPly) {
        for &(index, glyph) in &ply.changes {
            self.glyphs[index] = glyph;
        }
    }
}

impl RecordedPly {
    fn bytes(&self) -> u64 {
        let lists = size_of_val(&*self.events) + size_of_val(&*self.changes);
        (size_of::<Self>() + lists + self.mv.as_ref().map_or(0, String::len)) as u64
    }
}

impl Recording {
    /// Creates a recording of a board without any moves.
    pub fn of_start(subject: Subject, rows: &[String]) -> Self {
        Self {
            subject,
            kind: LineKind::Given,
            start: GlyphRows::of(rows),
            plies: Vec::new(),
            ending: Ending::open(0),
            bytes: 0,
        }
    }

    /// Returns the number of positions: one more than the number of plies.
    pub const fn positions(&self) -> usize {
        self.plies.len() + 1
    }

    /// Returns the number of the last ply's turn; 0 if there are no plies.
    pub fn last_turn(&self) -> usize {
        self.plies.last().map_or(0, |ply| ply.turn)
    }

    /// Returns the number, from 0, of a turn's last position; `None` if there is no such turn. Turn 0 is the start.
    pub fn position_after(&self, turn: usize) -> Option<usize> {
        let is_known = turn <= self.last_turn();
        is_known.then(|| self.plies.partition_point(|ply| ply.turn <= turn))
    }
}

/// Records a game while it is played.
#[derive(Debug)]
pub struct Recorder<'l> {
    limits: Limits<'l>,
    recording: Recording,
    now: GlyphRows,
    reached: Option<Limit>,
}

impl<'l> Recorder<'l> {
    /// Starts a recording; a limit on memory ends it.
    pub fn new(subject: Subject, limits: &Limits<'l>) -> Self {
        Self {
            limits: *limits,
            recording: Recording::of_start(subject, &[]),
            now: GlyphRows::default(),
            reached: None,
        }
    }

    /// Returns the recording with this ending.
    pub fn finish(self, ending: Ending) -> Recording {
        Recording {
            ending,
            ..self.recording
        }
    }

    /// Returns the limit that ended the recording, if one did.
    pub const fn reached(&self) -> Option<Limit> {
        self.reached
    }

    fn count_bytes(&mut self, bytes: u64) -> io::Result<()> {
        self.recording.bytes += bytes;
        self.reached = self.limits.check_memory(self.recording.bytes).err();
        self.reached.map_or(Ok(()), |limit| {
            Err(io::Error::other(format!("the recording: {limit}")))
        })
    }
}

impl TraceSink for Recorder<'_> {
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        self.now = GlyphRows::of(&rows());
        self.recording.kind = line.clone();
        self.recording.start = self.now.clone();
        // Both `now` and `start` hold the glyphs.
        self.count_bytes(2 * size_of_val(&*self.now.glyphs) as u64)
    }

    fn ply(&mut self, ply: &Ply) -> io::Result<()> {
        let then = GlyphRows::of(&ply.rows);
        let both = self.now.glyphs.iter().zip(&then.glyphs).enumerate();
        let changes = both.filter(|(_, (old, new))| old != new);
        let ply = RecordedPly {
            turn: ply.turn,
            who: ply.who,
            mv: ply.mv.clone(),
            events: ply.events.clone(),
            changes: changes.map(|(index, (_, &new))| (index, new)).collect(),
        };
        self.count_bytes(ply.bytes())?;
        self.recording.plies.push(ply);
        self.now = then;
        Ok(())
    }
}
