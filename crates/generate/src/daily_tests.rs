use std::path::Path;

use super::*;
use crate::layouts::LAYOUTS;
use getaway_testing::sized;

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

#[test]
fn dates_are_read_as_they_are_written() {
    for days in (0..=2_932_896).step_by(173) {
        let date = Date::of_days(days).unwrap();
        assert_eq!(date.to_string().parse(), Ok(date));
    }
    let known = [
        ("1970-01-01", 0, "Thursday"),
        ("2000-02-29", 11_016, "Tuesday"),
        ("2026-11-30", 20_787, "Monday"),
        ("9999-12-31", 2_932_896, "Friday"),
    ];
    for (text, days, weekday) in known {
        assert_eq!(Date::of_days(days), Some(date(text)));
        assert_eq!(WEEKDAYS[date(text).weekday()], weekday, "{text}");
    }
    assert_eq!(Date::of_days(2_932_897), None);
}

#[test]
fn other_texts_are_no_dates() {
    for text in [
        "",
        "today",
        "2026-11",
        "2026-11-30-1",
        "2026-11-31",
        "2025-02-29",
        "2026-13-01",
        "2026-1-1",
        "+2026-11-30",
        "1969-12-31",
        "10000-01-01",
    ] {
        assert!(text.parse::<Date>().is_err(), "{text}");
    }
}

fn rulesets() -> impl Iterator<Item = &'static str> {
    LAYOUTS.iter().map(|layout| layout.style().ruleset)
}

/// The file `daily.txt` has the boards of a Saturday. `BLESS=1` rewrites it, but changed boards break what people share.
#[test]
fn a_date_has_the_boards_that_it_had() {
    let date = date("2026-12-05");
    let boards = rulesets().map(|ruleset| board(date, ruleset).unwrap());
    let text = boards.collect::<Vec<_>>().concat();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/daily.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap());
}

#[test]
fn a_weekday_has_its_difficulty() {
    let days = rulesets().flat_map(|ruleset| (0..7).map(move |day| (ruleset, day)));
    for (ruleset, day) in days.step_by(sized(4, 1)) {
        let date = Date::of_days(20_822 + day).unwrap();
        assert_eq!(date.weekday() as u32, day);
        let text = board(date, ruleset).unwrap();
        let measure = |key: &str| -> Option<f64> {
            let line = text.lines().find_map(|line| line.strip_prefix(key))?;
            line.split(' ').nth(1)?.parse().ok()
        };
        let day = day as usize;
        let holds = match ruleset {
            "dungeon" => ODDS[day].contains(&measure("; probability of escape:").unwrap()),
            "maze" => measure("; path to the food:").unwrap() >= 6.0 + 2.0 * day as f64,
            _ => {
                let bits = measure("; difficulty in bits:").unwrap();
                let lines = measure("; shortest lines of play:");
                let is_unique = ruleset == "baddies" || lines == Some(1.0);
                is_unique && (BITS[day].start() - 0.01..=BITS[day].end() + 0.01).contains(&bits)
            }
        };
        assert!(holds, "{text}");
        assert!(text.contains(&format!("day {date}\n")), "{text}");
    }
}

#[test]
fn other_rulesets_have_no_daily_boards() {
    let error = board(date("2026-12-05"), "chess").unwrap_err();
    assert_eq!(error.to_string(), "`chess` has no daily boards");
}
