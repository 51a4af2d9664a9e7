//! Games to look at again: the first, the best and the worst of many, as board files.

use std::cmp::Reverse;
use std::fs;
use std::path::Path;

use crate::play::trace::Ending;
use crate::puzzle::Origin;
use anyhow::{Context, Result, anyhow};

use crate::cli::conversion::{Target, converted};
use crate::cli::games::{Game, Line};
use crate::cli::one_board::{OneBoard, Opened};
use crate::cli::output::words::{count, safe};
use crate::cli::output_file;

/// The games that are kept, as far as there were any.
#[derive(Debug, Default)]
pub struct Kept {
    first: Option<KeptGame>,
    best: Option<KeptGame>,
    worst: Option<KeptGame>,
}

/// A game that can be played again.
#[derive(Clone, Debug, PartialEq, Eq)]
struct KeptGame {
    number: u64,
    seed: u64,
    line: Line,
    how: String,
    rank: Rank,
}

/// How good a game was for the runner: the better the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Lost, the later the better.
    Lost(usize),
    /// Not over, the later the better.
    Open(usize),
    /// Escaped, the sooner the better.
    Escaped(Reverse<usize>),
}

impl Rank {
    fn of(ending: &Ending) -> Self {
        let turns = ending.turns();
        match ending {
            Ending::Escaped { .. } => Self::Escaped(Reverse(turns)),
            Ending::Open { .. } => Self::Open(turns),
            Ending::Caught { .. } | Ending::Forfeited { .. } | Ending::Illegal { .. } => {
                Self::Lost(turns)
            }
        }
    }
}

impl Kept {
    /// A game is over.
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
            rank: Rank::of(ending),
        };
        let games = Self {
            first: Some(game.clone()),
            best: Some(game.clone()),
            worst: Some(game),
        };
        *self = std::mem::take(self).and(games);
    }

    /// Of these games and others; of equals the first.
    pub fn and(self, others: Self) -> Self {
        let all = |one: Option<KeptGame>, other: Option<KeptGame>| one.into_iter().chain(other);
        Self {
            first: all(self.first, others.first).min_by_key(|game| game.number),
            best: all(self.best, others.best).min_by_key(|game| (Reverse(game.rank), game.number)),
            worst: all(self.worst, others.worst).min_by_key(|game| (game.rank, game.number)),
        }
    }

    /// Writes them to files in this folder, which is made if there is none.
    ///
    /// # Errors
    ///
    /// If one can't be written.
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
    /// The board with this game as its line of play.
    fn board(
        &self,
        one: &OneBoard,
        opened: &Opened,
        (which, seed): (&str, u64),
    ) -> Result<Vec<u8>> {
        let mut puzzle = opened.puzzle.clone();
        puzzle
            .headers
            .retain(|header| !["expect", "moves", "chasers"].contains(&&*header.key));
        let game = format!(
            "{which} of the games from seed {seed}, number {}: {}",
            self.number, self.how
        );
        for (key, value) in [
            ("ruleset", opened.ruleset.name),
            ("note", &game),
            ("seed", &self.seed.to_string()),
            ("moves", &self.line.moves.join(" ")),
            ("chasers", &self.line.chasers.join(" ")),
        ] {
            if !value.is_empty() {
                puzzle.set_header(key, value, Origin::Override);
            }
        }
        converted(&mut puzzle, Target::Text, one.options)
            .map_err(|_| anyhow!("{}: this board can't be written as text", one.path()))
    }
}
