//! Options, which apply to every board that a command reads.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use getaway_board::fault::{BoardError, Fault, FaultKind, did_you_mean};
use getaway_board::limits::Limits;
use getaway_board::limits::progress::SearchProgress;
use getaway_board::puzzle::{HEADERS, Origin, Puzzle, text};
use getaway_play::expect::Expectation;
use getaway_search::search::Order;
use getaway_solvers::answers::points;
use getaway_solvers::game::{Game, HeaderGame};
use getaway_solvers::rulesets::{self, Entry};
use rayon::{ThreadPool, ThreadPoolBuildError};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use sysinfo::{MemoryRefreshKind, System};

use super::answers::Answerer;
use super::args::{Color, LimitArgs, RulesetArgs, SearchArgs, Setting};
use super::evidence::EvidenceMode;
use super::output::markdown::code_block;
use super::output::text::Colors;

#[derive(Clone, Debug)]
pub struct Options {
    pub order: Order,
    pub shortens: bool,
    /// True if the headers' moves are replayed to check what they claim.
    pub compares: bool,
    pub detail: Detail,
    pub evidence: Option<EvidenceMode>,
    pub agent: Option<Answerer>,
    pub threads: usize,
    /// The distance between the probability bounds at which a search stops.
    pub precision: Option<f64>,
    is_strict: bool,
    rulesets: &'static [Entry],
    /// The ruleset given by `--ruleset`.
    pub ruleset: Option<&'static Entry>,
    args: LimitArgs,
    max_memory: u64,
    /// The headers given by `--set` and `--override`.
    settings: Vec<(Setting, Origin)>,
    stop: Arc<AtomicBool>,
    /// The progress of a search that runs alone, if a terminal shows it.
    pub progress: Option<Arc<SearchProgress>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    Answer,
    Explanation,
    Analysis,
}

/// A search's share of threads and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// All threads and all memory, for a search that runs alone.
    All,
    /// An equal share of memory, for searches on every thread of a pool. Idle threads help the others.
    Pooled,
    /// One thread and an equal share of memory, for searches that are jobs of a pool: a thread that waits for help would begin
    /// another job.
    Equal,
}

impl Options {
    /// Creates the options. From now on, an interrupt stops all searches.
    pub fn new(search: &SearchArgs, threads: Option<u16>) -> Result<Self> {
        Self::with_stop(search, threads, stop_on_interrupt()?)
    }

    /// Creates the options of a command that has no `--strict`.
    pub fn of(ruleset: &RulesetArgs, limits: &LimitArgs, threads: Option<u16>) -> Result<Self> {
        let search = SearchArgs {
            ruleset: ruleset.clone(),
            strict: false,
            limits: limits.clone(),
        };
        Self::new(&search, threads)
    }

    /// Creates options whose searches stop once `stop` is set.
    pub fn with_stop(
        search: &SearchArgs,
        threads: Option<u16>,
        stop: Arc<AtomicBool>,
    ) -> Result<Self> {
        let max_memory = search.limits.max_memory;
        Ok(Self {
            order: Order::DepthFirst,
            shortens: false,
            compares: true,
            detail: Detail::Answer,
            evidence: None,
            agent: None,
            precision: None,
            threads: match threads {
                Some(threads) => threads.into(),
                None => thread::available_parallelism().map_or(1, Into::into),
            },
            is_strict: search.strict,
            rulesets: known_rulesets(),
            ruleset: search.ruleset.ruleset.as_deref().map(ruleset).transpose()?,
            args: search.limits.clone(),
            max_memory: max_memory.map_or_else(default_memory, |size| size.as_u64()),
            settings: settings(&search.ruleset)?,
            stop,
            progress: io::stderr().is_terminal().then(Arc::default),
        })
    }

    pub fn set_header(&mut self, key: &str, value: &str) {
        let setting = (key.to_owned(), value.to_owned());
        self.settings.push((setting, Origin::Override));
    }

    pub fn pool(&self) -> Result<ThreadPool, ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads);
        pool.build()
    }

    pub const fn max_memory(&self, share: Share) -> u64 {
        match share {
            Share::All => self.max_memory,
            Share::Pooled | Share::Equal => self.max_memory / self.threads as u64,
        }
    }

    /// Returns the limits of a search, whose time starts now.
    pub fn limits(&self, share: Share) -> Limits<'_> {
        let threads = match share {
            Share::All | Share::Pooled => self.threads,
            Share::Equal => 1,
        };
        let timeout = self.args.timeout;
        Limits {
            max_states: self.args.max_states,
            max_memory: Some(self.max_memory(share)),
            deadline: timeout.and_then(|timeout| Instant::now().checked_add(timeout)),
            stop: Some(&self.stop),
            width: self.precision,
            threads,
            progress: self.progress.as_deref().filter(|_| share == Share::All),
        }
    }

    pub const fn are_limits_timed(&self) -> bool {
        self.args.timeout.is_some()
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sets those headers of `--set` and `--override` that the board's ruleset recognizes.
    pub fn apply_headers(&self, puzzle: &mut Puzzle) {
        if self.settings.is_empty() {
            return;
        }
        let is_ruleset = |((key, _), _): &&(Setting, Origin)| key == "ruleset";
        let (ruleset, others): (Vec<_>, Vec<_>) = self.settings.iter().partition(is_ruleset);
        for ((key, value), origin) in ruleset {
            puzzle.set_header(key, value, *origin);
        }
        let own = self.ruleset(puzzle).map_or(&[][..], |entry| entry.settings);
        for ((key, value), origin) in others {
            if HEADERS.contains(&key.as_str()) || own.contains(&key.as_str()) {
                puzzle.set_header(key, value, *origin);
            }
        }
    }

    pub fn read(&self, puzzle: &Puzzle) -> Result<(&'static Entry, Box<dyn Game>), BoardError> {
        let entry = self.ruleset(puzzle)?;
        Ok((entry, (entry.read)(puzzle)?))
    }

    pub fn ruleset(&self, puzzle: &Puzzle) -> Result<&'static Entry, BoardError> {
        match (self.ruleset, self.contradiction(puzzle)) {
            (_, Some(fault)) => Err(fault.into()),
            (Some(entry), None) => Ok(entry),
            (None, None) => rulesets::of_board(self.rulesets, puzzle),
        }
    }

    pub fn likely_ruleset(&self, puzzle: &Puzzle) -> &'static Entry {
        let own = self.ruleset(puzzle);
        own.unwrap_or_else(|_| rulesets::closest(self.rulesets, puzzle))
    }

    fn contradiction(&self, puzzle: &Puzzle) -> Option<Fault> {
        let (entry, header) = self.ruleset.zip(puzzle.header("ruleset"))?;
        let is_other = header.origin == Origin::Written && header.value != entry.name;
        let (name, own) = (entry.name, header.value.escape_debug());
        let message = format!("this header says `{own}`, but the command line `--ruleset {name}`");
        let help = format!("remove one of them; `--override ruleset={name}` replaces the header");
        let kind = FaultKind::other(message, help);
        is_other.then(|| puzzle.fault(header.place, kind))
    }

    /// Returns a board's warnings, which are errors with `--strict`.
    pub fn warnings(
        &self,
        entry: &Entry,
        game: &dyn Game,
        puzzle: &Puzzle,
    ) -> Result<Vec<Fault>, BoardError> {
        let warnings = rulesets::warnings(self.rulesets, entry, game, puzzle);
        if !self.is_strict || warnings.is_empty() {
            return Ok(warnings);
        }
        Err(BoardError {
            faults: warnings,
            more: 0,
        })
    }
}

fn settings(args: &RulesetArgs) -> Result<Vec<(Setting, Origin)>> {
    let set = args.set.iter().map(|setting| (setting, Origin::Default));
    let over = args.over.iter().map(|setting| (setting, Origin::Override));
    set.chain(over)
        .map(|(setting, origin)| {
            check(setting, origin)?;
            Ok((setting.clone(), origin))
        })
        .collect()
}

/// Rejects an unknown key, and a value that is invalid in every ruleset that has this setting.
fn check(setting: &Setting, origin: Origin) -> Result<()> {
    let (key, value) = (&*setting.0, &*setting.1);
    let known = known_rulesets();
    let own = known.iter().flat_map(|entry| entry.settings);
    let keys: Vec<_> = HEADERS.iter().chain(own).copied().collect();
    if !keys.contains(&key) {
        return Err(unknown("header", key, &keys));
    }
    let option = match origin {
        Origin::Override => "override",
        _ => "set",
    };
    let named = || format!("`--{option} {key}={}`", value.escape_debug());
    if key == "ruleset" {
        return ruleset(value).map(drop).with_context(named);
    }
    let has = |entry: &&Entry| HEADERS.contains(&key) || entry.settings.contains(&key);
    let refusals = known.iter().filter(has);
    let refusals: Option<Vec<_>> = refusals.map(|entry| refusal(entry, setting)).collect();
    match refusals.as_deref() {
        Some([why, ..]) => bail!("{}: {}", named(), why.one_line()),
        _ => Ok(()),
    }
}

/// Returns the fault that a value causes on the sample board of a ruleset.
fn refusal(entry: &Entry, (key, value): &Setting) -> Option<FaultKind> {
    let sample = sample(entry)?;
    let (mut puzzle, mut boards) = (Puzzle::empty(), text::Boards::new(sample.as_bytes(), 1));
    boards.read(&mut puzzle).ok()?;
    puzzle.set_header(key, value, Origin::Override);
    let read = || -> Result<(), BoardError> {
        HeaderGame::of(&puzzle)?;
        Expectation::of(&puzzle)?;
        points(&puzzle)?;
        (entry.read)(&puzzle).map(drop)
    };
    let mut faults = read().err()?.faults.into_iter().map(|fault| fault.kind);
    faults.find(|kind| matches!(kind, FaultKind::BadValue { .. }))
}

pub fn sample(entry: &Entry) -> Option<String> {
    code_block(entry.rules, &format!("; ruleset: {}\n", entry.name))
}

static KNOWN_RULESETS: RwLock<&'static [Entry]> = RwLock::new(rulesets::RULESETS);

/// Sets the list of rulesets. Lists are never freed, since a process sets only a few.
pub fn set_rulesets(rulesets: &[Entry]) {
    *KNOWN_RULESETS
        .write()
        .unwrap_or_else(PoisonError::into_inner) = rulesets.to_vec().leak();
}

pub fn known_rulesets() -> &'static [Entry] {
    *KNOWN_RULESETS
        .read()
        .unwrap_or_else(PoisonError::into_inner)
}

pub fn ruleset(name: &str) -> Result<&'static Entry> {
    named(name, &[])
}

/// Returns a ruleset by its name. The error for an unknown name suggests a ruleset or one of `others`.
pub fn named(name: &str, others: &[&str]) -> Result<&'static Entry> {
    let all = || [&*ruleset_names(), others].concat();
    rulesets::find(known_rulesets(), name).ok_or_else(|| unknown("ruleset", name, &all()))
}

pub fn ruleset_names() -> Vec<&'static str> {
    known_rulesets().iter().map(|entry| entry.name).collect()
}

pub fn unknown(what: &str, name: &str, known: &[&str]) -> anyhow::Error {
    let (name, advice) = (name.escape_debug(), did_you_mean(name, known));
    anyhow!("unknown {what} `{name}`: {advice}")
}

/// Returns a flag that the first interrupt sets; the second interrupt ends the program.
fn stop_on_interrupt() -> Result<Arc<AtomicBool>> {
    // With a handler, writing beyond the file size limit causes an error and does not end the program.
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default())
        .context("can't listen for signals")?;
    let stop = Arc::default();
    on_interrupt(&[&stop])?;
    Ok(stop)
}

/// Sets these flags in order at the first Ctrl-C or SIGTERM. After [`ONE_REQUEST`], another one ends the program.
pub fn on_interrupt(flags: &[&Arc<AtomicBool>]) -> Result<()> {
    listen(flags).context("can't listen for interrupts")
}

fn listen(flags: &[&Arc<AtomicBool>]) -> io::Result<()> {
    let [first, again] = [(); 2].map(|()| Arc::default());
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(&again))?;
        for flag in flags.iter().copied().chain([&first]) {
            flag::register(signal, Arc::clone(flag))?;
        }
    }
    // This thread polls, since waiting for signals through a pipe would need file descriptors.
    let wait = move || {
        while !first.load(Ordering::SeqCst) {
            thread::sleep(POLL_INTERVAL);
        }
        thread::sleep(ONE_REQUEST);
        again.store(true, Ordering::SeqCst);
    };
    thread::Builder::new()
        .name("interrupts".to_owned())
        .spawn(wait)?;
    Ok(())
}

/// Signals within this time count as one, since `timeout` signals both a program and its process group.
const ONE_REQUEST: Duration = Duration::from_millis(500);
const POLL_INTERVAL: Duration = Duration::from_millis(100);
const INTERRUPTED: i32 = 130;

/// Returns whether to use colours on a stream. `--color` takes precedence over the environment.
pub fn colors<S: anstream::stream::RawStream + IsTerminal>(color: Color, stream: &S) -> Colors {
    let choice = match color {
        Color::Auto if !supports_colors() => anstream::ColorChoice::Never,
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

/// Returns whether terminals show colours. On Windows, this switches them on, which fails on consoles before Windows 10.
fn supports_colors() -> bool {
    #[cfg(windows)]
    return ratatui::crossterm::ansi_support::supports_ansi();
    #[cfg(not(windows))]
    true
}

/// Returns the default limit on memory in bytes, which is half of the free memory.
pub fn default_memory() -> u64 {
    free() / 2
}

/// Returns the free memory of the machine or, if that is less, of this process's control group, in bytes.
fn free() -> u64 {
    let mut system = System::new();
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    free_in(&system)
}

fn free_in(system: &System) -> u64 {
    // A system without `/proc` does not report its memory, so enough for ordinary boards is assumed.
    let machine = match system.available_memory() {
        0 => UNKNOWN,
        free => free,
    };
    // `sysinfo` panics if it is queried for a group's limits while the total memory is unknown.
    let group = match system.total_memory() {
        0 => None,
        _ => system.cgroup_limits(),
    };
    match group {
        Some(group) if group.total_memory > 0 => machine.min(group.free_memory),
        _ => machine,
    }
}

/// The free memory assumed if the system does not report it, in bytes.
const UNKNOWN: u64 = 4 << 30;

#[cfg(test)]
#[path = "options_tests.rs"]
mod tests;
