//! JSON Lines as input.

use std::fmt::Write;

use crate::run::Run;

#[track_caller]
fn refused(line: &str, stderr: &str) {
    Run::new(&["solve", "a.jsonl"])
        .file("a.jsonl", line)
        .stderr(stderr)
        .status(2)
        .check();
}

#[test]
fn boards_come_with_headers_and_ids() {
    let lines = r####"
{"id": 7, "rows": ["###", "#o#", "#.#"], "name": "exit", "expect": "escape", "author": null}
{"id": ["any", {"thing": 1}], "ruleset": "baddies", "rows": ["H+*"]}
"####;
    let answers = r#"{"path":"PATH","board":0,"id":7,"name":"exit","ruleset":"jimmy","verdict":"escape","moves":["D"],"length":1,"states":1,"expect":"escape","ok":true}
{"path":"PATH","board":1,"id":["any", {"thing": 1}],"ruleset":"baddies","verdict":"caught","survives":true,"states":1}
"#;
    Run::new(&["solve", "--json", "--no-timing", "-"])
        .stdin(lines)
        .stdout(answers.replace("PATH", "-"))
        .status(1)
        .check();
    Run::new(&["solve", "--json", "--no-timing", "a.jsonl"])
        .file("a.jsonl", lines)
        .stdout(answers.replace("PATH", "a.jsonl"))
        .status(1)
        .check();
    Run::new(&["solve", "--json", "--no-timing", "a.txt"])
        .file("a.txt", lines.replace('\n', "\r\n"))
        .stdout(answers.replace("PATH", "a.txt"))
        .status(1)
        .check();
}

#[test]
fn broken_json_has_a_position() {
    refused(
        "{\"rows\": [\"o\"\n",
        "\
error: invalid JSON: EOF while parsing a list
 --> a.jsonl:1:13
  |
1 | {\"rows\": [\"o\"
  |             ^ write one JSON object per line

",
    );
}

#[test]
fn rows_must_be_there_and_be_rows() {
    refused(
        "{\"id\": 1}\n",
        "\
error: the field `rows` is missing
 --> a.jsonl:1:1
  |
1 | {\"id\": 1}
  | ^ add the field `rows`

",
    );
    refused(
        "{\"rows\": \"o..\"}\n",
        "\
error: the field `rows` is not an array of strings, one per row
 --> a.jsonl:1:10
  |
1 | {\"rows\": \"o..\"}
  |          ^^^^^ make it an array of strings, one per row

",
    );
    refused(
        "{\"rows\": [\"o.\", 12]}\n",
        "\
error: the field `rows[1]` is not a string
 --> a.jsonl:1:17
  |
1 | {\"rows\": [\"o.\", 12]}
  |                 ^^ make it a string

",
    );
    refused(
        "{\"rows\": []}\n",
        "\
error: a header without rows
 --> a.jsonl:1:10
  |
1 | {\"rows\": []}
  |          ^^ add the board's rows below it, without an empty line between them

",
    );
}

#[test]
fn unreadable_header_values_have_positions() {
    refused(
        "{\"name\": \"\\ud800\", \"expect\": {\"a\": 1}, \"moves\": [\"U\", 3], \"rows\": [\"o\", \"\\udc00\"]}\n",
        "\
error: half a character: an unpaired surrogate
 --> a.jsonl:1:10
  |
1 | {\"name\": \"\\ud800\", \"expect\": {\"a\": 1}, \"moves\": [\"U\", 3], \"rows\": [\"o\", \"\\udc00\"]}
  |          ^^^^^^^^ write the whole character, or remove this half

error: the field `expect` is not a string
 --> a.jsonl:1:30
  |
1 | {\"name\": \"\\ud800\", \"expect\": {\"a\": 1}, \"moves\": [\"U\", 3], \"rows\": [\"o\", \"\\udc00\"]}
  |                              ^^^^^^^^ make it a string

error: the field `moves` is not a string, or an array of strings
 --> a.jsonl:1:49
  |
1 | {\"name\": \"\\ud800\", \"expect\": {\"a\": 1}, \"moves\": [\"U\", 3], \"rows\": [\"o\", \"\\udc00\"]}
  |                                                 ^^^^^^^^ make it a string, or an array of strings

error: half a character: an unpaired surrogate
 --> a.jsonl:1:73
  |
1 | {\"name\": \"\\ud800\", \"expect\": {\"a\": 1}, \"moves\": [\"U\", 3], \"rows\": [\"o\", \"\\udc00\"]}
  |                                                                         ^^^^^^^^ write the whole character, or remove this half

",
    );
    refused(
        "{\"ruleset\": \"jimmy\", \"revisit\": {}, \"rows\": [\"o\"]}\n",
        "\
error: invalid value `{}` for `revisit`
 --> a.jsonl:1:33
  |
1 | {\"ruleset\": \"jimmy\", \"revisit\": {}, \"rows\": [\"o\"]}
  |                                 ^^ write `true` or `false`

",
    );
}

#[test]
fn warnings_are_in_the_answer_too() {
    let output = Run::new(&["solve", "--json", "--no-timing", "a.jsonl"])
        .file(
            "a.jsonl",
            "{\"Expct\": 1, \"RADIUS\": 2, \"Rows\": [\"o\"], \"ID\": 5}\n",
        )
        .output();
    assert_eq!(
        output.stdout,
        "{\"path\":\"a.jsonl\",\"board\":0,\"id\":5,\"ruleset\":\"jimmy\",\"verdict\":\"escape\",\
         \"moves\":[],\"length\":0,\"states\":0,\"warnings\":[\
         \"line 1, column 3: unknown header `expct`; did you mean `expect`?\",\
         \"line 1, column 15: `radius` is not a setting of this ruleset; remove it: it is a setting of `dungeon`\"]}\n"
    );
    assert_eq!(output.stderr.matches("warning: ").count(), 2);
    assert_eq!(output.status, Some(0));
}

#[test]
fn a_glyph_is_marked_in_the_line() {
    refused(
        "{\"ruleset\": \"jimmy\", \"rows\": [\"o.\", \".x\"]}\n",
        "\
error: unknown glyph `x`
 --> a.jsonl:1:39
  |
1 | {\"ruleset\": \"jimmy\", \"rows\": [\"o.\", \".x\"]}
  |                                       ^ use one of `o` Jimmy, `g` ghost, `#` solid, `.` empty

",
    );
}

#[test]
fn a_bad_line_is_answered_in_turn_with_its_id() {
    let mut run = Run::new(&["check", "--json", "--no-timing", "-"]).stdin(
        "{\"id\": \"a\", \"rows\": [\"o\"]}\n\
         {\"id\": \"b\", \"rows\": 3}\n\
         nonsense\n\
         {\"id\": \"c\", \"rows\": [\"o\"]}\n",
    );
    let output = run.output();
    let lines: Vec<serde_json::Value> = output
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let fields: Vec<_> = lines
        .iter()
        .map(|line| (&line["board"], &line["id"], &line["error"]["line"]))
        .collect();
    let null = serde_json::Value::Null;
    assert_eq!(
        fields,
        [
            (&0.into(), &"a".into(), &null),
            (&1.into(), &"b".into(), &2.into()),
            (&2.into(), &null, &3.into()),
            (&3.into(), &"c".into(), &null),
        ]
    );
    assert_eq!(output.status, Some(2));
    assert_eq!(output.stderr.matches("error: ").count(), 2);
}

#[test]
fn thousands_of_lines_are_answered_in_order() {
    let boards = [
        (r####"["###", "#o#", "###"]"####, r#""caught","states":0"#),
        (r#"["o.g"]"#, r#""escape","moves":[],"length":0,"states":0"#),
        (
            r####"["###", "#o#", "#.#"]"####,
            r#""escape","moves":["D"],"length":1,"states":1"#,
        ),
    ];
    let (mut lines, mut answers) = (String::new(), String::new());
    for (id, (rows, verdict)) in (0..3000).zip(boards.into_iter().cycle()) {
        writeln!(lines, r#"{{"rows": {rows}, "id": "n{id}"}}"#).unwrap();
        writeln!(
            answers,
            r#"{{"path":"-","board":{id},"id":"n{id}","ruleset":"jimmy","verdict":{verdict}}}"#
        )
        .unwrap();
    }
    Run::new(&["check", "--json", "--no-timing", "-"])
        .stdin(lines)
        .stdout(answers)
        .check();
}

#[test]
fn only_dungeons_have_things() {
    refused(
        "{\"ruleset\": \"jimmy\", \"rows\": [\"o\"], \"things\": [{\"glyph\": \"g\", \"at\": [0, 0]}]}\n",
        "\
error: only a `dungeon` board can have `things`
 --> a.jsonl:1:38
  |
1 | {\"ruleset\": \"jimmy\", \"rows\": [\"o\"], \"things\": [{\"glyph\": \"g\", \"at\": [0, 0]}]}
  |                                      ^^^^^^ draw them in the rows

",
    );
}
