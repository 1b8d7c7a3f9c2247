"""Frames are read like files of the same content."""

import networkx as nx
import numpy as np
import pandas
import polars
import pyarrow
import pytest

import bnpool

NAMES = ["Ann", "Bob", "Cy", "Di", "Eve", "Fay", "Gus", "Hal"]


def log():
    rng = np.random.default_rng(0)
    u, v = rng.integers(0, 8, 80), rng.integers(0, 8, 80)
    keep = u != v
    u, v = u[keep], v[keep]
    return pandas.DataFrame(
        {
            "timestamp": pandas.date_range("2024-01-01", periods=len(u), freq="h"),
            "amount": rng.uniform(1, 9, len(u)),
            "sender": [NAMES[i] for i in u],
            "recipient": [NAMES[i] for i in v],
        }
    )


def kinds(frame):
    return [frame, polars.from_pandas(frame), pyarrow.Table.from_pandas(frame, preserve_index=False)]


def same(one, other):
    assert one.nodes == other.nodes
    rows = zip(one._native.rows(), other._native.rows())
    assert all(np.array_equal(a, b) for a, b in rows)


def test_a_frame_is_its_csv(tmp_path):
    frame = log()
    frame.to_csv(tmp_path / "log.csv", index=False)
    by_file = bnpool.as_graph(tmp_path / "log.csv")
    assert by_file._native.rows()[2] is not None
    for kind in kinds(frame):
        made = bnpool.as_graph(kind)
        same(made, by_file)
        assert any("edges from `sender` to `recipient`" in note for note in made.notes)
        assert any("the weight of an edge is the number of its lines" in n for n in made.notes)


def test_columns_can_be_named():
    frame = log()
    frame["other"] = frame["sender"].to_numpy()[::-1]
    made = bnpool.as_graph(frame, source="sender", target="other", weight="amount")
    assert any("edges from `sender` to `other`; weights in `amount`" in n for n in made.notes)
    found = bnpool.cluster(frame, source="sender", target="other")
    assert any("edges from `sender` to `other`" in note for note in found.graph_.notes)
    with pytest.raises(ValueError, match="there is no column `nobody`"):
        bnpool.as_graph(frame, source="nobody")
    with pytest.raises(ValueError, match="source is for files and frames"):
        bnpool.as_graph(nx.path_graph(3), source="sender")


def test_repeats_are_counted():
    edges = [(0, 1), (0, 1), (1, 2), (2, 0)]
    frame = pandas.DataFrame(edges, columns=["u", "v"])
    for kind in [edges, np.array(edges), *kinds(frame), nx.MultiGraph(edges)]:
        assert bnpool.as_graph(kind)._native.rows()[2].max() == 2
        assert bnpool.as_graph(kind, weight=None)._native.rows()[2] is None


def test_two_kinds_of_nodes(tmp_path):
    frame = pandas.DataFrame({"user_id": [1, 1, 2, 3], "item_id": [1, 2, 2, 1]})
    frame.to_csv(tmp_path / "bip.csv", index=False)
    by_file = bnpool.as_graph(tmp_path / "bip.csv")
    assert by_file.nodes == ["user 1", "user 2", "user 3", "item 1", "item 2"]
    for kind in kinds(frame):
        same(bnpool.as_graph(kind), by_file)
        assert bnpool.as_graph(kind, bipartite=False).n_nodes == 3


def test_a_square_frame_with_equal_names_is_a_matrix():
    club = nx.karate_club_graph()
    matrix = nx.to_pandas_adjacency(club, weight=None)
    made = bnpool.as_graph(matrix)
    assert (made.n_nodes, made.n_edges) == (34, 78)
    named = nx.to_pandas_adjacency(nx.relabel_nodes(club, str))
    for kind in [named, polars.from_pandas(named.reset_index())]:
        made = bnpool.as_graph(kind)
        assert (made.n_nodes, made.n_edges) == (34, 78)
        assert any("adjacency matrix" in note for note in made.notes)
    signed = pandas.DataFrame(np.full((4, 4), -0.5), index=list("abcd"), columns=list("abcd"))
    with pytest.raises(ValueError, match="signed weights are not supported"):
        bnpool.as_graph(signed)


def test_numbers_may_have_decimal_commas():
    frame = pandas.DataFrame(
        {"von": ["a", "b"], "nach": ["b", "c"], "Gewicht": ["1.234,50", "0,5"]}
    )
    weights = bnpool.as_graph(frame)._native.rows()[2]
    assert sorted(set(weights.tolist())) == [0.5, 1234.5]
