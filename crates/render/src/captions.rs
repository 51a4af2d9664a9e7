//! Games in words: captions of pictures, and sentences for screen readers.

use super::figures::Figures;
use super::recording::{RecordedPly, Recording};
use getaway_play::trace::{Ending, LineKind, TraceEvent};
use getaway_ruleset::Fate;

/// The maximum number of steps that [`describe_ply`] lists.
const NAMED: usize = 12;

/// Describes the line of play, such as `the solver's way out`.
pub fn kind(recording: &Recording) -> String {
    match recording.kind {
        LineKind::Given => "a line of play".into(),
        LineKind::WayOut => "the solver's way out".into(),
        LineKind::Lucky { .. } => "a way out if all adversaries move like this".into(),
        LineKind::LongestLived => "no way out: no line of play lasts longer".into(),
        LineKind::LongestFound => "no way out: the longest line of play found".into(),
        LineKind::Forever { .. } => "no way out, but the runner can stay alive forever".into(),
        LineKind::Played { seed } => format!("one game, seed {seed}"),
    }
}

/// Returns the caption of a position, such as `turn 3 of 9, Jimmy U`; that of the last position adds the ending or, if the
/// runner was caught, the cause.
pub fn caption(recording: &Recording, position: usize) -> String {
    let of = format!(" of {}", recording.last_turn());
    let when = match before(recording, position) {
        None => "start".into(),
        Some(ply) => when(ply, &of),
    };
    match &recording.ending {
        _ if !is_last(recording, position) => when,
        Ending::Caught { cause, .. } => format!("{when}: {cause}"),
        _ => format!("{when}: {}", ending(recording)),
    }
}

fn before(recording: &Recording, position: usize) -> Option<&RecordedPly> {
    recording.plies.get(position.checked_sub(1)?)
}

const fn is_last(recording: &Recording, position: usize) -> bool {
    position == recording.plies.len()
}

fn when(RecordedPly { turn, who, mv, .. }: &RecordedPly, of: &str) -> String {
    let mv = mv.as_ref().map_or(String::new(), |mv| format!(" {mv}"));
    format!("turn {turn}{of}, {who}{mv}")
}

/// Returns the ending in words, such as `escape in 3 moves`.
pub fn ending(recording: &Recording) -> String {
    recording.ending.in_words(Some(&recording.kind))
}

/// Describes the ply before a position. At the last position, adds the ending; at the first, returns only the ending.
pub fn sentences(recording: &Recording, position: usize) -> String {
    match describe_ply(recording, position) {
        None => {
            // The page itself says which position is the start.
            let mut end = ending(recording);
            end.replace_range(..1, &end[..1].to_uppercase());
            format!("{end}.")
        }
        Some(described) if is_last(recording, position) => {
            format!("{described} The end: {}.", ending(recording))
        }
        Some(described) => described,
    }
}

/// Describes the ply before a position; `None` at the start.
pub fn describe_ply(recording: &Recording, position: usize) -> Option<String> {
    let ply = before(recording, position)?;
    let figures = recording.subject.figures();
    let moved = ply.events.iter().filter(|event| is_news(event));
    let mut parts: Vec<_> = moved
        .clone()
        .take(NAMED)
        .map(|event| described(&figures, event))
        .collect();
    match moved.count() {
        0 => parts.push("nobody moves".into()),
        all if all > NAMED => parts.push(format!("and {} more", all - NAMED)),
        _ => {}
    }
    let mut when = when(ply, "");
    when.replace_range(..1, "T");
    Some(format!("{when}: {}.", parts.join("; ")))
}

fn is_news(event: &TraceEvent) -> bool {
    event.from != event.to || event.fate != Fate::Stands
}

fn described(figures: &Figures, event: &TraceEvent) -> String {
    let (name, legend) = (figures.name(event.actor), figures.legend);
    let [from, to] = [event.from, event.to].map(|place| legend.place(place));
    let what = match event.fate {
        Fate::Stands => "",
        Fate::Fell => ", and falls into the abyss",
        Fate::Catches => ", a catch",
        Fate::Teleports => ", by teleport",
    };
    format!("{name} from {from} to {to}{what}")
}

/// Returns the glyphs that appear in the game, with their names. Of several glyphs with one name, only the first is included.
pub fn legend(recording: &Recording) -> Vec<(char, String)> {
    let figures = recording.subject.figures();
    let changed = recording.plies.iter().flat_map(|ply| &ply.changes);
    let glyphs = recording.start.glyphs.iter().copied();
    let mut seen: Vec<_> = glyphs.chain(changed.map(|&(_, glyph)| glyph)).collect();
    // In the order of the figures, glyphs with the same name are neighbours.
    seen.sort_unstable_by_key(|&glyph| (figures.figure(glyph), glyph));
    let mut legend: Vec<(char, String)> = Vec::new();
    for glyph in seen {
        let name = figures.name(glyph);
        if legend.last().is_none_or(|(_, last)| *last != name) {
            legend.push((glyph, name));
        }
    }
    legend
}
