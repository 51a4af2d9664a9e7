use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::super::shelf::BoardList;
use super::*;
use getaway_generate::level::Level;
use getaway_solvers::rulesets::{RULESETS, find};

#[test]
fn the_smallest_screen_has_every_game_and_the_keys() {
    let mut choosing = Choosing::rulesets(Purpose::Play, Charset::Unicode);
    let mut terminal = Terminal::new(TestBackend::new(40, 12)).unwrap();
    terminal.draw(|frame| choosing.draw(frame)).unwrap();
    let screen = terminal.backend().to_string();
    assert!(screen.contains("q leave"), "{screen}");
    for entry in known_rulesets() {
        assert!(screen.contains(entry.name), "{screen}");
    }
    assert!(screen.contains("Jimmy and the ghosts: reach…"), "{screen}");
}

#[test]
fn the_menu_lists_its_keys() {
    let mut choosing = Choosing::rulesets(Purpose::Play, Charset::Unicode);
    let mut terminal = Terminal::new(TestBackend::new(60, 15)).unwrap();
    let mut press = |code: KeyCode| {
        let leave = choosing.input(&Event::Key(code.into()));
        assert_eq!(leave, None);
        terminal.draw(|frame| choosing.draw(frame)).unwrap();
        terminal.backend().to_string()
    };
    assert!(press(KeyCode::Char('?')).contains("play a new board: easy, medium, hard"));
    assert!(!press(KeyCode::Esc).contains("play a new board"));
}

fn jimmy() -> (&'static Entry, BoardList) {
    let entry = find(RULESETS, "jimmy").unwrap();
    (entry, BoardList::collection(entry).unwrap())
}

fn screen(choosing: &mut Choosing, (width, height): (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| choosing.draw(frame)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn the_boards_of_a_collection_carry_marks() {
    let (entry, boards) = jimmy();
    let ids: Vec<_> = boards.file.ids().collect();
    let folder = tempfile::tempdir().unwrap();
    let mut results = Results::read(&folder.path().join("results"));
    // The shortest escapes have 4 and 7 moves.
    results.add("jimmy", ids[0], 4).unwrap();
    results.add("jimmy", ids[1], 9).unwrap();
    results.add("theseus", ids[2], 1).unwrap();
    let today = "2026-11-30".parse().unwrap();
    results.add("jimmy", "Monday 2026-11-30", 8).unwrap();
    let mut choosing = Choosing::boards(entry, &boards.file, &results, Some(today), Charset::Ascii);
    let screen = screen(&mut choosing, (60, 30));
    let line = |id: &str| screen.lines().find(|line| line.contains(id)).unwrap();
    assert!(screen.contains("jimmy: 2 of 24 solved"), "{screen}");
    assert!(line(ids[0]).starts_with("\" *  1 "), "{screen}");
    assert!(line(ids[0]).contains("solved in 4"), "{screen}");
    assert!(line(ids[1]).starts_with("\" +  2 "), "{screen}");
    assert!(line(ids[1]).contains("solved in 9"), "{screen}");
    assert!(line(ids[2]).starts_with("\"    3 "), "{screen}");
    let daily = line("today: Monday 2026-11-30");
    assert!(
        daily.starts_with("\" + ") && daily.contains("solved in 8"),
        "{screen}"
    );
}

#[test]
fn a_long_list_scrolls_to_the_selected_board() {
    let (entry, boards) = jimmy();
    let results = Results::default();
    let mut choosing = Choosing::boards(entry, &boards.file, &results, None, Charset::Ascii);
    let last = boards.file.ids().last().unwrap();
    assert!(!screen(&mut choosing, (40, 12)).contains(last));
    let key = |code: KeyCode| Event::Key(code.into());
    assert_eq!(choosing.input(&key(KeyCode::End)), None);
    assert_eq!(choosing.input(&key(KeyCode::Up)), None);
    let shown = screen(&mut choosing, (40, 12));
    assert!(shown.contains(last) && shown.contains("q leave"), "{shown}");
    let leave = choosing.input(&key(KeyCode::Enter));
    assert_eq!(leave, Some(Leave::Chosen(23, None)));
}

#[test]
fn keys_ask_for_new_boards() {
    let mut choosing = Choosing::rulesets(Purpose::Play, Charset::Ascii).at(2);
    let mut press = |key| choosing.input(&Event::Key(KeyCode::Char(key).into()));
    let hard = NewBoard::Level(Level::Hard);
    assert_eq!(press('h'), Some(Leave::Chosen(2, Some(hard))));
    let Some(Leave::Chosen(2, Some(NewBoard::Daily(date)))) = press('d') else {
        panic!("`d` asks for the board of the day");
    };
    assert!(date > "2026-01-01".parse().unwrap());
    let mut drawing = Choosing::rulesets(Purpose::Draw, Charset::Ascii);
    let leave = drawing.input(&Event::Key(KeyCode::Char('d').into()));
    assert_eq!(leave, None);
}
