"""Hidden cases of forget_jacobian."""

import numpy as np
from otter.test_files import test_case


@test_case(name="values_on_several_sizes")
def values_on_several_sizes(ask):
    for rng, d in zip(ask.generators(3), [1, 3, 6], strict=True):
        ask.has_types_and_shapes(rng.uniform(0.05, 0.95, size=d))
    ask.has_types_and_shapes(np.array([0.0, 1.0, 0.5, 0.25]))


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    (rng,) = ask.generators(1)
    ask.keeps_no_state((rng.uniform(size=3),), (rng.uniform(size=3),))
