use std::sync::Arc;
use std::thread;

use super::*;

const fn answers(bytes: u64) -> Load {
    Load {
        text: 0,
        answers: bytes,
    }
}

#[test]
fn what_is_too_large_enters_alone() {
    let window = Window::new(0);
    assert!(window.enter(answers(10 * MOST_ANSWERS)));
    window.replace(answers(10 * MOST_ANSWERS), Load::default());
    assert!(window.enter(answers(MOST_ANSWERS)));
    assert_eq!(*window.taken(), Some(answers(MOST_ANSWERS)));
}

#[test]
fn the_next_waits_until_there_is_room() {
    let window = Arc::new(Window::new(0));
    assert!(window.enter(answers(MOST_ANSWERS)));
    let other = Arc::clone(&window);
    let next = thread::spawn(move || other.enter(answers(2)));
    // Without room, the thread can't enter, whether or not it is waiting yet.
    window.replace(answers(MOST_ANSWERS), answers(MOST_ANSWERS - 1));
    assert_eq!(*window.taken(), Some(answers(MOST_ANSWERS - 1)));
    window.replace(answers(MOST_ANSWERS - 1), answers(1));
    assert!(next.join().unwrap());
    assert_eq!(*window.taken(), Some(answers(3)));
}

#[test]
fn nobody_waits_when_it_is_closed() {
    let window = Arc::new(Window::new(0));
    assert!(window.enter(answers(MOST_ANSWERS)));
    let other = Arc::clone(&window);
    let next = thread::spawn(move || other.enter(answers(1)));
    window.close();
    assert!(!next.join().unwrap());
    window.replace(answers(1), answers(2));
    assert!(!window.enter(answers(1)));
}
