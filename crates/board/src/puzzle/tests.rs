use super::*;

#[test]
fn capital_letters_of_words_mean_nothing() {
    for (key, normal) in [
        ("name", "name"),
        ("Minotaur-Steps", "minotaur-steps"),
        ("NAÏF", "naïf"),
        ("naïf", "naïf"),
        ("A b", "A b"),
        ("Ä b", "Ä b"),
        ("", ""),
    ] {
        assert_eq!(normal_key(key.into()), normal);
    }
}
