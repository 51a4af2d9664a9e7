//! Measures solving, and checks the answers: `cargo bench --bench solve`.

use std::time::Instant;

use getaway::rules::jimmy::Jimmy;
use getaway::{Boards, Evidence, Limits, Notation, Puzzle, RULESETS, Solution, Verdict};
use getaway_search::search::{Finding, Order, Search};
use getaway_search::visited::ExactSet;
use getaway_solvers::game::Game;
use getaway_solvers::rulesets::of_board;
use getaway_solvers::searched::Searches;

mod random;

fn read(text: &str) -> Box<dyn Game> {
    let mut puzzle = Puzzle::empty();
    assert!(
        Boards::new(text.as_bytes(), 1)
            .read(&mut puzzle)
            .expect("the board is well-formed")
    );
    let ruleset = of_board(RULESETS, &puzzle).expect("its ruleset is known");
    (ruleset.read)(&puzzle).expect("the board is well-formed")
}

fn timed<T>(what: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = what();
    (start.elapsed().as_secs_f64() * 1e3, result)
}

fn spread(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() - 1])
}

fn line(what: &str, (median, max): (f64, f64), states: u64) {
    println!("{what:44} median {median:10.3} ms, at most {max:10.3} ms, {states:>10} states");
}

fn boards(what: &str, order: Order, texts: &[String]) -> Vec<Solution> {
    let mut times = Vec::new();
    let mut solutions = Vec::new();
    for text in texts {
        let game = read(text);
        let (time, solution) = timed(|| game.solve(order, &Limits::default()));
        times.push(time);
        solutions.push(solution);
    }
    line(
        what,
        spread(times),
        solutions.iter().map(|solution| solution.states).sum(),
    );
    solutions
}

fn both_orders(what: &str, texts: &[String]) {
    let deep = boards(&format!("{what}, any escape"), Order::DepthFirst, texts);
    let short = boards(&format!("{what}, shortest"), Order::Shortest, texts);
    for (deep, short) in deep.iter().zip(&short) {
        assert_eq!(deep.verdict(), short.verdict());
        if let (Evidence::Line(deep), Evidence::Line(short)) = (&deep.evidence, &short.evidence) {
            assert!(short.len() <= deep.len());
        }
    }
}

fn naive(texts: &[String]) {
    let limits = Limits {
        max_states: Some(2_000_000),
        ..Limits::default()
    };
    let (mut ours, mut theirs, mut finished) = (0.0, 0.0, 0);
    for text in texts {
        let mut puzzle = Puzzle::empty();
        assert!(
            Boards::new(text.as_bytes(), 1)
                .read(&mut puzzle)
                .expect("well-formed")
        );
        let jimmy = Jimmy::read(&puzzle).expect("well-formed");
        let mut search = Search::new(ExactSet::default());
        let (time, finding) = timed(|| search.run(&jimmy, Order::DepthFirst, &limits));
        let verdict = match finding {
            Finding::Escape(_) => Verdict::Escape,
            Finding::Caught => Verdict::Caught,
            Finding::Undecided(_) => continue,
        };
        let (own, solution) =
            timed(|| Jimmy::decide(&jimmy, Order::DepthFirst, &Limits::default()));
        assert_eq!(solution.verdict(), verdict);
        finished += 1;
        ours += own;
        theirs += time;
    }
    println!(
        "jimmy, one gap, naive search: {finished} of {} finished, taking {:.0} times as long",
        texts.len(),
        theirs / ours
    );
}

fn growth() {
    for side in [64, 128, 256, 512, 1000] {
        let texts: Vec<_> = (0..5).map(|seed| random::large(side, side, seed)).collect();
        let solutions = boards(
            &format!("jimmy {side}x{side}, {side} ghosts"),
            Order::DepthFirst,
            &texts,
        );
        let max = solutions
            .iter()
            .map(|solution| solution.states)
            .max()
            .unwrap_or(0);
        println!(
            "{:44} at most {:.3} states a cell",
            "",
            max as f64 / (side * side) as f64
        );
    }
}

fn main() {
    let small: Vec<_> = (0..20_000).map(random::jimmy).collect();
    both_orders("jimmy 10x10, mixed", &small);
    let gaps: Vec<_> = (0..200).map(random::one_gap).collect();
    both_orders("jimmy 10x10, one gap, one ghost", &gaps);
    naive(&gaps);
    growth();
    let standard: Vec<_> = (0..200)
        .map(|seed| random::baddies(&random::STANDARD, seed))
        .collect();
    both_orders("baddies 15x40, standard", &standard);
    boards(
        "maze 1000x1000, 1000 foods",
        Order::DepthFirst,
        &[random::maze(1000, 1000)],
    );
    for settings in random::SETTINGS {
        for (key, with_key) in [('.', ""), ('K', ", a key")] {
            let settings_line = settings.replace("\n; ", ", ");
            let what = format!("dungeon 9x16, two ghosts{with_key}{}", &settings_line[1..]);
            let board = random::dungeon(settings, key);
            let solutions = boards(&what, Order::DepthFirst, &[board]);
            assert_eq!(solutions[0].verdict(), Verdict::Escape);
        }
    }
}
