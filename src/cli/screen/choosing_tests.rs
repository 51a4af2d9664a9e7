use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;

#[test]
fn the_smallest_screen_has_every_game_and_the_keys() {
    let mut choosing = Choosing::new(Purpose::Play, Charset::Unicode);
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
    let mut choosing = Choosing::new(Purpose::Play, Charset::Unicode);
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
