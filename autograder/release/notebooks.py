"""Turns a stage's Markdown source into its notebooks: released (stubs) and solved (reference functions)."""

import json
import re
import runpy

import jupytext
import nbformat

from autograder.release.stubs import SourceError, full_source, import_of, stub

ROLES = {"setup", "stub", "check", "provided", "demo", "needs"}
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
          "language_info": {"name": "python"}}
PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")


def build_notebook(course, stage, language, solved):
    """The notebook of one stage as nbformat v4 JSON text; the same sources give the same bytes.

    Raises SourceError naming the file and cell for a fence without a role, an unknown name, or an unused placeholder.
    """
    path = stage.notebook_path(language)
    label = path.relative_to(course.root)
    source = jupytext.reads(path.read_text(encoding="utf-8"), fmt="md")
    replacements = _replacements(course, stage, language)
    used, cells, counts = set(), [], {}
    for position, cell in enumerate(source.cells):
        where = f"{label}, cell {position + 1}"
        if cell.cell_type == "markdown":
            new, name = nbformat.v4.new_markdown_cell(_replaced(cell.source, replacements, used, where)), "text"
        else:
            role, text = _code(course, stage, language, cell, solved, where)
            new, name = nbformat.v4.new_code_cell(text), role
            new.metadata = {"editable": False} if role.startswith("setup") else {}
        counts[name] = counts.get(name, 0) + 1
        new["id"] = name if counts[name] == 1 and name != "text" else f"{name}-{counts[name]}"
        cells.append(new)
    unused = set(replacements) - used
    if unused:
        raise SourceError(f"{label}: {', '.join('{{' + name + '}}' for name in sorted(unused))} is computed but not used")
    _complain_about_questions(stage, source, label)
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=KERNEL)
    notebook.nbformat_minor = 5
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def demo_cells(notebook_text):
    """The sources of a built notebook's demo cells: plots and experiments, nothing that grading needs."""
    cells = json.loads(notebook_text)["cells"]
    return [cell["source"] for cell in cells if cell["cell_type"] == "code" and cell["id"].startswith("demo")]


def _replaced(text, replacements, used, where):
    """The text with every placeholder filled in; names are added to `used`."""
    def fill(match):
        if match[1] not in replacements:
            raise SourceError(f"{where}: {match[0]} is not defined in examples.py")
        used.add(match[1])
        return replacements[match[1]]
    return PLACEHOLDER.sub(fill, text)


def _replacements(course, stage, language):
    texts = course.texts(language)["notebook"]
    rows = [f"| {number} | `{question}` | {settings.points:g} |"
            for number, (question, settings) in enumerate(stage.config.questions.items(), 1)]
    total = sum(settings.points for settings in stage.config.questions.values())
    table = "\n".join([texts["questions_head"], "|---:|:---|---:|", *rows, f"| | {texts['total']} | {total:g} |", "",
                       texts["questions_note"].format(hours=f"{stage.config.hours:g}")])
    path = stage.folder / "examples.py"
    try:
        examples = dict(runpy.run_path(str(path))["examples"](stage.solutions))
    except (Exception, SystemExit) as error:
        raise SourceError(f"{path.relative_to(course.root)}: {type(error).__name__}: {error}") from None
    for name, text in examples.items():
        if not isinstance(text, str):
            raise SourceError(f"{path.relative_to(course.root)}: {name}: a string is needed, found {text!r:.60}")
    return {"conventions": texts["conventions"].strip(), "questions": table, **examples}


def _code(course, stage, language, cell, solved, where):
    """(id stem, source) of a code cell, by its role."""
    roles = {key: value for key, value in cell.metadata.items() if key in ROLES}
    names = [key for key in roles if key != "needs"]
    if len(names) != 1:
        raise SourceError(f"{where}: a code fence needs one role of {', '.join(sorted(ROLES - {'needs'}))}; found {list(roles)}")
    role, argument = names[0], roles[names[0]]
    if role == "demo":
        needs = str(roles.get("needs", "")).split()
        unknown = [name for name in needs if name not in stage.questions]
        if unknown:
            raise SourceError(f"{where}: needs {unknown[0]!r}, which is not a question of {stage.name}")
        return "demo", (f"%%needs {' '.join(needs)}\n" if needs else "") + cell.source
    if cell.source.strip():
        raise SourceError(f"{where}: a {role} cell is filled by the build and must be empty")
    if role == "setup":
        return "setup", course.texts(language)["notebook"]["setup"].strip()
    if role == "check":
        return f"check-{argument}", f'grader.check("{argument}")'
    source = stage.solutions_path.read_text(encoding="utf-8")
    if role == "provided":
        module = import_of(source, argument)
        if module is not None:
            source = (course.root / (module.replace(".", "/") + ".py")).read_text(encoding="utf-8")
        return f"provided-{argument}", full_source(source, argument)
    return f"stub-{argument}", (full_source if solved else stub)(source, argument)


def provided_functions(stage):
    """The names of the functions that a stage's notebook hands out in full."""
    source = jupytext.reads(stage.notebook_path(stage_language(stage)).read_text(encoding="utf-8"), fmt="md")
    return [cell.metadata["provided"] for cell in source.cells if "provided" in cell.metadata]


def stage_language(stage):
    """Any language that the stage has a notebook in (the questions are the same in all)."""
    return sorted(stage.folder.glob("notebook.*.md"))[0].name.split(".")[1]


def _complain_about_questions(stage, source, label):
    for role in ("stub", "check"):
        found = [cell.metadata[role] for cell in source.cells if role in cell.metadata]
        if sorted(found) != sorted(stage.questions):
            odd = sorted(set(found) ^ set(stage.questions)) or sorted({name for name in found if found.count(name) > 1})
            raise SourceError(f"{label}: every question needs exactly one {role} cell; look at {', '.join(odd)}")
