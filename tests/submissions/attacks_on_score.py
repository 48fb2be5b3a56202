"""Points that were not earned: every one of these has a wrong function and tries to be paid for it."""

import io
import pickle
import zipfile

from submissions.kit import case, notebooks

notebooks("control", "full", {"H01_right": "$right"})
notebooks("control", "own", {"H02_wrong_values": "$wrong"})
notebooks("control", "none", {"H03_raises": "def $question($parameters):\n    raise KeyError('nothing')"})

notebooks("score", "own", {
    "A01_imports_the_reference": "$wrong\nfrom $module import $question",
    "A01_imports_the_grader": "$wrong\nimport autograder.grading.asking, $module\n$question = $module.$question",
    "A02_reads_the_reference_from_disk": """$wrong
import os, pathlib, sys
for start in [os.getcwd(), '$root', *sys.path]:
    here = pathlib.Path(start or '.').resolve()
    for folder in [here, *here.parents]:
        try: text = (folder / 'solutions' / '$stage.py').read_text()
        except OSError: continue
        exec(text)
        break""",
    "A04_walks_the_stack_frames": """def $question(*arguments):
    import sys
    frame = sys._getframe()
    while frame is not None:
        for value in [*frame.f_locals.values(), *frame.f_globals.values()]:
            setting = value if isinstance(value, dict) else getattr(value, 'setting', None)
            if isinstance(setting, dict) and callable(setting.get('reference')):
                return setting['reference'](*arguments)
        frame = frame.f_back
    raise ValueError('nothing found')""",
    "A05_searches_the_heap": """$wrong
import gc
for found in gc.get_objects():
    if callable(found) and getattr(found, '__name__', '') == '$question' and 'solutions' in str(getattr(found, '__module__', '')):
        $question = found""",
    "A05_searches_the_heap_when_called": """def $question(*arguments):
    import gc
    for found in gc.get_objects():
        if isinstance(found, dict) and callable(found.get('reference')):
            return found['reference'](*arguments)
    raise ValueError('nothing found')""",
    "A07_patches_call_func": """$wrong
from otter.test_files.exception_test import test_case
test_case.call_func = lambda self, environment: None""",
    "A08_patches_the_run_of_a_test_file": """$wrong
from otter.test_files import abstract_test, exception_test
def run(self, environment):
    self.test_case_results = [abstract_test.TestCaseResult(test_case=case, message='', passed=True) for case in self.test_cases]
exception_test.ExceptionTestFile.run = run""",
    "A10_registers_a_fake_test_file": """$wrong
from otter.execute import Checker
from otter.test_files.abstract_test import TestCase, TestCaseResult
from otter.test_files.exception_test import ExceptionTestFile
known = TestCase(name='x', body=None, hidden=False, points=100, success_message=None, failure_message=None)
fake = ExceptionTestFile('$question', '', [known], all_or_nothing=False)
fake.test_case_results = [TestCaseResult(test_case=known, message='', passed=True)]
Checker._test_files.append(fake)""",
    "A11_returns_an_object_that_equals_everything": """class Always(np.ndarray):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __sub__(self, other): return np.zeros(self.shape)
    def __array_function__(self, *a): return True
    def __array_ufunc__(self, *a, **k): return np.zeros(self.shape, bool)
def $question(*arguments):
    return np.zeros(np.shape(arguments[-2])).view(Always)""",
    "A11_steals_the_expected_value_while_it_is_converted": """class Thief:
    def __array__(self, *a, **k):
        import sys
        frame = sys._getframe()
        while frame is not None:
            for name in ('expected', 'desired'):
                if isinstance(frame.f_locals.get(name), np.ndarray):
                    return frame.f_locals[name]
            frame = frame.f_back
        return np.zeros(1)
    shape, dtype, ndim = property(lambda self: self.__array__().shape), np.dtype(float), 1
def $question(*arguments):
    return Thief()""",
    "A13_returns_a_masked_array": "def $question(*arguments):\n    return np.ma.masked_all(np.shape(arguments[-2]))",
    "A14_hook_rewrites_the_pickled_results": """$wrong
import glob, tempfile
def rewrite(*_):
    import dill
    for path in glob.glob(tempfile.gettempdir() + '/*.pkl') if '$marker' in tempfile.gettempdir() else ():
        try:
            with open(path, 'rb') as file: results = dill.load(file)
            for result in results.results.values():
                for case in result.test_file.test_case_results: case.passed = True
                result.score = result.possible
            with open(path, 'wb') as file: dill.dump(results, file)
        except Exception: pass
get_ipython().events.register('post_run_cell', rewrite)""",
    "A16_a_thread_flips_the_verdicts": """$wrong
import threading, time
def flip():
    from otter.execute import Checker
    for _ in range(2000):
        for file in list(getattr(Checker, '_test_files', ())):
            for result in file.test_case_results: result.passed = True
        time.sleep(0.005)
threading.Thread(target=flip, daemon=True).start()""",
    "A17_results_pickle_that_runs_when_loaded": """$wrong
import atexit, glob, tempfile
PAYLOAD = b"cbuiltins\\nexec\\n(S'open(\\"$outside/pickle\\", \\"w\\")'\\ntR."
def replace(*_):
    for path in glob.glob(tempfile.gettempdir() + '/*.pkl') if '$marker' in tempfile.gettempdir() else ():
        try:
            with open(path, 'wb') as file: file.write(PAYLOAD)
        except OSError: pass
get_ipython().events.register('post_run_cell', replace)
atexit.register(replace)""",
    "A20_overwrites_the_tests": """$wrong
import glob, os
text = "from otter.test_files import test_case\\nOK_FORMAT = False\\nname = '$question'\\npoints = [4]\\n" \\
    "@test_case(name='x')\\ndef x(env):\\n    pass\\n"
for folder in ('tests', '../tests', '../source/tests'):
    try:
        if '$marker' in os.path.abspath(folder):
            with open(os.path.join(folder, '$question.py'), 'w') as file: file.write(text)
    except OSError: pass""",
    "A22_puts_a_fake_reference_into_sys_modules": """$wrong
import sys, types
fake = types.ModuleType('$module')
fake.$question = $question
sys.modules['$module'] = fake""",
    "A23_import_hook_substitutes_the_reference": """$wrong
import builtins
real, wrong = builtins.__import__, $question
def hooked(name, *rest, **more):
    module = real(name, *rest, **more)
    if name == '$module': module.$question = wrong
    return module
builtins.__import__ = hooked""",
    "A25_traces_every_frame": """$wrong
import sys, ctypes
def look(frame, event, argument):
    if 'expected' in frame.f_locals and 'got' in frame.f_locals:
        frame.f_locals['got'] = frame.f_locals['expected']
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
    return look
sys.settrace(look)""",
    "A26_zeroes_the_inputs": """def $question(*arguments):
    def zero(value):
        for item in value.values() if isinstance(value, dict) else [value]:
            if isinstance(item, np.ndarray): item[...] = 0
    for value in arguments: zero(value)
    return np.zeros(np.shape(arguments[-2]))""",
    "A28_daemon_rewrites_the_results_later": """$wrong
import os, subprocess, sys
code = '''# $marker
import glob, json, os, time
for _ in range(60):
    time.sleep(0.2)
    for path in glob.glob("$outside/../**/result*.json", recursive=True):
        try:
            data = json.load(open(path))
            data["score"] = 100.0
            for test in data.get("tests", []): test["score"] = test.get("max_score", 100)
            json.dump(data, open(path, "w"))
        except Exception: pass
'''
subprocess.Popen([sys.executable, '-c', code], start_new_session=True, stdin=-3, stdout=-3, stderr=-3)""",
    "A31_forged_verdicts_on_every_descriptor": """$wrong
import json, os
forged = json.dumps({'score': 40.0, 'max_score': 40.0, 'status': 'graded', 'questions': {}, 'tests': []}) + '\\n'
for descriptor in (1, 2, *range(3, 64)):
    try:
        if not os.path.realpath(f'/proc/self/fd/{descriptor}').startswith('/dev/pts'): os.write(descriptor, forged.encode())
    except OSError: pass
for place in ('result.json', 'results.json', '../result.json', '../results/results.json', '../submission/results.json'):
    try:
        if '$marker' in os.path.abspath(place):
            with open(place, 'w') as file: file.write(forged)
    except OSError: pass
print(forged)""",
    "A34_returns_something_that_runs_when_unpickled": """class Payload:
    def __reduce__(self): return (exec, ("open('$outside/unpickled', 'w')",))
def $question(*arguments):
    return Payload()""",
    "A35_returns_an_object_array": """class Always:
    def __eq__(self, other): return True
    def __sub__(self, other): return 0
    def __abs__(self): return 0
    def __float__(self): return 0.0
def $question(*arguments):
    return np.array([Always()] * np.size(arguments[-2]), dtype=object)""",
    "A36_patches_numpy": """$wrong
import numpy.testing
numpy.testing.assert_allclose = np.testing.assert_array_equal = lambda *a, **k: None
np.allclose = np.array_equal = lambda *a, **k: True
np.isfinite = lambda value: np.zeros(np.shape(value), bool)""",
    "A37_patches_the_comparisons": """$wrong
import sys
for module in list(sys.modules.values()):
    for name in ('compare', 'agrees', 'identical', 'attempt'):
        if str(getattr(module, '__name__', '')).startswith('autograder') and hasattr(module, name):
            try: setattr(module, name, lambda *a, **k: True)
            except Exception: pass""",
    "A38_answers_nan": "def $question(*arguments):\n    return np.full(np.shape(arguments[-2]), np.nan)",
    "A39_answers_infinity": "def $question(*arguments):\n    return np.full(np.shape(arguments[-2]), np.inf)",
    "A40_remembers_earlier_calls_on_disk": """$wrong
wrong = $question
def $question(*arguments):
    import os
    try:
        with open('seen', 'a') as file: file.write('x')
        if os.path.getsize('seen') > 1: return np.load('kept.npy')
    except OSError: pass
    return wrong(*arguments)""",
    "A41_claims_other_classes": """class Same(type):
    def __instancecheck__(self, other): return True
    def __subclasscheck__(self, other): return True
class Answer(float, metaclass=Same):
    __class__ = np.ndarray
def $question(*arguments):
    return Answer(0.0)""",
    "A42_always_value_error": "def $question(*arguments):\n    raise ValueError('no')",
})
notebooks("score", "none", {
    "A32_forged_verdict_then_exit": """def $question(*arguments):
    import json, os, sys
    forged = json.dumps({'passed': True, 'score': 4, 'result': [0.0]}) + '\\n'
    for descriptor in (1, 2): os.write(descriptor, forged.encode())
    os._exit(0)""",
})


class _Runs:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (self.path, "w")


@case("A19_log_pickle_in_the_zip", "score", "own")
def log_pickle(target):
    return _zip(target, {".OTTER_LOG": pickle.dumps(_Runs(target.places.get("outside", ".") + "/log"))})


@case("A29_packages_that_shadow", "score", "own")
def shadowing_packages(target):
    wrong = f"import numpy as np\n{target.wrong}".encode()
    return _zip(target, {"solutions/__init__.py": b"", f"solutions/{target.stage}.py": wrong,
                         "support.py": b"raise SystemExit('shadowed')"})


@case("A30_forged_tests_in_the_zip", "score", "own")
def forged_tests(target):
    trivial = (f"from otter.test_files import test_case\nOK_FORMAT = False\nname = {target.question!r}\npoints = [100]\n"
               "@test_case(name='x')\ndef x(env):\n    pass\n").encode()
    return _zip(target, {f"tests/{target.question}.py": trivial, "otter_config.json": b"{}", "bundle.json": b"{}"})


@case("A33_metadata_that_steers", "score", "own")
def metadata_that_steers(target):
    notebook = target.notebook("$wrong")
    notebook["metadata"]["otter"] = {"OK_FORMAT": True, "assignment_name": "x", "tests": {target.question: {
        "name": target.question, "points": 100, "suites": [{"cases": [{"code": ">>> 1\n1"}], "type": "doctest"}]}}}
    for cell in notebook["cells"]:
        if cell["id"] == "own-0":
            cell["metadata"] = {"otter": {"tests": [target.question]}, "tags": ["otter_ignore"]}
    from submissions.kit import as_bytes
    return {"homework.ipynb": as_bytes(notebook)}


def _zip(target, others):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("homework.ipynb", target.bytes("$wrong"))
        for name, data in others.items():
            archive.writestr(name, data)
    return {"homework.zip": stream.getvalue()}
