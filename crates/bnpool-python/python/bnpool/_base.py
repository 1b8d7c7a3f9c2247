"""Base of all estimators: parameters by name, as required by scikit-learn."""

from __future__ import annotations

import inspect
import os
from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

Setting = Tuple[str, Any, str]


class Estimator:
    """An estimator whose parameters are the arguments of ``__init__``."""

    @classmethod
    def _parameter_names(cls) -> List[str]:
        names = list(inspect.signature(cls.__init__).parameters)
        return sorted(name for name in names if name != "self")

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """Return the parameters by name."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self, **params: Any) -> "Estimator":
        """Change parameters; the next ``fit`` uses them."""
        known = self._parameter_names()
        for name, value in params.items():
            if name not in known:
                raise ValueError(
                    f"{type(self).__name__} has no parameter {name!r}; there are: "
                    + ", ".join(known)
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if not same(value, defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


def same(a: Any, b: Any) -> bool:
    """Return whether two parameters are equal; arrays never are."""
    try:
        return bool(a is b or a == b)
    except ValueError:
        return False


def seed_of(random_state: Any) -> int:
    """Return the seed of ``random_state``: a number, None, or a generator of NumPy."""
    if random_state is None:
        return int.from_bytes(os.urandom(4), "little")
    if isinstance(random_state, (bool, np.bool_)):
        raise ValueError("random_state: a whole number is needed")
    if isinstance(random_state, (int, np.integer)):
        if random_state < 0:
            raise ValueError(f"random_state={random_state}: it must be at least 0")
        return int(random_state)
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31 - 1))
    if hasattr(random_state, "integers"):
        return int(random_state.integers(2**31 - 1))
    raise ValueError("random_state: a whole number, None or a generator of numpy is needed")


def chosen(names: Mapping[str, str], values: Mapping[str, Any]) -> List[Setting]:
    """Return the given settings, by their keys in ``run.toml``."""
    given: List[Setting] = []
    for name, key in names.items():
        value = values[name]
        if value is None:
            continue
        if isinstance(value, np.generic):
            value = value.item()
        given.append((key, value, f"{name}={value!r}"))
    return given


def further(settings: Optional[Mapping[str, Any]]) -> List[Setting]:
    """Return the settings of the argument ``settings``."""
    if settings is None:
        return []
    if not isinstance(settings, Mapping):
        raise ValueError(
            "settings: a dictionary such as {'training.learning_rate': 0.001} is needed"
        )
    return chosen({name: name for name in settings}, settings)


def word_of(name: str, value: Any) -> str:
    """Check a parameter that is a string."""
    if not isinstance(value, str):
        raise ValueError(f"{name}={value!r}: a word is needed")
    return value


def threads_of(n_threads: Any) -> Optional[int]:
    """Check the number of threads; None for one per core."""
    if n_threads is None:
        return None
    if isinstance(n_threads, (bool, np.bool_)) or not isinstance(n_threads, (int, np.integer)):
        raise ValueError(f"n_threads={n_threads!r}: a whole number of at least 1 is needed")
    if n_threads < 1:
        raise ValueError(f"n_threads={n_threads}: at least one thread is needed")
    return int(n_threads)
