use crate::{Board, Evaluator};
use getaway_board::limits::Limits;

use super::*;

struct Game<'b> {
    play: Play<'b>,
    evaluator: Box<dyn Evaluator + 'b>,
    asked: Vec<usize>,
}

impl<'b> Game<'b> {
    fn new(board: &'b Board) -> Self {
        let limits = Limits::default();
        let session = board.game().session(7, &limits).unwrap();
        Self {
            play: Play::new(session),
            evaluator: board.game().evaluator(&limits).unwrap(),
            asked: Vec::new(),
        }
    }

    fn answer(&mut self) {
        while let Some(question) = self.play.question() {
            let limits = Limits::default();
            let seed = self.play.session.seed();
            let answer = self.evaluator.evaluate(&question.line, seed, &limits);
            self.asked.push(question.number);
            self.play
                .store_answer(&question, answer.map_err(|error| error.to_string()));
        }
    }

    fn obey(&mut self, command: Command) -> Option<Leave> {
        self.play.obey(command)
    }

    fn moves(&mut self, moves: &str) {
        for mv in moves.chars() {
            self.obey(Command::Move(mv.to_string()));
        }
    }

    fn line(&self) -> String {
        self.play.session.line(self.play.session.now())
    }
}

const CORRIDOR: &str = "; ruleset: jimmy\n#######\n#o.....\n#.#####\n#######\n";

#[test]
fn moves_are_taken_back_and_made_again_without_end() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = Game::new(&board);
    game.moves("RRR");
    for line in ["RR", "R", "", ""] {
        game.obey(Command::Undo);
        assert_eq!(game.line(), line);
    }
    assert_eq!(game.play.message, "this is the start");
    for line in ["R", "RR", "RRR", "RRR"] {
        game.obey(Command::Redo);
        assert_eq!(game.line(), line);
    }
    assert_eq!(game.play.message, "no move to redo");
    game.obey(Command::Restart);
    assert_eq!((game.line(), game.play.session.last()), (String::new(), 3));
    game.moves("D");
    assert_eq!(game.play.session.last(), 1, "another line has begun");
}

#[test]
fn the_game_jumps_to_any_turn() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = Game::new(&board);
    game.moves("RRRR");
    game.play.jump("1");
    assert_eq!(game.line(), "R");
    for typed in ["5", "", "99999999999999999999"] {
        game.play.jump(typed);
        assert_eq!(game.line(), "R");
        assert_eq!(game.play.message, "choose a turn from 0 to 4", "{typed}");
    }
    game.obey(Command::Last);
    assert_eq!(game.line(), "RRRR");
    game.obey(Command::First);
    assert_eq!(game.line(), "");
    game.obey(Command::Skip(10));
    assert_eq!(game.line(), "RRRR");
    game.obey(Command::Skip(-10));
    assert_eq!(game.line(), "");
}

#[test]
fn an_illegal_move_is_refused_with_the_reason() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = Game::new(&board);
    game.moves("U");
    assert_eq!(game.play.message, "U: a solid cell is in the way");
    game.moves("RRRRR");
    assert_eq!(game.play.here.ending, Some(Ending::Escaped { turns: 5 }));
    game.moves("L");
    assert_eq!(
        game.play.message,
        "the game is over: u takes the move back, r restarts"
    );
}

#[test]
fn a_hint_is_shown_and_followed() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = Game::new(&board);
    game.obey(Command::Hint);
    assert_eq!(game.play.hint(), None, "the solver thinks");
    game.answer();
    assert_eq!(game.play.hint(), Some("R"));
    game.obey(Command::Confirm);
    assert_eq!((game.line().as_str(), game.play.hint()), ("R", None));
}

#[test]
fn the_move_that_lost_is_found() {
    // Down leads to a dead end, in which Jimmy is trapped.
    let board = "; ruleset: jimmy\n#####\n#o..#\n#.#.#\n#.#..\n#####\n";
    let board = board.parse().unwrap();
    let mut game = Game::new(&board);
    game.obey(Command::Values);
    game.moves("D");
    assert_eq!(game.play.lost_since(), None, "nothing is known yet");
    game.moves("D");
    game.answer();
    assert_eq!(game.play.lost_since(), Some(1));
    assert_eq!(
        game.asked,
        [0, 1],
        "he is trapped here: the start, and what is between"
    );
    game.obey(Command::First);
    assert_eq!(game.play.lost_since(), None, "here nothing is lost yet");
}

#[test]
fn a_board_without_an_escape_was_lost_from_the_start() {
    let board = "; ruleset: jimmy\n#####\n#o..#\n#####\n".parse().unwrap();
    let mut game = Game::new(&board);
    game.answer();
    assert_eq!(game.play.lost_since(), Some(0));
}

#[test]
fn an_answer_about_another_line_does_not_count() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = Game::new(&board);
    game.obey(Command::Values);
    game.moves("R");
    let question = game.play.question().unwrap();
    game.obey(Command::Undo);
    game.moves("D");
    game.play.store_answer(&question, Err("about R".into()));
    assert_eq!(game.play.known(), None);
}

#[test]
fn the_solver_plays_to_the_end() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = Game::new(&board);
    game.obey(Command::Auto);
    game.play.tick();
    assert_eq!(game.line(), "", "it does not know a move yet");
    let mut ticks = 0;
    while game.play.pace().is_some() {
        game.answer();
        game.play.tick();
        ticks += 1;
    }
    assert_eq!((game.line().as_str(), ticks), ("RRRRR", 5));
    game.obey(Command::Auto);
    assert_eq!(game.line(), "", "after the end it begins anew");
    game.obey(Command::Move("D".into()));
    assert_eq!(game.play.pace(), None, "who moves himself stops it");
}

#[test]
fn the_solver_plays_faster_and_slower() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = Game::new(&board);
    game.obey(Command::Auto);
    let mut paces = Vec::new();
    for _ in 0..20 {
        paces.push(game.play.pace().unwrap());
        game.obey(Command::Faster);
    }
    assert!(paces.windows(2).all(|pair| pair[0] >= pair[1]));
    assert_eq!(paces.last(), Some(&Duration::from_millis(20)));
    for _ in 0..20 {
        game.obey(Command::Slower);
    }
    assert_eq!(game.play.pace(), Some(Duration::from_millis(PACES[0])));
}

#[test]
fn a_move_of_several_steps_is_typed_step_by_step() {
    let text = "; ruleset: dungeon\n; speed: 2\n-------\n|P...E|\n|.....|\n-------\n";
    let board = text.parse().unwrap();
    let mut game = Game::new(&board);
    game.moves("R");
    assert_eq!((&*game.play.begun, game.line().as_str()), ("R", ""));
    game.moves("R");
    assert_eq!((&*game.play.begun, game.line().as_str()), ("", "RR"));
    game.moves("D");
    game.obey(Command::Undo);
    assert_eq!(
        (&*game.play.begun, game.line().as_str()),
        ("", "RR"),
        "the step is taken back"
    );
    game.moves("D");
    game.obey(Command::Confirm);
    assert_eq!(game.line(), "RR D");
    game.moves("U");
    game.obey(Command::Close);
    assert_eq!(&*game.play.begun, "");
}

#[test]
fn a_move_taken_back_and_made_again_meets_the_same_luck() {
    let text = "; ruleset: dungeon\n---------\n|P......|\n|......Z|\n|......E|\n---------\n";
    let board = text.parse().unwrap();
    let mut game = Game::new(&board);
    game.moves("RR");
    let seen = game.play.here.clone();
    game.obey(Command::Undo);
    game.moves("D");
    game.obey(Command::Undo);
    game.moves("R");
    assert_eq!(game.play.here, seen);
    assert_eq!(game.obey(Command::NewSeed), Some(Leave::NewSeed));
}

#[test]
fn the_line_of_the_file_can_be_stepped_through() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = Game::new(&board);
    game.play.own_line = Some("RRRR".into());
    assert_eq!(game.play.session.last(), 0, "it comes on request");
    game.obey(Command::Load);
    assert_eq!((game.line().as_str(), game.play.session.last()), ("", 4));
    game.answer();
    game.obey(Command::Last);
    assert_eq!(game.line(), "RRRR");
    let mut other = Game::new(&board);
    other.play.own_line = Some("RU".into());
    other.obey(Command::Load);
    let message = "the header `moves` stops after move 1: a solid cell is in the way";
    assert_eq!(other.play.message, message);
    assert_eq!(other.play.session.last(), 1);
}

#[test]
fn commands_for_the_screen_are_returned_to_it() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = Game::new(&board);
    for (command, request) in [
        (Command::Leave(Leave::Next), Leave::Next),
        (Command::Leave(Leave::Previous), Leave::Previous),
        (Command::Leave(Leave::Edit), Leave::Edit),
        (Command::Close, Leave::Quit),
        (Command::Leave(Leave::Quit), Leave::Quit),
    ] {
        assert_eq!(game.obey(command), Some(request));
    }
    assert_eq!(game.obey(Command::NewSeed), None);
    assert_eq!(game.play.message, "this is not a game of chance");
}

fn watched<'b>(board: &'b Board, line: &str) -> Game<'b> {
    let game = Game::new(board);
    let session = board.game().session(7, &Limits::default()).unwrap();
    Game {
        play: Play::saved(session, false, line),
        ..game
    }
}

#[test]
fn a_saved_game_is_watched_to_its_end_and_again() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = watched(&board, "RRR");
    for line in ["R", "RR", "RRR", "RRR"] {
        assert!(game.play.stopped().is_none());
        game.play.tick();
        assert_eq!(game.line(), line);
        if line == "RRR" {
            break;
        }
    }
    assert_eq!(game.play.stopped(), Some("the moves end here"));
    assert_eq!(game.play.pace(), None);
    game.obey(Command::Auto);
    assert_eq!(
        (game.line().as_str(), game.play.pace()),
        ("", Some(Duration::from_millis(PACES[2])))
    );
    game.obey(Command::Redo);
    assert_eq!((game.line().as_str(), game.play.pace()), ("R", None));
    game.obey(Command::Move("R".into()));
    assert_eq!(game.line(), "R", "nobody plays it by hand");
}

#[test]
fn moves_that_cannot_be_made_end_a_saved_game() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = watched(&board, "RU");
    assert_eq!(game.play.stopped(), None, "not yet");
    game.obey(Command::Last);
    let why = "the moves stop after move 1: a solid cell is in the way";
    assert_eq!(game.play.stopped(), Some(why));
}

#[test]
fn the_graph_of_a_watched_game_has_all_positions_up_to_here() {
    // The zombie stays behind a wall, so the player is certain to escape.
    let text = "; ruleset: dungeon\n-------\n|P...E|\n-------\n|..Z..|\n-------\n";
    let board = text.parse().unwrap();
    let mut game = watched(&board, "R R");
    game.obey(Command::Last);
    assert_eq!(game.play.probabilities(9), [None, None, None]);
    game.answer();
    assert_eq!(
        game.play.probabilities(9),
        [Some(1.0), Some(1.0), Some(1.0)]
    );
    assert_eq!(game.play.probabilities(2).len(), 2);
}

/// Returns a ply of the runner, or of the chasers with their orders.
fn ply(mv: Option<&str>, orders: &str) -> LiveEvent {
    LiveEvent::Ply(getaway_play::trace::Ply {
        turn: 1,
        who: "anybody",
        mv: mv.map(str::to_owned),
        orders: orders.to_owned(),
        events: Vec::new(),
        rows: Vec::new(),
    })
}

/// The zombie obeys an order to wait; by its own rules, it never waits.
#[test]
fn a_game_with_controlled_chasers_is_replayed_turn_by_turn() {
    let text = "; ruleset: dungeon\n-------\n|P.Z.E|\n-------\n";
    let board: Board = text.parse().unwrap();
    let session = board.game().session(7, &Limits::default()).unwrap();
    let mut play = Play::live(session, true);
    play.live_event(ply(Some("R"), ""));
    assert_eq!(play.session.last(), 0, "the zombie has not moved yet");
    play.live_event(ply(None, "."));
    play.tick();
    assert_eq!(play.here.rows[1], "|.PZ.E|");
    assert!(play.pace().is_some(), "there may be more to come");
    let question = play.question().unwrap();
    assert_eq!((&*question.line, &*question.chasers), ("R", "."));
    play.live_event(ply(Some("R"), ""));
    let ending = Ending::Caught {
        turns: 2,
        cause: getaway_ruleset::Cause::WalkedInto,
    };
    play.live_event(LiveEvent::Over(Ok(ending.clone())));
    play.tick();
    assert_eq!(play.here.ending, Some(ending));
    assert_eq!((play.pace(), play.session.last()), (None, 2));
    assert_eq!(play.session.chasers(2), ".");
}

#[test]
fn a_program_at_fault_ends_a_watched_game_with_the_reason() {
    let board: Board = CORRIDOR.parse().unwrap();
    let session = board.game().session(7, &Limits::default()).unwrap();
    let mut play = Play::live(session, false);
    play.live_event(ply(Some("R"), ""));
    let fault = getaway_play::trace::Forfeit {
        role: "runner".into(),
        reason: "crashed".into(),
    };
    let ending = Ending::Forfeited { turns: 1, fault };
    play.live_event(LiveEvent::Over(Ok(ending)));
    assert_eq!(play.stopped(), None, "the move before it comes first");
    play.tick();
    assert_eq!(play.stopped(), Some("the runner crashed"));
    assert_eq!(play.session.line(1), "R");
}

#[test]
fn no_evaluation_that_would_spoil_the_puzzle_is_requested() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = Game::new(&board);
    game.moves("RR");
    game.answer();
    assert_eq!(game.asked, [0], "the fewest moves from the start");
    game.obey(Command::Hint);
    game.answer();
    assert_eq!(game.asked, [0, 2]);
    let level = "; ruleset: dungeon\n-----\n|PZE|\n-----\n".parse().unwrap();
    let mut game = Game::new(&level);
    game.answer();
    assert_eq!(game.asked, [0; 0], "odds are a spoiler");
}

#[test]
fn a_game_is_in_progress_after_a_move_and_until_its_end() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = Game::new(&board);
    assert!(!game.play.is_in_progress());
    game.moves("R");
    assert!(game.play.is_in_progress());
    game.moves("RRRR");
    assert!(!game.play.is_in_progress(), "it has escaped");
}

#[test]
fn a_board_counts_as_solved_only_without_help() {
    let board = "; ruleset: jimmy\n#####\n#...#\n#o...\n#####\n"
        .parse()
        .unwrap();
    let helps = [Command::Hint, Command::Values, Command::Auto];
    for help in helps {
        let mut game = Game::new(&board);
        game.obey(help.clone());
        game.moves("RRR");
        assert_eq!(game.play.solved, None, "{help:?}");
        if help == Command::Values {
            game.obey(help);
        }
        game.obey(Command::Restart);
        game.moves("URRDR");
        assert_eq!(game.play.solved, Some(5));
        game.obey(Command::Restart);
        game.moves("RRR");
        assert_eq!(game.play.solved, Some(3));
    }
}
