//! The analysis of a board as text.

use getaway_board::limits::{Bounds, Decision, Limit};
use getaway_play::analysis::{Analysis, BestPlay, Count, Mistake, RandomPlay, Removal, Without};
use getaway_play::evaluation::{Lifetime, PositionValue};
use getaway_play::solution::{Evidence, Solution};
use getaway_ruleset::Legend;
use getaway_ruleset::distribution::wilson;

use getaway_board::words::{count, grouped, list_some, probability};

/// Describes the design metrics in lines of text.
pub fn text(solution: &Solution, analysis: &Analysis, legend: &Legend) -> String {
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
        (
            "what matters",
            matters(analysis.matters.as_deref().unwrap_or_default(), legend),
        ),
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

/// Describes the value of a position in a few words, in parentheses.
pub fn value_in_words(value: PositionValue) -> String {
    match value {
        PositionValue::Escape { moves: Some(moves) } => format!("(out in {moves})"),
        PositionValue::Escape { moves: None } => "(escapes)".into(),
        PositionValue::Caught { lives } => format!("({})", loses(lives)),
        PositionValue::Chance(bounds) => format!("({})", probability(bounds)),
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

/// Describes how long the runner lives after a losing move; `loses` is the verb.
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
        RandomPlay::Exact(bounds) if bounds.upper <= Bounds::PRECISION => {
            "escapes with a probability of less than 0.000001".into()
        }
        RandomPlay::Exact(bounds) => {
            format!("escapes with a probability of {}", probability(bounds))
        }
        RandomPlay::Played { games, turns } => {
            let Bounds { lower, upper } = games.interval();
            format!(
                "escaped in {} of {} (95% confidence interval {lower:.4} to {upper:.4}; seed {}, at most {} each)",
                grouped(games.escaped),
                count(games.games, "game"),
                games.seed,
                count(turns as u64, "turn")
            )
        }
    }
}

fn expected_turns(turns: Bounds) -> String {
    format!(
        "{:.4}, averaged over all games that escape under best play",
        turns.middle()
    )
}

fn turns(play: &BestPlay) -> String {
    let (games, seed, max) = (count(play.games, "game"), play.seed, play.max_turns);
    if play.escaped == 0 {
        return format!("none of {games} (simulated, seed {seed}) escaped within {max} turns");
    }
    let open = match play.open {
        0 => String::new(),
        open => format!(", {} unfinished after {max} turns", grouped(open)),
    };
    let (turns, Bounds { lower, upper }) = (play.turns, play.interval());
    format!(
        "{turns:.2} turns on average in an escape (simulated: 95% confidence interval {lower:.2} to {upper:.2}; {games}, seed {seed}{open})"
    )
}

fn caught_by(play: &BestPlay) -> Option<String> {
    let share = |(glyph, games): (&char, &u64)| {
        let (share, Bounds { lower, upper }) = wilson(*games, play.games);
        let [share, low, high] = [share, lower, upper].map(|share| 100.0 * share);
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
                certain: Decision::Yes,
                ..
            } => " (certain)".into(),
            Without::Chance { bounds, .. } => format!(" ({})", probability(bounds)),
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
