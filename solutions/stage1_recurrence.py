"""Stage 1, sequence dependence and the construction of recurrence: reference functions."""

import numpy as np


def pad_sequences(sequences, max_len, pad_id=0):
    """Pad token sequences on the right to one fixed width and mark the real tokens (the fixed window of stage 1).

    sequences: list of N lists of token ids, each at most max_len long; max_len: int, the width; pad_id: int, the id
    that fills the free places (a real token may have the same id).
    Returns (ids, mask): ids (N, max_len) int, mask (N, max_len) bool, True where a token is real. An empty list gives
    two arrays of shape (0, max_len).
    Raises ValueError if a sequence is longer than max_len.
    """
    ids = np.full((len(sequences), max_len), pad_id, dtype=int)
    mask = np.zeros((len(sequences), max_len), dtype=bool)
    for row, sequence in enumerate(sequences):
        if len(sequence) > max_len:
            raise ValueError(f"sequences: number {row} has {len(sequence)} tokens, more than max_len = {max_len}")
        ids[row, :len(sequence)] = sequence
        mask[row, :len(sequence)] = True
    return ids, mask


def hidden_layer_parameters(construction, T_max, d_x, d_h):
    """Count the parameters of the hidden layer in each of the three constructions (Ryu, RL of LLMs, Chapter 2).

    construction: "zero_padding" (one layer on the concatenated window), "per_step" (an own cell for every step) or
    "shared" (one cell for all steps); T_max: number of steps; d_x: width of an input; d_h: width of the hidden layer.
    Returns an int, weights and biases without the output layer: d_h T_max d_x + d_h for "zero_padding",
    T_max (d_h^2 + d_h d_x + d_h) for "per_step", d_h^2 + d_h d_x + d_h for "shared".
    Raises ValueError for any other construction.
    """
    if construction == "zero_padding":
        return d_h * T_max * d_x + d_h
    if construction == "per_step":
        return T_max * (d_h**2 + d_h * d_x + d_h)
    if construction == "shared":
        return d_h**2 + d_h * d_x + d_h
    raise ValueError(f"construction: unknown value {construction!r}")


def elman_step(x, a_prev, params):
    """Advance the hidden state of an Elman network by one step (Elman 1990).

    x: (d_x,) input; a_prev: (d,) previous hidden state; params: dict with W_aa (d, d), W_ax (d, d_x), b_a (d,).
    Returns the new hidden state (d,), tanh(W_aa a_prev + W_ax x + b_a).
    """
    return np.tanh(params["W_aa"] @ a_prev + params["W_ax"] @ x + params["b_a"])


def elman_forward(xs, a0, params):
    """Run an Elman network over a whole sequence, with an output at every step (Elman 1990).

    xs: (T, d_x) inputs x_1 ... x_T, T may be 0; a0: (d,) state before the first step; params: dict with W_aa (d, d),
    W_ax (d, d_x), b_a (d,), W_ya (d_y, d), b_y (d_y,).
    Returns (states, logits): states (T, d) holds a_1 ... a_T, a_t = tanh(W_aa a_{t-1} + W_ax x_t + b_a); logits
    (T, d_y) holds W_ya a_t + b_y. T = 0 gives arrays of shape (0, d) and (0, d_y).
    """
    states = np.zeros((len(xs), len(a0)))
    a = a0
    for t, x in enumerate(xs):
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ x + params["b_a"])
        states[t] = a
    return states, states @ params["W_ya"].T + params["b_y"]


def io_schedule(form, T_x, T_y):
    """Say at which steps a recurrent network reads an input and emits an output (five forms, Amidi and Amidi, CS230).

    form: one of the names below; T_x: number of inputs; T_y: number of outputs.
    Returns (reads, emits), two bool arrays (T,), one entry per step:
    "one_to_one": T_x = T_y = 1, one step that reads and emits;
    "one_to_many": T_x = 1, T = T_y, reads at the first step only, emits at every step;
    "many_to_one": T_y = 1, T = T_x, reads at every step, emits at the last step only;
    "many_to_many_aligned": T = T_x = T_y, reads and emits at every step;
    "many_to_many_unaligned": T = T_x + T_y, reads at the first T_x steps, emits at the last T_y steps.
    Raises ValueError for lengths that do not fit the form, a length below 1, or an unknown form. Length 1 fits
    "one_to_many" and "many_to_one", equal lengths fit "many_to_many_unaligned".
    """
    fits = {
        "one_to_one": T_x == T_y == 1,
        "one_to_many": T_x == 1,
        "many_to_one": T_y == 1,
        "many_to_many_aligned": T_x == T_y,
        "many_to_many_unaligned": True,
    }
    if form not in fits:
        raise ValueError(f"form: unknown value {form!r}")
    if T_x < 1 or T_y < 1 or not fits[form]:
        raise ValueError(f"T_x, T_y: lengths {T_x} and {T_y} do not fit {form}")
    T = T_x + T_y if form == "many_to_many_unaligned" else max(T_x, T_y)
    steps = np.arange(T)
    return steps < T_x, steps >= T - T_y


def softmax(logits):
    """Turn logits into probabilities along the last axis.

    logits: (..., V) real numbers, one distribution per row.
    Returns (..., V) with exp(logits_v) / sum_w exp(logits_w) in each row; finite also for entries of +1000 or -1000
    and for rows that lie far apart.
    """
    shifted = np.exp(logits - np.max(logits, axis=-1, keepdims=True))
    return shifted / np.sum(shifted, axis=-1, keepdims=True)


def cross_entropy(logits, targets):
    """Sum the losses of L predictions, each the negative log probability of its target (natural logarithm).

    logits: (L, V) real numbers, a score per token; targets: (L,) ints in [0, V).
    Returns a float, sum_l -log softmax(logits_l)[targets_l]: a sum, not a mean; exact also where the logits are very
    confident and wrong (the probability itself may be too small for a float).
    """
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    log_totals = np.log(np.sum(np.exp(shifted), axis=1))
    return float(np.sum(log_totals - shifted[np.arange(len(targets)), targets]))


def lm_pairs(tokens, eos_id):
    """Cut one token sequence into its next-token prediction problems (Ryu, RL of LLMs, Chapter 2).

    tokens: (L,) ints u_1 ... u_L, without the end token; eos_id: int, the id of the end token.
    Returns (inputs, targets), both (L,) ints: u_1 ... u_L are to predict u_2 ... u_L, EOS. That is L prediction
    problems; the first token is never predicted.
    """
    tokens = np.asarray(tokens)
    return tokens.copy(), np.append(tokens[1:], eos_id)


def rnn_lm_loss(tokens, a0, params, eos_id):
    """Loss of an Elman language model on one token sequence (Ryu, RL of LLMs, Chapter 2; Elman 1990).

    tokens: (L,) ints u_1 ... u_L, without the end token; a0: (d,) state before the first step; params: dict with
    E (V, d_x), W_aa (d, d), W_ax (d, d_x), b_a (d,), W_ya (V, d), b_y (V,); eos_id: int, the id of the end token.
    Returns (loss, L): loss is a float, the sum over the L prediction problems of the cross entropy of
    W_ya a_l + b_y, where a_l = tanh(W_aa a_{l-1} + W_ax E[u_l] + b_a), against the next token (EOS after u_L); L is
    the number of prediction problems, an int.
    """
    inputs, targets = lm_pairs(tokens, eos_id)
    _, logits = elman_forward(params["E"][inputs], a0, params)
    return cross_entropy(logits, targets), len(targets)
