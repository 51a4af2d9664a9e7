use super::*;
use getaway_board::limits::Bounds;
use getaway_board::limits::Limits;
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_chance::Successor;
use getaway_rules::dungeon::Dungeon;
use getaway_ruleset::{Notation, Ruleset};
use getaway_testing::sized;

const LEVELS: [&str; 4] = [
    "; radius: 2\n-------\n|P....|\n|.G.G.|\n|....E|\n-------\n",
    "; radius: 2\n----------\n|P..D...Z|\n|.Z.|..GE|\n|...|....|\n----------\n",
    "; strategy: cooldown\n; radius: 1\n; cooldown: 2\n--------\n|P.D..G|\n|..|.Z.|\n|.E|...|\n--------\n",
    "; radius: 2\n-------\n|P....|\n|.Z.Z.|\n|....E|\n-------\n",
];

fn mdp(text: &str) -> Option<Arc<DungeonMdp>> {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    let limits = Limits::default();
    let mdp = DungeonMdp::new(&Dungeon::read(&puzzle).unwrap(), &Budget::new(&limits));
    mdp.ok().map(Arc::new)
}

#[test]
fn the_answer_the_bounds_and_the_best_moves_are_of_one_solution() {
    let limits = Limits::default();
    for text in LEVELS.into_iter().step_by(sized(2, 1)) {
        let mdp = mdp(text).unwrap();
        let budget = Budget::new(&limits);
        let size = Abstraction::positions(&mdp, SMALL, &budget).unwrap();
        let answer = solve(&mdp, size, &budget);
        let first = mdp.initial();
        let solved = |scope| Solved::new(&mdp, first, scope, &Budget::new(&limits)).unwrap();
        let [choices, all] = [StrategyScope::Choices, StrategyScope::AllBounds].map(solved);
        assert_eq!(all.bounds(first), Some(answer.bounds), "{text}");
        assert_eq!(all.best(&start(text)), choices.best(&start(text)), "{text}");
        assert!(
            answer.bounds.lower > 0.0 && choices.best(&start(text)).is_some(),
            "{text}"
        );
    }
}

#[test]
fn the_chain_of_best_play_begins_at_the_start_whichever_node_was_solved() {
    let limits = Limits::default();
    let mdp = mdp(LEVELS[0]).unwrap();
    let first = mdp.initial();
    let mut others = Vec::new();
    mdp.successors(first, &mut others);
    let turns = |solved: &Solved| {
        let wins = solved.chain(&limits).unwrap().wins(&limits).unwrap();
        wins.unwrap().turns
    };
    let solved = |first| {
        let budget = Budget::new(&limits);
        Solved::new(&mdp, first, StrategyScope::AllBounds, &budget).unwrap()
    };
    let Bounds { lower, upper } = turns(&solved(first));
    let others = others.into_iter().filter_map(|other| match other {
        Successor::Node(other) => Some(solved(other)),
        _ => None,
    });
    let mut others = others.filter(|other| other.bounds(first).is_some());
    let Bounds {
        lower: low,
        upper: high,
    } = turns(&others.next().expect("there is a way back to the start"));
    assert!(low <= upper + 1e-6 && high >= lower - 1e-6, "{low} {lower}");
}

/// Tables for the level itself give the probability 0.488200788.
#[test]
fn long_cooldowns_are_solved_by_segments_from_any_node() {
    let text =
        "; strategy: cooldown\n; radius: 1\n; cooldown: 255\n-------\n|P.D.E|\n|G.|.G|\n-------\n";
    let mdp = mdp(text).unwrap();
    let limits = Limits::default();
    let mut nodes = vec![Successor::Node(mdp.initial())];
    mdp.successors(mdp.initial(), &mut nodes);
    for node in nodes
        .into_iter()
        .skip(sized(1, 0))
        .take(sized(1, usize::MAX))
    {
        let Successor::Node(node) = node else {
            continue;
        };
        let solved =
            Solved::new(&mdp, node, StrategyScope::Choices, &Budget::new(&limits)).unwrap();
        assert!(format!("{:?}", solved.strategy).starts_with("Segments"));
        let Bounds { lower, upper } = solved.bounds(mdp.initial()).unwrap();
        assert!(lower <= 0.488_200_82 && upper >= 0.488_200_75);
        assert!(solved.best(&start(text)).is_some());
    }
}

#[test]
fn tables_of_a_ghost_and_zombies_and_nodes_agree() {
    let limits = Limits::default();
    for text in &LEVELS[sized(2, 1)..3] {
        let mdp = mdp(text).unwrap();
        let budget = Budget::new(&limits);
        assert!(
            by_tables(&mdp, MAX_LISTED, &budget).unwrap().is_none(),
            "{text}"
        );
        let tables = by_tables(&mdp, MAX_LISTED + 1, &budget).unwrap();
        let tables = tables.expect("the level is suited to tables");
        let nodes = getaway_chance::solve_within(&*mdp, mdp.initial(), &budget);
        assert!(
            tables.bounds.lower <= nodes.bounds.upper + 1e-9
                && tables.bounds.upper >= nodes.bounds.lower - 1e-9,
            "{text}"
        );
    }
}

#[test]
fn a_level_with_tables_is_explored_first_if_its_nodes_are_few() {
    let (mdp, limits) = (mdp(LEVELS[0]).unwrap(), Limits::default());
    let budget = Budget::new(&limits);
    let nodes = getaway_chance::solve(&*mdp, &limits).nodes;
    let few = |positions: u64| by_few_nodes(&mdp, mdp.initial(), positions as usize, &budget);
    assert_eq!(few(nodes * POSITIONS_PER_NODE).unwrap().nodes, nodes);
    assert!(few((nodes - 1) * POSITIONS_PER_NODE).is_none());
}

#[test]
fn a_level_without_tables_is_explored_before_its_bounds_are_refined() {
    let text = "; strategy: cooldown\n; cooldown: 255\n-------\n|....Z|\n|KPE..|\n|G....|\n|Z....|\n-------\n";
    let (mdp, limits) = (mdp(text).unwrap(), Limits::default());
    let few = by_few_nodes(&mdp, mdp.initial(), usize::MAX, &Budget::new(&limits)).unwrap();
    assert!(few.nodes > FEW && few.bounds.is_exact());
}

fn start(text: &str) -> State {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    Dungeon::read(&puzzle).unwrap().start()
}
