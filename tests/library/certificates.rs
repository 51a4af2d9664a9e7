//! Checks that certificates of all boards are valid, and that a changed one is refused or still a proof.

mod damages;
mod truth;
mod unchased;

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use getaway_board::limits::{Bounds, Decision, Limit, Limits};
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_play::solution::{Evidence, Solution, Verdict};
use getaway_verify::{Proof, ProvedLifetime, VerifyError};

use crate::boards::{each_case, from_text, puzzles};
use crate::evidence::{certified, verified};
use getaway_testing::sized;

fn certificate(text: &str) -> Vec<u8> {
    certified(&from_text(text), &Limits::default()).unwrap().0
}

fn judged(text: &str, certificate: &[u8]) -> Result<Proof, VerifyError> {
    verified(&from_text(text), certificate, &Limits::default())
}

fn unpacked(certificate: &[u8]) -> String {
    let mut text = String::new();
    GzDecoder::new(certificate)
        .read_to_string(&mut text)
        .unwrap();
    text
}

fn packed(content: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(content).unwrap();
    packed.finish().unwrap()
}

/// Returns whether there is a certificate within these limits. If so, asserts that it proves the solution.
fn holds(puzzle: &Puzzle, limits: &Limits) -> bool {
    let Some((certificate, solution)) = certified(puzzle, limits) else {
        return false;
    };
    let proof = verified(puzzle, &certificate, &Limits::default());
    let name = puzzle.name().unwrap_or_default();
    let proof = proof.unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    assert!(proof.confirms(&solution), "{name}: {proof}, {solution:?}");
    true
}

#[test]
fn certificates_of_all_puzzles_hold() {
    let limits = Limits {
        max_states: Some(sized(1_000, 20_000)),
        ..Limits::default()
    };
    for (folder, min) in [
        ("jimmy", 60),
        ("baddies", 40),
        ("theseus", 24),
        ("maze", 35),
        ("dungeon", 25),
    ] {
        let mut certificates = 0;
        for (_, text) in puzzles(folder)
            .iter()
            .filter(|(name, _)| !name.starts_with("90"))
        {
            let mut boards = Boards::new(text.as_bytes(), 1);
            let mut puzzle = Puzzle::empty();
            while boards.read(&mut puzzle).unwrap() {
                certificates += u32::from(holds(&puzzle, &limits));
            }
        }
        assert!(certificates >= min, "{folder}: {certificates}");
    }
}

#[test]
fn certificates_of_all_cases_hold() {
    let limits = Limits {
        max_states: Some(sized(1_000, 100_000)),
        ..Limits::default()
    };
    for name in [
        "jimmy",
        "jimmy_long",
        "jimmy_revisit",
        "jimmy_extreme",
        "theseus",
        "baddies",
        "maze",
    ] {
        let held = std::cell::Cell::new(0);
        let boards = each_case(name, |puzzle, _| {
            held.set(held.get() + u32::from(holds(puzzle, &limits)));
        });
        assert!(
            f64::from(held.get()) >= 0.8 * boards as f64,
            "{name}: {held:?}"
        );
    }
}

const CIRCLE: &str = "; ruleset: jimmy\n#####\n#o..#\n#.#.#\n#...#\n#####\n";
const SAFE: &str = "; ruleset: theseus\n+-+-+-+\n|T .|M|\n+-+-+-+\n|E . .|\n+-+-+-+\n";
const DOOMED: &str = "; ruleset: theseus\n+-+-+-+-+\n|T . M|E|\n+-+-+-+-+\n";
const EXIT: &str = "; ruleset: jimmy\n###\n#o#\n#.#\n";
const GHOSTS: &str = "; ruleset: jimmy\n#######\n#g....#\n#.o...#\n#.....#\n#...g.#\n#######\n";
const MAZE: &str = "; ruleset: maze\nR.\n.*\n";
/// A level that the player escapes with probability 2/9.
const LEVEL: &str = "\
; ruleset: dungeon
; radius: 3
----------
|K....G.P|
|......-E|
----------
";

const HALL: &str = "; ruleset: dungeon\n------\n|P..E|\n------\n";

#[test]
fn a_proof_says_what_was_proved() {
    let proof = |text| judged(text, &certificate(text)).unwrap();
    assert_eq!(proof(EXIT), Proof::Escape { moves: 1 });
    assert_eq!(
        proof(DOOMED),
        Proof::Caught {
            positions: 1,
            life: ProvedLifetime::AtMost(1)
        }
    );
    assert_eq!(
        proof(SAFE),
        Proof::Caught {
            positions: 2,
            life: ProvedLifetime::Forever
        }
    );
    assert_eq!(
        proof(MAZE),
        Proof::NextMove {
            direction: 2,
            steps: vec![(0, 0), (1, 0), (1, 1)],
            cells: 4
        }
    );
}

/// For each damage: a board, a text in its certificate, the replacement, and part of the expected refusal.
const DAMAGES: &[(&str, &str, &str, &str)] = &[
    (
        EXIT,
        "moves: D",
        "moves: U",
        "move 1 is illegal: a solid cell is in the way",
    ),
    (
        EXIT,
        "moves: D",
        "moves: ",
        "the line ends before it escapes",
    ),
    (
        EXIT,
        "moves: D",
        "moves: DD",
        "the game is over after move 1 (escaped)",
    ),
    (EXIT, "moves: D", "moves: Q", "line 8: `Q` is not a move"),
    (EXIT, "moves: D", "D", "line 8 should begin with `moves: `"),
    (
        EXIT,
        "escape\n",
        "caught by equality\n",
        "this ruleset has no such claim",
    ),
    (
        EXIT,
        "escape\n",
        "caught by dominance\n",
        "this ruleset has no such claim",
    ),
    (
        EXIT,
        "certificate 2",
        "certificate 3",
        "its version is unknown",
    ),
    (EXIT, "getaway", "gateway", "it is not a certificate"),
    (EXIT, "#o#", "#.#", "another board"),
    (EXIT, "rows: 3", "revisit: true\nrows: 3", "another board"),
    (EXIT, "end\n", "", "ends before its last line"),
    (EXIT, "end\n", "end", "ends before its last line"),
    (
        EXIT,
        "end\n",
        "end\nend\n",
        "it has extra data after its end",
    ),
    (CIRCLE, " + +\n", " +\n", "line 11: a legal move is missing"),
    (CIRCLE, " + +\n", " + + +\n", "more moves than are legal"),
    (
        CIRCLE,
        " + +\n",
        " + x\n",
        "a move that leads on is listed as losing",
    ),
    (
        CIRCLE,
        " + +\n",
        " + 1\n",
        "a move does not lead to the listed position",
    ),
    (CIRCLE, " + +\n", " + 7\n", "an unlisted position"),
    (CIRCLE, " + +\n", " + 0\n", "an unlisted position"),
    (CIRCLE, " + +\n", " + y\n", "neither `x`, `+` nor a number"),
    (
        CIRCLE,
        "dominance and loops",
        "dominance",
        "this ruleset has no such claim",
    ),
    (
        HALL,
        " 1 3 3\n",
        " 1 3 2\n",
        "position 0: no move supports the number of turns",
    ),
    (DOOMED, "1:", "0:", "does not lower the bound"),
    (
        DOOMED,
        "1: x x",
        "x x",
        "a bound and a colon should come first",
    ),
    (
        DOOMED,
        " x x",
        " x +",
        "a losing move is listed as leading on",
    ),
    (
        DOOMED,
        "never\n",
        "for ever\nback to: 0\nmoves: S\n",
        "does not survive move 1",
    ),
    (
        SAFE,
        "back to: 0",
        "back to: 2",
        "`back to` must be less than the number of moves",
    ),
    (
        SAFE,
        "moves: RL",
        "moves: R",
        "the line does not return to that position",
    ),
    (
        SAFE,
        "for ever\nback to: 0\nmoves: RL",
        "never",
        "a bound and a colon",
    ),
    (
        MAZE,
        "1 0 1\n",
        "",
        "the next cell is 1 0, with a cost of 1",
    ),
    (
        MAZE,
        "1 1 2",
        "1 1 3",
        "the next cell is 1 1, with a cost of 2",
    ),
    (MAZE, "food 2", "food 1", "the search finds `food 2`"),
    (MAZE, "food 2", "no-food 2", "the search finds `food 2`"),
];

#[test]
fn the_survival_time_is_optional() {
    let proof = with_lines("survives: unknown\n + 2\n 2 1\n").unwrap();
    let (positions, life) = (2, ProvedLifetime::Unknown);
    assert_eq!(proof, Proof::Caught { positions, life });
    let answer = |survives| Solution::new(Verdict::Caught, 0).with(Evidence::Survives(survives));
    assert!(proof.confirms(&answer(Decision::Undecided)));
    assert!(!proof.confirms(&answer(Decision::Yes)));
}

fn with_lines(lines: &str) -> Result<Proof, VerifyError> {
    let content = unpacked(&certificate(SAFE));
    let (head, _) = content.split_once("survives: ").unwrap();
    judged(SAFE, &packed(format!("{head}{lines}end\n").as_bytes()))
}

/// Each cell has two moves: sideways to the other cell, and waiting, which leads to itself.
#[test]
fn moves_that_lead_elsewhere_are_refused() {
    assert!(with_lines("survives: unknown\n + 2\n 2 1\n").is_ok());
    for lines in [" + 1\n 2 1\n", " + 2\n 1 1\n", " + 2\n 2 2\n"] {
        let refusal = with_lines(&format!("survives: unknown\n{lines}")).unwrap_err();
        let refusal = refusal.to_string();
        let why = "a move does not lead to the listed position";
        assert!(refusal.contains(why), "{lines}: {refusal}");
    }
}

/// Theseus can only wait.
#[test]
fn a_position_that_leads_to_itself_has_no_bound() {
    let alone = "; ruleset: theseus\n+-+-+-+\n|T|M|E|\n+-+-+-+\n";
    let content = unpacked(&certificate(alone));
    let (head, _) = content.split_once("survives: ").unwrap();
    let with = |lines: &str| judged(alone, &packed(format!("{head}{lines}end\n").as_bytes()));
    assert!(with("survives: unknown\n 1\n").is_ok());
    let refusal = with("survives: never\n7: 1\n").unwrap_err().to_string();
    assert!(refusal.contains("does not lower the bound"), "{refusal}");
}

#[test]
fn there_is_a_line_for_each_position_that_comes_up_and_for_no_other() {
    let content = unpacked(&certificate(LEVEL));
    let (head, rest) = content.split_once("positions: ").unwrap();
    let (count, lines) = rest.split_once('\n').unwrap();
    let (count, lines): (usize, _) = (count.parse().unwrap(), lines.strip_suffix("end\n").unwrap());
    let with = |count: usize, lines: &str| {
        let text = format!("{head}positions: {count}\n{lines}end\n");
        judged(LEVEL, &packed(text.as_bytes()))
    };
    assert!(with(count, lines).is_ok());
    let more = with(count + 1, &format!("{lines}0 0 0 0 -\n")).unwrap_err();
    assert!(more.to_string().contains("unreachable positions"), "{more}");
    let last = lines.trim_end().rfind('\n').unwrap() + 1;
    let less = with(count - 1, &lines[..last]).unwrap_err();
    assert!(less.to_string().contains("has no line"), "{less}");
}

/// Loops can be cut only under the rule against visiting a cell twice.
#[test]
fn a_claim_by_loops_is_none_where_cells_may_be_visited_again() {
    let again = format!("; revisit: on\n{CIRCLE}");
    for (board, claim, other) in [
        (
            CIRCLE,
            "caught by dominance and loops\n",
            "caught by dominance\n",
        ),
        (
            &*again,
            "caught by dominance\n",
            "caught by dominance and loops\n",
        ),
    ] {
        let content = unpacked(&certificate(board));
        assert!(content.contains(claim), "{content}");
        let content = content.replace(claim, other);
        let refusal = judged(board, &packed(content.as_bytes())).unwrap_err();
        let refusal = refusal.to_string();
        assert!(
            refusal.contains("this ruleset has no such claim"),
            "{refusal}"
        );
    }
}

/// No bound can decrease with every move if the runner can go back and forth forever.
#[test]
fn bounds_that_a_move_does_not_lower_are_refused() {
    for lines in ["5: + 2\n4: 2 1\n", "0: + 2\n0: 2 1\n"] {
        let refusal = with_lines(&format!("survives: never\n{lines}")).unwrap_err();
        let refusal = refusal.to_string();
        assert!(refusal.contains("does not lower the bound"), "{refusal}");
    }
}

#[test]
fn a_proof_confirms_no_other_answer() {
    let caught = |survives| Solution::new(Verdict::Caught, 0).with(Evidence::Survives(survives));
    let food = |verdict, direction, steps| {
        Solution::new(verdict, 0).with(Evidence::Direction { direction, steps })
    };
    let chance = |lower, upper, certain, limit: Option<Limit>| {
        let solution = Solution::new(Verdict::Escape, 0).with(Evidence::Chance {
            bounds: Bounds { lower, upper },
            certain,
            line: None,
            simulated: None,
        });
        solution.cut_short(limit)
    };
    let doomed = Proof::Caught {
        positions: 1,
        life: ProvedLifetime::AtMost(1),
    };
    let next = Proof::NextMove {
        direction: 1,
        steps: vec![(0, 0), (0, 1)],
        cells: 2,
    };
    let likely = |certain| Proof::Chance {
        bounds: Bounds {
            lower: 0.25,
            upper: 0.5,
        },
        certain,
        positions: 9,
    };
    let path = || vec![(0, 0), (0, 1)];
    for (proof, solution, is_borne_out) in [
        (&doomed, caught(Decision::No), true),
        (&doomed, caught(Decision::Undecided), true),
        (&doomed, caught(Decision::Yes), false),
        (&doomed, Solution::new(Verdict::Escape, 0), false),
        (&next, food(Verdict::Food, 1, path()), true),
        (&next, food(Verdict::Food, 0, path()), false),
        (&next, food(Verdict::Food, 1, vec![(0, 0)]), false),
        (&next, food(Verdict::NoFood, 1, path()), false),
        (&likely(None), chance(0.25, 0.5, Decision::No, None), true),
        (&likely(None), chance(0.5, 0.75, Decision::No, None), true),
        (&likely(None), chance(0.0, 0.25, Decision::No, None), true),
        (&likely(None), chance(0.0, 0.2, Decision::No, None), false),
        (&likely(None), chance(0.6, 1.0, Decision::No, None), false),
        (&likely(None), chance(0.25, 0.5, Decision::Yes, None), false),
        (
            &likely(Some(3)),
            chance(0.25, 0.5, Decision::Yes, None),
            true,
        ),
        (
            &likely(Some(3)),
            chance(0.25, 0.5, Decision::No, None),
            false,
        ),
        // An interrupted search leaves open whether escape is certain.
        (
            &likely(Some(3)),
            chance(0.25, 0.5, Decision::Undecided, Some(Limit::States)),
            true,
        ),
    ] {
        let found = proof.confirms(&solution);
        assert_eq!(found, is_borne_out, "{proof}: {solution:?}");
    }
}

#[test]
fn each_kind_of_damage_is_refused_with_its_reason() {
    for (board, from, to, reason) in DAMAGES {
        let content = unpacked(&certificate(board));
        assert!(content.contains(from), "{content}");
        let damaged = content.replacen(from, to, 1);
        let refusal = judged(board, &packed(damaged.as_bytes())).unwrap_err();
        let text = refusal.to_string();
        assert!(
            text.contains(reason),
            "{from:?} -> {to:?}: {text}\n{content}"
        );
    }
}

#[test]
fn a_set_with_a_way_out_is_refused() {
    let open = CIRCLE.replacen("#...#\n#####", "#...#\n##.##", 1);
    let content = unpacked(&certificate(CIRCLE)).replacen("#...#\n#####", "#...#\n##.##", 1);
    let refusal = judged(&open, &packed(content.as_bytes())).unwrap_err();
    assert!(
        refusal.to_string().contains("a legal move is missing")
            || refusal.to_string().contains("a move escapes"),
        "{refusal}"
    );
    assert!(matches!(
        judged(&open, &certificate(&open)),
        Ok(Proof::Escape { .. })
    ));
}

#[test]
fn bounds_that_do_not_follow_from_successors_are_refused() {
    let content = unpacked(&certificate(LEVEL));
    let start = content.find("positions: ").unwrap();
    let (head, body) = content.split_at(start);
    let lines: Vec<&str> = body.lines().collect();
    let with_first = |words: &str| {
        let mut lines = lines.clone();
        lines[1] = words;
        judged(
            LEVEL,
            &packed(format!("{head}{}\n", lines.join("\n")).as_bytes()),
        )
    };
    assert!(with_first(lines[1]).is_ok());
    let words: Vec<u64> = lines[1]
        .split(' ')
        .map_while(|word| word.parse().ok())
        .collect();
    let [lower, upper, choice, rank, ..] = *words else {
        panic!("{}", lines[1])
    };
    assert!(
        0 < lower && lower <= upper && upper < 1 << 60,
        "{}",
        lines[1]
    );
    for (line, reason) in [
        (
            format!("{} {upper} {choice} {rank} -", upper + 1),
            "its move does not support",
        ),
        (
            format!("{lower} {} {choice} {rank} -", lower / 2),
            "the upper bound is too low",
        ),
        (
            format!("{lower} {upper} 99 {rank} -"),
            "its move does not support",
        ),
        (
            format!("{lower} {upper} {choice} 0 -"),
            "its move does not support",
        ),
        (
            format!("{lower} {upper} {choice} {rank} 9"),
            "the number of turns",
        ),
        (
            format!("{lower} {upper} {choice} {rank}"),
            "five numbers should be here",
        ),
        (
            format!("{lower} {} {choice} {rank} -", 1_u64 << 61),
            "five numbers should be here",
        ),
    ] {
        let refusal = with_first(&line).unwrap_err().to_string();
        assert!(refusal.contains(reason), "{line}: {refusal}");
    }
    let nothing: Vec<String> = lines
        .iter()
        .map(|line| match *line.split(' ').collect::<Vec<_>>() {
            [_, upper, ..] if !line.starts_with('p') => format!("0 {upper} 0 0 -"),
            _ => (*line).to_owned(),
        })
        .collect();
    let nothing = packed(format!("{head}{}\n", nothing.join("\n")).as_bytes());
    let refusal = judged(LEVEL, &nothing).unwrap_err();
    assert!(
        refusal.to_string().contains("does not say whether"),
        "{refusal}"
    );
    let fewer = [&lines[..lines.len() - 2], &["end"]].concat();
    let fewer = fewer
        .join("\n")
        .replacen(lines[0], &format!("positions: {}", lines.len() - 3), 1);
    let refusal = judged(LEVEL, &packed(format!("{head}{fewer}\n").as_bytes())).unwrap_err();
    assert!(refusal.to_string().contains("has no line"), "{refusal}");
}

/// Waiting forever keeps the probability but never escapes. So each line's move must be able to lower the rank; waiting can't.
#[test]
fn waiting_forever_proves_nothing() {
    let level = "; ruleset: dungeon\n-----\n|P..E\n-----\n|.Z.|\n-----\n";
    let content = unpacked(&certificate(level));
    let (head, body) = content.split_at(content.find("positions: ").unwrap());
    let (one, wait) = (1_u64 << 60, 0);
    let with_rank = |rank: u64| {
        let line = format!("{one} {one} {wait} {rank} -");
        let is_position = |text: &&str| text.contains(' ') && !text.starts_with('p');
        let lines = body
            .lines()
            .map(|text| if is_position(&text) { &line } else { text });
        let promised = format!("{head}{}\n", lines.collect::<Vec<_>>().join("\n"));
        judged(level, &packed(promised.as_bytes()))
            .unwrap_err()
            .to_string()
    };
    for rank in [0, 1, 7] {
        let refusal = with_rank(rank);
        assert!(refusal.contains("its move does not support"), "{refusal}");
    }
}

#[test]
fn truncated_and_damaged_files_are_recognized() {
    let whole = certificate(GHOSTS);
    assert!(judged(GHOSTS, &whole).is_ok());
    for max in 0..whole.len() {
        let refusal = judged(GHOSTS, &whole[..max]).unwrap_err();
        assert!(
            matches!(refusal, VerifyError::Unreadable(_)),
            "{max}: {refusal}"
        );
    }
    let mut damaged = whole.clone();
    let checksum = damaged.len() - 8;
    damaged[checksum] ^= 1;
    let refusal = judged(GHOSTS, &damaged).unwrap_err();
    assert!(refusal.to_string().contains("it is damaged"), "{refusal}");
    let longer = [&*whole, b"x"].concat();
    let refusal = judged(GHOSTS, &longer).unwrap_err();
    assert!(refusal.to_string().contains("extra data"), "{refusal}");
    let refusal = judged(GHOSTS, b"no gzip at all").unwrap_err();
    assert!(
        refusal.to_string().contains("it is not a certificate"),
        "{refusal}"
    );
}

#[test]
fn too_long_lines_are_recognized() {
    let content = unpacked(&certificate(GHOSTS));
    let long = content.replacen("caught", &"caught".repeat(1000), 1);
    let limits = Limits {
        max_memory: Some(4000),
        ..Limits::default()
    };
    let refusal = verified(&from_text(GHOSTS), &packed(long.as_bytes()), &limits).unwrap_err();
    assert!(
        refusal.to_string().contains("a line is too long"),
        "{refusal}"
    );
}

#[test]
fn limits_end_the_checking() {
    let certificate = certificate(GHOSTS);
    for (limits, limit) in [
        (
            Limits {
                max_states: Some(1),
                ..Limits::default()
            },
            Limit::States,
        ),
        (
            Limits {
                max_memory: Some(600),
                ..Limits::default()
            },
            Limit::Memory,
        ),
        (
            Limits {
                deadline: Some(std::time::Instant::now()),
                ..Limits::default()
            },
            Limit::Time,
        ),
    ] {
        let refusal = verified(&from_text(GHOSTS), &certificate, &limits).unwrap_err();
        assert_eq!(refusal, VerifyError::Limit(limit));
    }
}
