"""Reads one submitted file as a notebook: forgiving about form, strict about size. Nothing in it is executed or trusted."""

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import PurePosixPath

MAX_JSON_ITEMS = 3_000_000  # brackets and commas of a notebook: JSON grows when it is read
MAX_CELLS = 8000
MAX_CELL, MAX_CODE = 200_000, 900_000  # characters of a cell, bytes of all code as a message to the border
PER_CELL = 60  # bytes that such a message adds to a cell
DEFINITION = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def[ \t]+(\w+)|(\w+)[ \t]*=(?!=))", re.MULTILINE)
CONFLICT = [re.compile(pattern, re.MULTILINE) for pattern in (r"^<{7}(?= |$)", r"^={7}$", r"^>{7}(?= |$)")]


class Unreadable(Exception):
    """The submission holds no notebook that can be read; `key` names the text, `fields` fill it."""

    def __init__(self, key, **fields):
        super().__init__(key, fields)
        self.key = key
        self.fields = fields


@dataclass
class Submission:
    """A submitted notebook: `file` is its base name, `sha256` of its bytes, `cells` [(number, source)] of code cells.

    notes: [(key, fields)] of texts that the learner should read; defined: the stage's functions in it; rank: the highest of
    several is graded; evidence: (name, bytes) of the evidence file that came with it.
    """

    file: str
    sha256: str
    cells: list
    notes: list
    defined: list
    rank: tuple
    evidence: tuple | None = None


def printable(name):
    """A file name as text for people: no control characters or halves of characters, at most 100 characters."""
    text = "".join(character if character.isprintable() else "?" for character in name)
    return text if len(text) <= 100 else f"{text[:60]}...{text[-37:]}"


def submissions_in(name, data, questions):
    """[the Submission in one file], or [] if the file is something else. Raises Unreadable for a damaged notebook."""
    try:
        text = data.decode(json.detect_encoding(data))
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    text = _with_plain_newlines(text)
    file = printable(PurePosixPath(name).name)
    if ".ipynb" in name.lower() or (text.lstrip()[:1] == "{" and ('"cells"' in text or '"worksheets"' in text)):
        cells, notes = _cells(file, text), []
    elif ".py" in [suffix.lower() for suffix in PurePosixPath(name).suffixes] and questions & _defined(text):
        cells, notes = [(1, "code", text)], [("python_file", {"file": file})]
    else:
        return []
    is_notebook = not notes
    code = []
    for number, kind, source in cells:
        conflict = all(marker.search(source) for marker in CONFLICT)
        if kind == "code" and (conflict or len(source) > MAX_CELL):
            notes.append(("cell_conflict" if conflict else "cell_too_long", {"number": number, "limit": MAX_CELL // 1000}))
        elif kind == "code":
            code.append((number, source))
    if len(json.dumps(code)) + PER_CELL * len(code) > MAX_CODE:
        raise Unreadable("too_much_code", file=file, limit=MAX_CODE // 1000)
    homes = {function: number for number, source in code for function in questions & _defined(source)}
    filled = {function: number for number, source in code if "raise NotImplementedError" not in source
              for function in questions & _defined(source)}
    notes += [("cell_not_code", {"number": number, "function": function}) for number, kind, source in cells
              if kind != "code" for function in sorted(questions & _defined(source) - homes.keys())]
    notes += [("stub_again", {"function": function, "number": filled[function], "stub": homes[function]})
              for function in sorted(filled) if homes[function] > filled[function]]
    rank = (len(filled), len(homes), is_notebook, "-checkpoint" not in name)
    return [Submission(name, hashlib.sha256(data).hexdigest(), code, notes, sorted(homes), rank)]


def _defined(source):
    """The names that code defines, as far as its text shows."""
    return {function or assigned for function, assigned in DEFINITION.findall(source[:MAX_CODE])}


def _cells(file, text):
    """[(number, type, source)] of a notebook in format 2 to 4. Raises Unreadable.

    nbformat is not used: it copies and validates outputs and metadata, which costs a hostile notebook's grader a gigabyte.
    """
    if not text.strip("\0 \n\t"):
        raise Unreadable("empty", file=file)
    if text.count("[") + text.count("{") + text.count(",") > MAX_JSON_ITEMS:
        raise Unreadable("too_large", file=file)
    try:
        notebook = json.loads(text, object_hook=_without_outputs)
        sheets = [notebook] if "cells" in notebook else notebook["worksheets"]
        cells = [cell for sheet in sheets for cell in sheet["cells"]]
        if len(cells) <= MAX_CELLS:
            return [(number, cell["cell_type"], cell["source"]) for number, cell in enumerate(cells, 1)]
    except json.JSONDecodeError as error:
        raise Unreadable(_damage(text), file=file, line=error.lineno) from None
    except Exception:  # whatever else is not as in a notebook
        raise Unreadable("not_a_notebook", file=file) from None
    raise Unreadable("too_many_cells", file=file, limit=MAX_CELLS)


def _without_outputs(node):
    """What matters of a JSON object as soon as it is read: the lists of cells, and a cell's type and text."""
    if "cell_type" in node:
        source = node.get("source", node.get("input", ""))
        source = source if isinstance(source, str) else "".join(source)
        return {"cell_type": node["cell_type"], "source": _with_plain_newlines(source.encode(errors="replace").decode())}
    return {key: node[key] for key in ("cells", "worksheets") if key in node}


def _with_plain_newlines(text):
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _damage(text):
    """The key of the text that says how a file that is no JSON was damaged."""
    if CONFLICT[0].search(text):
        return "conflict"
    if text.lstrip()[:1] == "<":
        return "web_page"
    return "damaged" if text.rstrip()[-1:] == "}" else "cut_off"
