"""Names the misconception behind wrong answers: the one that gives the same answers to everything that was asked."""

import copy
import importlib
import types

import numpy as np

from autograder.grading.asking import attempt, changes, same_answers
from autograder.grading.checks import plain

ALLOWED_RELATIVE = 1e-5


def misconceptions(stage, question):
    """{id: function} of the known misconceptions of a question, in the order of the module."""
    module = importlib.import_module(f"autograder.misconceptions.{stage}")
    return {name: value for name, value in vars(module).items() if name.startswith(f"{question}__")}


def fresh(function):
    """The function as if it had never been called: what it keeps, it keeps in its defaults."""
    return types.FunctionType(function.__code__, function.__globals__, function.__name__, copy.deepcopy(function.__defaults__),
                              function.__closure__)


def diagnose(stage, question, tape, failed):
    """{misconception id: ids of the failed cases in which it differs from the reference}, for those that explain all.

    tape: the entries of this question; failed: ids of its failed cases. A misconception explains the answers when it
    gives every one of them: results, errors and changed arguments, in every case that was asked.
    """
    given = {entry["case"]: [_answer(call) for call in entry["calls"]] for entry in tape if entry["calls"]}
    if not given or any(call["outcome"] in ("timeout", "crashed", "protocol") for entry in tape for call in entry["calls"]):
        return {}
    reference = getattr(importlib.import_module(f"solutions.{stage}"), question)
    right = {entry["case"]: _replay(reference, entry["calls"]) for entry in tape}
    found = {}
    for name, function in misconceptions(stage, question).items():
        replayed = {}
        for entry in tape:
            replayed[entry["case"]] = _replay(fresh(function), entry["calls"])
            if not same_answers(given.get(entry["case"], []), replayed[entry["case"]], _allowed):
                break
        else:
            differs = [case for case in failed if case in right and not same_answers(right[case], replayed[case], _allowed)]
            if differs:
                found[name] = differs
    return found


def _answer(call):
    """A call on the tape in the form that `same_answers` compares."""
    error = None if call["outcome"] == "returned" else call["kinds"]
    after = call.get("arguments_after") or [None] * len(call["arguments"])
    return error, plain(call.get("result")), tuple(changed is not None for changed in after)


def _replay(function, calls):
    answers = []
    with np.errstate(all="ignore"):
        for call in calls:
            result, error, after = attempt(function, call["arguments"])
            changed = changes(call["arguments"], after) if error is None else (False,) * len(after)
            answers.append((error and error[0], result, changed))
    return answers


def _allowed(expected):
    finite = np.abs(expected[np.isfinite(expected)])
    return np.full(np.shape(expected), max(ALLOWED_RELATIVE * finite.max(initial=0.0), 1e-12))
