"""Wrong answers as students write them, stage 2, written without looking at the misconceptions.

The docstring's first line says what is expected of the diagnosis. `explained: <id>` is that misconception in other
code; `unexplained: <slip>` is an error that comes from none of the listed thoughts.
"""

import itertools
import math

import numpy as np

from solutions.stage1_recurrence import elman_forward

# --- log_product_trajectory ----------------------------------------------------------------------------------------


def log_product_trajectory__multiply_then_log(factors):
    """explained: log_product_trajectory__logarithm_of_the_product"""
    product = np.float64(1.0)
    result = []
    with np.errstate(all="ignore"):
        for factor in factors:
            product = product * factor
            result.append(np.log(abs(product)))
    return np.array(result)


def log_product_trajectory__signed(factors):
    """explained: log_product_trajectory__without_absolute_value"""
    out = np.zeros(len(factors))
    running = 0.0
    with np.errstate(all="ignore"):
        for i in range(len(factors)):
            running += np.log(factors[i])
            out[i] = running
    return out


def log_product_trajectory__begins_with_one(factors):
    """explained: log_product_trajectory__starts_with_the_empty_product"""
    sums = [0.0]
    for f in factors[:-1]:
        sums.append(sums[-1] + (math.log(abs(f)) if f else -math.inf))
    return np.array(sums)


def log_product_trajectory__skips_the_zero(factors):
    """explained: log_product_trajectory__zero_only_at_its_own_step"""
    total, curve = 0.0, []
    for f in factors:
        if f == 0:
            curve.append(float("-inf"))
        else:
            total += math.log(abs(f))
            curve.append(total)
    return np.array(curve)


def log_product_trajectory__abs_out(factors):
    """explained: log_product_trajectory__removes_the_signs_in_place"""
    for i, f in enumerate(factors):
        if f < 0:
            factors[i] = -f
    with np.errstate(divide="ignore"):
        return np.add.accumulate(np.log(factors))


def log_product_trajectory__each_factor_alone(factors):
    """unexplained: forgets the running sum"""
    with np.errstate(divide="ignore"):
        return np.log(np.abs(factors))


def log_product_trajectory__base_ten(factors):
    """unexplained: logarithm of base ten"""
    with np.errstate(divide="ignore"):
        return np.cumsum(np.log10(np.abs(factors)))


def log_product_trajectory__single_number(factors):
    """unexplained: returns the last value only"""
    with np.errstate(divide="ignore"):
        return np.sum(np.log(np.abs(factors)))


def log_product_trajectory__running_mean(factors):
    """unexplained: divides the sum by the number of factors so far"""
    with np.errstate(divide="ignore"):
        return np.cumsum(np.log(np.abs(factors))) / np.arange(1, len(factors) + 1)


# --- numerical_gradient --------------------------------------------------------------------------------------------


def numerical_gradient__forward_quotient(f, w, h=1e-6):
    """explained: numerical_gradient__one_sided"""
    point = np.asarray(w).astype(float)
    base = f(point.copy())
    slopes = []
    for k in range(point.size):
        moved = point.flatten()
        moved[k] += h
        slopes.append((f(moved.reshape(point.shape)) - base) / h)
    return np.array(slopes, dtype=float).reshape(point.shape)


def numerical_gradient__own_step(f, w, h=1e-6):
    """explained: numerical_gradient__ignores_the_given_step"""
    eps = 0.000001
    w = np.array(w, dtype=np.float64)
    grad = np.empty_like(w)
    for idx in itertools.product(*[range(n) for n in w.shape]):
        plus, minus = w.copy(), w.copy()
        plus[idx] = plus[idx] + eps
        minus[idx] = minus[idx] - eps
        grad[idx] = (f(plus) - f(minus)) / (eps + eps)
    return grad


def numerical_gradient__same_dtype(f, w, h=1e-6):
    """explained: numerical_gradient__keeps_whole_numbers"""
    w = np.asarray(w)
    grad = np.zeros(w.shape)
    it = np.nditer(grad, flags=["multi_index"])
    while not it.finished:
        i = it.multi_index
        up, down = w.copy(), w.copy()
        up[i] = up[i] + h
        down[i] = down[i] - h
        grad[i] = (f(up) - f(down)) / (2.0 * h)
        it.iternext()
    return grad


def numerical_gradient__never_restored(f, w, h=1e-6):
    """explained: numerical_gradient__nudges_add_up"""
    x = np.array(w, dtype=float)
    g = np.zeros(x.shape)
    for i in np.ndindex(*x.shape):
        x[i] += h
        hi = f(x)
        x[i] -= 2 * h
        lo = f(x)
        g[i] = 0.5 * (hi - lo) / h
    return g


def numerical_gradient__half_missing(f, w, h=1e-6):
    """unexplained: divides by h instead of 2 h"""
    x = np.array(w, dtype=float)
    g = np.zeros(x.shape)
    for i in np.ndindex(*x.shape):
        d = np.zeros(x.shape)
        d[i] = h
        g[i] = (f(x + d) - f(x - d)) / h
    return g


def numerical_gradient__plus_between(f, w, h=1e-6):
    """unexplained: a sign slip, adds the two values"""
    x = np.array(w, dtype=float)
    g = np.zeros(x.shape)
    for i in np.ndindex(*x.shape):
        d = np.zeros(x.shape)
        d[i] = h
        g[i] = (f(x + d) + f(x - d)) / (2 * h)
    return g


def numerical_gradient__below_minus_above(f, w, h=1e-6):
    """unexplained: a sign slip, subtracts in the wrong order"""
    x = np.array(w, dtype=float)
    g = np.zeros(x.shape)
    for i in np.ndindex(*x.shape):
        d = np.zeros(x.shape)
        d[i] = h
        g[i] = (f(x - d) - f(x + d)) / (2 * h)
    return g


def numerical_gradient__whole_array_moves(f, w, h=1e-6):
    """unexplained: nudges all entries at once, one slope for all"""
    x = np.array(w, dtype=float)
    slope = (f(x + h) - f(x - h)) / (2 * h)
    return np.full(x.shape, slope)


# --- gradient_error ------------------------------------------------------------------------------------------------


def gradient_error__no_shape_check(analytic, numeric):
    """explained: gradient_error__broadcasts"""
    difference = analytic - numeric
    top = math.sqrt(np.sum(difference * difference))
    bottom = math.sqrt(np.sum(analytic * analytic)) + math.sqrt(np.sum(numeric * numeric))
    if bottom == 0:
        return 0.0
    return top / bottom


def gradient_error__raveled(analytic, numeric):
    """explained: gradient_error__compares_sizes_only"""
    a, n = np.ravel(analytic), np.ravel(numeric)
    if a.size != n.size:
        raise ValueError("different numbers of entries")
    top = bottom_a = bottom_n = 0.0
    for i in range(a.size):
        top += (a[i] - n[i]) ** 2
        bottom_a += a[i] ** 2
        bottom_n += n[i] ** 2
    bottom = math.sqrt(bottom_a) + math.sqrt(bottom_n)
    return math.sqrt(top) / bottom if bottom else 0.0


def gradient_error__lengths(analytic, numeric):
    """explained: gradient_error__difference_of_norms"""
    if np.asarray(analytic).shape != np.asarray(numeric).shape:
        raise ValueError("shapes")
    na = float(np.sqrt(np.square(analytic).sum()))
    nn = float(np.sqrt(np.square(numeric).sum()))
    if na == 0 and nn == 0:
        return 0.0
    return abs(na - nn) / (na + nn)


def gradient_error__zero_over_zero(analytic, numeric):
    """explained: gradient_error__nan_for_two_zeros"""
    if np.shape(numeric) != np.shape(analytic):
        raise ValueError("shapes differ")
    with np.errstate(invalid="ignore"):
        a, n = np.asarray(analytic).ravel(), np.asarray(numeric).ravel()
        return float(np.sqrt((a - n) @ (a - n)) / (np.sqrt(a @ a) + np.sqrt(n @ n)))


def gradient_error__truth_below(analytic, numeric):
    """explained: gradient_error__relative_to_numeric"""
    if np.shape(numeric) != np.shape(analytic):
        raise ValueError("shapes differ")
    gap = np.sqrt(np.sum((np.asarray(numeric) - np.asarray(analytic)) ** 2))
    size = np.sqrt(np.sum(np.asarray(numeric) ** 2))
    if gap == 0 and size == 0:
        return 0.0
    with np.errstate(divide="ignore"):
        return float(gap / size)


def gradient_error__squares(analytic, numeric):
    """unexplained: forgets the square roots"""
    if np.shape(analytic) != np.shape(numeric):
        raise ValueError("shapes")
    below = np.sum(np.square(analytic)) + np.sum(np.square(numeric))
    return float(np.sum(np.square(analytic - numeric)) / below) if below > 0 else 0.0


def gradient_error__norm_of_the_sum(analytic, numeric):
    """unexplained: divides by the norm of the sum"""
    if np.shape(analytic) != np.shape(numeric):
        raise ValueError("shapes")
    below = np.linalg.norm(analytic + numeric)
    return float(np.linalg.norm(analytic - numeric) / below) if below > 0 else 0.0


def gradient_error__one_for_two_zeros(analytic, numeric):
    """unexplained: returns 1.0 when both gradients vanish"""
    if np.shape(analytic) != np.shape(numeric):
        raise ValueError("shapes")
    below = np.linalg.norm(analytic) + np.linalg.norm(numeric)
    if below == 0:
        return 1.0
    return float(np.linalg.norm(analytic - numeric) / below)


def gradient_error__axis_in_the_norm(analytic, numeric):
    """unexplained: an axis argument, so the error is an array (and fails for a number without axes)"""
    if np.shape(analytic) != np.shape(numeric):
        raise ValueError("shapes")
    below = np.linalg.norm(analytic, axis=0) + np.linalg.norm(numeric, axis=0)
    return np.linalg.norm(analytic - numeric, axis=0) / np.where(below == 0, 1, below)


# --- rescale_spectral_radius ---------------------------------------------------------------------------------------


def rescale_spectral_radius__two_norm(W, rho):
    """explained: rescale_spectral_radius__largest_singular_value"""
    if len(W.shape) != 2 or W.shape[0] != W.shape[1]:
        raise ValueError("W")
    stretch = math.sqrt(max(np.linalg.eigvalsh(W.T @ W)[-1], 0.0))
    if stretch == 0:
        raise ValueError("zero")
    return rho / stretch * W


def rescale_spectral_radius__without_rotation(W, rho):
    """explained: rescale_spectral_radius__real_parts"""
    d = W.shape[0]
    if W.shape != (d, d):
        raise ValueError("square please")
    largest = 0.0
    for value in np.linalg.eig(W)[0]:
        largest = max(largest, abs(float(np.real(value))))
    if largest == 0:
        raise ValueError("radius is 0")
    return W / largest * rho


def rescale_spectral_radius__a_ceiling(W, rho):
    """explained: rescale_spectral_radius__only_shrinks"""
    if W.shape[0] != W.shape[1]:
        raise ValueError("not square")
    radius = max(abs(lam) for lam in np.linalg.eigvals(W))
    if radius == 0:
        raise ValueError("nothing to scale")
    factor = 1.0 if radius < rho else rho / radius
    return np.array(W) * factor


def rescale_spectral_radius__any_will_do(W, rho):
    """explained: rescale_spectral_radius__refuses_the_zero_matrix_only"""
    if W.ndim != 2 or W.shape[0] != W.shape[1] or not W.any():
        raise ValueError("W")
    with np.errstate(all="ignore"):
        radius = np.abs(np.linalg.eigvals(W)).max()
        return np.multiply(W, rho / radius)


def rescale_spectral_radius__rho_below(W, rho):
    """unexplained: the fraction upside down"""
    if np.ndim(W) != 2 or W.shape[0] != W.shape[1]:
        raise ValueError("W")
    radius = np.max(np.abs(np.linalg.eigvals(W)))
    if radius == 0:
        raise ValueError("W")
    return W * (radius / rho)


def rescale_spectral_radius__smallest(W, rho):
    """unexplained: measures the smallest modulus"""
    if np.ndim(W) != 2 or W.shape[0] != W.shape[1]:
        raise ValueError("W")
    moduli = np.abs(np.linalg.eigvals(W))
    if np.max(moduli) == 0:
        raise ValueError("W")
    return W * (rho / np.min(moduli))


def rescale_spectral_radius__rho_forgotten(W, rho):
    """unexplained: scales to radius one, whatever rho is"""
    if np.ndim(W) != 2 or W.shape[0] != W.shape[1]:
        raise ValueError("W")
    radius = np.max(np.abs(np.linalg.eigvals(W)))
    if radius == 0:
        raise ValueError("W")
    return W / radius


def rescale_spectral_radius__unpacked_wrongly(W, rho):
    """unexplained: takes the eigenvectors for the eigenvalues"""
    if np.ndim(W) != 2 or W.shape[0] != W.shape[1]:
        raise ValueError("W")
    _, values = np.linalg.eig(W)
    radius = np.max(np.abs(values))
    if radius == 0:
        raise ValueError("W")
    return W * (rho / radius)


# --- step_jacobian -------------------------------------------------------------------------------------------------


def step_jacobian__flat_times_matrix(a, W_aa):
    """explained: step_jacobian__slopes_along_columns"""
    return np.matmul(W_aa, np.diag(1.0 - np.square(a)))


def step_jacobian__from_to(a, W_aa):
    """explained: step_jacobian__transposed"""
    d = len(a)
    J = np.zeros((d, d))
    for i in range(d):
        for j in range(d):
            J[j, i] = (1 - a[i] * a[i]) * W_aa[i, j]
    return J


def step_jacobian__tanh_again(a, W_aa):
    """explained: step_jacobian__slope_of_the_squashed_state"""
    slope = 1.0 / np.cosh(a) ** 2
    return np.diag(slope) @ W_aa


def step_jacobian__one_minus_a(a, W_aa):
    """explained: step_jacobian__slope_without_square"""
    return np.array([[(1 - a[i]) * w for w in W_aa[i]] for i in range(len(a))])


def step_jacobian__plus(a, W_aa):
    """unexplained: a sign slip, 1 + a^2"""
    return (1 + a**2)[:, None] * W_aa


def step_jacobian__only_the_matrix(a, W_aa):
    """unexplained: leaves the slope out"""
    return W_aa.copy()


def step_jacobian__logistic_slope(a, W_aa):
    """unexplained: the slope of the logistic function, a (1 - a)"""
    return np.diag(a * (1 - a)) @ W_aa


def step_jacobian__vector_result(a, W_aa):
    """unexplained: a matrix product where rows are to be scaled"""
    return W_aa @ (1 - a**2)


# --- jacobian_norms ------------------------------------------------------------------------------------------------


def jacobian_norms__prepends(states, W_aa):
    """explained: jacobian_norms__multiplied_from_the_left"""
    T, d = states.shape
    out, M = [], np.identity(d)
    t = T - 1
    while t > 0:
        M = np.dot(np.diag(1 - states[t] ** 2) @ W_aa, M)
        out.append(np.sqrt((M**2).sum()))
        t -= 1
    return np.array(out)


def jacobian_norms__by_state(states, W_aa):
    """explained: jacobian_norms__time_order"""
    T = len(states)
    norms = np.zeros(T - 1)
    for start in range(T - 1):
        J = np.eye(states.shape[1])
        for t in range(start + 1, T):
            J = np.diag(1 - states[t] ** 2) @ W_aa @ J
        norms[start] = np.linalg.norm(J)
    return norms


def jacobian_norms__too_early(states, W_aa):
    """explained: jacobian_norms__slope_of_the_state_before"""
    norms = []
    J = None
    for s in states[:-1][::-1]:
        step = np.einsum("i,ij->ij", 1 - s * s, W_aa)
        J = step if J is None else J @ step
        norms.append(np.linalg.norm(J, "fro"))
    return np.array(norms, dtype=float)


def jacobian_norms__norm_times_norm(states, W_aa):
    """explained: jacobian_norms__product_of_norms"""
    value, result = 1.0, []
    for lag in range(len(states) - 1):
        s = states[len(states) - 1 - lag]
        J = (W_aa.T * (1 - s**2)).T
        value = value * math.sqrt(np.sum(J * J))
        result.append(value)
    return np.array(result)


def jacobian_norms__identity_first(states, W_aa):
    """explained: jacobian_norms__counts_the_identity"""
    M = np.eye(states.shape[1])
    res = []
    for t in reversed(range(1, len(states))):
        res.append(float(np.linalg.norm(M)))
        M = M @ np.diag(1 - states[t] ** 2) @ W_aa
    return np.array(res)


def jacobian_norms__each_step_alone(states, W_aa):
    """unexplained: norms of the single factors, never multiplied"""
    return np.array([np.linalg.norm((1 - s**2)[:, None] * W_aa) for s in states[:0:-1]])


def jacobian_norms__spectral(states, W_aa):
    """unexplained: the spectral norm"""
    norms, product = np.zeros(len(states) - 1), np.eye(len(W_aa))
    for lag in range(1, len(states)):
        product = product @ ((1 - states[-lag] ** 2)[:, None] * W_aa)
        norms[lag - 1] = np.linalg.norm(product, 2)
    return norms


def jacobian_norms__powers_of_w(states, W_aa):
    """unexplained: powers of the recurrent matrix, no slopes"""
    return np.array([np.linalg.norm(np.linalg.matrix_power(W_aa, k)) for k in range(1, len(states))])


def jacobian_norms__index_at_the_end(states, W_aa):
    """unexplained: IndexError, the index is not lowered by one"""
    T = len(states)
    norms, product = np.zeros(T - 1), np.eye(len(W_aa))
    for lag in range(1, T):
        product = product @ ((1 - states[T - lag + 1] ** 2)[:, None] * W_aa)
        norms[lag - 1] = np.linalg.norm(product)
    return norms


# --- bptt_grad -----------------------------------------------------------------------------------------------------


def bptt_grad__forward_matrix_backwards(xs, targets, a0, params):
    """explained: bptt_grad__transposed_recurrence"""
    W, U, V = params["W_aa"], params["W_ax"], params["W_ya"]
    hs, outs = elman_forward(xs, a0, params)
    g = {name: np.zeros(params[name].shape) for name in ("W_aa", "W_ax", "b_a", "W_ya", "b_y")}
    loss, nxt = 0.0, np.zeros(len(a0))
    for t in range(len(xs) - 1, -1, -1):
        err = outs[t] - targets[t]
        loss += 0.5 * err.dot(err)
        dz = (1 - hs[t] * hs[t]) * (err @ V + nxt)
        g["W_ya"] += np.outer(err, hs[t])
        g["b_y"] += err
        g["W_aa"] += np.outer(dz, a0 if t == 0 else hs[t - 1])
        g["W_ax"] += np.outer(dz, xs[t])
        g["b_a"] += dz
        nxt = W.dot(dz)
    assert U.shape == g["W_ax"].shape
    return float(loss), g


def bptt_grad__equals_sign(xs, targets, a0, params):
    """explained: bptt_grad__assigns_instead_of_adding"""
    h = [a0]
    for x in xs:
        h.append(np.tanh(params["W_aa"] @ h[-1] + params["W_ax"] @ x + params["b_a"]))
    errs = [params["W_ya"] @ h[t + 1] + params["b_y"] - targets[t] for t in range(len(xs))]
    grads = {}
    carry = 0.0
    for t in reversed(range(len(xs))):
        delta = (1 - h[t + 1] ** 2) * (params["W_ya"].T @ errs[t] + carry)
        grads = {"W_aa": np.outer(delta, h[t]), "W_ax": np.outer(delta, xs[t]), "b_a": delta,
                 "W_ya": np.outer(errs[t], h[t + 1]), "b_y": errs[t]}
        carry = params["W_aa"].T @ delta
    return float(sum(0.5 * (e**2).sum() for e in errs)), grads


def bptt_grad__each_step_on_its_own(xs, targets, a0, params):
    """explained: bptt_grad__no_path_from_the_next_step"""
    states, outputs = elman_forward(xs, a0, params)
    E = outputs - targets
    D = (1 - states**2) * np.einsum("ty,yd->td", E, params["W_ya"])
    prev = np.concatenate([a0[None, :], states[:-1]], axis=0)
    grads = {"b_y": E.sum(0), "b_a": D.sum(0), "W_ya": np.einsum("ty,td->yd", E, states),
             "W_aa": np.einsum("ti,tj->ij", D, prev), "W_ax": np.einsum("ti,tj->ij", D, xs)}
    return float((E * E).sum() / 2), grads


def bptt_grad__tanh_prime(xs, targets, a0, params):
    """explained: bptt_grad__slope_of_the_squashed_state"""
    def tanh_prime(v):
        return 1 - np.tanh(v) ** 2

    hs, ys = elman_forward(xs, a0, params)
    T = len(xs)
    dW, dU, db = np.zeros_like(params["W_aa"]), np.zeros_like(params["W_ax"]), np.zeros_like(params["b_a"])
    dV, dc = np.zeros_like(params["W_ya"]), np.zeros_like(params["b_y"])
    loss, dh_next = 0.0, np.zeros_like(a0)
    for t in range(T)[::-1]:
        dy = ys[t] - targets[t]
        loss += np.sum(dy**2) / 2
        dV, dc = dV + dy[:, None] * hs[t], dc + dy
        dh = params["W_ya"].T.dot(dy) + dh_next
        dz = dh * tanh_prime(hs[t])
        dW = dW + dz[:, None] * (hs[t - 1] if t > 0 else a0)
        dU, db = dU + dz[:, None] * xs[t], db + dz
        dh_next = params["W_aa"].T.dot(dz)
    return float(loss), {"W_aa": dW, "W_ax": dU, "b_a": db, "W_ya": dV, "b_y": dc}


def bptt_grad__zero_row_on_top(xs, targets, a0, params):
    """explained: bptt_grad__zeros_before_the_first_step"""
    hs, ys = elman_forward(xs, a0, params)
    e = ys - targets
    dW, dU, db = np.zeros_like(params["W_aa"]), np.zeros_like(params["W_ax"]), np.zeros_like(params["b_a"])
    back = np.zeros(len(a0))
    for t in reversed(range(len(xs))):
        d = (params["W_ya"].T @ e[t] + back) * (1 - hs[t] ** 2)
        if t >= 1:
            dW += np.outer(d, hs[t - 1])
        dU += np.outer(d, xs[t])
        db += d
        back = d @ params["W_aa"]
    return float(np.sum(e**2)) / 2, {"W_aa": dW, "W_ax": dU, "b_a": db, "W_ya": e.T @ hs, "b_y": np.sum(e, axis=0)}


def bptt_grad__same_index(xs, targets, a0, params):
    """explained: bptt_grad__state_after_the_step"""
    hs, ys = elman_forward(xs, a0, params)
    grads = {k: np.zeros_like(params[k]) for k in ["W_aa", "W_ax", "b_a", "W_ya", "b_y"]}
    later = 0
    for t in range(len(xs))[::-1]:
        dy = ys[t] - targets[t]
        dz = (dy @ params["W_ya"] + later) * (1 - hs[t] ** 2)
        for name, left, right in [("W_ya", dy, hs[t]), ("W_aa", dz, hs[t]), ("W_ax", dz, xs[t])]:
            grads[name] += np.outer(left, right)
        grads["b_y"] += dy
        grads["b_a"] += dz
        later = dz @ params["W_aa"]
    return 0.5 * float(np.linalg.norm(ys - targets) ** 2), grads


def bptt_grad__everything_over_T(xs, targets, a0, params):
    """explained: bptt_grad__mean_over_time"""
    T = len(xs)
    hs, ys = elman_forward(xs, a0, params)
    dy = (ys - targets) / T
    da = dy @ params["W_ya"]
    dz = np.zeros(hs.shape)
    for t in range(T - 1, -1, -1):
        if t + 1 < T:
            da[t] += dz[t + 1] @ params["W_aa"]
        dz[t] = da[t] * (1 - hs[t] ** 2)
    shifted = np.vstack((a0[np.newaxis], hs))[:T]
    loss = np.mean(0.5 * np.sum((ys - targets) ** 2, axis=1))
    return float(loss), {"W_aa": dz.T @ shifted, "W_ax": dz.T @ xs, "b_a": np.sum(dz, 0), "W_ya": dy.T @ hs,
                         "b_y": np.sum(dy, 0)}


def bptt_grad__own_part_missing(xs, targets, a0, params):
    """explained: bptt_grad__own_loss_forgotten"""
    hs, ys = elman_forward(xs, a0, params)
    dW, dU, db = 0 * params["W_aa"], 0 * params["W_ax"], 0 * params["b_a"]
    dV, dc, dh = 0 * params["W_ya"], 0 * params["b_y"], 0 * a0
    loss = 0.0
    for t in range(len(xs) - 1, -1, -1):
        diff = ys[t] - targets[t]
        loss += 0.5 * float(diff @ diff)
        dV, dc = dV + np.outer(diff, hs[t]), dc + diff
        dz = dh * (1 - hs[t] ** 2)
        dW, dU, db = dW + np.outer(dz, hs[t - 1] if t else a0), dU + np.outer(dz, xs[t]), db + dz
        dh = params["W_aa"].T @ dz
    return loss, {"W_aa": dW, "W_ax": dU, "b_a": db, "W_ya": dV, "b_y": dc}


def bptt_grad__target_minus_output(xs, targets, a0, params):
    """unexplained: a sign slip in the error, so all gradients point the other way"""
    hs, ys = elman_forward(xs, a0, params)
    e = targets - ys
    dz, carry = np.zeros_like(hs), np.zeros_like(a0)
    for t in reversed(range(len(xs))):
        dz[t] = (1 - hs[t] ** 2) * (params["W_ya"].T @ e[t] + carry)
        carry = params["W_aa"].T @ dz[t]
    grads = {"W_aa": dz.T @ np.vstack([a0, hs[:-1]]), "W_ax": dz.T @ xs, "b_a": dz.sum(0), "W_ya": e.T @ hs, "b_y": e.sum(0)}
    return 0.5 * float(np.sum(e**2)), grads


def bptt_grad__half_forgotten(xs, targets, a0, params):
    """unexplained: the loss without the one half, gradients that belong to the half"""
    hs, ys = elman_forward(xs, a0, params)
    e = ys - targets
    dz, carry = np.zeros_like(hs), np.zeros_like(a0)
    for t in reversed(range(len(xs))):
        dz[t] = (1 - hs[t] ** 2) * (params["W_ya"].T @ e[t] + carry)
        carry = params["W_aa"].T @ dz[t]
    grads = {"W_aa": dz.T @ np.vstack([a0, hs[:-1]]), "W_ax": dz.T @ xs, "b_a": dz.sum(0), "W_ya": e.T @ hs, "b_y": e.sum(0)}
    return float(np.sum(e**2)), grads


def bptt_grad__outer_turned_around(xs, targets, a0, params):
    """unexplained: the arguments of the outer product are exchanged for W_aa"""
    hs, ys = elman_forward(xs, a0, params)
    e = ys - targets
    dz, carry = np.zeros_like(hs), np.zeros_like(a0)
    for t in reversed(range(len(xs))):
        dz[t] = (1 - hs[t] ** 2) * (params["W_ya"].T @ e[t] + carry)
        carry = params["W_aa"].T @ dz[t]
    before = np.vstack([a0, hs[:-1]])
    grads = {"W_aa": before.T @ dz, "W_ax": dz.T @ xs, "b_a": dz.sum(0), "W_ya": e.T @ hs, "b_y": e.sum(0)}
    return 0.5 * float(np.sum(e**2)), grads


def bptt_grad__last_step_left_out(xs, targets, a0, params):
    """unexplained: the backward loop starts one step too early"""
    hs, ys = elman_forward(xs, a0, params)
    e = ys - targets
    dz, carry = np.zeros_like(hs), np.zeros_like(a0)
    for t in range(len(xs) - 2, -1, -1):
        dz[t] = (1 - hs[t] ** 2) * (params["W_ya"].T @ e[t] + carry)
        carry = params["W_aa"].T @ dz[t]
    grads = {"W_aa": dz.T @ np.vstack([a0, hs[:-1]]), "W_ax": dz.T @ xs, "b_a": dz.sum(0), "W_ya": e.T @ hs, "b_y": e.sum(0)}
    return 0.5 * float(np.sum(e**2)), grads


def bptt_grad__one_key_missing(xs, targets, a0, params):
    """unexplained: an incomplete dictionary, b_y is missing"""
    hs, ys = elman_forward(xs, a0, params)
    e = ys - targets
    dz, carry = np.zeros_like(hs), np.zeros_like(a0)
    for t in reversed(range(len(xs))):
        dz[t] = (1 - hs[t] ** 2) * (params["W_ya"].T @ e[t] + carry)
        carry = params["W_aa"].T @ dz[t]
    grads = {"W_aa": dz.T @ np.vstack([a0, hs[:-1]]), "W_ax": dz.T @ xs, "b_a": dz.sum(0), "W_ya": e.T @ hs}
    return 0.5 * float(np.sum(e**2)), grads


# --- truncated_bptt_grad -------------------------------------------------------------------------------------------


def truncated_bptt_grad__chunks(xs, targets, a0, params, k):
    """explained: truncated_bptt_grad__cuts_at_block_borders"""
    if k <= 0:
        raise ValueError("k")
    hs, ys = elman_forward(xs, a0, params)
    err = ys - targets
    g = {n: np.zeros_like(params[n]) for n in ("W_aa", "W_ax", "b_a", "W_ya", "b_y")}
    for start in range(0, len(xs), k):
        stop = min(start + k, len(xs))
        dh = np.zeros(len(a0))
        for t in range(stop - 1, start - 1, -1):
            dz = (1 - hs[t] ** 2) * (err[t] @ params["W_ya"] + dh)
            g["W_aa"] += np.outer(dz, hs[t - 1] if t > 0 else a0)
            g["W_ax"] += np.outer(dz, xs[t])
            g["b_a"] += dz
            g["W_ya"] += np.outer(err[t], hs[t])
            g["b_y"] += err[t]
            dh = dz @ params["W_aa"]
    return float(0.5 * (err**2).sum()), g


def truncated_bptt_grad__off_by_one(xs, targets, a0, params, k):
    """explained: truncated_bptt_grad__one_step_too_many"""
    if not k >= 1:
        raise ValueError("k must be positive")
    hs, ys = elman_forward(xs, a0, params)
    e = ys - targets
    dW, dU, db = np.zeros_like(params["W_aa"]), np.zeros_like(params["W_ax"]), np.zeros_like(params["b_a"])
    for t in range(len(xs)):
        signal = e[t] @ params["W_ya"]
        for back in range(k + 1):
            s = t - back
            if s < 0:
                break
            dz = signal * (1 - hs[s] ** 2)
            dW += np.outer(dz, a0 if s == 0 else hs[s - 1])
            dU += np.outer(dz, xs[s])
            db += dz
            signal = dz @ params["W_aa"]
    return float(np.sum(e * e) / 2), {"W_aa": dW, "W_ax": dU, "b_a": db, "W_ya": e.T @ hs, "b_y": e.sum(axis=0)}


def truncated_bptt_grad__modulo_of_the_sweep(xs, targets, a0, params, k):
    """explained: truncated_bptt_grad__cuts_every_k_steps_of_the_sweep"""
    if k < 1:
        raise ValueError("k < 1")
    hs, ys = elman_forward(xs, a0, params)
    T, e = len(xs), ys - targets
    D = np.zeros((T, len(a0)))
    for n in range(T):
        t = T - 1 - n
        dh = params["W_ya"].T.dot(e[t])
        if n % k != 0:
            dh = dh + params["W_aa"].T.dot(D[t + 1])
        D[t] = dh * (1 - hs[t] ** 2)
    H = np.vstack([a0.reshape(1, -1), hs])
    return 0.5 * np.sum(e**2), {"W_aa": D.T @ H[:-1], "W_ax": D.T @ xs, "b_a": D.sum(0), "W_ya": e.T @ H[1:], "b_y": e.sum(0)}


def truncated_bptt_grad__max_of_one(xs, targets, a0, params, k):
    """explained: truncated_bptt_grad__raises_k_to_one"""
    window = k if k > 1 else 1
    hs, ys = elman_forward(xs, a0, params)
    e = ys - targets
    H = [a0, *hs]
    g = {n: np.zeros_like(v) for n, v in params.items()}
    for end in range(1, len(xs) + 1):
        d = params["W_ya"].T @ e[end - 1]
        t = end
        while t > 0 and t > end - window:
            d = d * (1 - H[t] ** 2)
            g["W_aa"] += d[:, None] @ H[t - 1][None, :]
            g["W_ax"] += d[:, None] @ xs[t - 1][None, :]
            g["b_a"] += d
            d = params["W_aa"].T @ d
            t -= 1
        g["W_ya"] += e[end - 1][:, None] @ H[end][None, :]
        g["b_y"] += e[end - 1]
    return 0.5 * float((e**2).sum()), g


def truncated_bptt_grad__k_up_to_T(xs, targets, a0, params, k):
    """explained: truncated_bptt_grad__refuses_long_windows"""
    T = len(xs)
    if k not in range(1, T + 1):
        raise ValueError("k must lie between 1 and T")
    hs, ys = elman_forward(xs, a0, params)
    e, D = ys - targets, np.zeros((T, len(a0)))
    for t in range(T):
        v = params["W_ya"].T @ e[t]
        for s in [t - i for i in range(k) if t - i >= 0]:
            v = (1 - hs[s] ** 2) * v
            D[s] = D[s] + v
            v = np.einsum("ij,i->j", params["W_aa"], v)
    prev = np.array([a0, *hs[:-1]])
    return float(0.5 * np.sum(e**2)), {"W_aa": np.einsum("ti,tj->ij", D, prev), "W_ax": np.einsum("ti,tj->ij", D, xs),
                                       "b_a": D.sum(0), "W_ya": np.einsum("ti,tj->ij", e, hs), "b_y": e.sum(0)}


def truncated_bptt_grad__matrix_needs_a_step_before(xs, targets, a0, params, k):
    """explained: truncated_bptt_grad__recurrent_matrix_one_step_fewer"""
    if k < 1:
        raise ValueError("k")
    hs, ys = elman_forward(xs, a0, params)
    e = ys - targets
    dW, dU, db = np.zeros_like(params["W_aa"]), np.zeros_like(params["W_ax"]), np.zeros_like(params["b_a"])
    for t in range(len(xs)):
        da = params["W_ya"].T @ e[t]
        first = max(0, t - k + 1)
        for s in range(t, first - 1, -1):
            dz = da * (1 - hs[s] ** 2)
            dU, db = dU + np.outer(dz, xs[s]), db + dz
            if s != t - k + 1:
                dW = dW + np.outer(dz, hs[s - 1] if s else a0)
            da = params["W_aa"].T @ dz
    return float(np.sum(e**2)) / 2, {"W_aa": dW, "W_ax": dU, "b_a": db, "W_ya": e.T @ hs, "b_y": e.sum(0)}


def truncated_bptt_grad__k_ignored(xs, targets, a0, params, k):
    """unexplained: never uses k after the check, the full gradient"""
    if k < 1:
        raise ValueError("k")
    hs, ys = elman_forward(xs, a0, params)
    e = ys - targets
    dz, carry = np.zeros_like(hs), np.zeros_like(a0)
    for t in reversed(range(len(xs))):
        dz[t] = (1 - hs[t] ** 2) * (params["W_ya"].T @ e[t] + carry)
        carry = params["W_aa"].T @ dz[t]
    grads = {"W_aa": dz.T @ np.vstack([a0, hs[:-1]]), "W_ax": dz.T @ xs, "b_a": dz.sum(0), "W_ya": e.T @ hs, "b_y": e.sum(0)}
    return 0.5 * float(np.sum(e**2)), grads


def truncated_bptt_grad__input_of_the_end(xs, targets, a0, params, k):
    """unexplained: the wrong loop variable, pairs every contribution with the input at the end of its window"""
    if k < 1:
        raise ValueError("k")
    hs, ys = elman_forward(xs, a0, params)
    e = ys - targets
    g = {n: np.zeros_like(params[n]) for n in params}
    for end in range(len(xs)):
        d = params["W_ya"].T @ e[end]
        for t in range(end, max(end - k, -1), -1):
            dz = (1 - hs[t] ** 2) * d
            g["W_aa"] += np.outer(dz, hs[t - 1] if t else a0)
            g["W_ax"] += np.outer(dz, xs[end])
            g["b_a"] += dz
            d = params["W_aa"].T @ dz
    g["W_ya"], g["b_y"] = e.T @ hs, e.sum(0)
    return 0.5 * float(np.sum(e**2)), g


def truncated_bptt_grad__negative_index(xs, targets, a0, params, k):
    """unexplained: no stop at the first step, negative indices wrap around (IndexError for long windows)"""
    if k < 1:
        raise ValueError("k")
    hs, ys = elman_forward(xs, a0, params)
    e = ys - targets
    dz, before = np.zeros_like(hs), np.vstack([a0, hs[:-1]])
    for end in range(len(xs)):
        d = params["W_ya"].T @ e[end]
        for t in range(end, end - k, -1):
            step = (1 - hs[t] ** 2) * d
            dz[t] += step
            d = params["W_aa"].T @ step
    return 0.5 * float(np.sum(e**2)), {"W_aa": dz.T @ before, "W_ax": dz.T @ xs, "b_a": dz.sum(0), "W_ya": e.T @ hs,
                                       "b_y": e.sum(0)}


def truncated_bptt_grad__averages_the_window(xs, targets, a0, params, k):
    """unexplained: divides the contributions to the recurrent part by k"""
    if k < 1:
        raise ValueError("k")
    hs, ys = elman_forward(xs, a0, params)
    e = ys - targets
    dz, before = np.zeros_like(hs), np.vstack([a0, hs[:-1]])
    for end in range(len(xs)):
        d = params["W_ya"].T @ e[end]
        for t in range(end, max(end - k, -1), -1):
            step = (1 - hs[t] ** 2) * d
            dz[t] += step / k
            d = params["W_aa"].T @ step
    return 0.5 * float(np.sum(e**2)), {"W_aa": dz.T @ before, "W_ax": dz.T @ xs, "b_a": dz.sum(0), "W_ya": e.T @ hs,
                                       "b_y": e.sum(0)}


# --- input_gradient_norms ------------------------------------------------------------------------------------------


def input_gradient_norms__appended_backwards(xs, target, a0, params):
    """explained: input_gradient_norms__lag_order"""
    hs, ys = elman_forward(xs, a0, params)
    grad_h = (ys[len(xs) - 1] - target).dot(params["W_ya"])
    collected = []
    for h in reversed(list(hs)):
        grad_z = grad_h - grad_h * h * h
        grad_x = grad_z.dot(params["W_ax"])
        collected.append(math.sqrt(sum(v * v for v in grad_x)))
        grad_h = grad_z.dot(params["W_aa"])
    return np.array(collected)


def input_gradient_norms__target_for_all(xs, target, a0, params):
    """explained: input_gradient_norms__loss_at_every_step"""
    hs, ys = elman_forward(xs, a0, params)
    out = [0.0] * len(xs)
    from_later = np.zeros(len(a0))
    for t in range(len(xs) - 1, -1, -1):
        dz = (1 - hs[t] ** 2) * ((ys[t] - target) @ params["W_ya"] + from_later)
        out[t] = float(np.linalg.norm(dz @ params["W_ax"]))
        from_later = dz @ params["W_aa"]
    return np.array(out)


def input_gradient_norms__norm_of_deltas(xs, target, a0, params):
    """explained: input_gradient_norms__stops_before_the_input_matrix"""
    hs, ys = elman_forward(xs, a0, params)
    T = len(xs)
    deltas = np.zeros((T, len(a0)))
    for i in range(1, T + 1):
        above = params["W_aa"].T @ deltas[T - i + 1] if i > 1 else params["W_ya"].T @ (ys[-1] - target)
        deltas[T - i] = above * (1 - hs[T - i] ** 2)
    return np.sqrt(np.sum(deltas**2, axis=1))


def input_gradient_norms__norm_of_da(xs, target, a0, params):
    """explained: input_gradient_norms__gradients_of_the_states"""
    hs, ys = elman_forward(xs, a0, params)
    das = [params["W_ya"].T @ (ys[-1] - target)]
    for h in hs[:0:-1]:
        das.insert(0, ((1 - h**2) * das[0]) @ params["W_aa"])
    return np.array([np.linalg.norm(da) for da in das])


def input_gradient_norms__W_for_both_ways(xs, target, a0, params):
    """explained: input_gradient_norms__transposed_recurrence"""
    hs, ys = elman_forward(xs, a0, params)
    W = params["W_aa"]
    res = np.empty(len(xs))
    g = np.dot(ys[-1] - target, params["W_ya"])
    t = len(xs)
    while t:
        t -= 1
        z = g * (1 - hs[t] ** 2)
        res[t] = np.sqrt(np.sum(np.dot(z, params["W_ax"]) ** 2))
        g = np.array([sum(W[i, j] * z[j] for j in range(len(z))) for i in range(len(z))])
    return res


def input_gradient_norms__minus_equals(xs, target, a0, params):
    """explained: input_gradient_norms__error_over_the_target"""
    hs, ys = elman_forward(xs, a0, params)
    target -= ys[-1]
    g = -(target @ params["W_ya"])
    norms = []
    for h in hs[::-1]:
        z = np.diag(1 - h**2) @ g
        norms = [np.linalg.norm(z @ params["W_ax"]), *norms]
        g = z @ params["W_aa"]
    return np.array(norms)


def input_gradient_norms__squared(xs, target, a0, params):
    """unexplained: forgets the square root of the norm"""
    hs, ys = elman_forward(xs, a0, params)
    norms, g = np.zeros(len(xs)), params["W_ya"].T @ (ys[-1] - target)
    for t in reversed(range(len(xs))):
        z = (1 - hs[t] ** 2) * g
        norms[t] = np.sum((params["W_ax"].T @ z) ** 2)
        g = params["W_aa"].T @ z
    return norms


def input_gradient_norms__output_without_bias(xs, target, a0, params):
    """unexplained: an error without the output bias"""
    hs, _ = elman_forward(xs, a0, params)
    norms, g = np.zeros(len(xs)), params["W_ya"].T @ (params["W_ya"] @ hs[-1] - target)
    for t in reversed(range(len(xs))):
        z = (1 - hs[t] ** 2) * g
        norms[t] = np.linalg.norm(params["W_ax"].T @ z)
        g = params["W_aa"].T @ z
    return norms


def input_gradient_norms__first_output(xs, target, a0, params):
    """unexplained: compares the first output with the target"""
    hs, ys = elman_forward(xs, a0, params)
    norms, g = np.zeros(len(xs)), params["W_ya"].T @ (ys[0] - target)
    for t in reversed(range(len(xs))):
        z = (1 - hs[t] ** 2) * g
        norms[t] = np.linalg.norm(params["W_ax"].T @ z)
        g = params["W_aa"].T @ z
    return norms


def input_gradient_norms__a_number_as_a_list(xs, target, a0, params):
    """unexplained: TypeError, the norms are collected in a number"""
    hs, ys = elman_forward(xs, a0, params)
    norms, g = 0.0, params["W_ya"].T @ (ys[-1] - target)
    for t in reversed(range(len(xs))):
        z = (1 - hs[t] ** 2) * g
        norms[t] = np.linalg.norm(params["W_ax"].T @ z)
        g = params["W_aa"].T @ z
    return norms
