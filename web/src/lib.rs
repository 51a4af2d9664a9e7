//! The library's interface for the page: questions and answers in JSON.

mod advice;
mod boards;
mod game;
mod verdict;
mod whole;

use serde::Deserialize;
use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;
use web_time::{Duration, Instant};

use getaway::generate::{daily, level::Level};
use getaway::{Board, Limits, RULESETS};

/// The maximum memory of a search, in bytes.
const MAX_MEMORY: u64 = 1 << 29;

#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
enum Question {
    /// Asks for the boards of a file.
    Boards { text: String },
    /// Asks for a game's position and legal moves.
    Play(game::Game),
    /// Asks for the picture and the faults of a board.
    Draw { text: String },
    /// Asks for the verdict, with a shortest line.
    Solve { text: String, seconds: f64 },
    /// Asks for the values of moves, and the best one.
    Advise { game: game::Game, seconds: f64 },
    /// Asks for the move that lost the most.
    Lost { game: game::Game, seconds: f64 },
    /// Asks for the board of a date.
    Daily { ruleset: String, date: String },
    /// Asks for a new board.
    Make {
        ruleset: String,
        level: String,
        rows: Option<usize>,
        cols: Option<usize>,
        seed: u32,
        seconds: f64,
    },
}

/// Answers a question. If there is no answer, returns the reason in the field `error`.
#[wasm_bindgen]
pub fn ask(question: &str) -> String {
    let question: Result<Question, _> = serde_json::from_str(question);
    let answer = question.map_err(text).and_then(answer);
    answer
        .unwrap_or_else(|error| json!({ "error": error }))
        .to_string()
}

fn answer(question: Question) -> Result<Value, String> {
    match question {
        Question::Boards { text } => Ok(boards::all(&text)),
        Question::Play(game) => game.position(),
        Question::Draw { text } => boards::drawing(&text),
        Question::Solve { text, seconds } => verdict::verdict(&text, &limits(seconds)),
        Question::Advise { game, seconds } => advice::advice(&game, &limits(seconds)),
        Question::Lost { game, seconds } => advice::lost(&game, &limits(seconds)),
        Question::Daily { ruleset, date } => {
            let made = daily::board(date.parse()?, &ruleset);
            Ok(json!({ "text": made.map_err(text)? }))
        }
        Question::Make {
            ruleset,
            level,
            rows,
            cols,
            seed,
            seconds,
        } => {
            let level: Level = level.parse()?;
            let made = level.board(&ruleset, rows, cols, seed.into(), limits(seconds));
            Ok(json!({ "text": made.map_err(text)? }))
        }
    }
}

/// Answers each board as `getaway check --json --no-timing -` does. `seconds` limits each board.
#[wasm_bindgen]
pub fn decide(text: &str, seconds: Option<f64>) -> String {
    getaway::solvers::answers::check(text, &|| limits(seconds.unwrap_or(f64::INFINITY)))
}

/// Returns the style sheet of pictures.
#[wasm_bindgen]
pub fn colors() -> String {
    getaway::render::html::colors()
}

/// Returns a picture of a game as a file, or throws the reason why there is none.
#[wasm_bindgen]
pub fn picture(question: &str) -> Result<Vec<u8>, String> {
    let PictureQuestion { game, format } = serde_json::from_str(question).map_err(text)?;
    game.picture(format)
}

#[derive(Deserialize)]
struct PictureQuestion {
    game: game::Game,
    format: game::Format,
}

/// Returns the rulesets with their summaries, settings and glyphs, and with their rules as HTML.
#[wasm_bindgen]
pub fn rulesets() -> String {
    let about = RULESETS.iter().map(|entry| {
        let signs = entry.legend.signs().iter();
        let signs = signs.map(|(glyphs, meaning, word)| {
            json!({ "glyphs": glyphs, "meaning": format!("{meaning:?}"), "word": word })
        });
        json!({
            "name": entry.name,
            "summary": entry.summary,
            "settings": entry.settings,
            "signs": signs.collect::<Value>(),
            "empty": entry.legend.empty().to_string(),
            "isWalled": entry.legend.is_doubled(),
            "rules": getaway::render::html::rules(entry.rules),
        })
    });
    about.collect::<Value>().to_string()
}

fn limits(seconds: f64) -> Limits<'static> {
    // A number that is too large or not a time sets no limit.
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    Limits {
        max_memory: Some(MAX_MEMORY),
        deadline: Instant::now().checked_add(time),
        ..Limits::default()
    }
}

fn board(board: &str) -> Result<Board, String> {
    board.parse().map_err(text)
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` passes values")]
fn text(error: impl ToString) -> String {
    error.to_string()
}
