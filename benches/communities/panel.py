"""Communities found by a command, by Leiden, and by graph-tool if installed.

    python panel.py GRAPHS --command "find {edges} --labels {labels} --seed {seed}"

GRAPHS is a folder that graphs.py made. The command gets an edge list and writes
a label a line, node after node. AMI, NMI and K are against the truth beside the
edge list; seconds are those of the whole process, reading included.
"""

import argparse
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import igraph
import leidenalg
from sklearn.metrics import adjusted_mutual_info_score, normalized_mutual_info_score

try:
    import graph_tool.all as gt
except ImportError:
    gt = None


def read(folder, name):
    lines = (folder / f"{name}.edges").read_text().splitlines()
    edges = [tuple(map(int, line.split()[:2])) for line in lines]
    truth = [line.split() for line in (folder / f"{name}.truth").read_text().splitlines()]
    nodes = 1 + max(max(u, v) for u, v in edges)
    return nodes, edges, {int(u): int(c) for u, c in truth}


def by_command(command, edges, seed):
    with tempfile.TemporaryDirectory() as folder:
        labels = Path(folder) / "labels"
        words = shlex.split(command.format(edges=edges, labels=labels, seed=seed))
        result = subprocess.run(words, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"{' '.join(words)}: {result.stderr}")
        return [int(line) for line in labels.read_text().split()]


def by_leiden(nodes, edges, seed):
    graph = igraph.Graph(nodes, edges)
    found = leidenalg.find_partition(graph, leidenalg.ModularityVertexPartition, n_iterations=-1, seed=seed)
    return found.membership


def by_graph_tool(nodes, edges, seed):
    gt.seed_rng(seed)
    graph = gt.Graph(directed=False)
    graph.add_vertex(nodes)
    graph.add_edge_list(edges)
    blocks = gt.minimize_nested_blockmodel_dl(graph).get_bs()[0]
    return [int(blocks[u]) for u in range(nodes)]


def judge(labels, truth, nodes, edges):
    graph = igraph.Graph(nodes, edges)
    row = {"k": len(set(labels)), "q": graph.modularity(labels)}
    if truth:
        known = sorted(truth)
        found, wanted = [labels[u] for u in known], [truth[u] for u in known]
        row["ami"] = adjusted_mutual_info_score(wanted, found)
        row["nmi"] = normalized_mutual_info_score(wanted, found)
    return row


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("graphs", type=Path)
    arguments.add_argument("--command", required=True)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--only", nargs="*")
    args = arguments.parse_args()
    order = [
        "karate", "football", "polbooks", "polblogs", "email", "lfr-1000-1", "lfr-1000-3", "lfr-1000-5",
        "lfr-5000-3", "sbm-6x100", "sbm-unequal", "sbm-sparse", "sbm-disassortative", "random", "enron",
    ]
    methods = {"command": None, "leiden": by_leiden}
    if gt is not None:
        methods["graph-tool"] = by_graph_tool
    sums = {method: [] for method in methods}
    print("| graph | true K | " + " | ".join(f"{m}: K / AMI / NMI / Q / s" for m in methods) + " |")
    print("|---" * (2 + len(methods)) + "|")
    for name in args.only or order:
        if not (args.graphs / f"{name}.edges").exists():
            continue
        nodes, edges, truth = read(args.graphs, name)
        cells = []
        for method, run in methods.items():
            clock = time.perf_counter()
            if run is None:
                labels = by_command(args.command, args.graphs / f"{name}.edges", args.seed)
            else:
                labels = run(nodes, edges, args.seed)
            seconds = time.perf_counter() - clock
            row = judge(labels, truth, nodes, edges)
            if truth:
                sums[method].append(row["ami"])
            agreement = f"{row['ami']:.3f} / {row['nmi']:.3f}" if truth else "– / –"
            cells.append(f"{row['k']} / {agreement} / {row['q']:.3f} / {seconds:.2f}")
        print(f"| {name} | {len(set(truth.values())) or '–'} | " + " | ".join(cells) + " |", flush=True)
    means = [f"{sum(s) / max(len(s), 1):.3f}" for s in sums.values()]
    print("| mean AMI | | " + " | ".join(means) + " |")


if __name__ == "__main__":
    main()
