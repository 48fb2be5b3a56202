"""Worked examples of stage 2: the numbers that the notebook's prose quotes, computed by the reference."""

import numpy as np


def examples(reference):
    def numbers(values, digits=3):
        return ", ".join(f"{float(value):.{digits}f}".rstrip("0").rstrip(".") for value in np.ravel(values))

    def rows(matrix, digits=4):
        return "[" + ", ".join(f"[{numbers(row, digits)}]" for row in matrix) + "]"

    def power_of_ten(value):
        mantissa, exponent = f"{value:.0e}".split("e")
        return f"${mantissa} \\cdot 10^{{{int(exponent)}}}$"

    near_one = [reference.log_product_trajectory(np.random.default_rng(seed).uniform(0.8, 1.2, size=500))[-1]
                for seed in range(500)]

    runs, norms = 100, {0.5: [], 1.5: [], "linear": []}
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        W_0, start = rng.normal(size=(16, 16)), np.tanh(rng.normal(size=16))
        for rho in (0.5, 1.5):
            W = reference.rescale_spectral_radius(W_0, rho)
            free = {"W_aa": W, "W_ax": np.zeros((16, 1)), "b_a": np.zeros(16), "W_ya": np.zeros((1, 16)),
                    "b_y": np.zeros(1)}
            states, _ = reference.elman_forward(np.zeros((100, 1)), start, free)
            norms[rho].append(reference.jacobian_norms(states, W)[-1])
        norms["linear"].append(reference.jacobian_norms(np.zeros((100, 16)), W)[-1])

    one = {"W_aa": np.array([[2.0]]), "W_ax": np.array([[1.0]]), "b_a": np.array([-1.0]), "W_ya": np.array([[3.0]]),
           "b_y": np.array([0.0])}
    loss, grads = reference.bptt_grad(np.array([[1.0]]), np.array([[0.0]]), np.array([0.5]), one)

    small = {"W_aa": np.array([[0.5, -1.0], [0.75, 0.25]]), "W_ax": np.array([[1.0, 0.0, -0.5], [0.5, -1.0, 0.25]]),
             "b_a": np.array([0.1, -0.2]), "W_ya": np.array([[1.5, -0.5]]), "b_y": np.array([0.25])}
    xs, targets = np.array([[1.0, -1.0, 0.5], [0.0, 0.5, 0.25], [-0.5, 0.25, 1.0]]), np.array([[0.5], [-1.0], [1.0]])
    a0 = np.array([0.2, -0.4])
    truncated = [np.linalg.norm(reference.truncated_bptt_grad(xs, targets, a0, small, k)[1]["W_aa"]) for k in (1, 2, 3)]

    return {
        "log_example": numbers(reference.log_product_trajectory(np.array([2.0, 0.25, 4.0, 3.0]))),
        "alternating": numbers(abs(reference.log_product_trajectory(np.tile([2.0, 0.5], 250))[-1])),
        "near_one_runs": str(len(near_one)),
        "near_one_mean": f"{np.mean(near_one):.1f}",
        "numerical_example": "(" + numbers(reference.numerical_gradient(lambda w: np.sum(w**3), np.array([1.0, -2.0]),
                                                                        0.5)) + ")",
        "error_example": numbers(reference.gradient_error(np.array([3.0, 4.0]), np.array([3.0, 1.0]))),
        "radius_example": rows(reference.rescale_spectral_radius(np.array([[2.0, 3.0], [0.0, -4.0]]), 0.5)),
        "jacobian_example": rows(reference.step_jacobian(np.array([0.5, -0.8]), np.array([[1.0, -2.0], [0.5, 3.0]]))),
        "norms_example": numbers(reference.jacobian_norms(np.array([[0.9, 0.1], [0.5, -0.5], [0.0, 0.8]]),
                                                          np.array([[1.0, -2.0], [0.5, 0.25]]))),
        "explosion_runs": str(runs),
        "tanh_median": numbers(np.median(norms[1.5]), 1),
        "linear_median": power_of_ten(np.median(norms["linear"])),
        "half_median": power_of_ten(np.median(norms[0.5])),
        "bptt_loss": numbers(loss),
        "bptt_grads": ", ".join(f"`{name}` {numbers(grads[name])}" for name in grads),
        "truncated_norms": numbers(truncated),
        "input_norms_example": numbers(reference.input_gradient_norms(xs, targets[-1], a0, small)),
    }
