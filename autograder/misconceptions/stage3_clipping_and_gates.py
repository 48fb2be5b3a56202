"""Stage 3, the first-order repair and the circuit: misconceptions, each as a wrong implementation.

The name is `<question>__<mistake>`; the docstring says the thought behind the mistake and the idea it concerns. The
hints are in assignments/messages.en.yaml, by name.
"""

import numpy as np

from solutions.stage3_clipping_and_gates import (
    clip,
    diagnose_gradient,
    forget_chain_grad,
    forget_chain_jacobian,
    forget_step,
    global_norm,
    remedy,
    residual_chain_jacobian,
)

# --- global_norm ---------------------------------------------------------------------------------------------------


def global_norm__sum_of_the_norms(grads):
    """Adds up the norms of the arrays instead of their squares.

    Idea: one long vector has one norm
    """
    return float(sum(np.linalg.norm(gradient) for gradient in grads.values()))


def global_norm__without_square_root(grads):
    """Stops at the sum of squares.

    Idea: a norm is a length
    """
    return float(sum(np.sum(gradient**2) for gradient in grads.values()))


def global_norm__largest_array(grads):
    """Takes the largest of the arrays' norms for the norm of all.

    Idea: one long vector has one norm
    """
    return float(max((np.linalg.norm(gradient) for gradient in grads.values()), default=0.0))


def global_norm__largest_singular_value(grads):
    """Takes the spectral norm of a matrix where all of its entries count.

    Idea: the Frobenius norm
    """
    norms = [np.linalg.norm(gradient, 2) if gradient.ndim == 2 else np.linalg.norm(gradient) for gradient in grads.values()]
    return float(np.sqrt(sum(norm**2 for norm in norms)))


def global_norm__root_mean_square(grads):
    """Averages the squares over the entries.

    Idea: a norm grows with the number of entries
    """
    count = sum(gradient.size for gradient in grads.values())
    return float(np.sqrt(sum(np.sum(gradient**2) for gradient in grads.values()) / max(count, 1)))


def global_norm__entries_summed_first(grads):
    """Squares the sum of each array instead of its entries.

    Idea: a norm cannot cancel
    """
    return float(np.sqrt(sum(np.sum(gradient) ** 2 for gradient in grads.values())))


def global_norm__squares_in_place(grads):
    """Squares the caller's arrays.

    Idea: arguments belong to the caller
    """
    total = 0.0
    for gradient in grads.values():
        gradient **= 2
        total += np.sum(gradient)
    return float(np.sqrt(total))


def global_norm__adds_up_over_calls(grads, total=[0.0]):  # noqa: B006
    """Collects the squares where the next call finds them again.

    Idea: a function keeps nothing between calls
    """
    total[0] += sum(np.sum(gradient**2) for gradient in grads.values())
    return float(np.sqrt(total[0]))


def global_norm__array_of_one(grads):
    """Returns an array with one entry.

    Idea: a norm is one number
    """
    return np.array([global_norm(grads)])


def global_norm__single_precision(grads):
    """Collects the squares in single precision, which ends at 1e38.

    Idea: squares need twice the range
    """
    with np.errstate(over="ignore"):
        return float(np.sqrt(sum(np.sum(np.asarray(gradient, np.float32) ** 2) for gradient in grads.values())))


# --- clip ----------------------------------------------------------------------------------------------------------


def _require(grads, tau):
    clip(grads, tau)  # raises where it should


def clip__each_array_alone(grads, tau=5.0):
    """Clips every array by its own norm.

    Idea: one norm for the whole gradient
    """
    _require(grads, tau)
    return {name: clip({name: gradient}, tau)[name] for name, gradient in grads.items()}


def clip__entry_by_entry(grads, tau=5.0):
    """Cuts off every entry at plus and minus tau.

    Idea: clipping keeps the direction
    """
    _require(grads, tau)
    return {name: np.clip(gradient, -tau, tau) for name, gradient in grads.items()}


def clip__always_scales(grads, tau=5.0):
    """Scales to length tau whatever the length was.

    Idea: a short gradient passes unchanged
    """
    _require(grads, tau)
    return {name: gradient * (tau / (global_norm(grads) or 1.0)) for name, gradient in grads.items()}


def clip__inverted_factor(grads, tau=5.0):
    """Multiplies by the norm over tau.

    Idea: too long must become shorter
    """
    _require(grads, tau)
    return {name: gradient * max(1.0, global_norm(grads) / tau) for name, gradient in grads.items()}


def clip__squared_norm(grads, tau=5.0):
    """Compares tau with the sum of squares.

    Idea: a norm is a length
    """
    _require(grads, tau)
    with np.errstate(over="ignore"):
        return {name: gradient * min(1.0, tau / max(global_norm(grads) ** 2, 1e-300)) for name, gradient in grads.items()}


def clip__to_length_one(grads, tau=5.0):
    """Divides by the norm where the length tau was asked for.

    Idea: the longest gradient that passes has length tau
    """
    _require(grads, tau)
    norm = global_norm(grads)
    return {name: gradient / norm if norm > tau else gradient.copy() for name, gradient in grads.items()}


def clip__to_zero(grads, tau=5.0):
    """Throws a gradient away that is too long.

    Idea: clipping keeps the direction
    """
    _require(grads, tau)
    return {name: gradient * (global_norm(grads) <= tau) for name, gradient in grads.items()}


def clip__ignores_tau(grads, tau=5.0):
    """Writes the usual threshold into the formula.

    Idea: every argument has an effect
    """
    _require(grads, tau)
    return clip(grads, 5.0)


def clip__in_place(grads, tau=5.0):
    """Scales the caller's arrays.

    Idea: arguments belong to the caller
    """
    _require(grads, tau)
    scale = tau / max(global_norm(grads), tau)
    for gradient in grads.values():
        gradient *= scale
    return grads


def clip__loop_variable_only(grads, tau=5.0):
    """Binds the loop's name to the scaled array and returns the old ones.

    Idea: a name is not the thing in the dict
    """
    _require(grads, tau)
    scale = tau / max(global_norm(grads), tau)
    clipped = dict(grads)
    for gradient in clipped.values():
        gradient = gradient * scale  # noqa: PLW2901
    return clipped


def clip__lets_nan_pass(grads, tau=5.0):
    """Asks only whether the norm is too large, which NaN never is.

    Idea: a comparison with NaN is false
    """
    if tau <= 0 or np.isinf(global_norm(grads)):
        raise ValueError("not finite")
    scale = tau / global_norm(grads) if global_norm(grads) > tau else 1.0
    return {name: gradient * scale for name, gradient in grads.items()}


def clip__infinity_becomes_nan(grads, tau=5.0):
    """Scales an infinite gradient by zero.

    Idea: nothing rescues an infinite gradient
    """
    if tau <= 0 or np.isnan(global_norm(grads)):
        raise ValueError("not a number")
    with np.errstate(invalid="ignore"):
        return {name: gradient * (tau / max(global_norm(grads), tau)) for name, gradient in grads.items()}


def clip__repairs_what_is_not_finite(grads, tau=5.0):
    """Replaces NaN and infinity by numbers and clips those.

    Idea: nothing rescues an infinite gradient
    """
    return clip({name: np.nan_to_num(gradient, posinf=1e30, neginf=-1e30) for name, gradient in grads.items()}, tau)


def clip__zero_tau_allowed(grads, tau=5.0):
    """Refuses a negative threshold only.

    Idea: a threshold of zero stops all learning
    """
    if tau == 0:
        return {name: np.zeros_like(gradient) for name, gradient in grads.items()}
    return clip(grads, tau)


def clip__size_of_tau(grads, tau=5.0):
    """Takes the size of a negative threshold.

    Idea: a threshold is positive
    """
    if tau == 0:
        raise ValueError("tau is 0")
    return clip(grads, abs(tau))


def clip__single_precision(grads, tau=5.0):
    """Works in single precision, where large entries become infinite.

    Idea: squares need twice the range
    """
    _require(grads, tau)
    with np.errstate(over="ignore", invalid="ignore"):
        small = {name: np.asarray(gradient, np.float32) for name, gradient in grads.items()}
        scale = tau / max(np.sqrt(sum(np.sum(gradient**2) for gradient in small.values())), tau)
        return {name: gradient * scale for name, gradient in small.items()}


def clip__flat_arrays(grads, tau=5.0):
    """Joins everything to one vector and gives the pieces back without their shapes.

    Idea: a gradient has the shape of its parameter
    """
    return {name: gradient.ravel() for name, gradient in clip(grads, tau).items()}


def clip__column_biases(grads, tau=5.0):
    """Gives vectors back as columns.

    Idea: a gradient has the shape of its parameter
    """
    return {name: gradient[:, None] if gradient.ndim == 1 else gradient for name, gradient in clip(grads, tau).items()}


def clip__first_scale_for_ever(grads, tau=5.0, scales=[]):  # noqa: B006
    """Computes the factor once and keeps it.

    Idea: a function keeps nothing between calls
    """
    _require(grads, tau)
    scales.append(tau / max(global_norm(grads), tau))
    return {name: gradient * scales[0] for name, gradient in grads.items()}


def clip__factor_remembered_by_the_first_array(grads, tau=5.0, factors={}):  # noqa: B006
    """Saves work by remembering the factor, and recognises a gradient by its first array.

    Idea: a function keeps nothing between calls
    """
    clipped = clip(grads, tau)
    first = next(iter(grads.values()))
    factor = factors.setdefault((first.tobytes(), tau), tau / max(global_norm(grads), tau))
    return {name: gradient * factor for name, gradient in grads.items()} if clipped else {}


# --- diagnose_gradient ---------------------------------------------------------------------------------------------


def diagnose_gradient__lag_order(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """Reads the entries as distances from the end, so the last step stands first.

    Idea: time order and lag order run against each other
    """
    return diagnose_gradient(norms_over_time[::-1], explode_at, vanish_at)


def diagnose_gradient__largest_and_smallest(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """Compares the extreme norms instead of the first and the last.

    Idea: the question is what arrives at the first step
    """
    ends = diagnose_gradient(norms_over_time[-1:])
    if ends == "not_finite" or not np.all(np.isfinite(norms_over_time)):
        return "not_finite"
    largest, smallest = np.max(norms_over_time), max(np.min(norms_over_time), 1e-300)
    if norms_over_time[0] >= norms_over_time[-1]:
        return "exploding" if largest / smallest >= explode_at else "healthy"
    return "vanishing" if smallest / largest <= vanish_at else "healthy"


def diagnose_gradient__absolute_size(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """Holds the first norm itself against the limits.

    Idea: a ratio does not depend on the size of the loss
    """
    if diagnose_gradient(norms_over_time) == "not_finite":
        return "not_finite"
    if norms_over_time[0] >= explode_at:
        return "exploding"
    return "vanishing" if norms_over_time[0] <= vanish_at else "healthy"


def diagnose_gradient__limits_excluded(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """Gives no alarm exactly at a limit.

    Idea: at least and at most include the limit
    """
    found = diagnose_gradient(norms_over_time, explode_at, vanish_at)
    if found in ("exploding", "vanishing") and norms_over_time[0] / norms_over_time[-1] in (explode_at, vanish_at):
        return "healthy"
    return found


def diagnose_gradient__vanishing_first(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """Asks for vanishing before exploding.

    Idea: the first that applies
    """
    found = diagnose_gradient(norms_over_time, explode_at, vanish_at)
    if found == "exploding" and norms_over_time[0] / norms_over_time[-1] <= vanish_at:
        return "vanishing"
    return found


def diagnose_gradient__only_the_ends_finite(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """Looks at the first and the last entry only, also for infinity.

    Idea: one infinite step spoils the gradient
    """
    return diagnose_gradient(norms_over_time[[0, -1]], explode_at, vanish_at)


def diagnose_gradient__infinity_explodes(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """Calls an infinite gradient exploding.

    Idea: what is not finite needs another remedy
    """
    if np.any(np.isinf(norms_over_time)) and not np.any(np.isnan(norms_over_time)):
        return "exploding"
    return diagnose_gradient(norms_over_time, explode_at, vanish_at)


def diagnose_gradient__nan_is_healthy(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """Compares with NaN, which is never true, and falls through to the end.

    Idea: a comparison with NaN is false
    """
    if np.any(np.isnan(norms_over_time)) and not np.any(np.isinf(norms_over_time)):
        return "healthy"
    return diagnose_gradient(norms_over_time, explode_at, vanish_at)


def diagnose_gradient__zero_checked_first(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """Refuses a last norm of zero before looking for NaN.

    Idea: the order of the questions is part of the contract
    """
    if norms_over_time[-1] == 0:
        raise ValueError("ends with 0")
    return diagnose_gradient(norms_over_time, explode_at, vanish_at)


def diagnose_gradient__last_zero_explodes(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """Divides by a last norm of zero and calls the result exploding.

    Idea: nothing can be compared with zero
    """
    if np.all(np.isfinite(norms_over_time)) and norms_over_time[-1] == 0:
        return "exploding"
    return diagnose_gradient(norms_over_time, explode_at, vanish_at)


def diagnose_gradient__own_limits(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """Writes the usual limits into the code.

    Idea: every argument has an effect
    """
    return diagnose_gradient(norms_over_time)


def diagnose_gradient__refuses_a_vanished_first(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """Refuses any norm of zero, also that of the first step.

    Idea: a first norm of zero is a finding
    """
    if np.any(norms_over_time == 0):
        raise ValueError("a norm is 0")
    return diagnose_gradient(norms_over_time, explode_at, vanish_at)


def diagnose_gradient__normalises_in_place(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """Divides the caller's norms by the last one.

    Idea: arguments belong to the caller
    """
    found = diagnose_gradient(norms_over_time, explode_at, vanish_at)
    if found != "not_finite":
        norms_over_time /= norms_over_time[-1]
    return found


def diagnose_gradient__remembers_by_length(norms_over_time, explode_at=1e3, vanish_at=1e-6, answers={}):  # noqa: B006
    """Recognises a question by the number of steps.

    Idea: a function keeps nothing between calls
    """
    key = (len(norms_over_time), explode_at, vanish_at, norms_over_time[0] == 0, norms_over_time[-1] == 0)
    return answers.setdefault(key, diagnose_gradient(norms_over_time, explode_at, vanish_at))


# --- remedy --------------------------------------------------------------------------------------------------------


def remedy__clips_everything(diagnosis):
    """Clips a gradient that is not finite, too.

    Idea: nothing rescues an infinite gradient
    """
    return "clip" if diagnosis == "not_finite" else remedy(diagnosis)


def remedy__clips_against_vanishing(diagnosis):
    """Expects clipping to help against a vanishing gradient.

    Idea: shortening makes nothing longer
    """
    return "clip" if diagnosis == "vanishing" else remedy(diagnosis)


def remedy__none_for_unknown(diagnosis):
    """Answers that nothing is to be done when it does not know the word.

    Idea: an unknown diagnosis is an error
    """
    return remedy(diagnosis) if diagnosis in ("not_finite", "exploding", "vanishing", "healthy") else "none"


def remedy__looks_for_a_part(diagnosis):
    """Accepts every text that resembles a diagnosis.

    Idea: an unknown diagnosis is an error
    """
    known = [name for name in ("not_finite", "exploding", "vanishing", "healthy") if name == diagnosis.lower()]
    return remedy(known[0] if known else diagnosis)


def remedy__nothing_for_healthy(diagnosis):
    """Returns nothing where nothing is to be done.

    Idea: "none" is an answer
    """
    return None if diagnosis == "healthy" else remedy(diagnosis)


# --- forget_step ---------------------------------------------------------------------------------------------------


def forget_step__squashes_again(c_prev, f, g):
    """Sends the gate through a sigmoid once more.

    Idea: the argument is a gate, not a pre-activation
    """
    forget_step(c_prev, f, g)
    return c_prev / (1 + np.exp(-f)) + g


def forget_step__gate_on_what_is_written(c_prev, f, g):
    """Puts the gate on the new value.

    Idea: the forget gate acts on the old cell
    """
    return forget_step(g, f, c_prev)


def forget_step__complement_on_what_is_written(c_prev, f, g):
    """Lets the new value in only as far as the old one is forgotten.

    Idea: this circuit has no input gate
    """
    forget_step(c_prev, f, g)
    return f * c_prev + (1 - f) * g


def forget_step__inner_product(c_prev, f, g):
    """Multiplies gate and cell as vectors.

    Idea: a gate acts on each unit by itself
    """
    forget_step(c_prev, f, g)
    return np.dot(f, c_prev) + g


def forget_step__cuts_the_gate(c_prev, f, g):
    """Moves a gate into its range instead of refusing it.

    Idea: bad input is refused
    """
    return np.clip(f, 0, 1) * c_prev + g


def forget_step__only_above_one(c_prev, f, g):
    """Refuses gates above one, but not below zero.

    Idea: a range has two ends
    """
    if np.any(f > 1):
        raise ValueError("f is above 1")
    return f * c_prev + g


def forget_step__all_units_must_be_wrong(c_prev, f, g):
    """Refuses only when no unit has a proper gate.

    Idea: one bad entry is enough
    """
    if np.all((f < 0) | (f > 1)):
        raise ValueError("f is outside [0, 1]")
    return f * c_prev + g


def forget_step__refuses_the_ends(c_prev, f, g):
    """Refuses gates that are exactly closed or open.

    Idea: the range is closed
    """
    if np.any((f <= 0) | (f >= 1)):
        raise ValueError("f is outside (0, 1)")
    return f * c_prev + g


def forget_step__updates_the_cell_in_place(c_prev, f, g):
    """Writes the new cell into the old one's array.

    Idea: arguments belong to the caller
    """
    new = forget_step(c_prev, f, g)
    c_prev[:] = new
    return new


def forget_step__keeps_the_cell(c_prev, f, g, cell=[]):  # noqa: B006
    """Goes on from its own last cell.

    Idea: a function keeps nothing between calls
    """
    new = forget_step(cell[-1] if cell and cell[-1].shape == c_prev.shape else c_prev, f, g)
    cell.append(new)
    return new


def forget_step__column(c_prev, f, g):
    """Returns a column.

    Idea: a cell is a vector
    """
    return forget_step(c_prev, f, g)[:, None]


# --- forget_jacobian -----------------------------------------------------------------------------------------------


def forget_jacobian__vector_of_gates(f):
    """Returns the gates themselves.

    Idea: a Jacobian has one row per output and one column per input
    """
    return f.copy()


def forget_jacobian__adds_what_is_written(f):
    """Adds the path of the written value, which does not contain the old cell.

    Idea: only terms with the old cell count
    """
    return np.diag(f) + np.eye(len(f))


def forget_jacobian__every_column(f):
    """Repeats the gates in every column.

    Idea: a unit depends on its own old value only
    """
    return np.outer(f, np.ones(len(f)))


def forget_jacobian__slope_of_the_sigmoid(f):
    """Multiplies by the slope of the sigmoid that made the gate.

    Idea: the gate is given
    """
    return np.diag(f * (1 - f))


def forget_jacobian__kept_for_the_next_call(f, answers={}):  # noqa: B006
    """Remembers the matrix by its size.

    Idea: a function keeps nothing between calls
    """
    return answers.setdefault(len(f), np.diag(f))


def forget_jacobian__refuses_the_ends(f):
    """Refuses gates that are exactly closed or open.

    Idea: the range is closed
    """
    if np.any((f <= 0) | (f >= 1)):
        raise ValueError("f is outside (0, 1)")
    return np.diag(f)


# --- forget_chain_jacobian -----------------------------------------------------------------------------------------


def forget_chain_jacobian__sum_of_the_gates(gates):
    """Adds the gates up along the chain.

    Idea: a chain multiplies
    """
    return np.diag(np.sum(gates, axis=0))


def forget_chain_jacobian__last_gate_only(gates):
    """Takes the Jacobian of the last step for that of the chain.

    Idea: every step is a factor
    """
    return np.diag(gates[-1]) if len(gates) else np.eye(gates.shape[1])


def forget_chain_jacobian__skips_the_first_step(gates):
    """Leaves out the step from c_0 to c_1.

    Idea: L steps are L factors
    """
    return np.diag(np.prod(gates[1:], axis=0))


def forget_chain_jacobian__skips_the_last_step(gates):
    """Leaves out the step to c_L.

    Idea: L steps are L factors
    """
    return np.diag(np.prod(gates[:-1], axis=0))


def forget_chain_jacobian__over_the_units(gates):
    """Multiplies along the wrong axis.

    Idea: time is the first axis
    """
    L, d = gates.shape
    return np.diag(np.resize(np.prod(gates, axis=1), d)) if L else np.eye(d)


def forget_chain_jacobian__power_of_the_mean(gates):
    """Raises the mean gate to the number of steps.

    Idea: a product is not a power of the mean
    """
    return np.diag(np.mean(gates, axis=0) ** len(gates)) if len(gates) else np.eye(gates.shape[1])


def forget_chain_jacobian__zero_for_no_steps(gates):
    """Returns zeros for a chain of no steps.

    Idea: the empty product is one
    """
    return forget_chain_jacobian(gates) if len(gates) else np.zeros((gates.shape[1], gates.shape[1]))


def forget_chain_jacobian__refuses_no_steps(gates):
    """Refuses a chain of no steps.

    Idea: the empty product is one
    """
    if len(gates) == 0:
        raise ValueError("gates is empty")
    return forget_chain_jacobian(gates)


def forget_chain_jacobian__vector_of_products(gates):
    """Returns one number per unit.

    Idea: a Jacobian has one row per output and one column per input
    """
    return np.prod(gates, axis=0)


def forget_chain_jacobian__multiplies_in_place(gates):
    """Collects the product in the first row of the caller's array.

    Idea: arguments belong to the caller
    """
    for gate in gates[1:]:
        gates[0] *= gate
    return np.diag(gates[0]) if len(gates) else np.eye(gates.shape[1])


def forget_chain_jacobian__goes_on_from_the_last_chain(gates, product={}):  # noqa: B006
    """Keeps the product where the next call finds it again.

    Idea: a function keeps nothing between calls
    """
    d = gates.shape[1]
    product[d] = product.get(d, np.ones(d)) * np.prod(gates, axis=0)
    return np.diag(product[d])


def forget_chain_jacobian__never_quite_closed(gates):
    """Keeps every gate a little open, so that nothing vanishes.

    Idea: a closed gate forgets everything
    """
    return np.diag(np.prod(np.maximum(gates, 0.01), axis=0))


# --- forget_chain_grad ---------------------------------------------------------------------------------------------


def _chain_grad(c0, fs, gs, d_c, old=True, local=True, carry=True, gate=True, own=False):
    """The reference with one slip: see the callers."""
    cells = [c0]
    for f, g in zip(fs, gs):
        cells.append(f * cells[-1] + g)
    d_fs, d_gs, carried = np.zeros_like(fs), np.zeros_like(gs), np.zeros_like(c0)
    for t in reversed(range(len(fs))):
        delta = (d_c[t] if local or t == len(fs) - 1 else 0.0) + (carried if carry else 0.0)
        d_gs[t] = d_c[t] if own else delta
        d_fs[t] = delta * (cells[t] if old else cells[t + 1])
        carried = delta * (fs[t] if gate else 1.0)
    return carried, d_fs, d_gs


def forget_chain_grad__new_cell_for_the_gate(c0, fs, gs, d_c):
    """Multiplies by the cell after the step in the gate's gradient.

    Idea: the gate acts on the cell before the step
    """
    return _chain_grad(c0, fs, gs, d_c, old=False)


def forget_chain_grad__last_judgement_only(c0, fs, gs, d_c):
    """Lets the loss judge the last cell only.

    Idea: every cell reaches the loss directly, too
    """
    return _chain_grad(c0, fs, gs, d_c, local=False)


def forget_chain_grad__nothing_from_later_steps(c0, fs, gs, d_c):
    """Drops what comes back from the next step.

    Idea: a cell reaches the loss in two ways
    """
    return _chain_grad(c0, fs, gs, d_c, carry=False)


def forget_chain_grad__gate_left_out_on_the_way_back(c0, fs, gs, d_c):
    """Carries the gradient back as if every gate were open.

    Idea: the way back passes the same gates
    """
    return _chain_grad(c0, fs, gs, d_c, gate=False)


def forget_chain_grad__written_values_judged_alone(c0, fs, gs, d_c):
    """Gives a written value only its own step's judgement.

    Idea: what is written stays in the cell
    """
    return _chain_grad(c0, fs, gs, d_c, own=True)


def forget_chain_grad__start_without_the_first_gate(c0, fs, gs, d_c):
    """Stops at the first cell and takes its gradient for the start cell's.

    Idea: between c_0 and c_1 stands a gate
    """
    _, d_fs, d_gs = forget_chain_grad(c0, fs, gs, d_c)
    return d_gs[0].copy(), d_fs, d_gs


def forget_chain_grad__zero_before_the_first_step(c0, fs, gs, d_c):
    """Takes zeros for the cell before the first step in the gate's gradient.

    Idea: the start cell is an input
    """
    d_c0, d_fs, d_gs = forget_chain_grad(c0, fs, gs, d_c)
    d_fs[0] = 0.0
    return d_c0, d_fs, d_gs


def forget_chain_grad__gate_of_the_wrong_step(c0, fs, gs, d_c):
    """Carries the gradient back through the gate of the step before.

    Idea: the gate of step t stands between c_{t-1} and c_t
    """
    shifted = np.vstack([fs[:1], fs[:-1]])
    _, d_fs, d_gs = forget_chain_grad(c0, fs, gs, d_c)
    carried = np.zeros_like(c0)
    for t in reversed(range(len(fs))):
        d_gs[t] = d_c[t] + carried
        carried = d_gs[t] * shifted[t]
    return carried, d_fs, d_gs


def forget_chain_grad__gradients_in_lag_order(c0, fs, gs, d_c):
    """Collects rows while going back and forgets to turn them round.

    Idea: results are in time order
    """
    d_c0, d_fs, d_gs = forget_chain_grad(c0, fs, gs, d_c)
    return d_c0, d_fs[::-1].copy(), d_gs[::-1].copy()


def forget_chain_grad__slope_of_the_sigmoid(c0, fs, gs, d_c):
    """Multiplies the gate's gradient by the slope of the sigmoid behind it.

    Idea: the gate is given
    """
    d_c0, d_fs, d_gs = forget_chain_grad(c0, fs, gs, d_c)
    return d_c0, d_fs * fs * (1 - fs), d_gs


def forget_chain_grad__sums_over_the_steps(c0, fs, gs, d_c):
    """Adds up the gates' gradients as for a shared weight.

    Idea: every step has a gate of its own
    """
    d_c0, d_fs, d_gs = forget_chain_grad(c0, fs, gs, d_c)
    return d_c0, d_fs.sum(axis=0), d_gs.sum(axis=0)


def forget_chain_grad__adds_into_the_judgements(c0, fs, gs, d_c):
    """Collects what comes back in the caller's d_c.

    Idea: arguments belong to the caller
    """
    result = forget_chain_grad(c0, fs, gs, d_c)
    d_c[:] = result[2]
    return result


def forget_chain_grad__carries_over_to_the_next_call(c0, fs, gs, d_c, carried={}):  # noqa: B006
    """Leaves what was carried back for the next call.

    Idea: a function keeps nothing between calls
    """
    shape = fs.shape
    d_c = d_c.copy()
    d_c[-1] += carried.get(shape, 0.0)
    result = forget_chain_grad(c0, fs, gs, d_c)
    carried[shape] = result[0]
    return result


def forget_chain_grad__column_for_the_start(c0, fs, gs, d_c):
    """Returns the start cell's gradient as a matrix of one row.

    Idea: a gradient has the shape of what it belongs to
    """
    d_c0, d_fs, d_gs = forget_chain_grad(c0, fs, gs, d_c)
    return d_c0[None, :], d_fs, d_gs


def forget_chain_grad__ten_steps_back(c0, fs, gs, d_c):
    """Lets a judgement reach ten steps back, as one often does in truncated backpropagation.

    Idea: the whole gradient was asked for
    """
    d_c0, d_fs, d_gs = (np.zeros_like(part) for part in (c0, fs, gs))
    for t in range(len(fs)):
        judged = np.zeros_like(d_c)
        judged[t] = d_c[t]
        part = forget_chain_grad(c0, fs, gs, judged)
        first = max(t - 9, 0)
        d_fs[first:], d_gs[first:] = d_fs[first:] + part[1][first:], d_gs[first:] + part[2][first:]
        d_c0 += part[0] if first == 0 else 0.0
    return d_c0, d_fs, d_gs


def forget_chain_grad__divides_the_product(c0, fs, gs, d_c):
    """Takes the product of the later gates as a quotient of two products, which a closed gate makes 0 / 0.

    Idea: a gate may be exactly zero
    """
    kept = np.cumprod(fs, axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        d_gs = np.array([sum(d_c[s] * kept[s] / kept[t] for s in range(t, len(fs))) for t in range(len(fs))])
    d_c0, _, _ = forget_chain_grad(c0, fs, gs, d_c)
    cells = [c0]
    for f, g in zip(fs, gs):
        cells.append(f * cells[-1] + g)
    return d_c0, d_gs * np.array(cells[:-1]), d_gs


def forget_chain_grad__cells_remembered_by_the_gates(c0, fs, gs, d_c, memory={}):  # noqa: B006
    """Saves the forward pass and recognises a chain by its gates.

    Idea: a function keeps nothing between calls
    """
    result = forget_chain_grad(c0, fs, gs, d_c)
    cells = [c0]
    for f, g in zip(fs, gs):
        cells.append(f * cells[-1] + g)
    cells = memory.setdefault(fs.tobytes(), np.array(cells[:-1]))
    return result[0], result[2] * cells, result[2]


# --- residual_chain_jacobian ---------------------------------------------------------------------------------------


def residual_chain_jacobian__without_the_identity(J_Fs):
    """Multiplies the Jacobians of F alone, as in a plain stack.

    Idea: the skip connection adds the identity
    """
    residual_chain_jacobian(J_Fs)
    product = np.eye(len(J_Fs[0]))
    for J in J_Fs:
        product = J @ product
    return product


def residual_chain_jacobian__first_layer_leftmost(J_Fs):
    """Multiplies in the order of the list.

    Idea: the last layer acts last, so it stands leftmost
    """
    return residual_chain_jacobian(J_Fs[::-1]) if J_Fs else residual_chain_jacobian(J_Fs)


def residual_chain_jacobian__identity_once(J_Fs):
    """Adds the identity to the product instead of to each factor.

    Idea: every layer has a skip connection
    """
    return np.eye(len(J_Fs[0])) + residual_chain_jacobian__without_the_identity(J_Fs) if J_Fs else residual_chain_jacobian(J_Fs)


def residual_chain_jacobian__sum_of_the_layers(J_Fs):
    """Keeps the identity and one layer at a time, and forgets paths through several layers.

    Idea: a product of sums has mixed terms
    """
    residual_chain_jacobian(J_Fs)
    return np.eye(len(J_Fs[0])) + np.sum(J_Fs, axis=0)


def residual_chain_jacobian__entry_by_entry(J_Fs):
    """Multiplies the factors entry by entry.

    Idea: Jacobians compose by the matrix product
    """
    residual_chain_jacobian(J_Fs)
    return np.prod([np.eye(len(J)) + J for J in J_Fs], axis=0)


def residual_chain_jacobian__ones_instead_of_the_identity(J_Fs):
    """Adds one to every entry.

    Idea: the identity has ones on the diagonal only
    """
    residual_chain_jacobian(J_Fs)
    product = np.eye(len(J_Fs[0]))
    for J in J_Fs:
        product = (J + 1.0) @ product
    return product


def residual_chain_jacobian__identity_for_no_layers(J_Fs):
    """Takes an empty stack for the identity of size one.

    Idea: an empty list has no size
    """
    return residual_chain_jacobian(J_Fs) if J_Fs else np.eye(1)


def residual_chain_jacobian__only_the_first_is_checked(J_Fs):
    """Looks at the shape of the first layer only.

    Idea: one bad entry is enough
    """
    if len(J_Fs) == 0 or J_Fs[0].shape[0] != J_Fs[0].shape[1]:
        raise ValueError("not square")
    product = np.eye(len(J_Fs[0]))
    for J in J_Fs:
        product = (np.eye(len(product)) + J) @ product
    return product


def residual_chain_jacobian__broadcasts_a_row(J_Fs):
    """Lets a matrix of one row be stretched against the identity.

    Idea: no silent broadcasting
    """
    if len(J_Fs) == 0:
        raise ValueError("empty")
    product = np.eye(max(J_Fs[0].shape))
    for J in J_Fs:
        product = (np.eye(len(product)) + J) @ product
    return product


def residual_chain_jacobian__adds_the_identity_in_place(J_Fs):
    """Adds the identity to the caller's matrices.

    Idea: arguments belong to the caller
    """
    result = residual_chain_jacobian(J_Fs)
    for J in J_Fs:
        J += np.eye(len(J))
    return result


def residual_chain_jacobian__goes_on_from_the_last_stack(J_Fs, products={}):  # noqa: B006
    """Starts from the product of the last call.

    Idea: a function keeps nothing between calls
    """
    result = residual_chain_jacobian(J_Fs)
    d = len(result)
    products[d] = result @ products.get(d, np.eye(d))
    return products[d]


def residual_chain_jacobian__one_layer_more_axis(J_Fs):
    """Returns the product inside a list of one.

    Idea: a Jacobian is one matrix
    """
    return residual_chain_jacobian(J_Fs)[None]


def residual_chain_jacobian__paths_through_two_layers(J_Fs):
    """Multiplies out and keeps the paths through at most two layers, since the others are small.

    Idea: every subset of layers is a path
    """
    exact = residual_chain_jacobian(J_Fs)
    total = np.eye(len(exact))
    for position, J in enumerate(J_Fs):
        total = total + J + sum((J @ earlier for earlier in J_Fs[:position]), np.zeros_like(total))
    return total
