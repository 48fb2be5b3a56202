"""What the tests share: the built release, and grading of notebooks made from it."""

import copy
import json
from pathlib import Path

import nbformat
import pytest

from autograder.grading.bundle import Bundle
from autograder.grading.grader import grade
from autograder.isolation.border import Zygote
from autograder.release.release import release_course

ROOT = Path(__file__).resolve().parents[1]
SECRETS = [ROOT / name for name in ("solutions", "autograder/hidden", "dist", "grading_config.yaml")]


@pytest.fixture(scope="session")
def released(tmp_path_factory):
    """A folder with student_release/ and dist/ built from the sources."""
    out = tmp_path_factory.mktemp("release")
    lines = []
    assert release_course(ROOT, out, lines.append) == 0, "\n".join(lines)
    return out


@pytest.fixture(scope="session")
def zygote():
    """One warm learner's side for all tests."""
    with Zygote() as warm:
        yield warm


@pytest.fixture(scope="session")
def bundles(released):
    """stage -> Bundle."""
    return {path.stem: Bundle(path) for path in sorted((released / "dist").glob("*.zip"))}


class Workbench:
    """Makes submissions out of the solved or the released notebook and grades them with the real grader."""

    def __init__(self, released, bundles, zygote, folder):
        self.released, self.bundles, self.zygote, self.folder = released, bundles, zygote, folder

    def notebook(self, stage, solved=True):
        """A fresh copy of the solved (or the untouched) notebook."""
        path = f"dist/solved/en/{stage}.ipynb" if solved else f"student_release/en/{stage}/{stage}.ipynb"
        return nbformat.read(self.released / path, as_version=4)

    def with_function(self, notebook, name, source):
        """A copy in which the cell that defines `name` holds `source` instead."""
        changed = copy.deepcopy(notebook)
        next(cell for cell in changed.cells if cell["id"] == f"stub-{name}")["source"] = source
        return changed

    def with_cell(self, notebook, source, position=None):
        """A copy with one more code cell, at the end or at a position."""
        changed = copy.deepcopy(notebook)
        changed.cells.insert(len(changed.cells) if position is None else position, nbformat.v4.new_code_cell(source))
        return changed

    def save(self, notebook, name="submission.ipynb"):
        """Write a notebook as a learner would hand it in."""
        path = self.folder / name
        nbformat.write(notebook, path)
        return path

    def grade(self, stage, submission, limits=None, questions=None):
        """The result of grading a notebook object or a path.

        limits: overrides some of the configuration's; questions: only these.
        """
        bundle = self.bundles[stage].restricted_to(questions or self.bundles[stage].questions)
        bundle.limits = copy.copy(bundle.limits)
        vars(bundle.limits).update(limits or {})
        path = submission if isinstance(submission, Path) else self.save(submission)
        return grade(bundle, self.zygote, path, "submission", SECRETS).result


@pytest.fixture
def bench(released, bundles, zygote, tmp_path):
    """A workbench with a folder of its own."""
    return Workbench(released, bundles, zygote, tmp_path)


def scores(result):
    """question -> score."""
    return {name: question["score"] for name, question in result["questions"].items()}


def case(result, case_id):
    """One case's entry by `question/name`."""
    question = case_id.split("/")[0]
    return next(c for c in result["questions"][question]["cases"] if c["id"].endswith("/" + case_id))


def text_of(result):
    """Everything in a result, as text."""
    return json.dumps(result, ensure_ascii=False)
