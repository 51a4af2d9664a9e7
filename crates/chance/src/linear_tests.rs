use super::*;
use getaway_board::limits::Limits;

/// Returns equations in which each unknown is the mean of its neighbours, with 0 before the first and 1 after the last.
fn line(len: u32) -> Equations {
    let mut equations = Equations::default();
    for at in 0..len {
        let neighbours = [at.checked_sub(1), Some(at + 1).filter(|&next| next < len)];
        neighbours
            .into_iter()
            .flatten()
            .for_each(|next| equations.add_item(next));
        equations.finish(0.5, if at + 1 == len { 0.5 } else { 0.0 });
    }
    equations
}

#[test]
fn slow_lines_become_straight() {
    let limits = Limits::default();
    // A few equations are solved directly. For 300, plain sweeps would have to be repeated about 100,000 times.
    for len in [1, 2, MAX_DIRECT as u32, MAX_DIRECT as u32 + 1, 300] {
        let mut x = vec![0.0; len as usize];
        line(len)
            .solve(&mut x, 1e-13, &Budget::new(&limits))
            .unwrap();
        for (at, value) in x.iter().enumerate() {
            let straight = (at + 1) as f64 / f64::from(len + 1);
            assert!(
                (value - straight).abs() < 1e-9,
                "{at} of {len}: {value} {straight}"
            );
        }
    }
}

#[test]
fn equations_use_the_memory_they_report() {
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let mut equations = None;
    let taken = getaway_testing::measure(|| {
        equations = Equations::with_capacity(100, 250, &budget).ok();
    });
    assert_eq!(budget.taken() as i64, taken.bytes_current);
}

#[test]
fn solved_values_do_not_change() {
    let limits = Limits::default();
    let mut x: Vec<f64> = (1..=100).map(|at| f64::from(at) / 101.0).collect();
    let before = x.clone();
    line(100)
        .solve(&mut x, 1e-12, &Budget::new(&limits))
        .unwrap();
    assert_eq!(x, before);
    // The residual does not grow even if the tolerance is out of reach.
    line(100).solve(&mut x, 0.0, &Budget::new(&limits)).unwrap();
    assert!(line(100).max_residual(&x) <= line(100).max_residual(&before));
}

#[test]
fn half_of_the_tolerance_may_be_left() {
    let limits = Limits::default();
    let mut solver = BiCgStab::new(3, &Budget::new(&limits)).unwrap();
    solver.residual = vec![0.25, -0.5, 0.0];
    assert!(solver.has_converged(1.0) && !solver.has_converged(0.75));
}

#[test]
fn a_residual_without_a_value_is_never_forgotten() {
    for at in 0..3 {
        let mut x = [0.25, 0.5, 0.9];
        x[at] = f64::NAN;
        assert!(line(3).max_residual(&x).is_nan(), "{at}");
    }
}
