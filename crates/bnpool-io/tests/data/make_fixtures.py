"""Writes the files in `pickle` and `sets`; see README.md."""

import collections
import pickle
from pathlib import Path

import numpy as np
import scipy.sparse as sp
import torch
from torch_geometric.data import Data

HERE = Path(__file__).parent


def folder(name):
    path = HERE / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def objects(values):
    array = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        array[i] = value
    return array


def write_protocols():
    graph = collections.defaultdict(list)
    graph[0], graph[1] = [1, 2], [0]
    shared = [1]
    everything = {
        "none": None,
        "yes": True,
        "no": False,
        "int": -5,
        "big": 2**40,
        "float": 2.5,
        "text": "é\n",
        "bytes": b"\x00\xff",
        "list": [1, [2, 3]],
        "tuple": (1, "a"),
        "graph": graph,
        "ordered": collections.OrderedDict([("a", 1), ("b", 2)]),
        "f4": np.array([[1, 2, 3], [4, 5, 6]], dtype="f4"),
        "fortran": np.asfortranarray(np.arange(6, dtype="i2").reshape(2, 3)),
        "big_endian": np.array([1.5, -2], dtype=">f8"),
        "scalar": np.int64(7),
        "bools": np.array([True, False]),
        "csr": sp.csr_matrix(np.array([[0, 1.5, 0], [2, 0, 3]], dtype="f4")),
        "objects": objects([np.arange(2), np.arange(3)]),
        "twice": [shared, shared],
    }
    for protocol in range(6):
        value = dict(everything)
        if protocol < 2:
            del value["csr"]
        path = folder("pickle") / f"protocol{protocol}.pkl"
        path.write_bytes(pickle.dumps(value, protocol=protocol))


def write_citeseer():
    def dump(value, part):
        path = folder("sets/planetoid") / f"ind.citeseer.{part}"
        path.write_bytes(pickle.dumps(value, protocol=2))

    words = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]], dtype="f4")
    classes = np.array([[1, 0], [0, 1], [0, 1], [1, 0]], dtype="i4")
    dump(sp.csr_matrix(words), "allx")
    dump(sp.csr_matrix(words[:2]), "x")
    dump(sp.csr_matrix(np.array([[0, 1, 1], [1, 0, 1]], dtype="f4")), "tx")
    dump(classes, "ally")
    dump(classes[:2], "y")
    dump(np.array([[0, 1], [0, 1]], dtype="i4"), "ty")
    graph = collections.defaultdict(list)
    graph.update({0: [1, 6, 1], 1: [0], 2: [3, 2], 3: [2], 4: [3], 6: [0], 5: []})
    dump(graph, "graph")
    (folder("sets/planetoid") / "ind.citeseer.test.index").write_text("6\n4\n")


def write_dblp():
    ends = ([0, 1, 1, 2, 3], [1, 2, 1, 0, 2])
    adjacency = sp.csr_matrix((np.ones(5, dtype="f4"), ends), shape=(4, 4))
    words = np.array([[2, 0, 0], [0, 0.5, 0], [0, 0, -1], [1, 1, 0]], dtype="f4")
    arrays = {"labels": np.array([0, 1, 1, 2])}
    for name, matrix in (("adj", adjacency), ("attr", sp.csr_matrix(words))):
        arrays[f"{name}_data"] = matrix.data
        arrays[f"{name}_indices"] = matrix.indices
        arrays[f"{name}_indptr"] = matrix.indptr
        arrays[f"{name}_shape"] = np.array(matrix.shape)
    np.savez(folder("sets/citation") / "dblp.npz", **arrays)


def write_gcb():
    def ring(nodes):
        matrix = np.zeros((nodes, nodes), dtype="f4")
        for i in range(nodes):
            matrix[i, (i + 1) % nodes] = matrix[(i + 1) % nodes, i] = 1
        return sp.csr_matrix(matrix)

    arrays = {}
    for part, sizes, classes in (
        ("tr", [3, 4, 5], [0, 1, 2]),
        ("val", [4], [1]),
        ("te", [3, 6], [2, 0]),
    ):
        arrays[f"{part}_adj"] = objects([ring(n) for n in sizes])
        arrays[f"{part}_feat"] = objects([np.eye(n, 5, dtype="f4") for n in sizes])
        arrays[f"{part}_class"] = np.eye(3, dtype="f4")[classes]
    np.savez_compressed(folder("sets/gcb") / "hard_small.npz", **arrays)


def write_peptides():
    random = np.random.RandomState(0)

    def peptide(nodes, turned):
        bonds = [(i, i + 1) for i in range(nodes - 1)]
        both = [pair for u, v in bonds for pair in ((u, v), (v, u))]
        ends = np.array(both, dtype="i8")
        # Some as a view whose axes are swapped by its strides.
        return (
            torch.from_numpy(random.randint(0, 5, (nodes, 9)).astype("i8")),
            torch.from_numpy(random.randint(0, 3, (len(ends), 3)).astype("i8")),
            torch.from_numpy(ends).T if turned else torch.from_numpy(ends.T.copy()),
            torch.from_numpy(random.randn(1, 11).astype("f4")),
        )

    for name, sizes in (("train", [3, 5, 4]), ("val", [2]), ("test", [6, 3])):
        graphs = [peptide(nodes, i % 2 == 1) for i, nodes in enumerate(sizes)]
        torch.save(graphs, folder("sets/lrgb/peptides-struct") / f"{name}.pt")


def write_multipartite():
    def graph(label):
        part = np.repeat(np.arange(10), [1 + (i + label) % 3 for i in range(10)])
        nodes = range(len(part))
        ends = [(u, v) for u in nodes for v in nodes if part[u] != part[v]]
        angle = 2 * np.pi * ((part - label) % 10) / 10
        place = np.stack([200 * np.cos(angle), 200 * np.sin(angle), part], 1)
        return Data(
            x=torch.from_numpy(place.astype("f4")),
            edge_index=torch.from_numpy(np.array(ends, dtype="i8").T.copy()),
            y=torch.tensor([label]),
        )

    path = folder("sets/multipartite") / "Multipartite.pkl"
    torch.save([graph(label) for label in range(3)], path)


if __name__ == "__main__":
    write_protocols()
    write_citeseer()
    write_dblp()
    write_gcb()
    write_peptides()
    write_multipartite()
