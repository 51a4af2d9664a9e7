//! An analysis as JSON. All keys are in alphabetical order, and metrics without a value are left out.

use std::collections::BTreeMap;

use getaway_board::limits::Decision;
use serde::ser::{Serialize, Serializer};
use serde_json::{Value, json};

use super::difficulty::Difficulty;
use super::{Analysis, BestPlay, Count, RandomPlay, Removal, Section, Without};
use crate::evaluation::{Lifetime, PositionValue};

impl Serialize for Analysis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cut_short = self.cut_short.iter();
        let cut_short = cut_short.map(|(section, limit)| (section.name(), limit.name()));
        let bits = |difficulty: Difficulty| (difficulty.bits() * 1e3).round() / 1e3;
        let difficulty = match self.difficulty {
            Some(Difficulty::AtMost(_)) => "difficulty_at_most",
            _ => "difficulty",
        };
        let matters = if self.is_cut(Section::Removals) {
            "matters_at_least"
        } else {
            "matters"
        };
        // The answer, to which these fields are added, already has the length of a line of play.
        let length = self.length.filter(|_| self.shortest_lines.is_none());
        let (reachable, positions) = counted("reachable", self.reachable);
        let (shortest_lines, lines) = counted("shortest_lines", self.shortest_lines);
        let fields = [
            ("best_play", json!(self.best_play)),
            ("cut_short", json!(non_empty(cut_short.collect()))),
            ("dead_ends", json!(self.dead_ends)),
            (difficulty, json!(self.difficulty.map(bits))),
            ("expected_turns", json!(self.expected_turns)),
            ("first_moves", json!(self.first_moves())),
            ("forced", json!(self.forced)),
            ("last_mistake", json!(self.last_mistake)),
            ("length", json!(length)),
            ("losing_moves", json!(non_empty(self.losing_moves()))),
            (matters, json!(self.matters)),
            ("random", json!(self.random)),
            (&*reachable, positions),
            (&*shortest_lines, lines),
        ];
        serializer.collect_map(fields.into_iter().filter(|(_, value)| !value.is_null()))
    }
}

/// Returns the key and the value of a count. A number of more than 64 bits becomes the lower bound [`u64::MAX`].
fn counted(key: &str, count: Option<Count<impl TryInto<u64>>>) -> (String, Value) {
    let (number, is_exact) = match count {
        None => return (key.to_owned(), Value::Null),
        Some(Count::Exactly(number)) => (number.try_into(), true),
        Some(Count::AtLeast(number)) => (number.try_into(), false),
    };
    match number {
        Ok(number) if is_exact => (key.to_owned(), json!(number)),
        number => (format!("{key}_at_least"), json!(number.unwrap_or(u64::MAX))),
    }
}

impl Analysis {
    /// Returns the first moves that escape or, in games of chance, the bounds of all; `None` if a limit hides their values.
    fn first_moves(&self) -> Option<Value> {
        let moves = &self.first_moves;
        let bounds = by_move(moves, |value| match value {
            PositionValue::Chance(bounds) => Some(bounds),
            _ => None,
        });
        if !bounds.is_empty() {
            return Some(json!(bounds));
        }
        let is_unknown = |(_, value): &(_, _)| matches!(value, PositionValue::Unknown(_));
        if self.is_cut(Section::Moves) && moves.iter().all(is_unknown) {
            return None;
        }
        let escapes = |(_, value): &&(_, _)| matches!(value, PositionValue::Escape { .. });
        Some(moves.iter().filter(escapes).map(|(mv, _)| &**mv).collect())
    }

    fn losing_moves(&self) -> BTreeMap<&str, Option<Lifetime>> {
        by_move(&self.first_moves, |value| match value {
            PositionValue::Caught { lives } => Some(lives),
            _ => None,
        })
    }
}

fn by_move<T>(
    moves: &[(String, PositionValue)],
    read: fn(PositionValue) -> Option<T>,
) -> BTreeMap<&str, T> {
    let moves = moves.iter();
    moves
        .filter_map(|(mv, value)| Some((&**mv, read(*value)?)))
        .collect()
}

fn non_empty<K, V>(map: BTreeMap<K, V>) -> Option<BTreeMap<K, V>> {
    Some(map).filter(|map| !map.is_empty())
}

impl Serialize for Lifetime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Moves(moves) => moves.serialize(serializer),
            Self::Forever => "forever".serialize(serializer),
        }
    }
}

impl Serialize for RandomPlay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = match self {
            Self::Exact(bounds) => json!({ "bounds": bounds }),
            Self::Played { games, turns } => json!({
                "simulated": true,
                "rate": games.rate(),
                "interval": games.interval(),
                "escaped": games.escaped,
                "games": games.games,
                "seed": games.seed,
                "turns": turns,
            }),
        };
        json.serialize(serializer)
    }
}

impl Serialize for BestPlay {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let has_ended = self.escaped > 0;
        let json = json!({
            "simulated": true,
            "turns": has_ended.then_some(self.turns),
            "interval": has_ended.then(|| self.interval()),
            "escaped": self.escaped,
            "caught_by": self.caught_by,
            "open": self.open,
            "games": self.games,
            "seed": self.seed,
        });
        json.serialize(serializer)
    }
}

impl Serialize for Removal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut json = json!({
            "glyph": self.glyph,
            "at": self.at,
            "line": self.line,
            "column": self.column,
        });
        if let Without::Chance { bounds, certain } = self.without {
            json["bounds"] = json!(bounds);
            if certain != Decision::Undecided {
                json["certain"] = json!(certain);
            }
        }
        json.serialize(serializer)
    }
}
