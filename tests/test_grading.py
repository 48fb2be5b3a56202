"""Whole notebooks in, results out: every question can be wrong on its own, and nothing else suffers."""

import nbformat
import pytest
from conftest import case, scores

STAGE = "stage1_recurrence"
WRONG_STEP = """def elman_step(x, a_prev, params):
    return np.tanh(a_prev @ params["W_aa"] + params["W_ax"] @ x + params["b_a"])"""


def lost(bench, stage, notebook, limits=None):
    """The questions that do not have full marks, with their scores."""
    result = bench.grade(stage, notebook, limits)
    assert result["status"] == "graded"
    return {name: q["score"] for name, q in result["questions"].items() if q["status"] != "full"}, result


def test_solved_notebook_gets_full_marks(bench, bundles):
    for stage in bundles:
        result = bench.grade(stage, bench.notebook(stage))
        assert result["score"] == result["max_score"] == bundles[stage].max_score
        assert {question["status"] for question in result["questions"].values()} == {"full"}
        assert result["message"].startswith("Graded: submission.ipynb") and "stopped early" not in result["message"]


def test_untouched_notebook_gets_nothing_and_says_not_attempted(bench, bundles):
    for stage in bundles:
        result = bench.grade(stage, bench.notebook(stage, solved=False))
        assert (result["score"], result["max_score"]) == (0, bundles[stage].max_score)
        assert {question["status"] for question in result["questions"].values()} == {"not_attempted"}
        messages = [c["message"] for question in result["questions"].values() for c in question["cases"]]
        assert all("not attempted yet" in message for message in messages)


def test_half_done_notebook_keeps_what_is_done(bench, bundles):
    for stage, bundle in bundles.items():
        solved, notebook = bench.notebook(stage), bench.notebook(stage, solved=False)
        done = list(bundle.questions)[:5]
        for name in done:
            source = next(cell.source for cell in solved.cells if cell["id"] == f"stub-{name}")
            notebook = bench.with_function(notebook, name, source)
        result = bench.grade(stage, notebook)
        for name, question in result["questions"].items():
            assert (question["status"] == "not_attempted") == (name not in done), (name, question["status"])


def test_each_question_fails_alone(bench, bundles):
    for stage, bundle in bundles.items():
        for name in bundle.questions:
            notebook = bench.with_cell(bench.notebook(stage), f"def {name}(*arguments): return None")
            result = bench.grade(stage, notebook)
            assert result["questions"][name]["score"] == 0
            others = [n for n, q in result["questions"].items() if n != name and q["status"] != "full"]
            source = "".join(cell.source for cell in notebook.cells if cell["id"].startswith("stub-"))
            assert all(f"{name}(" in source for _ in others), (name, others)
            assert "is None" in case(result, f"{name}/{bundle.questions[name][0]['id'].split('/')[-1]}")["message"]


def test_a_wrong_matrix_side_loses_its_question_only(bench):
    questions, result = lost(bench, STAGE, bench.with_function(bench.notebook(STAGE), "elman_step", WRONG_STEP))
    assert set(questions) == {"elman_step"} and result["questions"]["elman_step"]["score"] < 4
    failed = [c for c in result["questions"]["elman_step"]["cases"] if c["hidden"] and c["status"] == "failed"]
    assert failed and all("elman_step(x = " in c["message"] and "first at index" in c["message"] for c in failed[:1])


@pytest.mark.parametrize(("body", "status", "words"), [
    ("while True: pass", "timeout", "no answer within"),
    ("import os; os._exit(0)", "crashed", "ended without an answer"),
    ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "crashed", "ended without an answer"),
    ("import ctypes; ctypes.string_at(0)", "crashed", "ended without an answer"),
    ("raise SystemExit(0)", "error", "raised SystemExit"),
    ("return elman_step(x, a_prev, params)", "error", "raised RecursionError"),
    ("raise KeyError('W_xx')", "error", "raised KeyError: 'W_xx' (line 2"),
    ("return [bytearray(2**40)]", "error", "raised MemoryError"),
])
def test_one_bad_function_costs_one_question(bench, body, status, words):
    notebook = bench.with_function(bench.notebook(STAGE), "elman_step", f"def elman_step(x, a_prev, params):\n    {body}")
    questions, result = lost(bench, STAGE, notebook, {"call_seconds": 0.3})
    assert questions == {"elman_step": 0}
    assert {c["status"] for c in result["questions"]["elman_step"]["cases"]} == {status}
    assert all(words in c["message"] for c in result["questions"]["elman_step"]["cases"])


def test_missing_and_misspelt_functions_are_named(bench):
    notebook = bench.with_function(bench.notebook(STAGE), "softmax", "def sotfmax(logits):\n    return logits")
    notebook = bench.with_function(notebook, "lm_pairs", "")
    result = bench.grade(STAGE, notebook)
    assert result["questions"]["softmax"]["status"] == result["questions"]["lm_pairs"]["status"] == "missing"
    assert "but `sotfmax` is. Is the name misspelt?" in result["questions"]["softmax"]["cases"][0]["message"]
    assert "`lm_pairs` is not defined in your notebook." in result["questions"]["lm_pairs"]["cases"][0]["message"]


@pytest.mark.parametrize("cell", [
    "%matplotlib widget", "!pip install torch", "%%bash\nrm -rf /", "files = !ls", "def broken(:", "1/0", "exit()",
    "import google.colab\nfrom google.colab import drive\ndrive.mount('/x')", "grader.export()", "x = input('name?')",
    "await __import__('asyncio').sleep(0)", "display(softmax)", "get_ipython().run_line_magic('timeit', '1')",
    "import otter\ngrader = otter.Notebook('x.ipynb')\ngrader.check_all()",
    "plt.plot([1, 2]); plt.show()", "import ipywidgets as w\nw.interact(lambda x: x, x=3)", "print('x' * 5_000_000)",
    "if __name__ == '__main__':\n    def helper(): pass", "%%time\nz = 3", "import sys; sys.exit(1)", "raise KeyboardInterrupt",
    "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as p: print(list(p.map(abs, [1])))",
])
def test_notebook_habits_cost_nothing(bench, cell):
    result = bench.grade(STAGE, bench.with_cell(bench.notebook(STAGE), cell, position=3))
    assert result["score"] == result["max_score"]


def test_a_module_written_by_a_cell_can_be_imported(bench):
    notebook = bench.with_function(bench.notebook(STAGE), "elman_step", "from cells_of_mine import elman_step")
    notebook = bench.with_cell(notebook, "%%writefile cells_of_mine.py\nimport numpy as np\n" + next(
        cell.source for cell in bench.notebook(STAGE).cells if cell["id"] == "stub-elman_step"), position=1)
    assert lost(bench, STAGE, notebook)[0] == {}


def test_a_cell_that_loops_or_dies_keeps_the_other_definitions(bench):
    for source, words in [("while True: pass", "stopped after 1 s"), ("import os; os._exit(1)", "the process ended in this cell"),
                          ("import signal; signal.alarm(0)\nwhile True: pass", "stopped: the notebook ran longer than")]:
        notebook = bench.with_cell(bench.notebook(STAGE), source, position=5)
        questions, result = lost(bench, STAGE, notebook, {"cell_seconds": 1, "notebook_seconds": 2})
        assert questions == {} and f"Cell 6 stopped early: {words}" in result["message"], result["message"]


def test_threads_that_stay_alive_do_not_matter(bench):
    thread = "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,), daemon=True).start()"
    assert lost(bench, STAGE, bench.with_cell(bench.notebook(STAGE), thread))[0] == {}


def test_submission_deadline_holds(bench):
    notebook = bench.notebook(STAGE)
    for name in ("elman_step", "softmax", "cross_entropy", "lm_pairs"):
        notebook = bench.with_cell(notebook, f"def {name}(*arguments):\n    while True: pass")
    result = bench.grade(STAGE, notebook, {"call_seconds": 1, "submission_seconds": 4})
    assert result["status"] == "graded" and result["seconds"] < 8
    # What was asked before the time was up counts; public cases are asked before hidden ones.
    asked = result["questions"]["pad_sequences"]["cases"]
    assert all(c["status"] == "passed" for c in asked if not c["hidden"])
    assert any("s for the whole submission" in c["message"] for q in result["questions"].values() for c in q["cases"])


@pytest.mark.parametrize(("data", "words"), [
    (b"", "the file is empty"), (b'{"cells": [', "damaged at line"), (b"<<<<<<< HEAD\n{}", "damaged at line 1"),
    (b"[1, 2]", "cannot be read as a notebook"),
    (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}', "cannot be read as a notebook"),
])
def test_broken_files_are_ungradable_with_a_reason(bench, tmp_path, data, words):
    path = tmp_path / "homework.ipynb"
    path.write_bytes(data)
    result = bench.grade(STAGE, path)
    assert (result["status"], result["score"], result["max_score"]) == ("ungradable", 0, 40)
    assert words in result["message"] and "homework.ipynb" in result["message"]


def test_bom_crlf_latin1_and_old_formats_are_graded(bench, tmp_path):
    notebook = bench.notebook(STAGE)
    text = nbformat.writes(notebook)
    path = tmp_path / "odd.ipynb"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert bench.grade(STAGE, path)["score"] == 40
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell("caf\u00e9"))
    path.write_bytes(nbformat.writes(notebook).encode("latin-1", errors="ignore"))
    assert bench.grade(STAGE, path)["score"] == 40
    path.write_text(nbformat.writes(nbformat.convert(bench.notebook(STAGE), 3), version=3))
    assert bench.grade(STAGE, path)["score"] == 40


def test_the_order_of_grading_does_not_matter(bench):
    """State that a function keeps between cases does not reach the next case."""
    source = next(cell.source for cell in bench.notebook(STAGE).cells if cell["id"] == "stub-softmax")
    once = source.replace("def softmax(logits):", "calls = []\ndef softmax(logits):") + ""
    notebook = bench.with_function(bench.notebook(STAGE), "softmax", once.replace('"""\n', '"""\n    calls.append(1)\n', 1))
    first, second = bench.grade(STAGE, notebook), bench.grade(STAGE, notebook)
    assert scores(first) == scores(second) and first["score"] == 40
