use super::*;
use getaway_testing::Measured;

#[test]
fn lists_use_the_memory_they_report() {
    let (mut table, mut measured) = (Vec::<[u32; 3]>::new(), Measured::default());
    for len in [7, 5, 100, 100_000] {
        let told = vec_bytes(&table, len);
        measured.assert_takes(told, 0.0, || reserve(&mut table, len));
    }
}

#[test]
fn pages_use_the_memory_they_report() {
    let (mut rows, mut measured) = (Rows::of_width(3), Measured::default());
    // The first page doubles when it is full, so it may take much less than announced.
    for (len, share) in [
        (1000, 0.7),
        (20_000, 0.03),
        (100_000, 0.03),
        (300_000, 0.03),
    ] {
        let told = rows.bytes(len);
        measured.assert_takes(told, share, || {
            while rows.len() < len {
                rows.push(&[1_u32, 2, 3]);
            }
        });
    }
}

#[test]
fn rows_are_read_back_over_all_pages() {
    let mut rows = Rows::of_width(3);
    let many = 3 * Rows::<u32>::PAGE / 12;
    for at in 0..many as u32 {
        rows.push(&[at, at + 1, at + 2]);
    }
    assert_eq!((rows.len(), rows.is_empty()), (many, false));
    assert!(rows.pages.len() > 1);
    // All pages except the first are allocated at full size from the start.
    assert_eq!(rows.pages[1].capacity(), 3 << rows.shift);
    for at in 0..many {
        let at32 = at as u32;
        assert_eq!(rows.row(at), [at32, at32 + 1, at32 + 2]);
    }
    rows.clear(1);
    assert!(rows.is_empty());
    rows.push(&[7]);
    assert_eq!(rows.row(0), [7]);
}

#[test]
fn a_row_larger_than_a_page_has_a_page_of_its_own() {
    let width = 2 * Rows::<u8>::PAGE;
    let mut rows = Rows::of_width(width);
    for byte in 0..3_u8 {
        rows.push(&vec![byte; width]);
    }
    assert_eq!(rows.row(2)[width - 1], 2);
    assert!(rows.bytes(3) < 4 * width as u64);
}

#[test]
fn lists_never_report_too_little_memory() {
    let mut list = Vec::<u64>::new();
    assert_eq!(vec_bytes(&list, 10), 80);
    reserve(&mut list, 10);
    assert!(list.capacity() >= 10);
    assert_eq!(vec_bytes(&list, 5), 8 * list.capacity() as u64);
}
