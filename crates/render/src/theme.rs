//! The colours of pictures, on light and dark paper.

/// A set of colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// The colours for light paper.
    Light,
    /// The colours for dark paper.
    Dark,
}

/// The red, green and blue components, from 0 to 255.
pub type Color = [u8; 3];

macro_rules! inks {
    ($($(#[$doc:meta])* $ink:ident $name:literal $light:literal $dark:literal)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        /// A named colour, whose value depends on the theme.
        pub enum Ink {
            $($(#[$doc])* #[doc = concat!("The colour `", $name, "`.")] $ink,)*
        }

        impl Ink {
            /// All colours.
            pub const ALL: &[Self] = &[$(Self::$ink,)*];

            /// Returns the name of the colour in CSS.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$ink => $name,)*
                }
            }

            /// Returns the colour in a theme.
            pub const fn color(self, theme: Theme) -> Color {
                let (light, dark): (u32, u32) = match self {
                    $(Self::$ink => ($light, $dark),)*
                };
                let [_, red, green, blue] = match theme {
                    Theme::Light => light.to_be_bytes(),
                    Theme::Dark => dark.to_be_bytes(),
                };
                [red, green, blue]
            }
        }
    };
}

inks! {
    Paper "paper" 0x00f4_f1ea 0x0014_171d
    Floor "floor" 0x00ff_fdf8 0x0022_2832
    Lines "lines" 0x00ec_e7dc 0x002c_333f
    Wall "wall" 0x004a_5568 0x0065_738c
    WallSide "wall-side" 0x0034_3d4d 0x003f_4a5e
    Void "void" 0x00dc_d6ca 0x000d_1014
    Door "door" 0x00c8_9f6d 0x00a8_804f
    DoorSide "door-side" 0x0095_6f42 0x006f_5230
    Runner "runner" 0x0010_9c76 0x0036_d3a2
    /// The colour of chasers that have none of their own.
    ///
    Chaser "chaser" 0x00e0_5a4f 0x00ff_7b6e
    Ghost "ghost" 0x00e0_5a4f 0x00ff_7b6e
    Zombie "zombie" 0x0083_8f34 0x00ae_bd55
    Monster "monster" 0x00a0_5bc9 0x00c0_86ea
    SuperMonster "super-monster" 0x00c2_3b73 0x00f0_6a9f
    Bat "bat" 0x0045_5fc4 0x007f_97f5
    Minotaur "minotaur" 0x00b0_4a2c 0x00e2_7d5a
    Goal "goal" 0x00bd_780c 0x00ff_c457
    GoalSide "goal-side" 0x0086_5208 0x00c4_8a25
    Leaf "leaf" 0x005b_9a3c 0x0084_c463
    Danger "danger" 0x0033_2a42 0x00bf_5530
    DangerRim "danger-rim" 0x006d_5f86 0x000b_090f
    Eye "eye" 0x00ff_ffff 0x00f8_fafc
    Pupil "pupil" 0x0022_2630 0x0016_1a21
    Catch "catch" 0x00ff_c93c 0x00ff_d65c
    /// One of three colours for moving walls.
    ///
    WallOne "wall-one" 0x0055_7da8 0x0070_9bc9
    WallTwo "wall-two" 0x007d_6ba8 0x009f_8cce
    WallThree "wall-three" 0x004b_8a8c 0x0062_adb0
    Text "text" 0x0022_2a36 0x00ee_f1f5
    Muted "muted" 0x0060_6a78 0x00a3_aebd
}

impl Ink {
    /// Returns the colour as `#rrggbb`.
    pub fn hex(self, theme: Theme) -> String {
        let [red, green, blue] = self.color(theme);
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
#[path = "theme_tests.rs"]
mod tests;
