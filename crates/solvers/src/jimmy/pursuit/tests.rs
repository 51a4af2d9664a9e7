//! Checks the facts behind the search for every position of an open 10x10 board. Ghosts react to Jimmy's cell and not to the
//! board's edge, so smaller boards and solids add nothing new.

use proptest::prelude::*;

use super::*;
use getaway_board::puzzle::{Puzzle, text::Boards};
use getaway_ruleset::Notation;

const SIDE: i8 = 10;

type At = (i8, i8);

fn cells() -> impl Iterator<Item = At> {
    (0..SIDE).flat_map(|row| (0..SIDE).map(move |col| (row, col)))
}

fn steps((row, col): At) -> impl Iterator<Item = At> {
    let on_board = |&(row, col): &At| (0..SIDE).contains(&row) && (0..SIDE).contains(&col);
    [
        (row - 1, col),
        (row + 1, col),
        (row, col - 1),
        (row, col + 1),
    ]
    .into_iter()
    .filter(on_board)
}

fn chase((row, col): At, jimmy: At) -> At {
    if col == jimmy.1 {
        (row + (jimmy.0 - row).signum(), col)
    } else {
        (row, col + (jimmy.1 - col).signum())
    }
}

/// Returns the ghost's cell after Jimmy's step to `to`; `None` if he can't step there or is caught.
fn answer(ghost: At, to: At) -> Option<At> {
    let next = chase(ghost, to);
    (ghost != to && next != to).then_some(next)
}

fn dominates(t: At, s: At, jimmy: At) -> bool {
    let side = |ghost: At| (jimmy.1 - ghost.1).signum();
    let behind = if t.0 < jimmy.0 {
        s.0 <= t.0
    } else {
        s.0 >= t.0
    };
    let reach = |ghost: At| (jimmy.1 - ghost.1).abs();
    (t.0 + t.1 - s.0 - s.1) % 2 == 0
        && if side(t) == 0 {
            behind
        } else {
            t.0 == s.0 && side(t) == side(s) && reach(t) <= reach(s)
        }
}

#[test]
fn cells_safe_from_a_dominating_ghost_stay_safe_from_the_dominated_one() {
    let mut related = 0;
    for jimmy in cells() {
        for t in cells().filter(|&t| t != jimmy) {
            for s in cells().filter(|&s| s != jimmy && dominates(t, s, jimmy)) {
                related += 1;
                for to in steps(jimmy) {
                    if let Some(t) = answer(t, to) {
                        let s = answer(s, to).expect("safe from the other ghost as well");
                        assert!(dominates(t, s, to), "{jimmy:?} to {to:?}: {t:?} and {s:?}");
                    }
                }
            }
        }
    }
    assert_eq!(related, RELATED);
}

/// The number of positions of Jimmy and two ghosts in which the first ghost dominates the second.
const RELATED: u32 = 35_500;

#[test]
fn without_the_parity_dominance_would_be_false() {
    let (jimmy, t, s) = ((0, 0), (4, 3), (4, 4));
    assert!(!dominates(t, s, jimmy), "they differ in parity only");
    // At least one walk is safe from the nearer ghost but not from the other.
    let mut open = vec![(jimmy, t, s)];
    let mut seen = std::collections::BTreeSet::new();
    let mut lost = false;
    while let Some(at @ (jimmy, t, s)) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        for to in steps(jimmy) {
            match (answer(t, to), answer(s, to)) {
                (Some(t), Some(s)) => open.push((to, t, s)),
                (Some(_), None) => lost = true,
                _ => {}
            }
        }
    }
    assert!(lost);
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn on_coming_back_to_a_cell_each_ghost_dominates_where_it_was_before() {
    let number = |(row, col): At| row as usize * SIDE as usize + col as usize;
    let area = SIDE as usize * SIDE as usize;
    let mut seen = vec![0u32; area * area];
    let (mut mark, mut walked) = (0, 0u32);
    for start in cells() {
        for ghost in cells().filter(|&ghost| ghost != start) {
            mark += 1;
            let mut open = vec![(start, ghost)];
            while let Some((jimmy, now)) = open.pop() {
                let slot = &mut seen[number(jimmy) * area + number(now)];
                if std::mem::replace(slot, mark) == mark {
                    continue;
                }
                walked += 1;
                assert!(
                    jimmy != start || dominates(now, ghost, start),
                    "{start:?}: {ghost:?} {now:?}"
                );
                open.extend(steps(jimmy).filter_map(|to| Some((to, answer(now, to)?))));
            }
        }
    }
    assert_eq!(walked, WALKED);
}

/// The number of positions of Jimmy and a ghost that walks reach, summed over all starts.
const WALKED: u32 = 1_535_400;

fn boards() -> impl Strategy<Value = String> {
    let glyph = prop_oneof![6 => Just('.'), 3 => Just('#'), 1 => Just('g')];
    (
        3usize..9,
        3usize..9,
        any::<prop::sample::Index>(),
        any::<bool>(),
    )
        .prop_flat_map(move |(rows, cols, start, closed)| {
            (
                prop::collection::vec(glyph.clone(), rows * cols),
                Just((cols, start, closed)),
            )
        })
        .prop_map(|(mut cells, (cols, start, closed))| {
            let rows = cells.len() / cols;
            for (at, cell) in cells.iter_mut().enumerate() {
                let (row, col) = (at / cols, at % cols);
                let border = row == 0 || col == 0 || row + 1 == rows || col + 1 == cols;
                if border && closed && *cell == '.' && at % 5 != 0 {
                    *cell = '#';
                }
            }
            let (row, col) = (1 + start.index(rows - 2), 1 + start.index(cols - 2));
            cells[row * cols + col] = 'o';
            let rows = cells.chunks(cols).map(|row| row.iter().collect::<String>());
            rows.collect::<Vec<_>>().join("\n")
        })
}

fn read(board: &str) -> Jimmy {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(board.as_bytes(), 1).read(&mut puzzle).unwrap());
    Jimmy::read(&puzzle).unwrap()
}

proptest! {
    /// Compares positions with the ghosts themselves along random walks.
    #[test]
    fn a_position_of_constant_size_is_true_to_the_rules(
        board in boards(),
        walk in prop::collection::vec(0usize..4, 0..40),
    ) {
        use getaway_ruleset::{Deterministic, Ruleset};
        let jimmy = Jimmy { revisit: true, ..read(&board) };
        let Some(pursuit) = Pursuit::new(&jimmy, ToMove::Ghosts, &Limits::default()).unwrap() else { return Ok(()) };
        let (there, here) = (Model::opened(&pursuit), Deterministic::opened(&jimmy));
        prop_assert_eq!(there.is_ok(), here.is_ok());
        let (Ok(mut there), Ok(mut here)) = (there, here) else { return Ok(()) };
        for pick in walk {
            let (mut legal, mut moves) = (Vec::new(), Vec::new());
            Ruleset::moves(&jimmy, &here, &mut legal);
            pursuit.moves(&there, &mut moves);
            moves.sort();
            prop_assert_eq!(&moves, &legal);
            if legal.is_empty() {
                break;
            }
            let dir = legal[pick % legal.len()];
            let outcome = pursuit.play(&mut there, dir);
            prop_assert_eq!(outcome, Deterministic::play(&jimmy, &mut here, dir));
            if outcome.is_some() {
                break;
            }
        }
    }
}

#[test]
fn loops_are_cut_out_of_a_line() {
    let jimmy = read(".....\n.....\n..o..\n.....\n.....");
    let line = |text: &str| {
        text.chars()
            .map(|c| c.to_string().parse().unwrap())
            .collect()
    };
    assert_eq!(cut_loops(&jimmy, line("URDLDD")), line("DD"));
    assert_eq!(cut_loops(&jimmy, line("UULLDR")), line("UULLDR"));
    assert_eq!(cut_loops(&jimmy, line("ULRDUU")), line("UU"));
}
