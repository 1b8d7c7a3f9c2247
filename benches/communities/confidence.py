"""How well confidence ranks errors on planted graphs.

    python confidence.py --command "bnpool cluster {edges} --out {out} --seed {seed}" [--seed 0]

The graphs are block models and LFR graphs that are hard enough for errors. A node
is right if its class is that of most nodes of its community. AUC is the chance
that a right node has more confidence than a wrong one, over all nodes of a graph
and as a mean over graphs; beside it that of the part of a node's neighbours in its
own community.
"""

import argparse
import csv
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import networkx as nx
from sklearn.metrics import roc_auc_score

from graphs import lfr, sbm, write


def makers(seed):
    """Name and maker of every graph."""
    yield "sbm 5 x 200, 7 edges", lambda: sbm([200] * 5, 0.03, 0.0015, seed)
    yield "sbm 4 x 100, weak", lambda: sbm([100] * 4, 0.09, 0.02, seed)
    yield "sbm 3 x 200, weak", lambda: sbm([200] * 3, 0.07, 0.02, seed)
    yield "sbm 8 x 60", lambda: sbm([60] * 8, 0.15, 0.015, seed)
    yield "sbm unequal", lambda: sbm([40, 80, 160, 240], 0.09, 0.012, seed)
    yield "sbm 10 x 50", lambda: sbm([50] * 10, 0.16, 0.01, seed)
    yield "lfr 1000, .4", lambda: lfr(1000, 0.4, seed, degree=12)
    yield "lfr 1000, .5", lambda: lfr(1000, 0.5, seed)
    yield "lfr 600, .4", lambda: lfr(600, 0.4, seed, degree=15, most=40, smallest=30, largest=120)
    yield "lfr 2000, .45", lambda: lfr(2000, 0.45, seed, degree=15)
    yield "sbm disassortative", lambda: sbm([100] * 4, 0.01, 0.08, seed)


def right_nodes(labels, truth):
    leading = {}
    for label in set(labels.values()):
        classes = Counter(truth[u] for u in labels if labels[u] == label)
        leading[label] = classes.most_common(1)[0][0]
    return {u: leading[labels[u]] == truth[u] for u in labels}


def own_share(edges, labels):
    inside, all_ends = Counter(), Counter()
    for u, v in edges:
        for x in (u, v):
            all_ends[x] += 1
            inside[x] += labels[u] == labels[v]
    return {u: inside[u] / max(all_ends[u], 1) for u in labels}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--command", required=True)
    arguments.add_argument("--seed", type=int, default=0)
    args = arguments.parse_args()
    sums = []
    print("| graph | K of | wrong | AUC of confidence | of the part of neighbours | mean confidence, share right |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, make in makers(args.seed):
            try:
                graph, truth = make()
            except nx.ExceededMaxIterations:
                continue
            write(folder, "graph", graph, truth)
            out = folder / "run"
            words = args.command.format(edges=folder / "graph.edges", out=out, seed=args.seed)
            result = subprocess.run(shlex.split(words) + ["--overwrite"], capture_output=True, text=True)
            if result.returncode:
                sys.exit(f"{words}: {result.stderr}")
            with open(out / "labels.csv", newline="") as file:
                rows = {int(row["node"]): row for row in csv.DictReader(file)}
            labels = {u: int(row["cluster"]) for u, row in rows.items()}
            sure = {u: float(row["confidence"]) for u, row in rows.items()}
            number = {u: i for i, u in enumerate(sorted(graph))}
            truth = {number[u]: c for u, c in truth.items()}
            edges = [tuple(map(int, line.split())) for line in (folder / "graph.edges").read_text().splitlines()]
            right, share = right_nodes(labels, truth), own_share(edges, labels)
            nodes = sorted(labels)
            wrong = sum(not right[u] for u in nodes)
            counts = f"{len(set(labels.values()))} of {len(set(truth.values()))}"
            if 0 < wrong < len(nodes):
                is_right = [right[u] for u in nodes]
                row = [roc_auc_score(is_right, [values[u] for u in nodes]) for values in (sure, share)]
                sums.append(row)
                text = " | ".join(f"{auc:.3f}" for auc in row)
            else:
                text = "– | –"
            mean = sum(sure.values()) / len(sure)
            print(f"| {name} | {counts} | {wrong} | {text} | {mean:.2f}, {1 - wrong / len(nodes):.2f} |", flush=True)
    means = [sum(row[i] for row in sums) / len(sums) for i in (0, 1)]
    print(f"| mean | | | {means[0]:.3f} | {means[1]:.3f} | |")


if __name__ == "__main__":
    main()
