use super::*;

fn ids(actors: &Actors) -> Vec<(u32, (u32, u32))> {
    let all = actors.all().iter();
    all.map(|actor| (actor.id, actor.at)).collect()
}

fn step(from: Cell, to: Cell) -> Event {
    Event::step('g', from, to)
}

#[test]
fn actors_keep_their_ids_when_they_follow_or_meet_each_other() {
    let grid = Grid::new(1, 9).unwrap();
    let cell = |col| grid.cell(0, col).unwrap();
    let mut actors = Actors::new(grid, &[('o', cell(8)), ('g', cell(0)), ('g', cell(1))]);
    actors.begin_ply();
    actors.observe(&step(cell(0), cell(1)));
    actors.observe(&step(cell(1), cell(2)));
    assert_eq!(ids(&actors), [(0, (0, 8)), (1, (0, 1)), (2, (0, 2))]);
    actors.begin_ply();
    actors.observe(&step(cell(1), cell(2)));
    actors.observe(&step(cell(2), cell(2)));
    actors.begin_ply();
    actors.observe(&step(cell(2), cell(3)));
    assert_eq!(ids(&actors), [(0, (0, 8)), (1, (0, 3)), (2, (0, 3))]);
    actors.retain(&[('g', cell(3))]);
    assert_eq!(ids(&actors), [(1, (0, 3)), (2, (0, 3))]);
}

#[test]
fn two_steps_in_one_ply_belong_to_one_actor() {
    let grid = Grid::new(1, 9).unwrap();
    let cell = |col| grid.cell(0, col).unwrap();
    let mut actors = Actors::new(grid, &[('g', cell(0))]);
    actors.begin_ply();
    actors.observe(&step(cell(0), cell(1)));
    actors.observe(&step(cell(1), cell(2)));
    assert_eq!(ids(&actors), [(0, (0, 2))]);
    let fell = Event {
        fate: Fate::Fell,
        ..step(cell(2), cell(3))
    };
    actors.observe(&fell);
    assert_eq!(ids(&actors), []);
}

#[test]
fn of_two_actors_on_a_cell_the_one_that_was_there_first_moves_on() {
    let grid = Grid::new(1, 9).unwrap();
    let cell = |col| grid.cell(0, col).unwrap();
    let mut actors = Actors::new(grid, &[('g', cell(0)), ('g', cell(2))]);
    actors.begin_ply();
    actors.observe(&step(cell(0), cell(1)));
    actors.begin_ply();
    actors.observe(&step(cell(2), cell(1)));
    actors.observe(&step(cell(1), cell(0)));
    assert_eq!(ids(&actors), [(0, (0, 0)), (1, (0, 1))]);
}
