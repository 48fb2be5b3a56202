"""Stage 3, the first-order repair and the circuit: right answers in other styles, `<question>__<style>`.

The docstring's first word is the expected outcome. accept: every case passes. convert: the value cases pass, exactly the
cases of types and shapes fail. reject: no points.
"""

import functools
import math
from collections import OrderedDict, namedtuple
from dataclasses import dataclass

import numpy as np

# --- global_norm ---------------------------------------------------------------------------------------------------


def global_norm__one_long_vector(grads):
    """accept: joins everything first."""
    return float(np.linalg.norm(np.concatenate([np.ravel(g) for g in grads.values()]))) if grads else 0


def global_norm__plain_loops(grads):
    """accept: plain Python numbers, prints."""
    total = 0.0
    for name in sorted(grads):
        print(name)
        for entry in np.asarray(grads[name]).flat:
            total += float(entry) ** 2
    return math.sqrt(total)


def global_norm__norm_of_norms(grads):
    """accept: hypot of the arrays' norms."""
    return functools.reduce(math.hypot, (float(np.linalg.norm(g)) for g in grads.values()), 0.0)


def global_norm__row(grads):
    """convert: an array of one entry."""
    return np.array([global_norm__plain_loops(grads)])


def global_norm__text(grads):
    """reject: a text."""
    return str(global_norm__plain_loops(grads))


# --- clip ----------------------------------------------------------------------------------------------------------


def _norm(grads):
    return np.sqrt(sum(np.vdot(g, g) for g in grads.values()))


def clip__guarded_denominator(grads, tau=5.0):
    """accept: the usual small number in the denominator."""
    if not tau > 0:
        raise ValueError("tau")
    norm = _norm(grads)
    if not np.isfinite(norm):
        raise ValueError("grads")
    return {name: g * min(1.0, tau / (norm + 1e-6)) for name, g in grads.items()}


def clip__early_return_of_copies(grads, tau=5.0):
    """accept: two branches, an ordered dict."""
    if tau <= 0 or any(not np.all(np.isfinite(g)) for g in grads.values()):
        raise ValueError("tau or grads")
    norm = _norm(grads)
    if norm <= tau:
        return OrderedDict((name, g.copy()) for name, g in grads.items())
    return OrderedDict((name, np.multiply(g, tau) / norm) for name, g in grads.items())


def clip__shared_when_short(grads, tau=5.0, *, verbose=False):
    """accept: the same arrays in a new dict when nothing changes; one more parameter."""
    if tau <= 0:
        raise ValueError("tau")
    norm = _norm(grads)
    if np.isnan(norm) or np.isinf(norm):
        raise ValueError("grads")
    scale = tau / norm if norm > tau else 1.0
    return dict(grads) if scale == 1.0 else {name: scale * g for name, g in grads.items()}


def clip__nested_lists(grads, tau=5.0):
    """accept: lists of rows."""
    return {name: g.tolist() for name, g in clip__guarded_denominator(grads, tau).items()}


def clip__one_more_axis(grads, tau=5.0):
    """convert: every array with one more axis."""
    return {name: g[None] for name, g in clip__guarded_denominator(grads, tau).items()}


def clip__list_of_arrays(grads, tau=5.0):
    """reject: no names."""
    return list(clip__guarded_denominator(grads, tau).values())


# --- diagnose_gradient ---------------------------------------------------------------------------------------------


def diagnose_gradient__table_of_rules(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """accept: rules in a list."""
    norms = [float(norm) for norm in norms_over_time]
    if not all(map(math.isfinite, norms)):
        return "not_finite"
    if norms[-1] == 0.0:
        raise ValueError("norms_over_time")
    ratio = norms[0] / norms[-1]
    rules = [("exploding", ratio >= explode_at), ("vanishing", ratio <= vanish_at), ("healthy", True)]
    return next(name for name, holds in rules if holds)


def diagnose_gradient__numpy_string(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """accept: np.select, turned into a text."""
    if np.any(np.isnan(norms_over_time) | np.isinf(norms_over_time)):
        return "not_finite"
    if not norms_over_time[-1]:
        raise ValueError("norms_over_time")
    ratio = np.divide(norms_over_time[0], norms_over_time[-1])
    return str(np.select([ratio >= explode_at, ratio <= vanish_at], ["exploding", "vanishing"], "healthy"))


def diagnose_gradient__number_code(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """reject: a code instead of the word."""
    words = ["healthy", "exploding", "vanishing", "not_finite"]
    return words.index(diagnose_gradient__table_of_rules(norms_over_time, explode_at, vanish_at))


# --- remedy --------------------------------------------------------------------------------------------------------


def remedy__chain_of_ifs(diagnosis):
    """accept: one question after the other."""
    if diagnosis == "not_finite":
        return "restore_and_clip"
    if diagnosis == "exploding":
        return "clip"
    if diagnosis == "vanishing":
        return "change_architecture"
    if diagnosis == "healthy":
        return "none"
    raise ValueError("diagnosis")


def remedy__lookup_that_fails(diagnosis):
    """accept: a failed lookup becomes the promised error."""
    pairs = [("not_finite", "restore_and_clip"), ("exploding", "clip"), ("vanishing", "change_architecture"), ("healthy", "none")]
    try:
        return dict(pairs)[diagnosis]
    except KeyError as error:
        raise ValueError("diagnosis") from error


# --- forget_step ---------------------------------------------------------------------------------------------------


class _Circuit:
    def __call__(self, c_prev, f, g):
        """One unit after the other."""
        if not all(0 <= gate <= 1 for gate in f):
            raise ValueError("f")
        return [gate * old + new for old, gate, new in zip(c_prev, f, g)]


def forget_step__unit_by_unit(c_prev, f, g):
    """accept: a callable object, a list of numbers."""
    return _Circuit()(c_prev, f, g)


def forget_step__matrix_form(c_prev, f, g):
    """accept: the gate as a diagonal matrix."""
    if f.min() < 0 or f.max() > 1:
        raise ValueError("f")
    return np.diag(f) @ c_prev + g


def forget_step__single_precision(c_prev, f, g):
    """accept: float32 inside and outside."""
    if np.count_nonzero((f < 0) | (f > 1)):
        raise ValueError("f")
    c_prev, f, g = (np.asarray(value, np.float32) for value in (c_prev, f, g))
    return np.add(np.multiply(f, c_prev), g)


def forget_step__column(c_prev, f, g):
    """convert: a column."""
    return forget_step__matrix_form(c_prev, f, g).reshape(-1, 1)


def forget_step__matrix_type(c_prev, f, g):
    """reject: numpy's matrix type."""
    return np.asmatrix(forget_step__matrix_form(c_prev, f, g))


# --- forget_jacobian -----------------------------------------------------------------------------------------------


def forget_jacobian__identity_scaled(f):
    """accept: scales the rows of the identity."""
    return f[:, np.newaxis] * np.eye(len(f))


def forget_jacobian__rows_as_tuples(f):
    """accept: nested tuples."""
    return tuple(tuple(float(f[i]) if i == j else 0.0 for j in range(len(f))) for i in range(len(f)))


# --- forget_chain_jacobian -----------------------------------------------------------------------------------------


def forget_chain_jacobian__matrix_products(gates):
    """accept: one diagonal matrix after the other."""
    return functools.reduce(lambda product, f: np.diag(f) @ product, gates, np.eye(gates.shape[1]))


def forget_chain_jacobian__einsum(gates):
    """accept: scales the identity by running products."""
    kept = np.ones(gates.shape[1])
    for f in gates:
        kept = kept * f
    return np.einsum("i,ij->ij", kept, np.eye(len(kept)))


def forget_chain_jacobian__recursion(gates):
    """accept: the first step, then the rest."""
    return np.eye(gates.shape[1]) if len(gates) == 0 else forget_chain_jacobian__recursion(gates[1:]) * gates[0]


def forget_chain_jacobian__one_more_axis(gates):
    """convert: a list of one matrix."""
    return [forget_chain_jacobian__matrix_products(gates)]


# --- forget_chain_grad ---------------------------------------------------------------------------------------------


Gradients = namedtuple("Gradients", "d_c0 d_fs d_gs")


@dataclass
class ChainGradients:
    d_c0: np.ndarray
    d_fs: np.ndarray
    d_gs: np.ndarray


def forget_chain_grad__named_tuple(c0, fs, gs, d_c):
    """accept: forward pass into one array, results in a named tuple."""
    cells = np.empty((len(fs) + 1, len(c0)))
    cells[0] = c0
    for t, (f, g) in enumerate(zip(fs, gs), 1):
        cells[t] = f * cells[t - 1] + g
    deltas = np.array(d_c, dtype=float)
    for t in range(len(fs) - 2, -1, -1):
        deltas[t] += fs[t + 1] * deltas[t + 1]
    return Gradients(fs[0] * deltas[0], deltas * cells[:-1], deltas)


def forget_chain_grad__dataclass(c0, fs, gs, d_c):
    """accept: results in a dataclass."""
    return ChainGradients(*forget_chain_grad__named_tuple(c0, fs, gs, d_c))


def forget_chain_grad__recursion(c0, fs, gs, d_c):
    """accept: one step, then the rest of the chain; lists of rows."""
    if len(fs) == 0:
        return np.zeros_like(c0), [], []
    later, d_fs, d_gs = forget_chain_grad__recursion(fs[0] * c0 + gs[0], fs[1:], gs[1:], d_c[1:])
    delta = d_c[0] + later
    return delta * fs[0], [delta * c0, *d_fs], [delta, *d_gs]


def forget_chain_grad__double_sum(c0, fs, gs, d_c):
    """accept: every judgement by itself, without a carried gradient."""
    L = len(fs)
    cells = [c0]
    for f, g in zip(fs, gs):
        cells.append(f * cells[-1] + g)
    d_gs = np.array([sum(d_c[s] * np.prod(fs[t + 1:s + 1], axis=0) for s in range(t, L)) for t in range(L)])
    return fs[0] * d_gs[0], d_gs * np.array(cells[:-1]), d_gs


def forget_chain_grad__dict(c0, fs, gs, d_c):
    """reject: a dict instead of three results."""
    return dict(zip(("d_c0", "d_fs", "d_gs"), forget_chain_grad__named_tuple(c0, fs, gs, d_c)))


def forget_chain_grad__start_as_a_row(c0, fs, gs, d_c):
    """convert: the start cell's gradient as a matrix of one row."""
    d_c0, d_fs, d_gs = forget_chain_grad__named_tuple(c0, fs, gs, d_c)
    return d_c0[None], d_fs, d_gs


# --- residual_chain_jacobian ---------------------------------------------------------------------------------------


def residual_chain_jacobian__multi_dot(J_Fs):
    """accept: a chain of products in one call."""
    if not J_Fs or not all(J.ndim == 2 and J.shape[0] == J.shape[1] for J in J_Fs):
        raise ValueError("J_Fs")
    factors = [np.eye(len(J)) + J for J in reversed(J_Fs)]
    return np.linalg.multi_dot(factors) if len(factors) > 1 else factors[0]


def residual_chain_jacobian__sum_over_paths(J_Fs):
    """accept: every subset of layers is a path."""
    if len(J_Fs) < 1:
        raise ValueError("J_Fs is empty")
    for J in J_Fs:
        rows, columns = J.shape
        if rows != columns:
            raise ValueError("J_Fs holds a matrix that is not square")
    paths = [np.eye(len(J_Fs[0]))]
    for J in J_Fs:
        paths += [J @ path for path in paths]
    return sum(paths)


def residual_chain_jacobian__one_more_axis(J_Fs):
    """convert: a list of one matrix."""
    return [residual_chain_jacobian__multi_dot(J_Fs)]


def residual_chain_jacobian__objects(J_Fs):
    """reject: an array of Python objects."""
    return residual_chain_jacobian__multi_dot(J_Fs).astype(object)
