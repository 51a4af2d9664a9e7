use super::*;

/// The expected numbers are from `rand_chacha`, another implementation of `ChaCha8` with the same seeding.
#[test]
fn seeds_give_known_numbers() {
    let known = [
        ((0, 0), [6_386_783_553_385_287, 4_196_649_789_774_616]),
        ((7, 3), [1_635_183_741_686_038, 836_447_931_249_957]),
        (
            (u64::MAX, u64::MAX),
            [1_863_292_749_466_527, 3_348_459_971_377_186],
        ),
    ];
    for ((seed, run), steps) in known {
        let mut rng = Rng::of_run(seed, run);
        let drawn = [(); 2].map(|()| (rng.uniform() * (1_u64 << 53) as f64) as u64);
        assert_eq!(drawn, steps, "seed {seed}, run {run}");
    }
}

#[test]
fn a_clone_continues_the_stream() {
    let mut rng = Rng::of_run(5, 9);
    for _ in 0..100 {
        let mut copy = rng.clone();
        assert_eq!(copy, rng);
        assert_eq!(copy.uniform().to_bits(), rng.uniform().to_bits());
    }
}

#[test]
fn equal_seeds_give_equal_numbers_and_others_do_not() {
    let draw = |seed| -> Vec<f64> {
        let mut rng = Rng::new(seed);
        (0..4).map(|_| rng.uniform()).collect()
    };
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
}

#[test]
fn shuffle_and_pick_reach_every_result() {
    let mut rng = Rng::new(3);
    let mut orders = std::collections::BTreeSet::new();
    for _ in 0..200 {
        let mut items = [0, 1, 2];
        rng.shuffle(&mut items);
        orders.insert(items);
        assert!((4..=6).contains(&rng.between(4, 6)));
    }
    assert_eq!(orders.len(), 6);
    let picked: std::collections::BTreeSet<_> =
        (0..100).filter_map(|_| rng.pick(&[1, 2, 3])).collect();
    assert_eq!(picked.len(), 3);
    assert_eq!(rng.pick::<u8>(&[]), None);
}

#[test]
fn each_tenth_gets_a_tenth_of_the_numbers() {
    let mut rng = Rng::new(7);
    let mut tenths = [0_u32; 10];
    for _ in 0..100_000 {
        tenths[(rng.uniform() * 10.0) as usize] += 1;
    }
    assert!(
        tenths.iter().all(|count| count.abs_diff(10_000) < 500),
        "{tenths:?}"
    );
}
