use super::*;
use getaway_board::limits::Limits;
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_ruleset::Notation;

fn level(text: &str) -> Dungeon {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    Dungeon::read(&puzzle).unwrap()
}

/// A level with a ghost in the player's room, and a zombie in the room with the key and the exit.
const LEVEL: &str = "-----XX-----\n|P..|XX|K..|\n|...D..D...|\n|..G|XX|E.Z|\n-----XX-----\n";

#[test]
fn a_path_is_one_under_the_rules_and_no_other_one_is_taken_for_it() {
    for settings in ["", "; strategy: cooldown\n"] {
        let dungeon = level(&format!("{settings}{LEVEL}"));
        let limits = Limits::default();
        let budget = Budget::new(&limits);
        let mdp = DungeonMdp::new(&dungeon, &budget).unwrap();
        let FoundPath::To(path) = WayOutSearch::new(&mdp, MAX, &budget).path().unwrap() else {
            panic!("there is a way out");
        };
        let line = Witness::line(&dungeon, &mdp, &path, &limits);
        let line = line.unwrap().unwrap();
        let likely = line.probability;
        assert!(0.0 < likely && likely < 1.0, "{likely}");
        let steps = line.turns.iter().flat_map(|turn| &turn.adversaries);
        let product: f64 = steps.map(|step| step.probability).product();
        assert!(
            (product - likely).abs() < 1e-9 * likely,
            "{product} {likely}"
        );
        for left_out in 0..path.len() {
            let mut broken = path.clone();
            if !mdp.is_in_transit(broken.remove(left_out)) {
                let line = Witness::line(&dungeon, &mdp, &broken, &limits);
                assert_eq!(line, Ok(None), "without node {left_out}");
            }
        }
    }
}

#[test]
fn a_search_releases_its_memory_and_forgets_its_counts() {
    // A node with this many zombies takes more than 64 bits.
    let crowd = "------------------\n|P..E.Z|ZZZZZZZZZ|\n|......|ZZZZZZ...|\n------------------\n";
    for text in [LEVEL, crowd] {
        let dungeon = level(text);
        let limits = Limits::default();
        let budget = Budget::new(&limits);
        let mdp = DungeonMdp::new(&dungeon, &budget).unwrap();
        let (taken, bytes) = (budget.taken(), mdp.bytes());
        let first = mdp.initial();
        assert!(matches!(way_out(&dungeon, &mdp, &budget), WayOut::Found(_)));
        assert_eq!((budget.taken(), mdp.bytes()), (taken, bytes));
        assert_eq!(mdp.initial(), first);
    }
}

#[test]
fn little_memory_ends_a_search() {
    let limits = Limits {
        max_memory: Some(1 << 15),
        ..Limits::default()
    };
    let dungeon = level(LEVEL);
    let plenty = Limits::default();
    let mdp = DungeonMdp::new(&dungeon, &Budget::new(&plenty)).unwrap();
    let path = WayOutSearch::new(&mdp, MAX, &Budget::new(&limits)).path();
    assert_eq!(path, Err(Limit::Memory));
}
