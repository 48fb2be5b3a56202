"""Wrong answers as students write them, stage 3, written without looking at the misconceptions.

The docstring's first line says what is expected of the diagnosis. `explained: <id>` is that misconception in other
code; `unexplained: <slip>` is an error that comes from none of the listed thoughts.
"""

import functools
import math

import numpy as np

# --- global_norm ---------------------------------------------------------------------------------------------------


def global_norm__norm_by_norm(grads):
    """explained: global_norm__sum_of_the_norms"""
    result = 0.0
    for key in grads:
        result += np.linalg.norm(np.ravel(grads[key]))
    return result


def global_norm__no_root(grads):
    """explained: global_norm__without_square_root"""
    total = 0.0
    for array in grads.values():
        flat = np.asarray(array, dtype=float).reshape(-1)
        total += float(flat @ flat)
    return total


def global_norm__per_entry(grads):
    """explained: global_norm__root_mean_square"""
    squares = [float(x) ** 2 for array in grads.values() for x in array.ravel()]
    if not squares:
        return 0.0
    return math.sqrt(sum(squares) / len(squares))


def global_norm__sum_before_square(grads):
    """explained: global_norm__entries_summed_first"""
    total = 0.0
    for array in grads.values():
        inner = 0.0
        for x in array.ravel():
            inner += float(x)
        total += inner * inner
    return total**0.5


def global_norm__cube_root(grads):
    """unexplained: takes the third root"""
    total = 0.0
    for array in grads.values():
        total += float(np.sum(np.square(array)))
    return total ** (1 / 3)


def global_norm__return_in_the_loop(grads):
    """unexplained: return is indented into the loop, so only the first array counts"""
    total = 0.0
    for array in grads.values():
        total += float(np.sum(np.square(array)))
        return math.sqrt(total)
    return 0.0


def global_norm__one_too_many(grads):
    """unexplained: the loop runs one array too far, IndexError"""
    arrays = list(grads.values())
    total = 0.0
    for i in range(len(arrays) + 1):
        total += float(np.sum(arrays[i] ** 2))
    return math.sqrt(total)


def global_norm__starts_at_one(grads):
    """unexplained: the sum starts at 1 instead of 0"""
    total = 1.0
    for array in grads.values():
        total += float(np.sum(np.square(array)))
    return math.sqrt(total)


# --- clip ----------------------------------------------------------------------------------------------------------


def clip__one_after_the_other(grads, tau=5.0):
    """explained: clip__each_array_alone"""
    if not tau > 0:
        raise ValueError("tau")
    for array in grads.values():
        if not np.isfinite(array).all():
            raise ValueError("grads")
    out = {}
    for key, array in grads.items():
        length = np.linalg.norm(array.ravel())
        out[key] = array * (tau / length) if length > tau else array.copy()
    return out


def clip__min_and_max(grads, tau=5.0):
    """explained: clip__entry_by_entry"""
    if tau <= 0:
        raise ValueError("tau")
    out = {}
    for key, array in grads.items():
        if np.isnan(array).any() or np.isinf(array).any():
            raise ValueError("grads")
        out[key] = np.minimum(np.maximum(array, -tau), tau)
    return out


def clip__unit_vector(grads, tau=5.0):
    """explained: clip__to_length_one"""
    if tau <= 0:
        raise ValueError("tau")
    n = 0.0
    for array in grads.values():
        n += float((array * array).sum())
    n = math.sqrt(n)
    if math.isnan(n) or math.isinf(n):
        raise ValueError("grads")
    if n <= tau:
        return {key: array.copy() for key, array in grads.items()}
    return {key: array / n for key, array in grads.items()}


def clip__times_equals(grads, tau=5.0):
    """explained: clip__in_place"""
    if tau <= 0:
        raise ValueError("tau")
    total = 0.0
    for array in grads.values():
        total += np.sum(np.square(array))
    if not np.isfinite(total):
        raise ValueError("grads")
    length = np.sqrt(total)
    out = {}
    for key in grads:
        array = grads[key]
        if length > tau:
            array *= tau / length
        out[key] = array
    return out


def clip__flat_pieces(grads, tau=5.0):
    """explained: clip__flat_arrays"""
    if tau <= 0:
        raise ValueError("tau")
    out = {}
    total = 0.0
    for key, array in grads.items():
        out[key] = array.flatten().astype(float)
        total += out[key] @ out[key]
    length = np.sqrt(total)
    if not np.isfinite(length):
        raise ValueError("grads")
    for key in out:
        out[key] = out[key] * min(1.0, tau / length if length else 1.0)
    return out


def clip__wrong_way_round(grads, tau=5.0):
    """explained: clip__loop_variable_only"""
    if tau <= 0:
        raise ValueError("tau")
    length = math.sqrt(sum(float(np.sum(array**2)) for array in grads.values()))
    if not math.isfinite(length):
        raise ValueError("grads")
    if 0 < length < tau:
        return {key: array * (tau / length) for key, array in grads.items()}
    return {key: array.copy() for key, array in grads.items()}


def clip__numbered_keys(grads, tau=5.0):
    """unexplained: takes the dict for a list, KeyError"""
    if tau <= 0:
        raise ValueError("tau")
    length = math.sqrt(sum(float(np.sum(array**2)) for array in grads.values()))
    if not math.isfinite(length):
        raise ValueError("grads")
    factor = min(1.0, tau / length) if length > 0 else 1.0
    out = {}
    for i in range(len(grads)):
        out[i] = grads[i] * factor
    return out


def clip__minus(grads, tau=5.0):
    """unexplained: returns the negative gradient, sign slip"""
    if tau <= 0:
        raise ValueError("tau")
    length = math.sqrt(sum(float(np.sum(array**2)) for array in grads.values()))
    if not math.isfinite(length):
        raise ValueError("grads")
    factor = -1.0 if length <= tau else -tau / length
    return {key: factor * array for key, array in grads.items()}


def clip__dict_in_the_loop(grads, tau=5.0):
    """unexplained: creates the result inside the loop, so only the last array is left"""
    if tau <= 0:
        raise ValueError("tau")
    length = math.sqrt(sum(float(np.sum(array**2)) for array in grads.values()))
    if not math.isfinite(length):
        raise ValueError("grads")
    out = {}
    for key in grads:
        out = {}
        out[key] = grads[key] * (1.0 if length <= tau else tau / length)
    return out


def clip__type_error(grads, tau=5.0):
    """unexplained: raises TypeError where ValueError was asked for"""
    if tau <= 0:
        raise TypeError("tau")
    length = math.sqrt(sum(float(np.sum(array**2)) for array in grads.values()))
    if not math.isfinite(length):
        raise TypeError("grads")
    factor = 1.0 if length <= tau else tau / length
    return {key: array * factor for key, array in grads.items()}


def clip__tau_in_the_denominator(grads, tau=5.0):
    """unexplained: adds tau instead of a tiny number in the denominator"""
    if tau <= 0:
        raise ValueError("tau")
    length = math.sqrt(sum(float(np.sum(array**2)) for array in grads.values()))
    if not math.isfinite(length):
        raise ValueError("grads")
    factor = min(1.0, tau / (length + tau))
    return {key: array * factor for key, array in grads.items()}


# --- diagnose_gradient ---------------------------------------------------------------------------------------------


def diagnose_gradient__turned_round(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """explained: diagnose_gradient__lag_order"""
    norms = [float(x) for x in norms_over_time][::-1]
    for x in norms:
        if math.isnan(x) or math.isinf(x):
            return "not_finite"
    if norms[-1] == 0.0:
        raise ValueError("norms_over_time")
    quotient = norms[0] / norms[-1]
    if quotient >= explode_at:
        return "exploding"
    if quotient <= vanish_at:
        return "vanishing"
    return "healthy"


def diagnose_gradient__strictly(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """explained: diagnose_gradient__limits_excluded"""
    if np.isfinite(norms_over_time).sum() < len(norms_over_time):
        return "not_finite"
    first, last = norms_over_time[0], norms_over_time[-1]
    if last == 0:
        raise ValueError("norms_over_time")
    r = first / last
    answer = "healthy"
    if r < vanish_at:
        answer = "vanishing"
    if r > explode_at:
        answer = "exploding"
    return answer


def diagnose_gradient__both_ends(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """explained: diagnose_gradient__only_the_ends_finite"""
    start, end = float(norms_over_time[0]), float(norms_over_time[-1])
    if not (math.isfinite(start) and math.isfinite(end)):
        return "not_finite"
    if end == 0.0:
        raise ValueError("norms_over_time")
    r = start / end
    if r >= explode_at:
        return "exploding"
    if r <= vanish_at:
        return "vanishing"
    return "healthy"


def diagnose_gradient__infinite_is_big(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """explained: diagnose_gradient__infinity_explodes"""
    values = [float(x) for x in norms_over_time]
    if any(x != x for x in values):
        return "not_finite"
    if any(math.isinf(x) for x in values):
        return "exploding"
    if values[-1] == 0.0:
        raise ValueError("norms_over_time")
    r = values[0] / values[-1]
    if r >= explode_at:
        return "exploding"
    return "healthy" if r > vanish_at else "vanishing"


def diagnose_gradient__guards_first(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """explained: diagnose_gradient__zero_checked_first"""
    last = norms_over_time[-1]
    if last == 0:
        raise ValueError("norms_over_time")
    for x in norms_over_time:
        if not np.isfinite(x):
            return "not_finite"
    r = norms_over_time[0] / last
    if r >= explode_at:
        return "exploding"
    if r <= vanish_at:
        return "vanishing"
    return "healthy"


def diagnose_gradient__no_ing(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """unexplained: typo in a returned word, explode for exploding"""
    if not np.isfinite(norms_over_time).all():
        return "not_finite"
    if norms_over_time[-1] == 0:
        raise ValueError("norms_over_time")
    r = norms_over_time[0] / norms_over_time[-1]
    if r >= explode_at:
        return "explode"
    if r <= vanish_at:
        return "vanishing"
    return "healthy"


def diagnose_gradient__second_entry(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """unexplained: index 1 for index 0, IndexError with one step"""
    if not np.isfinite(norms_over_time).all():
        return "not_finite"
    if norms_over_time[-1] == 0:
        raise ValueError("norms_over_time")
    r = norms_over_time[1] / norms_over_time[-1]
    if r >= explode_at:
        return "exploding"
    if r <= vanish_at:
        return "vanishing"
    return "healthy"


def diagnose_gradient__limits_swapped(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """unexplained: the two limits are swapped"""
    if not np.isfinite(norms_over_time).all():
        return "not_finite"
    if norms_over_time[-1] == 0:
        raise ValueError("norms_over_time")
    r = norms_over_time[0] / norms_over_time[-1]
    if r >= vanish_at:
        return "exploding"
    if r <= explode_at:
        return "vanishing"
    return "healthy"


def diagnose_gradient__decades(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """unexplained: holds the logarithm of the ratio against limits that are not logarithms"""
    if not np.isfinite(norms_over_time).all():
        return "not_finite"
    if norms_over_time[-1] == 0:
        raise ValueError("norms_over_time")
    with np.errstate(all="ignore"):
        r = np.log10(norms_over_time[0] / norms_over_time[-1])
    if r >= explode_at:
        return "exploding"
    if r <= vanish_at:
        return "vanishing"
    return "healthy"


def diagnose_gradient__forgot_all(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """unexplained: forgets np.all, so the truth value of an array is ambiguous"""
    if not np.isfinite(norms_over_time):
        return "not_finite"
    if norms_over_time[-1] == 0:
        raise ValueError("norms_over_time")
    r = norms_over_time[0] / norms_over_time[-1]
    if r >= explode_at:
        return "exploding"
    if r <= vanish_at:
        return "vanishing"
    return "healthy"


# --- remedy --------------------------------------------------------------------------------------------------------


def remedy__clip_for_two(diagnosis):
    """explained: remedy__clips_everything"""
    if diagnosis in ("exploding", "not_finite"):
        return "clip"
    if diagnosis == "vanishing":
        return "change_architecture"
    if diagnosis == "healthy":
        return "none"
    raise ValueError("diagnosis")


def remedy__clip_is_the_cure(diagnosis):
    """explained: remedy__clips_against_vanishing"""
    if diagnosis == "healthy":
        return "none"
    elif diagnosis == "not_finite":
        return "restore_and_clip"
    elif diagnosis == "exploding" or diagnosis == "vanishing":
        return "clip"
    else:
        raise ValueError("diagnosis")


def remedy__dict_get(diagnosis):
    """explained: remedy__none_for_unknown"""
    table = {"not_finite": "restore_and_clip", "exploding": "clip", "vanishing": "change_architecture"}
    return table.get(diagnosis, "none")


def remedy__falls_off_the_end(diagnosis):
    """explained: remedy__nothing_for_healthy"""
    names = ["not_finite", "exploding", "vanishing", "healthy"]
    if diagnosis not in names:
        raise ValueError("diagnosis")
    answers = ["restore_and_clip", "clip", "change_architecture", None]
    return answers[names.index(diagnosis)]


def remedy__typo(diagnosis):
    """unexplained: typo in an answer, a plural"""
    if diagnosis == "not_finite":
        return "restore_and_clip"
    if diagnosis == "exploding":
        return "clip"
    if diagnosis == "vanishing":
        return "change_architectures"
    if diagnosis == "healthy":
        return "none"
    raise ValueError("diagnosis")


def remedy__key_error(diagnosis):
    """unexplained: an unknown text gives KeyError instead of ValueError"""
    table = {
        "healthy": "none",
        "vanishing": "change_architecture",
        "exploding": "clip",
        "not_finite": "restore_and_clip",
    }
    return table[diagnosis]


def remedy__comma(diagnosis):
    """unexplained: a trailing comma makes a tuple of every answer"""
    table = {
        "healthy": ("none",),
        "vanishing": ("change_architecture",),
        "exploding": ("clip",),
        "not_finite": ("restore_and_clip",),
    }
    if diagnosis not in table:
        raise ValueError("diagnosis")
    return table[diagnosis]


def remedy__misspelt_question(diagnosis):
    """unexplained: typo in a diagnosis, so that a valid one is refused"""
    if diagnosis == "not_finit":
        return "restore_and_clip"
    if diagnosis == "exploding":
        return "clip"
    if diagnosis == "vanishing":
        return "change_architecture"
    if diagnosis == "healthy":
        return "none"
    raise ValueError("diagnosis")


# --- forget_step ---------------------------------------------------------------------------------------------------


def forget_step__logistic(c_prev, f, g):
    """explained: forget_step__squashes_again"""
    new = np.zeros(len(f))
    for i in range(len(f)):
        if f[i] < 0 or f[i] > 1:
            raise ValueError("f")
        new[i] = c_prev[i] / (1.0 + math.exp(-f[i])) + g[i]
    return new


def forget_step__gated_input(c_prev, f, g):
    """explained: forget_step__gate_on_what_is_written"""
    if f.min() < 0 or f.max() > 1:
        raise ValueError("f")
    return np.array([c + gate * new for c, gate, new in zip(c_prev, f, g, strict=True)])


def forget_step__blend(c_prev, f, g):
    """explained: forget_step__complement_on_what_is_written"""
    if f.min() < 0 or f.max() > 1:
        raise ValueError("f")
    return g + f * (c_prev - g)


def forget_step__where(c_prev, f, g):
    """explained: forget_step__cuts_the_gate"""
    gate = np.where(f > 1, 1.0, np.where(f < 0, 0.0, f))
    return gate * c_prev + g


def forget_step__minus_g(c_prev, f, g):
    """unexplained: minus for plus before g"""
    if f.min() < 0 or f.max() > 1:
        raise ValueError("f")
    return f * c_prev - g


def forget_step__wrong_summand(c_prev, f, g):
    """unexplained: adds c_prev where g belongs"""
    if f.min() < 0 or f.max() > 1:
        raise ValueError("f")
    return f * c_prev + c_prev


def forget_step__refuses_the_good(c_prev, f, g):
    """unexplained: the condition is the wrong way round, so proper gates are refused"""
    if np.all((f >= 0) & (f <= 1)):
        raise ValueError("f")
    return f * c_prev + g


def forget_step__from_one(c_prev, f, g):
    """unexplained: the loop starts at 1, the first unit stays 0"""
    c = np.zeros(len(f))
    if f.min() < 0 or f.max() > 1:
        raise ValueError("f")
    for i in range(1, len(f)):
        c[i] = f[i] * c_prev[i] + g[i]
    return c


# --- forget_jacobian -----------------------------------------------------------------------------------------------


def forget_jacobian__just_f(f):
    """explained: forget_jacobian__vector_of_gates"""
    return np.array(list(f))


def forget_jacobian__stacked(f):
    """explained: forget_jacobian__every_column"""
    d = len(f)
    J = np.zeros((d, d))
    for j in range(d):
        J[:, j] = f
    return J


def forget_jacobian__beside_the_diagonal(f):
    """unexplained: diagonal number 1, a matrix of one row and column too many"""
    return np.diag(f, 1)


def forget_jacobian__off_by_one(f):
    """unexplained: writes one column too far right, IndexError"""
    d = len(f)
    J = np.zeros((d, d))
    for i in range(d):
        J[i, i + 1] = f[i]
    return J


def forget_jacobian__negative(f):
    """unexplained: sign slip"""
    return np.eye(len(f)) * -f


def forget_jacobian__last_missing(f):
    """unexplained: the loop ends one too early, the last unit's entry stays 0"""
    J = np.zeros((len(f), len(f)))
    for i in range(len(f) - 1):
        J[i, i] = f[i]
    return J


# --- forget_chain_jacobian -----------------------------------------------------------------------------------------


def forget_chain_jacobian__from_the_second(gates):
    """explained: forget_chain_jacobian__skips_the_first_step"""
    J = np.eye(gates.shape[1])
    for t in range(1, len(gates)):
        J = np.diag(gates[t]) @ J
    return J


def forget_chain_jacobian__stops_early(gates):
    """explained: forget_chain_jacobian__skips_the_last_step"""
    J = np.identity(gates.shape[1])
    t = 0
    while t < len(gates) - 1:
        J = J * gates[t]
        t += 1
    return J


def forget_chain_jacobian__empty_is_nothing(gates):
    """explained: forget_chain_jacobian__zero_for_no_steps"""
    steps, d = gates.shape
    J = np.zeros((d, d))
    for i in range(d):
        if steps > 0:
            J[i, i] = functools.reduce(lambda a, b: a * b, gates[:, i])
    return J


def forget_chain_jacobian__needs_a_step(gates):
    """explained: forget_chain_jacobian__refuses_no_steps"""
    if len(gates) < 1:
        raise ValueError("gates")
    J = np.diag(gates[0])
    for row in gates[1:]:
        J = np.diag(row) @ J
    return J


def forget_chain_jacobian__squares(gates):
    """unexplained: multiplies by every gate twice"""
    running = np.ones(gates.shape[1])
    for row in gates:
        running = running * row
        running *= row
    return np.diag(running)


def forget_chain_jacobian__other_diagonal(gates):
    """unexplained: fills the other diagonal"""
    d = gates.shape[1]
    J = np.zeros((d, d))
    for i in range(d):
        J[i, d - 1 - i] = np.prod(gates[:, i])
    return J


def forget_chain_jacobian__too_far(gates):
    """unexplained: the loop runs one step too far, IndexError"""
    running = np.ones(gates.shape[1])
    for t in range(len(gates) + 1):
        running = running * gates[t]
    return np.diag(running)


def forget_chain_jacobian__two(gates):
    """unexplained: starts from 2 instead of 1"""
    running = np.full(gates.shape[1], 2.0)
    for row in gates:
        running = running * row
    return np.diag(running)


# --- forget_chain_grad ---------------------------------------------------------------------------------------------


def forget_chain_grad__final_only(c0, fs, gs, d_c):
    """explained: forget_chain_grad__last_judgement_only"""
    steps = len(fs)
    before = [np.array(c0, dtype=float)]
    for t in range(steps - 1):
        before.append(before[t] * fs[t] + gs[t])
    delta = np.array(d_c[steps - 1], dtype=float)
    d_fs, d_gs = np.empty(fs.shape), np.empty(fs.shape)
    for t in range(steps)[::-1]:
        d_gs[t] = delta
        d_fs[t] = delta * before[t]
        delta = delta * fs[t]
    return delta, d_fs, d_gs


def forget_chain_grad__own_judgement(c0, fs, gs, d_c):
    """explained: forget_chain_grad__written_values_judged_alone"""
    cells = np.zeros((len(fs) + 1, len(c0)))
    cells[0] = c0
    for t in range(len(fs)):
        cells[t + 1] = fs[t] * cells[t] + gs[t]
    delta = np.zeros(len(c0))
    d_fs = np.zeros(fs.shape)
    d_gs = np.zeros(fs.shape)
    for t in reversed(range(len(fs))):
        delta = delta + d_c[t]
        d_gs[t] = d_c[t]
        d_fs[t] = delta * cells[t]
        delta = delta * fs[t]
    return delta, d_fs, d_gs


def forget_chain_grad__ends_at_one(c0, fs, gs, d_c):
    """explained: forget_chain_grad__start_without_the_first_gate"""
    cells = [c0]
    for t in range(len(fs)):
        cells.append(cells[t] * fs[t] + gs[t])
    t = len(fs) - 1
    delta = d_c[t] * 1.0
    rows_f, rows_g = [delta * cells[t]], [delta]
    while t > 0:
        delta = d_c[t - 1] + fs[t] * delta
        t -= 1
        rows_f.insert(0, delta * cells[t])
        rows_g.insert(0, delta)
    return delta, np.array(rows_f), np.array(rows_g)


def forget_chain_grad__never_reversed(c0, fs, gs, d_c):
    """explained: forget_chain_grad__gradients_in_lag_order"""
    before, c = [], c0
    for f, g in zip(fs, gs, strict=True):
        before.append(c)
        c = f * c + g
    delta = np.zeros_like(c0, dtype=float)
    rows_f, rows_g = [], []
    for f, prev, judged in zip(fs[::-1], before[::-1], d_c[::-1], strict=True):
        delta = delta + judged
        rows_f.append(delta * prev)
        rows_g.append(delta)
        delta = delta * f
    return delta, np.stack(rows_f), np.stack(rows_g)


def forget_chain_grad__sigma_prime(c0, fs, gs, d_c):
    """explained: forget_chain_grad__slope_of_the_sigmoid"""
    steps, d = fs.shape
    cells = np.zeros((steps, d))
    cells[0] = c0
    for t in range(1, steps):
        cells[t] = fs[t - 1] * cells[t - 1] + gs[t - 1]
    d_fs, d_gs = np.zeros((steps, d)), np.zeros((steps, d))
    back = np.zeros(d)
    for t in range(steps - 1, -1, -1):
        d_gs[t] = d_c[t] + back
        for i in range(d):
            d_fs[t, i] = d_gs[t, i] * cells[t, i] * (fs[t, i] - fs[t, i] ** 2)
        back = d_gs[t] * fs[t]
    return back, d_fs, d_gs


def forget_chain_grad__forward_minus(c0, fs, gs, d_c):
    """unexplained: minus for plus in the forward pass"""
    cells = [c0]
    for t in range(len(fs)):
        cells.append(fs[t] * cells[t] - gs[t])
    back = np.zeros(len(c0))
    d_fs, d_gs = np.zeros(fs.shape), np.zeros(fs.shape)
    for t in range(len(fs) - 1, -1, -1):
        d_gs[t] = d_c[t] + back
        d_fs[t] = d_gs[t] * cells[t]
        back = d_gs[t] * fs[t]
    return back, d_fs, d_gs


def forget_chain_grad__order_of_results(c0, fs, gs, d_c):
    """unexplained: returns d_gs and d_fs in the wrong order"""
    cells = [c0]
    for t in range(len(fs)):
        cells.append(fs[t] * cells[t] + gs[t])
    back = np.zeros(len(c0))
    d_fs, d_gs = np.zeros(fs.shape), np.zeros(fs.shape)
    for t in range(len(fs) - 1, -1, -1):
        d_gs[t] = d_c[t] + back
        d_fs[t] = d_gs[t] * cells[t]
        back = d_gs[t] * fs[t]
    return back, d_gs, d_fs


def forget_chain_grad__next_gate_missing(c0, fs, gs, d_c):
    """unexplained: asks for the gate after the last one, IndexError"""
    cells = [c0]
    for t in range(len(fs)):
        cells.append(fs[t] * cells[t] + gs[t])
    delta = np.zeros(len(c0))
    d_fs, d_gs = np.zeros(fs.shape), np.zeros(fs.shape)
    for t in range(len(fs) - 1, -1, -1):
        delta = d_c[t] + fs[t + 1] * delta
        d_gs[t] = delta
        d_fs[t] = delta * cells[t]
    return fs[0] * delta, d_fs, d_gs


def forget_chain_grad__always_c0(c0, fs, gs, d_c):
    """unexplained: c0 for c in the forward pass, so every step begins at the start cell"""
    cells = [c0]
    for t in range(len(fs)):
        cells.append(fs[t] * c0 + gs[t])
    back = np.zeros(len(c0))
    d_fs, d_gs = np.zeros(fs.shape), np.zeros(fs.shape)
    for t in range(len(fs) - 1, -1, -1):
        d_gs[t] = d_c[t] + back
        d_fs[t] = d_gs[t] * cells[t]
        back = d_gs[t] * fs[t]
    return back, d_fs, d_gs


def forget_chain_grad__backward_minus(c0, fs, gs, d_c):
    """unexplained: subtracts what comes back, sign slip"""
    cells = [c0]
    for t in range(len(fs)):
        cells.append(fs[t] * cells[t] + gs[t])
    back = np.zeros(len(c0))
    d_fs, d_gs = np.zeros(fs.shape), np.zeros(fs.shape)
    for t in range(len(fs) - 1, -1, -1):
        d_gs[t] = d_c[t] - back
        d_fs[t] = d_gs[t] * cells[t]
        back = d_gs[t] * fs[t]
    return back, d_fs, d_gs


def forget_chain_grad__times_c0(c0, fs, gs, d_c):
    """unexplained: multiplies the start cell's gradient by the start cell"""
    cells = [c0]
    for t in range(len(fs)):
        cells.append(fs[t] * cells[t] + gs[t])
    back = np.zeros(len(c0))
    d_fs, d_gs = np.zeros(fs.shape), np.zeros(fs.shape)
    for t in range(len(fs) - 1, -1, -1):
        d_gs[t] = d_c[t] + back
        d_fs[t] = d_gs[t] * cells[t]
        back = d_gs[t] * fs[t]
    return back * c0, d_fs, d_gs


# --- residual_chain_jacobian ---------------------------------------------------------------------------------------


def residual_chain_jacobian__plain(J_Fs):
    """explained: residual_chain_jacobian__without_the_identity"""
    for J in J_Fs:
        rows, columns = J.shape
        if rows != columns:
            raise ValueError("J_Fs")
    if not J_Fs:
        raise ValueError("J_Fs")
    return functools.reduce(lambda done, J: J @ done, J_Fs)


def residual_chain_jacobian__list_order(J_Fs):
    """explained: residual_chain_jacobian__first_layer_leftmost"""
    if not J_Fs:
        raise ValueError("J_Fs")
    for J in J_Fs:
        if J.shape != (len(J), len(J)):
            raise ValueError("J_Fs")
    total = np.identity(len(J_Fs[0]))
    for J in J_Fs:
        total = total + total @ J
    return total


def residual_chain_jacobian__shortcut_round_all(J_Fs):
    """explained: residual_chain_jacobian__identity_once"""
    if len(J_Fs) < 1:
        raise ValueError("J_Fs")
    for J in J_Fs:
        if J.shape[0] != J.shape[1]:
            raise ValueError("J_Fs")
    inner = J_Fs[-1]
    for J in J_Fs[-2::-1]:
        inner = np.dot(inner, J)
    for_all = inner.astype(float)
    for i in range(len(for_all)):
        for_all[i, i] += 1.0
    return for_all


def residual_chain_jacobian__first_order(J_Fs):
    """explained: residual_chain_jacobian__sum_of_the_layers"""
    if len(J_Fs) < 1:
        raise ValueError("J_Fs")
    for J in J_Fs:
        if J.shape[0] != J.shape[1]:
            raise ValueError("J_Fs")
    total = np.eye(J_Fs[0].shape[0])
    for J in J_Fs:
        total = total + J
    return total


def residual_chain_jacobian__identity_minus(J_Fs):
    """unexplained: minus for plus in every factor"""
    if len(J_Fs) < 1 or not all(J.shape[0] == J.shape[1] for J in J_Fs):
        raise ValueError("J_Fs")
    total = np.eye(len(J_Fs[0]))
    for J in J_Fs:
        total = total - J @ total
    return total


def residual_chain_jacobian__from_zeros(J_Fs):
    """unexplained: starts the product at zero"""
    if len(J_Fs) < 1 or not all(J.shape[0] == J.shape[1] for J in J_Fs):
        raise ValueError("J_Fs")
    total = np.zeros(J_Fs[0].shape)
    for J in J_Fs:
        total = (np.eye(len(J)) + J) @ total
    return total


def residual_chain_jacobian__twice(J_Fs):
    """unexplained: twice the identity in every factor, wrong constant"""
    if len(J_Fs) < 1 or not all(J.shape[0] == J.shape[1] for J in J_Fs):
        raise ValueError("J_Fs")
    total = np.eye(len(J_Fs[0]))
    for J in J_Fs:
        total = (2 * np.eye(len(J)) + J) @ total
    return total


def residual_chain_jacobian__overwrites(J_Fs):
    """unexplained: overwrites the product, so the last factor alone is left"""
    if len(J_Fs) < 1 or not all(J.shape[0] == J.shape[1] for J in J_Fs):
        raise ValueError("J_Fs")
    total = np.eye(len(J_Fs[0]))
    for J in J_Fs:
        total = np.eye(len(total)) + J
    return total
