//! `theseus`: rules as pictures of one turn, faults in boards, and independent answers.

use getaway_board::fault::Fault;
use getaway_rules::theseus::Theseus;
use getaway_ruleset::{Deterministic, Notation, Outcome, Playable, Ruleset};

use crate::boards::from_text;

struct Turn<'t> {
    before: &'t str,
    steps: &'t str,
}

const fn on(before: &str) -> Turn<'_> {
    Turn { before, steps: "2" }
}

impl<'t> Turn<'t> {
    const fn steps(self, steps: &'t str) -> Self {
        Self { steps, ..self }
    }

    fn board(&self) -> Theseus {
        let text = format!(
            "; ruleset: theseus\n; minotaur-steps: {}\n{}",
            self.steps, self.before
        );
        Theseus::read(&from_text(&text)).unwrap()
    }

    #[track_caller]
    fn gives(self, mv: &str, after: &str, ended: &str) {
        let board = self.board();
        let mut at = board.opened().expect("nobody stands on an exit");
        let mv = mv.parse().unwrap();
        assert_eq!(board.refusal(&at, mv), None);
        let outcome = board.play(&mut at, mv);
        let outcome = outcome.map_or("open".to_owned(), |outcome| format!("{outcome:?}"));
        let picture: String = board
            .picture(&at)
            .iter()
            .map(|row| format!("{row}\n"))
            .collect();
        assert_eq!((picture.as_str(), outcome.as_str()), (after, ended));
    }

    #[track_caller]
    fn allows(self, expected: &str) {
        let board = self.board();
        let mut moves = Vec::new();
        board.moves(&board.start(), &mut moves);
        let moves: String = moves.iter().map(ToString::to_string).collect();
        assert_eq!(moves, expected);
    }
}

const OPEN: &str = "open";
const OUT: &str = "Escaped";
const CAUGHT: &str = "Caught(Chaser)";

#[test]
fn theseus_steps_where_nothing_is_in_the_way_or_waits() {
    on("+-+-+-+\n|. . .|\n+ + + +\n|. T .|\n+ + + +\n|M . E|\n+-+-+-+\n").allows("UDLRS");
    // Theseus is below a solid, between a wall and the Minotaur, and above a wall.
    on("+-+-+-+\n|. #  |\n+ + + +\n|M T|E|\n+ +-+-+\n|.   .|\n+-+-+-+\n").allows("S");
    on("+-+-+-+\n|. #  |\n+ + + +\n|  T|E|\n+ +-+-+\n|M   .|\n+-+-+-+\n").allows("LS");
}

#[test]
fn theseus_can_not_step_onto_a_minotaur_of_stone() {
    on("+-+-+-+\n|T M E|\n+-+-+-+\n").steps("0").allows("S");
    let before = "+-+-+-+\n|. T M|\n+-+-+-+\n|E . .|\n+-+-+-+\n";
    on(before).steps("0").gives("S", before, OPEN);
}

#[test]
fn the_exit_comes_before_the_minotaur() {
    on("+-+-+-+\n|E T M|\n+-+-+-+\n").gives("L", "+-+-+-+\n|t   M|\n+-+-+-+\n", OUT);
}

#[test]
fn a_guarded_exit_is_out_only_where_the_minotaur_does_not_come() {
    let before = "+-+-+-+-+\n|E T . M|\n+-+-+-+-+\n";
    let reached = |minotaur: &str| format!("+-+-+-+-+\n|{minotaur}|\n+-+-+-+-+\n");
    for (steps, row, ended) in [
        ("0", "t   . M", OUT),
        ("2", "t M .  ", OUT),
        ("3", "m   .  ", CAUGHT),
        ("4", "m   .  ", CAUGHT),
    ] {
        let guarded = format!("{steps}\n; exit: guarded");
        on(before).steps(&guarded).gives("L", &reached(row), ended);
        let safe = format!("{steps}\n; exit: safe");
        on(before).steps(&safe).gives("L", &reached("t   . M"), OUT);
    }
}

#[test]
fn a_guarded_exit_is_out_at_the_start_and_nobody_steps_onto_a_minotaur_there() {
    let board = from_text("; exit: guarded\n+-+-+\n|t M|\n+-+-+\n");
    let board = Theseus::read(&board).unwrap();
    assert_eq!(board.opened(), Err(Outcome::Escaped));
    on("+-+-+\n|T m|\n+-+-+\n")
        .steps("0\n; exit: guarded")
        .allows("S");
}

#[test]
fn the_exit_is_safe_or_guarded() {
    let text = "; exit: guraded\n+-+-+-+\n|T M E|\n+-+-+-+\n";
    let error = Theseus::read(&from_text(text)).expect_err("there is something wrong");
    let (place, kind) = (&error.faults[0].place, &error.faults[0].kind);
    assert_eq!((place.line, place.column), (1, 9));
    assert_eq!(kind.help(), "did you mean `guarded`?");
}

#[test]
fn the_minotaur_goes_sideways_first() {
    on("+-+-+-+\n|T . .|\n+ + + +\n|. . M|\n+-+-+-+\n|E . .|\n+-+-+-+\n")
        .steps("1")
        .gives(
            "S",
            "+-+-+-+\n|T . .|\n+ + + +\n|. M  |\n+-+-+-+\n|E . .|\n+-+-+-+\n",
            OPEN,
        );
}

#[test]
fn the_minotaur_goes_up_or_down_where_sideways_is_barred_or_brings_him_no_closer() {
    let barred = "+-+-+-+\n|T . .|\n+ + + +\n|. .|M|\n+-+-+-+\n|E . .|\n+-+-+-+\n";
    let after = "+-+-+-+\n|T . M|\n+ + + +\n|. .| |\n+-+-+-+\n|E . .|\n+-+-+-+\n";
    on(barred).steps("1").gives("S", after, OPEN);
    let solid = barred.replace(". .|M", ". # M");
    let after = after.replace(". .| |", ". #  |");
    on(&solid).steps("1").gives("S", &after, OPEN);
    let below = "+-+-+\n|M .|\n+ + +\n|. .|\n+ + +\n|. T|\n+-+-+\n|E .|\n+-+-+\n";
    let after = "+-+-+\n|  .|\n+ + +\n|M .|\n+ + +\n|T  |\n+-+-+\n|E .|\n+-+-+\n";
    on(below).steps("1").gives("L", after, OPEN);
}

#[test]
fn the_minotaur_stays_where_no_step_brings_him_closer() {
    // A wall separates him from Theseus in a column, and he does not go around it.
    let walled = "+-+-+\n|T .|\n+-+ +\n|M .|\n+-+-+\n|E .|\n+-+-+\n";
    on(walled).gives("S", walled, OPEN);
    // A wall stops him in a row as well.
    let walled = "+-+-+\n|T|M|\n+ + +\n|. .|\n+-+-+\n|E .|\n+-+-+\n";
    on(walled).gives("S", walled, OPEN);
}

#[test]
fn the_minotaur_takes_as_many_steps_as_the_header_says() {
    let before = "+-+-+-+-+-+-+\n|T . . . . M|\n+-+-+-+-+-+-+\n|E . . . . .|\n+-+-+-+-+-+-+\n";
    for (steps, row) in [
        ("0", "|T . . . . M|"),
        ("1", "|T . . . M  |"),
        ("2", "|T . . M .  |"),
        ("3", "|T . M . .  |"),
        ("4", "|T M . . .  |"),
    ] {
        let after = before.replace("|T . . . . M|", row);
        on(before).steps(steps).gives("S", &after, OPEN);
    }
    let by_default = Theseus::read(&from_text(before)).unwrap();
    let mut at = by_default.start();
    assert_eq!(by_default.play(&mut at, "S".parse().unwrap()), None);
    assert_eq!(by_default.picture(&at)[1], "|T . . M .  |");
}

#[test]
fn the_minotaur_turns_within_his_two_steps() {
    on("+-+-+\n|T .|\n+ + +\n|. .|\n+ + +\n|. M|\n+-+-+\n|E .|\n+-+-+\n").gives(
        "S",
        "+-+-+\n|T .|\n+ + +\n|M .|\n+ + +\n|.  |\n+-+-+\n|E .|\n+-+-+\n",
        OPEN,
    );
}

#[test]
fn landing_on_theseus_catches_him_at_once() {
    let before = "+-+-+-+\n|. T M|\n+-+-+-+\n|E . .|\n+-+-+-+\n";
    let after = before.replace(". T M", ".|M  ");
    let board = before.replace(". T M", ".|T M");
    on(&board).steps("4").gives("S", &after, CAUGHT);
    let after = before.replace(". T M", "M    ");
    on(before).gives("L", &after, CAUGHT);
}

#[test]
fn the_minotaur_walks_over_exits() {
    let before = "+-+-+-+-+\n|T . E M|\n+-+-+-+-+\n";
    let onto = "+-+-+-+-+\n|T . m  |\n+-+-+-+-+\n";
    on(before).steps("1").gives("S", onto, OPEN);
    on(onto)
        .steps("1")
        .gives("S", "+-+-+-+-+\n|T M E  |\n+-+-+-+-+\n", OPEN);
}

#[test]
fn lower_case_actors_start_on_exits() {
    let board = Theseus::read(&from_text("+-+-+\n|t M|\n+-+-+\n")).unwrap();
    assert_eq!(board.opened(), Err(Outcome::Escaped));
    assert_eq!(board.picture(&board.start()), ["+-+-+", "|t M|", "+-+-+"]);
    let board = on("+-+-+-+\n|T . m|\n+-+-+-+\n");
    assert!(board.board().opened().is_ok());
    board
        .steps("1")
        .gives("S", "+-+-+-+\n|T M E|\n+-+-+-+\n", OPEN);
}

/// Returns the line and column, counted from 1, and the message of each fault.
fn faults(text: &str) -> Vec<(u64, u64, String)> {
    let error = Theseus::read(&from_text(text)).expect_err("there is something wrong");
    let fault = |fault: &Fault| {
        let place = &fault.place;
        (place.line, place.column, fault.kind.to_string())
    };
    error.faults.iter().map(fault).collect()
}

#[track_caller]
fn assert_faults(text: &str, expected: &[(u64, u64, &str)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|&(line, column, message)| (line, column, message.to_owned()))
        .collect();
    assert_eq!(faults(text), expected);
}

#[test]
fn a_reachable_gap_in_the_frame_is_an_error() {
    let gap = "a gap in the frame";
    assert_faults("+-+ +\n|T .|\n+-+-+\n|M E|\n+-+-+\n", &[(1, 4, gap)]);
    assert_faults("+-+-+\n|T E|\n+-+-+\n M .|\n+-+-+\n", &[(4, 1, gap)]);
    assert_faults(
        "+-+-+\n|T E \n+ +-+\n|M .|\n+ +-+\n",
        &[(2, 5, gap), (5, 2, gap)],
    );
    let sealed = "+-+-+\n|T E|\n+-+-+\n|M| |\n+-+ +\n";
    assert!(Theseus::read(&from_text(sealed)).is_ok());
}

#[test]
fn short_lines_are_filled_up_with_spaces() {
    let short = Theseus::read(&from_text("+-+-+\n|T E|\n+-+-+\n|M|\n+-+\n")).unwrap();
    let full = ["+-+-+", "|T E|", "+-+-+", "|M|  ", "+-+  "];
    assert_eq!(short.picture(&short.start()), full);
    let lost = "+-+-+\n|T E|\n+-+-+\n|M\n+-+-+\n";
    assert_faults(lost, &[(4, 5, "a gap in the frame")]);
}

#[test]
fn a_glyph_has_its_places() {
    assert_faults(
        "+|+-+\n|T-.|\n+-E-+\n|M E|\n+-+-+\n",
        &[
            (1, 2, "`|` is not allowed here"),
            (2, 3, "`-` is not allowed here"),
            (3, 3, "`E` is not allowed here"),
        ],
    );
    assert_faults(
        "+-+-+\n|T#M|\n+-+-+\n|E .|\n+-+-+\n",
        &[(2, 3, "`#` is not allowed here")],
    );
    assert_faults(
        "+-+-+\n|T M|\n+-+-+\n|E x|\n+-+-+\n",
        &[(4, 4, "unknown glyph `x`")],
    );
    // An actor between two cells is reported only as an actor in the wrong place.
    assert_faults(
        "+-+-+\n|TM |\n+-+-+\n|E .|\n+-+-+\n",
        &[(2, 3, "`M` is not allowed here")],
    );
}

#[test]
fn there_is_one_of_each_and_an_exit() {
    let faults_of = |row: &str| faults(&format!("+-+-+-+-+\n|{row}|\n+-+-+-+-+\n"));
    for (row, column, words) in [
        ("T T M E", 4, "two Theseuses"),
        ("t T M E", 4, "two Theseuses"),
        ("T m M .", 6, "two Minotaurs"),
    ] {
        let faults = faults_of(row);
        let (line, at, message) = &faults[0];
        assert_eq!((*line, *at), (2, column), "{row}");
        assert!(message.starts_with(words), "{message}");
    }
    for (row, what) in [
        ("E . M .", "Theseus"),
        ("T . E .", "Minotaur"),
        ("T . M .", "exit"),
    ] {
        let faults = faults_of(row);
        assert_eq!(faults.len(), 1, "{faults:?}");
        let message = &faults[0].2;
        assert!(message.starts_with(&format!("no {what} ")), "{message}");
    }
}

#[test]
fn the_steps_of_the_minotaur_are_0_to_4() {
    let board = |steps: &str| format!("; minotaur-steps: {steps}\n+-+-+-+\n|T M E|\n+-+-+-+\n");
    for steps in ["5", "-1", "two", "256", "1.5"] {
        let faults = faults(&board(steps));
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert_eq!((faults[0].0, faults[0].1), (1, 19), "{steps}");
        assert!(faults[0].2.contains(steps), "{faults:?}");
    }
    for steps in ["0", "4"] {
        assert!(Theseus::read(&from_text(&board(steps))).is_ok(), "{steps}");
    }
}

#[test]
fn a_gap_behind_a_solid_is_no_error() {
    let board = "; ruleset: theseus\n+-+-+\n|T # \n+-+-+\n|M E|\n+-+-+\n";
    assert!(board.parse::<getaway::Board>().is_ok());
    let open = board.replace('#', ".");
    assert!(open.parse::<getaway::Board>().is_err());
}
