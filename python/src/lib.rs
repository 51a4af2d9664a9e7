//! The native part of the Python package. Its Python files define the public interface.

mod board;
mod games;
mod objects;
mod work;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    use std::ffi::OsString;
    use std::process::ExitCode;

    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::board::{Board, solve_many};
    #[pymodule_export]
    use crate::games::Games;

    #[pymodule_init]
    #[expect(clippy::unnecessary_wraps, reason = "PyO3 asks for a result")]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        getaway::cli::panics::keep_quiet();
        Ok(())
    }

    /// Returns the rulesets, each with its name, a summary, and its rules in Markdown.
    #[pyfunction]
    fn rulesets() -> Vec<(&'static str, &'static str, &'static str)> {
        let entries = getaway::RULESETS.iter();
        entries
            .map(|entry| (entry.name, entry.summary, entry.rules))
            .collect()
    }

    /// Runs the program `getaway` with these arguments, and returns its exit code. Invalid arguments, and requests for help or
    /// the version, end the process instead.
    #[pyfunction]
    fn run(py: Python<'_>, args: Vec<OsString>) -> u8 {
        let code = py.detach(|| getaway::cli::run_with(getaway::RULESETS, args));
        // The standard library does not expose the number of an exit code.
        let number = (0..u8::MAX).find(|&number| ExitCode::from(number) == code);
        number.unwrap_or(u8::MAX)
    }
}
