"""`make check`: the cases are tested. Every misconception must lose points, every right style keep them."""

import ast
import re

from autograder.strength.items import alternatives, degenerate_answers, misconceptions
from autograder.strength.trials import try_items

HEAD = ["question", "misconceptions", "alternatives", "degenerate", "hidden cases", "weakest hidden case"]
SHORTEST_EXPRESSION = 9


def check_stage(course, stage, jobs, progress, cache_path):
    """Try everything on one stage; returns (rows of the table, complaints)."""
    wrong = misconceptions(course, stage)
    right = alternatives(course, stage)
    nothing = degenerate_answers(stage)
    outcomes = try_items(course.root, stage.name, wrong + right + nothing, jobs, progress, cache_path)
    complaints = [f"{item.kind} {item.name}: the notebook did not run as it should: {outcomes[item.key]['error']}"
                  for item in wrong + right + nothing if outcomes[item.key]["error"]]
    complaints += _judge_misconceptions(stage, wrong, outcomes)
    complaints += _judge_alternatives(stage, right, outcomes)
    complaints += [f"degenerate answer {item.name}: earns {outcomes[item.key]['score']:g} points"
                   for item in nothing if outcomes[item.key]["score"]]
    for language in course.languages:
        complaints += _judge_hints(course, stage, language, wrong)
    rows = []
    for question in stage.questions:
        row, found = _judge_question(stage, question, wrong, right, nothing, outcomes)
        rows.append(row)
        complaints += found
    return rows, complaints


def callers(stage, question):
    """The questions whose reference calls a question, directly or through others."""
    tree = ast.parse(stage.solutions_path.read_text(encoding="utf-8"))
    calls = {node.name: {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
             for node in tree.body if isinstance(node, ast.FunctionDef)}
    found, frontier = set(), {question}
    while frontier:
        frontier = {name for name, used in calls.items() if used & frontier and name not in found}
        found |= frontier
    return found


def strict_cases(stage, question):
    """Ids of the cases that demand exact types and shapes."""
    return {f"{stage.name}/{question}/{node.name}" for source in stage.cases[question] for node in source.cases
            if any(isinstance(inner, ast.Attribute) and inner.attr == "has_types_and_shapes" for inner in ast.walk(node))}


def _judge_misconceptions(stage, items, outcomes):
    for item in items:
        outcome = outcomes[item.key]
        hidden = {f"{stage.name}/{item.question}/{name}" for name in stage.cases[item.question][1].names}
        if not hidden & set(outcome["failed"]):
            yield f"misconception {item.name}: keeps all hidden points; add or strengthen a hidden case of {item.question}"
        for other in set(outcome["lost"]) - callers(stage, item.question):
            yield (f"misconception {item.name}: costs {other} {outcome['lost'][other]:g} points, "
                   f"though {other} does not call {item.question}")


def _judge_alternatives(stage, items, outcomes):
    for item in items:
        failed = set(outcomes[item.key]["failed"])
        public, hidden = stage.cases[item.question]
        everything = {f"{stage.name}/{item.question}/{name}" for name in public.names + hidden.names}
        wanted = {"accept": set(), "convert": strict_cases(stage, item.question), "reject": everything}[item.expected]
        if failed != wanted:
            unexpected = ", ".join(sorted(case_id.rsplit("/", 1)[1] for case_id in failed ^ wanted))
            yield f"alternative {item.name}: expected {item.expected}, but these cases decided otherwise: {unexpected}"


def _judge_hints(course, stage, language, items):
    hints = course.texts(language).get("hints", {})
    label = f"assignments/messages.{language}.yaml: hints"
    expressions = {question: _expressions(stage, question) for question in stage.questions}
    for item in items:
        hint = hints.get(item.name, "")
        squeezed = re.sub(r"\s+", "", hint)
        if not hint.strip():
            yield f"{label}.{item.name}: missing or empty"
        elif re.search(r"[=`@]|\w\(|\w\[|\*\*|np\.", hint):
            yield f"{label}.{item.name}: contains code"
        elif any(expression in squeezed for expression in expressions[item.question]):
            yield f"{label}.{item.name}: names an expression of the answer"
    known = {item.name for item in items}
    prefixes = tuple(f"{question}__" for question in stage.questions)
    yield from (f"{label}.{name}: no such misconception" for name in hints if name.startswith(prefixes) and name not in known)


def _expressions(stage, question):
    """Squeezed texts of the expressions in a reference function, long enough to give something away."""
    tree = ast.parse(stage.solutions_path.read_text(encoding="utf-8"))
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == question)
    nodes = [node for node in ast.walk(function) if isinstance(node, ast.expr) and not isinstance(node, (ast.Constant, ast.Name))]
    texts = {re.sub(r"\s+", "", ast.unparse(node)) for node in nodes}
    return {text for text in texts if len(text) >= SHORTEST_EXPRESSION}


def _judge_question(stage, question, wrong, right, nothing, outcomes):
    public, hidden = ([f"{stage.name}/{question}/{name}" for name in source.names] for source in stage.cases[question])
    mine = [item for item in wrong if item.question == question]
    kills = {case_id: [item.name for item in mine if case_id in outcomes[item.key]["failed"]] for case_id in public + hidden}
    by_public = {name for case_id in public for name in kills[case_id]}
    killed = [item for item in mine if outcomes[item.key]["failed"]]
    complaints = [f"{case_id}: this hidden case kills no misconception" for case_id in hidden if not kills[case_id]]
    if len(by_public) == len(mine):
        complaints.append(f"{question}: the public cases alone kill every misconception, so hidden points test nothing")
    if not by_public:
        complaints.append(f"{question}: the public cases kill no misconception")
    if len(mine) < 2:
        complaints.append(f"{question}: {len(mine)} misconception(s); a question needs at least 2")
    weakest = min(hidden, key=lambda case_id: len(kills[case_id]))
    fit = [item for item in right if item.question == question]
    accepted = [item for item in fit if item.expected != "accept" or not outcomes[item.key]["failed"]]
    idle = sum(not outcomes[item.key]["score"] for item in nothing if item.question == question)
    return [question, f"{len(killed)}/{len(mine)}", f"{len(accepted)}/{len(fit)}", f"{idle}/4", str(len(hidden)),
            f"{weakest.rsplit('/', 1)[1]} ({len(kills[weakest])})"], complaints
