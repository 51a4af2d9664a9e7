//! Compares `dungeon` with several players with a slow program that follows the rules alone: a second implementation, which
//! shares no code with the library.

use std::collections::HashMap;

use getaway::{Board, Limits};
use getaway_board::limits::Decision;
use getaway_board::rng::Rng;
use getaway_play::explanation::PlayerRole;
use getaway_play::solution::{Solution, Verdict};
use getaway_testing::sized;

use crate::boards::from_json;
use crate::dungeon::{chance, read, solve};

type Tile = usize;

/// An adversary: its tile, `G` or `Z`, and its cooldown.
type Other = (Tile, char, u8);

/// A position at the start of a turn; both lists are in reading order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Position {
    players: Vec<Tile>,
    has_key: bool,
    others: Vec<Other>,
    /// The tile of a player who leaves the key, and the exit if others can win, to the others.
    decoy: Option<Tile>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum End {
    Won,
    Lost,
    On(Position),
}

/// Players in the middle of a turn, by the order in which they act; `None` for those who have left the board.
#[derive(Clone)]
struct Party {
    cells: Vec<Option<Tile>>,
    key_on_board: bool,
    decoy: Option<usize>,
    is_won: bool,
    is_lost: bool,
}

struct Level {
    rows: usize,
    cols: usize,
    tiles: Vec<char>,
    rooms: Vec<Vec<Tile>>,
    key: Option<Tile>,
    exit: Option<Tile>,
    is_chase: bool,
    radius: usize,
    cooldown: u8,
    speed: usize,
    needs_all: bool,
}

impl Level {
    fn neighbours(&self, at: Tile) -> Vec<Option<Tile>> {
        let (row, col) = (at / self.cols, at % self.cols);
        vec![
            (row > 0).then(|| at - self.cols),
            (row + 1 < self.rows).then(|| at + self.cols),
            (col > 0).then(|| at - 1),
            (col + 1 < self.cols).then(|| at + 1),
        ]
    }

    fn distance(&self, one: Tile, other: Tile) -> usize {
        (one / self.cols).abs_diff(other / self.cols)
            + (one % self.cols).abs_diff(other % self.cols)
    }

    fn find_rooms(&mut self) {
        let mut seen = vec![false; self.tiles.len()];
        for first in 0..self.tiles.len() {
            if seen[first] || self.tiles[first] != '.' {
                continue;
            }
            let (mut region, mut is_room, mut at) = (vec![first], true, 0);
            seen[first] = true;
            while at < region.len() {
                for next in self.neighbours(region[at]) {
                    match next {
                        None => is_room = false,
                        Some(next) if self.tiles[next] == 'X' => is_room = false,
                        Some(next) if self.tiles[next] == '.' && !seen[next] => {
                            seen[next] = true;
                            region.push(next);
                        }
                        Some(_) => {}
                    }
                }
                at += 1;
            }
            if is_room {
                self.rooms.push(region);
            }
        }
    }

    fn room(&self, at: Tile) -> Option<usize> {
        self.rooms.iter().position(|room| room.contains(&at))
    }

    fn is_wall(&self, at: Tile) -> bool {
        "-|".contains(self.tiles[at])
    }

    fn teleports(&self, at: Tile) -> bool {
        self.is_wall(at) || self.tiles[at] == 'X'
    }

    /// Lists the parties after each possible move of player `number`.
    fn after_player(&self, party: &Party, others: &[Other], number: usize) -> Vec<Party> {
        let mut all = vec![party.clone()];
        let mut last = vec![party.clone()];
        for _ in 0..self.speed {
            let mut next = Vec::new();
            for party in last {
                let Some(from) = party.cells[number] else {
                    continue;
                };
                for to in self.neighbours(from).into_iter().flatten() {
                    if self.teleports(to) || party.cells.contains(&Some(to)) {
                        continue;
                    }
                    if party.decoy == Some(number) && self.is_for_others(&party, to) {
                        continue;
                    }
                    next.push(self.step(party.clone(), others, number, to));
                }
            }
            all.extend(next.iter().cloned());
            last = next;
        }
        all
    }

    fn is_for_others(&self, party: &Party, to: Tile) -> bool {
        let takes_key = party.key_on_board && self.key == Some(to);
        let is_open = !party.key_on_board || takes_key;
        takes_key || !self.needs_all && is_open && self.exit == Some(to)
    }

    fn step(&self, mut party: Party, others: &[Other], number: usize, to: Tile) -> Party {
        party.cells[number] = Some(to);
        if others.iter().any(|other| other.0 == to) {
            party.cells[number] = None;
            self.catch(&mut party);
            return party;
        }
        if self.key == Some(to) {
            party.key_on_board = false;
        }
        if self.exit == Some(to) && !party.key_on_board {
            party.cells[number] = None;
            party.is_won = !self.needs_all || party.cells.iter().all(Option::is_none);
        }
        party
    }

    /// Notes that a player was caught, who has left the board.
    fn catch(&self, party: &mut Party) {
        party.is_lost = self.needs_all || party.cells.iter().all(Option::is_none);
    }

    /// Lists the choices of the players in a turn, each with the weighted ends of the turn.
    fn turns(&self, at: &Position) -> Vec<Vec<(f64, End)>> {
        let mut parties = vec![Party {
            cells: at.players.iter().copied().map(Some).collect(),
            key_on_board: at.has_key,
            decoy: at
                .players
                .iter()
                .position(|&at_start| Some(at_start) == at.decoy),
            is_won: false,
            is_lost: false,
        }];
        for number in 0..at.players.len() {
            let mut next = Vec::new();
            for party in parties {
                if party.is_won || party.is_lost {
                    next.push(party);
                } else {
                    next.extend(self.after_player(&party, &at.others, number));
                }
            }
            parties = next;
        }
        parties
            .into_iter()
            .map(|party| self.chase(party, at))
            .collect()
    }

    fn chase(&self, party: Party, at: &Position) -> Vec<(f64, End)> {
        let mut draws = vec![(1.0, party, at.others.clone())];
        for number in 0..at.others.len() {
            let mut next = Vec::new();
            for (weight, party, others) in draws {
                if party.is_won || party.is_lost {
                    next.push((weight, party, others));
                    continue;
                }
                for (share, other) in self.draw(&party, &others, number) {
                    let (mut party, mut others) = (party.clone(), others.clone());
                    others[number] = other;
                    if let Some(caught) = party.cells.iter().position(|&cell| cell == Some(other.0))
                    {
                        party.cells[caught] = None;
                        self.catch(&mut party);
                    }
                    next.push((weight * share, party, others));
                }
            }
            draws = next;
        }
        let end = |(weight, party, mut others): (f64, Party, Vec<Other>)| {
            others.sort_unstable();
            let decoy = party.decoy.and_then(|number| party.cells[number]);
            let mut players: Vec<Tile> = party.cells.into_iter().flatten().collect();
            players.sort_unstable();
            let end = match (party.is_won, party.is_lost) {
                (true, _) => End::Won,
                (_, true) => End::Lost,
                _ => End::On(Position {
                    players,
                    has_key: party.key_on_board,
                    others,
                    decoy,
                }),
            };
            (weight, end)
        };
        draws.into_iter().map(end).collect()
    }

    /// Lists the moves of adversary `number`, with their probabilities.
    fn draw(&self, party: &Party, others: &[Other], number: usize) -> Vec<(f64, Other)> {
        let (from, kind, cooldown) = others[number];
        let players: Vec<Tile> = party.cells.iter().copied().flatten().collect();
        let is_object =
            |to: Tile| self.exit == Some(to) || party.key_on_board && self.key == Some(to);
        let open: Vec<Tile> = self
            .neighbours(from)
            .into_iter()
            .flatten()
            .filter(|&to| {
                let is_its_ground = match kind {
                    'Z' => self.room(from).is_some() && self.room(from) == self.room(to),
                    _ => self.is_chase || self.tiles[to] != 'X',
                };
                is_its_ground
                    && !others.iter().any(|other| other.0 == to)
                    && !(self.is_chase && is_object(to))
            })
            .collect();
        let prey: Vec<Tile> = match kind {
            'Z' => players
                .iter()
                .copied()
                .filter(|&player| self.room(from).is_some() && self.room(player) == self.room(from))
                .collect(),
            _ => players
                .iter()
                .copied()
                .filter(|&player| self.distance(player, from) <= self.radius)
                .collect(),
        };
        let (ways, cooldown) = if self.is_chase {
            (self.chase_ways(kind, from, &open, &prey), cooldown)
        } else {
            self.cooldown_ways(kind, cooldown, &open, &prey)
        };
        if ways.is_empty() {
            return vec![(1.0, (from, kind, cooldown))];
        }
        let share = 1.0 / ways.len() as f64;
        let mut all = Vec::new();
        for to in ways {
            if self.teleports(to) {
                let landings = self.landings(party, others, number);
                all.extend(
                    landings
                        .into_iter()
                        .map(|(part, to)| (share * part, (to, kind, cooldown))),
                );
            } else {
                all.push((share, (to, kind, cooldown)));
            }
        }
        all
    }

    fn min(ways: &[Tile], cost: impl Fn(Tile) -> usize) -> Vec<Tile> {
        let min = ways.iter().map(|&to| cost(to)).min();
        ways.iter()
            .copied()
            .filter(|&to| Some(cost(to)) == min)
            .collect()
    }

    fn to_any(&self, to: Tile, prey: &[Tile]) -> usize {
        prey.iter()
            .map(|&player| self.distance(to, player))
            .min()
            .unwrap_or(0)
    }

    fn chase_ways(&self, kind: char, from: Tile, open: &[Tile], prey: &[Tile]) -> Vec<Tile> {
        if prey.is_empty() {
            if kind == 'Z' {
                return open.to_vec();
            }
            let walls: Vec<Tile> = (0..self.tiles.len())
                .filter(|&at| self.teleports(at))
                .collect();
            return Self::min(open, |to| self.to_any(to, &walls));
        }
        let nearest = Self::min(prey, |player| self.distance(player, from));
        let is_closer = |to: Tile| {
            let mut nearest = nearest.iter();
            nearest.any(|&player| self.distance(to, player) < self.distance(from, player))
        };
        let closer: Vec<Tile> = open.iter().copied().filter(|&to| is_closer(to)).collect();
        let walks: Vec<Tile> = closer
            .iter()
            .copied()
            .filter(|&to| !self.teleports(to))
            .collect();
        if walks.is_empty() { closer } else { walks }
    }

    fn cooldown_ways(
        &self,
        kind: char,
        cooldown: u8,
        open: &[Tile],
        prey: &[Tile],
    ) -> (Vec<Tile>, u8) {
        if open.len() < 2 {
            return (open.to_vec(), cooldown);
        }
        if !prey.is_empty() {
            let ways = Self::min(open, |to| self.to_any(to, prey));
            return (ways, 0);
        }
        if kind == 'Z' {
            return (open.to_vec(), 0);
        }
        let (walls, floor): (Vec<Tile>, Vec<Tile>) = open.iter().partition(|&&to| self.is_wall(to));
        match (cooldown, walls.is_empty(), floor.is_empty()) {
            (0, false, _) => (walls, self.cooldown),
            (0, true, _) => (floor, 0),
            (_, _, true) => (walls, cooldown - 1),
            (_, _, false) => (floor, cooldown - 1),
        }
    }

    /// Lists the tiles on which a ghost appears, with their probabilities.
    fn landings(&self, party: &Party, others: &[Other], number: usize) -> Vec<(f64, Tile)> {
        let is_free = |at: Tile| {
            let mut rest = others
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != number);
            !party.cells.contains(&Some(at))
                && rest.all(|(_, other)| other.0 != at)
                && self.exit != Some(at)
                && !(party.key_on_board && self.key == Some(at))
        };
        let free = |room: &Vec<Tile>| room.iter().copied().filter(|&at| is_free(at)).collect();
        let rooms: Vec<Vec<Tile>> = self
            .rooms
            .iter()
            .map(free)
            .filter(|room: &Vec<Tile>| !room.is_empty())
            .collect();
        if rooms.is_empty() {
            return vec![(1.0, others[number].0)];
        }
        let room_share = 1.0 / rooms.len() as f64;
        let landing = |room: &Vec<Tile>| {
            let share = room_share / room.len() as f64;
            room.iter().map(move |&at| (share, at)).collect::<Vec<_>>()
        };
        rooms.iter().flat_map(landing).collect()
    }
}

/// The value of a game: whether it can be won, the probability, whether it is certain, and whether the iteration has converged.
#[derive(Debug)]
struct Worth {
    is_possible: bool,
    probability: f64,
    is_certain: bool,
    is_exact: bool,
}

#[derive(Clone, Copy)]
enum Next {
    Won,
    Lost,
    On(usize),
}

/// The choices in each position, each with its weighted results.
type Game = Vec<Vec<Vec<(f64, Next)>>>;

/// Lists all positions; `None` if there are more than `max`.
fn explore(level: &Level, start: Position, max: usize) -> Option<Game> {
    let mut numbers = HashMap::from([(start.clone(), 0)]);
    let mut positions = vec![start];
    let mut game = Game::new();
    while let Some(at) = positions.get(game.len()).cloned() {
        let mut choices = Vec::new();
        for turn in level.turns(&at) {
            let mut results = Vec::new();
            for (weight, end) in turn {
                let next = match end {
                    End::Won => Next::Won,
                    End::Lost => Next::Lost,
                    End::On(position) => {
                        Next::On(*numbers.entry(position.clone()).or_insert_with(|| {
                            positions.push(position);
                            positions.len() - 1
                        }))
                    }
                };
                results.push((weight, next));
            }
            choices.push(results);
        }
        game.push(choices);
        if positions.len() > max {
            return None;
        }
    }
    Some(game)
}

/// Returns whether the start is in the least set of positions with a choice that `joins` the set.
fn reaches(game: &Game, joins: impl Fn(&[(f64, Next)], &dyn Fn(&Next) -> bool) -> bool) -> bool {
    let mut set = vec![false; game.len()];
    loop {
        let mut is_done = true;
        for at in (0..game.len()).rev() {
            let holds = |next: &Next| match *next {
                Next::Won => true,
                Next::Lost => false,
                Next::On(next) => set[next],
            };
            if !set[at] && game[at].iter().any(|choice| joins(choice, &holds)) {
                set[at] = true;
                is_done = false;
            }
        }
        if is_done {
            return set[0];
        }
    }
}

fn worth(game: &Game) -> Worth {
    let mut values = vec![0.0_f64; game.len()];
    let mut change = 1.0;
    for _ in 0..20_000 {
        change = 0.0_f64;
        for at in (0..game.len()).rev() {
            let mean = |choice: &Vec<(f64, Next)>| {
                let value = |next: &Next| match *next {
                    Next::Won => 1.0,
                    Next::Lost => 0.0,
                    Next::On(next) => values[next],
                };
                choice
                    .iter()
                    .map(|(weight, next)| weight * value(next))
                    .sum::<f64>()
            };
            let best = game[at].iter().map(mean).fold(0.0, f64::max);
            change = change.max(best - values[at]);
            values[at] = best;
        }
        if change < 1e-13 {
            break;
        }
    }
    Worth {
        is_possible: reaches(game, |choice, holds| {
            choice.iter().any(|(_, next)| holds(next))
        }),
        probability: values[0],
        is_certain: reaches(game, |choice, holds| {
            choice.iter().all(|(_, next)| holds(next))
        }),
        is_exact: change < 1e-13,
    }
}

/// A random level, as JSON for the library and as this program reads it.
fn random_level(rng: &mut Rng) -> (String, Level, Position) {
    let mut below = |max: usize| (rng.uniform() * max as f64) as usize;
    let (rows, cols) = (2 + below(3), 3 + below(4));
    let has_frame = rows > 2 && cols > 3 && below(4) > 0;
    let mut tiles = Vec::new();
    for at in 0..rows * cols {
        let (row, col) = (at / cols, at % cols);
        let is_side = col == 0 || col + 1 == cols;
        let is_edge = row == 0 || row + 1 == rows || is_side;
        tiles.push(match below(16) {
            0 => 'D',
            _ if is_edge && has_frame && is_side => '|',
            _ if is_edge && has_frame => '-',
            1 if !has_frame => 'X',
            2 => '-',
            3 => '|',
            _ => '.',
        });
    }
    let mut floor: Vec<Tile> = (0..tiles.len()).filter(|&at| tiles[at] == '.').collect();
    let casts = [
        "PPG", "PPZ", "PPGZ", "PPGG", "PPZZ", "PP", "PPPZ", "PPPG", "PPKG", "PPKZ", "PPKGZ",
        "PPKGG",
    ];
    let cast = casts[below(casts.len())];
    let mut things = Vec::new();
    for glyph in cast.chars().chain(['E']) {
        if !floor.is_empty() {
            things.push((glyph, floor.swap_remove(below(floor.len()))));
        }
    }
    let tiles_of = |wanted: char| -> Vec<Tile> {
        let of_kind = things.iter().filter(|thing| thing.0 == wanted);
        let mut tiles: Vec<Tile> = of_kind.map(|thing| thing.1).collect();
        tiles.sort_unstable();
        tiles
    };
    let mut level = Level {
        rows,
        cols,
        rooms: Vec::new(),
        key: tiles_of('K').first().copied(),
        exit: tiles_of('E').first().copied(),
        is_chase: below(2) == 0,
        radius: [10, 3, 2, 1][below(4)],
        cooldown: below(4) as u8,
        speed: [1, 1, 1, 2][below(4)],
        needs_all: below(2) == 0,
        tiles,
    };
    level.find_rooms();
    let mut others: Vec<Other> = things
        .iter()
        .filter(|thing| "GZ".contains(thing.0))
        .map(|&(kind, at)| (at, kind, 0))
        .collect();
    others.sort_unstable();
    let start = Position {
        players: tiles_of('P'),
        has_key: level.key.is_some(),
        others,
        decoy: None,
    };
    let drawn: Vec<String> = level
        .tiles
        .chunks(cols)
        .map(|row| row.iter().collect())
        .collect();
    let placed: Vec<serde_json::Value> = things
        .iter()
        .map(|&(glyph, at)| serde_json::json!({"glyph": glyph, "at": [at / cols, at % cols]}))
        .collect();
    let text = serde_json::json!({
        "ruleset": "dungeon",
        "drawing": "compact",
        "rows": drawn,
        "things": placed,
        "strategy": if level.is_chase { "chase" } else { "cooldown" },
        "radius": level.radius,
        "cooldown": level.cooldown,
        "speed": level.speed,
        "goal": if level.needs_all { "all" } else { "any" },
    });
    (text.to_string(), level, start)
}

/// Compares the solution of a level with that of the slow program; returns whether it depends on chance.
fn check(text: &str, solution: &Solution, game: &Game) -> bool {
    let worth = worth(game);
    let (lower, upper, certain) = chance(solution);
    assert_eq!(solution.limit(), None, "{text}");
    assert!(upper - lower <= 1e-6, "{lower} to {upper}: {text}");
    let is_right = if worth.is_exact {
        (lower - worth.probability).abs() <= 1e-6
    } else {
        worth.probability <= upper + 1e-9
    };
    assert!(is_right, "{lower} to {upper}, not {worth:?}: {text}");
    let is_possible = solution.verdict() == Verdict::Escape;
    assert_eq!(is_possible, worth.is_possible, "{text}");
    assert_eq!(certain, Decision::from(worth.is_certain), "{text}");
    0.0 < worth.probability && worth.probability < 1.0
}

#[test]
fn joint_play_is_as_good_as_a_slow_program_finds() {
    let rng = &mut Rng::new(51);
    let max = sized(2_000, 40_000);
    let (mut compared, mut by_chance) = (0, 0);
    while compared < sized(40, 2_000) {
        let (text, level, start) = random_level(rng);
        if start.players.len() < 2 {
            continue;
        }
        let solution = solve(&read(&from_json(&text)));
        let (_, upper, _) = chance(&solution);
        // Most levels are won or lost for certain; a part of them is enough.
        if !(1e-9..1.0 - 1e-9).contains(&upper) && rng.uniform() > 0.03 {
            continue;
        }
        if let Some(game) = explore(&level, start, max) {
            compared += 1;
            by_chance += usize::from(check(&text, &solution, &game));
        }
    }
    assert!(
        3 * by_chance > compared,
        "only {by_chance} of {compared} depend on chance"
    );
}

#[test]
fn a_decoy_is_worth_what_a_slow_program_finds() {
    let rng = &mut Rng::new(52);
    let limits = Limits::default();
    let mut roles = [0; 3];
    while roles.iter().min() < Some(&sized(1, 40)) {
        let (text, level, start) = random_level(rng);
        if start.players.len() < 2 {
            continue;
        }
        let board = Board::read(&from_json(&text)).unwrap();
        let solution = board.solve(&limits);
        let (lower, ..) = chance(&solution);
        for without in board.game().explain(&solution, &limits).without {
            let Some(decoy) = without.decoy else { continue };
            let (row, col) = without.player;
            let start = Position {
                decoy: Some(row as usize * level.cols + col as usize),
                ..start.clone()
            };
            let Some(game) = explore(&level, start, 2_000) else {
                continue;
            };
            let worth = worth(&game);
            if worth.is_exact {
                assert!(
                    (decoy.lower - worth.probability).abs() <= 1e-6,
                    "{decoy:?}, not {worth:?}: {text}"
                );
                let is_enough = worth.probability >= lower - 1e-6;
                assert_eq!(without.role == Some(PlayerRole::Decoy), is_enough, "{text}");
                roles[without.role.unwrap() as usize] += 1;
            }
        }
    }
}

/// The ghost's cooldown doesn't matter at the start of a turn, since both players are near. It must not matter once one of them
/// has stepped away.
#[test]
fn a_line_is_found_in_which_a_player_steps_away_from_a_ghost() {
    let text = r#"{"ruleset": "dungeon", "drawing": "compact", "strategy": "cooldown", "radius": 2, "cooldown": 3,
        "rows": ["|----|", "|....D", "D....|", "|----|"],
        "things": [{"glyph": "P", "at": [1, 4]}, {"glyph": "P", "at": [2, 1]}, {"glyph": "G", "at": [2, 2]},
            {"glyph": "Z", "at": [1, 1]}, {"glyph": "E", "at": [1, 2]}]}"#;
    let solution = solve(&read(&from_json(&text.replace('\n', " "))));
    assert_eq!(solution.verdict(), Verdict::Escape);
}
