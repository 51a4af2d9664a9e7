use crate::engine::Model;
use crate::engine::mdp::Successor;
use crate::engine::positions::Positions;
use crate::engine::visited::ExactSet;
use crate::limits::{Limit, Limits};
use crate::rules::dungeon::{Dungeon, Move};
use crate::ruleset::Outcome;
use crate::verify::dungeon::{Place, Unchased};

/// Returns the positions that the player can reach when there are no chasers; `None` if one of them is a way out.
pub fn places(dungeon: &Dungeon, limits: &Limits) -> Result<Option<Positions>, Limit> {
    let Some(unchased) = Unchased::new(dungeon) else {
        return Ok(None);
    };
    let explored = Positions::explore(&unchased, ExactSet::default(), limits);
    let places = explored.map_err(|(limit, _)| limit)?;
    let escapes = |number| places.successors(number).contains(&Successor::Won);
    let is_way_out = (0..places.len()).any(escapes);
    Ok((!is_way_out).then_some(places))
}

impl Model for Unchased {
    type State = Place;
    type Move = Move;

    fn opened(&self) -> Result<Place, Outcome> {
        Ok(self.first())
    }

    fn moves(&self, at: &Place, out: &mut Vec<Move>) {
        Self::moves(self, at, out);
    }

    fn play(&self, at: &mut Place, mv: Move) -> Option<Outcome> {
        Self::play(self, at, mv)
    }
}
