"""The estimator in the manner of scikit-learn."""

import pickle
import pickletools

import networkx as nx
import numpy as np
import pytest
from sklearn.base import clone, is_classifier, is_clusterer, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

import bnpool
from bnpool import BNPool, GraphClassifier, GraphRegressor

ESTIMATORS = [BNPool, GraphClassifier, GraphRegressor]


@pytest.fixture(scope="module")
def fitted(planted):
    return BNPool().fit(planted)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_parameters_are_those_of_the_constructor(kind):
    estimator = kind(random_state=3, settings={"training.learning_rate": 0.01})
    params = estimator.get_params()
    assert params["random_state"] == 3
    assert kind(**params).get_params() == params
    assert estimator.set_params(epochs=4) is estimator
    assert estimator.epochs == 4
    with pytest.raises(ValueError, match="has no parameter 'speed'"):
        estimator.set_params(speed=1)
    assert repr(kind()) == f"{kind.__name__}()"
    assert "random_state=3" in repr(estimator)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_scikit_learn_knows_what_it_is(kind):
    estimator = clone(kind(alpha_dp=2.0))
    assert estimator.alpha_dp == 2.0
    kinds = [is_clusterer(estimator), is_classifier(estimator), is_regressor(estimator)]
    assert kinds == [kind is BNPool, kind is GraphClassifier, kind is GraphRegressor]
    assert get_tags(estimator).target_tags.required == (kind is not BNPool)


def test_a_clone_is_not_fitted(fitted):
    check_is_fitted(fitted)
    with pytest.raises(Exception, match="not fitted"):
        check_is_fitted(clone(fitted))


def test_nothing_is_known_before_fit():
    estimator = BNPool()
    for name in ("labels_", "n_clusters_", "probs_", "history_", "aggregate_"):
        assert not hasattr(estimator, name)
        with pytest.raises(bnpool.NotFittedError, match="call fit first"):
            getattr(estimator, name)
    assert estimator._repr_html_() is None


def test_fit_finds_the_groups(fitted, planted):
    assert fitted.n_clusters_ == 3
    low, high = fitted.n_clusters_interval_
    assert low <= 3 <= high
    groups = [{fitted.labels_dict_[20 * g + i] for i in range(20)} for g in range(3)]
    assert sorted(map(len, groups)) == [1, 1, 1]
    assert fitted.labels_.dtype == np.int64
    assert fitted.confidence_.shape == (60,)
    assert fitted.block_matrix_.shape == (3, 3)
    assert fitted.history_[0]["epoch"] == 1
    assert fitted.metrics_["communities"] == 3
    assert 0.3 < fitted.modularity_ < 1


def test_memberships(fitted):
    probs = fitted.probs_
    assert probs.shape == (60, 3)
    dense = probs.toarray()
    assert (dense.argmax(axis=1) == fitted.labels_).all()
    assert dense.sum(axis=1).max() < 1.0001
    assert ((fitted.confidence_ > 0) & (fitted.confidence_ <= 1)).all()
    assert np.array_equal(fitted.predict_proba(), dense)


def test_fit_predict_is_fit_and_labels(fitted, planted):
    assert np.array_equal(BNPool().fit_predict(planted), fitted.labels_)
    assert np.array_equal(fitted.predict(), fitted.labels_)


def test_the_same_seed_gives_the_same_result(fitted, planted):
    again = BNPool(random_state=0).fit(planted)
    assert np.array_equal(again.confidence_, fitted.confidence_)
    other = BNPool(random_state=np.random.RandomState(0), epochs=2).fit(planted)
    assert other.n_clusters_ == 3


def test_the_number_can_be_given(planted):
    assert BNPool(2).fit(planted).n_clusters_ == 2
    with pytest.raises(ValueError, match="cannot be cut into 60 communities"):
        BNPool(n_clusters=60).fit(planted)


def test_new_nodes_are_labelled(fitted, planted):
    larger = planted.copy()
    larger.add_edges_from([("new", 0), ("new", 1), ("new", 2), ("far", "away")])
    nodes = list(larger.nodes)
    labels = dict(zip(nodes, fitted.predict(larger).tolist()))
    assert labels["new"] == fitted.labels_dict_[0]
    assert labels["far"] == labels["away"] == -1
    assert all(labels[node] == fitted.labels_dict_[node] for node in planted.nodes)
    rows = fitted.predict_proba(larger)
    assert rows.shape == (63, 3)
    assert rows[nodes.index("new")].argmax() == labels["new"]
    assert rows[nodes.index("far")].sum() == 0
    with pytest.raises(ValueError, match="shares no node"):
        fitted.predict(nx.Graph([("x", "y")]))


def test_pooled_graph(fitted, planted):
    pooled = fitted.transform()
    a = nx.to_numpy_array(planted, nodelist=fitted.graph_.nodes)
    s = fitted.predict_proba()
    assert np.allclose(pooled.adjacency, s.T @ a @ s, rtol=1e-4)
    assert pooled.x is None and np.array_equal(pooled.s, s)
    firm = np.eye(3)[fitted.labels_]
    assert np.allclose(fitted.aggregate_.toarray(), firm.T @ a @ firm)


def test_hierarchy(fitted):
    from scipy.cluster.hierarchy import is_valid_linkage

    linkage = fitted.hierarchy_.linkage
    assert linkage.shape == (2, 4) and linkage[-1, 3] == 3
    assert is_valid_linkage(linkage)
    assert all(len(level) == 60 for level in fitted.hierarchy_.levels)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(fitted, protocol):
    for value in (fitted, bnpool.Communities(fitted._found, fitted._nodes)):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert np.array_equal(again.labels_, fitted.labels_)
        assert np.array_equal(again.probs_.toarray(), fitted.probs_.toarray())
        assert again.labels_dict_ == fitted.labels_dict_
        assert again.history_ == fitted.history_
        assert again.report() == fitted.report()


def test_a_pickle_holds_no_code(fitted):
    state = fitted.__getstate__()
    assert isinstance(state["found"], bytes)
    names = [str(value) for op, value, _ in pickletools.genops(pickle.dumps(fitted)) if value]
    assert not any("eval" in name or "exec" in name for name in names if len(name) < 100)


def test_a_damaged_pickle_is_refused(fitted):
    data = bytearray(fitted._found.to_bytes())
    for place in range(0, len(data), max(1, len(data) // 50)):
        damaged = bytes(data[:place]) + bytes([data[place] ^ 1]) + bytes(data[place + 1 :])
        with pytest.raises(ValueError, match="the saved result"):
            bnpool._bnpool.Found.of_bytes(damaged)
    for length in (0, 5, 63, 64, 65, len(data) - 1):
        with pytest.raises(ValueError):
            bnpool._bnpool.Found.of_bytes(bytes(data[:length]))


def test_an_unfitted_estimator_can_be_pickled():
    again = pickle.loads(pickle.dumps(BNPool(alpha_dp=3.0)))
    assert again.alpha_dp == 3.0 and not hasattr(again, "labels_")


def test_rivals(planted):
    for pooler in ("leiden", "mincut"):
        found = bnpool.cluster(planted, pooler=pooler, n_clusters=3 if pooler == "mincut" else None, epochs=20)
        assert len(found.labels_) == 60
