//! Conversion of failures to exceptions, in the wording of the package.

use crate::terms::keyword;
use bnpool_io::remedy::Remedied;
use bnpool_task::{Failure, FailureKind};
use pyo3::PyErr;
use pyo3::exceptions::{PyFileNotFoundError, PyKeyboardInterrupt, PyRuntimeError, PyValueError};

/// Creates the exception for a failure.
pub fn raise(failure: impl Into<Failure>) -> PyErr {
    let failure = failure.into();
    let message = failure.in_terms(&keyword);
    match failure.kind() {
        FailureKind::Input => PyValueError::new_err(message),
        FailureKind::Missing => PyFileNotFoundError::new_err(message),
        FailureKind::Interrupted => PyKeyboardInterrupt::new_err(message),
        FailureKind::Running | FailureKind::Silent(_) => PyRuntimeError::new_err(message),
    }
}

/// Creates the exception for an invalid value.
pub fn wrong(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}
