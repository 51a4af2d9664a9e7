use super::*;

#[test]
fn taken_memory_counts_until_it_is_given_back() {
    let limits = Limits {
        max_memory: Some(1000),
        ..Limits::default()
    };
    let budget = Budget::new(&limits);
    let list = budget.filled(7_u64, 100).unwrap();
    assert_eq!((list.len(), budget.taken()), (100, 800));
    assert_eq!(budget.filled(0_u8, 201), Err(Limit::Memory));
    assert_eq!(
        budget.with_capacity::<u8>(200).map(|list| list.len()),
        Ok(0)
    );
    budget.free(list);
    assert_eq!(budget.taken(), 200);
}

#[test]
fn lists_stop_growing_at_the_memory_limit() {
    let limits = Limits {
        max_memory: Some(100),
        ..Limits::default()
    };
    let budget = Budget::new(&limits);
    let mut list = Vec::new();
    let pushed = (0..).take_while(|&item: &u8| budget.push(&mut list, item).is_ok());
    assert_eq!(pushed.count(), 64);
    assert_eq!((list.capacity(), budget.taken()), (64, 64));
}
