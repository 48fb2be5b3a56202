"""A command under a memory and a processor limit, and what it took: by control groups, or else by watching it."""

import contextlib
import dataclasses
import glob
import os
import signal
import subprocess
import time
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
GROUP = "seqprehistory-container"
MEMORY_MB = 768
TICK = 0.05


@dataclasses.dataclass
class Finished:
    """A command that has ended: its exit status and text, and what all its processes took together."""

    code: int
    output: str
    seconds: float
    pss_mb: float  # the largest sum of PSS that was seen
    group_mb: float  # the control group's peak, page cache included; where there is no group, the same as pss_mb
    limited_by: str


class Watching:
    """Where no control group can be made: stop all processes for a part of the time, and kill them above the memory limit."""

    name = "stopping all processes part of the time and killing them above the limit, as no control group can be made"

    def __init__(self, cpus):
        self.pause = TICK * (1 - min(1, cpus))
        self.most = 0

    def enter(self):
        """In the new process, before the command."""

    def watch(self, process, deadline):
        """Wait for the end and keep the largest sum of PSS that is seen. Raises TimeoutExpired."""
        while process.poll() is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired(process.args, 0)
            family = _descendants(process.pid)
            if self.pause:
                _signal(family, signal.SIGSTOP)
            self.most = max(self.most, sum(map(_pss, family)))
            if self.most > MEMORY_MB * 2**20:
                process.kill()
            if self.pause:
                time.sleep(self.pause)
                _signal(family, signal.SIGCONT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(TICK - self.pause)

    def peak(self):
        """Bytes: the control group's peak."""
        return self.most

    def close(self):
        """Forget the limits; every process has ended."""


class CgroupV2(Watching):
    """Control groups, version 2."""

    name = "cgroup v2 (memory.max, cpu.max)"

    def __init__(self, cpus):
        super().__init__(1)
        (CGROUPS / "cgroup.subtree_control").write_text("+memory +cpu")
        self.folders = [_fresh(CGROUPS / GROUP)]
        (self.folders[0] / "memory.max").write_text(str(MEMORY_MB * 2**20))
        (self.folders[0] / "cpu.max").write_text(f"{int(cpus * 100_000)} 100000")
        with contextlib.suppress(OSError):  # where swap is not accounted for
            (self.folders[0] / "memory.swap.max").write_text("0")

    def enter(self):
        for folder in self.folders:
            (folder / "cgroup.procs").write_text("0")

    def peak(self):
        with contextlib.suppress(FileNotFoundError):  # before Linux 5.19
            return int((self.folders[0] / "memory.peak").read_text())
        return self.most

    def close(self):
        for folder in self.folders:
            _remove(folder)


class CgroupV1(CgroupV2):
    """Control groups, version 1."""

    name = "cgroup v1 (memory.limit_in_bytes, cpu.cfs_quota_us)"

    def __init__(self, cpus):
        Watching.__init__(self, 1)
        self.folders = [_fresh(CGROUPS / controller / GROUP) for controller in ("memory", "cpu")]
        memory, cpu = self.folders
        (memory / "memory.limit_in_bytes").write_text(str(MEMORY_MB * 2**20))
        with contextlib.suppress(OSError):  # where swap is not accounted for
            (memory / "memory.memsw.limit_in_bytes").write_text(str(MEMORY_MB * 2**20))
        (cpu / "cpu.cfs_period_us").write_text("100000")
        (cpu / "cpu.cfs_quota_us").write_text(str(int(cpus * 100_000)))

    def peak(self):
        return int((self.folders[0] / "memory.max_usage_in_bytes").read_text())


KINDS = {"v2": CgroupV2, "v1": CgroupV1, "watch": Watching}


def limit(cpus):
    """The first kind of limit that this machine allows (or the one that CONTAINER_LIMITS names)."""
    wanted = os.environ.get("CONTAINER_LIMITS")
    for kind in [KINDS[wanted]] if wanted else KINDS.values():
        try:
            return kind(cpus)
        except OSError:
            if wanted:
                raise
    raise AssertionError("watching always works")


def run(command, log, cpus, seconds):
    """Run a command to its end, at most `seconds`, with its text in the file `log`; a process that outlives it is killed."""
    limits = limit(cpus)
    started = time.monotonic()
    try:
        with open(log, "wb") as stream:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, preexec_fn=limits.enter)
            try:
                limits.watch(process, started + seconds)
            finally:
                if process.poll() is None:
                    process.kill()  # unshare takes its process namespace with it
                    process.wait()
        taken = time.monotonic() - started
        output = Path(log).read_text(errors="replace")
        return Finished(process.returncode, output, taken, limits.most / 2**20, limits.peak() / 2**20, limits.name)
    finally:
        limits.close()


def _fresh(folder):
    if folder.exists():
        _remove(folder)
    folder.mkdir()
    return folder


def _remove(folder):
    """A group can be removed a moment after its last process has ended."""
    for _ in range(200):
        for pid in (folder / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        try:
            folder.rmdir()
            return
        except OSError:
            time.sleep(0.02)
    raise RuntimeError(f"{folder} cannot be removed: a process stays in it")


def _descendants(pid):
    found, frontier = [], [pid]
    while frontier:
        for listing in glob.glob(f"/proc/{frontier.pop()}/task/*/children"):
            with contextlib.suppress(OSError):
                children = [int(word) for word in Path(listing).read_text().split()]
                found += children
                frontier += children
    return found


def _signal(pids, number):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _pss(pid):
    with contextlib.suppress(OSError, StopIteration):
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        return 1024 * int(next(line for line in text.splitlines() if line.startswith("Pss:")).split()[1])
    return 0
