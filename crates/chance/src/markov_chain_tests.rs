use super::*;
use Successor::{Lost, Node, Won};
use getaway_board::limits::Clock;

/// A chain made by hand: the successors of each node, and whether a turn begins there.
#[derive(Default)]
struct Game(Vec<(Vec<Successor>, bool)>);

impl Game {
    fn push(&mut self, successors: &[Successor], is_turn: bool) {
        self.0.push((successors.to_vec(), is_turn));
    }

    fn wins(&self, limits: &Limits) -> Result<Option<Wins>, Limit> {
        MarkovChain::of(self, 0, &|_| Some(0), limits)?.wins(limits)
    }
}

/// Entry `n` has the node numbers `2 * n` and `2 * n + 1`. If a turn begins there, the even node is the player's, and the odd one
/// is the draw that follows.
impl Mdp for Game {
    fn initial(&self) -> u64 {
        0
    }

    fn successors_within(
        &self,
        node: u64,
        out: &mut Vec<Successor>,
        _clock: &mut Clock,
    ) -> Result<Owner, Limit> {
        let (successors, is_turn) = &self.0[node as usize / 2];
        if node.is_multiple_of(2) && *is_turn {
            out.push(Node(node + 1));
            return Ok(Owner::Player);
        }
        out.extend(successors.iter().map(|&next| match next {
            Node(next) => Node(2 * next),
            end => end,
        }));
        Ok(Owner::Chance)
    }
}

fn wins(nodes: &[(&[Successor], bool)]) -> Option<Wins> {
    let mut chain = Game::default();
    for (successors, is_turn) in nodes {
        chain.push(successors, *is_turn);
    }
    chain.wins(&Limits::default()).unwrap()
}

#[track_caller]
fn assert_near(bounds: Bounds, value: f64) {
    let Bounds { lower, upper } = bounds;
    assert!(
        lower - 1e-12 <= value && value <= upper + 1e-12 && bounds.width() <= 2e-6 * value,
        "{lower} to {upper}, not {value}"
    );
}

#[test]
fn a_chain_uses_nearly_all_the_memory_it_reports() {
    let turns = 1 << 12;
    let mut chain = Game::default();
    for node in 0..turns {
        chain.push(&[Won, Lost, Lost, Node((node + 1) % turns)], true);
    }
    let mut measured = Limits::default();
    let taken = getaway_testing::measure(|| {
        chain.wins(&measured).unwrap().unwrap();
    });
    measured.max_memory = Some(2 * taken.bytes_max);
    assert!(chain.wins(&measured).is_ok());
    measured.max_memory = Some(taken.bytes_max * 15 / 16);
    assert_eq!(chain.wins(&measured), Err(Limit::Memory));
}

/// A coin is tossed each turn: heads wins, tails continues. Turn k wins with probability 1/2^k, so a win takes 2 turns on
/// average.
#[test]
fn a_coin_is_thrown_until_it_falls_right() {
    let wins = wins(&[(&[Node(1)], true), (&[Won, Node(0)], false)]).unwrap();
    assert_near(wins.probability, 1.0);
    assert_near(wins.turns, 2.0);
}

/// Each turn wins, loses or continues with probability 1/3: half the games are won, in 3/2 turns on average.
#[test]
fn only_games_that_are_won_are_counted() {
    let wins = wins(&[(&[Won, Lost, Node(0)], true)]).unwrap();
    assert_near(wins.probability, 0.5);
    assert_near(wins.turns, 1.5);
}

/// A game that can't be won any more may never end. It doesn't count as won.
#[test]
fn a_game_that_never_ends_is_not_won() {
    let wins = wins(&[
        (&[Node(1), Node(2)], true),
        (&[Won], true),
        (&[Node(2)], true),
    ]);
    let wins = wins.unwrap();
    assert_near(wins.probability, 0.5);
    assert_near(wins.turns, 2.0);
}

#[test]
fn a_game_that_is_never_won_has_no_expected_turns() {
    assert_eq!(wins(&[(&[Lost, Node(0)], true)]), None);
}

/// The gambler's ruin: from step `i`, the walk goes up or down with probability 1/2 each, to a win at step `n` or a loss at step
/// 0. It is won with probability `i/n`, in `(n² - i²) / 3` steps on average.
#[test]
fn the_gamblers_ruin_takes_as_long_as_the_formula_says() {
    let (n, first) = (40_u64, 3);
    // Node 0 is step `first`. Lower steps keep their numbers; higher ones move down by one.
    let number = |step: u64| match step.cmp(&first) {
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Less => step,
        std::cmp::Ordering::Greater => step - 1,
    };
    let next = |step: u64| match step {
        0 => Lost,
        step if step == n => Won,
        step => Node(number(step)),
    };
    let mut steps: Vec<u64> = (1..n).collect();
    steps.sort_by_key(|&step| number(step));
    let mut chain = Game::default();
    for step in steps {
        chain.push(&[next(step + 1), next(step - 1)], true);
    }
    let wins = chain.wins(&Limits::default()).unwrap().unwrap();
    assert_near(wins.probability, first as f64 / n as f64);
    assert_near(wins.turns, (n * n - first * first) as f64 / 3.0);
}

/// Only one visit in 10^11 wins, so even the smallest possible residuals prove no bounds.
#[test]
fn unproven_expected_turns_are_not_claimed() {
    let mut chain = Game::default();
    let mut rare = vec![Node(0); 999];
    rare.push(Node(1));
    chain.push(&rare, true);
    let mut rarer = vec![Node(0); 9_999];
    rarer.push(Node(2));
    chain.push(&rarer, true);
    *rarer.last_mut().unwrap() = Won;
    chain.push(&rarer, true);
    assert_eq!(chain.wins(&Limits::default()).unwrap(), None);
}
