//! Writes certificates; [`getaway_verify`] defines their format.

use std::fmt::Display;
use std::io::{self, BufWriter, Write};

use crate::errors::CertifyError;
use crate::positions::Positions;
use getaway_board::limits::{Limits, bytes};
use getaway_chance::Successor;
use getaway_search::survival::Survival;

pub fn escape(line: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "escape\nmoves: {line}")
}

pub fn forever<M: Display>(
    survival: &Survival<M>,
    separator: &str,
    out: &mut dyn Write,
) -> Result<(), CertifyError> {
    let (line, back_to) = match survival {
        Survival::Forever { line, back_to } => (line, back_to),
        Survival::Unknown { limit, .. } => return Err(CertifyError::Limit(*limit)),
        Survival::Mortal { .. } => return Err(CertifyError::Contradiction),
    };
    let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
    let moves = moves.join(separator);
    Ok(writeln!(out, "back to: {back_to}\nmoves: {moves}")?)
}

pub fn write_closed_set(
    positions: &Positions,
    with_bounds: bool,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), CertifyError> {
    let bounds = if with_bounds {
        // The bounds, and the depth-first path that finds them, whose list may have twice the capacity it needs.
        limits.check_memory(positions.bytes() + 5 * bytes::<u64>(positions.len()))?;
        positions.longest().ok_or(CertifyError::Contradiction)?
    } else {
        Vec::new()
    };
    let mut out = BufWriter::new(out);
    // Numbers follow the order of discovery, so the successor with the next number is the new position that a `+` claims.
    let mut claimed = 1;
    for number in 0..positions.len() {
        if number.is_multiple_of(1 << 10) {
            limits.check_time()?;
        }
        if let Some(bound) = bounds.get(number) {
            write!(out, "{bound}:")?;
        }
        for successor in positions.successors(number) {
            match *successor {
                Successor::Won => return Err(CertifyError::Contradiction),
                Successor::Lost => write!(out, " x")?,
                Successor::Node(next) if next == claimed => {
                    claimed += 1;
                    write!(out, " +")?;
                }
                Successor::Node(next) => write!(out, " {}", claimed - next)?,
            }
        }
        writeln!(out)?;
    }
    Ok(out.flush()?)
}
