use super::*;

#[test]
fn numbers_stand_to_the_right_and_long_titles_on_two_lines() {
    let columns = [("board", Side::Left), ("dead\nends", Side::Right)];
    let mut table = Table::new(&columns.map(|(title, side)| (title.to_owned(), side)));
    table.row(vec!["a.txt".into(), "12".into()]);
    table.row(vec!["bridge.txt".into(), String::new()]);
    assert_eq!(
        table.text(),
        "            dead\nboard       ends\na.txt         12\nbridge.txt\n"
    );
}
