use super::*;

fn sketch(rows: &[&str]) -> Sketch {
    Sketch::of_rows(rows).unwrap()
}

#[test]
fn mirrors_turn_pictures() {
    let picture = sketch(&["abc", "def"]);
    let images = Symmetry::ALL.map(|symmetry| picture.mirrored(symmetry).rows().concat());
    assert_eq!(images, ["cbafed", "defabc", "fedcba"]);
    for symmetry in Symmetry::ALL {
        let image = picture.mirrored(symmetry);
        assert_eq!(
            image.canonical(&Symmetry::ALL),
            picture.canonical(&Symmetry::ALL)
        );
        assert_ne!(image.canonical(&[]), picture.canonical(&[]));
    }
}

#[test]
fn a_picture_is_cropped_to_what_is_on_it() {
    let picture = sketch(&["XXXX", "Xa.X", "XXbX", "XXXX"]);
    assert_eq!(picture.cropped(b'X').rows(), ["a.", "Xb"]);
    assert_eq!(sketch(&["XX"]).cropped(b'X').rows(), ["XX"]);
}

#[test]
fn a_sketch_is_a_board_like_one_in_a_file() {
    let entry =
        getaway_solvers::rulesets::find(getaway_solvers::rulesets::RULESETS, "jimmy").unwrap();
    let board = sketch(&["###", "#o.", "###"]).with("revisit", "true");
    let mut text = Vec::new();
    let headers = [("name".to_owned(), "right".to_owned())];
    board
        .puzzle("jimmy", &headers)
        .write_text(&mut text)
        .unwrap();
    assert_eq!(
        String::from_utf8(text).unwrap(),
        "; ruleset: jimmy\n; name: right\n; revisit: true\n###\n#o.\n###\n\n"
    );
    let solution = board
        .game(entry, &Limits::default())
        .unwrap()
        .solve(getaway_search::search::Order::Shortest, &Limits::default());
    assert_eq!(solution.line(), Some("R"));
    assert!(sketch(&["###"]).game(entry, &Limits::default()).is_err());
    assert_eq!(Sketch::of_rows(&["ab", "a"]), None);
}
