//! What a census has counted so far, in a journal.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::census::{Census, Tally, Totals};
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use crate::cli::journal::{Journal, Writer};
use crate::cli::output::words::safe;

/// How often the state is written.
const SAVED_EVERY: Duration = Duration::from_secs(1);

/// What is counted, and which pieces are done.
pub struct State {
    /// What the pieces came to that are done.
    pub totals: Totals,
    /// By piece.
    is_done: Vec<bool>,
    /// What was counted since the last record.
    new: (Vec<usize>, Totals),
    saved: Instant,
    journal: Option<Writer>,
}

/// A record of the journal: the first is the question.
#[derive(Serialize, Deserialize)]
enum Record {
    /// What is counted: whatever changes a result.
    Question(String),
    /// What these pieces came to.
    Done(Vec<usize>, Totals),
}

impl State {
    /// What the file holds, if one was named; nothing, if there is none yet.
    pub fn open(path: Option<&Path>, census: &Census, max_states: Option<u64>) -> Result<Self> {
        let mut state = Self {
            totals: Totals::default(),
            is_done: vec![false; census.units()],
            new: <(Vec<usize>, Totals)>::default(),
            saved: Instant::now(),
            journal: None,
        };
        if let Some(path) = path {
            let question = question(census, max_states);
            state.journal = Some(state.read(path, census, question)?);
        }
        Ok(state)
    }

    fn read(&mut self, path: &Path, census: &Census, question: String) -> Result<Writer> {
        let mut records = Journal::open(path)?.records()?;
        let can_be = |record: &Record| match record {
            Record::Question(_) => true,
            Record::Done(units, totals) => {
                let tallies = totals.0.values();
                units.iter().all(|&unit| unit < census.units())
                    && tallies.into_iter().all(|tally| can_be(census, tally))
            }
        };
        match records.read(can_be)? {
            Some(Record::Question(begun)) if begun == question => {}
            Some(Record::Question(begun)) => bail!(
                "{} is the state of another census, `{}` instead of `{question}`: name another file, or remove this \
                 one to begin anew",
                safe(&path.to_string_lossy()),
                safe(&begun)
            ),
            _ => {
                let mut journal = records.end()?;
                journal.add(&Record::Question(question))?;
                return Ok(journal);
            }
        }
        while let Some(Record::Done(units, totals)) = records.read(can_be)? {
            for unit in units {
                self.is_done[unit] = true;
            }
            self.totals.add(totals);
        }
        records.end()
    }

    /// A piece came to this.
    pub fn add(&mut self, unit: usize, totals: Totals) -> io::Result<()> {
        self.is_done[unit] = true;
        self.totals.add(totals.clone());
        self.new.0.push(unit);
        self.new.1.add(totals);
        if self.saved.elapsed() < SAVED_EVERY {
            return Ok(());
        }
        self.save()
    }

    /// Writes down what is new.
    pub fn save(&mut self) -> io::Result<()> {
        let (units, totals) = std::mem::take(&mut self.new);
        self.saved = Instant::now();
        match &mut self.journal {
            Some(journal) if !units.is_empty() => {
                journal.add(&Record::Done(units, totals))?;
                journal.finish()
            }
            _ => Ok(()),
        }
    }

    /// The pieces that are not done.
    pub fn todo(&self) -> Vec<usize> {
        let units = 0..self.is_done.len();
        units.filter(|&unit| !self.is_done[unit]).collect()
    }

    /// How many are.
    pub fn number_done(&self) -> usize {
        self.is_done.iter().filter(|&&is_done| is_done).count()
    }
}

/// Whether a tally can be one of this census: many such can be added up.
fn can_be(census: &Census, tally: &Tally) -> bool {
    tally.boards.max(tally.fixed) >> 96 == 0
        && tally.first.as_ref().is_none_or(|first| census.has(first))
}

/// `jimmy 4x4, o 1, g 1`
fn question(census: &Census, max_states: Option<u64>) -> String {
    let (kind, grid) = (census.kind(), census.kind().grid());
    let mut text = format!("{} {}x{}", kind.ruleset(), grid.rows(), grid.cols());
    for (glyph, number) in kind.actors() {
        text += &format!(", {glyph} {number}");
    }
    if let Some(states) = max_states {
        text += &format!(", at most {states} states");
    }
    text
}
