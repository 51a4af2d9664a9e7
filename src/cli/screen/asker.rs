//! Slow questions, answered in another thread. Only the newest question counts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use crate::limits::Limits;

use crate::cli::options::{Options, Share};
use crate::cli::panics;

pub struct Asker<Q, A> {
    asked: Sender<Asked<Q>>,
    told: Receiver<Told<A>>,
    open: Option<Asked<Q>>,
    count: u64,
    older: Older,
    /// The flag that stops the last search when the asker is dropped.
    end: Arc<AtomicBool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Older {
    Stop,
    /// The older question is answered first, since the new one needs its results.
    Finish,
}

/// A question with a number, since the same question may be asked again.
#[derive(Clone)]
struct Asked<Q> {
    number: u64,
    question: Q,
    stop: Arc<AtomicBool>,
}

type Told<A> = (u64, Result<A, String>);

pub struct Inbox<Q, A> {
    asked: Receiver<Asked<Q>>,
    told: Sender<Told<A>>,
    wake: Box<dyn Fn() + Send>,
}

impl<Q, A> Inbox<Q, A> {
    /// Answers questions until the asker is dropped. Its flag stops the search.
    pub fn answer(self, mut answerer: impl FnMut(&Q, &AtomicBool) -> A) {
        while let Ok(first) = self.asked.recv() {
            let newest = self.asked.try_iter().last().unwrap_or(first);
            let answer = panics::caught(|| answerer(&newest.question, &newest.stop));
            if self.told.send((newest.number, answer)).is_err() {
                return;
            }
            (self.wake)();
        }
    }
}

impl<Q: Clone + PartialEq + Send + 'static, A: Send + 'static> Asker<Q, A> {
    /// Starts a thread that answers questions with `work`, and calls `wake` after each answer.
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

    /// Replaces the open question, unless the new one is the same.
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
            // If the thread has ended, no answer will follow.
            let _ = self.asked.send(asked.clone());
            asked
        });
    }
}

impl<Q, A> Asker<Q, A> {
    pub const fn is_waiting(&self) -> bool {
        self.open.is_some()
    }

    pub fn hear(&mut self) -> Option<(Q, Result<A, String>)> {
        let number = self.open.as_ref()?.number;
        let (_, answer) = self.told.try_iter().find(|told| told.0 == number)?;
        let open = self.open.take()?;
        Some((open.question, answer))
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

/// Returns the limits for a search in the background, which leaves one thread to the screen.
pub fn limits<'a>(options: &'a Options, stop: &'a AtomicBool) -> Limits<'a> {
    let limits = options.limits(Share::All);
    Limits {
        stop: Some(stop),
        threads: limits.threads.saturating_sub(1).max(1),
        ..limits
    }
}

#[cfg(test)]
mod tests;
