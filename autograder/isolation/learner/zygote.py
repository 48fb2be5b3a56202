"""The learner's side of the border: a warm process that forks one keeper and one learner's process per submission.

zygote ── keeper (adopts and kills whatever the submission leaves) ── learner's process ── one fork per case

The zygote and the keeper never run a learner's code. The learner's process and its forks are hostile from the first
cell on: whatever they say is a claim about their own values and is judged on the trusted side.
"""

import contextlib
import gc
import glob
import os
import select
import signal
import socket
import sys
import time

from autograder.files import remove_tree
from autograder.isolation import messages
from autograder.isolation.learner import cells, confinement

OWN_PACKAGE = "autograder"
WATCH_SECONDS = 0.2  # how often a keeper looks at what its submission takes
FAMILY_MEMORY = 4  # times limits.memory_mb, for all processes of a submission together
FORK_PATIENCE = 5.0  # seconds to wait for a process where another submission has used up the user's


def main(control_fd, pack_root):
    """Serve requests on the control socket until it closes: each brings two sockets and makes one submission's family."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    control = socket.socket(fileno=control_fd)
    sys.path[:] = [path for path in sys.path if os.path.realpath(path or ".") != pack_root]
    sys.meta_path[:] = [finder for finder in sys.meta_path if "__editable__" not in getattr(finder, "__module__", "")]
    for name in [name for name in sys.modules if name.partition(".")[0] == OWN_PACKAGE]:
        del sys.modules[name]
    # For root here and once: it takes 10 ms, and nobody behind this needs a network.
    no_network = os.geteuid() == 0 and confinement.unshare(confinement.CLONE_NEWNET)
    gc.collect()
    gc.freeze()  # so that collecting in a fork does not copy what all forks share
    messages.send(control, {"ready": True})
    while True:
        try:
            _, fds, _, _ = socket.recv_fds(control, 1, 2)
            options = messages.receive(control)
        except messages.ProtocolError:
            return
        if len(fds) != 2:
            return
        if os.fork() == 0:
            code = 1
            try:
                control.close()
                keep(socket.socket(fileno=fds[0]), socket.socket(fileno=fds[1]), options, no_network)
                code = 0
            finally:
                os._exit(code)
        for fd in fds:
            os.close(fd)


def keep(channel, learner_channel, options, no_network):
    """Start the learner's process, watch what it takes, and kill everything it started when told to stop, or left alone.

    A grader that was killed leaves the keeper alone: then it is the keeper that removes the scratch folder.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    reaper = confinement.become_reaper()
    options["in_namespaces"] = "namespaces" in options["layers"] and confinement.enter_namespaces(no_network)
    options["own_files"] = options["in_namespaces"] and confinement.mount_own_files(
        options["scratch"], options["uid"], options["limits"]["file_mb"])
    inherited = own_memory(os.getpid())
    pid = os.fork()
    if pid == 0:
        try:
            channel.close()
            live(learner_channel, options)
        finally:
            os._exit(0)
    learner_channel.close()
    while not select.select([channel], [], [], WATCH_SECONDS)[0]:
        if is_too_large(inherited, options["limits"]["memory_mb"]):
            end_family(pid, reaper)
    gone = end_family(pid, reaper)
    if os.geteuid() == 0 and not options["own_files"]:
        confinement.clear_shared_memory(options["uid"])
    try:
        messages.receive(channel)
        messages.send(channel, {"gone": gone})
    except messages.ProtocolError:
        confinement.unmount(options["scratch"])
        remove_tree(options["scratch"])


def is_too_large(inherited, memory_mb):
    """Whether a submission's processes take too much together; the kernel's limits are for each, or for each user."""
    family = descendants()
    memory = sum(max(0, own_memory(pid) - inherited) for pid in family)
    return threads_of(family) > 2 * confinement.PROCESSES or memory > FAMILY_MEMORY * memory_mb * 2**20


def own_memory(pid):
    """Bytes of a process that are no file's on disk; what it shares with others counts for each."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status") as file:
        return 1024 * sum(int(line.split()[1]) for line in file if line.startswith(("RssAnon:", "RssShmem:")))
    return 0


def threads_of(pids):
    """The number of threads of some processes, those that are gone left out."""
    count = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            count += len(os.listdir(f"/proc/{pid}/task"))
    return count


def end_family(pid, reaper):
    """Kill until nothing is left; False if something is after some seconds."""
    deadline = time.monotonic() + 5
    while kill_family(pid, reaper):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)
    return True


def kill_family(pid, reaper):
    """Kill the learner's process and every descendant (the reaper adopts orphans); True while any is left."""
    for victim in descendants() if reaper else (pid, -pid):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(victim, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        return True
    return False


def descendants():
    """The process ids of this process's children, and theirs, as the kernel lists them."""
    found, frontier = [], [os.getpid()]
    while frontier:
        for listing in glob.glob(f"/proc/{frontier.pop()}/task/*/children"):
            with contextlib.suppress(OSError):
                with open(listing) as file:
                    children = [int(word) for word in file.read().split()]
                found += children
                frontier += children
    return found


def live(channel, options):
    """The learner's process: close everything in, say what is closed, run the cells, then fork once per case."""
    close_descriptors(channel.fileno())
    os.setsid()
    scratch = options["scratch"]
    os.chdir(scratch)
    os.environ.clear()
    os.environ.update(options["environment"], HOME=scratch, TMPDIR=scratch, MPLCONFIGDIR=scratch)
    confinement.prctl(confinement.PR_SET_PDEATHSIG, signal.SIGKILL)
    active = confinement.confine(scratch, options["uid"], options["limits"], options["layers"],
                                 options["in_namespaces"], options["own_files"])
    confinement.prctl(confinement.PR_SET_PDEATHSIG, signal.SIGKILL)
    if options["in_namespaces"]:
        active.append("namespaces")
    readable = [path for path in options["secrets"] if is_readable(path)]
    notebook = cells.Notebook()
    sys.path.insert(0, scratch)
    messages.send(channel, {"layers": active, "readable": readable})
    request = messages.receive(channel)
    notes = []
    for cell in request["cells"]:
        messages.send(channel, {"cell": cell["index"]})
        note = notebook.run_cell(cell["source"], cell["seconds"])
        if note is not None:
            notes.append((cell["index"], note))
    messages.send(channel, {"notes": notes, "functions": notebook.function_names(), "threads": cells.other_threads(),
                            "output": notebook.output.text})
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.freeze()
    while True:
        _, fds, _, _ = socket.recv_fds(channel, 1, 1)
        if len(fds) != 1:
            return
        request = messages.receive(channel)
        case_channel = socket.socket(fileno=fds[0])
        if request["fork"] and patient_fork():
            case_channel.close()
            continue
        close_descriptors(case_channel.fileno())
        answer(case_channel, notebook)
        return


def patient_fork():
    """os.fork, also while another submission of the same user has taken every process that there may be."""
    deadline = time.monotonic() + FORK_PATIENCE
    while True:
        try:
            return os.fork()
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def close_descriptors(keep_fd):
    """Close everything but one descriptor; the standard streams lead nowhere."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        if standard != keep_fd:
            os.dup2(null, standard)
    os.closerange(3, keep_fd)
    os.closerange(keep_fd + 1, 4096)


def is_readable(path):
    """Whether this process can read a file, or list a folder, of the trusted side."""
    try:
        if os.path.isdir(path):
            os.listdir(path)
        else:
            with open(path, "rb") as file:
                file.read(1)
    except OSError:
        return False
    return True


def answer(channel, notebook):
    """One case: answer calls until the channel closes. The kernel ends this process when a call takes too long."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    gc.disable()  # a case is short, and collecting would copy the pages that it shares with the notebook's process
    while True:
        request = messages.receive(channel, max_bytes=2**28)
        before = [messages.pack(argument) for argument in request["arguments"]]
        arguments = [callback(channel, request["id"], argument.handle) if isinstance(argument, messages.Callback)
                     else argument for argument in request["arguments"]]
        notebook.output.text = ""
        reply = {"id": request["id"]}
        signal.setitimer(signal.ITIMER_REAL, request["seconds"])
        try:
            reply["result"] = notebook.namespace[request["function"]](*arguments)
        except BaseException as error:  # SystemExit is an answer as well
            reply["error"] = describe(error)
        signal.setitimer(signal.ITIMER_REAL, 0)
        reply["output"] = notebook.output.text[:2000]
        reply["after"] = [None if isinstance(was, messages.Callback) or messages.pack(now) == packed else [now]
                          for was, now, packed in zip(request["arguments"], arguments, before)]
        try:
            frame = messages.pack(reply)
        except (messages.ProtocolError, TypeError, ValueError, MemoryError, AttributeError) as error:
            reply = {"id": request["id"], "error": [["protocol"], str(error)[:200], None], "output": "", "after": []}
            frame = messages.pack(reply)
        channel.settimeout(None)
        channel.sendall(frame)


def callback(channel, call_id, handle):
    """A function that asks the trusted side to compute; arguments and results are plain data like everything else."""
    def ask(*args):
        messages.send(channel, {"id": call_id, "callback": handle, "arguments": list(args)})
        reply = messages.receive(channel)
        if "error" in reply:
            raise ValueError(reply["error"])
        return reply["result"]
    return ask


def describe(error):
    """Class names, text and the line in the notebook of a learner's exception."""
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<notebook>":
            line = trace.tb_lineno
        trace = trace.tb_next
    return [[kind.__name__ for kind in type(error).__mro__][:20], str(error)[:300], line]
