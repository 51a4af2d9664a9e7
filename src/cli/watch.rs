//! Watches files, so that a change starts a new search and stops an outdated one.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::{Result, anyhow};

use super::files::{failed, folder};
use super::options::on_interrupt;

pub struct FileWatcher {
    changed: Arc<AtomicBool>,
    interrupted: Arc<AtomicBool>,
}

const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Files count as saved after this time without changes.
const REST: Duration = Duration::from_millis(60);
/// The maximum number of times to wait for [`REST`] after a change.
const MAX_WAITS: usize = 10;

impl FileWatcher {
    /// Watches files. They need not exist yet, but their folders must. From now on, an interrupt ends the watching, and a second
    /// one ends the program.
    pub fn new(files: Vec<PathBuf>) -> Result<Self> {
        let [changed, interrupted] = [(); 2].map(|()| Arc::default());
        // The order matters: see `begin`.
        on_interrupt(&[&interrupted, &changed])?;
        for folder in files.iter().map(|file| folder(file)) {
            folder
                .metadata()
                .map_err(|error| anyhow!("can't watch {}", failed(folder, &error)))?;
        }
        let flag = Arc::clone(&changed);
        let mut seen = stamps(&files);
        thread::spawn(move || {
            loop {
                thread::sleep(POLL_INTERVAL);
                let now = stamps(&files);
                if now != seen {
                    seen = now;
                    flag.store(true, Ordering::SeqCst);
                }
            }
        });
        Ok(Self {
            changed,
            interrupted,
        })
    }

    pub fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.changed)
    }

    /// Starts a round, in which earlier changes no longer count. Returns false after an interrupt.
    pub fn begin(&self) -> bool {
        self.changed.store(false, Ordering::SeqCst);
        // An interrupt sets `interrupted` first, so it can't be lost between these two statements.
        !self.interrupted.load(Ordering::SeqCst)
    }

    /// Waits for a change since [`FileWatcher::begin`], and then for a short time without changes. An interrupt ends the wait.
    pub fn wait(&self) {
        while !self.changed.load(Ordering::SeqCst) {
            thread::sleep(POLL_INTERVAL);
        }
        for _ in 0..MAX_WAITS {
            self.changed.store(false, Ordering::SeqCst);
            if self.interrupted.load(Ordering::SeqCst) {
                return;
            }
            thread::sleep(REST);
            if !self.changed.load(Ordering::SeqCst) {
                return;
            }
        }
    }
}

/// A file's size, and the times of its creation and of its last change as far as the file system keeps them; `None` if it is
/// missing.
type Stamp = Option<(u64, Option<SystemTime>, Option<SystemTime>)>;

/// Returns the stamps of files or, for links, of their targets.
fn stamps(files: &[PathBuf]) -> Vec<Stamp> {
    let stamp = |file: &PathBuf| {
        let meta = fs::metadata(file).ok()?;
        Some((meta.len(), meta.created().ok(), meta.modified().ok()))
    };
    files.iter().map(stamp).collect()
}
