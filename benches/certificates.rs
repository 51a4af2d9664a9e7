//! Compares the cost of certificates with that of solving: `cargo bench --bench certificates [--
//! FOLDER...]`, by default on the folders in `puzzles`. Skips boards that are undecided or have no certificate within
//! a million states.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Instant;

use getaway::cli::evidence::{Unpacked, packer};
use getaway::{Boards, Entry, Limits, Puzzle, RULESETS, Solution, Verdict};
use getaway_search::search::Order;
use getaway_solvers::game::Game;
use getaway_solvers::rulesets::of_board;
use getaway_verify::{CertificateReader, Proof};

const TIMES: usize = 5;

/// The number of boards, the size of their certificates, and the seconds for each step.
#[derive(Clone, Debug, Default)]
struct Cost {
    boards: u32,
    positions: u64,
    /// The total size of the certificates that list positions.
    bytes: u64,
    solving: f64,
    writing: f64,
    checking: f64,
}

impl Cost {
    fn add(&mut self, other: &Self) {
        self.boards += other.boards;
        self.positions += other.positions;
        self.bytes += other.bytes;
        self.solving += other.solving;
        self.writing += other.writing;
        self.checking += other.checking;
    }

    fn print(&self, name: &str) {
        let each = self.bytes as f64 / self.positions.max(1) as f64;
        let [solving, writing, checking] =
            [self.solving, self.writing, self.checking].map(|seconds| 1e3 * seconds);
        let ratio = checking / solving;
        println!(
            "| {name} | {} | {} | {each:.1} | {solving:.2} | {writing:.2} | {checking:.2} | {ratio:.1} |",
            self.boards, self.positions
        );
    }
}

fn main() {
    let args: Vec<PathBuf> = std::env::args()
        .skip(1)
        .filter(|arg| arg != "--bench")
        .map(PathBuf::from)
        .collect();
    let folders = if args.is_empty() {
        entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles"))
    } else {
        args
    };
    println!(
        "| boards | count | positions | bytes per position | solving, ms | writing, ms | checking, ms | checking / solving |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut all = Cost::default();
    for folder in folders {
        let mut total = Cost::default();
        let mut slowest = (String::new(), Cost::default());
        for file in entries(&folder) {
            for (number, cost) in costs(&file).iter().enumerate() {
                total.add(cost);
                if cost.checking > slowest.1.checking {
                    let name = file.file_name().unwrap_or_default().to_string_lossy();
                    slowest = (format!("{name}#{}", number + 1), cost.clone());
                }
            }
        }
        if total.boards > 0 {
            total.print(&format!("`{}`", folder.display()));
            slowest.1.print(&format!("slowest: `{}`", slowest.0));
            all.add(&total);
        }
    }
    all.print("all");
}

fn entries(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).expect("the folder can be read");
    let mut entries: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    entries.sort();
    entries
}

fn costs(file: &Path) -> Vec<Cost> {
    let is_text = file.extension().is_some_and(|ending| ending == "txt");
    let text = fs::read(file).expect("the file can be read");
    let mut boards = Boards::new(&text, 1);
    let mut puzzle = Puzzle::empty();
    let mut costs = Vec::new();
    while is_text && boards.read(&mut puzzle).expect("boards are well-formed") {
        costs.push(cost(&puzzle).unwrap_or_default());
    }
    costs
}

/// Returns the cost; `None` if the board can't be solved, is undecided, or has no certificate.
fn cost(puzzle: &Puzzle) -> Option<Cost> {
    let entry = of_board(RULESETS, puzzle).expect("its ruleset is known");
    let limits = Limits {
        max_states: Some(1_000_000),
        ..Limits::default()
    };
    let read = || (entry.read)(puzzle).expect("the board is well-formed");
    let game = read();
    game.solvable().ok()?;
    let (solving, solution) = min(|| read().solve(Order::DepthFirst, &limits));
    if solution.verdict() == Verdict::Undecided {
        return None;
    }
    let (writing, certificate) = min(|| certificate(entry, puzzle, &*game, (&solution, &limits)));
    let certificate = certificate?;
    let (checking, proof) = min(|| {
        let mut content = CertificateReader::new(Box::new(Unpacked::new(&*certificate)), &limits);
        entry.verify(puzzle, &mut content).expect("it holds")
    });
    assert!(proof.confirms(&solution), "{proof}");
    let positions = match proof {
        Proof::Escape { .. } => 0,
        Proof::Caught { positions, .. } | Proof::Chance { positions, .. } => positions,
        Proof::NextMove { cells, .. } => cells,
    };
    let bytes = if positions == 0 { 0 } else { certificate.len() };
    Some(Cost {
        boards: 1,
        positions,
        bytes: bytes as u64,
        solving,
        writing,
        checking,
    })
}

fn certificate(
    entry: &Entry,
    puzzle: &Puzzle,
    game: &dyn Game,
    (solution, limits): (&Solution, &Limits),
) -> Option<Vec<u8>> {
    let (mut packer, board) = (packer(Vec::new()), entry.board_text(puzzle));
    let evidence = |out: &mut dyn Write| game.certify(solution, limits, out);
    getaway_verify::write(&mut packer, &board, evidence).ok()?;
    packer.finish().ok()
}

/// Returns the least processor time of five runs, in seconds (clock time except on Linux), and the result.
fn min<T>(what: impl Fn() -> T) -> (f64, T) {
    let timed = || {
        let begun = now();
        let made = what();
        (now() - begun, made)
    };
    let (mut fewest, mut made) = timed();
    for _ in 1..TIMES {
        let (seconds, again) = timed();
        (fewest, made) = (fewest.min(seconds), again);
    }
    (fewest, made)
}

fn now() -> f64 {
    // Yielding makes the system update the processor time.
    std::thread::yield_now();
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| BEGUN.elapsed().as_secs_f64(), |so_far| so_far / 1e9)
}

static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
