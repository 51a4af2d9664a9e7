//! Boards on a whole terminal, to be played and to be drawn: the [`terminal`] itself, how a board looks
//! ([`look`], [`canvas`], [`layout`]), the boards there are ([`shelf`], [`write`]); a game ([`play`],
//! [`keys`], [`view`], [`tell`]), one that is watched ([`live`], [`watched`], [`graph`]), a drawing ([`drawing`], [`judge`]), who thinks beside them ([`asker`]),
//! and all together ([`playing`], [`editing`], [`app`]).

pub mod app;
mod asker;
mod canvas;
mod choosing;
mod drawing;
mod editing;
mod faulty;
mod graph;
mod judge;
mod keys;
mod layout;
mod live;
pub mod look;
mod play;
mod playing;
pub mod shelf;
mod tell;
pub mod terminal;
mod view;
mod watched;
pub mod watching;
mod write;
