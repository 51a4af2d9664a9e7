//! The characters of a board on a terminal, and the colours of their meanings.

use getaway_ruleset::{Legend, Meaning};
use ratatui::style::{Color, Style};

use crate::cli::output::text::Colors;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    Unicode,
    Ascii,
}

impl Charset {
    /// Returns the terminal's character set: Unicode if the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set and not empty
    /// names UTF-8, otherwise ASCII.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let mut locales = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .filter_map(variable);
        let locale = locales.find(|value| !value.is_empty()).unwrap_or_default();
        if locale.to_lowercase().replace('-', "").contains("utf8") {
            Self::Unicode
        } else {
            Self::Ascii
        }
    }

    pub const fn pick<T: Copy>(self, unicode: T, ascii: T) -> T {
        match self {
            Self::Unicode => unicode,
            Self::Ascii => ascii,
        }
    }

    pub fn arrow(self, (rows, cols): (i32, i32)) -> char {
        match (rows.signum(), cols.signum()) {
            (-1, 0) => self.pick('↑', '^'),
            (1, 0) => self.pick('↓', 'v'),
            (0, -1) => self.pick('←', '<'),
            (0, 1) => self.pick('→', '>'),
            (-1, -1) => self.pick('↖', '\\'),
            (-1, 1) => self.pick('↗', '/'),
            (1, -1) => self.pick('↙', '/'),
            (1, 1) => self.pick('↘', '\\'),
            _ => self.pick('∘', '='),
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Theme {
    pub charset: Charset,
    pub colors: Colors,
    pub legend: Legend,
}

impl Theme {
    pub fn color(self, color: Color) -> Style {
        self.either(Style::new().fg(color), Style::new())
    }

    /// Returns a style for letters on this background colour; it is reversed if colours are off.
    pub fn block(self, color: Color) -> Style {
        let on = Style::new().fg(Color::Black).bg(color);
        self.either(on, Style::new().reversed())
    }

    pub fn faint(self) -> Style {
        self.either(Style::new().fg(Color::DarkGray), Style::new().dim())
    }

    fn either(self, on: Style, off: Style) -> Style {
        match self.colors {
            Colors::On => on,
            Colors::Off => off,
        }
    }

    pub fn glyph(self, glyph: char) -> Style {
        match self.legend.meaning(glyph) {
            Meaning::Floor if glyph.is_alphabetic() => self.color(Color::Yellow),
            Meaning::Floor => self.faint(),
            Meaning::Wall => self.color(Color::Blue),
            Meaning::Runner => self.block(Color::Green).bold(),
            Meaning::Chaser => self.block(Color::Red).bold(),
            Meaning::Goal => self.block(Color::Yellow).bold(),
            Meaning::Danger => self.color(Color::Magenta),
        }
    }

    pub fn mark(self, glyph: char) -> Style {
        match self.legend.meaning(glyph) {
            Meaning::Runner => self.color(Color::Green),
            Meaning::Chaser => self.color(Color::LightRed),
            _ => self.color(Color::Cyan),
        }
    }
}

#[cfg(test)]
#[path = "theme_tests.rs"]
mod tests;
