"""grading_config.yaml as typed objects: loaded once, checked as a whole, every complaint with file and key."""

from pathlib import Path
from typing import Annotated, Literal

import pydantic
import yaml

CONFIG_FILE = "grading_config.yaml"
Positive = Annotated[float, pydantic.Field(gt=0)]
PositiveInt = Annotated[int, pydantic.Field(gt=0)]
Visibility = Literal["visible", "hidden", "after_due_date", "after_published"]


class ConfigError(Exception):
    """What is wrong with the configuration or the sources, one complaint a line, ready to print."""

    def __init__(self, complaints):
        self.complaints = list(complaints)
        super().__init__("\n".join(self.complaints))


class _Section(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", strict=True, frozen=True)


class Course(_Section):
    """The course as students read it."""

    name: str


class Tolerances(_Section):
    """Limits of the comparisons; see the comments in grading_config.yaml."""

    relative: Positive
    absolute_floor: Positive
    entrywise_relative: Positive
    sigmoid_absolute: Positive
    gradient_check: Positive


class Limits(_Section):
    """What a submission may use: seconds, MB, calls."""

    cell_seconds: Positive
    notebook_seconds: Positive
    call_seconds: Positive
    submission_seconds: Positive
    memory_mb: PositiveInt
    file_mb: PositiveInt
    message_mb: PositiveInt
    callback_calls: PositiveInt


class Isolation(_Section):
    """The least confinement that grading accepts: `files` (the pack is closed to submissions) or `process`."""

    minimum: Literal["files", "process"]


class VisibilityOf(_Section):
    """When Gradescope shows what to students."""

    public_cases: Visibility
    hidden_cases: Visibility
    stdout: Visibility
    hints_of_hidden_cases: bool


class Question(_Section):
    """Points of one question (a multiple of 0.25) and the share of them that public cases give."""

    points: Positive
    public_share: Annotated[float, pydantic.Field(gt=0, lt=1)]

    @pydantic.field_validator("points")
    @classmethod
    def _quarter(cls, points):
        if not (points * 4).is_integer():
            raise ValueError(f"points must be a multiple of 0.25, found {points}")
        return points


class Stage(_Section):
    """One assignment: the hours a student needs and its questions in the notebook's order."""

    hours: Positive
    questions: Annotated[dict[str, Question], pydantic.Field(min_length=1)]


class Config(_Section):
    """The whole of grading_config.yaml."""

    course: Course
    language: str
    seed: Annotated[int, pydantic.Field(ge=0)]
    tolerances: Tolerances
    limits: Limits
    isolation: Isolation
    visibility: VisibilityOf
    stages: Annotated[dict[str, Stage], pydantic.Field(min_length=1)]


def load_config(root):
    """Read `root`/grading_config.yaml. Raises ConfigError with one line per complaint: file, key, what was found."""
    try:
        return Config.model_validate(read_yaml(root, CONFIG_FILE))
    except pydantic.ValidationError as error:
        raise ConfigError([_complaint(item) for item in error.errors()]) from None


class _UniqueKeys(yaml.SafeLoader):
    """Refuses a mapping that has one key twice, where YAML would silently keep the last."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value if not key.tag.endswith(":merge")]
        for position, key in enumerate(keys):
            if key in keys[:position]:
                mark = node.value[position][0].start_mark
                raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} stands twice", mark)
        return super().construct_mapping(node, deep)


def read_yaml(root, name):
    """The content of a YAML file of the course. Raises ConfigError with its name and what is wrong."""
    try:
        return yaml.load((Path(root) / name).read_text(encoding="utf-8"), Loader=_UniqueKeys)
    except OSError as error:
        raise ConfigError([f"{name}: cannot be read ({error.strerror}); restore it from the repository"]) from None
    except Exception as error:  # a broken file makes the library raise many things
        raise ConfigError([f"{name}: not valid YAML: {error}"]) from None


def _complaint(item):
    key = ".".join(str(part) for part in item["loc"]) or "(top level)"
    text = {"extra_forbidden": "unknown key; remove it or correct its spelling",
            "missing": "missing key"}.get(item["type"], item["msg"].removeprefix("Value error, "))
    found = "" if item["type"] in ("missing", "value_error") else f", found {str(item['input'])[:60]!r}"
    return f"{CONFIG_FILE}: {key}: {text}{found}"


def split_points(question, public, hidden):
    """Points of each public and each hidden case, in quarters: as even as possible, earlier cases get the rest.

    Returns two lists. Raises ValueError when there are fewer quarters than cases.
    """
    quarters = round(question.points * 4)
    if quarters < public + hidden:
        raise ValueError(f"{question.points:g} points for {public + hidden} cases; every case needs at least 0.25")
    for_public = min(max(round(quarters * question.public_share), public), quarters - hidden)
    return [[(total // count + (position < total % count)) / 4 for position in range(count)]
            for total, count in ((for_public, public), (quarters - for_public, hidden))]
