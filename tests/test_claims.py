"""The claims of the course page, run: what was measured holds, and where the page is wrong its statement fails.

The table is tests/claims.yaml. `python -m pytest tests/test_claims.py -s` prints the counts.
"""

import numpy as np
import pytest
from errata import ROOT, errata, table

from solutions.lab_fault_matrix import bptt_check, fault_run, fault_signals, forward_backward, make_experiment, product_experiment
from solutions.stage1_recurrence import elman_forward
from solutions.stage2_bptt import bptt_grad, log_product_trajectory, numerical_gradient, rescale_spectral_radius, step_jacobian
from solutions.stage3_clipping_and_gates import clip, forget_chain_jacobian

SEEDS = range(200)
MANY = range(10_000, 10_500)  # the rows of the fault matrix
D = 16


def count(row, found, of):
    """Print how often a signal holds, and give the share."""
    print(f"{row}: {found} of {of}")
    return found / of


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def distance(a, b):
    """Relative, by norms, against the second."""
    return np.linalg.norm(a - b) / np.linalg.norm(b)


def test_every_row_is_run_or_says_why_not():
    for row in table():
        assert ("test" in row) != ("source" in row), row["key"]
        assert "source" in row or row["test"] in globals(), row["key"]
    assert len({row["key"] for row in table()}) == len(table()) == 31


def test_errata_are_made_from_the_table():
    assert (ROOT / "ERRATA.md").read_text(encoding="utf-8") == errata(), "run python tests/errata.py"


# --- products and Jacobians ---------------------------------------------------------------------------------------


def test_step_jacobian():
    errors = []
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        W, before = rng.normal(size=(8, 8)) / np.sqrt(8), rng.normal(size=8)
        after = np.tanh(W @ before)
        nudges = 1e-6 * np.eye(8)
        true = ((np.tanh(W @ (before[:, None] + nudges)) - np.tanh(W @ (before[:, None] - nudges))) / 2e-6)
        assert distance(step_jacobian(after, W), true) < 1e-7
        errors.append(distance((1 - after**2)[:, None] * W.T, true))
    assert 1.2 < np.median(errors) < 1.6


def trajectories(low, high):
    return np.array([product_experiment(np.random.default_rng(seed), low, high) for seed in SEEDS])


def test_products_below_one_do_not_underflow():
    ends = trajectories(0.0, 0.8)[:, -1]
    assert -620 < ends.mean() < -602 and 18 < ends.std() < 28
    assert np.all(ends > np.log(5e-324)) and np.all(ends < -400) and np.all(ends < np.log(1.4e-45))
    assert np.all(trajectories(1.0, 1.2)[:, -1] > 35)


def test_alternating_factors_stay_bounded():
    for seed in SEEDS:
        factor = np.random.default_rng(seed).uniform(1.5, 4.0)
        trajectory = log_product_trajectory(np.array([factor, 1 / factor] * 250))
        assert abs(trajectory[-1]) < 1e-10 and np.abs(trajectory).max() < np.log(factor) + 1e-10  # no factor is near 1


def test_near_one_drifts_down_within_bounds():
    paths = trajectories(0.8, 1.2)
    assert -4.0 < paths[:, -1].mean() < -2.7 and 2.1 < paths[:, -1].std() < 3.2
    assert count("level 1, within 20", int(np.sum(np.abs(paths).max(axis=1) <= 20)), len(SEEDS)) == 1


def test_state_and_input_gradients_vanish_together():
    ratios, early = [], []
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        W, U = rescale_spectral_radius(rng.normal(size=(D, D)), 0.6), rng.normal(size=(D, 4)) / 2
        states = [np.tanh(rng.normal(size=D))]
        for x in rng.normal(size=(60, 4)):
            states.append(np.tanh(W @ states[-1] + U @ x))
        flowing, norms = rng.normal(size=D), []
        for state in reversed(states[1:]):
            before = (1 - state**2) * flowing
            norms.append((np.linalg.norm(flowing), np.linalg.norm(U.T @ before)))
            flowing = W.T @ before
        norms = np.array(norms)
        ratios += list(norms[:, 1] / norms[:, 0])
        early.append(norms[-1] / norms[0])
    assert min(ratios) > 0.02 and max(ratios) < 4
    assert np.max(early) < 1e-6  # neither of the two survives


def test_spectral_radius_is_asymptotic():
    stretch = []
    for seed in SEEDS:
        W = make_experiment(seed, 1.0)[0]
        stretch.append(np.linalg.norm(W, 2))
        first, second = np.triu(np.full((2, 2), 3.0), 1), np.tril(np.full((2, 2), 3.0), -1)
        assert np.abs(np.linalg.eigvals(first)).max() == np.abs(np.linalg.eigvals(second)).max() == 0
        assert np.linalg.norm(np.linalg.matrix_power(first @ second, 10)) > 1e9
        V = 0.99 * W / stretch[-1]  # sufficient for vanishing: the largest singular value
        assert np.linalg.norm(np.linalg.matrix_power(V, 1000)) < 1e-3
    assert 1.6 < np.median(stretch) < 1.9


# --- gradients ----------------------------------------------------------------------------------------------------


def test_gradient_errors_by_norm_and_by_entry():
    assert max(bptt_check(seed) for seed in SEEDS) < 1e-8
    worst = 0.0
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        params = {"W_aa": rng.normal(size=(10, 10)) / 3, "W_ax": rng.normal(size=(10, 2)), "b_a": rng.normal(size=10),
                  "W_ya": rng.normal(size=(2, 10)), "b_y": rng.normal(size=2)}
        xs, targets, a0 = rng.normal(size=(12, 2)), rng.normal(size=(12, 2)), rng.normal(size=10)

        def loss(W, params=params, xs=xs, targets=targets, a0=a0):
            return 0.5 * np.sum((elman_forward(xs, a0, {**params, "W_aa": W})[1] - targets) ** 2)

        analytic = bptt_grad(xs, targets, a0, params)[1]["W_aa"]
        numeric = numerical_gradient(loss, params["W_aa"])
        worst = max(worst, np.max(np.abs(analytic - numeric) / (np.abs(analytic) + np.abs(numeric))))
    print(f"largest relative error of an entry: {worst:.1g}")
    assert worst > 1e-6


def test_clipping_at_every_step_turns_the_gradient():
    medians = {}
    for rho in (1.5, 3.0):
        cosines = []
        for seed in SEEDS:
            W, x1, y = make_experiment(seed, rho)
            run = forward_backward(W, x1, y, 100, "linear")
            flowing, gradient = run["states"][-1] - y, np.zeros_like(W)
            for before in run["states"][-2::-1]:
                flowing = clip({"flowing": flowing})["flowing"]
                gradient += np.outer(flowing, before)
                flowing = W.T @ flowing
            true = run["dW"] / np.linalg.norm(run["dW"])
            cosines.append(np.sum(true * gradient) / np.linalg.norm(gradient))
            once = clip({"W": run["dW"]})["W"]
            assert abs(np.linalg.norm(once) - 5) < 1e-9 and np.sum(once * true) / 5 > 1 - 1e-12
        medians[rho] = np.median(cosines)
        assert min(cosines) < 0.5
    print(f"clipped at every step, median cosine: {medians}")
    assert 0.75 < medians[1.5] < 0.92 and 0.5 < medians[3.0] < 0.7


def test_gates_reach_one():
    assert sigmoid(40.0) == 1.0 and all(sigmoid(np.random.default_rng(seed).uniform(40, 300)) == 1.0 for seed in SEEDS)


def test_near_one_has_a_reach():
    kept = np.diag(forget_chain_jacobian(np.full((100, 2), [0.99, sigmoid(0.0)])))
    assert abs(kept[0] - 0.366) < 1e-3 and 7e-31 < kept[1] < 9e-31
    for seed in SEEDS:
        gate = np.random.default_rng(seed).uniform(0.9, 0.995)
        assert forget_chain_jacobian(np.full((1000, 1), gate))[0, 0] < 0.01


# --- gates --------------------------------------------------------------------------------------------------------


def lstm_step(state, x, params, fixed=None):
    """(hidden state, cell) after a step from (hidden state, cell); fixed: the hidden state that the gates see instead."""
    a_prev, c_prev = state
    z = np.concatenate([a_prev if fixed is None else fixed, x])
    u, f, o, g = (params[name] @ z for name in "ufog")
    c = sigmoid(u) * np.tanh(g) + sigmoid(f) * c_prev
    return sigmoid(o) * np.tanh(c), c


def gru_step(c_prev, x, params):
    z = np.concatenate([c_prev, x])
    u, r = sigmoid(params["u"] @ z), sigmoid(params["f"] @ z)
    return u * np.tanh(params["g"] @ np.concatenate([r * c_prev, x])) + (1 - u) * c_prev, u


def drawn_gates(seed, d=8, d_x=4):
    rng = np.random.default_rng(seed)
    return rng, {name: rng.normal(size=(d, d + d_x)) / np.sqrt(d) for name in "ufog"}


def jacobian(function, at):
    nudges = 1e-6 * np.eye(len(at))
    return np.array([(function(at + nudge) - function(at - nudge)) / 2e-6 for nudge in nudges]).T


def test_gates_see_the_state_too():
    errors = {"LSTM": {1: [], 12: []}, "GRU": {1: [], 12: []}}
    for seed in SEEDS:
        rng, params = drawn_gates(seed)
        xs, start, output = rng.normal(size=(12, 4)), rng.normal(size=8), rng.uniform(0.2, 0.8, size=8)

        def lstm(c, steps, params=params, xs=xs, output=output):
            state, forget = (output * np.tanh(c), c), np.ones(8)
            for x in xs[:steps]:
                forget = forget * sigmoid(params["f"] @ np.concatenate([state[0], x]))
                state = lstm_step(state, x, params)
            return state[1], forget

        def gru(c, steps, params=params, xs=xs):
            kept = np.ones(8)
            for x in xs[:steps]:
                c, u = gru_step(c, x, params)
                kept = kept * (1 - u)
            return c, kept

        for name, run in (("LSTM", lstm), ("GRU", gru)):
            for steps, found in errors[name].items():
                total = jacobian(lambda c, run=run, steps=steps: run(c, steps)[0], start)
                found.append(distance(np.diag(run(start, steps)[1]), total))
        fixed = rng.normal(size=8)
        exact = jacobian(lambda c, params=params, xs=xs, fixed=fixed: lstm_step((fixed, c), xs[0], params)[1], start)
        assert distance(np.diag(sigmoid(params["f"] @ np.concatenate([fixed, xs[0]]))), exact) < 1e-8
    medians = {name: {steps: round(float(np.median(found)), 2) for steps, found in by.items()} for name, by in errors.items()}
    print(f"the diagonal against the total Jacobian, median error: {medians}")
    assert all(by[1] > 0.1 and by[12] > 0.7 for by in medians.values())


def test_both_gates_closed_erase():
    for seed in SEEDS:
        c_prev, candidate = np.random.default_rng(seed).normal(size=(2, 8))
        closed, hold = 0.0 * np.tanh(candidate) + 0.0 * c_prev, 0.0 * np.tanh(candidate) + 1.0 * c_prev
        assert not np.any(closed) and np.array_equal(hold, c_prev)


def test_tanh_stands_before_the_output_gate():
    errors = []
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        c, output = 2 * rng.normal(size=8), sigmoid(rng.normal(size=8))
        errors.append(distance(np.tanh(output * c), output * np.tanh(c)))
    assert np.median(errors) > 0.1


def test_gru_forms_swap_the_gate():
    for seed in SEEDS:
        candidate, c_prev, gate = np.random.default_rng(seed).uniform(0.1, 0.9, size=(3, 8))
        page = gate * candidate + (1 - gate) * c_prev
        cho, cho_swapped = (z * c_prev + (1 - z) * candidate for z in (gate, 1 - gate))
        assert np.allclose(page, cho_swapped, rtol=0, atol=1e-15) and not np.allclose(page, cho, atol=1e-6)


# --- decoding and scores ------------------------------------------------------------------------------------------


def test_bleu_without_logarithm_is_no_score():
    for seed in SEEDS:
        precisions = np.random.default_rng(seed).uniform(size=4)
        wrong, right = np.exp(np.mean(precisions)), np.exp(np.mean(np.log(precisions)))
        assert 1 <= wrong <= np.e and 0 <= right <= 1 < wrong
    assert np.exp(np.mean(np.zeros(4))) == 1


def test_the_raw_rule_blames_an_exact_search():
    blamed_raw, blamed, models = 0, 0, 400
    for seed in range(models):
        rng = np.random.default_rng(seed)
        tables = np.log(rng.dirichlet(np.ones(3), size=(5, 4)))  # position, previous token (3: start); token 2 ends
        found = {}

        def extend(tokens, score, found=found, tables=tables):
            if tokens and (tokens[-1] == 2 or len(tokens) == 5):
                found[tokens] = score
                return
            for token in range(3):
                extend((*tokens, token), score + tables[len(tokens), tokens[-1] if tokens else 3, token])

        extend((), 0.0)
        output = max(found, key=lambda tokens: found[tokens] / len(tokens))  # exact search under the normalised score
        reference = max(list(found)[::2], key=lambda tokens: found[tokens] + rng.gumbel())  # a likely one among half of them
        if reference == output:
            continue
        blamed_raw += found[reference] > found[output]
        blamed += found[reference] / len(reference) > found[output] / len(output)
    assert count("the raw rule blames an exact search", blamed_raw, models) > 0.1 and blamed == 0


def test_alignment_scores_are_counted():
    for T_x, scores in [(10, 100), (20, 200), (40, 400)]:
        assert sum(1 for _ in range(10) for _ in range(T_x)) == scores
    for seed in SEEDS:
        T_x, T_y, d = np.random.default_rng(seed).integers(2, 30, size=3)
        assert (np.ones((T_y, d)) @ np.ones((d, T_x))).size * 2 == (np.ones((T_y, d)) @ np.ones((d, 2 * T_x))).size


def test_projections_dominate_until_twice_the_width():
    for d in range(2, 202):
        for T, projections_win in [(2 * d - 1, True), (2 * d + 1, False)]:
            assert (4 * T * d**2 > 2 * T**2 * d) == projections_win and 4 * T * d**2 + 2 * T**2 * d > 2 * T * d**2


def test_cached_scores_stay_quadratic():
    cached, recomputed = (lambda T: sum(range(1, T + 1))), (lambda T: sum(t * t for t in range(1, T + 1)))
    assert (cached(100), recomputed(100)) == (5050, 338_350)
    assert all(3.8 < cached(2 * T) / cached(T) < 4.0 for T in range(100, 300))  # twice the length, four times the scores


def test_training_keeps_every_state():
    for seed in SEEDS:
        T = int(np.random.default_rng(seed).integers(2, 60))
        W, x1, y = make_experiment(seed, 0.9)
        assert forward_backward(W, x1, y, T, "tanh")["states"].size == T * D > D


def test_analogies_need_their_exclusions():
    in_query, found = 0, 0
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        words, gender = rng.normal(size=(50, 20)), 0.3 * rng.normal(size=20)
        words[1], words[3] = words[0] + gender, words[2] + gender + 0.4 * rng.normal(size=20)  # man, woman; king, queen
        target = words[2] - words[0] + words[1]
        nearest = np.argsort(-(words @ target) / np.linalg.norm(words, axis=1))
        in_query += nearest[0] in (0, 1, 2)
        found += next(word for word in nearest if word not in (0, 1, 2)) == 3
    assert count("a query word is nearest", in_query, len(SEEDS)) > 0.5
    assert count("queen is nearest of the others", found, len(SEEDS)) > 0.99


# --- the fault matrix ---------------------------------------------------------------------------------------------


def batched(seeds, rho, tau, lr, updates, T=100):
    """(losses (seeds, updates + 1), applied norms, cosines, final W) of the linear run, all seeds at once.

    The reference takes 20 seconds for 500 runs of 100 updates; that both are the same program is a test below.
    """
    W, x1, y = (np.array(part) for part in zip(*(make_experiment(seed, rho) for seed in seeds)))
    losses, applied_norms, cosines = [], [], []
    for update in range(updates + 1):
        states = [x1]
        for _ in range(T - 1):
            states.append(np.einsum("nij,nj->ni", W, states[-1]))
        error = states[-1] - y
        losses.append(0.5 * np.sum(error**2, axis=1))
        if update == updates:
            break
        gradient, flowing = np.zeros_like(W), error
        for state in states[-2::-1]:
            gradient += flowing[:, :, None] * state[:, None, :]
            flowing = np.einsum("nij,ni->nj", W, flowing)
        norm = np.linalg.norm(gradient, axis=(1, 2), keepdims=True)
        applied = gradient * np.minimum(1, tau / norm)
        size = np.linalg.norm(applied, axis=(1, 2), keepdims=True)
        applied_norms.append(size[:, 0, 0])
        cosines.append(np.sum(gradient / norm * (applied / size), axis=(1, 2)))
        W = W - lr * applied
    return np.array(losses).T, np.array(applied_norms).T, np.array(cosines).T, W


@pytest.fixture(scope="module")
def clipped():
    """Row b over many seeds."""
    return batched(MANY, 1.5, 5.0, 1e-2, 100)


def test_row_a_explodes():
    held, slopes = 0, []
    for seed in MANY:
        record = fault_run(seed, 1.5, "linear", None, 1e-2, 2)
        signals = fault_signals(record, None)
        held += signals["exploded"] and signals["loss_not_finite"] and not signals["training_alive"]
        held_at_once = not np.isfinite(record["losses"][1])
        slopes.append(np.log(record["dx_norms"][0] / record["dx_norms"][-1]) / 99)
        assert held_at_once and record["dx_norms"][0] >= 1e31
    assert count("row a", held, len(MANY)) >= 0.99
    assert np.mean(np.abs(np.array(slopes) / np.log(1.5) - 1) < 0.1) >= 0.99


def test_row_b_is_capped_and_alive(clipped):
    losses, applied, cosines, _ = clipped
    held = np.all(np.isfinite(losses), axis=1) & (losses[:, -1] <= 1e-10 * losses[:, 0]) & np.all(cosines >= 1 - 1e-9, axis=1)
    held &= np.abs(applied[:, 0] - 5) < 1e-10
    assert count("row b", int(held.sum()), len(MANY)) >= 0.99
    assert count("row b, loss falls at every update", int(np.all(np.diff(losses, axis=1) < 0, axis=1).sum()), len(MANY)) < 0.1


def test_the_batched_run_is_the_reference(clipped):
    for position in range(0, len(MANY), 25):
        record = fault_run(MANY[position], 1.5, "linear", 5.0, 1e-2, 100)
        signals = fault_signals(record, 5.0)
        assert signals["norm_capped"] and signals["direction_kept"] and signals["training_alive"]
        assert np.allclose(record["losses"][:3], clipped[0][position, :3], rtol=1e-6)


def test_clipping_survives_but_does_not_teach(clipped):
    losses, _, _, W = clipped
    radius = np.abs(np.linalg.eigvals(W)).max(axis=1)
    falling = int(np.sum(losses[:, -1] > 0.55))
    print(f"row b ends: median loss {np.median(losses[:, -1]):.3f}, median radius {np.median(radius):.3f}")
    assert 0.4 < np.median(losses[:, -1]) < 0.55 and 0.85 < np.median(radius) < 1.05
    assert 0.1 < count("row b, still falling", falling, len(MANY)) < 0.35
    for seed in SEEDS:
        gradient = np.random.default_rng(seed).normal(size=(3, 3))
        gradient[seed % 3, 0] = (np.inf, -np.inf, np.nan)[seed % 3]
        with pytest.raises(ValueError):
            clip({"W": gradient})


def test_row_b_falls_steadily_at_a_small_rate():
    losses = batched(MANY, 1.5, 5.0, 1e-5, 20)[0]
    assert count("row b at 1e-5, 20 updates, falls at every one", int(np.all(np.diff(losses, axis=1) < 0, axis=1).sum()),
                 len(MANY)) >= 0.99


def test_row_c_is_not_rescued():
    held = 0
    for seed in MANY:
        records = [fault_run(seed, 0.5, "tanh", tau, 1e-2, 3) for tau in (5.0, None)]
        signals = fault_signals(records[0], 5.0)
        held += (signals["first_input_forgotten"] and signals["last_input_healthy"] and not signals["training_alive"]
                 and all(np.array_equal(records[0][name], records[1][name]) for name in records[0]))
    assert count("row c", held, len(MANY)) >= 0.99


def test_row_d_decays_slowly_below_its_twin():
    held, below = 0, 0
    for seed in MANY:
        tanh, linear = (fault_run(seed, 1.0, activation, None, 1e-2, 1) for activation in ("tanh", "linear"))
        held += fault_signals(tanh, None)["slow_decay"]
        below += tanh["dx_norms"][0] < linear["dx_norms"][0]
    assert count("row d", held, len(MANY)) >= 0.99
    assert count("row d, below its linear twin", below, len(MANY)) >= 0.97


def test_row_x_no_explosion_behind_tanh():
    firsts = {activation: np.array([fault_run(seed, 1.5, activation, None, 1e-2, 1)["dx_norms"][0] for seed in MANY])
              for activation in ("tanh", "linear")}
    assert count("row x, no explosion", int(np.sum(firsts["tanh"] < 1e10)), len(MANY)) >= 0.99
    assert 0.1 < np.median(firsts["tanh"]) < 1.5 and np.all(firsts["linear"] >= 1e31)


def test_float32_clips_an_explosion_to_nothing():
    for seed in SEEDS:
        W, x1, y = make_experiment(seed, 1.5)
        with np.errstate(over="ignore"):
            gradient = forward_backward(W, x1, y, 100, "linear")["dW"].astype(np.float32)
            norm = np.linalg.norm(gradient)
        assert np.isinf(norm) and not np.any(gradient[np.isfinite(gradient)] * (5 / norm))
