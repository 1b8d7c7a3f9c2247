"""Run directories of the command, and of ``save``."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Hashable, List, Optional, Union

from . import _bnpool
from ._base import threads_of
from ._learn import GraphClassifier, GraphRegressor, of_model
from ._result import NODES, Communities


def load(
    path: Union[str, "os.PathLike[str]"],
    *,
    data_dir: Union[None, str, "os.PathLike[str]"] = None,
    n_threads: Optional[int] = None,
) -> Union[Communities, GraphClassifier, GraphRegressor]:
    """Read a run of ``bnpool cluster`` or ``bnpool train``, or the output of ``save``.

    A run on a graph file refers to the file and does not copy it, so the file must still
    exist. The search is only repeated for a run that was stopped before its result.
    """
    place = Path(path)
    if not place.exists():
        raise FileNotFoundError(f"{place}: there is no such file or directory")
    if place.is_file() or (place / "predictions.csv").exists():
        return of_model(_bnpool.Model.load(place))
    found = _bnpool.Found.load(place, data_dir, threads_of(n_threads))
    return Communities(found, nodes_of(place / NODES, found.graph))


def nodes_of(path: Path, graph: _bnpool.Graph) -> Optional[List[Hashable]]:
    """Return the saved nodes; None if only names are known."""
    try:
        nodes = [hashable(node) for node in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError):
        return None
    # The graph itself has a checksum, and it contains the names.
    return nodes if [str(node) for node in nodes] == graph.ids else None


def hashable(node: Any) -> Hashable:
    """Convert a node from JSON, in which tuples are lists."""
    return tuple(hashable(part) for part in node) if isinstance(node, list) else node
