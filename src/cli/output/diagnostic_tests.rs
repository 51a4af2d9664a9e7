use crate::Board;
use annotate_snippets::Renderer;

use super::Diagnostics;

fn drawn(width: usize) -> String {
    let diagnostics = Diagnostics {
        renderer: Renderer::plain(),
        width: Some(width),
    };
    let error = "; ruleset: jimmy\n###\n#o.\n#gz\n"
        .parse::<Board>()
        .unwrap_err();
    diagnostics.board("a.txt", &error)
}

#[test]
fn a_suggestion_that_does_not_fit_beside_its_mark_is_wrapped_below() {
    let start = "error: unknown glyph `z`\n --> a.txt:4:3\n  |\n4 | #gz\n  |   ^";
    let beside = " use one of `o` Jimmy, `g` ghost, `#` solid, `.` empty\n\n";
    assert_eq!(drawn(80), format!("{start}{beside}"));
    let below =
        "\n  |\n  = help: use one of `o` Jimmy, `g` ghost, `#`\n          solid, `.` empty\n\n";
    assert_eq!(drawn(50), format!("{start}{below}"));
}
