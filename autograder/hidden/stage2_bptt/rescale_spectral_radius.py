"""Hidden cases of rescale_spectral_radius."""

import numpy as np
from otter.test_files import test_case


@test_case(name="values_on_several_sizes")
def values_on_several_sizes(ask):
    random, positive, rotating = ask.generators(8)[:4], ask.generators(8)[4:6], ask.generators(8)[6:]
    for rng, (d, rho) in zip(random, [(5, 0.5), (3, 1.5), (8, 1.0), (1, 2.0)], strict=True):
        ask.agrees(rng.normal(size=(d, d)) + 0.1, rho)
    # Entries of one sign: the eigenvalue of largest modulus is real, has that sign and stands apart from the others.
    for rng, (factor, rho) in zip(positive, [(1.0, 0.9), (-0.05, 1.25)], strict=True):
        ask.agrees(factor * rng.uniform(0.2, 3.0, size=(4, 4)), rho)
    # The eigenvalues of largest modulus are a complex pair.
    for rng, (rest, rho) in zip(rotating, [(0.7, 0.6), (-0.3, 1.75)], strict=True):
        real, imaginary = rng.uniform(0.1, 0.5), rng.uniform(1.5, 3.0)
        ask.agrees(np.array([[rest, rng.normal(), rng.normal()], [0.0, real, imaginary], [0.0, -imaginary, real]]), rho)


@test_case(name="types_and_shapes_on_several_sizes")
def types_and_shapes_on_several_sizes(ask):
    (rng,) = ask.generators(1)
    ask.has_types_and_shapes(rng.normal(size=(5, 5)), 0.8)
    ask.has_types_and_shapes(np.array([[0, -3], [2, 1]]), 2)
    ask.has_types_and_shapes(np.array([[-4.0]]), 0.5)


@test_case(name="refuses_not_square")
def refuses_not_square(ask):
    (rng,) = ask.generators(1)
    ask.refuses((rng.normal(size=(3, 2)), 0.5), (rng.normal(size=(2, 4)), 0.5), valid=(rng.normal(size=(3, 3)), 0.5))


@test_case(name="refuses_zero_and_triangular")
def refuses_zero_and_triangular(ask):
    (rng,) = ask.generators(1)
    upper = np.triu(rng.uniform(1.0, 2.0, size=(4, 4)), 1)
    ask.refuses((np.zeros((3, 3)), 0.5), (upper, 1.0), (upper.T.copy(), 1.5), valid=(rng.normal(size=(4, 4)), 0.5))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(rng.normal(size=(4, 4)), 0.5)


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    (rng,) = ask.generators(1)
    W = rng.normal(size=(4, 4))
    ask.keeps_no_state((W, 0.5), (W, 0.25))
    ask.keeps_no_state((W, 0.5), (rng.normal(size=(4, 4)), 0.5))
