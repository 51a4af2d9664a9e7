//! Characters that a message must not show as they are.

/// Returns whether a character controls a terminal or changes the direction of text.
pub fn is_terminal_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns whether a character can't be told from a space or from nothing.
pub fn is_invisible(c: char) -> bool {
    !c.is_ascii() && (c.is_whitespace() || is_terminal_control(c))
        || matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}
