"""Gates and what goes along with them: the forget circuit, LSTM, GRU, residual paths."""

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
    times,
    transposed,
)
from solutions.stage3_clipping_and_gates import forget_chain_jacobian, forget_jacobian

COUNT = len(SOME_SEEDS)


def cell(names, d, d_x, sd=0.2):
    """Parameters of a gated cell with an axis for nudges, and then inputs (12, S, 1, d_x) and two vectors (S, d)."""
    W, b, xs, first, second = drawn((len(names), d, d + d_x), (len(names), d), (12, d_x), (d,), (d,))
    p = {}
    for index, name in enumerate(names):
        p |= {f"W_{name}": sd * W[:, np.newaxis, index], f"b_{name}": 0.1 * b[:, np.newaxis, index]}
    return p, xs.swapaxes(0, 1)[:, :, np.newaxis], first, second


def diagonal(vectors):
    """Matrices with these diagonals."""
    return vectors[:, :, np.newaxis] * np.eye(vectors.shape[1])


def test_total_jacobian_is_more_than_the_gate():
    p, xs, c0, z = cell("ufoc", 8, 8)
    gates = []

    def lstm(steps, a0=None):
        """The cell after some steps as a function of the cell before: the hidden state follows from it, or is a0."""
        def run(c):
            a = sigmoid(z)[:, np.newaxis] * np.tanh(c) if a0 is None else a0
            gates.clear()
            for x in xs[:steps]:
                a, c, f = lstm_step(p, a, c, x)
                gates.append(f.real[:, 0])
            return c
        return run

    for steps, low, high in ((1, 0.13, 0.23), (12, 0.88, 1.0)):
        total = jacobian(lstm(steps), c0)
        assert low < np.median(off_by(diagonal(np.prod(gates, axis=0)), total)) < high  # the page: 0
    a_fixed = (sigmoid(z) * np.tanh(c0))[:, np.newaxis] + np.zeros((8, 1))
    direct = jacobian(lstm(1, a_fixed), c0)
    assert np.all(off_by(np.array([forget_jacobian(f) for f in gates[0]]), direct) < 1e-14)  # true on the direct path

    p, xs, a0, _ = cell("urc", 16, 8)

    def gru(steps):
        def run(a):
            gates.clear()
            for x in xs[:steps]:
                a, u = gru_step(p, a, x)
                gates.append(1 - u.real[:, 0])
            return a
        return run

    for steps, low, high in ((1, 0.38, 0.48), (12, 0.95, 1.03)):
        total = jacobian(gru(steps), a0)
        assert low < np.median(off_by(diagonal(np.prod(gates, axis=0)), total)) < high


def test_closed_gates_erase():
    p, xs, a, c = cell("ufoc", 8, 4)
    a, c = a[:, np.newaxis], c[:, np.newaxis]

    def saturated(u, f):
        """The cell after one step with these two gates at 0 or 1."""
        fixed = {"W_u": 0 * p["W_u"], "W_f": 0 * p["W_f"], "b_u": p["b_u"] + u, "b_f": p["b_f"] + f}
        with np.errstate(over="ignore"):
            return lstm_step({**p, **fixed}, a, c, xs[0])[1]

    shut, opened = -800.0, 800.0
    assert np.all(saturated(u=shut, f=shut) == 0)        # the page: nothing moves
    assert np.all(saturated(u=shut, f=opened) == c)


def test_output_gate_multiplies_after_tanh():
    z, c = drawn((16,), (16,))
    gate, c = sigmoid(z), 2 * c
    table, note = gate * np.tanh(c), np.tanh(gate * c)
    assert 0.4 < np.median(norm(note - table) / norm(table)) < 0.55
    assert np.min(norm(note - table) / norm(table)) > 0.15  # the two are never the same
    assert np.mean(np.abs(note) >= np.abs(table)) == 1      # tanh is concave: the note's order exposes more


def test_gru_gate_has_two_conventions():
    d, d_x = 16, 8
    p, xs, a, _ = cell("urc", d, d_x)
    a = a[:, np.newaxis]

    def usual(p, reset_after_product=False):
        """h = z h_prev + (1 - z) n, as in Cho et al. and PyTorch."""
        read = np.concatenate([a, xs[0]], axis=-1)
        z, r = (sigmoid(times(p[f"W_{gate}"], read) + p[f"b_{gate}"]) for gate in "ur")
        W_a, W_x = p["W_c"][..., :d], p["W_c"][..., d:]
        from_state = r * times(W_a, a) if reset_after_product else times(W_a, r * a)
        return z * a + (1 - z) * np.tanh(from_state + times(W_x, xs[0]) + p["b_c"])

    page, u = gru_step(p, a, xs[0])
    negated = {**p, "W_u": -p["W_u"], "b_u": -p["b_u"]}
    assert np.all(norm(usual(negated) - page) <= 1e-14 * norm(page))  # one family: sigmoid(-z) = 1 - sigmoid(z)
    different = norm(usual(p) - page) / norm(page)
    assert np.median(different) > 0.3 and np.min(different) > 0.05  # but the same weights mean something else
    after = norm(usual(negated, reset_after_product=True) - page) / norm(page)
    assert np.median(after) > 0.03 and np.min(after) > 0.001


def test_gates_reach_one():
    z = 37 + 663 * np.array([np.random.default_rng(seed).uniform() for seed in SOME_SEEDS])
    assert np.all(sigmoid(z) == 1) and sigmoid(40.0) == 1  # the page: below 1
    with np.errstate(over="ignore"):
        assert np.all(sigmoid(-z - 710) == 0)              # the page: above 0


def test_near_one_gates_still_fade():
    gates = np.array([np.random.default_rng(seed).uniform(0.98, 1, size=(1000, 4)) for seed in SOME_SEEDS])
    after_100, after_1000 = ([np.diag(forget_chain_jacobian(chain[:steps])) for chain in gates] for steps in (100, 1000))
    assert 0.35 < np.median(after_100) < 0.39  # the page: 1, over any distance
    assert np.max(after_1000) < 1e-3
    assert abs(0.99**100 - 0.37) < 0.005 and 7e-31 < sigmoid(0.0) ** 100 < 9e-31


def test_residual_identity_needs_pre_norm():
    W, x = drawn((16, 16), (16,))
    W = W[:, np.newaxis] / 4

    def layer_norm(x):
        centred = x - np.mean(x, axis=-1, keepdims=True)
        return centred / np.sqrt(np.mean(centred**2, axis=-1, keepdims=True) + 1e-5)

    def pre_norm(x, size):
        return x + size * np.tanh(times(W, layer_norm(x)))

    def post_norm(x, size):
        return layer_norm(x + size * np.tanh(times(W, x)))

    identity = np.broadcast_to(np.eye(16), (COUNT, 16, 16))
    for size, most in ((0.0, 0.0), (0.01, 0.03)):  # what the block adds is nothing, or little
        before, after = (off_by(jacobian(lambda v, block=block, size=size: block(v, size), 3 * x), identity)
                         for block in (pre_norm, post_norm))
        assert np.all(before <= most)
        assert np.all(after > 0.4) and 0.6 < np.median(after) < 0.8
    assert np.all(norm(times(transposed(jacobian(layer_norm, x)), np.ones((COUNT, 16)))) < 1e-12)  # a direction is lost
