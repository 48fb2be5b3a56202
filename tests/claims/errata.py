"""Print ERRATA.md, made from claims.yaml: python tests/claims/errata.py > ERRATA.md ."""

from pathlib import Path

import yaml

TABLE = yaml.safe_load((Path(__file__).parent / "claims.yaml").read_text())
HEAD = """\
<!-- Made from tests/claims/claims.yaml by: python tests/claims/errata.py > ERRATA.md -->

# Errata to the course page

For instructors. The notebooks follow the course page closely, and most of what it says is true as it stands. We checked
every claim; this is what turned out to be wrong, or true only under a condition. Numbers are measured over at least 200 seeds
by the tests in `tests/claims/`. Rows marked "source" have nothing to measure and rest on the sources they name.

| # | the page says | what we found | the notebooks teach | where |
|---|---|---|---|---|
"""


def errata():
    """The text of ERRATA.md."""
    lines = []
    for number, row in enumerate(TABLE["errata"], start=1):
        found = row["measured"] + (" (source)" if "sources" in row else "")
        lines.append(f"| {number} | {row['page']} | {found} | {row['taught']} | `{row['where']}` |\n")
    return HEAD + "".join(lines)


if __name__ == "__main__":
    print(errata(), end="")
