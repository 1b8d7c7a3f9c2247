"""Every kind of input gives the labels of the command, byte for byte."""

import types

import igraph
import networkx as nx
import numpy as np
import pandas
import polars
import pyarrow
import pytest
import scipy.sparse

import bnpool
from conftest import write_edges


def saved(found, path):
    found.save(path)
    return (path / "labels.csv").read_bytes()


@pytest.fixture(scope="module")
def by_command(edges, tmp_path_factory):
    """labels.csv of the command for the karate club."""
    import subprocess

    from conftest import command_words

    folder = tmp_path_factory.mktemp("command")
    write_edges(folder / "edges.csv", edges)
    subprocess.run(
        [*command_words(), "cluster", "edges.csv", "--out", "run", "--quiet"],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return (folder / "run" / "labels.csv").read_bytes()


def adjacency(edges, dtype=float):
    dense = np.zeros((34, 34), dtype=dtype)
    dense[edges[:, 0], edges[:, 1]] = dense[edges[:, 1], edges[:, 0]] = 1
    return dense


KINDS = {
    "networkx": lambda g, e: g,
    "igraph": lambda g, e: igraph.Graph(34, e.tolist()),
    "csr": lambda g, e: scipy.sparse.csr_matrix(adjacency(e)),
    "csr of int64 indices": lambda g, e: wide(scipy.sparse.csr_matrix(adjacency(e))),
    "csc": lambda g, e: scipy.sparse.csc_matrix(adjacency(e, np.float32)),
    "coo": lambda g, e: scipy.sparse.coo_matrix(adjacency(e, np.int8)),
    "csr_array": lambda g, e: scipy.sparse.csr_array(adjacency(e)),
    "upper triangle": lambda g, e: scipy.sparse.triu(adjacency(e)),
    "dense": lambda g, e: adjacency(e),
    "dense bool": lambda g, e: adjacency(e, bool),
    "edges": lambda g, e: e,
    "edges int32": lambda g, e: e.astype(np.int32),
    "edges int16": lambda g, e: e.astype(np.int16),
    "edges with ones": lambda g, e: np.column_stack([e, np.ones(len(e))]),
    "edge rows": lambda g, e: np.ascontiguousarray(e.T),
    "two lists": lambda g, e: (e[:, 0], e[:, 1]),
    "pairs": lambda g, e: [tuple(pair) for pair in e.tolist()],
    "pandas": lambda g, e: pandas.DataFrame(e, columns=["source", "target"]),
    "pandas by place": lambda g, e: pandas.DataFrame(e),
    "polars": lambda g, e: polars.DataFrame({"from": e[:, 0], "to": e[:, 1]}),
    "pyarrow": lambda g, e: pyarrow.table({"u": e[:, 0], "v": e[:, 1]}),
    "pyg": lambda g, e: types.SimpleNamespace(edge_index=e.T, num_nodes=34),
}


def wide(matrix):
    matrix.indptr = matrix.indptr.astype(np.int64)
    matrix.indices = matrix.indices.astype(np.int64)
    return matrix


@pytest.mark.parametrize("kind", KINDS)
def test_labels_are_those_of_the_command(kind, karate, edges, by_command, tmp_path):
    found = bnpool.cluster(KINDS[kind](karate, edges))
    assert saved(found, tmp_path / "run") == by_command


def test_a_path_is_read_as_by_the_command(edges, by_command, tmp_path):
    path = write_edges(tmp_path / "edges.csv", edges)
    assert saved(bnpool.cluster(path), tmp_path / "run") == by_command
    assert saved(bnpool.cluster(str(path)), tmp_path / "other") == by_command


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_do_not_matter(threads, edges, by_command, tmp_path):
    found = bnpool.cluster(edges, n_threads=threads)
    assert saved(found, tmp_path / "run") == by_command


def test_weights(command, karate, edges, tmp_path):
    weights = (np.arange(len(edges)) % 5 + 1) / 2
    write_edges(tmp_path / "edges.csv", edges, weights)
    command("cluster", "edges.csv", "--out", "run", "--seed", 3)
    expected = (tmp_path / "run" / "labels.csv").read_bytes()
    weighted = nx.Graph()
    weighted.add_nodes_from(karate.nodes)
    for (u, v), weight in zip(edges.tolist(), weights.tolist()):
        weighted.add_edge(u, v, weight=weight, other="x")
    dense = np.zeros((34, 34))
    dense[edges[:, 0], edges[:, 1]] = weights
    frame = pandas.DataFrame({"weight": weights, "target": edges[:, 1], "source": edges[:, 0]})
    flat = igraph.Graph(34, edges.tolist())
    flat.es["weight"] = weights.tolist()
    data = types.SimpleNamespace(edge_index=edges.T, edge_weight=weights, num_nodes=34)
    kinds = [weighted, dense, dense + dense.T, scipy.sparse.csr_matrix(dense), frame, flat, data]
    kinds += [np.column_stack([edges, weights]), polars.from_pandas(frame)]
    for i, kind in enumerate(kinds):
        found = bnpool.cluster(kind, random_state=3)
        assert saved(found, tmp_path / f"run{i}") == expected, type(kind)
    plain = bnpool.cluster(weighted, weight=None)
    assert plain.graph_._native.rows()[2] is None


def test_features(command, edges, tmp_path):
    x = np.random.default_rng(0).normal(size=(34, 4)).astype(np.float32)
    write_edges(tmp_path / "edges.csv", edges)
    np.save(tmp_path / "x.npy", x)
    command("cluster", "edges.csv", "--features", "x.npy", "--out", "run")
    expected = (tmp_path / "run" / "labels.csv").read_bytes()
    kinds = [x, x.astype(np.float64), np.asfortranarray(x), pandas.DataFrame(x)]
    for i, kind in enumerate(kinds):
        found = bnpool.cluster(edges, kind)
        assert saved(found, tmp_path / f"run{i}") == expected
    data = types.SimpleNamespace(edge_index=edges.T, x=x, num_nodes=34)
    assert saved(bnpool.cluster(data), tmp_path / "data") == expected
    assert bnpool.cluster(data).graph_.x.shape == (34, 4)


def test_sparse_features(command, edges, tmp_path):
    x = scipy.sparse.random(34, 30, 0.2, format="csr", random_state=0, dtype=np.float32)
    write_edges(tmp_path / "edges.csv", edges)
    scipy.sparse.save_npz(tmp_path / "x.npz", x)
    command("cluster", "edges.csv", "--features", "x.npz", "--out", "run")
    expected = (tmp_path / "run" / "labels.csv").read_bytes()
    assert saved(bnpool.cluster(edges, x), tmp_path / "mine") == expected
    assert (bnpool.as_graph(edges, x).x != x).nnz == 0


def test_nodes_are_any_hashable_objects_in_their_order(karate):
    names = [("club", i) if i % 2 else frozenset([i]) for i in range(34)]
    order = list(reversed(range(34)))
    graph = nx.Graph()
    graph.add_nodes_from(names[i] for i in order)
    graph.add_edges_from((names[u], names[v]) for u, v in karate.edges)
    found = bnpool.cluster(graph)
    plain = bnpool.cluster(karate)
    assert found.graph_.nodes == [names[i] for i in order]
    assert found.labels_.tolist() == [plain.labels_[i] for i in order]
    assert found.labels_dict_[names[7]] == plain.labels_[7]


def test_words_as_nodes(command, karate, tmp_path):
    name = "person-{:02d}".format
    pairs = [(name(u), name(v)) for u, v in karate.edges]
    write_edges(tmp_path / "edges.csv", pairs)
    command("cluster", "edges.csv", "--out", "run")
    expected = (tmp_path / "run" / "labels.csv").read_bytes()
    frame = pandas.DataFrame(pairs, columns=["a", "b"])
    for i, kind in enumerate([pairs, frame, polars.from_pandas(frame)]):
        assert saved(bnpool.cluster(kind), tmp_path / f"run{i}") == expected


def test_isolated_nodes_are_kept():
    matrix = np.zeros((7, 7))
    matrix[0, 1] = matrix[1, 2] = matrix[0, 2] = matrix[3, 4] = 1
    graph = nx.from_numpy_array(matrix)
    for kind in (matrix, graph, scipy.sparse.csr_matrix(matrix)):
        assert bnpool.as_graph(kind).n_nodes == 7


def test_directions():
    edges = np.array([[0, 1], [1, 2], [2, 0], [2, 3]])
    assert bnpool.as_graph(edges).n_edges == 4
    assert not bnpool.as_graph(edges).directed
    assert bnpool.as_graph(edges, directed=True).directed
    graph = nx.DiGraph(edges.tolist())
    assert bnpool.as_graph(graph, directed=True)._native.edges == 4
    assert bnpool.as_graph(graph)._native.edges == 8


def test_attributes_are_features_and_classes(karate):
    graph = nx.karate_club_graph()
    for node in graph.nodes:
        graph.nodes[node]["age"] = node / 2
    made = bnpool.as_graph(graph, node_attributes=["age"], label_attribute="club")
    assert made.x[:, 0].tolist() == [node / 2 for node in range(34)]
    assert made.class_names == ["Mr. Hi", "Officer"]
    assert made.y[33] == 1
    with pytest.raises(ValueError, match="no node has the attribute 'height'"):
        bnpool.as_graph(graph, node_attributes=["height"])
    with pytest.raises(ValueError, match="no numbers|numbers are needed"):
        bnpool.as_graph(graph, node_attributes=["club"])


def test_nothing_is_imported_that_was_not_passed_in():
    import subprocess
    import sys

    code = (
        "import sys, numpy, bnpool; bnpool.cluster(numpy.array([[0,1],[1,2],[0,2],[2,3],[3,4],[4,5],[3,5]]));"
        "names = {'scipy','networkx','pandas','igraph','sklearn','torch','polars','pyarrow','matplotlib'};"
        "print(sorted(names & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
