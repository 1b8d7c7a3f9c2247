"""Community detection and graph classification by Bayesian nonparametric pooling.

>>> import bnpool, networkx as nx
>>> found = bnpool.cluster(nx.karate_club_graph())
>>> found.n_clusters_
2

The engine is that of the command ``bnpool``. Only NumPy is required. networkx, igraph,
scipy, pandas, polars, pyarrow and torch are used if their objects are passed in, and
never imported otherwise.
"""

from . import datasets
from ._bnpool import __version__
from ._cluster import BNPool, cluster
from ._compare import Comparison, compare
from ._errors import NotFittedError
from ._graph import Graph, as_graph, read
from ._learn import GraphClassifier, GraphRegressor
from ._load import load
from ._result import Communities, Hierarchy, PooledGraph

__all__ = [
    "BNPool",
    "Communities",
    "Comparison",
    "Graph",
    "GraphClassifier",
    "GraphRegressor",
    "Hierarchy",
    "NotFittedError",
    "PooledGraph",
    "__version__",
    "as_graph",
    "cluster",
    "compare",
    "datasets",
    "load",
    "read",
]
