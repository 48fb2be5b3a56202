"""`python -m autograder doctor`: what this machine can do for grading, and what to change where that is not enough."""

import importlib.metadata
import platform
import sys
import types

from autograder.isolation.border import ALL_LAYERS, IsolationError, Learner, Zygote

LIMITS = types.SimpleNamespace(cell_seconds=5, notebook_seconds=10, call_seconds=5, submission_seconds=30, memory_mb=256,
                               file_mb=10, message_mb=4, callback_calls=10)
ADVICE = {"limits": "limits cannot be set here", "no_new_privileges": "needs Linux",
          "sockets": "needs Linux on x86-64 or arm64, with seccomp",
          "user": "needs root; and namespaces, or an interpreter that other users can read (not below a 0700 home)",
          "landlock": "needs Linux 5.13 or newer with Landlock switched on",
          "namespaces": "needs root, or user namespaces for users"}


def examine(secrets):
    """Lines about the machine, and whether a submission is kept from reading `secrets`."""
    packages = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("numpy", "otter-grader"))
    lines = [f"python {platform.python_version()} at {sys.executable}", packages, f"{platform.system()} {platform.release()}"]
    with Zygote() as zygote:
        try:
            with Learner(zygote, [(0, "def f(): return 1")], LIMITS, secrets) as learner:
                active, closed = learner.active_layers, True
        except IsolationError:
            with Learner(zygote, [(0, "def f(): return 1")], LIMITS, secrets, "process") as learner:
                active, closed = learner.active_layers, False
    lines += [f"layer {name}: {'active' if name in active else 'not active; ' + ADVICE[name]}" for name in ALL_LAYERS]
    if active == ["process"]:
        lines.append("process only: a submission is merely another process of the same user")
    lines.append("the pack's files are closed to submissions" if closed else
                 "a submission could read the pack's files: grading stops here unless it is told --isolation process")
    return lines, closed
