//! Checks the reasons that `explanation` gives for answers.

use std::hash::Hash;
use std::sync::atomic::AtomicBool;

use getaway::{Board, Limits, SearchProgress};
use getaway_board::limits::Limit;
use getaway_play::evaluation::{Lifetime, PositionValue};
use getaway_play::explanation::{Explanation, Loss, PlayerRole, Reason};
use getaway_play::solution::Verdict;
use getaway_rules::baddies::Baddies;
use getaway_rules::jimmy::Jimmy;
use getaway_ruleset::{Cause, Deterministic, Notation};

use crate::boards::from_text;
use crate::random_boards;
use crate::table::Table;

fn explained(text: &str) -> (Verdict, Explanation) {
    let board: Board = text
        .parse()
        .unwrap_or_else(|error| panic!("{error:?}: {text}"));
    let limits = Limits::default();
    let solution = board.solve_shortest(&limits);
    (solution.verdict(), board.game().explain(&solution, &limits))
}

#[test]
fn a_limit_ends_an_explanation_and_is_named() {
    let board: Board = "#####\n#o..#\n###.#\n".parse().unwrap();
    let solution = board.solve_shortest(&Limits::default());
    assert_eq!(solution.line(), Some("RRD"));
    let stop = AtomicBool::new(true);
    let limits = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let explanation = board.game().explain(&solution, &limits);
    assert_eq!(
        (explanation.turns.len(), explanation.limit),
        (0, Some(Limit::Interrupt))
    );
    let all = board.game().explain(&solution, &Limits::default());
    assert_eq!((all.turns.len(), all.limit), (3, None));
}

#[test]
fn progress_names_the_player_who_is_left_out_and_keeps_the_answer() {
    let text = "; ruleset: dungeon\n-------\n|PZ|P |\n| KD  |\n|  |GE|\n-------\n";
    let board: Board = text.parse().unwrap();
    let progress = SearchProgress::default();
    let limits = Limits {
        progress: Some(&progress),
        ..Limits::default()
    };
    let solution = board.solve(&limits);
    solution.note(limits.progress);
    limits.note_task("explaining");
    let answer = progress.bounds();
    assert!(answer.is_some_and(|bounds| bounds.contains(1.0)));
    let explanation = board.game().explain(&solution, &limits);
    let roles: Vec<_> = explanation
        .without
        .iter()
        .map(|without| without.role)
        .collect();
    assert_eq!(roles, [Some(PlayerRole::Key), Some(PlayerRole::Escape)]);
    assert_eq!(progress.task().as_deref(), Some("without `P` at 2,5"));
    assert_eq!(progress.bounds(), answer);
}

/// Checks the reason for each board by solving it without chasers; returns the number of boards with each reason.
fn compare<R>(texts: impl Iterator<Item = String>, chasers: &[char], empty: &str) -> [usize; 3]
where
    R: Notation + Deterministic<State: Eq + Hash>,
{
    let mut counts = [0; 3];
    let escape = |text: &str| {
        let table = Table::new(R::read(&from_text(text)).unwrap(), 20_000);
        table.map(|table| table.escape[0])
    };
    for text in texts {
        if R::read(&from_text(&text)).is_err() {
            continue;
        }
        let (verdict, explanation) = explained(&text);
        let (header, drawing) = text.rsplit_once(": ").unwrap();
        let alone = format!("{header}: {}", drawing.replace(chasers, empty));
        let Some(alone) = escape(&alone) else {
            continue;
        };
        let widened = format!("{header}: {}", widened(drawing, empty));
        match (verdict, explanation.reason) {
            (Verdict::Escape, reason) => assert_eq!(reason, None, "{text}"),
            (_, Some(Reason::WalledIn)) => {
                assert_eq!(alone, None, "{text}");
                counts[0] += 1;
            }
            (_, Some(Reason::Outrun { alone: moves })) => {
                assert_eq!(alone, Some(moves), "{text}");
                assert!(matches!(escape(&widened), None | Some(None)), "{text}");
                counts[1] += 1;
            }
            (_, Some(Reason::BlockedByEdge { moves })) => {
                assert!(alone.is_some(), "{text}");
                if let Some(escape) = escape(&widened) {
                    assert_eq!(escape, Some(moves), "{text}");
                    counts[2] += 1;
                }
            }
            (_, Some(Reason::BeforeFirstMove | Reason::NoMove)) => {}
            other => panic!("{other:?}: {text}"),
        }
        for turn in &explanation.turns {
            for of in &turn.moves {
                let is_mortal = matches!(
                    of.value,
                    PositionValue::Caught {
                        lives: Some(Lifetime::Moves(_))
                    }
                );
                assert_eq!(of.end.is_some(), is_mortal, "{of:?}: {text}");
            }
        }
    }
    counts
}

fn widened(text: &str, empty: &str) -> String {
    let (header, drawing) = text.split_once('\n').unwrap();
    let width = drawing.lines().map(str::len).max().unwrap();
    let ring = empty.repeat(width + 2);
    let rows = drawing
        .lines()
        .map(|row| format!("{empty}{row:width$}{empty}\n"));
    let rows: String = rows.collect();
    format!("{header}\n{ring}\n{rows}{ring}\n")
}

/// Jimmy escapes at the edge, so widening the board does not help him.
#[test]
fn reasons_for_jimmy_hold_without_the_ghosts() {
    let [walled_in, out_run, by_edge] =
        compare::<Jimmy>(random_boards::jimmy(31, 300), &['g'], ".");
    assert!(walled_in > 20 && out_run > 10, "{walled_in}, {out_run}");
    assert_eq!(by_edge, 0);
}

#[test]
fn reasons_for_the_hero_hold_without_the_baddies() {
    let chasers = ['m', 'M', '~'];
    let [walled_in, out_run, by_edge] =
        compare::<Baddies>(random_boards::baddies(32, 300), &chasers, " ");
    let counts = format!("{walled_in}, {out_run}, {by_edge}");
    assert!(walled_in > 2 && out_run > 30 && by_edge > 5, "{counts}");
}

#[test]
fn the_edge_is_the_reason_if_one_more_cell_would_help() {
    // In a single row, the bat catches the hero at once. If there is a row above, he goes over the bat onto the ladder: `e`, `d`,
    // `d`, `c`.
    let bat = "; ruleset: baddies\nH ~ *\n";
    // Theseus walks around a Minotaur who never moves: up, three to the right, and down.
    let statue = "; ruleset: theseus\n; minotaur-steps: 0\n+-+-+-+-+\n|T . M E|\n+-+-+-+-+\n";
    for (text, moves) in [(bat, 4), (statue, 5)] {
        let reason = explained(text).1.reason;
        assert_eq!(reason, Some(Reason::BlockedByEdge { moves }), "{text}");
    }
    // On a board framed by walls, the edge is not the reason.
    let walls = "; ruleset: baddies\n+++++++\n+H ~ *+\n+++++++\n";
    let reason = explained(walls).1.reason;
    assert_eq!(reason, Some(Reason::Outrun { alone: 4 }));
}

#[test]
fn a_step_names_the_chaser_and_the_cell_of_the_catch() {
    let (verdict, explanation) = explained("#####\n#..g#\n#o.##\n#.###\n#.###\n#####\n");
    assert_eq!(verdict, Verdict::Caught);
    let [turn] = explanation.turns.as_slice() else {
        panic!("{explanation:?}")
    };
    assert_eq!(explanation.reason, Some(Reason::WalledIn));
    let ends: Vec<_> = turn
        .moves
        .iter()
        .map(|of| (&*of.mv, of.value, of.end))
        .collect();
    let lost = |moves| PositionValue::Caught {
        lives: Some(Lifetime::Moves(moves)),
    };
    let trapped = Some(Loss {
        cause: Cause::Trapped,
        by: None,
    });
    // The ghost is at 1,2 when Jimmy moves. If he goes up, it moves on to 1,1, onto him. If he goes right, it catches him from
    // above. If he goes down, it stays two cells behind him until he is in the corner.
    let caught = |at| {
        Some(Loss {
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
    let out_run = "; ruleset: theseus\n+-+-+-+-+\n|T . M E|\n+-+-+-+-+\n";
    assert_eq!(
        explained(out_run).1.reason,
        Some(Reason::Outrun { alone: 3 })
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
