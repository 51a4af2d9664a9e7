//! JSON lines of small boards, read at once where they are written as programs mostly write them.

use crate::puzzle::small::SmallBoard;
use crate::puzzle::{Format, Puzzle};

/// Reads one line, of number `number` (from 1), at once, if it is an object with the `rows` of a small board, perhaps an
/// `id`, and nothing else, in printable ASCII characters without escapes; `puzzle` gets its line and `id` then, and no
/// rows. Any other line is left to [`read_line`](super::read_line).
#[inline]
pub fn read_small<'a>(line: &'a [u8], number: u64, puzzle: &mut Puzzle<'a>) -> Option<SmallBoard> {
    let mut rest = Rest(line);
    let (mut id, mut board) = (None, None);
    rest.token(b'{')?;
    loop {
        let key = rest.string()?;
        rest.token(b':')?;
        match key {
            b"\"id\"" if id.is_none() => id = Some(rest.scalar()?),
            b"\"rows\"" if board.is_none() => board = Some(rest.rows()?),
            _ => return None,
        }
        if rest.token(b',').is_none() {
            break;
        }
    }
    rest.token(b'}')?;
    if !rest.0.trim_ascii().is_empty() {
        return None;
    }
    puzzle.clear(number, Format::JsonLines);
    puzzle.id = id.map(|id| str::from_utf8(id).expect("it is ASCII"));
    board
}

/// Whether a byte of a string stands for itself.
#[inline]
const fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != b'\\' && byte != b'"'
}

/// What is left of a line.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    /// Passes over this byte, and spaces before it.
    #[inline]
    fn token(&mut self, byte: u8) -> Option<()> {
        self.skip_spaces();
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(())
    }

    #[inline]
    fn skip_spaces(&mut self) {
        while let [b' ', rest @ ..] = self.0 {
            self.0 = rest;
        }
    }

    /// Passes over so many bytes, which are told.
    #[inline]
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    /// Passes over a string, told with its quotes.
    #[inline]
    fn string(&mut self) -> Option<&'a [u8]> {
        self.skip_spaces();
        let inside = self.0.strip_prefix(b"\"")?;
        let len = inside.iter().take_while(|&&byte| is_plain(byte)).count();
        (inside.get(len) == Some(&b'"')).then(|| self.take(len + 2))
    }

    /// Passes over a string or a whole number, told as written.
    #[inline]
    fn scalar(&mut self) -> Option<&'a [u8]> {
        self.skip_spaces();
        if self.0.first() == Some(&b'"') {
            return self.string();
        }
        let digits = self
            .0
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let is_number = digits == 1 || digits > 1 && self.0[0] != b'0';
        // The number must end here.
        let is_whole = matches!(self.0.get(digits), Some(b' ' | b',' | b'}'));
        (is_number && is_whole).then(|| self.take(digits))
    }

    /// Passes over an array of strings of one length, with the same between any two: a comma, or a comma and a space.
    #[inline]
    fn rows(&mut self) -> Option<SmallBoard> {
        self.token(b'[')?;
        self.token(b'"')?;
        let board = self.joined(b"\",\"").or_else(|| self.joined(b"\", \""))?;
        // A space here would be a cell of the last row.
        self.0 = self.0.strip_prefix(b"\"")?;
        self.token(b']')?;
        let is_plain = board
            .text()
            .iter()
            .fold(true, |all, &byte| all & is_plain(byte));
        is_plain.then_some(board)
    }

    /// Passes over the rows, if no other comes after them.
    #[inline]
    fn joined<const N: usize>(&mut self, between: &[u8; N]) -> Option<SmallBoard> {
        let (board, len) = SmallBoard::of_joined(self.0, between)?;
        let goes_on = self.0.get(len + 1).is_some_and(|&next| next == b',');
        (!goes_on).then(|| {
            self.take(len);
            board
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::puzzle::json::read_line;

    /// What both readers say of a line must be the same, if the fast one says anything.
    fn agree(line: &str) -> bool {
        let (mut fast, mut slow) = (Puzzle::empty(), Puzzle::empty());
        let Some(board) = read_small(line.as_bytes(), 7, &mut fast) else {
            return false;
        };
        let read = read_line(line.as_bytes(), 7, &mut slow);
        assert_eq!(read, Ok(true), "{line}");
        assert_eq!(
            (fast.id, fast.line, fast.format),
            (slow.id, slow.line, slow.format)
        );
        assert!(slow.headers.is_empty());
        let rows: Vec<_> = slow.rows.iter().map(|row| &*row.text).collect();
        assert!(
            rows.iter()
                .all(|row| row.len() == board.grid().cols() as usize)
        );
        assert_eq!(board.text(), rows.concat());
        true
    }

    #[test]
    fn lines_as_programs_write_them_are_read_at_once() {
        for line in [
            r##"{"id":1,"rows":["#.g","#o."]}"##,
            r##"{"id": "a b", "rows": ["#.g", "#o."]}"##,
            r##" { "rows" : [ "#.g" ] , "id" : 10 } "##,
            r#"{"rows":["o"]}"#,
        ] {
            assert!(agree(line), "{line}");
        }
    }

    #[test]
    fn what_is_out_of_the_ordinary_is_left_to_the_reader_of_all_lines() {
        for line in [
            "",
            "{}",
            r#"{"id":1}"#,
            r#"{"id":1.5,"rows":["o"]}"#,
            r#"{"id":01,"rows":["o"]}"#,
            r#"{"id":"\"","rows":["o"]}"#,
            r#"{"id":"é","rows":["o"]}"#,
            r#"{"id":1,"id":2,"rows":["o"]}"#,
            r#"{"rows":["o"],"expect":"escape"}"#,
            r#"{"rows":["o"]} x"#,
            r#"{"rows":["o."],"rows":["o"]}"#,
            r#"{"rows":["o.","."]}"#,
            r#"{"rows":["o.",".. "]}"#,
            r#"{"rows":["o.",".."}"#,
            r#"{"rows":["o.","..",]}"#,
            r#"{"rows":["o.",".."],}"#,
            r#"{"rows":[""]}"#,
            r#"{"rows":["o", "."]"#,
        ] {
            assert!(!agree(line), "{line}");
        }
    }

    proptest! {
        #[test]
        fn damaged_lines_are_read_as_the_reader_of_all_lines_does(
            rows in prop::collection::vec("[o.#g]{3}", 1..5),
            between in prop_oneof![Just("\",\""), Just("\", \"")],
            at in any::<prop::sample::Index>(),
            damage in prop_oneof![3 => Just(String::new()), 2 => "[\"\\\\,:{}\\[\\] 0o\\.\n\u{e9}]{1,2}"],
            cut in 0usize..3,
        ) {
            let rows = rows.join(between);
            let mut line = format!("{{\"id\": 12,\"rows\":[\"{rows}\"]}}");
            let at = at.index(line.len());
            let end = line.len().min(at + if damage.is_empty() { 0 } else { cut });
            line.replace_range(at..end, &damage);
            let is_read = agree(&line);
            prop_assert!(is_read || !damage.is_empty(), "{}", line);
        }
    }
}
