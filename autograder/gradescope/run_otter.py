"""Otter's own entry point, for `otter grade`: the same grader as run_autograder."""

import os

os.execv("/autograder/run_autograder", ["run_autograder"])
