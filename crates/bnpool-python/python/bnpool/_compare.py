"""Comparison of poolers on the same data, folds, settings and seeds."""

from __future__ import annotations

import html
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _bnpool
from ._base import chosen, further, seed_of, threads_of
from ._cluster import SETTINGS as OF_ONE_GRAPH
from ._command import KEYWORDS
from ._errors import needed
from ._graph import Graph, as_graph
from ._learn import SETTINGS as OF_GRAPHS
from .datasets import GraphSet

#: Seconds for a comparison to end after an interruption.
PATIENCE = 1.5

#: Further parameters and their keys in ``run.toml``.
SETTINGS = {**OF_ONE_GRAPH, **OF_GRAPHS}

PathLike = Union[str, "os.PathLike[str]"]


class Comparison:
    """Table and page of a comparison."""

    def __init__(self, table: Dict[str, Any], page: str, path: Optional[Path]) -> None:
        #: The content of ``compare.json`` of the command.
        self.table = table
        self._page = page
        #: The directory with the page and the runs, if requested.
        self.path = path

    @property
    def rows(self) -> List[Dict[str, Any]]:
        """One dictionary per pooler."""
        rows: List[Dict[str, Any]] = self.table["poolers"]
        return rows

    def to_frame(self) -> Any:
        """Return a pandas data frame with one row per pooler."""
        return needed("pandas").DataFrame(self.rows)

    def report(self, path: Optional[PathLike] = None) -> str:
        """Return the page of the comparison, and write it to a file if a path is given."""
        if path is not None:
            Path(path).write_text(self._page, encoding="utf-8")
        return self._page

    def _repr_html_(self) -> str:
        """The table, for notebooks."""
        names = list(dict.fromkeys(name for row in self.rows for name in row))
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(shown(row.get(name)))}</td>" for name in names) + "</tr>"
            for row in self.rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def __repr__(self) -> str:
        names = ", ".join(str(row.get("pooler")) for row in self.rows)
        return f"<bnpool.Comparison of {names}>"


def shown(value: Any) -> str:
    """Format a value of the table."""
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(shown(one) for one in value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def compare(
    data: Any,
    poolers: Union[None, str, Sequence[str]] = None,
    y: Any = None,
    *,
    n_clusters: Optional[int] = None,
    preset: str = "default",
    folds: Optional[Sequence[int]] = None,
    epochs: Optional[int] = None,
    random_state: Any = 0,
    n_threads: Optional[int] = None,
    settings: Optional[Mapping[str, Any]] = None,
    out: Optional[PathLike] = None,
    verbose: bool = False,
    **parameters: Any,
) -> Comparison:
    """Compare poolers on one graph, or on many graphs with targets.

    ``data`` is the name of a data set, a path, one graph of any kind, or a list of
    graphs with ``y``. Poolers run one after another, so that
    times and memory can be compared. The others are compared with the first pooler.
    ``out`` is a directory for the page and the runs. Further parameters, such as
    ``alpha_dp``, are those of :class:`BNPool` for one graph and of
    :class:`GraphClassifier` for many.
    """
    unknown = [name for name in parameters if name not in SETTINGS or name == "pooler"]
    if unknown:
        raise TypeError(f"compare() has no parameter {unknown[0]!r}")
    words = ["compare", "--json", "--preset", preset, "--seed", str(seed_of(random_state))]
    if poolers is not None:
        words += ["--poolers", poolers if isinstance(poolers, str) else ",".join(poolers)]
    for flag, value in (
        ("--clusters", n_clusters),
        ("--epochs", epochs),
        ("--threads", threads_of(n_threads)),
        ("--folds", None if folds is None else ",".join(str(fold) for fold in folds)),
    ):
        if value is not None:
            words += [flag, str(value)]
    names = {name: SETTINGS[name] for name in parameters}
    for key, value, _ in chosen(names, parameters) + further(settings):
        words += ["--set", f"{key}={json.dumps(value)}"]
    with tempfile.TemporaryDirectory(prefix="bnpool-") as folder:
        words += source(data, y, Path(folder))
        place = Path(out) if out is not None else Path(folder) / "compare"
        words += ["--out", str(place)]
        run(words, verbose)
        table = json.loads((place / "compare.json").read_text(encoding="utf-8"))
        page = (place / "compare.html").read_text(encoding="utf-8")
    return Comparison(table, page, place if out is not None else None)


def source(data: Any, y: Any, folder: Path) -> List[str]:
    """Return the arguments for the data, which are written to a folder if necessary."""
    if isinstance(data, str) and not os.path.exists(data):
        known = {entry[0].lower() for entry in _bnpool.list_sets()}
        if data.lower() in known:
            return ["--dataset", data]
        raise FileNotFoundError(f"{data}: there is no such file and no such data set")
    if isinstance(data, (str, os.PathLike)):
        try:
            many = len(_bnpool.read_set(data)) > 1
        except ValueError:
            many = False
        return ["--data", str(data)] if many else [str(data)]
    if isinstance(data, (GraphSet, list)) and not is_edges(data):
        graphs, names = targets([as_graph(graph)._native for graph in data], y)
        path = folder / "graphs.safetensors"
        _bnpool.write_graphs(path, graphs, names)
        return ["--data", str(path)]
    graph: Graph = as_graph(data, y=y)
    path = folder / "graph.safetensors"
    _bnpool.write_graphs(path, [graph._native], graph.class_names or None)
    return [str(path)]


def is_edges(data: Sequence[Any]) -> bool:
    """Return whether a list contains edges instead of graphs."""
    return len(data) > 0 and isinstance(data[0], tuple) and np.ndim(data[0][0]) == 0


def targets(graphs: List[_bnpool.Graph], y: Any) -> "tuple[List[_bnpool.Graph], Optional[List[str]]]":
    """Return graphs with their targets, and the names of their classes."""
    if y is None:
        return graphs, None
    values = np.asarray(y)
    if values.ndim != 1 or len(values) != len(graphs):
        raise ValueError(f"y has the shape {values.shape}: a target for each of {len(graphs)} graphs")
    if values.dtype.kind == "f":
        rows = values.tolist()
        return [graph.with_numbers([row]) for graph, row in zip(graphs, rows)], None
    classes, numbers = np.unique(values, return_inverse=True)
    made = [graph.with_class(int(number)) for graph, number in zip(graphs, numbers)]
    return made, [str(name) for name in classes.tolist()]


def run(words: Sequence[str], verbose: bool) -> None:
    """Run the command, and raise its errors."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bnpool", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, KEYWORDS: "1"},
    )
    lines: List[str] = []
    try:
        # Written to the stream of this process, which notebooks show.
        for line in process.stderr or ():
            lines.append(line.rstrip())
            if verbose:
                sys.stderr.write(line)
        code = process.wait()
    except BaseException:
        # It ends its child processes if interrupted, but not if killed.
        process.send_signal(signal.SIGINT)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        raise
    finally:
        if process.stderr is not None:
            process.stderr.close()
    if code == 0:
        return
    if code in (130, -signal.SIGINT):
        raise KeyboardInterrupt
    said = [line for line in lines if line.startswith("error: ")]
    message = said[-1][len("error: ") :] if said else "\n".join(lines[-3:]) or "the comparison failed"
    raise (ValueError if code == 2 else RuntimeError)(message)


__all__ = ["Comparison", "compare"]
