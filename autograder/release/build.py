"""`make release`: sources in, notebooks and zips out, proven before anything old is replaced."""

import dataclasses
import json

import numpy as np
from otter.test_files.exception_test import ExceptionTestFile

from autograder import __version__, files
from autograder.config import CONFIG_FILE, split_points
from autograder.grading.asking import CaseFailed, computed
from autograder.grading.diagnosis import fresh, misconceptions
from autograder.release import composition, leaks, notebooks
from autograder.release.stubs import SourceError

PACKAGE_FILES = ("__init__.py", "__main__.py", "cli.py", "files.py", "grading/*.py", "evidence/*.py", "evidence/*.json",
                 "misconceptions/*.py", "isolation/*.py", "isolation/learner/*.py")
LARGEST_RECORD = 100
OTTER_CONFIG = {"plugins": ["autograder.grading.plugin.IsolationPlugin"], "show_stdout": False, "show_hidden": False,
                "print_summary": True}


@dataclasses.dataclass
class Release:
    """Built files: `student` {name below student_release: bytes}, `dist` {name below dist: bytes}."""

    student: dict
    dist: dict


def build(course):
    """Build every stage in every language that has sources. Raises SourceError, CompositionError or ConfigError."""
    release = Release({}, {})
    sources = files.sources_digest(course.root)
    for stage in course.stages.values():
        for language in course.languages:
            if stage.notebook_path(language).is_file():
                _build_stage(course, stage, language, sources, release)
    release.student["MANIFEST.sha256"] = files.manifest(release.student)
    return release


def check_leaks(course, release):
    """Complaints about anything in the released files that students must not get."""
    provided = {stage.name: notebooks.provided_functions(stage) for stage in course.stages.values()}
    secrets, allowed = {}, {}
    for stage in course.stages.values():
        secrets |= leaks.secrets_of(stage)
        allowed[stage.name] = set()
    answers = {what: pieces for what, pieces in secrets.items() if what.startswith("the answer of ")}
    complaints = []
    for stage in course.stages.values():
        given = set().union(*(answers.get(f"the answer of {name}", set()) for name in provided[stage.name]))
        own = {name: data for name, data in release.student.items() if f"/{stage.name}/" in f"/{name}"}
        complaints += leaks.find_leaks(own, secrets, given)
    rest = {name: data for name, data in release.student.items() if not any(f"/{s}/" in f"/{name}" for s in course.stages)}
    return complaints + leaks.find_leaks(rest, secrets)


def _build_stage(course, stage, language, sources, release):
    released = notebooks.build_notebook(course, stage, language, solved=False)
    solved = notebooks.build_notebook(course, stage, language, solved=True)
    texts = course.texts(language)
    composed, public, cases = {}, {}, {}
    for question in stage.questions:
        composed[question], public[question], cases[question] = _question(course, stage, question, texts)
    folder = f"{language}/{stage.name}"
    student = {f"{stage.name}.ipynb": released.encode(),
               "support.py": (course.root / "assignments" / "support.py").read_bytes(),
               "requirements.txt": (course.root / "assignments" / "requirements.txt").read_bytes(),
               **{f"tests/{question}.py": text.encode() for question, text in public.items()}}
    release.student |= {f"{folder}/{name}": data for name, data in student.items()}
    release.dist[f"solved/{folder}.ipynb"] = solved.encode()
    release.dist[f"student/{folder}.zip"] = files.zip_bytes({f"{stage.name}/{name}": data for name, data in student.items()})
    if language == course.config.language:
        bundle = _bundle(course, stage, language, cases, notebooks.demo_cells(released), sources)
        release.dist[f"{stage.name}.zip"] = _otter_zip(course, stage, composed, bundle, solved)


def _question(course, stage, question, texts):
    """(composed text, released text, list of cases) of one question; both texts are loaded through Otter and checked."""
    public, hidden = stage.cases[question]
    titles = {f"{question}/{name}": texts["cases"][f"{question}/{name}"] for name in public.names + hidden.names}
    points = split_points(stage.config.questions[question], len(public.names), len(hidden.names))
    setting = {"seed": course.config.seed, "tolerances": course.config.tolerances.model_dump(),
               "texts": {"checks": texts["checks"], "cases": titles}, "parameters": stage.parameters(question)}
    message = texts["grader"]["public_passed"].format(hidden=len(hidden.names))
    composed = composition.compose(stage, question, points[0] + points[1], setting, message)
    ids = [f"{stage.name}/{question}/{name}" for name in public.names + hidden.names]
    _load(composed, question, ids, points[0] + points[1])
    answers = _record(composed, question, len(public.names), getattr(stage.solutions, question))
    public_titles = {key: titles[key] for key in list(titles)[:len(public.names)]}
    hints = _record_hints(stage, question, composed, answers, texts["hints"])
    visible = {**setting, "texts": {"checks": texts["checks"], "cases": public_titles}}
    released = composition.compose_released(stage, question, points[0], visible, message, answers, hints)
    file = _load(released, question, ids[:len(public.names)], points[0])
    file.run({question: getattr(stage.solutions, question)})
    for result in file.test_case_results:
        if not result.passed:
            raise SourceError(f"{public.label}: the released case {result.test_case.name} fails for the reference:\n"
                              f"{result.message}")
    cases = [{"id": case_id, "title": titles[case_id.split("/", 1)[1]], "hidden": position >= len(public.names), "points": value}
             for position, (case_id, value) in enumerate(zip(ids, points[0] + points[1]))]
    return composed, released, cases


def _load(text, question, ids, points):
    """Load a composed file as Otter does and make sure that Otter sees the same cases and points."""
    text.encode("ascii")
    file = ExceptionTestFile.from_string(text, path=f"{question}.py")
    found = [(case.name, case.points) for case in file.test_cases]
    if file.name != question or found != list(zip(ids, points)):
        raise SourceError(f"{question}: Otter reads {found}, the build wrote {list(zip(ids, points))}")
    return file


def _record(composed, question, count, reference):
    """Run the public cases on the reference and keep what they ask it for: {case id: values}."""
    file = ExceptionTestFile.from_string(composed, path=f"{question}.py")
    answers = {}

    def recorder(case):
        kept, compute_now = answers.setdefault(case, []), computed(case)

        def oracle(compute):
            kept.append(compute_now(compute))
            return kept[-1]
        return oracle

    for case in file.test_cases[:count]:
        case.body.test_func.__globals__["SETTING"]["oracle"] = recorder
        try:
            case.body.call_func({question: reference})
        except Exception as error:
            raise SourceError(f"the public case {case.name} fails for the reference: {type(error).__name__}: {error}") from None
    return answers


def _record_hints(stage, question, composed, recorded, texts):
    """{case id: [(hint, answers)]}: what each misconception answers in the public cases that it fails, if that is small.

    A case that takes nothing from the reference judges behaviour (the size of a rounding error, say): answers to it are not
    to be compared digit by digit, and differ between processors.
    """
    file = ExceptionTestFile.from_string(composed, path=f"{question}.py")
    found = {}
    for name, function in misconceptions(stage.name, question).items():
        for case in [case for case in file.test_cases if recorded.get(case.name)]:
            try:
                with np.errstate(all="ignore"):
                    case.body.call_func({question: fresh(function)})
            except CaseFailed as failure:
                answers = failure.answers
            except Exception as error:
                raise SourceError(f"the public case {case.name} stumbles over {name}: {type(error).__name__}: {error}") from None
            else:
                continue
            if sum(np.size(part) for _, result, _ in answers for part in _parts(result)) <= LARGEST_RECORD:
                found.setdefault(case.name, []).append((texts.get(name, ""), answers))
    return found


def _parts(value):
    if isinstance(value, dict):
        value = list(value.values())
    return [part for item in value for part in _parts(item)] if isinstance(value, (list, tuple)) else [value]


def _bundle(course, stage, language, cases, demos, sources):
    """Everything the grader needs to know besides the test files, as JSON."""
    config = course.config
    data = {"schema": "seqprehistory.bundle.v1", "stage": stage.name, "language": language, "version": __version__,
            "config_sha256": files.digest((course.root / CONFIG_FILE).read_bytes()), "sources_sha256": sources,
            "max_score": sum(case["points"] for listed in cases.values() for case in listed), "questions": cases,
            "demo_cells": sorted(files.digest(text.strip().encode()) for text in demos),
            "limits": config.limits.model_dump(), "isolation": config.isolation.minimum,
            "visibility": config.visibility.model_dump(), "texts": course.texts(language)["grader"],
            "hints": {name: hint for name, hint in course.texts(language)["hints"].items() if name.split("__")[0] in cases}}
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


def _otter_zip(course, stage, composed, bundle, solved):
    """The zip that Gradescope and Otter run: our grader, the test files, the reference, and Otter's own entry points."""
    package = course.root / "autograder"
    packed = {"bundle.json": bundle, "otter_config.json": (json.dumps(OTTER_CONFIG, indent=1) + "\n").encode(),
             "reference.ipynb": solved.encode()}
    packed |= {f"tests/{question}.py": text.encode() for question, text in composed.items()}
    for pattern in PACKAGE_FILES:
        for path in sorted(package.glob(pattern)):
            packed[f"autograder/{path.relative_to(package).as_posix()}"] = path.read_bytes()
    for path in sorted((course.root / "solutions").glob("*.py")):
        packed[f"solutions/{path.name}"] = path.read_bytes()
    for path in sorted((package / "gradescope").iterdir()):
        if path.is_file():
            packed[path.name] = path.read_bytes()
    # The image that `otter grade` builds gets nothing of the zip but Otter's own names and files/.
    inner = {name: data for name, data in packed.items()
             if name.startswith(("autograder/", "solutions/")) or name in ("bundle.json", "reference.ipynb")}
    packed["files/pack.zip"] = files.zip_bytes(inner)
    return files.zip_bytes(packed, executable=("setup.sh", "run_autograder"))
