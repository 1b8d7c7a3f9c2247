"""A chemist with many graphs: classes of molecules, judged by cross-validation."""

# %% Rings and chains stand for molecules here.
import networkx as nx
import numpy as np
from sklearn.model_selection import cross_val_score

import bnpool

molecules = [(nx.cycle_graph, nx.path_graph)[i % 2](5 + i % 4) for i in range(40)]
y = np.array(["ring", "chain"] * 20)

# %% A classifier like any other of scikit-learn.
classifier = bnpool.GraphClassifier(epochs=20, hidden=16, random_state=0)
scores = cross_val_score(classifier, molecules, y, cv=3)
print("accuracy", scores.mean().round(2))

# %% The pooled graph of a molecule.
classifier.fit(molecules, y)
pooled = classifier.transform(molecules[:1])[0]
print("supernodes in use:", int((pooled["s"].max(axis=0) > 0.5).sum()))
