"""The same work by PyTorch, PyTorch Geometric and torch-geometric-pool, in a process of its own.

    peer.py cluster community|cora|pubmed dense|sparse EPOCHS
    peer.py train MUTAG|ENZYMES|… dense EPOCHS
    peer.py leiden community|cora|pubmed

Prints one line of JSON. Networks and training are those of the authors' code (`bnpool --preset authors`).
"""

import time

BEGIN = time.perf_counter()

import argparse
import json
import os
import resource
import sys
import warnings


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("task", choices=["cluster", "train", "leiden"])
    parser.add_argument("name")
    parser.add_argument("loss", nargs="?", default="dense", choices=["dense", "sparse"])
    parser.add_argument("epochs", nargs="?", type=int, default=10)
    parser.add_argument("--adj-transpose", choices=["yes", "no"], default="yes")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this time, also within an epoch")
    parser.add_argument("--memory-gb", type=float, default=12.0)
    return parser.parse_args()


def pooler(args, width, alpha):
    from tgp.poolers import BNPool

    return BNPool(
        width,
        k=50,
        alpha_DP=alpha,
        K_mu=10.0,
        K_var=1.0,
        K_init=1.0,
        batched=args.loss == "dense",
        adj_transpose=args.adj_transpose == "yes",
        # One graph is the same in every epoch.
        cache_preprocessing=args.loss == "dense" and args.task == "cluster",
    )


def anneal(pool, epoch, epochs):
    import math

    pool.eta = max(0.5 * (1 - math.cos(3.1415 * min(epoch, epochs) / epochs)), 1e-12)


def step(optimiser, model, loss):
    import torch

    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimiser.step()


def cluster_model(args):
    """The authors' network of one graph, and its optimiser."""
    import torch
    from torch.nn.functional import elu
    from torch_geometric.nn import GCNConv

    from data import one_graph

    edges, x = one_graph(args.name)
    edges, x = torch.from_numpy(edges), torch.from_numpy(x)

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            # The graph stays the same, so its normalised edges are kept.
            self.first = GCNConv(x.shape[1], 32, cached=True)
            self.second = GCNConv(32, 32, cached=True)
            self.pool = pooler(args, 32, 10.0 if args.loss == "dense" else 1.0)

        def pooled(self):
            h = elu(self.second(elu(self.first(x, edges)), edges))
            return self.pool(x=h, adj=edges)

        def forward(self):
            return sum(self.pooled().loss.values())

    model = Model()
    return model, torch.optim.Adam(model.parameters(), lr=5e-3)


def cluster(args):
    model, optimiser = cluster_model(args)
    times = Times(args)
    for epoch in range(args.epochs):
        anneal(model.pool, epoch, 5000)
        step(optimiser, model, model())
        if times.epoch():
            break
    return times.report()


def train(args):
    import numpy as np
    import torch
    from torch.nn import BatchNorm1d, Dropout, ELU, Linear, Sequential
    from torch.nn.functional import cross_entropy, elu
    from torch_geometric.data import Data
    from torch_geometric.loader import DataLoader
    from torch_geometric.nn import DenseGINConv, GINConv, GINEConv

    from data import many_graphs

    graphs = [
        Data(
            x=torch.from_numpy(x),
            edge_index=torch.from_numpy(edges),
            edge_attr=None if edge_x is None else torch.from_numpy(edge_x),
            y=torch.tensor([label]),
        )
        for edges, x, edge_x, label in many_graphs(args.name)
    ]
    order = np.random.default_rng(777).permutation(len(graphs))
    rest = order[len(graphs) // 10 + (len(graphs) % 10 > 0) :]
    cut = int(0.85 * len(rest))
    training = DataLoader([graphs[i] for i in rest[:cut]], batch_size=args.batch, shuffle=True)
    validation = DataLoader([graphs[i] for i in rest[cut:]], batch_size=args.batch)
    width, edge_x = graphs[0].x.shape[1], graphs[0].edge_attr
    classes = int(max(g.y.item() for g in graphs)) + 1

    def layer(inputs):
        mlp = Sequential(Linear(inputs, 64), BatchNorm1d(64), ELU(), Linear(64, 64))
        return GINConv(mlp) if edge_x is None else GINEConv(mlp, edge_dim=edge_x.shape[1])

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = layer(width), layer(64)
            self.pool = pooler(args, 64, 10.0)
            self.after = DenseGINConv(Sequential(Linear(64, 64), ELU(), Linear(64, 64)))
            self.readout = Sequential(
                Linear(64, 64), ELU(), Dropout(0.5), Linear(64, 32), ELU(), Dropout(0.5), Linear(32, classes)
            )

        def forward(self, batch):
            more = () if edge_x is None else (batch.edge_attr,)
            h = elu(self.first(batch.x, batch.edge_index, *more))
            h = elu(self.second(h, batch.edge_index, *more))
            pooled = self.pool(x=h, adj=batch.edge_index, batch=batch.batch)
            h = elu(self.after(pooled.x, pooled.edge_index)).sum(dim=1)
            return cross_entropy(self.readout(h), batch.y) + sum(pooled.loss.values())

    model = Model()
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3)
    times = Times(args, batches=len(training))
    for epoch in range(args.epochs):
        anneal(model.pool, epoch, 300)
        model.train()
        for batch in training:
            step(optimiser, model, model(batch))
            if times.batch():
                return times.report()
        # Validation belongs to an epoch here and there.
        model.eval()
        with torch.no_grad():
            for batch in validation:
                model(batch)
        if times.epoch():
            break
    return times.report()


def leiden(args):
    import igraph
    import leidenalg

    from data import one_graph

    edges, x = one_graph(args.name)
    edges = edges[:, edges[0] < edges[1]].T
    graph = igraph.Graph(n=len(x), edges=edges.tolist())
    found = leidenalg.find_partition(graph, leidenalg.ModularityVertexPartition, n_iterations=-1, seed=0)
    clock, cpu = now()
    return {
        "communities": len(found),
        "modularity": found.modularity,
        "seconds": clock - BEGIN,
        "cpu_seconds": cpu,
    }


class Times:
    """Seconds of epochs, by the clock and of the processor. Of an epoch that takes too long a part is measured."""

    def __init__(self, args, batches=1):
        self.limit, self.batches = args.seconds, batches
        self.ready = self.last = now()
        self.first, self.epochs, self.done = None, [], 0

    def is_late(self):
        return now()[0] - self.ready[0] > self.limit

    def batch(self):
        self.done += 1
        return not self.epochs and self.done < self.batches and self.is_late()

    def epoch(self):
        here = now()
        if self.first is None:
            self.first = here[0] - BEGIN
        self.epochs.append([b - a for a, b in zip(self.last, here)])
        self.last, self.done = here, 0
        return self.is_late()

    def report(self):
        import statistics

        if not self.epochs:
            share = self.batches / self.done
            clock, cpu = [share * (b - a) for a, b in zip(self.ready, now())]
            return {"seconds": clock, "cpu_seconds": cpu, "epochs": 0, "part": [self.done, self.batches]}
        # The first one also warms up.
        later = self.epochs[1:] or self.epochs
        clock, cpu = [statistics.median(column) for column in zip(*later)]
        return {"seconds": clock, "cpu_seconds": cpu, "epochs": len(self.epochs), "first_epoch": self.first}


def now():
    """The clock, and processor time of all threads."""
    return time.perf_counter(), time.process_time()


def main():
    args = arguments()
    warnings.simplefilter("ignore")
    # Threads that wait must not burn the time of others.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    limit = int(args.memory_gb * 2**30)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    try:
        if args.task != "leiden":
            import torch

            torch.set_num_threads(args.threads)
            torch.manual_seed(0)
        said = {"cluster": cluster, "train": train, "leiden": leiden}[args.task](args)
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "allocate memory" not in str(error):
            raise
        said = {"failed": f"more than {args.memory_gb:g} GB"}
    print(json.dumps(said))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
