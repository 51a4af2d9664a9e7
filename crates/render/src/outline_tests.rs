use super::*;

fn corners(rows: &[&str]) -> Vec<Vec<Point>> {
    let is_in = |col: usize, row: usize| rows[row].as_bytes()[col] == b'#';
    let path = outline(rows[0].len(), rows.len(), 0.0, is_in);
    let mut parts = Vec::new();
    for segment in path.0 {
        match segment {
            Segment::Move(_) => parts.push(Vec::new()),
            Segment::Quad(corner, _) => parts.last_mut().unwrap().push(corner),
            _ => {}
        }
    }
    parts
}

#[test]
fn joined_cells_have_one_outline() {
    assert_eq!(
        corners(&["##", "#."]),
        [[
            (0.0, 0.0),
            (2.0, 0.0),
            (2.0, 1.0),
            (1.0, 1.0),
            (1.0, 2.0),
            (0.0, 2.0)
        ]]
    );
}

#[test]
fn a_hole_has_an_outline_of_its_own_the_other_way_round() {
    let parts = corners(&["###", "#.#", "###"]);
    assert_eq!(parts.len(), 2);
    assert_eq!(parts[1].len(), 4);
    assert_eq!(parts[1][..2], [(1.0, 1.0), (1.0, 2.0)]);
}

#[test]
fn cells_that_touch_at_a_corner_are_not_joined() {
    let parts = corners(&["#.", ".#"]);
    assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4]);
    assert!(corners(&["..", ".."]).is_empty());
}
