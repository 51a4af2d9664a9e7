//! Reading one line of a maze in lists, byte by byte: these files may have millions of numbers.

use crate::puzzle::Puzzle;
use crate::rules::maze::Tile;

use super::Mistake;

/// A place in a line.
pub(super) struct Cursor<'t> {
    text: &'t [u8],
    at: usize,
}

/// What is wrong with a line, and where, in bytes.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) mistake: Mistake,
}

/// An integer and where it stands, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) value: i64,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl Number {
    fn wrong(self, mistake: Mistake) -> Wrong {
        Wrong {
            from: self.from,
            to: self.to,
            mistake,
        }
    }

    /// The number as an answer, -1 to 3.
    pub(super) fn answer(self) -> Result<i8, Wrong> {
        let answer = i8::try_from(self.value)
            .ok()
            .filter(|answer| (-1..=3).contains(answer));
        answer.ok_or_else(|| self.wrong(Mistake::NoAnswer))
    }

    /// The number, which has to be positive.
    pub(super) fn positive(self, what: &'static str) -> Result<i64, Wrong> {
        if self.value > 0 {
            Ok(self.value)
        } else {
            Err(self.wrong(Mistake::NotPositive(what)))
        }
    }
}

/// A field of a tuple, without spaces around it, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    from: usize,
    to: usize,
}

impl Field {
    /// The integer that the field of `line` is.
    pub(super) fn integer(self, line: &[u8]) -> Result<Number, Wrong> {
        Cursor {
            text: &line[..self.to],
            at: self.from,
        }
        .only_integer()
    }
}

/// Those of a list that stand for nothing: the first, and how many there are.
pub(super) type Below = Option<(Number, usize)>;

impl<'t> Cursor<'t> {
    /// The start of `text`, spaces aside.
    pub(super) fn new(text: &'t [u8]) -> Self {
        let mut cursor = Self { text, at: 0 };
        cursor.skip_spaces();
        cursor
    }

    /// Reads a line that is one integer.
    pub(super) fn only_integer(mut self) -> Result<Number, Wrong> {
        let number = self.integer()?;
        self.end()?;
        Ok(number)
    }

    /// Reads a line of the board that is a list, and adds its numbers to `tiles`; only some of them if
    /// a limit ends the reading.
    pub(super) fn list(mut self, tiles: &mut Vec<Tile>, puzzle: &Puzzle) -> Result<Below, Wrong> {
        let before = tiles.len();
        let mut below: Below = None;
        if !self.eat(b'[') {
            return Err(self.whole(Mistake::NoList));
        }
        while !self.eat(b']') && puzzle.work(8).is_ok() {
            let number = self.integer()?;
            tiles.push(Tile::new(number.value).unwrap_or_else(|| {
                below.get_or_insert((number, 0)).1 += 1;
                Tile::BLANK
            }));
            self.comma_before(b']')?;
        }
        if tiles.len() == before {
            return Err(self.whole(Mistake::EmptyList));
        }
        self.eat(b',');
        self.end()?;
        Ok(below)
    }

    /// The numbers of a line that is a list.
    pub(super) fn numbers(mut self) -> impl Iterator<Item = Number> {
        self.eat(b'[');
        std::iter::from_fn(move || {
            let number = self.integer().ok()?;
            self.eat(b',');
            Some(number)
        })
    }

    /// Reads a line that is a tuple of five fields, whatever they are.
    pub(super) fn tuple(mut self) -> Result<[Field; 5], Wrong> {
        let mut fields = Vec::new();
        self.eat(b'(');
        while !self.eat(b')') {
            fields.push(self.field());
            self.comma_before(b')')?;
        }
        self.end()?;
        let count = fields.len();
        fields
            .try_into()
            .map_err(|_| self.whole(Mistake::Fields(count)))
    }

    /// Passes over a field of a tuple: it ends at a comma or bracket that is not inside of it.
    fn field(&mut self) -> Field {
        let from = self.at;
        let (mut depth, mut quote) = (0, None);
        while let Some(byte) = self.peek() {
            match byte {
                _ if quote.is_some() => quote = quote.filter(|&open| open != byte),
                b'\'' | b'"' => quote = Some(byte),
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' | b',' if depth == 0 => break,
                b')' | b']' | b'}' => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
        Field {
            from,
            to: from + self.text[from..self.at].trim_ascii_end().len(),
        }
    }

    /// Reads an integer, and passes over spaces after it.
    fn integer(&mut self) -> Result<Number, Wrong> {
        let from = self.at;
        let sign = if self.peek() == Some(b'-') { -1 } else { 1 };
        self.at += usize::from(sign < 0);
        let digits = self.at;
        let mut value = Some(0_i64);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let digit = sign * i64::from(digit - b'0');
            value = value.and_then(|value| value.checked_mul(10)?.checked_add(digit));
            self.at += 1;
        }
        if self.at == digits || !self.peek().is_none_or(is_boundary) {
            return Err(self.no_integer(from));
        }
        let to = self.at;
        self.skip_spaces();
        let value = value.ok_or(Wrong {
            from,
            to,
            mistake: Mistake::Large,
        })?;
        Ok(Number { value, from, to })
    }

    /// What stands from byte `from` on is no integer.
    fn no_integer(&self, from: usize) -> Wrong {
        let rest = &self.text[from..];
        if rest.is_empty() {
            return Wrong {
                from,
                to: from,
                mistake: Mistake::NoMore,
            };
        }
        let end = rest
            .iter()
            .position(|&byte| is_boundary(byte))
            .unwrap_or(rest.len());
        let to = from + end.max(1);
        let text = String::from_utf8_lossy(&self.text[from..to]).into_owned();
        Wrong {
            from,
            to,
            mistake: Mistake::NoInteger(text),
        }
    }

    /// Passes over a comma, or stays before `close`.
    fn comma_before(&mut self, close: u8) -> Result<(), Wrong> {
        if self.eat(b',') || self.peek() == Some(close) {
            return Ok(());
        }
        let to = self.text.len().min(self.at + 1);
        Err(Wrong {
            from: self.at,
            to,
            mistake: Mistake::NoComma(close.into()),
        })
    }

    /// Makes sure that nothing is left.
    fn end(&self) -> Result<(), Wrong> {
        let (from, to) = (self.at, self.text.len());
        if from == to {
            Ok(())
        } else {
            Err(Wrong {
                from,
                to,
                mistake: Mistake::NotTheEnd,
            })
        }
    }

    fn whole(&self, mistake: Mistake) -> Wrong {
        Wrong {
            from: 0,
            to: self.text.len(),
            mistake,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Passes over `byte` and spaces after it, if it is next.
    fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        if is_next {
            self.at += 1;
            self.skip_spaces();
        }
        is_next
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }
}

/// Whether an integer may end before this byte.
const fn is_boundary(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b'[' | b']' | b'(' | b')')
}
