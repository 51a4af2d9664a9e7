use super::*;

fn added(set: &mut RowSet<u32>, row: u32) -> (u32, bool) {
    set.add_fresh(&[row], RowSet::hash(&[row]))
}

fn found(set: &RowSet<u32>, row: u32) -> Option<u32> {
    set.find(&[row], RowSet::hash(&[row]))
}

#[test]
fn fresh_rows_are_told_apart_at_once_and_found_when_they_are_settled() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    let pool = pool.unwrap();
    let mut set = RowSet::default();
    set.clear(1);
    for row in 0..1000 {
        assert_eq!(set.add(&[row], RowSet::hash(&[row])), row);
    }
    for (from, pool) in [(1000, None), (2000, Some(&pool)), (3000, Some(&pool))] {
        let rows = from..from + 1000;
        set.reserve(from as usize + 1000);
        for row in rows.clone() {
            assert_eq!(added(&mut set, row), (row, true));
            assert_eq!(added(&mut set, row), (row, false));
            assert_eq!(found(&set, row), None);
        }
        set.flush(pool);
        assert!(rows.clone().all(|row| found(&set, row) == Some(row)));
    }
    assert!((0..4000).all(|row| found(&set, row) == Some(row)));
    assert_eq!(set.tables.len(), TABLES);
    assert_eq!(added(&mut set, 4000), (4000, true));
    set.clear(1);
    assert_eq!((found(&set, 7), set.tables.len()), (None, 1));
    assert_eq!(added(&mut set, 4000), (0, true));
    set.flush(None);
    assert_eq!(found(&set, 4000), Some(0));
    assert_eq!(set.add(&[5], RowSet::hash(&[5])), 1);
    assert_eq!(found(&set, 5), Some(1));
}

#[test]
fn many_tables_grow_no_more_once_there_is_room() {
    let mut set = RowSet::default();
    set.clear(1);
    set.flush(None);
    let rows = 100_000;
    let told = set.bytes(rows);
    set.reserve(rows);
    set.flush(None);
    let roomy: Vec<_> = set.tables.iter().map(Numbers::allocation_size).collect();
    for row in 0..rows as u32 {
        added(&mut set, row);
    }
    set.flush(None);
    let now: Vec<_> = set.tables.iter().map(Numbers::allocation_size).collect();
    assert_eq!(now, roomy);
    assert!(told >= now.iter().sum::<usize>() as u64);
    assert!(set.bytes(rows) >= told);
}

#[test]
fn a_row_is_met_again_at_a_smaller_depth_alone() {
    let mut batch = Batch::default();
    batch.clear(1);
    let mut meet = |row: u32, depth| batch.meet(&[row], RowSet::hash(&[row]), depth);
    assert_eq!([meet(7, 5), meet(8, 5)], [Some(0), Some(1)]);
    assert_eq!(
        [5, 6, 3, 3, 4, 2].map(|depth| meet(7, depth)),
        [None, None, Some(0), None, None, Some(0)]
    );
}
