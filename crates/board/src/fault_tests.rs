use super::*;

#[test]
fn faults_beyond_the_maximum_are_counted() {
    let mut faults = Faults::default();
    assert!(faults.is_empty());
    for line in 0..Faults::MAX as u64 + 3 {
        faults.note(Place::at(line, 1), FaultKind::NoBoard);
    }
    faults.count(4);
    let mut all = Faults::default();
    all.note(Place::at(9, 1), FaultKind::NoBoard);
    all.append(faults);
    assert_eq!(all.len(), Faults::MAX + 8);
    let error = all.into_error().expect("there are faults");
    assert_eq!((error.faults.len(), error.more), (Faults::MAX, 8));
    assert!(error.faults.is_sorted_by_key(|fault| fault.place));
}
