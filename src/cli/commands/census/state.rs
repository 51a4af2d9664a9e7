use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::census::{Census, Tally, Totals};
use anyhow::Result;

use crate::cli::resume::{self, Question};

const SAVED_EVERY: Duration = Duration::from_secs(1);

type Done = (Vec<usize>, Totals);

pub struct State {
    pub totals: Totals,
    /// One flag per unit.
    is_done: Vec<bool>,
    /// Results since the last save.
    new: Done,
    saved: Instant,
    file: Option<resume::State<Done>>,
}

impl State {
    /// Reads the state from a file; it is empty if no file is named or the file does not exist.
    pub fn open(path: Option<&Path>, census: &Census, max_states: Option<u64>) -> Result<Self> {
        let mut state = Self {
            totals: Totals::default(),
            is_done: vec![false; census.units()],
            new: Done::default(),
            saved: Instant::now(),
            file: None,
        };
        if let Some(path) = path {
            let question = question(census, max_states);
            let mut take = |(units, totals): &Done| {
                let is_possible = units.iter().all(|&unit| unit < census.units())
                    && totals.0.values().all(|tally| can_be(census, tally));
                if is_possible {
                    state.take(units, totals);
                }
                is_possible
            };
            let opened = resume::State::open(path, question, Vec::new, &mut take)?;
            state.file = Some(opened.0);
        }
        Ok(state)
    }

    fn take(&mut self, units: &[usize], totals: &Totals) {
        for &unit in units {
            self.is_done[unit] = true;
        }
        self.totals.add(totals.clone());
    }

    pub fn add(&mut self, unit: usize, totals: Totals) -> io::Result<()> {
        self.take(&[unit], &totals);
        self.new.0.push(unit);
        self.new.1.add(totals);
        if self.saved.elapsed() < SAVED_EVERY {
            return Ok(());
        }
        self.save()
    }

    pub fn save(&mut self) -> io::Result<()> {
        let new = std::mem::take(&mut self.new);
        self.saved = Instant::now();
        match &self.file {
            Some(file) if !new.0.is_empty() => {
                file.add(&new)?;
                file.finish()
            }
            _ => Ok(()),
        }
    }

    pub fn todo(&self) -> Vec<usize> {
        let units = 0..self.is_done.len();
        units.filter(|&unit| !self.is_done[unit]).collect()
    }

    pub fn number_done(&self) -> usize {
        self.is_done.iter().filter(|&&is_done| is_done).count()
    }
}

/// Returns whether a tally from a file is possible. Rejects huge counts, so that their sum can't overflow.
fn can_be(census: &Census, tally: &Tally) -> bool {
    tally.boards.max(tally.fixed) >> 96 == 0
        && tally.first.as_ref().is_none_or(|first| census.has(first))
}

/// Describes the census, as in `jimmy 4x4, o 1, g 1`. Omits the program's version, since all versions count the same.
fn question(census: &Census, max_states: Option<u64>) -> Question {
    let (kind, grid) = (census.kind(), census.kind().grid());
    let mut text = format!("{} {}x{}", kind.ruleset(), grid.rows(), grid.cols());
    for (glyph, number) in kind.actors() {
        text += &format!(", {glyph} {number}");
    }
    if let Some(states) = max_states {
        text += &format!(", at most {states} states");
    }
    Question {
        version: String::new(),
        paths: Vec::new(),
        flags: vec![text],
    }
}
