//! The certificate of a level with one player: bounds for every position, by plain iteration over a table of all of them.
//!
//! [`crate::verify`] has its form, and why it is a proof. That is a matter of inequalities alone, which hold at every moment
//! here: lower bounds begin at 0 and grow, upper bounds begin at 1 and shrink, each to what the others allow for.
//! Where one can stay among some positions for ever (an end component), upper bounds would never come down, since each
//! is held up by the others; so all of these share one bound, that of the best way to leave them.

mod bounds;
mod components;
mod table;

use std::io::{BufWriter, Write};

use crate::game::Uncertified;
use crate::limits::Limits;
use crate::rules::dungeon::Dungeon;

use bounds::Bounds;
use table::Table;

/// The most positions that a certificate is made of unless another number was asked for.
const POSITIONS: u64 = 200_000;

/// Writes the certificate of a level that is solvable.
pub(super) fn write(
    dungeon: &Dungeon,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), Uncertified> {
    let limits = Limits {
        max_states: Some(limits.max_states.unwrap_or(POSITIONS)),
        ..*limits
    };
    let table = Table::of(dungeon, &limits)?;
    let bounds = Bounds::of(&table, &limits)?;
    let mut out = BufWriter::new(out);
    writeln!(out, "chance\npositions: {}", table.len())?;
    for line in bounds.lines(&table, &limits)? {
        let turns = line.turns.map_or("-".to_owned(), |turns| turns.to_string());
        let (lower, upper, choice, rank) = (line.lower, line.upper, line.choice, line.rank);
        writeln!(out, "{lower} {upper} {choice} {rank} {turns}")?;
    }
    Ok(out.flush()?)
}
