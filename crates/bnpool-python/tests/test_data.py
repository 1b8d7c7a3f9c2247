"""Data sets and comparisons."""

import networkx as nx
import numpy as np
import pytest

import bnpool


def test_the_built_in_graph():
    graph = bnpool.datasets.load("community")
    assert graph.n_nodes == 400 and graph.y.max() == 4
    assert graph.x.shape[0] == 400
    names = {entry.name.lower() for entry in bnpool.datasets.entries()}
    assert {"community", "cora", "mutag"} <= names


def test_a_data_set_is_clustered_as_by_the_command(command, tmp_path):
    command("cluster", "--dataset", "community", "--out", "run")
    found = bnpool.cluster(bnpool.datasets.load("community"))
    found.save(tmp_path / "mine")
    expected = (tmp_path / "run" / "labels.csv").read_bytes()
    assert (tmp_path / "mine" / "labels.csv").read_bytes() == expected
    # The set is named, and not copied.
    assert not (tmp_path / "mine" / "graph.safetensors").exists()


def test_what_is_not_there(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="there is no data set"):
        bnpool.datasets.load("atlantis")
    monkeypatch.setenv("BNPOOL_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="python -m bnpool data get|not there"):
        bnpool.datasets.load("proteins")


def test_one_graph_is_compared(karate, tmp_path):
    clubs = [nx.karate_club_graph().nodes[node]["club"] for node in karate.nodes]
    made = bnpool.as_graph(karate, y=clubs)
    compared = bnpool.compare(made, ["bn", "leiden"], out=tmp_path / "compare")
    assert [row["pooler"] for row in compared.rows] == ["bn", "leiden"]
    assert len(compared.to_frame()) == 2
    assert (tmp_path / "compare" / "compare.html").exists()
    assert "<html" in compared.report().lower()
    assert "<td>leiden</td>" in compared._repr_html_()
    own = bnpool.cluster(made)
    assert compared.rows[0]["communities"] == own.n_clusters_


def test_many_graphs_are_compared():
    graphs = [(nx.cycle_graph, nx.star_graph)[i % 2](6) for i in range(20)]
    y = [i % 2 for i in range(20)]
    settings = {"data.folds": 2, "model.hidden": 8}
    compared = bnpool.compare(graphs, "none,topk", y, epochs=3, folds=[0], settings=settings)
    assert [row["pooler"] for row in compared.rows] == ["none", "topk"]
    assert compared.path is None


def test_a_comparison_that_cannot_be(karate):
    with pytest.raises(ValueError, match="magic"):
        bnpool.compare(karate, ["magic"])
    with pytest.raises(FileNotFoundError):
        bnpool.compare("nowhere.csv")
    with pytest.raises(ValueError, match="give alpha_dp=X"):
        bnpool.compare(karate, ["bn"], alpha_dp=-1.0)
    with pytest.raises(TypeError, match="'speed'"):
        bnpool.compare(karate, speed=1)
