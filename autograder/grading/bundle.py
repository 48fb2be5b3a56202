"""An assignment as the grader reads it: the Otter zip, packed or unpacked."""

import copy
import functools
import hashlib
import json
import types
import zipfile
from pathlib import Path

from otter.test_files.exception_test import ExceptionTestFile

from autograder.grading.asking import CaseFailed

KEYS = ("schema", "stage", "language", "version", "config_sha256", "sources_sha256", "max_score", "questions", "demo_cells",
        "limits", "isolation", "visibility", "texts", "hints")


class BundleError(Exception):
    """The assignment cannot be used; the text says what to do."""


class CaseFile(ExceptionTestFile):
    """Otter's test file; messages stand alone, and a fault of the grader is told apart from a failed case."""

    faults = ()
    # The same text is loaded for every submission; only its namespace must be fresh.
    _compile_string = staticmethod(functools.cache(ExceptionTestFile._compile_string))

    def run_part(self, environment, hidden):
        """Run the hidden or the public cases only and add their results."""
        part = copy.copy(self)
        part.test_cases = [case for case in self.test_cases if case.hidden == hidden]
        part.run(environment)
        self.test_case_results = self.test_case_results + part.test_case_results
        self.faults = part.faults

    def _generate_error_message(self, excp, context=0):
        if not isinstance(excp, CaseFailed):
            self.faults = (*self.faults, excp)
        return str(excp)


class Bundle:
    """One assignment: `data` is bundle.json, `case_files` makes fresh Otter test files by question.

    Everything that grading needs is read and loaded once here. Raises BundleError.
    """

    def __init__(self, path):
        path = Path(path)
        try:
            self._read(path)
            for question, case_file in self.case_files().items():
                if [case.name for case in case_file.test_cases] != [known["id"] for known in self.questions[question]]:
                    raise ValueError(f"tests/{question}.py holds other cases than bundle.json")
        except Exception as error:  # a damaged zip makes the library raise many things, a test file anything
            raise BundleError(f"{path.name} is not an assignment of this pack ({type(error).__name__}: {error}); "
                              "run `make release`") from None

    def _read(self, path):
        if path.is_dir():
            files = {p.relative_to(path).as_posix(): p.read_bytes() for p in [path / "bundle.json", *path.glob("tests/*.py")]}
            self.reference = path / "reference.ipynb"
        else:
            with zipfile.ZipFile(path) as archive:
                files = {name: archive.read(name) for name in archive.namelist()
                         if name in ("bundle.json", "reference.ipynb") or name.startswith("tests/")}
            self.reference = None
        self.data = json.loads(files["bundle.json"])
        missing = [key for key in KEYS if key not in self.data]
        if missing:
            raise ValueError(f"bundle.json lacks {', '.join(missing)}")
        self.stage = self.data["stage"]
        self.questions = self.data["questions"]
        self.texts = self.data["texts"]
        self.limits = types.SimpleNamespace(**self.data["limits"])
        self.max_score = self.data["max_score"]
        self._tests = {question: files[f"tests/{question}.py"].decode() for question in self.questions}
        self._memory = {}  # what cases compute from the reference alone, kept from one submission to the next

    def case_files(self):
        """{question: CaseFile}, freshly loaded, in the order of the questions."""
        return {question: self._load(question)[0] for question in self._tests}

    def setting(self, question):
        """What `Ask` needs to put questions of its own to a function: tolerances, texts, the reference."""
        return self._load(question)[1]

    def _load(self, question):
        case_file = CaseFile.from_string(self._tests[question], path=f"tests/{question}.py")
        setting = case_file.test_cases[0].body.test_func.__globals__["SETTING"]
        setting["memory"] = self._memory
        return case_file, setting

    def restricted_to(self, questions):
        """The same assignment with only some of its questions."""
        part = copy.copy(self)
        part.questions = {question: self.questions[question] for question in questions}
        part._tests = {question: self._tests[question] for question in questions}
        return part

    def cases_digest(self):
        """SHA-256 over the questions, their points and the test files."""
        return hashlib.sha256(json.dumps([self.questions, self._tests], sort_keys=True).encode()).hexdigest()

    def is_demo(self, source):
        """Whether a cell is an unchanged demo cell of the released notebook (by its text, never by its metadata)."""
        return hashlib.sha256(source.strip().encode()).hexdigest() in self.data["demo_cells"]
