//! Questions that take their time are answered beside the screen: the newest question counts, and a search
//! for the answer to an older one is stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use crate::limits::Limits;

use crate::cli::options::{Options, Share};
use crate::cli::panics;

/// Asks questions `Q` and hears answers `A`.
pub struct Asker<Q, A> {
    asked: Sender<Asked<Q>>,
    told: Receiver<Told<A>>,
    /// The question that has no answer yet.
    open: Option<Asked<Q>>,
    /// How many questions have been asked.
    count: u64,
    older: Older,
    /// Set when nothing is to be found out any more.
    end: Arc<AtomicBool>,
}

/// What becomes of the search for an answer when another question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Older {
    /// It is stopped.
    Stop,
    /// It is finished first, since what it finds out serves for the other question as well.
    Finish,
}

/// A question on its way. The same question may be asked again, so each has a number.
#[derive(Clone)]
struct Asked<Q> {
    number: u64,
    question: Q,
    stop: Arc<AtomicBool>,
}

struct Told<A> {
    number: u64,
    answer: Result<A, String>,
}

/// Where the questions arrive.
pub struct Inbox<Q, A> {
    asked: Receiver<Asked<Q>>,
    told: Sender<Told<A>>,
    wake: Box<dyn Fn() + Send>,
}

impl<Q, A> Inbox<Q, A> {
    /// Answers the questions as long as there is anybody to ask them. The answerer is to end its search
    /// when the flag is set.
    pub fn answer(self, mut answerer: impl FnMut(&Q, &AtomicBool) -> A) {
        while let Ok(first) = self.asked.recv() {
            let newest = self.asked.try_iter().last().unwrap_or(first);
            let answer = panics::caught(|| answerer(&newest.question, &newest.stop));
            let number = newest.number;
            if self.told.send(Told { number, answer }).is_err() {
                return;
            }
            (self.wake)();
        }
    }
}

impl<Q: Clone + PartialEq + Send + 'static, A: Send + 'static> Asker<Q, A> {
    /// One whose questions are answered by `work` in a thread of its own; `wake` is called when there is an
    /// answer to be heard.
    pub fn new(
        older: Older,
        wake: impl Fn() + Send + 'static,
        work: impl FnOnce(Inbox<Q, A>) + Send + 'static,
    ) -> Self {
        let ((ask, asked), (tell, told)) = (mpsc::channel(), mpsc::channel());
        let inbox = Inbox {
            asked,
            told: tell,
            wake: Box::new(wake),
        };
        thread::spawn(move || work(inbox));
        Self {
            asked: ask,
            told,
            open: None,
            count: 0,
            older,
            end: Arc::default(),
        }
    }

    /// Asks this question rather than the one before, unless it is the same; without one, none.
    pub fn ask(&mut self, question: Option<Q>) {
        if self.open.as_ref().map(|open| &open.question) == question.as_ref() {
            return;
        }
        if self.older == Older::Stop {
            self.stop();
        }
        self.open = question.map(|question| {
            self.count += 1;
            let asked = Asked {
                number: self.count,
                question,
                stop: match self.older {
                    Older::Stop => Arc::default(),
                    Older::Finish => Arc::clone(&self.end),
                },
            };
            // Nobody takes it any more if the thread has ended, and then there is no answer.
            let _ = self.asked.send(asked.clone());
            asked
        });
    }
}

impl<Q, A> Asker<Q, A> {
    /// Whether a question has no answer yet.
    pub const fn is_waiting(&self) -> bool {
        self.open.is_some()
    }

    /// The answer to the question that counts, if there is one by now; or the text of a panic.
    pub fn hear(&mut self) -> Option<(Q, Result<A, String>)> {
        let number = self.open.as_ref()?.number;
        let told = self.told.try_iter().find(|told| told.number == number)?;
        let open = self.open.take()?;
        Some((open.question, told.answer))
    }

    fn stop(&self) {
        if let Some(open) = &self.open {
            open.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl<Q, A> Drop for Asker<Q, A> {
    fn drop(&mut self) {
        self.stop();
        self.end.store(true, Ordering::Relaxed);
    }
}

/// The limits of a search beside the screen: a thread is left to the keys.
pub fn limits<'a>(options: &'a Options, stop: &'a AtomicBool) -> Limits<'a> {
    let limits = options.limits(Share::All);
    Limits {
        stop: Some(stop),
        threads: limits.threads.saturating_sub(1).max(1),
        ..limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One who asks for the doubles of numbers. To 0 no answer is found until the search is stopped.
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
            let asker = Asker::new(Older::Stop, move || _ = wake.send(()), work);
            Self {
                asker,
                woken,
                begun,
            }
        }

        /// Asks, and waits until the search for the answer has begun.
        fn begin(&mut self, question: u32) {
            self.asker.ask(Some(question));
            while self.begun.recv().unwrap() != question {}
        }

        /// Waits for the answer.
        fn heard(&mut self) -> (u32, Result<u32, String>) {
            loop {
                self.woken.recv().unwrap();
                if let Some(heard) = self.asker.hear() {
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
        assert_eq!(doubles.asker.hear(), None);
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
        // The first search was ended before the second began, and its answer does not count.
        doubles.woken.recv().unwrap();
        assert_eq!(doubles.asker.hear(), None);
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
}
