"""The data sets of the paper."""

from __future__ import annotations

import os
from typing import Any, Iterator, List, NamedTuple, Sequence, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _bnpool
from ._graph import Graph

PathLike = Union[str, "os.PathLike[str]"]


class Entry(NamedTuple):
    """A data set that can be loaded."""

    name: str
    title: str
    task: str


class GraphSet(Sequence[Graph]):
    """Many graphs with their targets ``y``."""

    def __init__(self, native: _bnpool.Set) -> None:
        self._native = native
        self._graphs = [Graph(native.graph(place)) for place in range(len(native))]

    @property
    def name(self) -> str:
        """The name of the set."""
        return self._native.name

    @property
    def graphs(self) -> List[Graph]:
        """The graphs as a list."""
        return list(self._graphs)

    @property
    def y(self) -> NDArray[Any]:
        """The target of each graph."""
        rows = np.array([graph.y for graph in self._graphs])
        return rows[:, 0] if rows.ndim == 2 and rows.shape[1] == 1 else rows

    @property
    def class_names(self) -> List[str]:
        """Names of the classes."""
        return self._native.class_names

    def __len__(self) -> int:
        return len(self._graphs)

    @overload
    def __getitem__(self, place: int) -> Graph: ...
    @overload
    def __getitem__(self, place: slice) -> List[Graph]: ...
    def __getitem__(self, place: Union[int, slice]) -> Union[Graph, List[Graph]]:
        return self._graphs[place]

    def __iter__(self) -> Iterator[Graph]:
        return iter(self._graphs)

    def __repr__(self) -> str:
        return f"<bnpool.datasets.GraphSet {self.name}: {len(self)} graphs>"


def entries() -> List[Entry]:
    """Return all data sets."""
    return [Entry(*entry) for entry in _bnpool.list_sets()]


def load(name: str, data_dir: Union[None, PathLike] = None) -> Union[Graph, GraphSet]:
    """Load a data set: a :class:`Graph`, or a :class:`GraphSet` if it has many graphs.

    Its files are searched in ``data_dir``, in ``BNPOOL_DATA`` and in the user's data
    directory; ``python -m bnpool data get NAME`` fetches them. ``community`` is built in.
    """
    if not isinstance(name, str):
        raise ValueError(f"{name!r} is no name of a data set; entries() lists them")
    kinds = {entry.name.lower(): entry.task for entry in entries()}
    if kinds.get(name.lower()) == "cluster":
        return Graph(_bnpool.Graph.dataset(name, data_dir))
    return GraphSet(_bnpool.load_set(name, data_dir))
