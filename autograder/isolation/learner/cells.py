"""Runs the cells of a notebook as plain code, without a shell: magics and notebook helpers do no harm and little work."""

import ast
import builtins
import codeop
import importlib
import importlib.abc
import importlib.util
import inspect
import signal
import sys
import threading
import types

from IPython.core.inputtransformer2 import TransformerManager

OUTPUT_LIMIT = 20_000
RUN_BODY = {"time", "timeit", "capture", "needs", "prun"}
STAND_INS = {"otter", "support", "google.colab", "ipywidgets"}


class CellTimeout(BaseException):
    """A cell ran longer than it may; not an Exception, so that a bare `except Exception` does not keep it."""


class CappedOutput:
    """A text stream that keeps the first characters and drops the rest."""

    encoding = "utf-8"

    def __init__(self):
        self.text = ""

    def write(self, text):
        if len(self.text) < OUTPUT_LIMIT:
            self.text += str(text)[:OUTPUT_LIMIT - len(self.text)]
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        pass

    def isatty(self):
        return False

    def fileno(self):
        return 1


class Nothing:
    """Stands in for a notebook helper: every attribute and every call gives itself again."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args, **kwargs):
        return self

    def __iter__(self):
        return iter(())

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


class StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports of the packages that only mean something in a student's notebook give empty modules."""

    def find_spec(self, name, path=None, target=None):
        if any(name == known or name.startswith(known + ".") or known.startswith(name + ".") for known in STAND_INS):
            return importlib.util.spec_from_loader(name, self, is_package=True)
        return None

    def create_module(self, spec):
        module = types.ModuleType(spec.name)
        module.__getattr__ = Nothing().__getattr__
        return module

    def exec_module(self, module):
        pass


class LazyPlots(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports matplotlib only when something of it is used: most submissions never draw in cells that are graded."""

    lazy = ("matplotlib", "matplotlib.pyplot")

    def find_spec(self, name, path=None, target=None):
        if name in self.lazy:
            return importlib.util.spec_from_loader(name, self, is_package=True)
        if name.startswith("matplotlib."):
            self.real("matplotlib")
            return importlib.util.find_spec(name)
        return None

    def create_module(self, spec):
        module = types.ModuleType(spec.name)

        def forward(attribute):
            if attribute.startswith("__"):
                raise AttributeError(attribute)
            return getattr(self.real(spec.name), attribute)

        module.__getattr__ = forward
        return module

    def exec_module(self, module):
        pass

    def real(self, name):
        """Take the place holders away and import the real module."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)
            for known in self.lazy:
                sys.modules.pop(known, None)
        return importlib.import_module(name)


class Shell(Nothing):
    """What get_ipython() gives: line magics and shell commands do nothing, some cell magics run their body."""

    def __init__(self, notebook):
        self._notebook = notebook
        self.user_ns = notebook.namespace

    def run_line_magic(self, name, line, *rest, **kwargs):
        if name in ("time", "timeit"):
            self._notebook.execute(line)

    def run_cell_magic(self, name, line, cell):
        if name == "writefile":
            with open(line.replace("-a", "", 1).strip(), "a" if line.startswith("-a") else "w", encoding="utf-8") as file:
                file.write(cell)
        elif name in RUN_BODY:
            self._notebook.run_source(cell)

    def system(self, command):
        pass

    def getoutput(self, command, *args, **kwargs):
        return []


class Notebook:
    """The namespace of one notebook and the means to fill it, cell by cell."""

    def __init__(self):
        self.module = types.ModuleType("__main__")
        self.namespace = self.module.__dict__
        self.transform = TransformerManager().transform_cell
        self.compile = codeop.Compile()  # remembers __future__ imports from cell to cell
        self.compile.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        self.output = CappedOutput()
        sys.modules["__main__"] = self.module
        sys.meta_path[:0] = [StandIns(), LazyPlots()]
        shell = Shell(self)
        self.namespace.update(get_ipython=lambda: shell, display=lambda *args, **kwargs: None)
        builtins.input = lambda prompt="": ""
        builtins.get_ipython, builtins.display = self.namespace["get_ipython"], self.namespace["display"]
        builtins.exit = builtins.quit = lambda code=None: None
        sys.stdout = sys.stderr = self.output
        sys.stdin = None

    def run_cell(self, source, seconds):
        """Run one cell for at most `seconds`; return None, or one line that says what stopped it."""
        def stop(*_):
            raise CellTimeout
        signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            self.run_source(source)
        except CellTimeout:
            return f"stopped after {seconds:g} s"
        except BaseException as error:  # SystemExit and KeyboardInterrupt end a cell, not the notebook
            return f"{type(error).__name__}: {error}"[:300]
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        return None

    def run_source(self, source):
        """Transform, compile and execute source that may hold magics and top-level await."""
        self.execute(self.transform(source))

    def execute(self, source):
        """Execute plain source in the notebook's namespace, statement after statement."""
        for statement in ast.parse(source).body:
            code = self.compile(ast.Module(body=[statement], type_ignores=[]), "<notebook>", "exec")
            if code.co_flags & inspect.CO_COROUTINE:
                import asyncio  # only here: few cells await, and every fork pays for what is loaded

                asyncio.run(eval(code, self.namespace))
            else:
                exec(code, self.namespace)

    def function_names(self):
        """The names of the callables that the notebook defined or imported."""
        return [name for name, value in self.namespace.items()
                if name.isidentifier() and callable(value) and name not in ("get_ipython", "display")][:500]


def other_threads():
    """Whether threads are alive besides this one (a fork would lose them)."""
    return threading.active_count() > 1
