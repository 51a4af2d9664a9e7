//! Why a board has its answer: `explanation`, with reasons that are true.

use std::hash::Hash;

use getaway::advice::{Lifetime, Worth};
use getaway::explanation::{End, Explanation, Reason};
use getaway::rules::baddies::Baddies;
use getaway::rules::jimmy::Jimmy;
use getaway::ruleset::{Cause, Deterministic, Notation};
use getaway::solution::Verdict;
use getaway::{Board, Limits};

use crate::boards::from_text;
use crate::random_boards;
use crate::table::Table;

fn explained(text: &str) -> (Verdict, Explanation) {
    let board: Board = text
        .parse()
        .unwrap_or_else(|error| panic!("{error:?}: {text}"));
    let limits = Limits::default();
    let solution = board.solve_shortest(&limits);
    (solution.verdict, board.game().explain(&solution, &limits))
}

/// On boards where those who chase have these glyphs, the reason is what the board without them says; on how many
/// each reason was given.
fn compare<R>(texts: impl Iterator<Item = String>, chasers: &[char], empty: &str) -> [usize; 2]
where
    R: Notation + Deterministic<State: Eq + Hash>,
{
    let mut counts = [0, 0];
    for text in texts {
        if R::read(&from_text(&text)).is_err() {
            continue;
        }
        let (verdict, explanation) = explained(&text);
        let (header, drawing) = text.rsplit_once(": ").unwrap();
        let alone = format!("{header}: {}", drawing.replace(chasers, empty));
        let rules = R::read(&from_text(&alone)).unwrap();
        let Some(table) = Table::new(rules, 20_000) else {
            continue;
        };
        match (verdict, explanation.reason) {
            (Verdict::Escape, reason) => assert_eq!(reason, None, "{text}"),
            (_, Some(Reason::WalledIn)) => {
                assert_eq!(table.escape[0], None, "{text}");
                counts[0] += 1;
            }
            (_, Some(Reason::OutRun { alone })) => {
                assert_eq!(table.escape[0], Some(alone), "{text}");
                counts[1] += 1;
            }
            (_, Some(Reason::BeforeFirstMove | Reason::NoMove)) => {}
            other => panic!("{other:?}: {text}"),
        }
        for turn in &explanation.turns {
            for of in &turn.moves {
                let is_mortal = matches!(
                    of.worth,
                    Worth::Caught {
                        lives: Some(Lifetime::Moves(_))
                    }
                );
                assert_eq!(of.end.is_some(), is_mortal, "{of:?}: {text}");
            }
        }
    }
    counts
}

#[test]
fn reasons_for_jimmy_hold_without_the_ghosts() {
    let [walled_in, out_run] = compare::<Jimmy>(random_boards::jimmy(31, 300), &['g'], ".");
    assert!(walled_in > 20 && out_run > 10, "{walled_in}, {out_run}");
}

#[test]
fn reasons_for_the_hero_hold_without_the_baddies() {
    let chasers = ['m', 'M', '~'];
    let [walled_in, out_run] = compare::<Baddies>(random_boards::baddies(32, 300), &chasers, " ");
    assert!(walled_in > 2 && out_run > 50, "{walled_in}, {out_run}");
}

#[test]
fn a_step_tells_who_would_have_caught_him_where() {
    // To the right he would be out at once. If he goes down, the ghost comes down after him.
    let (verdict, explanation) = explained("#####\n#..g#\n#o.##\n#.###\n#.###\n#####\n");
    assert_eq!(verdict, Verdict::Caught);
    let [turn] = explanation.turns.as_slice() else {
        panic!("{explanation:?}")
    };
    assert_eq!(explanation.reason, Some(Reason::WalledIn));
    let ends: Vec<_> = turn
        .moves
        .iter()
        .map(|of| (&*of.mv, of.worth, of.end))
        .collect();
    let lost = |moves| Worth::Caught {
        lives: Some(Lifetime::Moves(moves)),
    };
    let trapped = Some(End {
        cause: Cause::Trapped,
        by: None,
    });
    // The ghost is at 1,2 when he moves. Up: it goes on to 1,1, where he is. Right: it comes down on him from
    // above. Down: it comes to 1,1 at once and stays two behind him, until he is in the corner.
    let caught = |at| {
        Some(End {
            cause: Cause::Chaser,
            by: Some(('g', at)),
        })
    };
    assert_eq!(
        ends,
        [
            ("U", lost(1), caught((1, 1))),
            ("D", lost(2), trapped),
            ("R", lost(1), caught((2, 2))),
        ]
    );
}

#[test]
fn theseus_is_walled_in_or_out_run() {
    let walled = "; ruleset: theseus\n+-+-+-+\n|T|.|M|\n+ +-+-+\n|. .|E|\n+-+-+-+\n";
    assert_eq!(explained(walled).1.reason, Some(Reason::WalledIn));
    // Three steps to the right; the Minotaur stands in the only way.
    let out_run = "; ruleset: theseus\n+-+-+-+-+\n|T . M E|\n+-+-+-+-+\n";
    assert_eq!(
        explained(out_run).1.reason,
        Some(Reason::OutRun { alone: 3 })
    );
}

#[test]
fn a_level_without_a_way_out_says_what_is_in_the_way() {
    for (rows, reason) in [
        ("-----\n|P..|\n-----\n", Reason::NoExit),
        ("-------\n|P.|.E|\n-------\n", Reason::ExitOutOfReach),
        ("-------\n|PE|.K|\n-------\n", Reason::KeyOutOfReach),
        ("-------\n|PK|.E|\n-------\n", Reason::ExitOutOfReach),
    ] {
        let (verdict, explanation) = explained(&format!("; ruleset: dungeon\n{rows}"));
        assert_eq!(
            (verdict, explanation.reason),
            (Verdict::Caught, Some(reason)),
            "{rows}"
        );
    }
}

#[test]
fn a_map_without_food_in_reach_says_so() {
    for (rows, reason) in [
        ("R.\n..\n", Reason::NoFood),
        ("Raa*\n.aA.\n", Reason::FoodOutOfReach),
    ] {
        let (verdict, explanation) = explained(&format!("; ruleset: maze\n{rows}"));
        assert_eq!(
            (verdict, explanation.reason),
            (Verdict::NoFood, Some(reason)),
            "{rows}"
        );
    }
}
