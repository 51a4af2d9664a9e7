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

type Row = (&'static str, Figure, &'static str);

#[derive(Clone, Copy, Debug)]
pub struct Figures {
    rows: &'static [Row],
    pub legend: Legend,
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
    /// `legend` determines the figure of a glyph that is not in the ruleset's table.
    pub fn of(ruleset: &str, legend: Legend) -> Self {
        let rows = match ruleset {
            "jimmy" => JIMMY,
            "baddies" => BADDIES,
            "maze" => MAZE,
            "dungeon" => DUNGEON,
            "theseus" => THESEUS,
            _ => &[],
        };
        Self { rows, legend }
    }

    fn row(&self, glyph: char) -> Option<&'static Row> {
        self.rows.iter().find(|(glyphs, ..)| glyphs.contains(glyph))
    }

    pub fn has(&self, glyph: char) -> bool {
        self.row(glyph).is_some()
    }

    pub fn figure(&self, glyph: char) -> Figure {
        if let Some(&(_, figure, _)) = self.row(glyph) {
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
