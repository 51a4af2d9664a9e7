use super::*;
use getaway_testing::Measured;

fn queue() -> Frontier {
    let mut queue = Frontier::new();
    queue.clear(Order::Shortest);
    queue
}

fn pop(queue: &mut Frontier) -> Option<u32> {
    queue.pop_within(usize::MAX)
}

#[test]
fn shorter_lines_come_first_and_newer_states_before_older_ones() {
    let mut queue = queue();
    for (number, length) in (0..).zip([3, 5, 40, 3]) {
        queue.push(number, 1, length);
    }
    let order: Vec<_> = std::iter::from_fn(|| pop(&mut queue)).collect();
    assert_eq!(order, [3, 0, 1, 2]);
}

#[test]
fn a_state_is_popped_once_with_its_least_depth() {
    let mut queue = queue();
    queue.push(0, 7, 7);
    queue.push(1, 7, 9);
    assert!(queue.is_shorter(1, 5));
    queue.push(1, 5, 7);
    assert_eq!((pop(&mut queue), queue.depth_after(1)), (Some(1), 6));
    assert_eq!((pop(&mut queue), pop(&mut queue)), (Some(0), None));
    assert!(!queue.is_shorter(1, 1), "it has been expanded");
}

#[test]
fn longer_lines_wait_and_more_of_the_same_length_may_follow() {
    let mut queue = queue();
    queue.push(0, 1, 2);
    queue.push(1, 1, 3);
    assert_eq!((pop(&mut queue), queue.lowest()), (Some(0), 2));
    assert_eq!(queue.pop_within(2), None);
    queue.push(2, 2, 2);
    assert_eq!(queue.pop_within(2), Some(2));
    assert_eq!((pop(&mut queue), queue.lowest()), (Some(1), 3));
}

#[test]
fn a_queue_takes_about_as_much_memory_as_reported() {
    for buckets in [1, 10] {
        let mut queue = queue();
        let told = queue.bytes(10_000);
        let mut measured = Measured::default();
        measured.assert_takes(told, 0.5, || {
            queue.reserve(10_000);
            for number in 0..10_000 {
                queue.push(number, 1, 2 + number as usize % buckets);
            }
        });
    }
}
