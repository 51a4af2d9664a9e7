//! How each figure is drawn: a few shapes around the middle of a cell.

use super::figures::Figure;
use super::shapes::{Path, Point, Segment, Shape};
use super::theme::Ink;

impl Figure {
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
