"""Graphs, and their creation from many kinds of objects."""

from __future__ import annotations

import logging
import os
from typing import Any, Dict, Hashable, List, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _bnpool
from ._arrays import csr_or_arrays, feature_arrays

logger = logging.getLogger("bnpool")


class Graph:
    """A graph of the engine, with the nodes of the user.

    Create one with :func:`as_graph`, :func:`read` or :func:`bnpool.datasets.load`.
    All functions that take a graph also accept this type.
    """

    def __init__(self, native: _bnpool.Graph, nodes: Optional[Sequence[Hashable]] = None) -> None:
        if nodes is not None and len(nodes) != native.nodes:
            raise ValueError(
                f"{len(nodes)} names for {native.nodes} nodes: there must be one for each"
            )
        self._native = native
        self._nodes = nodes

    @property
    def name(self) -> str:
        """The name of the graph."""
        return self._native.name

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return self._native.nodes

    @property
    def n_edges(self) -> int:
        """Number of edges; undirected edges count once."""
        return count_edges(self._native)

    @property
    def nodes(self) -> List[Hashable]:
        """The nodes in order: names, or numbers from 0."""
        if self._nodes is not None:
            return list(self._nodes)
        ids = self._native.ids
        return list(ids) if ids is not None else list(range(self.n_nodes))

    @property
    def has_names(self) -> bool:
        """Whether the nodes have names other than the numbers from 0."""
        return self._nodes is not None or self._native.ids is not None

    @property
    def directed(self) -> bool:
        """Whether some edge has only one direction."""
        return self._native.directed

    @property
    def adjacency(self) -> Any:
        """The adjacency matrix as a scipy matrix if installed, otherwise its three arrays."""
        indptr, indices, weights = self._native.rows()
        return csr_or_arrays(indptr, indices, weights, (self.n_nodes, self.n_nodes))

    @property
    def x(self) -> Any:
        """The node features, dense or sparse; None if there are none."""
        width = self._native.width
        if width == 0:
            return None
        values = self._native.features()
        if isinstance(values, tuple):
            return csr_or_arrays(*values, (self.n_nodes, width))
        return values

    @property
    def y(self) -> Union[None, int, NDArray[Any]]:
        """Known classes of the nodes (−1 if unknown), or the target of the graph."""
        target = self._native.target
        return target if target is not None else self._native.classes

    @property
    def class_names(self) -> List[str]:
        """Names of the classes."""
        return self._native.class_names

    @property
    def notes(self) -> List[str]:
        """The interpretation of a file, and automatic decisions."""
        return self._native.notes

    def __repr__(self) -> str:
        return f"<bnpool.Graph {self.name}: {self.n_nodes} nodes, {self.n_edges} edges>"


def count_edges(native: _bnpool.Graph) -> int:
    """Return the number of edges; undirected edges count once."""
    if native.directed:
        return native.edges
    indptr, indices, _ = native.rows()
    loops = int(np.count_nonzero(np.repeat(np.arange(native.nodes), np.diff(indptr)) == indices))
    return (native.edges - loops) // 2 + loops


def read(path: Union[str, "os.PathLike[str]"], **options: Any) -> Graph:
    """Read a graph file in any format of the command.

    Options are those of the command: ``features``, ``labels``, ``label_attribute``,
    ``format``, ``source``, ``target``, ``weight`` (a column, ``"count"`` for the number
    of times that an edge is listed, or None for no weights), ``header``, ``bipartite``,
    ``encoding``, ``skip_bad``, ``directed``, ``drop_self_loops``, ``keep_isolated``,
    ``node_attributes``.
    """
    known = {
        "features", "labels", "label_attribute", "format", "source", "target", "weight",
        "header", "bipartite", "encoding", "skip_bad", "directed", "drop_self_loops",
        "keep_isolated", "node_attributes",
    }  # fmt: skip
    for name in options:
        if name not in known:
            raise ValueError(f"there is no option {name!r}; there are: {', '.join(sorted(known))}")
    native = _bnpool.Graph.read(path, **options)
    for note in native.notes:
        logger.info("%s: %s", native.name, note)
    return Graph(native)


def as_graph(
    graph: Any,
    X: Any = None,
    *,
    y: Any = None,
    source: Optional[str] = None,
    target: Optional[str] = None,
    bipartite: Optional[bool] = None,
    weight: Optional[str] = "weight",
    directed: bool = False,
    node_attributes: Union[str, Sequence[str]] = (),
    label_attribute: Optional[str] = None,
) -> Graph:
    """Convert an object to a graph.

    ``graph`` is a path, a graph of networkx or igraph, a sparse matrix of scipy, a
    numpy array (square: an adjacency matrix; two or three columns, or two rows:
    edges), a tuple ``(sources, targets)`` or ``(sources, targets, weights)``, an edge
    frame of pandas, polars or pyarrow, a list of edges, or ``Data`` of PyG.

    ``source``, ``target`` and ``weight`` are columns of a file or frame; those of nodes are
    chosen by their values and names unless they are given. ``weight="count"`` counts how
    often an edge is listed, and so does the default if lines repeat without weights. With
    ``bipartite`` the two columns contain two kinds of nodes.

    ``X`` are node features, one row per node in the order of the nodes, and ``y`` known
    classes of the nodes. Edges are undirected unless ``directed`` is true.
    """
    from . import _sources

    if not isinstance(directed, (bool, np.bool_)):
        raise ValueError(f"directed={directed!r}: True or False is needed")
    if isinstance(node_attributes, str):
        node_attributes = [node_attributes]
    if isinstance(graph, Graph):
        made = graph
    elif isinstance(graph, (str, os.PathLike)):
        options: Dict[str, Any] = {"directed": bool(directed)}
        # By default the reader finds the column of the weights itself.
        if weight != "weight":
            options["weight"] = weight
        for name, value in (("source", source), ("target", target), ("bipartite", bipartite)):
            if value is not None:
                options[name] = value
        if node_attributes:
            options["node_attributes"] = list(node_attributes)
        if label_attribute is not None:
            options["label_attribute"] = label_attribute
        made = read(graph, **options)
    else:
        made = _sources.convert(
            graph,
            source=source,
            target=target,
            bipartite=bipartite,
            weight=weight,
            directed=bool(directed),
            node_attributes=tuple(node_attributes),
            label_attribute=label_attribute,
        )
    if X is not None:
        made = with_features(made, X)
    if y is not None:
        made = with_classes(made, y)
    return made


def with_features(graph: Graph, X: Any) -> Graph:
    """Replace the node features of a graph."""
    rows, native = feature_arrays(X), graph._native
    if rows.shape[0] != native.nodes:
        raise ValueError(
            f"X has {rows.shape[0]} rows for {native.nodes} nodes: there must be one for each"
        )
    if isinstance(rows, np.ndarray):
        return Graph(native.with_features(rows), graph._nodes)
    changed = native.with_sparse_features(rows.indptr, rows.indices, rows.data, rows.shape)
    return Graph(changed, graph._nodes)


def with_classes(graph: Graph, y: Any) -> Graph:
    """Replace the known classes of the nodes; None and NaN are unknown."""
    values = np.asarray(y)
    if values.shape != (graph.n_nodes,):
        raise ValueError(
            f"y has the shape {values.shape}: a class for each of {graph.n_nodes} nodes is needed"
        )
    known = np.array([value is not None and value == value for value in values.tolist()])
    names = np.unique(values[known]) if known.any() else np.array([])
    classes = np.full(graph.n_nodes, -1, dtype=np.int64)
    classes[known] = np.searchsorted(names, values[known])
    words = [str(name) for name in names.tolist()]
    return Graph(graph._native.with_classes(classes, words), graph._nodes)
