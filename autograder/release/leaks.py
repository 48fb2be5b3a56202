"""Searches what students receive for anything they must not: foreign files, and code of answers or hidden cases."""

import ast
import copy
import json
import re

ALLOWED_FILES = re.compile(r"(?:[a-z]{2}/[a-z0-9_]+/(?:[a-z0-9_]+\.ipynb|tests/[a-z0-9_]+\.py|support\.py|requirements\.txt)"
                           r"|MANIFEST\.sha256)")
SHORTEST_PAIR = 24


def secrets_of(stage):
    """{what it is: set of squeezed texts} for a stage: every two consecutive statements (or the only one) of an answer
    or of a hidden case, as they are written and in normal form."""
    secrets = {}
    answers = stage.solutions_path.read_text(encoding="utf-8")
    for node in ast.parse(answers).body:
        if isinstance(node, ast.FunctionDef):
            secrets[f"the answer of {node.name}"] = _pairs(node, answers)
    for question in stage.questions:
        source = stage.cases[question][1]
        for node in source.cases + source.helpers:
            secrets[f"the hidden case {question}/{node.name}"] = _pairs(node, source.text)
    return secrets


def find_leaks(files, secrets, allowed=()):
    """Complaints about released files {name: bytes}, one line each; `allowed` are squeezed texts that may appear."""
    complaints = []
    for name, data in files.items():
        if not ALLOWED_FILES.fullmatch(name):
            complaints.append(f"{name}: not a file that students receive")
            continue
        text = _squeeze(_readable(name, data.decode("utf-8", errors="replace")))
        for what, pieces in secrets.items():
            if any(piece in text for piece in pieces if piece not in allowed):
                complaints.append(f"{name}: contains {what}")
    return complaints


def _readable(name, text):
    """The text of a file with its Python code also in normal form, so that layout and quotes hide nothing."""
    if name.endswith(".ipynb"):
        cells = json.loads(text)["cells"]
        return "\n".join(_readable("cell.py", cell["source"]) for cell in cells)
    try:
        return text + "\n" + ast.unparse(_without_docstrings(ast.parse(re.sub(r"^%%.*", "", text))))
    except SyntaxError:
        return text


def _pairs(function, source):
    """Squeezed texts of neighbouring statements in a function, at every depth: as written in `source`, and in normal form."""
    pieces = set()
    for node in ast.walk(_without_docstrings(copy.deepcopy(function))):
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if not isinstance(statements, list):
                continue
            for text_of in (ast.unparse, lambda statement: ast.get_source_segment(source, statement) or ""):
                texts = [_squeeze(text_of(statement)) for statement in statements]
                pieces |= {first + second for first, second in zip(texts, texts[1:])}
                if isinstance(node, ast.FunctionDef) and len(texts) == 1:
                    pieces.add(texts[0])
    return {piece for piece in pieces if len(piece) >= SHORTEST_PAIR}


def _without_docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)) and ast.get_docstring(node) is not None:
            node.body[0].value.value = ""
            node.body = node.body[1:] or [ast.Pass()]
    return tree


def _squeeze(text):
    """Letters, digits and signs only: no white space, no quote kinds, no comment or quotation marks."""
    return re.sub(r"[\s#>`]+", "", text.replace('"', "'"))
