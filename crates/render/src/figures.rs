//! The figures that are drawn for glyphs: those in the ruleset's table or, for other glyphs, one for their meaning.

use super::theme::Ink;
use getaway_ruleset::{Legend, Meaning};

macro_rules! figures {
    ($($figure:ident $id:literal $ink:ident)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Figure {
            $($figure,)*
        }

        impl Figure {
            pub const ALL: &[Self] = &[$(Self::$figure,)*];

            /// Returns the name of the drawing.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$figure => $id,)*
                }
            }

            pub const fn ink(self) -> Ink {
                match self {
                    $(Self::$figure => Ink::$ink,)*
                }
            }
        }
    };
}

// The figures with their names and colours: the ground, then things, then actors and their parts.
figures! {
    Floor "floor" Floor
    Wall "wall" Wall
    Void "void" Void
    Abyss "abyss" Danger
    Door "door" Door
    Ladder "ladder" Goal
    Exit "exit" Goal
    Key "key" Goal
    Food "food" Goal
    Runner "runner" Runner
    Tail "tail" Runner
    Ghost "ghost" Ghost
    Zombie "zombie" Zombie
    Monster "monster" Monster
    SuperMonster "super-monster" SuperMonster
    Bat "bat" Bat
    Minotaur "minotaur" Minotaur
    Chaser "chaser" Chaser
    WallEnd "wall-end" WallOne
    WallBody "wall-body" WallOne
}

/// A ruleset, some of its glyphs, their figure, and the figure's name.
type FigureEntry = (&'static str, &'static str, Figure, &'static str);

const FIGURE_TABLE: &[FigureEntry] = &[
    ("jimmy", "o", Figure::Runner, "Jimmy"),
    ("jimmy", "g", Figure::Ghost, "ghost"),
    ("jimmy", "#", Figure::Wall, "solid"),
    ("jimmy", ".", Figure::Floor, "floor"),
    ("baddies", "H", Figure::Runner, "hero"),
    ("baddies", "m", Figure::Monster, "monster"),
    ("baddies", "M", Figure::SuperMonster, "super monster"),
    ("baddies", "~", Figure::Bat, "bat"),
    ("baddies", "*", Figure::Ladder, "ladder"),
    ("baddies", "+", Figure::Wall, "wall"),
    ("baddies", "#", Figure::Abyss, "abyss"),
    ("baddies", " .", Figure::Floor, "floor"),
    ("maze", "R", Figure::Runner, "runner"),
    ("maze", "r", Figure::Tail, "his string of food"),
    ("maze", "*", Figure::Food, "food"),
    (
        "maze",
        "ABCDEFGHIJKLMNOPQSTUVWXYZ",
        Figure::WallEnd,
        "a wall's moving end",
    ),
    (
        "maze",
        "abcdefghijklmnopqstuvwxyz",
        Figure::WallBody,
        "a wall's body",
    ),
    ("maze", ".", Figure::Floor, "floor"),
    ("dungeon", "P", Figure::Runner, "player"),
    ("dungeon", "G", Figure::Ghost, "ghost"),
    ("dungeon", "Z", Figure::Zombie, "zombie"),
    ("dungeon", "K", Figure::Key, "key"),
    ("dungeon", "E", Figure::Exit, "exit"),
    ("dungeon", "D", Figure::Door, "door"),
    ("dungeon", "-|", Figure::Wall, "room wall"),
    ("dungeon", "Xx", Figure::Void, "void"),
    ("dungeon", " .", Figure::Floor, "floor"),
    ("theseus", "Tt", Figure::Runner, "Theseus"),
    ("theseus", "Mm", Figure::Minotaur, "Minotaur"),
    ("theseus", "E", Figure::Exit, "exit"),
    ("theseus", "#-|+", Figure::Wall, "wall"),
    ("theseus", " .", Figure::Floor, "floor"),
];

/// The figures of a ruleset's glyphs.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    rows: &'static [FigureEntry],
    pub legend: Legend,
}

impl Figures {
    /// Returns a ruleset's figures; `legend` determines those of glyphs that are not in [`FIGURE_TABLE`].
    pub fn of(ruleset: &str, legend: Legend) -> Self {
        let mut rulesets = FIGURE_TABLE.chunk_by(|one, next| one.0 == next.0);
        let rows = rulesets.find(|rows| rows[0].0 == ruleset);
        Self {
            rows: rows.unwrap_or_default(),
            legend,
        }
    }

    fn row(&self, glyph: char) -> Option<&'static FigureEntry> {
        self.rows.iter().find(|row| row.1.contains(glyph))
    }

    /// Returns whether the ruleset has a figure of its own for this glyph.
    pub fn has(&self, glyph: char) -> bool {
        self.row(glyph).is_some()
    }

    fn figure_and_name(&self, glyph: char) -> (Figure, &'static str) {
        if let Some(&(.., figure, name)) = self.row(glyph) {
            return (figure, name);
        }
        match self.legend.meaning(glyph) {
            Meaning::Floor => (Figure::Floor, "floor"),
            Meaning::Wall => (Figure::Wall, "wall"),
            Meaning::Runner => (Figure::Runner, "runner"),
            Meaning::Chaser => (Figure::Chaser, "chaser"),
            Meaning::Goal => (Figure::Exit, "goal"),
            Meaning::Danger => (Figure::Abyss, "danger"),
        }
    }

    pub fn figure(&self, glyph: char) -> Figure {
        self.figure_and_name(glyph).0
    }

    /// Returns the name of a glyph's figure in words; if the figure is [`Figure::Chaser`], the name includes the glyph.
    pub fn name(&self, glyph: char) -> String {
        match self.figure_and_name(glyph) {
            (Figure::Chaser, name) => format!("{name} {glyph}"),
            (_, name) => name.to_owned(),
        }
    }
}

impl Figure {
    /// Returns whether the figure is an actor or a part of one, which has ground beneath it.
    pub fn is_actor(self) -> bool {
        self >= Self::Runner
    }

    pub fn is_chaser(self) -> bool {
        (Self::Ghost..=Self::Chaser).contains(&self)
    }

    /// Returns whether the figure is part of a chain of cells: the runner's string, or a moving wall.
    pub const fn is_snake(self) -> bool {
        matches!(self, Self::Tail | Self::WallEnd | Self::WallBody)
    }

    /// Returns whether an actor on the same cell hides the figure.
    pub const fn is_thing(self) -> bool {
        matches!(self, Self::Key | Self::Food)
    }
}
