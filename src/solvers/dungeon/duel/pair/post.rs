//! What never changes at a place of the player: where two ghosts can be then, and what each can do.

use std::ops::Range;

use super::super::code::{Node, Phase, Token};
use super::super::places::Goal;
use super::super::{Duel, Landing};
use super::{Budget, Limit, bytes};
use crate::rules::dungeon::Dungeon;
use crate::rules::dungeon::level::RoomNumber;

/// The number of a stance among those of a place.
pub(super) type Index = u16;

/// The most stances at a place: as many as there are numbers that are not needed for other slots,
/// of which there are two and one for each cooldown.
const MOST_STANCES: usize = Index::MAX as usize - 2 - (u8::MAX as usize + 1);

/// The stances that a ghost can have: each a haunt and a cooldown. In the order of the haunts,
/// which is the reading order.
#[derive(Debug)]
pub(super) struct Stances {
    tokens: Vec<Token>,
    /// For each haunt its stances. There is a single one where the cooldown makes no difference, or
    /// one for each cooldown.
    of_haunt: Vec<Range<Index>>,
}

impl Stances {
    /// The stances with the player at `place`, of a ghost that waits for its move or has made it;
    /// `None` if there are more than [`MOST_STANCES`].
    pub(super) fn new(duel: &Duel, place: u32, waits: bool) -> Option<Self> {
        let mut stances = Self {
            tokens: Vec::new(),
            of_haunt: Vec::new(),
        };
        for haunt in 0..duel.atlas.haunts() {
            let first = stances.tokens.len();
            if duel.can_haunt(place, haunt) {
                let is_all_one = duel.will_see(place, haunt, waits);
                let greatest = if is_all_one { 0 } else { duel.most_cooldown() };
                let tokens = (0..=greatest).map(|cooldown| Token::moved(haunt, cooldown));
                stances.tokens.extend(tokens);
            }
            if stances.tokens.len() > MOST_STANCES {
                return None;
            }
            let ends = [first, stances.tokens.len()];
            let [first, end] = ends.map(|at| at as Index);
            stances.of_haunt.push(first..end);
        }
        Some(stances)
    }

    /// How much memory the stances of a place take at most, in bytes.
    pub(super) fn max_bytes(duel: &Duel) -> u64 {
        let haunts = duel.atlas.haunts() as usize;
        let all = haunts * (usize::from(duel.most_cooldown()) + 1);
        // A list may have grown to twice its length.
        bytes::<Range<Index>>(2 * haunts) + bytes::<Token>(2 * all.min(MOST_STANCES))
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// All numbers in order.
    pub(super) fn all(&self) -> Range<Index> {
        0..self.tokens.len() as Index
    }

    pub(super) fn token(&self, at: Index) -> Token {
        self.tokens[usize::from(at)]
    }

    pub(super) fn haunt(&self, at: Index) -> u32 {
        self.tokens[usize::from(at)].haunt()
    }

    /// The stances at a haunt.
    pub(super) fn at(&self, haunt: u32) -> Range<Index> {
        self.of_haunt[haunt as usize].clone()
    }

    /// How many stances are at haunts before that of this one.
    pub(super) fn before(&self, at: Index) -> Index {
        self.at(self.haunt(at)).start
    }

    /// The stance of a ghost with this cooldown; `None` if no ghost can be there.
    pub(super) fn find(&self, haunt: u32, cooldown: u8) -> Option<Index> {
        let stances = self.at(haunt);
        match stances.len() {
            0 => None,
            1 => Some(stances.start),
            _ => Some(stances.start + Index::from(cooldown)),
        }
    }
}

/// What a ghost can do: [`Row::MOST`] slots, of which `count` are draws and the others neutral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) slots: [Slot; Row::MOST],
    pub(super) count: u16,
}

impl Row {
    /// The most ways that a ghost has.
    pub(super) const MOST: usize = 4;
}

/// Something that a ghost can do, as a number: the stances after a move come first, then
/// [`Post::neutral`], [`Post::caught`], and the hubs.
pub(super) type Slot = u16;

/// A teleport with a certain cooldown: for each room the stances on those of its tiles on which
/// neither player, key nor exit is.
#[derive(Debug)]
pub(super) struct Hub {
    cooldown: u8,
    pub(super) rooms: Vec<Vec<Index>>,
}

/// What the player can do at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Get out.
    Out,
    /// Go to one of these of [`Post::goals`].
    Goals(Vec<u8>),
}

/// A place that the player can go to.
#[derive(Debug)]
pub(super) struct Reach {
    pub(super) place: u32,
    /// For each stance here the one there; `None` for a ghost that is there already.
    pub(super) stances: Vec<Option<Index>>,
    /// The same in runs.
    pub(super) runs: Vec<Run>,
}

/// Consecutive stances here that are consecutive ones there, or one and the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) here: Index,
    pub(super) there: Index,
    pub(super) len: Index,
    pub(super) is_one: bool,
}

impl Run {
    /// Takes in the next stance, if it can.
    fn grow(&mut self, (here, there): (Index, Index)) -> bool {
        let is_one = self.there == there && (self.is_one || self.len == 1);
        let is_next = self.there + self.len == there && !self.is_one;
        if self.here + self.len != here || !(is_one || is_next) {
            return false;
        }
        self.len += 1;
        self.is_one = is_one;
        true
    }
}

impl Reach {
    fn new(place: u32, stances: Vec<Option<Index>>) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for (here, there) in (0..).zip(&stances) {
            let Some(there) = *there else { continue };
            if !runs.last_mut().is_some_and(|run| run.grow((here, there))) {
                runs.push(Run {
                    here,
                    there,
                    len: 1,
                    is_one: false,
                });
            }
        }
        Self {
            place,
            stances,
            runs,
        }
    }
}

/// A place of the player, and the two ghosts there.
#[derive(Debug)]
pub(super) struct Post {
    /// The stances of a ghost that has moved; both have when it is the player's turn.
    pub(super) moved: Stances,
    /// For each stance of a ghost that waits what it can do if the other is out of its way.
    pub(super) rows: Vec<Row>,
    /// What it can do if the other is on this haunt, which is next to it.
    pub(super) close: Vec<Vec<(u32, Row)>>,
    pub(super) hubs: Vec<Hub>,
    /// For each haunt the room of the hubs that it is a tile of, counted among those.
    pub(super) room: Vec<Option<RoomNumber>>,
    pub(super) goals: Vec<Reach>,
    /// The stances of a ghost that is near enough to be in the player's way.
    pub(super) near: Vec<Index>,
    /// For each stance the number of its haunt among the near ones, from 1; 0 for the far ones.
    nearness: Vec<u8>,
    /// What the player can do, by the nearness of both ghosts.
    choices: Vec<Vec<Choice>>,
}

impl Post {
    /// The post at `place`, given for each place the stances of a ghost that waits; `None` if there
    /// are more than numbers.
    pub(super) fn new(
        duel: &Duel,
        place: u32,
        waiting: &[Stances],
        budget: &Budget,
    ) -> Result<Option<Self>, Limit> {
        budget.take(Stances::max_bytes(duel))?;
        let Some(moved) = Stances::new(duel, place, false) else {
            return Ok(None);
        };
        let mut post = Self {
            moved,
            rows: Vec::new(),
            close: Vec::new(),
            hubs: Vec::new(),
            room: vec![None; duel.atlas.haunts() as usize],
            goals: Vec::new(),
            near: Vec::new(),
            nearness: Vec::new(),
            choices: Vec::new(),
        };
        let desk = Desk { duel, place };
        let tokens = &waiting[place as usize].tokens;
        budget.take(post.max_bytes(duel, place, tokens.len()))?;
        let mut clock = budget.clock();
        for &token in tokens {
            clock.work(64)?;
            let row = desk.row(&mut post, token, None);
            post.rows.push(row);
            let neighbours = duel.neighbours(place, token.haunt());
            let close = neighbours.map(|other| (other, desk.row(&mut post, token, Some(other))));
            let close = close.collect();
            post.close.push(close);
        }
        for (room, tiles) in (0..).zip(desk.rooms()) {
            for tile in tiles {
                post.room[tile as usize] = Some(room);
            }
        }
        clock.work((64 * post.moved.len()) as u64)?;
        Ok(desk.survey(&mut post, waiting).map(|()| post))
    }

    /// How much memory it takes with so many stances of a ghost that waits, in bytes; the stances
    /// of one that has moved are there already.
    fn max_bytes(&self, duel: &Duel, place: u32, waiting: usize) -> u64 {
        let haunts = duel.atlas.haunts() as usize;
        // A ghost has four neighbours at most. A list may have grown to twice its length.
        let rows = bytes::<Row>(2 * waiting)
            + bytes::<Vec<(u32, Row)>>(2 * waiting)
            + bytes::<(u32, Row)>(4 * waiting);
        let hubs = (u64::from(duel.most_cooldown()) + 1)
            * (bytes::<Index>(2 * haunts) + bytes::<Vec<Index>>(duel.atlas.rooms.len()));
        let goals = duel.atlas.places.paths(place).len();
        let goal = bytes::<Option<Index>>(self.moved.len()) + bytes::<Run>(2 * self.moved.len());
        rows + hubs + bytes::<Option<RoomNumber>>(haunts) + goals as u64 * goal
    }

    /// The number of a goal, given the stances of a ghost that waits there; `None` if there are too
    /// many goals.
    fn goal(&mut self, place: u32, there: &Stances) -> Option<u8> {
        let known = self.goals.iter().position(|goal| goal.place == place);
        let at = known.unwrap_or_else(|| {
            let stance = |token: &Token| there.find(token.haunt(), token.cooldown());
            let stances = self.moved.tokens.iter().map(stance).collect();
            self.goals.push(Reach::new(place, stances));
            self.goals.len() - 1
        });
        u8::try_from(at).ok()
    }

    /// The slot of nothing at all.
    pub(super) fn neutral(&self) -> Slot {
        self.moved.len() as Slot
    }

    /// The slot of catching the player.
    pub(super) fn caught(&self) -> Slot {
        self.neutral() + 1
    }

    /// The slot of the first hub.
    pub(super) fn first_hub(&self) -> Slot {
        self.neutral() + 2
    }

    /// How many slots there are.
    pub(super) fn slots(&self) -> usize {
        usize::from(self.first_hub()) + self.hubs.len()
    }

    /// What the player can do when no ghost is near.
    pub(super) fn free_choice(&self) -> &Choice {
        &self.choices[0][0]
    }

    /// What the player can do with the ghosts at these stances.
    pub(super) fn choice(&self, a: Index, b: Index) -> &Choice {
        let [a, b] = [a, b].map(|at| usize::from(self.nearness[usize::from(at)]));
        &self.choices[a][b]
    }

    pub(super) fn is_near(&self, at: Index) -> bool {
        self.nearness[usize::from(at)] > 0
    }
}

/// Where posts are made.
#[derive(Clone, Copy)]
struct Desk<'a> {
    duel: &'a Duel,
    place: u32,
}

impl Desk<'_> {
    /// What a ghost can do that waits for its move, the other being on haunt `other` or out of its
    /// way.
    fn row(self, post: &mut Post, token: Token, other: Option<u32>) -> Row {
        let other = other.map(|haunt| Token::moved(haunt, 0));
        let tokens = [token.waiting()].into_iter().chain(other);
        let node = Node::new(self.place, Phase::Adversaries, tokens);
        let (cooldown, landings) = self.duel.landings(&node, 0);
        let mut row = Row {
            slots: [post.neutral(); Row::MOST],
            count: 0,
        };
        for (slot, landing) in row.slots.iter_mut().zip(landings) {
            row.count += 1;
            *slot = match landing {
                Landing::Caught => post.caught(),
                Landing::Haunt(to) => {
                    let stance = post.moved.find(to, cooldown);
                    stance.expect("a ghost gets where it can be")
                }
                Landing::Transit => self.hub(post, cooldown),
            };
        }
        row
    }

    /// The slot of a teleport.
    fn hub(self, post: &mut Post, cooldown: u8) -> Slot {
        let known = post.hubs.iter().position(|hub| hub.cooldown == cooldown);
        let at = known.unwrap_or_else(|| {
            let stance = |tile| post.moved.find(tile, cooldown);
            let rooms = self.rooms().map(|tiles| {
                let stances = tiles.iter().map(|&tile| stance(tile));
                stances
                    .map(|at| at.expect("a ghost can be on a free tile"))
                    .collect()
            });
            let rooms = rooms.collect();
            post.hubs.push(Hub { cooldown, rooms });
            post.hubs.len() - 1
        });
        post.first_hub() + at as Slot
    }

    /// The free tiles of each room that has some, other ghosts aside.
    fn rooms(self) -> impl Iterator<Item = Vec<u32>> {
        let rooms = self.duel.atlas.rooms.iter();
        let free = rooms.map(move |room| {
            let tiles = room.iter().copied();
            tiles
                .filter(|&tile| self.duel.is_bare(self.place, tile))
                .collect::<Vec<u32>>()
        });
        free.filter(|tiles| !tiles.is_empty())
    }

    /// Works out what the player can do; `None` if that is too much for the numbers.
    fn survey(self, post: &mut Post, waiting: &[Stances]) -> Option<()> {
        let near = (0..self.duel.atlas.haunts())
            .filter(|&haunt| !post.moved.at(haunt).is_empty() && self.is_in_the_way(haunt));
        let near: Vec<u32> = near.collect();
        let number = |at| near.iter().position(|&haunt| haunt == post.moved.haunt(at));
        let nearness = post.moved.all().map(|at| {
            let number = number(at).map_or(0, |number| number + 1);
            u8::try_from(number).ok()
        });
        post.nearness = nearness.collect::<Option<_>>()?;
        post.near = post.moved.all().filter(|&at| post.is_near(at)).collect();
        let ghosts = || std::iter::once(None).chain(near.iter().copied().map(Some));
        for a in ghosts() {
            let choices = ghosts().map(|b| self.choice(post, waiting, [a, b]));
            let choices = choices.collect::<Option<_>>()?;
            post.choices.push(choices);
        }
        Some(())
    }

    /// Whether a ghost there may leave the player less to do than to keep off its tile.
    fn is_in_the_way(self, haunt: u32) -> bool {
        let Dungeon {
            level, settings, ..
        } = &self.duel.dungeon;
        let speed = u32::from(settings.speed);
        let is_detour_possible = speed > 1 || level.exit == Some(self.duel.atlas.cell(haunt));
        is_detour_possible && self.duel.atlas.distance(self.place, haunt) <= speed
    }

    /// What the player can do with these ghosts near; `None` if there are too many goals.
    fn choice(
        self,
        post: &mut Post,
        waiting: &[Stances],
        near: [Option<u32>; 2],
    ) -> Option<Choice> {
        let atlas = &self.duel.atlas;
        let taken = |cell| {
            near.iter()
                .flatten()
                .any(|&haunt| atlas.cell(haunt) == cell)
        };
        let paths = atlas.places.paths_around(self.place, taken);
        let mut goals = Vec::new();
        for path in paths {
            match path.goal {
                Goal::Out => return Some(Choice::Out),
                Goal::Place(to) => goals.push(post.goal(to, &waiting[to as usize])?),
            }
        }
        Some(Choice::Goals(goals))
    }
}
