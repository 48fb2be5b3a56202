"""What a case asks and what its reader is told: every way of being wrong, and every way of being right, one row each."""

import collections
import dataclasses
import types
from pathlib import Path

import numpy as np
import pytest
import yaml

from autograder.config import load_config
from autograder.grading.asking import Ask, CaseFailed, computed, recorded
from autograder.grading.differences import HiddenAsk, central_differences

ROOT = Path(__file__).resolve().parents[1]
TEXTS = yaml.safe_load((ROOT / "assignments" / "messages.en.yaml").read_text(encoding="utf-8"))["checks"]
TOLERANCES = load_config(ROOT).tolerances.model_dump()
X = np.array([[1.0, -2.0, 0.5], [4.0, 3.0, -1.5]])
SQUARE = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, -6.0], [7.0, 8.0, 9.5]])
VECTOR = np.array([0.5, -1.0, 2.0])
PARAMS = {"W": np.array([[0.5, -0.3, 0.8], [-0.2, 0.9, 0.4]]), "b": np.array([0.1, -0.6])}


def ask(function, reference, parameters=("x",), kind=Ask, case="stage/question/a_case", seed=7, **setting):
    """One case's Ask about `function`, which the notebook calls `question`."""
    env = function if isinstance(function, dict) else {"question": function}
    texts = {"checks": TEXTS, "cases": {"question/a_case": "what the case is about"}}
    return kind(env, case, {"seed": seed, "tolerances": TOLERANCES, "texts": texts, "parameters": list(parameters),
                            "reference": reference, "oracle": computed, **setting})


def message_of(attempt, *arguments, **options):
    """The message of a case that must fail, after what holds for every message was checked."""
    with pytest.raises(CaseFailed) as caught:
        attempt(*arguments, **options)
    text = str(caught.value)
    first, second, *rest = text.split("\n")
    assert first == "question: what the case is about"
    assert second.startswith("  asked:    question(") and second.endswith(")") and " = " in second, text
    assert rest and all(line.startswith("  ") for line in rest), text
    assert "got:      " in text or "not attempted" in text, text
    assert not any(word in text for word in ("Traceback", "{where}", "{got}", "autograder", "reference", "remark")), text
    return text


def double(x):
    return 2 * x


def two(x):
    return x + 1, np.sum(x, axis=0)


def loss_and_gradients(x):
    return float(np.sum(x * x)), {"W": 2 * x, "b": np.sum(x, axis=0)}


def positive(x):
    return x > 0


def order(x):
    return np.argsort(x, axis=-1)


def size(x):
    return int(x.size)


def sign(x):
    return "positive" if np.sum(x) > 0 else "negative"


def vector_only(x):
    if x.ndim != 1:
        raise ValueError("x: one axis")
    return 2 * x


def changed(function, index, value):
    def wrong(x):
        result = function(x)
        result[index] = value
        return result
    return wrong


def raising(error):
    def function(x):
        raise error
    return function


def recursing(x):
    return recursing(x)


def with_gradients(**gradients):
    return lambda x: (loss_and_gradients(x)[0], {**loss_and_gradients(x)[1], **gradients})


ASKED = "question(x = float64 (2, 3) [[ 1. , -2. ,  0.5], [ 4. ,  3. , -1.5]])"
WRONG = {
    "None": (double, lambda x: None, X, ["the result is None", "return line"]),
    "a string": (double, lambda x: "abc", X, ["expected: the result as a numpy array", "got:      str"]),
    "a dict": (double, lambda x: {"y": 2 * x}, X, ["expected: the result as a numpy array", "got:      dict"]),
    "a function": (double, lambda x: double, X, ["the result is a function", "plain numpy arrays"]),
    "a generator": (double, lambda x: (2 * row for row in x), X, ["the result is a generator"]),
    "too narrow": (double, lambda x: 2 * x[:, :2], X, ["expected: the result has shape (2, 3)", "got:      shape (2, 2)"]),
    "not square, transposed": (double, lambda x: 2 * x.T, X, ["has shape (2, 3)", "shape (3, 2)",
                                                              "note:     the values are right, their arrangement is not"]),
    "in one row": (double, lambda x: 2 * x.ravel(), X, ["has shape (2, 3)", "shape (6,)", "the values are right"]),
    "one number": (double, lambda x: 3.5, X, ["has shape (2, 3)", "shape ()"]),
    "empty": (double, lambda x: np.zeros((0, 3)), X, ["has shape (2, 3)", "shape (0, 3)"]),
    "column of columns": (double, lambda x: 2 * np.stack([x, x], axis=-1), X, ["has shape (2, 3)", "shape (2, 3, 2)"]),
    "nan": (double, changed(double, (0, slice(1, 3)), np.nan), X,
            ["the result has 2 of 6 entries that are not finite", "index (0, 1)", "nan", "expected -4"]),
    "inf": (double, changed(double, (1, 2), -np.inf), X, ["1 of 6 entries", "index (1, 2)", "-inf", "expected -3"]),
    "one entry": (double, changed(double, (1, 0), 7.25), X, ["the result of shape (2, 3) differs in 1 of 6 entries",
                                                             "first at index (1, 0)", "expected: 8", "got:      7.25"]),
    "one entry of a vector": (double, changed(double, 2, 5.0), VECTOR,
                              ["shape (3,)", "at index 2", "expected: 4", "got:      5"]),
    "just above the tolerance": (double, changed(double, (0, 2), 1.0 + 9e-5), X, ["1 of 6 entries", "index (0, 2)"]),
    "a number": (size, lambda x: 7, X, ["expected: the result is 6", "got:      7"]),
    "a text": (sign, lambda x: "negative", X, ["expected: the result is 'positive'", "got:      'negative'"]),
    "a number for a text": (sign, lambda x: 1, X, ["expected: the result as a string", "got:      int"]),
    "inf expected": (lambda x: np.where(x == 0.5, np.inf, x), lambda x: x, VECTOR, ["index 0", "expected: inf", "got:      0.5"]),
    "nan expected": (lambda x: np.where(x < 0, np.nan, x), abs, VECTOR, ["index 1", "expected: nan", "got:      1"]),
    "transposed": (double, lambda x: 2 * x.T, SQUARE, ["differs in 6 of 9", "index (0, 1)", "transpose of the expected"]),
    "half of it": (double, lambda x: x, X, ["differs in 6 of 6", "every entry is 0.5 times the expected"]),
    "the negative": (double, lambda x: -2 * x, X, ["every entry is -1 times the expected"]),
    "swapped": (two, lambda x: two(x)[::-1], X, ["two results in the wrong order"]),
    "swapped, of one shape": (lambda x: (x + 1, 3 * x), lambda x: (3 * x, x + 1), X, ["two results in the wrong order"]),
    "three results": (two, lambda x: (*two(x), 1.0), X, ["expected: 2 results", "got:      3"]),
    "one result": (two, lambda x: 4.0, X, ["expected: the result as 2 results", "got:      float"]),
    "second result wrong": (two, lambda x: (x + 1, np.sum(x, axis=0) + [0, 1, 0]), X,
                            ["the result[1] of shape (3,)", "at index 1", "expected: 1", "got:      2"]),
    "second result None": (two, lambda x: (x + 1, None), X, ["the result[1] is None"]),
    "no dict": (loss_and_gradients, lambda x: (loss_and_gradients(x)[0], 2 * x), X,
                ["expected: the result[1] as a dict", "got:      ndarray"]),
    "missing key": (loss_and_gradients, lambda x: (loss_and_gradients(x)[0], {"W": 2 * x, "c": 0.0}), X,
                    ["expected: the result[1] has the key 'b'", "got:      keys 'W', 'c'"]),
    "wrong gradient": (loss_and_gradients, with_gradients(b=np.ones(3)), X, ["the result[1]['b'] of shape (3,)", "at index 0",
                                                                            "expected: 5", "got:      1"]),
    "gradient of wrong shape": (loss_and_gradients, with_gradients(b=np.ones(2)), X,
                                ["the result[1]['b'] has shape (3,)", "(2,)"]),
    "ragged rows": (double, lambda x: [[1.0, 2.0], [3.0]], X, ["the result cannot be read as an array", "rows differ in length"]),
    "ragged arrays": (double, lambda x: [np.ones(3), np.ones(2)], X, ["the result cannot be read as an array"]),
    "object array": (double, lambda x: (2 * x).astype(object), X, ["the result is a numpy array of dtype object"]),
    "array of texts": (double, lambda x: (2 * x).astype(str), X, ["the result is a numpy array of dtype <U"]),
    "list with None": (double, lambda x: [1.0, None], X, ["of dtype object", "plain numpy arrays"]),
    "matrix": (double, lambda x: np.matrix(2 * x), X, ["the result is a numpy.matrix", "np.asarray"]),
    "masked array": (double, lambda x: np.ma.masked_array(2 * x), X, ["the result is a numpy.ma", "MaskedArray"]),
    "huge whole number": (size, lambda x: 2**70, X, ["of dtype object"]),
    "complex": (double, lambda x: 2 * x + 1j, X, ["the result has an imaginary part"]),
    "mask inverted": (positive, lambda x: x <= 0, X, ["differs in 6 of 6", "index (0, 0)", "expected: True", "got:      False"]),
    "exception": (double, raising(KeyError("W_xx")), X, ["your function raised KeyError: 'W_xx' (line "]),
    "exception with braces": (double, raising(RuntimeError("a {brace}")), X, ["your function raised RuntimeError: a {brace}"]),
    "exception without text": (double, raising(AssertionError()), X, ["your function raised AssertionError (line "]),
    "ValueError": (double, raising(ValueError("x")), X, ["your function raised ValueError: x"]),
    "SystemExit": (double, raising(SystemExit(0)), X, ["your function raised SystemExit: 0"]),
    "GeneratorExit": (double, raising(GeneratorExit()), X, ["your function raised GeneratorExit"]),
    "endless recursion": (double, recursing, X, ["your function raised RecursionError"]),
    "too few parameters": (double, lambda: 0, X, ["your function raised TypeError", "positional argument"]),
    "stub": (double, raising(NotImplementedError("question")), X,
             ["`question` still raises NotImplementedError", "not attempted yet"]),
}


@pytest.mark.parametrize("row", WRONG)
def test_a_wrong_answer_gets_a_message_that_stands_alone(row):
    reference, learner, x, words = WRONG[row]
    for method in ("agrees", "has_types_and_shapes", "keeps_arguments"):
        text = message_of(getattr(ask(learner, reference), method), x)
        assert all(word in text for word in words), text
        assert ASKED in text or x is not X


def test_remarks_are_made_where_they_hold_only():
    def text(reference, learner, x, names=("x",)):
        return message_of(ask(learner, reference, names).agrees, x)

    for learner in (lambda x: x.T, lambda x: 2 * x[:, :2], lambda x: 2 * np.stack([x, x]), lambda x: 2 * x.T + np.eye(3, 2)):
        assert "note:" not in text(double, learner, X)
    assert "every entry is 0.5 times the expected one (2 = x.shape[0])" in text(double, lambda x: x, X)
    assert "every entry is 3 times the expected one (3 = x.shape[1])" in text(double, lambda x: 6 * x, X)
    assert "every entry is 0.3333 times the expected one (3 = x.shape[0])" in text(double, lambda x: 2 * x / 3, SQUARE)
    assert "every entry is 5 times the expected one." in text(double, lambda x: 10 * x, X)
    items = [1.0, 2.0, 4.0, 5.0]
    assert "0.25 times the expected one (4 = len(items))" in text(np.array, lambda x: np.array(x) / 4, items, ["items"])
    assert "note:" not in text(order, lambda x: 2 * order(x), X)
    assert "note:" not in text(lambda x: float(x.sum()), lambda x: 2.0 * x.sum(), X)


def test_a_mask_of_other_numbers_than_0_and_1_is_wrong():
    assert "expected: True\n  got:      255" in message_of(ask(lambda x: np.where(x > 0, 255, 0), positive).agrees, X)


Pair = collections.namedtuple("Pair", "first second")


@dataclasses.dataclass
class Result:
    states: np.ndarray
    total: np.ndarray


RIGHT = {
    "itself": (double, double, X),
    "list of rows": (double, lambda x: (2 * x).tolist(), X),
    "list of arrays": (double, lambda x: list(2 * x), X),
    "tuple of rows": (double, lambda x: tuple(map(tuple, 2 * x)), X),
    "float32": (double, lambda x: (2 * x).astype(np.float32), X),
    "float32 inside": (lambda x: np.exp(x), lambda x: np.exp(x.astype(np.float32)), X),
    "Fortran order": (double, lambda x: np.asfortranarray(2 * x), X),
    "a view": (double, lambda x: np.concatenate([2 * x, x])[:2], X),
    "whole numbers": (double, lambda x: (2 * x).astype(int), X),
    "complex with imaginary part 0": (double, lambda x: 2 * x + 0j, X),
    "rounding": (double, lambda x: 2 * x * (1 + 3e-6), X),
    "rounding of small entries": (double, lambda x: 2 * x + 4e-5, X),
    "number without axes": (size, lambda x: np.array(6), X),
    "numpy number": (size, lambda x: np.int16(6), X),
    "text": (sign, lambda x: "positive", X),
    "list for two results": (two, lambda x: list(two(x)), X),
    "named tuple": (two, lambda x: Pair(*two(x)), X),
    "dataclass": (two, lambda x: Result(*two(x)), X),
    "one array for two results": (lambda x: (x + 1, 3 * x), lambda x: np.stack([x + 1, 3 * x]), X),
    "more keys": (loss_and_gradients, with_gradients(a=1.0, z=3 * X), X),
    "more keys of any kind": (loss_and_gradients, with_gradients(cache=None, o=object(), t=["a"], r=[X, VECTOR]), X),
    "another mapping": (loss_and_gradients, lambda x: (loss_and_gradients(x)[0], types.MappingProxyType({"W": 2 * x,
                        "b": np.sum(x, axis=0)})), X),
    "mask": (positive, lambda x: (x > 0).tolist(), X),
    "nan where nan belongs": (lambda x: np.where(x < 0, np.nan, x), lambda x: np.where(x < 0, np.nan, x), X),
    "inf where inf belongs": (lambda x: np.where(x < 0, -np.inf, x), lambda x: np.where(x < 0, -np.inf, x), X),
    "no entries": (lambda x: x[:0], lambda x: x[:0].tolist() or np.zeros((0, 3)), X),
}


@pytest.mark.parametrize("row", RIGHT)
def test_a_right_answer_is_accepted_in_every_kind_of_case(row):
    reference, learner, x = RIGHT[row]
    asked = ask(learner, reference)
    asked.agrees(x)
    asked.has_types_and_shapes(x)
    asked.keeps_arguments(x)
    asked.keeps_no_state((x,), (x,))
    asked.refuses(valid=(x,))


STRICT = {  # wrong in has_types_and_shapes, right everywhere else
    "column": (double, lambda x: 2 * x[:, None], VECTOR, ["has shape (3,)", "shape (3, 1)", "axis of length one"]),
    "row": (double, lambda x: 2 * x[None], VECTOR, ["has shape (3,)", "shape (1, 3)", "axis of length one"]),
    "number in brackets": (size, lambda x: [6], X, ["has shape ()", "shape (1,)", "axis of length one"]),
    "column in a dict": (loss_and_gradients, with_gradients(b=np.sum(X, axis=0)[:, None]), X,
                         ["the result[1]['b'] has shape (3,)", "shape (3, 1)"]),
    "mask of 0 and 1": (positive, lambda x: (x > 0).astype(int), X, ["bool array", "int64"]),
    "mask of 0.0 and 1.0": (positive, lambda x: (x > 0).astype(float), X, ["bool array", "float64"]),
    "float for whole number": (size, lambda x: 6.0, X, ["integers", "float64"]),
    "float ids": (order, lambda x: np.argsort(x, axis=-1).astype(float), X, ["integers", "float64"]),
    "mask for ids": (lambda x: (x > 0).astype(int), positive, X, ["integers", "bool"]),
}


@pytest.mark.parametrize("row", STRICT)
def test_types_and_shapes_are_a_case_of_their_own(row):
    reference, learner, x, words = STRICT[row]
    ask(learner, reference).agrees(x)
    ask(learner, reference).keeps_arguments(x)
    text = message_of(ask(learner, reference).has_types_and_shapes, x)
    assert all(word in text for word in words), text
    ask(reference, reference).has_types_and_shapes(x)


def in_place(x):
    x *= 2
    return x


def layer(x, params):
    return np.tanh(params["W"] @ x + params["b"])


def layer_that(change):
    def learner(x, params):
        result = layer(x, params)
        change(params)
        return result
    return learner


def scaling_its_row(params):
    params["W"][1, 2] = -7.0


def total(items):
    return float(sum(map(sum, items)))


def total_that(change):
    def learner(items):
        result = total(items)
        change(items)
        return result
    return learner


ITEMS = [[1, 2], [3], [5, 8]]
CHANGES = {
    "array": (double, in_place, ["x"], (VECTOR,), ["its argument `x`", "index (0,) from 0.5 to 1"]),
    "matrix": (double, in_place, ["x"], (X,), ["its argument `x`", "index (0, 0) from 1 to 2"]),
    "array in a dict": (layer, layer_that(scaling_its_row), ["x", "params"], (VECTOR, PARAMS),
                        ["its argument `params`", "['W'] at index (1, 2) from 0.4 to -7"]),
    "new key": (layer, layer_that(lambda p: p.update(cache=1)), ["x", "params"], (VECTOR, PARAMS), ["`params`", "'cache': 1"]),
    "removed key": (layer, layer_that(lambda p: p.pop("b")), ["x", "params"], (VECTOR, PARAMS), ["`params`", "['b'] removed"]),
    "other shape": (layer, layer_that(lambda p: p.update(b=p["b"][:, None])), ["x", "params"], (VECTOR, PARAMS),
                    ["`params`", "['b'] from float64 (2,)", "to float64 (2, 1)"]),
    "other type": (layer, layer_that(lambda p: p.update(b=p["b"].tolist())), ["x", "params"], (VECTOR, PARAMS),
                   ["['b'] from float64"]),
    "list": (total, total_that(lambda items: items.reverse()), ["items"], (ITEMS,), ["its argument `items`: [0]", "from 1 to 5"]),
    "longer list": (total, total_that(lambda items: items.append([0])), ["items"], (ITEMS,),
                    ["its argument `items`: from [[1, 2], [3], [5, 8]] to [[1, 2], [3], [5, 8], [0]]"]),
    "shorter list in a list": (total, total_that(lambda items: items[2].pop()), ["items"], (ITEMS,),
                               ["its argument `items`: [2] from [5, 8] to [5]"]),
    "list that became a tuple": (total, total_that(lambda items: items.insert(0, tuple(items.pop(0)))), ["items"], (ITEMS,),
                                 ["its argument `items`: [0]", "from [1, 2] to (1, 2)"]),
    "array in a tuple": (lambda pair: pair[0] + pair[1], lambda pair: pair[0] + in_place(pair[1]) / 2, ["pair"],
                         ((VECTOR, VECTOR + 1),), ["its argument `pair`: [1] at index (0,) from 1.5 to 3"]),
    "other order of keys": (layer, layer_that(lambda p: p.update(W=p.pop("W"))), ["x", "params"], (VECTOR, PARAMS),
                            ["its argument `params`: from {'W': ", " to {'b': "]),
    "list in a list": (total, total_that(lambda items: items[1].append(0)), ["items"], (ITEMS,),
                       ["its argument `items`: [1] from [3] to [3, 0]"]),
    "sign of zero": (lambda x: x + 1, lambda x: x.__imul__(-1) * -1 + 1, ["x"], (np.zeros(2),), ["`x`"]),
}


@pytest.mark.parametrize("row", CHANGES)
def test_a_changed_argument_costs_its_own_case_only(row):
    reference, learner, parameters, args, words = CHANGES[row]
    ask(learner, reference, parameters).agrees(*args)
    ask(learner, reference, parameters).keeps_no_state(args, args)
    text = message_of(ask(learner, reference, parameters).keeps_arguments, *args)
    assert "the right answer, but the call changed its argument" in text and all(word in text for word in words), text
    ask(reference, reference, parameters).keeps_arguments(*args)


def test_the_callers_arguments_and_the_reference_never_see_a_change():
    before = {"x": X.copy(), "params": {name: array.copy() for name, array in PARAMS.items()}}
    seen = []
    asked = ask(layer_that(lambda p: p.clear()), lambda *args: seen.append(args) or layer(*args), ["x", "params"])
    for _ in range(3):
        asked.agrees(VECTOR, PARAMS)
    assert all(np.array_equal(args[1]["W"], before["params"]["W"]) for args in seen) and set(PARAMS) == {"W", "b"}
    for learner, reference in ((in_place, double), (double, in_place), (in_place, in_place)):
        asked = ask(learner, reference)
        asked.agrees(X)
        asked.agrees(X)
    assert np.array_equal(X, before["x"])


def remembering():
    kept = []

    def learner(x):
        kept.append(float(np.sum(x)))
        return 2 * x + (len(kept) > 2)
    return learner


def caching_by_shape():
    cache = {}
    return lambda x: cache.setdefault(x.shape, 2 * x)


def test_kept_state_is_found_and_named():
    text = message_of(ask(remembering(), double).keeps_no_state, (X,), (X + 1,))
    assert "another answer at the second identical call" in text and "index (0, 0)" in text
    assert "expected: 2" in text and "got:      3" in text
    text = message_of(ask(caching_by_shape(), double).keeps_no_state, (X,), (X + 1,))
    assert "differs in 6 of 6" in text
    ask(double, double).keeps_no_state((X,), (X + 1,))


BAD = np.ones((2, 2))


def accepting(x):
    return 2 * x


def index_error(x):
    return 2 * x if x.ndim == 1 else raising(IndexError("too deep"))(x)


def half_refusing(x):
    return vector_only(x) if x.shape != (1, 2) else 2 * x


class ShapeError(ValueError):
    """A learner's own kind of ValueError."""


def own_error(x):
    return 2 * x if x.ndim == 1 else raising(ShapeError("no"))(x)


@pytest.mark.parametrize(("learner", "asked", "words"), [
    (accepting, "(2, 2)", ["expected: ValueError for this input", "got:      float64 (2, 2) [[2., 2.], [2., 2.]]"]),
    (lambda x: 2 * x if x.ndim == 1 else None, "(2, 2)", ["expected: ValueError for this input", "got:      None"]),
    (index_error, "(2, 2)", ["expected: ValueError for this input", "got:      IndexError: too deep"]),
    (lambda x: 2 * x if x.ndim == 1 else raising(AssertionError())(x), "(2, 2)", ["got:      AssertionError"]),
    (lambda x: 2 * x if x.ndim == 1 else raising(SystemExit(1))(x), "(2, 2)", ["got:      SystemExit: 1"]),
    (half_refusing, "(1, 2)", ["expected: ValueError for this input", "got:      float64 (1, 2)"]),
    (lambda x: 2 * x if x.ndim == 1 else raising(NotImplementedError())(x), "(2, 2)", ["not attempted yet"]),
    (raising(ValueError("always")), "(3,)", ["your function raised ValueError: always"]),
    (lambda x: vector_only(x) + 1, "(3,)", ["the result of shape (3,) differs"]),
])
def test_bad_input_must_be_refused_by_a_function_that_works(learner, asked, words):
    text = message_of(ask(learner, vector_only).refuses, (BAD,), (BAD[:1],), valid=(VECTOR,))
    assert f"question(x = float64 {asked}" in text and all(word in text for word in words), text
    assert "ValueError" in text or asked == "(3,)" or "not attempted" in text


@pytest.mark.parametrize("learner", [vector_only, own_error])
def test_refused_bad_input_is_accepted(learner):
    ask(learner, vector_only).refuses((BAD,), (BAD[:1],), valid=(VECTOR,))


ATTEMPTS = (
    lambda asked: asked.agrees(VECTOR), lambda asked: asked.has_types_and_shapes(VECTOR),
    lambda asked: asked.keeps_arguments(VECTOR),
    lambda asked: asked.keeps_no_state((VECTOR,), (VECTOR + 1,)), lambda asked: asked.refuses((BAD,), valid=(VECTOR,)))


@pytest.mark.parametrize("learner", [
    lambda x: None, lambda x: x, lambda x: np.zeros(x.shape), lambda x: 0, raising(ValueError("no")),
    raising(NotImplementedError()), lambda x: [], lambda x: {}, lambda x: np.full(x.shape, np.nan)])
def test_nothing_earns_nothing(learner):
    for attempt in ATTEMPTS:
        message_of(attempt, ask(learner, vector_only))


def test_wrong_values_lose_the_purity_and_the_type_case_as_well():
    """A function that is pure, of the right type and strict about its input, but wrong by one entry."""
    def wrong(x):
        return changed(vector_only, 1, 0.0)(x)

    for attempt in ATTEMPTS:
        assert "index 1\n  expected: -2\n  got:      0" in message_of(attempt, ask(wrong, vector_only))


def test_missing_and_misspelt_functions_end_the_case_before_any_call():
    for env, words in (({}, "`question` is not defined in your notebook. Run the cell"), ({"question": 3}, "is not defined"),
                       ({"qusetion": double}, "but `qusetion` is. Is the name misspelt?"),
                       ({"x": 1, "abs": abs}, "is not defined")):
        with pytest.raises(CaseFailed) as caught:
            ask(env, double)
        assert str(caught.value).startswith("question: what the case is about\n") and words in str(caught.value)


def test_two_functions_and_large_inputs_are_described_by_shape():
    text = message_of(ask(lambda f, w, h: None, lambda f, w, h: f(w), ["f", "w", "h"]).agrees, np.sum, np.ones((40, 30)), 1e-6)
    assert "question(f = a function, w = float64 (40, 30), h = 1e-06)" in text
    text = message_of(ask(lambda items: None, total, ["items"]).agrees, [[1, 2]] * 9)
    assert "question(items = [[1, 2], [1, 2], [1, 2], [1, 2], [1, 2], [1, 2], ...])" in text
    params = {"W": np.ones((4, 3)), "b": np.ones(4)}
    text = message_of(ask(lambda x, params: None, layer, ["x", "params"]).agrees, VECTOR, params)
    assert "params = {'W': float64 (4, 3), 'b': float64 (4,)" in text


def test_every_requirement_of_a_case_has_a_text():
    asked = ask(double, double)
    asked.agrees(X)
    asked.requires(True, "returned_none", where="it")
    assert "expected: ValueError" in message_of(asked.requires, False, "bad_input_accepted", got="3")


def test_expected_values_come_from_the_reference_or_the_case():
    asked = ask(double, double)
    assert asked.expected(lambda reference: reference(3)) == 6
    assert asked.reference(4) == 8
    asked.agrees(X, expected=2 * X)
    assert "expected: the result is 9\n  got:      4" in message_of(asked.agrees, np.array(2.0), expected=9.0)


def test_recorded_answers_are_given_in_the_order_of_asking():
    oracle = recorded({"stage/question/a_case": [np.array([1.0, 2.0]), 7.0]})
    for _ in range(2):  # every run of a case begins anew
        asked = ask(lambda x: np.array([1.0, 2.0]) if x == 0 else 7.0, None, oracle=oracle)
        asked.agrees(0)
        asked.agrees(1)
    assert "expected: 1\n" in message_of(ask(lambda x: np.zeros(2), None, oracle=oracle).agrees, 0)


def test_a_proxy_is_told_the_case_and_its_view_of_the_arguments_counts():
    class Proxy:
        begun = []
        arguments_after = None

        def begin_case(self, case):
            self.begun.append(case)

        def __call__(self, x):
            self.arguments_after = [x + [0.0, 1.0, 0.0]]
            return 2 * x

    text = message_of(ask(Proxy(), double).keeps_arguments, VECTOR)
    assert Proxy.begun == ["stage/question/a_case"] and "index (1,) from -1 to 0" in text


@pytest.mark.parametrize("kind", ["timeout", "crashed", "protocol"])
def test_what_the_border_reports_has_a_message(kind):
    error = RuntimeError()
    error.learner_error = ([kind, "Exception"], "5 s", None)
    assert "answer" in message_of(ask(raising(error), double).agrees, X)
    ending = ask(lambda x: raising(error)(x) if x.ndim > 1 else 2 * x, vector_only)
    assert "answer" in message_of(ending.refuses, (BAD,), valid=(VECTOR,))


def test_tolerances_fit_their_kind_of_result():
    decades = 10.0 ** -np.arange(8)
    ask(lambda x: x * (1 + 5e-5), lambda x: x).agrees(decades, tolerance="entrywise")
    ask(lambda x: x + 9e-6, lambda x: x).agrees(decades)
    text = message_of(ask(lambda x: x + 9e-6, lambda x: x).agrees, decades, tolerance="entrywise")
    assert "differs in 6 of 8" in text and "at index 2\n" in text
    ask(lambda x: x + 9e-8, lambda x: x).agrees(decades, tolerance="sigmoid")
    assert "8 of 8" in message_of(ask(lambda x: x + 2e-7, lambda x: x).agrees, decades, tolerance="sigmoid")
    ask(lambda x: x * (1 + 1e-3), lambda x: x).agrees(decades, tolerance=2e-3)
    ask(lambda x: x + 1e-13, lambda x: 0 * x).agrees(np.zeros(3))
    assert "3 of 3" in message_of(ask(lambda x: x + 1e-9, lambda x: x).agrees, np.zeros(3))


def draws(case="stage/question/a_case", seed=7, count=3):
    return [rng.integers(0, 2**62) for rng in ask(double, double, case=case, seed=seed).generators(count)]


def test_generators_depend_on_seed_and_case_only():
    first = draws()
    assert draws() == first and len(set(first)) == 3
    assert draws(count=2) == first[:2]
    others = [draws(seed=8), draws("stage/question/b_case"), draws("stage/question/a_case2"), draws("stage2/question/a_case")]
    assert len({value for drawn in [first, *others] for value in drawn}) == 15


# --- gradient checks -----------------------------------------------------------------------------------------------------


def network(x, target, params):
    """Loss and gradients of one tanh layer."""
    hidden = np.tanh(params["W"] @ x + params["b"])
    error = params["U"] @ hidden - target
    slope = (params["U"].T @ error) * (1 - hidden**2)
    return 0.5 * float(error @ error), {"W": np.outer(slope, x), "b": slope, "U": np.outer(error, hidden)}


def network_args():
    rng = np.random.default_rng(3)
    params = {"W": rng.normal(size=(2, 3)), "b": rng.normal(size=2), "U": rng.normal(size=(4, 2))}
    return rng.normal(size=3), rng.normal(size=4), params


def check_network(learner):
    asked = ask(learner, network, ["x", "target", "params"], HiddenAsk)
    asked.matches_differences(network_args(), lambda reference, args: reference(*args)[0], pick=lambda result: result[1],
                              wrt=lambda args: args[2])


def with_array(name, change):
    def learner(*args):
        loss, gradients = network(*args)
        return loss, {**gradients, name: change(gradients[name])}
    return learner


@pytest.mark.parametrize("learner", [
    network, lambda *args: list(network(*args)), with_array("W", lambda g: g * (1 + 1e-7)), with_array("W", lambda g: g.tolist()),
    with_array("b", lambda g: g[:, None]), lambda *args: (network(*args)[0], {**network(*args)[1], "cache": None}),
    lambda *args: (0.0, network(*args)[1]),
])
def test_right_gradients_pass_the_gradient_check(learner):
    check_network(learner)


@pytest.mark.parametrize("index", [0, -1])
@pytest.mark.parametrize("name", ["W", "b", "U"])
def test_one_wrong_entry_of_one_array_fails_the_gradient_check(name, index):
    gradients = network(*network_args())[1][name]
    place = tuple(int(i) for i in np.unravel_index(index % gradients.size, gradients.shape))

    def change(array):
        array.flat[index] += 1e-3
        return array

    text = message_of(check_network, with_array(name, change))
    assert f"grads['{name}'] of shape {gradients.shape} disagrees with central differences: error " in text
    assert "limit 1e-06" in text and f"largest difference at index {place}\n" in text
    assert f"expected: {gradients[place]:.6g}\n" in text and f"got:      {gradients[place] + 1e-3:.6g}" in text
    assert "question(x = float64 (3,)" in text and "'U': float64 (4, 2)" in text


@pytest.mark.parametrize(("learner", "words"), [
    (with_array("b", np.negative), "grads['b']"),
    (with_array("U", lambda g: 2 * g), "grads['U']"),
    (with_array("W", np.zeros_like), "grads['W']"),
    (with_array("b", lambda g: g * np.nan), "the result[1]['b'] has 2 of 2 entries that are not finite"),
    (with_array("W", lambda g: g.T), "the result[1]['W'] has shape (2, 3)"),
    (with_array("W", lambda g: None), "the result[1]['W'] is None"),
    (lambda *args: (network(*args)[0], {"W": network(*args)[1]["W"]}), "the result[1] has the key 'b'"),
    (lambda *args: network(*args)[0], "2 results"),
    (lambda *args: network(*args)[::-1], "wrong order"),
    (lambda *args: None, "the result is None"),
    (lambda *args: raising(NotImplementedError())(0), "not attempted yet"),
])
def test_wrong_kinds_of_gradients_are_named(learner, words):
    assert words in message_of(check_network, learner)


def test_a_gradient_of_one_array_is_checked_as_well():
    def cubes(x):
        return 3 * x**2

    def check(learner):
        ask(learner, cubes, kind=HiddenAsk).matches_differences((X,), lambda reference, args: float(np.sum(args[0] ** 3)),
                                                                wrt=lambda args: args[0])

    check(cubes)
    text = message_of(check, changed(cubes, (1, 1), 0.0))
    assert "the gradient of shape (2, 3) disagrees" in text and "index (1, 1)\n  expected: 27\n  got:      0" in text


def test_central_differences_leave_the_array_alone():
    array = np.array([[1, 2], [3, 4]])
    gradient = central_differences(lambda a: float(np.sum(a**2)), array)
    assert np.allclose(gradient, 2 * array, rtol=0, atol=3e-8) and array.tolist() == [[1, 2], [3, 4]] and array.dtype.kind == "i"
