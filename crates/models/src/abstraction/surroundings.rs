use super::DungeonMdp;
use super::ghost_states::StateIndex;
use super::tracking::Tracking;

pub(super) const NO_TILE: StateIndex = StateIndex::MAX;

/// Returns the bit of the opposite direction; opposites are next to each other in
/// [`Dir::ALL`](getaway_board::grid::Dir::ALL).
pub(super) const fn opposite(way: u8) -> u8 {
    (way & 0b0101) << 1 | (way & 0b1010) >> 1
}

#[derive(Debug)]
pub(super) struct Neighbourhoods {
    /// True if the zombie and a ghost on this tile may block each other within a turn; indexed by zombie and tile.
    pub(super) is_near: Vec<Vec<bool>>,
    /// The number of each tile in a zombie's room, indexed by zombie and tile; [`NO_TILE`] outside the room.
    pub(super) numbers: Vec<Vec<StateIndex>>,
}

impl Neighbourhoods {
    pub(super) fn new(mdp: &DungeonMdp, tracking: &Tracking) -> Self {
        let geometry = &mdp.geometry;
        let grid = mdp.dungeon.level.grid;
        let number = |zombie: usize, tile: u32| {
            let room = &geometry.rooms[tracking.room(zombie) as usize];
            room.binary_search(&tile)
                .map_or(NO_TILE, |at| at as StateIndex)
        };
        let is_near = |zombie: usize, tile: u32| {
            let distance = |other: u32| grid.distance(geometry.cell(tile), geometry.cell(other));
            let mut room = geometry.rooms[tracking.room(zombie) as usize].iter();
            room.any(|&other| distance(other) <= 2)
        };
        let tiles = 0..geometry.tile_count();
        let are_near = |zombie| tiles.clone().map(|tile| is_near(zombie, tile)).collect();
        let numbers = |zombie| tiles.clone().map(|tile| number(zombie, tile)).collect();
        Self {
            is_near: (0..tracking.len()).map(are_near).collect(),
            numbers: (0..tracking.len()).map(numbers).collect(),
        }
    }
}
