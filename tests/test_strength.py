"""`make check` and `make mutants` find what they are made to find, through the real grader."""

import shutil

import pytest
from conftest import ROOT

from autograder.course import Course, load_course
from autograder.strength import check, survivors
from autograder.strength.items import Item, alternatives, degenerate_answers, misconceptions
from autograder.strength.mutations import mutants, mutations
from autograder.strength.trials import try_items

STAGE = "stage1_recurrence"
RIGHT = "def elman_step(x, a_prev, params):\n    return np.tanh(params['W_aa'] @ a_prev + params['W_ax'] @ x + params['b_a'])"


@pytest.fixture(scope="module")
def course(released, tmp_path_factory):
    """The course with its own copy of the release, so that outcomes and the cache stay apart from the repository's."""
    root = tmp_path_factory.mktemp("course")
    for name in ("assignments", "solutions", "autograder", "grading_config.yaml"):
        (root / name).symlink_to(ROOT / name)
    (root / "tests").mkdir()
    (root / "tests" / "alternatives").symlink_to(ROOT / "tests" / "alternatives")
    shutil.copytree(released / "dist", root / "dist")
    return Course(root, load_course(ROOT).config)


def judged(course, monkeypatch, tmp_path, wrong=(), right=()):
    """The complaints of `make check` about one stage with only these items."""
    monkeypatch.setattr(check, "misconceptions", lambda course, stage: list(wrong))
    monkeypatch.setattr(check, "alternatives", lambda course, stage: list(right))
    monkeypatch.setattr(check, "degenerate_answers", lambda stage: [])
    return check.check_stage(course, course.stages[STAGE], 1, lambda results, count: results, tmp_path / "cache.json")[1]


def item(kind, name, source, expected=""):
    return Item(kind, "elman_step", f"elman_step__{name}", source, expected)


def test_a_misconception_that_keeps_its_points_is_reported(course, monkeypatch, tmp_path):
    complaints = judged(course, monkeypatch, tmp_path, [item("misconception", "right_after_all", RIGHT)])
    assert any("elman_step__right_after_all: keeps all hidden points" in complaint for complaint in complaints)


def test_a_misconception_that_costs_another_question_is_reported(course, monkeypatch, tmp_path):
    wrong_pairs = Item("misconception", "lm_pairs", "lm_pairs__none", "def lm_pairs(tokens, eos_id):\n    return None")
    assert not any("costs rnn_lm_loss" in c for c in judged(course, monkeypatch, tmp_path, [wrong_pairs]))
    monkeypatch.setattr(check, "callers", lambda stage, question: set())
    assert any("lm_pairs__none: costs rnn_lm_loss" in c for c in judged(course, monkeypatch, tmp_path, [wrong_pairs]))


@pytest.mark.parametrize(("expected", "source", "fits"), [
    ("accept", RIGHT, True), ("convert", RIGHT, False), ("reject", RIGHT, False),
    ("convert", RIGHT + "[:, None]", True), ("accept", RIGHT + "[:, None]", False),
    ("reject", RIGHT.replace("return ", "return np.matrix(") + ")", True), ("accept", RIGHT.replace("tanh", "sin"), False),
])
def test_alternatives_must_have_their_expected_outcome(course, monkeypatch, tmp_path, expected, source, fits):
    complaints = judged(course, monkeypatch, tmp_path, right=[item("alternative", "style", source, expected)])
    assert any(f"elman_step__style: expected {expected}" in complaint for complaint in complaints) != fits


@pytest.mark.parametrize(("hint", "words"), [
    ("", "missing or empty"), ("Use `W.T`.", "contains code"), ("Try np.tanh on it.", "contains code"),
    ("Is a = b there?", "contains code"), ("Look at params['W_aa'] @ a_prev again.", "contains code"),
])
def test_bad_hints_are_reported(course, monkeypatch, tmp_path, hint, words):
    texts = course.texts("en")
    monkeypatch.setitem(texts, "hints", {**texts["hints"], "elman_step__style": hint, "elman_step__gone": "No such thing?"})
    complaints = judged(course, monkeypatch, tmp_path, [item("misconception", "style", RIGHT.replace("tanh", "sin"))])
    assert any(f"hints.elman_step__style: {words}" in complaint for complaint in complaints)
    assert any("hints.elman_step__gone: no such misconception" in complaint for complaint in complaints)


def test_idle_cases_and_lopsided_questions_are_reported(course, monkeypatch, tmp_path):
    complaints = judged(course, monkeypatch, tmp_path, [item("misconception", "sine", RIGHT.replace("tanh", "sin"))])
    assert "elman_step: the public cases alone kill every misconception, so hidden points test nothing" in complaints
    assert "softmax: the public cases kill no misconception" in complaints
    assert any("stage1_recurrence/softmax/" in c and "kills no misconception" in c for c in complaints)
    assert "elman_step: 1 misconception(s); a question needs at least 2" in complaints


def test_outcomes_are_cached_by_content(course, tmp_path):
    items = [item("alternative", "right", RIGHT), item("alternative", "sine", RIGHT.replace("tanh", "sin"))]
    asked = []

    def progress(results, count):
        asked.append(count)
        return results

    first = try_items(course.root, STAGE, items, 1, progress, tmp_path / "cache.json")
    assert first["alternative elman_step__right"]["failed"] == [] and first["alternative elman_step__sine"]["failed"]
    changed = [items[0], item("alternative", "sine", RIGHT.replace("tanh", "cos"))]
    assert try_items(course.root, STAGE, items, 1, progress, tmp_path / "cache.json") == first
    try_items(course.root, STAGE, changed, 1, progress, tmp_path / "cache.json")
    assert asked == [2, 0, 1]
    (tmp_path / "cache.json").write_text("{broken")
    assert try_items(course.root, STAGE, items, 1, progress, tmp_path / "cache.json") == first


def test_every_stage_has_enough_items(course):
    for stage in course.stages.values():
        wrong, right = misconceptions(course, stage), alternatives(course, stage)
        for question in stage.questions:
            assert sum(i.question == question for i in wrong) >= 2, question
            assert sum(i.question == question and i.expected == "accept" for i in right) >= 2, question
        assert len(wrong) >= 5 * 7 and {i.expected for i in right} == {"accept", "convert", "reject"}
        assert len(degenerate_answers(stage)) == 4 * len(stage.questions)


def test_mutants_change_one_thing_each(course):
    import ast

    function = ast.parse('def f(x):\n    """Doc."""\n    total = 0\n    for i in range(3):\n        total += x[1:] @ x.T\n'
                         '    return -total if x > 1 and total else np.zeros(2)').body[0]
    found = dict(mutations(function))
    for label in ("x[1:] @ x.T -> x[1:] * x.T", "x > 1 -> x >= 1", "-total -> total", "x.T -> x", "np.zeros -> np.ones",
                  "x > 1 and total -> x > 1 or total", "total += x[1:] @ x.T -> nothing", "_[1:] -> _[:]", "3 -> 4"):
        assert label in found, sorted(found)
    assert all("Doc." not in source for source in found.values())
    names = [mutant.name for stage in course.stages.values() for mutant in mutants(stage)]
    assert len(names) == len(set(names)) > 200


def test_survivors_and_unneeded_cases_are_reported(course, monkeypatch, tmp_path):
    alive = Item("mutant", "elman_step", "elman_step: nothing changed", RIGHT)
    monkeypatch.setattr(survivors, "mutants", lambda stage: [alive])
    monkeypatch.setattr(survivors, "misconceptions", lambda course, stage: [])
    complaints = survivors.check_mutants(course, course.stages[STAGE], 1, lambda results, count: results, tmp_path / "c.json")[1]
    assert "mutant survives all hidden cases: elman_step: nothing changed" in complaints
    assert any(c.startswith("stage1_recurrence/elman_step/") and "nothing needs this hidden case" in c for c in complaints)
