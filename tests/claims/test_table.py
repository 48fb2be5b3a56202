"""No row of the table is forgotten, and ERRATA.md is what the table gives."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from claims.errata import TABLE

ROWS = [row for rows in TABLE.values() for row in rows]
STAGES = {"stage1_recurrence", "stage2_bptt", "stage3_clipping_and_gates", "stage4_lstm_gru", "interlude_word_vectors",
          "stage5_seq2seq_attention", "stage6_transformer_lineage", "lab_fault_matrix"}
# Tests that are about the tests, not about a claim.
OF_THE_TESTS = {"test_the_runs_in_batches_are_those_of_the_reference", "test_complex_steps_agree_with_the_reference"}


def test_every_row_has_its_test_or_a_reason():
    modules = [importlib.import_module(f"claims.{path.stem}") for path in Path(__file__).parent.glob("test_*.py")
               if path != Path(__file__)]
    tests = {name for module in modules for name in vars(module) if name.startswith("test_")}
    assert sorted(f"test_{row['key']}" for row in ROWS if "sources" not in row) == sorted(tests - OF_THE_TESTS)
    assert tests >= OF_THE_TESTS


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["key"])
def test_rows_are_complete(row):
    assert row.keys() - {"sources"} == {"key", "page", "measured", "taught", "where"}
    assert all(isinstance(text, str) and text.strip() and "|" not in text for text in row.values())
    assert row["where"] in STAGES


def test_errata_are_what_the_table_gives():
    made = subprocess.run([sys.executable, ROOT / "tests" / "claims" / "errata.py"], capture_output=True, check=True).stdout
    assert (ROOT / "ERRATA.md").read_bytes() == made, "run: python tests/claims/errata.py > ERRATA.md"
