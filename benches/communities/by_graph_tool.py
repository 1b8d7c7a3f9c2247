"""Groups of an edge list by graph-tool: nested, degree-corrected, as it ships.

    /usr/bin/python3 by_graph_tool.py EDGES LABELS SEED [--directed]

Distributions build graph-tool for their own interpreter, so panel.py starts this
file by that one. LABELS gets a label a line; the seconds of the search alone,
without imports and reading, are printed.
"""

import sys
import time

import graph_tool.all as gt


def main():
    edges_path, labels_path, seed = sys.argv[1:4]
    directed = "--directed" in sys.argv[4:]
    with open(edges_path) as lines:
        edges = [tuple(map(int, line.split()[:2])) for line in lines]
    nodes = 1 + max(max(pair) for pair in edges)
    gt.seed_rng(int(seed))
    graph = gt.Graph(directed=directed)
    graph.add_vertex(nodes)
    graph.add_edge_list(edges)
    clock = time.perf_counter()
    blocks = gt.minimize_nested_blockmodel_dl(graph).get_bs()[0]
    print(time.perf_counter() - clock)
    with open(labels_path, "w") as file:
        file.writelines(f"{int(blocks[u])}\n" for u in range(nodes))


if __name__ == "__main__":
    main()
