"""Wrong answers as students write them: the misconception behind them is named, and nothing is named without reason."""

import runpy

import pytest
from conftest import ROOT, case

from autograder.strength.items import AnswerModule

STAGES = ["stage1_recurrence", "stage2_bptt", "stage3_clipping_and_gates"]


def variants(stage):
    """(name, question, expected misconception or None, cell) of every variant of a stage."""
    path = ROOT / "tests" / "variants" / f"{stage}.py"
    module, values = AnswerModule(ROOT, path), runpy.run_path(str(path))
    for name, value in values.items():
        if "__" in name and not name.startswith("_") and callable(value):
            kind, _, text = value.__doc__.partition("\n")[0].partition(": ")
            yield name, name.partition("__")[0], text if kind == "explained" else None, module.cell(name, name.partition("__")[0])


def named(bench, stage, question, cell):
    """The misconceptions that the result of a notebook with this answer names, and the result."""
    result = bench.grade(stage, bench.with_cell(bench.notebook(stage), cell), questions=[question])
    hints = [hint for known in result["questions"][question]["cases"] for hint in known["hints"]]
    assert all(hint["hint"] for hint in hints)
    return {hint["misconception"] for hint in hints}, result


@pytest.mark.parametrize("stage", STAGES)
def test_variants_are_explained_and_other_errors_are_not(bench, stage):
    exact, right, missed, invented, others = 0, [], [], [], 0
    for name, question, expected, cell in variants(stage):
        found, result = named(bench, stage, question, cell)
        assert result["questions"][question]["status"] != "full", name
        if expected is None:
            others += 1
            invented += [(name, found)] if found else []
        else:
            # What is named gave every answer that the variant gave: it is the right one or not to be told from it.
            (right if found else missed).append((name, expected))
            exact += found == {expected}
    print(f"{stage}: {len(right)} of {len(right) + len(missed)} explained ({exact} by the very one), {len(invented)} of {others} "
          f"others named; missed {missed}")
    assert not invented
    assert others >= 25 and len(right) >= 0.9 * (len(right) + len(missed)) and len(right) >= 25, missed


def test_hints_stand_at_the_cases_that_fail_for_that_reason(bench):
    source = """def elman_step(x, a_prev, params):
    return np.tanh(params["W_aa"].T.dot(a_prev) + params["W_ax"].dot(x) + params["b_a"])"""
    result = bench.grade("stage1_recurrence", bench.with_function(bench.notebook("stage1_recurrence"), "elman_step", source))
    shown = case(result, "elman_step/small_example")["hints"]
    assert shown[0]["misconception"] == "elman_step__transposed_recurrence" and "?" in shown[0]["hint"]
    assert not any(known["hints"] for known in result["questions"]["softmax"]["cases"])


def test_crashes_and_open_questions_are_not_diagnosed(bench):
    for body in ("import os; os._exit(1)", "raise NotImplementedError"):
        notebook = bench.with_function(bench.notebook("stage1_recurrence"), "softmax", f"def softmax(logits):\n    {body}")
        result = bench.grade("stage1_recurrence", notebook)
        assert not any(known["hints"] for known in result["questions"]["softmax"]["cases"])
