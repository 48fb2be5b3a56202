"""Hidden cases of fault_signals."""

import numpy as np
from otter.test_files import test_case


def record(losses=(5.0, 6.0, 4.0), grad_norms=(30.0, 2.0), applied_norms=(5.0, 2.0), cosines=(1.0, 1.0),
           dx_norms=(2e-3, 1e-2, 0.5)):
    """A run in which clipping worked and the loss fell; the caller changes what matters."""
    return {name: np.array(values, float) for name, values in locals().items()}


@test_case(name="each_signal_by_itself")
def each_signal_by_itself(ask):
    ask.agrees(record(), 5.0)
    for dx_norms in [(1e11, 2.0, 0.5), (9e9, 2.0, 0.5), (1e-11, 1e-4, 0.3), (2e-10, 1e-4, 0.3), (1e-9, 1e-4, 0.3),
                     (0.2, 1e13, 0.7), (0.8, 0.6, 0.4), (0.5, 0.2, 0.9), (3.0, 2.0, 6.0), (1e-4, 5e-3, 5e-4), (0.5, 1e-3, 1e-12),
                     (1e-5, 2e-2, 1e-5)]:
        ask.agrees(record(dx_norms=dx_norms), 5.0)
    for losses in [(5.0, 4.0, 6.0), (5.0, 3.0, 4.0), (5.0, 9.0, 4.9), (5.0, 5.0, 5.0), (5.0, 4.0, 5.0)]:
        ask.agrees(record(losses=losses), 5.0)
    for cosines in [(1.0, 0.5), (1.0, 1 - 1e-8), (1 - 1e-10, 1.0), (-1.0, 1.0), (1.0 + 1e-12, 1.0)]:
        ask.agrees(record(cosines=cosines), 5.0)


@test_case(name="capping")
def capping(ask):
    for grad_norms, applied_norms, tau in [
            ((30.0, 20.0), (5.0, 5.0), 5.0), ((30.0, 20.0), (5.0, 20.0), 5.0), ((30.0, 20.0), (5.0, 4.0), 5.0),
            ((3.0, 2.0), (3.0, 2.0), 5.0), ((30.0, 2.0), (5.0, 5.0), 5.0), ((30.0, 2.0), (5.00001, 2.0), 5.0),
            ((30.0, 2.0), (5.001, 2.0), 5.0), ((30.0, 2.0), (4.999, 2.0), 5.0), ((30.0, 2.0), (0.0, 2.0), 5.0),
            ((30.0, 20.0), (30.0, 20.0), 5.0), ((5.0, 5.0), (5.0, 5.0), 5.0), ((30.0, 2.0), (7.0, 2.0), 7.0),
            ((30.0, 2.0), (7.00005, 2.0), 7.0)]:
        ask.agrees(record(grad_norms=grad_norms, applied_norms=applied_norms), tau)
    ask.agrees(record(), None)


@test_case(name="what_is_not_finite")
def what_is_not_finite(ask):
    nan, inf = float("nan"), float("inf")
    for losses in [(5.0, nan, nan), (5.0, inf, nan), (5.0, inf, 4.0), (5.0, 4.0, inf), (inf, nan, nan), (5.0, nan, 1.0)]:
        ask.agrees(record(losses=losses), 5.0)
    for dx_norms in [(nan, 1.0, 0.5), (inf, 1.0, 0.5), (0.1, inf, 0.5), (0.1, 0.2, inf), (0.1, 0.2, nan)]:
        ask.agrees(record(dx_norms=dx_norms), None)
    for cosines in [(1.0, nan), (nan, nan), (0.5, nan)]:
        ask.agrees(record(cosines=cosines), 5.0)
    ask.agrees(record(grad_norms=(30.0, nan), applied_norms=(5.0, nan), cosines=(1.0, nan)), 5.0)
    ask.agrees(record(grad_norms=(nan, nan), applied_norms=(nan, nan), cosines=(nan, nan)), 5.0)


@test_case(name="values_at_the_limits")
def values_at_the_limits(ask):
    for dx_norms in [(1e10, 1.0, 0.5), (9999999999.5, 1.0, 0.5), (1e-10, 1e-3, 0.5),
                     (1e-8, 1e-3, 0.5), (1.0, 1.5, 2.0), (0.5, 0.7, 0.5), (0.1, 0.1, 1e-3)]:
        ask.agrees(record(dx_norms=dx_norms), 5.0)
    ask.agrees(record(cosines=(1 - 1e-9, 1.0)), 5.0)


@test_case(name="types_of_the_signals")
def types_of_the_signals(ask):
    ask.has_types_and_shapes(record(), 5.0)
    ask.has_types_and_shapes(record(losses=(5.0, float("nan"), float("nan"))), None)


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    ask.keeps_arguments(record(losses=(5.0, float("inf"), float("nan")), grad_norms=(30.0, float("nan")),
                               applied_norms=(5.0, float("nan")), cosines=(1.0, float("nan"))), 5.0)
