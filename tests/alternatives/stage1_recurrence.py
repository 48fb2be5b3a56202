"""Stage 1: answers in other styles. The docstring's first word is the expected outcome.

accept: every case passes; convert: the value cases pass, the type and shape cases fail; reject: no points.
"""

import collections
import dataclasses
import decimal
import fractions
import functools
import itertools
import math

import numpy as np

# --- pad_sequences -------------------------------------------------------------------------------------------------


class TooLong(ValueError):
    pass


def pad_sequences__lists_of_rows(sequences, max_len, pad_id=0):
    """accept: plain lists of rows, an error of a class derived from ValueError."""
    if any(len(sequence) > max_len for sequence in sequences):
        raise TooLong
    if not sequences:
        return np.zeros((0, max_len), int), np.zeros((0, max_len), bool)
    ids = [list(sequence) + [pad_id] * (max_len - len(sequence)) for sequence in sequences]
    return ids, [[place < len(sequence) for place in range(max_len)] for sequence in sequences]


def pad_sequences__broadcast_mask(sequences, max_len, pad_id=0, dtype=np.int32):
    """accept: the mask by broadcasting, small integers, one more parameter with a default."""
    lengths = np.array([len(sequence) for sequence in sequences], dtype=int)
    if lengths.max(initial=0) > max_len:
        raise ValueError("sequences", lengths.max())
    mask = np.arange(max_len) < lengths[:, None]
    ids = np.full(mask.shape, pad_id, dtype=dtype)
    ids[mask] = list(itertools.chain.from_iterable(sequences))
    return [ids, mask]


def pad_sequences__mask_of_zeros_and_ones(sequences, max_len, pad_id=0):
    """convert: an integer mask."""
    ids, mask = pad_sequences__broadcast_mask(sequences, max_len, pad_id)
    return ids, mask.astype(int)


def pad_sequences__rows_that_differ_in_length(sequences, max_len, pad_id=0):
    """reject: nothing is padded, the rows stay ragged."""
    if any(len(sequence) > max_len for sequence in sequences):
        raise ValueError("sequences")
    rows = np.empty(len(sequences), dtype=object)
    rows[:] = [np.array(sequence) for sequence in sequences]
    return rows, [[True] * len(sequence) for sequence in sequences]


def pad_sequences__masked_array(sequences, max_len, pad_id=0):
    """reject: one masked array in place of two arrays."""
    ids, mask = pad_sequences__broadcast_mask(sequences, max_len, pad_id)
    return np.ma.masked_array(ids, mask=~mask)


# --- hidden_layer_parameters ---------------------------------------------------------------------------------------


def hidden_layer_parameters__numpy_integer(construction, T_max, d_x, d_h):
    """accept: a numpy integer, counted on real arrays."""
    shapes = {"zero_padding": [(d_h, T_max * d_x), (d_h,)], "per_step": [(d_h, d_h), (d_h, d_x), (d_h,)] * T_max,
              "shared": [(d_h, d_h), (d_h, d_x), (d_h,)]}
    if construction not in shapes:
        raise ValueError(construction)
    return np.sum([np.prod(shape) for shape in shapes[construction]])


def hidden_layer_parameters__match_statement(construction, T_max, d_x, d_h):
    """accept: a match statement and a print that was left in."""
    print("counting", construction)
    match construction:
        case "zero_padding":
            return d_h * (T_max * d_x + 1)
        case "per_step" | "shared":
            return d_h * (d_h + d_x + 1) * (T_max if construction == "per_step" else 1)
        case _:
            raise ValueError


def hidden_layer_parameters__float(construction, T_max, d_x, d_h):
    """convert: the right count as a float."""
    return hidden_layer_parameters__numpy_integer(construction, T_max, d_x, d_h) * 1.0


def hidden_layer_parameters__one_element(construction, T_max, d_x, d_h):
    """convert: the right count in an array of one element."""
    return np.array([hidden_layer_parameters__numpy_integer(construction, T_max, d_x, d_h)])


def hidden_layer_parameters__text(construction, T_max, d_x, d_h):
    """reject: the right count as text."""
    return str(hidden_layer_parameters__numpy_integer(construction, T_max, d_x, d_h))


def hidden_layer_parameters__fraction(construction, T_max, d_x, d_h):
    """reject: a number of another library."""
    return fractions.Fraction(int(hidden_layer_parameters__numpy_integer(construction, T_max, d_x, d_h)))


# --- elman_step ----------------------------------------------------------------------------------------------------


def elman_step__loops(x, a_prev, params):
    """accept: loops over units, a list of numbers."""
    state = []
    for i in range(len(a_prev)):
        total = params["b_a"][i]
        for j in range(len(a_prev)):
            total += params["W_aa"][i, j] * a_prev[j]
        for j in range(len(x)):
            total += params["W_ax"][i, j] * x[j]
        state.append(math.tanh(total))
    return state


def elman_step__one_stacked_matrix(x, a_prev, params):
    """accept: one product with both matrices side by side."""
    return np.tanh(np.hstack([params["W_aa"], params["W_ax"]]) @ np.concatenate([a_prev, x]) + params["b_a"])


def elman_step__einsum_in_float32(x, a_prev, params):
    """accept: einsum in single precision."""
    x, a_prev = x.astype(np.float32), a_prev.astype(np.float32)
    W_aa, W_ax, b_a = (params[name].astype(np.float32) for name in ("W_aa", "W_ax", "b_a"))
    return np.tanh(np.einsum("ij,j->i", W_aa, a_prev) + np.einsum("ij,j->i", W_ax, x) + b_a)


class _Cell:
    """accept: a callable object that works on defensive copies."""

    def __init__(self, squash):
        self.squash = squash
        self.__doc__ = type(self).__doc__

    def __call__(self, x, a_prev, params, *, check=True):
        x, a_prev, own = x.copy(), a_prev.copy(), {name: array.copy() for name, array in params.items()}
        assert not check or own["W_ax"].shape == (len(a_prev), len(x)), "shapes"
        own["b_a"] += own["W_aa"] @ a_prev
        own["b_a"] += own["W_ax"] @ x
        return self.squash(own["b_a"], out=a_prev)


elman_step__callable_object = _Cell(np.tanh)


def elman_step__complex_without_imaginary_part(x, a_prev, params):
    """accept: complex numbers, all of them real."""
    return elman_step__one_stacked_matrix(x, a_prev, params).astype(complex)


def elman_step__column(x, a_prev, params):
    """convert: columns all the way, (d, 1)."""
    total = params["W_aa"] @ a_prev[:, None] + params["W_ax"] @ x[:, None] + params["b_a"][:, None]
    return np.tanh(total)


def elman_step__row(x, a_prev, params):
    """convert: a row, (1, d)."""
    return elman_step__column(x, a_prev, params).T


def elman_step__matrix_class(x, a_prev, params):
    """reject: np.matrix."""
    total = np.asmatrix(params["W_aa"]) @ a_prev[:, None] + np.asmatrix(params["W_ax"]) @ x[:, None]
    return np.asmatrix(np.tanh(np.asarray(total) + params["b_a"][:, None]))


def elman_step__object_array(x, a_prev, params):
    """reject: an array of objects."""
    return np.array(elman_step__loops(x, a_prev, params), dtype=object)


def elman_step__prints_instead(x, a_prev, params):
    """reject: prints the state and returns None."""
    print(elman_step__loops(x, a_prev, params))


# --- elman_forward -------------------------------------------------------------------------------------------------

Run = collections.namedtuple("Run", "states logits")


@dataclasses.dataclass
class Outputs:
    states: np.ndarray
    logits: np.ndarray


def elman_forward__named_tuple_of_lists(xs, a0, params):
    """accept: lists of rows in a named tuple."""
    states, logits = [], []
    for x in xs:
        states.append(elman_step__one_stacked_matrix(x, states[-1] if states else a0, params))
        logits.append(params["W_ya"].dot(states[-1]) + params["b_y"])
    if not states:
        return Run(np.empty((0, a0.size)), np.empty((0, params["b_y"].size)))
    return Run(states, logits)


def elman_forward__dataclass_in_float32(xs, a0, params):
    """accept: single precision, a small dataclass."""
    xs, a = np.float32(xs), np.float32(a0)
    own = {name: np.float32(array) for name, array in params.items()}
    states = np.empty((len(xs), len(a)), dtype=np.float32)
    for t in range(len(xs)):
        a = states[t] = np.tanh(own["W_aa"] @ a + own["W_ax"] @ xs[t] + own["b_a"])
    return Outputs(states, np.einsum("yd,td->ty", own["W_ya"], states) + own["b_y"])


def elman_forward__recursion(xs, a0, params):
    """accept: recursion from the end."""
    if len(xs) == 0:
        return np.zeros((0, len(a0))), np.zeros((0, len(params["b_y"])))
    states, logits = elman_forward__recursion(xs[:-1], a0, params)
    a = np.tanh(params["W_aa"] @ np.vstack([a0[None], states])[-1] + params["W_ax"] @ xs[-1] + params["b_a"])
    return np.vstack([states, a]), np.vstack([logits, params["W_ya"] @ a + params["b_y"]])


def elman_forward__accumulate_columns_inside(xs, a0, params, verbose=False):
    """accept: inputs projected at once, the recurrence by accumulate, columns inside only."""
    projected = params["W_ax"] @ xs.T + params["b_a"][:, None]
    columns = itertools.accumulate(projected.T[:, :, None], lambda a, p: np.tanh(params["W_aa"] @ a + p), initial=a0[:, None])
    states = np.concatenate(list(columns), axis=1)[:, 1:]
    return states.T, (params["W_ya"] @ states + params["b_y"][:, None]).T


def elman_forward__batch_of_one(xs, a0, params):
    """convert: a leading batch axis of length one."""
    states, logits = elman_forward__recursion(xs, a0, params)
    return states[None], logits[None]


def elman_forward__columns_per_step(xs, a0, params):
    """convert: a column per step, (T, d, 1)."""
    states, logits = elman_forward__recursion(xs, a0, params)
    return states[:, :, None], logits[:, :, None]


def elman_forward__generator(xs, a0, params):
    """reject: a generator of pairs."""
    for t in range(len(xs)):
        states, logits = elman_forward__recursion(xs[:t + 1], a0, params)
        yield states[-1], logits[-1]


def elman_forward__dictionary(xs, a0, params):
    """reject: a dict where two results are asked for."""
    return dict(zip(("states", "logits"), elman_forward__recursion(xs, a0, params), strict=True))


# --- io_schedule ---------------------------------------------------------------------------------------------------


def io_schedule__lists(form, T_x, T_y):
    """accept: two lists of Python bools."""
    if min(T_x, T_y) < 1:
        raise ValueError("T_x, T_y")
    if form == "many_to_many_unaligned":
        return [True] * T_x + [False] * T_y, [False] * T_x + [True] * T_y
    if form == "one_to_many" and T_x == 1:
        return [True] + [False] * (T_y - 1), [True] * T_y
    if form == "many_to_one" and T_y == 1:
        return [True] * T_x, [False] * (T_x - 1) + [True]
    if (form == "many_to_many_aligned" and T_x == T_y) or (form == "one_to_one" and T_x == T_y == 1):
        return [True] * T_x, [True] * T_y
    raise ValueError(f"{form} with {T_x} and {T_y}")


def io_schedule__two_rows_of_one_array(form, T_x, T_y):
    """accept: one bool array (2, T), its rows are the results."""
    return np.array(io_schedule__lists(form, T_x, T_y), dtype=bool)


def io_schedule__sets_of_steps(form, T_x, T_y):
    """accept: sets of step numbers inside, tuples of numpy bools outside."""
    sides = io_schedule__lists(form, T_x, T_y)
    reads, emits = ({step for step, active in enumerate(side) if active} for side in sides)
    steps = range(1 + max(reads | emits))
    return tuple(np.bool_(step in reads) for step in steps), tuple(np.bool_(step in emits) for step in steps)


def io_schedule__zeros_and_ones(form, T_x, T_y):
    """convert: integers for truth values."""
    return tuple(np.array(side, dtype=int) for side in io_schedule__lists(form, T_x, T_y))


def io_schedule__rows(form, T_x, T_y):
    """convert: two rows, (1, T) each."""
    return tuple(np.array([side]) for side in io_schedule__lists(form, T_x, T_y))


def io_schedule__sets(form, T_x, T_y):
    """reject: sets of step numbers."""
    return tuple({step for step, active in enumerate(side) if active} for side in io_schedule__lists(form, T_x, T_y))


def io_schedule__text(form, T_x, T_y):
    """reject: a drawing of the schedule."""
    return tuple("".join("x" if active else "." for active in side) for side in io_schedule__lists(form, T_x, T_y))


# --- softmax -------------------------------------------------------------------------------------------------------


def softmax__by_logsumexp(logits):
    """accept: the exponential of the log-softmax."""
    return np.exp(logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True))


def softmax__lists_in_float32(logits):
    """accept: single precision, nested lists."""
    logits = np.asarray(logits, dtype=np.float32)
    weights = np.exp(logits - logits.max(-1)[..., None])
    return (weights / weights.sum(-1)[..., None]).tolist()


def _one_row(row):
    weights = [math.exp(value - max(row)) for value in row]
    return np.array([weight / math.fsum(weights) for weight in weights])


softmax__partial_along_axis = functools.partial(np.apply_along_axis, _one_row, -1)
softmax__partial_along_axis.__doc__ = "accept: a partial of apply_along_axis with a Python loop inside."


def softmax__recursion_over_rows(logits):
    """accept: recursion down to single rows."""
    return _one_row(logits) if logits.ndim == 1 else np.stack([softmax__recursion_over_rows(part) for part in logits])


def softmax__pairwise_differences(logits):
    """accept: one over the sum of exponentials of differences, where an infinite sum gives a right zero."""
    with np.errstate(over="ignore"):
        return 1.0 / np.exp(logits[..., None, :] - logits[..., :, None]).sum(axis=-1)


def softmax__trailing_axis(logits):
    """convert: a trailing axis of length one."""
    return softmax__by_logsumexp(logits)[..., None]


def softmax__at_least_a_matrix(logits):
    """convert: a vector comes back as a matrix of one row."""
    return softmax__by_logsumexp(np.atleast_2d(logits))


def softmax__imaginary_part(logits):
    """reject: complex numbers with an imaginary part."""
    return softmax__by_logsumexp(logits) * (1.0 + 1e-9j)


def softmax__decimals(logits):
    """reject: an array of decimal numbers."""
    return np.vectorize(lambda value: decimal.Decimal(float(value)), otypes=[object])(softmax__by_logsumexp(logits))


# --- cross_entropy -------------------------------------------------------------------------------------------------


def cross_entropy__one_hot_in_float32(logits, targets):
    """accept: a one-hot product in single precision."""
    logits = logits.astype(np.float32)
    logs = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
    return -np.sum(np.eye(logits.shape[1], dtype=np.float32)[targets] * logs)


def cross_entropy__take_along_axis(logits, targets):
    """accept: take_along_axis, a 0-d array."""
    logs = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
    return np.array(-np.take_along_axis(logs, targets[:, None], axis=1).sum())


def cross_entropy__python_numbers(logits, targets):
    """accept: Python floats and an exact sum."""
    losses = []
    for row, target in zip(logits.tolist(), targets.tolist(), strict=True):
        top = max(row)
        losses.append(top - row[target] + math.log(math.fsum(math.exp(value - top) for value in row)))
    return math.fsum(losses)


def cross_entropy__shifted_in_an_own_copy(logits, targets):
    """accept: in-place arithmetic on a copy, defensive copies of everything."""
    logits, targets = np.array(logits), np.array(targets)
    logits -= logits.max(axis=1)[:, None]
    picked = logits[range(len(targets)), targets]
    np.exp(logits, out=logits)
    return np.log(logits.sum(axis=1)).sum() - picked.sum()


def cross_entropy__one_element(logits, targets):
    """convert: the loss in an array of one element."""
    return np.array([cross_entropy__python_numbers(logits, targets)])


def cross_entropy__matrix_of_one(logits, targets):
    """convert: the loss as the product of a row and a column, (1, 1)."""
    picked = logits[np.arange(len(targets)), targets]
    return np.ones((1, len(targets))) @ (np.logaddexp.reduce(logits, axis=1) - picked)[:, None]


def cross_entropy__decimal(logits, targets):
    """reject: a decimal number."""
    return decimal.Decimal(cross_entropy__python_numbers(logits, targets))


def cross_entropy__matrix_class(logits, targets):
    """reject: np.matrix."""
    return np.asmatrix(cross_entropy__matrix_of_one(logits, targets))


# --- lm_pairs ------------------------------------------------------------------------------------------------------


def lm_pairs__lists(tokens, eos_id):
    """accept: two lists."""
    return list(tokens), [*tokens[1:], eos_id]


def lm_pairs__views_of_one_array(tokens, eos_id):
    """accept: two overlapping views of one longer array."""
    longer = np.r_[tokens, eos_id]
    return longer[:-1], longer[1:]


def lm_pairs__same_array_back(tokens, eos_id):
    """accept: the tokens themselves are the inputs, the targets are rotated and closed."""
    targets = np.roll(tokens, -1)
    targets[-1] = eos_id
    return tokens, targets


def lm_pairs__rows_of_pairs(tokens, eos_id):
    """accept: built pair by pair, turned round at the end."""
    pairs = []
    for token, target in itertools.pairwise([*tokens.tolist(), eos_id]):
        pairs.append((token, target))
    return np.array(pairs).T


def lm_pairs__columns(tokens, eos_id):
    """convert: two columns, (L, 1) each."""
    return tokens.reshape(-1, 1), np.append(tokens[1:], eos_id).reshape(-1, 1)


def lm_pairs__floats(tokens, eos_id):
    """convert: token ids as floats."""
    targets = np.zeros(len(tokens))
    targets[:-1], targets[-1] = tokens[1:], eos_id
    return tokens * 1.0, targets


def lm_pairs__zip_object(tokens, eos_id):
    """reject: a zip object, not run yet."""
    return zip(tokens, [*tokens[1:], eos_id], strict=True)


def lm_pairs__strings(tokens, eos_id):
    """reject: token ids as strings."""
    return np.char.mod("%d", tokens), np.char.mod("%d", np.append(tokens[1:], eos_id))


# --- rnn_lm_loss ---------------------------------------------------------------------------------------------------


def rnn_lm_loss__one_loop(tokens, a0, params, eos_id):
    """accept: one loop over the tokens, a numpy integer."""
    a, loss = a0, 0.0
    for token, target in zip(tokens, [*tokens[1:], eos_id], strict=True):
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ params["E"][token] + params["b_a"])
        logits = params["W_ya"] @ a + params["b_y"]
        loss += np.logaddexp.reduce(logits) - logits[target]
    return loss, np.int64(len(tokens))


def rnn_lm_loss__one_hot_in_float32(tokens, a0, params, eos_id):
    """accept: one-hot inputs and targets in single precision, a list of results."""
    own = {name: array.astype(np.float32) for name, array in params.items()}
    one_hot = np.eye(len(own["E"]), dtype=np.float32)
    projected = one_hot[tokens] @ own["E"] @ own["W_ax"].T + own["b_a"]
    states = []
    for row in projected:
        states.append(np.tanh(own["W_aa"].dot(states[-1] if states else a0.astype(np.float32)) + row))
    logits = np.array(states) @ own["W_ya"].T + own["b_y"]
    logits -= logits.max(axis=1, keepdims=True)
    logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return [-(one_hot[np.append(tokens[1:], eos_id)] * logs).sum(), len(tokens)]


def _composed(pairs, forward, loss):
    def rnn_lm_loss(tokens, a0, params, eos_id):
        """accept: a closure over the earlier answers, in a named tuple."""
        inputs, targets = pairs(tokens, eos_id)
        logits = forward(params["E"][inputs], a0, params).logits
        return collections.namedtuple("Result", "loss count")(loss(np.array(logits), np.array(targets)), len(targets))
    return rnn_lm_loss


rnn_lm_loss__closure = _composed(lm_pairs__lists, elman_forward__named_tuple_of_lists, cross_entropy__python_numbers)


def rnn_lm_loss__recursion(tokens, a0, params, eos_id):
    """accept: the first token's loss and the rest by recursion."""
    if len(tokens) == 0:
        return 0.0, 0
    a = elman_step__loops(params["E"][tokens[0]], a0, params)
    logits = params["W_ya"] @ np.array(a) + params["b_y"]
    rest, count = rnn_lm_loss__recursion(tokens[1:], np.array(a), params, eos_id)
    target = tokens[1] if len(tokens) > 1 else eos_id
    return cross_entropy__python_numbers(logits[None], np.array([target])) + rest, 1 + count


def rnn_lm_loss__one_element(tokens, a0, params, eos_id):
    """convert: the loss in an array of one element."""
    loss, count = rnn_lm_loss__one_loop(tokens, a0, params, eos_id)
    return np.array([loss]), count


def rnn_lm_loss__count_as_a_float(tokens, a0, params, eos_id):
    """convert: the count as a float."""
    loss, count = rnn_lm_loss__one_loop(tokens, a0, params, eos_id)
    return loss, float(count)


def rnn_lm_loss__loss_alone(tokens, a0, params, eos_id):
    """reject: the count is missing."""
    return rnn_lm_loss__one_loop(tokens, a0, params, eos_id)[0]


def rnn_lm_loss__results_in_a_set(tokens, a0, params, eos_id):
    """reject: a set, which has no order."""
    return set(rnn_lm_loss__one_loop(tokens, a0, params, eos_id))
