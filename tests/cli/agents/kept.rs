//! Saved games with chasers led by programs.

use super::PATIENT;
use crate::run::Run;
use crate::simulate::{LUCK, halves, kept_seed};

const VARIED: &str = r#"
while read -r line; do
    case $line in
        *'"type":"hello"'*) echo '{"type":"hello","protocol":1}' ;;
        *'"type":"move"'*)
            legal=${line#*'"legal":['}
            turn=${line#*'"turn":'}
            IFS=,
            set -- ${legal%%]*}
            shift $((${turn%%,*} * 7 % $#))
            echo "{\"move\":$1}" ;;
    esac
done
"#;

/// A board on which programs lead the two monsters, but not the bat.
const MONSTERS: &str = "H.#..m\n.~.M.*\n....#.\n......\n";

#[test]
fn saved_games_of_led_chasers_replay_as_played() {
    for (board, players) in [
        (
            LUCK,
            &["--policy", "random", "--zombie", "sh varied.sh"][..],
        ),
        (LUCK, &["--policy", "solver", "--ghost", "sh varied.sh"]),
        (
            LUCK,
            &[
                "--runner",
                "sh varied.sh",
                "--ghost",
                "sh varied.sh",
                "--zombie",
                "sh varied.sh",
            ],
        ),
        (
            MONSTERS,
            &["--policy", "greedy", "--monster", "sh varied.sh"],
        ),
        (
            MONSTERS,
            &["--runner", "sh varied.sh", "--monster", "sh varied.sh"],
        ),
    ] {
        let players = [players, &PATIENT, &["--turns", "40"]].concat();
        let args = [
            "simulate", "a.txt", "--seed", "2", "--runs", "20", "--keep", "kept",
        ];
        let mut run = Run::new(&[&args[..], &players].concat())
            .file("a.txt", board)
            .file("varied.sh", VARIED);
        let output = run.output();
        assert_eq!((output.stderr.as_str(), output.status), ("", Some(0)));
        for name in ["kept/first.txt", "kept/best.txt", "kept/worst.txt"] {
            let text = std::fs::read_to_string(run.path().join(name)).unwrap();
            assert!(text.contains("\n; chasers: "), "{text}");
            let seed = kept_seed(&run, name);
            let again = [&["simulate", "a.txt", "--seed", &seed][..], &players].concat();
            let played = halves(&mut run, &again);
            assert!(!played.is_empty());
            let told = halves(&mut run, &["trace", name]);
            assert_eq!(told, played, "{players:?}: {text}");
            let rendered = run.args(&["render", name, "-o", "game.svg"]).output();
            assert_eq!((rendered.stderr.as_str(), rendered.status), ("", Some(0)));
        }
    }
}

#[test]
fn complete_turns_of_a_forfeited_game_are_saved() {
    let twice = VARIED.replace(
        "legal=${line#",
        "n=$((n + 1)); test $n -gt 2 && exit; legal=${line#",
    );
    let args = [
        "simulate", "a.txt", "--seed", "2", "--runs", "1", "--keep", "kept",
    ];
    let players = [
        "--policy",
        "stay",
        "--monster",
        "sh twice.sh",
        "--turns",
        "9",
    ];
    let mut run = Run::new(&[&args[..], &players, &PATIENT].concat())
        .file("a.txt", "H...m..*\n")
        .file("twice.sh", twice);
    assert_eq!(run.output().status, Some(0));
    let text = std::fs::read_to_string(run.path().join("kept/first.txt")).unwrap();
    assert!(text.contains("; moves: s s\n; chasers: "), "{text}");
    assert!(text.contains("the monster ended too soon"), "{text}");
    let told = halves(&mut run, &["trace", "kept/first.txt"]);
    assert_eq!(told.len(), 4);
}
