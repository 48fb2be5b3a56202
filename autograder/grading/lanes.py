"""Work in several processes, each with a warm learner's side of its own (a lane)."""

import contextlib
import multiprocessing
import multiprocessing.util
from concurrent.futures import ProcessPoolExecutor

from autograder.isolation.border import Zygote

_zygote = None  # of a worker process


def map_in_lanes(function, tasks, jobs):
    """Yield function(zygote, task) for every task, in order; `function` is importable and tasks can be pickled.

    An exception ends the whole; with one job everything stays in this process.
    """
    tasks = list(tasks)
    jobs = min(jobs, len(tasks))
    if jobs <= 1:
        with Zygote() as zygote:
            for task in tasks:
                yield function(zygote, task)
        return
    context = multiprocessing.get_context("forkserver")
    numbers = context.Queue()
    for number in range(jobs):
        numbers.put(number)
    with ProcessPoolExecutor(jobs, context, _open_lane, (numbers,)) as pool:
        yield from pool.map(_in_lane, [(function, task) for task in tasks])


def _open_lane(numbers):
    """Initialise a worker process; its zygote ends with it."""
    global _zygote
    stack = contextlib.ExitStack()
    _zygote = stack.enter_context(Zygote(numbers.get()))
    multiprocessing.util.Finalize(None, stack.close, exitpriority=10)


def _in_lane(job):
    function, task = job
    return function(_zygote, task)
