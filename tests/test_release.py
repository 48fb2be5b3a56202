"""A release has the same bytes every time, holds only what students may have, and replaces the old one only when proven."""

import ast
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tokenize
import types
import zipfile
from pathlib import Path

import nbformat
import pytest
import yaml

from autograder import files
from autograder.course import load_course
from autograder.release import leaks, notebooks
from autograder.release import release as release_module
from autograder.release.build import Release, build, check_leaks
from autograder.release.composition import CaseSource
from autograder.release.release import release_course

ROOT = Path(__file__).resolve().parents[1]
CONFIG = yaml.safe_load((ROOT / "grading_config.yaml").read_text(encoding="utf-8"))
STAGE = next(iter(CONFIG["stages"]))
LANGUAGE = CONFIG["language"]
FOLDER = f"{LANGUAGE}/{STAGE}"
NOTEBOOK = f"{FOLDER}/{STAGE}.ipynb"
QUESTIONS = list(CONFIG["stages"][STAGE]["questions"])[:3]
QUESTION = QUESTIONS[0]


def edit(path, change):
    text = path.read_text(encoding="utf-8")
    changed = change(text)
    assert changed != text
    path.write_text(changed, encoding="utf-8")


def copy_sources(root):
    """The sources with the first questions of the first stage only, so that a release is quick."""
    for name in ("assignments", "solutions", "autograder"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    stage = CONFIG["stages"][STAGE]
    stage = {**stage, "questions": {question: stage["questions"][question] for question in QUESTIONS}}
    config = {**CONFIG, "stages": {STAGE: stage}}
    (root / "grading_config.yaml").write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    for folder in ("autograder/hidden/" + STAGE, f"assignments/{STAGE}/public"):
        for path in (root / folder).glob("*.py"):
            if path.stem not in QUESTIONS:
                path.unlink()
    for path in (root / "assignments" / STAGE).glob("notebook.*.md"):
        edit(path, lambda text: re.sub(r"^```python (.*)\n(?:.*\n)*?```$", _kept, text, flags=re.MULTILINE))
    return root


def _kept(fence):
    named = set(re.findall(r"\w+", " ".join(re.findall(r'(?:stub|check|needs)="([^"]*)"', fence[1]))))
    return fence[0] if named <= set(QUESTIONS) else ""


def run(root, out):
    """(exit code, everything printed) of one release."""
    lines = []
    return release_course(root, out, lines.append), "\n".join(lines)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """(sources of one stage, the folder they are released into, what was printed)."""
    root, out = copy_sources(tmp_path_factory.mktemp("sources")), tmp_path_factory.mktemp("out")
    code, text = run(root, out)
    assert code == 0, text
    return root, out, text


@pytest.fixture
def spoilt(small, tmp_path):
    """A copy of the sources to spoil, beside a copy of the release they gave."""
    root, out = tmp_path / "sources", tmp_path / "out"
    shutil.copytree(small[0], root)
    shutil.copytree(small[1], out)
    return root, out


@pytest.fixture(scope="module")
def course(small):
    return load_course(small[0])


@pytest.fixture(scope="module")
def built(small):
    return Release(files.read_tree(small[1] / "student_release"), {})


# --- the same bytes ------------------------------------------------------------------------------------------------------


def test_two_releases_have_the_same_bytes(small, tmp_path):
    root, out, text = small
    elsewhere = copy_sources(tmp_path / "other place")
    for path in elsewhere.rglob("*"):
        os.utime(path, (1e9, 1e9))
    script = ("import sys\nfrom pathlib import Path\nfrom autograder.release.release import release_course\n"
              "sys.exit(release_course(Path(sys.argv[1]), Path(sys.argv[2]), print))")
    other = {**os.environ, "PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    answer = subprocess.run([sys.executable, "-c", script, elsewhere, tmp_path / "out"], cwd=tmp_path, env=other, umask=0o077,
                            capture_output=True, text=True, timeout=60)
    assert (answer.returncode, answer.stdout) == (0, text + "\n"), answer.stderr
    first, second = files.read_tree(out), files.read_tree(tmp_path / "out")
    assert list(first) == list(second)
    assert [name for name in first if first[name] != second[name]] == []
    assert {f"dist/{STAGE}.zip", f"dist/student/{FOLDER}.zip", f"student_release/{NOTEBOOK}"} < set(first)


@pytest.mark.parametrize("kernel", ["Haswell", "Nehalem"])
def test_released_files_do_not_tell_the_processor(released, tmp_path, kernel):
    answer = subprocess.run([sys.executable, "-m", "autograder", "release", "--out", tmp_path], cwd=ROOT, capture_output=True,
                            env={**os.environ, "OPENBLAS_CORETYPE": kernel}, text=True, timeout=120)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    first, second = files.read_tree(released / "student_release"), files.read_tree(tmp_path / "student_release")
    assert [name for name in first if first[name] != second.get(name)] == []


def test_zips_do_not_tell_time_or_place(small):
    for path in (small[1] / "dist").rglob("*.zip"):
        with zipfile.ZipFile(path) as archive:
            assert archive.namelist() == sorted(archive.namelist())
            for entry in archive.infolist():
                assert entry.date_time == (1980, 1, 1, 0, 0, 0) and entry.compress_type == zipfile.ZIP_STORED
                executable = entry.filename in ("setup.sh", "run_autograder")
                assert entry.external_attr >> 16 == (0o100755 if executable else 0o100644), entry.filename
                assert str(ROOT).encode() not in archive.read(entry) and str(small[0]).encode() not in archive.read(entry)


def test_unchanged_sources_are_quick_and_print_the_same(small, monkeypatch):
    root, out, text = small
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    monkeypatch.setattr(release_module, "build", lambda course: pytest.fail("built again"))
    started = time.monotonic()
    assert run(root, out) == (0, text)
    assert time.monotonic() - started < 3
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == before


@pytest.mark.parametrize("change", [
    lambda root, out: edit(root / "assignments/messages.en.yaml", lambda text: text + "# a word\n"),
    lambda root, out: edit(root / "autograder/hidden" / STAGE / f"{QUESTION}.py", lambda text: text + "# a word\n"),
    lambda root, out: edit(root / "autograder/grading/checks.py", lambda text: text + "# a word\n"),
    lambda root, out: edit(root / "grading_config.yaml", lambda text: text + "# a word\n"),
    lambda root, out: (out / "student_release" / NOTEBOOK).unlink(),
    lambda root, out: (out / "student_release" / "notes.txt").write_text("mine"),
    lambda root, out: (out / "dist" / f"{STAGE}.zip").write_bytes(b""),
    lambda root, out: (out / "dist" / "release.json").write_text("{"),
], ids=["a text", "a hidden case", "the grader", "the config", "no notebook", "a stray", "an empty zip", "no record"])
def test_changed_sources_or_outputs_are_built_again(spoilt, monkeypatch, change):
    class BuiltAgain(Exception):
        pass

    def stop(course):
        raise BuiltAgain

    monkeypatch.setattr(release_module, "build", stop)
    change(*spoilt)
    with pytest.raises(BuiltAgain):
        run(*spoilt)


def test_a_damaged_release_is_repaired(spoilt, small, monkeypatch):
    rows = json.loads((small[1] / "dist" / "release.json").read_text())["rows"]
    monkeypatch.setattr(release_module, "prove", lambda *builds: (rows, []))
    (spoilt[1] / "student_release" / NOTEBOOK).write_text("gone")
    (spoilt[1] / "student_release" / "notes.txt").write_text("mine")
    assert run(*spoilt) == (0, small[2])
    assert files.read_tree(spoilt[1]) == files.read_tree(small[1])


def test_the_committed_release_is_what_the_sources_give(released):
    fresh, committed = (files.read_tree(root / "student_release") for root in (released, ROOT))
    assert sorted(fresh) == sorted(committed)
    assert [name for name in fresh if fresh[name] != committed[name]] == []


# --- what students get ---------------------------------------------------------------------------------------------------


def test_the_manifest_verifies_and_lists_every_file(released):
    folder = released / "student_release"
    answer = subprocess.run(["sha256sum", "--strict", "-c", "MANIFEST.sha256"], cwd=folder, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    listed = [line.split("  ", 1)[1] for line in (folder / "MANIFEST.sha256").read_text().splitlines()]
    assert listed == sorted(set(files.read_tree(folder)) - {"MANIFEST.sha256"})
    digests = [line.split("  ", 1)[0] for line in (folder / "MANIFEST.sha256").read_text().splitlines()]
    assert digests == [hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in listed]


def test_the_student_zip_is_the_folder(released):
    zips = sorted((released / "dist" / "student").rglob("*.zip"))
    folders = sorted(path for path in (released / "student_release").glob("*/*") if path.is_dir())
    assert [(path.parent.name, path.stem) for path in zips] == [(path.parent.name, path.name) for path in folders] != []
    for path, folder in zip(zips, folders, strict=True):
        with zipfile.ZipFile(path) as archive:
            inside = {name: archive.read(name) for name in archive.namelist()}
        assert inside == {f"{folder.name}/{name}": data for name, data in files.read_tree(folder).items()}


def test_students_get_these_files_only(released):
    languages = sorted(path.name for path in (released / "student_release").iterdir() if path.is_dir())
    assert LANGUAGE in languages
    allowed = {"MANIFEST.sha256"}
    for language in languages:
        for stage, settings in CONFIG["stages"].items():
            if (ROOT / "assignments" / stage / f"notebook.{language}.md").is_file():
                tests = [f"tests/{name}.py" for name in settings["questions"]]
                allowed |= {f"{language}/{stage}/{name}" for name in (f"{stage}.ipynb", "support.py", "requirements.txt", *tests)}
    assert set(files.read_tree(released / "student_release")) == allowed


def released_notebooks(released):
    return [(path.parent.name, path) for path in sorted((released / "student_release").glob("*/*/*.ipynb"))]


def test_released_notebooks_are_valid_and_have_no_outputs(released):
    solved = sorted((released / "dist" / "solved").rglob("*.ipynb"))
    for _, path in released_notebooks(released) + [("", path) for path in solved]:
        raw = json.loads(path.read_text(encoding="utf-8"))
        assert (raw["nbformat"], raw["nbformat_minor"]) == (4, 5)
        notebook = nbformat.from_dict(raw)
        nbformat.validate(notebook)
        identifiers = [cell["id"] for cell in raw["cells"]]
        assert len(set(identifiers)) == len(identifiers)
        for cell in raw["cells"]:
            assert not cell.get("attachments") and set(cell["metadata"]) <= {"editable"}
            if cell["cell_type"] == "code":
                assert cell["outputs"] == [] and cell["execution_count"] is None


def test_every_question_has_one_stub_and_one_check(released):
    for stage, path in released_notebooks(released):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        solved = released / "dist" / "solved" / path.parents[1].name / f"{stage}.ipynb"
        solved = json.loads(solved.read_text(encoding="utf-8"))["cells"]
        assert [cell["id"] for cell in cells] == [cell["id"] for cell in solved]
        names = [cell["id"] for cell in cells]
        for question in CONFIG["stages"][stage]["questions"]:
            (stub,) = [cell["source"] for cell in cells if cell["cell_type"] == "code" and f"def {question}(" in cell["source"]]
            (check,) = [cell["source"] for cell in cells if f'grader.check("{question}")' in cell["source"]]
            assert names.index(f"stub-{question}") < names.index(f"check-{question}")
            assert check == f'grader.check("{question}")'
            (function,) = ast.parse(stub).body
            assert ast.get_docstring(function) and len(function.body) == 2
            assert ast.unparse(function.body[1]) == f"raise NotImplementedError('{question}')"
        unsolved = [a["id"] for a, b in zip(cells, solved, strict=True) if a["source"] != b["source"]]
        assert sorted(unsolved) == sorted(f"stub-{question}" for question in CONFIG["stages"][stage]["questions"])


def test_ids_stay_when_texts_are_edited(spoilt):
    def ids(root):
        course = load_course(root)
        text = notebooks.build_notebook(course, course.stages[STAGE], LANGUAGE, solved=False)
        return {cell["id"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"}

    before = ids(spoilt[0])
    assert {f"stub-{QUESTION}", f"check-{QUESTION}", "setup"} <= before
    notebook, messages = (spoilt[0] / "assignments" / name for name in (f"{STAGE}/notebook.{LANGUAGE}.md", "messages.en.yaml"))
    edit(notebook, lambda text: "A preface.\n\n\nAnd more.\n\n\n" + text + "\n\n\nThe end.\n")
    edit(messages, lambda text: text.replace("import numpy as np", "import numpy as np  # arrays"))
    assert ids(spoilt[0]) == before


@pytest.mark.parametrize(("old", "new", "words"), [
    (f'```python stub="{QUESTION}"', "```python", "needs one role"),
    (f'```python stub="{QUESTION}"', f'```python stub="{QUESTION}" demo=true', "needs one role"),
    (f'```python stub="{QUESTION}"\n', f'```python stub="{QUESTION}"\nx = 1\n', "must be empty"),
    (f'```python check="{QUESTION}"\n```', "", QUESTION),
    (f'```python check="{QUESTION}"\n```', f'```python check="{QUESTION}"\n```\n\n\n```python check="{QUESTION}"\n```', QUESTION),
    (f'stub="{QUESTION}"', 'stub="unheard_of"', "unheard_of"),
    (f'needs="{QUESTION}"', 'needs="unheard_of"', "unheard_of"),
    ("{{questions}}", "", "{{questions}}"),
    ("{{questions}}", "{{questions}} {{unheard_of}}", "{{unheard_of}}"),
])
def test_a_wrong_notebook_source_is_refused_with_its_place(spoilt, old, new, words):
    edit(spoilt[0] / "assignments" / STAGE / f"notebook.{LANGUAGE}.md", lambda text: text.replace(old, new, 1))
    code, text = run(*spoilt)
    assert code == 1 and words in text and text.endswith("the old release is untouched"), text


# --- leaks ---------------------------------------------------------------------------------------------------------------


def source_of(path, node):
    """The lines of a function as its author wrote them, without decorator and signature."""
    lines = path.read_text(encoding="utf-8").splitlines()
    first = node.body[1] if ast.get_docstring(node) is not None else node.body[0]
    return "\n".join(lines[first.lineno - 1:node.end_lineno])


def secret_functions(stage):
    """{what it is: (path, node)} of every answer and every hidden function of a stage."""
    found = {}
    for node in ast.parse(stage.solutions_path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name in stage.questions:
            found[f"the answer of {node.name}"] = stage.solutions_path, node
    for question in stage.questions:
        path = stage.case_path(question, hidden=True)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                found[f"the hidden case {question}/{node.name}"] = path, node
    return found


def with_cell(release, kind, source):
    """A release of the notebook with one more cell."""
    notebook = json.loads(release.student[NOTEBOOK])
    cell = {"cell_type": kind, "id": "more", "metadata": {}, "source": source}
    notebook["cells"].insert(3, cell if kind == "markdown" else {**cell, "outputs": [], "execution_count": None})
    return with_file(release, NOTEBOOK, json.dumps(notebook))


def with_file(release, name, text, append=False):
    """A release of one file, new or with more text at its end."""
    return Release({name: (release.student[name] if append else b"") + text.encode()}, {})


def otherwise_written(source):
    """The same statements with other quotes and line breaks."""
    written, end = [], (1, 0)
    for token in tokenize.generate_tokens(io.StringIO(ast.unparse(ast.parse(source)) + "\n").readline):
        text = token.string
        if token.type == tokenize.OP and text in "([{":
            text += "  # so\n        "
        elif token.type == tokenize.STRING and text[0] == "'" and '"' not in text:
            text = f'"{text[1:-1]}"'
        if token.type not in (tokenize.INDENT, tokenize.DEDENT):
            space = " " * (token.start[1] - (end[1] if token.start[0] == end[0] else 0))
            written.append(space + text)
            end = token.end
    ast.parse("".join(written))
    return "".join(written)


def dedented(source):
    width = len(source) - len(source.lstrip())
    return "\n".join(line[width:] for line in source.splitlines())


def marked(mark, source):
    return "\n".join(mark + line for line in source.splitlines())


PLACES = {
    "a Markdown cell": lambda release, source: with_cell(release, "markdown", f"Look:\n\n```\n{source}\n```"),
    "a quotation in Markdown": lambda release, source: with_cell(release, "markdown", marked("> ", source)),
    "a comment in code": lambda release, source: with_cell(release, "code", "x = 1\n" + marked("# ", source)),
    "a code cell": lambda release, source: with_cell(release, "code", dedented(source)),
    "a cell that needs a question": lambda release, source: with_cell(release, "code", f"%%needs {QUESTION}\n"
                                                                      + otherwise_written(dedented(source))),
    "a function in a code cell": lambda release, source: with_cell(release, "code", f"def f(ask):\n{source}"),
    "a code cell in another layout": lambda release, source: with_cell(release, "code", otherwise_written(dedented(source))),
    "a string in a code cell": lambda release, source: with_cell(release, "code", f"text = '''\n{source}\n'''"),
    "support.py": lambda release, source: with_file(release, f"{FOLDER}/support.py", f"\n\ndef f(ask):\n{source}\n", append=True),
    "a comment in support.py": lambda release, source: with_file(release, f"{FOLDER}/support.py", marked("# ", source),
                                                                append=True),
    "requirements.txt": lambda release, source: with_file(release, f"{FOLDER}/requirements.txt", source, append=True),
    "a public test": lambda release, source: with_file(release, f"{FOLDER}/tests/{QUESTION}.py", f"\n\ndef f(ask):\n{source}\n",
                                                       append=True),
}


@pytest.fixture(scope="module")
def whole():
    """The first stage with all its questions, and its secrets."""
    stage = load_course(ROOT).stages[STAGE]
    return stage, leaks.secrets_of(stage)


def as_printed(path, node):
    """Whether a function is written as `ast.unparse` writes it, white space and quotes aside."""
    printed, written = (re.sub(r"\s", "", text).replace('"', "'") for text in (ast.unparse(node), source_of(path, node)))
    return printed.endswith(written)


@pytest.mark.parametrize("place", PLACES)
def test_hidden_cases_and_answers_are_found_wherever_they_are_pasted(whole, built, place):
    stage, secrets = whole
    for prefix, least in (("the hidden case", 2), ("the answer", 3)):
        what, source = next((what, source_of(path, node)) for what, (path, node) in secret_functions(stage).items()
                            if what.startswith(prefix) and len(node.body) >= least and as_printed(path, node))
        complaints = leaks.find_leaks(PLACES[place](built, source).student, secrets)
        assert any(complaint.endswith(f": contains {what}") for complaint in complaints), (what, source, complaints)
        assert all(complaint.startswith(f"{FOLDER}/") for complaint in complaints)
        assert leaks.find_leaks(PLACES[place](built, "x = 1\ny = 2").student, secrets) == []


def test_other_quotes_hide_nothing(whole, built):
    stage, secrets = whole
    what, source = next((what, source_of(path, node)) for what, (path, node) in secret_functions(stage).items()
                        if len(node.body) >= 3 and as_printed(path, node) and '"' in source_of(path, node))
    for text in (source, source.replace('"', "'")):
        assert f"{NOTEBOOK}: contains {what}" in leaks.find_leaks(with_cell(built, "markdown", text).student, secrets)


def is_no_secret(path, node):
    """Whether a function holds one short statement and nothing else: a hidden helper, or an answer that the contract states."""
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    squeezed = re.sub(r"[\s#>`]", "", ast.unparse(body[0]))
    return not node.decorator_list and len(body) == 1 and len(squeezed) < leaks.SHORTEST_PAIR


def in_normal_form(node):
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return "\n".join("    " + line for statement in body for line in ast.unparse(statement).splitlines())


@pytest.mark.parametrize("stage", CONFIG["stages"])
def test_every_hidden_function_and_every_answer_is_found_as_written_and_in_normal_form(stage):
    stage = load_course(ROOT).stages[stage]
    secrets, missed = leaks.secrets_of(stage), []
    empty = Release({NOTEBOOK: b'{"cells": []}'}, {})
    functions = secret_functions(stage)
    assert set(functions) <= set(secrets)
    for what, (path, node) in functions.items():
        if is_no_secret(path, node):
            continue
        for kind, source in (("as written", source_of(path, node)), ("in normal form", in_normal_form(node))):
            for place in ("a Markdown cell", "a comment in code", "a function in a code cell"):
                leaked = PLACES[place](empty, source).student
                if not any(complaint.endswith(what) for complaint in leaks.find_leaks(leaked, {what: secrets[what]})):
                    missed.append(f"{what}, {kind}, in {place}")
    assert missed == []


@pytest.mark.parametrize(("body", "decorated", "secret"), [
    ("return result[1]", False, False),
    ('"""Says a lot about what it does."""\n    return result[1]', False, False),
    ("return np.tanh(result[1] + 0.5)", False, True),
    ("first = 1\n    return first + result[1]", False, True),
    ("ask.agrees(np.ones((2, 3)))", True, True),
])
def test_only_one_short_statement_is_no_secret(tmp_path, body, decorated, secret):
    """What the test above leaves out is what the search leaves out, on functions made for it."""
    head = '@test_case(name="it")\n' if decorated else ""
    path = tmp_path / "hidden" / "question.py"
    path.parent.mkdir()
    path.write_text(f"{head}def it({'ask' if decorated else 'result'}):\n    {body}\n")
    source = CaseSource(path, tmp_path, True)
    (node,) = source.helpers + source.cases
    (tmp_path / "answers.py").write_text("")
    stage = types.SimpleNamespace(solutions_path=tmp_path / "answers.py", questions=["question"],
                                  cases={"question": (None, source)})
    assert is_no_secret(path, node) is not secret
    assert bool(leaks.secrets_of(stage)["the hidden case question/it"]) is secret


def test_two_statements_of_an_answer_are_enough_and_one_is_not(whole, built):
    stage, secrets = whole
    what, node = next((what, node) for what, (_, node) in secret_functions(stage).items()
                      if what.startswith("the answer") and len(node.body) > 3)
    first, second = (ast.unparse(statement) for statement in node.body[1:3])
    for kind in ("code", "markdown"):
        found = leaks.find_leaks(with_cell(built, kind, f"{first}\n{second}").student, secrets)
        assert f"{NOTEBOOK}: contains {what}" in found
        assert leaks.find_leaks(with_cell(built, kind, first).student, secrets) == []
        assert leaks.find_leaks(with_cell(built, kind, f"{first}\nx = 1\ny = 2").student, secrets) == []


def test_a_clean_release_passes(course, built):
    assert check_leaks(course, built) == []
    innocent = "Two **innocent** lines:\n\n    x = np.ones(3)\n    print(x)"
    assert check_leaks(course, with_cell(built, "markdown", innocent)) == []


@pytest.mark.parametrize("name", [
    f"{FOLDER}/solutions.json", f"{FOLDER}/tests/notes.md", f"{FOLDER}/tests/deeper/{QUESTION}.py",
    f"{FOLDER}/{STAGE}-solved.ipynb", ".env", f"{STAGE}.py", f"solutions/{STAGE}.py",
    f"{FOLDER}/.ipynb_checkpoints/{STAGE}.ipynb", f"{FOLDER}/__pycache__/support.cpython-311.pyc",
    f"{FOLDER}/grading_config.yaml", "en", f"../{FOLDER}/support.py", f"{FOLDER}/support.py\n",
])
def test_a_foreign_file_is_a_leak(course, built, name):
    assert check_leaks(course, with_file(built, name, "x = 1\n")) == [f"{name}: not a file that students receive"]


def test_solved_cells_and_hidden_files_are_leaks(course, built, small):
    solved = (small[1] / "dist" / "solved" / f"{FOLDER}.ipynb").read_text(encoding="utf-8")
    found = check_leaks(course, with_file(built, NOTEBOOK, solved))
    for what, (_, node) in secret_functions(course.stages[STAGE]).items():
        if what.startswith("the answer") and len(node.body) > 2:
            assert f"{NOTEBOOK}: contains {what}" in found
    assert len(found) >= len(QUESTIONS) - 1
    with zipfile.ZipFile(small[1] / "dist" / f"{STAGE}.zip") as archive:
        composed = archive.read(f"tests/{QUESTION}.py").decode()
    hidden = (small[0] / "autograder" / "hidden" / STAGE / f"{QUESTION}.py").read_text()
    for name, text in ((f"{FOLDER}/tests/{QUESTION}.py", composed), (f"{FOLDER}/tests/more.py", hidden),
                       (f"{FOLDER}/tests/{QUESTION}.py", hidden)):
        found = check_leaks(course, with_file(built, name, text))
        assert any(complaint.startswith(f"{name}: contains the hidden case {QUESTION}/") for complaint in found)
    one = json.loads(built.student[NOTEBOOK])
    cell = next(cell for cell in json.loads(solved)["cells"] if cell["id"] == f"stub-{QUESTION}")
    one["cells"] = [cell if old["id"] == cell["id"] else old for old in one["cells"]]
    assert check_leaks(course, with_file(built, NOTEBOOK, json.dumps(one))) == [f"{NOTEBOOK}: contains the answer of {QUESTION}"]


# --- failed proofs and interrupted writes leave the old release ----------------------------------------------------------


def add_case(path, name, body, root):
    edit(path, lambda text: text + f'\n\n@test_case(name="{name}")\ndef {name}(ask):\n    {body}\n')
    title = f'\ncases:\n  {QUESTION}/{name}: "another"\n'
    edit(root / "assignments/messages.en.yaml", lambda text: text.replace("\ncases:\n", title))
    config = yaml.safe_load((root / "grading_config.yaml").read_text(encoding="utf-8"))
    config["stages"][STAGE]["questions"][QUESTION]["points"] += 1
    (root / "grading_config.yaml").write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")


def wrong_public_example(root, monkeypatch):
    path = root / "assignments" / STAGE / "public" / f"{QUESTION}.py"
    add_case(path, "wrong_example", "ask.requires(ask.expected(lambda reference: 1) == 2, 'returned_none', where='it')", root)
    return [f"the public case {STAGE}/{QUESTION}/wrong_example fails for the reference: CaseFailed: {QUESTION}: another"]


def public_case_that_breaks(root, monkeypatch):
    add_case(root / "assignments" / STAGE / "public" / f"{QUESTION}.py", "broken", "1 / 0", root)
    return [f"the public case {STAGE}/{QUESTION}/broken fails for the reference: ZeroDivisionError: division by zero"]


def public_case_that_changes(root, monkeypatch):
    """Right while its answers are recorded, wrong with the recorded answers."""
    path = root / "assignments" / STAGE / "public" / f"{QUESTION}.py"
    body = "x = np.random.random(); ask.requires(ask.expected(lambda reference: x) == x, 'returned_none', where='it')"
    add_case(path, "changing", body, root)
    edit(path, lambda text: text.replace("from otter.", "import numpy as np\nfrom otter.", 1))
    return [f"assignments/{STAGE}/public/{QUESTION}.py: the released case {STAGE}/{QUESTION}/changing fails for the reference:"]


def wrong_hidden_case(root, monkeypatch):
    path = root / "autograder" / "hidden" / STAGE / f"{QUESTION}.py"
    add_case(path, "wrong_hidden", "ask.requires(ask.expected(lambda reference: 1) == 2, 'returned_none', where='it')", root)
    return [f"the solved notebook fails {STAGE}/{QUESTION}/wrong_hidden", "FAILED"]


def hidden_case_that_breaks(root, monkeypatch):
    add_case(root / "autograder" / "hidden" / STAGE / f"{QUESTION}.py", "broken", "1 / 0", root)
    return ["ZeroDivisionError", "not graded", "FAILED"]


def leak_in_the_text(root, monkeypatch):
    hidden = (root / "autograder" / "hidden" / STAGE / f"{QUESTION}.py").read_text()
    edit(root / "assignments" / STAGE / f"notebook.{LANGUAGE}.md", lambda text: text + f"\n\n````\n{hidden}\n````\n")
    return [f"{NOTEBOOK}: contains the hidden case {QUESTION}/", "FAILED"]


def wrong_configuration(root, monkeypatch):
    edit(root / "grading_config.yaml", lambda text: text + "colour: red\n")
    return ["grading_config.yaml: colour: unknown key"]


def author_written_points(root, monkeypatch):
    edit(root / "autograder" / "hidden" / STAGE / f"{QUESTION}.py", lambda text: text + "\n\npoints = [1]\n")
    return [f"autograder/hidden/{STAGE}/{QUESTION}.py:",
            ": sets name, points or OK_FORMAT; the build writes them from grading_config.yaml"]


def example_that_breaks(root, monkeypatch):
    edit(root / "assignments" / STAGE / "examples.py", lambda text: text + "\n1 / 0\n")
    return [f"assignments/{STAGE}/examples.py: ZeroDivisionError: division by zero"]


def example_that_breaks_when_asked(root, monkeypatch):
    edit(root / "assignments" / STAGE / "examples.py",
         lambda text: re.sub(r"^(def examples\(.*\n)", r"\1    raise LookupError('no such word')\n", text, flags=re.MULTILINE))
    return [f"assignments/{STAGE}/examples.py: LookupError: no such word"]


def examples_that_are_no_python(root, monkeypatch):
    edit(root / "assignments" / STAGE / "examples.py", lambda text: text + "\nno python\n")
    return [f"assignments/{STAGE}/examples.py: SyntaxError: "]


def examples_of_another_name(root, monkeypatch):
    edit(root / "assignments" / STAGE / "examples.py", lambda text: text.replace("def examples(", "def exmaples("))
    return [f"assignments/{STAGE}/examples.py: KeyError: 'examples'"]


def examples_that_are_none(root, monkeypatch):
    edit(root / "assignments" / STAGE / "examples.py", lambda text: text + "\n\ndef examples(reference):\n    return None\n")
    return [f"assignments/{STAGE}/examples.py: TypeError: "]


def example_that_is_no_text(root, monkeypatch):
    edit(root / "assignments" / STAGE / "examples.py", lambda text: text.replace("def examples(", "def texts(")
         + "\n\ndef examples(reference):\n    return dict.fromkeys(texts(reference), 3)\n")
    return [f"assignments/{STAGE}/examples.py: ", ": a string is needed, found 3"]


def stubs_that_answer(root, monkeypatch):
    monkeypatch.setattr(notebooks, "stub", lambda source, name: f"def {name}(*arguments):\n    return None")
    return [f"the released notebook: {QUESTION} is none with 0 points", "FAILED"]


def other_points(root, monkeypatch):
    from autograder.release import build as build_module

    split = build_module.split_points
    monkeypatch.setattr(build_module, "split_points", lambda *args: [[p + 0.25 for p in part] for part in split(*args)])
    return [f"{STAGE}: {QUESTION}: the cases give", "FAILED"]


def other_bytes(root, monkeypatch):
    builds = []

    def unstable(course):
        builds.append(build(course))
        builds[-1].student[NOTEBOOK] += b"\n" * len(builds)
        return builds[-1]

    monkeypatch.setattr(release_module, "build", unstable)
    return [f"{NOTEBOOK}: a second build gave other bytes", "FAILED"]


@pytest.mark.parametrize("spoil", [
    wrong_public_example, public_case_that_breaks, public_case_that_changes, wrong_hidden_case, hidden_case_that_breaks,
    leak_in_the_text, wrong_configuration, author_written_points, example_that_breaks, example_that_breaks_when_asked,
    examples_that_are_no_python, examples_of_another_name, examples_that_are_none, example_that_is_no_text, stubs_that_answer,
    other_points, other_bytes])
def test_a_failed_proof_names_itself_and_leaves_the_old_release(spoilt, monkeypatch, spoil):
    root, out = spoilt
    before = files.read_tree(out)
    words = spoil(root, monkeypatch)
    edit(root / "assignments/requirements.txt", lambda text: text + "# changed\n")
    code, text = run(root, out)
    assert code == 1 and text.endswith("the old release is untouched"), text
    assert all(word in text for word in words) and "Traceback" not in text, text
    assert files.read_tree(out) == before and sorted(path.name for path in out.iterdir()) == ["dist", "student_release"]


def failing(function, at, error=None):
    calls = []

    def maybe(*args, **options):
        calls.append(args)
        if len(calls) == at:
            raise error or OSError("the disk is full")
        return function(*args, **options)
    return maybe


OLD, NEW = {"a.txt": b"old", "b/c.txt": b"old"}, {"a.txt": b"new", "b/d.txt": b"new", "e.txt": b"new"}


@pytest.mark.parametrize(("where", "name", "at"), [
    (Path, "write_bytes", 1), (Path, "write_bytes", 2), (Path, "write_bytes", 3), (Path, "mkdir", 2),
    (os, "rename", 1), (os, "rename", 2)])
def test_an_interrupted_write_leaves_the_old_tree(tmp_path, monkeypatch, where, name, at):
    folder = tmp_path / "tree"
    files.replace_tree(folder, OLD)
    with monkeypatch.context() as patch:
        patch.setattr(where, name, failing(getattr(where, name), at))
        with pytest.raises(OSError, match="disk is full"):
            files.replace_tree(folder, NEW)
    assert folder.is_dir() and files.read_tree(folder) == OLD
    files.replace_tree(folder, NEW)
    assert files.read_tree(folder) == NEW and [path.name for path in tmp_path.iterdir()] == ["tree"]


def test_a_tree_is_replaced_whole(tmp_path):
    for content in ({}, OLD, NEW, {}, {}, OLD):
        files.replace_tree(tmp_path / "tree", content)
        assert (tmp_path / "tree").is_dir() and files.read_tree(tmp_path / "tree") == content
        assert [path.name for path in tmp_path.iterdir()] == ["tree"]


@pytest.mark.parametrize(("old", "new"), [(OLD, NEW), (OLD, {}), ({}, NEW), ({}, {})])
def test_a_tree_that_cannot_be_swapped_in_gives_way_to_the_old_one(tmp_path, monkeypatch, old, new):
    folder = tmp_path / "tree"
    files.replace_tree(folder, old)
    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", failing(os.rename, 2))
        with pytest.raises(OSError, match="disk is full"):
            files.replace_tree(folder, new)
    assert folder.is_dir() and files.read_tree(folder) == old and not folder.with_name("tree.old").exists()


def test_a_first_tree_that_cannot_be_swapped_in_leaves_none(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", failing(os.rename, 1))
        with pytest.raises(OSError, match="disk is full"):
            files.replace_tree(tmp_path / "tree", NEW)
    assert not (tmp_path / "tree").exists() and not (tmp_path / "tree.old").exists()
    files.replace_tree(tmp_path / "tree", NEW)
    assert files.read_tree(tmp_path / "tree") == NEW and [path.name for path in tmp_path.iterdir()] == ["tree"]


@pytest.mark.parametrize("old", [OLD, {}])
def test_a_tree_that_a_stopped_run_left_aside_is_recovered(tmp_path, monkeypatch, old):
    folder = tmp_path / "tree"
    files.replace_tree(folder, old)
    with monkeypatch.context() as patch:  # stopped between the two renames: nothing there is caught
        patch.setattr(os, "rename", failing(os.rename, 2, KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            files.replace_tree(folder, NEW)
    assert not folder.exists() and files.read_tree(tmp_path / "tree.old") == old
    with monkeypatch.context() as patch:  # the next run fails as well, before it has anything to put there
        patch.setattr(Path, "write_bytes", failing(Path.write_bytes, 2))
        with pytest.raises(OSError, match="disk is full"):
            files.replace_tree(folder, NEW)
    assert folder.is_dir() and files.read_tree(folder) == old
    files.replace_tree(folder, NEW)
    assert files.read_tree(folder) == NEW and [path.name for path in tmp_path.iterdir()] == ["tree"]


def test_what_stopped_runs_left_beside_a_whole_tree_is_swept(tmp_path):
    folder = tmp_path / "tree"
    for name in ("tree", "tree.old", "tree.new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.txt").write_text(name)
    files.replace_tree(folder, NEW)
    assert files.read_tree(folder) == NEW and [path.name for path in tmp_path.iterdir()] == ["tree"]


def test_a_release_interrupted_between_its_two_folders_is_repaired(spoilt, monkeypatch):
    root, out = spoilt
    monkeypatch.setattr(release_module, "prove", lambda *builds: ([], []))
    edit(root / "assignments/requirements.txt", lambda text: text + "# changed\n")
    with monkeypatch.context() as patch:
        patch.setattr(release_module, "replace_tree", failing(files.replace_tree, 2))
        with pytest.raises(OSError, match="disk is full"):
            run(root, out)
    assert run(root, out)[0] == 0
    tree = files.read_tree(out)
    assert tree[f"student_release/{FOLDER}/requirements.txt"].endswith(b"# changed\n")
    with zipfile.ZipFile(out / "dist" / "student" / f"{FOLDER}.zip") as archive:
        assert archive.read(f"{STAGE}/requirements.txt") == tree[f"student_release/{FOLDER}/requirements.txt"]


def test_an_interrupted_file_stays_whole(tmp_path, monkeypatch):
    path = tmp_path / "deep" / "result.json"
    files.write_atomically(path, b"old")
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", failing(os.replace, 1))
        with pytest.raises(OSError, match="disk is full"):
            files.write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    files.write_atomically(path, b"new")
    assert path.read_bytes() == b"new" and [item.name for item in path.parent.iterdir()] == ["result.json"]
