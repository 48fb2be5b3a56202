"""`make release`, the whole of it: build twice, prove, replace what was there, and print one table."""

import json

from autograder.config import ConfigError
from autograder.course import load_course
from autograder.files import digest, manifest, read_tree, replace_tree, sources_digest, table
from autograder.release.build import build
from autograder.release.composition import CompositionError
from autograder.release.proofs import PROOFS, prove
from autograder.release.stubs import SourceError

HEAD = ["stage", "questions", "public", "hidden", "points", *PROOFS]
RECORD = "release.json"


def release_course(root, out, echo):
    """Release every stage of the course at `root` into `out`; returns the exit code. `echo` prints one line."""
    sources = sources_digest(root)
    rows = _unchanged(out, sources)
    if rows is None:
        try:
            course = load_course(root)
            built = build(course)
            rows, complaints = prove(course, built, build(course))
        except (ConfigError, CompositionError, SourceError) as error:
            return _refuse([str(error)], echo)
        if complaints:
            echo(table([HEAD, *rows]))
            return _refuse(complaints, echo)
        record = {"sources_sha256": sources, "rows": rows, "outputs_sha256": _outputs(built.student, built.dist)}
        replace_tree(out / "student_release", built.student)
        replace_tree(out / "dist", {**built.dist, RECORD: (json.dumps(record, indent=1) + "\n").encode()})
    echo(table([HEAD, *rows]))
    echo(f"release: {len(rows)} stages proven; student_release/ and dist/ are up to date")
    return 0


def _refuse(complaints, echo):
    for complaint in complaints:
        echo(complaint)
    echo("release: refused, see above; the old release is untouched")
    return 1


def _unchanged(out, sources):
    """The table of the last release if neither sources nor outputs have changed since; else None."""
    try:
        record = json.loads((out / "dist" / RECORD).read_text(encoding="utf-8"))
        dist = read_tree(out / "dist")
        del dist[RECORD]
        outputs = _outputs(read_tree(out / "student_release"), dist)
        return record["rows"] if (record["sources_sha256"], record["outputs_sha256"]) == (sources, outputs) else None
    except (OSError, ValueError, KeyError):
        return None


def _outputs(student, dist):
    return digest(manifest(student) + manifest(dist))
