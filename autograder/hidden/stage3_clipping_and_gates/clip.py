"""Hidden cases of clip."""

import numpy as np
from otter.test_files import test_case


def gradients(rng, norm, *shapes):
    """A gradient dict of a given global norm; the arrays differ much in size."""
    drawn = [10.0 ** position * (rng.normal(size=shape) + 0.3) for position, shape in enumerate(shapes)]
    scale = norm / np.sqrt(sum(np.sum(array**2) for array in drawn))
    return {f"array_{position}": scale * array for position, array in enumerate(drawn)}


@test_case(name="norms_below_at_and_above_tau")
def norms_below_at_and_above_tau(ask):
    all_shapes = [((3, 4), (5,), (2, 3, 2)), ((6, 2), (6,)), ((1,), (1, 1)), ((4,),)]
    for rng, shapes in zip(ask.generators(4), all_shapes, strict=True):
        for norm, tau in [(50.0, 5.0), (4.9, 5.0), (2.0, 1.25), (0.5, 0.75), (1.0, 1.0), (5.1, 5.0), (3.0, 30.0)]:
            ask.agrees(gradients(rng, norm, *shapes), tau)
    (rng,) = ask.generators(1)
    ask.agrees(gradients(rng, 40.0, (3, 2), (4,)))
    ask.agrees(gradients(rng, 4.0, (3, 2), (4,)))
    # Each array alone is short enough, all of them together are not.
    ask.agrees({name: np.full(3, 1.5 + number) for number, name in enumerate(("W", "U", "b"))}, 6.0)
    ask.agrees({"W": np.zeros((2, 3)), "b": np.array([8.0, -6.0])}, 5.0)


@test_case(name="very_large_entries")
def very_large_entries(ask):
    (rng,) = ask.generators(1)
    for size in (1e6, 1e50, 1e100):
        ask.agrees({"W": size * rng.uniform(0.1, 1.0, size=(3, 2)), "b": size * rng.uniform(-1.0, 0.5, size=4)}, 5.0)


@test_case(name="types_and_shapes_on_several_shapes")
def types_and_shapes_on_several_shapes(ask):
    (rng,) = ask.generators(1)
    ask.has_types_and_shapes(gradients(rng, 9.0, (3, 4), (5,), (2, 1)), 5.0)
    ask.has_types_and_shapes(gradients(rng, 2.0, (1, 4), (1,)), 5.0)


@test_case(name="refuses_what_is_not_finite")
def refuses_what_is_not_finite(ask):
    (rng,) = ask.generators(1)
    spoilt = []
    for name, value in (("W", np.inf), ("b", -np.inf), ("b", np.nan)):
        grads = {"W": rng.normal(size=(2, 3)), "b": rng.normal(size=4)}
        grads[name].flat[-1] = value
        spoilt.append((grads, 5.0))
    ask.refuses(*spoilt, valid=({"W": rng.normal(size=(2, 3)), "b": 9.0 + rng.normal(size=4)}, 5.0))


@test_case(name="refuses_tau_that_is_not_positive")
def refuses_tau_that_is_not_positive(ask):
    (rng,) = ask.generators(1)
    grads = gradients(rng, 9.0, (2, 3), (4,))
    ask.refuses((grads, 0.0), (grads, -5.0), valid=(grads, 5.0))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(gradients(rng, 9.0, (2, 3), (4,)), 5.0)
    ask.keeps_arguments(gradients(rng, 3.0, (2, 3), (4,)), 5.0)


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    first, second = ask.generators(2)
    grads, other = gradients(first, 9.0, (2, 3), (4,)), gradients(second, 70.0, (2, 3), (4,))
    ask.keeps_no_state((grads, 5.0), (other, 5.0))
    ask.keeps_no_state((grads, 5.0), (grads, 2.0))
    ask.keeps_no_state((grads, 5.0), ({**grads, "array_1": 8.0 + other["array_1"]}, 5.0))
