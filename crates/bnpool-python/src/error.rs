//! Failures as exceptions, with the messages of the command.

use bnpool_cli::Failure;
use pyo3::PyErr;
use pyo3::exceptions::{PyFileNotFoundError, PyKeyboardInterrupt, PyRuntimeError, PyValueError};

/// The exception for a failure.
pub fn raise(failure: impl Into<Failure>) -> PyErr {
    match failure.into() {
        Failure::Input(message) => PyValueError::new_err(message),
        Failure::Missing(message) => PyFileNotFoundError::new_err(message),
        Failure::Running(message) => PyRuntimeError::new_err(message),
        Failure::Interrupted(message) => PyKeyboardInterrupt::new_err(message),
        Failure::Silent(code) => {
            PyRuntimeError::new_err(format!("another rank ended with code {code}"))
        }
    }
}

/// A value that cannot be used.
pub fn wrong(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}
