"""The zip under stock Otter, and as Gradescope runs it: the same scores, and much faster."""

import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT, scores

from autograder.grading.gradescope import run

STAGE = "stage1_recurrence"
BIN = Path(sys.executable).parent


def otter_run(bundle_zip, submission, out):
    """Stock `otter run` of a zip on one submission; its results.json."""
    out.mkdir(exist_ok=True)
    command = [BIN / "otter", "run", "-a", bundle_zip, submission, "-o", out, "--no-logo"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=out)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads((out / "results.json").read_text())


def otter_scores(results):
    return {test["name"]: test["score"] for test in results["tests"] if "score" in test}


def with_limits(bundle_zip, path, **limits):
    """A copy of a zip with other limits."""
    with zipfile.ZipFile(bundle_zip) as old, zipfile.ZipFile(path, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            if entry.filename == "bundle.json":
                bundle = json.loads(data)
                bundle["limits"].update(limits)
                data = json.dumps(bundle).encode()
            new.writestr(entry, data)
    return path


@pytest.mark.parametrize("kind", ["solved", "untouched", "wrong", "looping"])
def test_stock_otter_gives_the_same_scores(bench, bundles, released, tmp_path, kind):
    bodies = {"wrong": "return None", "looping": "while True: pass"}
    for stage, bundle in bundles.items():
        bundle_zip = with_limits(released / "dist" / f"{stage}.zip", tmp_path / f"{stage}.zip", call_seconds=0.2)
        notebook = bench.notebook(stage, solved=kind != "untouched")
        for name in list(bundle.questions)[1::4] if kind in bodies else ():
            notebook = bench.with_function(notebook, name, f"def {name}(*arguments):\n    {bodies[kind]}")
        path = bench.save(notebook, f"{stage}.ipynb")
        ours = bench.grade(stage, path, {"call_seconds": 0.2})
        assert otter_scores(otter_run(bundle_zip, path, tmp_path / kind)) == scores(ours)


def test_stock_otter_ignores_what_else_was_submitted(bench, released, tmp_path):
    """A log that Otter would unpickle, packages that shadow ours, and forged tests do nothing."""
    submission = tmp_path / "submission.zip"
    with zipfile.ZipFile(submission, "w") as archive:
        archive.write(bench.save(bench.notebook(STAGE, solved=False)), "homework.ipynb")
        archive.writestr(".OTTER_LOG", b"cposix\nsystem\n(S'touch " + str(tmp_path / "pwned").encode() + b"'\ntR.")
        for package in ("solutions", "autograder", "numpy", "otter"):
            archive.writestr(f"{package}/__init__.py", "raise SystemExit('shadowed')")
        archive.writestr("tests/elman_step.py", "OK_FORMAT = False\nname = 'elman_step'\npoints = 100\n")
    results = otter_run(released / "dist" / f"{STAGE}.zip", submission, tmp_path / "out")
    assert set(otter_scores(results).values()) == {0.0} and len(otter_scores(results)) == 9
    assert not (tmp_path / "pwned").exists()


@pytest.mark.alone
def test_grader_is_at_least_ten_times_faster_than_otter_run(bench, bundles, released, tmp_path):
    """Warm, per submission; both measured here in turn on the solved notebook of every stage, the best of each.

    Without the lab: its experiments take the same seconds wherever they run.
    """
    ours, otters = {}, {}
    for stage in [stage for stage in bundles if stage != "lab_fault_matrix"]:
        path = bench.save(bench.notebook(stage), f"{stage}.ipynb")
        bench.grade(stage, path)
        for turn in range(3):
            for _ in range(3):
                started = time.perf_counter()
                bench.grade(stage, path)
                ours.setdefault(stage, []).append(time.perf_counter() - started)
            started = time.perf_counter()
            otter_run(released / "dist" / f"{stage}.zip", path, tmp_path / f"{stage}-{turn}")
            otters.setdefault(stage, []).append(time.perf_counter() - started)
        otter, our = min(otters[stage]), min(ours[stage])
        print(f"{stage}: otter run {otter:.2f} s, grader {our:.3f} s, ratio {otter / our:.1f}")
    assert sum(map(min, otters.values())) >= 10 * sum(map(min, ours.values()))


def gradescope_root(released, tmp_path, stage=STAGE):
    """/autograder as Gradescope lays it out, below tmp_path."""
    root = tmp_path / "autograder"
    for name in ("submission", "results"):
        (root / name).mkdir(parents=True)
    with zipfile.ZipFile(released / "dist" / f"{stage}.zip") as archive:
        archive.extractall(root / "source")
    (root / "submission_metadata.json").write_text("{}")
    return root


def test_gradescope_results(bench, bundles, released, tmp_path):
    root = gradescope_root(released, tmp_path)
    notebook = bench.with_function(bench.notebook(STAGE), "softmax", "def softmax(logits):\n    return logits")
    shutil.copy(bench.save(notebook), root / "submission" / "my homework.ipynb")
    environment = {**os.environ, "PYTHONPATH": str(root / "source")}
    command = [sys.executable, "-m", "autograder", "gradescope", "--root", root]
    done = subprocess.run(command, env=environment, cwd=root / "source", capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    results = json.loads((root / "results" / "results.json").read_text())
    assert results["score"] == 36 and sum(test["max_score"] for test in results["tests"]) == 40
    assert "Graded: my homework.ipynb" in results["output"] and "All test" not in results["output"]
    assert "elman_step: public checks passed; 4 hidden checks run at grading" in results["output"]
    assert "softmax: no check passed yet" in results["output"]
    by_visibility = {test["visibility"] for test in results["tests"]}
    assert by_visibility == {"visible", "hidden"}
    failed = [test for test in results["tests"] if test["status"] == "failed"]
    assert failed and all(test["name"].startswith("softmax: ") and test["score"] == 0 for test in failed)
    assert (root / "results" / "results.pkl").stat().st_size > 0
    assert (root / "source").stat().st_mode & 0o777 == 0o700


def test_gradescope_writes_results_whatever_happens(released, tmp_path):
    root = gradescope_root(released, tmp_path)
    (root / "submission" / "notes.txt").write_text("no notebook here")
    run(root)
    results = json.loads((root / "results" / "results.json").read_text())
    assert results["score"] == 0 and "No notebook (.ipynb) was found in the submission. Found: notes.txt." in results["output"]
    (root / "source" / "bundle.json").write_text("{")
    with pytest.raises(Exception, match="make release"):
        run(root)
    results = json.loads((root / "results" / "results.json").read_text())
    assert "not your grade" in results["output"] and "bundle.json" not in results["output"]


def test_zip_is_what_gradescope_and_otter_expect(released, bundles):
    for stage in bundles:
        with zipfile.ZipFile(released / "dist" / f"{stage}.zip") as archive:
            modes = {entry.filename: entry.external_attr >> 16 & 0o777 for entry in archive.infolist()}
            for name in ("setup.sh", "run_autograder"):
                assert modes[name] == 0o755 and archive.read(name).startswith(b"#!") and b"\r" not in archive.read(name)
            assert {"otter_config.json", "environment.yml", "run_otter.py", "requirements.lock", "bundle.json"} <= set(modes)
            assert not [name for name in modes if "hidden/" in name or name.startswith("/")]


def test_committed_release_is_up_to_date(released):
    committed, fresh = ROOT / "student_release" / "MANIFEST.sha256", released / "student_release" / "MANIFEST.sha256"
    assert committed.read_bytes() == fresh.read_bytes(), "run `make release` and commit student_release/"
