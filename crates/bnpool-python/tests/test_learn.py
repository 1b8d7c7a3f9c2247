"""Classes and numbers of whole graphs."""

import pickle
import types

import networkx as nx
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score

import bnpool
from bnpool import GraphClassifier, GraphRegressor

FAST = {"epochs": 12, "hidden": 8, "batch_size": 8}


@pytest.fixture(scope="module")
def graphs():
    """Cycles and stars of several sizes."""
    kinds = [nx.cycle_graph, nx.star_graph]
    return [kinds[i % 2](6 + i // 2 % 5) for i in range(40)]


@pytest.fixture(scope="module")
def y():
    return np.array(["cycle", "star"] * 20)


@pytest.fixture(scope="module")
def fitted(graphs, y):
    return GraphClassifier(**FAST).fit(graphs, y)


def test_classes(fitted, graphs, y):
    assert fitted.classes_.tolist() == ["cycle", "star"]
    probabilities = fitted.predict_proba(graphs)
    assert probabilities.shape == (40, 2)
    assert np.allclose(probabilities.sum(axis=1), 1)
    assert set(fitted.predict(graphs)) <= {"cycle", "star"}
    assert fitted.score(graphs, y) > 0.8
    assert fitted.history_[0]["epoch"] == 1 and fitted.best_epoch_ >= 1
    assert 0 <= fitted.validation_score_ <= 1


def test_the_same_seed_gives_the_same_model(fitted, graphs, y):
    again = GraphClassifier(**FAST, n_threads=1).fit(graphs, y)
    assert np.array_equal(again.predict_proba(graphs), fitted.predict_proba(graphs))


def test_pickle(fitted, graphs):
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.predict_proba(graphs), fitted.predict_proba(graphs))
    assert again.predict(graphs).tolist() == fitted.predict(graphs).tolist()
    assert again.history_ == fitted.history_ and again.best_epoch_ == fitted.best_epoch_
    assert again.validation_score_ == fitted.validation_score_


def test_save_and_load(fitted, graphs, tmp_path):
    fitted.save(tmp_path / "model.safetensors")
    again = bnpool.load(tmp_path / "model.safetensors")
    assert np.array_equal(again.predict_proba(graphs), fitted.predict_proba(graphs))
    assert again.predict(graphs).tolist() == fitted.predict(graphs).tolist()


def test_classes_that_are_numbers_stay_numbers(graphs, tmp_path):
    numbers = np.arange(40) % 2
    for i, y in enumerate([numbers, numbers.astype(float), numbers == 1]):
        classifier = GraphClassifier(**FAST).fit(graphs, y)
        classifier.save(tmp_path / f"{i}.safetensors")
        again = bnpool.load(tmp_path / f"{i}.safetensors")
        assert again.predict(graphs).tolist() == classifier.predict(graphs).tolist()
        assert again.score(graphs, y) == classifier.score(graphs, y)


def test_a_loaded_model_has_its_parameters(graphs, y, tmp_path):
    classifier = GraphClassifier("topk", ratio=0.7, random_state=4, **FAST).fit(graphs, y)
    classifier.save(tmp_path / "model.safetensors")
    again = bnpool.load(tmp_path / "model.safetensors")
    for name in ("pooler", "ratio", "random_state", "preset", *FAST):
        assert getattr(again, name) == getattr(classifier, name), name
    refitted = again.fit(graphs, y)
    assert np.array_equal(refitted.predict_proba(graphs), classifier.predict_proba(graphs))


def test_pooled_graphs(fitted, graphs):
    pooled = fitted.transform(graphs[:2])
    assert pooled[0]["s"].shape[0] == graphs[0].number_of_nodes()
    k = pooled[0]["s"].shape[1]
    assert pooled[0]["adjacency"].shape == (k, k)


@pytest.mark.parametrize("pooler", ["none", "topk", "mincut", "graclus"])
def test_any_pooler(pooler, graphs, y):
    classifier = GraphClassifier(pooler, **FAST).fit(graphs, y)
    assert classifier.predict(graphs[:3]).shape == (3,)


def test_cross_validation(graphs, y):
    scores = cross_val_score(GraphClassifier(**FAST), graphs, y, cv=3)
    assert scores.shape == (3,) and scores.mean() > 0.5


def test_grid_search(graphs, y):
    search = GridSearchCV(GraphClassifier(**FAST), {"pooler": ["bn", "none"]}, cv=2)
    search.fit(graphs, y)
    assert search.best_params_["pooler"] in ("bn", "none")
    assert search.predict(graphs[:4]).shape == (4,)


def test_numbers(graphs):
    y = np.array([graph.number_of_nodes() for graph in graphs], dtype=float)
    regressor = GraphRegressor("none", epochs=60, hidden=16).fit(graphs, y)
    assert regressor.predict(graphs).shape == (40,)
    assert regressor.score(graphs, y) > 0.3
    again = pickle.loads(pickle.dumps(regressor))
    assert np.array_equal(again.predict(graphs), regressor.predict(graphs))
    scores = cross_val_score(GraphRegressor("none", **FAST), graphs, y, cv=2)
    assert np.isfinite(scores).all()


def test_numbers_that_are_zero_and_one_stay_numbers(graphs):
    y = np.array([0.0, 1.0] * 20)
    regressor = GraphRegressor("none", **FAST).fit(graphs, y)
    assert regressor.predict(graphs).min() < 0.5


def test_several_numbers(graphs, tmp_path):
    y = np.array([[g.number_of_nodes(), g.number_of_edges()] for g in graphs], dtype=float)
    regressor = GraphRegressor("none", **FAST).fit(graphs, y)
    assert regressor.predict(graphs).shape == (40, 2)
    regressor.save(tmp_path / "model.safetensors")
    again = bnpool.load(tmp_path / "model.safetensors")
    assert np.array_equal(again.predict(graphs), regressor.predict(graphs))


def test_features_of_nodes(y):
    rng = np.random.default_rng(0)
    graphs = []
    for i in range(40):
        edges = np.array(nx.cycle_graph(6).edges)
        graphs.append(bnpool.as_graph(edges, rng.normal(i % 2, 0.1, size=(6, 3))))
    assert GraphClassifier(**FAST).fit(graphs, y).score(graphs, y) > 0.9


def test_targets_of_pyg_data(graphs):
    def data(graph, y):
        edges = np.array(graph.edges).T
        return types.SimpleNamespace(edge_index=edges, num_nodes=len(graph), y=np.array(y))

    classes = [data(graph, [i % 2]) for i, graph in enumerate(graphs)]
    assert GraphClassifier(**FAST).fit(classes).classes_.tolist() == [0, 1]
    numbers = [data(graph, [[float(len(graph)), 1.0 * i]]) for i, graph in enumerate(graphs)]
    assert GraphRegressor(**FAST).fit(numbers).predict(numbers).shape == (40, 2)


def test_the_command_predicts_with_a_saved_model(fitted, graphs, command, tmp_path):
    import json

    bnpool._bnpool.write_graphs(
        tmp_path / "train.safetensors",
        [bnpool.as_graph(g)._native.with_class(i % 2) for i, g in enumerate(graphs)],
        ["cycle", "star"],
    )
    command("train", "--data", "train.safetensors", "--folds", "0", "--epochs", 3, "--out", "run")
    loaded = bnpool.load(tmp_path / "run")
    told = json.loads(command("predict", "--run", "run", "train.safetensors", "--json").stdout)
    rows = told if isinstance(told, list) else told["predictions"]
    own = loaded.predict_proba(tmp_path / "train.safetensors")
    assert len(rows) == len(own) == 40
    fitted.save(tmp_path / "model.safetensors")
    words = ("predict", "--run", "model.safetensors", "train.safetensors", "--out", "said.csv")
    command(*words)
    said = [line.split(",") for line in (tmp_path / "said.csv").read_text().splitlines()]
    assert [row[1] for row in said[1:]] == fitted.predict(graphs).tolist()
    command(*words, "--fold", "0", code=2)
