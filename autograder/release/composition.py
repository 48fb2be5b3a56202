"""Composes authored cases into Otter test files: the grader's (public and hidden) and the released one (public).

Authors write `@test_case(name="x")` over `def x(ask)` and helper functions, nothing else. The build renames helpers,
makes each case resolve its function first, and writes the header and the points; the result is loaded through Otter.
"""

import ast
import math
import re
from pathlib import Path

import numpy as np

from autograder.grading.checks import Opaque

PUBLIC_IMPORTS = {"import numpy as np", "from otter.test_files import test_case"}
HIDDEN_PACKAGES = ("numpy", "solutions", "otter.test_files")
DIGITS, NOISE = 12, 1e-14
MACHINERY = ("checks.py", "asking.py")


class CompositionError(Exception):
    """A case file that breaks the rules for authors; the text names file, line and rule."""


class CaseSource:
    """One authored file, public or hidden, parsed and checked. `names` are its cases in order."""

    def __init__(self, path, root, hidden):
        self.label = str(Path(path).relative_to(root))
        self.hidden = hidden
        self.prefix = "hidden" if hidden else "public"
        try:
            self.text = Path(path).read_text(encoding="utf-8")
            self.text.encode("ascii")
            tree = ast.parse(self.text)
            if re.search(r"[\t\v\f\r\x1c-\x1f]", self.text):
                raise SyntaxError("a tab or another control character")
        except (UnicodeError, SyntaxError) as error:
            raise CompositionError(f"{self.label}: not plain ASCII Python: {error}") from None
        self.imports, self.helpers, self.cases = [], [], []
        for position, node in enumerate(tree.body):
            self._sort(node, position)
        self.names = [node.name for node in self.cases]
        seen = {}
        for node in sorted(self.cases + self.helpers, key=lambda node: node.lineno):
            if node.name in seen:
                self._reject(node, f"two functions named {node.name!r}, the other in line {seen[node.name]}")
            seen[node.name] = node.lineno
        for node in self.cases + self.helpers:
            self._check_body(node, {helper.name for helper in self.helpers})

    def _sort(self, node, position):
        if position == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self._check_import(node)
            if getattr(node, "module", "") != "otter.test_files":
                self.imports.append(node)
        elif isinstance(node, ast.FunctionDef) and not node.decorator_list:
            self.helpers.append(node)
        elif isinstance(node, ast.FunctionDef):
            self._check_case(node)
            self.cases.append(node)
        elif isinstance(node, ast.Assign) and {"name", "points", "OK_FORMAT"} & {getattr(t, "id", "") for t in node.targets}:
            self._reject(node, "sets name, points or OK_FORMAT; the build writes them from grading_config.yaml")
        else:
            self._reject(node, "module state; only imports, helper functions and cases may stand here")

    def _check_case(self, node):
        call = node.decorator_list[0]
        is_case = (len(node.decorator_list) == 1 and isinstance(call, ast.Call) and getattr(call.func, "id", "") == "test_case"
                   and not call.args)
        if not is_case:
            self._reject(node, f"{node.name!r} must have the one decorator @test_case(name=...)")
        given = {keyword.arg: getattr(keyword.value, "value", None) for keyword in call.keywords}
        if set(given) != {"name"}:
            self._reject(node, f"{node.name!r}: test_case takes only name here; points, hidden and messages come from the build")
        if "__" in node.name:
            self._reject(node, f"the case {node.name!r} has two underscores in a row, which the build uses itself")
        if given["name"] != node.name:
            self._reject(node, f"the case {given['name']!r} and its function {node.name!r} must have one name")
        if ast.unparse(node.args) != "ask":
            self._reject(node, f"{node.name!r} must take the one parameter ask")

    def _check_import(self, node):
        text = ast.unparse(node)
        if not self.hidden and text not in PUBLIC_IMPORTS:
            self._reject(node, f"{text!r}; a public file may hold only {' and '.join(sorted(PUBLIC_IMPORTS))}")
        from_module = isinstance(node, ast.ImportFrom)
        modules = ["." * node.level + (node.module or "")] if from_module else [alias.name for alias in node.names]
        for module in modules:
            if not any(module == package or module.startswith(package + ".") for package in HIDDEN_PACKAGES):
                self._reject(node, f"imports {module!r}; allowed: {', '.join(HIDDEN_PACKAGES)}")
        if any(alias.name == "*" for alias in node.names):
            self._reject(node, "imports *; name what is needed")

    def _check_body(self, function, helpers):
        """Plain functions: no imports, no lasting state, and no local name that hides a helper (helpers are renamed)."""
        body = function.body[1:] if ast.get_docstring(function) is not None else function.body
        if not body or body[0].lineno == function.lineno or body[0].col_offset != 4:
            self._reject(function, f"{function.name!r} needs a body on lines of its own, four spaces in")
        for node in ast.walk(function):
            if isinstance(node, (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)):
                self._reject(node, f"{ast.unparse(node)!r} inside a function; imports stand at the top, and nothing is kept")
            if self._bound_name(node, function) in helpers:
                name = self._bound_name(node, function)
                self._reject(node, f"{name!r} is a helper's name and a local name in {function.name!r}; rename one")
            if isinstance(node, ast.arguments):
                for default in [*node.defaults, *filter(None, node.kw_defaults)]:
                    if not _is_constant(default):
                        self._reject(default, "a default that keeps state between calls; create it inside")

    @staticmethod
    def _bound_name(node, function):
        """The name that a node binds inside a function, or None."""
        if isinstance(node, ast.Name):
            return node.id if isinstance(node.ctx, ast.Store) else None
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return node.name if node is not function else None
        places = {ast.arg: "arg", ast.ExceptHandler: "name", ast.MatchAs: "name", ast.MatchStar: "name", ast.MatchMapping: "rest"}
        return getattr(node, places[type(node)]) if type(node) in places else None

    def _reject(self, node, rule):
        raise CompositionError(f"{self.label}:{node.lineno}: {rule}")

    def composed(self, prefix_of_ids, success_messages):
        """The file's functions as text: helpers renamed, cases turned into Otter cases, all else as it was written."""
        functions = [self._renamed(node.lineno, node) for node in self.helpers]
        kind = "HiddenAsk" if self.hidden else "Ask"
        for node in self.cases:
            case_id = f"{prefix_of_ids}/{node.name}"
            message = success_messages.get(node.name)
            note = f", success_message={message!a}" if message else ""
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            functions.append("\n".join([
                f"@test_case(name={case_id!r}, hidden={self.hidden}{note})", f"def {node.name}(env):",
                f"    ask = {kind}(env, {case_id!r}, SETTING)", self._renamed(_first_line(body[0]), node)]))
        return functions

    def _renamed(self, first_line, function):
        """The source of a function from a line on, with the names of helpers prefixed.

        A double underscore keeps helpers apart from cases, whose names must not hold one.
        """
        names = {node.name for node in self.helpers}
        lines = self.text.split("\n")[:function.end_lineno]
        used = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id in names]
        places = [(node.lineno, node.col_offset) for node in used]
        if function in self.helpers:
            places.append((function.lineno, re.match(r"def\s+", lines[function.lineno - 1]).end()))
        for line, column in sorted(places, reverse=True):
            lines[line - 1] = f"{lines[line - 1][:column]}{self.prefix}__{lines[line - 1][column:]}"
        return "\n".join(lines[first_line - 1:])


def _first_line(statement):
    return min([statement.lineno, *(decorator.lineno for decorator in getattr(statement, "decorator_list", ()))])


def _is_constant(node):
    """Whether a default is a number, a string, None, a name, or a tuple of such."""
    if isinstance(node, ast.Tuple):
        return all(map(_is_constant, node.elts))
    if isinstance(node, ast.UnaryOp):
        return _is_constant(node.operand)
    return isinstance(node, (ast.Constant, ast.Name, ast.Attribute))


def compose(stage, question, points, setting, success_message):
    """The grader's file of one question as text: public cases, then hidden ones, with all their points.

    setting: JSON-like dict for Ask (seed, tolerances, texts, parameters); points: one number per case.
    """
    public, hidden = stage.cases[question]
    prefix = f"{stage.name}/{question}"
    functions = public.composed(prefix, {public.names[-1]: success_message}) + hidden.composed(prefix, {})
    imports = ["import numpy as np", "from otter.test_files import test_case",
               "from autograder.grading.asking import Ask, computed", "from autograder.grading.differences import HiddenAsk",
               f"from solutions.{stage.name} import {question} as REFERENCE"]
    imports += [line for line in (ast.unparse(node) for node in public.imports + hidden.imports) if line not in imports]
    return "\n".join([
        f'"""Public and hidden cases of {question}, composed by the build."""', *imports, "",
        f"SETTING = {{**{setting!a}, 'reference': REFERENCE, 'oracle': computed}}", "",
        *_spaced(functions), *_header(question, points)])


def compose_released(stage, question, points, setting, success_message, answers, hints):
    """The student's file of one question as text: public cases, the recorded answers, and the machinery inlined.

    answers: case id -> values that the reference gave, in the order of asking; hints: case id -> [(hint, the answers
    to which it is given)].
    """
    public, _ = stage.cases[question]
    functions = public.composed(f"{stage.name}/{question}", {public.names[-1]: success_message})
    machinery, imports = _machinery(stage.root / "autograder" / "grading")
    return "\n".join([
        f'"""Public checks of {question}. The cases come first, then recorded answers, then the comparisons."""', *imports,
        "from otter.test_files import test_case", "", *_spaced(functions),
        *_table("ANSWERS", answers), *_table("HINTS", hints),
        machinery, "", f"SETTING = {{**{setting!a}, 'oracle': recorded(ANSWERS), 'hints': HINTS}}", "",
        *_header(question, points)])


def _table(name, entries):
    return [f"{name} = {{", *[f"    {key!a}: {_literal(value)}," for key, value in entries.items()], "}", ""]


def _header(question, points):
    return ["OK_FORMAT = False", f"name = {question!r}", f"points = {points!r}", ""]


def _spaced(functions):
    return [function + "\n\n" for function in functions]


def _machinery(folder):
    """The source of the modules that released cases need, without their imports, and those imports."""
    parts, imports = [], []
    for name in MACHINERY:
        text = (folder / name).read_text(encoding="utf-8")
        lines = text.splitlines()
        for node in ast.parse(text).body[1:]:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                line = ast.unparse(node)
                if not line.startswith("from autograder.") and line not in imports:
                    imports.append(line)
                for number in range(node.lineno - 1, node.end_lineno):
                    lines[number] = ""
        parts.append("\n".join(lines[ast.parse(text).body[0].end_lineno:]).strip())
    return "\n\n\n".join(parts).replace("\n\n\n\n", "\n\n\n"), imports


def _literal(value):
    """Python source of recorded values, dtypes kept, floats to twelve digits.

    The last bits differ between processors and numpy versions; the released files must not.
    """
    if isinstance(value, np.ndarray):
        return f"np.array({_plain_literal(_steady(value).tolist())}, dtype={value.dtype.str!r}).reshape({value.shape!r})"
    if isinstance(value, np.generic):
        return _literal(value.item())
    if isinstance(value, Opaque):
        return f"Opaque({value.type_name!a})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        text = ", ".join(map(_literal, value))
        return f"[{text}]" if isinstance(value, list) else f"({text}{',' if len(value) == 1 else ''})"
    return _plain_literal(value)


def _plain_literal(value):
    if isinstance(value, list):
        return f"[{', '.join(map(_plain_literal, value))}]"
    if isinstance(value, float):
        return repr(float(f"{value:.{DIGITS - 1}e}")) if math.isfinite(value) else f"float({str(value)!r})"
    return ascii(value)


def _steady(array):
    """The array with entries that are rounding noise beside its largest one set to zero."""
    if array.dtype.kind != "f":
        return array
    size = np.abs(array)
    noise = size < NOISE * np.max(size, initial=0.0, where=np.isfinite(size))
    return np.where(noise, 0.0, array).astype(array.dtype)
