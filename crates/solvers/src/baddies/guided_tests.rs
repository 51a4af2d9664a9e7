use super::*;
use crate::searched::Searches;
use getaway_board::limits::Decision;
use getaway_board::puzzle::{Puzzle, text::Boards};
use getaway_board::rng::Rng;
use getaway_ruleset::Notation;
use getaway_search::watched::Branch;

fn board((rows, cols): (usize, usize), crowd: f64, seed: u64) -> Baddies {
    let mut luck = Rng::new(seed);
    let mut cells: Vec<u8> = (0..rows * cols)
        .map(|_| match 100.0 * luck.uniform() {
            at if at < crowd => b"mM~"[(3.0 * luck.uniform()) as usize],
            at if at < crowd + 10.0 => b'+',
            at if at < crowd + 14.0 => b'#',
            _ => b'.',
        })
        .collect();
    (cells[0], cells[rows * cols - 1]) = (b'H', b'*');
    let mut text = b"; ruleset: baddies\n".to_vec();
    for row in cells.chunks(cols) {
        text.extend_from_slice(row);
        text.push(b'\n');
    }
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(&text, 1).read(&mut puzzle).unwrap());
    Baddies::read(&puzzle).unwrap()
}

fn play_packed(board: &Baddies, luck: &mut Rng) -> usize {
    let guided = GuidedBoard::new(board, &board.start, Keys::All, &Limits::default()).unwrap();
    let (mut at, mut state) = (guided.opened().unwrap(), board.start.clone());
    for turn in 0..30 {
        let mut keys = Vec::new();
        guided.moves(&at, &mut keys);
        let key = keys[(luck.uniform() * keys.len() as f64) as usize];
        let outcome = Deterministic::play(board, &mut state, key);
        assert_eq!(guided.play(&mut at, key), outcome);
        if outcome.is_some() {
            return turn;
        }
        assert!(state.baddies.is_sorted(), "{state:?}");
        assert_eq!(at.len(), guided.words());
        assert_eq!(guided.unpacked(&at), state);
    }
    30
}

#[test]
fn states_stay_the_same_when_packed_and_unpacked_with_few_baddies_and_with_many() {
    let luck = &mut Rng::new(9);
    let few: usize = (0..200)
        .map(|seed| play_packed(&board((9, 12), 5.0, seed), luck))
        .sum();
    let many: usize = (0..60)
        .map(|seed| play_packed(&board((40, 60), 4.0, seed), luck))
        .sum();
    assert!(few > 500 && many > 40, "{few} and {many} turns");
}

#[test]
fn a_key_is_useful_if_it_lands_on_a_cell_of_its_own_without_death() {
    for seed in 0..50 {
        let board = board((6, 7), 0.0, seed);
        let guided =
            GuidedBoard::new(&board, &board.start, Keys::NearestFirst, &Limits::default()).unwrap();
        for cell in board
            .grid
            .cells()
            .filter(|&cell| board.terrain(cell) != Terrain::Wall)
        {
            let mut expected: Vec<(Key, getaway_board::grid::Cell)> = Vec::new();
            for key in Key::PLAINEST_FIRST {
                let to = board.hero_lands(cell, key);
                let is_new = expected.iter().all(|&(_, other)| other != to);
                // No actor can stay in an abyss.
                if is_new && board.terrain(to) != Terrain::Abyss {
                    expected.push((key, to));
                }
            }
            if board.terrain(cell) == Terrain::Abyss {
                continue;
            }
            let keys: Vec<_> = guided.useful_keys(cell).collect();
            assert_eq!(keys, expected, "from {cell:?}");
        }
    }
}

#[test]
fn limits_apply_while_a_board_is_prepared() {
    let board = board((300, 300), 1.0, 1);
    let with = |max_memory, deadline| {
        let limits = Limits {
            max_memory,
            deadline,
            ..Limits::default()
        };
        GuidedBoard::new(&board, &board.start, Keys::NearestFirst, &limits)
            .map(|_| ())
            .unwrap_err()
    };
    assert_eq!(with(Some(300 * 300), None), Limit::Memory);
    assert_eq!(with(None, Some(std::time::Instant::now())), Limit::Time);
}

#[test]
fn states_are_those_of_the_search_and_of_the_walk_after_it_and_are_limited_together() {
    use getaway_play::solution::{Evidence, Verdict};
    let mut with_both = 0;
    for seed in 0..40 {
        let board = board((5, 6), 6.0, seed);
        let none = Limits::default();
        let solution = Baddies::decide(&board, Order::default(), &none);
        if solution.verdict() != Verdict::Caught {
            continue;
        }
        let guided = |keys| GuidedBoard::new(&board, &board.start, keys, &none).unwrap();
        let (_, searched) = guided(Keys::NearestFirst).search(Order::default(), &none);
        let (_, walked) = guided(Keys::PlainestFirst).survival(&none);
        assert!(walked > 0);
        assert_eq!(solution.states, searched + walked);
        with_both += u32::from(searched > 0);
        let limits = Limits {
            max_states: Some(solution.states - 1),
            ..none
        };
        let limited = Baddies::decide(&board, Order::default(), &limits);
        assert_eq!(limited.states, solution.states - 1);
        assert_eq!(limited.limit(), Some(Limit::States));
        if walked > 1 {
            assert_eq!(limited.evidence, Evidence::Survives(Decision::Undecided));
        }
    }
    assert!(with_both > 5, "{with_both}");
}

#[test]
fn a_search_takes_no_more_memory_than_it_may() {
    let board = board((60, 60), 0.3, 3);
    let limits = Limits {
        max_memory: Some(1 << 20),
        ..Limits::default()
    };
    let guided = GuidedBoard::new(&board, &board.start, Keys::NearestFirst, &limits).unwrap();
    let (finding, states) = guided.search(Order::Shortest, &limits);
    assert_eq!(finding, Finding::Undecided(Limit::Memory));
    assert!(states > 100, "{states}");
}

#[test]
fn a_search_that_is_shown_tries_every_key_that_loses_at_once() {
    let (mut fatal, limits) = (0, Limits::default());
    for seed in 0..40 {
        let board = board((5, 7), 12.0, seed);
        let watched = Baddies::watch(&board, 200, &limits).unwrap().unwrap();
        for step in &watched.notes.steps {
            if step
                .branches
                .iter()
                .any(|(_, branch)| *branch == Branch::Escaped)
            {
                continue;
            }
            let mut at = board.start.clone();
            for key in watched.notes.line(step.state) {
                assert_eq!(Deterministic::play(&board, &mut at, key), None);
            }
            for key in Key::ALL {
                let outcome = Deterministic::play(&board, &mut at.clone(), key);
                let is_fatal = matches!(outcome, Some(Outcome::Caught(_)));
                let is_lost = |&(tried, branch): &(Key, Branch)| {
                    tried == key && matches!(branch, Branch::Caught(_))
                };
                assert_eq!(step.branches.iter().any(is_lost), is_fatal, "{seed}: {key}");
                fatal += usize::from(is_fatal);
            }
        }
    }
    assert!(fatal > 1_000, "{fatal}");
}

#[test]
fn turns_explored_together_lead_where_single_moves_lead() {
    let (luck, mut turns) = (&mut Rng::new(5), 0);
    for (shape, crowd) in [((9, 12), 5.0), ((40, 60), 1.0), ((8, 8), 40.0)] {
        for seed in 0..60 {
            let board = board(shape, crowd, seed);
            let guided =
                GuidedBoard::new(&board, &board.start, Keys::NearestFirst, &Limits::default())
                    .unwrap();
            if guided.distances[board.start.hero.index()] == FAR {
                continue;
            }
            let mut at = guided.opened().unwrap();
            for _ in 0..20 {
                let mut keys = Vec::new();
                guided.moves(&at, &mut keys);
                let single = keys.into_iter().map_while(|key| {
                    let mut next = at.clone();
                    match guided.play(&mut next, key) {
                        None => Some((key, next)),
                        outcome => {
                            assert_eq!(outcome, Some(Outcome::Escaped));
                            None
                        }
                    }
                });
                let single: Vec<_> = single.collect();
                let mut together = Vec::new();
                let mut visit = |key, next: &Vec<u64>| {
                    together.push((key, next.clone()));
                    Ok(())
                };
                guided
                    .expand(&at, &mut Vec::new(), &mut at.clone(), &mut visit)
                    .unwrap();
                assert_eq!(together, single);
                if single.is_empty() {
                    break;
                }
                turns += single.len();
                at = single[(luck.uniform() * single.len() as f64) as usize]
                    .1
                    .clone();
            }
        }
    }
    assert!(turns > 500, "{turns}");
}
