//! The library as its users see it: the rules, the answers, and what it reads.

mod advice;
mod analysis;
mod at_once;
mod boards;
mod cases;
mod census;
mod certificates;
mod dungeon;
mod evidence;
mod explanation;
mod generate;
mod goals;
mod hostile;
mod layers;
mod limits;
mod maze;
mod memory;
mod oracle;
mod perft;
mod pieces;
mod properties;
mod random_boards;
mod reading;
mod render;
mod rulebooks;
mod session;
mod small;
mod table;
mod theseus;
mod things;

/// `all` where the feature `exhaustive` asks for the long tests whole, else `few`.
fn sized<T>(few: T, all: T) -> T {
    if cfg!(feature = "exhaustive") {
        all
    } else {
        few
    }
}
