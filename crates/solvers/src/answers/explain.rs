//! The explanation of an answer as text.

use getaway_play::evaluation::PositionValue;
use getaway_play::explanation::{
    ExplainedMove, ExplainedTurn, Explanation, Loss, PlayerRole, WithoutPlayer,
};
use getaway_play::solution::{LuckyLine, LuckyStep};
use getaway_ruleset::Legend;

use super::analysis::{lives_in_words, value_in_words};
use super::search_steps;
use getaway_board::words::{count, probability};

/// Describes an explanation in lines of text.
pub fn text(explanation: &Explanation, legend: &Legend) -> String {
    let mut lines = Vec::new();
    lines.extend(explanation.reason.map(|reason| reason.to_string()));
    let is_line = explanation.turns.iter().any(is_without_chance) && explanation.reason.is_none();
    if is_line {
        lines.extend(line(&explanation.turns, legend));
    } else {
        let all = |turn: &ExplainedTurn| grouped(&turn.moves.iter().collect::<Vec<_>>(), legend);
        lines.extend(explanation.turns.iter().flat_map(all));
    }
    let without = explanation.without.iter();
    lines.extend(without.map(|player| without_player(player, legend)));
    if explanation
        .without
        .iter()
        .any(|player| player.decoy.is_some())
    {
        lines.push(ABOUT_DECOYS.to_owned());
    }
    lines.extend(explanation.line.iter().flat_map(|line| lucky(line, legend)));
    let search = explanation.search.as_ref();
    lines.extend(
        search
            .into_iter()
            .flat_map(|search| search_steps::search(search, legend)),
    );
    let rest = |limit| format!("{limit}: the rest of the line is not explained");
    lines.extend(explanation.limit.map(rest));
    lines.iter().map(|line| format!("\n  {line}")).collect()
}

fn without_player(without: &WithoutPlayer, legend: &Legend) -> String {
    let place = legend.place(without.player);
    let value = probability(without.bounds);
    let Some(decoy) = without.decoy else {
        return format!("without `P` at {place}: probability {value}");
    };
    let role = match without.role {
        None => "",
        Some(PlayerRole::Decoy) => " as a decoy",
        Some(PlayerRole::Key) => " to take the key",
        Some(PlayerRole::Escape) => " to escape",
    };
    let decoy = probability(decoy);
    format!(
        "`P` at {place} is needed{role}: probability {value} without it, {decoy} if it is only a decoy"
    )
}

const ABOUT_DECOYS: &str = "(a decoy stands in the way or is chased; it never takes the key, and escapes only if all have to)";

const ALL_OUT: &str = "every other move leads out as well";

fn line(turns: &[ExplainedTurn], legend: &Legend) -> Vec<String> {
    let all: Vec<_> = turns.iter().map(|turn| avoided(turn, legend)).collect();
    let width = turns.len().to_string().len();
    let mut number = 1;
    let runs = all.chunk_by(|a, b| a == ALL_OUT && b == ALL_OUT);
    let labelled = runs.map(|run| {
        let (from, to) = (number, number + run.len() - 1);
        number = to + 1;
        let label = match &turns[from - 1].mv {
            Some(mv) if from == to => format!("{from:width$} {mv}"),
            _ => format!("{from:width$}-{to}"),
        };
        (label, &run[0])
    });
    let runs: Vec<_> = labelled.collect();
    let width = runs.iter().map(|(label, _)| label.len()).max().unwrap_or(0);
    let described = |(label, text): &(String, &String)| format!("{label:width$}  {text}");
    runs.iter().map(described).collect()
}

fn lucky(line: &LuckyLine, legend: &Legend) -> Vec<String> {
    let mut lines = vec![format!(
        "a way out in {} if all adversaries move like this (probability {}):",
        count(line.turns.len() as u64, "move"),
        small_probability(line.probability),
    )];
    let width = line.turns.len().to_string().len();
    let moves = line
        .turns
        .iter()
        .map(|turn| turn.mv.len())
        .max()
        .unwrap_or(0);
    for (number, turn) in (1..).zip(&line.turns) {
        let moves_on = |step: &&LuckyStep| step.from != step.to || step.probability < 1.0;
        let steps = turn.adversaries.iter().filter(moves_on);
        let steps: Vec<_> = steps.map(|step| step_in_words(step, legend)).collect();
        let described = format!("{number:width$} {:moves$}  {}", turn.mv, steps.join("; "));
        lines.push(described.trim_end().to_owned());
    }
    lines
}

fn step_in_words(step: &LuckyStep, legend: &Legend) -> String {
    let how = match (step.is_teleport, step.from == step.to) {
        (true, _) => format!("is teleported to {}", legend.place(step.to)),
        (false, true) => "stays".into(),
        (false, false) => format!("to {}", legend.place(step.to)),
    };
    let described = format!("{} {} {how}", step.glyph, legend.place(step.from));
    match step.probability {
        luck if luck < 1.0 => format!("{described} ({})", small_probability(luck)),
        _ => described,
    }
}

/// Formats a probability with three decimals or, below 0.001, in scientific notation.
pub fn small_probability(probability: f64) -> String {
    if probability >= 0.001 {
        format!("{probability:.3}")
    } else {
        format!("{probability:.1e}")
    }
}

fn is_without_chance(turn: &ExplainedTurn) -> bool {
    let is_chance = |option: &ExplainedMove| matches!(option.value, PositionValue::Chance(_));
    !turn.moves.iter().any(is_chance)
}

fn avoided(turn: &ExplainedTurn, legend: &Legend) -> String {
    if turn.moves.len() == 1 {
        return "the only move".into();
    }
    let others = turn
        .moves
        .iter()
        .filter(|option| Some(&option.mv) != turn.mv.as_ref());
    let (escaping, rest): (Vec<&ExplainedMove>, Vec<_>) =
        others.partition(|option| matches!(option.value, PositionValue::Escape { .. }));
    let mut parts = grouped(&rest, legend);
    match escaping.len() {
        0 => {}
        _ if rest.is_empty() => parts.push(ALL_OUT.into()),
        1 => parts.push("1 other move leads out as well".into()),
        many => parts.push(format!("{many} other moves lead out as well")),
    }
    parts.join("; ")
}

fn grouped(moves: &[&ExplainedMove], legend: &Legend) -> Vec<String> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for option in moves {
        let result = result(option, legend);
        match groups.iter_mut().find(|(same, _)| *same == result) {
            Some((_, all)) => all.push(&option.mv),
            None => groups.push((result, vec![&option.mv])),
        }
    }
    let described = |(result, all): (String, Vec<&str>)| {
        let all: Vec<_> = all.iter().map(|mv| format!("`{mv}`")).collect();
        format!("{}: {result}", all.join(", "))
    };
    groups.into_iter().map(described).collect()
}

fn result(option: &ExplainedMove, legend: &Legend) -> String {
    let lives = match option.value {
        PositionValue::Caught { lives } => lives,
        PositionValue::Chance(bounds) => return format!("probability {}", probability(bounds)),
        value => return value_in_words(value),
    };
    let when = lives_in_words("lost", lives);
    match option.end {
        Some(Loss { by: Some(by), .. }) => {
            format!("{when}, caught by `{}` {}", by.0, legend.at(by.1))
        }
        Some(Loss { cause, .. }) => format!("{when}, {cause}"),
        None => when,
    }
}

#[cfg(test)]
#[path = "explain_tests.rs"]
mod tests;
