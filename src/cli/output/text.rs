//! A board's answer as text, and the wrapping of text to a width.

use std::time::Duration;

use anstyle::{AnsiColor, Style};
use console::{Term, measure_text_width};
use getaway_board::limits::{Bounds, Decision};
use getaway_play::solution::{Evidence, Simulated, Solution};
use textwrap::{Options, WordSeparator, WordSplitter};

use getaway_board::words::{count, duration, safe};
use getaway_solvers::answers::{Answer, CheckStatus};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colors {
    On,
    #[default]
    Off,
}

pub fn style(status: CheckStatus, colors: Colors) -> Style {
    let color = match status {
        CheckStatus::AsExpected => AnsiColor::Green.on_default(),
        CheckStatus::Mismatched | CheckStatus::Error => AnsiColor::Red.on_default(),
        CheckStatus::Undecided => AnsiColor::Yellow.on_default(),
        CheckStatus::NotExpected => Style::new(),
    };
    match colors {
        Colors::On => color.bold(),
        Colors::Off => Style::new(),
    }
}

pub fn solution(solution: &Solution, style: Style) -> String {
    let evidence = match &solution.evidence {
        Evidence::None => String::new(),
        Evidence::Line(line) => way_out(line, solution.is_shortest),
        Evidence::Survives(survives) => match survives {
            Decision::Yes => ": there is no way out, though the runner can stay alive forever",
            Decision::No => ": there is no way out, and the runner can't stay alive",
            Decision::Undecided => {
                ": there is no way out; whether the runner can stay alive is undecided"
            }
        }
        .into(),
        Evidence::Direction { direction, steps } => {
            next_move(*direction, steps.len(), solution.states)
        }
        Evidence::Chance {
            bounds,
            certain,
            simulated,
            ..
        } => chance(*bounds, *certain) + &simulated.map_or_else(String::new, played),
    };
    let text = format!("{style}{}{style:#}{evidence}", solution.verdict());
    match solution.limit() {
        Some(limit) => format!("{text}: {limit} after {}", count(solution.states, "state")),
        None => text,
    }
}

pub fn mismatch(answer: &Answer, style: Style) -> Option<String> {
    match (&answer.refuted, answer.expect) {
        (Some(refuted), _) => {
            let lines: Vec<_> = refuted.split('\n').map(safe).collect();
            Some(lines.join("\n  "))
        }
        (None, Some(expect)) => {
            let got = solution(&answer.solution, style);
            Some(if answer.is_by_agent {
                format!("answered {expect}, but the answer is {got}")
            } else {
                format!("expected {expect}, got {got}")
            })
        }
        (None, None) => None,
    }
}

fn way_out(line: &str, is_shortest: bool) -> String {
    let moves = count(line.len() as u64, "move");
    match (line.len(), is_shortest) {
        (0, _) => format!(" in {moves}"),
        (_, true) => format!(" in {moves}: {line}"),
        (_, false) => format!(" in {moves}: {line} (perhaps not the shortest)"),
    }
}

fn next_move(direction: i8, cells: usize, states: u64) -> String {
    let name = match direction {
        0 => "up",
        1 => "right",
        2 => "down",
        3 => "left",
        // The search visits at least the runner's cell.
        _ if states == 0 => "no runner",
        _ => "nowhere to go",
    };
    let steps = match cells.checked_sub(1) {
        Some(steps) => format!(" in {}", count(steps as u64, "step")),
        None => String::new(),
    };
    format!("{steps}, direction {direction} ({name})")
}

pub fn chance(bounds: Bounds, certain: Decision) -> String {
    let (Bounds { lower, upper }, middle) = (bounds, bounds.middle());
    match () {
        () if certain == Decision::Yes => ", certain".into(),
        () if upper == 0.0 => String::new(),
        // An escape exists, but the lower bound on its probability is too small to show in six digits.
        () if !bounds.is_exact() && lower > 0.0 && lower < 5e-7 => match upper {
            upper if upper < 1.0 - 5e-7 => {
                format!(", probability above 0, at most {upper:.6}")
            }
            _ => ", probability above 0".into(),
        },
        () if !bounds.is_exact() => {
            format!(", probability {lower:.6} to {upper:.6}")
        }
        () if middle <= 5e-7 => ", probability above 0, at most 0.000001".into(),
        () if middle > 1.0 - 5e-7 && certain == Decision::No => {
            ", probability 1, though not certain".into()
        }
        () if middle > 1.0 - 5e-7 => ", probability 1".into(),
        () => format!(", probability {middle:.6}"),
    }
}

fn played(simulated: Simulated) -> String {
    let Bounds { lower, upper } = simulated.interval();
    format!(
        " (a policy escaped in {} of {} simulated games, seed {}: 95% confidence interval {lower:.3} to {upper:.3})",
        simulated.escaped, simulated.games, simulated.seed
    )
}

pub fn statistics(solution: &Solution, time: Option<Duration>) -> String {
    let mut text = count(solution.states, "state");
    if let Some(time) = time {
        text += &format!(", {}", duration(time));
    }
    if let Evidence::Chance { bounds, .. } = solution.evidence {
        let Bounds { lower, upper } = bounds;
        text += &format!(", probability from {lower:.9} to {upper:.9}");
    }
    text
}

/// Wraps text to a width. `first` indents the first line, and `rest` the others.
pub fn wrap(text: &str, width: usize, first: &str, rest: &str) -> String {
    let options = Options::new(width)
        .initial_indent(first)
        .subsequent_indent(rest)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(text, options)
}

/// Returns the width of a terminal; `None` if `term` is a file or a pipe, or its size is unknown.
pub fn width(term: &Term) -> Option<usize> {
    let size = term.size_checked().filter(|_| term.is_term());
    size.map(|(_, columns)| columns.into())
}

/// Wraps lines that are longer than `width`, if there is one, with a hanging indent. Long words, such as moves to copy, stay
/// whole.
pub fn fitted(text: String, width: Option<usize>) -> String {
    let Some(width) = width else {
        return text;
    };
    let fit = |line: &str| {
        if measure_text_width(line.trim_end()) <= width {
            return line.to_owned();
        }
        let indent = " ".repeat(hanging_indent(line).min(width / 2));
        wrap(line, width, "", &indent)
    };
    text.split_inclusive('\n').map(fit).collect()
}

/// Returns the indentation for the rest of a wrapped line: the column after its label and a gap of two or more spaces or, without
/// a gap, two columns more than the line's own indentation.
fn hanging_indent(line: &str) -> usize {
    let inside = line.len() - line.trim_start().len();
    match line[inside..].find("  ") {
        Some(gap) => {
            let rest = line[inside + gap..].trim_start();
            measure_text_width(&line[..line.len() - rest.len()])
        }
        None => inside + 2,
    }
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
