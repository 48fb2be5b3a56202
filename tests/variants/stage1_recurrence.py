"""Wrong answers as students write them, stage 1, written without looking at the misconceptions.

The docstring's first line says what is expected of the diagnosis. `explained: <id>` is that misconception in other
code; `unexplained: <slip>` is an error that comes from none of the listed thoughts.
"""

import math
from collections import defaultdict

import numpy as np

# --- pad_sequences -------------------------------------------------------------------------------------------------


def pad_sequences__front_filler(sequences, max_len, pad_id=0):
    """explained: pad_sequences__pads_on_the_left"""
    tokens, real = [], []
    for seq in sequences:
        missing = max_len - len(seq)
        if missing < 0:
            raise ValueError("too long")
        tokens += [pad_id] * missing + list(seq)
        real += [False] * missing + [True] * len(seq)
    shape = (len(sequences), max_len)
    return np.array(tokens, dtype=int).reshape(shape), np.array(real, dtype=bool).reshape(shape)


def pad_sequences__break_at_the_edge(sequences, max_len, pad_id=0):
    """explained: pad_sequences__truncates_long_sequences"""
    n = len(sequences)
    out = pad_id * np.ones((n, max_len), dtype=int)
    visible = out != out
    for i in range(n):
        for j, tok in enumerate(sequences[i]):
            if j == max_len:
                break
            out[i, j] = tok
            visible[i, j] = True
    return out, visible


def pad_sequences__not_equal_pad(sequences, max_len, pad_id=0):
    """explained: pad_sequences__mask_from_the_pad_id"""
    for s in sequences:
        if len(s) > max_len:
            raise ValueError(f"sequence of length {len(s)} does not fit")
    padded = np.empty((len(sequences), max_len), dtype=int)
    for i, s in enumerate(sequences):
        for j in range(max_len):
            padded[i, j] = s[j] if j < len(s) else pad_id
    return padded, ~np.equal(padded, pad_id)


def pad_sequences__at_least_one_pad(sequences, max_len, pad_id=0):
    """explained: pad_sequences__refuses_a_full_window"""
    lengths = [len(s) for s in sequences]
    ids = np.full((len(lengths), max_len), pad_id)
    mask = np.zeros(ids.shape, bool)
    for i, n in enumerate(lengths):
        if not n < max_len:
            raise ValueError("sequences")
        ids[i][:n] = sequences[i]
        mask[i][:n] = 1
    return ids, mask


def pad_sequences__skip_the_empty(sequences, max_len, pad_id=0):
    """explained: pad_sequences__drops_empty_sequences"""
    nonempty = [list(s) for s in sequences if s]
    if [s for s in nonempty if len(s) > max_len]:
        raise ValueError("sequences too long")
    ids = np.zeros((len(nonempty), max_len), dtype=int) + pad_id
    mask = np.zeros((len(nonempty), max_len), dtype=bool)
    for row, s in enumerate(nonempty):
        for col in range(len(s)):
            ids[row, col], mask[row, col] = s[col], True
    return ids, mask


def pad_sequences__ignore_index(sequences, max_len, pad_id=-1):
    """explained: pad_sequences__minus_one_by_default"""
    assert max_len >= 0
    rows = []
    for s in sequences:
        if max_len < len(s):
            raise ValueError("max_len")
        rows.append(np.concatenate([np.asarray(s, dtype=int), np.repeat(pad_id, max_len - len(s))]))
    lens = np.array([len(s) for s in sequences], dtype=int).reshape(-1, 1)
    ids = np.array(rows, dtype=int).reshape(len(rows), max_len)
    return ids, np.arange(max_len)[None, :] < lens


def pad_sequences__star_n(sequences, max_len, pad_id=0):
    """explained: pad_sequences__one_row_object_for_all"""
    n = len(sequences)
    ids = [[pad_id] * max_len] * n
    mask = [[False] * max_len] * n
    for i in range(n):
        if len(sequences[i]) > max_len:
            raise ValueError("too long")
        for j, token in enumerate(sequences[i]):
            ids[i][j] = token
            mask[i][j] = True
    return np.array(ids, dtype=int).reshape(n, max_len), np.array(mask, dtype=bool).reshape(n, max_len)


def pad_sequences__mask_inverted(sequences, max_len, pad_id=0):
    """unexplained: True marks the padding"""
    ids = np.full((len(sequences), max_len), pad_id, dtype=int)
    mask = np.ones((len(sequences), max_len), dtype=bool)
    for i, s in enumerate(sequences):
        if len(s) > max_len:
            raise ValueError("sequences")
        ids[i, :len(s)] = s
        mask[i, :len(s)] = False
    return ids, mask


def pad_sequences__results_swapped(sequences, max_len, pad_id=0):
    """unexplained: returns mask and ids in the wrong order"""
    ids = np.full((len(sequences), max_len), pad_id, dtype=int)
    mask = np.zeros((len(sequences), max_len), dtype=bool)
    for i, s in enumerate(sequences):
        if len(s) > max_len:
            raise ValueError("sequences")
        ids[i, :len(s)] = s
        mask[i, :len(s)] = True
    return mask, ids


def pad_sequences__one_token_short(sequences, max_len, pad_id=0):
    """unexplained: the copying loop stops one token early"""
    ids = np.full((len(sequences), max_len), pad_id, dtype=int)
    mask = np.zeros((len(sequences), max_len), dtype=bool)
    for i, s in enumerate(sequences):
        if len(s) > max_len:
            raise ValueError("sequences")
        for j in range(len(s) - 1):
            ids[i, j] = s[j]
            mask[i, j] = True
    return ids, mask


def pad_sequences__index_one_past(sequences, max_len, pad_id=0):
    """unexplained: IndexError, loops to len(s) inclusive"""
    ids = np.full((len(sequences), max_len), pad_id, dtype=int)
    for i, s in enumerate(sequences):
        if len(s) > max_len:
            raise ValueError("sequences")
        for j in range(len(s) + 1):
            ids[i, j] = s[j]
    return ids, ids != pad_id


# --- hidden_layer_parameters ---------------------------------------------------------------------------------------


def hidden_layer_parameters__weights_only(construction, T_max, d_x, d_h):
    """explained: hidden_layer_parameters__no_biases"""
    cell = np.zeros((d_h, d_h)).size + np.zeros((d_h, d_x)).size
    if construction == "shared":
        return cell
    elif construction == "per_step":
        return sum(cell for _ in range(T_max))
    elif construction == "zero_padding":
        return T_max * d_x * d_h
    else:
        raise ValueError(construction)


def hidden_layer_parameters__cell_for_each_step(construction, T_max, d_x, d_h):
    """explained: hidden_layer_parameters__shared_grows_with_time"""
    total = 0
    if construction == "zero_padding":
        inputs = T_max * d_x
        return (inputs + 1) * d_h
    if construction not in ("shared", "per_step"):
        raise ValueError("construction")
    for _ in range(T_max):
        total += d_h * (d_h + d_x + 1)
    return total


def hidden_layer_parameters__dx_and_dh(construction, T_max, d_x, d_h):
    """explained: hidden_layer_parameters__widths_swapped"""
    hidden, inp = d_x, d_h
    one_cell = hidden * hidden + hidden * inp + hidden
    if construction in {"per_step", "shared"}:
        return one_cell * T_max if construction == "per_step" else one_cell
    if construction != "zero_padding":
        raise ValueError(f"unknown {construction}")
    return hidden * (T_max * inp) + hidden


def hidden_layer_parameters__first_cell_is_smaller(construction, T_max, d_x, d_h):
    """explained: hidden_layer_parameters__first_step_without_recurrence"""
    match construction:
        case "zero_padding":
            return d_h * (T_max * d_x + 1)
        case "shared":
            return d_h * (d_h + d_x + 1)
        case "per_step":
            count = 0
            for t in range(T_max):
                count += d_h * d_x + d_h
                if t > 0:
                    count += d_h * d_h
            return count
        case _:
            raise ValueError("construction")


def hidden_layer_parameters__bih_and_bhh(construction, T_max, d_x, d_h):
    """explained: hidden_layer_parameters__two_biases_per_cell"""
    b_ih = b_hh = d_h
    w_ih, w_hh = d_h * d_x, d_h * d_h
    if construction == "zero_padding":
        return T_max * w_ih + d_h
    cell = w_ih + w_hh + b_ih + b_hh
    if construction == "shared":
        return cell
    if construction == "per_step":
        return T_max * cell
    raise ValueError("construction must be one of the three")


def hidden_layer_parameters__two_times_not_squared(construction, T_max, d_x, d_h):
    """unexplained: d_h * 2 where d_h ** 2 is meant"""
    cell = d_h * 2 + d_h * d_x + d_h
    if construction == "zero_padding":
        return d_h * T_max * d_x + d_h
    if construction == "per_step":
        return T_max * cell
    if construction == "shared":
        return cell
    raise ValueError("construction")


def hidden_layer_parameters__names_mixed_up(construction, T_max, d_x, d_h):
    """unexplained: the strings of two branches are exchanged"""
    cell = d_h**2 + d_h * d_x + d_h
    if construction == "per_step":
        return d_h * T_max * d_x + d_h
    if construction == "zero_padding":
        return T_max * cell
    if construction == "shared":
        return cell
    raise ValueError("construction")


def hidden_layer_parameters__bias_once(construction, T_max, d_x, d_h):
    """unexplained: a missing bracket, so only the last term is multiplied"""
    if construction == "zero_padding":
        return d_h * T_max * d_x + d_h
    if construction == "per_step":
        return T_max * d_h**2 + d_h * d_x + d_h
    if construction == "shared":
        return d_h**2 + d_h * d_x + d_h
    raise ValueError("construction")


# --- elman_step ----------------------------------------------------------------------------------------------------


def elman_step__columns_not_rows(x, a_prev, params):
    """explained: elman_step__transposed_recurrence"""
    W, U, b = params["W_aa"], params["W_ax"], params["b_a"]
    z = []
    for i in range(len(b)):
        s = b[i]
        for j in range(len(a_prev)):
            s = s + W[j][i] * a_prev[j]
        for j in range(len(x)):
            s = s + U[i][j] * x[j]
        z.append(math.tanh(s))
    return np.array(z)


def elman_step__star_and_sum(x, a_prev, params):
    """explained: elman_step__elementwise_recurrence"""
    prod = np.multiply(params["W_aa"], a_prev)
    recurrent = np.zeros(len(a_prev))
    for row in prod:
        recurrent = recurrent + row
    return np.tanh(recurrent + np.dot(params["W_ax"], x) + params["b_a"])


def elman_step__logistic(x, a_prev, params):
    """explained: elman_step__sigmoid_instead_of_tanh"""
    pre = np.einsum("ij,j->i", params["W_aa"], a_prev)
    pre = pre + np.einsum("ij,j->i", params["W_ax"], x)
    pre = pre + params["b_a"]
    return np.array([1 / (1 + math.exp(-p)) for p in pre])


def elman_step__bias_reshaped(x, a_prev, params):
    """explained: elman_step__bias_as_a_column"""
    bias = np.reshape(params["b_a"], (len(a_prev), 1))
    flat = np.dot(params["W_ax"], x) + np.dot(params["W_aa"], a_prev)
    return np.tanh(flat + bias)


def elman_step__paper_vectors(x, a_prev, params):
    """explained: elman_step__state_as_a_column"""
    x = np.array(x).reshape(-1, 1)
    h = np.array(a_prev).reshape(-1, 1)
    b = np.array(params["b_a"]).reshape(-1, 1)
    stacked = np.hstack([params["W_aa"], params["W_ax"]])
    return np.tanh(stacked.dot(np.vstack([h, x])) + b)


def elman_step__plus_equals(x, a_prev, params):
    """explained: elman_step__adds_up_in_the_bias"""
    z = params["b_a"]
    for i in range(z.shape[0]):
        for j in range(a_prev.shape[0]):
            z[i] += params["W_aa"][i, j] * a_prev[j]
        for j in range(x.shape[0]):
            z[i] += params["W_ax"][i, j] * x[j]
    return np.tanh(z)


def elman_step__only_the_input_squashed(x, a_prev, params):
    """unexplained: a misplaced bracket, the bias is added after tanh"""
    return np.tanh(params["W_aa"] @ a_prev + params["W_ax"] @ x) + params["b_a"]


def elman_step__minus_sign(x, a_prev, params):
    """unexplained: a sign slip in front of the bias"""
    return np.tanh(params["W_aa"] @ a_prev + params["W_ax"] @ x - params["b_a"])


def elman_step__arguments_exchanged(x, a_prev, params):
    """unexplained: ValueError or wrong values, each matrix is given the other vector"""
    z = np.dot(params["W_aa"], x) + np.dot(params["W_ax"], a_prev) + params["b_a"]
    return np.tanh(z)


def elman_step__key_of_another_book(x, a_prev, params):
    """unexplained: KeyError, the keys of another textbook"""
    return np.tanh(params["Waa"] @ a_prev + params["Wax"] @ x + params["ba"])


# --- elman_forward -------------------------------------------------------------------------------------------------


def elman_forward__fresh_memory(xs, a0, params):
    """explained: elman_forward__starts_from_zeros"""
    d, d_y, T = len(params["b_a"]), len(params["b_y"]), xs.shape[0]
    h = np.zeros((T + 1, d))
    y = np.zeros((T, d_y))
    for t in range(1, T + 1):
        h[t] = np.tanh(np.dot(params["W_aa"], h[t - 1]) + np.dot(params["W_ax"], xs[t - 1]) + params["b_a"])
        y[t - 1] = np.dot(params["W_ya"], h[t]) + params["b_y"]
    return h[1:], y


def elman_forward__always_a0(xs, a0, params):
    """explained: elman_forward__state_never_advances"""
    T = len(xs)
    states, logits = np.empty((T, a0.size)), np.empty((T, params["b_y"].size))
    recurrent = params["W_aa"].dot(a0)
    for t in range(T):
        state = np.tanh(recurrent + params["W_ax"].dot(xs[t]) + params["b_a"])
        states[t] = state
        logits[t] = params["W_ya"].dot(state) + params["b_y"]
    return states, logits


def elman_forward__answers_before_reading(xs, a0, params):
    """explained: elman_forward__output_before_the_update"""
    h = a0
    all_h, all_y = [], []
    for x_t in xs:
        all_y.append(params["W_ya"] @ h + params["b_y"])
        h = np.tanh(np.matmul(params["W_ax"], x_t) + np.matmul(params["W_aa"], h) + params["b_a"])
        all_h.append(h)
    if not all_h:
        return np.zeros((0, a0.shape[0])), np.zeros((0, params["b_y"].shape[0]))
    return np.stack(all_h), np.stack(all_y)


def elman_forward__y_in_columns(xs, a0, params):
    """explained: elman_forward__time_last_in_the_logits"""
    T, m = len(xs), len(params["b_y"])
    prev = a0.copy()
    states = np.zeros((T, len(prev)))
    logits = np.zeros((m, T))
    for t in range(T):
        prev = np.tanh(params["b_a"] + params["W_ax"] @ xs[t] + params["W_aa"] @ prev)
        states[t, :] = prev
        logits[:, t] = params["b_y"] + params["W_ya"] @ prev
    return states, logits


def elman_forward__row_vector_habit(xs, a0, params):
    """explained: elman_forward__transposed_recurrence"""
    T = xs.shape[0]
    projected = xs @ params["W_ax"].T + params["b_a"]
    A = np.zeros((T, a0.shape[0]))
    Y = np.zeros((T, params["W_ya"].shape[0]))
    for t in range(T):
        last = A[t - 1] if t else a0
        A[t] = np.tanh(projected[t] + last @ params["W_aa"])
        Y[t] = params["b_y"] + A[t] @ params["W_ya"].T
    return A, Y


def elman_forward__vstack_at_the_end(xs, a0, params):
    """explained: elman_forward__cannot_stack_nothing"""
    hs, ys = [], []
    for i in range(len(xs)):
        before = hs[i - 1] if i > 0 else a0
        now = np.tanh(params["W_ax"].dot(xs[i]) + params["W_aa"].dot(before) + params["b_a"])
        hs.append(now)
        ys.append(params["W_ya"].dot(now) + params["b_y"])
    return np.vstack(hs), np.vstack(ys)


def elman_forward__squeezed(xs, a0, params):
    """explained: elman_forward__drops_axes_of_length_one"""
    T, d = len(xs), len(a0)
    S, L = np.zeros((T, d, 1)), np.zeros((T, len(params["b_y"]), 1))
    col = a0[:, None]
    for t in range(T):
        col = np.tanh(params["W_aa"] @ col + params["W_ax"] @ xs[t][:, None] + params["b_a"][:, None])
        S[t] = col
        L[t] = params["W_ya"] @ col + params["b_y"][:, None]
    return S.squeeze(), L.squeeze()


def elman_forward__same_memory(xs, a0, params):
    """explained: elman_forward__overwrites_the_start_state"""
    h = a0
    H, Y = np.zeros((xs.shape[0], h.size)), np.zeros((xs.shape[0], params["b_y"].size))
    for t in range(xs.shape[0]):
        h[:] = np.tanh(np.dot(params["W_ax"], xs[t]) + np.dot(params["W_aa"], h) + params["b_a"])
        H[t] = h
        Y[t] = np.dot(params["W_ya"], h) + params["b_y"]
    return H, Y


def elman_forward__skips_the_first_input(xs, a0, params):
    """unexplained: the loop starts at 1, the first row stays zero"""
    states = np.zeros((len(xs), len(a0)))
    a = a0
    for t in range(1, len(xs)):
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ xs[t] + params["b_a"])
        states[t] = a
    return states, states @ params["W_ya"].T + params["b_y"]


def elman_forward__no_output_bias(xs, a0, params):
    """unexplained: forgets b_y"""
    states, outputs = [], []
    a = a0
    for x in xs:
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ x + params["b_a"])
        states.append(a)
        outputs.append(params["W_ya"] @ a)
    return (np.array(states).reshape(len(xs), len(a0)),
            np.array(outputs).reshape(len(xs), len(params["b_y"])))


def elman_forward__tanh_on_the_output(xs, a0, params):
    """unexplained: squashes the logits, too"""
    states = np.zeros((len(xs), len(a0)))
    a = a0
    for t, x in enumerate(xs):
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ x + params["b_a"])
        states[t] = a
    return states, np.tanh(states @ params["W_ya"].T + params["b_y"])


def elman_forward__return_in_the_loop(xs, a0, params):
    """unexplained: the return line is indented too far, only the first step is computed"""
    states = np.zeros((len(xs), len(a0)))
    logits = np.zeros((len(xs), len(params["b_y"])))
    a = a0
    for t, x in enumerate(xs):  # noqa: B007
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ x + params["b_a"])
        states[t] = a
        logits[t] = params["W_ya"] @ a + params["b_y"]
        return states, logits


# --- io_schedule ---------------------------------------------------------------------------------------------------


def io_schedule__input_again(form, T_x, T_y):
    """explained: io_schedule__reads_at_every_step"""
    if T_x < 1 or T_y < 1:
        raise ValueError("T_x and T_y must be positive")
    if form == "one_to_one" and T_x == 1 and T_y == 1:
        return np.array([True]), np.array([True])
    if form == "one_to_many" and T_x == 1:
        return np.array([True] * T_y), np.array([True] * T_y)
    if form == "many_to_one" and T_y == 1:
        return np.array([True] * T_x), np.array([False] * (T_x - 1) + [True])
    if form == "many_to_many_aligned" and T_x == T_y:
        return np.array([True] * T_x), np.array([True] * T_y)
    if form == "many_to_many_unaligned":
        return np.array([True] * T_x + [False] * T_y), np.array([False] * T_x + [True] * T_y)
    raise ValueError("does not fit")


def io_schedule__output_each_step(form, T_x, T_y):
    """explained: io_schedule__emits_at_every_step"""
    if min(T_x, T_y) <= 0:
        raise ValueError("lengths")
    if form in ("one_to_one", "many_to_many_aligned"):
        if T_x != T_y or (form == "one_to_one" and T_x != 1):
            raise ValueError("lengths")
        reads, emits = np.ones(T_x), np.ones(T_x)
    elif form == "one_to_many":
        if T_x > 1:
            raise ValueError("lengths")
        reads, emits = np.eye(T_y)[0], np.ones(T_y)
    elif form == "many_to_one":
        if T_y > 1:
            raise ValueError("lengths")
        reads, emits = np.ones(T_x), np.ones(T_x)
    elif form == "many_to_many_unaligned":
        reads = np.concatenate([np.ones(T_x), np.zeros(T_y)])
        emits = 1 - reads
    else:
        raise ValueError("form")
    return reads.astype(bool), emits.astype(bool)


def io_schedule__overlap_by_one(form, T_x, T_y):
    """explained: io_schedule__first_output_at_the_last_input"""
    known = {"one_to_one", "one_to_many", "many_to_one", "many_to_many_aligned", "many_to_many_unaligned"}
    if form not in known or T_x < 1 or T_y < 1:
        raise ValueError("bad arguments")
    source, _, target = form.partition("_to_")
    if source == "one" and T_x != 1:
        raise ValueError("T_x")
    if target == "one" and T_y != 1:
        raise ValueError("T_y")
    if form == "many_to_many_aligned":
        if T_x != T_y:
            raise ValueError("not aligned")
        steps = T_x
    else:
        steps = T_x + T_y - 1
    reads = np.zeros(steps, dtype=bool)
    emits = np.zeros(steps, dtype=bool)
    reads[:T_x] = True
    emits[steps - T_y:] = True
    return reads, emits


def io_schedule__zeros_and_ones(form, T_x, T_y):
    """explained: io_schedule__numbers_for_truth_values"""
    ok = {"one_to_one": (T_x, T_y) == (1, 1), "one_to_many": T_x == 1, "many_to_one": T_y == 1,
          "many_to_many_aligned": T_x == T_y, "many_to_many_unaligned": True}
    if not ok.get(form, False) or T_x <= 0 or T_y <= 0:
        raise ValueError("form or lengths")
    T = max(T_x, T_y)
    if form.endswith("unaligned"):
        T = T_x + T_y
    reads, emits = [], []
    for t in range(T):
        reads.append(1 if t < T_x else 0)
        emits.append(1 if t >= T - T_y else 0)
    return np.array(reads), np.array(emits)


def io_schedule__else_branch(form, T_x, T_y):
    """explained: io_schedule__unknown_form_is_aligned"""
    if T_x < 1 or T_y < 1:
        raise ValueError("at least one step")
    if form == "one_to_one":
        fits, T = T_x == 1 and T_y == 1, 1
    elif form == "one_to_many":
        fits, T = T_x == 1, T_y
    elif form == "many_to_one":
        fits, T = T_y == 1, T_x
    elif form == "many_to_many_unaligned":
        fits, T = True, T_x + T_y
    else:
        fits, T = T_x == T_y, T_x
    if not fits:
        raise ValueError("lengths do not fit")
    return np.array([t < T_x for t in range(T)]), np.array([T - t <= T_y for t in range(T)])


def io_schedule__first_read_then_write(form, T_x, T_y):
    """explained: io_schedule__always_reads_everything_first"""
    limits = {"one_to_one": (1, 1), "one_to_many": (1, None), "many_to_one": (None, 1),
              "many_to_many_aligned": (None, None), "many_to_many_unaligned": (None, None)}
    if form not in limits:
        raise ValueError("unknown form")
    want_x, want_y = limits[form]
    if (want_x or T_x) != T_x or (want_y or T_y) != T_y or T_x < 1 or T_y < 1:
        raise ValueError("lengths")
    if form == "many_to_many_aligned" and T_x - T_y != 0:
        raise ValueError("lengths")
    reads = np.r_[np.full(T_x, True), np.full(T_y, False)]
    return reads, np.logical_not(reads)


def io_schedule__one_is_one(form, T_x, T_y):
    """explained: io_schedule__trusts_the_one_in_the_name"""
    if T_x < 1 or T_y < 1:
        raise ValueError("lengths below 1")
    if form == "one_to_one":
        return np.array([True]), np.array([True])
    if form == "one_to_many":
        reads = np.zeros(T_y, dtype=bool)
        reads[0] = True
        return reads, np.ones(T_y, dtype=bool)
    if form == "many_to_one":
        emits = np.zeros(T_x, dtype=bool)
        emits[-1] = True
        return np.ones(T_x, dtype=bool), emits
    if form == "many_to_many_aligned":
        if T_x != T_y:
            raise ValueError("not aligned")
        return np.ones(T_x, dtype=bool), np.ones(T_y, dtype=bool)
    if form == "many_to_many_unaligned":
        reads = np.zeros(T_x + T_y, dtype=bool)
        reads[:T_x] = True
        return reads, ~reads
    raise ValueError("form")


def io_schedule__lengths_exchanged(form, T_x, T_y):
    """unexplained: the unaligned form reads T_y steps and emits at T_x steps"""
    if T_x < 1 or T_y < 1:
        raise ValueError("lengths")
    if form == "many_to_many_unaligned":
        return np.arange(T_x + T_y) < T_y, np.arange(T_x + T_y) >= T_y
    fits = {"one_to_one": T_x == T_y == 1, "one_to_many": T_x == 1, "many_to_one": T_y == 1,
            "many_to_many_aligned": T_x == T_y}
    if not fits.get(form):
        raise ValueError("form")
    T = max(T_x, T_y)
    return np.arange(T) < T_x, np.arange(T) >= T - T_y


def io_schedule__emits_and_reads(form, T_x, T_y):
    """unexplained: the two results are swapped"""
    fits = {"one_to_one": T_x == T_y == 1, "one_to_many": T_x == 1, "many_to_one": T_y == 1,
            "many_to_many_aligned": T_x == T_y, "many_to_many_unaligned": True}
    if form not in fits or not fits[form] or T_x < 1 or T_y < 1:
        raise ValueError("form, T_x, T_y")
    T = T_x + T_y if form == "many_to_many_unaligned" else max(T_x, T_y)
    steps = np.arange(T)
    return steps >= T - T_y, steps < T_x


def io_schedule__typo_in_a_name(form, T_x, T_y):
    """unexplained: a typo in the name of a form, which is refused from then on"""
    fits = {"one_to_one": T_x == T_y == 1, "one_to_many": T_x == 1, "many_to_one": T_y == 1,
            "many_to_many_alligned": T_x == T_y, "many_to_many_unaligned": True}
    if form not in fits or not fits[form] or T_x < 1 or T_y < 1:
        raise ValueError("form, T_x, T_y")
    T = T_x + T_y if form == "many_to_many_unaligned" else max(T_x, T_y)
    return np.arange(T) < T_x, np.arange(T) >= T - T_y


def io_schedule__no_branch_for_one_to_one(form, T_x, T_y):
    """unexplained: UnboundLocalError, one form was left out"""
    if T_x < 1 or T_y < 1:
        raise ValueError("lengths")
    if form == "one_to_many" and T_x == 1:
        T = T_y
    elif form == "many_to_one" and T_y == 1:
        T = T_x
    elif form == "many_to_many_unaligned":
        T = T_x + T_y
    elif form == "many_to_many_aligned" and T_x == T_y:
        T = T_y
    elif form != "one_to_one" or T_x + T_y > 2:
        raise ValueError("form")
    return np.arange(T) < T_x, np.arange(T) >= T - T_y


# --- softmax -------------------------------------------------------------------------------------------------------


def softmax__textbook(logits):
    """explained: softmax__no_shift"""
    powers = np.power(np.e, logits)
    totals = np.add.reduce(powers, axis=-1)
    return powers / totals[..., None]


def softmax__one_total(logits):
    """explained: softmax__normalises_the_whole_array"""
    top = logits.max(axis=-1, keepdims=True)
    e = np.exp(np.subtract(logits, top))
    total = 0.0
    for value in e.ravel():
        total += value
    return e / total


def softmax__axis_zero(logits):
    """explained: softmax__normalises_columns"""
    m = np.amax(logits, axis=0)
    e = np.exp(logits - m)
    return np.divide(e, e.sum(axis=0))


def softmax__centred(logits):
    """explained: softmax__shifts_by_the_mean"""
    centre = np.sum(logits, axis=-1, keepdims=True) / logits.shape[-1]
    weights = np.exp(logits - centre)
    return weights / np.expand_dims(weights.sum(axis=-1), -1)


def softmax__np_max_without_axis(logits):
    """explained: softmax__one_shift_for_all_rows"""
    biggest = max(logits.flatten().tolist())
    e = np.exp(logits - biggest)
    return e / np.einsum("...v->...", e)[..., np.newaxis]


def softmax__subtracts_with_assignment(logits):
    """explained: softmax__shifts_in_place"""
    logits -= np.max(logits, axis=-1)[..., None]
    e = np.exp(logits)
    return e / e.sum(axis=-1, keepdims=True)


def softmax__logistic(logits):
    """explained: softmax__sigmoid_of_each_logit"""
    return np.reciprocal(1.0 + np.exp(np.negative(logits)))


def softmax__log_of_it(logits):
    """unexplained: returns log probabilities"""
    z = logits - np.max(logits, axis=-1, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=-1, keepdims=True))


def softmax__sign_in_the_exponent(logits):
    """unexplained: subtracts in the wrong order, so small logits win"""
    e = np.exp(np.min(logits, axis=-1, keepdims=True) - logits)
    return e / e.sum(axis=-1, keepdims=True)


def softmax__base_two(logits):
    """unexplained: exp2 instead of exp"""
    e = np.exp2(logits - np.max(logits, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax__divided_by_the_largest(logits):
    """unexplained: divides the logits by the largest one"""
    e = np.exp(logits / np.max(logits, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


# --- cross_entropy -------------------------------------------------------------------------------------------------


def cross_entropy__average_of_losses(logits, targets):
    """explained: cross_entropy__mean_over_predictions"""
    losses = []
    for row, y in zip(logits, targets):
        top = max(row)
        losses.append(top + math.log(sum(math.exp(v - top) for v in row)) - row[y])
    return float(np.mean(losses))


def cross_entropy__mean_of_the_matrix(logits, targets):
    """explained: cross_entropy__mean_over_the_vocabulary"""
    L, V = logits.shape
    onehot = np.zeros((L, V))
    for i in range(L):
        onehot[i, targets[i]] = 1
    z = logits - logits.max(1).reshape(L, 1)
    logp = z - np.log(np.exp(z).sum(1)).reshape(L, 1)
    return float(-(onehot * logp).mean())


def cross_entropy__log_p(logits, targets):
    """explained: cross_entropy__logarithm_of_the_softmax"""
    total = 0.0
    for i in range(len(targets)):
        e = np.exp(logits[i] - logits[i].max())
        p = e / e.sum()
        total += -np.log(p[targets[i]])
    return float(total)


def cross_entropy__tiny_constant(logits, targets):
    """explained: cross_entropy__epsilon_inside_the_log"""
    e = np.exp(logits - logits.max(axis=-1)[:, None])
    p = e / e.sum(axis=-1)[:, None]
    chosen = np.take_along_axis(p, np.asarray(targets)[:, None], axis=1)[:, 0]
    return -float(np.log(chosen + 1e-12).sum())


def cross_entropy__probabilities_as_scores(logits, targets):
    """explained: cross_entropy__softmax_twice"""
    def normalise(row):
        e = np.exp(row - row.max())
        return e / e.sum()

    loss = 0.0
    for row, y in zip(logits, targets):
        loss -= math.log(normalise(normalise(row))[y])
    return loss


def cross_entropy__colon_in_the_index(logits, targets):
    """explained: cross_entropy__every_target_in_every_row"""
    loss = 0.0
    for row in logits:
        m = row.max()
        lse = m + np.log(np.exp(row - m).sum())
        for y in targets:
            loss += lse - row[y]
    return float(loss)


def cross_entropy__dictionary_of_losses(logits, targets):
    """explained: cross_entropy__repeated_targets_count_once"""
    by_token = {}
    for i, y in enumerate(targets):
        m = np.max(logits[i])
        by_token[int(y)] = float(np.log(np.sum(np.exp(logits[i] - m))) + m - logits[i][y])
    return sum(by_token.values())


def cross_entropy__other_logarithm(logits, targets):
    """unexplained: logarithm of base two"""
    z = logits - np.max(logits, axis=1, keepdims=True)
    log_p = (z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))) / np.log(2)
    return float(-np.sum(log_p[np.arange(len(targets)), targets]))


def cross_entropy__without_the_minus(logits, targets):
    """unexplained: forgets the minus, so the loss is negative"""
    z = logits - np.max(logits, axis=1, keepdims=True)
    log_p = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    return float(np.sum(log_p[np.arange(len(targets)), targets]))


def cross_entropy__largest_logit_as_target(logits, targets):
    """unexplained: scores the most likely token instead of the target"""
    z = logits - np.max(logits, axis=1, keepdims=True)
    totals = np.log(np.sum(np.exp(z), axis=1))
    return float(np.sum(totals - z[np.arange(len(targets)), np.argmax(z, axis=1)]))


def cross_entropy__index_the_wrong_way(logits, targets):
    """unexplained: IndexError or wrong entries, row and column are exchanged in the index"""
    z = logits - np.max(logits, axis=1, keepdims=True)
    log_p = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    loss = 0.0
    for i, y in enumerate(targets):
        loss -= log_p[y, i]
    return float(loss)


# --- lm_pairs ------------------------------------------------------------------------------------------------------


def lm_pairs__same_twice(tokens, eos_id):
    """explained: lm_pairs__targets_not_shifted"""
    inputs = [int(tok) for tok in tokens]
    targets = list(inputs)
    return np.array(inputs, dtype=int), np.array(targets, dtype=int)


def lm_pairs__bos_is_eos(tokens, eos_id):
    """explained: lm_pairs__predicts_the_first_token"""
    full = np.empty(len(tokens) + 2, dtype=int)
    full[0] = full[-1] = eos_id
    full[1:-1] = tokens
    return full[:-1], full[1:]


def lm_pairs__zip_of_neighbours(tokens, eos_id):
    """explained: lm_pairs__never_predicts_the_end"""
    pairs = np.array(list(zip(tokens, tokens[1:])), dtype=int).reshape(-1, 2)
    return pairs[:, 0].copy(), pairs[:, 1].copy()


def lm_pairs__modulo(tokens, eos_id):
    """explained: lm_pairs__last_token_predicts_the_first"""
    L = len(tokens)
    targets = np.zeros(L, dtype=int)
    for i in range(L):
        targets[i] = tokens[(i + 1) % L]
    return np.array(tokens), targets


def lm_pairs__filters_pads(tokens, eos_id):
    """explained: lm_pairs__takes_zero_for_padding"""
    inputs = [t for t in tokens if t != 0]
    shifted = [*inputs, eos_id][1:]
    return np.array(inputs, dtype=int), np.array(shifted, dtype=int)


def lm_pairs__hstack_of_lists(tokens, eos_id):
    """explained: lm_pairs__floats_for_a_single_token"""
    rest = [t for i, t in enumerate(tokens) if i > 0]
    return np.array(tokens), np.hstack([rest, [eos_id]])


def lm_pairs__end_in_front(tokens, eos_id):
    """unexplained: the end token is put before the shifted tokens"""
    targets = np.concatenate(([eos_id], tokens[1:]))
    return tokens.copy(), targets


def lm_pairs__targets_first(tokens, eos_id):
    """unexplained: the two results are swapped"""
    return np.append(tokens[1:], eos_id), tokens.copy()


def lm_pairs__reads_the_end(tokens, eos_id):
    """unexplained: the end token becomes an input as well, one input too many"""
    inputs = np.append(tokens, eos_id)
    return inputs, inputs[1:]


def lm_pairs__append_returns_none(tokens, eos_id):
    """unexplained: the result of list.append, None, is handed out as targets"""
    rest = list(tokens[1:])
    targets = rest.append(eos_id)
    return tokens.copy(), targets


# --- rnn_lm_loss ---------------------------------------------------------------------------------------------------


def rnn_lm_loss__copies_its_input(tokens, a0, params, eos_id):
    """explained: rnn_lm_loss__targets_not_shifted"""
    state, loss = a0, 0.0
    for tok in tokens:
        state = np.tanh(params["W_aa"] @ state + params["W_ax"] @ params["E"][tok] + params["b_a"])
        scores = params["W_ya"] @ state + params["b_y"]
        loss += np.logaddexp.reduce(scores) - scores[tok]
    return float(loss), len(tokens)


def rnn_lm_loss__zeros_first(tokens, a0, params, eos_id):
    """explained: rnn_lm_loss__starts_from_zeros"""
    h = np.zeros(params["b_a"].shape)
    follow = list(tokens[1:]) + [eos_id]
    losses = []
    for now, then in zip(tokens, follow):
        h = np.tanh(params["W_ax"] @ params["E"][now] + params["W_aa"] @ h + params["b_a"])
        z = params["W_ya"] @ h + params["b_y"]
        z = z - z.max()
        losses.append(np.log(np.exp(z).sum()) - z[then])
    return float(np.sum(losses)), len(losses)


def rnn_lm_loss__per_token(tokens, a0, params, eos_id):
    """explained: rnn_lm_loss__mean"""
    L, total, a = len(tokens), 0.0, a0
    for i in range(L):
        a = np.tanh(params["W_aa"].dot(a) + params["W_ax"].dot(params["E"][tokens[i]]) + params["b_a"])
        y = params["W_ya"].dot(a) + params["b_y"]
        target = eos_id if i == L - 1 else tokens[i + 1]
        biggest = np.max(y)
        total += biggest + math.log(np.exp(y - biggest).sum()) - y[target]
    return float(total / L), L


def rnn_lm_loss__length_minus_one(tokens, a0, params, eos_id):
    """explained: rnn_lm_loss__counts_the_gaps"""
    seq = np.concatenate([tokens, [eos_id]])
    a, loss = a0, 0.0
    for cur, nxt in zip(seq[:-1], seq[1:]):
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ params["E"][cur] + params["b_a"])
        logits = params["W_ya"] @ a + params["b_y"]
        m = logits.max()
        loss += float(m + np.log(np.sum(np.exp(logits - m))) - logits[nxt])
    return loss, len(tokens) - 1


def rnn_lm_loss__zero_ends(tokens, a0, params, eos_id):
    """explained: rnn_lm_loss__end_token_is_always_zero"""
    targets = np.zeros(len(tokens), dtype=int)
    targets[:-1] = tokens[1:]
    a, rows = a0, []
    for x in params["E"][tokens]:
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ x + params["b_a"])
        rows.append(params["W_ya"] @ a + params["b_y"])
    Z = np.array(rows)
    lse = np.logaddexp.reduce(Z, axis=1)
    return float(sum(lse[i] - Z[i, y] for i, y in enumerate(targets))), len(targets)


def rnn_lm_loss__bigrams(tokens, a0, params, eos_id):
    """explained: rnn_lm_loss__forgets_between_tokens"""
    X = params["E"][np.asarray(tokens)]
    A = np.tanh(X @ params["W_ax"].T + params["b_a"] + params["W_aa"] @ a0)
    Z = A @ params["W_ya"].T + params["b_y"]
    nxt = np.append(tokens[1:], eos_id)
    loss = 0.0
    for z, y in zip(Z, nxt):
        loss += np.logaddexp.reduce(z) - z[y]
    return float(loss), Z.shape[0]


def rnn_lm_loss__eos_as_bos(tokens, a0, params, eos_id):
    """explained: rnn_lm_loss__predicts_the_first_token"""
    loss, count, a, last = 0.0, 0, a0, eos_id
    for tok in [*tokens, eos_id]:
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ params["E"][last] + params["b_a"])
        s = params["W_ya"] @ a + params["b_y"]
        loss += np.logaddexp.reduce(s) - s[tok]
        count += 1
        last = tok
    return float(loss), count


def rnn_lm_loss__scored_within(tokens, a0, params, eos_id):
    """explained: rnn_lm_loss__never_predicts_the_end"""
    h, nll, n = a0, 0.0, 0
    for i in range(len(tokens) - 1):
        h = np.tanh(params["W_aa"] @ h + params["W_ax"] @ params["E"][tokens[i]] + params["b_a"])
        o = params["W_ya"] @ h + params["b_y"]
        nll = nll + float(np.logaddexp.reduce(o) - o[tokens[i + 1]])
        n = n + 1
    return nll, n


def rnn_lm_loss__free_running(tokens, a0, params, eos_id):
    """explained: rnn_lm_loss__feeds_its_own_guess"""
    targets = list(tokens)[1:] + [eos_id]
    a, current, loss = a0, tokens[0], 0.0
    for y in targets:
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ params["E"][current] + params["b_a"])
        scores = params["W_ya"] @ a + params["b_y"]
        loss += np.logaddexp.reduce(scores) - scores[y]
        current = int(np.argmax(scores))
    return float(loss), len(targets)


def rnn_lm_loss__order_of_the_results(tokens, a0, params, eos_id):
    """unexplained: returns (L, loss)"""
    a, loss = a0, 0.0
    for x, y in zip(tokens, np.append(tokens[1:], eos_id)):
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ params["E"][x] + params["b_a"])
        z = params["W_ya"] @ a + params["b_y"]
        loss += np.logaddexp.reduce(z) - z[y]
    return len(tokens), float(loss)


def rnn_lm_loss__last_loss_only(tokens, a0, params, eos_id):
    """unexplained: overwrites the loss at every step instead of adding"""
    a, loss = a0, 0.0
    for x, y in zip(tokens, np.append(tokens[1:], eos_id)):
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ params["E"][x] + params["b_a"])
        z = params["W_ya"] @ a + params["b_y"]
        loss = np.logaddexp.reduce(z) - z[y]
    return float(loss), len(tokens)


def rnn_lm_loss__embedding_of_the_target(tokens, a0, params, eos_id):
    """unexplained: the wrong loop variable, the cell reads the embedding of the target"""
    a, loss = a0, 0.0
    for _x, y in zip(tokens, np.append(tokens[1:], eos_id)):
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ params["E"][y] + params["b_a"])
        z = params["W_ya"] @ a + params["b_y"]
        loss += np.logaddexp.reduce(z) - z[y]
    return float(loss), len(tokens)


def rnn_lm_loss__column_of_the_table(tokens, a0, params, eos_id):
    """unexplained: IndexError or shape errors, takes columns of the embedding table"""
    a, loss = a0, 0.0
    for x, y in zip(tokens, np.append(tokens[1:], eos_id)):
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ params["E"][:, x] + params["b_a"])
        z = params["W_ya"] @ a + params["b_y"]
        loss += np.logaddexp.reduce(z) - z[y]
    return float(loss), len(tokens)


def rnn_lm_loss__counts_distinct_tokens(tokens, a0, params, eos_id):
    """unexplained: L is the number of distinct targets"""
    a, by_target = a0, defaultdict(float)
    for x, y in zip(tokens, np.append(tokens[1:], eos_id)):
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ params["E"][x] + params["b_a"])
        z = params["W_ya"] @ a + params["b_y"]
        by_target[int(y)] += float(np.logaddexp.reduce(z) - z[y])
    return sum(by_target.values()), len(by_target)
