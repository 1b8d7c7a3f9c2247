//! The command `bnpool` from the wheel.

use crate::terms::keyword;
use bnpool_cli::{Launcher, Terms, run, speak_in};
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command and gives its exit code. Processes of its own are started with
/// the words of `launcher`. Its messages name flags, or keyword arguments for a caller
/// in Python.
#[pyfunction]
pub fn command(
    py: Python<'_>,
    arguments: Vec<OsString>,
    launcher: Vec<OsString>,
    keywords: bool,
) -> u8 {
    speak_in(keywords.then_some(keyword as Terms));
    let program = [OsString::from("bnpool")];
    let words = program.into_iter().chain(arguments);
    py.detach(|| run(words, Launcher::new(launcher)))
}
