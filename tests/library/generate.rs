//! Generated boards are valid, meet the criteria, and depend only on their seed.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use getaway::{Board, Bounds, Dir};
use getaway_board::grid::symmetry::Symmetry;
use getaway_board::limits::Limits;
use getaway_generate::criteria::{Criteria, Wanted};
use getaway_generate::{Generator, Judged, RunEnd};
use getaway_play::analysis::difficulty::Difficulty;
use getaway_play::solution::{Evidence, Solution, Verdict};
use getaway_play::trace::Ending;
use getaway_solvers::rulesets::RULESETS;

use getaway_testing::sized;

fn boards(ruleset: &str, criteria: &Criteria, (first, count): (u64, u64)) -> Vec<Judged> {
    let generator = Generator::new(ruleset, criteria, Limits::default()).unwrap();
    let mut all = Vec::new();
    let end = generator.boards(first, count, &|_, _| (), &mut |made| {
        all.push(made.board);
        true
    });
    assert_eq!(end, RunEnd::Complete, "{ruleset} {criteria:?}");
    all
}

/// With one thread, the second search begins after the first board has been passed on.
#[test]
fn boards_are_passed_on_as_they_are_found() {
    let criteria = Criteria::default();
    let generator = Generator::new("theseus", &criteria, Limits::default()).unwrap();
    let tried = AtomicU64::new(0);
    let count = |boards, _: Option<&Judged>| _ = tried.fetch_add(boards, Ordering::Relaxed);
    let mut after = Vec::new();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.unwrap().install(|| {
        generator.boards(1, 3, &count, &mut |_| {
            after.push(tried.load(Ordering::Relaxed));
            true
        })
    });
    assert!(
        after.len() == 3 && after.is_sorted_by(|a, b| a < b),
        "{after:?}"
    );
}

fn criteria(amounts: &[(&str, RangeInclusive<usize>)]) -> Criteria {
    let amount =
        |(name, range): &(&str, RangeInclusive<usize>)| ((*name).to_owned(), range.clone());
    Criteria {
        amounts: amounts.iter().map(amount).collect(),
        ..Criteria::default()
    }
}

fn board(ruleset: &str, rows: &[String]) -> Board {
    let text = format!("; ruleset: {ruleset}\n{}\n", rows.join("\n"));
    text.parse()
        .unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

fn solved(ruleset: &str, rows: &[String]) -> Solution {
    board(ruleset, rows).solve_shortest(&Limits::default())
}

/// Returns the parts of a solution that a symmetry preserves.
fn answer(solution: &Solution) -> (Verdict, Option<usize>, Option<i64>) {
    let millionths = |probability: f64| (probability * 1e5).round() as i64;
    (
        solution.verdict(),
        solution.line().map(str::len),
        solution.evidence.probability().map(millionths),
    )
}

fn count(board: &Judged, glyph: u8) -> usize {
    board.sketch.count(glyph)
}

#[test]
fn generated_boards_are_read_solved_and_played() {
    for entry in RULESETS {
        let ruleset = entry.name;
        for made in boards(ruleset, &Criteria::default(), (100, sized(2, 12))) {
            let rows = made.sketch.rows();
            let board = board(ruleset, &rows);
            let solution = board.solve_shortest(&Limits::default());
            assert!(solution.verdict().is_success(), "{rows:#?}");
            assert_eq!(answer(&solution), answer(&made.measures.solution));
            if let Some(line) = made.measures.solution.line() {
                let ending = board.replay(line).unwrap().ending().clone();
                let turns = line.len();
                assert_eq!(ending, Ending::Escaped { turns }, "{rows:#?}");
                assert_eq!(made.measures.moves(), Some(turns));
            }
            assert!(board.game().session(0, &Limits::default()).is_ok());
        }
    }
}

#[test]
fn boards_have_the_requested_size_and_numbers() {
    let of_size = |rows, cols, amounts| Criteria {
        rows: Some(rows),
        cols: Some(cols),
        verdict: Wanted::Any,
        ..criteria(amounts)
    };
    let shape = |board: &Judged| (board.sketch.grid().rows(), board.sketch.grid().cols());
    for made in boards(
        "jimmy",
        &of_size(6, 9, &[("ghosts", 2..=3)]),
        (0, sized(1, 20)),
    ) {
        assert_eq!(shape(&made), (6, 9));
        assert!((2..=3).contains(&count(&made, b'g')));
        assert_eq!(count(&made, b'o'), 1);
    }
    let numbers = [
        ("monsters", 3..=3),
        ("super-monsters", 0..=0),
        ("bats", 1..=2),
        ("abyss", 9..=9),
        ("ladders", 2..=2),
    ];
    for made in boards("baddies", &of_size(8, 14, &numbers), (0, sized(1, 20))) {
        assert_eq!(shape(&made), (8, 14));
        let counts = [b'm', b'M', b'#', b'*', b'H'].map(|glyph| count(&made, glyph));
        assert_eq!(counts, [3, 0, 9, 2, 1]);
        assert!((1..=2).contains(&count(&made, b'~')));
    }
    for made in boards(
        "maze",
        &of_size(9, 13, &[("food", 4..=4), ("walls", 5..=5)]),
        (0, sized(1, 20)),
    ) {
        assert_eq!(shape(&made), (9, 13));
        assert_eq!(count(&made, b'*'), 4);
        let heads = (b'A'..=b'Z').filter(|&head| head != b'R' && count(&made, head) == 1);
        assert_eq!(heads.count(), 5);
    }
    let numbers = [
        ("rooms", 2..=2),
        ("ghosts", 0..=0),
        ("zombies", 2..=2),
        ("keys", 1..=1),
    ];
    for made in boards("dungeon", &of_size(7, 15, &numbers), (0, sized(1, 20))) {
        assert_eq!(shape(&made), (7, 15));
        let counts = [b'P', b'G', b'Z', b'K', b'E'].map(|glyph| count(&made, glyph));
        assert_eq!(counts, [1, 0, 2, 1, 1]);
    }
    for made in boards(
        "theseus",
        &of_size(4, 5, &[("exits", 2..=2)]),
        (0, sized(1, 20)),
    ) {
        assert_eq!(shape(&made), (9, 11));
        assert_eq!(
            [b'T', b'M', b'E'].map(|glyph| count(&made, glyph)),
            [1, 1, 2]
        );
    }
}

fn any() -> Criteria {
    wish(|criteria| criteria.verdict = Wanted::Any)
}

#[test]
fn the_standard_board_of_baddies_has_the_numbers_of_the_source() {
    for made in boards("baddies", &any(), (0, sized(10, 50))) {
        let grid = made.sketch.grid();
        assert_eq!((grid.rows(), grid.cols()), (15, 40));
        let counts = b"mM~#H*".map(|glyph| count(&made, glyph));
        assert_eq!(counts, [4, 2, 2, 50, 1, 1]);
        let columns = |glyph| {
            let cells = made.sketch.all(glyph).into_iter();
            cells.map(move |cell| grid.col(cell))
        };
        assert!(columns(b'H').all(|col| col < 3));
        assert!(columns(b'*').all(|col| col >= 37));
        let is_between = |&glyph| columns(glyph).all(|col| (3..37).contains(&col));
        assert!(b"+mM~#".iter().all(is_between));
    }
}

/// Walls are symmetric, abysses nearly so. Most abysses touch others, and at least four baddies have one close on their left.
#[test]
fn a_board_of_baddies_looks_drawn() {
    for made in boards("baddies", &any(), (0, sized(10, 50))) {
        let (sketch, grid) = (&made.sketch, made.sketch.grid());
        let drawing = sketch.rows().join("\n");
        let holds = |cell, glyph| sketch.at(cell) == glyph;
        let stray = |glyph: u8, symmetry: Symmetry| {
            let cells = sketch.all(glyph).into_iter();
            let is_stray = |&cell: &_| !holds(symmetry.image(grid, cell), glyph);
            cells.filter(is_stray).count()
        };
        let is_image = |symmetry| stray(b'+', symmetry) == 0 && stray(b'#', symmetry) <= 2;
        let symmetries = [Symmetry::UpDown, Symmetry::HalfTurn];
        assert!(symmetries.into_iter().any(is_image), "{drawing}");
        let near = |cell, down, right, glyph| {
            let other = grid.offset(cell, down, right);
            (down, right) != (0, 0) && other.is_some_and(|other| holds(other, glyph))
        };
        let touches = |&cell: &_| {
            let mut around = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right)));
            around.any(|(down, right)| near(cell, down, right, b'#'))
        };
        let pools = sketch.all(b'#').into_iter().filter(touches).count();
        assert!(pools >= 38, "{pools}\n{drawing}");
        let baddies = b"mM~".iter().flat_map(|&glyph| sketch.all(glyph));
        let is_behind = |&cell: &_| (1..=3).any(|far| near(cell, 0, -far, b'#'));
        assert!(baddies.filter(is_behind).count() >= 4, "{drawing}");
    }
}

#[test]
fn luck_decides_in_a_dungeon_without_criteria() {
    for made in boards("dungeon", &Criteria::default(), (1, sized(2, 150))) {
        let solution = solved("dungeon", &made.sketch.rows());
        let probability = solution.evidence.probability().unwrap();
        assert!(
            probability > 0.0 && probability < 1.0,
            "{probability}: {:#?}",
            made.sketch.rows()
        );
    }
}

/// The exit and the key are away from doors and from each other; hallways have at most two bends.
#[test]
fn a_dungeon_follows_a_plan() {
    let calm = Criteria {
        verdict: Wanted::Any,
        ..criteria(&[("keys", 1..=1), ("ghosts", 0..=0), ("zombies", 0..=0)])
    };
    for made in boards("dungeon", &calm, (0, sized(20, 200))) {
        let (sketch, grid) = (&made.sketch, made.sketch.grid());
        let drawing = sketch.rows().join("\n");
        let [exit, key] = [b'E', b'K'].map(|glyph| sketch.all(glyph)[0]);
        assert!(grid.distance(exit, key) >= 4, "{drawing}");
        let doors = sketch.all(b'D');
        let far = |thing| doors.iter().map(|&door| grid.distance(thing, door)).min();
        assert!(far(exit).min(far(key)) >= Some(2), "{drawing}");
        let is_hallway = |&cell: &_| grid.neighbours(cell).any(|(_, to)| sketch.at(to) == b'X');
        let is_bend = |&cell: &_| {
            let ways = grid.neighbours(cell);
            let open = ways.filter(|&(_, to)| b".D".contains(&sketch.at(to)));
            let open: Vec<bool> = open
                .map(|(dir, _)| matches!(dir, Dir::Left | Dir::Right))
                .collect();
            open.len() == 2 && open[0] != open[1]
        };
        let hallways = sketch.all(b'.').into_iter().filter(is_hallway);
        assert!(hallways.filter(is_bend).count() <= doors.len(), "{drawing}");
    }
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn what_is_made_does_not_depend_on_the_number_of_threads() {
    let hard = [
        (
            "jimmy",
            Criteria {
                min_moves: Some(20),
                ..Criteria::default()
            },
        ),
        (
            "theseus",
            Criteria {
                min_moves: Some(28),
                rows: Some(6),
                ..Criteria::default()
            },
        ),
        (
            "maze",
            Criteria {
                min_moves: Some(34),
                ..Criteria::default()
            },
        ),
        (
            "baddies",
            Criteria {
                rows: Some(6),
                cols: Some(9),
                min_moves: Some(12),
                ..Criteria::default()
            },
        ),
        (
            "dungeon",
            Criteria {
                rows: Some(6),
                cols: Some(7),
                probability: Some(0.6..=0.9),
                ..criteria(&[("rooms", 1..=1), ("ghosts", 0..=0), ("zombies", 2..=2)])
            },
        ),
    ];
    for (ruleset, criteria) in hard {
        let [one, four] = [1, 4].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| boards(ruleset, &criteria, (7, 3)))
        });
        assert_eq!(one, four, "{ruleset}");
        let is_long = |made: &Judged| criteria.min_moves <= made.measures.moves();
        assert!(one.iter().all(is_long) || ruleset == "dungeon", "{ruleset}");
        let is_risky = |made: &Judged| {
            let probability = made.measures.probability();
            probability.is_some_and(|probability| (0.6..=0.9).contains(&probability))
        };
        assert!(
            one.iter().all(is_risky) || ruleset != "dungeon",
            "{ruleset}"
        );
    }
}

#[test]
fn no_board_comes_twice_not_even_in_a_mirror() {
    let small = Criteria {
        rows: Some(3),
        cols: Some(3),
        verdict: Wanted::Any,
        density: Some(0.0),
        ..criteria(&[("ghosts", 1..=1)])
    };
    let generator = Generator::new("jimmy", &small, Limits::default()).unwrap();
    let mut all: Vec<Vec<String>> = Vec::new();
    let end = generator.boards(0, 1000, &|_, _| (), &mut |made| {
        all.push(made.board.sketch.rows());
        true
    });
    assert!(matches!(end, RunEnd::Exhausted(_)), "{end:?}");
    // Jimmy is in the middle, and the corners are closed. One or two sides are open, and the ghost is on an open one. Up to
    // symmetries, the ghost is above or to the left, and the second open side is missing, opposite or adjacent.
    assert_eq!(all.len(), 6);
    let flip = |rows: &[String]| -> Vec<String> { rows.iter().rev().cloned().collect() };
    let turn = |rows: &[String]| -> Vec<String> {
        rows.iter().map(|row| row.chars().rev().collect()).collect()
    };
    for (at, rows) in all.iter().enumerate() {
        for other in &all[..at] {
            let images = [rows.clone(), flip(rows), turn(rows), turn(&flip(rows))];
            assert!(!images.contains(other), "{rows:?} {other:?}");
        }
    }
}

/// Three columns on either side belong to the hero and the ladder. A quarter of the other 60 cells is 15.
#[test]
fn the_density_sets_the_number_of_walls() {
    let dense = Criteria {
        rows: Some(10),
        cols: Some(12),
        density: Some(0.25),
        ..Criteria::default()
    };
    for made in boards("baddies", &dense, (0, 5)) {
        assert_eq!(made.sketch.count(b'+'), 15, "{:#?}", made.sketch.rows());
    }
}

/// Corridors can meet in 30 of 99 cells. A third of the other 69 is 23.
#[test]
fn the_density_sets_the_wall_cells_of_a_maze() {
    let dense = Criteria {
        rows: Some(9),
        cols: Some(11),
        density: Some(1.0 / 3.0),
        ..Criteria::default()
    };
    let is_wall = |glyph: &char| glyph.is_ascii_alphabetic() && *glyph != 'R';
    for made in boards("maze", &dense, (0, 5)) {
        let rows = made.sketch.rows();
        let walls = rows.iter().flat_map(|row| row.chars()).filter(is_wall);
        assert_eq!(walls.count(), 23, "{rows:#?}");
    }
}

#[test]
fn dungeons_meet_turns_and_small_probabilities() {
    let small = criteria(&[("rooms", 1..=1), ("ghosts", 1..=1), ("zombies", 0..=0)]);
    let long = Criteria {
        min_turns: Some(12),
        ..small.clone()
    };
    let made = &boards("dungeon", &long, (1, 1))[0];
    let level = board("dungeon", &made.sketch.rows());
    let solution = level.solve(&Limits::default());
    let analysis = level.game().analyse(&solution, &Limits::default());
    let Bounds { lower, upper } = analysis.expected_turns.unwrap();
    assert!(lower >= 12.0 && upper < 1e6, "{lower} {upper}");
    let found = made.measures.expected_turns.unwrap();
    assert!(
        (found - f64::midpoint(lower, upper)).abs() < 1e-6,
        "{found}"
    );
    let rare = Criteria {
        probability: Some(0.000_01..=0.05),
        ..criteria(&[("rooms", 1..=1), ("ghosts", 0..=0), ("zombies", 2..=3)])
    };
    let made = &boards("dungeon", &rare, (1, 1))[0];
    let level = board("dungeon", &made.sketch.rows());
    let probability = level.solve(&Limits::default()).evidence.probability();
    let is_rare = |found: f64| (0.000_009..=0.050_001).contains(&found);
    assert!(probability.is_some_and(is_rare), "{probability:?}");
}

#[test]
fn a_single_room_holds_as_many_as_it_has_tiles() {
    let of = |zombies| {
        let numbers = [
            ("rooms", 1..=1),
            ("ghosts", 0..=0),
            ("keys", 1..=1),
            ("zombies", zombies..=zombies),
        ];
        Criteria {
            rows: Some(5),
            cols: Some(5),
            verdict: Wanted::Any,
            ..criteria(&numbers)
        }
    };
    for made in boards("dungeon", &of(2), (0, 3)) {
        let grid = made.sketch.grid();
        assert_eq!((grid.rows(), grid.cols()), (5, 5));
        let counts = [b'P', b'Z', b'K', b'E'].map(|glyph| count(&made, glyph));
        assert_eq!(counts, [1, 2, 1, 1]);
    }
    let message = "there is no room for 9 on this board, only for 8: make it larger";
    assert_eq!(refusal("dungeon", &of(7)), message);
}

/// Returns whether a board meets the criteria of the tests of minimal boards.
fn meets(criteria: &Criteria, ruleset: &str, rows: &[String]) -> bool {
    let solution = solved(ruleset, rows);
    let moves = match &solution.evidence {
        Evidence::Line(line) => line.len(),
        Evidence::Direction { steps, .. } => steps.len().saturating_sub(1),
        _ => 0,
    };
    let verdict = match criteria.verdict {
        Wanted::Verdict(verdict) => solution.verdict() == verdict,
        Wanted::Interesting | Wanted::Any => solution.verdict().is_success(),
    };
    verdict && moves >= criteria.min_moves.unwrap_or(0)
}

#[test]
fn every_part_of_a_minimal_board_is_necessary() {
    let sized = |rows, cols, moves, amounts: &[_]| Criteria {
        rows: Some(rows),
        cols: Some(cols),
        min_moves: Some(moves),
        minimal: true,
        ..criteria(amounts)
    };
    let some = [
        ("abyss", 0..=9),
        ("monsters", 0..=3),
        ("super-monsters", 0..=1),
        ("bats", 0..=1),
    ];
    let caught = Criteria {
        verdict: Wanted::Verdict(Verdict::Caught),
        min_moves: None,
        ..sized(6, 6, 0, &[])
    };
    let cases = [
        ("jimmy", sized(7, 7, 7, &[]), b"#g".as_slice(), b'.'),
        ("jimmy", sized(7, 7, 7, &[("ghosts", 2..=2)]), b"#", b'.'),
        ("jimmy", caught.clone(), b"#g", b'.'),
        ("theseus", sized(5, 5, 9, &[]), b"|-", b' '),
        ("baddies", sized(7, 12, 12, &some), b"+#mM~", b' '),
        ("baddies", caught, b"+#mM~", b' '),
    ];
    for (ruleset, criteria, removable, floor) in cases {
        let mut removed = 0;
        for made in boards(ruleset, &criteria, (0, 4)) {
            let (grid, rows) = (made.sketch.grid(), made.sketch.rows());
            let is_frame = |cell| ruleset == "theseus" && grid.is_border(cell);
            assert!(meets(&criteria, ruleset, &rows), "{criteria:?} {rows:#?}");
            for cell in grid.cells().filter(|&cell| !is_frame(cell)) {
                if removable.contains(&made.sketch.at(cell)) {
                    let mut without = made.sketch.clone();
                    without.put(cell, floor);
                    let place = grid.position(cell);
                    let is_idle = meets(&criteria, ruleset, &without.rows());
                    assert!(!is_idle, "{rows:#?} {place:?}");
                    removed += 1;
                }
            }
            if criteria.amounts == [("ghosts".to_owned(), 2..=2)] {
                assert_eq!(count(&made, b'g'), 2);
            }
        }
        assert!(removed > 0, "{ruleset} {criteria:?}");
    }
}

/// Fewer walls and ghosts never keep Jimmy from an escape.
#[test]
fn without_another_criterion_nothing_is_necessary_for_an_escape() {
    let minimal = wish(|criteria| criteria.minimal = true);
    for made in boards("jimmy", &minimal, (1, 3)) {
        assert_eq!([count(&made, b'#'), count(&made, b'g')], [0, 0]);
    }
}

#[test]
fn every_moving_wall_of_a_minimal_maze_is_necessary() {
    let small = |moves, verdict, amounts: &[_]| Criteria {
        rows: Some(5),
        cols: Some(7),
        min_moves: moves,
        minimal: true,
        verdict,
        ..criteria(amounts)
    };
    let no_food = Wanted::Verdict(Verdict::NoFood);
    for (criteria, walls) in [
        (small(Some(9), Wanted::Interesting, &[]), 1..=2),
        (small(None, Wanted::Interesting, &[("walls", 2..=2)]), 2..=2),
        (small(None, Wanted::Interesting, &[]), 0..=0),
        (small(None, no_food, &[]), 1..=2),
    ] {
        for made in boards("maze", &criteria, (1, 4)) {
            let rows = made.sketch.rows();
            let heads: Vec<char> = rows.concat().chars().collect();
            let heads = heads
                .iter()
                .filter(|glyph| **glyph != 'R' && glyph.is_ascii_uppercase());
            let heads: Vec<char> = heads.copied().collect();
            assert!(walls.contains(&heads.len()), "{rows:#?}");
            for head in heads.iter().filter(|_| criteria.amounts.is_empty()) {
                let both = [*head, head.to_ascii_lowercase()];
                let without: Vec<String> = rows.iter().map(|row| row.replace(both, ".")).collect();
                assert!(!meets(&criteria, "maze", &without), "{head}: {rows:#?}");
            }
        }
    }
}

/// The most chasers with which some board has a way out, by brute force over all boards of the size in a program of its own.
#[test]
fn the_smallest_boards_are_generated_or_refused_at_once() {
    let sizes = [
        ("jimmy", "ghosts", (3, 3), 4),
        ("jimmy", "ghosts", (3, 4), 7),
        ("jimmy", "ghosts", (4, 3), 7),
        ("jimmy", "ghosts", (4, 4), 11),
        ("baddies", "monsters", (3, 3), 4),
        ("baddies", "bats", (3, 3), 4),
        ("baddies", "abyss", (3, 4), 7),
        ("maze", "walls", (3, 3), 7),
        ("maze", "food", (3, 4), 10),
        ("theseus", "exits", (2, 2), 2),
        ("theseus", "exits", (2, 3), 4),
        ("dungeon", "ghosts", (4, 4), 1_usize),
    ];
    for (ruleset, name, (rows, cols), max) in sizes {
        let of_size = |amounts: &[_]| Criteria {
            rows: Some(rows),
            cols: Some(cols),
            ..criteria(amounts)
        };
        let counts = [1, max.div_ceil(2), max].map(|count| of_size(&[(name, count..=count)]));
        for criteria in counts.into_iter().chain([of_size(&[])]) {
            let generator = Generator::new(ruleset, &criteria, Limits::default()).unwrap();
            let tried = AtomicU64::new(0);
            let count = |boards, _: Option<&Judged>| _ = tried.fetch_add(boards, Ordering::Relaxed);
            let made = generator.board(1, &count).best.unwrap();
            let rows = made.sketch.rows();
            assert!(made.shortfall <= 0.0, "{criteria:?} {rows:#?}");
            assert!(solved(ruleset, &rows).verdict().is_success(), "{rows:#?}");
            assert_ne!(made.measures.moves(), Some(0), "{rows:#?}");
            let tried = tried.load(Ordering::Relaxed);
            assert!(tried < 10_000, "{criteria:?}: {tried}");
        }
        let more = of_size(&[(name, max + 1..=max + 1)]);
        refusal(ruleset, &more);
    }
}

/// Returns all boards of `theseus` with two rows and columns, by brute force.
fn boards_of_two_by_two() -> Vec<Vec<String>> {
    let places = [6, 8, 16, 18];
    let mut all = Vec::new();
    for actors in (0..4 * 4 * 4).map(|number| [number % 4, number / 4 % 4, number / 16]) {
        for walls in 0..16 {
            let mut text = *b"+-+-+|   |+ + +|   |+-+-+";
            for (bit, (at, wall)) in [(7, b'|'), (11, b'-'), (13, b'-'), (17, b'|')]
                .iter()
                .enumerate()
            {
                if walls >> bit & 1 == 1 {
                    text[*at] = *wall;
                }
            }
            for (actor, glyph) in actors.into_iter().zip(*b"TME") {
                text[places[actor]] = glyph;
            }
            if b"TME".iter().all(|glyph| text.contains(glyph)) {
                let rows = text
                    .chunks(5)
                    .map(|row| String::from_utf8_lossy(row).into());
                all.push(rows.collect());
            }
        }
    }
    all
}

#[test]
fn every_board_is_tried_before_a_small_size_is_refused() {
    let ways = boards_of_two_by_two().into_iter().map(|rows| {
        let (_, moves, _) = answer(&solved("theseus", &rows));
        moves.unwrap_or_default()
    });
    let longest = ways.max().unwrap();
    let of_length = |moves| Criteria {
        rows: Some(2),
        cols: Some(2),
        min_moves: Some(moves),
        ..Criteria::default()
    };
    for seed in 1..=9 {
        let made = boards("theseus", &of_length(longest), (seed, 1));
        assert_eq!(made[0].measures.moves(), Some(longest));
    }
    let longer = of_length(longest + 1);
    let generator = Generator::new("theseus", &longer, Limits::default()).unwrap();
    let end = generator.boards(1, 1, &|_, _| (), &mut |made| panic!("{made:?}"));
    // Each of the 384 boards has three mirror images.
    assert_eq!(end, RunEnd::Impossible(384 / 4));
}

/// A duller board than usual is better than one that misses the criteria.
#[test]
fn criteria_come_before_what_is_usual() {
    let easy = Criteria {
        rows: Some(3),
        cols: Some(4),
        difficulty: Some(0.0..=1.0),
        ..Criteria::default()
    };
    for seed in 1..=3 {
        let made = &boards("theseus", &easy, (seed, 1))[0];
        let bits = made.measures.difficulty.map(Difficulty::bits);
        assert!(bits.is_some_and(|bits| bits <= 1.0), "{made:?}");
    }
}

/// One wall of three cells shuts off a corner: five pieces of food fill the rest of the board.
#[test]
fn a_full_maze_has_food_out_of_reach() {
    let full = Criteria {
        rows: Some(3),
        cols: Some(3),
        verdict: Wanted::Verdict(Verdict::NoFood),
        ..criteria(&[("food", 5..=5), ("walls", 1..=1)])
    };
    let generator = Generator::new("maze", &full, Limits::default()).unwrap();
    let made = generator.board(1, &|_, _| ()).best.unwrap();
    let solution = solved("maze", &made.sketch.rows());
    assert_eq!(
        (solution.verdict(), count(&made, b'*')),
        (Verdict::NoFood, 5)
    );
}

/// A ghost in a corner can do no more than shut one of Jimmy's four ways. Brute force finds 224 boards on which it does.
#[test]
fn a_ghost_on_the_smallest_board_makes_a_difference() {
    let small = Criteria {
        rows: Some(3),
        cols: Some(3),
        ..criteria(&[("ghosts", 1..=1)])
    };
    for made in boards("jimmy", &small, (1, 9)) {
        let rows = made.sketch.rows();
        let bare = bare_of_ghosts(&rows);
        assert!(
            first_moves("jimmy", &rows) < first_moves("jimmy", &bare),
            "{rows:#?}"
        );
    }
}

fn bare_of_ghosts(rows: &[String]) -> Vec<String> {
    rows.iter().map(|row| row.replace('g', ".")).collect()
}

/// With three ghosts and two zombies, a limit on states leaves only bounds on the probability.
#[test]
fn boards_that_are_too_hard_have_bounds() {
    let crowd = [("rooms", 4..=4), ("ghosts", 3..=3), ("zombies", 2..=2)];
    let crowded = Criteria {
        verdict: Wanted::Verdict(Verdict::Escape),
        ..criteria(&crowd)
    };
    let limits = Limits {
        max_states: Some(500),
        ..Limits::default()
    };
    let generator = Generator::new("dungeon", &crowded, limits).unwrap();
    let made = generator.board(1, &|_, _| ()).best.unwrap();
    assert_eq!(made.measures.solution.verdict(), Verdict::Escape);
    assert_eq!((made.measures.probability(), made.shortfall), (None, 0.0));
}

#[test]
fn walls_keep_the_runner_from_the_food_if_requested() {
    let shut = |rows, cols, amounts: &[_]| Criteria {
        rows: Some(rows),
        cols: Some(cols),
        verdict: Wanted::Verdict(Verdict::NoFood),
        ..criteria(amounts)
    };
    for criteria in [
        shut(3, 3, &[]),
        shut(3, 3, &[("food", 2..=2), ("walls", 2..=2)]),
        shut(4, 6, &[("food", 2..=2)]),
        shut(9, 12, &[("walls", 1..=1)]),
        shut(7, 8, &[("walls", 4..=4)]),
        Criteria {
            density: Some(0.5),
            ..shut(9, 9, &[("food", 5..=5)])
        },
    ] {
        for made in boards("maze", &criteria, (0, 5)) {
            let rows = made.sketch.rows();
            assert_eq!(
                solved("maze", &rows).verdict(),
                Verdict::NoFood,
                "{rows:#?}"
            );
            assert!(count(&made, b'*') > 0, "{rows:#?}");
        }
    }
    let none = shut(5, 5, &[("walls", 0..=0)]);
    let message = "without a moving wall, nothing keeps the runner from the food";
    assert_eq!(refusal("maze", &none), message);
}

/// Counts the first moves after which an escape is possible. A board must be able to show each position.
fn first_moves(ruleset: &str, rows: &[String]) -> usize {
    let start = board(ruleset, rows);
    let mut session = start.game().session(0, &Limits::default()).unwrap();
    let mut ways = 0;
    for mv in session.legal() {
        session.go_to(0);
        session.play(&mv).unwrap();
        let after = session.position(1);
        let leads_out = match after.ending {
            Some(ending) => matches!(ending, Ending::Escaped { .. }),
            None => solved(ruleset, &after.rows).verdict() == Verdict::Escape,
        };
        ways += usize::from(leads_out);
    }
    ways
}

#[test]
fn first_moves_are_limited_as_requested() {
    let few = |rows, cols| Criteria {
        rows: Some(rows),
        cols: Some(cols),
        max_first_moves: Some(1),
        min_moves: Some(7),
        ..Criteria::default()
    };
    for (ruleset, criteria) in [("baddies", few(6, 10)), ("theseus", few(5, 5))] {
        for made in boards(ruleset, &criteria, (0, sized(1, 4))) {
            assert_eq!(made.measures.first_moves, Some(1));
            assert_eq!(
                first_moves(ruleset, &made.sketch.rows()),
                1,
                "{:#?}",
                made.sketch.rows()
            );
        }
    }
}

fn shortest_ways(ruleset: &str, rows: &[String], length: usize) -> usize {
    let start = board(ruleset, rows);
    let mut session = start.game().session(0, &Limits::default()).unwrap();
    let (mut ways, mut lines) = (0, vec![Vec::<String>::new()]);
    while let Some(line) = lines.pop() {
        session.go_to(0);
        for mv in &line {
            session.play(mv).unwrap();
        }
        match session.position(line.len()).ending {
            Some(Ending::Escaped { .. }) => ways += 1,
            Some(_) => {}
            None if line.len() == length => {}
            None => lines.extend(
                session
                    .legal()
                    .into_iter()
                    .map(|mv| [&*line, &[mv]].concat()),
            ),
        }
    }
    ways
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn the_shortest_way_out_is_unique_if_requested() {
    let unique = |rows, cols, min_moves| Criteria {
        rows: Some(rows),
        cols: Some(cols),
        unique: true,
        min_moves: Some(min_moves),
        ..Criteria::default()
    };
    for (ruleset, criteria) in [("jimmy", unique(7, 7, 9)), ("theseus", unique(4, 4, 6))] {
        for made in boards(ruleset, &criteria, (0, 4)) {
            let (rows, moves) = (made.sketch.rows(), made.measures.moves().unwrap());
            if moves <= 9 || ruleset == "jimmy" {
                assert_eq!(shortest_ways(ruleset, &rows, moves), 1, "{rows:#?}");
            }
        }
    }
}

#[test]
fn chasers_matter_even_without_an_escape() {
    let lost = Criteria {
        verdict: Wanted::Verdict(Verdict::Caught),
        ..Criteria::default()
    };
    for made in boards("jimmy", &lost, (0, 20)) {
        assert_eq!(made.measures.solution.verdict(), Verdict::Caught);
        let bare = made.sketch.rows().join("\n").replace('g', ".");
        let rows: Vec<_> = bare.lines().map(str::to_owned).collect();
        assert_eq!(solved("jimmy", &rows).verdict(), Verdict::Escape);
    }
}

fn wish(change: impl FnOnce(&mut Criteria)) -> Criteria {
    let mut criteria = Criteria::default();
    change(&mut criteria);
    criteria
}

fn refusal(ruleset: &str, criteria: &Criteria) -> String {
    let made = Generator::new(ruleset, criteria, Limits::default());
    made.map(|_| ()).unwrap_err().to_string()
}

#[test]
fn too_much_for_the_size_is_refused_with_the_reason() {
    let size = |rows, cols| {
        move |criteria: &mut Criteria| (criteria.rows, criteria.cols) = (Some(rows), Some(cols))
    };
    let crowded = Criteria {
        rows: Some(4),
        cols: Some(4),
        ..criteria(&[("ghosts", 16..=16)])
    };
    for (ruleset, criteria, message) in [
        (
            "jimmy",
            crowded,
            "there is no room for 16 on this board, only for 15: make it larger",
        ),
        (
            "jimmy",
            wish(size(2, 10)),
            "boards of `jimmy` have at least 3 rows and 3 columns",
        ),
        (
            "jimmy",
            wish(size(1000, 1000)),
            "a new board has at most 40000 cells",
        ),
        (
            "dungeon",
            criteria(&[("rooms", 20..=20)]),
            "only 8 of 20 rooms fit: make the board larger",
        ),
        (
            "dungeon",
            criteria(&[("keys", 2..=2)]),
            "`keys` must be 0 to 1 on boards of `dungeon`",
        ),
        (
            "chess",
            Criteria::default(),
            "boards of `chess` can't be generated; `mutate` makes variants of a board",
        ),
        (
            "jimmy",
            criteria(&[("bats", 1..=1)]),
            "boards of `jimmy` have no `bats`; they have `ghosts`",
        ),
        (
            "jimmy",
            wish(|criteria| criteria.density = Some(0.999)),
            "no such board could be generated: ask for a larger board, or for less on it",
        ),
        (
            "jimmy",
            wish(|criteria| criteria.min_moves = Some(65)),
            "no board of this size has a shortest way out of 65 moves: the maximum is 64",
        ),
    ] {
        assert_eq!(refusal(ruleset, &criteria), message);
    }
}

#[test]
fn meaningless_criteria_are_refused_with_the_reason() {
    let lost = |criteria: &mut Criteria| criteria.verdict = Wanted::Verdict(Verdict::Caught);
    let long_and_lost = wish(|criteria| {
        lost(criteria);
        criteria.min_moves = Some(3);
    });
    let radius = vec![("radius".to_owned(), "300".to_owned())];
    for (ruleset, criteria, message) in [
        (
            "jimmy",
            wish(|criteria| criteria.probability = Some(0.1..=0.2)),
            "`probability` does not apply to boards of `jimmy`, only to those of `dungeon`",
        ),
        (
            "dungeon",
            wish(|criteria| criteria.density = Some(0.3)),
            "`density` does not apply to boards of `dungeon`, only to those of `jimmy`, `baddies`, `maze`, `theseus`",
        ),
        (
            "jimmy",
            wish(|criteria| criteria.min_turns = Some(30)),
            "`min-turns` does not apply to boards of `jimmy`, only to those of `dungeon`",
        ),
        (
            "maze",
            wish(|criteria| criteria.unique = true),
            "`unique` does not apply to boards of `maze`, only to those of `jimmy`, `baddies`, `theseus`",
        ),
        (
            "jimmy",
            wish(|criteria| criteria.density = Some(1.5)),
            "1.5 is out of range: write a number from 0 to 1",
        ),
        (
            "maze",
            wish(lost),
            "the verdict on a board of `maze` is never `caught`",
        ),
        (
            "jimmy",
            long_and_lost,
            "criteria on moves need the verdict `escape` or `food`",
        ),
        (
            "baddies",
            wish(|criteria| criteria.max_first_moves = Some(0)),
            "a board with a way out has a first move that leads out: `max-first-moves` must be at least 1",
        ),
        (
            "dungeon",
            wish(|criteria| criteria.settings = radius),
            "invalid value `300` for `radius`; write a whole number from 0 to 255",
        ),
    ] {
        assert_eq!(refusal(ruleset, &criteria), message);
    }
}

fn with(amounts: &[(&str, RangeInclusive<usize>)], change: impl FnOnce(&mut Criteria)) -> Criteria {
    let mut criteria = criteria(amounts);
    change(&mut criteria);
    criteria
}

#[test]
fn impossible_odds_are_refused_with_the_reason() {
    let odds = |range: RangeInclusive<f64>| {
        move |criteria: &mut Criteria| criteria.probability = Some(range)
    };
    let sign =
        "the probability of escape is above 0 if the verdict is `escape`, and 0 if it is `caught`";
    let calm = [("ghosts", 0..=0), ("zombies", 0..=0)];
    let none = [("exits", 0..=0)];
    let unsure = with(&none, |criteria| {
        criteria.verdict = Wanted::Any;
        criteria.probability = Some(0.1..=0.9);
    });
    let lost = wish(|criteria| {
        criteria.verdict = Wanted::Verdict(Verdict::Caught);
        criteria.probability = Some(0.1..=0.5);
    });
    for (criteria, message) in [
        (criteria(&none), "the verdict `escape` needs an exit"),
        (unsure, "the verdict `escape` needs an exit"),
        (wish(odds(0.0..=0.0)), sign),
        (lost, sign),
        (
            with(&calm, odds(0.2..=0.8)),
            "without chasers nothing is left to chance: the probability of escape is 0 or 1",
        ),
        (
            with(&calm, |criteria| criteria.min_turns = Some(729)),
            "no board of this size has a shortest way out of 729 moves: the maximum is 728",
        ),
    ] {
        assert_eq!(refusal("dungeon", &criteria), message);
    }
}

#[test]
fn impossible_lengths_and_difficulties_are_refused_with_the_reason() {
    let long = |moves| move |criteria: &mut Criteria| criteria.min_moves = Some(moves);
    let one = [
        ("monsters", 1..=1),
        ("super-monsters", 0..=0),
        ("bats", 0..=0),
    ];
    let max = |wanted: usize, max: usize| {
        format!(
            "no board of this size has a shortest way out of {wanted} moves: the maximum is {max}"
        )
    };
    let easy_and_long = wish(|criteria| {
        criteria.min_moves = Some(31);
        criteria.difficulty = Some(2.0..=4.5);
    });
    for (ruleset, criteria, message) in [
        ("maze", wish(long(187)), max(187, 186)),
        ("maze", with(&[("walls", 0..=0)], long(27)), max(27, 26)),
        ("theseus", wish(long(2402)), max(2402, 2401)),
        ("baddies", with(&one, long(360_601)), max(360_601, 360_600)),
        (
            "jimmy",
            wish(|criteria| criteria.difficulty = Some(210.0..=300.0)),
            "no board of this size has a difficulty above 209 bits".to_owned(),
        ),
        (
            "theseus",
            easy_and_long,
            "a way out of 31 moves has a difficulty of at least 5.00 bits, not 4.5".to_owned(),
        ),
    ] {
        assert_eq!(refusal(ruleset, &criteria), message);
    }
}

#[test]
fn boards_without_any_way_are_refused_with_the_reason() {
    let dense = |criteria: &mut Criteria| criteria.density = Some(1.0);
    let wall = "a wall density of 1 leaves no free path: lower it";
    let food = |criteria: &mut Criteria| criteria.verdict = Wanted::Verdict(Verdict::Food);
    for (ruleset, criteria, message) in [
        ("jimmy", wish(dense), wall),
        ("theseus", wish(dense), wall),
        (
            "maze",
            with(&[("food", 0..=0)], food),
            "the verdict `food` needs a piece of food",
        ),
        (
            "dungeon",
            Criteria {
                rows: Some(4),
                cols: Some(4),
                verdict: Wanted::Verdict(Verdict::Caught),
                ..criteria(&[("ghosts", 0..=0), ("zombies", 0..=0)])
            },
            "in a single room, only ghosts and zombies keep the player from the exit",
        ),
        (
            "jimmy",
            Criteria {
                rows: Some(3),
                cols: Some(3),
                ..criteria(&[("ghosts", 5..=5)])
            },
            "a ghost beside Jimmy catches him at once: use at most 4 on this board",
        ),
    ] {
        assert_eq!(refusal(ruleset, &criteria), message);
    }
}

/// These criteria are as close as possible to others that are refused.
#[test]
fn criteria_that_may_be_met_are_not_refused() {
    let calm = criteria(&[("ghosts", 0..=0), ("zombies", 0..=0)]);
    let none = criteria(&[("exits", 0..=0)]);
    for (ruleset, criteria) in [
        (
            "dungeon",
            Criteria {
                verdict: Wanted::Verdict(Verdict::Caught),
                probability: Some(0.0..=0.0),
                ..none.clone()
            },
        ),
        (
            "dungeon",
            Criteria {
                verdict: Wanted::Any,
                ..none
            },
        ),
        (
            "dungeon",
            Criteria {
                probability: Some(0.5..=1.0),
                ..calm
            },
        ),
        ("maze", wish(|criteria| criteria.min_moves = Some(186))),
        ("baddies", criteria(&[("abyss", 590..=590)])),
        ("theseus", wish(|criteria| criteria.min_moves = Some(2401))),
        (
            "baddies",
            wish(|criteria| criteria.min_moves = Some(1_000_000)),
        ),
        (
            "jimmy",
            wish(|criteria| criteria.difficulty = Some(208.0..=300.0)),
        ),
    ] {
        let made = Generator::new(ruleset, &criteria, Limits::default());
        assert_eq!(made.map(|_| ()), Ok(()), "{ruleset} {criteria:?}");
    }
}

#[test]
fn a_limit_ends_a_search_with_the_best_board_so_far() {
    let stop = AtomicBool::new(false);
    let limits = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let longest = Criteria {
        min_moves: Some(64),
        ..Criteria::default()
    };
    let generator = Generator::new("jimmy", &longest, limits).unwrap();
    let mut all = Vec::new();
    let stop_soon = |_, best: Option<&Judged>| {
        if best.is_some_and(|best| best.measures.moves() >= Some(10)) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let end = generator.boards(1, 3, &stop_soon, &mut |made| {
        all.push(made);
        true
    });
    assert_eq!(end, RunEnd::Limit(getaway_board::limits::Limit::Interrupt));
    assert!(
        all.iter()
            .any(|made| made.board.measures.moves() >= Some(10))
    );
    assert!(
        all.iter()
            .all(|made| made.limit.is_some() && made.board.shortfall > 0.0)
    );
}

#[test]
fn walls_keep_the_player_from_the_exit_if_requested() {
    let shut = Criteria {
        rows: Some(8),
        cols: Some(14),
        verdict: Wanted::Verdict(Verdict::Caught),
        ..criteria(&[("rooms", 2..=2), ("keys", 0..=0), ("zombies", 0..=0)])
    };
    for made in boards("dungeon", &shut, (4, 3)) {
        let rows = made.sketch.rows();
        assert_eq!(
            solved("dungeon", &rows).verdict(),
            Verdict::Caught,
            "{rows:#?}"
        );
        assert_eq!(count(&made, b'E'), 1, "{rows:#?}");
    }
}
