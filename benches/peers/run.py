"""Measures bnpool and its peers in turns, and prints where they stand.

    python run.py --bnpool ../../target/release/bnpool --python venv/bin/python --out results [--only cora,MUTAG]

Every measurement is a file of its own in the folder: what is there is not measured again. --report prints the
tables of what is there and measures nothing.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent

# (task, data set of the peer, of bnpool, loss, epochs of the peer, epochs of bnpool)
WORK = [
    ("cluster", "community", "community", "dense", 30, 400),
    ("cluster", "cora", "cora", "dense", 6, 100),
    ("cluster", "cora", "cora", "sparse", 20, 200),
    ("cluster", "pubmed", "pubmed", "sparse", 4, 40),
    ("cluster", "pubmed", "pubmed", "dense", 1, 4),
    ("train", "MUTAG", "mutag", "dense", 15, 100),
    ("train", "ENZYMES", "enzymes", "dense", 4, 25),
    ("train", "PROTEINS", "proteins", "dense", 3, 15),
    ("train", "NCI1", "nci1", "dense", 2, 6),
    ("train", "DD", "dd", "dense", 1, 4),
    ("train", "REDDIT-BINARY", "reddit-binary", "dense", 1, 3),
]
LEIDEN = [("leiden", name, name, "", 0, 0) for name in ("community", "cora", "pubmed")]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bnpool", default=str(HERE / "../../target/release/bnpool"))
    parser.add_argument("--python", default=str(HERE / "venv/bin/python"))
    parser.add_argument("--out", default="results")
    parser.add_argument("--only", help="names of data sets, separated by commas")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each, in turns")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=120, help="longest part of a peer's epoch that is measured")
    parser.add_argument("--memory-gb", type=float, default=12.0, help="what a peer may take")
    parser.add_argument("--report", action="store_true", help="print what was measured")
    return parser.parse_args()


def run(words):
    """Output, seconds, processor seconds and peak memory of a process."""
    begin = time.perf_counter()
    environment = dict(os.environ, PYTHONPATH=str(HERE / "stand_in"), OMP_WAIT_POLICY="passive")
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(words, stdout=out, stderr=errors, env=environment, cwd=HERE)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - begin
        out.seek(0)
        errors.seek(0)
        if child.returncode != 0:
            raise SystemExit(f"{' '.join(words)}\n{errors.read().decode(errors='replace')[-2000:]}")
        return {
            "said": json.loads(out.read().decode()),
            "seconds": seconds,
            "cpu_seconds": usage.ru_utime + usage.ru_stime,
            "peak_mb": usage.ru_maxrss / 1024,
        }


def bnpool(args, task, name, loss, epochs):
    """An epoch of bnpool: the difference of a long and a short run, so that start and results do not count."""
    command = "train" if task == "train" else "cluster"
    base = [args.bnpool, command, "--dataset", name, "--threads", str(args.threads), "--json", "--quiet"]
    if task == "leiden":
        base += ["--pooler", "leiden"]
    else:
        base += ["--preset", "authors", "--loss", loss]
    base += ["--folds", "0"] if task == "train" else []

    def once(epochs):
        folder = tempfile.mkdtemp()
        more = ["--epochs", str(epochs)] if epochs else []
        try:
            return run([*base, *more, "--out", str(Path(folder) / "run")])
        finally:
            shutil.rmtree(folder)

    if task == "leiden":
        found = once(0)
        said = found["said"]
        return {
            "seconds": found["seconds"],
            "cpu_seconds": found["cpu_seconds"],
            "peak_mb": found["peak_mb"],
            "communities": said["communities"],
            "modularity": said["modularity"],
        }
    short, long = once(1), once(epochs)
    return {
        "seconds": long["said"]["seconds"] / epochs,
        "cpu_seconds": (long["cpu_seconds"] - short["cpu_seconds"]) / (epochs - 1),
        "peak_mb": long["peak_mb"],
        # The whole command with its results, which is more than the first epoch.
        "first_epoch": short["seconds"],
        "epochs": epochs,
    }


def peer(args, task, name, loss, epochs, transpose, batch=32):
    words = [args.python, "peer.py", task, name]
    if task != "leiden":
        words += [loss, str(epochs), "--adj-transpose", transpose, "--batch", str(batch)]
        words += ["--seconds", str(args.seconds), "--threads", str(args.threads)]
    words += ["--memory-gb", str(args.memory_gb)]
    found = run(words)
    said = found.pop("said")
    if "failed" in said and batch > 1 and task == "train":
        smaller = peer(args, task, name, loss, epochs, transpose, batch // 4)
        return {**smaller, "batch": smaller.get("batch", batch // 4)}
    return {**said, "peak_mb": found["peak_mb"]}


def measure(args, file, work):
    if file.exists():
        return
    print(file.stem, file=sys.stderr, flush=True)
    found = work()
    found["date"] = time.strftime("%Y-%m-%d", time.gmtime())
    found["threads"] = args.threads
    found["load"] = os.getloadavg()[0]
    part = file.with_suffix(".part")
    part.write_text(json.dumps(found, indent=1))
    part.rename(file)


def key(work, who, turn):
    task, name, _, loss, _, _ = work
    return "-".join(filter(None, [task, name, loss, who, str(turn)]))


def all_work(args):
    only = args.only and [name.lower() for name in args.only.split(",")]
    return [work for work in WORK + LEIDEN if not only or work[1].lower() in only]


def measure_all(args, out):
    out.mkdir(parents=True, exist_ok=True)
    for turn in range(args.rounds):
        for work in all_work(args):
            task, name, own_name, loss, epochs, own_epochs = work
            file = lambda who: out / f"{key(work, who, turn)}.json"
            measure(args, file("bnpool"), lambda: bnpool(args, task, own_name, loss, own_epochs))
            for transpose in ("yes",) if task == "leiden" or loss == "sparse" else ("yes", "no"):
                who = "peer" if transpose == "yes" else "peer-no-transpose"
                measure(args, file(who), lambda: peer(args, task, name, loss, epochs, transpose))


def read(out, work, who):
    files = sorted(out.glob(f"{key(work, who, '[0-9]*')}.json"))
    return [json.loads(file.read_text()) for file in files]


def middle(found, name):
    values = [one[name] for one in found if name in one]
    return statistics.median(values) if values else None


def time_words(seconds):
    if seconds is None:
        return "–"
    return f"{1e3 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def report(args, out):
    rows, ratios = [], {"seconds": [], "cpu_seconds": [], "peak_mb": []}
    for work in (work for work in all_work(args) if work[0] != "leiden"):
        own = read(out, work, "bnpool")
        peers = [read(out, work, who) for who in ("peer", "peer-no-transpose")]
        # The better setting of the peer.
        peers = [found for found in peers if middle(found, "cpu_seconds") is not None]
        if not own or not peers:
            continue
        best = min(peers, key=lambda found: middle(found, "cpu_seconds"))
        cells = [f"{work[1]}, {work[3]}"]
        for name in ("seconds", "cpu_seconds"):
            ours, theirs = middle(own, name), middle(best, name)
            ratios[name].append(theirs / ours)
            cells += [time_words(ours), time_words(theirs), f"{theirs / ours:.1f}"]
        ours, theirs = middle(own, "peak_mb"), middle(best, "peak_mb")
        ratios["peak_mb"].append(theirs / ours)
        cells += [f"{ours:.0f}", f"{theirs:.0f}", f"{theirs / ours:.1f}"]
        cells += [f"{time_words(middle(own, 'first_epoch'))}, {time_words(middle(best, 'first_epoch'))}"]
        remarks = []
        if len(peers) == 2 and best is peers[1]:
            remarks.append("adj_transpose=False")
        if "batch" in best[0]:
            remarks.append(f"batches of {best[0]['batch']}")
        if "part" in best[0]:
            remarks.append("{} of {} batches".format(*best[0]["part"]))
        rows.append([*cells, "; ".join(remarks)])
    heading = ["an epoch", "bnpool", "peer", "ratio", "bnpool, CPU", "peer, CPU", "ratio", "bnpool, MB", "peer, MB"]
    heading += ["ratio", "to the first epoch", "the peer's setting"]
    table(heading, rows)
    for name, values in ratios.items():
        if values:
            print(f"\nGeometric mean of the ratios ({name}): {statistics.geometric_mean(values):.1f}", end="")
    print("\n")
    rows = []
    for work in (work for work in all_work(args) if work[0] == "leiden"):
        own, other = read(out, work, "bnpool"), read(out, work, "peer")
        if own and other:
            cells = [work[1]]
            for name, shown in (("seconds", time_words), ("modularity", "{:.4f}".format), ("peak_mb", "{:.0f}".format)):
                cells += [shown(middle(own, name)), shown(middle(other, name))]
            rows.append(cells)
    heading = ["Leiden, whole process", "bnpool", "leidenalg", "bnpool, Q", "leidenalg, Q", "bnpool, MB", "leidenalg, MB"]
    table(heading, rows)


def table(heading, rows):
    print("| " + " | ".join(heading) + " |")
    print("|" + "---|" * len(heading))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def main():
    args = arguments()
    out = Path(args.out).resolve()
    args.bnpool = str(Path(args.bnpool).resolve())
    # Not resolved: a link into a virtual environment would lead out of it.
    args.python = os.path.abspath(args.python)
    if not args.report:
        measure_all(args, out)
    report(args, out)


if __name__ == "__main__":
    main()
