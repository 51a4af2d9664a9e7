//! From what was typed to what the library takes: limits, order of search, ruleset, colours, signals.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::rulesets::known_rulesets;
use crate::engine::search::Order;
use crate::fault::{BoardError, Fault, did_you_mean};
use crate::game::Game;
use crate::limits::Limits;
use crate::puzzle::{HEADERS, Origin, Puzzle};
use crate::rulesets::{self, Entry};
use anyhow::{Context, Result, bail};
use bytesize::ByteSize;
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::args::settings::{Setting, SettingArgs};
use super::args::{Color, SearchArgs};
use super::evidence::Evidence;
use super::interrupts;
use super::output::diagnostic::Colors;

/// How boards are read and searched, as the command line has it.
#[derive(Clone, Debug)]
pub struct Options {
    /// The order of search.
    pub order: Order,
    /// How much is wanted to be known of a board.
    pub detail: Detail,
    /// What is done with the evidence for an answer.
    pub evidence: Evidence,
    /// How many threads there are.
    pub threads: usize,
    /// How close bounds on a probability are to get, if they need not get as close as can be.
    pub width: Option<f64>,
    strictness: Strictness,
    ruleset: Option<&'static Entry>,
    max_states: Option<u64>,
    max_memory: u64,
    timeout: Option<Duration>,
    /// Headers for all boards, in the order in which they are given to them.
    settings: Vec<(Setting, Origin)>,
    stop: Arc<AtomicBool>,
}

/// How much is wanted to be known of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The answer.
    Answer,
    /// Why it is the answer as well.
    Explanation,
    /// What a designer wants to know as well.
    Analysis,
}

/// What a warning about a board is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strictness {
    /// A warning.
    Lenient,
    /// An error of that board.
    Strict,
}

/// What a search may use of the threads and the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// All of them: nothing else is searched at the same time.
    All,
    /// One thread, and an equal share of the memory: every thread searches a board of its own.
    Equal,
}

impl Options {
    /// What these arguments say; from now on an interrupt stops all searches.
    pub fn new(search: &SearchArgs, threads: Option<u16>) -> Result<Self> {
        Self::with_stop(search, threads, stop_on_interrupt()?)
    }

    /// What these arguments say, where `stop` stops all searches.
    pub fn with_stop(
        search: &SearchArgs,
        threads: Option<u16>,
        stop: Arc<AtomicBool>,
    ) -> Result<Self> {
        Ok(Self {
            order: if search.shortest {
                Order::BreadthFirst
            } else {
                Order::DepthFirst
            },
            detail: Detail::Answer,
            evidence: Evidence::Ignored,
            width: None,
            threads: match threads {
                Some(threads) => threads.into(),
                None => thread::available_parallelism().map_or(1, Into::into),
            },
            strictness: if search.strict {
                Strictness::Strict
            } else {
                Strictness::Lenient
            },
            ruleset: search.ruleset.as_deref().map(ruleset).transpose()?,
            max_states: search.limits.max_states,
            max_memory: max_memory(search.limits.max_memory),
            timeout: search.limits.timeout,
            settings: settings(&search.settings)?,
            stop,
        })
    }

    /// The ruleset that was asked for.
    pub const fn chosen_ruleset(&self) -> Option<&'static Entry> {
        self.ruleset
    }

    /// How much memory may be taken, in bytes.
    pub const fn max_memory(&self, share: Share) -> u64 {
        match share {
            Share::All => self.max_memory,
            Share::Equal => self.max_memory / self.threads as u64,
        }
    }

    /// The limits for a board that is dealt with from now on.
    pub fn limits(&self, share: Share) -> Limits<'_> {
        let threads = match share {
            Share::All => self.threads,
            Share::Equal => 1,
        };
        Limits {
            max_states: self.max_states,
            max_memory: Some(self.max_memory(share)),
            deadline: self
                .timeout
                .and_then(|timeout| Instant::now().checked_add(timeout)),
            stop: Some(&self.stop),
            width: self.width,
            threads,
        }
    }

    /// Whether nothing was asked for that matters to a small board of `jimmy` without headers, other than the order of
    /// search.
    pub fn are_plain(&self) -> bool {
        /// In bytes, far more than it takes to read and search such a board.
        const ENOUGH: u64 = 1 << 24;
        self.detail == Detail::Answer
            && matches!(self.evidence, Evidence::Ignored)
            && self.ruleset.is_none()
            && self.settings.is_empty()
            && self.max_states.is_none()
            && self.timeout.is_none()
            && self.max_memory(Share::Equal) >= ENOUGH
    }

    /// Whether [`Self::limits`] depend on when they are asked for.
    pub const fn are_limits_timed(&self) -> bool {
        self.timeout.is_some()
    }

    /// Whether everything is to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Gives a board the headers that were asked for and that mean something to it. What was asked for is
    /// known to some ruleset; boards of the others do without.
    pub fn settle(&self, puzzle: &mut Puzzle) {
        if self.settings.is_empty() {
            return;
        }
        let (ruleset, others): (Vec<_>, Vec<_>) = self
            .settings
            .iter()
            .partition(|(setting, _)| setting.key == "ruleset");
        for (setting, origin) in ruleset {
            puzzle.set_header(&setting.key, &setting.value, *origin);
        }
        let own = self.ruleset(puzzle).map_or(&[][..], |entry| entry.settings);
        for (Setting { key, value }, origin) in others {
            if HEADERS.contains(&key.as_str()) || own.contains(&key.as_str()) {
                puzzle.set_header(key, value, *origin);
            }
        }
    }

    /// Reads a board by the ruleset that was asked for, or else by its own.
    pub fn read(&self, puzzle: &Puzzle) -> Result<(&'static Entry, Box<dyn Game>), BoardError> {
        let entry = self.ruleset(puzzle)?;
        Ok((entry, (entry.read)(puzzle)?))
    }

    /// The ruleset that was asked for, or else the board's own.
    pub fn ruleset(&self, puzzle: &Puzzle) -> Result<&'static Entry, BoardError> {
        match self.ruleset {
            Some(entry) => Ok(entry),
            None => rulesets::of_board(known_rulesets(), puzzle),
        }
    }

    /// What is odd about a board's headers.
    pub fn warnings(&self, entry: &Entry, puzzle: &Puzzle) -> Result<Vec<Fault>, BoardError> {
        let warnings = rulesets::warnings(known_rulesets(), entry, puzzle);
        match self.strictness {
            Strictness::Strict if !warnings.is_empty() => Err(BoardError {
                faults: warnings,
                more: 0,
            }),
            _ => Ok(warnings),
        }
    }
}

/// The headers that were asked for: defaults, then what overrides them.
fn settings(args: &SettingArgs) -> Result<Vec<(Setting, Origin)>> {
    let set = args.set.iter().map(|setting| (setting, Origin::Default));
    let over = args.over.iter().map(|setting| (setting, Origin::Override));
    set.chain(over)
        .map(|(setting, origin)| check_key(&setting.key).map(|()| (setting.clone(), origin)))
        .collect()
}

/// Somebody must know the key of a header.
fn check_key(key: &str) -> Result<()> {
    let own = known_rulesets().iter().flat_map(|entry| entry.settings);
    let known: Vec<_> = HEADERS.iter().chain(own).copied().collect();
    if known.contains(&key) {
        return Ok(());
    }
    bail!(
        "unknown header `{}`: {}",
        key.escape_debug(),
        did_you_mean(key, &known)
    )
}

/// The ruleset of this name.
pub fn ruleset(name: &str) -> Result<&'static Entry> {
    if let Some(entry) = rulesets::find(known_rulesets(), name) {
        return Ok(entry);
    }
    let known: Vec<_> = known_rulesets().iter().map(|entry| entry.name).collect();
    bail!(
        "unknown ruleset `{}`: {}",
        name.escape_debug(),
        did_you_mean(name, &known)
    )
}

/// A flag that the first interrupt sets; the second one ends the program.
fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    // A file that must not grow is an error of that file, and not the end of the program.
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())
        .context("can't listen for signals")?;
    let stop = Arc::default();
    interrupts::set(&[&stop])?;
    Ok(stop)
}

/// Whether a stream gets colours: what was typed comes before what the environment says.
pub fn colors<S: anstream::stream::RawStream + IsTerminal>(color: Color, stream: &S) -> Colors {
    let choice = match color {
        Color::Auto => anstream::AutoStream::choice(stream),
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    if choice == anstream::ColorChoice::Never {
        Colors::Off
    } else {
        Colors::On
    }
}

/// What the searches may take, in bytes: as much as was asked for, or half of what is free.
fn max_memory(asked: Option<ByteSize>) -> u64 {
    asked.map_or_else(|| free() / 2, |size| size.as_u64())
}

/// The memory that the machine has free, or the control group that this process runs in, in bytes.
fn free() -> u64 {
    let memory = MemoryRefreshKind::nothing().with_ram();
    free_in(&System::new_with_specifics(
        RefreshKind::nothing().with_memory(memory),
    ))
}

fn free_in(system: &System) -> u64 {
    // A system that does not say how much memory it has, as one without `/proc`, has enough for ordinary
    // boards.
    let machine = match system.available_memory() {
        0 => UNKNOWN,
        free => free,
    };
    // The library can't be asked for a group's limits where it knows of no memory.
    let group = match system.total_memory() {
        0 => None,
        _ => system.cgroup_limits(),
    };
    match group {
        Some(group) if group.total_memory > 0 => machine.min(group.free_memory),
        _ => machine,
    }
}

/// What is taken to be free where the system does not say, in bytes.
const UNKNOWN: u64 = 4 << 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_that_does_not_tell_has_memory_all_the_same() {
        assert_eq!(free_in(&System::new()), UNKNOWN);
    }

    #[test]
    fn no_more_is_free_than_there_is() {
        let mut system = System::new();
        system.refresh_memory();
        let free = free();
        assert!(free > 0 && free <= system.total_memory(), "{free}");
    }
}
