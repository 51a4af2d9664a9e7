use super::*;

fn drawn(rows: &[&str]) -> Path {
    let is_in = |col: usize, row: usize| rows[row].as_bytes()[col] == b'#';
    outline((rows[0].len(), rows.len()), 0.5, is_in)
}

/// Returns the corners that are rounded.
fn rounded(rows: &[&str]) -> Vec<(f32, f32)> {
    let corner = |segment: &Segment| match *segment {
        Segment::Quad(corner, _) => Some(corner),
        _ => None,
    };
    let mut corners: Vec<_> = drawn(rows).0.iter().filter_map(corner).collect();
    corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
    corners
}

#[test]
fn joined_cells_are_rounded_only_at_the_corners_of_their_outline() {
    let corners = [
        (0.0, 0.0),
        (0.0, 2.0),
        (1.0, 1.0),
        (1.0, 2.0),
        (2.0, 0.0),
        (2.0, 1.0),
    ];
    assert_eq!(rounded(&["##", "#."]), corners);
}

#[test]
fn rows_that_are_alike_are_one_rectangle() {
    let is_start = |segment: &&Segment| matches!(segment, Segment::Move(_));
    let count = |rows: &[&str]| drawn(rows).0.iter().filter(is_start).count();
    assert_eq!(count(&["##", "##", "##"]), 1);
    assert_eq!(count(&["#.#", "#.#"]), 2);
}

#[test]
fn a_hole_is_rounded_on_the_inside() {
    let corners = rounded(&["###", "#.#", "###"]);
    assert_eq!(corners.len(), 8);
    assert!(corners.contains(&(1.0, 1.0)));
}

#[test]
fn cells_that_touch_at_a_corner_are_not_joined() {
    let corners = rounded(&["#.", ".#"]);
    assert_eq!(corners.len(), 8);
    assert_eq!(
        corners
            .iter()
            .filter(|corner| **corner == (1.0, 1.0))
            .count(),
        2
    );
    assert!(rounded(&["..", ".."]).is_empty());
}
