"""Finds the notebook in whatever was submitted: files, folders, zips. Nothing is unpacked to disk, executed or trusted here."""

import functools
import io
import os
import re
import stat
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.grading.notebook import Unreadable, printable, submissions_in

MAX_FILE = 32 * 2**20  # bytes of one notebook or inner zip
MAX_TOTAL = 128 * 2**20  # bytes read of one submission
MAX_ENTRIES = 50_000  # files of one submission, those in zips included
MAX_ZIP_DEPTH = 3
IGNORED = {"__MACOSX", "__pycache__", "site-packages", "node_modules", "Thumbs.db", "desktop.ini", "submission_metadata.yml"}
OTHER_TYPE = re.compile(r"\.(?!(ipynb|json|txt|py|zip)$)[a-z]\w{0,5}$", re.IGNORECASE)
EVIDENCE = re.compile(r"(^|_)evidence[^/]*\.ya?ml(\.txt)?$", re.IGNORECASE)
MAX_EVIDENCE = 2**20  # bytes that are read of it; more than it may have
EXPORT_FOLDER = re.compile(r"assignment_\d+_export")
GRADESCOPE = re.compile(r"assignment_\d+_export/(submission_\d+/|[^/]+$)")
CANVAS = re.compile(r"([^/]+?)(?:_LATE)?_(\d+)_\d+_[^/]+")


@dataclass(frozen=True)
class Source:
    """Where one submission lies: a file, a folder, or in a platform's zip the file or folder named `inside`.

    beside: the name of an evidence file that belongs to it, in the same folder or zip.
    """

    path: Path
    inside: str = ""
    beside: str = ""

    @property
    def name(self):
        """The base name as submitted."""
        return PurePosixPath(self.inside or self.path).name

    @property
    def evidence(self):
        """Where the evidence file beside it lies, or None."""
        if not self.beside:
            return None
        return Source(self.path, self.beside) if self.inside else Source(self.path.with_name(self.beside))


def find_submissions(path, alone=False):
    """The submissions at a path: a file is one; a folder holds one in each file and folder directly inside.

    A folder with the released support.py and tests/ is a learner's own, so one submission. alone: nothing else is graded with it;
    only then is a zip taken for a platform's export, because a learner's zip must not make rows for others.
    """
    path = Path(path).resolve()
    if path.is_file():
        parts = _export_parts(path) if alone else []
        return [Source(path, part, beside) for part, beside in _with_evidence(parts)] or [Source(path)]
    inside = sorted(item for item in path.iterdir() if not _ignored(item.name))
    if len(inside) == 1 and EXPORT_FOLDER.fullmatch(inside[0].name) and inside[0].is_dir() and not inside[0].is_symlink():
        return find_submissions(inside[0])
    if (path / "support.py").is_file() and (path / "tests").is_dir():
        return [Source(path)]
    names = _with_evidence([item.name for item in inside])
    return [Source(path / name, beside=beside) for name, beside in names] or [Source(path)]


def read_submission(source, question_names):
    """Read the notebook of one submission (a Source, or the path of a notebook, zip or folder). Raises Unreadable.

    Of several notebooks the one that defines most of the stage's functions is taken; stubs count least.
    """
    search, candidates = _Search(), []
    source = source if isinstance(source, Source) else Source(Path(source).resolve())
    for name, data in search.files(source):
        try:
            candidates += submissions_in(name, data, set(question_names))
        except Unreadable as problem:
            search.problems.append(problem)
    problems = sorted(search.problems, key=lambda problem: ".ipynb" not in problem.fields["file"].lower())
    if not candidates:
        raise problems[0] if problems else Unreadable("no_notebook", found=_listing(search.names))
    best = max(candidates, key=lambda candidate: candidate.rank)
    damaged = [problem for problem in problems if ".ipynb" in problem.fields["file"].lower()]
    if damaged and not best.defined:
        raise damaged[0]
    others = [candidate.file for candidate in candidates if candidate is not best]
    others += [problem.fields["file"] for problem in damaged]
    if others:
        best.notes.insert(0, ("other_files", {"file": printable(best.file), "others": _listing(others)}))
    if source.evidence:
        list(search.files(source.evidence))
    folder = PurePosixPath(best.file).parent
    found = sorted(search.evidence.items(), key=lambda item: (PurePosixPath(item[0]).parent != folder, item[0]))
    best.evidence = (printable(PurePosixPath(found[0][0]).name), found[0][1]) if found else None
    best.file = printable(PurePosixPath(best.file).name)
    return best


class _Search:
    """One walk through a submission, in memory and within limits; `names`, `problems` and `evidence` are what it met."""

    def __init__(self):
        self.bytes_left, self.entries_left = MAX_TOTAL, MAX_ENTRIES
        self.names, self.problems, self.evidence = [], [], {}

    def files(self, source):
        """Yield (name, bytes) of every file that may hold a notebook or Python code; links are not followed."""
        if source.inside or not source.path.is_dir() or source.path.is_symlink():
            yield from self._file(source.name, functools.partial(_open_file, source.path), 0, source.inside)
            return
        for folder, folders, files in os.walk(source.path):
            folders[:] = sorted(name for name in folders if not _ignored(name))
            for path in _notebooks_first([Path(folder, name) for name in sorted(files) if not _ignored(name)], str):
                yield from self._file(path.relative_to(source.path).as_posix(), functools.partial(_open_file, path))

    def _file(self, name, opened, depth=0, inside=""):
        """One file; `opened()` gives its stream, `depth` counts the zips around it. No problem in it stops the walk."""
        self.entries_left -= 1
        if self.entries_left == -1:
            self.problems.append(Unreadable("too_many_files", file=printable(name)))
        is_evidence = EVIDENCE.search(PurePosixPath(name).name)
        if self.entries_left < 0 or (OTHER_TYPE.search(name) and not is_evidence):
            self.names.append(name)
            return
        try:
            if is_evidence:
                self.names.append(name)
                with opened() as stream:
                    data = stream.read(min(MAX_EVIDENCE, self.bytes_left))
                self.evidence[name], self.bytes_left = data, self.bytes_left - len(data)
                return
            with opened() as stream:
                start = stream.read(4)
                is_zip = start in (b"PK\3\4", b"PK\5\6") or (name.lower().endswith(".zip") and start[:1] != b"{")
                if is_zip and not depth:
                    yield from self._in_zip(name, stream, 1, inside)
                    return
                self.names.append(name)
                limit = min(MAX_FILE, self.bytes_left)
                data = start + stream.read(limit)
            self.bytes_left -= min(len(data), limit)
            if len(data) > limit:
                raise Unreadable("too_large", file=printable(name), limit=MAX_FILE // 2**20)
            if is_zip:
                yield from self._in_zip(name, io.BytesIO(data), depth + 1)
            else:
                yield name, data
        except Unreadable as problem:
            self.problems.append(problem)
        except Exception:  # whatever a broken zip makes the library raise
            self.problems.append(Unreadable("zip_damaged" if depth else "no_access", file=printable(name)))

    def _in_zip(self, name, stream, depth, inside=""):
        """The files in a zip, or only the file or folder `inside` it."""
        if depth > MAX_ZIP_DEPTH:
            raise Unreadable("zip_too_deep", file=printable(name), limit=MAX_ZIP_DEPTH)
        with _open_zip(name, stream, None if inside else self.entries_left) as archive:
            for entry in _notebooks_first(_real_entries(archive), lambda entry: entry.filename):
                if not inside or entry.filename == inside or (inside.endswith("/") and entry.filename.startswith(inside)):
                    opened = functools.partial(_open_entry, archive, entry)
                    yield from self._file("/".join(_parts(entry.filename)), opened, depth)


def _open_file(path):
    if path.is_symlink():
        raise Unreadable("link", file=printable(path.name))
    if not path.is_file():
        raise Unreadable("no_access", file=printable(path.name))
    return open(path, "rb")


def _open_zip(name, stream, limit=None):
    """A zip for reading, unless it is damaged or lists more than `limit` files (counted before the list is built)."""
    chunks = iter(lambda: stream.read(2**20), b"")
    if limit is not None and sum(chunk.count(b"PK\x01\x02") for chunk in chunks) > limit:
        raise Unreadable("too_many_files", file=printable(name))
    try:
        return zipfile.ZipFile(stream)
    except Exception:  # whatever a broken zip makes the library raise
        raise Unreadable("zip_damaged", file=printable(name)) from None


def _open_entry(archive, entry):
    name = printable(PurePosixPath(entry.filename).name)
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise Unreadable("link", file=name)
    if entry.flag_bits & 1:
        raise Unreadable("zip_password", file=name)
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # the only ones whose memory is bounded
        raise Unreadable("zip_compression", file=name)
    if entry.file_size > MAX_FILE:
        raise Unreadable("too_large", file=name, limit=MAX_FILE // 2**20)
    return archive.open(entry)


def _real_entries(archive):
    return [entry for entry in archive.infolist() if not entry.is_dir() and not any(map(_ignored, _parts(entry.filename)))]


def _parts(name):
    return name.replace("\\", "/").split("/")


def _ignored(name):
    """Whether a file or folder of this name is a by-product: hidden, a twin that macOS makes, a checkpoint, a package."""
    return name in IGNORED or (name[:1] == "." and name not in (".", "..") and name.lower() != ".ipynb")


def _notebooks_first(items, name):
    return sorted(items, key=lambda item: ".ipynb" not in name(item).lower())


def _export_parts(path):
    """The names of the submissions in a platform's export (Gradescope's folders, Canvas's files); [] if it is none."""
    try:
        with open(path, "rb") as stream, _open_zip(path.name, stream, MAX_ENTRIES) as archive:
            names = [entry.filename for entry in _real_entries(archive)]
    except Unreadable:
        return []
    folders = [GRADESCOPE.match(name) for name in names]
    if all(folders):
        return list(dict.fromkeys(match.group() for match in folders if match.group().endswith("/")))
    return list(dict.fromkeys(names)) if all(map(CANVAS.fullmatch, names)) else []


def _with_evidence(names):
    """[(name, the evidence file that belongs to it or "")] of what lies side by side; evidence files are no submissions.

    Canvas puts the student's name and number in front of both. Without them a single submission takes a single file.
    """
    evidence = [name for name in names if EVIDENCE.search(name)]
    others = [name for name in names if name not in evidence]
    if not others:
        return [(name, "") for name in names]
    owners = {match.groups(): name for name in evidence if (match := CANVAS.fullmatch(name))}
    alone = evidence[0] if len(evidence) == len(others) == 1 and not owners else ""
    return [(name, owners.get(match.groups(), alone) if (match := CANVAS.fullmatch(name)) else alone) for name in others]


def _listing(names):
    return ", ".join(printable(name) for name in names[:8]) + (", ..." if len(names) > 8 else "") or "nothing"
