"""Tries items through the real grader: a notebook per item, the solved one with one function replaced."""

import functools
import json
import tempfile
from pathlib import Path

from autograder.files import digest, write_atomically
from autograder.grading.bundle import Bundle
from autograder.grading.grader import grade
from autograder.grading.lanes import map_in_lanes


def try_items(root, stage_name, items, jobs, progress, cache_path):
    """{item key: {"failed": [case ids of its question], "lost": {other question: points}, "score", "error"}}.

    Answers of items that were tried before with the same cases, references and grader come from the cache.
    """
    cache = _read(cache_path)
    context = _context(root, stage_name)
    keys = {item.key: digest(f"{context}\n{item.kind}\n{item.question}\n{item.source}".encode()) for item in items}
    open_items = [item for item in items if keys[item.key] not in cache]
    tasks = [(str(root), stage_name, item) for item in open_items]
    for item, outcome in zip(open_items, progress(map_in_lanes(_try_one, tasks, jobs), len(tasks))):
        cache[keys[item.key]] = outcome
    found = {item.key: cache[keys[item.key]] for item in items}
    if open_items:
        kept = {**_read(cache_path), **{keys[item.key]: cache[keys[item.key]] for item in items}}
        write_atomically(cache_path, json.dumps(kept).encode())
    return found


def _try_one(zygote, task):
    root, stage_name, item = task
    bundle = _bundle(root, stage_name)
    if item.kind != "misconception":  # only a misconception is also asked about the other questions
        bundle = bundle.restricted_to([item.question])
    notebook = json.loads((Path(root) / "dist" / "solved" / bundle.data["language"] / f"{stage_name}.ipynb").read_bytes())
    position = next(number for number, cell in enumerate(notebook["cells"]) if cell["id"] == f"check-{item.question}")
    notebook["cells"].insert(position, {**notebook["cells"][position], "id": "item", "source": item.source})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "item.ipynb"
        path.write_text(json.dumps(notebook))
        result = grade(bundle, zygote, path, "item", explain=False).result
    own = result["questions"].get(item.question, {"cases": [], "score": 0})
    return {"failed": [case["id"] for case in own["cases"] if case["status"] != "passed"], "score": own["score"],
            "lost": {name: question["max_score"] - question["score"] for name, question in result["questions"].items()
                     if name != item.question and question["score"] < question["max_score"]},
            "error": result["message"] if result["status"] != "graded" or "stopped early" in result["message"] else ""}


@functools.cache
def _bundle(root, stage_name):
    return Bundle(Path(root) / "dist" / f"{stage_name}.zip")


@functools.cache
def _context(root, stage_name):
    """A digest of all that decides an outcome besides the item: cases and points, solved notebook, grader."""
    root = Path(root)
    bundle = Bundle(root / "dist" / f"{stage_name}.zip")
    solved = root / "dist" / "solved" / bundle.data["language"] / f"{stage_name}.ipynb"
    parts = [bundle.cases_digest(), digest(solved.read_bytes())]
    for folder in ("autograder/grading", "autograder/isolation"):
        parts += [digest(path.read_bytes()) for path in sorted((root / folder).rglob("*.py"))]
    parts.append(digest(Path(__file__).read_bytes()))
    return digest("\n".join(parts).encode())


def _read(cache_path):
    try:
        return json.loads(Path(cache_path).read_bytes())
    except (OSError, ValueError):
        return {}
