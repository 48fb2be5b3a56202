"""Hidden cases of diagnose_gradient."""

import numpy as np
from otter.test_files import test_case


@test_case(name="diagnoses_at_and_around_the_limits")
def diagnoses_at_and_around_the_limits(ask):
    for first, last in [(1024.0, 1.0), (999.0, 1.0), (1001.0, 1.0), (1e-6, 1.0), (1.01e-6, 1.0), (0.99e-6, 1.0), (0.0, 2.0),
                        (4.0, 4.0), (3.0, 0.002), (3e-7, 2e-8), (2e-9, 1e-3), (7.0, 1e-5), (1e200, 1e198)]:
        ask.agrees(np.array([first, 0.7 * first + 0.3 * last, last]))
    ask.agrees(np.array([1000.0, 1.0]))
    ask.agrees(np.array([0.25]))
    # What lies between the ends does not count.
    ask.agrees(np.array([1.0, 1e9, 1e-9, 2.0]))
    ask.agrees(np.array([5e4, 1e-9, 3e4, 1e6, 0.5]))


@test_case(name="limits_of_the_caller")
def limits_of_the_caller(ask):
    norms = np.array([60.0, 3.0, 0.5])
    for explode_at, vanish_at in [(100.0, 1e-3), (100.0, 130.0), (120.0, 1e-3), (121.0, 1e-3), (1e6, 130.0), (1e6, 119.0)]:
        ask.agrees(norms, explode_at, vanish_at)
    ask.agrees(norms[::-1].copy(), 1e3, 0.01)
    ask.agrees(norms[::-1].copy(), 1e3, 0.005)


@test_case(name="not_finite_comes_first")
def not_finite_comes_first(ask):
    for norms in ([np.nan, 1.0, 2.0], [1.0, np.inf, 2.0], [3.0, 1.0, np.nan], [1e9, 1.0, np.inf], [1.0, np.nan, 0.0]):
        ask.agrees(np.array(norms))
    ask.agrees(np.array([8.0, 4.0, 2.0]))


@test_case(name="refuses_a_last_norm_of_zero")
def refuses_a_last_norm_of_zero(ask):
    ask.refuses((np.array([1.0, 0.5, 0.0]),), (np.zeros(3),), (np.array([0.0]),), valid=(np.array([0.0, 0.5, 1.0]),))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    ask.keeps_arguments(np.array([5e4, 2.0, 4.0]))
    ask.keeps_arguments(np.array([1.0, np.inf, 1.0]))
