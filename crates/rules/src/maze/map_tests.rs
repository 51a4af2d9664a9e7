use super::*;

#[test]
fn an_even_number_is_a_head_and_the_odd_one_below_follows_it() {
    let kind = |number| Tile::new(number).unwrap().kind();
    assert_eq!(kind(-1), TileKind::Food);
    assert_eq!(kind(0), TileKind::Blank);
    assert_eq!(kind(1), TileKind::Body(Id(1)));
    assert_eq!(kind(2), TileKind::Head(Id(1)));
    assert_eq!(kind(7), TileKind::Body(Id(4)));
    assert_eq!(kind(8), TileKind::Head(Id(4)));
    assert_eq!(kind(i64::MAX), TileKind::Body(Id(1 << 62)));
    assert_eq!(Tile::new(-2), None);
    assert_eq!(Tile(8).trail(), Tile(7));
}

#[test]
fn an_id_whose_head_is_too_large_a_number_has_no_head() {
    assert_eq!(Tile::head(Id(1 << 62)), None);
    assert_eq!(Tile::head(Id((1 << 62) - 1)), Some(Tile(i64::MAX - 1)));
}
