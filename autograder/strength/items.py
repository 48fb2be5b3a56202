"""What the cases are tried on: misconceptions, alternatives, degenerate answers and mutants, each one notebook cell."""

import ast
import dataclasses
import runpy
import textwrap

from autograder.config import ConfigError

DEGENERATE = {
    "none": "{name} = lambda *arguments: None",
    "first_argument": "{name} = lambda *arguments: arguments[0]",
    "always_value_error": "def {name}(*arguments):\n    raise ValueError('always')",
    "zeros": """\
def _zeros(value):
    if isinstance(value, tuple):
        return tuple(_zeros(item) for item in value)
    if isinstance(value, dict):
        return {{key: _zeros(item) for key, item in value.items()}}
    return '' if isinstance(value, str) else np.zeros_like(value)
_right_{name} = {name}
{name} = lambda *arguments: _zeros(_right_{name}(*arguments))""",
}
OUTCOMES = ("accept", "convert", "reject")


@dataclasses.dataclass(frozen=True)
class Item:
    """One answer to one question. `source` is a cell that defines it, to be run after the right answers are defined.

    kind: misconception, alternative, degenerate or mutant; expected: the outcome that an alternative must have.
    """

    kind: str
    question: str
    name: str
    source: str
    expected: str = ""

    @property
    def key(self):
        """What tells it from every other item of its stage."""
        return f"{self.kind} {self.name}"


def misconceptions(course, stage):
    """The known misconceptions of a stage. Raises ConfigError for names that fit no question or lack a hint."""
    return _from_module(course, stage, "autograder/misconceptions", "misconception")


def alternatives(course, stage):
    """Right answers in other styles, and near misses: the docstring's first word is the expected outcome."""
    return _from_module(course, stage, "tests/alternatives", "alternative")


def degenerate_answers(stage):
    """Answers that do nothing: they must earn nothing."""
    return [Item("degenerate", question, f"{question}__{kind}", source.format(name=question))
            for question in stage.questions for kind, source in DEGENERATE.items()]


def _from_module(course, stage, folder, kind):
    path = course.root / folder / f"{stage.name}.py"
    label = path.relative_to(course.root)
    if not path.is_file():
        raise ConfigError([f"{label}: missing; every stage has one"])
    module, values = AnswerModule(course.root, path), runpy.run_path(str(path))
    items, complaints = [], []
    for name in module.definitions:
        question = name.partition("__")[0]
        if "__" not in name or name.startswith("_"):
            continue
        if question not in stage.questions:
            complaints.append(f"{label}: {name}: {question!r} is no question of {stage.name}")
            continue
        expected = ""
        if kind == "alternative":
            expected = (values[name].__doc__ or "").partition(":")[0]
            if expected not in OUTCOMES:
                complaints.append(f"{label}: {name}: the docstring must begin with one of {', '.join(OUTCOMES)}")
        items.append(Item(kind, question, name, module.cell(name, question), expected))
    if complaints:
        raise ConfigError(complaints)
    return items


class AnswerModule:
    """A module of answers; `cell` gives one of them with everything that it needs, in a scope of its own."""

    def __init__(self, root, path):
        self.root = root
        self.imports, self.definitions = [], {}
        self._add(path)

    def _add(self, path):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("solutions."):
                self._add(self.root / (node.module.replace(".", "/") + ".py"))
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                self.imports.append(ast.unparse(node))
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                self.definitions[node.name] = [node]
            elif isinstance(node, ast.Assign):  # name = ..., or name.attribute = ... after it
                target = node.targets[0]
                name = target.value.id if isinstance(target, ast.Attribute) else target.id
                self.definitions.setdefault(name, []).append(node)

    def cell(self, name, question):
        """The source of a cell that defines `question` as the answer called `name`."""
        needed, frontier = set(), [name]
        while frontier:
            current = frontier.pop()
            if current in self.definitions and current not in needed:
                needed.add(current)
                frontier += [node.id for top in self.definitions[current] for node in ast.walk(top) if isinstance(node, ast.Name)]
        lines = [*dict.fromkeys(self.imports),
                 *(ast.unparse(node) for key, nodes in self.definitions.items() if key in needed for node in nodes)]
        body = textwrap.indent("\n".join([*lines, f"return {name}"]), "    ")
        return f"def _{name}():\n{body}\n{question} = _{name}()"
