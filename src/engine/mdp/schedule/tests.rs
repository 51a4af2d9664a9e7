use super::*;

/// Returns the neighbours of each block: those whose numbers differ by one of `steps`.
fn lattice(blocks: usize, steps: [usize; 2]) -> Vec<Vec<usize>> {
    let is_next = |a: usize, b: usize| steps.contains(&a.abs_diff(b));
    let around = |block| (0..blocks).filter(|&other| is_next(block, other)).collect();
    (0..blocks).map(around).collect()
}

fn sequences(threads: usize) -> [Sequence; 3] {
    [(0..40, false), (0..40, true), (7..31, true)].map(|(blocks, is_back)| Sequence {
        blocks,
        is_back,
        threads,
    })
}

#[test]
fn one_thread_goes_there_or_back() {
    for sequence in sequences(1) {
        let mut seen: Vec<usize> = Vec::new();
        let done = run(&sequence, &lattice(40, [1, 6]), |round| {
            seen.extend(round);
            Ok(())
        });
        assert_eq!((done, seen.is_sorted()), (Ok(()), !sequence.is_back));
        seen.sort_unstable();
        assert!(seen.into_iter().eq(sequence.blocks));
    }
}

/// In each round, the earlier neighbours of a block must be done, and the later ones must not have begun.
#[test]
fn neighbours_are_worked_on_in_order_by_many_threads() {
    for (sequence, steps) in sequences(3).iter().zip([[1, 6], [6, 7], [1, 1]]) {
        let neighbours = lattice(40, steps);
        let mut done = [0; 40];
        let all = run(sequence, &neighbours, |round| {
            assert!(round.len() <= 3);
            for &block in round {
                for &other in neighbours[block]
                    .iter()
                    .filter(|other| sequence.blocks.contains(other))
                {
                    let is_before = usize::from(sequence.is_before(other, block));
                    assert_eq!(done[other], is_before);
                }
            }
            round.iter().for_each(|&block| done[block] += 1);
            Ok(())
        });
        assert_eq!(all, Ok(()));
        let wanted = (0..40).map(|block| usize::from(sequence.blocks.contains(&block)));
        assert!(done.into_iter().eq(wanted));
    }
}

#[test]
fn rounds_have_a_block_for_each_thread_if_possible() {
    let [sequence, ..] = sequences(3);
    let mut rounds = Vec::new();
    run(&sequence, &lattice(40, [20, 20]), |round| {
        rounds.push(round.len());
        Ok(())
    })
    .unwrap();
    assert_eq!(rounds, [vec![3; 13], vec![1]].concat());
}

#[test]
fn a_limit_ends_the_work() {
    for (nth, threads) in [1, 2, 3].into_iter().enumerate() {
        let sequence = &sequences(threads)[nth];
        let mut after = 0;
        let ended = run(sequence, &lattice(40, [1, 6]), |round| {
            for &block in round {
                let is_late = if sequence.is_back {
                    block < 20
                } else {
                    block > 20
                };
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
