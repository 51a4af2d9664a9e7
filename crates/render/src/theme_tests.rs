use super::*;

/// Returns the relative luminance, as the Web Content Accessibility Guidelines define it.
fn luminance(color: Color) -> f64 {
    let part = |byte: u8| {
        let share = f64::from(byte) / 255.0;
        if share <= 0.040_45 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * part(color[0]) + 0.7152 * part(color[1]) + 0.0722 * part(color[2])
}

fn contrast(theme: Theme, one: Ink, other: Ink) -> f64 {
    let [one, other] = [one, other].map(|ink| luminance(ink.color(theme)) + 0.05);
    one.max(other) / one.min(other)
}

#[test]
fn text_and_figures_contrast_with_their_background() {
    for theme in [Theme::Light, Theme::Dark] {
        for ink in [Ink::Text, Ink::Muted] {
            assert!(contrast(theme, ink, Ink::Paper) >= 4.5, "{theme:?} {ink:?}");
        }
        let runners = [
            Ink::Runner,
            Ink::Chaser,
            Ink::Ghost,
            Ink::Zombie,
            Ink::Monster,
        ];
        let chasers = [Ink::SuperMonster, Ink::Bat, Ink::Minotaur, Ink::WallOne];
        let places = [
            Ink::WallTwo,
            Ink::WallThree,
            Ink::Wall,
            Ink::Goal,
            Ink::Danger,
        ];
        for ink in [&runners[..], &chasers, &places].concat() {
            assert!(contrast(theme, ink, Ink::Floor) >= 3.0, "{theme:?} {ink:?}");
        }
        // An escape is also drawn beside the board.
        assert!(contrast(theme, Ink::Goal, Ink::Paper) >= 3.0, "{theme:?}");
    }
    assert_eq!(Ink::Runner.hex(Theme::Light), "#109c76");
}
