//! The help and the options.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::run::{FIRST_LEGAL, Run};
use crate::shell::{commands, printed};
use crate::sized;
use crate::terminal::Terminal;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/options.txt");

struct Listed {
    heading: String,
    flag: String,
    value: String,
    /// The first sentence of the flag's help.
    text: String,
}

fn options(command: &str) -> Vec<Listed> {
    let help = printed(&[command, "--help"]);
    let (mut heading, mut all) = (String::new(), Vec::new());
    let mut lines = help.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(new) = line.strip_suffix(':').filter(|new| !new.starts_with(' ')) {
            new.clone_into(&mut heading);
        }
        let Some((_, long)) = line
            .split_once("--")
            .filter(|(head, _)| head.starts_with("  ") && head.len() == 6)
        else {
            continue;
        };
        let (flag, value) = long.split_once(' ').unwrap_or((long, ""));
        let mut text = String::new();
        while let Some(more) = lines.next_if(|next| next.starts_with("          ")) {
            text = format!("{text} {more}");
        }
        let text = text.split("[default").next().unwrap();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        all.push(Listed {
            heading: heading.clone(),
            flag: format!("--{flag}"),
            value: value.to_owned(),
            text,
        });
    }
    all
}

#[test]
fn commands_are_listed_in_groups() {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (help, mut order) = (printed(&["--help"]), Vec::new());
    for line in help.lines().take_while(|line| *line != "Options:") {
        match (line.strip_suffix(':'), line.strip_prefix("  ")) {
            (Some(group), None) => order.push(group),
            (_, Some(row)) => {
                let name = row.split_whitespace().next().unwrap().to_owned();
                let group = (*order.last().unwrap()).to_owned();
                groups.entry(group).or_default().push(name);
            }
            _ => {}
        }
    }
    assert_eq!(
        order,
        ["Play", "Solve", "Design", "Programs", "Evidence", "Shell"]
    );
    let script = printed(&["completions", "bash"]);
    for name in groups.values().flatten() {
        assert!(
            script.contains(&format!("getaway__subcmd__{name})")),
            "{name}"
        );
    }
    let listed: BTreeSet<_> = groups.values().flatten().collect();
    assert_eq!(listed.len(), groups.values().flatten().count());
    assert_eq!(
        listed.len(),
        script.matches("            getaway,").count() - 1
    );
}

#[test]
fn short_help_fits_one_screen() {
    let pages = commands().into_iter().map(|name| vec![name, "-h".into()]);
    for args in pages.chain([vec!["-h".into()]]) {
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        let page = printed(&args);
        // The page fits a terminal of 24 rows, of which the prompt takes the last.
        assert!(page.lines().count() < 24, "{page}");
        let widest = page.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{page}");
    }
}

#[test]
fn own_options_come_first_and_limits_last() {
    let limits = ["--max-states", "--max-memory", "--timeout", "--precision"];
    for command in commands() {
        let all = options(&command);
        let mut headings: Vec<_> = all.iter().map(|option| &*option.heading).collect();
        headings.dedup();
        assert_eq!(headings[0], "Options", "{command}");
        let distinct: BTreeSet<_> = headings.iter().collect();
        assert_eq!(distinct.len(), headings.len(), "{command}: {headings:?}");
        for option in &all {
            let is_limit = limits.contains(&&*option.flag);
            assert_eq!(
                option.heading == "Limits",
                is_limit,
                "{command} {}",
                option.flag
            );
            let is_of_players = option.heading.starts_with("Players");
            let is_criterion = option.heading == "Criteria";
            assert!(
                !is_of_players || PLAYERS.contains(&&*option.flag),
                "{}",
                option.flag
            );
            assert!(!is_criterion || command == "generate", "{command}");
        }
        let has_limits = all.iter().any(|option| option.heading == "Limits");
        assert_eq!(headings.last() == Some(&"Limits"), has_limits, "{command}");
    }
}

const PLAYERS: [&str; 7] = [
    "--runner",
    "--ghost",
    "--zombie",
    "--monster",
    "--policy",
    "--move-timeout",
    "--start-timeout",
];

/// These flags take a number in `census` and a range in `generate`.
const RANGES: [&str; 4] = ["--ghosts", "--monsters", "--super-monsters", "--bats"];

/// The file [`GOLDEN`] lists every flag with its texts and commands. `BLESS=1` rewrites it.
#[test]
fn a_flag_has_one_meaning_and_its_own_text() {
    let mut flags: BTreeMap<String, BTreeMap<(String, String), Vec<String>>> = BTreeMap::new();
    for command in commands() {
        let mut texts = BTreeSet::new();
        for Listed {
            flag, value, text, ..
        } in options(&command)
        {
            assert!(!text.is_empty(), "{command} {flag}");
            assert!(texts.insert(text.clone()), "{command} {flag}: {text}");
            let uses = flags.entry(flag).or_default();
            uses.entry((value, text)).or_default().push(command.clone());
        }
    }
    let mut table = String::new();
    for (flag, uses) in &flags {
        let values: BTreeSet<_> = uses.keys().map(|(value, _)| value).collect();
        let is_range = RANGES.contains(&&**flag);
        assert_eq!(
            values.len(),
            1 + usize::from(is_range),
            "{flag}: {values:?}"
        );
        for ((value, text), commands) in uses {
            let all = if commands.len() == 19 {
                "all".to_owned()
            } else {
                commands.join(", ")
            };
            table += &format!("{flag} {value}: {text} ({all})\n").replace(" : ", ": ");
        }
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(GOLDEN, &table).unwrap();
    }
    assert_eq!(fs::read_to_string(GOLDEN).unwrap(), table);
}

#[test]
fn old_spellings_still_work() {
    let board = "....\n#o.g\n####\n";
    for (old, new) in [
        (
            &["trace", "--width", "56", "a.txt"][..],
            &["trace", "--line-width", "56", "a.txt"][..],
        ),
        (
            &["trace", "--columns", "2", "a.txt"],
            &["trace", "--per-row", "2", "a.txt"],
        ),
        (
            &["solve", "--no-timing", "--width", "0.5", "a.txt"],
            &["solve", "--no-timing", "--precision", "0.5", "a.txt"],
        ),
        (
            &[
                "render", "--delay", "200", "-o", "-", "--format", "svg", "a.txt",
            ],
            &[
                "render",
                "--duration",
                "200",
                "-o",
                "-",
                "--format",
                "svg",
                "a.txt",
            ],
        ),
        (&["mutate", "--keep", "a.txt"], &["mutate", "a.txt"]),
        (
            &["play", "--watch", "a.txt"],
            &["play", "--spectate", "a.txt"],
        ),
    ] {
        let [old, new] = [old, new].map(|args| Run::new(args).file("a.txt", board).output());
        assert_eq!(old, new);
    }
    for (old, text) in [
        ("trace", "--width"),
        ("trace", "--columns"),
        ("solve", "--width"),
        ("render", "--delay"),
        ("play", "--watch"),
    ] {
        assert!(
            !printed(&[old, "--help"]).contains(&format!("{text} ")),
            "{old}"
        );
    }
}

const OPEN: &str = "; ruleset: jimmy\n##########\n......g...\n#.o.......\n#.....g...\n##########\n";
const CAUGHT: &str = "; ruleset: jimmy\n####\n#o.#\n####\n";
const WARNED: &str = "; nme: x\n#.##\n#o.#\n#..#\n####\n";
const DUNGEON: &str = "; ruleset: dungeon\n; expect: escape\n----------\n|P.D..|.E|\n|.|...D..|\n|...Z.|G.|\n----------\n";
const MONSTERS: &str = "; ruleset: baddies\nH.#..m\n.~.M.*\n....#.\n......\n";
const MAZE: &str = "; ruleset: maze\n; runner: 1\n3,3\n0\n";

/// Command lines with options, each of which changes the output, the status or the files.
const TRIED: &[(&str, &[&str])] = &[
    (
        "solve --no-timing several.txt",
        &["--json", "--quiet", "--verbose", "--explain"],
    ),
    ("solve --no-timing open.txt", &["--certificate new"]),
    ("solve --no-timing --verbose open.txt", &["--shortest"]),
    ("solve faults.txt", &["--max-errors 1"]),
    (
        "analyse --no-timing open.txt",
        &["--json", "--quiet", "--verbose"],
    ),
    ("analyse faults.txt", &["--max-errors 1"]),
    ("check --no-timing several.txt", &["--verbose"]),
    (
        "check --no-timing wrong.txt",
        &["--json", "--quiet", "--output new", "--resume new"],
    ),
    (
        "check --no-timing wrong.txt",
        &[
            "--report csv=new",
            "--partition 2/3",
            "--fail-fast",
            "--max-fail 1",
        ],
    ),
    ("check --no-timing wrong.txt", &["--only error"]),
    ("check --no-timing --max-memory 1kB open.txt", &["--verify"]),
    ("check --no-timing --json open.txt", &["--shortest"]),
    ("check faults.txt", &["--max-errors 1"]),
    ("check --no-timing several.txt", &["--agent cat"]),
    (
        "check --no-timing --agent 'sh -c cat' several.txt",
        &["--move-timeout 0", "--start-timeout 0"],
    ),
    (
        "rate --no-timing several.txt",
        &["--json", "--quiet", "--sort states", "--reverse", "--csv"],
    ),
    ("rate faults.txt", &["--max-errors 1"]),
    ("bench faults.txt", &["--max-errors 1"]),
    ("compare faults.txt", &["--max-errors 1"]),
    ("convert faults.txt -", &["--max-errors 1"]),
    (
        "trace open.txt",
        &[
            "--moves U",
            "--turns 1",
            "--json",
            "--format svg",
            "--compact",
        ],
    ),
    ("trace open.txt", &["--per-row 2", "--line-width 60"]),
    ("trace maze.txt", &["--search"]),
    ("trace --moves '. . . .' dungeon.txt", &["--seed 3"]),
    (
        "simulate --seed 1 open.txt",
        &["--json", "--compact", "--per-row 2", "--line-width 60"],
    ),
    ("simulate --seed 1 open.txt", &["--moves U"]),
    (
        "simulate --seed 1 dungeon.txt",
        &["--runner stay", "--policy random"],
    ),
    (
        "simulate --seed 1 --policy stay dungeon.txt",
        &["--seed 3", "--turns 1", "--runs 5", "--ghost cooldown"],
    ),
    (
        "simulate --seed 1 --policy stay dungeon.txt",
        &["--zombie 'sh first.sh'"],
    ),
    (
        "simulate --seed 1 --policy stay monsters.txt",
        &["--monster 'sh first.sh'"],
    ),
    (
        "simulate --seed 1 --runner 'sh first.sh' open.txt",
        &["--move-timeout 0", "--start-timeout 0"],
    ),
    (
        "compare --seed 1 --runs 9 dungeon.txt",
        &["--runs 8", "--seed 2", "--turns 1", "--json", "--csv"],
    ),
    (
        "compare --seed 1 --runs 9 dungeon.txt",
        &[
            "--runner stay",
            "--ghost cooldown",
            "--report gradescope=new",
        ],
    ),
    (
        "compare --seed 1 --runs 9 dungeon.txt",
        &["--zombie 'sh first.sh'"],
    ),
    (
        "compare --seed 1 --runs 9 monsters.txt",
        &["--monster 'sh first.sh'"],
    ),
    (
        "compare --seed 1 --runs 1 --runner 'sh first.sh' open.txt",
        &["--move-timeout 0", "--start-timeout 0"],
    ),
    (
        "render open.txt -o new.svg",
        &[
            "--moves U",
            "--turns 1",
            "--still",
            "--turn 1",
            "--cell 9",
            "--bare",
            "--sheet",
        ],
    ),
    (
        "render open.txt -o new.svg",
        &[
            "--duration 50",
            "--theme dark",
            "--format gif",
            "--policy greedy",
        ],
    ),
    ("render open.txt --format svg", &["--output new"]),
    ("render maze.txt -o new.html", &["--search"]),
    (
        "render dungeon.txt --moves '. . . .' -o new.svg",
        &["--seed 3"],
    ),
    (
        "generate jimmy --seed 1 --rows 4 --cols 4",
        &[
            "--rows 5",
            "--cols 5",
            "--count 2",
            "--seed 2",
            "--output new",
        ],
    ),
    (
        "generate jimmy --seed 1 --rows 4 --cols 4",
        &["--json", "--verdict caught", "--unique", "--minimal"],
    ),
    (
        "generate jimmy --seed 1 --rows 4 --cols 4",
        &["--max-first-moves 1", "--timeout 0", "--max-states 1"],
    ),
    (
        "generate jimmy --seed 1 --rows 6 --cols 6",
        &["--min-moves 8", "--difficulty 2"],
    ),
    (
        "generate jimmy --seed 1 --rows 4 --cols 4",
        &["--density 0.1", "--ghosts 2"],
    ),
    (
        "generate jimmy --seed 1 --rows 4 --cols 4 --timeout 1",
        &["--max-memory 1B"],
    ),
    (
        "generate baddies --seed 1 --rows 4 --cols 4",
        &["--monsters 2", "--super-monsters 1", "--bats 2"],
    ),
    (
        "generate baddies --seed 1 --rows 4 --cols 4",
        &["--abyss 3", "--ladders 2"],
    ),
    (
        "generate maze --seed 1 --rows 5 --cols 5",
        &["--food 2", "--walls 2", "--set runner=3"],
    ),
    (
        "generate dungeon --seed 1 --rooms 2 --zombies 1",
        &["--rooms 1", "--zombies 0", "--keys 0", "--exits 2"],
    ),
    (
        "generate dungeon --seed 1 --rooms 2 --zombies 1",
        &["--probability 0.2..0.4", "--min-turns 9"],
    ),
    ("generate dungeon --seed 1 --rooms 1", &["--players 2"]),
    (
        "mutate small.txt",
        &[
            "--flip",
            "--by first-moves",
            "--count 1",
            "--output new",
            "--json",
        ],
    ),
    (
        "mutate small.txt",
        &["--timeout 0", "--max-states 1", "--max-memory 1B"],
    ),
    (
        "mutate small.txt",
        &[
            "--ruleset baddies",
            "--set ruleset=maze",
            "--override ruleset=maze",
        ],
    ),
    (
        "census jimmy --rows 3 --cols 2 --no-timing",
        &[
            "--rows 2",
            "--cols 3",
            "--ghosts 0",
            "--output new",
            "--json",
        ],
    ),
    (
        "census jimmy --rows 3 --cols 2 --no-timing",
        &["--resume new", "--timeout 0"],
    ),
    (
        "census baddies --rows 2 --cols 3 --monsters 1 --no-timing",
        &["--max-states 1", "--max-memory 1B"],
    ),
    (
        "census baddies --rows 2 --cols 2 --no-timing",
        &["--monsters 1", "--super-monsters 1", "--bats 1"],
    ),
    ("verify open.txt --moves LUL", &["--moves U"]),
    (
        "verify dungeon.txt --moves '. . . . . . . . . . . . . . . . . . . . . . . .'",
        &["--seed 1"],
    ),
    (
        "verify caught.txt c.gz",
        &["--max-states 0", "--max-memory 1B", "--timeout 0"],
    ),
    (
        "verify warned.txt --moves U",
        &[
            "--strict",
            "--ruleset baddies",
            "--set ruleset=maze",
            "--override ruleset=maze",
        ],
    ),
    (
        "convert open.txt -",
        &["--to jsonl", "--from jsonl", "--max-memory 1B"],
    ),
    (
        "convert small.txt new.drn",
        &["--max-states 1", "--timeout 0"],
    ),
    (
        "convert small.txt -",
        &[
            "--ruleset maze",
            "--set ruleset=maze",
            "--override ruleset=maze",
        ],
    ),
    ("bench --no-timing open.txt", &["--shortest"]),
    ("convert open.txt new.html", &["--template open.txt"]),
    ("rules jimmy", &["--sample"]),
    ("man", &["--dir new"]),
];

/// The options that all of [`READERS`] have. Each option changes the result for `warned.txt`.
const READING: [&str; 7] = [
    "--ruleset baddies",
    "--strict",
    "--set ruleset=maze",
    "--override ruleset=maze",
    "--max-states 0",
    "--max-memory 1B",
    "--timeout 0",
];

const READERS: [&str; 9] = [
    "bench --no-timing",
    "solve --json",
    "analyse --json",
    "check --json",
    "rate --json",
    "trace",
    "simulate --seed 1",
    "compare --seed 1 --runs 2",
    "render -o new.svg",
];

/// Options that must not change the output, and options tested elsewhere.
const UNTRIED: &[(&str, &str)] = &[
    ("", "--help"),
    ("", "--color"),
    ("", "--threads"),
    ("", "--no-timing"),
    // This option needs a large level; see `bounds`.
    ("", "--precision"),
    // These need a board with a longer first line; see `solve`.
    ("trace", "--shortest"),
    ("simulate", "--shortest"),
    ("render", "--shortest"),
    // This has no effect on the screen; see `trace` and `simulate`.
    ("play", "--shortest"),
    // This runs until Ctrl-C; see `watch`.
    ("solve", "--watch"),
];

fn setting() -> Run {
    let wrong =
        format!("; expect: caught\n{OPEN}\n; expect: escape\n{CAUGHT}\n; ruleset: jimmy\noo\n");
    Run::new(&[])
        .file("open.txt", OPEN)
        .file("caught.txt", CAUGHT)
        .file("small.txt", WARNED.split_once('\n').unwrap().1)
        .file("warned.txt", WARNED)
        .file("dungeon.txt", DUNGEON)
        .file("monsters.txt", MONSTERS)
        .file("maze.txt", MAZE)
        .file("several.txt", format!("{OPEN}\n{CAUGHT}"))
        .file("wrong.txt", wrong)
        .file("faults.txt", "oo\n\noo\n\noo\n")
        .file("first.sh", FIRST_LEGAL)
}

fn words(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    words.collect()
}

/// Returns the output, the status and the new files of a command line.
fn result(line: &str) -> String {
    let mut run = setting();
    if line.contains("c.gz") {
        run.args(&words("solve --certificate c.gz caught.txt"));
        run.output();
    }
    let with_default_max_states: &[&str] = match line {
        line if line.contains("'sh ") => &["--start-timeout", "60", "--move-timeout", "60"],
        _ => &[],
    };
    let with_default_max_states = with_default_max_states
        .chunks(2)
        .filter(|pair| !line.contains(pair[0]));
    run.args(
        &[
            words(line),
            with_default_max_states.flatten().copied().collect(),
        ]
        .concat(),
    );
    let mut text = format!("{:?}", run.output());
    let mut files = vec![run.path().to_owned()];
    while let Some(path) = files.pop() {
        if path.is_dir() {
            let inside = fs::read_dir(&path).unwrap();
            files.extend(inside.map(|entry| entry.unwrap().path()));
            files.sort();
        } else if is_new(path.strip_prefix(run.path()).unwrap()) {
            text += &format!("{:?}", fs::read(&path).unwrap());
        }
    }
    text
}

fn is_new(path: &Path) -> bool {
    path.to_string_lossy().contains("new")
}

type Line = (String, &'static [&'static str]);

#[test]
fn every_option_does_something() {
    let tried = TRIED
        .iter()
        .map(|(line, options)| ((*line).to_owned(), *options));
    let read = READERS.map(|reader| (format!("{reader} warned.txt"), &READING[..]));
    let all: Vec<_> = tried.chain(read).collect();
    let useless: Vec<_> = std::thread::scope(|scope| {
        let some: Vec<_> = all.iter().step_by(sized(4, 1)).collect();
        let halves = some.chunks(some.len().div_ceil(2));
        let judge = |half: &[&Line]| half.iter().flat_map(|line| useless(line)).collect();
        let halves: Vec<_> = halves
            .map(|half| {
                let half = half.to_vec();
                scope.spawn(move || -> Vec<String> { judge(&half) })
            })
            .collect();
        halves
            .into_iter()
            .flat_map(|half| half.join().unwrap())
            .collect()
    });
    assert!(useless.is_empty(), "{useless:#?}");
    let mut tried = BTreeSet::new();
    for (line, options) in &all {
        for option in *options {
            tried.insert((words(line)[0].to_owned(), words(option)[0].to_owned()));
        }
    }
    for (line, options) in SCREENS {
        for (option, _) in *options {
            tried.insert((words(line)[0].to_owned(), words(option)[0].to_owned()));
        }
    }
    let mut missing = Vec::new();
    for command in commands() {
        for Listed { flag, .. } in options(&command) {
            let is_untried = UNTRIED
                .iter()
                .any(|(name, option)| flag == *option && (name.is_empty() || command == *name));
            if !is_untried && !tried.contains(&(command.clone(), flag.clone())) {
                missing.push(format!("{command} {flag}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Command lines of `play` and `edit`, and options with the text that each adds to the screen.
const SCREENS: &[(&str, &[(&str, &str)])] = &[
    (
        "play open.txt",
        &[
            ("--coach", "now: escape in 3 moves"),
            ("--ascii", "+--------------------"),
            ("--ruleset baddies", "no ladder"),
            ("--set name=Ada", "jimmy: Ada"),
            ("--override name=Ada", "jimmy: Ada"),
            ("--spectate", "there is no game to watch"),
            ("--max-states 1 --coach", "unknown: state limit"),
            ("--max-memory 1kB --coach", "unknown: memory limit"),
            ("--timeout 0 --coach", "unknown: timed out"),
        ],
    ),
    ("play warned.txt", &[("--strict", "unknown header")]),
    (
        "play maze",
        &[
            ("--difficulty 6", "does not apply"),
            ("--daily 2026-12-05", "Saturday 2026-12-05"),
        ],
    ),
    (
        "play dungeon.txt",
        &[("--seed 0123456789", "seed 123456789")],
    ),
    (
        "play --spectate open.txt",
        &[
            ("--moves D", "the moves end here"),
            ("--policy solver", "ESCAPED"),
            ("--runner solver", "ESCAPED"),
        ],
    ),
    (
        "play --spectate dungeon.txt",
        &[
            ("--turns 1 --policy stay", "no more turns"),
            ("--ghost 'sh first.sh'", "if chasers keep to"),
            ("--zombie 'sh first.sh'", "if chasers keep to"),
        ],
    ),
    (
        "play --spectate monsters.txt",
        &[("--monster 'sh first.sh'", "if chasers keep to")],
    ),
    (
        "play --spectate --runner 'sh first.sh' open.txt",
        &[
            ("--move-timeout 0", "`--move-timeout`"),
            ("--start-timeout 0", "`--start-timeout`"),
        ],
    ),
    (
        "edit open.txt",
        &[
            ("--ascii", "+--------------------"),
            ("--ruleset baddies", "remove one of them"),
            ("--override ruleset=baddies", "no ladder"),
            ("--max-states 1", "state limit reached"),
            ("--max-memory 1B", "memory limit reached"),
            ("--timeout 0", "timed out"),
        ],
    ),
    (
        "edit warned.txt",
        &[
            ("--strict", "unknown header"),
            ("--set ruleset=baddies", "no ladder"),
        ],
    ),
];

#[test]
fn every_option_of_a_screen_does_something() {
    let tried = SCREENS
        .iter()
        .flat_map(|(line, options)| options.iter().map(move |option| (line, option)));
    for (line, (option, text)) in tried.step_by(sized(4, 1)) {
        for (line, is_there) in [
            (format!("{line} {option}"), true),
            ((*line).to_owned(), false),
        ] {
            let Some(terminal) = Terminal::new(80, 24) else {
                return;
            };
            let setting = setting();
            for file in fs::read_dir(setting.path()).unwrap().map(Result::unwrap) {
                fs::copy(file.path(), terminal.folder.path().join(file.file_name())).unwrap();
            }
            terminal.run(&line);
            let is_shown = |screen: &str| screen.contains("leave\n") || screen.contains("status ");
            terminal.wait_for("a screen", |screen| {
                if is_there {
                    screen.contains(text)
                } else {
                    is_shown(screen)
                }
            });
            assert!(
                is_there || !terminal.screen().contains(text),
                "{line}: {text}"
            );
        }
    }
}

fn useless((line, options): &Line) -> Vec<String> {
    let plain = result(line);
    let is_useless = |option: &&&str| result(&replaced(line, option)) == plain;
    let useless = options.iter().filter(is_useless);
    useless.map(|option| format!("{line} {option}")).collect()
}

fn replaced(line: &str, option: &str) -> String {
    let flag = words(option)[0];
    match line.split_once(&format!("{flag} ")) {
        None => format!("{line} {option}"),
        Some((before, after)) => {
            let after = after.split_once(' ').map_or("", |(_, after)| after);
            format!("{before}{option} {after}")
        }
    }
}

#[test]
fn a_runner_is_named_alike_everywhere() {
    for (one, other) in [
        (
            "simulate --seed 1 --runs 50 --runner greedy dungeon.txt",
            "simulate --seed 1 --runs 50 --policy greedy dungeon.txt",
        ),
        (
            "simulate --seed 1 --runs 50 --ghost rule --zombie rule dungeon.txt",
            "simulate --seed 1 --runs 50 dungeon.txt",
        ),
        (
            "simulate --seed 1 --ghost chase dungeon.txt",
            "simulate --seed 1 --override strategy=chase dungeon.txt",
        ),
    ] {
        assert_eq!(result(one), result(other), "{one}");
    }
    let twice = result("simulate --runner greedy --runner random dungeon.txt");
    assert!(twice.contains("error: give each role only once"), "{twice}");
}
