//! What a glyph looks like: a figure. Each ruleset has a table of its own; one that has none is drawn by
//! what its glyphs mean.

use super::shapes::{Path, Point, Segment, Shape};
use super::theme::Ink;
use crate::ruleset::Meaning;

/// What can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Figure {
    /// Empty floor.
    Floor,
    /// What is in the way; such cells are joined.
    Wall,
    /// Where there is not even floor; such cells are joined.
    Void,
    /// A hole in the floor; such cells are joined.
    Abyss,
    /// A door.
    Door,
    /// A ladder.
    Ladder,
    /// A way out.
    Exit,
    /// A key.
    Key,
    /// Something to eat.
    Food,
    /// The one who runs.
    Runner,
    /// What follows him; it is joined to him.
    Tail,
    /// A ghost.
    Ghost,
    /// A zombie.
    Zombie,
    /// A monster.
    Monster,
    /// A large monster.
    SuperMonster,
    /// A bat.
    Bat,
    /// The Minotaur.
    Minotaur,
    /// One who chases, where nothing more is known: with his letter.
    Chaser,
    /// The moving end of a wall: with its letter.
    WallEnd,
    /// What follows it; it is joined to its end.
    WallBody,
}

/// How the cells of a drawing lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A character is a cell.
    Plain,
    /// Each second character of each second line is a cell, with thin walls between cells.
    Doubled,
}

/// Glyphs that look alike, their figure, and the word for it.
type Row = (&'static str, Figure, &'static str);

/// The figures of a ruleset.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    rows: &'static [Row],
    meaning: fn(char) -> Meaning,
    /// How its drawings are laid out.
    pub layout: Layout,
}

const JIMMY: &[Row] = &[
    ("o", Figure::Runner, "Jimmy"),
    ("g", Figure::Ghost, "ghost"),
    ("#", Figure::Wall, "solid"),
    (".", Figure::Floor, "floor"),
];

const BADDIES: &[Row] = &[
    ("H", Figure::Runner, "hero"),
    ("m", Figure::Monster, "monster"),
    ("M", Figure::SuperMonster, "super monster"),
    ("~", Figure::Bat, "bat"),
    ("*", Figure::Ladder, "ladder"),
    ("+", Figure::Wall, "wall"),
    ("#", Figure::Abyss, "abyss"),
    (" .", Figure::Floor, "floor"),
];

const MAZE: &[Row] = &[
    ("R", Figure::Runner, "runner"),
    ("r", Figure::Tail, "his string of food"),
    ("*", Figure::Food, "food"),
    (
        "ABCDEFGHIJKLMNOPQSTUVWXYZ",
        Figure::WallEnd,
        "a wall's moving end",
    ),
    (
        "abcdefghijklmnopqstuvwxyz",
        Figure::WallBody,
        "a wall's body",
    ),
    (".", Figure::Floor, "floor"),
];

const DUNGEON: &[Row] = &[
    ("P", Figure::Runner, "player"),
    ("G", Figure::Ghost, "ghost"),
    ("Z", Figure::Zombie, "zombie"),
    ("K", Figure::Key, "key"),
    ("E", Figure::Exit, "exit"),
    ("D", Figure::Door, "door"),
    ("-|", Figure::Wall, "room wall"),
    ("Xx", Figure::Void, "void"),
    (" .", Figure::Floor, "floor"),
];

const THESEUS: &[Row] = &[
    ("Tt", Figure::Runner, "Theseus"),
    ("Mm", Figure::Minotaur, "Minotaur"),
    ("E", Figure::Exit, "exit"),
    ("#-|+", Figure::Wall, "wall"),
    (" .", Figure::Floor, "floor"),
];

impl Figures {
    /// The figures of a ruleset; `meaning` tells what a glyph stands for that is not in its table.
    pub fn of(ruleset: &str, meaning: fn(char) -> Meaning) -> Self {
        let (rows, layout) = match ruleset {
            "jimmy" => (JIMMY, Layout::Plain),
            "baddies" => (BADDIES, Layout::Plain),
            "maze" => (MAZE, Layout::Plain),
            "dungeon" => (DUNGEON, Layout::Plain),
            "theseus" => (THESEUS, Layout::Doubled),
            _ => (&[] as &[Row], Layout::Plain),
        };
        Self {
            rows,
            meaning,
            layout,
        }
    }

    fn row(&self, glyph: char) -> Option<&'static Row> {
        self.rows.iter().find(|(glyphs, ..)| glyphs.contains(glyph))
    }

    /// Whether the table of its ruleset has this glyph.
    pub fn has(&self, glyph: char) -> bool {
        self.row(glyph).is_some()
    }

    /// What the glyph looks like.
    pub fn figure(&self, glyph: char) -> Figure {
        if let Some(&(_, figure, _)) = self.row(glyph) {
            return figure;
        }
        match (self.meaning)(glyph) {
            Meaning::Floor => Figure::Floor,
            Meaning::Wall => Figure::Wall,
            Meaning::Runner => Figure::Runner,
            Meaning::Chaser => Figure::Chaser,
            Meaning::Goal => Figure::Exit,
            Meaning::Danger => Figure::Abyss,
        }
    }

    /// The word for it.
    pub fn name(&self, glyph: char) -> String {
        if let Some(&(.., name)) = self.row(glyph) {
            return name.to_owned();
        }
        match (self.meaning)(glyph) {
            Meaning::Floor => "floor".into(),
            Meaning::Wall => "wall".into(),
            Meaning::Runner => "runner".into(),
            Meaning::Chaser => format!("chaser {glyph}"),
            Meaning::Goal => "goal".into(),
            Meaning::Danger => "danger".into(),
        }
    }
}

impl Figure {
    /// Whether it can move, so that something else lies beneath it.
    pub const fn is_actor(self) -> bool {
        self.is_chaser() || self.is_snake() || matches!(self, Self::Runner)
    }

    /// Whether it is one of those who chase.
    pub const fn is_chaser(self) -> bool {
        matches!(
            self,
            Self::Ghost
                | Self::Zombie
                | Self::Monster
                | Self::SuperMonster
                | Self::Bat
                | Self::Minotaur
                | Self::Chaser
        )
    }

    /// Whether it is a part of something long that creeps.
    pub const fn is_snake(self) -> bool {
        matches!(self, Self::Tail | Self::WallEnd | Self::WallBody)
    }

    /// Whether one who stands there hides it.
    pub const fn is_thing(self) -> bool {
        matches!(self, Self::Key | Self::Food)
    }

    /// Its name, for the parts of a drawing.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Floor => "floor",
            Self::Wall => "wall",
            Self::Void => "void",
            Self::Abyss => "abyss",
            Self::Door => "door",
            Self::Ladder => "ladder",
            Self::Exit => "exit",
            Self::Key => "key",
            Self::Food => "food",
            Self::Runner => "runner",
            Self::Tail => "tail",
            Self::Ghost => "ghost",
            Self::Zombie => "zombie",
            Self::Monster => "monster",
            Self::SuperMonster => "super-monster",
            Self::Bat => "bat",
            Self::Minotaur => "minotaur",
            Self::Chaser => "chaser",
            Self::WallEnd => "wall-end",
            Self::WallBody => "wall-body",
        }
    }

    /// The colour of its traces.
    pub const fn ink(self) -> Ink {
        match self {
            Self::Runner | Self::Tail => Ink::Runner,
            Self::Ghost => Ink::Ghost,
            Self::Zombie => Ink::Zombie,
            Self::Monster => Ink::Monster,
            Self::SuperMonster => Ink::SuperMonster,
            Self::Bat => Ink::Bat,
            Self::Minotaur => Ink::Minotaur,
            Self::WallEnd | Self::WallBody => Ink::WallOne,
            Self::Ladder | Self::Exit | Self::Key | Self::Food => Ink::Goal,
            Self::Abyss => Ink::Danger,
            Self::Wall => Ink::Wall,
            Self::Void => Ink::Void,
            Self::Door => Ink::Door,
            Self::Floor => Ink::Floor,
            Self::Chaser => Ink::Chaser,
        }
    }

    /// The figure around the middle of a cell, as it stands alone.
    pub fn shapes(self) -> Vec<Shape> {
        match self {
            Self::Floor => vec![tile(0.1).fill(Ink::Floor), tile(0.1).pen(0.03, Ink::Lines)],
            Self::Wall => vec![
                tile(0.14).placed(1.0, (0.0, 0.08)).fill(Ink::WallSide),
                tile(0.14).fill(Ink::Wall),
            ],
            Self::Void => vec![tile(0.1).fill(Ink::Void)],
            Self::Abyss => vec![
                tile(0.3).fill(Ink::DangerRim),
                tile(0.3).placed(0.86, (0.0, 0.03)).fill(Ink::Danger),
            ],
            Self::Door => door(),
            Self::Ladder => ladder(),
            Self::Exit => exit(),
            Self::Key => key(),
            Self::Food => food(),
            Self::Runner => runner(),
            Self::Tail => vec![Path::circle((0.0, 0.0), 0.27).fill(Ink::Runner).faint(0.75)],
            Self::Ghost => ghost(),
            Self::Zombie => zombie(),
            Self::Monster => monster(),
            Self::SuperMonster => super_monster(),
            Self::Bat => bat(),
            Self::Minotaur => minotaur(),
            Self::Chaser => vec![chaser().fill(Ink::Chaser)],
            Self::WallEnd => vec![Path::circle((0.0, 0.0), 0.41).fill(Ink::WallOne)],
            Self::WallBody => vec![Path::circle((0.0, 0.0), 0.33).fill(Ink::WallOne)],
        }
    }
}

/// A cell with round corners.
fn tile(radius: f32) -> Path {
    Path::rectangle((-0.5, -0.5), (0.5, 0.5), radius)
}

/// A pair of eyes `apart` from the middle and `y` down, this large, that look down a little.
fn eyes(apart: f32, y: f32, size: f32) -> [Shape; 2] {
    let both = |size: f32, y: f32| {
        let tall = (size, size * 1.15);
        Path::ellipse((-apart, y), tall).and(Path::ellipse((apart, y), tall))
    };
    [
        both(size, y).fill(Ink::Eye),
        both(size * 0.52, y + size * 0.25).fill(Ink::Pupil),
    ]
}

fn runner() -> Vec<Shape> {
    let smile = Path(vec![
        Segment::Move((-0.13, 0.12)),
        Segment::Quad((0.0, 0.25), (0.13, 0.12)),
    ]);
    let mut shapes = vec![Path::circle((0.0, 0.0), 0.37).fill(Ink::Runner)];
    shapes.extend(eyes(0.135, -0.11, 0.09));
    shapes.push(smile.pen(0.05, Ink::Pupil));
    shapes
}

fn ghost() -> Vec<Shape> {
    let hem = |x: f32| Segment::Quad((x + 0.056, 0.22), (x, 0.36));
    let body = Path(vec![
        Segment::Move((-0.335, 0.36)),
        Segment::Line((-0.335, -0.02)),
        Segment::Cubic((-0.335, -0.5), (0.335, -0.5), (0.335, -0.02)),
        Segment::Line((0.335, 0.36)),
        hem(0.1117),
        hem(-0.1117),
        hem(-0.335),
        Segment::Close,
    ]);
    let mut shapes = vec![body.fill(Ink::Ghost)];
    shapes.extend(eyes(0.13, -0.1, 0.1));
    shapes
}

fn zombie() -> Vec<Shape> {
    let head = Path::rectangle((-0.31, -0.36), (0.31, 0.37), 0.16);
    let mut mouth = Path::lines([(-0.17, 0.2), (0.17, 0.2)]);
    for x in [-0.09, 0.0, 0.09] {
        mouth.add_lines([(x, 0.15), (x, 0.25)]);
    }
    let scar = Path::lines([(-0.26, -0.25), (-0.08, -0.29)]);
    vec![
        head.fill(Ink::Zombie),
        Path::circle((-0.13, -0.07), 0.1).fill(Ink::Eye),
        Path::circle((-0.12, -0.06), 0.04).fill(Ink::Pupil),
        Path::circle((0.14, -0.06), 0.075).fill(Ink::Eye),
        Path::circle((0.14, -0.05), 0.035).fill(Ink::Pupil),
        mouth.pen(0.035, Ink::Pupil),
        scar.pen(0.035, Ink::Pupil),
    ]
}

fn monster() -> Vec<Shape> {
    let horns = Path::polygon([(-0.3, -0.42), (-0.05, -0.28), (-0.29, -0.1)]).and(Path::polygon([
        (0.3, -0.42),
        (0.05, -0.28),
        (0.29, -0.1),
    ]));
    let mouth = Path(vec![
        Segment::Move((-0.13, 0.22)),
        Segment::Quad((0.0, 0.13), (0.13, 0.22)),
    ]);
    vec![
        horns.fill(Ink::Monster),
        Path::circle((0.0, 0.03), 0.33).fill(Ink::Monster),
        Path::circle((0.0, -0.04), 0.14).fill(Ink::Eye),
        Path::circle((0.0, -0.02), 0.065).fill(Ink::Pupil),
        mouth.pen(0.045, Ink::Pupil),
    ]
}

fn super_monster() -> Vec<Shape> {
    let crest = Path::polygon([
        (-0.4, -0.1),
        (-0.4, -0.44),
        (-0.2, -0.3),
        (0.0, -0.48),
        (0.2, -0.3),
        (0.4, -0.44),
        (0.4, -0.1),
    ]);
    let teeth = (0..5).map(|tooth| {
        let x = (tooth as f32).mul_add(0.1, -0.2);
        (x, if tooth % 2 == 0 { 0.14 } else { 0.25 })
    });
    let brows = Path::lines([(-0.25, -0.2), (-0.06, -0.11)])
        .and(Path::lines([(0.25, -0.2), (0.06, -0.11)]));
    let mut shapes = vec![
        crest.fill(Ink::SuperMonster),
        Path::rectangle((-0.41, -0.28), (0.41, 0.41), 0.2).fill(Ink::SuperMonster),
    ];
    shapes.extend(eyes(0.15, -0.03, 0.1));
    shapes.push(brows.pen(0.05, Ink::Pupil));
    shapes.push(Path::polygon(teeth).fill(Ink::Eye));
    shapes
}

fn bat() -> Vec<Shape> {
    let wing = |side: f32| {
        Path(vec![
            Segment::Move((side * 0.08, -0.08)),
            Segment::Quad((side * 0.22, -0.38), (side * 0.47, -0.24)),
            Segment::Quad((side * 0.4, -0.05), (side * 0.46, 0.16)),
            Segment::Quad((side * 0.36, 0.05), (side * 0.29, 0.18)),
            Segment::Quad((side * 0.2, 0.08), (side * 0.1, 0.2)),
            Segment::Close,
        ])
    };
    let ears = Path::polygon([(-0.15, -0.02), (-0.13, -0.3), (0.0, -0.14)]).and(Path::polygon([
        (0.15, -0.02),
        (0.13, -0.3),
        (0.0, -0.14),
    ]));
    let mut shapes = vec![
        wing(-1.0).and(wing(1.0)).fill(Ink::Bat),
        ears.fill(Ink::Bat),
        Path::ellipse((0.0, 0.05), (0.17, 0.2)).fill(Ink::Bat),
    ];
    shapes.extend(eyes(0.065, -0.01, 0.052));
    shapes
}

fn minotaur() -> Vec<Shape> {
    let horn = |side: f32| {
        Path(vec![
            Segment::Move((side * 0.14, -0.24)),
            Segment::Quad((side * 0.42, -0.16), (side * 0.4, -0.46)),
            Segment::Quad((side * 0.56, -0.02), (side * 0.2, -0.03)),
            Segment::Close,
        ])
    };
    let head = Path(vec![
        Segment::Move((-0.26, -0.28)),
        Segment::Quad((0.0, -0.4), (0.26, -0.28)),
        Segment::Cubic((0.34, 0.0), (0.22, 0.18), (0.2, 0.3)),
        Segment::Quad((0.0, 0.5), (-0.2, 0.3)),
        Segment::Cubic((-0.22, 0.18), (-0.34, 0.0), (-0.26, -0.28)),
        Segment::Close,
    ]);
    let mut shapes = vec![
        horn(-1.0).and(horn(1.0)).fill(Ink::GoalSide),
        head.fill(Ink::Minotaur),
        Path::ellipse((0.0, 0.26), (0.17, 0.11))
            .fill(Ink::Eye)
            .faint(0.35),
        Path::circle((-0.07, 0.25), 0.028)
            .and(Path::circle((0.07, 0.25), 0.028))
            .fill(Ink::Pupil),
        Path::circle((0.0, 0.35), 0.06).pen(0.03, Ink::Goal),
    ];
    shapes.extend(eyes(0.125, -0.1, 0.075));
    shapes
}

fn chaser() -> Path {
    Path::rectangle((-0.34, -0.34), (0.34, 0.34), 0.22)
}

fn door() -> Vec<Shape> {
    let planks =
        Path::lines([(-0.14, -0.4), (-0.14, 0.4)]).and(Path::lines([(0.14, -0.4), (0.14, 0.4)]));
    vec![
        tile(0.1).fill(Ink::DoorSide),
        Path::rectangle((-0.42, -0.42), (0.42, 0.42), 0.08).fill(Ink::Door),
        planks.pen(0.035, Ink::DoorSide),
        Path::circle((0.28, 0.03), 0.055).fill(Ink::DoorSide),
    ]
}

fn ladder() -> Vec<Shape> {
    let mut rungs = Path::default();
    for y in [-0.27, -0.09, 0.09, 0.27] {
        rungs.add_lines([(-0.18, y), (0.18, y)]);
    }
    let rails = Path::lines([(-0.19, -0.42), (-0.19, 0.42)])
        .and(Path::lines([(0.19, -0.42), (0.19, 0.42)]));
    vec![
        Path::circle((0.0, 0.0), 0.49).fill(Ink::Goal).faint(0.22),
        rungs.pen(0.08, Ink::Goal),
        rails.pen(0.1, Ink::GoalSide),
    ]
}

fn exit() -> Vec<Shape> {
    let arch = |half: f32, top: f32| {
        Path(vec![
            Segment::Move((-half, 0.42)),
            Segment::Line((-half, top)),
            Segment::Cubic(
                (-half, top - half * 1.3),
                (half, top - half * 1.3),
                (half, top),
            ),
            Segment::Line((half, 0.42)),
            Segment::Close,
        ])
    };
    let arrow = Path::lines([(-0.09, 0.12), (0.0, 0.02), (0.09, 0.12)])
        .and(Path::lines([(0.0, 0.04), (0.0, 0.28)]));
    vec![
        arch(0.34, -0.06).fill(Ink::GoalSide),
        arch(0.25, -0.04).fill(Ink::Goal),
        arrow.pen(0.06, Ink::Eye),
    ]
}

fn key() -> Vec<Shape> {
    let shaft: [Point; 2] = [(0.02, 0.0), (0.33, 0.0)];
    let teeth =
        Path::lines([(0.21, 0.0), (0.21, 0.12)]).and(Path::lines([(0.32, 0.0), (0.32, 0.12)]));
    let whole = Path::circle((-0.16, 0.0), 0.15)
        .and(Path::lines(shaft))
        .and(teeth);
    vec![
        whole
            .clone()
            .placed(1.0, (0.0, 0.03))
            .pen(0.1, Ink::GoalSide),
        whole.pen(0.085, Ink::Goal),
    ]
}

fn food() -> Vec<Shape> {
    let leaf = Path(vec![
        Segment::Move((0.01, -0.13)),
        Segment::Quad((0.05, -0.33), (0.24, -0.31)),
        Segment::Quad((0.21, -0.13), (0.01, -0.13)),
        Segment::Close,
    ]);
    vec![
        Path::circle((0.0, 0.08), 0.22).fill(Ink::GoalSide),
        Path::circle((0.0, 0.06), 0.21).fill(Ink::Goal),
        leaf.fill(Ink::Leaf),
        Path::circle((-0.07, -0.01), 0.05).fill(Ink::Eye).faint(0.7),
    ]
}
