"""The quick proofs of a release: what was built is graded by the real grader before it replaces anything."""

import tempfile
from pathlib import Path

from autograder.grading.bundle import Bundle
from autograder.grading.grader import grade
from autograder.isolation.border import Zygote
from autograder.release.build import check_leaks

PROOFS = ("points", "solved", "untouched", "leaks", "same bytes")


def prove(course, release, again):
    """Hold a release against the proofs; returns (rows of the table, complaints).

    Each row is [stage, questions, public cases, hidden cases, points, one word per proof]. `again` is a second build.
    """
    complaints, rows = list(check_leaks(course, release)), []
    leaked = {name for name in course.stages if any(f"/{name}/" in complaint for complaint in complaints)}
    with tempfile.TemporaryDirectory() as folder, Zygote() as zygote:
        for name, stage in course.stages.items():
            bundle = _written(folder, f"{name}.zip", release.dist[f"{name}.zip"], Bundle)
            failed = {"leaks"} if name in leaked else set()
            for check in (_points, _solved, _untouched):
                found = list(check(stage, bundle, release, zygote, folder))
                complaints += [f"{name}: {text}" for text in found]
                failed |= {check.__name__.strip("_")} if found else set()
            changed = [path for built in ("student", "dist") for path, data in getattr(release, built).items()
                       if name in path and getattr(again, built).get(path) != data]
            complaints += [f"{path}: a second build gave other bytes" for path in changed]
            failed |= {"same bytes"} if changed else set()
            cases = [case for listed in bundle.questions.values() for case in listed]
            hidden = sum(case["hidden"] for case in cases)
            rows.append([name, len(bundle.questions), len(cases) - hidden, hidden, f"{bundle.max_score:g}",
                         *["FAILED" if proof in failed else "ok" for proof in PROOFS]])
    return rows, complaints


def _written(folder, name, data, read):
    path = Path(folder) / name
    path.write_bytes(data)
    return read(path)


def _points(stage, bundle, release, zygote, folder):
    """The cases' points add up to the configuration's, question by question."""
    for question, settings in stage.config.questions.items():
        total = sum(case["points"] for case in bundle.questions[question])
        if abs(total - settings.points) > 1e-9:
            yield f"{question}: the cases give {total:g} points, the configuration {settings.points:g}"


def _solved(stage, bundle, release, zygote, folder):
    """The solved notebook gets full marks."""
    language = bundle.data["language"]
    path = _written(folder, f"{stage.name}.ipynb", release.dist[f"solved/{language}/{stage.name}.ipynb"], Path)
    result = grade(bundle, zygote, path, "solved", minimum="process").result
    if result["status"] != "graded":
        return [f"the solved notebook is not graded: {result['message']}"]
    return [f"the solved notebook fails {case['id']}:\n{case['message']}" for question in result["questions"].values()
            for case in question["cases"] if case["status"] != "passed"]


def _untouched(stage, bundle, release, zygote, folder):
    """The released notebook gets 0 of the same maximum, every question not attempted."""
    language = bundle.data["language"]
    path = _written(folder, f"{stage.name}.ipynb", release.student[f"{language}/{stage.name}/{stage.name}.ipynb"], Path)
    result = grade(bundle, zygote, path, "untouched", minimum="process").result
    if result["status"] != "graded":
        return [f"the released notebook is not graded: {result['message']}"]
    return [f"the released notebook: {name} is {question['status']} with {question['score']:g} points, expected 0, not_attempted"
            for name, question in result["questions"].items() if question["status"] != "not_attempted" or question["score"]]
