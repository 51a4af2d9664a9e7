//! A position in the midst of a turn, and how it is packed into one number.

/// The most adversaries that a number has room for.
pub(super) const MOST: usize = 12;

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
pub(super) struct Token(u32);

impl Token {
    const WAITS: u32 = 1 << 31;
    const COOLDOWN_BITS: u32 = 8;

    /// An adversary that has moved.
    pub(super) const fn moved(haunt: u32, cooldown: u8) -> Self {
        Self(haunt << Self::COOLDOWN_BITS | cooldown as u32)
    }

    pub(super) const fn waiting(self) -> Self {
        Self(self.0 | Self::WAITS)
    }

    pub(super) const fn waits(self) -> bool {
        self.0 & Self::WAITS != 0
    }

    pub(super) const fn haunt(self) -> u32 {
        (self.0 & !Self::WAITS) >> Self::COOLDOWN_BITS
    }

    pub(super) const fn cooldown(self) -> u8 {
        self.0 as u8
    }

    /// The same one with cooldown 0.
    pub(super) const fn cooled(self) -> Self {
        Self(self.0 & !(u8::MAX as u32))
    }
}

/// A position in the midst of a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The number of the player's place.
    pub(super) place: u32,
    pub(super) phase: Phase,
    tokens: [Token; MOST],
    len: usize,
}

impl Node {
    pub(super) const fn new(place: u32, phase: Phase) -> Self {
        Self {
            place,
            phase,
            tokens: [Token(0); MOST],
            len: 0,
        }
    }

    /// The adversaries, in the order of their fields.
    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens[..self.len]
    }

    pub(super) fn tokens_mut(&mut self) -> &mut [Token] {
        &mut self.tokens[..self.len]
    }

    pub(super) fn push(&mut self, token: Token) {
        self.tokens[self.len] = token;
        self.len += 1;
    }
}

/// How positions are packed. From the highest bits down: the player's place, the phase, the ghosts,
/// and the zombies room by room; interchangeable adversaries are sorted.
#[derive(Clone, Debug)]
pub(super) struct Code {
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
    /// A code for this many places and these groups; `None` if their positions have no room in a
    /// number.
    pub(super) fn new(places: usize, groups: &[Group]) -> Option<Self> {
        let mut fields = Vec::new();
        for (
            group,
            &Group {
                count,
                haunts: (least, greatest),
                cooldown,
            },
        ) in groups.iter().enumerate()
        {
            let field = Field {
                group,
                least,
                haunt_bits: bits(greatest - least),
                cooldown_bits: bits(cooldown.into()),
            };
            fields.extend(std::iter::repeat_n(field, count));
        }
        let bits = bits(places as u32) + 1 + fields.iter().map(Field::bits).sum::<u32>();
        (fields.len() <= MOST && bits <= u64::BITS).then_some(Self { fields, bits })
    }

    /// How many bits a number has.
    pub(super) const fn bits(&self) -> u32 {
        self.bits
    }

    /// How many adversaries there are.
    pub(super) const fn len(&self) -> usize {
        self.fields.len()
    }

    /// Puts the tokens into the order in which interchangeable adversaries are packed.
    pub(super) fn sort(&self, node: &mut Node) {
        for at in 1..self.fields.len() {
            let mut at = at;
            while at > 0
                && self.fields[at - 1].group == self.fields[at].group
                && node.tokens[at - 1] > node.tokens[at]
            {
                node.tokens.swap(at - 1, at);
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
        let mut node = Node::new(place, phase);
        for token in tokens.take(self.fields.len()) {
            node.push(token);
        }
        self.sort(&mut node);
        node
    }

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
        let mut take = |bits: u32| {
            let taken = rest & ((1 << bits) - 1);
            rest >>= bits;
            taken as u32
        };
        let mut tokens = [Token::default(); MOST];
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
            place: rest as u32,
            phase,
            tokens,
            len: self.fields.len(),
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
