"""Errors of the package."""

from __future__ import annotations

import importlib
import sys
from typing import Any


class NotFittedError(ValueError, AttributeError):
    """What was asked for is known only after ``fit``."""


def not_fitted(estimator: object) -> NotFittedError:
    """The error for an estimator before ``fit``; scikit-learn's own too, if it is loaded."""
    message = f"this {type(estimator).__name__} is not fitted yet; call fit first"
    sklearn = sys.modules.get("sklearn.exceptions")
    if sklearn is None:
        return NotFittedError(message)
    both = type("NotFittedError", (NotFittedError, sklearn.NotFittedError), {})
    error: NotFittedError = both(message)
    return error


def needed(name: str) -> Any:
    """A package that only some calls need."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            f"this needs {name}, which is not installed; run `pip install {name}`", name=name
        ) from None


def conversion(message: str) -> Warning:
    """The warning for data that were brought into another shape, as scikit-learn gives it."""
    sklearn = sys.modules.get("sklearn.exceptions")
    warning: Warning = UserWarning(message) if sklearn is None else sklearn.DataConversionWarning(message)
    return warning
