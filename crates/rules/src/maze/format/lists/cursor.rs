//! Reads a line of a maze that is written as lists, byte by byte, since such files may have millions of numbers.

use std::ops::RangeInclusive;

use crate::maze::Tile;
use getaway_board::fault::FaultKind;
use getaway_board::puzzle::Puzzle;

pub(super) struct Cursor<'t> {
    text: &'t [u8],
    at: usize,
}

#[derive(Debug)]
pub(super) struct SyntaxFault {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) kind: FaultKind,
}

fn wrong(from: usize, to: usize, message: impl Into<String>, help: &str) -> SyntaxFault {
    let kind = FaultKind::other(message, help);
    SyntaxFault { from, to, kind }
}

const A_ROW: &str = "write a row as `[0, -1, 2]`";

#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) value: i64,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// The first number below -1, and the count of such numbers.
pub(super) type Below = Option<(Number, usize)>;

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        let mut cursor = Self { text, at: 0 };
        cursor.skip_spaces();
        cursor
    }

    /// Reads a line or field that holds only an integer in `range`.
    pub(super) fn only(
        mut self,
        range: RangeInclusive<i64>,
        message: &str,
        help: &str,
    ) -> Result<i64, SyntaxFault> {
        let Number { value, from, to } = self.integer()?;
        self.expect_end()?;
        let is_allowed = range.contains(&value);
        is_allowed
            .then_some(value)
            .ok_or_else(|| wrong(from, to, message, help))
    }

    /// Adds the numbers of a list to `tiles`, with blanks for those below -1, which the result reports. Stops early if a limit is
    /// reached.
    pub(super) fn list(
        mut self,
        tiles: &mut Vec<Tile>,
        puzzle: &Puzzle,
    ) -> Result<Below, SyntaxFault> {
        let before = tiles.len();
        let mut below: Below = None;
        if !self.eat(b'[') {
            return Err(self.whole("this row is not a list", A_ROW));
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
            return Err(self.whole("this list is empty", A_ROW));
        }
        self.eat(b',');
        self.expect_end()?;
        Ok(below)
    }

    pub(super) fn numbers(mut self) -> impl Iterator<Item = Number> {
        self.eat(b'[');
        std::iter::from_fn(move || {
            let number = self.integer().ok()?;
            self.eat(b',');
            Some(number)
        })
    }

    pub(super) fn tuple(mut self) -> Result<[Self; 5], SyntaxFault> {
        let mut fields = Vec::new();
        self.eat(b'(');
        while !self.eat(b')') {
            fields.push(self.field());
            self.comma_before(b')')?;
        }
        self.expect_end()?;
        let count = fields.len();
        fields.try_into().map_err(|_| {
            let message = format!("this tuple has {count} fields, not 5");
            self.whole(message, "write `(id, rows, cols, files, answer)`")
        })
    }

    fn field(&mut self) -> Self {
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
        let to = from + self.text[from..self.at].trim_ascii_end().len();
        Self {
            text: &self.text[..to],
            at: from,
        }
    }

    fn integer(&mut self) -> Result<Number, SyntaxFault> {
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
        let message = "this integer does not fit into 64 bits";
        let value = value.ok_or_else(|| wrong(from, to, message, "use smaller ids"))?;
        Ok(Number { value, from, to })
    }

    fn no_integer(&self, from: usize) -> SyntaxFault {
        let rest = &self.text[from..];
        if rest.is_empty() {
            let message = "expected an integer or `]`";
            return wrong(from, from, message, "end the list with `]`");
        }
        let end = rest.iter().position(|&byte| is_boundary(byte));
        let to = from + end.unwrap_or(rest.len()).max(1);
        let text = String::from_utf8_lossy(&self.text[from..to]);
        let message = format!("`{}` is not an integer", text.escape_debug());
        let help = "write integers with commas between them";
        wrong(from, to, message, help)
    }

    fn comma_before(&mut self, close: u8) -> Result<(), SyntaxFault> {
        if self.eat(b',') || self.peek() == Some(close) {
            return Ok(());
        }
        let to = self.text.len().min(self.at + 1);
        let close = char::from(close);
        let message = format!("expected a comma or `{close}`");
        let help = format!("write a comma, or close it with `{close}`");
        Err(wrong(self.at, to, message, &help))
    }

    fn expect_end(&self) -> Result<(), SyntaxFault> {
        let (from, to) = (self.at, self.text.len());
        if from == to {
            Ok(())
        } else {
            let help = "write each list on a line of its own";
            Err(wrong(from, to, "expected the end of the line", help))
        }
    }

    fn whole(&self, message: impl Into<String>, help: &str) -> SyntaxFault {
        wrong(0, self.text.len(), message, help)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

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

const fn is_boundary(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b'[' | b']' | b'(' | b')')
}
