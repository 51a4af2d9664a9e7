//! Bounds computed with segments, compared with the values of all states.

use super::*;
use crate::abstraction::table::solve_by_tables as tables;
use getaway_board::limits::Limits;
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_board::rng::Rng;
use getaway_chance::{MAX_ROUNDS, StrategyScope};
use getaway_rules::dungeon::Dungeon;
use getaway_ruleset::Notation;
use getaway_testing::sized;

fn level(rng: &mut Rng, rooms: [usize; 2], cooldown: usize) -> String {
    let rows = 2;
    let cells = rows * (rooms[0] + rooms[1]);
    let mut floor = vec!['.'; cells];
    floor[..4].copy_from_slice(&['P', 'E', 'G', 'G']);
    rng.shuffle(&mut floor);
    let door = rng.below(rows);
    let edge = "-".repeat(rooms[0] + rooms[1] + 3);
    let row = |(nth, row): (usize, &[char])| {
        let [left, right] = [&row[..rooms[0]], &row[rooms[0]..]].map(|room| room.iter().collect());
        let (left, right): (String, String) = (left, right);
        format!("|{left}{}{right}|\n", if nth == door { 'D' } else { '|' })
    };
    let rows: String = floor
        .chunks(rooms[0] + rooms[1])
        .enumerate()
        .map(row)
        .collect();
    let radius = rng.below(3);
    format!(
        "; strategy: cooldown\n; radius: {radius}\n; cooldown: {cooldown}\n{edge}\n{rows}{edge}\n"
    )
}

fn mdp(text: &str) -> Arc<DungeonMdp> {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    let limits = Limits::default();
    let mdp = DungeonMdp::new(&Dungeon::read(&puzzle).unwrap(), &Budget::new(&limits));
    Arc::new(mdp.expect("there is a door to the exit"))
}

/// Builds the model; `None` if escape may be almost sure.
fn segments(mdp: &Arc<DungeonMdp>, count: u8, budget: &Budget) -> Option<Segments> {
    Segments::with(mdp, count, 1.0, budget).unwrap()
}

#[test]
fn bounds_hold_and_become_closer_the_more_stretches_there_are() {
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let mut rng = Rng::new(28);
    let (mut compared, mut narrower) = (0, 0);
    for _ in 0..sized(3, 200) {
        // All segments must have the same number of turns.
        let (cooldown, counts) = match rng.below(3) {
            0 => (4, [1, 2, 4]),
            1 => (6, [1, 3, 6]),
            _ => (8, [1, 2, 8]),
        };
        let text = level(&mut rng, [2, 2], cooldown);
        let exact = mdp(&text);
        let values = tables(&exact, MAX_ROUNDS, &budget).unwrap();
        let values = values.expect("the estimate is verified");
        let values = values
            .into_strategy(StrategyScope::AllBounds, &budget)
            .unwrap()
            .unwrap();
        let ghosts = Table::new(&exact, &budget).unwrap().unwrap();
        let mut before: Option<Segments> = None;
        for count in counts {
            let Some(model) = segments(&exact, count, &budget) else {
                continue;
            };
            compared += 1;
            let states = (0..ghosts.len()).map(|state| ghosts.node(state));
            let are_apart = |&node: &u64| {
                let node = exact.unpack(node);
                node.adversaries[0].tile() != node.adversaries[1].tile()
            };
            for node in states.filter(are_apart).chain([exact.initial()]) {
                let (
                    Some(Bounds { lower, upper }),
                    Some(Bounds {
                        lower: low,
                        upper: high,
                    }),
                ) = (values.bounds(node), model.bounds(node))
                else {
                    continue;
                };
                assert!(
                    low <= upper + 1e-9 && high >= lower - 1e-9,
                    "{text}{count}: {:?}: {low} {high}, {lower} {upper}",
                    exact.unpack(node)
                );
                if let Some(Bounds { lower, upper }) =
                    before.as_ref().and_then(|model| model.bounds(node))
                {
                    assert!(low >= lower - 1e-6 && high <= upper + 1e-9, "{text}{count}");
                    narrower += usize::from(high - low < upper - lower - 1e-6);
                }
            }
            before = Some(model);
        }
    }
    assert!(compared > sized(3, 200) && narrower > 0, "{compared}");
}

#[test]
fn the_value_of_the_strategy_is_within_the_bounds() {
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let mut rng = Rng::new(29);
    for _ in 0..sized(2, 60) {
        let text = level(&mut rng, [2, 2], 12);
        let exact = mdp(&text);
        let Some(model) = segments(&exact, 3, &budget) else {
            continue;
        };
        let first = exact.initial();
        let choice = |node| model.choice(node);
        let chain = getaway_chance::MarkovChain::of(&*exact, first, &choice, &limits);
        let wins = chain.unwrap().wins(&limits).unwrap();
        let Bounds { lower, upper } = model.bounds(first).unwrap();
        let Bounds {
            lower: low,
            upper: high,
        } = wins.map_or(Bounds::exact(0.0), |wins| wins.probability);
        // The strategy always makes the moves for the first turn of a stretch, so it may achieve a little less.
        assert!(high >= lower - 0.01 && low <= upper + 1e-9, "{text}");
    }
}

/// Tables for the level itself, with 8,736,524 states, give the probability 0.488200788.
#[test]
fn long_cooldowns_are_solved_in_few_states() {
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let text =
        "; strategy: cooldown\n; radius: 1\n; cooldown: 255\n-------\n|P.D.E|\n|G.|.G|\n-------\n";
    let exact = mdp(text);
    let model = Segments::solve(&exact, &budget).unwrap();
    let model = model.expect("the bounds meet");
    let Bounds { lower, upper } = model.bounds(exact.initial()).unwrap();
    assert!(upper - lower <= Bounds::PRECISION);
    assert!(
        lower <= 0.488_200_82 && upper >= 0.488_200_75,
        "{lower} {upper}"
    );
    assert!(model.len() < 10_000);
    for share in (1..16).step_by(sized(16, 1)) {
        let limits = Limits {
            max_memory: Some(share << 16),
            ..limits
        };
        let budget = Budget::new(&limits);
        let model = Segments::solve(&exact, &budget).unwrap();
        assert_eq!(model.is_none(), budget.taken() == 0, "{share}");
    }
    let short = mdp(&text.replace("255", "63"));
    assert!(Segments::solve(&short, &budget).unwrap().is_none());
}
