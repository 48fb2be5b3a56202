"""The trusted side of the border: learners' processes, and proxies that stand for their functions.

Every call sends its arguments and gets plain data back; what was asked and what came is written on a tape. Nothing of a
learner is imported, unpickled or evaluated here.
"""

import contextlib
import dataclasses
import os
import secrets
import select
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from autograder.files import remove_tree
from autograder.isolation import messages

PACK_ROOT = Path(__file__).resolve().parents[2]
START = ("import sys; sys.path.insert(0, sys.argv[2]); from autograder.isolation.learner.zygote import main; "
         "main(int(sys.argv[1]), sys.argv[2])")
ALL_LAYERS = ("limits", "no_new_privileges", "sockets", "user", "landlock", "namespaces")
FIRST_LANE_USER = 61_000
KILL_GRACE = 1.0
ALL_MESSAGES = 4  # times limits.message_mb is what one submission may send in all
MAX_RESTARTS = 3
START_TRIES, START_SECONDS = 3, 60  # of the learner's side


class IsolationError(Exception):
    """The confinement that the configuration asks for cannot be had; the text says what to do."""


class StartError(Exception):
    """One submission's process could not be started."""


class LearnerFailure(Exception):
    """A learner's call that gave no value. `learner_error` is (class names or timeout/crashed/protocol, text, line)."""

    def __init__(self, kinds, text, line=None):
        super().__init__(text)
        self.learner_error = (kinds, text, line)


@dataclasses.dataclass
class NotebookRun:
    """What a learner's process said after running the cells: all of it claims about its own namespace."""

    notes: list  # (cell index, one line) for every cell that stopped early
    functions: list
    threads: bool
    output: str


class Zygote(contextlib.AbstractContextManager):
    """One warm process that can make learners' processes; not to be shared between threads."""

    def __init__(self, lane=0):
        self.lane = lane
        self._start()

    def _start(self):
        ours, theirs = socket.socketpair()
        environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8"}
        # One BLAS thread, set before numpy is imported: threads plus a process limit hang after a fork.
        environment |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        environment |= {name: value for name, value in os.environ.items() if name.startswith("OPENBLAS_CORETYPE")}
        self.process = subprocess.Popen([sys.executable, "-I", "-c", START, str(theirs.fileno()), str(PACK_ROOT)],
                                        pass_fds=[theirs.fileno()], env=environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        theirs.close()
        self._control = ours
        self._ready = False

    def fork(self, options):
        """Start one submission's processes; returns (keeper's channel, learner's channel). Raises IsolationError."""
        self._be_ready()
        keeper, keeper_end = socket.socketpair()
        learner, learner_end = socket.socketpair()
        with keeper_end, learner_end, contextlib.suppress(OSError, messages.ProtocolError):  # then nobody says hello
            socket.send_fds(self._control, [b"."], [keeper_end.fileno(), learner_end.fileno()])
            messages.send(self._control, options)
        return keeper, learner

    def _be_ready(self):
        """Wait until it is warm; one that was killed is started again, since no submission must suffer for that."""
        for _ in range(START_TRIES):
            if self.process.poll() is not None:
                self._control.close()
                self.process.stderr.close()
                self._start()
            try:
                if not self._ready:
                    messages.receive(self._control, time.monotonic() + START_SECONDS)
                self._ready = True
                return
            except messages.ProtocolError as error:
                self.process.kill()
                complaint = self.process.stderr.read().decode(errors="replace")[-1000:] or str(error)
                self.process.wait()
        raise IsolationError(f"the learner's side did not start: {complaint}")

    def close(self):
        """End the zygote; its submissions' processes end with their learners."""
        self._control.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stderr.close()

    def __exit__(self, *error):
        self.close()


class Learner(contextlib.AbstractContextManager):
    """One submission's process family: the notebook is run once, every case is asked in a fork of that state.

    zygote: where to fork from; cells: list of (index, source); limits: config's Limits; layers: the confinement to try;
    secrets: paths that must not be readable in there; minimum: "files" to insist on that, "process" not to.
    """

    def __init__(self, zygote, cells, limits, secrets_=(), minimum="files", layers=ALL_LAYERS):
        self.zygote = zygote
        self.cells = list(cells)
        self.limits = limits
        self.secrets = [str(path) for path in secrets_]
        self.minimum = minimum
        self.layers = list(layers)
        self.active_layers = []
        self.deadline = time.monotonic() + limits.submission_seconds
        self.tape = []
        self.run = None
        self._calls = None
        self._room = ALL_MESSAGES * limits.message_mb * 2**20
        self._slow = set()  # functions that ran into the limit once: later calls get a fifth of it
        self._case_channel = self._spare = None
        self._spawn_and_run()

    # --- life ---------------------------------------------------------------------------------------------------

    def _spawn_and_run(self):
        """Run the notebook; a cell that takes the process down is left out at the next try."""
        skipped = []
        for attempt in range(MAX_RESTARTS + 1):
            cells = [cell for cell in self.cells if cell[0] not in {index for index, _ in skipped}]
            if attempt == MAX_RESTARTS and skipped:  # give up on what follows the last culprit, keep what came before
                cells = [cell for cell in cells if cell[0] < skipped[-1][0]]
            self._spawn()
            current = None
            deadline = min(time.monotonic() + self.limits.notebook_seconds, self.deadline)
            try:
                request = [{"index": index, "source": source, "seconds": self.limits.cell_seconds} for index, source in cells]
                messages.send(self._channel, {"cells": request}, deadline)
                while True:
                    reply = self._receive(self._channel, deadline + KILL_GRACE)
                    if "cell" not in reply:
                        break
                    current = reply["cell"] if type(reply["cell"]) is int else current
                self.run = NotebookRun(notes=skipped + _notes(reply.get("notes")), functions=_names(reply.get("functions")),
                                       threads=bool(reply.get("threads")), output=str(reply.get("output", ""))[:20_000])
                self.run.notes.sort()
                self.cells, self._fresh = cells, True
                return
            except messages.DeadlinePassed:
                skipped.append((current or 0, f"stopped: the notebook ran longer than {self.limits.notebook_seconds:g} s"))
            except messages.ProtocolError:
                if not self._keeper_is_gone():  # whose end would be the system's doing, not the cell's
                    skipped.append((current or 0, "the process ended in this cell"))
            self._kill()
        self.run, self._fresh = NotebookRun(notes=skipped, functions=[], threads=False, output=""), True

    def _spawn(self):
        for last in (False, True):
            self.scratch = tempfile.mkdtemp(prefix="submission-")
            uid = FIRST_LANE_USER + self.zygote.lane
            if os.geteuid() == 0:
                os.chown(self.scratch, uid, uid)
            options = {"scratch": self.scratch, "uid": uid, "layers": self.layers, "secrets": self.secrets,
                       "environment": {"PATH": os.defpath, "LANG": "C.UTF-8", "MPLBACKEND": "Agg"},
                       "limits": {"memory_mb": self.limits.memory_mb, "file_mb": self.limits.file_mb,
                                  "cpu_seconds": int(self.limits.submission_seconds)}}
            self._keeper, self._channel = self.zygote.fork(options)
            try:
                hello = messages.receive(self._channel, time.monotonic() + 30)
                break
            except messages.ProtocolError as error:  # nothing of the submission has run yet
                self._kill()
                if last:
                    raise StartError(f"a learner's process did not start ({error})") from None
        self.active_layers = list(hello["layers"])
        if hello["readable"] and self.minimum == "files":
            self._kill()
            raise IsolationError(
                f"a learner's process could read {hello['readable'][0]}; active layers: {', '.join(self.active_layers)}. "
                "Use a kernel with Landlock (Linux 5.13 or newer), or run as root with the pack closed to other users "
                "(chmod -R go-rwx), or accept it with --isolation process.")

    def _keeper_is_gone(self):
        """Whether the keeper was killed: while it lives it says nothing until it is told to stop."""
        return bool(select.select([self._keeper], [], [], 0)[0])

    def _kill(self):
        """End the whole family and wait until nothing of it runs; then its scratch folder can go."""
        self._end_case()
        if self._spare is not None:
            self._spare.close()
        self._spare = None
        with contextlib.suppress(messages.ProtocolError):
            messages.send(self._keeper, {"stop": True}, time.monotonic() + 1)
            messages.receive(self._keeper, time.monotonic() + 10)
        self._keeper.close()
        self._channel.close()
        remove_tree(self.scratch)

    def close(self):
        """End everything that this submission started."""
        self._kill()

    def __exit__(self, *error):
        self.close()

    # --- asking -------------------------------------------------------------------------------------------------

    def proxies(self):
        """The learner's namespace as far as it matters: a proxy per callable, by name."""
        return {name: Proxy(self, name) for name in self.run.functions}

    def begin_case(self, case):
        """From now on calls belong to `case` and see the state right after the notebook ran."""
        self._end_case()
        self._calls = []
        self.tape.append({"case": case, "calls": self._calls})

    def _end_case(self):
        if self._case_channel is not None:
            self._case_channel.close()
        self._case_channel = None

    def _open_case(self):
        """Take a fork of the notebook's state for the current case; a family that is gone is made anew."""
        if self.run.threads and not self._fresh:
            self._restart()  # a fork would lose the threads: a fresh process per case
        self._fresh = False
        for attempt in (0, 1):
            try:
                self._case_channel, self._spare = self._spare or self._fork_case(), None
                if not self.run.threads:
                    self._spare = self._fork_case()  # one ahead: it gets ready while this case is asked
                return
            except (OSError, messages.ProtocolError):
                if attempt:
                    raise LearnerFailure(["crashed"], "it does not stay alive after the notebook has run") from None
                self._restart()

    def _fork_case(self):
        ours, theirs = socket.socketpair()
        with theirs:
            self._channel.settimeout(KILL_GRACE)
            socket.send_fds(self._channel, [b"."], [theirs.fileno()])
        messages.send(self._channel, {"fork": not self.run.threads}, time.monotonic() + KILL_GRACE)
        return ours

    def call(self, function, args):
        """Ask for function(*args); returns (result, arguments afterwards). Raises LearnerFailure."""
        started = time.monotonic()
        record = {"function": function, "arguments": list(args), "callbacks": {i: [] for i, a in enumerate(args) if callable(a)}}
        self._calls.append(record)
        try:
            reply = self._ask(function, args, record)
        except LearnerFailure as failure:
            kinds, text, _ = failure.learner_error
            record.update(outcome=kinds[0], kinds=kinds, error=text, seconds=time.monotonic() - started)
            raise
        after = [args[i] if reply["after"][i] is None else reply["after"][i][0] for i in range(len(args))]
        record.update(outcome="returned", result=reply["result"], output=reply["output"], seconds=time.monotonic() - started,
                      arguments_after=reply["after"] if any(reply["after"]) else None)
        return reply["result"], after

    def _ask(self, function, args, record, again=False):
        allowed = self.limits.call_seconds / (5 if function in self._slow else 1)
        seconds = min(allowed, self.deadline - time.monotonic())
        if seconds <= 0:
            raise LearnerFailure(["timeout"], f"{self.limits.submission_seconds:g} s for the whole submission")
        if self._case_channel is None:
            self._open_case()
        started = time.monotonic()
        deadline = started + seconds + KILL_GRACE
        call_id = secrets.token_hex(8)
        sent = [messages.Callback(i) if callable(a) else a for i, a in enumerate(args)]
        try:
            request = {"id": call_id, "function": function, "arguments": sent, "seconds": seconds}
            messages.send(self._case_channel, request, deadline)
            while True:
                reply = self._receive(self._case_channel, deadline)
                if reply.get("id") != call_id:
                    raise messages.ProtocolError("a reply to another call")
                if "callback" not in reply:
                    return self._checked(reply, len(args))
                self._call_back(reply, args, record, deadline)
        except messages.DeadlinePassed:
            self._restart()
            self._slow.add(function)
            raise LearnerFailure(["timeout"], f"{allowed:g} s") from None
        except messages.Closed:
            self._end_case()
            if self._keeper_is_gone() and not again:
                self._restart()
                record["callbacks"] = {handle: [] for handle in record["callbacks"]}
                return self._ask(function, args, record, again=True)
            # The kernel's timer ends an honest loop; then the stream closes at the limit.
            if time.monotonic() - started >= 0.95 * seconds:
                self._slow.add(function)
                raise LearnerFailure(["timeout"], f"{allowed:g} s") from None
            raise LearnerFailure(["crashed"], "it exited or crashed") from None
        except messages.ProtocolError as error:
            self._restart()
            raise LearnerFailure(["protocol"], str(error)) from None

    def _restart(self):
        """After a call that does not end by itself: everything is killed; the next case makes the state anew."""
        self._kill()
        self._spawn_and_run()

    def _receive(self, channel, deadline):
        reply = messages.receive(channel, deadline, self.limits.message_mb * 2**20, messages.MAX_TEXT)
        if not isinstance(reply, dict):
            raise messages.ProtocolError("a reply that is not a dict")
        self._room -= messages.size_of(reply)
        if self._room < 0:  # everything that comes is kept on the tape
            raise messages.ProtocolError(f"more than {ALL_MESSAGES * self.limits.message_mb} MB of answers")
        return reply

    def _checked(self, reply, count):
        """A final reply of the right form: a result or an error, and what became of the arguments."""
        error, after = reply.get("error"), reply.get("after")
        if error is not None:
            if not (isinstance(error, list) and len(error) == 3 and _names(error[0]) and isinstance(error[1], str)):
                raise messages.ProtocolError("an error of unknown form")
            if error[0] == ["protocol"]:
                raise LearnerFailure(["protocol"], error[1][:300])
            kinds = [name for name in _names(error[0]) if name not in ("timeout", "crashed", "protocol")]
            raise LearnerFailure(kinds or ["Exception"], error[1][:300], error[2] if type(error[2]) is int else None)
        if "result" not in reply or not isinstance(after, list) or len(after) != count:
            raise messages.ProtocolError("a reply without a result")
        if not all(value is None or (isinstance(value, list) and len(value) == 1) for value in after):
            raise messages.ProtocolError("arguments of unknown form")
        return {"result": reply["result"], "after": after, "output": str(reply.get("output", ""))[:2000]}

    def _call_back(self, reply, args, record, deadline):
        """Compute a callback for the learner: its arguments are plain data, checked by the function itself."""
        handle, arguments = reply["callback"], reply.get("arguments")
        known = type(handle) is int and 0 <= handle < len(args) and callable(args[handle])
        if not known or not isinstance(arguments, list):
            raise messages.ProtocolError("a call of an unknown function")
        transcript = record["callbacks"][handle]
        if len(transcript) >= self.limits.callback_calls:
            raise messages.ProtocolError(f"more than {self.limits.callback_calls} calls of a function it was given")
        try:
            with np.errstate(all="ignore"):
                answer = {"result": args[handle](*arguments)}
        except Exception as error:  # whatever the learner passed, the answer goes back to the learner
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        transcript.append([arguments, answer.get("result")])
        messages.send(self._case_channel, answer, deadline)


class Proxy:
    """Stands for one learner function: called like it, it asks across the border and gives plain data."""

    def __init__(self, learner, name):
        self._learner = learner
        self._name = name
        self.arguments_after = None

    def begin_case(self, case):
        """See :meth:`Learner.begin_case`."""
        self._learner.begin_case(case)

    def __call__(self, *args):
        """The learner's answer. Raises LearnerFailure; `arguments_after` holds what became of the arguments."""
        self.arguments_after = list(args)
        result, self.arguments_after = self._learner.call(self._name, args)
        return result


def _names(value):
    return [str(name)[:100] for name in value[:500]] if isinstance(value, list) else []


def _notes(value):
    pairs = [pair for pair in value if isinstance(pair, (list, tuple)) and len(pair) == 2] if isinstance(value, list) else []
    return [(pair[0] if type(pair[0]) is int else 0, str(pair[1])[:300]) for pair in pairs[:200]]
