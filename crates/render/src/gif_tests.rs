use super::*;

#[test]
fn only_changes_are_redrawn() {
    let old = [0; 20];
    let mut new = old;
    (new[6], new[13]) = (1, 1);
    let changed = frame(Some(&old), &new, 5);
    assert_eq!((changed.left, changed.top), (1, 1));
    assert_eq!((changed.width, changed.height), (3, 2));
    assert_eq!(&*changed.buffer, [1, 255, 255, 255, 255, 1]);
    assert_eq!(*frame(None, &new, 5).buffer, new);
    assert_eq!(&*frame(Some(&old), &old, 5).buffer, [255]);
}
