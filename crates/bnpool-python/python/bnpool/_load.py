"""Run directories of the command, and of ``save``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Optional, Union

from . import _bnpool
from ._learn import GraphClassifier, GraphRegressor, of_model
from ._result import Communities


def load(
    path: Union[str, "os.PathLike[str]"],
    *,
    data_dir: Union[None, str, "os.PathLike[str]"] = None,
    n_threads: Optional[int] = None,
) -> Union[Communities, GraphClassifier, GraphRegressor]:
    """Read a run of ``bnpool cluster`` or ``bnpool train``, or what ``save`` wrote.

    The communities of a run follow from its graph and its checkpoint, so the graph
    must be where it was.
    """
    place = Path(path)
    if place.is_file() or (place / "predictions.csv").exists():
        return of_model(_bnpool.Model.load(place))
    return Communities(_bnpool.Found.load(place, data_dir, n_threads))
