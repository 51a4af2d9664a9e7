//! Saves the first, best and worst of many games as board files.

use std::cmp::Reverse;
use std::fs;
use std::path::Path;

use crate::play::trace::Ending;
use anyhow::{Context, Result, anyhow};

use crate::answers::words::{count, safe};
use crate::cli::args::convert::FileFormat;
use crate::cli::conversion::with_game;
use crate::cli::games::{Game, Line};
use crate::cli::one_board::{OneBoard, Opened};
use crate::cli::output_file;

/// The games to keep, if any were played.
#[derive(Debug, Default)]
pub struct Kept {
    first: Option<KeptGame>,
    best: Option<KeptGame>,
    worst: Option<KeptGame>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct KeptGame {
    number: u64,
    seed: u64,
    line: Line,
    how: String,
    rank: (u8, isize),
}

/// Ranks a game for the runner. Early escapes rank highest, then games in which he survives for long.
fn rank(ending: &Ending) -> (u8, isize) {
    let turns = ending.turns() as isize;
    match ending {
        Ending::Escaped { .. } => (2, -turns),
        Ending::Open { .. } => (1, turns),
        Ending::Caught { .. } | Ending::Forfeited { .. } | Ending::Illegal { .. } => (0, turns),
    }
}

impl Kept {
    pub fn add(&mut self, game: Game) {
        let (ending, number) = (&game.result.ending, game.number);
        let game = KeptGame {
            number,
            seed: game.seed,
            line: game.line,
            how: format!(
                "{} after {}",
                ending.reason(),
                count(ending.turns() as u64, "move")
            ),
            rank: rank(ending),
        };
        let games = Self {
            first: Some(game.clone()),
            best: Some(game.clone()),
            worst: Some(game),
        };
        *self = std::mem::take(self).and(games);
    }

    /// Merges the games with others; among equal games, the first one wins.
    pub fn and(self, others: Self) -> Self {
        let all = |one: Option<KeptGame>, other: Option<KeptGame>| one.into_iter().chain(other);
        Self {
            first: all(self.first, others.first).min_by_key(|game| game.number),
            best: all(self.best, others.best).min_by_key(|game| (Reverse(game.rank), game.number)),
            worst: all(self.worst, others.worst).min_by_key(|game| (game.rank, game.number)),
        }
    }

    pub fn write(
        &self,
        folder: &Path,
        (one, opened): (&OneBoard, &Opened),
        seed: u64,
    ) -> Result<()> {
        let name = safe(&folder.to_string_lossy());
        fs::create_dir_all(folder).with_context(|| name)?;
        let games = [
            ("first", &self.first),
            ("best", &self.best),
            ("worst", &self.worst),
        ];
        for (which, game) in games {
            if let Some(game) = game {
                let text = game.board(one, opened, (which, seed))?;
                let path = folder.join(format!("{which}.txt"));
                output_file::write(&path, |out| Ok(out.write_all(&text)?))?;
            }
        }
        Ok(())
    }
}

impl KeptGame {
    fn board(
        &self,
        one: &OneBoard,
        opened: &Opened,
        (which, seed): (&str, u64),
    ) -> Result<Vec<u8>> {
        let note = format!(
            "{which} of the games from seed {seed}, number {}: {}",
            self.number, self.how
        );
        let headers = [
            ("note", &*note),
            ("seed", &self.seed.to_string()),
            ("moves", &self.line.moves.join(" ")),
            ("chasers", &self.line.chasers.join(" ")),
        ];
        with_game(
            (opened.ruleset, opened.puzzle),
            &headers,
            (FileFormat::Text, one.options),
        )
        .map_err(|_| anyhow!("{}: this board can't be written as text", one.path()))
    }
}
