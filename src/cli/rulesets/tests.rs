use super::*;

#[test]
fn the_last_list_of_rulesets_counts() {
    let known = Registry(RwLock::new(RULESETS));
    for list in [&RULESETS[..2], &RULESETS[2..]] {
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
