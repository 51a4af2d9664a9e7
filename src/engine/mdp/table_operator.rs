//! The Bellman operator on tables.

use super::bellman::BellmanOperator;
use super::model::Mdp;
use super::stay::EndComponent;
use super::tables::{Modes, Tables};
use super::tabular::Tabular;
use crate::limits::{Budget, Limit, bytes};

/// Tables of which some values are known, and the end components among the others. All states of an end component
/// have one value: that of the best exit.
pub(super) struct TableOperator<'a, M> {
    tables: &'a Tables<M>,
    components: &'a [EndComponent],
    kinds: Vec<Kind>,
}

/// What is known about the value of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Lost,
    Won,
    /// It follows from others.
    Open,
    /// It belongs to an end component.
    Member,
}

/// What the player chooses.
pub(super) struct Choices {
    /// In each block.
    noted: Vec<Vec<u8>>,
    /// Whether the value of each state follows from others: where the player gives up it does not.
    follows: Vec<bool>,
    /// The exit of each end component, and whether its value follows from that.
    exits: Vec<(usize, bool)>,
}

/// How much memory it takes for so many states at most, in bytes.
pub(super) const fn max_bytes(len: usize) -> u64 {
    bytes::<Kind>(len) + bytes::<bool>(len) + bytes::<u8>(2 * len)
}

impl<'a, M: Tabular> TableOperator<'a, M> {
    /// The operator, given for each state whether it is won, if that is known.
    pub(super) fn new(
        tables: &'a Tables<M>,
        components: &'a [EndComponent],
        known: impl Iterator<Item = Option<bool>>,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let mut kinds = budget.with_capacity(tables.len())?;
        kinds.extend(known.map(|is_won| match is_won {
            Some(false) => Kind::Lost,
            Some(true) => Kind::Won,
            None => Kind::Open,
        }));
        for &member in components.iter().flat_map(EndComponent::members) {
            kinds[member] = Kind::Member;
        }
        Ok(Self {
            tables,
            components,
            kinds,
        })
    }
}

impl<M: Tabular> BellmanOperator for TableOperator<'_, M> {
    type Choices = Choices;

    fn len(&self) -> usize {
        self.tables.len()
    }

    fn initial_value(&self, values: &[f64]) -> f64 {
        self.tables
            .value(values, self.tables.model.nodes().initial())
    }

    fn values(&self, open: f64, budget: &Budget) -> Result<Vec<f64>, Limit> {
        let mut values = budget.with_capacity(self.kinds.len())?;
        values.extend(self.kinds.iter().map(|kind| match kind {
            Kind::Lost => 0.0,
            Kind::Won => 1.0,
            Kind::Open | Kind::Member => open,
        }));
        Ok(values)
    }

    fn choices(&self, budget: &Budget) -> Result<Choices, Limit> {
        let blocks = 0..self.tables.model.starts().len() - 1;
        let noted = blocks.map(|block| budget.filled(0, self.tables.model.choices(block)));
        let mut follows = budget.with_capacity(self.kinds.len())?;
        follows.extend(self.kinds.iter().map(|kind| *kind == Kind::Open));
        let exits = self.components.iter();
        Ok(Choices {
            noted: noted.collect::<Result<_, _>>()?,
            follows,
            exits: exits
                .map(|component| (component.first_exit(), true))
                .collect(),
        })
    }

    fn rounding(&self) -> f64 {
        // A few draws one after the other, each a mean of the tiles of a room and of the rooms at most.
        1e-13
    }

    fn improve(
        &self,
        values: &mut [f64],
        nth: usize,
        slant: f64,
        choices: &mut Choices,
        budget: &Budget,
    ) -> Result<f64, Limit> {
        let mut largest = 0.0_f64;
        let Choices {
            noted,
            follows,
            exits,
        } = choices;
        let mut apply = |first: usize, values: &mut [f64], new: &[f64]| {
            for (at, (value, new)) in (first..).zip(values.iter_mut().zip(new)) {
                if self.kinds[at] == Kind::Open {
                    let new = (new + slant).clamp(0.0, 1.0);
                    follows[at] = 0.0 < new && new < 1.0;
                    largest = largest.max((new - *value).abs());
                    *value = new;
                }
            }
        };
        let modes = Modes::Note(noted);
        self.tables
            .sweep(values, nth % 2 == 1, modes, budget, &mut apply)?;
        for (component, (exit, follows)) in self.components.iter().zip(exits) {
            *exit = component.best_exit(*exit, values);
            let new = (values[*exit] + slant).clamp(0.0, 1.0);
            *follows = 0.0 < new && new < 1.0;
            for &member in component.members() {
                largest = largest.max((new - values[member]).abs());
                values[member] = new;
            }
        }
        Ok(largest)
    }

    fn evaluate(
        &self,
        values: &mut [f64],
        slant: f64,
        choices: &Choices,
        changes: &mut [f32],
        budget: &Budget,
    ) -> Result<f64, Limit> {
        changes.fill(0.0);
        let mut largest = 0.0_f64;
        for is_back in [false, true] {
            let mut apply = |first: usize, values: &mut [f64], new: &[f64]| {
                for (at, (value, new)) in (first..).zip(values.iter_mut().zip(new)) {
                    if choices.follows[at] {
                        let change = new + slant - *value;
                        largest = largest.max(change.abs());
                        changes[at] += change as f32;
                        *value += change;
                    }
                }
            };
            let modes = Modes::Follow(&choices.noted);
            self.tables
                .sweep(values, is_back, modes, budget, &mut apply)?;
            for (component, &(exit, follows)) in self.components.iter().zip(&choices.exits) {
                for &member in component.members().iter().filter(|_| follows) {
                    let change = values[exit] + slant - values[member];
                    largest = largest.max(change.abs());
                    changes[member] += change as f32;
                    values[member] += change;
                }
            }
        }
        Ok(largest)
    }

    fn propagate(
        &self,
        vector: &mut [f32],
        choices: &Choices,
        budget: &Budget,
    ) -> Result<(), Limit> {
        for is_back in [false, true] {
            let mut apply = |first: usize, values: &mut [f32], new: &[f32]| {
                let follows = &choices.follows[first..];
                for ((value, new), follows) in values.iter_mut().zip(new).zip(follows) {
                    *value = if *follows { *new } else { *value };
                }
            };
            let modes = Modes::Follow(&choices.noted);
            self.tables
                .sweep(vector, is_back, modes, budget, &mut apply)?;
            for (component, &(exit, follows)) in self.components.iter().zip(&choices.exits) {
                let new = if follows { vector[exit] } else { 0.0 };
                for &member in component.members() {
                    vector[member] = new;
                }
            }
        }
        Ok(())
    }
}
