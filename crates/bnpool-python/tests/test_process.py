"""Signals, threads, memory, progress and logs."""

import io
import logging
import os
import signal
import subprocess
import sys
import threading
import time

import networkx as nx
import numpy as np
import pytest

import bnpool
from bnpool._progress import Bar

#: A graph that takes several seconds.
LONG = """
import sys, time, networkx as nx, bnpool
graph = nx.gnm_random_graph(20000, 120000, seed=0)
made = bnpool.as_graph(graph)
print("ready", flush=True)
try:
    bnpool.cluster(made, preset={preset!r}, verbose=False)
    print("ended")
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("preset, wait", [("default", 1.0), ("paper", 3.0)])
def test_ctrl_c_stops_within_a_second(preset, wait):
    process = subprocess.Popen(
        [sys.executable, "-c", LONG.format(preset=preset)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(wait)
    process.send_signal(signal.SIGINT)
    asked = time.monotonic()
    assert process.stdout.readline() == "interrupted\n"
    # The call itself returns in 50 ms; a loaded machine takes longer to tell.
    assert time.monotonic() - asked < 5
    process.kill()
    process.wait()


COMPARISON = """
import networkx as nx, bnpool
graph = nx.gnm_random_graph(20000, 120000, seed=0)
made = bnpool.as_graph(graph)
print("ready", flush=True)
try:
    bnpool.compare(made, ["bn", "leiden"])
    print("ended")
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_stops_a_comparison():
    process = subprocess.Popen(
        [sys.executable, "-c", COMPARISON], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(2)
    # Only to the interpreter, as notebooks do.
    process.send_signal(signal.SIGINT)
    asked = time.monotonic()
    assert process.stdout.readline() == "interrupted\n"
    assert time.monotonic() - asked < 8
    process.wait()
    time.sleep(1)
    left = subprocess.run(["pgrep", "-s", str(process.pid)], capture_output=True, text=True)
    assert left.stdout == ""


def test_fits_side_by_side(planted, karate):
    expected = [bnpool.cluster(graph).labels_ for graph in (planted, karate)]
    found = {}

    def fit(place, graph):
        found[place] = bnpool.cluster(graph, n_threads=1 + place % 2).labels_

    threads = [
        threading.Thread(target=fit, args=(i, (planted, karate)[i % 2])) for i in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[i], expected[i % 2]) for i in range(6))


def test_the_interpreter_is_free_while_the_engine_works(planted):
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    for _ in range(3):
        bnpool.cluster(planted)
    done.set()
    thread.join()
    assert len(ticks) > 5


def test_a_forked_process_can_fit(planted):
    bnpool.cluster(planted)
    child = os.fork()
    if child == 0:
        try:
            labels = bnpool.cluster(planted).labels_
            os._exit(0 if len(labels) == 60 else 1)
        except BaseException:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0


MEMORY = """
import networkx as nx, bnpool
edges = [(u, v) for g in range(2) for u in range(5 * g, 5 * g + 5) for v in range(u)if v >= 5 * g]
graph = bnpool.as_graph(nx.Graph(edges + [(0, 5)]))
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
for i in range(1000):
    bnpool.cluster(graph, n_threads=1, epochs=2)
    if i == 199:
        before = resident()
print(resident() - before)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_a_thousand_fits_do_not_grow_memory():
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 16 << 20


def test_progress():
    stream = io.StringIO()
    bar = Bar(stream)
    bar("training", 3, 60, "loss 1.5")
    bar.close()
    text = stream.getvalue()
    assert "training" in text and "3/60" in text and "loss 1.5" in text and text.endswith("\n")


def test_verbose_shows_progress(capsys):
    bnpool.cluster(nx.gnm_random_graph(2000, 8000, seed=0), epochs=40, verbose=True)
    assert "/" in capsys.readouterr().err


def test_a_callback_that_raises_ends_the_work(planted):
    def show(stage, done, total, words):
        raise RuntimeError("enough")

    made = bnpool.as_graph(nx.gnm_random_graph(5000, 30000, seed=0))
    with pytest.raises(RuntimeError, match="enough"):
        bnpool._bnpool.fit(made._native, "default", [], None, show)


def test_logs(planted, caplog):
    with caplog.at_level(logging.INFO, logger="bnpool"):
        bnpool.cluster(planted)
    assert any("3 communities" in record.getMessage() for record in caplog.records)
    with caplog.at_level(logging.WARNING, logger="bnpool"):
        caplog.clear()
        bnpool.cluster(nx.gnm_random_graph(40, 120, seed=0))
    assert any("one community" in record.getMessage() for record in caplog.records)


def test_the_command_is_in_the_wheel():
    words = [sys.executable, "-m", "bnpool"]
    version = subprocess.run([*words, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.strip() == f"bnpool {bnpool.__version__}"
    wrong = subprocess.run([*words, "cluster", "none.csv"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "--format" not in wrong.stderr
    assert wrong.stderr.startswith("error: ") or "error: none.csv" in wrong.stderr
