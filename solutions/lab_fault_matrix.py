"""Reference functions of the lab: one experiment, two injections, and a record that says what was measured."""

import numpy as np


def product_experiment(rng, low, high, n=500):
    """Level 1: the log trajectory of a product of `n` factors drawn uniformly from [low, high).

    rng: numpy Generator. Returns an (n,) array: the running sum of log|factor|.
    """
    return np.cumsum(np.log(np.abs(rng.uniform(low, high, size=n))))


def make_experiment(seed, rho, d=16):
    """The matrices of one run: a recurrent matrix of spectral radius `rho`, an input and a target direction.

    Returns (W (d, d), x1 (d,), y (d,)); y has length one.
    """
    rng = np.random.default_rng(seed)
    W_0, x1, v = rng.normal(size=(d, d)), rng.normal(size=d), rng.normal(size=d)
    return W_0 * (rho / np.max(np.abs(np.linalg.eigvals(W_0)))), x1, v / np.linalg.norm(v)


def forward_backward(W, x1, y, T, activation):
    """Loss, states and gradients of a recurrence that reads one input and is judged at its last step.

    [Pascanu, Mikolov, Bengio 2013, section 2]

    h_1 = phi(x_1), h_t = phi(W h_{t-1} + x_t) with x_t = 0 for t >= 2, and L = 1/2 ||h_T - y||^2, where phi is the
    hyperbolic tangent ("tanh") or the identity ("linear").

    W: (d, d); x1, y: (d,); T: number of steps, at least 1; activation: "tanh" or "linear".
    Returns a dict: "loss" (number), "states" (T, d) with h_t in row t-1, "dW" (d, d) = dL/dW,
    "dx" (T, d) with dL/dx_t in row t-1, although x_t = 0 for t >= 2. Where numbers overflow the result holds inf or NaN;
    that is no error. Raises ValueError for an unknown activation.
    """
    if activation not in {"tanh", "linear"}:
        raise ValueError(f"activation is 'tanh' or 'linear', not {activation!r}")
    phi = np.tanh if activation == "tanh" else np.positive
    with np.errstate(all="ignore"):
        states = np.empty((T, len(x1)))
        states[0] = phi(x1)
        for t in range(1, T):
            states[t] = phi(W @ states[t - 1])
        slopes = 1 - states**2 if activation == "tanh" else np.ones(states.shape)
        error = states[-1] - y
        dx = np.empty_like(states)
        dx[-1] = slopes[-1] * error
        for t in range(T - 2, -1, -1):
            dx[t] = slopes[t] * (W.T @ dx[t + 1])
        return {"loss": 0.5 * np.sum(error**2), "states": states, "dW": dx[1:].T @ states[:-1], "dx": dx}


def fault_run(seed, rho, activation, tau, lr, updates, T=100):
    """Train the recurrent matrix of one experiment by plain SGD and record what happened.

    [Pascanu, Mikolov, Bengio 2013, section 3.2 (clipping)]

    Before every update the gradient dW is clipped: scaled by min(1, tau / ||dW||), its direction kept; then
    W <- W - lr * (clipped dW). The experiment is make_experiment(seed, rho), with d = 16.

    seed: integer; rho: spectral radius at the start; activation: "tanh" or "linear"; tau: largest norm of an update's
    gradient, or None for no clipping; lr: learning rate; updates: number of updates, at least 1; T: number of steps.
    Returns a dict: "losses" (updates + 1,), the loss before each update and after the last; "grad_norms" (updates,), the norm
    of dW; "applied_norms" (updates,), the norm of what was applied; "cosines" (updates,), the cosine between the two;
    "dx_norms" (T,), ||dL/dx_t|| in time order before the first update. Once a loss is not finite, the norms and the cosine of
    that index and everything later are NaN. Raises ValueError for an unknown activation.
    """
    W, x1, y = make_experiment(seed, rho)
    record = {"losses": np.full(updates + 1, np.nan), "grad_norms": np.full(updates, np.nan),
              "applied_norms": np.full(updates, np.nan), "cosines": np.full(updates, np.nan)}
    with np.errstate(all="ignore"):
        for update in range(updates):
            run = forward_backward(W, x1, y, T, activation)
            record.setdefault("dx_norms", np.linalg.norm(run["dx"], axis=1))
            record["losses"][update] = run["loss"]
            if not np.isfinite(run["loss"]):
                break
            norm = np.linalg.norm(run["dW"])
            applied = run["dW"] if tau is None else run["dW"] * min(1.0, tau / norm)
            applied_norm = np.linalg.norm(applied)
            record["grad_norms"][update], record["applied_norms"][update] = norm, applied_norm
            record["cosines"][update] = np.sum(run["dW"] / norm * (applied / applied_norm))
            W = W - lr * applied
        else:
            record["losses"][updates] = forward_backward(W, x1, y, T, activation)["loss"]
    return record


def fault_signals(record, tau):
    """The signals of one record of `fault_run`, each a bool.

    record: the dict that fault_run returns; tau: the run's threshold, or None.
    Returns a dict of bool:
    "exploded": dx_norms[0] is at least 1e10 or not finite;
    "loss_not_finite": some loss is inf or NaN;
    "norm_capped": tau is given, some gradient norm is above tau, and at every such step the applied norm equals tau
    (relative 1e-5);
    "direction_kept": there is a finite cosine, and all finite ones are at least 1 - 1e-9;
    "training_alive": all losses are finite, and the last is below the first;
    "first_input_forgotten": dx_norms[0] is at most 1e-10;
    "last_input_healthy": dx_norms[-1] is above 1e-3;
    "slow_decay": dx_norms[0] is at least 1e-8, below 1, and below dx_norms[-1].
    """
    losses, cosines = np.asarray(record["losses"]), np.asarray(record["cosines"])
    grad_norms, applied_norms = np.asarray(record["grad_norms"]), np.asarray(record["applied_norms"])
    first, last = record["dx_norms"][0], record["dx_norms"][-1]
    above = grad_norms > tau if tau is not None else np.zeros(len(grad_norms), bool)
    finite = cosines[np.isfinite(cosines)]
    return {
        "exploded": bool(first >= 1e10 or not np.isfinite(first)),
        "loss_not_finite": bool(not np.all(np.isfinite(losses))),
        "norm_capped": bool(np.any(above) and np.all(np.abs(applied_norms[above] - tau) <= 1e-5 * tau)),
        "direction_kept": bool(len(finite) > 0 and np.all(finite >= 1 - 1e-9)),
        "training_alive": bool(np.all(np.isfinite(losses)) and losses[-1] < losses[0]),
        "first_input_forgotten": bool(first <= 1e-10),
        "last_input_healthy": bool(last > 1e-3),
        "slow_decay": bool(1e-8 <= first < 1 and first < last),
    }


def bptt_check(seed):
    """Level 3: how far backpropagation through time is from central differences, in a small Elman network.

    The network has 8 hidden and 4 input units, 12 steps and a start state that is not zero; its arrays, inputs and
    targets are drawn from `seed`, in an order of your own. L = 1/2 sum_t ||W_ya a_t + b_y - target_t||^2.

    seed: integer. Returns the largest norm-wise error ||a - n|| / (||a|| + ||n||) over the parameter arrays, a the
    gradient by backpropagation and n the one by central differences with h = 1e-6, as measured.
    """
    rng = np.random.default_rng(seed)
    d, d_x, d_y, T = 8, 4, 3, 12
    shapes = {"W_aa": (d, d), "W_ax": (d, d_x), "b_a": (d,), "W_ya": (d_y, d), "b_y": (d_y,)}
    params = {name: rng.normal(size=shape) / np.sqrt(shape[-1]) for name, shape in shapes.items()}
    xs, targets, a0 = rng.normal(size=(T, d_x)), rng.normal(size=(T, d_y)), 0.5 * rng.normal(size=d)

    def run(params):
        states = [a0]
        for x in xs:
            states.append(np.tanh(params["W_aa"] @ states[-1] + params["W_ax"] @ x + params["b_a"]))
        errors = np.array(states[1:]) @ params["W_ya"].T + params["b_y"] - targets
        return np.array(states), errors, 0.5 * np.sum(errors**2)

    states, errors, _ = run(params)
    grads = {name: np.zeros(shape) for name, shape in shapes.items()}
    carried = np.zeros(d)
    for t in range(T, 0, -1):
        error = errors[t - 1]
        delta = (1 - states[t]**2) * (params["W_ya"].T @ error + carried)
        carried = params["W_aa"].T @ delta
        for name, part in (("W_aa", np.outer(delta, states[t - 1])), ("W_ax", np.outer(delta, xs[t - 1])), ("b_a", delta),
                           ("W_ya", np.outer(error, states[t])), ("b_y", error)):
            grads[name] += part
    worst, h = 0.0, 1e-6
    for name, analytic in grads.items():
        numeric = np.zeros_like(analytic)
        for index in np.ndindex(analytic.shape):
            for sign in (1, -1):
                nudged = params[name].copy()
                nudged[index] += sign * h
                numeric[index] += sign * run({**params, name: nudged})[2] / (2 * h)
        error = np.linalg.norm(analytic - numeric) / (np.linalg.norm(analytic) + np.linalg.norm(numeric))
        worst = max(worst, error)
    return float(worst)


def evidence_template():
    """The record of this lab in schema learn-llm.evidence.v1, with every `actual` still open.

    Returns a dict, made anew at each call.
    """
    expected = {"near_one_product_stays_bounded": True, "rho_below_one_gradient_decays": True,
                "rho_above_one_gradient_explodes": True, "rho_one_tanh_saturation_still_decays": True,
                "clipping_caps_norm_keeps_training_alive": True, "clipping_does_not_rescue_vanishing": True,
                "bptt_matches_finite_difference": "relative-error-under-1e-6"}
    return {
        "schema": "learn-llm.evidence.v1", "module": "sequence-models-prehistory", "commit": None, "verified_at": None,
        "environment": None, "seed": 42, "commands": ["run every cell of lab_fault_matrix.ipynb"],
        "metrics": [{"name": name, "expected": value, "actual": None} for name, value in expected.items()],
        "artifacts": ["lab_fault_matrix.ipynb", "evidence.yaml"], "cost": {"gross_usd": 0, "credit_usd": 0},
        "licenses": [{"source": "Stanford CS230 VIP cheatsheet (Amidi and Amidi, 2018)", "license": "link-only-attribution"},
                     {"source": "Ernest K. Ryu, RL of LLMs (Spring 2025), Chapter 2", "license": "link-only-attribution"}],
        "known_failures": ["none"],
    }


def evidence(metrics, commit, verified_at, environment):
    """The filled-in record of this lab: what was measured, beside what was expected.

    [schema learn-llm.evidence.v1]

    metrics: dict from each name of the template's seven metrics to its measured value: a bool, and for
    bptt_matches_finite_difference the relative error as a number; commit, verified_at, environment: strings.
    Returns the template (a dict of dicts and lists, see evidence_template) with these three strings and with every metric's
    measured value as its `actual`, in the template's order. A measured value is recorded as it is, also where it
    differs from what was expected. Raises ValueError when a metric is missing and when there is one of another name.
    """
    record = evidence_template()
    if set(metrics) != {metric["name"] for metric in record["metrics"]}:
        raise ValueError("metrics must hold each of the template's metrics, and no others")
    for metric in record["metrics"]:
        metric["actual"] = metrics[metric["name"]]
    return {**record, "commit": commit, "verified_at": verified_at, "environment": environment}
