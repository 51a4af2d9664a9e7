use pulldown_cmark::{Event, Options, Parser};

use super::*;

#[test]
fn hostile_text_is_shown_as_it_is() {
    for text in [
        "a|b",
        "`c`",
        "**d**",
        "[e](http://f)",
        "<script>g</script>",
        "&amp;",
        "\\",
        "\\|",
        "1. h",
        "~~i~~",
        "| --- |",
        "<!-- j",
        "#1 @k :l:",
    ] {
        let table = format!("| x | y |\n| --- | --- |\n| {} | last |\n", escaped(text));
        // Viewers of reports leave dashes and quotation marks as they are.
        let options = Options::all().difference(Options::ENABLE_SMART_PUNCTUATION);
        let cells: Vec<String> = Parser::new_ext(&table, options)
            .collect::<Vec<_>>()
            .split(|event| matches!(event, Event::End(pulldown_cmark::TagEnd::TableCell)))
            .map(|events| {
                let text = |event: &Event| match event {
                    Event::Text(text) => text.to_string(),
                    Event::Start(_) | Event::End(_) => String::new(),
                    other => format!("{other:?}"),
                };
                events.iter().map(text).collect()
            })
            .collect();
        assert_eq!(cells[2..4], [text, "last"], "{table}");
    }
}
