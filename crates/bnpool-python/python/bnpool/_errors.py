"""Errors of the package."""


class NotFittedError(ValueError, AttributeError):
    """What was asked for is known only after ``fit``."""
