"""Grades many submissions of one stage and writes a result, a tape and the table of grades."""

import csv
import functools
import io
import json
import re
from pathlib import Path

from autograder.files import write_atomically
from autograder.grading.bundle import Bundle
from autograder.grading.grader import grade, ungradable
from autograder.grading.intake import find_submissions
from autograder.grading.lanes import map_in_lanes
from autograder.grading.tape import tape_bytes
from autograder.isolation.border import IsolationError


def grade_batch(bundle_path, paths, out, jobs=1, secrets=(), minimum=None, progress=lambda results, count: results):
    """Grade every submission below `paths` into `out` and return the results in order.

    A submission that raises an unexpected error gets an ungradable result; the batch goes on. IsolationError ends it.
    `progress(results, count)` may wrap the iterator over results.
    """
    submissions = _with_ids([item for path in paths for item in find_submissions(path)])
    out = Path(out)
    tasks = [(str(bundle_path), path, submission_id, out / submission_id, [str(secret) for secret in secrets], minimum)
             for submission_id, path in submissions]
    results = list(progress(map_in_lanes(_grade_one, tasks, jobs), len(tasks)))
    write_atomically(out / "grades.csv", _grades(results))
    return results


def _grade_one(zygote, task):
    bundle_path, path, submission_id, folder, secrets, minimum = task
    bundle = _bundle(bundle_path)
    try:
        graded = grade(bundle, zygote, path, submission_id, secrets, minimum)
    except IsolationError:
        raise
    except Exception as error:  # a fault of the grader is this submission's only, and never its zero
        graded = ungradable(bundle, path, submission_id, "grader_fault", reason=f"{type(error).__name__}: {error}"[:300])
    write_atomically(folder / "tape.jsonl", tape_bytes(graded.tape))
    write_atomically(folder / "result.json", (json.dumps(graded.result, indent=1, ensure_ascii=False) + "\n").encode())
    return graded.result


@functools.cache
def _bundle(path):
    """One reading of the assignment per worker process."""
    return Bundle(path)


def _with_ids(paths):
    """[(id, path)]: the id is the base name made safe for a folder, numbered where two would be equal."""
    taken, named = set(), []
    for path in paths:
        stem = re.sub(r"[^\w.-]+", "_", Path(path).stem).strip("._") or "submission"
        submission_id, number = stem, 2
        while submission_id in taken:
            submission_id, number = f"{stem}-{number}", number + 1
        taken.add(submission_id)
        named.append((submission_id, Path(path)))
    return named


def _grades(results):
    """The table of grades as CSV: one row per submission, one column per question."""
    stream = io.StringIO()
    questions = list(dict.fromkeys(question for result in results for question in result["questions"]))
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["submission", "file", "status", "score", "max_score", *questions])
    for result in results:
        scores = [result["questions"].get(question, {}).get("score", "") for question in questions]
        writer.writerow([result["submission"]["id"], result["submission"]["file"], result["status"], result["score"],
                         result["max_score"], *scores])
    return stream.getvalue().encode()
