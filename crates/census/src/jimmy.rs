//! Boards of `jimmy` with open (undecided) cells. Ghosts ignore solids, so a solid only removes the steps onto its cell from the
//! graph of Jimmy's moves.
//!
//! Here, Jimmy may revisit cells. This changes neither the verdict nor the length of a shortest escape (see
//! [`getaway_solvers::jimmy::pursuit`]), and a position consists only of the cells of Jimmy and the ghosts.

use super::explore::{Context, MoveEffect, Numbered, PartialBoard, Pass};
use super::totals::Answer;
use getaway_board::bits::Bits;
use getaway_board::grid::{Cell, Grid};
use getaway_rules::jimmy::{Jimmy, State};
use getaway_ruleset::{Deterministic, Outcome, Ruleset};

#[derive(Debug)]
pub struct PartialJimmy {
    opened: Result<(), Answer>,
    positions: Vec<LegalMoves>,
}

#[derive(Debug, Default)]
struct LegalMoves {
    out: Vec<u8>,
    on: Vec<(u8, u32)>,
}

impl PartialBoard for PartialJimmy {
    fn new(grid: Grid, actors: &[(char, Cell)]) -> Self {
        let (mut start, mut ghosts) = (None, Bits::new(grid));
        for &(glyph, cell) in actors {
            match glyph {
                'o' => start = Some(cell),
                _ => _ = ghosts.insert(cell),
            }
        }
        let start = start.expect("Jimmy has a place");
        Self::of(&Jimmy::without_solids(grid, start, ghosts))
    }

    fn first(&self) -> Result<u32, Answer> {
        self.opened.map(|()| 0)
    }

    fn bytes(&self) -> u64 {
        let each = size_of::<LegalMoves>() + 4 * size_of::<(u8, u32)>();
        (self.positions.capacity() * each) as u64
    }

    fn moves(&self, at: u32, pass: Pass) -> usize {
        let position = &self.positions[at as usize];
        match pass {
            Pass::Exit => position.out.len(),
            Pass::Rest => position.on.len(),
        }
    }

    fn play(&mut self, at: u32, mv: usize, known: Context) -> Result<MoveEffect, u8> {
        let position = &self.positions[at as usize];
        let (cell, step) = match known.pass {
            Pass::Exit => (position.out[mv], MoveEffect::Escapes),
            Pass::Rest => {
                let (cell, next) = position.on[mv];
                if known.visited.contains(next) {
                    return Ok(MoveEffect::Nothing);
                }
                (cell, MoveEffect::GoesOn(next))
            }
        };
        let is_empty = known.cells.get(cell)? == 0;
        Ok(if is_empty { step } else { MoveEffect::Nothing })
    }
}

impl PartialJimmy {
    fn of(board: &Jimmy) -> Self {
        let mut states = Numbered::new();
        let opened = match Deterministic::opened(board) {
            Ok(state) => {
                states.number(&state);
                Ok(())
            }
            Err(Outcome::Escaped) => Err(Answer::Escape(0)),
            Err(Outcome::Caught(_)) => Err(Answer::Caught),
        };
        let mut positions = Vec::new();
        while let Some(state) = states.all.get(positions.len()).cloned() {
            positions.push(LegalMoves::of(board, &state, &mut states));
        }
        Self { opened, positions }
    }
}

impl LegalMoves {
    fn of(board: &Jimmy, state: &State, states: &mut Numbered<State>) -> Self {
        let mut position = Self::default();
        let mut moves = Vec::new();
        board.moves(state, &mut moves);
        for mv in moves {
            let mut next = state.clone();
            let outcome = board.play(&mut next, mv);
            let cell = next.jimmy.index() as u8;
            match outcome {
                Some(Outcome::Escaped) => position.out.push(cell),
                Some(Outcome::Caught(_)) => {}
                None => position.on.push((cell, states.number(&next))),
            }
        }
        position
    }
}
