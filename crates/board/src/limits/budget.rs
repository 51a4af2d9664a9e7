use std::sync::atomic::{AtomicU64, Ordering};

use super::{Clock, Limit, Limits};

/// The limits on a search, and the memory of its tables.
///
/// A search requests memory before it creates or grows a table, and gives it back when it drops the table. After a limit ends a
/// search, the count may be too high until [`Budget::reset_to`] corrects it.
#[derive(Debug)]
pub struct Budget<'a> {
    pub limits: &'a Limits<'a>,
    taken: AtomicU64,
}

const FILL: usize = 1 << 24;

impl<'a> Budget<'a> {
    pub const fn new(limits: &'a Limits<'a>) -> Self {
        Self {
            limits,
            taken: AtomicU64::new(0),
        }
    }

    pub const fn clock(&self) -> Clock<'a> {
        Clock::new(self.limits)
    }

    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    pub fn check(&self, bytes: u64) -> Result<(), Limit> {
        self.limits.check_memory(self.taken().saturating_add(bytes))
    }

    pub fn take(&self, bytes: u64) -> Result<(), Limit> {
        self.check(bytes)?;
        self.taken.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    pub fn give_back(&self, bytes: u64) {
        let left = |taken: u64| Some(taken.saturating_sub(bytes));
        let given = self
            .taken
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
        debug_assert!(given.is_ok(), "the update always succeeds");
    }

    /// Gives back all memory taken since [`Budget::taken`] returned `taken`.
    pub fn reset_to(&self, taken: u64) {
        self.taken.store(taken, Ordering::Relaxed);
    }

    /// Makes room for `more` items. A list that must grow gets at least as much free room as its capacity was.
    pub fn make_room<T>(&self, list: &mut Vec<T>, more: usize) -> Result<(), Limit> {
        if list.capacity() - list.len() < more {
            let more = more.max(list.capacity()).max(16);
            self.take(bytes::<T>(list.len() + more - list.capacity()))?;
            list.reserve_exact(more);
        }
        Ok(())
    }

    pub fn push<T>(&self, list: &mut Vec<T>, item: T) -> Result<(), Limit> {
        self.make_room(list, 1)?;
        list.push(item);
        Ok(())
    }

    /// Creates a list. Also checks the time, so that a single pass over the list needs no clock.
    pub fn with_capacity<T>(&self, len: usize) -> Result<Vec<T>, Limit> {
        self.limits.check_time()?;
        self.take(bytes::<T>(len))?;
        Ok(Vec::with_capacity(len))
    }

    pub fn filled<T: Clone>(&self, item: T, len: usize) -> Result<Vec<T>, Limit> {
        let mut list = self.with_capacity(len)?;
        let piece = FILL / size_of::<T>().max(1);
        while list.len() < len {
            self.limits.check_time()?;
            list.resize(len.min(list.len() + piece), item.clone());
        }
        Ok(list)
    }

    pub fn free<T>(&self, list: Vec<T>) {
        self.give_back(bytes::<T>(list.capacity()));
        drop(list);
    }
}

pub const fn bytes<T>(len: usize) -> u64 {
    len as u64 * size_of::<T>() as u64
}

#[cfg(test)]
#[path = "budget_tests.rs"]
mod tests;
