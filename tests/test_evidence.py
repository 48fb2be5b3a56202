"""The student's evidence: claimed against measured, for right labs, planted wrong ones and files of every kind."""

import json
import shutil

import pytest
import yaml
from conftest import ROOT

from autograder.evidence.claims import METRICS, read_claims
from autograder.grading.batch import grade_batch
from autograder.strength.items import AnswerModule
from solutions.lab_fault_matrix import bptt_check, evidence, evidence_template

STAGE = "lab_fault_matrix"
BPTT = "bptt_matches_finite_difference"


@pytest.fixture(scope="module")
def texts(bundles):
    return bundles[STAGE].texts["evidence"]


def record(**changed):
    """A filled-in record; `changed` replaces measured values."""
    metrics = dict.fromkeys(METRICS, True) | {BPTT: bptt_check(42)} | changed
    return evidence(metrics, "1f0c2d7", "2026-11-30", "CPython, numpy, Linux")


def hand_in(folder, notebook, text):
    """A folder with a notebook and an evidence file."""
    folder.mkdir(parents=True)
    shutil.copy(notebook, folder / "lab_fault_matrix.ipynb")
    if text is not None:
        (folder / "evidence.yaml").write_text(text if isinstance(text, str) else yaml.safe_dump(text, sort_keys=False))
    return folder


@pytest.fixture
def examined(bench, tmp_path):
    """A function: the result of a notebook (or of the solved one) with an evidence file."""
    def examine(text, *cells):
        notebook = bench.notebook(STAGE)
        for cell in cells:
            notebook = bench.with_cell(notebook, cell)
        folder = hand_in(tmp_path / "handed_in", bench.save(notebook), text)
        return bench.grade(STAGE, folder, questions=["fault_run", "bptt_check", "evidence"])
    return examine


def verdicts(result):
    return {metric["name"]: metric["verdict"] for metric in result["evidence"]["metrics"]}


def test_the_template_and_the_schema_have_the_same_seven_metrics_in_order():
    assert [metric["name"] for metric in evidence_template()["metrics"]] == METRICS and len(METRICS) == 7


def test_true_evidence_is_confirmed(examined):
    result = examined(record())
    assert set(verdicts(result).values()) == {"confirmed"} and not result["evidence"]["problems"]
    assert result["evidence"]["file"] == "evidence.yaml" and "7 of 7 claims agree" in result["message"]
    assert [metric["name"] for metric in result["evidence"]["metrics"]] == METRICS


def test_without_evidence_the_functions_are_measured_all_the_same(examined):
    result = examined(None)
    assert result["evidence"]["file"] is None and set(verdicts(result).values()) == {"missing"}
    assert all(metric["measured"] for metric in result["evidence"]["metrics"]) and "No evidence file came" in result["message"]


# Each wrong lab claims what was expected, as its author hoped: these claims its functions do not support. (A run that is
# clipped at every backward step gives a record with the same signals; the hidden cases tell it apart, below.)
WRONG_LABS = {
    "fault_run__lag_order": {"rho_below_one_gradient_decays", "rho_one_tanh_saturation_still_decays",
                             "clipping_does_not_rescue_vanishing"},
    "fault_run__clips_each_row": {"clipping_caps_norm_keeps_training_alive"},
    "fault_run__applied_norms_copied": {"clipping_caps_norm_keeps_training_alive"},
    "fault_run__always_scales": {"clipping_does_not_rescue_vanishing"},
    "bptt_check__ten_steps_back": {BPTT},
}


@pytest.mark.parametrize("name", WRONG_LABS)
def test_a_wrong_lab_that_claims_what_was_expected_is_named(examined, name):
    module = AnswerModule(ROOT, ROOT / "autograder" / "misconceptions" / f"{STAGE}.py")
    result = examined(record(), module.cell(name, name.partition("__")[0]))
    found = {metric for metric, verdict in verdicts(result).items() if verdict == "contradicted"}
    assert found == WRONG_LABS[name], found
    for metric in result["evidence"]["metrics"]:
        if metric["name"] in found:
            assert metric["text"] in result["message"] and "but your functions give" in metric["text"]


# Wrong labs that the hidden cases have to catch, whatever the evidence says.
@pytest.mark.parametrize("name", [
    "forward_backward__one_step_late", "forward_backward__lag_order", "forward_backward__clips_each_backward_step",
    "fault_run__second_input_first", "fault_run__lag_order", "fault_run__clips_each_row", "fault_run__applied_norms_copied",
    "fault_run__clips_each_backward_step", "fault_signals__nan_counts_as_alive", "evidence__actual_copied_from_expected"])
def test_a_planted_lab_loses_hidden_points(bench, name):
    question = name.partition("__")[0]
    cell = AnswerModule(ROOT, ROOT / "autograder" / "misconceptions" / f"{STAGE}.py").cell(name, question)
    result = bench.grade(STAGE, bench.with_cell(bench.notebook(STAGE), cell), questions=[question])
    assert any(case["hidden"] and case["status"] == "failed" for case in result["questions"][question]["cases"])


def test_a_claim_of_failure_that_the_functions_do_not_support_is_named(examined):
    result = examined(record(rho_above_one_gradient_explodes=False))
    assert [name for name, verdict in verdicts(result).items() if verdict != "confirmed"] == ["rho_above_one_gradient_explodes"]


@pytest.mark.parametrize(("cell", "words"), [
    ("def fault_run(*args, **kwargs):\n    raise RuntimeError('no')", "RuntimeError"),
    ("def fault_run(*args, **kwargs):\n    return {}", "losses"), ("def fault_run(*args, **kwargs):\n    return 3", "int"),
    ("fault_run = None", "not defined"), ("def fault_run(*args, **kwargs):\n    raise NotImplementedError", "not attempted"),
    ("def fault_run(*args, **kwargs):\n    return {'losses': [[1], [2, 3]]}", "losses"),
    ("def bptt_check(seed):\n    return 'fine'", "str"), ("def bptt_check(seed):\n    return float('nan')", "NaN"),
])
def test_functions_that_cannot_be_measured_are_named(examined, cell, words):
    result = examined(record(), cell)
    texts = [metric["text"] for metric in result["evidence"]["metrics"] if metric["verdict"] == "not_measured"]
    assert result["status"] == "graded" and texts and all("could not be measured" in text for text in texts)
    assert any(words in text for text in texts), texts


def changed(edit):
    """The text of a record after an edit."""
    filled = json.loads(json.dumps(record()))
    edit(filled)
    return yaml.safe_dump(filled, sort_keys=False)


@pytest.mark.parametrize(("edit", "words"), [
    (lambda r: r.pop("commit"), "commit: missing"), (lambda r: r.update(commit="<sha>"), "commit: still to be filled in"),
    (lambda r: r.update(verified_at="now"), "verified_at: not in the form"), (lambda r: r.update(seed=7), "seed: should be 42"),
    (lambda r: r.update(extra=1), "extra: not a field"), (lambda r: r["metrics"].pop(2), "rho_above_one_gradient_explodes"),
    (lambda r: r["metrics"].reverse(), "metrics.near_one_product_stays_bounded.name: should be"),
    (lambda r: r["metrics"].append({"name": "more"}), "metrics"),
    (lambda r: r.update(metrics="all"), "metrics: should be of type"),
    (lambda r: r["metrics"][1].update(actual="true"), "rho_below_one_gradient_decays.actual: should be of type"),
    (lambda r: r["metrics"][1].update(expected=False), "rho_below_one_gradient_decays.expected: should be true"),
    (lambda r: r["metrics"][0].pop("actual"), "near_one_product_stays_bounded.actual: missing"),
    (lambda r: r.update(module=["x" * 10_000]), "module: should be"),
    (lambda r: r["cost"].update(gross_usd="free"), "cost.gross_usd"),
])
def test_a_field_that_is_not_as_in_the_template_is_named(texts, edit, words):
    _, problems = read_claims(changed(edit).encode(), texts)
    assert any(words in problem for problem in problems), problems
    assert all(len(problem) < 400 for problem in problems)


def test_a_copied_expectation_is_named(examined):
    result = examined(changed(lambda r: r["metrics"][-1].update(actual="relative-error-under-1e-6")))
    assert verdicts(result)[BPTT] == "copied" and "is what was expected" in result["message"]


@pytest.mark.parametrize("data", [
    b"", b"\x00\xff\xfe", b"a: &a [1]\nb: *a\n", b"a: [" * 3000, b"metrics: " + b"9" * 5000, b"[1, 2]", b"text",
    b"? {a: b}\n: c\n",
    b"!!python/object/apply:os.system ['true']", b"x" * 70_000, b"metrics: [{name: [], actual: 1}]", b"{'metrics': {}}",
    b"metrics: [{name: bptt_matches_finite_difference, actual: .nan}]",
    b"metrics: [{name: bptt_matches_finite_difference, actual: " + b"9" * 4000 + b"}]",
    b"<html>", b"metrics:\n- 1\n-2", b"---\n---\n",
    b"a: 2026-11-30\nb: 12:30:45", b"<<: [a]\n", b"metrics: [null, {name: null}]",
])
def test_a_file_of_any_kind_is_named_and_nothing_else_happens(texts, data):
    claims, problems = read_claims(data, texts)
    assert problems and len(json.dumps([claims, problems], allow_nan=False)) < 10_000


def test_a_small_file_cannot_stand_for_a_huge_one(texts):
    levels = "".join(f"l{level}: &l{level} [{', '.join([f'*l{level - 1}'] * 9)}]\n" for level in range(1, 6))
    claims, problems = read_claims(f"l0: &l0 [x]\n{levels}metrics: *l5\n".encode(), texts)
    assert not claims and len(problems) == 1 and "aliases" in problems[0]


def test_dates_stay_text_and_windows_files_are_read(texts):
    text = yaml.safe_dump(record(), sort_keys=False).replace("'2026-11-30'", "2026-11-30").replace("\n", "\r\n")
    claims, problems = read_claims(b"\xef\xbb\xbf" + text.encode(), texts)
    assert not problems and len(claims) == 7


def test_evidence_finds_its_notebook(released, tmp_path):
    solved = released / "dist" / "solved" / "en" / f"{STAGE}.ipynb"
    text = yaml.safe_dump(record(), sort_keys=False)
    places = {
        "a folder": {"anna/lab.ipynb": None, "anna/evidence.yaml": text},
        "one pair of files": {"lab.ipynb": None, "evidence.yml": text},
        "Canvas": {"annaliese_11_201_lab.ipynb": None, "annaliese_11_202_evidence.yaml": text, "bob_LATE_12_203_lab.ipynb": None},
        "Canvas, of two students": {"anna_11_201_lab.ipynb": None, "bob_12_203_evidence.yaml": text},
        "the nearest of several": {"anna/an older one/evidence.yaml": "old", "anna/new/lab.ipynb": None,
                                   "anna/new/evidence (1).yaml": text},
    }
    for place, files in places.items():
        folder = tmp_path / place
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(solved, folder / name) if content is None else (folder / name).write_text(content)
        results = grade_batch(released / "dist" / f"{STAGE}.zip", [folder], tmp_path / "out" / place, minimum="process")
        assert len(results) == sum(content is None for content in files.values()), place
        expected = "missing" if place == "Canvas, of two students" else "confirmed"
        assert set(verdicts(results[0]).values()) == {expected}, (place, results[0]["message"])
        assert all(result["evidence"]["file"] is None for result in results[1:])
