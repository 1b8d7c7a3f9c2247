"""How often the interval of K holds the truth, on forty planted graphs.

    python calibrate.py --command "find {edges} --labels {labels} --seed {seed}" [--seed 0]

The command prints a line of JSON with `k`, `low` and `high`. The graphs are
block models and LFR graphs of several sizes, densities and mixings, and some
without structure.
"""

import argparse
import json
import random
import shlex
import subprocess
import tempfile
from pathlib import Path

import networkx as nx

from graphs import sbm, write


def lfr(n, mu, degree, most, seed):
    graph = nx.LFR_benchmark_graph(
        n, 3, 1.5, mu, average_degree=degree, max_degree=3 * degree,
        min_community=20, max_community=most, seed=seed, max_iters=5000,
    )
    groups = {frozenset(graph.nodes[u]["community"]) for u in graph}
    truth = {u: i for i, group in enumerate(groups) for u in group}
    graph = nx.Graph(graph)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph, truth


def planted(n, k, degree, inside, seed):
    size = n // k
    p_in = min(1.0, degree * inside / size)
    p_out = degree * (1 - inside) / (n - size)
    return sbm([size] * k, p_in, p_out, seed)


def forty(seed):
    """Name and maker of every graph."""
    draw = random.Random(seed)
    makers = []
    for i in range(16):
        n, k = draw.choice([200, 400, 800, 1500]), draw.choice([2, 3, 5, 8, 12])
        degree, inside = draw.choice([8, 12, 20]), draw.choice([0.7, 0.8, 0.9])
        makers.append((f"sbm {n} {k} {degree} {inside}", lambda a=(n, k, degree, inside, seed * 100 + i): planted(*a)))
    for i in range(6):
        sizes = [draw.choice([20, 40, 80, 160]) for _ in range(draw.choice([3, 5, 8]))]
        p_out = draw.choice([0.005, 0.01])
        makers.append((f"unequal {sizes} {p_out}", lambda a=(sizes, 0.2, p_out, seed * 100 + i): sbm(*a)))
    for i in range(12):
        n, mu = draw.choice([500, 1000, 2000]), draw.choice([0.1, 0.2, 0.3, 0.4])
        degree, most = draw.choice([10, 15, 20]), draw.choice([60, 100])
        makers.append((f"lfr {n} {mu} {degree} {most}", lambda a=(n, mu, degree, most, seed * 100 + i): lfr(*a)))
    for i in range(6):
        n, degree = draw.choice([200, 500, 1000]), draw.choice([4, 8, 16])
        if i % 2:
            make = lambda n=n, d=degree, i=i: nx.gnm_random_graph(n, n * d // 2, seed=seed * 100 + i)
        else:
            make = lambda n=n, d=degree, i=i: nx.barabasi_albert_graph(n, d // 2, seed=seed * 100 + i)
        makers.append((f"random {n} {degree} {i % 2}", lambda m=make: (lambda g: (g, dict.fromkeys(g, 0)))(m())))
    return makers


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--command", required=True)
    arguments.add_argument("--seed", type=int, default=0)
    args = arguments.parse_args()
    held = exact = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, make in forty(args.seed):
            try:
                graph, truth = make()
            except nx.ExceededMaxIterations:
                print(f"{name}: no such LFR graph, left out")
                continue
            write(folder, "graph", graph, truth)
            words = args.command.format(edges=folder / "graph.edges", labels=folder / "labels", seed=args.seed)
            answer = json.loads(subprocess.run(shlex.split(words), capture_output=True, text=True, check=True).stdout)
            k = len(set(truth.values()))
            inside = answer["low"] <= k <= answer["high"]
            held, exact, tried = held + inside, exact + (answer["k"] == k), tried + 1
            mark = " " if inside else "*"
            print(f"{mark} {name}: true {k}, found {answer['k']} in [{answer['low']}, {answer['high']}]", flush=True)
    print(f"{held} of {tried} intervals hold the truth; {exact} counts are exact")


if __name__ == "__main__":
    main()
