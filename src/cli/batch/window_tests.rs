use std::sync::Arc;
use std::thread;

use super::*;

#[test]
fn what_is_too_large_enters_alone() {
    let window = Window::new();
    assert!(window.enter(10 * MOST));
    window.replace(10 * MOST, 0);
    assert!(window.enter(MOST));
    assert_eq!(*window.taken(), Some(MOST));
}

#[test]
fn the_next_waits_until_there_is_room() {
    let window = Arc::new(Window::new());
    assert!(window.enter(MOST));
    let other = Arc::clone(&window);
    let next = thread::spawn(move || other.enter(2));
    // Without room, the thread can't enter, whether or not it is waiting yet.
    window.replace(MOST, MOST - 1);
    assert_eq!(*window.taken(), Some(MOST - 1));
    window.replace(MOST - 1, 1);
    assert!(next.join().unwrap());
    assert_eq!(*window.taken(), Some(3));
}

#[test]
fn nobody_waits_when_it_is_closed() {
    let window = Arc::new(Window::new());
    assert!(window.enter(MOST));
    let other = Arc::clone(&window);
    let next = thread::spawn(move || other.enter(1));
    window.close();
    assert!(!next.join().unwrap());
    window.replace(1, 2);
    assert!(!window.enter(1));
}
