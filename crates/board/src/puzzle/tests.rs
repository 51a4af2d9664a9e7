use super::*;

#[test]
fn keys_of_one_word_become_lower_case() {
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
