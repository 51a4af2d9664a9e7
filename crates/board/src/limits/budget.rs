use std::sync::atomic::{AtomicU64, Ordering};

use super::{Clock, Limit, Limits};

/// The limits on a search, and the memory of its tables.
///
/// A search requests memory before it creates or grows a table, and gives it back when it drops the table. After a limit ends a
/// search, the count may be too high until [`Budget::reset_to`] corrects it.
#[derive(Debug)]
pub struct Budget<'a> {
    /// The limits, of which `max_memory` applies to all tables together.
    pub limits: &'a Limits<'a>,
    taken: AtomicU64,
}

/// The number of bytes that are filled between two checks of the time.
const FILL: usize = 1 << 24;

impl<'a> Budget<'a> {
    /// Creates a budget of which no memory is taken.
    pub const fn new(limits: &'a Limits<'a>) -> Self {
        Self {
            limits,
            taken: AtomicU64::new(0),
        }
    }

    /// Returns a clock with the same limits.
    pub const fn clock(&self) -> Clock<'a> {
        Clock::new(self.limits)
    }

    /// Returns the number of bytes taken and not given back.
    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Checks that another `bytes` bytes would fit into the memory limit.
    ///
    /// # Errors
    ///
    /// Returns [`Limit::Memory`] if they don't fit.
    pub fn check(&self, bytes: u64) -> Result<(), Limit> {
        self.limits.check_memory(self.taken().saturating_add(bytes))
    }

    /// Counts `bytes` more bytes as taken. Call this before allocating them.
    ///
    /// # Errors
    ///
    /// Returns [`Limit::Memory`] if they don't fit.
    pub fn take(&self, bytes: u64) -> Result<(), Limit> {
        self.check(bytes)?;
        self.taken.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Counts `bytes` bytes as no longer taken. Call this when they are freed.
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
    ///
    /// # Errors
    ///
    /// Returns [`Limit::Memory`] if that does not fit.
    pub fn make_room<T>(&self, list: &mut Vec<T>, more: usize) -> Result<(), Limit> {
        if list.capacity() - list.len() < more {
            let more = more.max(list.capacity()).max(16);
            self.take(bytes::<T>(list.len() + more - list.capacity()))?;
            list.reserve_exact(more);
        }
        Ok(())
    }

    /// Appends an item, and makes room for it if necessary.
    ///
    /// # Errors
    ///
    /// Returns [`Limit::Memory`] if the list can't grow.
    pub fn push<T>(&self, list: &mut Vec<T>, item: T) -> Result<(), Limit> {
        self.make_room(list, 1)?;
        list.push(item);
        Ok(())
    }

    /// Creates an empty list with room for `len` items. Also checks the time, so that a single pass over the list needs no clock.
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached.
    pub fn with_capacity<T>(&self, len: usize) -> Result<Vec<T>, Limit> {
        self.limits.check_time()?;
        self.take(bytes::<T>(len))?;
        Ok(Vec::with_capacity(len))
    }

    /// Creates a list of `len` copies of `item`.
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached.
    pub fn filled<T: Clone>(&self, item: T, len: usize) -> Result<Vec<T>, Limit> {
        let mut list = self.with_capacity(len)?;
        let piece = FILL / size_of::<T>().max(1);
        while list.len() < len {
            self.limits.check_time()?;
            list.resize(len.min(list.len() + piece), item.clone());
        }
        Ok(list)
    }

    /// Drops a list and gives back its memory.
    pub fn free<T>(&self, list: Vec<T>) {
        self.give_back(bytes::<T>(list.capacity()));
        drop(list);
    }
}

/// Returns the size of `len` values of type `T` in bytes, without the memory that they own.
pub const fn bytes<T>(len: usize) -> u64 {
    len as u64 * size_of::<T>() as u64
}

#[cfg(test)]
#[path = "budget_tests.rs"]
mod tests;
