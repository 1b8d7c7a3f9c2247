"""A data scientist with an edge list: who belongs together?"""

# %% An edge list, as it comes out of a data base.
import pandas as pd

import bnpool

teams = {"red": ["ann", "bob", "cid", "dan", "eve"], "blue": ["fay", "gus", "hal", "ida", "joe"]}
calls = pd.DataFrame(
    [(a, b, 1 + (i + j) % 3) for team in teams.values() for i, a in enumerate(team)
     for j, b in enumerate(team[:i])] + [("ann", "fay", 1)],
    columns=["source", "target", "weight"],
)  # fmt: skip

# %% The communities, and how sure they are.
found = bnpool.cluster(calls)
print(found)
print(found.to_frame().to_string(index=False))

# %% A page for colleagues, and a directory that the command reads as well.
found.report("calls.html")
found.save("calls-run")
again = bnpool.load("calls-run")
assert again.labels_dict_ == found.labels_dict_
