use super::*;
use crate::limits::Limits;

#[test]
fn many_pages_are_sorted() {
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    // Distinct numbers in no particular order.
    let page = |at: u64| Page::empty(at.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for count in [0, 1, 5000, 100_000] {
        let mut pages: Vec<Page> = (0..count).map(page).collect();
        sort(&mut pages, &mut budget.clock()).unwrap();
        assert!(pages.is_sorted_by_key(|page| page.number));
        // Sorted input takes no more work.
        sort(&mut pages, &mut budget.clock()).unwrap();
        assert!(pages.is_sorted_by_key(|page| page.number));
    }
}
