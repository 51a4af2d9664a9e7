//! Watches files, so that a change starts a new search and stops an outdated one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::inputs::{failed, folder};
use super::interrupts;
use crate::answers::words::path_name;

pub struct Watch {
    watcher: RecommendedWatcher,
    folders: BTreeSet<PathBuf>,
    lost: BTreeSet<PathBuf>,
    changed: Arc<AtomicBool>,
    interrupted: Arc<AtomicBool>,
}

const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Files count as saved after this time without changes.
const REST: Duration = Duration::from_millis(60);
/// The maximum number of times to wait for [`REST`] after a change.
const PATIENCE: usize = 10;

impl Watch {
    /// Watches files, which need not exist yet. From now on, an interrupt ends the watching, and a second one ends the program.
    pub fn new(files: &[&Path]) -> Result<Self> {
        let [changed, interrupted] = [(); 2].map(|()| Arc::default());
        // The order matters: see `begin`.
        interrupts::set(&[&interrupted, &changed])?;
        let mut places = BTreeSet::new();
        for file in files {
            places.extend(places_of(file)?);
        }
        let folder = |place: &PathBuf| place.parent().map(Path::to_owned);
        let folders = places.iter().filter_map(folder).collect();
        let told = Arc::clone(&changed);
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if event.is_ok_and(|event| is_change(&event, &places)) {
                told.store(true, Ordering::SeqCst);
            }
        })?;
        let mut watch = Self {
            watcher,
            folders,
            lost: BTreeSet::new(),
            changed,
            interrupted,
        };
        for folder in watch.folders.clone() {
            watch
                .watch(&folder)
                .with_context(|| format!("can't watch {}", path_name(&folder)))?;
        }
        Ok(watch)
    }

    /// Watches a file's folder, since many editors save by replacing the file.
    fn watch(&mut self, folder: &Path) -> notify::Result<()> {
        self.watcher.watch(folder, RecursiveMode::NonRecursive)
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

    /// Waits for a change since [`Watch::begin`], and then until there has been no change for a short time.
    pub fn wait(&mut self) {
        while !self.changed.load(Ordering::SeqCst) {
            thread::sleep(POLL_INTERVAL);
            self.find_lost();
        }
        for _ in 0..PATIENCE {
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

    /// Watches folders again that have reappeared.
    fn find_lost(&mut self) {
        for folder in self.folders.clone() {
            if !folder.is_dir() {
                self.lost.insert(folder);
            } else if self.lost.contains(&folder) && self.watch(&folder).is_ok() {
                self.lost.remove(&folder);
                self.changed.store(true, Ordering::SeqCst);
            }
        }
    }
}

/// Returns the paths to watch for a file: its own path and, if it is a link, that of its target.
fn places_of(file: &Path) -> Result<Vec<PathBuf>> {
    let folder = folder(file);
    let found = folder
        .canonicalize()
        .map_err(|error| anyhow!("can't watch {}", failed(folder, &error)))?;
    let own = file.file_name().map(|name| found.join(name));
    Ok(own.into_iter().chain(file.canonicalize()).collect())
}

fn is_change(event: &Event, places: &BTreeSet<PathBuf>) -> bool {
    let is_access = matches!(event.kind, EventKind::Access(_));
    let is_ours = |path: &PathBuf| places.contains(path);
    !is_access && (event.need_rescan() || event.paths.iter().any(is_ours))
}
