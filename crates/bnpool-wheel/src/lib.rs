//! The wheel `bnpool`: the engine of the Python package and the command, in one library.

use bnpool_cli::{flag, run};
use bnpool_python::{add_to, keyword};
use pyo3::prelude::*;
use std::ffi::OsString;

/// Training frees and allocates large arrays in each epoch, and this allocator keeps
/// them, as in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[pymodule(gil_used = false)]
fn _bnpool(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_to(module)?;
    module.add_function(wrap_pyfunction!(command, module)?)
}

/// Runs the command and returns its exit code. Messages refer to flags, or to keyword
/// arguments if `keywords` is true.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>, keywords: bool) -> u8 {
    let program = [OsString::from("bnpool")];
    let words = program.into_iter().chain(arguments);
    let terms = if keywords { keyword } else { flag };
    py.detach(|| run(words, terms))
}
