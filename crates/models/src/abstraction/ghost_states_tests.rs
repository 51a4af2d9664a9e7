use super::*;

#[test]
fn lists_come_in_the_order_of_their_ranks_and_all_of_them() {
    for size in 0..4 {
        for end in 0..8 {
            let mut nth = 0;
            for_each_list(end, size, &mut |list| {
                assert_eq!(rank(list), nth, "{list:?}");
                assert!(list.is_sorted_by(|a, b| a < b) && list.len() == size);
                nth += 1;
                Ok::<(), ()>(())
            })
            .unwrap();
            assert_eq!(nth, binomial(end, size), "{size} of {end}");
        }
    }
}
