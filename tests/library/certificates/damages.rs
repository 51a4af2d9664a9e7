//! Damages certificates at random and fixes their checksums. Exhaustive play confirms those that are still accepted.

use getaway_board::limits::Bounds;
use getaway_board::rng::Rng;
use getaway_rules::baddies::Baddies;
use getaway_rules::dungeon::Dungeon;
use getaway_rules::jimmy::Jimmy;
use getaway_rules::theseus::Theseus;
use getaway_ruleset::Notation;
use getaway_verify::{Proof, ProvedLifetime};

use super::truth::{self, Truth};
use super::unchased::SHUT;
use super::{
    CIRCLE, DOOMED, EXIT, GHOSTS, LEVEL, MAZE, SAFE, certificate, judged, packed, unpacked,
};
use crate::boards::from_text;
use crate::random_boards;

enum Known {
    Walked(Truth),
    Probability(f64),
    /// The next move in the undamaged certificate.
    NextMove(Proof),
}

impl Known {
    fn of(text: &str) -> Self {
        let puzzle = &from_text(text);
        match &*puzzle.header("ruleset").unwrap().value {
            "jimmy" => Self::Walked(truth::of(&Jimmy::read(puzzle).unwrap())),
            "baddies" => Self::Walked(truth::of(&Baddies::read(puzzle).unwrap())),
            "theseus" => Self::Walked(truth::of(&Theseus::read(puzzle).unwrap())),
            "dungeon" => Self::Probability(truth::probability(&Dungeon::read(puzzle).unwrap())),
            _ => Self::NextMove(judged(text, &certificate(text)).unwrap()),
        }
    }

    fn admits(&self, proof: &Proof) -> bool {
        match (self, proof) {
            (Self::Walked(truth), Proof::Escape { .. }) => truth.escapes,
            (Self::Walked(truth), Proof::Caught { life, .. }) => {
                let lives = match *life {
                    ProvedLifetime::Unknown => true,
                    ProvedLifetime::AtMost(moves) => {
                        truth.max_moves.is_some_and(|max| max <= moves)
                    }
                    ProvedLifetime::Forever => truth.max_moves.is_none(),
                };
                !truth.escapes && lives
            }
            (
                Self::Probability(truth),
                Proof::Chance {
                    bounds: Bounds { lower, upper },
                    certain,
                    ..
                },
            ) => {
                // Value iteration approaches the truth from below.
                *lower <= truth + 1e-4
                    && *truth <= upper + 1e-9
                    && (certain.is_none() || *truth > 0.9999)
            }
            (Self::Probability(truth), Proof::Caught { life, .. }) => {
                *truth <= 0.0 && *life == ProvedLifetime::Unknown
            }
            (Self::NextMove(known), proof) => known == proof,
            _ => false,
        }
    }
}

fn boards() -> Vec<String> {
    let fixed = [EXIT, CIRCLE, SAFE, DOOMED, GHOSTS, MAZE, LEVEL, SHUT].map(str::to_owned);
    let has_theseus =
        |text: &String| text.contains('T') && text.contains('E') && text.contains('M');
    let drawn = random_boards::jimmy(11, 12)
        .chain(random_boards::baddies(12, 8))
        .chain(random_boards::theseus(13, 30).filter(has_theseus).take(8));
    fixed.into_iter().chain(drawn).collect()
}

fn damaged(content: &str, rng: &mut Rng) -> Vec<u8> {
    let mut draw = |max: usize| (rng.uniform() * max as f64) as usize;
    let kind = draw(6);
    if kind == 0 {
        let mut bytes = content.as_bytes().to_vec();
        let at = draw(bytes.len());
        bytes[at] = b"0123456789 +x:-\nUDLRqz"[draw(22)];
        return bytes;
    }
    let mut lines: Vec<String> = content.lines().map(str::to_owned).collect();
    let (one, other) = (draw(lines.len()), draw(lines.len()));
    let mut words: Vec<String> = lines[one].split(' ').map(str::to_owned).collect();
    let (word, second) = (draw(words.len()), draw(words.len()));
    match kind {
        1 => drop(lines.remove(one)),
        2 => lines.insert(one, lines[one].clone()),
        3 => lines.swap(one, other),
        4 => {
            words.swap(word, second);
            lines[one] = words.join(" ");
        }
        _ => {
            let change = [1, 2, 1 << 40][draw(3)];
            let digits = words[word].trim_end_matches(':');
            let colon = &words[word][digits.len()..];
            words[word] = match (digits.parse::<u64>(), draw(2)) {
                (Ok(number), 0) => format!("{}{colon}", number.saturating_add(change)),
                (Ok(number), _) => format!("{}{colon}", number.saturating_sub(change)),
                _ => ["x", "+", "1", "2"][draw(4)].to_owned(),
            };
            lines[one] = words.join(" ");
        }
    }
    (lines.join("\n") + "\n").into_bytes()
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn damaged_certificates_are_refused_or_still_proofs() {
    let mut rng = Rng::new(2026);
    let boards: Vec<_> = boards()
        .into_iter()
        .map(|text| {
            let content = unpacked(&certificate(&text));
            let known = Known::of(&text);
            let proof = judged(&text, &packed(content.as_bytes())).unwrap();
            assert!(known.admits(&proof), "{text}\n{proof}");
            (text, content, known)
        })
        .collect();
    let (mut refused, mut accepted) = (0, 0);
    while refused + accepted < 1_000 {
        for (text, content, known) in &boards {
            let damaged = damaged(content, &mut rng);
            if damaged == content.as_bytes() {
                continue;
            }
            match judged(text, &packed(&damaged)) {
                Err(_) => refused += 1,
                Ok(proof) => {
                    accepted += 1;
                    let damaged = String::from_utf8_lossy(&damaged);
                    assert!(known.admits(&proof), "{proof}\n{text}\n{damaged}");
                }
            }
        }
    }
    println!("{refused} refused, {accepted} accepted");
    assert!(refused > 800, "{refused} refused, {accepted} accepted");
}
