//! Moves with all nine keys in the rulebook's order, as certificates require; the search skips useless keys.

use super::{CompiledBoard, Floor, Position, Word};
use crate::engine::Model;
use crate::engine::packed::{Pack, Packed};
use crate::engine::positions::Positions;
use crate::grid::Cell;
use crate::limits::{Limit, Limits};
use crate::rules::baddies::{Baddies, Key};
use crate::ruleset::{Cause, Outcome};

pub fn explore(
    board: &Baddies,
    compiled: &CompiledBoard,
    limits: &Limits,
) -> Result<Positions, (Limit, u64)> {
    let limits = limits
        .without(compiled.bytes())
        .map_err(|limit| (limit, 0))?;
    let model = AllKeys { board, compiled };
    if compiled.is_small() {
        Positions::explore(&model, Packed::<u16>::default(), &limits)
    } else {
        Positions::explore(&model, Packed::<u32>::default(), &limits)
    }
}

struct AllKeys<'b> {
    board: &'b Baddies,
    compiled: &'b CompiledBoard,
}

impl AllKeys<'_> {
    fn cell(&self, number: u32) -> Cell {
        let (row, col) = self.compiled.position(number);
        let cell = self
            .board
            .grid
            .cell(row.cast_unsigned(), col.cast_unsigned());
        cell.expect("the hero is on the board")
    }

    fn pointing(&self, from: Cell, to: Cell) -> Key {
        let grid = self.board.grid;
        let ((row, col), (to_row, to_col)) = (grid.position(from), grid.position(to));
        let offset = (
            to_row.cast_signed() - row.cast_signed(),
            to_col.cast_signed() - col.cast_signed(),
        );
        let mut keys = Key::ALL.into_iter();
        keys.find(|key| key.offset() == offset)
            .expect("a key leads no further than to the next cell")
    }
}

impl Model for AllKeys<'_> {
    type State = Position;
    type Move = Key;

    fn opened(&self) -> Result<Position, Outcome> {
        self.compiled.opened()
    }

    fn moves(&self, _at: &Position, out: &mut Vec<Key>) {
        out.extend(Key::PLAINEST_FIRST);
    }

    fn play(&self, at: &mut Position, key: Key) -> Option<Outcome> {
        let from = self.cell(at.hero);
        let plain = self.pointing(from, self.board.hero_lands(from, key));
        if self.compiled.floor[self.compiled.lands_hero(at.hero, plain) as usize] == Floor::Abyss {
            return Some(Outcome::Caught(Cause::Abyss));
        }
        self.compiled.play(at, plain)
    }

    fn state_bytes(&self) -> usize {
        self.compiled.state_bytes()
    }
}

impl<W: Word> Pack<W> for AllKeys<'_> {
    fn width(&self) -> usize {
        Pack::<W>::width(self.compiled)
    }

    fn pack(&self, state: &Position, out: &mut Vec<W>) {
        self.compiled.pack(state, out);
    }

    fn unpack(&self, words: &[W], into: &mut Position) {
        self.compiled.unpack(words, into);
    }
}
