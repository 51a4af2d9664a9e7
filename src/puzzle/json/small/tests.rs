use proptest::prelude::*;

use super::*;
use crate::puzzle::json::read_line;

/// If the fast reader accepts a line, it must agree with the general reader.
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
        r#"{"id":1.5,"rows":["o"]}"#,
        r#"{"id":"\"é","rows":["o"]}"#,
        r#"{"id":null,"rows":["o"]}"#,
    ] {
        assert!(agree(line), "{line}");
    }
}

#[test]
fn what_is_out_of_the_ordinary_is_left_to_the_reader_of_all_lines() {
    for line in [
        "",
        "{}",
        r#"[1,["o"]]"#,
        r#"[null,["o"]]"#,
        r#"{"id":1}"#,
        r#"{"id":01,"rows":["o"]}"#,
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
