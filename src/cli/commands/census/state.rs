//! What a census has counted so far, in a file.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::census::{Answer, Census, First, Tally, Totals};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::cli::output::words::safe;

/// What is counted, and which pieces are done.
#[derive(Debug)]
pub struct State {
    /// What the pieces came to that are done.
    pub totals: Totals,
    /// What is counted: whatever changes a result.
    question: String,
    /// By piece.
    is_done: Vec<bool>,
}

impl State {
    /// Nothing is counted yet.
    pub fn new(census: &Census, max_states: Option<u64>) -> Self {
        Self {
            totals: Totals::default(),
            question: question(census, max_states),
            is_done: vec![false; census.units()],
        }
    }

    /// What the file holds; nothing, if there is none yet.
    ///
    /// # Errors
    ///
    /// If it can't be read, or is about something else.
    pub fn read(path: &Path, census: &Census, max_states: Option<u64>) -> Result<Self> {
        let mut state = Self::new(census, max_states);
        let shown = safe(&path.to_string_lossy());
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(state),
            text => text.with_context(|| format!("can't read {shown}"))?,
        };
        let advice = "name another file, or remove this one to begin anew";
        let Ok(saved) = serde_json::from_str::<Saved>(&text) else {
            bail!("{shown} is no state of a census: {advice}");
        };
        if saved.census != state.question {
            bail!(
                "{shown} is the state of another census, `{}` instead of `{}`: {advice}",
                safe(&saved.census),
                state.question
            );
        }
        if !saved.restore(census, &mut state) {
            bail!("{shown} is a damaged state of a census: {advice}");
        }
        Ok(state)
    }

    /// Writes it: to a file beside it first, which then takes its place.
    ///
    /// # Errors
    ///
    /// If it can't be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".new");
        let write = || {
            let mut file = File::create(&beside)?;
            file.write_all(&serde_json::to_vec(&Saved::of(self))?)?;
            file.sync_all()?;
            fs::rename(&beside, path)
        };
        write().with_context(|| format!("can't write {}", safe(&path.to_string_lossy())))
    }

    /// A piece came to this.
    pub fn add(&mut self, unit: usize, totals: Totals) {
        self.totals.add(totals);
        self.is_done[unit] = true;
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

/// The file.
#[derive(Serialize, Deserialize)]
struct Saved {
    census: String,
    /// Runs of pieces that are done: the first, and the first that is not.
    done: Vec<(usize, usize)>,
    answers: Vec<SavedTally>,
}

/// Numbers of 128 bits are text: not every reader of JSON takes them as numbers.
#[derive(Serialize, Deserialize)]
struct SavedTally {
    answer: String,
    boards: String,
    fixed: String,
    first: Option<(usize, Vec<u8>)>,
}

impl Saved {
    fn of(state: &State) -> Self {
        let mut done: Vec<(usize, usize)> = Vec::new();
        for unit in (0..state.is_done.len()).filter(|&unit| state.is_done[unit]) {
            match done.last_mut() {
                Some((_, end)) if *end == unit => *end += 1,
                _ => done.push((unit, unit + 1)),
            }
        }
        let answers = state.totals.0.iter().map(|(answer, tally)| SavedTally {
            answer: word(*answer),
            boards: tally.boards.to_string(),
            fixed: tally.fixed.to_string(),
            first: tally
                .first
                .clone()
                .map(|first| (first.unit, first.contents)),
        });
        Self {
            census: state.question.clone(),
            done,
            answers: answers.collect(),
        }
    }

    /// Whether all of it makes sense.
    fn restore(self, census: &Census, state: &mut State) -> bool {
        for (start, end) in self.done {
            match state.is_done.get_mut(start..end) {
                Some(units) => units.fill(true),
                None => return false,
            }
        }
        for saved in self.answers {
            let Some((answer, tally)) = saved.tally(census) else {
                return false;
            };
            state.totals.0.insert(answer, tally);
        }
        true
    }
}

impl SavedTally {
    fn tally(self, census: &Census) -> Option<(Answer, Tally)> {
        let first = match self.first {
            Some((unit, contents)) => {
                let first = First { unit, contents };
                Some(census.has(&first).then_some(first)?)
            }
            None => None,
        };
        let tally = Tally {
            boards: self.boards.parse().ok()?,
            fixed: self.fixed.parse().ok()?,
            first,
        };
        Some((answer(&self.answer)?, tally))
    }
}

fn word(answer: Answer) -> String {
    match answer {
        Answer::Escape(moves) => moves.to_string(),
        Answer::Caught => "caught".into(),
        Answer::Undecided => "undecided".into(),
    }
}

fn answer(word: &str) -> Option<Answer> {
    match word {
        "caught" => Some(Answer::Caught),
        "undecided" => Some(Answer::Undecided),
        moves => moves.parse().ok().map(Answer::Escape),
    }
}
