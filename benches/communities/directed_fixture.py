"""Description lengths of small directed graphs by graph-tool.

    /usr/bin/python3 directed_fixture.py ../../crates/bnpool/tests/fixtures/description_length_directed.json

The one-way edges are a directed graph, those that go both ways an undirected one;
the groups are counted once. Degree-corrected block model, uniform degrees.
"""

import json
import random
import sys

import graph_tool.all as gt


def length(nodes, edges, labels, directed, groups=True):
    graph = gt.Graph(directed=directed)
    graph.add_vertex(nodes)
    graph.add_edge_list(edges)
    state = gt.BlockState(graph, b=graph.new_vp("int", vals=labels), deg_corr=True)
    return state.entropy(degree_dl_kind="uniform", partition_dl=groups)


def planted(draw, nodes, k, inside, cycle, other, mutual):
    """One-way and two-way edges, mostly from group r to r + 1 between groups."""
    labels = [i % k for i in range(nodes)]
    one, two = set(), set()
    forwards = cycle / (cycle + other + 1e-9)
    for u in range(nodes):
        for v in range(u):
            r, s = labels[u], labels[v]
            if r == s:
                p, chance = inside, 0.5
            elif (r + 1) % k == s:
                p, chance = cycle, forwards
            elif (s + 1) % k == r:
                p, chance = cycle, 1 - forwards
            else:
                p, chance = other, 0.5
            if draw.random() >= p:
                continue
            if draw.random() < mutual:
                two.add((u, v))
            else:
                one.add((u, v) if draw.random() < chance else (v, u))
    return labels, sorted(one), sorted(two)


def main():
    draw = random.Random(7)
    cases = []
    for name, nodes, k, inside, cycle, other, mutual in [
        ("cycle of three", 30, 3, 0.05, 0.35, 0.0, 0.0),
        ("flow down", 24, 4, 0.1, 0.3, 0.02, 0.0),
        ("random", 20, 2, 0.2, 0.2, 0.2, 0.0),
        ("some edges both ways", 28, 3, 0.2, 0.25, 0.03, 0.3),
        ("most edges both ways", 20, 2, 0.3, 0.1, 0.1, 0.9),
    ]:
        labels, one, two = planted(draw, nodes, k, inside, cycle, other, mutual)
        shuffled = [(i * 7 // 5) % 4 for i in range(nodes)]
        for what, partition in [("planted", labels), ("one group", [0] * nodes), ("shuffled", shuffled)]:
            total = length(nodes, one, partition, True)
            if two:
                total += length(nodes, two, partition, False, groups=False)
            cases.append({
                "graph": f"{name}, {what}",
                "nodes": nodes,
                "edges": one + two + [(v, u) for u, v in two],
                "partition": partition,
                "directed_blocks_degrees_uniform": total,
            })
    with open(sys.argv[1], "w") as file:
        json.dump(cases, file)
        file.write("\n")


if __name__ == "__main__":
    main()
