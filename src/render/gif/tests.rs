use super::*;

#[test]
fn only_what_changed_is_drawn_anew() {
    let old = [0; 20];
    let mut new = old;
    (new[6], new[13]) = (1, 1);
    let window = Window {
        left: 1,
        top: 1,
        width: 3,
        height: 2,
    };
    assert_eq!(Window::of_changes(&old, &new, 5), window);
    let part = window.frame((Some(&old), &new), 5);
    assert_eq!(&*part.buffer, [1, 255, 255, 255, 255, 1]);
    assert_eq!(&*window.frame((None, &new), 5).buffer, [1, 0, 0, 0, 0, 1]);
    assert_eq!(Window::of_changes(&old, &old, 5), Window::whole(1, 1));
}
