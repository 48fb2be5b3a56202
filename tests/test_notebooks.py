"""The notebooks in real Jupyter kernels: top to bottom at any stage of completion, checks that help, plots that show."""

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

STAGES = ["stage1_recurrence", "stage2_bptt", "stage3_clipping_and_gates", "lab_fault_matrix"]


def folder_of(released, tmp_path, stage):
    """A student's folder: the unpacked release of one stage."""
    folder = tmp_path / stage
    shutil.copytree(released / "student_release" / "en" / stage, folder)
    return folder


def execute(notebook, folder):
    """Run a notebook in a fresh kernel in the student's folder; any error in a cell fails the test."""
    return NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()


def output_of(notebook, cell_id):
    """Everything a cell printed or showed, as text."""
    cell = next(cell for cell in notebook.cells if cell["id"] == cell_id)
    parts = [output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    return "".join(parts)


@pytest.mark.parametrize("stage", STAGES)
def test_untouched_notebook_runs_top_to_bottom(bench, released, bundles, tmp_path, stage):
    folder = folder_of(released, tmp_path, stage)
    shutil.copy(folder / f"{stage}.ipynb", folder / "renamed by a student.ipynb")
    (folder / f"{stage}.ipynb").unlink()
    notebook = execute(bench.notebook(stage, solved=False), folder)
    for name in bundles[stage].questions:
        assert "not attempted yet" in output_of(notebook, f"check-{name}")
    waiting = [cell for cell in notebook.cells if cell.source.startswith("%%needs")]
    assert waiting
    for cell in waiting:
        assert "This cell runs once these functions pass their checks" in output_of(notebook, cell["id"])


@pytest.mark.parametrize("stage", STAGES)
def test_solved_notebook_runs_top_to_bottom_and_draws(bench, released, bundles, tmp_path, stage):
    notebook = execute(bench.notebook(stage), folder_of(released, tmp_path, stage))
    for name, cases in bundles[stage].questions.items():
        hidden = sum(case["hidden"] for case in cases)
        shown = output_of(notebook, f"check-{name}")
        assert f"{name} results: All test cases passed!" in shown
        assert f"public checks passed; {hidden} hidden checks run at grading" in shown
    drawn = [output for cell in notebook.cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
    assert len(drawn) >= 5
    assert "This cell runs once" not in str(notebook.cells)
    warned = [output for cell in notebook.cells for output in cell.get("outputs", []) if output.get("name") == "stderr"]
    assert not warned, warned


@pytest.mark.parametrize("stage", STAGES)
def test_half_done_notebook_runs_what_it_can(bench, released, bundles, tmp_path, stage):
    solved, notebook = bench.notebook(stage), bench.notebook(stage, solved=False)
    done = list(bundles[stage].questions)[:4]
    for name in done:
        notebook = bench.with_function(notebook, name, next(c.source for c in solved.cells if c["id"] == f"stub-{name}"))
    wrong = list(bundles[stage].questions)[4]
    notebook = execute(bench.with_function(notebook, wrong, f"def {wrong}(*arguments):\n    return None"),
                       folder_of(released, tmp_path, stage))
    for name in done:
        assert "All test cases passed" in output_of(notebook, f"check-{name}")
    message = output_of(notebook, f"check-{wrong}")
    assert "Is the return line missing" in message and f"{wrong}(" in message and "expected" not in message.splitlines()[0]


def test_checks_work_without_the_notebook_file_and_without_the_pack(released, tmp_path):
    """As on Colab: only tests/ and support.py are there, and nothing of the pack can be imported."""
    folder = folder_of(released, tmp_path, STAGES[0])
    (folder / f"{STAGES[0]}.ipynb").unlink()
    script = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("autograder", "solutions"):
            raise ImportError(name)
sys.meta_path.insert(0, Blocked())
import numpy as np, otter
def elman_step(x, a_prev, params):
    return np.tanh(params["W_aa"] @ a_prev + params["W_ax"] @ x)
print(otter.Notebook().check("elman_step"))
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, timeout=60)
    assert "elman_step(x = " in done.stdout and "first at index" in done.stdout, done.stdout + done.stderr


def test_released_notebooks_are_valid_and_clean(released):
    for path in sorted((released / "student_release").rglob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells)
        assert notebook.metadata.kernelspec.name == "python3"
        assert Path(path).stat().st_size < 300_000
