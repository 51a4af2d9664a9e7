//! Boards that many tests share.

/// Jimmy goes down the stairs: there is one line of play, of four moves.
pub const STAIRS: &str = "\
#####
#o.##
##..#
###.#
";

/// Jimmy has nowhere to go.
pub const TRAP: &str = "\
###
#o#
###
";

/// Jimmy has one way out, of one move.
pub const EXIT: &str = "\
###
#o#
#.#
";

/// The hero can't get through the wall, and nobody is after him.
pub const WALLED: &str = "H+*\n";

/// The hero has a monster beside him, and will be caught after his first move.
pub const CORNERED: &str = "Hm+*\n";

/// A board of `baddies` that takes minutes: behind the bat's row stands the ladder, so there is no
/// escape, but before it there are a hundred thousand places for the hero to try, and hundreds
/// of monsters to move each time.
pub fn endless() -> String {
    let width = 400;
    let (empty, almost) = (" ".repeat(width), " ".repeat(width - 1));
    let mut rows = vec![empty; 302];
    rows[0] = format!("H{almost}");
    rows[301] = format!("~{almost}");
    rows.extend([format!("{almost}*"), "+".repeat(width), "m".repeat(width)]);
    rows.join("\n")
}
