use crate::pictures::subject;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::Board;
use getaway_render::recording::Recorder;
use getaway_solvers::game::Plan;

#[test]
fn a_recording_is_broken_off_by_a_limit() {
    let board: Board = "###\n#o.\n###\n".parse().unwrap();
    let subject = subject(board.ruleset(), "right".into());
    let mut recorder = Recorder::new(subject, &Limits::default());
    let ending = board.game().trace(&Plan::default(), &mut recorder);
    let recording = recorder.finish(ending.unwrap());
    let stop = AtomicBool::new(true);
    let limits = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let mut out = Vec::new();
    let written = write(&recording, "given", (450, &limits), &mut out);
    assert!(matches!(written, Err(RenderError::Limit(Limit::Interrupt))));
    let all = write(&recording, "given", (450, &Limits::default()), &mut out);
    assert!(all.is_ok());
}
