//! The result of a census, as a table, JSON, or a board file.

use crate::Board;
use anyhow::Result;
use console::Alignment;
use getaway_board::limits::Limits;
use getaway_board::puzzle::written;
use getaway_census::{Answer, Census, FirstBoard, Tally, Totals};
use getaway_play::solution::Solution;
use serde::Serialize;

use super::table::table;
use getaway_board::words::{count, grouped};

pub struct CensusReport<'c> {
    pub census: &'c Census,
    pub totals: &'c Totals,
    pub done: usize,
}

impl CensusReport<'_> {
    pub fn text(&self) -> String {
        let table = self.table();
        let longest = self.totals.longest();
        match longest.and_then(|(answer, tally)| Some((answer, tally.first.as_ref()?))) {
            Some((answer, first)) => {
                let (words, board) = (words(answer), self.board(answer, first));
                format!("{table}\nthe first board with an {words}:\n{board}")
            }
            None => table,
        }
    }

    fn table(&self) -> String {
        let mut columns = vec![("answer", Alignment::Left), ("boards", Alignment::Right)];
        if self.has_orbits() {
            columns.push(("up to symmetry", Alignment::Right));
        }
        let all = Tally {
            boards: self.totals.boards(),
            fixed: self.totals.0.values().map(|tally| tally.fixed).sum(),
            first: None,
        };
        let answers = self.answers().map(|(answer, tally)| (words(answer), tally));
        let rows = answers.chain([("all".into(), &all)]).map(|(words, tally)| {
            let numbers = [Some(tally.boards), self.orbits(tally)]
                .into_iter()
                .flatten()
                .map(grouped);
            [words].into_iter().chain(numbers).collect()
        });
        table(&columns, rows)
    }

    fn answers(&self) -> impl Iterator<Item = (Answer, &Tally)> {
        let answers = self.totals.0.iter();
        answers
            .filter(|(_, tally)| tally.boards > 0)
            .map(|(answer, tally)| (*answer, tally))
    }

    fn has_orbits(&self) -> bool {
        self.census.symmetries() > 1 && self.done == self.census.units()
    }

    fn orbits(&self, tally: &Tally) -> Option<u128> {
        let symmetries = self.census.symmetries() as u128;
        self.has_orbits().then(|| tally.fixed / symmetries)
    }

    fn board(&self, answer: Answer, first: &FirstBoard) -> String {
        let kind = self.census.kind();
        let rows = self.census.picture(first).join("\n");
        let ruleset = format!("; ruleset: {}\n", kind.ruleset());
        if answer == Answer::Undecided {
            return format!("{ruleset}{rows}\n");
        }
        let expect = format!("; expect: {}\n", verdict(answer));
        let board = format!("{ruleset}{rows}\n").parse::<Board>();
        let solved = board.map(|board| board.solve_shortest(&Limits::default()));
        let moves = match solved.as_ref().ok().and_then(Solution::line) {
            None | Some("") => String::new(),
            Some(line) => format!("; moves: {line}\n"),
        };
        format!("{ruleset}{expect}{moves}{rows}\n")
    }

    pub fn json(&self) -> Result<String> {
        let mut text = String::new();
        for (answer, tally) in self.answers() {
            let row = AnswerRow {
                ruleset: self.census.kind().ruleset(),
                verdict: verdict(answer),
                length: match answer {
                    Answer::Escape(moves) => Some(moves),
                    _ => None,
                },
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
struct AnswerRow {
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

pub fn firsts(counted: &CensusReport) -> String {
    let boards = counted.answers().filter_map(|(answer, tally)| {
        let board = counted.board(answer, tally.first.as_ref()?);
        Some(format!("; name: {}\n{board}", words(answer)))
    });
    boards.collect::<Vec<_>>().join("\n")
}

const fn verdict(answer: Answer) -> &'static str {
    match answer {
        Answer::Escape(_) => "escape",
        Answer::Caught => "caught",
        Answer::Undecided => "undecided",
    }
}

fn words(answer: Answer) -> String {
    match answer {
        Answer::Escape(moves) => format!("escape in {}", count(moves.into(), "move")),
        _ => verdict(answer).into(),
    }
}
