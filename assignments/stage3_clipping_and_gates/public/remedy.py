"""Public cases of remedy."""

from otter.test_files import test_case


@test_case(name="two_diagnoses")
def two_diagnoses(ask):
    ask.agrees("exploding")
    ask.agrees("healthy")
