//! The values of `--report`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// XML for continuous integration servers.
    Junit,
    /// Comma-separated values.
    Csv,
    /// Tables to paste into an issue.
    Markdown,
    /// A page for a browser.
    Html,
    /// Marks for Gradescope, with a test for each board.
    Gradescope,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFile {
    pub format: ReportFormat,
    pub path: PathBuf,
}

/// Returns the file of a `gradescope` report.
pub fn gradescope(text: &str) -> Result<PathBuf, String> {
    match text.parse()? {
        ReportFile {
            format: ReportFormat::Gradescope,
            path,
        } => Ok(path),
        _ => Err("write `gradescope=FILE`, the only report on a comparison".into()),
    }
}

impl FromStr for ReportFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let usage = "write FORMAT=FILE, as in `junit=report.xml`";
        let (format, path) = text.split_once('=').ok_or(usage)?;
        if path.is_empty() {
            return Err(usage.into());
        }
        let format = ReportFormat::from_str(format, true).map_err(|_| {
            let known = ["junit", "csv", "markdown", "html", "gradescope"];
            crate::fault::did_you_mean(format, &known)
        })?;
        Ok(Self {
            format,
            path: path.into(),
        })
    }
}
