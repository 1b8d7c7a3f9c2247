"""Communities of one graph."""

from __future__ import annotations

import logging
from typing import Any, Dict, Hashable, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _bnpool
from ._base import Estimator, Setting, chosen, further, seed_of, threads_of, word_of
from ._graph import Graph, as_graph
from ._progress import shown
from ._result import Communities, PooledGraph, Results

logger = logging.getLogger("bnpool")

#: Parameters and their keys in ``run.toml``.
SETTINGS = dict(_bnpool.keywords("cluster"))


class BNPool(Results, Estimator):
    """Community detection that infers the number of communities.

    Parameters
    ----------
    n_clusters : int, optional
        Use exactly this many communities.
    preset : {"default", "paper", "authors", "paper-code"}
        Preset of the settings.
    pooler : str
        ``"bn"``, or another pooler such as ``"leiden"``, ``"mincut"`` or ``"dmon"``.
    structure : {"auto", "communities", "blocks"}, optional
        The structure to look for.
    max_clusters, alpha_dp, mu_k, sigma_k, eta_k, particles : optional
        C, α_DP, μ_K, σ_K, η_K and T of the paper; by default those of the preset.
    loss : {"dense", "sparse"}, optional
        Pairs of nodes in the reconstruction loss.
    ratio : float, optional
        Fraction κ of nodes that some other poolers keep.
    hidden : int, optional
        Width of the network.
    learning_rate : float, optional
        Learning rate of the training.
    epochs : int, optional
        Maximum number of epochs.
    min_size : int, optional
        Communities with fewer nodes are merged into a neighbour.
    split_disconnected : bool, optional
        Split communities that are not connected.
    random_state : int, None or generator
        Seed of all random numbers. The result does not depend on the number of threads.
    n_threads : int, optional
        Number of threads; all cores by default.
    source, target : str, optional
        Columns of the edges in a file or frame; chosen by their values and names by default.
    bipartite : bool, optional
        Whether these columns contain two kinds of nodes.
    weight : str or None
        Attribute or column of the edge weights; None for no weights, ``"count"`` for the
        number of times that an edge is listed.
    directed : bool
        Whether to keep the directions of the edges.
    node_attributes : str or sequence of str
        Node attributes that are used as features.
    settings : dict, optional
        Further settings by their keys in ``run.toml``.
    verbose : bool
        Whether to show the progress.
    """

    _estimator_type = "clusterer"

    def __init__(
        self,
        n_clusters: Optional[int] = None,
        *,
        preset: str = "default",
        pooler: str = "bn",
        structure: Optional[str] = None,
        max_clusters: Optional[int] = None,
        alpha_dp: Optional[float] = None,
        mu_k: Optional[float] = None,
        sigma_k: Optional[float] = None,
        eta_k: Optional[float] = None,
        particles: Optional[int] = None,
        ratio: Optional[float] = None,
        loss: Optional[str] = None,
        hidden: Optional[int] = None,
        learning_rate: Optional[float] = None,
        epochs: Optional[int] = None,
        min_size: Optional[int] = None,
        split_disconnected: Optional[bool] = None,
        random_state: Any = 0,
        n_threads: Optional[int] = None,
        source: Optional[str] = None,
        target: Optional[str] = None,
        bipartite: Optional[bool] = None,
        weight: Optional[str] = "weight",
        directed: bool = False,
        node_attributes: Union[str, Sequence[str]] = (),
        settings: Optional[Mapping[str, Any]] = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.preset = preset
        self.pooler = pooler
        self.structure = structure
        self.max_clusters = max_clusters
        self.alpha_dp = alpha_dp
        self.mu_k = mu_k
        self.sigma_k = sigma_k
        self.eta_k = eta_k
        self.particles = particles
        self.ratio = ratio
        self.loss = loss
        self.hidden = hidden
        self.learning_rate = learning_rate
        self.epochs = epochs
        self.min_size = min_size
        self.split_disconnected = split_disconnected
        self.random_state = random_state
        self.n_threads = n_threads
        self.source = source
        self.target = target
        self.bipartite = bipartite
        self.weight = weight
        self.directed = directed
        self.node_attributes = node_attributes
        self.settings = settings
        self.verbose = verbose

    def _threads(self) -> Optional[int]:
        return threads_of(self.n_threads)

    def _reading(self) -> Dict[str, Any]:
        return {
            "source": self.source,
            "target": self.target,
            "bipartite": self.bipartite,
            "weight": self.weight,
            "directed": self.directed,
            "node_attributes": self.node_attributes,
        }

    def _settings(self) -> "list[Setting]":
        if self.n_clusters is not None and self.n_clusters < 1:
            raise ValueError(
                f"n_clusters={self.n_clusters}: at least one is needed; None finds the number"
            )
        given = chosen(SETTINGS, self.get_params())
        given.append(("seed", seed_of(self.random_state), f"random_state={self.random_state!r}"))
        return given + further(self.settings)

    def fit(self, graph: Any, X: Any = None, y: Any = None) -> "BNPool":
        """Find the communities of a graph, of any kind that :func:`as_graph` accepts.

        ``X`` are node features and ``y`` known classes to compare with.
        """
        made = as_graph(graph, X, y=y, **self._reading())
        preset = word_of("preset", self.preset)
        self._found = search(made, preset, self._settings(), self._threads(), self.verbose)
        self._nodes = made._nodes
        return self

    def fit_predict(self, graph: Any, X: Any = None, y: Any = None) -> NDArray[np.int64]:
        """Fit, and return the community of each node."""
        return self.fit(graph, X, y).labels_

    def predict(self, graph: Any = None) -> NDArray[np.int64]:
        """Return the communities of another version of the graph, without training.

        Nodes are matched by their names, or by their numbers if they have none. Known
        nodes keep their community. Nodes that are not connected to a known one get −1.
        """
        return self._predict(graph, **self._reading())

    def predict_proba(self, graph: Any = None) -> NDArray[np.float32]:
        """Return the memberships of the nodes in the communities."""
        return self._predict_proba(graph, **self._reading())

    def transform(self, graph: Any = None) -> PooledGraph:
        """Return the pooled graph: one supernode per community, with soft memberships."""
        if graph is not None:
            raise ValueError("transform pools the graph that was fitted; call fit_transform(graph)")
        return self._pooled()

    def fit_transform(self, graph: Any, X: Any = None, y: Any = None) -> PooledGraph:
        """Fit, and return the pooled graph."""
        return self.fit(graph, X, y).transform()

    def __sklearn_is_fitted__(self) -> bool:
        return getattr(self, "_found", None) is not None

    def __sklearn_tags__(self) -> Any:
        from ._sklearn import tags

        return tags("clusterer")

    def __getstate__(self) -> Dict[str, Any]:
        found = getattr(self, "_found", None)
        return {
            "parameters": self.get_params(),
            "found": None if found is None else found.to_bytes(),
            "nodes": getattr(self, "_nodes", None),
        }

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__init__(**state["parameters"])  # type: ignore[misc]
        if state["found"] is not None:
            self._found = _bnpool.Found.of_bytes(state["found"])
            self._nodes = state["nodes"]


def search(
    graph: Graph,
    preset: str,
    settings: Sequence[Setting],
    n_threads: Optional[int],
    verbose: bool,
) -> _bnpool.Found:
    """Run the engine on a graph."""
    bar = shown(verbose)
    logger.debug("%s: %d nodes, %d edges", graph.name, graph.n_nodes, graph.n_edges)
    try:
        found = _bnpool.fit(graph._native, preset, settings, n_threads, bar)
    finally:
        if bar is not None:
            bar.close()
    for line in found.headline:
        logger.info("%s", line)
    for warning in found.warnings:
        logger.warning("%s", warning)
    return found


def cluster(graph: Any, X: Any = None, *, y: Any = None, **parameters: Any) -> Communities:
    """Find the communities of a graph, and infer their number.

    Parameters are those of :class:`BNPool`.

    >>> import bnpool
    >>> found = bnpool.cluster([("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"),
    ...                         ("d", "e"), ("e", "f"), ("d", "f")])
    >>> len(found.labels_)
    6
    """
    estimator = BNPool(**parameters).fit(graph, X, y)
    nodes: Optional[Sequence[Hashable]] = estimator._nodes
    return Communities(estimator._fitted(), nodes)
