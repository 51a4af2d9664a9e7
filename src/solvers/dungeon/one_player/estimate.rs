//! What a node looks like to one who searches for a way out.

use super::OnePlayerMdp;

impl OnePlayerMdp {
    /// How many adversaries can move.
    pub(in crate::solvers::dungeon) const fn mobile(&self) -> usize {
        self.code.len()
    }

    /// How many steps the player has to go to the escape at this node, nobody being in the way; one more than
    /// the most where there is no escape. Appends to `encounters` a number for each adversary: the same for all
    /// nodes at which the player is where it is, and an adversary of this kind is there too.
    pub(in crate::solvers::dungeon) fn steps_to_go(
        &self,
        number: u64,
        encounters: &mut Vec<u64>,
    ) -> u32 {
        let node = self.unpack(number);
        // A level has at most 2^31 positions, two for each cell.
        let position = u64::from(node.position) << 33;
        let adversaries = node.adversaries().iter().enumerate();
        encounters.extend(adversaries.map(|(at, adversary)| {
            position | u64::from(adversary.tile()) << 1 | u64::from(at < self.ghosts)
        }));
        self.geometry.positions.distance(node.position)
    }

    /// Forgets all nodes that have come up: numbers that were given no longer hold.
    pub(in crate::solvers::dungeon) fn forget(&self) {
        if let Some(mut interner) = self.interner() {
            *interner = super::Interner::default();
        }
    }
}
