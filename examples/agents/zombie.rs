//! A zombie or ghost that approaches the nearest player. Start here and make it smarter.
//!
//! `cargo build --release --example zombie`, then `getaway simulate --zombie target/release/examples/zombie
//! level.txt`.

use std::io::{self, BufRead, Write};

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Message {
    Hello,
    Move {
        actor: u32,
        legal: Vec<String>,
        actors: Vec<Actor>,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Actor {
    id: u32,
    glyph: char,
    at: (i32, i32),
}

fn step((row, col): (i32, i32), mv: &str) -> (i32, i32) {
    match mv {
        "U" => (row - 1, col),
        "R" => (row, col + 1),
        "D" => (row + 1, col),
        "L" => (row, col - 1),
        _ => (row, col),
    }
}

/// Returns a legal move that ends closest to a player.
fn choose(who: u32, legal: &[String], actors: &[Actor]) -> Option<String> {
    let own = actors.iter().find(|actor| actor.id == who)?.at;
    let players = actors.iter().filter(|actor| actor.glyph == 'P');
    let distance = |mv: &&String| {
        let (row, col) = step(own, mv);
        let far = |player: &Actor| (player.at.0 - row).abs() + (player.at.1 - col).abs();
        players.clone().map(far).min()
    };
    legal.iter().min_by_key(distance).cloned()
}

fn main() -> io::Result<()> {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        match serde_json::from_str(&line?)? {
            Message::Hello => writeln!(out, r#"{{"type": "hello", "protocol": 1}}"#)?,
            Message::Move {
                actor,
                legal,
                actors,
            } => {
                let mv = choose(actor, &legal, &actors).unwrap_or_default();
                writeln!(out, "{}", serde_json::json!({ "move": mv }))?;
            }
            Message::Other => {}
        }
    }
    Ok(())
}
