//! Nodes: states at any point of a turn, packed into words or one number.

/// The side that moves next. The player has the lower number, so that successors tend to have lower numbers than their node:
/// most draws keep the player's position, and good choices lead closer to the exit, to a position with a lower number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The player moves.
    Player,
    /// The adversaries move.
    Adversaries,
}

/// An adversary in one word: whether it *waits* (has yet to move in this turn), its tile, and its cooldown. In sorted order,
/// adversaries that have moved come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PackedAdversary(u64);

impl PackedAdversary {
    const WAITS: u64 = 1 << 63;
    const COOLDOWN_BITS: u32 = u8::BITS;

    pub(super) const fn moved(tile: u32, cooldown: u8) -> Self {
        Self((tile as u64) << Self::COOLDOWN_BITS | cooldown as u64)
    }

    pub(super) const fn waiting(self) -> Self {
        Self(self.0 | Self::WAITS)
    }

    pub(super) const fn waits(self) -> bool {
        self.0 & Self::WAITS != 0
    }

    pub(super) const fn tile(self) -> u32 {
        (self.0 >> Self::COOLDOWN_BITS) as u32
    }

    pub(super) const fn cooldown(self) -> u8 {
        self.0 as u8
    }

    pub(super) const fn without_cooldown(self) -> Self {
        Self(self.0 & !(u8::MAX as u64))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) position: u32,
    pub(super) phase: Phase,
    /// The ghosts, then the zombies that can move, room by room; interchangeable ones are sorted.
    pub(super) adversaries: Vec<PackedAdversary>,
}

/// Packs nodes. From the highest bits down: the player's position, the phase, the ghosts, and the zombies room by room;
/// interchangeable adversaries are sorted.
#[derive(Clone, Debug)]
pub(super) struct Code {
    position_bits: u32,
    fields: Vec<CodeField>,
    bits: u32,
}

#[derive(Clone, Debug)]
struct CodeField {
    /// Adversaries in the same group are interchangeable.
    group: usize,
    min: u32,
    tile_bits: u32,
    cooldown_bits: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) count: usize,
    pub(super) tiles: (u32, u32),
    pub(super) cooldown: u8,
}

impl Code {
    pub(super) fn new(positions: u32, groups: &[Group]) -> Self {
        let mut fields = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            let (min, greatest) = group.tiles;
            let field = CodeField {
                group: number,
                min,
                tile_bits: bits(greatest - min),
                cooldown_bits: bits(group.cooldown.into()),
            };
            fields.extend(std::iter::repeat_n(field, group.count));
        }
        let position_bits = bits(positions);
        let bits = position_bits + 1 + fields.iter().map(CodeField::bits).sum::<u32>();
        Self {
            position_bits,
            fields,
            bits,
        }
    }

    pub(super) const fn bits(&self) -> u32 {
        self.bits
    }

    pub(super) const fn words(&self) -> usize {
        self.bits.div_ceil(u64::BITS) as usize
    }

    pub(super) const fn len(&self) -> usize {
        self.fields.len()
    }

    /// Sorts interchangeable adversaries into the order in which they are packed.
    pub(super) fn sort(&self, node: &mut Node) {
        let adversaries = &mut node.adversaries;
        for at in 1..self.fields.len() {
            let mut at = at;
            while at > 0
                && self.fields[at - 1].group == self.fields[at].group
                && adversaries[at - 1] > adversaries[at]
            {
                adversaries.swap(at - 1, at);
                at -= 1;
            }
        }
    }

    pub(super) fn node(
        &self,
        position: u32,
        phase: Phase,
        adversaries: impl Iterator<Item = PackedAdversary>,
    ) -> Node {
        let mut node = Node {
            position,
            phase,
            adversaries: adversaries.take(self.fields.len()).collect(),
        };
        self.sort(&mut node);
        node
    }

    /// Packs a node that fits into one word.
    pub(super) fn pack(&self, node: &Node) -> u64 {
        let mut words = [0; 2];
        self.pack_into(node, &mut words);
        words[0]
    }

    /// Packs a node into words that are all 0. There must be one word more than the node needs; it stays 0.
    pub(super) fn pack_into(&self, node: &Node, words: &mut [u64]) {
        let mut at = 0;
        self.put(node, |value, bits| {
            let (word, shift) = (at / u64::BITS as usize, at as u32 % u64::BITS);
            let wide = u128::from(value) << shift;
            words[word] |= wide as u64;
            words[word + 1] |= (wide >> u64::BITS) as u64;
            at += bits as usize;
        });
    }

    pub(super) fn unpack(&self, words: &[u64]) -> Node {
        let mut at = 0;
        self.take(|bits| {
            let (word, shift) = (at / u64::BITS as usize, at as u32 % u64::BITS);
            let next = words.get(word + 1).copied().unwrap_or(0);
            let low = words.get(word).copied().unwrap_or(0);
            let wide = u128::from(next) << u64::BITS | u128::from(low);
            at += bits as usize;
            (wide >> shift) as u32 & mask(bits)
        })
    }

    /// Writes a node, from the lowest bits up: calls `put` with each field and its number of bits.
    fn put(&self, node: &Node, mut put: impl FnMut(u32, u32)) {
        for (adversary, field) in node.adversaries.iter().zip(&self.fields).rev() {
            put(adversary.cooldown().into(), field.cooldown_bits);
            put(adversary.tile() - field.min, field.tile_bits);
            put(adversary.waits().into(), 1);
        }
        put(node.phase as u32, 1);
        put(node.position, self.position_bits);
    }

    /// Reads a node: calls `take` with the number of bits of each field, in the order of `put`.
    fn take(&self, mut take: impl FnMut(u32) -> u32) -> Node {
        let mut adversaries = vec![PackedAdversary::default(); self.fields.len()];
        for (adversary, field) in adversaries.iter_mut().zip(&self.fields).rev() {
            let cooldown = take(field.cooldown_bits) as u8;
            let tile = take(field.tile_bits) + field.min;
            *adversary = PackedAdversary::moved(tile, cooldown);
            if take(1) == 1 {
                *adversary = adversary.waiting();
            }
        }
        let phase = if take(1) == 0 {
            Phase::Player
        } else {
            Phase::Adversaries
        };
        Node {
            position: take(self.position_bits),
            phase,
            adversaries,
        }
    }
}

impl CodeField {
    const fn bits(&self) -> u32 {
        1 + self.tile_bits + self.cooldown_bits
    }
}

const fn bits(greatest: u32) -> u32 {
    u32::BITS - greatest.leading_zeros()
}

const fn mask(bits: u32) -> u32 {
    match 1_u32.checked_shl(bits) {
        Some(bit) => bit - 1,
        None => u32::MAX,
    }
}

#[cfg(test)]
#[path = "code_tests.rs"]
mod tests;
