//! Certificates for games with far smaller probabilities of escape than levels of a reasonable size have.

use std::borrow::Cow;

use super::*;
use getaway_board::limits::{Bounds, Limits};
use getaway_ruleset::distribution::Distribution;
use getaway_ruleset::{Cause, Outcome, Ruleset, Watch};
use getaway_verify::{CertificateReader, Proof, VerifyError, chance};

/// The player flips a coin (`f`) or waits (`w`), escapes after this many lucky flips, and loses after an unlucky one.
struct Coins(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Left(u32, bool);

impl Ruleset for Coins {
    type State = Left;
    type Move = char;

    const MOVES: &'static [char] = &['w', 'f'];

    fn start(&self) -> Left {
        Left(self.0, false)
    }

    fn refusal(&self, _at: &Left, _mv: char) -> Option<Cow<'static, str>> {
        None
    }

    fn act<W: Watch>(&self, at: &mut Left, mv: char, _watch: &mut W) -> Option<Outcome> {
        at.1 = mv == 'f';
        None
    }
}

impl Stochastic for Coins {
    type Chaser = ();
    type Choice = bool;

    fn chasers(&self, at: &Left, out: &mut Vec<()>) {
        out.extend(at.1.then_some(()));
    }

    fn outcomes(&self, _at: &Left, _who: (), out: &mut Distribution<bool>) {
        out.push_uniform([true, false].into_iter(), 1.0);
    }

    fn carry_out<W: Watch>(
        &self,
        at: &mut Left,
        _who: (),
        is_lucky: &bool,
        _watch: &mut W,
    ) -> Option<Outcome> {
        *at = Left(at.0 - 1, false);
        match (is_lucky, at.0) {
            (false, _) => Some(Outcome::Caught(Cause::Chaser)),
            (true, 0) => Some(Outcome::Escaped),
            (true, _) => None,
        }
    }
}

/// A ring of this many spots: on each, the player moves on (`g`) or jumps (`j`) into a pit without a way out.
pub struct Ring(pub u32);

impl Ruleset for Ring {
    type State = u32;
    type Move = char;

    const MOVES: &'static [char] = &['j', 'g'];

    fn start(&self) -> u32 {
        0
    }

    fn refusal(&self, _at: &u32, _mv: char) -> Option<Cow<'static, str>> {
        None
    }

    fn act<W: Watch>(&self, at: &mut u32, mv: char, _watch: &mut W) -> Option<Outcome> {
        if *at == self.0 {
            return Some(Outcome::Caught(Cause::Abyss));
        }
        *at = if mv == 'j' {
            self.0
        } else {
            (*at + 1) % self.0
        };
        None
    }
}

impl Stochastic for Ring {
    type Chaser = ();
    type Choice = ();

    fn chasers(&self, _at: &u32, _out: &mut Vec<()>) {}

    fn outcomes(&self, _at: &u32, _who: (), _out: &mut Distribution<()>) {}

    fn carry_out<W: Watch>(
        &self,
        _at: &mut u32,
        _who: (),
        _choice: &(),
        _watch: &mut W,
    ) -> Option<Outcome> {
        None
    }
}

pub fn graph_of<R: Stochastic<State: Eq + Hash, Chaser: Eq + Hash>>(game: &R) -> GameGraph {
    let limits = Limits::default();
    GameGraph::of(game, usize::MAX, &Budget::new(&limits))
        .unwrap()
        .1
}

fn lines_of(game: &Coins) -> Vec<Line> {
    let limits = Limits::default();
    let budget = Budget::new(&limits);
    let nothing = |_: &[Left], graph: &GameGraph, budget: &Budget| budget.filled(0.0, graph.len());
    lines(game, nothing, &budget).unwrap()
}

fn judged(game: &Coins, lines: &[Line]) -> Result<Proof, VerifyError> {
    let mut file = Vec::new();
    getaway_verify::write(&mut file, b"", |out| write_lines(lines, out)).unwrap();
    let limits = Limits::default();
    let mut content = CertificateReader::new(Box::new(&*file), &limits);
    getaway_verify::verify(&mut content, b"", |content| {
        assert_eq!(content.line()?, "chance");
        chance::check(game, content)
    })
}

/// 2^-70 rounds down to 0 multiples of 2^-60, but ranks show that the probability is positive.
#[test]
fn an_escape_that_hardly_ever_happens_is_proved_to_be_possible() {
    let game = Coins(70);
    let mut lines = lines_of(&game);
    assert_eq!((lines.len(), lines[0].lower), (70, 0));
    let Ok(Proof::Chance {
        bounds: Bounds { lower, upper },
        ..
    }) = judged(&game, &lines)
    else {
        panic!("{:?}", judged(&game, &lines));
    };
    assert!(
        lower == 0.0 && 0.0 < upper && upper < 1e-14,
        "{lower} {upper}"
    );
    let refused = |lines: &[Line]| judged(&game, lines).unwrap_err().to_string();
    let rank = std::mem::take(&mut lines[0].rank);
    assert!(
        rank > 1,
        "it is flipped more than once before there is a bound"
    );
    let why = refused(&lines);
    assert!(
        why.contains("does not say whether the player can escape"),
        "{why}"
    );
    // With rank 1, neither the line's move nor waiting has an outcome with a lower rank.
    lines[0].rank = 1;
    assert!(refused(&lines).contains("its move does not support"));
    (lines[0].rank, lines[0].choice) = (rank, 0);
    assert!(refused(&lines).contains("its move does not support"));
}

#[test]
fn waiting_is_no_way_out_and_bounds_are_near_to_the_truth() {
    let game = Coins(20);
    let lines = lines_of(&game);
    let Ok(Proof::Chance {
        bounds: Bounds { lower, upper },
        ..
    }) = judged(&game, &lines)
    else {
        panic!("{:?}", judged(&game, &lines));
    };
    let truth = 0.5_f64.powi(20);
    assert!(lower < truth && truth < upper);
    assert!(upper - lower < 1e-8 * truth, "{lower} {upper}");
    assert!(lines.iter().all(|line| line.choice == 1));
}
