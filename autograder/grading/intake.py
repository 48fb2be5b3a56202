"""Finds and reads the notebook in whatever was submitted. Nothing of a submission is executed or trusted here."""

import hashlib
import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

MAX_FILE = 64 * 2**20
IGNORED_PARTS = {"__MACOSX", ".ipynb_checkpoints"}


class Unreadable(Exception):
    """The submission holds no notebook that can be read; `key` names the text, `fields` fill it."""

    def __init__(self, key, **fields):
        super().__init__(key)
        self.key = key
        self.fields = fields


@dataclass
class Submission:
    """A submitted notebook: `file` is its base name, `sha256` of its bytes, `cells` [(number, source)] of code cells."""

    file: str
    sha256: str
    cells: list


def find_submissions(path):
    """The submissions below a path: itself if it is a file, else one per notebook, zip or folder directly inside."""
    path = Path(path)
    if path.is_file():
        return [path]
    inside = sorted(item for item in path.iterdir() if item.name not in IGNORED_PARTS and not item.name.startswith("."))
    if any(item.suffix == ".ipynb" for item in inside if item.is_file()):
        return [item for item in inside if item.is_file() and item.suffix in (".ipynb", ".zip")]
    return [item for item in inside if item.is_dir() or item.suffix in (".ipynb", ".zip")] or [path]


def read_submission(path, question_names):
    """Read the notebook of one submission (a notebook, a zip, or a folder). Raises Unreadable.

    Of several notebooks the one that defines most of the stage's functions is taken.
    """
    path = Path(path)
    candidates = list(_notebooks(path))
    if not candidates:
        raise Unreadable("no_notebook", found=_listing(path))
    best, error = None, None
    for name, data in candidates:
        try:
            cells = _cells(name, data)
        except Unreadable as problem:
            error = error or problem
            continue
        score = sum(f"def {question}" in source for question in question_names for _, source in cells)
        if best is None or score > best[0]:
            best = score, Submission(file=name, sha256=hashlib.sha256(data).hexdigest(), cells=cells)
    if best is None:
        raise error
    return best[1]


def _notebooks(path):
    """(base name, bytes) of every notebook in a file, folder or zip."""
    if path.is_dir():
        for item in sorted(path.rglob("*")):
            if item.is_file() and not item.is_symlink() and not IGNORED_PARTS & set(item.parts):
                yield from _notebooks(item)
    elif path.stat().st_size > MAX_FILE:
        raise Unreadable("not_read", file=path.name, reason=f"it is larger than {MAX_FILE // 2**20} MB")
    elif path.suffix == ".zip":
        yield from _notebooks_in_zip(path.name, path.read_bytes())
    elif path.suffix == ".ipynb":
        yield path.name, path.read_bytes()


def _notebooks_in_zip(name, data):
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist()[:1000]:
                inner = PurePosixPath(entry.filename)
                if inner.suffix == ".ipynb" and not IGNORED_PARTS & set(inner.parts) and entry.file_size <= MAX_FILE:
                    with archive.open(entry) as file:
                        yield inner.name, file.read(MAX_FILE + 1)
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, EOFError) as error:
        raise Unreadable("not_read", file=name, reason=f"the zip is damaged ({error})") from None


def _cells(name, data):
    import nbformat

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if not text.strip():
        raise Unreadable("not_read", file=name, reason="the file is empty")
    try:
        json.loads(text)
        notebook = nbformat.reads(text, as_version=4)
        cells = [(number, cell.source) for number, cell in enumerate(notebook.cells, 1) if cell.cell_type == "code"]
    except json.JSONDecodeError as error:
        raise Unreadable("not_read", file=name, reason=f"the file is damaged at line {error.lineno}") from None
    except Exception as error:  # whatever a broken file makes the library raise, the batch goes on
        raise Unreadable("not_read", file=name, reason=f"{type(error).__name__}: {str(error)[:100]}") from None
    if not all(isinstance(source, str) for _, source in cells):
        raise Unreadable("not_read", file=name, reason="a cell without text")
    return cells


def _listing(path):
    names = [item.name for item in sorted(path.iterdir())] if path.is_dir() else [path.name]
    return ", ".join(names[:8]) or "nothing"
