"""The zip where it is used: a bare system, setup.sh once, run_autograder for every submission, with Gradescope's limits."""

import json
import os
import shutil
import textwrap
import zipfile
from pathlib import Path

import jsonschema
import limits
import machine
import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
STAGES = sorted(path.stem for path in DIST.glob("*.zip"))
STAGE = "stage2_bptt"  # every kind of submission; of the other stages the solved notebook
MOST_MB, MOST_SECONDS = 300, 15  # of one solved submission at half a processor
SETUP_SECONDS, RUN_SECONDS = 400, 120
ALWAYS = {"process", "limits", "no_new_privileges", "user"}
SCHEMA = json.loads(Path(__file__).with_name("gradescope_results.schema.json").read_text())
METADATA = {"id": 1, "created_at": "2026-09-01T12:00:00.000000-07:00", "submission_method": "upload", "previous_submissions": [],
            "users": [{"email": "a@example.org", "id": 1, "name": "A"}],
            "assignment": {"id": 1, "course_id": 1, "title": "Stage", "due_date": "2026-09-02T12:00:00.000000-07:00",
                           "release_date": "2026-08-01T12:00:00.000000-07:00", "late_due_date": None, "group_size": None,
                           "group_submission": False, "total_points": "72.0"}}
# Everything a submission must not be able to do. What it managed ends in the report as the error of its cell.
HOSTILE = """
import ctypes, glob, importlib, os, signal, socket, subprocess, sys, time
managed, tried = [], 0

def attempt(name, action):
    global tried
    tried += 1
    try:
        action()
    except BaseException:
        return
    managed.append(name)

for path in ("source", "source/bundle.json", "source/reference.ipynb", "results", "results/results.json", "submission",
             "submission_metadata.json", "submission/link.ipynb", "submission/more"):
    path = "/autograder/" + path
    attempt("read " + path, lambda: open(path, "rb").read())
    attempt("list " + path, lambda: os.listdir(path))
    attempt("open up " + path, lambda: os.chmod(path, 0o777))
for path in ("results/results.json", "results/new.json", "source/new.py", "run_autograder", "new", "venv/new",
             "venv/bin/python", "submission/new.ipynb"):
    path = "/autograder/" + path
    open("mine", "w").close()
    attempt("write " + path, lambda: open(path, "a").write("x"))
    attempt("replace " + path, lambda: os.replace("mine", path))
    attempt("link " + path, lambda: os.symlink("mine", path))
attempt("move results", lambda: os.rename("/autograder/results", "/autograder/old"))
for name in ("autograder", "solutions", "autograder.grading.gradescope"):
    attempt("import " + name, lambda: importlib.import_module(name))
for call in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.chroot("/")):
    attempt("be someone else", call)
own = {os.getpid(), int(os.readlink("/proc/self"))}  # two numbers, if the processes are hidden from each other
for folder in glob.glob("/proc/[0-9]*"):
    if int(os.path.basename(folder)) not in own:
        for name in ("environ", "mem", "maps"):
            attempt("read " + folder + "/" + name, lambda: open(folder + "/" + name, "rb").read(1))
        attempt("enter " + folder, lambda: os.listdir(folder + "/root/autograder/source"))
        attempt("stop " + folder, lambda: os.kill(int(os.path.basename(folder)), signal.SIGKILL))
attempt("setuid program", lambda: subprocess.run(["/bin/su", "-c", "id"], check=True, capture_output=True))
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        deadline = time.time() + 60
        while time.time() < deadline:
            try:
                open("/autograder/results/results.json", "w").write('{"score": 1000}')
            except OSError:
                time.sleep(0.01)
    os._exit(0)
raise RuntimeError(f"tried {tried} and managed {managed}")
"""
measured = []


@pytest.fixture(scope="module")
def image():
    """The machine after setup.sh of the stage's zip, as its image would be."""
    try:
        with machine.machine() as built:
            built.lay_out(DIST / f"{STAGE}.zip")
            lock, setup = ((built.autograder / "source" / name).read_bytes() for name in ("requirements.lock", "setup.sh"))
            with machine.kept(built, "autograder/venv", lock, setup) as restored:
                done = set_up(built, variables=machine.variables())
                if done.code:
                    pytest.fail(f"setup.sh failed:\n{done.output[-4000:]}", pytrace=False)
                measured.append(["setup.sh, with a venv from the cache" if restored else "setup.sh", done])
                built.setup_output = done.output
                yield built
    except machine.CannotBuild as reason:
        pytest.fail(f"the container cannot be built: {reason}", pytrace=False)


@pytest.fixture(scope="module", autouse=True)
def report(image, pytestconfig):
    """Prints what everything took, at the end."""
    yield
    lines = [f"{limits.MEMORY_MB} MB, and half a processor but for setup.sh, by {measured[0][1].limited_by}",
             "most memory of all processes together as the sum of PSS, and as the group counts it with page cache:"]
    lines += [f"{name:<50} {done.seconds:6.1f} s {done.pss_mb:6.0f} MB {done.group_mb:6.0f} MB" for name, done in measured]
    with pytestconfig.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        print("", *lines, sep="\n")


def set_up(built, **options):
    return built.run("/autograder/source/setup.sh", SETUP_SECONDS, cpus=os.cpu_count(), **options)


def set_up_again(built):
    """setup.sh where everything is installed; apt, which would look for updates, is passed over to save time."""
    (built.root / "tmp" / "apt-get").write_text("#!/bin/sh\n")
    (built.root / "tmp" / "apt-get").chmod(0o755)
    return set_up(built, variables={"PATH": f"/tmp:{machine.PATH}"})


def submit(image, name, fill, code=0, **options):
    """Run the autograder on what `fill` puts into the submission's folder; returns the checked results.

    code: the exit status to insist on, None for any.
    """
    image.clear()
    (image.autograder / "submission_metadata.json").write_text(json.dumps(METADATA))
    fill(image.autograder / "submission")
    done = image.run("/autograder/run_autograder", RUN_SECONDS, **options)
    measured.append([name, done])
    assert code is None or done.code == code, done.output
    results = json.loads((image.autograder / "results" / "results.json").read_text(encoding="utf-8"), parse_constant=pytest.fail)
    jsonschema.validate(results, SCHEMA)
    assert mode(image, "source") == 0o700
    if results.get("tests"):
        assert set(results["extra_data"]["result"]["isolation"]) >= ALWAYS
        assert results["score"] == sum(test["score"] for test in results["tests"])
    return results, done


def is_small(done, seconds=MOST_SECONDS):
    return max(done.pss_mb, done.group_mb) <= MOST_MB and done.seconds <= seconds


def mode(image, name):
    return (image.autograder / name).stat().st_mode & 0o777


def notebook(stage=STAGE, solved=True):
    return nbformat.read(DIST / f"solved/en/{stage}.ipynb" if solved else
                         ROOT / f"student_release/en/{stage}/{stage}.ipynb", as_version=4)


def bundle(stage=STAGE):
    with zipfile.ZipFile(DIST / f"{stage}.zip") as archive:
        return json.loads(archive.read("bundle.json"))


def saved(document, name="homework.ipynb"):
    return lambda folder: nbformat.write(document, folder / name)


def with_bodies(names, body):
    document = notebook()
    for name in names:
        cell = next(cell for cell in document.cells if cell["id"] == f"stub-{name}")
        cell["source"] = f"def {name}(*arguments):\n    {body}"
    return document


def by_question(results):
    """question -> points."""
    points = {}
    for test in results["tests"]:
        question = test["name"].partition(":")[0]
        points[question] = points.get(question, 0) + test["score"]
    return points


def test_setup_grades_the_reference_and_leaves_the_system_alone(image):
    assert f"The reference of {STAGE} gets {bundle()['max_score']:g} of" in image.setup_output
    assert mode(image, "source") == 0o700 and (image.autograder / "source" / "reference-graded").is_file()
    assert not (image.autograder / "source" / "venv").exists()
    names = "('numpy', 'otter', 'dill', 'IPython')"
    system = image.run(f'/usr/bin/python3 -c "import importlib.util as u; print([n for n in {names} if u.find_spec(n)])"', 60)
    assert (system.code, system.output.strip()) == (0, "[]")


def test_learners_user_can_read_the_interpreter_but_not_the_pack(image):
    as_learner = "setpriv --reuid 61000 --regid 61000 --clear-groups"
    reads = image.run(f'{as_learner} /autograder/venv/bin/python -c "import numpy, IPython, landlockpy, matplotlib.pyplot"', 60)
    assert reads.code == 0, reads.output
    assert image.run(f"{as_learner} ls /autograder/source", 60).code != 0


def test_solved(image):
    results, done = submit(image, "solved", saved(notebook()))
    assert results["score"] == bundle()["max_score"] and all(test["status"] == "passed" for test in results["tests"])
    assert is_small(done)
    assert (image.autograder / "results" / "results.pkl").stat().st_size > 0


def test_every_layer_where_root_may_make_namespaces(image):
    """Without a container's restrictions root can also hide processes and the network."""
    results, _ = submit(image, "solved, root with all capabilities", saved(notebook()), contained=False)
    layers = results["extra_data"]["result"]["isolation"]
    assert results["score"] == bundle()["max_score"] and "namespaces" in layers
    kernel = Path("/sys/kernel/security/lsm")
    if kernel.is_file() and "landlock" in kernel.read_text():
        assert "landlock" in layers


def test_untouched(image):
    results, done = submit(image, "untouched", saved(notebook(solved=False)))
    assert results["score"] == 0 and len(results["tests"]) == sum(map(len, bundle()["questions"].values()))
    assert is_small(done)


def test_half_wrong(image):
    wrong = list(bundle()["questions"])[::2]
    results, done = submit(image, "half wrong", saved(with_bodies(wrong, "return None")))
    points = by_question(results)
    assert 0 < results["score"] < bundle()["max_score"] and not any(points[name] for name in wrong)
    assert is_small(done, RUN_SECONDS)


def test_looping(image):
    looping = list(bundle()["questions"])[0]
    results, done = submit(image, "looping function", saved(with_bodies([looping], "while True: pass")))
    points = by_question(results)
    assert points.pop(looping) == 0 and sum(points.values()) > 0
    assert is_small(done, RUN_SECONDS)


def test_greedy(image):
    """Whatever it does to the memory, there is a result, and it brings no points."""
    hog = "import os\nfor _ in range(40):\n    if os.fork() == 0:\n        kept = []\n        while True:\n" \
          "            kept.append(bytearray(os.urandom(2**20)))\nwhile True:\n    pass"
    document = notebook(solved=False)
    document.cells.append(nbformat.v4.new_code_cell(hog))
    results, _ = submit(image, "greedy", saved(document), code=None)
    assert results["score"] == 0


def test_broken_file(image):
    text = (DIST / f"solved/en/{STAGE}.ipynb").read_text()
    results, _ = submit(image, "broken file", lambda folder: (folder / "homework.ipynb").write_text(text[:len(text) // 2]))
    assert results["score"] == 0 and not results["tests"] and "homework.ipynb" in results["output"]


def test_hostile_notebook_notices_what_is_open(image):
    """Run as the same user beside a pack that is not closed, it manages a lot."""
    for name, bits in (("source", 0o755), ("results", 0o777)):
        (image.autograder / name).chmod(bits)
    (image.root / "tmp" / "hostile.py").write_text(HOSTILE)
    done = image.run("cd $(mktemp -d) && chmod 777 . && setpriv --reuid 61000 --regid 61000 --clear-groups "
                     "env PYTHONPATH=/autograder/source /autograder/venv/bin/python /tmp/hostile.py", 60)
    for what in ("read /autograder/source/bundle.json", "list /autograder/source", "replace /autograder/results/new.json",
                 "import autograder.grading.gradescope"):
        assert what in done.output


@pytest.mark.parametrize("contained", [True, False], ids=["as in a container", "root with all capabilities"])
def test_hostile(image, contained):
    """It reads nothing of the grader, writes no result, outlives nothing; links and odd names in the upload lead nowhere."""
    document = notebook(solved=False)
    document.cells.append(nbformat.v4.new_code_cell(textwrap.dedent(HOSTILE)))

    def fill(folder):
        (folder / "link.ipynb").symlink_to("/autograder/source/reference.ipynb")
        (folder / "more").symlink_to("/autograder/source")
        (folder / "folder.ipynb").mkdir()
        os.mkfifo(folder / "pipe.ipynb")
        for package in ("autograder", "numpy", "tests"):
            (folder / package).mkdir()
            (folder / package / "__init__.py").write_text("raise SystemExit('shadowed')")
        saved(document, os.fsdecode(b"we\xffird\n'$(touch x).ipynb"))(folder)

    name = "hostile" if contained else "hostile, root with all capabilities"
    results, done = submit(image, name, fill, contained=contained)
    assert "and managed []" in results["output"], results["output"]
    assert results["score"] == 0 and len(results["tests"]) == sum(map(len, bundle()["questions"].values()))
    assert is_small(done)
    assert sorted(path.name for path in (image.autograder / "results").iterdir()) == ["results.json", "results.pkl"]


@pytest.mark.parametrize("stage", [name for name in STAGES if name != STAGE])
def test_solved_of_every_other_stage(image, stage):
    """Without setup.sh's check of the reference, as in `otter grade`'s image: the first run does it."""
    image.lay_out(DIST / f"{stage}.zip")
    results, done = submit(image, f"solved {stage}, with its reference", saved(notebook(stage)))
    assert results["score"] == bundle(stage)["max_score"] and (image.autograder / "source" / "reference-graded").is_file()
    assert is_small(done, 2 * MOST_SECONDS)


def test_setup_in_the_image_of_otter_grade(image):
    """Its build runs setup.sh before the pack is there."""
    there = {"setup.sh", "environment.yml", "requirements.in", "requirements.lock", "run_autograder"}
    image.lay_out(DIST / f"{STAGE}.zip", there)
    done = set_up_again(image)
    assert done.code == 0 and "The reference" not in done.output, done.output[-4000:]


def test_no_image_and_no_grade_without_full_marks_for_the_reference(image):
    image.lay_out(DIST / f"{STAGE}.zip")
    shutil.copy(ROOT / f"student_release/en/{STAGE}/{STAGE}.ipynb", image.autograder / "source" / "reference.ipynb")
    done = set_up_again(image)
    assert done.code != 0 and f"the reference of {STAGE} gets 0 of {bundle()['max_score']:g} points" in done.output
    saved(notebook())(image.autograder / "submission")
    assert image.run("/autograder/run_autograder", RUN_SECONDS).code != 0
    results = json.loads((image.autograder / "results" / "results.json").read_text())
    jsonschema.validate(results, SCHEMA)
    assert results["score"] == 0 and "not your grade" in results["output"] and "tests" not in results


def test_nothing_stays_mounted(image):
    assert str(image.root) not in Path("/proc/self/mounts").read_text()
