//! Compares `dungeon` with an independent program, the pictures in the course documents, and a naive solver.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use getaway::{Bounds, Cell, Decision};
use getaway_board::limits::{Limit, Limits};
use getaway_board::puzzle::Puzzle;
use getaway_play::analysis::Without;
use getaway_play::solution::{Evidence, Solution, Verdict};
use getaway_play::trace::{Ending, LineKind, Ply, TraceSink};
use getaway_rules::dungeon::level::Tile;
use getaway_rules::dungeon::{AdversaryKind, Dungeon, Move, State, Strategy as Doctrine};
use getaway_ruleset::distribution::Distribution;
use getaway_ruleset::{Fate, Notation, Outcome, Playable, Ruleset, Stochastic};
use getaway_search::search::Order;
use getaway_solvers::dungeon::{ByModel, LevelPolicy};
use getaway_solvers::game::{Game, Gameplay, Plan, Solver};
use getaway_solvers::removals::necessary_items;
use proptest::prelude::*;
use serde_json::Value;

use crate::boards::{each_case, from_json, from_text, lines, puzzles};
use crate::random_boards;
use getaway_testing::sized;

pub fn read(puzzle: &Puzzle) -> Dungeon {
    Dungeon::read(puzzle).unwrap_or_else(|error| panic!("{error}"))
}

fn level(text: &str) -> Dungeon {
    read(&from_text(text))
}

fn boards() -> BTreeMap<String, String> {
    puzzles("dungeon").into_iter().collect()
}

fn first_case() -> Dungeon {
    read(&from_json(&lines("dungeon.jsonl")[0]))
}

fn solver(level: &Dungeon) -> ByModel {
    ByModel::new(Arc::new(level.clone()))
}

pub fn solve(game: &Dungeon) -> Solution {
    solver(game).solve(Order::default(), &Limits::default())
}

pub fn chance(solution: &Solution) -> (f64, f64, Decision) {
    match solution.evidence {
        Evidence::Chance {
            bounds: Bounds { lower, upper },
            certain,
            ..
        } => (lower, upper, certain),
        ref other => panic!("{other:?}"),
    }
}

pub fn moves(game: &Dungeon, at: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(at, &mut moves);
    moves
}

fn choices(game: &Dungeon, at: &State, who: Cell) -> Distribution<<Dungeon as Stochastic>::Choice> {
    let mut outcomes = Distribution::new();
    game.outcomes(at, who, &mut outcomes);
    outcomes
}

fn after_adversaries(game: &Dungeon, at: State) -> Vec<(Result<State, Outcome>, f64)> {
    let mut chasers = Vec::new();
    game.chasers(&at, &mut chasers);
    let mut ways = vec![(Ok(at), 1.0)];
    for who in chasers {
        let mut next = Vec::new();
        for (way, weight) in ways {
            let Ok(at) = way else {
                next.push((way, weight));
                continue;
            };
            for (choice, probability) in choices(game, &at, who).iter() {
                let mut then = at.clone();
                let ended = game.carry_out(&mut then, who, choice, &mut ());
                next.push((ended.map_or(Ok(then), Err), weight * probability));
            }
        }
        ways = next;
    }
    ways
}

fn after_turn(game: &Dungeon, at: &State, mv: Move) -> Vec<(Result<State, Outcome>, f64)> {
    let mut then = at.clone();
    match game.act(&mut then, mv, &mut ()) {
        Some(outcome) => vec![(Err(outcome), 1.0)],
        None => after_adversaries(game, then),
    }
}

#[test]
fn steps_are_those_of_the_independent_program() {
    let steps = lines("steps.jsonl");
    assert_eq!(steps.len(), 19);
    for line in steps {
        let case: Value = serde_json::from_str(&line).unwrap();
        let game = read(&from_json(&line));
        let coordinate = |at: usize| u32::try_from(case["actor"][at].as_u64().unwrap()).unwrap();
        let who = game.level.grid.cell(coordinate(0), coordinate(1)).unwrap();
        let mut next: BTreeMap<String, f64> = BTreeMap::new();
        for (choice, probability) in choices(&game, &game.start(), who).iter() {
            let (row, col) = game.grid().position(choice.to);
            *next.entry(format!("{row},{col}")).or_default() += probability;
            if let Some(cooldowns) = case["next_cooldown"].as_array() {
                assert!(
                    cooldowns.contains(&choice.cooldown.into()),
                    "{choice:?} in {line}"
                );
            }
        }
        let expected = case["next"].as_object().unwrap();
        assert!(next.keys().eq(expected.keys()), "{line}\n{next:?}");
        for (cell, probability) in &next {
            let expected = expected[cell].as_f64().unwrap();
            assert!(
                (probability - expected).abs() < 1e-9,
                "{cell}: {probability} in {line}"
            );
        }
    }
}

#[test]
fn levels_are_decided_as_by_the_independent_program() {
    for (name, count) in [("dungeon", 34), ("dungeon_key_on_exit", 24)] {
        let levels = each_case(name, |puzzle, answer| {
            let solution = solve(&read(puzzle));
            assert_eq!(solution.verdict().name(), answer["verdict"], "{answer}");
            let (lower, upper, certain) = chance(&solution);
            let probability = answer["probability"].as_f64().unwrap();
            assert!((lower - probability).abs() <= 1e-6, "{lower} for {answer}");
            assert!((upper - probability).abs() <= 1e-6, "{upper} for {answer}");
            assert_eq!(certain, answer["certain"].as_bool().into(), "{answer}");
        });
        assert_eq!(levels, count);
    }
}

#[test]
fn boards_keep_their_promise() {
    let boards = boards();
    assert!(boards.len() >= 25, "{} boards", boards.len());
    for (name, text) in boards {
        let puzzle = from_text(&text);
        let game = read(&puzzle);
        match puzzle.header("expect").map(|header| &*header.value) {
            Some("unsolvable") => assert!(solver(&game).solvable().is_err(), "{name}"),
            Some(expected) => {
                let solution = solve(&game);
                match expected.parse::<f64>() {
                    Ok(probability) => {
                        let (lower, ..) = chance(&solution);
                        assert!((lower - probability).abs() <= 1e-6, "{name}: {lower}");
                    }
                    Err(_) => assert_eq!(solution.verdict().name(), expected, "{name}"),
                }
            }
            None => panic!("{name} promises nothing"),
        }
    }
}

fn cast(at: &State) -> Vec<(char, Cell)> {
    let players = at.players.iter().map(|&cell| ('P', cell));
    let others = at
        .adversaries
        .iter()
        .map(|other| (other.kind.glyph(), other.cell));
    players.chain(others).collect()
}

#[test]
fn each_example_of_source_000_shows_a_possible_turn() {
    let examples = [
        (
            "01-ghost-1a-towards-player",
            "02-ghost-1b-one-step-nearer",
            None,
        ),
        (
            "03-ghost-2a-far-from-player",
            "05-ghost-2c-in-a-random-room",
            None,
        ),
        (
            "06-ghost-3a-around-the-wall",
            "07-ghost-3b-in-front-of-the-door",
            Some((4, 17)),
        ),
        (
            "08-ghost-4a-no-other-way-closer",
            "10-ghost-4c-in-a-random-room",
            None,
        ),
        (
            "11-ghost-5a-before-the-door",
            "12-ghost-5b-in-the-doorway",
            None,
        ),
        (
            "13-ghost-6a-void-is-a-wall-too",
            "15-ghost-6c-in-a-random-room",
            None,
        ),
        (
            "16-zombie-1a-towards-player",
            "17-zombie-1b-one-step-nearer",
            Some((3, 6)),
        ),
        (
            "18-zombie-2a-alone-in-its-room",
            "19-zombie-2b-anywhere-but-doors",
            None,
        ),
    ];
    let boards = boards();
    for (first, last, stray) in examples {
        let (game, then) = (level(&boards[first]), level(&boards[last]));
        let stray = stray.map(|(row, col)| ('G', then.level.grid.cell(row, col).unwrap()));
        let mut expected = cast(&then.start());
        let drawn = expected.len();
        expected.retain(|&actor| Some(actor) != stray);
        assert_eq!(
            drawn - expected.len(),
            usize::from(stray.is_some()),
            "{last}"
        );
        let start = game.start();
        let shows = |(way, weight): (Result<State, Outcome>, f64)| {
            weight > 0.0 && way.is_ok_and(|at| cast(&at) == expected)
        };
        let possible = moves(&game, &start)
            .into_iter()
            .flat_map(|mv| after_turn(&game, &start, mv))
            .any(shows);
        assert!(possible, "{first} does not lead to {last}");
    }
}

#[derive(Clone, Debug)]
pub struct Scenery {
    pub text: String,
}

pub fn scenery(rows: usize, cols: usize, actors: &'static str) -> impl Strategy<Value = Scenery> {
    let inside = prop::collection::vec(
        prop::sample::select("..........D||-X".chars().collect::<Vec<_>>()),
        rows * cols,
    );
    let places = prop::collection::vec(any::<prop::sample::Index>(), actors.len());
    let settings = (
        prop::bool::ANY,
        prop::sample::select(vec![0, 1, 2, 3, 10]),
        0..3_u8,
        1..3_u8,
        0..4_u8,
    );
    (inside, places, settings).prop_map(move |(mut tiles, places, settings)| {
        let (is_chase, radius, cooldown, speed, frame) = settings;
        for (actor, place) in actors.chars().zip(places) {
            let at = place.index(tiles.len());
            tiles[at] = actor;
        }
        let strategy = if is_chase { "chase" } else { "cooldown" };
        let border = if frame == 0 { 'X' } else { '-' };
        let side = if frame == 0 { 'X' } else { '|' };
        let mut text = format!(
            "; drawing: compact\n; strategy: {strategy}\n; radius: {radius}\n\
             ; cooldown: {cooldown}\n; speed: {speed}\n"
        );
        let bar: String = std::iter::repeat_n(border, cols + 2)
            .chain(['\n'])
            .collect();
        text.push_str(&bar);
        for row in tiles.chunks(cols) {
            text.extend(
                [side]
                    .into_iter()
                    .chain(row.iter().copied())
                    .chain([side, '\n']),
            );
        }
        text.push_str(&bar);
        Scenery { text }
    })
}

/// Returns whether table 4a of the course document forbids the step.
fn is_forbidden(game: &Dungeon, at: &State, who: (AdversaryKind, Cell), to: Cell) -> bool {
    let (level, chase) = (&game.level, game.settings.strategy == Doctrine::Chase);
    let object = at.key == Some(to) || level.exit == Some(to);
    let foreign = level.room_of(to).is_none() || level.room_of(to) != level.room_of(who.1);
    let blocked = match (who.0, level.tile(to)) {
        (AdversaryKind::Zombie, Tile::Floor) => foreign,
        (AdversaryKind::Zombie, _) => true,
        (AdversaryKind::Ghost { .. }, Tile::Void) => !chase,
        (AdversaryKind::Ghost { .. }, _) => false,
    };
    blocked
        || (object && chase)
        || at
            .adversaries
            .iter()
            .any(|other| other.cell == to && other.cell != who.1)
}

/// Checks that probabilities add up to 1, steps are legal and at most one tile long, and ghosts appear only on free
/// room tiles.
fn check_choices(game: &Dungeon, at: &State, who: Cell) {
    let level = &game.level;
    let kind = at
        .adversaries
        .iter()
        .find(|other| other.cell == who)
        .unwrap()
        .kind;
    let outcomes = choices(game, at, who);
    assert!(
        (outcomes.total() - 1.0).abs() < 1e-12,
        "{}",
        outcomes.total()
    );
    for (choice, probability) in outcomes.iter() {
        assert!(*probability > 0.0);
        let to = choice.to;
        if choice.is_teleport {
            assert!(matches!(kind, AdversaryKind::Ghost { .. }) && level.room_of(to).is_some());
            let taken = cast(at).iter().any(|&(_, cell)| cell == to && cell != who);
            assert!(!taken && at.key != Some(to) && level.exit != Some(to));
        } else {
            assert!(level.grid.distance(who, to) <= 1);
            assert!(to == who || !is_forbidden(game, at, (kind, who), to));
            assert!(to == who || !level.tile(to).teleports());
        }
    }
}

fn check_position(game: &Dungeon, at: &State) {
    let mut cells: Vec<Cell> = cast(at).iter().map(|&(_, cell)| cell).collect();
    cells.sort_unstable();
    assert!(cells.windows(2).all(|pair| pair[0] != pair[1]), "{at:?}");
    assert!(at.adversaries.is_sorted(), "{at:?}");
    for &cell in &at.players {
        assert!(!game.level.tile(cell).teleports());
        assert!(at.key != Some(cell), "the key was not taken");
        // Another player on the exit may have taken the key.
        let is_alone = game.start().players.len() == 1;
        assert!(
            !is_alone || at.key.is_some() || game.level.exit != Some(cell),
            "not out"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(50, 300)))]

    #[test]
    fn actors_stay_on_allowed_tiles(
        scenery in scenery(4, 6, "ZGZGPPKE"),
        picks in prop::collection::vec((any::<prop::sample::Index>(), 0.0..1.0), 60),
    ) {
        let game = level(&scenery.text);
        let mut at = game.start();
        let mut picks = picks.into_iter();
        let mut over = false;
        while let Some((pick, luck)) = picks.next().filter(|_| !over) {
            check_position(&game, &at);
            let moves = moves(&game, &at);
            prop_assert!(moves.iter().all(|&mv| game.refusal(&at, mv).is_none()));
            over = game.act(&mut at, moves[pick.index(moves.len())], &mut ()).is_some();
            let mut chasers = Vec::new();
            if !over {
                game.chasers(&at, &mut chasers);
            }
            for who in chasers {
                check_choices(&game, &at, who);
                let choice = *choices(&game, &at, who).draw(luck);
                over = over || game.carry_out(&mut at, who, &choice, &mut ()).is_some();
                if over {
                    break;
                }
            }
        }
    }
}

type Lot = Vec<(Result<usize, Outcome>, f64)>;

struct Naive {
    turns: Vec<Vec<(Move, Lot)>>,
    states: Vec<State>,
}

impl Naive {
    /// Lists all positions; `None` if there are too many.
    fn of(game: &Dungeon) -> Option<Self> {
        let mut numbers = HashMap::from([(game.start(), 0)]);
        let mut naive = Self {
            turns: Vec::new(),
            states: vec![game.start()],
        };
        while let Some(at) = naive.states.get(naive.turns.len()).cloned() {
            let mut turn = Vec::new();
            for mv in moves(game, &at) {
                let mut list = Vec::new();
                for (way, weight) in after_turn(game, &at, mv) {
                    let next = way.map(|state| {
                        *numbers.entry(state.clone()).or_insert_with(|| {
                            naive.states.push(state);
                            naive.states.len() - 1
                        })
                    });
                    list.push((next, weight));
                }
                turn.push((mv, list));
            }
            naive.turns.push(turn);
            if naive.states.len() > 3000 {
                return None;
            }
        }
        Some(naive)
    }

    /// Computes the probability of escape with the allowed moves, by iteration from below. If the values do not converge,
    /// returns the last one as an error.
    fn probability(&self, allowed: impl Fn(usize, Move) -> bool) -> Result<f64, f64> {
        let mut values = vec![0.0_f64; self.turns.len()];
        for _ in 0..2000 {
            let mut change = 0.0_f64;
            for (at, turn) in self.turns.iter().enumerate() {
                let moves = turn.iter().filter(|(mv, _)| allowed(at, *mv));
                let best = moves
                    .map(|(_, list)| mean(list, &values))
                    .fold(0.0, f64::max);
                change = change.max(best - values[at]);
                values[at] = best;
            }
            if change < 1e-13 {
                return Ok(values[0]);
            }
        }
        Err(values[0])
    }

    /// Returns the mean length of games that escape with these moves; `None` if there is no escape or no convergence.
    fn turns(&self, moves: &[Move]) -> Option<f64> {
        // Each value is the probability of escape, and its product with the mean length of an escape.
        let mut values = vec![[0.0_f64; 2]; self.turns.len()];
        for _ in 0..20_000 {
            let mut change = 0.0_f64;
            for (at, turn) in self.turns.iter().enumerate() {
                let (_, list) = turn.iter().find(|(mv, _)| *mv == moves[at]).unwrap();
                let [escaped, turns] = [0, 1].map(|part| {
                    let of_next = |(next, weight): &(Result<usize, Outcome>, f64)| match next {
                        Ok(next) => weight * values[*next][part],
                        Err(Outcome::Escaped) if part == 0 => *weight,
                        Err(_) => 0.0,
                    };
                    list.iter().map(of_next).sum::<f64>()
                });
                let now = [escaped, escaped + turns];
                change = change.max((now[1] - values[at][1]).abs());
                values[at] = now;
            }
            if change < 1e-12 {
                return (values[0][0] > 0.0).then(|| values[0][1] / values[0][0]);
            }
        }
        None
    }

    fn certain(&self) -> bool {
        self.closure(|list, set| list.iter().all(|(next, _)| holds(*next, set)))
    }

    fn possible(&self) -> bool {
        self.closure(|list, set| list.iter().any(|(next, _)| holds(*next, set)))
    }

    fn closure(&self, joins: impl Fn(&Lot, &[bool]) -> bool) -> bool {
        let mut set = vec![false; self.turns.len()];
        loop {
            let before = set.clone();
            for (at, turn) in self.turns.iter().enumerate() {
                set[at] = set[at] || turn.iter().any(|(_, list)| joins(list, &set));
            }
            if set == before {
                return set[0];
            }
        }
    }
}

fn mean(list: &[(Result<usize, Outcome>, f64)], values: &[f64]) -> f64 {
    let value = |next: &Result<usize, Outcome>| match next {
        Ok(at) => values[*at],
        Err(Outcome::Escaped) => 1.0,
        Err(Outcome::Caught(_)) => 0.0,
    };
    list.iter().map(|(next, weight)| weight * value(next)).sum()
}

fn holds(next: Result<usize, Outcome>, set: &[bool]) -> bool {
    match next {
        Ok(at) => set[at],
        Err(outcome) => outcome == Outcome::Escaped,
    }
}

/// Checks that the solver finds a way out, if there is one, even with a limit of 0 states, and that its lower bound is valid.
fn check_way_out(game: &Dungeon, naive: &Naive, upper: f64) -> Result<(), TestCaseError> {
    let limits = Limits {
        max_states: Some(0),
        ..Limits::default()
    };
    let solution = solver(game).solve(Order::default(), &limits);
    let (lower, max, certain) = chance(&solution);
    if naive.possible() {
        let told = (solution.verdict(), solution.limit());
        prop_assert_eq!(told, (Verdict::Escape, Some(Limit::States)));
        prop_assert!(0.0 < lower && lower <= upper, "{} {}", lower, upper);
        prop_assert_eq!((max, certain), (1.0, Decision::Undecided));
    } else if solution.limit().is_some() {
        prop_assert_eq!(solution.verdict(), Verdict::Undecided);
        prop_assert_eq!((lower, max, certain), (0.0, 1.0, Decision::Undecided));
    } else {
        prop_assert_eq!(solution.verdict(), Verdict::Caught);
    }
    Ok(())
}

/// Compares the solution with the naive one. Also checks that the policy achieves the promised value.
pub fn check_against_naive(game: &Dungeon) -> Result<(), TestCaseError> {
    let Some(naive) = Naive::of(game) else {
        return Ok(());
    };
    let solution = solve(game);
    let (lower, upper, certain) = chance(&solution);
    let probability = naive.probability(|_, _| true);
    match probability {
        Ok(probability) => {
            prop_assert!(
                (lower - probability).abs() <= 1e-6,
                "{lower}, not {probability}"
            );
        }
        Err(reached) => prop_assert!(reached <= upper + 1e-9, "{reached} is above {upper}"),
    }
    prop_assert!(upper - lower <= 1e-6, "{lower} {upper}");
    prop_assert_eq!(solution.verdict() == Verdict::Escape, naive.possible());
    prop_assert_eq!(lower > 0.0, naive.possible());
    prop_assert_eq!(certain, Decision::from(naive.certain()));
    prop_assert!(certain == Decision::No || lower >= 1.0);
    check_way_out(game, &naive, upper)?;
    let policy = LevelPolicy::of(&Arc::new(game.clone()), &Limits::default()).unwrap();
    let best: Vec<Move> = naive.states.iter().map(|at| policy.best(at)).collect();
    if let (Ok(kept), Ok(best)) = (naive.probability(|at, mv| best[at] == mv), probability) {
        prop_assert!(
            (kept - best).abs() <= 2e-6,
            "the policy gets {kept} of {best}"
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(20, 150)))]

    #[test]
    fn small_levels_with_one_adversary_are_decided_as_by_a_naive_solver(
        ghost in scenery(3, 5, "GKEP"),
        zombie in scenery(3, 5, "ZKEP"),
    ) {
        check_against_naive(&level(&ghost.text))?;
        check_against_naive(&level(&zombie.text))?;
    }

    #[test]
    fn small_levels_with_several_adversaries_are_decided_as_by_a_naive_solver(
        ghosts in scenery(3, 3, "GGKEP"),
        zombies in scenery(3, 4, "ZZEP"),
        both in scenery(3, 3, "GZEP"),
        three in scenery(3, 3, "GZGEP"),
        joint in scenery(3, 3, "GPEP"),
    ) {
        check_against_naive(&level(&ghosts.text))?;
        check_against_naive(&level(&zombies.text))?;
        check_against_naive(&level(&both.text))?;
        check_against_naive(&level(&three.text))?;
        check_against_naive(&level(&joint.text))?;
        check_against_naive(&level(&format!("; goal: all\n{}", joint.text)))?;
    }
}

#[test]
fn every_player_of_a_lost_level_flees() {
    let game = level("-------\n|P  GP |\n-------\n");
    let policy = LevelPolicy::of(&Arc::new(game.clone()), &Limits::default()).unwrap();
    let mut at = game.start();
    let mut moves = Vec::new();
    for _ in 0..2 {
        let mv = policy.best(&at);
        assert_eq!(game.act(&mut at, mv, &mut ()), None);
        moves.push(mv.to_string());
    }
    // Only the second player is next to the ghost.
    assert_eq!(moves[1], "R", "{moves:?}");
}

/// Compares the expected turns; returns false if there was nothing to compare.
fn check_expected_turns(game: &Dungeon) -> bool {
    let Some(naive) = Naive::of(game) else {
        return false;
    };
    let found = solver(game)
        .analyse(&solve(game), &Limits::default())
        .expected_turns;
    let policy = LevelPolicy::of(&Arc::new(game.clone()), &Limits::default()).unwrap();
    let best: Vec<Move> = naive.states.iter().map(|at| policy.best(at)).collect();
    match (found, naive.turns(&best)) {
        (Some(Bounds { lower, upper }), Some(turns)) => {
            let slack = 1e-6 * turns;
            assert!(
                lower - slack <= turns && turns <= upper + slack,
                "{turns}, not {lower} to {upper}"
            );
            true
        }
        (Some(bounds), None) => panic!("{bounds:?} where none is known"),
        (None, Some(turns)) => panic!("{turns} was not found"),
        (None, None) => false,
    }
}

#[test]
#[cfg_attr(not(feature = "exhaustive"), ignore = "takes long")]
fn expected_turns_are_those_of_a_naive_sum_over_all_games() {
    let mut compared = 0;
    for text in random_boards::dungeons(41, 60) {
        compared += usize::from(check_expected_turns(&level(&text)));
    }
    assert!(compared > 25, "{compared}");
}

#[test]
fn a_walk_without_adversaries_takes_as_many_turns_as_steps() {
    let game = level("-------\n|P.K.E|\n-------\n");
    let Bounds { lower, upper } = solver(&game)
        .analyse(&solve(&game), &Limits::default())
        .expected_turns
        .unwrap();
    assert!(
        lower <= 4.0 && 4.0 <= upper && upper - lower <= 1e-5,
        "{lower} to {upper}"
    );
}

#[test]
fn a_cell_matters_if_it_changes_the_probability() {
    let mut told = 0;
    for text in random_boards::dungeons(42, sized(6, 40)) {
        let puzzle = from_text(&text);
        let board = getaway::Board::read(&puzzle).unwrap();
        let solution = board.solve(&Limits::default());
        if solution.verdict() == Verdict::Undecided {
            continue;
        }
        let (found, limit) =
            necessary_items(board.ruleset(), &puzzle, &solution, &Limits::default());
        assert_eq!(limit, None, "{text}");
        let (before, _, was_certain) = chance(&solution);
        for (row, line) in text.lines().enumerate() {
            for (col, glyph) in line.chars().enumerate() {
                if line.starts_with(';') || !"GZ|-X".contains(glyph) {
                    continue;
                }
                let mut rows: Vec<String> = text.lines().map(str::to_owned).collect();
                rows[row].replace_range(col..=col, " ");
                let is_reported = found.iter().find(|removal| {
                    (removal.line, removal.column) == (row as u64 + 1, col as u64 + 1)
                });
                let (after, _, certain) = chance(&solve(&level(&(rows.join("\n") + "\n"))));
                let differs = (after - before).abs() >= 0.01 || certain != was_certain;
                assert_eq!(
                    is_reported.is_some(),
                    differs,
                    "{before} {after} {row} {col}: {text}"
                );
                let bounds = is_reported.map(|removal| removal.without);
                if let Some(Without::Chance {
                    bounds: Bounds { lower, upper },
                    ..
                }) = bounds
                {
                    assert!(lower <= after + 1e-9 && after <= upper + 1e-9, "{text}");
                    told += 1;
                }
            }
        }
    }
    assert!(told > sized(2, 20), "{told}");
}

fn with_states(states: u64) -> Limits<'static> {
    Limits {
        max_states: Some(states),
        ..Limits::default()
    }
}

#[test]
fn a_limit_leaves_a_way_out_and_bounds() {
    let game = first_case();
    let whole = solve(&game);
    let all = whole.states;
    let solution = solver(&game).solve(Order::default(), &with_states(all / 2));
    assert_eq!(
        (solution.verdict(), solution.limit(), solution.states),
        (Verdict::Escape, Some(Limit::States), all / 2)
    );
    let (lower, upper, certain) = chance(&solution);
    assert!(0.0 < lower && lower <= chance(&whole).0, "{lower}");
    assert_eq!((upper, certain), (1.0, Decision::Undecided));
    assert_eq!(
        solver(&game).solve(Order::default(), &with_states(all + 1)),
        solve(&game)
    );
}

#[test]
fn a_time_that_is_over_leaves_a_level_undecided() {
    let late = Limits {
        deadline: Some(std::time::Instant::now()),
        ..Limits::default()
    };
    let solution = solver(&first_case()).solve(Order::default(), &late);
    assert_eq!(
        (solution.verdict(), solution.limit()),
        (Verdict::Undecided, Some(Limit::Time))
    );
    assert_eq!(chance(&solution), (0.0, 1.0, Decision::Undecided));
}

#[test]
fn a_way_out_is_as_likely_as_what_has_to_happen() {
    // Between the player's two moves, the zombie steps left or right, so any line of play has a probability of 1/2.
    let game = level("---------\n|P.E|.Z.|\n---------\n");
    let solution = solver(&game).solve(Order::default(), &with_states(0));
    let (lower, ..) = chance(&solution);
    assert!(0.5 - 1e-12 < lower && lower <= 0.5, "{lower}");
}

#[test]
fn full_size_levels_have_a_way_out_without_states() {
    let levels = each_case("real", |puzzle, answer| {
        let solution = solver(&read(puzzle)).solve(Order::default(), &with_states(0));
        assert_eq!(solution.verdict().name(), answer["verdict"], "{answer}");
        assert_eq!(solution.limit(), Some(Limit::States), "{answer}");
        let (lower, upper, certain) = chance(&solution);
        let max = answer["probability"].as_f64().unwrap_or(1.0);
        assert!(0.0 < lower && lower <= max, "{lower} {answer}");
        assert_eq!((upper, certain), (1.0, Decision::Undecided), "{answer}");
    });
    assert_eq!(levels, 7);
}

#[test]
fn nothing_but_a_limit_leaves_a_level_undecided() {
    let sealed = level("----------------\n|P.E|ZZZZZZZZZZ|\n|---|ZZZ-------|\n----------------\n");
    let solution = solve(&sealed);
    assert_eq!(
        (solution.verdict(), solution.limit(), chance(&solution)),
        (Verdict::Escape, None, (1.0, 1.0, Decision::Yes))
    );
    assert_eq!(
        solution.evidence.probability().map(f64::to_bits),
        Some(1.0_f64.to_bits())
    );
}

#[test]
fn crowds_are_decided_as_by_a_naive_solver() {
    // The positions need more than 64 bits, and some of the adversaries matter.
    for text in [
        "------------------\n|P..E.Z|ZZZZZZZZZ|\n|......|ZZZZZZ----|\n------------------\n",
        "; strategy: cooldown\n; radius: 2\n; cooldown: 1\n\
         --------------\n|P.E|ZZZZZZZZ|\n|.G.|ZZZZZZZZ|\n--------------\n",
    ] {
        let game = level(text);
        assert!(game.start().adversaries.len() > 12);
        check_against_naive(&game).unwrap();
    }
}

#[test]
fn an_unknown_probability_is_absent() {
    let game = first_case();
    let limits = Limits {
        max_states: Some(1),
        ..Limits::default()
    };
    let evidence = solver(&game).solve(Order::default(), &limits).evidence;
    assert_eq!(evidence.probability(), None);
    assert!(solve(&game).evidence.probability().is_some());
}

fn hall(side: usize, settings: &str, actors: &str) -> String {
    let bar = "-".repeat(side);
    let row = |first: &str, last: char| {
        let fill = ".".repeat(side - 3 - first.len());
        format!("|{first}{fill}{last}|\n")
    };
    let rows = row("", '.').repeat(side - 5);
    format!(
        "; drawing: compact\n{settings}{bar}\n{}{}{rows}{}{bar}\n",
        row("P", '.'),
        row(actors, '.'),
        row("", 'E')
    )
}

#[test]
fn large_levels_without_adversaries_are_a_walk() {
    for actors in ["", "K"] {
        let solution = solve(&level(&hall(sized(100, 300), "", actors)));
        assert_eq!(
            (solution.verdict(), chance(&solution)),
            (Verdict::Escape, (1.0, 1.0, Decision::Yes))
        );
    }
}

#[test]
fn memory_is_a_limit_like_others() {
    // The last positions need more than 64 bits.
    for actors in ["G", "G.G", "G.G.G", "GGGGGGGGGGGGGG"] {
        for settings in ["; radius: 0\n", "; radius: 0\n; strategy: cooldown\n"] {
            let game = level(&hall(24, settings, actors));
            let limits = Limits {
                max_memory: Some(sized(1 << 16, 1 << 20)),
                ..Limits::default()
            };
            let solution = solver(&game).solve(Order::default(), &limits);
            assert_eq!(solution.limit(), Some(Limit::Memory), "{actors}");
            let has_way_out = chance(&solution).0 > 0.0;
            assert_eq!(solution.verdict() == Verdict::Escape, has_way_out);
            assert_ne!(solution.verdict(), Verdict::Caught);
            assert_eq!(solution.evidence.probability(), None);
            let little = Limits {
                max_memory: Some(1 << 12),
                ..Limits::default()
            };
            let solution = solver(&game).solve(Order::default(), &little);
            assert_eq!(
                (solution.verdict(), solution.limit()),
                (Verdict::Undecided, Some(Limit::Memory)),
                "{actors}"
            );
            assert_eq!(
                LevelPolicy::of(&Arc::new(game.clone()), &limits).err(),
                Some(Limit::Memory)
            );
        }
    }
}

#[test]
fn any_amount_of_memory_ends_in_bounds_that_hold() {
    let text = "; radius: 2\n-------\n|P.D.E|\n|.G-..|\n|..|G.|\n-------\n";
    for text in [text.to_owned(), text.replace('D', "Z")] {
        let game = level(&text);
        let (lower, upper, _) = chance(&solve(&game));
        let mut decided = 0;
        for kilobytes in (0..12).map(|doubled| 4 << doubled) {
            let limits = Limits {
                max_memory: Some(kilobytes << 10),
                ..Limits::default()
            };
            let solution = solver(&game).solve(Order::default(), &limits);
            let (low, high, _) = chance(&solution);
            assert!(low <= upper && lower <= high, "{low} to {high}");
            assert_eq!(
                solution.limit().is_some(),
                solution.verdict() == Verdict::Undecided
            );
            assert!(solution.limit().is_none_or(|limit| limit == Limit::Memory));
            decided += usize::from(solution.limit().is_none());
        }
        assert!((1..12).contains(&decided), "{decided}");
    }
}

#[test]
fn only_levels_with_one_to_four_players_can_be_solved() {
    let none = level("-----\n|Z.E|\n-----\n");
    let five = level("-------\n|PPPPP|\n-------\n");
    assert!(solver(&none).solvable().unwrap_err().contains("no player"));
    assert!(solver(&five).solvable().unwrap_err().contains("not 5"));
    for unsolvable in [&none, &five] {
        let solution = solve(unsolvable);
        let told = (solution.verdict(), solution.limit());
        assert_eq!(told, (Verdict::Undecided, None));
    }
    for players in ["P..E", "PP.E", "PPPPE"] {
        let level = level(&format!("-------\n|{players:.<5}|\n-------\n"));
        assert_eq!(solver(&level).solvable(), Ok(()));
        assert_eq!(solve(&level).verdict(), Verdict::Escape);
    }
}

/// Solves a level, accepting bounds of any width.
fn at_first_sight(text: &str) -> Solution {
    let limits = Limits {
        width: Some(1.0),
        ..Limits::default()
    };
    solver(&level(text)).solve(Order::default(), &limits)
}

#[test]
fn an_unpreventable_escape_is_certain() {
    for text in [
        "--------\n|P....G|\n|E.....|\n|.....G|\n|......|\n|G...G.|\n--------\n",
        "; strategy: cooldown\n; radius: 3\n; speed: 3\n\
         --------\n|......|\n|......|\n|G..P..|\n|.Z.EG.|\n--------\n",
        "; strategy: cooldown\n; radius: 1\n; cooldown: 255\n\
         --------\n|ZZZZDZ|\n|--D-|D|\n|PEZGD.|\n--------\n",
        "; strategy: cooldown\n; radius: 0\n; speed: 4\n\
         -------\n|ZZZ..|\n|ZZ..P|\n|ZE...|\n-------\n",
    ] {
        let solution = at_first_sight(text);
        assert_eq!(solution.verdict(), Verdict::Escape, "{text}");
        assert_eq!(chance(&solution), (1.0, 1.0, Decision::Yes), "{text}");
    }
}

#[test]
fn an_escape_that_takes_luck_is_not_certain() {
    let levels = [
        "; strategy: cooldown\n-------\n|P...G|\n|D---D|\n|E..GG|\n|.K..G|\n-------\n",
        "; radius: 2\n-------\n|G....|\n|.K..Z|\n|..P..|\n|.E...|\n|.G.G.|\n-------\n",
        "; strategy: cooldown\n; radius: 1\n------\n|..G.|\n|..Z.|\n|..PE|\n|G.K.|\n------\n",
    ];
    for text in &levels[sized(2, 0)..] {
        let solution = at_first_sight(text);
        assert_eq!(solution.verdict(), Verdict::Escape, "{text}");
        let (lower, _, certain) = chance(&solution);
        // The lower bound counts all games in which the moves succeed, not only the line of play that the search found.
        assert!(lower > 1e-6, "{lower} {text}");
        assert_eq!(certain, Decision::No, "{text}");
    }
}

#[test]
fn behind_a_zombie_that_can_never_move_there_is_no_exit() {
    let rooms = "|........----\n|...G....|XXX\n|..G..G..|XXX\n|......G.|XXX\n|........|XXX\n";
    let text = format!("-------------\n|P.......DZE|\n{rooms}----------XXX\n");
    let more = "|........----\n|...G....|...|\n|..G.....|...|\n|........D.Z.|\n|........|...|\n";
    let others = format!("-------------\n|P.......DZE|\n{more}--------------\n");
    for text in [text, others] {
        let solution = solve(&level(&text));
        assert_eq!(solution.verdict(), Verdict::Caught, "{text}");
        assert_eq!(chance(&solution), (0.0, 0.0, Decision::No), "{text}");
    }
}

#[test]
fn a_level_without_an_exit_has_no_escape() {
    let solution = solve(&level("-----\n|P.K|\n-----\n"));
    assert_eq!(
        (solution.verdict(), chance(&solution)),
        (Verdict::Caught, (0.0, 0.0, Decision::No))
    );
}

#[derive(Default)]
struct Notes {
    kind: Option<LineKind>,
    plies: Vec<Ply>,
}

impl TraceSink for Notes {
    fn begin(&mut self, line: &LineKind, _rows: &dyn Fn() -> Vec<String>) -> std::io::Result<()> {
        self.kind = Some(line.clone());
        Ok(())
    }

    fn ply(&mut self, ply: &Ply) -> std::io::Result<()> {
        self.plies.push(ply.clone());
        Ok(())
    }
}

fn trace(game: &Dungeon, plan: &Plan) -> (Ending, Notes) {
    let mut notes = Notes::default();
    let ending = solver(game).trace(plan, &mut notes).unwrap();
    (ending, notes)
}

#[test]
fn the_best_strategy_is_played_by_a_seed() {
    let game = level(&boards()["24-doorway-is-a-refuge"]);
    for seed in 0..20 {
        let plan = Plan {
            seed,
            ..Plan::default()
        };
        let (ending, notes) = trace(&game, &plan);
        assert!(
            matches!(ending, Ending::Escaped { .. }),
            "seed {seed}: {ending:?}"
        );
        assert_eq!(notes.kind, Some(LineKind::Played { seed }));
        assert_eq!(
            trace(&game, &plan).1.plies,
            notes.plies,
            "the same seed, the same game"
        );
    }
}

#[test]
fn a_trace_shows_teleports() {
    let game = level("; radius: 0\n------\n|P..G|\n|...E|\n------\n");
    let plan = Plan {
        moves: Some("."),
        seed: 3,
        ..Plan::default()
    };
    let (ending, notes) = trace(&game, &plan);
    assert_eq!(ending, Ending::open(1));
    let [stay, haunting] = notes.plies.as_slice() else {
        panic!("{:?}", notes.plies)
    };
    assert_eq!(
        (stay.who, stay.mv.as_deref(), stay.events.len()),
        ("player", Some("."), 1)
    );
    assert_eq!(
        (haunting.who, haunting.mv.as_deref()),
        ("adversaries", None)
    );
    let ghost = haunting.events[0];
    assert_eq!(
        (ghost.actor, ghost.from, ghost.fate),
        ('G', (1, 4), Fate::Teleports)
    );
    let (row, col) = ghost.to;
    assert_eq!(haunting.rows[row as usize].as_bytes()[col as usize], b'G');
}

#[test]
fn moves_are_played_and_illegal_ones_refused() {
    let game = level("; speed: 2\n------\n|PK.E|\n------\n");
    let replay = |moves| {
        solver(&game)
            .replay(&Plan {
                moves: Some(moves),
                ..Plan::default()
            })
            .unwrap()
    };
    assert_eq!(replay("RR, R"), Ending::Escaped { turns: 2 });
    assert_eq!(replay("R ."), Ending::open(2));
    let Ending::Illegal {
        turn: 2,
        mv,
        reason,
        legal,
    } = replay("R U")
    else {
        panic!()
    };
    assert_eq!(
        (mv.as_str(), reason.as_str()),
        ("U", "a wall is in the way")
    );
    assert_eq!(legal, [".", "L", "R", "LR", "RL", "RR"]);
    let error = solver(&game)
        .replay(&Plan {
            moves: Some("R, RX"),
            ..Plan::default()
        })
        .unwrap_err();
    assert!(
        error.to_string().starts_with("`RX` is not a move: "),
        "{error}"
    );
}

#[test]
fn several_players_take_turns_and_one_escape_is_enough() {
    let game = level("------\n|P.PE|\n------\n");
    let replay = |moves| {
        solver(&game)
            .replay(&Plan {
                moves: Some(moves),
                ..Plan::default()
            })
            .unwrap()
    };
    assert_eq!(replay(".,."), Ending::open(1));
    assert_eq!(replay("R,R"), Ending::Escaped { turns: 1 });
    assert!(
        matches!(replay("R L"), Ending::Illegal { turn: 1, .. }),
        "the first is in the way"
    );
    let mixed = level("-------\n|ZP.PE|\n-------\n");
    let plan = Plan {
        moves: Some("L R"),
        ..Plan::default()
    };
    assert_eq!(
        solver(&mixed).replay(&plan).unwrap(),
        Ending::Escaped { turns: 1 }
    );
    let best = solver(&mixed).replay(&Plan::default()).unwrap();
    assert_eq!(best, Ending::Escaped { turns: 1 });
}

#[test]
fn a_level_without_players_is_watched() {
    let game = level("------\n|Z..E|\n------\n");
    let plan = Plan {
        turns: Some(7),
        ..Plan::default()
    };
    let (ending, notes) = trace(&game, &plan);
    assert_eq!(ending, Ending::open(7));
    assert_eq!(
        notes.plies.len(),
        14 - 7,
        "nothing is told of a player that is not there"
    );
}

#[test]
fn an_invalid_move_has_its_index_in_the_line() {
    for (speed, line, at, text) in [
        (2, "R U X", 4, "X"),
        (2, "X", 0, "X"),
        (2, "R,,  RU,Q", 8, "Q"),
        (2, "RR \u{e9} R", 3, "\u{e9}"),
        (2, "RR RRR", 3, "RRR"),
        (4, ".. R", 0, ".."),
        (1, "RU, \u{e9}X", 4, "\u{e9}"),
        (1, "R..Q", 3, "Q"),
    ] {
        let game = level(&format!("; speed: {speed}\n----\n|PE|\n----\n"));
        let error = game.parse_moves(line).unwrap_err();
        assert_eq!((error.at, &*error.text), (at, text), "{line}");
    }
}

#[test]
fn the_players_move_one_after_the_other() {
    let level = "; ruleset: dungeon\n-----\n|P.P|\n|..P|\n-----\n";
    let level = Dungeon::read(&from_text(level)).unwrap();
    let mut at = level.start();
    for mover in 0..3 {
        assert_eq!(level.mover(&at), mover);
        assert_eq!(level.act(&mut at, Move::STAY, &mut ()), None);
    }
    assert_eq!(level.mover(&at), 0, "the next turn begins with the first");
}
