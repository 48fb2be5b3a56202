"""Hidden cases of remedy."""

from otter.test_files import test_case


@test_case(name="every_diagnosis")
def every_diagnosis(ask):
    for diagnosis in ("vanishing", "not_finite", "exploding", "healthy"):
        ask.agrees(diagnosis)


@test_case(name="refuses_other_texts")
def refuses_other_texts(ask):
    ask.refuses(("fine",), ("clip",), ("Exploding",), ("",), valid=("vanishing",))
