"""What can be done with a result: frames, graphs, pictures, reports, run directories."""

import filecmp
import json

import networkx as nx
import numpy as np
import pytest

import bnpool


@pytest.fixture(scope="module")
def found(planted):
    return bnpool.cluster(planted)


def test_frame(found):
    frame = found.to_frame()
    assert list(frame.columns[:4]) == ["node", "cluster", "confidence", "entropy"]
    assert frame["node"].tolist() == found.graph_.nodes
    assert (frame["cluster"] == found.labels_).all()


def test_networkx(found, planted):
    graph = found.to_networkx()
    assert nx.utils.graphs_equal(nx.Graph(graph.edges), nx.Graph(planted.edges)) or (
        set(map(frozenset, graph.edges)) == set(map(frozenset, planted.edges))
    )
    for node, label in found.labels_dict_.items():
        assert graph.nodes[node]["community"] == label


def test_networkx_keeps_weights():
    edges = [(0, 1, 2.0), (1, 2, 0.5), (0, 2, 1.0), (2, 3, 1.5)]
    graph = nx.Graph()
    graph.add_weighted_edges_from(edges)
    again = bnpool.cluster(graph).to_networkx()
    assert again[0][1]["weight"] == 2.0 and again.number_of_edges() == 4


def test_plot(found):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = found.plot()
    assert axes.collections and "3 communities" in axes.get_title()


def test_plot_without_matplotlib(found, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    picture = found.plot()
    assert picture._repr_svg_().startswith("<svg")


def test_notebooks_show_headline_and_picture(found):
    page = found._repr_html_()
    assert "3 communities" in page and "<svg" in page
    assert "3 communities" in repr(found)


def test_report(found, tmp_path):
    page = found.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page
    assert "<!doctype html>" in page.lower() and "Communities of" in page
    assert {"graph", "block_matrix"} <= set(found.pictures())


def test_the_command_reads_what_python_saved(found, command, tmp_path):
    found.save(tmp_path / "run")
    files = {path.name for path in (tmp_path / "run").iterdir()}
    assert {"run.toml", "labels.csv", "report.html", "metrics.json", "graph.safetensors"} <= files
    labels = (tmp_path / "run" / "labels.csv").read_bytes()
    command("report", "run")
    # It is finished, and going on with it changes nothing.
    command("cluster", "--resume", "--out", "run")
    assert (tmp_path / "run" / "labels.csv").read_bytes() == labels
    (tmp_path / "new.csv").write_text("0,1\n0,2\n0,new\n1,new\n")
    told = command("predict", "--run", "run", "new.csv").stdout
    assert f"new,{found.labels_dict_[0]}," in told


def test_a_saved_run_can_be_moved(found, command, tmp_path):
    found.save(tmp_path / "run")
    (tmp_path / "run").rename(tmp_path / "moved")
    command("report", "moved")
    assert np.array_equal(bnpool.load(tmp_path / "moved").labels_, found.labels_)


def test_python_reads_what_the_command_wrote(command, edges, tmp_path):
    from conftest import write_edges

    write_edges(tmp_path / "edges.csv", edges)
    command("cluster", "edges.csv", "--out", "run", "--seed", 5)
    loaded = bnpool.load(tmp_path / "run")
    metrics = json.loads((tmp_path / "run" / "metrics.json").read_text())
    for key in ("communities", "modularity", "seed", "evidence_nats", "epochs", "best_epoch"):
        assert loaded.metrics_[key] == metrics[key], key
    assert np.array_equal(loaded._memberships(), np.load(tmp_path / "run" / "assignments.npy"))
    loaded.save(tmp_path / "again")
    for name in ("labels.csv", "assignments.npy", "model.safetensors", "history.jsonl"):
        assert filecmp.cmp(tmp_path / "run" / name, tmp_path / "again" / name, shallow=False), name
    fitted = bnpool.cluster(edges, random_state=5)
    assert np.array_equal(fitted.confidence_, loaded.confidence_)


def test_a_loaded_result_is_the_same(tmp_path):
    graph = nx.relabel_nodes(nx.karate_club_graph(), lambda node: ("member", 10 * node))
    found = bnpool.cluster(graph, random_state=2)
    found.save(tmp_path / "run")
    again = bnpool.load(tmp_path / "run")
    assert again.labels_dict_ == found.labels_dict_
    assert again._found.to_bytes() == found._found.to_bytes()
    assert again.report() == found.report()
    # The memory of this process, which may grow between the two.
    measured = {"peak_rss_mb"}
    metrics = [{k: v for k, v in x.metrics_.items() if k not in measured} for x in (again, found)]
    assert metrics[0] == metrics[1]
    assert repr(again) == repr(found)
    again.save(tmp_path / "again")
    for name in ("labels.csv", "result.safetensors", "graph.safetensors", "nodes.json"):
        assert filecmp.cmp(tmp_path / "run" / name, tmp_path / "again" / name, shallow=False), name


def test_numbers_and_words_come_back_as_nodes(tmp_path):
    for i, nodes in enumerate([range(5, 39), [f"n{k}" for k in range(34)], [0.5 + k for k in range(34)]]):
        graph = nx.relabel_nodes(nx.karate_club_graph(), dict(enumerate(nodes)))
        found = bnpool.cluster(graph, epochs=2)
        found.save(tmp_path / f"run{i}")
        assert bnpool.load(tmp_path / f"run{i}").labels_dict_ == found.labels_dict_


def test_loading_searches_nothing(command, edges, tmp_path):
    """Without the checkpoint's network the same result comes from the files alone."""
    from conftest import write_edges

    write_edges(tmp_path / "edges.csv", edges)
    command("cluster", "edges.csv", "--out", "run")
    labels = bnpool.load(tmp_path / "run").labels_
    kept = tmp_path / "run" / "result.safetensors"
    data = kept.read_bytes()
    kept.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(ValueError, match="result.safetensors: it is damaged.*remove"):
        bnpool.load(tmp_path / "run")
    kept.unlink()
    assert np.array_equal(bnpool.load(tmp_path / "run").labels_, labels)


def test_metrics_are_those_of_the_command(command, edges, tmp_path):
    from conftest import write_edges

    write_edges(tmp_path / "edges.csv", edges)
    told = json.loads(command("cluster", "edges.csv", "--json").stdout)
    own = bnpool.cluster(edges).metrics_
    # Arrays are no file that could be understood.
    times = {"output", "dataset", "understood", "seconds", "stages", "seconds_per_epoch", "peak_rss_mb"}
    assert {k: v for k, v in own.items() if k not in times} == {
        k: v for k, v in told.items() if k not in times
    }


def test_nothing_is_overwritten_unasked(found, tmp_path):
    found.save(tmp_path / "run")
    with pytest.raises(ValueError, match="holds a finished run"):
        found.save(tmp_path / "run")
    found.save(tmp_path / "run", overwrite=True)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    with pytest.raises(ValueError, match="left alone"):
        found.save(tmp_path / "mine", overwrite=True)
    assert (tmp_path / "mine" / "notes.txt").read_text() == "keep"


def test_known_classes_are_compared_with():
    graph = nx.karate_club_graph()
    clubs = [graph.nodes[node]["club"] for node in graph.nodes]
    found = bnpool.cluster(graph, y=clubs)
    assert "nmi" in found.metrics_
    assert found.graph_.class_names == ["Mr. Hi", "Officer"]


def test_loading_what_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="not the directory of a run"):
        bnpool.load(tmp_path)
    with pytest.raises(FileNotFoundError, match="no such file or directory"):
        bnpool.load(tmp_path / "none")


def test_users_of_python_see_no_flags(tmp_path):
    import re

    # Pieces, and more groups than are allowed.
    pairs = bnpool.cluster(nx.Graph([(f"u{i}", f"v{i}") for i in range(24)]))
    groups = nx.planted_partition_graph(5, 20, 0.6, 0.02, seed=1)
    few = bnpool.cluster(groups, max_clusters=2)
    assert any("give split_disconnected=True" in line for line in pairs._found.warnings)
    assert any("give max_clusters=C" in line for line in few._found.headline)
    assert "give n_clusters=K" in few.report()
    for found in (pairs, few):
        page = re.sub(r"<(style|script).*?</\1>", "", found.report(), flags=re.DOTALL)
        words = re.sub(r"<[^>]*>", " ", page)
        lines = [*found._found.warnings, *found._found.headline, *found.graph_.notes, words]
        assert not [flag for line in lines for flag in re.findall(r"(?<!\S)--[a-z][a-z-]+", line)]
