use super::*;

fn find(set: &RowSet<u32>, row: u32, hash: RowHash) -> Option<u32> {
    set.find_from(set.slot(hash), &[row], hash)
}

#[test]
fn equal_rows_have_one_number() {
    let mut set = RowSet::default();
    let number = |set: &mut RowSet<u32>, row: u32| set.find_or_add(&[row]);
    let find = |set: &RowSet<u32>, row: u32| find(set, row, RowSet::hash(&[row]));
    set.clear(1);
    for row in 0..1000 {
        assert_eq!(find(&set, row), None);
        assert_eq!(number(&mut set, row), Lookup::New(row));
        assert_eq!(number(&mut set, row), Lookup::Known(row));
    }
    assert!((0..1000).all(|row| find(&set, row) == Some(row)));
    set.clear(1);
    assert_eq!(find(&set, 7), None);
    assert_eq!(number(&mut set, 4000), Lookup::New(0));
}

#[test]
fn the_table_grows_no_more_once_there_is_room() {
    let mut set = RowSet::default();
    set.clear(1);
    let rows = 100_000;
    let told = set.bytes(rows);
    set.reserve(rows);
    let roomy = set.slots.capacity();
    for row in 0..rows as u32 {
        set.find_or_add(&[row]);
    }
    assert_eq!(set.slots.capacity(), roomy);
    assert!(told >= (roomy * size_of::<Slot>()) as u64);
    assert!(set.bytes(rows) + 64 >= told);
}

#[test]
fn rows_are_found_after_growth_however_their_hashes_crowd() {
    let crowds: [fn(u32) -> RowHash; 4] = [
        |_| 0,
        |_| RowHash::MAX,
        |row| RowHash::MAX - row,
        |row| {
            if row % 3 == 0 {
                RowHash::MAX
            } else {
                row << 20
            }
        },
    ];
    for hash in crowds {
        let mut set = RowSet::default();
        set.clear(1);
        for row in 0..500 {
            assert_eq!(set.find_or_add_hashed(&[row], hash(row)), Lookup::New(row));
            if row % 7 == 0 {
                set.reserve(row as usize + 8);
            }
            assert!((0..=row).all(|row| find(&set, row, hash(row)) == Some(row)));
        }
    }
}
