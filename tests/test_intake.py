"""Whatever is handed in becomes a notebook to grade or one sentence that says why not, and the batch goes on."""

import csv
import io
import json
import os
import random
import re
import stat
import struct
import zipfile
from pathlib import Path

import nbformat
import pytest
import yaml
from conftest import ROOT, SECRETS
from hypothesis import example, given, settings
from hypothesis import strategies as st

from autograder.grading import batch, intake
from autograder.grading.batch import grade_batch, with_ids
from autograder.grading.intake import Source, find_submissions, read_submission
from autograder.grading.notebook import Unreadable, submissions_in
from autograder.isolation import messages

STAGE = "stage1_recurrence"
QUESTIONS = ["elman_step", "softmax"]
STEP, STUB = "def elman_step(x):\n    return x", "def elman_step(x):\n    raise NotImplementedError"
SOFTMAX = "def softmax(logits):\n    return logits"
TEXTS = yaml.safe_load((ROOT / "assignments/messages.en.yaml").read_text(encoding="utf-8"))["grader"]


def notebook(*cells, **fields):
    """A notebook's bytes: code cells from strings, others from (type, source)."""
    made = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": [], "execution_count": None}
            if isinstance(cell, str) else {"cell_type": cell[0], "source": cell[1], "metadata": {}} for cell in cells]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **fields}, ensure_ascii=False).encode()


def old_notebook(version, *cells):
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Title"), *map(nbformat.v4.new_code_cell, cells)])
    made = nbformat.convert(made, 3)
    if version == 3:
        return nbformat.writes(made, version=3).encode()
    made.nbformat = version
    return json.dumps(made).encode()


def zipped(files, method=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def nested(depth, data):
    for _ in range(depth):
        data = zipped({"hw.ipynb" if data[:2] != b"PK" else "inner.zip": data})
    return data


def link_entry(name, target):
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return zipped({entry: target})


def patched(data, central, local, value, size="<H"):
    """A zip with one field of its first entry overwritten, in the central directory and in the local header."""
    data = bytearray(data)
    for signature, offset in ((b"PK\1\2", central), (b"PK\3\4", local)):
        struct.pack_into(size, data, data.index(signature) + offset, value)
    return bytes(data)


def put(folder, files):
    """Write {relative name: bytes} below a folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def read(folder, files, questions=QUESTIONS):
    """What is read from one file, or from a folder if there are several."""
    put(folder, files)
    return read_submission(folder / next(iter(files)) if len(files) == 1 else folder, questions)


def sources(submission):
    return [source for _, source in submission.cells]


# --- one file ---------------------------------------------------------------------------------------------------------


GOOD = notebook(STEP, SOFTMAX)


@pytest.mark.parametrize(("name", "data"), [
    *((name, GOOD) for name in [
        "hw.ipynb", "HW.IPYNB", "hw.ipynb.txt", "hw.ipynb.json", "hw.json", "hw.txt", "hw", "hw.ipynb (1)", "hw (1).ipynb",
        "hw.zip", ".ipynb", "my home work.ipynb", "a+b(c)[d]*?^$.ipynb", "{0} {file} %s %d.ipynb", "作业 é ü.ipynb",
        "hw.ipynb.crdownload", "Jane v1.2", "=1+1.ipynb", "-rf.ipynb", "x" * 240 + ".ipynb"]),
    ("bom.ipynb", b"\xef\xbb\xbf" + GOOD),
    ("crlf.ipynb", json.dumps(json.loads(GOOD), indent=1).replace("\n", "\r\n").encode()),
    ("crlf_in_cells.ipynb", notebook(STEP.replace("\n", "\r\n"), SOFTMAX.replace("\n", "\r"))),
    ("utf16.ipynb", GOOD.decode().encode("utf-16")),
    ("latin1.ipynb", notebook(("markdown", "café"), STEP, SOFTMAX).decode().encode("latin-1")),
    ("v3.ipynb", old_notebook(3, STEP, SOFTMAX)),
    ("v2.ipynb", old_notebook(2, STEP, SOFTMAX)),
    ("future.ipynb", notebook(STEP, SOFTMAX, nbformat=5, nbformat_minor=9)),
    ("text_version.ipynb", notebook(STEP, SOFTMAX, nbformat="4")),
    ("bare.ipynb", json.dumps({"cells": [{"cell_type": "code", "source": STEP.splitlines(keepends=True)},
                                         {"cell_type": "code", "source": SOFTMAX}]}).encode()),
    ("kernel.ipynb", notebook(STEP, SOFTMAX, metadata={"kernelspec": {"name": "my-env", "display_name": "Déjà"}})),
    ("bad_metadata.ipynb", notebook(STEP, SOFTMAX, metadata=["no", {"dict": 1}])),
    ("zip_named.ipynb", zipped({"hw.ipynb": GOOD})),
])
def test_odd_names_and_forms_are_read(tmp_path, name, data):
    submission = read(tmp_path, {name: data})
    assert sources(submission) == [STEP, SOFTMAX] and submission.notes == []


@pytest.mark.parametrize(("name", "data", "key", "words"), [
    ("hw.ipynb", b"", "empty", "hw.ipynb cannot be read as a notebook, because the file is empty"),
    ("hw.ipynb", b" \r\n\0\0", "empty", "the file is empty"),
    ("hw.ipynb", GOOD[:-40], "cut_off", "its end is missing"),
    ("hw.ipynb", GOOD.replace(b'"cells"', b'"cells'), "damaged", "damaged at line 1: download it again"),
    ("hw.json", GOOD.replace(b'"cell_type"', b"cell_type"), "damaged", "hw.json"),
    ("hw.ipynb", b'{\n<<<<<<< HEAD\n "cells": []\n=======\n>>>>>>> x\n}', "conflict", "marks of a merge"),
    ("hw.ipynb", b"<!DOCTYPE html>\n<html></html>", "web_page", "looks like a web page"),
    ("hw.ipynb", b"[1, 2]", "not_a_notebook", "does not hold a list of cells"),
    ("hw.ipynb", b"{}", "not_a_notebook", "does not hold a list of cells"),
    ("hw.ipynb", b'{"cells": {"cell_type": 1}}', "not_a_notebook", "does not hold"),
    ("hw.ipynb", b'{"cells": [{"cell_type": "code", "source": 3}]}', "not_a_notebook", "does not hold"),
    ("hw.ipynb", b'{"cells": [1]}', "not_a_notebook", "does not hold"),
    ("hw.ipynb", b'{"worksheets": [{}]}', "not_a_notebook", "does not hold"),
    ("hw.ipynb", b"[" * 100_000, "not_a_notebook", "does not hold"),
    ("hw.ipynb", b'{"cells": ' + b"[" * 500 + b"]" * 500 + b"}", "not_a_notebook", "does not hold"),
    ("hw.ipynb", b'{"cells": [' + b"1," * 3_000_000 + b"1]}", "too_large", "clear the outputs"),
    ("hw.ipynb", notebook(*["x"] * 8001), "too_many_cells", "more than 8000 cells"),
    ("hw.ipynb", notebook(*["é" * 150_000] * 6), "too_much_code", "more than 900 kB of code"),
    ("essay.docx", b"PK\3\4 word", "no_notebook", "Found: essay.docx"),
    ("hw.pdf", b"%PDF", "no_notebook", "Found: hw.pdf"),
    ("hw.txt", b"my answer", "no_notebook", "Found: hw.txt"),
    ("helpers.py", b"def other():\n    pass", "no_notebook", "Found: helpers.py"),
    ("elman_step.ipynb", b"def elman_step(x):\n    return x", "cut_off", "download it again"),
    ("bad\u202e\nname.ipynb", b"", "empty", "bad??name.ipynb"),
    (os.fsdecode(b"caf\xe9.ipynb"), b"", "empty", "caf?.ipynb"),
])
def test_what_cannot_be_read_says_why_in_one_sentence(tmp_path, name, data, key, words):
    with pytest.raises(Unreadable) as caught:
        read(tmp_path, {name: data})
    sentence = TEXTS[caught.value.key].format(**caught.value.fields)
    assert caught.value.key == key and words in sentence
    assert len(sentence.encode()) < 300 and "\n" not in sentence and not re.search(r"Error|Exception|Traceback|None", sentence)


def test_a_file_larger_than_the_limit_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(intake, "MAX_FILE", len(GOOD))
    assert sources(read(tmp_path, {"hw.ipynb": GOOD})) == [STEP, SOFTMAX]
    with pytest.raises(Unreadable, match="too_large"):
        read(tmp_path, {"hw.ipynb": GOOD + b" "})


def test_twenty_megabytes_of_outputs_are_fine(tmp_path):
    picture = {"output_type": "display_data", "metadata": {}, "data": {"image/png": "A" * 20_000_000}}
    cell = {"cell_type": "code", "source": STEP, "metadata": {}, "outputs": [picture], "execution_count": 1}
    assert sources(read(tmp_path, {"hw.ipynb": json.dumps({"cells": [cell]}).encode()})) == [STEP]


def test_a_python_file_is_one_cell(tmp_path):
    submission = read(tmp_path, {"hw.py": f"# %%\n{STEP}\n# %%\n{SOFTMAX}\n".replace("\n", "\r\n").encode()})
    assert submission.cells == [(1, f"# %%\n{STEP}\n# %%\n{SOFTMAX}\n")]
    assert submission.notes == [("python_file", {"file": "hw.py"})]


# --- cells ------------------------------------------------------------------------------------------------------------


MARKS = f"<<<<<<< HEAD\n{STEP}\n=======\n{STUB}\n>>>>>>> main"


@pytest.mark.parametrize(("cells", "numbers", "notes"), [
    ([STEP, ("markdown", SOFTMAX)], [1], [("cell_not_code", 2, "softmax")]),
    ([STEP, ("raw", f"```python\n{SOFTMAX}\n```")], [1], [("cell_not_code", 2, "softmax")]),
    ([STEP, SOFTMAX, ("markdown", SOFTMAX)], [1, 2], []),
    ([STEP, ("markdown", "Write `def softmax(logits)`.")], [1], []),
    ([MARKS, SOFTMAX], [2], [("cell_conflict", 1, None)]),
    (["x = '''\n=======\n'''\n1 << 3 >> 2", "# <<<<<<< my favourite\n# >>>>>>>"], [1, 2], []),
    (["x = '" + "y" * 200_000 + "'", STEP], [2], [("cell_too_long", 1, None)]),
    ([STEP, STUB], [1, 2], [("stub_again", 1, "elman_step")]),
    ([STUB, STEP], [1, 2], []),
    ([STEP, STEP.replace("return x", "return -x")], [1, 2], []),
    ([STUB, STUB], [1, 2], []),
])
def test_cells_that_cannot_count_are_named(cells, numbers, notes):
    [submission] = submissions_in("hw.ipynb", notebook(*cells), set(QUESTIONS))
    assert [number for number, _ in submission.cells] == numbers
    assert [(key, fields["number"], fields.get("function")) for key, fields in submission.notes] == notes
    assert all(TEXTS[key].format(**fields) for key, fields in submission.notes)


def test_halves_of_characters_in_a_cell_can_be_encoded():
    [submission] = submissions_in("hw.ipynb", rb'{"cells": [{"cell_type": "code", "source": "x = \"\ud83d\""}]}', set())
    assert sources(submission) == ['x = "?"']


def test_the_most_code_that_is_read_fits_into_a_message():
    for cells in (["x = 1"] * 8000, ["é" * 148_000, "a"], ["é" * 149_000, "a" * 5_000]):
        [submission] = submissions_in("hw.ipynb", notebook(*cells), set())
        request = [{"index": number, "source": source, "seconds": 10.5} for number, source in submission.cells]
        frame = messages.pack({"cells": request})
        assert len(frame) < 2**20
        assert messages.unpack(frame[messages.HEADER.size:], b"")["cells"] == request
    with pytest.raises(Unreadable, match="too_much_code"):
        submissions_in("hw.ipynb", notebook(*["x" * 98] * 8000), set())


@pytest.mark.parametrize("source", [
    " " * 10**6, "a" * 10**6, "\n" * 10**6, "def " * 10**5, "<<<<<<<\n=======\n" * 10**5, "a\t" * 10**5])
def test_no_text_makes_the_reading_slow(source):
    """Each takes some hundredths of a second; a pattern that backtracks would take minutes."""
    submissions_in("hw.ipynb", notebook(("markdown", source), source[:200_000]), set(QUESTIONS))
    submissions_in("hw.py", source[:400_000].encode(), set(QUESTIONS))


# --- several files ----------------------------------------------------------------------------------------------------


FULL, HALF, PRISTINE, OTHER = notebook(STEP, SOFTMAX), notebook(STEP), notebook(STUB), notebook("x = 1")


@pytest.mark.parametrize(("files", "picked", "others"), [
    ({"a.ipynb": HALF, "b.ipynb": FULL}, "b.ipynb", "a.ipynb"),
    ({"a.ipynb": PRISTINE, "b.ipynb": HALF}, "b.ipynb", "a.ipynb"),
    ({"a.ipynb": OTHER, "b.ipynb": PRISTINE}, "b.ipynb", "a.ipynb"),
    ({"a.ipynb": HALF, "b.ipynb": HALF}, "a.ipynb", "b.ipynb"),
    ({"a/hw.ipynb": HALF, "b/hw.ipynb": FULL}, "hw.ipynb", "a/hw.ipynb"),
    ({"a-checkpoint.ipynb": HALF, "b.ipynb": HALF}, "b.ipynb", "a-checkpoint.ipynb"),
    ({"a.ipynb": b"{", "b.ipynb": HALF}, "b.ipynb", "a.ipynb"),
    ({"a/hw.py": STEP.encode(), "b/hw.ipynb": HALF}, "hw.ipynb", "a/hw.py"),
    ({"a.py": f"{STEP}\n{SOFTMAX}".encode(), "b.ipynb": HALF}, "a.py", "b.ipynb"),
    ({"a.zip": zipped({"x/hw.ipynb": FULL}), "b.ipynb": HALF}, "hw.ipynb", "b.ipynb"),
    # nothing to choose from: by-products, packages and data do not count
    ({"hw.ipynb": HALF, "__MACOSX/hw.ipynb": FULL, "._hw.ipynb": FULL, ".ipynb_checkpoints/hw.ipynb": FULL}, "hw.ipynb", ""),
    ({"otter/__init__.py": b"1/0", "numpy/__init__.py": b"1/0", "tests/elman_step.py": b"def test(): pass", "hw.ipynb": HALF,
      ".OTTER_LOG": b"cos\nsystem", "reference.py": b"raise SystemExit"}, "hw.ipynb", ""),
    ({"hw.ipynb": HALF, "data.json": b'{"x": [1', "notes.txt": b"{", "plot.png": b"PNG", "big.zip": b"no zip"}, "hw.ipynb", ""),
    ({".ipynb": HALF, ".hidden.ipynb": FULL}, ".ipynb", ""),
    ({"folder/in/folder/hw.ipynb": HALF, "folder/hw.html": b"<html>"}, "hw.ipynb", ""),
])
@pytest.mark.parametrize("as_zip", [False, True])
def test_the_notebook_that_defines_most_is_taken(tmp_path, files, picked, others, as_zip):
    submission = read(tmp_path, {"all.zip": zipped(files)} if as_zip else files)
    assert submission.file == picked
    notes = [fields for key, fields in submission.notes if key == "other_files"]
    assert [fields["others"] for fields in notes] == ([others] if others else [])
    assert all(fields["file"].endswith(picked) for fields in notes)


def test_a_damaged_notebook_beside_an_unrelated_one_is_not_a_zero(tmp_path):
    with pytest.raises(Unreadable, match="cut_off"):
        read(tmp_path, {"hw.ipynb": FULL[:-9], "scratch.ipynb": OTHER})


def test_the_reason_is_that_of_the_notebook(tmp_path):
    with pytest.raises(Unreadable, match="empty"):
        read(tmp_path, {"a/data.json": b'{"cells": ', "b/hw.ipynb": b""})


def test_links_in_a_folder_are_not_followed(tmp_path):
    put(tmp_path, {"secret/hw.ipynb": FULL, "work/readme.md": b""})
    (tmp_path / "work/hw.ipynb").symlink_to(tmp_path / "secret/hw.ipynb")
    (tmp_path / "work/folder").symlink_to(tmp_path / "secret")
    (tmp_path / "work/loop").symlink_to(tmp_path / "work")
    os.mkfifo(tmp_path / "work/pipe.ipynb")
    with pytest.raises(Unreadable) as caught:
        read_submission(tmp_path / "work", QUESTIONS)
    assert (caught.value.key, caught.value.fields) == ("link", {"file": "hw.ipynb"})
    (tmp_path / "jane").symlink_to(tmp_path / "secret")
    with pytest.raises(Unreadable, match="link"):
        read_submission(Source(tmp_path / "jane"), QUESTIONS)


# --- zips -------------------------------------------------------------------------------------------------------------


ONE = zipped({"hw.ipynb": FULL})


@pytest.mark.parametrize("data", [
    zipped({"../../../etc/hw.ipynb": FULL}), zipped({"/etc/hw.ipynb": FULL}), zipped({"C:\\x\\..\\hw.ipynb": FULL}),
    zipped({"./hw.ipynb": FULL}), zipped({"a/" * 2000 + "hw.ipynb": FULL}), nested(3, FULL),
    zipped({"hw.ipynb": FULL, "deep.zip": nested(3, FULL)}), zipped({"a.zip": ONE[:-30], "hw.ipynb": FULL}),
    zipped({"hw.ipynb": FULL}, zipfile.ZIP_STORED),
])
def test_strange_zips_are_read_in_memory(tmp_path, data):
    submission = read(tmp_path, {"work/hw.zip": data})
    assert (submission.file, sources(submission)) == ("hw.ipynb", [STEP, SOFTMAX])
    assert [path.name for path in tmp_path.rglob("*")] == ["work", "hw.zip"]


@pytest.mark.parametrize(("data", "key"), [
    (b"", "zip_damaged"), (b"no zip at all", "zip_damaged"), (ONE[:-30], "zip_damaged"), (ONE[len(ONE) // 2:], "zip_damaged"),
    (ONE.replace(b"PK\3\4", b"PK\3\5"), "zip_damaged"), (zipped({}), "no_notebook"),
    (patched(ONE, 8, 6, 1), "zip_password"),
    (patched(ONE, 10, 8, 99), "zip_compression"), (zipped({"hw.ipynb": FULL}, zipfile.ZIP_LZMA), "zip_compression"),
    (zipped({"hw.ipynb": FULL}, zipfile.ZIP_BZIP2), "zip_compression"),
    (patched(ONE, 24, 22, 2**32 - 2, "<I"), "too_large"),
    (patched(ONE, 24, 22, 10, "<I"), "zip_damaged"),  # holds more than it claims
    (patched(ONE, 6, 4, 255), "zip_damaged"),  # needs a later version
    (patched(zipped({"hwé.ipynb": FULL}), 46, 30, 0xFFFF), "zip_damaged"),  # a name that is no UTF-8
    (zipped({"bomb.ipynb": b" " * (2**25 + 1)}), "too_large"),
    (zipped({"n" * 60_000 + ".ipynb": b""}), "empty"), (nested(4, FULL), "zip_too_deep"), (nested(30, FULL), "zip_too_deep"),
    (link_entry("hw.ipynb", "/etc/passwd"), "link"), (link_entry("hw.ipynb", FULL), "link"),
])
def test_hostile_zips_end_in_a_sentence(tmp_path, data, key):
    with pytest.raises(Unreadable) as caught:
        read(tmp_path, {"hw.zip": data})
    assert caught.value.key == key and len(TEXTS[key].format(**caught.value.fields)) < 300


def test_many_entries_are_refused_before_they_are_listed(tmp_path, monkeypatch):
    monkeypatch.setattr(intake, "MAX_ENTRIES", 100)
    assert read(tmp_path, {"hw.zip": zipped({"hw.ipynb": FULL, **{f"{i}.png": b"" for i in range(90)}})}).file == "hw.ipynb"
    data = zipped({"hw.ipynb": FULL, **{f"{i}.png": b"" for i in range(100)}})
    monkeypatch.setattr(intake.zipfile, "ZipFile", None)
    with pytest.raises(Unreadable, match="too_many_files"):
        read(tmp_path, {"hw.zip": data})
    with pytest.raises(Unreadable, match="too_many_files"):
        read(tmp_path / "folder", {f"{i:03}/x.txt": b"" for i in range(100)} | {"x/hw.ipynb": FULL})


def test_notebooks_are_read_before_the_budget_is_spent_on_others(tmp_path, monkeypatch):
    monkeypatch.setattr(intake, "MAX_TOTAL", 4 * len(FULL))
    data = {f"{i}.txt": b"0" * len(FULL) for i in range(9)} | {"x.ipynb": FULL}
    assert read(tmp_path / "folder", data).file == read(tmp_path / "zip", {"hw.zip": zipped(data)}).file == "x.ipynb"


def test_all_zips_of_a_submission_share_one_budget(tmp_path, monkeypatch):
    part = zipped({f"{i}.txt": b"0" * 1000 for i in range(10)})
    data = zipped({f"{i}.zip": part for i in range(10)} | {"z/hw.ipynb.zip": ONE})
    taken = []
    monkeypatch.setattr(intake, "submissions_in", lambda name, data, questions: taken.append(len(data)) or [])
    monkeypatch.setattr(intake, "MAX_TOTAL", 40_000)
    with pytest.raises(Unreadable, match="too_large"):
        read(tmp_path, {"hw.zip": data})
    assert 20_000 < sum(taken) <= 40_000
    taken.clear()
    monkeypatch.setattr(intake, "MAX_ENTRIES", 40)
    with pytest.raises(Unreadable, match="too_many_files"):
        read(tmp_path, {"hw.zip": data})
    assert len(taken) < 40


@pytest.fixture(scope="session")
def scratch(tmp_path_factory):
    return tmp_path_factory.mktemp("scratch")


@given(data=st.binary(max_size=300), name=st.sampled_from(["a.ipynb", "a.zip", "a.json", "a.py", "a"]))
@example(data=b"\xff\xfe0", name="a.ipynb")
@settings(max_examples=300, deadline=None)
def test_random_bytes_raise_nothing_but_unreadable(scratch, data, name):
    try:
        read(scratch, {name: data})
    except Unreadable as problem:
        assert TEXTS[problem.key].format(**problem.fields)


@given(seed=st.integers(0, 2**32), base=st.sampled_from([ONE, nested(3, FULL), FULL, old_notebook(3, STEP),
                                                         zipped({"é.ipynb": HALF}, zipfile.ZIP_STORED)]))
@settings(max_examples=500, deadline=None)
def test_damaged_bytes_raise_nothing_but_unreadable(scratch, seed, base):
    chance, data = random.Random(seed), bytearray(base)
    for _ in range(chance.randint(1, 6)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    try:
        read(scratch, {"a.zip" if base[:2] == b"PK" else "a.ipynb": bytes(data[:chance.choice([None, len(data) // 2])])})
    except Unreadable as problem:
        assert TEXTS[problem.key].format(**problem.fields)


keys = st.sampled_from(["cells", "worksheets", "cell_type", "source", "input", "metadata", "nbformat"])
leaves = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4), max_leaves=12)


@given(values)
@settings(max_examples=300, deadline=None)
def test_random_json_raises_nothing_but_unreadable(value):
    try:
        [submission] = submissions_in("a.ipynb", json.dumps(value).encode(), set(QUESTIONS))
        assert all(isinstance(source, str) for source in sources(submission))
    except Unreadable:
        pass


# --- batches ----------------------------------------------------------------------------------------------------------


EXPORT = {"assignment_1_export/submission_metadata.yml": b":x: 1", "assignment_1_export/submission_7/hw.ipynb": FULL,
          "assignment_1_export/submission_7/tests/x.py": b"", "assignment_1_export/submission_77/hw.ipynb": HALF,
          "assignment_1_export/submission_8/essay.pdf": b"", "__MACOSX/assignment_1_export/._x": b""}
CANVAS = {"doejane_12_345_home work.ipynb": FULL, "roe_LATE_13_346_hw-2.ipynb": HALF, "poe_14_347_essay.docx": b"",
          "zoe_15_348_hw.zip": zipped({"in/hw.ipynb": FULL}),
          "roe_LATE_13_346_hw-2.ipynb.txt": FULL}


def outcomes(found):
    """id -> the number of cells read, or the key of the reason."""
    result = {}
    for submission_id, source in with_ids(found):
        try:
            result[submission_id] = len(read_submission(source, QUESTIONS).cells)
        except Unreadable as problem:
            result[submission_id] = problem.key
    return result


@pytest.mark.parametrize(("files", "expected"), [
    (EXPORT, {"submission_7": 2, "submission_77": 1, "submission_8": "no_notebook"}),
    (CANVAS, {"doejane_12_345_home_work": 2, "roe_LATE_13_346_hw-2": 1, "poe_14_347_essay_docx": "no_notebook",
              "roe_LATE_13_346_hw-2-2": 2, "zoe_15_348_hw": 2}),
])
def test_platform_exports_as_folder_and_as_zip(tmp_path, files, expected):
    put(tmp_path / "unpacked", files)
    put(tmp_path, {"export.zip": zipped(files)})
    assert outcomes(find_submissions(tmp_path / "unpacked")) == expected
    if files is EXPORT:
        assert outcomes(find_submissions(tmp_path / "unpacked/assignment_1_export")) == expected
    assert outcomes(find_submissions(tmp_path / "export.zip", alone=True)) == expected


def test_a_learners_zip_makes_no_rows_for_others(tmp_path):
    put(tmp_path, {"all/jane.zip": zipped(EXPORT), "all/john.ipynb": HALF})
    assert outcomes(find_submissions(tmp_path / "all", alone=True)) == {"jane": 2, "john": 1}
    assert outcomes(find_submissions(tmp_path / "all/jane.zip")) == {"jane": 2}


def test_a_folder_of_submissions_misses_nobody(tmp_path):
    files = {"anna.ipynb": FULL, "bob.ipynb.txt": HALF, "cy.json": HALF, "dan.py": STEP.encode(), "eve.zip": ONE,
             "fay/x/hw.ipynb": FULL, "gus.docx": b"", "jane.doe/hw.ipynb": HALF, "jane.smith/hw.ipynb": FULL,
             "otter/hw.ipynb": HALF, "tests/hw.ipynb": HALF, ".DS_Store": b"", "__MACOSX/._anna.ipynb": b""}
    put(tmp_path, files)
    (tmp_path / "hal.ipynb").symlink_to(tmp_path / "anna.ipynb")
    assert outcomes(find_submissions(tmp_path)) == {
        "anna": 2, "bob": 1, "cy": 1, "dan": 1, "eve": 2, "fay": 2, "gus_docx": "no_notebook", "hal": "link", "jane_doe": 1,
        "jane_smith": 2, "otter": 1, "tests": 1}


def test_a_learners_own_folder_is_one_submission(tmp_path):
    put(tmp_path / "own", {"hw.ipynb": FULL, "support.py": b"", "tests/elman_step.py": b"", "requirements.txt": b""})
    assert outcomes(find_submissions(tmp_path / "own")) == {"own": 2}
    (tmp_path / "empty").mkdir()
    assert outcomes(find_submissions(tmp_path / "empty")) == {"empty": "no_notebook"}


odd_names = st.sampled_from(["a", "A", "a-2", "a.ipynb", "ß", "SS", "é", "e\u0301", "..", "grades.csv"])


@given(st.lists(st.text(max_size=80) | odd_names, max_size=12))
@example(["a", "a", "a-2", "A-2"])
@example(["x" * 300, "x" * 300, "李" * 300])
@settings(max_examples=300, deadline=None)
def test_ids_are_unique_and_safe(names):
    ids = [submission_id for submission_id, _ in with_ids([Source(Path("/x", f"n{name}".replace("/", ":"))) for name in names])]
    ids += [submission_id for submission_id, _ in with_ids([Source(Path("/x"), name) for name in names])]
    for half in (ids[:len(names)], ids[len(names):]):
        assert len({submission_id.casefold() for submission_id in half}) == len(names)
        assert all(re.fullmatch(r"\w[\w-]*", submission_id) and len(submission_id.encode()) <= 250 for submission_id in half)


@pytest.mark.parametrize(("name", "expected"), [
    ("e\u0301lan.ipynb", "\u00e9lan"), ("jane.doe@x.edu.ipynb.txt", "jane_doe_x_edu"), ("-rf.ipynb", "rf"),
    ("HW 1 (2).IPYNB", "HW_1_2"), ("../../x.zip", "x"), (".ipynb", "submission"),
    ("\u674e\u96f7.ipynb", "\u674e\u96f7"), ("a/../b\\c.py", "b_c")])
def test_ids_are_made_of_names(name, expected):
    assert [submission_id for submission_id, _ in with_ids([Source(Path("/x"), name)])] == [expected]


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", " =1", "＝1+1", "a;=1+1", "a; @x"])
def test_a_formula_in_a_file_name_is_data(name):
    result = {"submission": {"id": "x", "file": name}, "status": "graded", "score": 1, "max_score": 2, "questions": {}}
    row = list(csv.reader(io.StringIO(batch._grades([result]).decode())))[1]
    assert row[1] != name and row[1].replace("'", "") == name.replace("'", "")
    for cell in row[1].split(";"):
        assert cell.lstrip()[0] not in "=+-@＝"
    result["submission"]["file"] = "ann-marie;a=b.ipynb"
    assert b"ann-marie;a=b.ipynb" in batch._grades([result])


def test_a_batch_of_odd_submissions_goes_on(bench, released, tmp_path):
    solved = nbformat.writes(bench.notebook(STAGE)).encode()
    cut = json.loads(solved)
    next(cell for cell in cut["cells"] if cell.get("id") == "stub-softmax")["cell_type"] = "markdown"
    conflicted = json.loads(solved)
    cell = next(cell for cell in conflicted["cells"] if cell.get("id") == "stub-lm_pairs")
    cell["source"] = ["<<<<<<< HEAD\n", *cell["source"], "\n=======\n", "pass\n", ">>>>>>> main\n"]
    stubs = [cell.source for cell in bench.notebook(STAGE).cells if cell.get("id", "").startswith("stub-")]
    python = "\n\n".join(["import numpy as np", *stubs])
    broken = b'{"cells": [{"cell_type": "code", "source": "\\ud800"}]}'
    folder = put(tmp_path / "in", {
        "=1+1.ipynb": solved, "grades.csv.ipynb": solved, "b.ipynb.txt": b"\xef\xbb\xbf" + solved,
        "c.zip": zipped({"x/hw.ipynb": solved}), "g.py": python.encode(), os.fsdecode(b"h\xff{0}.ipynb"): broken,
        "d.ipynb": json.dumps(cut).encode(), "e.ipynb": json.dumps(conflicted).encode(), "f.ipynb": solved[:-50],
        "i/otter/__init__.py": b"1/0", "i/hw.ipynb": solved, "j" * 240 + ".docx": b"",
        os.fsdecode(b"k\xff.ipynb"): b""})
    results = grade_batch(released / f"dist/{STAGE}.zip", [folder], tmp_path / "out", 1, SECRETS)
    rows = {row["submission"]: row for row in csv.DictReader(io.StringIO((tmp_path / "out/grades.csv").read_text()))}
    said = {result["submission"]["id"]: result["message"] for result in results}
    scores = {name: float(row["score"]) if row["status"] == "graded" else row["status"] for name, row in rows.items()}
    assert scores.pop("d") < 40 and "`softmax`, is not a code cell" in said["d"] and float(rows["d"]["softmax"]) == 0
    assert scores.pop("e") < 40 and "marks of a merge conflict" in said["e"] and float(rows["e"]["lm_pairs"]) == 0
    assert said["e"].count("\n") == 1  # one note, not a syntax error on top of it
    assert scores == {"1_1": 40, "grades_csv": 40, "b": 40, "c": 40, "f": "ungradable", "g": 40, "h_0": 0, "i": 40,
                      "j" * 60: "ungradable", "k": "ungradable"}
    assert rows["1_1"]["file"] == "'=1+1.ipynb" and "its end is missing" in said["f"]
    assert "is a Python file" in said["g"] and (rows["h_0"]["file"], rows["k"]["file"]) == ("h?{0}.ipynb", "k?.ipynb")
    for result in results:
        assert json.loads((tmp_path / "out" / result["submission"]["id"] / "result.json").read_text()) == result
