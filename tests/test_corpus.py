"""The corpus through the real grader: nothing stolen, nothing leaked, nothing left, always a result, odd but honest is fine.

`python -m pytest tests/test_corpus.py -k W05` tries some. CORPUS_TABLE=1 prints the outcomes by category at the end.
CORPUS_WITHOUT=namespaces leaves layers of the confinement out (comma-separated), as where the system refuses them.
CORPUS_MINIMUM=process goes on where the configuration would refuse to grade, but for the cases that nothing but closed
files and sockets can stop.
`python tests/stock_otter.py` gives the same corpus to stock Otter.
"""

import contextlib
import functools
import json
import os
import subprocess
import sys
import time
import zipfile

import pytest
from conftest import ROOT, SECRETS
from submissions import arena, corpus

from autograder.grading.batch import grade_batch
from autograder.grading.bundle import Bundle
from autograder.grading.gradescope import gradescope_results
from autograder.isolation import border

LIMITS = {"call_seconds": 0.4, "cell_seconds": 1, "notebook_seconds": 3, "submission_seconds": 12, "memory_mb": 400}
QUESTIONS = {"elman_step": ("stage1_recurrence", "x, a_prev, params", ["elman_step", "softmax", "lm_pairs"]),
             "step_jacobian": ("stage2_bptt", "a, W_aa", ["step_jacobian", "log_product_trajectory"]),
             "numerical_gradient": ("stage2_bptt", "f, w, h", ["numerical_gradient", "step_jacobian"])}
# At `process` alone nothing can keep these from files, sockets and shared memory: isolation.minimum has to refuse them.
NEEDS_LAYERS = {"A02_reads_the_reference_from_disk", "A31_forged_verdicts_on_every_descriptor",
                "B02_raises_what_it_finds_in_the_function", "B03_returns_what_it_finds", "B03_types_named_after_what_it_finds",
                "B06_raises_what_it_finds_in_a_cell", "B08_score_as_a_covert_channel", "B09_reads_another_submission",
                "C59_links_out_of_the_scratch", "C60_writes_elsewhere", "K05_connects_to_the_outside",
                "K06_leaves_shared_memory"}
SLACK = 10  # seconds above the limit of a submission: restarts and the end of everything it started
AIMED = [(case, case.question or "elman_step") for case in corpus.CASES.values()]
# Cases can be aimed at any question; that they are not made for one only is tried on some of them.
AIMED += [(case, "step_jacobian") for case in corpus.CASES.values()
          if not case.question and case.category in ("control", "score", "wire", "leak")][::8]


class Range:
    """The arena, a warm zygote inside it, limited assignments, and what each question's wrong function earns."""

    def __init__(self, place, zygote, released):
        self.place, self.zygote, self.released = place, zygote, released
        self.outcomes = []

    @functools.cache  # noqa: B019
    def assignment(self, question):
        """The zip with small limits and few questions."""
        stage, _, questions = QUESTIONS[question]
        path = self.place.base / "out" / f"{question}.zip"
        path.parent.mkdir(exist_ok=True, mode=0o700)
        with zipfile.ZipFile(self.released / "dist" / f"{stage}.zip") as old, zipfile.ZipFile(path, "w") as new:
            for entry in old.infolist():
                data = old.read(entry)
                if entry.filename == "bundle.json":
                    bundle = json.loads(data)
                    bundle["limits"].update(LIMITS)
                    bundle["questions"] = {name: bundle["questions"][name] for name in questions}
                    bundle["max_score"] = sum(case["points"] for cases in bundle["questions"].values() for case in cases)
                    data = json.dumps(bundle).encode()
                new.writestr(entry, data)
        return path

    @functools.cache  # noqa: B019
    def target(self, question):
        stage, parameters, _ = QUESTIONS[question]
        solved = json.loads((self.released / "dist" / "solved" / "en" / f"{stage}.ipynb").read_bytes())
        return corpus.target(stage, question, parameters, solved, self.place.places)

    @functools.cache  # noqa: B019
    def honest(self, question):
        """{question: (score, maximum)} of the wrong function."""
        return self.grade(corpus.CASES["H02_wrong_values"], question)[1]

    def grade(self, case, question):
        """Grade one case as a batch of one; returns (result, scores, texts of every file that was written, seconds)."""
        handed_in = self.place.submission(case.make(self.target(question)))
        out = self.place.out()
        secrets = [*SECRETS, self.place.base / "pack"]
        started = time.monotonic()
        results = grade_batch(self.assignment(question), [handed_in], out, secrets=secrets,
                              minimum=None if case.id in NEEDS_LAYERS else os.environ.get("CORPUS_MINIMUM"))
        seconds = time.monotonic() - started
        assert len(results) == 1, f"{len(results)} results"
        written = {path.name: path.read_text() for path in out.rglob("*") if path.is_file()}
        result = json.loads(written["result.json"])
        scores = {name: (entry["score"], entry["max_score"]) for name, entry in result["questions"].items()}
        return result, scores, written, seconds


@pytest.fixture(scope="module")
def shooting_range(released, request):
    with arena.Arena() as place, border.Zygote() as zygote, pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.grading.lanes.Zygote", lambda *lane: contextlib.nullcontext(zygote))
        patch.setattr(border, "KILL_GRACE", 0.3)
        without = os.environ.get("CORPUS_WITHOUT", "").split(",")
        layers = tuple(layer for layer in border.ALL_LAYERS if layer not in without)
        patch.setattr(border.Learner.__init__, "__defaults__", (*border.Learner.__init__.__defaults__[:-1], layers))
        found = Range(place, zygote, released)
        yield found
        if os.environ.get("CORPUS_TABLE"):
            with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
                print("\n" + arena.tally(found.outcomes))


@pytest.mark.parametrize(("case", "question"), [
    pytest.param(case, question, id=f"{case.id}-{question}") for case, question in AIMED])
def test_case(shooting_range, case, question):
    place = shooting_range.place
    if os.environ.get("CORPUS_MINIMUM") == "process" and case.id in NEEDS_LAYERS:
        with pytest.raises(border.IsolationError, match="--isolation process"):
            shooting_range.grade(case, question)
        return
    honest = shooting_range.honest(question)
    complaints = []
    try:
        result, scores, written, seconds = shooting_range.grade(case, question)
    except Exception as error:
        complaints.append(f"no result: {type(error).__name__}: {error}"[:300])
    else:
        bundle = Bundle(shooting_range.assignment(question))
        shown = json.dumps(gradescope_results(bundle, result, seconds), ensure_ascii=False).encode().decode()
        texts = [case_["message"] for entry in result["questions"].values() for case_ in entry["cases"] if not case_["points"]]
        complaints += arena.verdict(case, question, scores, honest, result["message"])
        complaints += ["a failed case without a message"] * (not all(texts))
        complaints += [f"a grader's fault: {result['message']}"] * result["message"].startswith(
            bundle.texts["grader_fault"].split("{")[0])
        complaints += [f"a secret in {name}" for name, text in {**written, "results.json": shown}.items()
                       if any(secret in text for secret in place.secrets)]
        complaints += ["a formula in grades.csv"] * any(
            cell[:1] in ("=", "+", "@") for line in written["grades.csv"].splitlines() for cell in line.split(","))
        complaints += [f"{len(written['result.json'])} bytes of result"] * (len(written["result.json"]) > 300_000)
        complaints += [f"{seconds:.1f} s"] * (seconds > LIMITS["submission_seconds"] + SLACK)
    allowed = {shooting_range.zygote.process.pid}
    complaints += [f"still running: {line}" for line in place.processes(allowed)]
    complaints += list(place.damage())
    place.tidy()
    shooting_range.outcomes.append((case.category, case.id, not complaints, complaints))
    assert not complaints, "\n".join(complaints)


def test_honest_neighbours_do_not_suffer(shooting_range):
    """Two lanes, hostile and honest submissions in turn: the honest ones get full marks in good time."""
    place, target = shooting_range.place, shooting_range.target("elman_step")
    hostile = ("C02_loop_in_the_function", "C07_fifty_children", "C10_exit_in_a_cell", "C11_stops_itself",
               "C06_memory_in_the_function", "W15_keys_of_one_hash", "W24_endless_calls_back", "K06_leaves_shared_memory")
    files = {}
    for number, name in enumerate(hostile):
        files[f"{number}_hostile.ipynb"] = corpus.CASES[name].make(target)["homework.ipynb"]
        files[f"{number}_honest.ipynb"] = target.bytes("$right")
    handed_in = place.submission({f"all/{name}": data for name, data in files.items()}) / "handed_in" / "all"
    out = place.out()
    batch = ("import sys; from autograder.grading.batch import grade_batch; "
             "grade_batch(sys.argv[1], [sys.argv[2]], sys.argv[3], jobs=2, secrets=sys.argv[4:])")
    command = [sys.executable, "-c", batch, shooting_range.assignment("elman_step"), handed_in, out, *SECRETS]
    started = time.monotonic()
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=ROOT, capture_output=True, text=True)
    seconds = time.monotonic() - started
    assert done.returncode == 0, done.stderr
    results = [json.loads(path.read_text()) for path in sorted(out.glob("*/result.json"))]
    place.tidy()
    honest = [result for result in results if "honest" in result["submission"]["file"]]
    assert len(results) == len(files) and len(honest) == len(hostile)
    assert [result["score"] for result in honest] == [result["max_score"] for result in honest]
    assert seconds < 30 and not place.processes({shooting_range.zygote.process.pid})


def test_every_row_of_the_sample_is_there():
    """The ids of the sample of submissions that stock Otter was measured on are all in the corpus."""
    ids = {name.split("_")[0] for name in corpus.CASES}
    sample = {"H": [1, 2, 3], "A": [1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 34, 35],
              "B": [1, 2, 4, 5, 7, 8],
              "C": [1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 34, 35, 37, 38, 40, 41, 43,
                    44, 46, 47, 49, 50, 52, 53, 55]}
    assert not {f"{letter}{number:02}" for letter, numbers in sample.items() for number in numbers} - ids
