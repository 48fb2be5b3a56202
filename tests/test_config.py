"""The configuration and the sources are held against each other as a whole: every complaint, with file and key."""

import copy
import shutil
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.config import ConfigError, Question, load_config, read_yaml, split_points
from autograder.course import load_course

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("assignments", "solutions", "autograder/hidden")
CONFIG = yaml.safe_load((ROOT / "grading_config.yaml").read_text(encoding="utf-8"))
STAGE = next(iter(CONFIG["stages"]))
FIRST, SECOND, THIRD, *_ = CONFIG["stages"][STAGE]["questions"]
KEY = f"grading_config.yaml: stages.{STAGE}"


class Tree:
    """A copy of the sources that a test may spoil."""

    def __init__(self, root):
        self.root = root
        for name in SOURCES:
            shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
        self.configure(copy.deepcopy(CONFIG))

    def configure(self, data):
        self.config = data
        (self.root / "grading_config.yaml").write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")

    def set(self, *keys, value):
        """Set one key of the configuration (drop it if the value is ...)."""
        section = self.config
        for key in keys[:-1]:
            section = section[key]
        if value is ...:
            del section[keys[-1]]
        else:
            section[keys[-1]] = value
        self.configure(self.config)

    def questions(self, **settings):
        """Change settings of questions of the first stage."""
        self.config["stages"][STAGE]["questions"] |= settings
        self.configure(self.config)

    def cases(self, question, hidden):
        folder = "autograder/hidden/{}" if hidden else "assignments/{}/public"
        return self.root / folder.format(STAGE) / f"{question}.py"

    def replace(self, path, old, new):
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text
        (self.root / path).write_text(text.replace(old, new), encoding="utf-8")

    def complaints(self, load=load_course):
        with pytest.raises(ConfigError) as caught:
            load(self.root)
        assert str(caught.value) == "\n".join(caught.value.complaints)
        return caught.value.complaints


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def names_in(path):
    return [line.split('"')[1] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("@test_case")]


def test_the_sources_and_their_copy_are_in_order(tree):
    for root in (ROOT, tree.root):
        course = load_course(root)
        assert list(course.stages) == list(CONFIG["stages"])
        for name, stage in course.stages.items():
            assert stage.questions == list(CONFIG["stages"][name]["questions"])
            for question, (public, hidden) in stage.cases.items():
                assert public.names == names_in(stage.case_path(question, False))
                assert hidden.names == names_in(stage.case_path(question, True))


@pytest.mark.parametrize(("keys", "value", "words"), [
    (["sede"], 4, ["unknown key", "'4'"]),
    (["limits", "cell_second"], 20, ["unknown key", "'20'"]),
    (["stages", STAGE, "questions", FIRST, "weight"], 2, ["unknown key", "'2'"]),
    (["stages", STAGE, "title"], "One", ["unknown key", "'One'"]),
    (["seed"], "today", ["valid integer", "'today'"]),
    (["seed"], 1.5, ["valid integer", "'1.5'"]),
    (["seed"], -1, ["greater than or equal to 0", "'-1'"]),
    (["language"], 1, ["valid string", "'1'"]),
    (["course"], "Sequence models", ["dictionary", "'Sequence models'"]),
    (["stages"], {}, ["at least 1 item"]),
    (["stages"], ["stage"], ["dictionary"]),
    (["stages", STAGE, "questions"], {}, ["at least 1 item"]),
    (["tolerances", "relative"], "1e-5", ["valid number", "'1e-5'"]),
    (["tolerances", "absolute_floor"], 0, ["greater than 0", "'0'"]),
    (["limits", "memory_mb"], True, ["valid integer", "'True'"]),
    (["limits", "call_seconds"], None, ["valid number", "'None'"]),
    (["isolation", "minimum"], "none", ["'files' or 'process'", "'none'"]),
    (["visibility", "hidden_cases"], "never", ["'after_published'", "'never'"]),
    (["stages", STAGE, "hours"], 0, ["greater than 0", "'0'"]),
    (["stages", STAGE, "questions", FIRST, "points"], 2.3, ["multiple of 0.25", "2.3"]),
    (["stages", STAGE, "questions", FIRST, "points"], float("inf"), ["multiple of 0.25", "inf"]),
    (["stages", STAGE, "questions", FIRST, "points"], 0, ["greater than 0", "'0'"]),
    (["stages", STAGE, "questions", FIRST, "points"], "four", ["valid number", "'four'"]),
    (["stages", STAGE, "questions", FIRST, "public_share"], 1, ["less than 1", "'1'"]),
    (["stages", STAGE, "questions", FIRST, "public_share"], 0, ["greater than 0", "'0'"]),
    (["seed"], ..., ["missing key"]),
    (["limits"], ..., ["missing key"]),
    (["limits", "file_mb"], ..., ["missing key"]),
    (["course", "name"], ..., ["missing key"]),
    (["stages", STAGE, "questions", FIRST, "points"], ..., ["missing key"]),
])
def test_one_wrong_entry_is_one_complaint_with_key_and_value(tree, keys, value, words):
    tree.set(*keys, value=value)
    for load in (load_config, load_course):
        (complaint,) = tree.complaints(load)
        assert complaint.startswith(f"grading_config.yaml: {'.'.join(keys)}: ")
        assert all(word in complaint for word in words), complaint


def test_every_wrong_entry_is_named_at_once(tree):
    tree.set("seed", value=...)
    tree.set("limits", "cell_seconds", value="fast")
    tree.set("colour", value="red")
    tree.set("visibility", "stdout", value="maybe")
    tree.questions(**{FIRST: {"points": 1.1, "public_share": 0.25}, SECOND: {"points": 2}})
    found = {complaint.split(": ")[1] for complaint in tree.complaints()}
    assert found == {"seed", "limits.cell_seconds", "colour", "visibility.stdout", f"stages.{STAGE}.questions.{FIRST}.points",
                     f"stages.{STAGE}.questions.{SECOND}.public_share"}


@pytest.mark.parametrize(("data", "words"), [
    (b"stages: [1, 2", "not valid YAML"),
    (b"seed: 1\n\tlanguage: en", "line 2"),
    (b"", "(top level)"),
    (b"- a\n- b\n", "(top level)"),
    (b"course: caf\xe9\n", "not valid YAML"),
    (b"seed: 1\nlanguage: en\nseed: 2\n", "the key 'seed' stands twice"),
    (b"seed: 2026-13-45\n", "not valid YAML"),
    (None, "cannot be read"),
])
def test_a_file_that_is_no_configuration_is_one_complaint(tree, data, words):
    path = tree.root / "grading_config.yaml"
    path.unlink() if data is None else path.write_bytes(data)
    (complaint,) = tree.complaints()
    assert complaint.startswith("grading_config.yaml: ") and words in complaint


MESSAGES = f"assignments/messages.{CONFIG['language']}.yaml"
DUPLICATES = {
    "a section": ("more: {}\nmore: {}\n", "'more'"),
    "another value": ("more: {}\nmore: [1]\n", "'more'"),
    "a quoted key": ("more: {}\n'more': {}\n", "'more'"),
    "a key in a section": ("more:\n  one: 1\n  two: 2\n  one: 1\n", "'one'"),
    "a key in braces": ("more: {one: 1, two: 2, one: 3}\n", "'one'"),
    "a key in a list": ("more:\n- one: 1\n  one: 2\n", "'one'"),
    "a number": ("more: {1: 1, 1: 2}\n", "1"),
}


@pytest.mark.parametrize("name", ["grading_config.yaml", MESSAGES, "assignments/messages.eo.yaml"])
@pytest.mark.parametrize("row", DUPLICATES)
def test_a_key_that_stands_twice_is_named_with_file_and_line(tree, name, row):
    text, key = DUPLICATES[row]
    path = tree.root / name
    before = (tree.root / (name if path.is_file() else MESSAGES)).read_text(encoding="utf-8")
    path.write_text(before + text, encoding="utf-8")
    (complaint,) = tree.complaints()
    assert complaint.startswith(f"{name}: ") and f"the key {key} stands twice" in complaint, complaint
    (line,) = [int(words.split(",")[0]) for words in complaint.split("line ")[1:]]
    assert len(before.splitlines()) < line <= len((before + text).splitlines())


def test_sections_may_share_keys(tree):
    for name in ("grading_config.yaml", MESSAGES):
        (tree.root / "more.yaml").write_text((tree.root / name).read_text(encoding="utf-8")
                                             + "more: {one: 1, two: {one: 1}}\nmost: {one: 1}\n", encoding="utf-8")
        assert read_yaml(tree.root, "more.yaml")["more"] == {"one": 1, "two": {"one": 1}}


@pytest.mark.parametrize("name", [MESSAGES, "assignments/messages.eo.yaml"])
@pytest.mark.parametrize(("data", "words"), [
    (b"cases: [1, 2", "line 1"),
    (b"checks: {}\n\thints: {}\n", "line 2"),
    (b"checks: caf\xe9\n", "0xe9"),
    ("checks: {}\n".encode("utf-16"), "0xff"),
    (b"checks: a\x00b\n", "#x0000"),
    (b"checks: !!python/name:os.system\n", "python/name"),
    (b"checks: {}\n---\nchecks: {}\n", "another document"),
])
def test_texts_that_cannot_be_read_are_one_complaint(tree, name, data, words):
    (tree.root / name).write_bytes(data)
    (complaint,) = tree.complaints()
    assert complaint.startswith(f"{name}: not valid YAML: ") and words in complaint, complaint


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("question", [FIRST, list(CONFIG["stages"][STAGE]["questions"])[-1]])
def test_a_question_without_a_case_file_is_named(tree, question, hidden):
    path = tree.cases(question, hidden)
    path.unlink()
    assert tree.complaints() == [f"{KEY}.questions.{question}: no cases, {path.relative_to(tree.root)} does not exist"]


def test_too_few_cases_are_named(tree):
    head = "from otter.test_files import test_case\n\n\n"
    tree.cases(FIRST, False).write_text(head)
    tree.cases(SECOND, True).write_text(head + f'@test_case(name="{names_in(tree.cases(SECOND, True))[0]}")\n'
                                        f"def {names_in(tree.cases(SECOND, True))[0]}(ask):\n    pass\n")
    assert tree.complaints() == [
        f"assignments/{STAGE}/public/{FIRST}.py: no public case; a question needs at least 1",
        f"autograder/hidden/{STAGE}/{SECOND}.py: 1 hidden case(s); a question needs at least 2"]


@pytest.mark.parametrize("hidden", [False, True])
def test_cases_without_a_question_are_named(tree, hidden):
    path = tree.cases("forgotten", hidden)
    path.write_text("")
    (complaint,) = tree.complaints()
    assert complaint.startswith(f"{path.relative_to(tree.root)}: ") and f"stages.{STAGE}.questions" in complaint


def test_too_few_points_for_the_cases_are_named(tree):
    count = len(names_in(tree.cases(FIRST, False)) + names_in(tree.cases(FIRST, True)))
    tree.questions(**{FIRST: {"points": (count - 1) / 4, "public_share": 0.25}})
    (complaint,) = tree.complaints()
    assert complaint.startswith(f"{KEY}.questions.{FIRST}.points: {(count - 1) / 4:g} points for {count} cases")
    tree.questions(**{FIRST: {"points": count / 4, "public_share": 0.25}})
    load_course(tree.root)


@pytest.mark.parametrize("hidden", [False, True])
def test_a_case_without_a_title_is_named(tree, hidden):
    for name in names_in(tree.cases(FIRST, hidden))[-1:]:
        tree.replace("assignments/messages.en.yaml", f"  {FIRST}/{name}:", f"  {FIRST}/{name}_:")
        assert tree.complaints() == [f"assignments/messages.en.yaml: cases.{FIRST}/{name}: missing title"]


@pytest.mark.parametrize("path", [f"solutions/{STAGE}.py", f"assignments/{STAGE}/examples.py",
                                  f"assignments/{STAGE}/notebook.{CONFIG['language']}.md"])
def test_a_missing_source_is_named(tree, path):
    (tree.root / path).unlink()
    assert tree.complaints() == [f"{KEY}: the source {path} does not exist"]


def test_all_missing_sources_and_the_language_are_named_at_once(tree):
    for path in (f"solutions/{STAGE}.py", f"assignments/{STAGE}/examples.py"):
        (tree.root / path).unlink()
    tree.set("language", value="eo")
    found = tree.complaints()
    assert "grading_config.yaml: language: no assignments/messages.eo.yaml" in found
    for path in (f"solutions/{STAGE}.py", f"assignments/{STAGE}/examples.py", f"assignments/{STAGE}/notebook.eo.md"):
        assert f"{KEY}: the source {path} does not exist" in found


def test_a_stage_without_sources_is_named(tree):
    tree.config["stages"]["stage_of_dreams"] = {"hours": 1, "questions": {"dream": {"points": 1, "public_share": 0.5}}}
    tree.configure(tree.config)
    found = tree.complaints()
    assert "grading_config.yaml: stages.stage_of_dreams: the source solutions/stage_of_dreams.py does not exist" in found
    assert all("stage_of_dreams" in complaint for complaint in found)


def test_a_question_without_a_reference_is_named(tree):
    for hidden in (False, True):
        shutil.copy(tree.cases(FIRST, hidden), tree.cases("dream", hidden))
    tree.questions(dream={"points": 4, "public_share": 0.25})
    assert tree.complaints() == [f"{KEY}.questions.dream: solutions/{STAGE}.py has no such function"]


def test_a_case_that_exists_public_and_hidden_is_named(tree):
    public, hidden = (names_in(tree.cases(FIRST, hidden))[0] for hidden in (False, True))
    path = tree.cases(FIRST, False).relative_to(tree.root)
    tree.replace(path, f'"{public}"', f'"{hidden}"')
    tree.replace(path, f"def {public}(", f"def {hidden}(")
    (complaint,) = tree.complaints()
    assert complaint.startswith(f"autograder/hidden/{STAGE}/{FIRST}.py: ") and repr(hidden) in complaint and "public" in complaint


def test_complaints_about_several_sources_come_at_once(tree):
    """Wrong case files of two questions, a missing one of a third, few points, no title and a stray file: all are named."""
    last = list(CONFIG["stages"][STAGE]["questions"])[-1]
    for question in (FIRST, SECOND):
        tree.cases(question, True).write_text("X = 1\n" + tree.cases(question, True).read_text())
    tree.cases(THIRD, False).unlink()
    tree.cases("forgotten", True).write_text("")
    tree.questions(**{last: {"points": 0.25, "public_share": 0.25}})
    name = names_in(tree.cases(last, True))[0]
    tree.replace("assignments/messages.en.yaml", f"  {last}/{name}:", f"  {last}/{name}_:")
    text = "\n".join(tree.complaints())
    for words in (f"hidden/{STAGE}/{FIRST}.py:1:", f"hidden/{STAGE}/{SECOND}.py:1:", f"public/{THIRD}.py", "forgotten.py",
                  f"{last}.points", f"cases.{last}/{name}"):
        assert words in text, words


questions = st.builds(lambda quarters, share: Question(points=quarters / 4, public_share=share), st.integers(1, 200),
                      st.floats(0.01, 0.99))


@settings(deadline=None)
@given(questions, st.integers(1, 12), st.integers(1, 20))
def test_points_are_split_in_quarters(question, public, hidden):
    if question.points * 4 < public + hidden:
        with pytest.raises(ValueError, match=f"for {public + hidden} cases"):
            split_points(question, public, hidden)
        return
    split = split_points(question, public, hidden)
    assert [len(part) for part in split] == [public, hidden]
    assert sum(split[0] + split[1]) == question.points
    for part in split:
        assert all((points * 4).is_integer() and points >= 0.25 for points in part)
        assert max(part) - min(part) <= 0.25 and part == sorted(part, reverse=True)
    wanted = question.points * question.public_share
    if public / 4 <= wanted <= question.points - hidden / 4:
        assert abs(sum(split[0]) - wanted) <= 0.125 + 1e-9


def test_points_of_one_question_by_hand():
    assert split_points(Question(points=4, public_share=0.25), 2, 7) == [[0.5, 0.5], [0.5, 0.5, 0.5, 0.5, 0.5, 0.25, 0.25]]
    assert split_points(Question(points=2.25, public_share=0.9), 2, 7) == [[0.25] * 2, [0.25] * 7]
