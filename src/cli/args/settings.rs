//! What can be typed to give boards settings that their files don't.

use std::str::FromStr;

use clap::Args;

/// Settings for many boards at once.
#[derive(Clone, Debug, Default, Args)]
pub struct SettingArgs {
    /// Give this header to every board that has none of its own, where its ruleset knows it, such as
    /// `runner=3`; any number of times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<Setting>,
    /// Give this header to every board, whatever its own says, where its ruleset knows it; any number of
    /// times.
    #[arg(long = "override", value_name = "KEY=VALUE")]
    pub over: Vec<Setting>,
}

/// A header: `KEY=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The key, in lower case.
    pub key: String,
    /// The value.
    pub value: String,
}

impl FromStr for Setting {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() => Ok(Self {
                key: key.trim().to_lowercase(),
                value: value.trim().to_owned(),
            }),
            _ => Err("write KEY=VALUE, such as `radius=5`"),
        }
    }
}
