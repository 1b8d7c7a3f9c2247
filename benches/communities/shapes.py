"""Processor seconds of a command on shapes that are hard for a search, and how they grow.

    python shapes.py --command "find {edges}" [--most 1000000] [--only star path]

Each shape is made in sizes that grow by a factor of eight, up to --most nodes. A row has
the processor seconds (user and system) of the whole command, and the exponent of the
growth between the last two sizes, by the number of edges.
"""

import argparse
import math
import resource
import shlex
import subprocess
import tempfile
from pathlib import Path


def clique(n):
    return ((u, v) for u in range(n) for v in range(u))


def grid(n):
    side = math.isqrt(n)
    for u in range(side * side):
        if (u + 1) % side:
            yield u, u + 1
        if u + side < side * side:
            yield u, u + side


def two_hubs(n):
    return ((hub, leaf) for leaf in range(2, n) for hub in (0, 1))


def clique_with_tail(n):
    yield from clique(n)
    yield from ((u, u + 1) for u in range(n - 1, 5 * n))


def triangles(n):
    return ((u // 3 * 3 + u % 3, u // 3 * 3 + (u + 1) % 3) for u in range(n // 3 * 3))


# Edges by number of nodes, and the largest number that is tried.
SHAPES = {
    "star": (lambda n: ((0, u) for u in range(1, n)), 1_000_000),
    "path": (lambda n: ((u, u + 1) for u in range(n - 1)), 1_000_000),
    "tree": (lambda n: (((u - 1) // 2, u) for u in range(1, n)), 1_000_000),
    "grid": (grid, 1_000_000),
    "two hubs": (two_hubs, 1_000_000),
    "pairs": (lambda n: ((u, u + 1) for u in range(0, n - 1, 2)), 100_000),
    "triangles": (triangles, 100_000),
    "clique": (clique, 3000),
    "clique with tail": (clique_with_tail, 1000),
}


def seconds(command, path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        words = command.format(edges=path, labels=Path(folder) / "labels", out=Path(folder) / "run", seed=0)
        subprocess.run(shlex.split(words), capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--command", required=True)
    arguments.add_argument("--most", type=int, default=1_000_000)
    arguments.add_argument("--only", nargs="*")
    args = arguments.parse_args()
    print("| shape | edges: processor seconds | growth |")
    print("|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shape.edges"
        for name in args.only or SHAPES:
            make, most = SHAPES[name]
            most = min(most, args.most)
            found = []
            for size in (most // 64, most // 8, most):
                edges = 0
                with open(path, "w") as file:
                    for u, v in make(size):
                        file.write(f"{u} {v}\n")
                        edges += 1
                found.append((edges, seconds(args.command, path)))
            (e1, t1), (e2, t2) = found[-2:]
            growth = math.log(max(t2, 0.01) / max(t1, 0.01)) / math.log(e2 / e1)
            cells = ", ".join(f"{edges}: {time:.2f}" for edges, time in found)
            print(f"| {name} | {cells} | E^{growth:.2f} |", flush=True)


if __name__ == "__main__":
    main()
