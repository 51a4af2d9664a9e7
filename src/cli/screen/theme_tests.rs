use super::*;

#[test]
fn the_first_variable_that_says_anything_tells_the_charset() {
    let of = |all: &'static [(&str, &str)]| {
        Charset::of_environment(|name| {
            let found = all.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    };
    assert_eq!(of(&[]), Charset::Ascii);
    assert_eq!(of(&[("LANG", "en_GB.UTF-8")]), Charset::Unicode);
    assert_eq!(
        of(&[("LC_CTYPE", "C.utf8"), ("LANG", "C")]),
        Charset::Unicode
    );
    let posix = of(&[("LC_ALL", "POSIX"), ("LANG", "en_GB.UTF-8")]);
    assert_eq!(posix, Charset::Ascii);
    let empty = of(&[("LC_ALL", ""), ("LANG", "en_GB.UTF-8")]);
    assert_eq!(empty, Charset::Unicode);
}
