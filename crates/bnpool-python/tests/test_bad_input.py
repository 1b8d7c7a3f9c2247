"""Bad input raises, and never ends the interpreter."""

import types

import networkx as nx
import numpy as np
import pandas
import pytest
import scipy.sparse

import bnpool

TRIANGLE = np.array([[0, 1], [1, 2], [0, 2]])


def raises(message, graph, X=None, **parameters):
    with pytest.raises(ValueError, match=message):
        bnpool.cluster(graph, X, **parameters)


@pytest.mark.parametrize(
    "graph, message",
    [
        (np.array([[0.0, np.nan], [np.nan, 0.0]]), "not finite"),
        (np.array([[0.0, -1.0], [-1.0, 0.0]]), "signed weights are not supported"),
        (np.array([[0.0, np.inf], [np.inf, 0.0]]), "not finite"),
        (np.array([[0, -2], [1, 2], [3, 4]]), "negative"),
        (np.array([[0, 1, np.nan], [1, 2, 1.0]]), "not finite"),
        (np.array([[0.5, 1.0], [1.0, 2.0], [2.0, 3.0]]), "whole numbers"),
        (np.array([["a", "b"], ["b", "c"], ["c", "d"]]), "whole numbers"),
        (np.zeros((3, 4, 5)), "is no graph"),
        (np.zeros(7), "is no graph"),
        (np.zeros((5, 7)), "is no graph"),
        (np.zeros((0, 0)), "0 nodes"),
        (np.zeros((1, 1)), "1 nodes"),
        (np.zeros((0, 2), dtype=int), "0 nodes"),
        (np.array([[0, 2**40], [1, 2], [2, 3]]), "nodes"),
        (scipy.sparse.csr_matrix((3, 4)), "not square"),
        (scipy.sparse.csr_matrix(np.array([[0, np.nan], [np.nan, 0]])), "not finite"),
        (nx.Graph(), "0 nodes"),
        (nx.Graph([(0, 1, {"weight": -1})]), "negative"),
        (nx.Graph([(0, 1, {"weight": "heavy"}), (1, 2, {"weight": 2})]), "weight"),
        (pandas.DataFrame({"only": [1, 2]}), "source"),
        (pandas.DataFrame({"source": ["a", None], "target": ["b", "c"]}), "missing"),
        (pandas.DataFrame({"source": [0, -1], "target": [1, 2]}), "negative"),
        ([(1, 2), (1, 2, 3)], "list of"),
        ([], "list of"),
        ((np.array([0, 1]), np.array([1])), "every edge needs one of each"),
        (types.SimpleNamespace(edge_index=np.zeros((3, 4), dtype=int)), "edge_index"),
        (42, "is no graph"),
        (None, "is no graph"),
        (object(), "is no graph"),
    ],
)
def test_graphs(graph, message):
    raises(message, graph)


@pytest.mark.parametrize(
    "X, message",
    [
        (np.array([[1.0], [np.nan], [2.0]]), "row 1, column 0 is NaN"),
        (np.array([[1.0], [np.inf], [2.0]]), "row 1, column 0"),
        (np.ones((2, 1)), "2 rows for 3 nodes"),
        (np.ones((4, 1)), "4 rows for 3 nodes"),
        (np.ones(3), "2 dimensions"),
        ([[1.0], [2.0, 3.0], [4.0]], "X"),
        (np.array([["a"], ["b"], ["c"]]), "zeros and ones"),
        (np.array([[1], ["b"], [None]], dtype=object), "no numbers"),
        (pandas.DataFrame({"colour": ["red", "blue", "red"]}), "numbers"),
        (scipy.sparse.csr_matrix(np.array([[1.0], [np.nan], [2.0]])), "row 1, column 0"),
        (np.array([[1e300], [0], [0]]), "row 0"),
    ],
)
def test_features(X, message):
    raises(message, TRIANGLE, X)


def test_a_sparse_matrix_that_lies():
    matrix = scipy.sparse.csr_matrix(np.eye(3))
    matrix.indices = np.array([0, 1, 77], dtype=np.int32)
    raises("no node 77", matrix)
    matrix.indices = np.array([0, 1, -1], dtype=np.int32)
    raises("negative", matrix)
    matrix = scipy.sparse.csr_matrix(np.eye(3))
    matrix.indptr = np.array([0, 5, 1, 3], dtype=np.int32)
    with pytest.raises(ValueError):
        bnpool.cluster(matrix)


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"preset": "best"}, "preset `best` is unknown"),
        ({"pooler": "magic"}, "magic"),
        ({"max_clusters": 1}, "give max_clusters=C"),
        ({"max_clusters": 2.5}, "max_clusters=2.5: `pooler.max_clusters` should be a whole number"),
        ({"alpha_dp": -1.0}, "give alpha_dp=X"),
        ({"alpha_dp": "much"}, "should be a number"),
        ({"alpha_dp": [1]}, "list"),
        ({"epochs": 0}, "epochs"),
        ({"n_threads": 0}, "at least one"),
        ({"n_threads": 5000}, "at most 1024"),
        ({"n_threads": 1.5}, "whole number"),
        ({"random_state": -1}, "at least 0"),
        ({"random_state": "x"}, "random_state"),
        ({"settings": {"pooler.alpha": 1}}, "no setting `pooler.alpha`"),
        ({"settings": [1]}, "a dictionary"),
        ({"structure": "rings"}, "structure='rings': unknown variant"),
        ({"loss": "none"}, "loss='none': unknown variant"),
        ({"min_size": -1}, "min_size=-1: a whole number of at least 0"),
        ({"n_clusters": -3}, "n_clusters=-3: at least one"),
        ({"n_clusters": 0}, "n_clusters=0: at least one"),
        ({"n_clusters": 2.5}, "whole number"),
        ({"hidden": 0}, "give hidden=N"),
        ({"eta_k": float("nan")}, "eta_k=nan: .*finite number"),
        ({"directed": "yes"}, "directed='yes': True or False"),
    ],
)
def test_parameters(parameters, message):
    raises(message, TRIANGLE, **parameters)


def test_advice_names_parameters():
    """Every keyword argument that a message advises is one of the estimator's."""
    import re

    values = {"pooler": "magic", "random_state": -1, "validation_fraction": 2.0}
    graphs, y = [TRIANGLE] * 6, [0, 1] * 3
    for kind in (bnpool.BNPool, bnpool.GraphClassifier, bnpool.GraphRegressor):
        names = set(kind().get_params())
        advised = set()
        for name in names - {"settings", "verbose", "weight", "directed", "node_attributes"}:
            estimator = kind(**{name: values.get(name, -1)})
            try:
                estimator.fit(graphs[0]) if kind is bnpool.BNPool else estimator.fit(graphs, y)
            except ValueError as error:
                advised |= set(re.findall(r"give (\w+)=", str(error)))
        assert advised <= names and "alpha_dp" in advised, kind


def test_unknown_parameters():
    with pytest.raises(TypeError):
        bnpool.cluster(TRIANGLE, colour="red")


def test_files(tmp_path):
    with pytest.raises(FileNotFoundError, match="cannot read"):
        bnpool.cluster(tmp_path / "none.csv")
    bad = tmp_path / "bad.csv"
    bad.write_text("a,b,weight\nx,y,1\ny,z,-2\n")
    with pytest.raises(ValueError, match="line 3: weight `-2` is negative.*weight=None"):
        bnpool.cluster(bad)
    with pytest.raises(ValueError, match="there is no option"):
        bnpool.read(bad, sorce="a")
    with pytest.raises(ValueError, match="format"):
        bnpool.read(bad, format="word")


def test_messages_are_those_of_the_command(command, tmp_path):
    (tmp_path / "bad.csv").write_text("0,1\n1,-2\n")
    told = command("cluster", "bad.csv", code=2).stderr
    with pytest.raises(ValueError) as raised:
        bnpool.cluster(tmp_path / "bad.csv")
    own = str(raised.value).replace(str(tmp_path) + "/", "")
    # Only the flag has another name.
    assert own.split(", or give ")[0] in told


def test_classes():
    with pytest.raises(ValueError, match="a class for each of 3 nodes"):
        bnpool.cluster(TRIANGLE, y=[0, 1])
    found = bnpool.cluster(TRIANGLE, y=[None, None, None])
    assert len(found.labels_) == 3


def test_graphs_to_learn_from():
    classifier = bnpool.GraphClassifier(epochs=1)
    graphs = [TRIANGLE] * 6
    for y, message in [
        ([0] * 6, "one class"),
        ([0, 1], "a class for each of 6"),
        ([0, 1, 0, 1, 0, np.nan], "NaN"),
    ]:
        with pytest.raises(ValueError, match=message):
            classifier.fit(graphs, y)
    with pytest.raises(ValueError, match="graph 1: "):
        classifier.fit([TRIANGLE, 7], [0, 1])
    for one in (nx.path_graph(3), scipy.sparse.csr_matrix(np.eye(3)), bnpool.as_graph(TRIANGLE)):
        with pytest.raises(ValueError, match=r"write \[graph\]"):
            classifier.fit(one, [0])
    with pytest.raises(ValueError, match="no graphs"):
        classifier.fit([], [])
    with pytest.raises(ValueError, match="requires y"):
        classifier.fit(graphs)
    with pytest.raises(ValueError, match="numbers are needed"):
        bnpool.GraphRegressor().fit(graphs, list("abcdef"))
    with pytest.raises(bnpool.NotFittedError):
        classifier.predict(graphs)
