"""Cuts stubs and provided functions out of the reference modules, by AST, so that nothing else can slip through."""

import ast


class SourceError(Exception):
    """A source that the build cannot use; the text names it and says what is needed."""


def stub(source, name):
    """A question as students get it: signature, docstring, and a body that raises NotImplementedError."""
    node, lines = _function(source, name)
    documented = isinstance(node.body[0], ast.Expr) and isinstance(getattr(node.body[0], "value", None), ast.Constant)
    if not documented:
        raise SourceError(f"{name}: the reference needs a docstring; it is the contract that students read")
    head = lines[node.lineno - 1:node.body[0].end_lineno]
    return "\n".join([*head, f'    raise NotImplementedError("{name}")'])


def full_source(source, name):
    """A reference function as it is written."""
    node, lines = _function(source, name)
    return "\n".join(lines[node.lineno - 1:node.end_lineno])


def _function(source, name):
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node, source.splitlines()
    raise SourceError(f"no function {name!r} in the solutions")


def import_of(source, name):
    """The module that a solutions module takes `name` from, or None when it is defined there."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names]:
            return node.module
    return None
