"""Jacobians of the Elman network, and how exact a gradient check is for six models."""

import numpy as np

from claims.batch import (
    SOME_SEEDS,
    drawn,
    gru_step,
    jacobian,
    lstm_step,
    norm,
    off_by,
    sigmoid,
    softmax,
    times,
    transposed,
    with_radius,
)
from solutions.stage2_bptt import bptt_grad, input_gradient_norms, step_jacobian

# The Elman network

def test_jacobian_has_no_transpose():
    W, before, c, delta = drawn((16, 16), (16,), (16,), (16,))
    true = jacobian(lambda a: np.tanh(times(W[:, np.newaxis], a) + c[:, np.newaxis]), before)
    after = np.tanh(times(W, before) + c)
    taught = np.array([step_jacobian(a, matrix) for a, matrix in zip(after, W)])
    page = (1 - after**2)[:, :, np.newaxis] * transposed(W)
    assert np.all(off_by(taught, true) < 1e-12)
    assert 1.3 < np.median(off_by(page, true)) < 1.45 and np.min(off_by(page, true)) > 0.8
    backwards = times(transposed(W), (1 - after**2) * delta)  # as the page's code has it
    assert np.all(norm(backwards - times(transposed(true), delta)) < 1e-12 * norm(backwards))


def test_state_and_input_gradients_vanish_together():
    d, d_x, T = 16, 8, 100
    W_aa, W_ax, b, W_ya, xs, target = drawn((d, d), (d, d_x), (d,), (3, d), (T, d_x), (3,))
    W_aa, W_ax, b, W_ya = with_radius(W_aa, 0.9), 0.3 * W_ax, 0.1 * b, W_ya / np.sqrt(d)
    states = [np.zeros((len(b), d))]
    for t in range(T):
        states.append(np.tanh(times(W_aa, states[-1]) + times(W_ax, xs[:, t]) + b))
    d_h, d_u = np.empty((2, T, len(b)))
    carried = times(transposed(W_ya), times(W_ya, states[T]) - target)
    for t in range(T, 0, -1):
        before_tanh = (1 - states[t] ** 2) * carried
        d_h[t - 1], d_u[t - 1] = norm(carried), norm(times(transposed(W_ax), before_tanh))
        carried = times(transposed(W_aa), before_tanh)
    for s in (0, 100):
        params = {"W_aa": W_aa[s], "W_ax": W_ax[s], "b_a": b[s], "W_ya": W_ya[s], "b_y": np.zeros(3)}
        np.testing.assert_allclose(d_u[:, s], input_gradient_norms(xs[s], target[s], np.zeros(d), params), rtol=1e-9)
    assert np.all((d_u / d_h > 0.06) & (d_u / d_h < 1.7))
    assert np.all(d_h[0] < 1e-12 * d_h[-1]) and np.all(d_u[0] < 1e-12 * d_u[-1])  # the page: d_h is not small
    assert np.median(d_h[-1]) > 0.1


# Gradient checks: complex steps give the derivative to rounding, central differences are judged against it

def elman_states(p, xs, a0):
    states, a = [], a0
    for x in xs:
        a = np.tanh(times(p["W_aa"], a) + times(p["W_ax"], x) + p["b_a"])
        states.append(a)
    return states


def half_squares(outputs, targets):
    return 0.5 * sum(np.sum((output - target) ** 2, axis=-1) for output, target in zip(outputs, targets))


def elman_loss(p, xs, targets, a0):
    return half_squares([times(p["W_ya"], a) + p["b_y"] for a in elman_states(p, xs, a0)], targets)


def language_model_loss(p, tokens, a0):
    inputs = [(p["E"] * token[..., np.newaxis]).sum(axis=-2) for token in tokens[:-1]]  # tokens are one-hot
    logits = [times(p["W_ya"], a) + p["b_y"] for a in elman_states(p, inputs, a0)]
    return -sum(np.log(np.sum(softmax(z) * token, axis=-1)) for z, token in zip(logits, tokens[1:]))


def lstm_loss(p, xs, targets, a0):
    a, c, outputs = a0, a0, []
    for x in xs:
        a, c, _ = lstm_step(p, a, c, x)
        outputs.append(a)
    return half_squares(outputs, targets)


def gru_loss(p, xs, targets, a0):
    a, outputs = a0, []
    for x in xs:
        a, _ = gru_step(p, a, x)
        outputs.append(a)
    return half_squares(outputs, targets)


def negative_sampling_loss(p, roles):
    scores = times(p["U"], np.sum(p["V"] * roles[0][..., np.newaxis], axis=-2))
    return -np.sum(roles[1] * np.log(sigmoid(scores)) + roles[2] * np.log(sigmoid(-scores)), axis=-1)


def attention_loss(p, s, H, d_context):
    scores = np.stack([np.sum(p["v_a"] * np.tanh(times(p["W_a"], s) + times(p["U_a"], h)), axis=-1) for h in H], axis=-1)
    context = sum(softmax(scores)[..., t, np.newaxis] * h for t, h in enumerate(H))
    return np.sum(d_context * context, axis=-1)


def elman_shapes(d, d_x, d_y):
    return {"W_aa": (d, d), "W_ax": (d, d_x), "b_a": (d,), "W_ya": (d_y, d), "b_y": (d_y,)}


def gated_shapes(names, d, d_x):
    return {f"W_{n}": (d, d + d_x) for n in names} | {f"b_{n}": (d,) for n in names}


def drawn_parameters(shapes, sd=None):
    """A dict of arrays (S, *shape), standard deviation `sd`, or 1 / sqrt of the last axis."""
    arrays = drawn(*shapes.values())
    return {name: array * (sd or array.shape[-1] ** -0.5) for (name, array) in zip(shapes, arrays)}


def one_hot(choices, size):
    return np.eye(size)[choices]


def checked_model(kind):
    """(loss, parameters, data): data are lists over time of arrays (S, ...), or arrays (S, ...)."""
    rngs = [np.random.default_rng([seed, 1]) for seed in SOME_SEEDS]
    if kind == "elman":
        xs, targets, a0 = (np.array([rng.normal(size=shape) for rng in rngs]) for shape in ((12, 4), (12, 3), (8,)))
        return elman_loss, drawn_parameters(elman_shapes(8, 4, 3)), (xs.swapaxes(0, 1), targets.swapaxes(0, 1), 0.5 * a0)
    if kind == "language model":
        tokens = one_hot(np.array([rng.integers(7, size=9) for rng in rngs]), 7)
        a0 = np.array([rng.normal(size=5) for rng in rngs])
        return language_model_loss, drawn_parameters(elman_shapes(5, 3, 7) | {"E": (7, 3)}), (tokens.swapaxes(0, 1), 0.5 * a0)
    if kind in ("lstm", "gru"):
        xs, targets, a0 = (np.array([rng.normal(size=shape) for rng in rngs]) for shape in ((8, 3), (8, 5), (5,)))
        loss, names = (lstm_loss, "ufoc") if kind == "lstm" else (gru_loss, "urc")
        return loss, drawn_parameters(gated_shapes(names, 5, 3)), (xs.swapaxes(0, 1), targets.swapaxes(0, 1), 0.5 * a0)
    if kind == "negative sampling":
        picks = np.array([rng.integers(9, size=7) for rng in rngs])  # centre, context, five negatives, repeats count
        roles = np.array([one_hot(picks[:, 0], 9), one_hot(picks[:, 1], 9), one_hot(picks[:, 2:], 9).sum(axis=1)])
        return negative_sampling_loss, drawn_parameters({"V": (9, 4), "U": (9, 4)}, sd=1), (roles,)
    s, H, d_context = (np.array([rng.normal(size=shape) for rng in rngs]) for shape in ((3,), (6, 4), (4,)))
    return (attention_loss, drawn_parameters({"W_a": (5, 3), "U_a": (5, 4), "v_a": (5,)}, sd=1),
            (s, H.swapaxes(0, 1), d_context))


def derivatives(kind):
    """name -> (true, central) derivatives (S, entries) for every parameter array."""
    loss, params, data = checked_model(kind)
    wide = {name: array[:, np.newaxis] for name, array in params.items()}
    # An axis for the nudged entries, before the axes of a vector or matrix and after those of time and seed.
    data = [array[..., np.newaxis, :] if array.shape[-2] == len(SOME_SEEDS) else array[:, np.newaxis] for array in data]
    result = {}
    for name, array in params.items():
        entries = np.eye(array[0].size).reshape(-1, *array.shape[1:])
        at = {step: loss({**wide, name: wide[name] + step * entries}, *data) for step in (1e-6, -1e-6, 1e-30j)}
        result[name] = at[1e-30j].imag / 1e-30, (at[1e-6] - at[-1e-6]) / 2e-6
    return result


# The largest norm-wise errors of correct code that the notebooks quote; other seeds and sizes move them a little.
WORST = {"elman": 2.3e-9, "language model": 1.3e-8, "lstm": 4.0e-8, "gru": 6.9e-8, "negative sampling": 4.1e-9,
         "attention": 8.0e-9}


def test_gradient_check_errors():
    by_entry = {}
    for kind, worst in WORST.items():
        for true, central in derivatives(kind).values():
            by_array = norm(true - central) / (norm(true) + norm(central))
            assert np.max(by_array) < 4 * worst  # the page: about 1e-6
            assert np.median(by_array) < 2e-8
            size = np.abs(true) + np.abs(central)
            entries = np.abs(true - central)[size > 0] / size[size > 0]
            by_entry[kind] = max(by_entry.get(kind, 0), np.max(entries))
    assert 3e-4 < max(by_entry.values()) < 0.1  # the page: about 1e-6, for single entries


def test_complex_steps_agree_with_the_reference():
    _, params, (xs, targets, a0) = checked_model("elman")
    true = derivatives("elman")
    for s in (0, 50, 150):
        _, grads = bptt_grad(xs[:, s], targets[:, s], a0[s], {name: array[s] for name, array in params.items()})
        for name, gradient in grads.items():
            np.testing.assert_allclose(true[name][0][s], gradient.ravel(), rtol=1e-9, atol=1e-12 * norm(gradient.ravel()))
