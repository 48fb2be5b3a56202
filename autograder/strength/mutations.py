"""Mechanical mutants of the reference functions: every small change of a kind that people make by accident."""

import ast
import copy

from autograder.strength.items import Item

OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult, ast.MatMult: ast.Mult,
             ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
             ast.And: ast.Or, ast.Or: ast.And, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd}
ATTRIBUTES = {"zeros": "ones", "zeros_like": "ones_like", "ones": "zeros", "max": "min", "min": "max", "sum": "prod",
              "cumsum": "cumprod", "tanh": "sin", "exp": "expm1", "log": "log1p", "abs": "positive", "any": "all", "all": "any"}


def mutants(stage):
    """One Item per mutant; its name says which text became which."""
    tree = ast.parse(stage.solutions_path.read_text(encoding="utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    items = []
    for question in stage.questions:
        counts = {}
        for label, source in mutations(functions[question]):
            counts[label] = counts.get(label, 0) + 1
            name = f"{question}: {label}" + (f" (#{counts[label]})" if counts[label] > 1 else "")
            items.append(Item("mutant", question, name, source))
    return items


def mutations(function):
    """(label, source) of the function with one node changed, for every node and every change that fits it."""
    function = copy.deepcopy(function)
    if ast.get_docstring(function) is not None:
        del function.body[0]
    unchanged = ast.unparse(function)
    for index, node in enumerate(ast.walk(function)):
        for number in range(len(_changes(node))):
            mutant = copy.deepcopy(function)
            target = list(ast.walk(mutant))[index]
            before, new = _short(target), _changes(target)[number]
            after = "nothing" if isinstance(new, ast.Pass) else _short(new)
            source = ast.unparse(ast.fix_missing_locations(_Replace(target, new).visit(mutant)))
            if source != unchanged:
                yield f"{before} -> {after}", source


class _Replace(ast.NodeTransformer):
    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit(self, node):
        return self.new if node is self.old else self.generic_visit(node)


def _changes(node):
    """The nodes that may stand in place of a node."""
    changes = []
    if isinstance(node, ast.BinOp):
        changes += [ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)] if type(node.op) in OPERATORS else []
        changes += [node.left, node.right]
    elif isinstance(node, ast.BoolOp):
        changes += [ast.BoolOp(OPERATORS[type(node.op)](), node.values), *node.values]
    elif isinstance(node, ast.AugAssign):
        changes += [ast.AugAssign(node.target, OPERATORS[type(node.op)](), node.value)] if type(node.op) in OPERATORS else []
        changes += [ast.Assign([node.target], node.value, lineno=0), ast.Pass()]
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in OPERATORS:
        changes.append(ast.Compare(node.left, [OPERATORS[type(node.ops[0])](), *node.ops[1:]], node.comparators))
    elif isinstance(node, ast.UnaryOp):
        changes.append(node.operand)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        changes.append(ast.Constant(not node.value))
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        changes += [ast.Constant(node.value + 1), ast.Constant(node.value - 1)]
    elif isinstance(node, ast.Attribute) and node.attr == "T":
        changes.append(node.value)
    elif isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES:
        changes.append(ast.Attribute(node.value, ATTRIBUTES[node.attr], node.ctx))
    elif isinstance(node, ast.Slice):
        parts = {"lower": node.lower, "upper": node.upper, "step": node.step}
        changes += [ast.Slice(**{**parts, name: None}) for name, part in parts.items() if part is not None]
    elif isinstance(node, ast.Tuple) and len(node.elts) > 1:
        changes.append(ast.Tuple([node.elts[1], node.elts[0], *node.elts[2:]], node.ctx))
    elif isinstance(node, ast.IfExp):
        changes += [node.body, node.orelse]
    elif isinstance(node, (ast.Expr, ast.If, ast.Raise)) or _sets_entries(node):
        changes.append(ast.Pass())
    return changes


def _sets_entries(node):
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)


def _short(node):
    if isinstance(node, ast.Slice):
        node = ast.Subscript(ast.Name("_"), node)
    text = " ".join(ast.unparse(ast.fix_missing_locations(node)).split())
    return text if len(text) <= 60 else text[:57] + "..."
