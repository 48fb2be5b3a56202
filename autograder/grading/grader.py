"""Grades submissions: Otter's cases in this process, the learner's functions in another, a result and a tape out."""

import importlib.metadata
import platform
import time

import numpy as np

from autograder import __version__
from autograder.grading.diagnosis import diagnose
from autograder.grading.intake import read_submission
from autograder.grading.notebook import Unreadable, printable
from autograder.isolation.border import Learner

SCHEMA = "seqprehistory.result.v1"


class Graded:
    """One graded submission: `result` as written to result.json, the `tape`, and Otter's own test files."""

    def __init__(self, result, tape=(), case_files=None):
        self.result = result
        self.tape = list(tape)
        self.case_files = case_files or {}


def grade(bundle, zygote, path, submission_id, secrets=(), minimum=None, explain=True):
    """Grade one submission. Raises IsolationError when it may not be run here.

    path: a Source, or the path of a notebook, zip or folder;
    secrets: paths that must be closed to it; minimum: overrides the bundle's isolation.minimum; explain: whether to look for
    misconceptions behind failed cases, and into evidence, neither of which changes a score.
    """
    started = time.monotonic()
    try:
        submission = read_submission(path, bundle.questions)
    except Unreadable as problem:
        return ungradable(bundle, path, submission_id, problem.key, **problem.fields)
    result = _empty(bundle, submission_id, submission.file, submission.sha256)
    cells = [(number, source) for number, source in submission.cells if not bundle.is_demo(source)]
    case_files = bundle.case_files()
    with Learner(zygote, cells, bundle.limits, secrets, minimum or bundle.data["isolation"]) as learner:
        environment = learner.proxies()
        result["isolation"] = learner.active_layers
        for hidden in (False, True):  # so that no public message can carry what a hidden case has shown
            for case_file in case_files.values():
                case_file.run_part(environment, hidden)
        faults = [fault for case_file in case_files.values() for fault in case_file.faults]
        if faults:
            reason = f"{type(faults[0]).__name__}: {faults[0]}"[:300]
            result["message"] = bundle.texts["grader_fault"].format(reason=reason)
            return Graded(result, learner.tape, case_files)
        lines = [bundle.texts["graded_file"].format(file=submission.file)]
        lines += [bundle.texts[key].format(**fields) for key, fields in submission.notes]
        lines += [bundle.texts["cell_note"].format(number=number, note=note) for number, note in learner.run.notes
                  if not note.startswith("NotImplementedError")]
        result.update(status="graded", message="\n".join(lines),
                      questions={question: _question(bundle, question, case_file, learner.tape, question in environment)
                                 for question, case_file in case_files.items()})
        for question, entry in result["questions"].items() if explain else ():
            _add_hints(bundle, question, entry, learner.tape)
        if explain and {"evidence", "fault_run", "bptt_check"} <= case_files.keys():
            # Here, since the library that reads schemas takes a tenth of a second to import.
            from autograder.evidence.measurement import examine, summary

            result["evidence"] = examine(bundle, environment, submission.evidence)
            result["message"] += "\n" + "\n".join(summary(result["evidence"], bundle.texts["evidence"]))
        result["score"] = sum(question["score"] for question in result["questions"].values())
    result["seconds"] = round(time.monotonic() - started, 3)
    return Graded(result, learner.tape, case_files)


def ungradable(bundle, path, submission_id, key, **fields):
    """A submission without grade; `key` and `fields` give the text that says why."""
    result = _empty(bundle, submission_id, printable(path.name), "")
    result["message"] = bundle.texts[key].format(**fields)
    return Graded(result)


def _empty(bundle, submission_id, file, sha256):
    """A result that says ungradable, with the true maximum."""
    return {"schema": SCHEMA, "stage": bundle.stage, "submission": {"id": submission_id, "file": file, "sha256": sha256},
            "status": "ungradable", "message": "", "score": 0.0, "max_score": bundle.max_score, "isolation": [],
            "pack": {"version": __version__, "config_sha256": bundle.data["config_sha256"]},
            "environment": {"python": platform.python_version(), "numpy": np.__version__,
                            "otter": importlib.metadata.version("otter-grader"), "system": platform.system()},
            "questions": {}}


def _question(bundle, question, case_file, tape, defined):
    """One question's entry: its cases with status, points and message, and what they add up to."""
    calls = {entry["case"]: entry["calls"] for entry in tape}
    cases = []
    for known, result in zip(bundle.questions[question], case_file.test_case_results):
        made = calls.get(known["id"], [])
        cases.append({"id": known["id"], "hidden": known["hidden"], "status": "passed" if result.passed else _status(made),
                      "points": known["points"] if result.passed else 0.0, "max_points": known["points"],
                      "message": "" if result.passed else result.message.split("\n", 1)[1], "hints": [],
                      "seconds": round(sum(call["seconds"] for call in made), 4)})
    score, most = sum(case["points"] for case in cases), sum(case["max_points"] for case in cases)
    asked = [call for known in bundle.questions[question] for call in calls.get(known["id"], [])]
    if not defined:
        status = "missing"
    elif asked and all(call["outcome"] == "NotImplementedError" for call in asked):
        status = "not_attempted"
    else:
        status = "full" if score == most else "partial" if score > 0 else "none"
    return {"score": score, "max_score": most, "status": status, "cases": cases}


def _add_hints(bundle, question, entry, tape):
    """Give the failed cases of a question the hints of the misconceptions that explain all its answers."""
    failed = [case["id"] for case in entry["cases"] if case["status"] != "passed"]
    if not failed or entry["status"] in ("missing", "not_attempted"):
        return
    known = {case["id"] for case in entry["cases"]}
    explained = diagnose(bundle.stage, question, [part for part in tape if part["case"] in known], failed)
    for case in entry["cases"]:
        case["hints"] = [{"misconception": name, "hint": bundle.data["hints"].get(name, "")}
                         for name, cases in explained.items() if case["id"] in cases]


def _status(calls):
    """Why a case did not pass, from its last call: a crash, a loop, an exception, or a wrong answer."""
    outcome = calls[-1]["outcome"] if calls else "returned"
    if outcome in ("timeout", "crashed"):
        return outcome
    return "failed" if outcome in ("returned", "NotImplementedError") else "error"
