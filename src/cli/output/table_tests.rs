use super::*;

#[test]
fn numbers_stand_to_the_right_and_long_titles_on_two_lines() {
    let columns = [("board", Alignment::Left), ("dead\nends", Alignment::Right)];
    let rows = [["a.txt", "12"], ["bridge.txt", ""]];
    assert_eq!(
        table(&columns, rows.map(|row| row.map(Into::into).to_vec())),
        "            dead\nboard       ends\na.txt         12\nbridge.txt\n"
    );
}
