"""Conversion of graphs of other libraries, one function for each kind.

Kinds are distinguished by the module of a type, so that nothing is imported.
"""

from __future__ import annotations

from typing import Any, Dict, Hashable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _bnpool
from ._arrays import is_sparse, numbers, plain, whole
from ._graph import Graph, with_classes, with_features


class Options(NamedTuple):
    """Options for edges and attributes."""

    source: Optional[str]
    target: Optional[str]
    bipartite: Optional[bool]
    weight: Optional[str]
    directed: bool
    node_attributes: Tuple[str, ...]
    label_attribute: Optional[str]


#: Rows of a frame that are looked at to choose its columns.
SAMPLE = 2000


def convert(
    graph: Any,
    *,
    source: Optional[str] = None,
    target: Optional[str] = None,
    bipartite: Optional[bool] = None,
    weight: Optional[str] = "weight",
    directed: bool = False,
    node_attributes: Tuple[str, ...] = (),
    label_attribute: Optional[str] = None,
) -> Graph:
    """Convert an object of any kind to a graph."""
    options = Options(
        source, target, bipartite, weight, directed, node_attributes, label_attribute
    )
    frame = as_frame(graph)
    if frame is not None:
        return of_frame(frame, options)
    for name, value in (("source", source), ("target", target), ("bipartite", bipartite)):
        if value is not None:
            raise ValueError(f"{name} is for files and frames, and {kind_of(graph)} has no columns")
    modules = {base.__module__.split(".")[0] for base in type(graph).__mro__}
    if "networkx" in modules:
        return of_networkx(graph, options)
    if "igraph" in modules:
        return of_igraph(graph, options)
    if is_sparse(graph):
        return of_scipy(graph, options)
    if isinstance(graph, np.ndarray):
        return of_array(graph, options)
    if is_dataset(graph):
        if len(graph) != 1:
            raise ValueError(
                f"a data set of {len(graph)} graphs, and one is needed; take one of them, or "
                "learn from all with GraphClassifier or GraphRegressor"
            )
        return of_pyg(graph[0], options)
    if hasattr(graph, "edge_index"):
        return of_pyg(graph, options)
    if isinstance(graph, tuple) and len(graph) in (2, 3) and np.ndim(plain(graph[0])) == 1:
        return of_lists(graph, options)
    if isinstance(graph, (list, tuple, set, frozenset)):
        return of_pairs(list(graph), options)
    raise ValueError(
        f"{kind_of(graph)} is no graph; give a path, a graph "
        "of networkx or igraph, a sparse matrix of scipy, a numpy array, an edge frame of pandas, "
        "polars or pyarrow, or Data of PyG"
    )


def kind_of(value: Any) -> str:
    """Return the type of a value in words."""
    return f"a {type(value).__module__}.{type(value).__qualname__}"


def as_frame(value: Any) -> Any:
    """Return a frame of pandas, polars or pyarrow; None for anything else."""
    modules = {base.__module__.split(".")[0] for base in type(value).__mro__}
    if modules & {"pandas", "polars", "pyarrow"}:
        return value
    if hasattr(value, "__arrow_c_stream__"):
        import pyarrow

        return pyarrow.table(value)
    return None


def is_dataset(value: Any) -> bool:
    """Return whether this is a ``Dataset`` of PyG, which may look like one graph."""
    bases = type(value).__mro__
    return any(b.__name__ == "Dataset" and b.__module__.startswith("torch_geometric") for b in bases)


def is_one_graph(value: Any) -> bool:
    """Return whether this is one graph, even if it is iterable."""
    modules = {base.__module__.split(".")[0] for base in type(value).__mro__}
    kinds = {"networkx", "igraph", "pandas", "polars", "pyarrow"}
    looks = bool(modules & kinds) or is_sparse(value) or hasattr(value, "edge_index")
    return (isinstance(value, Graph) or looks) and not is_dataset(value)


def of_networkx(graph: Any, options: Options) -> Graph:
    """Convert a networkx graph, whose nodes are any hashable objects."""
    nodes: List[Hashable] = list(graph.nodes)
    place = {node: i for i, node in enumerate(nodes)}
    count = graph.number_of_edges()
    sources = np.empty(count, dtype=np.int64)
    targets = np.empty(count, dtype=np.int64)
    values: List[Any] = []
    # Without a name all values are None, and there are no weights.
    named = graph.edges(data=options.weight if options.weight is not None else "")
    for i, (u, v, value) in enumerate(named):
        sources[i], targets[i] = place[u], place[v]
        values.append(value)
    weights = given_weights(values) if options.weight is not None else None
    both = not graph.is_directed()
    made = build("networkx", len(nodes), sources, targets, weights, options, nodes, both)
    table = dict(graph.nodes(data=True))
    return with_attributes(made, [table[node] for node in nodes], options)


def of_igraph(graph: Any, options: Options) -> Graph:
    """Convert an igraph graph, whose nodes are identified by `name` if they have it."""
    edges = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    weights = None
    if options.weight is not None and options.weight in graph.es.attributes():
        weights = given_weights(graph.es[options.weight])
    has_names = "name" in graph.vs.attributes()
    nodes = list(graph.vs["name"]) if has_names else None
    if nodes is not None and len(set(nodes)) < len(nodes):
        nodes = None
    ends, both = (edges[:, 0], edges[:, 1]), not graph.is_directed()
    made = build("igraph", graph.vcount(), *ends, weights, options, nodes, both)
    return with_attributes(made, [vertex.attributes() for vertex in graph.vs], options)


def of_scipy(matrix: Any, options: Options) -> Graph:
    """Convert a sparse adjacency matrix."""
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"a matrix of shape {matrix.shape} is no adjacency matrix: it is not square")
    rows = matrix.tocsr()
    values = None
    if options.weight is not None:
        values = numbers(rows.data, "the adjacency matrix", 1)
    indptr, indices = whole(rows.indptr, "indptr"), whole(rows.indices, "indices")
    return Graph(
        _bnpool.Graph.from_rows(
            "scipy",
            rows.shape[0],
            indptr,
            indices,
            values,
            options.weight,
            options.directed,
            False,
            [],
        )
    )


def of_array(array: NDArray[Any], options: Options) -> Graph:
    """Convert an adjacency matrix if square, otherwise edges in columns or rows."""
    if array.ndim != 2:
        raise ValueError(
            f"an array of shape {array.shape} is no graph: give an adjacency matrix (n, n), "
            "edges (m, 2) or (m, 3) with weights, or (2, m)"
        )
    rows, columns = array.shape
    if rows == columns:
        return of_dense(array, options)
    if columns in (2, 3):
        ends, rest = array[:, :2].T, array[:, 2] if columns == 3 else None
    elif rows in (2, 3):
        ends, rest = array[:2], array[2] if rows == 3 else None
    else:
        raise ValueError(
            f"an array of shape {array.shape} is no graph: give an adjacency matrix (n, n), "
            "edges (m, 2) or (m, 3) with weights, or (2, m)"
        )
    return of_lists((ends[0], ends[1]) if rest is None else (ends[0], ends[1], rest), options)


def of_dense(array: NDArray[Any], options: Options) -> Graph:
    """Convert a dense adjacency matrix."""
    matrix = numbers(array, "the adjacency matrix", 2)
    sources, targets = np.nonzero(matrix)
    weights = matrix[sources, targets] if options.weight is not None else None
    return build("array", len(matrix), sources, targets, weights, options)


def of_lists(lists: Sequence[Any], options: Options) -> Graph:
    """Convert sources, targets and maybe weights; nodes are the numbers from 0."""
    sources, targets = whole(lists[0], "sources"), whole(lists[1], "targets")
    weights = None
    if len(lists) == 3 and options.weight is not None:
        weights = numbers(lists[2], "weights", 1)
    largest = max((int(ends.max()) for ends in (sources, targets) if ends.size), default=-1)
    return build("edges", largest + 1, sources, targets, weights, options)


def of_pyg(data: Any, options: Options) -> Graph:
    """Convert data of PyG: `edge_index`, `edge_weight`, `x`, `y` and `num_nodes`.

    `y` contains classes of the nodes, or one row with the target of the graph.
    """
    index = np.asarray(plain(data.edge_index))
    if index.ndim != 2 or index.shape[0] != 2:
        raise ValueError(f"edge_index has the shape {index.shape}, and (2, edges) is needed")
    weights = None
    given = getattr(data, "edge_weight", None)
    if given is not None and options.weight is not None:
        weights = numbers(given, "edge_weight", 1)
    sources, targets = whole(index[0], "edge_index"), whole(index[1], "edge_index")
    nodes = getattr(data, "num_nodes", None)
    x = getattr(data, "x", None)
    if nodes is None:
        nodes = len(x) if x is not None else int(index.max(initial=-1)) + 1
    made = build("data", int(nodes), sources, targets, weights, options)
    if x is not None:
        made = with_features(made, plain(x))
    y = getattr(data, "y", None)
    y = None if y is None else np.asarray(plain(y))
    if y is None:
        return made
    if y.shape == (made.n_nodes,) and y.dtype.kind in "iu":
        made = with_classes(made, y)
    # The target of the whole graph.
    if y.size == 1 and y.dtype.kind in "iub":
        return Graph(made._native.with_class(int(y.item())), made._nodes)
    if y.dtype.kind == "f" and (y.ndim == 0 or y.shape[0] == 1):
        return Graph(made._native.with_numbers(y.ravel().tolist()), made._nodes)
    return made


def of_frame(frame: Any, options: Options) -> Graph:
    """Convert an edge frame, with one row per edge, or a frame that is a matrix.

    The columns are chosen as those of a file are.
    """
    names: List[Any] = list(getattr(frame, "column_names", None) or list(frame.columns))
    asked = (options.source, options.target, options.bipartite) != (None, None, None)
    labels = None if asked else matrix_labels(frame, names)
    if labels is not None:
        return of_matrix(frame, names[-len(labels) :], labels, options)
    columns = [column(frame, name)[:SAMPLE] for name in names]
    rows = [[cell(value) for value in row] for row in zip(*columns)]
    weight = options.weight if options.weight != "weight" or "weight" in names else None
    known = _bnpool.choose_columns(
        [str(name) for name in names],
        rows,
        options.source,
        options.target,
        "none" if options.weight is None else weight,
        options.bipartite,
    )
    source, target, place, style, sides, note = known
    weights = None
    if place is not None:
        values = column(frame, names[place])
        if style != "point":
            values = np.array([plain_number(str(value), style) for value in values.tolist()])
        weights = numbers(values, str(names[place]), 1)
    ends = column(frame, names[source]), column(frame, names[target])
    made = named_edges(*ends) if sides is None else kept_apart(*ends, sides)
    return build(
        "frame",
        len(made.nodes),
        made.sources,
        made.targets,
        weights,
        options,
        made.names,
        notes=[note],
    )


def cell(value: Any) -> str:
    """Return a value as text, empty if it is missing."""
    return "" if value is None or value != value else str(value)


def plain_number(text: str, style: str) -> float:
    """Return the number in a text with decimal commas, or commas between thousands."""
    if style == "comma":
        text = text.replace(".", "").replace(",", ".")
    else:
        text = text.replace(",", "")
    return float(text)


def matrix_labels(frame: Any, names: List[Any]) -> Optional[List[Any]]:
    """Return the names of the rows if they are those of the columns."""
    index = getattr(frame, "index", None)
    words = [str(name) for name in names]
    if index is not None and [str(name) for name in index] == words:
        # Three edges without names of columns look like a matrix of three nodes.
        counted = words == [str(place) for place in range(len(words))]
        return list(names) if len(words) > (3 if counted else 1) else None
    first = column(frame, names[0]).tolist() if names else []
    if len(first) == len(names) - 1 > 1 and [str(name) for name in first] == words[1:]:
        return first
    return None


def of_matrix(frame: Any, columns: List[Any], labels: List[Any], options: Options) -> Graph:
    """Convert a frame that is an adjacency matrix; a missing value is no edge."""
    values = np.column_stack([numbers(column(frame, name), str(name), 1) for name in columns])
    matrix = np.nan_to_num(values.astype(np.float64), nan=0.0)
    sources, targets = np.nonzero(matrix)
    weights = matrix[sources, targets] if options.weight is not None else None
    note = "the names of the rows are those of the columns: an adjacency matrix"
    return build(
        "frame", len(labels), sources, targets, weights, options, labels, notes=[note]
    )


def column(frame: Any, name: Any) -> NDArray[Any]:
    """Return a column of a frame as an array."""
    values = frame.column(name) if hasattr(frame, "column_names") else frame[name]
    return np.asarray(values.to_numpy())


def of_pairs(edges: List[Any], options: Options) -> Graph:
    """Convert a list of pairs, or of triples with weights; nodes are numbers or strings."""
    lengths = {len(edge) for edge in edges if isinstance(edge, (tuple, list))}
    if len(lengths) != 1 or not lengths <= {2, 3} or not edges:
        raise ValueError("a list of edges is a list of pairs, or of triples with weights")
    parts = list(zip(*edges))
    weights = None
    if len(parts) == 3 and options.weight is not None:
        weights = numbers(list(parts[2]), "weights", 1)
    made = named_edges(objects(parts[0]), objects(parts[1]))
    return build("edges", len(made.nodes), made.sources, made.targets, weights, options, made.names)


def objects(values: Sequence[Any]) -> NDArray[Any]:
    """Return an array of unchanged values."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


class Named(NamedTuple):
    """Edges between named nodes."""

    nodes: List[Hashable]
    sources: NDArray[np.int64]
    targets: NDArray[np.int64]

    @property
    def names(self) -> Optional[List[Hashable]]:
        """The names, unless they are the numbers from 0."""
        return None if self.nodes == list(range(len(self.nodes))) else self.nodes


def named_edges(sources: NDArray[Any], targets: NDArray[Any]) -> Named:
    """Number the nodes like the command: ascending numbers, strings sorted by bytes."""
    if len(sources) != len(targets):
        raise ValueError(f"{len(sources)} sources and {len(targets)} targets")
    if sources.dtype.kind in "iu" and targets.dtype.kind in "iu":
        both = np.concatenate([sources, targets]).astype(np.int64)
        if both.size and both.min() < 0:
            raise ValueError(f"node id {both.min()} is negative; number nodes from 0")
        found, places = np.unique(both, return_inverse=True)
        places = places.astype(np.int64)
        return Named(found.tolist(), places[: len(sources)], places[len(sources) :])
    values = sources.tolist() + targets.tolist()
    for value in values:
        if value is None or value != value:
            raise ValueError("an edge lacks a node: a value of the columns is missing")
    distinct = list(dict.fromkeys(values))
    if all(isinstance(value, int) for value in distinct):
        distinct.sort()
    else:
        distinct.sort(key=lambda value: str(value).encode())
    place = {value: i for i, value in enumerate(distinct)}
    numbered = np.fromiter((place[value] for value in values), dtype=np.int64, count=len(values))
    return Named(distinct, numbered[: len(sources)], numbered[len(sources) :])


def kept_apart(
    sources: NDArray[Any], targets: NDArray[Any], sides: Tuple[str, str]
) -> Named:
    """Number two kinds of nodes like the command, with a word before ids that both have."""
    if not set(sources.tolist()) & set(targets.tolist()):
        return named_edges(sources, targets)
    one, other = named_edges(sources, sources), named_edges(targets, targets)
    nodes: List[Hashable] = [f"{sides[0]} {node}" for node in one.nodes]
    nodes += [f"{sides[1]} {node}" for node in other.nodes]
    return Named(nodes, one.sources, other.targets + len(one.nodes))


def given_weights(values: Sequence[Any]) -> Optional[NDArray[Any]]:
    """Return edge weights, 1 if an edge has none; None if no edge has any."""
    if all(value is None for value in values):
        return None
    return numbers([1.0 if value is None else value for value in values], "weight", 1)


def build(
    name: str,
    count: int,
    sources: NDArray[Any],
    targets: NDArray[Any],
    weights: Optional[Any],
    options: Options,
    nodes: Optional[Sequence[Hashable]] = None,
    undirected: bool = False,
    notes: Sequence[str] = (),
) -> Graph:
    """Create a graph of numbered edges, which may be known to be undirected."""
    sources, targets = whole(sources, "sources"), whole(targets, "targets")
    native = _bnpool.Graph.from_edges(
        name,
        count,
        sources,
        targets,
        weights,
        options.weight,
        options.directed,
        undirected,
        list(notes),
    )
    if nodes is not None and list(nodes) != list(range(count)):
        words = [str(node) for node in nodes]
        if len(set(words)) == len(words):
            native = native.with_ids(words)
        return Graph(native, nodes)
    return Graph(native)


def with_attributes(graph: Graph, table: List[Dict[str, Any]], options: Options) -> Graph:
    """Add node attributes to a graph as features and classes."""
    for name in (*options.node_attributes, options.label_attribute):
        if name is not None and not any(name in row for row in table):
            raise ValueError(f"no node has the attribute {name!r}")
    if options.node_attributes:
        columns = [[row.get(name) for name in options.node_attributes] for row in table]
        lacking = [i for i, row in enumerate(columns) if None in row]
        if lacking:
            raise ValueError(
                f"node {graph.nodes[lacking[0]]!r} lacks an attribute of "
                + ", ".join(map(repr, options.node_attributes))
            )
        graph = with_features(graph, columns)
    if options.label_attribute is not None:
        known = [row.get(options.label_attribute) for row in table]
        kinds = {type(value) for value in known if value is not None}
        words = known if len(kinds) < 2 else [None if v is None else str(v) for v in known]
        graph = with_classes(graph, objects(words))
    return graph


__all__ = ["convert"]
