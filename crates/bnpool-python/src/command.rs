//! The command `bnpool` from the wheel.

use bnpool_cli::{Launcher, run};
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command and gives its exit code. Processes of its own are started with
/// the words of `launcher`.
#[pyfunction]
pub fn command(py: Python<'_>, arguments: Vec<OsString>, launcher: Vec<OsString>) -> u8 {
    let program = [OsString::from("bnpool")];
    let words = program.into_iter().chain(arguments);
    py.detach(|| run(words, Launcher::new(launcher)))
}
