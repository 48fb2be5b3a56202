"""Hidden cases of fault_run."""

import numpy as np
from otter.test_files import test_case

from solutions.lab_fault_matrix import fault_signals


def signals_of(ask, seed, row):
    """(what the row of the fault matrix demands, the record): judged by the reference's signals."""
    rho, activation, tau, updates = {"a": (1.5, "linear", None, 2), "b": (1.5, "linear", 5.0, 100), "c": (0.5, "tanh", 5.0, 5),
                                     "c without clipping": (0.5, "tanh", None, 5), "d": (1.0, "tanh", None, 2),
                                     "d without saturation": (1.0, "linear", None, 2),
                                     "x": (1.5, "tanh", None, 2)}[row]
    record = ask.answer_in_form(seed, rho, activation, tau, 0.01, updates)
    return fault_signals(record, tau), record


def demand(ask, row, signals, **wanted):
    for name, value in wanted.items():
        ask.requires(signals[name] == value, "other_signal", row=row, signal=name, expected=value, got=signals[name])


def seeds_of(ask):
    return [int(rng.integers(10_000, 10**9)) for rng in ask.generators(5)]


@test_case(name="records_of_several_runs")
def records_of_several_runs(ask):
    # Short runs as a whole; long ones at the first update, since rounding tells right programs apart later.
    for seed, (rho, activation, tau, lr, updates, T) in zip(seeds_of(ask), [
            (0.9, "tanh", None, 0.2, 5, 4), (1.2, "linear", 1.5, 0.05, 5, 5), (1.3, "tanh", 0.3, 0.1, 4, 3),
            (0.7, "linear", 50.0, 0.1, 3, 6), (1.1, "tanh", 0.2, 0.3, 6, 5)], strict=True):
        ask.agrees(seed, rho, activation, tau, lr, updates, T)
    settings = [(1.5, "linear", None, 100), (1.5, "linear", 5.0, 100), (0.5, "tanh", 5.0, 100), (1.0, "tanh", None, 60),
                (1.5, "tanh", 0.5, 30), (1.2, "linear", 2.0, 12)]
    for seed, (rho, activation, tau, T) in zip([*seeds_of(ask), 7], settings, strict=True):
        args = (seed, rho, activation, tau, 0.01, 1, T)
        expected, record = ask.reference(*args), ask.answer_in_form(*args)
        # The loss after the update is another case's.
        ask.agrees(*args, expected={**expected, "losses": np.array([expected["losses"][0], record["losses"][1]])})


@test_case(name="after_an_explosion")
def after_an_explosion(ask):
    first, second, third, *_ = seeds_of(ask)
    # In the last run the very first loss is infinite, and its gradient is not NaN.
    for args in [(first, 1.5, "linear", None, 0.01, 2), (second, 1.5, "linear", None, 0.01, 5),
                 (third, 1e160, "linear", None, 0.01, 2, 2)]:
        expected, record = ask.reference(*args), ask.answer_in_form(*args)
        for name in ("losses", "grad_norms", "applied_norms", "cosines"):
            got = record[name]
            ask.requires(np.array_equal(np.isfinite(got), np.isfinite(expected[name])), "finite_elsewhere", name=name)
            ask.requires(name == "losses" or np.array_equal(np.isnan(got), np.isnan(expected[name])), "finite_elsewhere",
                         name=name)


@test_case(name="signals_of_the_fault_matrix")
def signals_of_the_fault_matrix(ask):
    for seed in seeds_of(ask):
        signals, _ = signals_of(ask, seed, "a")
        demand(ask, "a", signals, exploded=True, loss_not_finite=True, training_alive=False, norm_capped=False)
        signals, record = signals_of(ask, seed, "b")
        demand(ask, "b", signals, norm_capped=True, direction_kept=True, training_alive=True, loss_not_finite=False)
        ask.requires(record["losses"][-1] <= 1e-10 * record["losses"][0], "loss_not_down")
        signals, record = signals_of(ask, seed, "c")
        demand(ask, "c", signals, first_input_forgotten=True, last_input_healthy=True, training_alive=False, exploded=False)
        _, free = signals_of(ask, seed, "c without clipping")
        ask.requires(all(np.array_equal(record[name], free[name]) for name in free), "clipping_made_a_difference")
        signals, record = signals_of(ask, seed, "d")
        demand(ask, "d", signals, slow_decay=True, exploded=False, first_input_forgotten=False)
        _, twin = signals_of(ask, seed, "d without saturation")
        first, first_of_twin = (ask.reference(seed, 1.0, activation, None, 0.01, 1)["dx_norms"][0]
                                for activation in ("tanh", "linear"))
        # In one seed of a hundred the twin is not the larger one: what counts is what a right program finds.
        demand(ask, "d", {"below_its_linear_twin": record["dx_norms"][0] < twin["dx_norms"][0]},
               below_its_linear_twin=first < first_of_twin)
        signals, _ = signals_of(ask, seed, "x")
        demand(ask, "x", signals, exploded=False, loss_not_finite=False)


@test_case(name="types_and_shapes_of_the_record")
def types_and_shapes_of_the_record(ask):
    ask.has_types_and_shapes(11, 0.9, "tanh", 5.0, 0.1, 3, 4)
    ask.has_types_and_shapes(12, 0.9, "linear", None, 0.1, 1, 2)


@test_case(name="refuses_an_unknown_activation")
def refuses_an_unknown_activation(ask):
    ask.refuses((3, 0.9, "sigmoid", None, 0.1, 2, 3), (3, 0.9, "Tanh", 5.0, 0.1, 2, 3), valid=(3, 0.9, "tanh", None, 0.1, 2, 3))
