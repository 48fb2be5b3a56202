"""Hidden cases of global_norm."""

import numpy as np
from otter.test_files import test_case


def gradients(rng, *shapes):
    return {f"array_{position}": rng.normal(size=shape) + 0.5 for position, shape in enumerate(shapes)}


@test_case(name="values_on_several_shapes")
def values_on_several_shapes(ask):
    all_shapes = [((3, 4), (5,), (2, 3, 2)), ((6, 2), (6,)), ((1,), (1, 1)), ((4,),), ((), (3,))]
    for rng, shapes in zip(ask.generators(5), all_shapes, strict=True):
        ask.agrees(gradients(rng, *shapes))
    (rng,) = ask.generators(1)
    large = gradients(rng, (3, 2), (4,))
    ask.agrees({name: 1e100 * gradient for name, gradient in large.items()})
    ask.agrees({"W": np.zeros((2, 3)), "b": np.array([0.25, -0.5])})
    ask.agrees({name: 1e-9 * gradient for name, gradient in large.items()})


@test_case(name="types_and_shapes_with_and_without_arrays")
def types_and_shapes_with_and_without_arrays(ask):
    (rng,) = ask.generators(1)
    ask.has_types_and_shapes(gradients(rng, (3, 2), (3,)))
    ask.has_types_and_shapes(gradients(rng, (1, 1)))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(gradients(rng, (3, 2), (3,)))
