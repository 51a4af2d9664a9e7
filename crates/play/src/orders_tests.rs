use super::*;

#[test]
fn groups_keep_their_text_and_their_places() {
    let orders = Orders::read("  U. -L\t.\n");
    assert_eq!(orders.text(9), "U. -L .");
    assert_eq!(orders.text(2), "U. -L");
    let places: Vec<_> = orders.0.iter().map(|group| group.at).collect();
    assert_eq!(places, [2, 5, 8]);
    let error = orders.must_end(1).unwrap_err();
    assert_eq!((error.turn, error.at, &*error.text), (2, 5, "-L"));
    assert_eq!(orders.must_end(3), Ok(()));
    assert_eq!(Orders::read(" ").text(9), "");
}
