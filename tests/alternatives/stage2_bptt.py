"""Stage 2, unrolling is a deep network, and the two pathologies: right answers in other styles, `<question>__<style>`.

The docstring's first word is the expected outcome. accept: every case passes. convert: the value cases pass, exactly the
cases of types and shapes fail. reject: no points.
"""

import functools
import itertools
import math
from collections import OrderedDict, UserDict, defaultdict, namedtuple
from dataclasses import dataclass

import numpy as np

from solutions.stage1_recurrence import elman_forward

# --- log_product_trajectory ----------------------------------------------------------------------------------------


def log_product_trajectory__loop_into_a_list(factors):
    """accept: plain Python, a list of floats, zeros by hand."""
    trajectory, total = [], 0.0
    for factor in factors:
        total += math.log(abs(factor)) if factor != 0 else -math.inf
        trajectory.append(total)
    return trajectory


def log_product_trajectory__halves(factors):
    """accept: recursion on the two halves of the factors, and prints."""
    factors = np.array(factors, dtype=float)
    print("factors:", factors.shape)
    if len(factors) == 1:
        return np.array([math.log(abs(factors[0]))]) if factors[0] else np.array([-np.inf])
    left = log_product_trajectory__halves(factors[:len(factors) // 2])
    right = log_product_trajectory__halves(factors[len(factors) // 2:])
    return np.concatenate([left, left[-1] + right])


def log_product_trajectory__binary_logarithms(factors):
    """accept: logarithms of another base, accumulated as a tuple and turned back."""
    with np.errstate(divide="ignore"):
        logs = np.log2(np.sqrt(np.square(factors, dtype=float)))
    return tuple(math.log(2.0) * total for total in itertools.accumulate(logs))


def log_product_trajectory__triangular_sum(factors):
    """accept: a lower triangle of ones instead of a running sum, zeros set afterwards."""
    zero_before = np.cumsum(factors == 0) > 0
    logs = np.log(np.where(factors == 0, 1.0, np.abs(factors)))
    return np.where(zero_before, -np.inf, np.tril(np.ones((len(logs), len(logs)))) @ logs)


def log_product_trajectory__single_precision(factors):
    """accept: float32 inside and outside."""
    return np.array(log_product_trajectory__triangular_sum(factors.astype(np.float32)), dtype=np.float32)


def log_product_trajectory__row_of_a_matrix(factors):
    """convert: a matrix with one row."""
    return log_product_trajectory__triangular_sum(factors)[np.newaxis]


def log_product_trajectory__array_of_objects(factors):
    """reject: numbers in an array of Python objects."""
    return np.array(log_product_trajectory__loop_into_a_list(factors), dtype=object)


# --- numerical_gradient --------------------------------------------------------------------------------------------


def numerical_gradient__in_place_with_restore(f, w, h=1e-6):
    """accept: nudges the caller's own array and stores the old value back, exactly."""
    x = w if w.dtype.kind == "f" else w.astype(float)
    gradient = np.zeros_like(x)
    it = np.nditer(x, flags=["multi_index"])
    for _ in it:
        index = it.multi_index
        old = x[index]
        x[index] = old + h
        above = f(x)
        x[index] = old - h
        below = f(x)
        x[index] = old
        gradient[index] = (above - below) / 2 / h
    return gradient


def numerical_gradient__unit_arrays(f, w, h=1e-6):
    """accept: a stack of unit arrays, one comprehension."""
    w = np.array(w, dtype=float)
    units = np.eye(w.size).reshape(w.size, *w.shape)
    return np.array([(f(w + h * e) - f(w - h * e)) / (2 * h) for e in units]).reshape(w.shape)


def numerical_gradient__two_steps_down(f, w, h=1e-6, verbose=False):
    """accept: goes up one step and down two, on a fresh copy; one more parameter at the end; 0-d gives a float."""
    gradient = np.zeros(w.shape)
    for index in np.ndindex(w.shape):
        nudged = w.astype(np.float64)
        nudged[index] += h
        above = f(nudged)
        nudged[index] -= 2 * h
        gradient[index] = (above - f(nudged)) / (h + h)
        if verbose:
            print(index, gradient[index])
    return gradient if gradient.ndim else float(gradient)


class _Differences:
    """accept: an object that is called, with nested lists as its answer."""

    def __call__(self, f, w, h=1e-6):
        """Differentiate entry by entry."""
        return np.vectorize(functools.partial(self.slope, f, w, h), otypes=[float])(self.numbers(w)).tolist()

    @staticmethod
    def numbers(w):
        return np.arange(w.size).reshape(w.shape)

    def slope(self, f, w, h, number):
        nudge = h * (self.numbers(w) == number)
        return (f(w + nudge) - f(w - nudge)) / (2 * h)


numerical_gradient__callable_object = _Differences()


def numerical_gradient__extra_axis(f, w, h=1e-6):
    """convert: an axis of length one in front."""
    return numerical_gradient__unit_arrays(f, w, h)[np.newaxis]


def numerical_gradient__dictionary_by_index(f, w, h=1e-6):
    """reject: slopes in a dictionary, by index."""
    gradient = numerical_gradient__unit_arrays(f, w, h)
    return {index: float(gradient[index]) for index in np.ndindex(gradient.shape)}


# --- gradient_error ------------------------------------------------------------------------------------------------


def gradient_error__sums_of_squares(analytic, numeric):
    """accept: norms written out, a numpy number as the answer."""
    a, n = np.asarray(analytic, dtype=float), np.asarray(numeric, dtype=float)
    if a.shape != n.shape:
        raise ValueError
    size = np.sqrt((a * a).sum()) + np.sqrt((n * n).sum())
    return np.float64(0.0) if size == 0 else np.sqrt(((a - n) ** 2).sum()) / size


class ShapeError(ValueError):
    """The two gradients have different shapes."""


def gradient_error__flat_lists(analytic, numeric):
    """accept: Python lists and hypotenuses, an error class of its own."""
    if analytic.shape != numeric.shape:
        raise ShapeError(f"{analytic.shape} is not {numeric.shape}")
    a, n = analytic.ravel().tolist(), numeric.ravel().tolist()
    size = math.hypot(*a) + math.hypot(*n)
    return math.dist(a, n) / size if size else 0.0


def gradient_error__array_without_axes(analytic, numeric):
    """accept: a 0-d array, division where there is something to divide by."""
    if np.shape(analytic) != np.shape(numeric):
        raise ValueError("shapes")
    a, n = np.copy(analytic), np.copy(numeric)
    size = np.asarray(np.linalg.norm(a) + np.linalg.norm(n))
    return np.divide(np.linalg.norm(np.subtract(a, n)), size, out=np.zeros(()), where=size > 0)


def gradient_error__list_of_one(analytic, numeric):
    """convert: the number in a list of its own."""
    return [gradient_error__sums_of_squares(analytic, numeric)]


def gradient_error__with_a_verdict(analytic, numeric):
    """reject: the error and a verdict."""
    error = gradient_error__sums_of_squares(analytic, numeric)
    return error, "good" if error < 1e-6 else "bad"


# --- rescale_spectral_radius ---------------------------------------------------------------------------------------


def rescale_spectral_radius__eig_of_the_transpose(W, rho):
    """accept: full eigendecomposition of the transpose, Python's max, a tolerance for the zero radius."""
    W = np.array(W, dtype=float)
    if W.shape[0] != W.shape[1]:
        raise ValueError("W")
    eigenvalues, _ = np.linalg.eig(W.T)
    radius = max(map(abs, eigenvalues))
    if radius < 1e-12:
        raise ValueError("W")
    return rho * W / radius


def rescale_spectral_radius__numpy_refuses(W, rho):
    """accept: leaves shapes to numpy, whose LinAlgError is a ValueError."""
    radius = np.sort(np.abs(np.linalg.eigvals(W)))[-1]
    if np.isclose(radius, 0):
        raise ValueError("no radius")
    return W / radius * rho


def rescale_spectral_radius__powers(W, rho):
    """accept: no eigenvalues at all, the growth of high powers by repeated squaring."""
    if W.shape != W.shape[::-1]:
        raise ValueError("W must be square")
    power, log_size = np.array(W, dtype=float), 0.0
    for doubling in range(48):
        size = np.linalg.norm(power)
        if size == 0:
            raise ValueError("W has spectral radius 0")
        log_size += math.log(size) / 2**doubling
        power = (power / size) @ (power / size)
    return (W * (rho / math.exp(log_size))).tolist()


def rescale_spectral_radius__complex_without_imaginary_part(W, rho):
    """accept: complex numbers whose imaginary parts are zero."""
    return rescale_spectral_radius__numpy_refuses(W, rho).astype(complex)


def rescale_spectral_radius__single_precision(W, rho):
    """accept: float32 inside and outside."""
    return rescale_spectral_radius__eig_of_the_transpose(W, rho).astype(np.float32)


def rescale_spectral_radius__matrix(W, rho):
    """reject: np.matrix."""
    return np.asmatrix(rescale_spectral_radius__eig_of_the_transpose(W, rho))


# --- step_jacobian -------------------------------------------------------------------------------------------------


def step_jacobian__diagonal_matrix(a, W_aa):
    """accept: the chain rule as a product of matrices."""
    return np.diag(1 - a**2) @ W_aa


def step_jacobian__einsum(a, W_aa):
    """accept: einsum on single precision."""
    a, W_aa = a.astype(np.float32), W_aa.astype(np.float32)
    return np.einsum("i,ij->ij", (1 + a) * (1 - a), W_aa)


def step_jacobian__rows_of_numbers(a, W_aa):
    """accept: a tuple of lists, by two loops."""
    return tuple([(1.0 - float(a_i) ** 2) * float(w) for w in row] for a_i, row in zip(a, W_aa, strict=True))


def step_jacobian__slope_of_the_pre_activation(a, W_aa):
    """accept: goes back to the pre-activation for the slope, and sends unit vectors back through the step."""
    slopes = 1 / np.cosh(np.arctanh(a)) ** 2
    return np.stack([W_aa.T @ (slopes * unit) for unit in np.eye(len(a))])


def step_jacobian__batch_of_one(a, W_aa):
    """convert: a batch axis of length one."""
    return (1 - a.reshape(1, -1, 1) ** 2) * W_aa[None]


def step_jacobian__matrix(a, W_aa):
    """reject: np.matrix."""
    return np.matrix(np.diag(1 - a**2)) * np.matrix(W_aa)


def step_jacobian__nothing_returned(a, W_aa):
    """reject: prints the answer and returns None."""
    print(np.diag(1 - a**2) @ W_aa)


# --- jacobian_norms ------------------------------------------------------------------------------------------------


def jacobian_norms__transposed_factors(states, W_aa):
    """accept: as gradients flow, transposed factors from the left."""
    product, norms = np.eye(len(W_aa)), []
    for a in states[:0:-1]:
        product = (W_aa.T * (1 - a * a)) @ product
        norms.append(np.linalg.norm(product))
    return np.array(norms)


def jacobian_norms__every_product_anew(states, W_aa):
    """accept: each product from scratch, a list of Python floats."""
    J = [np.diag(1 - a**2) @ W_aa for a in states]
    T = len(states)
    return [float(np.sqrt(np.trace(P.T @ P)))
            for P in (functools.reduce(np.matmul, J[T - 1:T - 1 - lag:-1]) for lag in range(1, T))]


def jacobian_norms__single_precision(states, W_aa):
    """accept: float32 inside and outside."""
    states, W_aa = states.astype(np.float32), W_aa.astype(np.float32)
    product, norms = np.eye(len(W_aa), dtype=np.float32), np.empty(len(states) - 1, dtype=np.float32)
    for lag in range(1, len(states)):
        product = product @ ((1 - states[-lag] ** 2)[:, None] * W_aa)
        norms[lag - 1] = np.sqrt((product * product).sum())
    return norms


def jacobian_norms__recursion(states, W_aa, after=None):
    """accept: recursion, with the product so far as one more parameter."""
    if len(states) == 1:
        return np.empty(0)
    product = (np.eye(len(W_aa)) if after is None else after) * (1 - states[-1] ** 2) @ W_aa
    return np.append(np.linalg.norm(product), jacobian_norms__recursion(states[:-1], W_aa, product))


def jacobian_norms__column(states, W_aa):
    """convert: a column."""
    return np.array(jacobian_norms__transposed_factors(states, W_aa)).reshape(-1, 1)


def jacobian_norms__masked_array(states, W_aa):
    """reject: a masked array."""
    return np.ma.masked_array(jacobian_norms__transposed_factors(states, W_aa))


# --- bptt_grad -----------------------------------------------------------------------------------------------------

Gradients = namedtuple("Gradients", "loss grads")


@dataclass
class Result:
    """A loss and its gradients."""

    loss: float
    grads: dict


def bptt_grad__outer_products(xs, targets, a0, params):
    """accept: one loop with outer products, its own forward pass, a list of two, a key too many."""
    p, states, loss = params, [a0], 0
    for x in xs:
        states.append(np.tanh(p["W_aa"] @ states[-1] + p["W_ax"] @ x + p["b_a"]))
    grads = {name: np.zeros_like(array) for name, array in p.items()}
    carried = np.zeros_like(a0)
    for t in range(len(xs) - 1, -1, -1):
        a = states[t + 1]
        e = p["W_ya"] @ a + p["b_y"] - targets[t]
        loss += 0.5 * e @ e
        grads["W_ya"] += np.outer(e, a)
        grads["b_y"] += e
        dz = (p["W_ya"].T @ e + carried) * (1 - a * a)
        grads["W_aa"] += np.outer(dz, states[t])
        grads["W_ax"] += np.outer(dz, xs[t])
        grads["b_a"] += dz
        carried = dz @ p["W_aa"]
    grads["a0"] = carried
    return [loss, grads]


def bptt_grad__every_loss_by_itself(xs, targets, a0, params):
    """accept: walks all the way back for each loss, quadratic in time; a named tuple."""
    states, outputs = elman_forward(xs, a0, params)
    before = np.concatenate([a0[None], states[:-1]])
    errors = outputs - targets
    grads = defaultdict(float, W_ya=np.einsum("ti,tj->ij", errors, states), b_y=np.einsum("ti->i", errors))
    for end in range(len(xs)):
        blame = errors[end] @ params["W_ya"]
        for t in range(end, -1, -1):
            blame = blame * (1 - states[t] ** 2)
            grads["W_aa"] = grads["W_aa"] + np.multiply.outer(blame, before[t])
            grads["W_ax"] = grads["W_ax"] + np.multiply.outer(blame, xs[t])
            grads["b_a"] = grads["b_a"] + blame
            blame = blame @ params["W_aa"]
    return Gradients(np.square(errors).sum() / 2, grads)


def bptt_grad__columns_inside(xs, targets, a0, params):
    """accept: column vectors throughout, flattened at the end; defensive copies; a dataclass."""
    xs, targets, a0 = np.array(xs), np.array(targets), np.array(a0)
    p = {name: np.array(array).reshape(len(array), -1) for name, array in params.items()}
    a, tape = a0[:, None], []
    for x, target in zip(xs[:, :, None], targets[:, :, None], strict=True):
        previous, a = a, np.tanh(p["W_aa"] @ a + p["W_ax"] @ x + p["b_a"])
        tape.append((x, previous, a, p["W_ya"] @ a + p["b_y"] - target))
    grads, carried = {name: 0 * array for name, array in p.items()}, np.zeros((len(a0), 1))
    for x, previous, a, e in reversed(tape):
        dz = (1 - a**2) * (p["W_ya"].T @ e + carried)
        carried = p["W_aa"].T @ dz
        for name, part in (("W_aa", dz @ previous.T), ("W_ax", dz @ x.T), ("b_a", dz), ("W_ya", e @ a.T), ("b_y", e)):
            grads[name] += part
    assert all(grads[name].size == params[name].size for name in params), "shapes of the gradients"
    loss = sum((e.T @ e).item() for *_, e in tape) / 2
    return Result(loss, OrderedDict((name, grads[name].reshape(params[name].shape)) for name in params))


def bptt_grad__forward_sensitivities(xs, targets, a0, params):
    """accept: no backward pass, the derivatives of the state are carried forward (real-time recurrent learning)."""
    d, d_x = params["W_ax"].shape
    unit = np.eye(d)
    S = {"W_aa": np.zeros((d, d, d)), "W_ax": np.zeros((d, d, d_x)), "b_a": np.zeros((d, d))}
    grads, a, loss = {name: np.zeros(array.shape) for name, array in params.items()}, a0, 0.0
    for x, target in zip(xs, targets, strict=True):
        direct = {"W_aa": np.einsum("ij,k->ijk", unit, a), "W_ax": np.einsum("ij,k->ijk", unit, x), "b_a": unit}
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ x + params["b_a"])
        e = params["W_ya"] @ a + params["b_y"] - target
        for name in S:
            inner = np.tensordot(params["W_aa"], S[name], axes=1) + direct[name]
            S[name] = np.moveaxis(np.moveaxis(inner, 0, -1) * (1 - a**2), -1, 0)
            grads[name] += np.tensordot(params["W_ya"].T @ e, S[name], axes=1)
        grads["W_ya"] += np.outer(e, a)
        grads["b_y"] += e
        loss += 0.5 * float(e @ e)
    return loss, UserDict(grads)


def bptt_grad__one_stacked_matrix(xs, targets, a0, params):
    """accept: one matrix for state, input and bias, recursion over time, lists of rows as gradients."""
    d, d_x = params["W_ax"].shape
    W = np.hstack([params["W_aa"], params["W_ax"], params["b_a"][:, None]])
    V = np.hstack([params["W_ya"], params["b_y"][:, None]])
    d_W, d_V = np.zeros_like(W), np.zeros_like(V)

    def visit(t, a):
        """Run step t and all later ones; return their loss and its derivative for the state a."""
        nonlocal d_W, d_V
        if t == len(xs):
            return 0.0, np.zeros(d)
        joined = np.concatenate([a, xs[t], [1.0]])
        a = np.tanh(W @ joined)
        e = V @ np.append(a, 1.0) - targets[t]
        later, carried = visit(t + 1, a)
        dz = (1 - a**2) * (V[:, :d].T @ e + carried)
        d_W = d_W + np.outer(dz, joined)
        d_V = d_V + np.outer(e, np.append(a, 1.0))
        return later + 0.5 * np.dot(e, e), dz @ W[:, :d]

    loss, _ = visit(0, a0)
    return loss, {"W_aa": d_W[:, :d].tolist(), "W_ax": d_W[:, d:d + d_x].tolist(), "b_a": d_W[:, -1].tolist(),
                  "W_ya": d_V[:, :d].tolist(), "b_y": d_V[:, -1].tolist()}


def _single(value):
    """Round an array, or a dictionary of arrays, to float32."""
    return {name: _single(array) for name, array in value.items()} if isinstance(value, dict) else value.astype(np.float32)


def bptt_grad__single_precision(xs, targets, a0, params):
    """accept: float32 inside and outside."""
    return bptt_grad__outer_products(_single(xs), _single(targets), _single(a0), _single(params))


def bptt_grad__biases_as_columns(xs, targets, a0, params):
    """convert: bias gradients as columns."""
    loss, grads = bptt_grad__outer_products(xs, targets, a0, params)
    return loss, {**grads, "b_a": grads["b_a"][:, None], "b_y": grads["b_y"][:, None]}


def bptt_grad__loss_with_axes(xs, targets, a0, params):
    """convert: the loss as a matrix with one entry."""
    loss, grads = bptt_grad__outer_products(xs, targets, a0, params)
    return np.array([[loss]]), grads


def bptt_grad__flat_tuple(xs, targets, a0, params):
    """reject: the loss and five arrays in a row, without names."""
    loss, grads = bptt_grad__outer_products(xs, targets, a0, params)
    return (loss, *(grads[name] for name in params))


def bptt_grad__names_of_its_own(xs, targets, a0, params):
    """reject: gradients under other names."""
    loss, grads = bptt_grad__outer_products(xs, targets, a0, params)
    return loss, {"d" + name: grads[name] for name in params}


def bptt_grad__arrays_of_objects(xs, targets, a0, params):
    """reject: gradients in arrays of Python objects."""
    loss, grads = bptt_grad__outer_products(xs, targets, a0, params)
    return loss, {name: grads[name].astype(object) for name in params}


# --- truncated_bptt_grad -------------------------------------------------------------------------------------------


def truncated_bptt_grad__full_gradient_of_each_window(xs, targets, a0, params, k):
    """accept: the full backward pass on each loss's own window, started from the stored state."""
    if k <= 0:
        raise ValueError
    states, outputs = elman_forward(xs, a0, params)
    starts = np.concatenate([[a0], states])
    loss, grads = 0.0, {name: np.zeros(array.shape) for name, array in params.items()}
    for end in range(1, len(xs) + 1):
        start = max(end - k, 0)
        own = outputs[start:end].copy()
        own[-1] = targets[end - 1]
        part, more = bptt_grad__outer_products(xs[start:end], own, starts[start], params)
        loss += part
        for name in grads:
            grads[name] += more[name]
    return loss, grads


def truncated_bptt_grad__by_distance(xs, targets, a0, params, k):
    """accept: all losses at once, one sweep per distance; a list of two."""
    if int(k) < 1:
        raise ValueError("k must be positive")
    states, outputs = elman_forward(xs, a0, params)
    errors, slopes = outputs - targets, 1 - np.square(states)
    d_pre, moved = np.zeros_like(states), (errors @ params["W_ya"]) * slopes
    for _ in range(min(k, len(xs))):
        d_pre += moved
        moved = np.vstack([moved[1:] @ params["W_aa"] * slopes[:-1], np.zeros((1, len(a0)))])
    before = np.vstack([a0, states[:-1]])
    grads = {"W_aa": d_pre.T @ before, "W_ax": d_pre.T @ xs, "b_a": d_pre.sum(0),
             "W_ya": errors.T @ states, "b_y": errors.sum(0)}
    return [0.5 * np.linalg.norm(errors) ** 2, grads]


def truncated_bptt_grad__products_of_jacobians(xs, targets, a0, params, k):
    """accept: explicit Jacobians for every pair of steps, recomputed and recursive, in extended precision."""
    if not k >= 1:
        raise ValueError("k")
    p = {name: array.astype(np.longdouble) for name, array in params.items()}
    states = np.vstack([a0, elman_forward(xs, a0, params)[0]]).astype(np.longdouble)

    def between(later, earlier):
        if later == earlier:
            return np.eye(len(a0), dtype=np.longdouble)
        return between(later, earlier + 1) @ ((1 - states[earlier + 1] ** 2)[:, None] * p["W_aa"])

    errors = states[1:] @ p["W_ya"].T + p["b_y"] - targets
    grads = {name: 0 * array for name, array in p.items()}
    for t, e in enumerate(errors, start=1):
        grads["W_ya"] += np.outer(e, states[t])
        grads["b_y"] += e
        for s in (s for s in range(1, t + 1) if t - s < k):
            row = e @ p["W_ya"] @ between(t, s) * (1 - states[s] ** 2)
            grads["W_aa"] += np.outer(row, states[s - 1])
            grads["W_ax"] += np.outer(row, xs[s - 1])
            grads["b_a"] += row
    return float((errors**2).sum() / 2), {name: grads[name].astype(float) for name in params}


def truncated_bptt_grad__single_precision(xs, targets, a0, params, k):
    """accept: float32 inside and outside."""
    return truncated_bptt_grad__by_distance(_single(xs), _single(targets), _single(a0), _single(params), k)


def _scaled_gradients(scale, xs, targets, a0, params, k):
    loss, grads = truncated_bptt_grad__by_distance(xs, targets, a0, params, k)
    return loss, {name: scale * grads[name] for name in params}


truncated_bptt_grad__partial = functools.partial(_scaled_gradients, 1.0)
truncated_bptt_grad__partial.__doc__ = "accept: a function with its first argument filled in."


def truncated_bptt_grad__biases_as_rows(xs, targets, a0, params, k):
    """convert: bias gradients as rows."""
    loss, grads = truncated_bptt_grad__by_distance(xs, targets, a0, params, k)
    return loss, {**grads, "b_a": grads["b_a"][None], "b_y": grads["b_y"][None]}


def truncated_bptt_grad__pairs_for_a_dictionary(xs, targets, a0, params, k):
    """reject: a list of names and arrays instead of a dictionary."""
    loss, grads = truncated_bptt_grad__by_distance(xs, targets, a0, params, k)
    return loss, list(grads.items())


def truncated_bptt_grad__gradients_only(xs, targets, a0, params, k):
    """reject: the loss is missing."""
    return truncated_bptt_grad__by_distance(xs, targets, a0, params, k)[1]


# --- input_gradient_norms ------------------------------------------------------------------------------------------


def input_gradient_norms__row_vector_to_the_left(xs, target, a0, params):
    """accept: a row vector that moves back in time, norms inserted at the front of a list."""
    states, outputs = elman_forward(xs, a0, params)
    v, norms = (outputs[-1] - target) @ params["W_ya"], []
    for a in states[::-1]:
        v = v * (1 - a**2)
        norms.insert(0, np.sqrt(np.sum((v @ params["W_ax"]) ** 2)))
        v = v @ params["W_aa"]
    return norms


def input_gradient_norms__tangents_forward(xs, target, a0, params):
    """accept: no backward pass, every input entry's effect is carried forward to the last step."""
    (T, d_x), d = xs.shape, len(a0)
    a, D = a0, np.zeros((d, T, d_x))
    for t in range(T):
        a = np.tanh(params["W_aa"] @ a + params["W_ax"] @ xs[t] + params["b_a"])
        D = np.einsum("ij,jts->its", params["W_aa"], D)
        D[:, t] += params["W_ax"]
        D = (1 - a**2)[:, None, None] * D
    e = params["W_ya"] @ a + params["b_y"] - target
    return np.sqrt(np.square(np.einsum("y,yi,its->ts", e, params["W_ya"], D)).sum(axis=-1))


def input_gradient_norms__closures(xs, target, a0, params):
    """accept: each step leaves a function that sends a gradient back; single precision on the way."""
    backward, a = [], a0

    def step(a, x):
        new = np.tanh(params["W_aa"] @ a + params["W_ax"] @ x + params["b_a"])
        slope = (1 - new**2).astype(np.float32)
        return new, lambda g: (params["W_ax"].T @ (slope * g), (params["W_aa"].T @ (slope * g)).astype(np.float32))

    for x in xs:
        a, back = step(a, x)
        backward.append(back)
    g, norms = params["W_ya"].T @ (params["W_ya"] @ a + params["b_y"] - target), {}
    while backward:
        d_x, g = backward.pop()(g)
        norms[len(backward)] = math.hypot(*d_x)
    return tuple(norms[t] for t in sorted(norms))


def input_gradient_norms__column(xs, target, a0, params):
    """convert: a column, kept by keepdims."""
    return np.array(input_gradient_norms__tangents_forward(xs, target, a0, params))[:, np.newaxis]


def input_gradient_norms__array_of_objects(xs, target, a0, params):
    """reject: numbers in an array of Python objects."""
    return np.array(input_gradient_norms__row_vector_to_the_left(xs, target, a0, params), dtype=object)


def input_gradient_norms__text(xs, target, a0, params):
    """reject: numbers written out as text."""
    return [f"{norm:.17g}" for norm in input_gradient_norms__row_vector_to_the_left(xs, target, a0, params)]
