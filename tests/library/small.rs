//! The shortcut for small boards gives the same answers as reading line by line.

use getaway::Limits;
use getaway::engine::search::Order;
use proptest::prelude::*;

use crate::library::at_once::{line_by_line, mixed, with_returns};

fn drawing() -> impl Strategy<Value = String> {
    let shape = (1usize..8, 1usize..18);
    let shape = shape.prop_flat_map(|(rows, cols)| {
        let row = prop::collection::vec("[.]{3}|[.]{3}|[#.g]{3}", cols.div_ceil(3));
        let rows = prop::collection::vec(
            row.prop_map(move |row| row.concat()[..cols].to_owned()),
            rows,
        );
        (
            rows,
            any::<prop::sample::Index>(),
            "\n\n|\n\n|\n\n\n|\r\n\r\n|\n; note\n",
        )
    });
    shape.prop_map(|(rows, jimmy, end)| {
        let mut text = rows.join("\n");
        let cells: Vec<_> = text.match_indices(['.', '#', 'g']).collect();
        let place = cells[jimmy.index(cells.len())].0;
        text.replace_range(place..=place, "o");
        text + &end
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::sized(100, 3_000)))]
    #[test]
    fn the_shortcut_gives_the_answers_of_reading_line_by_line(
        drawings in prop::collection::vec(drawing(), 1..6),
        damages in prop::collection::vec(
            (any::<prop::sample::Index>(), "|\n|\r|[-o#.gRHTE ;|+\u{e9}\0]{1,2}"),
            0..4,
        ),
        is_shortest in any::<bool>(),
        ends_with_return in any::<bool>(),
    ) {
        let mut text = drawings.concat();
        if ends_with_return {
            text = with_returns(&text);
        }
        let mut text: Vec<char> = text.chars().collect();
        for (at, damage) in damages {
            let at = at.index(text.len());
            text.splice(at..=at, damage.chars());
            if text.is_empty() {
                text.push('o');
            }
        }
        let text: String = text.into_iter().collect();
        let order = if is_shortest { Order::BreadthFirst } else { Order::DepthFirst };
        let limits = Limits::default();
        prop_assert_eq!(
            mixed(&text, order, &limits).0,
            line_by_line(&text, order, &limits),
            "{}",
            text
        );
    }
}

#[test]
fn ordinary_boards_are_decided_at_once() {
    let text = "\n#.#\n#o#\n###\n\n\n###\n#o#\n###\n\n..o\n";
    for text in [text.to_owned(), with_returns(text)] {
        let (answers, at_once) = mixed(&text, Order::DepthFirst, &Limits::default());
        let verdicts: Vec<_> = answers
            .iter()
            .flatten()
            .map(|(line, _, solution)| format!("{line} {}", solution.verdict()))
            .collect();
        assert_eq!(verdicts, ["2 escape", "7 caught", "11 escape"]);
        assert_eq!(at_once, 3);
    }
}
