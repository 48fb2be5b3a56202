"""Grades many submissions of one stage and writes a result, a tape and the table of grades."""

import contextlib
import csv
import io
import json
import multiprocessing
import re
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from autograder.grading.bundle import Bundle
from autograder.grading.grader import grade, ungradable
from autograder.grading.intake import find_submissions
from autograder.grading.tape import tape_bytes
from autograder.isolation.border import IsolationError, Zygote
from autograder.files import write_atomically

_lane = None  # of a worker process: (bundle, zygote, secrets, minimum)


def grade_batch(bundle_path, paths, out, jobs=1, secrets=(), minimum=None, progress=iter):
    """Grade every submission below `paths` into `out` and return the results in order.

    A submission that raises an unexpected error gets an ungradable result; the batch goes on. IsolationError ends it.
    """
    submissions = _with_ids([item for path in paths for item in find_submissions(path)])
    out = Path(out)
    tasks = [(path, submission_id, out / submission_id) for submission_id, path in submissions]
    arguments = (str(bundle_path), [str(path) for path in secrets], minimum)
    if jobs == 1 or len(tasks) < 2:
        with _opened(0, *arguments):
            results = [_grade_one(task) for task in progress(tasks)]
    else:
        context = multiprocessing.get_context("forkserver")
        lanes = context.Queue()
        for lane in range(jobs):
            lanes.put(lane)
        with ProcessPoolExecutor(jobs, context, _open_worker, (lanes, *arguments)) as pool:
            results = list(progress(pool.map(_grade_one, tasks)))
    write_atomically(out / "grades.csv", _grades(results))
    return results


@contextlib.contextmanager
def _opened(lane, bundle_path, secrets, minimum):
    global _lane
    with Zygote(lane) as zygote:
        _lane = Bundle(bundle_path), zygote, secrets, minimum
        yield
        _lane = None


def _open_worker(lanes, *arguments):
    """Initialise a worker process; its zygote ends with it."""
    stack = contextlib.ExitStack()
    stack.enter_context(_opened(lanes.get(), *arguments))
    multiprocessing.util.Finalize(None, stack.close, exitpriority=10)


def _grade_one(task):
    path, submission_id, folder = task
    bundle, zygote, secrets, minimum = _lane
    try:
        graded = grade(bundle, zygote, path, submission_id, secrets, minimum)
    except IsolationError:
        raise
    except Exception as error:  # a fault of the grader is this submission's only, and never its zero
        graded = ungradable(bundle, path, submission_id, "grader_fault", reason=f"{type(error).__name__}: {error}"[:300])
    write_atomically(folder / "tape.jsonl", tape_bytes(graded.tape))
    write_atomically(folder / "result.json", (json.dumps(graded.result, indent=1, ensure_ascii=False) + "\n").encode())
    return graded.result


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
