"""Decoding and BLEU, word vectors, and what attention, caches and training cost."""

import itertools
from collections import Counter

import numpy as np

from claims.batch import SEEDS, SOME_SEEDS, norm, softmax
from solutions.lab_fault_matrix import forward_backward, make_experiment
from solutions.stage1_recurrence import elman_forward


def generators():
    return [np.random.default_rng(seed) for seed in SOME_SEEDS]


# BLEU

def precisions(candidate, reference):
    """The clipped precisions p_1 to p_4."""
    result = []
    for n in range(1, 5):
        grams = [Counter(tuple(tokens[i:i + n]) for i in range(len(tokens) - n + 1)) for tokens in (candidate, reference)]
        result.append((grams[0] & grams[1]).total() / grams[0].total())
    return np.array(result)


def page_bleu(p):
    return np.exp(np.mean(p))


def bleu(p):
    """Without brevity penalty: the candidates here are as long as their references."""
    with np.errstate(divide="ignore"):
        return np.exp(np.mean(np.log(p)))


def test_bleu_is_a_geometric_mean():
    for rng in generators():
        reference = rng.integers(20, size=12)
        changed = np.where(rng.random(12) < 0.2, 99, reference)
        some, nothing, everything = (precisions(list(c), list(reference)) for c in (changed, reference + 100, reference))
        assert all(1 <= page_bleu(p) <= np.e for p in (some, nothing, everything))  # so it is no fraction
        assert page_bleu(nothing) == 1 and bleu(nothing) == 0
        assert abs(page_bleu(everything) - np.e) < 1e-12 and bleu(everything) == 1
        assert 0 <= bleu(some) <= np.mean(some) and (bleu(some) == 0) == (np.min(some) == 0)


# Search

def test_blame_under_the_searched_objective():
    words, longest, alpha, eos = 3, 7, 0.75, 3
    sequences = [(*body, eos) for length in range(longest) for body in itertools.product(range(words), repeat=length)]
    lengths = np.array([len(tokens) for tokens in sequences])
    transitions = np.zeros((len(sequences), words + 1, words + 1))
    for row, tokens in enumerate(sequences):
        for before, after in zip((eos, *tokens), tokens):  # the row of the end token serves as that of the start
            transitions[row, before, after] += 1
    blamed_by_raw, blamed_by_searched = [], []
    for seed in SEEDS:
        table = np.log(softmax(np.random.default_rng(seed).normal(size=(words + 1, words + 1))))
        raw = transitions.reshape(len(sequences), -1) @ table.ravel()
        searched = raw / lengths**alpha
        output = np.argmax(searched)  # exact search: it cannot be to blame
        reference = np.argmax(raw)
        blamed_by_raw.append(raw[reference] > raw[output])
        blamed_by_searched.append(searched[reference] > searched[output])
    assert 0.3 < np.mean(blamed_by_raw) < 0.5  # the page's rule
    assert np.sum(blamed_by_searched) == 0


# Costs: counted while the thing is computed

class Count:
    """Counts the multiplications of the matrix products that go through it."""

    def __init__(self):
        self.macs = 0

    def product(self, A, B):
        self.macs += A.shape[0] * A.shape[1] * B.shape[1]
        return A @ B


def attention_layer(rng, T, d):
    """The multiplications of the four projections, and those of scores and weighted sums."""
    projections, mixing, X = Count(), Count(), rng.normal(size=(T, d))
    Q, K, V = (projections.product(X, rng.normal(size=(d, d))) for _ in range(3))
    mixed = mixing.product(softmax(mixing.product(Q, K.T) / np.sqrt(d)), V)
    projections.product(mixed, rng.normal(size=(d, d)))
    return projections.macs, mixing.macs


def recurrent_layer(rng, T, d):
    """The multiplications of an Elman layer."""
    count, a, W_aa, W_ax = Count(), np.zeros((d, 1)), rng.normal(size=(d, d)), rng.normal(size=(d, d))
    for x in rng.normal(size=(T, d, 1)):
        a = np.tanh(count.product(W_aa, a) + count.product(W_ax, x))
    return count.macs


def test_projections_cost_too():
    for rng in generators():
        T, d = rng.integers(2, 40), rng.integers(2, 20)
        projections, mixing = attention_layer(rng, T, d)
        assert projections == 4 * T * d**2 and mixing == 2 * T**2 * d
        assert (projections > mixing) == (2 * d > T)
        recurrent = recurrent_layer(rng, T, d)
        assert recurrent == 2 * T * d**2
        assert projections + mixing > recurrent  # also where T^2 < T d^2, which the page's two orders compare


def alignment_scores(rng, T_x, T_y):
    """The number of scores that additive attention computes while T_y words are decoded from T_x states."""
    states, H = rng.normal(size=(T_y, 1, 3)), rng.normal(size=(1, T_x, 3))
    scores = np.tanh(states @ rng.normal(size=(3, 3)) + H @ rng.normal(size=(3, 3))) @ rng.normal(size=3)
    return scores.size


def test_attention_scores_are_linear_in_source_length():
    assert [alignment_scores(np.random.default_rng(0), T_x, 10) for T_x in (10, 20, 40)] == [100, 200, 400]
    for rng in generators():
        T_x, T_y = rng.integers(1, 30, size=2)
        once, twice, both = (alignment_scores(rng, *sizes) for sizes in ((T_x, T_y), (2 * T_x, T_y), (2 * T_x, 2 * T_y)))
        assert once == T_x * T_y and twice == 2 * once  # the page: four times as many
        assert both == 4 * once                         # quadratic only if the target grows along


def scores_computed(rng, T, cached):
    """Generate T tokens; count the scores between queries and keys."""
    keys, total = np.empty((0, 2)), 0
    for t in range(1, T + 1):
        keys = np.vstack([keys, rng.normal(size=2)])
        queries = rng.normal(size=(1 if cached else t, 2))
        total += (queries @ keys.T).size
    return total


def test_kv_cache_total_stays_quadratic():
    assert [scores_computed(np.random.default_rng(0), 100, cached) for cached in (True, False)] == [5050, 338350]
    for rng in generators():
        T = rng.integers(20, 60)
        cached, longer, recomputed = (scores_computed(rng, *run) for run in ((T, True), (2 * T, True), (T, False)))
        assert cached == T * (T + 1) // 2 and recomputed == T * (T + 1) * (2 * T + 1) // 6
        assert 3.8 < longer / cached < 4  # with the cache, too, twice the length is four times the work


def test_training_stores_every_state():
    for seed, rng in zip(SOME_SEEDS, generators()):
        T, W, x1, y = int(rng.integers(3, 15)), *make_experiment(seed, 1.0)
        run = forward_backward(W, x1, y, T, "tanh")
        before_tanh, states = run["dx"][1:], run["states"][:-1]
        np.testing.assert_allclose(before_tanh.T @ states, run["dW"], rtol=1e-9, atol=1e-12)
        for t in range(T - 1):  # the gradient needs each of them: T d numbers, the page: does not grow
            without = np.where(np.arange(T - 1)[:, np.newaxis] == t, 0, states)
            assert np.linalg.norm(before_tanh.T @ without - run["dW"]) > 1e-6 * np.linalg.norm(run["dW"])
        # Going on needs the last state only: d numbers, whatever the length.
        params = {"W_aa": W, "W_ax": np.eye(16), "b_a": y, "W_ya": W, "b_y": y}
        xs = rng.normal(size=(T + 3, 16))
        whole, first = elman_forward(xs, x1, params)[0], elman_forward(xs[:T], x1, params)[0]
        assert np.array_equal(elman_forward(xs[T:], first[-1], params)[0], whole[T:])


# Word vectors

def test_analogy_excludes_its_words():
    without_exclusion, with_exclusion = [], []
    for rng in generators():
        E = rng.normal(size=(200, 50))  # a made-up vocabulary; words 0 to 3 are king, man, woman, queen
        royal, gender = 2 * rng.normal(size=50), 0.5 * rng.normal(size=50)
        person = rng.normal(size=50)
        for word, meaning in enumerate((person + royal, person, person + gender, person + royal + gender)):
            E[word] = meaning + 0.7 * rng.normal(size=50)
        sought = E[0] - E[1] + E[2]
        cosines = E @ sought / (norm(E) * norm(sought))
        without_exclusion.append(np.argmax(cosines) == 3)
        with_exclusion.append(np.argmax(cosines[3:]) == 0)
    assert np.mean(without_exclusion) < 0.1  # the page's arithmetic: mostly it answers "king"
    assert np.mean(with_exclusion) > 0.9
