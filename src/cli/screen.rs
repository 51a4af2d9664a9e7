//! Boards on a whole terminal, to be played and to be drawn: the [`terminal`] itself, how a board looks
//! ([`look`], [`canvas`]), the boards there are ([`shelf`], [`write`]); a game ([`play`], [`keys`], [`view`],
//! [`tell`]), who thinks beside it ([`asker`]), and both together ([`playing`], [`app`]).

pub mod app;
mod asker;
mod canvas;
mod faulty;
mod keys;
pub mod look;
mod play;
mod playing;
pub mod shelf;
mod tell;
pub mod terminal;
mod view;
mod write;
