"""Communities found by a command, by Leiden, and by graph-tool if installed.

    python panel.py GRAPHS --command "bnpool cluster {edges} --out {out} --seed {seed}"
    python panel.py GRAPHS --command "find {edges} --labels {labels} --seed {seed}"

GRAPHS is a folder that graphs.py made. The command gets an edge list. It writes
a label a line to {labels}, node after node, or a run to {out}, whose labels.csv
is read. AMI, NMI and K are against the truth beside the edge list; seconds are
those of the whole process, reading included, and for graph-tool those of the
search alone.
"""

import argparse
import csv
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import igraph
import leidenalg
from sklearn.metrics import adjusted_mutual_info_score, normalized_mutual_info_score


def read(folder, name):
    lines = (folder / f"{name}.edges").read_text().splitlines()
    edges = [tuple(map(int, line.split()[:2])) for line in lines]
    truth = [line.split() for line in (folder / f"{name}.truth").read_text().splitlines()]
    nodes = 1 + max(max(u, v) for u, v in edges)
    return nodes, edges, {int(u): int(c) for u, c in truth}


def labels_of_run(out, nodes):
    labels = [-1] * nodes
    with open(out / "labels.csv", newline="") as file:
        for row in csv.DictReader(file):
            labels[int(row["node"])] = int(row["cluster"])
    return labels


def by_command(command, edges, nodes, seed):
    with tempfile.TemporaryDirectory() as folder:
        labels, out = Path(folder) / "labels", Path(folder) / "run"
        words = shlex.split(command.format(edges=edges, labels=labels, out=out, seed=seed))
        result = subprocess.run(words, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"{' '.join(words)}: {result.stderr}")
        if out.exists():
            return labels_of_run(out, nodes)
        return [int(line) for line in labels.read_text().split()]


def by_leiden(nodes, edges, seed):
    graph = igraph.Graph(nodes, edges)
    found = leidenalg.find_partition(graph, leidenalg.ModularityVertexPartition, n_iterations=-1, seed=seed)
    return found.membership


def by_graph_tool(python, edges, seed):
    """Labels and seconds."""
    with tempfile.TemporaryDirectory() as folder:
        labels = Path(folder) / "labels"
        script = Path(__file__).with_name("by_graph_tool.py")
        words = [python, str(script), str(edges), str(labels), str(seed)]
        result = subprocess.run(words, capture_output=True, text=True, check=True)
        return [int(line) for line in labels.read_text().split()], float(result.stdout)


def has_graph_tool(python):
    try:
        return subprocess.run([python, "-c", "import graph_tool"], capture_output=True).returncode == 0
    except OSError:
        return False


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
    arguments.add_argument("--graph-tool", default="/usr/bin/python3", help="interpreter that has graph-tool")
    arguments.add_argument("--most-edges", type=int, default=100_000, help="graph-tool is asked up to here")
    args = arguments.parse_args()
    order = [
        "karate", "football", "polbooks", "polblogs", "email", "lfr-1000-1", "lfr-1000-3", "lfr-1000-5",
        "lfr-5000-3", "sbm-6x100", "sbm-unequal", "sbm-sparse", "sbm-disassortative", "random", "enron",
    ]
    methods = ["command", "leiden"]
    if has_graph_tool(args.graph_tool):
        methods.append("graph-tool")
    rest = sorted(path.stem for path in args.graphs.glob("*.edges") if path.stem not in order)
    sums = {method: [] for method in methods}
    print("| graph | true K | " + " | ".join(f"{m}: K / AMI / NMI / Q / s" for m in methods) + " |")
    print("|---" * (2 + len(methods)) + "|")
    for name in args.only or order + rest:
        if not (args.graphs / f"{name}.edges").exists():
            continue
        nodes, edges, truth = read(args.graphs, name)
        cells = []
        for method in methods:
            if method == "graph-tool" and len(edges) > args.most_edges:
                cells.append("–")
                continue
            clock, path = time.perf_counter(), args.graphs / f"{name}.edges"
            if method == "command":
                labels = by_command(args.command, path, nodes, args.seed)
            elif method == "leiden":
                labels = by_leiden(nodes, edges, args.seed)
            seconds = time.perf_counter() - clock
            if method == "graph-tool":
                labels, seconds = by_graph_tool(args.graph_tool, path, args.seed)
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
