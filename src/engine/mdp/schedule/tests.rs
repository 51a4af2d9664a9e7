use std::sync::Mutex;

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
        let seen = Mutex::new(Vec::new());
        let done = run(&sequence, &lattice(40, [1, 6]), |block| {
            seen.lock().unwrap().push(block);
            Ok(())
        });
        let mut seen = seen.into_inner().unwrap();
        assert_eq!((done, seen.is_sorted()), (Ok(()), !sequence.is_back));
        seen.sort_unstable();
        assert!(seen.into_iter().eq(sequence.blocks));
    }
}

/// When a block starts, its earlier neighbours must be done and its later ones must not have begun.
#[test]
fn neighbours_are_worked_on_in_order_by_many_threads() {
    for (sequence, steps) in sequences(3).iter().zip([[1, 6], [6, 7], [1, 1]]) {
        let neighbours = lattice(40, steps);
        let begun: Vec<_> = (0..40).map(|_| AtomicUsize::new(0)).collect();
        let done: Vec<_> = (0..40).map(|_| AtomicUsize::new(0)).collect();
        let count = |of: &AtomicUsize| of.load(Ordering::SeqCst);
        let all = run(sequence, &neighbours, |block| {
            begun[block].fetch_add(1, Ordering::SeqCst);
            for &other in neighbours[block]
                .iter()
                .filter(|other| sequence.blocks.contains(other))
            {
                let is_before = usize::from(sequence.is_before(other, block));
                assert_eq!([count(&begun[other]), count(&done[other])], [is_before; 2]);
            }
            done[block].fetch_add(1, Ordering::SeqCst);
            Ok(())
        });
        assert_eq!(all, Ok(()));
        let wanted = (0..40).map(|block| usize::from(sequence.blocks.contains(&block)));
        assert!(done.iter().map(count).eq(wanted));
    }
}

#[test]
fn a_limit_ends_the_work() {
    for (nth, threads) in [1, 2, 3].into_iter().enumerate() {
        let sequence = &sequences(threads)[nth];
        let after = AtomicUsize::new(0);
        let ended = run(sequence, &lattice(40, [1, 6]), |block| {
            let is_late = if sequence.is_back {
                block < 20
            } else {
                block > 20
            };
            if block == 20 {
                return Err(Limit::Time);
            }
            after.fetch_add(usize::from(is_late), Ordering::SeqCst);
            Ok(())
        });
        assert_eq!((ended, after.into_inner()), (Err(Limit::Time), 0));
    }
}
