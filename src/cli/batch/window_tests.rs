use std::sync::Arc;
use std::thread;

use super::*;

#[test]
fn what_is_too_large_enters_alone() {
    let window = Window::new();
    assert!(window.enter(10 * MAX));
    window.replace(10 * MAX, 0);
    assert!(window.enter(MAX));
    assert_eq!(*window.taken(), Some(MAX));
}

#[test]
fn the_next_waits_until_there_is_room() {
    let window = Arc::new(Window::new());
    assert!(window.enter(MAX));
    let other = Arc::clone(&window);
    let next = thread::spawn(move || other.enter(2));
    // Without room, the thread can't enter, whether or not it is waiting yet.
    window.replace(MAX, MAX - 1);
    assert_eq!(*window.taken(), Some(MAX - 1));
    window.replace(MAX - 1, 1);
    assert!(next.join().unwrap());
    assert_eq!(*window.taken(), Some(3));
}

#[test]
fn nobody_waits_when_it_is_closed() {
    let window = Arc::new(Window::new());
    assert!(window.enter(MAX));
    let other = Arc::clone(&window);
    let next = thread::spawn(move || other.enter(1));
    window.close();
    assert!(!next.join().unwrap());
    window.replace(1, 2);
    assert!(!window.enter(1));
}
