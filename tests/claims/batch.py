"""What the tests of the claims share: many seeds at once, the first axis of every array being the seed."""

import functools

import numpy as np

from solutions.lab_fault_matrix import make_experiment

SEEDS = range(30_000, 30_500)  # for the rows of the fault matrix
SOME_SEEDS = SEEDS[:200]       # for everything else


def drawn(*shapes, seeds=SOME_SEEDS):
    """One array of standard normal numbers per shape; row s of each comes from the generator of seed number s."""
    generators = [np.random.default_rng(seed) for seed in seeds]
    rows = [[rng.normal(size=shape) for shape in shapes] for rng in generators]
    return [np.array(column) for column in zip(*rows)]


def times(W, v):
    """W @ v for matrices (..., m, n) and vectors (..., n)."""
    return (W @ v[..., np.newaxis])[..., 0]


def transposed(W):
    """Every matrix of a stack, transposed."""
    return np.swapaxes(W, -1, -2)


def norm(vectors):
    """Euclidean norm over the last axis."""
    return np.sqrt(np.sum(vectors**2, axis=-1))


def matrix_norm(matrices):
    """Frobenius norm over the last two axes."""
    return np.sqrt(np.sum(matrices**2, axis=(-2, -1)))


def off_by(wrong, right):
    """How far matrices are from the right ones, relative to the size of the right ones."""
    return matrix_norm(wrong - right) / matrix_norm(right)


def sigmoid(z):
    """1 / (1 + exp(-z)), also for complex z."""
    return 1 / (1 + np.exp(-z))


def softmax(z):
    """Probabilities along the last axis."""
    weights = np.exp(z - np.max(z.real, axis=-1, keepdims=True))
    return weights / np.sum(weights, axis=-1, keepdims=True)


def with_radius(W, rho):
    """Matrices scaled to spectral radius rho."""
    return W * (rho / radius(W))[:, np.newaxis, np.newaxis]


def radius(W):
    """The largest modulus of the eigenvalues."""
    return np.max(np.abs(np.linalg.eigvals(W)), axis=-1)


def jacobian(f, x):
    """(S, m, d): derivative of f at x (S, d) by the complex step; f maps (S, d, d) row by row to (S, d, m)."""
    nudged = x[:, np.newaxis, :] + 1e-30j * np.eye(x.shape[1])
    return transposed(f(nudged).imag / 1e-30)


def concatenated(a, x):
    """[a, x] along the last axis, x repeated where a has more axes."""
    return np.concatenate([a, np.broadcast_to(x, (*a.shape[:-1], x.shape[-1]))], axis=-1)


def lstm_step(p, a, c, x):
    """One step of the page's LSTM: hidden state, cell, forget gate."""
    read = concatenated(a, x)
    u, f, o = (sigmoid(times(p[f"W_{gate}"], read) + p[f"b_{gate}"]) for gate in "ufo")
    c = f * c + u * np.tanh(times(p["W_c"], read) + p["b_c"])
    return o * np.tanh(c), c, f


def gru_step(p, a, x):
    """One step of the page's GRU: state, update gate."""
    u, r = (sigmoid(times(p[f"W_{gate}"], concatenated(a, x)) + p[f"b_{gate}"]) for gate in "ur")
    return u * np.tanh(times(p["W_c"], concatenated(r * a, x)) + p["b_c"]) + (1 - u) * a, u


def holds(row, signals):
    """Print for how many seeds a row's signal holds, and say whether these are at least 99 %."""
    print(f"row {row}: {np.sum(signals)} of {len(signals)}")
    return np.sum(signals) >= 0.99 * len(signals)


def experiments(rho):
    """(W, x1, y) of experiment E, stacked over SEEDS."""
    return [np.array(part) for part in zip(*(make_experiment(seed, rho) for seed in SEEDS))]


def forward_backward(W, x1, y, T, activation, after_step=lambda gradient: gradient):
    """The lab's function of this name for all seeds at once, without the states.

    after_step: what is done to the gradient that each step of the backward pass hands to the step before it.
    """
    tanh = activation == "tanh"
    states, dx = np.empty((T, *x1.shape)), np.empty((T, *x1.shape))
    states[0] = np.tanh(x1) if tanh else x1
    for t in range(1, T):
        z = times(W, states[t - 1])
        states[t] = np.tanh(z) if tanh else z
    error = states[-1] - y
    carried = error
    for t in range(T - 1, -1, -1):
        dx[t] = (1 - states[t] ** 2) * carried if tanh else carried
        carried = after_step((dx[t, :, np.newaxis, :] @ W)[:, 0])
    dW = dx[1:].transpose(1, 2, 0) @ states[:-1].transpose(1, 0, 2)
    return {"loss": 0.5 * np.sum(error**2, axis=1), "dW": dW, "dx": dx.transpose(1, 0, 2)}


@functools.cache
def fault_runs(rho, activation, tau, lr, updates, T=100):
    """The lab's `fault_run` over SEEDS; "W" holds the weights after the last update.

    One run of 100 updates takes the reference 0.04 s, so 500 of them would take 20 s; here they take 1 s together.
    test_the_runs_in_batches_are_those_of_the_reference compares the two.
    Meant for runs that stay finite: what comes after a loss that is inf or NaN is not set to NaN as there.
    """
    W, x1, y = experiments(rho)
    losses, grad_norms, applied_norms, cosines = [], [], [], []
    for update in range(updates + 1):
        run = forward_backward(W, x1, y, T, activation)
        losses.append(run["loss"])
        if update == 0:
            dx_norms = norm(run["dx"])
        if update < updates:
            size = matrix_norm(run["dW"])
            scale = np.ones_like(size) if tau is None else np.minimum(1, tau / size)
            applied = scale[:, np.newaxis, np.newaxis] * run["dW"]
            grad_norms.append(size)
            applied_norms.append(matrix_norm(applied))
            unit = run["dW"] / size[:, np.newaxis, np.newaxis]
            cosines.append(np.sum(unit * applied, axis=(1, 2)) / applied_norms[-1])
            W = W - lr * applied
    return {"losses": np.stack(losses, axis=1), "grad_norms": np.stack(grad_norms, axis=1),
            "applied_norms": np.stack(applied_norms, axis=1), "cosines": np.stack(cosines, axis=1),
            "dx_norms": dx_norms, "W": W}


def record(runs, index):
    """The record of one seed out of `fault_runs`, as the lab's `fault_run` gives it."""
    return {name: values[index] for name, values in runs.items() if name != "W"}
