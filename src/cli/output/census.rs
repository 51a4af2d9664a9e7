//! The result of a census, as a table, JSON, or a board file.

use crate::Board;
use crate::census::{Answer, Census, First, Tally, Totals};
use crate::limits::Limits;
use crate::puzzle::written;
use anyhow::Result;
use serde::Serialize;

use super::table::{Side, Table};
use crate::answers::words::{count, grouped};

pub struct Counted<'c> {
    pub census: &'c Census,
    pub totals: &'c Totals,
    pub done: usize,
}

impl Counted<'_> {
    /// Returns a table with one line per answer, and the first board with the longest escape.
    pub fn text(&self) -> String {
        let mut text = self.table().text();
        if let Some((answer, first)) = self.longest() {
            text += &format!(
                "\nthe first with an {}:\n{}",
                words(answer),
                self.board(answer, first)
            );
        }
        text
    }

    fn table(&self) -> Table {
        let mut columns = vec![("answer", Side::Left), ("boards", Side::Right)];
        if self.has_orbits() {
            columns.push(("up to symmetry", Side::Right));
        }
        let mut table = Table::new(&columns);
        let answers = self.totals.0.iter();
        for (answer, tally) in answers.filter(|(_, tally)| tally.boards > 0) {
            table.row(self.row(words(*answer), tally));
        }
        let all = Tally {
            boards: self.totals.boards(),
            fixed: self.totals.0.values().map(|tally| tally.fixed).sum(),
            first: None,
        };
        table.row(self.row("all".into(), &all));
        table
    }

    fn row(&self, words: String, tally: &Tally) -> Vec<String> {
        let numbers = [Some(tally.boards), self.orbits(tally)];
        let numbers = numbers.into_iter().flatten().map(grouped);
        [words].into_iter().chain(numbers).collect()
    }

    fn longest(&self) -> Option<(Answer, &First)> {
        let (answer, tally) = self.totals.longest()?;
        Some((answer, tally.first.as_ref()?))
    }

    fn has_orbits(&self) -> bool {
        self.census.symmetries() > 1 && self.done == self.census.units()
    }

    fn orbits(&self, tally: &Tally) -> Option<u128> {
        let symmetries = self.census.symmetries() as u128;
        self.has_orbits().then(|| tally.fixed / symmetries)
    }

    fn board(&self, answer: Answer, first: &First) -> String {
        let kind = self.census.kind();
        let rows: String = self
            .census
            .picture(first)
            .iter()
            .map(|row| format!("{row}\n"))
            .collect();
        let ruleset = format!("; ruleset: {}\n", kind.ruleset());
        let expect = match answer {
            Answer::Escape(_) => "; expect: escape\n",
            Answer::Caught => "; expect: caught\n",
            Answer::Undecided => "",
        };
        let board = format!("{ruleset}{rows}").parse::<Board>().ok();
        let solved = board
            .filter(|_| answer != Answer::Undecided)
            .map(|board| board.solve_shortest(&Limits::default()));
        let line = solved.as_ref().and_then(|solution| solution.line());
        let moves = match line.filter(|line| !line.is_empty()) {
            Some(line) => format!("; moves: {line}\n"),
            None => String::new(),
        };
        format!("{ruleset}{expect}{moves}{rows}")
    }

    pub fn json(&self) -> Result<String> {
        let mut text = String::new();
        for (answer, tally) in self.totals.0.iter().filter(|(_, tally)| tally.boards > 0) {
            let (verdict, length) = match *answer {
                Answer::Escape(moves) => ("escape", Some(moves)),
                Answer::Caught => ("caught", None),
                Answer::Undecided => ("undecided", None),
            };
            let row = Row {
                ruleset: self.census.kind().ruleset(),
                verdict,
                length,
                boards: tally.boards,
                up_to_symmetry: self.orbits(tally),
                rows: tally.first.as_ref().map(|first| self.census.picture(first)),
            };
            text += &written::to_string(&row)?;
            text.push('\n');
        }
        Ok(text)
    }
}

#[derive(Serialize)]
struct Row {
    ruleset: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<u32>,
    boards: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    up_to_symmetry: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Vec<String>>,
}

pub fn firsts(counted: &Counted) -> String {
    let answers = counted.totals.0.iter();
    let boards = answers.filter_map(|(answer, tally)| {
        let board = counted.board(*answer, tally.first.as_ref()?);
        Some(format!("; name: {}\n{board}", words(*answer)))
    });
    boards.collect::<Vec<_>>().join("\n")
}

fn words(answer: Answer) -> String {
    match answer {
        Answer::Escape(moves) => format!("escape in {}", count(moves.into(), "move")),
        Answer::Caught => "caught".into(),
        Answer::Undecided => "undecided".into(),
    }
}
