"""Classification and regression of whole graphs."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _bnpool
from ._base import Estimator, Setting, chosen, further, seed_of, threads_of, word_of
from ._errors import conversion, not_fitted
from ._graph import as_graph
from ._progress import shown
from ._sources import is_one_graph

PathLike = Union[str, "os.PathLike[str]"]

#: Parameters and their keys in ``run.toml``.
SETTINGS = dict(_bnpool.keywords("train"))


class _GraphEstimator(Estimator):
    """Base of classifiers and regressors of graphs."""

    _regress: bool
    _model: Optional[_bnpool.Model]

    def __init__(
        self,
        pooler: str = "bn",
        *,
        preset: str = "default",
        dataset: Optional[str] = None,
        max_clusters: Optional[int] = None,
        alpha_dp: Optional[float] = None,
        mu_k: Optional[float] = None,
        sigma_k: Optional[float] = None,
        eta_k: Optional[float] = None,
        particles: Optional[int] = None,
        ratio: Optional[float] = None,
        loss: Optional[str] = None,
        hidden: Optional[int] = None,
        levels: Optional[int] = None,
        epochs: Optional[int] = None,
        batch_size: Optional[int] = None,
        learning_rate: Optional[float] = None,
        validation_fraction: float = 0.15,
        random_state: Any = 0,
        n_threads: Optional[int] = None,
        weight: Optional[str] = "weight",
        directed: bool = False,
        node_attributes: Union[str, Sequence[str]] = (),
        settings: Optional[Mapping[str, Any]] = None,
        verbose: bool = False,
    ) -> None:
        self.pooler = pooler
        self.preset = preset
        self.dataset = dataset
        self.max_clusters = max_clusters
        self.alpha_dp = alpha_dp
        self.mu_k = mu_k
        self.sigma_k = sigma_k
        self.eta_k = eta_k
        self.particles = particles
        self.ratio = ratio
        self.loss = loss
        self.hidden = hidden
        self.levels = levels
        self.epochs = epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.validation_fraction = validation_fraction
        self.random_state = random_state
        self.n_threads = n_threads
        self.weight = weight
        self.directed = directed
        self.node_attributes = node_attributes
        self.settings = settings
        self.verbose = verbose

    def _graphs(self, graphs: Any) -> List[_bnpool.Graph]:
        if isinstance(graphs, (str, os.PathLike)):
            many = _bnpool.read_set(graphs)
            return [many.graph(place) for place in range(len(many))]
        if is_one_graph(graphs):
            raise ValueError("a list of graphs is needed, and this is one graph; write [graph]")
        made = []
        for place, graph in enumerate(graphs):
            try:
                converted = as_graph(
                    graph,
                    weight=self.weight,
                    directed=self.directed,
                    node_attributes=self.node_attributes,
                )
            except ValueError as error:
                raise ValueError(f"graph {place}: {error}") from None
            made.append(converted._native)
        if not made:
            raise ValueError("there are no graphs to learn from")
        return made

    def _settings(self) -> "list[Setting]":
        given = chosen(SETTINGS, self.get_params())
        given.append(("seed", seed_of(self.random_state), f"random_state={self.random_state!r}"))
        return given + further(self.settings)

    def _learn(self, graphs: List[_bnpool.Graph], class_names: List[str]) -> None:
        if len(graphs) == 1:
            raise ValueError("n_samples=1: one graph is too few to learn from")
        bar = shown(self.verbose)
        try:
            self._model = _bnpool.learn(
                graphs,
                self._regress,
                class_names,
                word_of("preset", self.preset),
                self._settings(),
                fraction_of(self.validation_fraction),
                None if self.dataset is None else word_of("dataset", self.dataset),
                threads_of(self.n_threads),
                bar,
            )
        finally:
            if bar is not None:
                bar.close()

    def _fitted(self) -> _bnpool.Model:
        model: Optional[_bnpool.Model] = getattr(self, "_model", None)
        if model is None:
            raise not_fitted(self)
        return model

    def _outputs(self, graphs: Any) -> NDArray[np.float64]:
        model = self._fitted()
        return model.predict(self._graphs(graphs), threads_of(self.n_threads))

    @property
    def history_(self) -> List[Dict[str, float]]:
        """The epochs of the training, one dictionary each."""
        epochs: List[Dict[str, float]] = json.loads(self._fitted().history_json())
        return epochs

    @property
    def validation_score_(self) -> Optional[float]:
        """The metric on the validation graphs."""
        return self._fitted().validation

    @property
    def best_epoch_(self) -> int:
        """The epoch whose parameters are used."""
        return self._fitted().best_epoch

    def transform(self, graphs: Any) -> List[Dict[str, Any]]:
        """Return the graphs after pooling, at the first level: s, kept, adjacency and x."""
        pooled = self._fitted().pooled(self._graphs(graphs), threads_of(self.n_threads))
        names = ("s", "kept", "adjacency", "x")
        return [dict(zip(names, parts)) for parts in pooled]

    def save(self, path: PathLike) -> None:
        """Write the model as one safetensors file, like ``model.safetensors`` of a run."""
        self._fitted().save(path)

    def __sklearn_is_fitted__(self) -> bool:
        return getattr(self, "_model", None) is not None

    def __getstate__(self) -> Dict[str, Any]:
        model = getattr(self, "_model", None)
        return {
            "parameters": self.get_params(),
            "model": None if model is None else model.to_bytes(),
            "classes": getattr(self, "classes_", None),
            "flat": getattr(self, "_flat", None),
        }

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__init__(**state["parameters"])  # type: ignore[misc]
        if state["model"] is not None:
            self._model = _bnpool.Model.of_bytes(state["model"])
        if state["classes"] is not None:
            self.classes_ = state["classes"]
        if state["flat"] is not None:
            self._flat = state["flat"]


class GraphClassifier(_GraphEstimator):
    """Classifier of whole graphs, each pooled to its own size.

    Parameters
    ----------
    pooler : str
        Any pooler of the command, such as ``"bn"``, ``"mincut"`` or ``"topk"``.
    preset : {"default", "paper", "authors", "paper-code"}
        Preset of the settings; with ``dataset`` those of the paper for this data set.
    dataset : str, optional
        Data set of the paper that contains the graphs, for its settings.
    max_clusters, alpha_dp, mu_k, sigma_k, eta_k, particles, loss : optional
        As for :class:`BNPool`.
    ratio : float, optional
        Fraction κ of nodes that other poolers keep.
    hidden, levels, epochs, batch_size, learning_rate : optional
        Settings of the network and its training.
    validation_fraction : float
        Fraction of the graphs that determines the best epoch.
    random_state, n_threads, weight, directed, node_attributes, settings, verbose
        As for :class:`BNPool`.
    """

    _estimator_type = "classifier"
    _regress = False
    classes_: NDArray[Any]

    def fit(self, graphs: Any, y: Any = None) -> "GraphClassifier":
        """Train on graphs and their classes; without ``y``, on the targets of the graphs."""
        made = self._graphs(graphs)
        y = own_targets(made) if y is None else np.asarray(y)
        if y.ndim == 2 and y.shape[1] == 1:
            said = "A column-vector y was passed when a 1d array was expected"
            warnings.warn(conversion(said), stacklevel=2)
            y = y[:, 0]
        if y.ndim != 1 or len(y) != len(made):
            raise ValueError(f"y has the shape {y.shape}: a class for each of {len(made)} graphs")
        if y.dtype.kind == "f" and not np.isfinite(y).all():
            raise ValueError("y holds NaN or infinity: every graph needs a class")
        if y.dtype.kind == "f" and (y % 1 != 0).any():
            raise ValueError(
                "Unknown label type: y holds fractions, which are no classes; GraphRegressor learns numbers"
            )
        self.classes_, numbers = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("all graphs are of one class: there is nothing to tell apart")
        native = [graph.with_class(int(number)) for graph, number in zip(made, numbers)]
        self._learn(native, [str(name) for name in self.classes_.tolist()])
        return self

    def predict_proba(self, graphs: Any) -> NDArray[np.float64]:
        """Return the probability of each class, with one row per graph."""
        return self._outputs(graphs)

    def predict(self, graphs: Any) -> NDArray[Any]:
        """Return the class of each graph."""
        places = np.argmax(self.predict_proba(graphs), axis=1)
        classes: NDArray[Any] = self.classes_[places]
        return classes

    def score(self, graphs: Any, y: Any) -> float:
        """Return the accuracy."""
        return float(np.mean(self.predict(graphs) == np.asarray(y)))

    def __sklearn_tags__(self) -> Any:
        from ._sklearn import tags

        return tags("classifier")


class GraphRegressor(_GraphEstimator):
    """Regressor of whole graphs. Parameters are those of :class:`GraphClassifier`."""

    _estimator_type = "regressor"
    _regress = True
    _flat: bool

    def fit(self, graphs: Any, y: Any = None) -> "GraphRegressor":
        """Train on graphs with one or several numbers each."""
        made = self._graphs(graphs)
        values = own_targets(made) if y is None else np.asarray(y)
        if values.dtype.kind == "O":
            try:
                values = values.astype(float)
            except (TypeError, ValueError):
                raise ValueError(
                    "Unknown label type: y holds values that are no numbers, and numbers are needed"
                ) from None
        if values.dtype.kind not in "fiub":
            raise ValueError(f"y holds {values.dtype}, and numbers are needed")
        if values.ndim not in (1, 2) or len(values) != len(made):
            raise ValueError(f"y has the shape {values.shape}: a row for each of {len(made)} graphs")
        if not np.isfinite(values).all():
            raise ValueError("y holds NaN or infinity: every graph needs its numbers")
        self._flat = values.ndim == 1
        rows = values.reshape(len(made), -1).astype(float).tolist()
        self._learn([graph.with_numbers(row) for graph, row in zip(made, rows)], [])
        return self

    def predict(self, graphs: Any) -> NDArray[np.float64]:
        """Return the numbers of each graph."""
        values = self._outputs(graphs)
        return values[:, 0] if self._flat else values

    def score(self, graphs: Any, y: Any) -> float:
        """Return R²: 1 is best, and 0 is no better than the mean."""
        y = np.asarray(y, dtype=float)
        residual = np.sum((y - self.predict(graphs)) ** 2)
        total = np.sum((y - y.mean(axis=0)) ** 2)
        return float(1 - residual / total) if total > 0 else float("nan")

    def __sklearn_tags__(self) -> Any:
        from ._sklearn import tags

        return tags("regressor")


def fraction_of(value: Any) -> float:
    """Check the fraction of validation graphs."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (float, int, np.number)):
        raise ValueError(f"validation_fraction={value!r}: a number is needed")
    return float(value)


def own_targets(graphs: List[_bnpool.Graph]) -> NDArray[Any]:
    """Return the targets of the graphs themselves."""
    targets = [graph.target for graph in graphs]
    if any(target is None for target in targets):
        raise ValueError(
            "it requires y to be passed, but the target y is None, and some graph has no target "
            "of its own"
        )
    rows = np.array(targets)
    return rows[:, 0] if rows.ndim == 2 and rows.shape[1] == 1 else rows


def of_model(model: _bnpool.Model) -> Union[GraphClassifier, GraphRegressor]:
    """Create the estimator of a trained model, with its parameters."""
    if model.objective == "labels":
        raise ValueError(
            "the model predicts several labels of each graph, which no estimator here does; "
            "use `python -m bnpool predict`"
        )
    made: Union[GraphClassifier, GraphRegressor]
    made = GraphClassifier() if model.objective == "classes" else GraphRegressor()
    config = json.loads(model.settings_json())
    for parameter, key in {**SETTINGS, "preset": "preset", "random_state": "seed"}.items():
        value: Any = config
        for part in key.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if value is not None:
            setattr(made, parameter, value)
    if isinstance(made, GraphClassifier):
        made.classes_ = classes_of(model.class_names)
    else:
        made._flat = model.outputs == 1
    made._model = model
    return made


def classes_of(names: List[str]) -> NDArray[Any]:
    """Return classes by their names, converted back if all are numbers."""
    if set(names) <= {"False", "True"}:
        return np.array([name == "True" for name in names])
    for kind in (int, float):
        try:
            values = [kind(name) for name in names]
        except ValueError:
            continue
        if [str(value) for value in values] == names:
            return np.array(values)
    return np.array(names)
