//! The analysis of a board, as text and JSON.

use getaway_board::limits::Limit;
use getaway_play::analysis::difficulty::Difficulty;
use getaway_play::analysis::{
    Analysis, BestPlay, Count, Mistake, RandomPlay, Removal, Section, Without,
};
use getaway_play::evaluation::{Lifetime, PositionValue};
use getaway_play::solution::{Evidence, Solution};
use getaway_ruleset::Legend;
use getaway_ruleset::distribution::wilson;
use serde_json::{Map, Value, json};

use super::words::{count, grouped, list_some, probability};
use crate::answers::Analysed;

pub fn text(solution: &Solution, analysed: &Analysed, legend: &Legend) -> String {
    let analysis = &analysed.analysis;
    let in_words = if is_map(solution) {
        way_to_food
    } else {
        value_in_words
    };
    let is_line = analysis.length.is_some_and(|length| length > 0) && analysis.forced.is_some();
    let no_mistake = is_line.then(|| "none: no move along the shortest escape loses".into());
    let best_play = analysis.best_play.as_ref();
    let simulated = best_play.filter(|_| analysis.expected_turns.is_none());
    let mistake = analysis.last_mistake.as_ref().map(mistake);
    let difficulty = analysis.difficulty;
    let rows = [
        ("shortest lines", analysis.shortest_lines.map(counted)),
        ("first moves", first_moves(&analysis.first_moves, in_words)),
        ("forced", analysis.forced.as_deref().map(forced)),
        ("last mistake", mistake.or(no_mistake)),
        ("positions", positions(solution, analysis)),
        ("random player", analysis.random.map(random)),
        ("difficulty", difficulty.map(|bits| bits.to_string())),
        (
            "expected turns",
            analysis.expected_turns.map(expected_turns),
        ),
        ("best play", simulated.map(turns)),
        ("caught by", best_play.and_then(caught_by)),
        ("what matters", matters(&analysed.removals, legend)),
    ];
    let rows = rows
        .into_iter()
        .filter_map(|(name, text)| Some((name, text?)));
    let cuts = analysis.cut_short.iter().map(|(part, limit)| {
        let advice = match limit {
            Limit::States => "; raise `--max-states`",
            _ => "",
        };
        ("cut short", format!("{part}: {limit}{advice}"))
    });
    rows.chain(cuts)
        .map(|(name, text)| format!("\n  {name:<14}  {text}"))
        .collect()
}

const fn is_map(solution: &Solution) -> bool {
    matches!(solution.evidence, Evidence::Direction { .. })
}

fn counted(count: Count<impl Into<u128>>) -> String {
    match count {
        Count::Exactly(number) => grouped(number),
        Count::AtLeast(number) => format!("at least {}", grouped(number)),
    }
}

fn first_moves(
    moves: &[(String, PositionValue)],
    in_words: fn(PositionValue) -> String,
) -> Option<String> {
    let moves = moves.iter();
    let text: Vec<_> = moves
        .map(|(mv, value)| format!("{mv} {}", in_words(*value)))
        .collect();
    (!text.is_empty()).then(|| text.join(", "))
}

fn way_to_food(value: PositionValue) -> String {
    match value {
        PositionValue::Escape { moves: Some(steps) } => format!("(food in {steps})"),
        _ => "(no food)".into(),
    }
}

pub fn value_in_words(value: PositionValue) -> String {
    match value {
        PositionValue::Escape { moves: Some(moves) } => format!("(out in {moves})"),
        PositionValue::Escape { moves: None } => "(escapes)".into(),
        PositionValue::Caught { lives } => format!("({})", loses(lives)),
        PositionValue::Chance { lower, upper } => format!("({})", probability(lower, upper)),
        PositionValue::Unknown(Some(limit)) => format!("({limit})"),
        PositionValue::Unknown(None) | PositionValue::Food { .. } => "(unknown)".into(),
    }
}

fn loses(lives: Option<Lifetime>) -> String {
    match lives {
        Some(Lifetime::Forever) => "no way out, but the runner can survive forever".into(),
        lives => lives_in_words("loses", lives),
    }
}

pub fn lives_in_words(loses: &str, lives: Option<Lifetime>) -> String {
    match lives {
        Some(Lifetime::Moves(0 | 1)) => format!("{loses} at once"),
        Some(Lifetime::Moves(moves)) => format!("{loses} within {}", count(moves as u64, "move")),
        Some(Lifetime::Forever) => format!("{loses}, though the runner can survive forever"),
        None => loses.into(),
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
    let Mistake { turn, mv, .. } = mistake;
    let (instead_of, lives) = (&mistake.instead_of, loses(mistake.lives));
    format!("in turn {turn} `{mv}` instead of `{instead_of}` ({lives})")
}

fn positions(solution: &Solution, analysis: &Analysis) -> Option<String> {
    let reachable = analysis.reachable?;
    Some(match (reachable, analysis.dead_ends) {
        (Count::Exactly(0), _) => return None,
        (Count::Exactly(cells), _) if is_map(solution) => {
            format!("{} reachable", count(cells, "cell"))
        }
        (Count::Exactly(all), Some(dead)) => {
            let [all, dead] = [all, dead].map(grouped);
            format!("{all}, {dead} of them without a way out")
        }
        _ => counted(reachable),
    })
}

fn random(play: RandomPlay) -> String {
    match play {
        RandomPlay::Exact([_, upper]) if upper <= Evidence::PRECISION => {
            "escapes with a probability of less than 0.000001".into()
        }
        RandomPlay::Exact([lower, upper]) => {
            let probability = probability(lower, upper);
            format!("escapes with a probability of {probability}")
        }
        RandomPlay::Played(played) => {
            let (_, [low, high]) = wilson(played.escaped, played.games);
            format!(
                "escaped in {} of {} (95% confidence interval {low:.4} to {high:.4}; seed {}, at most {} each)",
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
    format!("{turns:.4}, averaged over all games that escape under best play")
}

fn interval(play: &BestPlay) -> [f64; 2] {
    let half = 1.96 * play.turns_error;
    [play.turns - half, play.turns + half]
}

fn turns(play: &BestPlay) -> String {
    let (games, seed, most) = (count(play.games, "game"), play.seed, play.most_turns);
    if play.escaped == 0 {
        return format!("none of {games} (simulated, seed {seed}) escaped within {most} turns");
    }
    let open = match play.open {
        0 => String::new(),
        open => format!(", {} unfinished after {most} turns", grouped(open)),
    };
    let (turns, [low, high]) = (play.turns, interval(play));
    format!(
        "{turns:.2} turns on average in an escape (simulated: 95% confidence interval {low:.2} to {high:.2}; {games}, seed {seed}{open})"
    )
}

fn caught_by(play: &BestPlay) -> Option<String> {
    let share = |(glyph, games): &(char, u64)| {
        let (share, [low, high]) = wilson(*games, play.games);
        let [share, low, high] = [share, low, high].map(|share| 100.0 * share);
        format!("`{glyph}` in {share:.1}% ({low:.1}% to {high:.1}%)")
    };
    let all: Vec<_> = play.caught_by.iter().map(share).collect();
    let (games, seed) = (count(play.games, "game"), play.seed);
    (!all.is_empty()).then(|| format!("{} of {games} (simulated, seed {seed})", all.join(", ")))
}

fn matters(removals: &[Removal], legend: &Legend) -> Option<String> {
    let is_chance = |removal: &Removal| matches!(removal.without, Without::Chance { .. });
    let has_chance = removals.iter().any(is_chance);
    let named = |removal: &Removal| {
        let without = match removal.without {
            Without::Verdict(_) if !has_chance => String::new(),
            Without::Verdict(verdict) => format!(" ({verdict})"),
            Without::Chance {
                certain: Some(true),
                ..
            } => " (certain)".into(),
            Without::Chance { bounds, .. } => format!(" ({})", probability(bounds[0], bounds[1])),
        };
        format!("`{}` {}{without}", removal.glyph, legend.at(removal.at))
    };
    let all: Vec<_> = removals.iter().map(named).collect();
    let listed = list_some(&all, 8);
    match all.len() {
        0 => None,
        _ if has_chance => Some(format!("probability without it: {listed}")),
        _ => {
            let listed = listed.replace(", ", " or ");
            Some(format!("without {listed} the verdict would change"))
        }
    }
}

pub fn fields(solution: &Solution, analysed: &Analysed) -> Map<String, Value> {
    let analysis = &analysed.analysis;
    let moves = &analysis.first_moves;
    let has_value =
        |(_, value): &(String, PositionValue)| !matches!(value, PositionValue::Unknown(_));
    let has_moves = moves.iter().any(has_value) || !analysed.is_cut(Section::Moves);
    let losing_moves = by_move(moves, |value| match value {
        PositionValue::Caught { lives } => Some(lives_json(lives)),
        _ => None,
    });
    let removals = || analysed.removals.iter().map(removal_json);
    let cut_short = analysis.cut_short.iter();
    let cut_short: Map<_, _> = cut_short
        .map(|(part, limit)| (part.word().to_owned(), limit.word().into()))
        .collect();
    let length = analysis.length.filter(|_| solution.line().is_none());
    let rounded = |difficulty: Difficulty| (difficulty.bits() * 1e3).round() / 1e3;
    let is_at_most = matches!(analysis.difficulty, Some(Difficulty::AtMost(_)));
    let best_play = analysis.best_play.as_ref();
    let fields = [
        ("length", json!(length)),
        split(
            analysis.shortest_lines.map(in_64_bits),
            ["shortest_lines", "shortest_lines_at_least"],
        ),
        (
            "first_moves",
            json!(has_moves.then(|| first_moves_json(solution, moves))),
        ),
        (
            "losing_moves",
            json!(Some(losing_moves).filter(|moves| !moves.is_empty())),
        ),
        ("forced", json!(analysis.forced)),
        (
            "last_mistake",
            json!(analysis.last_mistake.as_ref().map(mistake_json)),
        ),
        split(analysis.reachable, ["reachable", "reachable_at_least"]),
        ("dead_ends", json!(analysis.dead_ends)),
        ("random", json!(analysis.random.map(random_json))),
        (
            ["difficulty", "difficulty_at_most"][usize::from(is_at_most)],
            json!(analysis.difficulty.map(rounded)),
        ),
        ("expected_turns", json!(analysis.expected_turns)),
        ("best_play", json!(best_play.map(best_play_json))),
        (
            ["matters", "matters_at_least"][usize::from(analysed.is_cut(Section::Removals))],
            json!((!is_map(solution)).then(|| removals().collect::<Value>())),
        ),
        (
            "cut_short",
            json!(Some(cut_short).filter(|cuts| !cuts.is_empty())),
        ),
    ];
    let known = fields.into_iter().filter(|(_, value)| !value.is_null());
    known
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn in_64_bits(count: Count<u128>) -> Count<u64> {
    match count {
        Count::Exactly(lines) => {
            u64::try_from(lines).map_or(Count::AtLeast(u64::MAX), Count::Exactly)
        }
        Count::AtLeast(lines) => Count::AtLeast(u64::try_from(lines).unwrap_or(u64::MAX)),
    }
}

fn split(
    count: Option<Count<u64>>,
    [exactly, at_least]: [&'static str; 2],
) -> (&'static str, Value) {
    match count {
        Some(Count::Exactly(number)) => (exactly, number.into()),
        Some(Count::AtLeast(number)) => (at_least, number.into()),
        None => (exactly, Value::Null),
    }
}

fn by_move(
    moves: &[(String, PositionValue)],
    read: fn(PositionValue) -> Option<Value>,
) -> Map<String, Value> {
    let values = moves.iter();
    values
        .filter_map(|(mv, value)| Some((mv.clone(), read(*value)?)))
        .collect()
}

fn first_moves_json(solution: &Solution, moves: &[(String, PositionValue)]) -> Value {
    if matches!(solution.evidence, Evidence::Chance { .. }) {
        let bounds = by_move(moves, |value| match value {
            PositionValue::Chance { lower, upper } => Some(json!([lower, upper])),
            _ => None,
        });
        return bounds.into();
    }
    let escapes =
        |(_, value): &&(String, PositionValue)| matches!(value, PositionValue::Escape { .. });
    let escapes = moves.iter().filter(escapes);
    escapes.map(|(mv, _)| mv.clone()).collect()
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
    let mut json = json!({
        "glyph": removal.glyph,
        "at": removal.at,
        "line": removal.line,
        "column": removal.column,
    });
    if let Without::Chance { bounds, certain } = removal.without {
        json["bounds"] = json!(bounds);
        if let Some(certain) = certain {
            json["certain"] = certain.into();
        }
    }
    json
}

fn best_play_json(play: &BestPlay) -> Value {
    let has_ended = play.escaped > 0;
    let caught_by = play.caught_by.iter();
    let caught_by: Map<_, _> = caught_by
        .map(|(glyph, games)| (glyph.to_string(), (*games).into()))
        .collect();
    json!({
        "simulated": true,
        "turns": has_ended.then_some(play.turns),
        "interval": has_ended.then(|| interval(play)),
        "escaped": play.escaped,
        "caught_by": caught_by,
        "open": play.open,
        "games": play.games,
        "seed": play.seed,
    })
}
