//! The analysis of a board, as text and JSON.

use std::fmt::Write;

use crate::advice::{Lifetime, Worth};
use crate::analysis::difficulty::Difficulty;
use crate::analysis::{Analysis, BestPlay, Count, Mistake, RandomPlay, Removal, Section, Without};
use crate::distribution::wilson;
use crate::limits::Limit;
use crate::ruleset::Legend;
use crate::solution::{Evidence, Solution};
use serde_json::{Map, Value, json};

use super::words::{count, grouped, list_some, probability};
use crate::answers::Analysed;

pub fn text(solution: &Solution, analysed: &Analysed, legend: &Legend) -> String {
    let Analysed {
        analysis, removals, ..
    } = analysed;
    let mut table = Rows::default();
    table.row("shortest lines", analysis.shortest_lines.map(lines));
    let is_map = matches!(solution.evidence, Evidence::Direction { .. });
    let worth = if is_map { way_to_food } else { worth_in_words };
    table.row("first moves", first_moves(&analysis.first_moves, worth));
    table.row("forced", analysis.forced.as_deref().map(forced));
    let mistake = analysis.last_mistake.as_ref().map(mistake);
    let is_line = analysis.length.is_some_and(|length| length > 0) && analysis.forced.is_some();
    table.row(
        "last mistake",
        mistake.or(is_line.then(|| "none: no move along the shortest way loses".into())),
    );
    table.row("positions", positions(solution, analysis));
    table.row("random player", analysis.random.map(random));
    table.row(
        "difficulty",
        analysis.difficulty.map(|difficulty| difficulty.to_string()),
    );
    let best_play = analysis.best_play.as_ref();
    table.row(
        "expected turns",
        analysis.expected_turns.map(expected_turns),
    );
    let is_simulated = analysis.expected_turns.is_none();
    table.row("best play", best_play.filter(|_| is_simulated).map(turns));
    table.row("caught by", best_play.and_then(caught_by));
    table.row("what matters", matters(removals, legend));
    for (part, limit) in &analysed.cut_short {
        let advice = match limit {
            Limit::States => ", which `--max-states` raises",
            _ => "",
        };
        table.row("cut short", Some(format!("{part}: {limit}{advice}")));
    }
    table.0
}

#[derive(Default)]
struct Rows(String);

impl Rows {
    fn row(&mut self, name: &str, said: Option<String>) {
        if let Some(said) = said {
            write!(self.0, "\n  {name:<14}  {said}").expect("writing to a string does not fail");
        }
    }
}

fn lines(lines: Count<u128>) -> String {
    match lines {
        Count::Exactly(lines) => grouped(lines),
        Count::AtLeast(lines) => format!("at least {}", grouped(lines)),
    }
}

fn first_moves(moves: &[(String, Worth)], in_words: fn(Worth) -> String) -> Option<String> {
    let said = moves
        .iter()
        .map(|(mv, worth)| format!("{mv} {}", in_words(*worth)));
    let said: Vec<_> = said.collect();
    (!said.is_empty()).then(|| said.join(", "))
}

fn way_to_food(worth: Worth) -> String {
    match worth {
        Worth::Escape { moves: Some(steps) } => format!("(food in {steps})"),
        _ => "(no food)".into(),
    }
}

pub fn worth_in_words(worth: Worth) -> String {
    match worth {
        Worth::Escape { moves: Some(moves) } => format!("(out in {moves})"),
        Worth::Escape { moves: None } => "(escapes)".into(),
        Worth::Caught { lives } => format!("({})", lives_in_words(lives)),
        Worth::Chance { lower, upper } => format!("({})", probability(lower, upper)),
        Worth::Unknown(Some(limit)) => format!("({limit})"),
        Worth::Unknown(None) | Worth::Food { .. } => "(unknown)".into(),
    }
}

fn lives_in_words(lives: Option<Lifetime>) -> String {
    match lives {
        Some(Lifetime::Moves(0 | 1)) => "loses at once".into(),
        Some(Lifetime::Moves(moves)) => format!("loses within {}", count(moves as u64, "move")),
        Some(Lifetime::Forever) => "no way out, but lives for ever".into(),
        None => "loses".into(),
    }
}

fn forced(turns: &[usize]) -> String {
    let all: Vec<_> = turns.iter().map(ToString::to_string).collect();
    match all.len() {
        0 => "no forced moves".into(),
        1 => format!("in turn {} every move but one loses", all[0]),
        _ => format!("in turns {} every move but one loses", list_some(&all, 12)),
    }
}

fn mistake(mistake: &Mistake) -> String {
    let Mistake {
        turn,
        mv,
        instead_of,
        lives,
    } = mistake;
    let lives = lives_in_words(*lives);
    format!("in turn {turn} `{mv}` instead of `{instead_of}` ({lives})")
}

fn positions(solution: &Solution, analysis: &Analysis) -> Option<String> {
    let is_map = matches!(solution.evidence, Evidence::Direction { .. });
    Some(match (analysis.reachable?, analysis.dead_ends) {
        (Count::Exactly(0), _) => return None,
        (Count::Exactly(cells), _) if is_map => format!("{} in reach", count(cells, "cell")),
        (Count::Exactly(all), Some(dead)) => {
            format!(
                "{}, {} of them without a way out",
                grouped(all),
                grouped(dead)
            )
        }
        (Count::Exactly(all), None) => grouped(all),
        (Count::AtLeast(all), _) => format!("at least {}", grouped(all)),
    })
}

fn random(play: RandomPlay) -> String {
    match play {
        RandomPlay::Exact([_, upper]) if upper <= Evidence::PRECISION => {
            "escapes with a probability of less than 0.000001".into()
        }
        RandomPlay::Exact([lower, upper]) => {
            format!(
                "escapes with a probability of {}",
                probability(lower, upper)
            )
        }
        RandomPlay::Played(played) => {
            let (_, [low, high]) = wilson(played.escaped, played.games);
            format!(
                "escaped in {} of {} (95 % interval {low:.4} to {high:.4}; seed {}, at most {} each)",
                grouped(played.escaped),
                count(played.games, "game"),
                played.seed,
                count(played.turns as u64, "turn")
            )
        }
    }
}

fn expected_turns([lower, upper]: [f64; 2]) -> String {
    let turns = f64::midpoint(lower, upper);
    format!("{turns:.4}, on average of all games that escape under best play")
}

fn turns(play: &BestPlay) -> String {
    let (games, seed) = (count(play.games, "game"), play.seed);
    if play.escaped == 0 {
        return format!(
            "none of {games} (simulated, seed {seed}) escaped within {} turns",
            play.most_turns
        );
    }
    let half = 1.96 * play.turns_error;
    let open = match play.open {
        0 => String::new(),
        open => format!(
            ", {} unfinished after {} turns",
            grouped(open),
            play.most_turns
        ),
    };
    format!(
        "{:.2} turns on average where it escapes (simulated: 95 % interval {:.2} to {:.2}; {games}, seed {seed}{open})",
        play.turns,
        play.turns - half,
        play.turns + half,
    )
}

fn caught_by(play: &BestPlay) -> Option<String> {
    let share = |(glyph, games): &(char, u64)| {
        let (share, [low, high]) = wilson(*games, play.games);
        format!(
            "`{glyph}` in {:.1} % ({:.1} to {:.1})",
            100.0 * share,
            100.0 * low,
            100.0 * high
        )
    };
    let all: Vec<_> = play.caught_by.iter().map(share).collect();
    let (games, seed) = (count(play.games, "game"), play.seed);
    (!all.is_empty()).then(|| format!("{} of {games} (simulated, seed {seed})", all.join(", ")))
}

fn matters(removals: &[Removal], legend: &Legend) -> Option<String> {
    let is_verdict = |removal: &Removal| matches!(removal.without, Without::Verdict(_));
    if removals.iter().all(is_verdict) {
        return verdict_matters(removals, legend);
    }
    let all: Vec<_> = removals
        .iter()
        .map(|removal| format!("{} {}", named(removal, legend), without(removal.without)))
        .collect();
    Some(format!("probability without it: {}", list_some(&all, 8)))
}

fn named(removal: &Removal, legend: &Legend) -> String {
    format!("`{}` {}", removal.glyph, legend.at(removal.at))
}

fn without(without: Without) -> String {
    match without {
        Without::Verdict(verdict) => format!("({verdict})"),
        Without::Chance {
            certain: Some(true),
            ..
        } => "(certain)".into(),
        Without::Chance {
            bounds: [lower, upper],
            ..
        } => worth_in_words(Worth::Chance { lower, upper }),
    }
}

fn verdict_matters(removals: &[Removal], legend: &Legend) -> Option<String> {
    let all: Vec<_> = removals
        .iter()
        .map(|removal| named(removal, legend))
        .collect();
    (!all.is_empty()).then(|| {
        format!(
            "without {} the verdict would change",
            list_some(&all, 8).replace(", ", " or ")
        )
    })
}

pub fn fields(solution: &Solution, analysed: &Analysed) -> Map<String, Value> {
    let Analysed {
        analysis, removals, ..
    } = analysed;
    let mut fields = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    };
    put(
        "length",
        analysis
            .length
            .filter(|_| solution.line().is_none())
            .map(Into::into),
    );
    let (name, lines) = split("shortest_lines", analysis.shortest_lines.map(in_64_bits));
    put(&name, lines.map(Into::into));
    let has_worth = |(_, worth): &(String, Worth)| !matches!(worth, Worth::Unknown(_));
    let has_moves = analysis.first_moves.iter().any(has_worth) || !analysed.is_cut(Section::Moves);
    let first_moves = || first_moves_json(solution, &analysis.first_moves);
    put("first_moves", has_moves.then(first_moves));
    put("losing_moves", losing_moves(&analysis.first_moves));
    put("forced", analysis.forced.as_ref().map(|turns| json!(turns)));
    put(
        "last_mistake",
        analysis.last_mistake.as_ref().map(mistake_json),
    );
    let (name, reachable) = split("reachable", analysis.reachable);
    put(&name, reachable.map(Into::into));
    put("dead_ends", analysis.dead_ends.map(Into::into));
    put("random", analysis.random.map(random_json));
    let name = match analysis.difficulty {
        Some(Difficulty::AtMost(_)) => "difficulty_at_most",
        _ => "difficulty",
    };
    let rounded = |difficulty: Difficulty| json!((difficulty.bits() * 1e3).round() / 1e3);
    put(name, analysis.difficulty.map(rounded));
    put(
        "expected_turns",
        analysis.expected_turns.map(|bounds| json!(bounds)),
    );
    put("best_play", analysis.best_play.as_ref().map(best_play_json));
    let is_map = matches!(solution.evidence, Evidence::Direction { .. });
    let name = if analysed.is_cut(Section::Removals) {
        "matters_at_least"
    } else {
        "matters"
    };
    put(
        name,
        (!is_map).then(|| removals.iter().map(removal_json).collect()),
    );
    let cut_short: Map<_, _> = analysed
        .cut_short
        .iter()
        .map(|(part, limit)| (part.word().to_owned(), limit.word().into()))
        .collect();
    put(
        "cut_short",
        (!cut_short.is_empty()).then(|| cut_short.into()),
    );
    fields
}

fn in_64_bits(count: Count<u128>) -> Count<u64> {
    match count {
        Count::Exactly(lines) => {
            u64::try_from(lines).map_or(Count::AtLeast(u64::MAX), Count::Exactly)
        }
        Count::AtLeast(lines) => Count::AtLeast(u64::try_from(lines).unwrap_or(u64::MAX)),
    }
}

fn split<N>(name: &str, count: Option<Count<N>>) -> (String, Option<N>) {
    match count {
        Some(Count::AtLeast(number)) => (format!("{name}_at_least"), Some(number)),
        Some(Count::Exactly(number)) => (name.to_owned(), Some(number)),
        None => (name.to_owned(), None),
    }
}

fn first_moves_json(solution: &Solution, moves: &[(String, Worth)]) -> Value {
    if matches!(solution.evidence, Evidence::Chance { .. }) {
        let bounds = |(mv, worth): &(String, Worth)| match worth {
            Worth::Chance { lower, upper } => Some((mv.clone(), json!([lower, upper]))),
            _ => None,
        };
        return moves
            .iter()
            .filter_map(bounds)
            .collect::<Map<_, _>>()
            .into();
    }
    let escapes = |(_, worth): &&(String, Worth)| matches!(worth, Worth::Escape { .. });
    moves
        .iter()
        .filter(escapes)
        .map(|(mv, _)| mv.clone())
        .collect()
}

fn losing_moves(moves: &[(String, Worth)]) -> Option<Value> {
    let losing = |(mv, worth): &(String, Worth)| match worth {
        Worth::Caught { lives } => Some((mv.clone(), lives_json(*lives))),
        _ => None,
    };
    let losing: Map<_, _> = moves.iter().filter_map(losing).collect();
    (!losing.is_empty()).then(|| losing.into())
}

pub fn lives_json(lives: Option<Lifetime>) -> Value {
    match lives {
        Some(Lifetime::Moves(moves)) => moves.into(),
        Some(Lifetime::Forever) => "forever".into(),
        None => Value::Null,
    }
}

fn mistake_json(mistake: &Mistake) -> Value {
    json!({
        "turn": mistake.turn,
        "move": mistake.mv,
        "instead_of": mistake.instead_of,
        "lives": lives_json(mistake.lives),
    })
}

fn random_json(play: RandomPlay) -> Value {
    match play {
        RandomPlay::Exact(bounds) => json!({ "bounds": bounds }),
        RandomPlay::Played(played) => {
            let (rate, interval) = wilson(played.escaped, played.games);
            json!({
                "simulated": true,
                "rate": rate,
                "interval": interval,
                "escaped": played.escaped,
                "games": played.games,
                "seed": played.seed,
                "turns": played.turns,
            })
        }
    }
}

fn removal_json(removal: &Removal) -> Value {
    let Removal {
        glyph,
        at: (row, col),
        line,
        column,
        ..
    } = removal;
    let mut json = json!({"glyph": glyph, "at": [row, col], "line": line, "column": column});
    if let Without::Chance { bounds, certain } = removal.without {
        json["bounds"] = json!(bounds);
        if let Some(certain) = certain {
            json["certain"] = certain.into();
        }
    }
    json
}

fn best_play_json(play: &BestPlay) -> Value {
    let half = 1.96 * play.turns_error;
    let has_ended = play.escaped > 0;
    let caught_by: Map<_, _> = play
        .caught_by
        .iter()
        .map(|(glyph, games)| (glyph.to_string(), (*games).into()))
        .collect();
    json!({
        "simulated": true,
        "turns": has_ended.then_some(play.turns),
        "interval": has_ended.then_some([play.turns - half, play.turns + half]),
        "escaped": play.escaped,
        "caught_by": caught_by,
        "open": play.open,
        "games": play.games,
        "seed": play.seed,
    })
}
