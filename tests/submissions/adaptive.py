"""Attacks on this grader in particular: its wire protocol, its worker, its callbacks, its results.

Code that begins with $wire finds the channel in the frames of the process that answers and says anything on it; where
there is no such channel it does nothing and the function is merely wrong.
"""

from submissions.kit import case, notebooks

WRONG_AFTER = """$wire
$wrong
wrong = $question
def $question(*arguments):
    %s
    return wrong(*arguments)"""


def _before_a_wrong_answer(lines):
    return WRONG_AFTER % lines.strip().replace("\n", "\n    ")


CALL_ID = "str(wire()[1].get('id')).encode()"
notebooks("wire", "own", {case_id: _before_a_wrong_answer(lines) for case_id, lines in {
    "W01_reply_to_a_guessed_call": "say(reply(1.0, id='0123456789abcdef'))",
    "W02_two_replies": "say(reply(1.0))\nsay(reply(2.0))",
    "W03_reply_without_a_result": "say({'dict': [['id', wire()[1].get('id')]]})",
    "W04_verdict_instead_of_a_result": "say(reply({'opaque': 'x'}, passed=True, score=4, outcome='passed', status='graded'))",
    "W05_claims_exabytes": "say(b'', sizes=(2**62, 2**62))",
    "W05_claims_two_gigabytes": "say(b'x' * 1000, sizes=(10, 2**31))",
    "W06_empty_frame": "say(b'', sizes=(0, 0))",
    "W07_half_a_frame_then_exit": "say(b'[1', sizes=(1000, 0))\nimport os; os._exit(0)",
    "W07_half_a_header_then_exit": "if wire()[0]: wire()[0].sendall(b'\\0' * 7)\nimport os; os._exit(0)",
    "W09_nested_too_deeply": "say(b'[' * 100_000 + b']' * 100_000)",
    "W09_nested_at_the_limit": "say(reply(eval('[' * 26 + ']' * 26)))",
    "W10_nan_payload": "say(b'{\"dict\": [[\"id\", \"' + " + CALL_ID + " + b'\"], [\"result\", NaN], [\"after\", [Infinity]]]}')",
    "W10_nan_bits_in_an_array": "say(reply({'array': ['<f8', [1]]}), b'\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x7f')",
    "W11_negative_shape": "say(reply({'array': ['<f8', [-1, -8]]}), b'\\0' * 64)",
    "W11_shape_that_overflows": "say(reply({'array': ['<f8', [2**31, 2**31, 2**31]]}), b'\\0' * 64)",
    "W11_long_empty_shape": "say(reply({'array': ['<f8', [2**31, 0]]}))",
    "W11_shape_of_other_types": "say(reply({'array': ['<f8', [True, '1', None, 1.0]]}), b'\\0' * 8)",
    "W12_objects": "say(reply({'array': ['|O', [1]]}), b'\\0' * 8)",
    "W12_times_text_and_records": "say(reply(["
                                  "{'array': ['<M8[s]', [1]]}, {'array': ['<U2', [1]]}, {'array': ['V8', [1]]}]), b'\\0' * 24)",
    "W12_dtype_that_is_a_list": "say(reply({'array': [[['a', '<f8']], [1]]}), b'\\0' * 8)",
    "W13_scalar_of_many": "say(reply({'scalar': ['<f8', [8]]}), b'\\0' * 64)",
    "W13_data_left_over": "say(reply(1.0), b'\\0' * 64)",
    "W13_huge_integer": "say(b'{\"dict\": [[\"id\", \"' + " + CALL_ID + " + b'\"], [\"result\", ' + b'9' * 4000 + b'], "
                        "[\"after\", [' + b'null,' * (len(arguments) - 1) + b'null]], [\"output\", \"\"]]}')",
    "W14_half_a_surrogate_pair": "say(reply('\\ud800'))",
    "W14_half_a_surrogate_pair_in_an_error": "say(reply(None, error=['x'] and [['Val\\udc00'], 'text \\ud800', 1]))",
    "W14_half_a_surrogate_pair_in_a_type": "say(reply({'opaque': '\\ud800'}))",
    "W15_keys_of_one_hash": "say(reply({'dict': [[k * (2**61 - 1), 0] for k in range(30_000)]}))",
    "W15_keys_that_are_values": "say(reply({'dict': [[[1], 2], [{'array': ['<f8', [1]]}, 3]]}), b'\\0' * 8)",
    "W16_functions_as_answers": "say(reply({'callback': 0}))\n",
    "W16_call_of_an_unknown_function": "say({'dict': [['id', wire()[1].get('id')], ['callback', -1], ['arguments', []]]})",
    "W16_call_of_a_plain_argument": "say({'dict': [['id', wire()[1].get('id')], ['callback', 0], ['arguments', []]]})",
    "W16_call_by_a_bool": "say({'dict': [['id', wire()[1].get('id')], ['callback', True], ['arguments', []]]})",
    "W17_error_of_unknown_form": "say(reply(None, error='text'))",
    "W17_error_that_claims_a_timeout": "say(reply(None, error={'tuple': [['timeout'], 'x', 1]}))\n",
    "W17_error_that_claims_to_be_returned": "pairs = reply(None)['dict']\n"
                                            "say({'dict': pairs + [['error', [['returned', 'passed'], 'x', 1]]]})",
    "W18_arguments_of_unknown_form": "say(reply(1.0, after=[[1, 2], 3]))",
    "W18_arguments_of_other_count": "say(reply(1.0, after=[]))",
    "W18_arguments_of_other_types": "say(reply(1.0, after=[[{'opaque': 'x'}], [None], [{'dict': []}]][:len(arguments)]))",
    "W19_a_list_instead_of_a_dict": "say([1, 2, 3])",
    "W19_two_hundred_thousand_values": "say(reply([1] * 190_000))",
    "W19_a_megabyte_of_text": "say(reply('x' * 900_000))",
    "W20_html_everywhere": "say(reply({'opaque': '<script>alert(1)</script>'}, output='<script>alert(1)</script>'))",
    "W21_reply_from_a_child": "import os\nif os.fork() == 0: say(reply(1.0)); os._exit(0)",
    "W21_reply_after_the_deadline": "import os\nif os.fork() == 0:\n    time.sleep(2); say(reply(1.0)); os._exit(0)",
    "W22_thread_that_writes_between_replies": "import threading\nchannel, request = wire()\n"
                                              "flood = lambda: [channel and channel.sendall(b'\\0' * 16) for _ in range(50)]\n"
                                              "threading.Thread(target=flood).start()",
    "W23_flood_of_large_answers": "for _ in range(3): say(reply({'array': ['|u1', [12 * 2**20]]}), b'\\0' * (12 * 2**20))",
}.items()})

notebooks("wire", "none", {
    "W08_half_a_frame_then_silence": "$wire\ndef $question(*arguments):\n    say(b'[1', sizes=(1000, 0))\n    time.sleep(50)",
    "W08_one_byte_at_a_time": """$wire
def $question(*arguments):
    channel, _ = wire()
    while True:
        if channel: channel.sendall(b'\\0')
        time.sleep(0.05)""",
    "W24_endless_calls_back": """$wire
def $question(*arguments):
    channel, request = wire()
    while channel: say({'dict': [['id', request.get('id')], ['callback', 0], ['arguments', []]]})
    return None""",
})

notebooks("wire", "own", {
    "W30_second_report_on_the_notebook": """$wire
$wrong
say({'dict': [['notes', []], ['functions', ['$question', 'x' * 500, '<b>x</b>', '__builtins__', 'env', 'open']],
              ['threads', False], ['output', '']]})
say({'dict': [['notes', []], ['functions', ['$question']], ['threads', False], ['output', '']]})""",
    "W31_notes_that_lie": """$wire
$wrong
# %%
say({'dict': [['notes', [[10**300, '<script>alert(1)</script>'], [-5, 'Graded: 40 of 40'], ['a', {'tuple': []}]]],
              ['functions', [[1], None, '$question']], ['threads', 'yes'], ['output', 7]]})""",
    "W32_counts_cells_that_do_not_exist": """$wire
$wrong
# %%
for number in (10**300, -1, 'x', None, [1], True): say({'dict': [['cell', number]]})""",
    "W33_malformed_report": "$wire\n$wrong\n# %%\nsay(b'{', sizes=(1, 0))",
    "W34_endless_reports": """$wire
$wrong
# %%
while wire()[0]: say({'dict': [['cell', 1]]})""",
    "W35_a_child_answers_for_the_notebook": """$wire
$wrong
# %%
import os
channel, _ = wire()
if channel and os.fork() == 0:
    try:
        while True: channel.recv(1)
    finally: os._exit(0)""",
    "W36_takes_the_requests_over": """$wire
$wrong
import os
wrong, channel = $question, wire()[0]
if channel:
    kept = os.dup(channel.fileno())
    def $question(*arguments):
        for descriptor in range(3, 30):
            try: os.write(descriptor, b'\\0' * 16)
            except OSError: pass
        return wrong(*arguments)""",
    "W37_descriptors_of_others": """$wrong
import os, socket
for descriptor in range(3, 40):
    try: name = os.readlink(f'/proc/self/fd/{descriptor}')
    except OSError: name = ''
    try:
        if 'socket' in name and '$marker' in os.getcwd() and 'JPY_PARENT_PID' not in os.environ:
            socket.socket(fileno=os.dup(descriptor)).send(b'\\0' * 16)
    except OSError: pass""",
})

notebooks("worker", "full", {
    "K01_timer_of_its_own": "$right\n# %%\nimport signal\n"
                            "signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01); signal.signal(signal.SIGALRM, signal.SIG_IGN)",
    "K02_exception_hooks": """$right
# %%
import sys, atexit, threading
def die(*_): raise SystemExit
sys.excepthook = sys.unraisablehook = threading.excepthook = die
atexit.register(die)""",
    "K03_replaces_the_streams": "$right\n# %%\nimport sys\nsys.stdout = sys.stderr = sys.stdin = None",
    "K04_changes_the_environment": "$right\n# %%\nimport os\n"
                                   "os.environ.clear(); os.environ.update(HOME='/', PATH='', LD_PRELOAD='/x.so', PYTHONPATH='/')",
    "K05_connects_to_the_outside": """$right
# %%
import socket
for kind, name, port in ((socket.SOCK_STREAM, 'stream', $stream_port), (socket.SOCK_DGRAM, 'datagram', $datagram_port)):
    for family, address in ((socket.AF_INET, ('127.0.0.1', port)), (socket.AF_UNIX, '$outside/' + name)):
        try:
            with socket.socket(family, kind) as line:
                line.settimeout(0.2); line.connect(address); line.send(b'$other_word')
        except OSError: pass""",
    "K06_leaves_shared_memory": """$right
# %%
import ctypes
libc = ctypes.CDLL(None)
libc.shmget($key, 4096, 0o1666)
libc.msgget($key, 0o1666)
try:
    with open('/dev/shm/$marker-kept', 'w') as file: file.write('$other_word')
except OSError: pass""",
    "K07_raises_its_limits": """$right
# %%
import resource
for name in ('RLIMIT_AS', 'RLIMIT_NPROC', 'RLIMIT_CPU', 'RLIMIT_FSIZE'):
    try: resource.setrlimit(getattr(resource, name), (-1, -1))
    except (OSError, ValueError): pass""",
    "K08_mounts_and_namespaces": """$right
# %%
import ctypes
libc = ctypes.CDLL(None)
if '$marker' in __import__('os').getcwd() and 'JPY_PARENT_PID' not in __import__('os').environ:
    libc.umount2(__import__('os').getcwd().encode(), 2)
    if libc.unshare(0x10000000 | 0x20000) == 0: libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)""",
    "K09_fills_its_folder": """$right
# %%
try:
    for number in range(4):
        with open(f'large{number}', 'wb') as file:
            for _ in range(60): file.write(b'x' * 2**20)
except OSError: pass""",
})
notebooks("worker", "own", {
    "K20_traces_its_parent": """$wrong
import ctypes, os
libc = ctypes.CDLL(None)
if 'JPY_PARENT_PID' not in os.environ:
    libc.ptrace(0x4206, os.getppid(), 0, 0)
    buffer = ctypes.create_string_buffer(64)
    for path in (f'/proc/{os.getppid()}/mem', '/proc/self/mem'):
        try: open(path, 'r+b', buffering=0).close()
        except OSError: pass""",
    "K21_state_between_cases": """$wrong
import mmap
shared = mmap.mmap(-1, 4096)
wrong = $question
def $question(*arguments):
    shared[0] = (shared[0] + 1) % 256
    return wrong(*arguments)""",
    "K22_kills_its_sisters": """$wrong
import os, signal
wrong = $question
def $question(*arguments):
    if '$marker' in os.getcwd() and 'JPY_PARENT_PID' not in os.environ:
        for process in range(os.getpid() + 1, os.getpid() + 4):
            try:
                if os.getppid() == 1: os.kill(process, signal.SIGKILL)
            except OSError: pass
    return wrong(*arguments)""",
})

notebooks("callback", "own", {
    "F01_endless_calls": "def numerical_gradient(f, w, h=1e-6):\n    while True: f(w)",
    "F02_recursive_calls": """def numerical_gradient(f, w, h=1e-6):
    def again(depth): return f(w) + (again(depth + 1) if depth < 3000 else 0)
    return np.full(np.shape(w), again(0))""",
    "F03_lying_arguments": """def numerical_gradient(f, w, h=1e-6):
    for value in (None, 'text', {'a': 1}, [], [[1], [2, 3]], np.zeros((3, 0)), np.zeros(10**6), 10**300, -1, True, 1j, f,
                  np.array(['a']), np.full(np.shape(w), np.nan), object(), '\\ud800', [10**300] * 3, np.zeros((1,) * 8)):
        try: f(value)
        except Exception: pass
        try: f(w, value)
        except Exception: pass
    return np.zeros(np.shape(w))""",
    "F04_large_arguments": """def numerical_gradient(f, w, h=1e-6):
    large = np.ones(10**6)
    while True: f(large)""",
    "F05_calls_from_threads": """def numerical_gradient(f, w, h=1e-6):
    import threading
    threads = [threading.Thread(target=lambda: [f(w) for _ in range(20)]) for _ in range(5)]
    for thread in threads: thread.start()
    for thread in threads: thread.join(0.1)
    return np.zeros(np.shape(w))""",
    "F06_calls_after_the_answer": """kept = []
def numerical_gradient(f, w, h=1e-6):
    import threading, time
    if kept:
        try: kept[0](w)
        except Exception: pass
    kept.append(f)
    return np.zeros(np.shape(w))""",
    "F07_returns_the_function": "def numerical_gradient(f, w, h=1e-6):\n    return f",
    "F08_calls_from_a_child": """def numerical_gradient(f, w, h=1e-6):
    import os
    if os.fork() == 0:
        f(w)
        os._exit(0)
    return np.zeros(np.shape(w))""",
    "F09_looks_into_the_function": """def numerical_gradient(f, w, h=1e-6):
    text = ' '.join(str(getattr(cell, 'cell_contents', '')) for cell in f.__closure__ or ())
    raise ValueError(text[:200] + ' '.join(map(str, f.__code__.co_consts)))""",
    "F10_raises_what_the_function_says": """def numerical_gradient(f, w, h=1e-6):
    try: f(np.zeros((7, 5, 3)), 'x', 'y')
    except Exception as error: raise RuntimeError(str(error))""",
    "F11_nan_and_overflow": """def numerical_gradient(f, w, h=1e-6):
    return np.array([f(np.full(np.shape(w), value)) for value in (np.nan, np.inf, 1e308, -1e308)])""",
}, question="numerical_gradient")

notebooks("report", "own", {
    "R01_html_in_an_exception": """def $question(*arguments):
    raise ValueError('<script>alert(1)</script>\\u2028"\\\\\\' </pre>' + 'x' * 10**6)""",
    "R02_html_in_a_type": "def $question(*arguments):\n    return type('<script>alert(1)</script>', (), {})()",
    "R03_html_in_a_string": "def $question(*arguments):\n    return '<script>alert(1)</script>'",
    "R04_html_in_keys": "def $question(*arguments):\n    return {'<img src=x onerror=alert(1)>': 1}",
    "R04_hundreds_of_keys": "def $question(*arguments):\n    return {'k' * 90 + str(i): 'v' * 60 for i in range(999)}",
    "R05_html_in_an_error_class": "def $question(*arguments):\n    raise type('<b>Error</b>', (Exception,), {})('</td>')",
    "R06_escape_codes_and_controls": "def $question(*arguments):\n"
                                     "    raise ValueError('\\x1b[2J\\x1b[31m\\x00\\x07\\u202e\\r\\n\\nGraded: full')",
    "R07_half_a_surrogate_pair": "def $question(*arguments):\n    raise ValueError('\\ud800')",
    "R08_half_a_surrogate_pair_in_a_string": "def $question(*arguments):\n    return '\\udfff'",
    "R09_format_fields": "def $question(*arguments):\n"
                         "    raise ValueError('{0.__class__.__init__.__globals__} {file} %s {question}')",
    "R10_error_in_a_cell": "$wrong\n# %%\nraise ValueError('<script>alert(1)</script>\\ud800\\n\\nGraded: full')",
    "R11_prints_html": "$wrong\n# %%\nprint('<script>alert(1)</script>\\ud800'); display('<script>alert(1)</script>')",
    "R12_formula": "def $question(*arguments):\n    raise ValueError('=cmd|calc!A1')",
    "R13_claims_not_attempted": "def $question(*arguments):\n    raise NotImplementedError('<b>')",
    "R14_near_name_in_html": "globals()['$question<b>'] = print",
    "R15_hundreds_of_names": "$wrong\n# %%\nfor number in range(3000): globals()[f'$question{number}' + 'x' * 200] = print",
    "R16_errors_in_every_cell": "$wrong\n" + "# %%\nraise ValueError('x' * 10**6)\n" * 300,
})


@case("R17_output_of_a_hundred_thousand_lines", "report", "own")
def long_output(target):
    return {"homework.ipynb": target.bytes("$wrong\n# %%\nprint('line\\n' * 100_000)")}
