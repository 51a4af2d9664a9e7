use super::*;
use getaway_testing::Measured;

fn push(ranks: &mut BucketQueue, number: u32, depth: u32, length: usize) {
    if !ranks.has_list(length) {
        ranks.add_lists(length);
    }
    ranks.push(number, depth, length);
}

#[test]
fn the_shortest_come_first_and_of_these_the_newest() {
    let mut ranks = BucketQueue::new();
    for (number, length) in (0..).zip([5, 3, 40, 3]) {
        push(&mut ranks, number, 1, length);
    }
    let order: Vec<_> = std::iter::from_fn(|| ranks.pop_within(usize::MAX)).collect();
    assert_eq!(order, [(3, 1), (1, 1), (0, 1), (2, 1)]);
}

#[test]
fn a_state_counts_once_and_with_its_shorter_way() {
    let mut ranks = BucketQueue::new();
    push(&mut ranks, 0, 7, 9);
    assert!(ranks.is_shorter(0, 5));
    push(&mut ranks, 0, 5, 7);
    assert_eq!(ranks.pop_within(usize::MAX), Some((0, 5)));
    assert_eq!(ranks.pop_within(usize::MAX), None);
    assert!(!ranks.is_shorter(0, 1), "it has been looked at");
}

#[test]
fn places_are_used_again() {
    let mut ranks = BucketQueue::new();
    for number in 0..1000 {
        push(&mut ranks, number, 1, 2);
        assert_eq!(ranks.pop_within(usize::MAX), Some((number, 1)));
    }
    assert_eq!(ranks.waiting.len(), 1);
}

#[test]
fn lists_take_no_more_than_was_told() {
    for length in [0, 1, 10, 1000] {
        let mut ranks = BucketQueue::new();
        let told = ranks.list_bytes(length);
        let mut measured = Measured::default();
        measured.assert_takes(told, 0.0, || ranks.add_lists(length));
        assert!(ranks.has_list(length + length / 2 + 15));
        let taken = 4 * (length + length / 2 + 16) as u64;
        assert_eq!((told, ranks.bytes(0, 0)), (taken, taken));
    }
}

#[test]
fn what_there_is_room_for_takes_no_more_than_was_told() {
    let mut ranks = BucketQueue::new();
    ranks.add_lists(2);
    for number in 0..10 {
        ranks.push(number, 1, 2);
    }
    let told = ranks.bytes(110, 100);
    ranks.reserve(110, 100);
    for number in 10..110 {
        ranks.push(number, 1, 2);
    }
    let taken = ranks.bytes(0, 0);
    assert!(told >= taken, "{told} {taken}");
    // Each state, old or new, needs a depth and an entry in `waiting`.
    let least = 110 * (size_of::<u32>() + size_of::<Waiting>()) as u64;
    assert!(
        taken >= least && told <= 2 * least,
        "{least} {taken} {told}"
    );
}

#[test]
fn places_are_numbered_up_to_the_last_that_means_none() {
    let mut ranks = BucketQueue::new();
    let most = END as usize;
    assert!(!ranks.is_full(most) && ranks.is_full(most + 1));
    push(&mut ranks, 0, 1, 2);
    assert!(!ranks.is_full(most - 1) && ranks.is_full(most));
}
