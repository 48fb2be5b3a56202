"""Hidden cases of forget_chain_grad."""

import numpy as np
from otter.test_files import test_case


def chain(rng, L, d):
    """Gates away from 0 and 1, and cells, written values and judgements of order one."""
    sign = rng.choice([-1.0, 1.0], size=d)
    return (sign * rng.uniform(0.5, 2.0, size=d), rng.uniform(0.01, 0.99, size=(L, d)), sign * rng.uniform(0.2, 1.5, size=(L, d)),
            rng.uniform(0.3, 2.0, size=(L, d)) * rng.choice([-1.0, 1.0], size=d))


def loss_of(reference, args):
    """The loss, by the derivatives with respect to what is written: it is linear in c0 and gs."""
    c0, fs, gs, d_c = args
    d_c0, _, d_gs = reference(c0, fs, gs, d_c)
    return float(np.sum(d_c0 * c0) + np.sum(d_gs * gs))


@test_case(name="values_on_several_sizes")
def values_on_several_sizes(ask):
    for rng, (L, d) in zip(ask.generators(6), [(4, 3), (1, 4), (2, 2), (7, 1), (3, 5), (6, 2)], strict=True):
        ask.agrees(*chain(rng, L, d))
    (rng,) = ask.generators(1)
    # Closed and open gates, and a loss that judges one cell only.
    c0, fs, gs, d_c = chain(rng, 4, 3)
    fs[1], fs[2, 0] = 1.0, 0.0
    ask.agrees(c0, fs, gs, d_c)
    for row in (0, 3):
        judged = np.zeros_like(d_c)
        judged[row] = d_c[row]
        ask.agrees(c0, fs, gs, judged)


@test_case(name="differences_for_every_output")
def differences_for_every_output(ask):
    # Long chains of gates that let something through from one end to the other.
    for rng, (L, d) in zip(ask.generators(2), [(5, 3), (14, 2)], strict=True):
        c0, fs, gs, d_c = chain(rng, L, d)
        args = (c0, np.maximum(fs, 0.7), gs, d_c)
        for position in range(3):
            ask.matches_differences(args, loss_of, pick=lambda result, position=position: result[position],
                                    wrt=lambda given, position=position: given[position])


@test_case(name="types_and_shapes_on_several_sizes")
def types_and_shapes_on_several_sizes(ask):
    for rng, (L, d) in zip(ask.generators(3), [(4, 3), (1, 2), (3, 1)], strict=True):
        ask.has_types_and_shapes(*chain(rng, L, d))


@test_case(name="keeps_arguments")
def keeps_arguments(ask):
    (rng,) = ask.generators(1)
    ask.keeps_arguments(*chain(rng, 4, 3))


@test_case(name="keeps_no_state")
def keeps_no_state(ask):
    first, second = ask.generators(2)
    args, other = chain(first, 4, 3), chain(second, 4, 3)
    ask.keeps_no_state(args, other)
    ask.keeps_no_state(args, (other[0], args[1], *other[2:]))
