"""The lines of the documents and the examples run as they stand."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT

PACKAGE = ROOT / "crates" / "bnpool-python"
DOCUMENTS = [ROOT / "README.md", PACKAGE / "README.md"]
EXAMPLES = sorted((PACKAGE / "examples").glob("*.py"))


def blocks(path):
    text = path.read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.parent.name)
def test_python_lines_of_a_document(path, tmp_path):
    code = "\n".join(blocks(path))
    assert "bnpool" in code
    # The classifier of the first page must have learned something.
    code += "\nif 'rings_and_stars' in globals():\n"
    code += "    assert list(classifier.predict(rings_and_stars)) == [0, 1] * 15\n"
    (tmp_path / "code.py").write_text(code, encoding="utf-8")
    # A run that the documents speak of.
    (tmp_path / "runs" / "train-mutag-bn-0").mkdir(parents=True)
    model(tmp_path / "runs" / "train-mutag-bn-0" / "model.safetensors")
    done = subprocess.run(
        [sys.executable, "code.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def model(path):
    import bnpool

    graphs = [[(0, 1), (1, 2), (2, 3)], [(0, 1), (0, 2), (0, 3)]] * 6
    bnpool.GraphClassifier(epochs=1).fit(graphs, [0, 1] * 6).save(path)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


def test_there_is_an_example_for_everyone():
    names = {path.stem for path in EXAMPLES}
    assert names == {"data_scientist", "researcher", "chemist", "engineer"}


def test_docstrings():
    import doctest

    import bnpool

    for module in (bnpool, bnpool._cluster):
        assert doctest.testmod(module).failed == 0


def test_stubs_name_what_the_module_has():
    import ast

    import bnpool._bnpool as native

    stub = (Path(native.__file__).parent / "_bnpool.pyi").read_text(encoding="utf-8")
    named = {}
    for node in ast.parse(stub).body:
        if isinstance(node, ast.ClassDef):
            named[node.name] = {
                item.name if isinstance(item, ast.FunctionDef) else item.target.id
                for item in node.body
            }
        elif isinstance(node, ast.FunctionDef):
            named[node.name] = None
    public = {name for name in dir(native) if not name.startswith("_")}
    assert public == set(named)
    for name, members in named.items():
        if members is not None:
            own = {m for m in dir(getattr(native, name)) if not m.startswith("_")}
            assert own == {m for m in members if not m.startswith("_")}, name
