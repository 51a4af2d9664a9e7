//! Playing a game turn by turn: the runner's moves by a policy, what is left to chance by luck from a
//! seed.

use std::ops::Deref;

use crate::distribution::Distribution;
use crate::engine::search::Order;
use crate::game::{Bout, Ending, Half, LineKind, Player, Teller, Told, TraceError};
use crate::limits::Limits;
use crate::play::replay::{ending, illegal, open_or_trapped};
use crate::rng::Rng;
use crate::ruleset::{Event, Outcome, Playable, Ruleset, Stochastic};

/// How many turns a game goes on at most where nothing else is said.
pub const TURNS: usize = 1_000;

/// Who decides for the runner in one game: it is told the position, and may draw random numbers; no move ends
/// the playing.
pub type Chooser<'p, R> = Box<Choose<'p, R>>;

/// What a [`Chooser`] calls.
pub type Choose<'p, R> =
    dyn FnMut(&<R as Ruleset>::State, &mut Rng) -> Option<<R as Ruleset>::Move> + 'p;

/// A way to play, for any number of games.
pub trait Policy<R: Ruleset>: Sync {
    /// Who decides in a game of `rules` that begins now.
    fn chooser<'p>(&'p self, rules: &'p R) -> Chooser<'p, R>;
}

/// The policies that everyone knows by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Named {
    /// What the solver would do.
    #[default]
    Solver,
    /// The move that leads nearest to the goal as the crow flies, whoever waits there.
    Greedy,
    /// Any legal move, all equally likely.
    Random,
    /// Not to move.
    Stay,
}

/// How the runner is to be played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conduct<'a> {
    /// These moves, rather than a policy.
    pub moves: Option<&'a str>,
    /// The policy.
    pub policy: Named,
    /// How the solver searches.
    pub order: Order,
    /// What ends its search.
    pub limits: Limits<'a>,
}

/// A board with a policy, ready for any number of games. `G` is the board itself or a reference to it.
pub struct Seat<'g, G: Deref<Target: Ruleset>> {
    rules: G,
    policy: Box<dyn Policy<G::Target> + 'g>,
    kind: fn(seed: u64) -> LineKind,
    limits: Limits<'g>,
}

impl<'g, G> Seat<'g, G>
where
    G: Deref<Target: Playable<Move: Send + Sync + 'g> + Sync + Sized> + Sync,
{
    /// Someone who plays as `conduct` says; the solver's own policy is asked for only if it is wanted.
    ///
    /// # Errors
    ///
    /// If the moves can't be read, nobody can stay on this board, or there is no solver's policy.
    pub fn new(
        rules: G,
        conduct: &Conduct<'g>,
        solver: impl FnOnce(&G::Target) -> Result<Box<dyn Policy<G::Target> + 'g>, TraceError>,
    ) -> Result<Self, TraceError> {
        let (mut kind, limits) = (played as fn(u64) -> LineKind, conduct.limits);
        let policy: Box<dyn Policy<G::Target> + 'g> = match (conduct.moves, conduct.policy) {
            (Some(text), _) => {
                kind = |_| LineKind::Given;
                Box::new(Line(G::Target::read_line(text)?))
            }
            (None, Named::Solver) => solver(&rules)?,
            (None, Named::Greedy) => Box::new(Greedy),
            (None, Named::Random) => Box::new(Random),
            (None, Named::Stay) => Box::new(Always(stay::<G::Target>()?)),
        };
        Ok(Self {
            rules,
            policy,
            kind,
            limits,
        })
    }
}

const fn played(seed: u64) -> LineKind {
    LineKind::Played { seed }
}

fn stay<R: Playable>() -> Result<R::Move, TraceError> {
    R::STAY.ok_or_else(|| TraceError::Unplayable(format!("{} can't stay in this game", R::RUNNER)))
}

impl<G> Player for Seat<'_, G>
where
    G: Deref<Target: Stochastic + Playable<Move: Send + Sync> + Sync + Sized> + Sync,
{
    fn play(
        &self,
        rng: &mut Rng,
        turns: usize,
        teller: Option<&mut dyn Teller>,
    ) -> Result<Bout, TraceError> {
        let (rules, kind) = (&*self.rules, (self.kind)(rng.seed()));
        let mut at = rules.start();
        let mut rollout = Rollout {
            kind,
            turns,
            rng,
            limits: self.limits,
            teller,
        };
        let mut chooser = self.policy.chooser(rules);
        let ending = rollout.play(rules, &mut at, &mut *chooser)?;
        let is_line_over = matches!(ending, Ending::Escaped { .. } | Ending::Caught { .. })
            && rollout.kind == LineKind::Given;
        let unplayed = is_line_over.then(|| chooser(&at, rng)).flatten();
        Ok(Bout {
            ending,
            gathered: rules.gathered(&at),
            unplayed: unplayed.map(|mv| mv.to_string()),
        })
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
        Box::new(move |at, rng| {
            legal.clear();
            rules.moves(at, &mut legal);
            let pick = (rng.uniform() * legal.len() as f64) as usize;
            legal.get(pick).copied()
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

/// A game about to be played.
pub(crate) struct Rollout<'a, 't> {
    /// What is played, for the teller.
    pub(crate) kind: LineKind,
    /// The most turns to play.
    pub(crate) turns: usize,
    /// Where luck comes from.
    pub(crate) rng: &'a mut Rng,
    /// What breaks the playing off.
    pub(crate) limits: Limits<'a>,
    /// Who is told of each half turn, if anybody is.
    pub(crate) teller: Option<&'t mut dyn Teller>,
}

impl Rollout<'_, '_> {
    /// Plays from the start, `at`, the runners' moves as `choose` says, until the game or the moves
    /// end.
    ///
    /// Every move of a runner is told as a half of its own, and so are the moves of those who chase.
    /// The turns of the ending are rounds: where several run, each moves once in a turn.
    ///
    /// # Errors
    ///
    /// Those of the teller, and a limit that breaks the playing off.
    pub(crate) fn play<R: Stochastic + Playable>(
        &mut self,
        rules: &R,
        at: &mut R::State,
        choose: &mut Choose<R>,
    ) -> Result<Ending, TraceError> {
        if let Some(teller) = &mut self.teller {
            teller.begin(&self.kind, &|| rules.picture(at))?;
        }
        let mut events = Vec::new();
        let opening = rules.open(at, &mut events);
        self.tell(
            rules,
            at,
            Part {
                turn: 1,
                mv: None,
                events: &mut events,
            },
        )?;
        if let Some(outcome) = opening {
            return Ok(ending(outcome, 0));
        }
        for turn in 1..=self.turns {
            self.limits.check_time()?;
            let mut has_moved = false;
            while !has_moved {
                let Some(mv) = choose(at, self.rng) else {
                    // It may be that he was not given the time to choose.
                    self.limits.check_time()?;
                    return Ok(open_or_trapped(rules, at, turn - 1));
                };
                if rules.refusal(at, mv).is_some() {
                    return Ok(illegal(rules, at, mv, turn - 1));
                }
                let outcome = rules.act(at, mv, &mut events);
                self.tell(
                    rules,
                    at,
                    Part {
                        turn,
                        mv: Some(mv),
                        events: &mut events,
                    },
                )?;
                if let Some(outcome) = outcome {
                    return Ok(ending(outcome, turn));
                }
                has_moved = rules.all_moved(at);
            }
            let outcome = self.chase(rules, at, &mut events);
            let turn_told = turn + usize::from(R::CHASERS_FIRST);
            self.tell(
                rules,
                at,
                Part {
                    turn: turn_told,
                    mv: None,
                    events: &mut events,
                },
            )?;
            if let Some(outcome) = outcome {
                return Ok(ending(outcome, turn));
            }
        }
        Ok(open_or_trapped(rules, at, self.turns))
    }

    /// All who chase move, as luck will have it.
    fn chase<R: Stochastic>(
        &mut self,
        rules: &R,
        at: &mut R::State,
        events: &mut Vec<Event>,
    ) -> Option<Outcome> {
        if let Some(outcome) = rules.settle(at, events) {
            return Some(outcome);
        }
        let (mut chasers, mut chances) = (Vec::new(), Distribution::new());
        rules.chasers(at, &mut chasers);
        chasers.into_iter().find_map(|who| {
            chances.clear();
            rules.chances(at, who, &mut chances);
            let choice = chances.draw(self.rng.uniform()).clone();
            rules.carry_out(at, who, &choice, events)
        })
    }

    /// Tells a half turn, if anything happened in it.
    fn tell<R: Playable>(
        &mut self,
        rules: &R,
        at: &R::State,
        Part { turn, mv, events }: Part<R::Move>,
    ) -> Result<(), TraceError> {
        let events = events.drain(..);
        let Some(teller) = &mut self.teller else {
            return Ok(());
        };
        if events.len() == 0 {
            return Ok(());
        }
        // A picture of a large board takes its time.
        self.limits.check_time()?;
        let told = |event: Event| Told {
            actor: event.actor,
            from: rules.position(event.from),
            to: rules.position(event.to),
            fate: event.fate,
        };
        let half = Half {
            turn,
            who: if mv.is_some() { R::RUNNER } else { R::CHASERS },
            mv: mv.map(|mv| mv.to_string()),
            events: events.map(told).collect(),
            rows: rules.picture(at),
        };
        Ok(teller.half(&half)?)
    }
}

/// A half turn that was just played.
struct Part<'a, M> {
    turn: usize,
    mv: Option<M>,
    events: &'a mut Vec<Event>,
}
