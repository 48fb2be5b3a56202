"""Authored cases become Otter test files: authors' mistakes are named, nothing collides, nothing secret is needed to run them."""

import ast
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
HELPER = "def helper():\n    return 1\n\n\n"
CASE = '@test_case(name="right")\ndef right(ask):\n    ask.agrees(1)\n'
SETS = "sets name, points or OK_FORMAT; the build writes them from grading_config.yaml"
TEXTS = {"headline": "{question}: {title}", "asked": "  asked: {call}", "wrong": "  wrong: {what}"}


@pytest.fixture
def source(tmp_path):
    """Parses the text of a case file."""
    def parse(text, hidden=False, name="question.py"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return CaseSource(tmp_path / name, tmp_path, hidden)
    return parse


def assert_rejected(source, text, hidden, line, rule):
    with pytest.raises(CompositionError) as caught:
        source(text, hidden)
    assert str(caught.value).startswith(f"question.py:{line}: ") and rule in str(caught.value), str(caught.value)


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
    (HEAD + "points = [1]\n" + CASE, 5, SETS),
    (HEAD + CASE + "\nname = 'question'\n", 9, SETS),
    (HEAD + CASE + "\nOK_FORMAT = False\n", 9, SETS),
    (HEAD + "weights = points = [1]\n" + CASE, 5, SETS),
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
    (HEAD + CASE.replace("right", "right__side"), 6, "'right__side' has two underscores in a row"),
    (HEAD + CASE.replace("right", "__right"), 6, "'__right' has two underscores in a row"),
    (HEAD + CASE.replace("right", "right__"), 6, "'right__' has two underscores in a row"),
])
def test_what_breaks_the_rules_is_rejected_with_file_line_and_rule(source, text, line, rule):
    for hidden in (False, True):
        assert_rejected(source, text, hidden, line, rule)


@pytest.mark.parametrize(("text", "rule"), [
    (HEAD + CASE + "\n\n" + CASE, "11: two functions named 'right', the other in line 6"),
    (HEAD + HELPER + HELPER + CASE, "9: two functions named 'helper', the other in line 5"),
    (HEAD + HELPER.replace("helper", "right") + CASE, "10: two functions named 'right', the other in line 5"),
    (HEAD + CASE + "\n\n" + HELPER.replace("helper", "right"), "10: two functions named 'right', the other in line 6"),
    (HEAD + CASE.replace("ask.agrees(1)", "ask.agrees('caf\u00e9')"), "ASCII"),
    (HEAD + "# caf\u00e9\n" + CASE, "ASCII"),
    ("\ufeff" + HEAD + CASE, "ASCII"),
    (HEAD + CASE.replace("(ask):", "(ask)"), "line 6"),
])
def test_names_that_collide_and_files_that_are_no_ascii_python_are_rejected(source, text, rule):
    for hidden in (False, True):
        with pytest.raises(CompositionError) as caught:
            source(text, hidden)
        assert str(caught.value).startswith("question.py:") and rule in str(caught.value), str(caught.value)


@pytest.mark.parametrize("line", [
    "import numpy", "import numpy as n", "import numpy as np, os", "import numpy.linalg as np", "from numpy import linalg",
    "from numpy import *", "from .numpy import ones", "from . import numpy", "import otter", "import otter.test_files",
    "from otter.test_files import test_case as case", "from otter.test_files import TestCase", "from otter.test_files import *",
    "import os", "import numpyro", "import scipy", "from __future__ import annotations", "import solutions",
    f"from solutions.{STAGE} import {QUESTION}", "from autograder.grading.asking import Ask"])
def test_public_cases_import_numpy_as_np_and_test_case_only(source, line):
    assert_rejected(source, line + "\n" + HEAD + CASE, False, 1, f"{line!r}; a public file may hold only ")
    with pytest.raises(CompositionError) as caught:
        source(HEAD + line + "\n" + CASE)
    allowed = str(caught.value).split(" a public file may hold only ")[1]
    assert "import numpy as np" in allowed and "from otter.test_files import test_case" in allowed


@pytest.mark.parametrize("line", [
    "import numpy", "import numpy as np", "import numpy.linalg as la", "from numpy import linalg",
    "from numpy.linalg import norm", "import otter.test_files", "from otter.test_files import test_case", "import solutions",
    f"from solutions import {STAGE}",
    f"from solutions.{STAGE} import {QUESTION}", f"from solutions.{STAGE} import {QUESTION} as right_answer",
    f"import solutions.{STAGE}, numpy"])
def test_hidden_cases_may_import_references_as_well(source, line):
    assert source(line + "\n" + HEAD + CASE, hidden=True).names == ["right"]


@pytest.mark.parametrize(("line", "rule"), [
    ("import os", "imports 'os'; allowed: numpy, solutions, otter.test_files"),
    ("import numpy, scipy", "imports 'scipy'; allowed: numpy"),
    ("from numpyro import infer", "imports 'numpyro'"),
    ("import solution", "imports 'solution'"),
    (f"import solutions_of_{STAGE}", f"imports 'solutions_of_{STAGE}'"),
    ("import otter", "imports 'otter'"),
    ("from otter import test_files", "imports 'otter'"),
    ("import otter.test_files_and_more", "imports 'otter.test_files_and_more'"),
    ("from autograder.release import build", "imports 'autograder.release'"),
    ("from autograder.grading.asking import Ask", "imports 'autograder.grading.asking'"),
    ("from __future__ import annotations", "imports '__future__'"),
    ("from . import secrets", "imports '.'"),
    ("from .numpy import secrets", "imports '.numpy'"),
    (f"from ..solutions.{STAGE} import {QUESTION}", f"imports '..solutions.{STAGE}'"),
    ("from numpy import *", "imports *"),
    (f"from solutions.{STAGE} import *", "imports *"),
    ("from otter.test_files import *", "imports *"),
])
def test_hidden_cases_import_nothing_else(source, line, rule):
    assert_rejected(source, line + "\n" + HEAD + CASE, True, 1, rule)


@pytest.mark.parametrize("statement", [
    "import numpy", "import numpy as np", "from numpy import linalg", "from otter.test_files import test_case", "global kept",
    "nonlocal kept"])
def test_functions_import_nothing_and_keep_nothing(source, statement):
    for hidden in (False, True):
        for text, line in ((HEAD + HELPER.replace("return 1", statement) + CASE, 6),
                           (HEAD + CASE.replace("ask.agrees(1)", statement), 7),
                           (HEAD + CASE + f"    def inner():\n        {statement}\n", 9)):
            assert_rejected(source, text, hidden, line, f"{statement!r} inside a function; imports stand at the top")


@pytest.mark.parametrize("default", ["[]", "{}", "{1}", "set()", "dict()", "[1, 2]", "np.zeros(3)", "[n for n in (1, 2)]",
                                     "{n: 1 for n in (1, 2)}", "{n for n in (1, 2)}", "([], 1)"])
def test_mutable_defaults_are_rejected(source, default):
    for hidden in (False, True):
        for parameters in (f"kept={default}", f"kept={default}, /, n=1", f"n=1, *, kept={default}"):
            text = HEAD + HELPER.replace("helper()", f"helper({parameters})") + CASE
            assert_rejected(source, text, hidden, 5, "a default that keeps state between calls")
        text = HEAD + CASE + f"    f = lambda n, kept={default}: kept\n"
        assert_rejected(source, text, hidden, 8, "a default that keeps state between calls")


@pytest.mark.parametrize("default", ["None", "1", "-1.5", "'text'", "(1, 2)", "()", "np.inf", "abs"])
def test_other_defaults_are_accepted(source, default):
    for hidden in (False, True):
        source(HEAD + HELPER.replace("helper()", f"helper(n, given={default}, *, other={default})") + CASE, hidden)


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


def test_helpers_are_renamed_by_the_kind_of_their_file(source):
    text = "def value():\n    return 1\n" + case_that("first", requires("value() == 1"))
    stage = stage_of(source, text, text.replace("first", "second"))
    grader = compose(stage, QUESTION, [1.0, 1.0], setting_of(stage), "well done")
    case = f"{STAGE}/{QUESTION}/first"
    student = compose_released(stage, QUESTION, [1.0], setting_of(stage), "well done", {case: []}, {})
    for written, names in ((grader, {"public__value", "hidden__value"}), (student, {"public__value"})):
        functions = [node.name for node in ast.parse(written).body if isinstance(node, ast.FunctionDef)]
        assert {name for name in functions if name.endswith("value")} == names
        assert written.count("__value() == 1") == len(names)


def joined(value):
    return "; ".join(value) if isinstance(value, list) else str(value)


VALUE = "def value():\n    return 1\n\n\n"


@pytest.mark.parametrize("statements", [
    ["f = lambda given: value() + given", requires("f(2) == 3")],
    ["f = lambda given=value: given() + 2", requires("f() == 3")],
    [requires("use(3) == 3 and use(value) is value and use(value)() == 1")],
    [requires("[value() + other for other in (2,)] == [3]")],
    [requires("{'value': value() + 2}['value'] == 3")],
    [requires("dict(value=3)['value'] == 3")],
    [requires("named(given=value()) == 1")],
    ["ask.value = 3", requires("ask.value == 3 and value() == 1")],
    ["def inner(given):", "    return value() + given", requires("inner(2) == 3")],
    ["first, named_so = value(), 'value'", requires("first == 1 and named_so == 'val' + 'ue'")],
    [requires("f'{value()} value' == '1 value'")],
    ["n = 4", requires("f'value() {value()}{value():>{value() + 2}}' == 'value() 1  1'")],
    ["text = \"value()\" f'{value()}' 'value'", requires("text == 'value()1value'")],
    ['text = """', "value()", "  value() ", '"""', requires("text.count('value()') == 2")],
    ["both = (value() +", "        value())", requires("both == 2")],
    ["one = value(); two = value()", requires("one == two == 1")],
    ["# value() comes first", requires("value() == 1")],
    ['"""About value()."""', requires("value() == 1")],
    ["@np.vectorize", "def double(n):", "    return 2 * n", requires("list(double([1, 2])) == [2, 4]")],
], ids=joined)
def test_renaming_helpers_keeps_what_a_case_means(source, statements):
    helpers = VALUE + "def use(given):\n    return given\n\n\ndef named(given=0):\n    return given\n"
    text = helpers + case_that("first", *statements)
    for public, hidden in ((text, case_that("other", "pass")), (case_that("other", "pass"), text)):
        assert run(composed(stage_of(source, public, hidden), [1.0, 1.0])) == {"first": "", "other": ""}


@pytest.mark.parametrize(("statements", "line"), [
    (["value = 3"], 1),
    (["value: int = 3"], 1),
    (["value += 3"], 1),
    (["other, (value, *more) = 1, (2, 3)"], 1),
    (["other, *value = 1, 2"], 1),
    (["for value in (1, 2):", "    pass"], 1),
    (["with np.errstate() as value:", "    pass"], 1),
    (["try:", "    pass", "except ValueError as value:", "    pass"], 3),
    (["use((value := 3))"], 1),
    (["use([value for value in (1, 2)])"], 1),
    (["use(lambda value: value)"], 1),
    (["use(lambda *value: value)"], 1),
    (["use(lambda **value: value)"], 1),
    (["use(lambda *, value=1: value)"], 1),
    (["def inner(value):", "    return value"], 1),
    (["def inner():", "    value = 3"], 2),
    (["def value():", "    return 3"], 1),
    (["async def value():", "    return 3"], 1),
    (["class value:", "    pass"], 1),
    (["match 3:", "    case value:", "        pass"], 2),
    (["match 3:", "    case int() as value:", "        pass"], 2),
    (["match [3]:", "    case [*value]:", "        pass"], 2),
    (["match {}:", "    case {**value}:", "        pass"], 2),
], ids=joined)
def test_a_local_name_that_is_a_helpers_name_is_rejected(source, statements, line):
    body = "".join(f"    {statement}\n" for statement in statements)
    user = "\n\ndef use(given):\n" + body
    for hidden in (False, True):
        text = HEAD + VALUE + "def use(given):\n    return given\n" + case_that("first", *statements)
        place = text.splitlines().index("def first(ask):") + 1 + line
        assert_rejected(source, text, hidden, place, "'value' is a helper's name and a local name in 'first'; rename one")
        text = HEAD + VALUE + CASE + user
        place = text.splitlines().index("def use(given):") + 1 + line
        assert_rejected(source, text, hidden, place, "'value' is a helper's name and a local name in 'use'; rename one")


def test_a_helpers_own_parameter_and_a_case_of_its_own_name_are_no_exceptions(source):
    for hidden in (False, True):
        assert_rejected(source, HEAD + "def value(value):\n    return value\n\n\n" + CASE, hidden, 5, "a local name in 'value'")
        assert_rejected(source, HEAD + VALUE + "def ask():\n    return 1\n\n\n" + CASE, hidden, 14, "a local name in 'right'")


@pytest.mark.parametrize(("public", "hidden"), [
    (case_that("hidden_value", "pass"), "def value():\n    return 1\n" + case_that("second", requires("value() == 1"))),
    ("def value():\n    return 1\n" + case_that("first", requires("value() == 1")), case_that("public_value", "pass")),
    (case_that("hidden__value", "pass"), "def value():\n    return 1\n" + case_that("second", requires("value() == 1"))),
    ("def value():\n    return 1\n" + case_that("first", requires("value() == 1")), case_that("public__value", "pass")),
    ("def value():\n    return 1\n\n\ndef public__value():\n    return 2\n" + case_that("first", requires("value() == 1")),
     case_that("second", "pass")),
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


@pytest.mark.parametrize("text", [
    VALUE + '@test_case(name="first")\ndef first(ask): ask.requires(value() == 1, "wrong", what="it")\n',
    VALUE + '@test_case(name="first")\ndef first(ask):\n  ask.requires(value() == 1, "wrong", what="it")\n',
    VALUE.replace("    ", "\t") + '@test_case(name="first")\ndef first(ask):\n\task.requires(value() == 1, "wrong", what="it")\n',
    VALUE + '@test_case(name="first")\ndef first(\n    ask,\n):\n    ask.requires(value() == 1, "wrong", what="it")\n',
    "def value(): return 1\n" + case_that("first", requires("value() == 1")),
    "def  value():\n    return 1\n" + case_that("first", requires("value() == 1")),
    "def value(\n    n=1,\n):\n    return n\n" + case_that("first", requires("value() == 1")),
    VALUE + case_that("first", "text = 'a\x0cb'", requires("value() == 1 and len(text) == 3")),
], ids=["one line", "two spaces", "tabs", "parameter on its own line", "helper of one line", "wide def", "helper of more lines",
        "form feed"])
def test_other_layouts_are_either_refused_or_harmless(source, text):
    for public, hidden in ((text, case_that("other", "pass")), (case_that("other", "pass"), text)):
        try:
            stage = stage_of(source, public, hidden)
        except CompositionError:
            continue
        assert run(composed(stage, [1.0, 1.0])) == {"first": "", "other": ""}


def test_cases_get_ids_points_visibility_and_the_last_public_one_the_message(source):
    public = case_that("first", "pass") + case_that("second", "pass")
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


def assert_recorded(kept, value):
    """Equal in type, structure, dtype and shape, floats to twelve digits of the largest entry and all else exactly."""
    assert type(kept) is type(value)
    if isinstance(value, (float, np.ndarray)):
        first, second = np.asarray(kept), np.asarray(value)
        assert (first.dtype, first.shape) == (second.dtype, second.shape)
        if second.dtype.kind != "f":
            assert first.tobytes() == second.tobytes()
            return
        first, second = first.astype(float), second.astype(float)
        finite = np.isfinite(second)
        assert np.array_equal(first[~finite], second[~finite], equal_nan=True) and np.all(np.isfinite(first[finite]))
        limit = 5.1e-12 * np.max(np.abs(second[finite]), initial=0.0)
        assert np.all(np.abs(first[finite] - second[finite]) <= limit), (kept, value)
    elif isinstance(value, dict):
        assert list(kept) == list(value)
        for key in value:
            assert_recorded(kept[key], value[key])
    elif isinstance(value, (list, tuple)):
        assert len(kept) == len(value)
        for one, other in zip(kept, value, strict=True):
            assert_recorded(one, other)
    else:
        assert kept == value


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
def test_a_recorded_answer_survives(released_with, value):
    first, second = released_with([value, [value]])
    assert_recorded(first, value)
    assert_recorded(second, [value])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(width=64), max_size=6), st.lists(st.integers(-2**63, 2**63 - 1), max_size=4))
def test_recorded_floats_survive_to_twelve_digits_and_integers_exactly(released_with, floats, integers):
    values = [np.array(floats), np.array(integers, dtype=np.int64), floats, integers]
    for kept, value in zip(released_with(values), values, strict=True):
        assert_recorded(kept, value)


def test_the_last_bits_of_a_processor_are_not_recorded(released_with):
    for value in (0.1, -1.0, 2 / 3, 1e-9 / 3, 7e200, np.array([1 / 3, 2e-7, -5.0]), [0.7, (1 / 7,)]):
        nearby = [0.7 + 1e-16, (1 / 7 - 3e-17,)] if isinstance(value, list) else value * (1 + 4e-16)
        assert repr(released_with([value])) == repr(released_with([nearby]))


def test_numpy_numbers_are_recorded_by_value(released_with):
    values = [np.float64(0.1), np.int64(3), np.bool_(True), (np.float64("nan"), np.float64("-inf"))]
    kept = released_with(values)
    assert kept[:3] == values[:3] and kept[3][0] != kept[3][0] and kept[3][1] == -np.inf
    assert abs(released_with([np.float32(0.1)])[0] - float(np.float32(0.1))) <= 5.1e-13


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
    if isinstance(value, (tuple, list)):
        return type(value)(map(shifted, value))
    if isinstance(value, str):
        return value + "x"
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
