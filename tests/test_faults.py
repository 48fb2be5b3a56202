"""Faults of the grader itself: whatever happens to it, results stay whole, the fault is named, and nobody gets a silent zero."""

import contextlib
import csv
import io
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner
from conftest import ROOT
from test_otter import gradescope_root

from autograder import cli
from autograder.doctor import LIMITS
from autograder.files import read_tree, zip_bytes
from autograder.grading.bundle import Bundle, BundleError
from autograder.grading.gradescope import FALLBACK, GraderFault, run
from autograder.isolation.border import Learner, Zygote
from autograder.release.release import release_course

STAGE = "stage1_recurrence"
SEED = 20_250
WRITTEN = {"result.json", "tape.jsonl", "grades.csv"}
INSIDE = "the answer is 0.123456789"  # stands for what only staff may read


@pytest.fixture(scope="module")
def pack(released, tmp_path_factory):
    """A copy of the pack with its release: faults are made in it, and its processes are known by its path."""
    root = tmp_path_factory.mktemp("pack")
    for name in ("autograder", "assignments", "solutions"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("grading_config.yaml", "requirements.lock"):
        shutil.copy(ROOT / name, root / name)
    shutil.copytree(released / "dist", root / "dist")
    return root


@pytest.fixture(scope="module")
def softmax(pack):
    """The reference's cell of one question."""
    cells = nbformat.read(pack / f"dist/solved/en/{STAGE}.ipynb", as_version=4).cells
    return next(cell.source for cell in cells if cell["id"] == "stub-softmax")


def hand_in(folder, names, *cells):
    """One small notebook per name in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in ("import numpy as np", *cells)])
        nbformat.write(notebook, folder / f"{name}.ipynb")
    return folder


def start(pack, submissions, out, jobs=1, **options):
    """`grade` as a process."""
    command = [sys.executable, "-m", "autograder", "grade", STAGE, submissions, "--out", out, "--jobs", str(jobs)]
    return subprocess.Popen(command, cwd=pack, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def finish(process, code=0):
    """What a process said, once it has ended with this exit code."""
    said, complaint = process.communicate(timeout=120)
    assert process.returncode == code, said + complaint
    return said + complaint


def grade_all(pack, submissions, out, jobs=1):
    """A whole run in which nothing goes wrong, and its files."""
    finish(start(pack, submissions, out, jobs))
    return read_tree(out)


def timeless(data):
    """A result without its durations."""
    if isinstance(data, dict):
        return {key: timeless(value) for key, value in data.items() if key != "seconds"}
    return [timeless(value) for value in data] if isinstance(data, list) else data


def result_of(out, name):
    """One result on disk, whole or the test fails."""
    return json.loads((out / name / "result.json").read_text())


def rows_of(out):
    """Submission -> row of grades.csv."""
    return {row["submission"]: row for row in csv.DictReader(io.StringIO((out / "grades.csv").read_text()))}


# --- processes ----------------------------------------------------------------------------------------------------


def processes(root):
    """{pid: (parent's pid, command line)} of the living processes that belong to the pack at `root`."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            command = (folder / "cmdline").read_bytes().decode(errors="replace")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if int(folder.name) != os.getpid() and (str(root) in command or os.readlink(folder / "cwd") == str(root)):
                found[int(folder.name)] = parent, command
    return found


def workers(root):
    """The worker processes of a grader with several jobs: forks of multiprocessing's server."""
    servers = {pid: parent for pid, (parent, command) in processes(root).items() if "multiprocessing.forkserver" in command}
    return [pid for pid, parent in servers.items() if parent in servers]


def busy_zygotes(root):
    """The zygotes that have a submission: each has a child that was forked from it."""
    family = {pid: parent for pid, (parent, command) in processes(root).items() if "learner.zygote" in command}
    return [pid for pid, parent in family.items() if parent not in family and pid in family.values()]


def busy_workers(root):
    """The worker processes that have a submission."""
    return [processes(root)[zygote][0] for zygote in busy_zygotes(root)]


def until(condition, seconds=60):
    """Wait for something true and return it."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
    return found


def nothing_is_left(root):
    """Whatever the grader started ends with it."""
    until(lambda: not processes(root), 30)


# --- the grader is killed -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two_runs(pack, softmax, tmp_path_factory):
    """What is handed in at last, the files of a run on something earlier, and those of a whole run; its seconds."""
    folder = tmp_path_factory.mktemp("runs")
    earlier = hand_in(folder / "earlier", "abc", "def softmax(logits):\n    return logits")
    final = hand_in(folder / "final", "abc", softmax)
    old = grade_all(pack, earlier, folder / "old")
    started = time.monotonic()
    new = grade_all(pack, final, folder / "new")
    return final, old, new, time.monotonic() - started


def check_whole(out, old, new):
    """Every file is that of one of the two runs, and beside them are only temporary ones."""
    for name, data in read_tree(out).items():
        base = name.rpartition("/")[2]
        if base == "result.json":
            assert timeless(json.loads(data)) in (timeless(json.loads(old[name])), timeless(json.loads(new[name]))), name
        elif base == "tape.jsonl":
            cases = [json.loads(line)["case"] for line in data.splitlines()]
            assert cases == [json.loads(line)["case"] for line in new[name].splitlines()], name
        elif base == "grades.csv":
            assert data in (old[name], new[name]), name
        else:
            assert base.endswith(".tmp") and base.removesuffix(".tmp") in WRITTEN, name


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_grader_leaves_whole_results_and_no_process(pack, two_runs, tmp_path, jobs):
    final, old, new, seconds = two_runs
    out = tmp_path / "out"
    moments = [random.Random(SEED + jobs + number).uniform(0.3, 1) * seconds for number in range(3 - jobs)]
    for moment in [*moments, "a"]:  # after some time, or as soon as this submission has its new result
        shutil.rmtree(out, ignore_errors=True)
        for name, data in old.items():
            path = out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        grader = start(pack, final, out, jobs)
        if isinstance(moment, str):
            name = f"{moment}/result.json"
            until(lambda name=name: (out / name).read_bytes() != old[name])
        else:
            time.sleep(moment)
        grader.kill()
        grader.communicate()
        nothing_is_left(pack)
        check_whole(out, old, new)
    finish(start(pack, final, out, jobs))
    check_whole(out, new, new)
    assert {path.name for path in out.rglob("*") if path.is_file()} == WRITTEN


def test_a_submission_whose_worker_is_killed_is_graded_anew(pack, softmax, tmp_path):
    submissions = hand_in(tmp_path / "in", "ab", "import time\ntime.sleep(0.6)", softmax)
    grader = start(pack, submissions, tmp_path / "out", 2)
    os.kill(until(lambda: busy_workers(pack))[0], signal.SIGKILL)
    assert "2 graded, 0 ungradable" in finish(grader)
    assert [row["score"] for row in rows_of(tmp_path / "out").values()] == ["4.0"] * 2
    nothing_is_left(pack)


def test_a_submission_that_costs_two_workers_is_ungradable_and_the_others_are_graded(pack, softmax, tmp_path):
    submissions, out = hand_in(tmp_path / "in", "ac", softmax), tmp_path / "out"
    hand_in(submissions, "b", softmax, "import time\ntime.sleep(15)")
    grader = start(pack, submissions, out, 2)
    until(lambda: all((out / name / "result.json").exists() for name in "ac"))
    while grader.poll() is None:
        for pid in workers(pack):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
    assert "2 graded, 1 ungradable" in finish(grader)
    assert [result_of(out, name)["status"] for name in "abc"] == ["graded", "ungradable", "graded"]
    message = result_of(out, "b")["message"]
    assert "a problem of its own" in message and "killed twice" in message
    assert [rows_of(out)[name]["score"] for name in "abc"] == ["4.0", "", "4.0"]
    nothing_is_left(pack)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_batch_outlives_a_killed_zygote(pack, softmax, tmp_path, jobs):
    submissions, out = hand_in(tmp_path / "in", "ab", "import time\ntime.sleep(0.5)", softmax), tmp_path / "out"
    grader = start(pack, submissions, out, jobs)
    os.kill(until(lambda: busy_zygotes(pack))[0], signal.SIGKILL)
    assert "2 graded, 0 ungradable" in finish(grader)
    assert [row["score"] for row in rows_of(out).values()] == ["4.0"] * 2
    nothing_is_left(pack)


def test_a_submission_is_asked_again_when_what_keeps_it_is_killed(pack, softmax, tmp_path):
    slow = softmax.replace("def softmax(logits):", "import time\ndef softmax(logits):\n    time.sleep(0.3)")
    assert slow != softmax
    for cells in (["import time\ntime.sleep(0.5)", softmax], [slow]):
        grader = start(pack, hand_in(tmp_path / "in", "a", *cells), tmp_path / "out")
        zygote = until(lambda: busy_zygotes(pack))[0]
        time.sleep(0.2)
        for pid in [pid for pid, (parent, _) in processes(pack).items() if parent == zygote]:
            os.kill(pid, signal.SIGKILL)
        assert "1 graded" in finish(grader)
        assert result_of(tmp_path / "out", "a")["score"] == 4
        nothing_is_left(pack)


def test_a_zygote_that_is_killed_before_it_is_ready_is_started_again():
    with Zygote() as zygote:
        zygote.process.kill()
        with Learner(zygote, [(0, "def one():\n    return 1")], LIMITS, minimum="process") as learner:
            learner.begin_case("case")
            assert learner.proxies()["one"]() == 1


class FragileZygote(Zygote):
    """Killed once, with a submission's sockets already in its hands."""

    killed = False

    def fork(self, options):
        if self.killed:
            return super().fork(options)
        self.killed = True
        self._be_ready()
        self.process.send_signal(signal.SIGSTOP)
        try:
            return super().fork(options)
        finally:
            self.process.kill()


def test_a_submission_that_a_zygote_took_with_it_is_started_again():
    with FragileZygote() as zygote, Learner(zygote, [(0, "def one():\n    return 1")], LIMITS, minimum="process") as learner:
        learner.begin_case("case")
        assert zygote.killed and learner.proxies()["one"]() == 1


def test_a_killed_grader_leaves_no_folder(pack, softmax, tmp_path):
    submissions = hand_in(tmp_path / "in", "a", "open('left', 'w').write('x')\nimport time\ntime.sleep(5)", softmax)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    scratch.chmod(0o711)
    grader = start(pack, submissions, tmp_path / "out", env={**os.environ, "TMPDIR": str(scratch)})
    until(lambda: busy_zygotes(pack) and list(scratch.glob("submission-*")))
    grader.kill()
    grader.communicate()
    nothing_is_left(pack)
    until(lambda: not list(scratch.iterdir()), 10)


# --- nothing can be written ---------------------------------------------------------------------------------------


class Disk:
    """A folder on a disk of 1 MB of its own; without the right to mount, the size of files is limited instead."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(exist_ok=True)
        mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder]
        self.mounted = bool(shutil.which("mount")) and subprocess.run(mount, capture_output=True, check=False).returncode == 0
        self.reasons = ("No space left on device",) if self.mounted else ("File too large",)

    @property
    def options(self):
        """For the process that is to find the disk full."""
        return {} if self.mounted else {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, -1))}

    def fill(self):
        """Leave no room."""
        if self.mounted:
            with contextlib.suppress(OSError), open(self.folder / "filler", "wb", buffering=0) as file:
                while file.write(b"x" * 4096):
                    pass

    def make_read_only(self):
        """Let nothing be written any more; whether that could be done."""
        if self.mounted:
            subprocess.run(["mount", "-o", "remount,ro", self.folder], check=True)
        else:
            self.folder.chmod(0o500)
        return self.mounted or os.geteuid() != 0

    def close(self):
        """Give it back."""
        if self.mounted:
            subprocess.run(["umount", "-l", self.folder], check=True)
        else:
            self.folder.chmod(0o700)


@pytest.fixture
def disk(tmp_path):
    """A small disk."""
    with contextlib.closing(Disk(tmp_path / "disk")) as small:
        yield small


def test_a_full_disk_is_named_and_earlier_results_stay(pack, two_runs, disk):
    final, old, new, _ = two_runs
    out = disk.folder / "out"
    for name, data in old.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        (out / name).write_bytes(data)
    disk.fill()
    said = finish(start(pack, final, out, 2, **disk.options), 2)
    assert said.startswith("grade: ") and said.count("\n") == 1 and "run it again" in said
    assert "/tape.jsonl cannot be written (" in said and any(reason in said for reason in disk.reasons)
    assert read_tree(out) == old
    (disk.folder / "filler").unlink(missing_ok=True)
    finish(start(pack, final, out))
    check_whole(out, new, new)


def call(pack, monkeypatch, *arguments):
    """One command of the pack in this process: (exit code, what it said)."""
    monkeypatch.setattr(cli, "ROOT", pack)
    done = CliRunner().invoke(cli.main, [str(argument) for argument in arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def test_a_folder_that_cannot_be_written_to_is_named_before_anything_is_graded(pack, two_runs, disk, monkeypatch):
    if disk.make_read_only():
        code, said = call(pack, monkeypatch, "grade", STAGE, two_runs[0], "--out", disk.folder)
        assert code == 2 and f"grade: {disk.folder} cannot be written to (" in said and said.count("\n") == 1
        assert not list(disk.folder.iterdir())


def test_a_file_in_the_way_is_named(pack, two_runs, tmp_path, monkeypatch):
    out = tmp_path / "out"
    out.write_text("mine")
    code, said = call(pack, monkeypatch, "grade", STAGE, two_runs[0], "--out", out)
    assert code == 2 and "out' is a file" in said
    code, said = call(pack, monkeypatch, "grade", STAGE, two_runs[0], "--out", out / "below")
    assert code == 2 and f"grade: {out / 'below'} cannot be written to (" in said and out.read_text() == "mine"
    out.unlink()
    out.mkdir()
    (out / "a").write_text("mine")
    code, said = call(pack, monkeypatch, "grade", STAGE, two_runs[0], "--out", out)
    assert code == 2 and f"grade: {out / 'a' / 'tape.jsonl'} cannot be written (" in said
    assert (out / "a").read_text() == "mine" and not (out / "grades.csv").exists()


# --- the assignment is broken -------------------------------------------------------------------------------------


@pytest.fixture
def spoil(pack):
    """A function that changes files of the pack's zip (None removes one); everything is put back afterwards."""
    path = pack / "dist" / f"{STAGE}.zip"
    whole = path.read_bytes()

    def change(edits):
        with zipfile.ZipFile(io.BytesIO(whole)) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        files |= {name: edit(files[name]) for name, edit in edits.items()}
        path.write_bytes(zip_bytes({name: data for name, data in files.items() if data is not None}))
        return path

    yield change
    path.write_bytes(whole)


def without(key):
    """An edit of bundle.json."""
    return lambda data: json.dumps({name: value for name, value in json.loads(data).items() if name != key}).encode()


def raising(data):
    """An edit of a test file: its first case fails by itself, not by the answer."""
    return data.replace(b"    ask.agrees(", f"    raise RuntimeError({INSIDE!r})\n    ask.agrees(".encode(), 1)


BROKEN = {
    "syntax": ({"tests/softmax.py": lambda data: data + b"\ndef broken(:\n"}, "SyntaxError"),
    "import": ({"tests/softmax.py": lambda data: b"import no_such_module\n" + data}, "no_such_module"),
    "exit": ({"tests/softmax.py": lambda data: b"1 / 0\n" + data}, "ZeroDivisionError"),
    "bytes": ({"tests/softmax.py": lambda data: b"\xff\xfe" + data}, "UnicodeDecodeError"),
    "no test file": ({"tests/softmax.py": lambda data: None}, "tests/softmax.py"),
    "another case": ({"tests/softmax.py": lambda data: data.replace(b"two_rows', hid", b"rows', hid")}, "holds other"),
    "no bundle": ({"bundle.json": lambda data: None}, "bundle.json"),
    "not JSON": ({"bundle.json": lambda data: data[:-9]}, "JSONDecodeError"),
    "a list": ({"bundle.json": lambda data: b"[]"}, "bundle.json lacks schema"),
    **{f"no {key}": ({"bundle.json": without(key)}, f"bundle.json lacks {key}")
       for key in ("stage", "questions", "sources_sha256", "visibility", "limits", "hints")},
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_assignment_is_named_and_nothing_is_graded(pack, spoil, two_runs, tmp_path, monkeypatch, fault):
    edits, words = BROKEN[fault]
    spoil(edits)
    code, said = call(pack, monkeypatch, "grade", STAGE, two_runs[0], "--out", tmp_path / "out")
    assert code == 2 and said.startswith(f"grade: {STAGE}.zip is not an assignment of this pack (") and said.count("\n") == 1
    assert words in said and "run `make release`" in said and not (tmp_path / "out").exists()


def test_a_damaged_or_missing_zip_is_named(pack, spoil, two_runs, tmp_path, monkeypatch):
    path = spoil({})
    whole = path.read_bytes()
    for data in (whole[:len(whole) // 2], whole[len(whole) // 2:], b""):
        path.write_bytes(data)
        code, said = call(pack, monkeypatch, "grade", STAGE, two_runs[0], "--out", tmp_path / "out")
        assert code == 2 and path.name in said and "run `make release`" in said, said
    path.unlink()
    code, said = call(pack, monkeypatch, "grade", STAGE, two_runs[0], "--out", tmp_path / "out")
    assert code == 2 and f"there is no dist/{path.name}; run `make release`" in said and not (tmp_path / "out").exists()


def test_a_case_that_fails_by_itself_grades_nobody(pack, spoil, two_runs, tmp_path, monkeypatch):
    spoil({"tests/softmax.py": raising})
    code, said = call(pack, monkeypatch, "grade", STAGE, two_runs[0], "--out", tmp_path / "out")
    assert code == 0 and "0 graded, 3 ungradable" in said
    for name, row in rows_of(tmp_path / "out").items():
        assert (row["status"], row["score"], row.get("softmax", "")) == ("ungradable", "", "")
        message = result_of(tmp_path / "out", name)["message"]
        assert "a problem of its own" in message and f"RuntimeError: {INSIDE}" in message


# --- the configuration is gone ------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [None, "", "course: [", "course: {name: 1}\n"])
def test_without_a_configuration_the_old_release_stays_and_every_command_says_what_to_do(pack, two_runs, tmp_path, monkeypatch,
                                                                                         content):
    config = pack / "grading_config.yaml"
    whole, before = config.read_text(), read_tree(pack / "dist")
    try:
        config.unlink()
        if content is not None:
            config.write_text(content)
        lines = []
        assert release_course(pack, pack, lines.append) == 1
        assert lines[0].startswith("grading_config.yaml: ") and "the old release is untouched" in lines[-1]
        assert read_tree(pack / "dist") == before
        code, said = call(pack, monkeypatch, "grade", STAGE, two_runs[0], "--out", tmp_path / "out")
        assert code == 2 and "was built from other sources than these; run `make release`" in said
    finally:
        config.write_text(whole)
    code, said = call(pack, monkeypatch, "grade", STAGE, two_runs[0] / "a.ipynb", "--out", tmp_path / "out")
    assert code == 0 and "1 graded" in said


def test_a_release_onto_a_full_disk_is_refused_and_the_old_one_stays(pack, disk, monkeypatch):
    def no_room(root, out, echo):
        if not disk.mounted:
            raise OSError(28, disk.reasons[0], str(out / "dist"))
        from autograder.files import replace_tree
        replace_tree(out / "dist", {"new.zip": b"x" * 10_000})

    (disk.folder / "dist").mkdir()
    (disk.folder / "dist" / "old.zip").write_bytes(b"old")
    disk.fill()
    monkeypatch.setattr("autograder.release.release.release_course", no_room)
    code, said = call(pack, monkeypatch, "release", "--out", disk.folder)
    assert code == 2 and f"release: {disk.folder / 'dist'}" in said and disk.reasons[0] in said and "run it again" in said
    assert read_tree(disk.folder / "dist") == {"old.zip": b"old"} and not (disk.folder / "dist.new").exists()


# --- on Gradescope ------------------------------------------------------------------------------------------------


@pytest.fixture
def autograder_folder(released, softmax, tmp_path):
    """/autograder with a submission that takes a second, in an image where the reference was graded."""
    root = gradescope_root(released, tmp_path)
    hand_in(root / "submission", "a", "import time\ntime.sleep(1)", softmax)
    (root / "source" / "reference-graded").write_text("40 points\n")
    return root


def start_gradescope(root, **options):
    """The grader as Gradescope starts it."""
    source = root / "source"
    command = [sys.executable, "-m", "autograder", "gradescope", "--root", root]
    return subprocess.Popen(command, cwd=source, env={**os.environ, "PYTHONPATH": str(source)}, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def results_of(root):
    """results.json, whole or the test fails."""
    return json.loads((root / "results" / "results.json").read_text())


def test_gradescope_keeps_its_fallback_when_the_grader_is_killed(autograder_folder):
    grader = start_gradescope(autograder_folder)
    until(lambda: busy_zygotes(autograder_folder / "source"))
    grader.kill()
    grader.communicate()
    assert results_of(autograder_folder) == FALLBACK
    nothing_is_left(autograder_folder / "source")


def test_gradescope_keeps_its_fallback_when_the_disk_is_full(autograder_folder):
    with contextlib.closing(Disk(autograder_folder / "results")) as disk:
        grader = start_gradescope(autograder_folder, **disk.options)
        until(lambda: busy_zygotes(autograder_folder / "source"))
        disk.fill()
        complaint = finish(grader, 1)
        assert "results.json cannot be written (" in complaint and any(reason in complaint for reason in disk.reasons)
        results = results_of(autograder_folder)
        assert (results["score"], results["output"]) == (0, FALLBACK["output"]) and "tests" not in results
        assert not list((autograder_folder / "results").glob("*.tmp"))


@pytest.mark.parametrize(("name", "edit", "error", "words"), [
    ("tests/softmax.py", raising, GraderFault, f"tests/softmax.py: RuntimeError: {INSIDE}"),
    ("tests/softmax.py", lambda data: data + f"\nraise ValueError({INSIDE!r})\n".encode(), BundleError, f"ValueError: {INSIDE}"),
    ("tests/softmax.py", lambda data: data + f"\n{INSIDE}\n".encode(), BundleError, "SyntaxError"),
    ("bundle.json", without("visibility"), BundleError, "bundle.json lacks visibility"),
])
def test_gradescope_names_a_fault_for_staff_only(autograder_folder, softmax, name, edit, error, words):
    path = autograder_folder / "source" / name
    path.write_bytes(edit(path.read_bytes()))
    hand_in(autograder_folder / "submission", "a", softmax)
    with pytest.raises(error):
        run(autograder_folder)
    results = results_of(autograder_folder)
    assert words in results.pop("extra_data")["fault"]
    assert results == FALLBACK and "not your grade" in results["output"] and results["stdout_visibility"] == "hidden"


def test_a_release_can_be_read_again_and_again(bundles, released):
    for stage in bundles:
        assert Bundle(released / "dist" / f"{stage}.zip").cases_digest() == bundles[stage].cases_digest()
