//! What bounds and estimates need of a game: that its values follow from one another.

use crate::limits::{Budget, Limit};

/// The open positions of a game, in a certain order, and what their values follow from. There must
/// be one set of values alone that a sweep does not change: an end component has to be one position.
pub(crate) trait BellmanOperator {
    /// How many positions there are.
    fn len(&self) -> usize;

    /// What these values make of the position that the game begins at.
    fn initial_value<const N: usize>(&self, values: &[[f64; N]]) -> [f64; N];

    /// `open` for each position, but where the value is known that: all 0, or all 1.
    fn values<const N: usize>(
        &self,
        open: [f64; N],
        budget: &Budget,
    ) -> Result<Vec<[f64; N]>, Limit>;

    /// Gives each position in turn the value that follows from those of its successors, by component:
    /// the best of them or the mean. `change` gets the old value and that one, and says which it
    /// shall be; it may take notes, a sheet for each part of the positions, in the order of work.
    /// Every other sweep, by its number `nth`, may take the positions in another order: some news
    /// travel one way, some the other.
    ///
    /// A limit may end it in the midst of the positions: bounds are bounds then, too.
    fn sweep<const N: usize, T: Default + Send>(
        &self,
        values: &mut [[f64; N]],
        nth: usize,
        budget: &Budget,
        change: impl Fn(&mut T, [f64; N], [f64; N]) -> [f64; N] + Sync,
    ) -> Result<Vec<T>, Limit>;
}
