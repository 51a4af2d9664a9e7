//! The look of glyphs: a ruleset's own table or, without one, the glyph's meaning decides.

use super::theme::Ink;
use crate::ruleset::{Legend, Meaning};

macro_rules! figures {
    ($($(#[$doc:meta])* $figure:ident $id:literal)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Figure {
            $($(#[$doc])* $figure,)*
        }

        impl Figure {
            pub const ALL: &[Self] = &[$(Self::$figure,)*];

            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$figure => $id,)*
                }
            }
        }
    };
}

figures! {
    Floor "floor"
    Wall "wall"
    Void "void"
    Abyss "abyss"
    Door "door"
    Ladder "ladder"
    Exit "exit"
    Key "key"
    Food "food"
    Runner "runner"
    Tail "tail"
    Ghost "ghost"
    Zombie "zombie"
    Monster "monster"
    SuperMonster "super-monster"
    Bat "bat"
    Minotaur "minotaur"
    Chaser "chaser"
    WallEnd "wall-end"
    WallBody "wall-body"
}

/// A ruleset, some of its glyphs, their figure, and its name.
type Row = (&'static str, &'static str, Figure, &'static str);

const ROWS: &[Row] = &[
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

#[derive(Clone, Copy, Debug)]
pub struct Figures {
    rows: &'static [Row],
    pub legend: Legend,
}

impl Figures {
    /// `legend` determines the figure of a glyph that is not in the ruleset's table.
    pub fn of(ruleset: &str, legend: Legend) -> Self {
        let mut rulesets = ROWS.chunk_by(|one, next| one.0 == next.0);
        let rows = rulesets.find(|rows| rows[0].0 == ruleset);
        Self {
            rows: rows.unwrap_or_default(),
            legend,
        }
    }

    fn row(&self, glyph: char) -> Option<&'static Row> {
        self.rows.iter().find(|row| row.1.contains(glyph))
    }

    pub fn has(&self, glyph: char) -> bool {
        self.row(glyph).is_some()
    }

    pub fn figure(&self, glyph: char) -> Figure {
        if let Some(&(.., figure, _)) = self.row(glyph) {
            return figure;
        }
        match self.legend.meaning(glyph) {
            Meaning::Floor => Figure::Floor,
            Meaning::Wall => Figure::Wall,
            Meaning::Runner => Figure::Runner,
            Meaning::Chaser => Figure::Chaser,
            Meaning::Goal => Figure::Exit,
            Meaning::Danger => Figure::Abyss,
        }
    }

    pub fn name(&self, glyph: char) -> String {
        if let Some(&(.., name)) = self.row(glyph) {
            return name.to_owned();
        }
        match self.legend.meaning(glyph) {
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
    /// Returns whether the figure is an actor or a part of one, which has ground beneath it.
    pub const fn is_actor(self) -> bool {
        self.is_chaser() || self.is_snake() || matches!(self, Self::Runner)
    }

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

    pub const fn is_snake(self) -> bool {
        matches!(self, Self::Tail | Self::WallEnd | Self::WallBody)
    }

    /// Returns whether an actor on the same cell hides the figure.
    pub const fn is_thing(self) -> bool {
        matches!(self, Self::Key | Self::Food)
    }

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
}
