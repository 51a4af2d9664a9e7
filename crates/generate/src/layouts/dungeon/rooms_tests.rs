use super::*;

#[test]
fn rooms_keep_their_distance_and_their_size() {
    for seed in 0..1200 {
        let rng = &mut Rng::new(seed);
        let grid = Grid::new(rng.between(4, 30), rng.between(4, 40)).unwrap();
        let max = max_rooms(grid.rows() as usize, grid.cols() as usize);
        let count = rng.between(1, max);
        let slots = shape(grid, count, Size::new(8, 10), rng).unwrap();
        let rooms = place(grid, slots, count, Size::new(8, 10), rng).unwrap();
        assert_eq!(rooms.len(), count);
        for (at, a) in rooms.iter().enumerate() {
            assert!(
                a.bottom < grid.rows() && a.right < grid.cols(),
                "{grid:?} {a:?}"
            );
            assert!(
                a.bottom - a.top >= 3 && a.right - a.left >= 3,
                "{grid:?} {a:?}"
            );
            for b in &rooms[at + 1..] {
                let apart = b.top > a.bottom + 3 || b.left > a.right + 3 || a.left > b.right + 3;
                assert!(apart, "{grid:?} {a:?} {b:?}");
            }
        }
    }
}
