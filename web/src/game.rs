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
    /// The seed in decimal digits; empty for 0.
    #[serde(default)]
    pub seed: String,
}

const MAX_SECONDS: f64 = 5.0;

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
            .session(self.seed()?, &limits(MAX_SECONDS))
            .map_err(text)?;
        let line = session.play_line(&self.line);
        let played = line.and_then(|()| self.moves.iter().try_for_each(|mv| session.play(mv)));
        Ok((session, played.err().map(text)))
    }

    /// Returns the current position, with a view after each ply since the previous position.
    pub fn position(&self) -> Result<Value, String> {
        let board = board(&self.text)?;
        let (session, refused) = self.session(&board)?;
        let now = session.now();
        let here = session.position(now);
        let recording = record(&board, &*session)?;
        let last = recording.positions() - 1;
        let first = (last + 1).saturating_sub(here.plies.len()).min(last);
        let views: Result<Vec<_>, _> = (first..=last)
            .map(|position| view(&recording, position, &limits(MAX_SECONDS)))
            .collect();
        Ok(json!({
            "ruleset": board.ruleset().name,
            "name": board.name(),
            "moves": moves(&*session),
            "line": session.line(now),
            "seed": session.seed().to_string(),
            "isByChance": session.is_by_chance(),
            "legal": session.legal(),
            "pad": session.keypad(),
            "end": here.ending.as_ref().map(|end| matches!(end, Ending::Escaped { .. })),
            "gathered": here.gathered,
            "mover": here.mover,
            "refused": refused,
            "rows": here.rows,
            "views": views?,
        }))
    }

    /// Returns a picture of the current position or of the game so far.
    pub fn picture(&self, format: Format) -> Result<Vec<u8>, String> {
        let board = board(&self.text)?;
        let (session, _) = self.session(&board)?;
        let recording = record(&board, &*session)?;
        let last = recording.positions() - 1;
        let picture = match format {
            Format::Svg => Picture::StillSvg(last),
            Format::Png => Picture::Png(last),
            Format::Gif => Picture::Gif,
            Format::Html => Picture::Page,
        };
        draw(&recording, picture, &limits(MAX_SECONDS))
    }
}

/// A format for pictures of games.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// The position as an SVG.
    Svg,
    /// The position as a PNG.
    Png,
    /// The game as an animated GIF.
    Gif,
    /// The game as a page for stepping through it.
    Html,
}

fn record(board: &Board, session: &dyn Session) -> Result<Recording, String> {
    let line = session.line(session.now());
    board
        .record_seeded(&line, session.seed(), &limits(MAX_SECONDS))
        .map_err(text)
}

fn draw(recording: &Recording, picture: Picture, limits: &Limits) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    recording
        .draw(picture, &getaway::PictureStyle::default(), limits, &mut out)
        .map_err(text)?;
    Ok(out)
}

pub fn moves(session: &dyn Session) -> Vec<String> {
    let plies = (1..=session.now()).flat_map(|number| session.position(number).plies);
    plies.filter_map(|ply| ply.mv).collect()
}

pub fn view(recording: &Recording, position: usize, limits: &Limits) -> Result<Value, String> {
    let out = draw(recording, Picture::View(position), limits)?;
    serde_json::from_slice(&out).map_err(text)
}
