"""Processor seconds of a command beside those of other programs, in one run.

    python speed.py GRAPHS... --command "bnpool cluster {edges} --out {out} --seed {seed}"

GRAPHS are edge lists or folders of them (graphs.py). The command is the whole process,
reading included; others are timed without reading. Programs that are not installed are
left out: leidenalg until nothing changes, igraph's Leiden in C, NetworKit's PLM and
ParallelLeiden, Infomap, and graph-tool's planted partition (in --graph-tool, an
interpreter that has it). The last column is the bound of 2 × leidenalg + 0.5 s.
"""

import argparse
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def read(path):
    edges = [tuple(map(int, line.split()[:2])) for line in path.read_text().splitlines()]
    return 1 + max(max(edge) for edge in edges), edges


def processor(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def by_command(command, path, seed):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        words = command.format(edges=path, labels=Path(folder) / "labels", out=Path(folder) / "run", seed=seed)
        result = subprocess.run(shlex.split(words), capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"{words}: {result.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def leidenalg_seconds(nodes, edges, seed):
    import igraph
    import leidenalg

    graph = igraph.Graph(nodes, edges)
    quality = leidenalg.ModularityVertexPartition
    return processor(lambda: leidenalg.find_partition(graph, quality, n_iterations=-1, seed=seed))


def igraph_seconds(nodes, edges, seed):
    import igraph

    graph = igraph.Graph(nodes, edges)
    return processor(lambda: graph.community_leiden(objective_function="modularity", n_iterations=-1))


def networkit_seconds(nodes, edges, kind):
    import networkit

    graph = networkit.Graph(nodes)
    for u, v in edges:
        graph.addEdge(u, v)
    method = getattr(networkit.community, kind)(graph)
    return processor(method.run)


def infomap_seconds(nodes, edges, seed):
    import infomap

    found = infomap.Infomap(f"--two-level --silent --seed {seed + 1}")
    found.add_links(edges)
    return processor(found.run)


def graph_tool_seconds(python, path, seed):
    script = (
        "import sys, time, numpy, graph_tool.all as gt\n"
        "g = gt.Graph(directed=False); g.add_edge_list(numpy.loadtxt(sys.argv[1], dtype=int, usecols=(0, 1)))\n"
        "gt.seed_rng(int(sys.argv[2]) + 1); t = time.process_time()\n"
        "gt.minimize_blockmodel_dl(g, state=gt.PPBlockState); print(time.process_time() - t)\n"
    )
    result = subprocess.run([python, "-c", script, str(path), str(seed)], capture_output=True, text=True)
    if result.returncode:
        raise ImportError(result.stderr)
    return float(result.stdout)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("graphs", type=Path, nargs="+")
    arguments.add_argument("--command", required=True)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--graph-tool", default="/usr/bin/python3")
    arguments.add_argument("--most-edges", type=int, default=100_000, help="graph-tool is asked up to here")
    args = arguments.parse_args()
    columns = ["command", "leidenalg", "igraph", "PLM", "ParallelLeiden", "Infomap", "graph-tool", "bound"]
    print("| graph | edges | " + " | ".join(columns) + " |")
    print("|---" * (2 + len(columns)) + "|")
    paths = [p for g in args.graphs for p in (sorted(g.glob("*.edges")) if g.is_dir() else [g])]
    for path in paths:
        nodes, edges = read(path)
        makers = [
            lambda: by_command(args.command, path, args.seed),
            lambda: leidenalg_seconds(nodes, edges, args.seed),
            lambda: igraph_seconds(nodes, edges, args.seed),
            lambda: networkit_seconds(nodes, edges, "PLM"),
            lambda: networkit_seconds(nodes, edges, "ParallelLeiden"),
            lambda: infomap_seconds(nodes, edges, args.seed),
        ]
        if len(edges) <= args.most_edges:
            makers.append(lambda: graph_tool_seconds(args.graph_tool, path, args.seed))
        found = []
        for make in makers:
            try:
                found.append(make())
            except ImportError:
                found.append(None)
        found += [None] * (len(columns) - 1 - len(found))
        found.append(None if found[1] is None else 2 * found[1] + 0.5)
        cells = ["–" if t is None else f"{t:.2f}" for t in found]
        print(f"| {path.stem} | {len(edges)} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
