use super::*;

#[test]
fn an_unknown_memory_size_counts_as_enough() {
    assert_eq!(free_in(&System::new()), UNKNOWN);
}

#[test]
fn no_more_is_free_than_there_is() {
    let mut system = System::new();
    system.refresh_memory();
    let free = free();
    assert!(free > 0 && free <= system.total_memory(), "{free}");
}
