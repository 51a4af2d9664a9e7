//! `getaway check --report`.

use std::collections::BTreeMap;
use std::fs;

use roxmltree::{Document, Node};

use crate::boards::{EXIT, STAIRS, TRAP, random_boards};
use crate::run::Run;
use crate::sized;

/// Characters that are special in XML, HTML, tables, terminals and bidirectional text, or illegal in XML 1.0.
const HOSTILE: &str = "<b>&amp;\"'|`*x*` ]]> \u{1b}[31m \u{1} \u{ffff} \u{202e}, =1+1 -->";
const SHOWN: &str = "<b>&amp;\"'|`*x*` ]]> \\u{1b}[31m \\u{1} \u{ffff} \\u{202e}, =1+1 -->";

fn boards() -> String {
    format!(
        "; name: {HOSTILE}\n; expect: escape\n{EXIT}\n\
         ; name: wrong\n; expect: escape\n{TRAP}\n\
         ; name: hard\n; expect: escape\n{STAIRS}\n\
         oo<&?\n\n\
         {EXIT}"
    )
}

/// Prepares a run over boards of which the third reaches the state limit.
fn run(reports: &[&str]) -> Run {
    let reports = reports.iter().flat_map(|report| ["--report", report]);
    let arguments: Vec<_> = ["check", "--no-timing", "--max-states", "2"]
        .into_iter()
        .chain(reports)
        .chain(["a & b.txt", "missing.txt", "c.jsonl"])
        .collect();
    Run::new(&arguments)
        .file("a & b.txt", boards())
        .file("c.jsonl", "{\"id\": 7, \"rows\": [\"o\"]}\n")
}

fn written(report: &str) -> String {
    let mut run = run(&[report]);
    assert_eq!(run.output().status, Some(2));
    let (_, file) = report.split_once('=').unwrap();
    fs::read_to_string(run.path().join(file)).unwrap()
}

#[test]
fn a_junit_report_is_read_by_a_parser_for_it() {
    let text = written("junit=report.xml");
    let suites = junit_parser::from_reader(text.as_bytes()).unwrap();
    let counts = |tests, failures, errors| (tests, failures, errors);
    assert_eq!(
        (suites.tests, suites.failures, suites.errors),
        counts(7, 1, 3)
    );
    let suite = |at: usize| &suites.suites[at];
    let all: Vec<_> = suites
        .suites
        .iter()
        .map(|suite| suite.name.as_str())
        .collect();
    assert_eq!(all, ["a & b.txt", "missing.txt", "c.jsonl"]);
    assert_eq!(
        (suite(0).tests, suite(0).failures, suite(0).errors),
        counts(5, 1, 2)
    );
    assert_eq!(
        (suite(1).tests, suite(1).failures, suite(1).errors),
        counts(1, 0, 1)
    );
    let cases = &suite(0).cases;
    let names: Vec<_> = cases
        .iter()
        .map(|case| case.original_name.as_str())
        .collect();
    let first = format!("#1 {}", SHOWN.replace('\u{ffff}', "\u{fffd}"));
    assert_eq!(names, [&*first, "#2 wrong", "#3 hard", "#4", "#5"]);
    let states: Vec<_> = cases
        .iter()
        .map(|case| {
            (
                case.status.is_success(),
                case.status.is_failure(),
                case.status.is_error(),
            )
        })
        .collect();
    let (good, failure, error) = (
        (true, false, false),
        (false, true, false),
        (false, false, true),
    );
    assert_eq!(states, [good, failure, error, error, good]);
    let why = cases[1].status.failure_as_ref();
    assert_eq!(
        (&*why.message, &*why.failure_type),
        ("expected escape, got caught", "mismatch")
    );
    let why = cases[2].status.error_as_ref();
    assert_eq!(why.message, "undecided: state limit reached after 2 states");
    let why = cases[3].status.error_as_ref();
    assert!(why.text.starts_with("line 20, column 3: "), "{}", why.text);
    assert_eq!(suite(2).cases[0].original_name, "#1 7");
}

/// Of the schemas in use, that of Jenkins is the strictest.
#[test]
fn a_junit_report_keeps_to_the_schema() {
    let mut run = Run::new(&["check", "--report=junit=report.xml", "a.txt", "b.txt"])
        .file("a.txt", random_boards(300))
        .file("b.txt", boards());
    run.output();
    let text = fs::read_to_string(run.path().join("report.xml")).unwrap();
    let document = Document::parse(&text).unwrap();
    let known: BTreeMap<&str, (&[&str], &[&str])> = [
        (
            "testsuites",
            (
                &["name", "time", "tests", "failures", "errors"][..],
                &["testsuite"][..],
            ),
        ),
        (
            "testsuite",
            (
                &["name", "time", "tests", "failures", "errors"],
                &["testcase"],
            ),
        ),
        (
            "testcase",
            (
                &["name", "classname", "time"],
                &["failure", "error", "system-out"],
            ),
        ),
        ("failure", (&["type", "message"], &[])),
        ("error", (&["type", "message"], &[])),
        ("system-out", (&[], &[])),
    ]
    .into();
    assert_eq!(document.root_element().tag_name().name(), "testsuites");
    for node in document.descendants().filter(Node::is_element) {
        let (attributes, children) = known[node.tag_name().name()];
        for attribute in node.attributes() {
            assert!(attributes.contains(&attribute.name()), "{node:?}");
        }
        if node.tag_name().name() != "system-out" {
            assert_eq!(node.attributes().count(), attributes.len(), "{node:?}");
        }
        for child in node.children().filter(Node::is_element) {
            assert!(children.contains(&child.tag_name().name()), "{node:?}");
        }
        for name in ["tests", "failures", "errors"] {
            let Some(counted) = node.attribute(name) else {
                continue;
            };
            let is_meant = |case: &Node| match name {
                "tests" => case.has_tag_name("testcase"),
                "failures" => case.has_tag_name("failure"),
                _ => case.has_tag_name("error"),
            };
            let found = node.descendants().filter(is_meant).count();
            assert_eq!(counted, found.to_string(), "{name}");
        }
    }
}

#[test]
fn comma_separated_values_have_a_row_for_each_board() {
    let text = written("csv=report.csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<Vec<String>> = reader
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect())
        .collect();
    let names: Vec<_> = reader
        .headers()
        .unwrap()
        .iter()
        .map(str::to_owned)
        .collect();
    let column = |name: &str| -> Vec<&str> {
        let at = names.iter().position(|known| known == name).unwrap();
        rows.iter().map(|row| &*row[at]).collect()
    };
    let a = "a & b.txt";
    assert_eq!(column("path"), [a, a, a, a, a, "missing.txt", "c.jsonl"]);
    assert_eq!(column("board"), ["0", "1", "2", "3", "4", "", "0"]);
    assert_eq!(column("name"), [SHOWN, "wrong", "hard", "", "", "", "7"]);
    assert_eq!(
        column("verdict"),
        ["escape", "caught", "undecided", "", "escape", "", "escape"]
    );
    assert_eq!(column("length"), ["1", "", "", "", "1", "", "0"]);
    assert_eq!(
        column("result"),
        [
            "as expected",
            "mismatch",
            "undecided",
            "error",
            "without expectation",
            "error",
            "without expectation"
        ]
    );
    assert_eq!(column("micros"), [""; 7]);
    assert_eq!(column("message")[5], "no such file or directory");
    assert_eq!((column("line")[3], column("column")[3]), ("20", "3"));
}

#[test]
fn a_page_escapes_foreign_markup() {
    let text = written("html=report.html");
    let names = text.matches("&lt;b&gt;&amp;amp;&quot;").count();
    assert_eq!(names, 1, "{text}");
    assert!(!text.contains("<b>&amp;\""));
    for control in ['\u{1b}', '\u{1}', '\u{202e}'] {
        assert!(!text.contains(control));
    }
    assert!(
        text.contains("<p>6 boards in 3 files: 3 escape, 1 caught, 1 undecided\n"),
        "{text}"
    );
    let rows = |section: &str| -> Vec<&str> {
        let mut sections = text.split("<details");
        let rows = sections.find(|part| part.starts_with(section)).unwrap();
        let rows = rows.lines().filter(|line| line.starts_with("<tr><td"));
        rows.collect()
    };
    let failed = rows(" open><summary>Failed: 4</summary>");
    assert_eq!(failed.len(), 4, "{text}");
    let wrong = failed[0];
    assert!(wrong.contains(">a &amp; b.txt#2<svg "), "{wrong}");
    assert!(wrong.contains("<td>wrong<td>jimmy<td>caught<td"), "{wrong}");
    let missing = failed[3];
    assert!(missing.contains(">missing.txt<td"), "{missing}");
    assert_eq!(rows("><summary>Passed: 3</summary>").len(), 3);
    assert!(!text.contains("http") && !text.contains("<script") && !text.contains("<link"));
}

#[test]
fn markdown_lists_what_failed_and_each_board() {
    let text = written("markdown=report.md");
    let mut html = String::new();
    let parser = pulldown_cmark::Parser::new_ext(&text, pulldown_cmark::Options::ENABLE_TABLES);
    let mut headings = Vec::new();
    let (mut cells, mut rows, mut is_heading) = (0, 0, false);
    for event in parser {
        use pulldown_cmark::{Event, Tag, TagEnd};
        match event {
            Event::Start(Tag::Heading { .. }) => {
                is_heading = true;
                headings.push(String::new());
            }
            Event::End(TagEnd::Heading(_)) => is_heading = false,
            Event::Text(text) if is_heading => headings.last_mut().unwrap().push_str(&text),
            Event::Text(text) => html.push_str(&text),
            Event::Start(Tag::TableRow) => rows += 1,
            Event::Start(Tag::TableCell) => cells += 1,
            Event::Html(text) | Event::InlineHtml(text) | Event::Code(text) => panic!("{text}"),
            Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::Emphasis) => panic!("{text}"),
            _ => {}
        }
    }
    let expected = [
        "Boards checked by getaway",
        "Failures",
        "By file",
        "a & b.txt",
        "missing.txt",
        "c.jsonl",
    ];
    assert_eq!(headings, expected);
    assert_eq!((rows, cells), (7, 8 * (7 + 3)), "{text}");
    assert!(html.contains(SHOWN), "{html}");
    assert!(
        text.contains("  - board 2 (wrong): mismatch: expected escape, got caught\n"),
        "{text}"
    );
}

#[test]
fn several_reports_at_once_agree() {
    let reports = ["junit=r.xml", "csv=r.csv", "markdown=r.md", "html=r.html"];
    let all = |more: &[&str]| -> Vec<String> {
        let switches = reports.iter().flat_map(|report| ["--report", report]);
        let arguments: Vec<_> = ["check", "--no-timing", "a.txt"]
            .into_iter()
            .chain(switches)
            .chain(more.iter().copied())
            .collect();
        let mut run = Run::new(&arguments).file("a.txt", random_boards(sized(500, 2000)));
        run.output();
        let read = |report: &&str| {
            fs::read_to_string(run.path().join(&report[report.find('=').unwrap() + 1..]))
        };
        reports.iter().map(|report| read(report).unwrap()).collect()
    };
    let plain = all(&[]);
    assert!(plain.iter().all(|report| report.len() > 5_000));
    for more in [
        &["--json", "-j", "4"][..],
        &["--quiet", "-j", "1"],
        &["--only", "caught"],
    ] {
        assert!(all(more) == plain, "{more:?}");
    }
}

#[test]
fn a_report_that_can_not_be_written_is_an_error_at_once() {
    for (report, why) in [
        (
            "junit=no/such/r.xml",
            "no/such/r.xml: no such file or directory",
        ),
        ("html=.", ".: this is a folder; name a file in it"),
    ] {
        Run::new(&["check", "--report", report, "a.txt"])
            .file("a.txt", EXIT)
            .stderr(format!("error: {why}\n\n"))
            .status(2)
            .check();
    }
    for (report, why) in [
        ("juni=r.xml", "did you mean `junit`?"),
        ("junit", "write FORMAT=FILE, as in `junit=report.xml`"),
        ("csv=", "write FORMAT=FILE, as in `junit=report.xml`"),
    ] {
        let output = Run::new(&["check", "--report", report, "a.txt"]).output();
        let expected =
            format!("error: invalid value '{report}' for '--report <FORMAT=FILE>': {why}\n");
        assert!(output.stderr.starts_with(&expected), "{}", output.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_the_other_reports_are_written() {
    let mut run = run(&["csv=/dev/full", "junit=r.xml"]);
    let output = run.output();
    assert!(
        output
            .stderr
            .ends_with("error: /dev/full: no space left on device\n\n"),
        "{}",
        output.stderr
    );
    assert!(output.stdout.contains("6 boards in 3 files"));
    assert_eq!(output.status, Some(2));
    let text = fs::read_to_string(run.path().join("r.xml")).unwrap();
    assert!(text.ends_with("</testsuites>\n"));
}
