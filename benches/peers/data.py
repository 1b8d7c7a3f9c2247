"""The data sets as PyTorch Geometric takes them, read from the files of BNPOOL_DATA. Nothing is downloaded."""

import csv
import io
import os
import pickle
import zipfile
from pathlib import Path

import numpy as np
import scipy.sparse as sparse


def folder():
    found = os.environ.get("BNPOOL_DATA")
    if not found:
        raise SystemExit("set BNPOOL_DATA to the folder of the data sets")
    return Path(found)


def one_graph(name):
    """Edges [2, E] in both directions, and features [N, F]."""
    if name == "community":
        base = folder() / "community" / "community_N400_Nc5_seed0"
        with open(f"{base}_nodes.csv") as file:
            rows = list(csv.DictReader(file))
        columns = list(rows[0])
        x = np.array([[float(row[c]) for c in columns if c in ("x", "y")] for row in rows], dtype=np.float32)
        edges = np.loadtxt(f"{base}_edges.csv", delimiter=",", skiprows=1, usecols=(0, 1), dtype=np.int64).T
        return symmetric(edges, len(rows)), x

    def part(kind):
        with open(folder() / "planetoid" / f"ind.{name}.{kind}", "rb") as file:
            return pickle.load(file, encoding="latin1")

    allx, tx, graph = part("allx"), part("tx"), part("graph")
    order = np.loadtxt(folder() / "planetoid" / f"ind.{name}.test.index", dtype=np.int64)
    x = sparse.vstack((allx, tx)).tolil()
    x[order, :] = x[np.sort(order), :]
    edges = np.array([(u, v) for u, ends in graph.items() for v in ends if u != v], dtype=np.int64).T
    return symmetric(edges, x.shape[0]), np.asarray(x.todense(), dtype=np.float32)


def symmetric(edges, nodes):
    """Every edge once in both directions."""
    both = np.concatenate([edges, edges[::-1]], axis=1)
    return np.stack(np.divmod(np.unique(both[0] * nodes + both[1]), nodes))


def many_graphs(name):
    """Graphs of a TU set, isomorphic ones left out as by the authors: (edges, features, edge features, class)."""
    cleaned = folder() / "tu" / "cleaned"
    archive = cleaned / f"{name}.zip"
    keep = None
    if not archive.exists():
        archive = folder() / "tu" / f"{name}.zip"
        keep = np.loadtxt(cleaned / f"{name}_keep_ids.txt", dtype=np.int64)
    with zipfile.ZipFile(archive) as file:
        names = {Path(member).name: member for member in file.namelist()}

        def read(part):
            member = names.get(f"{name}_{part}.txt")
            if member is None:
                return None
            return np.loadtxt(io.BytesIO(file.read(member)), delimiter=",", dtype=np.int64)

        pairs, indicator, labels = read("A") - 1, read("graph_indicator") - 1, read("graph_labels")
        node_labels, edge_labels = read("node_labels"), read("edge_labels")
    nodes = len(indicator)
    x = np.ones((nodes, 1), dtype=np.float32) if node_labels is None else one_hot(node_labels)
    edge_x = None if edge_labels is None else one_hot(edge_labels)
    graphs = labels.shape[0]
    starts = np.searchsorted(indicator, np.arange(graphs + 1))
    owner = indicator[pairs[:, 0]]
    order = np.argsort(owner, kind="stable")
    ends = np.searchsorted(owner[order], np.arange(graphs + 1))
    classes = np.unique(labels, return_inverse=True)[1]
    # Ids count from 1 if the largest is the number of graphs.
    chosen = range(graphs) if keep is None else keep - int(keep.max() == graphs)
    for graph in chosen:
        own = order[ends[graph] : ends[graph + 1]]
        yield (
            pairs[own].T - starts[graph],
            x[starts[graph] : starts[graph + 1]],
            None if edge_x is None else edge_x[own],
            int(classes[graph]),
        )


def one_hot(labels):
    labels = labels.reshape(len(labels), -1)[:, 0]
    _, kinds = np.unique(labels, return_inverse=True)
    return np.eye(kinds.max() + 1, dtype=np.float32)[kinds]
