//! Objects that the package's Python files define.

use pyo3::prelude::*;

pub fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("getaway._types")?.getattr(name)
}

/// Returns an exception of the package, or the error that prevents it.
pub fn exception<'py>(
    py: Python<'py>,
    name: &str,
    args: impl pyo3::call::PyCallArgs<'py>,
) -> PyErr {
    match class(py, name).and_then(|class| class.call1(args)) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}
