use super::*;

#[test]
fn faults_are_counted_whether_they_are_kept_or_not() {
    let mut faults = Faults::default();
    assert!(faults.is_empty());
    for line in 0..Faults::MAX as u64 + 3 {
        faults.note(Place::at(line, 1), FaultKind::NoBoard);
    }
    faults.count(4);
    let mut all = Faults::default();
    all.note(Place::at(9, 1), FaultKind::NoBoard);
    all.add_noted(faults);
    assert_eq!(all.len(), Faults::MAX + 8);
    let error = all.in_order().expect("there are faults");
    assert_eq!((error.faults.len(), error.more), (Faults::MAX, 8));
    assert!(error.faults.is_sorted_by_key(|fault| fault.place));
}
