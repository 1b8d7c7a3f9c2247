"""Errors of the package."""

from __future__ import annotations

import importlib
import sys
from typing import Any


class NotFittedError(ValueError, AttributeError):
    """The requested value is only available after ``fit``."""


def not_fitted(estimator: object) -> NotFittedError:
    """Create the error for an unfitted estimator, which is also scikit-learn's if loaded."""
    message = f"this {type(estimator).__name__} is not fitted yet; call fit first"
    sklearn = sys.modules.get("sklearn.exceptions")
    if sklearn is None:
        return NotFittedError(message)
    both = type("NotFittedError", (NotFittedError, sklearn.NotFittedError), {})
    error: NotFittedError = both(message)
    return error


def needed(name: str) -> Any:
    """Import an optional package."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            f"this needs {name}, which is not installed; run `pip install {name}`", name=name
        ) from None


def conversion(message: str) -> Warning:
    """Create the warning for reshaped data, which is that of scikit-learn if loaded."""
    sklearn = sys.modules.get("sklearn.exceptions")
    warning: Warning = UserWarning(message) if sklearn is None else sklearn.DataConversionWarning(message)
    return warning
