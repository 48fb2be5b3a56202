"""The lab, one experiment and the evidence from it: misconceptions, each as a wrong implementation.

The name is `<question>__<mistake>`; the docstring says the thought behind the mistake and the idea it concerns. The
hints are in assignments/messages.en.yaml, by name.
"""

import numpy as np

from solutions.lab_fault_matrix import (
    bptt_check,
    evidence,
    evidence_template,
    fault_run,
    fault_signals,
    forward_backward,
    make_experiment,
)
from solutions.stage2_bptt import bptt_grad, gradient_error, numerical_gradient, truncated_bptt_grad

# --- forward_backward ----------------------------------------------------------------------------------------------


def _refuse_unknown(activation):
    if activation not in ("tanh", "linear"):
        raise ValueError("activation: unknown")


def _states(W, first, T, activation, x=0.0):
    """Run forward from a first state; x enters at every later step."""
    _refuse_unknown(activation)
    states = np.empty((T, len(first)), dtype=np.result_type(W, first))
    states[0] = first
    for t in range(1, T):
        z = W @ states[t - 1] + x
        states[t] = np.tanh(z) if activation == "tanh" else z
    return states


def _first(x1, activation):
    return np.tanh(x1) if activation == "tanh" else x1


def _slopes(states, activation):
    return 1 - states**2 if activation == "tanh" else np.ones_like(states)


def _sweep(W, slopes, error, carried=lambda gradient: gradient):
    """Sweep backward: the gradient of every input, with something done to it on its way to the step before."""
    dx = np.empty_like(slopes)
    dx[-1] = slopes[-1] * error
    for t in reversed(range(len(dx) - 1)):
        dx[t] = slopes[t] * (W.T @ carried(dx[t + 1]))
    return dx


def _collected(states, y, dx):
    return {"loss": 0.5 * np.sum((states[-1] - y) ** 2), "states": states, "dW": dx[1:].T @ states[:-1], "dx": dx}


def _within(gradient, limit):
    """Shrink a gradient to a length, if it is longer."""
    norm = np.linalg.norm(gradient)
    return gradient * (limit / norm) if norm > limit else gradient


def forward_backward__input_past_the_activation(W, x1, y, T, activation):
    """Takes the first input for the first state, so it never goes through the activation, neither forward nor backward.

    Idea: an input enters inside the activation
    """
    with np.errstate(all="ignore"):
        states = _states(W, x1, T, activation)
        slopes = _slopes(states, activation)
        slopes[0] = 1.0
        return _collected(states, y, _sweep(W, slopes, states[-1] - y))


def forward_backward__slope_at_the_preactivation(W, x1, y, T, activation):
    """Puts what goes into the tanh, not what comes out, into the formula for its slope.

    Idea: the slope of tanh from its own value
    """
    with np.errstate(all="ignore"):
        states = _states(W, _first(x1, activation), T, activation)
        before = np.vstack([x1, states[:-1] @ W.T])
        return _collected(states, y, _sweep(W, _slopes(before, activation), states[-1] - y))


def forward_backward__tanh_slope_for_the_linear_cell(W, x1, y, T, activation):
    """Exchanges the activation on the way forward and keeps the slope of tanh on the way back.

    Idea: each activation has its own slope
    """
    with np.errstate(all="ignore"):
        states = _states(W, _first(x1, activation), T, activation)
        return _collected(states, y, _sweep(W, _slopes(states, "tanh"), states[-1] - y))


def forward_backward__transposed_recurrence(W, x1, y, T, activation):
    """Sends gradients back through the matrix in the direction that it has on the way forward.

    Idea: backward through a matrix means through its transpose
    """
    with np.errstate(all="ignore"):
        states = _states(W, _first(x1, activation), T, activation)
        return _collected(states, y, _sweep(W.T, _slopes(states, activation), states[-1] - y))


def forward_backward__last_use_only(W, x1, y, T, activation):
    """Holds the state before the last step for a constant when it differentiates for the matrix.

    Idea: shared weights collect a contribution from every step
    """
    run = forward_backward(W, x1, y, T, activation)
    with np.errstate(all="ignore"):
        return {**run, "dW": run["dx"][T - 1:].T @ run["states"][T - 2:-1] if T > 1 else np.zeros_like(W)}


def forward_backward__assigns_instead_of_adding(W, x1, y, T, activation):
    """Assigns the matrix gradient at every step, so only the use that the sweep visits last, the first in time, remains.

    Idea: shared weights collect a contribution from every step
    """
    run = forward_backward(W, x1, y, T, activation)
    with np.errstate(all="ignore"):
        return {**run, "dW": run["dx"][1:2].T @ run["states"][:-1][:1]}


def forward_backward__state_after_the_step(W, x1, y, T, activation):
    """Pairs the matrix with the state it helped to make, not with the one it was applied to.

    Idea: a weight's gradient contains what the weight was multiplied by
    """
    run = forward_backward(W, x1, y, T, activation)
    with np.errstate(all="ignore"):
        return {**run, "dW": run["dx"][1:].T @ run["states"][1:]}


def forward_backward__loss_without_the_half(W, x1, y, T, activation):
    """Reports the squared distance, but differentiates half of it.

    Idea: loss and gradient belong to the same function
    """
    run = forward_backward(W, x1, y, T, activation)
    return {**run, "loss": 2 * run["loss"]}


def forward_backward__gradients_of_the_states(W, x1, y, T, activation):
    """Stops above the activation, at the states, instead of below it, at the inputs.

    Idea: which variable a gradient belongs to
    """
    run = forward_backward(W, x1, y, T, activation)
    with np.errstate(all="ignore"):
        above = np.vstack([run["dx"][1:] @ W, run["states"][-1] - y])
    return {**run, "dx": above}


def forward_backward__zero_inputs_have_no_gradient(W, x1, y, T, activation):
    """Holds an input that is zero for one that cannot matter, and leaves its gradient at zero.

    Idea: a gradient says what a change would do
    """
    run = forward_backward(W, x1, y, T, activation)
    return {**run, "dx": run["dx"] * (np.arange(T) == 0)[:, None]}


def forward_backward__one_step_late(W, x1, y, T, activation):
    """Counts the inputs from the first use of the matrix, so the gradient of the second input stands for the first.

    Idea: the first input enters before any recurrence
    """
    run = forward_backward(W, x1, y, T, activation)
    return {**run, "dx": run["dx"][np.minimum(np.arange(1, T + 1), T - 1)]}


def forward_backward__lag_order(W, x1, y, T, activation):
    """Collects the gradients on the way back and returns them in that order.

    Idea: lag order and time order
    """
    run = forward_backward(W, x1, y, T, activation)
    return {**run, "dx": run["dx"][::-1]}


def forward_backward__input_at_every_step(W, x1, y, T, activation):
    """Feeds the one input again at every step.

    Idea: the experiment has a single input
    """
    with np.errstate(all="ignore"):
        states = _states(W, _first(x1, activation), T, activation, x1)
        return _collected(states, y, _sweep(W, _slopes(states, activation), states[-1] - y))


def forward_backward__clips_each_backward_step(W, x1, y, T, activation):
    """Shortens the gradient whenever it gets long on its way back; harmless until it does.

    Idea: a gradient is the derivative of the loss, clipping comes later
    """
    with np.errstate(all="ignore"):
        states = _states(W, _first(x1, activation), T, activation)
        dx = _sweep(W, _slopes(states, activation), states[-1] - y, lambda gradient: _within(gradient, 5.0))
        return _collected(states, y, dx)


def _in_single_precision(W, x1, y, T, activation):
    W, x1, y = W.astype(np.float32), x1.astype(np.float32), y.astype(np.float32)
    with np.errstate(all="ignore"):
        states = _states(W, _first(x1, activation), T, activation)
        return _collected(states, y, _sweep(W, _slopes(states, activation), states[-1] - y))


def forward_backward__single_precision(W, x1, y, T, activation):
    """Computes in float32, as a network's training does, where an explosion leaves the range much earlier.

    Idea: float32 ends near 3e38
    """
    return _in_single_precision(W, x1, y, T, activation)


def forward_backward__overflow_raises(W, x1, y, T, activation):
    """Turns numpy's warnings into errors, so an explosion ends the function instead of showing in the result.

    Idea: overflow is a result here
    """
    with np.errstate(over="raise", invalid="raise"):
        states = _states(W, _first(x1, activation), T, activation)
        return _collected(states, y, _sweep(W, _slopes(states, activation), states[-1] - y))


def forward_backward__infinities_tidied_away(W, x1, y, T, activation):
    """Replaces what is not a number before anybody sees it.

    Idea: overflow is a result here
    """
    return {name: np.nan_to_num(value) for name, value in forward_backward(W, x1, y, T, activation).items()}


def forward_backward__unknown_means_linear(W, x1, y, T, activation):
    """Asks for one activation by name and takes every other name for the other one.

    Idea: bad input is refused by a ValueError
    """
    return forward_backward(W, x1, y, T, "tanh" if activation == "tanh" else "linear")


def forward_backward__needs_two_steps(W, x1, y, T, activation):
    """Stacks the contributions of the matrix, which fails when a single step has none.

    Idea: the recurrence is used once less than there are steps
    """
    run = forward_backward(W, x1, y, T, activation)
    with np.errstate(all="ignore"):
        return {**run, "dW": np.stack([np.outer(run["dx"][t], run["states"][t - 1]) for t in range(1, T)]).sum(axis=0)}


def forward_backward__loss_as_a_matrix(W, x1, y, T, activation):
    """Multiplies a row of errors by a column of errors and keeps the matrix with one entry as the loss.

    Idea: a single number has no axes
    """
    run = forward_backward(W, x1, y, T, activation)
    return {**run, "loss": np.array([[run["loss"]]])}


def forward_backward__squashes_the_input_in_place(W, x1, y, T, activation):
    """Writes the first state over the caller's input.

    Idea: arguments belong to the caller
    """
    run = forward_backward(W, x1, y, T, activation)
    x1[...] = run["states"][0]
    return run


def forward_backward__accumulator_made_once(W, x1, y, T, activation, kept={}):  # noqa: B006
    """Makes the accumulator of the matrix gradient once and lets every later call add to it.

    Idea: a function keeps nothing between calls
    """
    run = forward_backward(W, x1, y, T, activation)
    kept[W.shape] = kept.get(W.shape, 0.0) + run["dW"]
    return {**run, "dW": kept[W.shape].copy()}


# --- fault_run -----------------------------------------------------------------------------------------------------


def _clipped(gradient, tau):
    return gradient if tau is None else _within(gradient, tau)


def _cosine(gradient, applied):
    return np.sum(gradient / np.linalg.norm(gradient) * (applied / np.linalg.norm(applied)))


def _train(experiment, activation, tau, lr, updates, T, backward=forward_backward, clip=_clipped, cosine=_cosine,
           over=lambda loss: not np.isfinite(loss), step=lambda gradient, applied: applied):
    """Train as one should, but for the part that is exchanged."""
    _refuse_unknown(activation)
    W, x1, y = experiment
    losses = np.full(updates + 1, np.nan)
    grad_norms, applied_norms, cosines = np.full((3, updates), np.nan)
    with np.errstate(all="ignore"):
        for i in range(updates + 1):
            run = backward(W, x1, y, T, activation)
            losses[i] = run["loss"]
            if i == 0:
                dx_norms = np.linalg.norm(run["dx"], axis=1)
            if i == updates or over(run["loss"]):
                break
            applied = clip(run["dW"], tau)
            grad_norms[i], applied_norms[i] = np.linalg.norm(run["dW"]), np.linalg.norm(applied)
            cosines[i] = cosine(run["dW"], applied)
            W = W - lr * step(run["dW"], applied)
    return {"losses": losses, "grad_norms": grad_norms, "applied_norms": applied_norms, "cosines": cosines,
            "dx_norms": dx_norms}


def fault_run__clips_each_backward_step(seed, rho, activation, tau, lr, updates, T=100):
    """Clips what travels back, at every step of the sweep, instead of the gradient that comes out in the end.

    Idea: clip once, the whole gradient, after the backward pass
    """
    def backward(W, x1, y, T, activation):
        states = _states(W, _first(x1, activation), T, activation)
        dx = _sweep(W, _slopes(states, activation), states[-1] - y, lambda gradient: _clipped(gradient, tau))
        return _collected(states, y, dx)
    return _train(make_experiment(seed, rho), activation, tau, lr, updates, T, backward)


def fault_run__clips_each_row(seed, rho, activation, tau, lr, updates, T=100):
    """Limits the norm of every unit's row by itself, which bends the direction of the whole.

    Idea: one norm over everything keeps the direction
    """
    def clip(gradient, tau):
        return gradient if tau is None else np.array([_within(row, tau) for row in gradient])
    return _train(make_experiment(seed, rho), activation, tau, lr, updates, T, clip=clip)


def fault_run__clips_each_entry(seed, rho, activation, tau, lr, updates, T=100):
    """Cuts off every entry at the threshold, which leaves little more than a table of signs.

    Idea: one norm over everything keeps the direction
    """
    def clip(gradient, tau):
        return gradient if tau is None else np.clip(gradient, -tau, tau)
    return _train(make_experiment(seed, rho), activation, tau, lr, updates, T, clip=clip)


def fault_run__always_scales(seed, rho, activation, tau, lr, updates, T=100):
    """Brings every gradient to the threshold's length, so a vanished one is blown up to it.

    Idea: clipping is a ceiling, not a target
    """
    def clip(gradient, tau):
        return gradient if tau is None else gradient * (tau / np.linalg.norm(gradient))
    return _train(make_experiment(seed, rho), activation, tau, lr, updates, T, clip=clip)


def fault_run__norm_over_all_gradients(seed, rho, activation, tau, lr, updates, T=100):
    """Counts the gradients of the inputs among those to be clipped, although no update uses them.

    Idea: clipping concerns what is going to be applied
    """
    def backward(W, x1, y, T, activation):
        run = forward_backward(W, x1, y, T, activation)
        others.append(np.linalg.norm(run["dx"]))
        return run

    def clip(gradient, tau):
        norm = np.hypot(np.linalg.norm(gradient), others[-1])
        return gradient if tau is None or norm <= tau else gradient * (tau / norm)
    others = []
    return _train(make_experiment(seed, rho), activation, tau, lr, updates, T, backward, clip)


def fault_run__applied_norms_copied(seed, rho, activation, tau, lr, updates, T=100):
    """Records the gradient's norm in both places, once before clipping and once more.

    Idea: record what happened, not what was meant to happen
    """
    record = fault_run(seed, rho, activation, tau, lr, updates, T)
    return {**record, "applied_norms": record["grad_norms"].copy()}


def fault_run__applied_norms_from_the_formula(seed, rho, activation, tau, lr, updates, T=100):
    """Fills in the norm that clipping promises without measuring, the threshold at every update.

    Idea: record what happened, not what was meant to happen
    """
    record = fault_run(seed, rho, activation, tau, lr, updates, T)
    applied_norms = record["applied_norms"] if tau is None else np.where(np.isfinite(record["grad_norms"]), tau, np.nan)
    return {**record, "applied_norms": applied_norms}


def fault_run__applies_the_raw_gradient(seed, rho, activation, tau, lr, updates, T=100):
    """Clips for the record and takes the step with the gradient as it was.

    Idea: record what happened, not what was meant to happen
    """
    return _train(make_experiment(seed, rho), activation, tau, lr, updates, T, step=lambda gradient, applied: gradient)


def fault_run__cosine_of_one_normalised_vector(seed, rho, activation, tau, lr, updates, T=100):
    """Divides the inner product by the gradient's norm twice, so the shrinking shows as a turn.

    Idea: a cosine does not depend on lengths
    """
    def cosine(gradient, applied):
        norm = np.linalg.norm(gradient)
        return np.sum(gradient / norm * (applied / norm))
    return _train(make_experiment(seed, rho), activation, tau, lr, updates, T, cosine=cosine)


def fault_run__cosine_with_the_update_before(seed, rho, activation, tau, lr, updates, T=100):
    """Compares each gradient with the one of the update before, to see whether training keeps its direction.

    Idea: clipping keeps the direction of one gradient
    """
    def cosine(gradient, applied):
        earlier.append(gradient)
        return _cosine(gradient, earlier[-2])
    earlier = [np.full((16, 16), np.nan)]
    return _train(make_experiment(seed, rho), activation, tau, lr, updates, T, cosine=cosine)


def fault_run__lag_order(seed, rho, activation, tau, lr, updates, T=100):
    """Lists the norms of the inputs in the order in which the sweep meets them.

    Idea: lag order and time order
    """
    record = fault_run(seed, rho, activation, tau, lr, updates, T)
    return {**record, "dx_norms": record["dx_norms"][::-1]}


def fault_run__second_input_first(seed, rho, activation, tau, lr, updates, T=100):
    """Begins the list at the first use of the matrix, so the second input's norm stands for the first's.

    Idea: the first input enters before any recurrence
    """
    record = fault_run(seed, rho, activation, tau, lr, updates, T)
    return {**record, "dx_norms": np.append(record["dx_norms"][1:], record["dx_norms"][-1])}


def fault_run__input_norms_after_training(seed, rho, activation, tau, lr, updates, T=100):
    """Overwrites the norms of the inputs at every update, so those of the last one remain.

    Idea: the diagnosis is about the start of training
    """
    last = {}

    def backward(W, x1, y, T, activation):
        last.update(forward_backward(W, x1, y, T, activation))
        return last
    record = _train(make_experiment(seed, rho), activation, tau, lr, updates, T, backward)
    with np.errstate(all="ignore"):
        return {**record, "dx_norms": np.linalg.norm(last["dx"], axis=1)}


def fault_run__draws_the_input_first(seed, rho, activation, tau, lr, updates, T=100):
    """Draws the vectors before the matrix, which gives another experiment for the same seed.

    Idea: a seed fixes numbers only together with the order of the draws
    """
    rng = np.random.default_rng(seed)
    x1, v, W = rng.normal(size=16), rng.normal(size=16), rng.normal(size=(16, 16))
    W *= rho / np.abs(np.linalg.eigvals(W)).max()
    return _train((W, x1, v / np.linalg.norm(v)), activation, tau, lr, updates, T)


def fault_run__real_parts_for_the_radius(seed, rho, activation, tau, lr, updates, T=100):
    """Drops the imaginary parts of the eigenvalues before measuring, so rotations count for too little.

    Idea: the modulus of a complex number
    """
    W, x1, y = make_experiment(seed, rho)
    return _train((W * (rho / np.abs(np.linalg.eigvals(W).real).max()), x1, y), activation, tau, lr, updates, T)


def fault_run__largest_singular_value(seed, rho, activation, tau, lr, updates, T=100):
    """Takes the largest stretch of a vector in one step for the spectral radius.

    Idea: eigenvalues and singular values
    """
    W, x1, y = make_experiment(seed, rho)
    return _train((W * (rho / np.linalg.norm(W, 2)), x1, y), activation, tau, lr, updates, T)


def fault_run__losses_without_the_last(seed, rho, activation, tau, lr, updates, T=100):
    """Records one loss per update and never looks at what the last update led to.

    Idea: between n updates and around them lie n + 1 losses
    """
    record = fault_run(seed, rho, activation, tau, lr, updates, T)
    return {**record, "losses": record["losses"][:-1]}


def fault_run__only_nan_ends_training(seed, rho, activation, tau, lr, updates, T=100):
    """Stops where a loss is no number, but goes on training when it is infinite.

    Idea: infinity is not finite either
    """
    return _train(make_experiment(seed, rho), activation, tau, lr, updates, T, over=np.isnan)


def fault_run__goes_on_from_the_last_good_weights(seed, rho, activation, tau, lr, updates, T=100):
    """Leaves out the update that would break the loss and lets training go on as if it had not happened.

    Idea: record what happened, not what was meant to happen
    """
    record = fault_run(seed, rho, activation, tau, lr, updates, T)
    return {name: values if name == "dx_norms" else _held(values) for name, values in record.items()}


def _held(values):
    """Repeat the last finite value where there is none."""
    return values[np.maximum.accumulate(np.where(np.isfinite(values), np.arange(len(values)), 0))]


def fault_run__zeros_for_what_is_missing(seed, rho, activation, tau, lr, updates, T=100):
    """Prepares the record with zeros, which stay where training broke off and read like measured norms.

    Idea: what was not measured is not zero
    """
    record = fault_run(seed, rho, activation, tau, lr, updates, T)
    broken = ~np.isfinite(record["losses"][:-1])
    return {name: np.where(broken, 0.0, values) if name.endswith("s") and len(values) == updates and name != "dx_norms"
            else values for name, values in record.items()}


def fault_run__record_ends_with_the_overflow(seed, rho, activation, tau, lr, updates, T=100):
    """Appends to lists and leaves the loop when the loss breaks, so the record has the length that it happens to have.

    Idea: a record's shape does not depend on what happened
    """
    record = fault_run(seed, rho, activation, tau, lr, updates, T)
    good = int(np.isfinite(record["losses"]).argmin()) if not np.all(np.isfinite(record["losses"])) else updates
    return {name: values if name == "dx_norms" else values[:good + (name == "losses")] for name, values in record.items()}


def fault_run__overflow_raises(seed, rho, activation, tau, lr, updates, T=100):
    """Turns numpy's warnings into errors, so an explosion ends the function instead of showing in the record.

    Idea: overflow is a result here
    """
    record = fault_run(seed, rho, activation, tau, lr, updates, T)
    if not np.all(np.isfinite(record["losses"])):
        raise FloatingPointError("overflow encountered in matmul")
    return record


def fault_run__single_precision(seed, rho, activation, tau, lr, updates, T=100):
    """Computes in float32, where the norm of an exploded gradient is infinite and clipping shrinks everything to zero.

    Idea: float32 ends near 3e38
    """
    return _train(make_experiment(seed, rho), activation, tau, lr, updates, T, _in_single_precision)


def fault_run__no_threshold_means_the_usual_one(seed, rho, activation, tau, lr, updates, T=100):
    """Takes a missing threshold for a request to choose one.

    Idea: every argument has an effect
    """
    return fault_run(seed, rho, activation, 5.0 if tau is None else tau, lr, updates, T)


def fault_run__usual_threshold_for_every_other(seed, rho, activation, tau, lr, updates, T=100):
    """Writes the usual threshold into the formula and only looks whether one was asked for.

    Idea: every argument has an effect
    """
    return fault_run(seed, rho, activation, tau and 5.0, lr, updates, T)


def fault_run__always_a_hundred_steps(seed, rho, activation, tau, lr, updates, T=100):
    """Writes the usual number of steps into the loop and never reads the argument.

    Idea: every argument has an effect
    """
    return fault_run(seed, rho, activation, tau, lr, updates)


def fault_run__unknown_means_linear(seed, rho, activation, tau, lr, updates, T=100):
    """Asks for one activation by name and takes every other name for the other one.

    Idea: bad input is refused by a ValueError
    """
    return fault_run(seed, rho, "tanh" if activation == "tanh" else "linear", tau, lr, updates, T)


def fault_run__trains_on_where_it_stopped(seed, rho, activation, tau, lr, updates, T=100, made={}):  # noqa: B006
    """Makes each experiment once and updates its matrix in place, so the next run begins with a trained one.

    Idea: a function keeps nothing between calls
    """
    W, x1, y = made.setdefault((seed, rho), make_experiment(seed, rho))

    def step(gradient, applied):
        W[...] -= lr * applied
        return applied
    return _train((W.copy(), x1, y), activation, tau, lr, updates, T, step=step)


def fault_run__columns_of_a_table(seed, rho, activation, tau, lr, updates, T=100):
    """Stacks one row per update and cuts the table into columns.

    Idea: a sequence of numbers has one axis
    """
    return {name: np.asarray(values)[:, None] for name, values in fault_run(seed, rho, activation, tau, lr, updates, T).items()}


# --- fault_signals -------------------------------------------------------------------------------------------------


def fault_signals__nan_counts_as_alive(record, tau):
    """Says that training is alive unless the loss has grown, and no comparison finds a NaN to have grown.

    Idea: every comparison with NaN is false
    """
    losses = record["losses"]
    return {**fault_signals(record, tau), "training_alive": not bool(losses[-1] >= losses[0])}


def fault_signals__alive_by_the_last_finite_loss(record, tau):
    """Leaves out the losses that are no numbers and compares the ends of what remains.

    Idea: training that ends in NaN is dead
    """
    finite = record["losses"][np.isfinite(record["losses"])]
    return {**fault_signals(record, tau), "training_alive": bool(len(finite) and finite[-1] < finite[0])}


def fault_signals__alive_by_the_two_ends(record, tau):
    """Compares the last loss with the first and does not look at what lies between.

    Idea: all losses means all losses
    """
    losses = record["losses"]
    return {**fault_signals(record, tau), "training_alive": bool(losses[-1] < losses[0])}


def fault_signals__standstill_counts_as_alive(record, tau):
    """Counts a loss that has not moved by a bit as training that goes on.

    Idea: a loss that does not move has learned nothing
    """
    losses = record["losses"]
    alive = bool(np.all(np.isfinite(losses)) and losses[-1] <= losses[0])
    return {**fault_signals(record, tau), "training_alive": alive}


def fault_signals__alive_only_if_every_step_falls(record, tau):
    """Wants the loss to fall at every update.

    Idea: a large learning rate lets a falling loss rise at times
    """
    losses = record["losses"]
    falling = bool(np.all(np.isfinite(losses)) and np.all(losses[1:] < losses[:-1]))
    return {**fault_signals(record, tau), "training_alive": falling}


def fault_signals__nan_has_not_exploded(record, tau):
    """Asks for a large number, and NaN is not a large number.

    Idea: every comparison with NaN is false
    """
    return {**fault_signals(record, tau), "exploded": bool(record["dx_norms"][0] >= 1e10)}


def fault_signals__exploded_anywhere(record, tau):
    """Calls it an explosion when any input's gradient is large.

    Idea: the first input is the farthest from the loss
    """
    norms = record["dx_norms"]
    return {**fault_signals(record, tau), "exploded": bool(np.any(norms >= 1e10) or not np.all(np.isfinite(norms)))}


def fault_signals__thresholds_are_excluded(record, tau):
    """Reads every threshold as a number to be passed, so a value right on it does not count.

    Idea: at least, at most, above and below
    """
    first = record["dx_norms"][0]
    return {**fault_signals(record, tau), "exploded": bool(first > 1e10 or not np.isfinite(first)),
            "first_input_forgotten": bool(first < 1e-10)}


def fault_signals__only_nan_is_not_finite(record, tau):
    """Looks for NaN among the losses and lets infinity pass.

    Idea: infinity is not finite either
    """
    return {**fault_signals(record, tau), "loss_not_finite": bool(np.any(np.isnan(record["losses"])))}


def fault_signals__only_the_last_loss_is_looked_at(record, tau):
    """Judges by the last loss, because nothing comes back from NaN.

    Idea: an infinite loss may be followed by finite ones
    """
    return {**fault_signals(record, tau), "loss_not_finite": bool(not np.isfinite(record["losses"][-1]))}


def fault_signals__nothing_to_cap_counts_as_capped(record, tau):
    """Checks every step above the threshold and finds no fault when there is none of them.

    Idea: a statement about all elements of nothing is true
    """
    above = np.zeros(len(record["grad_norms"]), bool) if tau is None else record["grad_norms"] > tau
    capped = tau is not None and bool(np.all(np.abs(record["applied_norms"][above] - tau) <= 1e-5 * tau))
    return {**fault_signals(record, tau), "norm_capped": capped}


def fault_signals__one_capped_step_is_enough(record, tau):
    """Finds a step at which the norm was brought to the threshold and asks no further.

    Idea: a cap holds at every step or it is none
    """
    signals = fault_signals(record, tau)
    if tau is not None:
        at_tau = np.abs(record["applied_norms"] - tau) <= 1e-5 * tau
        signals["norm_capped"] = bool(np.any((record["grad_norms"] > tau) & at_tau))
    return signals


def fault_signals__capped_means_not_above(record, tau):
    """Takes any applied norm that is not above the threshold, even one of zero, for a capped one.

    Idea: a cap brings the norm to the threshold, not below it
    """
    signals = fault_signals(record, tau)
    if tau is not None:
        above = record["grad_norms"] > tau
        signals["norm_capped"] = bool(np.any(above) and np.all(record["applied_norms"][above] <= (1 + 1e-5) * tau))
    return signals


def fault_signals__small_gradients_must_be_capped_too(record, tau):
    """Wants the threshold's norm at every step, also where the gradient was short enough.

    Idea: clipping is a ceiling, not a target
    """
    signals = fault_signals(record, tau)
    if tau is not None:
        at_tau = np.abs(record["applied_norms"] - tau) <= 1e-5 * tau
        signals["norm_capped"] = bool(np.any(record["grad_norms"] > tau) and np.all(at_tau))
    return signals


def fault_signals__capped_to_the_last_bit(record, tau):
    """Compares the applied norm with the threshold by exact equality.

    Idea: rounding decides about the last bit
    """
    signals = fault_signals(record, tau)
    if tau is not None:
        above = record["grad_norms"] > tau
        signals["norm_capped"] = bool(np.any(above) and np.all(record["applied_norms"][above] == tau))
    return signals


def fault_signals__compares_with_no_threshold(record, tau):
    """Compares norms with the threshold before it asks whether there is one.

    Idea: a missing value cannot be compared
    """
    above = record["grad_norms"] > tau
    return {**fault_signals(record, tau), "norm_capped": fault_signals(record, tau)["norm_capped"] and bool(above.any())}


def fault_signals__no_steps_kept_their_direction(record, tau):
    """Checks every finite cosine and finds no fault when there is none of them.

    Idea: a statement about all elements of nothing is true
    """
    cosines = record["cosines"]
    return {**fault_signals(record, tau), "direction_kept": bool(np.all(cosines[np.isfinite(cosines)] >= 1 - 1e-9))}


def fault_signals__missing_cosines_have_turned(record, tau):
    """Holds the steps that were never taken for steps that lost their direction.

    Idea: every comparison with NaN is false
    """
    return {**fault_signals(record, tau), "direction_kept": bool(np.all(record["cosines"] >= 1 - 1e-9))}


def fault_signals__roughly_the_same_direction(record, tau):
    """Rounds the cosines to a few decimals before it compares.

    Idea: a cosine is flat near one
    """
    kept = np.round(record["cosines"], 3)
    return fault_signals({**record, "cosines": kept}, tau)


def fault_signals__first_input_at_the_wrong_end(record, tau):
    """Takes the list for one in lag order, so the last entry is held for the first input.

    Idea: lag order and time order
    """
    last = record["dx_norms"][-1]
    return {**fault_signals(record, tau), "first_input_forgotten": bool(last <= 1e-10)}


def fault_signals__last_input_at_the_wrong_end(record, tau):
    """Takes the list for one in lag order when it asks about the last input.

    Idea: lag order and time order
    """
    return {**fault_signals(record, tau), "last_input_healthy": bool(record["dx_norms"][0] > 1e-3)}


def fault_signals__slow_decay_without_a_comparison(record, tau):
    """Judges the first input's norm by itself, without the last one to compare it with.

    Idea: a decay has two ends
    """
    return {**fault_signals(record, tau), "slow_decay": bool(1e-8 <= record["dx_norms"][0] < 1)}


def fault_signals__slow_decay_at_every_step(record, tau):
    """Wants the norms to fall at every step on the way back.

    Idea: a trend need not be monotone
    """
    norms, signals = record["dx_norms"], fault_signals(record, tau)
    return {**signals, "slow_decay": signals["slow_decay"] and bool(np.all(np.diff(norms) > 0))}


def fault_signals__zeros_and_ones(record, tau):
    """Writes the signals down as zeros and ones.

    Idea: a truth value is a bool
    """
    return {name: int(signal) for name, signal in fault_signals(record, tau).items()}


def fault_signals__tidies_the_record(record, tau):
    """Replaces what is no number inside the caller's record.

    Idea: arguments belong to the caller
    """
    signals = fault_signals(record, tau)
    for values in record.values():
        np.nan_to_num(values, copy=False)
    return signals


def fault_signals__alarms_stay_on(record, tau, kept={}):  # noqa: B006
    """Switches signals on in a dictionary that outlives the call and never switches one off.

    Idea: a function keeps nothing between calls
    """
    for name, signal in fault_signals(record, tau).items():
        kept[name] = kept.get(name, False) or signal
    return dict(kept)


# --- bptt_check ----------------------------------------------------------------------------------------------------


def _network(rng):
    """Draw the arguments of bptt_grad."""
    shapes = {"W_aa": (8, 8), "W_ax": (8, 4), "b_a": (8,), "W_ya": (3, 8), "b_y": (3,)}
    params = {name: rng.normal(size=shape) / np.sqrt(shape[-1]) for name, shape in shapes.items()}
    return rng.normal(size=(12, 4)), rng.normal(size=(12, 3)), rng.normal(size=8), params


def _errors(rng, grad=bptt_grad, difference=numerical_gradient, error=gradient_error):
    """Compare both gradients of every parameter array of a random network."""
    xs, targets, a0, params = _network(rng)

    def numeric(name):
        return difference(lambda w: bptt_grad(xs, targets, a0, {**params, name: w})[0], params[name])
    return [error(gradient, numeric(name)) for name, gradient in grad(xs, targets, a0, params)[1].items()]


def bptt_check__compares_with_itself(seed):
    """Compares the backward pass with a second run of the backward pass.

    Idea: a check needs a second, independent way
    """
    xs, targets, a0, params = _network(np.random.default_rng(seed))
    first, second = (bptt_grad(xs, targets, a0, params)[1] for _ in range(2))
    return max(gradient_error(first[name], second[name]) for name in params)


def bptt_check__seed_ignored(seed):
    """Draws the same network whatever seed is given.

    Idea: every argument has an effect
    """
    return bptt_check(42)


def bptt_check__another_network_each_time(seed, rng=np.random.default_rng(42)):  # noqa: B008
    """Makes the generator once and draws on from it, so the seed decides nothing and no run can be repeated.

    Idea: a measurement that others can repeat
    """
    return max(_errors(rng))


def bptt_check__worst_entry(seed):
    """Compares entry by entry and reports the worst, which rounding decides for entries near zero.

    Idea: one norm over a whole array
    """
    def error(analytic, numeric):
        return np.max(np.abs(analytic - numeric) / (np.abs(analytic) + np.abs(numeric)))
    return float(max(_errors(np.random.default_rng(seed), error=error)))


def bptt_check__step_far_too_small(seed):
    """Shrinks the step of the differences, in the belief that a smaller one is always more accurate.

    Idea: rounding sets a limit to small steps
    """
    return max(_errors(np.random.default_rng(seed), difference=lambda f, w: numerical_gradient(f, w, 1e-11)))


def bptt_check__ten_steps_back(seed):
    """Stops the backward pass after ten of the twelve steps, because older ones hardly matter.

    Idea: the full gradient reaches back to the first step
    """
    def grad(xs, targets, a0, params):
        return truncated_bptt_grad(xs, targets, a0, params, 10)
    return max(_errors(np.random.default_rng(seed), grad))


def bptt_check__single_precision(seed):
    """Computes the losses in float32, whose seven digits are used up by the difference.

    Idea: a difference of nearly equal numbers loses digits
    """
    def difference(f, w):
        return numerical_gradient(lambda nudged: np.float32(f(nudged)), w)
    return float(max(_errors(np.random.default_rng(seed), difference=difference)))


def bptt_check__rounded(seed):
    """Rounds the error to the decimals of the limit, which leaves nothing of it.

    Idea: a measured value is reported as measured
    """
    return round(bptt_check(seed), 6)


def bptt_check__verdict(seed):
    """Compares the error with the limit and returns the verdict in its place.

    Idea: a measured value is reported as measured
    """
    return bptt_check(seed) < 1e-6


def bptt_check__one_error_per_array(seed):
    """Returns the errors of all arrays and leaves it to the reader to find the worst.

    Idea: a single number has no axes
    """
    return np.array(_errors(np.random.default_rng(seed)))


# --- evidence ------------------------------------------------------------------------------------------------------


def _refuse_other_names(metrics):
    if set(metrics) != {entry["name"] for entry in evidence_template()["metrics"]}:
        raise ValueError("metrics: not the names of the template")


def evidence__actual_copied_from_expected(metrics, commit, verified_at, environment):
    """Fills in what ought to have come out.

    Idea: evidence is what was measured
    """
    record = evidence(metrics, commit, verified_at, environment)
    return {**record, "metrics": [{**entry, "actual": entry["expected"]} for entry in record["metrics"]]}


def evidence__expected_copied_from_actual(metrics, commit, verified_at, environment):
    """Adapts the expectation to what came out.

    Idea: an expectation is written down before the measurement
    """
    record = evidence(metrics, commit, verified_at, environment)
    return {**record, "metrics": [{**entry, "expected": entry["actual"]} for entry in record["metrics"]]}


def evidence__everything_as_a_verdict(metrics, commit, verified_at, environment):
    """Turns every measured value into a verdict, the error of the gradient check included.

    Idea: a measured value is reported as measured
    """
    record = evidence(metrics, commit, verified_at, environment)
    verdicts = [{**entry, "actual": bool(entry["actual"] < 1e-6 if isinstance(entry["actual"], float) else entry["actual"])}
                for entry in record["metrics"]]
    return {**record, "metrics": verdicts}


def evidence__missing_metrics_stay_open(metrics, commit, verified_at, environment):
    """Leaves the template's mark where no value was given.

    Idea: a gap in the evidence is refused, not handed in
    """
    template = evidence_template()
    given = {entry["name"]: metrics.get(entry["name"], entry["actual"]) for entry in template["metrics"]}
    if set(metrics) - set(given):
        raise ValueError("metrics: unknown names")
    return evidence(given, commit, verified_at, environment)


def evidence__extra_metrics_ignored(metrics, commit, verified_at, environment):
    """Looks up the names of the template and never notices that there were others.

    Idea: a name that nobody knows is a mistake somewhere
    """
    names = [entry["name"] for entry in evidence_template()["metrics"]]
    return evidence({name: metrics[name] for name in names if name in metrics}, commit, verified_at, environment)


def evidence__counts_the_metrics(metrics, commit, verified_at, environment):
    """Counts the values that were given and does not compare their names.

    Idea: seven values are not the seven values
    """
    template = evidence_template()
    if len(metrics) != len(template["metrics"]):
        raise ValueError("metrics: too few or too many")
    filled = [{**entry, "name": name, "actual": value} for entry, (name, value) in zip(template["metrics"], metrics.items())]
    order = {entry["name"]: i for i, entry in enumerate(template["metrics"])}
    if set(order) != set(metrics):
        return {**template, "commit": commit, "verified_at": verified_at, "environment": environment, "metrics": filled}
    return evidence(metrics, commit, verified_at, environment)


def evidence__key_error_for_a_missing_metric(metrics, commit, verified_at, environment):
    """Lets the look-up fail by itself when a name is missing, which is another kind of error.

    Idea: bad input is refused by a ValueError
    """
    return evidence(metrics | {entry["name"]: metrics[entry["name"]] for entry in evidence_template()["metrics"]},
                    commit, verified_at, environment)


def evidence__in_the_order_of_the_measurements(metrics, commit, verified_at, environment):
    """Lists the metrics as they were measured instead of as the template has them.

    Idea: two records of the same form can be compared line by line
    """
    record = evidence(metrics, commit, verified_at, environment)
    entries = {entry["name"]: entry for entry in record["metrics"]}
    return {**record, "metrics": [entries[name] for name in metrics]}


def evidence__pairs_by_position(metrics, commit, verified_at, environment):
    """Goes through the template and the measurements side by side, as if they were in the same order.

    Idea: values belong to names, not to places
    """
    record = evidence(metrics, commit, verified_at, environment)
    entries = zip(record["metrics"], metrics.values())
    return {**record, "metrics": [{**entry, "actual": value} for entry, value in entries]}


def evidence__refuses_bad_news(metrics, commit, verified_at, environment):
    """Refuses a measurement that did not come out as expected.

    Idea: evidence may speak against you
    """
    record = evidence(metrics, commit, verified_at, environment)
    if not all(entry["actual"] for entry in record["metrics"]):
        raise ValueError("metrics: not as expected")
    return record


def evidence__commit_and_date_swapped(metrics, commit, verified_at, environment):
    """Puts the two strings into each other's places.

    Idea: values belong to names, not to places
    """
    return evidence(metrics, verified_at, commit, environment)


def evidence__only_what_was_filled_in(metrics, commit, verified_at, environment):
    """Keeps the fields that the function was given something for and drops the rest of the template.

    Idea: a schema fixes all the fields
    """
    record = evidence(metrics, commit, verified_at, environment)
    return {name: record[name] for name in ("commit", "verified_at", "environment", "metrics")}


def evidence__measured_values_as_text(metrics, commit, verified_at, environment):
    """Writes the measured values out as text, because they are going to a text file.

    Idea: a truth value is a bool
    """
    record = evidence(metrics, commit, verified_at, environment)
    return {**record, "metrics": [{**entry, "actual": str(entry["actual"]).lower()} for entry in record["metrics"]]}


def evidence__takes_the_metrics_out(metrics, commit, verified_at, environment):
    """Removes each value from the caller's dictionary as it is used, to see whether any is left over.

    Idea: arguments belong to the caller
    """
    record = evidence(metrics, commit, verified_at, environment)
    metrics.clear()
    return record


def evidence__template_filled_for_good(metrics, commit, verified_at, environment, kept=[]):  # noqa: B006
    """Fills in one template for all calls, and only the places that are still open.

    Idea: a function keeps nothing between calls
    """
    record = evidence(metrics, commit, verified_at, environment)
    kept.append(record["metrics"])
    return {**record, "metrics": kept[0]}
