"""The way in through stock Otter: `otter run` grades through the same border, with Otter's own checker and scores."""

import atexit
import os
import shutil
from pathlib import Path

import nbformat
from otter.plugins import AbstractOtterPlugin

from autograder.grading.bundle import Bundle
from autograder.grading.intake import read_submission
from autograder.isolation.border import Learner, Zygote

TRUSTED_CELL = """\
from autograder.grading.plugin import open_submission
globals().update(open_submission({bundle!r}, {notebook!r}))
"""


class IsolationPlugin(AbstractOtterPlugin):
    """Keeps the submission out of Otter's kernel: only one trusted cell runs there, which makes proxies.

    Otter looks this class up by the name in otter_config.json; the pack must be importable where `otter run` runs.
    """

    def before_grading(self, config):
        """Remove everything submitted but the notebook: logs that Otter would unpickle, packages, stray files."""
        keep = {Path(self.submission_path).name, "tests"}
        for item in Path.cwd().iterdir():
            if item.name not in keep:
                shutil.rmtree(item) if item.is_dir() and not item.is_symlink() else item.unlink()

    def before_execution(self, submission):
        """Replace the notebook that Otter executes by the trusted cell."""
        source = TRUSTED_CELL.format(bundle=os.path.abspath("../source"), notebook=os.path.abspath(self.submission_path))
        kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
        return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)], metadata=kernel)

    def after_grading(self, results):
        """A trusted cell that failed is a fault of the grader: stop loudly instead of giving zeros."""
        for cell in results.notebook.cells:
            for output in cell.get("outputs", []):
                if output.output_type == "error" and "open_submission" in cell.source:
                    raise RuntimeError(f"the grader could not open the submission: {output.ename}: {output.evalue}")


def open_submission(bundle_path, notebook_path):
    """Proxies of a submitted notebook's functions, by question: no other name of its choice enters Otter's kernel."""
    bundle = Bundle(bundle_path)
    submission = read_submission(notebook_path, bundle.questions)
    cells = [(number, source) for number, source in submission.cells if not bundle.is_demo(source)]
    zygote = Zygote()
    atexit.register(zygote.close)
    learner = Learner(zygote, cells, bundle.limits, [bundle_path], bundle.data["isolation"])
    atexit.register(learner.close)
    return {name: proxy for name, proxy in learner.proxies().items() if name in bundle.questions}
