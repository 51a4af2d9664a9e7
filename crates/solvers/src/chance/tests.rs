//! Tests with a lottery: limits, and games that end at once.

use std::borrow::Cow;
use std::sync::Arc;

use super::*;
use crate::game::Game;
use getaway_board::fault::BoardError;
use getaway_board::grid::{Cell, Grid};
use getaway_board::puzzle::Puzzle;
use getaway_play::trace::Ending;
use getaway_ruleset::distribution::Distribution;
use getaway_ruleset::{Cause, Legend, Meaning, Notation, Playable, Ruleset, Stochastic, Watch};
use getaway_testing::sized;
use getaway_verify::{CertificateReader, Proof, chance as verifier};

/// A game in which the player draws a lot (`d`) each round. One in `lots` wins. In the first `rounds`, any other lot leads to the
/// next round; after that it loses.
#[derive(Clone, Debug)]
struct Lottery {
    opening: Option<Outcome>,
    rounds: u32,
    lots: u64,
}

const LOTTERY: Lottery = Lottery {
    opening: None,
    rounds: 3,
    lots: 4,
};

impl Notation for Lottery {
    const NAME: &'static str = "lottery";
    const SUMMARY: &'static str = "a player draws lots";
    const RULES: &'static str = "The player draws lots.";
    const LEGEND: Legend = Legend::new(&[
        ("p", Meaning::Runner, "player"),
        ("l", Meaning::Chaser, "lot"),
        (".", Meaning::Floor, "empty"),
    ]);

    fn read(_puzzle: &Puzzle) -> Result<Self, BoardError> {
        Ok(LOTTERY)
    }
}

impl Ruleset for Lottery {
    type State = u32;
    type Move = char;

    const MOVES: &'static [char] = &['d'];

    fn start(&self) -> u32 {
        0
    }

    fn open<W: Watch>(&self, _at: &mut u32, _watch: &mut W) -> Option<Outcome> {
        self.opening
    }

    fn refusal(&self, _at: &u32, _mv: char) -> Option<Cow<'static, str>> {
        None
    }

    fn act<W: Watch>(&self, at: &mut u32, _mv: char, _watch: &mut W) -> Option<Outcome> {
        *at += 1;
        None
    }
}

impl Stochastic for Lottery {
    type Chaser = ();
    type Choice = bool;

    fn chasers(&self, _at: &u32, out: &mut Vec<()>) {
        out.push(());
    }

    fn outcomes(&self, _at: &u32, (): (), out: &mut Distribution<bool>) {
        let share = 1.0 / self.lots as f64;
        out.push(true, share);
        out.push(false, 1.0 - share);
    }

    fn carry_out<W: Watch>(
        &self,
        at: &mut u32,
        (): (),
        is_lucky: &bool,
        _watch: &mut W,
    ) -> Option<Outcome> {
        match (is_lucky, *at > self.rounds) {
            (true, _) => Some(Outcome::Escaped),
            (false, true) => Some(Outcome::Caught(Cause::Chaser)),
            (false, false) => None,
        }
    }
}

impl Playable for Lottery {
    fn grid(&self) -> Grid {
        Grid::new(1, 1).expect("a cell")
    }

    fn ground(&self, _cell: Cell) -> char {
        '.'
    }
}

fn solved(game: &ByChance<Lottery>, limits: &Limits) -> Solution {
    game.solve(Order::Shortest, limits)
}

fn certified(game: &ByChance<Lottery>, limits: &Limits) -> Result<Proof, CertifyError> {
    let solution = solved(game, &Limits::default());
    let mut file = Vec::new();
    getaway_verify::write(&mut file, b"", |out| game.certify(&solution, limits, out))?;
    let limits = Limits::default();
    let mut content = CertificateReader::new(Box::new(&*file), &limits);
    let proof = getaway_verify::verify(&mut content, b"", |content| {
        assert_eq!(content.line()?, "chance");
        verifier::check(&*game.0, content)
    });
    Ok(proof.expect("the certificate holds"))
}

fn max(max_states: u64) -> Limits<'static> {
    Limits {
        max_states: Some(max_states),
        ..Limits::default()
    }
}

#[test]
fn a_game_that_ends_before_the_first_move_needs_none() {
    let limits = Limits::default();
    for (outcome, value) in [
        (Outcome::Escaped, 1.0),
        (Outcome::Caught(Cause::Chaser), 0.0),
    ] {
        let game = ByChance(Arc::new(Lottery {
            opening: Some(outcome),
            ..LOTTERY
        }));
        assert_eq!(game.expected_turns(&limits), Ok(None));
        let solution = solved(&game, &limits);
        let analysis = game.analyse(&solution, &limits);
        assert!(analysis.first_moves.is_empty() && analysis.cut_short.is_empty());
        let escaped = analysis.best_play.map(|played| played.escaped);
        assert_eq!(escaped, (value > 0.0).then_some(1000));
        assert!(game.explain(&solution, &limits).turns.len() <= 1);
        let ending = game.replay(&Plan::default()).unwrap();
        assert_eq!(
            ending,
            if value > 0.0 {
                Ending::Escaped { turns: 0 }
            } else {
                Ending::Caught {
                    turns: 0,
                    cause: Cause::Chaser,
                }
            }
        );
        assert_eq!(
            certified(&game, &limits).unwrap(),
            Proof::Chance {
                bounds: Bounds::exact(value),
                certain: (value > 0.0).then_some(0),
                positions: 0,
            }
        );
    }
}

#[test]
fn only_positions_count_as_states() {
    let game = ByChance(Arc::new(LOTTERY));
    let (enough, few) = (max(4), max(3));
    let solution = solved(&game, &enough);
    assert_eq!((solution.states, solution.limit()), (4, None));
    assert!(game.expected_turns(&enough).unwrap().is_some());
    let analysis = game.analyse(&solution, &enough);
    assert!(analysis.cut_short.is_empty() && analysis.expected_turns.is_some());
    assert!(certified(&game, &enough).is_ok());
    let solution = solved(&game, &few);
    assert_eq!(
        (solution.states, solution.limit()),
        (3, Some(Limit::States))
    );
    assert!(matches!(
        certified(&game, &few),
        Err(CertifyError::Limit(Limit::States))
    ));
}

/// Allows a little more memory than the limit, which is approximate.
#[test]
fn a_certificate_takes_little_more_memory_than_it_may() {
    let game = ByChance(Arc::new(Lottery {
        rounds: 2000,
        ..LOTTERY
    }));
    let solution = solved(&game, &Limits::default());
    let certify = |max| {
        let limits = Limits {
            max_memory: Some(max),
            ..Limits::default()
        };
        let taken = getaway_testing::measure(|| {
            let _ = game.certify(&solution, &limits, &mut std::io::sink());
        });
        taken.bytes_max
    };
    for max in (1 << 15..1 << 21).step_by(sized(1 << 18, 1 << 15)) {
        let taken = certify(max);
        assert!(taken <= max + max / 2, "{taken} of {max}");
    }
}

#[test]
fn a_draw_of_very_many_lots_is_refused() {
    let limits = Limits::default();
    let of = |lots| {
        let game = ByChance(Arc::new(Lottery { lots, ..LOTTERY }));
        solved(&game, &limits)
    };
    let solution = of(1_000_003);
    assert_eq!(
        (solution.states, solution.limit()),
        (4, Some(Limit::Memory))
    );
    let known = of(65_521).evidence.probability().unwrap();
    let truth = 1.0 - (1.0 - 1.0 / 65_521.0_f64).powi(4);
    assert!((known - truth).abs() < 1e-6, "{known} {truth}");
}
