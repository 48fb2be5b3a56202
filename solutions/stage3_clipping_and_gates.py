"""Reference functions of stage 3: clipping repairs an explosion, a gate repairs the circuit."""

import numpy as np


def global_norm(grads):
    """One norm over all arrays of a gradient dict, as if their entries stood in one long vector.

    [Pascanu, Mikolov, Bengio 2013, section 3.2]

    grads: dict of arrays of any shapes. Returns a number; 0.0 for an empty dict.
    """
    return np.sqrt(sum(np.sum(gradient**2) for gradient in grads.values()))


def clip(grads, tau=5.0):
    """Shorten a gradient that is longer than tau, and keep its direction.

    [Pascanu, Mikolov, Bengio 2013, algorithm 1]

    grads: dict of arrays of any shapes, entries up to 1e100; tau: the largest global norm that passes.
    Returns a new dict with the same keys and shapes: every array times min(1, tau / norm), where norm is the global norm
    of grads. Raises ValueError when an entry is NaN or infinite, which no scaling can rescue, and when tau is not
    positive.
    """
    if tau <= 0:
        raise ValueError(f"tau must be positive, not {tau}")
    norm = global_norm(grads)
    if not np.isfinite(norm):
        raise ValueError("grads holds an entry that is not finite")
    scale = tau / max(norm, tau)
    return {name: scale * gradient for name, gradient in grads.items()}


def diagnose_gradient(norms_over_time, explode_at=1e3, vanish_at=1e-6):
    """Name what is wrong with a gradient, from its norms over time.

    [Pascanu, Mikolov, Bengio 2013, section 2.1]

    norms_over_time: (T,) norms in time order: entry 0 belongs to the first step, the last entry to the last step.
    The first of these that applies is returned: "not_finite" when an entry is NaN or infinite; "exploding" when
    norms[0] / norms[-1] is at least explode_at; "vanishing" when it is at most vanish_at; else "healthy", which means no
    alarm and proves nothing. Raises ValueError when all entries are finite and the last one is 0.
    """
    if not np.all(np.isfinite(norms_over_time)):
        return "not_finite"
    if norms_over_time[-1] == 0:
        raise ValueError("norms_over_time ends with 0: there is nothing to compare with")
    ratio = norms_over_time[0] / norms_over_time[-1]
    if ratio >= explode_at:
        return "exploding"
    return "vanishing" if ratio <= vanish_at else "healthy"


def remedy(diagnosis):
    """Choose the first-order treatment that fits a diagnosis (course page, stages two and three).

    diagnosis: one of the four strings that diagnose_gradient returns.
    Returns a string: "none" where there is no alarm; "clip" where the size is wrong but the direction still says something;
    "restore_and_clip" where no direction is left to rescale, so that one goes back to the last parameters that worked and
    limits the steps from there on; "change_architecture" where the signal is lost on its way, so that no factor brings it
    back. Any other diagnosis: ValueError.
    """
    remedies = {"not_finite": "restore_and_clip", "exploding": "clip", "vanishing": "change_architecture", "healthy": "none"}
    if diagnosis not in remedies:
        raise ValueError(f"unknown diagnosis {diagnosis!r}")
    return remedies[diagnosis]


def forget_step(c_prev, f, g):
    """One step of the smallest circuit with a gate: c = f * c_prev + g, entry by entry.

    [Gers, Schmidhuber, Cummins 2000]

    c_prev: (d,) the cell before the step; f: (d,) the forget gate, already between 0 and 1; g: (d,) what is written.
    Returns c (d,). Raises ValueError when an entry of f lies outside [0, 1]; 0 and 1 themselves are allowed.
    """
    if np.any((f < 0) | (f > 1)):
        raise ValueError("an entry of f lies outside [0, 1]")
    return f * c_prev + g


def forget_jacobian(f):
    """The Jacobian of one step of the circuit, dc / dc_prev.

    f: (d,) the forget gate. Returns (d, d), row i and column j holding dc[i] / dc_prev[j].
    """
    return np.diag(f)


def forget_chain_jacobian(gates):
    """The Jacobian of L steps of the circuit in a row, dc_L / dc_0.

    gates: (L, d), the forget gate of step t in row t-1. Returns (d, d); for L = 0 the identity.
    """
    return np.diag(np.prod(gates, axis=0))


def forget_chain_grad(c0, fs, gs, d_c):
    """Backpropagation, written by hand, through L steps of the circuit c_t = f_t * c_{t-1} + g_t.

    The loss is L = sum over t = 1..L of <d_c[t-1], c_t>: every cell of the chain is judged, not only the last one.

    c0: (d,) the cell before the first step; fs, gs: (L, d), gate and written value of step t in row t-1; d_c: (L, d), what
    the loss does with c_t in row t-1. L >= 1.
    Returns (d_c0 (d,), d_fs (L, d), d_gs (L, d)): the derivatives of the loss with respect to c0, fs and gs.
    """
    cells = [c0]
    for f, g in zip(fs, gs):
        cells.append(f * cells[-1] + g)
    d_gs = d_c.copy()
    for t in reversed(range(len(fs) - 1)):
        d_gs[t] += fs[t + 1] * d_gs[t + 1]
    return fs[0] * d_gs[0], d_gs * np.array(cells[:-1]), d_gs


def residual_chain_jacobian(J_Fs):
    """The Jacobian of a stack of layers y = x + F(x), the last layer's factor leftmost.

    [He, Zhang, Ren, Sun 2016, section 2]

    J_Fs: list of (d, d) arrays, the Jacobian of F in each layer, first layer first. Returns (d, d), the product of the
    factors I + J_F. Raises ValueError for an empty list and when a matrix is not square.
    """
    if len(J_Fs) == 0 or any(J.shape[0] != J.shape[1] for J in J_Fs):
        raise ValueError("J_Fs must hold at least one matrix, and square ones only")
    product = np.eye(len(J_Fs[0]))
    for J in J_Fs:
        product = (np.eye(len(product)) + J) @ product
    return product
