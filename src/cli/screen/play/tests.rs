//! What a game on the screen does, command by command.

use getaway::limits::Limits;
use getaway::{Board, advice::Adviser};

use super::*;

/// A game with an adviser that answers at once.
struct Game<'b> {
    play: Play<'b>,
    adviser: Box<dyn Adviser + 'b>,
    asked: Vec<usize>,
}

impl<'b> Game<'b> {
    fn new(board: &'b Board) -> Self {
        let limits = Limits::default();
        let session = board.game().session(7, &limits).unwrap();
        Self {
            play: Play::new(session),
            adviser: board.game().adviser(&limits).unwrap(),
            asked: Vec::new(),
        }
    }

    /// Answers all that is asked.
    fn answer(&mut self) {
        while let Some(question) = self.play.question() {
            let limits = Limits::default();
            let seed = self.play.session().seed();
            let answer = self.adviser.advise(&question.line, seed, &limits);
            self.asked.push(question.number);
            self.play
                .hear(&question, answer.map_err(|error| error.to_string()));
        }
    }

    fn obey(&mut self, command: Command) -> Option<Request> {
        self.play.obey(command)
    }

    /// Makes these moves, a letter each.
    fn moves(&mut self, moves: &str) {
        for mv in moves.chars() {
            self.obey(Command::Move(mv.to_string()));
        }
    }

    fn line(&self) -> String {
        self.play.session().line(self.play.session().now())
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
    assert_eq!(game.play.message, "no move to make again");
    game.obey(Command::Restart);
    assert_eq!(
        (game.line(), game.play.session().last()),
        (String::new(), 3)
    );
    game.moves("D");
    assert_eq!(game.play.session().last(), 1, "another line has begun");
}

#[test]
fn one_jumps_to_any_turn() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = Game::new(&board);
    game.moves("RRRR");
    game.play.jump("1");
    assert_eq!(game.line(), "R");
    for typed in ["5", "", "99999999999999999999"] {
        game.play.jump(typed);
        assert_eq!(game.line(), "R");
        assert_eq!(game.play.message, "there are turns 0 to 4", "{typed}");
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
    assert_eq!(game.play.message, "U: a solid is in the way");
    game.moves("RRRRR");
    assert_eq!(game.play.here().ending, Some(Ending::Escaped { turns: 5 }));
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
    // Down leads into a dead end, in which Jimmy is trapped.
    let board = "; ruleset: jimmy\n#####\n#o..#\n#.#.#\n#.#..\n#####\n";
    let board = board.parse().unwrap();
    let mut game = Game::new(&board);
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
fn where_no_escape_is_it_was_lost_from_the_start() {
    let board = "; ruleset: jimmy\n#####\n#o..#\n#####\n".parse().unwrap();
    let mut game = Game::new(&board);
    game.answer();
    assert_eq!(game.play.lost_since(), Some(0));
}

#[test]
fn an_answer_about_another_line_does_not_count() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = Game::new(&board);
    game.moves("R");
    let question = game.play.question().unwrap();
    game.obey(Command::Undo);
    game.moves("D");
    game.play.hear(&question, Err("about R".into()));
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
    assert_eq!(paces.last(), PACES.last());
    for _ in 0..20 {
        game.obey(Command::Slower);
    }
    assert_eq!(game.play.pace(), Some(PACES[0]));
}

#[test]
fn a_move_of_several_steps_is_typed_step_by_step() {
    let text = "; ruleset: dungeon\n; speed: 2\n-------\n|P...E|\n|.....|\n-------\n";
    let board = text.parse().unwrap();
    let mut game = Game::new(&board);
    game.moves("R");
    assert_eq!((game.play.begun(), game.line().as_str()), ("R", ""));
    game.moves("R");
    assert_eq!((game.play.begun(), game.line().as_str()), ("", "RR"));
    game.moves("D");
    game.obey(Command::Undo);
    assert_eq!(
        (game.play.begun(), game.line().as_str()),
        ("", "RR"),
        "the step is taken back"
    );
    game.moves("D");
    game.obey(Command::Confirm);
    assert_eq!(game.line(), "RR D");
    game.moves("U");
    game.obey(Command::Close);
    assert_eq!(game.play.begun(), "");
}

#[test]
fn a_move_taken_back_and_made_again_meets_the_same_luck() {
    let text = "; ruleset: dungeon\n---------\n|P......|\n|......Z|\n|......E|\n---------\n";
    let board = text.parse().unwrap();
    let mut game = Game::new(&board);
    game.moves("RR");
    let seen = game.play.here().clone();
    game.obey(Command::Undo);
    game.moves("D");
    game.obey(Command::Undo);
    game.moves("R");
    assert_eq!(*game.play.here(), seen);
    assert_eq!(game.obey(Command::NewLuck), Some(Request::NewLuck));
}

#[test]
fn the_line_of_the_file_is_there_to_be_gone_through() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = Game::new(&board);
    game.play.load("RRRR");
    assert_eq!((game.line().as_str(), game.play.session().last()), ("", 4));
    game.answer();
    game.obey(Command::Last);
    assert_eq!(game.line(), "RRRR");
    let mut other = Game::new(&board);
    other.play.load("RU");
    let message = "the header `moves` stops after move 1: a solid is in the way";
    assert_eq!(other.play.message, message);
    assert_eq!(other.play.session().last(), 1);
}

#[test]
fn what_the_screen_has_to_do_is_asked_for() {
    let board = CORRIDOR.parse().unwrap();
    let mut game = Game::new(&board);
    for (command, request) in [
        (Command::Save, Request::Save),
        (Command::NextBoard, Request::NextBoard),
        (Command::PreviousBoard, Request::PreviousBoard),
        (Command::Edit, Request::Edit),
        (Command::Close, Request::Quit),
        (Command::Quit, Request::Quit),
    ] {
        assert_eq!(game.obey(command), Some(request));
    }
    assert_eq!(game.obey(Command::NewLuck), None);
    assert_eq!(game.play.message, "there is no luck in this game");
}
