//! `getaway compare`.

use serde_json::Value;

use crate::run::Run;
use crate::simulate::LUCK;

const OPEN: &str = "H..*\n####\n";

fn compare(args: &[&str], board: &str) -> Run {
    let args = [&["compare", "a.txt", "--seed", "5"], args].concat();
    Run::new(&args).file("a.txt", board)
}

fn json(mut run: Run) -> Value {
    let output = run.output();
    assert_eq!((output.stderr.as_str(), output.status), ("", Some(0)));
    serde_json::from_str(&output.stdout).unwrap()
}

fn simulated(args: &[&str]) -> Value {
    let base = [
        "simulate", "a.txt", "--seed", "5", "--runs", "300", "--turns", "1000", "--json",
    ];
    json(Run::new(&[&base, args].concat()).file("a.txt", LUCK))
}

const POLICIES: [&str; 8] = [
    "--runner", "solver", "--runner", "random", "--runner", "greedy", "--runs", "300",
];

/// The expected probability under best play is stated at [`LUCK`].
#[test]
fn entrants_play_the_games_of_simulate() {
    let all = json(compare(&[&POLICIES[..], &["--json"]].concat(), LUCK));
    for (entrant, policy) in ["solver", "random", "greedy"].into_iter().enumerate() {
        let alone = simulated(&["--policy", policy]);
        let entrant = &all["entrants"][entrant];
        assert_eq!(entrant["name"], policy);
        for key in [
            "runs", "escaped", "rate", "interval", "caught", "causes", "turns",
        ] {
            assert_eq!(entrant[key], alone[key], "{policy}, {key}");
        }
        let [best, regret, rate] = ["best", "regret", "rate"].map(|key| entrant[key].as_f64());
        assert!((best.unwrap() - 0.299_701).abs() < 2e-6);
        assert!((best.unwrap() - rate.unwrap() - regret.unwrap()).abs() < 1e-12);
    }
    let differences = all["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 3);
    for one in differences {
        let [first, second] = ["first", "second"].map(|key| {
            let mut entrants = all["entrants"].as_array().unwrap().iter();
            let own = entrants.find(|entrant| entrant["name"] == one[key]);
            own.unwrap()["escaped"].as_i64().unwrap()
        });
        let [only_first, only_second] =
            ["only_first", "only_second"].map(|key| one[key].as_i64().unwrap());
        assert_eq!(first - second, only_first - only_second, "{one}");
        assert!(only_first <= first && only_second <= second, "{one}");
    }
}

#[test]
fn the_same_seed_gives_the_same_table_on_any_number_of_threads() {
    let on = |threads: &str| compare(&[&POLICIES[..], &["-j", threads]].concat(), LUCK).output();
    let table = on("1");
    assert_eq!((table.stderr.as_str(), table.status), ("", Some(0)));
    assert_eq!(table, on("3"));
}

/// The bounds were computed by hand. The Wilson interval for 0 of 40 ends at z^2 / (40 + z^2). The Agresti-Min interval for the
/// difference is from (40 - 1.96 sqrt(41 - 40^2 / 42)) / 42 to 1.
#[test]
fn a_clear_difference_is_stated_as_one() {
    let args = [
        "--runner", "stay", "--runner", "solver", "--runs", "20", "--turns", "5",
    ];
    let board = [OPEN, "\n", "; name: the same\n", OPEN].concat();
    compare(&args, &board)
        .stdout(
            "\
2 boards, 20 games on each, seed 5

        escaped  95% CI                best   regret  turns  lost
stay      0.00%  0.00% to 8.76%     100.00%  100.00%   5.00  unfinished 40
solver  100.00%  91.24% to 100.00%  100.00%    0.00%   3.00

solver escapes more often than stay: by 100.00 points (95% confidence interval 87.28 to 100.00), p < 0.0001
(the same luck for all, game by game; McNemar's exact test, with Holm's correction for 1 comparison)
",
        )
        .check();
}

#[test]
fn the_strategies_take_part_by_name() {
    let args = [
        "--ghost", "chase", "--ghost", "cooldown", "--runner", "greedy", "--runs", "300",
    ];
    let all = json(compare(&[&args[..], &["--json"]].concat(), LUCK));
    for (entrant, strategy) in ["chase", "cooldown"].into_iter().enumerate() {
        let alone = simulated(&[
            "--policy",
            "greedy",
            "--override",
            &format!("strategy={strategy}"),
        ]);
        let entrant = &all["entrants"][entrant];
        assert_eq!(entrant["name"], format!("greedy, ghost {strategy}"));
        assert_eq!(entrant["escaped"], alone["escaped"], "{strategy}");
        assert_eq!(entrant["turns"], alone["turns"], "{strategy}");
    }
}

#[test]
fn csv_has_a_line_for_each_board_and_entrant() {
    let args = [
        "--runs", "50", "--csv", "--runner", "random", "--runner", "solver",
    ];
    let mut run = compare(&args, LUCK);
    let output = run.output();
    let mut lines = csv::Reader::from_reader(output.stdout.as_bytes());
    let names = lines.headers().unwrap().clone();
    assert_eq!(
        names.iter().take(5).collect::<Vec<_>>(),
        ["path", "name", "runs", "escaped", "rate"]
    );
    let rows: Vec<_> = lines.records().map(Result::unwrap).collect();
    let who: Vec<_> = rows.iter().map(|row| (&row[0], &row[1], &row[2])).collect();
    assert_eq!(who, [("a.txt", "random", "50"), ("a.txt", "solver", "50")]);
}

#[test]
fn entrants_who_can_not_play_are_errors() {
    compare(&["--runner", "stay"], "###\n#o.\n###\n")
        .stderr("error: a.txt: stay: Jimmy can't stay in this game\n\n")
        .status(2)
        .check();
    compare(&["--runner", "solver"], "###\n#o\n")
        .stderr(
            "\
error: this row has 2 cells, but the first row has 3
 --> a.txt:2:3
  |
2 | #o
  |   ^ pad this row with `.`

",
        )
        .status(2)
        .check();
}

#[cfg(unix)]
#[test]
fn programs_are_compared_with_policies() {
    let args = [
        "--runner",
        "sh first.sh",
        "--runner",
        "stay",
        "--monster",
        "rule",
        "--monster",
        "sh first.sh",
    ];
    let args = [
        &args[..],
        &["--runs", "4", "--turns", "9", "--json"],
        &crate::agents::PATIENT,
    ]
    .concat();
    let all = json(compare(&args, "H....m*\n").file("first.sh", crate::agents::FIRST_LEGAL));
    let entrants: Vec<_> = all["entrants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["name"].as_str().unwrap(),
                &one["caught"],
                &one["open"],
                one["best"].is_null(),
            )
        })
        .collect();
    // The program plays the first legal move, which is to stay for the hero and for monsters alike.
    let (none, all) = (&Value::from(0), &Value::from(4));
    assert_eq!(
        entrants,
        [
            ("sh first.sh, monster rule", all, none, false),
            ("sh first.sh, monster sh first.sh", none, all, true),
            ("stay, monster rule", all, none, false),
            ("stay, monster sh first.sh", none, all, true),
        ]
    );
}

#[cfg(unix)]
#[test]
fn with_a_report_one_program_or_a_team_forfeits_all_games() {
    let board = "-------\n|PP.ZE|\n-------\n";
    for team in ["sh bad.sh", "sh bad.sh + sh bad.sh"] {
        let report = "gradescope=r.json";
        let args = [
            "--runner", team, "--runs", "12", "--report", report, "--json",
        ];
        let mut run = compare(&args, board).file("bad.sh", "exit 1");
        let output = run.output();
        assert_eq!(output.status, Some(0), "{output:?}");
        assert!(
            output.stderr.contains("ended too soon"),
            "{}",
            output.stderr
        );
        let all: Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!(all["entrants"][0]["forfeited"]["runner"], 12, "{all}");
    }
}

#[test]
fn a_bad_board_is_left_out() {
    let board = [OPEN, "\nH.H*\n\n", OPEN].concat();
    let mut run = compare(&["--runner", "solver", "--runs", "2", "--json"], &board);
    let output = run.output();
    assert_eq!(output.status, Some(2));
    assert!(output.stderr.contains("a.txt:4:3"), "{}", output.stderr);
    let table: Value = serde_json::from_str(&output.stdout).unwrap();
    let files = table["boards"].as_array().unwrap().iter();
    let files: Vec<_> = files.map(|board| &board["path"]).collect();
    assert_eq!(files, ["a.txt", "a.txt#3"]);
}

#[test]
fn a_board_with_a_fault_is_left_out_however_it_is_named() {
    for broken in ["b.txt", "b.txt#1"] {
        let args = [
            "compare", broken, "a.txt", "--seed", "5", "--runs", "3", "--json",
        ];
        let output = Run::new(&args)
            .file("a.txt", LUCK)
            .file("b.txt", "; ruleset: dungeon\nxyz\n")
            .output();
        assert_eq!(output.status, Some(2), "{output:?}");
        assert!(output.stderr.contains(" --> b.txt:2:2\n"), "{output:?}");
        let all: Value = serde_json::from_str(&output.stdout).unwrap();
        assert_eq!(all["boards"].as_array().unwrap().len(), 1);
        assert_eq!(all["entrants"][0]["name"], "solver");
    }
}

#[test]
fn what_can_not_be_read_or_played_is_left_out() {
    let output = Run::new(&[
        "compare", "none.txt", "b.txt", "a.txt", "a.txt#9", "--runs", "3", "--json",
    ])
    .file("a.txt", LUCK)
    .file("b.txt", HEADLESS_WALL)
    .output();
    assert_eq!(output.status, Some(2), "{output:?}");
    let told: Vec<_> = output
        .stderr
        .lines()
        .filter(|line| !line.is_empty())
        .collect();
    assert_eq!(
        told,
        [
            "error: none.txt: no such file or directory",
            "error: b.txt: solver: this map can't be played: the wall in row 2, column 3 has no moving end (`A`)",
            "error: a.txt#9: there is no board 9: the file has 1 board",
        ]
    );
    let all: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(all["boards"].as_array().unwrap().len(), 1);
}

/// A maze with a wall that can be searched, but not moved.
const HEADLESS_WALL: &str = "; ruleset: maze\n....\n..a*\nR...\n";
