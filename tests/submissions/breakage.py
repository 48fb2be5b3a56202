"""Submissions that break: loops, crashes, floods, leftovers, and files that are not what they seem."""

import json

from submissions.kit import as_bytes, case, notebooks

notebooks("breakage", "full", {
    "C01_loop_in_a_cell_after_the_definition": "$right\n# %%\nwhile True: pass",
    "C07_fifty_children": """$right
# %%
import os, time
for _ in range(50):
    try:
        if os.fork() == 0:
            time.sleep(8)
            os._exit(0)
    except OSError: break""",
    "C08_background_process_keeps_the_output_open": """$right
# %%
import subprocess, sys
subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(40)  # $marker'], start_new_session=True)""",
    "C09_double_fork_that_ignores_signals": """$right
# %%
import os, signal, time
if os.fork() == 0:
    os.setsid()
    for number in range(1, 65):
        try: signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError): pass
    if os.fork() == 0: time.sleep(30)
    os._exit(0)""",
    "C10_exit_in_a_cell": "$right\n# %%\nimport os\nos._exit(0)",
    "C13_kills_the_parent": """$right
# %%
import os, signal
try:
    with open(f'/proc/{os.getppid()}/cmdline') as file: text = file.read()
except OSError: text = ''
if 'otter' in text:
    os.kill(os.getppid(), signal.SIGKILL)""",
    "C14_deletes_its_folder": """$right
# %%
import os, shutil
if '$marker' in os.getcwd():
    for name in os.listdir('.'):
        shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)""",
    "C16_fifty_megabytes_of_output": "$right\n# %%\nfor _ in range(50): print('x' * 2**20)",
    "C17_input": "$right\n# %%\nname = input('name? ')",
    "C18_keyboard_interrupt_and_exit": "$right\n# %%\nraise KeyboardInterrupt\n# %%\nraise SystemExit(3)\n# %%\nexit()",
    "C19_syntax_error_before_the_definition": "def broken(:\n# %%\n$right",
    "C20_cell_raises_and_later_cells_define": "1 / 0\n# %%\n$right",
    "C34_flood_of_warnings": """$right
# %%
import warnings
for number in range(100_000): warnings.warn(f'number {number % 7}')""",
    "C43_thread_that_never_ends": """$right
# %%
import threading, time
threading.Thread(target=lambda: [time.sleep(0.05) for _ in range(1000)]).start()""",
    "C56_memory_in_a_cell": "$right\n# %%\nhuge = bytearray(700 * 2**20)",
    "C57_deep_folders_in_the_scratch": """$right
# %%
import os
here = os.getcwd()
if '$marker' in here:
    for _ in range(1500):
        os.mkdir('d'); os.chdir('d')
    os.chdir(here)""",
    "C58_closed_folders_and_many_files": """$right
# %%
import os
if '$marker' in os.getcwd():
    os.makedirs('closed/inner')
    for number in range(500): open(f'closed/inner/{number}', 'w').close()
    os.chmod('closed/inner', 0); os.chmod('closed', 0)""",
    "C59_links_out_of_the_scratch": """$right
# %%
import os
if '$marker' in os.getcwd():
    os.symlink(os.path.dirname('$victim'), 'folder'); os.symlink('$victim', 'file')
    try: os.link('$victim', 'hard')
    except OSError: pass
    try: os.remove('folder/' + os.path.basename('$victim'))
    except OSError: pass""",
    "C60_writes_elsewhere": """$right
# %%
import os
for place in ('$outside/cell', '/dev/shm/$marker', '$outside/../elsewhere', '$root/solutions/new.py', '$victim', '$planted'):
    try:
        with open(place, 'a') as file: file.write('$other_word')
    except OSError: pass""",
    "C61_signal_handlers_and_masks": """$right
# %%
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass""",
    "C62_loop_that_switches_the_timer_off": "$right\n# %%\nimport signal\nsignal.alarm(0)\nwhile True: pass",
    "C63_lowers_its_own_limits": """$right
# %%
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32)); resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))""",
    "C65_source_nested_too_deeply": "$right\n# %%\nx = " + "(" * 3000 + ")" * 3000 + "\n# %%\nx = " + "-" * 50_000 + "1",
    "C66_changes_the_modules_it_shares": """$right
# %%
import json, socket, struct
json.dumps = json.loads = struct.pack = None
socket.socket.send = socket.socket.recv = None""",
})
# Two processes at a time, but many one after another: only where they are confined.
notebooks("breakage", "result", {
    "C12_chain_of_forks_that_outruns_its_killer": """$right
# %%
import os, time
if os.fork() == 0:
    end = time.monotonic() + 8
    while time.monotonic() < end:
        os.setsid() if os.getpid() != os.getsid(0) else None
        if os.fork(): os._exit(0)
    os._exit(0)""",
}, stock=False)
notebooks("breakage", "none", {
    "C02_loop_in_the_function": "def $question(*arguments):\n    while True: pass",
    "C03_sleep_in_the_function": "import time\ndef $question(*arguments):\n    time.sleep(50)",
    "C03_loop_that_catches_everything": """import signal
def $question(*arguments):
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    while True:
        try:
            while True: pass
        except BaseException: pass""",
    "C04_infinite_recursion": "def $question(*arguments):\n    return $question(*arguments)",
    "C05_segmentation_fault": "def $question(*arguments):\n    import ctypes\n    ctypes.string_at(0)",
    "C06_memory_in_the_function": "def $question(*arguments):\n    return len(bytearray(900 * 2**20))",
    "C11_kills_itself": "def $question(*arguments):\n    import os, signal\n    os.kill(os.getpid(), signal.SIGKILL)",
    "C11_stops_itself": "def $question(*arguments):\n    import os, signal\n    os.kill(os.getpid(), signal.SIGSTOP)",
    "C15_exits_with_system_exit": "def $question(*arguments):\n    raise SystemExit(0)",
    "C26_misspelt_name": "def ${question}s(*arguments):\n    return 1",
    "C27_not_a_function": "$question = 42",
    "C29_returns_a_string": "def $question(*arguments):\n    return 'text'",
    "C30_returns_a_generator": "def $question(*arguments):\n    yield 1",
    "C31_returns_nan": "def $question(*arguments):\n    return float('nan')",
    "C33_error_that_cannot_be_printed": """class Odd(Exception):
    def __str__(self): raise Odd()
def $question(*arguments):
    raise Odd()""",
    "C33_error_that_prints_for_ever": """class Odd(Exception):
    def __str__(self):
        while True: pass
def $question(*arguments):
    raise Odd()""",
    "C36_wrong_number_of_parameters": "def $question():\n    return 1",
    "C39_deletes_the_function_it_needs": "def $question(*arguments):\n    return helper(*arguments)\n"
                                         "# %%\nimport builtins\ndel builtins.len",
    "C67_endless_container": """import collections.abc
class Endless(collections.abc.Mapping):
    def __getitem__(self, key): return 1
    def __len__(self): return 1
    def __iter__(self):
        while True: yield 1
def $question(*arguments):
    return Endless()""",
    "C68_contains_itself": "def $question(*arguments):\n    answer = []\n    answer.append(answer)\n    return answer",
    "C69_large_answer": "def $question(*arguments):\n    return np.zeros(6 * 10**6)",
    "C70_long_empty_answer": "def $question(*arguments):\n    return np.zeros((2**31, 0))",
    "C71_integer_of_thousands_of_digits": "def $question(*arguments):\n    return 10**4000",
})
notebooks("breakage", "result", {
    "C64_uses_up_all_descriptors": "$right\n# %%\nimport os\nkept = []\n"
                                   "for _ in range(4000): kept.append(os.open('/dev/null', os.O_RDONLY))",
    "C28_returns_a_list": "$right\nright = $question\n"
                          "def $question(*arguments):\n    return np.asarray(right(*arguments)).tolist()",
    "C32_changes_an_input": """$right
right = $question
def $question(*arguments):
    answer = right(*arguments)
    for value in arguments:
        if isinstance(value, np.ndarray) and value.ndim: value[...] = 7
    return answer""",
    "C72_forks_in_the_function": """$right
import time
right = $question
def $question(*arguments):
    import os
    for _ in range(3):
        if os.fork() == 0:
            time.sleep(1)
            os._exit(0)
    return right(*arguments)""",
    "C73_deletes_the_builtins": "$right\n# %%\nimport builtins\n"
                                "for name in list(vars(builtins)):\n    if name != '__import__': delattr(builtins, name)",
    "C74_names_that_are_no_names": "$right\n# %%\nglobals()[1] = print\nglobals()['<b>x</b>'] = print",
    "C75_kills_the_notebooks_process_while_asked": """$right
right = $question
def $question(*arguments):
    import os, signal
    try:
        with open('/dev/null'): parent = os.getppid()
        with open(f'/proc/{parent}/cmdline') as file: text = file.read()
    except OSError: text = 'zygote' if '$marker' in os.getcwd() and os.environ.get('HOME') == os.getcwd() else ''
    if 'zygote' in text: os.kill(parent, signal.SIGKILL)
    return right(*arguments)""",
    "C76_restarts_for_ever": """$right
import signal, time
time.sleep(0.6)
def $question(*arguments):
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    while True: pass""",
})

FILES = {
    "C22_empty_file": b"",
    "C21_white_space": b" \n\n",
    "C24_not_json": b"<html><script>alert(1)</script>",
    "C24_half_a_notebook": b'{"cells": [{"cell_type": "code", "source": "x',
    "C24_conflict_marks": b"<<<<<<< HEAD\n{}\n=======\n",
    "C24_a_list": b"[1, 2]",
    "C24_a_number": b"1e999",
    "C24_null": b"null",
    "C24_binary": bytes(range(256)) * 20,
    "C24_nested_too_deeply": b"[" * 100_000,
    "C24_nested_metadata": b'{"nbformat": 4, "nbformat_minor": 5, "cells": [], "metadata": '
                           + b'{"a":' * 5000 + b"1" + b"}" * 5001,
    "C23_no_cells": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}',
    "C23_no_list_of_cells": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}',
    "C77_unknown_format": b'{"nbformat": 99, "nbformat_minor": 5, "metadata": {}, "cells": []}',
    "C77_format_that_is_no_number": b'{"nbformat": "four", "metadata": {}, "cells": []}',
    "C78_cells_of_wrong_types": b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, '
                                b'"cells": [1, null, {"cell_type": "code"}, []]}',
    "C78_sources_of_wrong_types": b'{"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [{"cell_type": "code", '
                                  b'"source": '
                                  b'{"a": 1}, "metadata": {}, "outputs": [], "execution_count": null}]}',
}
for name, data in FILES.items():
    def make(target, data=data):
        return {"homework.ipynb": data}
    case(name, "broken file", "result")(make)


@case("C25_another_assignment", "broken file", "result")
def another_assignment(target):
    cells = [target.cell("def fibonacci(n):\n    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)", "fib")]
    return {"homework.ipynb": as_bytes({**target.solved, "cells": cells})}


@case("C79_zero_byte_in_the_source", "broken file", "full")
def zero_byte(target):
    return {"homework.ipynb": target.bytes("$right\n# %%\nx = '\0'")}


@case("C80_half_a_surrogate_pair_in_the_source", "broken file", "full")
def half_a_surrogate_pair(target):
    return {"homework.ipynb": target.bytes("$right\n# %%\nx = '\ud800'")}


@case("C81_five_thousand_cells", "broken file", "full")
def many_cells(target):
    notebook = target.notebook("$right")
    notebook["cells"] += [target.cell(f"x = {i}", f"more-{i}") for i in range(5000)]
    return {"homework.ipynb": as_bytes(notebook)}


@case("C81_sixty_thousand_cells", "broken file", "result", stock=False, expects="right")
def very_many_cells(target):
    notebook = target.notebook("$right")
    notebook["cells"] += [target.cell("", f"more-{i}") for i in range(60_000)]
    return {"homework.ipynb": json.dumps(notebook).encode()}


@case("C82_huge_integer_in_the_file", "broken file", "result", expects="right")
def huge_integer(target):
    notebook = target.notebook("$right")
    notebook["metadata"]["n"] = 1
    return {"homework.ipynb": as_bytes(notebook).replace(b'"n": 1', b'"n": ' + b"9" * 10_000)}
