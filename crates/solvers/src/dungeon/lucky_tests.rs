use std::io;

use super::super::way_out::search;
use super::*;
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_ruleset::Notation;

struct Nowhere;

impl TraceSink for Nowhere {
    fn begin(&mut self, _line: &LineKind, _rows: &dyn Fn() -> Vec<String>) -> io::Result<()> {
        Ok(())
    }

    fn ply(&mut self, _ply: &Ply) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn after_a_search_that_gives_up_a_game_finds_a_line_under_the_rules() {
    let one = "; radius: 1\n-----XX-----\n|P..|XX|K..|\n|...D..D...|\n|...|XX|E.G|\n-----XX-----\n";
    let two = "; goal: all\n; radius: 1\n--------------\n|P..|XX......|\n|P..D..D....E|\n|...|XX|...G.|\n--------------\n";
    for text in [one, two] {
        let mut puzzle = Puzzle::empty();
        assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
        let dungeon = Dungeon::read(&puzzle).unwrap();
        let limits = Limits::default();
        let budget = Budget::new(&limits);
        let mdp = DungeonMdp::new(&dungeon, &budget).unwrap();
        let WayOut::Found(line) = search(&dungeon, &mdp, 1, &budget).unwrap() else {
            panic!("hurry is enough: {text}");
        };
        let steps = line.turns.iter().flat_map(|turn| &turn.adversaries);
        let product: f64 = steps.map(|step| step.probability).product();
        let likely = line.probability;
        assert!(0.0 < likely && likely <= product, "{likely} of {product}");
        let ending = play(&dungeon, &line, usize::MAX, &limits, &mut Nowhere).unwrap();
        let is_whole = matches!(ending, Ending::Escaped { turns } if turns == line.turns.len());
        assert!(is_whole, "{ending:?}");
    }
}
