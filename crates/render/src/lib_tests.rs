//! Pictures of games, read by independent programs.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use super::gif as animation;
use super::*;
use figures::{Figure, Figures};
use getaway_board::puzzle::{Puzzle, text::Boards};
use getaway_play::trace::{Ending, LineKind, Ply, TraceEvent, TraceSink};
use getaway_rules::{baddies, dungeon, jimmy, maze, theseus};
use getaway_ruleset::{Fate, Meaning, Notation};
use getaway_solvers::game::Plan;
use getaway_solvers::rulesets::{Entry, RULESETS, find, of_board};
use getaway_testing::sized;
use serde_json::Value;

use recording::{GlyphRows, RecordedPly, Recorder, Subject};
use scene::{Mark, MarkContent, Scene};
use shapes::{Brush, Shape};
use theme::Ink;

/// A game to draw. `positions` counts the start and each ply with a move, even a move to stay.
struct Sample {
    ruleset: &'static str,
    board: &'static str,
    moves: &'static str,
    positions: usize,
    size: (u32, u32),
}

const SAMPLES: [Sample; 5] = [
    Sample {
        ruleset: "jimmy",
        board: ".....\n.....\n.o..g\n.....\n.....\n",
        moves: "L",
        positions: 3,
        size: (5, 5),
    },
    Sample {
        ruleset: "baddies",
        board: "H  m\n #  \n+  *\n",
        moves: "dd",
        positions: 4,
        size: (4, 3),
    },
    Sample {
        ruleset: "maze",
        board: "R.*\n...\naA.\n",
        moves: "11",
        positions: 4,
        size: (3, 3),
    },
    Sample {
        ruleset: "dungeon",
        board: "------\n|PK.E|\n------\n",
        moves: "R R R",
        positions: 4,
        size: (6, 3),
    },
    // Theseus moves three times and the Minotaur twice, because Theseus leaves first.
    Sample {
        ruleset: "theseus",
        board: "+-+-+\n|  T|\n+ +-+\n|E|.|\n+ + +\n|. M|\n+-+-+\n",
        moves: "SLD",
        positions: 6,
        size: (2, 3),
    },
];

fn from_text(text: &str) -> Puzzle<'_> {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    puzzle
}

fn subject(ruleset: &Entry, title: String) -> Subject {
    Subject {
        title,
        ruleset: ruleset.name,
        goal: ruleset.goal(),
        rules: ruleset.rules,
        legend: ruleset.legend,
    }
}

fn record_rows(ruleset: &Entry, rows: &[String]) -> Recording {
    Recording::of_start(subject(ruleset, String::new()), rows)
}

fn play(ruleset: &str, board: &str, plan: &Plan) -> Recording {
    let entry = find(RULESETS, ruleset).unwrap();
    let game = (entry.read)(&from_text(board)).unwrap();
    let limits = Limits::default();
    let subject = subject(entry, format!("a game of {ruleset}"));
    let mut recorder = Recorder::new(subject, &limits);
    let ending = game.trace(plan, &mut recorder).unwrap();
    recorder.finish(ending)
}

fn along(ruleset: &str, board: &str, moves: &str) -> Recording {
    let plan = Plan {
        moves: Some(moves),
        ..Plan::default()
    };
    play(ruleset, board, &plan)
}

impl Sample {
    fn play(&self) -> Recording {
        along(self.ruleset, self.board, self.moves)
    }
}

fn style() -> PictureStyle {
    PictureStyle {
        cell: Some(40),
        ..PictureStyle::default()
    }
}

fn request<'r>(
    recording: &'r Recording,
    style: &'r PictureStyle,
    limits: &'r Limits,
) -> Request<'r> {
    Request {
        recording,
        style,
        limits,
    }
}

fn text(write: impl Fn(&mut Vec<u8>) -> Result<(), RenderError>) -> String {
    String::from_utf8(bytes(write)).unwrap()
}

fn bytes(write: impl Fn(&mut Vec<u8>) -> Result<(), RenderError>) -> Vec<u8> {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    write(&mut first).unwrap();
    write(&mut second).unwrap();
    assert!(first == second, "the same game gives the same bytes");
    first
}

fn boards(recording: &Recording) -> Vec<Vec<String>> {
    let lines = |board: &GlyphRows| -> Vec<String> {
        let rows = board.glyphs.chunks(board.cols());
        rows.map(|row| row.iter().collect()).collect()
    };
    let mut board = recording.start.clone();
    let mut all = vec![lines(&board)];
    for ply in &recording.plies {
        board.advance(ply);
        all.push(lines(&board));
    }
    all
}

fn runner(rows: &[String], figures: &Figures) -> Option<(f32, f32)> {
    let places = rows
        .iter()
        .zip(0_u16..)
        .flat_map(|(row, at)| row.chars().zip(0_u16..).map(move |(c, col)| (c, at, col)));
    let mut runners = places.filter(|(glyph, ..)| figures.figure(*glyph) == Figure::Runner);
    let (_, row, col) = runners.next()?;
    Some(if figures.legend.is_doubled() {
        (f32::from(col) / 2.0, f32::from(row) / 2.0)
    } else {
        (f32::from(col) + 0.5, f32::from(row) + 0.5)
    })
}

/// Returns the index of the pixel at the runner's centre. Boards are centred, 50 pixels from the top.
fn pixel((x, y): (f32, f32), size: (u32, u32), width: u32) -> usize {
    let left = (width - 40 * size.0) / 2;
    let across = left + (x * 40.0) as u32;
    let down = 50 + (y * 40.0) as u32;
    (down * width + across) as usize
}

fn figures(recording: &Recording) -> Figures {
    Figures::of(recording.subject.ruleset, recording.subject.legend)
}

#[test]
fn games_are_recorded_ply_by_ply() {
    for sample in &SAMPLES {
        let recording = sample.play();
        assert_eq!(
            recording.positions(),
            sample.positions,
            "{}",
            sample.ruleset
        );
        assert_eq!(
            boards(&recording)[0].concat(),
            sample.board.replace('\n', "")
        );
    }
    let recording = SAMPLES[4].play();
    let after = |turn| recording.position_after(turn);
    assert_eq!(
        [0, 1, 2, 3, 4].map(after),
        [Some(0), Some(2), Some(4), Some(5), None]
    );
}

#[derive(Default, PartialEq, Debug)]
struct Notes(Option<LineKind>, Vec<String>, Vec<Ply>);

impl TraceSink for Notes {
    fn begin(&mut self, line: &LineKind, rows: &dyn Fn() -> Vec<String>) -> std::io::Result<()> {
        (self.0, self.1) = (Some(line.clone()), rows());
        Ok(())
    }

    fn ply(&mut self, ply: &Ply) -> std::io::Result<()> {
        self.2.push(ply.clone());
        Ok(())
    }
}

#[test]
fn a_recording_keeps_the_game() {
    for sample in &SAMPLES {
        let entry = find(RULESETS, sample.ruleset).unwrap();
        let game = (entry.read)(&from_text(sample.board)).unwrap();
        let plan = Plan {
            moves: Some(sample.moves),
            ..Plan::default()
        };
        let mut told = Notes::default();
        game.trace(&plan, &mut told).unwrap();
        let recording = sample.play();
        let mut rows = boards(&recording).into_iter();
        let start = rows.next().unwrap();
        let ply = |(ply, rows): (&RecordedPly, Vec<String>)| Ply {
            turn: ply.turn,
            who: ply.who,
            mv: ply.mv.clone(),
            orders: String::new(),
            events: ply.events.clone(),
            rows,
        };
        let plies = recording.plies.iter().zip(rows).map(ply).collect();
        let again = Notes(Some(recording.kind.clone()), start, plies);
        assert_eq!(told, again);
    }
}

#[test]
fn a_png_shows_the_runner_in_his_cell() {
    for sample in &SAMPLES {
        let recording = sample.play();
        for theme in [Theme::Light, Theme::Dark] {
            let style = PictureStyle {
                theme: Some(theme),
                ..style()
            };
            let bytes =
                bytes(|out| raster::png(&request(&recording, &style, &Limits::default()), 0, out));
            let decoder = ::png::Decoder::new(std::io::Cursor::new(bytes));
            let mut reader = decoder.read_info().unwrap();
            let (width, height) = reader.info().size();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            // A caption needs at least 440 pixels, with a margin of 22 on each side.
            assert_eq!((width, height), (484, 50 + 40 * sample.size.1 + 64));
            let at = runner(&boards(&recording)[0], &figures(&recording)).unwrap();
            let at = 3 * pixel(at, sample.size, width);
            assert_eq!(
                pixels[at..at + 3],
                Ink::Runner.color(theme),
                "{}",
                sample.ruleset
            );
            assert_eq!(pixels[..3], Ink::Paper.color(theme));
        }
    }
}

#[test]
fn a_gif_has_all_positions_with_the_runner_in_his_cell() {
    for sample in SAMPLES.iter().take(sized(1, SAMPLES.len())) {
        let recording = sample.play();
        let limits = Limits::default();
        let bytes = bytes(|out| animation::animated(&request(&recording, &style(), &limits), out));
        let mut options = ::gif::DecodeOptions::new();
        options.set_color_output(::gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&*bytes).unwrap();
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        let mut screen = vec![[0_u8; 4]; width * height];
        let mut delays = Vec::new();
        let boards = boards(&recording);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (number, pixel) in frame.buffer.chunks_exact(4).enumerate() {
                let (row, col) = (
                    number / usize::from(frame.width) + usize::from(frame.top),
                    number % usize::from(frame.width) + usize::from(frame.left),
                );
                if pixel[3] > 0 {
                    screen[row * width + col].copy_from_slice(pixel);
                }
            }
            if let Some(at) = runner(&boards[delays.len()], &figures(&recording)) {
                let [red, green, blue] = Ink::Runner.color(Theme::Light);
                let at = pixel(at, sample.size, width as u32);
                let what = (sample.ruleset, delays.len());
                assert_eq!(screen[at], [red, green, blue, 255], "{what:?}");
            }
            delays.push(frame.delay);
        }
        // The times are in hundredths of a second; the last picture is shown longest.
        let mut expected = vec![45; sample.positions];
        *expected.last_mut().unwrap() = 180;
        assert_eq!(delays, expected, "{}", sample.ruleset);
    }
}

fn check_references(document: &roxmltree::Document) {
    let all = || document.descendants().filter(roxmltree::Node::is_element);
    let ids: BTreeSet<_> = all().filter_map(|node| node.attribute("id")).collect();
    let uses: Vec<_> = all().filter_map(|node| node.attribute("href")).collect();
    assert!(!uses.is_empty());
    for used in uses {
        assert!(ids.contains(&used[1..]), "{used} is not among {ids:?}");
    }
}

#[test]
fn an_svg_is_xml_with_all_positions() {
    for sample in &SAMPLES {
        let recording = sample.play();
        let limits = Limits::default();
        let moving = text(|out| svg::animated(&request(&recording, &style(), &limits), out));
        let document = roxmltree::Document::parse(&moving).unwrap();
        check_references(&document);
        let with_class = |class: &'static str| {
            let has = move |node: &roxmltree::Node| {
                let classes = node.attribute("class").unwrap_or_default();
                classes.split(' ').any(|own| own == class)
            };
            document.descendants().filter(has).count()
        };
        assert_eq!(with_class("f"), sample.positions, "{}", sample.ruleset);
        let find = |name: &str| {
            let mut all = document.descendants();
            all.find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", name)))
        };
        let title = find("title").unwrap().text().unwrap();
        assert_eq!(title, format!("a game of {}", sample.ruleset));

        let last = recording.plies.len();
        let end = text(|out| svg::still(&request(&recording, &style(), &limits), last, out));
        let document = roxmltree::Document::parse(&end).unwrap();
        check_references(&document);
        assert!(!end.contains("<animate"), "a still does not move");
        let caption = captions::caption(&recording, last);
        assert!(end.contains(&format!(">{caption}</text>")), "{end}");
    }
}

#[test]
fn a_page_has_its_game_as_json() {
    for sample in &SAMPLES {
        let recording = sample.play();
        let limits = Limits::default();
        let page = text(|out| html::page(&request(&recording, &style(), &limits), out));
        let begin = "<script type=\"application/json\" id=\"game\">";
        let (before, data) = page.split_once(begin).unwrap();
        let (data, _) = data.split_once("</script>").unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["delay"], 450);
        let positions = data["positions"].as_array().unwrap();
        assert_eq!(positions.len(), sample.positions);
        for position in positions {
            let marks = position["marks"].as_str().unwrap();
            let marks = format!("<g>{marks}</g>");
            let document = roxmltree::Document::parse(&marks).unwrap();
            for node in document.descendants() {
                if let Some(used) = node.attribute("href") {
                    let id = format!("id=\"{}\"", &used[1..]);
                    assert!(before.contains(&id), "{id}");
                }
            }
        }
        let says = positions.last().unwrap()["says"].as_str().unwrap();
        assert!(says.contains(&captions::ending(&recording)), "{says}");
        for foreign in ["http:", "https:", "src=", "@import", "url("] {
            assert!(
                !page.contains(foreign),
                "the page asks for nothing: {foreign}"
            );
        }
    }
}

#[test]
fn a_view_has_a_position_without_style_attributes() {
    for sample in &SAMPLES {
        let recording = sample.play();
        let limits = Limits::default();
        for position in 0..recording.positions() {
            let (picture, style) = (Picture::View(position), style());
            let view = text(|out| recording.draw(picture, &style, &limits, out));
            let view: Value = serde_json::from_str(&view).unwrap();
            let part = |key: &str| view[key].as_str().unwrap().to_owned();
            assert_eq!(part("says"), captions::sentences(&recording, position));
            let svg = part("definitions") + &part("ground") + &part("marks") + &part("legend");
            let svg = format!("<svg>{svg}</svg>");
            let document = roxmltree::Document::parse(&svg).unwrap();
            check_references(&document);
            let mut nodes = document.descendants();
            assert!(!nodes.any(|node| node.has_attribute("style")), "{svg}");
        }
    }
}

#[test]
fn a_board_with_faults_can_be_drawn() {
    for entry in RULESETS {
        for rows in [&[][..], &["o"], &["oo#", "?"], &["+-+-", "|TM"], &["", ""]] {
            let rows: Vec<_> = rows.iter().map(ToString::to_string).collect();
            let recording = record_rows(entry, &rows);
            let view =
                text(|out| recording.draw(Picture::View(0), &style(), &Limits::default(), out));
            assert!(view.contains("\"ground\""), "{rows:?}");
        }
    }
}

#[test]
fn a_ply_is_described_in_a_sentence() {
    let says = |sample: usize, position| captions::sentences(&SAMPLES[sample].play(), position);
    assert_eq!(says(0, 0), "Escape in 1 move.");
    assert_eq!(says(0, 1), "Turn 1, ghosts: ghost from 3,5 to 3,4.");
    assert_eq!(
        says(0, 2),
        "Turn 1, Jimmy L: Jimmy from 3,2 to 3,1. The end: escape in 1 move."
    );
    // Coordinates count cells, not the walls between them.
    assert_eq!(says(4, 3), "Turn 2, Theseus L: Theseus from 1,2 to 1,1.");
    assert_eq!(says(4, 1), "Turn 1, Theseus S: nobody moves.");
    assert_eq!(
        captions::caption(&SAMPLES[1].play(), 3),
        "turn 2 of 2, hero d: walked into a chaser"
    );
}

fn marks(recording: &Recording, position: usize) -> Vec<Mark> {
    let mut scene = Scene::new(recording, usize::MAX, &Limits::default()).unwrap();
    (0..position).for_each(|_| assert!(scene.advance()));
    scene.marks()
}

/// Returns figures with their positions, sizes in tenths, and whether they are faint.
fn drawn(recording: &Recording, position: usize) -> Vec<(Figure, (f32, f32), u32, bool)> {
    let figure = |mark: &Mark| match mark.what {
        MarkContent::Figure(figure) => {
            let tenths = (mark.scale * 10.0).round() as u32;
            Some((figure, mark.at, tenths, mark.opacity < 1.0))
        }
        MarkContent::Shape(_) => None,
    };
    marks(recording, position)
        .iter()
        .filter_map(figure)
        .collect()
}

#[test]
fn a_move_leaves_a_shade_behind() {
    let recording = SAMPLES[0].play();
    assert_eq!(
        drawn(&recording, 1),
        [
            (Figure::Ghost, (4.5, 2.5), 10, true),
            (Figure::Runner, (1.5, 2.5), 10, false),
            (Figure::Ghost, (3.5, 2.5), 10, false),
        ]
    );
    let ghost = marks(&recording, 1).pop().unwrap();
    assert_eq!(ghost.comes_from, Some([(1.0, 0.0), (0.5, 0.0)]));
}

#[test]
fn two_steps_follow_their_path() {
    let board = "+-+-+-+\n|T . .|\n+ +-+ +\n|. . E|\n+ + + +\n|. . M|\n+-+-+-+\n";
    let recording = along("theseus", board, "D");
    // The Minotaur goes sideways first, from column 3 to column 1 of the lowest row.
    let minotaur = marks(&recording, 2)
        .into_iter()
        .rfind(|mark| mark.what == MarkContent::Figure(Figure::Minotaur) && mark.opacity > 0.9);
    let minotaur = minotaur.unwrap();
    assert_eq!(minotaur.at, (0.5, 2.5));
    assert_eq!(minotaur.comes_from, Some([(2.0, 0.0), (1.0, 0.0)]));
}

#[test]
fn a_catch_is_a_clash_of_both() {
    let clash = drawn(&SAMPLES[1].play(), 3);
    let clash: Vec<_> = clash
        .iter()
        .map(|&(figure, _, size, _)| (figure, size))
        .collect();
    assert_eq!(
        clash,
        [(Figure::Runner, 7), (Figure::Monster, 9)],
        "the monster that he walked into was at his side"
    );
}

#[test]
fn a_falling_actor_shrinks_in_the_abyss() {
    // The bat goes along its row to the hero's column. Only on the second board, that cell is an abyss.
    let recording = along("baddies", "H   \n #  \n   ~\n   *\n", "d");
    let before = drawn(&recording, 1);
    assert!(
        before.contains(&(Figure::Bat, (3.5, 2.5), 10, false)),
        "{before:?}"
    );
    let recording = along("baddies", "H   \n #~ \n   *\n", "d");
    let after = drawn(&recording, 2);
    assert!(
        after.contains(&(Figure::Bat, (1.5, 1.5), 5, true)),
        "{after:?}"
    );
}

#[test]
fn an_escaped_runner_is_visible_off_the_board() {
    let recording = SAMPLES[3].play();
    assert!(!boards(&recording)[3].concat().contains('P'));
    let last = drawn(&recording, 3);
    assert_eq!(last, [(Figure::Runner, (4.5, 1.5), 10, false)]);
    let rays = |position| {
        let is_goal =
            |mark: &Mark| matches!(&mark.what, MarkContent::Shape(s) if s.ink == Ink::Goal);
        marks(&recording, position)
            .into_iter()
            .filter(is_goal)
            .count()
    };
    assert_eq!([1, 2, 3].map(rays), [0, 0, 1]);
}

#[test]
fn a_board_that_nobody_leaves_has_a_frame() {
    let has_frame = |sample: &&Sample| {
        let recording = sample.play();
        let scene = Scene::new(&recording, 0, &Limits::default()).unwrap();
        let is_line = |shape: &Shape| matches!(shape.brush, Brush::Pen(_));
        let mut lines = scene.ground().into_iter().filter(is_line);
        lines.any(|line| line.ink == Ink::Wall)
    };
    let framed = SAMPLES.iter().filter(has_frame);
    let framed: Vec<_> = framed.map(|sample| sample.ruleset).collect();
    assert_eq!(framed, ["baddies", "theseus"]);
}

#[test]
fn a_key_is_there_until_it_is_taken() {
    let recording = SAMPLES[3].play();
    let has_key = |position| {
        let drawn = drawn(&recording, position);
        drawn.iter().any(|(figure, ..)| *figure == Figure::Key)
    };
    assert_eq!([0, 1, 2, 3].map(has_key), [true, false, false, false]);
}

#[test]
fn a_door_beneath_a_runner_is_always_drawn() {
    let board = "; strategy: chase\n-------\n|P.D..|\n---E---\n";
    let recording = along("dungeon", board, "R R R");
    let door = |scene: &Scene| {
        let ground = scene.ground();
        let planks = ground.iter().filter(|shape| shape.ink == Ink::Door);
        planks.count()
    };
    let mut scene = Scene::new(&recording, 9, &Limits::default()).unwrap();
    assert_eq!(door(&scene), 1);
    while scene.advance() {
        assert_eq!(door(&scene), 1, "position {}", scene.position());
    }
}

#[test]
fn a_teleport_is_drawn_as_a_dashed_line() {
    let board = std::fs::read_to_string("../../puzzles/dungeon/27-lucky-teleport.txt").unwrap();
    let of_teleports = |seed| {
        let plan = Plan {
            seed,
            turns: Some(6),
            ..Plan::default()
        };
        let recording = play("dungeon", &board, &plan);
        let is_dashed = |mark: &Mark| matches!(&mark.what, MarkContent::Shape(shape) if matches!(shape.brush, Brush::Dashes(_)));
        for position in 1..recording.positions() {
            let events = &recording.plies[position - 1].events;
            let teleports = |event: &&TraceEvent| event.fate == Fate::Teleports;
            let told = events.iter().filter(teleports).count();
            let dashed = marks(&recording, position).into_iter().filter(is_dashed);
            assert_eq!(dashed.count(), told, "seed {seed}, position {position}");
        }
        let plies = recording.plies.iter().flat_map(|ply| &ply.events);
        plies.filter(|event| event.fate == Fate::Teleports).count()
    };
    let teleports: usize = (0..8).map(of_teleports).sum();
    assert!(teleports > 0, "there is something to see");
}

fn check_table<R: Notation>() {
    let figures = Figures::of(R::NAME, R::LEGEND);
    let glyphs = R::LEGEND
        .signs()
        .iter()
        .flat_map(|(glyphs, _, _)| glyphs.chars());
    for glyph in glyphs {
        assert!(figures.has(glyph), "{} has no `{glyph}`", R::NAME);
        let figure = figures.figure(glyph);
        let fits = match R::LEGEND.meaning(glyph) {
            Meaning::Floor => matches!(figure, Figure::Floor | Figure::Door),
            Meaning::Wall => matches!(
                figure,
                Figure::Wall | Figure::Void | Figure::WallEnd | Figure::WallBody
            ),
            Meaning::Runner => matches!(figure, Figure::Runner | Figure::Tail),
            Meaning::Chaser => figure.is_chaser(),
            Meaning::Goal => matches!(
                figure,
                Figure::Ladder | Figure::Exit | Figure::Key | Figure::Food
            ),
            Meaning::Danger => figure == Figure::Abyss,
        };
        assert!(fits, "{}: `{glyph}` as {figure:?}", R::NAME);
        assert!(!figure.shapes().is_empty());
    }
}

#[test]
fn every_ruleset_has_a_table_of_figures() {
    check_table::<jimmy::Jimmy>();
    check_table::<baddies::Baddies>();
    check_table::<maze::Maze>();
    check_table::<dungeon::Dungeon>();
    check_table::<theseus::Theseus>();
    for entry in RULESETS {
        assert!(
            SAMPLES.iter().any(|sample| sample.ruleset == entry.name),
            "{}",
            entry.name
        );
    }
}

#[test]
fn a_ruleset_without_a_table_is_drawn_by_what_its_glyphs_mean() {
    let mut recording = SAMPLES[0].play();
    recording.subject.ruleset = "one of your own";
    let drawn = drawn(&recording, 1);
    assert_eq!(drawn[0], (Figure::Chaser, (4.5, 2.5), 10, true));
    let letters = marks(&recording, 1)
        .into_iter()
        .filter(|mark| matches!(&mark.what, MarkContent::Shape(shape) if shape.ink == Ink::Eye));
    assert_eq!(letters.count(), 1, "a chaser has his letter");
    let legend = captions::legend(&recording);
    let names: Vec<_> = legend.iter().map(|(_, name)| &**name).collect();
    assert_eq!(names, ["floor", "runner", "chaser g"]);
}

fn failure(write: impl Fn(&mut Vec<u8>) -> Result<(), RenderError>) -> RenderError {
    write(&mut Vec::new()).unwrap_err()
}

#[test]
fn limits_end_the_drawing() {
    let recording = SAMPLES[0].play();
    let style = style();
    let stop = AtomicBool::new(true);
    let stopped = Limits {
        stop: Some(&stop),
        ..Limits::default()
    };
    let little = Limits {
        max_memory: Some(2_000),
        ..Limits::default()
    };
    for (limits, expected) in [(stopped, Limit::Interrupt), (little, Limit::Memory)] {
        let errors = [
            failure(|out| animation::animated(&request(&recording, &style, &limits), out)),
            failure(|out| svg::animated(&request(&recording, &style, &limits), out)),
            failure(|out| html::page(&request(&recording, &style, &limits), out)),
        ];
        for error in errors {
            assert!(
                matches!(error, RenderError::Limit(limit) if limit == expected),
                "{error:?}"
            );
        }
    }
}

#[test]
fn pictures_are_not_larger_than_can_be_shown() {
    let board = format!("o{}\n", ".".repeat(100)) + &format!("{}\n", ".".repeat(101)).repeat(100);
    let recording = along("jimmy", &board, "");
    let large = PictureStyle {
        cell: Some(100),
        ..PictureStyle::default()
    };
    let limits = Limits::default();
    let error = failure(|out| raster::png(&request(&recording, &large, &limits), 0, out));
    assert_eq!(
        error.to_string(),
        "a picture of 10144 x 10214 pixels is too large: the maximum is 16777216 pixels"
    );
    let long = along("baddies", "H+*\n", &"s".repeat(400));
    let large = PictureStyle {
        cell: Some(512),
        ..PictureStyle::default()
    };
    let mut longer = long.clone();
    while longer.positions() < 5_000 {
        longer.plies.extend(long.plies.iter().cloned());
    }
    let error = failure(|out| animation::animated(&request(&longer, &large, &limits), out));
    assert!(
        matches!(error, RenderError::TooLong { frames, .. } if frames > 5_000),
        "{error:?}"
    );
    assert!(matches!(long.ending, Ending::Open { turns: 400, .. }));
}

#[test]
fn recordings_count_as_memory() {
    let sample = &SAMPLES[0];
    let puzzle = from_text(sample.board);
    let entry = of_board(RULESETS, &puzzle).unwrap();
    let game = (entry.read)(&puzzle).unwrap();
    let limits = Limits {
        max_memory: Some(100),
        ..Limits::default()
    };
    let mut recorder = Recorder::new(subject(entry, String::new()), &limits);
    let plan = Plan {
        moves: Some(sample.moves),
        ..Plan::default()
    };
    assert!(game.trace(&plan, &mut recorder).is_err());
    assert_eq!(recorder.reached(), Some(Limit::Memory));
}
