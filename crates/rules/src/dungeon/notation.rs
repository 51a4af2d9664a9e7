use super::{Dungeon, Move, State, drawing, things};
use getaway_board::fault::BoardError;
use getaway_board::grid::{Cell, Grid};
use getaway_board::puzzle::Puzzle;
use getaway_ruleset::controlled::Controlled;
use getaway_ruleset::{Legend, LineError, Meaning, Notation, Playable};

impl Notation for Dungeon {
    const NAME: &'static str = "dungeon";
    const SUMMARY: &'static str =
        "a player, ghosts and zombies that move by chance: reach the exit";
    const RULES: &'static str = concat!(
        include_str!("../dungeon.md"),
        include_str!("chase.md"),
        include_str!("cooldown.md")
    );
    const LEGEND: Legend = Legend::new(&[
        ("-|", Meaning::Wall, "wall"),
        (" .", Meaning::Floor, "floor"),
        ("D", Meaning::Floor, "door"),
        ("Xx", Meaning::Wall, "void"),
        ("K", Meaning::Goal, "key"),
        ("E", Meaning::Goal, "exit"),
        ("P", Meaning::Runner, "player"),
        ("G", Meaning::Chaser, "ghost"),
        ("Z", Meaning::Chaser, "zombie"),
    ]);
    const SETTINGS: &'static [&'static str] = &[
        "strategy",
        "radius",
        "cooldown",
        "speed",
        "goal",
        "drawing",
        things::KEY,
    ];

    fn cell(puzzle: &Puzzle, row: u32, col: u32) -> Option<(u32, u32)> {
        Some(drawing::tile_of(puzzle, row, col))
    }

    fn read(puzzle: &Puzzle) -> Result<Self, BoardError> {
        drawing::read(puzzle)
    }
}

impl Playable for Dungeon {
    const CHASERS: &'static str = "adversaries";
    const STAY: Option<Move> = Some(Move::STAY);

    fn ground(&self, cell: Cell) -> char {
        if self.level.exit == Some(cell) {
            'E'
        } else {
            self.level.tile(cell).glyph()
        }
    }

    /// Draws the key first, so that actors hide it.
    fn draw_over(&self, at: &State, put: &mut impl FnMut(Cell, char)) {
        if let Some(key) = at.key {
            put(key, 'K');
        }
        for &player in &at.players {
            put(player, 'P');
        }
        for other in &at.adversaries {
            put(other.cell, other.kind.glyph());
        }
    }

    /// Reports cooldowns and, on a level with several players, the order of those who have yet to move in this turn, from 1.
    fn hidden(&self, at: &State, put: &mut impl FnMut(Cell, u8)) {
        if self.players.len() > 1 {
            let movers = at.players.iter().skip(self.mover(at));
            movers
                .zip(1..)
                .for_each(|(&cell, number)| put(cell, number));
        }
        for other in &at.adversaries {
            put(other.cell, other.kind.cooldown());
        }
    }

    /// Returns the sum of all players' distances to the key until it is taken, then to the exit.
    fn distance(&self, at: &State) -> u32 {
        let goal = at.key.or(self.level.exit);
        let far = |&player: &Cell| goal.map_or(0, |goal| self.level.grid.distance(player, goal));
        at.players.iter().map(far).sum()
    }

    fn grid(&self) -> Grid {
        self.level.grid
    }

    fn actors(&self, at: &State) -> Vec<(char, Cell)> {
        let players = at.players.iter().map(|&cell| ('P', cell));
        let adversaries = at
            .adversaries
            .iter()
            .map(|other| (other.kind.glyph(), other.cell));
        players.chain(adversaries).collect()
    }

    fn mover(&self, at: &State) -> usize {
        at.mover().unwrap_or_default()
    }

    fn controlled(&self) -> Option<&dyn Controlled<State>> {
        Some(self)
    }

    const SEPARATOR: &'static str = " ";

    /// At speed 1, every letter or `.` is a move; at a higher speed, spaces and commas separate moves. Commas join the players'
    /// moves in one turn.
    fn parse_moves(&self, line: &str) -> Result<Vec<Move>, LineError> {
        let (speed, players) = (usize::from(self.settings.speed), self.players.len());
        let separates = |c: char| c.is_whitespace() || c == ',';
        let (mut at, mut moves) = (0, Vec::new());
        let (mut in_group, mut is_joined) = (0, false);
        for part in line.split_inclusive(|c| speed == 1 || separates(c)) {
            let text = part.trim_end_matches(separates);
            if !text.is_empty() {
                let mv = text.parse().ok().filter(|mv: &Move| mv.len() <= speed);
                moves.push(mv.ok_or_else(|| LineError::new(at, text, &expected(speed)))?);
                in_group = if is_joined { in_group + 1 } else { 1 };
                if players > 1 && in_group > players {
                    return Err(LineError::new(at, text, &too_many(players)));
                }
                is_joined = false;
            }
            is_joined |= part.ends_with(',');
            is_joined &= !part.ends_with(char::is_whitespace);
            at += part.chars().count();
        }
        Ok(moves)
    }
}

fn too_many(players: usize) -> String {
    format!("a turn has one move for each of the {players} players: separate turns with spaces")
}

fn expected(speed: usize) -> String {
    const STEPS: &str = "of `U`, `D`, `L`, `R`";
    match speed {
        1 => format!("a move is `.` or one {STEPS}"),
        _ => format!("a move is `.` or up to {speed} {STEPS}; separate moves with spaces"),
    }
}
