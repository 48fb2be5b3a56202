"""A submission earns what its own code earns: nothing is stolen, and doing nothing is worth nothing."""

import json
import os
import time
from pathlib import Path

import pytest
from conftest import ROOT, scores, text_of

from autograder.doctor import LIMITS
from autograder.isolation.border import ALL_LAYERS, IsolationError, Learner, LearnerFailure

STAGE = "stage1_recurrence"
WRONG = """def elman_step(x, a_prev, params):
    return np.zeros(len(a_prev))"""
CHEATS = {
    "imports the solutions": "from solutions.stage1_recurrence import elman_step",
    "imports the grader": """import autograder.grading.asking, solutions.stage1_recurrence
elman_step = solutions.stage1_recurrence.elman_step""",
    "reads the sources from disk": f"""import glob, pathlib
for path in glob.glob({str(ROOT)!r} + '/**/*.py', recursive=True) + glob.glob('/**/stage1_recurrence.py', recursive=True):
    text = pathlib.Path(path).read_text()
    if 'def elman_step' in text:
        exec(text)""",
    "walks the stack frames": """def elman_step(x, a_prev, params):
    import sys
    frame = sys._getframe()
    while frame is not None:
        for value in {**frame.f_locals, **frame.f_globals}.values():
            reference = value.get('reference') if isinstance(value, dict) else None
            if callable(reference):
                return reference(x, a_prev, params)
        frame = frame.f_back
    return np.zeros(len(a_prev))""",
    "searches the heap": """import gc
for found in gc.get_objects():
    module = str(getattr(found, '__module__', ''))
    if callable(found) and getattr(found, '__name__', '') == 'elman_step' and 'solutions' in module:
        elman_step = found""",
    "patches numpy.testing and numpy": """import numpy.testing
numpy.testing.assert_allclose = np.testing.assert_array_equal = lambda *a, **k: None
np.allclose = np.array_equal = np.all = lambda *a, **k: True
np.abs = lambda value: np.zeros(np.shape(value))""",
    "patches otter and the checks": """import otter, sys
otter.test_files = otter.check = None
for module in list(sys.modules.values()):
    for name in ('compare', 'agrees', 'identical', 'run', 'call_func', 'Ask'):
        if hasattr(module, name):
            try: setattr(module, name, lambda *a, **k: True)
            except Exception: pass""",
    "writes forged results": """import json, os
forged = json.dumps({'score': 40.0, 'max_score': 40.0, 'status': 'graded', 'questions': {}})
for place in ('result.json', 'results.json', '/autograder/results/results.json', '../result.json', '../submission/result.json'):
    try:
        with open(place, 'w') as file: file.write(forged)
    except OSError: pass
for descriptor in range(3, 64):
    try: os.write(descriptor, forged.encode())
    except OSError: pass
print(forged)""",
    "returns an object that equals everything": """class Always(np.ndarray):
    def __eq__(self, other): return True
    def __array_function__(self, *a): return True
def elman_step(x, a_prev, params):
    return np.zeros(len(a_prev)).view(Always)""",
    "returns a masked array": """def elman_step(x, a_prev, params):
    return np.ma.masked_all(len(a_prev))""",
    "returns an object array": """class Always:
    def __eq__(self, other): return True
    def __sub__(self, other): return 0
    def __abs__(self): return 0
def elman_step(x, a_prev, params):
    return np.array([Always()] * len(a_prev), dtype=object)""",
    "returns something that runs when unpickled": """class Payload:
    def __reduce__(self): return (exec, ('raise SystemExit',))
def elman_step(x, a_prev, params):
    return Payload()""",
    "returns NaN": "def elman_step(x, a_prev, params):\n    return np.full(len(a_prev), np.nan)",
    "zeroes the inputs": """def elman_step(x, a_prev, params):
    x[:] = 0; a_prev[:] = 0
    for value in params.values(): value[:] = 0
    return np.zeros(len(a_prev))""",
    "traces every frame": """import sys
def look(frame, event, argument):
    if 'expected' in frame.f_locals: frame.f_locals['got'] = frame.f_locals['expected']
    return look
sys.settrace(look)""",
    "kills its parents": """import os, signal
for victim in (os.getppid(), 1):
    try: os.kill(victim, signal.SIGKILL)
    except OSError: pass""",
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_cheating_earns_nothing(bench, cheat):
    honest = bench.grade(STAGE, bench.with_function(bench.notebook(STAGE), "elman_step", WRONG))
    assert honest["questions"]["elman_step"]["score"] == 0
    notebook = bench.with_function(bench.notebook(STAGE), "elman_step", WRONG + "\n" + CHEATS[cheat])
    result = bench.grade(STAGE, notebook)
    assert result["status"] == "graded" and result["questions"]["elman_step"]["score"] == 0
    # What the cheat broke in its own process is its own loss; it never gains.
    assert all(score <= honest["questions"][name]["score"] for name, score in scores(result).items())


DEGENERATE = {
    "None": "lambda *arguments: None",
    "the first argument": "lambda *arguments: arguments[0]",
    "always ValueError": "lambda *arguments: (_ for _ in ()).throw(ValueError('no'))",
    "zeros of the right shape": "",
}
ZEROS = """
def zeros_of(value):
    if isinstance(value, tuple): return tuple(zeros_of(item) for item in value)
    if isinstance(value, dict): return {{key: zeros_of(item) for key, item in value.items()}}
    return '' if isinstance(value, str) else np.zeros_like(value)
right_{name} = {name}
{name} = lambda *arguments: zeros_of(right_{name}(*arguments))
"""


@pytest.mark.parametrize("answer", DEGENERATE)
def test_no_credit_for_nothing(bench, bundles, answer):
    for stage, bundle in bundles.items():
        for name in bundle.questions:
            source = f"{name} = {DEGENERATE[answer]}" if DEGENERATE[answer] else ZEROS.format(name=name)
            notebook = bench.notebook(stage)
            # Only this question is replaced, and after everything else is defined.
            notebook = bench.with_cell(notebook, source)
            result = bench.grade(stage, notebook, questions=[name])
            earned = [c["id"] for c in result["questions"][name]["cases"] if c["points"]]
            assert result["questions"][name]["score"] == 0, (name, earned)


def test_nothing_secret_is_readable_and_nothing_else_writable(bench, tmp_path):
    marker = tmp_path / "written_by_submission"
    probe = f"""
import os
found = []
for root in ({str(ROOT)!r}, {str(tmp_path)!r}, os.path.expanduser('~root'), '/proc/1', f'/proc/{{os.getppid()}}'):
    try: found.append((root, os.listdir(root)[:3]))
    except OSError: pass
try: open({str(marker)!r}, 'w')
except OSError: found.append('not writable')
raise RuntimeError('PROBE ' + repr(found) + ' ' + repr(sorted(os.environ)))"""
    result = bench.grade(STAGE, bench.with_cell(bench.notebook(STAGE), probe))
    note = next(line for line in result["message"].splitlines() if "PROBE" in line)
    assert "['not writable']" in note and not marker.exists()
    assert not {"AWS", "PIP", "TOKEN", "USER"} & set(note.replace("_", "'").split("'"))
    assert "HOME" in note


def test_no_network(bench):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connect = f"import socket; socket.create_connection(('127.0.0.1', {port}), timeout=2); raise RuntimeError('CONNECTED')"
        result = bench.grade(STAGE, bench.with_cell(bench.notebook(STAGE), connect))
    assert "CONNECTED" not in text_of(result) and result["score"] == 40


def test_nothing_keeps_running(bench):
    name = f"marker{os.getpid()}"
    spawn = f"""
import os, subprocess, sys
for detached in (True, False):
    subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)  # {name}'], start_new_session=detached)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        import time; time.sleep(60)
    os._exit(0)"""
    started = time.monotonic()
    assert bench.grade(STAGE, bench.with_cell(bench.notebook(STAGE), spawn))["score"] == 40
    assert time.monotonic() - started < 20
    alive = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            alive.append((process / "cmdline").read_bytes().decode(errors="replace"))
        except OSError:
            continue
    assert not [line for line in alive if name in line]


HUNGRY = {
    "many processes": """
def hungry():
    for _ in range(300):
        if os.fork() == 0: time.sleep(30)
    return 1""",
    "memory of many processes": """
def hungry():
    for _ in range(12):
        if os.fork() == 0:
            kept = b"x" * (200 * 2**20)
            time.sleep(30)
    time.sleep(3)
    return 1""",
    "shared memory of many processes": """
def hungry():
    import mmap
    for _ in range(12):
        if os.fork() == 0:
            kept = mmap.mmap(-1, 200 * 2**20)
            for _ in range(200): kept.write(b"x" * 2**20)
            time.sleep(30)
    time.sleep(3)
    return 1""",
    "files in memory": """
def hungry():
    for _ in range(60):
        os.write(os.memfd_create("x"), b"x" * (9 * 2**20))
    return 1""",
}


@pytest.mark.parametrize("without", ["", "user", "user namespaces"])
@pytest.mark.parametrize("kind", HUNGRY)
def test_one_submission_cannot_take_everything(zygote, kind, without):
    layers = [layer for layer in ALL_LAYERS if layer not in without.split()]
    cells = [(0, "import os, time"), (1, HUNGRY[kind]), (2, "def modest():\n    return 1")]
    started = time.monotonic()
    with Learner(zygote, cells, LIMITS, minimum="process", layers=layers) as learner:
        proxies = learner.proxies()
        learner.begin_case("hungry")
        with pytest.raises(LearnerFailure) as failure:
            proxies["hungry"]()
        assert failure.value.learner_error[0][0] in ("crashed", "BlockingIOError", "PermissionError")
        learner.begin_case("modest")
        assert proxies["modest"]() == 1
    assert time.monotonic() - started < 5


def test_isolation_minimum_is_kept(bench, bundles, zygote):
    """Where the pack's files are not closed, grading stops and says what to do, unless told otherwise."""
    bundle = bundles[STAGE]
    with pytest.raises(IsolationError, match="could read .*solutions.*Landlock.*--isolation process"):
        Learner(zygote, [], bundle.limits, [ROOT / "solutions"], "files", layers=("limits",))
    with Learner(zygote, [], bundle.limits, [ROOT / "solutions"], "process", layers=("limits",)) as learner:
        assert learner.active_layers == ["process", "limits"]
    with Learner(zygote, [], bundle.limits, [ROOT / "solutions"]) as learner:
        assert {"process", "limits", "no_new_privileges"} <= set(learner.active_layers)
        assert {"user", "landlock"} & set(learner.active_layers)


def test_hostile_text_stays_text(bench):
    """Names and messages of a submission are data in result.json, capped, and nothing else."""
    source = "def elman_step(x, a_prev, params):\n    raise ValueError('<script>' + '\\u2028\"\\\\' + 'x' * 10**6)"
    result = bench.grade(STAGE, bench.with_function(bench.notebook(STAGE), "elman_step", source))
    assert json.loads(text_of(result)) == result and len(text_of(result)) < 200_000


def test_doctor_names_the_layers_and_what_is_missing(monkeypatch):
    from autograder import doctor

    lines, closed = doctor.examine([ROOT / "solutions"])
    assert closed and lines[-1] == "the pack's files are closed to submissions"
    assert {"layer limits: active", "layer no_new_privileges: active"} <= set(lines)
    if os.geteuid() == 0 and "layer namespaces: active" in lines:  # also where the interpreter lies below a closed home
        assert "layer user: active" in lines
    monkeypatch.setattr(doctor, "Learner", lambda *args: Learner(*args, layers=()))
    lines, closed = doctor.examine([ROOT / "solutions"])
    assert not closed and "process only" in lines[-2] and "--isolation process" in lines[-1]
    assert any(line.startswith("layer landlock: not active; needs Linux 5.13") for line in lines)
