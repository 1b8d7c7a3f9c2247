"""From the start of Python to labels: the package bnpool beside torch-geometric-pool, the same fit.

    venv/bin/pip install ../..                    # or the wheel
    python3 labels.py                             # Community and Cora, three rounds in turns, as Markdown
    python3 labels.py --fits cora:sparse:200 --rounds 5

Both read the same files by the same code, train the authors' network (`preset="authors"`) for the same number of
epochs in the same interpreter, and take the largest membership of every node. A process for every fit: import, data
and labels count.
"""

import time

BEGIN = time.perf_counter()

import argparse
import json
import statistics
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace

HERE = Path(__file__).resolve().parent
FITS = "community:dense:500,cora:dense:100,cora:sparse:200"


def by_bnpool(args):
    import bnpool

    imported = time.perf_counter()
    from data import one_graph

    edges, x = one_graph(args.name)
    model = bnpool.BNPool(
        preset="authors",
        loss=args.loss,
        epochs=args.epochs,
        n_threads=args.threads,
        # Nothing but the features that the peer sees.
        settings={"features.source": "given"},
    )
    read = time.perf_counter()
    labels = model.fit_predict((edges[0], edges[1]), x)
    assert len(model.history_) == args.epochs
    return imported, read, labels


def by_tgp(args):
    import torch
    from torch_geometric.nn import GCNConv  # noqa: F401
    from tgp.poolers import BNPool  # noqa: F401

    imported = time.perf_counter()
    from peer import anneal, cluster_model, step

    torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    model, optimiser = cluster_model(args)
    read = time.perf_counter()
    for epoch in range(args.epochs):
        anneal(model.pool, epoch, 5000)
        step(optimiser, model, model())
    model.eval()
    with torch.no_grad():
        s = model.pooled().so.s
    return imported, read, s.reshape(-1, s.shape[-1]).argmax(dim=1).numpy()


def child(words):
    who, name, loss, epochs, threads, transpose = words
    warnings.simplefilter("ignore")
    args = SimpleNamespace(
        task="cluster", name=name, loss=loss, epochs=int(epochs), threads=int(threads), adj_transpose=transpose
    )
    imported, read, labels = (by_bnpool if who == "bnpool" else by_tgp)(args)
    parts = {"import": imported - BEGIN, "data": read - imported, "fit": time.perf_counter() - read}
    print(json.dumps({**parts, "nodes": len(labels), "communities": len(set(labels.tolist()))}))


def main():
    from run import middle, run, time_words

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=str(HERE / "venv/bin/python"))
    parser.add_argument("--fits", default=FITS, help="NAME:LOSS:EPOCHS, separated by commas")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    print("| fit | who | import | data | fit | all | CPU | peak MB |\n|---|---|---|---|---|---|---|---|")
    for fit in args.fits.split(","):
        name, loss, epochs = fit.split(":")
        # The peer's dense pass is faster with one or the other.
        kinds = {"bnpool": "yes", "tgp": "yes", "tgp, adj_transpose=False": "no"}
        if loss == "sparse":
            del kinds["tgp, adj_transpose=False"]
        found = {kind: [] for kind in kinds}
        for _ in range(args.rounds):
            for kind, transpose in kinds.items():
                words = [kind.split(",")[0], name, loss, epochs, str(args.threads), transpose]
                done = run([args.python, "labels.py", "child", *words])
                found[kind].append({**done.pop("said"), **done})
        for kind, runs in found.items():
            times = [time_words(middle(runs, part)) for part in ("import", "data", "fit", "seconds", "cpu_seconds")]
            peak = statistics.median(one["peak_mb"] for one in runs)
            print(f"| {name}, {loss}, {epochs} epochs | {kind} | {' | '.join(times)} | {peak:.0f} |", flush=True)


if __name__ == "__main__":
    child(sys.argv[2:]) if sys.argv[1:2] == ["child"] else main()
