"""scikit-learn's own checks of estimators, those that apply to estimators of graphs.

The checks bring tables of numbers, and scikit-learn skips estimators that take something
else. So every estimator is checked twice: as it is, by the checks that bring no data, and
behind a thin layer that makes graphs of the rows, by all others.
"""

import numpy as np
import pytest
from sklearn.base import ClusterMixin
from sklearn.neighbors import kneighbors_graph
from sklearn.utils import estimator_checks
from sklearn.utils.validation import validate_data

import bnpool
from bnpool import BNPool, GraphClassifier, GraphRegressor

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning")

#: Checks that bring no data.
WITHOUT_DATA = [
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_estimator_tags_renamed",
    "check_get_params_invariance",
    "check_mixin_order",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_set_params",
    "check_valid_tag_types",
]


@pytest.mark.parametrize("name", WITHOUT_DATA)
@pytest.mark.parametrize("kind", [BNPool, GraphClassifier, GraphRegressor])
def test_estimators_as_they_are(kind, name):
    getattr(estimator_checks, name)(kind.__name__, kind())


class OfTables:
    """An estimator that takes tables."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = True
        tags.transformer_tags = None
        return tags

    @property
    def transform(self):
        raise AttributeError("pooled graphs are no table")


class OfRows(OfTables):
    """Every row becomes a graph: two nodes that both have it as features."""

    def _graphs(self, rows):
        rows = validate_data(self, rows, reset=not hasattr(self, "_model"))
        pair = np.array([[0, 1]])
        return [bnpool.as_graph(pair, [row, row])._native for row in rows]

    def fit(self, rows, y=None):
        for name in ("_model", "n_features_in_"):
            vars(self).pop(name, None)
        return super().fit(rows, y)

    def __getstate__(self):
        return {**super().__getstate__(), "n_features": getattr(self, "n_features_in_", None)}

    def __setstate__(self, state):
        super().__setstate__(state)
        self.n_features_in_ = state["n_features"]


class ClassifierOfRows(OfRows, GraphClassifier):
    pass


class RegressorOfRows(OfRows, GraphRegressor):
    pass


class ClustererOfRows(OfTables, BNPool, ClusterMixin):
    """The rows become the nodes of a graph of nearest neighbours."""

    def _neighbours(self, rows, reset):
        rows = validate_data(self, rows, reset=reset, ensure_min_samples=2)
        return kneighbors_graph(rows, min(5, len(rows) - 1))

    def fit(self, rows, y=None):
        return super().fit(self._neighbours(rows, True))

    def fit_predict(self, rows, y=None):
        return self.fit(rows).labels_

    @property
    def fit_transform(self):
        raise AttributeError("pooled graphs are no table")

    def predict(self, rows):
        self._fitted()
        return super().predict(self._neighbours(rows, False))

    def predict_proba(self, rows):
        self._fitted()
        return super().predict_proba(self._neighbours(rows, False))

    def __getstate__(self):
        return {**super().__getstate__(), "n_features": getattr(self, "n_features_in_", None)}

    def __setstate__(self, state):
        super().__setstate__(state)
        self.n_features_in_ = state["n_features"]


#: Samples of the posterior are numbered by the places of the graphs, so predictions by
#: them depend a little on the other graphs. Those by its mean do not.
FAST = {"epochs": 2, "hidden": 4, "max_clusters": 4, "settings": {"evaluation.mean": True}}
CHECKED = [ClustererOfRows(), ClassifierOfRows(**FAST), RegressorOfRows(**FAST)]

#: Checks that want a good score.
LEARNED = {"check_classifiers_train", "check_regressors_train"}
LONG = {"epochs": 60, "hidden": 16, "learning_rate": 0.01}

#: Checks that do not apply, and why.
NOT_FOR = {
    ClustererOfRows: {
        "check_methods_sample_order_invariance": "another order of the nodes is another graph",
        "check_methods_subset_invariance": "a part of the nodes is another graph",
    },
    ClassifierOfRows: {},
    RegressorOfRows: {},
}


def checks():
    for estimator in CHECKED:
        seen = set()
        for made, check in estimator_checks.estimator_checks_generator(estimator, legacy=True):
            name = check.func.__name__
            label = f"{type(estimator).__name__}-{name}"
            reason = NOT_FOR[type(estimator)].get(name)
            marks = [pytest.mark.skip(reason=reason)] if reason is not None else []
            if name in LEARNED:
                made.set_params(**LONG)
            if label not in seen:
                yield pytest.param(made, check, id=label, marks=marks)
            seen.add(label)


@pytest.mark.parametrize("estimator, check", list(checks()))
def test_estimators_behind_tables(estimator, check):
    check(estimator)
