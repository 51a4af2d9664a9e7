//! Slow questions, answered in another thread. Only the newest question counts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use getaway_board::limits::Limits;

use crate::cli::options::{Options, Share};
use crate::cli::panics;

pub struct Asker<Q, A> {
    tasks: Sender<Arc<Task<Q, A>>>,
    open: Option<OpenQuestion<Q, A>>,
}

struct OpenQuestion<Q, A> {
    task: Arc<Task<Q, A>>,
    answer: Receiver<Result<A, String>>,
}

struct Task<Q, A> {
    question: Q,
    answer: Sender<Result<A, String>>,
    stop: AtomicBool,
}

pub struct Inbox<Q, A> {
    tasks: Receiver<Arc<Task<Q, A>>>,
    wake: Box<dyn Fn() + Send>,
}

impl<Q, A> Inbox<Q, A> {
    /// Answers the newest waiting question, skips older ones, and repeats this until the asker is dropped. The flag that
    /// `answerer` receives stops a search whose answer is no longer wanted.
    pub fn answer(self, mut answerer: impl FnMut(&Q, &AtomicBool) -> A) {
        while let Ok(first) = self.tasks.recv() {
            let newest = self.tasks.try_iter().last().unwrap_or(first);
            let answer = panics::caught(|| answerer(&newest.question, &newest.stop));
            // This fails if the question has been replaced or withdrawn.
            let _ = newest.answer.send(answer);
            (self.wake)();
        }
    }
}

impl<Q: Clone + PartialEq + Send + Sync + 'static, A: Send + 'static> Asker<Q, A> {
    /// Starts a thread that answers questions with `work`, and calls `wake` after each answer.
    pub fn new(
        wake: impl Fn() + Send + 'static,
        work: impl FnOnce(Inbox<Q, A>) + Send + 'static,
    ) -> Self {
        let (send, tasks) = mpsc::channel();
        let wake = Box::new(wake);
        thread::spawn(move || work(Inbox { tasks, wake }));
        Self {
            tasks: send,
            open: None,
        }
    }

    /// Replaces the open question and stops the search for its answer, unless the new question is the same. `None` only withdraws
    /// the open question.
    pub fn ask(&mut self, question: Option<Q>) {
        if self.open.as_ref().map(|open| &open.task.question) == question.as_ref() {
            return;
        }
        self.open = question.map(|question| {
            let (send, answer) = mpsc::channel();
            let task = Arc::new(Task {
                question,
                answer: send,
                stop: AtomicBool::new(false),
            });
            // If the thread has ended, no answer will follow.
            let _ = self.tasks.send(Arc::clone(&task));
            OpenQuestion { task, answer }
        });
    }

    pub const fn is_waiting(&self) -> bool {
        self.open.is_some()
    }

    pub fn take_answer(&mut self) -> Option<(Q, Result<A, String>)> {
        let answer = self.open.as_ref()?.answer.try_recv().ok()?;
        let open = self.open.take()?;
        Some((open.task.question.clone(), answer))
    }
}

impl<Q, A> Drop for OpenQuestion<Q, A> {
    fn drop(&mut self) {
        self.task.stop.store(true, Ordering::Relaxed);
    }
}

/// Returns the limits for a search in the background, which leaves one thread to the screen if there are several.
pub fn limits<'a>(options: &'a Options, stop: &'a AtomicBool) -> Limits<'a> {
    let limits = options.limits(Share::All);
    Limits {
        stop: Some(stop),
        threads: limits.threads.saturating_sub(1).max(1),
        ..limits
    }
}

#[cfg(test)]
#[path = "asker_tests.rs"]
mod tests;
