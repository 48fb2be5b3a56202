"""The corpus through stock Otter, for comparison: `python tests/stock_otter.py [--only A0] [--jobs 2]`.

One question, with the test file of the pack's own zip, but without the plugin: the notebook runs in Otter's kernel, and
the reference can be imported there. Cases that are aimed at this grader's own machinery, or that are only safe where
they are confined, are left out. Prints a table by category and what was not met. Needs a built dist/.
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from submissions import arena, corpus  # noqa: E402
from submissions.oddities import zipped  # noqa: E402

STAGE, QUESTION, PARAMETERS = "stage1_recurrence", "elman_step", "x, a_prev, params"
OWN_MACHINERY = ("wire", "worker", "callback")
SECRETS = ("@ a_prev + params[", "[(4, 3), (3, 5), (1, 2)]")  # of the real reference and a real hidden case
LEFT_BY_OTTER = ("scratch", ".cache", ".config", ".ipython", ".local", ".jupyter")
LATER = 3  # seconds after which the results of a submission that left processes are read again


def stock_zip():
    """A zip for Otter with the one test file and nothing of the pack's isolation."""
    with zipfile.ZipFile(ROOT / "dist" / f"{STAGE}.zip") as archive:
        test = archive.read(f"tests/{QUESTION}.py")
        bundle = json.loads(archive.read("bundle.json"))
    most = sum(case["points"] for case in bundle["questions"][QUESTION])
    config = json.dumps({"show_stdout": False, "show_hidden": False}).encode()
    return zipped({"otter_config.json": config, f"tests/{QUESTION}.py": test}), most


def try_case(case_id, seconds):
    """(category, id, met, complaints) of one case."""
    case = corpus.CASES[case_id]
    try:
        complaints = _complaints(case, seconds)
    except Exception as error:  # one case that cannot even be judged must not end the others
        complaints = [f"cannot be judged: {type(error).__name__}: {error}"]
    return case.category, case.id, not complaints, complaints


def _complaints(case, seconds):
    bundle, most = stock_zip()
    solved = json.loads((ROOT / "dist" / "solved" / "en" / f"{STAGE}.ipynb").read_bytes())
    with arena.Arena() as place:
        target = corpus.target(STAGE, QUESTION, PARAMETERS, solved, place.places)
        files = case.make(target)
        if len(files) > 1 or "/" in next(iter(files)):
            files = {"submission.zip": zipped(files)}
        complaints = []
        try:
            handed_in = place.submission(files)
        except (OSError, ValueError) as error:
            return [f"cannot be handed in: {error}"]
        out = place.out()
        assignment = out / "autograder.zip"
        assignment.write_bytes(bundle)
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "otter", "run", "-a", assignment, handed_in, "-o", out, "--no-logo"]
        with open(out / "log.txt", "wb") as log:
            process = subprocess.Popen(command, cwd=out, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                       start_new_session=True)
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                complaints.append(f"still running after {seconds} s")
        left = place.processes(patience=1)
        if left:
            complaints.append(f"{len(left)} processes left")
            time.sleep(LATER if process.poll() is not None else 0)
        _end(place, process)
        results = _read(out / "results.json")
        scores = results and {QUESTION: (_score(results), most)}
        text = json.dumps([results and results.get("output")] + [test for test in (results or {}).get("tests", ())
                                                                 if test.get("visibility") != "hidden"], ensure_ascii=False)
        complaints += arena.verdict(case, QUESTION, scores, {QUESTION: (0.0, most)}, text)
        if any(secret in text for secret in (*place.secrets, *SECRETS)):
            complaints.append("a secret in what students see")
        complaints += place.damage()
    return [line for line in complaints if not line.startswith(LEFT_BY_OTTER)]


def _score(results):
    return sum(test.get("score", 0) or 0 for test in results.get("tests", ()))


def _read(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def _end(place, process):
    """Kill what was started here, and what that has started, by process id."""
    for _ in range(20):
        found = [int(line.split(":")[0]) for line in place.processes(patience=0)]
        for number in found:
            with contextlib.suppress(OSError):
                os.kill(number, signal.SIGKILL)
        if process.poll() is not None and not found:
            return
        time.sleep(0.1)


def main():
    """Try the cases and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="only cases whose id starts with one of these (comma-separated)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=60, help="when a run is killed")
    options = parser.parse_args()
    chosen = tuple(options.only.split(","))
    ids = [case.id for case in corpus.CASES.values() if case.stock and not case.question
           and case.category not in OWN_MACHINERY and case.id.startswith(chosen)]
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(try_case, case_id, options.seconds) for case_id in ids]
        outcomes = []
        for case_id, future in zip(ids, waiting):
            outcomes.append(future.result())
            print(case_id, "met" if outcomes[-1][2] else f"NOT MET: {'; '.join(outcomes[-1][3])[:150]}", flush=True)
    print(arena.tally(outcomes))


if __name__ == "__main__":
    main()
