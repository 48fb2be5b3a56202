"""Work in several processes, each with a warm learner's side of its own (a lane)."""

import contextlib
import multiprocessing
import os
import queue
import threading
from concurrent.futures import ThreadPoolExecutor

from autograder.isolation.border import Zygote

TRIES = 2  # of a task whose worker process is killed


class LaneLost(Exception):
    """A worker process was killed at every try of one task."""


def map_in_lanes(function, tasks, jobs, lost=None):
    """Yield function(zygote, task) for every task, in order; `function` is importable, tasks and results can be pickled.

    An exception ends the whole; with one job everything stays in this process. A task whose worker process is killed is
    tried once more in a new one; after that it yields lost(task), or raises LaneLost without `lost`.
    """
    tasks = list(tasks)
    jobs = min(jobs, len(tasks))
    if jobs <= 1:
        with Zygote() as zygote:
            for task in tasks:
                yield function(zygote, task)
        return
    free = queue.SimpleQueue()

    def in_a_lane(task):
        lane = free.get()
        try:
            return lane.run(function, task)
        except LaneLost:
            if lost is None:
                raise
            return lost(task)
        finally:
            free.put(lane)

    with contextlib.ExitStack() as stack:
        for number in range(jobs):
            free.put(stack.enter_context(contextlib.closing(_Lane(number))))
        yield from stack.enter_context(ThreadPoolExecutor(jobs)).map(in_a_lane, tasks)


class _Lane:
    """One worker process; it ends when this end of its channel closes, and at once when this process is killed."""

    def __init__(self, number):
        self._number = number
        self._open()

    def _open(self):
        context = multiprocessing.get_context("forkserver")
        self._channel, theirs = context.Pipe()
        with theirs:
            self._process = context.Process(target=_work, args=(theirs, self._number))
            self._process.start()

    def run(self, function, task):
        """function(zygote, task) in the worker process. Raises what it raises, or LaneLost."""
        for _ in range(TRIES):
            try:
                self._channel.send((function, task))
                error, result = self._channel.recv()
            except (EOFError, ConnectionError):  # it was killed
                self.close()
                self._open()
                continue
            if error is not None:
                raise error
            return result
        raise LaneLost(f"the worker process was killed {TRIES} times in one task")

    def close(self):
        """End the worker process."""
        self._channel.close()
        self._process.join()


def _work(channel, number):
    """Do what comes through the channel until it closes; the zygote ends with this process."""
    threading.Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()
    with Zygote(number) as zygote:
        while True:
            try:
                function, task = channel.recv()
            except EOFError:
                return
            try:
                answer = None, function(zygote, task)
            except BaseException as error:  # an interrupt from the keyboard too: it must not look like a killed process
                answer = error, None
            channel.send(answer)


def _end_with(parent):
    """End this process as soon as the grader has ended, even if it was killed."""
    parent.join()
    os._exit(1)
