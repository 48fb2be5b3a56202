"""Stage 2, unrolling is a deep network, and the two pathologies: reference functions."""

import numpy as np

from solutions.stage1_recurrence import elman_forward


def log_product_trajectory(factors):
    """Follow the size of a growing product of numbers, in logarithms (course page, hands-on level 1).

    factors: (n,) numbers of either sign, zeros included; n >= 1 may be so large that the product itself leaves the
    range of float64.
    Returns (n,): entry i is the natural logarithm of |factors[0] * ... * factors[i]|, as a running sum of
    log|factor|. From the first zero factor on, every entry is -inf.
    """
    with np.errstate(divide="ignore"):
        return np.cumsum(np.log(np.abs(factors)))


def numerical_gradient(f, w, h=1e-6):
    """Differentiate a scalar function by central differences, one entry at a time (course page, hands-on level 3).

    f: function of one float array of the shape of w, returns a number; w: array of any shape, 0-d and integer arrays
    included; h: step, used as given.
    Returns the gradient, floats of the shape of w (for a 0-d w a 0-d array or a float): entry i is
    (f(w + h e_i) - f(w - h e_i)) / (2 h), where e_i is 1 at entry i and 0 elsewhere. w is equal bit for bit afterwards.
    """
    nudged = np.array(w, dtype=float)
    gradient = np.empty(nudged.shape)
    for index in np.ndindex(nudged.shape):
        centre = nudged[index]
        nudged[index] = centre + h
        above = float(f(nudged))
        nudged[index] = centre - h
        below = float(f(nudged))
        nudged[index] = centre
        gradient[index] = (above - below) / (2 * h)
    return gradient


def gradient_error(analytic, numeric):
    """Measure the disagreement of two gradients of one parameter array by a single number (course page, level 3).

    analytic, numeric: arrays of one shape (any shape).
    Returns a float, ||analytic - numeric|| / (||analytic|| + ||numeric||) with the Frobenius norm over all entries;
    0.0 when both arrays are zero. Different shapes: ValueError.
    """
    if np.shape(analytic) != np.shape(numeric):
        raise ValueError(f"analytic and numeric have different shapes: {np.shape(analytic)} and {np.shape(numeric)}")
    size = np.linalg.norm(analytic) + np.linalg.norm(numeric)
    return float(np.linalg.norm(analytic - numeric) / size) if size > 0 else 0.0


def rescale_spectral_radius(W, rho):
    """Scale a matrix to a wanted spectral radius (course page, hands-on level 2).

    W: (d, d) real matrix; rho: number > 0. The spectral radius is the largest modulus |lambda| of W's eigenvalues,
    which may be complex.
    Returns a real (d, d) matrix, a positive multiple of W, whose spectral radius is rho; W itself stays as it was.
    A W that is not square, or whose spectral radius is 0: ValueError.
    """
    if W.shape[0] != W.shape[1]:
        raise ValueError(f"W must be square, got shape {W.shape}")
    radius = np.max(np.abs(np.linalg.eigvals(W)))
    if radius == 0:
        raise ValueError("W has spectral radius 0: no multiple of it has another one")
    return W * (rho / radius)


def step_jacobian(a, W_aa):
    """Differentiate one Elman step with respect to the state before it (Pascanu et al. 2013).

    a: (d,) state AFTER the step, a_t = tanh(W_aa a_{t-1} + ...); W_aa: (d, d).
    Returns J (d, d) with J[i, j] = d a_t[i] / d a_{t-1}[j] = (1 - a[i]^2) W_aa[i, j].
    """
    return (1 - a**2)[:, np.newaxis] * W_aa


def jacobian_norms(states, W_aa):
    """Measure how strongly the last state depends on each earlier one (course page, hands-on level 2).

    states: (T, d), the states a_1 ... a_T of an Elman network; W_aa: (d, d).
    Returns (T-1,) in lag order: entry k-1 is the Frobenius norm of d a_T / d a_{T-k}, the product of the k step
    Jacobians between the two. T = 1 gives an empty array.
    """
    norms = np.empty(len(states) - 1)
    product = np.eye(len(W_aa))
    for lag in range(1, len(states)):
        product = product @ step_jacobian(states[-lag], W_aa)
        norms[lag - 1] = np.linalg.norm(product)
    return norms


def bptt_grad(xs, targets, a0, params):
    """Backpropagate a loss that is summed over all steps through an Elman network (Werbos 1990).

    xs: (T, d_x); targets: (T, d_y); a0: (d,) start state; params: dict with W_aa (d, d), W_ax (d, d_x), b_a (d,),
    W_ya (d_y, d), b_y (d_y,). States a_t and outputs W_ya a_t + b_y are those of elman_forward.
    Returns (loss, grads): loss = 1/2 sum_t ||W_ya a_t + b_y - targets_t||^2, a sum over the steps and not a mean;
    grads: a new dict with the same five keys and shapes, the derivative of the loss for each parameter array.
    """
    states, outputs = elman_forward(xs, a0, params)
    errors = outputs - targets
    d_pre = np.empty_like(states)  # derivative of the loss for each step's pre-activation
    carried = np.zeros_like(a0, dtype=float)
    for t in reversed(range(len(xs))):
        d_pre[t] = (1 - states[t] ** 2) * (params["W_ya"].T @ errors[t] + carried)
        carried = params["W_aa"].T @ d_pre[t]
    before = np.vstack([a0, states[:-1]])
    grads = {"W_aa": d_pre.T @ before, "W_ax": d_pre.T @ xs, "b_a": d_pre.sum(axis=0),
             "W_ya": errors.T @ states, "b_y": errors.sum(axis=0)}
    return 0.5 * float(np.sum(errors**2)), grads


def truncated_bptt_grad(xs, targets, a0, params, k):
    """Backpropagate through time, but from each step's loss through k steps only (Williams and Peng 1990).

    xs: (T, d_x); targets: (T, d_y); a0: (d,); params: the five arrays, as for bptt_grad; k: int, number of steps.
    Returns (loss, grads) as bptt_grad does. The forward pass and the loss are the full ones. In grads, the loss at step
    t reaches the parameters' uses at steps t, t-1, ..., t-k+1 only (as far as these exist): with k = 1 nothing flows
    into a_{t-1}, with k >= T the gradients equal those of bptt_grad. k < 1: ValueError.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    states, outputs = elman_forward(xs, a0, params)
    errors = outputs - targets
    d_pre = np.zeros_like(states)
    for end in range(len(xs)):
        d_state = params["W_ya"].T @ errors[end]
        for t in range(end, max(end - k, -1), -1):
            d_step = (1 - states[t] ** 2) * d_state
            d_pre[t] += d_step
            d_state = params["W_aa"].T @ d_step
    before = np.vstack([a0, states[:-1]])
    grads = {"W_aa": d_pre.T @ before, "W_ax": d_pre.T @ xs, "b_a": d_pre.sum(axis=0),
             "W_ya": errors.T @ states, "b_y": errors.sum(axis=0)}
    return 0.5 * float(np.sum(errors**2)), grads


def input_gradient_norms(xs, target, a0, params):
    """Measure how strongly the loss of the last step alone depends on each input (Ryu 2025, chapter 2).

    xs: (T, d_x); target: (d_y,), wanted output of the last step; a0: (d,); params: the five arrays, as for bptt_grad.
    Returns (T,) in time order: entry t-1 is the Euclidean norm of dL/dx_t for the loss of the last step alone,
    L = 1/2 ||W_ya a_T + b_y - target||^2.
    """
    states, outputs = elman_forward(xs, a0, params)
    norms = np.empty(len(xs))
    d_state = params["W_ya"].T @ (outputs[-1] - target)
    for t in reversed(range(len(xs))):
        d_pre = (1 - states[t] ** 2) * d_state
        norms[t] = np.linalg.norm(params["W_ax"].T @ d_pre)
        d_state = params["W_aa"].T @ d_pre
    return norms
