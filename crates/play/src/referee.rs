//! The referee of a game with external agents: it asks for moves and checks the answers against the rules.

use super::actors::Actors;
use super::external::{AgentError, AgentQuestion, ExternalAgents, ExternalGame, GameStart};
use super::orders::BY_RULE;
use super::trace::{Ending, RUNNER, TraceError};
use super::turn::{Chase, GameProgress, Stop, control};
use getaway_board::grid::Cell;
use getaway_ruleset::controlled::Controlled;
use getaway_ruleset::{Event, Meaning, Outcome, Playable, Stochastic, legal};

pub(super) struct Referee<'a> {
    agents: &'a dyn ExternalAgents,
    game: Box<dyn ExternalGame + 'a>,
    actors: Actors,
}

impl<'a> Referee<'a> {
    pub(super) fn new<R: Playable>(
        rules: &R,
        game: &GameProgress<R::State>,
        agents: &'a dyn ExternalAgents,
        turns: usize,
    ) -> Self {
        let actors = Actors::new(rules.grid(), &rules.actors(&game.at));
        let start = GameStart {
            seed: game.rng.fork_seed(),
            turns,
            rows: rules.picture(&game.at),
            actors: actors.all().to_vec(),
        };
        Self {
            game: agents.join(start),
            agents,
            actors,
        }
    }

    pub(super) fn start(&mut self) -> Result<(), Stop> {
        self.game.start().map_err(|error| stop(error, 1))
    }

    pub(super) fn choose<R: Playable>(
        &mut self,
        rules: &R,
        game: &GameProgress<R::State>,
    ) -> Result<Option<R::Move>, Stop> {
        let at = &game.at;
        let moves = legal(rules, at);
        let runners = rules.actors_of(at, Meaning::Runner);
        let runner = runners.get(rules.mover(at)).copied();
        // A board without a runner has a single move, `.`, so no agent is asked.
        let Some(actor) = runner.and_then(|(glyph, cell)| self.actors.id(glyph, cell)) else {
            return Ok(moves.first().copied());
        };
        if moves.is_empty() {
            return Ok(None);
        }
        let legal: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let turn = game.turn();
        let answer = self.ask(RUNNER, actor, turn, &legal, &rules.picture(at))?;
        let refusal = match answer.parse() {
            Err(why) => format!("{why}"),
            Ok(mv) => match rules.refusal(at, mv) {
                None => return Ok(Some(mv)),
                Some(why) => why.into_owned(),
            },
        };
        Err(self.refused(&answer, &refusal, &legal, turn))
    }

    /// Moves all chasers. Returns the outcome if that ends the game, and the orders as a group, which is empty if no agent
    /// decides for chasers.
    pub(super) fn chase<R: Stochastic + Playable>(
        &mut self,
        rules: &R,
        game: &mut GameProgress<R::State>,
        events: &mut Vec<Event>,
    ) -> Result<(Option<Outcome>, String), Stop> {
        let GameProgress { at, rng, turns, .. } = game;
        let mut orders = String::new();
        let is_controlled = |controlled: &&dyn Controlled<_>| {
            let mut controlled = controlled.roles().iter();
            controlled.any(|role| self.agents.decides_for(role.name))
        };
        let Some(controlled) = rules.controlled().filter(is_controlled) else {
            let outcome = Chase::default().play(rules, at, rng, events);
            self.observe(rules, at, events);
            return Ok((outcome, orders));
        };
        self.actors.begin_ply();
        let mut seen = 0;
        let outcome = control(
            rules,
            controlled,
            at,
            rng,
            events,
            |at, (glyph, cell), events| {
                self.follow(rules, at, &events[seen..]);
                seen = events.len();
                let order = self.order(rules, controlled, at, glyph, cell, *turns)?;
                match order {
                    Some(order) => orders.push_str(order),
                    None => orders.push(BY_RULE),
                }
                Ok::<_, Stop>(order)
            },
        )?;
        self.follow(rules, at, &events[seen..]);
        Ok((outcome, orders))
    }

    fn order<R: Playable>(
        &mut self,
        rules: &R,
        controlled: &dyn Controlled<R::State>,
        at: &R::State,
        glyph: char,
        cell: Cell,
        turn: usize,
    ) -> Result<Option<&'static str>, Stop> {
        let mut known = controlled.roles().iter();
        let role = known.find(|role| role.glyphs.contains(glyph));
        let Some(role) = role.filter(|role| self.agents.decides_for(role.name)) else {
            return Ok(None);
        };
        let mut orders = Vec::new();
        controlled.orders(at, cell, &mut orders);
        let legal: Vec<String> = orders.iter().map(ToString::to_string).collect();
        let id = self
            .actors
            .id(glyph, cell)
            .expect("a chaser that moves is on the board");
        let answer = self.ask(role.name, id, turn, &legal, &rules.picture(at))?;
        match orders.into_iter().find(|order| *order == answer) {
            Some(order) => Ok(Some(order)),
            None => Err(self.refused(&answer, "it can't do that", &legal, turn)),
        }
    }

    fn ask(
        &mut self,
        role: &str,
        actor: u32,
        turn: usize,
        legal: &[String],
        rows: &[String],
    ) -> Result<String, Stop> {
        let question = AgentQuestion {
            role,
            actor,
            turn,
            legal,
            rows,
            actors: self.actors.all(),
        };
        let answer = self.game.decide(&question);
        answer.map_err(|error| stop(error, turn))
    }

    fn refused(&mut self, answer: &str, why: &str, legal: &[String], turn: usize) -> Stop {
        let (answer, legal) = (answer.escape_debug(), legal.join(", "));
        let reason = format!("answered `{answer}`, which is illegal: {why}; legal: {legal}");
        stop(self.game.refuse(reason), turn)
    }

    pub(super) fn observe<R: Playable>(&mut self, rules: &R, at: &R::State, events: &[Event]) {
        self.actors.begin_ply();
        self.follow(rules, at, events);
    }

    fn follow<R: Playable>(&mut self, rules: &R, at: &R::State, events: &[Event]) {
        for event in events {
            self.actors.observe(event);
        }
        self.actors.retain(&rules.actors(at));
    }

    pub(super) fn end(&mut self, ending: &Ending) {
        self.game.end(ending);
    }
}

fn stop(error: AgentError, turn: usize) -> Stop {
    match error {
        AgentError::Forfeit(fault) => Stop::Over(Ending::Forfeited {
            turns: turn - 1,
            fault,
        }),
        AgentError::Limit(limit) => Stop::Error(TraceError::Undecided(limit)),
        AgentError::Gone(why) => Stop::Error(TraceError::Unplayable(why)),
    }
}

#[cfg(test)]
#[path = "referee_tests.rs"]
mod tests;
