use super::*;

/// Returns the neighbours of each block: those whose numbers differ by one of `steps`.
fn lattice(blocks: usize, steps: [usize; 2]) -> Vec<Vec<usize>> {
    let is_next = |a: usize, b: usize| steps.contains(&a.abs_diff(b));
    let around = |block| (0..blocks).filter(|&other| is_next(block, other)).collect();
    (0..blocks).map(around).collect()
}

fn orders() -> [Vec<usize>; 3] {
    [
        (0..40).collect(),
        (0..40).rev().collect(),
        (7..31).rev().collect(),
    ]
}

#[test]
fn one_thread_keeps_to_the_order() {
    for order in orders() {
        let mut seen = Vec::new();
        let done = run(&order, 1, &lattice(40, [1, 6]), &mut |round| {
            seen.extend_from_slice(round);
            Ok(())
        });
        assert_eq!((done, seen), (Ok(()), order));
    }
}

/// In each round, the earlier neighbours of a block must be done, and the later ones must not have begun.
#[test]
fn neighbours_are_worked_on_in_order_by_many_threads() {
    for (order, steps) in orders().iter().zip([[1, 6], [6, 7], [1, 1]]) {
        let neighbours = lattice(40, steps);
        let mut done = [0; 40];
        let place = |block| order.iter().position(|&other| other == block);
        let all = run(order, 3, &neighbours, &mut |round| {
            assert!(round.len() <= 3);
            for &block in round {
                for &other in &neighbours[block] {
                    let is_before = place(other).is_some() && place(other) < place(block);
                    assert_eq!(done[other], usize::from(is_before));
                }
            }
            for &block in round {
                done[block] += 1;
            }
            Ok(())
        });
        assert_eq!(all, Ok(()));
        let expected = (0..40).map(|block| usize::from(order.contains(&block)));
        assert!(done.into_iter().eq(expected));
    }
}

#[test]
fn rounds_have_a_block_for_each_thread_if_possible() {
    let [order, ..] = orders();
    let mut rounds = Vec::new();
    run(&order, 3, &lattice(40, [20, 20]), &mut |round| {
        rounds.push(round.len());
        Ok(())
    })
    .unwrap();
    assert_eq!(rounds, [vec![3; 13], vec![1]].concat());
}

#[test]
fn a_limit_ends_the_work() {
    for (nth, threads) in [1, 2, 3].into_iter().enumerate() {
        let order = &orders()[nth];
        let mut after = 0;
        let ended = run(order, threads, &lattice(40, [1, 6]), &mut |round| {
            for &block in round {
                let is_late = if nth > 0 { block < 20 } else { block > 20 };
                if block == 20 {
                    return Err(Limit::Time);
                }
                after += usize::from(is_late);
            }
            Ok(())
        });
        assert_eq!((ended, after), (Err(Limit::Time), 0));
    }
}
