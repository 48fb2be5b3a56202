"""Files, zips and tables with the same bytes every time, written so that a failure leaves what was there."""

import contextlib
import hashlib
import io
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

EPOCH = (1980, 1, 1, 0, 0, 0)


class WriteError(OSError):
    """Something could not be written; the text names it and the reason."""


def zip_bytes(files, executable=()):
    """A zip of {name: bytes}: sorted, uncompressed, no time stamps, 0644 (0755 for the names in `executable`)."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = 3
            entry.external_attr = (0o100755 if name in executable else 0o100644) << 16
            archive.writestr(entry, files[name])
    return stream.getvalue()


def digest(data):
    """SHA-256 of bytes, in hex."""
    return hashlib.sha256(data).hexdigest()


def manifest(files):
    """Lines as `sha256sum` writes and checks them, sorted by name."""
    return "".join(f"{digest(files[name])}  {name}\n" for name in sorted(files)).encode()


def sources_digest(root):
    """One SHA-256 over every file that the release is made from."""
    root = Path(root)
    found = {}
    for folder in ("assignments", "solutions", "autograder"):
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                found[path.relative_to(root).as_posix()] = path.read_bytes()
    for name in ("grading_config.yaml", "requirements.lock"):
        if (root / name).is_file():
            found[name] = (root / name).read_bytes()
    return digest(manifest(found))


def read_tree(folder):
    """{relative name: bytes} of every file below a folder."""
    folder = Path(folder)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def replace_tree(folder, files):
    """Make a folder hold exactly {relative name: bytes}: written beside it first, then swapped in by renaming."""
    folder = Path(folder)
    fresh, old = folder.with_name(folder.name + ".new"), folder.with_name(folder.name + ".old")
    if old.exists() and not folder.exists():  # an earlier run was stopped between the two renames below
        os.rename(old, folder)
    for stale in (fresh, old):
        shutil.rmtree(stale, ignore_errors=True)
    try:
        fresh.mkdir(parents=True)
        for name, data in files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        raise WriteError(f"{folder} cannot be written ({error.strerror or error})") from error
    if folder.exists():
        os.rename(folder, old)
    try:
        os.rename(fresh, folder)
    except OSError:
        if old.exists():
            os.rename(old, folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def remove_tree(folder):
    """Remove a folder whatever was made inside it: closed folders and thousands of levels too."""
    with contextlib.suppress(RecursionError):
        shutil.rmtree(folder, ignore_errors=True)
    if os.path.lexists(folder):
        for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*command, "--", folder], stderr=subprocess.DEVNULL, check=False)


def write_atomically(path, data):
    """Write bytes so that a reader never sees half a file. Raises WriteError."""
    write_together({path: data})


def write_together(files):
    """Write {path: bytes}: every file under a temporary name first, then all renamed at once. Raises WriteError."""
    temporary = {path: Path(path).with_name(Path(path).name + ".tmp") for path in files}
    try:
        for path, data in files.items():
            temporary[path].parent.mkdir(parents=True, exist_ok=True)
            temporary[path].write_bytes(data)
        for path in files:
            os.replace(temporary[path], path)
    except OSError as error:
        for unfinished in temporary.values():
            with contextlib.suppress(OSError):
                unfinished.unlink()
        raise WriteError(f"{path} cannot be written ({error.strerror or error})") from error


def table(rows):
    """Rows as text in aligned columns."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
