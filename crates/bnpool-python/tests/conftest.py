"""Graphs and the command, for all tests."""

import os
import subprocess
import sys
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]


def command_words():
    own = os.environ.get("BNPOOL_COMMAND")
    return [own] if own else [sys.executable, "-m", "bnpool"]


@pytest.fixture
def command(tmp_path):
    """Runs the command in a folder of its own."""

    def run(*words, code=0):
        done = subprocess.run(
            [*command_words(), *map(str, words)], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == code, done.stderr
        return done

    return run


@pytest.fixture(scope="session")
def karate():
    """Numbered from 0, without weights."""
    graph = nx.Graph()
    original = nx.karate_club_graph()
    graph.add_nodes_from(original.nodes)
    graph.add_edges_from(original.edges)
    return graph


@pytest.fixture(scope="session")
def edges(karate):
    return np.array(karate.edges)


@pytest.fixture(scope="session")
def planted():
    """Three groups of twenty."""
    graph = nx.planted_partition_graph(3, 20, 0.6, 0.02, seed=1)
    assert nx.is_connected(graph)
    return nx.Graph(graph.edges)


def write_edges(path, edges, weights=None):
    lines = ["source,target" + (",weight" if weights is not None else "")]
    for i, (u, v) in enumerate(edges):
        lines.append(f"{u},{v}" + (f",{weights[i]}" if weights is not None else ""))
    Path(path).write_text("\n".join(lines) + "\n")
    return path
