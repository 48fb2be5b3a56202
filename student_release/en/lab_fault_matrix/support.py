"""Helpers for this notebook. Put this file and the folder tests/ beside the notebook.

Importing it adds the cell magic `%%needs name ...`: the cell runs only once these functions pass their public checks, so
that the notebook runs from top to bottom at any time.
"""

from pathlib import Path

from IPython import get_ipython
from otter.test_files.exception_test import ExceptionTestFile

_passed = {}  # name -> the function object that passed, so that unchanged functions are not checked again


def is_solved(name, namespace):
    """Whether the function `name` of the namespace passes its public checks."""
    function = namespace.get(name)
    if function is None or _passed.get(name) is function:
        return function is not None
    checks = ExceptionTestFile.from_file(str(Path("tests") / f"{name}.py"))
    checks.run(namespace)
    if checks.passed_all:
        _passed[name] = function
    return checks.passed_all


def needs(line, cell):
    """The cell magic: run the cell, or say which functions it waits for."""
    shell = get_ipython()
    open_questions = [name for name in line.split() if not is_solved(name, shell.user_ns)]
    if open_questions:
        print(f"This cell runs once these functions pass their checks: {', '.join(open_questions)}")
    else:
        shell.run_cell(cell).raise_error()


if get_ipython() is not None:
    get_ipython().register_magic_function(needs, "cell")
