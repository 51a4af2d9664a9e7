//! Games in progress.

use getaway::{Board, Ending, Limits, Picture, Recording, Session};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{board, limits, text};

/// A game: its board and its moves.
#[derive(Deserialize)]
pub struct Game {
    pub text: String,
    /// A line of play, which comes before `moves`.
    #[serde(default)]
    pub line: String,
    #[serde(default)]
    pub moves: Vec<String>,
    /// The seed in decimal digits.
    #[serde(default)]
    pub seed: String,
}

const PATIENCE: f64 = 5.0;

impl Game {
    pub fn seed(&self) -> Result<u64, String> {
        match &*self.seed {
            "" => Ok(0),
            seed => seed.parse().map_err(|_| format!("`{seed}` is not a seed")),
        }
    }

    /// Plays the moves, and returns the session and, if a move is impossible, the reason.
    pub fn session<'b>(
        &self,
        board: &'b Board,
    ) -> Result<(Box<dyn Session + 'b>, Option<String>), String> {
        let mut session = board
            .session(self.seed()?, &limits(PATIENCE))
            .map_err(text)?;
        let line = session.play_line(&self.line);
        let played = line.and_then(|()| self.moves.iter().try_for_each(|mv| session.play(mv)));
        Ok((session, played.err().map(text)))
    }

    /// Returns the current position, with all plies since the last move.
    pub fn position(&self) -> Result<Value, String> {
        let board = board(&self.text)?;
        let (session, refused) = self.session(&board)?;
        let (now, limits) = (session.now(), limits(PATIENCE));
        let here = session.position(now);
        let recording = board.record_seeded(&session.line(now), session.seed(), &limits);
        let recording = recording.map_err(text)?;
        let last = recording.positions() - 1;
        let first = (last + 1).saturating_sub(here.plies.len()).min(last);
        let views: Result<Vec<_>, _> = (first..=last)
            .map(|position| view(&recording, position, &limits))
            .collect();
        Ok(json!({
            "ruleset": board.ruleset().name,
            "name": board.name(),
            "moves": moves(&*session),
            "line": session.line(now),
            "seed": session.seed().to_string(),
            "isByChance": session.is_by_chance(),
            "legal": session.legal(),
            "pad": session.pad(),
            "end": here.ending.as_ref().map(|end| matches!(end, Ending::Escaped { .. })),
            "gathered": here.gathered,
            "refused": refused,
            "views": views?,
        }))
    }
}

pub fn moves(session: &dyn Session) -> Vec<String> {
    let plies = (1..=session.now()).flat_map(|number| session.position(number).plies);
    plies.filter_map(|ply| ply.mv).collect()
}

pub fn view(recording: &Recording, position: usize, limits: &Limits) -> Result<Value, String> {
    let mut out = Vec::new();
    let picture = Picture::View(position);
    let look = getaway::Look::default();
    recording
        .draw(picture, &look, limits, &mut out)
        .map_err(text)?;
    serde_json::from_slice(&out).map_err(text)
}
