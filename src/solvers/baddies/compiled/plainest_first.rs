//! Moves in the rulebook's order, the simplest keys first: only useful keys for long survival, or all nine for
//! certificates and for counting lines.

use super::{CompiledBoard, Floor, Position, Word};
use crate::engine::Model;
use crate::engine::packed::{Pack, Packed};
use crate::engine::positions::Positions;
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
    let model = PlainestFirst::all(board, compiled);
    if compiled.is_small() {
        Positions::explore(&model, Packed::<u16>::default(), &limits)
    } else {
        Positions::explore(&model, Packed::<u32>::default(), &limits)
    }
}

pub struct PlainestFirst<'b> {
    compiled: &'b CompiledBoard,
    /// The board, to list all nine keys; `None` to list only useful keys.
    board: Option<&'b Baddies>,
}

impl<'b> PlainestFirst<'b> {
    pub const fn useful(compiled: &'b CompiledBoard) -> Self {
        let board = None;
        Self { compiled, board }
    }

    pub const fn all(board: &'b Baddies, compiled: &'b CompiledBoard) -> Self {
        let board = Some(board);
        Self { compiled, board }
    }

    /// Returns the useful key that moves the hero to the same cell as `key`.
    fn plain(&self, board: &Baddies, hero: u32, key: Key) -> Key {
        let (row, col) = self.compiled.position(hero);
        let from = board.grid.cell(row.cast_unsigned(), col.cast_unsigned());
        let from = from.expect("the hero is on the board");
        let to = board.grid.position(board.hero_lands(from, key));
        let offset = (to.0.cast_signed() - row, to.1.cast_signed() - col);
        let mut keys = Key::ALL.into_iter();
        keys.find(|key| key.offset() == offset)
            .expect("a key leads no further than to the next cell")
    }
}

impl Model for PlainestFirst<'_> {
    type State = Position;
    type Move = Key;

    fn opened(&self) -> Result<Position, Outcome> {
        self.compiled.opened()
    }

    fn moves(&self, at: &Position, out: &mut Vec<Key>) {
        match self.board {
            Some(_) => out.extend(Key::PLAINEST_FIRST),
            None => out.extend(self.compiled.useful_keys(at.hero)),
        }
    }

    fn play(&self, at: &mut Position, key: Key) -> Option<Outcome> {
        let Some(board) = self.board else {
            return self.compiled.play(at, key);
        };
        let plain = self.plain(board, at.hero, key);
        if self.compiled.floor[self.compiled.lands_hero(at.hero, plain) as usize] == Floor::Abyss {
            return Some(Outcome::Caught(Cause::Abyss));
        }
        self.compiled.play(at, plain)
    }

    fn state_bytes(&self) -> usize {
        self.compiled.state_bytes()
    }

    fn lower_bound(&self, at: &Position) -> u32 {
        self.compiled.lower_bound(at)
    }
}

impl<W: Word> Pack<W> for PlainestFirst<'_> {
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
