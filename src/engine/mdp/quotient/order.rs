//! The order in which the nodes of a block are swept: each after those of the block that it leads to, as its number has
//! it, and otherwise nodes of one shape together, so that there are few runs, and long ones.

use super::{Block, Quotient, Shape};

/// The bits of what a node is sorted by, from the top: its layer, its shape, and its place in the block.
const PLACE_BITS: u32 = 32;
const COUNT_BITS: u32 = 6;
const SHAPE_BITS: u32 = COUNT_BITS + 2;
const MOST_LAYERS: u64 = 1 << (u64::BITS - SHAPE_BITS - PLACE_BITS);

/// How many bytes finding the order takes for each node.
pub(super) const BYTES: u64 = 16;

/// The places in a block of its nodes in the order in which they are best swept; `successors` are those of a node by
/// its place, as ids in the quotient.
///
/// The *layer* of a node is one more than those of the nodes before it in the block that it leads to.
pub(super) fn best_order<I: Iterator<Item = u32>>(
    block: &Block,
    successors: impl Fn(usize) -> (bool, I),
) -> Vec<u32> {
}
