"""Odd but honest: full marks for every one."""

import io
import json
import zipfile

import nbformat

from submissions.kit import as_bytes, case, notebooks

notebooks("oddity", "full", {
    "C35_gui_backend": "%matplotlib qt\nimport matplotlib\nmatplotlib.use('Agg')\n# %%\n$right",
    "C46_takes_star_arguments": "$right\nnamed = $question\ndef $question(*args):\n    return named(*args)",
    "C47_helpers_spread_over_cells": "$right\n# %%\nfirst_half = $question\n# %%\n"
                                     "$question = lambda *values: first_half(*values)",
    "C49_module_written_by_a_cell": "%%writefile of_mine.py\nimport numpy as np\n$right\n# %%\nfrom of_mine import $question",
    "C50_pool_and_threads": """$right
# %%
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
with multiprocessing.get_context('fork').Pool(2) as pool: squares = pool.map(abs, range(4))
with ThreadPoolExecutor(2) as threads: list(threads.map(abs, range(4)))
whole = $question
def $question(*values):
    assert squares == [0, 1, 2, 3]
    return whole(*values)""",
    "C52_main_guard": "$right\nguarded = $question\nif __name__ == '__main__':\n"
                      "    def $question(*values): return guarded(*values)",
    "C53_display_and_print_in_the_function": """$right
quiet = $question
def $question(*values):
    print(values); display(values); get_ipython().run_line_magic('time', '1')
    return quiet(*values)""",
    "C55_prints_five_megabytes_while_graded": """$right
quiet = $question
def $question(*values):
    print('x' * 5_000_000)
    return quiet(*values)""",
    "O01_magics": "%load_ext autoreload\n%autoreload 2\n!pip --version\nfiles = !ls\n# %%\n%%time\n$right",
    "O02_top_level_await": "import asyncio\nawait asyncio.sleep(0)\n# %%\n$right",
    "O03_colab": "from google.colab import drive\ndrive.mount('/content/drive')\n# %%\n$right",
    "O04_redefines_after_a_wrong_try": "$wrong\n# %%\n$right",
    "O05_recursion_limit_and_seeds": "import random, sys\nsys.setrecursionlimit(5000)\n"
                                     "np.random.seed(0); random.seed(0)\n# %%\n$right",
    "O06_own_tests_that_fail": "$right\n# %%\nassert $question is None, 'my own test'",
    "O07_warnings_are_errors": "import warnings\nwarnings.simplefilter('error')\n# %%\n$right",
    "O08_numpy_print_and_error_settings": "np.set_printoptions(precision=1); np.seterr(all='raise')\n"
                                          "# %%\n$right\nnp.seterr(all='warn')",
    "O09_functools_and_classes": """$right
import functools
class Model:
    inner = staticmethod($question)
    def __call__(self, *values): return self.inner(*values)
$question = functools.partial(Model())""",
    "O10_type_hints_and_future": "from __future__ import annotations\n# %%\n$right\n"
                                 "$question.__annotations__ = {'return': 'np.ndarray'}",
    "O11_names_of_builtins": "$right\n# %%\ndef open(*a): return None\ndef env(*a): return None\nlist = sum = print",
    "O12_changes_its_folder": "import os, tempfile\nos.chdir(tempfile.mkdtemp())\n# %%\n$right",
    "O13_writes_and_reads_files": "np.save('w.npy', np.eye(2)); assert np.load('w.npy').shape == (2, 2)\n# %%\n$right",
    "O14_logging_and_tqdm_style_output": "import logging, sys\n"
                                         "logging.basicConfig(level=0); sys.stdout.write('\\r50%'); sys.stdout.flush()\n"
                                         "# %%\n$right",
    "O15_subprocess": "import subprocess, sys\n"
                      "print(subprocess.run([sys.executable, '-c', 'print(1)'], capture_output=True).stdout)\n"
                      "# %%\n$right",
    "O16_html_and_images": "from IPython.display import HTML, Image, display as show\nshow(HTML('<b>x</b>'))\n# %%\n$right",
})


def _file(case_id, name="homework.ipynb"):
    """Register a case made from the notebook with the right function: the function turns it into bytes or files."""
    def register(change):
        def make(target):
            changed = change(target.notebook("$right"))
            return changed if isinstance(changed, dict) else {name: changed}
        case(case_id, "oddity", "full")(make)
        return change
    return register


@_file("C37_bom_and_windows_lines")
def bom_and_windows_lines(notebook):
    return b"\xef\xbb\xbf" + as_bytes(notebook).replace(b"\n", b"\r\n")


@_file("C38_latin1_in_a_text_cell")
def latin1_in_a_text_cell(notebook):
    notebook["cells"].insert(0, {"cell_type": "markdown", "id": "m", "metadata": {}, "source": "caf\u00e9"})
    return json.dumps(notebook, ensure_ascii=False).encode("latin-1", "ignore")


@_file("O20_utf16")
def utf16(notebook):
    return json.dumps(notebook).encode("utf-16")


@_file("C40_large_outputs")
def large_outputs(notebook):
    notebook["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * 20 * 2**20}]
    return as_bytes(notebook)


@_file("C41_unknown_kernel")
def unknown_kernel(notebook):
    notebook["metadata"] = {"kernelspec": {"name": "my-env", "display_name": "my env", "language": "python"}, "colab": {"x": [1]}}
    return as_bytes(notebook)


@_file("C44_code_in_the_metadata")
def code_in_the_metadata(notebook):
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["metadata"] = {"otter": {"tests": ['x")\nraise SystemExit("from metadata")\n("']}}
    return as_bytes(notebook)


@_file("O21_format_3")
def format_3(notebook):
    return nbformat.writes(nbformat.convert(nbformat.from_dict(notebook), 3), version=3).encode()


@_file("O22_without_cell_ids_and_with_lists_of_lines")
def without_cell_ids(notebook):
    for cell in notebook["cells"]:
        del cell["id"]
        cell["source"] = cell["source"].splitlines(keepends=True)
    return as_bytes({**notebook, "nbformat_minor": 2})


@_file("O23_equal_cell_ids_and_unknown_fields")
def equal_cell_ids(notebook):
    for cell in notebook["cells"]:
        cell.update(id="same", extra={"x": 1})
    return as_bytes(notebook)


@_file("O24_name_with_spaces_and_umlauts", name="Abgabe \u00fcbung (1) - Kopie.ipynb")
def name_with_spaces(notebook):
    return as_bytes(notebook)


@_file("O25_upper_case_suffix", name="HOMEWORK.IPYNB")
def upper_case_suffix(notebook):
    return as_bytes(notebook)


@_file("O26_double_suffix", name="homework.ipynb.json")
def double_suffix(notebook):
    return as_bytes(notebook)


@_file("O27_folder_with_other_files")
def folder_with_other_files(notebook):
    return {"notes.txt": b"hello", "data/x.csv": b"1,2", "work/homework.ipynb": as_bytes(notebook), "img.png": b"\x89PNG"}


@_file("O28_zip_from_a_mac")
def zip_from_a_mac(notebook):
    return {"work.zip": zipped({"__MACOSX/work/._homework.ipynb": b"\x00\x05\x16\x07", "work/.DS_Store": b"\0",
                                "work/homework.ipynb": as_bytes(notebook)})}


@_file("O29_zip_with_an_older_copy")
def zip_with_an_older_copy(notebook):
    empty = as_bytes({**notebook, "cells": []})
    return {"work.zip": zipped({"work/.ipynb_checkpoints/homework-checkpoint.ipynb": empty,
                                "work/homework.ipynb": as_bytes(notebook), "work/scratch.ipynb": empty})}


@_file("O30_zip_in_a_zip")
def zip_in_a_zip(notebook):
    return {"outer.zip": zipped({"inner.zip": zipped({"homework.ipynb": as_bytes(notebook)})})}


@_file("O31_zip_with_backslashes")
def zip_with_backslashes(notebook):
    return {"work.zip": zipped({"work\\homework.ipynb": as_bytes(notebook)})}


def zipped(files):
    """A compressed zip of {name: bytes}."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()
