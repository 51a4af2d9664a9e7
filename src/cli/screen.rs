//! Boards on a whole terminal, to play and to edit. [`app`] shows one scene after the other on the [`terminal`]:
//! a game ([`playing`]), a drawing ([`editing`]), a menu ([`choosing`]).

pub mod app;
mod asker;
mod canvas;
mod choosing;
mod drawing;
mod editing;
mod graph;
mod judge;
mod keys;
mod layout;
pub mod live;
pub mod look;
pub mod making;
mod pager;
mod play;
mod playing;
pub mod shelf;
mod tell;
pub mod terminal;
mod view;
mod write;
