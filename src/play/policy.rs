//! How the runner is played: by given moves or by a policy, in any number of games.

use std::ops::Deref;

use super::orders::Orders;
use super::outside::{Outside, RUNNER};
use super::rollout::{ByChooser, Chooser, Rollout};
use super::table::Table;
use super::trace::{Ending, GameResult, LineKind, TraceError, TraceSink};
use crate::limits::Limits;
use crate::rng::Rng;
use crate::ruleset::led::Led;
use crate::ruleset::{Outcome, Playable, Ruleset, Stochastic};

/// How many turns a game goes on at most where nothing else is said.
pub const TURNS: usize = 1_000;

/// A way to play, for any number of games.
pub trait Policy<R: Ruleset>: Sync {
    /// Who decides in a game of `rules` that begins now.
    fn chooser<'p>(&'p self, rules: &'p R) -> Chooser<'p, R>;
}

/// The policies with names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum PolicyKind {
    /// The solver's best move.
    #[default]
    Solver,
    /// Towards the goal in a straight line, whatever waits there.
    Greedy,
    /// Any legal move.
    Random,
    /// Never move.
    Stay,
}

/// How the runner is to be played.
#[derive(Clone, Copy, Debug, Default)]
pub struct PolicySpec<'a> {
    /// These moves, rather than a policy.
    pub moves: Option<&'a str>,
    /// What the chasers did whom somebody led in the game of these moves, as the header `chasers` tells it; with those
    /// outside it means nothing.
    pub chasers: Option<&'a str>,
    /// The policy.
    pub policy: PolicyKind,
    /// What breaks a game off, and ends the solver's search for a policy.
    pub limits: Limits<'a>,
    /// Those outside who decide for the runner, which comes before all else, or for some who chase.
    pub outside: Option<&'a dyn Outside>,
}

/// A board with a policy, ready for any number of games. `G` is the board itself or a reference to it.
pub struct PolicyPlayer<'g, G: Deref<Target: Ruleset>> {
    rules: G,
    /// The runner's; `None`: somebody outside decides for him.
    policy: Option<Box<dyn Policy<G::Target> + 'g>>,
    kind: fn(seed: u64) -> LineKind,
    orders: Orders,
    limits: Limits<'g>,
    outside: Option<&'g dyn Outside>,
}

impl<'g, G> PolicyPlayer<'g, G>
where
    G: Deref<Target: Playable<Move: Send + Sync + 'g> + Sync + Sized> + Sync,
{
    /// Someone who plays as `spec` says; the solver's own policy is asked for only if it is wanted.
    ///
    /// # Errors
    ///
    /// If the moves can't be read, nobody can stay on this board, or there is no solver's policy.
    pub fn new(
        rules: G,
        spec: &PolicySpec<'g>,
        solver: impl FnOnce(&G::Target) -> Result<Box<dyn Policy<G::Target> + 'g>, TraceError>,
    ) -> Result<Self, TraceError> {
        let mut kind = played as fn(u64) -> LineKind;
        if let Some(outside) = spec.outside {
            check_roles(&*rules, outside)?;
        }
        let is_outside = spec
            .outside
            .is_some_and(|outside| outside.decides_for(RUNNER));
        let policy: Option<Box<dyn Policy<G::Target> + 'g>> = match (spec.moves, spec.policy) {
            _ if is_outside => None,
            (Some(text), _) => {
                kind = |_| LineKind::Given;
                Some(Box::new(Line(G::Target::read_line(text)?)))
            }
            (None, PolicyKind::Solver) => Some(solver(&rules)?),
            (None, PolicyKind::Greedy) => Some(Box::new(Greedy)),
            (None, PolicyKind::Random) => Some(Box::new(Random)),
            (None, PolicyKind::Stay) => Some(Box::new(Always(stay::<G::Target>()?))),
        };
        Ok(Self {
            rules,
            policy,
            kind,
            orders: spec.chasers.map(Orders::read).unwrap_or_default(),
            limits: spec.limits,
            outside: spec.outside,
        })
    }
}

/// Whether those outside decide for roles that this board has.
fn check_roles<R: Playable>(rules: &R, outside: &dyn Outside) -> Result<(), TraceError> {
    let led = rules.led().map_or(&[][..], Led::roles);
    let is_known = |role: &str| role == RUNNER || led.iter().any(|known| known.name == role);
    match outside.roles().into_iter().find(|role| !is_known(role)) {
        None => Ok(()),
        Some(role) => {
            let known = led.iter().map(|known| format!(", `{}`", known.name));
            Err(TraceError::Unplayable(format!(
                "no program can play the role `{role}` here: the roles are `{RUNNER}`{}",
                known.collect::<String>()
            )))
        }
    }
}

const fn played(seed: u64) -> LineKind {
    LineKind::Played { seed }
}

fn stay<R: Playable>() -> Result<R::Move, TraceError> {
    R::STAY.ok_or_else(|| TraceError::Unplayable(format!("{} can't stay in this game", R::RUNNER)))
}

impl<G> Player for PolicyPlayer<'_, G>
where
    G: Deref<Target: Stochastic + Playable<Move: Send + Sync> + Sync + Sized> + Sync,
{
    fn play(
        &self,
        rng: &mut Rng,
        turns: usize,
        sink: Option<&mut dyn TraceSink>,
    ) -> Result<GameResult, TraceError> {
        let (rules, kind) = (&*self.rules, (self.kind)(rng.seed()));
        let mut at = rules.start();
        let mut rollout = Rollout {
            kind,
            turns,
            rng,
            limits: self.limits,
            sink,
        };
        let mut chooser = self.policy.as_ref().map(|policy| policy.chooser(rules));
        let ending = match (self.outside, &mut chooser) {
            (Some(outside), _) => {
                let mut table = Table::new(rules, outside, chooser.take())?;
                rollout.play_with(rules, &mut at, &mut table)?
            }
            (None, Some(choose)) => {
                let mut deciders = ByChooser::new(&mut **choose, &self.orders);
                let ending = rollout.play_with(rules, &mut at, &mut deciders)?;
                if is_done(&ending, turns) {
                    deciders.must_be_done()?;
                }
                ending
            }
            (None, None) => unreachable!("without a policy somebody outside decides"),
        };
        let is_line_over = matches!(ending, Ending::Escaped { .. } | Ending::Caught { .. })
            && rollout.kind == LineKind::Given;
        let mut rest = chooser.filter(|_| is_line_over);
        let unplayed = rest.as_mut().and_then(|choose| choose(&at, rng));
        Ok(GameResult {
            ending,
            gathered: rules.gathered(&at),
            unplayed: unplayed.map(|mv| mv.to_string()),
        })
    }
}

/// Whether a game of at most so many turns ended by itself, or with its moves.
const fn is_done(ending: &Ending, turns: usize) -> bool {
    match ending {
        Ending::Escaped { .. } | Ending::Caught { .. } => true,
        Ending::Open { turns: played } => *played < turns,
        Ending::Forfeited { .. } | Ending::Illegal { .. } => false,
    }
}

/// A line of play, move by move to its end.
pub struct Line<M>(pub Vec<M>);

impl<R: Ruleset<Move: Sync>> Policy<R> for Line<R::Move> {
    fn chooser<'p>(&'p self, _rules: &'p R) -> Chooser<'p, R> {
        let mut rest = self.0.iter();
        Box::new(move |_, _| rest.next().copied())
    }
}

/// A policy that looks at nothing but the position.
pub struct ByPosition<F>(pub F);

impl<R: Ruleset, F: Fn(&R, &R::State) -> Option<R::Move> + Sync> Policy<R> for ByPosition<F> {
    fn chooser<'p>(&'p self, rules: &'p R) -> Chooser<'p, R> {
        Box::new(move |at, _| (self.0)(rules, at))
    }
}

struct Always<M>(M);

impl<R: Ruleset<Move: Sync>> Policy<R> for Always<R::Move> {
    fn chooser<'p>(&'p self, _rules: &'p R) -> Chooser<'p, R> {
        Box::new(|_, _| Some(self.0))
    }
}

struct Random;

impl<R: Ruleset> Policy<R> for Random {
    fn chooser<'p>(&'p self, rules: &'p R) -> Chooser<'p, R> {
        let mut legal = Vec::new();
        // Luck of its own: those who chase have the same one when its moves are replayed.
        let mut own = None;
        Box::new(move |at, rng| {
            let own = own.get_or_insert_with(|| Rng::new(rng.for_others()));
            legal.clear();
            rules.moves(at, &mut legal);
            own.pick(&legal).copied()
        })
    }
}

struct Greedy;

impl<R: Playable> Policy<R> for Greedy {
    fn chooser<'p>(&'p self, rules: &'p R) -> Chooser<'p, R> {
        let mut legal = Vec::new();
        Box::new(move |at, _| {
            legal.clear();
            rules.moves(at, &mut legal);
            let away = |&mv: &R::Move| {
                let mut then = at.clone();
                match rules.act(&mut then, mv, &mut ()) {
                    Some(Outcome::Escaped) => 0,
                    Some(Outcome::Caught(_)) => u64::MAX,
                    None => 1 + u64::from(rules.distance(&then)),
                }
            };
            // Of equals the first.
            legal.iter().copied().min_by_key(away)
        })
    }
}

/// Someone who plays a board by a policy, any number of times.
pub trait Player: Sync {
    /// Plays a game of at most so many turns; all random numbers come from `rng`.
    ///
    /// # Errors
    ///
    /// If the sink can't go on.
    fn play(
        &self,
        rng: &mut Rng,
        turns: usize,
        sink: Option<&mut dyn TraceSink>,
    ) -> Result<GameResult, TraceError>;
}
