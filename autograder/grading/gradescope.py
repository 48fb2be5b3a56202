"""The way in on Gradescope: one submission in, results.json out, whatever happens."""

import contextlib
import json
import re
import time
from pathlib import Path

import dill
from otter.test_files import GradingResults

from autograder.files import WriteError, write_atomically
from autograder.grading.bundle import Bundle
from autograder.grading.grader import grade
from autograder.isolation.border import Zygote

FALLBACK = {"score": 0, "stdout_visibility": "hidden",
            "output": "The grader did not finish, so this score is not your grade. The staff can run it again."}
CLOSED_TO_SUBMISSIONS = ("source", "results", "submission", "submission_metadata.json")
REFERENCE_GRADED = "reference-graded"  # this file in ROOT/source says that the reference got full marks here
UNFIT_FOR_JSON = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")  # what a file name or an error may hold


class ReferenceFailed(Exception):
    """The reference does not get full marks in this image: nothing that it graded could be believed."""


class GraderFault(Exception):
    """A test case failed by itself, not by the submission's answer: the score would mean nothing."""


def run(root):
    """Grade ROOT/submission by ROOT/source into ROOT/results/results.json (and results.pkl, which `otter grade` reads).

    Where setup.sh could not grade the reference, the first run does it before it looks at the submission.
    """
    root = Path(root)
    started = time.monotonic()
    results = root / "results" / "results.json"
    _write(results, FALLBACK)
    try:
        secrets = _close(root)
        with Zygote() as zygote:
            bundle = Bundle(root / "source")
            if not (root / "source" / REFERENCE_GRADED).exists():
                _grade_reference(root, bundle, zygote, secrets)
            graded = grade(bundle, zygote, root / "submission", "submission", secrets)
        faults = [f"tests/{question}.py: {type(fault).__name__}: {fault}"
                  for question, case_file in graded.case_files.items() for fault in case_file.faults]
        if faults:
            raise GraderFault("\n".join(faults))
        _write(results, gradescope_results(bundle, graded.result, time.monotonic() - started))
    except Exception as error:  # only staff see extra_data
        with contextlib.suppress(WriteError):  # then what was written first stays
            _write(results, {**FALLBACK, "extra_data": {"fault": f"{type(error).__name__}: {error}"[:2000]}})
        raise
    write_atomically(root / "results" / "results.pkl", dill.dumps(GradingResults(list(graded.case_files.values()))))


def check_reference(root):
    """Grade the reference in ROOT/source as a submission would be. Raises ReferenceFailed unless it gets full marks."""
    root = Path(root)
    secrets = _close(root)
    with Zygote() as zygote:
        bundle = Bundle(root / "source")
        _grade_reference(root, bundle, zygote, secrets)
    print(f"The reference of {bundle.stage} gets {bundle.max_score:g} of {bundle.max_score:g} points.")


def _close(root):
    """Close the pack, the results and the submission to every other user; returns their paths."""
    secrets = [path for path in (root / name for name in CLOSED_TO_SUBMISSIONS) if path.exists()]
    for path in secrets:
        with contextlib.suppress(OSError):  # whether a submission can read them is asked once more, in its own process
            path.chmod(0o700)
    return secrets


def _grade_reference(root, bundle, zygote, secrets):
    marker = root / "source" / REFERENCE_GRADED
    marker.unlink(missing_ok=True)
    result = grade(bundle, zygote, root / "source" / "reference.ipynb", "reference", secrets).result
    failed = [case for entry in result["questions"].values() for case in entry["cases"] if case["status"] != "passed"]
    if result["status"] != "graded" or failed or result["score"] != bundle.max_score:
        raise ReferenceFailed("\n".join([
            f"the reference of {bundle.stage} gets {result['score']:g} of {bundle.max_score:g} points", result["message"],
            *(f"{case['id']}: {case['message']}" for case in failed)]))
    write_atomically(marker, f"{result['score']:g} points with layers {', '.join(result['isolation'])}\n".encode())


def gradescope_results(bundle, result, seconds):
    """A result as Gradescope reads it: one entry per case, visible as the configuration says."""
    visibility = bundle.data["visibility"]
    tests = []
    for number, (question, entry) in enumerate(result["questions"].items(), 1):
        for position, (known, case) in enumerate(zip(bundle.questions[question], entry["cases"]), 1):
            passed = case["status"] == "passed"
            hints = case["hints"][:1] if not case["hidden"] or visibility["hints_of_hidden_cases"] else []
            message = "\n".join([case["message"], *(bundle.texts["hint"].format(**hint) for hint in hints)])
            tests.append({"name": f"{question}: {known['title']}", "number": f"{number}.{position}", "score": case["points"],
                          "max_score": case["max_points"], "status": "passed" if passed else "failed",
                          "output": bundle.texts["case_passed"] if passed else message, "output_format": "text",
                          "visibility": visibility["hidden_cases" if case["hidden"] else "public_cases"]})
    lines = [result["message"]]
    for question, entry in result["questions"].items():
        public = [case for case in entry["cases"] if not case["hidden"]]
        if all(case["status"] == "passed" for case in public):
            state = bundle.texts["public_passed"].format(hidden=len(entry["cases"]) - len(public))
        else:
            status = entry["status"] if entry["status"] in ("missing", "not_attempted") else "none"
            state = bundle.texts["question_status"][status if not any(c["status"] == "passed" for c in public) else "partial"]
        lines.append(f"{question}: {state}")
    return {"score": result["score"], "execution_time": round(seconds, 2), "output": "\n".join(lines), "output_format": "text",
            "stdout_visibility": visibility["stdout"], "tests": tests,
            "extra_data": {"result": {key: result[key] for key in ("schema", "status", "isolation", "pack", "environment")}}}


def _write(path, data):
    write_atomically(path, (json.dumps(_fit(data), indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode())


def _fit(data):
    """The same with every character replaced that readers of JSON stumble over."""
    if isinstance(data, dict):
        return {key: _fit(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_fit(value) for value in data]
    return UNFIT_FOR_JSON.sub("\N{REPLACEMENT CHARACTER}", data) if isinstance(data, str) else data
