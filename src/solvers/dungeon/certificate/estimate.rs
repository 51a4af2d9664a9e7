//! Bounds in floating point that prove themselves with room to spare, so that they still do when they are rounded to the
//! numbers of a certificate.
//!
//! Values of best play do not bear out each other with anything to spare: whatever is rounded breaks some inequality. So
//! these are the values of games that are a little harder, or a little easier, than the real one: with each turn a
//! share of the value is lost, or won. Their values are near the real ones, and each is borne out by the others with
//! nearly that share to spare. In a game that gets harder with each turn it is no good to wait either, so each of these values is borne
//! out by a way to the exit.

use super::components::{NONE, components};
use super::table::{Near, Table, best};
use crate::limits::{Budget, Limit};

/// The share that is lost or won with each turn, far above what floating-point numbers can't tell.
const SHARE: f64 = 1.0 / (1_u64 << 34) as f64;

/// And so much beside it, far above what is rounded off in a turn to come to multiples of 2^-60.
const LEAST: f64 = 1.0 / (1_u64 << 54) as f64;

/// The most sweeps.
const SWEEPS: u64 = 20_000;

/// Whether a value that has changed so is as good as the one before: by less than half of what there is to spare.
fn is_near(value: f64, before: f64) -> bool {
    (value - before).abs() <= 0.5 * (SHARE * before + LEAST)
}

/// Lower bounds: games that get harder. `guess` has values to begin with.
pub fn lower(
    table: &Table,
    guess: &[f64],
    sure: &[bool],
    budget: &Budget,
) -> Result<Vec<f64>, Limit> {
    let alone = budget.filled(NONE, table.len())?;
    let values = sweeps(
        table,
        guess,
        (&alone, budget),
        |values, drawn, class| match class[0] {
            position if sure[position] => 1.0,
            position => {
                let best = table.best::<Near>(position, values, drawn);
                (best * (1.0 - SHARE) - LEAST).max(0.0)
            }
        },
    )?;
    budget.free(alone);
    Ok(values)
}

/// Upper bounds: games that get easier. Where one can stay among some positions for ever (an end component), upper
/// bounds would never come down, since each is held up by the others; so all of these share one bound, that of the
/// best way to leave them.
pub fn upper(
    table: &Table,
    guess: &[f64],
    hopeful: &[bool],
    budget: &Budget,
) -> Result<Vec<f64>, Limit> {
    let component = components(table, budget)?;
    let values = sweeps(
        table,
        guess,
        (&component.of, budget),
        |values, drawn, class| {
            if !hopeful[class[0]] {
                return 0.0;
            }
            let leaving = class.iter().flat_map(|&position| {
                let moves = table.moves(position).iter();
                let component = &component;
                moves.filter(move |mv| !component.is_inner(position, **mv))
            });
            (best::<Near>(leaving, values, drawn) * (1.0 + SHARE) + LEAST).min(1.0)
        },
    )?;
    component.free(budget);
    Ok(values)
}

/// The values that come of `guess` by sweeps over all components, whose positions share a value: each gets what `update`
/// makes of those of the sweep before, until that changes nothing worth mentioning.
fn sweeps(
    table: &Table,
    guess: &[f64],
    (component, budget): (&[usize], &Budget),
    update: impl Fn(&[f64], &[f64], &[usize]) -> f64,
) -> Result<Vec<f64>, Limit> {
    let classes = Classes::of(component, budget)?;
    let mut values = budget.with_capacity(table.len())?;
    values.extend_from_slice(guess);
    let mut clock = budget.clock();
    let mut drawn = table.drawn(budget)?;
    for _ in 0..SWEEPS {
        table.draw::<Near>(&values, &mut drawn);
        clock.work(16 * drawn.len() as u64)?;
        let mut is_done = true;
        for class in classes.iter().rev() {
            clock.work(64 * class.len() as u64)?;
            let value = update(&values, &drawn, class);
            for &position in class {
                is_done &= is_near(value, values[position]);
                values[position] = value;
            }
        }
        if is_done {
            break;
        }
    }
    budget.free(drawn);
    classes.free(budget);
    Ok(values)
}

/// The positions by components; one that is in none is alone.
struct Classes {
    positions: Vec<usize>,
    ends: Vec<usize>,
}

impl Classes {
    fn of(component: &[usize], budget: &Budget) -> Result<Self, Limit> {
        let mut positions = budget.with_capacity(component.len())?;
        positions.extend(0..component.len());
        let class = |&position: &usize| match component[position] {
            NONE => position,
            component => component,
        };
        positions.sort_by_key(class);
        let mut ends = budget.with_capacity(component.len())?;
        ends.extend((1..positions.len()).filter(|&at| {
            let [before, here] = [positions[at - 1], positions[at]];
            component[before] == NONE
                || component[here] == NONE
                || component[before] != component[here]
        }));
        ends.push(positions.len());
        Ok(Self { positions, ends })
    }

    fn free(self, budget: &Budget) {
        budget.free(self.positions);
        budget.free(self.ends);
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = &[usize]> {
        (0..self.ends.len()).map(|class| {
            let first = class.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.positions[first..self.ends[class]]
        })
    }
}
