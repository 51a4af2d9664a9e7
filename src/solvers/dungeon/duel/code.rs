//! A position in the midst of a turn, and how it is packed into words, or one number.

use std::ops::{Deref, DerefMut};

/// So many adversaries of a position take no memory of their own.
const FEW: usize = 8;

/// Who is to move. (At each place the player comes first: its choice leads to nearer places, whose
/// nodes have lower numbers, and what luck then does there leads to nodes of the same place.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The player; all adversaries wait.
    Player,
    /// The adversaries, those that still wait.
    Adversaries,
}

/// One adversary: whether it still waits for its move in this round, its haunt, and its cooldown.
/// Those that have moved come first, then the order is that of haunts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Token(u64);

impl Token {
    const WAITS: u64 = 1 << 63;
    const COOLDOWN_BITS: u32 = u8::BITS;

    /// An adversary that has moved.
    pub(super) const fn moved(haunt: u32, cooldown: u8) -> Self {
        Self((haunt as u64) << Self::COOLDOWN_BITS | cooldown as u64)
    }

    pub(super) const fn waiting(self) -> Self {
        Self(self.0 | Self::WAITS)
    }

    pub(super) const fn waits(self) -> bool {
        self.0 & Self::WAITS != 0
    }

    pub(super) const fn haunt(self) -> u32 {
        (self.0 >> Self::COOLDOWN_BITS) as u32
    }

    pub(super) const fn cooldown(self) -> u8 {
        self.0 as u8
    }

    /// The same one with cooldown 0.
    pub(super) const fn cooled(self) -> Self {
        Self(self.0 & !(u8::MAX as u64))
    }
}

/// The adversaries of a position, in the order of their fields.
#[derive(Clone, Debug)]
pub(super) enum Tokens {
    /// So many of these.
    Few([Token; FEW], usize),
    Many(Vec<Token>),
}

impl Tokens {
    /// So many adversaries, which are to be filled in.
    fn blank(len: usize) -> Self {
        if len <= FEW {
            Self::Few([Token::default(); FEW], len)
        } else {
            Self::Many(vec![Token::default(); len])
        }
    }
}

impl FromIterator<Token> for Tokens {
    fn from_iter<I: IntoIterator<Item = Token>>(tokens: I) -> Self {
        let (mut few, mut len) = ([Token::default(); FEW], 0);
        let mut tokens = tokens.into_iter();
        while let Some(token) = tokens.next() {
            if len == FEW {
                let all = few.into_iter().chain([token]).chain(tokens);
                return Self::Many(all.collect());
            }
            few[len] = token;
            len += 1;
        }
        Self::Few(few, len)
    }
}

impl Deref for Tokens {
    type Target = [Token];

    #[inline]
    fn deref(&self) -> &[Token] {
        match self {
            Self::Few(tokens, len) => &tokens[..*len],
            Self::Many(tokens) => tokens,
        }
    }
}

impl DerefMut for Tokens {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Token] {
        match self {
            Self::Few(tokens, len) => &mut tokens[..*len],
            Self::Many(tokens) => tokens,
        }
    }
}

/// A position in the midst of a turn.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The number of the player's place.
    pub(super) place: u32,
    pub(super) phase: Phase,
    tokens: Tokens,
}

impl Node {
    /// The position of these adversaries, which are in the order of their fields.
    pub(super) fn new(place: u32, phase: Phase, tokens: impl IntoIterator<Item = Token>) -> Self {
        Self {
            place,
            phase,
            tokens: tokens.into_iter().collect(),
        }
    }

    /// The adversaries, in the order of their fields.
    #[inline]
    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    #[inline]
    pub(super) fn tokens_mut(&mut self) -> &mut [Token] {
        &mut self.tokens
    }
}

/// How positions are packed. From the highest bits down: the player's place, the phase, the ghosts,
/// and the zombies room by room; interchangeable adversaries are sorted.
#[derive(Clone, Debug)]
pub(super) struct Code {
    place_bits: u32,
    fields: Vec<Field>,
    bits: u32,
}

/// Where an adversary is packed.
#[derive(Clone, Debug)]
struct Field {
    /// The adversaries of one group are interchangeable.
    group: usize,
    /// The least haunt of its group.
    least: u32,
    haunt_bits: u32,
    cooldown_bits: u32,
}

/// Adversaries of one kind that are interchangeable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// How many there are.
    pub(super) count: usize,
    /// The least and the greatest haunt that one of them can have.
    pub(super) haunts: (u32, u32),
    /// The greatest cooldown that one of them can have.
    pub(super) cooldown: u8,
}

impl Code {
    /// A code for this many places and these groups.
    pub(super) fn new(places: u32, groups: &[Group]) -> Self {
        let mut fields = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            let (least, greatest) = group.haunts;
            let field = Field {
                group: number,
                least,
                haunt_bits: bits(greatest - least),
                cooldown_bits: bits(group.cooldown.into()),
            };
            fields.extend(std::iter::repeat_n(field, group.count));
        }
        let place_bits = bits(places);
        let bits = place_bits + 1 + fields.iter().map(Field::bits).sum::<u32>();
        Self {
            place_bits,
            fields,
            bits,
        }
    }

    /// How many bits a position takes.
    pub(super) const fn bits(&self) -> u32 {
        self.bits
    }

    /// How many words a position takes.
    pub(super) const fn words(&self) -> usize {
        self.bits.div_ceil(u64::BITS) as usize
    }

    /// How many adversaries there are.
    pub(super) const fn len(&self) -> usize {
        self.fields.len()
    }

    /// Puts the tokens into the order in which interchangeable adversaries are packed.
    pub(super) fn sort(&self, node: &mut Node) {
        let tokens = node.tokens_mut();
        for at in 1..self.fields.len() {
            let mut at = at;
            while at > 0
                && self.fields[at - 1].group == self.fields[at].group
                && tokens[at - 1] > tokens[at]
            {
                tokens.swap(at - 1, at);
                at -= 1;
            }
        }
    }

    /// The node with these tokens, in the order of the groups.
    pub(super) fn node(
        &self,
        place: u32,
        phase: Phase,
        tokens: impl Iterator<Item = Token>,
    ) -> Node {
        let mut node = Node::new(place, phase, tokens.take(self.fields.len()));
        self.sort(&mut node);
        node
    }

    /// The position as one number, if it takes no more than 64 bits.
    pub(super) fn pack(&self, node: &Node) -> u64 {
        let mut number = u64::from(node.place) << 1 | node.phase as u64;
        for (token, field) in node.tokens().iter().zip(&self.fields) {
            number = number << 1 | u64::from(token.waits());
            number = number << field.haunt_bits | u64::from(token.haunt() - field.least);
            number = number << field.cooldown_bits | u64::from(token.cooldown());
        }
        number
    }

    pub(super) fn unpack(&self, number: u64) -> Node {
        let mut rest = number;
        let mut node = self.take(|bits| {
            let taken = rest & ((1 << bits) - 1);
            rest >>= bits;
            taken as u32
        });
        node.place = rest as u32;
        node
    }

    /// The position as words, whatever it takes.
    pub(super) fn pack_wide(&self, node: &Node, out: &mut Vec<u64>) {
        out.clear();
        let mut at = 0;
        let mut put = |value: u32, bits: u32| {
            if at / u64::BITS as usize >= out.len() {
                out.push(0);
            }
            let shift = at as u32 % u64::BITS;
            let wide = u128::from(value) << shift;
            *out.last_mut().expect("a word was pushed") |= wide as u64;
            if shift + bits > u64::BITS {
                out.push((wide >> u64::BITS) as u64);
            }
            at += bits as usize;
        };
        for (token, field) in node.tokens().iter().zip(&self.fields).rev() {
            put(token.cooldown().into(), field.cooldown_bits);
            put(token.haunt() - field.least, field.haunt_bits);
            put(token.waits().into(), 1);
        }
        put(node.phase as u32, 1);
        put(node.place, self.place_bits);
        out.resize(self.words(), 0);
    }

    pub(super) fn unpack_wide(&self, words: &[u64]) -> Node {
        let mut at = 0;
        let mut take = |bits: u32| {
            let (word, shift) = (at / u64::BITS as usize, at as u32 % u64::BITS);
            let next = words.get(word + 1).copied().unwrap_or(0);
            let low = words.get(word).copied().unwrap_or(0);
            let wide = u128::from(next) << u64::BITS | u128::from(low);
            at += bits as usize;
            (wide >> shift) as u32 & mask(bits)
        };
        let mut node = self.take(&mut take);
        node.place = take(self.place_bits);
        node
    }

    /// The position of which `take` gives the numbers of so many bits, one after the other; the
    /// place is left out.
    fn take(&self, mut take: impl FnMut(u32) -> u32) -> Node {
        let mut tokens = Tokens::blank(self.fields.len());
        for (token, field) in tokens.iter_mut().zip(&self.fields).rev() {
            let cooldown = take(field.cooldown_bits) as u8;
            let haunt = take(field.haunt_bits) + field.least;
            *token = Token::moved(haunt, cooldown);
            if take(1) == 1 {
                *token = token.waiting();
            }
        }
        let phase = if take(1) == 0 {
            Phase::Player
        } else {
            Phase::Adversaries
        };
        Node {
            place: 0,
            phase,
            tokens,
        }
    }
}

impl Field {
    const fn bits(&self) -> u32 {
        1 + self.haunt_bits + self.cooldown_bits
    }
}

/// How many bits numbers up to `greatest` take.
const fn bits(greatest: u32) -> u32 {
    u32::BITS - greatest.leading_zeros()
}

/// A number of so many bits, all of them set.
const fn mask(bits: u32) -> u32 {
    match 1_u32.checked_shl(bits) {
        Some(bit) => bit - 1,
        None => u32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A code, and for each adversary where it is in its field.
    fn code() -> impl Strategy<Value = (Code, Vec<(u32, u8, bool)>, u32)> {
        let group = (1..6_usize, 0..1_u32 << 29, 0..1_u32 << 30, any::<u8>());
        let groups = prop::collection::vec(group, 1..6);
        (groups, 1..1_u32 << 30).prop_flat_map(|(groups, places)| {
            let groups: Vec<Group> = groups
                .into_iter()
                .map(|(count, least, more, cooldown)| Group {
                    count,
                    haunts: (least, least + more),
                    cooldown,
                })
                .collect();
            let code = Code::new(places, &groups);
            let all = groups
                .iter()
                .flat_map(|group| std::iter::repeat_n(*group, group.count));
            let tokens: Vec<_> = all
                .map(|group| {
                    let (least, greatest) = group.haunts;
                    (least..=greatest, 0..=group.cooldown, any::<bool>())
                })
                .collect();
            (Just(code), tokens, 0..places)
        })
    }

    proptest! {
        /// However many adversaries, and however wide their fields.
        #[test]
        fn positions_are_packed_and_unpacked((code, tokens, place) in code()) {
            let tokens = tokens.into_iter().map(|(haunt, cooldown, waits)| {
                let token = Token::moved(haunt, cooldown);
                if waits { token.waiting() } else { token }
            });
            let node = code.node(place, Phase::Adversaries, tokens);
            let mut words = Vec::new();
            code.pack_wide(&node, &mut words);
            prop_assert_eq!(words.len(), code.words());
            let mut all = vec![code.unpack_wide(&words)];
            if code.bits() <= u64::BITS {
                all.push(code.unpack(code.pack(&node)));
            }
            for back in all {
                prop_assert_eq!((back.place, back.phase), (node.place, node.phase));
                prop_assert_eq!(back.tokens(), node.tokens());
            }
        }
    }
}
