use super::*;
use getaway_board::puzzle::text::Boards;

fn read(text: &str) -> Result<Moving, MovingError> {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    Maze::read(&puzzle).unwrap().moving()
}

fn lines(rows: &[&str]) -> String {
    rows.join("\n") + "\n"
}

fn game(rows: &[&str]) -> Moving {
    read(&lines(rows)).unwrap()
}

fn act(rows: &[&str], way: Way) -> (Vec<String>, Option<Outcome>) {
    let game = game(rows);
    let mut at = game.start();
    let outcome = game.act(&mut at, way, &mut ());
    (game.picture(&at), outcome)
}

fn walls(rows: &[&str], wall: usize) -> Vec<(Vec<String>, f64)> {
    let game = game(rows);
    let mut outcomes = Distribution::new();
    game.outcomes(&game.start(), Wall(wall), &mut outcomes);
    let after = |(choice, probability): &(Option<Cell>, f64)| {
        let mut at = game.start();
        assert_eq!(game.carry_out(&mut at, Wall(wall), choice, &mut ()), None);
        (game.picture(&at), *probability)
    };
    outcomes.iter().map(after).collect()
}

fn drawn(rows: &[&str]) -> Vec<String> {
    rows.iter().map(ToString::to_string).collect()
}

#[test]
fn without_food_the_runner_escapes_at_once() {
    let open = |rows| game(rows).open(&mut game(rows).start(), &mut ());
    assert_eq!(open(&["R."]), Some(Outcome::Escaped));
    assert_eq!(open(&["R*"]), None);
}

#[test]
fn the_string_follows_the_head() {
    assert_eq!(
        act(&["rR.", "r.*"], Way::RIGHT),
        (drawn(&["rrR", "..*"]), None)
    );
    assert_eq!(act(&["R.*"], Way::RIGHT), (drawn(&[".R*"]), None));
}

#[test]
fn the_string_grows_by_food() {
    assert_eq!(act(&["R**"], Way::RIGHT), (drawn(&["rR*"]), None));
    assert_eq!(act(&["rR**"], Way::RIGHT), (drawn(&["rrR*"]), None));
}

#[test]
fn the_last_food_ends_the_game() {
    assert_eq!(
        act(&["R*."], Way::RIGHT),
        (drawn(&["rR."]), Some(Outcome::Escaped))
    );
}

#[test]
fn food_is_counted_and_the_distances_follow() {
    let game = game(&["R*.*"]);
    let mut at = game.start();
    assert_eq!((at.food_left, at.gathered), (2, 0));
    assert_eq!(game.act(&mut at, Way::RIGHT, &mut ()), None);
    assert_eq!((at.food_left, at.gathered), (1, 1));
    assert_eq!(at.near, Distances::of(&at.map));
}

#[test]
fn only_blank_cells_and_food_may_be_stepped_on() {
    let game = game(&["rr*", "rRA", ".*."]);
    let at = game.start();
    let mut legal = Vec::new();
    game.moves(&at, &mut legal);
    assert_eq!(legal, [Way::DOWN]);
    let why = Way::ALL.map(|way| game.refusal(&at, way));
    assert_eq!(why[0].as_deref(), Some("his own string is in the way"));
    assert_eq!(why[1].as_deref(), Some("a wall is in the way"));
    assert_eq!(why[2], None);
    assert_eq!(why[3].as_deref(), Some("his own string is in the way"));
}

#[test]
fn a_step_over_the_edge_is_refused() {
    let game = game(&["R*"]);
    let why = game.refusal(&game.start(), Way::UP);
    assert_eq!(why.as_deref(), Some("that is off the board"));
}

#[test]
fn a_wall_goes_to_each_blank_neighbour_alike() {
    let all = walls(&["*.R", ".Aa", "..a"], 0);
    let third = 1.0 / 3.0;
    assert_eq!(
        all,
        [
            (drawn(&["*AR", ".aa", "..."]), third),
            (drawn(&["*.R", ".aa", ".A."]), third),
            (drawn(&["*.R", "Aaa", "..."]), third),
        ]
    );
}

#[test]
fn a_wall_without_a_body_leaves_its_cell_blank() {
    assert_eq!(walls(&["R*A."], 0), [(drawn(&["R*.A"]), 1.0)]);
}

#[test]
fn a_wall_without_a_blank_neighbour_stays() {
    // Food is not blank, and the wall's own last cell is not blank yet.
    let rows = ["R*aa", "..*A", "..aa"];
    let short = ["Aa*", "aaR"];
    let error = read(&lines(&rows)).unwrap_err();
    assert!(matches!(error, MovingError::NoPath(_)));
    assert_eq!(walls(&short, 0), [(drawn(&short), 1.0)]);
}

fn id(number: i64) -> Id {
    Id::new(number).unwrap()
}

#[test]
fn walls_move_in_the_order_of_their_ids() {
    let game = read("; runner: 3\n[10, 8, 0, 6]\n[0, 2, -1, 4]\n").unwrap();
    let mut who = Vec::new();
    game.chasers(&game.start(), &mut who);
    let ids: Vec<_> = who.iter().map(|wall| game.walls[wall.0]).collect();
    assert_eq!(ids, [id(1), id(2), id(4), id(5)]);
    assert_eq!(game.picture(&game.start()), ["DC.R", ".A*B"]);
}

#[test]
fn a_body_without_a_head_or_a_path_is_no_game() {
    let error = |text: &str| read(text).unwrap_err().to_string();
    for (text, reason) in [
        (
            "R*c\n",
            "the wall in row 1, column 3 has no moving end (`C`)",
        ),
        (
            "[-1, 1]\n",
            "the runner in row 1, column 2 has no head (`2`)",
        ),
        ("[-1, 0]\n", "the runner has no head (`2`)"),
        ("*A\n", "the runner has no head (`R`)"),
        (
            "[2, 0, 13]\n",
            "the wall in row 1, column 3 has no moving end (`14`)",
        ),
        (
            "rRr\n",
            "no path from the head (`R`) of the runner in row 1, column 2 runs through all of its string",
        ),
        (
            "R.b\n..B\n..b\n",
            "no path from the moving end (`B`) of the wall in row 2, column 3 runs through all of its body",
        ),
    ] {
        assert_eq!(error(text), format!("this map can't be played: {reason}"));
    }
}

#[test]
fn the_advice_is_the_next_move_on_the_present_map() {
    let game = game(&["R..", "..*"]);
    let mut at = game.start();
    assert_eq!(
        Moving::next_move(&at, &Limits::default()).unwrap().way,
        Some(Way::DOWN)
    );
    game.act(&mut at, Way::DOWN, &mut ());
    assert_eq!(
        Moving::next_move(&at, &Limits::default()).unwrap().way,
        Some(Way::RIGHT)
    );
}

#[test]
fn more_walls_than_letters_share_letters() {
    let numbers: Vec<_> = (1..=28).map(|id| (2 * id).to_string()).collect();
    let list = format!("[{}, -1]", numbers.join(", "));
    let game = read(&format!("{list}\n")).unwrap();
    assert_eq!(
        game.picture(&game.start()),
        ["RABCDEFGHIJKLMNOPQSTUVWXYZAB*"]
    );
    let letters = ["*RABCDEFGHIJKLMNOPQSTUVWXYZ"];
    assert_eq!(
        game_picture(&letters),
        letters,
        "25 walls have a letter each"
    );
}

fn game_picture(rows: &[&str]) -> Vec<String> {
    game(rows).picture(&game(rows).start())
}

#[test]
fn map_and_bodies_agree_after_random_moves() {
    use getaway_board::rng::Rng;
    let game = game(&[
        "*....*.", "...aA.B", "rr.a.bb", ".R.*..C", "....*cc", "*.Dddd.",
    ]);
    for seed in 0..50 {
        let mut rng = Rng::new(seed);
        let mut at = game.start();
        for _ in 0..60 {
            let Some(way) = Moving::next_move(&at, &Limits::default()).unwrap().way else {
                break;
            };
            if game.act(&mut at, way, &mut ()).is_some() {
                break;
            }
            let mut who = Vec::new();
            game.chasers(&at, &mut who);
            for wall in who {
                let mut outcomes = Distribution::new();
                game.outcomes(&at, wall, &mut outcomes);
                let choice = *outcomes.draw(rng.uniform());
                game.carry_out(&mut at, wall, &choice, &mut ());
                check(&game, &at);
            }
        }
    }
}

fn check(game: &Moving, at: &State) {
    let mut map = Map::new(game.grid(), vec![Tile::BLANK; game.grid().size()]).unwrap();
    let foods = at.map.cells().filter(|(_, tile)| *tile == Tile::FOOD);
    let mut left = 0;
    for (cell, food) in foods {
        map.set(cell, food);
        left += 1;
    }
    let ids = std::iter::once(&game.runner).chain(&game.walls);
    for (&id, body) in ids.zip(std::iter::once(&at.runner).chain(&at.walls)) {
        let head = Tile::head(id).unwrap();
        for &cell in body {
            map.set(cell, head.trail());
        }
        map.set(body[0], head);
        let cells: Vec<_> = body.iter().copied().collect();
        let touch = |pair: &[Cell]| game.grid().distance(pair[0], pair[1]) == 1;
        assert!(cells.windows(2).all(touch));
    }
    assert_eq!((&map, left), (&at.map, at.food_left));
    assert_eq!(at.runner.len(), game.start.runner.len() + at.gathered);
    assert_eq!(at.near, Distances::of(&at.map));
}
