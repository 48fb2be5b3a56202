"""Authored cases become Otter test files: authors' mistakes are named, nothing collides, nothing secret is needed to run them."""

import json
import subprocess
import sys
import types
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from otter.test_files.exception_test import ExceptionTestFile

from autograder.config import load_config
from autograder.course import load_course
from autograder.release.composition import CaseSource, CompositionError, compose, compose_released

ROOT = Path(__file__).resolve().parents[1]
CONFIG = load_config(ROOT)
STAGE = next(iter(CONFIG.stages))
QUESTION = next(iter(CONFIG.stages[STAGE].questions))
HEAD = "import numpy as np\nfrom otter.test_files import test_case\n\n\n"
CASE = '@test_case(name="right")\ndef right(ask):\n    ask.agrees(1)\n'
TEXTS = {"headline": "{question}: {title}", "asked": "  asked: {call}", "wrong": "  wrong: {what}"}


@pytest.fixture
def source(tmp_path):
    """Parses the text of a case file."""
    def parse(text, hidden=False, name="question.py"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return CaseSource(tmp_path / name, tmp_path, hidden)
    return parse


# --- the rules for authors -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "line", "rule"), [
    (HEAD + "TOLERANCE = 1e-6\n" + CASE, 5, "module state"),
    (HEAD + "SIZES: list = [1, 2]\n" + CASE, 5, "module state"),
    (HEAD + "np.random.seed(1)\n" + CASE, 5, "module state"),
    (HEAD + "for i in range(3):\n    pass\n" + CASE, 5, "module state"),
    (HEAD + "class Helper:\n    pass\n" + CASE, 5, "module state"),
    (HEAD + "async def helper():\n    pass\n" + CASE, 5, "module state"),
    (HEAD + "if True:\n    points = [1]\n" + CASE, 5, "module state"),
    (HEAD + "helper = lambda: 1\n" + CASE, 5, "module state"),
    (HEAD + CASE + "\nright.points = 3\n", 9, "module state"),
    ('"""Cases."""\n' + HEAD + '"""A second text."""\n' + CASE, 6, "module state"),
    (HEAD + "points = [1]\n" + CASE, 5, "sets 'points'; the build writes it"),
    (HEAD + CASE + "\nname = 'question'\n", 9, "sets 'name'; the build writes it"),
    (HEAD + CASE + "\nOK_FORMAT = False\n", 9, "sets 'OK_FORMAT'; the build writes it"),
    (HEAD + "points, name = [1], 'question'\n" + CASE, 5, "module state"),
    (HEAD + "points: list = [1]\n" + CASE, 5, "module state"),
    (HEAD + CASE.replace('"right"', '"right", points=2'), 6, "test_case takes only name"),
    (HEAD + CASE.replace('"right"', '"right", hidden=True'), 6, "test_case takes only name"),
    (HEAD + CASE.replace('"right"', '"right", success_message="Good."'), 6, "test_case takes only name"),
    (HEAD + CASE.replace('name="right"', '**{"name": "right"}'), 6, "test_case takes only name"),
    (HEAD + CASE.replace('name="right"', ""), 6, "test_case takes only name"),
    (HEAD + CASE.replace('name="right"', '"right"'), 6, "one decorator @test_case(name=...)"),
    (HEAD + CASE.replace('name="right"', '*["right"]'), 6, "one decorator @test_case(name=...)"),
    (HEAD + CASE.replace('(name="right")', ""), 6, "one decorator @test_case(name=...)"),
    (HEAD + "@staticmethod\n" + CASE, 7, "one decorator @test_case(name=...)"),
    (HEAD + "@np.vectorize\ndef helper(x):\n    return x\n" + CASE, 6, "one decorator @test_case(name=...)"),
    (HEAD + CASE.replace("def right", "def wrong"), 6, "must have one name"),
    (HEAD + CASE.replace('"right"', '"ri" "ght" "s"'), 6, "must have one name"),
    (HEAD + CASE.replace('"right"', 'str("right")'), 6, "must have one name"),
    (HEAD + CASE.replace("(ask)", "(env)"), 6, "the one parameter ask"),
    (HEAD + CASE.replace("(ask)", "()"), 6, "the one parameter ask"),
    (HEAD + CASE.replace("(ask)", "(ask, env)"), 6, "the one parameter ask"),
    (HEAD + CASE.replace("(ask)", "(*ask)"), 6, "the one parameter ask"),
    (HEAD + CASE.replace("(ask)", "(ask, *more)"), 6, "the one parameter ask"),
    (HEAD + CASE.replace("(ask)", "(ask, **more)"), 6, "the one parameter ask"),
    (HEAD + CASE.replace("(ask)", "(ask, *, more=1)"), 6, "the one parameter ask"),
    (HEAD + CASE.replace("(ask)", "(env, /, ask)"), 6, "the one parameter ask"),
    ("import os\n" + HEAD + CASE, 1, "imports 'os'; allowed: numpy"),
    ("import numpy, scipy\n" + HEAD + CASE, 1, "imports 'scipy'; allowed: numpy"),
    ("from numpyro import infer\n" + HEAD + CASE, 1, "imports 'numpyro'"),
    ("from . import secrets\n" + HEAD + CASE, 1, "imports"),
    ("from .numpy import secrets\n" + HEAD + CASE, 1, "imports"),
    ("from numpy import *\n" + HEAD + CASE, 1, "imports"),
    ("import otter\n" + HEAD + CASE, 1, "imports 'otter'"),
    (f"from solutions.{STAGE} import {QUESTION}\n" + HEAD + CASE, 1, f"imports 'solutions.{STAGE}'"),
    ("from autograder.grading.asking import Ask\n" + HEAD + CASE, 1, "imports 'autograder.grading.asking'"),
])
def test_what_breaks_the_rules_is_rejected_with_file_line_and_rule(source, text, line, rule):
    with pytest.raises(CompositionError) as caught:
        source(text)
    assert str(caught.value).startswith(f"question.py:{line}: ") and rule in str(caught.value)


@pytest.mark.parametrize(("text", "rule"), [
    (HEAD + CASE + "\n\n" + CASE, "two cases named 'right'"),
    (HEAD + "def helper():\n    return 1\n\n\ndef helper():\n    return 2\n\n\n" + CASE, "two helpers named 'helper'"),
    (HEAD + "def right():\n    return 1\n\n\n" + CASE, "'right'"),
    (HEAD + CASE.replace("ask.agrees(1)", "ask.agrees('caf\u00e9')"), "ASCII"),
    (HEAD + "# caf\u00e9\n" + CASE, "ASCII"),
    ("\ufeff" + HEAD + CASE, "ASCII"),
    (HEAD + CASE.replace("(ask):", "(ask)"), "line 6"),
])
def test_names_that_collide_and_files_that_are_no_ascii_python_are_rejected(source, text, rule):
    with pytest.raises(CompositionError) as caught:
        source(text)
    assert str(caught.value).startswith("question.py:") and rule in str(caught.value)


def test_hidden_cases_may_import_references_and_nothing_else(source):
    source(f"from solutions.{STAGE} import {QUESTION}\n" + HEAD + CASE, hidden=True)
    for line in ("import os", "from autograder.release import build", "import solution"):
        with pytest.raises(CompositionError, match=r"question\.py:1: imports"):
            source(line + "\n" + HEAD + CASE, hidden=True)


def test_a_plain_file_is_accepted_in_its_own_order(source):
    second = CASE.replace("right", "left")
    text = '"""Cases."""\n' + HEAD + "def helper(n):\n    return n\n\n\n" + CASE + "\n\n" + second
    for hidden in (False, True):
        assert source(text, hidden).names == ["right", "left"]


# --- composed files ------------------------------------------------------------------------------------------------------


def stage_of(source, public, hidden):
    """A stage as `compose` needs it, with one question whose cases are these texts (their heads are added)."""
    pair = source(HEAD + public, False, "public.py"), source(HEAD + hidden, True, "hidden.py")
    return types.SimpleNamespace(name=STAGE, root=ROOT, cases={QUESTION: pair})


def setting_of(stage):
    titles = {f"{QUESTION}/{name}": f"about {name}" for part in stage.cases[QUESTION] for name in part.names}
    texts = {"checks": TEXTS, "cases": titles}
    return {"seed": 1, "tolerances": CONFIG.tolerances.model_dump(), "texts": texts, "parameters": ["x"]}


def composed(stage, points):
    text = compose(stage, QUESTION, points, setting_of(stage), "well done")
    return ExceptionTestFile.from_string(text, path="composed.py")


def run(file, function=lambda *args: None):
    file.run({QUESTION: function})
    results = file.test_case_results
    return {result.test_case.name.split("/")[-1]: "" if result.passed else result.message for result in results}


def case_that(name, *statements):
    return f'\n\n@test_case(name="{name}")\ndef {name}(ask):\n' + "".join(f"    {statement}\n" for statement in statements)


def requires(condition):
    return f"ask.requires({condition}, 'wrong', what='it')"


def test_helpers_of_equal_names_do_not_collide(source):
    public = "def value():\n    return inner() + 1\n\n\ndef inner():\n    return 0\n"
    public += case_that("first", requires("value() == 1"))
    hidden = "def inner():\n    return 10\n\n\ndef value():\n    return inner() + 2\n"
    hidden += case_that("second", requires("value() == 12"))
    assert run(composed(stage_of(source, public, hidden), [1.0, 2.0])) == {"first": "", "second": ""}
    failing = run(composed(stage_of(source, public.replace("== 1", "== 2"), hidden.replace("== 12", "== 1")), [1.0, 2.0]))
    assert f"{QUESTION}: about first\n  wrong: it" in failing["first"] and f"{QUESTION}: about second" in failing["second"]


@pytest.mark.parametrize("statements", [
    ["f = lambda value: value", requires("f(3) == 3")],
    [requires("use(3) == 3")],
    ["value = 3", requires("value == 3")],
    [requires("[value for value in (3,)] == [3]")],
    [requires("{'value': value() + 2}['value'] == 3")],
    [requires("dict(value=3)['value'] == 3")],
    [requires("named(value=3) == 3")],
    ["def value():", "    return 3", requires("value() == 3")],
    ["try:", "    raise ValueError(3)", "except ValueError as value:", "    " + requires("value.args == (3,)")],
    [requires("'value' == 'val' + 'ue'")],
])
def test_renaming_helpers_keeps_what_a_case_means(source, statements):
    helpers = "def value():\n    return 1\n\n\ndef use(value):\n    return value\n\n\ndef named(value=0):\n    return value\n"
    text = helpers + case_that("first", *statements)
    for public, hidden in ((text, case_that("other", "pass")), (case_that("other", "pass"), text)):
        assert run(composed(stage_of(source, public, hidden), [1.0, 1.0])) == {"first": "", "other": ""}


@pytest.mark.parametrize(("public", "hidden"), [
    (case_that("hidden_value", "pass"), "def value():\n    return 1\n" + case_that("second", requires("value() == 1"))),
    ("def value():\n    return 1\n" + case_that("first", requires("value() == 1")), case_that("public_value", "pass")),
    (case_that("first", "pass"), case_that("np", "pass")),
    (case_that("points", "pass"), case_that("second", "pass")),
    ("def test_case():\n    return 1\n" + case_that("first", requires("test_case() == 1")), case_that("second", "pass")),
    ("def Ask():\n    return 1\n" + case_that("first", requires("Ask() == 1")), case_that("second", "pass")),
])
def test_odd_names_are_either_refused_or_harmless(source, public, hidden):
    """Never a file that loads with all its cases but means something else."""
    try:
        file = composed(stage_of(source, public, hidden), [1.0, 1.0])
    except (CompositionError, ValueError, TypeError):
        return
    if len(file.test_cases) == 2:
        assert set(run(file).values()) == {""}


def test_cases_get_ids_points_visibility_and_the_last_public_one_the_message(source):
    public = case_that("first", "pass") + case_that("second", '"""Only a text."""')
    file = composed(stage_of(source, public, case_that("third", "pass")), [0.5, 0.25, 2.0])
    assert file.name == QUESTION and not file.all_or_nothing
    assert [(case.name, case.points, case.hidden, case.success_message) for case in file.test_cases] == [
        (f"{STAGE}/{QUESTION}/first", 0.5, False, None), (f"{STAGE}/{QUESTION}/second", 0.25, False, "well done"),
        (f"{STAGE}/{QUESTION}/third", 2.0, True, None)]


def test_every_case_resolves_its_function_first(source):
    texts = {"missing": "  {question} is missing", "misspelt": "  it is called {near}"}
    stage = stage_of(source, case_that("first", "pass"), case_that("second", "pass"))
    setting = setting_of(stage)
    setting["texts"]["checks"] = {**TEXTS, **texts}
    file = ExceptionTestFile.from_string(compose(stage, QUESTION, [1.0, 1.0], setting, "well done"), path="composed.py")
    for environment, words in (({}, f"{QUESTION} is missing"), ({QUESTION[:-1]: abs}, f"it is called {QUESTION[:-1]}")):
        file.run(environment)
        assert all(not result.passed and words in result.message for result in file.test_case_results)


def test_the_courses_files_load_through_stock_otter_with_the_configured_points(released, bundles):
    for stage, bundle in bundles.items():
        archive = zipfile.ZipFile(released / "dist" / f"{stage}.zip")
        solutions = load_course(ROOT).stages[stage].solutions
        assert list(bundle.questions) == list(CONFIG.stages[stage].questions)
        for question, cases in bundle.questions.items():
            file = ExceptionTestFile.from_string(archive.read(f"tests/{question}.py").decode(), path=f"{question}.py")
            assert file.name == question
            assert [(c.name, c.points, c.hidden) for c in file.test_cases] == [(c["id"], c["points"], c["hidden"]) for c in cases]
            assert sum(c.points for c in file.test_cases) == CONFIG.stages[stage].questions[question].points
            assert all((4 * c.points).is_integer() and c.points >= 0.25 for c in file.test_cases)
            spoken = [c.success_message for c in file.test_cases if c.success_message]
            hidden = sum(c.hidden for c in file.test_cases)
            assert spoken == [f"public checks passed; {hidden} hidden checks run at grading"]
            file.run({question: getattr(solutions, question)})
            assert [result.message for result in file.test_case_results if not result.passed] == []


# --- recorded answers ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def released_with(tmp_path_factory):
    """What a released file answers when these values were recorded for its only case."""
    folder = tmp_path_factory.mktemp("cases")

    def parse(text, hidden, name):
        (folder / name).write_text(text)
        return CaseSource(folder / name, folder, hidden)

    stage = stage_of(parse, case_that("first", "pass"), case_that("second", "pass"))

    def answers(values):
        case = f"{STAGE}/{QUESTION}/first"
        text = compose_released(stage, QUESTION, [1.0], setting_of(stage), "well done", {case: values}, {})
        text.encode("ascii")
        namespace = {}
        exec(compile(text, "released.py", "exec"), namespace)
        oracle = namespace["SETTING"]["oracle"](case)
        return [oracle(None) for _ in values]
    return answers


def assert_same(first, second):
    """Equal in type, structure, dtype, shape and every bit."""
    assert type(first) is type(second)
    if isinstance(first, np.ndarray):
        assert (first.dtype, first.shape, first.tobytes()) == (second.dtype, second.shape, second.tobytes())
    elif isinstance(first, dict):
        assert list(first) == list(second)
        for key in first:
            assert_same(first[key], second[key])
    elif isinstance(first, (list, tuple)):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            assert_same(one, other)
    elif isinstance(first, float):
        assert np.float64(first).tobytes() == np.float64(second).tobytes()
    else:
        assert first == second


VALUES = [
    0.1, -0.0, 1e-310, 5e-324, float("inf"), -float("inf"), float("nan"), 2**70, -3, True, False, None,
    "text 'with' \"quotes\" \\",
    "caf\u00e9", (), (1,), [], {}, {"W": np.ones((2, 2)), "b": [0.1, (2, None)]}, {0: 1.5, (1, 2): "x"},
    np.array([0.1, -0.0, np.nan, np.inf, -np.inf, 5e-324]), np.array(0.3), np.array(True), np.zeros(0), np.zeros((0, 3)),
    np.zeros((3, 0, 2)),
    np.array([True, False]), np.zeros((0, 2), dtype=bool), np.arange(6).reshape(2, 3), np.array([-1, 127], dtype=np.int8),
    np.array([2**64 - 1], dtype=np.uint64), np.array([0.1, 1e-8], dtype=np.float32), np.array([0.1], dtype=np.float16),
    np.array([1.5], dtype=">f8"), np.array([1 + 2j]),
    (np.zeros((0, 2)), {"mask": np.array([[True], [False]])}, [np.array(2, dtype=np.int32), "a"]),
]


@pytest.mark.parametrize("value", VALUES, ids=[f"{number}" for number in range(len(VALUES))])
def test_a_recorded_answer_survives_exactly(released_with, value):
    first, second = released_with([value, [value]])
    assert_same(first, value)
    assert_same(second, [value])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(width=64), max_size=6), st.lists(st.integers(-2**63, 2**63 - 1), max_size=4))
def test_recorded_floats_and_integers_survive_bit_for_bit(released_with, floats, integers):
    values = [np.array(floats), np.array(integers, dtype=np.int64), [abs(f) if f != f else f for f in floats], integers]
    values[0] = np.where(np.isnan(values[0]), np.nan, values[0])
    for kept, value in zip(released_with(values), values, strict=True):
        assert_same(kept, value)


def test_numpy_numbers_are_recorded_by_value(released_with):
    values = [np.float64(0.1), np.float32(0.1), np.int64(3), np.bool_(True), (np.float64("nan"), np.float64("-inf"))]
    kept = released_with(values)
    assert kept[:4] == values[:4] and kept[4][0] != kept[4][0] and kept[4][1] == -np.inf


# --- released files, alone -----------------------------------------------------------------------------------------------

ALONE = """
import importlib.util, json, sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in getattr(finder, "__module__", "").lower()]
from pathlib import Path
import numpy as np
from otter.test_files.exception_test import ExceptionTestFile

assert not any(importlib.util.find_spec(name) for name in ("autograder", "solutions"))


def shifted(value):
    if isinstance(value, dict):
        return {key: shifted(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(map(shifted, value))
    value = np.asarray(value)
    return ~value if value.dtype == bool else value + 1


def functions(notebook):
    namespace = {"np": np}
    for cell in json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]:
        if cell["id"].startswith(("stub-", "provided-")):
            exec(cell["source"], namespace)
    return namespace


found = []
for tests, solved, stubs in json.loads(sys.stdin.read()):
    right, untouched = functions(solved), functions(stubs)
    for path in sorted(Path(tests).glob("*.py")):
        name = path.stem
        environments = {"right": right, "stub": untouched, "none": {name: lambda *args: None},
                        "shifted": {name: lambda *args: shifted(right[name](*args))}, "missing": {}}
        for kind, environment in environments.items():
            file = ExceptionTestFile.from_file(str(path))
            file.run(environment)
            found += [(kind, result.test_case.name, result.passed, result.message) for result in file.test_case_results]
assert not {name.split(".")[0] for name in sys.modules} & {"autograder", "solutions"}
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def alone(released, tmp_path_factory):
    """{kind of answer: [(case id, passed, message)]} of all released files, in a process that knows nothing of the pack."""
    stages = [[str(folder / "tests"), str(released / "dist" / "solved" / folder.parent.name / f"{folder.name}.ipynb"),
               str(folder / f"{folder.name}.ipynb")] for folder in sorted((released / "student_release").glob("*/*"))]
    assert stages
    answer = subprocess.run([sys.executable, "-I", "-c", ALONE], input=json.dumps(stages), capture_output=True, text=True,
                            cwd=tmp_path_factory.mktemp("elsewhere"), timeout=60)
    assert answer.returncode == 0, answer.stderr
    found = {}
    for kind, *entry in json.loads(answer.stdout):
        found.setdefault(kind, []).append(entry)
    return found


def test_released_files_accept_the_reference_alone(alone, bundles):
    assert [entry for entry in alone["right"] if not entry[1]] == []
    cases = [case for bundle in bundles.values() for listed in bundle.questions.values() for case in listed]
    assert {entry[0] for entry in alone["right"]} == {case["id"] for case in cases if not case["hidden"]}


@pytest.mark.parametrize("kind", ["none", "shifted"])
def test_released_files_explain_a_wrong_answer_alone(alone, kind):
    for case, passed, message in alone[kind]:
        question = case.split("/")[1]
        assert not passed, case
        assert f"{question}: " in message and f"asked:    {question}(" in message and "got:      " in message, message
        assert "autograder" not in message and "solutions" not in message
        assert kind == "none" or "expected" in message or "every entry is" in message, message
        assert kind == "shifted" or "is None" in message, message


def test_released_files_tell_stubs_and_missing_functions_apart(alone):
    for case, passed, message in alone["stub"]:
        assert not passed and f"`{case.split('/')[1]}` still raises NotImplementedError: not attempted yet" in message
    for case, passed, message in alone["missing"]:
        assert not passed and f"`{case.split('/')[1]}` is not defined in your notebook" in message


def test_released_files_hold_public_cases_only(released, bundles):
    for stage, bundle in bundles.items():
        for question, cases in bundle.questions.items():
            text = (released / "student_release" / bundle.data["language"] / stage / "tests" / f"{question}.py").read_text()
            text.encode("ascii")
            for case in cases:
                name = case["id"].split("/")[-1]
                found = {words in text for words in (f"'{case['id']}'", f"'{question}/{name}'", f"\ndef {name}(env)")}
                assert found == {not case["hidden"]}, case
            assert "HiddenAsk" not in text and "import autograder" not in text and "REFERENCE" not in text
            file = ExceptionTestFile.from_string(text, path=f"{question}.py")
            assert [c.points for c in file.test_cases] == [case["points"] for case in cases if not case["hidden"]]
