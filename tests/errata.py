"""Writes ERRATA.md from tests/claims.yaml: `python tests/errata.py`."""

from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
HEAD = """# Errata of the course page, for instructors

What the course page says, what we measured, and what the notebooks teach instead. Numbers are run over at least 200 seeds by
`tests/test_claims.py`. Made from `tests/claims.yaml` by `python tests/errata.py`.

| the page says | we measured | the notebooks teach | where |
|:---|:---|:---|:---|
"""


def table():
    """The entries, in the order of the table."""
    return yaml.safe_load((ROOT / "tests" / "claims.yaml").read_text(encoding="utf-8"))


def errata():
    """The text of ERRATA.md."""
    return HEAD + "".join(f"| {row['page']} | {row['measured']} | {row['teach']} | {row['stage']} |\n" for row in table())


if __name__ == "__main__":
    (ROOT / "ERRATA.md").write_text(errata(), encoding="utf-8")
