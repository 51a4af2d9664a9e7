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

#[test]
fn the_last_list_of_rulesets_counts() {
    let known = Registry(RwLock::new(rulesets::RULESETS));
    for list in [&rulesets::RULESETS[..2], &rulesets::RULESETS[2..]] {
        known.set(list);
        assert!(
            known
                .get()
                .iter()
                .map(|entry| entry.name)
                .eq(list.iter().map(|entry| entry.name))
        );
    }
}
