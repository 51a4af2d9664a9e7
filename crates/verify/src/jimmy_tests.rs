use super::*;
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_ruleset::Notation;

fn read(text: &str) -> Jimmy {
    let mut puzzle = Puzzle::empty();
    Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap();
    Jimmy::read(&puzzle).unwrap()
}

fn dominates(drawing: &str) -> bool {
    let jimmy = read(&drawing.replace(['T', 'S'], "g"));
    let flat = drawing.replace('\n', "");
    let cell = |glyph| jimmy.grid.nth(flat.find(glyph).unwrap()).unwrap();
    let [t, s, o] = ['T', 'S', 'o'].map(cell);
    ByDominance::new(&jimmy).dominates(t, s, o)
}

#[test]
fn a_ghost_dominates_ghosts_behind_it_with_its_parity() {
    for (drawing, expected) in [
        (".S.\n...\n.T.\n.o.\n", true),
        (".T.\n...\n.S.\n.o.\n", false),
        (".S.\n.T.\n...\n.o.\n", false),
        ("S..\n.T.\n...\n.o.\n", true),
        (".o.\n...\n.T.\nS..\n", true),
        ("S..\n.o.\n.T.\n...\n", false),
        ("S.T.o\n", true),
        ("T.S.o\n", false),
        ("ST..o\n", false),
        ("S.o.T\n", false),
        ("o.T.S\n", true),
        ("....o\nS.T..\n", true),
        ("....o\n..T..\n..S..\n", false),
    ] {
        assert_eq!(dominates(drawing), expected, "{drawing}");
    }
}

#[test]
fn a_position_takes_the_memory_it_counts() {
    let jimmy = read(&format!("o{}\n", "g.".repeat(50)));
    let game = ByDominance::new(&jimmy);
    let state = jimmy.start();
    let mut position = None;
    let taken = getaway_testing::measure(|| position = Some(game.position(&state)));
    assert_eq!(position.map(|at| at.ghosts.len()), Some(50));
    assert_eq!(game.heap_bytes() as i64, taken.bytes_current);
}

#[test]
fn a_position_covers_equal_and_harder_ones() {
    let jimmy = read(&format!("....o....\n{}", ".........\n".repeat(8)));
    let game = ByDominance::new(&jimmy);
    let cell = |(row, col)| jimmy.grid.nth(9 * row + col).unwrap();
    let position = |jimmy, ghosts: &[(usize, usize)]| ChasedPosition {
        jimmy: cell(jimmy),
        ghosts: ghosts.iter().copied().map(cell).collect(),
    };
    let listed = position((4, 4), &[(4, 0), (4, 8)]);
    for (jimmy, ghosts, expected) in [
        ((4, 4), &[(4, 0), (4, 8)][..], true),
        ((4, 4), &[(4, 2), (4, 8)], true),
        ((4, 4), &[(2, 2), (4, 0), (4, 6)], true),
        ((4, 4), &[(4, 0)], false),
        ((4, 4), &[(4, 1), (4, 8)], false),
        ((4, 4), &[], false),
        ((4, 5), &[(4, 0), (4, 8)], false),
    ] {
        let reached = position(jimmy, ghosts);
        assert_eq!(
            game.covers(&listed, &reached),
            expected,
            "{jimmy:?} {ghosts:?}"
        );
    }
}
