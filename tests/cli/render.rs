//! `getaway render` and `getaway trace --format`: files and errors.

use std::fs;
use std::process::{Command, Stdio};

use crate::boards::{CORNERED, EXIT, STAIRS, endless};
use crate::run::Run;

const STARTS: [(&str, &[u8]); 4] = [
    ("html", b"<!doctype html>"),
    ("svg", b"<svg "),
    ("gif", b"GIF89a"),
    ("png", b"\x89PNG\r\n"),
];

#[test]
fn the_file_extension_sets_the_format() {
    for (ending, start) in STARTS {
        let out = format!("out.{ending}");
        let run = Run::new(&["render", "a.txt", "-o", &out]).file("a.txt", STAIRS);
        let written = written(run, &out);
        assert!(written.starts_with(start), "{ending}");
    }
    let run = Run::new(&["render", "a.txt", "-o", "out.HTM"]).file("a.txt", STAIRS);
    assert!(written(run, "out.HTM").starts_with(b"<!doctype"));
    let run = Run::new(&["render", "a.txt", "-o", "out.svg", "--format", "gif"]);
    assert!(written(run.file("a.txt", STAIRS), "out.svg").starts_with(b"GIF"));
}

/// Returns the file that the run writes. Asserts that it prints nothing and creates no other file.
#[track_caller]
fn written(mut run: Run, name: &str) -> Vec<u8> {
    let output = run.output();
    assert_eq!((&*output.stdout, &*output.stderr), ("", ""));
    assert_eq!(output.status, Some(0));
    assert_eq!(files(&run).len(), 2, "{:?}", files(&run));
    fs::read(run.path().join(name)).unwrap()
}

fn files(run: &Run) -> Vec<String> {
    let all = fs::read_dir(run.path()).unwrap();
    let name = |file: std::io::Result<fs::DirEntry>| file.unwrap().file_name();
    all.map(|file| name(file).into_string().unwrap()).collect()
}

#[test]
fn pictures_can_go_to_standard_output() {
    let file = written(
        Run::new(&["render", "a.txt", "-o", "b.svg"]).file("a.txt", STAIRS),
        "b.svg",
    );
    let file = String::from_utf8(file).unwrap();
    for args in [
        &["render", "a.txt", "-o", "-", "--format", "svg"][..],
        &["trace", "a.txt", "--format", "svg"],
    ] {
        Run::new(args).file("a.txt", STAIRS).stdout(&file).check();
    }
}

#[test]
fn trace_ends_as_it_does_without_a_format() {
    let mut run = Run::new(&["trace", "a.txt", "--format", "html", "--ruleset", "baddies"])
        .file("a.txt", CORNERED);
    let output = run.output();
    assert_eq!(output.status, Some(1));
    assert!(output.stdout.contains("caught"));
    let mut run = Run::new(&["render", "a.txt", "--ruleset", "baddies", "-o", "a.html"])
        .file("a.txt", CORNERED);
    assert_eq!(
        run.output().status,
        Some(0),
        "a picture of a catch is a picture"
    );
}

#[test]
fn a_name_without_a_known_extension_is_an_error() {
    Run::new(&["render", "a.txt", "-o", "out.jpg"])
        .file("a.txt", EXIT)
        .status(2)
        .stderr(
            "error: out.jpg: unknown format: end the name in .html, .svg, .gif \
             or .png, or add `--format`\n\n",
        )
        .check();
}

#[test]
fn a_bare_picture_has_only_the_board() {
    let draw = |out: &str, more: &[&str]| {
        let args = [&["render", "a.txt", "-o", out], more].concat();
        written(Run::new(&args).file("a.txt", STAIRS), out)
    };
    let text = |bytes| String::from_utf8(bytes).unwrap();
    assert!(text(draw("b.svg", &["--turn", "last"])).contains("<text"));
    for more in [&["--bare"][..], &["--bare", "--turn", "last"]] {
        assert!(!text(draw("b.svg", more)).contains("<text"));
    }
    // Five cells of 56 pixels, and four, with a margin of 12.
    let size = [304_u32, 248].map(u32::to_be_bytes).concat();
    assert_eq!(draw("b.png", &["--bare"])[16..24], size);
    Run::new(&["render", "a.txt", "--bare", "-o", "b.html"])
        .file("a.txt", STAIRS)
        .status(2)
        .stderr("error: a page has no bare form: `--bare` needs svg, gif or png\n\n")
        .check();
}

#[test]
fn a_sheet_has_the_boards_of_all_files_with_their_names() {
    let run = || {
        Run::new(&["render", "--sheet", "a.txt", "b.txt#2", "-o", "sheet.svg"])
            .file("a.txt", format!("; name: Stairs & more\n{STAIRS}\nH *\n"))
            .file("b.txt", format!("{EXIT}\n; name: last\n{EXIT}"))
    };
    let mut drawn = run();
    assert_eq!(drawn.output().status, Some(0));
    let sheet = fs::read_to_string(drawn.path().join("sheet.svg")).unwrap();
    assert!(
        sheet.contains("width=\"210mm\" height=\"297mm\""),
        "{sheet}"
    );
    let names = sheet.split("<text").skip(1);
    let names: Vec<_> = names
        .map(|text| text.split(['>', '<']).nth(1).unwrap())
        .collect();
    assert_eq!(names, ["Stairs &amp; more", "a.txt#2", "last"]);

    let mut faulty = run().file("b.txt", "x\n\no?\n");
    let output = faulty.output();
    assert_eq!(output.status, Some(2));
    assert!(output.stderr.contains("b.txt:3:2"), "{output:?}");
    assert!(faulty.path().join("sheet.svg").exists());
}

#[test]
fn a_sheet_has_room_for_sixty_boards() {
    let draw = |boards: usize, out: &str| {
        Run::new(&["render", "--sheet", "a.txt", "-o", out])
            .file("a.txt", format!("{EXIT}\n").repeat(boards))
    };
    let sheet = written(draw(60, "b.png"), "b.png");
    assert_eq!(
        sheet[16..24],
        [1680_u32, 2376].map(u32::to_be_bytes).concat()
    );
    draw(61, "b.svg")
        .status(2)
        .stderr(
            "error: 61 boards are too many for a sheet: the maximum is 60; name fewer files, \
             or boards as FILE#N\n\n",
        )
        .check();
    draw(1, "b.gif")
        .status(2)
        .stderr("error: a sheet is an svg or a png, not a gif\n\n")
        .check();
    for more in ["--bare", "--still", "--moves=U", "--theme=dark", "--cell=9"] {
        let args = ["render", "--sheet", "a.txt", "-o", "b.svg", more];
        let output = Run::new(&args).file("a.txt", EXIT).output();
        assert_eq!(output.status, Some(2), "{more}");
    }
}

#[test]
fn stills_need_an_existing_turn() {
    let still = |turn: &str, ending: &str| {
        let out = format!("b.{ending}");
        let run = Run::new(&["render", "a.txt", "--turn", turn, "-o", &out]);
        written(run.file("a.txt", STAIRS), &out)
    };
    assert_eq!(still("4", "png"), still("last", "png"));
    assert_ne!(still("0", "svg"), still("1", "svg"));
    let run = Run::new(&["render", "a.txt", "--still", "-o", "b.svg"]);
    assert_eq!(
        written(run.file("a.txt", STAIRS), "b.svg"),
        still("0", "svg")
    );

    Run::new(&["render", "a.txt", "--turn", "5", "-o", "b.png"])
        .file("a.txt", STAIRS)
        .status(2)
        .stderr("error: a.txt: there is no turn 5: the last turn is 4\n\n")
        .check();
    Run::new(&["render", "a.txt", "--still", "-o", "b.gif"])
        .file("a.txt", STAIRS)
        .status(2)
        .stderr("error: a gif shows the whole game: `--still` and `--turn` need svg or png\n\n")
        .check();
}

#[test]
fn moves_seed_and_policy_are_as_in_simulate() {
    let level = "; seed: 5\n-----------\n|P....|..E|\n|..Z..D..Z|\n-----------\n";
    let page = |args: &[&str]| {
        let all = [&["render", "a.txt", "-o", "b.html", "--turns", "9"], args].concat();
        let mut run = Run::new(&all).file("a.txt", level);
        assert_eq!(run.output().status, Some(0));
        fs::read_to_string(run.path().join("b.html")).unwrap()
    };
    let random = page(&["--policy", "random"]);
    assert_eq!(random, page(&["--policy", "random", "--seed", "5"]));
    assert_ne!(random, page(&["--policy", "random", "--seed", "6"]));
    assert!(random.contains("one game, seed 5"));
    assert!(page(&["--moves", "R R"]).contains("a line of play"));
}

#[test]
fn moves_that_cannot_be_played_leave_no_picture() {
    let mut run =
        Run::new(&["render", "a.txt", "--moves", "RL", "-o", "b.gif"]).file("a.txt", STAIRS);
    let output = run.output();
    assert_eq!(output.status, Some(2));
    assert_eq!(
        output.stderr,
        "error: a.txt: move 2 (`L`) is illegal: he has already visited that cell\n\n"
    );
    assert_eq!(files(&run), ["a.txt"]);
    Run::new(&["render", "a.txt", "--moves", "D?", "-o", "b.gif"])
        .file("a.txt", STAIRS)
        .status(2)
        .stderr("error: in `--moves`, at character 2: `?` is not a move: a move is one of `U`, `D`, `L`, `R`\n\n")
        .check();
}

#[test]
fn a_limit_leaves_the_old_picture() {
    let mut run = Run::new(&["render", "a.txt", "--max-states", "100", "-o", "b.svg"])
        .file("a.txt", endless())
        .file("b.svg", "old");
    let output = run.output();
    assert_eq!(output.status, Some(3));
    assert_eq!(
        output.stderr,
        "a.txt: undecided: state limit reached; no picture was written\n"
    );
    let mut run = Run::new(&["render", "a.txt", "--max-memory", "100kB", "-o", "b.gif"])
        .file("a.txt", STAIRS)
        .file("b.gif", "old");
    let output = run.output();
    assert_eq!(output.status, Some(3));
    assert_eq!(
        output.stderr,
        "a.txt: undecided: memory limit reached; no picture was written\n"
    );
    assert_eq!(fs::read_to_string(run.path().join("b.gif")).unwrap(), "old");
    assert_eq!(files(&run).len(), 2, "{:?}", files(&run));
}

#[test]
fn too_large_pictures_suggest_a_remedy() {
    let row = format!("{}\n", ".".repeat(200));
    let board = format!("o{}", &row[1..]) + &row.repeat(199);
    Run::new(&[
        "render",
        "a.txt",
        "--ruleset",
        "jimmy",
        "--cell",
        "40",
        "-o",
        "b.png",
    ])
    .file("a.txt", board)
    .status(2)
    .stderr(
        "error: a.txt: a picture of 8044 x 8114 pixels is too large: the maximum is 16777216 pixels; make the cells \
             smaller with `render --cell`\n\n",
    )
    .check();
}

#[test]
fn unwritable_files_are_errors() {
    let run = || Run::new(&["render", "a.txt", "--format", "svg", "-o", "b"]).file("a.txt", EXIT);
    run()
        .folder("b")
        .status(2)
        .stderr("error: b: this is a folder; name a file in it\n\n")
        .check();
    Run::new(&["render", "a.txt", "-o", "none/b.svg"])
        .file("a.txt", EXIT)
        .status(2)
        .stderr("error: none/b.svg: no such file or directory\n\n")
        .check();
    let locked = run().file("b", "old");
    let path = locked.path().join("b");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    locked
        .status(2)
        .stderr("error: b: permission denied\n\n")
        .check();
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_devices_stay_what_they_are() {
    use std::os::unix::fs::FileTypeExt;
    let mut run = Run::new(&["render", "a.txt", "--format", "svg", "-o", "link"])
        .file("a.txt", EXIT)
        .file("real/b.svg", "old");
    std::os::unix::fs::symlink("real/b.svg", run.path().join("link")).unwrap();
    assert_eq!(run.output().status, Some(0));
    assert!(
        fs::symlink_metadata(run.path().join("link"))
            .unwrap()
            .is_symlink()
    );
    assert!(
        fs::read(run.path().join("real/b.svg"))
            .unwrap()
            .starts_with(b"<svg")
    );

    Run::new(&["render", "a.txt", "--format", "gif", "-o", "/dev/null"])
        .file("a.txt", EXIT)
        .check();
    assert!(
        fs::metadata("/dev/null")
            .unwrap()
            .file_type()
            .is_char_device()
    );
}

const NASTY: &str =
    "</script><script>bad()</script><img src=x onerror=bad()>\"'&lt;\u{2028}{{data}}<!--";

#[test]
fn names_from_files_are_only_text() {
    let picture = |ending: &str| {
        let out = format!("b.{ending}");
        let run = Run::new(&["render", "a.txt", "-o", &out]);
        let written = written(run.file("a.txt", format!("; name: {NASTY}\n{EXIT}")), &out);
        String::from_utf8(written).unwrap()
    };
    let page = picture("html");
    assert_eq!(page.matches("<script").count(), 2, "its data and its own");
    assert!(!page.contains("<img"), "no element comes from a name");
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;bad()"));
    let svg = picture("svg");
    let document = roxmltree::Document::parse(&svg).unwrap();
    let title = document
        .descendants()
        .find(|node| node.has_tag_name("title"));
    assert_eq!(title.unwrap().text(), Some(NASTY));
}

#[test]
fn control_characters_in_names_do_nothing() {
    let mut run = Run::new(&["render", "a.txt", "-o", "b.svg"])
        .file("a.txt", format!("; name: a\u{1b}[31m\u{202e}b\n{EXIT}"));
    assert_eq!(run.output().status, Some(0));
    let svg = fs::read_to_string(run.path().join("b.svg")).unwrap();
    assert!(svg.contains("a\\u{1b}[31m\\u{202e}b"));
    roxmltree::Document::parse(&svg).unwrap();
}

/// To update the picture, run the command below it in the README with `-o pictures/round-the-block.svg`.
#[test]
fn the_picture_in_the_readme_is_up_to_date() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let board = fs::read(root.join("puzzles/jimmy/36-round-the-block.txt")).unwrap();
    let command = "render --policy solver --shortest --duration 400 a.txt -o b.svg";
    let args: Vec<_> = command.split(' ').collect();
    let run = Run::new(&args).file("a.txt", board);
    let kept = fs::read(root.join("pictures/round-the-block.svg")).unwrap();
    assert!(
        written(run, "b.svg") == kept,
        "pictures/round-the-block.svg is an old picture"
    );
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut run =
        Run::new(&["render", "a.txt", "--format", "html", "-o", "-"]).file("a.txt", STAIRS);
    let mut child = run.spawn();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}

#[test]
fn a_terminal_gets_no_pixels() {
    let Ok(has_script) = Command::new("script")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
    else {
        return;
    };
    assert!(has_script.success());
    let run = Run::new(&[]).file("a.txt", EXIT);
    let command = format!(
        "{} render a.txt --format png -o -",
        env!("CARGO_BIN_EXE_getaway")
    );
    let output = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(run.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("a png can't be shown on a terminal: name a file with `-o`"),
        "{said}"
    );
}

#[test]
fn a_page_shows_each_step_of_the_search_in_a_maze() {
    // Nobody can play this map, since its wall has no moving end.
    let maze = "; ruleset: maze\nRa\n.*\n";
    let args = ["render", "a.txt", "--search", "-o", "out.html"];
    let page = String::from_utf8(written(Run::new(&args).file("a.txt", maze), "out.html")).unwrap();
    let (_, data) = page.split_once("id=\"game\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let captions: Vec<_> = data["positions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|position| position["caption"].as_str().unwrap())
        .collect();
    let wanted = [
        "start",
        "step 1: takes 1,1",
        "step 2: takes 2,1",
        "step 3: takes 2,2",
        "the path of the pseudocode",
    ];
    assert_eq!(captions, wanted);
    let marks = data["positions"][2]["marks"].as_str().unwrap();
    assert!(marks.contains(">1+1</text>"), "{marks}");
    let refused = ["render", "a.txt", "--search", "-o", "out.svg"];
    Run::new(&refused)
        .file("a.txt", maze)
        .stderr("error: `--search` needs html, not svg\n\n")
        .status(2)
        .check();
}
