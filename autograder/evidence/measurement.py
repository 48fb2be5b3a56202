"""The seven metrics of the lab, measured on a submission's own functions and held against what its evidence claims."""

import numpy as np

from autograder.evidence.claims import EXPECTED, METRICS, read_claims
from autograder.grading.asking import CaseFailed
from autograder.grading.differences import HiddenAsk
from solutions.lab_fault_matrix import fault_signals, product_experiment

SEED, TAU, LEARNING_RATE, UPDATES = 42, 5.0, 1e-2, 100
RUNS = {"a": (1.5, "linear", None, 2), "b": (1.5, "linear", TAU, UPDATES), "c": (0.5, "tanh", TAU, UPDATES),
        "c_unclipped": (0.5, "tanh", None, UPDATES), "d": (1.0, "tanh", None, UPDATES),
        "d_linear": (1.0, "linear", None, UPDATES)}
GRADIENT_CHECK = "bptt_matches_finite_difference"
LIMIT = 1e-6
FACTOR = 100  # rounding decides the digits of a gradient check, so another machine may differ by as much


def examine(bundle, environment, evidence):
    """The result's entry on evidence: {"file", "problems", "metrics": [{name, expected, claimed, measured, verdict, text}]}.

    evidence: (file name, bytes) as submitted, or None. Verdicts: confirmed, contradicted, copied (the expectation stands
    in the place of a measurement), missing, not_measured.
    """
    texts = bundle.texts["evidence"]
    claims, problems = read_claims(evidence[1], texts) if evidence else ({}, [])
    metrics = []
    for name, (value, reason) in measure(bundle, environment).items():
        verdict = _verdict(name, claims, value)
        text = texts["verdicts"][verdict].format(name=name, claimed=claims.get(name), measured=value, reason=reason)
        metrics.append({"name": name, "expected": EXPECTED[name], "claimed": claims.get(name), "measured": value,
                        "verdict": verdict, "text": text})
    return {"file": evidence[0] if evidence else None, "problems": problems, "metrics": metrics}


def summary(entry, texts):
    """An entry on evidence as lines for the student: how many claims agree, then what does not."""
    if entry["file"] is None:
        return [texts["absent"]]
    confirmed = sum(metric["verdict"] == "confirmed" for metric in entry["metrics"])
    return [texts["summary"].format(file=entry["file"], confirmed=confirmed, count=len(entry["metrics"])),
            *(f"  {text}" for text in entry["problems"]),
            *(f"  {metric['text']}" for metric in entry["metrics"] if metric["verdict"] != "confirmed")]


def measure(bundle, environment):
    """{metric: (measured value or None, why there is none)} with the submission's fault_run and bptt_check.

    Its records are judged by the reference's signals. Level 1 uses no function of the submission.
    """
    records = {row: _answer(bundle, environment, "fault_run", row, (SEED, rho, activation, tau, LEARNING_RATE, updates))
               for row, (rho, activation, tau, updates) in RUNS.items()}
    trajectory = product_experiment(np.random.default_rng(SEED), 0.8, 1.2)

    def on(row, *names):
        signals = fault_signals(records[row][0], RUNS[row][2])
        return all(signals[name] for name in names)

    def from_runs(rows, judge):
        reasons = [records[row][1] for row in rows if records[row][0] is None]
        return (None, reasons[0]) if reasons else (bool(judge()), None)

    error, reason = _answer(bundle, environment, "bptt_check", "seed_42", (SEED,))
    found = [
        (bool(np.abs(trajectory).max() <= 20), None),
        from_runs(["c"], lambda: on("c", "first_input_forgotten", "last_input_healthy")),
        from_runs(["a"], lambda: on("a", "exploded")),
        from_runs(["d", "d_linear"], lambda: on("d", "slow_decay")
                  and records["d"][0]["dx_norms"][0] < records["d_linear"][0]["dx_norms"][0]),
        from_runs(["b"], lambda: on("b", "norm_capped", "direction_kept", "training_alive")),
        from_runs(["c", "c_unclipped"], lambda: on("c", "first_input_forgotten")
                  and np.array_equal(records["c"][0]["losses"], records["c_unclipped"][0]["losses"])),
        (float(error), None) if error is not None and np.isfinite(error) else (None, reason or "NaN"),
    ]
    return dict(zip(METRICS, found, strict=True))


def _answer(bundle, environment, question, name, args):
    """(the submission's answer in the contract's form, None), or (None, why there is none)."""
    try:
        ask = HiddenAsk(environment, f"{bundle.stage}/{question}/measured_{name}", bundle.setting(question))
        return ask.answer_in_form(*args), None
    except CaseFailed as failure:
        said = [line for line in str(failure).split("\n")[1:] if f"{question}(" not in line]  # without what was asked
        return None, "; ".join(" ".join(line.split()) for line in said)


def _verdict(name, claims, measured):
    claimed = claims.get(name)
    if name not in claims or claimed is None:
        return "missing"
    if name == GRADIENT_CHECK and claimed == EXPECTED[name]:
        return "copied"
    if measured is None:
        return "not_measured"
    if name != GRADIENT_CHECK:
        return "confirmed" if claimed is measured else "contradicted"
    if isinstance(claimed, bool) or not isinstance(claimed, (int, float)) or claimed <= 0 or measured <= 0:
        return "contradicted"
    alike = (claimed < LIMIT) == (measured < LIMIT) and 1 / FACTOR <= claimed / measured <= FACTOR
    return "confirmed" if alike else "contradicted"
