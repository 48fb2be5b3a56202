"""Worked examples of the stage 1 notebook; every number comes from the reference."""

import numpy as np


def numbers(array, digits=3):
    """Write an array on one line, e.g. [0.25, -1.5]."""
    rounded = np.round(np.asarray(array, dtype=float), digits) + 0.0
    if rounded.ndim > 1:
        return "[" + ", ".join(numbers(row, digits) for row in rounded) + "]"
    return "[" + ", ".join(f"{value:g}" for value in rounded) + "]"


def literal(value):
    """Write a nested list of numbers or bools as code."""
    return f"`{value.tolist() if isinstance(value, np.ndarray) else value}`"


def fading(reference):
    """The experiment of section 4: moves of the Elman network's last logits, by distance from the end."""
    rng = np.random.default_rng(7)
    vocab, width, length = 6, 3, 12
    table = rng.normal(size=(vocab, 4))
    rng.normal(size=(16, width * 4)), rng.normal(size=(vocab, 16))  # the window model's weights
    text = rng.integers(0, vocab, size=length)
    rng = np.random.default_rng(11)
    net = {"W_aa": rng.normal(size=(8, 8)) / 3, "W_ax": rng.normal(size=(8, 4)) / 2, "b_a": rng.normal(size=8) / 4,
           "W_ya": rng.normal(size=(vocab, 8)) / 3, "b_y": np.zeros(vocab)}

    def last_logits(tokens):
        return reference.elman_forward(table[tokens], np.zeros(8), net)[1][-1]

    moves = []
    for back in range(length):
        other = text.copy()
        other[-1 - back] = (other[-1 - back] + 1) % vocab
        moves.append(float(np.linalg.norm(last_logits(other) - last_logits(text))))
    return moves, width


def examples(reference):
    """Snippets for the placeholders of the notebook."""
    moves, window = fading(reference)
    sequences, pad_width = [[5, 2, 7], [4, 0]], 4
    ids, mask = reference.pad_sequences(sequences, pad_width)
    sizes = (5, 3, 4)
    x, a_prev = np.array([2.0]), np.array([0.5, -0.5])
    cell = {"W_aa": np.array([[0.4, -0.8], [0.2, 0.6]]), "W_ax": np.array([[0.3], [-0.5]]), "b_a": np.array([0.1, 0.2])}
    state = reference.elman_step(x, a_prev, cell)
    exchanged = reference.elman_step(x, a_prev, {**cell, "W_aa": cell["W_aa"].T})
    reads, emits = reference.io_schedule("many_to_one", 3, 1)
    logits = np.array([2.0, 1.0, -1.0])
    extreme = np.array([[900.0, -800.0, 0.0]])
    tokens, eos = np.array([4, 2, 5, 2]), 0
    inputs, targets = reference.lm_pairs(tokens, eos)
    uniform = {"E": np.zeros((8, 3)), "W_aa": np.zeros((4, 4)), "W_ax": np.zeros((4, 3)), "b_a": np.zeros(4),
               "W_ya": np.zeros((8, 4)), "b_y": np.zeros(8)}
    loss, L = reference.rnn_lm_loss(np.array([1, 2, 3]), np.zeros(4), uniform, 0)
    melody = np.array([1, 2, 1, 3] * 5)
    return {
        "window": str(window),
        "length": str(len(moves)),
        "pad_sequences": f"`{sequences}`",
        "pad_width": str(pad_width),
        "pad_result": f"    ids  = {ids.tolist()}\n    mask = {mask.tolist()}",
        "count_T": str(sizes[0]),
        "count_dx": str(sizes[1]),
        "count_dh": str(sizes[2]),
        "count_zero": str(reference.hidden_layer_parameters("zero_padding", *sizes)),
        "count_per_step": str(reference.hidden_layer_parameters("per_step", *sizes)),
        "count_shared": str(reference.hidden_layer_parameters("shared", *sizes)),
        "step_given": "\n".join(f"    {name:6s} = {numbers(value)}" for name, value in [
            ("x", x), ("a_prev", a_prev), ("W_aa", cell["W_aa"]), ("W_ax", cell["W_ax"]), ("b_a", cell["b_a"])]),
        "step_inside": f"`{numbers(np.arctanh(state))}`",
        "step_state": f"`{numbers(state)}`",
        "step_transposed": f"`{numbers(exchanged)}`",
        "last_distance": str(len(moves) - 1),
        "fade": f"{float(f'{moves[0] / moves[-1]:.0e}'):,.0f}",
        "schedule_example": f"    reads = {reads.tolist()}\n    emits = {emits.tolist()}",
        "softmax_logits": f"`{numbers(logits)}`",
        "softmax_probabilities": f"`{numbers(reference.softmax(logits))}`",
        "ce_first": f"{reference.cross_entropy(logits[None], np.array([0])):.3f}",
        "ce_third": f"{reference.cross_entropy(logits[None], np.array([2])):.3f}",
        "ce_extreme_logits": f"`{numbers(extreme[0])}`",
        "ce_extreme": f"{reference.cross_entropy(extreme, np.array([1])):g}",
        "pairs_tokens": literal(tokens),
        "pairs_eos": str(eos),
        "pairs_result": f"    inputs  = {inputs.tolist()}\n    targets = {targets.tolist()}",
        "uniform_perplexity": f"{np.exp(loss / L):g}",
        "uniform_bits": f"{loss / L / np.log(2):g}",
        "uniform_nats": f"{loss / L:.3f}",
        "melody_length": str(len(reference.lm_pairs(melody, 0)[1])),
        "melody_parameters": str(4 * 3 + reference.hidden_layer_parameters("shared", 1, 3, 6) + 4 * 6 + 4),
    }
