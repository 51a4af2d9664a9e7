//! Boards of `baddies` with open (undecided) cells. Before the search plays a move, it must know every cell that decides where an
//! actor lands.

use super::explore::{Cells, Context, MoveEffect, Numbered, PartialBoard, Pass};
use super::totals::Answer;
use getaway_board::grid::{Cell, Grid};
use getaway_rules::baddies::{Baddie, Baddies, Key, State, Terrain};
use getaway_ruleset::{Deterministic, Outcome, Ruleset};

const WALL: u8 = 1;

#[derive(Debug)]
pub struct PartialBaddies {
    board: Baddies,
    positions: Numbered<State>,
}

impl PartialBoard for PartialBaddies {
    fn new(grid: Grid, actors: &[(char, Cell)]) -> Self {
        let mut board = Baddies::empty(grid);
        let start = &mut board.start;
        for &(glyph, cell) in actors {
            match glyph {
                'H' => start.hero = cell,
                '*' => board.terrain[cell.index()] = Terrain::Ladder,
                _ => start.baddies.extend(Baddie::drawn(glyph, cell)),
            }
        }
        board.start.baddies.sort_unstable();
        let mut positions = Numbered::new();
        positions.number(&board.start);
        Self { board, positions }
    }

    fn first(&self) -> Result<u32, Answer> {
        Ok(0)
    }

    /// Returns the bytes of the positions, which are in the list and in the map.
    fn bytes(&self) -> u64 {
        let each = 2 * self.board.state_bytes() + size_of::<u32>() + 1;
        (self.positions.capacity() * each) as u64
    }

    fn moves(&self, _at: u32, _pass: Pass) -> usize {
        Key::ALL.len()
    }

    fn play(&mut self, at: u32, mv: usize, known: Context) -> Result<MoveEffect, u8> {
        let (state, key) = (&self.positions.all[at as usize], Key::ALL[mv]);
        if known.pass == Pass::Exit {
            // If the first aim is a ladder, the hero lands there, whatever the open cells contain. The second pass finds other
            // escapes.
            let [aim, _] = self.board.aims(state.hero, key.offset());
            let is_out = self.board.terrain(aim) == Terrain::Ladder;
            return Ok(if is_out {
                MoveEffect::Escapes
            } else {
                MoveEffect::Nothing
            });
        }
        self.require_cells(state, key, known.cells)?;
        let mut next = state.clone();
        Ok(match self.board.play(&mut next, key) {
            Some(Outcome::Escaped) => MoveEffect::Escapes,
            Some(Outcome::Caught(_)) => MoveEffect::Nothing,
            None => MoveEffect::GoesOn(self.positions.number(&next)),
        })
    }

    fn decide(&mut self, cell: u8, content: u8) {
        self.board.terrain[usize::from(cell)] = match content {
            0 => Terrain::Floor,
            WALL => Terrain::Wall,
            _ => Terrain::Abyss,
        };
    }
}

impl PartialBaddies {
    /// Looks up all cells that decide where an actor lands, or only where the hero lands if that ends the game. Fails with the
    /// first open one.
    fn require_cells(&self, state: &State, key: Key, cells: &Cells) -> Result<(), u8> {
        let board = &self.board;
        landing(board.aims(state.hero, key.offset()), cells, |_| false)?;
        let hero = board.hero_lands(state.hero, key);
        let is_over = matches!(board.terrain(hero), Terrain::Ladder | Terrain::Abyss)
            || state.baddies.iter().any(|baddie| baddie.cell == hero);
        if is_over {
            return Ok(());
        }
        state.baddies.iter().try_for_each(|&baddie| {
            let aims = board.aims(baddie.cell, board.baddie_offset(baddie, hero));
            landing(aims, cells, |cell| board.terrain(cell) == Terrain::Ladder)
        })
    }
}

fn landing(aims: [Cell; 2], cells: &Cells, blocks: impl Fn(Cell) -> bool) -> Result<(), u8> {
    for aim in aims {
        let is_wall = cells.get(aim.index() as u8)? == WALL;
        if !is_wall && !blocks(aim) {
            break;
        }
    }
    Ok(())
}
