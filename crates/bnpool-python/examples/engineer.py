"""An engineer with a large sparse matrix: settings, progress, and new nodes later."""

# %% A sparse matrix is read where it is.
import numpy as np
import scipy.sparse

import bnpool

rng = np.random.default_rng(0)
group = rng.integers(0, 8, size=400)
close = rng.random((400, 400)) < np.where(group[:, None] == group[None, :], 0.2, 0.005)
adjacency = scipy.sparse.csr_matrix(np.triu(close, 1), dtype=np.float32)

# %% All settings of the command are there, and so is progress.
model = bnpool.BNPool(n_threads=2, settings={"search.epochs": 20}, verbose=True).fit(adjacency)
print(model.n_clusters_, "communities; sizes", np.bincount(model.labels_))

# %% A node that comes later is labelled without training.
more = scipy.sparse.lil_matrix((401, 401), dtype=np.float32)
more[:400, :400] = adjacency
more[400, np.flatnonzero(group == group[0])[:5]] = 1
print("the new node goes to", model.predict(more)[400])

# %% The pooled graph is a small dense matrix.
print(model.transform().adjacency.shape)
