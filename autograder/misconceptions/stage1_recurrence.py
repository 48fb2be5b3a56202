"""Stage 1, sequence dependence and the construction of recurrence: misconceptions, each as a wrong implementation.

The name is `<question>__<mistake>`; the docstring says the thought behind the mistake and the idea it concerns. The
hints are in assignments/messages.<lang>.yaml, by name.
"""

import math

import numpy as np

from solutions.stage1_recurrence import (
    cross_entropy,
    elman_forward,
    elman_step,
    hidden_layer_parameters,
    io_schedule,
    lm_pairs,
    softmax,
)

# --- pad_sequences -------------------------------------------------------------------------------------------------


def _refuse_longer(sequences, max_len):
    if any(len(sequence) > max_len for sequence in sequences):
        raise ValueError("sequences: longer than max_len")


def _padded(sequences, width, pad_id):
    """Pad on the right; what does not fit is cut off."""
    ids = np.full((len(sequences), width), pad_id, dtype=int)
    mask = np.zeros((len(sequences), width), dtype=bool)
    for row, sequence in enumerate(sequences):
        ids[row, :len(sequence)] = sequence[:width]
        mask[row, :len(sequence)] = True
    return ids, mask


def pad_sequences__pads_on_the_left(sequences, max_len, pad_id=0):
    """Puts the padding in front of the tokens, the habit of another library.

    Idea: right padding to a fixed width
    """
    _refuse_longer(sequences, max_len)
    ids, mask = _padded([sequence[::-1] for sequence in sequences], max_len, pad_id)
    return ids[:, ::-1].copy(), mask[:, ::-1].copy()


def pad_sequences__truncates_long_sequences(sequences, max_len, pad_id=0):
    """Cuts what does not fit instead of refusing it.

    Idea: a fixed window has a ceiling
    """
    return _padded(sequences, max_len, pad_id)


def pad_sequences__checks_the_first_sequence_only(sequences, max_len, pad_id=0):
    """Compares only the first sequence with the width of the window.

    Idea: a fixed window has a ceiling
    """
    _refuse_longer(sequences[:1], max_len)
    return _padded(sequences, max_len, pad_id)


def pad_sequences__refuses_a_full_window(sequences, max_len, pad_id=0):
    """Wants at least one free place, so a sequence that fills the window exactly is refused.

    Idea: a fixed window has a ceiling
    """
    _refuse_longer(sequences, max_len - 1)
    return _padded(sequences, max_len, pad_id)


def pad_sequences__width_of_the_longest(sequences, max_len, pad_id=0):
    """Makes the window as wide as the longest sequence at hand.

    Idea: right padding to a fixed width
    """
    _refuse_longer(sequences, max_len)
    return _padded(sequences, max((len(sequence) for sequence in sequences), default=max_len), pad_id)


def pad_sequences__mask_from_the_pad_id(sequences, max_len, pad_id=0):
    """Recognises padding by its id, so real tokens with that id are masked as well.

    Idea: the mask records lengths, not ids
    """
    _refuse_longer(sequences, max_len)
    ids, _ = _padded(sequences, max_len, pad_id)
    return ids, ids != pad_id


def pad_sequences__one_row_object_for_all(sequences, max_len, pad_id=0):
    """Multiplies a list of one row, so all rows are the same list and later sequences write over earlier ones.

    Idea: names may share one object
    """
    _refuse_longer(sequences, max_len)
    rows = [[pad_id] * max_len] * len(sequences)
    mask = [[False] * max_len] * len(sequences)
    for row, sequence in enumerate(sequences):
        rows[row][:len(sequence)] = sequence
        mask[row][:len(sequence)] = [True] * len(sequence)
    shape = (len(sequences), max_len)
    return np.array(rows, dtype=int).reshape(shape), np.array(mask, dtype=bool).reshape(shape)


def pad_sequences__drops_empty_sequences(sequences, max_len, pad_id=0):
    """Takes a sequence without tokens for nothing at all and gives it no row.

    Idea: row n belongs to sequence n
    """
    _refuse_longer(sequences, max_len)
    return _padded([sequence for sequence in sequences if sequence], max_len, pad_id)


def pad_sequences__minus_one_by_default(sequences, max_len, pad_id=-1):
    """Fills with an id that no token has when the caller names none, the habit of masked losses.

    Idea: a default belongs to the contract
    """
    _refuse_longer(sequences, max_len)
    return _padded(sequences, max_len, pad_id)


def pad_sequences__appends_to_the_callers_lists(sequences, max_len, pad_id=0):
    """Pads the caller's own lists in place and then turns them into an array.

    Idea: arguments belong to the caller
    """
    _refuse_longer(sequences, max_len)
    result = _padded(sequences, max_len, pad_id)
    for sequence in sequences:
        sequence.extend([pad_id] * (max_len - len(sequence)))
    return result


def pad_sequences__flat_for_an_empty_list(sequences, max_len, pad_id=0):
    """Builds arrays from lists of rows, so without any row the width is lost.

    Idea: a shape survives without entries
    """
    _refuse_longer(sequences, max_len)
    ids, mask = _padded(sequences, max_len, pad_id)
    return np.array(ids.tolist(), dtype=int), np.array(mask.tolist(), dtype=bool)


def pad_sequences__reuses_an_uncleaned_buffer(sequences, max_len, pad_id=0, buffers={}):  # noqa: B006
    """Keeps one buffer per size and writes each call's tokens over what the last call left there.

    Idea: a function keeps nothing between calls
    """
    _refuse_longer(sequences, max_len)
    ids, mask = buffers.setdefault((len(sequences), max_len), _padded([[]] * len(sequences), max_len, pad_id))
    for row, sequence in enumerate(sequences):
        ids[row, :len(sequence)] = sequence
        mask[row, :len(sequence)] = True
    return ids.copy(), mask.copy()


# --- hidden_layer_parameters ---------------------------------------------------------------------------------------


def _counted(construction, T_max, d_x, d_h, **changed):
    """Count as the reference does, save for the constructions in `changed`, which count what is given there."""
    count = hidden_layer_parameters(construction, T_max, d_x, d_h)
    return changed.get(construction, count)


def hidden_layer_parameters__no_biases(construction, T_max, d_x, d_h):
    """Counts the weights only.

    Idea: an affine map has one bias per output unit
    """
    biases = T_max * d_h if construction == "per_step" else d_h
    return hidden_layer_parameters(construction, T_max, d_x, d_h) - biases


def hidden_layer_parameters__two_biases_per_cell(construction, T_max, d_x, d_h):
    """Counts a bias for the input and another for the state, as a well-known library does.

    Idea: an affine map has one bias per output unit
    """
    cell = d_h**2 + d_h * d_x + 2 * d_h
    return _counted(construction, T_max, d_x, d_h, per_step=T_max * cell, shared=cell)


def hidden_layer_parameters__shared_grows_with_time(construction, T_max, d_x, d_h):
    """Counts the shared cell once per step.

    Idea: what is shared over time and what is not
    """
    return _counted(construction, T_max, d_x, d_h, shared=T_max * (d_h**2 + d_h * d_x + d_h))


def hidden_layer_parameters__first_step_without_recurrence(construction, T_max, d_x, d_h):
    """Leaves the recurrent matrix out of the first step's cell, as if nothing came before it.

    Idea: the start state is a state as well
    """
    per_step = T_max * (d_h**2 + d_h * d_x + d_h) - d_h**2
    return _counted(construction, T_max, d_x, d_h, per_step=per_step)


def hidden_layer_parameters__widths_swapped(construction, T_max, d_x, d_h):
    """Takes the input's width for the hidden width and the other way round; right where they are equal.

    Idea: a matrix has rows for outputs and columns for inputs
    """
    return hidden_layer_parameters(construction, T_max, d_h, d_x)


def hidden_layer_parameters__squares_in_floats(construction, T_max, d_x, d_h):
    """Squares by a function that always returns a float, so the count is one as well.

    Idea: a count is a whole number
    """
    cell = math.pow(d_h, 2) + d_h * d_x + d_h
    return _counted(construction, T_max, d_x, d_h, per_step=T_max * cell, shared=cell)


def hidden_layer_parameters__unknown_is_a_missing_key(construction, T_max, d_x, d_h):
    """Looks the construction up in a dictionary and leaves the error to the lookup.

    Idea: bad input is refused by a ValueError
    """
    names = {name: name for name in ("zero_padding", "per_step", "shared")}
    return hidden_layer_parameters(names[construction], T_max, d_x, d_h)


# --- elman_step ----------------------------------------------------------------------------------------------------


def elman_step__transposed_recurrence(x, a_prev, params):
    """Applies the recurrent matrix from the other side.

    Idea: matrix products act on column vectors
    """
    return np.tanh(a_prev @ params["W_aa"] + params["W_ax"] @ x + params["b_a"])


def elman_step__multiplies_wherever_shapes_fit(x, a_prev, params):
    """Puts the input before its matrix and turns to the other side only when numpy complains.

    Idea: matrix products act on column vectors
    """
    W_ax = params["W_ax"]
    projected = x @ W_ax if W_ax.shape[0] == W_ax.shape[1] else W_ax @ x
    return np.tanh(params["W_aa"] @ a_prev + projected + params["b_a"])


def elman_step__elementwise_recurrence(x, a_prev, params):
    """Multiplies the recurrent matrix by the state entry by entry and adds each column up.

    Idea: matrix products act on column vectors
    """
    recurrent = (params["W_aa"] * a_prev[:, None]).sum(axis=1)
    return np.tanh(recurrent + params["W_ax"] @ x + params["b_a"])


def elman_step__bias_as_a_column(x, a_prev, params):
    """Turns the bias into a column and adds it to a flat vector, which silently gives a square.

    Idea: broadcasting pairs axes from the right
    """
    return np.tanh(params["W_aa"] @ a_prev + params["W_ax"] @ x + params["b_a"].reshape(-1, 1))


def elman_step__sigmoid_instead_of_tanh(x, a_prev, params):
    """Squashes with the logistic function, so that every state is positive.

    Idea: tanh of the whole sum
    """
    total = params["W_aa"] @ a_prev + params["W_ax"] @ x + params["b_a"]
    return 1.0 / (1.0 + np.exp(-total))


def elman_step__state_as_a_column(x, a_prev, params):
    """Writes every vector as a column, as on paper, and returns the state as one.

    Idea: a vector has one axis
    """
    total = params["W_aa"] @ a_prev[:, None] + params["W_ax"] @ x[:, None] + params["b_a"][:, None]
    return np.tanh(total)


def elman_step__adds_up_in_the_bias(x, a_prev, params):
    """Gives the bias a second name and adds the other parts to it in place, so the parameters drift.

    Idea: arguments belong to the caller
    """
    total = params["b_a"]
    total += params["W_aa"] @ a_prev + params["W_ax"] @ x
    return np.tanh(total)


def elman_step__remembers_its_own_state(x, a_prev, params, memory={}):  # noqa: B006
    """Keeps the memory inside the function and uses the argument for the first call only.

    Idea: a function keeps nothing between calls
    """
    memory[len(a_prev)] = elman_step(x, memory.get(len(a_prev), a_prev), params)
    return memory[len(a_prev)].copy()


# --- elman_forward -------------------------------------------------------------------------------------------------


def _readout(states, params):
    return states @ params["W_ya"].T + params["b_y"]


def _previous(states, a0):
    """Say which state each step started from."""
    return np.vstack([a0, states])[:-1]


def elman_forward__starts_from_zeros(xs, a0, params):
    """Starts from zeros and never reads the start state.

    Idea: every argument has an effect
    """
    return elman_forward(xs, np.zeros_like(a0), params)


def elman_forward__state_never_advances(xs, a0, params):
    """Feeds the start state to every step.

    Idea: the state carries the memory from step to step
    """
    states = np.array([elman_step(x, a0, params) for x in xs]).reshape(len(xs), len(a0))
    return states, _readout(states, params)


def elman_forward__one_buffer_for_all_rows(xs, a0, params):
    """Collects the same array at every step, so all rows end as the last state.

    Idea: names may share one object
    """
    a, rows = a0.copy(), []
    for x in xs:
        a[:] = elman_step(x, a, params)
        rows.append(a)
    states = np.array(rows).reshape(len(xs), len(a0))
    return states, _readout(states, params)


def elman_forward__includes_the_start_state(xs, a0, params):
    """Returns the start state as a first row, one row too many.

    Idea: row t belongs to step t
    """
    states = np.vstack([a0, elman_forward(xs, a0, params)[0]])
    return states, _readout(states, params)


def elman_forward__output_before_the_update(xs, a0, params):
    """Reads each output from the state that the step started from; the states are right.

    Idea: row t belongs to step t
    """
    states = elman_forward(xs, a0, params)[0]
    return states, _readout(_previous(states, a0), params)


def elman_forward__transposed_recurrence(xs, a0, params):
    """Applies the recurrent matrix from the other side.

    Idea: matrix products act on column vectors
    """
    return elman_forward(xs, a0, {**params, "W_aa": params["W_aa"].T})


def elman_forward__reads_out_wherever_shapes_fit(xs, a0, params):
    """Puts the states before the output matrix and transposes it only when numpy complains.

    Idea: matrix products act on column vectors
    """
    states = elman_forward(xs, a0, params)[0]
    W_ya = params["W_ya"]
    return states, states @ (W_ya if W_ya.shape[0] == W_ya.shape[1] else W_ya.T) + params["b_y"]


def elman_forward__time_last_in_the_logits(xs, a0, params):
    """Multiplies the output matrix by the states as columns and leaves time on the last axis.

    Idea: time is the first axis
    """
    states = elman_forward(xs, a0, params)[0]
    return states, params["W_ya"] @ states.T + params["b_y"][:, None]


def elman_forward__state_rows_as_wide_as_inputs(xs, a0, params):
    """Makes room for the states in the shape of the inputs; right only where both have the same width.

    Idea: state width and input width are different sizes
    """
    states = np.zeros_like(xs)
    for t, row in enumerate(elman_forward(xs, a0, params)[0]):
        states[t] = row
    return states, _readout(states, params)


def elman_forward__cannot_stack_nothing(xs, a0, params):
    """Stacks a list of states, which fails when there is no state.

    Idea: a shape survives without entries
    """
    states = np.stack(list(elman_forward(xs, a0, params)[0]))
    return states, _readout(states, params)


def elman_forward__drops_axes_of_length_one(xs, a0, params):
    """Squeezes the results, so a sequence of one step or a state of one unit loses an axis.

    Idea: a shape does not depend on its sizes
    """
    states, logits = elman_forward(xs, a0, params)
    return states.squeeze(), logits.squeeze()


def elman_forward__overwrites_the_start_state(xs, a0, params):
    """Uses the caller's start state as the running state.

    Idea: arguments belong to the caller
    """
    states, logits = elman_forward(xs, a0, params)
    a0[:] = np.vstack([a0, states])[-1]
    return states, logits


def elman_forward__remembers_runs_by_inputs(xs, a0, params, runs={}):  # noqa: B006
    """Keeps the run of every sequence it has seen, whatever the start state and the parameters are now.

    Idea: a function keeps nothing between calls
    """
    states, logits = runs.setdefault(xs.tobytes(), elman_forward(xs, a0, params))
    return states.copy(), logits.copy()


def elman_forward__carries_the_state_over(xs, a0, params, last={}):  # noqa: B006
    """Begins where the last sequence ended; the start state serves for the first call only.

    Idea: a function keeps nothing between calls
    """
    states, logits = elman_forward(xs, last.get(len(a0), a0), params)
    last[len(a0)] = np.vstack([a0, states])[-1]
    return states, logits


# --- io_schedule ---------------------------------------------------------------------------------------------------

_FORMS = ("one_to_one", "one_to_many", "many_to_one", "many_to_many_aligned", "many_to_many_unaligned")


def _unchecked(form, T_x, T_y):
    """Give the right schedule of any lengths, fitting or not."""
    T = T_x + T_y if form == "many_to_many_unaligned" else max(T_x, T_y)
    steps = np.arange(T)
    return steps < T_x, steps >= T - T_y


def io_schedule__reads_at_every_step(form, T_x, T_y):
    """Feeds the single input again at every step.

    Idea: one to many reads once
    """
    reads, emits = io_schedule(form, T_x, T_y)
    return (np.ones_like(reads), emits) if form == "one_to_many" else (reads, emits)


def io_schedule__emits_at_every_step(form, T_x, T_y):
    """Lets the network answer at every step of a sequence that has one answer.

    Idea: many to one emits at the end
    """
    reads, emits = io_schedule(form, T_x, T_y)
    return (reads, np.ones_like(emits)) if form == "many_to_one" else (reads, emits)


def io_schedule__first_output_at_the_last_input(form, T_x, T_y):
    """Lets the first output fall on the step of the last input, so the schedule is one step short.

    Idea: the unaligned form reads first, then writes
    """
    io_schedule(form, T_x, T_y)
    if form != "many_to_many_unaligned":
        return _unchecked(form, T_x, T_y)
    steps = np.arange(T_x + T_y - 1)
    return steps < T_x, steps >= T_x - 1


def io_schedule__switches_in_the_middle(form, T_x, T_y):
    """Reads in the first half and writes in the second, whatever the lengths.

    Idea: the unaligned form reads first, then writes
    """
    reads, emits = io_schedule(form, T_x, T_y)
    if form == "many_to_many_unaligned":
        reads = np.arange(len(reads)) < len(reads) // 2
        emits = ~reads
    return reads, emits


def io_schedule__always_reads_everything_first(form, T_x, T_y):
    """Lets no step read and emit at once, so every form reads all its inputs before it answers.

    Idea: a step may read and emit
    """
    io_schedule(form, T_x, T_y)
    return _unchecked("many_to_many_unaligned", T_x, T_y)


def io_schedule__numbers_for_truth_values(form, T_x, T_y):
    """Marks active steps by one and the others by zero.

    Idea: a mask is of type bool
    """
    reads, emits = io_schedule(form, T_x, T_y)
    return reads.astype(int), emits.astype(int)


def io_schedule__trusts_the_one_in_the_name(form, T_x, T_y):
    """Takes a side that is called one to be one and never looks at the length that came for it.

    Idea: bad input is refused by a ValueError
    """
    T_x = 1 if form in ("one_to_one", "one_to_many") else T_x
    T_y = 1 if form in ("one_to_one", "many_to_one") else T_y
    return io_schedule(form, T_x, T_y)


def io_schedule__never_checks_lengths(form, T_x, T_y):
    """Checks the name of the form and trusts the lengths.

    Idea: bad input is refused by a ValueError
    """
    if form not in _FORMS:
        raise ValueError("form: unknown")
    return _unchecked(form, T_x, T_y)


def io_schedule__accepts_length_zero(form, T_x, T_y):
    """Checks that the lengths fit together, but not that there is anything to read and to write.

    Idea: bad input is refused by a ValueError
    """
    if T_x > 0 and T_y > 0:
        io_schedule(form, T_x, T_y)
    return _unchecked(form, T_x, T_y)


def io_schedule__refuses_zero_only(form, T_x, T_y):
    """Compares the lengths with zero, so negative lengths pass.

    Idea: bad input is refused by a ValueError
    """
    if T_x >= 0 and T_y >= 0:
        io_schedule(form, T_x, T_y)
    return _unchecked(form, T_x, T_y)


def io_schedule__many_means_more_than_one(form, T_x, T_y):
    """Takes many for at least two and refuses length one.

    Idea: length one is a sequence
    """
    if (form == "one_to_many" and T_y == 1) or (form == "many_to_one" and T_x == 1):
        raise ValueError("T_x, T_y: many means more than one")
    return io_schedule(form, T_x, T_y)


def io_schedule__unknown_form_is_aligned(form, T_x, T_y):
    """Lets the last branch serve every name that is left.

    Idea: bad input is refused by a ValueError
    """
    return io_schedule(form if form in _FORMS else "many_to_many_aligned", T_x, T_y)


# --- softmax -------------------------------------------------------------------------------------------------------


def softmax__no_shift(logits):
    """Exponentiates the logits as they are, which overflows for large ones.

    Idea: a shift that makes exponentials safe
    """
    exponentials = np.exp(logits)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def softmax__shifts_by_the_largest_size(logits):
    """Subtracts the largest absolute value, so rows of very negative logits vanish altogether.

    Idea: a shift that makes exponentials safe
    """
    return softmax__no_shift(logits - np.abs(logits).max(axis=-1, keepdims=True))


def softmax__shifts_by_the_mean(logits):
    """Centres each row on its mean, so a logit far above it still overflows.

    Idea: a shift that makes exponentials safe
    """
    return softmax__no_shift(logits - logits.mean(axis=-1, keepdims=True))


def softmax__shifts_by_the_median(logits):
    """Centres each row on its middle value, so a logit far above it still overflows.

    Idea: a shift that makes exponentials safe
    """
    return softmax__no_shift(logits - np.median(logits, axis=-1, keepdims=True))


def softmax__shifts_by_the_first_logit(logits):
    """Measures all logits from the first one, which need not be high.

    Idea: a shift that makes exponentials safe
    """
    return softmax__no_shift(logits - logits[..., :1])


def softmax__shifts_by_the_last_logit(logits):
    """Measures all logits from the last one, the reference class of a logistic regression.

    Idea: a shift that makes exponentials safe
    """
    return softmax__no_shift(logits - logits[..., -1:])


def softmax__one_shift_for_all_rows(logits):
    """Shifts all rows by the largest logit of the whole array, so low rows vanish.

    Idea: a shift that makes exponentials safe
    """
    return softmax__no_shift(logits - logits.max())


def softmax__normalises_the_whole_array(logits):
    """Divides by the total of the whole array; right for a single row.

    Idea: one distribution per row
    """
    return softmax(logits.reshape(-1)).reshape(logits.shape)


def softmax__normalises_columns(logits):
    """Normalises along the first axis; right for a single vector.

    Idea: one distribution per row
    """
    return np.moveaxis(softmax(np.moveaxis(logits, 0, -1)), -1, 0)


def softmax__second_axis_for_the_last(logits):
    """Names the axis by its number in a matrix, which is not the last one of three.

    Idea: one distribution per row
    """
    axis = 1 if logits.ndim > 1 else 0
    return np.moveaxis(softmax(np.moveaxis(logits, axis, -1)), -1, axis)


def softmax__sigmoid_of_each_logit(logits):
    """Squashes every logit with the logistic function, without the others.

    Idea: probabilities compete
    """
    return 0.5 * (1.0 + np.tanh(0.5 * logits))


def softmax__always_returns_a_matrix(logits):
    """Makes a matrix of the logits first and forgets that a vector came in.

    Idea: a shape does not depend on its sizes
    """
    return softmax(np.atleast_2d(logits))


def softmax__remembers_by_shape(logits, results={}):  # noqa: B006
    """Keeps one result per shape and hands it out again for other logits.

    Idea: a function keeps nothing between calls
    """
    return results.setdefault(logits.shape, softmax(logits)).copy()


def softmax__shifts_in_place(logits):
    """Shifts the caller's logits in place.

    Idea: arguments belong to the caller
    """
    logits -= logits.max(axis=-1, keepdims=True)
    return softmax(logits)


# --- cross_entropy -------------------------------------------------------------------------------------------------


def _log_softmax(logits):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def _at_targets(values, targets):
    return values[np.arange(len(targets)), targets]


def cross_entropy__mean_over_predictions(logits, targets):
    """Averages over the predictions.

    Idea: losses are sums
    """
    return cross_entropy(logits, targets) / len(targets)


def cross_entropy__mean_over_the_vocabulary(logits, targets):
    """Averages the one-hot products over the vocabulary as well.

    Idea: losses are sums
    """
    return cross_entropy(logits, targets) / logits.shape[1]


def cross_entropy__epsilon_inside_the_log(logits, targets):
    """Adds a small number inside the logarithm, which puts a ceiling on the loss.

    Idea: log-probabilities without probabilities
    """
    return float(-np.sum(np.log(_at_targets(softmax(logits), targets) + 1e-12)))


def cross_entropy__logarithm_of_the_softmax(logits, targets):
    """Takes the logarithm of a probability that may have become zero.

    Idea: log-probabilities without probabilities
    """
    return float(-np.sum(np.log(_at_targets(softmax(logits), targets))))


def cross_entropy__one_shift_for_all_rows(logits, targets):
    """Shifts all rows by the largest logit of the whole array, so the totals of low rows vanish.

    Idea: a shift that makes exponentials safe
    """
    shifted = logits - logits.max()
    return float(np.sum(np.log(np.exp(shifted).sum(axis=-1)) - _at_targets(shifted, targets)))


def cross_entropy__shifts_by_the_first_score(logits, targets):
    """Measures all scores from the first one of the row, which need not be high.

    Idea: a shift that makes exponentials safe
    """
    shifted = logits - logits[:, :1]
    return float(np.sum(np.log(np.exp(shifted).sum(axis=-1)) - _at_targets(shifted, targets)))


def cross_entropy__softmax_twice(logits, targets):
    """Turns the logits into probabilities and gives those to a loss that does so again.

    Idea: logits are scores, not probabilities
    """
    return cross_entropy(softmax(logits), targets)


def cross_entropy__every_target_in_every_row(logits, targets):
    """Picks the columns of all targets from every row instead of one entry per row.

    Idea: one target per prediction
    """
    return float(-np.sum(_log_softmax(logits)[:, targets]))


def cross_entropy__repeated_targets_count_once(logits, targets):
    """Collects one loss per token, so a later prediction of the same target replaces an earlier one.

    Idea: one target per prediction
    """
    losses = dict(zip(targets.tolist(), -_at_targets(_log_softmax(logits), targets), strict=True))
    return float(sum(losses.values()))


def cross_entropy__adds_up_one_axis_of_two(logits, targets):
    """Picks a column of losses and adds it up along time only, so the number stays in an array.

    Idea: one number has no axes
    """
    return -np.take_along_axis(_log_softmax(logits), targets[:, None], axis=1).sum(axis=0)


def cross_entropy__remembers_by_targets(logits, targets, losses={}):  # noqa: B006
    """Keeps one loss per shape and targets and hands it out again for other logits.

    Idea: a function keeps nothing between calls
    """
    return losses.setdefault((logits.shape, tuple(targets.tolist())), cross_entropy(logits, targets))


def cross_entropy__shifts_in_place(logits, targets):
    """Shifts the caller's logits in place.

    Idea: arguments belong to the caller
    """
    logits -= logits.max(axis=-1, keepdims=True)
    return cross_entropy(logits, targets)


# --- lm_pairs ------------------------------------------------------------------------------------------------------


def lm_pairs__targets_not_shifted(tokens, eos_id):
    """Asks at every position for the token that was just read.

    Idea: a target is the token after its input
    """
    return tokens.copy(), tokens.copy()


def lm_pairs__shifted_twice(tokens, eos_id):
    """Asks for the token after the next.

    Idea: a target is the token after its input
    """
    return tokens.copy(), np.append(tokens, [eos_id, eos_id])[2:]


def lm_pairs__predicts_the_first_token(tokens, eos_id):
    """Uses the end token as a start as well, so that the first token is predicted, too.

    Idea: the first token is never predicted
    """
    return np.append(eos_id, tokens), np.append(tokens, eos_id)


def lm_pairs__never_predicts_the_end(tokens, eos_id):
    """Cuts input and target from the same tokens, so the end token never is a target.

    Idea: the end token is a target
    """
    return tokens[:-1].copy(), tokens[1:].copy()


def lm_pairs__last_token_predicts_the_first(tokens, eos_id):
    """Rotates the tokens, so the end is followed by the beginning.

    Idea: the end token is a target
    """
    return tokens.copy(), np.roll(tokens, -1)


def lm_pairs__floats_for_a_single_token(tokens, eos_id):
    """Joins the end token to a list that is empty for a single token, which numpy takes for floats.

    Idea: token ids are whole numbers
    """
    return tokens.copy(), np.append([int(token) for token in tokens[1:]], eos_id)


def lm_pairs__takes_zero_for_padding(tokens, eos_id):
    """Throws out every token with the id zero first, as if it were padding.

    Idea: a token id is a name, not a mark
    """
    return lm_pairs(tokens[tokens != 0], eos_id)


def lm_pairs__remembers_by_length(tokens, eos_id, pairs={}):  # noqa: B006
    """Keeps one result per length and hands it out again for other tokens.

    Idea: a function keeps nothing between calls
    """
    inputs, targets = pairs.setdefault(len(tokens), lm_pairs(tokens, eos_id))
    return inputs.copy(), targets.copy()


def lm_pairs__shifts_the_callers_tokens(tokens, eos_id):
    """Moves the caller's tokens one place to the front and returns them as the targets.

    Idea: arguments belong to the caller
    """
    inputs = tokens.copy()
    tokens[:-1] = inputs[1:]
    tokens[-1] = eos_id
    return inputs, tokens


# --- rnn_lm_loss ---------------------------------------------------------------------------------------------------


def _logits(inputs, a0, params):
    return elman_forward(params["E"][inputs], a0, params)[1]


def _loss(inputs, targets, a0, params):
    return cross_entropy(_logits(inputs, a0, params), targets)


def rnn_lm_loss__targets_not_shifted(tokens, a0, params, eos_id):
    """Asks at every position for the token that was just read.

    Idea: a target is the token after its input
    """
    return _loss(tokens, tokens, a0, params), len(tokens)


def rnn_lm_loss__never_predicts_the_end(tokens, a0, params, eos_id):
    """Scores the tokens only, so a model never learns to stop; no problem is left for a single token.

    Idea: the end token is a target
    """
    return _loss(tokens[:-1], tokens[1:], a0, params), len(tokens) - 1


def rnn_lm_loss__predicts_the_first_token(tokens, a0, params, eos_id):
    """Starts with the end token as an input, so that the first token is scored, too.

    Idea: the first token is never predicted
    """
    return _loss(np.append(eos_id, tokens), np.append(tokens, eos_id), a0, params), len(tokens) + 1


def rnn_lm_loss__counts_the_gaps(tokens, a0, params, eos_id):
    """Counts the gaps between tokens, although the loss has one more term.

    Idea: as many problems as tokens
    """
    return _loss(*lm_pairs(tokens, eos_id), a0, params), len(tokens) - 1


def rnn_lm_loss__mean(tokens, a0, params, eos_id):
    """Averages over the prediction problems.

    Idea: losses are sums
    """
    return _loss(*lm_pairs(tokens, eos_id), a0, params) / len(tokens), len(tokens)


def rnn_lm_loss__starts_from_zeros(tokens, a0, params, eos_id):
    """Starts from zeros and never reads the start state.

    Idea: every argument has an effect
    """
    return _loss(*lm_pairs(tokens, eos_id), np.zeros_like(a0), params), len(tokens)


def rnn_lm_loss__end_token_is_always_zero(tokens, a0, params, eos_id):
    """Ends with the id zero, whatever the caller's end token is.

    Idea: every argument has an effect
    """
    return _loss(*lm_pairs(tokens, 0), a0, params), len(tokens)


def rnn_lm_loss__forgets_between_tokens(tokens, a0, params, eos_id):
    """Runs the cell from the start state for every token anew, a model of pairs.

    Idea: the state carries the memory from step to step
    """
    pairs = zip(*lm_pairs(tokens, eos_id), strict=True)
    return sum(_loss([token], np.array([target]), a0, params) for token, target in pairs), len(tokens)


def rnn_lm_loss__feeds_its_own_guess(tokens, a0, params, eos_id):
    """Goes on with the model's best guess instead of the token that is there.

    Idea: training reads the real tokens
    """
    a, token, rows = a0, tokens[0], []
    for _ in tokens:
        a = elman_step(params["E"][token], a, params)
        rows.append(_readout(a, params))
        token = int(np.argmax(rows[-1]))
    return cross_entropy(np.array(rows), lm_pairs(tokens, eos_id)[1]), len(tokens)


def rnn_lm_loss__epsilon_inside_the_log(tokens, a0, params, eos_id):
    """Adds a small number inside the logarithm, which puts a ceiling on the loss of a confident model.

    Idea: log-probabilities without probabilities
    """
    inputs, targets = lm_pairs(tokens, eos_id)
    return cross_entropy__epsilon_inside_the_log(_logits(inputs, a0, params), targets), len(tokens)


def rnn_lm_loss__takes_zero_for_padding(tokens, a0, params, eos_id):
    """Throws out every token with the id zero first, as if it were padding.

    Idea: a token id is a name, not a mark
    """
    tokens = tokens[tokens != 0]
    return _loss(*lm_pairs(tokens, eos_id), a0, params), len(tokens)


def rnn_lm_loss__adds_up_a_mask_of_ones(tokens, a0, params, eos_id):
    """Counts by adding up an array of ones, which are floats.

    Idea: a count is a whole number
    """
    return _loss(*lm_pairs(tokens, eos_id), a0, params), np.ones(len(tokens)).sum()


def rnn_lm_loss__remembers_losses_by_tokens(tokens, a0, params, eos_id, losses={}):  # noqa: B006
    """Keeps the loss of every sequence it has seen, whatever the start state and the parameters are now.

    Idea: a function keeps nothing between calls
    """
    key = (tokens.tobytes(), int(eos_id))
    return losses.setdefault(key, _loss(*lm_pairs(tokens, eos_id), a0, params)), len(tokens)


def rnn_lm_loss__takes_the_embedding_out(tokens, a0, params, eos_id):
    """Takes the embedding table out of the caller's dictionary before it hands the rest to the cell.

    Idea: arguments belong to the caller
    """
    xs = params.pop("E")[tokens]
    return cross_entropy(elman_forward(xs, a0, params)[1], lm_pairs(tokens, eos_id)[1]), len(tokens)


def rnn_lm_loss__carries_the_state_over(tokens, a0, params, eos_id, last={}):  # noqa: B006
    """Begins where the last sequence ended; the start state serves for the first call only.

    Idea: a function keeps nothing between calls
    """
    inputs, targets = lm_pairs(tokens, eos_id)
    states, logits = elman_forward(params["E"][inputs], last.get(len(a0), a0), params)
    last[len(a0)] = states[-1]
    return cross_entropy(logits, targets), len(tokens)
