//! Prints random boards for the benchmarks; the same arguments give the same boards.
//!
//! `cargo run --release --example boards -- jimmy 1000000` prints a million boards. The other arguments are
//! `baddies BOARDS`, `wide-baddies BOARDS`, `large SIDE GHOSTS`, `maze SIDE FOOD` and `dungeons`.

use std::io::{self, BufWriter, Write};

#[path = "../benches/random/mod.rs"]
mod random;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| args.get(at).and_then(|text| text.parse().ok()).unwrap_or(1);
    let size = |at| number(at) as usize;
    let mut out = BufWriter::new(io::stdout().lock());
    match args.first().map(String::as_str) {
        Some("jimmy") => (0..number(1)).try_for_each(|seed| write!(out, "{}", random::jimmy(seed))),
        Some("large") => write!(out, "{}", random::large(size(1), size(2), 1)),
        Some("baddies") => (0..number(1))
            .try_for_each(|seed| write!(out, "{}", random::baddies(&random::STANDARD, seed))),
        Some("wide-baddies") => (0..number(1))
            .try_for_each(|seed| write!(out, "{}", random::baddies(&random::WIDE, seed))),
        Some("maze") => write!(out, "{}", random::maze(size(1), size(2))),
        Some("dungeons") => random::SETTINGS.iter().try_for_each(|settings| {
            let [plain, with_key] = ['.', 'K'].map(|key| random::dungeon(settings, key));
            write!(out, "{plain}{with_key}")
        }),
        _ => Err(io::Error::other(
            "usage: boards jimmy|large|baddies|wide-baddies|maze|dungeons [NUMBERS]",
        )),
    }
}
