//! The full-screen display of boards. [`app`] shows scenes on the [`terminal`]: games ([`playing`]), drawings ([`editing`]) and
//! menus ([`choosing`]).

pub mod app;
mod asker;
mod canvas;
mod choosing;
mod drawing;
mod editing;
mod judge;
mod keys;
mod layout;
pub mod live;
mod narration;
mod pager;
mod play;
mod playing;
pub mod shelf;
pub mod terminal;
pub mod theme;
mod view;
pub mod write;
