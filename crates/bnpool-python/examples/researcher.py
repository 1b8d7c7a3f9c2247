"""A researcher: communities against known classes, and rivals beside them."""

# %% A graph with known classes.
import bnpool

graph = bnpool.datasets.load("community")
print(graph)

# %% BN-Pool finds the number of communities.
model = bnpool.BNPool(random_state=0).fit(graph)
print(model.n_clusters_, "communities, interval", model.n_clusters_interval_)
print("NMI with the classes:", round(model.metrics_["nmi_mean"], 3))

# %% A rival that is told the number of classes.
rival = bnpool.BNPool(n_clusters=5, pooler="mincut", epochs=100).fit(graph)
print("mincut:", round(rival.metrics_["nmi"], 3))

# %% How the communities merge.
print(model.hierarchy_.linkage.round(1))
