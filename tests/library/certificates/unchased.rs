//! The claim that the player of a dungeon cannot escape even without chasers.

use getaway_board::rng::Rng;
use getaway_play::solution::Verdict;
use getaway_solvers::rulesets::{self, RULESETS};
use getaway_verify::{Proof, ProvedLifetime, VerifyError};

use getaway::cli::evidence::packer;

use super::{certificate, judged, unpacked};
use crate::boards::from_text;
use crate::random_boards;
use getaway_testing::sized;

/// A level with a wall that only the ghost can pass.
pub const SHUT: &str = "; ruleset: dungeon\n----------\n|P.K|G..E|\n----------\n";

/// The evidence for [`SHUT`]: the tiles up to the key, then those on the way back with the key. In each line, staying comes
/// first, then left and right.
const PLACES: &str = "\
caught by equality
start: without chasers
 1 +
 1 2 +
 1 +
 1 + 3
 1 2
";

fn sealed(text: &str, content: &str) -> Vec<u8> {
    let puzzle = from_text(text);
    let entry = rulesets::of_board(RULESETS, &puzzle).unwrap();
    let (mut packer, board) = (packer(Vec::new()), entry.board_text(&puzzle));
    getaway_verify::write(&mut packer, &board, |out| out.write_all(content.as_bytes())).unwrap();
    packer.finish().unwrap()
}

const fn caught(positions: u64) -> Proof {
    let life = ProvedLifetime::Unknown;
    Proof::Caught { positions, life }
}

fn refused(text: &str, content: &str, reason: &str) {
    let refusal = judged(text, &sealed(text, content)).unwrap_err();
    let refusal = refusal.to_string();
    assert!(refusal.contains(reason), "{refusal}\n{text}\n{content}");
}

#[test]
fn the_players_places_are_listed() {
    let written = unpacked(&certificate(SHUT));
    let head =
        "getaway certificate 2\nruleset: dungeon\nrows: 3\n----------\n|P.K|G..E|\n----------\n";
    assert_eq!(written, format!("{head}{PLACES}end\n"));
    assert_eq!(judged(SHUT, &sealed(SHUT, PLACES)), Ok(caught(5)));
}

#[test]
fn the_places_are_the_same_at_any_speed() {
    let fast = SHUT.replacen('\n', "\n; speed: 4\n", 1);
    assert!(unpacked(&certificate(&fast)).contains(PLACES));
    assert_eq!(judged(&fast, &certificate(&fast)), Ok(caught(5)));
}

#[test]
fn each_damage_to_his_places_is_refused_with_its_reason() {
    for (from, to, reason) in [
        (" 1 2 +", " 1 2", "line 10: a legal move is missing"),
        (" 1 2 +", " 1 2 + +", "more moves than are legal"),
        (
            " 1 2 +",
            " 1 2 x",
            "a move that leads on is listed as losing",
        ),
        (
            " 1 2 +",
            " 1 2 2",
            "a move does not lead to the listed position",
        ),
        (
            " 1 + 3",
            " 1 3 3",
            "a move does not lead to the listed position",
        ),
        (" 1 + 3", " 1 + 9", "an unlisted position"),
        (" 1 2\n", "", "neither `x`, `+` nor a number"),
        (
            "without chasers",
            "as drawn",
            "should be `start: without chasers`",
        ),
        (
            "start: without chasers\n",
            "",
            "should begin with `start: `",
        ),
        (
            "by equality",
            "by dominance",
            "this ruleset has no such claim",
        ),
    ] {
        assert!(PLACES.contains(from), "{from}");
        let cut = PLACES.rfind(from).unwrap();
        let (front, back) = PLACES.split_at(cut);
        let damaged = format!("{front}{}", back.replacen(from, to, 1));
        refused(SHUT, &damaged, reason);
    }
    let whole = certificate(SHUT);
    for max in 0..whole.len() {
        let refusal = judged(SHUT, &whole[..max]).unwrap_err();
        assert!(matches!(refusal, VerifyError::Unreadable(_)), "{max}");
    }
}

#[test]
fn a_claim_that_is_false_is_refused() {
    let other = SHUT.replacen("K|G", "KDG", 1);
    let refusal = judged(&other, &certificate(SHUT)).unwrap_err();
    assert!(refusal.to_string().contains("another board"), "{refusal}");
    refused(&other, PLACES, "a legal move is missing");
    let open = SHUT.replacen("K|G", "KEG", 1).replacen(".E|", "..|", 1);
    let with_exit = PLACES.replacen(" 1 +\n 1 + 3", " 1 + +\n 1 + 3", 1);
    refused(&open, &with_exit, "line 11: a move escapes");
    let keyless = "; ruleset: dungeon\n-----\n|PEG|\n-----\n";
    let key_on_exit = format!("; things: [{{\"glyph\": \"K\", \"at\": [1, 2]}}]\n{keyless}");
    for board in [keyless, &key_on_exit] {
        for word in ["+", "x", "1"] {
            let claim = format!("caught by equality\nstart: without chasers\n 1 {word}\n");
            refused(board, &claim, "a move escapes");
        }
    }
}

/// A level with two players, of whom one takes the key and the other leaves.
#[test]
fn the_claim_is_for_one_player() {
    let two = "; ruleset: dungeon\n----------\n|P.K|PE..|\n----------\n";
    refused(two, PLACES, "this claim requires exactly one player");
    let none = SHUT.replacen('P', ".", 1);
    refused(&none, PLACES, "this claim requires exactly one player");
}

/// A zombie in a hallway never moves. A zombie in a room may move, and so may a ghost.
#[test]
fn only_immobile_chasers_block_the_way() {
    let claim = "caught by equality\nstart: without chasers\n 1 x\n";
    for zombie in ["XXXXX\nXPZEX\nXXXXX\n", "PZE\n"] {
        let text = format!("; ruleset: dungeon\n{zombie}");
        assert_eq!(judged(&text, &sealed(&text, claim)), Ok(caught(1)));
        assert!(unpacked(&certificate(&text)).contains(claim));
        let ghost = text.replacen('Z', "G", 1);
        refused(&ghost, claim, "a move that leads on is listed as losing");
    }
    let room = "; ruleset: dungeon\n-----\n|PZE|\n-----\n";
    refused(room, claim, "a move that leads on is listed as losing");
    assert!(unpacked(&certificate(room)).contains("\nchance\n"));
}

#[test]
fn version_1_certificates_are_still_read() {
    for (board, version, is_read) in [
        (super::EXIT, 1, true),
        (super::EXIT, 2, true),
        (super::EXIT, 0, false),
        (super::EXIT, 3, false),
        (super::EXIT, 10, false),
    ] {
        let content = unpacked(&certificate(board));
        let content = content.replacen("certificate 2", &format!("certificate {version}"), 1);
        let proof = judged(board, &super::packed(content.as_bytes()));
        assert_eq!(proof.is_ok(), is_read, "{version}: {proof:?}");
    }
}

type Drawing = Vec<Vec<char>>;

/// The player's tile, and whether he has the key.
type Place = ((usize, usize), bool);

/// Returns the claim, computed independently, and whether it is true.
fn claimed(level: &Drawing) -> (String, bool) {
    let all = |expected: char| {
        let rows = level.iter().enumerate();
        rows.flat_map(move |(row, cells)| (0..cells.len()).map(move |col| (row, col)))
            .filter(move |&(row, col)| level[row][col] == expected)
    };
    let glyph = |(row, col): (usize, usize)| level[row][col];
    let has_no_key = all('K').next().is_none();
    let stuck: Vec<_> = all('Z')
        .filter(|&zombie| is_in_hallway(level, zombie))
        .collect();
    let mut places: Vec<Place> = vec![(all('P').next().unwrap(), has_no_key)];
    let mut claim = "caught by equality\nstart: without chasers\n".to_owned();
    let (mut number, mut is_true) = (0, true);
    while let Some(&(at, has_key)) = places.get(number) {
        number += 1;
        let steps = around(at).into_iter().filter(|&to| is_floor(glyph(to)));
        for to in [at].into_iter().chain(steps) {
            let then = (to, has_key || glyph(to) == 'K');
            let is_out = to != at && glyph(to) == 'E' && then.1;
            is_true &= !is_out;
            claim += &match places.iter().position(|&place| place == then) {
                _ if is_out || stuck.contains(&to) => " x".to_owned(),
                Some(known) => format!(" {}", places.len() - known),
                None => {
                    places.push(then);
                    " +".to_owned()
                }
            };
        }
        claim += "\n";
    }
    (claim, is_true)
}

fn is_floor(glyph: char) -> bool {
    !"-|X".contains(glyph)
}

fn around((row, col): (usize, usize)) -> [(usize, usize); 4] {
    [
        (row - 1, col),
        (row + 1, col),
        (row, col - 1),
        (row, col + 1),
    ]
}

/// Returns whether the floor region of the tile touches void.
fn is_in_hallway(level: &Drawing, tile: (usize, usize)) -> bool {
    let mut region = vec![tile];
    let mut next = 0;
    while let Some(&at) = region.get(next) {
        next += 1;
        for to in around(at) {
            match level[to.0][to.1] {
                'X' => return true,
                glyph if is_floor(glyph) && !region.contains(&to) => region.push(to),
                _ => {}
            }
        }
    }
    false
}

fn drawn(rng: &mut Rng) -> Drawing {
    let glyphs = [('.', 0.62), ('X', 0.25), ('Z', 0.08), ('G', 0.05)];
    let inside = random_boards::random((3, 5), &glyphs, 'P', rng);
    let (frame, mut level) = (vec!['-'; 7], Vec::new());
    level.push(frame.clone());
    level.extend(
        inside
            .iter()
            .map(|cells| [&['|'], &cells[..], &['|']].concat()),
    );
    level.push(frame);
    for object in ['E', 'K']
        .into_iter()
        .take(1 + usize::from(rng.uniform() < 0.5))
    {
        let free = |row: &Vec<char>| row.iter().position(|&glyph| glyph == '.');
        let from = 1 + (rng.uniform() * 3.0) as usize;
        if let Some(col) = free(&level[from]) {
            level[from][col] = object;
        }
    }
    level
}

#[test]
fn random_levels_have_this_certificate_if_there_is_no_way_out() {
    let mut rng = Rng::new(14);
    let (mut held, mut fell) = (0, 0);
    for _ in 0..sized(200, 5_000) {
        let level = drawn(&mut rng);
        let (claim, is_true) = claimed(&level);
        let text = random_boards::text("dungeon", &level);
        if !is_true {
            fell += 1;
            refused(&text, &claim, "a move escapes");
            continue;
        }
        held += 1;
        let proof = judged(&text, &sealed(&text, &claim)).unwrap();
        assert_eq!(proof.verdict(), Verdict::Caught, "{text}");
        let written = unpacked(&certificate(&text));
        assert!(
            written.ends_with(&format!("{claim}end\n")),
            "{written}\n{claim}"
        );
    }
    assert!(held > 40 && fell > 40, "{held} held, {fell} fell");
}
