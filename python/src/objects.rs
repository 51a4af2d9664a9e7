//! Objects of the package's Python files.

use pyo3::prelude::*;

/// A class of the package's Python files.
pub fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("getaway._types")?.getattr(name)
}

/// The exception of a class of the package, or the error that keeps it from being made.
pub fn raise<'py>(py: Python<'py>, name: &str, args: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    match class(py, name).and_then(|class| class.call1(args)) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}
