//! Arguments that set headers for all boards.

use std::str::FromStr;

use clap::Args;

#[derive(Clone, Debug, Default, Args)]
pub struct SettingArgs {
    /// Set this header, such as `runner=3`, on every board that has no such header and whose ruleset knows it.
    /// Repeatable.
    #[arg(long = "set", value_name = "KEY=VALUE", hide_short_help = true)]
    pub set: Vec<Setting>,
    /// Set this header on every board whose ruleset knows it, replacing the board's own. Repeatable.
    #[arg(long = "override", value_name = "KEY=VALUE", hide_short_help = true)]
    pub over: Vec<Setting>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The key, in lower case.
    pub key: String,
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
