use super::*;

/// An asker that answers each number with its double. The search for 0 runs until it is stopped.
struct Doubles {
    asker: Asker<u32, u32>,
    woken: Receiver<()>,
    begun: Receiver<u32>,
}

impl Doubles {
    fn new() -> Self {
        let ((wake, woken), (tell_begun, begun)) = (mpsc::channel(), mpsc::channel());
        let work = move |inbox: Inbox<u32, u32>| {
            inbox.answer(|&question, stop| {
                tell_begun.send(question).unwrap();
                while question == 0 && !stop.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
                assert!(question != 13, "thirteen");
                2 * question
            });
        };
        let asker = Asker::new(move || _ = wake.send(()), work);
        Self {
            asker,
            woken,
            begun,
        }
    }

    fn begin(&mut self, question: u32) {
        self.asker.ask(Some(question));
        while self.begun.recv().unwrap() != question {}
    }

    fn heard(&mut self) -> (u32, Result<u32, String>) {
        loop {
            self.woken.recv().unwrap();
            if let Some(heard) = self.asker.take_answer() {
                return heard;
            }
        }
    }
}

#[test]
fn a_question_is_answered() {
    let mut doubles = Doubles::new();
    doubles.asker.ask(Some(21));
    assert!(doubles.asker.is_waiting());
    assert_eq!(doubles.heard(), (21, Ok(42)));
    assert!(!doubles.asker.is_waiting());
    assert_eq!(doubles.asker.take_answer(), None);
}

#[test]
fn a_newer_question_stops_the_search_for_the_older_one() {
    let mut doubles = Doubles::new();
    doubles.begin(0);
    doubles.asker.ask(Some(4));
    assert_eq!(doubles.heard(), (4, Ok(8)));
}

#[test]
fn a_question_that_was_dropped_and_asked_again_waits_for_its_own_answer() {
    let mut doubles = Doubles::new();
    doubles.begin(0);
    doubles.asker.ask(None);
    doubles.begin(0);
    // The answer that woke the test is that of the first search, which was dropped.
    doubles.woken.recv().unwrap();
    assert_eq!(doubles.asker.take_answer(), None);
    assert!(doubles.asker.is_waiting());
}

#[test]
fn a_panic_is_an_answer_and_the_next_question_has_another() {
    let mut doubles = Doubles::new();
    doubles.asker.ask(Some(13));
    let (_, panicked) = doubles.heard();
    assert!(panicked.unwrap_err().contains("thirteen"));
    doubles.asker.ask(Some(1));
    assert_eq!(doubles.heard(), (1, Ok(2)));
}
