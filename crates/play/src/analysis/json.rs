//! An analysis as JSON. All keys are in alphabetical order, and unknown values are left out.

use std::collections::BTreeMap;

use getaway_board::limits::Decision;
use getaway_ruleset::distribution::wilson;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use super::difficulty::Difficulty;
use super::{Analysis, BestPlay, Count, RandomPlay, Removal, Section, Without};
use crate::evaluation::{Lifetime, PositionValue};

impl Serialize for Analysis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = AnalysisFields(serializer.serialize_map(None)?);
        let cut_short = self.cut_short.iter();
        let cut_short = cut_short.map(|(section, limit)| (section.name(), limit.name()));
        fields.add("best_play", self.best_play.as_ref())?;
        fields.add("cut_short", non_empty(cut_short.collect()))?;
        fields.add("dead_ends", self.dead_ends)?;
        let bits = |difficulty: Difficulty| (difficulty.bits() * 1e3).round() / 1e3;
        let is_at_most = matches!(self.difficulty, Some(Difficulty::AtMost(_)));
        let key = if is_at_most {
            "difficulty_at_most"
        } else {
            "difficulty"
        };
        fields.add(key, self.difficulty.map(bits))?;
        fields.add("expected_turns", self.expected_turns)?;
        fields.add("first_moves", self.first_moves())?;
        fields.add("forced", self.forced.as_ref())?;
        fields.add("last_mistake", self.last_mistake.as_ref())?;
        // The answer already has the length of a line.
        let is_line = self.shortest_lines.is_some();
        fields.add("length", self.length.filter(|_| !is_line))?;
        fields.add("losing_moves", non_empty(self.losing_moves()))?;
        let is_cut = self.is_cut(Section::Removals);
        let key = if is_cut {
            "matters_at_least"
        } else {
            "matters"
        };
        fields.add(key, self.matters.as_ref())?;
        fields.add("random", self.random)?;
        fields.add_count("reachable", self.reachable)?;
        fields.add_count("shortest_lines", self.shortest_lines.map(in_64_bits))?;
        fields.0.end()
    }
}

struct AnalysisFields<M>(M);

impl<M: SerializeMap> AnalysisFields<M> {
    fn add(&mut self, key: &str, value: Option<impl Serialize>) -> Result<(), M::Error> {
        match value {
            Some(value) => self.0.serialize_entry(key, &value),
            None => Ok(()),
        }
    }

    fn add_count(&mut self, key: &str, count: Option<Count<u64>>) -> Result<(), M::Error> {
        match count {
            Some(Count::AtLeast(number)) => self.add(&format!("{key}_at_least"), Some(number)),
            Some(Count::Exactly(number)) => self.add(key, Some(number)),
            None => Ok(()),
        }
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

fn in_64_bits(count: Count<u128>) -> Count<u64> {
    match count {
        Count::Exactly(lines) => {
            u64::try_from(lines).map_or(Count::AtLeast(u64::MAX), Count::Exactly)
        }
        Count::AtLeast(lines) => Count::AtLeast(u64::try_from(lines).unwrap_or(u64::MAX)),
    }
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
            Self::Played(played) => {
                let (rate, interval) = wilson(played.escaped, played.games);
                json!({
                    "simulated": true,
                    "rate": rate,
                    "interval": interval,
                    "escaped": played.escaped,
                    "games": played.games,
                    "seed": played.seed,
                    "turns": played.turns,
                })
            }
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
            "caught_by": self.caught_by.iter().copied().collect::<BTreeMap<_, _>>(),
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
