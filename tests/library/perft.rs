//! Counts lines of play by depth, like perft in chess: a changed rule shows at the first depth where it matters. A
//! line is the runner's moves with all outcomes of chance; a finished line counts at the depth where it ends.
//! Independent programs supplied the expected counts.

use std::fs;

use getaway_board::limits::Limits;
use getaway_rules::baddies::Baddies;
use getaway_rules::dungeon::Dungeon;
use getaway_rules::jimmy::Jimmy;
use getaway_rules::maze::Maze;
use getaway_rules::maze::moving::Moving;
use getaway_rules::theseus::Theseus;
use getaway_ruleset::distribution::Distribution;
use getaway_ruleset::{Notation, Stochastic};

use crate::boards::{from_text, path};

/// The number of lines of 0, 1, 2, ... turns.
struct Counts(Vec<u64>);

impl Counts {
    fn of<R: Stochastic>(rules: &R, depth: usize) -> Vec<u64> {
        let mut counts = Self(vec![0; depth + 1]);
        let mut at = rules.start();
        match rules.open(&mut at, &mut ()) {
            Some(_) => counts.0[0] += 1,
            None => counts.runner(rules, &at, 0),
        }
        counts.0
    }

    fn runner<R: Stochastic>(&mut self, rules: &R, at: &R::State, turns: usize) {
        self.0[turns] += 1;
        if turns + 1 == self.0.len() {
            return;
        }
        let mut moves = Vec::new();
        rules.moves(at, &mut moves);
        for mv in moves {
            let mut then = at.clone();
            let over = rules.act(&mut then, mv, &mut ()).is_some()
                || rules.after_runners(&mut then, &mut ()).is_some();
            if over {
                self.0[turns + 1] += 1;
                continue;
            }
            let mut chasers = Vec::new();
            rules.chasers(&then, &mut chasers);
            self.chasers(rules, &then, &chasers, turns + 1);
        }
    }

    fn chasers<R: Stochastic>(
        &mut self,
        rules: &R,
        at: &R::State,
        chasers: &[R::Chaser],
        turns: usize,
    ) {
        let Some((&who, rest)) = chasers.split_first() else {
            return self.runner(rules, at, turns);
        };
        let mut choices = Distribution::new();
        rules.outcomes(at, who, &mut choices);
        for (choice, probability) in choices.iter() {
            assert!(*probability > 0.0);
            let mut then = at.clone();
            match rules.carry_out(&mut then, who, choice, &mut ()) {
                Some(_) => self.0[turns] += 1,
                None => self.chasers(rules, &then, rest, turns),
            }
        }
    }
}

#[track_caller]
fn assert_counts<R: Stochastic>(rules: &R, expected: &[u64]) {
    assert_eq!(Counts::of(rules, expected.len() - 1), expected);
}

#[track_caller]
fn jimmy(board: &str, expected: &[u64]) {
    assert_counts(&Jimmy::read(&from_text(board)).unwrap(), expected);
}

#[track_caller]
fn baddies(board: &str, expected: &[u64]) {
    assert_counts(&Baddies::read(&from_text(board)).unwrap(), expected);
}

#[track_caller]
fn maze(board: &str, expected: &[u64]) {
    let maze = Maze::read(&from_text(board)).unwrap();
    let moving = Moving::new(&maze, &Limits::default()).unwrap();
    assert_counts(&moving, expected);
}

#[track_caller]
fn dungeon(board: &str, expected: &[u64]) {
    assert_counts(&Dungeon::read(&from_text(board)).unwrap(), expected);
}

#[track_caller]
fn theseus(board: &str, expected: &[u64]) {
    assert_counts(&Theseus::read(&from_text(board)).unwrap(), expected);
}

#[test]
fn jimmy_plays_as_many_lines_as_counted() {
    let board = fs::read_to_string(path("puzzles/jimmy/01-source-left-up-left.txt")).unwrap();
    jimmy(&board, &[1, 4, 9, 6, 2, 0, 0, 0, 0]);
    jimmy(
        "#########\n#.......#\n#.#...g.#\n#..o....#\n#.....#.#\n#.g.....#\n#######.#\n",
        &[1, 4, 5, 6, 4, 3, 2, 1, 1, 1],
    );
}

#[test]
fn the_hero_plays_as_many_lines_as_counted() {
    let board = "; ruleset: baddies\nH +  m\n  + # \n    + \n # ~ *\n";
    baddies(board, &[1, 9, 81, 729, 6336]);
    let board = "; ruleset: baddies\nH       \n   ++   \n M   #  \n  + ~  *\n     m  \n";
    baddies(board, &[1, 9, 63, 441, 2799]);
}

#[test]
fn the_runner_plays_as_many_lines_as_counted() {
    maze("R.*A\n..Ba\n*.b.\n", &[1, 2, 10, 11, 37, 81, 272]);
    maze("rR.*B\nr..bb\n..*..\nAaa.*\n", &[1, 2, 8, 13, 40, 106]);
}

#[test]
fn the_player_plays_as_many_lines_as_counted() {
    let two_rooms = "---------\n|PK.D..Z|\n|E.G|...|\n---------\n";
    let hallway = "---------\n|PK.|.G.|\n|E.ZD...|\n----|---|\nXXXX-----\n";
    let close_quarters = "---------\n|P..D..E|\n|.G.|.K.|\n|..Z|---|\n---------\n";
    let chase = "; drawing: compact\n; strategy: chase\n; radius: 2\n";
    dungeon(&format!("{chase}{two_rooms}"), &[1, 22, 725, 25_163]);
    dungeon(&format!("{chase}{hallway}"), &[1, 39, 761, 9302, 143_395]);
    dungeon(&format!("{chase}{close_quarters}"), &[1, 6, 18, 57, 144]);
    let cooldown = "; drawing: compact\n; strategy: cooldown\n; radius: 2\n; cooldown: 2\n";
    dungeon(
        &format!("{cooldown}{two_rooms}"),
        &[1, 22, 255, 2676, 105_636],
    );
    dungeon(&format!("{cooldown}{hallway}"), &[1, 39, 329, 1762, 29_579]);
    dungeon(&format!("{cooldown}{close_quarters}"), &[1, 6, 20, 69, 309]);
}

#[test]
fn theseus_plays_as_many_lines_as_counted() {
    let board = fs::read_to_string(path("puzzles/theseus/01-a-maze.txt")).unwrap();
    theseus(&board, &[1, 4, 9, 11, 23, 40, 81, 181, 436]);
}
