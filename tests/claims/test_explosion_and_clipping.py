"""Products of many factors, experiment E and its fault matrix, clipping. Counts are printed: pytest -s."""

import numpy as np
import pytest

from claims.batch import (
    SEEDS,
    SOME_SEEDS,
    drawn,
    experiments,
    fault_runs,
    forward_backward,
    holds,
    matrix_norm,
    norm,
    radius,
    record,
    sigmoid,
    transposed,
    with_radius,
)
from solutions.lab_fault_matrix import fault_run, fault_signals, make_experiment, product_experiment
from solutions.lab_fault_matrix import forward_backward as reference_forward_backward
from solutions.stage2_bptt import log_product_trajectory
from solutions.stage3_clipping_and_gates import clip

NEAR_ONE, BELOW_ONE, ABOVE_ONE = (0.8, 1.2), (0.0, 0.8), (1.0, 1.2)


def reference_runs(rho, activation, tau=None, lr=1e-2, updates=1):
    """The lab's own records, one per seed."""
    return [fault_run(seed, rho, activation, tau, lr, updates) for seed in SEEDS]


def first_norms(records):
    """||dL/dx_1|| of every record."""
    return np.array([run["dx_norms"][0] for run in records])


def cosine(first, second):
    """Cosine of the angle between matrices, seed by seed."""
    unit = [matrices / matrix_norm(matrices)[:, np.newaxis, np.newaxis] for matrices in (first, second)]
    return np.sum(unit[0] * unit[1], axis=(1, 2))


# Level 1: products of 500 factors

def trajectories(group, seeds=SEEDS):
    return np.array([product_experiment(np.random.default_rng(seed), *group) for seed in seeds])


def test_level_1_products():
    assert holds("level 1, near 1: within 20", np.all(np.abs(trajectories(NEAR_ONE)) <= 20, axis=1))
    assert holds("level 1, below 1: end below -400", trajectories(BELOW_ONE)[:, -1] < -400)
    assert holds("level 1, above 1: end above 35", trajectories(ABOVE_ONE)[:, -1] > 35)


def test_products_below_one_do_not_underflow():
    ends = trajectories(BELOW_ONE)[:, -1]
    assert abs(np.median(ends) + 611) < 5 and 20 < np.std(ends) < 26
    factors = np.array([np.random.default_rng(seed).uniform(*BELOW_ONE, size=500) for seed in SEEDS])
    assert np.all(np.prod(factors, axis=1) > 0)  # the page: 0
    assert np.all(np.prod(factors.astype(np.float32), axis=1) == 0)
    first = first_norms(reference_runs(0.5, "tanh"))
    assert np.all(first > 1e-35)  # the page: underflow at radius 0.5


def test_factors_need_not_be_near_one():
    rows = [np.random.default_rng(seed).permutation([2.0, 0.5] * 250) for seed in SOME_SEEDS]
    assert all(np.prod(row) == 1 for row in rows)
    assert all(np.max(np.abs(log_product_trajectory(row))) < 100 for row in rows)  # 10^43 at most, on the way
    assert np.all(trajectories(ABOVE_ONE)[:, -1] > 35)  # nor is near 1 enough: each factor here is within 20 %


def test_products_near_one_drift_down():
    paths = trajectories(NEAR_ONE)
    ends = paths[:, -1]
    standard_error = np.std(ends) / np.sqrt(len(ends))
    assert abs(np.mean(ends) + 3.37) < 4 * standard_error
    assert np.mean(ends) < -10 * standard_error  # the page: around 0
    assert 2.3 < np.std(ends) < 2.9
    assert np.all(np.abs(paths) <= 20)


# Experiment E and its fault matrix

def test_row_a_gradient_explodes():
    records = reference_runs(1.5, "linear", updates=2)
    # The norms grow on the way back, from the last step to the first: logarithm against number of steps back.
    slopes = np.array([np.polyfit(np.arange(100), np.log(run["dx_norms"][::-1]), 1)[0] for run in records])
    large = [fault_signals(run, None)["exploded"] and run["grad_norms"][0] >= 1e10 for run in records]
    assert holds("a: both gradients above 1e10, slope ln 1.5", large & (np.abs(slopes / np.log(1.5) - 1) < 0.1))


@pytest.mark.parametrize("lr", [1e-2, 1e-5])
def test_row_a_one_update_ends_it(lr):
    def outcome(seed):
        W, x1, y = make_experiment(seed, 1.5)
        losses = []
        for _ in range(3):
            run = reference_forward_backward(W, x1, y, 100, "linear")
            losses.append(run["loss"])
            with np.errstate(all="ignore"):
                W = W - lr * run["dW"]
        return np.isfinite(losses[0]) and not np.isfinite(losses[1]) and np.isnan(losses[2])

    assert holds(f"a: lr {lr:g}, infinite after 1 update, NaN after 2", [outcome(seed) for seed in SEEDS])
    signals = [fault_signals(run, None)["loss_not_finite"] for run in reference_runs(1.5, "linear", lr=lr, updates=2)]
    assert holds(f"a: lr {lr:g}, loss_not_finite", signals)


def test_row_b_clipping_caps_and_keeps_direction():
    runs = fault_runs(1.5, "linear", 5.0, 1e-2, 100)
    assert holds("b: first applied norm 5, first cosine 1", (np.abs(runs["applied_norms"][:, 0] - 5) <= 5e-12)
                 & (np.abs(1 - runs["cosines"][:, 0]) < 1e-12))
    signals = [fault_signals(record(runs, index), 5.0) for index in range(len(SEEDS))]
    assert holds("b: norm_capped, direction_kept", [s["norm_capped"] and s["direction_kept"] for s in signals])
    assert holds("b: training_alive", [s["training_alive"] for s in signals])


def test_row_b_loss_falls():
    losses = fault_runs(1.5, "linear", 5.0, 1e-2, 100)["losses"]
    fallen = np.all(np.isfinite(losses), axis=1) & (losses[:, -1] <= 1e-10 * losses[:, 0])
    assert holds("b: finite, loss down to 1e-10 of the first", fallen)
    assert np.mean(np.all(np.diff(losses, axis=1) < 0, axis=1)) < 0.05  # but not steadily, which the page suggests


def test_row_b_small_steps_fall_steadily():
    losses = fault_runs(1.5, "linear", 5.0, 1e-5, 20)["losses"]
    assert holds("b: lr 1e-5, falling at each of 20 updates", np.all(np.diff(losses, axis=1) < 0, axis=1))


def test_row_c_clipping_cannot_rescue():
    clipped, unclipped = (fault_runs(0.5, "tanh", tau, 1e-2, 100) for tau in (5.0, None))
    same = np.all([np.all(clipped[name] == unclipped[name], axis=1) for name in ("losses", "grad_norms", "dx_norms")], axis=0)
    signals = [fault_signals(record(clipped, index), 5.0) for index in range(len(SEEDS))]
    assert holds("c: first input forgotten, last one healthy, clipping changes no bit, nothing is learnt",
                 same & [s["first_input_forgotten"] and s["last_input_healthy"] and not s["training_alive"] for s in signals])


def test_row_d_slow_decay():
    tanh, linear = reference_runs(1.0, "tanh"), reference_runs(1.0, "linear")
    assert holds("d: slow_decay", [fault_signals(run, None)["slow_decay"] for run in tanh])
    assert holds("d: below its linear twin", first_norms(tanh) < first_norms(linear))
    # Decline alone proves nothing. Without tanh the gradient falls in some seeds, and the norm of the product of
    # Jacobians, which the page prints, falls in nearly all of them.
    declines = first_norms(linear) < [run["dx_norms"][-1] for run in linear]
    assert 0.15 < np.mean(declines) < 0.45
    W = experiments(1.0)[0]
    assert np.mean(matrix_norm(np.linalg.matrix_power(W, 99)) < matrix_norm(W)) > 0.9


def test_row_x_tanh_does_not_explode():
    exploded = np.array([fault_signals(run, None)["exploded"] for run in reference_runs(1.5, "tanh")])
    assert holds("x: no explosion", ~exploded)
    assert np.sum(exploded) == 0  # the page: all of them


def page_level_2(rng, rho, d=16, T=100):
    """The page's hands-on level 2, as printed there: the norm after the last step backwards."""
    W0 = rng.normal(size=(d, d))
    norms = {}
    for wanted in (0.5, 1.0, 1.5):
        W = W0 * (wanted / max(abs(np.linalg.eigvals(W0))))
        states = [np.tanh(rng.normal(size=d))]
        for _ in range(T):
            states.append(np.tanh(W @ states[-1]))
        grad = np.eye(d)
        for t in reversed(range(T)):
            grad = (W.T * (1 - states[t + 1] ** 2)) @ grad
        norms[wanted] = np.linalg.norm(grad)
    return norms[rho]


def test_tanh_hides_the_explosion():
    tanh, linear = (first_norms(reference_runs(1.5, activation)) for activation in ("tanh", "linear"))
    assert np.sum(tanh >= 1e10) == 0  # the page: all of them
    assert 0.2 < np.median(tanh) < 0.6
    assert np.all(linear >= 1e31)
    assert 2e17 < 1.5**99 < 4e17
    rng = np.random.default_rng(42)  # the page's own seed; level 1 has drawn its three groups before
    for group in (NEAR_ONE, BELOW_ONE, ABOVE_ONE):
        rng.uniform(*group, size=500)
    own = page_level_2(rng, 1.5)
    assert 1.9 < own < 2.1


def test_the_runs_in_batches_are_those_of_the_reference():
    for setting in [(1.5, "linear", 5.0, 1e-2, 100), (1.5, "linear", 5.0, 1e-5, 20), (0.5, "tanh", 5.0, 1e-2, 100),
                    (0.5, "tanh", None, 1e-2, 100)]:
        tau = setting[2]
        for index in range(0, len(SEEDS), 100):
            ours, reference = record(fault_runs(*setting), index), fault_run(SEEDS[index], *setting)
            assert ours.keys() == reference.keys()
            # Values at the first update; later ones magnify rounding, as the lab's contract says, and signals are compared.
            np.testing.assert_allclose(ours["dx_norms"], reference["dx_norms"], rtol=1e-9)
            for name in ("losses", "grad_norms", "applied_norms", "cosines"):
                assert len(ours[name]) == len(reference[name])
                np.testing.assert_allclose(ours[name][0], reference[name][0], rtol=1e-9)
            assert fault_signals(ours, tau) == fault_signals(reference, tau)


# Clipping, and what decides whether products grow

def test_clipping_has_limits():
    gradients, = drawn((4, 4))
    for broken in (np.inf, np.nan):
        for gradient in gradients:
            gradient[0, 0] = broken
            with np.errstate(all="ignore"):
                size = np.linalg.norm(gradient)
                assert not np.all(np.isfinite(np.minimum(1, 5 / size) * gradient))  # the page's formula
            with pytest.raises(ValueError):
                clip({"W": gradient})
    runs = fault_runs(1.5, "linear", 5.0, 1e-2, 100)
    first, last = runs["losses"][:, 0], runs["losses"][:, -1]
    assert np.all(last <= 1e-10 * first)
    assert 0.48 < np.median(last) < 0.52           # the loss of an output that is 0: the explosion has become
    assert 0.90 < np.median(radius(runs["W"])) < 1.0   # a vanishing
    assert 0.1 < np.mean(last > 1) < 0.35          # and some are not there yet


def test_clip_once():
    def clipped(gradient):
        return gradient * np.minimum(1, 5 / norm(gradient))[:, np.newaxis]

    experiment = experiments(1.5)
    true = forward_backward(*experiment, 100, "linear")["dW"]
    at_each_step = forward_backward(*experiment, 100, "linear", after_step=clipped)["dW"]
    once = np.array([clip({"W": gradient})["W"] for gradient in true])
    assert 0.35 < np.median(cosine(at_each_step, true)) < 0.6  # the page: the direction is kept
    assert np.min(cosine(at_each_step, true)) < -0.1
    assert np.all(cosine(once, true) > 1 - 1e-12)


def test_spectral_radius_is_asymptotic():
    random, z = drawn((16, 16), (100, 16))
    W = with_radius(random, 0.9)
    largest = np.linalg.norm(W, 2, axis=(1, 2))
    assert 1.6 < np.median(largest / 0.9) < 1.9
    assert np.mean(largest > 1) > 0.95  # below radius 1, and yet one step makes some vector longer
    hundredth_root = np.linalg.norm(np.linalg.matrix_power(W, 100), 2, axis=(1, 2)) ** 0.01
    assert np.all(np.abs(hundredth_root / 0.9 - 1) < 0.05)  # one matrix, very often: here the radius decides
    symmetric = with_radius(random + transposed(random), 0.9)
    powers = np.linalg.norm(np.linalg.matrix_power(symmetric, 100), 2, axis=(1, 2))
    assert np.all(np.abs(powers / 0.9**100 - 1) < 1e-6)
    upper, lower = np.triu(random, 1), np.tril(random, -1)
    assert np.all(radius(upper) == 0) and np.all(radius(lower) == 0)
    grown = matrix_norm(np.linalg.matrix_power(upper @ lower, 50))
    assert np.all(grown > 1e10)  # 100 factors of radius 0
    product = np.broadcast_to(np.eye(16), random.shape)
    small = random * (0.95 / np.linalg.norm(random, 2, axis=(1, 2)))[:, np.newaxis, np.newaxis]
    for step in range(100):
        slopes = 4 * sigmoid(z[:, step]) * sigmoid(-z[:, step])  # somewhere in (0, 1], as those of tanh
        product = slopes[:, :, np.newaxis] * small @ product
        assert np.all(np.linalg.norm(product, 2, axis=(1, 2)) <= 0.95 ** (step + 1) * (1 + 1e-9))
