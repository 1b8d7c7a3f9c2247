"""Results of community detection."""

from __future__ import annotations

import html
import json
import os
from pathlib import Path
from typing import Any, Dict, Hashable, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _bnpool
from ._arrays import csr_or_arrays
from ._errors import needed, not_fitted
from ._graph import Graph, as_graph

PathLike = Union[str, "os.PathLike[str]"]

#: The file of a run directory with the nodes as Python objects.
NODES = "nodes.json"


class Hierarchy(NamedTuple):
    """Merges of communities, down to one."""

    #: Coarser partitions, finest first: the group of each node.
    levels: List[NDArray[np.int64]]
    #: The merges as a scipy linkage matrix over the communities. The height is the
    #: increase of the description length of the graph over the best one in nats. It
    #: never decreases, so that the matrix is valid.
    linkage: NDArray[np.float64]


class PooledGraph(NamedTuple):
    """A graph with one supernode per community."""

    #: Sᵀ A S.
    adjacency: NDArray[np.float32]
    #: Sᵀ X; None if the nodes have no features.
    x: Optional[NDArray[np.float32]]
    #: S: the memberships of each node.
    s: NDArray[np.float32]


class Picture:
    """An SVG plot, which is displayed in notebooks."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: PathLike) -> None:
        """Write the plot to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


class Results:
    """Results of a fit."""

    _found: Optional[_bnpool.Found]
    _nodes: Optional[Sequence[Hashable]]

    def _fitted(self) -> _bnpool.Found:
        found: Optional[_bnpool.Found] = getattr(self, "_found", None)
        if found is None:
            raise not_fitted(self)
        return found

    def _threads(self) -> Optional[int]:
        return None

    @property
    def graph_(self) -> Graph:
        """The graph."""
        return Graph(self._fitted().graph, self._nodes)

    @property
    def labels_(self) -> NDArray[np.int64]:
        """The community of each node, in the order of the nodes; 0 is the largest."""
        return self._fitted().labels

    @property
    def labels_dict_(self) -> Dict[Hashable, int]:
        """The community of each node, by node."""
        return dict(zip(self.graph_.nodes, self.labels_.tolist()))

    @property
    def n_clusters_(self) -> int:
        """The number of communities."""
        return self._fitted().communities

    @property
    def n_clusters_interval_(self) -> Tuple[int, int]:
        """The 90 % range of the number of communities."""
        return self._fitted().interval

    @property
    def probs_(self) -> Any:
        """Memberships in the communities, nodes × communities.

        A sparse scipy matrix if scipy is installed, otherwise an array. A row sums to at
        most one.
        """
        dense = self._memberships()
        try:
            from scipy.sparse import csr_matrix
        except ImportError:
            return dense
        return csr_matrix(dense)

    def _memberships(self) -> NDArray[np.float32]:
        dense = self._fitted().memberships
        if dense is None:
            raise ValueError(
                "there are no memberships: the communities are too many for the network or the "
                "memory; `confidence_` has the probability of every node's own community"
            )
        return dense

    @property
    def confidence_(self) -> NDArray[np.float32]:
        """The confidence of the community of each node, from 0 to 1."""
        return self._fitted().confidence

    @property
    def entropy_(self) -> NDArray[np.float32]:
        """The entropy of the memberships of each node, in nats."""
        return self._fitted().entropy

    @property
    def block_matrix_(self) -> Optional[NDArray[np.float32]]:
        """K: the log odds of an edge between two communities."""
        return self._fitted().block_matrix

    @property
    def hierarchy_(self) -> Hierarchy:
        """The merges of the communities, down to one."""
        found = self._fitted()
        return Hierarchy(found.levels, linkage(found.merges, found.communities))

    @property
    def aggregate_(self) -> Any:
        """The weights of the edges between communities, as a sparse matrix."""
        indptr, indices, weights = self._fitted().aggregate()
        return csr_or_arrays(indptr, indices, weights, (self.n_clusters_, self.n_clusters_))

    @property
    def history_(self) -> List[Dict[str, float]]:
        """The epochs of the training, one dictionary each."""
        epochs: List[Dict[str, float]] = json.loads(self._fitted().history_json())
        return epochs

    @property
    def metrics_(self) -> Dict[str, Any]:
        """The content of ``metrics.json`` of the command."""
        metrics: Dict[str, Any] = json.loads(self._fitted().metrics_json())
        return metrics

    @property
    def modularity_(self) -> float:
        """The modularity of the communities."""
        return self._fitted().modularity

    def to_frame(self) -> Any:
        """Return a pandas data frame with one row per node, like ``labels.csv``."""
        pandas, found = needed("pandas"), self._fitted()
        columns: Dict[str, Any] = {
            "node": self.graph_.nodes,
            "cluster": found.labels,
            "confidence": found.confidence,
            "entropy": found.entropy,
        }
        for i, level in enumerate(found.levels, 1):
            columns[f"level_{i}"] = level
        return pandas.DataFrame(columns)

    def to_networkx(self) -> Any:
        """Return a networkx graph with node attributes ``community`` and ``confidence``."""
        networkx = needed("networkx")
        found, nodes = self._fitted(), self.graph_.nodes
        graph = networkx.DiGraph() if found.graph.directed else networkx.Graph()
        for node, label, sure in zip(nodes, found.labels.tolist(), found.confidence.tolist()):
            graph.add_node(node, community=label, confidence=sure)
        indptr, indices, weights = found.graph.rows()
        sources = np.repeat(np.arange(len(nodes)), np.diff(indptr))
        if not found.graph.directed:
            once = sources <= indices
            sources, indices = sources[once], indices[once]
            weights = None if weights is None else weights[once]
        values = None if weights is None else weights.tolist()
        for i, (u, v) in enumerate(zip(sources.tolist(), indices.tolist())):
            if values is None:
                graph.add_edge(nodes[u], nodes[v])
            else:
                graph.add_edge(nodes[u], nodes[v], weight=values[i])
        return graph

    def pictures(self) -> Dict[str, Picture]:
        """Return the plots of the report by name."""
        _, pictures = self._fitted().report(self._threads())
        return {name: Picture(svg) for name, svg in pictures}

    def plot(self, ax: Any = None) -> Any:
        """Draw the graph, communities by colour.

        Returns the axes if matplotlib is installed, otherwise the plot of the report.
        """
        try:
            import matplotlib.pyplot as plt
            from matplotlib.collections import LineCollection
        except ImportError:
            return self.pictures()["graph"]
        found = self._fitted()
        places = found.positions(self._threads())
        indptr, indices, _ = found.graph.rows()
        sources = np.repeat(np.arange(len(places)), np.diff(indptr))
        once = sources < indices
        lines = np.stack([places[sources[once]], places[indices[once]]], axis=1)
        if ax is None:
            _, ax = plt.subplots()
        ax.add_collection(LineCollection(list(lines), colors="0.8", linewidths=0.5, zorder=1))
        colours = plt.get_cmap("tab10" if found.communities <= 10 else "tab20")
        size = float(np.clip(20_000 / max(len(places), 1), 2, 60))
        ax.scatter(places[:, 0], places[:, 1], c=colours(found.labels % colours.N), s=size, zorder=2)
        ax.set_title(found.headline[0])
        ax.set_axis_off()
        ax.set_aspect("equal")
        return ax

    def report(self, path: Optional[PathLike] = None) -> str:
        """Return the report as one HTML page, and write it to a file if a path is given."""
        page, _ = self._fitted().report(self._threads())
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
        return page

    def save(self, path: PathLike, overwrite: bool = False) -> None:
        """Write a run directory like ``bnpool cluster --out``.

        It can be read by :func:`bnpool.load` and by the command. Nodes that are numbers,
        strings or tuples of these are restored exactly; others are stored as ``str``.
        """
        self._fitted().save(path, overwrite)
        if self._nodes is not None:
            write_nodes(Path(path) / NODES, self._nodes)

    def _repr_html_(self) -> Optional[str]:
        found = getattr(self, "_found", None)
        if found is None:
            return None
        lines = [*found.headline, *(f"warning: {warning}" for warning in found.warnings)]
        words = "".join(f"<p>{html.escape(line)}</p>" for line in lines)
        picture = dict(found.report(self._threads())[1]).get("graph", "")
        return f'<div class="bnpool">{words}<div style="max-width:640px">{picture}</div></div>'

    def _known(self, graph: Graph) -> List[int]:
        """Return the known community of each node of another graph, otherwise −1."""
        if not graph.has_names and not self.graph_.has_names:
            known: List[int] = self.labels_.tolist()[: graph.n_nodes]
            return known + [-1] * (graph.n_nodes - len(known))
        labels = self.labels_dict_
        known = [labels.get(node, -1) for node in graph.nodes]
        if all(label < 0 for label in known):
            # Names in files are strings, whatever their type in memory.
            words = {str(node): label for node, label in labels.items()}
            known = [words.get(str(node), -1) for node in graph.nodes]
        if all(label < 0 for label in known):
            raise ValueError(
                "the fitted graph shares no node with this graph; nodes are matched by their "
                "names, so give another version of the same graph"
            )
        return known

    def _predict(self, graph: Any, **options: Any) -> NDArray[np.int64]:
        found = self._fitted()
        if graph is None:
            return self.labels_
        other = as_graph(graph, **options)
        known = np.array(self._known(other), dtype=np.int64)
        if (known >= 0).all():
            return known
        labels, _ = found.label(other._native, known.tolist(), self._threads())
        return np.where(known >= 0, known, labels)

    def _predict_proba(self, graph: Any, **options: Any) -> NDArray[np.float32]:
        own = self._memberships()
        if graph is None:
            return own
        other = as_graph(graph, **options)
        known = np.array(self._known(other), dtype=np.int64)
        rows = self._fitted().memberships_of(other._native, known.tolist(), self._threads())
        if not other.has_names and not self.graph_.has_names:
            both = min(len(own), len(rows))
            rows[:both] = own[:both]
            return rows
        place = {str(node): i for i, node in enumerate(self.graph_.nodes)}
        for i, node in enumerate(other.nodes):
            if known[i] >= 0:
                rows[i] = own[place[str(node)]]
        return rows

    def _pooled(self) -> PooledGraph:
        adjacency, x = self._fitted().pooled(self._threads())
        return PooledGraph(adjacency, x, self._memberships())


class Communities(Results):
    """The communities of a graph, as returned by :func:`bnpool.cluster`."""

    def __init__(self, found: _bnpool.Found, nodes: Optional[Sequence[Hashable]] = None) -> None:
        self._found = found
        self._nodes = nodes

    def predict(self, graph: Any = None) -> NDArray[np.int64]:
        """Return the communities of another version of the graph, without training."""
        return self._predict(graph)

    def __repr__(self) -> str:
        found = self._fitted()
        return f"<bnpool.Communities of {found.graph.name}: {found.headline[0]}>"

    def __reduce__(self) -> Any:
        return _unpickle, (self._fitted().to_bytes(), self._nodes)


def _unpickle(data: bytes, nodes: Optional[Sequence[Hashable]]) -> Communities:
    return Communities(_bnpool.Found.of_bytes(data), nodes)


def write_nodes(path: Path, nodes: Sequence[Hashable]) -> None:
    """Write nodes as JSON, if all of them can be read back."""

    def is_plain(node: Any) -> bool:
        kinds = (str, int, float)
        return all(map(is_plain, node)) if type(node) is tuple else type(node) in kinds

    plain = [node.item() if isinstance(node, np.generic) else node for node in nodes]
    if all(map(is_plain, plain)):
        path.write_text(json.dumps(plain), encoding="utf-8")


def linkage(merges: List[Tuple[int, int, float]], count: int) -> NDArray[np.float64]:
    """Convert merges to a scipy linkage matrix: rows of two groups, height and size."""
    group = list(range(count))
    size = [1.0] * count
    rows = np.zeros((len(merges), 4))
    height = 0.0
    for i, (kept, gone, nats) in enumerate(merges):
        height = max(height, nats)
        pair = sorted((group[kept], group[gone]))
        size[kept] += size[gone]
        rows[i] = pair[0], pair[1], height, size[kept]
        group[kept] = count + i
    return rows
