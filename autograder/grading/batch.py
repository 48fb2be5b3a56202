"""Grades many submissions of one stage and writes a result, a tape and the table of grades."""

import csv
import functools
import io
import json
import re
import tempfile
import unicodedata
from pathlib import Path

from autograder.files import WriteError, write_atomically, write_together
from autograder.grading.bundle import Bundle
from autograder.grading.grader import grade, ungradable
from autograder.grading.intake import find_submissions
from autograder.grading.lanes import map_in_lanes
from autograder.grading.tape import tape_bytes
from autograder.isolation.border import IsolationError

MAX_ID = 60  # characters: no file system's limit for a folder's name


def grade_batch(bundle_path, paths, out, jobs=1, secrets=(), minimum=None, progress=lambda results, count: results):
    """Grade every submission below `paths` into `out` and return the results in order.

    A path given alone may be a platform's export. A submission that raises an unexpected error, or takes its worker process
    down twice, gets an ungradable result; the batch goes on. IsolationError and WriteError end it.
    `progress(results, count)` may wrap the iterator over results.
    """
    submissions = with_ids([source for path in paths for source in find_submissions(path, alone=len(paths) == 1)])
    out = Path(out)
    _try_to_write(out)
    _bundle.cache_clear()  # the zip may have been built anew since this process read it
    tasks = [(str(bundle_path), source, submission_id, out / submission_id, [str(secret) for secret in secrets], minimum)
             for submission_id, source in submissions]
    results = list(progress(map_in_lanes(_grade_one, tasks, jobs, _lost), len(tasks)))
    write_atomically(out / "grades.csv", _grades(results))
    return results


def _grade_one(zygote, task):
    bundle_path, source, submission_id, folder, secrets, minimum = task
    bundle = _bundle(bundle_path)
    try:
        graded = grade(bundle, zygote, source, submission_id, secrets, minimum)
    except IsolationError:
        raise
    except Exception as error:  # a fault of the grader is this submission's only, and never its zero
        graded = ungradable(bundle, source, submission_id, "grader_fault", reason=f"{type(error).__name__}: {error}"[:300])
    return _write(folder, graded)


def _lost(task):
    """The result of a submission whose worker process was killed, and killed again when it was graded anew."""
    bundle_path, source, submission_id, folder, *_ = task
    reason = "the grader's process was killed twice while it graded this; is there enough memory?"
    return _write(folder, ungradable(_bundle(bundle_path), source, submission_id, "grader_fault", reason=reason))


def _write(folder, graded):
    text = json.dumps(graded.result, indent=1, ensure_ascii=False) + "\n"
    write_together({folder / "tape.jsonl": tape_bytes(graded.tape), folder / "result.json": text.encode(errors="replace")})
    return graded.result


@functools.cache
def _bundle(path):
    """One reading of the assignment per worker process."""
    return Bundle(path)


def _try_to_write(folder):
    """Find out before the first submission, not after it, that nothing can be written. Raises WriteError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise WriteError(f"{folder} cannot be written to ({error.strerror or error})") from error


def with_ids(sources):
    """[(id, source)]: the id is the base name as a folder's name, numbered where two would be equal on some file system.

    It is made of letters, digits, _ and -; without dots it cannot be equal to the name of a file beside it.
    """
    taken, named = set(), []
    for source in sources:
        stem = re.sub(r"(\.(ipynb|json|txt|py|zip))+$", "", unicodedata.normalize("NFC", source.name), flags=re.IGNORECASE)
        stem = re.sub(r"[^\w-]+", "_", stem)[:MAX_ID].strip("_-") or "submission"
        submission_id, number = stem, 2
        while submission_id.casefold() in taken:
            submission_id, number = f"{stem}-{number}", number + 1
        taken.add(submission_id.casefold())
        named.append((submission_id, source))
    return named


def _grades(results):
    """The table of grades as CSV: one row per submission, one column per question; what is not graded has no score."""
    stream = io.StringIO()
    questions = list(dict.fromkeys(question for result in results for question in result["questions"]))
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["submission", "file", "status", "score", "max_score", *questions])
    for result in results:
        scores = [result["questions"].get(question, {}).get("score", "") for question in questions]
        score = result["score"] if result["status"] == "graded" else ""
        writer.writerow([result["submission"]["id"], _as_data(result["submission"]["file"]), result["status"], score,
                         result["max_score"], *scores])
    return stream.getvalue().encode()


def _as_data(text):
    """A text that no spreadsheet takes for a formula, at its start or after a semicolon (a separator in some countries)."""
    return re.sub(r"(^|;)(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])", r"\1'", text)
