"""The graphs of the panel, as edge lists with the truth beside them.

    python graphs.py OUT --real DATA/real [--seed 0] [--others]

Writes OUT/NAME.edges (two node numbers a line, each undirected edge once) and
OUT/NAME.truth (a line "node label" for every node with a known class).
"""

import argparse
import gzip
import re
from pathlib import Path

import networkx as nx


def lfr(n, mu, seed, degree=20, most=50, smallest=20, largest=100, exponent=3):
    graph = nx.LFR_benchmark_graph(
        n, exponent, 1.5, mu, average_degree=degree, max_degree=most,
        min_community=smallest, max_community=largest, seed=seed, max_iters=2000,
    )
    truth = {}
    for i, group in enumerate({frozenset(graph.nodes[u]["community"]) for u in graph}):
        truth.update({u: i for u in group})
    graph = nx.Graph(graph)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph, truth


def sbm(sizes, inside, between, seed):
    k = len(sizes)
    p = [[inside if i == j else between for j in range(k)] for i in range(k)]
    graph = nx.stochastic_block_model(sizes, p, seed=seed)
    return graph, {u: graph.nodes[u]["block"] for u in graph}


def gml(path, key):
    """Nodes and edges of a GML file, simple and undirected."""
    graph, truth, current = nx.Graph(), {}, {}
    for word, value in re.findall(r'\b(id|source|target|%s)\s+("[^"]*"|\S+)' % key, Path(path).read_text()):
        current[word] = value.strip('"')
        if word == "id":
            graph.add_node(int(value))
        elif word == key:
            truth[int(current["id"])] = value.strip('"')
        elif word == "target" and current["source"] != current["target"]:
            graph.add_edge(int(current["source"]), int(current["target"]))
    names = {name: i for i, name in enumerate(sorted(set(truth.values())))}
    return graph, {u: names[c] for u, c in truth.items()}


def largest(graph, truth):
    kept = max(nx.connected_components(graph), key=len)
    return graph.subgraph(kept), {u: c for u, c in truth.items() if u in kept}


def email(folder):
    graph = nx.Graph()
    edges = [line.split() for line in (folder / "email-Eu-core.txt").read_text().splitlines()]
    for u, v in (map(int, words) for words in edges if words and words[0][0] != "#"):
        if u != v:
            graph.add_edge(u, v)
    lines = (folder / "email-Eu-core-department-labels.txt").read_text().splitlines()
    return largest(graph, dict(tuple(map(int, line.split())) for line in lines if line.strip()))


def karate():
    graph = nx.karate_club_graph()
    return graph, {u: int(graph.nodes[u]["club"] != "Mr. Hi") for u in graph}


def enron(folder):
    graph = nx.Graph()
    with gzip.open(folder / "Email-Enron.txt.gz", "rt") as lines:
        for line in lines:
            if not line.startswith("#"):
                graph.add_edge(*map(int, line.split()))
    return graph, {}


def panel(real, seed):
    """Name and maker of every graph, in the order of the table."""
    return {
        "karate": karate,
        "football": lambda: gml(real / "football.gml", "value"),
        "polbooks": lambda: gml(real / "polbooks.gml", "value"),
        "polblogs": lambda: largest(*gml(real / "polblogs.gml", "value")),
        "email": lambda: email(real),
        "lfr-1000-1": lambda: lfr(1000, 0.1, seed),
        "lfr-1000-3": lambda: lfr(1000, 0.3, seed),
        "lfr-1000-5": lambda: lfr(1000, 0.5, seed),
        "lfr-5000-3": lambda: lfr(5000, 0.3, seed),
        "sbm-6x100": lambda: sbm([100] * 6, 0.12, 0.004, seed),
        "sbm-unequal": lambda: sbm([20, 40, 60, 120, 240], 0.2, 0.01, seed),
        "sbm-sparse": lambda: sbm([200] * 5, 0.03, 0.0015, seed),
        "sbm-disassortative": lambda: sbm([150] * 4, 0.01, 0.08, seed),
        "random": lambda: structureless(nx.gnm_random_graph(500, 2500, seed=seed)),
    }


def without_truth(path):
    return gml(path, "no class")


def structureless(graph):
    return graph, dict.fromkeys(graph, 0)


def others(real, seed):
    """Graphs that no model, rule or setting was chosen by."""
    return {
        "dolphins": lambda: without_truth(real / "dolphins.gml"),
        "lesmis": lambda: without_truth(real / "lesmis.gml"),
        "netscience": lambda: largest(*without_truth(real / "netscience.gml")),
        "power": lambda: without_truth(real / "power.gml"),
        "lfr-2000-2": lambda: lfr(2000, 0.2, seed, degree=12, most=60, smallest=15, largest=80, exponent=2.5),
        "lfr-600-4": lambda: lfr(600, 0.4, seed, degree=15, most=40, smallest=30, largest=120),
        "lfr-3000-2": lambda: lfr(3000, 0.2, seed, degree=25, most=100, smallest=100, largest=400),
        "sbm-20x50": lambda: sbm([50] * 20, 0.2, 0.004, seed),
        "sbm-weak": lambda: sbm([200] * 3, 0.07, 0.02, seed),
        "sbm-two": lambda: sbm([300, 100], 0.05, 0.01, seed),
        "bipartite": lambda: sbm([150, 250], 0.0, 0.04, seed),
        "preferential": lambda: structureless(nx.barabasi_albert_graph(800, 4, seed=seed)),
        "regular": lambda: structureless(nx.random_regular_graph(6, 600, seed=seed)),
    }


def write(out, name, graph, truth):
    number = {u: i for i, u in enumerate(sorted(graph))}
    with open(out / f"{name}.edges", "w") as file:
        for u, v in graph.edges:
            file.write(f"{number[u]} {number[v]}\n")
    with open(out / f"{name}.truth", "w") as file:
        for u, label in sorted(truth.items()):
            file.write(f"{number[u]} {label}\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--real", type=Path, required=True)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--enron", action="store_true", help="Email-Enron too, which has no truth")
    arguments.add_argument("--others", action="store_true", help="other graphs instead of the panel")
    args = arguments.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    makers = others if args.others else panel
    for name, make in makers(args.real, args.seed).items():
        graph, truth = make()
        write(args.out, name, graph, truth)
        print(name, graph.number_of_nodes(), graph.number_of_edges(), len(set(truth.values())))
    if args.enron:
        write(args.out, "enron", *enron(args.real))


if __name__ == "__main__":
    main()
