//! Tracing a game of many turns.

use super::Moving;
use super::moving::State;
use crate::chance::Chances;
use crate::engine::luck::Luck;
use crate::game::{Ending, LineKind, Plan, Teller, TraceError};
use crate::replay::{ending, half, illegal, open_or_trapped};
use crate::rules::maze::Way;
use crate::rules::{Event, Outcome, Playable, Ruleset, Stochastic};

/// How many turns a game goes on at most where nothing else is said.
const TURNS: usize = 1_000;

/// Tells of the moves of the plan, or of the runner's own; the walls move by the plan's seed.
///
/// # Errors
///
/// If the moves can't be read, time is up, or the teller can't go on.
pub(super) fn trace(
    game: &Moving,
    plan: &Plan,
    teller: &mut dyn Teller,
) -> Result<Ending, TraceError> {
    let luck = Luck::new(plan.seed);
    let mut tale = Tale {
        game,
        luck,
        teller,
        events: Vec::new(),
    };
    if let Some(text) = plan.moves {
        let moves = Moving::read_line(text)?;
        return tale.tell(&LineKind::Given, moves.len(), |_, turn| Ok(moves[turn]));
    }
    let turns = plan.turns.unwrap_or(TURNS);
    tale.tell(&LineKind::Played { seed: plan.seed }, turns, |at, _| {
        let next = game.next_move(at, &plan.limits);
        let next = next.map_err(|undecided| TraceError::Undecided(undecided.limit))?;
        Ok(next
            .way
            .expect("a runner who is not trapped has somewhere to go"))
    })
}

struct Tale<'a> {
    game: &'a Moving,
    luck: Luck,
    teller: &'a mut dyn Teller,
    events: Vec<Event>,
}

impl Tale<'_> {
    /// Plays up to `turns` turns, in which the runner goes where `policy` says; it is told the
    /// position, and how many turns have been played.
    fn tell(
        &mut self,
        kind: &LineKind,
        turns: usize,
        policy: impl Fn(&State, usize) -> Result<Way, TraceError>,
    ) -> Result<Ending, TraceError> {
        let game = self.game;
        let mut at = game.start();
        self.teller.begin(kind, &|| game.picture(&at))?;
        if let Some(outcome) = game.open(&mut at, &mut self.events) {
            return Ok(ending(outcome, 0));
        }
        let mut legal = Vec::new();
        for turn in 0..turns {
            legal.clear();
            game.moves(&at, &mut legal);
            if legal.is_empty() {
                return Ok(open_or_trapped(&legal, turn));
            }
            let way = policy(&at, turn)?;
            if !legal.contains(&way) {
                return Ok(illegal(game, &at, way, turn));
            }
            if let Some(outcome) = self.turn(&mut at, way, turn + 1)? {
                return Ok(ending(outcome, turn + 1));
            }
        }
        legal.clear();
        game.moves(&at, &mut legal);
        Ok(open_or_trapped(&legal, turns))
    }

    /// Plays one turn and tells of its two halves.
    fn turn(
        &mut self,
        at: &mut State,
        way: Way,
        turn: usize,
    ) -> Result<Option<Outcome>, TraceError> {
        let acted = self.game.act(at, way, &mut self.events);
        self.teller
            .half(&half(self.game, at, &mut self.events, turn, Some(way)))?;
        if acted.is_some() {
            return Ok(acted);
        }
        self.move_walls(at);
        if !self.events.is_empty() {
            self.teller
                .half(&half(self.game, at, &mut self.events, turn, None))?;
        }
        Ok(None)
    }

    fn move_walls(&mut self, at: &mut State) {
        let (mut walls, mut chances) = (Vec::new(), Chances::new());
        self.game.chasers(at, &mut walls);
        for wall in walls {
            chances.clear();
            self.game.chances(at, wall, &mut chances);
            let choice = *chances.draw(self.luck.uniform());
            self.game.carry_out(at, wall, &choice, &mut self.events);
        }
    }
}
