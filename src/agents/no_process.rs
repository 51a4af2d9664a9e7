//! Refuses to start agents on systems other than Unix: agents need pipes that don't block.

use std::convert::Infallible;
use std::io;
use std::time::Instant;

use super::{Command, Errors, Failure};
use crate::limits::Limits;

#[derive(Debug)]
pub(super) struct Process(Infallible);

#[derive(Clone, Copy, Debug)]
#[expect(dead_code, reason = "there is nothing to wait for")]
pub(super) struct Wait<'l> {
    pub(super) deadline: Instant,
    pub(super) limits: Limits<'l>,
}

impl Process {
    pub(super) fn start(_command: &Command, _errors: Errors) -> io::Result<Self> {
        let message = "agents can be played with on Unix only, such as Linux or macOS";
        Err(io::Error::new(io::ErrorKind::Unsupported, message))
    }

    pub(super) fn tell(&mut self, _line: &[u8], _wait: &Wait) -> Result<(), Failure> {
        match self.0 {}
    }

    pub(super) fn ask(&mut self, _line: &[u8], _wait: &Wait) -> Result<Vec<u8>, Failure> {
        match self.0 {}
    }

    pub(super) fn greet(&mut self, _line: &[u8], _wait: &Wait) -> Result<Vec<u8>, Failure> {
        match self.0 {}
    }

    pub(super) fn dismiss(&mut self, _bye: &[u8]) {
        match self.0 {}
    }

    pub(super) fn see_off(self, _deadline: Instant) {
        match self.0 {}
    }
}

pub(super) fn grace() -> Instant {
    Instant::now()
}

pub(super) fn excerpt(text: &[u8]) -> String {
    String::from_utf8_lossy(text).escape_debug().to_string()
}
