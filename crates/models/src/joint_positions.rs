//! Positions of several players, packed into numbers, since there may be too many of them for a table.
//!
//! A position holds the players on the board in the order in which they act: those who have moved in this turn, who are
//! interchangeable and so in reading order, then the others in reading order. Each of them is a position of [`PlayerPositions`].
//! The key has been taken in all of these, or in none.

use std::sync::Arc;

use super::player_positions::{PathEnd, PlayerPosition, PlayerPositions};
use super::restricted::BarredSteps;
use getaway_board::grid::{Cell, Dir};
use getaway_board::limits::{Budget, Limit};
use getaway_rules::dungeon::{Dungeon, Goal, Move, State};

/// The maximum number of players in a level that can be solved.
pub const MAX_PLAYERS: usize = 4;

/// The cells of the players on the board, in the order in which they act, and the key's cell until a player takes the key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Players {
    pub(super) key: Option<Cell>,
    cells: [Cell; MAX_PLAYERS],
    count: u8,
    /// The number of players, at the end of the list, who have yet to move in this turn; 0 between turns.
    waiting: u8,
}

impl Players {
    pub(super) const fn one(PlayerPosition { key, cell }: PlayerPosition) -> Self {
        Self {
            key,
            cells: [cell; MAX_PLAYERS],
            count: 1,
            waiting: 0,
        }
    }

    /// Returns the players of a state; `None` if there are none or too many.
    pub(super) fn of(at: &State) -> Option<Self> {
        let cells = &at.players;
        let mut players = Self::one(PlayerPosition {
            key: at.key,
            cell: *cells.first()?,
        });
        players.cells.get_mut(..cells.len())?.copy_from_slice(cells);
        players.count = cells.len() as u8;
        players.waiting = at.waiting as u8;
        players.sort();
        Some(players)
    }

    pub(super) fn cells(&self) -> &[Cell] {
        &self.cells[..self.count.into()]
    }

    /// Returns the number of the player who acts next.
    pub(super) fn mover(&self) -> usize {
        let moved = self.count - self.waiting;
        if moved == self.count { 0 } else { moved.into() }
    }

    /// Returns whether this player has already moved in the current turn; false between turns.
    pub(super) fn has_moved(&self, number: usize) -> bool {
        self.waiting > 0 && number < self.mover()
    }

    /// Ends the next player's move on `cell`, or off the board.
    fn end_move(&mut self, cell: Option<Cell>) {
        let mover = self.mover();
        self.waiting = self.count - mover as u8 - 1;
        match cell {
            Some(cell) => self.cells[mover] = cell,
            None => self.remove(mover),
        }
        self.sort();
    }

    fn remove(&mut self, number: usize) {
        self.cells.copy_within(number + 1.., number);
        self.count -= 1;
    }

    fn sort(&mut self) {
        let moved = self.count - self.waiting;
        self.cells[..moved.into()].sort_unstable();
    }
}

/// The end of a player's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MoveEnd {
    Out,
    /// The player walks into an adversary. The key may have been taken on the way.
    Caught {
        key: Option<Cell>,
    },
    Position(u32),
}

/// A move of the next player.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointPath {
    pub(super) mv: Move,
    pub(super) goal: JointGoal,
}

/// The result of a move of the next player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointGoal {
    Won,
    /// Another player moves next.
    NextPlayer(u32),
    /// All players have moved.
    TurnOver(u32),
}

/// A way in which all players may move in a turn.
#[derive(Clone, Debug, Default)]
pub(super) struct JointLine {
    /// The position at which the draws begin; `None` if the line wins.
    pub(super) end: Option<u32>,
    /// The cells that must be free of adversaries.
    pub(super) free: Vec<Cell>,
    /// The cell on which a mobile adversary must stand, since a player walks into that adversary; `None` if no player walks into
    /// one.
    pub(super) meets: Option<Cell>,
}

/// Packs the positions of several players into numbers.
#[derive(Debug)]
pub(super) struct JointPositions {
    singles: Arc<PlayerPositions>,
    /// The number of each single position among those with the key taken, and among those with the key on the board, by cell.
    numbers: [Vec<u32>; 2],
    /// The number of single positions with the key taken, which come first.
    key_taken_count: u32,
    goal: Goal,
    /// The number of players at the start.
    count: u32,
    /// The number of single positions with the key taken, or with the key on the board if there are more of these, plus 1.
    base: u32,
    len: u32,
    /// The players at each position; empty if there are more positions than [`MAX_TABLE`].
    table: Vec<Players>,
}

const NONE: u32 = u32::MAX;

/// The maximum number of positions in a table.
const MAX_TABLE: u32 = 1 << 18;

impl JointPositions {
    /// Prepares to number the positions. Fails at a limit, and with [`Limit::Memory`] if there are too many for 32 bits.
    pub(super) fn new(
        dungeon: &Dungeon,
        singles: &Arc<PlayerPositions>,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let size = dungeon.level.grid.size();
        let mut numbers = [budget.filled(NONE, size)?, budget.filled(NONE, size)?];
        let mut most = [0; 2];
        for number in 0..singles.len() {
            let PlayerPosition { key, cell } = singles.get(number);
            let most = &mut most[usize::from(key.is_some())];
            numbers[usize::from(key.is_some())][cell.index()] = *most;
            *most += 1;
        }
        let base = most[0].max(most[1]) + 1;
        let count = dungeon.players.len() as u32;
        let len = base.checked_pow(count);
        let len = len.and_then(|all| all.checked_mul(2 * count));
        let mut positions = Self {
            singles: Arc::clone(singles),
            numbers,
            key_taken_count: most[0],
            goal: dungeon.settings.goal,
            count,
            base,
            len: len.ok_or(Limit::Memory)?,
            table: Vec::new(),
        };
        if positions.len <= MAX_TABLE {
            let mut table = budget.with_capacity(positions.len as usize)?;
            table.extend((0..positions.len).map(|number| positions.unpack(number)));
            positions.table = table;
        }
        Ok(positions)
    }

    pub(super) const fn len(&self) -> u32 {
        self.len
    }

    pub(super) const fn is_between_turns(&self, number: u32) -> bool {
        number.is_multiple_of(self.count)
    }

    /// Returns the players' number; `None` if one of them can't be where it is.
    pub(super) fn number(&self, players: &Players) -> Option<u32> {
        let numbers = &self.numbers[usize::from(players.key.is_some())];
        let mut number = u32::from(players.key.is_some());
        for at in 0..self.count as usize {
            let single = match players.cells().get(at) {
                Some(cell) => Some(numbers[cell.index()]).filter(|&number| number != NONE)? + 1,
                None => 0,
            };
            number = number * self.base + single;
        }
        Some(number * self.count + u32::from(players.waiting))
    }

    pub(super) fn get(&self, number: u32) -> Players {
        let known = self.table.get(number as usize).copied();
        known.unwrap_or_else(|| self.unpack(number))
    }

    /// Returns the players at a position. The result means nothing if the number stands for no position.
    fn unpack(&self, number: u32) -> Players {
        let mut rest = number / self.count;
        let mut singles = [0; MAX_PLAYERS];
        for single in singles[..self.count as usize].iter_mut().rev() {
            (rest, *single) = (rest / self.base, rest % self.base);
        }
        let first = if rest == 0 { 0 } else { self.key_taken_count };
        let last = self.singles.len() - 1;
        let position = |single: u32| {
            let number = (first + single).saturating_sub(1);
            self.singles.get(number.min(last))
        };
        let on_board = singles.iter().take_while(|&&single| single != 0);
        let mut players = Players::one(position(singles[0]));
        for (cell, &single) in players.cells.iter_mut().zip(on_board.clone()) {
            *cell = position(single).cell;
        }
        players.count = on_board.count() as u8;
        players.waiting = (number % self.count) as u8;
        players
    }

    fn single(&self, players: &Players, cell: Cell) -> u32 {
        match players.key {
            None => self.numbers[0][cell.index()],
            Some(_) => self.key_taken_count + self.numbers[1][cell.index()],
        }
    }

    pub(super) fn singles_of(&self, players: &Players) -> impl Iterator<Item = u32> {
        let cells = players.cells().iter();
        cells.map(|&cell| self.single(players, cell))
    }

    /// Returns whether the game is lost once another player is caught.
    fn loses_with_next_catch(&self, players: &Players) -> bool {
        self.goal == Goal::All || players.count == 1
    }

    /// Returns the position after the player on `cell` is caught; `None` if that loses the game or nobody is there.
    pub(super) fn caught(&self, mut players: Players, cell: Cell) -> Option<u32> {
        let number = players.cells().iter().position(|&other| other == cell)?;
        if self.loses_with_next_catch(&players) {
            return None;
        }
        players.remove(number);
        self.number(&players)
    }

    /// Lists the moves of the next player that end differently, shorter ones first, and leaves out those that lose or take a
    /// `barred` step. If one of them wins, lists only that one.
    pub(super) fn paths(
        &self,
        players: &Players,
        barred: BarredSteps,
        has_adversary: impl Fn(Cell) -> bool,
    ) -> Vec<JointPath> {
        let first = self.single(players, players.cells[players.mover()]);
        let mut ends = vec![(Move::STAY, MoveEnd::Position(first))];
        let mut next = 0;
        while let Some(&(mv, end)) = ends.get(next) {
            next += 1;
            let MoveEnd::Position(from) = end else {
                continue;
            };
            for (dir, goal) in Dir::ALL.into_iter().zip(self.singles.steps_from(from)) {
                let goal = goal.filter(|goal| !self.is_barred(from, *goal, barred));
                let (Some(goal), Some(mv)) = (goal, self.singles.longer(mv, dir)) else {
                    continue;
                };
                let end = self.end(players, from, goal, &has_adversary);
                if end == Some(MoveEnd::Out) && self.wins_by_leaving(players) {
                    let goal = JointGoal::Won;
                    return vec![JointPath { mv, goal }];
                }
                ends.extend(
                    end.filter(|end| ends.iter().all(|(_, known)| known != end))
                        .map(|end| (mv, end)),
                );
            }
        }
        let path = |(mv, end)| JointPath {
            mv,
            goal: self.after(*players, end),
        };
        ends.into_iter().map(path).collect()
    }

    /// Adds the lines of the rest of a turn, in which at most two players move, at most a step each.
    pub(super) fn add_lines(
        &self,
        players: &Players,
        line: &JointLine,
        is_immobile: &impl Fn(Cell) -> bool,
        lines: &mut Vec<JointLine>,
    ) {
        let from = self.single(players, players.cells[players.mover()]);
        let mut add = |end, line: JointLine| match self.after(*players, end) {
            JointGoal::NextPlayer(number) => {
                self.add_lines(&self.get(number), &line, is_immobile, lines);
            }
            JointGoal::TurnOver(number) => lines.push(JointLine {
                end: Some(number),
                ..line
            }),
            JointGoal::Won => lines.push(line),
        };
        add(MoveEnd::Position(from), line.clone());
        for goal in self.singles.steps_from(from).into_iter().flatten() {
            let cell = match goal {
                PathEnd::Out => self.singles.exit().expect("a step leads out"),
                PathEnd::Position(to) => self.singles.get(to).cell,
            };
            let is_shut = is_immobile(cell);
            if let Some(caught) = self.end(players, from, goal, |_| true) {
                let meets = (!is_shut).then_some(cell);
                add(
                    caught,
                    JointLine {
                        meets,
                        ..line.clone()
                    },
                );
            }
            if let Some(end) = self.end(players, from, goal, |_| false)
                && !is_shut
                // An adversary that another player walks into stays there.
                && line.meets != Some(cell)
            {
                let mut line = line.clone();
                line.free.push(cell);
                add(end, line);
            }
        }
    }

    fn is_barred(&self, from: u32, goal: PathEnd, barred: BarredSteps) -> bool {
        let has_key = |number| self.singles.get(number).key.is_some();
        match goal {
            PathEnd::Out => barred.exit || barred.key && has_key(from),
            PathEnd::Position(to) => barred.key && has_key(from) && !has_key(to),
        }
    }

    fn wins_by_leaving(&self, players: &Players) -> bool {
        self.goal == Goal::Any || players.count == 1
    }

    /// Returns the end of a move after a step of the next player; `None` if the step is illegal or loses.
    fn end(
        &self,
        players: &Players,
        from: u32,
        goal: PathEnd,
        has_adversary: impl Fn(Cell) -> bool,
    ) -> Option<MoveEnd> {
        let cell = match goal {
            PathEnd::Out => self.singles.exit()?,
            PathEnd::Position(to) => self.singles.get(to).cell,
        };
        let mut others = (0..).zip(players.cells());
        if others.any(|(number, &other)| number != players.mover() && other == cell) {
            return None;
        }
        if has_adversary(cell) {
            let key = self.singles.get(from).key;
            return (!self.loses_with_next_catch(players)).then_some(MoveEnd::Caught { key });
        }
        Some(match goal {
            PathEnd::Out => MoveEnd::Out,
            PathEnd::Position(to) => MoveEnd::Position(to),
        })
    }

    fn after(&self, mut players: Players, end: MoveEnd) -> JointGoal {
        let (key, cell) = match end {
            MoveEnd::Out if self.wins_by_leaving(&players) => return JointGoal::Won,
            MoveEnd::Out => (None, None),
            MoveEnd::Caught { key } => (key, None),
            MoveEnd::Position(to) => {
                let PlayerPosition { key, cell } = self.singles.get(to);
                (key, Some(cell))
            }
        };
        players.key = key;
        players.end_move(cell);
        let number = self.number(&players);
        let number = number.expect("the players can be wherever one of them can");
        if players.waiting == 0 {
            JointGoal::TurnOver(number)
        } else {
            JointGoal::NextPlayer(number)
        }
    }

    /// Estimates the number of steps to a win with no adversary in the way.
    pub(super) fn distance(&self, players: &Players) -> u32 {
        let singles = self.singles_of(players);
        let distances = singles.map(|single| self.singles.distance(single));
        match self.goal {
            Goal::Any => distances.min().unwrap_or_default(),
            Goal::All => distances.sum(),
        }
    }
}
