"""The lab, one experiment and the evidence from it: right answers in other styles, `<question>__<style>`.

The docstring's first word is the expected outcome. accept: every case passes. convert: the value cases pass, exactly the
cases of types and shapes fail. reject: no points.
"""

import functools
import math
from collections import OrderedDict, UserDict, deque

import numpy as np

from solutions.lab_fault_matrix import evidence_template, make_experiment

# --- forward_backward ----------------------------------------------------------------------------------------------


def forward_backward__lists_and_outer_products(W, x1, y, T, activation):
    """accept: lists of vectors, the matrix gradient as a sum of outer products, one sweep that also collects it."""
    if activation == "tanh":
        phi, slope = np.tanh, lambda h: 1.0 - h * h
    elif activation == "linear":
        phi, slope = (lambda z: 1.0 * z), (lambda h: np.ones(h.shape))
    else:
        raise ValueError(f"activation: {activation}")
    with np.errstate(over="ignore", invalid="ignore"):
        states = [phi(x1)]
        while len(states) < T:
            states.append(phi(np.dot(W, states[-1])))
        delta = (states[-1] - y) * slope(states[-1])
        rows, dW = deque([delta]), np.zeros(W.shape)
        for before in states[-2::-1]:
            dW += np.outer(delta, before)
            delta = np.dot(delta, W) * slope(before)
            rows.appendleft(delta)
        return {"loss": float(np.dot(states[-1] - y, states[-1] - y)) / 2, "states": np.array(states), "dW": dW,
                "dx": np.array(rows)}


def forward_backward__recursion(W, x1, y, T, activation):
    """accept: every step calls the next one and gets its own gradient back; nested lists, more keys, prints."""
    known = {"tanh": (np.tanh, lambda z: np.cosh(np.clip(z, -300, 300)) ** -2.0), "linear": (np.array, np.ones_like)}
    if activation not in known:
        raise ValueError("activation")
    phi, slope = known[activation]
    states, dx, dW, loss = [], [], np.zeros_like(W), []

    def step(z, t):
        """Run from the pre-activation of step t on; return the loss's derivative for it."""
        nonlocal dW
        h = phi(z)
        states.append(h.tolist())
        if t == T:
            loss.append(0.5 * np.sum(np.square(h - y)))
            d_h = h - y
        else:
            later = step(W @ h, t + 1)
            dW = dW + later[:, None] * h
            d_h = W.T @ later
        dx.insert(0, (d_h * slope(z)).tolist())
        return d_h * slope(z)

    with np.errstate(all="ignore"):
        step(np.array(x1, dtype=float), 1)
    print("loss", loss)
    return UserDict(dx=dx, dW=dW.tolist(), states=states, loss=loss[0], steps=T)


def forward_backward__products_of_jacobians(W, x1, y, T, activation):
    """accept: no sweep, the Jacobian from every step to the last is built up and kept."""
    if activation not in {"tanh", "linear"}:
        raise ValueError
    tanh = activation == "tanh"
    with np.errstate(all="ignore"):
        states = np.empty((T, W.shape[0]))
        z = x1
        for t in range(T):
            states[t] = np.tanh(z) if tanh else z
            z = W @ states[t]
        error = states[T - 1] - y
        diagonals = [np.diag(1 - h**2) if tanh else np.eye(len(h)) for h in states]
        row, dx = error @ diagonals[-1], np.empty_like(states)
        for t in range(T - 1, -1, -1):
            dx[t] = row
            if t:
                row = row @ W @ diagonals[t - 1]
        dW = np.einsum("ti,tj->ij", dx[1:], states[:-1])
        return OrderedDict(loss=np.linalg.norm(error) ** 2 / 2, states=states, dW=dW, dx=dx)


def forward_backward__loss_with_an_axis(W, x1, y, T, activation):
    """convert: the loss as an array with one entry."""
    run = forward_backward__lists_and_outer_products(W, x1, y, T, activation)
    return {**run, "loss": np.array([run["loss"]])}


def forward_backward__batch_of_one(W, x1, y, T, activation):
    """convert: states and input gradients with a batch axis of one."""
    run = forward_backward__lists_and_outer_products(W, x1, y, T, activation)
    return {**run, "states": run["states"][None], "dx": run["dx"][None]}


def forward_backward__tuple(W, x1, y, T, activation):
    """reject: four results in a row, without names."""
    return tuple(forward_backward__lists_and_outer_products(W, x1, y, T, activation).values())


def forward_backward__names_of_its_own(W, x1, y, T, activation):
    """reject: the results under other names."""
    run = forward_backward__lists_and_outer_products(W, x1, y, T, activation)
    return {"L": run["loss"], "h": run["states"], "grad_W": run["dW"], "grad_x": run["dx"]}


# --- fault_run -----------------------------------------------------------------------------------------------------


def fault_run__lists_that_are_filled_up(seed, rho, activation, tau, lr, updates, T=100):
    """accept: lists that grow while losses are finite and are filled up with NaN, an infinite threshold for none."""
    W, x1, y = make_experiment(seed, rho)
    limit = math.inf if tau is None else tau
    losses, grad_norms, applied_norms, cosines, dx_norms = [], [], [], [], None
    with np.errstate(all="ignore"):
        while len(losses) <= updates:
            run = forward_backward__lists_and_outer_products(W, x1, y, T, activation)
            losses.append(run["loss"])
            if dx_norms is None:
                dx_norms = [math.hypot(*row) for row in run["dx"]]
            if not math.isfinite(losses[-1]):
                losses += [math.nan] * (updates + 1 - len(losses))
            elif len(losses) <= updates:
                g = run["dW"].ravel()
                norm = float(np.sqrt(g @ g))
                scale = 1.0 if norm <= limit else limit / norm
                applied = scale * g
                grad_norms.append(norm)
                applied_norms.append(float(np.linalg.norm(applied)))
                cosines.append(float((g / norm) @ (applied / applied_norms[-1])))
                W = W - lr * applied.reshape(W.shape)
    for values in (grad_norms, applied_norms, cosines):
        values += [math.nan] * (updates - len(values))
    return {"losses": losses, "grad_norms": grad_norms, "applied_norms": applied_norms, "cosines": cosines,
            "dx_norms": dx_norms}


def fault_run__small_number_below_the_bar(seed, rho, activation, tau, lr, updates, T=100, verbose=False):
    """accept: an experiment drawn by itself, a small number in the denominator, one array for the record, in-place updates."""
    rng = np.random.default_rng(seed)
    W = rng.standard_normal((16, 16))
    x1, y = rng.standard_normal(16), rng.standard_normal(16)
    y = y / np.sqrt(np.sum(y * y))
    W *= rho / np.max(np.abs(np.linalg.eig(W)[0]))
    table = np.full((updates + 1, 4), np.nan)
    dx_norms = []
    with np.errstate(all="ignore"):
        for row in table:
            run = forward_backward__products_of_jacobians(W, x1, y, T, activation)
            row[0] = run["loss"]
            dx_norms.append(np.sqrt(np.square(run["dx"]).sum(axis=1)))
            if not np.isfinite(row[0]):
                break
            gradient = run["dW"]
            norm = np.linalg.norm(gradient)
            applied = gradient.copy()
            if tau is not None:
                applied *= min(1.0, tau / (norm + 1e-6))
            row[1:] = norm, np.linalg.norm(applied), np.vdot(applied, gradient) / norm / np.linalg.norm(applied)
            W -= lr * applied
            if verbose:
                print(row)
    return {"losses": table[:, 0], "grad_norms": table[:-1, 1], "applied_norms": table[:-1, 2], "cosines": table[:-1, 3],
            "dx_norms": dx_norms[0]}


class _Run:
    """accept: an object that is called, with numpy's mapping of results by name as its answer."""

    def __call__(self, seed, rho, activation, tau, lr, updates, T=100):
        """Keep nothing on the object: every call makes its own record."""
        record = fault_run__lists_that_are_filled_up(seed, rho, activation, tau, lr, updates, T)
        return UserDict({name: np.asarray(values) for name, values in record.items()})


fault_run__callable_object = _Run()


def fault_run__columns(seed, rho, activation, tau, lr, updates, T=100):
    """convert: every part of the record as a column."""
    record = fault_run__small_number_below_the_bar(seed, rho, activation, tau, lr, updates, T)
    return {name: values[:, None] for name, values in record.items()}


def fault_run__table(seed, rho, activation, tau, lr, updates, T=100):
    """reject: one table with a row per update, without names."""
    record = fault_run__small_number_below_the_bar(seed, rho, activation, tau, lr, updates, T)
    return np.column_stack([record["losses"][:-1], record["grad_norms"], record["applied_norms"], record["cosines"]])


def fault_run__arrays_of_objects(seed, rho, activation, tau, lr, updates, T=100):
    """reject: numbers in arrays of Python objects."""
    record = fault_run__small_number_below_the_bar(seed, rho, activation, tau, lr, updates, T)
    return {name: values.astype(object) for name, values in record.items()}


# --- fault_signals -------------------------------------------------------------------------------------------------


def fault_signals__plain_python(record, tau):
    """accept: loops over lists of floats, no numpy."""
    r = {name: [float(value) for value in values] for name, values in record.items()}
    first, last = r["dx_norms"][0], r["dx_norms"][-1]
    capped = [abs(applied - tau) <= 1e-5 * tau for norm, applied in zip(r["grad_norms"], r["applied_norms"])
              if tau is not None and norm > tau]
    turned = [cosine < 1 - 1e-9 for cosine in r["cosines"] if math.isfinite(cosine)]
    finite = all(map(math.isfinite, r["losses"]))
    return {
        "slow_decay": 1e-8 <= first < 1.0 and first < last,
        "last_input_healthy": last > 1e-3,
        "first_input_forgotten": first <= 1e-10,
        "training_alive": finite and r["losses"][-1] - r["losses"][0] < 0,
        "direction_kept": turned != [] and not any(turned),
        "norm_capped": capped != [] and all(capped),
        "loss_not_finite": not finite,
        "exploded": not first < 1e10,
    }


def fault_signals__numpy_bools(record, tau):
    """accept: numpy's bools, also as arrays without axes; masked comparisons; more signals than asked for."""
    dx, losses = np.array(record["dx_norms"]), np.array(record["losses"])
    signals = OrderedDict()
    signals["exploded"] = np.isnan(dx[0]) | (dx[0] >= 1e10)
    signals["loss_not_finite"] = ~np.isfinite(losses).all()
    signals["norm_capped"] = np.False_
    if tau:
        above = np.greater(record["grad_norms"], tau)
        close = np.isclose(record["applied_norms"], tau, rtol=1e-5, atol=0.0)
        signals["norm_capped"] = np.logical_and(above.any(), close[above].all())
    cosines = np.array(record["cosines"])
    missing = ~np.isfinite(cosines)
    signals["direction_kept"] = np.array(~missing.all() & (missing | (cosines >= 1 - 1e-9)).all())
    signals["training_alive"] = np.less(losses[-1], losses[0]) & ~signals["loss_not_finite"]
    signals["first_input_forgotten"] = np.less_equal(dx[0], 1e-10)
    signals["last_input_healthy"] = np.greater(dx[-1], 1e-3)
    signals["slow_decay"] = (dx[0] >= 1e-8) & (dx[0] < 1) & (dx[0] < dx[-1])
    signals["anything"] = any(signals.values())
    return signals


def fault_signals__zeros_and_ones(record, tau):
    """convert: whole numbers for truth values."""
    return {name: int(signal) for name, signal in fault_signals__plain_python(record, tau).items()}


def fault_signals__names_of_those_that_are_on(record, tau):
    """reject: a list of the signals that are on."""
    return [name for name, signal in fault_signals__plain_python(record, tau).items() if signal]


def fault_signals__words(record, tau):
    """reject: words for truth values."""
    return {name: "yes" if signal else "no" for name, signal in fault_signals__plain_python(record, tau).items()}


# --- bptt_check ----------------------------------------------------------------------------------------------------


def _elman_loss(xs, targets, a, p):
    """Run forward and add up the losses; complex parameters are welcome."""
    loss = 0.0
    for x, target in zip(xs, targets):
        a = np.tanh(p["W_aa"] @ a + p["W_ax"] @ x + p["b_a"])
        e = p["W_ya"] @ a + p["b_y"] - target
        loss = loss + 0.5 * np.sum(e * e)
    return loss


def _elman_grads(xs, targets, a0, p):
    """Sweep backward by hand."""
    states = [a0]
    for x in xs:
        states.append(np.tanh(p["W_aa"] @ states[-1] + p["W_ax"] @ x + p["b_a"]))
    grads, carried = {name: np.zeros_like(array) for name, array in p.items()}, np.zeros_like(a0)
    for t in range(len(xs), 0, -1):
        e = p["W_ya"] @ states[t] + p["b_y"] - targets[t - 1]
        dz = (p["W_ya"].T @ e + carried) * (1 - states[t] ** 2)
        for name, part in {"W_aa": np.outer(dz, states[t - 1]), "W_ax": np.outer(dz, xs[t - 1]), "b_a": dz,
                           "W_ya": np.outer(e, states[t]), "b_y": e}.items():
            grads[name] += part
        carried = p["W_aa"].T @ dz
    return grads


def _difference(analytic, numeric):
    return np.linalg.norm(analytic - numeric) / (np.linalg.norm(analytic) + np.linalg.norm(numeric))


def bptt_check__inputs_drawn_first(seed):
    """accept: inputs before parameters, uniform weights, one output, the worst of a dictionary of errors."""
    rng = np.random.default_rng(seed)
    xs, targets, a0 = rng.uniform(-1, 1, (12, 4)), rng.uniform(-2, 2, (12, 1)), rng.uniform(0.1, 0.5, 8)
    p = {"b_y": rng.normal(size=1), "W_ya": rng.uniform(-0.6, 0.6, (1, 8)), "b_a": rng.normal(size=8) / 2,
         "W_ax": rng.uniform(-0.6, 0.6, (8, 4)), "W_aa": rng.uniform(-0.6, 0.6, (8, 8))}
    errors = {}
    for name, gradient in _elman_grads(xs, targets, a0, p).items():
        numeric = np.empty(gradient.size)
        for i in range(gradient.size):
            nudge = np.zeros(gradient.size)
            nudge[i] = 1e-6
            up, down = ({**p, name: p[name] + sign * nudge.reshape(gradient.shape)} for sign in (1, -1))
            numeric[i] = (_elman_loss(xs, targets, a0, up) - _elman_loss(xs, targets, a0, down)) / 2e-6
        errors[name] = _difference(gradient.ravel(), numeric)
    return errors[max(errors, key=errors.get)]


def bptt_check__complex_step(seed):
    """accept: a generator of the old kind, imaginary nudges instead of differences, a 0-d array."""
    rng = np.random.RandomState(seed)
    shapes = {"W_aa": (8, 8), "W_ax": (8, 4), "b_a": (8,), "W_ya": (4, 8), "b_y": (4,)}
    p = {name: rng.standard_normal(shape) * 0.4 for name, shape in shapes.items()}
    xs, targets, a0 = rng.standard_normal((12, 4)), rng.standard_normal((12, 4)), rng.standard_normal(8) * 0.4
    grads, errors = _elman_grads(xs, targets, a0, p), []
    for name, shape in shapes.items():
        numeric = np.empty(shape)
        for index in np.ndindex(*shape):
            nudged = p[name].astype(complex)
            nudged[index] += 1e-30j
            numeric[index] = _elman_loss(xs, targets, a0, {**p, name: nudged}).imag / 1e-30
        errors.append(_difference(grads[name], numeric))
    return np.array(max(errors))


def bptt_check__with_a_verdict(seed):
    """reject: the error and a verdict."""
    error = bptt_check__inputs_drawn_first(seed)
    return error, bool(error < 1e-6)


def bptt_check__text(seed):
    """reject: the error written out as text."""
    return f"{bptt_check__inputs_drawn_first(seed):.3e}"


# --- evidence ------------------------------------------------------------------------------------------------------


def evidence__rebuilt_field_by_field(metrics, commit, verified_at, environment):
    """accept: a new record, field by field, and a count of what is left over."""
    template, left = evidence_template(), dict(metrics)
    filled = []
    for entry in template["metrics"]:
        try:
            filled.append({"name": entry["name"], "actual": left.pop(entry["name"]), "expected": entry["expected"]})
        except KeyError as missing:
            raise ValueError(f"metrics: {missing} is missing") from None
    if left:
        raise ValueError(f"metrics: unknown {sorted(left)}")
    given = {"commit": commit, "verified_at": verified_at, "environment": environment, "metrics": filled}
    return UserDict({name: given.get(name, value) for name, value in sorted(template.items())})


def evidence__template_made_once(metrics, commit, verified_at, environment):
    """accept: one template for all calls, which is copied before it is filled in."""
    template = _template()
    names = [entry["name"] for entry in template["metrics"]]
    if sorted(names) != sorted(metrics):
        raise ValueError("metrics")
    entries = [dict(entry, actual=metrics[name]) for name, entry in zip(names, template["metrics"])]
    return dict(template, commit=commit, verified_at=verified_at, environment=environment, metrics=entries)


_template = functools.lru_cache(maxsize=None)(evidence_template)


def evidence__text_of_a_file(metrics, commit, verified_at, environment):
    """reject: the lines of the file that the record is going to be."""
    record = evidence__template_made_once(metrics, commit, verified_at, environment)
    return "\n".join(f"{name}: {value}" for name, value in record.items())


def evidence__metrics_by_name(metrics, commit, verified_at, environment):
    """reject: the metrics in a dictionary by name instead of a list."""
    record = evidence__template_made_once(metrics, commit, verified_at, environment)
    return {**record, "metrics": {entry["name"]: entry for entry in record["metrics"]}}


def evidence__list_of_fields(metrics, commit, verified_at, environment):
    """reject: a list of names and values instead of a dictionary."""
    return list(evidence__template_made_once(metrics, commit, verified_at, environment).items())
