use std::sync::atomic::AtomicBool;

use getaway_testing::measure as counted;

use super::*;
use crate::layouts;
use getaway_solvers::rulesets::{RULESETS, find};

fn meter<'l>(ruleset: &str, limits: Limits<'l>) -> Meter<'l> {
    Meter {
        layout: layouts::find(ruleset).unwrap(),
        ruleset: find(RULESETS, ruleset).unwrap(),
        limits,
    }
}

fn found(meter: &Meter, rows: &[&[u8]], max: usize) -> Variants {
    let sketch = Sketch::of_rows(rows).unwrap();
    let unlimited = Meter {
        limits: Limits::default(),
        ..*meter
    };
    let given = measure(&unlimited, &sketch, Rank::Moves).unwrap().unwrap();
    let mut search = VariantSearch {
        meter: *meter,
        sketch: &sketch,
        given,
        rank: Rank::Moves,
        selection: Selection {
            aim: Aim::Keep,
            rank: None,
            max,
        },
        found: Variants::default(),
    };
    let limit = search.run(&|_| ()).err();
    Variants {
        limit,
        ..search.found
    }
}

#[test]
fn no_more_variants_are_kept_than_requested() {
    let meter = meter("jimmy", Limits::default());
    let rows: [&[u8]; 4] = [b"######", b"#o..g#", b"#.##.#", b"###..."];
    let [all, some] = [1000, 5].map(|max| found(&meter, &rows, max));
    assert!(all.count > 50 && all.hardest.len() as u64 == all.count);
    assert_eq!((some.hardest.len(), some.count), (5, all.count));
    let changes = |variants: &Variants| -> Vec<Sketch> {
        let hardest = variants.hardest.iter().take(5);
        hardest.map(|variant| variant.sketch.clone()).collect()
    };
    assert_eq!(changes(&some), changes(&all));
}

/// This board has 40 million variants, too many to create them all in advance.
#[test]
fn variants_are_made_lazily() {
    let stop = AtomicBool::new(true);
    let limits = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let meter = meter("jimmy", limits);
    let mut row = b"#.".repeat(50);
    row[50] = b'o';
    let rows = [&row[..]; 100].map(<[u8]>::to_vec);
    let mut rows: Vec<Vec<u8>> = rows.into();
    rows[1..].iter_mut().for_each(|row| row[50] = b'#');
    let rows: Vec<&[u8]> = rows.iter().map(|row| &**row).collect();
    let mut variants = None;
    let taken = counted(|| variants = Some(found(&meter, &rows, 10)));
    assert_eq!(variants.unwrap().limit, Some(Limit::Interrupt));
    assert!(taken.bytes_max < 4 << 20, "{}", taken.bytes_max);
}
