"""The course's sources: where they lie, which stages and languages exist, and whether config and cases agree."""

import functools
import importlib
import inspect
from pathlib import Path

from autograder.config import ConfigError, load_config, read_yaml, split_points
from autograder.release.composition import CaseSource, CompositionError

TEXT_SECTIONS = ("checks", "grader", "notebook", "cases", "hints")


class _Cases(dict):
    """Reads a question's case files when they are first asked for; raises CompositionError."""

    def __init__(self, stage):
        super().__init__()
        self.stage = stage

    def __missing__(self, question):
        sources = [CaseSource(self.stage.case_path(question, hidden), self.stage.root, hidden) for hidden in (False, True)]
        return self.setdefault(question, tuple(sources))


class Stage:
    """The sources of one stage. Paths exist or are named in a ConfigError by :func:`load_course`."""

    def __init__(self, root, name, config):
        self.root = root
        self.name = name
        self.config = config
        self.folder = root / "assignments" / name
        self.cases = _Cases(self)  # question -> (public CaseSource, hidden CaseSource)

    @property
    def questions(self):
        """The questions' names in the order of the notebook."""
        return list(self.config.questions)

    @functools.cached_property
    def solutions(self):
        """The module of reference functions."""
        return importlib.import_module(f"solutions.{self.name}")

    @property
    def solutions_path(self):
        """The source file of the reference functions."""
        return self.root / "solutions" / f"{self.name}.py"

    def notebook_path(self, language):
        """The Markdown source of the notebook in one language."""
        return self.folder / f"notebook.{language}.md"

    def case_path(self, question, hidden):
        """The source file of a question's public or hidden cases."""
        if hidden:
            return self.root / "autograder" / "hidden" / self.name / f"{question}.py"
        return self.folder / "public" / f"{question}.py"

    def parameters(self, question):
        """The names of a question's parameters, in order."""
        return list(inspect.signature(getattr(self.solutions, question)).parameters)


class Course:
    """Everything the build and the grader read: the configuration, the stages, the texts."""

    def __init__(self, root, config):
        self.root = root
        self.config = config
        self.stages = {name: Stage(root, name, stage) for name, stage in config.stages.items()}

    @functools.cached_property
    def languages(self):
        """The languages that have texts, in order."""
        return sorted(path.name.split(".")[1] for path in (self.root / "assignments").glob("messages.*.yaml"))

    @functools.cached_property
    def _texts(self):
        found = {language: read_yaml(self.root, f"assignments/messages.{language}.yaml") for language in self.languages}
        complaints = [f"assignments/messages.{language}.yaml: {section}: missing section"
                      for language, texts in found.items() for section in TEXT_SECTIONS
                      if not isinstance(texts, dict) or not isinstance(texts.get(section), dict)]
        if complaints:
            raise ConfigError(complaints)
        return found

    def texts(self, language):
        """Every student-visible text of one language, by section and key."""
        return self._texts[language]


def load_course(root):
    """Load the configuration and hold the sources against it. Raises ConfigError with every complaint at once."""
    root = Path(root).resolve()
    course = Course(root, load_config(root))
    complaints = []
    if course.config.language not in course.languages:
        complaints.append(f"grading_config.yaml: language: no assignments/messages.{course.config.language}.yaml")
    for stage in course.stages.values():
        complaints += _complaints_of_stage(course, stage)
    if complaints:
        raise ConfigError(complaints)
    return course


def _complaints_of_stage(course, stage):
    key = f"grading_config.yaml: stages.{stage.name}"
    needed = [stage.solutions_path, stage.notebook_path(course.config.language), stage.folder / "examples.py"]
    missing = [path for path in needed if not path.is_file()]
    if missing:
        return [f"{key}: the source {path.relative_to(course.root)} does not exist" for path in missing]
    try:
        vars(stage.solutions)
    except Exception as error:
        return [f"solutions/{stage.name}.py: cannot be imported: {type(error).__name__}: {error}"]
    complaints = []
    for question, settings in stage.config.questions.items():
        if not callable(getattr(stage.solutions, question, None)):
            complaints.append(f"{key}.questions.{question}: {stage.solutions_path.relative_to(course.root)} has no such function")
            continue
        absent = [path for path in (stage.case_path(question, hidden) for hidden in (False, True)) if not path.is_file()]
        complaints += [f"{key}.questions.{question}: no cases, {path.relative_to(course.root)} does not exist" for path in absent]
        if absent:
            continue
        try:
            public, hidden = stage.cases[question]
        except CompositionError as error:
            complaints.append(str(error))
            continue
        if len(hidden.names) < 2:
            complaints.append(f"{hidden.label}: {len(hidden.names)} hidden case(s); a question needs at least 2")
        if not public.names:
            complaints.append(f"{public.label}: no public case; a question needs at least 1")
        twice = set(public.names) & set(hidden.names)
        complaints += [f"{hidden.label}: the case {name!r} exists among the public cases too" for name in sorted(twice)]
        try:
            if public.names and hidden.names:
                split_points(settings, len(public.names), len(hidden.names))
        except ValueError as error:
            complaints.append(f"{key}.questions.{question}.points: {error}")
        for language in course.languages:
            titles = course.texts(language)["cases"]
            complaints += [f"assignments/messages.{language}.yaml: cases.{question}/{name}: missing title"
                           for name in public.names + hidden.names if f"{question}/{name}" not in titles]
    for folder in (stage.folder / "public", course.root / "autograder" / "hidden" / stage.name):
        strays = sorted(path for path in folder.glob("*.py") if path.stem not in stage.config.questions)
        complaints += [f"{path.relative_to(course.root)}: cases without a question; add {path.stem} to "
                       f"stages.{stage.name}.questions" for path in strays]
    return complaints
