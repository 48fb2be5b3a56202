"""Zips and names made to mislead whatever looks for the notebook, unpacks it, or prints where it came from."""

import io
import json
import struct
import zipfile

from submissions.kit import as_bytes, case
from submissions.oddities import zipped

HTML = "<img src=x onerror=alert(1)>"


def _wrong(case_id, category="archive", ideal="own"):
    def register(change):
        def make(target):
            return change(target.bytes("$wrong"))
        case(case_id, category, ideal)(make)
        return change
    return register


@_wrong("Z01_names_that_climb")
def names_that_climb(notebook):
    return {"x.zip": zipped({"../../../../outside/up.ipynb": notebook, "/tmp/absolute.ipynb": notebook,
                             "..\\..\\up.ipynb": notebook, "a/../../up.ipynb": notebook})}


@_wrong("Z02_links_in_the_zip")
def links_in_the_zip(notebook):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        entry = zipfile.ZipInfo("link.ipynb")
        entry.create_system, entry.external_attr = 3, 0o120777 << 16
        archive.writestr(entry, "/etc/passwd")
        archive.writestr("homework.ipynb", notebook)
    return {"x.zip": stream.getvalue()}


@_wrong("Z03_bomb_of_notebooks", ideal="result")
def bomb_of_notebooks(notebook):
    return {"x.zip": zipped({f"{i}.ipynb": b" " * (60 * 2**20) for i in range(8)})}


@_wrong("Z04_two_thousand_entries", ideal="result")
def two_thousand_entries(notebook):
    return {"x.zip": zipped({**{f"{i}.txt": b"" for i in range(2000)}, "homework.ipynb": notebook})}


@_wrong("Z05_encrypted", ideal="result")
def encrypted(notebook):
    data = bytearray(zipped({"homework.ipynb": notebook}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + offset] |= 1
    return {"x.zip": bytes(data)}


@_wrong("Z06_truncated", ideal="result")
def truncated(notebook):
    return {"x.zip": zipped({"homework.ipynb": notebook})[:-40]}


@_wrong("Z07_damaged_data", ideal="result")
def damaged_data(notebook):
    data = bytearray(zipped({"homework.ipynb": notebook}))
    data[200:260] = bytes(60)
    return {"x.zip": bytes(data)}


@_wrong("Z08_empty", ideal="result")
def empty(notebook):
    return {"x.zip": zipped({})}


@_wrong("Z09_no_notebook_inside", ideal="result")
def no_notebook_inside(notebook):
    return {"x.zip": zipped({"a.txt": b"", HTML + ".pdf": b""})}


@_wrong("Z10_not_a_zip", ideal="result")
def not_a_zip(notebook):
    return {"x.zip": b"Rar!\x1a\x07\x00 and more"}


@_wrong("Z11_name_that_is_no_text", ideal="result")
def name_that_is_no_text(notebook):
    data = zipped({"\u00e9\u00e9.ipynb": notebook})
    return {"x.zip": data.replace("\u00e9\u00e9".encode(), b"\xff\xfe\xff\xfe")}


@_wrong("Z12_very_long_name")
def very_long_name(notebook):
    return {"x.zip": zipped({"n" * 60_000 + ".ipynb": notebook})}


@_wrong("Z13_unknown_compression", ideal="result")
def unknown_compression(notebook):
    data = bytearray(zipped({"homework.ipynb": notebook}))
    data[8:10] = struct.pack("<H", 77)
    data[data.index(b"PK\x01\x02") + 10:][:2] = b""
    position = data.index(b"PK\x01\x02") + 10
    data[position:position + 2] = struct.pack("<H", 77)
    return {"x.zip": bytes(data)}


@_wrong("Z14_lies_about_sizes", ideal="result")
def lies_about_sizes(notebook):
    data = bytearray(zipped({"homework.ipynb": b" " * 70 * 2**20}))
    position = data.index(b"PK\x01\x02") + 24
    data[position:position + 4] = struct.pack("<I", 10)
    return {"x.zip": bytes(data)}


@_wrong("Z15_folder_named_like_a_notebook", ideal="own")
def folder_named_like_a_notebook(notebook):
    return {"folder.ipynb/inner.txt": b"", "homework.ipynb": notebook}


@_wrong("Z16_decoys_that_name_every_function", ideal="result")
def decoys(notebook):
    text = "\n".join(f"# def {name}" for name in json.loads(notebook)["metadata"]) or "# def x"
    return {**{f"{i:03}.ipynb": as_bytes({"cells": [], "metadata": {"x": text}, "nbformat": 4, "nbformat_minor": 5})
               for i in range(200)}, "zz.ipynb": notebook}


NAMES = {
    "N01_html": HTML + ".ipynb", "N02_formula": "=HYPERLINK(1).ipynb", "N02_formula_plus": "+1+cmd.ipynb",
    "N03_two_lines": "a\nGraded: full marks\n.ipynb", "N04_only_a_suffix": ".ipynb", "N05_dashes": "--out=x.ipynb",
    "N06_long": "n" * 200 + ".ipynb", "N07_escape_codes": "\x1b[2J\x1b[31mred.ipynb", "N08_turned_text": "a\u202efdp.ipynb",
    "N09_format_fields": "{0.__class__}{file}%s.ipynb", "N10_no_text": "\udcff\udcfe.ipynb", "N11_dots": "...ipynb",
}
for _id, _name in NAMES.items():
    def _make(target, name=_name):
        return {name: target.bytes("$wrong")}
    case(_id, "name", "result" if _id in ("N04_only_a_suffix", "N11_dots") else "own")(_make)
